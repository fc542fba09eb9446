/* Golden model, what several sub-cores share (docs/microarchitecture.md 3, 5): to which of them the
 * LSU and the constant loads are open, that they issue beside each other, and the fit check of each.
 * Expected values are worked out here from the text. */
#include <stdlib.h>

#include "tests/unit/model/journal.h"

static const wl_insn_t lsu_insn = {.dec = {.unit = WL_UNIT_LSU}};

/* A cycle of memissue: what it is given, and to which sub-cores (bit) the units are open in it. */
typedef struct wl_turn {
  bool lsu_free, ldc_idle, clear;
  int issuer; /* of an LSU form in this cycle, -1: none */
  bool empty;
  unsigned n;
  unsigned lsu_open, ldc_open;
  unsigned reading, lost; /* sub-cores with read slots to come, whose write-back lost too often */
} wl_turn_t;

/* One line per cycle; the comment is the state visible in it: lsu_turn, lsu_left, ldc_turn. */
static const wl_turn_t turns[] = {
    {true, true, false, -1, false, 0, 1, 1, 0, 0}, /* 0 0 0 */
    {true, true, false, 1, false, 3, 2, 2, 0, 0}, /* 1 0 1: the issue of sub-core 1 takes 3 slots */
    {true, true, false, -1, false, 0, 0, 4, 0, 0},  /* 2 3 2 */
    {true, false, false, -1, false, 0, 0, 0, 0, 0}, /* 2 2 3 */
    {true, false, false, -1, false, 0, 4, 0, 0,
     0}, /* 2 1 3: X1 of the last slot comes before theirs */
    {true, true, false, 3, true, 1, 8, 8, 0, 0},    /* 3 0 3: E empty: no slots */
    {false, true, false, -1, false, 0, 0, 1, 0, 0}, /* 0 0 0: no LSU slot, the turn waits */
    {false, true, false, -1, false, 0, 0, 2, 0, 0}, /* 0 0 1 */
    {true, true, false, 0, false, 1, 1, 4, 0, 0},   /* 0 0 2 */
    {true, true, false, 1, false, 2, 2, 8, 0, 0},   /* 1 1 3 */
    {true, true, false, -1, false, 0, 0, 1, 0, 0},  /* 2 2 0 */
    {true, true, true, -1, false, 0, 4, 2, 0, 0},   /* 2 1 1: clear */
    {true, true, false, -1, false, 0, 1, 1, 2, 1},  /* 0 0 0: sub-core 0 could not issue */
    {true, true, false, -1, false, 0, 1, 1, 1, 2},  /* 0 0 0: nor now */
    {true, true, false, 0, false, 2, 1, 1, 2, 0},   /* 0 0 0: now it does */
    {true, true, false, -1, false, 0, 0, 2, 0, 2},  /* 1 2 1: LSU: X1 comes; 1 keeps its turns */
    {true, true, false, -1, false, 0, 2, 2, 0, 2},  /* 1 1 1 */
    {true, true, false, -1, false, 0, 2, 2, 5, 8},  /* 1 0 1: others do not matter */
    {true, true, false, -1, false, 0, 4, 4, 0, 0},  /* 2 0 2 */
};

static int open_units(void) {
  wl_memissue_t m;
  wl_env_t env = {.cfg = wl_configs[WL_CONFIG_FULL]};
  wl_gpu_wires_t device = {0};
  wl_wires_t *w = calloc(1, sizeof *w);
  w->gpu = &device;
  wl_bench_t b = {0};
  wl_memissue_reset(&m, &env);
  for (unsigned c = 0; c < sizeof turns / sizeof turns[0]; c++) {
    const wl_turn_t *t = &turns[c];
    unsigned lsu = 0, ldc = 0;
    w->lsu_available = t->lsu_free;
    w->ldc_available = t->ldc_idle;
    device.clear = t->clear;
    for (unsigned k = 0; k < 4; k++) {
      w->sub[k].is_left = t->reading >> k & 1 ? 2 : 1;
      w->sub[k].vwb_lost = t->lost >> k & 1 ? WL_AGE_LIMIT : WL_AGE_LIMIT - 1;
      w->sub[k].issue = (wl_issue_wire_t){.valid = (int)k == t->issuer,
                                          .empty = t->empty,
                                          .route = WL_ROUTE_VARIABLE,
                                          .insn = &lsu_insn,
                                          .n = (uint8_t)t->n};
    }
    wl_memissue_out(&m, &env, w);
    for (unsigned k = 0; k < 4; k++) {
      lsu |= (unsigned)w->sub[k].ready[WL_UNIT_LSU] << k;
      ldc |= (unsigned)w->sub[k].ready[WL_UNIT_LDC] << k;
    }
    char what[48];
    snprintf(what, sizeof what, "LSU open to, cycle %u", c);
    bench_expect(&b, what, lsu, t->lsu_open);
    snprintf(what, sizeof what, "constant loads open to, cycle %u", c);
    bench_expect(&b, what, ldc, t->ldc_open);
    wl_memissue_update(&m, &env, w);
  }
  free(w);
  return b.failures;
}

