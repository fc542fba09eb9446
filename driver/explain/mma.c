/* mma.c: one element of a product, told step by step (explain.h). */
#include "cmodel/sem/sem.h"
#include "driver/explain/parts.h"

/* ---- blocks of products; scales of ue8m0 add to their exponents */
enum { SCALE_BIAS = 127, NAN_SCALE = 0xff };

/* Rule: docs/microarchitecture.md 26.11. The element is cmodel/sem's. */
static uint32_t scaled_result(const wl_explain_t *form, const wl_explain_operands_t *in) {
  uint32_t a[1][WL_DOT_MOST_TERMS] = {{0}}, b[WL_DOT_MOST_TERMS] = {0}, c = in->c;
  const wl_scaled_products_t n = {.of = {.profile = &wl_profiles[form->profile],
                                         .of_a = (uint8_t)form->of_a,
                                         .of_b = (uint8_t)form->of_b,
                                         .terms = WL_DOT_MOST_TERMS}};
  for (unsigned k = 0; k < in->count; k++) {
    a[0][k] = in->a[k];
    b[k] = in->b[k];
  }
  wl_sem_scaled_products(&n, 1, (const uint32_t (*)[WL_DOT_MOST_TERMS])a, b, in->scale_a,
                         in->scale_b[0], &c);
  return c;
}

static void take_products(block_t *b, const wl_explain_t *form, const wl_explain_operands_t *in,
                          int raise) {
  for (unsigned i = 1; i < b->count; i++) {
    term_t *t = &b->term[i];
    const unsigned k = b->from + i - 1;
    const wl_dot_number_t x = wl_dot_take(wl_fmt_of((wl_format_t)form->of_a), in->a[k]);
    const wl_dot_number_t y = wl_dot_take(wl_fmt_of((wl_format_t)form->of_b), in->b[k]);
    *t = (term_t){.n = wl_dot_product(x, y),
                  .factor = {wl_explain_double(&x), wl_explain_double(&y)},
                  .factors = 2,
                  .power = raise};
    t->n.exponent += raise;
  }
}

static void show_scales(FILE *out, const wl_explain_operands_t *in, int raise, bool nan) {
  fputs("  ", out);
  wl_explain_show_scales(out, WL_FORMAT_UE8M0, in->scale_a[0], in->scale_b[0]);
  if (nan)
    fputs("a NaN decides\n", out);
  else
    fprintf(out, "each product counts * 2^%d\n", raise);
}

static wl_dot_values_t row_of(int format, const uint32_t *first) {
  return (wl_dot_values_t){.format = (wl_format_t)format, .first = first};
}

static uint32_t one_block(FILE *out, const wl_explain_t *form, const wl_explain_operands_t *in,
                          unsigned from, uint32_t c, unsigned lower) {
  const wl_profile_t *p = &wl_profiles[form->profile];
  const unsigned n = in->count - from < p->block ? in->count - from : p->block;
  const bool scaled = form->scales != 0;
  const uint32_t sa = in->scale_a[0], sb = in->scale_b[0];
  const bool nan = scaled && (sa == NAN_SCALE || sb == NAN_SCALE);
  const int raise = scaled ? (int)(sa + sb) - 2 * SCALE_BIAS : 0;
  block_t b = {.p = p,
               .r = wl_fmt_of((wl_format_t)form->of_d),
               .noun = "product",
               .from = from,
               .count = n + 1};
  wl_explain_addend(&b, c, lower);
  take_products(&b, form, in, raise);
  b.special = nan;
  b.result = scaled ? scaled_result(form, in)
                    : wl_dot_mixed(p, n, row_of(form->of_a, in->a + from),
                                   row_of(form->of_b, in->b + from), c, lower);
  wl_explain_cut(&b);
  fprintf(out, "block %u: products %u to %u\n", from / p->block + 1, from, from + n - 1);
  if (scaled) show_scales(out, in, raise, nan);
  wl_explain_show_block(out, &b);
  return b.result;
}

static uint32_t blocks(FILE *out, const wl_explain_t *form, const wl_explain_operands_t *in) {
  const wl_profile_t *p = &wl_profiles[form->profile];
  uint32_t c = in->c;
  fprintf(out, "%s: blocks of %u products, %u bits kept behind the largest exponent, at least %d\n",
          form->profile_name, p->block, p->kept, p->lowest);
  for (unsigned from = 0; from < in->count; from += p->block)
    c = one_block(out, form, in, from, c, from == 0 ? form->lower : 0);
  return c;
}

uint32_t wl_explain_mma(FILE *out, const wl_explain_t *form, const wl_explain_operands_t *in) {
  uint32_t d;
  if (form->kind != NULL)
    fprintf(out, "tcgen05.mma.kind::%s, %s * %s to %s\n", form->kind,
            wl_explain_type_name(form->of_a), wl_explain_type_name(form->of_b),
            wl_explain_type_name(form->of_d));
  if (form->kind != NULL && in->count < form->most)
    fprintf(out, "products %u to %u are not given: zero\n", in->count, form->most - 1);
  if (form->profile_name == NULL) return wl_explain_integers(out, form, in);
  if (form->profile == WL_PROFILE_MXF4_F32)
    d = wl_explain_groups(out, form, in);
  else
    d = blocks(out, form, in);
  wl_explain_show_value(out, "D = ", wl_fmt_of((wl_format_t)form->of_d), d);
  fputc('\n', out);
  return d;
}
