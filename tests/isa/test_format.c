/* Conversions between floating-point formats (cmodel/sem/sem_format.c) against numbers derived by hand
 * and against tests/common/format_reference.h: all operands of 8 and 16 bits; of f32 every number of the
 * narrow format, every middle between two of them and the neighbours of both, and numbers with each of
 * the 65,536 upper halves. */
#include <stdlib.h>

#include "cmodel/sem/sem.h"
#include "tests/common/format_reference.h"
#include "tests/isa/check.h"

enum { RN, RZ, RM, RP };

typedef struct narrow {
  wl_format_t format;
  const wl_ref_format_t *ref;
} narrow_t;

static void report(check_t *t, const char *what, unsigned rnd, uint32_t a, uint32_t got,
                   uint32_t expected) {
  if (!check_equal(t, got, expected) && check_print(t))
    printf("%s rnd %u %08x: got %08x, expected %08x\n", what, rnd, (unsigned)a, (unsigned)got,
           (unsigned)expected);
}

/* ---- by hand */
typedef struct {
  uint32_t a;
  uint16_t d[4]; /* rn, rz, rm, rp */
} by_hand_t;

static void check_rows(check_t *t, const char *what, wl_format_t format, const by_hand_t *row,
                       size_t count) {
  for (size_t i = 0; i < count; i++)
    for (unsigned rnd = RN; rnd <= RP; rnd++)
      report(t, what, rnd, row[i].a, wl_f32_narrow(format, row[i].a, rnd), row[i].d[rnd]);
}

static void check_f16_by_hand(check_t *t) {
  static const by_hand_t row[] = {
      {0x3f800000, {0x3c00, 0x3c00, 0x3c00, 0x3c00}}, /* 1 */
      {0x477fe000, {0x7bff, 0x7bff, 0x7bff, 0x7bff}}, /* 65504, the largest */
      {0x477fefff, {0x7bff, 0x7bff, 0x7bff, 0x7c00}}, /* below 65520 */
      {0x477ff000, {0x7c00, 0x7bff, 0x7bff, 0x7c00}}, /* 65520, the middle: to the even one */
      {0xc77ff000, {0xfc00, 0xfbff, 0xfc00, 0xfbff}},
      {0x7f7fffff, {0x7c00, 0x7bff, 0x7bff, 0x7c00}},
      {0x33000000, {0x0000, 0x0000, 0x0000, 0x0001}}, /* 2^-25, a middle */
      {0x33000001, {0x0001, 0x0000, 0x0000, 0x0001}},
      {0x33800000, {0x0001, 0x0001, 0x0001, 0x0001}}, /* 2^-24, the smallest */
      {0x33c00000, {0x0002, 0x0001, 0x0001, 0x0002}}, /* 1.5 * 2^-24, a middle */
      {0x387fffff, {0x0400, 0x03ff, 0x03ff, 0x0400}}, /* below 2^-14 */
      {0x38800000, {0x0400, 0x0400, 0x0400, 0x0400}}, /* 2^-14, the smallest normal one */
      {0x3f801000, {0x3c00, 0x3c00, 0x3c00, 0x3c01}}, /* a middle above an even one */
      {0x3f803000, {0x3c02, 0x3c01, 0x3c01, 0x3c02}}, /* a middle above an odd one */
      {0x80000001, {0x8000, 0x8000, 0x8001, 0x8000}},
      {0x80000000, {0x8000, 0x8000, 0x8000, 0x8000}},
      {0xff800000, {0xfc00, 0xfc00, 0xfc00, 0xfc00}},
      {0xffc00001, {0x7fff, 0x7fff, 0x7fff, 0x7fff}},
      {0x7f800001, {0x7fff, 0x7fff, 0x7fff, 0x7fff}},
  };
  check_rows(t, "f16 by hand", WL_FORMAT_F16, row, sizeof row / sizeof *row);
}

static void check_bf16_by_hand(check_t *t) {
  static const by_hand_t row[] = {
      {0x3f808000, {0x3f80, 0x3f80, 0x3f80, 0x3f81}},
      {0x3f818000, {0x3f82, 0x3f81, 0x3f81, 0x3f82}},
      {0x7f7f8000, {0x7f80, 0x7f7f, 0x7f7f, 0x7f80}},
      {0xff7f7fff, {0xff7f, 0xff7f, 0xff80, 0xff7f}},
      {0x00008000, {0x0000, 0x0000, 0x0000, 0x0001}},
      {0x00018000, {0x0002, 0x0001, 0x0001, 0x0002}},
      {0x007fffff, {0x0080, 0x007f, 0x007f, 0x0080}},
      {0x80000001, {0x8000, 0x8000, 0x8001, 0x8000}},
      {0x7f800000, {0x7f80, 0x7f80, 0x7f80, 0x7f80}},
      {0xff800001, {0x7fff, 0x7fff, 0x7fff, 0x7fff}},
  };
  check_rows(t, "bf16 by hand", WL_FORMAT_BF16, row, sizeof row / sizeof *row);
}

