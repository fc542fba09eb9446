/* Golden model: waiting for mbarriers (docs/microarchitecture.md 7.2, 7.3, 8, 21.3): rows and cycles of a path that waits, what wakes it, and that no wake-up is lost. Cycles
 * are counted from the rules. */
#include "tests/unit/model/journal.h"

enum { OBJECT = 0x40, OTHER = 0x48, WAITS = 5, READY = 0 };
static wl_run_journal_t journal;

static wl_event_t nth(int kind, uint64_t from, unsigned n) {
  const wl_event_t *e = journal_nth(&journal, kind, from, n);
  return e != NULL ? *e : (wl_event_t){0};
}

static bool slow(wl_config_id_t config) { return wl_configs[config].event_delay != 0; }

/* r1: lane, r2: 1, r3: thread. Objects with n and m arrivals; P1: a warp above the first. */
static void open(wl_bench_t *b, wl_config_id_t config, uint32_t threads, uint32_t n, uint32_t m) {
  const uint32_t counts[2] = {n, m};
  bench_open(b, config, threads, 1);
  journal_start(&journal, b);
  bench_emit(b, WL_FORM_S2R, X(.rd = 1, .imm = 12));
  bench_emit(b, WL_FORM_S2R, X(.rd = 3, .imm = 0));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 2, .imm = 1));
  for (unsigned k = 0; k < 2; k++) {
    bench_emit(b, WL_FORM_MOV_I, X(.rd = 8, .imm = counts[k]));
    bench_emit(b, WL_FORM_MOV_I, X(.rd = 9, .imm = counts[k] << 1));
    bench_emit(b, WL_FORM_ST_SHARED_B32, X(.ra = 255, .rb = 8, .imm = OBJECT + 8 * k));
    bench_emit(b, WL_FORM_ST_SHARED_B32, X(.ra = 255, .rb = 9, .imm = OBJECT + 8 * k + 4));
  }
  bench_emit(b, WL_FORM_BAR_SYNC_I, X(0));
  bench_emit(b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 3, .imm = 31, .cmp = 4));
}

static void nops(wl_bench_t *b, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    bench_emit(b, WL_FORM_NOP, X(0));
}

/* Test of the parity in a register into r16 and WAIT; pc of the test. */
static uint32_t wait(wl_bench_t *b, uint32_t at, uint32_t parity, uint32_t limit) {
  const uint32_t pc =
      bench_emit(b, WL_FORM_MBAR_SHARED_TEST, X(.rd = 16, .ra = 255, .rb = parity, .imm = at));
  bench_emit(b, WL_FORM_WAIT, X(.ra = 16, .rb = limit));
  return pc;
}

static void arrive(wl_bench_t *b, uint32_t at) {
  bench_emit(b, WL_FORM_MBAR_SHARED_ARRIVE, X(.rd = 255, .ra = 255, .rb = 2, .imm = at));
}

/* ---- time limits */

/* A warp alone waits; nobody ends the phase. T: the resolve. SPLIT is one step. base: T + 1, in which the
 * engine takes the request; WALK1 is in T + 2. tiny: it takes it in T + 2, Beats + 3 cycles follow; then two
 * for WALK1, the clock sampled in the first. If the time T + limit is over by then the path runs on, two
 * steps from there; else the walk finds nothing. Warp 0's clock is looked at where the cycle is a multiple
 * of Warps, and nothing is being done: the request is visible in the next cycle (tiny: taken in the one
 * behind), and a walk of two steps follows. */
