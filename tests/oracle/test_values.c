/* test_values: programs for what the corpus, the forms and the random programs do not reach of the
 * lowering: elements by a register index, parameters that are used as memory, arguments beyond the
 * registers, aliases, addresses in initialisers, shapes of loops. A backend of libwarplock against
 * the oracle, 32 threads.
 *   test_values [--backend B] [--config C] [--print ROW] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/splitmix.h"
#include "tests/oracle/pair.h"

enum { LANES = 32, SLOT = 128, CAP = 1 << 16 };

typedef struct row {
  bool wide;                        /* the parameter `block` is one of 128 bits */
  const char *name, *before, *body; /* body: %t thread, %o its 128 bytes of output, %in input */
} row_t;

#define ST(k, r)   "st.global.b32 [%o+" #k "], " r ";"
#define ST64(k, r) "st.global.b64 [%o+" #k "], " r ";"
/* f(a): both halves of a, exchanged, and their sum in the result's upper half. */
#define HALVES(name)                                                                               \
  ".func (.param .b32 r) " name "(.param .b32 a) { .reg .b16 %h<4>; ld.param.b16 %h0, [a];"        \
  "ld.param.b16 %h1, [a+2]; add.u16 %h2, %h0, %h1; st.param.b16 [r], %h1;"                         \
  "st.param.b16 [r+2], %h2; ret; }\n"
#define PARTS(name)                                                                                \
  ".func (.param .b64 r) " name "(.param .b64 a, .param .b64 b) { .reg .b32 %w<4>;"                \
  "ld.param.v2.b32 {%w0, %w1}, [a]; ld.param.b32 %w2, [b+4]; add.u32 %w0, %w0, %w2;"               \
  "st.param.v2.b32 [r], {%w1, %w0}; ret; }\n"

