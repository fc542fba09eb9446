#!/bin/sh
# warplock run --pipeview (docs/views.md): waits and copies stand in the cycles that are counted from
# docs/microarchitecture.md 21 to 23, in all formats, and counters say as much. On tiny: L = 16, four banks.
#   test_view_async.sh WARPLOCK
warplock=$1
home=$(cd "$(dirname "$0")" && pwd)
. "$home/lib.sh"
. "$home/view_lib.sh"
. "$home/async.sh"

pc() { sed -n "s/^ *\([0-9]*\)  .*$1.*/\1/p" async.txt | head -1; } # of an instruction
issue() { # FILE INSTRUCTION N: the cycle of its n-th issue
  awk -v pc="$(pc "$2")" -v nth="$3" '$2 == "1x" { for (i = 3; i < NF; i++)
    if ($i == pc && $(i + 1) ~ /^[a-z]/ && ++n == nth) { print $1; exit } }' "$1"
}
span() { # FILE CYCLE TEXT: the line of something that ends in the cycle
  tests=$((tests + 1))
  awk -v at="$2" -v text="$3" '$1 == at && index($0, text) { found = 1 } END { exit !found }' "$1" ||
    fail "$1: expected in $2 '$3', got: $(grep "^ *[0-9]*          ${3%%:*}" "$1")"
}
"$warplock" as async.ptx -o async.wlo >/dev/null && "$warplock" dis async.wlo >async.txt
A="async.ptx --backend model --config tiny --json result.json"
want 0 "copies on model" run $A --kernel copies --grid 1 --block 1 --arg zero:128 --pipeview c.txt
sums c.txt 8
# Read slots depend on banks (6.1): load and store 2 ({4 5 6}, {7 2}), cp.async 4 parts of 2 ({10 11 2}).
for text in "bulk.load R4:R7, R2" "bulk.store R4:R7, R2" "cpasync.b32 \[R10:R11\], R2" \
  "wait R0, RZ" "arrive R2:R3, \[RZ\], R0 " "wait R1, R0"; do
  tests=$((tests + 1))
  grep -q "$text" async.txt || fail "registers changed, count again: $(grep "${text%% *}" async.txt)"
