/* Golden model: products in tensor memory cycle by cycle (docs/microarchitecture.md 25): a warp that is alone,
 * undisturbed. Cycles are those of table 25.9. */
#include "tests/unit/model/journal.h"

static wl_run_journal_t logged;

enum { MBARRIER = 0, OF_A = 0x400, SHARED_UNITS = 16 };

/* A column of the table. */
typedef struct row {
  wl_config_id_t config;
  uint32_t m, n;
  uint32_t first, steps, period; /* cycles from T, from the first step; period of commands */
  uint32_t ends;                 /* from the last step */
  int32_t written;               /* last row of D, likewise */
} row_t;

static const row_t rows[] = {
    {WL_CONFIG_BASE, 128, 128, 14, 1024, 1033, 8, 7},
    {WL_CONFIG_TINY, 64, 8, 52, 2048, 2050, 1, -25},
    {WL_CONFIG_FULL, 128, 256, 38, 512, 521, 8, 7},
    {WL_CONFIG_FULL, 128, 128, 38, 256, 265, 8, 7},
    {WL_CONFIG_FULL, 128, 32, 38, 64, 73, 8, 7},
};

typedef struct pcs {
  uint32_t product[2], commit;
} pcs_t;

/* Rows of eight: 16 bytes each, of the two halves of K one behind the other. */
static void descriptor(wl_bench_t *b, unsigned reg, uint32_t start, uint32_t r) {
  bench_emit(b, WL_FORM_MOV_I, X(.rd = reg, .imm = start / 16 | r << 16));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = reg + 1, .imm = 128 / 16 | 1u << 14));
}

/* The first thread gives so many products, and then a commit. All columns are allocated. */
static pcs_t program_open(wl_bench_t *b, const row_t *r) {
  bench_emit(b, WL_FORM_S2R, X(.rd = 1, .imm = 0));
  bench_emit(b, WL_FORM_SETP_U32_RI, X(.pd = P(1), .ra = 1, .imm = 0, .cmp = 2));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 3, .imm = wl_configs[r->config].tmem_columns));
  bench_emit(b, WL_FORM_TMEM_ALLOC, X(.ra = 3));
  descriptor(b, 8, OF_A, r->m);
  descriptor(b, 10, OF_A + 32 * r->m, r->n);
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 12, .imm = 0));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 13, .imm = r->m / 16 << 24 | r->n / 8 << 17 | 1u << 4));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 14, .imm = MBARRIER));
  return (pcs_t){0};
}

static pcs_t program(wl_bench_t *b, const row_t *r, unsigned products, bool commits) {
  pcs_t pc = program_open(b, r);
  for (unsigned i = 0; i < products; i++)
    pc.product[i] = bench_emit(b, WL_FORM_UMMA_F16, X(.guard = P(1), .ra = 8, .rb = 12));
  if (commits) pc.commit = bench_emit(b, WL_FORM_UMMA_COMMIT, X(.guard = P(1), .ra = 14));
  bench_emit(b, WL_FORM_EXIT, X(0));
  return pc;
}

static wl_sm_t *sm_of(const wl_bench_t *b) {
  return (wl_sm_t *)(uintptr_t)&wl_model_state(b->model).gpu->sm[0];
}

static void open(wl_bench_t *b, wl_config_id_t config, bool reverse) {
  bench_open(b, config, 32, 1);
  b->lb.by_index = 1;
  b->lb.reg_pages = 16;
  b->lb.smem_units = SHARED_UNITS;
  b->lb.smem_bytes = SHARED_UNITS * 1024;
  ((wl_gpu_t *)(uintptr_t)wl_model_state(b->model).gpu)->reverse_updates = reverse;
  /* An mbarrier of one arrival; all elements are 1. */
  uint32_t *words = sm_of(b)->smem.words;
  for (unsigned i = OF_A / 4; i < b->lb.smem_bytes / 4; i++)
    words[i] = 0x3c003c00;
  words[MBARRIER / 4] = 1;
  words[MBARRIER / 4 + 1] = 1u << 1;
  journal_start(&logged, b);
}

