/* Golden model: atomics of 128 bits, exch and cas (docs/microarchitecture.md 6.1, 10, 11, 13; option
 * Atom128): packets and their order, the cycles of shared memory's serial unit and of the order point's
 * atomic unit, old and new values. Cycles are those of the journal, counted by hand from the rules; values are
 * worked out here in 128-bit integers. One warp runs alone and undisturbed. */
#include "tests/unit/model/journal.h"

enum { L = WL_LANES, D = WL_SMEM_SERIAL_STEP, BYTES = 16, WORDS = 4 };
enum { TABLE = DATA + 0x1000 }; /* three rows of 16 bytes for each lane */
typedef unsigned __int128 wide_t;
static wl_run_journal_t journal;

typedef struct wl_lane {
  unsigned element; /* the element of memory that it is about */
  bool takes_part;
  wide_t b, c;
} wl_lane_t;

/* Of an operation, in the order in which lanes do it. */
typedef struct wl_done {
  wide_t old, value;
} wl_done_t;

static bool is_cas(wl_form_t form) { return wl_form_info[form].atom == WL_ATOM_OP_CAS; }
static uint32_t word(wide_t x, unsigned k) { return (uint32_t)(x >> 32 * k); }

/* Values whose words all differ; never 0. */
static wide_t value_of(unsigned n) {
  wide_t x = 0;
  for (unsigned k = WORDS; k-- > 0;)
    x = x << 32 | (0x9e3779b9U * (4 * n + k + 1));
  return x;
}

/* What memory has in the beginning. */
static wide_t first_of(unsigned element) { return value_of(1000 + element); }

static wl_done_t perform(wl_form_t form, const wl_lane_t *lane, wide_t *memory) {
  const wide_t old = memory[lane->element];
  if (!is_cas(form))
    memory[lane->element] = lane->b;
  else if (old == lane->b)
    memory[lane->element] = lane->c;
  return (wl_done_t){old, memory[lane->element]};
}

static void put(wl_bench_t *b, uint64_t address, wide_t x) {
  memcpy(b->image + (address - MEM_BASE), &x, sizeof x);
}

/* r12, r13: address in global memory; r14: in shared memory; p1: the lane takes part; r16 to r19: operand b;
 * r20 to r23: operand c. The steps of a shared form read no two registers of a bank. */
static void open(wl_bench_t *b, wl_config_id_t config, const wl_lane_t lane[L]) {
  bench_open(b, config, L, 1);
  journal_start(&journal, b);
  for (unsigned l = 0; l < L; l++) {
    const uint32_t at = lane[l].element * BYTES, row[4] = {DATA + at, 0, at, lane[l].takes_part};
    memcpy(b->image + (TABLE - MEM_BASE) + 48 * l, row, sizeof row);
    put(b, TABLE + 48 * l + 16, lane[l].b);
    put(b, TABLE + 48 * l + 32, lane[l].c);
  }
  bench_emit(b, WL_FORM_S2R, X(.rd = 1, .imm = 12)); /* lane */
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 2, .imm = TABLE));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 3, .imm = 0));
  bench_emit(b, WL_FORM_MAD_WIDE_U32_RIR, X(.rd = 2, .ra = 1, .rc = 2, .imm = 48));
  for (unsigned k = 0; k < 3; k++)
    bench_emit(b, WL_FORM_LD_GLOBAL_B128, X(.rd = 12 + 4 * k, .ra = 2, .imm = 16 * k));
  bench_emit(b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 15, .imm = 0, .cmp = 4));
}

static void nops(wl_bench_t *b) {
  for (unsigned i = 0; i < 40 || b->code_words % 4 != 0; i++)
    bench_emit(b, WL_FORM_NOP, X(0));
}

static uint32_t emit(wl_bench_t *b, wl_form_t form, bool red) {
  const bool shared = wl_form_info[form].space == WL_MEM_SPACE_SHARED;
  return bench_emit(
      b, form, X(.guard = P(1), .rd = red ? 255 : 24, .ra = shared ? 14 : 12, .rb = 16, .rc = 20));
}

static void finish(wl_bench_t *b, const char *what, wl_form_t form) {
  bench_expect(b, "trap", (uint64_t)wl_model_trap(b->model).cause, 0);
  if (b->failures != 0) printf("%s, %s\n", wl_form_info[form].name, what);
}

static void expect_old(wl_bench_t *b, unsigned lane, wide_t old) {
  for (unsigned k = 0; k < WORDS; k++)
    bench_expect(b, "old", bench_reg(b, 0, 24 + k, lane), word(old, k));
}

/* ---- shared memory. A = t + n + 2 is the last X1: the slot is READY in A + 1, PROC in A + 2, in which the first
 * request is taken; first pass in A + 3. A pass, of one lane, every D cycles; behind the last one of a request, in
 * q + D, the next is taken, and starts in the cycle behind. All four words are written in q + D. The last request
 * is delivered in q + D + 2, and the first word of the result is written in q + D + 4. */
