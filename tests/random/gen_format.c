/* gen_format.c: conversions between f32 and the formats of matrix operands, from edition 3 on. The
 * list never changes, as forms_frozen.c: the seeds of an edition count its rows. */
#include <stdio.h>
#include <string.h>

#include "tests/random/gen.h"

static const char *const k_rounds[] = {"rn", "rz", "rm", "rp"};
typedef struct family {
  unsigned roundings; /* a row for each of the first so many of k_rounds; 0: one, `mods` with cvt */
  const char *mods, *types;
  const char *operands; /* letters of g_reg(), the destination first */
} family_t;

static const family_t k_families[] = {
    {4, "", ".f16.f32", "h f"},
    {2, ".ftz", ".f16.f32", "h f"},
    {4, ".sat", ".f16.f32", "h f"},
    {2, ".relu", ".f16.f32", "h f"},
    {2, ".satfinite", ".f16.f32", "h f"},
    {2, ".relu.satfinite", ".f16.f32", "h f"},
    {4, "", ".bf16.f32", "h f"},
    {4, ".ftz", ".bf16.f32", "h f"},
    {2, ".relu", ".bf16.f32", "h f"},
    {2, ".satfinite", ".bf16.f32", "h f"},
    {2, ".relu.satfinite", ".bf16.f32", "h f"},
    {2, "", ".f16x2.f32", "w f f"},
    {2, ".relu", ".f16x2.f32", "w f f"},
    {2, ".satfinite", ".f16x2.f32", "w f f"},
    {2, ".relu.satfinite", ".f16x2.f32", "w f f"},
    {2, "", ".bf16x2.f32", "w f f"},
    {2, ".relu", ".bf16x2.f32", "w f f"},
    {2, ".satfinite", ".bf16x2.f32", "w f f"},
    {2, ".relu.satfinite", ".bf16x2.f32", "w f f"},
    {0, "cvt.rna", ".tf32.f32", "w f"},
    {0, "cvt.rna.satfinite", ".tf32.f32", "w f"},
    {0, "cvt", ".f32.f16", "f h"},
    {0, "cvt.ftz", ".f32.f16", "f h"},
    {0, "cvt.sat", ".f32.f16", "f h"},
    {0, "cvt.ftz.sat", ".f32.f16", "f h"},
    {0, "cvt", ".f32.bf16", "f h"},
    {0, "cvt.ftz", ".f32.bf16", "f h"},
    {1, "", ".f16x2.e4m3x2", "w h"},
    {1, ".relu", ".f16x2.e4m3x2", "w h"},
    {1, "", ".f16x2.e5m2x2", "w h"},
    {1, ".relu", ".f16x2.e5m2x2", "w h"},
};

/* Row n of the list; false behind the last. */
static bool row_at(unsigned n, char name[RC_FORM], const char **operands) {
  for (size_t i = 0; i < sizeof k_families / sizeof k_families[0]; i++) {
    const family_t *f = &k_families[i];
    unsigned rows = f->roundings != 0 ? f->roundings : 1;
    if (n < rows) {
      (void)snprintf(name, RC_FORM, "%s%s%s%s", f->roundings != 0 ? "cvt." : "",
                     f->roundings != 0 ? k_rounds[n] : "", f->mods, f->types);
      *operands = f->operands;
      return true;
    }
    n -= rows;
  }
  return false;
}

static unsigned count(void) {
  char name[RC_FORM];
  const char *operands;
  unsigned n = 0;
  while (row_at(n, name, &operands)) {
    n++;
  }
  return n;
}

void g_format_rows(rc_table_t *t) {
  char name[RC_FORM];
  const char *operands;
  for (unsigned n = 0; row_at(n, name, &operands); n++) {
    bool constant = strchr(operands + 1, 'f') != NULL;
    rc_add(t, name, RC_NONE,
           constant ? 1u << RC_REG | 1u << RC_IMM | 1u << RC_SPECIAL : 1u << RC_REG, RC_ALL_PATHS);
  }
}

/* A source that is f32: now and then a constant or a zero; 16 bits are a register. */
static const char *source(gen_t *g, char letter, rc_class_t *cls) {
  unsigned dice = g_below(g, 100);
  if (letter != 'f' || dice >= 32) {
    return g_reg(g, letter);
  }
  if (dice >= 18) {
    *cls = RC_SPECIAL;
    return "0f00000000";
  }
  *cls = *cls == RC_SPECIAL ? RC_SPECIAL : RC_IMM;
  return g_constant(g, 'f', false);
}

void g_format(gen_t *g) {
  char name[RC_FORM];
  const char *operands = "";
  rc_class_t cls = RC_REG;
  (void)row_at(g_below(g, count()), name, &operands);
  const char *d = g_reg(g, operands[0]), *a = source(g, operands[2], &cls);
  if (operands[3] == 0) {
    g_op(g, RC_NONE, cls, "%s %s, %s", name, d, a);
    return;
  }
  const char *b = source(g, operands[4], &cls);
  g_op(g, RC_NONE, cls, "%s %s, %s, %s", name, d, a, b);
}
