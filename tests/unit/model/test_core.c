/* Golden model, core units on hand-made programs (docs/microarchitecture.md 3 to 6): results, and
 * the cycles that the text fixes between issues. No memory instructions here. */
#include "tests/unit/model/journal.h"

static uint64_t state_cycle(const wl_run_journal_t *j, uint32_t state) {
  const wl_event_t *e = NULL;
  for (unsigned i = 0; (e = journal_nth(j, WL_J_STATE, 0, i)) != NULL; i++)
    if (e->word[0] == state) return e->cycle;
  return 0;
}

/* mov, s2r, dependent adds, exit: values, and the distance of dependent issues. */
static int straight_line(wl_config_id_t config) {
  static wl_run_journal_t journal;
  wl_bench_t b;
  bench_open(&b, config, 32, 1);
  bench_emit(&b, WL_FORM_NOP, X(0));
  bench_emit(&b, WL_FORM_NOP, X(0)); /* the adds share a line of the instruction cache */
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 4, .imm = 1000));
  bench_emit(&b, WL_FORM_S2R, X(.rd = 5, .imm = 0));
  bench_emit(&b, WL_FORM_ADD_RR, X(.rd = 6, .ra = 4, .rb = 5));
  bench_emit(&b, WL_FORM_ADD_RI, X(.rd = 7, .ra = 6, .imm = 5));
  bench_emit(&b, WL_FORM_ADD_RR, X(.rd = 8, .ra = 7, .rb = 3 + 8));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  journal_start(&journal, &b);
  bench_run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, 0);
  for (unsigned l = 0; l < 32; l++)
    bench_expect(&b, "r7", bench_reg(&b, 0, 7, l), 1005 + l);
  /* add.ri (one slot per beat) after add.rr: r4 and r5 are in different banks, so n = beats; the
   * last write of r6 is in t + n + 2 + LatFixed, and the dependent issue may be in that cycle. tiny,
   * n = 4: free in 12, judged in 12, chosen in 13, issued in 15; tiny4, n = 8: free in 16, issued in
   * 19; base: 9. */
  const wl_config_t *cfg = &wl_configs[config];
  const uint32_t beats = cfg->beats;
  const uint64_t first = journal_issue(&journal, 0, 4);
  bench_expect(&b, "dependent issue", journal_issue(&journal, 0, 5) - first,
               bench_distance(cfg, beats, beats + 2 + WL_LAT_FIXED));
  /* r7 and r11 share a bank: two slots per beat, nothing depends, so exit follows in t + n
   * (8 and 16 are more than the 5 that choice and scan take). */
  bench_expect(&b, "slots", journal_issue(&journal, 0, 7) - journal_issue(&journal, 0, 6),
               bench_distance(cfg, 2 * beats, 0));
  bench_close(&b);
  return b.failures;
}

/* The start of a launch, alone: section 3 gives every cycle from start_i to the first issue when
 * the memory answers after L cycles. Start in 0; LOAD visible 1; sector i granted in 1 + i, in the
 * input register 2 + i, admitted then, its row requests in 3 + i, memory answers 3 + i + L, RESP
 * visible 4 + i + L, response in that cycle; got = 16 visible in 20 + L: RUN visible 21 + L. The
 * order point's table (OpTable rows) delays this where it is smaller than the requests in flight.
 */
static int launch_timing(void) {
  static wl_run_journal_t journal;
  wl_bench_t b;
  bench_open(&b, WL_CONFIG_BASE, 32, 1);
  bench_emit(&b, WL_FORM_EXIT, X(0));
  journal_start(&journal, &b);
  bench_run(&b);
  const uint64_t l = wl_configs[WL_CONFIG_BASE].mem_latency;
  bench_expect(&b, "RUN entered in", state_cycle(&journal, 2), 20 + l);
  bench_close(&b);
  return b.failures;
}

/* A loop of 100 turns with a predicate, then a guarded instruction. */
static int loop(wl_config_id_t config) {
  wl_bench_t b;
  bench_open(&b, config, 96, 3);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 1, .imm = 0));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 2, .imm = 0));
  const uint32_t top = bench_emit(&b, WL_FORM_ADD_RI, X(.rd = 1, .ra = 1, .imm = 1));
  bench_emit(&b, WL_FORM_ADD_RR, X(.rd = 2, .ra = 2, .rb = 1));
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 1, .imm = 100, .cmp = 1));
  bench_emit(&b, WL_FORM_BRA, X(.guard = P(1), .imm = top));
  bench_emit(&b, WL_FORM_MOV_I, X(.guard = P(1), .rd = 2, .imm = 1));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  for (unsigned l = 0; l < 32; l++)
    bench_expect(&b, "sum", bench_reg(&b, 1, 2, l), 5050);
  const wl_model_counters_t *c = wl_model_counters(b.model);
  bench_expect(&b, "CTAs", c->ctas, 3);
  bench_expect(&b, "issued", c->issued, 9 * (2 + 400 + 2));
  bench_close(&b);
  return b.failures;
}

