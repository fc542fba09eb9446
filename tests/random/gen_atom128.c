/* gen_atom128.c: atomics of 128 bits, in some programs from edition 7 on: tiny and tiny4 lack them. On own bytes
 * they have any operands and their results are used; on cells all threads write the same. */
#include <stdio.h>

#include "tests/random/gen.h"

static const struct {
  const char *word, *own;
  rc_space_t space;
} k_spaces[] = {{".global", "%own", RC_GLOBAL},
                {".shared", "%sa", RC_SHARED},
                {"", "%own", RC_GENERIC_GLOBAL},
                {"", "%gs", RC_GENERIC_SHARED}};

/* Pairs of rows of the cells that nothing else uses: exch and cas in global memory, whose cells of this kind
 * begin with anything and with zero. */
enum { EXCH_AT = 80, CAS_AT = 96 };

void g_atom128_rows(rc_table_t *t) {
  for (unsigned s = 0; s < 4; s++) {
    rc_add(t, "atom.exch.b128", k_spaces[s].space, 1u << RC_REG | 1u << RC_IMM, RC_ALL_PATHS);
    rc_add(t, "atom.cas.b128", k_spaces[s].space, 1u << RC_REG | 1u << RC_IMM, RC_ALL_PATHS);
  }
}

static const char *order(gen_t *g) {
  static const char *const orders[] = {
      "", "", ".relaxed.gpu", ".acq_rel.cta", ".acquire.sys", ".release.gpu"};
  return orders[g_below(g, 6)];
}

/* %y0 or %y1 := two registers of 64 bits. */
static void value(gen_t *g, unsigned y) {
  const char *low = g_reg(g, 'x'), *high = g_reg(g, 'x');
  g_raw(g, "\tmov.b128 %%y%u, {%s, %s};", y, low, high);
}

static void on_own(gen_t *g, bool cas, unsigned s) {
  const bool shared = k_spaces[s].space == RC_SHARED || k_spaces[s].space == RC_GENERIC_SHARED;
  const unsigned at = 16 * g_below(g, (shared ? (unsigned)G_SHARED : (unsigned)G_OWN) / 16);
  const bool found = cas && g_chance(g, 50), constant = g_chance(g, 25), sink = g_chance(g, 15);
  const unsigned d = g_below(g, 2);
  char b[32], c[32] = "", result[8] = "_";
  value(g, 0);
  value(g, 1);
  if (found) { /* cas finds what it looks for */
    g_raw(g, "\tld%s.b128 %%y0, [%s+%u];", k_spaces[s].word, k_spaces[s].own, at);
  }
  (void)snprintf(b, sizeof b, "%s", constant && !found ? g_constant(g, 'x', false) : "%y0");
  if (cas) {
    (void)snprintf(c, sizeof c, ", %s", constant && found ? g_constant(g, 'x', false) : "%y1");
  }
  if (!sink) {
    (void)snprintf(result, sizeof result, "%%y%u", d);
  }
  g_op_as(g, cas ? "atom.cas.b128" : "atom.exch.b128", k_spaces[s].space,
          constant ? RC_IMM : RC_REG, "atom%s%s.%s.b128 %s, [%s+%u], %s%s", order(g),
          k_spaces[s].word, cas ? "cas" : "exch", result, k_spaces[s].own, at, b, c);
  if (!sink) {
    const unsigned first = g_below(g, G_X);
    g_raw(g, "\t%smov.b128 {%%x%u, %%x%u}, %%y%u;", g->guard, first, (first + 1) % G_X, d);
  }
}

/* Threads meet; what they get is not looked at. */
static void on_cells(gen_t *g, bool cas, bool generic) {
  const bool sink = g_chance(g, 50);
  char what[32];
  if (cas) {
    g_raw(g, "\tmov.b64 %%b, %u;\n\tmov.b128 %%y0, {%%b, %%b};", g->cas);
    (void)snprintf(what, sizeof what, "0, %%y0");
  } else {
    (void)snprintf(what, sizeof what, "%u", g->exch);
  }
  g_raw(g, "\tand.b32 %%t0, %s, 3;\n\tmul.lo.u32 %%t0, %%t0, %u;", g_reg(g, 'w'), 8 * G_CELL_ROWS);
  g_raw(g, "\tcvt.u64.u32 %%a, %%t0;\n\tadd.u64 %%a, %%a, %s;", cas ? "%zcell" : "%cell");
  g_op_as(g, cas ? "atom.cas.b128" : "atom.exch.b128", generic ? RC_GENERIC_GLOBAL : RC_GLOBAL,
          RC_IMM, "atom%s%s.%s.b128 %s, [%%a+%u], %s", order(g), generic ? "" : ".global",
          cas ? "cas" : "exch", sink ? "_" : "%y1", cas ? (unsigned)CAS_AT : (unsigned)EXCH_AT,
          what);
}

void g_atom128(gen_t *g) {
  const bool cas = g_chance(g, 60), own = g_chance(g, 65);
  const unsigned s = g_below(g, 4);
  if (own) {
    on_own(g, cas, s);
  } else {
    on_cells(g, cas, s % 2 != 0);
  }
}
