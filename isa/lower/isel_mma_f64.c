/* isel_mma_f64.c: products of f64: mma, wmma.mma (PTX 9.7.14.5, 9.7.14.4.5; expansions.md). No unit has
 * them: the operands' words come by shuffles, the sums are fused multiply-adds, k ascending.
 * movmatrix is the gathered form that stands for the instruction, as in isel_mma_quad.c. */
#include "isa/lower/isel_mma.h"

#define OPND(k) (&s->in->operands[k])
/* Of a lane: elements of A and B, of C and D, at most; rows, columns. */
enum { WORDS = 8, SUMS = 4, ROWS = 2, COLUMNS = 2 };
enum { QUAD = 4, CLAMP = 0x1f << 8, OF_QUAD = 0x1c << 16 }; /* shfl */

typedef struct product {
  wl_isel_t *s;
  /* Controls of shuffles by k mod 4, made where first needed; RZ: not yet. */
  wl_mreg_t row[QUAD];             /* from the lane's own four */
  wl_mreg_t column[QUAD][COLUMNS]; /* from those that have its columns of B */
} product_t;

static wl_mreg_t row_control(product_t *p, unsigned k) {
  wl_mreg_t *c = &p->row[k % QUAD];
  if (*c == WL_RZ) wl_movi(p->s, *c = wl_t1(p->s), k % QUAD | OF_QUAD | CLAMP);
  return *c;
}

/* Lane 4g + q has columns 2q and 2q + 1: the lanes 8q + k mod 4 and those four further have them. */
static wl_mreg_t column_control(product_t *p, unsigned k, unsigned j) {
  wl_isel_t *s = p->s;
  wl_mreg_t *first = &p->column[0][0], *c = &p->column[k % QUAD][j];
  if (*first == WL_RZ) {
    const wl_mreg_t clamp = wl_t1(s);
    wl_movi(s, clamp, CLAMP);
    wl_rri(s, WL_FORM_BFI_I, *first = wl_t1(s), wl_lane_id(s), clamp, 2 << 8 | 3);
  }
  if (*c == WL_RZ) wl_ri(s, WL_FORM_ADD_RI, *c = wl_t1(s), *first, k % QUAD + QUAD * j);
  return *c;
}

static wl_mreg_t fetch(wl_isel_t *s, wl_mreg_t element, wl_mreg_t control) {
  const wl_mreg_t d = wl_t2(s);
  for (unsigned i = 0; i < 2; i++)
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_SHFL_I,
                            .d = wl_mreg_at(d, i),
                            .a = wl_mreg_at(element, i),
                            .b = control,
                            .imm = UINT32_MAX,
                            .mods = WL_MODS(XMODE, WL_SHUFFLE_IDX)});
  return d;
}

static void multiply_add(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, wl_mreg_t *sum) {
  const wl_mreg_t d = wl_t2(s);
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_FMA_F64,
                          .d = d,
                          .a = a,
                          .b = b,
                          .c = *sum,
                          .mods = WL_MODS(RND, wl_isel_rounding(s->in->round))});
  *sum = d;
}

static unsigned read(wl_isel_t *s, uint32_t operand, wl_mreg_t *v) {
  const wl_ptx_operand_t *list = OPND(operand);
  const uint32_t count = list->kind == WL_PTX_OPD_VEC ? list->nelems : list->reg->vec;
  wl_ptx_operand_t tmp;
  for (unsigned k = 0; k < count; k++)
    v[k] = wl_is_r64(s, wl_mem_element(list, k, &tmp), WL_PTX_T_F64);
  return count;
}

void wl_mma_f64(wl_isel_t *s) {
  product_t p = {.s = s};
  wl_mreg_t a[WORDS], b[WORDS], sum[SUMS];
  wl_ptx_operand_t tmp;
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_MOVMATRIX, .d = WL_RZ, .a = WL_RZ});
  (void)read(s, 1, a);
  const unsigned depth = QUAD * read(s, 2, b), sums = read(s, 3, sum), rows = sums / COLUMNS;
  for (unsigned k = 0; k < depth; k++) {
    wl_mreg_t x[ROWS], y[COLUMNS];
    for (unsigned i = 0; i < rows; i++)
      x[i] = fetch(s, a[k / QUAD * rows + i], row_control(&p, k));
    for (unsigned j = 0; j < COLUMNS; j++)
      y[j] = fetch(s, b[k / QUAD], column_control(&p, k, j));
    for (unsigned i = 0; i < sums; i++)
      multiply_add(s, x[i / COLUMNS], y[i % COLUMNS], &sum[i]);
  }
  for (unsigned i = 0; i < sums; i++) {
    const wl_ptx_operand_t *o = wl_mem_element(OPND(0), i, &tmp);
    if (o->kind == WL_PTX_OPD_REG) wl_copy(s, wl_is_dst(s, o), sum[i], 2);
  }
}
