/* ex2, lg2, tanh of the machine against the host's functions of double: within the bounds of PTX
 * [9.7.3.20 to 22] for every 257th pattern, with --all for each of the 2^32. Prints the worst errors. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmodel/sem/sem.h"

typedef struct function {
  const char *name;
  uint32_t (*machine)(uint32_t);
  double (*host)(double);
  double bound;
  double (*error)(double x, double got, double want); /* in units of the bound's kind */
  const char *kind;
} function_t;

static double value(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return (double)f;
}

static double in_ulps(double x, double got, double want) {
  (void)x;
  int e;
  (void)frexp(want, &e);
  return fabs(got - want) / ldexp(1, e - 24);
}

/* Absolute between 0.5 and 2, else relative. */
static double of_lg2(double x, double got, double want) {
  return x > 0.5 && x < 2 ? fabs(got - want) : fabs(got - want) / fabs(want);
}

static double relative(double x, double got, double want) {
  (void)x;
  return want == 0 ? fabs(got) : fabs(got - want) / fabs(want);
}

static const function_t functions[] = {
    {"ex2", wl_f32_ex2, exp2, 2, in_ulps, "units in the last place"},
    {"lg2", wl_f32_lg2, log2, 0x1p-22, of_lg2, "absolute from 0.5 to 2, else relative"},
    {"tanh", wl_f32_tanh, tanh, 0x1p-11, relative, "relative"},
};

/* What is exact: infinities, NaN, zeros, results that flush or overflow. */
static bool special(const function_t *f, uint32_t a, double want, uint32_t got) {
  const bool lg2 = f->machine == wl_f32_lg2;
  if (lg2 && (a & 0x7fffffff) < 0x00800000) want = -(double)INFINITY;
  if (isnan(want)) return got == 0x7fffffff;
  if (isinf(want) || want > 0x1.fffffffp127) return got == (want > 0 ? 0x7f800000 : 0xff800000);
  if (!lg2 && f->machine == wl_f32_ex2 && want < 0x1p-126) return got == 0;
  return value(got) == want;
}

static bool is_special(const function_t *f, uint32_t a, double want) {
  const bool flushed = f->machine == wl_f32_lg2 && (a & 0x7fffffff) < 0x00800000;
  return flushed || !isfinite(want) || want == 0 || want > 0x1.fffffffp127 ||
         (f->machine == wl_f32_ex2 && want < 0x1p-126);
}

static int check(const function_t *f, uint32_t step) {
  double worst = 0;
  uint32_t worst_at = 0;
  unsigned long bad = 0, count = 0;
  for (uint64_t i = 0; i <= UINT32_MAX; i += step, count++) {
    const uint32_t a = (uint32_t)i, got = f->machine(a);
    const double x = value(a), want = f->host(x);
    bool right;
    if (is_special(f, a, want)) {
      right = special(f, a, want, got);
    } else {
      const double e = f->error(x, value(got), want);
      right = e <= f->bound;
      if (!(e <= worst)) {
        worst = e;
        worst_at = a;
      }
    }
    if (!right && bad++ < 10)
      printf("%s(%08x) is %08x (%a), right is %a\n", f->name, a, got, value(got), want);
  }
  printf("%s: %lu operands, %lu beyond the bound; worst %.4g of %.4g (%s) at %08x\n", f->name,
         count, bad, worst, f->bound, f->kind, worst_at);
  return bad != 0;
}

/* Powers of two and 1 are exact. */
static int exact(void) {
  int bad = 0;
  for (int n = -126; n <= 127; n++) {
    const float x = (float)n, power = ldexpf(1, n);
    uint32_t a, p;
    memcpy(&a, &x, sizeof a);
    memcpy(&p, &power, sizeof p);
    bad += wl_f32_ex2(a) != p || wl_f32_lg2(p) != a;
  }
  if (bad != 0) printf("%d powers of two are not exact\n", bad);
  return bad != 0;
}

int main(int argc, char **argv) {
  const uint32_t step = argc > 1 && strcmp(argv[1], "--all") == 0 ? 1 : 257;
  int bad = exact();
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    bad |= check(&functions[i], step);
  return bad;
}
