/* fragment.c: wmma.load, wmma.mma, wmma.store [PTX 9.7.14.4]. PTX leaves open which elements a lane has.
 * Here element e of a matrix, counted along its rows, is in lane e mod 32, in the lane's place e / 32; a
 * fragment with more places has its elements again. So what depends on the machine's places differs. */
#include <string.h>

#include "isa/ptx/ptx.h"
#include "tests/oracle/product.h"

typedef struct matrix {
  unsigned rows, columns, bits;
} matrix_t;

static matrix_t matrix_of(const wl_or_insn_t *n, char which, unsigned bits) {
  const tensor_t t = wl_or_tensor(n->ast);
  return (matrix_t){which == 'b' ? t.k : t.m, which == 'a' ? t.k : t.n, bits};
}

/* Elements in a register; one of f64 has a register of 64 bits. */
static unsigned side_by_side(const matrix_t *m) { return m->bits == 64 ? 1 : 32 / m->bits; }

/* Element `at` of register `reg` of a lane: its number in the matrix. */
static unsigned number_of(const matrix_t *m, unsigned lane, unsigned reg, unsigned at) {
  return ((reg * side_by_side(m) + at) * OR_LANES + lane) % (m->rows * m->columns);
}

static uint64_t low(uint64_t v, unsigned bits) { return v & wl_or_mask(bits); }

/* ---- memory */
typedef struct move {
  wl_or_grid_t *grid;
  wl_or_cta_t *cta;
  wl_or_thread_t *lane;
  const wl_or_insn_t *n;
  matrix_t m;
  int64_t stride;
} move_t;

/* The bytes of element e; *shift: the element's first bit. */
static uint8_t *bytes_of(const move_t *v, unsigned lane, unsigned e, unsigned *shift) {
  const wl_or_insn_t *n = v->n;
  const wl_or_ctx_t x = {v->grid, v->cta, &v->lane[lane], n};
  const unsigned row = e / v->m.columns, column = e % v->m.columns;
  const int64_t at = n->wrap ? column * v->stride + row : row * v->stride + column;
  const int64_t bit = at * (int64_t)v->m.bits;
  const uint64_t address =
      v->lane[lane].value[0] + (uint64_t)n->offset + (uint64_t)((bit - (bit & 7)) / 8);
  bool global = false;
  *shift = (unsigned)(bit & 7);
  return wl_or_pointer(&x, (wl_or_space_t)n->space, address, v->m.bits < 8 ? 1 : v->m.bits / 8,
                       n->op == OR_WMMA_STORE, &global);
}

static bool load_word(const move_t *v, unsigned lane, unsigned reg) {
  uint64_t word = 0;
  for (unsigned at = 0; at < side_by_side(&v->m); at++) {
    unsigned shift;
    uint64_t bits = 0;
    const uint8_t *p = bytes_of(v, lane, number_of(&v->m, lane, reg, at), &shift);
    if (p == NULL) {
      return false;
    }
    memcpy(&bits, p, v->m.bits < 8 ? 1 : v->m.bits / 8);
    word |= low(bits >> shift, v->m.bits) << at * v->m.bits;
  }
  wl_or_put(&v->lane[lane], v->n->d[reg], word);
  return true;
}

static bool store_word(const move_t *v, unsigned lane, unsigned reg) {
  for (unsigned at = 0; at < side_by_side(&v->m); at++) {
    unsigned shift;
    const uint64_t bits = v->lane[lane].value[1 + reg] >> at * v->m.bits;
    uint8_t *p = bytes_of(v, lane, number_of(&v->m, lane, reg, at), &shift);
    if (p == NULL) {
      return false;
    }
    memcpy(p, &bits, v->m.bits / 8);
  }
  return true;
}

static bool move(wl_or_grid_t *g, wl_or_cta_t *cta, wl_or_thread_t *lane) {
  const wl_or_insn_t *n = lane->wait;
  move_t v = {g, cta, lane, n, matrix_of(n, (char)n->sub, n->bits), 0};
  v.stride = n->wrap ? v.m.rows : v.m.columns;
  if (n->n != 0) {
    v.stride = (int32_t)(uint32_t)lane->value[9];
  }
  for (unsigned l = 1; l < OR_LANES; l++) {
    const wl_or_ctx_t x = {g, cta, &lane[l], n};
    if (lane[l].value[0] != lane->value[0] || (n->n != 0 && lane[l].value[9] != lane->value[9])) {
      return wl_or_fail(&x, "another address or stride than the first lane's");
    }
  }
  for (unsigned i = 0; i < OR_LANES * n->vec; i++) {
    if (!(n->op == OR_WMMA_LOAD ? load_word : store_word)(&v, i % OR_LANES, i / OR_LANES)) {
      return false;
    }
  }
  return true;
}

