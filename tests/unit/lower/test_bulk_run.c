/* test_bulk_run.c: bulk copies, st.bulk, st.async and red.async, from PTX text to bytes of memory.
 * Expected values are written out or computed here. PTX 9.7.9.12, 9.7.9.13, 9.7.9.25.4, 9.7.9.27.2,
 * 9.7.13.7.
 *   test_bulk_run [BACKEND CONFIG] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

enum {
  USER = 5,
  MISALIGNED = 10,
  OUT_OF_BOUNDS = 11,
  MBARRIER = 16,
  COPY_SIZE = 17
}; /* trap.def */
enum { WORDS = A_BYTES / 4, HALF = A_BYTES / 2 };

#define HEAD               ".shared .align 8 .b64 mb[2]; .shared .align 128 .b32 sh[128];"
#define V(name, code)      {name, PROGRAM(HEAD, code), 1, 1}
#define CTA(name, n, code) {name, PROGRAM(HEAD, code), 1, n}
#define OUT                " st.global.v4.b32 [%o], {%r10, %r11, %r12, %r13};"
#define START(bytes)                                                                               \
  "mbarrier.init.shared.b64 [mb], 1; mbarrier.arrive.expect_tx.shared.b64 _, [mb], " bytes ";\n"
#define WAIT   "AGAIN: mbarrier.try_wait.parity.shared.b64 %p7, [mb], 0; @!%p7 bra AGAIN;\n"
#define LOAD   "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes "
#define STORE  "cp.async.bulk.global.shared::cta.bulk_group "
#define MASKED "cp.async.bulk.global.shared::cta.bulk_group.cp_mask "
#define DONE   "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n"
#define FILL   START("256") LOAD "[sh], [%a], 256, [mb];\n" WAIT

