/* Golden model, EventDelay (docs/microarchitecture.md 7.3, 8): the path engine takes a request in the
 * second cycle in which it is visible, its traps rise a cycle late, an event of the barriers acts in the
 * cycle behind its choice. First the units alone, cycle by cycle (the engine with RowCycles = 1; with 2:
 * test_steps.c), then programs of one or two warps. Expected values are worked out here from the text. */
#include <stdlib.h>

#include "cmodel/core/path_internal.h"
#include "tests/unit/model/journal.h"

enum { NONE = -1 };

static void unit_open(wl_alone_t *u) {
  alone_open(u);
  u->sm->dispatcher.slots.warp_valid = 0xff;
  wl_paths_reset(&u->sm->sub[0].paths, &u->sm->env, 0);
  wl_barrier_reset(&u->sm->barrier, &u->sm->env);
}

/* ---- the engine alone */
enum {
  WALKS,
  DEADLOCKS
}; /* kinds of request: one READY row; one row of SYNC that waits for others */

static void ask(wl_paths_t *p, unsigned warp, int kind) {
  wl_path_t x = {.live = UINT32_MAX, .exist = 1, .req = WL_REQ_WALK};
  if (kind == WALKS) {
    x.mask = UINT32_MAX;
  } else {
    x.live = 0xfff0; /* its row is that of lane 4 */
    x.exist = 1 << 4;
    p->row[warp][4] = (wl_path_row_t){.mask = 0xfff0, .pc = 100 + warp, .state = WL_PATH_SYNC};
  }
  wl_path_scatter(p, warp, &x);
}

/* A cycle of the engine: what it is given, the state visible in it, and what it does. */
typedef struct wl_turn {
  int walks, deadlocks; /* the warp whose request is visible from this cycle on */
  bool stall, trap, clear;
  unsigned requests, asked; /* bit: warp */
  int busy, takes;          /* the warp that is being served; that is taken in this cycle */
  int rises;                /* the warp whose trap is raised */
} wl_turn_t;

static const wl_turn_t turns[] = {
    {1, NONE, 0, 0, 0, 2, 0, NONE, NONE, NONE}, /* not yet */
    {0, NONE, 0, 0, 0, 3, 2, NONE, 1, NONE},    /* 0 comes first after 7, but too late */
    {NONE, NONE, 0, 0, 0, 1, 1, 1, NONE, NONE}, /* WALK2 of 1 */
    {1, NONE, 0, 0, 0, 3, 1, NONE, 0, NONE},    /* 1 once more */
    {NONE, NONE, 0, 0, 0, 2, 2, 0, NONE, NONE},
    {0, NONE, 1, 0, 0, 3, 2, NONE, NONE, NONE},    /* stalled; 0 is asked all the same */
    {NONE, NONE, 0, 1, 0, 3, 3, NONE, NONE, NONE}, /* a trap is pending */
    {NONE, NONE, 0, 0, 0, 3, 3, NONE, 1, NONE},    /* the first after 0 */
    {2, NONE, 0, 0, 0, 5, 1, 1, NONE, NONE},
    {NONE, NONE, 0, 0, 0, 5, 5, NONE, 2, NONE},
    {NONE, NONE, 0, 0, 1, 1, 1, 2, NONE, NONE}, /* clear, of a service, a request and a bit */
    {2, NONE, 0, 0, 0, 4, 0, NONE, NONE, NONE},
    {NONE, NONE, 0, 0, 1, 4, 4, NONE, 2, NONE}, /* clear of what begins */
    {0, NONE, 0, 0, 1, 1, 0, NONE, NONE, NONE}, /* and of a bit that would be set */
    {0, NONE, 0, 0, 0, 1, 0, NONE, NONE, NONE},
    {NONE, NONE, 0, 0, 0, 1, 1, NONE, 0, NONE},
    {NONE, NONE, 0, 0, 0, 0, 0, 0, NONE, NONE},
    {NONE, 3, 0, 0, 0, 8, 0, NONE, NONE, NONE},
    {1, NONE, 0, 0, 0, 10, 8, NONE, 3, NONE},  /* WALK1 of 3, its only cycle: no row is READY */
    {NONE, NONE, 0, 0, 0, 2, 2, NONE, 1, 3},   /* nothing is pending yet: the engine goes on */
    {NONE, 4, 0, 1, 0, 16, 0, 1, NONE, NONE},  /* that trap is pending now */
    {NONE, 5, 0, 0, 0, 48, 16, NONE, 4, NONE}, /* (no more) */
    {NONE, NONE, 0, 0, 0, 32, 32, NONE, 5, 4}, /* two traps in a row */
    {NONE, 6, 0, 0, 0, 64, 0, NONE, NONE, 5},
    {NONE, NONE, 0, 0, 1, 64, 64, NONE, 6, NONE}, /* clear of a trap that would rise next */
    {NONE, NONE, 0, 0, 0, 0, 0, NONE, NONE, NONE},
};

