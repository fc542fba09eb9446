/* Golden model: cycles of the probe (docs/microarchitecture.md 18) and of what it uses: long step lists
 * and LANE forms (6.1), the result queue (6.5), range notes and arrivals of gathered forms (5, 7.2), the
 * chunk port (11b). The expected cycles are worked out by hand from the text. */
#include "tests/unit/model/journal.h"

enum { X1 = 2, LANES_LEFT = 3 };
static wl_run_journal_t journal;

static wl_event_t nth(int kind, uint64_t from, unsigned n) {
  const wl_event_t *e = journal_nth(&journal, kind, from, n);
  return e != NULL ? *e : (wl_event_t){0};
}

static uint64_t issue_of(uint32_t pc) { return journal_issue(&journal, 0, pc); }

/* r4 = lane, P1 = lane < below; all written before the instruction after it, which is the first of an
 * instruction line: its pc is 4 mod 8, so L is 4. */
static uint32_t prelude(wl_bench_t *b, wl_config_id_t config, uint32_t below) {
  bench_open(b, config, 32, 1);
  journal_start(&journal, b);
  b->lb.smem_units = 1;
  b->lb.smem_bytes = 1024;
  bench_emit(b, WL_FORM_S2R, X(.rd = 4, .imm = 12));
  bench_emit(b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 4, .imm = below, .cmp = 1));
  bench_emit(b, WL_FORM_SHF_L_CLAMP_I, X(.rd = 8, .ra = 255, .rb = 4, .imm = 4));
  bench_emit(b, WL_FORM_MOV_R, X(.rd = 9, .ra = 8));
  bench_emit(b, WL_FORM_MOV_R, X(.rd = 5, .ra = 9));
  bench_emit(b, WL_FORM_MOV_R, X(.guard = P(1), .rd = 6, .ra = 5));
  while (b->code_words % 8 != 4)
    bench_emit(b, WL_FORM_NOP, X(0));
  return b->code_words;
}

/* A form with results: words go through the queue one per cycle, each beat by beat, and are written in
 * the cycle after the queue took them. */
static int results(wl_config_id_t config, wl_form_t form, wl_x_t x, uint32_t slots, uint32_t words,
                   unsigned last_reg) {
  wl_bench_t b;
  const wl_config_t *cfg = &wl_configs[config];
  const uint32_t at = prelude(&b, config, 1), n = slots * cfg->beats;
  bench_emit(&b, form, x);
  bench_emit(&b, WL_FORM_ADD_RI, X(.rd = 5, .ra = last_reg, .imm = 1));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t t = issue_of(at), first = t + n + X1 + 1 + 4 + 1; /* A = t + n + X1; L = 4 */
  for (uint32_t i = 0; i < words * cfg->beats; i++)
    bench_expect(&b, "write", nth(WL_J_RF, first, i).cycle - t, first - t + i);
  bench_expect(&b, "no write before", nth(WL_J_RF, t + 1, 0).cycle, first);
  const uint32_t last = (uint32_t)(first - t) + words * cfg->beats - 1;
  bench_expect(&b, "reader of the last word", issue_of(at + 1) - t,
               bench_distance(cfg, n, last + 1));
  bench_close(&b);
  return b.failures;
}

