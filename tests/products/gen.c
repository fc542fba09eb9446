/* gen.c: a program: which operations come after each other. */
#include "tests/products/gen.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/common/splitmix.h"

enum { EVENTS = 96 /* of the middle; what is shown at the end comes on top */ };

uint32_t pr_below(pr_gen_t *g, uint32_t n) {
  return (uint32_t)((wl_splitmix64(&g->random) >> 32) * n >> 32);
}

bool pr_chance(pr_gen_t *g, uint32_t percent) { return pr_below(g, 100) < percent; }

/* ---- text */
static void add(pr_warp_t *w, const char *fmt, va_list args) {
  const int n = vsnprintf(w->text + w->used, PR_STREAM - w->used, fmt, args);
  w->used += n > 0 && (size_t)n < PR_STREAM - w->used ? (size_t)n : 0;
}

void pr_prepare(pr_gen_t *g, unsigned warp, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  add(&g->warp[warp], fmt, args);
  va_end(args);
}

static void flush(pr_gen_t *g, unsigned warp) {
  pr_warp_t *w = &g->warp[warp];
  const unsigned label = g->label++;
  if (w->commands == 1 && pr_chance(g, 60)) {
    pr_prepare(g, warp, "\t@%%one %s", w->burst + 1);
  } else if (w->commands != 0) {
    pr_prepare(g, warp, "\t@!%%one bra L%u;\n%sL%u:\n\tbar.warp.sync -1;\n", label, w->burst,
               label);
  }
  w->commands = 0;
  w->burst_used = 0;
}

void pr_put(pr_gen_t *g, unsigned warp, const char *fmt, ...) {
  va_list args;
  flush(g, warp);
  va_start(args, fmt);
  add(&g->warp[warp], fmt, args);
  va_end(args);
}

void pr_issue(pr_gen_t *g, unsigned warp, const char *what, const char *operands) {
  pr_warp_t *w = &g->warp[warp];
  w->burst_used += (size_t)snprintf(w->burst + w->burst_used, PR_BURST_TEXT - w->burst_used,
                                    "\t%s %s;\n", what, operands);
  w->commands++;
  if (w->commands == (g->wide ? PR_BURST : PR_BURST - 1) || pr_chance(g, 20)) {
    flush(g, warp);
  }
}

/* ---- events */
unsigned pr_event(pr_gen_t *g, unsigned warp, const char *what) {
  pr_put(g, warp, "// event %u: %s\n", g->out->events, what);
  return g->out->events++;
}

void pr_show(pr_gen_t *g, unsigned warp, unsigned event, const char *reg) {
  pr_put(g, warp, "\tst.global.u32 [%%out+%u], %s;\n", 4 * PR_LANES * event, reg);
}

/* ---- operations */
static unsigned live_columns(const pr_gen_t *g) {
  unsigned n = 0;
  for (unsigned k = 0; k < g->allocs; k++) {
    n += g->alloc[k].live ? g->alloc[k].columns : 0;
  }
  return n;
}

/* Two CTAs never wait for each other: either has one allocation at a time, or there is room for both. */
static void allocate(pr_gen_t *g) {
  unsigned n = 32u << (g->wide ? pr_below(g, 3) : pr_chance(g, 25));
  n = n > g->largest ? g->largest : n;
  if (g->ctas > 1 && live_columns(g) != 0) {
    return;
  }
  if (pr_allocate(g, n) && pr_chance(g, 85)) {
    const pr_alloc_t *a = &g->alloc[g->allocs - 1];
    for (unsigned v = 0; v < g->warps; v++) {
      pr_fill(g, v, a->first, a->columns, pr_chance(g, 80) ? PR_D_F32 : PR_D_F16);
    }
  }
}

static void give_back(pr_gen_t *g, unsigned alloc) {
  pr_show_all(g, alloc);
  pr_free(g, alloc);
}

static void free_one(pr_gen_t *g) {
  const unsigned k = pr_below(g, g->allocs);
  if (g->alloc[k].live && g->allocs < PR_ALLOCS) {
    give_back(g, k);
  }
  if (live_columns(g) == 0) {
    allocate(g);
  }
}

