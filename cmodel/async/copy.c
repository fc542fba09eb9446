/* async/copy.c: docs/microarchitecture.md 23: the copy engine: commands from their resolve to their end, and
 * groups of them. Sectors on their way are async/copy_walk.c's. */
#include "cmodel/async/copy.h"

#include <string.h>

void wl_copy_reset(wl_copy_engine_t *c, const wl_env_t *env) {
  (void)env;
  memset(c, 0, sizeof *c);
}

bool wl_copy_available(const wl_copy_engine_t *c) { return !c->group[c->put].used && !c->way; }

static uint8_t after(const wl_env_t *env, uint8_t entry) {
  return (uint8_t)((entry + 1u) % env->cfg.copy_queue);
}

/* ---- commands (23.1) */
static bool leaves_memory(const wl_launch_block_t *b, uint64_t g, uint32_t bytes) {
  const uint64_t limit = wl_pair(b->mem_limit);
  return g < wl_pair(b->mem_base) || g > limit || bytes > limit - g;
}

/* The first that holds. */
static wl_trap_t fault_of(const uint32_t word[WL_COPY_WORDS], const wl_env_t *env, bool load,
                          uint64_t *address) {
  const uint64_t g = wl_pair(word);
  const uint32_t s = word[2], bytes = word[3], m = word[4];
  const uint32_t size = env->launch->smem_bytes;
  *address = g;
  if (g % 16 != 0) return WL_TRAP_MISALIGNED;
  *address = s;
  if (s % 16 != 0) return WL_TRAP_MISALIGNED;
  *address = m;
  if (load && m % 8 != 0) return WL_TRAP_MISALIGNED;
  *address = bytes;
  if (bytes == 0 || bytes % 16 != 0) return WL_TRAP_COPY_SIZE;
  *address = g;
  if (leaves_memory(env->launch, g, bytes)) return WL_TRAP_OUT_OF_BOUNDS;
  *address = s;
  if ((uint64_t)s + bytes > size) return WL_TRAP_OUT_OF_BOUNDS;
  *address = m;
  if (load && (uint64_t)m + 8 > size) return WL_TRAP_OUT_OF_BOUNDS;
  return WL_TRAP_NONE;
}

static void judge(const wl_copy_engine_t *c, const wl_env_t *env, wl_wires_t *w) {
  const wl_flight_t *f = wl_lane_resolves(env, w, WL_UNIT_COPY);
  uint64_t address = 0;
  if (f == NULL) return;
  const bool load = f->insn.dec.info->kind == WL_MEM_KIND_BLOAD;
  const wl_trap_t cause = fault_of(c->word, env, load, &address);
  w->copy_fault = cause != WL_TRAP_NONE;
  if (w->copy_fault) w->trap[WL_SRC_COPY] = wl_lane_fault(f, cause, address);
}

static void accept(wl_copy_engine_t *c, const wl_env_t *env, const wl_flight_t *f) {
  const wl_form_info_t *info = f->insn.dec.info;
  const uint32_t base = env->slots->warp_cta[f->warp] * env->launch->smem_units * 1024;
  c->group[c->put] =
      (wl_bulk_t){.used = true, .counts = info->kind != WL_MEM_KIND_BLOAD, .warp = f->warp};
  c->entry[c->put] = (wl_command_t){.kind = info->kind,
                                    .type = info->type,
                                    .atom = info->atom,
                                    .warp = f->warp,
                                    .lane = (uint8_t)wl_lowest(f->exec),
                                    .pc = f->insn.pc,
                                    .global = wl_pair(c->word),
                                    .shared = base + c->word[2],
                                    .bytes = c->word[3],
                                    .m = c->word[4]};
  if (wl_copy_loads(&c->entry[c->put])) c->entry[c->put].m += base;
  c->put = after(env, c->put);
}

