/* translate.c: a kernel and the functions that it can reach, from syntax tree to code.h. Places the
 * variables of .shared [PTX 5.1.7] and of each function's frame (.local, and .param of functions
 * [PTX 5.1.6.4], which this interpreter keeps in the thread's local memory). */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/ptx/ptx.h"
#include "tests/oracle/module.h"

bool wl_or_tr_fail(wl_or_tr_t *t, const char *fmt, ...) {
  char reason[256] = "", form[128];
  va_list args;
  va_start(args, fmt);
  (void)vsnprintf(reason, sizeof reason, fmt, args);
  va_end(args);
  (void)wl_ptx_form_text(t->ast, form, sizeof form);
  (void)snprintf(t->p->error, t->p->cap, "%s:%u: %s: not known to the oracle: %s",
                 t->p->module->name, t->ast->pos.line, form, reason);
  return false;
}

static bool out_of_memory(wl_or_program_t *p) {
  (void)snprintf(p->error, p->cap, "out of memory");
  return false;
}

/* ---- what the kernel reaches ---- */
static void want(wl_or_program_t *p, const wl_ptx_func_t *f, bool *more) {
  while (f->alias_of != NULL) {
    f = f->alias_of;
  }
  *more = *more || !p->funcs[f->id].wanted;
  p->funcs[f->id].wanted = true;
}

static void scan_insn(wl_or_program_t *p, const wl_ptx_insn_t *insn, bool *more) {
  if (insn->call != NULL) {
    if (insn->call->func != NULL) {
      want(p, insn->call->func, more);
    }
    for (uint32_t i = 0; insn->call->table != NULL && i < insn->call->table->count; i++) {
      want(p, insn->call->table->funcs[i], more);
    }
  }
  for (uint32_t i = 0; i < insn->noperands; i++) {
    if (insn->operands[i].kind == WL_PTX_OPD_FUNC && !insn->operands[i].func->is_entry) {
      want(p, insn->operands[i].func, more);
    }
  }
}

static void place_shared(wl_or_program_t *p, const wl_ptx_var_t *v) {
  if (v == NULL || v->space != WL_PTX_SPACE_SHARED) {
    return;
  }
  for (size_t i = 0; i < p->nshared; i++) {
    if (p->shared[i].var == v) {
      return;
    }
  }
  uint64_t at = 0; /* of dynamic ones: set at the end */
  if (!v->unsized) {
    p->shared_end = (p->shared_end + v->align - 1) / v->align * v->align;
    at = p->shared_end;
    p->shared_end += (uint32_t)v->size;
  }
  p->shared[p->nshared++] = (wl_or_placed_t){v, at};
}

/* Functions whose addresses stand in initialisers can be called by any kernel. */
static void want_initialisers(wl_or_program_t *p, bool *more) {
  const wl_ptx_module_t *m = p->module->ptx;
  for (uint32_t i = 0; i < m->nvars; i++) {
    for (uint32_t k = 0; k < m->vars[i]->nrelocs; k++) {
      const wl_ptx_func_t *f = m->vars[i]->relocs[k].func;
      if (f != NULL && !f->is_entry) {
        want(p, f, more);
      }
    }
  }
}

static bool reach(wl_or_program_t *p) {
  const wl_ptx_module_t *m = p->module->ptx;
  size_t most = m->nvars;
  bool more = true;
  want_initialisers(p, &more);
  while (more) {
    more = false;
    for (uint32_t i = 0; i < m->nfuncs; i++) {
      for (uint32_t k = 0; p->funcs[i].wanted && k < m->funcs[i]->ninsns; k++) {
        scan_insn(p, &m->funcs[i]->insns[k], &more);
      }
    }
  }
  for (uint32_t i = 0; i < m->nfuncs; i++) {
    most += m->funcs[i]->nvars;
  }
  p->shared = wl_arena_alloc(&p->arena, (most + 1) * sizeof *p->shared);
  if (p->shared == NULL) {
    return out_of_memory(p);
  }
  for (uint32_t i = 0; i < m->nfuncs; i++) {
    for (uint32_t k = 0; p->funcs[i].wanted && k < m->funcs[i]->ninsns; k++) {
      const wl_ptx_insn_t *insn = &m->funcs[i]->insns[k];
      for (uint32_t o = 0; o < insn->noperands; o++) {
        place_shared(p, insn->operands[o].var);
      }
    }
  }
  uint32_t align = 16;
  for (size_t i = 0; i < p->nshared; i++) {
    const wl_ptx_var_t *v = p->shared[i].var;
    align = v->unsized && v->align > align ? v->align : align;
  }
  p->dynamic_at = (p->shared_end + align - 1) / align * align;
  for (size_t i = 0; i < p->nshared; i++) {
    if (p->shared[i].var->unsized) {
      p->shared[i].at = p->dynamic_at;
    }
  }
  return true;
}

