/* call.c: calls and returns [PTX 7.1, 9.7.12.5]: registers of a function are its own, arguments go
 * by value. Fresh registers and frames hold a pattern, so that a result that depends on them is
 * unlikely to look right. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/run.h"

/* Room for the registers and the frame of f above those in use. */
static bool make_room(const wl_or_grid_t *g, wl_or_thread_t *t, const wl_or_func_t *f) {
  size_t regs = (size_t)t->reg_base + f->nslots;
  size_t local = (size_t)t->local_base + f->frame_bytes;
  if (regs > t->regs_cap) {
    uint64_t *more = realloc(t->regs, 2 * regs * sizeof *more);
    if (more == NULL) {
      return false;
    }
    t->regs = more;
    t->regs_cap = 2 * regs;
  }
  if (local > t->local_cap) {
    uint8_t *more = realloc(t->local, 2 * local);
    if (more == NULL) {
      return false;
    }
    t->local = more;
    t->local_cap = 2 * local;
  }
  uint64_t mix = g->launch->per_thread ? (t->number + 1) * UINT64_C(0xd6e8feb86659fd93) : 0;
  for (size_t i = t->reg_base; i < regs; i++) {
    t->regs[i] = g->pattern ^ mix * (i + 1) ^ mix * (i + 1) >> 37;
  }
  for (size_t i = t->local_base; i < local; i++) {
    t->local[i - t->local_start] = (uint8_t)(g->pattern >> 8);
  }
  return true;
}

bool wl_or_start_thread(const wl_or_grid_t *g, wl_or_thread_t *t) {
  t->func = g->program->entry;
  uint32_t seed = (uint32_t)(g->launch->seed % 16);
  t->local_start = seed == 5 ? 0 : OR_LOCAL_START + seed * 256;
  t->local_base = t->local_start;
  t->state = OR_READY;
  return make_room(g, t, t->func);
}

void wl_or_free_thread(wl_or_thread_t *t) {
  free(t->regs);
  free(t->local);
  free(t->frames);
  free(t->copies);
  for (size_t i = 0; i < t->nbulks; i++) {
    free(t->bulks[i].data);
  }
  free(t->bulks);
  t->bulks = NULL;
  t->nbulks = t->bulks_cap = 0;
  t->copies = NULL;
  t->regs = NULL;
  t->local = NULL;
  t->frames = NULL;
  t->regs_cap = t->local_cap = t->frames_cap = t->ncopies = t->copies_cap = 0;
}

static bool push(wl_or_thread_t *t, const wl_or_call_t *call) {
  if (t->depth == t->frames_cap) {
    size_t cap = t->frames_cap == 0 ? 8 : 2 * t->frames_cap;
    wl_or_frame_t *more = realloc(t->frames, cap * sizeof *more);
    if (more == NULL) {
      return false;
    }
    t->frames = more;
    t->frames_cap = cap;
  }
  t->frames[t->depth++] = (wl_or_frame_t){t->func, t->pc, t->reg_base, t->local_base, call};
  return true;
}

static uint8_t *frame_at(wl_or_thread_t *t, uint32_t base, uint32_t offset) {
  return t->local + (base - t->local_start) + offset;
}

static const wl_or_func_t *callee(const wl_or_ctx_t *x) {
  const wl_or_call_t *call = x->insn->call;
  if (call->target != NULL) {
    return call->target;
  }
  const wl_or_program_t *p = x->grid->program;
  uint64_t address = wl_or_source(x, &x->insn->s[0]), id = (address - OR_CODE_BASE) / OR_CODE_STEP;
  bool ok = address % OR_CODE_STEP == 0 && id < p->module->ptx->nfuncs && p->funcs[id].wanted &&
            p->funcs[id].ast->defined && !p->funcs[id].ast->is_entry;
  if (!ok) {
    (void)wl_or_fail(x, "call to 0x%" PRIx64 ", which is no function", address);
    return NULL;
  }
  const wl_ptx_proto_t *proto = &p->funcs[id].ast->proto;
  if (proto->nparams != call->nargs || proto->nrets != call->nrets) {
    (void)wl_or_fail(x, "call of %s with %u arguments", p->funcs[id].ast->name, call->nargs);
    return NULL;
  }
  return &p->funcs[id];
}

bool wl_or_call(const wl_or_ctx_t *x) {
  wl_or_thread_t *t = x->thread;
  const wl_or_call_t *call = x->insn->call;
  const wl_or_func_t *f = callee(x), *caller = t->func;
  uint64_t value[OR_MAX_ARGS];
  if (f == NULL) {
    return false;
  }
  if (call->nargs > OR_MAX_ARGS || t->depth >= OR_MAX_DEPTH) {
    return wl_or_fail(x, "too many arguments or calls in one another");
  }
  for (uint32_t i = 0; i < call->nargs; i++) {
    value[i] = call->args[i].in_frame ? 0 : wl_or_source(x, &call->args[i].value);
  }
  uint32_t from = t->local_base;
  if (!push(t, call)) {
    return wl_or_fail(x, "out of memory");
  }
  t->reg_base += caller->nslots;
  t->local_base += caller->frame_bytes;
  t->func = f;
  t->pc = 0;
  if (!make_room(x->grid, t, f)) {
    return wl_or_fail(x, "out of memory");
  }
  for (uint32_t i = 0; i < call->nargs; i++) {
    const wl_or_param_t *a = &call->args[i], *p = &f->params[i];
    if (a->size != p->size) {
      return wl_or_fail(x, "argument %u has %u bytes, the parameter %u", i, a->size, p->size);
    }
    if (a->in_frame && !p->in_frame) {
      memcpy(&value[i], frame_at(t, from, a->offset), a->size);
    }
    if (!p->in_frame) {
      wl_or_put(t, p->reg, value[i]);
    } else if (a->in_frame) {
      memcpy(frame_at(t, t->local_base, p->offset), frame_at(t, from, a->offset), p->size);
    } else {
      memcpy(frame_at(t, t->local_base, p->offset), &value[i], p->size);
    }
  }
  return true;
}

bool wl_or_return(const wl_or_ctx_t *x) {
  wl_or_thread_t *t = x->thread;
  const wl_or_func_t *f = t->func;
  wl_or_frame_t to = t->frames[--t->depth];
  for (uint32_t i = 0; i < to.call->nrets; i++) {
    const wl_or_param_t *p = &f->rets[i], *a = &to.call->rets[i];
    uint64_t value = 0;
    if (a->size != p->size) {
      return wl_or_fail(x, "return value has %u bytes, its place %u", p->size, a->size);
    }
    if (!p->in_frame) {
      value = t->regs[t->reg_base + p->reg.slot];
    } else if (!a->in_frame) {
      memcpy(&value, frame_at(t, t->local_base, p->offset), p->size);
    }
    if (!a->in_frame) {
      t->regs[to.reg_base + a->reg.slot] = value & a->reg.mask;
    } else if (p->in_frame) {
      memmove(frame_at(t, to.local_base, a->offset), frame_at(t, t->local_base, p->offset),
              p->size);
    } else {
      memcpy(frame_at(t, to.local_base, a->offset), &value, a->size);
    }
  }
  t->func = to.func;
  t->pc = to.pc;
  t->reg_base = to.reg_base;
  t->local_base = to.local_base;
  return true;
}
