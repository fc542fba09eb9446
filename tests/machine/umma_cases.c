/* umma_cases.c: products in tensor memory: layouts of operands, sizes, types, masks, addends (umma_cases.h). */
#include "tests/machine/umma_cases.h"

#define EXPECT(name, COMMANDS, halves, columns)                                                    \
  static uint32_t name(uint32_t t) {                                                               \
    static const umma_command_t n[] = {COMMANDS(UMMA_DATA)};                                       \
    return umma_folded(n, sizeof n / sizeof n[0], halves, columns, t);                             \
  }

/* ---- layouts: M 128, D f32. K-major */
#define PLAIN(X)     X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08040010, PT, 0x0)
#define BYTES_32(X)  X(0x00000040, 0xc0004010, 0x00000220, 0xc0004010, 0x8, 0x08080010, PT, 0x0)
#define BYTES_64(X)  X(0x00000082, 0x80004020, 0x00000300, 0x80004020, 0x0, 0x08100010, PT, 0x0)
#define BYTES_128(X) X(0x00000006, 0x40004040, 0x00000402, 0x40004040, 0x5, 0x08060010, PT, 0x0)
#define ATOMS_32(X)  X(0x00000002, 0x20004040, 0x00000104, 0x20004040, 0x0, 0x08020010, PT, 0x0)
#define OFFSET(X)    X(0x00000018, 0x40064040, 0x00000112, 0x40044040, 0x0, 0x08080010, PT, 0x0)
/* The same: without a swizzle its base offset is not looked at. */
#define IGNORED(X) X(0x01000010, 0x00024008, 0x00080200, 0x000e4010, 0x0, 0x08040010, PT, 0x0)
EXPECT(plain, PLAIN, false, 64)
EXPECT(bytes_32, BYTES_32, false, 64)
EXPECT(bytes_64, BYTES_64, false, 64)
EXPECT(bytes_128, BYTES_128, false, 64)
EXPECT(atoms_32, ATOMS_32, false, 64)
EXPECT(offset, OFFSET, false, 64)

/* ---- MN-major; one of the two, and both */
#define MN_PLAIN(X) X(0x00080000, 0x00004010, 0x00400200, 0x00004008, 0x0, 0x08098010, PT, 0x0)
#define MN_32(X)    X(0x00200010, 0xc0004010, 0x00200200, 0xc0004010, 0x0, 0x08098010, PT, 0x0)
#define MN_64(X)    X(0x00400020, 0x80004020, 0x00400200, 0x80004020, 0x0, 0x08118010, PT, 0x0)
#define MN_128(X)   X(0x00800040, 0x40004040, 0x00800200, 0x40004040, 0x0, 0x08118010, PT, 0x0)
#define ONLY_A(X)   X(0x00800000, 0x40004040, 0x00000302, 0x40004040, 0x0, 0x08048010, PT, 0x0)
#define ONLY_B(X)   X(0x01000010, 0x00004008, 0x00200200, 0xc0024010, 0x0, 0x080d0010, PT, 0x0)
EXPECT(mn_plain, MN_PLAIN, false, 64)
EXPECT(mn_32, MN_32, false, 64)
EXPECT(mn_64, MN_64, false, 64)
EXPECT(mn_128, MN_128, false, 64)
EXPECT(only_a, ONLY_A, false, 64)
EXPECT(only_b, ONLY_B, false, 64)

/* ---- M 64 in both halves of the lanes; other sizes */
#define LOWER(X)    X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x8, 0x04020010, PT, 0x0)
#define UPPER(X)    X(0x00000000, 0x40004040, 0x00000200, 0x40004040, 0x100003, 0x04080010, PT, 0x0)
#define MN_64_64(X) X(0x00400020, 0x80004020, 0x00400200, 0x80004020, 0x100000, 0x04098010, PT, 0x0)
#define NARROW(X)   X(0x00000040, 0xc0004010, 0x00000220, 0xc0004010, 0x0, 0x08020010, PT, 0x0)
#define WIDE(X)     X(0x01000010, 0x00004008, 0x02000100, 0x00004008, 0x0, 0x08400010, PT, 0x0)
#define WIDE_UPPER(X)                                                                              \
  X(0x01000010, 0x00004008, 0x02000100, 0x00004008, 0x100000, 0x04360010, PT, 0x0)
