#!/bin/sh
# board_tests.sh: the driver against a board program behind a pseudo-terminal (docs/fpga.md 7).
#   board_tests.sh WHAT WARPLOCK RUNNER BOARD [ARG...]
# BOARD is wl_c_board or wl_sim_board: any program that makes `--link PATH` a link to its terminal.
# WHAT: kernels, case, plain, selftest, freeze, reset; with wl_c_board also loss, tries, errors, faults, cut, stop; with
# wl_sim_board also divided, simloss, simcut.
# WL_CONFIG: the configuration of the board, if not tiny (kernels, case and plain). WL_CASE: which one of WL_KERNELS (case).
# WL_LINK_TIMEOUT is passed on. Runs in the project's root.
what=$1 warplock=$2 runner=$3
shift 3
# No bitstream's hash is expected, whatever `make fpga` left beside the program.
export WL_BITSTREAM=
dir=$(mktemp -d) || exit 1
port=$dir/port
board_pid=
failures=0

stop_board() {
  [ -n "$board_pid" ] || return 0
  kill "$board_pid" 2>/dev/null
  wait "$board_pid" 2>/dev/null
  board_pid=
  rm -f "$port"
}
trap 'stop_board; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM

# start_board BOARD ARG...
start_board() {
  stop_board
  "$@" --link "$port" >"$dir/board.log" 2>&1 &
  board_pid=$!
  for _ in $(seq 300); do
    [ -e "$port" ] && return 0
    kill -0 "$board_pid" 2>/dev/null || break
    sleep 0.1
  done
  echo "the board did not start:"
  cat "$dir/board.log"
  exit 1
}

fail() {
  echo "FAILED: $*"
  sed 's/^/  | /' "$dir/out" | head -40
  failures=$((failures + 1))
}

# check NAME EXIT PATTERN COMMAND...: exit code, and a line of output that matches.
check() {
  name=$1 code=$2 pattern=$3
  shift 3
  "$@" >"$dir/out" 2>&1
  got=$?
  if [ "$got" != "$code" ]; then
    fail "$name: exit $got, expected $code"
  elif ! grep -Eq -- "$pattern" "$dir/out"; then
    fail "$name: no line matches '$pattern'"
  else
    echo "ok: $name: $(grep -E -- "$pattern" "$dir/out" | head -1 | cut -c1-150)"
  fi
}
# One line of error, not more.
check_line() {
  check "$@"
  [ "$(grep -c . "$dir/out")" = 1 ] || fail "$1: more than one line"
}
ms() { echo $(($(date +%s%N) / 1000000)); }

kernels=${WL_KERNELS:-vecadd,reduction,scan,transpose,histogram,sgemm,bitonic,lane_lock,mma_gemm}
variants=${WL_PTX:-nvcc}
run_kernels() { "$runner" --backend fpga --port "$port" --kernel "$kernels" --ptx "$variants" --seed 5 \
  ${WL_CONFIG:+--config "$WL_CONFIG"} "$@"; }
launch() {
  program=$1 command=$2
  shift 2
  "$warplock" "$command" "tests/fpga/driver/$program.ptx" --grid 1 --block 32 --arg zero:128 \
    ${WL_CONFIG:+--config "$WL_CONFIG"} "$@"
}
loop() { launch loop "$@"; }
fpga() { "$warplock" fpga --port "$port" "$@"; }

case $what in
kernels)
  start_board "$@"
  check "kernels in lockstep" 0 "^[0-9]+ runs: ([0-9]+) passed, 0 refused as they must be, 0 skipped, 0 failed" \
    run_kernels --lockstep --verbose
  cat "$dir/out"
  check "what was compared" 0 "^equal: signatures of every record of every cycle" \
    loop lockstep --backend fpga --port "$port" --arg u32:50
  check "trap" 4 "" "$warplock" lockstep --backend fpga --port "$port" tests/fpga/driver/loop.ptx \
    --grid 1 --block 32 --arg u64:16 --arg u32:5
  cp "$dir/out" "$dir/board_trap"
  check "the model's trap" 4 "" "$warplock" run --backend model --config "${WL_CONFIG:-tiny}" --mem 1048576 \
    tests/fpga/driver/loop.ptx --grid 1 --block 32 --arg u64:16 --arg u32:5
  [ "$(head -1 "$dir/out")" = "$(head -1 "$dir/board_trap")" ] || {
    cat "$dir/board_trap"
    fail "the board's trap is told otherwise than the model's"
  }
  check "limit of cycles" 5 "the limit of cycles was reached at cycle 2000" \
    loop lockstep --backend fpga --port "$port" --arg u32:50000 --max-cycles 2000
  ;;
