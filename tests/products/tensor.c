/* tensor.c: allocation, loads and stores, and what they do to the image. */
#include <string.h>

#include "tests/products/gen.h"
#include "tests/unit/lower/tmem_shapes.h"

typedef struct access {
  const shape_t *shape;
  unsigned count, first, half, split; /* half: of the lanes */
  bool packed;
} access_t;

static bool is_x2(const access_t *a) { return a->shape->word == word_32bx2; }
static unsigned regs_of(const access_t *a) { return a->shape->regs * a->count; }
static unsigned span_of(const access_t *a) {
  return a->count * a->shape->row * (a->packed ? 2 : 1);
}

/* The lane of the quarter and the column; a packed word has two columns. */
static void place(const access_t *a, unsigned thread, unsigned r, unsigned *lane, unsigned *column) {
  const unsigned w = a->shape->word(thread, r % a->shape->regs), of = r / a->shape->regs;
  *lane = w / a->shape->row + 16 * a->half;
  *column = a->first + (w % a->shape->row + of * a->shape->row) * (a->packed ? 2 : 1);
  if (is_x2(a) && thread >= 16) {
    *column += a->split;
  }
}

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
  pr_put(g, warp, "\ttcgen05.dealloc.cta_group::1.sync.aligned.b32 %%ta%u, %u;\n", alloc, a->columns);
  a->live = false;
  g->warp[warp].ops++;
  g->has_last = false;
}

/* ---- texts */
static void address(pr_gen_t *g, unsigned warp, const access_t *a, char to[32]) {
  const unsigned k = pr_alloc_of(g, a->first), offset = a->first - g->alloc[k].first;
  if (a->half == 0 && pr_chance(g, 60)) {
    (void)snprintf(to, 32, "[%%own%u+%u]", k, offset);
    return;
  }
  const unsigned apart = pr_below(g, offset + 1);
  pr_put(g, warp, "\tadd.u32 %%at, %%own%u, %u;\n", k, (a->half << 20) + offset - apart);
  (void)snprintf(to, 32, "[%%at+%u]", apart);
}

static void list(pr_gen_t *g, unsigned warp, char name, unsigned first, unsigned n) {
  for (unsigned r = first; r < first + n; r++) {
    pr_put(g, warp, "%s%%%c%u", r == first ? "{" : ", ", name, r);
  }
  pr_put(g, warp, "}");
}

/* ---- stores: value r of a thread is a hash that looks like numbers of the class */
typedef struct mask {
  uint32_t keep, set;
} mask_t;

static mask_t mask_of(unsigned class) {
  switch (class) {
  case PR_A_CLASS + 8 * UMMA_F16: /* 2^-1, 2^0 */
    return (mask_t){0x87ff87ff, 0x38003800};
  case PR_A_CLASS + 8 * UMMA_F16 + 1:
    return (mask_t){0x80ff80ff, 0x3f003f00};
  case PR_A_CLASS + 8 * UMMA_TF32:
    return (mask_t){0x80ffffff, 0x3f000000};
  case PR_A_CLASS + 8 * UMMA_F8F6F4:
    return (mask_t){0x8f8f8f8f, 0x30303030};
  case PR_A_CLASS + 8 * UMMA_F8F6F4 + 1:
    return (mask_t){0x87878787, 0x38383838};
  case PR_D_F32:
    return (mask_t){0x81ffffff, 0x3e000000};
  case PR_D_F16:
    return (mask_t){0xffff87ff, 0x00003800};
  case PR_UE8M0:
    return (mask_t){0x03030303, 0x7c7c7c7c};
  case PR_UE4M3:
    return (mask_t){0x0f0f0f0f, 0x30303030};
  default:
    return (mask_t){0xffffffff, 0};
  }
}

static void store(pr_gen_t *g, unsigned warp, const access_t *a, unsigned class) {
  pr_warp_t *w = &g->warp[warp];
  const unsigned n = regs_of(a);
  const uint32_t times = pr_below(g, 0x80000000) * 2 + 1, plus = pr_below(g, 0x80000000);
  const mask_t mask = mask_of(class);
  char at[32], split[16] = "";
  if (is_x2(a)) {
    (void)snprintf(split, sizeof split, ", %u", a->split);
  }
  if (w->regs + n > (g->wide ? 100 : 36)) {
    pr_settle(g, warp, true, false);
  }
  pr_before_access(g, warp, a->first, span_of(a), true);
  pr_before_access(g, warp, a->first + a->split, span_of(a), true);
  pr_put(g, warp, "\tmad.lo.u32 %%x, %%t, %u, %u;\n\tshr.u32 %%y, %%x, 15;\n\txor.b32 %%x, %%x, %%y;\n",
         times, plus);
  for (unsigned r = 0; r < n; r++) {
    pr_put(g, warp, "\tmad.lo.u32 %%v%u, %%x, %u, %u;\n", r, (2 * r + 1) * 0x9e3779b1u,
           r * 0x85ebca6bu);
    if (mask.keep != 0xffffffff) {
      pr_put(g, warp, "\tlop3.b32 %%v%u, %%v%u, %u, %u, 0xea;\n", r, r, mask.keep, mask.set);
    }
  }
  address(g, warp, a, at);
  pr_put(g, warp, "\ttcgen05.st.sync.aligned.%s.x%u%s.b32 %s%s, ", a->shape->name, a->count,
         a->packed ? ".unpack::16b" : "", at, split);
  list(g, warp, 'v', 0, n);
  pr_put(g, warp, ";\n");
  w->sts++;
  w->ops++;
  pr_after_access(g, warp, a->first, span_of(a), true);
  pr_after_access(g, warp, a->first + a->split, span_of(a), true);
  for (unsigned k = 0; k < 32 * n * g->ctas; k++) {
    const unsigned thread = k % 32, r = k / 32 % n, cta = k / 32 / n;
    uint32_t x = (32 * warp + thread + 1024 * cta) * times + plus;
    unsigned lane, column;
    x ^= x >> 15;
    x = ((x * ((2 * r + 1) * 0x9e3779b1u) + r * 0x85ebca6bu) & mask.keep) | mask.set;
    place(a, thread, r, &lane, &column);
    g->word[cta][32 * warp + lane][column] = a->packed ? x & 0xffff : x;
    g->known[32 * warp + lane][column] = true;
    g->holds[column] = (uint8_t)class;
    if (a->packed) {
      g->word[cta][32 * warp + lane][column + 1] = x >> 16;
      g->known[32 * warp + lane][column + 1] = true;
    }
  }
  g->cost += (g->wide ? 3 : 16) * n + 20;
}

