/* Golden model: tensor memory cycle by cycle (docs/microarchitecture.md 24): a warp that is alone,
 * undisturbed. Cycles are counted from the rules, from the issue of each instruction on. */
#include "gen/wl_sreg.h"
#include "tests/unit/model/journal.h"

static wl_run_journal_t logged;

enum { WORDS = 4, BASE = 32, VALUE = 0x700 };

typedef struct pcs {
  uint32_t alloc, store, half, load, wait, late, dealloc, relinquish;
} pcs_t;

static uint64_t issued(wl_bench_t *b, const char *what, uint32_t pc) {
  const uint64_t t = journal_issue(&logged, 0, pc);
  bench_expect(b, what, t != 0, 1);
  return t;
}

static void expect(wl_bench_t *b, const char *what, int kind, uint64_t from, unsigned n,
                   uint64_t cycle, const uint32_t word[3]) {
  const wl_event_t *e = journal_nth(&logged, kind, from, n);
  bench_expect_in(b, n, what, e != NULL ? e->cycle : 0, cycle);
  for (unsigned i = 0; e != NULL && i < 3; i++)
    bench_expect_in(b, n, what, e->word[i], word[i]);
}

/* Columns 32 to 63: the first 32 are allocated before. R4: address, R8 to R11: words. */
static pcs_t program(wl_bench_t *b) {
  pcs_t pc;
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 3, .imm = 32));
  bench_emit(b, WL_FORM_TMEM_ALLOC, X(.ra = 3));
  pc.alloc = bench_emit(b, WL_FORM_TMEM_ALLOC, X(.ra = 3));
  bench_emit(b, WL_FORM_S2R, X(.rd = 4, .imm = WL_SREG_TMEM_BASE));
  for (uint32_t i = 0; i < WORDS; i++)
    bench_emit(b, WL_FORM_MOV_I, X(.rd = 8 + i, .imm = VALUE + i));
  pc.store = bench_emit(b, WL_FORM_TMEM_ST_4, X(.ra = 4, .rb = 8, .imm = 3));
  bench_emit(b, WL_FORM_ADD_RI, X(.rd = 5, .ra = 4, .imm = 3));
  pc.load = bench_emit(b, WL_FORM_TMEM_LD, X(.rd = 16, .ra = 5, .imm = WORDS - 1));
  pc.wait = bench_emit(b, WL_FORM_TMEM_WAITLD, X(0));
  pc.late = bench_emit(b, WL_FORM_NOP, X(0));
  pc.dealloc = bench_emit(b, WL_FORM_TMEM_DEALLOC, X(.ra = 4, .rb = 3));
  pc.relinquish = bench_emit(b, WL_FORM_TMEM_RELINQUISH, X(0));
  bench_emit(b, WL_FORM_EXIT, X(0));
  return pc;
}

/* The words of a beat come in X1 one after the other, the address before them, and are written two cycles
 * later. */
static void check_store(wl_bench_t *b, const wl_config_t *cfg, uint64_t t) {
  const uint32_t mask = cfg->lanes == 32 ? UINT32_MAX : (1u << cfg->lanes) - 1;
  for (unsigned i = 0; i < WORDS * cfg->beats; i++) {
    const unsigned beat = i / WORDS, k = i % WORDS;
    const uint32_t want[3] = {0, (BASE + 3 + k) * cfg->beats + beat, mask};
    const wl_event_t *e = journal_nth(&logged, WL_J_TMEM, 0, i);
    expect(b, "store", WL_J_TMEM, 0, i, t + (WORDS + 1) * beat + k + 6, want);
    if (e != NULL) bench_expect_in(b, i, "data", e->word[3 + 2], VALUE + k);
  }
  bench_expect(b, "no more", journal_nth(&logged, WL_J_TMEM, 0, WORDS * cfg->beats) != NULL, 0);
}

/* X1 in t + 3, judged in t + 4, visible as judged and read in t + 5; in the stage, in `out`, in the result
 * queue in the three cycles that follow, in the last of which the first word is written. */
