/* Golden model: cycles of what the small configurations do piece by piece: parts of slow forms and
 * of f32 arithmetic, the second predicate, hazards of one warp per cycle, issue ahead (docs/microarchitecture.md 5, 6.1, 6.2),
 * splits by lane, sleepers (7.3), barriers left by a warp that exits (8). The expected cycles are worked
 * out by hand from the text. */
#include "tests/unit/model/journal.h"

enum { X1 = 2 };
static wl_run_journal_t journal;

/* The nth record of a kind in cycles from `from` on; an empty one if there is none. */
static wl_event_t nth(int kind, uint64_t from, unsigned n) {
  const wl_event_t *e = journal_nth(&journal, kind, from, n);
  return e != NULL ? *e : (wl_event_t){0};
}

static uint64_t issue_of(uint32_t warp, uint32_t pc) { return journal_issue(&journal, warp, pc); }

static void start(wl_bench_t *b, wl_config_id_t config, uint32_t threads) {
  bench_open(b, config, threads, 1);
  journal_start(&journal, b);
}

/* r4 = lane, P1 = lane < below, P2 = lane >= from; nothing pending behind it. */
static uint32_t prelude(wl_bench_t *b, uint32_t below, uint32_t from) {
  bench_emit(b, WL_FORM_S2R, X(.rd = 4, .imm = 12));
  bench_emit(b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 4, .imm = below, .cmp = 1));
  bench_emit(b, WL_FORM_SETP_S32_RI, X(.pd = P(2), .ra = 4, .imm = from - 1, .cmp = 4));
  bench_emit(b, WL_FORM_MOV_R, X(.guard = P(2), .rd = 5, .ra = 4)); /* waits for P2 */
  return b->code_words;
}

/* A slow form of one lane: P slots, one register write in the slot of the lane's part, and the
 * register is pending until the last part's W. */
static int one_lane(wl_config_id_t config, bool last_lane) {
  wl_bench_t b;
  const wl_config_t *cfg = &wl_configs[config];
  const uint32_t parts = cfg->lanes / cfg->slow_lanes, guard = last_lane ? P(2) : P(1);
  start(&b, config, 32);
  const uint32_t at = prelude(&b, 1, 31);
  bench_emit(&b, WL_FORM_POPC, X(.guard = guard, .rd = 8, .ra = 4));
  bench_emit(&b, WL_FORM_ADD_RI, X(.rd = 9, .ra = 8, .imm = 1));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t t = issue_of(0, at);
  const wl_event_t write = nth(WL_J_RF, t + 1 + X1 + WL_LAT_FIXED, 0);
  bench_expect(&b, "write", write.cycle - t, (last_lane ? parts : 1) + X1 + WL_LAT_FIXED);
  bench_expect(&b, "mask", write.word[2], last_lane ? 1u << (cfg->lanes - 1) : 1);
  bench_expect(&b, "only one write", nth(WL_J_RF, write.cycle + 1, 0).cycle > issue_of(0, at + 1),
               1);
  bench_expect(&b, "dependent issue", issue_of(0, at + 1) - t,
               bench_distance(cfg, parts, parts + X1 + WL_LAT_FIXED));
  bench_expect(&b, "r8", bench_reg(&b, 0, 8, last_lane ? 31 : 0), last_lane ? 5 : 0);
  bench_close(&b);
  return b.failures;
}

/* All lanes: every beat in parts; a beat's parts write one after the other. Cost 2: the operands
 * r4 and r8 share a bank. */