/* ---- what threads read afterwards: 16 bytes at [%o]; word k of a is 100 + k */
typedef struct value {
  program_t p;
  uint32_t want[4];
} value_t;
/* clang-format off */
static const value_t values[] = {
    {V("loads", START("80") LOAD "[sh], [%a], 16, [mb]; mov.b32 %r1, 64; mov.b32 %r2, sh; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r2+32], [%a+32], %r1, [mb], %a;\n" WAIT
       "ld.shared.b32 %r10, [sh+12]; ld.shared.b32 %r11, [sh+32]; ld.shared.b32 %r12, [sh+92]; add.u64 %rd1, %a, 48; mov.b32 %r13, 7;" OUT), {103, 108, 123, 7}},
    {V("nothing", "mbarrier.init.shared.b64 [mb], 1; st.shared.v2.b64 [sh], {%a, %a}; mov.b32 %r1, 0; " LOAD "[sh], [%a], 0, [mb]; " LOAD "[sh], [%a], %r1, [mb]; " STORE "[%a], [sh], 0; " STORE "[%a], [sh], %r1;\n"
       "cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u32 [%a], [sh], %r1; cp.async.bulk.prefetch.L2.global [%a], 64; cp.async.bulk.prefetch.L2.global [%a+3], %r1;\n" DONE
       "mbarrier.arrive.shared.b64 _, [mb];\n" WAIT "ld.shared.b64 %rd1, [sh]; setp.eq.u64 %p1, %rd1, %a; selp.b32 %r10, 1, 0, %p1; ld.global.v2.b32 {%r11, %r12}, [%a]; mov.b32 %r13, 9;" OUT), {1, 100, 101, 9}},
    {V("guards", "mbarrier.init.shared.b64 [mb], 1; mbarrier.arrive.expect_tx.shared.b64 _, [mb], 32; setp.ne.u32 %p1, %t, %t; mov.b32 %r1, 16; @%p1 " LOAD "[sh], [%a], 16, [mb]; @%p1 " LOAD "[sh], [%a], %r1, [mb];\n"
       "@!%p1 " LOAD "[sh], [%a+16], 16, [mb]; @!%p1 " LOAD "[sh+16], [%a+48], %r1, [mb];\n" WAIT
       "@%p1 " STORE "[%a], [sh], %r1; @%p1 st.bulk.shared::cta [sh], 32, 0; ld.shared.b32 %r10, [sh]; ld.shared.b32 %r11, [sh+28]; ld.global.b32 %r12, [%a]; mov.b32 %r13, 1;" OUT), {104, 115, 100, 1}},
    {V("a phase is over with the last byte", START("64") LOAD "[sh], [%a], 48, [mb]; nanosleep.u32 3000; mbarrier.test_wait.parity.shared.b64 %p1, [mb], 0; selp.b32 %r10, 1, 0, %p1;\n"
       LOAD "[sh+48], [%a], 16, [mb];\n" WAIT "mbarrier.test_wait.parity.shared.b64 %p1, [mb], 0; selp.b32 %r11, 1, 0, %p1; ld.shared.b32 %r12, [sh+44]; ld.shared.b32 %r13, [sh+60];" OUT), {0, 1, 111, 103}},
    {V("groups", FILL STORE "[%a], [sh+64], 64; cp.async.bulk.commit_group; " STORE "[%a+64], [sh+128], 64; cp.async.bulk.commit_group; " STORE "[%a+128], [sh], 128; cp.async.bulk.commit_group;\n"
       "cp.async.bulk.wait_group 2; ld.global.b32 %r10, [%a+60]; cp.async.bulk.wait_group 1; ld.global.b32 %r11, [%a+124]; cp.async.bulk.wait_group 100; cp.async.bulk.wait_group 0; ld.global.b32 %r12, [%a+128]; ld.global.b32 %r13, [%a+252];" OUT),
     {131, 147, 100, 131}},
    {V("reads are over before writes", FILL STORE "[%a], [sh+128], 128; cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; st.bulk.shared::cta [sh], 256, 0; " STORE "[%a+128], [sh], 64; cp.async.bulk.commit_group;\n"
       "cp.async.bulk.wait_group 0; ld.global.b32 %r10, [%a]; ld.global.b32 %r11, [%a+124]; ld.global.b32 %r12, [%a+188]; ld.global.b32 %r13, [%a+192];" OUT), {132, 163, 0, 148}},
    {V("addresses", ".global .align 16 .b32 numbers[4] = {21, 22, 23, 24}; .shared .align 16 .b32 own[8]; .reg .u64 %g; .reg .b32 %s; mov.b32 %s, own; mov.u64 %g, %a;\n" START("32") "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%s+16], [%g+-0], 16, [mb]; mov.b32 %r1, mb; add.u32 %s, %s, 32;\n"
       "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%s+-32], [numbers], 16, [%r1];\n" WAIT "ld.shared.b32 %r10, [own]; ld.shared.b32 %r11, [own+12]; ld.shared.b32 %r12, [own+16]; ld.shared.b32 %r13, [own+28];" OUT), {21, 24, 100, 103}},
    {CTA("each lane copies", 64, "setp.eq.u32 %p1, %t, 33; @%p1 mbarrier.init.shared.b64 [mb], 1; @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [mb], 512; bar.sync 0; shl.b32 %r1, %t, 4; mov.b32 %r2, sh; add.u32 %r2, %r2, %r1;\n"
       "cvt.u64.u32 %rd1, %r1; add.u64 %rd1, %rd1, %b; st.global.v4.b32 [%rd1], {%t, %t, %t, %r1}; bar.sync 0; setp.lt.u32 %p2, %t, 32; xor.b32 %r3, %r1, 16; cvt.u64.u32 %rd2, %r3; add.u64 %rd2, %rd2, %b;\n"
       "@%p2 " LOAD "[%r2], [%rd2], 16, [mb];\n" WAIT "mov.b32 %r8, sh; and.b32 %r4, %r1, 511; add.u32 %r4, %r4, %r8; ld.shared.b32 %r5, [%r4]; ld.shared.b32 %r6, [%r4+12]; and.b32 %r7, %t, 31; xor.b32 %r7, %r7, 1; sub.u32 %r10, %r5, %r7; shl.b32 %r7, %r7, 4; sub.u32 %r11, %r6, %r7; mov.b32 %r12, 1; mov.b32 %r13, 2; bar.sync 0;" OUT), {0, 0, 1, 2}},
    {V("zeros", FILL "mov.b64 %rd1, 24; st.bulk.weak.shared::cta [sh+8], %rd1, 0; cvta.shared.u64 %rd2, sh; st.bulk [%rd2+64], 8, 0; mov.b64 %rd3, 0; st.bulk [%rd2], %rd3, 0; st.bulk.shared::cta [sh], 0, 0;\n"
       "ld.shared.b32 %r1, [sh+8]; ld.shared.b32 %r2, [sh+28]; add.u32 %r10, %r1, %r2; ld.shared.b32 %r11, [sh+4]; ld.shared.b32 %r12, [sh+32]; ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [sh+64]; add.u32 %r13, %r1, %r2; sub.u32 %r13, %r3, %r13;" OUT), {0, 101, 108, 118}},
    {CTA("sizes of lanes differ", 64, "setp.eq.u32 %p1, %t, 0; @%p1 st.bulk.shared::cta [sh], 512, 0; bar.sync 0; mov.b32 %r1, 0xffffffff; shl.b32 %r2, %t, 3; mov.b32 %r3, sh; add.u32 %r3, %r3, %r2; st.shared.v2.b32 [%r3], {%r1, %r1}; bar.sync 0;\n"
       "and.b32 %r4, %t, 1; xor.b32 %r4, %r4, 1; shl.b32 %r4, %r4, 3; cvt.u64.u32 %rd1, %r4; st.bulk.shared::cta [%r3], %rd1, 0; ld.shared.v2.b32 {%r5, %r6}, [%r3]; and.b32 %r7, %t, 1; neg.s32 %r7, %r7; sub.u32 %r10, %r5, %r7; sub.u32 %r11, %r6, %r7; mov.b32 %r12, 0; mov.b32 %r13, 3;" OUT), {0, 0, 0, 3}},
    {V("st.async", "mov.b32 %r1, 77; mov.b64 %rd1, 0x500000006; cvt.u16.u32 %h1, %r1; st.async.release.gpu.global.b32 [%a], %r1; st.async.mmio.release.sys.u64 [%a+8], %rd1; st.async.release.sys.b8 [%a+17], 5; st.async.release.gpu.global.u16 [%a+20], %h1;\n"
       "ld.global.b32 %r10, [%a]; ld.global.b32 %r11, [%a+12]; ld.global.b32 %r12, [%a+16]; ld.global.b32 %r13, [%a+20];" OUT), {77, 5, 0x568, 77}},
    {CTA("red.async", 40, "red.async.release.gpu.global.add.u32 [%a], %t; red.async.mmio.release.sys.add.s32 [%a+4], -1; cvt.u64.u32 %rd1, %t; red.async.release.sys.add.u64 [%a+8], %rd1; red.async.mmio.release.sys.global.add.s64 [%a+16], -2; bar.sync 0;\n"
       "ld.global.v2.b32 {%r10, %r11}, [%a]; ld.global.b32 %r12, [%a+8]; ld.global.b32 %r13, [%a+16];" OUT), {880, 61, 882, 24}},
};