done
# Load (23.2, 23.3): two sectors in T + 1, T + 2; answers in their cycle + L + 3; a row is READY behind its
# answer and takes two requests; the mbarrier is told behind the last one: pass behind that, phase 6
# behind it, delivery 2 behind that.
t=$(issue c.txt bulk.load 2)
T=$((t + 5))
span c.txt $((T + 34)) "bulk load: warp 0 pc $(pc bulk.load) lanes 00000001, 64 bytes, entry 0; from $T: walk to $((T + 2)), drain to $((T + 24)), tell to $((T + 25)), told to $((T + 34))"
span c.txt $((T + 32)) "phase: address 256, number 2"
load=$T
# cp.async (22.1): operands are there 10 behind the issue, READY two cycles later (LsuDelay), a packet two
# behind that, L + 3 to its answer, WB in the second cycle behind (LsuDelay); its request in the next one,
# pass, delivery 3 behind, freed in the second cycle behind that.
t=$(issue c.txt cpasync.b32 2)
p=$((t + 12))
over=$((p + 16 + 14))
span c.txt $over "cp.async: warp 0 pc $(pc cpasync) lanes 00000001, 4 bytes, slot 2, group 1; from $t: read to $((p + 16 + 7)), write to $((p + 16 + 8)), end to $over"
span c.txt $over "group of cp.async: warp 0 number 1; closed $(issue c.txt cpcommit 2), over $over"
# Its wait parks twice: the phase before has left a wake-up, which is of no use (21.3). Four cycles behind
# T the row is there (7.3: taken, split by two cycles), a walk of one row takes two.
T=$(($(issue c.txt cpwait 3) + 4))
span c.txt $((T + 6)) "wait cp.async: warp 0 pc $(pc cpwait) lanes 00000001; from $T to $((T + 6)), woken"
T=$(($(issue c.txt cpwait 4) + 4))
span c.txt $((T + 6)) "wait cp.async: warp 0 pc $(pc cpwait) lanes 00000001; from $T to $((T + 6)), woken, behind a wake-up in vain"
# Store: four requests from T + 1 on, the last one's answer two behind; the row's packet leaves behind
# it, is answered L + 3 later, and the entry is freed in the next cycle.
T=$(($(issue c.txt bulk.store 2) + 5))
over=$((T + 27))
span c.txt $over "bulk store: warp 0 pc $(pc bulk.store) lanes 00000001, 64 bytes, entry 1, group 1; from $T: walk to $((T + 4)), read to $((T + 6)), drain to $((T + 7)), ack to $over"
span c.txt $over "group of bulk copies: warp 0 number 1; closed $(issue c.txt bulkcommit 2), over $over"
store=$T
# A load is there for 34 cycles, a store for 27, a cp.async for 42.
has c.txt "bulk copies: 4 in 122 cycles, 128 bytes to shared memory, 128 to global memory, 2.098 per cycle"
has c.txt "cp.async: 2 in 84 cycles, 8 bytes"
has c.txt "waits: 5 parked, 5 woken, 1 of them in vain, 0 until their time was over; 2 phases"
# Warp 0 tests and waits; warp 1 completes a phase of another mbarrier, then its own. An arrival of one lane
# has 4 slots; it is READY 4 behind the last of them, taken by shared memory in the next cycle, has its
# pass in the one behind that, and acts 6 later. The walk is asked for in the next cycle, is taken two
# cycles later, and its one row takes two.
want 0 "waits on model" run $A --kernel waits --grid 1 --block 64 --pipeview w.txt
sums w.txt 8
acts=$(($(issue w.txt 'arrive R2:R3, .RZ+0x8.' 1) + 4 + 12))
span w.txt $acts "phase: address 8, number 1"
span w.txt $((acts + 5)) "wait mbarrier: warp 0 pc $(pc "wait R0, RZ") lanes ffffffff; from $(($(issue w.txt "wait R0, RZ" 1) + 7)) to $((acts + 5)), woken"
acts=$(($(issue w.txt 'arrive R2:R3, .RZ., R0' 1) + 4 + 12))
span w.txt $acts "phase: address 0, number 2"
span w.txt $((acts + 5)) "from $(($(issue w.txt "wait R0, RZ" 2) + 7)) to $((acts + 5)), woken, behind a wake-up in vain"
has w.txt "waits: 2 parked, 2 woken, 1 of them in vain, 0 until their time was over; 2 phases"
has w.txt "every warp waits: 0 cycles, 0.0 %"
# 300 ns from T on: the clock is looked at in every eighth cycle. The row is in the table from T + 10 on
# (taken, split by Beats + 3), the engine at rest in T + 12.
want 0 "timed on model" run $A --kernel timed --grid 1 --block 1 --pipeview t.txt
sums t.txt 8
T=$(($(issue t.txt "wait R1, R0" 1) + 4))
over=$(((T + 300 + 7) / 8 * 8))
span t.txt $((over + 4)) "from $T to $((over + 4)), its time was over"
has t.txt "waits: 1 parked, 0 woken, 0 of them in vain, 1 until their time was over; 0 phases"
has t.txt "every warp waits: $((over - T - 11)) cycles,"
for ending in json kanata; do
  want 0 "copies on model" run $A --kernel copies --grid 1 --block 1 --arg zero:128 --pipeview c.$ending
done
# Stopped while a copy is under way.
want 5 "limit of cycles" run $A --kernel copies --grid 1 --block 1 --arg zero:128 \
  --max-cycles $((load + 10)) --pipeview part.txt
span part.txt $((load + 9)) "from $load: walk to $((load + 2)), drain to $((load + 9)), not over"
if command -v python3 >/dev/null; then
  tests=$((tests + 1))
  python3 - $load $store <<'END' || fail "c.json or c.kanata is wrong"
