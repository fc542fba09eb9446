/* Golden model: products of all kinds, with A in shared and in tensor memory, cycle by cycle: tables 26.5 and
 * 26.6 of docs/microarchitecture.md. */
#include "tests/unit/model/umma_bench.h"

/* A row of the tables. Cycles from T: granted, read (the first and the last of A), first and last step; from
 * the last step: the last row of D, the end. */
typedef struct row {
  const char *what;
  wl_config_id_t config;
  wl_form_t form;
  bool ta;
  uint32_t i; /* instruction descriptor without sizes */
  uint32_t m, n, d;
  uint32_t first_read, last_read;
  uint32_t first, last;
  int32_t written;
  uint32_t ends, period;
  uint32_t before,
      requests;    /* to the chunk port, before the first step; in a period; 0: not asked */
  uint32_t layout; /* high words of A, and below */
} row_t;

enum { PLAIN, ATOMS, MN }; /* K-major without swizzle; with atoms of 32 bytes; MN-major, 32 bytes */
enum { TF32 = 0x910, HALF = 0x10, F8 = 0x410, S8 = 0x4a0, MAJOR = 0x18000 };

#define BASE WL_CONFIG_BASE
#define TINY WL_CONFIG_TINY
#define FULL WL_CONFIG_FULL
static const row_t rows[] = {
    /* 26.5 */
    {"tf32", BASE, WL_FORM_UMMA_TF32, false, TF32, 128, 128, 0, 0, 0, 14, 1037, 7, 8, 1033, 10, 160,
     PLAIN},
    {"f8f6f4", BASE, WL_FORM_UMMA_F8F6F4, false, F8, 128, 128, 0, 0, 0, 14, 2061, 7, 8, 2057, 10,
     160, PLAIN},
    {"i8", BASE, WL_FORM_UMMA_I8, false, S8, 128, 128, 0, 0, 0, 14, 2061, 7, 8, 2057, 10, 160,
     PLAIN},
    {"i8", TINY, WL_FORM_UMMA_I8, false, S8, 64, 8, 0, 0, 0, 52, 4147, -57, 1, 4098, 48, 192,
     PLAIN},
    {"f8f6f4", TINY, WL_FORM_UMMA_F8F6F4, false, F8, 64, 8, 0, 0, 0, 52, 8243, -121, 1, 8194, 48,
     192, PLAIN},
    {"f8f6f4", FULL, WL_FORM_UMMA_F8F6F4, false, F8, 128, 256, 0, 0, 0, 38, 1061, 7, 8, 1033, 34,
     96, PLAIN},
    {"i8", FULL, WL_FORM_UMMA_I8, false, S8, 128, 256, 0, 0, 0, 38, 1061, 7, 8, 1033, 34, 96,
     PLAIN},
    {"i8, MN-major", BASE, WL_FORM_UMMA_I8, false, S8 | MAJOR, 128, 128, 0, 0, 0, 24, 2071, 7, 8,
     2057, 20, 320, MN},
    {"i8, atoms", BASE, WL_FORM_UMMA_I8, false, S8, 128, 128, 0, 0, 0, 24, 2071, 7, 8, 2057, 20,
     320, ATOMS},
    {"tf32, atoms", BASE, WL_FORM_UMMA_TF32, false, TF32, 128, 128, 0, 0, 0, 24, 1047, 7, 8, 1033,
     20, 320, ATOMS},
    /* 26.6 */
    {"f16", BASE, WL_FORM_UMMA_F16, true, HALF, 128, 128, 128, 1, 10, 16, 1054, 7, 8, 1062, 0, 128,
     PLAIN},
    {"f16", TINY, WL_FORM_UMMA_F16, true, HALF, 64, 8, 8, 1, 42, 62, 2109, -25, 1, 2110, 0, 64,
     PLAIN},
    {"f16", FULL, WL_FORM_UMMA_F16, true, HALF, 128, 256, 256, 1, 10, 16, 527, 7, 8, 535, 0, 64,
     PLAIN},
    {"f8f6f4", BASE, WL_FORM_UMMA_F8F6F4, true, F8, 128, 128, 128, 1, 10, 16, 2063, 7, 8, 2071, 0,
     128, PLAIN},
    {"i8", BASE, WL_FORM_UMMA_I8, true, S8, 128, 128, 128, 1, 10, 16, 2063, 7, 8, 2071, 0, 128,
     PLAIN},
};

static umma_bench_t bench;

/* The words of a descriptor of an operand of so many rows. */
static void descriptor(uint32_t reg[2], uint32_t layout, uint32_t start, uint32_t rows_of_it) {
  static const uint32_t low[] = {0, 0, 0x00400000}, high[] = {0x4008, 0x20004040, 0xc0004010};
  reg[0] = start / 16 | low[layout] | (layout == PLAIN ? rows_of_it << 16 : 0);
  reg[1] = high[layout];
}

