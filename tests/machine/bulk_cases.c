/* bulk_cases.c: commands of the copy engine (docs/microarchitecture.md 23): loads, stores, reductions, groups
 * of them, faults. In most programs 128 threads fill global and shared memory, the first one gives the
 * command, and words 0 to 255 of the output tell what a window of the destination holds. */
#include <stdbool.h>
#include <stddef.h>

#include "tests/machine/machine_cases.h"

#define SHL(d, a, n)    "shf.l.wrap.i " d ", RZ, " a ", " n "\n"
#define AND(d, a, mask) "lop3.rir " d ", " a ", " mask ", RZ {lut=0xc0}\n"
#define BASE            "ldc.b64 R20:R21, c0[RZ+0x200]\n"
#define IS_FIRST        "setp.u32.ri P6, PT, R0, 0x0, PT {cmp=eq bop=none}\n"
#define IS_WARP_0       "setp.u32.ri P0, PT, R0, 0x20, PT {cmp=lt bop=none}\n"
#define SYNC            "fence\n bar.sync.i B0:0\n"

/* Word w of shared memory, and of global memory from byte 0x400 of the output on, is V of R10 = w. */
#define SHARED(at, V) V "st.shared.b32 [R9+" at "], R8\n add.ri R10, R10, 0x80\n"
#define GLOBAL(at, V) V "st.global.b32 [R4:R5+" at "], R8\n add.ri R10, R10, 0x80\n"
#define FILL_SHARED(V)                                                                             \
  SHL("R9", "R0", "0x2")                                                                           \
  "mov.r R10, R0\n" SHARED("0x0", V) SHARED("0x200", V) SHARED("0x400", V) SHARED("0x600", V)      \
      SHARED("0x800", V) SHARED("0xa00", V) SHARED("0xc00", V) SHARED("0xe00", V)
#define FILL_GLOBAL(V)                                                                             \
  "mov.r R10, R0\n" GLOBAL("0x400", V) GLOBAL("0x600", V) GLOBAL("0x800", V) GLOBAL("0xa00", V)    \
      GLOBAL("0xc00", V) GLOBAL("0xe00", V)
#define FILL                                                                                       \
  FILL_GLOBAL("add.ri R8, R10, 0x10000\n")                                                         \
  FILL_SHARED("add.ri R8, R10, 0x90000\n")
#define FILL_MIXED                                                                                 \
  FILL_GLOBAL("mad.lo.rir R8, R10, 0x85ebca6b, R10\n")                                             \
  FILL_SHARED("mad.lo.rir R8, R10, 0x9e3779b1, R10\n")
#define FILL_F32                                                                                   \
  FILL_GLOBAL("cvt.f32.u32 R8, R10 {rnd=rn}\n")                                                    \
  FILL_SHARED("mad.lo.rir R8, R10, 0x7, R10\n cvt.f32.u32 R8, R8 {rnd=rn}\n")

/* An mbarrier in the last 8 of 4,096 bytes, of one arrival and so many bytes. */
#define MBARRIER(bytes)                                                                            \
  "mov.i R3, 0x1\n @P6 mbar.shared.init RZ, [RZ+0xff8], R3\n mov.i R3, " bytes                     \
  "\n @P6 mbar.shared.arrivetx RZ, [RZ+0xff8], R3\n"
/* Waits until the phase of parity 0 is over. */
#define WAIT                                                                                       \
  "again:\n mbar.shared.test R16, [RZ+0xff8], RZ\n wait R16, RZ\n"                                 \
  "setp.s32.ri P1, PT, R16, 0x0, PT {cmp=lt bop=none}\n @!P1 bra #again\n"
#define OPERANDS(g, s, k, b)                                                                       \
  "mov.i R22, " g "\n mov.r R23, RZ\n add64.rr R24:R25, R20:R21, R22:R23\n mov.i R26, " s          \
  "\n mov.i R27, " k "\n mov.i R28, " b "\n"
#define LOAD     "bulk.load R24:R27, R28\n"
#define STORE    "bulk.store R24:R27, R28\n"
#define ALL_OVER "bulkcommit\n bulkwait 0x0\n"
#define ALL_READ "bulkcommit\n bulkwait 0x40\n"
#define SHOW_SHARED(window)                                                                        \
  SHL("R9", "R0", "0x2")                                                                           \
  "add.ri R9, R9, " window "\n ld.shared.b32 R1, [R9]\n st.global.b32 [R4:R5], R1\n"               \
  "ld.shared.b32 R1, [R9+0x200]\n st.global.b32 [R4:R5+0x200], R1\n exit\n"
