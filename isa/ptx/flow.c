/* flow.c: see flow.h [PTX 9.3, 9.7.12]. A guard may hold or not: both ways are paths. */
#include "isa/ptx/flow.h"

#include <stdlib.h>

bool wl_flow_init(wl_flow_t *f, const wl_ptx_func_t *func) {
  *f = (wl_flow_t){.func = func};
  f->marks = calloc((size_t)func->ninsns + 1, sizeof *f->marks);
  f->stack = calloc((size_t)func->ninsns + 1, sizeof *f->stack);
  return f->marks != NULL && f->stack != NULL;
}

void wl_flow_free(wl_flow_t *f) {
  free(f->marks);
  free(f->stack);
}

void wl_flow_start(wl_flow_t *f, uint32_t i, uint8_t mark) {
  if (i >= f->func->ninsns || (f->marks[i] & mark) != 0) return;
  f->marks[i] |= mark;
  f->stack[f->waiting++] = i;
}

static void start_label(wl_flow_t *f, const wl_ptx_label_t *l, uint8_t mark) {
  if (l != NULL) wl_flow_start(f, l->index, mark);
}

void wl_flow_follow(wl_flow_t *f, uint32_t i, uint8_t mark) {
  const wl_ptx_insn_t *insn = &f->func->insns[i];
  bool falls = insn->guard != NULL;
  switch (insn->op) {
  case WL_PTX_OP_BRA:
  case WL_PTX_OP_BRX:
    for (uint32_t k = 0; k < insn->noperands; k++) {
      const wl_ptx_operand_t *o = &insn->operands[k];
      if (o->kind == WL_PTX_OPD_LABEL) start_label(f, o->label, mark);
      for (uint32_t t = 0; o->kind == WL_PTX_OPD_TABLE && t < o->table->count; t++)
        start_label(f, o->table->labels != NULL ? o->table->labels[t] : NULL, mark);
    }
    break;
  case WL_PTX_OP_RET:
  case WL_PTX_OP_EXIT:
  case WL_PTX_OP_TRAP:
    break;
  case WL_PTX_OP_CALL:
    falls = falls || insn->call->proto == NULL || !insn->call->proto->noreturn;
    break;
  default:
    falls = true;
  }
  if (falls) wl_flow_start(f, i + 1, mark);
}

void wl_flow_reach(wl_flow_t *f, uint8_t mark, uint8_t stop) {
  while (f->waiting > 0) {
    const uint32_t i = f->stack[--f->waiting];
    if ((f->marks[i] & stop) == 0) wl_flow_follow(f, i, mark);
  }
}
