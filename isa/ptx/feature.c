/* feature.c: versions and targets that forms and modifiers need (ptx_op.def, ptx_gate.def)
 * [PTX 11.1; the target notes of chapter 9.7]. */
#include <string.h>

#include "isa/ptx/lexnum.h"
#include "isa/ptx/px.h"

enum { SUFFIXED = 1000 }; /* codes of targets above it are sets of targets with a suffix */

typedef struct gate {
  wl_ptx_op_t op;
  const char *text;
  uint16_t version, target;
} gate_t;
static const gate_t k_gates[] = {
#define WL_PTX_GATE(op, text, version, target) {WL_PTX_OP_##op, text, version, target},
#define WL_PTX_WORD_GATE(text, version, target)
#include "isa/def/ptx_gate.def"
#undef WL_PTX_GATE
#undef WL_PTX_WORD_GATE
};
static const gate_t k_words[] = {
#define WL_PTX_GATE(op, text, version, target)
#define WL_PTX_WORD_GATE(text, version, target) {WL_PTX_OP_NONE, text, version, target},
#include "isa/def/ptx_gate.def"
#undef WL_PTX_GATE
#undef WL_PTX_WORD_GATE
};

/* Is the module's target of the set that the code means? *want: the set in words. */
static bool suffixed_target(const wl_ptx_module_t *m, uint16_t code, const char **want) {
  bool hopper = m->sm == 90, small100 = m->sm == 100 || m->sm == 103,
       family100 = small100 || m->sm == 101 || m->sm == 110,
       family120 = m->sm == 120 || m->sm == 121;
  if (m->sm_suffix == 0) hopper = small100 = family100 = family120 = false;
  switch (code) {
  case 1090:
    *want = "sm_90a";
    return hopper;
  case 1100:
    *want = "sm_100a, sm_103a, sm_110a or a family target of these";
    return family100;
  case 1102:
    *want = "sm_103a, sm_110a or a family target of these";
    return family100 && m->sm != 100;
  case 1103:
    *want = "sm_100a or sm_103a";
    return small100 && m->sm_suffix == 'a';
  case 1104:
    *want = "sm_100a, sm_103a or a family target of these";
    return small100;
  case 1105:
    *want = "sm_100a or sm_110a";
    return family100 && m->sm != 103 && m->sm_suffix == 'a';
  case 1106:
    *want = "sm_100a, sm_103a or sm_110a";
    return family100 && m->sm_suffix == 'a';
  case 1125:
    *want = "sm_100a, sm_103a, sm_110a, sm_120a or sm_121a";
    return (family100 || family120) && m->sm_suffix == 'a';
  case 1121:
    *want = "sm_120a, sm_121a or a family target of these";
    return family120;
  default:
    break;
  }
  *want = "a target with the suffix a or f, as sm_100a or sm_120f";
  return family100 || family120 || (hopper && code == 1190);
}

static bool check(wl_px_t *p, wl_ptx_pos_t pos, const char *clause, const char *what,
                  uint16_t version, uint16_t target) {
  const char *want = NULL;
  if (p->version10 != 0 && p->version10 < version) {
    return wl_px_error(p, pos, clause, "%s needs .version %d.%d or later", what, version / 10,
                       version % 10);
  }
  if (p->m->sm == 0) return true;
  if (target > SUFFIXED && !suffixed_target(p->m, target, &want))
    return wl_px_error(p, pos, clause, "%s needs .target %s", what, want);
  if (target <= SUFFIXED && p->m->sm < target)
    return wl_px_error(p, pos, clause, "%s needs .target sm_%d or higher", what, target);
  return true;
}

bool wl_px_check_form_feature(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_form_t *f) {
  char what[64];
  snprintf(what, sizeof what, "this form of `%s`", wl_ptx_op_name(insn->op));
  return check(p, insn->pos, f->clause, what, f->version, f->target);
}

bool wl_px_check_modifier(wl_px_t *p, wl_ptx_op_t op, const wl_tok_t *t) {
  for (size_t i = 0; i < sizeof k_gates / sizeof k_gates[0]; i++) {
    const gate_t *g = &k_gates[i];
    if (g->op != WL_PTX_OP_NONE && g->op != op) continue;
    if (strlen(g->text) != t->len || memcmp(g->text, t->text, t->len) != 0) continue;
    char what[64];
    snprintf(what, sizeof what, "`.%s`", g->text);
    return check(p, t->pos, wl_ptx_op_clause(op), what, g->version, g->target);
  }
  return true;
}

bool wl_px_check_word(wl_px_t *p, const wl_tok_t *t, const char *clause) {
  size_t n = 0;
  while (n < t->len && wl_lex_is_follow((unsigned char)t->text[n]))
    n++;
  for (size_t i = 0; i < sizeof k_words / sizeof k_words[0]; i++) {
    const gate_t *g = &k_words[i];
    if (strlen(g->text) != n || memcmp(g->text, t->text, n) != 0) continue;
    char what[64];
    snprintf(what, sizeof what, "`%s`", g->text);
    return check(p, t->pos, clause, what, g->version, g->target);
  }
  return true;
}
