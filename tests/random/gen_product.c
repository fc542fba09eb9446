/* gen_product.c: products of matrices, from edition 5 on: mma on data registers, and wmma from the input
 * to the own bytes of a warp's lanes. All lanes of the warp come here. The lists never change, as
 * forms_frozen.c: the seeds of an edition count their rows. */
#include <string.h>

#include "tests/random/gen.h"

typedef struct form {
  const char *text; /* behind mma.sync.aligned. */
  uint8_t d, a, b, c;
} form_t;

static const form_t k_forms[] = {{"m16n8k8.row.col.f32.f16.f16.f32", 4, 2, 1, 4},
                                 {"m16n8k8.row.col.f16.f16.f16.f16", 2, 2, 1, 2},
                                 {"m16n8k16.row.col.f32.f16.f16.f32", 4, 4, 2, 4},
                                 {"m16n8k16.row.col.f16.f16.f16.f16", 2, 4, 2, 2},
                                 {"m16n8k8.row.col.f32.bf16.bf16.f32", 4, 2, 1, 4},
                                 {"m16n8k16.row.col.f32.bf16.bf16.f32", 4, 4, 2, 4},
                                 {"m16n8k4.row.col.f32.tf32.tf32.f32", 4, 2, 1, 4},
                                 {"m16n8k8.row.col.f32.tf32.tf32.f32", 4, 4, 2, 4},
                                 {"m8n8k16.row.col.s32.u8.s8.s32", 2, 1, 1, 2},
                                 {"m16n8k16.row.col.satfinite.s32.s8.s8.s32", 4, 2, 1, 4},
                                 {"m16n8k32.row.col.s32.s8.u8.s32", 4, 4, 2, 4},
                                 {"m16n8k32.row.col.satfinite.s32.u8.u8.s32", 4, 4, 2, 4},
                                 {"m8n8k32.row.col.satfinite.s32.s4.s4.s32", 2, 1, 1, 2},
                                 {"m16n8k32.row.col.s32.u4.s4.s32", 4, 2, 1, 4},
                                 {"m16n8k64.row.col.s32.s4.u4.s32", 4, 4, 2, 4},
                                 {"m8n8k128.row.col.s32.b1.b1.s32.xor.popc", 2, 1, 1, 2},
                                 {"m16n8k128.row.col.s32.b1.b1.s32.and.popc", 4, 2, 1, 4},
                                 {"m16n8k256.row.col.s32.b1.b1.s32.xor.popc", 4, 4, 2, 4},
                                 {"m16n8k16.row.col.f32.e4m3.e5m2.f32", 4, 2, 1, 4},
                                 {"m16n8k16.row.col.f16.e5m2.e5m2.f16", 2, 2, 1, 2},
                                 {"m16n8k32.row.col.f32.e4m3.e4m3.f32", 4, 4, 2, 4},
                                 {"m16n8k32.row.col.f16.e5m2.e4m3.f16", 2, 4, 2, 2},
                                 {"m8n8k4.row.col.f32.f16.f16.f32", 8, 2, 2, 8},
                                 {"m8n8k4.col.row.f32.f16.f16.f32", 8, 2, 2, 8},
                                 {"m8n8k4.row.row.f32.f16.f16.f16", 8, 2, 2, 4},
                                 {"m8n8k4.col.col.f16.f16.f16.f16", 4, 2, 2, 4}};
enum { FORMS = sizeof k_forms / sizeof k_forms[0] };

/* A and B, C, D of wmma; elements of a shape; registers of a fragment by matrix. */
typedef struct kind {
  const char *ab, *c, *d, *extra; /* types; modifiers between the opcode and its types */
  unsigned m, n, k, bits, c_bits, d_bits;
  bool plain; /* only A by rows and B by columns */
} kind_t;

