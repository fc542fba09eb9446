/* gen_frame.c: what stands around the statements: declarations, first values, what is left in
 * memory at the end, functions; and the program's shape. */
#include <stdlib.h>
#include <string.h>

#include "tests/common/splitmix.h"
#include "tests/random/gen.h"

enum { G_CELL_WORDS = G_CELLS / 4 };

static void declare(gen_t *g) {
  g_raw(g, "\t.reg .pred %%p<%u>, %%q<4>;\n\t.reg .b16 %%h<%u>;", (unsigned)G_P, (unsigned)G_H);
  g_raw(g, "\t.reg .b32 %%w<%u>, %%t<8>, %%m<%u>, %%c<%u>, %%l<%u>, %%rw;", (unsigned)G_W,
        (unsigned)G_MASKS, (unsigned)G_COUNTERS, (unsigned)G_COUNTERS);
  g_raw(g, "\t.reg .b32 %%n, %%nt, %%nn, %%wi, %%lane, %%sa, %%sc;\n\t.reg .f32 %%f<%u>, %%ft;",
        (unsigned)G_F);
  g_raw(g, "\t.reg .b64 %%x<%u>, %%u<8>, %%a, %%b, %%rx;", (unsigned)G_X);
  if (g->edition > RG_FIRST_EDITION) {
    g_raw(g, "\t.reg .b64 %%gp;\n\t.reg .b8 %%k<4>;");
  }
  if (g->edition >= RG_PRODUCT_EDITION) { /* fragments of wmma */
    g_raw(g, "\t.reg .b32 %%ma<8>, %%mb<8>, %%mc<8>, %%md<8>;");
  }
  if (g->edition >= RG_HALF_EDITION) {
    g_raw(g, "\t.reg .b128 %%y<2>;");
  }
  g_raw(g, "\t.reg .b64 %%out, %%own, %%in, %%cell, %%zcell, %%gs, %%gsc, %%gl, %%gc;");
  g_raw(g, "\t.local .align 16 .b8 loc[%u];", (unsigned)G_LOCAL);
}

/* Thread numbers and generic addresses; %own, %in, %sa are there. */
static void numbers(gen_t *g) {
  g_raw(g, "\tmov.u32 %%t0, %%tid.x;\n\tmov.u32 %%t1, %%tid.y;\n\tmov.u32 %%t2, %%tid.z;");
  g_raw(g, "\tmov.u32 %%t3, %%ntid.x;\n\tmov.u32 %%t4, %%ntid.y;\n\tmov.u32 %%t5, %%ntid.z;");
  g_raw(g, "\tmad.lo.u32 %%nt, %%t2, %%t4, %%t1;\n\tmad.lo.u32 %%nt, %%nt, %%t3, %%t0;");
  g_raw(g, "\tmul.lo.u32 %%nn, %%t3, %%t4;\n\tmul.lo.u32 %%nn, %%nn, %%t5;");
  g_raw(g, "\tshr.u32 %%wi, %%nt, 5;\n\tmov.u32 %%lane, %%laneid;");
  g_raw(g, "\tmov.u32 %%t0, %%ctaid.x;\n\tmov.u32 %%t1, %%ctaid.y;\n\tmov.u32 %%t2, %%nctaid.x;");
  g_raw(g, "\tmad.lo.u32 %%t0, %%t1, %%t2, %%t0;\n\tmad.lo.u32 %%n, %%t0, %%nn, %%nt;");
}

static void addresses(gen_t *g) {
  g_raw(g, "\tmov.u32 %%sc, scells;\n\tcvt.u64.u32 %%a, %%sa;\n\tcvta.shared.u64 %%gs, %%a;");
  g_raw(g, "\tmov.u64 %%a, scells;\n\tcvta.shared.u64 %%gsc, %%a;");
  g_raw(g, "\tmov.u64 %%a, loc;\n\tcvta.local.u64 %%gl, %%a;");
  g_raw(g, "\tmov.u64 %%a, ctab;\n\tcvta.const.u64 %%gc, %%a;");
}

/* %a: where 16 words may be read. */
static void first_local(gen_t *g) {
  for (unsigned i = 0; i < G_LOCAL; i += 8) {
    g_raw(g, "\tld.global.b64 %%b, [%%a+%u];\n\tst.local.b64 [loc+%u], %%b;", i, i);
  }
}

