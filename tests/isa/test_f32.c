/* f32 add, mul, fma, min, max and comparison against tests/common/fpu_reference.h in all four
 * rounding directions (PTX 9.7.3; cmodel/sem/sem.h states the rules). */
#include <stdlib.h>

#include "cmodel/sem/sem.h"
#include "tests/common/fpu_reference.h"
#include "tests/isa/check.h"

enum { ADD, MUL, FMA };
static const char *const op_name[] = {"add", "mul", "fma"};

static uint32_t host(int op, uint32_t a, uint32_t b, uint32_t c, wl_fp_mode_t mode) {
  static const wl_fpu_op_t ops[] = {WL_FPU_FADD, WL_FPU_FMUL, WL_FPU_FFMA};
  return (uint32_t)wl_ref_fpu(
      ops[op], &(wl_fpu_lane_t){
                   .a = a, .b = b, .c = c, .rnd = mode.rnd & 3, .ftz = mode.ftz, .sat = mode.sat});
}

static void check_arithmetic(check_t *t, int op, uint32_t a, uint32_t b, uint32_t c,
                             unsigned bits) {
  const wl_fp_mode_t mode = {.rnd = bits & 3, .ftz = bits >> 2 & 1, .sat = bits >> 3 & 1};
  const uint32_t got = op == ADD   ? wl_f32_add(a, b, mode)
                       : op == MUL ? wl_f32_mul(a, b, mode)
                                   : wl_f32_fma(a, b, c, mode);
  const uint32_t expected = host(op, a, b, c, mode);
  if (!check_equal(t, got, expected) && check_print(t))
    printf("%s %08x %08x %08x rnd %d ftz %d sat %d: got %08x, expected %08x\n", op_name[op],
           (unsigned)a, (unsigned)b, (unsigned)c, mode.rnd, mode.ftz, mode.sat, (unsigned)got,
           (unsigned)expected);
}

static void check_order(check_t *t, uint32_t a, uint32_t b) {
  for (unsigned bits = 0; bits < 8; bits++) {
    const bool ftz = bits & 1, nan = bits & 2, max = bits & 4;
    const uint32_t got = max ? wl_f32_max(a, b, ftz, nan) : wl_f32_min(a, b, ftz, nan);
    const uint32_t expected = (uint32_t)wl_ref_fpu(
        max ? WL_FPU_FMAX : WL_FPU_FMIN, &(wl_fpu_lane_t){.a = a, .b = b, .ftz = ftz, .nan = nan});
    if (!check_equal(t, got, expected) && check_print(t))
      printf("%s %08x %08x ftz %d nan %d: got %08x, expected %08x\n", max ? "max" : "min",
             (unsigned)a, (unsigned)b, ftz, nan, (unsigned)got, (unsigned)expected);
  }
  for (int ftz = 0; ftz < 2; ftz++) {
    const unsigned expected = wl_ref_relation(a, b, ftz);
    const unsigned got = wl_f32_relation(a, b, ftz);
    if (!check_equal(t, got, expected) && check_print(t))
      printf("relation %08x %08x ftz %d: got %u, expected %u\n", (unsigned)a, (unsigned)b, ftz, got,
             expected);
  }
}

