#!/bin/bash
# Manual pages and completions say what --help says: the same commands, options and words of a value, in
# both directions.  test_manual.sh same|lint|zsh|fish WARPLOCK PAGES
# same: the texts, and bash's completion as bash calls it; the others need their program.
set -euo pipefail
mode=$1
warplock=$2
pages=$3
export LC_ALL=C
failures=0
tests=0
fail() {
  failures=$((failures + 1))
  echo "$*"
}
# need PROGRAM PACKAGE
need() {
  command -v "$1" >/dev/null || { echo "SKIP: no $1 (apt install $2)"; exit 77; }
}
# equal WHAT GOT EXPECTED: lists of lines, in any order.
equal() {
  tests=$((tests + 1))
  diff <(sort -u <<<"$2") <(sort -u <<<"$3") >diff.txt || fail "$1: got <, expected >"$'\n'"$(cat diff.txt)"
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

commands() { "$warplock" --help | sed -n 's/^  \([a-z][a-z-]*\)  *[a-z].*/\1/p'; }
# Lines of an option: it and what stands for its value.
helped() { "$warplock" "$1" --help | sed '/^Example:/,$d' | grep -oE '^  --?[a-z-]+( [^ ]+)?($| )' | sed 's/^  //; s/ *$//'; }
options() { helped "$1" | cut -d' ' -f1; }
# The same from the source of a page, whose option lines are \fB\-\-name\fR \fIVALUE\fR.
paged() { sed -n 's/\\-/-/g; s/^\\fB\(-[^\\]*\)\\fR\( \\fI\(.*\)\\fR\)\{0,1\}$/\1 \3/p' "$1" | sed 's/ *$//'; }
# complete WORD...: what bash offers for the last one.
complete_bash() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _warplock
  printf '%s\n' "${COMPREPLY[@]}"
}
# The words of a value: a|b, where they are small.
words() { tr '|' '\n' <<<"$1" | grep -xE '[a-z0-9]+' || true; }

same() {
  complete() { :; } # what registers the function; it is called here
  # shellcheck disable=SC1091
  . "$pages/warplock.bash"
  local all c option value
  all=$(commands)
  [ "$(wc -l <<<"$all")" -ge 8 ] || fail "commands: $all"
  equal "pages" "$(cd "$pages" && for f in warplock-*.1; do f=${f#warplock-}; echo "${f%.1}"; done)" "$all"
  equal "bash, commands" "$(complete_bash warplock '' | grep -v '^-')" "$all"
  equal "bash, part of a command" "$(complete_bash warplock lo)" lockstep
  equal "zsh, commands" "$(sed -n "s/^    '\([a-z-]*\):.*/\1/p" "$pages/_warplock")" "$all"
  equal "fish, commands" "$(sed -n 's/.*-f -a \([a-z-]*\) -d.*/\1/p' "$pages/warplock.fish")" "$all"
  equal "warplock.1, options" "$(paged "$pages/warplock.1")" "$(for c in $all; do helped "$c"; done)"
  for c in $all; do
    [ "$(options "$c" | wc -l)" -ge 3 ] || fail "options of $c: $(options "$c")"
    equal "page of $c" "$(paged "$pages/warplock-$c.1")" "$(helped "$c")"
    equal "bash, $c" "$(complete_bash warplock "$c" -)" "$(options "$c")"
    equal "zsh, $c" "$(sed -n "/^    $c)/,/ ;;\$/s/^ *'\*\(-[a-z-]*\)\[.*/\1/p" "$pages/_warplock")" "$(options "$c")"
    equal "fish, $c" "$(sed -n "s/.*_from $c' -l \([a-z-]*\).*/--\1/p; s/.*_from $c' -s \([a-z]\).*/-\1/p" "$pages/warplock.fish")" \
      "$(options "$c")"
    while read -r option value; do
      tests=$((tests + 1))
      if [ "$c" != faults ]; then # which is another program
        "$warplock" "$c" "$option" >out.txt 2>&1 || true
        ! grep -q "unknown option" out.txt || fail "$c --help has $option: $(cat out.txt)"
        [ -z "$value" ] || grep -qF "option $option needs a value: $option $value" out.txt ||
          fail "$c $option takes a value: $(head -n 1 out.txt)"
      fi
      [ -z "$(words "$value")" ] || equal "bash, $c $option" "$(complete_bash warplock "$c" "$option" '')" "$(words "$value")"
    done < <(helped "$c" | grep -v -e '^--help' -e '^--version')
    "$warplock" "$c" --help >help.txt
    for part in '^Usage: warplock '"$c" '^Exit codes:$' '^ *2  wrong usage' '^Example:$' "^  warplock $c"; do
      tests=$((tests + 1))
      grep -qE -- "$part" help.txt || fail "$c --help: no '$part'"
    done
    for option in $(sed '1,/^Example:/d' help.txt | grep -oE ' --?[a-z][a-z-]*' || true); do
      options "$c" | grep -qx -- "$option" || fail "the example of $c has $option"
    done
  done
  # Files: by ending for inputs, all of them behind an option or a colon.
  : >k.ptx && : >k.wlo && : >k.bin && mkdir sub
  equal "inputs of as" "$(complete_bash warplock as k)" k.ptx
  equal "inputs of run" "$(complete_bash warplock run '')" $'k.ptx\nk.wlo\nsub'
  equal "outputs" "$(complete_bash warplock run k.ptx --json k.)" $'k.ptx\nk.wlo\nk.bin'
  equal "in:" "$(complete_bash warplock run k.ptx --arg in :)" "$(ls)"
  equal "in:k.b" "$(complete_bash warplock run k.ptx --arg in : k.b)" k.bin
  equal "forms of an argument" "$(complete_bash warplock run k.ptx --arg i)" $'in:\ninout:'
}

lint() {
  need mandoc mandoc
  need groff groff-base
  for page in "$pages"/*.1; do
    tests=$((tests + 2))
    mandoc -T lint -W warning "$page" >out.txt 2>&1 || fail "mandoc: $(cat out.txt)"
    groff -man -ww -Tascii -P-cbou "$page" >text.txt 2>err.txt || fail "groff: $page"
    [ ! -s err.txt ] || fail "groff: $(cat err.txt)"
    grep -q '^EXIT STATUS' text.txt || fail "$page: no text"
  done
}

zsh_syntax() {
  need zsh zsh
  tests=$((tests + 1))
  zsh -n "$pages/_warplock" || fail "zsh: syntax"
}

fish_words() {
  need fish fish
  local c
  export HOME="$dir"
  offered() { fish --no-config -c "source '$pages/warplock.fish'; complete -C'$1'" | cut -f1; }
  equal "fish, commands" "$(offered 'warplock ')" "$(commands)"
  for c in $(commands); do
    equal "fish, $c" "$(offered "warplock $c --" | grep '^--')" "$(options "$c" | grep '^--')"
  done
  equal "fish, --disturb" "$(offered 'warplock run --disturb ')" $'none\nlight\nheavy'
}

case $mode in
same) same ;;
lint) lint ;;
zsh) zsh_syntax ;;
fish) fish_words ;;
esac
echo "$tests tests, $failures failures"
[ "$failures" -eq 0 ]