#define SHOW_GLOBAL(first, second)                                                                 \
  SYNC "ld.global.b32 R1, [R4:R5+" first "]\n st.global.b32 [R4:R5], R1\n"                         \
       "ld.global.b32 R1, [R4:R5+" second "]\n st.global.b32 [R4:R5+0x200], R1\n exit\n"

#define CASE(what, program, expected)                                                              \
  {.name = what,                                                                                   \
   .text = program,                                                                                \
   .block = {128, 1, 1},                                                                           \
   .shared = 4096,                                                                                 \
   .want = expected,                                                                               \
   .words = 256}

/* ---- loads: of k bytes from byte g of the output to s; the window from `window` on */
#define LOADS(g, s, k, window)                                                                     \
  PRO BASE IS_FIRST FILL SYNC MBARRIER(k)                                                          \
  SYNC OPERANDS(g, s, k, "0xff8") "@P6 " LOAD WAIT SHOW_SHARED(window)

static uint32_t loaded(uint32_t at, uint32_t g, uint32_t s, uint32_t k) {
  return at >= s && at < s + k ? 0x10000 + (g - 0x400 + at - s) / 4 : 0x90000 + at / 4;
}

static uint32_t load_16(uint32_t i) { return loaded(4 * i, 0x410, 0x20, 0x10); }

static uint32_t load_32(uint32_t i) { return loaded(4 * i, 0x420, 0x10, 0x20); }

static uint32_t load_32_across(uint32_t i) { return loaded(4 * i, 0x430, 0x20, 0x20); }

static uint32_t load_48(uint32_t i) { return loaded(4 * i, 0x420, 0x30, 0x30); }

static uint32_t load_512(uint32_t i) { return loaded(4 * i, 0x410, 0x10, 0x200); }

static uint32_t load_2048_head(uint32_t i) { return loaded(4 * i, 0x7e0, 0x1f0, 0x800); }

static uint32_t load_2048_tail(uint32_t i) { return loaded(0x800 + 4 * i, 0x7e0, 0x1f0, 0x800); }

/* ---- many lanes: thread t loads 16 (t mod 4 + 1) bytes from 0x400 + 16 t to 64 t; or 16 to 16 t */
static uint32_t load_lanes(uint32_t i) {
  const uint32_t lane = i / 16, word = i % 16;
  return word < 4 * (lane % 4 + 1) ? 0x10000 + 4 * lane + word : 0x90000 + i;
}

static uint32_t load_warps(uint32_t i) { return 0x10000 + (i ^ 4u); }

/* ---- stores: of k bytes from s to byte g of the output, of each 16 those in a mask */
#define STORES(g, s, k, mask, first, second)                                                       \
  PRO BASE IS_FIRST FILL SYNC OPERANDS(g, s, k, mask) "@P6 " STORE ALL_OVER SHOW_GLOBAL(first,     \
                                                                                        second)

static uint32_t stored(uint32_t at, uint32_t g, uint32_t s, uint32_t k, uint32_t mask) {
  const uint32_t old = 0x10000 + (at - 0x400) / 4, new = 0x90000 + (s + at - g) / 4;
  uint32_t bits = 0;
  if (at < g || at >= g + k) return old;
  for (uint32_t i = 0; i < 4; i++)
    if ((mask >> (at + i) % 16 & 1) != 0) bits |= 0xffu << 8 * i;
  return (old & ~bits) | (new &bits);
}

static uint32_t store_16(uint32_t i) { return stored(0x400 + 4 * i, 0x410, 0x20, 0x10, 0xffff); }

static uint32_t store_64(uint32_t i) { return stored(0x400 + 4 * i, 0x420, 0x10, 0x40, 0xffff); }

static uint32_t store_across(uint32_t i) {
  return stored(0x400 + 4 * i, 0x430, 0xfd0, 0x30, 0xffff);
}

static uint32_t store_head(uint32_t i) {
  return stored(0x400 + 4 * i, 0x430, 0x100, 0xb00, 0xffff);
}

static uint32_t store_tail(uint32_t i) {
  return stored(0xc00 + 4 * i, 0x430, 0x100, 0xb00, 0xffff);
}

static uint32_t store_masked(uint32_t i) { return stored(0x400 + 4 * i, 0x430, 0, 0x50, 0xa5c3); }

static uint32_t store_nothing(uint32_t i) { return 0x10000 + i; }

static uint32_t store_one_byte(uint32_t i) { return stored(0x400 + 4 * i, 0x420, 0, 0x40, 0x0400); }

