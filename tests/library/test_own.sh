#!/bin/bash
# A program with a model of its own that another Verilator has made, and libwarplock: the two run-time
# libraries have the same names. Linked in either order, as archives and as shared libraries; both run.
#   test_own.sh SOURCE BUILD CXX RTL VERSION     RTL: 1 where the RTL of tiny is built, else 0; VERSION:
# the Verilator of this build, empty: none. WL_OTHER_VERILATOR: another one; default: on the path.
set -euo pipefail
source=$1 build=$2 cxx=$3 rtl=$4 version=${5:-}
skip() {
  echo "SKIP: $*"
  exit 77
}
verilator=$(command -v "${WL_OTHER_VERILATOR:-verilator}") || skip "no second Verilator (apt install verilator)"
other=$("$verilator" --version | awk '{ print $2 }')
[ "$other" != "$version" ] || skip "the Verilator on the path is the one of this build (apt install verilator)"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
include=$("$verilator" --getenv VERILATOR_ROOT)/include
# Its own makefiles cannot build below a folder with a blank in its name.
cp "$source/tests/library/own/own.sv" .
"$verilator" --cc --prefix Vown --Mdir . own.sv >log 2>&1 || { cat log; exit 1; }
flags=(-std=c++17 -O1 -fPIC -w -DVERILATOR=1 -DVL_IGNORE_UNKNOWN_ARCH -I. -I"$include"
       -I"$include/vltstd" -I"$source/tests/library/own" -I"$source")
for file in Vown*.cpp "$source/tests/library/own/model.cpp" "$include/verilated.cpp" \
  "$include/verilated_threads.cpp"; do
  "$cxx" "${flags[@]}" -c "$file" -o "$(basename "$file" .cpp).own.o"
done
"$cxx" -x c -std=c11 -O1 -I"$source" -c "$source/tests/library/own/main.c" -o main.o
ar rc libown_archive.a ./*.own.o
# Of older Verilators the run-time library wants it from some compilers.
atomic=(-Wl,--as-needed -latomic)
"$cxx" -shared -o libown_shared.so ./*.own.o -pthread "${atomic[@]}"
backends=(func model)
[ "$rtl" != 1 ] || backends+=(rtl lockstep)

lib=$build/lib
failures=0
# both NAME LINK...: the program linked with this, and run
both() {
  local name=$1
  shift
  if ! "$cxx" -o program main.o "$@" -lm -pthread "${atomic[@]}" >out 2>&1 ||
    ! LD_LIBRARY_PATH="$dir:$lib" ./program "$source/examples/saxpy.ptx" "${backends[@]}" >out 2>&1 ||
    ! grep -q "^own model by $other .*, Warplock [0-9]" out; then
    echo "$name:"
    head -n 8 out
    failures=$((failures + 1))
  fi
}
for own in archive shared; do
  for warplock in warplock warplock_closed; do
    both "own ($own) first, $warplock" "-L$dir" "-L$lib" -lown_$own -l$warplock
    both "$warplock first, own ($own)" "-L$dir" "-L$lib" -l$warplock -lown_$own
  done
done
[ $failures -eq 0 ] && echo "two Verilators: $other and ${version:-none} in 8 programs: $(cat out)"
exit $failures
