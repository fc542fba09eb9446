#!/bin/bash
# Do the warps of a kernel come to matrix instructions in parts? Usage: test_late.sh WARPLOCK TOOL KERNEL CASE
# CONFIG... In the model's records of issues: a path of the whole warp executes the instruction; a path of fewer
# lanes arrives there and waits (docs/microarchitecture.md 5, 7.2).
set -euo pipefail
warplock=$1 tool=$2 kernel=$3 case=$4
shift 4
kernels=$(cd "$(dirname "$0")/../kernels" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
read -ra arguments < <("$tool" export "$kernel" "$case" "$scratch")
for config in "$@"; do
  for ptx in nvcc nvcc_g clang; do
    text=$kernels/$kernel/$kernel.$ptx.ptx
    "$warplock" as "$text" -o "$scratch/k.wlo"
    "$warplock" run "$text" "${arguments[@]}" --backend model --config "$config" --log "$scratch/log" >/dev/null
    for opcode in ldmatrix mma; do
      counts=$("$warplock" dis "$scratch/k.wlo" | awk -v opcode="^$opcode[.]" '
        FNR == NR { if ($2 ~ opcode) at[sprintf("%x", $1)] = 1; next }
        $2 == "ISSUE" && $6 in at { if ($8 == "ffffffff") whole++; else parts++ }
        END { print whole + 0, parts + 0 }' - "$scratch/log")
      read -r whole parts <<<"$counts"
      echo "$config $ptx $opcode: $whole by the whole warp, $parts arrivals of a part"
      if [ "$whole" -eq 0 ] || [ "$parts" -lt 8 ]; then
        echo "FAILED  the warp does not come in parts"
        failures=1
      fi
    done
  done
done
exit $failures
