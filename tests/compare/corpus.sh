#!/usr/bin/env bash
# Usage: corpus.sh WARPLOCK KERNEL_TOOL DIR [MODE]: the smoke cases of tests/kernels write their logs
# and are compared with themselves. MODE thread: each record is first taken apart into one record
# per thread; whole threads stand one behind the other unless loads are followed. MODE lines: a log of
# PTX level with lines, stores and atomics is made of it.
set -euo pipefail
warplock=$1 tool=$2 work=$3 mode=${4:-warp}
here=$(cd "$(dirname "$0")" && pwd)
kernels=$here/../kernels
mkdir -p "$work"
failed=0 passed=0
# %clock and the like, spinning and races: not comparable without following (docs/compare.md)
follow=" grid_barrier lane_lock lane_pipe progress atomics histogram memory_order "
for manifest in "$kernels"/*/manifest; do
  kernel=$(basename "$(dirname "$manifest")")
  ptx=
  for variant in hand nvcc_sm100 nvcc_sm90 clang nvcc; do
    [ ! -f "$kernels/$kernel/$kernel.$variant.ptx" ] || ptx=$kernels/$kernel/$kernel.$variant.ptx
  done
  while read -r case only args; do
    dir=$work/$kernel.$case
    text=$ptx # of a case that only some PTX files have: the first of them
    case ,$only, in ,ptx=*) text=$kernels/$kernel/$kernel.$(sed 's/ptx=//; s/,.*//' <<<"$only").ptx ;; esac
    # store clocks and active masks, which such a log does not have
    case $mode:$case in lines:2x3x2_5x3x3 | lines:votes96) continue ;; esac
    mkdir -p "$dir"
    "$tool" export "$kernel" "$case" "$dir" >/dev/null
    options=()
    case $follow in *" $kernel "*) options=(--follow-loads) ;; esac
    cd "$dir"
    # shellcheck disable=SC2086 # the manifest is a command line
    if ! "$warplock" run "$text" $args --effects log.jsonl >run.txt 2>&1; then
      echo "$kernel $case: run: $(tail -1 run.txt)"; failed=$((failed + 1)); continue
    fi
    block=${args#*--block }
    if [ "$mode" = lines ]; then
      # shellcheck disable=SC2086
      "$warplock" compare --start start.json "$text" ${args%%--expect*} 2>/dev/null
      "$warplock" info --registers "$text" >registers.txt 2>/dev/null
      python3 "$here/mutate.py" lines log.jsonl lines.jsonl "${block%% *}" start.json registers.txt
      mv lines.jsonl log.jsonl
    elif [ "$mode" != warp ]; then
      python3 "$here/mutate.py" "$([ ${#options[@]} = 0 ] && echo sort || echo threads)" \
        log.jsonl threads.jsonl "${block%% *}"
      mv threads.jsonl log.jsonl
    fi
    # shellcheck disable=SC2086
    if "$warplock" compare log.jsonl "$text" ${args%%--expect*} "${options[@]}" >out.txt 2>&1; then
      passed=$((passed + 1))
      echo "$kernel $case: $(sed -n 's/^compared: *//p' out.txt)"
    else
      echo "$kernel $case: $(cat out.txt)"; failed=$((failed + 1))
    fi
    rm -f log.jsonl
  done < <(awk '/^case:/ { name = $2; only = /ptx=/ ? $NF : "-"; smoke = / tier=smoke/; next }
               smoke && /^  --/ { print name, only, $0; smoke = 0 }' "$manifest")
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 25 ]
