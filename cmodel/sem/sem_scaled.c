/* Sums of scaled products in tensor memory (docs/microarchitecture.md 26.11), of a column of D. */
#include "cmodel/sem/dot.h"
#include "cmodel/sem/sem.h"

enum { GROUPS = 4, GROUP = 16, ELEMENTS = GROUPS * GROUP, PER_WORD = 8, NAN_OF_F32 = 0x7fffffff };

/* ---- scales */
/* significand / 8 * 2^exponent */
typedef struct scale {
  bool nan;
  int significand, exponent;
} scale_t;

static scale_t take_scale(bool e4m3, uint32_t byte) {
  byte &= 0xff;
  if (!e4m3) return (scale_t){.nan = byte == 0xff, .significand = 8, .exponent = (int)byte - 127};
  const wl_dot_number_t n = wl_dot_take(wl_fmt_ue4m3(), byte & 0x7f);
  return (scale_t){
      .nan = n.kind == WL_DOT_NAN, .significand = (int)n.significand, .exponent = n.exponent};
}

/* ---- MXF8F6F4 */
static void of_one_scale(const wl_products_t *n, unsigned rows,
                         const uint32_t (*a)[WL_DOT_MOST_TERMS],
                         const uint32_t b[WL_DOT_MOST_TERMS], const uint32_t *sa, uint32_t sb,
                         uint32_t *c) {
  const scale_t of_b = take_scale(false, sb);
  const int16_t xb = (int16_t)of_b.exponent;
  for (unsigned from = 0; from < rows; from += WL_LANES) {
    const unsigned count = rows - from < WL_LANES ? rows - from : WL_LANES;
    int16_t xa[WL_LANES];
    for (unsigned r = 0; r < count; r++)
      xa[r] = (int16_t)take_scale(false, sa[from + r]).exponent;
    wl_dot_column(n->profile, count, n->terms,
                  (wl_dot_values_t){(wl_format_t)n->of_a, a[from], WL_DOT_MOST_TERMS, xa},
                  (wl_dot_values_t){(wl_format_t)n->of_b, b, WL_DOT_MOST_TERMS, &xb}, c + from, 0);
  }
  for (unsigned r = 0; r < rows; r++)
    if (of_b.nan || take_scale(false, sa[r]).nan) c[r] = NAN_OF_F32;
}

/* ---- MXF4 */
static void halves_of(const uint32_t *words, int8_t out[ELEMENTS]) { /* each element * 2 */
  static const int8_t half[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
  for (unsigned k = 0; k < ELEMENTS; k++)
    out[k] = half[words[k / PER_WORD] >> 4 * (k % PER_WORD) & 15];
}

/* Step 1: a group's sum times its two scales. */
static wl_dot_number_t term(const int8_t *a, const int8_t *b, scale_t of_a, scale_t of_b) {
  enum { FRACTION = 1 + 1 + 3 + 3 };
  int sum = 0, any = 0;
  for (unsigned k = 0; k < GROUP; k++) {
    const int product = a[k] * b[k];
    sum += product;
    any |= product;
  }
  const bool zero = any == 0 || of_a.significand == 0 || of_b.significand == 0;
  return (wl_dot_number_t){
      .kind = zero ? WL_DOT_ZERO : WL_DOT_FINITE,
      .sign = sum < 0,
      .exponent = of_a.exponent + of_b.exponent,
      .fraction = FRACTION,
      .significand = (uint32_t)((sum < 0 ? -sum : sum) * of_a.significand * of_b.significand)};
}

static int64_t cut(const wl_profile_t *p, const wl_dot_number_t *n, int largest) {
  if (n->kind != WL_DOT_FINITE) return 0;
  const int64_t magnitude = (int64_t)wl_dot_cut(p->kept, n, largest);
  return n->sign ? -magnitude : magnitude;
}

/* Steps 2 to 5: the terms of the groups and the addend. */
static uint32_t sum_of(const wl_profile_t *p, const wl_dot_number_t group[GROUPS], uint32_t c) {
  const wl_dot_number_t addend = wl_dot_take(wl_fmt_f32(), c);
  int largest = p->lowest;
  if (addend.kind == WL_DOT_NAN) return NAN_OF_F32;
  if (addend.kind == WL_DOT_INFINITE) return c;
  if (addend.kind == WL_DOT_FINITE && addend.exponent > largest) largest = addend.exponent;
  for (unsigned j = 0; j < GROUPS; j++)
    if (group[j].kind == WL_DOT_FINITE && group[j].exponent > largest) largest = group[j].exponent;
  int64_t sum = cut(p, &addend, largest);
  for (unsigned j = 0; j < GROUPS; j++)
    sum += cut(p, &group[j], largest);
  return wl_dot_round(wl_fmt_f32(), p->nearest, sum, largest - p->kept);
}

static uint32_t of_groups(const wl_scaled_products_t *n, const int8_t *a, const int8_t *b,
                          uint32_t sa, const scale_t of_b[GROUPS], uint32_t c) {
  wl_dot_number_t group[GROUPS];
  bool nan = false;
  for (unsigned j = 0; j < GROUPS; j++) {
    const scale_t of_a = take_scale(n->e4m3, sa >> 8 * j);
    nan = nan || of_a.nan || of_b[j].nan;
    group[j] = term(a + GROUP * j, b + GROUP * j, of_a, of_b[j]);
  }
  return nan ? NAN_OF_F32 : sum_of(n->of.profile, group, c);
}

void wl_sem_scaled_products(const wl_scaled_products_t *n, unsigned rows,
                            const uint32_t (*a)[WL_DOT_MOST_TERMS],
                            const uint32_t b[WL_DOT_MOST_TERMS], const uint32_t *sa, uint32_t sb,
                            uint32_t *c) {
  if (n->of.profile->block != ELEMENTS) {
    of_one_scale(&n->of, rows, a, b, sa, sb, c);
    return;
  }
  int8_t of_column[ELEMENTS], of_row[ELEMENTS];
  scale_t scale[GROUPS];
  halves_of(b, of_column);
  for (unsigned j = 0; j < GROUPS; j++)
    scale[j] = take_scale(n->e4m3, sb >> 8 * j);
  for (unsigned r = 0; r < rows; r++) {
    halves_of(a[r], of_row);
    c[r] = of_groups(n, of_row, of_column, sa[r], scale, c[r]);
  }
}
