/* Golden model, RowCycles = 2 (docs/microarchitecture.md 7.3): the path engine alone. A request that is
 * visible in cycle 0 and old enough is taken in it; a step takes two cycles, and what it does is seen in
 * its last one; WALK samples in the first one of its first step. Expected cycles are counted from the
 * text. */
#include <stddef.h>
#include <stdlib.h>

#include "cmodel/core/path_internal.h"
#include "tests/unit/model/program.h"

enum { W = 3, OTHER = 5, START = 1000, CYCLES = 64, MOST = 24, NEVER = CYCLES };
/* START is a multiple of Warps: the clock is looked at for W in cycles 3, 11, ... */

typedef enum wl_what { /* what is seen in a cycle, in this order, and its value */
                       END,
                       IDLE,        /* the first cycle in which W or OTHER is not served any more */
                       TAKES,       /* warp */
                       SAMPLES,     /* bar_wake and wait_wake are taken */
                       ROW,         /* leader of the row that is written */
                       FREES,       /* the target buffer */
                       CONTRIBUTES, /* number of the barrier */
                       FLUSHES,     /* pc */
                       WALKED,      /* run */
                       RISES,       /* cause of the trap */
} wl_what_t;
static const char *const names[] = {"end",   "idle",        "takes",   "samples", "row",
                                    "frees", "contributes", "flushes", "walked",  "trap"};

typedef struct wl_seen {
  unsigned cycle;
  wl_what_t what;
  unsigned value;
} wl_seen_t;

typedef struct wl_case {
  const char *name;
  void (*set)(wl_paths_t *p);
  unsigned req_until; /* bar_req of W is valid before this cycle */
  unsigned wake_from; /* bar_wake of W is set and visible from here on, until it is taken */
  bool wait_wake;     /* it is wait_wake instead */
  unsigned stall, stall_from, stall_until; /* 1: the stall point ENGINE, 2: a pending trap */
  unsigned other;                          /* a request of the warp OTHER is visible from here on */
  wl_seen_t seen[MOST];
} wl_case_t;

static void put(wl_paths_t *p, unsigned leader, uint32_t mask, uint32_t pc, wl_path_state_t state,
                unsigned op, uint32_t key) {
  p->row[W][leader] = (wl_path_row_t){
      .mask = mask, .pc = pc, .state = (uint8_t)state, .op = (uint16_t)op, .key = key};
}

static void ask(wl_paths_t *p, unsigned warp, wl_path_t x, wl_path_request_t req) {
  if (x.live == 0) x.live = UINT32_MAX;
  x.req = (uint8_t)req;
  wl_path_scatter(p, warp, &x);
}

