#!/usr/bin/env python3
"""Runs the machine code that ptxas makes of m8n8k4 kernels (README.md, quad.txt): on sm_90 it is a
subroutine of f32 operations and shuffles. For each NUMBER.ptx and NUMBER.in of a directory that
`wl_silicon_record ptx DIR quad` has written, NUMBER.out gets the results; the next call of the same
command makes the record of them. Needs ptxas, nvdisasm and numpy.

    machine_code.py DIR [NVDISASM]

Instructions of the kernel itself only compute addresses, but for loads, stores and moves: an address
is taken as that of the thread's own words plus its offset. What is not known stops the program."""
import pathlib
import re
import subprocess
import sys

import numpy as np

ITEMS, LANES = 576, 32
SHAPE = (ITEMS, LANES)
ADDRESSES = {'LDC', 'S2R', 'S2UR', 'ULDC.64', 'IMAD', 'IMAD.WIDE.U32', 'IMAD.HI.U32', 'IADD3',
             'IADD3.X', 'LEA', 'LEA.HI.X', 'SHF.L.U32', 'BRA', 'NOP'}


def disassemble(nvdisasm, cubin):
    """Instructions and, by label, where they begin."""
    text = subprocess.run([nvdisasm, '-c', cubin], capture_output=True, text=True, check=True)
    code, labels = [], {}
    for line in text.stdout.split('\n'):
        if label := re.match(r'^\s*\.?([$\w.]+):\s*$', line):
            labels[label[1]] = len(code)
        elif found := re.match(r'^\s+/\*[0-9a-f]+\*/\s+(.*?)\s*;', line):
            code.append(found[1].replace('.reuse', ''))
    return code, labels


def bits_of(value):
    """Of f32; a NaN is 7fffffff."""
    bits = value.astype(np.float32).view(np.uint32).copy()
    bits[np.isnan(value)] = 0x7fffffff
    return bits


def fused(a, b, c):
    """Products of two f16 are exact in f64; the sum is made odd where it is not, then rounded."""
    product = a.view(np.float32).astype(np.float64) * b.view(np.float32)
    addend = c.view(np.float32).astype(np.float64)
    total = product + addend
    part = total - product
    rest = (product - (total - part)) + (addend - part)
    inexact = np.isfinite(total) & (rest != 0) & ((total.view(np.uint64) & np.uint64(1)) == 0)
    toward = np.where(rest > 0, np.inf, -np.inf)
    return bits_of(np.where(inexact, np.nextafter(total, toward), total).astype(np.float32))


def half_of(bits):
    value = bits.view(np.float32)
    half = value.astype(np.float16).view(np.uint16).copy()
    half[np.isnan(value)] = 0x7fff
    return half.astype(np.uint32)


