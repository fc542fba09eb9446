#!/bin/bash
# What the libraries show to others is what the public headers declare, and nothing else.
#   test_symbols.sh SOURCE GEN SHARED CLOSED VERSION
set -euo pipefail
source=$1 gen=$2 shared=$3 closed=$4 version=$5
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0
fail() {
  echo "$*"
  failures=$((failures + 1))
}
# declared FILE...: names of functions and variables
declared() {
  sed -e 's://.*::' "$@" | tr '\n' ' ' | sed -e 's:/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/: :g' |
    grep -oE '(extern [^;]*|\b(wl|void|bool|unsigned|int|uint64_t|uint8_t|size_t|const)[a-z0-9_]*( \*| )?)[^;{}()]*\bwl_[a-z0-9_]+(\(|\[\])' |
    grep -oE 'wl_[a-z0-9_]+(\(|\[\])$' | tr -d '([]' | sort -u
}
declared "$source"/driver/include/*.h \
  "$gen/warplock_layout.h" >"$dir/declared"
grep -o 'wl_sv_[a-z_]*' "$source/rtl/dpi/warplock_cosim_pkg.sv" | sort -u >>"$dir/declared"
sort -u -o "$dir/declared" "$dir/declared"
[ "$(wc -l <"$dir/declared")" -ge 80 ] || fail "only $(wc -l <"$dir/declared") declarations found"

# compare NAME FILE: symbols that are seen against the declared ones
compare() {
  if ! diff "$dir/declared" "$2" >"$dir/diff"; then
    fail "$1: declared (<) and visible (>) differ:"
    cat "$dir/diff"
  fi
}
nm -D --defined-only "$shared" | awk '{ print $3 }' | sort -u >"$dir/shared"
compare "shared library" "$dir/shared"
nm --extern-only --defined-only "$closed" | awk 'NF == 3 { print $3 }' | sort -u >"$dir/closed"
compare "closed archive" "$dir/closed"

if nm -D "$shared" | grep -q ' u '; then fail "a unique symbol, by which the library cannot be left"; fi
dynamic=$(readelf -dW "$shared")
soname=libwarplock.so.${version%.*}
grep -q "soname: \[$soname\]" <<<"$dynamic" || fail "its name is not $soname"
if grep -q TEXTREL <<<"$dynamic"; then fail "code that is not position-independent"; fi
grep -q SYMBOLIC <<<"$dynamic" || fail "its own calls are not bound (-Bsymbolic)"
[ $failures -eq 0 ] && echo "symbols: $(wc -l <"$dir/declared") names, each in the headers"
exit $failures
