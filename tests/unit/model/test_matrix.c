/* Golden model: cycles of matrix loads and stores (docs/microarchitecture.md 10.1), of movmatrix (9) and
 * of their arrivals (5). The expected cycles are worked out by hand from the text. Every row of a matrix
 * lies at the same 16 bytes of shared memory. */
#include "tests/unit/model/journal.h"

enum { X1 = 2 };
static wl_run_journal_t journal;

static wl_event_t nth(int kind, uint64_t from, unsigned n) {
  const wl_event_t *e = journal_nth(&journal, kind, from, n);
  return e != NULL ? *e : (wl_event_t){0};
}

static uint64_t issue_of(uint32_t pc) { return journal_issue(&journal, 0, pc); }

/* P1 = lane < 8, long written before the instruction that comes next, the first of a line of them. */
static uint32_t prelude(wl_bench_t *b, wl_config_id_t config) {
  bench_open(b, config, 32, 1);
  journal_start(&journal, b);
  bench_emit(b, WL_FORM_S2R, X(.rd = 4, .imm = 12));
  bench_emit(b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 4, .imm = 8, .cmp = 1));
  while (b->code_words < 40)
    bench_emit(b, WL_FORM_NOP, X(0));
  return b->code_words;
}

static void finish(wl_bench_t *b) {
  bench_emit(b, WL_FORM_EXIT, X(0));
  bench_run(b);
  bench_expect(b, "trap", (uint64_t)wl_model_trap(b->model).cause, 0);
}

/* Lanes of a word: B16 LsuLanes of them, transposed with fewer than all 32 a lane by itself. */
static uint32_t lanes_once(const wl_config_t *cfg, bool across) {
  return across && cfg->lsu_lanes < 32 ? 1 : cfg->lsu_lanes;
}

/* A load of n matrices: 8 n address lanes, a read slot per LSU beat all the same. With A = t + slots + 2
 * the first request is taken in A + 2 (LsuDelay: + 1), its first pass is in the next cycle: a pass for
 * each word, or for each eight lanes with an address; a cycle between requests. Five cycles behind the
 * last pass (LsuDelay: six) words come, one per cycle. Behind the load an instruction that reads register
 * `reader` of it: its last word is that of the last lanes. */
static int load(wl_config_id_t config, wl_form_t form, uint32_t n, bool across, uint32_t reader) {
  wl_bench_t b;
  const wl_config_t *cfg = &wl_configs[config];
  const uint32_t at = prelude(&b, config);
  bench_emit(&b, form, X(.rd = 16, .ra = 255));
  bench_emit(&b, WL_FORM_MOV_R, X(.rd = 9, .ra = 16 + reader));
  finish(&b);
  const uint32_t slots = 32 / cfg->lsu_lanes, size = lanes_once(cfg, across);
  const uint32_t requests = cfg->lsu_lanes < 8 * n ? 8 * n / cfg->lsu_lanes : 1;
  const uint32_t passes = cfg->smem_wide ? n : 4, words = 32 / size * n;
  const uint64_t t = issue_of(at), a = t + slots + X1;
  const uint64_t pass = a + 3 + cfg->lsu_delay + passes - 1 + (requests - 1) * (passes + 1);
  const uint64_t first = pass + 5 + cfg->lsu_delay;
  bench_expect(&b, "requests", wl_model_counters(b.model)->smem_requests, requests);
  bench_expect(&b, "passes", wl_model_counters(b.model)->smem_passes, requests * passes);
  for (uint32_t i = 0; i < words; i++) {
    const wl_event_t e = nth(WL_J_RF, t + 1, i);
    const uint32_t lane = i / n * size, block = size == 32 ? UINT32_MAX : (1U << size) - 1;
    bench_expect(&b, "word", e.cycle - t, first - t + i);
    bench_expect(&b, "bank", e.word[0], i % n);
    bench_expect(&b, "row of the beat", e.word[1] % cfg->beats, lane / cfg->lanes);
    bench_expect(&b, "lanes", e.word[2], block << lane % cfg->lanes);
  }
  const uint32_t last = words - n + reader;
  bench_expect(&b, "reader", issue_of(at + 1) - t,
               bench_distance(cfg, slots, (uint32_t)(first - t) + last + 1));
  bench_expect(&b, "no more words", nth(WL_J_RF, t + 1, words).cycle > issue_of(at + 1), 1);
  if (b.failures != 0) printf("%s\n", wl_form_info[form].name);
  bench_close(&b);
  return b.failures;
}