static int timed_out(wl_config_id_t config, uint32_t limit) {
  const wl_config_t *cfg = &wl_configs[config];
  wl_bench_t b;
  open(&b, config, 32, 1, 1);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 4, .imm = limit));
  const uint32_t test = wait(&b, OBJECT, 255, 4);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 17, .imm = 5));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, 0);
  const wl_event_t resolve = journal_split(&journal, 0, test + 1);
  const uint64_t t = resolve.cycle;
  const wl_event_t row = journal_of_warp(&journal, WL_J_ROW, t, 0, 0);
  const uint64_t split = slow(config) ? 2 + cfg->beats + 3 : 1;
  bench_expect(&b, "SPLIT", row.cycle - t, split);
  bench_expect(&b, "lanes", row.word[2], UINT32_MAX);
  bench_expect(&b, "pc", row.word[3], test);
  bench_expect(&b, "state", row.word[5], WAITS);
  bench_expect(&b, "op", row.word[6], 0);
  bench_expect(&b, "key", row.word[7], (uint32_t)t + limit);
  bench_expect(&b, "served", resolve.word[5], UINT32_MAX);
  const wl_event_t first = journal_of_warp(&journal, WL_J_WALKED, t, 0, 0),
                   second = journal_of_warp(&journal, WL_J_WALKED, t, 0, 1);
  const bool at_once = limit <= split + 1;
  const uint64_t end = t + limit, idle = t + split + (slow(config) ? 3 : 2);
  bench_expect(&b, "it runs at once", first.word[1], at_once);
  bench_expect(&b, "WALKED", first.cycle + 1 - idle, at_once ? (slow(config) ? 2 : 1) : 0);
  if (at_once) bench_expect(&b, "behind the wait", first.word[3], test + 2);
  uint64_t c = end > idle ? end : idle;
  c = (c + cfg->warps - 1) / cfg->warps * cfg->warps;
  if (!at_once) {
    bench_expect(&b, "walk behind the end", second.cycle - end, c + (slow(config) ? 6 : 2) - end);
    bench_expect(&b, "it runs", second.word[1], 1);
    bench_expect(&b, "behind the wait", second.word[3], test + 2);
  }
  bench_expect(&b, "one test", journal_issue(&journal, 0, test) < t, 1);
  bench_expect(&b, "r16", bench_reg(&b, 0, 16, 31), 0);
  bench_expect(&b, "r17", bench_reg(&b, 0, 17, 31), 5);
  if (b.failures != 0) printf("limit %u\n", limit);
  bench_close(&b);
  return b.failures;
}

/* The key of a limit, in cycles of one nanosecond: 0 and all above WaitLimit are WaitLimit. Lanes 0 to 3 do
 * not wait: of the others the lowest one's limit counts. Warp 1 ends the phase soon. */
static int key_of(wl_config_id_t config, uint32_t limit, uint32_t cycles) {
  wl_bench_t b;
  open(&b, config, 64, 32, 1);
  const uint32_t bra = bench_emit(&b, WL_FORM_BRA, X(.guard = P(1)));
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(2), .ra = 1, .imm = 4, .cmp = 1));
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(3), .ra = 1, .imm = 4, .cmp = 2));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 4, .imm = 77));
  bench_emit(&b, WL_FORM_MOV_I, X(.guard = P(3), .rd = 4, .imm = limit));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 5, .imm = 0));
  bench_emit(&b, WL_FORM_MOV_I, X(.guard = P(2), .rd = 5, .imm = 1));
  const uint32_t test = wait(&b, OBJECT, 5, 4);
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_patch(&b, bra, b.code_words);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 4, .imm = 1500));
  bench_emit(&b, WL_FORM_NANOSLEEP_R, X(.ra = 4));
  arrive(&b, OBJECT);
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t t = journal_split(&journal, 0, test + 1).cycle;
  const wl_event_t done = journal_of_warp(&journal, WL_J_ROW, t, 0, 0),
                   row = journal_of_warp(&journal, WL_J_ROW, t, 0, 1);
  bench_expect(&b, "lanes that are done", done.word[2], 15);
  bench_expect(&b, "go on", done.word[3], test + 2);
  bench_expect(&b, "are READY", done.word[5], READY);
  bench_expect(&b, "lanes that wait", row.word[2], ~15U);
  bench_expect(&b, "leader", row.word[1], 4);
  bench_expect(&b, "pc", row.word[3], test);
  bench_expect(&b, "state", row.word[5], WAITS);
  bench_expect(&b, "key", row.word[7] - (uint32_t)t, cycles);
  if (b.failures != 0) printf("limit %u\n", limit);
  bench_close(&b);
  return b.failures;
}

