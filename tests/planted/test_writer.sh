#!/bin/bash
# The report of a divergence names the instruction whose destination differs, not what the warp issued
# last (docs/lockstep.md, "The report").  test_writer.sh WARPLOCK PLANTED WHAT...
# PLANTED is the program with bugs in one twin: each kernel below meets one of them in the line that is
# marked, behind which more instructions issue before the wrong write. The instruction's register and
# its line are read from the listing that WARPLOCK makes.
set -euo pipefail
warplock=$1
planted=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
head -c 2048 /dev/zero | tr '\0' '\377' >ones.bin
failures=0

# ptx LINE...: a kernel with these instructions; %r1: thread, %r3 to %r6: other values, %d1: buffer,
# loaded before them or, with load=after, behind them.
load=before
ptx() {
  local buffer=' ld.param.u64 %d1, [p]; shl.b32 %r2, %r1, 3; mul.wide.u32 %d2, %r2, 1; add.s64 %d1, %d1, %d2;'
  cat <<'END'
.version 9.0
.target sm_80
.address_size 64
.const .align 4 .b8 table[64] = {200, 201, 202, 203};
.visible .entry k(.param .u64 p) {
 .reg .b32 %r<30>; .reg .b64 %d<5>; .reg .pred %q<5>;
 mov.u32 %r1, %tid.x;
 or.b32 %r3, %r1, 0x80000000; mov.u32 %r4, 5; mov.u32 %r5, 6; mov.u32 %r6, 7;
 bar.sync 0;
END
  [ $load = after ] || echo "$buffer"
  printf ' %s\n' "$@"
  [ $load = before ] || echo "$buffer"
  # Everything is used, so that nothing is left out.
  cat <<'END'
 add.u32 %r20, %r20, %r21; add.u32 %r20, %r20, %r22; add.u32 %r20, %r20, %r23; add.u32 %r20, %r20, %r24;
 st.global.u32 [%d1], %r20;
 ret;
}
END
}
after=('add.u32 %r21, %r4, %r1;' 'add.u32 %r22, %r5, %r1;' 'add.u32 %r23, %r6, %r1;' 'xor.b32 %r24, %r4, %r1;')

fail() {
  failures=$((failures + 1))
  printf '%s\n' "$*"
  sed 's/^/    /' report.txt | head -8
}

# meet NAME KIND INSTRUCTION...: the first one is that whose destination differs, of kind r (register),
# p (predicate) or m (memory, of a store); those behind it use the result.
meet() {
  local name=$1 kind=$2 code=0 line insn register=none threads what place
  shift 2
  ptx "$1" "${after[@]}" "${@:2}" >k.ptx
  line=$(grep -nF -- "$1" k.ptx | head -n 1 | cut -d: -f1)
  "$warplock" as k.ptx -o k.wlo
  # Of the machine instructions of the line the last one: what stands before it prepares operands.
  insn=$("$warplock" dis --source k.wlo |
    sed -n "/^\/\/ k.ptx:$line:/,/^\/\/ k.ptx:$((line + 1)):/p" | grep -v '^//' | tail -n 1)
  if [ "$kind" = m ]; then
    what='in this slot, of warp' place='lsu PACKET slot'
  else
    register=$(grep -oE '\b[RP][0-9]+' <<<"$insn" | grep "^${kind^}" | head -n 1 | tr 'RP' 'rp')
    what="writer of $register of warp" place="warp[0-9]+ (rf|pred)\\.$register"
  fi
  for threads in 32 64; do
    code=0
    "$planted" lockstep k.ptx --config tiny --grid 1 --block "$threads" --arg in:ones.bin --rpx - \
      ${options[@]+"${options[@]}"} >report.txt 2>&1 || code=$?
    [ "$code" = 3 ] || { fail "$name: exit $code, expected a divergence"; continue; }
    grep -q "^source k.ptx:$line\$" report.txt || fail "$name: expected line $line: $1"
    grep -qE "^insn   $what [0-9]+: pc $(awk '{print $1}' <<<"$insn") " report.txt ||
      fail "$name: expected its instruction, listing: $insn"
    grep -qE "^warplock: error: DIVERGENCE at cycle [0-9]+  sm0 $place " report.txt ||
      fail "$name: expected $place in the first line"
  done
}

for what in "$@"; do
  options=()
  case $what in
  disturbed) options=(--disturb heavy --seed 9) what=fixed ;;
  esac
  case $what in
  fixed) meet "fixed latency" r 'min.u32 %r20, %r3, %r4;' ;;
  predicate) meet "predicate" p 'setp.lt.u32 %q1, %r3, %r4;' '@%q1 mov.u32 %r4, 9;' ;;
  slow) meet "slow unit" r 'popc.b32 %r20, %r3;' ;;
  load) meet "load" r 'ld.global.s8 %r20, [%d1];' ;;
  exchange) meet "exchange" r 'redux.sync.xor.b32 %r20, %r1, 0xffffffff;' ;;
  constant) meet "constant load" r 'ld.const.u8 %r20, [table+1];' ;;
  store) meet "store" m 'st.global.u16 [%d1+4], %r5;' ;;
  reverse) load=after; meet "slow unit" r 'brev.b32 %r20, %r3;' ;;
  *) echo "unknown: $what" >&2; exit 2 ;;
  esac
done
echo "$# kinds, $failures failures"
[ "$failures" -eq 0 ]