static const struct { program_t p; int cause; } traps[] = {
    {V("size 24", "mbarrier.init.shared.b64 [mb], 1; mov.b32 %r1, 24; " LOAD "[sh], [%a], %r1, [mb];"), COPY_SIZE},
    {V("size of a store", "mov.b32 %r1, 8; " STORE "[%a], [sh], %r1;"), COPY_SIZE},
    {V("source", "mbarrier.init.shared.b64 [mb], 1; " LOAD "[sh], [%a+8], 16, [mb];"), MISALIGNED},
    {V("destination", "mbarrier.init.shared.b64 [mb], 1; " LOAD "[sh+4], [%a], 16, [mb];"), MISALIGNED},
    {V("mbarrier", "mbarrier.init.shared.b64 [mb], 1; " LOAD "[sh], [%a], 16, [mb+4];"), MISALIGNED},
    {V("global memory", STORE "[64], [sh], 32;"), OUT_OF_BOUNDS},
    {V("shared memory", "mov.b32 %r1, 4096; " STORE "[%a], [sh], %r1;"), OUT_OF_BOUNDS},
    {V("transactions below 0", "mbarrier.init.shared.b64 [mb], 1; mov.b32 %r1, 0xfff00000; mbarrier.complete_tx.shared.b64 [mb], 1048575; mov.b32 %r2, 16; " LOAD "[sh], [%a], %r2, [mb]; nanosleep.u32 3000;"), MBARRIER},
    {V("zeros of 12 bytes", "mov.b64 %rd1, 12; st.bulk.shared::cta [sh], %rd1, 0;"), USER},
    {V("zeros of 2^32 bytes", "mov.b64 %rd1, 0x100000000; st.bulk.shared::cta [sh], %rd1, 0;"), USER},
    {V("zeros elsewhere", "st.bulk.shared::cta [sh+4], 8, 0;"), MISALIGNED},
};
/* clang-format on */