static void check_load(wl_bench_t *b, const wl_config_t *cfg, uint64_t t) {
  for (unsigned i = 0; i < WORDS * cfg->beats; i++) {
    const wl_event_t *e = journal_nth(&logged, WL_J_RF, t + 8, i);
    bench_expect_in(b, i, "load", e != NULL ? e->cycle : 0, t + 8 + i);
    if (e != NULL) bench_expect_in(b, i, "word", e->word[3], VALUE + i / cfg->beats);
  }
  for (unsigned i = 0; i < WORDS; i++)
    bench_expect_in(b, i, "register", bench_reg(b, 0, 16 + i, 31), VALUE + i);
}

static int alone(wl_config_id_t config, bool reverse) {
  const wl_config_t *cfg = &wl_configs[config];
  wl_bench_t b;
  bench_open(&b, config, 32, 1);
  b.lb.by_index = 1;
  ((wl_gpu_t *)(uintptr_t)wl_model_state(b.model).gpu)->reverse_updates = reverse;
  journal_start(&logged, &b);
  const pcs_t pc = program(&b);
  bench_run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, WL_TRAP_NONE);
  const uint64_t alloc = issued(&b, "ALLOC", pc.alloc), store = issued(&b, "ST", pc.store);
  const uint64_t load = issued(&b, "LD", pc.load), dealloc = issued(&b, "DEALLOC", pc.dealloc);
  expect(&b, "allocated", WL_J_COLUMNS, 0, 1, alloc + 4, (uint32_t[]){0, 0, 2});
  check_store(&b, cfg, store);
  check_load(&b, cfg, load);
  const unsigned over = 8 + WORDS * cfg->beats; /* the note is gone */
  bench_expect(&b, "WAITLD", issued(&b, "WAITLD", pc.wait) - load,
               cfg->issue_ahead ? over + 2 : over);
  bench_expect(&b, "behind it", issued(&b, "NOP", pc.late) > load + over, 1);
  expect(&b, "freed", WL_J_COLUMNS, 0, 2, dealloc + 5, (uint32_t[]){1, 0, 2});
  expect(&b, "permit", WL_J_COLUMNS, 0, 3, issued(&b, "RELINQUISH", pc.relinquish) + 4,
         (uint32_t[]){2, 0, 0});
  /* The CTA leaves its first 32 columns. */
  const wl_event_t *left = journal_nth(&logged, WL_J_COLUMNS, 0, 4);
  const wl_event_t *freed = journal_nth(&logged, WL_J_CTA, 0, 1);
  expect(&b, "left", WL_J_COLUMNS, 0, 4, freed != NULL ? freed->cycle : 1, (uint32_t[]){3, 0, 1});
  bench_expect(&b, "columns left", wl_model_counters(b.model)->columns_left, 32);
  bench_expect(&b, "last record", left != NULL, 1);
  if (b.failures != 0) printf("  (alone, %s%s)\n", cfg->name, reverse ? ", reversed" : "");
  bench_close(&b);
  return b.failures;
}

/* A fault is raised in A + 1 = t + 4, and pending in the next cycle. */
static int fault(wl_config_id_t config, wl_form_t form, uint32_t a, uint32_t imm, uint32_t cause) {
  wl_bench_t b;
  bench_open(&b, config, 32, 1);
  b.lb.by_index = 1;
  journal_start(&logged, &b);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 3, .imm = 32));
  bench_emit(&b, WL_FORM_TMEM_ALLOC, X(.ra = 3));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 4, .imm = a));
  const uint32_t pc = bench_emit(&b, form, X(.rd = 16, .ra = 4, .rb = 8, .imm = imm));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const wl_event_t *e = journal_nth(&logged, WL_J_TRAP, 0, 0);
  bench_expect(&b, "trap", e != NULL ? e->cycle : 0, issued(&b, "issue", pc) + 5);
  if (e != NULL) {
    bench_expect(&b, "cause", e->word[0], cause);
    bench_expect(&b, "lane", e->word[2], 0);
    bench_expect(&b, "pc", e->word[3], pc);
    bench_expect(&b, "address", e->word[4], form == WL_FORM_TMEM_LD ? a : a + imm);
  }
  bench_expect(&b, "nothing is stored", journal_nth(&logged, WL_J_TMEM, 0, 0) != NULL, 0);
  for (unsigned i = 0; form == WL_FORM_TMEM_LD && i <= imm; i++)
    bench_expect_in(&b, i, "zero", bench_reg(&b, 0, 16 + i, 7), 0);
  /* Everything is given back. */
  bench_expect(&b, "rest", wl_sm_busy(&wl_model_state(b.model).gpu->sm[0]) & 1u << WL_REST_COLUMNS,
               0);
  if (b.failures != 0) printf("  (fault, %s)\n", wl_configs[config].name);
  bench_close(&b);
  return b.failures;
}

