/* order.c: who knows what to be over. A warp learns at a barrier what the others know, and at the wait for an mbarrier
 * what its phase stands for. */
#include "tests/products/gen.h"

/* ---- warps with each other */
static void most(uint32_t *to, const uint32_t *from, unsigned n) {
  for (unsigned k = 0; k < n; k++) {
    to[k] = from[k] > to[k] ? from[k] : to[k];
  }
}

static void learn(pr_known_t *to, const pr_known_t *from) {
  most(to->op, from->op, PR_WARPS);
  most(to->ld, from->ld, PR_WARPS);
  most(to->st, from->st, PR_WARPS);
  most(to->cmd, from->cmd, PR_WARPS);
  most(to->phase, from->phase, PR_BARS);
  for (unsigned v = 0; v < PR_WARPS; v++) {
    to->bulk[v] |= from->bulk[v];
  }
}

/* The number of the barrier is the mask: two sets of warps never share one. */
void pr_meet(pr_gen_t *g, unsigned warps) {
  static const char *const how[] = {"bar.sync", "barrier.sync", "barrier.cta.sync",
                                    "barrier.sync.aligned"};
  const char *const name = how[pr_below(g, 4)];
  pr_known_t all = {0};
  for (unsigned v = 0; v < g->warps; v++) {
    pr_warp_t *w = &g->warp[v];
    if ((warps >> v & 1) == 0) {
      continue;
    }
    w->know.op[v] = w->ops;
    w->know.ld[v] = w->waited_ld;
    w->know.st[v] = w->waited_st;
    learn(&all, &w->know);
    pr_put(g, v, "\ttcgen05.fence::before_thread_sync;\n");
    if ((warps & (warps - 1)) == 0) {
      pr_put(g, v, "\tbar.warp.sync -1;\n");
    } else {
      pr_put(g, v, "\t%s %u, %u;\n", name, warps, 32 * (unsigned)__builtin_popcount(warps));
    }
    pr_put(g, v, "\ttcgen05.fence::after_thread_sync;\n");
  }
  for (unsigned v = 0; v < g->warps; v++) {
    if ((warps >> v & 1) != 0) {
      g->warp[v].know = all;
      g->warp[v].ops++;
    }
  }
}

void pr_settle(pr_gen_t *g, unsigned warp, bool loads, bool stores) {
  pr_warp_t *w = &g->warp[warp];
  if (stores && w->waited_st < w->sts) {
    pr_put(g, warp, "\ttcgen05.wait::st.sync.aligned;\n");
    w->waited_st = w->sts;
  }
  if (loads && w->waited_ld < w->lds) {
    pr_put(g, warp, "\ttcgen05.wait::ld.sync.aligned;\n");
    w->waited_ld = w->lds;
    for (unsigned l = 0; l < w->loads; l++) {
      const pr_load_t *of = &w->load[l];
      pr_put(g, warp, "\tmov.u32 %%y, %u;\n", of->event);
      for (unsigned r = of->first; r < of->first + of->regs; r++) {
        pr_put(g, warp, "\tmad.lo.u32 %%y, %%y, 16777619, %%l%u;\n", r);
      }
      pr_show(g, warp, of->event, "%y");
    }
    w->loads = w->regs = 0;
  }
}

void pr_know_op(pr_gen_t *g, unsigned warp, unsigned of, uint32_t n) {
  if (warp != of && g->warp[warp].know.op[of] < n) {
    pr_meet(g, 1u << warp | 1u << of);
  }
}

void pr_know_loads(pr_gen_t *g, unsigned warp, unsigned of, uint32_t n) {
  if (g->warp[warp].know.ld[of] < n) {
    if (g->warp[of].waited_ld < n) {
      pr_settle(g, of, true, pr_chance(g, 50));
    }
    pr_meet(g, 1u << warp | 1u << of);
  }
}

void pr_know_stores(pr_gen_t *g, unsigned warp, unsigned of, uint32_t n) {
  if (g->warp[warp].know.st[of] < n) {
    if (g->warp[of].waited_st < n) {
      pr_settle(g, of, pr_chance(g, 30), true);
    }
    pr_meet(g, 1u << warp | 1u << of);
  }
}

