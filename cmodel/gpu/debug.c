/* gpu/debug.c: the model's internal state as the rows of isa/def/debug.def say it, for a comparison
 * with the RTL's registers (docs/replay.md, "Inside"). Reads only: what a row means is in its section
 * of docs/microarchitecture.md. Elements that a row's `when` leaves out may be anything. */
#include "cmodel/gpu/gpu.h"
#include "gen/wl_debug.h"

typedef struct wl_debug_out {
  const wl_gpu_t *gpu;
  const wl_sm_t *sm;
  unsigned config; /* of wl_configs */
  uint64_t *words;
} wl_debug_out_t;

static void put(const wl_debug_out_t *o, wl_debug_id_t row, unsigned slice, unsigned element,
                uint64_t value) {
  const wl_debug_info_t *info = &wl_debug_info[row];
  o->words[info->first[o->config] + slice * info->elements[o->config] + element] = value;
}

/* The sub-core's warps of a mask of slots, by their number in it. */
static uint64_t own_warps(const wl_sm_t *sm, unsigned k, wl_wmask_t mask) {
  uint64_t own = 0;
  for (unsigned w = k; w < sm->env.cfg.warps; w += sm->env.cfg.sub_cores)
    own |= (uint64_t)wl_wbit(mask, w) << wl_row_of(&sm->env, w);
  return own;
}

static void put_dispatcher(const wl_debug_out_t *o) {
  const wl_dispatcher_t *d = &o->sm->dispatcher;
  const wl_grid_t *g = &o->gpu->grid;
  const unsigned pages = o->sm->env.cfg.reg_pages / o->sm->env.cfg.sub_cores;
  put(o, WL_DEBUG_CYCLE, 0, 0, o->gpu->env.cycle);
  put(o, WL_DEBUG_CTA_VALID, 0, 0, d->slots.cta_valid);
  put(o, WL_DEBUG_WARP_VALID, 0, 0, d->slots.warp_valid);
  for (unsigned k = 0; k < o->sm->env.cfg.sub_cores; k++) {
    put(o, WL_DEBUG_FREE_PAGES, 0, k, d->pages[k].count);
    for (unsigned p = 0; p < pages; p += 32)
      put(o, WL_DEBUG_PAGE_FREE, 0, (k * pages + p) / 32,
          (uint32_t)(d->pages[k].free[p / 64] >> p % 64));
  }
  put(o, WL_DEBUG_REMAINING, 0, 0, g->remaining);
  put(o, WL_DEBUG_NEXT_X, 0, 0, g->next_x);
  put(o, WL_DEBUG_NEXT_Y, 0, 0, g->next_y);
  put(o, WL_DEBUG_NEXT_Z, 0, 0, g->next_z);
}

static void put_fetch(const wl_debug_out_t *o, unsigned k) {
  const wl_fetch_t *f = &o->sm->sub[k].fetch;
  for (unsigned w = k; w < o->sm->env.cfg.warps; w += o->sm->env.cfg.sub_cores) {
    const unsigned row = wl_row_of(&o->sm->env, w);
    put(o, WL_DEBUG_IB_ENTRIES, k, row, f->ib[w].count);
    put(o, WL_DEBUG_IB_TOKENS, k, row, (uint64_t)f->ib[w].count + f->in_pipe[w]);
  }
  put(o, WL_DEBUG_MISS_WAIT, k, 0, own_warps(o->sm, k, f->miss_wait));
  put(o, WL_DEBUG_MISS, k, 0, f->miss.valid);
  put(o, WL_DEBUG_MISS_SENT, k, 0, f->miss.sent);
  put(o, WL_DEBUG_PIN, k, 0, f->pin.valid);
}

/* Registers of a range note are no busy bits in the RTL. */
static uint64_t busy_bits(const wl_issue_t *is, unsigned warp, unsigned word) {
  uint64_t bits = is->busy[warp][word];
  for (unsigned i = 0; i < WL_MOST_RANGE_NOTES; i++) {
    const wl_note_t *n = &is->note[i];
    if (!n->valid || n->warp != warp) continue;
    for (unsigned r = n->lo; r <= n->hi; r++)
      if (r / 64 == word) bits &= ~(UINT64_C(1) << r % 64);
  }
  return bits;
}

