/* test_special.c: ex2, lg2, tanh of PTX on the functional backend, against the host's functions of double:
 * within the bounds of PTX [9.7.3.20 to 22, 9.7.4.9, 9.7.4.10]. All operands of 16 bits; of f32 every
 * exponent with 128 fractions, subnormal operands and results too. Prints the worst errors. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"

enum { ITEMS = 1 << 16, CTA = 256 };

static const char *const frame =
    ".version 8.6\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .b32 %%r<4>, %%a, %%d;\n.reg .b16 %%ha, %%hd, %%hu;\n.reg .b64 %%i, %%o, %%t;\n"
    "mov.u32 %%r0, %%ctaid.x;\nmov.u32 %%r1, %%ntid.x;\nmov.u32 %%r2, %%tid.x;\n"
    "mad.lo.u32 %%r0, %%r0, %%r1, %%r2;\nld.param.u64 %%i, [in];\nld.param.u64 %%o, [out];\n"
    "mul.wide.u32 %%t, %%r0, 4;\nadd.u64 %%i, %%i, %%t;\nadd.u64 %%o, %%o, %%t;\n"
    "ld.global.b32 %%a, [%%i];\nmov.b32 {%%ha, %%hu}, %%a;\n%s\n"
    "st.global.b32 [%%o], %%d;\nret;\n}\n";

typedef enum type { F32, F16, BF16 } type_t;

typedef struct row {
  const char *text;
  double (*right)(double);
  type_t type;
  bool pair;       /* two halves */
  bool ftz;        /* subnormal operands and results are zeros */
  double relative; /* bound: of the result's magnitude */
  double absolute; /* or by itself */
  double ulps;     /* or in units of the last place */
} row_t;

/* lg2 near 1: absolute. ex2.f16: a subnormal result may be off by a unit, as it is cut; PTX gives a
 * relative bound only. */
static const row_t rows[] = {
    {"ex2.approx.f32 %d, %a;", exp2, F32, false, false, 0, 0, 2},
    {"ex2.approx.ftz.f32 %d, %a;", exp2, F32, false, true, 0, 0, 2},
    {"lg2.approx.f32 %d, %a;", log2, F32, false, false, 0x1p-22, 0x1p-22, 0},
    {"lg2.approx.ftz.f32 %d, %a;", log2, F32, false, true, 0x1p-22, 0x1p-22, 0},
    {"tanh.approx.f32 %d, %a;", tanh, F32, false, false, 0x1p-11, 0, 0},
    {"ex2.approx.f16 %hd, %ha; mov.b32 %d, {%hd, %hd};", exp2, F16, true, false, 0x1.125p-10,
     0x1p-24, 0},
    {"ex2.approx.f16x2 %d, %a;", exp2, F16, true, false, 0x1.125p-10, 0x1p-24, 0},
    {"ex2.approx.ftz.bf16x2 %d, %a;", exp2, BF16, true, true, 0x1p-7, 0, 0},
    {"tanh.approx.f16x2 %d, %a;", tanh, F16, true, false, 0, 0x1.025p-11, 0},
    {"tanh.approx.bf16x2 %d, %a;", tanh, BF16, true, false, 0, 0x1p-8, 0},
};

static double value(type_t type, uint32_t bits) {
  const unsigned fraction = type == F32 ? 23 : type == F16 ? 10 : 7;
  const unsigned width = type == F32 ? 31 : 15, top = (1u << (width - fraction)) - 1;
  const uint32_t part = bits & ((1u << fraction) - 1), exponent = bits >> fraction & top;
  const int bias = (int)(top / 2);
  double v = exponent == 0
                 ? ldexp((double)part, 1 - bias - (int)fraction)
                 : ldexp((double)(part | 1u << fraction), (int)exponent - bias - (int)fraction);
  if (exponent == top) v = part != 0 ? (double)NAN : (double)INFINITY;
  return bits >> width & 1 ? -v : v;
}

static double smallest(type_t type) { return type == F16 ? 0x1p-14 : 0x1p-126; }

static double largest(type_t type) {
  return type == F16 ? 65536 : 0x1p128; /* where infinity begins */
}

