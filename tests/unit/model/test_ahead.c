/* Golden model, HazardScan and IssueAhead (docs/microarchitecture.md 5): a warp is taken in one cycle and
 * judged in the next; one is chosen, read and issued in cycles of their own; what ends a pick. First
 * the unit alone, cycle by cycle, then distances in programs. Expected values are worked out here
 * from the text. */
#include <stdlib.h>

#include "tests/unit/model/journal.h"

enum { WARPS = 8, ISSUES = 2 * WARPS, FILL = 1000 };

/* Three warps that run. */
static void unit_open(wl_alone_t *u, const wl_insn_t *head) {
  alone_open(u);
  wl_sm_t *sm = u->sm;
  sm->dispatcher.slots.warp_valid = sm->sub[0].paths.run = 7;
  u->gpu->grid.lb.block.reg_pages = 4;
  for (unsigned i = 0; i < 3; i++) {
    sm->sub[0].paths.cur_mask[i] = UINT32_MAX;
    sm->sub[0].fetch.ib[i].entry[0] = *head;
  }
  wl_issue_reset(&sm->sub[0].issue, &sm->env, 0);
}

enum { NONE = -1 };

/* A cycle of the scan: what it is given (bit: warp), and the state visible in it. */
typedef struct wl_scan {
  unsigned heads, pending, flushed; /* warps with a head, with a pending predicate, flushed */
  bool trap, clear;
  int scan; /* the warp that is being judged */
  unsigned last, nohaz;
} wl_scan_t;

static const wl_scan_t scans[] = {
    {1, 1, 0, false, false, NONE, 7, 0}, /* 0 is taken */
    {1, 1, 0, false, false, 0, 0, 0},    /* judged, not free; it is not taken twice running */
    {1, 1, 0, false, false, NONE, 0, 0}, /* taken again */
    {3, 0, 0, false, false, 0, 0, 0},    /* free by what is visible now; 1 is taken */
    {3, 0, 0, false, false, 1, 1, 1},    /* 1 is free; nobody else to take */
    {7, 4, 0, false, false, NONE, 1, 3}, /* 2 is taken */
    {7, 4, 0, false, false, 2, 2, 3},    /* not free */
    {7, 0, 0, false, false, NONE, 2, 3}, /* taken again */
    {7, 0, 5, false, false, 2, 2, 3},    /* free, but flushed, as 0 is */
    {7, 0, 0, false, false, NONE, 2, 2}, /* 0 is the first after 2 */
    {7, 0, 0, false, false, 0, 0, 2},    /* 2 is taken */
    {7, 0, 0, true, false, 2, 2, 3},     /* a pending trap does not matter */
    {7, 0, 0, true, true, NONE, 2, 7},   /* clear */
    {3, 3, 0, false, false, NONE, 7, 0}, /* two that are not free take turns */
    {3, 3, 0, false, false, 0, 0, 0},
    {3, 3, 0, false, false, 1, 1, 0},
    {3, 1, 0, false, false, 0, 0, 0},
    {3, 1, 0, false, true, 1, 1, 0}, /* clear wins over verdict and choice */
    {3, 1, 0, false, false, NONE, 7, 0},
};

