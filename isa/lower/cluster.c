/* cluster.c: the number of the barrier that stands for the barrier of the cluster (PTX 9.7.13.3;
 * docs/microarchitecture.md 21.4). All arrivals that one kernel can reach have one number, the
 * least that no barrier of the kernels which reach them has. A number in a register that is no
 * constant could be any. Kernels that ask for more than one CTA in a cluster are refused. */
#include "isa/lower/module.h"

enum { NUMBERS = 16, ALL_NUMBERS = (1 << NUMBERS) - 1, ANY_NUMBER = 1 << NUMBERS };

typedef struct cluster {
  wl_lower_t *l;
  uint32_t *used;  /* per function: numbers of its own barriers */
  uint32_t *group; /* per function that arrives: another one with the same number, or itself */
  uint32_t *taken; /* per group: numbers that its kernels use */
  bool *seen;
  uint32_t *todo;
  uint32_t count;
} cluster_t;

static const wl_ptx_insn_t *arrival(const wl_ptx_func_t *fn) {
  for (uint32_t i = 0; i < fn->ninsns; i++)
    if (fn->insns[i].op == WL_PTX_OP_BARRIER && fn->insns[i].scope == WL_PTX_M_CLUSTER &&
        fn->insns[i].mode[0] == WL_PTX_M_ARRIVE)
      return &fn->insns[i];
  return NULL;
}

static bool names(const wl_ptx_operand_t *o, uint32_t n, const wl_ptx_reg_t *r) {
  for (uint32_t i = 0; i < n; i++)
    if (o[i].reg == r || names(o[i].elems, o[i].nelems, r) ||
        (o[i].pair != NULL && o[i].pair->reg == r))
      return true;
  return false;
}

/* May the instruction write the register? Results come first; the number of a barrier does, too. */
static bool may_write(const wl_ptx_insn_t *in, const wl_ptx_reg_t *r) {
  if (in->op == WL_PTX_OP_CALL)
    return in->call != NULL && names(in->call->rets, in->call->nrets, r);
  const bool barrier = in->op == WL_PTX_OP_BAR || in->op == WL_PTX_OP_BARRIER;
  if (barrier && in->mode[0] != WL_PTX_M_RED) return false;
  return in->noperands > 0 && names(in->operands, 1, r);
}

/* The constant that a register holds, if one mov is all that writes it; else NUMBERS. */
static uint64_t constant_of(const wl_ptx_func_t *fn, const wl_ptx_reg_t *r) {
  const wl_ptx_insn_t *found = NULL;
  for (uint32_t i = 0; i < fn->proto.nparams; i++)
    if (fn->proto.params[i].reg == r) return NUMBERS;
  for (uint32_t i = 0; i < fn->ninsns; i++) {
    if (!may_write(&fn->insns[i], r)) continue;
    if (found != NULL) return NUMBERS;
    found = &fn->insns[i];
  }
  if (found == NULL || found->op != WL_PTX_OP_MOV || found->guard != NULL) return NUMBERS;
  if (found->noperands != 2 || found->operands[0].kind != WL_PTX_OPD_REG) return NUMBERS;
  return found->operands[1].kind == WL_PTX_OPD_INT ? found->operands[1].imm : NUMBERS;
}

static uint32_t numbers_of(const wl_ptx_func_t *fn) {
  uint32_t used = 0;
  for (uint32_t i = 0; i < fn->ninsns; i++) {
    const wl_ptx_insn_t *in = &fn->insns[i];
    if (in->op != WL_PTX_OP_BAR && in->op != WL_PTX_OP_BARRIER) continue;
    if (in->mode[0] == WL_PTX_M_WARP || in->scope == WL_PTX_M_CLUSTER) continue;
    const uint32_t at = in->mode[0] == WL_PTX_M_RED ? 1 : 0;
    if (at >= in->noperands) continue;
    const wl_ptx_operand_t *number = &in->operands[at];
    const uint64_t k = number->kind == WL_PTX_OPD_INT   ? number->imm
                       : number->kind == WL_PTX_OPD_REG ? constant_of(fn, number->reg)
                                                        : NUMBERS;
    used |= k < NUMBERS ? 1u << k : ANY_NUMBER;
  }
  return used;
}

static void reach(cluster_t *c, const wl_ptx_func_t *fn) {
  fn = wl_lower_alias(fn);
  if (!c->seen[fn->id]) c->todo[c->count++] = fn->id;
  c->seen[fn->id] = true;
}

