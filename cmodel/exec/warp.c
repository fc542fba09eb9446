/* Warp exchange (docs/microarchitecture.md 9): the exchange buffer, the time an exchange takes and
 * its result words. Which instruction is fast or released is decided at issue; waiting for the
 * members is core/paths.c; the lane semantics are cmodel/sem. */
#include "cmodel/exec/warp.h"

#include <string.h>

void wl_exchange_reset(wl_exchange_t *x, const wl_env_t *env, unsigned k) {
  (void)env, (void)k;
  x->state = WL_XCH_IDLE;
  x->fresh = false;
  x->left = 0;
  x->warp = x->row = x->beats = x->beat = 0;
}

static bool has_predicate(const wl_form_info_t *info) { return (info->preds & WL_PRED_D) != 0; }

void wl_exchange_out(const wl_exchange_t *x, const wl_env_t *env, wl_wires_t *wires, unsigned k) {
  wl_sub_wires_t *w = &wires->sub[k];
  wl_vwb_wire_t *v = &w->vwb[WL_VWB_XCH];
  w->ready[WL_UNIT_SYNC] = x->state == WL_XCH_IDLE;
  v->valid = false;
  w->finish[WL_FINISH_XCH].valid = false;
  if (x->state != WL_XCH_WRITE) return;
  if (x->dec.op == WL_SYNC_WARPSYNC) {
    w->finish[WL_FINISH_XCH] = (wl_warp_wire_t){true, x->warp};
    return;
  }
  v->valid = true;
  v->warp = x->warp;
  v->reg = x->dec.rd;
  v->beat = x->beat;
  v->lanes = x->exec & wl_beat_lanes(&env->cfg, x->beat);
  v->data = x->d;
  v->has_pred = has_predicate(x->dec.info);
  v->pd = x->dec.pd;
  v->pvalue = x->p;
  v->last_beat = v->last = x->beats >> x->beat == 1;
}

/* Cycles that every beat's word takes for itself; 0: they are computed together. */
static uint32_t beat_cycles(const wl_config_t *cfg, unsigned op) {
  if (op != WL_SYNC_SHFL && op != WL_SYNC_MANY && op != WL_SYNC_MOVM) return 0;
  if (cfg->beats == 1) return 1;
  if (op == WL_SYNC_MOVM) return 2 * cfg->lanes + 1;
  return op == WL_SYNC_SHFL ? cfg->lanes + 1 : cfg->lanes * (cfg->beats + 1);
}

/* Cycles before the first word. */
static uint32_t compute_cycles(const wl_config_t *cfg, unsigned op) {
  if (beat_cycles(cfg, op) != 0) return beat_cycles(cfg, op);
  if (op == WL_SYNC_ELECT || op == WL_SYNC_WARPSYNC) return 1;
  if (op >= WL_SYNC_RADD && op <= WL_SYNC_RXOR) return WL_LANES / cfg->redux_lanes;
  return op == WL_SYNC_MALL && cfg->beats > 1 ? cfg->beats + 1 : cfg->beats;
}

/* In A + 1: the buffer holds every participant's value, and as the unit is busy no instruction can
 * change it before the last grant: all beats' words are those of this cycle. */
static void compute(wl_exchange_t *x) {
  const uint32_t *value = x->xbuf[x->row];
  uint32_t imm[2][WL_LANES];
  wl_sem_in_t in = {.a = value, .b = x->b, .c = x->b, .mask = x->group};
  for (unsigned i = 0; i < WL_LANES; i++)
    in.s |= (uint32_t)(value[i] != 0) << i;
  wl_sem_out_t out = {.d = x->d};
  wl_sem_use_imm(&x->dec, &in, imm);
  wl_sem_warp(&x->dec, &in, &out);
  x->p = out.p;
}

/* X1 of a fast or slow SYNC: the value operand enters the buffer. */
static void write_buffer(wl_exchange_t *x, const wl_env_t *env, const wl_x1_wire_t *x1) {
  const wl_flight_t *f = x1->f;
  const wl_form_info_t *info = f->insn.dec.info;
  const bool vote = info->a == 0;
  if (f->insn.gathered && f->ctl) return; /* an arrival */
  if (f->released || info->op == WL_SYNC_WARPSYNC) return;
  uint32_t *buf = x->xbuf[wl_row_of(env, f->warp)];
  const unsigned first = x1->beat * env->cfg.lanes;
  uint32_t record[3 + WL_LANES] = {f->warp, x1->beat, x1->lanes >> first};
  for (unsigned i = 0; i < env->cfg.lanes; i++) {
    const unsigned lane = first + i;
    if ((x1->lanes >> lane & 1) == 0) continue;
    buf[lane] = record[3 + i] = vote ? f->s >> lane & 1 : f->a[0][lane];
  }
  wl_journal(env, WL_J_XBUF, record, 3 + env->cfg.lanes);
}

static void begin(wl_exchange_t *x, const wl_env_t *env, const wl_issue_wire_t *is) {
  x->state = WL_XCH_FILL;
  x->dec = is->insn->dec;
  x->warp = is->warp;
  x->row = (uint8_t)wl_row_of(env, is->warp);
  x->beats = is->beats;
  x->beat = (uint8_t)wl_lowest(is->beats);
  x->exec = is->exec;
  x->group = is->member & is->live;
}

static void x1_update(wl_exchange_t *x, const wl_env_t *env, const wl_x1_wire_t *x1) {
  if (!x1->valid || x1->f->insn.dec.unit != WL_UNIT_SYNC) return;
  write_buffer(x, env, x1);
  if (x1->f->route != WL_ROUTE_VARIABLE || !x1->last) return;
  memcpy(x->b, x1->f->b[0], sizeof x->b);
  x->state = WL_XCH_COMPUTE;
  x->fresh = true;
}

static void next_word(const wl_config_t *cfg, wl_exchange_t *x, bool last) {
  if (last) {
    x->state = WL_XCH_IDLE;
    return;
  }
  x->beat = (uint8_t)wl_lowest(x->beats & ~((2u << x->beat) - 1));
  x->left = beat_cycles(cfg, x->dec.op);
  if (x->left != 0) x->state = WL_XCH_COMPUTE;
}

void wl_exchange_update(wl_exchange_t *x, const wl_env_t *env, const wl_wires_t *wires,
                        unsigned k) {
  const wl_sub_wires_t *w = &wires->sub[k];
  if (x->state == WL_XCH_COMPUTE) {
    if (x->fresh) {
      x->fresh = false;
      x->left = compute_cycles(&env->cfg, x->dec.op);
      compute(x);
    }
    if (--x->left == 0) x->state = WL_XCH_WRITE;
  } else if (x->state == WL_XCH_WRITE) {
    const bool last = x->dec.op == WL_SYNC_WARPSYNC || w->vwb[WL_VWB_XCH].last;
    if (w->finish[WL_FINISH_XCH].valid || w->vwb_grant == WL_VWB_XCH) next_word(&env->cfg, x, last);
  }
  x1_update(x, env, w->x1);
  if (w->issue.valid && w->issue.route == WL_ROUTE_VARIABLE &&
      w->issue.insn->dec.unit == WL_UNIT_SYNC)
    begin(x, env, &w->issue);
}

uint32_t wl_exchange_busy(const wl_exchange_t *x, const wl_env_t *env) {
  (void)env;
  return (uint32_t)(x->state != WL_XCH_IDLE) << WL_REST_EXCHANGE;
}
