/* Read slots, the fixed pipe and the register writes (docs/microarchitecture.md 6.1, 6.2, 6.3).
 * The slots decide when a step reaches X1; the operand words of all lanes are read, and fixed-pipe
 * results computed, in the first slot: a source cannot be written between the slots, because every
 * write that is still to come has its busy bit set or issued later. Results wait in the
 * instruction's record for W. Lane semantics are cmodel/sem. */
#include "cmodel/core/operands.h"

#include <string.h>

void wl_operands_reset(wl_operands_t *op, const wl_env_t *env, unsigned k) {
  (void)env, (void)k;
  op->next_flight = op->next_list = 0;
  op->reading = op->first = false;
  memset(op->ring, 0, sizeof op->ring);
}

/* The event that has X1 in `cycle`, modulo WL_SLOT_RING. */
static const wl_x1_wire_t *x1_at(const wl_operands_t *op, uint64_t cycle) {
  return &op->ring[cycle % WL_SLOT_RING];
}

static const wl_x1_wire_t nothing = {.valid = false};

/* The same, if it is of the fixed pipe. */
static const wl_x1_wire_t *fixed_at(const wl_operands_t *op, uint64_t cycle) {
  const wl_x1_wire_t *x = x1_at(op, cycle);
  return x->valid && x->f->fixed ? x : &nothing;
}

/* The predicates that a step of the fixed pipe writes in its W; pq of a pair follows in W + 1. */
static bool writes_pred(const wl_x1_wire_t *x) { return x->last_step && x->f->insn.dest_p != 0; }

static unsigned fixed_register(const wl_x1_wire_t *x) {
  const wl_insn_dec_t *dec = &x->f->insn.dec;
  return dec->info->d > x->step ? wl_reg_word(dec->rd, x->step) : WL_REG_ZERO;
}

/* An s2r of %pm: its word as visible now. */
static bool reads_monitor(const wl_wires_t *w, const wl_flight_t *f, uint32_t *word) {
  return f->insn.dec.unit == WL_UNIT_ALU && f->insn.dec.op == WL_ALU_S2R &&
         wl_sreg_monitor(w->pm, f->insn.dec.imm & 0xff, word);
}

void wl_operands_out(const wl_operands_t *op, const wl_env_t *env, wl_wires_t *wires, unsigned k) {
  wl_sub_wires_t *w = &wires->sub[k];
  const uint64_t c = env->cycle + WL_SLOT_RING; /* so that the subtractions stay positive */
  const wl_x1_wire_t *x1 = x1_at(op, c), *before = x1_at(op, c - 1), *fixed;
  const wl_x1_wire_t *late = x1_at(op, c - (WL_LAT_FIXED + 1));
  w->x1 = x1;
  w->resolve = before->valid && before->last && before->f->ctl;
  w->resolve_f = before->f;
  w->fixed = fixed = fixed_at(op, c - WL_LAT_FIXED);
  w->fixed_next = fixed_at(op, c - (WL_LAT_FIXED - 1));
  w->fixed_pred = late->valid && late->last_step && late->f->insn.two_preds;
  w->fixed_late = w->fixed_pred ? late : &nothing;
  w->x1_pm = x1->valid && env->cfg.pm_counters && reads_monitor(wires, x1->f, &w->pm_word);
  w->fixed_write = false;
  if (!fixed->valid) return;
  w->fixed_pred |= writes_pred(fixed);
  const unsigned reg = fixed_register(fixed);
  w->fixed_write = reg != WL_REG_ZERO && fixed->lanes != 0;
  w->fixed_bank = (uint8_t)((reg + fixed->f->warp) & 3);
}

static void fill(uint32_t out[WL_LANES], uint32_t value) {
  for (unsigned i = 0; i < WL_LANES; i++)
    out[i] = value;
}

