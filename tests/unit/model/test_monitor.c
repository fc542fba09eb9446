/* Golden model, performance monitors (docs/microarchitecture.md 14): their values at the end of a launch
 * and as s2r reads them, worked out from the other records of the journal, and passes of shared memory
 * counted by hand from section 11. */
#include "tests/unit/model/journal.h"

#include "gen/wl_sreg.h"

enum { MAX_CYCLES = 200000, MONITORS = 8 };
static wl_run_journal_t logged;

static void open(wl_bench_t *b, wl_config_id_t config, uint32_t threads, uint32_t ctas) {
  bench_open(b, config, threads, ctas);
  journal_start(&logged, b);
  b->lb.smem_units = 4;
  b->lb.smem_bytes = 4096;
}

static void run(wl_bench_t *b) {
  logged.n = 0;
  bench_run(b);
  bench_expect(b, "room for the records", logged.n < JOURNAL_EVENTS, 1);
}

/* The only record of a kind with this first word (-1: any); NULL: none or several. */
static const wl_event_t *only(int kind, int64_t word) {
  const wl_event_t *found = NULL;
  for (unsigned i = 0; i < logged.n; i++) {
    const wl_event_t *e = &logged.event[i];
    if (e->kind != kind || (word >= 0 && e->word[0] != (uint32_t)word)) continue;
    if (found != NULL) return NULL;
    found = e;
  }
  return found;
}

static uint64_t monitor(const wl_event_t *e, unsigned i) {
  return (uint64_t)e->word[2 * i + 1] << 32 | e->word[2 * i];
}

/* Records of a kind behind the start and not behind `last`; unit: of packets, -1: all. */
static uint64_t count(int kind, int unit, uint64_t last) {
  const wl_event_t *start = only(WL_J_STATE, WL_GRID_LOAD);
  uint64_t n = 0;
  for (unsigned i = 0; i < logged.n && start != NULL; i++) {
    const wl_event_t *e = &logged.event[i];
    n += e->kind == kind && e->cycle > start->cycle && e->cycle <= last &&
         (unit < 0 || e->word[3] == (uint32_t)unit);
  }
  return n;
}

/* Sub-cores with a warp in which none issues, summed over the cycles up to `last`. */
static uint64_t idle(const wl_config_t *cfg, uint64_t last) {
  static uint8_t issues[MAX_CYCLES];    /* bit = sub-core */
  static int8_t change[MAX_CYCLES][64]; /* of warps: +1 valid from here on, -1 no longer */
  memset(issues, 0, sizeof issues);
  memset(change, 0, sizeof change);
  for (unsigned i = 0; i < logged.n; i++) {
    const wl_event_t *e = &logged.event[i];
    if (e->cycle + 1 >= MAX_CYCLES) continue;
    if (e->kind == WL_J_ISSUE) issues[e->cycle] |= (uint8_t)(1U << e->word[0] % cfg->sub_cores);
    if (e->kind != WL_J_CTA) continue;
    const uint64_t warps = (uint64_t)e->word[6] << 32 | e->word[5];
    for (unsigned w = 0; w < 64; w++)
      if ((warps >> w & 1) != 0)
        change[e->cycle + 1][w] = (int8_t)(change[e->cycle + 1][w] + (e->word[0] == 0 ? 1 : -1));
  }
  int valid[4] = {0};
  uint64_t n = 0;
  for (uint64_t c = 0; c <= last && c < MAX_CYCLES; c++) {
    for (unsigned w = 0; w < 64; w++)
      valid[w % cfg->sub_cores] += change[c][w];
    for (unsigned k = 0; k < cfg->sub_cores; k++)
      n += valid[k] > 0 && (issues[c] >> k & 1) == 0;
  }
  return n;
}

/* What the journal alone decides; the record tells of everything up to two cycles before it. */
static const wl_event_t *check_record(wl_bench_t *b, const wl_config_t *cfg) {
  const wl_event_t *end = only(WL_J_STATE, WL_GRID_DONE), *e = only(WL_J_MONITOR, -1);
  bench_expect(b, "one record of the monitors", e != NULL, 1);
  if (e == NULL || end == NULL) return NULL;
  bench_expect(b, "its cycle", e->cycle, end->cycle);
  const uint64_t last = e->cycle - 2;
  bench_expect(b, "issues", monitor(e, 0), count(WL_J_ISSUE, -1, last));
  bench_expect(b, "idle sub-cores", monitor(e, 1), idle(cfg, last));
  bench_expect(b, "icache misses", 2 * monitor(e, 4), count(WL_J_PACKET, WL_FROM_ICACHE, last));
  bench_expect(b, "constant misses", 2 * monitor(e, 5), count(WL_J_PACKET, WL_FROM_LDC, last));
  bench_expect(b, "packets", monitor(e, 6), count(WL_J_PACKET, -1, last));
  return e;
}

