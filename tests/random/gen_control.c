/* gen_control.c: blocks of statements, branches, loops, tables, calls. Every loop has a counter of
 * its own with at most four turns. Where the set of lanes is known before a branch, the parts
 * behind it get theirs by vote or match, so that lanes can exchange inside of divergent code. */
#include <string.h>

#include "tests/random/gen.h"

void g_control_rows(rc_table_t *t) {
  unsigned all = RC_ALL_PATHS & ~(1u << RC_PREDICATED), one = 1u << RC_REG;
  static const char *const moves[] = {"mov.b16", "mov.b32",  "mov.b64",
                                      "mov.f32", "mov.pred", "mov.u32"};
  static const unsigned classes[] = {3, 3 | 1u << RC_VECTOR, 3 | 1u << RC_VECTOR, 3,
                                     1, 1u << RC_SPECIAL};
  for (unsigned i = 0; i < 6; i++) {
    rc_add(t, moves[i], RC_NONE, classes[i], RC_ALL_PATHS);
  }
  rc_add(t, "bra", RC_NONE, one, 1u << RC_IF | 1u << RC_LOOP | 1u << RC_CALL | 1u << RC_PREDICATED);
  rc_add(t, "bra.uni", RC_NONE, one, 1u << RC_PREDICATED);
  rc_add(t, "brx.idx", RC_NONE, one, all);
  rc_add(t, "call", RC_NONE, one, RC_ALL_PATHS);
  rc_add(t, "call.uni", RC_NONE, one, all & ~(1u << RC_IF));
  rc_add(t, "call.indirect", RC_NONE, one, all & ~(1u << RC_CALL));
  rc_add(t, "call.recursive", RC_NONE, one, all & ~(1u << RC_CALL));
  rc_add(t, "ret", RC_NONE, one, 1u << RC_PREDICATED | 1u << RC_CALL);
  rc_add(t, "exit", RC_NONE, one, 1u << RC_PREDICATED);
}

/* ---- conditions ---- */
/* Into %q0; differs between lanes as a rule. */
static void lane_condition(gen_t *g) {
  const char *a, *b;
  unsigned bit;
  switch (g_below(g, 4)) {
  case 0:
    g_raw(g, "\tsetp.lt.u32 %%q0, %%lane, %u;", 1 + g_below(g, 31));
    break;
  case 1:
    bit = g_below(g, 5);
    a = g_reg(g, 'w');
    g_raw(g, "\tand.b32 %%t0, %s, %u;\n\tsetp.eq.u32 %%q0, %%t0, 0;", a, 1u << bit);
    break;
  case 2:
    b = g_reg(g, 'w');
    a = g_reg(g, 'w');
    g_raw(g, "\tsetp.gt.s32 %%q0, %s, %s;", a, b);
    break;
  default:
    g_raw(g, "\tmov.pred %%q0, %s;", g_reg(g, 'p'));
    break;
  }
}

static unsigned new_mask(gen_t *g) { return g->next_mask++; }
static bool masks_left(const gen_t *g) { return g->next_mask + 8 < G_MASKS; }

static void inner(gen_t *g, g_scope_t outer, bool known, unsigned mask) {
  g->sc = outer;
  g->sc.full = false;
  g->sc.divergent = true;
  g->sc.known = known;
  g->sc.mask = mask;
}

/* ---- if ---- */
static void branch_if(gen_t *g, unsigned to, bool negative) {
  (void)snprintf(g->guard, sizeof g->guard, negative ? "@!%%q0 " : "@%%q0 ");
  g_op(g, RC_NONE, RC_REG, "bra L%u", to);
  g->guard[0] = 0;
}

static void divergent_if(gen_t *g) {
  g_scope_t outer = g->sc;
  bool known = outer.known && masks_left(g) && g_chance(g, 75), other = g_chance(g, 60);
  unsigned then = 0, otherwise = 0, l_else = g->next_label++, l_end = g->next_label++;
  lane_condition(g);
  if (known) {
    then = new_mask(g);
    otherwise = new_mask(g);
    g_raw(g, "\tvote.sync.ballot.b32 %%m%u, %%q0, %%m%u;", then, outer.mask);
    g_raw(g, "\txor.b32 %%m%u, %%m%u, %%m%u;", otherwise, then, outer.mask);
  }
  branch_if(g, l_else, true);
  inner(g, outer, known, then);
  g_block(g, 5);
  if (other) {
    g_op(g, RC_NONE, RC_REG, "bra L%u", l_end);
    g_label(g, l_else);
    inner(g, outer, known, otherwise);
    g_block(g, 5);
    g_label(g, l_end);
  } else {
    g_label(g, l_else);
  }
  g->sc = outer;
}

