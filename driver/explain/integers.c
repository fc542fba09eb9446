/* integers.c: an explained product of 8-bit integers (explain.h; docs/microarchitecture.md 19.2). */
#include <inttypes.h>

#include "cmodel/sem/sem.h"
#include "driver/explain/parts.h"

static int32_t value_of(int type, uint32_t byte) {
  return type == WL_EXPLAIN_S8 ? (int8_t)(uint8_t)byte : (uint8_t)byte;
}

static uint32_t result(const wl_explain_t *form, const wl_explain_operands_t *in) {
  uint32_t a[1][WL_DOT_MOST_TERMS] = {{0}}, b[WL_DOT_MOST_TERMS] = {0}, c = in->c;
  const wl_products_t n = {.terms = WL_DOT_MOST_TERMS,
                           .a_signed = form->of_a == WL_EXPLAIN_S8,
                           .b_signed = form->of_b == WL_EXPLAIN_S8,
                           .clamped = form->clamped};
  for (unsigned k = 0; k < in->count; k++) {
    a[0][k] = in->a[k];
    b[k] = in->b[k];
  }
  wl_sem_products(&n, 1, (const uint32_t (*)[WL_DOT_MOST_TERMS])a, b, &c);
  return c;
}

uint32_t wl_explain_integers(FILE *out, const wl_explain_t *form, const wl_explain_operands_t *in) {
  int64_t sum = (int32_t)in->c;
  const uint32_t d = result(form, in);
  fprintf(out, "integers: products and C are added exactly\n%5s  %" PRId64 "\n", "C", sum);
  for (unsigned k = 0; k < in->count; k++) {
    const int32_t x = value_of(form->of_a, in->a[k]), y = value_of(form->of_b, in->b[k]);
    char what[32];
    (void)snprintf(what, sizeof what, "%" PRId32 " * %" PRId32, x, y);
    fprintf(out, "%5u  %-14s = %" PRId32 "\n", k, what, x * y);
    sum += x * y;
  }
  fprintf(out, "  sum %" PRId64 "\n", sum);
  if (sum == (int32_t)d)
    fprintf(out, "  it is a number of s32\n");
  else
    fprintf(out, "  it is beyond s32: %s\n", form->clamped ? "clamped" : "modulo 2^32");
  fprintf(out, "D = 0x%08" PRIx32 " (%" PRId32 ")\n", d, (int32_t)d);
  return d;
}