/* A store of n matrices: a request for each group of lanes, register and piece, each one pass: one every
 * second cycle; its bytes are written two cycles behind the one in which it is taken. All pieces of a
 * transposed matrix of bytes fill half a row. */
static int store(wl_config_id_t config, wl_form_t form, uint32_t n, uint32_t pieces) {
  wl_bench_t b;
  const wl_config_t *cfg = &wl_configs[config];
  const uint32_t at = prelude(&b, config);
  bench_emit(&b, form, X(.ra = 255, .rb = 20));
  finish(&b);
  const uint32_t steps = n == 4 ? 2 : 1, size = lanes_once(cfg, pieces > 1);
  const uint32_t slots = 32 / cfg->lsu_lanes * steps; /* five words are two steps (6.1) */
  const uint32_t requests = 32 / size * n * pieces;
  const uint64_t t = issue_of(at), first = t + slots + X1 + 4 + cfg->lsu_delay;
  uint32_t record = 0;
  bench_expect(&b, "requests", wl_model_counters(b.model)->smem_requests, requests);
  bench_expect(&b, "passes", wl_model_counters(b.model)->smem_passes, requests);
  for (uint32_t i = 0; i < requests; i++) {
    const uint32_t lane = i / (n * pieces) * size, piece = i % pieces;
    uint32_t bytes = 0; /* of the 16 */
    for (uint32_t l = lane; l < lane + size; l++)
      bytes |= pieces == 1   ? 15U << l % 4 * 4
               : pieces == 2 ? 3U << l / 4 * 2
                             : 1U << (l / 4 + 8 * (piece / 2));
    for (uint32_t bank = 0; bank < 4; bank++) {
      if ((bytes >> 4 * bank & 15) == 0) continue;
      const wl_event_t e = nth(WL_J_SMEM, t, record++);
      bench_expect(&b, "written in", e.cycle - t, first - t + 2 * i);
      bench_expect(&b, "bank", e.word[0], bank);
      bench_expect(&b, "bytes", e.word[2], bytes >> 4 * bank & 15);
    }
  }
  bench_expect(&b, "no more bytes", nth(WL_J_SMEM, t, record).cycle, 0);
  if (b.failures != 0) printf("%s\n", wl_form_info[form].name);
  bench_close(&b);
  return b.failures;
}

/* movmatrix: B cycles for a beat and one in which its word is granted. The unit is idle in the cycle
 * behind the last grant, which the next one needs. */
static int exchange(wl_config_id_t config) {
  wl_bench_t b;
  const wl_config_t *cfg = &wl_configs[config];
  const uint32_t at = prelude(&b, config);
  bench_emit(&b, WL_FORM_MOVMATRIX, X(.rd = 16, .ra = 4));
  bench_emit(&b, WL_FORM_MOVMATRIX, X(.rd = 17, .ra = 4));
  finish(&b);
  const uint32_t each = cfg->beats == 1 ? 1 : 2 * cfg->lanes + 1;
  const uint64_t t = issue_of(at), first = t + cfg->beats + X1 + 1 + each;
  for (uint32_t beat = 0; beat < cfg->beats; beat++) {
    const wl_event_t e = nth(WL_J_RF, t + 1, beat);
    bench_expect(&b, "word of a beat", e.cycle - t, first - t + beat * (each + 1));
    bench_expect(&b, "beat", e.word[1] % cfg->beats, beat);
  }
  const uint64_t idle = first + (cfg->beats - 1) * (each + 1) + 1;
  bench_expect(&b, "next one", issue_of(at + 1) - idle, cfg->issue_ahead ? 2 : 0);
  if (b.failures != 0) printf("movmatrix\n");
  bench_close(&b);
  return b.failures;
}