/* Three lanes: two slots each; a chunk is loaded and stored in four cycles. */
static int chunks(wl_config_id_t config) {
  wl_bench_t b;
  const uint32_t at = prelude(&b, config, LANES_LEFT);
  bench_emit(&b, WL_FORM_PROBE_CHUNK, X(.guard = P(1), .ra = 8, .rb = 12));
  bench_emit(&b, WL_FORM_NOP, X(0));
  bench_emit(&b, WL_FORM_PROBE_SPAN, X(.rd = 16, .ra = 4)); /* waits for the unit */
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t t = issue_of(at), start = t + 2 * LANES_LEFT + X1 + 1 + 4;
  for (uint32_t i = 0; i < LANES_LEFT; i++) {
    const wl_event_t e = nth(WL_J_SMEM, t, 4 * i);
    bench_expect(&b, "lane's store", e.cycle - t, start - t + 4 * i + 4);
    bench_expect(&b, "its last bank", nth(WL_J_SMEM, t, 4 * i + 3).cycle, e.cycle);
    bench_expect(&b, "bytes", e.word[2], 15);
  }
  bench_expect(&b, "the instruction behind it", issue_of(at + 1) - t,
               bench_distance(&wl_configs[config], 2 * LANES_LEFT, 0));
  bench_expect(&b, "no more stores", nth(WL_J_SMEM, t, 4 * LANES_LEFT).cycle, 0);
  /* Idle in the cycle after the last grant, which is the one before its write. */
  const uint64_t idle = start + 4 * LANES_LEFT;
  bench_expect(&b, "next one", issue_of(at + 2) - idle, wl_configs[config].issue_ahead ? 2 : 0);
  bench_close(&b);
  return b.failures;
}

/* A path that is not the whole warp arrives: one slot, resolved as a row in SYNC that waits. */
static int arrival(wl_config_id_t config) {
  wl_bench_t b;
  const uint32_t at = prelude(&b, config, 8);
  bench_emit(&b, WL_FORM_BRA, X(.guard = P(1), .neg = 1, .imm = at + 3));
  bench_emit(&b, WL_FORM_PROBE_DOT, X(.rd = 16, .ra = 16, .rb = 16, .rc = 16, .imm = 16));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_emit(&b, WL_FORM_BRA, X(.imm = at + 1));
  bench_run(&b);
  const uint64_t t = issue_of(at + 1);
  const wl_event_t issue = nth(WL_J_ISSUE, t, 0), resolve = nth(WL_J_RESOLVE, t, 0);
  bench_expect(&b, "path", issue.word[2], 0xff);
  bench_expect(&b, "exec", issue.word[3], 0xff);
  bench_expect(&b, "resolved", resolve.cycle - t, 1 + X1 + 1);
  bench_expect(&b, "split", resolve.word[1], 1);
  const wl_event_t row = nth(WL_J_ROW, resolve.cycle, 0);
  bench_expect(&b, "state", row.word[5], 1);
  bench_expect(&b, "op", row.word[6], 1023);
  bench_expect(&b, "key", row.word[7], at + 1);
  unsigned together = 0;
  for (unsigned i = 0; nth(WL_J_ISSUE, t, i).cycle != 0; i++) {
    const wl_event_t e = nth(WL_J_ISSUE, t, i);
    together += e.word[1] == at + 1 && e.word[2] == 0xffffffff;
  }
  bench_expect(&b, "issues of all lanes", together, 1);
  bench_close(&b);
  return b.failures;
}

int main(void) {
  const wl_config_id_t configs[] = {WL_CONFIG_PROBE, WL_CONFIG_PROBE32};
  int failures = 0;
  for (unsigned i = 0; i < 2; i++) {
    const wl_config_id_t c = configs[i];
    const int before = failures;
    failures += results(c, WL_FORM_PROBE_MIX, X(.rd = 16, .ra = 16, .imm = 1), 6, 16, 31);
    failures += results(c, WL_FORM_PROBE_DOT, X(.rd = 16, .ra = 16, .rb = 20, .rc = 24, .imm = 28),
                        5, 4, 19);
    /* Step {R19, R22, R23} has two registers of a bank. */
    failures += results(c, WL_FORM_PROBE_DOT, X(.rd = 16, .ra = 16, .rb = 22, .rc = 24, .imm = 28),
                        6, 4, 19);
    failures += results(c, WL_FORM_PROBE_SPAN, X(.rd = 16, .ra = 4, .imm = 0), 1, 1, 16);
    failures += results(c, WL_FORM_PROBE_SPAN, X(.rd = 16, .ra = 4, .imm = 15), 1, 16, 31);
    failures += chunks(c) + arrival(c);
    if (failures != before) printf("in configuration %s\n", wl_configs[c].name);
  }
  return failures != 0;
}