static void first_values(gen_t *g) {
  unsigned at = 0;
  for (unsigned i = 0; i < G_W; i++, at += 4) {
    g_raw(g, "\tld.global.b32 %%w%u, [%%a+%u];", i, at);
  }
  for (unsigned i = 0; i < G_X; i++, at += 8) {
    g_raw(g, "\tld.global.b64 %%x%u, [%%a+%u];", i, at);
  }
  for (unsigned i = 0; i < G_F; i++, at += 4) {
    g_raw(g, "\tld.global.f32 %%f%u, [%%a+%u];", i, at);
  }
  for (unsigned i = 0; i < G_H; i++, at += 2) {
    g_raw(g, "\tld.global.b16 %%h%u, [%%a+%u];", i, at);
  }
  for (unsigned i = 0; i < G_P; i++) {
    g_raw(g, "\tand.b32 %%t0, %%w%u, %u;\n\tsetp.ne.u32 %%p%u, %%t0, 0;", i, 1u << (i % 3), i);
  }
}

/* Own place in `in`, %a: 16-byte aligned and inside. */
static void own_input(gen_t *g) {
  g_raw(g, "\tmul.lo.u32 %%t0, %%n, %u;\n\tand.b32 %%t0, %%t0, %u;", 16 + 16 * g_below(g, 4),
        (unsigned)(G_IN / 2 - 16));
  g_raw(g, "\tcvt.u64.u32 %%a, %%t0;\n\tadd.u64 %%a, %%a, %%in;");
}

/* Copies or stores the words of `scells`, all threads in turn. */
static void shared_cells(gen_t *g, bool store) {
  unsigned top = g->next_label++, end = g->next_label++;
  g_raw(g, "\tmov.u32 %%t0, %%nt;");
  g_label(g, top);
  g_raw(g, "\tsetp.ge.u32 %%q0, %%t0, %u;\n\t@%%q0 bra L%u;", (unsigned)G_CELL_WORDS, end);
  g_raw(g, "\tshl.b32 %%t1, %%t0, 2;\n\tadd.u32 %%t2, %%t1, %%sc;\n\tcvt.u64.u32 %%a, %%t1;");
  if (store) {
    g_raw(g,
          "\tadd.u64 %%a, %%a, %%u6;\n\tld.shared.u32 %%t3, [%%t2];\n\tst.global.u32 [%%a], %%t3;");
  } else {
    g_raw(g, "\tmov.u64 %%b, sinit;\n\tadd.u64 %%a, %%a, %%b;\n\tld.global.u32 %%t3, [%%a];");
    g_raw(g, "\tst.shared.u32 [%%t2], %%t3;");
  }
  g_raw(g, "\tadd.u32 %%t0, %%t0, %%nn;\n\tbra L%u;", top);
  g_label(g, end);
  g_raw(g, "\tbar.sync 0;");
}

static void prologue(gen_t *g) {
  numbers(g);
  g_raw(g, "\tld.param.u64 %%in, [par_in];\n\tld.param.u64 %%out, [par_out];");
  g_raw(g, "\tld.param.u64 %%cell, [par_cells];\n\tld.param.u64 %%zcell, [par_zcells];");
  g_raw(g, "\tmul.wide.u32 %%a, %%n, %u;\n\tadd.u64 %%own, %%out, %%a;", (unsigned)G_SLOT);
  g_raw(g, "\tmov.u32 %%t0, sh;\n\tmad.lo.u32 %%sa, %%nt, %u, %%t0;", (unsigned)G_SHARED);
  addresses(g);
  if (g->edition > RG_FIRST_EDITION) {
    g_raw(g, "\tcvta.param.u64 %%gp, par_bytes;");
  }
  own_input(g);
  first_local(g);
  for (unsigned i = 0; i < G_SHARED; i += 8) {
    g_raw(g, "\tld.global.b64 %%b, [%%a+%u];\n\tst.shared.b64 [%%sa+%u], %%b;", i + 8, i);
  }
  first_values(g);
  /* %m0: the lanes of this warp that exist */
  g_raw(g, "\tshl.b32 %%t0, %%wi, 5;\n\tsub.u32 %%t0, %%nn, %%t0;\n\tmin.u32 %%t0, %%t0, 32;");
  g_raw(g, "\tmov.b64 %%b, 1;\n\tshl.b64 %%b, %%b, %%t0;\n\tcvt.u32.u64 %%m0, %%b;\n"
           "\tsub.u32 %%m0, %%m0, 1;");
  shared_cells(g, false);
}