static int engine(void) {
  wl_alone_t u;
  unit_open(&u);
  u.sm->env.cfg.row_cycles = 1;
  wl_paths_t *p = &u.sm->sub[0].paths;
  for (unsigned c = 0; c < sizeof turns / sizeof turns[0]; c++) {
    const wl_turn_t *t = &turns[c];
    wl_sub_wires_t *w = &u.w->sub[0];
    if (t->walks != NONE) ask(p, (unsigned)t->walks, WALKS);
    if (t->deadlocks != NONE) ask(p, (unsigned)t->deadlocks, DEADLOCKS);
    u.sm->env.stall = (uint32_t)t->stall << WL_STALL_AT_ENGINE;
    u.sm->trap.latched.valid = t->trap;
    u.gpu->wires.clear = t->clear;
    wl_sm_show(u.sm);
    wl_paths_out(&u.sm->sub[0].paths, &u.sm->env, u.w, 0);
    const bool idle = p->engine.phase == WL_ENGINE_IDLE;
    bench_expect_in(&u.b, c, "requests", p->requests, t->requests);
    bench_expect_in(&u.b, c, "asked", p->asked, t->asked);
    bench_expect_in(&u.b, c, "idle", idle, t->busy == NONE);
    if (t->busy != NONE) bench_expect_in(&u.b, c, "served", p->engine.warp, (unsigned)t->busy);
    bench_expect_in(&u.b, c, "takes one", idle && w->path_plan.serve, t->takes != NONE);
    if (t->takes != NONE)
      bench_expect_in(&u.b, c, "taken", w->path_plan.engine.warp, (unsigned)t->takes);
    const wl_trap_info_t *trap = &w->trap[WL_SRC_ENGINE];
    bench_expect_in(&u.b, c, "raised", trap->valid, t->rises != NONE);
    if (t->rises != NONE && trap->valid) {
      bench_expect_in(&u.b, c, "cause", trap->cause, WL_TRAP_SYNC_DEADLOCK);
      bench_expect_in(&u.b, c, "warp", trap->warp, (unsigned)t->rises);
      bench_expect_in(&u.b, c, "lane", trap->lane, 4);
      bench_expect_in(&u.b, c, "pc", trap->pc, 100 + (unsigned)t->rises);
    }
    wl_paths_update(&u.sm->sub[0].paths, &u.sm->env, u.w, 0);
  }
  alone_close(&u);
  return u.b.failures;
}

/* ---- the barriers alone: CTA 0 has warps 0 to 3 */
static void contribute(wl_sm_t *sm, unsigned warps) {
  for (unsigned i = 0; i < 4; i++)
    if (warps >> i & 1)
      sm->barrier.request[i] = (wl_bar_request_t){.valid = true, .a = 5, .mask = UINT32_MAX};
  sm->barrier.requesting |= warps;
}

/* A cycle of the barriers: what comes (bit: warp), and the state visible in it. `arrive`: a warp that has
 * arrived at the barriers 3, 6 and 9 from here on. */
typedef struct wl_event_turn {
  unsigned contribute, exit;
  bool clear;
  int arrive;
  unsigned requests, exits; /* bar_req, bar_exit */
  int next;                 /* bar_next */
  bool next_exits;
  int scan;         /* number of exit_scan */
  unsigned arrived; /* at barrier 5 */
  unsigned left;    /* those of 3, 6 and 9 at which a warp has arrived */
} wl_event_turn_t;

