/* strict_tmem.c: the rules of --strict-tmem, which legal PTX may break (docs/checked.md). Here: an
 * allocation stands on every path to a use, and the function that uses it makes it. tmem_escape.c has
 * where an address may not go. */
#include "isa/ptx/strict_tmem.h"

#include "isa/ptx/flow.h"
#include "isa/ptx/ptx.h"

static const char *const CLAUSE = "9.7.16.1.2"; /* the memory must be allocated */

enum { BEHIND = 1, KNOWN = 2, BARE = 4 }; /* behind an alloc; has one; reached without one */

bool wl_tmem_is_use(const wl_ptx_insn_t *insn) {
  if (insn->op != WL_PTX_OP_TCGEN05) return false;
  switch (insn->mode[0]) {
  case WL_PTX_M_LD:
  case WL_PTX_M_ST:
  case WL_PTX_M_MMA:
  case WL_PTX_M_CP:
  case WL_PTX_M_SHIFT:
  case WL_PTX_M_DEALLOC:
    return true;
  default:
    return false;
  }
}

static bool is_alloc(const wl_ptx_insn_t *insn) {
  return insn->op == WL_PTX_OP_TCGEN05 && insn->mode[0] == WL_PTX_M_ALLOC;
}

/* Where threads wait for the others of the CTA, or of the cluster. */
static bool is_barrier(const wl_ptx_insn_t *insn) {
  bool waits = false;
  if (insn->op != WL_PTX_OP_BAR && insn->op != WL_PTX_OP_BARRIER) return false;
  for (uint8_t i = 0; i < insn->nmods; i++) {
    const wl_ptx_mod_t m = insn->mods[i];
    if (m == WL_PTX_M_WARP) return false;
    waits = waits || m == WL_PTX_M_SYNC || m == WL_PTX_M_RED || m == WL_PTX_M_WAIT;
  }
  return waits;
}

/* Marks the allocations and the barriers behind one, then what is reached around them. */
static void find_bare(wl_flow_t *f) {
  const wl_ptx_insn_t *insns = f->func->insns;
  for (uint32_t i = 0; i < f->func->ninsns; i++) {
    if (!is_alloc(&insns[i])) continue;
    if (insns[i].guard == NULL) f->marks[i] |= KNOWN;
    wl_flow_follow(f, i, BEHIND);
  }
  wl_flow_reach(f, BEHIND, 0);
  for (uint32_t i = 0; i < f->func->ninsns; i++)
    if ((f->marks[i] & BEHIND) != 0 && insns[i].guard == NULL && is_barrier(&insns[i]))
      f->marks[i] |= KNOWN;
  wl_flow_start(f, 0, BARE);
  wl_flow_reach(f, BARE, KNOWN);
}

static bool check_paths(const wl_ptx_func_t *func, wl_diag_list_t *d) {
  wl_flow_t f;
  const bool ok = wl_flow_init(&f, func);
  if (ok) find_bare(&f);
  for (uint32_t i = 0; ok && i < func->ninsns; i++) {
    const wl_ptx_insn_t *insn = &func->insns[i];
    if ((f.marks[i] & BARE) == 0 || !wl_tmem_is_use(insn)) continue;
    wl_diag_add(d, WL_DIAG_MALFORMED, insn->pos, CLAUSE,
                "tmem-alloc: a path leads to this tcgen05.%s with no tcgen05.alloc on it, and no "
                "barrier of the CTA behind one",
                wl_ptx_mod_name(insn->mode[0]));
  }
  wl_flow_free(&f);
  return ok;
}

static void report_none(const wl_ptx_func_t *f, const wl_ptx_insn_t *use, wl_diag_list_t *d) {
  if (f->is_entry)
    wl_diag_add(d, WL_DIAG_MALFORMED, use->pos, CLAUSE,
                "tmem-alloc: `%.60s` uses tensor memory and has no tcgen05.alloc", f->name);
  else
    wl_diag_add(d, WL_DIAG_MALFORMED, use->pos, NULL,
                "tmem-function: `%.60s` uses tensor memory that another function allocates; "
                "%s",
                f->name, WL_TMEM_CONTRACT);
}

static bool check_function(const wl_ptx_func_t *f, wl_diag_list_t *d) {
  const wl_ptx_insn_t *use = NULL;
  bool allocates = false;
  for (uint32_t i = 0; i < f->ninsns; i++) {
    allocates = allocates || is_alloc(&f->insns[i]);
    if (use == NULL && wl_tmem_is_use(&f->insns[i])) use = &f->insns[i];
  }
  if (use != NULL && !allocates) report_none(f, use, d);
  if (use != NULL && allocates && !check_paths(f, d)) return false;
  return (use == NULL && !allocates) || wl_tmem_check_addresses(f, d);
}

/* What is refused is missing in the tree, so nothing is known of a function that has some of it. */
static bool is_whole(const wl_ptx_func_t *f, const wl_diag_list_t *d) {
  return f->defined && f->nneeds == 0 && !wl_diag_is_refused(d, f->owner);
}

int wl_ptx_strict_tmem(const wl_ptx_module_t *m, wl_diag_list_t *d) {
  const size_t before = d->errors;
  bool ok = true;
  for (uint32_t i = 0; ok && i < m->nfuncs; i++)
    ok = !is_whole(m->funcs[i], d) || check_function(m->funcs[i], d);
  if (!ok) wl_diag_add(d, WL_DIAG_INTERNAL, (wl_ptx_pos_t){0, 0}, NULL, "out of memory");
  return d->errors == before ? 0 : wl_diag_exit_code(d);
}
