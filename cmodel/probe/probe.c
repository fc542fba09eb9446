/* probe/probe.c: docs/microarchitecture.md 18: a unit for tests. It takes the words of an instruction in
 * X1, waits, and then gives results to the result queue, or moves chunks in shared memory lane by lane.
 * What is computed is cmodel/sem's matter. */
#include "cmodel/probe/probe.h"

#include <string.h>

void wl_probe_reset(wl_probe_t *p, const wl_env_t *env, unsigned k) {
  (void)env, (void)k;
  memset(p, 0, sizeof *p);
}

static uint32_t beat_lanes(const wl_probe_t *p, const wl_env_t *env) {
  return p->exec & wl_beat_lanes(&env->cfg, p->beat);
}

/* Active beats after the one presented. */
static uint32_t later(const wl_probe_t *p, const wl_env_t *env) {
  return wl_later_lanes(p->exec, p->beat, env->cfg.lanes);
}

/* ---- results */
static void present(const wl_probe_t *p, const wl_env_t *env, wl_vwb_wire_t *v) {
  v->valid = true;
  v->warp = p->warp;
  v->reg = (uint8_t)wl_reg_word(p->dec.rd, p->k);
  v->beat = p->beat;
  v->lanes = beat_lanes(p, env);
  v->data = p->data;
  v->last_beat = later(p, env) == 0;
  v->last = v->last_beat && p->k + 1u == p->dec.count;
}

static void begin_word(wl_probe_t *p, const wl_env_t *env) {
  p->beat = (uint8_t)(wl_lowest(p->exec) / env->cfg.lanes);
  wl_sem_probe(&p->dec, (const uint32_t (*)[WL_LANES])p->word, p->k, p->data);
}

static void next_beat(wl_probe_t *p, const wl_env_t *env) {
  const uint32_t rest = later(p, env);
  if (rest != 0) {
    p->beat = (uint8_t)(wl_lowest(rest) / env->cfg.lanes);
  } else if (++p->k < p->dec.count) {
    begin_word(p, env);
  } else {
    p->state = WL_PROBE_IDLE;
  }
}

/* ---- chunks */
enum { CHUNK_BYTES = 16 };

static uint8_t fault_of(const wl_env_t *env, uint32_t offset) {
  if (offset % CHUNK_BYTES != 0) return WL_TRAP_MISALIGNED;
  if ((uint64_t)offset + CHUNK_BYTES > env->launch->smem_bytes) return WL_TRAP_OUT_OF_BOUNDS;
  return WL_TRAP_NONE;
}

/* Address of the lane's chunk that word `which` of a names. */
static uint32_t address(const wl_probe_t *p, const wl_env_t *env, unsigned which) {
  return env->slots->warp_cta[p->warp] * env->launch->smem_units * 1024 + p->word[which][p->lane];
}

static unsigned quad_of(const wl_env_t *env, uint32_t at) {
  return at / CHUNK_BYTES % (env->cfg.smem_banks / 4);
}

static void start_lane(const wl_probe_t *p, const wl_env_t *env, wl_sub_wires_t *w, bool *fault) {
  for (unsigned which = 0; which < 2; which++) {
    const uint32_t offset = p->word[which][p->lane];
    const uint8_t cause = fault_of(env, offset);
    if (cause == WL_TRAP_NONE) continue;
    w->trap[WL_SRC_PROBE] = (wl_trap_info_t){true, cause, p->warp, p->lane, p->pc, offset};
    *fault = true;
    return;
  }
}

static void ask(const wl_env_t *env, wl_chunk_req_t *req, uint32_t at) {
  const unsigned quad = quad_of(env, at);
  req->valid = true;
  req->quads = (uint16_t)(1u << quad);
  req->row[quad] = at / 4 / env->cfg.smem_banks;
}

static void ask_store(const wl_probe_t *p, const wl_env_t *env, wl_chunk_req_t *req) {
  const uint32_t at = address(p, env, 1);
  const unsigned quad = quad_of(env, at);
  ask(env, req, at);
  req->store = true;
  req->bytes[quad] = 0xffff;
  memcpy(req->data[quad], p->chunk, sizeof p->chunk);
}

static void next_lane(wl_probe_t *p, const wl_env_t *env) {
  const uint32_t rest = wl_later_lanes(p->exec, p->lane, 1);
  p->state = rest != 0 ? WL_PROBE_LOAD : WL_PROBE_IDLE;
  p->start = env->cycle + 1;
  if (rest != 0) p->lane = (uint8_t)wl_lowest(rest);
}

/* The words that came, and what is added to them. */
static void take_chunk(wl_probe_t *p, const wl_env_t *env, const uint32_t *data) {
  const uint32_t *from = data + 4 * quad_of(env, address(p, env, 0));
  for (unsigned j = 0; j < 4; j++)
    p->chunk[j] = from[j] + p->word[2 + j][p->lane];
  p->state = WL_PROBE_STORE;
}

