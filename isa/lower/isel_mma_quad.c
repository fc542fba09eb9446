/* isel_mma_quad.c: mma.m8n8k4 of f16 (PTX 9.7.14.5.1, expansions.md): product q of four is of lanes
 * 4q + p and 16 + 4q + p. No unit has it: the operands' words come by shuffles, the sums are f32
 * arithmetic. movmatrix is the gathered form that stands for it: it brings the lanes together and
 * traps where an .aligned instruction does; its result goes nowhere. */
#include "isa/lower/isel_mma.h"

#define OPND(k) (&s->in->operands[k])
enum { K = 4, RESULTS = 8, CLAMP = 0x1f << 8 };
/* Segments of shfl: what a source has in common with its reader. */
enum { OF_PRODUCT = 0x0c << 16, OF_ROW = 0x1d << 16, OF_COLUMN = 0x0e << 16 };

typedef struct quad {
  wl_isel_t *s;
  wl_mreg_t lane;
  uint32_t upper; /* the lane is of the upper two of four */
} quad_t;

static wl_mreg_t fetch(quad_t *q, wl_mreg_t word, uint32_t control, uint32_t mode) {
  const wl_mreg_t c = wl_t1(q->s);
  wl_movi(q->s, c, control | CLAMP);
  return wl_shuffle(q->s, word, c, mode);
}

/* Word v[i] of lane p, of i and bit 1 of p a 2 x 2 matrix: transposed. */
static void exchange(quad_t *q, wl_mreg_t v[2]) {
  wl_isel_t *s = q->s;
  const wl_mreg_t give = wl_t1(s), first = wl_t1(s), second = wl_t1(s);
  wl_sel(s, give, v[0], v[1], q->upper, false);
  const wl_mreg_t got = fetch(q, give, 2, WL_SHUFFLE_BFLY);
  wl_sel(s, first, got, v[0], q->upper, false);
  wl_sel(s, second, v[1], got, q->upper, false);
  v[0] = first;
  v[1] = second;
}

/* Four halves of four lanes: transposed. */
static void transpose(quad_t *q, wl_mreg_t v[2]) {
  const wl_mreg_t halves = wl_mma_by_lane(q->s, q->lane, 1, 0x5410, 0x3276);
  for (unsigned i = 0; i < 2; i++)
    v[i] = wl_mma_permute(q->s, v[i], fetch(q, v[i], 1, WL_SHUFFLE_BFLY), halves);
  exchange(q, v);
}

static void widen(wl_isel_t *s, wl_mreg_t word, wl_mreg_t two[2]) {
  const wl_mreg_t high = wl_t1(s);
  wl_rri(s, WL_FORM_SHF_R_CLAMP_I, high, word, WL_RZ, 16);
  for (unsigned i = 0; i < 2; i++) {
    two[i] = wl_t1(s);
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_CVT_F32_F16, .d = two[i], .a = i == 0 ? word : high});
  }
}

/* The four k of a row of A or a column of B that another lane has. */
static void operand(quad_t *q, const wl_mreg_t v[2], uint32_t control, wl_mreg_t to[K]) {
  for (unsigned i = 0; i < 2; i++)
    widen(q->s, fetch(q, v[i], control, WL_SHUFFLE_IDX), to + 2 * i);
}

/* ---- sums */
static wl_mreg_t add(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b) {
  const wl_mreg_t d = wl_t1(s);
  wl_rr(s, WL_FORM_ADD_F32_RR, d, a, b);
  return d;
}

static wl_mreg_t multiply_add(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, wl_mreg_t c) {
  const wl_mreg_t d = wl_t1(s);
  wl_rrr(s, WL_FORM_FMA_F32_RRR, d, a, b, c);
  return d;
}

static wl_mreg_t sum_f32(wl_isel_t *s, const wl_mreg_t a[K], const wl_mreg_t b[K], wl_mreg_t c) {
  wl_mreg_t sum = WL_RZ;
  for (unsigned k = 0; k < K; k++)
    sum = multiply_add(s, a[k], b[k], sum);
  return add(s, c, sum);
}

static wl_mreg_t sum_f16(wl_isel_t *s, const wl_mreg_t a[K], const wl_mreg_t b[K], wl_mreg_t c) {
  for (unsigned k = 0; k < K; k += 2) {
    const wl_mreg_t even = wl_t1(s);
    wl_rr(s, WL_FORM_MUL_F32_RR, even, a[k], b[k]);
    c = add(s, c, multiply_add(s, a[k + 1], b[k + 1], even));
  }
  return c;
}