static int serial(const wl_config_t *cfg, wl_config_id_t config, wl_form_t form,
                  const wl_lane_t lane[L], const char *what) {
  wl_bench_t b;
  wide_t memory[L + 1];
  open(&b, config, lane);
  for (unsigned e = 0; e <= L; e++) {
    memory[e] = first_of(e);
    for (unsigned k = 0; k < WORDS; k++) {
      bench_emit(&b, WL_FORM_MOV_I, X(.rd = 8, .imm = word(memory[e], k)));
      bench_emit(&b, WL_FORM_ST_SHARED_B32, X(.ra = 255, .rb = 8, .imm = BYTES * e + 4 * k));
    }
  }
  nops(&b);
  const uint32_t pc = emit(&b, form, false);
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const unsigned steps = is_cas(form) ? 3 : 2; /* a b b, b b c, c c c */
  const uint64_t t = journal_issue(&journal, 0, pc), a = t + L / cfg->lsu_lanes * steps + 2;
  unsigned n = 0;
  uint64_t q = 0;
  for (unsigned l = 0; l < L; l++) {
    if (!lane[l].takes_part) continue;
    q = a + 3 + cfg->lsu_delay + D * n + l / cfg->lsu_lanes;
    const wl_done_t done = perform(form, &lane[l], memory);
    for (unsigned k = 0; k < WORDS; k++) {
      const wl_event_t *e = journal_nth(&journal, WL_J_SMEM, t, n * WORDS + k);
      const uint32_t at = lane[l].element * WORDS + k;
      bench_expect(&b, "write behind A", e == NULL ? 0 : e->cycle - a, q + D - a);
      if (e == NULL) continue;
      bench_expect(&b, "bank", e->word[0], at % cfg->smem_banks);
      bench_expect(&b, "row", e->word[1], at / cfg->smem_banks);
      bench_expect(&b, "new", e->word[3], word(done.value, k));
    }
    expect_old(&b, l, done.old);
    n++;
  }
  bench_expect(&b, "no more", journal_nth(&journal, WL_J_SMEM, t, n * WORDS) == NULL, 1);
  const wl_event_t *first = journal_nth(&journal, WL_J_RF, t + 1, 0);
  bench_expect(&b, "first word", first == NULL ? 0 : first->cycle - q, D + 4 + cfg->lsu_delay);
  finish(&b, what, form);
  bench_close(&b);
  return b.failures;
}

/* ---- global memory */
static const wl_event_t *of_lsu(int kind, uint64_t from, unsigned n) {
  for (unsigned i = 0;; i++) {
    const wl_event_t *e = journal_nth(&journal, kind, from, i);
    if (e == NULL) return NULL;
    if (e->word[kind == WL_J_PACKET ? 3 : 1] == WL_FROM_LSU && n-- == 0) return e;
  }
}

/* Its 16 bytes; of cas the new value below, the value to compare with above. */
static void expect_packet(wl_bench_t *b, const wl_event_t *e, wl_form_t form, bool red,
                          const wl_lane_t *lane) {
  const unsigned upper = lane->element % 2;
  const uint64_t sector = (DATA + lane->element * BYTES) / 32;
  wide_t half[2] = {0, 0};
  if (is_cas(form)) {
    half[0] = lane->c;
    half[1] = lane->b;
  } else {
    half[upper] = lane->b;
  }
  bench_expect(b, "op", e->word[0], red ? WL_PK_RED : WL_PK_ATOM);
  bench_expect(b, "atom", e->word[1], wl_form_info[form].atom);
  bench_expect(b, "type", e->word[2], WL_MEM_TYPE_B128);
  bench_expect(b, "sector", e->word[5] | (uint64_t)e->word[6] << 32, sector);
  bench_expect(b, "mask", e->word[7], upper != 0 ? 0xffff0000U : 0xffff);
  for (unsigned k = 0; k < 8; k++)
    bench_expect(b, "data", e->word[8 + k], word(half[k / WORDS], k % WORDS));
}

/* Packets go in the order of the lanes, each of one lane. Of sectors that no other lane is about (`apart`) the
 * cycles are known, too: a packet granted in g is in the input register in g + 1, a row in g + 2, in which its
 * read is accepted. The answer comes MemLatency behind that, and the row is the atomic unit's in the next cycle:
 * taken in c, at the earliest. It is WREQ in c + 2 * AtomStep, in which the write is accepted and the unit takes
 * the next row; the answer comes MemLatency later and leaves in the next cycle. */
