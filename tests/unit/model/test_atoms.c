/* Golden model: how long atomics take (docs/microarchitecture.md 11, 13): the lanes that shared memory's
 * serial unit does one by one, SmemSerialStep cycles each, and the elements of the order point's atomic
 * unit, AtomStep cycles each. Cycles are those of the journal, counted by hand from the rules; one warp
 * runs alone and undisturbed. */
#include "tests/unit/model/journal.h"

enum { L = WL_LANES, D = WL_SMEM_SERIAL_STEP };
enum { TABLE = DATA + 0x1000 }; /* a row of 16 bytes per lane, loaded into r12 to r15 */
static wl_run_journal_t journal;

static uint64_t issued(uint32_t pc) { return journal_issue(&journal, 0, pc); }

static uint64_t cycle_of(int kind, uint64_t from, unsigned n) {
  const wl_event_t *e = journal_nth(&journal, kind, from, n);
  return e == NULL ? 0 : e->cycle;
}

static void open(wl_bench_t *b, wl_config_id_t config) {
  bench_open(b, config, L, 1);
  journal_start(&journal, b);
  bench_emit(b, WL_FORM_S2R, X(.rd = 1, .imm = 12)); /* lane */
}

static void nops(wl_bench_t *b) {
  for (unsigned i = 0; i < 40 || b->code_words % 4 != 0; i++)
    bench_emit(b, WL_FORM_NOP, X(0));
}

/* ---- shared memory */
typedef struct wl_serial {
  wl_form_t form;
  unsigned words, steps; /* of an element; steps of the operand list: three words each */
  bool integer; /* 32 bit, neither a float nor cas: serial only without ALUs at the banks */
} wl_serial_t;

static const wl_serial_t serial_forms[] = {
    {WL_FORM_ATOM_SHARED_ADD_U32, 1, 1, true},  /* a b */
    {WL_FORM_ATOM_SHARED_ADD_F32, 1, 1, false}, /* a b */
    {WL_FORM_ATOM_SHARED_CAS_B32, 1, 1, false}, /* a b c */
    {WL_FORM_ATOM_SHARED_ADD_U64, 2, 1, false}, /* a b b */
    {WL_FORM_ATOM_SHARED_CAS_B64, 2, 2, false}, /* a b b, c c */
};

static uint32_t float_of(unsigned value) {
  const float f = (float)value;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

static bool is_cas(wl_form_t form) {
  return form == WL_FORM_ATOM_SHARED_CAS_B32 || form == WL_FORM_ATOM_SHARED_CAS_B64;
}

/* What the element holds when n lanes have had their turn. */
static uint64_t after(wl_form_t form, unsigned n) {
  switch (form) {
  case WL_FORM_ATOM_SHARED_ADD_U32:
    return n * 3;
  case WL_FORM_ATOM_SHARED_ADD_F32:
    return float_of(n);
  case WL_FORM_ATOM_SHARED_ADD_U64:
    return n * UINT64_C(0xffffffff);
  default:
    return n; /* cas: lane n puts n + 1 in the place of n */
  }
}

/* r2, r3: operand b; r8, r9: operand c. With the address in r5 no step reads two registers of a bank. */
static void operands(wl_bench_t *b, wl_form_t form) {
  const uint32_t add = form == WL_FORM_ATOM_SHARED_ADD_U32   ? 3
                       : form == WL_FORM_ATOM_SHARED_ADD_F32 ? float_of(1)
                                                             : UINT32_MAX;
  if (is_cas(form))
    bench_emit(b, WL_FORM_ADD_RI, X(.rd = 2, .ra = 1, .imm = 0));
  else
    bench_emit(b, WL_FORM_MOV_I, X(.rd = 2, .imm = add));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 3, .imm = 0));
  bench_emit(b, WL_FORM_ADD_RI, X(.rd = 8, .ra = 1, .imm = 1));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 9, .imm = 0));
}

/* Lane l's pass is in q(l). A = t + n + 2 is the last X1: the slot is READY in A + 1, PROC in A + 2, in
 * which the first request is taken; first pass in A + 3. A pass every D cycles; behind the last one of a
 * request, in q + D, the next is taken, and starts in the cycle behind.
 * The write is in q + D. The last request is delivered in q + D + 2, all of it is there in q + D + 3,
 * and the first word is written in q + D + 4. The store behind the atomic is taken in q(31) + D, starts
 * in the next cycle and writes in the one behind. */