import json, sys
load, store = int(sys.argv[1]), int(sys.argv[2])
view = json.load(open('c.json'))
spans = {}
for e in view['traceEvents']:
    if e['ph'] in 'be':
        spans.setdefault((e['cat'], e['id']), []).append((e['ph'], e['name'], e['ts']))
def expect(name, start, steps):
    want, at = [('b', name, start + 1)], start + 1
    for step, behind in steps:
        want += [('b', step, at), ('e', step, start + behind + 1)]
        at = start + behind + 1
    want.append(('e', name, at))
    assert want in spans.values(), (want, spans)
expect('bulk load', load, [('walk', 2), ('drain', 24), ('tell', 25), ('told', 34)])
expect('bulk store', store, [('walk', 4), ('read', 6), ('drain', 7), ('ack', 27)])
phases = [(e['ts'], e['args']) for e in view['traceEvents'] if e['cat' if 'cat' in e else 'ph'] == 'phase']
assert phases[1] == (load + 32, {'warp': 0, 'number': 2, 'address': 256}), phases
other = view['otherData']
want = {'bulk_copies': 4, 'bulk_cycles': 122, 'bulk_bytes_to_shared': 128, 'bulk_bytes_to_global': 128,
        'cp_async': 2, 'cp_async_cycles': 84, 'cp_async_bytes': 8, 'waits_parked': 5, 'waits_woken': 5,
        'waits_woken_in_vain': 1, 'waits_timed': 0, 'mbarrier_phases': 2, 'all_warps_wait': 0}
assert {k: other[k] for k in want} == want, other
lines = [l.rstrip('\n').split('\t') for l in open('c.kanata')]
now, seen, labels = 0, {}, {}
for l in lines[1:]:
    if l[0] == 'C=': now = int(l[1])
    elif l[0] == 'C': now += int(l[1])
    elif l[0] == 'S': seen.setdefault(l[1], []).append((l[3], now))
    elif l[0] == 'R': seen[l[1]].append((l[3], now))
    elif l[0] == 'L' and l[2] == '0': labels[l[1]] = l[3]
def stages(name): return [seen[i] for i in labels if labels[i].endswith(': ' + name)]
assert stages('bulk load')[1] == [('walk', load + 1), ('drain', load + 3), ('tell', load + 25),
    ('told', load + 26), ('0', load + 35)], stages('bulk load')
assert len(stages('wait cp.async')) == 3 and all(s[0][0] == 'parked' for s in stages('wait cp.async'))
assert sum(int(l[1]) for l in lines if l[0] == 'C') == other['cycles']
END
fi
# The other configurations and lockstep: as many copies and bytes.
for config in base full; do
  want 0 "copies on model" run async.ptx --kernel copies --grid 1 --block 1 --arg zero:128 \
    --backend model --config $config --pipeview b.txt
  tests=$((tests + 1))
  grep -q "^bulk copies: 4 in .* 128 bytes to shared memory, 128 to global memory" b.txt ||
    fail "$config: $(grep '^bulk copies' b.txt)"
done
# Tensor memory: T of ALLOC is 4 behind its issue, of DEALLOC, which has two words, 5; the units are free in
# the next cycle, in which the warp that waits is woken (24.1), as above.
"$warplock" as columns.ptx -o columns.wlo >/dev/null && "$warplock" dis columns.wlo >async.txt
want 0 "columns on model" run columns.ptx --backend model --config tiny --json result.json --grid 2 \
  --block 32 --arg zero:256 --pipeview m.txt
sums m.txt 8
over=$(($(issue m.txt tmem.dealloc 1) + 5 + 1 + 5))
span m.txt $over "wait columns: warp 0 pc $(pc tmem.alloc) lanes ffffffff; from $(($(issue m.txt tmem.alloc 2) + 4)) to $over, woken"
has m.txt "waits: 1 parked, 1 woken, 0 of them in vain"
tests=$((tests + 1))
grep -q '^ *[0-9]* *[0-9]*x .* fence  ' m.txt || fail "nobody waits for a load of tensor memory"

echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