static void put_hazards(const wl_debug_out_t *o, unsigned k) {
  const wl_issue_t *is = &o->sm->sub[k].issue;
  if (o->sm->env.cfg.hazard_scan) {
    put(o, WL_DEBUG_NOHAZ, k, 0, own_warps(o->sm, k, is->nohaz));
    put(o, WL_DEBUG_SCAN_LAST, k, 0, wl_row_of(&o->sm->env, is->scan_last));
    put(o, WL_DEBUG_SCAN, k, 0, is->scan_valid);
    return;
  }
  for (unsigned w = k; w < o->sm->env.cfg.warps; w += o->sm->env.cfg.sub_cores) {
    const unsigned row = wl_row_of(&o->sm->env, w);
    for (unsigned i = 0; i < 8; i++)
      put(o, WL_DEBUG_BUSY, k, row * 8 + i, (uint32_t)(busy_bits(is, w, i / 2) >> i % 2 * 32));
    put(o, WL_DEBUG_PBUSY, k, row, is->pbusy[w]);
  }
}

static void put_issue(const wl_debug_out_t *o, unsigned k) {
  const wl_sub_t *s = &o->sm->sub[k];
  put(o, WL_DEBUG_IS_LAST, k, 0, wl_row_of(&o->sm->env, s->issue.is_last));
  if (o->sm->env.cfg.sched_greedy)
    put(o, WL_DEBUG_SERVED_LAST, k, 0, wl_row_of(&o->sm->env, s->issue.served_last));
  if (o->sm->env.cfg.issue_ahead) {
    put(o, WL_DEBUG_PICK, k, 0, s->issue.pick_valid);
    put(o, WL_DEBUG_PICK_HELD, k, 0, s->issue.pick_held);
  }
  put(o, WL_DEBUG_WSERVED, k, 0, own_warps(o->sm, k, s->issue.wserved));
  for (unsigned w = k; w < o->sm->env.cfg.warps; w += o->sm->env.cfg.sub_cores)
    put(o, WL_DEBUG_MEM_INFLIGHT, k, wl_row_of(&o->sm->env, w), s->issue.mem_inflight[w]);
  put_hazards(o, k);
  for (unsigned i = 0; i < wl_vwb_sources(&o->sm->env.cfg); i++)
    put(o, WL_DEBUG_VWB_LOSS, k, i, s->writeback.loss[i]);
  put(o, WL_DEBUG_VWB_LOST, k, 0, s->writeback.lost);
}

/* A bit for each of `count` entries of a ring, from the oldest on. */
static uint32_t ring_bits(unsigned oldest, unsigned count, unsigned size) {
  uint32_t bits = 0;
  for (unsigned i = 0; i < count; i++)
    bits |= 1u << (oldest + i) % size;
  return bits;
}

static void put_tensor(const wl_debug_out_t *o, unsigned k) {
  const wl_tensor_t *t = &o->sm->sub[k].tensor;
  const unsigned sets = o->sm->env.cfg.tensor_sets;
  if (o->sm->env.cfg.tensor == 0) return;
  put(o, WL_DEBUG_TENSOR_USED, k, 0, ring_bits(t->store.oldest, t->store.used, sets));
  put(o, WL_DEBUG_TENSOR_FULL, k, 0, ring_bits(t->store.oldest, t->store.full, sets));
  put(o, WL_DEBUG_TENSOR_CUR, k, 0, t->dot.valid);
  put(o, WL_DEBUG_TENSOR_OUT, k, 0, t->out_count);
}

static void put_fp64(const wl_debug_out_t *o, unsigned k) {
  const wl_fp64_t *u = &o->sm->sub[k].fp64;
  if (o->sm->env.cfg.fp64 == 0) return;
  put(o, WL_DEBUG_FP64_USED, k, 0, ring_bits(u->oldest, u->used, WL_FP64_SETS));
  put(o, WL_DEBUG_FP64_FULL, k, 0, ring_bits(u->oldest, u->full, WL_FP64_SETS));
  put(o, WL_DEBUG_FP64_CUR, k, 0, u->cur);
  put(o, WL_DEBUG_FP64_DONE, k, 0, u->done);
}

