/* umma_kind_cases.c: products of other kinds than f16 (docs/microarchitecture.md 26.1 to 26.4; umma_kind.h). */
#include "tests/machine/umma_kind.h"

/* ---- tf32 */
#define TF_PLAIN(X, T, C, S)                                                                       \
  X(TF32, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08040910, 0x0, PT)
#define TF_128(X, T, C, S)                                                                         \
  X(TF32, 0x00000006, 0x40004040, 0x00000402, 0x40004040, 0x5, 0x08060910, 0x0, PT)
#define TF_ATOMS(X, T, C, S)                                                                       \
  X(TF32, 0x00000002, 0x20004040, 0x00000104, 0x20004040, 0x0, 0x08020910, 0x0, NO)
#define TF_MN(X, T, C, S)                                                                          \
  X(TF32, 0x00400000, 0x20004020, 0x00400200, 0x20044020, 0x0, 0x08118910, 0x0, PT)
#define TF_64(X, T, C, S)                                                                          \
  X(TF32, 0x00400000, 0x20004020, 0x00080200, 0x00004010, 0x100000, 0x0404e910, 0x3, PT)
#define TF_ONLY_B(X, T, C, S)                                                                      \
  X(TF32, 0x00000082, 0x80004020, 0x00400300, 0x20004020, 0x8, 0x08070910, 0x0, PT)
#define TF_MASK(X, T, C, S)                                                                        \
  X(TF32_MASK, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08042910, 0x0, PT)
#define TF(name, COMMANDS) UMMA_EXPECT(name, TF32, F32, NO_A, COMMANDS)
TF(tf_plain, TF_PLAIN)
TF(tf_128, TF_128)
TF(tf_atoms, TF_ATOMS)
TF(tf_mn, TF_MN)
TF(tf_64, TF_64)
TF(tf_only_b, TF_ONLY_B)
TF(tf_mask, TF_MASK)
#define TF_CASE(what, name, COMMANDS) UMMA_STEPS_CASE("tf32: " what, name, TF32, F32, "", COMMANDS)

/* ---- f8f6f4 of bytes, and of bytes beside less */
#define E4_E5(X, T, C, S)                                                                          \
  X(F8F6F4, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08040410, 0x0, PT)
#define E5_E4(X, T, C, S)                                                                          \
  X(F8F6F4, 0x00000082, 0x80004020, 0x00000300, 0x80004020, 0x0, 0x08100090, 0x0, PT)
#define E4_E4(X, T, C, S)                                                                          \
  X(F8F6F4, 0x00000002, 0x20004040, 0x00000104, 0x20004040, 0x8, 0x08020010, 0x0, NO)
#define E4_E2(X, T, C, S)                                                                          \
  X(F8F6F4, 0x00000006, 0x40004040, 0x00000402, 0x40004040, 0x5, 0x08061410, 0x0, PT)
#define E2_E5(X, T, C, S)                                                                          \
  X(F8F6F4, 0x00000040, 0xc0004010, 0x00000220, 0xc0004010, 0x0, 0x08026690, 0x0, PT)
#define MN_PLAIN(X, T, C, S)                                                                       \
  X(F8F6F4, 0x00400000, 0x00004008, 0x00080200, 0x00004020, 0x0, 0x08098410, 0x0, PT)
#define MN_32(X, T, C, S)                                                                          \
  X(F8F6F4, 0x00400000, 0xc0004010, 0x00400200, 0xc0004010, 0x0, 0x08118410, 0x0, PT)
#define MN_64(X, T, C, S)                                                                          \
  X(F8F6F4, 0x00800010, 0x80044020, 0x00800200, 0x80004020, 0x0, 0x08118090, 0x0, PT)
#define MN_128(X, T, C, S)                                                                         \
  X(F8F6F4, 0x01000000, 0x40004040, 0x01000200, 0x40004040, 0x0, 0x0809c410, 0x0, PT)
#define IN_F16(X, T, C, S)                                                                         \
  X(F8F6F4, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08100400, 0x0, PT)
#define F16_64(X, T, C, S)                                                                         \
  X(F8F6F4, 0x00400000, 0xc0004010, 0x00000220, 0xc0004010, 0x0, 0x0402c080, 0x0, NO)
#define E_MASK(X, T, C, S)                                                                         \
  X(F8F6F4_MASK, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x100000, 0x04040410, 0x0, PT)