/* The same for all threads of the CTA, or of the warp. */
static void uniform_if(gen_t *g) {
  g_scope_t outer = g->sc;
  unsigned end = g->next_label++;
  bool cta = g_chance(g, 60);
  if (cta) {
    g_raw(g, "\tmov.u32 %%t0, %%ctaid.x;\n\tand.b32 %%t0, %%t0, %u;", 1u << g_below(g, 2));
  } else {
    g_raw(g, "\tand.b32 %%t0, %%wi, %u;", 1u << g_below(g, 2));
    g->sc.full = false;
  }
  g_raw(g, "\tsetp.ne.u32 %%q0, %%t0, 0;");
  (void)snprintf(g->guard, sizeof g->guard, "@%%q0 ");
  g_op(g, RC_NONE, RC_REG, g->function < 0 && cta ? "bra.uni L%u" : "bra L%u", end);
  g->guard[0] = 0;
  g_block(g, 4);
  g_label(g, end);
  g->sc = outer;
}

/* ---- loops ---- */
static unsigned new_counter(gen_t *g) { return g->next_counter++; }

static void leave_some(gen_t *g, unsigned to, unsigned live) {
  lane_condition(g);
  if (g->sc.known) {
    g_raw(g, "\tvote.sync.ballot.b32 %%t6, %%q0, %%m%u;\n\txor.b32 %%m%u, %%m%u, %%t6;", g->sc.mask,
          live, g->sc.mask);
    g->sc.mask = live;
  }
  branch_if(g, to, false);
}

static void divergent_loop(gen_t *g) {
  g_scope_t outer = g->sc;
  bool known = outer.known && masks_left(g) && g_chance(g, 75), head = g_chance(g, 50);
  unsigned counter = new_counter(g), top = g->next_label++, next = g->next_label++;
  unsigned end = g->next_label++, mask = known ? new_mask(g) : 0, rest = known ? new_mask(g) : 0;
  g_raw(g, "\tand.b32 %%l%u, %s, 3;\n\tmov.u32 %%c%u, 0;", counter, g_reg(g, 'w'), counter);
  if (known) {
    g_raw(g, "\tmov.b32 %%m%u, %%m%u;", mask, outer.mask);
  }
  g_label(g, top);
  g->loops++;
  inner(g, outer, known, mask);
  if (head) {
    g_raw(g, "\tsetp.ge.u32 %%q0, %%c%u, %%l%u;", counter, counter);
    if (known) {
      g_raw(g, "\tvote.sync.ballot.b32 %%t6, %%q0, %%m%u;\n\txor.b32 %%m%u, %%m%u, %%t6;", mask,
            mask, mask);
    }
    branch_if(g, end, false);
  }
  g_block(g, 4);
  if (g_chance(g, 30)) { /* break: those lanes are not in the loop's mask any more */
    leave_some(g, end, mask);
    g_block(g, 2);
  }
  if (g_chance(g, 30)) { /* continue */
    leave_some(g, next, rest);
    g_block(g, 2);
  }
  g_label(g, next);
  g_raw(g, "\tadd.u32 %%c%u, %%c%u, 1;", counter, counter);
  if (head) {
    g_op(g, RC_NONE, RC_REG, "bra L%u", top);
  } else {
    g_raw(g, "\tsetp.le.u32 %%q0, %%c%u, %%l%u;", counter, counter);
    if (known) {
      g_raw(g, "\tvote.sync.ballot.b32 %%m%u, %%q0, %%m%u;", mask, mask);
    }
    branch_if(g, top, false);
  }
  g_label(g, end);
  g->loops--;
  g->sc = outer;
}

static void uniform_loop(gen_t *g) {
  unsigned counter = new_counter(g), top = g->next_label++;
  g_raw(g, "\tmov.u32 %%c%u, %u;", counter, 1 + g_below(g, 3));
  g_label(g, top);
  g->loops++;
  g_block(g, 4);
  g_raw(g, "\tsub.u32 %%c%u, %%c%u, 1;\n\tsetp.ne.u32 %%q0, %%c%u, 0;", counter, counter, counter);
  branch_if(g, top, false);
  g->loops--;
}

