/* Golden model: the barrier of the cluster (docs/microarchitecture.md 7.3, 8, 21.4): its event, the row of a
 * path that waits, what wakes it. Cycles are counted from the rules. */
#include "tests/unit/model/journal.h"

enum { WAITS = 5 };
static wl_run_journal_t journal;

static wl_event_t nth(int kind, uint64_t from, unsigned n) {
  const wl_event_t *e = journal_nth(&journal, kind, from, n);
  return e != NULL ? *e : (wl_event_t){0};
}

static bool slow(wl_config_id_t config) { return wl_configs[config].event_delay != 0; }

/* r3: thread. P1: a warp above the first. */
static void open(wl_bench_t *b, wl_config_id_t config, uint32_t threads) {
  bench_open(b, config, threads, 1);
  journal_start(&journal, b);
  bench_emit(b, WL_FORM_S2R, X(.rd = 3, .imm = 0));
  bench_emit(b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 3, .imm = 31, .cmp = 4));
}

static void nops(wl_bench_t *b, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    bench_emit(b, WL_FORM_NOP, X(0));
}

/* Warp 0 arrives and waits, warp 1 arrives later, warp 2 exits without: in the cycle of its event, the last,
 * the barrier is complete. wait_wake and cluster_wait are visible in the next one. */
static int cluster(wl_config_id_t config) {
  wl_bench_t b;
  open(&b, config, 96);
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(2), .ra = 3, .imm = 63, .cmp = 4));
  const uint32_t third = bench_emit(&b, WL_FORM_BRA, X(.guard = P(2)));
  const uint32_t second = bench_emit(&b, WL_FORM_BRA, X(.guard = P(1)));
  bench_emit(&b, WL_FORM_BAR_CLUSTER, X(.imm = 7));
  const uint32_t cwait = bench_emit(&b, WL_FORM_CWAIT, X(0));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_patch(&b, second, b.code_words);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 4, .imm = 600));
  bench_emit(&b, WL_FORM_NANOSLEEP_R, X(.ra = 4));
  bench_emit(&b, WL_FORM_BAR_CLUSTER, X(.imm = 7));
  nops(&b, 40); /* the barrier is not complete: it waits, too */
  const uint32_t other = bench_emit(&b, WL_FORM_CWAIT, X(0));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_patch(&b, third, b.code_words);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 4, .imm = 1500));
  bench_emit(&b, WL_FORM_NANOSLEEP_R, X(.ra = 4));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, 0);
  const wl_event_t resolve = journal_split(&journal, 0, cwait);
  bench_expect(&b, "it parks", resolve.cycle != 0, 1);
  const wl_event_t row = journal_of_warp(&journal, WL_J_ROW, resolve.cycle, 0, 0);
  bench_expect(&b, "pc", row.word[3], cwait);
  bench_expect(&b, "state", row.word[5], WAITS);
  bench_expect(&b, "op", row.word[6], 1);
  bench_expect(&b, "key", row.word[7], 0);
  bench_expect(&b, "warp 1 parks", journal_split(&journal, 1, other).cycle != 0, 1);
  wl_event_t event = {0};
  for (unsigned i = 0; nth(WL_J_BARRIER, 0, i).cycle != 0; i++)
    event = nth(WL_J_BARRIER, 0, i);
  bench_expect(&b, "barrier", event.word[1], 7);
  bench_expect(&b, "complete", event.word[2], 0);
  bench_expect(&b, "kind", event.word[5], 5);
  const wl_event_t walk = journal_of_warp(&journal, WL_J_WALKED, event.cycle, 0, 0);
  bench_expect(&b, "walk behind the event", walk.cycle - event.cycle, slow(config) ? 7 : 3);
  bench_expect(&b, "it executes the wait again", walk.word[3], cwait);
  bench_expect(&b, "no time limit",
               journal_of_warp(&journal, WL_J_WALKED, resolve.cycle, 0, 1).cycle, walk.cycle);
  bench_close(&b);
  return b.failures;
}

/* A barrier that is complete before the wait, also of one path of several: no turn ends, nothing is parked. */
static int passes(wl_config_id_t config) {
  wl_bench_t b;
  open(&b, config, 32);
  bench_emit(&b, WL_FORM_BAR_CLUSTER, X(.imm = 7));
  nops(&b, 40);
  const uint32_t cwait = bench_emit(&b, WL_FORM_CWAIT, X(0));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  wl_event_t e = {0};
  for (unsigned i = 0; journal_of_warp(&journal, WL_J_RESOLVE, 0, 0, i).cycle != 0; i++)
    if (journal_of_warp(&journal, WL_J_RESOLVE, 0, 0, i).word[2] == cwait + 1)
      e = journal_of_warp(&journal, WL_J_RESOLVE, 0, 0, i);
  bench_expect(&b, "it resolves", e.cycle != 0, 1);
  bench_expect(&b, "asks for nothing", e.word[1], WL_REQ_NONE);
  for (unsigned i = 0; nth(WL_J_ROW, 0, i).cycle != 0; i++)
    bench_expect(&b, "no row waits", nth(WL_J_ROW, 0, i).word[5] == WAITS, 0);
  bench_close(&b);
  return b.failures;
}

/* Warp 1 arrives while warp 0 sleeps; what then comes to the same number is of another kind, of warp 1 once more, or names another
 * number of warps. */
