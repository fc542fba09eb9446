#!/bin/sh
# Makes the committed PTX of the kernel corpus from the CUDA C sources; run by hand when a source
# changes, never by the build. Versions used: nvcc 13.0 (V13.0.88), clang 14.0.6.
#   make_ptx.sh [KERNEL...]        default: all; NVCC and CLANG name other compilers, NVCC=true or
#                                  CLANG=true leaves one out
# A kernel folder may hold `ptx_flags`: a shell fragment that sets NVCC_FLAGS, CLANG_FLAGS or
# NEWER="90 100" (also compile for sm_90 and sm_100), PLAIN=1 (only nvcc -O3, also for NEWER), or ONLY="90 100a" (only
# nvcc -O3 for sm_90 and for sm_100a, which becomes NAME.nvcc_sm100.ptx).
# Relative paths only, from within the folder, so that .file directives name no machine path.
set -eu
cd "$(dirname "$0")"
NVCC=${NVCC:-nvcc}
CLANG=${CLANG:-clang-14}
[ $# -gt 0 ] || set -- */*.cu

for kernel in "$@"; do
  kernel=${kernel%%/*}
  (
    cd "$kernel"
    NVCC_FLAGS= CLANG_FLAGS= NEWER= PLAIN= ONLY=
    # shellcheck disable=SC1091
    [ ! -f ptx_flags ] || . ./ptx_flags
    # -fmad=false, -ffp-contract=off: a fused operation is written as one in the source, so that
    # every compiler's PTX computes the same bits as the host.
    nvcc_all="-ptx -I../include -fmad=false $NVCC_FLAGS"
    for sm in $ONLY; do
      $NVCC $nvcc_all -arch=sm_$sm -O3 -o "$kernel.nvcc_sm${sm%a}.ptx" "$kernel.cu"
    done
    [ -z "$ONLY" ] || { echo "$kernel"; exit; }
    $NVCC $nvcc_all -arch=sm_80 -O3 -o "$kernel.nvcc.ptx" "$kernel.cu"
    for sm in $NEWER; do
      $NVCC $nvcc_all -arch=sm_$sm -O3 -o "$kernel.nvcc_sm$sm.ptx" "$kernel.cu"
    done
    [ -z "$PLAIN" ] || { echo "$kernel"; exit; }
    $NVCC $nvcc_all -arch=sm_80 -G -o "$kernel.nvcc_g.ptx" "$kernel.cu"
    $NVCC $nvcc_all -arch=sm_80 -O3 -lineinfo -o "$kernel.nvcc_lineinfo.ptx" "$kernel.cu"
    $CLANG -x cuda --cuda-device-only -nocudainc -nocudalib \
      --cuda-gpu-arch=sm_80 -Xclang -target-feature -Xclang +ptx75 -ffp-contract=off \
      -Wno-unknown-cuda-version -I../include $CLANG_FLAGS -O2 -S -o "$kernel.clang.ptx" "$kernel.cu"
    # nvcc makes paths absolute: .file keeps the file's name, and the debug information's folder
    # (bytes in decimal) becomes "." padded with slashes, as offsets count its length.
    here=$(pwd -P | tr -d '\n' | od -An -v -tu1 | tr -s ' \n' ',,' | sed 's/^,//; s/,$//')
    dots=46$(printf '%s' "$here" | sed 's/^[0-9]*//; s/,[0-9]*/,47/g')
    sed -i "s/^\.b8 $here\$/.b8 $dots/" "$kernel.nvcc_g.ptx"
    sed -i -e 's#"[^"]*/\([^/"]*\.\(cu\|h\|hpp\)\)"#"\1"#' -e 's#^\(\t\.file\t[0-9]* "\)/.*/#\1#' "$kernel".*.ptx
    echo "$kernel"
  )
done
