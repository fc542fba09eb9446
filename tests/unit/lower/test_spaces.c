/* test_spaces.c: isspacep, cvta and cvta.to for every space, at the first and the last address of
 * each window and beside it, and in a module without .const. PTX 6.4.1.1, 9.7.9.19, 9.7.9.20: a
 * generic address is global unless it lies in the window of const, local or shared memory; the
 * window of kernel parameters lies in that of global. Expected values are written out here.
 *   test_spaces [BACKEND CONFIG] */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "driver/include/warplock.h"

enum { C = 1, G = 2, L = 4, S = 8, P = 16 }; /* bits of the answers */
#define HEAD ".version 9.0\n.target sm_90\n.address_size 64\n"
#define ASK(space, bit)                                                                            \
  "isspacep." space " %p, %a; selp.b32 %x, " bit ", 0, %p; or.b32 %r, %r, %x;\n"
/* Leaves the answers for address %a, and asks about both names of .shared and .param. */
#define ASK_ALL                                                                                    \
  "mov.b32 %r, 0;\n" ASK("const", "1") ASK("global", "2") ASK("local", "4") ASK("shared", "8")     \
      ASK("param", "16") ASK("shared::cta", "32") ASK("param::entry", "64")                        \
          ASK("shared::cluster", "128") "st.global.b32 [%o], %r; add.u64 %o, %o, 4;\n"
#define AT(code) code "\n" ASK_ALL
#define REGS     ".reg .pred %p; .reg .b32 %r, %x, %y; .reg .b64 %a, %b, %o;\nld.param.b64 %o, [out];\n"

/* clang-format off */
static const char with_const[] =
    HEAD ".const .align 64 .b32 first[15] = {11, 22, 33};\n.const .b32 last = 77;\n"
    ".global .align 16 .b32 g[4] = {44, 55};\n"
    ".visible .entry k(.param .u64 out, .param .align 8 .b8 block[24])\n{\n"
    ".shared .align 16 .b8 sh[256];\n.local .align 16 .b8 lo[64];\n"
    REGS AT("mov.b64 %a, first; cvta.const.u64 %a, %a;")
    AT("cvta.const.u64 %a, last; add.u64 %a, %a, 3;")
    AT("cvta.const.u64 %a, first; sub.u64 %a, %a, 1;")
    AT("cvta.const.u64 %a, first; add.u64 %a, %a, 64;")
    AT("mov.b64 %a, g; cvta.global.u64 %a, %a;")
    AT("ld.param.b64 %a, [out];")
    AT("cvta.shared.u64 %a, sh;")
    AT("mov.b64 %a, sh+255; cvta.shared::cta.u64 %a, %a;")
    AT("cvta.local.u64 %a, lo;")
    AT("cvta.param.u64 %a, out;")
    AT("cvta.param::entry.u64 %a, block; add.u64 %a, %a, 23;")
    AT("mov.b64 %a, 0x0000ffffffffffff;")
    AT("mov.b64 %a, 0x0001000000000000;")
    AT("mov.b64 %a, 0x00010000ffffffff;")
    AT("mov.b64 %a, 0x0001000100000000;")
    AT("mov.b64 %a, 0x0001ffffffffffff;")
    AT("mov.b64 %a, 0x0002000000000000;")
    AT("mov.b64 %a, 0x00020000ffffffff;")
    AT("mov.b64 %a, 0x0002000100000000;")
    AT("mov.b64 %a, 0;")
    AT("mov.b64 %a, -1;")
    "ret;\n}\n";
/* clang-format on */

/* Each space written or read by its own instructions and by generic ones, there and back. */
#define BACK(space, variable)                                                                      \
  "mov.b64 %a, " variable "; cvta." space ".u64 %b, %a; cvta.to." space ".u64 %b, %b;\n"           \
  "sub.u64 %b, %b, %a; cvt.u32.u64 %r, %b; st.global.b32 [%o], %r; add.u64 %o, %o, 4;\n"