EXPECT(lower, LOWER, false, 64)
EXPECT(upper, UPPER, false, 64)
EXPECT(mn_64_64, MN_64_64, false, 64)
EXPECT(narrow, NARROW, false, 64)
EXPECT(wide, WIDE, false, 256)
EXPECT(wide_upper, WIDE_UPPER, false, 256)

/* ---- addends and types */
#define NO_ADDEND(X)  X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08040010, NO, 0x0)
#define SCALED(X)     X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08040010, PT, 0x5)
#define SCALED_8(X)   X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08040010, PT, 0x8)
#define SCALED_OFF(X) X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08040010, NO, 0xf)
#define NEGATED_A(X)  X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08042010, PT, 0x0)
#define NEGATED_B(X)  X(0x00080000, 0x00004010, 0x00400200, 0x00004008, 0x0, 0x0805c010, PT, 0x0)
#define NEGATED(X)    X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08046010, PT, 0x0)
#define F16_D(X)      X(0x00000082, 0x80004020, 0x00000300, 0x80004020, 0x0, 0x08100000, PT, 0x0)
#define F16_NONE(X)   X(0x00000082, 0x80004020, 0x00000300, 0x80004020, 0x10, 0x040c0000, NO, 0x0)
#define F16_SCALED(X) X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08040000, PT, 0x2)
#define BF16(X)       X(0x00000006, 0x40004040, 0x00000402, 0x40004040, 0x0, 0x08060490, PT, 0x0)
#define BF16_MN(X)    X(0x00800040, 0x40004040, 0x00800200, 0x40004040, 0x0, 0x0411a490, PT, 0x3)
EXPECT(no_addend, NO_ADDEND, false, 64)
EXPECT(scaled, SCALED, false, 64)
EXPECT(scaled_8, SCALED_8, false, 64)
EXPECT(scaled_off, SCALED_OFF, false, 64)
EXPECT(negated_a, NEGATED_A, false, 64)
EXPECT(negated_b, NEGATED_B, false, 64)
EXPECT(negated, NEGATED, false, 64)
EXPECT(f16_d, F16_D, true, 64)
EXPECT(f16_none, F16_NONE, true, 64)
EXPECT(f16_scaled, F16_SCALED, true, 64)
/* Of zeros: D of 1 to 1.9 becomes subnormal, and 0. */
#define F16_DOWN(X)  F16_BY_15(X) F16_BY_15(X)
#define F16_BY_15(X) X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08040000, PT, 0xf)
EXPECT(bf16, BF16, false, 64)
EXPECT(bf16_mn, BF16_MN, false, 64)

static uint32_t f16_down(uint32_t t) {
  uint32_t sum = 0;
  for (uint32_t c = 0; c < 64; c++)
    sum = 3 * sum + (c < 16 ? 0 : UMMA_F16_LABEL(t, c));
  return sum;
}

/* ---- lanes that are not written */
#define MASKED(X) X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08040010, PT, 0x0)
#define MASKED_64(X)                                                                               \
  X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x100000, 0x04040010, NO, 0x0)
#define EXPECT_MASKED(name, COMMANDS)                                                              \
  static uint32_t name(uint32_t t) {                                                               \
    static const umma_command_t n[] = {COMMANDS(UMMA_MASKED_DATA)};                                \
    return umma_folded(n, 1, false, 64, t);                                                        \
  }
EXPECT_MASKED(masked, MASKED)
EXPECT_MASKED(masked_64, MASKED_64)

#define F32_CASE(what, COMMANDS, expected)                                                         \
  UMMA_CASE(what,                                                                                  \
            UMMA_BEGIN("0x40", F16_ELEMENTS, F32_LABELS, F32_STEPS) COMMANDS(UMMA_TEXT)            \
                UMMA_END("0x40"),                                                                  \
            expected, 64)
#define MASK_CASE(what, COMMANDS, expected)                                                        \
  UMMA_CASE(what,                                                                                  \
            UMMA_BEGIN("0x40", F16_ELEMENTS, F32_LABELS, F32_STEPS) COMMANDS(UMMA_MASKED_TEXT)     \
                UMMA_END("0x40"),                                                                  \
            expected, 64)
