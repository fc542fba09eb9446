/* copy.c: tcgen05.cp and tcgen05.shift. */
#include "tests/products/gen.h"

enum { SHAPES = 6 };

/* Lane of row r: r mod inner * low + r / inner * high; and copies, so many lanes apart (CuTe's traits of UTCCP). */
typedef struct trait {
  const char *name;
  unsigned rows, words, inner, low, high, copies, apart;
} trait_t;
static const trait_t traits[SHAPES] = {{"128x256b", 128, 8, 128, 1, 0, 1, 0},
                                       {"4x256b", 4, 8, 1, 0, 32, 1, 0},
                                       {"128x128b", 128, 4, 128, 1, 0, 1, 0},
                                       {"64x128b.warpx2::02_13", 64, 4, 64, 1, 0, 2, 64},
                                       {"64x128b.warpx2::01_23", 64, 4, 32, 1, 64, 2, 32},
                                       {"32x128b.warpx4", 32, 4, 32, 1, 0, 4, 32}};

/* A word of what is written: 16 elements of 6 or 4 bits become a byte each, its bits 5:0 or 5:2. */
static uint32_t word_of(const uint8_t *chunk, unsigned word, unsigned unpack) {
  const unsigned low = unpack == 2 ? 2 : 0, bits = unpack == 2 ? 4 : 6;
  uint32_t value = 0;
  for (unsigned b = 32 * word; b < 32 * word + 32; b++) {
    const unsigned in = b % 8, at = unpack == 0 ? b : b / 8 * bits + in - low;
    const bool there = unpack == 0 || (in >= low && in < 6);
    value |= (there ? (uint32_t)(chunk[at / 8] >> at % 8 & 1) : 0) << b % 32;
  }
  return value;
}

static void copied(pr_gen_t *g, const trait_t *t, unsigned unpack, const umma_matrix_t *m,
                   unsigned step, unsigned first, unsigned z) {
  unsigned number;
  for (unsigned k = 0; k < t->rows * t->words * t->copies * g->ctas; k++) {
    const unsigned w = k % t->words, r = k / t->words % t->rows,
                   cta = k / t->words / t->rows % g->ctas;
    const unsigned copy = k / t->words / t->rows / g->ctas;
    const unsigned lane = r % t->inner * t->low + r / t->inner * t->high + copy * t->apart + z;
    const uint8_t *chunk =
        g->shared[cta] + umma_place(m, r, (32 * step + w / 4 * 16) / m->size, &number);
    g->word[cta][lane][first + w] = word_of(chunk, w % 4, unpack);
    g->known[lane][first + w] = true;
  }
}

/* Rows of the operand, or of another layout of the region's bytes. */
void pr_copy_to(pr_gen_t *g, unsigned issuer, unsigned shape, unsigned unpack, unsigned region,
                const umma_matrix_t *m, unsigned step, unsigned first) {
  static const char *const unpacks[] = {"", ".b8x16.b6x16_p32", ".b8x16.b4x16_p64"};
  const trait_t *t = &traits[shape];
  const unsigned k = pr_alloc_of(g, first), z = shape == 1 ? pr_below(g, 32) : 0;
  const pr_command_t c = {.type = shape == 1 ? PR_CP4 : PR_CP};
  pr_warp_t *w = &g->warp[issuer];
  char what[64], operands[32];
  pr_use_region(g, issuer, region);
  pr_before_command(g, issuer, &c, PR_WRITES, first, t->words, 15);
  const unsigned j = w->commands;
  pr_prepare(g, issuer, "\tadd.u32 %%d%u, %%ta%u, %u;\n\tadd.u64 %%da%u, %%md, %llu;\n", j, k,
             (z << 16) + first - g->alloc[k].first, j, (unsigned long long)umma_step(m, step));
  (void)snprintf(what, sizeof what, "tcgen05.cp.cta_group::1.%s%s", t->name, unpacks[unpack]);
  (void)snprintf(operands, sizeof operands, "[%%d%u], %%da%u", j, j);
  pr_issue(g, issuer, what, operands);
  w->command[++w->cmds] = c;
  pr_after_command(g, issuer, PR_WRITES, first, t->words, 15);
  g->region[region].read[issuer] = w->cmds;
  copied(g, t, unpack, m, step, first, z);
}

static unsigned issuer_near(pr_gen_t *g) {
  return g->has_last && pr_chance(g, 50) ? g->last_issuer : pr_below(g, g->warps);
}

bool pr_copy(pr_gen_t *g) {
  const unsigned shape = pr_below(g, SHAPES), unpack = pr_chance(g, 60) ? 0 : pr_below(g, 3);
  int first = pr_near(g, traits[shape].words);
  first = first >= 0 ? first : pr_columns(g, traits[shape].words, PR_BITS, 1);
  if (g->regions == 0 || first < 0) {
    return false;
  }
  const unsigned region = pr_below(g, g->regions), issuer = issuer_near(g);
  const pr_region_t *r = &g->region[region];
  umma_matrix_t m = {.pattern = &umma_patterns[pr_below(g, UMMA_PATTERNS)],
                     .rows = traits[shape].rows < 8 ? 8 : traits[shape].rows,
                     .steps = 1,
                     .size = 1};
  m.wide = pr_chance(g, 50);
  m.base = m.pattern->code != 0 && pr_chance(g, 30) ? pr_below(g, 8) : 0;
  umma_lay_out(&m, r->begin);
  if (m.bytes > r->bytes) {
    return false;
  }
  pr_copy_to(g, issuer, shape, unpack, region, &m, 0, (unsigned)first);
  for (unsigned c = 0; c < traits[shape].words; c++) {
    g->holds[(unsigned)first + c] = PR_BITS;
  }
  return true;
}

bool pr_shift(pr_gen_t *g) {
  int at = pr_near(g, 8);
  at = at >= 0 ? at : pr_columns(g, 8, PR_D_F32, 1);
  const unsigned issuer = issuer_near(g), q = pr_below(g, g->warps);
  const pr_command_t c = {.type = PR_SHIFT};
  char operands[32];
  if (at < 0 || g->warp[issuer].cmds == PR_COMMANDS) {
    return false;
  }
  const unsigned first = (unsigned)at, k = pr_alloc_of(g, first);
  pr_warp_t *w = &g->warp[issuer];
  pr_before_command(g, issuer, &c, PR_WRITES, first, 8, 1u << q);
  (void)snprintf(operands, sizeof operands, "[%%d%u]", w->commands);
  pr_prepare(g, issuer, "\tadd.u32 %%d%u, %%ta%u, %u;\n", w->commands, k,
             (q << 21) + first - g->alloc[k].first);
  pr_issue(g, issuer, "tcgen05.shift.cta_group::1.down", operands);
  w->command[++w->cmds] = c;
  pr_after_command(g, issuer, PR_WRITES, first, 8, 1u << q);
  for (unsigned n = 0; n < 8 * 31 * g->ctas; n++) {
    const unsigned lane = 32 * q + n / 8 % 31, column = first + n % 8, cta = n / 8 / 31;
    g->word[cta][lane][column] = g->word[cta][lane + 1][column];
    g->known[lane][column] = g->known[lane + 1][column];
  }
  return true;
}