#define READ(code) code " st.global.b32 [%o], %r; add.u64 %o, %o, 4;\n"
/* clang-format off */
static const char conversions[] =
    HEAD ".const .align 64 .b32 first[15] = {11, 22, 33};\n.const .b32 last = 77;\n"
    ".global .align 16 .b32 g[4] = {44, 55};\n.global .align 16 .v2 .b32 vec[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};\n"
    ".visible .entry k(.param .u64 out, .param .align 8 .b8 block[24])\n{\n"
    ".shared .align 16 .b8 sh[256];\n.local .align 16 .b8 lo[64];\n"
    REGS BACK("const", "last") BACK("global", "g+4") BACK("local", "lo+8") BACK("shared", "sh+12")
    BACK("shared::cta", "sh") BACK("shared::cluster", "sh+16") BACK("param", "block") BACK("param::entry", "out")
    READ("cvta.const.u64 %a, first; ld.b32 %r, [%a+8];")
    READ("mov.b64 %a, last; cvta.const.u64 %a, %a; ld.b32 %r, [%a];")
    READ("cvta.global.u64 %a, g; ld.b32 %r, [%a+4];")
    READ("st.local.b32 [lo+20], 66; cvta.local.u64 %a, lo; ld.b32 %r, [%a+20];")
    READ("cvta.local.u64 %a, lo; st.b32 [%a+24], 67; ld.local.b32 %r, [lo+24];")
    READ("st.shared.b32 [sh+20], 88; cvta.shared.u64 %a, sh; ld.b32 %r, [%a+20];")
    READ("cvta.shared.u64 %a, sh; st.b32 [%a+24], 89; ld.shared.b32 %r, [sh+24];")
    READ("cvta.param.u64 %a, block; ld.b32 %r, [%a+16];")
    READ("cvta.param.u64 %a, block; ld.global.b32 %r, [%a+4];") READ("ld.global.b32 %r, vec[2];")
    READ("mov.b32 %x, 3; ld.global.b32 %r, vec[%x];") READ("ld.global.b32 %r, vec[%x+2];")
    READ("ld.global.b32 %r, g[1];") READ("mov.b32 %x, 0; ld.global.b32 %r, g[%x+1];")
    READ("mov.b64 %a, vec[5]; ld.global.b32 %r, [%a];") "ret;\n}\n";
/* clang-format on */
static const uint32_t converted[] = {0,  0,  0,  0,          0,          0, 0, 0, 33, 77, 55, 66,
                                     67, 88, 89, 0x13121110, 0x07060504, 3, 4, 6, 55, 55, 6};

/* clang-format off */
static const char without_const[] =
    HEAD ".global .align 16 .b32 g[4];\n"
    ".visible .entry k(.param .u64 out, .param .align 8 .b8 block[24])\n{\n"
    REGS AT("mov.b64 %a, g; cvta.global.u64 %a, %a;")
    AT("cvta.param.u64 %a, block;")
    AT("mov.b64 %a, 0;")
    AT("cvta.const.u64 %a, 0;")
    "ret;\n}\n";
/* clang-format on */

enum { SH = S | 32 | 128, PA = G | P | 64 };
static const uint32_t spaces[] = {C, C,  G,  G, G, G, SH, SH, L, PA, PA,
                                  G, SH, SH, G, G, L, L,  G,  G, G};
static const uint32_t none[] = {G, PA, G, G};

static int run(const wl_device_options_t *options, const char *name, const char *text,
               const uint32_t *want, size_t count) {
  wl_device_t *device = NULL;
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t out = 0;
  uint32_t got[64] = {0};
  uint8_t block[24];
  for (unsigned i = 0; i < sizeof block; i++)
    block[i] = (uint8_t)i;
  wl_status_t s = wl_device_open(options, &device);
  s = s == WL_OK ? wl_module_load(device, "spaces.ptx", text, strlen(text), NULL, &module) : s;
  s = s == WL_OK ? wl_module_function(module, "k", &function) : s;
  s = s == WL_OK ? wl_alloc(device, sizeof got, &out) : s;
  wl_launch_t l = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
  wl_arg_t args[] = {WL_ARG(out), WL_ARG(block)};
  s = s == WL_OK ? wl_launch(function, &l, args, 2, NULL) : s;
  s = s == WL_OK ? wl_read(device, got, out, sizeof got) : s;
  int bad = s == WL_OK ? 0 : 1;
  if (s != WL_OK) printf("%s: %s\n", name, device != NULL ? wl_error(device) : "no device");
  for (size_t i = 0; i < count && s == WL_OK; i++) {
    if (got[i] == want[i]) continue;
    printf("%s: result %zu: got 0x%" PRIx32 ", want 0x%" PRIx32 "\n", name, i, got[i], want[i]);
    bad++;
  }
  wl_device_close(device);
  return bad;
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
int main(int argc, char **argv) {
  wl_device_options_t o = {.mem_bytes = 16 << 20};
  if (argc > 2) {
    o.backend = argv[1];
    o.config = argv[2];
  }
  int bad = run(&o, "isspacep", with_const, spaces, COUNT(spaces)) +
            run(&o, "cvta", conversions, converted, COUNT(converted)) +
            run(&o, "isspacep without .const", without_const, none, COUNT(none));
  printf("%d wrong\n", bad);
  return bad != 0;
}
