/* test_explain_kinds.c: results of explained products of tcgen05.mma against the rule that tests have of them
 * (tests/unit/lower/umma_rule.c), and numbers as text against halves of patterns. Operands are any patterns, or
 * such whose exponents are near; sums that cancel, zeros, infinities and NaNs come with them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "driver/explain/explain.h"
#include "tests/common/check.h"
#include "tests/common/splitmix.h"
#include "tests/unit/lower/umma_rule.h"

enum { ROUNDS = 10000, WHY = 200, MIDDLE = 127 };

static uint64_t state = 26;
static uint32_t below(uint32_t n) { return (uint32_t)(wl_splitmix64(&state) % n); }

/* A pattern; near: exponents from the middle to the middle + 3, as far as there are some. */
static uint32_t pattern(const umma_type_t *t, bool near) {
  const uint32_t any = (uint32_t)wl_splitmix64(&state);
  const uint32_t mask = (uint32_t)((UINT64_C(1) << t->bits) - 1);
  if (below(12) == 0) return 0;
  if (!near || t->exponent < 4) return any & mask;
  const uint32_t field = (1u << (t->exponent - 1)) - 1 + below(4);
  const uint32_t at = t->low + t->fraction, fields = ((1u << t->exponent) - 1) << at;
  return (any & mask & ~fields) | field << at;
}

/* Elements of the second half may be those of the first with the other sign. */
static void fill(wl_explain_operands_t *in, const umma_type_t *a, const umma_type_t *b,
                 unsigned count) {
  const bool near = below(3) != 0, cancels = below(5) == 0 && a->exponent != 0;
  in->count = count;
  for (unsigned k = 0; k < count; k++) {
    in->a[k] = pattern(a, near);
    in->b[k] = pattern(b, near);
    if (!cancels || k % 2 == 0) continue;
    in->a[k] = in->a[k - 1] ^ 1u << (a->bits - 1);
    in->b[k] = in->b[k - 1];
  }
}

/* The text is kept of the last element that was told. */
static char *text;
static uint32_t told(const wl_explain_t *form, const wl_explain_operands_t *in) {
  size_t size;
  free(text);
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) exit(2);
  const uint32_t d = wl_explain_mma(f, form, in);
  if (fclose(f) != 0) exit(2);
  return d;
}

static void compare(const wl_explain_t *form, const wl_explain_operands_t *in, uint32_t want,
                    unsigned digits) {
  char line[40];
  const uint32_t got = told(form, in);
  (void)snprintf(line, sizeof line, "\nD = 0x%0*x (", (int)digits, want);
  CHECK(got == want && strstr(text, line) != NULL, "expected %x, got %x:\n%s", want, got, text);
}

static bool find(const char *kind, const char *a, const char *b, const char *d, const char *s,
                 unsigned scales, wl_explain_t *out) {
  const wl_explain_names_t names = {kind, a, b, d, s};
  char why[WHY] = "";
  const bool found = wl_explain_kind(&names, scales, out, why, sizeof why);
  CHECK(found, "%s, %s, %s, %s: %s", kind, a, b, d, why);
  return found;
}

/* ---- kinds without scales */
static void floats(const char *kind, const char *const *names, const umma_kind_t *k,
                   unsigned count) {
  for (unsigned n = 0; n < ROUNDS; n++) {
    const unsigned x = below(k->types), y = k->types == 5 ? below(k->types) : x;
    const bool half = k->size < 4 && below(2) != 0 && !(k->size == 2 && x == 1);
    const umma_type_t *d = half ? &umma_half : &umma_f32;
    wl_explain_t form;
    wl_explain_operands_t in = {0};
    if (!find(kind, names[x], names[y], half ? "f16" : "f32", NULL, 0, &form)) return;
    form.lower = wl_explain_lowers(&form) ? below(16) : 0;
    fill(&in, &k->type[x], &k->type[y], 1 + below(count));
    in.c = pattern(d, below(2) != 0);
    compare(&form, &in,
            umma_rule_float(&k->type[x], &k->type[y], in.count, in.a, in.b, d, in.c, form.lower),
            d->bits / 4);
  }
}

static void integers(void) {
  static const char *const names[] = {"u8", "s8"};
  const umma_kind_t *k = &umma_kinds[UMMA_I8];
  for (unsigned n = 0; n < ROUNDS; n++) {
    const unsigned x = below(2), y = below(2);
    wl_explain_t form;
    wl_explain_operands_t in = {0};
    if (!find("i8", names[x], names[y], NULL, NULL, 0, &form)) return;
    form.clamped = below(2) != 0;
    fill(&in, &k->type[x], &k->type[y], 1 + below(32));
    in.c = (uint32_t)wl_splitmix64(&state);
    if (below(2) != 0) in.c = below(2) * UINT32_C(0x80000000) - below(100000);
    compare(&form, &in,
            umma_rule_integer(&k->type[x], &k->type[y], in.count, in.a, in.b, in.c, form.clamped),
            8);
  }
}

/* ---- kinds with scales */
/* Near the middle, or any, sometimes a NaN. */
static uint32_t scale(bool ue4m3) {
  if (below(60) == 0) return ue4m3 ? 0x7f : 0xff;
  if (below(4) == 0) return below(256);
  return ue4m3 ? 0x20 + below(0x40) : MIDDLE - 8 + below(17);
}

