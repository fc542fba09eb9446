#!/bin/bash
# Usage: tools/hosts.sh BUILD
# The C parts (no RTL) built by the other host compiler, warnings as errors, and what some labels' tests
# run under the address and undefined-behaviour sanitizers, with the tests of both. Builds lie in
# BUILD/clang and BUILD/sanitize. Exit 1 when a build or a test failed; a missing clang is said and counted.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
build=$(cd "$1" && pwd) || exit 2
jobs=${JOBS:-2}
failed=0 skipped=0

labels='unit isa ptx reject cli machine'
pattern="^(${labels// /|})\$"
only=() # targets; all if none

# host NAME CMAKE-ARGUMENT...
host() {
  local name=$1 dir=$build/$1
  shift
  echo "hosts: $name: building, log in $dir/host.log"
  mkdir -p "$dir"
  if ! { cmake -S "$root" -B "$dir" -DWL_SETUP_TOOLS=OFF "$@" &&
         cmake --build "$dir" -j "$jobs" ${only[@]+--target "${only[@]}"}; } >"$dir/host.log" 2>&1; then
    tail -n 30 "$dir/host.log"
    failed=$((failed + 1))
    return
  fi
  JOBS=$jobs "$root/tools/run_tests.sh" "$dir" -L "$pattern" -LE '^campaign$' >"$dir/tests.log" 2>&1 ||
    { failed=$((failed + 1)); grep -E 'Failed|FAILED|\*\*\*' "$dir/tests.log" | tail -n 20; }
  tail -n 1 "$dir/tests.log" | sed "s/^/hosts: $name: /"
}

clang=$(command -v clang || command -v clang-14)
if [ -n "$clang" ]; then
  host clang -DWL_WERROR=ON \
    -DCMAKE_C_COMPILER="$clang" -DCMAKE_CXX_COMPILER="$(command -v clang++ || command -v clang++-14)"
else
  echo "hosts: clang: skipped, there is no clang (Debian package clang-14)"
  skipped=$((skipped + 1))
fi
# Warnings stay warnings here: instrumentation makes gcc see jumps that are not there.
read -r -a only <<<"wl_docs wl_programs_${labels// / wl_programs_}"
host sanitize -DCMAKE_BUILD_TYPE=Debug -DWL_SANITIZE=ON
echo "hosts: $failed failed, $skipped skipped"
[ $failed -eq 0 ]