static void run_sem(wl_flight_t *f) {
  static const uint32_t zero[WL_LANES] = {0};
  const wl_form_info_t *info = f->insn.dec.info;
  wl_sem_out_t out = {0};
  for (unsigned step = 0; step < f->insn.steps; step++) {
    uint32_t imm[2][WL_LANES];
    wl_sem_in_t in = {.s = f->s, .t = f->t, .mask = f->exec, .step = step};
    in.a = info->a == 0 && info->imm != WL_IMM_S ? zero : f->a[step < info->a ? step : 0];
    in.b = info->b == 0 ? zero : f->b[step < info->b ? step : 0];
    in.c = info->c == 0 ? zero : f->c[step < info->c ? step : 0];
    if (info->shape == WL_SHAPE_R_D) in.b = f->a[1];
    wl_sem_use_imm(&f->insn.dec, &in, imm);
    out.d = f->d[step];
    wl_sem_warp(&f->insn.dec, &in, &out);
  }
  f->p = out.p;
  f->q = out.q;
}

static void execute(const wl_env_t *env, wl_flight_t *f) {
  const unsigned unit = f->insn.dec.unit, op = f->insn.dec.op;
  if (unit == WL_UNIT_CTL) {
    fill(f->d[0], (f->insn.pc + 1) & 0xfffffff);
  } else if (unit == WL_UNIT_BAR) {
    fill(f->d[0], f->bar_popc);
    f->p = op == WL_BAR_AND ? f->bar_and : f->bar_or;
  } else {
    if (unit == WL_UNIT_ALU && op == WL_ALU_S2R) wl_sreg_read(env, f, f->a[0]);
    run_sem(f);
  }
}

/* Where the words after those of the group go. */
static uint32_t (*read_group(const wl_regfile_t *rf, const wl_flight_t *f, unsigned base,
                             unsigned words, uint32_t (*to)[WL_LANES]))[WL_LANES] {
  for (unsigned k = 0; k < words; k++)
    wl_reg_read(rf, f->warp, wl_reg_word(base, k), to[k]);
  return to + words;
}

/* Operands of a unit that takes the words of the step list. */
__attribute__((noinline)) static void read_list(wl_operands_t *op, wl_flight_t *f) {
  if (f->arrives) return;
  const wl_insn_dec_t *dec = &f->insn.dec;
  uint32_t (*to)[WL_LANES] = op->list[op->next_list];
  f->list = (const uint32_t (*)[WL_LANES])to;
  op->next_list = (uint8_t)((op->next_list + 1) % WL_LISTS);
  to = read_group(&op->regs, f, dec->ra, dec->info->a, to);
  to = read_group(&op->regs, f, dec->rb, dec->info->b, to);
  to = read_group(&op->regs, f, dec->rc, dec->info->c, to);
  (void)read_group(&op->regs, f, dec->rx, dec->info->x, to);
}

static void read_operands(const wl_regfile_t *rf, const wl_env_t *env, wl_flight_t *f) {
  const wl_insn_dec_t *dec = &f->insn.dec;
  for (unsigned k = 0; k < dec->info->a; k++)
    wl_reg_read(rf, f->warp, wl_reg_word(dec->ra, k), f->a[k]);
  for (unsigned k = 0; k < dec->info->b; k++)
    wl_reg_read(rf, f->warp, wl_reg_word(dec->rb, k), f->b[k]);
  for (unsigned k = 0; k < dec->info->c; k++)
    wl_reg_read(rf, f->warp, wl_reg_word(dec->rc, k), f->c[k]);
  if (f->fixed) execute(env, f);
}