/* ---- images: what the buffer a holds afterwards */
typedef void image_fn(uint8_t *a);
static void two_pieces(uint8_t *a) { memcpy(a + 128, a + 16, 48); }
static void every_third(uint8_t *a) { /* mask 0x9249 of each 16 bytes */
  for (unsigned k = 0; k < 64; k++)
    if (k % 16 % 3 == 0) a[128 + k] = a[k];
}
static void two_masks(uint8_t *a) {
  for (unsigned k = 0; k < 48; k++)
    if (k % 16 < 4) a[144 + k] = a[k];
  a[207] = a[15];
}
static void all_odd(uint8_t *a) {
  for (unsigned k = 0; k < 32; k++)
    memcpy(a + (size_t)(16 * ((k % 8) ^ 1)) + 128, a + (size_t)16 * (k % 8), 16);
}
static void edges(uint8_t *a) { memcpy(a + 128, a + 48, 16), memcpy(a + 144, a + 64, 32); }

static const struct {
  program_t p;
  image_fn *want;
} images[] = {
    {V("a store", FILL "mov.b32 %r1, 48; " STORE "[%a+128], [sh+16], %r1;" DONE), two_pieces},
    {V("a store behind the end", FILL STORE "[%a+128], [sh+16], 48;"), two_pieces},
    {V("a mask", FILL "mov.b16 %h1, 0x9249; " MASKED "[%a+128], [sh], 64, %h1;" DONE), every_third},
    {V("masks of 16 bits", FILL
       "mov.b32 %r1, 0x7654000f; cvt.u16.u32 %h1, %r1; " MASKED "[%a+144], [sh], 48, %h1; " MASKED
       "[%a+192], [sh], 16, 0x8000; " MASKED "[%a+208], [sh], 16, 0;" DONE),
     two_masks},
    {CTA("each of eight lanes stores", 8,
         "setp.eq.u32 %p1, %t, 0; @%p1 mbarrier.init.shared.b64 [mb], 1; bar.warp.sync 255; @%p1 "
         "mbarrier.arrive.expect_tx.shared.b64 _, [mb], 256; @%p1 " LOAD "[sh], [%a], 256, "
         "[mb];\n" WAIT "shl.b32 %r1, %t, 4; mov.b32 %r2, sh; add.u32 %r2, %r2, %r1; xor.b32 %r1, "
         "%r1, 16; cvt.u64.u32 %rd1, %r1; add.u64 %rd1, %rd1, %a; " STORE
         "[%rd1+128], [%r2], 16;" DONE),
     all_odd},
};

/* Bytes beside what is copied are read like others. */
static const program_t ignored = {
    "ignore_oob",
    ".version 9.2\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b)"
    "\n{ " HEAD " .reg .pred %p<8>; .reg .b32 %r<4>; .reg .b64 %a;\nld.param.u64 %a, [a];\n" START(
        "48") "mov.b32 %r1, 5; cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes."
              "ignore_oob [sh], [%a+48], 16, 0, 15, [mb]; mov.b32 %r2, 32; cp.async.bulk.shared::cta.global."
              "mbarrier::complete_tx::bytes.L2::cache_hint.ignore_oob [sh+16], [%a+64], %r2, %r1, 2, [mb], "
              "%a;\n" WAIT STORE "[%a+128], [sh], 48;" DONE "ret; }\n",
    1, 1};