case)
  start_board "$@"
  check "a kernel in lockstep, all signatures equal, and what the host expects" 0 \
    "^1 runs: 1 passed, 0 refused as they must be, 0 skipped, 0 failed" \
    run_kernels --lockstep --verbose --tier all --case "$WL_CASE"
  cat "$dir/out"
  ;;
plain)
  start_board "$@"
  check "kernels on the board alone" 0 "0 skipped, 0 failed" run_kernels --verbose
  check "trap" 4 "" "$warplock" run --backend fpga --port "$port" tests/fpga/driver/loop.ptx \
    --grid 1 --block 32 --arg u64:16 --arg u32:5
  check "limit of cycles" 5 "the limit of cycles was reached" \
    loop run --backend fpga --port "$port" --arg u32:50000 --max-cycles 2000
  check "dump" 0 "." loop run --backend fpga --port "$port" --arg u32:5 --dump-state "$dir/state"
  { head -c 7164 /dev/zero && printf '\170\126\064\022'; } >"$dir/parameters"
  check "a launch block that grows" 0 "^equal" \
    launch parameters lockstep --backend fpga --port "$port" --arg "struct:$dir/parameters"
  check "a launch block that cannot grow" 6 "parameters does not fit: launch block: needed 7688 bytes, device memory has 8192" \
    launch parameters run --backend fpga --port "$port" --arg "struct:$dir/parameters" --mem 8192
  last="slice 31 row 511"
  [ "${WL_CONFIG:-tiny}" = tiny4 ] && last="slice 15 row 1023"
  grep -q "^rf $last [0-9a-f]\{8\}$" "$dir/state" || fail "no last register in the dump"
  grep -q "^xbuf slice 31 row 7 [0-9a-f]\{8\}$" "$dir/state" || fail "no last word in the dump"
  ;;
selftest)
  start_board "$@"
  check "status" 0 "configuration tiny, 131072 bytes of memory" fpga --status
  check "self-test" 0 "^self-test passed$" fpga --selftest
  cat "$dir/out"
  ;;
freeze)
  start_board "$@"
  check "cycles without freezes" 0 "[0-9]+ cycles" loop lockstep --backend fpga --port "$port" --arg u32:300
  grep -o "[0-9]* cycles," "$dir/out" >"$dir/cycles"
  check "freezes on" 0 "density 5" fpga --freeze 77:5
  check "lockstep with freezes" 0 "[1-9][0-9]* freezes" \
    loop lockstep --backend fpga --port "$port" --arg u32:300
  grep -o "[0-9]* cycles," "$dir/out" | cmp -s - "$dir/cycles" || fail "freezes changed the cycles"
  ;;
reset)
  # A launch is cut off in its middle, by the reset of the next one, which is as if it had never been.
  start_board "$@"
  for cut in 1000 1005 1502 2003; do
    check "a launch cut off in cycle $cut" 5 "the limit of cycles was reached at cycle" \
      launch slow run --backend fpga --port "$port" --arg u32:50000 --max-cycles "$cut"
    check "the one behind it" 0 "^equal: signatures of every record of every cycle" \
      launch slow lockstep --backend fpga --port "$port" --arg u32:5
  done
  ;;
loss)
  for seed in 1 2 3; do
    start_board "$@" --loss "$seed:10"
    [ "$seed" = 1 ] || kernels=vecadd,sgemm,lane_lock
    check "kernels in lockstep, frames spoilt, lost, doubled, swapped (seed $seed)" 0 \
      "0 skipped, 0 failed" run_kernels --lockstep
    check "it happened" 0 "[1-9][0-9]* sent again" loop lockstep --backend fpga --port "$port" --arg u32:50
    check "kernels alone (seed $seed)" 0 "0 skipped, 0 failed" run_kernels
    check "self-test (seed $seed)" 0 "[1-9][0-9]* sent again" fpga --selftest
  done
  # So bad that it cannot work: an error, not a wrong result.
  start_board "$@" --loss "4:500"
  check "hardly any frame passes" 6 "does not answer any more|no answer|no frame" \
    "$warplock" fpga --port "$port" --selftest
  ;;
simloss)
  # wl_sim_board has its own words for it.
  start_board "$@" --impair drop=1,corrupt=1,duplicate=1,reorder=1,seed=3
  check "a launch in lockstep, frames spoilt, lost, doubled, swapped" 0 "[1-9][0-9]* sent again" \
    loop lockstep --backend fpga --port "$port" --arg u32:50
  kernels=vecadd,sgemm
  check "kernels alone" 0 "0 skipped, 0 failed" run_kernels
  ;;