/* ---- what W asks for */
static void three_rows(wl_paths_t *p) {
  put(p, 8, 0xff00, 20, WL_PATH_READY, 0, 0);
  put(p, 16, 0xffff0000, 20, WL_PATH_READY, 0, 0);
  ask(p, W, (wl_path_t){.mask = 0xff, .pc = 10, .exist = 0x10101}, WL_REQ_WALK);
}
static void nobody_waits(wl_paths_t *p) { /* CHECK is skipped */
  three_rows(p);
  p->chk = UINT64_C(1) << W;
}
static void one_row(wl_paths_t *p, wl_path_state_t state, uint32_t key) {
  put(p, 0, UINT32_MAX, 10, state, 0, key);
  ask(p, W, (wl_path_t){.exist = 1}, WL_REQ_WALK);
}
static void counted(wl_paths_t *p) { one_row(p, WL_PATH_BARC, 0); }
static void stuck(wl_paths_t *p) { one_row(p, WL_PATH_SYNC, 0); }
static void sleeps_to_1(wl_paths_t *p) { one_row(p, WL_PATH_SLEEP, START + 1); }
static void sleeps_to_2(wl_paths_t *p) { one_row(p, WL_PATH_SLEEP, START + 2); }
static void waits(wl_paths_t *p, unsigned op, uint32_t key) {
  put(p, 0, UINT32_MAX, 10, WL_PATH_WAIT, op, key);
  ask(p, W, (wl_path_t){.exist = 1}, WL_REQ_WALK);
}
static void waits_long(wl_paths_t *p) { waits(p, WL_WAIT_OP_MBAR, START + 500); }
static void waits_to_1(wl_paths_t *p) { waits(p, WL_WAIT_OP_MBAR, START + 1); }
static void waits_to_2(wl_paths_t *p) { waits(p, WL_WAIT_OP_MBAR, START + 2); }
static void waits_for_cluster(wl_paths_t *p) { waits(p, WL_WAIT_OP_CLUSTER, 0); }
static void waits_and_sleeps(wl_paths_t *p) { /* the earlier time is the wait's */
  put(p, 0, 0xffff, 10, WL_PATH_SLEEP, 0, START + 40);
  put(p, 16, 0xffff0000, 10, WL_PATH_WAIT, WL_WAIT_OP_MBAR, START + 19);
  ask(p, W, (wl_path_t){.exist = 0x10001}, WL_REQ_WALK);
}
static void two_sleep(wl_paths_t *p) { /* an earlier time, of a row that is gone, is forgotten */
  put(p, 0, 0xffff, 10, WL_PATH_SLEEP, 0, START + 40);
  put(p, 16, 0xffff0000, 10, WL_PATH_SLEEP, 0, START + 19);
  ask(p, W, (wl_path_t){.exist = 0x10001, .wake_valid = true, .wake_at = START}, WL_REQ_WALK);
}

static void by_lane(wl_paths_t *p) {
  p->split[W] = (wl_split_t){.path = UINT32_MAX, .exec = UINT32_MAX, .lane_pc = true, .tbuf = true};
  for (unsigned l = 0; l < 32; l++)
    p->tbuf[0][l] = l < 16 ? 5 : 7;
  p->tbuf_busy = true;
  ask(p, W, (wl_path_t){.mask = UINT32_MAX, .exist = 1}, WL_REQ_SPLIT);
}
static void two_ways(wl_paths_t *p) {
  p->split[W] = (wl_split_t){.path = UINT32_MAX, .exec = 0xffff, .rest_pc = 7, .to = {.pc = 5}};
  ask(p, W, (wl_path_t){.mask = UINT32_MAX, .exist = 1}, WL_REQ_SPLIT);
}
static void barrier(wl_paths_t *p) {
  p->split[W] = (wl_split_t){
      .path = UINT32_MAX, .exec = UINT32_MAX, .to = {.pc = 10, .state = WL_PATH_BAR, .key = 9}};
  ask(p, W, (wl_path_t){.mask = UINT32_MAX, .exist = 1, .chk = true}, WL_REQ_SPLIT);
}
static void two_wait(wl_paths_t *p, uint32_t high, wl_path_state_t state, unsigned op,
                     uint32_t key) {
  put(p, 0, 0xffff, 10, state, 0, state == WL_PATH_BAR ? 2 : UINT32_MAX);
  put(p, 16, high, 10, state, op, key);
  ask(p, W, (wl_path_t){.live = 0xffff | high, .exist = 0x10001, .waiting = 0x10001, .chk = true},
      WL_REQ_WALK);
}
static void misuse(wl_paths_t *p) { two_wait(p, 0xffff0000, WL_PATH_BAR, 0, 3); }
static void arrives(wl_paths_t *p) { two_wait(p, 0xf0000, WL_PATH_BAR, 1, 2); }
static void meets(wl_paths_t *p) { two_wait(p, 0xffff0000, WL_PATH_SYNC, 0, UINT32_MAX); }
static void not_asked(wl_paths_t *p) { /* CHECK is not asked for: nobody is released */
  meets(p);
  p->chk = 0;
}

/* WALK1 of three rows, WALK2 of them from `from` + 7 on; the last one joins the row of lane 8. */
#define THREE(from)                                                                                \
  {(from), TAKES, W}, {(from) + 1, SAMPLES, 0}, {(from) + 2, ROW, 0}, {(from) + 4, ROW, 8},        \
      {(from) + 6, ROW, 16}, {(from) + 12, ROW, 8}, {(from) + 12, FLUSHES, 10},                    \
      {(from) + 12, WALKED, 1}, {(from) + 13, IDLE, 0}
