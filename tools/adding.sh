#!/bin/bash
# Usage: tools/adding.sh BUILD [PATCH...]
# Shows that the samples of docs/ADDING.md work: the tree is copied, each patch (docs/adding/*.patch if
# none is named) applied with `git apply --3way`, one after the other, what they need is built for one
# configuration, and the tests of each run. The copy and its build are in BUILD/adding, and stay there:
# a second call builds only what changed. BUILD gives the Verilator.
# The head of a patch, lines before its first file, says what to do:
#   files: N          the patch touches at most N files
#   targets: NAME...  built, with warnings as errors
#   write: COMMAND    writes what programs write, before the tests; $BUILD is the build folder
#   tests: REGEX      run by ctest; none found is an error
#   run: COMMAND      run in the copy after the tests
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 1 ] || { sed -n 's/^# Usage/usage/p' "$0" >&2; exit 2; }
mkdir -p "$1"
outer=$(cd "$1" && pwd)
shift
patches=("$@")
[ $# -gt 0 ] || patches=("$root"/docs/adding/*.patch)
config=${WL_ADDING_CONFIG:-tiny}
copy=$outer/adding/tree
export BUILD=$outer/adding/build
log=$outer/adding/log.txt
jobs=${JOBS:-$(nproc)}

say() { printf 'adding: %s\n' "$*"; }
die() {
  say "FAILED: $*" >&2
  exit 1
}

# Runs quietly; on failure the end of the output.
quiet() {
  "$@" >"$log" 2>&1 || {
    tail -n 40 "$log" >&2
    die "$1 ${*: -1}"
  }
}

head_of() { sed -n '/^diff --git/q;s/^'"$2"': *//p' "$1"; }

# The tree as it is here, committed or not, as a repository with one commit. Files that are equal
# keep their time, so that only what differs is built again.
copy_tree() {
  local fresh=$outer/adding/fresh
  rm -rf "$fresh" "$copy/.git"
  mkdir -p "$fresh" "$copy"
  (cd "$root" && git ls-files -z | while IFS= read -r -d '' f; do
    if [ -e "$f" ]; then printf '%s\0' "$f"; fi
  done | tar -cf - --null -T -) | tar -xf - -C "$fresh"
  if [ -e "$copy/CMakeLists.txt" ]; then
    rsync_tree "$fresh" "$copy"
    rm -rf "$fresh"
  else
    rm -rf "$copy" && mv "$fresh" "$copy"
  fi
  git -C "$copy" init -q
  git -C "$copy" add -A
  git -C "$copy" -c user.name=sample -c user.email=sample@localhost commit -q -m 'the tree'
}

# Makes TO the same as FROM, and touches nothing that is the same.
rsync_tree() {
  (cd "$2" && find . -type f -print0) | while IFS= read -r -d '' f; do
    if [ ! -e "$1/$f" ]; then rm -f "$2/$f"; fi
  done
  (cd "$1" && find . \( -type f -o -type l \) -print0) | while IFS= read -r -d '' f; do
    cmp -s "$1/$f" "$2/$f" || { mkdir -p "$2/$(dirname "$f")" && cp -a "$1/$f" "$2/$f" && touch "$2/$f"; }
  done
}

configure() {
  mkdir -p "$BUILD/tools"
  if [ -f "$outer/tools/verilator.cmake" ]; then
    cmp -s "$outer/tools/verilator.cmake" "$BUILD/tools/verilator.cmake" ||
      cp "$outer/tools/verilator.cmake" "$BUILD/tools/"
  else
    quiet "$copy/tools/setup_tools.sh" "$BUILD" verilator
  fi
  quiet "$copy/tools/configure.sh" "$BUILD" -DWL_WERROR=ON "-DWL_RTL_CONFIGS=$config" -DWL_RTL_OPT=-O1
}

# Runs the commands of a kind in the copy; uses `patch` and `name`.
commands() {
  local command
  while IFS= read -r command; do
    (cd "$copy" && eval "$command") >"$log" 2>&1 || {
      tail -n 40 "$log" >&2
      die "$name: $command"
    }
    [ "$1" = write ] || say "$name: $command: $(tail -n 1 "$log")"
  done < <(head_of "$patch" "$1")
}

# Applies a patch to the copy, which then has it as a commit of its own.
apply() {
  local files bound
  name=$(basename "$patch" .patch)
  bound=$(head_of "$patch" files)
  [ -n "$bound$(head_of "$patch" targets)$(head_of "$patch" tests)" ] ||
    die "$name: its head names no files, targets, tests"
  say "$name: git apply --3way"
  git -C "$copy" apply --3way "$patch" >"$log" 2>&1 || {
    cat "$log" >&2
    die "$name: the patch does not apply: make it anew (docs/ADDING.md, \"The samples\")"
  }
  files=$(git -C "$copy" diff --cached --name-only | wc -l)
  [ "$files" -le "$bound" ] || die "$name: $files files by hand, at most $bound"
  say "$name: $files files by hand, $(git -C "$copy" diff --cached --numstat |
    awk '{ n += $1 } END { print n + 0 }') lines"
  git -C "$copy" -c user.name=sample -c user.email=sample@localhost commit -q -m "$name"
}

tests() {
  local count
  ctest --test-dir "$BUILD" -R "$(head_of "$patch" tests)" --no-tests=error --output-on-failure >"$log" 2>&1 || {
    tail -n 60 "$log" >&2
    die "$name: tests"
  }
  count=$(grep -c '   Passed ' "$log")
  say "$name: $count tests passed: $(sed -n 's/.*Test *#[0-9]*: \([^ ]*\) .*Passed.*/\1/p' "$log" | tr '\n' ' ')"
}

begin=$SECONDS
targets=
for patch in "${patches[@]}"; do
  [ -f "$patch" ] || die "no such patch: $patch"
done
copy_tree
for patch in "${patches[@]}"; do
  apply
  targets+=" $(head_of "$patch" targets)"
done
say "building for $config"
configure
quiet cmake "$BUILD"
# shellcheck disable=SC2086
quiet cmake --build "$BUILD" -j "$jobs" --target wl_docs $targets
for do in write tests run; do
  for patch in "${patches[@]}"; do
    name=$(basename "$patch" .patch)
    if [ $do = tests ]; then tests; else commands $do; fi
  done
done
say "${#patches[@]} samples applied, built and passed in $((SECONDS - begin)) s"
