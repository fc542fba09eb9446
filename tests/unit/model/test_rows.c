/* Golden model: what depends on the width of the units (docs/microarchitecture.md 9 to 13): the
 * cycles of exchange words, packets of long accesses, banks of long shared accesses and of shared
 * atomics, passes of constant loads, and the response channel beside shared memory. Cycles are
 * those of the journal, counted by hand from the rules; one warp runs alone and undisturbed. */
#include "tests/unit/model/journal.h"

enum { MAX_CYCLES = 20000, KEPT = 0x5eed };
static wl_run_journal_t journal;

static uint64_t issued(uint32_t pc) { return journal_issue(&journal, 0, pc); }

static const wl_event_t *nth(int kind, uint64_t from, unsigned n) {
  return journal_nth(&journal, kind, from, n);
}

static uint64_t cycle_of(int kind, uint64_t from, unsigned n) {
  const wl_event_t *e = nth(kind, from, n);
  return e == NULL ? 0 : e->cycle;
}

static void open(wl_bench_t *b, wl_config_id_t config) {
  bench_open(b, config, 32, 1);
  journal_start(&journal, b);
  bench_emit(b, WL_FORM_S2R, X(.rd = 1, .imm = 12)); /* lane */
}

/* The instruction that is measured, behind enough nops that no other write is in its way. */
static uint32_t last(wl_bench_t *b, wl_form_t form, wl_x_t x) {
  for (unsigned i = 0; i < 40; i++)
    bench_emit(b, WL_FORM_NOP, X(0));
  const uint32_t pc = bench_emit(b, form, x);
  bench_emit(b, WL_FORM_EXIT, X(0));
  bench_run(b);
  bench_expect(b, "trap", (uint64_t)wl_model_trap(b->model).cause, 0);
  return pc;
}

/* Section 9: cycles before the first word, and from a word to the next. */
static int exchange(const wl_config_t *cfg, wl_config_id_t config, wl_form_t form, uint32_t before,
                    uint32_t apart) {
  wl_bench_t b;
  open(&b, config);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 2, .imm = 3 | 31 << 8));
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(2), .ra = 1, .imm = 5, .cmp = 1));
  const uint32_t pc =
      last(&b, form, X(.rd = 3, .ra = 1, .rb = 2, .ps = P(2), .imm = UINT32_MAX, .xmode = 1));
  const uint64_t a = issued(pc) + cfg->beats + 2;
  for (unsigned beat = 0; beat < cfg->beats; beat++)
    bench_expect(&b, wl_form_info[form].name, cycle_of(WL_J_RF, issued(pc), beat) - a,
                 1 + before + beat * apart);
  bench_close(&b);
  return b.failures;
}

static int exchanges(const wl_config_t *cfg, wl_config_id_t config) {
  const bool one = cfg->beats == 1;
  const uint32_t shfl = one ? 1 : cfg->lanes + 1, any = one ? 1 : cfg->lanes * (cfg->beats + 1);
  return exchange(cfg, config, WL_FORM_SHFL_I, shfl, shfl + 1) +
         exchange(cfg, config, WL_FORM_MATCH_ANY_I, any, any + 1) +
         exchange(cfg, config, WL_FORM_MATCH_ALL_I, one ? 1 : cfg->beats + 1, 1) +
         exchange(cfg, config, WL_FORM_VOTE_BALLOT_I, cfg->beats, 1) +
         exchange(cfg, config, WL_FORM_VOTE_ALL_I, cfg->beats, 1) +
         exchange(cfg, config, WL_FORM_REDUX_ADD_I, 32 / cfg->redux_lanes, 1) +
         exchange(cfg, config, WL_FORM_ELECT_I, 1, 1);
}

/* Section 10: 16 bytes per lane, lane after lane; a store, then a load of it. Two lanes share a
 * sector, so a part of 16 bytes fills it and parts of 8 bytes fill it in two packets: per group of
 * lanes one per sector and part. The tag counts lanes in eights whatever the group. */
