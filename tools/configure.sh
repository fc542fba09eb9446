#!/bin/bash
# Usage: tools/configure.sh BUILD [cmake argument...]
# Runs cmake when the build tree is new or the arguments differ from last time, else does nothing.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$1
shift
mkdir -p "$build"
arguments=$(printf '%s\n' "$@")
if [ -f "$build/Makefile" ] || [ -f "$build/build.ninja" ]; then
  if [ -f "$build/configured.txt" ] && [ "$arguments" = "$(cat "$build/configured.txt")" ]; then
    exit 0
  fi
fi
cmake -S "$root" -B "$build" "$@"
printf '%s\n' "$arguments" >"$build/configured.txt"
