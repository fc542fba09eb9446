/* The host's f32 arithmetic (sem_f32_host.c) against the one on bit patterns (sem_f32.c), which
 * test_f32.c checks against the host operation by operation: all triples of boundary values, random
 * ones, and sums built to lie halfway. Also: the question whether the host's state is exact. */
#include <fenv.h>
#include <stdlib.h>

#include "cmodel/sem/sem.h"
#include "tests/isa/check.h"

static const uint32_t sign = UINT32_C(1) << 31;

typedef struct operands {
  uint32_t a[WL_LANES], b[WL_LANES], c[WL_LANES];
  unsigned used;
} operands_t;

static void compare_one(check_t *t, const char *op, uint32_t got, uint32_t expected, uint32_t a,
                        uint32_t b, uint32_t c) {
  if (!check_equal(t, got, expected) && check_print(t))
    printf("%s %08x %08x %08x: got %08x, expected %08x\n", op, (unsigned)a, (unsigned)b,
           (unsigned)c, (unsigned)got, (unsigned)expected);
}

static void compare(check_t *t, operands_t *o) {
  const wl_fp_mode_t mode = {0};
  const uint64_t random = check_random(t);
  const uint32_t fa = random & 1 ? sign : 0, fb = random & 2 ? sign : 0, fc = random & 4 ? sign : 0;
  uint32_t d[WL_LANES];
  wl_f32_host_add(o->a, fa, o->b, fb, d);
  for (unsigned i = 0; i < WL_LANES; i++)
    compare_one(t, "add", d[i], wl_f32_add(o->a[i] ^ fa, o->b[i] ^ fb, mode), o->a[i] ^ fa,
                o->b[i] ^ fb, 0);
  wl_f32_host_mul(o->a, fa, o->b, d);
  for (unsigned i = 0; i < WL_LANES; i++)
    compare_one(t, "mul", d[i], wl_f32_mul(o->a[i] ^ fa, o->b[i], mode), o->a[i] ^ fa, o->b[i], 0);
  wl_f32_host_fma(o->a, fa, o->b, o->c, fc, d);
  for (unsigned i = 0; i < WL_LANES; i++)
    compare_one(t, "fma", d[i], wl_f32_fma(o->a[i] ^ fa, o->b[i], o->c[i] ^ fc, mode), o->a[i] ^ fa,
                o->b[i], o->c[i] ^ fc);
  o->used = 0;
}

static void add(check_t *t, operands_t *o, uint32_t a, uint32_t b, uint32_t c) {
  o->a[o->used] = a;
  o->b[o->used] = b;
  o->c[o->used] = c;
  if (++o->used == WL_LANES) compare(t, o);
}

/* c with 24 bits and a product that adds half its last place, and a little or nothing more. */
static void add_halfway(check_t *t, operands_t *o) {
  const uint64_t r = check_random(t);
  const uint32_t exponent = 30 + (uint32_t)(r >> 32) % 190;
  const uint32_t c = exponent << 23 | (r & 0x7fffff) | (uint32_t)(r >> 60 & 1) << 31;
  const uint32_t power = (uint32_t)(r >> 40) % 60 + 90;
  const uint32_t b_power = exponent - 24 + 127 - power; /* a * b = 2^-24 of c's leading bit */
  if (b_power - 1 > 253) return;
  const uint32_t near = (uint32_t)(r >> 24 & 3);
  add(t, o, power << 23 | near, b_power << 23 | (near == 3 ? 0x7ffffd : 0), c);
}

static void check_state(check_t *t) {
  static const int mode[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  for (int i = 0; i < 4; i++) {
    fesetround(mode[i]);
    const bool exact = wl_f32_host_exact();
    fesetround(FE_TONEAREST);
    if (!check_equal(t, exact, i == 0)) printf("rounding direction %d: exact %d\n", i, exact);
  }
#if defined(__x86_64__)
  const unsigned before = __builtin_ia32_stmxcsr();
  static const unsigned zeros[2] = {1U << 15, 1U << 6}; /* results to zero, operands are zero */
  for (int i = 0; i < 2; i++) {
    __builtin_ia32_ldmxcsr(before | zeros[i]);
    const bool exact = wl_f32_host_exact();
    __builtin_ia32_ldmxcsr(before);
    if (!check_equal(t, exact, false)) printf("subnormals as zeros %d: said exact\n", i);
  }
#endif
}

int main(int argc, char **argv) {
  const long count = argc > 1 ? atol(argv[1]) : 2000000;
  check_t t = {.state = 4};
  operands_t o = {.used = 0};
  check_state(&t);
  for (unsigned i = 0; i < CHECK_ANCHORS; i++)
    for (unsigned k = 0; k < CHECK_ANCHORS; k++)
      for (unsigned n = 0; n < CHECK_ANCHORS; n++)
        add(&t, &o, check_anchor_at(i), check_anchor_at(k), check_anchor_at(n));
  for (long n = 0; n < count; n++) {
    const uint32_t c = check_f32(&t), b = check_f32(&t), a = check_f32(&t);
    add(&t, &o, a, b, c);
    add_halfway(&t, &o);
  }
  while (o.used != 0)
    add(&t, &o, 0x3f800000, 0x3f800000, 0x3f800000);
  return check_done(&t, "f32_host");
}