/* A walk that finds one READY row. */
#define ONE_AT(from, pc)                                                                           \
  {(from), TAKES, W}, {(from) + 1, SAMPLES, 0}, {(from) + 2, ROW, 0}, {(from) + 4, FLUSHES, (pc)}, \
      {(from) + 4, WALKED, 1}, {(from) + 5, IDLE, 0}
#define ONE(from) ONE_AT(from, 10)
/* A walk that finds none. */
#define NONE(from)                                                                                 \
  {(from), TAKES, W}, {(from) + 1, SAMPLES, 0}, {(from) + 2, ROW, 0}, {(from) + 2, WALKED, 0}
/* SPLIT in 1 and 2; CHECK in 3 and 4, in which it decides, or in d, when bar_req has become free; the
 * row is rewritten in the next step; WALK1 finds it in BARC. */
#define BARRIER(d)                                                                                 \
  {0, TAKES, W}, {2, ROW, 0}, {(d), CONTRIBUTES, 9}, {(d) + 2, ROW, 0}, {(d) + 3, SAMPLES, 0},     \
      {(d) + 4, ROW, 0}, {(d) + 4, WALKED, 0}, {(d) + 5, IDLE, 0}
#define QUIET .wake_from = NEVER, .other = NEVER

static const wl_case_t cases[] = {
    {"three rows", three_rows, QUIET, .seen = {THREE(0)}},
    {"nobody waits", nobody_waits, QUIET, .seen = {THREE(0)}},
    {"a stall is of the acceptance only", three_rows, QUIET, .stall = 1, .stall_from = 1,
     .stall_until = NEVER, .seen = {THREE(0)}},
    {"stalled before", three_rows, QUIET, .stall = 1, .stall_until = 3, .seen = {THREE(3)}},
    {"so is a pending trap", three_rows, QUIET, .stall = 2, .stall_from = 1, .stall_until = NEVER,
     .seen = {THREE(0)}},
    {"pending before", three_rows, QUIET, .stall = 2, .stall_until = 4, .seen = {THREE(4)}},
    /* asked of since 12, 13: taken as soon as the engine is idle; its only row in 14 and 15 */
    {"another behind it", three_rows, .wake_from = NEVER, .other = 12,
     .seen = {THREE(0),
              {13, TAKES, OTHER},
              {14, SAMPLES, 0},
              {15, ROW, 0},
              {17, FLUSHES, 30},
              {17, WALKED, 1},
              {18, IDLE, 0}}},
    {"a later one", three_rows, .wake_from = NEVER, .other = 13,
     .seen = {THREE(0),
              {14, TAKES, OTHER},
              {15, SAMPLES, 0},
              {16, ROW, 0},
              {18, FLUSHES, 30},
              {18, WALKED, 1},
              {19, IDLE, 0}}},
    {"no READY row", counted, QUIET, .seen = {NONE(0), {3, IDLE, 0}}},
    {"deadlock", stuck, QUIET, .seen = {NONE(0), {3, IDLE, 0}, {3, RISES, WL_TRAP_SYNC_DEADLOCK}}},
    {"woken before", counted, .other = NEVER, .seen = {ONE(0)}},
    {"woken in the cycle of the sample", counted, .wake_from = 1, .other = NEVER, .seen = {ONE(0)}},
    /* too late: a request by wake-up in 3, the first cycle without service; visible in 4, taken in 5 */
    {"woken in the last cycle of the step", counted, .wake_from = 2, .other = NEVER,
     .seen = {NONE(0), {3, IDLE, 0}, ONE(5)}},
    {"a sleeper of the cycle of the sample", sleeps_to_1, QUIET, .seen = {ONE(0)}},
    {"one of the last cycle of the step", sleeps_to_2, QUIET,
     .seen = {NONE(0), {3, IDLE, 0}, ONE(5)}}, /* noticed in 3 */
    /* noticed in 19; WALK1 in 22 to 25, WALK2 to 29 */
    {"two sleepers", two_sleep, QUIET,
     .seen = {{0, TAKES, W},
              {1, SAMPLES, 0},
              {2, ROW, 0},
              {4, ROW, 16},
              {4, WALKED, 0},
              {5, IDLE, 0},
              {21, TAKES, W},
              {22, SAMPLES, 0},
              {23, ROW, 0},
              {25, ROW, 16},
              {29, FLUSHES, 10},
              {29, WALKED, 1},
              {30, IDLE, 0}}},
    {"a wait", waits_for_cluster, QUIET, .seen = {NONE(0), {3, IDLE, 0}}},
    {"a wait, woken before", waits_for_cluster, .wait_wake = true, .other = NEVER,
     .seen = {ONE(0)}},
    {"a wait, woken in the cycle of the sample", waits_long, .wait_wake = true, .wake_from = 1,
     .other = NEVER, .seen = {ONE(0)}},
    {"a wait, woken in the last cycle of the step", waits_long, .wait_wake = true, .wake_from = 2,
     .other = NEVER, .seen = {NONE(0), {3, IDLE, 0}, ONE(5)}},
    {"a wait, woken later", waits_for_cluster, .wait_wake = true, .wake_from = 20, .other = NEVER,
     .seen = {NONE(0), {3, IDLE, 0}, ONE(22)}},
    {"a wait is not for a barrier", waits_long, .wake_from = 0, .other = NEVER,
     .seen = {NONE(0), {3, IDLE, 0}}},
    {"a wait that is over in the cycle of the sample", waits_to_1, QUIET, .seen = {ONE_AT(0, 12)}},
    {"one of the last cycle of the step", waits_to_2, QUIET,
     .seen = {NONE(0), {3, IDLE, 0}, ONE_AT(5, 12)}},
    {"a wait that is over and woken", waits_to_1, .wait_wake = true, .other = NEVER,
     .seen = {ONE(0)}},
    {"a wait and a sleeper", waits_and_sleeps, QUIET,
     .seen = {{0, TAKES, W},
              {1, SAMPLES, 0},
              {2, ROW, 0},
              {4, ROW, 16},
              {4, WALKED, 0},
              {5, IDLE, 0},
              {21, TAKES, W},
              {22, SAMPLES, 0},
              {23, ROW, 0},
              {25, ROW, 16},
              {29, FLUSHES, 12},
              {29, WALKED, 1},
              {30, IDLE, 0}}},
    /* Beats + 3 cycles for each of two targets, two for each row of WALK1 and WALK2 */
    {"targets by lane", by_lane, QUIET,
     .seen = {{0, TAKES, W},
              {7, ROW, 0},
              {14, ROW, 16},
              {14, FREES, 0},
              {15, SAMPLES, 0},
              {16, ROW, 0},
              {18, ROW, 16},
              {22, FLUSHES, 5},
              {22, WALKED, 1},
              {23, IDLE, 0}}},
    {"two ways", two_ways, QUIET,
     .seen = {{0, TAKES, W},
              {2, ROW, 0},
              {4, ROW, 16},
              {5, SAMPLES, 0},
              {6, ROW, 0},
              {8, ROW, 16},
              {12, FLUSHES, 5},
              {12, WALKED, 1},
              {13, IDLE, 0}}},
    {"barrier", barrier, QUIET, .seen = {BARRIER(4)}},
    {"its request is free in the last cycle", barrier, QUIET, .req_until = 4, .seen = {BARRIER(4)}},
    {"a cycle later", barrier, QUIET, .req_until = 5, .seen = {BARRIER(5)}},
    {"two cycles later", barrier, QUIET, .req_until = 6, .seen = {BARRIER(6)}},
    {"five cycles later", barrier, QUIET, .req_until = 9, .seen = {BARRIER(9)}},
    /* the rows of 0 and 16, for 0 in 1 to 4, for 16 in 5 to 8; WALK1 9 to 12 */
    {"misuse", misuse, QUIET,
     .seen = {{0, TAKES, W},
              {5, RISES, WL_TRAP_BARRIER_MISUSE},
              {9, SAMPLES, 0},
              {9, RISES, WL_TRAP_BARRIER_MISUSE},
              {10, ROW, 0},
              {12, ROW, 16},
              {12, WALKED, 0},
              {13, IDLE, 0},
              {13, RISES, WL_TRAP_SYNC_DEADLOCK}}},
    /* CHECK 1 to 4, rewritten 5 to 8, WALK1 9 to 12: 16 is READY behind its barrier; WALK2 13 to 16 */
    {"one arrives", arrives, QUIET,
     .seen = {{0, TAKES, W},
              {4, CONTRIBUTES, 2},
              {6, ROW, 0},
              {8, ROW, 16},
              {9, SAMPLES, 0},
              {10, ROW, 0},
              {12, ROW, 16},
              {16, FLUSHES, 11},
              {16, WALKED, 1},
              {17, IDLE, 0}}},
    /* CHECK for 0 in 1 to 4; nobody is left for a second one. WALK1 5 to 8, WALK2 9 to 12 */
    {"all are there", meets, QUIET,
     .seen = {{0, TAKES, W},
              {5, SAMPLES, 0},
              {6, ROW, 0},
              {8, ROW, 16},
              {12, FLUSHES, 10},
              {12, WALKED, 1},
              {13, IDLE, 0}}},
    {"no check", not_asked, QUIET,
     .seen = {{0, TAKES, W},
              {1, SAMPLES, 0},
              {2, ROW, 0},
              {4, ROW, 16},
              {4, WALKED, 0},
              {5, IDLE, 0},
              {5, RISES, WL_TRAP_SYNC_DEADLOCK}}},
};