static int scan(void) {
  uint32_t word[4] = {0};
  wl_insn_t head;
  WL_WORD_SET(word, FORM, WL_FORM_MOV_I);
  WL_WORD_SET(word, GUARD, 0); /* P0 */
  wl_insn_decode(word, &wl_configs[WL_CONFIG_TINY], &head);
  wl_alone_t u;
  unit_open(&u, &head);
  wl_issue_t *is = &u.sm->sub[0].issue;
  u.sm->env.stall = UINT32_C(1) << WL_STALL_AT_ISSUE; /* nothing issues */
  for (unsigned c = 0; c < sizeof scans / sizeof scans[0]; c++) {
    const wl_scan_t *s = &scans[c];
    bench_expect_in(&u.b, c, "scan", is->scan_valid, s->scan != NONE);
    if (s->scan != NONE) bench_expect_in(&u.b, c, "scan warp", is->scan_last, (unsigned)s->scan);
    bench_expect_in(&u.b, c, "scan_last", is->scan_last, s->last);
    bench_expect_in(&u.b, c, "nohaz", (unsigned)is->nohaz, s->nohaz);
    u.sm->sub[0].fetch.ib_valid = s->heads;
    for (unsigned i = 0; i < 3; i++)
      is->pbusy[i] = s->pending >> i & 1;
    u.sm->trap.latched.valid = s->trap;
    u.gpu->wires.clear = s->clear;
    u.w->sub[0].flush[WL_FLUSH_RESOLVE] = (wl_flush_wire_t){s->flushed & 1, 0, 0};
    u.w->sub[0].flush[WL_FLUSH_ENGINE] = (wl_flush_wire_t){s->flushed >> 2 & 1, 2, 0};
    wl_sm_show(u.sm);
    wl_issue_arb(&u.sm->sub[0].issue, &u.sm->env, u.w, 0);
    bench_expect(&u.b, "nothing issues", u.w->sub[0].issue.valid, 0);
    wl_issue_update(&u.sm->sub[0].issue, &u.sm->env, u.w, 0);
  }
  alone_close(&u);
  return u.b.failures;
}

/* A cycle of choice and issue: what it is given, the state visible in it, and what issues. All heads
 * are nop and judged; that of warp 1 carries a trap. */
typedef struct wl_pick {
  unsigned heads, left, lost; /* is_left, vwb.lost */
  bool stall, trap, clear;
  int pick; /* the warp that is chosen */
  bool held;
  unsigned last;
  int issues;
} wl_pick_t;

static const wl_pick_t picks[] = {
    {4, 5, 8, true, false, false, NONE, 0, 7, NONE},   /* 2 is chosen whatever the others say */
    {7, 4, 8, true, false, false, 2, false, 2, NONE},  /* read */
    {7, 2, 0, false, false, false, 2, true, 2, NONE},  /* read slots: not allowed */
    {7, 1, 8, false, false, false, 2, true, 2, NONE},  /* nor beside an aged write-back */
    {7, 1, 0, true, false, false, 2, true, 2, NONE},   /* nor when stalled */
    {7, 1, 7, false, false, false, 2, true, 2, 2},     /* issues */
    {7, 1, 0, false, false, false, NONE, 0, 2, NONE},  /* 0 is chosen */
    {7, 0, 0, false, false, false, 0, false, 0, NONE}, /* read, so it does not issue */
    {7, 0, 0, false, false, false, 0, true, 0, 0},     /* three cycles behind the issue of 2 */
    {7, 0, 0, false, true, false, NONE, 0, 0, NONE},   /* a trap is pending: no choice */
    {7, 0, 0, false, false, false, NONE, 0, 0, NONE},  /* 1 is chosen */
    {7, 0, 0, false, true, false, 1, false, 1, NONE},  /* a trap ends the pick */
    {7, 0, 0, false, false, false, NONE, 0, 1, NONE},  /* is_last has moved: 2 is chosen */
    {7, 0, 0, false, false, false, 2, false, 2, NONE},
    {7, 0, 0, false, true, false, 2, true, 2, NONE},  /* a trap ends it instead of an issue */
    {7, 0, 0, false, false, false, NONE, 0, 2, NONE}, /* 0 is chosen */
    {7, 0, 0, false, false, true, 0, false, 0, NONE}, /* clear */
    {0, 0, 0, false, false, false, NONE, 0, 7, NONE}, /* nobody is ready */
    {2, 0, 0, false, false, false, NONE, 0, 7, NONE}, /* 1 is chosen */
    {2, 0, 0, false, false, false, 1, false, 1, NONE},
    {3, 0, 0, false, false, false, 1, true, 1, NONE}, /* it raises its trap, which ends the pick */
    {3, 0, 0, false, false, false, NONE, 0, 1, NONE}, /* 0 is chosen */
    {3, 0, 0, false, false, false, 0, false, 0, NONE},
    {3, 0, 0, false, false, true, 0, true, 0, 0}, /* issues; clear */
    {7, 0, 0, false, false, false, NONE, 0, 7, NONE},
};

