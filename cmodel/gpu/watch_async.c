/* Says for views (docs/views.md) which paths wait, which copies are under way and what the copy engine moves
 * in a cycle (docs/microarchitecture.md 21 to 24). Called after the arbitrations, only where somebody
 * watches; it reads state and wires and changes nothing. */
#include "cmodel/gpu/sm.h"

/* ---- waits */
static int waits_on(const wl_insn_dec_t *d) {
  if (d->unit == WL_UNIT_TMEM) return d->op == WL_TMEM_ALLOC ? WL_ON_COLUMNS : -1;
  if (d->unit != WL_UNIT_CTL) return -1;
  switch (d->op) {
  case WL_CTL_WAIT:
    return WL_ON_MBARRIER;
  case WL_CTL_CWAIT:
    return WL_ON_CLUSTER;
  case WL_CTL_CPWAIT:
    return WL_ON_CPASYNC;
  case WL_CTL_BWAIT:
    return WL_ON_BULK;
  default:
    return -1;
  }
}

static void see_resolve(const wl_sub_wires_t *w, wl_model_async_t *out) {
  const wl_path_plan_t *plan = &w->path_plan;
  if (!w->resolve || !plan->resolve || plan->resolve_trap) return;
  const wl_flight_t *f = w->resolve_f;
  const int on = waits_on(&f->insn.dec);
  if (on < 0) return;
  const bool parks = plan->split.to.state == WL_PATH_WAIT;
  out->wait[out->waits++] = (wl_model_wait_t){
      .warp = f->warp,
      .on = (uint8_t)on,
      .pc = f->insn.pc,
      .lanes = f->exec,
      .parked = parks ? plan->split.exec : 0,
      .again = !parks && on == WL_ON_MBARRIER ? plan->split.exec : 0,
  };
}

/* The step of the engine that makes a row READY that was in WAIT. */
static void see_walk(const wl_paths_t *p, const wl_path_plan_t *plan, wl_model_async_t *out) {
  if (!plan->serve || !plan->row_we || plan->row.state != WL_PATH_READY) return;
  const unsigned warp = plan->engine.warp, leader = plan->row_leader;
  if (p->row[warp][leader].state != WL_PATH_WAIT) return;
  out->woken[out->wakes++] =
      (wl_model_woken_t){(uint8_t)warp, (uint8_t)leader, !plan->engine.wait_wake};
}

static uint32_t parked_of(const wl_paths_t *p, unsigned warp) {
  uint32_t lanes = 0, rows = p->exist[warp];
  if (p->cur_mask[warp] != 0) rows &= ~(UINT32_C(1) << p->leader[warp]);
  for (; rows != 0; rows &= rows - 1) {
    const wl_path_row_t *row = &p->row[warp][wl_lowest(rows)];
    if (row->state == WL_PATH_WAIT) lanes |= row->mask;
  }
  return lanes;
}

static void see_paths(const wl_sm_t *sm, const wl_model_watch_t *watch, wl_model_async_t *out) {
  bool any = false, all = true;
  for (unsigned w = 0; w < sm->env.cfg.warps; w++) {
    const wl_paths_t *p = &sm->sub[wl_sub_of(&sm->env, w)].paths;
    if (!wl_wbit(sm->env.slots->warp_valid & p->alive, w)) continue;
    const bool waits = watch->why[w] == WL_WHY_WAIT;
    out->parked[w] = parked_of(p, w);
    any = any || waits;
    all = all && waits;
  }
  out->all_wait = any && all;
}

static void see_commit(const wl_issue_wire_t *is, wl_model_async_t *out) {
  if (!is->valid || is->empty || is->insn->dec.unit != WL_UNIT_CTL) return;
  const unsigned op = is->insn->dec.op;
  if (op != WL_CTL_COMMIT && op != WL_CTL_BCOMMIT) return;
  out->commit[out->commits++] = (wl_model_commit_t){is->warp, op == WL_CTL_BCOMMIT};
}

/* ---- cp.async (22) */
static uint8_t step_of_slot(const wl_lsu_slot_t *s) {
  if (s->state == WL_LSU_WB) return WL_STEP_WRITE;
  return s->stored ? WL_STEP_END : WL_STEP_READ;
}