static int packets(const wl_config_t *cfg, wl_config_id_t config, wl_form_t form, bool red,
                   bool apart, const wl_lane_t lane[L], const char *what) {
  wl_bench_t b;
  wide_t memory[L + 1];
  open(&b, config, lane);
  for (unsigned e = 0; e <= L; e++)
    put(&b, DATA + e * BYTES, memory[e] = first_of(e));
  nops(&b);
  const uint32_t pc = emit(&b, form, red);
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t t = journal_issue(&journal, 0, pc);
  uint64_t idle = 0;
  unsigned n = 0;
  for (unsigned l = 0; l < L; l++) {
    if (!lane[l].takes_part) continue;
    const wl_event_t *packet = of_lsu(WL_J_PACKET, t, n);
    const wl_event_t *response = of_lsu(WL_J_RESPONSE, t, n++);
    const wl_done_t done = perform(form, &lane[l], memory);
    bench_expect(&b, "packet and response", packet != NULL && response != NULL, 1);
    if (packet == NULL || response == NULL) break;
    expect_packet(&b, packet, form, red, &lane[l]);
    if (!red) expect_old(&b, l, done.old);
    const uint64_t g = packet->cycle, first = g + 2 + cfg->mem_latency + 1;
    idle = (first > idle ? first : idle) + 2 * WL_ATOM_STEP;
    if (apart)
      bench_expect(&b, "response behind the grant", response->cycle - g,
                   idle + cfg->mem_latency + 1 - g);
  }
  bench_expect(&b, "no more", of_lsu(WL_J_PACKET, t, n) == NULL, 1);
  for (unsigned e = 0; e <= L; e++)
    for (unsigned k = 0; k < WORDS; k++)
      bench_expect(&b, "new", bench_load(&b, DATA + e * BYTES + 4 * k), word(memory[e], k));
  finish(&b, what, form);
  bench_close(&b);
  return b.failures;
}

/* ---- lanes. Of cas every third one finds its element as it was in the beginning, every third what the lane
 * before it on that element has written if that one succeeded, and the others differ in one bit. */
static void set_lanes(wl_lane_t lane[L], unsigned (*element)(unsigned), uint32_t take_part) {
  for (unsigned l = 0; l < L; l++) {
    const unsigned e = element(l);
    wide_t found = first_of(e);
    for (unsigned before = 0; before < l && l % 3 == 1; before++)
      if (lane[before].element == e) found = lane[before].c;
    if (l % 3 == 2) found ^= (wide_t)1 << (l * 37 % 128);
    lane[l] = (wl_lane_t){e, (take_part >> l & 1) != 0, found, value_of(l)};
  }
}

static unsigned own(unsigned l) { return l; }
static unsigned one(unsigned l) { return l / L + 3; }
static unsigned pairs(unsigned l) { return l / 2; }
static unsigned few(unsigned l) { return l * 5 % 3 + l / 8; }
static unsigned spread(unsigned l) { return l % 16 * 2 + l / 16; }

static int config_tests(const wl_config_t *cfg, wl_config_id_t id) {
  static const struct {
    const char *what;
    unsigned (*element)(unsigned);
    uint32_t take_part;
  } k[] = {{"an element for each lane", own, UINT32_MAX},
           {"one element", one, UINT32_MAX},
           {"pairs of lanes", pairs, UINT32_MAX},
           {"few elements", few, UINT32_MAX},
           {"some lanes", few, 0xa5c3f018},
           {"one lane", own, 1U << 21}};
  int failures = 0;
  wl_lane_t lane[L];
  for (unsigned i = 0; i < 2 * (sizeof k / sizeof *k); i++) {
    const bool cas = i % 2 != 0;
    const wl_form_t shared = cas ? WL_FORM_ATOM_SHARED_CAS_B128 : WL_FORM_ATOM_SHARED_EXCH_B128;
    const wl_form_t global = cas ? WL_FORM_ATOM_GLOBAL_CAS_B128 : WL_FORM_ATOM_GLOBAL_EXCH_B128;
    const wl_form_t generic = cas ? WL_FORM_ATOM_GEN_CAS_B128 : WL_FORM_ATOM_GEN_EXCH_B128;
    set_lanes(lane, k[i / 2].element, k[i / 2].take_part);
    if (k[i / 2].take_part == UINT32_MAX || k[i / 2].element == few)
      failures += serial(cfg, id, shared, lane, k[i / 2].what);
    failures += packets(cfg, id, global, false, false, lane, k[i / 2].what) +
                packets(cfg, id, generic, true, false, lane, k[i / 2].what);
    set_lanes(lane, spread, 7U << i); /* sectors of their own */
    failures += packets(cfg, id, global, i % 3 == 0, true, lane, "sectors apart");
  }
  return failures;
}

int main(void) {
  int failures = 0;
  for (unsigned i = 0; i < WL_NUM_CONFIGS; i++) {
    if (wl_configs[i].atom128 == 0) continue;
    const int before = failures;
    failures += config_tests(&wl_configs[i], (wl_config_id_t)i);
    if (failures != before) printf("in configuration %s\n", wl_configs[i].name);
  }
  return failures != 0;
}
