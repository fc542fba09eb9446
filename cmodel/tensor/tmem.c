/* tensor/tmem.c: loads and stores of tensor memory, of a sub-core (docs/microarchitecture.md 24.2), and what
 * products write to it (25.6). Which columns belong to whom is tensor/columns.c's. */
#include "cmodel/tensor/tmem.h"

#include <string.h>

void wl_tmem_reset(wl_tmem_t *t, const wl_env_t *env, unsigned k) {
  uint32_t *const words = t->words;
  (void)env, (void)k;
  memset(t, 0, sizeof *t);
  t->words = words;
}

static unsigned quarter_of(const wl_env_t *env, unsigned warp) {
  return env->slots->warp_index[warp] % WL_TMEM_QUARTERS;
}

static uint32_t *row_of(const wl_tmem_t *t, const wl_env_t *env, unsigned quarter,
                        unsigned column) {
  return t->words + ((size_t)quarter * env->cfg.tmem_columns + column) * WL_LANES;
}

/* ---- faults */
static uint64_t column_at(const wl_tmem_judged_t *n, unsigned i) {
  return (uint64_t)(n->a & 0xffff) + n->imm + i;
}

static bool is_owned(const wl_env_t *env, const wl_wires_t *w, unsigned warp, uint64_t column) {
  if (column >= env->cfg.tmem_columns) return false;
  const wl_column_unit_t *unit = &w->columns[column / WL_UNIT_COLUMNS];
  return unit->used && unit->cta == env->slots->warp_cta[warp];
}

static wl_trap_t fault_of(const wl_tmem_judged_t *n, const wl_env_t *env, const wl_wires_t *w,
                          unsigned k) {
  const unsigned quarter = quarter_of(env, n->warp);
  const uint32_t lane = 32 * quarter, at = n->a >> 16;
  if (env->cfg.sub_cores > 1 && quarter != k) return WL_TRAP_TMEM_LANES;
  if (at != lane && !(n->half && at == lane + 16)) return WL_TRAP_TMEM_LANES;
  for (unsigned i = 0; i < n->words; i++)
    if (!is_owned(env, w, n->warp, column_at(n, i))) return WL_TRAP_TMEM_RANGE;
  return WL_TRAP_NONE;
}

/* The store's lanes that the beat of this cycle writes. */
static uint32_t stored_lanes(const wl_tmem_t *t, const wl_env_t *env) {
  const wl_tmem_part_t *p = &t->part[1];
  if (!p->valid || !t->store.ok) return 0;
  return t->store.lanes & wl_beat_lanes(&env->cfg, p->beat);
}

void wl_tmem_out(const wl_tmem_t *t, const wl_env_t *env, wl_wires_t *wires, unsigned k) {
  wl_sub_wires_t *w = &wires->sub[k];
  wl_vwb_wire_t *v = &w->result[WL_RESULT_TMEM];
  w->tmem_shown = t->awake;
  w->tmem_free = t->used < env->cfg.tmem_loads;
  w->tmem_fault = w->trap[WL_SRC_TMEM].valid = false;
  w->tmem_stores = stored_lanes(t, env) != 0;
  w->tmem_store_quarter = t->store.quarter;
  if (t->now.valid) {
    const wl_trap_t cause = fault_of(&t->now, env, wires, k);
    w->tmem_fault = cause != WL_TRAP_NONE;
    if (w->tmem_fault)
      w->trap[WL_SRC_TMEM] =
          (wl_trap_info_t){true, (uint8_t)cause, t->now.warp, 0, t->now.pc, t->now.a + t->now.imm};
  }
  v->valid = t->out_count != 0;
  if (!v->valid) return;
  const wl_tmem_word_t *o = &t->out[t->out_first];
  v->warp = o->warp;
  v->reg = o->reg;
  v->beat = o->beat;
  v->lanes = wl_beat_lanes(&env->cfg, o->beat);
  v->data = o->data;
  v->last_beat = o->last_beat;
  v->last = o->last;
}

/* ---- loads */
static unsigned place(const wl_tmem_t *t, const wl_env_t *env, unsigned n) {
  return (t->oldest + n) % env->cfg.tmem_loads;
}

/* The oldest entry's next beat comes to the stage. */
static void read_row(wl_tmem_t *t, const wl_env_t *env) {
  const wl_tmem_load_t *l = &t->load[t->oldest];
  wl_tmem_word_t *s = &t->stage;
  s->warp = l->warp;
  s->reg = (uint8_t)wl_reg_word(l->rd, t->word);
  s->beat = t->beat;
  s->last_beat = t->beat + 1u == env->cfg.beats;
  s->last = s->last_beat && t->word + 1u == l->count;
  if (l->zero)
    memset(s->data, 0, sizeof s->data);
  else
    memcpy(s->data, row_of(t, env, l->quarter, l->column + t->word), sizeof s->data);
  if (!s->last_beat) {
    t->beat++;
    return;
  }
  t->beat = 0;
  t->word++;
  if (!s->last) return;
  t->word = 0;
  t->oldest = (uint8_t)place(t, env, 1);
  t->used--;
  t->judged--;
}

bool wl_tmem_is_held(const wl_tmem_load_t *l, const wl_sub_wires_t *w) {
  return w->umma_reads && !l->zero && l->quarter == w->umma_read_quarter;
}