/* ---- wake-ups */

/* Warp 0 waits, warp 1 ends the phase in W, the cycle of WAKE: wait_wake is visible in W + 1, the request in
 * W + 2, the walk of one row takes two steps; the path goes back to its test. */
static int woken(wl_config_id_t config) {
  wl_bench_t b;
  open(&b, config, 64, 32, 1);
  const uint32_t bra = bench_emit(&b, WL_FORM_BRA, X(.guard = P(1)));
  const uint32_t test = wait(&b, OBJECT, 255, 255);
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_patch(&b, bra, b.code_words);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 4, .imm = 1500));
  bench_emit(&b, WL_FORM_NANOSLEEP_R, X(.ra = 4));
  arrive(&b, OBJECT);
  nops(&b, 200);
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t t = journal_split(&journal, 0, test + 1).cycle, wake = nth(WL_J_WAKE, 0, 0).cycle;
  bench_expect(&b, "parked long before", t != 0 && wake > t + 100, 1);
  const wl_event_t walk = journal_of_warp(&journal, WL_J_WALKED, wake, 0, 0);
  bench_expect(&b, "walk behind WAKE", walk.cycle - wake, slow(config) ? 7 : 3);
  bench_expect(&b, "it runs", walk.word[1], 1);
  bench_expect(&b, "the test", walk.word[3], test);
  bench_expect(&b, "r16", bench_reg(&b, 0, 16, 0), 0x80000001);
  bench_close(&b);
  return b.failures;
}

/* Warps count in a loop behind a barrier, warp 0 to 25, others to some number; then warp 0 tests and waits
 * without a limit, the last warp ends the phase. (Sub-cores come to the LSU by turns.) A wake-up that is lost takes WaitLimit, longer than a bench
 * runs. Counts the programs in which the wait found its test stale: it is READY at its test at T. */
static int every_moment(wl_config_id_t config, unsigned *stale) {
  const bool several = wl_configs[config].sub_cores != 1;
  int failures = 0;
  for (unsigned delay = 0; delay < (several ? 288 : 200); delay++) {
    const uint32_t last = several ? 1 + delay / 96 : 1;
    const uint32_t loops = several ? 10 + delay / 8 % 12 : 1 + delay / 4;
    wl_bench_t b;
    open(&b, config, 32 + 32 * last, 32, 1);
    bench_emit(&b, WL_FORM_MOV_I, X(.rd = 6, .imm = 25));
    bench_emit(&b, WL_FORM_MOV_I, X(.guard = P(1), .rd = 6, .imm = loops));
    nops(&b, 4 - b.code_words % 4);
    const uint32_t loop = bench_emit(&b, WL_FORM_ADD_RI, X(.rd = 6, .ra = 6, .imm = UINT32_MAX));
    bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(2), .ra = 6, .imm = 0, .cmp = 4));
    bench_emit(&b, WL_FORM_BRA, X(.guard = P(2), .imm = loop));
    const uint32_t bra = bench_emit(&b, WL_FORM_BRA, X(.guard = P(1)));
    const uint32_t test = wait(&b, OBJECT, 255, 255);
    bench_emit(&b, WL_FORM_EXIT, X(0));
    bench_patch(&b, bra, b.code_words);
    nops(&b, several ? delay % 8 : delay % 4 * 3);
    bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(2), .ra = 3, .imm = 32 * last, .cmp = 2));
    bench_emit(&b, WL_FORM_MOV_I, X(.guard = P(2), .rd = 2, .imm = 32)); /* one lane arrives */
    bench_emit(&b, WL_FORM_MBAR_SHARED_ARRIVE,
               X(.guard = P(2), .rd = 255, .ra = 255, .rb = 2, .imm = OBJECT));
    bench_emit(&b, WL_FORM_EXIT, X(0));
    bench_run(&b);
    bench_expect(&b, "r16", bench_reg(&b, 0, 16, 7), 0x80000001);
    for (unsigned i = 0; journal_of_warp(&journal, WL_J_RESOLVE, 0, 0, i).cycle != 0; i++) {
      const wl_event_t e = journal_of_warp(&journal, WL_J_RESOLVE, 0, 0, i);
      if (e.word[1] != WL_REQ_NONE || e.word[2] != test) continue;
      ++*stale;
      bench_expect(&b, "a turn ended and the epoch with it", e.word[5], 0);
      bench_expect(&b, "lanes", e.word[3], UINT32_MAX);
    }
    if (b.failures != 0) printf("delay %u\n", delay);
    failures += b.failures;
    bench_close(&b);
  }
  return failures;
}