void pr_fill(pr_gen_t *g, unsigned warp, unsigned first, unsigned n, unsigned class) {
  while (n != 0) {
    access_t a = {.shape = &shapes[0], .count = 32, .first = first};
    while (a.count > n) {
      a.count /= 2;
    }
    store(g, warp, &a, class);
    first += a.count;
    n -= a.count;
  }
}

/* Any shape and count in an allocation; false: there is none. */
static bool draw(pr_gen_t *g, access_t *a) {
  const unsigned most = g->wide ? 64 : 32;
  *a = (access_t){.shape = &shapes[pr_below(g, SHAPES)], .packed = pr_chance(g, 15)};
  const unsigned rounds = 1 + pr_below(g, 6);
  a->count = 1;
  for (unsigned k = 1; k < rounds && 2 * regs_of(a) <= most; k++) {
    a->count *= 2;
  }
  const unsigned two = is_x2(a) ? span_of(a) + pr_below(g, 5) : 0;
  const int at = pr_columns(g, span_of(a) + two, PR_D_F32, 1);
  a->first = at >= 0 ? (unsigned)at : 0;
  a->split = two;
  a->half = a->shape->lanes == 16 ? pr_below(g, 2) : 0;
  return at >= 0;
}

void pr_store(pr_gen_t *g) {
  static const unsigned classes[] = {PR_BITS, PR_D_F32, PR_D_F32, PR_D_F16};
  access_t a;
  if (draw(g, &a)) {
    const unsigned warp = pr_below(g, g->warps), held = g->holds[a.first];
    store(g, warp, &a, pr_chance(g, 70) ? held : classes[pr_below(g, 4)]);
  }
}

/* ---- loads */
static bool load(pr_gen_t *g, unsigned warp, const access_t *a) {
  pr_warp_t *w = &g->warp[warp];
  const unsigned n = regs_of(a);
  char at[32], what[96], split[16] = "";
  if (g->out->events == PR_EVENTS) {
    return false;
  }
  for (unsigned k = 0; k < 32 * n; k++) {
    unsigned lane, column;
    place(a, k % 32, k / 32, &lane, &column);
    if (!g->known[32 * warp + lane][column] || !g->known[32 * warp + lane][column + a->packed]) {
      return false;
    }
  }
  if (w->loads == PR_PENDING || w->regs + n > (g->wide ? 64 : 24)) {
    pr_settle(g, warp, true, false);
  }
  pr_before_access(g, warp, a->first, span_of(a), false);
  pr_before_access(g, warp, a->first + a->split, span_of(a), false);
  if (is_x2(a)) {
    (void)snprintf(split, sizeof split, ", %u", a->split);
  }
  address(g, warp, a, at);
  (void)snprintf(what, sizeof what, "warp %u columns %u %s.x%u%s half %u", warp, a->first,
                 a->shape->name, a->count, a->packed ? " packed" : "", a->half);
  const unsigned event = pr_event(g, warp, what);
  pr_put(g, warp, "\ttcgen05.ld.sync.aligned.%s.x%u%s.b32 ", a->shape->name, a->count,
         a->packed ? ".pack::16b" : "");
  list(g, warp, 'l', w->regs, n);
  pr_put(g, warp, ", %s%s;\n", at, split);
  w->load[w->loads++] = (pr_load_t){event, w->regs, n};
  w->regs += n;
  w->lds++;
  w->ops++;
  pr_after_access(g, warp, a->first, span_of(a), false);
  pr_after_access(g, warp, a->first + a->split, span_of(a), false);
  for (unsigned k = 0; k < 32 * g->ctas; k++) {
    uint32_t sum = event;
    for (unsigned r = 0; r < n; r++) {
      unsigned lane, column;
      place(a, k % 32, r, &lane, &column);
      const uint32_t *row = &g->word[k / 32][32 * warp + lane][column];
      sum = sum * 16777619 + (a->packed ? (row[0] & 0xffff) | row[1] << 16 : row[0]);
    }
    g->out->want[k / 32][event][k % 32] = sum;
  }
  g->cost += (g->wide ? 4 : 16) * n + 40;
  return true;
}

bool pr_load(pr_gen_t *g) {
  access_t a;
  return draw(g, &a) && load(g, pr_below(g, g->warps), &a);
}

/* What the columns hold at the end of an allocation, where it is known. */
void pr_show_all(pr_gen_t *g, unsigned alloc) {
  const pr_alloc_t *of = &g->alloc[alloc];
  for (unsigned v = 0; v < g->warps; v++) {
    for (unsigned c = 0; c < of->columns;) {
      access_t a = {.shape = &shapes[0], .count = g->wide ? 32 : 16, .first = of->first + c};
      while (a.count > 0 && (c + a.count > of->columns || !load(g, v, &a))) {
        a.count /= 2;
      }
      c += a.count != 0 ? a.count : 1;
    }
  }
}
