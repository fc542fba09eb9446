/* umma_tmem_cases.c: products with A in tensor memory, copies into it, shifts (docs/microarchitecture.md 26.6 to
 * 26.8; umma_kind.h). X, T, C and S name the words of a product, one with A in tensor memory, a copy, a shift. */
#include "tests/machine/umma_kind.h"

/* ---- A in tensor memory, in columns 48 to 55 as the threads filled it. D beside it, over it, and twice */
#define TA_F16(X, T, C, S)  T(F16, 0x30, 0x00080200, 0x00004010, 0x0, 0x08040010, 0x0, NO)
#define TA_TF32(X, T, C, S) T(TF32, 0x30, 0x00400200, 0x20044020, 0x8, 0x08090910, 0x0, PT)
#define TA_E4(X, T, C, S)   T(F8F6F4, 0x30, 0x00000300, 0x80004020, 0x0, 0x08044410, 0x0, PT)
#define TA_E5(X, T, C, S)   T(F8F6F4, 0x30, 0x00800200, 0x80004020, 0x0, 0x08110090, 0x0, NO)
#define TA_E2M3(X, T, C, S) T(F8F6F4, 0x30, 0x00080200, 0x00004010, 0x0, 0x08043190, 0x0, PT)
#define TA_E3M2(X, T, C, S) T(F8F6F4, 0x30, 0x00000220, 0xc0004010, 0x10, 0x08020e10, 0x0, PT)
#define TA_E2M1(X, T, C, S) T(F8F6F4, 0x30, 0x00000104, 0x20004040, 0x0, 0x08023690, 0x0, PT)
#define TA_S8(X, T, C, S)   T(I8, 0x30, 0x00000402, 0x40004040, 0x0, 0x080804a8, 0x0, PT)
#define TA_64(X, T, C, S)                                                                          \
  T(F8F6F4, 0x30, 0x00080200, 0x00004010, 0x0, 0x04041190, 0x0, PT)                                \
  T(F8F6F4, 0x100030, 0x00000220, 0xc0004010, 0x100008, 0x04020e90, 0x0, PT)
#define TA_OVER(X, T, C, S)     T(I8, 0x30, 0x00000402, 0x40004040, 0x28, 0x080404a0, 0x0, NO)
#define TA_OFF_UNIT(X, T, C, S) T(I8, 0x1d, 0x00000402, 0x40004040, 0x0, 0x08040020, 0x0, PT)
#define TA_MASK(X, T, C, S)     T(I8_MASK, 0x30, 0x00000402, 0x40004040, 0x0, 0x08080420, 0x0, PT)
/* Its A is what the ones before it wrote: of s32, as bytes. */
#define TA_CHAIN(X, T, C, S)                                                                       \
  X(I8, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x080404a0, 0x0, NO)                  \
  T(I8, 0x0, 0x00000402, 0x40004040, 0x10, 0x08040020, 0x0, NO)                                    \
  T(F8F6F4, 0x12, 0x00000220, 0xc0004010, 0x20, 0x08020e90, 0x0, NO)                               \
  X(I8, 0x00000082, 0x80004020, 0x00000300, 0x80004020, 0x10, 0x04080028, 0x0, PT)
UMMA_EXPECT(ta_f16, HALF, F32, 48, TA_F16)
UMMA_EXPECT(ta_tf32, TF32, F32, 48, TA_TF32)
UMMA_EXPECT(ta_e4, BYTE, F32, 48, TA_E4)
UMMA_EXPECT(ta_e5, BYTE, F32, 48, TA_E5)
UMMA_EXPECT(ta_e2m3, ANY, F32, 48, TA_E2M3)
UMMA_EXPECT(ta_e3m2, BYTE, F32, 48, TA_E3M2)
UMMA_EXPECT(ta_e2m1, BYTE, F32, 48, TA_E2M1)
UMMA_EXPECT(ta_s8, ANY, S32, 48, TA_S8)
UMMA_EXPECT(ta_64, ANY, F32, 48, TA_64)
UMMA_EXPECT(ta_over, ANY, S32, 48, TA_OVER)
UMMA_EXPECT(ta_off_unit, ANY, S32, 29, TA_OFF_UNIT)
UMMA_EXPECT(ta_mask, ANY, S32, 48, TA_MASK)
UMMA_EXPECT(ta_chain, ANY, S32, NO_A, TA_CHAIN)
#define TA_CASE(what, name, elements, labels, COMMANDS)                                            \
  UMMA_STEPS_CASE("A in tensor memory: " what, name, elements, labels, UMMA_FILL_A(0x30), COMMANDS)

