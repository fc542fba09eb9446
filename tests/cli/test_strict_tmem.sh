#!/bin/sh
# warplock as --strict-tmem (docs/checked.md): exit codes, files, refused kernels; what it says about the
# kernels of compilers. Each diagnostic has its text in tests/reject/strict_tmem.
#   test_strict_tmem.sh WARPLOCK SOURCE
warplock=$1
source=$2
. "$(dirname "$0")/lib.sh"

cp "$source/tests/reject/strict_tmem/nvcc.ptx" .
want 0 "" as nvcc.ptx
rm nvcc.wlo
want 2 "nvcc.ptx:62:16: error: tmem-address: \`%r2\`, an address of tensor memory, is the result of a call" \
  as nvcc.ptx --strict-tmem
want 2 '"exit": 2, "object_bytes": 0' as nvcc.ptx --strict-tmem --json -
want 2 "[PTX 9.7.16.1.2]" as nvcc.ptx --strict-tmem --check
[ ! -e nvcc.wlo ] || fail "an object in spite of errors"
want 0 "" as "$source/tests/reject/strict_tmem/clean.ptx" --strict-tmem --check

# Of what is refused the rules say nothing: the allocation may be what is missing.
cat >pair.ptx <<'END'
.version 9.0
.target sm_100a
.address_size 64
.visible .entry pair() {
 .reg .b32 %r<4>;
 .shared .align 4 .b32 at;
 tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [at], 32;
 ld.shared.b32 %r1, [at];
 tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r1];
 ret;
}
.visible .entry alone() { ret; }
END
want 0 "1 of 2 kernels cannot be launched: pair" as pair.ptx --strict-tmem --check
want 6 "[PTX 9.7.16.7.1]" as pair.ptx --strict-tmem --strict --check
"$warplock" as pair.ptx --strict-tmem --check 2>&1 | grep -q tmem- && fail "a rule for a refused kernel"

# Triton's kernels, the example of docs/flows.md, umma_kinds and umma_scaled obey the rules. Of umma_gemm, by nvcc, the way of a
# product without any K leads to its loads past the only barrier.
places() {
  "$warplock" as "$1" --strict-tmem --check 2>&1 |
    sed -n 's/.*\.ptx:\([0-9]*\):[0-9]*: error: \(tmem-[a-z]*\): .*/\2 \1/p' | tr '\n' ' '
}
for f in "$source"/tests/tensor/triton/*.sm100.ptx "$source"/tests/checked/good_tmem.ptx \
  "$source"/tests/checked/good_umma*.ptx "$source"/tests/kernels/umma_[ks]*/*_sm100.ptx; do
  want 0 "" as "$f" --strict-tmem --check
done
sed -n '/^```ptx flow.ptx/,/^```$/p' "$source/docs/flows.md" | grep -v '^```' >flow.ptx
grep -q tcgen05.alloc flow.ptx || fail "docs/flows.md has no flow.ptx"
want 0 "" as flow.ptx --strict-tmem --check
list=$(places "$source/tests/kernels/umma_gemm/umma_gemm.nvcc_sm100.ptx")
want="tmem-alloc 462 tmem-alloc 475 tmem-alloc 488 tmem-alloc 501 tmem-alloc 527 tmem-alloc 544 tmem-alloc 562 "
[ "$list" = "$want" ] || fail "umma_gemm: $list"

echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
