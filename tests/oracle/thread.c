/* thread.c: one thread executes until its turn ends, it waits or it leaves [PTX 3, 9.7.12, 10]. */
#include <stdarg.h>
#include <stdio.h>

#include "isa/ptx/ptx.h"
#include "tests/oracle/run.h"

bool wl_or_fail(const wl_or_ctx_t *x, const char *fmt, ...) {
  char reason[256] = "", form[128] = "ret";
  const wl_or_program_t *p = x->grid->program;
  unsigned line = 0;
  va_list args;
  va_start(args, fmt);
  (void)vsnprintf(reason, sizeof reason, fmt, args);
  va_end(args);
  if (x->insn != NULL && x->insn->ast != NULL) {
    (void)wl_ptx_form_text(x->insn->ast, form, sizeof form);
    line = x->insn->ast->pos.line;
  }
  (void)snprintf(p->error, p->cap, "%s:%u: %s: %s (CTA %u,%u,%u thread %u,%u,%u)", p->module->name,
                 line, form, reason, x->cta->id[0], x->cta->id[1], x->cta->id[2], x->thread->tid[0],
                 x->thread->tid[1], x->thread->tid[2]);
  return false;
}

/* ---- special registers of one SM without clusters [PTX 10] ---- */
static uint32_t lanemask(wl_ptx_sreg_t r, uint32_t lane) {
  uint32_t self = UINT32_C(1) << lane, below = self - 1;
  switch (r) {
  case WL_PTX_SR_LANEMASK_EQ:
    return self;
  case WL_PTX_SR_LANEMASK_LE:
    return below | self;
  case WL_PTX_SR_LANEMASK_LT:
    return below;
  case WL_PTX_SR_LANEMASK_GE:
    return ~below;
  default:
    return ~(below | self);
  }
}

static uint64_t component(const uint32_t *v, uint8_t comp) { return comp < 3 ? v[comp] : 0; }

static uint64_t special(const wl_or_ctx_t *x, const wl_or_src_t *s) {
  const wl_or_launch_t *l = x->grid->launch;
  const wl_or_program_t *p = x->grid->program;
  uint32_t lane = x->thread->number % OR_LANES;
  uint64_t static_shared = p->shared_end - p->shared_start;
  switch ((wl_ptx_sreg_t)s->slot) {
  case WL_PTX_SR_TID:
    return component(x->thread->tid, s->comp);
  case WL_PTX_SR_NTID:
    return component(l->block, s->comp);
  case WL_PTX_SR_CLUSTERID:
  case WL_PTX_SR_CTAID:
    return component(x->cta->id, s->comp);
  case WL_PTX_SR_NCLUSTERID:
  case WL_PTX_SR_NCTAID:
    return component(l->grid, s->comp);
  case WL_PTX_SR_CLUSTER_NCTAID:
    return s->comp < 3;
  case WL_PTX_SR_CLUSTER_NCTARANK:
  case WL_PTX_SR_NSMID:
    return 1;
  case WL_PTX_SR_LANEID:
    return lane;
  case WL_PTX_SR_WARPID:
    return x->thread->number / OR_LANES;
  case WL_PTX_SR_NWARPID:
    return 64;
  case WL_PTX_SR_LANEMASK_EQ:
  case WL_PTX_SR_LANEMASK_LE:
  case WL_PTX_SR_LANEMASK_LT:
  case WL_PTX_SR_LANEMASK_GE:
  case WL_PTX_SR_LANEMASK_GT:
    return lanemask((wl_ptx_sreg_t)s->slot, lane);
  case WL_PTX_SR_CLOCK:
  case WL_PTX_SR_CLOCK64:
  case WL_PTX_SR_GLOBALTIMER:
  case WL_PTX_SR_GLOBALTIMER_LO:
    return x->grid->instructions; /* a clock of its own */
  case WL_PTX_SR_CLOCK_HI:
  case WL_PTX_SR_GLOBALTIMER_HI:
    return x->grid->instructions >> 32;
  case WL_PTX_SR_TOTAL_SMEM_SIZE:
  case WL_PTX_SR_AGGR_SMEM_SIZE:
    return static_shared + l->dynamic_shared;
  case WL_PTX_SR_DYNAMIC_SMEM_SIZE:
    return l->dynamic_shared;
  default:
    return 0; /* %smid, %gridid, %envreg, %pm, reserved shared memory, clusters of one */
  }
}

uint64_t wl_or_source(const wl_or_ctx_t *x, const wl_or_src_t *s) {
  uint64_t v;
  switch (s->kind) {
  case OR_S_REG:
    v = x->thread->regs[x->thread->reg_base + s->slot];
    break;
  case OR_S_FRAME:
    v = x->thread->local_base + s->imm;
    break;
  case OR_S_SREG:
    v = special(x, s);
    break;
  default:
    v = s->imm;
    break;
  }
  return (s->invert ? ~v : v) & s->mask;
}

