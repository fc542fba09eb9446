#!/usr/bin/env python3
"""Kernels whose loads Triton copies into shared memory ahead (num_stages 2 and more: cp.async), compiled without a GPU: a
matrix product with its CTAs in groups of rows, as in Triton's tutorial 03; attention by the algorithm FlashAttention-2,
as in tutorial 06; softmax of rows of f32, as in tutorial 02.
usage: python3 -m pip install triton==3.9.0; TRITON_DISABLE_LINE_INFO=1 stages.py DIR [all]
DIR gets NAME.ptx, and of the matrix products stages.txt, and stages.sm100.txt of those for sm_100, whose products are in
tensor memory (tcgen05). With `all` instead: tutorials' tiles, more types, stages and
targets, and all.txt."""
import pathlib
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def matmul(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, GROUP: tl.constexpr, SUM: tl.constexpr):
    # CTAs go down GROUP tiles of rows, then to the next tile of columns.
    across = tl.cdiv(n, N)
    group, within = tl.program_id(0) // (GROUP * across), tl.program_id(0) % (GROUP * across)
    high = min(tl.cdiv(m, M) - group * GROUP, GROUP)
    row, column = (group * GROUP + within % high) * M, within // high * N
    inner = tl.arange(0, K)
    # Rows and columns beyond the edge are read from the other end and not stored.
    x = a + ((row + tl.arange(0, M)) % m)[:, None] * k + inner[None, :]
    y = b + inner[:, None] * n + ((column + tl.arange(0, N)) % n)[None, :]
    total = tl.zeros((M, N), dtype=SUM)
    for step in range(0, tl.cdiv(k, K)):
        left = k - step * K
        total = tl.dot(tl.load(x, inner[None, :] < left, 0.0), tl.load(y, inner[:, None] < left, 0.0), total, out_dtype=SUM)
        x += K
        y += K * n
    rows, columns = row + tl.arange(0, M)[:, None], column + tl.arange(0, N)[None, :]
    tl.store(c + rows * n + columns, total, (rows < m) & (columns < n))


@triton.jit
def attend(total, weight, most, q, k, v, scale, rows, first, last, SIZE: tl.constexpr, N: tl.constexpr,
           MASKED: tl.constexpr):
    size = tl.arange(0, SIZE)
    for start in range(first, last, N):
        at = start + tl.arange(0, N)
        s = tl.dot(q, tl.load(k + at[None, :] * SIZE + size[:, None])) * scale
        if MASKED:
            s = tl.where(rows[:, None] >= at[None, :], s, float("-inf"))
        above = tl.maximum(most, tl.max(s, 1))
        p = tl.exp2(s - above[:, None])
        keep = tl.exp2(most - above)
        weight = weight * keep + tl.sum(p, 1)
        total = tl.dot(p.to(v.dtype.element_ty), tl.load(v + at[:, None] * SIZE + size[None, :]), total * keep[:, None])
        most = above
    return total, weight, most


@triton.jit
def attention(q, k, v, out, logs, scale, length, SIZE: tl.constexpr, M: tl.constexpr, N: tl.constexpr,
              CAUSAL: tl.constexpr):
    # One head of `length` rows of SIZE in each program_id(1); length is a multiple of M and N.
    head = tl.program_id(1) * length
    start = tl.program_id(0) * M
    rows = start + tl.arange(0, M)
    at = (head + rows)[:, None] * SIZE + tl.arange(0, SIZE)[None, :]
    x = tl.load(q + at)
    most = tl.full([M], float("-inf"), dtype=tl.float32)
    weight = tl.zeros([M], dtype=tl.float32)
    total = tl.zeros([M, SIZE], dtype=tl.float32)
    scale *= 1.44269504  # exp2 in place of exp
    k += head * SIZE
    v += head * SIZE
    total, weight, most = attend(total, weight, most, x, k, v, scale, rows, 0, start if CAUSAL else length, SIZE, N, False)
    if CAUSAL:
        total, weight, most = attend(total, weight, most, x, k, v, scale, rows, start, start + M, SIZE, N, True)
    tl.store(logs + head + rows, most + tl.log2(weight))
    tl.store(out + at, (total / weight[:, None]).to(out.dtype.element_ty))


