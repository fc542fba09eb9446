#!/bin/bash
# Usage: tools/demo.sh BUILD
# A real kernel: vecadd in CUDA C, compiled to PTX by nvcc, on both twins of the base configuration
# in lockstep, its result compared with one computed on the host.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
kernel=vecadd
size=n1003
ptx=$root/tests/kernels/$kernel/$kernel.nvcc.ptx
export_case=$build/tests/kernels/wl_kernel_tool

if [ ! -x "$build/warplock" ] || [ ! -x "$export_case" ]; then
  echo "demo: this build has no program warplock yet, so that no kernel can run; built so far:"
  find "$build" -maxdepth 3 -name '*.a' -printf 'demo:   %P\n' | sort
  exit 1
fi

files=$build/demo
rm -rf "$files"
mkdir -p "$files"
cd "$files"
# Exported into ".": names in the arguments then have no blank, whatever the checkout's path is.
arguments=$("$export_case" export "$kernel" "$size" .)
echo "demo: $kernel ($size), PTX made by nvcc from tests/kernels/$kernel/$kernel.cu"
echo "\$ warplock lockstep $kernel.nvcc.ptx --config base $arguments"
# shellcheck disable=SC2086
exec "$build/warplock" lockstep "$ptx" --config base $arguments