static void leave_registers(gen_t *g) {
  unsigned at = G_OWN;
  for (unsigned i = 0; i < G_X; i++, at += 8) {
    g_raw(g, "\tst.global.b64 [%%own+%u], %%x%u;", at, i);
  }
  for (unsigned i = 0; i < G_W; i++, at += 4) {
    g_raw(g, "\tst.global.b32 [%%own+%u], %%w%u;", at, i);
  }
  for (unsigned i = 0; i < G_F; i++, at += 4) {
    g_raw(g, "\tst.global.f32 [%%own+%u], %%f%u;", at, i);
  }
  for (unsigned i = 0; i < G_H; i++, at += 2) {
    g_raw(g, "\tst.global.b16 [%%own+%u], %%h%u;", at, i);
  }
  g_raw(g, "\tmov.u32 %%t0, 0;");
  for (unsigned i = 0; i < G_P; i++) {
    g_raw(g, "\tselp.u32 %%t1, %u, 0, %%p%u;\n\tadd.u32 %%t0, %%t0, %%t1;", 1u << i, i);
  }
  g_raw(g, "\tst.global.b32 [%%own+%u], %%t0;", at);
  at += 4;
  for (unsigned i = 0; i < G_LOCAL; i += 8, at += 8) {
    g_raw(g, "\tld.local.b64 %%b, [loc+%u];\n\tst.global.b64 [%%own+%u], %%b;", i,
          (at + 7) / 8 * 8);
  }
  for (unsigned i = 0; i < G_SHARED; i += 8, at += 8) {
    g_raw(g, "\tld.shared.b64 %%b, [%%sa+%u];\n\tst.global.b64 [%%own+%u], %%b;", i,
          (at + 7) / 8 * 8);
  }
}

/* ---- functions ---- */
static const char k_signature[] =
    "(.param .b32 %sa0, .param .b64 %sa1, .param .f32 %sa2, .param .b64 %sa3, .param .b64 %sa4, "
    ".param .b64 %sa5, .param .b64 %sa6, .param .b32 %sa7, .param .b32 %sa8)";

/* f0, f1: lanes need not come together; f2: the mask names who comes; f3: all threads of the CTA.
 */
void g_function(gen_t *g) {
  unsigned id = g->functions;
  gen_t outer = *g;
  g->function = (int)id;
  g->sc = (g_scope_t){id == 3, id >= 2, 0, false};
  g->next_mask = 1;
  g->next_counter = 0;
  g->budget = 4 + g_below(g, 10);
  g->since_barrier = 0;
  char list[400];
  (void)snprintf(list, sizeof list, k_signature, "", "", "", "", "", "", "", "", "");
  g_raw(g, ".func (.param .b64 r1) f%u%s\n{", id, list);
  declare(g);
  g_raw(g, "\tld.param.b64 %%own, [a3];\n\tld.param.b64 %%in, [a4];\n\tld.param.b64 %%cell, [a5];");
  g_raw(g, "\tld.param.b64 %%zcell, [a6];\n\tld.param.b32 %%sa, [a7];\n\tld.param.b32 %%m0, [a8];");
  numbers(g);
  addresses(g);
  g_raw(g, "\tmul.wide.u32 %%a, %%n, %u;\n\tsub.u64 %%out, %%own, %%a;", (unsigned)G_SLOT);
  own_input(g);
  first_local(g);
  first_values(g);
  g_raw(g, "\tld.param.b32 %%w0, [a0];\n\tld.param.b64 %%x0, [a1];\n\tld.param.f32 %%f0, [a2];");
  while (g->budget != 0) {
    g_statement(g);
  }
  if (id < 2 && g_chance(g, 50)) {
    g_raw(g, "\tst.param.b64 [r1], %%x1;");
    (void)snprintf(g->guard, sizeof g->guard, "@%%p0 ");
    g_op(g, RC_NONE, RC_REG, "ret");
    g->guard[0] = 0;
  }
  g_raw(g, "\tst.param.b64 [r1], %s;", g_reg(g, 'x'));
  g_op(g, RC_NONE, RC_REG, "ret");
  g_raw(g, "}");
  outer.random = g->random;
  outer.failed = g->failed;
  outer.text_cap = g->text_cap;
  outer.sites_cap = g->sites_cap;
  outer.next_label = g->next_label;
  *g = outer;
  g->functions++;
}

