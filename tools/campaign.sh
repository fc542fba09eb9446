#!/bin/bash
# Usage: tools/campaign.sh BUILD [PART...]
# Runs the tests labelled "campaign", all or those of the named parts (their other labels: kernels,
# oracle, words, random, faults, bugs), JOBS at a time. Passed ones are noted with their seconds in
# BUILD/campaign.passed and not run again, so that it can be stopped at any time; a changed program
# or test starts anew. Ends with the duration and "N passed, N failed, N skipped".
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd) || exit 2
shift
passed=$build/campaign.passed
todo=$build/campaign.todo
start=$SECONDS

# What the results depend on: the built programs, and the tests with their inputs.
state=$( { find "$build" -path "$build/tools" -prune -o -path '*/CMakeFiles' -prune -o \
  -type f -perm -u+x ! -name '*.sh' -print0 | sort -z | xargs -0 -r cat
  git -C "$root" rev-parse HEAD:tests; git -C "$root" diff HEAD -- tests; } 2>/dev/null |
  sha256sum | cut -d' ' -f1)
if [ "$(head -n 1 "$passed" 2>/dev/null)" != "$state" ]; then
  echo "$state" >"$passed"
fi

# Lines "NUMBER NAME" of ctest, of all parts or of one.
list() {
  ctest --test-dir "$build" -N -L '^campaign$' "$@" |
    sed -n 's/^ *Test *#\([0-9]*\): \(.*\)/\1 \2/p'
}
if [ $# -eq 0 ]; then
  tests=$(list)
else
  tests=$(for part in "$@"; do
    found=$(list -L "^$part\$")
    [ -n "$found" ] || echo "campaign: this build has no part '$part'" >&2
    printf '%s\n' "$found"
  done | sed '/^$/d' | sort -n -u)
fi
if [ -z "$tests" ]; then
  echo "campaign: this build has no test labelled campaign${*:+ in: $*}" >&2
  exit 1
fi
total=$(printf '%s\n' "$tests" | wc -l)
# Numbers of the tests that have not passed.
left() {
  printf '%s\n' "$tests" | awk 'NR == FNR { passed[$1] = 1; next } !($2 in passed) { print $1 }' "$passed" -
}
numbers=$(left | sed 's/^/,/' | tr -d '\n')
failed=0 skipped=0
if [ -n "$numbers" ]; then
  # ctest's form for single tests: start, end and stride, of which the empty ones name none.
  echo "0,0,0$numbers" >"$todo"
  while IFS= read -r line; do
    # "  3/12 Test  #7: name .....   Passed    1.23 sec", and "***Failed", "***Timeout", "***Skipped".
    if [[ $line =~ ^\ *[0-9]+/[0-9]+\ Test\ +\#[0-9]+:\ ([^ ]+)\ .*\ ([0-9.]+)\ sec ]]; then
      name=${BASH_REMATCH[1]} seconds=${BASH_REMATCH[2]}
      case $line in
        *'   Passed '*) grep -q "^$name " "$passed" || echo "$name $seconds" >>"$passed" ;;
        *'***Skipped'*) skipped=$((skipped + 1)) ;;
        *) failed=$((failed + 1)) ;;
      esac
    fi
    printf '%s\n' "$line"
  done < <(ctest --test-dir "$build" --output-on-failure -j "${JOBS:-1}" -I "$todo" 2>&1)
fi
ok=$((total - $(left | wc -l)))
awk 'NR > 1 { sum += $2 } END { printf "campaign: %.0f s of tests passed so far", sum }' "$passed"
echo ", $((SECONDS - start)) s this time"
echo "$ok of $total passed, $failed failed, $skipped skipped"
[ $((ok + skipped)) -eq "$total" ]