/* PTX reads better in its own lines. */
/* clang-format off */
static const row_t k_rows[] = {
    {false, "elements of .global by index",
     ".global .align 16 .b32 g[40] = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, "
     "112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, "
     "130, 131, 132, 133, 134, 135, 136, 137, 138, 139};\n"
     ".global .align 8 .b16 gh[36] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, "
     "18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36};\n"
     ".global .b8 gb[36] = {201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, "
     "215, 216, 217, 218, 219, 220, 221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231, 232};\n"
     ".global .align 8 .b64 gx[4] = {0x123456789abcdef0, 2, 3, 4};\n"
     ".global .align 8 .v2 .b32 gv[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};\n",
     "ld.global.b32 %r1, g[%t];" ST(0, "%r1") "ld.global.b32 %r1, g[%t+5];" ST(4, "%r1")
     "ld.global.u16 %r1, gh[%t+3];" ST(8, "%r1") "ld.global.u8 %r1, gb[%t];" ST(12, "%r1")
     "and.b32 %r2, %t, 3; ld.global.b64 %x, gx[%r2];" ST64(16, "%x")
     "shl.b32 %r1, %r2, 1; ld.global.v2.b32 {%r1, %r2}, gv[%r1];" ST(24, "%r1") ST(28, "%r2")
     "cvt.u64.u32 %y, %t; ld.global.b32 %r1, g[%y];" ST(32, "%r1") "ld.b32 %r1, g[%t+2];"
     ST(36, "%r1") "ld.global.b32 %r1, g[3];" ST(40, "%r1") "mov.b32 %r2, %t; ld.global.b32 %r2, g[%r2];"
     ST(44, "%r2")
     "and.b32 %r2, %t, 14; ld.global.v2.b32 {%r3, %r2}, g[%r2+2];" ST(48, "%r3") ST(52, "%r2")},
    {false, "elements of .shared, .local, .const and parameters by index",
     ".const .align 16 .b32 c[8] = {11, 12, 13, 14, 15, 16, 17, 18};\n"
     ".shared .align 16 .b32 s[64];\n.shared .align 8 .b64 sx[32];\n",
     ".local .align 16 .b32 lo[8]; .local .b16 lh[8]; and.b32 %r2, %t, 3;"
     "st.shared.b32 s[%t], %t; bar.warp.sync -1; xor.b32 %r3, %t, 1; ld.shared.b32 %r1, s[%r3];"
     ST(0, "%r1") "mul.wide.u32 %x, %t, 77777; st.shared.b64 sx[%t], %x; bar.warp.sync -1;"
     "ld.shared.b64 %y, sx[%r3];" ST64(8, "%y") "st.local.b32 lo[%r2+1], %t; "
     "st.local.b32 lo[%r2+2], %r3; " "ld.local.b32 %r1, lo[%r2+1];" ST(16, "%r1")
     "ld.local.b32 %r1, lo[%r2+2];" ST(20, "%r1") "mov.b16 %h, 77; " "st.local.b16 lh[%r2], "
     "%h;" "ld.local.u16 %r1, " "lh[%r2];" ST(24, "%r1") "ld.const.b32 %r1, c[%r2+4];"
     ST(28, "%r1") "ld.const.b32 %r1, c[%r2];" ST(32, "%r1") "ld.param." "b8 %r1, " "block[%t]"
     ";" ST(36, "%r1") "ld.b32 %r1, " "lo[%r2+1]" ";" ST(40, "%r1") "ld.b32 %r1, s[%t];"
     ST(44, "%r1") "ld.b32 %r1, [lo+4];" "ld.b32 %r1, [s+8];" ST(48, "%r1")},
    {false, "parameters and results used as memory",
     HALVES("halves") PARTS("parts"),
     "mul.lo.u32 %r1, %t, 0x12345; { .param .b32 q; .param .b32 v; st.param.b32 [q], %r1;"
     "call (v), halves, (q); ld.param.b32 %r2, [v]; }" ST(0, "%r2")
     "{ .param .b32 q; .param .b32 v; cvt.u16.u32 %h, %t; st.param.b16 [q], %h;"
     "st.param.b16 [q+2], 9; call (v), halves, (q); ld.param.u16 %r2, [v+2]; "
     "ld.param.u16 %r3, [v]; }" ST(4, "%r2") ST(8, "%r3") "call (%r2), halves, (%r1);"
     ST(12, "%r2") "mul.wide.u32 %x, %r1, 0x7654321; { .param .b64 q, q2, v; "
     "st.param.v2.b32 [q], {%r1, %t};"
     "st.param.b64 [q2], %x; call (v), parts, (q, q2); ld.param.v2.b32 " "{%r2, %r3}, [v]; }"
     ST(16, "%r2") ST(20, "%r3") "call (%y), parts, (%x, %x);" ST64(24, "%y")
     "{ .param .b64 q, v; st.param.b64 [q], %x; call (v), "
     "parts, (q, q); ld.param.b64 %y, [v]; }" ST64(32, "%y")},
    {false, "register parameters beyond the argument registers",
     ".func (.reg .b32 r) many(.reg .b32 a, .reg .b64 b, .reg .b32 c, .reg .b64 d, .reg .b32 e,"
     ".reg .b64 f, .reg .b32 g, .reg .b64 h, .reg .b32 i, .reg .b64 j, .reg .b32 k) { .reg .b64 %s;"
     "mad.wide.u32 %s, a, 3, b; mad.wide.u32 %s, c, 5, %s; mad.lo.u64 %s, d, 7, %s;"
     "mad.wide.u32 %s, e, 11, %s; mad.lo.u64 %s, f, 13, %s; mad.wide.u32 %s, g, 17, %s;"
     "mad.lo.u64 %s, h, 19, %s; mad.wide.u32 %s, i, 23, %s; mad.lo.u64 %s, j, 29, %s;"
     "mad.wide.u32 %s, k, 31, %s; cvt.u32.u64 r, %s; ret; }\n",
     "mul.lo.u32 %r1, %t, 0x777; mul.wide.u32 %x, %r1, 0x123; not.b32 %r2, %t; not.b64 %y, %x;"
     "call (%r3), many, (%r1, %x, %r2, %y, %t, %x, %r2, %y, %r1, %x, %r2);" ST(0, "%r3")
     "call (%r1), many, (%r2, %y, %r1, %x, 5, %y, %t, %x, %t, %y, %r1);" ST(4, "%r1")},
    {false, "an alias of a function, and a trap that is not reached",
     ".visible .func (.param .b32 r) three(.param .b32 a) { .reg .b32 %a; ld.param.b32 %a, [a];"
     "mul.lo.u32 %a, %a, 3; st.param.b32 [r], %a; ret; }\n"
     ".visible .func (.param .b32 r) also(.param .b32 a);\n.alias also, three;\n",
     "call (%r1), also, (%t);" ST(0, "%r1") "setp.gt.u32 %p, %t, 99; @%p trap; mov.b64 %x, also;"
     "F: .callprototype (.param .b32 _) _ (.param .b32 _); call (%r2), %x, (%r1), F;" ST(4, "%r2")},
    {true, "a parameter of 128 bits",
     "",
     "ld.param.v2.b64 {%x, %y}, [block];" ST64(0, "%x") ST64(8, "%y")
     "ld.param.b32 %r1, [block+12];" ST(16, "%r1")},
    {false, "a kernel beside others that are refused",
     ".extern .func (.param .b32 r) outside(.param .b32 a);\n"
     ".func (.param .b32 r) bad(.param .b32 a) { .reg .f32 %f; ld.param.f32 %f, [a];"
     "sin.approx.f32 %f, %f; st.param.f32 [r], %f; ret; }\n"
     ".func (.param .b32 r) good(.param .b32 a) { .reg .b32 %w; ld.param.b32 %w, [a];"
     "mad.lo.u32 %w, %w, 9, 4; st.param.b32 [r], %w; ret; }\n"
     ".global .u64 both[2] = {good, good};\n.global .u64 link = both;\n"
     ".visible .entry first(.param .u64 a) { .reg .b32 %w; .reg .b64 %y; mov.b32 %w, 1;"
     "call (%w), outside, (%w); call (%w), bad, (%w); ret; }\n"
     ".visible .entry second(.param .u64 a) { .reg .b32 %w; .reg .b64 %y; mov.b32 %w, 1;"
     "ld.global.u64 %y, [link]; ld.u64 %y, [%y]; P: .callprototype (.param .b32 _) _ (.param .b32 _);"
     "call (%w), %y, (%w), P; ret; }\n"
     ".visible .entry third(.param .u64 a) { .reg .b32 %w; .reg .b64 %y; mov.b32 %w, 1;"
     "mov.u64 %y, bad; T: .calltargets bad, good; call (%w), %y, (%w), T; ret; }\n",
     "call (%r1), good, (%t);" ST(0, "%r1")},
    {false, "the low word of a function's address",
     ".func nothing(.reg .b32 a) { ret; }\n",
     "mov.u32 %r1, nothing; mov.u64 %x, nothing; cvt.u32.u64 %r2, %x; sub.u32 %r1, %r1, %r2;"
     "add.u32 %r1, %r1, 3; call nothing, (%r1);" ST(0, "%r1")},
    {false, "addresses of constants in initialisers",
     ".const .align 64 .b32 pad[16];\n.const .align 4 .b32 c[4] = {21, 22, 23, 24};\n"
     ".global .align 8 .u64 whole[2] = {c, c+8};\n"
     ".global .align 4 .u8 bytes[4] = {0xff(c), 0xff00(c), 0xff0000(c), 0xff000000(c)};\n"
     ".const .align 8 .u64 inner = c+4;\n",
     "and.b32 %r2, %t, 1; ld.global.b64 %x, whole[%r2]; ld.const.b32 %r1, [%x];" ST(0, "%r1")
     "ld.const.b64 %x, [inner]; ld.const.b32 %r1, [%x];" ST(4, "%r1") "ld.global.b32 "
     "%r3, [bytes]; " "mov.b64 %x, c; " "cvt.u32.u64 %r1, " "%x; sub.u32 %r1, " "%r1, %r3;"
     ST(8, "%r1")},
    {false, "loops whose exits lie among their blocks",
     "",
     "mov.b32 %r1, %t; mov.b32 %r2, 0; mov.b32 %r3, 0;\n"
     "TOP: add.u32 %r2, %r2, 1; setp.gt.u32 %p, %r2, 20; @!%p bra BODY;\n"
     "add.u32 %r1, %r1, 1000; bra AFTER;\n"
     "EARLY: add.u32 %r1, %r1, 500; bra AFTER;\n"
     "BODY: mad.lo.u32 %r1, %r1, 5, %r2; and.b32 %r3, %r1, 7; setp.eq.u32 %p, %r3, 3;"
     "@%p bra EARLY; and.b32 %r3, %r1, 15; setp.eq.u32 %p, %r3, 4; @%p bra ODD; bra TOP;\n"
     "ODD: xor.b32 %r1, %r1, 0x55; setp.lt.u32 %p, %r2, 9; @%p bra TOP; add.u32 %r1, %r1, 7;\n"
     "AFTER:" ST(0, "%r1") ST(4, "%r2") /* two loops, one in the other, left from the inner one */
     "mov.b32 %r2, 0;\n"
     "OUTER: mov.b32 %r3, 0; add.u32 %r2, %r2, 1;\n"
     "INNER: add.u32 %r3, %r3, 1; mad.lo.u32 %r1, %r1, 3, %r3; and.b32 %r4, %r1, 63;"
     "setp.eq.u32 %p, %r4, 9; @%p bra LEFT; setp.lt.u32 %p, %r3, 4; @%p bra INNER;"
     "setp.lt.u32 %p, %r2, 5; @%p bra OUTER; bra DONE;\n"
     "LEFT: add.u32 %r1, %r1, 0x10000; and.b32 %r4, %r1, 64; setp.ne.u32 %p, %r4, 0; @%p bra DONE;"
     "setp.lt.u32 %p, %r2, 6; @%p bra OUTER;\n"
     "DONE:" ST(8, "%r1") ST(12, "%r2")},
};
/* clang-format on */
enum { ROWS = sizeof k_rows / sizeof k_rows[0] };