static void begin(wl_operands_t *op, const wl_env_t *env, const wl_wires_t *w,
                  const wl_issue_wire_t *is) {
  op->cur = op->next_flight;
  op->next_flight = (uint8_t)((op->next_flight + 1) % WL_FLIGHTS);
  wl_flight_t *f = &op->flight[op->cur];
  f->insn = *is->insn;
  f->cycle = env->cycle;
  f->route = (wl_route_t)is->route;
  f->warp = is->warp;
  f->n = is->n;
  f->parts = (uint8_t)wl_parts(&env->cfg, is->insn);
  f->part_lanes = (uint8_t)wl_part_lanes(&env->cfg, is->insn);
  f->lsu_slot = w->lsu_slot;
  f->ctl = is->ctl;
  f->arrives = is->arrives;
  f->fixed = is->route == WL_ROUTE_FIXED || is->insn->dec.info->of.link;
  f->released = is->released;
  f->fast = is->fast;
  const unsigned lanes = is->insn->dec.info->of.lanes;
  f->by = lanes == WL_LANES_AT_ONCE_FIRST ? is->exec & -is->exec : is->exec;
  f->by_lane = !is->arrives && (lanes == WL_LANES_AT_ONCE_FIRST || lanes == WL_LANES_AT_ONCE_ONE);
  f->beats = is->beats;
  f->path = is->path;
  f->exec = is->exec;
  f->s = is->s;
  f->t = is->t;
  f->member = is->member;
  f->bar_popc = is->bar_popc;
  f->bar_and = is->bar_and;
  f->bar_or = is->bar_or;
  f->column_base = w->column_base[is->warp];
  op->reading = op->first = true;
  op->beat = (uint8_t)wl_lowest(is->beats);
  op->part = op->step = op->slot = 0;
  if (is->arrives) { /* it reads nothing */
    f->insn.steps = f->insn.cost[0] = f->parts = 1;
    f->part_lanes = (uint8_t)env->cfg.lanes;
  }
  if (f->by_lane) op->part = (uint8_t)(wl_lowest(f->by) % env->cfg.lanes);
}

/* Active beats after this one. A form that has n = 1 whatever its beats takes one slot, of the first
 * active beat. */
static uint32_t later_beats(const wl_operands_t *op, const wl_flight_t *f) {
  return f->n == 1 ? 0 : f->beats & ~((2u << op->beat) - 1);
}

static uint32_t step_lanes(const wl_operands_t *op, const wl_env_t *env, const wl_flight_t *f) {
  const unsigned first = op->beat * env->cfg.lanes + op->part * f->part_lanes;
  return f->exec & wl_lane_block(first, f->part_lanes);
}

/* A monitor is read in X1 (14), later than the operands: its word replaces what the slot found. */
static void take_monitor(wl_operands_t *op, const wl_sub_wires_t *w) {
  if (w->x1_pm) fill(op->flight[w->x1->f - op->flight].d[0], w->pm_word);
}

/* ---- LANE forms: a part is a lane, and only lanes that execute take slots; or only the first of them */
static uint32_t later_lanes(const wl_operands_t *op, const wl_env_t *env, const wl_flight_t *f) {
  return wl_later_lanes(f->by, op->beat * env->cfg.lanes + op->part, 1);
}

__attribute__((noinline)) static bool last_lane(const wl_operands_t *op, const wl_env_t *env,
                                                const wl_flight_t *f) {
  return (later_lanes(op, env, f) & wl_beat_lanes(&env->cfg, op->beat)) == 0;
}

__attribute__((noinline)) static void next_lane(wl_operands_t *op, const wl_env_t *env,
                                                const wl_flight_t *f) {
  const uint32_t later = later_lanes(op, env, f);
  op->reading = later != 0;
  if (later == 0) return;
  op->beat = (uint8_t)(wl_lowest(later) / env->cfg.lanes);
  op->part = (uint8_t)(wl_lowest(later) % env->cfg.lanes);
}

/* ---- slots. The last slot of a step: it reaches X1 two cycles later. */
static void deliver(wl_operands_t *op, const wl_env_t *env, const wl_flight_t *f) {
  const bool last_step = op->step + 1u == f->insn.steps;
  const bool last_part = f->by_lane ? last_lane(op, env, f) : op->part + 1u == f->parts;
  op->ring[(env->cycle + 2) % WL_SLOT_RING] =
      (wl_x1_wire_t){.f = f,
                     .lanes = step_lanes(op, env, f),
                     .step = op->step,
                     .beat = op->beat,
                     .valid = true,
                     .last_step = last_step,
                     .last_part = last_part,
                     .last = last_step && last_part && later_beats(op, f) == 0};
}