@triton.jit
def softmax(output, input, rows, columns, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    at = tl.arange(0, BLOCK)
    mask = at < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        x = tl.load(input + row * columns + at, mask=mask, other=-float('inf'))
        power = tl.exp(x - tl.max(x, axis=0))
        tl.store(output + row * columns + at, power / tl.sum(power, axis=0), mask=mask)


TYPES = {"f16": "fp16", "bf16": "bf16", "tf32": "fp32", "f32": "fp32", "s8": "i8", "s32": "i32", "e4m3": "fp8e4nv"}
SUMS = {"f32": tl.float32, "f16": tl.float16, "s32": tl.int32}

# Type of A and B, of C and D; tile of M, N, K; warps, ALIGN (gemm.py), stages, generation.
MATMUL = [("f16", "f32", 32, 32, 16, 4, 16, 2, 80), ("f16", "f32", 32, 32, 16, 4, 16, 3, 80),
          ("s8", "s32", 32, 32, 32, 4, 16, 4, 80), ("tf32", "f32", 16, 32, 16, 2, 1, 3, 80),
          ("bf16", "f32", 64, 64, 32, 4, 16, 3, 80),
          ("f16", "f32", 64, 64, 64, 4, 16, 1, 100), ("f16", "f16", 128, 32, 64, 4, 16, 2, 100),
          ("bf16", "f32", 128, 64, 64, 4, 16, 3, 100), ("tf32", "f32", 64, 64, 32, 4, 16, 1, 100),
          ("e4m3", "f32", 128, 32, 64, 4, 16, 2, 100), ("e4m3", "f16", 64, 64, 64, 4, 16, 1, 100),
          ("s8", "s32", 128, 64, 64, 4, 16, 3, 100)]
# Rows of Q, of K and V at a time, their length; warps, causal, stages, generation.
ATTENTION = [(32, 16, 16, 2, 0, 2, 80), (32, 16, 32, 4, 1, 3, 80), (64, 32, 64, 4, 0, 1, 100), (128, 32, 32, 4, 1, 2, 100)]
# Columns at most; warps, stages, generation.
SOFTMAX = [(128, 2, 2, 80), (128, 2, 4, 80)]

# Tiles of the tutorials.
ALL_MATMUL = [("f16", "f32", m, n, k, w, 16, s, arch) for m, n, k, w in
              ((64, 32, 32, 4), (64, 64, 64, 4), (128, 64, 32, 4), (128, 128, 32, 4), (64, 256, 32, 4), (128, 256, 64, 8))
              for s in (2, 3, 4) for arch in (80, 90, 100) if arch == 80 or s == 3]
ALL_MATMUL += [(t, d, 32, 32, 32, 4, align, s, 89 if t == "e4m3" else 80) for t, d in
               (("f16", "f32"), ("f16", "f16"), ("bf16", "f32"), ("tf32", "f32"), ("s8", "s32"), ("e4m3", "f32"))
               for align in (1, 16) for s in (2, 3, 4)]
ALL_ATTENTION = [(m, n, size, w, causal, s, arch) for m, n, size, w in
                 ((64, 32, 64, 4), (64, 64, 64, 4), (128, 32, 64, 4), (128, 64, 64, 8), (64, 32, 128, 4), (128, 64, 128, 8))
                 for causal in (0, 1) for s in (2, 3, 4) for arch in (80, 90, 100) if arch == 80 or s == 3]
ALL_SOFTMAX = [(c, w, s, arch) for c, w in ((128, 2), (1024, 4), (4096, 8)) for s in (2, 4) for arch in (80, 90, 100)]


def jobs(everything):
    for t, d, m, n, k, w, align, s, arch in ALL_MATMUL if everything else MATMUL:
        name = "%s_%s_%d_s%d" % (t, d, align, s) + (".sm100" if arch == 100 and not everything else "")
        yield (name, "_%d_%d_%d_w%d" % (m, n, k, w), arch, matmul,
               {"a": "*" + TYPES[t], "b": "*" + TYPES[t], "c": "*" + TYPES[d], "m": "i32", "n": "i32", "k": "i32"},
               {"M": m, "N": n, "K": k, "GROUP": 2, "SUM": SUMS[d]}, w, s, align,
               "%s %s %d %d %d %d %d" % (t, d, m, n, k, w, align))
    for m, n, size, w, causal, s, arch in ALL_ATTENTION if everything else ATTENTION:
        name = "attention_%s_s%d" % ("causal" if causal else "full", s) + (".sm100" if arch == 100 and not everything else "")
        yield (name, "_%d_%d_%d_w%d" % (m, n, size, w), arch, attention,
               {"q": "*fp16", "k": "*fp16", "v": "*fp16", "out": "*fp16", "logs": "*fp32", "scale": "fp32", "length": "i32"},
               {"SIZE": size, "M": m, "N": n, "CAUSAL": causal != 0}, w, s, 16, None)
    for c, w, s, arch in ALL_SOFTMAX if everything else SOFTMAX:
        yield ("softmax_f32_s%d" % s, "_%d_w%d" % (c, w), arch, softmax,
               {"output": "*fp32", "input": "*fp32", "rows": "i32", "columns": "i32"}, {"BLOCK": c, "STAGES": s}, w, 1, 16, None)


def main():
    folder = pathlib.Path(sys.argv[1])
    everything = len(sys.argv) > 2
    lines = ["# made by stages.py with Triton %s: A and B, C and D, tile of M, N, K, warps, ALIGN, bytes of shared memory, stages" %
             triton.__version__]
    sm100 = lines[:]
    for name, tile, arch, function, types, constants, warps, stages, align, line in jobs(everything):
        hints = {(i,): [["tt.divisibility", align]] for i, t in enumerate(types.values()) if align > 1 and t != "fp32"}
        source = ASTSource(fn=function, signature=types | dict.fromkeys(constants, "constexpr"), constexprs=constants,
                           attrs=hints)
        name += "%s.sm%d" % (tile, arch) if everything else ""
        try:
            made = triton.compile(source, target=GPUTarget("cuda", arch, 32),
                                  options={"num_warps": warps, "num_stages": stages})
        except Exception as problem:
            if not everything:
                raise
            lines.append("%s not compiled: %s" % (name, str(problem).split("\n")[0][:100]))
            continue
        (folder / (name + ".ptx")).write_text(made.asm["ptx"])
        if everything:
            lines.append("%s %d" % (name, made.metadata.shared))
        elif line is not None:
            (sm100 if arch == 100 else lines).append("%s %d %d" % (line, made.metadata.shared, stages))
        else:
            print(name, made.metadata.shared, "bytes of shared memory")
    (folder / ("all.txt" if everything else "stages.txt")).write_text("\n".join(lines) + "\n")
    if not everything:
        (folder / "stages.sm100.txt").write_text("\n".join(sm100) + "\n")


main()