static int long_global(const wl_config_t *cfg, wl_config_id_t config) {
  wl_bench_t b;
  open(&b, config);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 8, .imm = DATA));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 9, .imm = 0));
  bench_emit(&b, WL_FORM_MAD_WIDE_U32_RIR, X(.rd = 10, .ra = 1, .rc = 8, .imm = 16));
  for (uint32_t k = 0; k < 4; k++)
    bench_emit(&b, WL_FORM_MAD_LO_RIR, X(.rd = 12 + k, .ra = 1, .rc = 255, .imm = 0x10001 + k));
  const uint32_t store = bench_emit(&b, WL_FORM_ST_GLOBAL_B128, X(.ra = 10, .rb = 12));
  const uint32_t pc = last(&b, WL_FORM_LD_GLOBAL_B128, X(.rd = 16, .ra = 10));
  const unsigned parts = 4 / cfg->lsu_words, packets = 16 * parts;
  const unsigned lanes = cfg->lsu_lanes < 8 ? cfg->lsu_lanes : 8, sectors = lanes / 2;
  const uint64_t from[] = {issued(store), issued(pc)};
  for (unsigned which = 0; which < 2; which++)
    for (unsigned i = 0, n = 0; n < packets; i++) {
      const wl_event_t *e = nth(WL_J_PACKET, from[which], i);
      if (e == NULL) {
        bench_expect(&b, "packets", n, packets);
        break;
      }
      if (e->word[3] != WL_FROM_LSU) continue; /* op atom atype unit tag sector(2) mask */
      const unsigned group = n / (sectors * parts), part = n / sectors % parts, at = n % sectors;
      const unsigned lane = group * lanes + 2 * at; /* and the one behind it */
      bench_expect(&b, "op", e->word[0], which == 0 ? WL_PK_ST : WL_PK_LD);
      bench_expect(&b, "tag", e->word[4] & 0xfff, lane / 8 << 10 | part << 8 | 3U << lane % 8);
      bench_expect(&b, "sector", e->word[5], DATA / 32 + lane / 2);
      bench_expect(&b, "mask", e->word[7], parts == 1 ? UINT32_MAX : 0x00ff00ffU << 8 * part);
      n++;
    }
  for (uint32_t l = 0; l < 32; l++)
    for (uint32_t k = 0; k < 4; k++) {
      bench_expect(&b, "stored", bench_load(&b, DATA + 16 * l + 4 * k), l * (0x10001 + k));
      bench_expect(&b, "loaded", bench_reg(&b, 0, 16 + k, l), l * (0x10001 + k));
    }
  bench_close(&b);
  return b.failures;
}

/* Section 10, phase L: two words of local memory, the same ones in every lane. Eight lanes' words lie
 * in a sector, a row of all warps' lanes further on the next word; per group of lanes a packet for
 * each word. */
static int local_words(const wl_config_t *cfg, wl_config_id_t config) {
  wl_bench_t b;
  open(&b, config);
  const uint32_t pc = last(&b, WL_FORM_ST_LOCAL_B64, X(.ra = 255, .rb = 12, .imm = 8));
  const unsigned size = cfg->lsu_lanes < 8 ? cfg->lsu_lanes : 8;
  unsigned n = 0;
  for (unsigned i = 0; n < 64 / size; i++) {
    const wl_event_t *e = nth(WL_J_PACKET, issued(pc), i);
    if (e == NULL) break;
    if (e->word[3] != WL_FROM_LSU) continue;
    const uint32_t word = n % 2, lane = n / 2 * size, lanes = (1U << size) - 1;
    const uint32_t mask = size == 8 ? UINT32_MAX : (1U << 4 * size) - 1;
    bench_expect(&b, "local tag", e->word[4] & 0xfff,
                 lane / 8 << 10 | word << 8 | lanes << lane % 8);
    bench_expect(&b, "local sector", e->word[5],
                 LOCAL / 32 + (2 + word) * cfg->warps * 4 + lane / 8);
    bench_expect(&b, "local mask", e->word[7], mask << lane % 8 * 4);
    n++;
  }
  bench_expect(&b, "local packets", n, 64 / size);
  bench_close(&b);
  return b.failures;
}

/* Section 11: 16 bytes per lane again. Word by word, with 4 banks and a stride of 4 words, a
 * word of all lanes of a request lies in one bank: a pass per lane and word.
 * By quarters, with 32 banks: one pass for 8 lanes. The next request is taken when the last pass
 * is over. */