/* CTA 1 waits for all columns, which CTA 0 has until T. `look` is visible in T + 1, wait_wake in T + 2. */
static int waits(wl_config_id_t config) {
  const wl_config_t *cfg = &wl_configs[config];
  wl_bench_t b;
  bench_open(&b, config, 32, 2);
  b.lb.by_index = 1;
  journal_start(&logged, &b);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 3, .imm = cfg->tmem_columns));
  const uint32_t alloc = bench_emit(&b, WL_FORM_TMEM_ALLOC, X(.ra = 3));
  bench_emit(&b, WL_FORM_S2R, X(.rd = 4, .imm = WL_SREG_TMEM_BASE));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 5, .imm = 2000));
  bench_emit(&b, WL_FORM_NANOSLEEP_R, X(.ra = 5));
  bench_emit(&b, WL_FORM_TMEM_DEALLOC, X(.ra = 4, .rb = 3));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint32_t all = (uint32_t)((UINT64_C(1) << cfg->tmem_columns / 32) - 1);
  const uint32_t want[4][2] = {{0, 0}, {1, 0}, {0, 0}, {1, 0}};
  uint32_t warp[4] = {0};
  for (unsigned i = 0; i < 4; i++) {
    const wl_event_t *e = journal_nth(&logged, WL_J_COLUMNS, 0, i);
    bench_expect_in(&b, i, "record", e != NULL, 1);
    if (e == NULL) continue;
    bench_expect_in(&b, i, "op", e->word[0], want[i][0]);
    bench_expect_in(&b, i, "units", e->word[2], all);
    warp[i] = e->word[1];
  }
  bench_expect(&b, "one warp", warp[0], warp[1]);
  bench_expect(&b, "the other", warp[2], warp[3]);
  bench_expect(&b, "differ", warp[0] != warp[2], 1);
  /* It asked in vain: the instruction issues twice, and its path is split at it. */
  const wl_event_t split = journal_split(&logged, warp[2], alloc);
  const wl_event_t *freed = journal_nth(&logged, WL_J_COLUMNS, 0, 1);
  const wl_event_t walked =
      journal_of_warp(&logged, WL_J_WALKED, freed != NULL ? freed->cycle : 0, warp[2], 0);
  bench_expect(&b, "split", split.cycle != 0, 1);
  bench_expect(&b, "woken", freed != NULL && walked.cycle >= freed->cycle + 4, 1);
  if (b.failures != 0) printf("  (waits, %s)\n", cfg->name);
  bench_close(&b);
  return b.failures;
}

int main(void) {
  static const wl_config_id_t all[] = {WL_CONFIG_TINY, WL_CONFIG_TINY4, WL_CONFIG_BASE,
                                       WL_CONFIG_FULL};
  int failures = 0;
  for (unsigned i = 0; i < 4; i++) {
    failures += alone(all[i], false) + alone(all[i], true) + waits(all[i]);
    failures += fault(all[i], WL_FORM_TMEM_LD, 0x18, 11, WL_TRAP_TMEM_RANGE);
    failures += fault(all[i], WL_FORM_TMEM_LD, 0x200010, 3, WL_TRAP_TMEM_LANES);
    failures += fault(all[i], WL_FORM_TMEM_ST_4, 0x10, 13, WL_TRAP_TMEM_RANGE);
    failures += fault(all[i], WL_FORM_TMEM_ST_16, 0x100000, 0, WL_TRAP_TMEM_LANES);
  }
  return failures != 0;
}
