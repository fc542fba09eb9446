/* Golden model: products with block scales, cycle by cycle: the table 26.12 of docs/microarchitecture.md, and when
 * scales are read (26.10). */
#include "tests/unit/model/umma_bench.h"

/* A row of the table. Cycles from T; the end from the last step. */
typedef struct row {
  wl_config_id_t config;
  wl_form_t form;
  bool b16, ta;
  uint32_t i, n;
  uint32_t full, first, steps, last, ends, period;
} row_t;

enum {
  MX8 = 0x08800400, /* e4m3 by e5m2; all with M = 128 */
  MX4 = 0x08800480,
  NV4 = 0x08000480,
  D_COLUMN = 0,
  A_OF_TA = 128,
  OF_BLOCK = 32 /* steps */
};
static const uint32_t sa = 0xc0000090, sb = 0x40000098; /* columns; bits 31:30 do not count */
#define BASE WL_CONFIG_BASE
#define FULL WL_CONFIG_FULL
static const row_t rows[] = {
    {BASE, WL_FORM_UMMA_MXF8F6F4, false, false, MX8, 128, 4, 14, 2048, 2061, 8, 2060},
    {BASE, WL_FORM_UMMA_MXF4, false, false, MX4, 128, 4, 14, 2048, 2061, 8, 2060},
    {BASE, WL_FORM_UMMA_MXF4, true, false, NV4, 128, 4, 14, 2048, 2061, 8, 2060},
    {BASE, WL_FORM_UMMA_MXF8F6F4, false, true, MX8, 128, 15, 16, 2048, 2063, 8, 2071},
    {BASE, WL_FORM_UMMA_MXF4, true, true, MX4, 128, 15, 16, 2048, 2063, 8, 2071},
    {FULL, WL_FORM_UMMA_MXF8F6F4, false, false, MX8, 256, 4, 38, 1024, 1061, 8, 1036},
    {FULL, WL_FORM_UMMA_MXF4, false, false, MX4, 256, 4, 38, 1024, 1061, 8, 1036},
    {FULL, WL_FORM_UMMA_MXF4, true, false, NV4, 128, 4, 38, 512, 549, 8, 524},
    {FULL, WL_FORM_UMMA_MXF8F6F4, false, false, MX8, 128, 4, 38, 512, 549, 8, 524},
};

static umma_bench_t bench;

/* In full with n = 256 D ends where the scales begin. */
static uint32_t moved(const row_t *r, uint32_t column) {
  return r->config == FULL ? column + 0x100 : column;
}

static wl_x_t open(const row_t *r, bool reverse, uint32_t without_d) {
  const uint32_t of_b = UMMA_OPERANDS + 0x1000;
  uint32_t reg[7] = {
      UMMA_OPERANDS / 16 | 128u << 16, 0x4008,      of_b / 16 | r->n << 16, 0x4008, D_COLUMN,
      r->i | r->n / 8 << 17,           moved(r, sa)};
  if (r->ta) reg[0] = A_OF_TA;
  umma_open(&bench, r->config, reverse, reg);
  bench_emit(&bench.b, WL_FORM_MOV_I, X(.rd = 15, .imm = moved(r, sb)));
  return X(.ra = 8, .rb = 12, .ta = r->ta, .b16 = r->b16, .ps_neg = without_d);
}

static int over(const row_t *r, const char *what) {
  if (bench.b.failures != 0)
    printf("  (%s: %s, %s, n %u%s)\n", what, wl_form_info[r->form].name, wl_configs[r->config].name,
           r->n, r->ta ? ", A in tensor memory" : "");
  bench_close(&bench.b);
  return bench.b.failures;
}

static unsigned passes(const row_t *r) { return wl_configs[r->config].sub_cores == 1 ? 4 : 1; }

/* Rows of scales: the first two blocks' before the first step (with A in tensor memory between its
 * rows), a later one's when the block two before it is over, but not in cycles that read D. */
