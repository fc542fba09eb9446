/* Golden model: copies into tensor memory and shifts, cycle by cycle: the table of docs/microarchitecture.md
 * 26.8. */
#include "tests/unit/model/umma_bench.h"

enum { COMMANDS = 4 };
enum { W_128X256, W_4X256, W_128X128, W_02_13, W_01_23, W_32X128, SHIFT };

/* Cycles from T; period and requests of one of equal ones. */
typedef struct row {
  wl_config_id_t config;
  uint32_t shape, first, written, ends, period, requests;
} row_t;

static const row_t rows[] = {
    {WL_CONFIG_BASE, W_128X256, 11, 45, 46, 36, 32},
    {WL_CONFIG_TINY, W_128X256, 67, 291, 292, 256, 256},
    {WL_CONFIG_FULL, W_128X256, 35, 43, 44, 32, 32},
    {WL_CONFIG_BASE, W_128X128, 7, 25, 26, 20, 16},
    {WL_CONFIG_BASE, W_02_13, 7, 25, 26, 20, 16},
    {WL_CONFIG_BASE, W_01_23, 7, 25, 26, 20, 16},
    {WL_CONFIG_BASE, W_32X128, 7, 25, 26, 20, 16},
    {WL_CONFIG_TINY, W_32X128, 35, 147, 148, 128, 128},
    {WL_CONFIG_FULL, W_32X128, 19, 23, 24, 16, 16},
    {WL_CONFIG_BASE, W_4X256, 5, 37, 38, 34, 8},
    {WL_CONFIG_FULL, W_4X256, 11, 19, 20, 10, 8},
    /* As base, with rows of four beats: lane 11 is in the second of them. */
    {WL_CONFIG_TINY, W_4X256, 5, 131, 134, 130, 8},

    {WL_CONFIG_BASE, SHIFT, 12, 20, 21, 21, 0},
    {WL_CONFIG_FULL, SHIFT, 12, 20, 21, 21, 0},
    {WL_CONFIG_TINY, SHIFT, 44, 76, 77, 77, 0},
};

static umma_bench_t bench;

static void run(const row_t *r, bool reverse, unsigned times) {
  /* Rows of eight of 16 bytes each; the two chunks of a row 2,048 bytes apart. */
  const uint32_t t = r->shape == W_4X256 ? 11u << 16 : r->shape == SHIFT ? 32u << 16 : 0;
  const uint32_t reg[7] = {UMMA_OPERANDS / 16 | 128u << 16, 0x4008, 0, 0, 0, 0, t};
  umma_open(&bench, r->config, reverse, reg);
  if (r->shape == SHIFT)
    umma_run(&bench, WL_FORM_UMMA_SHIFT, X(.ra = 14), times);
  else
    umma_run(&bench, WL_FORM_UMMA_CP, X(.ra = 8, .rb = 14, .imm = r->shape), times);
}

static int over(const row_t *r, const char *what) {
  if (bench.b.failures != 0)
    printf("  (%s: shape %u, %s)\n", what, r->shape, wl_configs[r->config].name);
  bench_close(&bench.b);
  return bench.b.failures;
}

static int alone(const row_t *r, bool reverse) {
  run(r, reverse, 1);
  const uint64_t t = umma_resolved(&bench, 0, r->shape == SHIFT ? 1 : 3);
  bench_expect(&bench.b, "first row placed", umma_event(&bench, 0, 0) - t, r->first);
  bench_expect(&bench.b, "last row written", umma_last_write(&bench) - t, r->written);
  bench_expect(&bench.b, "ends", umma_event(&bench, 1, 0) - t, r->ends);
  bench_expect(&bench.b, "requests", bench.grants, r->requests);
  if (r->shape != SHIFT) bench_expect(&bench.b, "first grant", bench.grant[0] - t, 1);
  return over(r, reverse ? "alone, reversed" : "alone");
}

static int period(const row_t *r) {
  run(r, false, COMMANDS);
  for (unsigned i = 2; i < COMMANDS; i++)
    bench_expect_in(&bench.b, i, "period", umma_event(&bench, 0, i) - umma_event(&bench, 0, i - 1),
                    r->period);
  bench_expect(&bench.b, "requests", bench.grants, COMMANDS * r->requests);
  return over(r, "period");
}

/* A store of the first warp writes quarter 0 in 16 cycles that follow each other: the copy's rows of it wait,
 * and all that comes behind them. 128x256b in base: four passes of eight requests and eight rows. */
static int stores(void) {
  enum { PASSES = 4, ROWS = 8 };
  static const row_t r = {.config = WL_CONFIG_BASE, .shape = W_128X256};
  const uint32_t reg[7] = {UMMA_OPERANDS / 16 | 128u << 16, 0x4008, 0, 0, 0, 0, 0};
  umma_open(&bench, r.config, false, reg);
  bench_emit(&bench.b, WL_FORM_MOV_I, X(.rd = 15, .imm = 8));
  bench.behind_form = WL_FORM_TMEM_ST_16;
  bench.behind = X(.ra = 15, .rb = 16);
  umma_run(&bench, WL_FORM_UMMA_CP, X(.ra = 8, .rb = 14, .imm = r.shape), 1);
  const uint64_t t = umma_resolved(&bench, 0, 3);
  const uint64_t s = journal_issue(&bench.journal, 0, bench.pc[0] + 1) + 6;
  uint64_t asked = t, written = 0, freed[PASSES] = {0};
  bool waits = false;
  for (unsigned p = 0; p < PASSES; p++) {
    const uint64_t first = p < 2 || freed[p - 2] < asked + 1 ? asked + 1 : freed[p - 2];
    asked = first + ROWS - 1;
    for (unsigned i = 0; i < ROWS; i++) {
      const uint64_t full = asked + 3, placed = written > full ? written : full;
      written = placed + 1;
      if (p == 0 && written >= s && written < s + 16) {
        written = s + 16;
        waits = true;
      }
      freed[p] = placed + 1;
    }
  }
  bench_expect(&bench.b, "the store comes meanwhile", waits, 1);
  bench_expect(&bench.b, "first row placed", umma_event(&bench, 0, 0) - t, 11);
  bench_expect(&bench.b, "ends", umma_event(&bench, 1, 0) - t, written + 1 - t);
  return over(&r, "stores");
}

int main(void) {
  int failures = stores();
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
    failures += alone(&rows[i], false) + alone(&rows[i], true) + period(&rows[i]);
  return failures != 0;
}