static int all_parts(wl_config_id_t config) {
  wl_bench_t b;
  const wl_config_t *cfg = &wl_configs[config];
  const uint32_t parts = cfg->lanes / cfg->slow_lanes, n = cfg->beats * parts * 2;
  start(&b, config, 32);
  prelude(&b, 1, 31);
  const uint32_t at = bench_emit(&b, WL_FORM_PRMT_RRI, X(.rd = 9, .ra = 4, .rb = 8, .imm = 0));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 10));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t t = issue_of(0, at);
  if (n > 3) bench_expect(&b, "slots", issue_of(0, at + 1) - t, n);
  for (uint32_t i = 0; i < cfg->beats * parts; i++) {
    const wl_event_t e = nth(WL_J_RF, t + 2 + X1 + WL_LAT_FIXED, i);
    const uint32_t one = cfg->slow_lanes == 32 ? UINT32_MAX : (1u << cfg->slow_lanes) - 1;
    bench_expect(&b, "part's write", e.cycle - t, 2 * (i + 1) + X1 + WL_LAT_FIXED);
    bench_expect(&b, "part's lanes", e.word[2], one << i % parts * cfg->slow_lanes);
  }
  for (unsigned l = 0; l < 32; l++)
    bench_expect(&b, "r9", bench_reg(&b, 0, 9, l), l * 0x01010101u);
  bench_close(&b);
  return b.failures;
}

/* f32 arithmetic: parts of FpLanes lanes. r12 = lane, r8 = 2 and r16 = 1 are in one bank, so a part
 * takes a slot per operand; another form of the unit (max) takes its operands a beat at a time. */
typedef struct wl_f32_case {
  wl_form_t form;
  uint32_t operands, part_lanes; /* part_lanes 0: whole beats */
  float by, plus, least;         /* the result: the larger of lane * by + plus and least */
} wl_f32_case_t;

static uint32_t f32_prelude(wl_bench_t *b) {
  bench_emit(b, WL_FORM_S2R, X(.rd = 4, .imm = 12)); /* lane */
  bench_emit(b, WL_FORM_CVT_F32_S32, X(.rd = 12, .ra = 4));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 8, .imm = 0x40000000));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 16, .imm = 0x3f800000));
  bench_emit(b, WL_FORM_MOV_R, X(.rd = 5, .ra = 16)); /* waits for all of them */
  while (b->code_words % 4 != 0)                      /* the next instructions are in one line */
    bench_emit(b, WL_FORM_NOP, X(0));
  return b->code_words;
}

static int f32_parts(wl_config_id_t config, const wl_f32_case_t *c) {
  wl_bench_t b;
  const wl_config_t *cfg = &wl_configs[config];
  const uint32_t size = c->part_lanes != 0 ? c->part_lanes : cfg->lanes, parts = cfg->lanes / size;
  const uint32_t n = cfg->beats * parts * c->operands, w = X1 + WL_LAT_FIXED;
  start(&b, config, 32);
  const uint32_t at = f32_prelude(&b);
  bench_emit(&b, c->form, X(.rd = 9, .ra = 12, .rb = 8, .rc = 16));
  bench_emit(&b, WL_FORM_NOP, X(0));
  bench_emit(&b, WL_FORM_MOV_R, X(.rd = 10, .ra = 9));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t t = issue_of(0, at);
  if (n > 3) bench_expect(&b, "slots", issue_of(0, at + 1) - t, n);
  for (uint32_t i = 0; i < cfg->beats * parts; i++) {
    const wl_event_t e = nth(WL_J_RF, t + c->operands + w, i);
    const uint32_t one = size == 32 ? UINT32_MAX : (1u << size) - 1;
    bench_expect(&b, "part's write", e.cycle - t, c->operands * (i + 1) + w);
    bench_expect(&b, "part's lanes", e.word[2], one << i % parts * size);
  }
  /* Taken and judged again and again from the issue of nop on. */
  const uint32_t nop = bench_distance(cfg, n, 0);
  bench_expect(&b, "dependent issue", issue_of(0, at + 2) - t,
               nop + bench_distance(cfg, 1, n + w - nop));
  for (unsigned l = 0; l < 32; l++) {
    const float sum = (float)l * c->by + c->plus, want = sum < c->least ? c->least : sum;
    uint32_t bits;
    memcpy(&bits, &want, sizeof bits);
    bench_expect(&b, "f32", bench_reg(&b, 0, 9, l), bits);
  }
  if (b.failures != 0) printf("in %s\n", wl_form_info[c->form].name);
  bench_close(&b);
  return b.failures;
}

