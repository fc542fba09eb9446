#!/usr/bin/env python3
"""Softmax and layer norm of rows of f16 in Triton (after its tutorials 02 and 05, MIT), compiled without a GPU.
usage: python3 -m pip install triton==3.9.0; TRITON_DISABLE_LINE_INFO=1 norms.py DIR
DIR gets softmax_f16.smXX.ptx and layer_norm_f16.smXX.ptx; of sm_90 and sm_100 the compiler is told that pointers and
extents are multiples of 16."""
import pathlib
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def softmax(output, input, rows, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    mask = at < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):
        x = tl.load(input + row * columns + at, mask=mask, other=-float('inf')).to(tl.float32)
        power = tl.exp(x - tl.max(x, axis=0))
        tl.store(output + row * columns + at, (power / tl.sum(power, axis=0)).to(tl.float16), mask=mask)


@triton.jit
def layer_norm(output, input, gain, bias, columns, epsilon, BLOCK: tl.constexpr):
    input += tl.program_id(0) * columns
    output += tl.program_id(0) * columns
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        total += tl.load(input + at, mask=at < columns, other=0.).to(tl.float32)
    mean = tl.sum(total, axis=0) / columns
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        x = tl.load(input + at, mask=at < columns, other=0.).to(tl.float32)
        x = tl.where(at < columns, x - mean, 0.)
        squares += x * x
    scale = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + epsilon)
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        mask = at < columns
        g = tl.load(gain + at, mask=mask)
        b = tl.load(bias + at, mask=mask)
        x = tl.load(input + at, mask=mask, other=0.).to(tl.float32)
        tl.store(output + at, ((x - mean) * scale * g + b).to(tl.float16), mask=mask)


KERNELS = [(softmax, {"output": "*fp16", "input": "*fp16", "rows": "i32", "columns": "i32"}),
           (layer_norm, {"output": "*fp16", "input": "*fp16", "gain": "*fp16", "bias": "*fp16", "columns": "i32",
                         "epsilon": "fp32"})]


def main():
    folder = pathlib.Path(sys.argv[1])
    for arch, align in ((80, 1), (90, 16), (100, 16)):
        for function, types in KERNELS:
            hints = {(i,): [["tt.divisibility", align]] for i, t in enumerate(types.values())
                     if align > 1 and t != "fp32"}
            source = ASTSource(fn=function, signature=types | {"BLOCK": "constexpr"}, constexprs={"BLOCK": 128},
                               attrs=hints)
            made = triton.compile(source, target=GPUTarget("cuda", arch, 32), options={"num_warps": 4})
            name = function.__name__
            (folder / ("%s_f16.sm%d.ptx" % (name, arch))).write_text(made.asm["ptx"])
            print(name, arch, made.metadata.shared, "bytes of shared memory")


main()
