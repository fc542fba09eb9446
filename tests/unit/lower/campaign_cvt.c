/* Conversions of f32 whose result takes several machine instructions or is an integer: each of the 2^32
 * operands on the functional runner. The witness is what the type means, in doubles of the host.
 *   wl_campaign_cvt KIND [FROM TO]   operands FROM << 24 up to TO << 24 (default 0 256)
 * A kind of integers has the four roundings. A kernel gives one sum for 4,096 operands, so a wrong one is
 * found by its sum, and named by its first operand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"

enum { BLOCK = 256, GRID = 16, THREADS = BLOCK * GRID, EACH = (1 << 24) / THREADS };

static float float_of(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

/* ---- witness */
/* The power of two not above (up: not below) the magnitude, 2^-127 at least, 2^127 at most. */
static uint32_t power(float x, bool up) {
  int exponent; /* size = fraction * 2^exponent, 1/2 <= fraction < 1 */
  const double size = fabs((double)x), fraction = frexp(size, &exponent);
  if (isnan(x)) return 0xff;
  if (isinf(x)) return 127 + 127;
  if (!up || fraction == 0.5) exponent--;
  if (size == 0 || exponent < -127) exponent = -127;
  return (uint32_t)((exponent > 127 ? 127 : exponent) + 127);
}

static uint32_t fixed(float x) {
  const double v = (double)x * 64;
  return isnan(x) || v > 127 ? 127 : (uint32_t)(int)(v < -127 ? -127 : nearbyint(v)) & 0xff;
}

static uint64_t integer(float x, unsigned round, unsigned bits, bool is_signed) {
  const double v = (double)x, top = ldexp(1, (int)bits - (is_signed ? 1 : 0));
  if (isnan(x)) return bits == 64 ? UINT64_C(1) << 63 : 0;
  const double whole = round == 0   ? nearbyint(v)
                       : round == 1 ? trunc(v)
                       : round == 2 ? floor(v)
                                    : ceil(v);
  if (whole >= top) return is_signed ? (UINT64_C(1) << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
  if (!is_signed) return whole <= 0 ? 0 : (uint64_t)whole;
  return whole <= -top ? (uint64_t)-(INT64_C(1) << (bits - 2)) * 2 : (uint64_t)(int64_t)whole;
}

/* ---- kinds */
typedef struct kind {
  const char *name, *text; /* f0 to r8; %% of an integer is the rounding */
  unsigned bits;
  bool is_signed;
} kind_t;

#define PAIR(op) "cvt." op ".f32 h0, f0, f0; cvt.u32.u16 r8, h0;\n"
static const kind_t kinds[] = {
    {"ue8m0_rz", PAIR("rz.satfinite.ue8m0x2"), 0, false},
    {"ue8m0_rp", PAIR("rp.satfinite.ue8m0x2"), 0, false},
    {"s2f6", PAIR("rn.satfinite.s2f6x2"), 0, false},
    {"s8", NULL, 8, true},
    {"u8", NULL, 8, false},
    {"s16", NULL, 16, true},
    {"u16", NULL, 16, false},
    {"s32", NULL, 32, true},
    {"u32", NULL, 32, false},
    {"s64", NULL, 64, true},
    {"u64", NULL, 64, false},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static uint32_t expected(const kind_t *k, uint32_t a) {
  const float x = float_of(a);
  uint32_t v = 0;
  if (k->bits == 0) {
    v = k->name[0] == 's' ? fixed(x) : power(x, strcmp(k->name, "ue8m0_rp") == 0);
    return v << 8 | v;
  }
  for (unsigned round = 0; round < 4; round++) {
    const uint64_t d = integer(x, round, k->bits, k->is_signed);
    v = v * 31 + (uint32_t)d;
    if (k->bits == 64) v = v * 31 + (uint32_t)(d >> 32);
  }
  return v;
}

/* ---- the kernel: thread t has operands base + 4096 t on */
static void write_text(const kind_t *k, char *text, size_t size) {
  static const char *const rounds[] = {"rni", "rzi", "rmi", "rpi"};
  char body[1024] = "mov.u32 r8, 0;\n";
  size_t n = strlen(body);
  if (k->bits == 0) (void)snprintf(body, sizeof body, "%s", k->text);
  for (unsigned i = 0; i < 4 && k->bits != 0; i++)
    n += (size_t)snprintf(
        body + n, sizeof body - n,
        k->bits == 64 ? "cvt.%s.%s.f32 d2, f0; mov.b64 {r9, r10}, d2;\nmad.lo.u32 r8, r8, 31, r9; "
                        "mad.lo.u32 r8, r8, 31, r10;\n"
                      : "cvt.%s.%s.f32 r9, f0; mad.lo.u32 r8, r8, 31, r9;\n",
        rounds[i], k->name);
  (void)snprintf(
      text, size,
      ".version 9.2\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u32 base)\n{\n"
      ".reg .b32 r<12>; .reg .b64 d<4>; .reg .pred p; .reg .b16 h0; .reg .f32 f0;\n"
      "ld.param.u64 d0, [out]; ld.param.u32 r1, [base];\n"
      "mov.u32 r2, %%tid.x; mov.u32 r3, %%ctaid.x; mad.lo.u32 r4, r3, %d, r2;\n"
      "mad.lo.u32 r5, r4, %d, r1; mov.u32 r6, 0; mov.u32 r7, 0;\n"
      "again: mov.b32 f0, r5;\n%s"
      "xor.b32 r8, r8, r5; mad.lo.u32 r6, r8, r8, r6; shf.l.wrap.b32 r6, r6, r6, 1;\n"
      "add.u32 r5, r5, 1; add.u32 r7, r7, 1; setp.lt.u32 p, r7, %d;\n@p bra again;\n"
      "mul.wide.u32 d1, r4, 4; add.u64 d1, d0, d1; st.global.u32 [d1], r6;\nret;\n}\n",
      BLOCK, EACH, body, EACH);
}

static uint32_t sum_of(const kind_t *k, uint32_t a) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < EACH; i++, a++) {
    const uint32_t v = expected(k, a) ^ a;
    sum += v * v;
    sum = sum << 1 | sum >> 31;
  }
  return sum;
}

