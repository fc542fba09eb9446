/* test_cuda_formats.c: cvt to and from 8, 6 and 4 bits and ue8m0 on the functional backend, against the
 * host code of CUDA's headers: all numbers of a format and of f16 and bf16, of f32 each exponent with
 * fractions beside all ties. Argument: part of the text of an instruction, to run only those. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "tests/common/splitmix.h"
#include "tests/unit/lower/cuda_formats.h"

enum { ITEMS = 1 << 16, CTA = 256, WORDS = 3 };

/* An item's words: of the upper number, of the lower one, the two scales. */
static const char *const frame =
    ".version 9.2\n.target sm_100a\n.address_size 64\n"
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .b32 %%r<8>, %%fa, %%fb, %%wd, %%wa;\n.reg .b16 %%ha, %%hb, %%hd, %%hs;\n"
    ".reg .b8 %%bd, %%ba, %%bu;\n.reg .b64 %%i, %%o, %%t;\n"
    "mov.u32 %%r0, %%ctaid.x;\nmov.u32 %%r1, %%ntid.x;\nmov.u32 %%r2, %%tid.x;\n"
    "mad.lo.u32 %%r0, %%r0, %%r1, %%r2;\nld.param.u64 %%i, [in];\nld.param.u64 %%o, [out];\n"
    "mul.wide.u32 %%t, %%r0, 12;\nadd.u64 %%i, %%i, %%t;\n"
    "mul.wide.u32 %%t, %%r0, 4;\nadd.u64 %%o, %%o, %%t;\n"
    "ld.global.b32 %%fa, [%%i];\nld.global.b32 %%fb, [%%i+4];\nld.global.b32 %%r3, [%%i+8];\n"
    "cvt.u16.u32 %%hs, %%r3;\ncvt.u16.u32 %%ha, %%fa;\ncvt.u16.u32 %%hb, %%fb;\n"
    "mov.b32 %%wa, {%%hb, %%ha};\n%s\nst.global.b32 [%%o], %%wd;\nret;\n}\n";