static int all_f32(wl_config_id_t config) {
  const uint32_t lanes = wl_configs[config].fp_lanes;
  const wl_f32_case_t cases[] = {{WL_FORM_ADD_F32_RR, 2, lanes, 1, 2, 0},
                                 {WL_FORM_MUL_F32_RR, 2, lanes, 2, 0, 0},
                                 {WL_FORM_FMA_F32_RRR, 3, lanes, 2, 1, 0},
                                 {WL_FORM_MAX_F32_RR, 2, 0, 1, 0, 2}};
  int failures = 0;
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    failures += f32_parts(config, &cases[i]);
  return failures;
}

/* Shared loads and stores: parts of LsuLanes lanes, those of the one active beat, whether they have
 * lanes or not. */
static int memory_parts(wl_config_id_t config, bool last_lane) {
  wl_bench_t b;
  const wl_config_t *cfg = &wl_configs[config];
  const uint32_t parts = cfg->lanes / cfg->lsu_lanes, guard = last_lane ? P(2) : P(1);
  start(&b, config, 32);
  prelude(&b, 1, 31);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 8, .imm = 16));
  bench_emit(&b, WL_FORM_MOV_R, X(.rd = 9, .ra = 8));
  /* Steps {address, r12, r13} and {r14, r15}; r12 and the address r8 share a bank. */
  while (b.code_words % 4 != 0)
    bench_emit(&b, WL_FORM_NOP, X(0));
  const uint32_t at = bench_emit(&b, WL_FORM_ST_SHARED_B128, X(.guard = guard, .ra = 8, .rb = 12));
  bench_emit(&b, WL_FORM_LD_SHARED_B32, X(.guard = guard, .rd = 20, .ra = 8, .imm = 4));
  bench_emit(&b, WL_FORM_NOP, X(0));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t t = issue_of(0, at);
  const unsigned lane = last_lane ? 31 : 0;
  bench_expect(&b, "store", issue_of(0, at + 1) - t, bench_distance(cfg, 3 * parts, 0));
  bench_expect(&b, "r20", bench_reg(&b, 0, 20, lane), bench_reg(&b, 0, 13, lane));
  bench_close(&b);
  return b.failures;
}

/* A comparison into two predicates: one slot more per beat, pq in W + 1; `words` steps. */
static int two_predicates(wl_config_id_t config, uint32_t words, bool wait_for_q) {
  wl_bench_t b;
  const wl_config_t *cfg = &wl_configs[config];
  const wl_form_t form = words == 2 ? WL_FORM_SETP_U64_RI : WL_FORM_SETP_U32_RI;
  start(&b, config, 32);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 5));
  prelude(&b, 1, 32);
  const uint32_t at = bench_emit(&b, form, X(.pd = P(3), .pq = P(4), .ra = 4, .imm = 10, .cmp = 1));
  bench_emit(&b, WL_FORM_MOV_I, X(.guard = wait_for_q ? P(4) : P(3), .rd = 9, .imm = 6));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t t = issue_of(0, at);
  const uint32_t period = words + 1;
  for (uint32_t i = 0; i < cfg->beats; i++) {
    const uint32_t lanes =
        cfg->lanes == 32 ? UINT32_MAX : ((1u << cfg->lanes) - 1) << i * cfg->lanes;
    const wl_event_t p = nth(WL_J_PRED, t + X1 + WL_LAT_FIXED, 2 * i);
    const wl_event_t q = nth(WL_J_PRED, t + X1 + WL_LAT_FIXED, 2 * i + 1);
    bench_expect(&b, "pd in", p.cycle - t, i * period + words + X1 + WL_LAT_FIXED);
    bench_expect(&b, "pd", p.word[1], 3);
    bench_expect(&b, "pd lanes", p.word[2], lanes);
    bench_expect(&b, "pd value", p.word[3], lanes & 0x3ff);
    bench_expect(&b, "pq in", q.cycle - t, i * period + words + X1 + WL_LAT_FIXED + 1);
    bench_expect(&b, "pq", q.word[1], 4);
    bench_expect(&b, "pq value", q.word[3], lanes & ~0x3ffu);
  }
  const uint32_t written = (cfg->beats - 1) * period + words + X1 + WL_LAT_FIXED + wait_for_q;
  bench_expect(&b, "dependent issue", issue_of(0, at + 1) - t,
               bench_distance(cfg, cfg->beats * period, written + 1));
  bench_close(&b);
  return b.failures;
}

