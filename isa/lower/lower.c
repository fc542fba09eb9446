/* lower.c: wl_lower_module: variables, selection and passes per function, then addresses, code,
 * line table and entry notes. See lower.h. */
#include "isa/lower/lower.h"

#include <stdlib.h>
#include <string.h>

#include "isa/lower/isel.h"
#include "isa/lower/module.h"

const wl_ptx_func_t *wl_lower_alias(const wl_ptx_func_t *fn) {
  for (int hops = 0; fn->alias_of != NULL && hops < 64; hops++)
    fn = fn->alias_of;
  return fn;
}

uint32_t wl_lower_literal(wl_lower_t *l, int kind, uint32_t sym, int64_t addend) {
  for (size_t i = 0; i < l->nliterals; i++) {
    const wl_literal_t *k = &l->literals[i];
    if (k->kind == kind && k->sym == sym && k->addend == addend) return k->offset;
  }
  wl_literal_t *a =
      wl_arena_grow(&l->arena, l->literals, l->nliterals, &l->cap_literals, sizeof *a);
  if (a == NULL) longjmp(l->oom, 1);
  l->literals = a;
  const uint32_t at = wl_obj_add_data(l->obj, WL_OBJ_C1, NULL, 8, 8);
  if (sym != WL_OBJ_NONE)
    wl_obj_add_reloc(l->obj, WL_OBJ_C1, at, (wl_obj_reloc_kind_t)(kind - 1), sym, addend);
  l->literals[l->nliterals++] = (wl_literal_t){kind, sym, addend, at};
  return at;
}

void *wl_lower_zalloc(wl_lower_t *l, size_t bytes) {
  void *p = wl_arena_alloc(&l->arena, bytes + 1);
  if (p == NULL) longjmp(l->oom, 1);
  return p;
}

/* ---- functions ---- */
static bool has_body(const wl_ptx_func_t *fn) { return fn->defined && fn->alias_of == NULL; }

static uint32_t own_limit(const wl_ptx_func_t *fn, uint32_t limit) {
  return (fn->perf & WL_PTX_PERF_MAXNREG) != 0 && fn->maxnreg < limit ? fn->maxnreg : limit;
}

/* A .func runs in the registers of whichever entry calls it: the least .maxnreg of the module. */
static uint32_t register_limit(const wl_lower_t *l, const wl_ptx_func_t *fn) {
  uint32_t limit = own_limit(fn, l->max_regs);
  for (uint32_t i = 0; i < l->m->nfuncs && !fn->is_entry; i++)
    limit = own_limit(l->m->funcs[i], limit);
  return limit;
}

static bool passes(wl_mfunc_t *f) {
  wl_cfg_build(f);
  wl_cfg_analyse(f);
  wl_layout(f);
  wl_cfg_analyse(f);
  wl_opt_copies(f);
  return wl_regalloc_groups(f) && f->regs <= f->max_regs;
}

static void select_function(wl_lower_t *l, wl_mfunc_t *f, const wl_ptx_func_t *fn) {
  wl_mf_init(f, &l->arena, &l->oom);
  f->max_regs = register_limit(l, fn);
  wl_lower_cluster_size(l, fn);
  if (wl_isel_function(l, f, fn) && !passes(f))
    wl_diag_add(l->diags, WL_DIAG_UNSUPPORTED, fn->pos, "11.4.1",
                "'%s' cannot be fitted into %u registers", fn->name, f->max_regs);
}

/* Instead of a refused function: whoever comes here traps. */
void wl_lower_trap(wl_lower_t *l, const wl_ptx_func_t *fn) {
  wl_mfunc_t *f = &l->funcs[fn->id];
  static const uint16_t forms[] = {WL_MP_PROLOGUE, WL_FORM_TRAP, WL_FORM_EXIT};
  wl_mf_init(f, &l->arena, &l->oom);
  f->ptx = fn;
  f->is_entry = fn->is_entry;
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
    wl_mf_append(f, &(wl_minsn_t){.form = forms[i], .pos = fn->pos});
  (void)passes(f);
}

static void lower_function(wl_lower_t *l, const wl_ptx_func_t *fn) {
  wl_mfunc_t *f = &l->funcs[fn->id];
  l->diags->owner = fn->owner;
  if (fn->nneeds == 0)
    select_function(l, f, fn);
  else /* parts that others refer to are missing in the tree */
    wl_lower_missing_callees(l, fn);
  l->diags->owner = 0;
  if (wl_lower_is_refused(l, fn)) wl_lower_trap(l, fn);
}

