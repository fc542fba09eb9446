#!/usr/bin/env python3
"""A plain matrix product in Triton, compiled without a GPU. DIR/NAME.ptx and DIR/kernels.txt are what it writes.
usage: python3 -m pip install triton==3.9.0; TRITON_DISABLE_LINE_INFO=1 gemm.py DIR
One stage: more copy with cp.async, which is refused. With ALIGN 16 the compiler is told, as Triton's launcher does, that
pointers and extents are multiples of 16: wide loads and stores."""
import pathlib
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def gemm(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, SUM: tl.constexpr):
    rows = (tl.program_id(1) * M + tl.arange(0, M))[:, None]
    columns = (tl.program_id(0) * N + tl.arange(0, N))[None, :]
    total = tl.zeros((M, N), dtype=SUM)
    for step in range(0, k, K):
        inner = step + tl.arange(0, K)
        x = tl.load(a + rows * k + inner[None, :], (rows < m) & (inner[None, :] < k), 0.0)
        y = tl.load(b + inner[:, None] * n + columns, (inner[:, None] < k) & (columns < n), 0.0)
        total = tl.dot(x, y, total, out_dtype=SUM)
    tl.store(c + rows * n + columns, total, (rows < m) & (columns < n))


# Generation; type of A and B, of C and D as PTX and as Triton have it; tile of M, N, K; warps; ALIGN.
KERNELS = [(80, "f16", "fp16", "f32", "fp32", 32, 32, 32, 4, 1),
           (80, "f16", "fp16", "f16", "fp16", 64, 16, 32, 2, 1),
           (80, "bf16", "bf16", "f32", "fp32", 32, 32, 32, 4, 1),
           (80, "tf32", "fp32", "f32", "fp32", 32, 32, 32, 4, 1),
           (80, "s8", "i8", "s32", "i32", 32, 32, 32, 4, 1),
           (89, "e4m3", "fp8e4nv", "f32", "fp32", 32, 32, 32, 4, 1),
           (89, "e5m2", "fp8e5", "f32", "fp32", 32, 16, 64, 4, 1),
           (80, "f16", "fp16", "f32", "fp32", 64, 64, 32, 4, 16),
           (80, "tf32", "fp32", "f32", "fp32", 32, 64, 32, 4, 16),
           (80, "s8", "i8", "s32", "i32", 64, 32, 64, 2, 16),
           (89, "e4m3", "fp8e4nv", "f32", "fp32", 32, 32, 64, 2, 16)]
SUMS = {"fp32": tl.float32, "fp16": tl.float16, "i32": tl.int32}


def main():
    folder = pathlib.Path(sys.argv[1])
    lines = ["# made by gemm.py with Triton %s: A and B, C and D, tile of M, N, K, warps, ALIGN, bytes of shared memory" %
             triton.__version__]
    for arch, operand, a_type, result, c_type, m, n, k, warps, align in KERNELS:
        types = {"a": "*" + a_type, "b": "*" + a_type, "c": "*" + c_type, "m": "i32", "n": "i32", "k": "i32"}
        constants = {"M": m, "N": n, "K": k, "SUM": SUMS[c_type]}
        hints = {(i,): [["tt.divisibility", align]] for i in range(len(types)) if align > 1}
        source = ASTSource(fn=gemm, signature=types | dict.fromkeys(constants, "constexpr"), constexprs=constants,
                           attrs=hints)
        made = triton.compile(source, target=GPUTarget("cuda", arch, 32),
                              options={"num_warps": warps, "num_stages": 1})
        (folder / ("%s_%s_%d.ptx" % (operand, result, align))).write_text(made.asm["ptx"])
        lines.append("%s %s %d %d %d %d %d %d" % (operand, result, m, n, k, warps, align, made.metadata.shared))
    (folder / "kernels.txt").write_text("\n".join(lines) + "\n")


main()