static int long_shared(const wl_config_t *cfg, wl_config_id_t config) {
  wl_bench_t b;
  open(&b, config);
  bench_emit(&b, WL_FORM_MAD_LO_RIR, X(.rd = 10, .ra = 1, .rc = 255, .imm = 16));
  for (uint32_t k = 0; k < 4; k++)
    bench_emit(&b, WL_FORM_MAD_LO_RIR, X(.rd = 12 + k, .ra = 1, .rc = 255, .imm = 0x10001 + k));
  const uint32_t store = bench_emit(&b, WL_FORM_ST_SHARED_B128, X(.ra = 10, .rb = 12));
  (void)last(&b, WL_FORM_LD_SHARED_B128, X(.rd = 16, .ra = 10));
  const unsigned lanes = cfg->lsu_lanes, passes = cfg->smem_wide ? lanes / 8 : 4 * lanes;
  const unsigned at_once = cfg->smem_wide ? 32 : 1;
  const uint64_t first = cycle_of(WL_J_SMEM, issued(store), 0);
  for (unsigned n = 0; n < 128; n++) {
    const wl_event_t *e = nth(WL_J_SMEM, issued(store), n);
    const unsigned pass = n / at_once, before = pass / passes;
    bench_expect(&b, "cycle of a bank", e == NULL ? 0 : e->cycle - first, pass + before);
    if (e == NULL || cfg->smem_wide) continue;
    bench_expect(&b, "word", e->word[0] % 4, pass % passes / lanes);
  }
  bench_expect(&b, "banks written", nth(WL_J_SMEM, issued(store), 128) == NULL, 1);
  for (uint32_t l = 0; l < 32; l++)
    for (uint32_t k = 0; k < 4; k++)
      bench_expect(&b, "loaded", bench_reg(&b, 0, 16 + k, l), l * (0x10001 + k));
  bench_close(&b);
  return b.failures;
}

/* The load's time, lanes on the same 16 bytes: one pass per quarter, or per word. One read slot per
 * request: with A = t + n + 2 the slot is READY in A + 1 (LsuDelay = 1: all one later), PROC in A + 2,
 * where the request is taken; first pass in A + 3. The last request's last pass q delivers in q + 3,
 * outstanding = 0 is seen in q + 4, WB is q + 5 (LsuDelay = 1: q + 6), in which the first word is written. */
static int shared_load_time(const wl_config_t *cfg, wl_config_id_t config) {
  wl_bench_t b;
  open(&b, config);
  const uint32_t pc = last(&b, WL_FORM_LD_SHARED_B128, X(.rd = 16, .ra = 255));
  const unsigned passes = 4, requests = 32 / cfg->lsu_lanes;
  const uint64_t a = issued(pc) + requests + 2;
  const uint64_t last_pass = a + 3 + cfg->lsu_delay + passes - 1 + (requests - 1) * (passes + 1);
  bench_expect(&b, "first word", cycle_of(WL_J_RF, issued(pc), 0) - last_pass,
               3 + 2 + cfg->lsu_delay);
  bench_close(&b);
  return b.failures;
}

/* Section 11: 32-bit atomics on different banks: one pass of all lanes with ALUs at the banks (with
 * 32 banks), else SmemSerialStep cycles each, and one more from request to request. */
static int shared_atomics(const wl_config_t *cfg, wl_config_id_t config) {
  wl_bench_t b;
  open(&b, config);
  bench_emit(&b, WL_FORM_SHF_L_CLAMP_I, X(.rd = 5, .ra = 255, .rb = 1, .imm = 2));
  const uint32_t clear = bench_emit(&b, WL_FORM_ST_SHARED_B32, X(.ra = 5, .rb = 255));
  const uint32_t pc = last(&b, WL_FORM_ATOM_SHARED_ADD_U32, X(.rd = 6, .ra = 5, .rb = 1));
  const uint64_t first = cycle_of(WL_J_SMEM, issued(pc), 0);
  bench_expect(&b, "cleared before", issued(clear) < issued(pc), 1);
  for (unsigned l = 0; l < 32; l++) {
    const wl_event_t *e = nth(WL_J_SMEM, issued(pc), l);
    const unsigned late = cfg->smem_bank_atoms ? 0 : WL_SMEM_SERIAL_STEP * l + l / cfg->lsu_lanes;
    bench_expect(&b, "atomic", e == NULL ? UINT64_MAX : e->cycle - first, late);
    bench_expect(&b, "old", bench_reg(&b, 0, 6, l), 0);
    if (e != NULL) bench_expect(&b, "new", e->word[3], l);
  }
  bench_close(&b);
  return b.failures;
}

/* Section 11: bytes of four lanes in a word (with requests of two lanes: of two of them). Merged in one
 * pass where SmemWide = 1, else each lane of a bank has its pass, all words of a request at once.
 * Requests lie one cycle apart. */
