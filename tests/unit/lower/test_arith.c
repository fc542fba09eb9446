/* test_arith.c: every expansion of isa/lower against the host: PTX is assembled and run on the
 * functional backend over corner values and random ones, results compared bit by bit.
 * Does not test scheduling or memory.
 *   test_arith [--part N] [TEXT]    MANY / N operands; cases with TEXT in their names */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "tests/common/splitmix.h"
#include "tests/unit/lower/arith_cases.h"

enum { CTA = 256, FEW = 1 << 15, MANY = 1 << 20 };

static const char *const frame =
    ".version 9.2\n.target sm_120f\n.address_size 64\n"
    ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd)\n{\n"
    ".reg .pred %%p;\n.reg .b16 %%ha, %%hb, %%hc, %%hd;\n.reg .b32 %%ra, %%rb, %%rc, %%rd, %%i, "
    "%%j, %%k;\n"
    ".reg .b64 %%da, %%db, %%dc, %%dd, %%x, %%y, %%z, %%w, %%o;\n"
    "mov.u32 %%i, %%ctaid.x;\nmov.u32 %%j, %%ntid.x;\nmov.u32 %%k, %%tid.x;\nmad.lo.u32 %%i, %%i, "
    "%%j, %%k;\n"
    "mul.wide.u32 %%o, %%i, 8;\nld.param.u64 %%x, [pa];\nld.param.u64 %%y, [pb];\nld.param.u64 "
    "%%z, [pc];\n"
    "ld.param.u64 %%w, [pd];\nadd.u64 %%x, %%x, %%o;\nadd.u64 %%y, %%y, %%o;\nadd.u64 %%z, %%z, "
    "%%o;\n"
    "add.u64 %%w, %%w, %%o;\nld.global.u64 %%da, [%%x];\nld.global.u64 %%db, [%%y];\nld.global.u64 "
    "%%dc, [%%z];\n"
    "cvt.u32.u64 %%ra, %%da;\ncvt.u32.u64 %%rb, %%db;\ncvt.u32.u64 %%rc, %%dc;\n"
    "cvt.u16.u64 %%ha, %%da;\ncvt.u16.u64 %%hb, %%db;\ncvt.u16.u64 %%hc, %%dc;\n"
    "%s\n%s\nst.global.u64 [%%w], %%dd;\nret;\n}\n";

static const uint64_t int_corners[] = {0,
                                       1,
                                       2,
                                       3,
                                       7,
                                       10,
                                       31,
                                       32,
                                       33,
                                       63,
                                       64,
                                       255,
                                       256,
                                       0x7f,
                                       0x80,
                                       0x7fff,
                                       0x8000,
                                       0xffff,
                                       0x10000,
                                       0x7fffffff,
                                       0x80000000,
                                       0xffffffff,
                                       0x100000000,
                                       0x7fffffffffffffff,
                                       0x8000000000000000,
                                       0xffffffffffffffff,
                                       0xfffffffffffffffe,
                                       0x8000000000000001,
                                       0xffffffff80000000,
                                       0xffffffff00000000,
                                       0x4000000000000000,
                                       0x3fffffffffffffff,
                                       0xfffffffe,
                                       0x40000000,
                                       0x80000001,
                                       0xffff8000ffff8000,
                                       0x7fffffff7fffffff};
static const uint64_t float_corners[] = {
    0,          0x80000000, 1,          0x80000001, 2,          3,          0x007fffff, 0x807fffff,
    0x00400000, 0x00800000, 0x80800000, 0x00800001, 0x00ffffff, 0x3f800000, 0xbf800000, 0x3f800001,
    0x3f7fffff, 0x40000000, 0x40400000, 0x3fffffff, 0x7f7fffff, 0xff7fffff, 0x7f000000, 0x7e800000,
    0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x33800000, 0x4b000000, 0x4b7fffff,
    0x42fe0000, 0x43000000, 0xc3000000, 0x3f000000, 0x5f000000, 0x20000000, 0xbf800001, 0x7e800001,
    0xfe800001, 0x7e7fffff, 0x7effffff};

static uint64_t random_int(uint64_t *s) {
  const uint64_t x = wl_splitmix64(s), r = wl_splitmix64(s);
  const unsigned n = (unsigned)(r & 63);
  uint64_t v = (r >> 8 & 3) == 0 ? x : x >> n;
  if ((r >> 10 & 3) == 0) v = 0 - v;
  if ((r >> 12 & 7) == 0) v = (UINT64_C(1) << n) + (x & 3) - 2;
  return v;
}

static uint64_t random_float(uint64_t *s) {
  const uint64_t x = wl_splitmix64(s);
  uint32_t b = (uint32_t)x;
  switch (x >> 60 & 3) {
  case 0:
    b = (b & 0x807fffffu) | (100 + (uint32_t)(x >> 40 & 63)) << 23;
    break; /* near one */
  case 1:
    b &= 0x81ffffffu;
    break; /* tiny */
  case 2:
    if ((x >> 50 & 3) == 0) b &= 0xfff80000u;
    break; /* short */
  default:
    break;
  }
  return b;
}

/* A numerator whose quotient by b is 2^-126 or a few units of the last place beside it, if both
 * are normal: the limit of .ftz. */
static uint64_t beside_limit(uint64_t b, uint64_t r) {
  const uint32_t magnitude = (uint32_t)b & 0x7fffffffu;
  return (r & 0x80000000u) |
         ((magnitude - (126u << 23) + (uint32_t)(r >> 32 & 7) - 5) & 0x7fffffffu);
}

static void fill(const arith_case_t *c, uint64_t *v[3], size_t n) {
  uint64_t seed = 12345;
  const bool fl = c->data == DATA_FLOAT;
  const uint64_t *corner = fl ? float_corners : int_corners;
  const size_t nc = fl ? sizeof float_corners / 8 : sizeof int_corners / 8;
  for (size_t i = 0; i < n; i++) {
    const bool grid = i < nc * nc;
    v[0][i] = grid ? corner[i / nc] : fl ? random_float(&seed) : random_int(&seed);
    v[1][i] = grid ? corner[i % nc] : fl ? random_float(&seed) : random_int(&seed);
    v[2][i] = fl ? random_float(&seed) : random_int(&seed);
    if (fl && !grid && i % 16 == 15) v[0][i] = beside_limit(v[1][i], wl_splitmix64(&seed));
    if (c->data == DATA_SHIFT && !grid &&
        i % 4 != 0) { /* amounts up to a bit more than the width */
      v[1][i] = wl_splitmix64(&seed) % 70;
      v[2][i] = wl_splitmix64(&seed) % 70;
      v[2][i] |= (wl_splitmix64(&seed) % 70) << 8;
      if (i % 8 < 4) v[2][i] &= 127;
    }
    if (c->data == DATA_SHIFT && strncmp(c->name, "bfi.b", 5) == 0) v[2][i] &= 0xffff;
  }
}

static bool is_nan(uint64_t x) { return (x & 0x7fffffff) > 0x7f800000; }

static int compare(const arith_case_t *c, uint64_t *v[3], const uint64_t *got, size_t n) {
  const uint64_t mask = c->bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << c->bits) - 1;
  size_t bad = 0;
  for (size_t i = 0; i < n; i++) {
    const uint64_t want = c->host(v[0][i], v[1][i], v[2][i]) & mask, is = got[i] & mask;
    if (want == is || (c->data == DATA_FLOAT && is_nan(want) && is_nan(is))) continue;
    if (bad++ < 5)
      printf("FAILED %s(%#llx, %#llx, %#llx): got %#llx, expected %#llx\n", c->name,
             (unsigned long long)v[0][i], (unsigned long long)v[1][i], (unsigned long long)v[2][i],
             (unsigned long long)is, (unsigned long long)want);
  }
  if (bad > 5) printf("FAILED %s: %zu of %zu\n", c->name, bad, n);
  return bad != 0;
}

