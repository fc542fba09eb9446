/* insn.c: opcode and modifiers to a form and the structured fields of wl_ptx_insn_t [PTX 4.3.2,
 * 9.x]. Operand kinds and types are checked in check.c. */
#include <string.h>

#include "isa/ptx/px.h"

static bool read_modifiers(wl_px_t *p, wl_px_written_t *w) {
  w->n = 0;
  while (p->tok.kind == WL_TOK_DOT) {
    if (w->n == WL_PX_MAX_WRITTEN) {
      return wl_px_error(p, p->tok.pos, "4.3.2", "more than %d modifiers", WL_PX_MAX_WRITTEN);
    }
    w->toks[w->n] = p->tok;
    if (!wl_forms_find_item(p->forms, p->tok.text, p->tok.len, &w->items[w->n])) {
      w->items[w->n] = (wl_item_t){WL_ITEM_UNKNOWN, 0};
    }
    w->n++;
    wl_px_next(p);
  }
  return true;
}

static void slot_text(const wl_slot_t *s, char *buf, size_t cap) {
  size_t len = 0;
  buf[0] = 0;
  for (uint8_t i = 0; i < s->nitems && len + 40 < cap; i++) {
    char one[64];
    int n = snprintf(buf + len, cap - len, "%s%s", i == 0 ? "" : " ",
                     wl_item_text(s->items[i], one, sizeof one));
    len += n > 0 ? (size_t)n : 0;
  }
}

/* Says why no form matches, in terms of the nearest one. */
static bool report_mismatch(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_px_written_t *w,
                            const wl_match_t *m) {
  const char *name = wl_ptx_op_name(insn->op), *clause = m->form->clause;
  char want[200];
  for (uint8_t i = 0; i < w->n; i++) {
    if (w->items[i].kind != WL_ITEM_UNKNOWN) continue;
    return wl_px_error(p, w->toks[i].pos, clause, "`%s` has no modifier `.%.*s`", name,
                       w->toks[i].len > 60 ? 60 : (int)w->toks[i].len, w->toks[i].text);
  }
  if (m->unused >= 0) {
    const wl_tok_t *t = &w->toks[m->unused];
    const char *what = w->items[m->unused].kind == WL_ITEM_TYPE ? "type" : "modifier";
    if (m->missing != NULL) {
      slot_text(m->missing, want, sizeof want);
      return wl_px_error(p, t->pos, clause,
                         "%s `.%.*s` is not allowed in this form of `%s`; expected %s%s", what,
                         (int)t->len, t->text, name, m->missing->nitems > 1 ? "one of " : "", want);
    }
    return wl_px_error(p, t->pos, clause, "%s `.%.*s` is not allowed in this form of `%s`", what,
                       (int)t->len, t->text, name);
  }
  slot_text(m->missing, want, sizeof want);
  return wl_px_error(p, insn->pos, clause, "`%s` needs %s%s", name,
                     m->missing->nitems > 1 ? "one of " : "", want);
}

static unsigned flag_bit(wl_ptx_mod_t m) {
  switch (m) {
#define WL_PTX_MOD(id, text)
#define WL_PTX_FLAG(id, text)                                                                      \
  case WL_PTX_M_##id:                                                                              \
    return WL_PTX_FI_##id;
#include "isa/def/ptx_mod.def"
#undef WL_PTX_MOD
#undef WL_PTX_FLAG
  default:
    return 63;
  }
}

static void fill(wl_ptx_insn_t *insn, wl_field_t field, wl_item_t it) {
  wl_ptx_mod_t m = (wl_ptx_mod_t)it.id;
  switch (field) {
  case WL_FIELD_TYPE:
    if (insn->ntypes < WL_PTX_MAX_TYPES) insn->type[insn->ntypes++] = (wl_ptx_type_t)it.id;
    break;
  case WL_FIELD_SPACE:
    insn->space = it.id == WL_PTX_SPACE_COUNT ? WL_PTX_SPACE_PARAM_ENTRY : (wl_ptx_space_t)it.id;
    break;
  case WL_FIELD_MODE:
    if (insn->nmodes < WL_PTX_MAX_MODES) insn->mode[insn->nmodes++] = m;
    break;
  case WL_FIELD_FLAG:
    insn->flags |= UINT64_C(1) << flag_bit(m);
    break;
  case WL_FIELD_SEM: /* .mmio stands beside .relaxed and is the stronger word */
    if (insn->sem != WL_PTX_M_MMIO) insn->sem = m;
    break;
  case WL_FIELD_SCOPE:
    insn->scope = m == WL_PTX_M_GL ? WL_PTX_M_GPU : m;
    break;
  case WL_FIELD_CACHE:
    insn->cache = m;
    break;
  case WL_FIELD_EVICT1:
    insn->evict_l1 = m;
    break;
  case WL_FIELD_EVICT2:
    insn->evict_l2 = m;
    break;
  case WL_FIELD_PREFETCH:
    insn->prefetch_size = m;
    break;
  case WL_FIELD_ROUND:
    insn->round = m;
    break;
  case WL_FIELD_CMP:
    insn->cmp = m;
    break;
  case WL_FIELD_BOOLOP:
    insn->boolop = m;
    break;
  case WL_FIELD_VEC:
    insn->vec = m == WL_PTX_M_V2 ? 2 : m == WL_PTX_M_V4 ? 4 : 8;
    break;
  default:
    break;
  }
}