/* Thread t of warp 0 stores 16 (t mod 4 + 1) bytes from 64 t to 0x410 + 64 t. */
static uint32_t store_lanes(uint32_t i) {
  const uint32_t n = i - 4, lane = n / 16, word = n % 16;
  return i >= 4 && word < 4 * (lane % 4 + 1) ? 0x90000 + n : 0x10000 + i;
}

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

/* ---- groups */
static uint32_t before_change(uint32_t i) {
  return stored(0x400 + 4 * i, 0x410, 0x20, 0x340, 0xffff);
}

static uint32_t both_groups(uint32_t i) {
  return i < 16 ? 0x90000 + i : i < 32 ? 0x90100 + (i - 16) : 0x10000 + i;
}

static uint32_t by_paths(uint32_t i) { return i < 16 ? 0x90000 + i : 0x10000 + i; }

/* CTA n stores 64 bytes of n + 1 to 0x400 + 64 n, and ends. */
static uint32_t of_ctas(uint32_t i) { return i < 256 ? 0 : (i - 256) / 16 + 1; }

/* To shared memory, changed there, and back to global memory from 0x400 on. */
static uint32_t round_trip(uint32_t i) { return i < 128 ? 0x10100 + i + 5 : 0x10000 + i; }

/* ---- faults: of lane 9 of 32, which alone has other operands; the others' commands are right */
#define FAULT_OF(what, code, change, insn)                                                         \
  {.name = what,                                                                                   \
   .cause = WL_TRAP_##code,                                                                        \
   .lane = 9,                                                                                      \
   .any_lanes = true,                                                                              \
   .text = PRO BASE OPERANDS("0x400", "0x20", "0x20",                                              \
                             "0x8") "mov.i R3, 0x20\n mbar.shared.init RZ, [RZ+0x8], R3\n fence\n" \
                                    "setp.u32.ri P0, PT, R0, 0x9, PT {cmp=eq bop=none}\n" change   \
                                    "here:\n" insn "exit\n",                                       \
   .block = {32, 1, 1},                                                                            \
   .shared = 256}
#define LOAD_FAULT(what, code, change)  FAULT_OF(what ", load", code, change, LOAD)
#define STORE_FAULT(what, code, change) FAULT_OF(what ", store", code, change, STORE)
#define REDUCE_FAULT(what, code, change)                                                           \
  FAULT_OF(what ", add", code, change, "bulk.add.u32 R24:R27\n")
#define FAULT(what, code, change)                                                                  \
  LOAD_FAULT(what, code, change), STORE_FAULT(what, code, change), REDUCE_FAULT(what, code, change)
#define SET(reg, value) "@P0 mov.i " reg ", " value "\n"
#define ADD(reg, value) "@P0 add.ri " reg ", " reg ", " value "\n"

#define MISUSE(what, low, high, lanes_to, in_lane)                                                 \
  {.name = what,                                                                                   \
   .cause = WL_TRAP_MBARRIER,                                                                      \
   .lane = in_lane,                                                                                \
   .any_lanes = true,                                                                              \
   .text = PRO BASE OPERANDS("0x400", "0x20", "0x20",                                              \
                             "0x8") "mov.i R10, " low "\n mov.i R11, " high                        \
                                    "\n st.shared.b64 [RZ+0x8], R10:R11\n fence\n"                 \
                                    "setp.u32.ri P0, PT, R0, " lanes_to ", PT {cmp=ge bop=none}\n" \
                                    "here:\n @P0 " LOAD "exit\n",                                  \
   .block = {32, 1, 1},                                                                            \
   .shared = 256}

