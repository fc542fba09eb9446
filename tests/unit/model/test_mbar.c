/* Golden model: operations on mbarriers in shared memory, cycle by cycle (docs/microarchitecture.md 11,
 * 21.2): when an operation acts, which records it makes, what a test answers, when misuse is told. Cycles
 * are counted from the rules; warps run alone and undisturbed. */
#include "tests/unit/model/journal.h"

enum { L = WL_LANES, D = WL_SMEM_SERIAL_STEP, OBJECT = 0x40 };
static wl_run_journal_t journal;

static wl_event_t nth(int kind, uint64_t from, unsigned n) {
  const wl_event_t *e = journal_nth(&journal, kind, from, n);
  return e != NULL ? *e : (wl_event_t){0};
}

static void nops(wl_bench_t *b) {
  for (unsigned i = 0; i < 40 || b->code_words % 4 != 0; i++)
    bench_emit(b, WL_FORM_NOP, X(0));
}

/* P and E become n, X and the phase 0, by stores of every lane. */
static void object(wl_bench_t *b, uint32_t at, uint32_t n) {
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 8, .imm = n));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 9, .imm = n << 1));
  bench_emit(b, WL_FORM_ST_SHARED_B32, X(.ra = 255, .rb = 8, .imm = at));
  bench_emit(b, WL_FORM_ST_SHARED_B32, X(.ra = 255, .rb = 9, .imm = at + 4));
}

static void open(wl_bench_t *b, wl_config_id_t config, uint32_t threads, uint32_t ctas) {
  bench_open(b, config, threads, ctas);
  journal_start(&journal, b);
  bench_emit(b, WL_FORM_S2R, X(.rd = 1, .imm = 12)); /* lane */
}

/* Start of lane l's pass behind A, the last X1: the slot is READY in A + 1, PROC in A + 2, in which the
 * first request is taken; each lane takes D cycles, each request after the first one more. */
static uint64_t pass_of(const wl_config_t *cfg, unsigned l) {
  return 3 + cfg->lsu_delay + D * l + l / cfg->lsu_lanes;
}

/* 32 lanes arrive at one object. rd: 255, or 12 for a result. */
static int arrivals(const wl_config_t *cfg, wl_config_id_t config, uint32_t rd, unsigned expected) {
  wl_bench_t b;
  open(&b, config, L, 1);
  object(&b, OBJECT, expected);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 2, .imm = 1));
  nops(&b);
  const uint32_t pc =
      bench_emit(&b, WL_FORM_MBAR_SHARED_ARRIVE, X(.rd = rd, .ra = 255, .rb = 2, .imm = OBJECT));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, 0);
  const uint64_t t = journal_issue(&journal, 0, pc), a = t + 32 / cfg->lsu_lanes + 2;
  const unsigned word = OBJECT / 4, banks = cfg->smem_banks;
  unsigned wakes = 0;
  uint32_t pending = expected, phase = 0;
  for (unsigned l = 0; l < L; l++) {
    const uint32_t old[2] = {pending, phase | expected << 1};
    const bool over = --pending == 0;
    if (over) pending = expected, phase ^= 1;
    const uint32_t value[2] = {pending, phase | expected << 1};
    const uint64_t acts = pass_of(cfg, l) + D;
    for (unsigned k = 0; k < 2; k++) {
      const wl_event_t e = nth(WL_J_SMEM, t, 2 * l + k);
      const unsigned at = (word + k) % banks;
      bench_expect(&b, "write behind A", e.cycle - a, acts);
      bench_expect(&b, "bank", e.word[0], at);
      bench_expect(&b, "row", e.word[1], (word + k) / banks);
      bench_expect(&b, "bytes", e.word[2], 15);
      bench_expect(&b, "new", e.word[3], value[k]);
      if (rd != 255) bench_expect(&b, "old", bench_reg(&b, 0, rd + k, l), old[k]);
    }
    if (!over) continue;
    const wl_event_t wake = nth(WL_J_WAKE, t, wakes++);
    bench_expect(&b, "WAKE behind A", wake.cycle - a, acts);
    bench_expect(&b, "its address", wake.word[0], OBJECT);
    bench_expect(&b, "gen", wake.word[1], wakes);
  }
  bench_expect(&b, "no other WAKE", nth(WL_J_WAKE, 0, wakes).cycle, 0);
  if (b.failures != 0) printf("arrivals, %u expected, rd %u\n", expected, rd);
  bench_close(&b);
  return b.failures;
}

/* Tests of both parities, a completion between them; launched twice, since gen starts at 0 each time. */
static int tests(wl_config_id_t config) {
  static const uint32_t want[4] = {0x00000000, 0x80000000, 0x80000001, 0x00000001};
  wl_bench_t b;
  open(&b, config, 1, 1);
  object(&b, OBJECT, 1);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 2, .imm = 1));
  for (unsigned k = 0; k < 4; k++) {
    if (k == 2)
      bench_emit(&b, WL_FORM_MBAR_SHARED_ARRIVE, X(.rd = 255, .ra = 255, .rb = 2, .imm = OBJECT));
    bench_emit(&b, WL_FORM_MBAR_SHARED_TEST,
               X(.rd = 10 + k, .ra = 255, .rb = k & 1 ? 2 : 255, .imm = OBJECT));
  }
  bench_emit(&b, WL_FORM_EXIT, X(0));
  for (unsigned launch = 0; launch < 2; launch++) {
    bench_run(&b);
    for (unsigned k = 0; k < 4; k++)
      bench_expect(&b, "test", bench_reg(&b, 0, 10 + k, 0), want[k]);
  }
  bench_close(&b);
  return b.failures;
}