static int shared_bytes(const wl_config_t *cfg, wl_config_id_t config) {
  wl_bench_t b;
  open(&b, config);
  const uint32_t pc = last(&b, WL_FORM_ST_SHARED_B8, X(.ra = 1, .rb = 1));
  const unsigned together = cfg->lsu_lanes < 4 ? cfg->lsu_lanes : 4;
  const unsigned words = cfg->lsu_lanes / together, passes = cfg->smem_wide ? 1 : together;
  const uint64_t first = cycle_of(WL_J_SMEM, issued(pc), 0);
  for (unsigned n = 0; n < (cfg->smem_wide ? 8U : 32U); n++) {
    const wl_event_t *e = nth(WL_J_SMEM, issued(pc), n);
    const unsigned pass = n / words;
    bench_expect(&b, "pass", e == NULL ? UINT64_MAX : e->cycle - first, pass + pass / passes);
    if (e == NULL) break;
    bench_expect(&b, "bytes", e->word[2], cfg->smem_wide ? 15 : 1U << pass % 4);
  }
  const uint32_t *smem = wl_model_state(b.model).smem;
  for (uint32_t l = 0; l < 32; l++)
    bench_expect(&b, "byte", smem[l / 4] >> l % 4 * 8 & 0xff, l);
  bench_close(&b);
  return b.failures;
}

/* Sections 6.1, 6.3, 10: two words for lanes `from` .. 31 from shared memory. Read slots: one per part
 * of the active beats, with or without lanes. Back come the LSU beats that have lanes, a word after
 * the other, each of its lanes only; the register is free behind its last one. */
static int write_back(const wl_config_t *cfg, wl_config_id_t config, uint32_t from) {
  wl_bench_t b;
  open(&b, config);
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 1, .imm = from - 1, .cmp = 4));
  while (b.code_words < 40) /* the first of a line of instructions */
    bench_emit(&b, WL_FORM_NOP, X(0));
  const uint32_t pc = bench_emit(&b, WL_FORM_LD_SHARED_B64, X(.guard = P(1), .rd = 16, .ra = 255));
  bench_emit(&b, WL_FORM_NOP, X(0));
  bench_emit(&b, WL_FORM_MOV_R, X(.rd = 9, .ra = 17));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint32_t size = cfg->lsu_lanes, beats = cfg->beats - from / cfg->lanes;
  const uint32_t slots = beats * cfg->lanes / size, first = from / size, n = 32 / size - first;
  const uint64_t t = issued(pc);
  if (slots > 3) bench_expect(&b, "slots", issued(pc + 1) - t, bench_distance(cfg, slots, 0));
  const uint64_t start = cycle_of(WL_J_RF, t + 1, 0);
  for (uint32_t i = 0; i < 2 * n; i++) {
    const wl_event_t *e = nth(WL_J_RF, start, i);
    const uint32_t at = (first + i / 2) * size, block = size == 32 ? UINT32_MAX : (1U << size) - 1;
    const uint32_t mask = (at < from ? block << (from - at) & block : block) << at % cfg->lanes;
    if (e == NULL) break;
    bench_expect(&b, "word in", e->cycle - start, i);
    bench_expect(&b, "bank", e->word[0], i % 2);
    bench_expect(&b, "row of the beat", e->word[1] % cfg->beats, at / cfg->lanes);
    bench_expect(&b, "lanes", e->word[2], mask);
  }
  const uint64_t nop = issued(pc + 1); /* its warp is judged every second cycle from here on */
  bench_expect(&b, "dependent issue", issued(pc + 2) - nop,
               bench_distance(cfg, 1, (uint32_t)(start + 2 * n - nop)));
  const wl_event_t *e = nth(WL_J_RF, start, 2 * n);
  bench_expect(&b, "no more", e != NULL && e->cycle > issued(pc + 2), 1);
  bench_close(&b);
  return b.failures;
}

/* Section 12: lane l loads from c0 with a = a[l] where bit l of exec is set; the line of the lowest a
 * is loaded before. Behind it an instruction that waits for its last word, or another constant load. */
typedef struct constants {
  wl_bench_t b;
  const wl_config_t *cfg;
  uint32_t pc;
  uint64_t a; /* the last X1: n + 2 behind the issue */
  unsigned words, records;
} constants_t;