static int pick(void) {
  uint32_t word[4] = {0};
  wl_insn_t nop;
  WL_WORD_SET(word, FORM, WL_FORM_NOP);
  WL_WORD_SET(word, GUARD, 7);
  wl_insn_decode(word, &wl_configs[WL_CONFIG_TINY], &nop);
  wl_alone_t u;
  unit_open(&u, &nop);
  wl_issue_t *is = &u.sm->sub[0].issue;
  u.sm->sub[0].fetch.ib[1].entry[0].trap = WL_TRAP_ILLEGAL_BITS;
  for (unsigned c = 0; c < sizeof picks / sizeof picks[0]; c++) {
    const wl_pick_t *p = &picks[c];
    bench_expect_in(&u.b, c, "pick", is->pick_valid, p->pick != NONE);
    if (p->pick != NONE) {
      bench_expect_in(&u.b, c, "pick warp", is->is_last, (unsigned)p->pick);
      bench_expect_in(&u.b, c, "held", is->pick_held, p->held);
    }
    bench_expect_in(&u.b, c, "is_last", is->is_last, p->last);
    is->nohaz = is->head_plain = 7;
    is->is_left = p->left;
    u.sm->sub[0].fetch.ib_valid = p->heads;
    u.sm->sub[0].writeback.lost = (uint8_t)p->lost;
    u.sm->env.stall = (uint32_t)p->stall << WL_STALL_AT_ISSUE;
    u.sm->trap.latched.valid = p->trap;
    u.gpu->wires.clear = p->clear;
    wl_sm_show(u.sm);
    wl_issue_arb(&u.sm->sub[0].issue, &u.sm->env, u.w, 0);
    const wl_sub_wires_t *w = &u.w->sub[0];
    bench_expect_in(&u.b, c, "issue", w->issue.valid, p->issues != NONE);
    if (p->issues != NONE) bench_expect_in(&u.b, c, "warp", w->issue.warp, (unsigned)p->issues);
    bench_expect_in(&u.b, c, "raised", w->trap[WL_SRC_ISSUE].valid, p->pick == 1 && p->held);
    wl_issue_update(&u.sm->sub[0].issue, &u.sm->env, u.w, 0);
  }
  alone_close(&u);
  return u.b.failures;
}

/* The first instruction of a warp that is alone is pushed in f: taken in f + 1, judged in f + 2, chosen
 * in f + 3, read in f + 4, issued in f + 5; without these it issues in f + 1. */
static int first(wl_config_id_t config) {
  static wl_run_journal_t journal;
  wl_bench_t b;
  bench_open(&b, config, 32, 1);
  bench_emit(&b, WL_FORM_EXIT, X(0));
  journal_start(&journal, &b);
  bench_run(&b);
  const wl_event_t *e = journal_nth(&journal, WL_J_FETCH, 0, 0);
  const uint64_t fetched = e == NULL ? 0 : e->cycle;
  const bool small = config == WL_CONFIG_TINY || config == WL_CONFIG_TINY4;
  bench_expect(&b, "first issue", journal_issue(&journal, 0, 0) - fetched, small ? 5 : 1);
  bench_close(&b);
  return b.failures;
}

/* Eight warps with full buffers issue one after the other, every max(n, 3) cycles. P0 is false; P1 holds
 * in lane 0, so that its beat alone takes slots: one for each register of a bank. */
typedef struct wl_gap {
  wl_form_t form;
  wl_x_t x;
  unsigned tiny, tiny4; /* cycles between issues */
} wl_gap_t;

static const wl_gap_t gaps[] = {
    {WL_FORM_NOP, {0}, 3, 3},                                                          /* n = 1 */
    {WL_FORM_MOV_I, {.guard = P(0), .rd = 16}, 3, 3},                                  /* E empty */
    {WL_FORM_MOV_I, {.guard = P(1), .rd = 16}, 3, 3},                                  /* n = 1 */
    {WL_FORM_ADD_RR, {.guard = P(1), .rd = 16, .ra = 4, .rb = 8}, 3, 3},               /* n = 2 */
    {WL_FORM_MAD_LO_RRR, {.guard = P(1), .rd = 16, .ra = 4, .rb = 8, .rc = 12}, 3, 3}, /* n = 3 */
    {WL_FORM_MOV_I, {.rd = 16}, 4, 8},                     /* n = Beats */
    {WL_FORM_ADD_RR, {.rd = 16, .ra = 4, .rb = 8}, 8, 16}, /* n = 2 * Beats */
};

