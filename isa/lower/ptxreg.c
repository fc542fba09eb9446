/* ptxreg.c: after register allocation, where the PTX registers that a line writes live behind the
 * line's last machine instruction: the table of isa/obj/ptxreg.h. A register is left out where the
 * line's own code uses its place again, where a part of it is elsewhere, and at calls. */
#include <string.h>

#include "isa/lower/isel.h"
#include "isa/lower/module.h"

enum { PLACES = 255 + 7 }; /* registers, then predicates */

typedef struct owner {
  uint32_t reg; /* PTX register id + 1, 0: nobody's */
  uint32_t word;
  wl_mreg_t by; /* what was written there */
} owner_t;

typedef struct table {
  wl_lower_t *l;
  const wl_mfunc_t *f;
  uint32_t *name; /* by PTX register: index of the module's names + 1 */
  owner_t owner[PLACES];
} table_t;

static uint32_t name_of(table_t *t, uint32_t reg) {
  if (t->name[reg] == 0)
    t->name[reg] = wl_obj_add_ptxreg_name(t->l->obj, t->f->ptx->regs[reg]->name) + 1;
  return t->name[reg] - 1;
}

/* A word of a group (group.c) is a PTX register of its own. */
static wl_mreg_t own_word(const wl_mfunc_t *f, wl_mreg_t r) {
  const uint32_t part = f->vregs[wl_mreg_vreg(r)].part[wl_mreg_word(r)];
  return part != 0 ? wl_mreg(part, 0) : r;
}

/* What an operand writes now belongs to its PTX register, or to nobody. */
static void note_write(table_t *t, const wl_mopref_t *op) {
  const uint32_t v = op->pred ? *op->ref : wl_mreg_vreg(*op->ref);
  const wl_vreg_t *x = &t->f->vregs[v];
  const wl_mreg_t orig = x->orig;
  const uint32_t word = op->pred ? 0 : wl_mreg_word(*op->ref);
  if (x->phys == WL_NOREG) return;
  for (uint32_t k = 0; k < (op->pred ? 1u : op->words); k++) {
    const uint32_t at = (op->pred ? 255u : 0u) + (uint32_t)x->phys + word + k;
    if (at >= PLACES) continue;
    const wl_mreg_t own = op->pred ? orig : own_word(t->f, orig + word + k);
    const uint32_t reg = t->f->vregs[wl_mreg_vreg(own)].name;
    const bool scalar = reg != 0 && t->f->ptx->regs[reg - 1]->vec <= 1;
    t->owner[at] = (owner_t){scalar ? reg : 0, wl_mreg_word(own), wl_mreg(v, word + k)};
  }
}

/* A copy that was removed: what the line wrote to its source is the register's value. */
static void note_name(table_t *t, const wl_minsn_t *insn) {
  const uint32_t d = wl_mreg_vreg(insn->d), a = wl_mreg_vreg(insn->a);
  const uint32_t reg = t->f->vregs[d].name;
  const int base = t->f->vregs[a].phys;
  if (base == WL_NOREG || t->f->ptx->regs[reg - 1]->vec > 1) return;
  for (uint32_t k = 0; k < insn->imm; k++) {
    const uint32_t at = (uint32_t)base + wl_mreg_word(insn->a) + k;
    if (at >= 255 || t->owner[at].by != wl_mreg_at(insn->a, k) || t->owner[at].reg != 0) continue;
    t->owner[at].reg = reg;
    t->owner[at].word = wl_mreg_word(insn->d) + k;
  }
}

/* A register whose words stand in order from this place on. */
static void put_place(table_t *t, uint32_t from, uint32_t to, uint32_t place) {
  const owner_t *o = &t->owner[place];
  if (o->reg == 0 || o->word != 0) return;
  const wl_ptx_reg_t *reg = t->f->ptx->regs[o->reg - 1];
  const bool pred = reg->type == WL_PTX_T_PRED;
  const unsigned bits = pred ? 1 : wl_bits(reg->type);
  const unsigned words = pred ? 0 : bits <= 32 ? 1 : bits / 32;
  if (pred != (place >= 255)) return; /* a spilled predicate: elsewhere */
  for (uint32_t k = 1; k < words; k++)
    if (place + k >= 255 || o[k].reg != o->reg || o[k].word != k) return;
  wl_obj_add_ptxreg(t->l->obj,
                    &(wl_obj_ptxreg_t){.from = from,
                                       .to = to,
                                       .name = name_of(t, o->reg - 1),
                                       .kind = pred ? WL_OBJ_PTXREG_PRED : WL_OBJ_PTXREG_REG,
                                       .place = (uint8_t)(pred ? place - 255 : place),
                                       .words = (uint8_t)words,
                                       .bits = (uint8_t)bits});
}

/* How many PTX instructions start on a line, up to 2. They stand in the order of the text. */
static unsigned instructions(const wl_ptx_func_t *fn, uint32_t line) {
  uint32_t low = 0, high = fn->ninsns;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (fn->insns[middle].pos.line < line)
      low = middle + 1;
    else
      high = middle;
  }
  unsigned n = 0;
  while (n < 2 && low + n < fn->ninsns && fn->insns[low + n].pos.line == line)
    n++;
  return n;
}

/* Instructions [first, last) of one line. */
static void put_line(table_t *t, size_t first, size_t last) {
  const uint32_t from = t->f->code_base + t->f->insn_pc[first];
  const uint32_t to = t->f->code_base + t->f->insn_pc[last];
  bool call = false;
  if (from == to) return;
  memset(t->owner, 0, sizeof t->owner);
  for (size_t i = first; i < last; i++) {
    wl_mopref_t ops[WL_MAX_OPERANDS];
    const unsigned count = wl_mi_operands(&t->f->insns[i], ops);
    for (unsigned k = 0; k < count; k++)
      if (ops[k].def) note_write(t, &ops[k]);
    if (t->f->insns[i].form == WL_MP_NAME) note_name(t, &t->f->insns[i]);
    call = call || t->f->insns[i].call != NULL;
  }
  const unsigned n = instructions(t->f->ptx, t->f->insns[first].pos.line);
  if (n != 1) {
    const wl_obj_ptxreg_t row = {.from = from,
                                 .to = to,
                                 .name = t->l->ptxreg_none,
                                 .kind = n == 0 ? WL_OBJ_PTXREG_FRAME : WL_OBJ_PTXREG_SEVERAL};
    wl_obj_add_ptxreg(t->l->obj, &row);
    return;
  }
  for (uint32_t place = 0; place < PLACES && !call; place++)
    put_place(t, from, to, place);
}

void wl_lower_ptxregs(wl_lower_t *l, const wl_mfunc_t *f) {
  table_t t = {.l = l, .f = f};
  t.name = wl_lower_zalloc(l, f->ptx->nregs * sizeof *t.name);
  if (l->obj->ptxregs.names == 0) l->ptxreg_none = wl_obj_add_ptxreg_name(l->obj, "");
  for (size_t i = 0; i < f->ninsns;) {
    size_t end = i + 1;
    while (end < f->ninsns && f->insns[end].pos.line == f->insns[i].pos.line)
      end++;
    put_line(&t, i, end);
    i = end;
  }
}
