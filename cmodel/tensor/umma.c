/* tensor/umma.c: docs/microarchitecture.md 25, 26: products in tensor memory: commands from their resolve
 * to their end, and the arrival of a commit at its mbarrier. Operands on their way are umma_fetch.c's,
 * umma_read.c's and umma_scale.c's, the work is umma_engine.c's and umma_copy.c's. */
#include "cmodel/tensor/umma.h"

#include <string.h>

void wl_umma_reset(wl_umma_t *u, const wl_env_t *env) {
  (void)env;
  memset(u, 0, sizeof *u);
  u->fetch.left = 0xff;
}

bool wl_umma_available(const wl_umma_t *u) { return !u->entry[u->put].used && !u->way; }

/* ---- judgement (25.2) */
static void judge(const wl_umma_t *u, const wl_env_t *env, wl_wires_t *w) {
  const wl_flight_t *f = wl_lane_resolves(env, w, WL_UNIT_UMMA);
  uint64_t address = 0;
  if (f == NULL) return;
  const wl_trap_t cause = wl_umma_judge(u->word, f, env, w, &address);
  w->umma_fault = cause != WL_TRAP_NONE;
  if (w->umma_fault) w->trap[WL_SRC_UMMA] = wl_lane_fault(f, cause, address);
}

static void accept(wl_umma_t *u, const wl_env_t *env, const wl_flight_t *f) {
  u->entry[u->put] = wl_umma_take(u->word, f, env);
  u->put = wl_umma_after(env, u->put);
}

/* ---- the end (25.8) */
static void end_out(const wl_umma_t *u, const wl_env_t *env, wl_wires_t *w) {
  const wl_umma_entry_t *e = &u->entry[u->fin];
  w->umma_free.warp = e->warp;
  if (!e->used) return;
  if (e->op != WL_UMMA_COMMIT) {
    w->umma_free.valid = u->engine.all_in && wl_umma_engine_empty(u, env);
    return;
  }
  if (!e->signalled) {
    wl_smem_signal(w, WL_SIGNAL_UMMA, WL_MBAR_ARRIVE, e->base + e->mbarrier, 1);
    return;
  }
  w->umma_free.valid = w->smem_rsp.valid && w->smem_rsp.signal == WL_SIGNAL_UMMA;
  if (w->umma_free.valid && w->smem_rsp.misuse)
    wl_smem_misuse(w, WL_SRC_UMMA, e->warp, e->lane, e->pc);
}

void wl_umma_record(const wl_env_t *env, const wl_umma_entry_t *e, uint32_t event) {
  const uint32_t words[4] = {event, e->warp, e->lane, e->pc};
  wl_journal(env, WL_J_UMMA, words, 4);
}

static void end_update(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w) {
  wl_umma_entry_t *e = &u->entry[u->fin];
  if (w->smem_req.valid && w->smem_req.signal == WL_SIGNAL_UMMA && w->smem_ready)
    e->signalled = true;
  if (!w->umma_free.valid) return;
  wl_umma_record(env, e, e->op == WL_UMMA_COMMIT ? 2 : 1);
  u->engine.all_in = u->scale.in = false;
  e->used = false;
  u->fin = wl_umma_after(env, u->fin);
}

/* ---- the unit */
void wl_umma_out(const wl_umma_t *u, const wl_env_t *env, wl_wires_t *w) {
  w->umma_shown = u->awake;
  w->umma_fault = w->umma_free.valid = w->umma_steps = w->umma_ends_block = false;
  w->umma_reads_a = w->umma_reads_d = w->umma_reads_scales = false;
  w->trap[WL_SRC_UMMA].valid = w->chunk_req[WL_CHUNK_UMMA].valid = false;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    w->sub[k].umma_row.valid = w->sub[k].umma_reads = false;
  if (!u->awake) return;
  judge(u, env, w);
  wl_umma_fetch_out(u, env, w);
  wl_umma_engine_out(u, env, w);
  wl_umma_read_out(u, env, w);
  wl_umma_scale_out(u, env, w);
  end_out(u, env, w);
}

static void work(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w) {
  const wl_flight_t *f = wl_lane_resolves(env, w, WL_UNIT_UMMA);
  wl_umma_engine_update(u, env,
                        w); /* what the fetch changes is visible to these in the next cycle */
  wl_umma_copy_update(u, env);
  wl_umma_fetch_update(u, env, w);
  wl_umma_read_update(u, env, w);
  wl_umma_scale_update(u, env, w);
  end_update(u, env, w);
  wl_lane_words(u->word, WL_UMMA_WORDS, env, w, WL_UNIT_UMMA);
  if (f != NULL) {
    u->way = false;
    if (!w->umma_fault) accept(u, env, f);
  }
  u->awake = u->way || wl_umma_busy(u, env) != 0 || u->fetch.reads != 0;
}

void wl_umma_update(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w) {
  if (w->gpu->clear) {
    wl_umma_reset(u, env);
    return;
  }
  if (u->awake) work(u, env, w);
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    const wl_issue_wire_t *is = &w->sub[k].issue;
    if (is->valid && is->ctl && is->insn->dec.unit == WL_UNIT_UMMA) u->way = u->awake = true;
  }
}

uint32_t wl_umma_busy(const wl_umma_t *u, const wl_env_t *env) {
  bool busy = false;
  for (unsigned i = 0; i < env->cfg.umma_queue; i++)
    busy = busy || u->entry[i].used;
  return (uint32_t)busy << WL_REST_UMMA;
}