/* Whether the result is right; *error is by how much of the bound it is off. */
static bool right(const row_t *r, uint32_t a, uint32_t got, double *error) {
  double x = value(r->type, a), y = value(r->type, got), bound, want;
  int exponent;
  *error = 0;
  if (r->ftz && fabs(x) < smallest(r->type)) x = copysign(0, x);
  want = r->right(x);
  if (isnan(want)) return (got & 0x7fffffff) == (r->type == F32 ? 0x7fffffff : 0x7fff);
  if (isinf(want) || want >= largest(r->type)) return y == (want > 0 ? INFINITY : -INFINITY);
  if (r->ftz && r->right == exp2 && want < smallest(r->type)) return got == 0;
  (void)frexp(want, &exponent);
  if (exponent < -125) exponent = -125;
  bound = fmax(fmax(fabs(want) * r->relative, r->absolute), r->ulps * ldexp(1, exponent - 24));
  if (r->right == log2 && (x <= 0.5 || x >= 2)) bound = fabs(want) * r->relative;
  if (r->type == BF16) bound += 0x1p-134; /* a result below the smallest number */
  if (y != want) *error = fabs(y - want) / bound;
  return *error <= 1;
}

static uint32_t operand(const row_t *r, uint32_t i) {
  if (r->pair) return i * 40503 << 16 | i;
  return i >> 7 << 23 | (((i & 127) * 66049 + (i >> 7) * 977) & 0x7fffff);
}

static bool run(wl_device_t *device, const row_t *r, uint32_t *in, uint32_t *out) {
  static char text[2048];
  (void)snprintf(text, sizeof text, frame, r->text);
  wl_module_t *m = NULL;
  wl_function_t *f = NULL;
  wl_addr_t from = 0, to = 0;
  for (uint32_t i = 0; i < ITEMS; i++)
    in[i] = operand(r, i);
  bool ok =
      wl_module_load(device, "special.ptx", text, strlen(text), NULL, &m) == WL_OK &&
      wl_module_function(m, "k", &f) == WL_OK && wl_alloc(device, ITEMS * 4, &from) == WL_OK &&
      wl_alloc(device, ITEMS * 4, &to) == WL_OK && wl_write(device, from, in, ITEMS * 4) == WL_OK;
  const wl_arg_t args[2] = {WL_ARG(from), WL_ARG(to)};
  const wl_launch_t launch = {.grid = {ITEMS / CTA, 1, 1}, .block = {CTA, 1, 1}};
  ok = ok && wl_launch(f, &launch, args, 2, NULL) == WL_OK &&
       wl_read(device, out, to, ITEMS * 4) == WL_OK;
  if (!ok) printf("%s\n%s\n", wl_error(device), m != NULL ? wl_module_log(m) : "");
  if (from != 0) wl_free(device, from);
  if (to != 0) wl_free(device, to);
  wl_module_unload(m);
  return ok;
}

int main(void) {
  uint32_t *in = calloc(ITEMS, 4), *out = calloc(ITEMS, 4);
  const wl_device_options_t options = {.mem_bytes = UINT64_C(1) << 24};
  wl_device_t *device = NULL;
  unsigned failed = 0;
  if (in == NULL || out == NULL || wl_device_open(&options, &device) != WL_OK) return 1;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const row_t *r = &rows[k];
    unsigned bad = 0;
    double worst = 0, error;
    const bool ok = run(device, r, in, out);
    for (uint32_t i = 0; ok && i < ITEMS * (r->pair ? 2 : 1); i++) {
      const uint32_t n = i % ITEMS, shift = i < ITEMS ? 0 : 16;
      const bool single =
          strstr(r->text, "16x2") == NULL; /* the upper half is the lower one's result */
      const uint32_t mask = r->pair ? 0xffff : UINT32_MAX;
      const uint32_t a = in[n] >> (single ? 0 : shift) & mask, got = out[n] >> shift & mask;
      if (!right(r, a, got, &error) && bad++ < 3)
        printf("%s of %08" PRIx32 ": %08" PRIx32 "\n", r->text, a, got);
      worst = fmax(worst, error);
    }
    printf("%s %u beyond the bound, worst %.3f of it\n", r->text, bad, worst);
    failed += !ok || bad != 0;
  }
  wl_device_close(device);
  free(in);
  free(out);
  printf("%u failed\n", failed);
  return failed != 0;
}
