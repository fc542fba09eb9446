"""nextpnr's chip database (ecp5/chipdb-*.bin of release 0.11), read once more and apart from the router."""
import struct


class Chip:
    """wires(x, y): names; pips(x, y): {name as nextpnr writes it behind the tile: (source, target, class,
    permutation flags)}, source and target (x, y, name); fanout delays of a class: delay[class]."""

    def __init__(self, data):
        self.data, self.known = data, {}
        at = self.number(0)
        self.width, self.height, tiles = struct.unpack_from('<3i', data, at)
        slices = [self.slice(at + 16 + 8 * k) for k in range(8)]
        self.types = slices[0][0]
        self.type_of = struct.unpack_from(f'<{tiles}i', data, slices[1][0])
        grades = slices[7][0]
        pips, count = self.slice(grades + 8)  # of grade 6, the first
        self.delay = [struct.unpack_from('<4i', data, pips + 16 * k) for k in range(count)]

    def number(self, at):
        return struct.unpack_from('<i', self.data, at)[0]

    def slice(self, at):
        return at + self.number(at), self.number(at + 4)

    def name(self, at):
        at += self.number(at)
        return self.data[at:self.data.index(b'\0', at)].decode()

    def type(self, x, y):
        """(names of wires, pips) of a tile's type."""
        kind = self.type_of[y * self.width + x]
        if kind not in self.known:
            at = self.types + 24 * kind
            wires, count = self.slice(at + 8)
            names = [self.name(wires + 32 * k) for k in range(count)]
            pips, count = self.slice(at + 16)
            self.known[kind] = names, [struct.unpack_from('<7hbbhh', self.data, pips + 20 * k) for k in range(count)]
        return self.known[kind]

    def wires(self, x, y):
        return self.type(x, y)[0]

    def pips(self, x, y):
        found = {}
        for ax, ay, bx, by, a, b, delay, _, _, flags, _ in self.type(x, y)[1]:
            source = self.wires(x + ax, y + ay)[a]
            target = self.wires(x + bx, y + by)[b]
            found[f'{ax}_{ay}_{source}->{bx}_{by}_{target}'] = (
                (x + ax, y + ay, source), (x + bx, y + by, target), delay, flags)
        return found
