#!/bin/bash
# Usage: tools/bench.sh BUILD [OPTION...]
# Builds the program of the bench (with the RTL that is Verilated without the journal), measures,
# writes BUILD/bench.json and prints the table. Options go to `warplock bench`.
set -euo pipefail
build=$1
shift
if [ ! -x "$build/warplock" ]; then
  echo "bench: $build/warplock is not built; nothing to measure" >&2
  exit 1
fi
program=$build/warplock
if cmake --build "$build" --target warplock_bench -j "${JOBS:-2}"; then
  program=$build/warplock_bench
else
  echo "bench: no RTL without its journal here; measuring what warplock itself has" >&2
fi
exec "$program" bench --ptx-dir "$(dirname "$0")/../tests/kernels" --json "$build/bench.json" "$@"
