/* umma_kind_fault_cases.c: traps of products of all kinds, of A in tensor memory, of copies and shifts, with their
 * addresses (docs/microarchitecture.md 26.1, 26.6 to 26.8). Lane 9 of 32 gives the command. */
#include "tests/machine/umma_kind.h"

enum { LANE = 9 };

#define GIVES "setp.u32.ri P6, PT, R0, 0x9, PT {cmp=eq bop=none}\n"
#define FAULT(what, code, at, bytes, program)                                                      \
  {.name = what,                                                                                   \
   .cause = WL_TRAP_##code,                                                                        \
   .any_lanes = true,                                                                              \
   .lane = LANE,                                                                                   \
   .address = at,                                                                                  \
   .text = "s2r R0, SR0\n" GIVES program "exit\n",                                                 \
   .block = {32, 1, 1},                                                                            \
   .regs = 64,                                                                                     \
   .umma = true,                                                                                   \
   .columns = 64,                                                                                  \
   .shared = bytes}

/* All 64 columns, or 32, are allocated. The right operands: 128 rows in 0x1000 bytes, 16 in 0x200. */
#define ALL      "mov.i R3, 0x40\n tmem.alloc R3\n mov.r R3, RZ\n"
#define HALF     "mov.i R3, 0x20\n tmem.alloc R3\n mov.r R3, RZ\n"
#define A_LOW    0x00800000
#define B_LOW    0x00100100
#define K_HIGH   0x00004008
#define TF32_I   0x08040910
#define NARROW_I 0x08040410
#define BYTES_I  0x080404a0
#define HERE     "here:\n"
#define GIVE(op, al, ah, bl, bh, d, i)                                                             \
  UMMA_WORDS(al, ah, bl, bh, d, i) HERE UMMA_GIVE_##op(0x0, PT) "\n"
#define GIVE_TA(op, a, bl, bh, d, i)                                                               \
  UMMA_WORDS(a, 0xffffffff, bl, bh, d, i) HERE UMMA_GIVE_##op(0x0, PT) " {ta}\n"
#define OF_I(op, what, i)                                                                          \
  FAULT(what, TENSOR_DESCRIPTOR, i, 0x1200, ALL GIVE(op, A_LOW, K_HIGH, B_LOW, K_HIGH, 0x0, i))
#define OF_A(op, what, at, bytes, al, ah, i)                                                       \
  FAULT(what, TENSOR_DESCRIPTOR, at, bytes, ALL GIVE(op, al, ah, 0x00100000, K_HIGH, 0x0, i))
#define OF_B(op, what, at, bytes, bl, bh, i)                                                       \
  FAULT(what, TENSOR_DESCRIPTOR, at, bytes, ALL GIVE(op, 0x00400000, K_HIGH, bl, bh, 0x0, i))
#define OF_D(op, what, code, at, before, d, i)                                                     \
  FAULT(what, code, at, 0x1200, before GIVE(op, A_LOW, K_HIGH, B_LOW, K_HIGH, d, i))
#define OF_TA(what, code, at, before, a, bl, d, i)                                                 \
  FAULT(what, code, at, 0x1200, before GIVE_TA(I8, a, bl, K_HIGH, d, i))
#define OF_CP(what, code, at, bytes, before, al, ah, t, imm)                                       \
  FAULT(what, code, at, bytes,                                                                     \
        before "mov.i R40, " WORD(al) "\n mov.i R41, " WORD(ah) "\n mov.i R44, " WORD(             \
            t) "\n" HERE "@P6 umma.cp R40:R41, R44, " WORD(imm) "\n")
#define OF_SHIFT(what, code, before, t)                                                            \
  FAULT(what, code, t, 0x1200, before "mov.i R44, " WORD(t) "\n" HERE "@P6 umma.shift R44\n")

