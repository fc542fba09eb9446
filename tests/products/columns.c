/* columns.c: allocation, and what is done with many columns in a loop: they are filled, and shown. */
#include <string.h>

#include "tests/products/gen.h"

enum { ROUND = 8 /* columns of a turn */ };

/* ---- places */
unsigned pr_alloc_of(const pr_gen_t *g, unsigned column) {
  unsigned k = 0;
  while (!g->alloc[k].live || column < g->alloc[k].first ||
         column >= g->alloc[k].first + g->alloc[k].columns) {
    k++;
  }
  return k;
}

int pr_columns(pr_gen_t *g, unsigned n, unsigned class, unsigned step) {
  int found = -1;
  for (unsigned tries = 0; tries < 12; tries++) {
    const pr_alloc_t *a = &g->alloc[pr_below(g, g->allocs)];
    if (!a->live || a->columns < n) {
      continue;
    }
    const unsigned at = a->first + pr_below(g, (a->columns - n) / step + 1) * step;
    found = (int)at;
    if (g->holds[at] == class && g->holds[at + n - 1] == class) {
      break;
    }
  }
  return found;
}

/* Some of the columns that the last product reads or writes; -1: rather others. */
int pr_near(pr_gen_t *g, unsigned n) {
  const bool of_a = g->last.tensor_a && pr_chance(g, 50);
  const unsigned from = of_a ? g->last.a_at : g->last.command.d, behind = pr_below(g, 8);
  if (!g->has_last || pr_chance(g, 60)) {
    return -1;
  }
  const pr_alloc_t *a = &g->alloc[pr_alloc_of(g, from)];
  const unsigned end = a->first + a->columns, at = from + behind;
  return n > a->columns ? -1 : (int)(at + n > end ? end - n : at);
}

/* In the quarters of the warps; half: of lanes z to z + 15 alone. */
bool pr_all_known(const pr_gen_t *g, unsigned first, unsigned n, bool half, unsigned z) {
  for (unsigned lane = 0; lane < 32 * g->warps; lane++) {
    for (unsigned c = first; c < first + n; c++) {
      if (!g->known[lane][c] && (!half || lane % 32 / 16 == z / 16)) {
        return false;
      }
    }
  }
  return true;
}

/* ---- allocation: the first place that is free, as the device's (docs/microarchitecture.md 24.1) */
static bool is_free(const pr_gen_t *g, unsigned first, unsigned n) {
  for (unsigned k = 0; k < g->allocs; k++) {
    const pr_alloc_t *a = &g->alloc[k];
    if (a->live && first < a->first + a->columns && a->first < first + n) {
      return false;
    }
  }
  return first + n <= g->columns;
}

bool pr_allocate(pr_gen_t *g, unsigned columns) {
  const unsigned warp = pr_below(g, g->warps), k = g->allocs;
  unsigned first = 0;
  while (first + columns <= g->columns && !is_free(g, first, columns)) {
    first += 32;
  }
  if (k == PR_ALLOCS || columns > g->largest || !is_free(g, first, columns)) {
    return false;
  }
  g->alloc[k] = (pr_alloc_t){true, first, columns};
  g->allocs++;
  g->largest = columns;
  for (unsigned c = first; c < first + columns; c++) {
    memset(g->cell[c], 0, sizeof g->cell[c]);
    g->holds[c] = PR_BITS;
    for (unsigned lane = 0; lane < PR_ROWS; lane++) {
      g->known[lane][c] = false;
    }
  }
  pr_put(g, warp, "\ttcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slots+%u], %u;\n",
         4 * k, columns);
  pr_meet(g, (1u << g->warps) - 1);
  for (unsigned v = 0; v < g->warps; v++) {
    pr_put(g, v, "\tld.shared.b32 %%ta%u, [slots+%u];\n\tadd.u32 %%own%u, %%ta%u, %u;\n", k, 4 * k,
           k, k, v << 21);
  }
  return true;
}

void pr_free(pr_gen_t *g, unsigned alloc) {
  pr_alloc_t *a = &g->alloc[alloc];
  const unsigned warp = pr_below(g, g->warps);
  pr_before_free(g, warp, a->first, a->columns);
  pr_put(g, warp, "\ttcgen05.dealloc.cta_group::1.sync.aligned.b32 %%ta%u, %u;\n", alloc,
         a->columns);
  a->live = false;
  g->warp[warp].ops++;
  g->has_last = false;
}

/* ---- all columns of an allocation, or some of them */
static void loop_ends(pr_gen_t *g, unsigned warp, unsigned label) {
  pr_put(g, warp,
         "\tadd.u32 %%at, %%at, %u;\n\tsub.u32 %%n, %%n, 1;\n\tsetp.ne.u32 %%p, %%n, 0;\n"
         "\t@%%p bra L%u;\n",
         ROUND, label);
}

static void loop_begins(pr_gen_t *g, unsigned warp, unsigned label, unsigned first, unsigned n) {
  const unsigned k = pr_alloc_of(g, first);
  pr_put(g, warp, "\tadd.u32 %%at, %%own%u, %u;\n\tmov.u32 %%n, %u;\nL%u:\n", k,
         first - g->alloc[k].first, n / ROUND, label);
}

static void registers(pr_gen_t *g, unsigned warp, char name) {
  for (unsigned r = 0; r < ROUND; r++) {
    pr_put(g, warp, "%s%%%c%u", r == 0 ? "{" : ", ", name, r);
  }
}

