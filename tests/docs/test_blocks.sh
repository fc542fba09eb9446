#!/bin/bash
# tests/docs/page.sh: which blocks a page may have. A block of another kind, or without one, must fail.
#   test_blocks.sh ROOT
. "$1/tests/docs/page.sh"
cd "$dir" || exit 1
said=0
fail() { said=$((said + 1)); } # a page of which one is expected

# expect SAID KINDS LINE...: a page of these lines fails (1) or does not (0), and is written as it is.
expect() {
  local want=$1 kinds=$2
  shift 2
  printf '%s\n' "$@" >page.md
  said=0
  # shellcheck disable=SC2086 # words
  run_page page.md new.md $kinds
  [ $((said != 0)) = "$want" ] && cmp page.md new.md && return
  failures=$((failures + 1))
  echo "kinds '$kinds': $said failures, expected $want:"
  cat page.md
}

expect 0 'ptx' 'Text.' '```console' '$ echo 1' '1' '```' '```ptx a.ptx' '    indented' '```'
expect 0 'ptx python text' '```text' '    a --> b' '```' '```python b.py' 'b' '```'
if [ "$(cat a.ptx b.py 2>&1)" != '    indented
b' ]; then
  failures=$((failures + 1))
  echo "a.ptx and b.py: $(cat a.ptx b.py 2>&1)"
fi
for kinds in ptx 'ptx python text'; do
  for block in '```' '```c d.c' '```ptx' '```ptx a b' '```console 1' '    indented'; do
    expect 1 "$kinds" "$block" 'line' '```'
  done
done
expect 1 ptx '```text' 'line' '```'
expect 1 ptx '```python b.py' 'line' '```'
expect 1 'python' '```ptx a.ptx' 'line' '```'
echo "$tests commands, $failures failures"
[ $failures -eq 0 ]
