/* umma_sum.c: a product in tensor memory, row by row of D: its elements, from shared or tensor memory, and
 * their sums (docs/microarchitecture.md 25.7, 26.1, 26.4, 26.6, 26.9 to 26.11). */
#include "cmodel/sem/dot.h"
#include "cmodel/sem/sem.h"
#include "driver/func/umma.h"

enum { MOST_K = 32, MOST_N = 256, PER_WORD = 8 /* elements of 4 bits, packed */ };

/* Elements of an operand as a chunk has them. */
typedef struct elements {
  uint32_t k, bits, sign; /* elements of a row; bits of one; its sign */
  wl_format_t format;     /* of floats */
} elements_t;

static elements_t elements_of(const umma_product_t *p, unsigned which) {
  static const wl_format_t halves[] = {WL_FORMAT_F16, WL_FORMAT_BF16};
  static const wl_format_t bytes[] = {WL_FORMAT_E4M3, WL_FORMAT_E5M2, WL_FORMAT_E5M2,
                                      WL_FORMAT_E2M3, WL_FORMAT_E3M2, WL_FORMAT_E2M1};
  static const uint8_t bits[] = {8, 8, 8, 6, 6, 4};
  const uint32_t type =
      which == 0 ? umma_field(p->i, 9, 7) : umma_field(p->i, 12, 10); /* not reserved */
  elements_t e = {.k = 2 * p->operand[which].elements, .bits = 8, .format = WL_FORMAT_TF32};
  switch (p->op) {
  case WL_UMMA_F16:
    e.bits = 16;
    e.format = halves[type];
    break;
  case WL_UMMA_TF32:
    e.bits = 32;
    break;
  case WL_UMMA_F8F6F4:
  case WL_UMMA_MXF8F6F4:
    e.bits = bits[type];
    e.format = bytes[type];
    break;
  case WL_UMMA_MXF4:
    e.bits = 4;
    e.format = WL_FORMAT_E2M1;
    break;
  default:
    break;
  }
  e.sign = UINT32_C(1) << (e.bits - 1);
  return e;
}

uint32_t umma_bits(const umma_product_t *p, unsigned which) { return elements_of(p, which).bits; }

uint32_t umma_lane_of(const umma_product_t *p, uint32_t row) {
  return p->m == UMMA_LANES ? row : row / 16 * 32 + row % 16 + (p->d >> 16);
}

/* Element k of a row of A in tensor memory. */
static uint32_t in_tensor(const func_sm_t *sm, const umma_product_t *p, const elements_t *e,
                          uint32_t row, uint32_t k) {
  const uint32_t bits = 128 / p->operand[0].elements; /* that an element takes */
  const uint32_t at = k * bits;
  const uint32_t word = *func_tmem_word(sm, umma_lane_of(p, row), (p->a & 0xffff) + at / 32);
  const uint32_t low = bits == 8 && e->bits == 4 ? 2 : 0;
  return word >> (at % 32 + low) & (uint32_t)(((uint64_t)e->sign << 1) - 1);
}

/* The elements of a row, one a word; of MXF4 eight, the first in the lowest bits. */
static void fetch(const func_sm_t *sm, const umma_product_t *p, unsigned which, const uint8_t *smem,
                  uint32_t row, uint32_t out[MOST_K]) {
  const elements_t e = elements_of(p, which);
  const uint32_t negated = umma_field(p->i, 13 + which, 13 + which) != 0 ? e.sign : 0;
  for (uint32_t k = 0; k < e.k; k++) {
    uint32_t n, value;
    if (which == 0 && p->in_tensor) {
      value = in_tensor(sm, p, &e, row, k);
    } else {
      const uint32_t at = umma_chunk(&p->operand[which], row, k, &n);
      value = umma_in_chunk(smem + at, e.bits, n);
    }
    value ^= negated;
    if (p->op != WL_UMMA_MXF4) {
      out[k] = value;
    } else {
      out[k / PER_WORD] = (k % PER_WORD == 0 ? 0 : out[k / PER_WORD]) | value << 4 * (k % PER_WORD);
    }
  }
}

/* ---- sums */
static int32_t value(uint32_t bits, bool is_signed) {
  return is_signed ? (int8_t)bits : (int32_t)bits;
}

static uint32_t integers(const umma_product_t *p, const uint32_t *a, const uint32_t *b,
                         uint32_t c) {
  const bool sa = umma_field(p->i, 9, 7) == 1, sb = umma_field(p->i, 12, 10) == 1;
  int64_t sum = (int32_t)c;
  for (uint32_t k = 0; k < elements_of(p, 0).k; k++) {
    sum += value(a[k], sa) * value(b[k], sb);
  }
  if (umma_field(p->i, 3, 3) != 0) {
    sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
  }
  return (uint32_t)sum;
}

static const wl_profile_t *profile_of(const umma_product_t *p) {
  const bool half = umma_field(p->i, 5, 4) == 0;
  switch (p->op) {
  case WL_UMMA_F16:
    return &wl_profiles[umma_field(p->i, 9, 7) == 1 ? WL_PROFILE_BF16_F32
                        : half                      ? WL_PROFILE_F16_F16
                                                    : WL_PROFILE_F16_F32];
  case WL_UMMA_TF32:
    return &wl_profiles[WL_PROFILE_TF32_F32];
  case WL_UMMA_F8F6F4:
    return &wl_profiles[half ? WL_PROFILE_F8F6F4_F16 : WL_PROFILE_F8F6F4_F32];
  case WL_UMMA_MXF8F6F4:
    return &wl_profiles[WL_PROFILE_MXF8F6F4_F32];
  case WL_UMMA_MXF4:
    return &wl_profiles[WL_PROFILE_MXF4_F32];
  default:
    return NULL;
  }
}

