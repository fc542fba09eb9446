/* Golden model: cycles of 64-bit floating point (docs/microarchitecture.md 20.1) and of its operands (6.1). The
 * expected cycles are worked out by hand from the text. */
#include "tests/unit/model/journal.h"

/* X1; a full set to its first group; the last group to `done`; the queue. */
enum { X1 = 2, BEGIN = 2, PIPE = WL_FP64_LATENCY + 1, QUEUE = 1 };
static wl_run_journal_t journal;

static wl_event_t nth(int kind, uint64_t from, unsigned n) {
  const wl_event_t *e = journal_nth(&journal, kind, from, n);
  return e != NULL ? *e : (wl_event_t){0};
}

static uint64_t issue_of(uint32_t pc) { return journal_issue(&journal, 0, pc); }

static uint64_t issue_from(uint64_t from, uint32_t pc) {
  for (unsigned i = 0; nth(WL_J_ISSUE, from, i).cycle != 0; i++)
    if (nth(WL_J_ISSUE, from, i).word[1] == pc) return nth(WL_J_ISSUE, from, i).cycle;
  return 0;
}

/* a: R16, R18, R20 = 1.5, 2, -0.25; P1: lanes below `lanes`. Long written. */
static uint32_t prelude(wl_bench_t *b, wl_config_id_t config, uint32_t lanes) {
  static const uint32_t high[] = {0x3ff80000, 0x40000000, 0xbfd00000};
  bench_open(b, config, 32, 1);
  b->lb.reg_pages = 8;
  journal_start(&journal, b);
  for (uint32_t i = 0; i < 6; i++)
    bench_emit(b, WL_FORM_MOV_I, X(.rd = 16 + i, .imm = i % 2 ? high[i / 2] : 0));
  bench_emit(b, WL_FORM_S2R, X(.rd = 4, .imm = 12));
  bench_emit(b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 4, .imm = lanes, .cmp = 1));
  bench_emit(b, WL_FORM_MOV_R, X(.rd = 24, .ra = 255));
  while (b->code_words % 8 != 4)
    bench_emit(b, WL_FORM_NOP, X(0));
  return b->code_words;
}

typedef struct alone {
  wl_config_id_t config;
  wl_form_t form;
  uint32_t rb, rc, slots;
  uint32_t lanes; /* E: so many, from lane 0 on */
  bool others;    /* E: the other ones */
  uint32_t groups, high;
} alone_t;

/* One alone. Its groups enter the pipe one in a cycle; word 0 is written in the cycle after the queue took
 * it, word 1 one later. */
static int results(const alone_t *p) {
  wl_bench_t b;
  const uint32_t at = prelude(&b, p->config, p->lanes);
  bench_emit(&b, p->form,
             X(.guard = P(1), .neg = p->others, .rd = 28, .ra = 16, .rb = p->rb, .rc = p->rc));
  bench_emit(&b, WL_FORM_ADD_RI, X(.rd = 5, .ra = 29, .imm = 1));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t t = issue_of(at), a = t + p->slots + X1;
  const uint32_t first = (uint32_t)(a - t) + BEGIN + p->groups - 1 + PIPE + QUEUE;
  const uint32_t below = p->lanes == 32 ? ~0u : (1u << p->lanes) - 1;
  for (uint32_t k = 0; k < 2; k++) {
    const wl_event_t e = nth(WL_J_RF, a + 1, k);
    bench_expect(&b, "write", e.cycle - t, first + k);
    bench_expect(&b, "its lanes", e.word[2], p->others ? ~below : below);
  }
  bench_expect(&b, "reader of the last word", issue_of(at + 1) - t,
               bench_distance(&wl_configs[p->config], p->slots, first + 2));
  const uint32_t lane = p->others ? 31 : 0;
  bench_expect(&b, "low word", bench_reg(&b, 0, 28, lane), 0);
  bench_expect(&b, "high word", bench_reg(&b, 0, 29, lane), p->high);
  bench_close(&b);
  return b.failures;
}

/* `count` of them in the second pass of a loop, with the code in the cache: in which cycles after the first
 * issue they issue and write their first word. */