/* A test by all lanes takes the passes of a load of one word from the upper word: alike for one object,
 * its last word is written as late as that of the load. */
static int test_passes(wl_config_id_t config, uint32_t step) {
  uint64_t took[2] = {0};
  int failures = 0;
  for (unsigned k = 0; k < 2; k++) {
    wl_bench_t b;
    open(&b, config, L, 1);
    bench_emit(&b, WL_FORM_MAD_LO_RIR, X(.rd = 5, .ra = 1, .rc = 255, .imm = step));
    bench_emit(&b, WL_FORM_ST_SHARED_B32, X(.ra = 5, .rb = 1, .imm = 4));
    nops(&b);
    const uint32_t pc =
        k == 0 ? bench_emit(&b, WL_FORM_LD_SHARED_B32, X(.rd = 12, .ra = 5, .imm = 4))
               : bench_emit(&b, WL_FORM_MBAR_SHARED_TEST, X(.rd = 12, .ra = 5, .rb = 255));
    bench_emit(&b, WL_FORM_EXIT, X(0));
    bench_run(&b);
    bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, 0);
    for (unsigned l = 0; k == 1 && step != 0 && l < L; l++)
      bench_expect(&b, "phase", bench_reg(&b, 0, 12, l), l << 31);
    uint64_t last = 0;
    for (unsigned i = 0; i < journal.n; i++)
      if (journal.event[i].kind == WL_J_RF) last = journal.event[i].cycle;
    took[k] = last - journal_issue(&journal, 0, pc);
    failures += b.failures;
    bench_close(&b);
  }
  if (took[1] == took[0] && took[0] != 0) return failures;
  printf("a test takes %llu cycles, a load %llu\n", (unsigned long long)took[1],
         (unsigned long long)took[0]);
  return failures + 1;
}

/* CTA 1 misuses its object in lanes 5 and 21, while others arrive rightly. The trap is raised with the
 * delivery of the request of lane 5, two cycles behind the end of its last pass, and pending a cycle
 * later; all other lanes have acted, and the results are there. */
static int misuse(const wl_config_t *cfg, wl_config_id_t config) {
  wl_bench_t b;
  open(&b, config, L, 2);
  bench_emit(&b, WL_FORM_S2R, X(.rd = 3, .imm = 6)); /* ctaid.x */
  object(&b, OBJECT, 100);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 2, .imm = 1));
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 3, .imm = 0, .cmp = 2));
  bench_emit(&b, WL_FORM_EXIT, X(.guard = P(1)));
  for (unsigned lane = 5; lane < 32; lane += 16) {
    bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 1, .imm = lane, .cmp = 2));
    bench_emit(&b, WL_FORM_MOV_I, X(.guard = P(1), .rd = 2, .imm = 101));
  }
  nops(&b);
  const uint32_t pc =
      bench_emit(&b, WL_FORM_MBAR_SHARED_ARRIVE, X(.rd = 12, .ra = 255, .rb = 2, .imm = OBJECT));
  const uint32_t end = bench_emit(&b, WL_FORM_BRA, X(0));
  bench_patch(&b, end, end); /* until the trap */
  bench_run(&b);
  const wl_event_t trap = nth(WL_J_TRAP, 0, 0);
  const uint64_t t = journal_issue(&journal, 1, pc), a = t + 32 / cfg->lsu_lanes + 2;
  const unsigned last = 5 / cfg->lsu_lanes * cfg->lsu_lanes + cfg->lsu_lanes - 1;
  bench_expect(&b, "TRAP behind A", trap.cycle - a, pass_of(cfg, last) + D + 3);
  bench_expect(&b, "cause", trap.word[0], WL_TRAP_MBARRIER);
  bench_expect(&b, "warp", trap.word[1], 1);
  bench_expect(&b, "lane", trap.word[2], 5);
  bench_expect(&b, "pc", trap.word[3], pc);
  bench_expect(&b, "address", trap.word[4], 1024 + OBJECT);
  bench_expect(&b, "address, high word", trap.word[5], 0);
  bench_expect(&b, "writes of 30 lanes", nth(WL_J_SMEM, t, 59).cycle != 0, 1);
  bench_expect(&b, "and no others", nth(WL_J_SMEM, t, 60).cycle, 0);
  bench_expect(&b, "the last", nth(WL_J_SMEM, t, 58).word[3], 70);
  bench_expect(&b, "no WAKE", nth(WL_J_WAKE, 0, 0).cycle, 0);
  bench_close(&b);
  return b.failures;
}

int main(void) {
  int failures = 0;
  for (unsigned i = 0; i < WL_NUM_CONFIGS; i++) {
    const wl_config_id_t id = (wl_config_id_t)i;
    const wl_config_t *cfg = &wl_configs[i];
    const int before = failures;
    failures += arrivals(cfg, id, 12, 32) + arrivals(cfg, id, 255, 32) + arrivals(cfg, id, 12, 5) +
                arrivals(cfg, id, 255, 1) + tests(id) + test_passes(id, 0) + test_passes(id, 8) +
                test_passes(id, 16) + misuse(cfg, id);
    if (failures != before) printf("in configuration %s\n", cfg->name);
  }
  return failures != 0;
}