static const kind_t k_kinds[] = {{"f16", "f32", "f32", "", 16, 16, 16, 16, 32, 32, false},
                                 {"f16", "f16", "f16", "", 32, 8, 16, 16, 16, 16, false},
                                 {"f16", "f16", "f32", "", 8, 32, 16, 16, 16, 32, false},
                                 {"f16", "f32", "f16", "", 16, 16, 16, 16, 32, 16, false},
                                 {"bf16", "f32", "f32", "", 8, 32, 16, 16, 32, 32, false},
                                 {"tf32", "f32", "f32", "", 16, 16, 8, 32, 32, 32, false},
                                 {"s8", "s32", "s32", "", 32, 8, 16, 8, 32, 32, false},
                                 {"u8", "s32", "s32", ".satfinite", 16, 16, 16, 8, 32, 32, false},
                                 {"s4", "s32", "s32", "", 8, 8, 32, 4, 32, 32, true},
                                 {"b1", "s32", "s32", "", 8, 8, 128, 1, 32, 32, true}};
enum { KINDS = sizeof k_kinds / sizeof k_kinds[0] };

static void name_mma(char to[RC_FORM], const form_t *f) {
  (void)snprintf(to, RC_FORM, "mma.%s", f->text);
}

static void name_wmma(char to[RC_FORM], const kind_t *k) {
  (void)snprintf(to, RC_FORM, "wmma.m%un%uk%u.%s.%s.%s", k->m, k->n, k->k, k->d, k->ab, k->c);
}

void g_product_rows(rc_table_t *t) {
  const unsigned whole = 1u << RC_CONVERGED | 1u << RC_LOOP | 1u << RC_BARRIER;
  char form[RC_FORM];
  for (unsigned i = 0; i < FORMS; i++) {
    name_mma(form, &k_forms[i]);
    rc_add(t, form, RC_NONE, 1u << RC_VECTOR, whole);
  }
  for (unsigned i = 0; i < KINDS; i++) {
    name_wmma(form, &k_kinds[i]);
    rc_add(t, form, RC_NONE, 1u << RC_VECTOR, whole);
  }
}

/* ---- mma: runs of registers, which may share some; D's are apart from each other */
static void run(gen_t *g, char *to, size_t cap, unsigned count, bool f32) {
  const unsigned pool = f32 ? G_F : G_W, first = g_below(g, pool);
  size_t used = 0;
  for (unsigned i = 0; i < count; i++) {
    used += (size_t)snprintf(to + used, cap - used, "%s%%%c%u", i == 0 ? "{" : ", ",
                             f32 ? 'f' : 'w', (first + i) % pool);
  }
  (void)snprintf(to + used, cap - used, "}");
}

static bool floats(gen_t *g, const char *type, unsigned count) {
  return strcmp(type, ".f32") == 0 && count <= G_F && g_chance(g, 50);
}

static void mma(gen_t *g) {
  const form_t *f = &k_forms[g_below(g, FORMS)];
  char d[64], a[64], b[64], c[64], form[RC_FORM];
  const char *last = strrchr(f->text, '.'); /* C's type, but of b1 */
  run(g, a, sizeof a, f->a, false);
  run(g, b, sizeof b, f->b, false);
  run(g, c, sizeof c, f->c, floats(g, last, f->c));
  run(g, d, sizeof d, f->d, floats(g, strstr(f->text, ".f32") != NULL ? ".f32" : "", f->d));
  name_mma(form, f);
  g_op_as(g, form, RC_NONE, RC_VECTOR, "mma.sync.aligned.%s %s, %s, %s, %s", f->text, d, a, b, c);
}

/* ---- wmma: fragments in registers of their own, as their elements' places are open */
static unsigned registers(const kind_t *k, char matrix) {
  const unsigned bits = matrix == 'c' ? k->c_bits : matrix == 'd' ? k->d_bits : k->bits;
  const unsigned elements = matrix == 'a' ? k->m * k->k : matrix == 'b' ? k->k * k->n : k->m * k->n;
  return matrix < 'c' && strcmp(k->ab, "f16") == 0 ? 8 : elements * bits / 1024;
}

static void fragment(const kind_t *k, char matrix, char *to, size_t cap) {
  size_t used = 0;
  for (unsigned i = 0; i < registers(k, matrix); i++) {
    used += (size_t)snprintf(to + used, cap - used, "%s%%m%c%u", i == 0 ? "{" : ", ", matrix, i);
  }
  (void)snprintf(to + used, cap - used, "}");
}