static wl_event_t of_event(uint32_t event, unsigned n) {
  for (unsigned i = 0;; i++) {
    const wl_event_t *e = journal_nth(&logged, WL_J_UMMA, 0, i);
    if (e == NULL) return (wl_event_t){0};
    if (e->word[0] == event && n-- == 0) return *e;
  }
}

static void expect_event(wl_bench_t *b, const char *what, uint32_t event, unsigned n,
                         uint64_t cycle, uint32_t pc) {
  const wl_event_t e = of_event(event, n);
  bench_expect(b, what, e.cycle, cycle);
  bench_expect(b, "warp", e.word[1], 0);
  bench_expect(b, "lane", e.word[2], 0);
  bench_expect(b, "pc", e.word[3], pc);
}

/* T of a command: two steps of one cycle each. */
static uint64_t resolved(wl_bench_t *b, uint32_t pc) {
  const uint64_t t = journal_issue(&logged, 0, pc);
  bench_expect(b, "issue", t != 0, 1);
  return t + 2 + 3;
}

static uint64_t last_write(unsigned *count) {
  uint64_t last = 0;
  *count = 0;
  for (const wl_event_t *e; (e = journal_nth(&logged, WL_J_TMEM, 0, *count)) != NULL; ++*count)
    last = e->cycle;
  return last;
}

/* A product and a commit. */
static int alone(const row_t *r, bool reverse) {
  const wl_config_t *cfg = &wl_configs[r->config];
  wl_bench_t b;
  unsigned writes;
  open(&b, r->config, reverse);
  const pcs_t pc = program(&b, r, 1, true);
  bench_run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, WL_TRAP_NONE);
  const uint64_t t = resolved(&b, pc.product[0]), e = t + r->first + r->steps - 1;
  expect_event(&b, "first step", 0, 0, t + r->first, pc.product[0]);
  bench_expect(&b, "last row of D", last_write(&writes) - e, (uint64_t)(int64_t)r->written);
  const unsigned beats = r->m == 64 ? (cfg->beats + 1) / 2 : cfg->beats;
  bench_expect(&b, "rows of D", writes, 4 * r->n * beats);
  expect_event(&b, "end", 1, 0, e + r->ends, pc.product[0]);
  /* Offered in the next cycle: taken, a pass of six from the cycle after. It acts, and is delivered. */
  const wl_event_t *wake = journal_nth(&logged, WL_J_WAKE, 0, 0);
  bench_expect(&b, "commit acts", wake != NULL ? wake->cycle - e : 0, r->ends + 8);
  if (wake != NULL) bench_expect(&b, "mbarrier", wake->word[0], MBARRIER);
  expect_event(&b, "end of the commit", 2, 0, e + r->ends + 10, pc.commit);
  /* The warp has ended long before: the CTA stays. */
  const wl_event_t *freed = journal_nth(&logged, WL_J_CTA, 0, 1);
  bench_expect(&b, "CTA freed", freed != NULL ? freed->cycle - e : 0, r->ends + 11);
  bench_expect(&b, "at rest", wl_sm_busy(sm_of(&b)) & 1u << WL_REST_UMMA, 0);
  if (b.failures != 0)
    printf("  (alone, %s, m %u n %u%s)\n", cfg->name, r->m, r->n, reverse ? ", reversed" : "");
  bench_close(&b);
  return b.failures;
}

/* Two products. */
static int period(const row_t *r) {
  wl_bench_t b;
  open(&b, r->config, false);
  const pcs_t pc = program(&b, r, 2, false);
  bench_run(&b);
  const wl_event_t first = of_event(0, 0), second = of_event(0, 1);
  bench_expect(&b, "first of the first", first.word[3], pc.product[0]);
  bench_expect(&b, "first of the second", second.word[3], pc.product[1]);
  bench_expect(&b, "period", second.cycle - first.cycle, r->period);
  if (b.failures != 0)
    printf("  (period, %s, m %u n %u)\n", wl_configs[r->config].name, r->m, r->n);
  bench_close(&b);
  return b.failures;
}