static void one_scale(const char *const *names) {
  const umma_kind_t *k = &umma_kinds[UMMA_F8F6F4];
  for (unsigned n = 0; n < ROUNDS; n++) {
    const unsigned x = below(k->types), y = below(k->types);
    wl_explain_t form;
    wl_explain_operands_t in = {0};
    if (!find("mxf8f6f4", names[x], names[y], NULL, NULL, 1, &form)) return;
    fill(&in, &k->type[x], &k->type[y], 1 + below(32));
    in.scale_a[0] = scale(false);
    in.scale_b[0] = scale(false);
    in.c = pattern(&umma_f32, below(2) != 0);
    uint32_t a[32] = {0}, b[32] = {0};
    memcpy(a, in.a, in.count * sizeof *a);
    memcpy(b, in.b, in.count * sizeof *b);
    compare(&form, &in,
            umma_rule_scaled(&k->type[x], &k->type[y], a, b, (uint8_t)in.scale_a[0],
                             (uint8_t)in.scale_b[0], in.c),
            8);
  }
}

static void groups(const char *kind, const char *stype, unsigned scales) {
  const umma_type_t *e2m1 = &umma_kinds[UMMA_F8F6F4].type[4];
  const bool ue4m3 = stype != NULL && strcmp(stype, "ue4m3") == 0;
  for (unsigned n = 0; n < ROUNDS; n++) {
    wl_explain_t form;
    wl_explain_operands_t in = {0};
    uint8_t sa[4], sb[4];
    if (!find(kind, NULL, NULL, NULL, stype, scales, &form)) return;
    fill(&in, e2m1, e2m1, below(4) == 0 ? 1 + below(64) : 64);
    in.c = pattern(&umma_f32, below(2) != 0);
    for (unsigned g = 0; g < 4; g++) { /* of fewer than four two groups have one */
      if (g * scales % 4 == 0) in.scale_a[g * scales / 4] = scale(ue4m3);
      if (g * scales % 4 == 0) in.scale_b[g * scales / 4] = scale(ue4m3);
      sa[g] = (uint8_t)in.scale_a[g * scales / 4];
      sb[g] = (uint8_t)in.scale_b[g * scales / 4];
    }
    compare(&form, &in, umma_rule_groups(in.a, in.b, sa, sb, ue4m3, in.c), 8);
  }
}

/* ---- numbers: every pattern of the small formats, and what lies in the middle of two */
static double value(const umma_type_t *t, uint32_t bits) {
  const int field = (int)(bits >> t->fraction & ((1u << t->exponent) - 1));
  const int bias = (1 << (t->exponent - 1)) - 1;
  const uint32_t m = (bits & ((1u << t->fraction) - 1)) | (uint32_t)(field != 0) << t->fraction;
  const double v = ldexp(m, (field != 0 ? field : 1) - bias - (int)t->fraction);
  return (bits >> (t->bits - 1) & 1) != 0 ? -v : v;
}

static void number(const char *name, int type, double v, uint32_t want) {
  char said[40], why[WHY] = "";
  uint32_t got;
  (void)snprintf(said, sizeof said, "%.17g", v);
  CHECK(wl_explain_value(type, said, &got, why, sizeof why) && got == want,
        "%s: %s is %x, expected %x %s", name, said, got, want, why);
}

static void numbers(const char *name, int type, const umma_type_t *t, uint32_t last) {
  const uint32_t sign = 1u << (t->bits - 1);
  char said[40], why[WHY];
  uint32_t got;
  for (uint32_t bits = 0; bits <= last; bits++) {
    number(name, type, value(t, bits), bits);
    number(name, type, -value(t, bits), bits | sign);
    if (bits < last) number(name, type, (value(t, bits) + value(t, bits + 1)) / 2, bits + bits % 2);
  }
  (void)snprintf(said, sizeof said, "%.17g", 2 * value(t, last));
  if (strcmp(name, "e5m2") != 0)
    CHECK(!wl_explain_value(type, said, &got, why, sizeof why), "%s: %s is %x", name, said, got);
}

int main(void) {
  static const char *const f16[] = {"f16", "bf16"}, *const tf32[] = {"tf32"};
  static const char *const small[] = {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"};
  static const uint32_t last[] = {0x7e, 0x7b, 0x1f, 0x1f, 7};
  wl_explain_t form;
  floats("f16", f16, &umma_kinds[UMMA_F16], 16);
  floats("tf32", tf32, &umma_kinds[UMMA_TF32], 8);
  floats("f8f6f4", small, &umma_kinds[UMMA_F8F6F4], 32);
  integers();
  one_scale(small);
  groups("mxf4", NULL, 2);
  groups("mxf4nvf4", NULL, 2);
  groups("mxf4nvf4", "ue8m0", 4);
  groups("mxf4nvf4", "ue4m3", 4);
  for (unsigned i = 0; i < 5; i++)
    if (find("f8f6f4", small[i], NULL, NULL, NULL, 0, &form))
      numbers(small[i], form.of_a, &umma_kinds[UMMA_F8F6F4].type[i], last[i]);
  printf("%u elements of each of 9 forms, %d failures\n", ROUNDS, failures);
  free(text);
  return failures != 0;
}
