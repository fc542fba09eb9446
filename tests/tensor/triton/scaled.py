#!/usr/bin/env python3
"""Products with block scales (tl.dot_scaled), compiled for sm_100 without a GPU: tcgen05.mma with .block_scale.
usage: python3 -m pip install triton==3.9.0; TRITON_DISABLE_LINE_INFO=1 scaled.py DIR
DIR gets NAME.sm100.ptx and scaled.sm100.txt. Scales stand in memory row by row, and Triton stores them to tensor memory
itself (tcgen05.st); or, in NAME_cp, in tiles of 128 rows by four, as in Triton's tutorial 10, which it copies there
(tcgen05.cp)."""
import pathlib
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def scaled(a, sa, b, sb, c, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, V: tl.constexpr, TA: tl.constexpr,
           TB: tl.constexpr, PA: tl.constexpr, PB: tl.constexpr, TILES: tl.constexpr, STAGES: tl.constexpr):
    # A scale for V elements; PA, PB elements a byte. B by columns. The extents are multiples of the tile.
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    rows, columns = row + tl.arange(0, M), column + tl.arange(0, N)
    x = a + rows[:, None] * (k // PA) + tl.arange(0, K // PA)[None, :]
    y = b + columns[None, :] * (k // PB) + tl.arange(0, K // PB)[:, None]
    S: tl.constexpr = K // V
    if TILES: # of 512 bytes: 32 rows of 4 by 4
        RM: tl.constexpr = M // 128
        RN: tl.constexpr = N // 128
        STEP: tl.constexpr = 128 * S
        xs = sa + (tl.program_id(0) * RM + tl.arange(0, RM))[:, None] * (k // V * 128) + tl.arange(0, STEP)[None, :]
        ys = sb + (tl.program_id(1) * RN + tl.arange(0, RN))[:, None] * (k // V * 128) + tl.arange(0, STEP)[None, :]
    else:
        STEP: tl.constexpr = S
        xs = sa + rows[:, None] * (k // V) + tl.arange(0, S)[None, :]
        ys = sb + columns[:, None] * (k // V) + tl.arange(0, S)[None, :]
    total = tl.zeros((M, N), dtype=tl.float32)
    for step in tl.range(0, k // K, num_stages=STAGES):
        p, q = tl.load(xs), tl.load(ys)
        if TILES:
            p = p.reshape(RM, S // 4, 32, 4, 4).trans(0, 3, 2, 1, 4).reshape(M, S)
            q = q.reshape(RN, S // 4, 32, 4, 4).trans(0, 3, 2, 1, 4).reshape(N, S)
        total = tl.dot_scaled(tl.load(x), p, TA, tl.load(y), q, TB, total)
        x += K // PA
        y += K // PB
        xs += STEP
        ys += STEP
    tl.store(c + rows[:, None] * n + columns[None, :], total)


TYPES = {"e4m3": "*fp8e4nv", "e5m2": "*fp8e5", "e2m1": "*u8"}
SCALES = {32: "*u8", 16: "*fp8e4nv"}
# Types of A and of B, elements of a scale (32: ue8m0, 16: ue4m3), tiles of scales; tile of M, N, K; stages. Four warps.
KERNELS = [("e4m3", "e4m3", 32, 0, 128, 64, 64, 1), ("e5m2", "e2m1", 32, 0, 128, 32, 128, 1),
           ("e2m1", "e2m1", 32, 0, 128, 32, 128, 2), ("e2m1", "e2m1", 16, 0, 128, 64, 64, 1),
           ("e4m3", "e5m2", 32, 1, 128, 128, 128, 1), ("e2m1", "e4m3", 32, 1, 128, 128, 128, 2),
           ("e2m1", "e2m1", 32, 1, 128, 128, 128, 1), ("e2m1", "e2m1", 16, 1, 128, 128, 64, 2),
           ("e2m1", "e2m1", 32, 1, 128, 128, 256, 1), ("e2m1", "e2m1", 16, 1, 128, 128, 128, 2)]


def main():
    folder = pathlib.Path(sys.argv[1])
    lines = ["# made by scaled.py with Triton %s: A, B, elements of a scale, tiles of scales, tile of M, N, K, stages, bytes of shared memory" %
             triton.__version__]
    for ta, tb, v, tiles, m, n, k, stages in KERNELS:
        types = {"a": TYPES[ta], "sa": SCALES[v], "b": TYPES[tb], "sb": SCALES[v], "c": "*fp32", "n": "i32", "k": "i32"}
        constants = {"M": m, "N": n, "K": k, "V": v, "TA": ta, "TB": tb, "PA": 1 + (ta == "e2m1"), "PB": 1 + (tb == "e2m1"),
                     "TILES": tiles != 0, "STAGES": stages}
        source = ASTSource(fn=scaled, signature=types | dict.fromkeys(constants, "constexpr"), constexprs=constants,
                           attrs={(i,): [["tt.divisibility", 16]] for i in range(len(types))})
        made = triton.compile(source, target=GPUTarget("cuda", 100, 32), options={"num_warps": 4, "num_stages": stages})
        name = "scaled_%s_%s_%d_%d%s.sm100.ptx" % (ta, tb, v, k, "_cp" if tiles else "")
        (folder / name).write_text(made.asm["ptx"])
        lines.append("%s %s %d %d %d %d %d %d %d" % (ta, tb, v, tiles, m, n, k, stages, made.metadata.shared))
    (folder / "scaled.sm100.txt").write_text("\n".join(lines) + "\n")


main()