/* ---- results */
/* A lane has one row: its own of A, all columns of B. */
static void rows_f16(quad_t *q, const wl_mreg_t a[2], const wl_mreg_t b[2], const wl_mreg_t *c) {
  wl_isel_t *s = q->s;
  wl_mreg_t row[K], result[RESULTS / 2];
  for (unsigned i = 0; i < 2; i++)
    widen(s, a[i], row + 2 * i);
  for (unsigned i = 0; i < RESULTS; i += 2) {
    wl_mreg_t sum[2];
    widen(s, c[i / 2], sum);
    for (unsigned j = 0; j < 2; j++) {
      wl_mreg_t column[K];
      operand(q, b, (i + j) / 4 * 16 | (i + j) % 4 | OF_PRODUCT, column);
      sum[j] = sum_f16(s, row, column, sum[j]);
    }
    wl_rr(s, WL_FORM_CVT_F16X2_F32, result[i / 2] = wl_t1(s), sum[1], sum[0]);
  }
  for (unsigned i = 0; i < RESULTS / 2; i++)
    wl_mma_write(s, OPND(0), i, result[i]);
}

/* Element i: row p mod 2 + (i & 2), column (i & 4) + (p & 2) + i mod 2. C of f16 has one row in a
 * lane, as D of f16. */
static void rows_f32(quad_t *q, const wl_mreg_t a[2], const wl_mreg_t b[2], wl_mreg_t *c,
                     bool halves) {
  wl_isel_t *s = q->s;
  wl_mreg_t row[2][K], result[RESULTS], element[RESULTS];
  for (unsigned r = 0; r < 2; r++)
    operand(q, a, 2 * r | OF_ROW, row[r]);
  for (unsigned i = 0; i < RESULTS; i += 4) {
    if (halves) {
      exchange(q, c + i / 2);
      widen(s, c[i / 2], element + i);
      widen(s, c[i / 2 + 1], element + i + 2);
    }
    for (unsigned j = 0; j < 2; j++) {
      wl_mreg_t column[K];
      operand(q, b, i / 4 * 16 | j | OF_COLUMN, column);
      for (unsigned r = 0; r < 2; r++) {
        const unsigned at = i + 2 * r + j;
        result[at] = sum_f32(s, row[r], column, halves ? element[at] : c[at]);
      }
    }
  }
  for (unsigned i = 0; i < RESULTS; i++)
    wl_mma_write(s, OPND(0), i, result[i]);
}

/* The layouts of A and B are the first two modifiers that name one. */
static void layouts(const wl_isel_t *s, bool col[2]) {
  unsigned n = 0;
  for (uint32_t i = 0; i < s->in->nmods && n < 2; i++)
    if (s->in->mods[i] == WL_PTX_M_ROW || s->in->mods[i] == WL_PTX_M_COL)
      col[n++] = s->in->mods[i] == WL_PTX_M_COL;
}

static void read(wl_isel_t *s, uint32_t operand, unsigned words, wl_ptx_type_t type, wl_mreg_t *v) {
  for (unsigned k = 0; k < words; k++)
    v[k] = wl_mma_read(s, OPND(operand), k, type);
}

void wl_mma_quad(wl_isel_t *s) {
  const bool f16 = s->in->type[0] == WL_PTX_T_F16, halves = s->in->type[3] == WL_PTX_T_F16;
  bool col[2] = {false, true};
  wl_mreg_t a[2], b[2], c[RESULTS];
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_MOVMATRIX, .d = WL_RZ, .a = WL_RZ});
  layouts(s, col);
  read(s, 1, 2, WL_PTX_T_B32, a);
  read(s, 2, 2, WL_PTX_T_B32, b);
  read(s, 3, halves ? RESULTS / 2 : RESULTS, halves ? WL_PTX_T_B32 : WL_PTX_T_F32, c);
  quad_t q = {.s = s, .lane = wl_lane_id(s), .upper = wl_tp(s)};
  const wl_mreg_t bit = wl_t1(s);
  wl_lopi(s, bit, q.lane, 2, WL_RZ, WL_LUT_A & WL_LUT_B);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, q.upper, bit, 0, WL_NE);
  if (col[0]) transpose(&q, a);
  if (!col[1]) transpose(&q, b);
  if (f16)
    rows_f16(&q, a, b, c);
  else
    rows_f32(&q, a, b, c, halves);
}