static const char *const formats[] = {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"};
static const char *const sources[] = {"f32", "f16x2", "bf16x2"};
static const unsigned bits_of[] = {8, 8, 6, 6, 4};

typedef enum kind { NARROW, WIDEN, SCALED, TO_UE8M0, FROM_UE8M0 } kind_t;

typedef struct conversion {
  kind_t kind;
  cuda_format_t format;
  cuda_source_t source;
  bool relu, up, satfinite;
  char text[320];
} conversion_t;

typedef struct test {
  wl_device_t *device;
  uint32_t *in, *got;
  unsigned conversions, failed;
  uint64_t results;
} test_t;

/* ---- operands */
/* Number i of 65,536 of f32: each sign and exponent, then 128 fractions: ties at 1, 2 and 3 bits and what
 * lies beside them, ends, random ones. */
static uint32_t stratified(uint32_t i, uint64_t *state) {
  static const int32_t near[] = {0, 1, -1, 0x8000};
  const uint32_t part = i & 127, place = (part & 31) << 18;
  const uint32_t fraction =
      part < 96 ? place + (uint32_t)near[part >> 5] : (uint32_t)wl_splitmix64(state);
  return i >> 7 << 23 | (fraction & 0x7fffff);
}

static void fill(const conversion_t *c, uint32_t *in) {
  uint64_t state = 41;
  uint32_t *number = calloc(ITEMS, sizeof *number);
  const bool f32 = (c->kind == NARROW || c->kind == TO_UE8M0) && c->source == CUDA_F32;
  for (uint32_t i = 0; number != NULL && i < ITEMS; i++)
    number[i] = f32 ? stratified(i, &state) : i;
  for (uint32_t i = 0; number != NULL && i < ITEMS; i++) {
    const uint32_t other = i * 40503 & 0xffff; /* an odd factor: each one once */
    uint32_t *at = in + (size_t)i * WORDS;
    const bool bytes = c->kind == WIDEN || c->kind == SCALED || c->kind == FROM_UE8M0;
    at[0] = bytes ? i >> 8 : number[i];
    at[1] = bytes ? i & 0xff : number[other];
    at[2] = 0;
    if (c->kind != SCALED) continue;
    at[1] = other & 0xff;
    at[2] = (i & 0xff) << 8 | other >> 8;
  }
  free(number);
}

/* ---- expected results */
static uint32_t ones(unsigned bits) { return (UINT32_C(1) << bits) - 1; }

/* A number with a sign becomes +0. None of CUDA's NaNs of 8 bits and less has one. */
static uint32_t relu(uint32_t x, unsigned bits) { return x >> (bits - 1) != 0 ? 0 : x; }

static uint32_t limited(uint32_t x) { /* .satfinite of bf16 */
  return (x & 0x7fff) == 0x7f80 ? x - 1 : x;
}

static uint32_t expected_one(const conversion_t *c, uint32_t x, uint32_t scale) {
  const unsigned bits = bits_of[c->format];
  uint32_t d = 0;
  switch (c->kind) {
  case NARROW:
    d = cuda_narrow(c->format, c->source, x);
    return c->relu ? relu(d, bits) : d;
  case WIDEN:
    d = cuda_widen(c->format, x & ones(bits));
    return c->relu ? relu(d, 16) : d;
  case SCALED:
    d = cuda_widen_scaled(c->format, x & ones(bits), scale);
    d = c->satfinite ? limited(d) : d;
    return c->relu ? relu(d, 16) : d;
  case TO_UE8M0:
    return cuda_to_ue8m0(c->source, x, c->up, c->satfinite);
  default:
    return cuda_from_ue8m0(x);
  }
}

static uint32_t expected(const conversion_t *c, const uint32_t *in) {
  const bool wide = c->kind != NARROW && c->kind != TO_UE8M0;
  const unsigned distance = wide ? 16 : c->kind == NARROW && c->format == CUDA_E2M1 ? 4 : 8;
  return expected_one(c, in[0], in[2] >> 8) << distance | expected_one(c, in[1], in[2] & 0xff);
}

/* ---- programs */
/* The bytes of the items in one register of 16 bits, %ha; of 4 bits in %ba. */
static const char *const join =
    "shl.b32 %fa, %fa, 8;\nor.b32 %fa, %fa, %fb;\ncvt.u16.u32 %ha, %fa;\n";
static const char *const join4 =
    "and.b32 %fa, %fa, 15;\nand.b32 %fb, %fb, 15;\nshl.b32 %fa, %fa, 4;\nor.b32 %fa, %fa, %fb;\n"
    "cvt.u16.u32 %ha, %fa;\nmov.b16 {%ba, %bu}, %ha;\n";

static void write_text(conversion_t *c) {
  const char *format = formats[c->format], *max = c->satfinite ? ".satfinite" : "";
  const char *low = c->relu ? ".relu" : "", *source = sources[c->source];
  const bool four = c->format == CUDA_E2M1 && c->kind <= SCALED;
  const char *from = c->source == CUDA_F32 ? "%fa, %fb" : "%wa";
  char *to = c->text;
  const size_t cap = sizeof c->text;
  switch (c->kind) {
  case NARROW:
    (void)snprintf(to, cap, "cvt.rn.satfinite%s.%sx2.%s %s, %s;\n%s", low, format, source,
                   four ? "%bd" : "%hd", from,
                   four ? "cvt.u32.u8 %wd, %bd;" : "cvt.u32.u16 %wd, %hd;");
    break;
  case WIDEN:
    (void)snprintf(to, cap, "%scvt.rn%s.f16x2.%sx2 %%wd, %s;", four ? join4 : join, low, format,
                   four ? "%ba" : "%ha");
    break;
  case SCALED:
    (void)snprintf(to, cap, "%scvt.rn%s%s.scaled::n2::ue8m0.bf16x2.%sx2 %%wd, %s, %%hs;",
                   four ? join4 : join, low, max, format, four ? "%ba" : "%ha");
    break;
  case TO_UE8M0:
    (void)snprintf(to, cap, "cvt.%s%s.ue8m0x2.%s %%hd, %s;\ncvt.u32.u16 %%wd, %%hd;",
                   c->up ? "rp" : "rz", max, source, from);
    break;
  default:
    (void)snprintf(to, cap, "%scvt.rn.bf16x2.ue8m0x2 %%wd, %%ha;", join);
  }
}

static bool run(test_t *t, const conversion_t *c) {
  char text[4096];
  wl_module_t *m = NULL;
  wl_function_t *f = NULL;
  wl_addr_t in = 0, out = 0;
  (void)snprintf(text, sizeof text, frame, c->text);
  bool ok = wl_module_load(t->device, "cvt.ptx", text, strlen(text), NULL, &m) == WL_OK &&
            wl_module_function(m, "k", &f) == WL_OK &&
            wl_alloc(t->device, ITEMS * WORDS * 4, &in) == WL_OK &&
            wl_alloc(t->device, ITEMS * 4, &out) == WL_OK &&
            wl_write(t->device, in, t->in, ITEMS * WORDS * 4) == WL_OK;
  const wl_arg_t args[2] = {WL_ARG(in), WL_ARG(out)};
  const wl_launch_t launch = {.grid = {ITEMS / CTA, 1, 1}, .block = {CTA, 1, 1}};
  ok = ok && wl_launch(f, &launch, args, 2, NULL) == WL_OK &&
       wl_read(t->device, t->got, out, ITEMS * 4) == WL_OK;
  if (!ok) printf("%s\n%s\n", wl_error(t->device), m != NULL ? wl_module_log(m) : "");
  if (in != 0) wl_free(t->device, in);
  if (out != 0) wl_free(t->device, out);
  wl_module_unload(m);
  return ok;
}

static void check(test_t *t, conversion_t c, const char *only) {
  unsigned bad = 0;
  write_text(&c);
  if (only != NULL && strstr(c.text, only) == NULL) return;
  fill(&c, t->in);
  bool ok = run(t, &c);
  for (uint32_t i = 0; ok && i < ITEMS; i++) {
    const uint32_t *in = t->in + (size_t)i * WORDS, want = expected(&c, in);
    if (t->got[i] == want || bad++ >= 3) continue;
    printf("%s\n  of %08" PRIx32 ", %08" PRIx32 ", scales %04" PRIx32 ": %" PRIx32
           ", the header gives %" PRIx32 "\n",
           c.text, in[0], in[1], in[2], t->got[i], want);
  }
  if (!ok || bad != 0) printf("FAILED %s: %u items\n", c.text, bad);
  t->failed += !ok || bad != 0;
  t->conversions++;
  t->results += ITEMS;
}

int main(int argc, char **argv) {
  const char *only = argc > 1 ? argv[1] : NULL;
  test_t t = {.in = calloc((size_t)ITEMS * WORDS, 4), .got = calloc(ITEMS, 4)};
  const wl_device_options_t options = {.mem_bytes = UINT64_C(1) << 24};
  if (t.in == NULL || t.got == NULL || wl_device_open(&options, &t.device) != WL_OK) return 1;
  for (unsigned k = 0; k < 2; k++) {
    for (unsigned f = 0; f < 5; f++) {
      const cuda_format_t format = (cuda_format_t)f;
      for (unsigned s = 0; s < 3; s++)
        check(&t, (conversion_t){NARROW, format, (cuda_source_t)s, .relu = k}, only);
      check(&t, (conversion_t){WIDEN, format, CUDA_F32, .relu = k}, only);
      for (unsigned m = 0; m < 2; m++)
        check(&t, (conversion_t){SCALED, format, CUDA_F32, .relu = k, .satfinite = m}, only);
    }
    for (unsigned m = 0; m < 4; m++)
      check(&t,
            (conversion_t){TO_UE8M0, CUDA_E4M3, k != 0 ? CUDA_BF16 : CUDA_F32, .up = m & 1,
                           .satfinite = m >> 1},
            only);
  }
  check(&t, (conversion_t){.kind = FROM_UE8M0}, only);
  wl_device_close(t.device);
  free(t.in);
  free(t.got);
  printf("%u conversions, %" PRIu64 " results, %u failed\n", t.conversions, t.results, t.failed);
  return t.failed != 0 || t.conversions == 0;
}
