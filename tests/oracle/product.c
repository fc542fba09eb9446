/* product.c: mma.sync and mma.sp [PTX 9.7.14.5, 9.7.14.6]: all lanes of a warp come to it. Which elements a lane has is read off
 * PTX's figures of the fragments; what an element of D is says the rule that silicon settled
 * (tests/silicon/dot.h). */
#include <string.h>

#include "isa/ptx/ptx.h"
#include "tests/oracle/product.h"

/* Words of a lane: A in value[0] on, then B, then C, then the metadata. */
typedef struct fragment {
  const wl_or_thread_t *lane;
  unsigned from, bits; /* first word; bits of an element */
} fragment_t;

static uint64_t element(const fragment_t *f, unsigned lane, unsigned word, unsigned at) {
  const uint64_t v = f->lane[lane].value[f->from + word] >> at * f->bits;
  return f->bits == 32 ? v & UINT32_MAX : v & ((UINT64_C(1) << f->bits) - 1);
}

tensor_type_t wl_or_tensor_type(wl_ptx_type_t type) {
  static const struct {
    wl_ptx_type_t ptx;
    tensor_type_t type;
  } types[] = {
      {WL_PTX_T_F16, TENSOR_F16},   {WL_PTX_T_BF16, TENSOR_BF16}, {WL_PTX_T_TF32, TENSOR_TF32},
      {WL_PTX_T_E4M3, TENSOR_E4M3}, {WL_PTX_T_E5M2, TENSOR_E5M2}, {WL_PTX_T_S8, TENSOR_S8},
      {WL_PTX_T_U8, TENSOR_U8},     {WL_PTX_T_S4, TENSOR_S4},     {WL_PTX_T_U4, TENSOR_U4},
      {WL_PTX_T_B1, TENSOR_B1},     {WL_PTX_T_S32, TENSOR_S32},   {WL_PTX_T_F32, TENSOR_F32}};
  unsigned i = 0;
  while (types[i].ptx != type) {
    i++;
  }
  return types[i].type;
}

tensor_t wl_or_tensor(const wl_ptx_insn_t *in) {
  tensor_t t = {.steps = 1, .quads = 1};
  for (unsigned i = 0; i < in->nmods; i++) {
    const char *name = wl_ptx_mod_name(in->mods[i]);
    (void)snprintf(t.name + strlen(t.name), sizeof t.name - strlen(t.name), ".%s", name);
    (void)sscanf(name, "m%un%uk%u", &t.m, &t.n, &t.k);
    t.sparse = t.sparse || in->mods[i] == WL_PTX_M_SP || in->mods[i] == WL_PTX_M_SP_ORDERED;
  }
  t.selector = t.sparse ? (unsigned)in->operands[5].imm : 0;
  return t;
}

static tensor_t operation(const wl_ptx_insn_t *in) {
  tensor_t t = wl_or_tensor(in);
  t.d = wl_or_tensor_type(in->type[0]);
  t.a = wl_or_tensor_type(in->type[1]);
  t.b = wl_or_tensor_type(in->type[2]);
  t.c = wl_or_tensor_type(in->type[3]);
  return t;
}

/* Figures 48 to 92: rows of a group of four lanes, eight further in the next register; neighbours in k. */
static void collect(const tensor_t *t, const wl_or_insn_t *n, const wl_or_thread_t *lane,
                    tensor_item_t *item) {
  const fragment_t a = {lane, 0, tensor_format(t->a)->bits};
  const fragment_t b = {lane, n->n, tensor_format(t->b)->bits};
  const fragment_t c = {lane, (unsigned)n->n + n->shift, tensor_format(t->c)->bits};
  for (unsigned l = 0; l < OR_LANES; l++) {
    const unsigned g = l / 4, q = l % 4, per = 32 / a.bits, high = t->m / 8;
    for (unsigned i = 0; i < n->n * per; i++) {
      const unsigned r = i / per, k = (q + r / high * 4) * per + i % per;
      item->a[(g + r % high * 8) * tensor_kept(t) + k] = element(&a, l, r, i % per);
    }
    for (unsigned i = 0; i < n->shift * per; i++) {
      item->b[((q + i / per * 4) * per + i % per) * 8 + g] = element(&b, l, i / per, i % per);
    }
    for (unsigned i = 0; i < t->m / 4; i++) {
      const unsigned wide = 32 / c.bits;
      item->c[(g + i / 2 * 8) * 8 + 2 * q + i % 2] = element(&c, l, i / wide, i % wide);
    }
  }
}

/* Figures of 9.7.14.6.2: four bits of each chunk of k, chunk after chunk. Rows of four chunks: rows g and
 * g + 8 share the word of one lane of four. Of eight, of 16 bits and more: those of two lanes, the second of
 * which has the other four chunks. Of eight smaller ones, and of sixteen: rows g and g + 8 have a lane each. */