/* Pieces of functions that other functions need: symbols before bodies. */
static void make_symbols(wl_lower_t *l) {
  for (uint32_t i = 0; i < l->m->nfuncs; i++) {
    const wl_ptx_func_t *fn = l->m->funcs[i];
    l->func_sym[i] = has_body(fn) ? wl_obj_add_sym(l->obj, fn->name, WL_OBJ_SYM_FUNC,
                                                   fn->linkage == WL_PTX_LINK_VISIBLE, 0, 0)
                                  : WL_OBJ_NONE;
  }
}

/* ---- addresses and code ---- */
static void place_code(wl_lower_t *l) {
  uint32_t pc = 0;
  for (uint32_t i = 0; i < l->m->nfuncs; i++) {
    wl_mfunc_t *f = &l->funcs[i];
    if (!has_body(l->m->funcs[i])) continue;
    f->code_base = pc;
    f->insn_pc = wl_mf_alloc(f, (f->ninsns + 1) * sizeof *f->insn_pc);
    uint32_t at = 0;
    for (size_t k = 0; k < f->ninsns; k++) {
      f->insn_pc[k] = at;
      at += wl_encode_size(f, &f->insns[k]);
    }
    f->insn_pc[f->ninsns] = at;
    l->obj->syms[l->func_sym[i]].value = pc;
    l->obj->syms[l->func_sym[i]].size = at;
    pc += at;
  }
}

static void emit_word(void *ctx, const uint32_t w[4]) { wl_obj_add_insn(ctx, w); }

static void add_line(wl_lower_t *l, const wl_minsn_t *insn, uint32_t pc, const uint32_t *files) {
  const wl_ptx_debug_loc_t *loc = insn->loc;
  uint32_t file = WL_OBJ_NONE;
  for (uint32_t k = 0; loc != NULL && k < l->m->nfiles; k++)
    if (l->m->files[k].index == loc->file) file = files[k];
  wl_obj_add_line(l->obj, pc, insn->pos.line, file, file == WL_OBJ_NONE ? 0 : loc->line);
}

static void write_tables(wl_lower_t *l, const wl_mfunc_t *f) {
  wl_obj_image_t *c1 = &l->obj->image[WL_OBJ_C1];
  for (size_t t = 0; t < f->ntables; t++)
    for (uint32_t k = 0; k < f->tables[t].count; k++) {
      const uint32_t pc = f->code_base + f->insn_pc[f->blocks[f->tables[t].targets[k]].first];
      for (uint32_t b = 0; b < 4; b++)
        c1->data[f->tables[t].c1_offset + 4 * k + b] = (uint8_t)(pc >> (8 * b));
    }
}

static void emit_code(wl_lower_t *l) {
  uint32_t *files = wl_lower_zalloc(l, (l->m->nfiles + 1) * sizeof *files);
  for (uint32_t i = 0; i < l->m->nfiles; i++)
    files[i] = wl_obj_add_file(l->obj, l->m->files[i].name);
  for (uint32_t i = 0; i < l->m->nfuncs; i++) {
    wl_mfunc_t *f = &l->funcs[i];
    if (!has_body(l->m->funcs[i]) || l->obj->failed) continue;
    for (size_t k = 0; k < f->ninsns; k++) {
      wl_minsn_t *insn = &f->insns[k];
      for (uint32_t m = insn->marks; m != 0; m &= m - 1)
        wl_obj_add_mark(l->obj, l->obj->code_count, (uint32_t)__builtin_ctz(m));
      if (wl_encode_size(f, insn) == 0) continue;
      if (insn->form == WL_FORM_CALL) insn->imm = l->funcs[insn->call->callee->id].code_base;
      add_line(l, insn, l->obj->code_count, files);
      wl_encode(f, insn, emit_word, l->obj);
    }
    write_tables(l, f);
    wl_lower_ptxregs(l, f);
  }
}

/* ---- notes ---- */
typedef struct reach {
  wl_lower_t *l;
  uint8_t *state;  /* per function: 0 new, 1 on the path, 2 done */
  uint32_t *depth; /* per function: frame bytes including its callees */
  bool recursive;  /* recursion or indirect calls: depth unknown */
  uint32_t regs, preds;
  bool *seen; /* functions reached from the entry */
} reach_t;

