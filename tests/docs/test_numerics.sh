#!/bin/bash
# docs/numerics.md: its commands are run and must print what the page says.
#   test_numerics.sh ROOT WARPLOCK [--write]      --write: the page gets the outputs as they are now
root=$1
warplock=$2
page=$root/docs/numerics.md
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failures=0
tests=0
fail() {
  failures=$((failures + 1))
  echo "$*" >&3
}
exec 3>&1
. "$root/tests/docs/page.sh"

PATH=$(dirname "$warplock"):$PATH
cd "$dir" || exit 1
run_page "$page" "$dir/new.md"
[ "$tests" -ge 1 ] || fail "no command was found"
[ "${3:-}" = --write ] && [ $failures -eq 0 ] && cp "$dir/new.md" "$page"
diff "$page" "$dir/new.md" >"$dir/diff" || fail "the page (<) and what its commands print (>):
$(cat "$dir/diff")"
# What the page says of its example.
grep -q '^  the cut bit 2^-23 of C changes the result: with it 0x3f800001 ' "$page" ||
  fail "the cut bit of D before is not told"
echo "$tests commands, $failures failures"
[ $failures -eq 0 ]