/* An indirect call may reach every function of the module. */
static void reach_callees(cluster_t *c, const wl_ptx_func_t *fn) {
  const wl_ptx_module_t *m = c->l->m;
  for (uint32_t i = 0; i < fn->ninsns; i++) {
    const wl_ptx_call_t *call = fn->insns[i].op == WL_PTX_OP_CALL ? fn->insns[i].call : NULL;
    if (call != NULL && call->func != NULL) reach(c, call->func);
    for (uint32_t k = 0; call != NULL && call->func == NULL && k < m->nfuncs; k++)
      if (!m->funcs[k]->is_entry) reach(c, m->funcs[k]);
  }
}

static void reach_all(cluster_t *c, const wl_ptx_func_t *entry) {
  const wl_ptx_module_t *m = c->l->m;
  for (uint32_t i = 0; i < m->nfuncs; i++)
    c->seen[i] = false;
  c->count = 0;
  reach(c, entry);
  for (uint32_t i = 0; i < c->count; i++)
    reach_callees(c, m->funcs[c->todo[i]]);
}

static uint32_t find(const cluster_t *c, uint32_t fn) {
  while (c->group[fn] != fn)
    fn = c->group[fn];
  return fn;
}

/* What an entry reaches: its arrivals are one group, and the numbers of its barriers are theirs. */
static void join(cluster_t *c, const wl_ptx_func_t *entry) {
  const wl_ptx_module_t *m = c->l->m;
  uint32_t used = 0, first = UINT32_MAX;
  reach_all(c, entry);
  for (uint32_t i = 0; i < c->count; i++)
    used |= c->used[c->todo[i]];
  for (uint32_t i = 0; i < c->count; i++) {
    if (arrival(m->funcs[c->todo[i]]) == NULL) continue;
    const uint32_t g = find(c, c->todo[i]);
    if (first == UINT32_MAX) first = g;
    if (g != first) c->taken[first] |= c->taken[g];
    c->group[g] = first;
    c->taken[first] |= used;
  }
}

static void refuse(wl_lower_t *l, const wl_ptx_func_t *fn, bool any) {
  l->diags->owner = fn->owner;
  wl_diag_add(
      l->diags, WL_DIAG_UNSUPPORTED, arrival(fn)->pos, "9.7.13.3",
      any ? "barrier.cluster is not implemented where a barrier's number is in a register that is "
            "no constant"
          : "barrier.cluster is not implemented where all 16 barriers are used");
  l->diags->owner = 0;
  if (wl_lower_is_refused(l, fn)) wl_lower_trap(l, fn);
}

static void give_number(cluster_t *c, const wl_ptx_func_t *fn) {
  wl_mfunc_t *f = &c->l->funcs[fn->id];
  const uint32_t taken = c->taken[find(c, fn->id)];
  if ((taken & ALL_NUMBERS) == ALL_NUMBERS || (taken & ANY_NUMBER) != 0) {
    refuse(c->l, fn, (taken & ANY_NUMBER) != 0);
    return;
  }
  for (uint32_t i = 0; i < f->ninsns; i++)
    if (f->insns[i].form == WL_FORM_BAR_CLUSTER) f->insns[i].imm = (uint32_t)__builtin_ctz(~taken);
}

/* An upper bound (.maxclusterrank) does not ask for more. */
void wl_lower_cluster_size(wl_lower_t *l, const wl_ptx_func_t *fn) {
  const uint32_t *n = fn->reqnctapercluster;
  if ((fn->perf & WL_PTX_PERF_REQNCTAPERCLUSTER) != 0 && (n[0] != 1 || n[1] != 1 || n[2] != 1))
    wl_diag_add(l->diags, WL_DIAG_UNSUPPORTED, fn->pos, "11.7.1",
                "a cluster of more than one CTA is not implemented");
}

void wl_lower_cluster(wl_lower_t *l) {
  const wl_ptx_module_t *m = l->m;
  cluster_t c = {.l = l};
  bool any = false;
  for (uint32_t i = 0; i < m->nfuncs; i++)
    any = any || arrival(m->funcs[i]) != NULL;
  if (!any) return;
  c.used = wl_lower_zalloc(l, m->nfuncs * sizeof *c.used);
  c.group = wl_lower_zalloc(l, m->nfuncs * sizeof *c.group);
  c.taken = wl_lower_zalloc(l, m->nfuncs * sizeof *c.taken);
  c.todo = wl_lower_zalloc(l, m->nfuncs * sizeof *c.todo);
  c.seen = wl_lower_zalloc(l, m->nfuncs);
  for (uint32_t i = 0; i < m->nfuncs; i++) {
    c.used[i] = c.taken[i] = numbers_of(m->funcs[i]);
    c.group[i] = i;
  }
  for (uint32_t i = 0; i < m->nfuncs; i++)
    if (m->funcs[i]->is_entry) join(&c, m->funcs[i]);
  for (uint32_t i = 0; i < m->nfuncs; i++)
    if (arrival(m->funcs[i]) != NULL && m->funcs[i]->alias_of == NULL) give_number(&c, m->funcs[i]);
}