/* ---- copies; of .4x256b lane z. A base offset, columns that no unit begins with */
#define CP_128X256(X, T, C, S) C(0x01000010, 0x00004008, 0x0, 0x0)
#define CP_4X256(X, T, C, S)   C(0x00000008, 0x40024040, 0x1d0013, 0x1)
#define CP_4X256_0(X, T, C, S) C(0x00080100, 0x00004010, 0x3, 0x1)
/* The same: without a swizzle its base offset is not looked at. */
#define CP_IGNORED(X, T, C, S) C(0x00080100, 0x000a4010, 0x3, 0x1)
#define CP_128X128(X, T, C, S) C(0x00000040, 0xc0004010, 0x1e, 0x2)
#define CP_02_13(X, T, C, S)   C(0x00000082, 0x80004020, 0x8, 0x3)
#define CP_01_23(X, T, C, S)   C(0x00000002, 0x20004040, 0x3c, 0x4)
#define CP_32X128(X, T, C, S)  C(0x00000010, 0x00004008, 0x10, 0xffffffe5)
#define CP_SIX(X, T, C, S)     C(0x00000006, 0x40004040, 0x0, 0x8)
#define CP_FOUR(X, T, C, S)    C(0x00000040, 0xc0004010, 0x8, 0x12)
#define CP_FOUR_4(X, T, C, S)  C(0x01000010, 0x00004008, 0x80000, 0x11)
#define CP_SIX_32(X, T, C, S)  C(0x00000300, 0x00004010, 0x21, 0xd)
/* Copies that overtake nothing: the second over the first, a product of what was unpacked, a copy over it. */
#define CP_CHAIN(X, T, C, S)                                                                       \
  C(0x01000010, 0x00004008, 0x0, 0x8)                                                              \
  C(0x00000300, 0x00004010, 0x4, 0x5)                                                              \
  T(F8F6F4, 0x0, 0x00000220, 0xc0004010, 0x10, 0x08020e90, 0x0, NO)                                \
  C(0x00000082, 0x80004020, 0x0, 0x10)                                                             \
  T(F8F6F4, 0x0, 0x00080200, 0x00004010, 0x20, 0x08041290, 0x0, NO)                                \
  C(0x00000006, 0x40004040, 0x12, 0x1)                                                             \
  X(I8, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x30, 0x080404a0, 0x0, NO)                 \
  C(0x00000010, 0x00004008, 0x34, 0x2)
#define COPY_EXPECT(name, COMMANDS) UMMA_EXPECT(name, ANY, S32, NO_A, COMMANDS)
COPY_EXPECT(cp_128x256, CP_128X256)
COPY_EXPECT(cp_4x256, CP_4X256)
COPY_EXPECT(cp_4x256_0, CP_4X256_0)
COPY_EXPECT(cp_128x128, CP_128X128)
COPY_EXPECT(cp_02_13, CP_02_13)
COPY_EXPECT(cp_01_23, CP_01_23)
COPY_EXPECT(cp_32x128, CP_32X128)
COPY_EXPECT(cp_six, CP_SIX)
COPY_EXPECT(cp_four, CP_FOUR)
COPY_EXPECT(cp_four_4, CP_FOUR_4)
COPY_EXPECT(cp_six_32, CP_SIX_32)
COPY_EXPECT(cp_chain, CP_CHAIN)

