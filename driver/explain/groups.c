/* groups.c: an explained product of 4-bit numbers with block scales: groups of 16 products are summed exactly and
 * scaled, the scaled sums are the terms (explain.h; docs/microarchitecture.md 26.11). */
#include "cmodel/sem/sem.h"
#include "driver/explain/parts.h"

enum { GROUPS = 4, GROUP = 16, ELEMENTS = GROUPS * GROUP, PER_WORD = 8, WORD_SCALES = 4 };

/* A byte for each group. */
static uint32_t scale_word(const uint32_t *scale, unsigned scales) {
  uint32_t word = 0;
  for (unsigned g = 0; g < WORD_SCALES; g++)
    word |= (scale[g * scales / WORD_SCALES] & 0xff) << 8 * g;
  return word;
}

static void pack(const uint32_t *element, unsigned count, uint32_t *word) {
  for (unsigned k = 0; k < count; k++)
    word[k / PER_WORD] |= (element[k] & 15) << 4 * (k % PER_WORD);
}

static uint32_t result(const wl_explain_t *form, const wl_explain_operands_t *in) {
  uint32_t a[1][WL_DOT_MOST_TERMS] = {{0}}, b[WL_DOT_MOST_TERMS] = {0}, c = in->c;
  const uint32_t sa = scale_word(in->scale_a, form->scales);
  const wl_scaled_products_t n = {.of = {.profile = &wl_profiles[form->profile],
                                         .of_a = WL_FORMAT_E2M1,
                                         .of_b = WL_FORMAT_E2M1,
                                         .terms = WL_DOT_MOST_TERMS},
                                  .e4m3 = form->of_scale == WL_FORMAT_UE4M3};
  pack(in->a, in->count, a[0]);
  pack(in->b, in->count, b);
  wl_sem_scaled_products(&n, 1, (const uint32_t (*)[WL_DOT_MOST_TERMS])a, b, &sa,
                         scale_word(in->scale_b, form->scales), &c);
  return c;
}

/* The sum of a group's products in quarters; its lines. */
static int sum_products(FILE *out, const wl_explain_operands_t *in, unsigned from, bool *any) {
  int sum = 0;
  *any = false;
  for (unsigned k = from; k < from + GROUP && k < in->count; k++) {
    const wl_dot_number_t x = wl_dot_take(wl_fmt_e2m1(), in->a[k]);
    const wl_dot_number_t y = wl_dot_take(wl_fmt_e2m1(), in->b[k]);
    const double product = wl_explain_double(&x) * wl_explain_double(&y);
    if (product == 0) continue;
    *any = true;
    sum += (int)(4 * product);
    fprintf(out, "%5u  %g * %g = %g\n", k, wl_explain_double(&x), wl_explain_double(&y), product);
  }
  return sum;
}

/* Step 1 of the rule. */
static term_t group(FILE *out, const wl_explain_t *form, const wl_explain_operands_t *in,
                    unsigned g) {
  const unsigned place = g * form->scales / GROUPS;
  const uint32_t byte_a = in->scale_a[place], byte_b = in->scale_b[place];
  const wl_dot_number_t sa = wl_explain_scale(form->of_scale, byte_a);
  const wl_dot_number_t sb = wl_explain_scale(form->of_scale, byte_b);
  bool any;
  fprintf(out, "group %u: products %u to %u\n", g, g * GROUP, (g + 1) * GROUP - 1);
  const int sum = sum_products(out, in, g * GROUP, &any);
  const bool nan = sa.kind == WL_DOT_NAN || sb.kind == WL_DOT_NAN;
  const bool zero = !any || sa.significand == 0 || sb.significand == 0;
  const int scaled = sum * (int)sa.significand * (int)sb.significand;
  const term_t t = {.n = {.kind = nan    ? WL_DOT_NAN
                                  : zero ? WL_DOT_ZERO
                                         : WL_DOT_FINITE,
                          .sign = sum < 0,
                          .exponent = sa.exponent + sb.exponent,
                          .fraction = 2 + 3 + 3,
                          .significand = (uint32_t)(scaled < 0 ? -scaled : scaled)},
                    .factor = {sum / 4.0, wl_explain_double(&sa), wl_explain_double(&sb)},
                    .factors = 3};
  fprintf(out, "  P = %g, ", sum / 4.0);
  wl_explain_show_scales(out, form->of_scale, byte_a, byte_b);
  if (nan)
    fprintf(out, "a NaN decides\n");
  else if (zero)
    fprintf(out, "%s: no exponent\n", any ? "a scale is zero" : "all products are zero");
  else
    fprintf(out, "exponent %d\n", t.n.exponent);
  return t;
}

uint32_t wl_explain_groups(FILE *out, const wl_explain_t *form, const wl_explain_operands_t *in) {
  const wl_profile_t *p = &wl_profiles[form->profile];
  block_t b = {.p = p, .r = wl_fmt_f32(), .noun = "group", .count = GROUPS + 1};
  fprintf(out,
          "%s: %d products in exact groups of %d, then the groups: %u bits kept behind the largest "
          "exponent, at least %d\n",
          form->profile_name, ELEMENTS, GROUP, p->kept, p->lowest);
  wl_explain_addend(&b, in->c, 0);
  for (unsigned g = 0; g < GROUPS; g++)
    b.term[g + 1] = group(out, form, in, g);
  b.result = result(form, in);
  wl_explain_cut(&b);
  fprintf(out, "the groups and C\n");
  wl_explain_show_block(out, &b);
  return b.result;
}