/* again(n, a): calls itself n times; keeps a value of each level in its frame. */
void g_recursion(gen_t *g) {
  g_raw(g, ".func (.param .b32 r) again(.param .b32 n, .param .b32 a)\n{");
  g_raw(g, "\t.reg .pred %%p;\n\t.reg .b32 %%n, %%a, %%r;\n\t.local .b32 keep;");
  g_raw(g, "\tld.param.b32 %%n, [n];\n\tld.param.b32 %%a, [a];\n\tst.local.b32 [keep], %%a;");
  g_raw(g, "\tsetp.eq.u32 %%p, %%n, 0;\n\tmov.b32 %%r, %%a;\n\t@%%p bra L%u;", g->next_label);
  g_raw(g,
        "\tmad.lo.u32 %%a, %%a, 3, %%n;\n\tsub.u32 %%n, %%n, 1;\n\tcall (%%r), again, (%%n, %%a);");
  g_raw(g, "\tld.local.b32 %%a, [keep];\n\txor.b32 %%r, %%r, %%a;");
  g_label(g, g->next_label++);
  g_raw(g, "\tst.param.b32 [r], %%r;\n\tret;\n}");
  g->recursive = true;
}

/* ---- module ---- */
static void words(gen_t *g, const char *head, unsigned n, bool cells) {
  g_raw(g, "%s = {", head);
  for (unsigned i = 0; i < n; i += 8) {
    char line[200];
    int at = snprintf(line, sizeof line, "\t");
    for (unsigned k = i; k < i + 8 && k < n; k++) {
      bool zero = cells && g_cell_row_zero(k / 2 % G_CELL_ROWS);
      at += snprintf(line + at, sizeof line - (size_t)at, "0x%x%s",
                     zero ? 0u : (unsigned)wl_splitmix64(&g->random), k + 1 < n ? ", " : "");
    }
    g_raw(g, "%s", line);
  }
  g_raw(g, "};");
}

static void module(gen_t *g) {
  if (g->edition >= RG_HALF_EDITION) {
    g->target = g_chance(g, 50) ? 'a' : 'b';
    g_raw(g, ".version 9.2\n.target %s\n.address_size 64",
          g->target == 'a' ? "sm_100a" : "sm_120a");
  } else {
    g_raw(g, ".version 9.0\n.target sm_90\n.address_size 64");
  }
  words(g, ".const .align 16 .b32 ctab[64]", G_CONST / 4, false);
  words(g, ".global .align 16 .b32 table[64]", G_TABLE / 4, false);
  words(g, ".global .align 16 .b32 sinit[192]", G_CELL_WORDS, true);
  g_raw(g, ".shared .align 16 .b8 sh[%u];\n.shared .align 16 .b8 scells[%u];",
        (unsigned)G_SHARED * g->threads, (unsigned)G_CELLS);
}

void g_kernel(gen_t *g) {
  char list[400];
  g_raw(g, ".visible .entry main(.param .u64 par_in, .param .u64 par_out, .param .u64 par_cells,");
  g_raw(g, "\t.param .u64 par_zcells, .param .align 16 .b8 par_bytes[%u])\n{", (unsigned)G_PARAM);
  declare(g);
  if (g->indirect) {
    (void)snprintf(list, sizeof list, k_signature, "_", "_", "_", "_", "_", "_", "_", "_", "_");
    for (char *at = list; *at != 0; at++) { /* "_a3" -> "_" */
      if (at[0] == '_' && at[1] == 'a') {
        memmove(at + 1, at + 3, strlen(at + 3) + 1);
      }
    }
    g_raw(g, "\tproto: .callprototype (.param .b64 _) _ %s;", list);
  }
  prologue(g);
  g->sc = (g_scope_t){true, true, 0, false};
  g->budget = 8 + g_below(g, g_chance(g, 20) ? 120 : 45);
  unsigned tail = g_chance(g, 30) ? 3 + g_below(g, 12) : 0;
  while (g->budget != 0) {
    g_statement(g);
  }
  g_raw(g, "\tbar.sync 0;\n\tsub.u32 %%t0, %%n, %%nt;\n\tdiv.u32 %%t0, %%t0, %%nn;");
  g_raw(g, "\tmul.wide.u32 %%u6, %%t0, %u;\n\tadd.u64 %%u6, %%u6, %%out;", (unsigned)G_CELLS);
  g_raw(g,
        "\tmov.u32 %%t1, %%nctaid.x;\n\tmov.u32 %%t2, %%nctaid.y;\n\tmul.lo.u32 %%t1, %%t1, %%t2;");
  g_raw(g,
        "\tmul.lo.u32 %%t1, %%t1, %%nn;\n\tmul.wide.u32 %%b, %%t1, %u;\n"
        "\tadd.u64 %%u6, %%u6, %%b;",
        (unsigned)G_SLOT);
  shared_cells(g, true);
  g->tail = true;
  g->sc = (g_scope_t){false, false, 0, false};
  g->budget = tail;
  while (g->budget != 0) {
    g_statement(g);
  }
  g_raw(g, "DUMP:");
  leave_registers(g);
  g_raw(g, "\t%s;\n}", g_chance(g, 50) ? "ret" : "exit");
}

