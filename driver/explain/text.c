/* text.c: the text of a block of an explained product (explain.h). */
#include <math.h>

#include "driver/explain/parts.h"

void wl_explain_show_value(FILE *out, const char *name, wl_fmt_t f, uint32_t bits) {
  const wl_dot_number_t n = wl_dot_take(f, bits);
  fprintf(out, "%s0x%0*x (%.9g)", name, (int)(f.low + f.bits + 3) / 4, bits, wl_explain_double(&n));
}

void wl_explain_show_scales(FILE *out, int type, uint32_t a, uint32_t b) {
  const wl_dot_number_t x = wl_explain_scale(type, a), y = wl_explain_scale(type, b);
  fprintf(out, "scales of %s: of A 0x%02x (%.9g), of B 0x%02x (%.9g): ", wl_explain_type_name(type),
          a, wl_explain_double(&x), b, wl_explain_double(&y));
}

/* "1.5 * 2 * 2^-3" */
static void show_factors(FILE *out, const term_t *t) {
  char text[100];
  int length = 0;
  for (unsigned i = 0; i < t->factors; i++)
    length += snprintf(text + length, sizeof text - (size_t)length, "%s%.*g", i > 0 ? " * " : "",
                       t->factors == 1 ? 9 : 6, t->factor[i]);
  if (t->power != 0)
    (void)snprintf(text + length, sizeof text - (size_t)length, " * 2^%d", t->power);
  fprintf(out, "%-28s", text);
}

static void show_cut(FILE *out, const term_t *t) {
  fprintf(out, "  cut %u: ", t->dropped);
  if (t->dropped > 32) fprintf(out, "0..");
  for (unsigned k = t->dropped < 32 ? t->dropped : 32; k-- > 0;)
    fputc((t->cut >> k & 1) != 0 ? '1' : '0', out);
}

static void show_term(FILE *out, const block_t *b, unsigned i) {
  const term_t *t = &b->term[i];
  if (i == 0)
    fprintf(out, "%5s  ", "C");
  else
    fprintf(out, "%5u  ", b->from + i - 1);
  if (t->n.kind != WL_DOT_FINITE) {
    fprintf(out, "%s\n", t->n.kind == WL_DOT_ZERO ? "zero: no exponent" : "not finite");
    return;
  }
  show_factors(out, t);
  fprintf(out, " exponent %5d  behind X by %4d  kept %c%llx", t->n.exponent,
          b->largest - t->n.exponent, t->n.sign ? '-' : '+',
          (unsigned long long)(t->kept < 0 ? -t->kept : t->kept));
  if (t->dropped > 0) show_cut(out, t);
  fputc('\n', out);
}

/* The cut bits of a term that change the result. true: there are some. */
static bool show_telling(FILE *out, const block_t *b, unsigned i) {
  const term_t *t = &b->term[i];
  const unsigned top = wl_explain_telling_bit(b, t);
  if (top == 0) return false;
  fprintf(out, "  the cut bit 2^%d of ", b->unit - (int)top);
  if (i == 0)
    fprintf(out, "C");
  else
    fprintf(out, "%s %u", b->noun, b->from + i - 1);
  wl_explain_show_value(out, " changes the result: with it ", b->r,
                        wl_explain_rounded(b, wl_explain_put_back(t, top)));
  fputc('\n', out);
  return true;
}

static void show_changes(FILE *out, const block_t *b) {
  __int128 all = 0;
  bool telling = false;
  for (unsigned i = 0; i < b->count; i++) {
    const term_t *t = &b->term[i];
    if (t->n.kind != WL_DOT_FINITE || t->cut == 0) continue;
    all += wl_explain_put_back(t, t->dropped);
    telling |= show_telling(out, b, i);
  }
  const uint32_t exact = wl_explain_rounded(b, all);
  if (!telling && exact != b->result)
    fprintf(out, "  no term's cut bits alone change the result, all of them together do\n");
  if (!telling && exact == b->result) fprintf(out, "  no cut bit of a term changes the result\n");
  wl_explain_show_value(out, "  with nothing cut but the sum: ", b->r, exact);
  fputc('\n', out);
}

static void show_special(FILE *out, const block_t *b) {
  for (unsigned i = 0; i < b->count; i++)
    if (b->term[i].n.kind > WL_DOT_FINITE) show_term(out, b, i);
  wl_explain_show_value(out, "  an infinity or a NaN decides: ", b->r, b->result);
  fputc('\n', out);
}

void wl_explain_show_block(FILE *out, const block_t *b) {
  if (b->special) {
    show_special(out, b);
    return;
  }
  fprintf(out, "  X = %d%s, unit 2^%d\n", b->largest,
          b->largest == b->p->lowest ? " (the lowest)" : "", b->unit);
  for (unsigned i = 0; i < b->count; i++)
    show_term(out, b, i);
  fprintf(out, "  sum %c%llx units = %.17g\n", b->sum < 0 ? '-' : '+',
          (unsigned long long)(b->sum < 0 ? -b->sum : b->sum), ldexp((double)b->sum, b->unit));
  wl_explain_show_value(out, b->p->nearest ? "  rounded to nearest even: " : "  cut: ", b->r,
                        b->result);
  fputc('\n', out);
  show_changes(out, b);
}