const machine_case_t machine_umma_kind_fault_cases[] = {
    /* ---- instruction descriptors */
    OF_I(TF32, "tf32: D of type 0", 0x08040900),
    OF_I(TF32, "tf32: D of type 2", 0x08040920),
    OF_I(TF32, "tf32: A of type 0", 0x08040810),
    OF_I(TF32, "tf32: A of type 3", 0x08040990),
    OF_I(TF32, "tf32: B of type 1", 0x08040510),
    OF_I(TF32, "tf32: bit 3", 0x08040918),
    OF_I(TF32, "tf32: bit 2", 0x08040914),
    OF_I(TF32, "tf32: no columns", 0x08000910),
    OF_I(TF32, "tf32: 96 rows", 0x06040910),
    OF_I(F8F6F4, "f8f6f4: D of type 2", 0x08040420),
    OF_I(F8F6F4, "f8f6f4: A of type 2", 0x08040510),
    OF_I(F8F6F4, "f8f6f4: A of type 6", 0x08040710),
    OF_I(F8F6F4, "f8f6f4: A of type 7", 0x08040790),
    OF_I(F8F6F4, "f8f6f4: B of type 2", 0x08040810),
    OF_I(F8F6F4, "f8f6f4: B of type 6", 0x08041810),
    OF_I(F8F6F4, "f8f6f4: B of type 7", 0x08041c10),
    OF_I(F8F6F4, "f8f6f4: bit 3", 0x08040418),
    OF_I(F8F6F4, "f8f6f4: bit 23", 0x08840410),
    OF_I(F8F6F4, "f8f6f4: 264 columns", 0x08420410),
    OF_I(F8F6F4, "f8f6f4: 24 columns of an MN-major B", 0x08070410),
    OF_I(I8, "i8: D of type 0", 0x08040480),
    OF_I(I8, "i8: D of type 1", 0x08040490),
    OF_I(I8, "i8: D of type 3", 0x080404b0),
    OF_I(I8, "i8: A of type 2", 0x08040520),
    OF_I(I8, "i8: B of type 2", 0x080408a0),
    OF_I(I8, "i8: A negated", 0x080424a0),
    OF_I(I8, "i8: B negated", 0x080444a0),
    OF_I(I8, "i8: bit 6", 0x080404e0),
    OF_I(I8, "i8: 40 columns", 0x080a04a0),
    OF_I(I8, "i8: 8 columns of an MN-major B", 0x080304a0),
    OF_I(I8, "i8: a shift", 0x480404a0),
    /* ---- descriptors of operands */
    OF_A(TF32, "tf32: A MN-major without swizzle", 0x0000402000400000, 0x1200, 0x00400000,
         0x00004020, 0x08048910),
    OF_A(TF32, "tf32: A MN-major, 128 bytes", 0x4000402000400000, 0x1200, 0x00400000, 0x40004020,
         0x08048910),
    OF_B(TF32, "tf32: B MN-major, 32 bytes", 0xc000402000400000, 0x1200, 0x00400000, 0xc0004020,
         0x04050910),
    OF_A(F8F6F4, "f8f6f4: A MN-major in atoms of 32 bytes", 0x2000402000400000, 0x1200, 0x00400000,
         0x20004020, 0x08048410),
    OF_B(I8, "i8: B MN-major in atoms of 32 bytes", 0x2000402000400000, 0x1200, 0x00400000,
         0x20004020, 0x040504a0),
    OF_A(I8, "i8: A: swizzle 5", 0xa000400800800000, 0x1200, A_LOW, 0xa0004008, BYTES_I),
    OF_B(F8F6F4, "f8f6f4: B: constant 2", 0x0000800800100100, 0x1200, B_LOW, 0x00008008,
         0x04040410),
    /* ---- ends */
    OF_A(TF32, "tf32: the end of A", 0xfff, 0xff0, A_LOW, K_HIGH, TF32_I),
    OF_A(TF32, "tf32: the end of an MN-major A", 0xfff, 0xff0, 0x00400000, 0x20004020, 0x08048910),
    OF_B(TF32, "tf32: the end of an MN-major B of one pattern", 0xfff, 0xff0, 0x00400060,
         0x20004080, 0x04050910),
    OF_A(I8, "i8: the end of A, atoms of 32 bytes", 0x3fff, 0x3ff0, 0x00000000, 0x20004040,
         BYTES_I),
    OF_A(F8F6F4, "f8f6f4: the end of an MN-major A without swizzle", 0xfff, 0xff0, 0x00080000,
         0x00004020, 0x08048410),
    OF_A(F8F6F4, "f8f6f4: the end of an MN-major A, 32 bytes", 0xfff, 0xff0, 0x00400000, 0xc0004010,
         0x08048410),
    OF_B(I8, "i8: the end of an MN-major B of one pattern", 0xfff, 0xff0, 0x00400000, 0x40004040,
         0x040904a0),
    /* ---- D */
    OF_D(TF32, "tf32: D of 128 rows in lane 16", TMEM_LANES, 0x100000, ALL, 0x100000, TF32_I),
    OF_D(I8, "i8: D behind the last column", TMEM_RANGE, 0x31, ALL, 0x31, BYTES_I),
    OF_D(F8F6F4, "f8f6f4: D in columns that are not allocated", TMEM_RANGE, 0x18, HALF, 0x18,
         NARROW_I),
    /* ---- A in tensor memory, in this order */
    OF_TA("A in tensor memory, MN-major", TENSOR_DESCRIPTOR, 0x080484a0, ALL, 0x20, 0x00108100,
          0x10000, 0x080484a0),
    OF_TA("A in tensor memory: i", TENSOR_DESCRIPTOR, 0x080404e0, ALL, 0x20, 0x00108100, 0x10000,
          0x080404e0),
    OF_TA("A in tensor memory: the descriptor of B", TENSOR_DESCRIPTOR, 0x0000400800108100, ALL,
          0x20, 0x00108100, 0x10000, BYTES_I),
    OF_TA("A in tensor memory: the end of B", TENSOR_DESCRIPTOR, 0x120f, ALL, 0x20, 0x00100101,
          0x10000, BYTES_I),
    OF_TA("A in tensor memory: D of 128 rows in lane 16", TMEM_LANES, 0x100000, ALL, 0x100020,
          B_LOW, 0x100000, BYTES_I),
    OF_TA("A in tensor memory: A in lane 16, D in lane 0", TMEM_LANES, 0x100020, ALL, 0x100020,
          B_LOW, 0xff, BYTES_I),
    OF_TA("A in tensor memory: A in lane 0, D in lane 16", TMEM_LANES, 0x20, ALL, 0x20, B_LOW,
          0x100000, 0x040404a0),
    OF_TA("A in tensor memory: D before A", TMEM_RANGE, 0x31, ALL, 0x39, B_LOW, 0x31, BYTES_I),
    OF_TA("A in tensor memory: A behind the last column", TMEM_RANGE, 0x39, ALL, 0x39, B_LOW, 0x0,
          BYTES_I),
    OF_TA("A in tensor memory: A behind all columns", TMEM_RANGE, 0xffff, ALL, 0xffff, B_LOW, 0x0,
          BYTES_I),
    OF_TA("A in tensor memory: A in columns that are not allocated", TMEM_RANGE, 0x19, HALF, 0x19,
          B_LOW, 0x0, BYTES_I),
    /* ---- copies */
    OF_CP("a copy of shape 6", TENSOR_DESCRIPTOR, 0x6, 0x1200, ALL, A_LOW, 0x8, 0x10000, 0x6),
    OF_CP("a copy of shape 7, high bits", TENSOR_DESCRIPTOR, 0x17, 0x1200, ALL, A_LOW, 0x8, 0x10000,
          0xfffffff7),
    OF_CP("a copy with unpacking 3", TENSOR_DESCRIPTOR, 0x1a, 0x1200, ALL, A_LOW, 0x8, 0x10000,
          0x1a),
    OF_CP("a copy: constant 0", TENSOR_DESCRIPTOR, 0x0000000800800201, 0x1200, ALL, 0x00800201, 0x8,
          0x10000, 0x0),
    OF_CP("a copy: swizzle 3", TENSOR_DESCRIPTOR, 0x6000400800800000, 0x1200, ALL, A_LOW,
          0x60004008, 0x0, 0x0),
    OF_CP("a copy: the end of 128x256b", TENSOR_DESCRIPTOR, 0xfff, 0xff0, ALL, A_LOW, K_HIGH,
          0x10000, 0x0),
    OF_CP("a copy: the end of 4x256b", TENSOR_DESCRIPTOR, 0x83f, 0x830, ALL, A_LOW, K_HIGH,
          0x200000, 0x1),
    OF_CP("a copy: the end of 4x256b in atoms", TENSOR_DESCRIPTOR, 0x1ff, 0x1f0, ALL, 0x0,
          0x20004008, 0x0, 0x1),
    OF_CP("a copy: the end of 128x128b", TENSOR_DESCRIPTOR, 0x7ff, 0x7f0, ALL, A_LOW, K_HIGH, 0x0,
          0x2),
    OF_CP("a copy: the end of 64x128b", TENSOR_DESCRIPTOR, 0x3ff, 0x3f0, ALL, A_LOW, K_HIGH, 0x0,
          0x3),
    OF_CP("a copy: the end of the other 64x128b", TENSOR_DESCRIPTOR, 0x40f, 0x400, ALL, 0x00800001,
          K_HIGH, 0x0, 0x4),
    OF_CP("a copy: the end of 32x128b", TENSOR_DESCRIPTOR, 0x1ff, 0x1f0, ALL, A_LOW, K_HIGH, 0x0,
          0x5),
    OF_CP("a copy to lane 1", TMEM_LANES, 0x1ffff, 0x1200, ALL, A_LOW, K_HIGH, 0x1ffff, 0x0),
    OF_CP("a copy of 4x256b to lane 32", TMEM_LANES, 0x200000, 0x1200, ALL, A_LOW, K_HIGH, 0x200000,
          0x1),
    OF_CP("a copy of 32x128b to lane 32", TMEM_LANES, 0x200000, 0x1200, ALL, A_LOW, K_HIGH,
          0x200000, 0x5),
    OF_CP("a copy of 8 columns behind the last one", TMEM_RANGE, 0x39, 0x1200, ALL, A_LOW, K_HIGH,
          0x39, 0x0),
    OF_CP("a copy of 4 columns behind the last one", TMEM_RANGE, 0x3d, 0x1200, ALL, A_LOW, K_HIGH,
          0x3d, 0x4),
    OF_CP("a copy of 4x256b behind the last column", TMEM_RANGE, 0x1f0039, 0x1200, ALL, A_LOW,
          K_HIGH, 0x1f0039, 0x1),
    OF_CP("a copy to columns that are not allocated", TMEM_RANGE, 0x1d, 0x1200, HALF, A_LOW, K_HIGH,
          0x1d, 0x5),
    /* ---- shifts */
    OF_SHIFT("a shift in lane 16", TMEM_LANES, ALL, 0x100000),
    OF_SHIFT("a shift in lane 33", TMEM_LANES, ALL, 0x210000),
    OF_SHIFT("a shift in lane 128, behind the last column", TMEM_LANES, ALL, 0x800039),
    OF_SHIFT("a shift in high lanes", TMEM_LANES, ALL, 0x80000000),
    OF_SHIFT("a shift behind the last column", TMEM_RANGE, ALL, 0x600039),
    OF_SHIFT("a shift behind all columns", TMEM_RANGE, ALL, 0x60ffff),
    OF_SHIFT("a shift of columns that are not allocated", TMEM_RANGE, HALF, 0x200019),
    {.name = NULL}};