static void shape(gen_t *g, uint64_t seed, uint64_t index) {
  static const uint32_t limits[] = {0, 0, 24, 48, 32, 96};
  rp_launch_t *l = &g->out->launch;
  uint32_t big = g_chance(g, 30) ? 2 : 1; /* mostly small: what differs in many differs in few */
  uint32_t any = 1 + g_below(g, 64 * big), two = 33 + g_below(g, 31); /* two: of two warps */
  uint32_t sizes[] = {32, 32, 64, 64 * big, 32 + 32 * big, any, two};
  uint32_t n = sizes[g_below(g, 7)];
  g->threads = n;
  l->block[0] = l->block[1] = l->block[2] = 1;
  for (uint32_t d = 2; d != 0; d--) { /* some factor of what is left to y and z */
    uint32_t f = 1 + g_below(g, 4);
    l->block[d] = g_chance(g, 40) && n % f == 0 ? f : 1;
    n /= l->block[d];
  }
  l->block[0] = n;
  l->grid[0] = 1 + g_below(g, g_chance(g, 40) ? 3 : 1);
  l->grid[1] = 1 + g_below(g, g_chance(g, 25) ? 2 : 1);
  l->grid[2] = 1;
  l->data = seed * UINT64_C(0x9e3779b97f4a7c15) + index;
  l->keep = UINT64_MAX;
  l->regs = limits[g_below(g, 6)];
  uint32_t ctas = l->grid[0] * l->grid[1];
  l->arg[0] = (rp_arg_t){true, true, G_IN};
  l->arg[1] = (rp_arg_t){true, true, ctas * (G_SLOT * g->threads + G_CELLS)};
  l->arg[2] = (rp_arg_t){true, true, G_CELLS};
  l->arg[3] = (rp_arg_t){true, false, G_CELLS};
  l->arg[4] = (rp_arg_t){false, true, G_PARAM};
  l->nargs = 5;
}

void rg_universe(rc_table_t *t) {
  g_arith_rows(t);
  g_control_rows(t);
  g_memory_rows(t);
  g_vector_rows(t);
  g_warp_rows(t);
  g_format_rows(t);
  g_product_rows(t);
  g_half_rows(t);
  g_wide_rows(t);
  g_atom128_rows(t);
}

bool rg_generate(unsigned edition, uint64_t seed, uint64_t index, const rc_table_t *table,
                 rg_program_t *out) {
  memset(out, 0, sizeof *out);
  gen_t g = {.random = seed * UINT64_C(0xd1342543de82ef95) + index * UINT64_C(0x2545f4914f6cdd1d),
             .edition = edition,
             .out = out,
             .table = table,
             .function = -1,
             .next_mask = 1};
  char head[1024];
  out->lines = 1;
  g.forms = g_arith_count();
  (void)wl_splitmix64(&g.random);
  shape(&g, seed, index);
  g.exch = g_below(&g, 1000);
  g.limit = 1 + g_below(&g, 20);
  g.cas = 1 + g_below(&g, 1000);
  g.atom128 = edition >= RG_ATOM128_EDITION && g_chance(&g, 25);
  (void)rp_format(&out->launch, head, sizeof head);
  head[strlen(head) - 1] = 0;
  g_raw(&g, "// random program %llu of seed %llu\n%s", (unsigned long long)index,
        (unsigned long long)seed, head);
  module(&g);
  if (edition > RG_FIRST_EDITION && g_chance(&g, 50)) {
    g_vector_function(&g);
  }
  if (g_chance(&g, 60)) {
    while (g.functions < G_FUNCTIONS) {
      g_function(&g);
    }
    g.indirect = g_chance(&g, 60);
    if (g_chance(&g, 30)) {
      g_recursion(&g);
    }
  }
  g_kernel(&g);
  out->lines++;
  if (g.failed) {
    rg_free(out);
  }
  return !g.failed;
}

void rg_free(rg_program_t *p) {
  free(p->text);
  free(p->sites);
  memset(p, 0, sizeof *p);
}