/* ---- products */
/* The matrix in words [from, from + words) of all lanes. */
static void collect(const wl_or_thread_t *lane, const matrix_t *m, unsigned from, unsigned words,
                    uint64_t *to) {
  for (unsigned i = 0; i < OR_LANES * words; i++) {
    for (unsigned at = 0; at < side_by_side(m); at++) {
      to[number_of(m, i % OR_LANES, i / OR_LANES, at)] =
          low(lane[i % OR_LANES].value[from + i / OR_LANES] >> at * m->bits, m->bits);
    }
  }
}

static void product(wl_or_thread_t *lane) {
  static tensor_item_t item;
  const wl_or_insn_t *n = lane->wait;
  const wl_ptx_insn_t *in = n->ast;
  const bool halves = in->ntypes == 2;
  tensor_t t = wl_or_tensor(in);
  t.wmma = true;
  t.d = wl_or_tensor_type(in->type[0]);
  t.a = halves ? TENSOR_F16 : wl_or_tensor_type(in->type[1]);
  t.b = t.a;
  t.c = wl_or_tensor_type(in->type[halves ? 1 : 3]);
  const matrix_t a = matrix_of(n, 'a', tensor_format(t.a)->bits);
  const matrix_t b = matrix_of(n, 'b', tensor_format(t.b)->bits);
  const matrix_t c = matrix_of(n, 'c', tensor_format(t.c)->bits);
  const matrix_t d = matrix_of(n, 'd', tensor_format(t.d)->bits);
  collect(lane, &a, 0, n->n, item.a);
  collect(lane, &b, n->n, n->shift, item.b);
  collect(lane, &c, (unsigned)n->n + n->shift, n->sbits, item.c);
  for (unsigned i = 0; i < OR_LANES * n->vec; i++) {
    uint64_t word = 0;
    for (unsigned at = 0; at < side_by_side(&d); at++) {
      const unsigned e = number_of(&d, i % OR_LANES, i / OR_LANES, at);
      word |= dot_element(&t, &item, e / t.n, e % t.n) << at * d.bits;
    }
    wl_or_put(&lane[i % OR_LANES], n->d[i / OR_LANES], word);
  }
}

bool wl_or_fragment(wl_or_grid_t *g, wl_or_cta_t *cta, wl_or_thread_t *lane) {
  if (lane->wait->op != OR_WMMA_MMA) {
    return move(g, cta, lane);
  }
  product(lane);
  return true;
}

/* ---- from the syntax tree */
static unsigned size_of(const wl_ptx_operand_t *o) {
  return o->kind == WL_PTX_OPD_VEC ? o->nelems : o->reg->vec;
}

static wl_ptx_type_t register_type(wl_ptx_type_t t) {
  return t == WL_PTX_T_F32 || t == WL_PTX_T_F64 ? t : WL_PTX_T_B32;
}

static bool translate_product(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  const wl_ptx_type_t c = register_type(t->ast->type[t->ast->ntypes == 2 ? 1 : 0]);
  const wl_ptx_type_t ab = c == WL_PTX_T_F64 ? c : WL_PTX_T_B32;
  n->op = OR_WMMA_MMA;
  n->vec = (uint8_t)size_of(&o[0]);
  n->n = (uint8_t)size_of(&o[1]);
  n->shift = (uint8_t)size_of(&o[2]);
  n->sbits = (uint8_t)size_of(&o[3]);
  return wl_or_tr_dst_vec(t, &o[0], n->vec, n->d) && wl_or_tr_src_vec(t, &o[1], ab, n->n, n->s) &&
         wl_or_tr_src_vec(t, &o[2], ab, n->shift, n->s + n->n) &&
         wl_or_tr_src_vec(t, &o[3], c, n->sbits, n->s + n->n + n->shift);
}

/* s[0]: the address, s[1] on: the registers of a store, s[9]: the stride, if n is not 0. */
bool wl_or_tr_wmma(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  if (wl_or_tr_has(t, WL_PTX_M_MMA)) {
    return translate_product(t);
  }
  const bool store = wl_or_tr_has(t, WL_PTX_M_STORE);
  const wl_ptx_operand_t *at = &o[store ? 0 : 1], *list = &o[store ? 1 : 0];
  const wl_ptx_type_t type = register_type(t->ast->type[0]);
  n->op = store ? OR_WMMA_STORE : OR_WMMA_LOAD;
  n->sub = (uint8_t)(wl_or_tr_has(t, WL_PTX_M_A) ? 'a' : wl_or_tr_has(t, WL_PTX_M_B) ? 'b' : 'c');
  n->wrap = wl_or_tr_has(t, WL_PTX_M_COL);
  n->n = t->ast->noperands > 2;
  if (!wl_or_tr_space(t, t->ast->space, &n->space) || !wl_or_tr_address(t, at)) {
    return false;
  }
  if (n->scale != 0) {
    return wl_or_tr_fail(t, "an array element as the address of a matrix");
  }
  n->vec = (uint8_t)size_of(list);
  return (n->n == 0 || wl_or_tr_src(t, &o[2], WL_PTX_T_S32, &n->s[9])) &&
         (store ? wl_or_tr_src_vec(t, list, type, n->vec, &n->s[1])
                : wl_or_tr_dst_vec(t, list, n->vec, n->d));
}
