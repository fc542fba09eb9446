#!/usr/bin/env python3
"""Where elements of fragments lie, as the package tensor-layouts (0.3.2, MIT) has them.
usage: tools/setup_tools.sh BUILD layouts, or python3 -m pip install tensor-layouts==0.3.2; then
  make_places.py mma > places.txt            of mma.sync
  make_places.py moves > places_moves.txt    of ldmatrix and stmatrix
  make_places.py check FILE..                exit code 1: the package says otherwise, 77: there is none
mma: a line has shape, bits of an element of A and B, matrix, then for the lane and for the element of a lane (in
register order, low bits first) factors size:stride of the place, lowest first. A place is row + M * k of A,
column + 8 * k of B, row + M * column of C and D.
moves: instruction, then factors of the row whose address a lane gives (in bits from the first matrix; lanes beyond
repeat), and, behind `lane` and `bit`, of the place of a bit of a lane's registers (row * 128 + bit in the row, 1024 bits
a matrix)."""
import sys

try:
    from tensor_layouts import atoms_nv
except ImportError:
    print("SKIP: no tensor-layouts (tools/setup_tools.sh BUILD layouts)")
    sys.exit(77)

ATOMS = [("SM80_16x8x8_F32F16F16F32_TN", 16), ("SM80_16x8x16_F32F16F16F32_TN", 16),
         ("SM80_16x8x4_F32TF32TF32F32_TN", 32), ("SM80_16x8x8_F32TF32TF32F32_TN", 32),
         ("SM80_8x8x16_S32S8S8S32_TN", 8), ("SM80_16x8x16_S32S8S8S32_TN", 8),
         ("SM80_16x8x32_S32S8S8S32_TN", 8), ("SM80_8x8x32_S32S4S4S32_TN", 4),
         ("SM80_16x8x32_S32S4S4S32_TN", 4), ("SM80_16x8x64_S32S4S4S32_TN", 4),
         ("SM80_8x8x128_S32U1U1S32_TN_XORPOPC", 1), ("SM80_16x8x128_S32U1U1S32_TN_XORPOPC", 1),
         ("SM80_16x8x256_S32U1U1S32_TN_XORPOPC", 1)]
# Of the same places in all their types: bf16, f16 results, the atoms of SM75, e4m3 and e5m2.
SAME = {"SM75_16x8x8_F32F16F16F32_TN": 16, "SM80_16x8x8_F16F16F16F16_TN": 16,
        "SM80_16x8x16_F16F16F16F16_TN": 16, "SM80_16x8x8_F32BF16BF16F32_TN": 16,
        "SM80_16x8x16_F32BF16BF16F32_TN": 16, "SM75_8x8x16_S32S8S8S32_TN": 8}
SAME |= {"SM89_16x8x32_%s%s%s%s_TN" % (d, a, b, d): 8
         for d in ("F32", "F16") for a in ("E4M3", "E5M2") for b in ("E4M3", "E5M2")}
MOVES = [("ldmatrix", "SM75_U%s_LDSM_%s"), ("stmatrix", "SM90_U%s_STSM_%s")]

# The package has 4:32 (as CuTe): lanes would hold k 4 to 7, 8 to 11 ... twice and none k 20 to 31. PTX 9.7.14.5.6.
CORRECTED = {("m16n8k32", 4, "B"): "4:64 8:1"}


def flat(x):
    return [y for part in x for y in flat(part)] if isinstance(x, tuple) else [x]


def factors(shape, stride):
    return " ".join("%d:%d" % f for f in zip(flat(shape), flat(stride)) if f[0] != 1) or "1:0"


def places(name, bits):
    atom = getattr(atoms_nv, name)
    shape = "m%dn%dk%d" % tuple(atom.shape_mnk)
    for matrix, layout in (("A", atom.a_layout), ("B", atom.b_layout), ("C", atom.c_layout)):
        lane = factors(layout.shape[0], layout.stride[0])
        yield "%s %d %s lane %s element %s" % (
            shape, bits, matrix, CORRECTED.get((shape, bits, matrix), lane),
            factors(layout.shape[1], layout.stride[1]))


def mma():
    lines = [line for name, bits in ATOMS for line in places(name, bits)]
    for name, bits in SAME.items():
        for line in places(name, bits):
            if line not in lines:
                sys.exit("%s has another place: %s" % (name, line))
    return lines


def moves():
    for instruction, pattern in MOVES:
        for trans, width in (("N", "32x"), ("T", "16x")):
            for count in (1, 2, 4):
                atom = getattr(atoms_nv, pattern % (width + str(count * (2 if trans == "T" else 1)), trans))
                sides = [atom.src_layout_bits, atom.dst_layout_bits]
                rows, registers = sides if instruction == "ldmatrix" else sides[::-1]
                yield "%s.x%d%s row %s lane %s bit %s" % (
                    instruction, count, ".trans" if trans == "T" else "",
                    factors(rows.shape[0], rows.stride[0]), factors(registers.shape[0], registers.stride[0]),
                    factors(registers.shape[1], registers.stride[1]))


def text(what):
    lines = mma() if what == "mma" else list(moves())
    return "# made by make_places.py from the package tensor-layouts 0.3.2\n" + "\n".join(lines) + "\n"


def main():
    if len(sys.argv) == 2 and sys.argv[1] in ("mma", "moves"):
        print(text(sys.argv[1]), end="")
        return
    if len(sys.argv) < 3 or sys.argv[1] != "check":
        sys.exit(__doc__)
    for path in sys.argv[2:]:
        with open(path, encoding="ascii") as f:
            if f.read() != text("moves" if "moves" in path else "mma"):
                sys.exit("%s: the package has other places" % path)
    print("%d files, %d atoms: equal" % (len(sys.argv) - 2, len(ATOMS) + len(SAME) + 12))


main()
