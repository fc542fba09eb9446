/* give.c: the text of a product. */
#include <stdio.h>

#include "tests/products/gen.h"

static uint32_t descriptor(const pr_gen_t *g, const pr_product_t *p) {
  const bool mn_a = !p->tensor_a && g->region[p->a_region].m.mn, mn_b = g->region[p->b_region].m.mn;
  const uint32_t negated = (uint32_t)p->negate_a << 13 | (uint32_t)p->negate_b << 14;
  const unsigned n = p->command.n;
  if (p->scaled == 0) {
    return umma_idesc(p->d_type, p->a_type->code, p->b_type->code, mn_a, mn_b, p->command.m, n) |
           negated | (uint32_t)p->saturate << 3;
  }
  return umma_idesc_scaled(p->ue4m3, p->scaled > 1 ? 1 : p->a_type->code,
                           p->scaled > 1 ? 1 : p->b_type->code, mn_a, mn_b, n, p->a_id, p->b_id) |
         negated;
}

/* A register with an address in tensor memory; each command of a burst has its own. */
static void address(pr_gen_t *g, unsigned issuer, const char *reg, unsigned column, unsigned z) {
  const unsigned k = pr_alloc_of(g, column);
  pr_prepare(g, issuer, "\tadd.u32 %%%s%u, %%ta%u, %u;\n", reg, g->warp[issuer].commands, k,
             (z << 16) + column - g->alloc[k].first);
}

static void operand(pr_gen_t *g, unsigned issuer, const char *reg, unsigned region, unsigned step) {
  pr_prepare(g, issuer, "\tadd.u64 %%%s%u, %%md, %llu;\n", reg, g->warp[issuer].commands,
             (unsigned long long)umma_step(&g->region[region].m, step));
}

static void addresses(pr_gen_t *g, const pr_product_t *p, unsigned issuer) {
  address(g, issuer, "d", p->command.d, p->command.z);
  if (p->tensor_a) {
    address(g, issuer, "aa", p->a_at, p->command.z);
  } else {
    operand(g, issuer, "da", p->a_region, p->a_step);
  }
  operand(g, issuer, "db", p->b_region, p->b_step);
  if (p->scaled != 0) {
    address(g, issuer, "sa", p->sa, 0);
    address(g, issuer, "sb", p->sb, 0);
  }
}

/* disable-output-lane. */
static void mask(pr_gen_t *g, const pr_product_t *p, unsigned issuer, char to[64]) {
  const unsigned j = 4 * g->warp[issuer].commands;
  for (unsigned q = 0; q < 4 && p->masked; q++) {
    pr_prepare(g, issuer, "\tmov.b32 %%k%u, %u;\n", j + q, p->mask[q]);
  }
  to[0] = 0;
  if (p->masked) {
    (void)snprintf(to, 64, "{%%k%u, %%k%u, %%k%u, %%k%u}, ", j, j + 1, j + 2, j + 3);
  }
}

static void text(pr_gen_t *g, const pr_product_t *p, unsigned issuer) {
  static const char *const hints[] = {
      "", "", "", ".collector::a::fill", ".collector::a::lastuse", ".collector::a::discard"};
  static const char *const sizes[][2] = {{"", ""},
                                         {"", ".scale_vec::1X"},
                                         {".scale_vec::2X", ".block32"},
                                         {".scale_vec::4X", ".block16"}};
  char what[96], operands[160], a[16], lanes[64], lower[16] = "";
  const unsigned j = g->warp[issuer].commands;
  const char *enable =
      p->enable ? (pr_chance(g, 70) ? "%yes" : "!%no") : (pr_chance(g, 70) ? "%no" : "!%yes");
  const char *hint = hints[pr_below(g, 6)];
  (void)snprintf(a, sizeof a, p->tensor_a ? "[%%aa%u]" : "%%da%u", j);
  (void)snprintf(what, sizeof what, "tcgen05.mma.cta_group::1.kind::%s%s%s%s", p->command.kind,
                 p->scaled != 0 ? ".block_scale" : "", sizes[p->scaled][pr_below(g, 2)], hint);
  pr_prepare(g, issuer, "\tmov.b32 %%i%u, %u;\n", j, descriptor(g, p));
  if (p->scaled != 0) {
    (void)snprintf(operands, sizeof operands, "[%%d%u], %s, %%db%u, %%i%u, [%%sa%u], [%%sb%u], %s",
                   j, a, j, j, j, j, enable);
    pr_issue(g, issuer, what, operands);
    return;
  }
  mask(g, p, issuer, lanes);
  if (p->lower != 0) {
    (void)snprintf(lower, sizeof lower, ", %u", p->lower);
  }
  (void)snprintf(operands, sizeof operands, "[%%d%u], %s, %%db%u, %%i%u, %s%s%s", j, a, j, j, lanes,
                 enable, lower);
  pr_issue(g, issuer, what, operands);
}

void pr_give(pr_gen_t *g, const pr_product_t *p, unsigned issuer) {
  const pr_command_t *c = &p->command;
  const unsigned b_columns = (c->n + 31) / 32;
  pr_warp_t *w = &g->warp[issuer];
  pr_use_region(g, issuer, p->b_region);
  if (p->tensor_a) {
    pr_before_command(g, issuer, c, PR_READS, p->a_at, 8, 15);
  } else {
    pr_use_region(g, issuer, p->a_region);
  }
  if (p->scaled != 0) {
    pr_before_command(g, issuer, c, PR_READS, p->sa, 4, 15);
    pr_before_command(g, issuer, c, PR_READS, p->sb, b_columns, 15);
  }
  pr_before_command(g, issuer, c, PR_ACCUMULATES, c->d, c->n, 15);
  addresses(g, p, issuer);
  text(g, p, issuer);
  w->command[++w->cmds] = *c;
  g->region[p->b_region].read[issuer] = w->cmds;
  if (p->tensor_a) {
    pr_after_command(g, issuer, PR_READS, p->a_at, 8, 15);
  } else {
    g->region[p->a_region].read[issuer] = w->cmds;
  }
  if (p->scaled != 0) {
    pr_after_command(g, issuer, PR_READS, p->sa, 4, 15);
    pr_after_command(g, issuer, PR_READS, p->sb, b_columns, 15);
  }
  pr_after_command(g, issuer, PR_ACCUMULATES, c->d, c->n, 15);
  pr_sum(g, p);
}