/* The counters of views are counted elsewhere in the model. Waits: a held admission is not theirs. */
static void check_views(wl_bench_t *b, const wl_event_t *e, bool disturbed) {
  const wl_model_counters_t *c = wl_model_counters(b->model);
  bench_expect(b, "view: issued", c->issued, monitor(e, 0));
  bench_expect(b, "view: shared requests", c->smem_requests, monitor(e, 2));
  bench_expect(b, "view: shared passes", c->smem_passes, monitor(e, 3));
  bench_expect(b, "view: icache misses", c->icache_misses, monitor(e, 4));
  bench_expect(b, "view: constant misses", c->ldc_misses, monitor(e, 5));
  bench_expect(b, "view: packets", c->packets, monitor(e, 6));
  if (!disturbed) bench_expect(b, "view: waits", c->op_same_sector + c->op_full, monitor(e, 7));
}

/* Shared memory, constants of a line per eight lanes, a loop, stores; r20 and r21 are low and high word
 * of a monitor read in the middle. */
static uint32_t emit_mix(wl_bench_t *b, uint32_t id) {
  b->lb.c1_base[0] = DATA + 0x8000;
  b->lb.c1_bytes = 0x4000;
  bench_emit(b, WL_FORM_S2R, X(.rd = 4, .imm = WL_SREG_TID_X));
  bench_emit(b, WL_FORM_SHF_L_CLAMP_I, X(.rd = 5, .ra = 255, .rb = 4, .imm = 2));
  bench_emit(b, WL_FORM_SHF_L_CLAMP_I, X(.rd = 6, .ra = 255, .rb = 4, .imm = 3));
  bench_emit(b, WL_FORM_ST_SHARED_B32, X(.ra = 5, .rb = 4));
  bench_emit(b, WL_FORM_BAR_SYNC_I, X(0));
  bench_emit(b, WL_FORM_LD_SHARED_B32, X(.rd = 8, .ra = 5, .imm = 4));
  bench_emit(b, WL_FORM_LDC_B32, X(.rd = 9, .ra = 6, .imm = 1U << 28));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 10, .imm = 0));
  const uint32_t top = bench_emit(b, WL_FORM_ADD_RI, X(.rd = 10, .ra = 10, .imm = 1));
  bench_emit(b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 10, .imm = 9, .cmp = 1));
  const uint32_t at = bench_emit(b, WL_FORM_S2R, X(.rd = 20, .imm = id));
  bench_emit(b, WL_FORM_S2R, X(.rd = 21, .imm = id + 1));
  bench_emit(b, WL_FORM_BRA, X(.guard = P(1), .imm = top));
  bench_emit(b, WL_FORM_ATOM_SHARED_ADD_U32, X(.rd = 11, .ra = 255, .rb = 10, .imm = 2048));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 14, .imm = DATA));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 15, .imm = 0));
  bench_emit(b, WL_FORM_MAD_WIDE_U32_RIR, X(.rd = 16, .ra = 4, .rc = 14, .imm = 32));
  bench_emit(b, WL_FORM_ST_GLOBAL_B32, X(.ra = 16, .rb = 8));
  bench_emit(b, WL_FORM_EXIT, X(0));
  return at;
}

/* Eight warps in each of three CTAs: a request for the store, the load, and the atomic, whose lanes
 * want one bank one after the other; the load's words lie in 32 banks, the others' too. */
static int mixed(wl_config_id_t config, unsigned density) {
  const wl_config_t *cfg = &wl_configs[config];
  wl_bench_t b;
  open(&b, config, 256, 3);
  emit_mix(&b, WL_SREG_PM0_LO);
  wl_model_disturb(b.model, density);
  run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, 0);
  const wl_event_t *e = check_record(&b, cfg);
  if (e != NULL) {
    bench_expect(&b, "shared requests", monitor(e, 2), 24 * 3);
    bench_expect(&b, "shared passes", monitor(e, 3), 24 * (1 + 1 + 32));
    bench_expect(&b, "icache misses at all", monitor(e, 4) >= cfg->sub_cores, 1);
    bench_expect(&b, "constant misses at all", monitor(e, 5) >= 1, 1);
    check_views(&b, e, density != 0);
  }
  /* Another launch counts from zero again. */
  run(&b);
  (void)check_record(&b, cfg);
  bench_close(&b);
  return b.failures;
}