static int traps(wl_config_id_t config, wl_form_t other, wl_x_t x) {
  wl_bench_t b;
  open(&b, config, 64);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 4, .imm = 900));
  bench_emit(&b, WL_FORM_NANOSLEEP_R, X(.guard = P(1), .neg = 1, .ra = 4));
  bench_emit(&b, WL_FORM_BAR_CLUSTER, X(.guard = P(1), .imm = 2));
  bench_emit(&b, other, x);
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, WL_TRAP_BARRIER_MISUSE);
  bench_close(&b);
  return b.failures;
}

/* The unit alone, all in one cycle: warps 0 and 1 have waits, warp 2 decides to contribute, warps start, a walk
 * of warp 0 samples, a phase of an mbarrier or of the barrier of warps 2 and 3 is complete. Starts come
 * first, then the engine, then what completes (0.1). */
typedef struct wl_cycle {
  const char *name;
  wl_wmask_t start; /* warps */
  bool launch, walk, decides, mbarrier, complete;
  wl_wmask_t wait_wake, cluster_wait; /* visible in the next cycle; both were 3 */
} wl_cycle_t;

static const wl_cycle_t cycles[] = {
    {.name = "nothing", .wait_wake = 3, .cluster_wait = 3},
    {.name = "start of warps", .start = 5, .wait_wake = 2, .cluster_wait = 2},
    {.name = "Start", .launch = true},
    {.name = "a walk", .walk = true, .wait_wake = 2, .cluster_wait = 3},
    {.name = "decision", .decides = true, .wait_wake = 3, .cluster_wait = 7},
    {.name = "mbarrier", .mbarrier = true, .wait_wake = 0xff, .cluster_wait = 3},
    {.name = "mbarrier, start", .start = 5, .mbarrier = true, .wait_wake = 0xff, .cluster_wait = 2},
    {.name = "mbarrier, Start", .launch = true, .mbarrier = true, .wait_wake = 0xff},
    {.name = "mbarrier, walk",
     .walk = true,
     .mbarrier = true,
     .wait_wake = 0xff,
     .cluster_wait = 3},
    {.name = "barrier", .complete = true, .wait_wake = 15, .cluster_wait = 3},
    {.name = "barrier, walk", .walk = true, .complete = true, .wait_wake = 14, .cluster_wait = 3},
    {.name = "barrier, decision",
     .decides = true,
     .complete = true,
     .wait_wake = 15,
     .cluster_wait = 3},
};

static int alone(void) {
  int failures = 0;
  for (unsigned i = 0; i < sizeof cycles / sizeof cycles[0]; i++) {
    const wl_cycle_t *t = &cycles[i];
    wl_alone_t u;
    alone_open(&u);
    wl_barrier_unit_t *bar = &u.sm->barrier;
    wl_path_plan_t *plan = &u.w->sub[0].path_plan;
    u.sm->env.cfg.event_delay = 0;
    u.sm->dispatcher.slots.cta[0].nwarps = 4;
    u.sm->dispatcher.slots.cta[0].warps = 12;
    u.sm->sub[0].paths.alive = 12;
    bar->wait_wake = bar->cluster_wait = 3;
    if (t->complete) { /* 3 arrives where 2 has */
      bar->barrier[0][5] = (wl_barrier_t){.arrived = 4, .kind = WL_KIND_CLUSTER};
      bar->request[3] =
          (wl_bar_request_t){.valid = true, .a = 5, .kind = WL_KIND_CLUSTER, .mask = UINT32_MAX};
      bar->requesting = 8;
    }
    u.w->cta_start = t->start != 0;
    u.w->start_slot = 1;
    u.w->start_warps = t->start;
    u.gpu->wires.invalidate = t->launch;
    u.w->smem_completes = t->mbarrier;
    plan->engine.warp = t->decides ? 2 : 0;
    plan->take_wake = t->walk;
    plan->contribution =
        (wl_bar_request_t){.valid = t->decides, .a = 5, .kind = WL_KIND_CLUSTER, .mask = 1};
    wl_sm_show(u.sm);
    wl_barrier_out(bar, &u.sm->env, u.w);
    wl_barrier_update(bar, &u.sm->env, u.w);
    bench_expect(&u.b, "wait_wake", bar->wait_wake, t->wait_wake);
    bench_expect(&u.b, "cluster_wait", bar->cluster_wait, t->cluster_wait);
    if (u.b.failures != 0) printf("%s\n", t->name);
    failures += u.b.failures;
    alone_close(&u);
  }
  return failures;
}

int main(void) {
  int failures = alone();
  for (unsigned i = 0; i < WL_NUM_CONFIGS; i++) {
    const wl_config_id_t id = (wl_config_id_t)i;
    const int before = failures;
    failures += cluster(id) + passes(id) +
                traps(id, WL_FORM_BAR_SYNC_I, X(.guard = P(1), .neg = 1, .imm = 2)) +
                traps(id, WL_FORM_BAR_ARRIVE_I, X(.guard = P(1), .neg = 1, .imm = 2)) +
                traps(id, WL_FORM_BAR_CLUSTER, X(.guard = P(1), .imm = 2)) +
                traps(id, WL_FORM_BAR_CLUSTER, X(.guard = P(1), .neg = 1, .imm = 2 | 1 << 8));
    if (failures != before) printf("in configuration %s\n", wl_configs[i].name);
  }
  return failures != 0;
}