/* ---- mbarriers, each of one arrival */
/* The warp waits for the last phase. A phase's parity says which it is only to who knows the one before to be over. */
void pr_wait(pr_gen_t *g, unsigned warp, unsigned bar) {
  static const char *const how[] = {"try_wait", "test_wait", "try_wait"};
  pr_warp_t *w = &g->warp[warp];
  pr_bar_t *b = &g->bar[bar];
  if (w->know.phase[bar] == b->phase) {
    return;
  }
  if (w->know.phase[bar] + 1 < b->phase) {
    pr_meet(g, 1u << warp | 1u << b->issuer);
  }
  const unsigned label = g->label++;
  pr_put(g, warp,
         "L%u:\n\tmbarrier.%s.parity.shared::cta.b64 %%p, [bars+%u], %u;\n\t@!%%p bra L%u;\n"
         "\tbar.warp.sync -1;\n\ttcgen05.fence::after_thread_sync;\n",
         label, how[pr_below(g, 3)], 8 * bar, (b->phase - 1) & 1, label);
  b->waited[warp] = ++w->ops;
  w->know.phase[bar] = b->phase;
  if (b->bulk) {
    w->know.bulk[b->issuer] |= UINT64_C(1) << b->upto;
  } else {
    most(&w->know.cmd[b->issuer], &b->upto, 1);
  }
}

/* Before its next phase an mbarrier's phase is over, and all have seen it who wait for it. */
void pr_claim(pr_gen_t *g, unsigned warp, unsigned bar) {
  pr_bar_t *b = &g->bar[bar];
  unsigned others = 0;
  pr_wait(g, warp, bar);
  for (unsigned v = 0; v < g->warps; v++) {
    others |= v != warp && b->waited[v] > g->warp[warp].know.op[v] ? 1u << v : 0;
    b->waited[v] = 0;
  }
  if (others != 0) {
    pr_meet(g, others | 1u << warp);
  }
  b->phase++;
  b->issuer = warp;
}

void pr_commit(pr_gen_t *g, unsigned warp, unsigned bar) {
  pr_claim(g, warp, bar);
  g->bar[bar].bulk = false;
  g->bar[bar].upto = g->warp[warp].cmds;
  char at[32];
  (void)snprintf(at, sizeof at, "[bars+%u]", 8 * bar);
  pr_issue(g, warp, "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64", at);
}

static bool knows(const pr_known_t *k, bool bulk, unsigned of, uint32_t n) {
  return n == 0 || (bulk ? (k->bulk[of] >> n & 1) != 0 : k->cmd[of] >= n);
}

/* A warp that knows it; -1: none. */
static int who_knows(const pr_gen_t *g, bool bulk, unsigned of, uint32_t n) {
  for (unsigned v = 0; v < g->warps; v++) {
    if (knows(&g->warp[v].know, bulk, of, n)) {
      return (int)v;
    }
  }
  return -1;
}

/* An mbarrier whose last phase shows it; -1: none. */
static int bar_of(pr_gen_t *g, bool bulk, unsigned of, uint32_t n) {
  const unsigned from = pr_below(g, PR_BARS);
  for (unsigned k = 0; k < PR_BARS; k++) {
    const pr_bar_t *b = &g->bar[(from + k) % PR_BARS];
    if (b->phase != 0 && b->bulk == bulk && b->issuer == of &&
        (bulk ? b->upto == n : b->upto >= n)) {
      return (int)((from + k) % PR_BARS);
    }
  }
  return -1;
}

static void know(pr_gen_t *g, unsigned warp, bool bulk, unsigned of, uint32_t n) {
  const int who = who_knows(g, bulk, of, n);
  int bar = bar_of(g, bulk, of, n);
  if (knows(&g->warp[warp].know, bulk, of, n)) {
    return;
  }
  if (who >= 0 && (bulk ? bar < 0 : pr_chance(g, 25))) {
    pr_meet(g, 1u << warp | 1u << who);
    return;
  }
  if (bar < 0) {
    bar = (int)pr_below(g, PR_BARS);
    pr_commit(g, of, (unsigned)bar);
  }
  pr_wait(g, warp, (unsigned)bar);
}

void pr_know_command(pr_gen_t *g, unsigned warp, unsigned of, uint32_t n) {
  know(g, warp, false, of, n);
}

void pr_know_bulk(pr_gen_t *g, unsigned warp, unsigned of, uint32_t n) {
  know(g, warp, true, of, n);
}