static void load_constants(constants_t *c, wl_config_id_t config, wl_form_t form,
                           const uint32_t a[32], uint32_t exec, bool another) {
  wl_bench_t *b = &c->b;
  open(b, config);
  for (uint32_t l = 0; l < 32; l++) {
    const uint32_t row[2] = {a[l], exec >> l & 1};
    memcpy(b->image + (DATA - MEM_BASE) + 8 * l, row, sizeof row);
  }
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 2, .imm = DATA));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 3, .imm = 0));
  bench_emit(b, WL_FORM_MAD_WIDE_U32_RIR, X(.rd = 2, .ra = 1, .rc = 2, .imm = 8));
  bench_emit(b, WL_FORM_LD_GLOBAL_B64, X(.rd = 4, .ra = 2));
  bench_emit(b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 5, .imm = 0, .cmp = 4));
  bench_emit(b, WL_FORM_LDC_B32, X(.rd = 6, .ra = 255, .imm = 0));
  bench_emit(b, WL_FORM_ADD_RR, X(.rd = 7, .ra = 6, .rb = 6)); /* waits for the line */
  for (uint32_t k = 0; k < 4; k++)
    bench_emit(b, WL_FORM_MOV_I, X(.rd = 8 + k, .imm = KEPT));
  while (b->code_words < 60) /* the first of a line of instructions */
    bench_emit(b, WL_FORM_NOP, X(0));
  c->pc = bench_emit(b, form, X(.guard = P(1), .rd = 8, .ra = 4));
  if (another) bench_emit(b, WL_FORM_LDC_B32, X(.rd = 12, .ra = 255));
  c->words = wl_form_info[form].d;
  bench_emit(b, WL_FORM_ADD_RR, X(.rd = 13, .ra = 8 + c->words - 1, .rb = 255));
  bench_emit(b, WL_FORM_EXIT, X(0));
  bench_run(b);
  uint32_t beats = 0;
  c->cfg = &wl_configs[config];
  for (unsigned i = 0; i < c->cfg->beats; i++)
    beats += (exec >> i * c->cfg->lanes & (UINT32_MAX >> (32 - c->cfg->lanes))) != 0;
  c->a = issued(c->pc) + beats + 2;
  c->records = 0;
}

/* The next words are those of a beat, from this cycle on. */
static void expect_beat(constants_t *c, uint64_t from, unsigned beat, uint32_t lanes) {
  for (unsigned k = 0; k < c->words; k++) {
    const wl_event_t *e = nth(WL_J_RF, c->a, c->records++);
    if (e == NULL) {
      bench_expect(&c->b, "words", c->records - 1, c->records);
      return;
    }
    bench_expect(&c->b, "cycle of a word behind A", e->cycle - c->a, from + k - c->a);
    bench_expect(&c->b, "bank", e->word[0], k);
    bench_expect(&c->b, "beat", e->word[1] % c->cfg->beats, beat);
    bench_expect(&c->b, "lanes", e->word[2], lanes >> beat * c->cfg->lanes);
  }
}

/* Words of the lanes in `exec` only, each its constant. */
static void expect_constants(constants_t *c, const uint32_t a[32], uint32_t exec) {
  const uint32_t *lb = (const uint32_t *)(const void *)&c->b.lb;
  for (unsigned l = 0; l < 32; l++)
    for (unsigned k = 0; k < c->words; k++)
      bench_expect(&c->b, "constant", bench_reg(&c->b, 0, 8 + k, l),
                   (exec >> l & 1) != 0 ? lb[a[l] / 4 + k] : (uint32_t)KEPT);
}

/* The last word, granted in g, frees its register: a dependent issue in g + 1 at the earliest; and the
 * unit is idle in g + 1. With four sub-cores its turn left sub-core 0 with the issue: it is back in the
 * fourth cycle. */
static void expect_end(constants_t *c, uint64_t g, bool another) {
  const uint64_t t = issued(c->pc), next = issued(c->pc + 1);
  bench_expect(&c->b, "trap", (uint64_t)wl_model_trap(c->b.model).cause, 0);
  if (another)
    bench_expect(&c->b, "another load behind g", next - g,
                 c->cfg->sub_cores + (c->cfg->issue_ahead ? 2U : 0U));
  else
    bench_expect(&c->b, "dependent issue", next - t,
                 bench_distance(c->cfg, 1, (uint32_t)(g + 1 - t)));
}

/* Lanes that agree in their lowest `bits` bits have equal addresses; `shift`: of the access size. A pass
 * is PASS, CHECK (with several beats as many cycles as the access has words), then the beats from the
 * leader's to the last, in which lane 31 is pending to the end: a word per cycle, or one cycle without
 * a word. */
static int constants(const wl_config_t *cfg, wl_config_id_t config, wl_form_t form, uint32_t shift,
                     uint32_t bits, bool another) {
  const uint32_t addresses = 1U << bits;
  const uint32_t apart = addresses > cfg->lanes ? addresses / cfg->lanes : 1; /* beats */
  uint32_t a[32];
  for (uint32_t l = 0; l < 32; l++)
    a[l] = (l & (addresses - 1)) << shift;
  constants_t c;
  load_constants(&c, config, form, a, UINT32_MAX, another);
  uint64_t at = c.a + 1;
  for (uint32_t p = 0; p < addresses; p++) {
    at += 1 + (cfg->beats > 1 ? c.words : 1);
    for (uint32_t beat = p / cfg->lanes; beat < cfg->beats; beat++) {
      uint32_t lanes = 0;
      for (uint32_t l = beat * cfg->lanes; l < (beat + 1) * cfg->lanes; l++)
        lanes |= (uint32_t)(l % addresses == p) << l;
      const bool served = beat % apart == p / cfg->lanes;
      if (served) expect_beat(&c, at, beat, lanes);
      at += served ? c.words : 1;
    }
  }
  expect_constants(&c, a, UINT32_MAX);
  expect_end(&c, at - 1, another);
  bench_close(&c.b);
  return c.b.failures;
}

