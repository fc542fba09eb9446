/* Golden model: loads of tensor memory beside products that follow each other (docs/microarchitecture.md 25.6,
 * 26.6): a load that has room for its next row reads it after at most so many cycles. Warps load all the
 * time, and the first of them gives products; seen is that the position of a sub-core's oldest load stays. */
#include "tests/unit/model/journal.h"

enum { OPERANDS = 0x400, SHARED_UNITS = 16, D_COLUMN = 8, SCALES = 0x1f0, ROUNDS = 3, LOADS = 48 };
enum { HALF = 0x10, F8 = 0x410, MX8 = 0x08800400, MX4 = 0x08800480 };

/* most: cycles that the rule allows one after the other; least: so long some load does wait here. */
typedef struct row {
  const char *what;
  wl_config_id_t config;
  wl_form_t form;
  bool ta, mma; /* mma: all give products of registers, too */
  unsigned warps;
  uint32_t i, m, n;
  unsigned most, least;
} row_t;

#define BASE WL_CONFIG_BASE
#define TINY WL_CONFIG_TINY
#define FULL WL_CONFIG_FULL
static const row_t rows[] = {
    /* D alone: never in two cycles that follow each other. */
    {"D", BASE, WL_FORM_UMMA_F16, false, false, 4, HALF, 128, 128, 1, 1},
    {"D", FULL, WL_FORM_UMMA_F16, false, false, 4, HALF, 128, 256, 1, 1},
    {"D", TINY, WL_FORM_UMMA_F16, false, false, 4, HALF, 64, 8, 1, 1},
    {"D, mma.sync", BASE, WL_FORM_UMMA_F16, false, true, 4, HALF, 128, 128, 1, 1},
    {"D, mma.sync", FULL, WL_FORM_UMMA_F16, false, true, 4, HALF, 128, 128, 1, 1},
    /* Of five cycles one is free. */
    {"D, A", BASE, WL_FORM_UMMA_F16, true, false, 1, HALF, 128, 128, 4, 3},
    {"D, A", FULL, WL_FORM_UMMA_F16, true, false, 4, HALF, 128, 256, 4, 3},
    {"D, A", TINY, WL_FORM_UMMA_F16, true, false, 1, HALF, 64, 8, 4, 3},
    {"D, A", BASE, WL_FORM_UMMA_F8F6F4, true, false, 1, F8, 128, 64, 4, 3},
    {"D, A, mma.sync", BASE, WL_FORM_UMMA_F16, true, true, 1, HALF, 128, 128, 4, 3},
    {"D, A, mma.sync", FULL, WL_FORM_UMMA_F16, true, true, 4, HALF, 128, 32, 4, 3},
    {"D, scales", BASE, WL_FORM_UMMA_MXF8F6F4, false, false, 1, MX8, 128, 128, 4, 3},
    {"D, scales", FULL, WL_FORM_UMMA_MXF4, false, false, 4, MX4, 128, 128, 4, 3},
    {"D, A, scales", BASE, WL_FORM_UMMA_MXF4, true, false, 1, MX4, 128, 64, 4, 4},
    {"D, A, scales, mma.sync", BASE, WL_FORM_UMMA_MXF8F6F4, true, true, 1, MX8, 128, 64, 4, 4},
    {"D, A, scales, mma.sync", FULL, WL_FORM_UMMA_MXF8F6F4, true, true, 4, MX8, 128, 32, 4, 4},
};

typedef struct seen { /* of a sub-core */
  uint8_t oldest, word, beat;
  bool could;
  unsigned waits, longest;
  unsigned reads;
} seen_t;

static wl_run_journal_t logged;

static wl_sm_t *sm_of(const wl_bench_t *b) {
  return (wl_sm_t *)(uintptr_t)&wl_model_state(b->model).gpu->sm[0];
}

static void before(const wl_tmem_t *t, seen_t *s) {
  s->could = t->judged != 0 && t->out_count < WL_TMEM_OUT;
  s->oldest = t->oldest;
  s->word = t->word;
  s->beat = t->beat;
}

static void after(const wl_tmem_t *t, seen_t *s) {
  const bool moved = t->oldest != s->oldest || t->word != s->word || t->beat != s->beat;
  s->reads += moved;
  s->waits = s->could && !moved ? s->waits + 1 : 0;
  if (s->waits > s->longest) s->longest = s->waits;
}

/* Of a load. */
static unsigned words_of(const wl_config_t *cfg) { return cfg->max_regs < 255 ? 24 : 32; }

static uint32_t scales_at(const row_t *r) { return wl_configs[r->config].tmem_columns - 0x10; }