static size_t program(char *text, const row_t *row) {
  size_t n = (size_t)snprintf(
      text, CAP,
      ".version 9.0\n.target sm_90\n.address_size 64\n%s"
      ".visible .entry t(.param .u64 in, .param .u64 out, %s)\n{\n"
      ".reg .pred %%p; .reg .b16 %%h; .reg .b32 %%t, %%r<5>; .reg .b64 %%x, %%y, %%o, %%in;\n"
      "mov.u32 %%t, %%tid.x; ld.param.b64 %%o, [out]; ld.param.b64 %%in, [in];\n"
      "mad.wide.u32 %%o, %%t, %d, %%o;\n",
      row->before, row->wide ? ".param .b128 block" : ".param .align 16 .b8 block[64]", SLOT);
  for (unsigned i = 0; i < SLOT; i += 8) {
    n += (size_t)snprintf(text + n, CAP - n, "st.global.b64 [%%o+%u], 0;\n", i);
  }
  return n + (size_t)snprintf(text + n, CAP - n, "%s\nret;\n}\n", row->body);
}

static bool run(const wl_device_options_t *device, const row_t *row, char *text) {
  static uint32_t machine[LANES * SLOT / 4], oracle[LANES * SLOT / 4], in[64];
  uint8_t block[64];
  char why[1024] = "";
  uint64_t state = 20261127;
  for (size_t i = 0; i < sizeof block; i++) {
    block[i] = (uint8_t)wl_splitmix64(&state);
  }
  memset(oracle, 0, sizeof oracle);
  size_t size = program(text, row);
  wl_pair_t pair = {.device = *device,
                    .text = text,
                    .size = size,
                    .ctas = 1,
                    .block = LANES,
                    .in = in,
                    .in_bytes = sizeof in,
                    .out_bytes = sizeof machine,
                    .third = block,
                    .third_bytes = row->wide ? 16 : sizeof block};
  if (wl_pair_machine(&pair, machine, why, sizeof why) != WL_OK ||
      !wl_pair_oracle(&pair, oracle, why, sizeof why)) {
    printf("%s: %s\n", row->name, why);
    return false;
  }
  for (unsigned i = 0; i < LANES * SLOT / 4; i++) {
    if (machine[i] != oracle[i]) {
      printf("%s: byte %u of thread %u: machine %08" PRIx32 ", oracle %08" PRIx32 "\n", row->name,
             i % (SLOT / 4) * 4, i / (SLOT / 4), machine[i], oracle[i]);
      return false;
    }
  }
  return true;
}

int main(int argc, char **argv) {
  wl_device_options_t device = {.mem_bytes = 16 << 20};
  unsigned failed = 0, print = ROWS;
  for (int i = 1; i + 1 < argc; i += 2) {
    switch (argv[i][2]) {
    case 'b':
      device.backend = argv[i + 1];
      break;
    case 'c':
      device.config = argv[i + 1];
      break;
    default:
      print = (unsigned)strtoul(argv[i + 1], NULL, 0);
      break;
    }
  }
  char *text = malloc(CAP);
  for (unsigned i = 0; i < ROWS && text != NULL; i++) {
    failed += run(&device, &k_rows[i], text) ? 0 : 1;
    if (i == print) {
      printf("%s", text);
    }
  }
  printf("%d programs, %u failed\n", ROWS, failed);
  bool ok = text != NULL && failed == 0;
  free(text);
  return ok ? 0 : 1;
}
