#!/usr/bin/env bash
# Usage: foreign.sh WARPLOCK KERNEL_TOOL DIR: the Python core of examples/foreign-core runs kernels
# of the corpus, one thread after the other, machine code and PTX; its logs are compared, without and
# with planted bugs.
set -euo pipefail
warplock=$1 tool=$2 work=$3
root=$(cd "$(dirname "$0")/../.." && pwd)
kernels=$root/tests/kernels
core=(python3 "$root/examples/foreign-core/core.py")
ptx_core=(python3 "$root/examples/foreign-core/ptx_core.py")
level=machine max_regs=255 failed=0
# compare KERNEL CASE VARIANT EXIT TEXT [--bug B] [--follow-loads]
compare() {
  local kernel=$1 case=$2 ptx=$kernels/$1/$1.$3.ptx want=$4 text=$5 dir=$work/$1.$2 args rc=0
  shift 5
  local bug=() options=()
  if [ "${1:-}" = --bug ]; then bug=("$1" "$2"); shift 2; fi
  options=("$@")
  mkdir -p "$dir"
  "$tool" export "$kernel" "$case" "$dir" >/dev/null
  cd "$dir"
  args=$(awk -v c="$case" '/^case:/ { f = $2 == c; next } f && /^  --/ { print; exit }' \
    "$kernels/$kernel/manifest")
  args=${args%%--expect*}
  "$warplock" as "$ptx" --max-regs "$max_regs" -o k.wlo 2>err.txt
  # shellcheck disable=SC2086 # the manifest is a command line
  "$warplock" compare --start start.json k.wlo $args
  if [ "$level" = machine ]; then
    "${core[@]}" start.json log.jsonl "${bug[@]}"
  else
    "${ptx_core[@]}" start.json "$ptx" log.jsonl "${bug[@]}"
  fi
  # shellcheck disable=SC2086
  "$warplock" compare log.jsonl k.wlo $args "${options[@]}" >out.txt 2>err.txt || rc=$?
  if [ "$rc" != "$want" ] || ! grep -qF -- "$text" out.txt; then
    echo "FAIL $level $kernel $case ${bug[*]} ${options[*]}: exit code $rc, expected $want and '$text'"
    cat out.txt err.txt
    failed=$((failed + 1))
  else
    echo "ok   $level $kernel $case ${bug[*]} ${options[*]}"
  fi
}
line() { grep -nF -- "$2" "$kernels/$1" | head -1 | cut -d: -f1; }
for one in "saxpy n1003 nvcc" "params scalar nvcc" "params struct nvcc" "convert to_int83 nvcc" \
  "convert to_float83 nvcc" "int64 arith103 nvcc" "warp_ops shuffles96 nvcc" "warp_ops votes96 nvcc" \
  "warp_ops redux96 nvcc" "calls n39 nvcc" "stencil lookup203 nvcc" "progress both_arms64 nvcc" \
  "reduction sum1031 clang"; do
  # shellcheck disable=SC2086
  compare $one 0 "not compared: nothing"
done
compare histogram global1003 nvcc 3 "register R"
compare histogram global1003 nvcc 0 "returned values of atomics" --follow-loads
compare lane_lock spin32 nvcc 0 "loaded values" --follow-loads
compare warp_ops shuffles96 nvcc 0 "results of warp exchanges, once all" --follow-loads
compare warp_ops redux96 nvcc 0 "results of warp exchanges, once all" --follow-loads
compare warp_ops shuffles96 nvcc 3 "result of the exchange" --bug shfl --follow-loads
compare saxpy n1003 nvcc 3 "saxpy.nvcc.ptx:$(line saxpy/saxpy.nvcc.ptx fma.rn.f32)" --bug fma
compare saxpy n1003 nvcc 3 "saxpy.nvcc.ptx:$(line saxpy/saxpy.nvcc.ptx st.global.f32)" --bug store
compare saxpy n1003 nvcc 3 "guard: expected guarded off, the log has executes" --bug branch
compare warp_ops shuffles96 nvcc 3 "warp_ops.nvcc.ptx:$(line warp_ops/warp_ops.nvcc.ptx shfl.sync)" --bug shfl
level=ptx
for one in "saxpy n1003 nvcc" "vecadd n1003 hand" "params scalar clang" "int16 n203 nvcc" \
  "int64 divide67 clang" "bitonic n61 clang" "stencil lookup203 nvcc" "dynshared n101 nvcc"; do
  # shellcheck disable=SC2086
  compare $one 0 "PTX lines"
done
max_regs=24 # spills, and constants that are made anew
compare sgemm 17x9x5 nvcc 0 "PTX lines"
max_regs=255
compare histogram global1003 nvcc 3 "PTX register %r"
compare histogram global1003 nvcc 0 "returned values of atomics" --follow-loads
compare saxpy n1003 nvcc 3 "saxpy.nvcc.ptx:$(line saxpy/saxpy.nvcc.ptx fma.rn.f32)" --bug fma
compare saxpy n1003 nvcc 3 "PTX register %f4: expected" --bug fma
compare bitonic n61 nvcc 3 "PTX register %p" --bug setp
compare saxpy n1003 nvcc 3 "saxpy.nvcc.ptx:$(line saxpy/saxpy.nvcc.ptx st.global.f32)" --bug store
echo "$failed failed"
[ "$failed" -eq 0 ]