static void check_reads(const row_t *r, uint64_t t, bool reads_d) {
  const uint32_t early[] = {1, 2, 3, 5}, late[] = {11, 13, 14, 15};
  const unsigned blocks = r->n / 8 * passes(r);
  wl_bench_t *b = &bench.b;
  for (unsigned n = 0; n < 4; n++)
    bench_expect_in(b, n, "early scales", bench.scale[n] - t, r->ta ? late[n] : early[n]);
  for (unsigned n = 2; n < r->n / 8; n++) { /* of the first pass */
    const uint64_t end = t + r->first + (n - 1) * (uint64_t)OF_BLOCK - 1;
    /* Then A of the next pass is read, two of four cycles beside D's one: eight rows behind the first of
     * scales, from end + 3 to end + 18. */
    const bool beside_a = r->ta && reads_d && n + 1 == r->n / 8;
    for (unsigned i = 0; i < 2; i++)
      bench_expect_in(b, n, "scales", bench.scale[2 * n + i] - end,
                      beside_a && i == 1 ? 19 : 1 + i + reads_d);
  }
  bench_expect(b, "reads of scales", bench.scales, 2 * blocks);
}

static int alone(const row_t *r, bool reverse, bool without_d) {
  const wl_x_t x = open(r, reverse, without_d);
  umma_run(&bench, r->form, x, 1);
  const uint64_t t = umma_resolved(&bench, 0, 8), e = t + r->last;
  wl_bench_t *b = &bench.b;
  bench_expect(b, "scales FULL", bench.scales_full - t, r->full);
  bench_expect(b, "first step", umma_event(&bench, 0, 0) - t, r->first);
  bench_expect(b, "end", umma_event(&bench, 1, 0) - e, r->ends);
  bench_expect(b, "last row of D", umma_last_write(&bench) - e, 7);
  check_reads(r, t, !without_d);
  bench_expect(b, "at rest", wl_sm_busy(umma_sm(&bench)) & 1u << WL_REST_UMMA, 0);
  return over(r, reverse ? "alone, reversed" : "alone");
}

static int period(const row_t *r) {
  const wl_x_t x = open(r, false, 0);
  umma_run(&bench, r->form, x, 2);
  const uint64_t first = umma_event(&bench, 0, 0), second = umma_event(&bench, 0, 1);
  bench_expect(&bench.b, "period", second - first, r->period);
  bench_expect(&bench.b, "reads of scales", bench.scales, 4 * (r->n / 8 * passes(r)));
  return over(r, "period");
}

/* A load reads in each cycle in which the unit does not read. D is not read here. */
static int held(const row_t *r) {
  enum { COUNT = 32 };
  static const unsigned reads[] = {1, 2, 3, 5};
  wl_bench_t *b = &bench.b;
  const wl_x_t x = open(r, false, 1);
  bench_emit(b, WL_FORM_NOP, X(0)); /* both are of one line of the instruction cache */
  const uint32_t at = bench_emit(b, WL_FORM_TMEM_LD, X(.rd = 32, .ra = 12, .imm = COUNT - 1));
  umma_run(&bench, r->form, x, 1);
  const uint64_t t = umma_resolved(&bench, 0, 8), from = journal_issue(&bench.journal, 0, at) + 5;
  bench_expect(b, "the load begins before", from < t, 1);
  uint64_t cycle = from;
  unsigned beside = 0;
  for (unsigned i = 0; i < COUNT; i++, cycle++) {
    for (unsigned k = 0; k < 4; k++)
      if (cycle == t + reads[k]) cycle++, beside++;
    const wl_event_t *e = journal_nth(&bench.journal, WL_J_RF, from, i);
    bench_expect_in(b, i, "load", e != NULL ? e->cycle : 0, cycle + 3);
  }
  bench_expect(b, "cycles in which it was held", beside, 4);
  return over(r, "held");
}

int main(void) {
  int failures = 0;
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
    failures += alone(&rows[i], false, false) + alone(&rows[i], true, true) + period(&rows[i]);
  failures += held(&rows[0]) + held(&rows[6]);
  return failures != 0;
}
