/* Golden model, SchedGreedy = 1 (docs/microarchitecture.md 5): when every ready warp is served, the choice
 * goes on circularly behind the warp that this rule chose last, not behind an unserved one that issued
 * in between. The bits wserved are set by hand before each cycle. */
#include "tests/unit/model/journal.h"

enum { WARPS = 6, FILL = 64 };
static wl_run_journal_t logged;

static wl_sm_t *state_of(const wl_bench_t *b) {
  return (wl_sm_t *)(uintptr_t)&wl_model_state(b->model).gpu->sm[0];
}

/* Cycles without an issue: the instruction buffers fill. */
static void hold(wl_bench_t *b, unsigned cycles) {
  wl_sm_t *sm = state_of(b);
  for (unsigned i = 0; i < cycles; i++) {
    for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++)
      sm->sub[k].issue.is_left = FILL;
    wl_model_step(b->model);
  }
}

/* WARPS warps of sub-core 0 with full instruction buffers, no issue yet. */
static void fill(wl_bench_t *b) {
  wl_sm_t *sm = state_of(b);
  b->lb.code_words = b->code_words;
  memcpy(b->image + (LAUNCH - MEM_BASE), &b->lb, sizeof b->lb);
  wl_model_start(b->model, LAUNCH);
  wl_model_step(b->model);
  for (unsigned i = 0; i < 2000 && sm->dispatcher.slots.warp_valid == 0; i++)
    wl_model_step(b->model);
  hold(b, 400);
}

/* The warp of sub-core 0 that issues in the next cycle while those of `unserved` are not served. */
static unsigned issues(wl_bench_t *b, wl_wmask_t unserved) {
  wl_sm_t *sm = state_of(b);
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++)
    sm->sub[k].issue.is_left = k == 0 ? 0 : FILL;
  sm->sub[0].issue.wserved = ~unserved;
  logged.n = 0;
  wl_model_step(b->model);
  const wl_event_t *e = journal_nth(&logged, WL_J_ISSUE, 0, 0);
  bench_expect(b, "an issue", e != NULL, 1);
  return e != NULL ? e->word[0] / sm->env.cfg.sub_cores : 99;
}

/* An unserved warp between any two circular choices, in more rounds than there are warps: every warp
 * has its turn, and the model's own check of section 7 stays quiet. */
static void rounds(wl_bench_t *b, unsigned subs) {
  for (unsigned i = 0; i < 48; i++) {
    hold(b, 200);
    bench_expect(b, "circular choice of a round", issues(b, 0), i % WARPS);
    bench_expect(b, "unserved warp of a round", issues(b, UINT64_C(1) << 5 * subs), 5);
  }
}

/* Warps by their number in the sub-core. -1: all are served, the circular rule chooses. */
static int order(wl_config_id_t config) {
  static const struct {
    int unserved;
    unsigned expected;
  } step[] = {{-1, 0}, {5, 5}, {-1, 1}, {5, 5},  {-1, 2}, {4, 4},
              {-1, 3}, {4, 4}, {1, 1},  {-1, 4}, {0, 0},  {-1, 5}};
  wl_bench_t b;
  const unsigned subs = wl_configs[config].sub_cores;
  bench_open(&b, config, 32 * WARPS * subs, 1);
  journal_start(&logged, &b);
  for (unsigned i = 0; i < 128; i++)
    bench_emit(&b, WL_FORM_NOP, X(0));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  fill(&b);
  for (unsigned i = 0; i < sizeof step / sizeof step[0]; i++) {
    const wl_wmask_t unserved =
        step[i].unserved < 0 ? 0 : UINT64_C(1) << ((unsigned)step[i].unserved * subs);
    const unsigned got = issues(&b, unserved), before = (unsigned)b.failures;
    bench_expect(&b, step[i].unserved < 0 ? "circular choice" : "unserved warp", got,
                 step[i].expected);
    if ((unsigned)b.failures != before) printf("in step %u\n", i);
  }
  rounds(&b, subs);
  bench_expect(&b, "an obligation is violated", wl_model_error(b.model) != NULL, 0);
  bench_close(&b);
  return b.failures;
}

int main(void) { return order(WL_CONFIG_BASE) + order(WL_CONFIG_FULL) != 0; }
