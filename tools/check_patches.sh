#!/bin/bash
# Usage: tools/check_patches.sh [WLGEN]
# Checks that the patches of the tree fit the text as it is, in seconds, without a build:
#   docs/adding/*.patch          apply; WLGEN, if given, reads the tables with them: ids and columns fit
#   tests/bugs/patches/*.patch   apply; each is a row of bugs.txt or named in README.md; each row has one
#   tests/formal/UNIT/bug_*.patch  apply, change sources of UNIT.sby only, and name jobs of it
# One line for each patch that does not fit; exit 1 then. How to make them anew: docs/ADDING.md, "The
# samples"; tests/bugs/README.md; docs/formal.md, "A new job".
set -uo pipefail
shopt -s nullglob
wlgen=''
[ $# -eq 0 ] || wlgen=$(realpath "$1") || exit 2
cd "$(dirname "$0")/.." || exit 2
command -v git >/dev/null || { echo 'SKIP: no git'; exit 77; }
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
# No repository further up: paths are those of this tree.
GIT_CEILING_DIRECTORIES=$(dirname "$PWD"):$(dirname "$scratch")
export GIT_CEILING_DIRECTORIES
checked=0 failed=0

bad() { # PATCH WHAT...
  echo "patches: $1: ${*:2}" >&2
  failed=$((failed + 1))
}

applies() { # PATCH
  checked=$((checked + 1))
  git apply --check "$1" 2>"$scratch/error" && return
  bad "$1" "$(sed -n '1s/^error: //p' "$scratch/error")"
  return 1
}

# The tables as a sample leaves them.
sample_tables() { # PATCH
  rm -rf "$scratch/isa"
  mkdir -p "$scratch/isa"
  cp -r isa/def "$scratch/isa/def"
  (cd "$scratch" && git apply --include='isa/def/*' "$OLDPWD/$1") || { bad "$1" 'isa/def'; return; }
  "$wlgen" --def "$scratch/isa/def" >"$scratch/error" 2>&1 ||
    bad "$1" "$(sed "1s|^$scratch/||;q" "$scratch/error")"
}

for patch in docs/adding/*.patch; do
  applies "$patch" && [ -n "$wlgen" ] && sample_tables "$patch"
done

rows=" $(awk -F'[ |]' '!/^#/ && NF { print $1 }' tests/bugs/bugs.txt | tr '\n' ' ') "
for patch in tests/bugs/patches/*.patch; do
  applies "$patch"
  name=$(basename "$patch" .patch)
  [[ $rows == *" $name "* ]] || grep -qF "\`$name\`" tests/bugs/README.md || bad "$patch" 'no row of bugs.txt'
done
for name in $rows; do
  [ -f "tests/bugs/patches/$name.patch" ] || bad tests/bugs/bugs.txt "$name has no patch"
done

for patch in tests/formal/*/bug_*.patch; do
  applies "$patch"
  folder=$(dirname "$patch")
  unit=$(basename "$folder")
  sources=" $(sed -n 's/^#files //p' "$folder/$unit.sby" | tr '\n' ' ') "
  for file in $(sed -n 's|^+++ b/\([^[:space:]]*\).*|\1|p' "$patch"); do
    [[ $sources == *" $file "* || $file == "$folder"/*.sv ]] || bad "$patch" "$unit.sby has no $file"
  done
  jobs=$(sed -n '/^---/q; s/^job: *//p' "$patch")
  [ -n "$jobs" ] || bad "$patch" 'names no job'
  for job in $jobs; do
    grep -qE "^#(job|open) $job " "$folder/$unit.sby" || bad "$patch" "$unit.sby has no job $job"
  done
done

[ $checked -gt 0 ] || bad . 'no patch was found'
[ $failed -eq 0 ] || exit 1
echo "patches: $checked fit"