static void open(const row_t *r, bool reverse) {
  uint32_t reg[7] = {0};
  descriptor(reg, r->layout, UMMA_OPERANDS, r->m);
  if (r->ta) reg[0] = 0;
  /* With atoms rows are 128 bytes apart: operands that share their memory. */
  descriptor(reg + 2, r->layout, r->layout == ATOMS ? UMMA_OPERANDS : UMMA_OPERANDS + 0x1000, r->n);
  reg[4] = r->ta && r->config != FULL ? 8 : 0; /* D; in full it lies over A */
  reg[5] = r->m / 16 << 24 | r->n / 8 << 17 | r->i;
  umma_open(&bench, r->config, reverse, reg);
}

static int over(const row_t *r, const char *what) {
  if (bench.b.failures != 0)
    printf("  (%s: %s, %s, m %u n %u%s)\n", what, r->what, wl_configs[r->config].name, r->m, r->n,
           r->ta ? ", A in tensor memory" : "");
  bench_close(&bench.b);
  return bench.b.failures;
}

static int alone(const row_t *r, bool reverse) {
  open(r, reverse);
  umma_run(&bench, r->form, X(.ra = 8, .rb = 12, .ta = r->ta), 1);
  const uint64_t t = umma_resolved(&bench, 0, 6), e = t + r->last;
  wl_bench_t *b = &bench.b;
  bench_expect(b, "first step", umma_event(&bench, 0, 0) - t, r->first);
  bench_expect(b, "end", umma_event(&bench, 1, 0) - e, r->ends);
  bench_expect(b, "last row of D", umma_last_write(&bench) - e, (uint64_t)(int64_t)r->written);
  if (r->ta) {
    const unsigned words = 8 * wl_configs[r->config].beats;
    bench_expect(b, "first read of A", bench.read[0] - t, r->first_read);
    bench_expect(b, "last read of A", bench.read[words - 1] - t, r->last_read);
    bench_expect(b, "reads of A", bench.reads,
                 words * (wl_configs[r->config].sub_cores == 1 ? 4 : 1));
  } else {
    bench_expect(b, "first grant", bench.grant[0] - t, 1);
    bench_expect(b, "FULL", bench.grant[r->before - 1] + 3, t + r->first - 1);
  }
  bench_expect(b, "at rest", wl_sm_busy(umma_sm(&bench)) & 1u << WL_REST_UMMA, 0);
  return over(r, reverse ? "alone, reversed" : "alone");
}

static int period(const row_t *r) {
  open(r, false);
  umma_run(&bench, r->form, X(.ra = 8, .rb = 12, .ta = r->ta), 2);
  const uint64_t first = umma_event(&bench, 0, 0), second = umma_event(&bench, 0, 1);
  bench_expect(&bench.b, "period", second - first, r->period);
  /* All that the two ask for. */
  bench_expect(&bench.b, "requests", umma_grants(&bench, 0, UINT64_MAX), 2 * r->requests);
  return over(r, "period");
}

/* A load reads in each cycle in which the unit does not read its quarter: of any four it gets one at
 * least. D is not read here. */
static int held(const row_t *r) {
  enum { COUNT = 32 };
  static const unsigned reads[] = {1, 2, 3, 5, 6, 7, 9, 10};
  open(r, false);
  bench_emit(&bench.b, WL_FORM_NOP, X(0)); /* both are of one line of the instruction cache */
  const uint32_t at =
      bench_emit(&bench.b, WL_FORM_TMEM_LD, X(.rd = 32, .ra = 12, .imm = COUNT - 1));
  umma_run(&bench, r->form, X(.ra = 8, .rb = 12, .ps_neg = 1, .ta = true), 1);
  const uint64_t t = umma_resolved(&bench, 0, 6), from = journal_issue(&bench.journal, 0, at) + 5;
  wl_bench_t *b = &bench.b;
  bench_expect(b, "first step", umma_event(&bench, 0, 0) - t, r->first);
  bench_expect(b, "the load begins before", from < t, 1);
  uint64_t cycle = from;
  unsigned beside = 0;
  for (unsigned i = 0; i < COUNT; i++, cycle++) {
    for (unsigned k = 0; k < 8; k++)
      if (cycle == t + reads[k]) cycle++, beside++;
    const wl_event_t *e = journal_nth(&bench.journal, WL_J_RF, from, i);
    bench_expect_in(b, i, "load", e != NULL ? e->cycle : 0, cycle + 3);
  }
  bench_expect(b, "cycles in which it was held", beside, 8);
  return over(r, "held");
}

int main(void) {
  int failures = 0;
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
    failures += alone(&rows[i], false) + alone(&rows[i], true) + period(&rows[i]);
  for (unsigned i = 10; i < sizeof rows / sizeof rows[0]; i++)
    if (rows[i].config != TINY) failures += held(&rows[i]);
  return failures != 0;
}