static void fill_all(wl_ptx_insn_t *insn, const wl_form_t *form, const wl_px_written_t *w,
                     const uint8_t *slot_of) {
  for (uint8_t s = 0; s < form->nslots; s++) {
    for (uint8_t i = 0; i < w->n; i++) {
      if (slot_of[i] != s) continue;
      fill(insn, wl_forms_field(&form->slots[s], w->items[i]), w->items[i]);
      if (w->items[i].kind == WL_ITEM_SPACE) insn->space_at = insn->nmods;
      if (w->items[i].kind == WL_ITEM_TYPE) insn->types_at = insn->nmods;
      if (w->items[i].kind == WL_ITEM_MOD && insn->nmods < WL_PTX_MAX_MODS) {
        insn->mods[insn->nmods++] = (wl_ptx_mod_t)w->items[i].id;
      }
    }
  }
  insn->form = form->index;
}

static bool check_feature(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_px_written_t *w,
                          const wl_form_t *f) {
  bool ok = wl_px_check_form_feature(p, insn, f);
  for (uint8_t i = 0; ok && i < w->n; i++)
    ok = wl_px_check_modifier(p, insn->op, &w->toks[i]);
  return ok;
}

static bool label_operand(wl_px_t *p, wl_ptx_operand_t *o) {
  char buf[96];
  wl_tok_t t = p->tok;
  *o = (wl_ptx_operand_t){.kind = WL_PTX_OPD_LABEL, .pos = t.pos, .comp = -1};
  if (t.kind != WL_TOK_IDENT) {
    if (t.kind == WL_TOK_BAD) return false;
    return wl_px_error(p, t.pos, "6.4.4", "expected a label, got %s",
                       wl_px_tok_text(&t, buf, sizeof buf));
  }
  wl_px_next(p);
  wl_px_label_ref(p, &t, &o->label);
  return true;
}

static bool operands(wl_px_t *p, wl_ptx_insn_t *insn) {
  if (insn->op == WL_PTX_OP_BRA) { /* the slot of a label reference must not move */
    insn->operands = wl_px_alloc(p, sizeof *insn->operands);
    insn->noperands = 1;
    return label_operand(p, insn->operands);
  }
  wl_ptx_operand_t list[WL_LIM_OPERANDS];
  uint32_t n;
  if (!wl_px_operand_list(p, list, WL_LIM_OPERANDS, &n)) return false;
  if (wl_px_is_dot(p, "unified")) {
    return wl_px_unsupported(p, p->tok.pos, "9.7.9.8", "the .unified qualifier is not implemented");
  }
  if (!wl_px_is(p, ';') && !p->tok.line_start && p->tok.kind != WL_TOK_BAD) {
    char buf[96];
    return wl_px_error(p, p->tok.pos, "4.3.2", "expected `,` or `;` behind an operand, got %s",
                       wl_px_tok_text(&p->tok, buf, sizeof buf));
  }
  insn->noperands = n;
  if (n != 0) {
    insn->operands = wl_px_alloc(p, n * sizeof *list);
    memcpy(insn->operands, list, n * sizeof *list);
  }
  return true;
}

static bool not_implemented(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_px_written_t *w,
                            const char *clause) {
  char text[120];
  size_t len = 0;
  int n = snprintf(text, sizeof text, "%s", wl_ptx_op_name(insn->op));
  for (uint8_t i = 0; n > 0 && i < w->n; i++) {
    len += (size_t)n;
    if (len + w->toks[i].len + 2 > sizeof text) break;
    n = snprintf(text + len, sizeof text - len, ".%.*s", (int)w->toks[i].len, w->toks[i].text);
  }
  return wl_px_unsupported(p, insn->pos, clause, "`%s` is not implemented", text);
}