/* Lanes part at a branch and meet again; both sides' values arrive. */
static int diverge(wl_config_id_t config) {
  wl_bench_t b;
  bench_open(&b, config, 32, 1);
  bench_emit(&b, WL_FORM_S2R, X(.rd = 1, .imm = 12));
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(0), .ra = 1, .imm = 10, .cmp = 1));
  const uint32_t bra = bench_emit(&b, WL_FORM_BRA, X(.guard = P(0)));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 2, .imm = 77));
  const uint32_t over = bench_emit(&b, WL_FORM_BRA, X(0));
  bench_patch(&b, bra, bench_emit(&b, WL_FORM_MOV_I, X(.rd = 2, .imm = 33)));
  bench_patch(&b, over, bench_emit(&b, WL_FORM_ACTIVEMASK, X(.rd = 3)));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  for (unsigned l = 0; l < 32; l++) {
    bench_expect(&b, "side", bench_reg(&b, 0, 2, l), l < 10 ? 33 : 77);
    bench_expect(&b, "together again", bench_reg(&b, 0, 3, l), UINT32_MAX);
  }
  bench_close(&b);
  return b.failures;
}

/* Exchange: fast shfl down by 3, ballot, redux, match.any over lane & 3. */
static int exchange(wl_config_id_t config) {
  wl_bench_t b;
  bench_open(&b, config, 32, 1);
  bench_emit(&b, WL_FORM_S2R, X(.rd = 1, .imm = 12));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 2, .imm = 3 | 31 << 8));
  bench_emit(&b, WL_FORM_SHFL_I,
             X(.rd = 3, .ra = 1, .rb = 2, .pd = P(1), .imm = UINT32_MAX, .xmode = 1));
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(2), .ra = 1, .imm = 5, .cmp = 1));
  bench_emit(&b, WL_FORM_VOTE_BALLOT_I, X(.rd = 4, .ps = P(2), .imm = UINT32_MAX));
  bench_emit(&b, WL_FORM_REDUX_ADD_I, X(.rd = 5, .ra = 1, .imm = UINT32_MAX));
  bench_emit(&b, WL_FORM_BFE_U32_I, X(.rd = 6, .ra = 1, .imm = 0 | 2 << 8));
  bench_emit(&b, WL_FORM_MATCH_ANY_I, X(.rd = 7, .ra = 6, .imm = UINT32_MAX));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, 0);
  for (unsigned l = 0; l < 32; l++) {
    bench_expect(&b, "shfl.down", bench_reg(&b, 0, 3, l), l + 3 <= 31 ? l + 3 : l);
    bench_expect(&b, "ballot", bench_reg(&b, 0, 4, l), 31);
    bench_expect(&b, "redux.add", bench_reg(&b, 0, 5, l), 496);
    bench_expect(&b, "match.any", bench_reg(&b, 0, 7, l), UINT32_C(0x11111111) << (l & 3));
  }
  bench_close(&b);
  return b.failures;
}

/* Traps name cause and place, and the next launch starts clean. */
static int traps(void) {
  wl_bench_t b;
  bench_open(&b, WL_CONFIG_TINY, 32, 1);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 40, .imm = 1));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  bench_expect(&b, "cause", (uint64_t)wl_model_trap(b.model).cause, WL_TRAP_REGISTER_RANGE);
  bench_expect(&b, "pc", wl_model_trap(b.model).pc, 0);
  b.lb.reg_pages = 8;
  bench_run(&b);
  bench_expect(&b, "no trap", (uint64_t)wl_model_trap(b.model).cause, 0);
  bench_expect(&b, "r40", bench_reg(&b, 0, 40, 9), 1);
  b.lb.entry_pc = 2; /* beyond the code */
  bench_run(&b);
  bench_expect(&b, "cause", (uint64_t)wl_model_trap(b.model).cause, WL_TRAP_PC_RANGE);
  bench_expect(&b, "pc", wl_model_trap(b.model).pc, 2);
  bench_close(&b);
  return b.failures;
}

/* A launch that traps has one record of it, of the first cycle in which the trap is pending:
 * nothing is in flight, so that the launch also ends in this cycle. */
static int trap_record(wl_config_id_t config) {
  static wl_run_journal_t journal;
  wl_bench_t b;
  bench_open(&b, config, 32, 1);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 40, .imm = 1)); /* beyond the pages of the launch */
  for (unsigned launch = 0; launch < 2; launch++) {
    journal_start(&journal, &b);
    bench_run(&b);
    const wl_event_t *e = journal_nth(&journal, WL_J_TRAP, 0, 0);
    bench_expect(&b, "cycle of the trap", e == NULL ? 0 : e->cycle,
                 state_cycle(&journal, WL_GRID_DONE));
    bench_expect(&b, "a second", journal_nth(&journal, WL_J_TRAP, 0, 1) != NULL, 0);
  }
  bench_close(&b);
  return b.failures;
}

int main(void) {
  int failures = launch_timing() + traps();
  const wl_config_id_t configs[] = {WL_CONFIG_TINY, WL_CONFIG_TINY4, WL_CONFIG_BASE,
                                    WL_CONFIG_FULL};
  for (unsigned i = 0; i < 4; i++) {
    const int before = failures;
    failures += straight_line(configs[i]) + loop(configs[i]) + diverge(configs[i]) +
                exchange(configs[i]) + trap_record(configs[i]);
    if (failures != before) printf("in configuration %s\n", wl_configs[configs[i]].name);
  }
  return failures != 0;
}
