/* gpu/sm.c: one SM (docs/microarchitecture.md 0.1): reset, and the steps of a cycle in the order in which
 * wires need each other. What the units do is in their own files; the device is gpu/gpu.c. */
#include "cmodel/gpu/sm.h"

#define RESET(name, type, rest, when)     wl_##name##_reset(&sm->name, &sm->env);
#define RESET_SUB(name, type, rest, when) wl_##name##_reset(&sm->sub[k].name, &sm->env, k);

void wl_sm_reset(wl_sm_t *sm) {
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++) {
    WL_SUB_UNITS(RESET_SUB)
  }
  WL_SM_UNITS(RESET)
}

/* ---- what units show of their state */
void wl_sm_expose(wl_sm_t *sm) {
  static const wl_x1_wire_t no_step = {.valid = false};
  wl_wires_t *w = &sm->wires;
  w->bar_result = sm->barrier.result;
  w->pm = sm->monitor.pm;
  w->copies = sm->lsu.copy;
  w->bulks = sm->copy.group;
  w->columns = sm->columns.unit;
  w->column_base = sm->columns.base;
  for (unsigned k = 0; k < WL_MOST_SUB_CORES; k++) {
    const wl_paths_t *p = &sm->sub[k].paths;
    wl_sub_wires_t *sub = &w->sub[k];
    memset(sub->ready, true, sizeof sub->ready); /* units that are never busy */
    sub->x1 = sub->fixed = sub->fixed_next = sub->fixed_late = &no_step;
    sub->tmem_free = true;
    sub->result_taken = -1;
    sub->ib = sm->sub[k].fetch.ib;
    sub->pred = sm->sub[k].operands.regs.pred;
    sub->cur_mask = p->cur_mask;
    sub->live = p->live;
    sub->exist = p->exist;
    sub->released = p->released;
    sub->waiting = p->waiting;
    sub->xmask = p->xmask;
    sub->stop_pc = p->stop_pc;
  }
}

void wl_sm_show(wl_sm_t *sm) {
  wl_wires_t *w = &sm->wires;
  w->trap_pending = sm->trap.latched.valid;
  w->bar_wake = sm->barrier.wake;
  w->bar_requesting = sm->barrier.requesting;
  w->cluster_wait = sm->barrier.cluster_wait;
  w->wait_wake = sm->barrier.wait_wake;
  w->smem_gen = sm->smem.gen;
  if (sm->env.cfg.has_chunk) w->chunk_first = sm->chunk.lost >= WL_AGE_LIMIT;
  if (sm->env.cfg.copy) w->copy_available = !sm->copy.awake || wl_copy_available(&sm->copy);
  w->columns_available = !sm->columns.way;
  w->tmem_words = sm->sub[0].tmem.words;
  if (sm->env.cfg.umma) w->umma_available = !sm->umma.awake || wl_umma_available(&sm->umma);
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++) {
    const wl_sub_t *s = &sm->sub[k];
    wl_sub_wires_t *sub = &w->sub[k];
    sub->run = s->paths.run;
    sub->ctl = s->paths.ctl;
    sub->alive = s->paths.alive;
    sub->stop_valid = s->paths.stop_valid;
    sub->ib_valid = s->fetch.ib_valid;
    sub->missing = s->fetch.miss.valid;
    sub->is_left = s->issue.is_left;
    sub->inflight_any = s->issue.inflight_any;
    sub->vwb_lost = s->writeback.lost;
  }
}

/* ---- wires */
/* Whether the result queue of sub-core k or a unit that uses it works, or did in the cycle before. */
static bool result_works(wl_sm_t *sm, unsigned k) {
  const wl_sub_t *sub = &sm->sub[k];
  wl_sub_wires_t *w = &sm->wires.sub[k];
  const bool shown = w->result_works;
  const bool works = sm->umma.awake || wl_tensor_at_work(&sub->tensor) ||
                     wl_fp64_at_work(&sub->fp64) || sm->env.cfg.probe != 0 || sub->tmem.awake ||
                     (shown && !wl_result_rests(&sub->result));
  w->result_works = works || w->tmem_shown || sm->wires.umma_shown;
  return w->result_works || shown;
}

/* Chunk port, result queue and what uses them. Copy engine: behind the LSU, whose request it precedes; products
 * in tensor memory: behind that, the tensor units and tensor memory. While these two have no command and
 * there is no probe, the chunk port is at rest and stays so. */