/* The same with every cycle written down, counted from A; PASS is in A + 1. */
typedef struct beat_words {
  uint32_t cycle, beat, lanes;
} word_t;
typedef struct table {
  const char *what;
  wl_config_id_t config;
  wl_form_t form;
  uint32_t ones, exec; /* lanes with a = 16; the others have a = 0 */
  unsigned n;
  word_t word[16]; /* the first word of each beat */
} table_t;

static int tables(void) {
  static const table_t table[] = {
      /* PASS 1, CHECK 2, 3 to 6; PASS 7, CHECK 8, 9 to 12: two passes, not two for each beat */
      {"two in each beat",
       WL_CONFIG_TINY,
       WL_FORM_LDC_B32,
       0xaaaaaaaa,
       UINT32_MAX,
       8,
       {{3, 0, 0x55},
        {4, 1, 0x5500},
        {5, 2, 0x550000},
        {6, 3, 0x55000000},
        {9, 0, 0xaa},
        {10, 1, 0xaa00},
        {11, 2, 0xaa0000},
        {12, 3, 0xaa000000}}},
      /* CHECK 2 and 3, two words in each of 4, 6, 8, 10; PASS 12, CHECK 13 and 14 */
      {"two in each beat, two words",
       WL_CONFIG_TINY,
       WL_FORM_LDC_B64,
       0xaaaaaaaa,
       UINT32_MAX,
       8,
       {{4, 0, 0x55},
        {6, 1, 0x5500},
        {8, 2, 0x550000},
        {10, 3, 0x55000000},
        {15, 0, 0xaa},
        {17, 1, 0xaa00},
        {19, 2, 0xaa0000},
        {21, 3, 0xaa000000}}},
      {"two in the beat",
       WL_CONFIG_BASE,
       WL_FORM_LDC_B128,
       0xffff0000,
       UINT32_MAX,
       2,
       {{3, 0, 0xffff}, {9, 0, 0xffff0000}}}, /* four words; PASS 7, CHECK 8 */
      /* nobody in 4 and 5 */
      {"empty beats between",
       WL_CONFIG_TINY,
       WL_FORM_LDC_B32,
       0,
       0x0f0000f0,
       2,
       {{3, 0, 0xf0}, {6, 3, 0x0f000000}}},
      {"no beats before and behind",
       WL_CONFIG_TINY4,
       WL_FORM_LDC_B32,
       0,
       0x00ffff00,
       4,
       {{3, 2, 0xf00}, {4, 3, 0xf000}, {5, 4, 0xf0000}, {6, 5, 0xf00000}}},
      /* the others of the last two beats are pending: 7 and 8 without a word; PASS 9, CHECK 10, 11 */
      {"others in the last beats",
       WL_CONFIG_TINY,
       WL_FORM_LDC_B64,
       0xffff0000,
       UINT32_MAX,
       4,
       {{4, 0, 0xff}, {6, 1, 0xff00}, {13, 2, 0xff0000}, {15, 3, 0xff000000}}},
      /* a pass that ends in a beat before the last: 3 to 6; PASS 7, CHECK 8, 9, 10 */
      {"others in the first beats",
       WL_CONFIG_TINY,
       WL_FORM_LDC_B32,
       0x0000aa0a,
       UINT32_MAX,
       6,
       {{3, 0, 0xf5},
        {4, 1, 0x5500},
        {5, 2, 0xff0000},
        {6, 3, 0xff000000},
        {9, 0, 0x0a},
        {10, 1, 0xaa00}}},
      {"a leader of the last beat",
       WL_CONFIG_TINY,
       WL_FORM_LDC_B32,
       0x80000000,
       UINT32_MAX,
       5,
       {{3, 0, 0xff}, {4, 1, 0xff00}, {5, 2, 0xff0000}, {6, 3, 0x7f000000}, {9, 3, 0x80000000}}},
  };
  int failures = 0;
  for (unsigned i = 0; i < 2 * (sizeof table / sizeof table[0]); i++) {
    const table_t *t = &table[i / 2];
    uint32_t a[32];
    for (uint32_t l = 0; l < 32; l++)
      a[l] = (t->ones >> l & 1) * 16;
    constants_t c;
    load_constants(&c, t->config, t->form, a, t->exec, i % 2 != 0);
    for (unsigned k = 0; k < t->n; k++)
      expect_beat(&c, c.a + t->word[k].cycle, t->word[k].beat, t->word[k].lanes);
    expect_constants(&c, a, t->exec);
    expect_end(&c, c.a + t->word[t->n - 1].cycle + c.words - 1, i % 2 != 0);
    if (c.b.failures != 0) printf("constants: %s\n", t->what);
    failures += c.b.failures;
    bench_close(&c.b);
  }
  return failures;
}