/* ---- the end (23.3) */
static void end_out(const wl_copy_engine_t *c, wl_wires_t *w) {
  const wl_command_t *e = &c->entry[c->fin];
  if (!c->group[c->fin].used || !e->drained) return;
  if (!wl_copy_loads(e)) {
    w->copy_free = (wl_warp_wire_t){e->acks == 0, e->warp};
    if (e->acks == 0) w->copy_wake |= UINT64_C(1) << e->warp;
    return;
  }
  if (!e->signalled) {
    wl_smem_signal(w, WL_SIGNAL_COPY, WL_MBAR_COMPLETE, e->m, e->bytes);
    return;
  }
  w->copy_free =
      (wl_warp_wire_t){w->smem_rsp.valid && w->smem_rsp.signal == WL_SIGNAL_COPY, e->warp};
  if (w->copy_free.valid && w->smem_rsp.misuse)
    wl_smem_misuse(w, WL_SRC_COPY, e->warp, e->lane, e->pc);
}

static void end_update(wl_copy_engine_t *c, const wl_env_t *env, const wl_wires_t *w) {
  if (w->smem_req.valid && w->smem_req.signal == WL_SIGNAL_COPY && w->smem_ready)
    c->entry[c->fin].signalled = true;
  if (!w->copy_free.valid) return;
  c->group[c->fin].used = false;
  c->fin = after(env, c->fin);
}

/* ---- the unit */
void wl_copy_out(const wl_copy_engine_t *c, const wl_env_t *env, wl_wires_t *w) {
  w->copy_shown = c->awake;
  w->copy_fault = w->copy_free.valid = false;
  w->copy_wake = 0;
  w->trap[WL_SRC_COPY].valid = false;
  w->req_valid[WL_PORT_COPY] = w->chunk_req[WL_CHUNK_COPY].valid = false;
  if (!c->awake) return;
  judge(c, env, w);
  wl_copy_walk_out(c, env, w);
  const int read = wl_copy_read(c, w);
  if (read >= 0) w->copy_wake |= UINT64_C(1) << c->entry[read].warp;
  end_out(c, w);
}

/* BCOMMIT (23.4). */
static void commit(wl_copy_engine_t *c, unsigned warp) {
  for (unsigned i = 0; i < WL_MOST_COPY_QUEUE; i++) {
    wl_bulk_t *g = &c->group[i];
    if (g->used && g->counts && g->warp == warp && g->age < 63) g->age++;
  }
}

static void take_issue(wl_copy_engine_t *c, const wl_issue_wire_t *is) {
  if (is->empty) return;
  if (is->insn->dec.unit == WL_UNIT_COPY)
    c->way = c->awake = true;
  else if (is->insn->dec.unit == WL_UNIT_CTL && is->insn->dec.op == WL_CTL_BCOMMIT)
    commit(c, is->warp);
}

static void stay_awake(wl_copy_engine_t *c) {
  c->awake = c->way;
  for (unsigned i = 0; i < WL_MOST_COPY_QUEUE; i++)
    c->awake = c->awake || c->group[i].used;
}

static void work(wl_copy_engine_t *c, const wl_env_t *env, const wl_wires_t *w) {
  const wl_flight_t *f = wl_lane_resolves(env, w, WL_UNIT_COPY);
  wl_copy_walk_update(c, env, w);
  end_update(c, env, w);
  wl_lane_words(c->word, WL_COPY_WORDS, env, w, WL_UNIT_COPY);
  if (f != NULL) {
    c->way = false;
    if (!w->copy_fault) accept(c, env, f);
  }
  stay_awake(c);
}

void wl_copy_update(wl_copy_engine_t *c, const wl_env_t *env, const wl_wires_t *w) {
  if (w->gpu->clear) {
    wl_copy_reset(c, env);
    return;
  }
  if (c->awake) work(c, env, w);
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    if (w->sub[k].issue.valid && (c->awake || w->sub[k].issue.ctl)) take_issue(c, &w->sub[k].issue);
}

uint32_t wl_copy_busy(const wl_copy_engine_t *c, const wl_env_t *env) {
  bool busy = false;
  for (unsigned i = 0; i < env->cfg.copy_queue; i++)
    busy = busy || c->group[i].used;
  for (unsigned i = 0; i < env->cfg.copy_rows; i++)
    busy = busy || c->row[i].state != WL_COPY_FREE;
  return (uint32_t)busy << WL_REST_COPY;
}