/* ---- beside the other units: 128 columns from 0 on, D is read */
enum { WARM_UP = 4, COUNT = 32 };

/* First steps and last of a product that nothing disturbs, by its first step. */
static uint64_t undisturbed_end(const row_t *r, uint64_t first) {
  return first + r->steps - 1 + r->ends;
}

static void begin(wl_bench_t *b, const row_t *r, pcs_t *pc) {
  open(b, r->config, false);
  *pc = program_open(b, r);
  pc->product[0] = bench_emit(b, WL_FORM_UMMA_F16, X(.guard = P(1), .ra = 8, .rb = 12));
  for (unsigned i = 0; i < WARM_UP; i++)
    bench_emit(b, WL_FORM_NOP, X(0));
}

static int over(wl_bench_t *b, const char *what, const row_t *r) {
  if (b->failures != 0) printf("  (%s, %s)\n", what, wl_configs[r->config].name);
  bench_close(b);
  return b->failures;
}

/* The unit reads its quarter in every other cycle: loads go on in the others. */
static int loads(const row_t *r) {
  wl_bench_t b;
  pcs_t pc;
  begin(&b, r, &pc);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 4, .imm = r->n));
  const uint32_t at = bench_emit(&b, WL_FORM_TMEM_LD, X(.rd = 32, .ra = 4, .imm = COUNT - 1));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t first = of_event(0, 0).cycle, t = journal_issue(&logged, 0, at);
  bench_expect(&b, "end", of_event(1, 0).cycle, undisturbed_end(r, first));
  /* Judged in t + 4, read from t + 5 on in cycles of the other parity, written three cycles later. */
  const uint64_t from = t + 5 + ((t + 5 - first) % 2 == 0) + 3;
  bench_expect(&b, "within the first pass", from + 2 * COUNT < first + 256, 1);
  for (unsigned i = 0; i < COUNT; i++) {
    const wl_event_t *e = journal_nth(&logged, WL_J_RF, t + 5, i);
    bench_expect_in(&b, i, "load", e != NULL ? e->cycle : 0, from + 2 * i);
  }
  return over(&b, "loads", r);
}

/* A store writes 16 words in cycles that follow each other. A row of D comes in every other cycle: it
 * waits, and all pipes with it. */
static int stores(const row_t *r) {
  wl_bench_t b;
  pcs_t pc;
  begin(&b, r, &pc);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 4, .imm = r->n));
  const uint32_t at = bench_emit(&b, WL_FORM_TMEM_ST_16, X(.ra = 4, .rb = 16));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t first = of_event(0, 0).cycle, s = journal_issue(&logged, 0, at) + 6;
  const unsigned late = (s - first) % 2 == 0 ? 16 : 15;
  unsigned rows_of_store = 0;
  const wl_event_t *e;
  for (unsigned i = 0; (e = journal_nth(&logged, WL_J_TMEM, s, i)) != NULL && e->cycle < s + 16;
       i++) {
    if (e->word[0] != 0) continue; /* another quarter, whose row came before */
    bench_expect_in(&b, i, "row", e->word[1] >= r->n, e->cycle >= s);
    rows_of_store++;
  }
  bench_expect(&b, "rows of the store", rows_of_store, 16);
  /* The other quarters' pipes wait with it: what they have is written in the first of these cycles. */
  for (unsigned i = 0;
       (e = journal_nth(&logged, WL_J_TMEM, s + 17 - late, i)) != NULL && e->cycle <= s + 16; i++)
    bench_expect_in(&b, (unsigned)(e->cycle - s), "quarter", e->word[0], 0);
  bench_expect(&b, "end", of_event(1, 0).cycle, undisturbed_end(r, first) + late);
  return over(&b, "stores", r);
}

/* A block takes 16 steps, a set 8 slices. Between two blocks are one set of the sub-core, the cycle in which
 * it is taken and the one in which the block starts. */