static wl_sm_t *state_of(const wl_bench_t *b) {
  return (wl_sm_t *)(uintptr_t)&wl_model_state(b->model).gpu->sm[0];
}

/* All warps start, no issue while their buffers fill: the first to be ready is chosen and read. */
static void fill(wl_bench_t *b) {
  wl_sm_t *sm = state_of(b);
  b->lb.code_words = b->code_words;
  memcpy(b->image + (LAUNCH - MEM_BASE), &b->lb, sizeof b->lb);
  wl_model_start(b->model, LAUNCH);
  wl_model_step(b->model); /* all at rest */
  for (unsigned i = 0; i < 800; i++) {
    sm->sub[0].issue.is_left = FILL;
    wl_model_step(b->model);
  }
  sm->sub[0].issue.is_left = 0;
  for (unsigned i = 0; i < WARPS; i++) {
    sm->sub[0].operands.regs.pred[i][0] = 0;
    sm->sub[0].operands.regs.pred[i][1] = 1;
  }
}

static int distance(wl_config_id_t config, const wl_gap_t *gap) {
  static wl_run_journal_t journal;
  wl_bench_t b;
  wl_x_t x = gap->x;
  const unsigned each = config == WL_CONFIG_TINY ? gap->tiny : gap->tiny4;
  bench_open(&b, config, 32 * WARPS, 1);
  bench_emit(&b, gap->form, x);
  x.rd++; /* waits for nothing */
  bench_emit(&b, gap->form, x);
  bench_emit(&b, WL_FORM_EXIT, X(0));
  fill(&b);
  journal_start(&journal, &b);
  const uint64_t start = wl_model_cycle(b.model);
  for (unsigned i = 0; i < ISSUES * each; i++)
    wl_model_step(b.model);
  const wl_event_t *e = journal_nth(&journal, WL_J_ISSUE, 0, 0);
  const uint32_t leads = e == NULL ? 0 : e->word[0];
  for (unsigned i = 0; i < ISSUES; i++) {
    e = journal_nth(&journal, WL_J_ISSUE, 0, i);
    bench_expect(&b, "cycle of issue", e == NULL ? 0 : e->cycle - start, i * each);
    bench_expect(&b, "warp", e == NULL ? 99 : e->word[0], (leads + i) % WARPS);
  }
  bench_expect(&b, "no more", journal_nth(&journal, WL_J_ISSUE, 0, ISSUES) == NULL, 1);
  bench_expect(&b, "an obligation is violated", wl_model_error(b.model) != NULL, 0);
  if (b.failures != 0) printf("in %s, every %u\n", wl_form_info[gap->form].name, each);
  bench_close(&b);
  return b.failures;
}

static void watch(void *user, const wl_model_watch_t *seen) { *(wl_model_watch_t *)user = *seen; }

/* Views (docs/views.md): what a step shows of the warp that is chosen or issues, of the one that issued
 * before it and has not been judged again, and of the others. */
static void expect_why(wl_bench_t *b, wl_model_watch_t *seen, unsigned chosen, wl_why_t its,
                       unsigned issued, unsigned since) {
  wl_model_step(b->model);
  for (unsigned w = 0; w < WARPS; w++) {
    wl_why_t expected = WL_WHY_ARBITER;
    if (w == chosen % WARPS)
      expected = its;
    else if (w == issued % WARPS && since < 3)
      expected = WL_WHY_HELD;
    char what[64];
    snprintf(what, sizeof what, "why warp %u waits, %u behind the issue of %u", w, since,
             issued % WARPS);
    bench_expect(b, what, seen->why[w], expected);
  }
}

