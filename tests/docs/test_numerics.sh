#!/bin/bash
# docs/numerics.md: its commands are run and must print what the page says.
#   test_numerics.sh ROOT WARPLOCK [--write]      --write: the page gets the outputs as they are now
root=$1
warplock=$2
page=$root/docs/numerics.md
. "$root/tests/docs/page.sh"

PATH=$(dirname "$warplock"):$PATH
cd "$dir" || exit 1
run_page "$page" "$dir/new.md"
[ "$tests" -ge 1 ] || fail "no command was found"
same_page "$page" "$dir/new.md" "${3:-}"
# What the page says of its example.
grep -q '^  the cut bit 2^-23 of C changes the result: with it 0x3f800001 ' "$page" ||
  fail "the cut bit of D before is not told"
echo "$tests commands, $failures failures"
[ $failures -eq 0 ]
