/* cells.c: orders by columns of quarters. The pipelines of PTX 9.7.16.6.2 need nothing between: of one thread product
 * after product with the same accumulator, shape and kind; copy, then product; shift, then product or copy of 4x256b;
 * product, then shift. */
#include "tests/products/gen.h"

typedef struct needs {
  uint32_t cmd[PR_WARPS], st[PR_WARPS], ld[PR_WARPS];
} needs_t;

static void at_least(uint32_t *to, uint32_t n) { *to = n > *to ? n : *to; }

static void meet_needs(pr_gen_t *g, unsigned warp, const needs_t *n) {
  for (unsigned v = 0; v < g->warps; v++) {
    pr_know_command(g, warp, v, n->cmd[v]);
    pr_know_stores(g, warp, v, n->st[v]);
    pr_know_loads(g, warp, v, n->ld[v]);
  }
}

/* ---- loads and stores; quarter and warp have one number */
void pr_before_access(pr_gen_t *g, unsigned warp, unsigned first, unsigned n, bool store) {
  needs_t need = {0};
  bool loads = false, stores = false;
  for (unsigned c = first; c < first + n; c++) {
    const pr_cell_t *cell = &g->cell[c][warp];
    for (unsigned v = 0; v < g->warps; v++) {
      at_least(&need.cmd[v], cell->wrote[v]);
      at_least(&need.cmd[v], store ? cell->read[v] : 0);
    }
    stores = stores || cell->st > g->warp[warp].waited_st;
    loads = loads || (store && cell->ld > g->warp[warp].waited_ld);
  }
  meet_needs(g, warp, &need);
  pr_settle(g, warp, loads, stores);
}

void pr_after_access(pr_gen_t *g, unsigned warp, unsigned first, unsigned n, bool store) {
  pr_warp_t *w = &g->warp[warp];
  for (unsigned c = first; c < first + n; c++) {
    if (store) {
      g->cell[c][warp].st = w->sts;
    } else {
      g->cell[c][warp].ld = w->lds;
    }
  }
}

/* ---- commands */
static bool same_accumulator(const pr_command_t *a, const pr_command_t *b) {
  return a->d == b->d && a->m == b->m && a->n == b->n && a->z == b->z && a->kind == b->kind;
}

static bool pipelined(const pr_command_t *a, const pr_command_t *b, pr_role_t role) {
  if (b->type == PR_MMA) {
    return a->type != PR_MMA || (role == PR_ACCUMULATES && same_accumulator(a, b));
  }
  return b->type == PR_SHIFT ? a->type == PR_MMA : b->type == PR_CP4 && a->type == PR_SHIFT;
}

/* Behind commands that have read: those that all readers' types precede. */
static bool pipelined_readers(unsigned readers, const pr_command_t *b) {
  return b->type == PR_SHIFT ? readers == 1u << PR_MMA
                             : b->type != PR_CP && readers == 1u << PR_SHIFT;
}

void pr_before_command(pr_gen_t *g, unsigned warp, const pr_command_t *command, pr_role_t role,
                       unsigned first, unsigned n, unsigned quarters) {
  needs_t need = {0};
  for (unsigned k = 0; k < 4 * n; k++) {
    const unsigned q = k % 4;
    const pr_cell_t *cell = &g->cell[first + k / 4][q];
    for (unsigned v = 0; v < g->warps && (quarters >> q & 1) != 0; v++) {
      const pr_command_t *before = &g->warp[v].command[cell->wrote[v]];
      if (cell->wrote[v] != 0 && (v != warp || !pipelined(before, command, role))) {
        at_least(&need.cmd[v], cell->wrote[v]);
      }
      if (role != PR_READS && (v != warp || !pipelined_readers(cell->readers, command))) {
        at_least(&need.cmd[v], cell->read[v]);
      }
    }
    if ((quarters >> q & 1) != 0 && q < g->warps) {
      at_least(&need.st[q], cell->st);
      at_least(&need.ld[q], role != PR_READS ? cell->ld : 0);
    }
  }
  meet_needs(g, warp, &need);
}

void pr_after_command(pr_gen_t *g, unsigned warp, pr_role_t role, unsigned first, unsigned n,
                      unsigned quarters) {
  const uint32_t number = g->warp[warp].cmds;
  const pr_command_type_t type = g->warp[warp].command[number].type;
  for (unsigned k = 0; k < 4 * n; k++) {
    pr_cell_t *cell = &g->cell[first + k / 4][k % 4];
    if ((quarters >> k % 4 & 1) == 0) {
      continue;
    }
    if (role == PR_READS) {
      cell->read[warp] = number;
      cell->readers |= 1u << type;
      continue;
    }
    for (unsigned v = 0; v < PR_WARPS; v++) {
      cell->wrote[v] = cell->read[v] = 0;
    }
    cell->wrote[warp] = number;
    cell->readers = 0;
  }
}

/* All that has touched the columns is over, and the warp knows. */
void pr_before_free(pr_gen_t *g, unsigned warp, unsigned first, unsigned n) {
  needs_t need = {0};
  for (unsigned k = 0; k < 4 * n; k++) {
    const pr_cell_t *cell = &g->cell[first + k / 4][k % 4];
    for (unsigned v = 0; v < g->warps; v++) {
      at_least(&need.cmd[v], cell->wrote[v]);
      at_least(&need.cmd[v], cell->read[v]);
    }
    if (k % 4 < g->warps) {
      at_least(&need.st[k % 4], cell->st);
      at_least(&need.ld[k % 4], cell->ld);
    }
  }
  meet_needs(g, warp, &need);
}
