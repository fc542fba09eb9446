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

/* ---- commands (23.1). The COPY that resolves in this cycle, NULL: none. */
static const wl_flight_t *resolving(const wl_env_t *env, const wl_wires_t *w) {
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    const wl_sub_wires_t *sub = &w->sub[k];
    if (sub->resolve && sub->resolve_f->insn.dec.unit == WL_UNIT_COPY) return sub->resolve_f;
  }
  return NULL;
}

static bool leaves_memory(const wl_launch_block_t *b, uint64_t g, uint32_t bytes) {
  const uint64_t limit = wl_pair(b->mem_limit);
  return g < wl_pair(b->mem_base) || g > limit || bytes > limit - g;
}

/* The first that holds. */
static wl_trap_t fault_of(const uint32_t word[WL_COPY_WORDS], const wl_env_t *env, bool load,
                          uint64_t *address) {
  const uint64_t g = word[0] | (uint64_t)word[1] << 32;
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
  const wl_flight_t *f = resolving(env, w);
  uint64_t address = 0;
  if (f == NULL) return;
  const bool load = f->insn.dec.info->kind == WL_MEM_KIND_BLOAD;
  const wl_trap_t cause = fault_of(c->word, env, load, &address);
  w->copy_fault = cause != WL_TRAP_NONE;
  if (!w->copy_fault) return;
  w->trap[WL_SRC_COPY] = (wl_trap_info_t){
      true, (uint8_t)cause, f->warp, (uint8_t)wl_lowest(f->exec), f->insn.pc, address};
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
                                    .global = c->word[0] | (uint64_t)c->word[1] << 32,
                                    .shared = base + c->word[2],
                                    .bytes = c->word[3],
                                    .m = c->word[4]};
  if (wl_copy_loads(&c->entry[c->put])) c->entry[c->put].m += base;
  c->put = after(env, c->put);
}

/* ---- the end (23.3) */
/* The request that tells the mbarrier of a load: it comes before those of the LSU. */
static void tell_mbarrier(const wl_command_t *e, wl_wires_t *w) {
  wl_smem_req_t *r = &w->smem_req;
  w->copy_signal[0][0] = e->m;
  w->copy_signal[1][0] = e->bytes;
  *r = (wl_smem_req_t){.valid = true,
                       .signal = WL_SIGNAL_COPY,
                       .kind = WL_MEM_KIND_MBAR,
                       .type = WL_MEM_TYPE_B64,
                       .atom = WL_ATOM_OP_NONE,
                       .mbar = WL_MBAR_COMPLETE,
                       .lanes = 1,
                       .address = w->copy_signal[0]};
  for (unsigned k = 0; k < 4; k++)
    r->data[k] = w->copy_signal[1];
  r->swap[0] = r->swap[1] = w->copy_signal[1];
}

/* Misuse of the mbarrier; a fault of this cycle may be the lower one (14). */
static void misuse(const wl_command_t *e, wl_wires_t *w) {
  const wl_trap_info_t late = {true,  WL_TRAP_MBARRIER,          e->warp, e->lane,
                               e->pc, w->smem_rsp.misuse_address};
  wl_trap_info_t *trap = &w->trap[WL_SRC_COPY];
  if (!trap->valid || trap->cause > late.cause) *trap = late;
}

static void end_out(const wl_copy_engine_t *c, wl_wires_t *w) {
  const wl_command_t *e = &c->entry[c->fin];
  if (!c->group[c->fin].used || !e->drained) return;
  if (!wl_copy_loads(e)) {
    w->copy_free = (wl_warp_wire_t){e->acks == 0, e->warp};
    if (e->acks == 0) w->copy_wake |= UINT64_C(1) << e->warp;
    return;
  }
  if (!e->signalled) {
    tell_mbarrier(e, w);
    return;
  }
  w->copy_free =
      (wl_warp_wire_t){w->smem_rsp.valid && w->smem_rsp.signal == WL_SIGNAL_COPY, e->warp};
  if (w->copy_free.valid && w->smem_rsp.misuse) misuse(e, w);
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

/* The words of a command come in the steps of its list: all are there with the last. */
static void take_words(wl_copy_engine_t *c, const wl_x1_wire_t *x) {
  if (!x->valid || !x->last || x->f->insn.dec.unit != WL_UNIT_COPY) return;
  const wl_form_info_t *info = x->f->insn.dec.info;
  const unsigned lane = wl_lowest(x->lanes), words = info->a + info->b;
  for (unsigned n = 0; n < WL_COPY_WORDS; n++)
    c->word[n] = n < words ? x->f->list[n][lane] : 0;
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
  const wl_flight_t *f = resolving(env, w);
  wl_copy_walk_update(c, env, w);
  end_update(c, env, w);
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    take_words(c, w->sub[k].x1);
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