static void optional_out(wl_sm_t *sm) {
  const wl_config_t *cfg = &sm->env.cfg;
  sm->wires.chunk_works = sm->copy.awake || sm->umma.awake || cfg->probe != 0;
  if (sm->wires.chunk_works) wl_chunk_out(&sm->chunk, &sm->env, &sm->wires);
  if (sm->copy.awake || sm->wires.copy_shown) wl_copy_out(&sm->copy, &sm->env, &sm->wires);
  if (cfg->has_result == 0) return;
  for (unsigned k = 0; k < cfg->sub_cores; k++) {
    if (!result_works(sm, k)) continue;
    if (sm->sub[k].tmem.awake || sm->wires.sub[k].tmem_shown)
      wl_tmem_out(&sm->sub[k].tmem, &sm->env, &sm->wires, k);
    wl_result_out(&sm->sub[k].result, &sm->env, &sm->wires, k);
    if (cfg->tensor != 0) wl_tensor_out(&sm->sub[k].tensor, &sm->env, &sm->wires, k);
    if (cfg->fp64 != 0) wl_fp64_out(&sm->sub[k].fp64, &sm->env, &sm->wires, k);
    if (cfg->probe != 0) wl_probe_out(&sm->sub[k].probe, &sm->env, &sm->wires, k);
  }
  if (sm->umma.awake || sm->wires.umma_shown) wl_umma_out(&sm->umma, &sm->env, &sm->wires);
}

static void optional_arb(wl_sm_t *sm) {
  const wl_config_t *cfg = &sm->env.cfg;
  if (sm->wires.chunk_works) wl_chunk_arb(&sm->chunk, &sm->env, &sm->wires);
  if (cfg->has_result == 0) return;
  for (unsigned k = 0; k < cfg->sub_cores; k++) {
    if (!sm->wires.sub[k].result_works) continue;
    wl_result_arb(&sm->sub[k].result, &sm->env, &sm->wires, k);
    if (cfg->probe != 0) wl_probe_arb(&sm->sub[k].probe, &sm->env, &sm->wires, k);
  }
}

void wl_sm_out(wl_sm_t *sm) {
  const wl_env_t *env = &sm->env;
  wl_wires_t *w = &sm->wires;
  wl_sm_show(sm);
  wl_smem_out(&sm->smem, env, w);
  wl_lsu_out(&sm->lsu, env, w);
  wl_ccache_out(&sm->ccache, env, w);
  wl_memissue_out(&sm->memissue, env, w);
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    wl_operands_out(&sm->sub[k].operands, env, w, k);
  if (sm->columns.awake || w->columns_shown) wl_columns_out(&sm->columns, env, w);
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    const wl_sub_t *sub = &sm->sub[k];
    wl_fetch_out(&sub->fetch, env, w, k);
    wl_exchange_out(&sub->exchange, env, w, k);
    wl_paths_out(&sub->paths, env, w, k);
  }
  if (env->optional) optional_out(sm);
  wl_barrier_out(&sm->barrier, env, w);
  wl_smport_out(&sm->smport, env, w);
  wl_dispatcher_out(&sm->dispatcher, env, w);
}

void wl_sm_arb(wl_sm_t *sm) {
  const wl_env_t *env = &sm->env;
  wl_wires_t *w = &sm->wires;
  wl_smport_arb(&sm->smport, env, w);
  if (env->optional) optional_arb(sm);
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    const wl_sub_t *sub = &sm->sub[k];
    wl_writeback_arb(&sub->writeback, env, w, k);
    wl_issue_arb(&sub->issue, env, w, k);
    wl_fetch_arb(&sub->fetch, env, w, k);
  }
  wl_dispatcher_arb(&sm->dispatcher, env, w);
  wl_monitor_arb(&sm->monitor, env, w);
}

/* ---- updates */
/* Whether the configuration has the unit. */
#define HAS_every(cfg)              true
#define HAS_has_result(cfg)         ((cfg)->has_result != 0)
#define HAS_has_chunk(cfg)          ((cfg)->has_chunk != 0)
#define HAS_copy(cfg)               ((cfg)->copy != 0)
#define HAS_probe(cfg)              ((cfg)->probe != 0)
#define HAS_tensor(cfg)             ((cfg)->tensor != 0)
#define HAS_fp64(cfg)               ((cfg)->fp64 != 0)
#define HAS_tmem(cfg)               ((cfg)->tmem != 0)
#define HAS_umma(cfg)               ((cfg)->umma != 0)
#define HAS(name, type, rest, when) || HAS_##when(cfg)