static void see_slots(const wl_sm_t *sm, wl_model_async_t *out) {
  for (unsigned i = 0; i < sm->env.cfg.lsu_depth; i++) {
    const wl_lsu_slot_t *s = &sm->lsu.slot[i];
    if (!s->valid || !wl_is_deferred(s->dec.info)) continue;
    const bool copy = s->dec.info->kind == WL_MEM_KIND_CPASYNC;
    const uint32_t bytes = copy ? wl_sem_type_bytes((wl_mem_type_t)s->dec.info->type) : 0;
    out->slots += copy;
    out->slot[i] = (wl_model_copy_t){.step = step_of_slot(s),
                                     .kind = s->dec.info->kind,
                                     .grouped = copy,
                                     .warp = s->warp,
                                     .pc = s->pc,
                                     .lanes = s->exec,
                                     .bytes = bytes * (unsigned)__builtin_popcount(s->exec)};
  }
}

/* ---- copy engine (23) */
static uint8_t step_of_entry(const wl_command_t *e, const wl_bulk_t *g) {
  const bool load = wl_copy_loads(e);
  if (!e->walked) return WL_STEP_WALK;
  if (!load && !g->read) return WL_STEP_READ;
  if (!e->drained) return WL_STEP_DRAIN;
  if (!load) return WL_STEP_ACK;
  return e->signalled ? WL_STEP_TOLD : WL_STEP_TELL;
}

/* The row that drains has its port: the bytes that leave with it. */
static void see_drain(const wl_copy_engine_t *c, const wl_wires_t *w, wl_model_async_t *out) {
  const wl_copy_row_t *tail = &c->row[c->tail];
  if (tail->state != WL_COPY_READY) return;
  if (wl_copy_loads(&c->entry[tail->entry])) {
    if (w->chunk_grant != WL_CHUNK_COPY) return;
    out->to_shared = 16 * (unsigned)__builtin_popcount(w->chunk_req[WL_CHUNK_COPY].tag & 3);
  } else if (w->port_grant == WL_PORT_COPY) {
    out->to_global = (unsigned)__builtin_popcount(w->req[WL_PORT_COPY].mask);
  }
}

static void see_engine(const wl_sm_t *sm, wl_model_async_t *out) {
  const wl_copy_engine_t *c = &sm->copy;
  if (!sm->env.cfg.copy || !c->awake) return;
  for (unsigned i = 0; i < sm->env.cfg.copy_queue; i++) {
    const wl_command_t *e = &c->entry[i];
    if (!c->group[i].used) continue;
    out->entries++;
    out->bulk[i] = (wl_model_copy_t){.step = step_of_entry(e, &c->group[i]),
                                     .kind = e->kind,
                                     .grouped = c->group[i].counts,
                                     .warp = e->warp,
                                     .lane = e->lane,
                                     .pc = e->pc,
                                     .lanes = UINT32_C(1) << e->lane,
                                     .bytes = e->bytes};
  }
  for (unsigned i = 0; i < sm->env.cfg.copy_rows; i++)
    out->rows += c->row[i].state != WL_COPY_FREE;
  see_drain(c, &sm->wires, out);
}

void wl_sm_watch_async(const wl_sm_t *sm, const wl_model_watch_t *watch, wl_model_async_t *out) {
  memset(out, 0, sizeof *out);
  out->wait_wake = sm->wires.wait_wake;
  out->phase = sm->wires.smem_completes;
  out->phases = (sm->smem.gen + out->phase) & WL_GEN_MASK;
  if (out->phase) out->phase_at = sm->smem.write[0].word * 4;
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++) {
    see_resolve(&sm->wires.sub[k], out);
    see_walk(&sm->sub[k].paths, &sm->wires.sub[k].path_plan, out);
    see_commit(&sm->wires.sub[k].issue, out);
  }
  see_paths(sm, watch, out);
  see_slots(sm, out);
  see_engine(sm, out);
  wl_sm_watch_umma(sm, &out->umma);
}