/* ---- reductions: the first half of a onto the second */
typedef uint64_t apply_fn(uint64_t old, uint64_t value);
static uint64_t add(uint64_t o, uint64_t v) { return o + v; }
static uint64_t min_u(uint64_t o, uint64_t v) { return v < o ? v : o; }
static uint64_t max_u(uint64_t o, uint64_t v) { return v > o ? v : o; }
static uint64_t min_32(uint64_t o, uint64_t v) { return (int32_t)v < (int32_t)o ? v : o; }
static uint64_t max_32(uint64_t o, uint64_t v) { return (int32_t)v > (int32_t)o ? v : o; }
static uint64_t min_64(uint64_t o, uint64_t v) { return (int64_t)v < (int64_t)o ? v : o; }
static uint64_t max_64(uint64_t o, uint64_t v) { return (int64_t)v > (int64_t)o ? v : o; }
static uint64_t inc(uint64_t o, uint64_t v) { return o >= v ? 0 : o + 1; }
static uint64_t dec(uint64_t o, uint64_t v) { return o == 0 || o > v ? v : o - 1; }
static uint64_t and_(uint64_t o, uint64_t v) { return o & v; }
static uint64_t or_(uint64_t o, uint64_t v) { return o | v; }
static uint64_t xor_(uint64_t o, uint64_t v) { return o ^ v; }
/* Subnormal operands and results are zeros of their sign. */
static uint32_t flushed(uint64_t x) {
  return (x & 0x7f800000u) == 0 ? (uint32_t)x & 0x80000000u : (uint32_t)x;
}
static uint64_t add_f32(uint64_t o, uint64_t v) {
  const uint32_t ow = flushed(o), vw = flushed(v);
  float a, b;
  uint32_t sum;
  memcpy(&a, &ow, 4);
  memcpy(&b, &vw, 4);
  a += b;
  memcpy(&sum, &a, 4);
  return flushed(sum);
}

static const struct {
  const char *name;
  unsigned bytes;
  apply_fn *apply;
} reductions[] = {
    {"add.u32", 4, add},    {"add.s32", 4, add},    {"min.u32", 4, min_u},  {"min.s32", 4, min_32},
    {"max.u32", 4, max_u},  {"max.s32", 4, max_32}, {"inc.u32", 4, inc},    {"dec.u32", 4, dec},
    {"and.b32", 4, and_},   {"or.b32", 4, or_},     {"xor.b32", 4, xor_},   {"add.f32", 4, add_f32},
    {"add.u64", 8, add},    {"min.u64", 8, min_u},  {"min.s64", 8, min_64}, {"max.u64", 8, max_u},
    {"max.s64", 8, max_64}, {"and.b64", 8, and_},   {"or.b64", 8, or_},     {"xor.b64", 8, xor_},
};

static uint32_t draw(uint32_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  return *state ^= *state << 5;
}

/* Random bits; some pairs are equal, some values 0. Of f32 numbers whose sums are exact, and
 * subnormal ones. */
static void random_words(uint32_t *a, bool f32) {
  uint32_t state = 0x1234567;
  for (unsigned k = 0; k < WORDS; k++) {
    const uint32_t bits = draw(&state);
    const float number = (float)(int32_t)(bits % 2000001) - 1000000.0f;
    a[k] = bits % 7 == 0 ? 0 : k >= WORDS / 2 && bits % 5 == 0 ? a[k - WORDS / 2] : bits;
    if (f32) memcpy(&a[k], &number, 4);
    if (f32 && bits % 5 == 0) a[k] = bits & 0x807fffff; /* subnormal */
  }
  if (f32) a[0] = 0x00800001, a[WORDS / 2] = 0x80800000; /* so is their sum */
}

static void reduced(uint8_t *a, unsigned bytes, apply_fn *apply) {
  for (unsigned k = 0; k < HALF; k += bytes) {
    uint64_t old = 0, value = 0;
    memcpy(&old, a + HALF + k, bytes);
    memcpy(&value, a + k, bytes);
    old = apply(old, value);
    memcpy(a + HALF + k, &old, bytes);
  }
}

