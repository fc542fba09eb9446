#!/usr/bin/env python3
"""Runs the machine code that ptxas makes of matrix kernels for sm_90 on the host (README.md, quad.txt,
wmma.txt): what m8n8k4 and wmma become. For each NUMBER.ptx and NUMBER.in of a directory that
`wl_silicon_record ptx DIR quad wmma` has written, NUMBER.out gets the results; the same command once
more makes the record of them. Needs ptxas, nvdisasm and numpy.

    machine_code.py DIR [NVDISASM]

All items run side by side, each as CTA 0 with memory of its own. What HMMA, IMMA, DMMA and BMMA give
is machine_matrix.py. A kernel with an instruction that is not known gets no file."""
import pathlib
import re
import subprocess
import sys

import numpy as np

import machine_matrix as matrix

ITEMS, LANES = 576, 32
IN, OUT = 0x7f0100000000, 0x7f0200000000
CONSTANTS = {0: LANES, 0x28: 0, 0x208: 0, 0x210: IN, 0x218: OUT}
LANE = np.arange(LANES, dtype=np.uint32)[None, :]
MASK = np.uint64(0xffffffff)


class Unknown(Exception):
    """An instruction that is not known."""


def disassemble(nvdisasm, cubin):
    """Instructions and, by label, where they begin."""
    text = subprocess.run([nvdisasm, '-c', cubin], capture_output=True, text=True, check=True)
    code, labels = [], {}
    for line in text.stdout.split('\n'):
        if label := re.match(r'^\s*\.?([$\w.]+):\s*$', line):
            labels[label[1]] = len(code)
        elif found := re.match(r'^\s+/\*[0-9a-f]+\*/\s+(.*?)\s*;', line):
            code.append(re.sub(r'\.(reuse|ROW|COL)\b', '', found[1]))
    return code, labels


def is_predicate(name):
    return re.match(r'^!?U?P(T|\d)$', name) is not None