bool umma_sums_half(const umma_product_t *p) {
  const wl_profile_t *profile = profile_of(p);
  return profile != NULL && profile->result == WL_FORMAT_F16;
}

/* ---- block scales (26.10) */
/* The scales of a row of A or of B, for the rows of D in a quarter: a byte for each 16 elements; of MXF8F6F4 byte 0
 * is all. */
static uint32_t scales_of(const func_sm_t *sm, const umma_product_t *p, unsigned which,
                          uint32_t row, uint32_t quarter) {
  const uint32_t column = (p->scales[which] & 0xffff) + row / 32;
  const uint32_t word = *func_tmem_word(sm, 32 * quarter + row % 32, column);
  const uint32_t id = which == 0 ? umma_field(p->i, 30, 29) : umma_field(p->i, 5, 4);
  const uint32_t first = word >> 8 * id & 0xff;
  if (p->op == WL_UMMA_MXF8F6F4) return first;
  if (p->by16) return word;
  const uint32_t second = word >> 8 * (id + 1) & 0xff; /* each of 32 elements */
  return first | first << 8 | second << 16 | second << 24;
}

static void scaled_block(const func_sm_t *sm, const umma_product_t *p, uint32_t row, uint32_t first,
                         const uint32_t (*a)[MOST_K], const uint32_t (*b)[MOST_K],
                         uint32_t (*c)[WL_DOT_COLUMNS]) {
  const elements_t ea = elements_of(p, 0), eb = elements_of(p, 1);
  const wl_scaled_products_t products = {.of = {.profile = profile_of(p),
                                                .of_a = (uint8_t)ea.format,
                                                .of_b = (uint8_t)eb.format,
                                                .terms = (uint8_t)ea.k},
                                         .e4m3 = umma_field(p->i, 23, 23) == 0};
  uint32_t sa[WL_DOT_ROWS], column[WL_DOT_ROWS];
  for (uint32_t r = 0; r < WL_DOT_ROWS; r++) {
    sa[r] = scales_of(sm, p, 0, row + r, row / 32);
  }
  for (uint32_t n = 0; n < WL_DOT_COLUMNS; n++) {
    const uint32_t sb = scales_of(sm, p, 1, first + n, row / 32);
    for (uint32_t r = 0; r < WL_DOT_ROWS; r++) {
      column[r] = c[r][n];
    }
    wl_sem_scaled_products(&products, WL_DOT_ROWS, a, b[n], sa, sb, column);
    for (uint32_t r = 0; r < WL_DOT_ROWS; r++) {
      c[r][n] = column[r];
    }
  }
}

/* Sixteen rows and eight columns of D. */
static void block(func_sm_t *sm, const umma_product_t *p, uint32_t row, uint32_t first,
                  const uint32_t (*a)[MOST_K], const uint32_t (*b)[MOST_K]) {
  const wl_profile_t *profile = profile_of(p);
  const elements_t ea = elements_of(p, 0), eb = elements_of(p, 1);
  uint32_t c[WL_DOT_ROWS][WL_DOT_COLUMNS];
  for (uint32_t r = 0; r < WL_DOT_ROWS; r++) {
    for (uint32_t n = 0; n < WL_DOT_COLUMNS; n++) {
      const uint32_t word =
          *func_tmem_word(sm, umma_lane_of(p, row + r), (p->d & 0xffff) + first + n);
      const bool half = profile != NULL && profile->result == WL_FORMAT_F16;
      c[r][n] = !p->reads ? 0 : half ? word & 0xffff : word;
      if (profile == NULL) c[r][n] = integers(p, a[r], b[n], c[r][n]);
    }
  }
  if (p->scaled) {
    scaled_block(sm, p, row, first, a, b, c);
  } else if (profile != NULL) {
    wl_dot_matrix_mixed(profile, WL_DOT_ROWS, ea.k,
                        (wl_dot_values_t){ea.format, a[0], MOST_K, NULL},
                        (wl_dot_values_t){eb.format, b[0], MOST_K, NULL}, c, p->scale);
  }
  for (uint32_t r = 0; r < WL_DOT_ROWS; r++) {
    const uint32_t lane = umma_lane_of(p, row + r);
    for (uint32_t n = 0; n < WL_DOT_COLUMNS && (p->mask[lane / 32] >> lane % 32 & 1) == 0; n++) {
      *func_tmem_word(sm, lane, (p->d & 0xffff) + first + n) = c[r][n];
    }
  }
}

/* A of a row is read before D of its lane is written, and no other lane's: D may lie over A. */
void umma_multiply(func_sm_t *sm, const umma_product_t *p, const uint8_t *smem) {
  uint32_t a[WL_DOT_ROWS][MOST_K], b[MOST_N][MOST_K];
  for (uint32_t n = 0; n < p->n; n++) {
    fetch(sm, p, 1, smem, n, b[n]);
  }
  for (uint32_t row = 0; row < p->m; row += WL_DOT_ROWS) {
    for (uint32_t r = 0; r < WL_DOT_ROWS; r++) {
      fetch(sm, p, 0, smem, row + r, a[r]);
    }
    for (uint32_t first = 0; first < p->n; first += WL_DOT_COLUMNS) {
      block(sm, p, row, first, (const uint32_t (*)[MOST_K])a,
            (const uint32_t (*)[MOST_K])(b + first));
    }
  }
}
