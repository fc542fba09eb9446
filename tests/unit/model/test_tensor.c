/* Golden model: cycles of the tensor unit (docs/microarchitecture.md 19.1) and of its operands (6.1). The
 * expected cycles are worked out by hand from the text. */
#include "tests/unit/model/journal.h"

enum { X1 = 2, QUEUE = 2, FREE_SETS = 4 };
static wl_run_journal_t journal;

static wl_event_t nth(int kind, uint64_t from, unsigned n) {
  const wl_event_t *e = journal_nth(&journal, kind, from, n);
  return e != NULL ? *e : (wl_event_t){0};
}

static uint64_t issue_of(uint32_t pc) { return journal_issue(&journal, 0, pc); }

/* A, B of ones (halves), C of +0, long written. */
static uint32_t prelude(wl_bench_t *b, wl_config_id_t config) {
  bench_open(b, config, 32, 1);
  journal_start(&journal, b);
  for (uint32_t r = 12; r < 24; r++)
    bench_emit(b, WL_FORM_MOV_I, X(.rd = r, .imm = 0x3c003c00));
  for (uint32_t r = 24; r < 28; r++)
    bench_emit(b, WL_FORM_MOV_R, X(.rd = r, .ra = 255));
  while (b->code_words % 8 != 4)
    bench_emit(b, WL_FORM_NOP, X(0));
  return b->code_words;
}

typedef struct product {
  wl_config_id_t config;
  wl_form_t form;
  uint32_t rb, slots; /* slots of a beat */
  uint32_t slices;    /* of a beat of a word: cycles of the engine */
  uint32_t words, value;
} product_t;

/* One alone: the set is full in A + 1, at work from A + 2 on. A beat's last slice, the pipe, the entry of
 * `out`, the queue; written in the cycle after the queue took it. */
static int results(const product_t *p) {
  wl_bench_t b;
  const wl_config_t *cfg = &wl_configs[p->config];
  const uint32_t at = prelude(&b, p->config), n = p->slots * cfg->beats;
  bench_emit(&b, p->form, X(.rd = 28, .ra = 16, .rb = p->rb, .rc = 24));
  bench_emit(&b, WL_FORM_ADD_RI, X(.rd = 5, .ra = 28 + p->words - 1, .imm = 1));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t t = issue_of(at), begin = t + n + X1 + 2;
  const uint64_t first = begin + p->slices - 1 + WL_DOT_LATENCY + QUEUE;
  bench_expect(&b, "first slice", nth(WL_J_MMA, 0, 0).cycle - t, begin - t);
  bench_expect(&b, "its pc", nth(WL_J_MMA, 0, 0).word[2], at);
  for (uint32_t i = 0; i < p->words * cfg->beats; i++)
    bench_expect(&b, "write", nth(WL_J_RF, t + n + 6, i).cycle - t, first - t + i * p->slices);
  const uint32_t last = (uint32_t)(first - t) + (p->words * cfg->beats - 1) * p->slices;
  bench_expect(&b, "reader of the last word", issue_of(at + 1) - t,
               bench_distance(cfg, n, last + 1));
  for (uint32_t lane = 0; lane < 32; lane += 31)
    for (uint32_t k = 0; k < p->words; k++)
      bench_expect(&b, "result", bench_reg(&b, 0, 28 + k, lane), p->value);
  bench_close(&b);
  return b.failures;
}

/* First issue at pc from a cycle on. */
static uint64_t issue_from(uint64_t from, uint32_t pc) {
  for (unsigned i = 0; nth(WL_J_ISSUE, from, i).cycle != 0; i++)
    if (nth(WL_J_ISSUE, from, i).word[1] == pc) return nth(WL_J_ISSUE, from, i).cycle;
  return 0;
}

/* Six on base, four slots and eight cycles of the engine each: instructions follow each other without a
 * gap; the sixth waits for the second set, which is free in the cycle after its last slice. In the second
 * pass of a loop, with the code in the cache. */
static int following(void) {
  wl_bench_t b;
  const uint32_t at = prelude(&b, WL_CONFIG_BASE), slots = 4, cycles = 8;
  b.lb.reg_pages = 8;
  bench_emit(&b, WL_FORM_SETP_U32_RI, X(.pd = P(1), .ra = 24, .imm = 1, .cmp = 1));
  for (uint32_t i = 0; i < 6; i++)
    bench_emit(&b, WL_FORM_MMA_F32_F16_M16N8K16, X(.rd = 28 + 4 * i, .ra = 16, .rb = 20, .rc = 24));
  bench_emit(&b, WL_FORM_ADD_RI, X(.rd = 24, .ra = 24, .imm = 1));
  bench_emit(&b, WL_FORM_BRA, X(.guard = P(1), .imm = at));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t loop = issue_of(at + 8), t = issue_from(loop, at + 1);
  const uint64_t begin = t + slots + X1 + 2;
  for (uint32_t i = 0; i < 6; i++)
    bench_expect(&b, "first slice", nth(WL_J_MMA, t, i).cycle - t, begin - t + i * cycles);
  for (uint32_t i = 0; i <= FREE_SETS; i++)
    bench_expect(&b, "issue", issue_from(t, at + 1 + i) - t, i * slots);
  bench_expect(&b, "issue of the sixth", issue_from(t, at + 6) - t, begin + 2 * cycles - t);
  bench_close(&b);
  return b.failures;
}

