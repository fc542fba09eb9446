/* test_contention.c: atomics that are loops (f16, bf16, cas.b16), and vectors of atom and red, where
 * all lanes of six warps in two CTAs want one word or neighbouring halves of it. All adds are of
 * small integers, so every order gives the same sum, exactly. And no two threads that add 1 to one
 * number may find the same old value: the old values are 0, 1, 2 .. once each. PTX 9.7.13.5.
 *   test_contention [BACKEND CONFIG] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

enum { THREADS = 192, F16_ONE = 0x3c00, BF16_ONE = 0x3f80 };

typedef struct kind {
  program_t p;
  bool bf16;
  unsigned numbers, bytes; /* of `a` that threads want: 16-bit (2) or f32 (4) */
  unsigned each[8];        /* what they hold in the end */
  unsigned olds;           /* results of a thread that are old values, 0 = none */
} kind_t;

#define ONE                                                                                        \
  "mov.b32 %r2, 0x3c003c00; mov.b16 %h2, 0x3c00; mov.b32 %r3, 0x3f803f80; mov.b16 %h3, 0x3f80;\n"  \
  "and.b32 %r4, %t, 1; mul.wide.u32 %rd1, %r4, 2; add.u64 %rd1, %rd1, %a; mov.b32 %r20, 0;\n"
#define KEEP " mov.b32 %r20, {%h1, %h1}; st.global.b32 [%o], %r20; st.global.b32 [%o+4], %r4;"
#define K(name, code) {name, PROGRAM("", ONE code), 2, 96}
/* clang-format off */
static const kind_t kinds[] = {
    {K("f16x2, global", "atom.global.add.noftz.f16x2 %r1, [%a], %r2; st.global.b32 [%o], %r1;"),
     false, 2, 2, {192, 192}, 2},
    {K("bf16x2, global", "atom.global.add.noftz.bf16x2 %r1, [%a], %r3; st.global.b32 [%o], %r1;"),
     true, 2, 2, {192, 192}, 2},
    {K("f16x2, red", "red.relaxed.gpu.global.add.noftz.f16x2 [%a+4], %r2;"), false, 4, 2, {0, 0, 192, 192}, 0},
    {K("f16, neighbours", "atom.add.noftz.f16 %h1, [%rd1], %h2;" KEEP), false, 2, 2, {96, 96}, 1},
    {K("bf16, neighbours", "atom.acq_rel.gpu.global.add.noftz.bf16 %h1, [%rd1], %h3;" KEEP), true, 2, 2, {96, 96}, 1},
    {K("f16, guard", "setp.lt.u32 %p1, %t, 100; mov.b16 %h1, 0x7777;\n"
       "@%p1 atom.global.add.noftz.f16 %h1, [%a+6], %h2; mov.b32 %r20, {%h1, %h1};\n"
       "setp.eq.u32 %p2, %r20, 0x77777777; @!%p2 st.global.b32 [%o], %r20; setp.eq.xor.u32 %p3, %r20, 0x77777777, %p1;\n"
       "@!%p3 red.global.add.noftz.f16 [%a], %h2;"), false, 4, 2, {0, 0, 0, 100}, 0},
    {K("its own operand", "atom.global.add.noftz.f16x2 %r2, [%a], %r2; st.global.b32 [%o], %r2;"),
     false, 2, 2, {192, 192}, 2},
    {K("cas.b16", "again: ld.relaxed.gpu.global.b16 %h4, [%rd1]; add.u16 %h5, %h4, 1;\n"
       "atom.global.cas.b16 %h1, [%rd1], %h4, %h5; setp.ne.u16 %p1, %h1, %h4; @%p1 bra again;\n"
       "cvt.rn.f32.u16 %f1, %h1; cvt.rn.f16.f32 %h1, %f1;" KEEP
       "bar.sync 0; setp.ne.u32 %p2, %t, 0; @%p2 bra done;\n"
       "wait: ld.relaxed.gpu.global.b32 %r5, [%a]; setp.ne.u32 %p1, %r5, 0x00600060; @%p1 bra wait;\n"
       "st.global.b32 [%a], 0x56005600; done:"), false, 2, 2, {96, 96}, 1},
    {K("v4.f16 and v2.f16x2", "mul.wide.u32 %rd2, %r4, 8; add.u64 %rd2, %rd2, %a;\n"
       "red.global.v4.f16.add.noftz [%rd2], {%h2, %h2, %h2, %h2};\n"
       "red.global.v2.f16x2.add.noftz [%a+8], {%r2, %r2}; red.global.v4.f16x2.add.noftz [%a], {%r2, %r2, %r2, %r2};"),
     false, 8, 2, {288, 288, 288, 288, 480, 480, 480, 480}, 0},
    {K("v8.bf16", "red.global.v8.bf16.add.noftz [%a], {%h3, %h3, %h3, %h3, %h3, %h3, %h3, %h3};"),
     true, 8, 2, {192, 192, 192, 192, 192, 192, 192, 192}, 0},
    {K("v2.f16", "atom.global.v2.f16.add.noftz {%h1, %h4}, [%a], {%h2, %h2}; mov.b32 %r1, {%h1, %h4}; st.global.b32 [%o], %r1;"),
     false, 2, 2, {192, 192}, 2},
    {K("v8.f16, max", "cvt.rn.f32.u32 %f1, %t; cvt.rn.f16.f32 %h1, %f1;\n"
       "atom.global.v8.f16.max.noftz {%h4, _, %h5, _, _, _, _, %h6}, [%a], {%h1, %h1, %h1, %h1, %h1, %h1, %h1, %h1};"),
     false, 8, 2, {191, 191, 191, 191, 191, 191, 191, 191}, 0},
    {K("v4.f32", "mov.f32 %f1, 0f3f800000; atom.global.v4.f32.add {%f2, _, _, %f3}, [%a], {%f1, %f1, %f1, %f1};\n"
       "red.v2.f32.add [%a+8], {1.0, %f1};"), false, 4, 4, {192, 192, 384, 384}, 0},
    {{"f16, shared", PROGRAM(".shared .align 4 .b16 pad[3];", ONE
       "mov.b16 %h4, 0; setp.lt.u32 %p1, %r1, 2; mov.u64 %rd3, pad; cvt.u32.u64 %r7, %rd3; mad.lo.u32 %r7, %r4, 2, %r7;\n"
       "@%p1 st.shared.b16 [%r7+2], %h4; bar.sync 0;\n"
       "atom.shared.add.noftz.f16 %h1, [%r7+2], %h2; bar.sync 0;\n"
       "setp.eq.u32 %p2, %r1, 0; @%p2 ld.shared.b16 %h5, [pad+2]; @%p2 ld.shared.b16 %h6, [pad+4]; @%p2 mov.b32 %r5, {%h5, %h6};\n"
       "@%p2 red.global.add.noftz.f16x2 [%a], %r5;"), 2, 96}, false, 2, 2, {96, 96}, 0},
    {{"bf16x2, generic to shared", PROGRAM(".shared .align 4 .b32 word;", ONE
       "mov.b32 %r4, 0; setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.b32 [word], %r4; bar.sync 0;\n"
       "mov.u64 %rd3, word; cvta.shared.u64 %rd3, %rd3;\n"
       "atom.add.noftz.bf16x2 %r5, [%rd3], %r3; bar.sync 0;\n"
       "@%p1 ld.shared.b32 %r6, [word]; @%p1 red.global.add.noftz.bf16x2 [%a], %r6;"), 2, 96}, true, 2, 2, {192, 192}, 0},
};
/* clang-format on */

