"""How far a mutant can reach, without looking at values (prove.py): bits that depend on the choice
between original and mutant, through logic, registers and memories, in a flattened module. What reaches
no port, no instance and no memory that is compared in place is not seen by anybody. Reads RTLIL text,
which is faster by far than a walk over the objects.
"""
import re

PORTS = {'A', 'B', 'S', 'Y', 'D', 'Q', 'CLK'}
BITWISE = ('$and', '$or', '$xor', '$xnor', '$not', '$pos', '$mux', '$pmux', '$bwmux', '$dff')
NUMBER = re.compile(r"\d+(?:'|$)|-\d+$")


class Cell:
    def __init__(self, kind, name):
        self.kind, self.name = kind, name
        self.memory = None
        self.ports = {}


class Netlist:
    """Of the module `top`. Signals stay text until their bits are asked for, which most never are."""

    def __init__(self, path, top):
        self.width, self.inputs, self.outputs = {}, set(), set()
        self.cells, self.joins = [], []
        self.readers = {}
        cell, inside = None, False
        with open(path, encoding='ascii') as lines:
            for line in lines:
                words = line.split()
                if words[:1] == ['module']:
                    inside = words[1] == '\\' + top
                elif inside:
                    inside = words != ['end'] or cell is not None
                    cell = self.take(words, line, cell)
        for number, one in enumerate(self.cells):
            for port, signal in one.ports.items():
                self.index(signal, (number, port))
        for number, (_, source) in enumerate(self.joins):
            self.index(source, (-1 - number, ''))

    def take(self, words, line, cell):
        if not words:
            return cell
        if words[0] == 'wire':
            name = words[-1]
            self.width[name] = int(words[words.index('width') + 1]) if 'width' in words else 1
            for kind, names in (('input', self.inputs), ('output', self.outputs),
                                ('inout', self.outputs)):
                if kind in words[1:-1]:
                    names.add(name)
        elif words[0] == 'cell':
            cell = Cell(words[1], words[2])
            self.cells.append(cell)
        elif words[0] == 'end':
            return None
        elif words[0] == 'parameter' and words[1] == '\\MEMID':
            cell.memory = words[2].strip('"').replace('\\\\', '\\')
        elif words[0] == 'connect' and cell is not None:
            cell.ports[words[1].lstrip('\\')] = line.split(None, 2)[2].strip()
        elif words[0] == 'connect':
            left, right = self.both(line.split(None, 1)[1].strip())
            self.joins.append((left, right))
        return cell

    @staticmethod
    def both(text):
        """The two signals of a connection of the module."""
        if text.startswith('{'):
            end = text.index('}') + 1
        else:
            words = text.split(' ', 2)
            end = len(words[0])
            if len(words) > 1 and words[1].startswith('['):
                end += 1 + len(words[1])
        return text[:end], text[end:].strip()

    def bits(self, text):
        """(wire, bit), lowest first; None for a constant."""
        parts = text.strip('{} \n').split()
        out, at = [], 0
        chunks = []
        while at < len(parts):
            word = parts[at]
            at += 1
            if NUMBER.match(word):
                count = int(word.partition("'")[0]) if "'" in word else 32
                chunks.append([None] * count)
                continue
            low, high = 0, self.width[word] - 1
            if at < len(parts) and parts[at].startswith('['):
                first, _, second = parts[at].strip('[]').partition(':')
                high = int(first)
                low = int(second) if second else high
                at += 1
            chunks.append([(word, bit) for bit in range(low, high + 1)])
        for chunk in reversed(chunks):
            out += chunk
        return out

    def index(self, text, where):
        for word in set(re.findall(r'[\\$][^\s{}]+', text)):
            self.readers.setdefault(word, []).append(where)


class Reach:
    def __init__(self, netlist, compared):
        """compared: pattern of the names of memories that are compared in place."""
        self.n = netlist
        self.compared = re.compile(rf'(^|[\\.])({compared})$')
        self.reached = set()   # bits of wires
        self.columns = set()   # (memory, bit)
        self.state = set()     # register bits, of the above
        self.seen = []         # by whom a mutant could be seen
        self.work = []

    def add(self, bits):
        for bit in bits:
            if bit is not None and bit not in self.reached:
                self.reached.add(bit)
                self.work.append(bit)
                if bit[0] in self.n.outputs:
                    self.seen.append(f'output {bit[0]}[{bit[1]}]')

    def run(self, wire):
        self.add([(wire, bit) for bit in range(self.n.width[wire])])
        while self.work and not self.seen:
            bit = self.work.pop()
            for number, port in self.n.readers.get(bit[0], ()):
                if number < 0:
                    left, right = self.n.joins[-1 - number]
                    for to, source in zip(self.n.bits(left), self.n.bits(right)):
                        if source == bit:
                            self.add([to])
                else:
                    cell = self.n.cells[number]
                    for place, source in enumerate(self.n.bits(cell.ports[port])):
                        if source == bit:
                            self.step(cell, port, place)
        return not self.seen

    def step(self, cell, port, place):
        """Bit `place` of a port is reached: what is it of the cell's outputs?"""
        if port in ('Y', 'Q') and cell.kind.startswith('$'):
            return  # driven here, not read
        if cell.kind.startswith('$mem'):
            self.memory(cell, port, place)
        elif not cell.kind.startswith('$'):
            self.seen.append(f'{cell.kind} {cell.name}.{port}[{place}]')
        elif 'dff' in cell.kind and (cell.kind != '$dff' or port != 'D'):
            self.seen.append(f'{cell.kind} {cell.name}.{port}')
        elif 'latch' in cell.kind or not PORTS.issuperset(cell.ports):
            self.seen.append(f'{cell.kind} {cell.name}')
        else:
            self.logic(cell, port, place)

    def logic(self, cell, port, place):
        out = self.n.bits(cell.ports['Q' if cell.kind == '$dff' else 'Y'])
        if cell.kind in BITWISE and port != 'S':
            width = [len(self.n.bits(s)) for p, s in cell.ports.items() if p in ('A', 'B', 'D')]
            if cell.kind == '$pmux' or all(w == len(out) for w in width):
                out = [out[place % len(out)]]
        if cell.kind == '$dff':
            self.state.update(bit for bit in out if bit)
        self.add(out)

    def memory(self, cell, port, place):
        if cell.kind.startswith('$memrd'):
            if port == 'ADDR':
                self.add(self.n.bits(cell.ports['DATA']))
            elif port != 'DATA':
                self.seen.append(f'{cell.kind} {cell.name}.{port}')
            return
        if not cell.kind.startswith('$memwr') or self.compared.search(cell.memory):
            self.seen.append(f'memory {cell.memory}')
            return
        width = len(self.n.bits(cell.ports['DATA']))
        for column in [place] if port in ('DATA', 'EN') else range(width):
            if (cell.memory, column) not in self.columns:
                self.columns.add((cell.memory, column))
                for reader in self.n.cells:
                    if reader.kind.startswith('$memrd') and reader.memory == cell.memory:
                        self.add([self.n.bits(reader.ports['DATA'])[column]])
