#!/bin/bash
# docs/architecture.md: each line is marked today or planned, and the words are held against the tree and
# the program: what is there today exists, what is planned does not.  test_architecture.sh ROOT [WARPLOCK]
set -euo pipefail
root=$1
warplock=${2:-}
page=$root/docs/architecture.md
failures=0
tests=0
fail() {
  failures=$((failures + 1))
  echo "$*"
}
# agrees MARK WHAT COMMAND...: the command says whether the thing is there.
agrees() {
  local mark=$1 what=$2
  shift 2
  tests=$((tests + 1))
  if "$@"; then
    [ "$mark" = today ] || fail "$what is called planned and is there"
  else
    [ "$mark" = planned ] || fail "$what is called today's and is not there"
  fi
}
target() { grep -q "^$1:" "$root/Makefile"; }
command_of() { "$warplock" --help | grep -qE "^  $1 +[a-z]"; }
helps=$([ -z "$warplock" ] || for c in $("$warplock" --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p'); do "$warplock" "$c" --help; done)
option() { grep -qE -- "^  $1( |\$)" <<<"$helps"; }

inside=
first=yes
while IFS= read -r line; do
  case $line in
  '```')
    if [ -n "$inside" ]; then inside=; else inside=yes; fi
    continue
    ;;
  '' | '#'*) continue ;;
  esac
  if [ -n "$inside" ]; then
    read -r mark rest <<<"$line"
    case $mark in today | planned) ;; *) fail "no mark: $line"; continue ;; esac
    for word in $rest; do # the things that the line names come first
      case $word in
      */ | *.md | *.sv | *.txt | *.json | Makefile | LICENSE) agrees "$mark" "$word" test -e "$root/$word" ;;
      signoff) agrees "$mark" "make $word" target "$word"; break ;;
      *) break ;;
      esac
    done
    continue
  fi
  mark=$(sed -n 's/^- \*\*\(today\|planned\)\*\* .*/\1/p' <<<"$line")
  if [ -z "$mark" ]; then
    [ -n "$first" ] || fail "no mark: ${line:0:100}"
    first= # the paragraph that explains the marks
    continue
  fi
  [ -n "$warplock" ] || continue
  while read -r word; do
    agrees "$mark" "warplock $word" command_of "$word"
  done < <(grep -oE '`warplock [a-z-]+' <<<"$line" | cut -d' ' -f2 | sort -u)
  while read -r word; do
    agrees "$mark" "option $word" option "$word"
  done < <(grep -oE '`--?[a-zA-Z][a-z-]*' <<<"$line" | tr -d '`' | grep -vx -e '--cc' | sort -u)
  while read -r word; do # files of the tree
    agrees "$mark" "$word" test -e "$root/$word"
  done < <(grep -oE '`(tests|docs|driver|isa|cmodel|rtl)/[a-z_./]+`' <<<"$line" | tr -d '`' | sort -u)
done <"$page"
[ "$tests" -ge 40 ] || fail "only $tests things were looked at"
echo "$tests things, $failures failures"
[ "$failures" -eq 0 ]