#define BYTES(name, COMMANDS) UMMA_EXPECT(name, BYTE, F32, NO_A, COMMANDS)
BYTES(e4_e5, E4_E5)
BYTES(e5_e4, E5_E4)
BYTES(e4_e4, E4_E4)
BYTES(e4_e2, E4_E2)
BYTES(e2_e5, E2_E5)
BYTES(mn_plain, MN_PLAIN)
BYTES(mn_32, MN_32)
BYTES(mn_64, MN_64)
BYTES(mn_128, MN_128)
BYTES(e_mask, E_MASK)
UMMA_EXPECT(in_f16, BYTE, F16, NO_A, IN_F16)
UMMA_EXPECT(f16_64, BYTE, F16, NO_A, F16_64)
#define E_CASE(what, name, COMMANDS) UMMA_STEPS_CASE("f8f6f4: " what, name, BYTE, F32, "", COMMANDS)
#define H_CASE(what, name, COMMANDS) UMMA_STEPS_CASE("f8f6f4: " what, name, BYTE, F16, "", COMMANDS)

/* ---- f8f6f4 of 6 and 4 bits: any bits, small numbers too */
#define E23_E32(X, T, C, S)                                                                        \
  X(F8F6F4, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08041190, 0x0, PT)
#define E32_E21(X, T, C, S)                                                                        \
  X(F8F6F4, 0x00000082, 0x80004020, 0x00000300, 0x80004020, 0x0, 0x08041610, 0x0, PT)
#define E21_E23(X, T, C, S)                                                                        \
  X(F8F6F4, 0x00000040, 0xc0004010, 0x00000220, 0xc0004010, 0x10, 0x04060e90, 0x0, PT)
#define E21_MN(X, T, C, S)                                                                         \
  X(F8F6F4, 0x00400000, 0x00004008, 0x00000220, 0xc0004010, 0x0, 0x08048e90, 0x0, PT)
#define E32_MN(X, T, C, S)                                                                         \
  X(F8F6F4, 0x00000002, 0x20004040, 0x00800200, 0x80004020, 0x100000, 0x04111190, 0x0, PT)
#define E23_NEG(X, T, C, S)                                                                        \
  X(F8F6F4, 0x00400000, 0xc0004010, 0x00080200, 0x00004020, 0x0, 0x0809ed90, 0x0, PT)
#define LESS(name, COMMANDS) UMMA_EXPECT(name, ANY, F32, NO_A, COMMANDS)
LESS(e23_e32, E23_E32)
LESS(e32_e21, E32_E21)
LESS(e21_e23, E21_E23)
LESS(e21_mn, E21_MN)
LESS(e32_mn, E32_MN)
LESS(e23_neg, E23_NEG)
#define L_CASE(what, name, COMMANDS) UMMA_STEPS_CASE("f8f6f4: " what, name, ANY, F32, "", COMMANDS)

/* ---- i8 */
#define S_S(X, T, C, S)                                                                            \
  X(I8, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x080404a0, 0x0, PT)
#define U_S(X, T, C, S)                                                                            \
  X(I8, 0x00000082, 0x80004020, 0x00000300, 0x80004020, 0x0, 0x08060428, 0x0, PT)
#define S_U(X, T, C, S)                                                                            \
  X(I8, 0x00000040, 0xc0004010, 0x00000220, 0xc0004010, 0x8, 0x080200a8, 0x0, PT)
#define U_U(X, T, C, S)                                                                            \
  X(I8, 0x00000006, 0x40004040, 0x00000402, 0x40004040, 0x0, 0x08080020, 0x0, PT)
#define U_U_SAT(X, T, C, S)                                                                        \
  X(I8, 0x00000006, 0x40004040, 0x00000402, 0x40004040, 0x0, 0x08080028, 0x0, PT)
#define I_MN(X, T, C, S)                                                                           \
  X(I8, 0x00800010, 0x80044020, 0x00080200, 0x00004020, 0x0, 0x081184a8, 0x0, PT)
#define I_48(X, T, C, S)                                                                           \
  X(I8, 0x00400000, 0xc0004010, 0x00080200, 0x00004010, 0x100000, 0x040c8020, 0x0, NO)
#define I_MASK(X, T, C, S)                                                                         \
  X(I8_MASK, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x080404a0, 0x0, PT)