/* The number of a pattern, -1 if it is not a small integer. */
static int number(uint32_t bits, unsigned bytes, bool bf16) {
  for (int i = 0; i <= 512; i++) {
    const float x = (float)i;
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    const uint32_t half = bf16     ? word >> 16
                          : i == 0 ? 0
                                   : ((word >> 23) - 127 + 15) << 10 | (word >> 13 & 0x3ff);
    if (bits == (bytes == 4 ? word : half)) return i;
  }
  return -1;
}

static uint32_t at(const uint8_t *a, unsigned k, unsigned bytes) {
  uint32_t x = 0;
  memcpy(&x, a + (size_t)k * bytes, bytes);
  return x;
}

/* Old values of each number: 0 to n - 1, once each. */
static int check_olds(const kind_t *k, const uint8_t *b) {
  bool seen[2][THREADS] = {{false}};
  int bad = 0;
  for (unsigned t = 0; t < THREADS; t++)
    for (unsigned h = 0; h < k->olds; h++) {
      const unsigned which = k->olds == 2 ? h : (unsigned)at(b + (size_t)16 * t + 4, 0, 4) & 1;
      const int old = number(at(b + (size_t)16 * t, h, 2), 2, k->bf16);
      if (old >= 0 && old < (int)k->each[which] && !seen[which][old]) {
        seen[which][old] = true;
        continue;
      }
      if (bad++ < 4)
        printf("%s: thread %u: old value %d is out of range or not the only one\n", k->p.name, t,
               old);
    }
  return bad;
}

static int run(const wl_device_options_t *options, const kind_t *k) {
  static uint8_t a[A_BYTES], b[B_BYTES];
  memset(a, 0, sizeof a);
  memset(b, 0, sizeof b);
  const int cause = program_run(options, &k->p, a, b);
  if (cause != 0) {
    printf("%s: trap %d\n", k->p.name, cause);
    return 1;
  }
  int bad = 0;
  for (unsigned i = 0; i < k->numbers; i++) {
    const int got = number(at(a, i, k->bytes), k->bytes, k->bf16);
    if (got == (int)k->each[i]) continue;
    printf("%s: number %u is %d (0x%x), expected %u\n", k->p.name, i, got,
           (unsigned)at(a, i, k->bytes), k->each[i]);
    bad++;
  }
  for (unsigned i = k->numbers * k->bytes; i < A_BYTES; i++)
    bad += a[i] != 0;
  return bad + check_olds(k, b);
}

int main(int argc, char **argv) {
  wl_device_options_t o = {.mem_bytes = 16 << 20};
  if (argc > 2) {
    o.backend = argv[1];
    o.config = argv[2];
  }
  int bad = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    bad += run(&o, &kinds[i]);
  printf("%d wrong\n", bad);
  return bad != 0;
}