/* s2r issued in t reads in X1, t + 3, what happened up to t + 1; the last one of a warp stays in its
 * registers. */
static int reads(wl_config_id_t config, unsigned i) {
  wl_bench_t b;
  open(&b, config, 256, 1);
  const uint32_t at = emit_mix(&b, WL_SREG_PM0_LO + 2 * i);
  run(&b);
  uint64_t t[8] = {0};
  for (unsigned k = 0; k < logged.n; k++) {
    const wl_event_t *e = &logged.event[k];
    if (e->kind == WL_J_ISSUE && e->word[1] == at && e->word[0] < 8) t[e->word[0]] = e->cycle;
  }
  for (unsigned w = 0; w < 8; w++)
    for (unsigned lane = 0; lane < 32; lane++) {
      const uint64_t n = count(i == 0 ? WL_J_ISSUE : WL_J_PACKET, -1, t[w] + 1);
      bench_expect(&b, i == 0 ? "%pm0 read" : "%pm6 read", bench_reg(&b, w, 20, lane), n);
      bench_expect(&b, "high word", bench_reg(&b, w, 21, lane), 0);
    }
  bench_close(&b);
  return b.failures;
}

/* Branches that some warps take and others do not, over code that no warp has fetched before: tokens
 * that miss are killed by a flush in their cycle, or find a miss under way or a pin. */
static int branches(wl_config_id_t config, unsigned density) {
  wl_bench_t b;
  open(&b, config, 256, 1);
  bench_emit(&b, WL_FORM_S2R, X(.rd = 4, .imm = WL_SREG_WARPID));
  for (uint32_t i = 0; i < 80; i++) {
    bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 4, .imm = i * 5 % 9, .cmp = 1));
    bench_emit(&b, WL_FORM_BRA, X(.guard = P(1), .imm = b.code_words + 2 + i % 7));
    for (uint32_t k = 0; k < 1 + i % 7; k++)
      bench_emit(&b, WL_FORM_NOP, X(0));
  }
  bench_emit(&b, WL_FORM_EXIT, X(0));
  wl_model_disturb(b.model, density);
  run(&b);
  (void)check_record(&b, &wl_configs[config]);
  bench_close(&b);
  return b.failures;
}

/* Without monitors: zero, and no record. */
static int without(wl_config_id_t config) {
  wl_bench_t b;
  open(&b, config, 64, 1);
  emit_mix(&b, WL_SREG_PM6_LO);
  run(&b);
  bench_expect(&b, "packets without monitors", bench_reg(&b, 1, 20, 3), 0);
  for (unsigned k = 0; k < logged.n; k++)
    bench_expect(&b, "no record of monitors", logged.event[k].kind == WL_J_MONITOR, 0);
  bench_close(&b);
  return b.failures;
}

/* A launch that traps has its record too. */
static int trapped(wl_config_id_t config) {
  wl_bench_t b;
  open(&b, config, 96, 1);
  bench_emit(&b, WL_FORM_ST_SHARED_B32, X(.ra = 255, .rb = 4));
  bench_emit(&b, WL_FORM_TRAP, X(0));
  run(&b);
  bench_expect(&b, "cause", (uint64_t)wl_model_trap(b.model).cause, WL_TRAP_USER);
  (void)check_record(&b, &wl_configs[config]);
  bench_close(&b);
  return b.failures;
}

