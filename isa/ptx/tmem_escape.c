/* tmem_escape.c: where an address of tensor memory may not go, for --strict-tmem: memory, conversions,
 * other functions. There is no cast from or to tensor memory (docs/checked.md). One report for an
 * instruction. */
#include <stdlib.h>

#include "isa/ptx/ptx.h"
#include "isa/ptx/strict_tmem.h"

typedef struct escape {
  const wl_ptx_func_t *f;
  wl_diag_list_t *d;
  const wl_webs_t *w;
  const bool *holds; /* by web */
  uint32_t at;       /* the instruction */
} escape_t;

static void report(const escape_t *e, wl_ptx_pos_t pos, const wl_ptx_reg_t *r, const char *what) {
  wl_diag_add(e->d, WL_DIAG_MALFORMED, pos, NULL,
              "tmem-address: `%.60s`, an address of tensor memory, %s; %s", r->name, what,
              WL_TMEM_CONTRACT);
}

/* Of the destinations or of the sources in a list; true: none holds an address. */
static bool check_operands(const escape_t *e, const wl_ptx_operand_t *list, uint32_t n,
                           bool defines, const char *what) {
  const wl_ptx_operand_t *o;
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = 0; (o = wl_ptx_next_reg(&list[k], &i)) != NULL;)
      if (e->holds[wl_webs_of(e->w, o->reg, e->at, defines)]) {
        report(e, o->pos, o->reg, what);
        return false;
      }
  return true;
}

/* What stands behind the address of a store or an atomic operation. */
static void check_stored(const escape_t *e, const wl_ptx_insn_t *insn) {
  const char *what = "is stored";
  uint32_t at = 0;
  while (at < insn->noperands && insn->operands[at].kind != WL_PTX_OPD_ADDR &&
         insn->operands[at].kind != WL_PTX_OPD_VAR)
    at++;
  if (at == insn->noperands) return;
  const wl_ptx_var_t *v = insn->operands[at].var;
  if (v != NULL && v->role == WL_PTX_VAR_LOCAL_PARAM) what = "is passed to a function";
  if (v != NULL && v->role == WL_PTX_VAR_FUNC_RET) what = "is returned";
  (void)check_operands(e, insn->operands + at + 1, insn->noperands - at - 1, false, what);
}

/* A parameter, or a result of a call. */
static void check_loaded(const escape_t *e, const wl_ptx_insn_t *insn) {
  const wl_ptx_var_t *v = insn->noperands > 1 ? insn->operands[1].var : NULL;
  if (v == NULL) return;
  if (v->role == WL_PTX_VAR_LOCAL_PARAM)
    (void)check_operands(e, insn->operands, 1, true, "is the result of a call");
  if (v->role == WL_PTX_VAR_FUNC_PARAM || v->role == WL_PTX_VAR_ENTRY_PARAM)
    (void)check_operands(e, insn->operands, 1, true, "is a parameter");
}

static void check_insn(const escape_t *e) {
  const wl_ptx_insn_t *insn = &e->f->insns[e->at];
  switch (insn->op) {
  case WL_PTX_OP_ST:
  case WL_PTX_OP_ATOM:
  case WL_PTX_OP_RED:
  case WL_PTX_OP_STMATRIX:
    check_stored(e, insn);
    break;
  case WL_PTX_OP_TCGEN05:
    if (insn->mode[0] == WL_PTX_M_ST) check_stored(e, insn);
    break;
  case WL_PTX_OP_LD:
    check_loaded(e, insn);
    break;
  case WL_PTX_OP_CVT:
  case WL_PTX_OP_CVTA:
    if (insn->noperands > 1 && check_operands(e, insn->operands + 1, 1, false, "is converted"))
      (void)check_operands(e, insn->operands, 1, true, "is made by a conversion");
    break;
  case WL_PTX_OP_CALL:
    if (check_operands(e, insn->call->args, insn->call->nargs, false, "is passed to a function"))
      (void)check_operands(e, insn->call->rets, insn->call->nrets, true, "is the result of a call");
    break;
  default:
    break;
  }
}

static void check_formals(const escape_t *e) {
  const wl_ptx_func_t *f = e->f;
  for (uint32_t i = 0; i < f->proto.nparams; i++) {
    const wl_ptx_reg_t *r = f->proto.params[i].reg;
    if (r != NULL && e->holds[wl_webs_of(e->w, r, f->ninsns, true)])
      report(e, r->pos, r, "is a parameter");
  }
}

/* Results in registers are read where the function ends. */
static void check_results(const escape_t *e) {
  const wl_ptx_func_t *f = e->f;
  for (uint32_t i = 0; i < f->proto.nrets; i++) {
    const wl_ptx_reg_t *r = f->proto.rets[i].reg;
    if (r != NULL && e->holds[wl_webs_of(e->w, r, e->at, false)])
      report(e, f->insns[e->at].pos, r, "is returned");
  }
}

bool wl_tmem_check_addresses(const wl_ptx_func_t *f, wl_diag_list_t *d) {
  wl_webs_t webs;
  bool *holds = wl_webs_init(&webs, f) ? wl_tmem_find_addresses(&webs) : NULL;
  escape_t e = {.f = f, .d = d, .w = &webs, .holds = holds};
  const bool ok = holds != NULL;
  if (ok) check_formals(&e);
  for (; ok && e.at < f->ninsns; e.at++) {
    check_insn(&e);
    if (f->insns[e.at].op == WL_PTX_OP_RET) check_results(&e);
  }
  wl_webs_free(&webs);
  free(holds);
  return ok;
}
