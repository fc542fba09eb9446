/* block.c: a block of an explained product: what is kept of each term, and which cut bit matters (explain.h).
 * The result is cmodel/sem's; beside it stand sums in which cut bits are put back, one term at a time. */
#include "driver/explain/parts.h"

void wl_explain_addend(block_t *b, uint32_t c, unsigned lower) {
  const wl_dot_number_t n = wl_dot_take(b->r, c);
  b->term[0] =
      (term_t){.n = n, .factor = {wl_explain_double(&n)}, .factors = 1, .power = -(int)lower};
  b->term[0].n.exponent -= (int)lower;
}

static void cut_term(const block_t *b, term_t *t) {
  if (t->n.kind != WL_DOT_FINITE) return;
  const int right = b->largest - t->n.exponent + (int)t->n.fraction - b->p->kept;
  const uint64_t kept = wl_dot_cut(b->p->kept, &t->n, b->largest);
  t->kept = t->n.sign ? -(int64_t)kept : (int64_t)kept;
  t->dropped = right > 0 ? (unsigned)right : 0;
  t->cut = right <= 0 ? 0 : right >= 32 ? t->n.significand : t->n.significand & ((1u << right) - 1);
}

void wl_explain_cut(block_t *b) {
  b->largest = b->p->lowest;
  for (unsigned i = 0; i < b->count; i++) {
    const wl_dot_number_t *n = &b->term[i].n;
    b->special |= n->kind > WL_DOT_FINITE;
    if (n->kind == WL_DOT_FINITE && n->exponent > b->largest) b->largest = n->exponent;
  }
  b->unit = b->largest - b->p->kept;
  for (unsigned i = 0; i < b->count && !b->special; i++) {
    cut_term(b, &b->term[i]);
    b->sum += b->term[i].kept;
  }
}

__int128 wl_explain_put_back(const term_t *t, unsigned top) {
  const unsigned left = top < t->dropped ? t->dropped - top : 0;
  const uint64_t bits = left >= 32 ? 0 : (uint64_t)t->cut >> left << left;
  __int128 fraction = 0;
  if (t->dropped <= 64)
    fraction = (__int128)bits << (64 - t->dropped);
  else
    fraction = (t->dropped - 64 < 64 ? bits >> (t->dropped - 64) : 0) | (bits != 0);
  return t->n.sign ? -fraction : fraction;
}

uint32_t wl_explain_rounded(const block_t *b, __int128 fraction) {
  __int128 sum = b->sum * ((__int128)1 << 64) + fraction;
  const bool negative = sum < 0;
  unsigned __int128 m = negative ? -(unsigned __int128)sum : (unsigned __int128)sum;
  int unit = b->unit - 64;
  bool sticky = false;
  for (; m >> 60 != 0; m >>= 1, unit++)
    sticky |= (m & 1) != 0;
  const int64_t v = (int64_t)(m << 1 | sticky);
  return wl_dot_round(b->r, b->p->nearest, negative ? -v : v, unit - 1);
}

unsigned wl_explain_telling_bit(const block_t *b, const term_t *t) {
  for (unsigned top = 1; top <= t->dropped && t->dropped < 4096; top++)
    if (wl_explain_rounded(b, wl_explain_put_back(t, top)) != b->result) return top;
  return 0;
}
