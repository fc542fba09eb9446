/* Conversions between f32 and integers, and rounding to an integral f32, against
 * tests/common/fpu_reference.h in all four rounding directions (PTX 9.7.9.21). */
#include <stdlib.h>

#include "cmodel/sem/sem.h"
#include "tests/common/fpu_reference.h"
#include "tests/isa/check.h"

static uint32_t host_from(wl_fpu_op_t op, uint64_t a, unsigned rnd) {
  return (uint32_t)wl_ref_fpu(
      op, &(wl_fpu_lane_t){.a = (uint32_t)a, .high = (uint32_t)(a >> 32), .rnd = rnd & 3});
}

static void check_from(check_t *t, uint64_t a) {
  for (unsigned rnd = 0; rnd < 4; rnd++) {
    const uint32_t got_u = wl_f32_from_u64(a, rnd);
    const uint32_t want_u = host_from(WL_FPU_I2FU64, a, rnd);
    if (!check_equal(t, got_u, want_u) && check_print(t))
      printf("f32(u64 %016llx) rnd %u: got %08x, expected %08x\n", (unsigned long long)a, rnd,
             (unsigned)got_u, (unsigned)want_u);
    const uint32_t got_s = wl_f32_from_s64((int64_t)a, rnd);
    const uint32_t want_s = host_from(WL_FPU_I2FS64, a, rnd);
    if (!check_equal(t, got_s, want_s) && check_print(t))
      printf("f32(s64 %016llx) rnd %u: got %08x, expected %08x\n", (unsigned long long)a, rnd,
             (unsigned)got_s, (unsigned)want_s);
  }
}

static uint64_t host_to(wl_fpu_op_t op, uint32_t a, wl_fp_mode_t mode) {
  return wl_ref_fpu(op, &(wl_fpu_lane_t){.a = a, .rnd = mode.rnd & 3, .ftz = mode.ftz});
}

static void check_to(check_t *t, uint32_t a) {
  for (unsigned m = 0; m < 32; m++) {
    const wl_fp_mode_t mode = {.rnd = m & 3, .ftz = m >> 2 & 1};
    const unsigned bits = m & 8 ? 64 : 32;
    const bool is_signed = m & 16;
    const uint64_t got = wl_f32_to_int(a, mode, bits, is_signed);
    const wl_fpu_op_t op = bits == 64 ? (is_signed ? WL_FPU_F2IS64 : WL_FPU_F2IU64)
                                      : (is_signed ? WL_FPU_F2IS : WL_FPU_F2IU);
    const uint64_t expected = host_to(op, a, mode);
    if (!check_equal(t, got, expected) && check_print(t))
      printf("%c%u(f32 %08x) rnd %d ftz %d: got %llx, expected %llx\n", is_signed ? 's' : 'u', bits,
             (unsigned)a, mode.rnd, mode.ftz, (unsigned long long)got,
             (unsigned long long)expected);
  }
  for (unsigned m = 0; m < 8; m++) {
    const wl_fp_mode_t mode = {.rnd = m & 3, .ftz = m >> 2 & 1};
    const uint32_t expected = (uint32_t)host_to(WL_FPU_FRND, a, mode);
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