/* ---- control ---- */
static bool leave(const wl_or_ctx_t *x) {
  x->thread->state = OR_DONE;
  return wl_or_left(x->grid, x->cta, x->thread);
}

static bool branch_indexed(const wl_or_ctx_t *x) {
  uint64_t at = wl_or_source(x, &x->insn->s[0]);
  if (at >= x->insn->ntargets) {
    return wl_or_fail(x, "index %u of %u targets", (unsigned)at, x->insn->ntargets);
  }
  x->thread->pc = x->insn->targets[at];
  return true;
}

static bool wait_at(const wl_or_ctx_t *x) {
  wl_or_thread_t *t = x->thread;
  t->wait = x->insn;
  for (unsigned i = 0; i < OR_SOURCES; i++) {
    t->value[i] = wl_or_source(x, &x->insn->s[i]);
  }
  if (x->insn->op == OR_ACTIVE) {
    t->state = OR_AT_ACTIVE;
    t->patience = 16;
    return true;
  }
  return x->insn->op == OR_BAR ? wl_or_arrive(x) : wl_or_meet(x);
}

/* The same place in another CTA of the cluster: there is one. */
static bool map_address(const wl_or_ctx_t *x) {
  if (wl_or_source(x, &x->insn->s[1]) != 0) {
    return wl_or_fail(x, "no CTA of this rank in the cluster");
  }
  wl_or_put(x->thread, x->insn->d[0], wl_or_source(x, &x->insn->s[0]));
  return true;
}

/* Everything that is not arithmetic. *turn is cut when others should go on. */
static bool other(const wl_or_ctx_t *x, uint32_t *turn) {
  wl_or_thread_t *t = x->thread;
  switch (x->insn->op) {
  case OR_NOP:
    return true;
  case OR_BRA:
    t->pc = x->insn->target;
    return true;
  case OR_BRX:
    return branch_indexed(x);
  case OR_CALL:
    return wl_or_call(x);
  case OR_RET:
    return t->depth != 0 ? wl_or_return(x) : leave(x);
  case OR_EXIT:
    return leave(x);
  case OR_TRAP:
    return wl_or_fail(x, "trap");
  case OR_SLEEP:
    *turn = 0;
    return true;
  case OR_BAR:
  case OR_WARP:
  case OR_LDMATRIX:
  case OR_STMATRIX:
  case OR_MOVMATRIX:
  case OR_WMMA_LOAD:
  case OR_WMMA_STORE:
  case OR_WMMA_MMA:
  case OR_MMA:
  case OR_ACTIVE:
    return wait_at(x);
  case OR_MBAR:
    return wl_or_mbarrier(x);
  case OR_MBWAIT:
    return wl_or_mbarrier_wait(x);
  case OR_MBPENDING:
    return wl_or_mbarrier_pending(x);
  case OR_CLUSTER:
    return wl_or_cluster(x);
  case OR_MAPA:
    return map_address(x);
  case OR_COPY:
    return wl_or_copy(x);
  case OR_BULK:
  case OR_BULK_RED:
    return wl_or_bulk(x);
  default:
    return wl_or_memory(x);
  }
}

static bool guard_holds(const wl_or_thread_t *t, const wl_or_insn_t *n) {
  return !n->guarded || ((t->regs[t->reg_base + n->guard] & 1) != 0) != n->guard_neg;
}

static void count_line(const wl_or_launch_t *l, const wl_or_insn_t *n) {
  if (n->ast != NULL && n->ast->pos.line < l->lines) {
    l->line_hits[n->ast->pos.line]++;
  }
}

bool wl_or_run_thread(wl_or_grid_t *g, wl_or_cta_t *cta, wl_or_thread_t *t, uint32_t budget) {
  wl_or_ctx_t x = {g, cta, t, NULL};
  for (uint32_t turn = budget; turn != 0 && t->state == OR_READY; turn -= turn != 0) {
    x.insn = &t->func->code[t->pc++];
    g->instructions++;
    if (!guard_holds(t, x.insn)) {
      continue;
    }
    if (g->launch->line_hits != NULL) {
      count_line(g->launch, x.insn);
    }
    bool ok;
    if (x.insn->op >= OR_MOV && x.insn->op <= OR_LAST_ARITH) {
      uint64_t s[5];
      for (unsigned i = 0; i < 5; i++) {
        s[i] = wl_or_source(&x, &x.insn->s[i]);
      }
      ok = true;
      if (wl_or_is_integer(x.insn->op)) {
        wl_or_put(t, x.insn->d[0], wl_or_integer(x.insn, s));
      } else {
        ok = wl_or_arith(&x, s);
      }
    } else {
      ok = other(&x, &turn);
    }
    if (!ok) {
      return false;
    }
  }
  return true;
}