static const wl_event_turn_t events[] = {
    {12, 0, 0, NONE, 12, 0, NONE, 0, NONE, 0, 0}, /* 2 is chosen */
    {2, 0, 0, NONE, 14, 0, 2, 0, NONE, 0, 0},     /* 2 acts; 1 is not chosen beside it */
    {0, 0, 0, NONE, 10, 0, NONE, 0, NONE, 4, 0},  /* 1 is chosen */
    {0, 0, 0, NONE, 10, 0, 1, 0, NONE, 4, 0},     /* acts two cycles behind 2 */
    {0, 0, 0, NONE, 8, 0, NONE, 0, NONE, 6, 0},   /* 3 */
    {0, 0, 0, NONE, 8, 0, 3, 0, NONE, 6, 0},
    {0, 0, 0, NONE, 0, 0, NONE, 0, NONE, 14, 0},  /* nothing to choose */
    {0, 1, 0, 2, 0, 1, NONE, 0, NONE, 14, 0x248}, /* 0 ends; 2 is at three barriers more */
    {2, 0, 0, NONE, 2, 1, 0, 1, NONE, 14, 0x248}, /* 3, in the cycle of bar_next */
    {0, 0, 0, NONE, 2, 1, NONE, 0, 4, 14, 0x248}, /* 5 completes; 1 is not chosen during the scan */
    {0, 0, 0, NONE, 2, 1, NONE, 0, 6, 0, 0x248},  /* 6 */
    {0, 0, 0, NONE, 2, 1, NONE, 0, 7, 0, 0x248},  /* 9, the last */
    {0, 2, 0, NONE, 2, 2, NONE, 0, NONE, 0, 0x248}, /* 1 is chosen; it ends */
    {0, 0, 0, NONE, 2, 2, 1, 0, NONE, 0, 0x248},    /* its request acts first */
    {8, 0, 0, NONE, 8, 2, NONE, 0, NONE, 2, 0x248}, /* its end, before the request of 3 */
    {2, 0, 0, NONE, 10, 2, 1, 1, NONE, 2, 0x248},   /* 3 of four; a request of 1 changes nothing */
    {0, 0, 1, NONE, 10, 2, NONE, 0, 4, 2, 0x248},   /* clear */
    {4, 0, 0, NONE, 4, 0, NONE, 0, NONE, 0, 0},
    {0, 0, 1, NONE, 4, 0, 2, 0, NONE, 0, 0},    /* clear of bar_next and what it does */
    {8, 0, 1, NONE, 8, 0, NONE, 0, NONE, 0, 0}, /* clear of a choice */
    {0, 4, 0, NONE, 0, 4, NONE, 0, NONE, 0, 0}, /* an end without barriers */
    {0, 0, 0, NONE, 0, 4, 2, 1, NONE, 0, 0},    /* is over in its cycle */
    {0, 0, 0, NONE, 0, 0, NONE, 0, NONE, 0, 0},
};

static void expect_event(wl_alone_t *u, unsigned c, const wl_event_turn_t *t) {
  const wl_barrier_unit_t *bar = &u->sm->barrier;
  unsigned left = 0;
  for (unsigned a = 3; a < 10; a += 3)
    if (bar->barrier[0][a].arrived != 0) left |= 1U << a;
  bench_expect_in(&u->b, c, "bar_req", bar->requesting, t->requests);
  bench_expect_in(&u->b, c, "bar_exit", bar->exiting, t->exits);
  bench_expect_in(&u->b, c, "bar_next", bar->next.valid, t->next != NONE);
  if (t->next != NONE) {
    bench_expect_in(&u->b, c, "its warp", bar->next.warp, (unsigned)t->next);
    bench_expect_in(&u->b, c, "an end", bar->next.exits, t->next_exits);
  }
  bench_expect_in(&u->b, c, "exit_scan", bar->exit_scan.valid, t->scan != NONE);
  if (t->scan != NONE)
    bench_expect_in(&u->b, c, "its number", bar->exit_scan.next, (unsigned)t->scan);
  bench_expect_in(&u->b, c, "arrived", bar->barrier[0][5].arrived, t->arrived);
  bench_expect_in(&u->b, c, "other barriers", left, t->left);
}