static void move(wl_tmem_t *t, const wl_env_t *env, const wl_sub_wires_t *w) {
  const bool moves = t->out_count < WL_TMEM_OUT;
  if (w->result_taken == WL_RESULT_TMEM) {
    t->out_first = (uint8_t)((t->out_first + 1) % WL_TMEM_OUT);
    t->out_count--;
  }
  if (!moves) return;
  if (t->stage_valid) t->out[(t->out_first + t->out_count++) % WL_TMEM_OUT] = t->stage;
  t->stage_valid = t->judged != 0 && !wl_tmem_is_held(&t->load[t->oldest], w);
  if (t->stage_valid) read_row(t, env);
}

/* ---- stores */
/* lanes: of the quarter, within the beat; at least one. */
static void write_beat(wl_tmem_t *t, const wl_env_t *env, unsigned quarter, unsigned column,
                       unsigned beat, uint32_t lanes, const uint32_t data[WL_LANES]) {
  const unsigned first = beat * env->cfg.lanes;
  uint32_t *row = row_of(t, env, quarter, column);
  uint32_t record[3 + WL_LANES] = {quarter, column * env->cfg.beats + beat, lanes >> first};
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const unsigned i = wl_lowest(left);
    row[i] = record[3 + i - first] = data[i];
  }
  wl_journal(env, WL_J_TMEM, record, 3 + env->cfg.lanes);
}

static void write_part(wl_tmem_t *t, const wl_env_t *env) {
  const wl_tmem_part_t *p = &t->part[1];
  const uint32_t lanes = stored_lanes(t, env);
  if (p->valid && p->last) t->stores--;
  if (lanes == 0) return;
  write_beat(t, env, t->store.quarter, t->store.column + p->word, p->beat, lanes, p->data);
}

/* ---- what comes in X1 */
static bool is_ours(const wl_flight_t *f) { return !f->ctl && f->insn.dec.unit == WL_UNIT_TMEM; }

static void judge(wl_tmem_t *t, const wl_env_t *env, const wl_sub_wires_t *w) {
  const wl_tmem_judged_t *n = &t->now;
  if (!n->valid) return;
  const unsigned quarter = quarter_of(env, n->warp);
  if (n->load) {
    wl_tmem_load_t *l = &t->load[place(t, env, t->judged++)];
    l->quarter = (uint8_t)quarter;
    l->column = (uint16_t)column_at(n, 0);
    l->zero = w->tmem_fault;
    return;
  }
  t->store.ok = !w->tmem_fault;
  t->store.quarter = (uint8_t)quarter;
  t->store.column = (uint16_t)column_at(n, 0);
  t->store.lanes = n->half ? wl_lane_block(n->a >> 16 & 16, 16) : ~UINT32_C(0);
}

static void take_words(wl_tmem_t *t, const wl_x1_wire_t *x) {
  t->part[1] = t->part[0];
  t->part[0].valid = t->now.valid = false;
  if (!x->valid || !is_ours(x->f)) return;
  const wl_insn_dec_t *dec = &x->f->insn.dec;
  if (x->step == 0) {
    const bool load = dec->op == WL_TMEM_LD;
    t->now = (wl_tmem_judged_t){.valid = x->beat == 0,
                                .load = load,
                                .half = dec->half != 0,
                                .warp = x->f->warp,
                                .words = load ? dec->count : dec->info->b,
                                .pc = x->f->insn.pc,
                                .a = x->f->list[0][0],
                                .imm = load ? 0 : dec->imm};
    return;
  }
  wl_tmem_part_t *p = &t->part[0];
  p->valid = true;
  p->last = x->last;
  p->word = (uint8_t)(x->step - 1);
  p->beat = x->beat;
  memcpy(p->data, x->f->list[x->step], sizeof p->data);
}

static bool loads(const wl_tmem_t *t) {
  return t->used != 0 || t->stage_valid || t->out_count != 0;
}

static void work(wl_tmem_t *t, const wl_env_t *env, const wl_sub_wires_t *w) {
  move(t, env, w); /* reads what stores of this cycle change */
  write_part(t, env);
  judge(t, env, w);
  take_words(t, w->x1);
  t->awake = loads(t) || t->stores != 0;
}

static void take_issue(wl_tmem_t *t, const wl_env_t *env, const wl_issue_wire_t *is) {
  if (!is->valid || is->empty || is->ctl || is->insn->dec.unit != WL_UNIT_TMEM) return;
  const wl_insn_dec_t *dec = &is->insn->dec;
  if (dec->op == WL_TMEM_WAITLD) return;
  t->awake = true;
  if (dec->op == WL_TMEM_ST) {
    t->stores++;
    return;
  }
  wl_tmem_load_t *l = &t->load[place(t, env, t->used++)];
  *l = (wl_tmem_load_t){.warp = is->warp, .rd = dec->rd, .count = dec->count};
}

void wl_tmem_update(wl_tmem_t *t, const wl_env_t *env, const wl_wires_t *wires, unsigned k) {
  const wl_sub_wires_t *w = &wires->sub[k];
  const wl_umma_row_t *row = &w->umma_row;
  if (t->awake) work(t, env, w);     /* with `clear` too: what is due in this cycle */
  if (row->valid && row->lanes != 0) /* behind what a load reads in this cycle */
    write_beat(t, env, row->quarter, row->column, row->beat, row->lanes, row->data);
  if (wires->gpu->clear) {
    wl_tmem_reset(t, env, k);
    return;
  }
  take_issue(t, env, &w->issue);
}

uint32_t wl_tmem_busy(const wl_tmem_t *t, const wl_env_t *env) {
  (void)env;
  return (uint32_t)loads(t) << WL_REST_TMEM;
}