/* A path that is not the whole warp arrives; a set is not taken. An exited lane traps. */
static int gathered(wl_config_id_t config, uint32_t threads) {
  wl_bench_t b;
  bench_open(&b, config, threads, 1);
  journal_start(&journal, &b);
  bench_emit(&b, WL_FORM_S2R, X(.rd = 4, .imm = 12));
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 4, .imm = 8, .cmp = 1));
  const uint32_t at = bench_emit(&b, WL_FORM_BRA, X(.guard = P(1), .neg = 1, .imm = 5)) + 1;
  bench_emit(&b, WL_FORM_MMA_S32_INT8_M8N8K16, X(.rd = 28, .ra = 255, .rb = 255, .rc = 255));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_emit(&b, WL_FORM_BRA, X(.imm = at));
  bench_run(&b);
  const bool whole = threads == 32;
  bench_expect(&b, "products", nth(WL_J_MMA, 0, 0).cycle != 0, whole);
  bench_expect(&b, "a product more", nth(WL_J_MMA, 0, 1).cycle, 0);
  bench_expect(&b, "trap", nth(WL_J_TRAP, 0, 0).word[0], whole ? 0 : WL_TRAP_ALIGNED_EXIT);
  bench_expect(&b, "its lane", nth(WL_J_TRAP, 0, 0).word[2], whole ? 0 : threads);
  bench_close(&b);
  return b.failures;
}

int main(void) {
  static const product_t products[] = {
      /* base: three words a step; 16 elements and 16 terms a cycle; a word of 32 elements, of 64 halves */
      {WL_CONFIG_BASE, WL_FORM_MMA_F32_F16_M16N8K16, 20, 4, 2, 4, 0x41800000},
      {WL_CONFIG_BASE, WL_FORM_MMA_F32_F16_M16N8K8, 18, 3, 2, 4, 0x41000000},
      {WL_CONFIG_BASE, WL_FORM_MMA_F32_F16_M16N8K8, 20, 4, 2, 4,
       0x41000000}, /* R16, R20: one bank */
      {WL_CONFIG_BASE, WL_FORM_MMA_F16_F16_M16N8K16, 20, 3, 4, 2, 0x4c004c00},
      {WL_CONFIG_BASE, WL_FORM_MMA_S32_INT8_M16N8K32, 20, 4, 4, 4, 16 * 0x3c * 0x3c},
      {WL_CONFIG_BASE, WL_FORM_MMA_S32_INT8_M8N8K16, 17, 3, 2, 2, 8 * 0x3c * 0x3c}, /* R16, R24 */
      {WL_CONFIG_BASE, WL_FORM_MMA_S32_INT8_M8N8K16, 20, 4, 2, 2, 8 * 0x3c * 0x3c},
      /* tiny: a word a step; one element and 8 terms a cycle; a beat has 8 elements, or 16 halves */
      {WL_CONFIG_TINY, WL_FORM_MMA_F32_F16_M16N8K16, 20, 10, 16, 4, 0x41800000},
      {WL_CONFIG_TINY, WL_FORM_MMA_F16_F16_M16N8K8, 20, 5, 16, 2, 0x48004800},
      {WL_CONFIG_TINY, WL_FORM_MMA_S32_INT8_M16N8K32, 20, 10, 32, 4, 16 * 0x3c * 0x3c},
      /* 0x3c002000 is 2^-7 (1 + 2^-10): eight squares */
      {WL_CONFIG_TINY, WL_FORM_MMA_F32_TF32_M16N8K8, 20, 10, 16, 4, 0x3a004008},
      {WL_CONFIG_TINY4, WL_FORM_MMA_F32_F16_M16N8K16, 20, 10, 8, 4, 0x41800000},
      {WL_CONFIG_FULL, WL_FORM_MMA_F32_F16_M16N8K16, 20, 4, 2, 4, 0x41800000}};
  int failures = 0;
  for (unsigned i = 0; i < sizeof products / sizeof products[0]; i++) {
    const int before = failures;
    failures += results(&products[i]);
    if (failures != before)
      printf("%s in configuration %s\n", wl_form_info[products[i].form].name,
             wl_configs[products[i].config].name);
  }
  failures += following();
  failures += gathered(WL_CONFIG_BASE, 32) + gathered(WL_CONFIG_TINY, 32) +
              gathered(WL_CONFIG_BASE, 20) + gathered(WL_CONFIG_TINY4, 20);
  return failures != 0;
}