/* ---- frames ---- */
static uint32_t place(uint32_t *end, uint32_t align, uint64_t size) {
  uint32_t at = (*end + align - 1) / align * align;
  *end = at + (uint32_t)size;
  return at;
}

static void place_formals(wl_or_func_t *f, const wl_ptx_formal_t *list, uint32_t n,
                          wl_or_param_t *out) {
  for (uint32_t i = 0; i < n; i++) {
    if (list[i].var != NULL) {
      out[i].in_frame = true;
      out[i].size = (uint32_t)list[i].var->size;
      out[i].offset = place(&f->frame_bytes, list[i].var->align, list[i].var->size);
    } else {
      unsigned bits = wl_ptx_type_bits(list[i].reg->type);
      out[i].size = bits / 8;
      out[i].reg = (wl_or_dst_t){f->reg_slot[list[i].reg->id], wl_or_mask(bits)};
    }
  }
}

/* Slots of registers and offsets of variables; all frames first, for calls need the callee's. */
static bool lay_out(wl_or_program_t *p, wl_or_func_t *f) {
  const wl_ptx_func_t *a = f->ast;
  const wl_ptx_proto_t *proto = &a->proto;
  f->reg_slot = wl_arena_alloc(&p->arena, (a->nregs + 1) * sizeof *f->reg_slot);
  f->var_offset = wl_arena_alloc(&p->arena, (a->nvars + 1) * sizeof *f->var_offset);
  f->params = wl_arena_alloc(&p->arena, (proto->nparams + 1) * sizeof *f->params);
  f->rets = wl_arena_alloc(&p->arena, (proto->nrets + 1) * sizeof *f->rets);
  f->code = wl_arena_alloc(&p->arena, (a->ninsns + 1) * sizeof *f->code);
  if (f->reg_slot == NULL || f->var_offset == NULL || f->params == NULL || f->rets == NULL ||
      f->code == NULL) {
    return out_of_memory(p);
  }
  f->nslots = 1;
  for (uint32_t i = 0; i < a->nregs; i++) {
    f->reg_slot[i] = f->nslots;
    f->nslots += a->regs[i]->vec * (wl_ptx_type_bits(a->regs[i]->type) == 128 ? 2u : 1u);
  }
  if (!a->is_entry) {
    place_formals(f, proto->params, proto->nparams, f->params);
    place_formals(f, proto->rets, proto->nrets, f->rets);
  }
  for (uint32_t i = 0; i < a->nvars; i++) {
    const wl_ptx_var_t *v = a->vars[i];
    if (v->space == WL_PTX_SPACE_LOCAL || v->role == WL_PTX_VAR_LOCAL_PARAM) {
      f->var_offset[v->id] = place(&f->frame_bytes, v->align, v->size);
    }
  }
  f->frame_bytes = (f->frame_bytes + 15) / 16 * 16;
  return true;
}

static bool translate_insn(wl_or_program_t *p, wl_or_func_t *f, uint32_t i) {
  wl_or_tr_t t = {p, f, &f->ast->insns[i], &f->code[i]};
  *t.out = (wl_or_insn_t){.ast = t.ast, .fm = {.round = WL_OR_RN}};
  if (t.ast->guard != NULL) {
    t.out->guarded = true;
    t.out->guard_neg = t.ast->guard_neg;
    t.out->guard = f->reg_slot[t.ast->guard->id];
  }
  return wl_or_tr_insn(&t);
}

/* Every function ends with an implied ret. */
static bool translate_function(wl_or_program_t *p, wl_or_func_t *f) {
  for (uint32_t i = 0; i < f->ast->ninsns; i++) {
    if (!translate_insn(p, f, i)) {
      return false;
    }
  }
  f->code[f->ast->ninsns] = (wl_or_insn_t){.op = OR_RET};
  f->count = f->ast->ninsns + 1;
  return true;
}

bool wl_or_translate(wl_or_program_t *p, const char *entry) {
  const wl_ptx_module_t *m = p->module->ptx;
  p->funcs = wl_arena_alloc(&p->arena, (m->nfuncs + 1) * sizeof *p->funcs);
  if (p->funcs == NULL) {
    return out_of_memory(p);
  }
  p->shared_end = p->shared_start;
  for (uint32_t i = 0; i < m->nfuncs; i++) {
    p->funcs[i].ast = m->funcs[i];
    if (m->funcs[i]->is_entry && strcmp(m->funcs[i]->name, entry) == 0) {
      p->entry = &p->funcs[i];
      p->funcs[i].wanted = true;
    }
  }
  if (p->entry == NULL) {
    (void)snprintf(p->error, p->cap, "%s: no .entry %s", p->module->name, entry);
    return false;
  }
  bool ok = reach(p);
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; ok && i < m->nfuncs; i++) {
      if (p->funcs[i].wanted) {
        ok = pass == 0 ? lay_out(p, &p->funcs[i]) : translate_function(p, &p->funcs[i]);
      }
    }
  }
  return ok;
}

void wl_or_program_free(wl_or_program_t *p) { wl_arena_free(&p->arena); }