/* Steps, then the extra slot of forms with two predicates, in every part of every active beat. */
static void next_step(wl_operands_t *op, const wl_env_t *env, const wl_flight_t *f) {
  op->slot = 0;
  if (++op->step < f->insn.steps + f->insn.two_preds) return;
  op->step = 0;
  if (f->by_lane) {
    next_lane(op, env, f);
    return;
  }
  if (++op->part < f->parts) return;
  op->part = 0;
  const uint32_t later = later_beats(op, f);
  op->reading = later != 0;
  if (later != 0) op->beat = (uint8_t)wl_lowest(later);
}

/* The slot of this cycle. */
static void advance(wl_operands_t *op, const wl_env_t *env) {
  op->ring[(env->cycle + 2) % WL_SLOT_RING].valid = false;
  if (!op->reading) return;
  wl_flight_t *f = &op->flight[op->cur];
  if (op->first && f->insn.dec.info->of.list)
    read_list(op, f);
  else if (op->first)
    read_operands(&op->regs, env, f);
  op->first = false;
  if (op->step < f->insn.steps) {
    if (++op->slot < f->insn.cost[op->step]) return;
    deliver(op, env, f);
  }
  next_step(op, env, f);
}

static void write_fixed(wl_regfile_t *rf, const wl_env_t *env, const wl_sub_wires_t *w) {
  const wl_x1_wire_t *x = w->fixed, *late = w->fixed_late;
  if (late->valid)
    wl_pred_write(rf, env, late->f->warp, late->f->insn.dec.pq, late->lanes, late->f->q);
  if (!x->valid) return;
  const wl_insn_dec_t *dec = &x->f->insn.dec;
  if (x->lanes != 0) /* a part may have none */
    wl_reg_write(rf, env, x->f->warp, fixed_register(x), x->beat, x->lanes, x->f->d[x->step]);
  if (!writes_pred(x)) return;
  wl_pred_write(rf, env, x->f->warp, dec->pd, x->lanes, x->f->p);
  if (!x->f->insn.two_preds) wl_pred_write(rf, env, x->f->warp, dec->pq, x->lanes, x->f->q);
}

static void write_variable(wl_regfile_t *rf, const wl_env_t *env, const wl_sub_wires_t *w) {
  if (w->vwb_grant < 0) return;
  const wl_vwb_wire_t *v = &w->vwb[w->vwb_grant];
  wl_reg_write(rf, env, v->warp, v->reg, v->beat, v->lanes, v->data);
  if (v->has_pred) wl_pred_write(rf, env, v->warp, v->pd, v->lanes, v->pvalue);
}

/* Of route none only the stores to tensor memory have operands. */
static bool reads(const wl_issue_wire_t *is) {
  const wl_insn_dec_t *dec = &is->insn->dec;
  return is->route != WL_ROUTE_NONE || (dec->unit == WL_UNIT_TMEM && dec->op == WL_TMEM_ST);
}

void wl_operands_update(wl_operands_t *op, const wl_env_t *env, const wl_wires_t *wires,
                        unsigned k) {
  const wl_sub_wires_t *w = &wires->sub[k];
  take_monitor(op, w);
  advance(op, env); /* reads registers: before the writes of this cycle */
  write_fixed(&op->regs, env, w);
  write_variable(&op->regs, env, w);
  if (wires->page_we && wl_wbit(env->sub_warps[k], wires->page_warp))
    op->regs.page_map[wires->page_warp][wires->page_entry] = wires->page_value;
  if (wires->gpu->end) {
    /* Cycles may be skipped; of a store to tensor memory there may be slots left. */
    memset(op->ring, 0, sizeof op->ring);
    op->reading = false;
  }
  if (w->issue.valid && !w->issue.empty && reads(&w->issue)) begin(op, env, wires, &w->issue);
}