static int reasons(wl_config_id_t config) {
  wl_bench_t b;
  wl_model_watch_t seen;
  bench_open(&b, config, 32 * WARPS, 1);
  for (unsigned i = 0; i < 2; i++)
    bench_emit(&b, WL_FORM_NOP, X(0));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  fill(&b);
  wl_model_set_watch(b.model, watch, &seen);
  wl_gpu_t *gpu = (wl_gpu_t *)(uintptr_t)wl_model_state(b.model).gpu;
  wl_sm_t *sm = &gpu->sm[0];
  const unsigned leads = sm->sub[0].issue.is_last, before = leads + WARPS - 1;
  sm->sub[0].issue.is_left = 3;
  expect_why(&b, &seen, leads, WL_WHY_SLOTS, before, 9);
  expect_why(&b, &seen, leads, WL_WHY_SLOTS, before, 9);
  sm->sub[0].writeback.lost = WL_AGE_LIMIT;
  expect_why(&b, &seen, leads, WL_WHY_WRITEBACK, before, 9);
  gpu->env.stall = UINT32_C(1) << WL_STALL_AT_ISSUE;
  expect_why(&b, &seen, leads, WL_WHY_HELD, before, 9);
  gpu->env.stall = 0;
  for (unsigned i = 0; i < WARPS; i++) {
    expect_why(&b, &seen, leads + i, WL_WHY_ISSUED, leads + i + WARPS - 1, i == 0 ? 9 : 3);
    expect_why(&b, &seen, leads + i + 1, WL_WHY_HELD, leads + i, 1); /* chosen; taken */
    expect_why(&b, &seen, leads + i + 1, WL_WHY_HELD, leads + i, 2); /* read; judged */
  }
  bench_close(&b);
  return b.failures;
}

/* A trap that rises when a pick is held drops it: the warp does not issue. The clear of the trap's end
 * leaves issue as reset does. */
static int dropped(wl_config_id_t config) {
  static wl_run_journal_t journal;
  wl_bench_t b;
  bench_open(&b, config, 32 * WARPS, 1);
  bench_emit(&b, WL_FORM_NOP, X(0));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 40)); /* beyond the pages of the launch */
  bench_emit(&b, WL_FORM_EXIT, X(0));
  fill(&b);
  journal_start(&journal, &b);
  const wl_issue_t *is = &state_of(&b)->sub[0].issue;
  /* Eight issues of nop, three cycles apart from the first cycle on, and where the ninth would be the
   * trap is raised. Barely has that pick ended when the choice is forbidden. */
  for (unsigned i = 0; i <= 3 * WARPS; i++)
    wl_model_step(b.model);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, WL_TRAP_REGISTER_RANGE);
  bench_expect(&b, "pick", is->pick_valid, 0);
  wl_model_step(b.model);
  bench_expect(&b, "no choice", is->pick_valid, 0);
  wl_model_run(b.model, 2000);
  bench_expect(&b, "done", wl_model_done(b.model), 1);
  bench_expect(&b, "issues", journal_nth(&journal, WL_J_ISSUE, 0, WARPS) == NULL, 1);
  bench_expect(&b, "scan", is->scan_valid, 0);
  bench_expect(&b, "scan_last", is->scan_last, WARPS - 1);
  bench_expect(&b, "is_last", is->is_last, WARPS - 1);
  bench_close(&b);
  return b.failures;
}

int main(void) {
  int failures = scan() + pick();
  failures += first(WL_CONFIG_TINY) + first(WL_CONFIG_TINY4) + first(WL_CONFIG_BASE) +
              first(WL_CONFIG_FULL);
  for (unsigned i = 0; i < sizeof gaps / sizeof gaps[0]; i++)
    failures += distance(WL_CONFIG_TINY, &gaps[i]) + distance(WL_CONFIG_TINY4, &gaps[i]);
  failures += reasons(WL_CONFIG_TINY) + reasons(WL_CONFIG_TINY4);
  failures += dropped(WL_CONFIG_TINY) + dropped(WL_CONFIG_TINY4);
  return failures != 0;
}
