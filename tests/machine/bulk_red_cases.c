/* bulk_red_cases.c: bulk reductions of every form (bulk_cases.h). */
#include "tests/machine/bulk_cases.h"

/* ---- reductions of 256 bytes from 0x30 to byte 0x410; window from 0x400 on */
#define REDUCES(op, fill)                                                                          \
  PRO BASE IS_FIRST fill SYNC OPERANDS("0x410", "0x30", "0x100",                                   \
                                       "0x0") "@P6 bulk." op                                       \
                                              " R24:R27\n" ALL_OVER SHOW_GLOBAL("0x400", "0x600")

static uint32_t global_word(uint32_t w) { return w * 0x85ebca6b + w; }

static uint32_t shared_word(uint32_t w) { return w * 0x9e3779b1 + w; }

/* Word i of the window is word i of global memory; word i + 8 of shared memory comes to it. */
#define REDUCE_32(name, expression)                                                                \
  static uint32_t name(uint32_t i) {                                                               \
    const uint32_t a = global_word(i), b = shared_word(i + 8);                                     \
    return i < 4 || i >= 68 ? a : (uint32_t)(expression);                                          \
  }
#define REDUCE_64(name, expression)                                                                \
  static uint32_t name(uint32_t i) {                                                               \
    const uint32_t low = i & ~1u;                                                                  \
    const uint64_t a = global_word(low) | (uint64_t)global_word(low + 1) << 32;                    \
    const uint64_t b = shared_word(low + 8) | (uint64_t)shared_word(low + 9) << 32;                \
    const uint64_t d = i < 4 || i >= 68 ? a : (uint64_t)(expression);                              \
    return (uint32_t)(d >> 32 * (i & 1));                                                          \
  }
REDUCE_32(add_u32, a + b)
REDUCE_32(min_u32, a < b ? a : b)
REDUCE_32(max_u32, a > b ? a : b)
REDUCE_32(min_s32, (int32_t)a < (int32_t)b ? a : b)
REDUCE_32(max_s32, (int32_t)a > (int32_t)b ? a : b)
REDUCE_32(inc_u32, a >= b ? 0 : a + 1)
REDUCE_32(dec_u32, a == 0 || a > b ? b : a - 1)
REDUCE_32(and_b32, a &b)
REDUCE_32(or_b32, a | b)
REDUCE_32(xor_b32, a ^ b)
REDUCE_64(add_u64, a + b)
REDUCE_64(min_u64, a < b ? a : b)
REDUCE_64(max_u64, a > b ? a : b)
REDUCE_64(min_s64, (int64_t)a < (int64_t)b ? a : b)
REDUCE_64(max_s64, (int64_t)a > (int64_t)b ? a : b)
REDUCE_64(and_b64, a &b)
REDUCE_64(or_b64, a | b)
REDUCE_64(xor_b64, a ^ b)

static uint32_t float_bits(uint32_t n) { /* n below 2^24 */
  uint32_t exponent = 127 + 23;
  if (n == 0) return 0;
  for (; n >> 23 == 0; n <<= 1)
    exponent--;
  return exponent << 23 | (n & 0x7fffff);
}

static uint32_t add_f32(uint32_t i) { return float_bits(i < 4 || i >= 68 ? i : i + 8 * (i + 8)); }

/* Every thread adds the 64 bytes from 16 t on to those from 0x410 on. */
static uint32_t add_threads(uint32_t i) {
  uint32_t sum = 0x10000 + i;
  if (i < 4 || i >= 20) return sum;
  for (uint32_t t = 0; t < 128; t++)
    sum += 0x90000 + 4 * t + (i - 4);
  return sum;
}

const machine_case_t machine_bulk_red_cases[] = {
    CASE("bulk reduction: add u32", REDUCES("add.u32", FILL_MIXED), add_u32),
    CASE("bulk reduction: min u32", REDUCES("min.u32", FILL_MIXED), min_u32),
    CASE("bulk reduction: min s32", REDUCES("min.s32", FILL_MIXED), min_s32),
    CASE("bulk reduction: max u32", REDUCES("max.u32", FILL_MIXED), max_u32),
    CASE("bulk reduction: max s32", REDUCES("max.s32", FILL_MIXED), max_s32),
    CASE("bulk reduction: inc u32", REDUCES("inc.u32", FILL_MIXED), inc_u32),
    CASE("bulk reduction: dec u32", REDUCES("dec.u32", FILL_MIXED), dec_u32),
    CASE("bulk reduction: and b32", REDUCES("and.b32", FILL_MIXED), and_b32),
    CASE("bulk reduction: or b32", REDUCES("or.b32", FILL_MIXED), or_b32),
    CASE("bulk reduction: xor b32", REDUCES("xor.b32", FILL_MIXED), xor_b32),
    CASE("bulk reduction: add f32", REDUCES("add.f32", FILL_F32), add_f32),
    CASE("bulk reduction: add u64", REDUCES("add.u64", FILL_MIXED), add_u64),
    CASE("bulk reduction: min u64", REDUCES("min.u64", FILL_MIXED), min_u64),
    CASE("bulk reduction: min s64", REDUCES("min.s64", FILL_MIXED), min_s64),
    CASE("bulk reduction: max u64", REDUCES("max.u64", FILL_MIXED), max_u64),
    CASE("bulk reduction: max s64", REDUCES("max.s64", FILL_MIXED), max_s64),
    CASE("bulk reduction: and b64", REDUCES("and.b64", FILL_MIXED), and_b64),
    CASE("bulk reduction: or b64", REDUCES("or.b64", FILL_MIXED), or_b64),
    CASE("bulk reduction: xor b64", REDUCES("xor.b64", FILL_MIXED), xor_b64),
    CASE("bulk reductions of 128 threads to one place",
         PRO BASE FILL SYNC OPERANDS("0x410", "0x0", "0x40", "0x0") SHL(
             "R26", "R0", "0x4") "bulk.add.u32 R24:R27\n" ALL_OVER SHOW_GLOBAL("0x400", "0x600"),
         add_threads),
    {.name = NULL}};