static void visit(reach_t *r, uint32_t id, int nesting) {
  const wl_mfunc_t *f = &r->l->funcs[id];
  if (r->state[id] == 1 || nesting > 1000) {
    r->recursive = true;
    return;
  }
  if (r->state[id] == 2) return;
  r->state[id] = 1;
  r->seen[id] = true;
  uint32_t below = 0;
  for (size_t k = 0; k < f->ninsns; k++) {
    const wl_minsn_t *i = &f->insns[k];
    if (i->form == WL_FORM_CALLX) r->recursive = true;
    if (i->form != WL_FORM_CALL) continue;
    visit(r, i->call->callee->id, nesting + 1);
    if (r->depth[i->call->callee->id] > below) below = r->depth[i->call->callee->id];
  }
  r->depth[id] = wl_mf_frame(f) + below;
  r->state[id] = 2;
}

/* An indirect call may reach every function of the module. */
static void visit_all(reach_t *r) {
  for (uint32_t i = 0; i < r->l->m->nfuncs; i++)
    if (has_body(r->l->m->funcs[i]) && !r->l->m->funcs[i]->is_entry) visit(r, i, 0);
}

static wl_obj_type_t param_type(const wl_ptx_var_t *v) {
  if (v->is_array || v->vec > 1) return WL_OBJ_BYTES;
  switch (v->type) {
#define T(x)                                                                                       \
  case WL_PTX_T_##x:                                                                               \
    return WL_OBJ_##x;
    /* clang-format off */
    T(U8) T(U16) T(U32) T(U64) T(S8) T(S16) T(S32) T(S64) T(B8) T(B16) T(B32) T(B64) T(F16) T(F32) T(F64)
    /* clang-format on */
#undef T
        default : return WL_OBJ_BYTES;
  }
}

static uint32_t space_code(wl_ptx_space_t space) {
  static const uint8_t codes[] = {
#define WL_SPACE(id, ptx, code, llvm, qual, win, gen, init, decl) code,
#include "isa/def/space.def"
#undef WL_SPACE
  };
  return codes[space];
}

static void add_params(wl_lower_t *l, wl_obj_entry_t *e, const wl_ptx_func_t *fn) {
  for (uint32_t i = 0; i < fn->proto.nparams; i++) {
    const wl_ptx_var_t *v = fn->proto.params[i].var;
    if (v == NULL) continue;
    wl_obj_add_param(l->obj, e, v->name, param_type(v), (uint32_t)v->size, v->align,
                     v->is_ptr ? space_code(v->ptr_space) : WL_OBJ_NONE, v->ptr_align);
  }
}

/* Highest barrier number an entry may use, plus one; register numbers count as all. */
static uint32_t barriers_used(const wl_lower_t *l, const bool *seen) {
  uint32_t n = 0;
  for (uint32_t f = 0; f < l->m->nfuncs; f++) {
    for (size_t k = 0; seen[f] && k < l->funcs[f].ninsns; k++) {
      const wl_minsn_t *i = &l->funcs[f].insns[k];
      if (i->form >= WL_NUM_FORMS || wl_form_info[i->form].unit != WL_UNIT_BAR) continue;
      const bool imm = wl_form_info[i->form].imm == WL_IMM_G;
      const uint32_t used = imm ? (i->imm & 15) + 1 : 16;
      if (used > n) n = used;
    }
  }
  return n;
}

/* Options of config.def that the forms of an entry need. */
static uint32_t units_used(const wl_lower_t *l, const bool *seen) {
  uint32_t units = 0;
  for (uint32_t f = 0; f < l->m->nfuncs; f++)
    for (size_t k = 0; seen[f] && k < l->funcs[f].ninsns; k++) {
      const uint32_t form = l->funcs[f].insns[k].form;
      if (form < WL_NUM_FORMS) units |= wl_form_info[form].options;
    }
  return units;
}

/* Static shared bytes of an entry that reaches functions naming `common` or dynamic variables. */
static uint32_t static_shared(const wl_lower_t *l, const wl_ptx_func_t *entry, const bool *seen) {
  bool common = false, dynamic = false;
  for (uint32_t f = 0; f < l->m->nfuncs; f++) {
    const wl_ptx_func_t *fn = l->m->funcs[f];
    for (uint32_t k = 0; seen[f] && k < fn->ninsns; k++)
      for (uint32_t o = 0; o < fn->insns[k].noperands; o++) {
        const wl_ptx_var_t *v = fn->insns[k].operands[o].var;
        if (v == NULL || v->space != WL_PTX_SPACE_SHARED) continue;
        if (v->unsized || v->linkage == WL_PTX_LINK_EXTERN)
          dynamic = true;
        else
          common = true;
      }
  }
  if (dynamic) return l->shared_base;
  if (l->shared_end[entry->id] != 0) return l->shared_end[entry->id];
  return common ? l->shared_common : 0;
}