/* Products of tcgen05: A in tensor memory, and the mask of lanes. */
static bool suits_product(const wl_ptx_insn_t *insn, const wl_form_t *f) {
  const wl_ptx_operand_t *o = insn->operands;
  return !f->custom && (o[1].kind == WL_PTX_OPD_ADDR) == (f->ops[1].kind == 'm') &&
         (o[4].kind == WL_PTX_OPD_VEC) == (f->ops[4].kind == 'S');
}

/* Forms with the same modifiers may differ in the number of operands (max.f32 of two or three), and
 * those of cp.async in their fourth: a predicate, or a size. */
static bool suits(const wl_ptx_insn_t *insn, const wl_form_t *f) {
  if (!wl_px_count_fits(insn, f)) return false;
  if (insn->op == WL_PTX_OP_TCGEN05 && insn->mode[0] == WL_PTX_M_MMA) return suits_product(insn, f);
  if (insn->op != WL_PTX_OP_CP || f->nops < 4) return true;
  bool predicate = insn->noperands > 3 && wl_px_operand_type(&insn->operands[3]) == WL_PTX_T_PRED;
  return predicate == (f->ops[3].kind == 'n');
}

static const wl_form_t *form_of_count(wl_px_t *p, const wl_ptx_insn_t *insn,
                                      const wl_px_written_t *w, const wl_form_t *form) {
  uint8_t slot_of[WL_PX_MAX_WRITTEN];
  const wl_form_t *f = form;
  while (f != NULL && !suits(insn, f))
    f = wl_forms_next(p->forms, f, w->items, w->n, slot_of);
  return f != NULL ? f : form;
}

/* Destinations stand before all other operands. The form of mov does not list its operands. */
static uint32_t destinations(const wl_ptx_insn_t *insn, const wl_form_t *f) {
  uint32_t n = 0;
  if (insn->op == WL_PTX_OP_MOV) return insn->noperands != 0;
  while (n < insn->noperands && n < f->nops && strchr("dDp", f->ops[n].kind) != NULL)
    n++;
  return n;
}

bool wl_px_instruction(wl_px_t *p, wl_ptx_insn_t *insn) {
  wl_tok_t t = p->tok;
  char buf[96];
  wl_px_written_t w;
  uint8_t slot_of[WL_PX_MAX_WRITTEN];
  wl_match_t m;
  insn->pos = t.pos;
  insn->op = t.kind == WL_TOK_IDENT ? wl_forms_find_op(p->forms, t.text, t.len) : WL_PTX_OP_NONE;
  if (insn->op == WL_PTX_OP_NONE) {
    if (t.kind == WL_TOK_BAD) return false;
    return wl_px_error(p, t.pos, "4.3.2", "%s is not an instruction",
                       wl_px_tok_text(&t, buf, sizeof buf));
  }
  wl_px_next(p);
  if (!read_modifiers(p, &w)) return false;
  wl_forms_match(p->forms, insn->op, w.items, w.n, &m, slot_of);
  if (m.form == NULL) return not_implemented(p, insn, &w, wl_ptx_op_clause(insn->op));
  if (!m.ok) return report_mismatch(p, insn, &w, &m);
  if (!m.form->supported && (m.form->custom || m.form->open)) {
    fill_all(insn, m.form, &w, slot_of);
    return check_feature(p, insn, &w, m.form) && wl_px_check_words(p, insn) &&
           not_implemented(p, insn, &w, m.form->clause);
  }
  if (!wl_px_check_order(p, insn, m.form, &w, slot_of)) return false;
  fill_all(insn, m.form, &w, slot_of);
  if (insn->op == WL_PTX_OP_CALL) return check_feature(p, insn, &w, m.form) && wl_px_call(p, insn);
  if (!operands(p, insn)) return false;
  m.form = form_of_count(p, insn, &w, m.form);
  insn->ndests = destinations(insn, m.form);
  bool ok = check_feature(p, insn, &w, m.form) && wl_px_check_operands(p, insn, m.form) &&
            wl_px_check_special(p, insn);
  if (ok && !m.form->supported) ok = not_implemented(p, insn, &w, m.form->clause);
  return ok;
}