divided)
  # Core time is the same at every CoreDivide: cycles, and every record, which the model has too.
  for divide in 1 2; do
    start_board "$@" --core-divide $divide
    check "clock of the core, divided by $divide" 0 " $((12 / divide))\.000 MHz" fpga --status
    check "lockstep, divided by $divide" 0 "^equal: signatures of every.* core at $((12 / divide))\.000 MHz" \
      loop lockstep --backend fpga --port "$port" --arg u32:300
    grep -o "[0-9]* cycles," "$dir/out" >"$dir/cycles.$divide"
  done
  cmp -s "$dir/cycles.1" "$dir/cycles.2" || fail "cycles: $(cat "$dir/cycles.1" "$dir/cycles.2")"
  kernels=vecadd,histogram,lane_lock
  check "kernels in lockstep" 0 "0 skipped, 0 failed" run_kernels --lockstep
  check "freezes on" 0 "density 5" fpga --freeze 77:5
  check "lockstep with freezes" 0 "[1-9][0-9]* freezes" \
    loop lockstep --backend fpga --port "$port" --arg u32:300
  grep -o "[0-9]* cycles," "$dir/out" | cmp -s - "$dir/cycles.2" || fail "freezes changed the cycles"
  ;;
simcut)
  for at in 1 100 405; do
    start_board "$@" --cut "$at"
    check "line cut after $at frames" 6 "is gone .*unplugged|no device" \
      loop lockstep --backend fpga --port "$port" --arg u32:400
  done
  start_board "$@" --silent
  check_line "silent board" 6 "no answer from" env -u WL_LINK_TIMEOUT "$warplock" fpga --status --port "$port"
  ;;
cut)
  for at in 1 60 150 250 395; do
    start_board "$@" --cut-after "$at"
    check "line cut after $at requests" 6 "is gone .*unplugged" loop run --backend fpga --lockstep \
      --port "$port" --arg u32:400
  done
  start_board "$@" --cut-cycle 9000
  check "line cut in mid-launch, lockstep" 6 "is gone .*unplugged" \
    loop lockstep --backend fpga --port "$port" --arg u32:4000
  start_board "$@" --cut-cycle 9000
  check "line cut in mid-launch" 6 "is gone .*unplugged" \
    loop run --backend fpga --port "$port" --arg u32:4000
  start_board "$@" --mute-after 200
  begin=$(ms)
  check "mute in mid-launch" 6 "does not answer any more" \
    loop lockstep --backend fpga --port "$port" --arg u32:4000
  [ $(($(ms) - begin)) -lt 5000 ] || fail "told after $(($(ms) - begin)) ms"
  ;;
tries)
  # Of the time-out a lost answer costs a part, and one that is slow to come has the whole of it.
  export WL_LINK_TIMEOUT=4000
  start_board "$@" --forget 2
  begin=$(ms)
  check "an answer is lost" 0 "configuration tiny" fpga --status
  took=$(($(ms) - begin))
  [ "$took" -ge 1000 ] && [ "$took" -lt 3000 ] || fail "a lost answer costs $took ms"
  [ "$(grep -c "came again" "$dir/board.log")" = 1 ] || fail "not asked again once: $(cat "$dir/board.log")"
  export WL_LINK_TIMEOUT=3000
  start_board "$@" --halt 900
  check "answers that come in halves" 0 "configuration tiny" fpga --status
  [ "$(grep -c "came again" "$dir/board.log")" = 0 ] || fail "asked again while the answer came: $(cat "$dir/board.log")"
  ;;