/* ---- the engine's cycles */
typedef struct wl_log {
  wl_seen_t seen[2 * MOST];
  unsigned n;
} wl_log_t;

static void see(wl_log_t *log, bool happens, unsigned cycle, wl_what_t what, unsigned value) {
  if (happens && log->n < 2 * MOST) log->seen[log->n++] = (wl_seen_t){cycle, what, value};
}

static bool see_cycle(wl_log_t *log, const wl_sub_wires_t *w, unsigned c, bool served, bool busy) {
  const wl_path_plan_t *p = &w->path_plan;
  const wl_trap_info_t *trap = &w->trap[WL_SRC_ENGINE];
  const wl_flush_wire_t *flush = &w->flush[WL_FLUSH_ENGINE];
  const bool takes = !busy && p->serve;
  see(log, served && !busy, c, IDLE, 0);
  see(log, takes, c, TAKES, p->engine.warp);
  see(log, p->serve && p->take_wake, c, SAMPLES, 0);
  see(log, p->serve && p->row_we, c, ROW, p->row_leader);
  see(log, p->serve && p->tbuf_freed, c, FREES, 0);
  see(log, p->contribution.valid, c, CONTRIBUTES, p->contribution.a);
  see(log, flush->valid, c, FLUSHES, flush->pc);
  see(log, p->serve && p->walked, c, WALKED, p->served.run);
  see(log, trap->valid, c, RISES, trap->cause);
  return takes;
}