/* A branch by lane to two targets takes Beats cycles for each, a branch to one target 1; where a step
 * takes two cycles, 2, or Beats + 3 of several beats. Their last cycle writes. The engine's first step
 * begins in T + 1, with EventDelay in T + 2, with RowCycles = 2 in T + 3. */
static int split(wl_config_id_t config, bool by_lane) {
  wl_bench_t b;
  const uint32_t step = wl_configs[config].row_cycles;
  const uint32_t beats = by_lane ? wl_configs[config].beats : 1;
  const uint32_t each = step == 1 ? beats : beats == 1 ? 2 : beats + 3;
  start(&b, config, 32);
  prelude(&b, 7, 32);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 6, .imm = 8));
  bench_emit(&b, WL_FORM_MOV_I, X(.guard = P(1), .rd = 6, .imm = 9));
  if (by_lane)
    bench_emit(&b, WL_FORM_BRX, X(.ra = 6));
  else
    bench_emit(&b, WL_FORM_BRA, X(.guard = P(1), .imm = 9));
  bench_emit(&b, WL_FORM_NOP, X(0));
  bench_emit(&b, WL_FORM_NOP, X(0));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t t = nth(WL_J_RESOLVE, 0, 0).cycle;
  const uint32_t late = (wl_configs[config].event_delay ? 1 : 0) + step - 1;
  const uint32_t when[4] = {each, 2 * each, 2 * each + step,
                            2 * each + 2 * step}; /* SPLIT, WALK1 */
  for (unsigned i = 0; i < 4; i++) {
    const wl_event_t e = nth(WL_J_ROW, 0, i);
    bench_expect(&b, "row written", e.cycle - t, when[i] + late);
    bench_expect(&b, "leader", e.word[1], i % 2 == 0 ? 0 : 7);
    bench_expect(&b, "lanes", e.word[2], i % 2 == 0 ? 0x7f : ~0x7fu);
  }
  bench_close(&b);
  return b.failures;
}

/* A sleeper of slot 0 is noticed in the first cycle from its wake time on that is a multiple of
 * Warps; the walk over one row, two steps, ends two cycles later, with EventDelay three. With RowCycles = 2
 * it is taken in the second cycle, and four more are needed. */
static int sleeper(wl_config_id_t config) {
  int failures = 0;
  for (uint32_t ns = 200; ns < 209; ns++) {
    wl_bench_t b;
    const uint32_t warps = wl_configs[config].warps;
    start(&b, config, 32);
    bench_emit(&b, WL_FORM_MOV_I, X(.rd = 4, .imm = ns));
    bench_emit(&b, WL_FORM_NANOSLEEP_R, X(.ra = 4));
    bench_emit(&b, WL_FORM_EXIT, X(0));
    bench_run(&b);
    const uint64_t resolve = nth(WL_J_RESOLVE, 0, 0).cycle;
    const wl_event_t row = nth(WL_J_ROW, 0, 0);
    bench_expect(&b, "wake time", row.word[7], resolve + ns);
    const uint64_t seen = (row.word[7] + warps - 1) / warps * warps;
    const unsigned behind = wl_configs[config].row_cycles == 2 ? 6
                            : wl_configs[config].event_delay   ? 3
                                                               : 2;
    bench_expect(&b, "running", nth(WL_J_WALKED, 0, 1).word[1], 1);
    bench_expect(&b, "walk ends", nth(WL_J_WALKED, 0, 1).cycle, seen + behind);
    bench_close(&b);
    failures += b.failures;
  }
  return failures;
}