bool wl_sm_has_optional(const wl_config_t *cfg) {
  return false WL_SUB_OPTIONAL(HAS) WL_SM_OPTIONAL(HAS);
}

#define UPDATE(name, type, rest, when)                                                             \
  static void update_##name(wl_sm_t *sm) {                                                         \
    if (HAS_##when(&sm->env.cfg)) wl_##name##_update(&sm->name, &sm->env, &sm->wires);             \
  }
#define UPDATE_SUB(name, type, rest, when)                                                         \
  static void update_##name(wl_sm_t *sm, unsigned k) {                                             \
    if (HAS_##when(&sm->env.cfg)) wl_##name##_update(&sm->sub[k].name, &sm->env, &sm->wires, k);   \
  }
WL_SUB_UNITS(UPDATE_SUB)
WL_SM_UNITS(UPDATE)
#define CALL(name, type, rest, when)     update_##name(sm);
#define CALL_SUB(name, type, rest, when) update_##name(sm, k);
#define NAME(name, type, rest, when)     update_##name,

/* The issue may be for an optional unit, or close a group of its copies. */
static bool calls_optional(const wl_issue_wire_t *is) {
  static const uint32_t optional = 1u << WL_UNIT_TENSOR | 1u << WL_UNIT_FP64 | 1u << WL_UNIT_PROBE |
                                   1u << WL_UNIT_COPY | 1u << WL_UNIT_TMEM | 1u << WL_UNIT_UMMA;
  return is->valid && (is->ctl || (optional >> is->insn->dec.unit & 1) != 0);
}

/* Units that are at rest and not called stay as they are. */
static void update_optional(wl_sm_t *sm) {
  const wl_wires_t *w = &sm->wires;
  const bool shared = w->gpu->clear || w->chunk_works || sm->columns.awake;
  bool called = false;
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++) {
    const bool mine = calls_optional(&w->sub[k].issue);
    called |= mine;
    if (!mine && !shared && !w->sub[k].result_works) continue;
    WL_SUB_OPTIONAL(CALL_SUB)
  }
  if (!called && !shared) return;
  WL_SM_OPTIONAL(CALL)
}

void wl_sm_update(wl_sm_t *sm) {
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++) {
    WL_SUB_EVERY(CALL_SUB)
  }
  WL_SM_EVERY(CALL)
  if (sm->env.optional) update_optional(sm);
}

void wl_sm_update_reversed(wl_sm_t *sm) {
  static void (*const of_sm[])(wl_sm_t *) = {WL_SM_UNITS(NAME)};
  static void (*const of_sub[])(wl_sm_t *, unsigned) = {WL_SUB_UNITS(NAME)};
  for (size_t i = sizeof of_sm / sizeof of_sm[0]; i-- > 0;)
    of_sm[i](sm);
  for (unsigned k = sm->env.cfg.sub_cores; k-- > 0;)
    for (size_t i = sizeof of_sub / sizeof of_sub[0]; i-- > 0;)
      of_sub[i](sm, k);
}

/* ---- rest */
void wl_sm_rest(wl_sm_t *sm) {
  wl_memissue_rest(&sm->memissue, &sm->env);
  wl_monitor_rest(&sm->monitor, &sm->env);
}

bool wl_sm_moves(const wl_sm_t *sm) {
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++) {
    const wl_fetch_t *f = &sm->sub[k].fetch;
    if (f->f2.valid || f->d1.valid || f->d2.valid) return true;
  }
  return false;
}

#define BUSY_REST(unit, name) busy |= wl_##name##_busy(&(unit)->name, &sm->env);
#define BUSY_NONE(unit, name)
#define BUSY(name, type, rest, when)     BUSY_##rest(sm, name)
#define BUSY_SUB(name, type, rest, when) BUSY_##rest(&sm->sub[k], name)

uint32_t wl_sm_busy(const wl_sm_t *sm) {
  uint32_t busy = 0;
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++) {
    WL_SUB_UNITS(BUSY_SUB)
  }
  WL_SM_UNITS(BUSY)
  return busy;
}