static int turns(const row_t *r) {
  enum { SETS = 12, PERIOD = 16 + 1 + 8 + 1 };
  wl_bench_t b;
  pcs_t pc;
  begin(&b, r, &pc);
  for (unsigned i = 0; i < SETS; i++)
    bench_emit(&b, WL_FORM_MMA_F32_F16_M16N8K16, X(.rd = 32 + 4 * i, .ra = 16, .rb = 20, .rc = 24));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const wl_event_t *e = journal_nth(&logged, WL_J_MMA, 0, 1);
  const uint64_t second = e != NULL ? e->cycle : 0;
  for (unsigned i = 2; i < SETS - 2; i++) {
    e = journal_nth(&logged, WL_J_MMA, 0, i);
    bench_expect_in(&b, i, "set", e != NULL ? e->cycle : 0, second + (i - 1) * PERIOD);
  }
  return over(&b, "turns", r);
}

/* ---- a trap stops no product; the launch ends behind it, and a next one finds the unit at rest */
static int trapped(const row_t *r) {
  wl_bench_t b;
  pcs_t pc;
  begin(&b, r, &pc);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 13, .imm = 0));
  const uint32_t at = bench_emit(&b, WL_FORM_UMMA_F16, X(.guard = P(1), .ra = 8, .rb = 12));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const wl_event_t *e = journal_nth(&logged, WL_J_TRAP, 0, 0);
  const uint64_t end = undisturbed_end(r, of_event(0, 0).cycle);
  /* Raised in T. */
  bench_expect(&b, "trap", e != NULL ? e->cycle : 0, resolved(&b, at) + 1);
  bench_expect(&b, "cause", e != NULL ? e->word[0] : 0, WL_TRAP_TENSOR_DESCRIPTOR);
  bench_expect(&b, "end", of_event(1, 0).cycle, end);
  bench_expect(&b, "no second product", of_event(0, 1).cycle, 0);
  const wl_umma_t *u = &sm_of(&b)->umma;
  bench_expect(&b, "cleared", u->awake || u->put != 0 || u->fin != 0 || u->walk != 0, 0);
  return over(&b, "trapped", r);
}

/* The end of a block is progress. */
static int progress(const row_t *r) {
  wl_bench_t b;
  uint32_t most = 0;
  open(&b, r->config, false);
  program(&b, r, 1, false);
  b.lb.code_words = b.code_words;
  memcpy(b.image + (LAUNCH - MEM_BASE), &b.lb, sizeof b.lb);
  wl_model_start(b.model, LAUNCH);
  for (unsigned i = 0; i < 10000 && (i < 2 || !wl_model_done(b.model)); i++) {
    wl_model_step(b.model);
    if (sm_of(&b)->trap.quiet > most) most = sm_of(&b)->trap.quiet;
  }
  bench_expect(&b, "done", wl_model_done(b.model), 1);
  bench_expect(&b, "quiet for a block", most >= 511 && most <= 511 + 64, 1);
  return over(&b, "progress", r);
}

/* ---- values: row r of A is a[r] and zeros, all columns of B are 2^-13 and zeros */
typedef struct value {
  uint32_t a, d, want;
} value_t;

/* D * 2^-1 in f16. A scaled D below the smallest number counts: half of it and another half are one. */
static const value_t in_f16[] = {
    {0x0c00, 0x0001, 0x0001},     {0x0000, 0x0001, 0x0000}, {0x0000, 0x0003, 0x0002},
    {0x0000, 0x7c00, 0x7c00},     {0x0000, 0xfc00, 0xfc00}, {0x7e00, 0x3c00, 0x7fff},
    {0x7c00, 0x3c00, 0x7c00},     {0x7c00, 0xfc00, 0x7fff}, {0x0000, 0xffff7c01, 0x7fff},
    {0x7000, 0xabcd3c00, 0x3e00}, /* 1 + 1 / 2 */
};
/* D * 2^-15 in f32: cut at 2^-25 of the largest exponent, and below the smallest number. */
static const value_t in_f32[] = {
    {0x0000, 0x00000001, 0x00000000}, {0x0000, 0x00008000, 0x00000001},
    {0x0000, 0x8000ffff, 0x80000001}, {0x0000, 0x3f800000, 0x38000000},
    {0x0000, 0x7f800000, 0x7f800000}, {0x0000, 0x7fc00000, 0x7fffffff},
    {0x7000, 0x3f800001, 0x3f800100}, {0x7000, 0x00008000, 0x3f800000},
    {0xf000, 0x3f800000, 0xbf7ffe00}, /* -1 + 2^-15 */
};