static int failed(const char *name, const char *what, long a, long b) {
  printf("FAILED: %s: %s %ld, expected %ld\n", name, what, a, b);
  return 1;
}

static int check_image(const wl_device_options_t *o, const program_t *p, uint8_t *a,
                       const uint8_t *want) {
  uint8_t b[B_BYTES] = {0};
  const int cause = program_run(o, p, a, b);
  if (cause != 0) return failed(p->name, "trap", cause, 0);
  for (long k = 0; k < A_BYTES; k++)
    if (a[k] != want[k]) {
      printf("byte %ld: ", k);
      return failed(p->name, "byte", a[k], want[k]);
    }
  return 0;
}

static int check_images(const wl_device_options_t *o) {
  int bad = 0;
  uint32_t a[WORDS], want[WORDS];
  for (size_t k = 0; k <= sizeof images / sizeof images[0]; k++) {
    const bool last = k == sizeof images / sizeof images[0];
    random_words(a, false);
    memcpy(want, a, sizeof a);
    (last ? edges : images[k].want)((uint8_t *)want);
    bad += check_image(o, last ? &ignored : &images[k].p, (uint8_t *)a, (const uint8_t *)want);
  }
  for (size_t k = 0; k < sizeof reductions / sizeof reductions[0]; k++) {
    char text[4096];
    (void)snprintf(text, sizeof text, "%s%s%s",
                   PROGRAM_START(HEAD, FILL "cp.reduce.async.bulk.global.shared::cta.bulk_group."),
                   reductions[k].name, " [%a+128], [sh], 128;\n" DONE "ret; }\n");
    const program_t p = {reductions[k].name, text, 1, 1};
    random_words(a, strstr(p.name, "f32") != NULL);
    memcpy(want, a, sizeof a);
    reduced((uint8_t *)want, reductions[k].bytes, reductions[k].apply);
    bad += check_image(o, &p, (uint8_t *)a, (const uint8_t *)want);
  }
  return bad;
}

static void fill(uint32_t a[WORDS], uint8_t b[B_BYTES]) {
  for (uint32_t k = 0; k < WORDS; k++)
    a[k] = 100 + k;
  memset(b, 0xee, B_BYTES);
}

static int check_value(const wl_device_options_t *o, const value_t *v) {
  uint32_t a[WORDS];
  uint8_t b[B_BYTES];
  fill(a, b);
  const int cause = program_run(o, &v->p, a, b);
  if (cause != 0) return failed(v->p.name, "trap", cause, 0);
  for (uint32_t t = 0; t < v->p.block; t++) {
    uint32_t got[4];
    memcpy(got, b + (size_t)16 * t, sizeof got);
    if (memcmp(got, v->want, sizeof got) == 0) continue;
    printf("FAILED: %s: thread %u has {%u, %u, %u, %u}, expected {%u, %u, %u, %u}\n", v->p.name, t,
           got[0], got[1], got[2], got[3], v->want[0], v->want[1], v->want[2], v->want[3]);
    return 1;
  }
  return 0;
}

#define COUNT(x) (sizeof(x) / sizeof((x)[0]))
int main(int argc, char **argv) {
  wl_device_options_t o = {.mem_bytes = 16 << 20, .max_cycles = 2000000}; /* a wait may go wrong */
  if (argc > 2) o.backend = argv[1], o.config = argv[2];
  int bad = check_images(&o);
  for (size_t k = 0; k < COUNT(values); k++)
    bad += check_value(&o, &values[k]);
  for (size_t k = 0; k < COUNT(traps); k++) {
    uint32_t a[WORDS];
    uint8_t b[B_BYTES];
    fill(a, b);
    const int cause = program_run(&o, &traps[k].p, a, b);
    if (cause != traps[k].cause) bad += failed(traps[k].p.name, "trap", cause, traps[k].cause);
  }
  printf("%zu programs, %d failed\n",
         COUNT(images) + 1 + COUNT(reductions) + COUNT(values) + COUNT(traps), bad);
  return bad != 0;
}