#define BF16_CASE(what, COMMANDS, expected)                                                        \
  UMMA_CASE(what,                                                                                  \
            UMMA_BEGIN("0x40", BF16_ELEMENTS, F32_LABELS, F32_STEPS) COMMANDS(UMMA_TEXT)           \
                UMMA_END("0x40"),                                                                  \
            expected, 64)
#define F16_CASE(what, COMMANDS, expected)                                                         \
  UMMA_CASE(what,                                                                                  \
            UMMA_BEGIN("0x40", F16_ELEMENTS, F16_LABELS, F16_STEPS) COMMANDS(UMMA_TEXT)            \
                UMMA_END("0x40"),                                                                  \
            expected, 64)
#define ZEROS_CASE(what, COMMANDS, expected)                                                       \
  UMMA_CASE(what,                                                                                  \
            UMMA_BEGIN("0x40", NO_ELEMENTS, F16_LABELS, F16_STEPS) COMMANDS(UMMA_TEXT)             \
                UMMA_END("0x40"),                                                                  \
            expected, 64)
#define WIDE_CASE(what, COMMANDS, expected)                                                        \
  UMMA_CASE(what,                                                                                  \
            UMMA_BEGIN("0x100", F16_ELEMENTS, F32_LABELS, F32_STEPS) COMMANDS(UMMA_TEXT)           \
                UMMA_END("0x100"),                                                                 \
            expected, 256)

const machine_case_t machine_umma_cases[] = {
    F32_CASE("a product, no swizzle", PLAIN, plain),
    F32_CASE("a product, no swizzle, with base offsets", IGNORED, plain),
    F32_CASE("a product, swizzle of 32 bytes", BYTES_32, bytes_32),
    F32_CASE("a product, swizzle of 64 bytes, the second K", BYTES_64, bytes_64),
    F32_CASE("a product, swizzle of 128 bytes, the third K", BYTES_128, bytes_128),
    F32_CASE("a product, swizzle of 128 bytes with atoms of 32", ATOMS_32, atoms_32),
    F32_CASE("a product, swizzle of 128 bytes with a base offset", OFFSET, offset),
    F32_CASE("a product, MN-major, no swizzle", MN_PLAIN, mn_plain),
    F32_CASE("a product, MN-major, swizzle of 32 bytes", MN_32, mn_32),
    F32_CASE("a product, MN-major, swizzle of 64 bytes", MN_64, mn_64),
    F32_CASE("a product, MN-major, swizzle of 128 bytes", MN_128, mn_128),
    F32_CASE("a product, A alone MN-major", ONLY_A, only_a),
    F32_CASE("a product, B alone MN-major, with a base offset", ONLY_B, only_b),
    F32_CASE("a product of 64 rows, lower halves", LOWER, lower),
    F32_CASE("a product of 64 rows, upper halves", UPPER, upper),
    F32_CASE("a product of 64 rows, MN-major", MN_64_64, mn_64_64),
    F32_CASE("a product of 8 columns", NARROW, narrow),
    WIDE_CASE("a product of 256 columns", WIDE, wide),
    WIDE_CASE("a product of 64 rows and 216 columns", WIDE_UPPER, wide_upper),
    F32_CASE("a product without an addend", NO_ADDEND, no_addend),
    F32_CASE("a product with a scaled addend", SCALED, scaled),
    F32_CASE("a product with an addend scaled by 2^-8", SCALED_8, scaled_8),
    F32_CASE("a product with a scale and no addend", SCALED_OFF, scaled_off),
    F32_CASE("a product of a negated A", NEGATED_A, negated_a),
    F32_CASE("a product of a negated B, MN-major", NEGATED_B, negated_b),
    F32_CASE("a product of negated A and B", NEGATED, negated),
    F16_CASE("a product in f16", F16_D, f16_d),
    F16_CASE("a product in f16 without an addend, of 64 rows", F16_NONE, f16_none),
    F16_CASE("a product in f16 with a scaled addend", F16_SCALED, f16_scaled),
    ZEROS_CASE("a product of zeros, its f16 addend scaled down to nothing", F16_DOWN, f16_down),
    BF16_CASE("a product of bf16", BF16, bf16),
    BF16_CASE("a product of bf16, negated, MN-major, scaled, of 64 rows", BF16_MN, bf16_mn),
    MASK_CASE("a product with lanes that are not written", MASKED, masked),
    MASK_CASE("a product of 64 rows with lanes that are not written", MASKED_64, masked_64),
    {.name = NULL}};
