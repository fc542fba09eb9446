/* sums.c: what a product makes of D, an element at a time, by the rule of tests/unit/lower/umma_rule.h. */
#include "tests/products/gen.h"
#include "tests/unit/lower/umma_rule.h"

static uint32_t a_of[PR_ROWS][PR_PER_STEP], b_of[PR_COLUMNS][PR_PER_STEP];

unsigned pr_per_step(const pr_product_t *p) {
  return p->scaled > 1 ? 64 : p->scaled == 1 ? 32 : 32 / umma_kinds[p->kind].size;
}

unsigned pr_lane_of(const pr_product_t *p, unsigned row) {
  return p->command.m == PR_ROWS ? row : 32 * (row / 16) + row % 16 + p->command.z;
}

/* Element k of a row of A in tensor memory: of a byte or less in a byte, of 4 bits in its bits 5:2; two in a byte. */
static uint32_t in_words(const pr_product_t *p, const uint32_t *word, unsigned k) {
  const bool halves = p->scaled > 1;
  const unsigned takes = halves ? 4 : 8 * (p->scaled != 0 ? 1 : umma_kinds[p->kind].size);
  const unsigned at = k * takes, low = !halves && p->a_type->bits == 4 ? 2 : 0;
  return word[at / 32] >> (at % 32 + low) & (uint32_t)((UINT64_C(1) << p->a_type->bits) - 1);
}

static void gather(const pr_gen_t *g, const pr_product_t *p, unsigned cta) {
  const unsigned count = pr_per_step(p);
  for (unsigned k = 0; k < count; k++) {
    for (unsigned row = 0; row < p->command.m && pr_lane_of(p, row) < 32 * g->warps; row++) {
      const uint32_t bits =
          p->tensor_a ? in_words(p, &g->word[cta][pr_lane_of(p, row)][p->a_at], k)
                      : pr_element(g, cta, &g->region[p->a_region], row, p->a_step * count + k);
      a_of[row][k] = bits ^ (uint32_t)p->negate_a << (p->a_type->bits - 1);
    }
    for (unsigned row = 0; row < p->command.n; row++) {
      b_of[row][k] = pr_element(g, cta, &g->region[p->b_region], row, p->b_step * count + k) ^
                     (uint32_t)p->negate_b << (p->b_type->bits - 1);
    }
  }
}

static uint8_t byte_of(uint32_t word, unsigned n) { return (uint8_t)(word >> 8 * n); }

/* Scale words: of a row of A and of one of B, as the row's quarter has them. */
static uint32_t scaled(const pr_gen_t *g, const pr_product_t *p, unsigned cta, unsigned row,
                       unsigned column, uint32_t c) {
  const uint32_t a = g->word[cta][row][p->sa + row / 32];
  const uint32_t b = g->word[cta][row / 32 * 32 + column % 32][p->sb + column / 32];
  uint8_t x[4], y[4];
  if (p->scaled == 1) {
    return umma_rule_scaled(p->a_type, p->b_type, a_of[row], b_of[column], byte_of(a, p->a_id),
                            byte_of(b, p->b_id), c);
  }
  for (unsigned n = 0; n < 4; n++) {
    x[n] = byte_of(a, p->scaled == 3 ? n : p->a_id + n / 2);
    y[n] = byte_of(b, p->scaled == 3 ? n : p->b_id + n / 2);
  }
  return umma_rule_groups(a_of[row], b_of[column], x, y, p->ue4m3, c);
}

static uint32_t element(const pr_gen_t *g, const pr_product_t *p, unsigned cta, unsigned row,
                        unsigned column, uint32_t c) {
  const umma_type_t *d = p->d_type == 0 ? &umma_half : &umma_f32;
  if (p->scaled != 0) {
    return scaled(g, p, cta, row, column, c);
  }
  if (p->d_type == 2) {
    return umma_rule_integer(p->a_type, p->b_type, pr_per_step(p), a_of[row], b_of[column], c,
                             p->saturate);
  }
  return umma_rule_float(p->a_type, p->b_type, pr_per_step(p), a_of[row], b_of[column], d,
                         p->d_type == 0 ? c & 0xffff : c, p->lower);
}

void pr_sum(pr_gen_t *g, const pr_product_t *p) {
  static uint32_t d[PR_ROWS][PR_COLUMNS]; /* D may lie over A */
  for (unsigned cta = 0; cta < g->ctas; cta++) {
    gather(g, p, cta);
    for (unsigned pass = 0; pass < 2; pass++) {
      for (unsigned row = 0; row < p->command.m; row++) {
        const unsigned lane = pr_lane_of(p, row);
        const bool masked = p->masked && (p->mask[lane / 32] >> lane % 32 & 1) != 0;
        for (unsigned n = 0; n < p->command.n && lane < 32 * g->warps && !masked; n++) {
          uint32_t *to = &g->word[cta][lane][p->command.d + n];
          if (pass == 0) {
            d[row][n] = element(g, p, cta, row, n, p->enable ? *to : 0);
          } else {
            *to = d[row][n];
            g->known[lane][p->command.d + n] = true;
          }
        }
      }
    }
  }
}
