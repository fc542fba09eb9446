#!/bin/bash
# docs/README.md: its three quick starts run as they stand there, each from an installed tree in a fresh
# folder, with nothing of the build on the path; and the page names every document, and only what is there.
#   test_quick_start.sh index ROOT
#   test_quick_start.sh core|board|sign-off ROOT BUILD [BOARD]
# BOARD: the program of a simulated board; `--link PATH` makes a link to its terminal.
set -euo pipefail
what=$1
root=$2
page=$root/docs/README.md
dir=$(mktemp -d)
board=
trap '[ -z "$board" ] || kill "$board" 2>/dev/null || true; rm -rf "$dir"' EXIT
fail() {
  printf '%s\n' "$*"
  exit 1
}

# block HEADING: the lines of its one block of commands.
block() {
  awk -v heading="## $1" '$0 == heading { on = 1; next } /^## / { on = 0 }
    on && /^```/ { inside = !inside && $0 == "```sh"; next } on && inside' "$page"
}

index() {
  local file headings
  # Each document stands in the table; each link leads somewhere.
  for file in "$root"/docs/*.md; do
    file=${file##*/}
    [ "$file" = README.md ] || grep -q "^| \[$file\]($file) | " "$page" || fail "$file is not in the index"
  done
  while read -r file; do
    [ -e "$root/docs/$file" ] || fail "the page names docs/$file"
  done < <(grep -oE '\]\([^)#]+' "$page" | cut -c3-)
  # Every block of commands is one of the three that run, and is short.
  headings=$(awk '/^## / { h = $0 } /^```sh$/ { print h }' "$page")
  [ "$headings" = "## I have my own core
## I have a ULX3S
## I must sign off an implementation" ] || fail "blocks: $headings"
  [ "$(grep -c '^```' "$page")" = 6 ] || fail "a block that is not run"
  while read -r file; do
    [ "$(block "${file#\#\# }" | wc -l)" -le 15 ] || fail "$file: more than 15 lines"
    [ "$(block "${file#\#\# }" | wc -l)" -ge 5 ] || fail "$file: no commands"
  done <<<"$headings"
  echo "index: $(ls "$root"/docs/*.md | wc -l) documents"
}

# run HEADING: as a stranger's shell would; its output in $dir/out.
run() {
  cmake --install "$build" --prefix "$dir/in stalled" >"$dir/log" 2>&1 || fail "$(cat "$dir/log")"
  mkdir "$dir/empty folder"
  block "$1" >"$dir/commands"
  (cd "$dir/empty folder" && env -i HOME="$dir" PATH="$dir/in stalled/bin:/usr/bin:/bin" \
    ${port:+WL_PORT="$port" WL_LINK_TIMEOUT=20000 WL_BITSTREAM=} bash -eux "$dir/commands") >"$dir/out" 2>&1 ||
    fail "$1: exit code $?:"$'\n'"$(cat "$dir/out")"
}
# says PATTERN [TIMES]
says() {
  local n
  n=$(grep -v '^+' "$dir/out" | grep -cE -- "$1" || true)
  [ "$n" = "${2:-1}" ] || fail "'$1' $n times:"$'\n'"$(cat "$dir/out")"
}

start_board() {
  port=$dir/port
  "$1" --link "$port" >"$dir/board.log" 2>&1 &
  board=$!
  for _ in $(seq 300); do
    [ ! -e "$port" ] || return 0
    sleep 0.1
  done
  fail "the board did not start: $(cat "$dir/board.log")"
}

build=${3:-}
port=
case $what in
index) index ;;
core)
  run 'I have my own core'
  says '^equal: saxpy on the log core.jsonl$'
  says '^exit code 3$'
  says 'saxpy.ptx:[0-9]+'
  ;;
board)
  start_board "$4"
  run 'I have a ULX3S'
  says '^self-test passed$'
  says '^1 of 1 expectations met$' 2
  says '^saxpy on fpga, ' 2
  says '^equal: signatures of every record of every cycle, '
  ;;
sign-off)
  run 'I must sign off an implementation'
  says '^1 of 1 expectations met$' 3
  says '^  "report": "equal: every record of every cycle, ' 3
  ;;
esac
echo "$what: passed"
