#!/bin/bash
# docs/flows.md: each of its commands is run and must print what the page says; its programs must give what
# Python says, and the lockstep must have compared something.
#   test_flows.sh ROOT WARPLOCK [--write]      --write: the page gets the outputs as they are now
root=$1
warplock=$2
page=$root/docs/flows.md
. "$root/tests/docs/page.sh"

mkdir -p "$dir/tree/build"
ln -s "$warplock" "$dir/tree/build/warplock"
cd "$dir/tree" || exit 1
run_page "$page" "$dir/new.md" ptx python text
[ "$tests" -ge 9 ] || fail "only $tests commands were found"
same_page "$page" "$dir/new.md" "${3:-}"

# The comparison above holds for programs that do nothing; what the page is about:
[ "$(wc -c <d.bin)" = 2048 ] && cmp d.bin want.bin >&3 || fail "d.bin is not want.bin"
[ "$(od -An -tx1 want.bin | tr -d ' \n0' | wc -c)" -ge 1000 ] || fail "want.bin is empty"
[ "$(grep -c 'expectations met' "$page")" = 4 ] || fail "a program whose result is not looked at"
[ "$(grep -c '^checked: early.ptx:.* async-wait' "$page")" = 2 ] || fail "the missing wait is not found twice"
grep -q '^[0-9]* UMMA event 2 ' "$page" || fail "no record of a commit"
echo "$tests commands, $failures failures"
[ $failures -eq 0 ]