static int serial(const wl_config_t *cfg, wl_config_id_t config, const wl_serial_t *s, bool same) {
  wl_bench_t b;
  open(&b, config);
  bench_emit(&b, WL_FORM_MAD_LO_RIR, X(.rd = 5, .ra = 1, .rc = 255, .imm = same ? 0 : 8));
  bench_emit(&b, WL_FORM_MAD_LO_RIR, X(.rd = 6, .ra = 1, .rc = 255, .imm = 8));
  operands(&b, s->form);
  for (unsigned k = 0; k < 2; k++)
    bench_emit(&b, WL_FORM_ST_SHARED_B32, X(.ra = 6, .rb = 255, .imm = 4 * k));
  nops(&b);
  const uint32_t pc = bench_emit(&b, s->form, X(.rd = 12, .ra = 5, .rb = 2, .rc = 8));
  bench_emit(&b, WL_FORM_ST_SHARED_B32, X(.ra = 255, .rb = 255, .imm = 512));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, 0);
  const uint64_t t = issued(pc), a = t + 32 / cfg->lsu_lanes * s->steps + 2;
  uint64_t q = 0;
  for (unsigned l = 0; l < L; l++) {
    q = a + 3 + cfg->lsu_delay + D * l + l / cfg->lsu_lanes;
    const uint64_t old = same ? after(s->form, l) : 0;
    const bool fails = !same && is_cas(s->form) && l != 0; /* lane l finds 0 and not l */
    const uint64_t value = fails ? 0 : after(s->form, same ? l + 1 : 1);
    for (unsigned k = 0; k < s->words; k++) {
      const wl_event_t *e = journal_nth(&journal, WL_J_SMEM, t, l * s->words + k);
      bench_expect(&b, "write behind A", e == NULL ? 0 : e->cycle - a, q + D - a);
      if (e != NULL) bench_expect(&b, "new", e->word[3], value >> 32 * k & UINT32_MAX);
      bench_expect(&b, "old", bench_reg(&b, 0, 12 + k, l), old >> 32 * k & UINT32_MAX);
    }
  }
  bench_expect(&b, "first word", cycle_of(WL_J_RF, t + 1, 0) - q, D + 4 + cfg->lsu_delay);
  bench_expect(&b, "the store behind", cycle_of(WL_J_SMEM, t, L * s->words) - q, D + 2);
  if (b.failures != 0) printf("%s\n", wl_form_info[s->form].name);
  bench_close(&b);
  return b.failures;
}

static int all_serial(const wl_config_t *cfg, wl_config_id_t id) {
  int failures = 0;
  for (unsigned i = 0; i < 2 * (sizeof serial_forms / sizeof serial_forms[0]); i++)
    if (!serial_forms[i / 2].integer || !cfg->smem_bank_atoms)
      failures += serial(cfg, id, &serial_forms[i / 2], i % 2 != 0);
  return failures;
}

/* ---- order point: two groups of lanes, each with elements of a sector of its own */
static const wl_event_t *of_lsu(int kind, uint64_t from, unsigned n) {
  for (unsigned i = 0;; i++) {
    const wl_event_t *e = journal_nth(&journal, kind, from, i);
    if (e == NULL) return NULL;
    if (e->word[kind == WL_J_PACKET ? 3 : 1] == WL_FROM_LSU && n-- == 0) return e;
  }
}

/* r12, r13: address; r14: not 0 where the lane takes part; r15: operand b. */
static void table(wl_bench_t *b, unsigned size, unsigned bytes, const unsigned elements[2],
                  uint32_t operand) {
  for (unsigned l = 0; l < L; l++) {
    const unsigned group = l / size, at = l % size;
    const uint32_t row[4] = {DATA + 32 * group + bytes * at, 0, group < 2 && at < elements[group],
                             operand};
    memcpy(b->image + (TABLE - MEM_BASE) + 16 * l, row, sizeof row);
  }
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 2, .imm = TABLE));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 3, .imm = 0));
  bench_emit(b, WL_FORM_MAD_WIDE_U32_RIR, X(.rd = 2, .ra = 1, .rc = 2, .imm = 16));
  bench_emit(b, WL_FORM_LD_GLOBAL_B128, X(.rd = 12, .ra = 2));
  bench_emit(b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 14, .imm = 0, .cmp = 4));
}