/* The wrong sums of 2^24 operands; below 0: it could not run. */
static int run_part(wl_device_t *device, wl_function_t *function, wl_addr_t out, const kind_t *k,
                    uint32_t part) {
  static uint32_t sum[THREADS];
  const wl_launch_t launch = {.grid = {GRID, 1, 1}, .block = {BLOCK, 1, 1}};
  const uint32_t base = part << 24;
  const wl_arg_t args[] = {WL_ARG(out), WL_ARG(base)};
  int wrong = 0;
  if (wl_launch(function, &launch, args, 2, NULL) != WL_OK ||
      wl_read(device, sum, out, sizeof sum) != WL_OK)
    return -1;
  for (uint32_t t = 0; t < THREADS; t++)
    if (sum[t] != sum_of(k, base + t * EACH) && wrong++ == 0)
      printf("%s: wrong among the %d operands from %08x on\n", k->name, EACH, base + t * EACH);
  return wrong;
}

static const kind_t *find(const char *name) {
  for (unsigned i = 0; i < KINDS; i++)
    if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
  return NULL;
}

int main(int argc, char **argv) {
  const kind_t *k = argc == 2 || argc == 4 ? find(argv[1]) : NULL;
  const uint32_t from = argc == 4 ? (uint32_t)strtoul(argv[2], NULL, 0) : 0,
                 to = argc == 4 ? (uint32_t)strtoul(argv[3], NULL, 0) : 256;
  static char text[4096];
  wl_device_t *device = NULL;
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t out = 0;
  long wrong = 0;
  if (k == NULL || to > 256 || from >= to) return 2;
  write_text(k, text, sizeof text);
  wl_status_t s = wl_device_open(NULL, &device);
  s = s == WL_OK ? wl_module_load(device, k->name, text, strlen(text), NULL, &module) : s;
  s = s == WL_OK ? wl_module_function(module, "k", &function) : s;
  s = s == WL_OK ? wl_alloc(device, THREADS * sizeof(uint32_t), &out) : s;
  for (uint32_t part = from; part < to && s == WL_OK; part++) {
    const int n = run_part(device, function, out, k, part);
    if (n < 0) s = WL_ERR_TRAP;
    wrong += n;
  }
  if (s != WL_OK) printf("%s: %s\n", k->name, device != NULL ? wl_error(device) : "no device");
  wl_device_close(device);
  if (s == WL_OK)
    printf("%s: %llu operands, %ld wrong sums\n", k->name, (unsigned long long)(to - from) << 24,
           wrong);
  return s != WL_OK || wrong != 0;
}