/* The second of two passes misses: PASS in q, MISS from q + 2, the second answer in r, again PASS in
 * r + 1. */
static int second_misses(const wl_config_t *cfg, wl_config_id_t config) {
  uint32_t a[32];
  for (uint32_t l = 0; l < 32; l++)
    a[l] = l % 2 * 64;
  constants_t c;
  load_constants(&c, config, WL_FORM_LDC_B32, a, UINT32_MAX, false);
  for (uint32_t beat = 0; beat < cfg->beats; beat++)
    expect_beat(&c, c.a + 3 + beat, beat, 0x55555555 & wl_beat_lanes(cfg, beat));
  const uint64_t q = c.a + 3 + cfg->beats;
  const wl_event_t *e = nth(WL_J_PACKET, c.a, 0);
  bench_expect(&c.b, "request", e == NULL ? 0 : e->cycle - q, 2);
  if (e != NULL) bench_expect(&c.b, "its sector", e->word[5], LAUNCH / 32 + 2);
  const uint64_t r = cycle_of(WL_J_RESPONSE, q, 1);
  for (uint32_t beat = 0; beat < cfg->beats; beat++)
    expect_beat(&c, r + 3 + beat, beat, 0xaaaaaaaa & wl_beat_lanes(cfg, beat));
  expect_constants(&c, a, UINT32_MAX);
  expect_end(&c, r + 2 + cfg->beats, false);
  bench_close(&c.b);
  return c.b.failures;
}

/* Faults are those of leaders: the trap rises in the CHECK of its leader, behind the words of earlier
 * passes, which stay; nothing is written behind it. Its record is of the next cycle, in which it is
 * pending. */
static int constant_fault(const wl_config_t *cfg, wl_config_id_t config, wl_form_t form,
                          const uint32_t by_lane[4], unsigned passes, wl_trap_t cause) {
  uint32_t a[32], good = 0;
  for (uint32_t l = 0; l < 32; l++) {
    a[l] = by_lane[l % 4];
    good |= (uint32_t)(l % 4 < passes) << l;
  }
  constants_t c;
  load_constants(&c, config, form, a, UINT32_MAX, false);
  uint64_t q = c.a + 1;
  for (unsigned p = 0; p < passes; p++) {
    q += 1 + (cfg->beats > 1 ? c.words : 1);
    for (uint32_t beat = 0; beat < cfg->beats; beat++, q += c.words)
      expect_beat(&c, q, beat, 0x11111111U << p & wl_beat_lanes(cfg, beat));
  }
  bench_expect(&c.b, "no more words", nth(WL_J_RF, c.a, c.records) == NULL, 1);
  const wl_event_t *e = nth(WL_J_TRAP, 0, 0);
  if (e != NULL) { /* cause warp lane pc address(2) */
    bench_expect(&c.b, "cycle of the trap behind A", e->cycle - c.a, q + 2 - c.a);
    bench_expect(&c.b, "lane", e->word[2], passes);
    bench_expect(&c.b, "pc", e->word[3], c.pc);
    bench_expect(&c.b, "address", e->word[4], LAUNCH + a[passes]);
  }
  bench_expect(&c.b, "cause", (uint64_t)wl_model_trap(c.b.model).cause, (uint64_t)cause);
  expect_constants(&c, a, good);
  bench_expect(
      &c.b, "at rest",
      wl_gpu_rest(wl_model_state(c.b.model).gpu, &wl_model_state(c.b.model).gpu->sm[0]) >> 7 & 1,
      1);
  bench_close(&c.b);
  return c.b.failures;
}