class Warp:
    def __init__(self, words, results):
        self.words = words
        self.out = np.zeros((*SHAPE, results), np.uint32)
        self.registers, self.predicates = {}, {}
        self.lane = np.broadcast_to(np.arange(LANES, dtype=np.uint32), SHAPE)

    def get(self, name):
        if name in ('RZ', '-RZ'):
            return np.full(SHAPE, 0x80000000 if name[0] == '-' else 0, np.uint32)
        if re.match(r'^(0x[0-9a-f]+|\d+)$', name):
            return np.full(SHAPE, int(name, 0), np.uint32)
        return self.registers[name]

    def predicate(self, name):
        value = True if name.endswith('PT') else self.predicates[name.lstrip('!')]
        return ~np.full(SHAPE, value) if name[0] == '!' else np.broadcast_to(value, SHAPE)

    def half(self, name):
        register, which = name.rsplit('.', 1)
        word = self.registers[register] >> (16 if which == 'H1_H1' else 0) & 0xffff
        return bits_of(word.astype(np.uint16).view(np.float16).astype(np.float32))

    def logic(self, x, y, z, table):
        result = np.zeros(SHAPE, np.uint32)
        for k in range(8):
            if table >> k & 1:
                result |= (x if k & 4 else ~x) & (y if k & 2 else ~y) & (z if k & 1 else ~z)
        return result

    def permute(self, x, selector, y):
        both = x.astype(np.uint64) | y.astype(np.uint64) << np.uint64(32)
        result = np.zeros(SHAPE, np.uint64)
        for k in range(4):
            byte = selector >> 4 * k & 15
            assert byte < 8
            result |= (both >> np.uint64(8 * byte) & np.uint64(255)) << np.uint64(8 * k)
        return result.astype(np.uint32)

    def value(self, name, a):
        """What an instruction writes to its register, a[0] (a shuffle: a[1])."""
        get = self.get
        if name == 'MOV':
            return get(a[1])
        if name == 'S2R' and a[1] == 'SR_LANEID':
            return self.lane
        if name == 'LOP3.LUT':
            return self.logic(get(a[1]), get(a[2]), get(a[3]), int(a[4], 16))
        if name == 'IADD3' and len(a) == 4:
            return get(a[1]) + get(a[2]) + get(a[3])
        if name == 'SHFL.IDX':
            return np.take_along_axis(get(a[2]), (get(a[3]) & 31).astype(np.int64), 1)
        if name == 'HADD2.F32' and a[1] == '-RZ':
            return self.half(a[2])
        if name == 'FFMA':
            return fused(get(a[1]), get(a[2]), get(a[3]))
        if name == 'FMUL':
            return bits_of(get(a[1]).view(np.float32) * get(a[2]).view(np.float32))
        if name == 'FADD':
            return bits_of(get(a[1]).view(np.float32) + get(a[2]).view(np.float32))
        if name == 'HFMA2.MMA' and a[1:] == ['-RZ', 'RZ', '0', '0']:
            return get('RZ')
        if name == 'PRMT':
            return self.permute(get(a[1]), int(a[2], 16), get(a[3]))
        if name == 'SEL':
            return np.where(self.predicate(a[3]), get(a[1]), get(a[2]))
        if name == 'SHF.R.U32.HI' and a[1] == 'RZ':
            return get(a[3]) >> int(a[2], 0)
        if name == 'F2FP.F16.F32.PACK_AB':
            return half_of(get(a[1])) << 16 | half_of(get(a[2]))
        raise SystemExit(f'machine_code: {name} {a}')

    def step(self, name, a, is_kernel):
        offset = re.search(r'\.64(?:\+0x([0-9a-f]+))?\]', ' '.join(a))
        if name == 'LDG.E':
            self.registers[a[0]] = self.words[:, :, int(offset[1] or '0', 16) // 4].copy()
        elif name == 'STG.E':
            self.out[:, :, int(offset[1] or '0', 16) // 4] = self.get(a[-1])
        elif name.startswith('ISETP.NE') and a[1] == 'PT' and a[4] == 'PT':
            self.predicates[a[0]] = self.get(a[2]) != self.get(a[3])
        elif not (is_kernel and name in ADDRESSES):
            with np.errstate(all='ignore'):
                self.registers[a[name == 'SHFL.IDX']] = self.value(name, a)


def run(code, labels, words, results):
    warp, at, calls = Warp(words, results), 0, []
    while not code[at].startswith('EXIT'):
        name, _, rest = code[at].partition(' ')
        at += 1
        if name.startswith('CALL'):
            calls.append(at)
            at = labels[re.search(r'`\(([^)]*)\)', rest)[1].lstrip('.')]
        elif name.startswith('RET'):
            at = calls.pop()
        else:
            warp.step(name, [x.strip() for x in rest.split(',')], not calls)
    return warp.out


def main():
    folder, nvdisasm = pathlib.Path(sys.argv[1]), (sys.argv + ['nvdisasm'])[2]
    for ptx in sorted(folder.glob('*.ptx')):
        cubin, text = ptx.with_suffix('.cubin'), ptx.read_text()
        subprocess.run(['ptxas', '-arch=sm_90', ptx, '-o', cubin], check=True)
        sizes = [int(re.search(rf'{name}, i, (\d+)', text)[1]) // 4 for name in ('in', 'out')]
        words = np.fromfile(ptx.with_suffix('.in'), np.uint32).reshape(*SHAPE, sizes[0])
        run(*disassemble(nvdisasm, cubin), words, sizes[1]).tofile(ptx.with_suffix('.out'))


if __name__ == '__main__':
    main()
