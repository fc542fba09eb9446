/* Golden model: the barrier of the cluster (docs/microarchitecture.md 7.3, 8, 21.4): its event, the row of a
 * path that waits, what wakes it. Cycles are counted from the rules. */
#include "tests/unit/model/journal.h"

enum { WAITS = 5 };
static wl_run_journal_t journal;

static wl_event_t nth(int kind, uint64_t from, unsigned n) {
  const wl_event_t *e = journal_nth(&journal, kind, from, n);
  return e != NULL ? *e : (wl_event_t){0};
}

static bool slow(wl_config_id_t config) { return wl_configs[config].event_delay != 0; }

/* r3: thread. P1: a warp above the first. */
static void open(wl_bench_t *b, wl_config_id_t config, uint32_t threads) {
  bench_open(b, config, threads, 1);
  journal_start(&journal, b);
  bench_emit(b, WL_FORM_S2R, X(.rd = 3, .imm = 0));
  bench_emit(b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 3, .imm = 31, .cmp = 4));
}

static void nops(wl_bench_t *b, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    bench_emit(b, WL_FORM_NOP, X(0));
}

/* Warp 0 arrives and waits, warp 1 arrives later, warp 2 exits without: in the cycle of its event, the last,
 * the barrier is complete. wait_wake and cluster_wait are visible in the next one. */
static int cluster(wl_config_id_t config) {
  wl_bench_t b;
  open(&b, config, 96);
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(2), .ra = 3, .imm = 63, .cmp = 4));
  const uint32_t third = bench_emit(&b, WL_FORM_BRA, X(.guard = P(2)));
  const uint32_t second = bench_emit(&b, WL_FORM_BRA, X(.guard = P(1)));
  bench_emit(&b, WL_FORM_BAR_CLUSTER, X(.imm = 7));
  const uint32_t cwait = bench_emit(&b, WL_FORM_CWAIT, X(0));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_patch(&b, second, b.code_words);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 4, .imm = 600));
  bench_emit(&b, WL_FORM_NANOSLEEP_R, X(.ra = 4));
  bench_emit(&b, WL_FORM_BAR_CLUSTER, X(.imm = 7));
  nops(&b, 40); /* the barrier is not complete: it waits, too */
  const uint32_t other = bench_emit(&b, WL_FORM_CWAIT, X(0));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_patch(&b, third, b.code_words);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 4, .imm = 1500));
  bench_emit(&b, WL_FORM_NANOSLEEP_R, X(.ra = 4));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, 0);
  const wl_event_t resolve = journal_split(&journal, 0, cwait);
  bench_expect(&b, "it parks", resolve.cycle != 0, 1);
  const wl_event_t row = journal_of_warp(&journal, WL_J_ROW, resolve.cycle, 0, 0);
  bench_expect(&b, "pc", row.word[3], cwait);
  bench_expect(&b, "state", row.word[5], WAITS);
  bench_expect(&b, "op", row.word[6], 1);
  bench_expect(&b, "key", row.word[7], 0);
  bench_expect(&b, "warp 1 parks", journal_split(&journal, 1, other).cycle != 0, 1);
  wl_event_t event = {0};
  for (unsigned i = 0; nth(WL_J_BARRIER, 0, i).cycle != 0; i++)
    event = nth(WL_J_BARRIER, 0, i);
  bench_expect(&b, "barrier", event.word[1], 7);
  bench_expect(&b, "complete", event.word[2], 0);
  bench_expect(&b, "kind", event.word[5], 5);
  const wl_event_t walk = journal_of_warp(&journal, WL_J_WALKED, event.cycle, 0, 0);
  bench_expect(&b, "walk behind the event", walk.cycle - event.cycle, slow(config) ? 7 : 3);
  bench_expect(&b, "it executes the wait again", walk.word[3], cwait);
  bench_expect(&b, "no time limit",
               journal_of_warp(&journal, WL_J_WALKED, resolve.cycle, 0, 1).cycle, walk.cycle);
  bench_close(&b);
  return b.failures;
}

/* A barrier that is complete before the wait, also of one path of several: no turn ends, nothing is parked. */
static int passes(wl_config_id_t config) {
  wl_bench_t b;
  open(&b, config, 32);
  bench_emit(&b, WL_FORM_BAR_CLUSTER, X(.imm = 7));
  nops(&b, 40);
  const uint32_t cwait = bench_emit(&b, WL_FORM_CWAIT, X(0));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  wl_event_t e = {0};
  for (unsigned i = 0; journal_of_warp(&journal, WL_J_RESOLVE, 0, 0, i).cycle != 0; i++)
    if (journal_of_warp(&journal, WL_J_RESOLVE, 0, 0, i).word[2] == cwait + 1)
      e = journal_of_warp(&journal, WL_J_RESOLVE, 0, 0, i);
  bench_expect(&b, "it resolves", e.cycle != 0, 1);
  bench_expect(&b, "asks for nothing", e.word[1], WL_REQ_NONE);
  for (unsigned i = 0; nth(WL_J_ROW, 0, i).cycle != 0; i++)
    bench_expect(&b, "no row waits", nth(WL_J_ROW, 0, i).word[5] == WAITS, 0);
  bench_close(&b);
  return b.failures;
}

/* Warp 1 arrives while warp 0 sleeps; what then comes to the same number is of another kind, of warp 1 once more, or names another
 * number of warps. */
static int traps(wl_config_id_t config, wl_form_t other, wl_x_t x) {
  wl_bench_t b;
  open(&b, config, 64);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 4, .imm = 900));
  bench_emit(&b, WL_FORM_NANOSLEEP_R, X(.guard = P(1), .neg = 1, .ra = 4));
  bench_emit(&b, WL_FORM_BAR_CLUSTER, X(.guard = P(1), .imm = 2));
  bench_emit(&b, other, x);
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, WL_TRAP_BARRIER_MISUSE);
  bench_close(&b);
  return b.failures;
}

int main(void) {
  int failures = 0;
  for (unsigned i = 0; i < WL_NUM_CONFIGS; i++) {
    const wl_config_id_t id = (wl_config_id_t)i;
    const int before = failures;
    failures += cluster(id) + passes(id) +
                traps(id, WL_FORM_BAR_SYNC_I, X(.guard = P(1), .neg = 1, .imm = 2)) +
                traps(id, WL_FORM_BAR_ARRIVE_I, X(.guard = P(1), .neg = 1, .imm = 2)) +
                traps(id, WL_FORM_BAR_CLUSTER, X(.guard = P(1), .imm = 2)) +
                traps(id, WL_FORM_BAR_CLUSTER, X(.guard = P(1), .neg = 1, .imm = 2 | 1 << 8));
    if (failures != before) printf("in configuration %s\n", wl_configs[i].name);
  }
  return failures != 0;
}