/* One warp, one instruction, address lane << shift; by hand with 32 banks (section 11). */
static int shared(wl_config_id_t config) {
  static const struct {
    wl_form_t form;
    uint32_t shift, lanes, passes;
  } cases[] = {
      {WL_FORM_LD_SHARED_B32, 2, 32, 1},  /* a bank per lane */
      {WL_FORM_LD_SHARED_B32, 3, 32, 2},  /* lanes i and i + 16 in one bank */
      {WL_FORM_LD_SHARED_B32, 7, 32, 32}, /* 32 rows of bank 0 */
      {WL_FORM_ST_SHARED_B32, 7, 32, 32},
      {WL_FORM_ST_SHARED_B32, 6, 32, 16}, /* banks 0 and 16 */
      {WL_FORM_LD_SHARED_B32, 7, 5, 5},   /* five lanes of the same */
      {WL_FORM_LD_SHARED_B32, 0, 1, 1},
      {WL_FORM_LD_SHARED_U8, 0, 32, 1},   /* eight words */
      {WL_FORM_ST_SHARED_B64, 3, 32, 2},  /* two halves, 32 words each */
      {WL_FORM_LD_SHARED_B64, 6, 32, 16}, /* per half: 16 lanes over the banks 0, 1, 16, 17 */
      {WL_FORM_LD_SHARED_B128, 4, 32, 4}, /* four quarters, 32 words each */
      {WL_FORM_LD_SHARED_B128, 4, 9, 2},  /* two quarters have lanes */
      {WL_FORM_ATOM_SHARED_ADD_U32, 2, 32, 1},
      {WL_FORM_ATOM_SHARED_ADD_U32, 7, 32, 32},
      {WL_FORM_ATOM_SHARED_ADD_F32, 2, 32, 32}, /* serial: lane by lane */
  };
  int failures = 0;
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    wl_bench_t b;
    open(&b, config, cases[i].lanes, 1);
    bench_emit(&b, WL_FORM_S2R, X(.rd = 4, .imm = WL_SREG_LANEID));
    bench_emit(&b, WL_FORM_SHF_L_CLAMP_I, X(.rd = 5, .ra = 255, .rb = 4, .imm = cases[i].shift));
    bench_emit(&b, cases[i].form, X(.rd = 8, .ra = 5, .rb = 12));
    bench_emit(&b, WL_FORM_EXIT, X(0));
    run(&b);
    bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, 0);
    const wl_event_t *e = check_record(&b, &wl_configs[config]);
    if (e != NULL) {
      bench_expect(&b, "one request", monitor(e, 2), 1);
      bench_expect(&b, "passes", monitor(e, 3), cases[i].passes);
    }
    if (b.failures != 0)
      printf("%s, shift %u, %u lanes\n", wl_form_info[cases[i].form].name, cases[i].shift,
             cases[i].lanes);
    failures += b.failures;
    bench_close(&b);
  }
  return failures;
}

/* Two stores to a sector, packets granted in g and h. The first is admitted in g + 1, accepted by the
 * memory in g + 2, answered in g + 2 + L; its response goes in g + 3 + L, its row is free from
 * g + 4 + L on, when the second is admitted, which waited from h + 1 on. */
static int waits(wl_config_id_t config) {
  wl_bench_t b;
  open(&b, config, 1, 1);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 8, .imm = DATA));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 9, .imm = 0));
  bench_emit(&b, WL_FORM_ST_GLOBAL_B32, X(.ra = 8, .rb = 4));
  bench_emit(&b, WL_FORM_ST_GLOBAL_B32, X(.ra = 8, .rb = 4, .imm = 16));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  run(&b);
  uint64_t cycle[2] = {0};
  unsigned n = 0;
  for (unsigned i = 0; i < logged.n; i++)
    if (logged.event[i].kind == WL_J_PACKET && logged.event[i].word[3] == WL_FROM_LSU)
      cycle[n++ & 1] = logged.event[i].cycle;
  bench_expect(&b, "stores", n, 2);
  const wl_event_t *e = check_record(&b, &wl_configs[config]);
  const uint64_t latency = wl_configs[config].mem_latency;
  if (e != NULL) bench_expect(&b, "waits", monitor(e, 7), cycle[0] + latency + 3 - cycle[1]);
  bench_close(&b);
  return b.failures;
}

int main(void) {
  int failures = without(WL_CONFIG_TINY) + without(WL_CONFIG_TINY4);
  const wl_config_id_t configs[] = {WL_CONFIG_BASE, WL_CONFIG_FULL};
  for (unsigned i = 0; i < 2; i++) {
    const wl_config_id_t id = configs[i];
    const int before = failures;
    failures += mixed(id, 0) + mixed(id, 1) + mixed(id, 4) + reads(id, 0) + reads(id, 6);
    failures += branches(id, 0) + branches(id, 1) + branches(id, 4);
    failures += trapped(id) + shared(id) + waits(id);
    if (failures != before) printf("in configuration %s\n", wl_configs[id].name);
  }
  return failures != 0;
}
