#!/usr/bin/env python3
"""Writes places.txt: where the elements of the fragments of mma.sync lie, as the package tensor-layouts
(0.3.2, MIT) has them. usage: python3 -m pip install tensor-layouts==0.3.2; make_places.py > places.txt
A line: shape, bits of an element of A and B, matrix, then for the lane and for the element of a lane (in
register order, low bits first) factors size:stride of the place, lowest first. A place is row + M * k of A,
column + 8 * k of B, row + M * column of C and D."""
from tensor_layouts import atoms_nv

ATOMS = [("SM80_16x8x8_F32F16F16F32_TN", 16), ("SM80_16x8x16_F32F16F16F32_TN", 16),
         ("SM80_16x8x4_F32TF32TF32F32_TN", 32), ("SM80_16x8x8_F32TF32TF32F32_TN", 32),
         ("SM80_8x8x16_S32S8S8S32_TN", 8), ("SM80_16x8x16_S32S8S8S32_TN", 8),
         ("SM80_16x8x32_S32S8S8S32_TN", 8), ("SM80_8x8x32_S32S4S4S32_TN", 4),
         ("SM80_16x8x32_S32S4S4S32_TN", 4), ("SM80_16x8x64_S32S4S4S32_TN", 4),
         ("SM80_8x8x128_S32U1U1S32_TN_XORPOPC", 1), ("SM80_16x8x128_S32U1U1S32_TN_XORPOPC", 1),
         ("SM80_16x8x256_S32U1U1S32_TN_XORPOPC", 1)]

# The package has 4:32 (as CuTe): lanes would hold k 4 to 7, 8 to 11 ... twice and none k 20 to 31. PTX 9.7.14.5.6.
CORRECTED = {("m16n8k32", 4, "B"): "4:64 8:1"}


def flat(x):
    return [y for part in x for y in flat(part)] if isinstance(x, tuple) else [x]


def factors(shape, stride):
    return " ".join("%d:%d" % f for f in zip(flat(shape), flat(stride)) if f[0] != 1) or "1:0"


def main():
    print("# made by make_places.py from the package tensor-layouts 0.3.2")
    for name, bits in ATOMS:
        atom = getattr(atoms_nv, name)
        shape = "m%dn%dk%d" % tuple(atom.shape_mnk)
        for matrix, layout in (("A", atom.a_layout), ("B", atom.b_layout), ("C", atom.c_layout)):
            lane = factors(layout.shape[0], layout.stride[0])
            print(shape, bits, matrix, "lane", CORRECTED.get((shape, bits, matrix), lane), "element",
                  factors(layout.shape[1], layout.stride[1]))


main()
