#!/bin/sh
# A project outside of the tree that uses the installed libwarplock in its three ways: the records of a
# model run, replayed as the core under test, in every cycle and untimed: equal runs, then one flipped
# bit, which the report must name; and a unit of its own in our RTL, right and with a planted bug.
#   test_outside.sh BUILD SOURCE RTL     RTL: 1 where the RTL of tiny is built, else 0, without a unit
build=$1
source=$2
rtl=$3
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
prefix="$dir/in stalled"
cmake --install "$build" --prefix "$prefix" >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
mkdir "$dir/user"
cp "$source/tests/cosim/outside/CMakeLists.txt" "$source/tests/cosim/outside/replay.c" \
  "$source/examples/saxpy.ptx" "$source/examples/saxpy.c" "$source/examples/own-unit/coalescer.sv" "$dir/user"
cd "$dir/user" || exit 1
cmake -S . -B b "-DCMAKE_PREFIX_PATH=$prefix" >log 2>&1 && cmake --build b >>log 2>&1 ||
  { cat log; exit 1; }

. "$source/tests/cosim/saxpy_log.sh"
program=$prefix/bin/warplock
record none
record heavy

failures=0
# want NAME EXIT PATTERN ARGUMENT...: exit status and an extended pattern of the first line or text
want() {
  name=$1 status=$2 pattern=$3
  shift 3
  got=$(b/replay saxpy.ptx "$@" 2>&1)
  rc=$?
  if [ $rc -ne "$status" ] || ! printf '%s\n' "$got" | grep -Eq "$pattern"; then
    echo "$name: exit $rc, expected $status and '$pattern'; got:"
    printf '%s\n' "$got" | head -12
    failures=$((failures + 1))
  fi
}
want "cycle" 0 '^equal: every record of every cycle.* RF [0-9]+' none.log cycle 3
want "untimed, same timing" 0 '^equal by effect' none.log untimed 3
want "untimed, other timing" 0 '^equal by effect.* stored bytes 400' heavy.log untimed 3
want "cycle, other timing" 3 '^DIVERGENCE at cycle' heavy.log cycle 3
want "other seed" 3 '^DIVERGENCE' none.log cycle 4

set -- $(nth none RF 30)
want "register, cycle" 3 "^DIVERGENCE at cycle $1  sm0 warp[0-7] rf\.r[0-9]+ " none.log cycle 3 RF 30 4 7
want "register, cycle: words" 3 "^word   data\[1\]: model [0-9a-f]+  replay [0-9a-f]+  xor 00000080" \
  none.log cycle 3 RF 30 4 7
want "register, untimed" 3 "^DIVERGENCE at cycle $1 \(untimed\)  sm0 warp[0-7] rf\.r[0-9]+ lane [0-9]+ " \
  none.log untimed 3 RF 30 4 7
set -- $(nth heavy ISSUE 40)
want "issue, untimed" 3 "^DIVERGENCE at cycle $1 \(untimed\)  sm0 warp$2 issue lane 3 " \
  heavy.log untimed 3 ISSUE 40 3 3
set -- $(nth none ISSUE 40)
want "issue, cycle" 3 "^DIVERGENCE at cycle $1  sm0 warp$2 ISSUE" none.log cycle 3 ISSUE 40 3 3

# build OPTION...: the project configured again and built
build() {
  cmake -S . -B b "$@" >log 2>&1 && cmake --build b >>log 2>&1
}
# refuse PATTERN OPTION...: what warplock_core() says
refuse() {
  pattern=$1
  shift
  if build "$@" || ! tr -s '\n ' ' ' <log | grep -Eq "$pattern"; then
    echo "refused with '$pattern' expected; got:"
    tail -n 12 log
    failures=$((failures + 1))
  fi
}
if [ "$rtl" = 1 ]; then
  refuse 'no file .*/none.sv' -DOWN_UNIT=none.sv
  printf '#!/bin/sh\necho Verilator 4.0\n' >old
  chmod +x old
  refuse "old is .Verilator 4.0.; libwarplock holds the run-time library of Verilator 5" \
    -DOWN_UNIT=coalescer.sv "-DWARPLOCK_VERILATOR=$PWD/old"
  # saxpy.c wants 1003 right results; a divergence ends it with the report.
  build -DOWN_UNIT=coalescer.sv -UWARPLOCK_VERILATOR || { tail -n 30 log; exit 1; }
  b/saxpy saxpy.ptx lockstep tiny >out 2>&1
  if ! grep -q '^saxpy: 1003 of 1003 right' out; then
    echo "own unit:"
    head -n 12 out
    failures=$((failures + 1))
  fi
  sed -i "s/served_q <= served_o;/served_q <= served_o \& 2'h1;/" coalescer.sv
  build || { tail -n 30 log; exit 1; }
  if b/saxpy saxpy.ptx lockstep tiny >out 2>&1 ||
    ! grep -Eq 'DIVERGENCE at cycle [0-9]+  sm0 lsu PACKET slot [0-9]+ lanes [0-9a-f]+' out; then
    echo "own unit with a bug:"
    head -n 12 out
    failures=$((failures + 1))
  fi
else
  echo "outside: no RTL here (Verilator), so without a unit of its own"
fi
[ $failures -eq 0 ] && echo "outside: an installed project compares, equal and not"
exit $failures
