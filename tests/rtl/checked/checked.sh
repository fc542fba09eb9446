#!/bin/bash
# Usage: checked.sh CONFIG CHECKED RUNNER
# Smoke kernels in lockstep with two seeds on CHECKED, the runner with the checked RTL, and one line
# that tells what the checks cost: cycles of the RTL in a processor second, in CHECKED and in RUNNER.
set -uo pipefail
config=$1 checked=$2 runner=$3
"$checked" --backend lockstep --config "$config" --ptx nvcc --seeds 2 \
  --kernel vecadd,reduction,bitonic,atomics,warp_ops,barriers,memory_order,calls,dynshared,sregs || exit 1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT=%U
# rate PROGRAM FILE: writes a line to FILE, "cycles seconds" of one run.
rate() {
  local seconds
  seconds=$({ time "$1" --backend rtl --config "$config" --ptx nvcc --kernel sgemm,stencil,convert \
    --seeds 2 --json "$work/runs.json" >"$work/log" 2>&1; } 2>&1) || { cat "$work/log"; return 1; }
  echo "$(sed -n 's/^ "cycles": \([0-9]*\),.*/\1/p' "$work/runs.json") $seconds" >"$2"
}
rate "$checked" "$work/with" && rate "$runner" "$work/without" || exit 1
awk -v config="$config" '
  { rate[FILENAME] = $1 / ($2 > 0 ? $2 : 0.01) }
  END { w = rate[ARGV[1]]; o = rate[ARGV[2]]
    printf "%s: %.0f cycles/s with assertions and random values, %.0f without: %.2f\n", config, w, o, w / o }
' "$work/with" "$work/without"