/* Eight lanes by themselves arrive: one slot, resolved as a row in SYNC that waits; all 32 do it. */
static int arrival(wl_config_id_t config, wl_form_t form, unsigned requests) {
  wl_bench_t b;
  const uint32_t at = prelude(&b, config);
  bench_emit(&b, WL_FORM_BRA, X(.guard = P(1), .neg = 1, .imm = at + 3));
  bench_emit(&b, form, X(.rd = 16, .ra = 255, .rb = 20));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_emit(&b, WL_FORM_BRA, X(.imm = at + 1));
  finish(&b);
  const uint64_t t = issue_of(at + 1);
  const wl_event_t issue = nth(WL_J_ISSUE, t, 0), resolve = nth(WL_J_RESOLVE, t, 0);
  bench_expect(&b, "path", issue.word[2], 0xff);
  bench_expect(&b, "exec", issue.word[3], 0xff);
  bench_expect(&b, "resolved", resolve.cycle - t, 1 + X1 + 1);
  bench_expect(&b, "split", resolve.word[1], 1);
  const wl_event_t row = nth(WL_J_ROW, resolve.cycle, 0);
  bench_expect(&b, "state", row.word[5], 1);
  bench_expect(&b, "key", row.word[7], at + 1);
  unsigned together = 0;
  for (unsigned i = 0; nth(WL_J_ISSUE, t, i).cycle != 0; i++) {
    const wl_event_t e = nth(WL_J_ISSUE, t, i);
    together += e.word[1] == at + 1 && e.word[2] == 0xffffffff;
  }
  bench_expect(&b, "issues of all lanes", together, 1);
  bench_expect(&b, "requests", wl_model_counters(b.model)->smem_requests, requests);
  if (b.failures != 0) printf("arrival at %s\n", wl_form_info[form].name);
  bench_close(&b);
  return b.failures;
}

static int all(wl_config_id_t c) {
  static const wl_form_t plain[] = {WL_FORM_LDMATRIX_SHARED_B16_X1, WL_FORM_LDMATRIX_SHARED_B16_X2,
                                    WL_FORM_LDMATRIX_SHARED_B16_X4};
  static const wl_form_t across[] = {WL_FORM_LDMATRIX_SHARED_B16T_X1,
                                     WL_FORM_LDMATRIX_SHARED_B16T_X2,
                                     WL_FORM_LDMATRIX_SHARED_B16T_X4};
  static const wl_form_t stores[][3] = {
      {WL_FORM_STMATRIX_SHARED_B16_X1, WL_FORM_STMATRIX_SHARED_B16_X2,
       WL_FORM_STMATRIX_SHARED_B16_X4},
      {WL_FORM_STMATRIX_SHARED_B16T_X1, WL_FORM_STMATRIX_SHARED_B16T_X2,
       WL_FORM_STMATRIX_SHARED_B16T_X4},
      {WL_FORM_STMATRIX_SHARED_B8S_X1, WL_FORM_STMATRIX_SHARED_B8S_X2,
       WL_FORM_STMATRIX_SHARED_B8S_X4}};
  const wl_config_t *cfg = &wl_configs[c];
  int failures = exchange(c) + arrival(c, WL_FORM_MOVMATRIX, 0);
  for (uint32_t i = 0; i < 3; i++) {
    for (uint32_t reader = 0; reader < 1U << i; reader++) {
      failures += load(c, plain[i], 1U << i, false, reader);
      failures += load(c, across[i], 1U << i, true, reader);
    }
    for (uint32_t k = 0; k < (cfg->matrix_bytes != 0 ? 3U : 2U); k++)
      failures += store(c, stores[k][i], 1U << i, 1U << k);
  }
  failures += arrival(c, WL_FORM_LDMATRIX_SHARED_B16_X4, 32 / cfg->lsu_lanes);
  return failures + arrival(c, WL_FORM_STMATRIX_SHARED_B16_X1, 32 / cfg->lsu_lanes);
}

int main(void) {
  int failures = 0;
  for (unsigned i = 0; i < WL_NUM_CONFIGS; i++) {
    const int before = failures;
    failures += all((wl_config_id_t)i);
    if (failures != before) printf("in configuration %s\n", wl_configs[i].name);
  }
  return failures != 0;
}