/* 24.1. */
static void put_columns(const wl_debug_out_t *o) {
  const wl_columns_t *c = &o->sm->columns;
  const wl_config_t *cfg = &o->sm->env.cfg;
  uint64_t used = 0, first = 0;
  if (cfg->tmem == 0) return;
  for (unsigned u = 0; u < cfg->tmem_columns / WL_UNIT_COLUMNS; u++) {
    used |= (uint64_t)c->unit[u].used << u;
    first |= (uint64_t)c->unit[u].first << u;
  }
  put(o, WL_DEBUG_COLUMN_WAY, 0, 0, c->way);
  if (cfg->sub_cores != 1)
    put(o, WL_DEBUG_COLUMN_TURN, 0, 0, o->sm->memissue.turn[WL_OPEN_COLUMNS]);
  put(o, WL_DEBUG_COLUMNS_USED, 0, 0, used);
  put(o, WL_DEBUG_COLUMNS_FIRST, 0, 0, first);
  put(o, WL_DEBUG_COLUMNS_MAY, 0, 0, ~(uint64_t)c->given_up & ((UINT64_C(1) << cfg->ctas) - 1));
  put(o, WL_DEBUG_COLUMNS_QUEUED, 0, 0, c->queued);
  for (unsigned s = 0; s < cfg->ctas; s++)
    put(o, WL_DEBUG_COLUMNS_MOST, 0, s, c->most[s]);
}

/* 24.2. */
static void put_tmem(const wl_debug_out_t *o, unsigned k) {
  const wl_tmem_t *t = &o->sm->sub[k].tmem;
  const wl_config_t *cfg = &o->sm->env.cfg;
  if (cfg->tmem == 0) return;
  put(o, WL_DEBUG_TMEM_USED, k, 0, ring_bits(t->oldest, t->used, cfg->tmem_loads));
  put(o, WL_DEBUG_TMEM_JUDGED, k, 0, ring_bits(t->oldest, t->judged, cfg->tmem_loads));
  put(o, WL_DEBUG_TMEM_WORD, k, 0, t->word);
  put(o, WL_DEBUG_TMEM_BEAT, k, 0, t->beat);
  put(o, WL_DEBUG_TMEM_STAGE, k, 0, t->stage_valid);
  put(o, WL_DEBUG_TMEM_OUT, k, 0, t->out_count);
}

/* The buffers of a pair that are full, by number. */
static uint32_t full_buffers(const uint8_t state[2]) {
  return (uint32_t)(state[0] == WL_UMMA_FULL) | (uint32_t)(state[1] == WL_UMMA_FULL) << 1;
}

/* 26.10 */
static void put_scales(const wl_debug_out_t *o) {
  const wl_umma_scale_t *s = &o->sm->umma.scale;
  if (o->sm->env.cfg.tensor_scaled == 0) return;
  put(o, WL_DEBUG_UMMA_S_FULL, 0, 0, full_buffers(s->state));
  put(o, WL_DEBUG_UMMA_S_PUT, 0, 0, s->put);
  put(o, WL_DEBUG_UMMA_S_GET, 0, 0, s->get);
  put(o, WL_DEBUG_UMMA_SCALE_PASS, 0, 0, s->pass);
  put(o, WL_DEBUG_UMMA_SCALE_BLOCK, 0, 0, s->block);
  put(o, WL_DEBUG_UMMA_SCALE_OF_B, 0, 0, s->of_b);
  put(o, WL_DEBUG_UMMA_SCALES_IN, 0, 0, s->in);
}

