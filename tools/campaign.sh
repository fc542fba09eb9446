#!/bin/bash
# Usage: tools/campaign.sh BUILD
# Runs the tests labelled "campaign" one by one. Passed ones are noted in BUILD/campaign.passed and
# not run again, so that it can be stopped at any time; a changed program, test or input starts
# anew. Ends with the duration and "N passed, N failed, N skipped".
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd) || exit 2
passed=$build/campaign.passed
start=$SECONDS

# What the results depend on: the built programs and the committed and uncommitted sources.
state=$( { find "$build" -type f -perm -u+x \( -name 'test_*' -o -name 'wl_*' -o -name warplock \) -print0 |
  sort -z | xargs -0 -r cat; git -C "$root" rev-parse HEAD; git -C "$root" diff HEAD; } 2>/dev/null |
  sha256sum | cut -d' ' -f1)
if [ "$(head -n 1 "$passed" 2>/dev/null)" != "$state" ]; then
  echo "$state" >"$passed"
fi

mapfile -t names < <(ctest --test-dir "$build" -N -L '^campaign$' |
  sed -n 's/^ *Test *#[0-9]*: //p')
if [ ${#names[@]} -eq 0 ]; then
  echo "campaign: this build has no test labelled campaign" >&2
  exit 1
fi
ok=0 failed=0 skipped=0 i=0
for name in "${names[@]}"; do
  i=$((i + 1))
  if grep -qxF "$name" "$passed"; then
    ok=$((ok + 1))
    continue
  fi
  printf '[%d/%d] %s ... ' "$i" "${#names[@]}" "$name"
  # Test names are file-like; only these characters mean something in a pattern.
  pattern=^$(printf '%s' "$name" | sed 's/[.+*?()|^$]/\\&/g')\$
  output=$(ctest --test-dir "$build" --output-on-failure -L '^campaign$' -R "$pattern" 2>&1)
  rc=$?
  if [ $rc -ne 0 ]; then
    echo failed
    printf '%s\n' "$output"
    failed=$((failed + 1))
  elif printf '%s' "$output" | grep -q '\*\*\*Skipped'; then
    echo skipped
    skipped=$((skipped + 1))
  else
    echo passed
    echo "$name" >>"$passed"
    ok=$((ok + 1))
  fi
done
echo "campaign: $((SECONDS - start)) s"
echo "$ok passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