#define INTS(name, COMMANDS) UMMA_EXPECT(name, ANY, S32, NO_A, COMMANDS)
INTS(s_s, S_S)
INTS(u_s, U_S)
INTS(s_u, S_U)
INTS(u_u, U_U)
INTS(u_u_sat, U_U_SAT)
INTS(i_mn, I_MN)
INTS(i_48, I_48)
INTS(i_mask, I_MASK)
#define I_CASE(what, name, COMMANDS) UMMA_STEPS_CASE("i8: " what, name, ANY, S32, "", COMMANDS)

/* ---- all kinds, one behind the other */
#define MIXED(X, T, C, S)                                                                          \
  E23_E32(X, T, C, S)                                                                              \
  X(I8, 0x00000082, 0x80004020, 0x00000300, 0x80004020, 0x20, 0x04080028, 0x0, PT)                 \
  X(F8F6F4, 0x00400000, 0xc0004010, 0x00080200, 0x00004020, 0x0, 0x0809ed90, 0x0, PT)              \
  X(TF32, 0x00400000, 0x20004020, 0x00400200, 0x20044020, 0x38, 0x04038910, 0x0, NO)               \
  X(I8, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x30, 0x080204a0, 0x0, NO)                 \
  X(F8F6F4, 0x00000040, 0xc0004010, 0x00000220, 0xc0004010, 0x0, 0x08060e90, 0x0, PT)
UMMA_EXPECT(mixed, TF32, F32, NO_A, MIXED)

const machine_case_t machine_umma_kind_cases[] = {
    TF_CASE("no swizzle", tf_plain, TF_PLAIN),
    TF_CASE("swizzle of 128 bytes, the third K", tf_128, TF_128),
    TF_CASE("swizzle of 128 bytes with atoms of 32, no addend", tf_atoms, TF_ATOMS),
    TF_CASE("MN-major", tf_mn, TF_MN),
    TF_CASE("64 rows, A alone MN-major, negated, a scaled addend", tf_64, TF_64),
    TF_CASE("B alone MN-major", tf_only_b, TF_ONLY_B),
    TF_CASE("lanes that are not written", tf_mask, TF_MASK),
    E_CASE("e4m3 by e5m2, no swizzle", e4_e5, E4_E5),
    E_CASE("e5m2 by e4m3, swizzle of 64 bytes", e5_e4, E5_E4),
    E_CASE("e4m3 by e4m3, atoms of 32 bytes, no addend", e4_e4, E4_E4),
    E_CASE("e4m3 by e2m1, swizzle of 128 bytes", e4_e2, E4_E2),
    E_CASE("e2m1 by e5m2, negated, swizzle of 32 bytes", e2_e5, E2_E5),
    E_CASE("MN-major, no swizzle", mn_plain, MN_PLAIN),
    E_CASE("MN-major, swizzle of 32 bytes", mn_32, MN_32),
    E_CASE("MN-major, swizzle of 64 bytes with a base offset", mn_64, MN_64),
    E_CASE("MN-major, swizzle of 128 bytes, negated", mn_128, MN_128),
    E_CASE("64 rows with lanes that are not written", e_mask, E_MASK),
    H_CASE("in f16", in_f16, IN_F16),
    H_CASE("in f16, 64 rows, A alone MN-major, no addend", f16_64, F16_64),
    L_CASE("e2m3 by e3m2", e23_e32, E23_E32),
    L_CASE("e3m2 by e2m1", e32_e21, E32_E21),
    L_CASE("e2m1 by e2m3, 64 rows", e21_e23, E21_E23),
    L_CASE("e2m1 by e2m3, A alone MN-major", e21_mn, E21_MN),
    L_CASE("e2m3 by e3m2, B alone MN-major", e32_mn, E32_MN),
    L_CASE("e2m3 by e2m3, negated, MN-major", e23_neg, E23_NEG),
    I_CASE("s8 by s8", s_s, S_S),
    I_CASE("u8 by s8, clamped", u_s, U_S),
    I_CASE("s8 by u8, clamped", s_u, S_U),
    I_CASE("u8 by u8", u_u, U_U),
    I_CASE("u8 by u8, clamped", u_u_sat, U_U_SAT),
    I_CASE("MN-major, clamped", i_mn, I_MN),
    I_CASE("64 rows, 48 columns, no addend", i_48, I_48),
    I_CASE("lanes that are not written", i_mask, I_MASK),
    UMMA_STEPS_CASE("products of several kinds", mixed, TF32, F32, "", MIXED),
    {.name = NULL}};
