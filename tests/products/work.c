/* work.c: what warps do beside products: loads of data, words that lanes exchange through shared memory, mma.sync. */
#include "tests/products/gen.h"

typedef enum work_kind { WORK_LOADS, WORK_SHARED, WORK_MMA, WORK_KINDS } work_kind_t;
typedef struct work {
  work_kind_t kind;
  unsigned warp, turns, mask, event;
  uint32_t times, plus;
} work_t;

/* ---- text: x and the sum %acc, by turns */
static void body(pr_gen_t *g, const work_t *o) {
  switch (o->kind) {
  case WORK_LOADS:
    pr_put(g, o->warp,
           "\tshr.u32 %%y, %%x, 18;\n\tand.b32 %%y, %%y, %u;\n\tmul.wide.u32 %%rd, %%y, 4;\n"
           "\tadd.u64 %%rd, %%rd, %%data;\n\tld.global.u32 %%y, [%%rd];\n"
           "\tadd.u32 %%acc, %%acc, %%y;\n",
           o->mask);
    break;
  case WORK_SHARED:
    pr_put(g, o->warp,
           "\tst.shared.u32 [%%own], %%x;\n\tbar.warp.sync -1;\n\txor.b32 %%y, %%own, %u;\n"
           "\tld.shared.u32 %%y, [%%y];\n\tmad.lo.u32 %%acc, %%acc, 5, %%y;\n\tbar.warp.sync -1;\n",
           4 * o->mask);
    break;
  default:
    pr_put(g, o->warp,
           "\tshr.u32 %%y, %%x, 3;\n\tmov.u32 %%m0, %%acc;\n\tmov.u32 %%m1, %%y;\n"
           "\tmma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%%m0, %%m1, %%m2, %%m3}, "
           "{%%x, %%y, %%x, %%x}, {%%y, %%x}, {%%m0, %%m1, %%x, %%y};\n"
           "\tmad.lo.u32 %%acc, %%m0, 3, %%m1;\n\tmad.lo.u32 %%acc, %%m2, 5, %%acc;\n"
           "\tadd.u32 %%acc, %%acc, %%m3;\n");
  }
}

static void text(pr_gen_t *g, const work_t *o) {
  const unsigned label = g->label++;
  pr_put(g, o->warp,
         "\tmad.lo.u32 %%x, %%t, %u, %u;\n\tmov.u32 %%acc, %u;\n\tmov.u32 %%n, %u;\nL%u:\n",
         o->times, o->plus, o->event, o->turns, label);
  pr_put(g, o->warp, "\tmad.lo.u32 %%x, %%x, 1664525, 1013904223;\n");
  body(g, o);
  pr_put(g, o->warp, "\tsub.u32 %%n, %%n, 1;\n\tsetp.ne.u32 %%p, %%n, 0;\n\t@%%p bra L%u;\n",
         label);
  pr_show(g, o->warp, o->event, "%acc");
}

/* ---- the same here */
static int byte_of(uint32_t word, unsigned n) { return (int8_t)(word >> 8 * n); }

/* D of m16n8k32 (PTX 9.7.14.5.10): lane 4r + c has of A words (r, c), (r + 8, c), (r, c + 4), (r + 8, c + 4). */
static uint32_t element(const uint32_t a[4][32], const uint32_t b[2][32], unsigned row,
                        unsigned column) {
  int sum = 0;
  for (unsigned k = 0; k < 32; k++) {
    const unsigned lane = k % 16 / 4, upper = k / 16;
    sum += byte_of(a[row / 8 + 2 * upper][4 * (row % 8) + lane], k % 4) *
           byte_of(b[upper][4 * column + lane], k % 4);
  }
  return (uint32_t)sum;
}

static void multiply(const uint32_t *x, uint32_t *acc) {
  uint32_t a[4][32], b[2][32];
  for (unsigned l = 0; l < 32; l++) {
    a[0][l] = a[2][l] = a[3][l] = b[1][l] = x[l];
    a[1][l] = b[0][l] = x[l] >> 3;
  }
  for (unsigned l = 0; l < 32; l++) {
    const unsigned r = l / 4, c = l % 4 * 2;
    const uint32_t d0 = acc[l] + element(a, b, r, c), d1 = (x[l] >> 3) + element(a, b, r, c + 1);
    const uint32_t d2 = x[l] + element(a, b, r + 8, c),
                   d3 = (x[l] >> 3) + element(a, b, r + 8, c + 1);
    acc[l] = d0 * 3 + d1 + d2 * 5 + d3;
  }
}

static uint32_t word_at(const pr_gen_t *g, uint32_t at) {
  const uint8_t *b = g->data + at;
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void carry_out(pr_gen_t *g, const work_t *o, unsigned cta) {
  uint32_t x[32], acc[32];
  for (unsigned l = 0; l < 32; l++) {
    x[l] = (32 * o->warp + l + 1024 * cta) * o->times + o->plus;
    acc[l] = o->event;
  }
  for (unsigned turn = 0; turn < o->turns; turn++) {
    for (unsigned l = 0; l < 32; l++) {
      x[l] = x[l] * 1664525 + 1013904223;
    }
    if (o->kind == WORK_MMA) {
      multiply(x, acc);
    }
    for (unsigned l = 0; l < 32; l++) {
      acc[l] = o->kind == WORK_LOADS
                   ? acc[l] + word_at(g, cta * g->skew + 4 * (x[l] >> 18 & o->mask))
               : o->kind == WORK_SHARED ? acc[l] * 5 + x[l ^ o->mask]
                                        : acc[l];
    }
  }
  for (unsigned l = 0; l < 32; l++) {
    g->out->want[cta][o->event][l] = acc[l];
  }
}

void pr_work(pr_gen_t *g) {
  work_t o = {.kind = (work_kind_t)pr_below(g, WORK_KINDS)};
  o.warp = pr_below(g, g->warps);
  o.turns = 1 + pr_below(g, g->wide ? 12 : 5);
  o.times = pr_below(g, 0x80000000) * 2 + 1;
  o.plus = pr_below(g, 0xffffffff);
  o.mask = 1 + pr_below(g, 31);
  if (o.kind == WORK_LOADS) {
    o.mask = 127;
    while (4 * (2 * o.mask + 2) + 128 <= g->data_used && pr_chance(g, 80)) {
      o.mask = 2 * o.mask + 1;
    }
    if (g->data_used < 4 * (o.mask + 1) + 128) {
      o.kind = WORK_SHARED;
      o.mask = 5;
    }
  }
  static const char *const what[] = {"loads", "shared", "mma.sync"};
  o.event = pr_event(g, o.warp, what[o.kind]);
  text(g, &o);
  g->warp[o.warp].ops++;
  for (unsigned cta = 0; cta < g->ctas; cta++) {
    carry_out(g, &o, cta);
  }
}