/* Four warps in each sub-core: arithmetic of a loop (the caches hold it) issues in all of them in one
 * cycle; stores with address and data in one register bank have two slots and so keep two cycles
 * between them, whoever issues them. */
static int together(void) {
  static wl_run_journal_t journal;
  wl_bench_t b;
  bench_open(&b, WL_CONFIG_FULL, 512, 1);
  b.lb.smem_units = 2;
  b.lb.smem_bytes = 2048;
  bench_emit(&b, WL_FORM_S2R, X(.rd = 4, .imm = 0));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 1, .imm = 0));
  bench_emit(&b, WL_FORM_SHF_L_CLAMP_I, X(.rd = 8, .ra = 255, .rb = 4, .imm = 2));
  const uint32_t top = bench_emit(&b, WL_FORM_ADD_RI, X(.rd = 1, .ra = 1, .imm = 1));
  for (unsigned i = 0; i < 12; i++)
    bench_emit(&b, WL_FORM_MOV_I, X(.rd = 10 + i, .imm = i));
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 1, .imm = 20, .cmp = 1));
  bench_emit(&b, WL_FORM_BRA, X(.guard = P(1), .imm = top));
  const uint32_t first = b.code_words;
  for (unsigned i = 0; i < 8; i++) /* r8 and r12 lie in one bank */
    bench_emit(&b, WL_FORM_ST_SHARED_B32, X(.ra = 8, .rb = 12));
  const uint32_t end = b.code_words;
  bench_emit(&b, WL_FORM_EXIT, X(0));
  journal_start(&journal, &b);
  bench_run(&b);
  unsigned stores = 0, most = 0, now = 0;
  uint64_t cycle = 0, store = 0;
  for (unsigned i = 0; i < journal.n; i++) {
    if (journal.event[i].kind != WL_J_ISSUE) continue;
    now = journal.event[i].cycle == cycle ? now + 1 : 1;
    cycle = journal.event[i].cycle;
    most = now > most ? now : most;
    if (journal.event[i].word[1] < first || journal.event[i].word[1] >= end) continue;
    if (stores++ != 0) bench_expect(&b, "stores two cycles apart", cycle - store >= 2, 1);
    store = cycle;
  }
  bench_expect(&b, "stores", stores, 128);
  bench_expect(&b, "most issues in a cycle", most, 4);
  bench_close(&b);
  return b.failures;
}

static void emit_loop(wl_bench_t *b) {
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 1, .imm = 0));
  const uint32_t top = bench_emit(b, WL_FORM_ADD_RI, X(.rd = 1, .ra = 1, .imm = 1));
  bench_emit(b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 1, .imm = 100, .cmp = 1));
  bench_emit(b, WL_FORM_BRA, X(.guard = P(1), .imm = top));
  bench_emit(b, WL_FORM_EXIT, X(0));
}

/* 64 pages in each sub-core. 24 pages per warp: two warps in each fit, whatever the others have.
 * CTAs of one warp: slots 0 to 7, pages (slot / 4) * 24 up; the ninth would get slot 8 in sub-core
 * 0 and waits for the first that is freed (in c: fit check in c + 1, first page in c + 2). CTAs of
 * five warps have two in one sub-core: the second would be the third there, one runs at a time. */
static int fit(uint32_t threads, uint32_t ctas, unsigned at_once) {
  static wl_run_journal_t journal;
  wl_bench_t b;
  bench_open(&b, WL_CONFIG_FULL, threads, ctas);
  b.lb.reg_pages = 24;
  emit_loop(&b);
  journal_start(&journal, &b);
  bench_run(&b);
  unsigned placed = 0, freed = 0, pages = 0;
  uint64_t free_cycle = 0;
  for (unsigned i = 0; i < journal.n; i++) {
    const uint32_t *word = journal.event[i].word;
    if (journal.event[i].kind == WL_J_CTA && word[0] == 0) placed++;
    if (journal.event[i].kind == WL_J_CTA && word[0] == 1 && freed++ == 0) {
      free_cycle = journal.event[i].cycle;
      bench_expect(&b, "CTAs placed before the first is freed", placed, at_once);
    }
    if (journal.event[i].kind != WL_J_PAGE) continue;
    if (freed == 0) bench_expect(&b, "page", word[2], word[0] / 4 * 24 + word[1]);
    if (freed != 0 && pages++ == 0)
      bench_expect(&b, "first page after the release", journal.event[i].cycle, free_cycle + 2);
  }
  bench_expect(&b, "CTAs", placed, ctas);
  bench_expect(&b, "freed", freed, ctas);
  bench_close(&b);
  return b.failures;
}

int main(void) {
  int failures = open_units() + together();
  failures += fit(32, 9, 8);
  failures += fit(160, 3, 1);
  return failures != 0;
}