/* Results that were settled by hand, so that a shared misreading of a rule is seen. */
static void check_known(check_t *t) {
  static const struct {
    int op;
    uint32_t a, b, c, mode, d;
  } known[] = {
      {MUL, 0x00800001, 0x3f7ffffe, 0, 4, 0x00800000}, /* 1 - 2^-46 rounds up to 2^-126: kept */
      {MUL, 0x00800001, 0x3f7ffffe, 0, 5, 0x00000000}, /* rz: below 2^-126: flushed */
      {MUL, 0x00800000, 0x3f7fffff, 0, 4, 0x00000000}, /* exact in 24 bits, below: flushed */
      {MUL, 0x00800000, 0x3f7fffff, 0, 0, 0x00800000}, /* without ftz: rounds at 2^-149 */
      {MUL, 0x80800000, 0x3f7ffffe, 0, 7, 0x80000000}, /* zero of its sign, also in rp */
      {MUL, 0x00000001, 0x3f000000, 0, 3, 0x00000001}, /* half the least value, rp */
      {MUL, 0x80000000, 0x3f800000, 0, 2, 0x80000000}, /* sign of a product */
      {ADD, 0x3f800000, 0xbf800000, 0, 0, 0x00000000}, /* exact zero sum */
      {ADD, 0x3f800000, 0xbf800000, 0, 2, 0x80000000}, /* rm: -0 */
      {ADD, 0x80000000, 0x80000000, 0, 0, 0x80000000},
      {FMA, 0x00000000, 0x3f800000, 0x80000000, 0, 0x00000000}, /* +0 + -0 */
      {FMA, 0x00000000, 0x3f800000, 0x80000000, 2, 0x80000000},
      {FMA, 0x00800000, 0x00800000, 0x00800000, 7, 0x00800001}, /* tiny product counts in rp */
      {FMA, 0x3f800000, 0x00000001, 0x3f800000, 7, 0x3f800000}, /* flushed operand does not */
      {FMA, 0x7f800000, 0x00000001, 0x00000000, 4, 0x7fffffff}, /* inf * flushed zero */
      /* (1 + 2^-46) + (2^24 - 1): the sum carries and 2^-46 alone decides */
      {FMA, 0x3f801001, 0x3f7fe002, 0x4b7fffff, 3, 0x4b800001},
      {FMA, 0xbf801001, 0x3f7fe002, 0xcb7fffff, 2, 0xcb800001},
      {FMA, 0x3f801001, 0x3f7fe002, 0x4b7fffff, 0, 0x4b800000},
      {MUL, 0x7f7fffff, 0x7f7fffff, 0, 1, 0x7f7fffff}, /* overflow, rz */
      {ADD, 0x7fc00000, 0x3f800000, 0, 8, 0x00000000}, /* sat: NaN to +0 */
      {MUL, 0xbf800000, 0x3f800000, 0, 8, 0x00000000}, /* sat: negative to +0 */
      {ADD, 0x3f800000, 0x3f800000, 0, 8, 0x3f800000}, /* sat: at most 1 */
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const wl_fp_mode_t mode = {
        .rnd = known[i].mode & 3, .ftz = known[i].mode >> 2 & 1, .sat = known[i].mode >> 3 & 1};
    const uint32_t a = known[i].a, b = known[i].b;
    const uint32_t got = known[i].op == ADD   ? wl_f32_add(a, b, mode)
                         : known[i].op == MUL ? wl_f32_mul(a, b, mode)
                                              : wl_f32_fma(a, b, known[i].c, mode);
    if (!check_equal(t, got, known[i].d))
      printf("known %s %08x %08x mode %u: got %08x, expected %08x\n", op_name[known[i].op],
             (unsigned)a, (unsigned)b, (unsigned)known[i].mode, (unsigned)got,
             (unsigned)known[i].d);
  }
}

int main(int argc, char **argv) {
  const long count = argc > 1 ? atol(argv[1]) : 2000000;
  check_t t = {.state = 1};
  check_known(&t);
  for (unsigned i = 0; i < CHECK_ANCHORS; i++)
    for (unsigned k = 0; k < CHECK_ANCHORS; k++) {
      const uint32_t a = check_anchor_at(i), b = check_anchor_at(k);
      check_order(&t, a, b);
      for (unsigned m = 0; m < 16; m++) {
        check_arithmetic(&t, ADD, a, b, 0, m);
        check_arithmetic(&t, MUL, a, b, 0, m);
      }
      for (unsigned n = 0; n < CHECK_ANCHORS; n++)
        check_arithmetic(&t, FMA, a, b, check_anchor_at(n), (i + k + n) & 7);
    }
  for (long n = 0; n < count; n++) {
    const uint32_t a = check_f32(&t), b = check_f32(&t), c = check_f32(&t);
    const unsigned m = (unsigned)(check_random(&t) & 15);
    check_arithmetic(&t, (int)(n % 3), a, b, c, m);
    check_arithmetic(&t, FMA, a, b, c, m & 7);
    if (n % 8 == 0) check_order(&t, a, b);
  }
  return check_done(&t, "f32");
}