/* Past the end, and misaligned; by lane modulo 4. Lanes behind the first with a fault may have others. */
static int constant_faults(const wl_config_t *cfg, wl_config_id_t id) {
  static const uint32_t range[] = {0, 512, 2, 2}, third[] = {4, 24, 12, 512},
                        odd[] = {0, 24, 12, 512}, both[] = {16, 513, 512, 512},
                        first[] = {510, 0, 4, 4};
  return constant_fault(cfg, id, WL_FORM_LDC_B32, range, 1, WL_TRAP_CONST_RANGE) +
         constant_fault(cfg, id, WL_FORM_LDC_B32, third, 3, WL_TRAP_CONST_RANGE) +
         constant_fault(cfg, id, WL_FORM_LDC_B64, odd, 2, WL_TRAP_MISALIGNED) +
         constant_fault(cfg, id, WL_FORM_LDC_B128, both, 1, WL_TRAP_MISALIGNED) +
         constant_fault(cfg, id, WL_FORM_LDC_B32, first, 0, WL_TRAP_MISALIGNED);
}

static int all_constants(const wl_config_t *cfg, wl_config_id_t id) {
  int failures = second_misses(cfg, id) + constant_faults(cfg, id);
  for (unsigned another = 0; another < 2; another++) {
    for (uint32_t bits = 0; bits <= 4; bits++) /* 16 words are a line */
      failures += constants(cfg, id, WL_FORM_LDC_B32, 2, bits, another != 0);
    for (uint32_t bits = 0; bits <= 3; bits++)
      failures += constants(cfg, id, WL_FORM_LDC_B64, 3, bits, another != 0);
    for (uint32_t bits = 0; bits <= 2; bits++)
      failures += constants(cfg, id, WL_FORM_LDC_B128, 4, bits, another != 0);
  }
  return failures;
}

/* Section 13: answers of global loads come while shared stores are made; in no cycle is there a
 * response while shared memory delivers, in every other cycle with an answer there is one. */
static int response_channel(wl_config_id_t config) {
  wl_bench_t b;
  open(&b, config);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 8, .imm = DATA));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 9, .imm = 0));
  bench_emit(&b, WL_FORM_MAD_WIDE_U32_RIR, X(.rd = 10, .ra = 1, .rc = 8, .imm = 32));
  bench_emit(&b, WL_FORM_SHF_L_CLAMP_I, X(.rd = 5, .ra = 255, .rb = 1, .imm = 2));
  for (uint32_t i = 0; i < 2; i++) {
    bench_emit(&b, WL_FORM_LD_GLOBAL_B32, X(.rd = 12 + i, .ra = 10, .imm = 4 * i));
    bench_emit(&b, WL_FORM_LD_SHARED_B128, X(.rd = 20 + 4 * i, .ra = 255));
    for (uint32_t k = 0; k < 30; k++)
      bench_emit(&b, WL_FORM_ST_SHARED_B32, X(.ra = 5, .rb = 1, .imm = 128 * (k & 3)));
  }
  bench_emit(&b, WL_FORM_EXIT, X(0));
  b.lb.code_words = b.code_words;
  memcpy(b.image + (LAUNCH - MEM_BASE), &b.lb, sizeof b.lb);
  wl_model_start(b.model, LAUNCH);
  const wl_gpu_t *gpu = wl_model_state(b.model).gpu;
  unsigned held = 0;
  for (unsigned i = 0; i < MAX_CYCLES && !wl_model_done(b.model); i++) {
    const uint64_t now = wl_model_cycle(b.model);
    const bool delivers = gpu->sm[0].smem.deliver[now % WL_SMEM_RING].valid,
               answer = gpu->orderpoint.resp != 0;
    wl_model_step(b.model);
    bench_expect(&b, "response", nth(WL_J_RESPONSE, now, 0) != NULL, answer && !delivers);
    held += answer && delivers;
    journal.n = 0;
  }
  bench_expect(&b, "done", wl_model_done(b.model), 1);
  bench_expect(&b, "held at least once", held > 0, 1);
  bench_close(&b);
  return b.failures;
}

int main(void) {
  int failures = tables();
  const wl_config_id_t configs[] = {WL_CONFIG_TINY, WL_CONFIG_TINY4, WL_CONFIG_BASE,
                                    WL_CONFIG_FULL};
  for (unsigned i = 0; i < 4; i++) {
    const wl_config_id_t id = configs[i];
    const wl_config_t *cfg = &wl_configs[id];
    const int before = failures;
    failures += exchanges(cfg, id) + long_global(cfg, id) + long_shared(cfg, id);
    failures += shared_load_time(cfg, id) + shared_atomics(cfg, id) + response_channel(id);
    failures += shared_bytes(cfg, id) + all_constants(cfg, id);
    failures += local_words(cfg, id);
    failures += write_back(cfg, id, 0) + write_back(cfg, id, 5) + write_back(cfg, id, 30);
    if (failures != before) printf("in configuration %s\n", cfg->name);
  }
  return failures != 0;
}