static int values(wl_config_id_t config, const value_t *value, unsigned count, bool f16, uint32_t e,
                  bool reverse) {
  const row_t r = {.config = config, .m = 128, .n = 8};
  wl_bench_t b;
  open(&b, config, reverse);
  uint32_t *words = sm_of(&b)->smem.words, *d = sm_of(&b)->sub[0].tmem.words;
  memset(words + OF_A / 4, 0, (128 + 8) * 32);
  for (unsigned i = 0; i < count; i++)
    words[(OF_A + 16 * i) / 4] = value[i].a;
  for (unsigned i = 0; i < 8; i++)
    words[(OF_A + 32 * 128 + 16 * i) / 4] = 0x0800;
  for (unsigned i = 0; i < count; i++)
    d[7 * WL_LANES + i] = value[i].d;
  program_open(&b, &r);
  if (f16) bench_emit(&b, WL_FORM_MOV_I, X(.rd = 13, .imm = 8u << 24 | 1u << 17));
  bench_emit(&b, WL_FORM_UMMA_F16, X(.guard = P(1), .ra = 8, .rb = 12, .imm = e));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  for (unsigned i = 0; i < count; i++)
    bench_expect_in(&b, i, "value", d[7 * WL_LANES + i], value[i].want);
  return over(&b, f16 ? "values, f16" : "values, f32", &r);
}

/* Nothing of the unit is looked at while no entry is used: what stands in its wires stays. */
static int idle(wl_config_id_t config) {
  enum { MARK = 99 };
  wl_bench_t b;
  open(&b, config, false);
  wl_sm_t *sm = sm_of(&b);
  sm->wires.umma_free.warp = MARK;
  sm->wires.umma_steps = true;
  sm->wires.sub[0].umma_row.quarter = MARK;
  const wl_umma_t before = sm->umma;
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 3, .imm = 32));
  bench_emit(&b, WL_FORM_TMEM_ALLOC, X(.ra = 3));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 4, .imm = 0));
  bench_emit(&b, WL_FORM_TMEM_ST_1, X(.ra = 4, .rb = 3));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  bench_expect(&b, "state", (uint64_t)memcmp(&before, &sm->umma, sizeof before), 0);
  bench_expect(&b, "wires", sm->wires.umma_free.warp, MARK);
  bench_expect(&b, "wires, cleared in a cycle that looks at it", sm->wires.umma_steps, 1);
  bench_expect(&b, "wires of a sub-core", sm->wires.sub[0].umma_row.quarter, MARK);
  if (b.failures != 0) printf("  (idle, %s)\n", wl_configs[config].name);
  bench_close(&b);
  return b.failures;
}

int main(void) {
  int failures = 0;
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
    failures += alone(&rows[i], false) + alone(&rows[i], true) + period(&rows[i]);
  for (unsigned i = 0; i < 4; i += 3) { /* base and full, 128 columns */
    failures += loads(&rows[i]) + stores(&rows[i]) + turns(&rows[i]) + trapped(&rows[i]);
  }
  failures += progress(&rows[1]);
  static const wl_config_id_t two[] = {WL_CONFIG_TINY, WL_CONFIG_BASE};
  for (unsigned i = 0; i < 2; i++) {
    failures += values(two[i], in_f16, sizeof in_f16 / sizeof in_f16[0], true, 1, i == 1);
    failures += values(two[i], in_f32, sizeof in_f32 / sizeof in_f32[0], false, 15, i == 1);
  }
  failures += idle(WL_CONFIG_TINY) + idle(WL_CONFIG_FULL);
  return failures != 0;
}