static bool run(wl_device_t *dev, const char *text, uint64_t *v[3], uint64_t *out, size_t n) {
  wl_module_t *m = NULL;
  wl_function_t *f = NULL;
  wl_addr_t at[4] = {0};
  bool ok = wl_module_load(dev, "arith.ptx", text, strlen(text), NULL, &m) == WL_OK &&
            wl_module_function(m, "k", &f) == WL_OK;
  for (int i = 0; ok && i < 4; i++)
    ok = wl_alloc(dev, n * 8, &at[i]) == WL_OK;
  for (int i = 0; ok && i < 3; i++)
    ok = wl_write(dev, at[i], v[i], n * 8) == WL_OK;
  const wl_arg_t args[4] = {WL_ARG(at[0]), WL_ARG(at[1]), WL_ARG(at[2]), WL_ARG(at[3])};
  const wl_launch_t launch = {.grid = {(uint32_t)(n / CTA), 1, 1}, .block = {CTA, 1, 1}};
  ok = ok && wl_launch(f, &launch, args, 4, NULL) == WL_OK &&
       wl_read(dev, out, at[3], n * 8) == WL_OK;
  if (!ok) printf("FAILED: %s\n%s\n", wl_error(dev), m != NULL ? wl_module_log(m) : "");
  for (int i = 0; i < 4; i++)
    if (at[i] != 0) wl_free(dev, at[i]);
  wl_module_unload(m);
  return ok;
}