static void add_entry(wl_lower_t *l, const wl_ptx_func_t *fn) {
  reach_t r = {.l = l};
  const uint32_t n = l->m->nfuncs;
  r.state = wl_lower_zalloc(l, n);
  r.depth = wl_lower_zalloc(l, n * sizeof *r.depth);
  r.seen = wl_lower_zalloc(l, n);
  visit(&r, fn->id, 0);
  bool indirect = false;
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; r.seen[k] && i < l->funcs[k].ninsns; i++)
      indirect |= l->funcs[k].insns[i].form == WL_FORM_CALLX;
  if (indirect) visit_all(&r);
  wl_obj_entry_t *e = wl_obj_add_entry(l->obj, fn->name, l->funcs[fn->id].code_base);
  if (e == NULL) return;
  for (uint32_t i = 0; i < n; i++) {
    if (!r.seen[i]) continue;
    if (l->funcs[i].regs > e->regs) e->regs = l->funcs[i].regs;
    if (l->funcs[i].preds > e->preds) e->preds = l->funcs[i].preds;
  }
  e->local_bytes = r.recursive ? WL_OBJ_LOCAL_BY_DEPTH : r.depth[fn->id];
  e->barriers = barriers_used(l, r.seen);
  e->units = units_used(l, r.seen);
  e->smem_static = static_shared(l, fn, r.seen);
  e->smem_align = l->shared_align;
  memcpy(e->reqntid, fn->reqntid, sizeof e->reqntid);
  memcpy(e->maxntid, fn->maxntid, sizeof e->maxntid);
  e->minctapersm = fn->minnctapersm;
  e->maxnreg = (fn->perf & WL_PTX_PERF_MAXNREG) != 0 ? fn->maxnreg : 0;
  add_params(l, e, fn);
}

/* ---- the run ---- */
static void run(wl_lower_t *l) {
  const wl_ptx_module_t *m = l->m;
  l->vars = wl_lower_zalloc(l, m->nvars * sizeof *l->vars);
  l->func_vars = wl_lower_zalloc(l, m->nfuncs * sizeof *l->func_vars);
  l->func_sym = wl_lower_zalloc(l, m->nfuncs * sizeof *l->func_sym);
  l->funcs = wl_lower_zalloc(l, m->nfuncs * sizeof *l->funcs);
  l->shared_end = wl_lower_zalloc(l, m->nfuncs * sizeof *l->shared_end);
  for (uint32_t i = 0; i < m->nfuncs; i++)
    l->func_vars[i] = wl_lower_zalloc(l, m->funcs[i]->nvars * sizeof **l->func_vars);
  make_symbols(l);
  wl_lower_vars(l);
  for (uint32_t i = 0; i < m->nfuncs; i++)
    if (has_body(m->funcs[i])) lower_function(l, m->funcs[i]);
  wl_lower_cluster(l);
  if (l->diags->errors != 0) return;
  place_code(l);
  emit_code(l);
  for (uint32_t i = 0; i < m->nfuncs; i++)
    if (has_body(m->funcs[i]) && m->funcs[i]->is_entry) add_entry(l, m->funcs[i]);
  wl_lower_mark_entries(l);
}

int wl_lower_module(const wl_ptx_module_t *m, const wl_lower_options_t *options,
                    wl_diag_list_t *diags, wl_obj_t **out) {
  *out = NULL;
  wl_lower_t *l = calloc(1, sizeof *l);
  if (l == NULL) return 70;
  l->m = m;
  l->diags = diags;
  l->max_regs = options == NULL || options->max_regs == 0 || options->max_regs > 255
                    ? 255
                    : options->max_regs;
  l->obj = wl_obj_new();
  if (l->obj == NULL || setjmp(l->oom) != 0)
    wl_diag_add(diags, WL_DIAG_INTERNAL, (wl_ptx_pos_t){0, 0}, NULL, "out of memory");
  else
    run(l);
  char why[160];
  if (diags->errors == 0 && wl_obj_verify(l->obj, why, sizeof why) != NULL)
    wl_diag_add(diags, WL_DIAG_INTERNAL, (wl_ptx_pos_t){0, 0}, NULL,
                "assembled module is not valid: %s", why);
  const int rc = wl_diag_exit_code(diags);
  if (rc == 0)
    *out = l->obj;
  else
    wl_obj_free(l->obj);
  wl_arena_free(&l->arena);
  free(l);
  return rc;
}