/* ---- tables ---- */
static void table(gen_t *g) {
  g_scope_t outer = g->sc;
  unsigned arms = 2 + g_below(g, 3), first = g->next_label, name = first + arms + 1;
  bool known = outer.known && masks_left(g) && g_chance(g, 75), shared = g_chance(g, 30);
  unsigned mask = known ? new_mask(g) : 0;
  g->next_label = name + 1;
  g_raw(g, "\trem.u32 %%t5, %s, %u;", g_reg(g, 'w'), arms);
  if (known) {
    g_raw(g, "\tmatch.any.sync.b32 %%m%u, %%t5, %%m%u;", mask, outer.mask);
  }
  /* One more entry than arms, if shared: no index reaches it. */
  char list[128];
  int n = 0;
  for (unsigned i = 0; i < arms + (shared ? 1u : 0u); i++) {
    n += snprintf(list + n, sizeof list - (size_t)n, "%sL%u", i != 0 ? ", " : "",
                  first + (i < arms ? i : 0));
  }
  g_raw(g, "T%u: .branchtargets %s;", name, list);
  g_op(g, RC_NONE, RC_REG, "brx.idx %%t5, T%u", name);
  for (unsigned i = 0; i < arms; i++) {
    g_label(g, first + i);
    inner(g, outer, known, mask);
    g_block(g, 3);
    if (i + 1 < arms && g_chance(g, 75)) {
      g_op(g, RC_NONE, RC_REG, "bra L%u", first + arms);
    } else if (i + 1 < arms) { /* falls into the next arm: whose lanes come there nobody knows */
      known = false;
    }
  }
  g_label(g, first + arms);
  g->sc = outer;
}

/* ---- calls ---- */
/* The arguments that differ from call to call. */
typedef struct values {
  const char *w, *x, *f;
} values_t;

static values_t values(gen_t *g) {
  values_t v;
  v.f = g_reg(g, 'f');
  v.x = g_reg(g, 'x');
  v.w = g_reg(g, 'w');
  return v;
}

static void call_one(gen_t *g, unsigned f) {
  bool some = f < 2 && g_chance(g, 40), uniform = !some && g->sc.full && g_chance(g, 50);
  if (some) { /* for the others the result stays what it is */
    lane_condition(g);
    g_raw(g, "\tmov.b64 %%rx, %s;", g_reg(g, 'x'));
    (void)snprintf(g->guard, sizeof g->guard, g_chance(g, 50) ? "@%%q0 " : "@!%%q0 ");
  }
  values_t v = values(g);
  g_op(g, RC_NONE, RC_REG,
       "call%s (%%rx), f%u, (%s, %s, %s, %%own, %%in, %%cell, %%zcell, %%sa, %%m%u)",
       uniform ? ".uni" : "", f, v.w, v.x, v.f, g->sc.known ? g->sc.mask : 0);
  g->guard[0] = 0;
}

static void through_parameters(gen_t *g, unsigned f) {
  g_raw(g,
        "\t{\n\t.param .b32 b0, b7, b8;\n\t.param .b64 b1, b3, b4, b5, b6, b9;\n\t.param .f32 b2;");
  values_t v = values(g);
  g_raw(g, "\tst.param.b32 [b0], %s;\n\tst.param.b64 [b1], %s;\n\tst.param.f32 [b2], %s;", v.w, v.x,
        v.f);
  g_raw(g, "\tst.param.b64 [b3], %%own;\n\tst.param.b64 [b4], %%in;\n\tst.param.b64 [b5], %%cell;");
  g_raw(g, "\tst.param.b64 [b6], %%zcell;\n\tst.param.b32 [b7], %%sa;\n\tst.param.b32 [b8], %%m%u;",
        g->sc.known ? g->sc.mask : 0);
  g_op(g, RC_NONE, RC_REG, "call (b9), f%u, (b0, b1, b2, b3, b4, b5, b6, b7, b8)", f);
  g_raw(g, "\tld.param.b64 %%rx, [b9];\n\t}");
}

/* One of two functions, chosen by each lane: f0 and f1 never need lanes to meet. */
static void indirect_call(gen_t *g) {
  lane_condition(g);
  g_raw(g, "\tmov.u64 %%a, f0;\n\tmov.u64 %%b, f1;\n\tselp.b64 %%a, %%a, %%b, %%q0;");
  values_t v = values(g);
  g_op_as(g, "call.indirect", RC_NONE, RC_REG,
          "call (%%rx), %%a, (%s, %s, %s, %%own, %%in, %%cell, %%zcell, %%sa, 0), proto", v.w, v.x,
          v.f);
}

