#!/bin/bash
# libwarplock_dpi.so of a build: what it needs and shows; and installed, it compares: a recorded run is
# equal, and one with a wrong bit is not. With `alone` as `make dpi` builds it, too: where Verilator, pip and
# the network are not, in a folder with a blank in its name.
#   test_dpi.sh SOURCE WARPLOCK CC BUILT BUILD|alone     BUILT: the library of BUILD
set -euo pipefail
source=$1 program=$2 cc=$3 built=$4 build=$5
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0
fail() {
  echo "$*"
  failures=$((failures + 1))
}
how=built
make_dpi() {
  local name alone=()
  # Whoever calls one of these is seen.
  mkdir "$dir/path"
  for name in verilator verilator_bin pip pip3 curl wget; do
    printf '#!/bin/sh\necho %s >>"%s/called"\nexit 1\n' "$name" "$dir" >"$dir/path/$name"
    chmod +x "$dir/path/$name"
  done
  if unshare -rn true 2>/dev/null; then alone=(unshare -rn); fi
  if ! env -u MAKEFLAGS -u MAKELEVEL -u WL_VERILATOR PATH="$dir/path:$PATH" CC="$cc" "${alone[@]}" \
    make -C "$source" dpi BUILD="$dir/b uild" WERROR=1 >"$dir/log" 2>&1; then
    tail -n 30 "$dir/log"
    exit 1
  fi
  [ ! -e "$dir/called" ] || fail "make dpi calls $(sort -u "$dir/called" | tr '\n' ' ')"
  how="built alone (${alone[*]:-with the network})"
  build="$dir/b uild/dpi"
}
[ "$build" != alone ] || make_dpi

# symbols LIBRARY: C only, nothing of Verilator, no function of a simulator, all that the package imports
symbols() {
  local needed name
  [ -f "$1" ] || { fail "no file $1"; return; }
  needed=$(objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }' |
    grep -vE '^(libc|libm|libpthread|ld-linux-x86-64)\.so\.[0-9]+$' || true)
  [ -z "$needed" ] || fail "$1 needs $needed"
  name=$(nm -D --undefined-only "$1" | awk '{ print $NF }' | grep -E '^(sv|vpi|acc|tf)[A-Z_]|^_Z|^__cxa_[^f]' || true)
  [ -z "$name" ] || fail "$1 wants $name"
  name=$(nm "$1" | awk '{ print $NF }' | grep -iE 'verilat|Vgpu_top|^_Z' || true)
  [ -z "$name" ] || fail "$1 holds $(head -n 3 <<<"$name")"
  nm -D --defined-only "$1" | awk '{ print $3 }' | sort >"$dir/shown"
  name=$(grep -v '^wl_' "$dir/shown" || true)
  [ -z "$name" ] || fail "$1 shows $name"
  grep -o 'wl_sv_[a-z_]*' "$source/rtl/dpi/warplock_cosim_pkg.sv" | sort -u >"$dir/imports"
  [ "$(wc -l <"$dir/imports")" -ge 18 ] || fail "only $(wc -l <"$dir/imports") imports"
  name=$(comm -23 "$dir/imports" "$dir/shown")
  [ -z "$name" ] || fail "$1 has no $name"
}
symbols "$built"
[ "$how" = built ] || symbols "$build/lib/libwarplock_dpi.so"

prefix="$dir/in stalled"
cmake --install "$build" --component dpi --prefix "$prefix" >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
[ -s "$prefix/share/warplock/dpi/warplock_cosim_pkg.sv" ] || fail "no package is installed"
lib=$(dirname "$(find "$prefix" -name libwarplock_dpi.so)")
mkdir "$dir/user"
cd "$dir/user"
cp "$source/tests/cosim/outside/replay.c" "$source/examples/saxpy.ptx" .
"$cc" -std=c11 -Wall -Wextra -Werror "-I$prefix/include" -o replay replay.c "-L$lib" -lwarplock_dpi "-Wl,-rpath,$lib"
. "$source/tests/cosim/saxpy_log.sh"
record none
record heavy
# want EXIT PATTERN ARGUMENT...
want() {
  local status=$1 pattern=$2 rc=0
  shift 2
  ./replay saxpy.ptx "$@" >out 2>&1 || rc=$?
  if [ $rc -ne "$status" ] || ! grep -Eq "$pattern" out; then
    fail "replay $*: exit $rc, expected $status and '$pattern': $(head -n 3 out)"
  fi
}
want 0 '^equal: every record of every cycle.* RF [0-9]+' none.log cycle 3
want 0 '^equal by effect' heavy.log untimed 3
set -- $(nth none RF 30)
want 3 "^DIVERGENCE at cycle $1  sm0 warp[0-7] rf\.r[0-9]+ " none.log cycle 3 RF 30 4 7
# The command of docs/cosim.md for Verilator, where one is on the path that has it (>= 5).
simulated="no Verilator on the path"
if verilator --help 2>/dev/null | grep -q -e '--binary'; then
  D=$prefix/share/warplock/dpi
  ln -s "$D" sv && ln -s "$lib" lib # its makefiles cannot build with a blank in a name
  verilator --binary --top-module tb sv/wl_pkg.sv sv/config_tiny_pkg.sv sv/warplock_cosim_pkg.sv \
    "$source/tests/library/own/tb.sv" "$PWD/lib/libwarplock_dpi.so" -LDFLAGS "-Wl,-rpath,$PWD/lib" >log 2>&1 ||
    { tail -n 20 log; exit 1; }
  simulated="in $(verilator --version)"
  ./obj_dir/Vtb >out 2>&1 || true
  grep -q "^create '', step 0$" out || fail "$simulated: $(head -n 3 out)"
fi
[ $failures -eq 0 ] && echo "libwarplock_dpi: $how, C only, compares; $simulated"
exit $failures