errors)
  check_line "no port named" 6 "which port is the board on\? Name it with --port or WL_PORT" \
    env -u WL_PORT "$warplock" fpga --status
  check_line "no device" 6 "no device $dir/none: is the board plugged in\?" \
    "$warplock" fpga --status --port "$dir/none"
  check_line "no serial port" 6 "is no serial port" "$warplock" fpga --status --port /dev/null
  check_line "by WL_PORT" 6 "no device /dev/nowhere" env WL_PORT=/dev/nowhere "$warplock" fpga --status
  start_board "$@" --silent
  begin=$(ms)
  check_line "silent board" 6 "no answer from $port: is it the board's port .*make fpga-load" \
    env -u WL_LINK_TIMEOUT "$warplock" fpga --status --port "$port"
  took=$(($(ms) - begin))
  [ "$took" -le 3000 ] || fail "silent board told after $took ms"
  check "silent board, kernel" 6 "backend fpga: no answer from" \
    loop run --backend fpga --port "$port" --arg u32:5
  start_board "$@" --garbage
  check_line "wrong baud rate" 6 "only garbage comes from .*wrong baud rate \(this driver: 3000000\)" fpga --status
  for field in "protocol=9|protocol 9 .*this driver 1.*make fpga && make fpga-load" \
    "isa=0x1234|machine ISA: the board has 0000000000001234, this driver [0-9a-f]{16}: .make fpga && make fpga-load" \
    "layout=0x55|record layout: the board has 0000000000000055, this driver [0-9a-f]{16}: .make fpga" \
    "config=99|configuration number 99, this driver knows 0 to 3: .make fpga"; do
    start_board "$@" --hello "${field%%|*}"
    check_line "handshake ${field%%|*}" 6 "${field#*|}" fpga --status
  done
  start_board "$@"
  check_line "bitstream hash" 6 "the board has 000000000000b175, the last .make fpga. made 00000000000000aa: .make fpga-load" \
    env WL_BITSTREAM=aa "$warplock" fpga --status --port "$port"
  check "right bitstream hash" 0 "bitstream 000000000000b175" \
    env WL_BITSTREAM=b175 "$warplock" fpga --status --port "$port"
  check "other configuration" 6 "configuration tiny, base was asked for: --config tiny, or .make fpga CONFIG=base" \
    loop run --backend fpga --port "$port" --arg u32:5 --config base
  check "too much memory" 6 "1048576 bytes: the board has 131072" \
    loop run --backend fpga --port "$port" --arg u32:5 --mem 1048576
  check "odd memory" 6 "multiple of 1024" loop run --backend fpga --port "$port" --arg u32:5 --mem 65600
  check "less memory" 0 "equal" loop lockstep --backend fpga --port "$port" --arg u32:5 --mem 65536
  check "disturbance" 6 "no disturbance" loop run --backend fpga --port "$port" --arg u32:5 --disturb light
  check "full compare" 6 "leave --compare full out" \
    loop lockstep --backend fpga --port "$port" --arg u32:5 --compare full
  check "waves" 6 "no waves" loop run --backend fpga --port "$port" --arg u32:5 --trace "$dir/w.vcd"
  check "log alone" 6 "no log" loop run --backend fpga --port "$port" --arg u32:5 --log "$dir/log"
  check "log of the model" 0 "equal" \
    loop lockstep --backend fpga --port "$port" --arg u32:5 --log "$dir/log"
  grep -q "^[0-9]* ISSUE warp 0" "$dir/log" || fail "no records in the log"
  check "port without a board" 2 "without --backend fpga" loop run --port "$port" --arg u32:5
  check "lockstep of another backend" 2 "cannot be put beside the model" \
    loop run --backend model --lockstep --arg u32:5
  tty=$(readlink "$port")
  chmod 000 "$tty"
  as_other=
  [ "$(id -u)" != 0 ] || as_other="setpriv --reuid=65534 --regid=65534 --clear-groups"
  if [ -z "$as_other" ] || $as_other "$warplock" --version >/dev/null 2>&1; then
    check_line "no permission, nor its group" 6 "no permission for port $tty: its group .*sudo chmod 660" \
      $as_other "$warplock" fpga --status --port "$tty"
    chmod 060 "$tty"
    group=$(stat -c %G "$tty")
    if ! id -nG | tr ' ' '\n' | grep -qx "$group" || [ -n "$as_other" ]; then
      check_line "no permission" 6 "no permission for port $tty: it belongs to group $group; .sudo usermod -aG $group" \
        $as_other "$warplock" fpga --status --port "$tty"
    fi
  else
    echo "not tested: no permission (another user cannot run $warplock)"
  fi
  chmod 600 "$tty"
  fpga --selftest >"$dir/first" 2>&1 &
  first=$!
  sleep 0.5
  check_line "two drivers" 6 "port $port is busy: another program uses it" fpga --status
  wait "$first" || fail "the first of two drivers"
  check "nothing is left locked" 0 "configuration tiny" fpga --status
  ;;
stop)
  start_board "$@"
  for how in "run" "lockstep"; do
    loop "$how" --backend fpga --port "$port" --arg u32:100000000 >"$dir/out" 2>&1 &
    first=$!
    sleep 2
    begin=$(ms)
    kill -INT "$(pgrep -P "$first" 2>/dev/null || echo "$first")" 2>/dev/null
    wait "$first"
    code=$?
    [ "$code" = 5 ] && grep -q stopped "$dir/out" || fail "$how: Ctrl-C: exit $code"
    [ $(($(ms) - begin)) -lt 2000 ] || fail "$how: Ctrl-C took $(($(ms) - begin)) ms"
    check "$how: the port is free and the core stands" 0 "standing" fpga --status
  done
  loop run --backend fpga --port "$port" --arg u32:100000000 >"$dir/out" 2>&1 &
  first=$!
  sleep 1
  kill -KILL "$(pgrep -P "$first" 2>/dev/null || echo "$first")" 2>/dev/null
  wait "$first" 2>/dev/null
  check "behind a killed driver" 0 "equal" loop lockstep --backend fpga --port "$port" --arg u32:100
  ;;