/* x of a thread goes on from turn to turn; a turn's values are made of it. x begins with thread * by[0] + by[1]. */
static void filled(pr_gen_t *g, unsigned warp, unsigned first, unsigned n, unsigned class,
                   const uint32_t by[2]) {
  const pr_mask_t mask = pr_mask_of(class);
  for (unsigned k = 0; k < 32 * g->ctas; k++) {
    const unsigned lane = 32 * warp + k % 32, cta = k / 32;
    uint32_t x = (lane + 1024 * cta) * by[0] + by[1];
    for (unsigned c = 0; c < n; c++) {
      const unsigned r = c % ROUND;
      x = r == 0 ? x * 1664525 + 1013904223 : x;
      g->word[cta][lane][first + c] = (((x ^ x >> 15) & mask.keep) | mask.set) ^ pr_change(mask, r);
      g->known[lane][first + c] = true;
      g->holds[first + c] = (uint8_t)class;
    }
  }
}

void pr_fill(pr_gen_t *g, unsigned warp, unsigned first, unsigned n, unsigned class) {
  const uint32_t times = pr_below(g, 0x80000000) * 2 + 1, plus = pr_below(g, 0x80000000);
  const pr_mask_t mask = pr_mask_of(class);
  const unsigned label = g->label++, turns = (n + ROUND - 1) / ROUND;
  pr_warp_t *w = &g->warp[warp];
  pr_before_access(g, warp, first, n, true);
  pr_put(g, warp, "\tmad.lo.u32 %%x, %%t, %u, %u;\n", times, plus);
  loop_begins(g, warp, label, first, turns * ROUND);
  pr_put(g, warp,
         "\tmad.lo.u32 %%x, %%x, 1664525, 1013904223;\n\tshr.u32 %%y, %%x, 15;\n"
         "\txor.b32 %%y, %%x, %%y;\n\tlop3.b32 %%y, %%y, %u, %u, 0xea;\n",
         mask.keep, mask.set);
  for (unsigned r = 0; r < ROUND && r < n; r++) {
    pr_put(g, warp, "\txor.b32 %%v%u, %%y, %u;\n", r, pr_change(mask, r));
  }
  if (n < ROUND) { /* 1, 2 or 4 */
    pr_put(g, warp, "\ttcgen05.st.sync.aligned.32x32b.x%u.b32 [%%at], {%%v0%s};\n", n,
           n == 1   ? ""
           : n == 2 ? ", %v1"
                    : ", %v1, %v2, %v3");
  } else {
    pr_put(g, warp, "\ttcgen05.st.sync.aligned.32x32b.x8.b32 [%%at], ");
    registers(g, warp, 'v');
    pr_put(g, warp, "};\n");
  }
  loop_ends(g, warp, label);
  w->sts++;
  w->ops++;
  pr_after_access(g, warp, first, n, true);
  filled(g, warp, first, n, class, (uint32_t[2]){times, plus});
}

static void show(pr_gen_t *g, unsigned warp, unsigned first, unsigned n) {
  const unsigned label = g->label++;
  char what[64];
  pr_warp_t *w = &g->warp[warp];
  if (g->out->events == PR_EVENTS) {
    return;
  }
  pr_settle(g, warp, true, true);
  pr_before_access(g, warp, first, n, false);
  (void)snprintf(what, sizeof what, "warp %u columns %u to %u", warp, first, first + n - 1);
  const unsigned event = pr_event(g, warp, what);
  pr_put(g, warp, "\tmov.u32 %%acc, %u;\n", event);
  loop_begins(g, warp, label, first, n);
  pr_put(g, warp, "\ttcgen05.ld.sync.aligned.32x32b.x8.b32 ");
  registers(g, warp, 'l');
  pr_put(g, warp, "}, [%%at];\n\ttcgen05.wait::ld.sync.aligned;\n");
  for (unsigned r = 0; r < ROUND; r++) {
    pr_put(g, warp, "\tmad.lo.u32 %%acc, %%acc, 16777619, %%l%u;\n", r);
  }
  loop_ends(g, warp, label);
  pr_show(g, warp, event, "%acc");
  w->waited_ld = ++w->lds;
  w->ops++;
  pr_after_access(g, warp, first, n, false);
  for (unsigned k = 0; k < 32 * g->ctas; k++) {
    uint32_t sum = event;
    for (unsigned c = first; c < first + n; c++) {
      sum = sum * 16777619 + g->word[k / 32][32 * warp + k % 32][c];
    }
    g->out->want[k / 32][event][k % 32] = sum;
  }
}

static bool known_of(const pr_gen_t *g, unsigned warp, unsigned first) {
  for (unsigned k = 0; k < 32 * ROUND; k++) {
    if (!g->known[32 * warp + k % 32][first + k / 32]) {
      return false;
    }
  }
  return true;
}

/* What the columns hold at the end of an allocation, where it is known: eight at a time. */
void pr_show_all(pr_gen_t *g, unsigned alloc) {
  const pr_alloc_t *of = &g->alloc[alloc];
  const unsigned end = of->first + of->columns;
  for (unsigned v = 0; v < g->warps; v++) {
    for (unsigned c = of->first; c < end; c += ROUND) {
      unsigned n = 0;
      while (c + n < end && known_of(g, v, c + n)) {
        n += ROUND;
      }
      if (n != 0) {
        show(g, v, c, n);
        c += n - ROUND;
      }
    }
  }
}
