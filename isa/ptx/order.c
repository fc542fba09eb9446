/* order.c: where the order of modifiers counts [PTX 4.3.2, 9.7]. */
#include <string.h>

#include "isa/ptx/px.h"

/* Of two modifiers that say something of the first and of the second thing. */
static bool check_order(wl_px_t *p, const wl_px_written_t *w, wl_ptx_mod_t first,
                        wl_ptx_mod_t second, const char *clause) {
  bool passed = false;
  for (uint8_t i = 0; i < w->n; i++) {
    if (w->items[i].kind != WL_ITEM_MOD) continue;
    if (w->items[i].id == first && passed)
      return wl_px_error(p, w->toks[i].pos, clause, "`.%.*s` stands behind `.%s`",
                         (int)w->toks[i].len, w->toks[i].text, wl_ptx_mod_name(second));
    passed = passed || w->items[i].id == second;
  }
  return true;
}

/* .row.col of A and B where nothing else is allowed; .xor.popc, .and.popc. */
static bool check_product_order(wl_px_t *p, const wl_form_t *form, const wl_px_written_t *w) {
  bool fixed = true;
  for (uint8_t s = 0; s < form->nslots; s++)
    fixed = fixed && !(form->slots[s].nitems == 2 && form->slots[s].items[0].id == WL_PTX_M_ROW &&
                       form->slots[s].items[0].kind == WL_ITEM_MOD);
  return (!fixed || check_order(p, w, WL_PTX_M_ROW, WL_PTX_M_COL, form->clause)) &&
         check_order(p, w, WL_PTX_M_XOR, WL_PTX_M_POPC, form->clause) &&
         check_order(p, w, WL_PTX_M_AND, WL_PTX_M_POPC, form->clause);
}

/* cp.async; of cp.async.bulk also what follows: commit_group, prefetch. */
static uint8_t leading(const wl_form_t *form) {
  uint8_t n = 1;
  while (n < form->nslots && n < 3 && !form->slots[n].optional &&
         form->slots[n].items[0].kind == WL_ITEM_MOD &&
         wl_forms_field(&form->slots[n], form->slots[n].items[0]) == WL_FIELD_MODE)
    n++;
  return n;
}

static bool starts_with(const wl_form_t *form, wl_ptx_mod_t mod) {
  return form->nslots != 0 && form->slots[0].items[0].kind == WL_ITEM_MOD &&
         form->slots[0].items[0].id == mod;
}

/* Most modifiers may stand in any order, as compilers write them and ptxas takes them. Of these
 * opcodes the first slots lead: what fills them stands first, in their order. */
static bool check_lead(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_form_t *form,
                       const wl_px_written_t *w, const uint8_t *slot_of) {
  uint8_t leads = 1, at = 0;
  switch (insn->op) {
  case WL_PTX_OP_CP:
    leads = leading(form);
    break;
  case WL_PTX_OP_BAR:
  case WL_PTX_OP_BARRIER:
    leads = 3;
    break;
  case WL_PTX_OP_MBARRIER:
  case WL_PTX_OP_MEMBAR:
  case WL_PTX_OP_FENCE:
    leads = 2;
    break;
  case WL_PTX_OP_TCGEN05:
  case WL_PTX_OP_MUL:
  case WL_PTX_OP_MAD:
  case WL_PTX_OP_MUL24:
  case WL_PTX_OP_MAD24:
  case WL_PTX_OP_DP2A:
  case WL_PTX_OP_SHF:
  case WL_PTX_OP_CVTA:
    break;
  case WL_PTX_OP_ST: /* st.async, st.bulk, red.async; other accesses have no mode there */
  case WL_PTX_OP_RED:
    if (!starts_with(form, WL_PTX_M_ASYNC) && !starts_with(form, WL_PTX_M_BULK)) return true;
    break;
  case WL_PTX_OP_MMA:
    return check_product_order(p, form, w);
  case WL_PTX_OP_WMMA: /* .mma, or .load.a */
    if (!check_product_order(p, form, w)) return false;
    leads = form->slots[0].items[0].id == WL_PTX_M_MMA ? 1 : 2;
    break;
  default:
    return true;
  }
  for (uint8_t s = 0; s < leads && s < form->nslots; s++) {
    for (uint8_t i = 0; i < w->n; i++) {
      if (slot_of[i] != s) continue;
      wl_field_t field = wl_forms_field(&form->slots[s], w->items[i]);
      const bool led = s < 2 || insn->op == WL_PTX_OP_CP;
      if ((field == WL_FIELD_MODE || field == WL_FIELD_DROP) && led && i != at) {
        return wl_px_error(p, w->toks[i].pos, form->clause, "`.%.*s` stands too late in `%s`",
                           (int)w->toks[i].len, w->toks[i].text, wl_ptx_op_name(insn->op));
      }
      at++;
    }
  }
  return true;
}

/* Copies: the space of the destination stands before that of the source. */
static bool check_spaces(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_px_written_t *w,
                         const wl_form_t *form, const uint8_t *slot_of) {
  uint8_t last = 0;
  for (uint8_t i = 0; insn->op == WL_PTX_OP_CP && i < w->n; i++) {
    if (w->items[i].kind != WL_ITEM_SPACE) continue;
    if (slot_of[i] < last)
      return wl_px_error(p, w->toks[i].pos, form->clause, "the destination `.%.*s` stands first",
                         (int)w->toks[i].len, w->toks[i].text);
    last = slot_of[i];
  }
  return true;
}

/* tcgen05.cp: so do their formats. */
static bool check_formats(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_px_written_t *w,
                          const wl_form_t *form) {
  for (uint8_t i = 1; insn->op == WL_PTX_OP_TCGEN05 && i < w->n; i++) {
    const uint16_t id = w->items[i].id, before = w->items[i - 1].id;
    if (w->items[i].kind == WL_ITEM_MOD && id == WL_PTX_M_B8X16 &&
        w->items[i - 1].kind == WL_ITEM_MOD &&
        (before == WL_PTX_M_B6X16_P32 || before == WL_PTX_M_B4X16_P64))
      return wl_px_error(p, w->toks[i].pos, form->clause,
                         "the destination's `.b8x16` stands first");
  }
  return true;
}

/* Bulk forms and tcgen05 know .shared::cta only by its whole name. */
static bool check_names(wl_px_t *p, const wl_form_t *form, const wl_px_written_t *w) {
  bool bulk = form->op == WL_PTX_OP_TCGEN05;
  for (uint8_t s = 0; s < form->nslots; s++)
    bulk = bulk || (form->slots[s].items[0].kind == WL_ITEM_MOD &&
                    form->slots[s].items[0].id == WL_PTX_M_BULK);
  for (uint8_t i = 0; bulk && i < w->n; i++)
    if (w->toks[i].len == 6 && memcmp(w->toks[i].text, "shared", 6) == 0)
      return wl_px_error(p, w->toks[i].pos, form->clause, "`.shared::cta` is written out here");
  return true;
}

bool wl_px_check_order(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_form_t *form,
                       const wl_px_written_t *w, const uint8_t *slot_of) {
  return check_lead(p, insn, form, w, slot_of) && check_spaces(p, insn, w, form, slot_of) &&
         check_formats(p, insn, w, form) && check_names(p, form, w);
}