/* Two halves of a warp hand two objects to each other, `rounds` times each; disturbed. */
static int in_turns(wl_config_id_t config, unsigned density) {
  const uint32_t rounds = 12;
  wl_bench_t b;
  open(&b, config, 32, 16, 16);
  wl_model_disturb(b.model, density);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 5, .imm = 0));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 6, .imm = 0));
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(2), .ra = 1, .imm = 16, .cmp = 1));
  const uint32_t bra = bench_emit(&b, WL_FORM_BRA, X(.guard = P(2)));
  for (unsigned half = 0; half < 2; half++) {
    if (half == 1) bench_patch(&b, bra, b.code_words);
    const uint32_t loop = b.code_words;
    if (half == 1) arrive(&b, OBJECT);
    const uint32_t test = wait(&b, half == 0 ? OBJECT : OTHER, 5, 255);
    bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(4), .ra = 16, .imm = 0, .cmp = 6));
    bench_emit(&b, WL_FORM_BRA, X(.guard = P(4), .imm = test)); /* at or above zero: not over */
    if (half == 0) arrive(&b, OTHER);
    bench_emit(&b, WL_FORM_RSUB_RI, X(.rd = 5, .ra = 5, .imm = 1));
    bench_emit(&b, WL_FORM_ADD_RI, X(.rd = 6, .ra = 6, .imm = 1));
    bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(3), .ra = 6, .imm = rounds, .cmp = 1));
    bench_emit(&b, WL_FORM_BRA, X(.guard = P(3), .imm = loop));
    bench_emit(&b, WL_FORM_EXIT, X(0));
  }
  bench_run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, 0);
  for (unsigned l = 0; l < WL_LANES; l++)
    bench_expect(&b, "rounds", bench_reg(&b, 0, 6, l), rounds);
  const wl_event_t last = nth(WL_J_WAKE, 0, 2 * rounds - 1);
  bench_expect(&b, "phases", last.word[1], 2 * rounds);
  bench_expect(&b, "the last one's object", last.word[0], OTHER);
  if (b.failures != 0) printf("disturbed %u\n", density);
  bench_close(&b);
  return b.failures;
}

int main(void) {
  int failures = 0;
  for (unsigned i = 0; i < WL_NUM_CONFIGS; i++) {
    const wl_config_id_t id = (wl_config_id_t)i;
    const int before = failures;
    unsigned stale = 0;
    for (uint32_t limit = 1; limit < 900; limit += limit < 40 ? 1 : 101)
      failures += timed_out(id, limit);
    failures += key_of(id, 0, WL_WAIT_LIMIT) + key_of(id, WL_WAIT_LIMIT + 1, WL_WAIT_LIMIT) +
                key_of(id, UINT32_MAX, WL_WAIT_LIMIT) + key_of(id, 999999, 999999) +
                key_of(id, 1, 1);
    failures += woken(id) + every_moment(id, &stale);
    for (unsigned density = 0; density < 8; density += 2)
      failures += in_turns(id, density);
    if (stale == 0) {
      printf("no wait found its test stale\n");
      failures++;
    }
    if (failures != before) printf("in configuration %s\n", wl_configs[i].name);
  }
  return failures != 0;
}