const machine_case_t machine_bulk_cases[] = {
    CASE("bulk load of the upper half of a sector", LOADS("0x410", "0x20", "0x10", "0x0"), load_16),
    CASE("bulk load of a sector", LOADS("0x420", "0x10", "0x20", "0x0"), load_32),
    CASE("bulk load across two sectors", LOADS("0x430", "0x20", "0x20", "0x0"), load_32_across),
    CASE("bulk load of a sector and a half", LOADS("0x420", "0x30", "0x30", "0x0"), load_48),
    CASE("bulk load of 512 bytes, from half a sector", LOADS("0x410", "0x10", "0x200", "0x0"),
         load_512),
    CASE("bulk load of 2,048 bytes, the first of them", LOADS("0x7e0", "0x1f0", "0x800", "0x0"),
         load_2048_head),
    CASE("bulk load of 2,048 bytes, the last of them", LOADS("0x7e0", "0x1f0", "0x800", "0x800"),
         load_2048_tail),
    CASE("bulk loads of 32 lanes, 16 to 64 bytes",
         PRO BASE IS_FIRST IS_WARP_0 FILL SYNC MBARRIER("0x500") SYNC SHL(
             "R22", "R0",
             "0x4") "mov.r R23, RZ\n add64.rr R24:R25, R20:R21, R22:R23\n"
                    "add64.ri R24:R25, R24:R25, 0x400\n" SHL("R26", "R0", "0x6")
                        AND("R27", "R0", "0x3")
                            SHL("R27", "R27",
                                "0x4") "add.ri R27, R27, 0x10\n mov.i R28, 0xff8\n @P0 " LOAD WAIT
                                SHOW_SHARED("0x0"),
         load_lanes),
    CASE("bulk loads of 128 threads, 16 bytes",
         PRO BASE IS_FIRST FILL SYNC MBARRIER("0x800") SYNC SHL(
             "R22", "R0",
             "0x4") "mov.r R23, RZ\n add64.rr R24:R25, R20:R21, R22:R23\n"
                    "add64.ri R24:R25, R24:R25, 0x400\n lop3.rir R26, R22, 0x10, RZ {lut=0x3c}\n"
                    "mov.i R27, 0x10\n mov.i R28, 0xff8\n" LOAD WAIT SHOW_SHARED("0x0"),
         load_warps),
    CASE("bulk store of 16 bytes", STORES("0x410", "0x20", "0x10", "0xffff", "0x400", "0x600"),
         store_16),
    CASE("bulk store of two sectors", STORES("0x420", "0x10", "0x40", "0xffff", "0x400", "0x600"),
         store_64),
    CASE("bulk store across sectors, up to the CTA's last byte",
         STORES("0x430", "0xfd0", "0x30", "0xffff", "0x400", "0x600"), store_across),
    CASE("bulk store of 2,816 bytes, the first of them",
         STORES("0x430", "0x100", "0xb00", "0xffff", "0x400", "0x600"), store_head),
    CASE("bulk store of 2,816 bytes, the last of them",
         STORES("0x430", "0x100", "0xb00", "0xffff", "0xc00", "0xe00"), store_tail),
    CASE("bulk store of some bytes of each 16",
         STORES("0x430", "0x0", "0x50", "0xffffa5c3", "0x400", "0x600"), store_masked),
    CASE("bulk store of one byte of each 16",
         STORES("0x420", "0x0", "0x40", "0x10400", "0x400", "0x600"), store_one_byte),
    CASE("bulk store of no bytes", STORES("0x420", "0x0", "0x40", "0xffff0000", "0x400", "0x600"),
         store_nothing),
    CASE("bulk stores of 32 lanes, 16 to 64 bytes",
         PRO BASE IS_WARP_0 FILL SYNC SHL(
             "R26", "R0",
             "0x6") "mov.r R23, RZ\n mov.r R22, R26\n"
                    "add64.rr R24:R25, R20:R21, R22:R23\n add64.ri R24:R25, R24:R25, 0x410\n" AND(
                        "R27", "R0", "0x3")
                        SHL("R27", "R27", "0x4") "add.ri R27, R27, 0x10\n"
                                                 "mov.i R28, 0xffff\n @P0 " STORE ALL_OVER
                                                     SHOW_GLOBAL("0x400", "0x600"),
         store_lanes),
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
    CASE("a source that changes once it is read",
         PRO BASE IS_FIRST IS_WARP_0 FILL SYNC OPERANDS(
             "0x410", "0x20", "0x340",
             "0xffff") "@P6 " STORE ALL_READ
                       "bar.sync.i B0:0\n" FILL_SHARED(
                           "mov.r R8, R10\n") "bulkwait 0x0\n" SHOW_GLOBAL("0x400", "0x600"),
         before_change),
    CASE("two groups, the first waited for alone, then a change of its source",
         PRO BASE IS_FIRST FILL SYNC
             OPERANDS("0x400", "0x0", "0x40", "0xffff") "@P6 " STORE "bulkcommit\n" OPERANDS(
                 "0x440", "0x400", "0x40",
                 "0xffff") "@P6 " STORE "bulkcommit\n bulkwait 0x1\n"
                           "@P6 st.shared.b32 [RZ], RZ\n bulkwait 0x0\n" SHOW_GLOBAL("0x400",
                                                                                     "0x600"),
         both_groups),
    CASE("empty groups, and more of them than are counted",
         PRO BASE IS_FIRST FILL SYNC "bulkwait 0x0\n bulkcommit\n" OPERANDS(
             "0x400", "0x0", "0x40",
             "0xffff") "@P6 " STORE "mov.r R10, RZ\n"
                       "more:\n bulkcommit\n add.ri R10, R10, 0x1\n"
                       "setp.u32.ri P0, PT, R10, 0x46, PT {cmp=lt bop=none}\n @P0 bra #more\n"
                       "bulkwait 0x3e\n" SHOW_GLOBAL("0x400", "0x600"),
         by_paths),
    CASE("a wait of some lanes, of two paths",
         PRO BASE IS_FIRST FILL SYNC OPERANDS("0x400", "0x0", "0x40", "0xffff")
             AND("R8", "R0",
                 "0x1") "setp.u32.ri P0, PT, R8, 0x0, PT {cmp=eq bop=none}\n @!P0 bra #odd\n"
                        "@P6 " STORE "bulkcommit\n bulkwait 0x43\n @P0 bulkwait 0x0\n bra #on\n"
                        "odd:\n bulkcommit\n @!P0 bulkwait 0x40\n bulkwait 0x0\n"
                        "on:\n" SHOW_GLOBAL("0x400", "0x600"),
         by_paths),
    CASE("a load, a change, a store",
         PRO BASE IS_FIRST FILL SYNC MBARRIER("0x200")
             SYNC OPERANDS("0x800", "0x40", "0x200", "0xff8") "@P6 " LOAD WAIT SHL(
                 "R9", "R0", "0x2") "ld.shared.b32 R1, [R9+0x40]\n add.ri R1, R1, 0x5\n"
                                    "st.shared.b32 [R9+0x40], R1\n" SYNC OPERANDS(
                                        "0x400", "0x40", "0x200", "0xffff") "@P6 " STORE ALL_OVER
                                        SHOW_GLOBAL("0x400", "0x600"),
         round_trip),
    {.name = "CTAs that end with stores under way",
     .text = PRO BASE "s2r R1, SR6\n add.ri R1, R1, 0x1\n" SHL(
         "R9", "R0", "0x2") "st.shared.b32 [R9], R1\n fence\n warpsync.i 0xffff\n" IS_FIRST
                            "s2r R1, SR6\n" OPERANDS("0x400", "0x0", "0x40", "0xffff") SHL(
                                "R22", "R1",
                                "0x6") "add64.rr R24:R25, R24:R25, R22:R23\n @P6 " STORE "exit\n",
     .grid = {12, 1, 1},
     .block = {16, 1, 1},
     .shared = 4096,
     .want = of_ctas,
     .words = 448},
    FAULT("global address between halves", MISALIGNED, ADD("R24", "0x8")),
    FAULT("shared address between halves", MISALIGNED, ADD("R26", "0x4")),
    LOAD_FAULT("mbarrier at an upper word", MISALIGNED, SET("R28", "0xc")),
    FAULT("no bytes", COPY_SIZE, SET("R27", "0x0")),
    FAULT("not a multiple of 16 bytes", COPY_SIZE, SET("R27", "0x18")),
    FAULT("bytes of the highest bit and 8", COPY_SIZE, SET("R27", "0x80000008")),
    FAULT("global address below memory", OUT_OF_BOUNDS, SET("R25", "0x0") SET("R24", "0x10")),
    FAULT("global address above memory", OUT_OF_BOUNDS, ADD("R25", "0x10")),
    FAULT("a sum of 65 bits", OUT_OF_BOUNDS, SET("R25", "0xffffffff") SET("R24", "0xfffffff0")),
    FAULT("bytes behind memory", OUT_OF_BOUNDS, SET("R27", "0xfffffff0") SET("R26", "0x0")),
    FAULT("bytes behind the CTA's", OUT_OF_BOUNDS, SET("R26", "0xf0")),
    FAULT("shared address behind the CTA's", OUT_OF_BOUNDS, SET("R26", "0x100") SET("R27", "0x10")),
    FAULT("a sum of 33 bits", OUT_OF_BOUNDS, SET("R26", "0xfffffff0")),
    LOAD_FAULT("mbarrier behind the CTA's bytes", OUT_OF_BOUNDS, SET("R28", "0x100")),
    LOAD_FAULT("mbarrier at a sum of 33 bits", OUT_OF_BOUNDS, SET("R28", "0xfffffff8")),
    FAULT("address before size", MISALIGNED, ADD("R24", "0x8") SET("R27", "0x0")),
    LOAD_FAULT("mbarrier's address before size", MISALIGNED, SET("R28", "0x4") SET("R27", "0x0")),
    FAULT("size before bounds", COPY_SIZE, SET("R27", "0x8") SET("R26", "0x1000")),
    MISUSE("bulk load of more bytes than a transaction count has left, all lanes", "0x00100001",
           "0x20000002", "0x0", 0),
    MISUSE("bulk load of more bytes than a transaction count has left, lane 31", "0x00100001",
           "0x20000002", "0x1f", 31),
    {.name = NULL}};
