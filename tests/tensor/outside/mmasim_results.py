#!/usr/bin/env python3
"""Results of the package mmasim (MMA-Sim, bit models of matrix instructions) for the operands in DIR.
usage: mmasim_results.py DIR      DIR/FORM.in (of wl_tensor_outside operands) becomes DIR/FORM.out
needs: python3 -m pip install mmasim==2.1.1   (with torch; no GPU)
8-bit floats: the package has no mma.sync of them for Hopper, for the device has none. They are made of its
f16 instructions, as ptxas 13.0 makes them for sm_90 (docs/numerics.md)."""
import datetime
import importlib.metadata
import pathlib
import sys

import torch
from mmasim.nv_ptx import MMA

TYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "tf32": torch.float32, "f32": torch.float32,
         "e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2}
INTS = {1: torch.uint8, 2: torch.int16, 4: torch.int32}
M, N = 16, 8


def read(path, k, a_type, b_type, d_type):
    """Matrices of all items: [items, rows, columns]."""
    words = torch.frombuffer(bytearray(path.read_bytes()), dtype=torch.int32)
    words = words.view(-1, M * k + k * N + M * N)

    def matrix(begin, rows, columns, name):
        bits = words[:, begin:begin + rows * columns]
        dtype = TYPES[name]
        return bits.to(INTS[dtype.itemsize]).contiguous().view(dtype).view(-1, rows, columns)
    return (matrix(0, M, k, a_type), matrix(M * k, k, N, b_type), matrix((M + N) * k, M, N, d_type))


def canonical(d):
    bits = d.view(INTS[d.dtype.itemsize])
    return torch.where(d.isnan(), 0x7fff if d.dtype == torch.float16 else 0x7fffffff, bits)


def dot(op, a, b, c):
    """Every element of D: rows of A with columns of B."""
    rows = a[:, :, None, :].expand(-1, -1, N, -1)
    columns = b.transpose(1, 2)[:, None, :, :].expand(-1, M, -1, -1)
    return op.dpa(rows, columns, c.clone())


def eight_bits(k, d_type, a, b, c):
    """Of each four k the first two form one product of f16, the others a second; C is added last."""
    op = MMA("Hopper", f"m16n8k{k // 2}.{d_type}.f16.f16.{d_type}")
    a, b, sum_ = a.to(torch.float16), b.to(torch.float16), torch.zeros_like(c)
    for first in (True, False):
        index = [i for i in range(k) if (i % 4 < 2) == first]
        sum_ = dot(op, a[:, :, index], b[:, index, :], sum_)
    return sum_ + c


def results(path):
    k, d_type, a_type, b_type, _ = path.stem.removeprefix("m16n8k").split(".")
    a, b, c = read(path, int(k), a_type, b_type, d_type)
    if TYPES[a_type].itemsize == 1:
        return canonical(eight_bits(int(k), d_type, a, b, c))
    return canonical(dot(MMA("Hopper", path.stem), a, b, c))


def main():
    folder = pathlib.Path(sys.argv[1])
    for path in sorted(folder.glob("*.in")):
        bits = results(path).contiguous().view(-1)
        mask = 0xffff if bits.dtype == torch.int16 else 0xffffffff
        words = (bits.to(torch.int64) & mask).to(torch.uint32)
        path.with_suffix(".out").write_bytes(words.numpy().tobytes())
        print(path.stem, words.numel())
    (folder / "version").write_text("mmasim %s, torch %s (CPU); mmasim_results.py; %s\n" % (
        importlib.metadata.version("mmasim"), torch.__version__, datetime.date.today()))


main()