/* ---- the unit */
void wl_probe_out(const wl_probe_t *p, const wl_env_t *env, wl_wires_t *wires, unsigned k) {
  wl_sub_wires_t *w = &wires->sub[k];
  const bool due = env->cycle >= p->start;
  bool fault = false;
  w->ready[WL_UNIT_PROBE] = p->state == WL_PROBE_IDLE;
  w->result[WL_RESULT_PROBE] = (wl_vwb_wire_t){0};
  w->trap[WL_SRC_PROBE].valid = false;
  wires->chunk_req[WL_CHUNK_PROBE_LOAD].valid = wires->chunk_req[WL_CHUNK_PROBE_STORE].valid =
      false;
  if (p->state == WL_PROBE_SEND && due) present(p, env, &w->result[WL_RESULT_PROBE]);
  if (p->state == WL_PROBE_LOAD && due) {
    if (env->cycle == p->start) start_lane(p, env, w, &fault);
    wl_chunk_req_t *req = &wires->chunk_req[WL_CHUNK_PROBE_LOAD];
    *req = (wl_chunk_req_t){0};
    if (!fault) ask(env, req, address(p, env, 0));
  }
  if (p->state == WL_PROBE_STORE) {
    wl_chunk_req_t *req = &wires->chunk_req[WL_CHUNK_PROBE_STORE];
    *req = (wl_chunk_req_t){0};
    ask_store(p, env, req);
  }
}

/* A CHUNK finishes with a fault or with the store of its last lane. */
void wl_probe_arb(const wl_probe_t *p, const wl_env_t *env, wl_wires_t *wires, unsigned k) {
  (void)env;
  wl_sub_wires_t *w = &wires->sub[k];
  const bool stored = wires->chunk_grant == WL_CHUNK_PROBE_STORE;
  const bool last = wl_later_lanes(p->exec, p->lane, 1) == 0;
  w->finish[WL_FINISH_PROBE] =
      (wl_warp_wire_t){w->trap[WL_SRC_PROBE].valid || (stored && last), p->warp};
}

static void take_issue(wl_probe_t *p, const wl_issue_wire_t *is) {
  if (!is->valid || is->empty || is->ctl || is->insn->dec.unit != WL_UNIT_PROBE) return;
  p->state = WL_PROBE_FILL;
  p->dec = is->insn->dec;
  p->warp = is->warp;
  p->pc = is->insn->pc;
  p->exec = is->exec;
  p->k = 0;
}

static void take_x1(wl_probe_t *p, const wl_env_t *env, const wl_sub_wires_t *w) {
  const wl_x1_wire_t *x = w->x1;
  if (!x->valid || x->f->ctl || x->f->insn.dec.unit != WL_UNIT_PROBE) return;
  for (unsigned n = 3u * x->step; n < 3u * x->step + 3; n++)
    for (uint32_t left = x->lanes; left != 0; left &= left - 1)
      p->word[n][wl_lowest(left)] = x->f->list[n][wl_lowest(left)];
  if (!x->last) return;
  p->start = env->cycle + 1 + p->pc % 8;
  if (p->dec.op == WL_PROBE_CHUNK) {
    p->state = WL_PROBE_LOAD;
    p->lane = (uint8_t)wl_lowest(p->exec);
    return;
  }
  p->state = WL_PROBE_SEND;
  begin_word(p, env);
}

void wl_probe_update(wl_probe_t *p, const wl_env_t *env, const wl_wires_t *wires, unsigned k) {
  const wl_sub_wires_t *w = &wires->sub[k];
  if (wires->gpu->clear) {
    wl_probe_reset(p, env, k);
    return;
  }
  if (p->state == WL_PROBE_IDLE)
    take_issue(p, &w->issue);
  else if (p->state == WL_PROBE_FILL)
    take_x1(p, env, w);
  else if (w->trap[WL_SRC_PROBE].valid)
    p->state = WL_PROBE_IDLE;
  else if (w->result_taken == WL_RESULT_PROBE)
    next_beat(p, env);
  else if (wires->chunk_grant == WL_CHUNK_PROBE_LOAD)
    p->state = WL_PROBE_WAIT;
  else if (wires->chunk_rsp.valid && wires->chunk_rsp.requester == WL_CHUNK_PROBE_LOAD)
    take_chunk(p, env, wires->chunk_data);
  else if (wires->chunk_grant == WL_CHUNK_PROBE_STORE)
    next_lane(p, env);
}

uint32_t wl_probe_busy(const wl_probe_t *p, const wl_env_t *env) {
  (void)env;
  return (uint32_t)(p->state != WL_PROBE_IDLE) << WL_REST_PROBE;
}
