/* Conversions between f32 and integers, and rounding to an integral f32, against the host's long
 * double (64-bit significand: every operand is exact in it) in all four rounding directions
 * (PTX 9.7.9.21). */
#include <fenv.h>
#include <math.h>
#include <stdlib.h>

#include "cmodel/sem/sem.h"
#include "tests/isa/check.h"

static const int host_mode[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static uint32_t host_from(long double value, unsigned rnd) {
  const volatile long double exact = value;
  fesetround(host_mode[rnd]);
  const volatile float r = (float)exact;
  fesetround(FE_TONEAREST);
  return check_bits(r);
}

static void check_from(check_t *t, uint64_t a) {
  for (unsigned rnd = 0; rnd < 4; rnd++) {
    const uint32_t got_u = wl_f32_from_u64(a, rnd);
    const uint32_t want_u = host_from((long double)a, rnd);
    if (!check_equal(t, got_u, want_u) && check_print(t))
      printf("f32(u64 %016llx) rnd %u: got %08x, expected %08x\n", (unsigned long long)a, rnd,
             (unsigned)got_u, (unsigned)want_u);
    const uint32_t got_s = wl_f32_from_s64((int64_t)a, rnd);
    const uint32_t want_s = host_from((long double)(int64_t)a, rnd);
    if (!check_equal(t, got_s, want_s) && check_print(t))
      printf("f32(s64 %016llx) rnd %u: got %08x, expected %08x\n", (unsigned long long)a, rnd,
             (unsigned)got_s, (unsigned)want_s);
  }
}

static uint64_t host_to(uint32_t a, unsigned rnd, bool ftz, unsigned bits, bool is_signed) {
  if (ftz && (a & 0x7f800000) == 0) a = 0;
  const volatile long double exact = check_float(a);
  if (isnan(exact)) return bits == 64 ? UINT64_C(1) << 63 : 0;
  fesetround(host_mode[rnd]);
  const volatile long double r = rintl(exact);
  fesetround(FE_TONEAREST);
  const long double span = ldexpl(1, (int)bits - is_signed);
  const uint64_t all = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  const uint64_t top = UINT64_C(1) << (bits - 1);
  if (r >= span) return is_signed ? top - 1 : all;
  if (is_signed && r < -span) return top;
  if (!is_signed) return r <= 0 ? 0 : (uint64_t)r;
  return (uint64_t)(int64_t)r & all;
}

static void check_to(check_t *t, uint32_t a) {
  for (unsigned m = 0; m < 32; m++) {
    const wl_fp_mode_t mode = {.rnd = m & 3, .ftz = m >> 2 & 1};
    const unsigned bits = m & 8 ? 64 : 32;
    const bool is_signed = m & 16;
    const uint64_t got = wl_f32_to_int(a, mode, bits, is_signed);
    const uint64_t expected = host_to(a, mode.rnd, mode.ftz, bits, is_signed);
    if (!check_equal(t, got, expected) && check_print(t))
      printf("%c%u(f32 %08x) rnd %d ftz %d: got %llx, expected %llx\n", is_signed ? 's' : 'u', bits,
             (unsigned)a, mode.rnd, mode.ftz, (unsigned long long)got,
             (unsigned long long)expected);
  }
  for (unsigned m = 0; m < 8; m++) {
    const wl_fp_mode_t mode = {.rnd = m & 3, .ftz = m >> 2 & 1};
    const uint32_t in = mode.ftz && (a & 0x7f800000) == 0 ? a & 0x80000000 : a;
    const volatile float x = check_float(in);
    fesetround(host_mode[mode.rnd]);
    const volatile float r = rintf(x);
    fesetround(FE_TONEAREST);
    const uint32_t expected = isnan(r) ? 0x7fffffff : check_bits(r);
    const uint32_t got = wl_f32_round(a, mode);
    if (!check_equal(t, got, expected) && check_print(t))
      printf("round %08x rnd %d ftz %d: got %08x, expected %08x\n", (unsigned)a, mode.rnd, mode.ftz,
             (unsigned)got, (unsigned)expected);
  }
}

int main(int argc, char **argv) {
  const long count = argc > 1 ? atol(argv[1]) : 300000;
  check_t t = {.state = 2};
  for (unsigned i = 0; i < CHECK_ANCHORS; i++)
    for (uint32_t d = 0; d < 5; d++)
      check_to(&t, check_anchor_at(i) + d - 2);
  for (int i = 0; i < 64; i++)
    for (int k = -2; k <= 2; k++)
      for (int j = 0; j < 64; j++)
        check_from(&t, (UINT64_C(1) << i) + (UINT64_C(1) << j) + (uint64_t)(int64_t)k);
  check_from(&t, 0);
  for (long n = 0; n < count; n++) {
    const uint64_t r = check_random(&t);
    check_from(&t, r >> (check_random(&t) & 63));
    check_from(&t, 0 - (r >> (check_random(&t) & 63)));
    /* Exponents from 2^-5 to 2^67: where conversion does something. */
    check_to(&t, (uint32_t)((r & 0x807fffff) | (122 + (r >> 32) % 73) << 23));
    check_to(&t, check_f32(&t));
  }
  return check_done(&t, "f32 conversions");
}