class Warp:
    def __init__(self, memory, size):
        self.memory = {IN: memory, OUT: np.zeros((ITEMS, size), np.uint8)}
        self.registers, self.predicates = {}, {}

    # ---- Operands.

    def get(self, name):
        """32 bits of each lane, in an array of 1 or ITEMS rows."""
        if name in ('RZ', 'URZ', '-RZ'):
            return np.full((1, LANES), 0x80000000 if name[0] == '-' else 0, np.uint32)
        if constant := re.match(r'^c\[0x0\]\[(RZ|0x[0-9a-f]+)\]$', name):
            at = 0 if constant[1] == 'RZ' else int(constant[1], 16)
            return np.full((1, LANES), CONSTANTS[at & ~4 if at > 16 else at] >> 8 * (at & 4)
                           & 0xffffffff, np.uint32)
        if re.match(r'^-?(0x[0-9a-f]+|\d+)$', name):
            return np.full((1, LANES), int(name, 0) & 0xffffffff, np.uint32)
        if name.startswith('-'):
            return ~self.get(name[1:]) + np.uint32(1)
        return self.registers[name]

    def wide(self, name):
        return self.get(name).astype(np.uint64) | self.get(following(name, 1)).astype(np.uint64) \
            << np.uint64(32)

    def many(self, name, count):
        return [np.broadcast_to(self.get(following(name, i)), (ITEMS, LANES)) for i in range(count)]

    def put_wide(self, name, value):
        self.put(name, value & MASK)
        self.put(following(name, 1), value >> np.uint64(32))

    def put(self, name, value):
        if name not in ('RZ', 'URZ'):
            self.registers[name] = np.asarray(value).astype(np.uint32)

    def predicate(self, name):
        value = True if name.endswith('PT') else self.predicates[name.lstrip('!')]
        return np.logical_not(value) if name[0] == '!' else value

    # ---- Memory.

    def place(self, a):
        """Which memory, and the first byte of each lane."""
        found = re.search(r'\[(U?R\d+)\.64(?:\+(-?0x[0-9a-f]+))?\]', ' '.join(a))
        if found is None:
            raise Unknown(a)
        address = self.wide(found[1]) + np.uint64(int(found[2] or '0', 16))
        if not np.all(address == address[0]):
            raise Unknown('addresses of items differ')
        first = np.broadcast_to(address, (len(address), LANES))[0].astype(np.int64)
        base = OUT if first[0] >= OUT else IN
        return self.memory[base], first - base

    def load(self, name, a):
        memory, first = self.place(a[1:])
        size = 1 if name.endswith('.U8') else 2 if name.endswith('.U16') else 4
        for word in range({'.64': 2, '128': 4}.get(name[-3:], 1)):
            value = np.zeros((ITEMS, LANES), np.uint32)
            for i in range(size):
                value |= memory[:, first + 4 * word + i].astype(np.uint32) << np.uint32(8 * i)
            self.put(following(a[0], word), value)

    def store(self, name, a):
        memory, first = self.place(a[:1])
        for word in range({'.64': 2, '128': 4}.get(name[-3:], 1)):
            value = np.broadcast_to(self.get(following(a[1], word)), (ITEMS, LANES))
            for i in range(4):
                memory[:, first + 4 * word + i] = value >> np.uint32(8 * i) & np.uint32(255)

    # ---- Integers.

    def add(self, name, a):
        """IADD3: sums of three, carries out and in as predicates. LEA: of a shifted one and one."""
        outs = [x for x in a[1:3] if is_predicate(x)]
        rest = a[1 + len(outs):]
        if name.startswith('LEA'):
            terms = [self.get(rest[0]).astype(np.uint64) << np.uint64(int(rest[2], 16)) & MASK,
                     self.get(rest[1]).astype(np.uint64)]
        else:
            terms = [self.get(x).astype(np.uint64) for x in rest[:3]]
            terms += [np.uint64(1) * self.predicate(x) for x in rest[3:]]
        total = sum(terms)
        self.put(a[0], total & MASK)
        if outs and outs[0] not in ('PT', 'UPT'):
            self.predicates[outs[0]] = total >> np.uint64(32) != 0

    def high_add(self, a):
        """LEA.HI.X: the high half of a shifted pair, plus b and a carry."""
        pair = self.get(a[1]).astype(np.uint64) | self.get(a[3]).astype(np.uint64) << np.uint64(32)
        shifted = pair << np.uint64(int(a[4], 16)) >> np.uint64(32)
        self.put(a[0], shifted + self.get(a[2]) + np.uint64(1) * self.predicate(a[5]) & MASK)

    def multiply(self, name, a):
        x, y = self.get(a[1]), self.get(a[2])
        if '.HI' in name:
            both = x.astype(np.uint64) * y.astype(np.uint64) >> np.uint64(32)
            self.put(a[0], both + self.get(a[3]) & MASK)
            return
        if '.WIDE' not in name:
            self.put(a[0], x * y + self.get(a[3]))
            return
        if not name.endswith('.U32'):
            x, y = (v.astype(np.int32).astype(np.int64) for v in (x, y))
        self.put_wide(a[0], x.astype(np.uint64) * y.astype(np.uint64) + self.wide(a[3]))

    def logic(self, a):
        x, y, z = (self.get(name) for name in a[1:4])
        result = np.zeros((1, LANES), np.uint32)
        for k in range(8):
            if int(a[4], 16) >> k & 1:
                result = result | (x if k & 4 else ~x) & (y if k & 2 else ~y) & (z if k & 1 else ~z)
        return result

    def permute(self, a):
        both = self.get(a[1]).astype(np.uint64) | self.get(a[3]).astype(np.uint64) << np.uint64(32)
        result = np.zeros((1, LANES), np.uint64)
        for k in range(4):
            byte = int(a[2], 16) >> 4 * k & 15
            value = both >> np.uint64(8 * (byte & 7)) & np.uint64(255)
            if byte & 8:  # the sign of the byte, eight times
                value = (value >> np.uint64(7)) * np.uint64(255)
            result = result | value << np.uint64(8 * k)
        return result

    def shuffle(self, a):
        source = np.broadcast_to(self.get(a[2]), (ITEMS, LANES))
        lane = np.broadcast_to(self.get(a[3]) & np.uint32(31), (ITEMS, LANES)).astype(np.int64)
        return np.take_along_axis(source, lane, 1)

    def special(self, a):
        if a[1] in ('SR_LANEID', 'SR_TID.X'):
            return LANE
        if a[1] == 'SR_CTAID.X':
            return self.get('RZ')
        raise Unknown(a)

    # ---- Instructions.

    def half(self, name):
        register, which = name.rsplit('.', 1)
        word = self.registers[register] >> np.uint32(16 if which == 'H1_H1' else 0)
        return matrix.bits_of(word.astype(np.uint16).view(np.float16).astype(np.float32))

    def value(self, name, a):
        """What an instruction writes to its register."""
        get = self.get
        one = {'MOV': lambda: get(a[1]), 'LDC': lambda: get(a[1]), 'LOP3.LUT': lambda: self.logic(a),
               'S2R': lambda: self.special(a), 'S2UR': lambda: self.special(a),
               'PRMT': lambda: self.permute(a), 'SHFL.IDX': lambda: self.shuffle(a),
               'VIADD': lambda: get(a[1]) + get(a[2]),
               'SEL': lambda: np.where(self.predicate(a[3]), get(a[1]), get(a[2])),
               'SHF.R.U32.HI': lambda: get(a[3]) >> np.uint32(int(a[2], 16)),
               'SHF.R.S32.HI': lambda: self.get(a[3]).view(np.int32) >> int(a[2], 16),
               'SHF.L.U32': lambda: get(a[1]) << np.uint32(int(a[2], 16)),
               'HADD2.F32': lambda: self.half(a[2]),
               'FFMA': lambda: matrix.fused(get(a[1]), get(a[2]), get(a[3])),
               'FMUL': lambda: matrix.bits_of(matrix.f32(get(a[1])) * matrix.f32(get(a[2]))),
               'FADD': lambda: matrix.bits_of(matrix.f32(get(a[1])) + matrix.f32(get(a[2]))),
               'F2FP.F16.F32.PACK_AB': lambda: matrix.half_of(get(a[1])) << np.uint32(16)
               | matrix.half_of(get(a[2])),
               'MOVM.16.MT88': lambda: matrix.transposed(self.many(a[1], 1)[0])}
        if name == 'HFMA2.MMA' and a[1:] == ['-RZ', 'RZ', '0', '0']:
            return get('RZ')
        if name not in one:
            raise Unknown(f'{name} {a}')
        return one[name]()

    def step(self, name, a):
        uniform = name[1:] if re.match(r'^U(IADD3|IMAD|LEA|LDC|MOV|SHF|LOP3)', name) else name
        if name.startswith('LDG'):
            self.load(name, a)
        elif name.startswith('STG'):
            self.store(name, a)
        elif uniform in ('LDC.64',):
            at = int(re.search(r'\]\[(0x[0-9a-f]+)\]', a[1])[1], 16)
            self.put_wide(a[0], np.full((1, LANES), CONSTANTS[at], np.uint64))
        elif uniform in ('IADD3', 'IADD3.X', 'LEA'):
            self.add(uniform, a)
        elif uniform == 'LEA.HI.X':
            self.high_add(a)
        elif re.match(r'^IMAD(\.WIDE|\.HI)?(\.U32|\.MOV\.U32|\.SHL\.U32|\.IADD)?$', uniform):
            self.multiply(uniform, a)
        elif name.startswith('ISETP.NE') and a[1] == 'PT' and a[4] == 'PT':
            self.predicates[a[0]] = self.get(a[2]) != self.get(a[3])
        elif name == 'PLOP3.LUT' and a[1] == 'PT' and a[6] == '0x0':
            signs = [self.get(x.removesuffix('.SIGN')) >> np.uint32(31) for x in a[2:5]]
            index = signs[0] << 2 | signs[1] << 1 | signs[2]
            self.predicates[a[0]] = np.uint32(int(a[5], 16)) >> index & 1 != 0
        elif 'MMA.' in name and name != 'HFMA2.MMA':
            form = matrix.FORMS[name] if name in matrix.FORMS else None
            if form is None:
                raise Unknown(name)
            operands = [self.many(x, n) for x, n in zip(a[1:4], form.registers)]
            for i, word in enumerate(form.result(*operands)):
                self.put(following(a[0], i), word)
        else:
            with np.errstate(all='ignore'):
                self.put(a[name == 'SHFL.IDX'], self.value(uniform, a))