static int barriers(void) {
  wl_alone_t u;
  unit_open(&u);
  wl_barrier_unit_t *bar = &u.sm->barrier;
  u.sm->dispatcher.slots.cta[0].nwarps = 4;
  u.sm->dispatcher.slots.cta[0].warps = 15;
  for (unsigned c = 0; c < sizeof events / sizeof events[0]; c++) {
    const wl_event_turn_t *t = &events[c];
    contribute(u.sm, t->contribute);
    bar->exiting |= t->exit;
    for (unsigned a = 3; t->arrive != NONE && a < 10; a += 3)
      bar->barrier[0][a] = (wl_barrier_t){.arrived = UINT64_C(1) << t->arrive, .b = 2};
    u.sm->sub[0].paths.alive = c < 7 ? 15 : c < 12 ? 14 : 12; /* 0 has ended, then 1 */
    u.gpu->wires.clear = t->clear;
    wl_sm_show(u.sm);
    wl_barrier_out(&u.sm->barrier, &u.sm->env, u.w);
    expect_event(&u, c, t);
    wl_barrier_update(&u.sm->barrier, &u.sm->env, u.w);
  }
  alone_close(&u);
  return u.b.failures;
}

/* ---- programs */
static wl_run_journal_t journal;

static wl_event_t nth(int kind, uint64_t from, unsigned n) {
  const wl_event_t *e = journal_nth(&journal, kind, from, n);
  return e != NULL ? *e : (wl_event_t){0};
}

/* The last control instruction of a program that asks the engine for something. */
static uint64_t resolved(unsigned which) { return nth(WL_J_RESOLVE, 0, which).cycle; }

static bool small(wl_config_id_t config) { return wl_configs[config].event_delay != 0; }

static void start(wl_bench_t *b, wl_config_id_t config, uint32_t threads) {
  bench_open(b, config, threads, 1);
  journal_start(&journal, b);
}

/* Lanes below 16 and the others go to two different instructions, where they wait. */
static uint32_t halves(wl_bench_t *b, wl_form_t one, wl_x_t x, wl_form_t other, wl_x_t y) {
  bench_emit(b, WL_FORM_S2R, X(.rd = 4, .imm = 12)); /* lane */
  bench_emit(b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 4, .imm = 16, .cmp = 1));
  const uint32_t bra = bench_emit(b, WL_FORM_BRA, X(.guard = P(1)));
  bench_emit(b, other, y);
  bench_emit(b, WL_FORM_EXIT, X(0));
  const uint32_t at = bench_emit(b, one, x);
  bench_patch(b, bra, at);
  bench_emit(b, WL_FORM_EXIT, X(0));
  bench_run(b);
  return at;
}

static void expect_trap(wl_bench_t *b, wl_trap_t cause, uint64_t cycle, uint32_t lane,
                        uint32_t pc) {
  const wl_event_t trap = nth(WL_J_TRAP, 0, 0);
  bench_expect(b, "cycle of the trap", trap.cycle, cycle);
  bench_expect(b, "cause", trap.word[0], (uint64_t)cause);
  bench_expect(b, "lane", trap.word[2], lane);
  bench_expect(b, "pc", trap.word[3], pc);
}

/* Two halves of a warp that end in a trap of the engine. It rises so many cycles behind the last
 * resolve; its record is of the next cycle, the first in which it is pending. */
static int engine_trap(wl_config_id_t config, wl_form_t low, wl_x_t low_x, wl_form_t high,
                       wl_x_t high_x, wl_trap_t cause, unsigned behind) {
  wl_bench_t b;
  start(&b, config, 32);
  const uint32_t at = halves(&b, low, low_x, high, high_x);
  expect_trap(&b, cause, resolved(2) + behind + 1, 0, at);
  bench_close(&b);
  return b.failures;
}

/* The branch, then both halves resolve. The engine takes the last request in s = T + 1, with EventDelay
 * in T + 2: SPLIT in s. The rows of lanes 0 and 16 exist; a CHECK of each takes s + 1, s + 2 and s + 3,
 * s + 4, WALK1 s + 5 and s + 6, in which the deadlock is found. It rises then, or a cycle later.
 * tiny: none of these seven steps is in s = T + 2, the last cycle of the last one is s + 14. */
static int deadlock(wl_config_id_t config) {
  return engine_trap(config, WL_FORM_WARPSYNC_I, X(.imm = UINT32_MAX), WL_FORM_VOTE_ALL_I,
                     X(.rd = 255, .pd = P(4), .ps = P(1), .imm = UINT32_MAX), WL_TRAP_SYNC_DEADLOCK,
                     small(config) ? 17 : 7);
}

/* Two numbers of a barrier: found in the last cycle of the CHECK of lane 0's row, s + 2; tiny: the third
 * step's, s + 6. */
static int misuse(wl_config_id_t config) {
  return engine_trap(config, WL_FORM_BAR_SYNC_I, X(.imm = 1), WL_FORM_BAR_SYNC_I, X(.imm = 2),
                     WL_TRAP_BARRIER_MISUSE, small(config) ? 9 : 3);
}