/* A packet granted in g is in the input register in g + 1, a row in g + 2, in which its read is accepted.
 * The answer comes MemLatency behind that, and the row is the atomic unit's in the next cycle: taken in c,
 * at the earliest. With e elements it is WREQ in c + e * AtomStep, in which the write is accepted and the
 * unit takes the next row; the answer comes MemLatency later and leaves in the next cycle. */
static int elements(const wl_config_t *cfg, wl_config_id_t config, wl_form_t form, unsigned bytes,
                    bool red, unsigned one, unsigned other) {
  wl_bench_t b;
  const unsigned n[2] = {one, other};
  const uint32_t operand = form == WL_FORM_ATOM_GLOBAL_ADD_F32 ? float_of(5) : 5;
  open(&b, config);
  table(&b, cfg->lsu_lanes < 8 ? cfg->lsu_lanes : 8, bytes, n, operand);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 16, .imm = 0)); /* r15, r16: also an operand of 64 bits */
  for (unsigned i = 0; i < 2; i++)                      /* cas: c */
    bench_emit(&b, WL_FORM_MOV_I, X(.rd = 18 + i, .imm = 9));
  nops(&b);
  const uint32_t pc =
      bench_emit(&b, form, X(.guard = P(1), .rd = red ? 255 : 20, .ra = 12, .rb = 15, .rc = 18));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, 0);
  uint64_t idle = 0;
  for (unsigned i = 0; i < 2; i++) {
    const wl_event_t *packet = of_lsu(WL_J_PACKET, issued(pc), i);
    const wl_event_t *response = of_lsu(WL_J_RESPONSE, issued(pc), i);
    bench_expect(&b, "packet and response", packet != NULL && response != NULL, 1);
    if (packet == NULL || response == NULL) break;
    const uint64_t g = packet->cycle, first = g + 2 + cfg->mem_latency + 1;
    const uint64_t c = first > idle ? first : idle;
    idle = c + n[i] * WL_ATOM_STEP;
    bench_expect(&b, "op", packet->word[0], red ? WL_PK_RED : WL_PK_ATOM);
    bench_expect(&b, "elements", (unsigned)__builtin_popcount(packet->word[7]), n[i] * bytes);
    bench_expect(&b, "response behind the grant", response->cycle - g,
                 idle + cfg->mem_latency + 1 - g);
  }
  bench_expect(&b, "no third packet", of_lsu(WL_J_PACKET, issued(pc), 2) == NULL, 1);
  const bool cas = form == WL_FORM_ATOM_GLOBAL_CAS_B32; /* it finds 0, not its operand */
  for (unsigned i = 0; i < 2; i++)
    for (unsigned at = 0; at < n[i]; at++)
      bench_expect(&b, "new", bench_load(&b, DATA + 32 * i + bytes * at), cas ? 0 : operand);
  if (b.failures != 0) printf("%s, %u and %u elements\n", wl_form_info[form].name, one, other);
  bench_close(&b);
  return b.failures;
}

static int all_elements(const wl_config_t *cfg, wl_config_id_t id) {
  const unsigned size = cfg->lsu_lanes < 8 ? cfg->lsu_lanes : 8, wide = size < 4 ? size : 4;
  int failures = 0;
  for (unsigned red = 0; red < 2; red++)
    failures += elements(cfg, id, WL_FORM_ATOM_GLOBAL_ADD_U32, 4, red, 1, 1) +
                elements(cfg, id, WL_FORM_ATOM_GLOBAL_ADD_U32, 4, red, size, 1) +
                elements(cfg, id, WL_FORM_ATOM_GLOBAL_MAX_S32, 4, red, 1, size) +
                elements(cfg, id, WL_FORM_ATOM_GLOBAL_ADD_F32, 4, red, size, size) +
                elements(cfg, id, WL_FORM_ATOM_GLOBAL_ADD_U64, 8, red, wide, wide);
  return failures + elements(cfg, id, WL_FORM_ATOM_GLOBAL_CAS_B32, 4, false, 1, 1);
}

int main(void) {
  int failures = 0;
  for (unsigned i = 0; i < WL_NUM_CONFIGS; i++) {
    const wl_config_id_t id = (wl_config_id_t)i;
    const int before = failures;
    failures += all_serial(&wl_configs[i], id) + all_elements(&wl_configs[i], id);
    if (failures != before) printf("in configuration %s\n", wl_configs[i].name);
  }
  return failures != 0;
}
