/* frame.c: the kernel around what the warps do. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/products/gen.h"
#include "tests/random/program.h"

enum { PAD = 4096 /* bytes behind the data: CTAs begin further on */ };

static void put(pr_program_t *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(pr_program_t *o, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  const int n = vsnprintf(o->text + o->size, PR_TEXT - o->size, fmt, args);
  va_end(args);
  o->size += n > 0 && (size_t)n < PR_TEXT - o->size ? (size_t)n : 0;
}

static void data(pr_program_t *o, const pr_gen_t *g) {
  const uint32_t words = (g->data_used + PAD) / 4;
  put(o, ".global .align 128 .b32 data[%u] = {", words);
  for (uint32_t k = 0; 4 * k < g->data_used + 128 + 4; k++) {
    const uint8_t *b = g->data + 4 * k;
    put(o, "%s0x%x",
        k == 0        ? ""
        : k % 16 == 0 ? ",\n"
                      : ",",
        b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24);
  }
  put(o, "};\n");
}

static void prologue(pr_program_t *o, const pr_gen_t *g) {
  put(o,
      "\tmov.u32 %%t, %%tid.x;\n\tshr.u32 %%w, %%t, 5;\n\tand.b32 %%lane, %%t, 31;\n"
      "\tmov.u32 %%x, %%ctaid.x;\n\tmov.u64 %%data, data;\n\tmul.wide.u32 %%rd, %%x, %u;\n"
      "\tadd.u64 %%data, %%data, %%rd;\n\tld.param.u64 %%out, [out];\n"
      "\tmul.wide.u32 %%rd, %%x, %u;\n\tadd.u64 %%out, %%out, %%rd;\n"
      "\tmul.wide.u32 %%rd, %%lane, 4;\n\tadd.u64 %%out, %%out, %%rd;\n"
      "\tmov.u32 %%mem, mem;\n\tshr.u32 %%y, %%mem, 4;\n\tcvt.u64.u32 %%md, %%y;\n"
      "\tmov.u32 %%own, scratch;\n\tmad.lo.u32 %%own, %%t, 4, %%own;\n"
      "\tmad.lo.u32 %%t, %%x, 1024, %%t;\n\tsetp.eq.u32 %%yes, %%x, %%x;\n"
      "\tsetp.ne.u32 %%no, %%x, %%x;\n\tor.b32 %%y, %%w, %%lane;\n\tsetp.ne.u32 %%p, %%y, 0;\n"
      "\t@%%p bra INIT;\n",
      g->skew, 4 * PR_LANES * PR_EVENTS);
  for (unsigned b = 0; b < PR_BARS; b++) {
    put(o, "\tmbarrier.init.shared::cta.b64 [bars+%u], 1;\n", 8 * b);
  }
  put(o, "\tfence.proxy.async;\nINIT:\n");
  for (unsigned v = 1; v < g->warps; v++) {
    put(o, "\tsetp.eq.u32 %%p, %%w, %u;\n\t@%%p bra W%u;\n", v, v);
  }
}

void pr_frame(pr_gen_t *g) {
  pr_program_t *o = g->out;
  const rp_launch_t launch = {.grid = {g->ctas, 1, 1},
                              .block = {32 * g->warps, 1, 1},
                              .data = 1,
                              .regs = g->wide ? 128 : 64,
                              .nargs = 1,
                              .arg = {{true, false, 4 * PR_CTAS * PR_EVENTS * PR_LANES}}};
  o->size = (size_t)rp_format(&launch, o->text, PR_TEXT);
  put(o, ".version 9.0\n.target sm_100a\n.address_size 64\n");
  data(o, g);
  put(o,
      ".visible .entry products(.param .u64 out)\n{\n\t.shared .align 1024 .b8 mem[%u];\n"
      "\t.shared .align 128 .b32 scratch[128];\n\t.shared .align 8 .b64 bars[%u];\n"
      "\t.shared .align 4 .b32 slots[%u];\n\t.reg .pred %%p, %%yes, %%no, %%one;\n"
      "\t.reg .b64 %%rd, %%out, %%data, %%md, %%da<%u>, %%db<%u>;\n"
      "\t.reg .b32 %%t, %%w, %%lane, %%x, %%y, %%n, %%mem, %%own, %%at, %%acc, %%m<4>;\n"
      "\t.reg .b32 %%d<%u>, %%aa<%u>, %%sa<%u>, %%sb<%u>, %%i<%u>, %%k<%u>, "
      "%%ta<%u>, %%own<%u>, %%v<%u>, %%l<%u>;\n",
      g->shared_used + 128, PR_BARS, PR_ALLOCS, PR_BURST, PR_BURST, PR_BURST, PR_BURST, PR_BURST,
      PR_BURST, PR_BURST, 4 * PR_BURST, PR_ALLOCS, PR_ALLOCS, PR_VALUES, 4 * PR_VALUES);
  prologue(o, g);
  for (unsigned v = 0; v < g->warps; v++) {
    put(o, "W%u:\n\tsetp.eq.u32 %%one, %%lane, %u;\n", v, g->warp[v].lane);
    put(o, "%.*s\tbra END;\n", (int)g->warp[v].used, g->warp[v].text);
  }
  put(o, "END:\n\tret;\n}\n");
}