/* A warp that is alone at its barrier. T: the resolve; s as above: SPLIT; s + 1: CHECK of one row, which
 * decides; s + 2: it is rewritten, bar_req is visible; s + 3: WALK1.
 * base, s = T + 1: the event acts in T + 3, WALK1 sees bar_wake in T + 4, WALK2 is T + 5.
 * tiny, s = T + 2: SPLIT writes in T + 4, the decision is in T + 6. The event is chosen in T + 7, acts in
 * T + 8; T + 8 rewrites, WALK1 begins in T + 9, in which it sees bar_wake; WALK2 ends in T + 12. */
static int alone_at_barrier(wl_config_id_t config) {
  wl_bench_t b;
  const bool late = small(config);
  start(&b, config, 32);
  bench_emit(&b, WL_FORM_BAR_SYNC_I, X(0));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  const uint64_t t = resolved(0);
  const wl_event_t row = nth(WL_J_ROW, 0, 0), event = nth(WL_J_BARRIER, 0, 0);
  bench_expect(&b, "SPLIT", row.cycle - t, late ? 4 : 1);
  bench_expect(&b, "the event", event.cycle - t, late ? 8 : 3);
  bench_expect(&b, "complete", event.word[2], 0);
  bench_expect(&b, "rewritten", nth(WL_J_ROW, 0, 1).cycle - t, late ? 8 : 3);
  bench_expect(&b, "WALK1", nth(WL_J_ROW, 0, 2).cycle - t, late ? 10 : 4);
  const wl_event_t walk = nth(WL_J_WALKED, 0, 0);
  bench_expect(&b, "the walk", walk.cycle - t, late ? 12 : 5);
  bench_expect(&b, "it runs", walk.word[1], 1);
  bench_expect(&b, "a second one", nth(WL_J_WALKED, 0, 1).cycle != 0, 0);
  bench_close(&b);
  return b.failures;
}

/* Warp 0 has arrived at barriers 1 and 4 and waits at 2; warp 1 ends much later. T: its resolve. bar_exit
 * is visible in T + 1, the first barrier's cycle; with EventDelay it is T + 2. One more per cycle. */
static int exit_scan(wl_config_id_t config) {
  static const uint32_t number[3] = {1, 2, 4};
  wl_bench_t b;
  start(&b, config, 64);
  bench_emit(&b, WL_FORM_S2R, X(.rd = 4, .imm = 0)); /* thread */
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 4, .imm = 32, .cmp = 1));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 5, .imm = 3000));
  const uint32_t bra = bench_emit(&b, WL_FORM_BRA, X(.guard = P(1)));
  bench_emit(&b, WL_FORM_NANOSLEEP_R, X(.ra = 5));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_patch(&b, bra, b.code_words);
  bench_emit(&b, WL_FORM_BAR_ARRIVE_I, X(.imm = 1));
  bench_emit(&b, WL_FORM_BAR_ARRIVE_I, X(.imm = 4));
  bench_emit(&b, WL_FORM_BAR_SYNC_I, X(.imm = 2));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  uint64_t t = 0;
  for (unsigned i = 0; i < 8; i++)
    if (nth(WL_J_RESOLVE, 0, i).word[0] == 1 && nth(WL_J_RESOLVE, 0, i).word[7] == 0)
      t = resolved(i);
  bench_expect(&b, "warp 1 ends", t != 0, 1);
  for (unsigned i = 0; i < 3; i++) {
    const wl_event_t e = nth(WL_J_BARRIER, 0, 3 + i); /* behind the arrivals */
    bench_expect(&b, "completed", e.word[1], number[i]);
    bench_expect(&b, "nobody left", e.word[2], 0);
    bench_expect(&b, "cycle", e.cycle - t, i + (small(config) ? 2 : 1));
  }
  bench_close(&b);
  return b.failures;
}

int main(void) {
  int failures = engine() + barriers();
  for (unsigned i = 0; i < WL_NUM_CONFIGS; i++) {
    const wl_config_id_t id = (wl_config_id_t)i;
    const int before = failures;
    failures += deadlock(id) + misuse(id) + alone_at_barrier(id) + exit_scan(id);
    if (failures != before) printf("in configuration %s\n", wl_configs[i].name);
  }
  return failures != 0;
}
