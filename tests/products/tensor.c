/* tensor.c: loads and stores of every shape, and what they do to the image. */
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
static void place(const access_t *a, unsigned thread, unsigned r, unsigned *lane,
                  unsigned *column) {
  const unsigned w = a->shape->word(thread, r % a->shape->regs), of = r / a->shape->regs;
  *lane = w / a->shape->row + 16 * a->half;
  *column = a->first + (w % a->shape->row + of * a->shape->row) * (a->packed ? 2 : 1);
  if (is_x2(a) && thread >= 16) {
    *column += a->split;
  }
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
pr_mask_t pr_mask_of(unsigned class) {
  switch (class) {
  case PR_A_CLASS + 8 * UMMA_F16: /* 2^-1, 2^0 */
    return (pr_mask_t){0x87ff87ff, 0x38003800};
  case PR_A_CLASS + 8 * UMMA_F16 + 1:
    return (pr_mask_t){0x80ff80ff, 0x3f003f00};
  case PR_A_CLASS + 8 * UMMA_TF32:
    return (pr_mask_t){0x80ffffff, 0x3f000000};
  case PR_A_CLASS + 8 * UMMA_F8F6F4:
    return (pr_mask_t){0x8f8f8f8f, 0x30303030};
  case PR_A_CLASS + 8 * UMMA_F8F6F4 + 1:
    return (pr_mask_t){0x87878787, 0x38383838};
  case PR_D_F32:
    return (pr_mask_t){0x81ffffff, 0x3e000000};
  case PR_D_F16:
    return (pr_mask_t){0xffff87ff, 0x00003800};
  case PR_UE8M0:
    return (pr_mask_t){0x03030303, 0x7c7c7c7c};
  case PR_UE4M3:
    return (pr_mask_t){0x0f0f0f0f, 0x30303030};
  default:
    return (pr_mask_t){0xffffffff, 0};
  }
}

/* From register to register other bits of those that the class leaves open. */
uint32_t pr_change(pr_mask_t mask, unsigned r) {
  return (r * 0x9e3779b1u ^ r * 0x85ebca6bu >> 9) & mask.keep;
}

static void stored(pr_gen_t *g, unsigned warp, const access_t *a, unsigned class, uint32_t times,
                   uint32_t plus) {
  const pr_mask_t mask = pr_mask_of(class);
  const unsigned n = regs_of(a);
  for (unsigned k = 0; k < 32 * n * g->ctas; k++) {
    const unsigned thread = k % 32, r = k / 32 % n, cta = k / 32 / n;
    uint32_t x = (32 * warp + thread + 1024 * cta) * times + plus;
    unsigned lane, column;
    x = (((x ^ x >> 15) & mask.keep) | mask.set) ^ pr_change(mask, r);
    place(a, thread, r, &lane, &column);
    g->word[cta][32 * warp + lane][column] = a->packed ? x & 0xffff : x;
    g->known[32 * warp + lane][column] = true;
    g->holds[column] = (uint8_t)class;
    if (a->packed) {
      g->word[cta][32 * warp + lane][column + 1] = x >> 16;
      g->known[32 * warp + lane][column + 1] = true;
    }
  }
}

static void store(pr_gen_t *g, unsigned warp, const access_t *a, unsigned class) {
  pr_warp_t *w = &g->warp[warp];
  const unsigned n = regs_of(a);
  const uint32_t times = pr_below(g, 0x80000000) * 2 + 1, plus = pr_below(g, 0x80000000);
  const pr_mask_t mask = pr_mask_of(class);
  char at[32], split[16] = "";
  if (is_x2(a)) {
    (void)snprintf(split, sizeof split, ", %u", a->split);
  }
  if (w->regs + n > (g->wide ? 100 : 36)) {
    pr_settle(g, warp, true, false);
  }
  pr_before_access(g, warp, a->first, span_of(a), true);
  pr_before_access(g, warp, a->first + a->split, span_of(a), true);
  pr_put(g, warp,
         "\tmad.lo.u32 %%x, %%t, %u, %u;\n\tshr.u32 %%y, %%x, 15;\n\txor.b32 %%x, %%x, %%y;\n"
         "\tlop3.b32 %%x, %%x, %u, %u, 0xea;\n",
         times, plus, mask.keep, mask.set);
  for (unsigned r = 0; r < n; r++) {
    pr_put(g, warp, "\txor.b32 %%v%u, %%x, %u;\n", r, pr_change(mask, r));
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
  stored(g, warp, a, class, times, plus);
}

/* Any shape and count in an allocation; false: there is none. */
static bool draw(pr_gen_t *g, access_t *a) {
  *a = (access_t){.shape = &shapes[pr_below(g, SHAPES)]};
  a->packed = pr_chance(g, 15);
  const unsigned rounds = 1 + pr_below(g, 6);
  a->count = 1;
  for (unsigned k = 1; k < rounds && regs_of(a) < PR_VALUES; k++) {
    a->count *= 2;
  }
  const unsigned two = is_x2(a) ? span_of(a) + pr_below(g, 5) : 0;
  int at = pr_near(g, span_of(a) + two);
  at = at >= 0 ? at : pr_columns(g, span_of(a) + two, PR_D_F32, 1);
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
static bool is_known(const pr_gen_t *g, unsigned warp, const access_t *a) {
  for (unsigned k = 0; k < 32 * regs_of(a); k++) {
    unsigned lane, column;
    place(a, k % 32, k / 32, &lane, &column);
    if (!g->known[32 * warp + lane][column] || !g->known[32 * warp + lane][column + a->packed]) {
      return false;
    }
  }
  return true;
}

static void loaded(pr_gen_t *g, unsigned warp, const access_t *a, unsigned event) {
  for (unsigned k = 0; k < 32 * g->ctas; k++) {
    uint32_t sum = event;
    for (unsigned r = 0; r < regs_of(a); r++) {
      unsigned lane, column;
      place(a, k % 32, r, &lane, &column);
      const uint32_t *row = &g->word[k / 32][32 * warp + lane][column];
      sum = sum * 16777619 + (a->packed ? (row[0] & 0xffff) | row[1] << 16 : row[0]);
    }
    g->out->want[k / 32][event][k % 32] = sum;
  }
}

static bool load(pr_gen_t *g, unsigned warp, const access_t *a) {
  pr_warp_t *w = &g->warp[warp];
  const unsigned n = regs_of(a);
  char at[32], what[96], split[16] = "";
  if (g->out->events == PR_EVENTS || !is_known(g, warp, a)) {
    return false;
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
  loaded(g, warp, a, event);
  return true;
}

bool pr_load(pr_gen_t *g) {
  access_t a;
  return draw(g, &a) && load(g, pr_below(g, g->warps), &a);
}
