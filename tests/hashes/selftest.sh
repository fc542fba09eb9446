#!/bin/bash
# Usage: selftest.sh CYCLE WORD
# What tools/record_hashes.sh says of two programs whose model was changed on purpose, CYCLE by one cycle
# and WORD by one bit of the RESPONSE records, and of tables that were edited.
set -uo pipefail
tool=$(cd "$(dirname "$0")/../.." && pwd)/tools/record_hashes.sh
table=$(dirname "$0")/records.txt
cycle=$1 word=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect NAME RC PATTERN ARGUMENT...: exit status and an extended expression in the output.
expect() {
  local name=$1 rc=$2 pattern=$3 out got
  shift 3
  out=$("$tool" "$work/a build" "$@" 2>&1)
  got=$?
  if [ "$got" -ne "$rc" ] || ! grep -qE -- "$pattern" <<<"$out"; then
    printf '%s: got exit %d, expected %d with "%s"; output:\n%s\n' "$name" "$got" "$rc" "$pattern" "$out"
    failures=$((failures + 1))
  fi
}
# edit NAME EXPRESSION: the committed table, changed by awk; must differ.
edit() {
  awk "$2 { print }" "$table" >"$work/$1"
  if cmp -s "$work/$1" "$table"; then
    echo "$1: the edit changed nothing"
    failures=$((failures + 1))
  fi
}

planted=(--kernel atomics,vecadd --config "tiny,base")
expect cycle 1 '^atomics [a-z0-9_]+ nvcc tiny seed 1 none: cycles [0-9]+ -> [0-9]+' \
  "${planted[@]}" --program "$cycle"
expect cycle_not_layout 1 ' number or cycles in ' \
  "${planted[@]}" --program "$cycle" --may-change FETCH,PACKET,RESPONSE
expect cycle_other_config 1 '^  configurations: tiny [0-9]+ base [0-9]+$' \
  "${planted[@]}" --program "$cycle" --may-change-config base
expect cycle_table 0 '^\| base \| atomics \| [0-9]+ \| [0-9]+ \| [+-][0-9.]+ % \|$' \
  "${planted[@]}" --program "$cycle" --may-change-config tiny,base --cycles
expect word 1 '^vecadd [a-z0-9_]+ nvcc tiny seed 1 none: RESPONSE words$' \
  "${planted[@]}" --program "$word"
expect word_allowed 0 '^  kinds \(in how many lines\): RESPONSE: only words in [0-9]+$' \
  "${planted[@]}" --program "$word" --may-change FETCH,PACKET,RESPONSE
expect word_not_allowed 1 ' in what may not change$' \
  "${planted[@]}" --program "$word" --may-change FETCH

expect same 0 'lines, 0 differ$' --new "$table"
edit memory '$4 == "base" && $10 == "exact" && !done { $11 = "0123456789abcdef"; done = 1 }'
expect memory 1 ': exact memory [0-9a-f]+ -> 0123456789abcdef$' --new "$work/memory" --may-change-config base
edit checker '$4 == "base" && $10 == "checker" && $7 == "passed" && !done { $11 = "0123456789abcdef"; done = 1 }'
expect checker 0 'beside records: memory 1$' --new "$work/checker" --may-change-config base
edit number '$4 == "base" && !done { sub(/ RF:[0-9]+/, " RF:7"); done = 1 }'
expect number 1 ' RF [0-9]+ -> 7 records$' --new "$work/number" --may-change RF
edit gone '$4 == "full" && !done { done = 1; next }'
sed 's/ XBUF:[^ ]*//' "$table" >"$work/no_xbuf"
expect new_kind 0 'XBUF: number or cycles' --new "$table" --compare "$work/no_xbuf" --may-change XBUF
expect new_kind_untold 1 'XBUF: number or cycles' --new "$table" --compare "$work/no_xbuf" --may-change RF
expect gone 1 ': the line is gone$' --new "$work/gone" --may-change-config full
expect added 1 ': the line is new$' --new "$table" --compare "$work/gone"
edit twice 'NR == 3 { print }'
expect twice 2 'is there twice' --new "$work/twice"
edit outcome '$4 == "base" && !done { $7 = "refused"; done = 1 }'
expect outcome 1 ': outcome passed -> refused$' --new "$work/outcome"
expect no_kind 2 'no kind FETCHED' --new "$table" --may-change FETCHED
expect no_config 2 'no line has the configuration huge' --new "$table" --may-change-config huge
expect no_kernel 2 'no line is left' --new "$table" --kernel nothing
expect part_written 2 'needs the whole table' --write --kernel vecadd
expect option 2 'unknown option' --wirte
[ "$failures" -eq 0 ]