static size_t part = 1;

static int run_case(const arith_case_t *c) {
  const size_t n = c->many ? MANY / part : FEW;
  uint64_t *v[3], *out = malloc(n * 8);
  char text[4096];
  int bad = 1;
  for (int i = 0; i < 3; i++)
    v[i] = malloc(n * 8);
  wl_device_t *dev = NULL;
  const wl_device_options_t opt = {.mem_bytes = UINT64_C(1) << 27};
  const char *finish = c->bits == 64   ? ""
                       : c->bits == 32 ? "cvt.u64.u32 %dd, %rd;"
                                       : "cvt.u64.u16 %dd, %hd;";
  (void)snprintf(text, sizeof text, frame, c->body, finish);
  if (out != NULL && v[0] != NULL && v[1] != NULL && v[2] != NULL &&
      wl_device_open(&opt, &dev) == WL_OK) {
    fill(c, v, n);
    if (run(dev, text, v, out, n))
      bad = compare(c, v, out, n);
    else
      printf("FAILED %s\n", c->name);
  }
  wl_device_close(dev);
  for (int i = 0; i < 3; i++)
    free(v[i]);
  free(out);
  return bad;
}

static int run_all(const arith_case_t *c, size_t n, const char *only, size_t *count) {
  int bad = 0;
  for (size_t i = 0; i < n; i++) {
    if (only != NULL && strstr(c[i].name, only) == NULL) continue;
    bad += run_case(&c[i]);
    ++*count;
  }
  return bad;
}

int main(int argc, char **argv) {
  size_t count = 0;
  if (argc > 2 && strcmp(argv[1], "--part") == 0) {
    part = strtoul(argv[2], NULL, 10);
    argc -= 2, argv += 2;
  }
  const char *only = argc > 1 ? argv[1] : NULL;
  if (part == 0 || MANY / part % CTA != 0) {
    fprintf(stderr, "usage: test_arith [--part N] [TEXT]\n");
    return 2;
  }
  int bad = run_all(arith_int_cases, arith_int_count, only, &count);
  bad += run_all(arith_carry_cases, arith_carry_count, only, &count);
  bad += run_all(arith_float_cases, arith_float_count, only, &count);
  printf("%zu operations, %d failed\n", count, bad);
  return bad != 0;
}