/* 25. */
static void put_umma(const wl_debug_out_t *o) {
  const wl_umma_t *u = &o->sm->umma;
  const wl_umma_fetch_t *f = &u->fetch;
  uint32_t used = 0;
  if (o->sm->env.cfg.umma == 0) return;
  for (unsigned i = 0; i < o->sm->env.cfg.umma_queue; i++)
    used |= (uint32_t)u->entry[i].used << i;
  put(o, WL_DEBUG_UMMA_WAY, 0, 0, u->way);
  if (o->sm->env.cfg.sub_cores != 1)
    put(o, WL_DEBUG_UMMA_TURN, 0, 0, o->sm->memissue.turn[WL_OPEN_UMMA]);
  put(o, WL_DEBUG_UMMA_USED, 0, 0, used);
  put(o, WL_DEBUG_UMMA_PUT, 0, 0, u->put);
  put(o, WL_DEBUG_UMMA_WALK, 0, 0, u->walk);
  put(o, WL_DEBUG_UMMA_FIN, 0, 0, u->fin);
  put(o, WL_DEBUG_UMMA_A_FULL, 0, 0, full_buffers(f->a_state));
  put(o, WL_DEBUG_UMMA_B_FULL, 0, 0, full_buffers(f->b_state));
  put(o, WL_DEBUG_UMMA_FETCH_PASS, 0, 0, f->pass);
  put(o, WL_DEBUG_UMMA_HALF, 0, 0, f->half);
  put(o, WL_DEBUG_UMMA_LEFT, 0, 0, f->left);
  put(o, WL_DEBUG_UMMA_READ_WORD, 0, 0, f->read_word);
  put(o, WL_DEBUG_UMMA_READ_BEAT, 0, 0, f->read_beat);
  put(o, WL_DEBUG_UMMA_READS, 0, 0, f->reads);
  put(o, WL_DEBUG_UMMA_PLACE_WORD, 0, 0, u->engine.place_word);
  put(o, WL_DEBUG_UMMA_PLACE_BEAT, 0, 0, u->engine.place_beat);
  put(o, WL_DEBUG_UMMA_ON, 0, 0, u->engine.on);
  put(o, WL_DEBUG_DOT_TURN, 0, 0, u->engine.dot_turn);
  put(o, WL_DEBUG_UMMA_ALL_IN, 0, 0, u->engine.all_in);
  put(o, WL_DEBUG_UMMA_PASS, 0, 0, u->engine.pass);
  put(o, WL_DEBUG_UMMA_BLOCK, 0, 0, u->engine.block);
  put(o, WL_DEBUG_UMMA_COLUMN, 0, 0, u->engine.column);
  put(o, WL_DEBUG_UMMA_GROUP, 0, 0, u->engine.group);
  put(o, WL_DEBUG_UMMA_SLICE, 0, 0, u->engine.slice);
  for (unsigned k = 0; k < o->sm->env.cfg.sub_cores; k++)
    put(o, WL_DEBUG_UMMA_DRAIN, k, 0, u->engine.pipe[k].draining);
}

static void put_paths(const wl_debug_out_t *o, unsigned k) {
  const wl_paths_t *p = &o->sm->sub[k].paths;
  put(o, WL_DEBUG_RUN, k, 0, own_warps(o->sm, k, p->run));
  put(o, WL_DEBUG_CTL, k, 0, own_warps(o->sm, k, p->ctl));
  put(o, WL_DEBUG_POLLED, k, 0, own_warps(o->sm, k, p->polled));
  put(o, WL_DEBUG_TBUF, k, 0, p->tbuf_busy);
  if (o->sm->env.cfg.event_delay) {
    put(o, WL_DEBUG_ASKED, k, 0, own_warps(o->sm, k, p->asked));
    put(o, WL_DEBUG_LATE_TRAP, k, 0, p->engine.late_trap.valid);
  }
}