/* ---- shifts: of each quarter; twice, of columns that overlap; of what a product and a copy wrote */
#define SHIFT_0(X, T, C, S) S(0x0)
#define SHIFT_3(X, T, C, S) S(0x600038)
#define SHIFTS(X, T, C, S)  S(0x20001c) S(0x200020) S(0x400005) S(0x400005) S(0x3)
#define SHIFT_CHAIN(X, T, C, S)                                                                    \
  X(I8, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x080404a0, 0x0, NO)                  \
  S(0x200004)                                                                                      \
  C(0x00000008, 0x40024040, 0x1f0004, 0x1)                                                         \
  S(0x400006)                                                                                      \
  T(I8, 0x4, 0x00000402, 0x40004040, 0x20, 0x08040420, 0x0, NO)                                    \
  S(0x600020)
COPY_EXPECT(shift_0, SHIFT_0)
COPY_EXPECT(shift_3, SHIFT_3)
COPY_EXPECT(shifts, SHIFTS)
COPY_EXPECT(shift_chain, SHIFT_CHAIN)
#define COPY_CASE(what, name, COMMANDS) UMMA_STEPS_CASE(what, name, ANY, S32, "", COMMANDS)

const machine_case_t machine_umma_tmem_cases[] = {
    TA_CASE("f16", ta_f16, HALF, F32, TA_F16),
    TA_CASE("tf32", ta_tf32, TF32, F32, TA_TF32),
    TA_CASE("e4m3 by e5m2, B negated", ta_e4, BYTE, F32, TA_E4),
    TA_CASE("e5m2 by e4m3, B MN-major", ta_e5, BYTE, F32, TA_E5),
    TA_CASE("e2m3 by e3m2, A negated", ta_e2m3, ANY, F32, TA_E2M3),
    TA_CASE("e3m2 by e2m3", ta_e3m2, BYTE, F32, TA_E3M2),
    TA_CASE("e2m1 by e2m1, A negated", ta_e2m1, BYTE, F32, TA_E2M1),
    TA_CASE("s8, clamped", ta_s8, ANY, S32, TA_S8),
    TA_CASE("64 rows, lower and upper", ta_64, ANY, F32, TA_64),
    TA_CASE("D over it", ta_over, ANY, S32, TA_OVER),
    UMMA_STEPS_CASE("A in tensor memory: of two units", ta_off_unit, ANY, S32, UMMA_FILL_A(0x1d),
                    TA_OFF_UNIT),
    TA_CASE("lanes of D that are not written", ta_mask, ANY, S32, TA_MASK),
    UMMA_STEPS_CASE("A in tensor memory: results of products", ta_chain, ANY, S32, "", TA_CHAIN),
    COPY_CASE("a copy, 128x256b", cp_128x256, CP_128X256),
    COPY_CASE("a copy, 4x256b, lane 29, swizzle with a base offset", cp_4x256, CP_4X256),
    COPY_CASE("a copy, 4x256b, lane 0", cp_4x256_0, CP_4X256_0),
    COPY_CASE("a copy, no swizzle, with a base offset", cp_4x256_0, CP_IGNORED),
    COPY_CASE("a copy, 128x128b, columns of two units", cp_128x128, CP_128X128),
    COPY_CASE("a copy, 64x128b, quarters 0 and 2", cp_02_13, CP_02_13),
    COPY_CASE("a copy, 64x128b, quarters 0 and 1", cp_01_23, CP_01_23),
    COPY_CASE("a copy, 32x128b, high bits of its immediate", cp_32x128, CP_32X128),
    COPY_CASE("a copy, 128x256b, from 6 bits", cp_six, CP_SIX),
    COPY_CASE("a copy, 128x128b, from 4 bits", cp_four, CP_FOUR),
    COPY_CASE("a copy, 4x256b, from 4 bits", cp_four_4, CP_FOUR_4),
    COPY_CASE("a copy, 32x128b, from 6 bits", cp_six_32, CP_SIX_32),
    COPY_CASE("copies and products, one behind the other", cp_chain, CP_CHAIN),
    COPY_CASE("a shift, quarter 0", shift_0, SHIFT_0),
    COPY_CASE("a shift, quarter 3, the last columns", shift_3, SHIFT_3),
    COPY_CASE("shifts of columns that overlap", shifts, SHIFTS),
    COPY_CASE("shifts of products and copies", shift_chain, SHIFT_CHAIN),
    {.name = NULL}};