static int following(uint32_t lanes, uint32_t count, const uint32_t issue[],
                     const uint32_t write[]) {
  wl_bench_t b;
  const uint32_t at = prelude(&b, WL_CONFIG_BASE, lanes);
  bench_emit(&b, WL_FORM_SETP_U32_RI, X(.pd = P(2), .ra = 24, .imm = 1, .cmp = 1));
  for (uint32_t i = 0; i < count; i++)
    bench_emit(&b, WL_FORM_FMA_F64,
               X(.guard = P(1), .rd = 28 + 2 * i, .ra = 16, .rb = 18, .rc = 20));
  bench_emit(&b, WL_FORM_ADD_RI,
             X(.rd = 5, .ra = 27 + 2 * count, .imm = 1)); /* waits for the last */
  bench_emit(&b, WL_FORM_ADD_RI, X(.rd = 24, .ra = 24, .imm = 1));
  bench_emit(&b, WL_FORM_BRA, X(.guard = P(2), .imm = at));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t loop = issue_of(at + 3 + count), t = issue_from(loop, at + 1);
  for (uint32_t i = 0; i < count; i++)
    bench_expect(&b, "issue", issue_from(t, at + 1 + i) - t, issue[i]);
  for (uint32_t i = 0; i < 2 * count; i++)
    bench_expect(&b, "write", nth(WL_J_RF, t, i).cycle - t, write[i / 2] + i % 2);
  bench_close(&b);
  return b.failures;
}

int main(void) {
  static const alone_t alone[] = {
      /* base: four groups of 8 lanes. R16 R17 R18, R19 R20 R21: two slots; R16 and R20 are of one bank */
      {WL_CONFIG_BASE, WL_FORM_FMA_F64, 18, 20, 2, 32, false, 4, 0x40060000},
      {WL_CONFIG_BASE, WL_FORM_FMA_F64, 20, 18, 3, 32, false, 4, 0x3ffa0000},
      {WL_CONFIG_BASE, WL_FORM_ADD_F64, 18, 0, 2, 32, false, 4, 0x400c0000},
      {WL_CONFIG_BASE, WL_FORM_MUL_F64, 20, 0, 3, 32, false, 4, 0xbfd80000},
      {WL_CONFIG_BASE, WL_FORM_MUL_F64, 16, 0, 2, 32, false, 4, 0x40020000},
      /* lanes below 9: two groups; the others of 9: three; of 24: one */
      {WL_CONFIG_BASE, WL_FORM_FMA_F64, 18, 20, 2, 9, false, 2, 0x40060000},
      {WL_CONFIG_BASE, WL_FORM_FMA_F64, 18, 20, 2, 9, true, 3, 0x40060000},
      {WL_CONFIG_BASE, WL_FORM_MUL_F64, 18, 0, 2, 24, true, 1, 0x40080000},
      /* full: two groups of 16 */
      {WL_CONFIG_FULL, WL_FORM_FMA_F64, 18, 20, 2, 32, false, 2, 0x40060000},
      {WL_CONFIG_FULL, WL_FORM_ADD_F64, 20, 0, 3, 16, true, 1, 0x3ff40000}};
  int failures = 0;
  for (unsigned i = 0; i < sizeof alone / sizeof alone[0]; i++) {
    const int before = failures;
    failures += results(&alone[i]);
    if (failures != before) printf("alone %u\n", i);
  }
  /* Two slots, then X1 in 4: the set is full in 5, at work in 6, its groups enter in 6 to 9, the last leaves
   * in 17, done in 18, written in 19. The second one's enter in 10 to 13: written in 23. Set 0 is free from 10
   * on: the third issues, is full in 15, enters in 16 to 19, is written in 29. The fourth: set 1 is free from
   * 14 on; full in 19, and the third's last group enters in 19, so that it is at work in 20: written in 33. */
  failures +=
      following(32, 4, (const uint32_t[]){0, 2, 10, 14}, (const uint32_t[]){19, 23, 29, 33});
  /* One group: it enters in 6, leaves in 14, is done in 15 and 16, written in 16. The second enters in 8 and
   * would leave in 16: the pipe stands still in 16, done in 18, written in 19. The third issues as set 0 is
   * free, in 7: enters in 13 and would leave in 21; one later. The fourth: set 1 is free from 9 on; it enters
   * in 15, leaves in 24, and the third was done in 23 and 24: once more, written in 27. */
  failures += following(8, 4, (const uint32_t[]){0, 2, 7, 9}, (const uint32_t[]){16, 19, 24, 27});
  return failures != 0;
}