/* Warp 0 arrives at barriers 1, 4, 9 of all warps, at 6 of two warps, and waits at 2; warp 2 ends,
 * then warp 1: barriers 1, 2, 4 complete one per cycle, 6 takes its cycle, then 9. */
static int exits(wl_config_id_t config) {
  static const uint32_t number[4] = {1, 2, 4, 9}, after[4] = {0, 1, 2, 4};
  wl_bench_t b;
  start(&b, config, 96);
  bench_emit(&b, WL_FORM_S2R, X(.rd = 4, .imm = 0)); /* thread */
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 4, .imm = 32, .cmp = 1));
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(2), .ra = 4, .imm = 64, .cmp = 1));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 5, .imm = 3000));
  const uint32_t bra = bench_emit(&b, WL_FORM_BRA, X(.guard = P(1)));
  bench_emit(&b, WL_FORM_NANOSLEEP_R, X(.guard = P(2), .ra = 5));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_patch(&b, bra, b.code_words);
  const uint32_t arrive[4] = {1, 4, 6 | 2 << 8, 9};
  for (unsigned i = 0; i < 4; i++)
    bench_emit(&b, WL_FORM_BAR_ARRIVE_I, X(.imm = arrive[i]));
  bench_emit(&b, WL_FORM_BAR_SYNC_I, X(.imm = 2));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, 0);
  const uint64_t first = nth(WL_J_BARRIER, 0, 5).cycle; /* behind five arrivals */
  for (unsigned i = 0; i < 4; i++) {
    const wl_event_t e = nth(WL_J_BARRIER, 0, 5 + i);
    bench_expect(&b, "completed", e.word[1], number[i]);
    bench_expect(&b, "nobody left", e.word[2], 0);
    bench_expect(&b, "cycle", e.cycle - first, after[i]);
  }
  bench_expect(&b, "no other", nth(WL_J_BARRIER, 0, 9).cycle, 0);
  bench_close(&b);
  return b.failures;
}

/* A constant load whose guard is false waits for the unit like any other; judged long before, it is
 * chosen in the cycle in which the unit is free. */
static int guarded_off(wl_config_id_t config) {
  wl_bench_t b;
  start(&b, config, 32);
  prelude(&b, 0, 31);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 6));
  const uint32_t at = bench_emit(&b, WL_FORM_LDC_B32, X(.rd = 8, .ra = 6));
  bench_emit(&b, WL_FORM_LDC_B32, X(.guard = P(1), .rd = 9, .ra = 6));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const wl_event_t last = nth(WL_J_RF, issue_of(0, at) + 1, wl_configs[config].beats - 1);
  bench_expect(&b, "next load", issue_of(0, at + 1),
               last.cycle + 1 + (wl_configs[config].issue_ahead ? 2 : 0));
  bench_close(&b);
  return b.failures;
}

int main(void) {
  const wl_config_id_t configs[] = {WL_CONFIG_TINY, WL_CONFIG_TINY4, WL_CONFIG_BASE};
  int failures = 0;
  for (unsigned i = 0; i < 3; i++) {
    const wl_config_id_t c = configs[i];
    const int before = failures;
    failures += one_lane(c, false) + one_lane(c, true) + all_parts(c) +
                two_predicates(c, 1, false) + two_predicates(c, 1, true) +
                two_predicates(c, 2, false) + two_predicates(c, 2, true) + split(c, false) +
                split(c, true) + sleeper(c) + exits(c) + guarded_off(c);
    failures += all_f32(c) + memory_parts(c, false) + memory_parts(c, true);
    if (failures != before) printf("in configuration %s\n", wl_configs[c].name);
  }
  return failures != 0;
}