static void compare(wl_bench_t *b, const wl_case_t *t, const wl_log_t *log) {
  unsigned i = 0;
  for (; i < log->n && t->seen[i].what != END; i++) {
    const wl_seen_t *e = &t->seen[i], *s = &log->seen[i];
    if (s->cycle == e->cycle && s->what == e->what && s->value == e->value) continue;
    printf("%s: cycle %u: %s %u, expected: cycle %u: %s %u\n", t->name, s->cycle, names[s->what],
           s->value, e->cycle, names[e->what], e->value);
    b->failures++;
    return;
  }
  bench_expect(b, t->name, log->n, i);
  bench_expect(b, t->name, t->seen[i].what, END);
}

static void unit_open(wl_alone_t *u) {
  alone_open(u);
  u->sm->env.cfg.row_cycles = 2;
  u->sm->env.cfg.event_delay = 1;
  u->sm->dispatcher.slots.warp_valid = 0xff;
  wl_paths_reset(&u->sm->sub[0].paths, &u->sm->env, 0);
}

static void outside(wl_sm_t *sm, const wl_case_t *t, unsigned c) {
  const wl_wmask_t bit = UINT64_C(1) << W;
  const bool disturbed = c >= t->stall_from && c < t->stall_until;
  sm->env.stall = disturbed && t->stall == 1 ? UINT32_C(1) << WL_STALL_AT_ENGINE : 0;
  sm->trap.latched.valid = disturbed && t->stall == 2;
  sm->barrier.requesting = c < t->req_until ? bit : 0;
  if (c == t->wake_from) *(t->wait_wake ? &sm->barrier.wait_wake : &sm->barrier.wake) |= bit;
  if (c == t->other)
    ask(&sm->sub[0].paths, OTHER, (wl_path_t){.mask = UINT32_MAX, .pc = 30, .exist = 1},
        WL_REQ_WALK);
}