static void put_lsu(const wl_debug_out_t *o) {
  const wl_lsu_t *l = &o->sm->lsu;
  uint64_t valid = 0;
  for (unsigned i = 0; i < o->sm->env.cfg.lsu_depth; i++) {
    valid |= (uint64_t)l->slot[i].valid << i;
    put(o, WL_DEBUG_LSU_WARP, 0, i, l->slot[i].warp);
    put(o, WL_DEBUG_LSU_DUE, 0, i, l->slot[i].outstanding);
  }
  put(o, WL_DEBUG_LSU_SLOTS, 0, 0, valid);
  put(o, WL_DEBUG_LSU_ALLOC, 0, 0, l->alloc);
  put(o, WL_DEBUG_LSU_SENT, 0, 0, l->sent);
  put(o, WL_DEBUG_LSU_WB, 0, 0, l->writing);
  if (wl_debug_info[WL_DEBUG_LSU_TURN].slices[o->config] == 0) return;
  put(o, WL_DEBUG_LSU_TURN, 0, 0, o->sm->memissue.turn[WL_OPEN_LSU]);
  put(o, WL_DEBUG_LDC_TURN, 0, 0, o->sm->memissue.turn[WL_OPEN_LDC]);
}

static void put_port(const wl_debug_out_t *o) {
  const wl_smport_t *p = &o->sm->smport;
  const wl_orderpoint_t *op = &o->gpu->orderpoint;
  const unsigned subs = o->sm->env.cfg.sub_cores;
  put(o, WL_DEBUG_PORT_LOSS, 0, 0, p->lost[WL_PORT_DISP]);
  for (unsigned k = 0; k < subs; k++)
    put(o, WL_DEBUG_PORT_LOSS, 0, 1 + k, p->lost[WL_PORT_ICACHE + k]);
  put(o, WL_DEBUG_PORT_LOSS, 0, 1 + subs, p->lost[WL_PORT_LDC]);
  put(o, WL_DEBUG_PORT_LOSS, 0, 2 + subs, p->lost[WL_PORT_LSU]);
  if (o->sm->env.cfg.copy != 0) put(o, WL_DEBUG_PORT_LOSS, 0, 3 + subs, p->lost[WL_PORT_COPY]);
  put(o, WL_DEBUG_UNACKED, 0, 0, p->unacked);
  put(o, WL_DEBUG_OP_INPUT, 0, 0, op->in_valid);
  put(o, WL_DEBUG_OP_ROWS, 0, 0, op->valid);
  put(o, WL_DEBUG_OP_READ, 0, 0, op->rreq);
  put(o, WL_DEBUG_OP_WRITE, 0, 0, op->wreq);
  put(o, WL_DEBUG_OP_ANSWER, 0, 0, op->resp);
  put(o, WL_DEBUG_QUIET, 0, 0, o->sm->trap.quiet);
}

void wl_model_debug(const wl_model_t *model, unsigned config, uint64_t *words) {
  const wl_gpu_t *gpu = wl_model_state(model).gpu;
  const wl_sm_t *sm = &gpu->sm[0];
  const wl_debug_out_t out = {gpu, sm, config, words};
  put_dispatcher(&out);
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++) {
    put_fetch(&out, k);
    put_issue(&out, k);
    put_paths(&out, k);
    put_tensor(&out, k);
    put_fp64(&out, k);
    put_tmem(&out, k);
  }
  if (sm->env.cfg.event_delay) {
    put(&out, WL_DEBUG_BAR_NEXT, 0, 0, sm->barrier.next.valid);
    put(&out, WL_DEBUG_BAR_NEXT_WARP, 0, 0, sm->barrier.next.warp);
  }
  put(&out, WL_DEBUG_BAR_REQ, 0, 0, sm->barrier.requesting);
  put(&out, WL_DEBUG_BAR_EXIT, 0, 0, sm->barrier.exiting);
  put(&out, WL_DEBUG_BAR_WAKE, 0, 0, sm->barrier.wake);
  put(&out, WL_DEBUG_BAR_WAIT, 0, 0, sm->barrier.waiting);
  put(&out, WL_DEBUG_CLUSTER_WAIT, 0, 0, sm->barrier.cluster_wait);
  put(&out, WL_DEBUG_WAIT_WAKE, 0, 0, sm->barrier.wait_wake);
  put(&out, WL_DEBUG_MBAR_GEN, 0, 0, sm->smem.gen);
  put_columns(&out);
  put_lsu(&out);
  put_port(&out);
  put_umma(&out);
  put_scales(&out);
}