void g_call(gen_t *g) {
  unsigned f = g_below(g, g->functions != 0 ? g->functions : 1);
  if (g->vector && (g->functions == 0 || g_chance(g, 25))) {
    bool some = g_chance(g, 40);
    if (some) {
      lane_condition(g);
    }
    g_vector_call(g, some ? "@%q0 " : "");
    return;
  }
  if (g->function < 0 && g->recursive && g_chance(g, 20)) {
    g_raw(g, "\tand.b32 %%t0, %s, 7;", g_reg(g, 'w'));
    g_op_as(g, "call.recursive", RC_NONE, RC_REG, "call (%%rw), again, (%%t0, %s)", g_reg(g, 'w'));
    g_raw(g, "\tmov.b32 %s, %%rw;", g_reg(g, 'w'));
    return;
  }
  /* f0, f1 need nothing, f2 a mask, f3 all threads */
  f = f >= 2 && !g->sc.known ? f % 2 : f >= 3 && !g->sc.full ? 2 : f;
  if (g->function < 0 && g->indirect && g_chance(g, 30)) {
    indirect_call(g);
  } else if (g_chance(g, 50)) {
    through_parameters(g, f);
  } else {
    call_one(g, f);
  }
  const char *x = g_reg(g, 'x'), *w = g_reg(g, 'w');
  g_raw(g, "\tcvt.u32.u64 %s, %%rx;\n\tmov.b64 %s, %%rx;", w, x);
}

/* ---- leaving early ---- */
static void leave_program(gen_t *g) {
  lane_condition(g);
  (void)snprintf(g->guard, sizeof g->guard, g_chance(g, 50) ? "@%%q0 " : "@!%%q0 ");
  if (g_chance(g, 50)) {
    g_op(g, RC_NONE, RC_REG, "bra DUMP");
  } else if (g_chance(g, 50)) {
    g_op(g, RC_NONE, RC_REG, "exit");
  } else {
    g_op(g, RC_NONE, RC_REG, "ret");
  }
  g->guard[0] = 0;
  g->sc.known = false;
}

/* ---- statements ---- */
static void small(gen_t *g) {
  bool guard = g_chance(g, 22);
  if (guard) {
    const char *p = g_reg(g, 'p');
    (void)snprintf(g->guard, sizeof g->guard, "@%s%s ", g_not(g, 40), p);
  }
  unsigned dice = g_below(g, 100);
  for (unsigned more = dice < 48 ? g_below(g, 10) : 0; more != 0; more--) {
    g_arith(g);
  }
  dice < 48                                            ? g_arith(g)
  : dice < 56                                          ? g_move(g)
  : dice < 82                                          ? g_memory(g)
  : dice < (g->edition > RG_FIRST_EDITION ? 94u : 96u) ? g_atomic(g)
                                                       : g_fence(g);
  g->guard[0] = 0;
}

static void compound(gen_t *g) {
  unsigned dice = g_below(g, 100);
  bool loop = g->loops < (g->function < 0 ? 2u : 1u) && g->next_counter < G_COUNTERS;
  if (dice < 35) {
    divergent_if(g);
  } else if (dice < 45) {
    uniform_if(g);
  } else if (dice < 65 && loop) {
    divergent_loop(g);
  } else if (dice < 72 && loop) {
    uniform_loop(g);
  } else if (dice < 84) {
    table(g);
  } else if (g->functions != 0 || g->vector) {
    g_call(g);
  } else {
    divergent_if(g);
  }
}

void g_statement(gen_t *g) {
  if (g->budget == 0) {
    return;
  }
  g->budget--;
  g->since_barrier += g->since_barrier != 0;
  unsigned dice = g_below(g, 100);
  if (g->tail && g->function < 0 && dice < 12) {
    leave_program(g);
  } else if (g->sc.known && dice < 22) {
    g_exchange(g);
  } else if (g->sc.full && !g->tail && dice < 30) {
    g_barrier(g);
  } else if (dice < 46 && g->depth < 4) {
    g->depth++;
    compound(g);
    g->depth--;
  } else {
    small(g);
  }
}

void g_block(gen_t *g, unsigned most) {
  for (unsigned n = 1 + g_below(g, most); n != 0; n--) {
    g_statement(g);
  }
}
