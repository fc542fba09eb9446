#!/usr/bin/env python3
"""Results of the package mmasim (MMA-Sim, bit models of matrix instructions) for tcgen05.mma of its "Blackwell".
usage: mmasim_results.py WL_UMMA_BITS DIR [FORM...]    the operands come from that program, results go to DIR/FORM
needs: python3 -m pip install mmasim==2.1.1   (with torch; no GPU)
A tile is 128 x 128 with a chain of four instructions: D of one is C of the next. The package takes vectors of operands
with all k; a block of k is an instruction's, so a chain is one call."""
import datetime
import importlib.metadata
import pathlib
import subprocess
import sys
import time

import numpy
import torch
from mmasim.nv_ptx import TCGen05MMA, TCGen05MMABlockScale

M, N, STEPS, KINDS, ITEMS, SCALES = 128, 128, 4, 11, 6, 16
TYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "tf32": torch.float32, "f32": torch.float32,
         "e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2, "ue8m0": torch.float8_e8m0fnu,
         "ue4m3": torch.float8_e4m3fn}
UNSIGNED = {1: numpy.uint8, 2: numpy.uint16, 4: numpy.uint32}
PER_STEP = {"f16": 16, "tf32": 8, "f8f6f4": 32, "mxf8f6f4": 32, "mxf4": 64, "mxf4nvf4": 64}
ROWS = 32  # of D at once: what is worked on stays in a cache


class Form:
    def __init__(self, label):
        parts = label.split(".")
        self.kind = parts[0].removeprefix("kind::")
        self.scaled = self.kind.startswith("mx")
        self.per_step = PER_STEP[self.kind]
        self.halves = self.per_step == 64
        self.d, self.a, self.b = parts[2:5] if self.scaled else parts[1:4]
        self.scale = parts[5] if self.scaled else None
        self.groups = (self.per_step // int(parts[1].removeprefix("block"))) if self.scaled else 0
        name = "m128n128k%d.%s" % (self.per_step, label)
        self.op = (TCGen05MMABlockScale if self.scaled else TCGen05MMA)("Blackwell", name)


def tensor(words, name):
    """Elements as the package wants them: numbers of 6 bits in bits 5:0 of a byte, of 4 bits in bits 5:2."""
    if name not in TYPES:
        return torch.from_numpy((words << (2 if name == "e2m1" else 0)).astype(numpy.uint8))
    dtype = TYPES[name]
    return torch.from_numpy(words.astype(UNSIGNED[dtype.itemsize])).view(dtype)


def packed(words):
    """Two elements of 4 bits in a byte: their order in it does not matter, as it is that of A and of B."""
    return torch.from_numpy((words[:, 0::2] | words[:, 1::2] << 4).astype(numpy.uint8))


def operands(form, data):
    """Of each tile: a, b, d, scales of a, of b."""
    k = STEPS * form.per_step
    sizes = [4 * M * k, 4 * N * k, 4 * M * N, M * SCALES, N * SCALES]
    matrix = packed if form.halves else None
    for tile in range(KINDS * ITEMS):
        parts, at = [], tile * sum(sizes)
        for size in sizes:
            parts.append(data[at:at + size])
            at += size
        a, b = (numpy.frombuffer(p, numpy.uint32).reshape(128, k) for p in parts[:2])
        d = numpy.frombuffer(parts[2], numpy.uint32).reshape(M, N)
        scales = [numpy.frombuffer(p, numpy.uint8).reshape(128, SCALES)[:, :STEPS * form.groups] for p in parts[3:]]
        yield (matrix(a) if matrix else tensor(a, form.a), matrix(b) if matrix else tensor(b, form.b),
               tensor(d & (0xffff if form.d == "f16" else 0xffffffff), form.d),
               *(tensor(s, form.scale) if form.scaled else None for s in scales))


def chain(form, a, b, d, alpha, beta):
    """The package's vectors are broadcast: rows of A along the columns of D, columns of B along its rows. Its scales
    are of one block where the elements are not of 4 bits: there each step is a call."""
    a, b = a[:, None, :], b[None, :, :]
    if not form.scaled:
        return form.op.dpa(a, b, d)
    alpha, beta = alpha[:, None, :], beta[None, :, :]
    bytes_ = form.per_step // 2 if form.halves else form.per_step
    for s in range(STEPS):
        k, g = slice(s * bytes_, (s + 1) * bytes_), slice(s * form.groups, (s + 1) * form.groups)
        d = form.op.dpa(a[..., k], b[..., k], d, alpha[..., g], beta[..., g])
    return d


def words_of(d):
    if d.dtype == torch.float16:
        return d.view(torch.int16).numpy().view(numpy.uint16).astype(numpy.uint32)
    return d.view(torch.int32).numpy().view(numpy.uint32)


def results(form, data):
    """Tiles of D, columns one behind the other."""
    for a, b, d, alpha, beta in operands(form, data):
        rows = []
        for r in range(0, M, ROWS):
            part = slice(r, r + ROWS)
            rows.append(chain(form, a[part], b, d[part].clone(), alpha[part] if form.scaled else None, beta))
        yield numpy.ascontiguousarray(words_of(torch.cat(rows)).T)


def main():
    torch.set_num_threads(1)
    tool, folder, only = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    forms = subprocess.run([tool, "forms"], check=True, capture_output=True, text=True).stdout.split()
    for number, label in enumerate(forms):
        if only and label not in only:
            continue
        begin = time.time()
        data = subprocess.run([tool, "operands", str(number)], check=True, capture_output=True).stdout
        (folder / label).write_bytes(b"".join(t.tobytes() for t in results(Form(label), data)))
        print(label, "%.1f s" % (time.time() - begin), flush=True)
    (folder / "version").write_text("mmasim %s, torch %s (CPU); mmasim_results.py; %s\n" % (
        importlib.metadata.version("mmasim"), torch.__version__, datetime.date.today()))


main()