static void settle_any(pr_gen_t *g) {
  const unsigned v = pr_below(g, g->warps);
  switch (pr_below(g, 4)) {
  case 0:
    pr_settle(g, v, true, pr_chance(g, 50));
    break;
  case 1:
    if (g->warp[v].cmds != 0) {
      pr_commit(g, v, pr_below(g, PR_BARS));
    }
    break;
  case 2:
    pr_wait(g, v, pr_below(g, PR_BARS));
    break;
  default:
    pr_meet(g, 1 + pr_below(g, (1u << g->warps) - 1));
  }
}

static void operation(pr_gen_t *g) {
  const unsigned which = pr_below(g, 100);
  if (which < 30) {
    while (pr_product(g) && pr_chance(g, 50)) {
    }
  } else if (which < 45) {
    (void)pr_load(g);
  } else if (which < 55) {
    pr_store(g);
  } else if (which < 65) {
    (void)pr_copy(g);
  } else if (which < 72) {
    (void)pr_shift(g);
  } else if (which < 80) {
    pr_work(g);
  } else if (which < 84 && g->regions != 0) {
    pr_refill(g, pr_below(g, g->regions));
  } else if (which < 90) {
    settle_any(g);
  } else if (which < 94) {
    allocate(g);
  } else if (which < 96) {
    free_one(g);
  }
}

static void end(pr_gen_t *g) {
  const unsigned relinquishes = pr_below(g, 3 * g->warps);
  if (relinquishes < g->warps) {
    pr_put(g, relinquishes, "\ttcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n");
  }
  for (unsigned k = 0; k < g->allocs; k++) {
    if (g->alloc[k].live) {
      give_back(g, k);
    }
  }
  for (unsigned v = 0; v < g->warps; v++) {
    for (unsigned n = 1; n <= g->warp[v].bulks; n++) {
      pr_know_bulk(g, v, v, n);
    }
    pr_know_command(g, v, v, g->warp[v].cmds);
    pr_settle(g, v, true, true);
    flush(g, v);
  }
}

static void start(pr_gen_t *g, uint64_t seed, uint64_t index, bool wide, pr_program_t *out) {
  static char text[PR_WARPS][PR_STREAM];
  memset(g, 0, sizeof *g);
  memset(out->want, 0, sizeof out->want);
  g->out = out;
  g->random = seed * UINT64_C(0x9e3779b97f4a7c15) + index * UINT64_C(0xd6e8feb86659fd93);
  g->wide = wide;
  g->columns = wide ? 256 : 64;
  g->warps = pr_chance(g, 50) ? PR_WARPS : 1 + pr_below(g, PR_WARPS);
  g->ctas = 1 + pr_chance(g, 30);
  g->most_cost = wide               ? 1500 + pr_below(g, 4000 / g->ctas)
                 : pr_chance(g, 25) ? PR_DEAR + pr_below(g, 3000)
                                    : 4500 + pr_below(g, 3000);
  g->most_bytes = pr_chance(g, 25) ? 16384 : wide ? 8192 : 4096;
  g->largest = g->columns;
  g->shared_room = wide ? PR_SHARED : (g->ctas > 1 ? 13u : 24u) << 10;
  g->data_room = wide ? PR_DATA : 40 << 10;
  g->skew = 16 * pr_below(g, 8);
  g->locked = -1;
  out->ctas = g->ctas;
  out->events = 0;
  for (unsigned v = 0; v < g->warps; v++) {
    g->warp[v].text = text[v];
    g->warp[v].lane = pr_chance(g, 50) ? 0 : pr_below(g, 32);
  }
}

void pr_make(uint64_t seed, uint64_t index, bool wide, pr_program_t *out) {
  static pr_gen_t g;
  start(&g, seed, index, wide, out);
  pr_meet(&g, (1u << g.warps) - 1);
  allocate(&g);
  const unsigned most = 10 + pr_below(&g, 20);
  for (unsigned n = 0; n < most && out->events < EVENTS; n++) {
    operation(&g);
  }
  end(&g);
  pr_frame(&g);
}