static void metadata(const tensor_t *t, const wl_or_insn_t *n, const wl_or_thread_t *lane,
                     tensor_item_t *item) {
  const unsigned chunks = tensor_chunks(t), at = (unsigned)n->n + n->shift + n->vec;
  const bool shared = tensor_format(t->a)->bits >= 16;
  const unsigned in_word = shared ? 4 : 8; /* chunks of a row */
  for (unsigned row = 0; row < 16; row++) {
    for (unsigned c = 0; c < chunks; c++) {
      const unsigned first = chunks == 4 ? t->selector : 2 * t->selector, further = c / in_word;
      const unsigned of_four = shared ? first + further : first + row / 8 + 2 * further;
      const unsigned bit = 4 * (c % in_word) + (shared ? row / 8 * 16 : 0);
      item->e[row][c] = lane[row % 8 * 4 + of_four].value[at] >> bit & 15;
    }
  }
}

/* ---- m8n8k4 of f16: figures of 9.7.14.5.1. Product q is of the lanes 4q to 4q + 3, which have its upper
 * four rows of A and D and its left four columns of B, and of those 16 further on, which have the others. */
static bool is_quad(const wl_ptx_insn_t *in) {
  for (unsigned i = 0; i < in->nmods; i++) {
    if (in->mods[i] == WL_PTX_M_M8N8K4) {
      return true;
    }
  }
  return false;
}

static tensor_t quad_operation(const wl_ptx_insn_t *in) {
  tensor_t t = operation(in);
  unsigned met = 0;
  t.m = 32;
  t.quads = 4;
  for (unsigned i = 0; i < in->nmods; i++) {
    const bool col = in->mods[i] == WL_PTX_M_COL;
    if (col || in->mods[i] == WL_PTX_M_ROW) {
      t.a_col = met == 0 ? col : t.a_col;
      t.b_row = met == 1 ? !col : t.b_row;
      met++;
    }
  }
  return t;
}

/* Where element i of C or D is among the 32 rows of the four products. */
static unsigned quad_place(tensor_type_t type, unsigned lane, unsigned i) {
  const unsigned top = lane / 4 % 4 * 8 + (lane < 16 ? 0 : 4);
  return type == TENSOR_F16 ? (top + lane % 4) * 8 + i
                            : (top + (lane & 1) + (i & 2)) * 8 + (i & 4) + (lane & 2) + (i & 1);
}

static void quad_collect(const tensor_t *t, const wl_or_insn_t *n, const wl_or_thread_t *lane,
                         tensor_item_t *item) {
  const fragment_t a = {lane, 0, 16}, b = {lane, n->n, 16};
  const fragment_t c = {lane, (unsigned)n->n + n->shift, tensor_format(t->c)->bits};
  for (unsigned l = 0; l < OR_LANES; l++) {
    const unsigned product = l / 4 % 4, high = l < 16 ? 0 : 4, own = l % 4;
    for (unsigned i = 0; i < 4; i++) {
      const unsigned row = high + (t->a_col ? i : own), column = high + (t->b_row ? i : own);
      const unsigned a_k = t->a_col ? own : i, b_k = t->b_row ? own : i;
      item->a[(product * 8 + row) * 4 + a_k] = element(&a, l, i / 2, i % 2);
      item->b[(product * 4 + b_k) * 8 + column] = element(&b, l, i / 2, i % 2);
    }
    for (unsigned i = 0; i < 8; i++) {
      const unsigned wide = 32 / c.bits;
      item->c[quad_place(t->c, l, i)] = element(&c, l, i / wide, i % wide);
    }
  }
}

static void quad_product(wl_or_thread_t *lane) {
  static tensor_item_t item;
  const wl_or_insn_t *n = lane->wait;
  const tensor_t t = quad_operation(n->ast);
  const unsigned bits = tensor_format(t.d)->bits, per = 32 / bits;
  quad_collect(&t, n, lane, &item);
  for (unsigned l = 0; l < OR_LANES; l++) {
    for (unsigned r = 0; r < 8 / per; r++) {
      uint64_t word = 0;
      for (unsigned i = 0; i < per; i++) {
        const unsigned at = quad_place(t.d, l, r * per + i);
        word |= dot_element(&t, &item, at / 8, at % 8) << i * bits;
      }
      wl_or_put(&lane[l], n->d[r], word);
    }
  }
}

void wl_or_product(wl_or_thread_t *lane) {
  static tensor_item_t item;
  const wl_or_insn_t *n = lane->wait;
  if (is_quad(n->ast)) {
    quad_product(lane);
    return;
  }
  const tensor_t t = operation(n->ast);
  const unsigned bits = tensor_format(t.d)->bits, per = 32 / bits;
  collect(&t, n, lane, &item);
  if (t.sparse) {
    metadata(&t, n, lane, &item);
  }
  for (unsigned l = 0; l < OR_LANES; l++) {
    uint64_t word = 0;
    for (unsigned i = 0; i < t.m / 4; i++) {
      const uint64_t d = dot_element(&t, &item, l / 4 + i / 2 * 8, l % 4 * 2 + i % 2);
      word = i % per == 0 ? d : word | d << bits;
      if (i % per == per - 1) {
        wl_or_put(&lane[l], n->d[i / per], word);
      }
    }
  }
}
