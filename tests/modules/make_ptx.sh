#!/bin/sh
# Makes mixed.nvcc.ptx from mixed.cu; run by hand when the source changes, never by the build.
# Made with nvcc 13.0 (V13.0.88).
set -eu
cd "$(dirname "$0")"
${NVCC:-nvcc} -ptx -arch=sm_80 -O3 -o mixed.nvcc.ptx mixed.cu
