/* product.c: mma.sync [PTX 9.7.14.5]: all lanes of a warp come to it. Which elements a lane has is read off
 * PTX's figures of the fragments; what an element of D is says the rule that silicon settled
 * (tests/silicon/dot.h). */
#include <string.h>

#include "isa/ptx/ptx.h"
#include "tests/oracle/product.h"

/* Words of a lane: A in value[0] on, then B, then C. */
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
  }
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
      item->a[(g + r % high * 8) * t->k + k] = element(&a, l, r, i % per);
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

void wl_or_product(wl_or_thread_t *lane) {
  static tensor_item_t item;
  const wl_or_insn_t *n = lane->wait;
  const tensor_t t = operation(n->ast);
  const unsigned bits = tensor_format(t.d)->bits, per = 32 / bits;
  collect(&t, n, lane, &item);
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
