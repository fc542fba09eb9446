#!/bin/bash
# Usage: tools/bench.sh BUILD
# Measures speed with the built program; writes BUILD/bench.json and prints the table.
set -euo pipefail
build=$1
if [ ! -x "$build/warplock" ]; then
  echo "bench: $build/warplock is not built; nothing to measure" >&2
  exit 1
fi
exec "$build/warplock" bench --json "$build/bench.json"