faults)
  # fault NAME OPTION PATTERN...: every pattern matches a line of the report.
  fault() {
    name=$1
    start_board $board $2
    shift 2
    loop lockstep --backend fpga --port "$port" --arg "u32:${n:-200}" >"$dir/out" 2>&1
    code=$?
    [ "$code" = 3 ] || fail "$name: exit $code, expected 3"
    for pattern in "$@"; do
      grep -Eq -- "$pattern" "$dir/out" || fail "$name: no line matches '$pattern'"
    done
    trips=$(sed -n 's/^search \([0-9]*\) round trips.*/\1/p' "$dir/out")
    [ "${trips:-0}" -le 40 ] || fail "$name: $trips round trips"
    echo "ok: $name: $(head -1 "$dir/out" | cut -c1-120) (${trips:-no} round trips)"
  }
  board="$*"
  start_board $board --stuck 70000:0xffffffff
  check "self-test: a bit that sticks" 6 "memory, addresses: offset 0x11170 reads 00000000" \
    fpga --selftest
  check "a launch on such a board" 6 "board memory does not hold what was written at offset 0x11000" \
    loop run --backend fpga --port "$port" --arg u32:5
  start_board $board --alias 0x4000
  check "self-test: a missing address line" 6 "memory, addresses: offset 0x0 reads 40004000, 00000000 was written" \
    fpga --selftest
  # Cycles of records come from a log of the model alone, not from the driver under test.
  loop run --backend model --config tiny --mem 1048576 --arg u32:200 --log "$dir/model.log" >/dev/null
  nth() { grep -E "^[0-9]+ $1" "$dir/model.log" | sed -n "$2p" | cut -d' ' -f1; }
  rf=$(nth RF 700) issue=$(nth ISSUE 300) packet=$(nth PACKET 10) pred=$(nth PRED 400)
  fault "a register's bit flips" "--flip 3000:0:9:4:0x40" "DIVERGENCE at cycle 3000 .*sm0 warp0 rf\.r[0-9]+ lane " \
    "^xor    00000040" "changed outside the journalled ports"
  fault "a bit of shared memory that nobody reads flips" "--flip 4000:2:3:100:0x80000000" \
    "DIVERGENCE at cycle 4000 .*sm0 smem slice 3 row 100" "^xor    80000000" "shown  by the arrays at the end"
  fault "a predicate flips in the first cycle" "--flip 0:1:0:63:1" "DIVERGENCE at cycle 0 .*sm0 pred slice 0 row 63"
  fault "exchange buffer" "--flip 77:3:31:7:2" "DIVERGENCE at cycle 77 .*sm0 xbuf slice 31 row 7"
  fault "a wrong word is written to a register" "--wrong-write $rf:5:0x100" "DIVERGENCE at cycle $rf +sm0 warp0 rf\.r" \
    "^fpga   RF bank" "^word   data\[2\]: model .* xor 00000100" "^array  sm0 warp0 rf\.r[0-9]+ lane"
  fault "a record is missing" "--drop-record $issue:5" "DIVERGENCE at cycle $issue +sm0 warp0 ISSUE" \
    "^fpga   \(no such record\)"
  fault "a packet differs" "--flip-record $packet:12:8:1" "DIVERGENCE at cycle $packet +sm0 .*PACKET" \
    "^fpga   \(a board keeps no records"
  fault "a predicate's record differs" "--flip-record $pred:1:3:4" "DIVERGENCE at cycle $pred +sm0 warp0 pred"
  fault "device memory changes by itself" "--flip-memory 3000:65540:8" \
    "DIVERGENCE at the end: device memory at 0x100010004"
  fault "trap output" "--fake-trap 100" "DIVERGENCE at cycle [0-9]+: trap register"
  fault "a fault that does not come again" "--flip-record $issue:5:1:1 --once" "did not show again"
  n=24384 # a million cycles
  fault "one bit in a million cycles" "--flip 600000:0:0:6:1" "DIVERGENCE at cycle 600000 .*sm0 warp0 rf"
  ;;
*)
  echo "no test $what"
  exit 2
  ;;
esac
[ "$failures" = 0 ] || echo "$failures failures"
[ "$failures" = 0 ]