/* From the input, lines some bytes apart; by constant or register. */
static void load(gen_t *g, const kind_t *k, char matrix, bool col) {
  const unsigned bits = matrix == 'c' ? k->c_bits : k->bits;
  const unsigned rows = matrix == 'b' ? k->k : k->m, columns = matrix == 'a' ? k->k : k->n;
  const unsigned line = (col ? rows : columns) * bits / 8, gap = 16 * g_below(g, 3);
  const unsigned stride = (line + gap) * 8 / bits, from = 32 * g_below(g, 32);
  const bool in_register = g_chance(g, 50), generic = g_chance(g, 50);
  char list[80], last[16];
  fragment(k, matrix, list, sizeof list);
  (void)snprintf(last, sizeof last, in_register ? "%%t0" : "%u", stride);
  if (in_register) {
    g_raw(g, "\tmov.u32 %%t0, %u;", stride);
  }
  g_raw(g, "\twmma.load.%c.sync.aligned.%s.m%un%uk%u%s.%s %s, [%%in+%u], %s;", matrix,
        col ? "col" : "row", k->m, k->n, k->k, generic ? "" : ".global",
        matrix == 'c' ? k->c : k->ab, list, from, last);
}

/* A line of D goes to the own bytes of a lane. */
static void store(gen_t *g, const kind_t *k) {
  const bool col = g_chance(g, 50);
  const unsigned bytes = (col ? k->m : k->n) * k->d_bits / 8;
  const unsigned at = 32 * g_below(g, (G_OWN - bytes) / 32 + 1);
  char list[80];
  fragment(k, 'd', list, sizeof list);
  g_raw(g, "\tmul.wide.u32 %%a, %%lane, %u;\n\tsub.u64 %%a, %%own, %%a;", (unsigned)G_SLOT);
  g_raw(g, "\tbar.warp.sync 0xffffffff;");
  g_raw(g, "\twmma.store.d.sync.aligned.%s.m%un%uk%u.global.%s [%%a+%u], %s, %u;",
        col ? "col" : "row", k->m, k->n, k->k, k->d, at, list, (unsigned)G_SLOT * 8 / k->d_bits);
  g_raw(g, "\tbar.warp.sync 0xffffffff;");
}

static void wmma(gen_t *g) {
  const kind_t *k = &k_kinds[g_below(g, KINDS)];
  const bool a_col = !k->plain && g_chance(g, 50), b_row = !k->plain && g_chance(g, 50);
  const bool c_col = g_chance(g, 50), halves = strcmp(k->ab, "f16") == 0;
  const char *bit = strcmp(k->ab, "b1") != 0 ? "" : g_chance(g, 50) ? ".xor.popc" : ".and.popc";
  char a[80], b[80], c[80], d[80], types[32] = "", form[RC_FORM];
  load(g, k, 'a', a_col);
  load(g, k, 'b', !b_row);
  load(g, k, 'c', c_col);
  fragment(k, 'a', a, sizeof a);
  fragment(k, 'b', b, sizeof b);
  fragment(k, 'c', c, sizeof c);
  fragment(k, 'd', d, sizeof d);
  if (!halves) {
    (void)snprintf(types, sizeof types, ".%s.%s", k->ab, k->ab);
  }
  name_wmma(form, k);
  g_op_as(g, form, RC_NONE, RC_VECTOR,
          "wmma.mma%s.sync.aligned.%s.%s.m%un%uk%u.%s%s.%s%s %s, %s, %s, %s", bit,
          a_col ? "col" : "row", b_row ? "row" : "col", k->m, k->n, k->k, k->d, types, k->c,
          k->extra, d, a, b, c);
  store(g, k);
}

void g_product(gen_t *g) {
  if (g_chance(g, 30)) {
    wmma(g);
    return;
  }
  for (unsigned n = 1 + g_below(g, 4); n != 0; n--) {
    mma(g);
  }
}