static void run(wl_alone_t *u, const wl_case_t *t, wl_log_t *log) {
  wl_paths_t *p = &u->sm->sub[0].paths;
  bool served = false;
  t->set(p);
  p->asked = p->requests;
  for (unsigned c = 0; c < CYCLES; c++) {
    u->sm->env.cycle = START + c;
    outside(u->sm, t, c);
    wl_sm_show(u->sm);
    wl_paths_out(&u->sm->sub[0].paths, &u->sm->env, u->w, 0);
    const bool busy = p->engine.phase != WL_ENGINE_IDLE;
    const wl_path_t before = wl_path_gather(p, W);
    const unsigned n = log->n;
    served = see_cycle(log, &u->w->sub[0], c, served, busy) || busy;
    if (u->w->sub[0].path_plan.take_wake) {
      u->sm->barrier.wake &= ~(UINT64_C(1) << p->engine.warp);
      u->sm->barrier.wait_wake &= ~(UINT64_C(1) << p->engine.warp);
    }
    wl_paths_update(&u->sm->sub[0].paths, &u->sm->env, u->w, 0);
    const wl_path_t after = wl_path_gather(p, W);
    /* A step is under way still: nothing of the warp changes but what is sampled. */
    if (busy && p->engine.read)
      bench_expect_in(
          &u->b, c, t->name,
          memcmp(&before, &after, offsetof(wl_path_t, waits) + 1) != 0 ||
              (log->n != n && log->seen[n].what != SAMPLES && log->seen[n].what != RISES),
          0);
  }
}

static int all_cases(void) {
  int failures = 0;
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    wl_alone_t u;
    wl_log_t log = {.n = 0};
    unit_open(&u);
    run(&u, &cases[i], &log);
    compare(&u.b, &cases[i], &log);
    failures += u.b.failures;
    alone_close(&u);
  }
  return failures;
}

/* `clear` in any cycle of a service leaves nothing of it: not a request, not half a step of the next. */
static int cleared(void) {
  static const wl_case_t again = {"behind clear", three_rows, QUIET, .seen = {THREE(0)}};
  int failures = 0;
  for (unsigned at = 0; at <= 13; at++) {
    wl_alone_t u;
    wl_log_t log = {.n = 0};
    unit_open(&u);
    wl_paths_t *p = &u.sm->sub[0].paths;
    three_rows(p);
    p->asked = p->requests;
    for (unsigned c = 0; c <= at; c++) {
      u.gpu->wires.clear = c == at;
      wl_sm_show(u.sm);
      wl_paths_out(&u.sm->sub[0].paths, &u.sm->env, u.w, 0);
      wl_paths_update(&u.sm->sub[0].paths, &u.sm->env, u.w, 0);
    }
    u.gpu->wires.clear = false;
    bench_expect_in(&u.b, at, "requests", p->requests | p->asked, 0);
    bench_expect_in(&u.b, at, "served", p->engine.phase != WL_ENGINE_IDLE, 0);
    run(&u, &again, &log);
    compare(&u.b, &again, &log);
    failures += u.b.failures;
    alone_close(&u);
  }
  return failures;
}

int main(void) { return all_cases() + cleared() != 0; }