def following(name, by):
    if name in ('RZ', 'URZ'):
        return name
    found = re.match(r'^(U?R)(\d+)$', name)
    if found is None:
        raise Unknown(name)
    return f'{found[1]}{int(found[2]) + by}'


def run(code, labels, memory, size):
    warp, at, calls = Warp(memory, size), 0, []
    while not code[at].startswith('EXIT'):
        name, _, rest = code[at].partition(' ')
        at += 1
        if name.startswith('@'):
            raise Unknown(name)
        if name.startswith('CALL'):
            calls.append(at)
            at = labels[re.search(r'`\(([^)]*)\)', rest)[1].lstrip('.')]
        elif name.startswith('RET'):
            at = calls.pop()
        elif name != 'NOP':
            warp.step(name, [x.strip() for x in rest.split(',')])
    return warp.memory[OUT]


def main():
    folder, nvdisasm = pathlib.Path(sys.argv[1]), (sys.argv + ['nvdisasm'])[2]
    for ptx in sorted(folder.glob('*.ptx')):
        cubin, text = ptx.with_suffix('.cubin'), ptx.read_text()
        subprocess.run(['ptxas', '-arch=sm_90', ptx, '-o', cubin], check=True)
        memory = np.fromfile(ptx.with_suffix('.in'), np.uint8).reshape(ITEMS, -1)
        size = int(re.search(r'out, i, (\d+)', text)[1]) * (1 if 'wmma' in text else LANES)
        try:
            run(*disassemble(nvdisasm, cubin), memory, size).tofile(ptx.with_suffix('.out'))
        except Unknown as unknown:
            print(f'machine_code: {ptx}: not known: {unknown}')


if __name__ == '__main__':
    main()