static void emit_registers(wl_bench_t *b, const row_t *r) {
  const uint32_t of_b = OPERANDS + 32 * r->m;
  const uint32_t reg[8] = {r->ta ? 0 : OPERANDS / 16 | r->m << 16,
                           0x4008,
                           of_b / 16 | r->n << 16,
                           0x4008,
                           D_COLUMN,
                           r->i | r->n / 8 << 17 | (r->i >> 24 == 0 ? r->m / 16 << 24 : 0),
                           scales_at(r),
                           scales_at(r) + 8};
  for (unsigned i = 0; i < 8; i++)
    bench_emit(b, WL_FORM_MOV_I, X(.rd = 8 + i, .imm = reg[i]));
}

/* Warp w loads from its quarter; the first thread fills the queue in each round. */
static void program(wl_bench_t *b, const row_t *r) {
  const wl_config_t *cfg = &wl_configs[r->config];
  const unsigned words = words_of(cfg);
  bench_emit(b, WL_FORM_S2R, X(.rd = 1, .imm = 0));
  bench_emit(b, WL_FORM_SETP_U32_RI, X(.pd = P(1), .ra = 1, .imm = 0, .cmp = 2));
  bench_emit(b, WL_FORM_SETP_U32_RI, X(.pd = P(2), .ra = 1, .imm = 32, .cmp = 1));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 3, .imm = cfg->tmem_columns));
  bench_emit(b, WL_FORM_TMEM_ALLOC, X(.guard = P(2), .ra = 3));
  bench_emit(b, WL_FORM_MAD_LO_RIR, X(.rd = 4, .ra = 1, .rc = 255, .imm = 0x10000));
  emit_registers(b, r);
  bench_emit(b, WL_FORM_BAR_SYNC_I, X(0));
  for (unsigned round = 0; round < ROUNDS; round++) {
    for (unsigned i = 0; i < cfg->umma_queue; i++)
      bench_emit(b, r->form, X(.guard = P(1), .ra = 8, .rb = 12, .ta = r->ta));
    for (unsigned i = 0; i < LOADS / r->warps; i++) {
      bench_emit(b, WL_FORM_TMEM_LD,
                 X(.rd = 32 + 32 * (i % 3 * (words == 32)), .ra = 4, .imm = words - 1));
      if (r->mma)
        bench_emit(b, WL_FORM_MMA_F32_F16_M16N8K16, X(.rd = 128, .ra = 16, .rb = 20, .rc = 24));
    }
  }
  bench_emit(b, WL_FORM_EXIT, X(0));
}

static void run(wl_bench_t *b, const row_t *r, seen_t *seen) {
  const unsigned subs = wl_configs[r->config].sub_cores;
  b->lb.code_words = b->code_words;
  memcpy(b->image + (LAUNCH - MEM_BASE), &b->lb, sizeof b->lb);
  wl_model_start(b->model, LAUNCH);
  for (unsigned i = 0; i < 200000 && (i < 2 || !wl_model_done(b->model)); i++) {
    for (unsigned k = 0; k < subs; k++)
      before(&sm_of(b)->sub[k].tmem, &seen[k]);
    wl_model_step(b->model);
    for (unsigned k = 0; k < subs; k++)
      after(&sm_of(b)->sub[k].tmem, &seen[k]);
  }
  bench_expect(b, "done", wl_model_done(b->model), 1);
  bench_expect(b, "trap", (uint64_t)wl_model_trap(b->model).cause, WL_TRAP_NONE);
}

static int beside(const row_t *r) {
  const wl_config_t *cfg = &wl_configs[r->config];
  seen_t seen[WL_MOST_SUB_CORES] = {{0}};
  unsigned longest = 0, reads = 0, products = 0;
  wl_bench_t b;
  bench_open(&b, r->config, 32 * r->warps, 1);
  b.lb.by_index = 1;
  b.lb.reg_pages = cfg->max_regs < 255 ? 8 : 18;
  b.lb.smem_units = SHARED_UNITS;
  b.lb.smem_bytes = SHARED_UNITS * 1024;
  journal_start(&logged, &b);
  program(&b, r);
  run(&b, r, seen);
  for (unsigned k = 0; k < cfg->sub_cores; k++) {
    longest = seen[k].longest > longest ? seen[k].longest : longest;
    reads += seen[k].reads;
  }
  for (const wl_event_t *e; (e = journal_nth(&logged, WL_J_UMMA, 0, products)) != NULL;)
    products++;
  bench_expect(&b, "begun and ended", products, 2u * ROUNDS * cfg->umma_queue);
  bench_expect(&b, "rows", reads, (uint64_t)ROUNDS * LOADS * words_of(cfg) * cfg->beats);
  bench_expect(&b, "waits within the bound", longest <= r->most, 1);
  bench_expect(&b, "some wait", longest >= r->least, 1);
  if (b.failures != 0)
    printf("  (%s, %s: %u cycles, at most %u)\n", r->what, cfg->name, longest, r->most);
  bench_close(&b);
  return b.failures;
}

int main(void) {
  int failures = 0;
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
    failures += beside(&rows[i]);
  return failures != 0;
}