static void check_others_by_hand(check_t *t) {
  static const uint32_t tf32[][2] = {
      {0x3f801000, 0x3f802000}, {0xbf801000, 0xbf802000}, {0x3f800fff, 0x3f800000},
      {0x7f7ff000, 0x7f800000}, {0x7f7fefff, 0x7f7fe000}, {0x00001000, 0x00002000},
      {0x80000fff, 0x80000000}, {0x7f800000, 0x7f800000}, {0x7f800001, 0x7f800000},
      {0x7fffffff, 0x7fffe000}, {0xffc12345, 0xffc12000}};
  /* 2^-9, 448, NaN, -0, 7 * 2^-9, 2^-6, 1; the lower byte is zero. */
  static const uint32_t e4m3[][2] = {{0x0100, 0x1800}, {0x7e00, 0x5f00}, {0x7f00, 0x7fff},
                                     {0xff00, 0x7fff}, {0x8000, 0x8000}, {0x0700, 0x2300},
                                     {0x0800, 0x2400}, {0x3800, 0x3c00}};
  static const uint32_t e5m2[][2] = {{0x0100, 0x0100}, {0x7b00, 0x7b00}, {0xfc00, 0xfc00},
                                     {0x7d00, 0x7fff}, {0xff00, 0x7fff}, {0x3c00, 0x3c00}};
  for (size_t i = 0; i < sizeof tf32 / sizeof *tf32; i++)
    report(t, "tf32 by hand", 0, tf32[i][0], wl_f32_to_tf32_away(tf32[i][0]), tf32[i][1]);
  for (size_t i = 0; i < sizeof e4m3 / sizeof *e4m3; i++)
    report(t, "e4m3 by hand", 0, e4m3[i][0], wl_f16x2_from_bytes(WL_FORMAT_E4M3, e4m3[i][0]),
           e4m3[i][1] << 16);
  for (size_t i = 0; i < sizeof e5m2 / sizeof *e5m2; i++)
    report(t, "e5m2 by hand", 0, e5m2[i][0], wl_f16x2_from_bytes(WL_FORMAT_E5M2, e5m2[i][0]),
           e5m2[i][1] << 16);
}

/* ---- against the reference */
static void check_narrow(check_t *t, const narrow_t *n, uint32_t a, unsigned rnd) {
  report(t, n->ref->name, rnd, a, wl_f32_narrow(n->format, a, rnd),
         wl_ref_convert(n->ref, &wl_ref_f32, a, rnd));
}

/* Numbers of the narrow format, middles, neighbours. The one behind the largest is counted in. */
static void check_places(check_t *t, const narrow_t *n) {
  for (uint32_t v = 0; v <= wl_ref_infinity(n->ref); v++) {
    const double x = wl_ref_value(n->ref, v), next = wl_ref_value(n->ref, v + 1);
    const uint32_t place[2] = {check_bits((float)x), check_bits((float)((x + next) / 2))};
    for (unsigned k = 0; k < 2 * 3 * 2 * 4; k++) {
      const uint32_t near = place[k & 1] + (k >> 1) % 3 - 1, sign = (k / 6 & 1) << 31;
      check_narrow(t, n, near ^ sign, k / 12);
    }
  }
}

static void check_halves(check_t *t, const narrow_t *n, unsigned count) {
  for (uint32_t upper = 0; upper < 0x10000; upper++)
    for (unsigned i = 0; i < count; i++) {
      const uint32_t a = upper << 16 | (uint32_t)(check_random(t) & 0xffff);
      for (unsigned rnd = RN; rnd <= RP; rnd++)
        check_narrow(t, n, a, rnd);
    }
}

static void check_tf32(check_t *t, unsigned count) {
  for (uint32_t upper = 0; upper < 1u << 19; upper++) {
    const uint32_t place = upper << 13;
    for (unsigned i = 0; i < 6 + count; i++) {
      const uint32_t a = i < 3   ? place + i - 1
                         : i < 6 ? place + 0x1000 + i - 4
                                 : place | (uint32_t)(check_random(t) & 0x1fff);
      report(t, "tf32", 0, a, wl_f32_to_tf32_away(a), wl_ref_tf32_away(a));
    }
  }
}

/* What stands above the low half does not count. */
static void check_wide(check_t *t) {
  for (uint32_t low = 0; low < 0x10000; low++) {
    const uint32_t a = low | (uint32_t)(check_random(t) & 0xffff) << 16;
    report(t, "f32 from f16", 0, a, wl_f32_widen(WL_FORMAT_F16, a),
           wl_ref_convert(&wl_ref_f32, &wl_ref_f16, low, RN));
    const wl_format_t formats[2] = {WL_FORMAT_E4M3, WL_FORMAT_E5M2};
    const wl_ref_format_t *const refs[2] = {&wl_ref_e4m3, &wl_ref_e5m2};
    for (unsigned k = 0; k < 2; k++)
      report(t, refs[k]->name, 0, a, wl_f16x2_from_bytes(formats[k], a),
             wl_ref_convert(&wl_ref_f16, refs[k], low >> 8, RN) << 16 |
                 wl_ref_convert(&wl_ref_f16, refs[k], low, RN));
  }
}

int main(int argc, char **argv) {
  const unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 32;
  const narrow_t formats[] = {{WL_FORMAT_F16, &wl_ref_f16}, {WL_FORMAT_BF16, &wl_ref_bf16}};
  check_t t = {.state = 40};
  check_f16_by_hand(&t);
  check_bf16_by_hand(&t);
  check_others_by_hand(&t);
  check_wide(&t);
  check_tf32(&t, count);
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    check_places(&t, &formats[i]);
    check_halves(&t, &formats[i], count);
  }
  return check_done(&t, "format");
}
