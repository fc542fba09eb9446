/* gen_warp.c: exchange between the lanes of a known set, and barriers where all threads come. A
 * value read from a lane outside of the set is undefined, so there it is replaced. */
#include <string.h>

#include "tests/random/gen.h"

static const char *const k_exchange[] = {
    "shfl.sync.up.b32",   "shfl.sync.down.b32", "shfl.sync.bfly.b32", "shfl.sync.idx.b32",
    "vote.sync.all.pred", "vote.sync.any.pred", "vote.sync.uni.pred", "vote.sync.ballot.b32",
    "match.any.sync.b32", "match.any.sync.b64", "match.all.sync.b32", "match.all.sync.b64",
    "redux.sync.add.u32", "redux.sync.add.s32", "redux.sync.min.u32", "redux.sync.max.u32",
    "redux.sync.min.s32", "redux.sync.max.s32", "redux.sync.and.b32", "redux.sync.or.b32",
    "redux.sync.xor.b32", "elect.sync",         "bar.warp.sync",      "activemask.b32"};
enum { EXCHANGES = sizeof k_exchange / sizeof k_exchange[0] };

static const char *const k_barriers[] = {
    "bar.sync",        "barrier.sync",         "bar.red.popc.u32",     "bar.red.and.pred",
    "bar.red.or.pred", "barrier.red.popc.u32", "barrier.red.and.pred", "barrier.red.or.pred",
    "bar.arrive",      "barrier.arrive",       "barrier.sync.aligned", "bar.cta.sync"};
enum { BARRIERS = sizeof k_barriers / sizeof k_barriers[0] };

static void matrix_name(char *to, size_t cap, bool store, unsigned log, bool trans) {
  (void)snprintf(to, cap, "%s.x%u%s", store ? "stmatrix" : "ldmatrix", 1u << log,
                 trans ? ".trans" : "");
}

void g_warp_rows(rc_table_t *t) {
  for (unsigned i = 0; i < EXCHANGES; i++) {
    unsigned classes = 1u << RC_REG | (i < 4 ? 1u << RC_IMM : 0);
    rc_add(t, k_exchange[i], RC_NONE, classes, RC_ALL_PATHS & ~(1u << RC_PREDICATED));
  }
  unsigned converged = 1u << RC_CONVERGED | 1u << RC_LOOP | 1u << RC_BARRIER | 1u << RC_CALL;
  for (unsigned i = 0; i < BARRIERS; i++) {
    unsigned classes = 1u << RC_REG | 1u << RC_IMM;
    bool arrive = strstr(k_barriers[i], "arrive") != NULL;
    rc_add(t, k_barriers[i], RC_NONE, arrive ? 1u << RC_IMM : classes,
           arrive ? (unsigned)RC_ALL_PATHS & 1u << RC_PREDICATED : converged);
  }
  unsigned whole = converged & ~(1u << RC_CALL);
  for (unsigned v = 0; v < 24; v++) {
    char form[RC_FORM];
    matrix_name(form, sizeof form, v % 2 != 0, v / 2 % 3, v / 6 % 2 != 0);
    rc_add(t, form, v / 12 != 0 ? RC_GENERIC_SHARED : RC_SHARED, 1u << RC_VECTOR, whole);
  }
  rc_add(t, "movmatrix", RC_NONE, 1u << RC_REG, whole);
  rc_add(t, "barrier.sync.divergent", RC_NONE, 1u << RC_IMM,
         1u << RC_IF | 1u << RC_LOOP | 1u << RC_CALL); /* a loop and f3 have all threads too */
}

/* ---- shuffles ---- */
static void shuffle(gen_t *g, unsigned kind) {
  static const char *const names[] = {"up", "down", "bfly", "idx"};
  static const unsigned segments[] = {0, 0x1f, 0x101f, 0x181f, 0x1c1f, 0x1e1f, 0x0800, 0x1803};
  bool immediate = g_chance(g, 50), whole = g->sc.full && g->threads % 32 == 0 && g->function < 0;
  unsigned c = kind == 0 ? 0 : 0x1f;
  char b[16];
  if (whole && g_chance(g, 50)) {
    c = segments[g_below(g, 8)];
  }
  if (immediate) {
    (void)snprintf(b, sizeof b, "%u", g_below(g, 32));
  } else {
    g_raw(g, "\tand.b32 %%t0, %s, 31;", g_reg(g, 'w'));
    (void)snprintf(b, sizeof b, "%%t0");
  }
  const char *source = g_reg(g, 'w'), *to = g_reg(g, 'w');
  g_op(g, RC_NONE, immediate ? RC_IMM : RC_REG, "shfl.sync.%s.b32 %%t3|%%q2, %s, %s, %u, %%m%u",
       names[kind], source, b, c, g->sc.mask);
  if (!whole) { /* is the source lane one of us? */
    static const char *const from[] = {"sub.u32 %t4, %lane,", "add.u32 %t4, %lane,",
                                       "xor.b32 %t4, %lane,", "mov.u32 %t4,"};
    g_raw(g, "\t%s %s;\n\tand.b32 %%t4, %%t4, 31;", from[kind], b);
    g_raw(g, "\tshr.u32 %%t4, %%m%u, %%t4;\n\tand.b32 %%t4, %%t4, 1;", g->sc.mask);
    g_raw(g, "\tsetp.ne.u32 %%q3, %%t4, 0;\n\tnot.pred %%q1, %%q2;\n\tor.pred %%q3, %%q3, %%q1;");
    g_raw(g, "\tselp.b32 %%t3, %%t3, 77, %%q3;");
  }
  g_raw(g, "\tmov.b32 %s, %%t3;", to);
  if (g_chance(g, 50)) {
    g_raw(g, "\tmov.pred %s, %%q2;", g_reg(g, 'p'));
  }
}

/* Which lane is elected is left open: only that there is one may be seen. */
static void elect(gen_t *g) {
  g_op(g, RC_NONE, RC_REG, "elect.sync %s|%%q2, %%m%u", g_chance(g, 50) ? "_" : "%t7", g->sc.mask);
  g_raw(g, "\t@%%q2 red.global.add.u32 [%%cell+48], %u;", 1 + g_below(g, 9));
}

/* ---- matrices: rows are the lanes' own bytes, in another order of lanes */
static void matrix(gen_t *g) {
  if (g_chance(g, 25)) {
    const char *from = g_reg(g, 'w'), *to = g_reg(g, 'w');
    g_op_as(g, "movmatrix", RC_NONE, RC_REG, "movmatrix.sync.aligned.m8n8.trans.b16 %s, %s", to,
            from);
    return;
  }
  unsigned log = g_below(g, 3), n = 1u << log, first = g_below(g, G_W), used = 0;
  unsigned at = g_below(g, 2) * 16;
  bool store = g_chance(g, 50), trans = g_chance(g, 50), generic = g_chance(g, 40);
  char form[RC_FORM], list[48] = "";
  for (unsigned i = 0; i < n; i++) {
    used += (unsigned)snprintf(list + used, sizeof list - used, "%s%%w%u", i == 0 ? "" : ", ",
                               (first + i) % G_W);
  }
  g_raw(g, "\txor.b32 %%t0, %%lane, %u;\n\tsub.u32 %%t0, %%t0, %%lane;", g_below(g, 32));
  g_raw(g, "\tmad.lo.u32 %%t0, %%t0, %u, %%sa;", (unsigned)G_SHARED);
  if (generic) {
    g_raw(g, "\tcvt.u64.u32 %%a, %%t0;\n\tcvta.shared.u64 %%a, %%a;");
  }
  matrix_name(form, sizeof form, store, log, trans);
  const char *address = generic ? "%a" : "%t0", *space = generic ? "" : ".shared";
  rc_space_t where = generic ? RC_GENERIC_SHARED : RC_SHARED;
  if (store) {
    g_op_as(g, form, where, RC_VECTOR, "stmatrix.sync.aligned.m8n8.x%u%s%s.b16 [%s+%u], {%s}", n,
            trans ? ".trans" : "", space, address, at, list);
  } else {
    g_op_as(g, form, where, RC_VECTOR, "ldmatrix.sync.aligned.m8n8.x%u%s%s.b16 {%s}, [%s+%u]", n,
            trans ? ".trans" : "", space, list, address, at);
  }
}

void g_exchange(gen_t *g) {
  bool whole = g->sc.full && !g->tail && g->threads % 32 == 0 && g->function < 0;
  if (g->edition >= RG_PRODUCT_EDITION && whole && g_chance(g, 45)) {
    g_product(g);
    return;
  }
  if (g->edition >= RG_MATRIX_EDITION && whole && g_chance(g, 25)) {
    matrix(g);
    return;
  }
  unsigned kind = g_below(g, EXCHANGES), m = g->sc.mask;
  const char *name = k_exchange[kind];
  if (kind < 4) {
    shuffle(g, kind);
  } else if (kind < 8) {
    const char *p = g_reg(g, 'p'), *negation = g_not(g, 30), *to = g_reg(g, kind == 7 ? 'w' : 'p');
    g_op(g, RC_NONE, RC_REG, "%s %s, %s%s, %%m%u", name, to, negation, p, m);
  } else if (kind < 12) {
    const char *value = g_reg(g, kind % 2 == 0 ? 'w' : 'x'), *to = g_reg(g, 'w');
    if (kind < 10) {
      g_op(g, RC_NONE, RC_REG, "%s %s, %s, %%m%u", name, to, value, m);
    } else {
      g_op(g, RC_NONE, RC_REG, "%s %s|%s, %s, %%m%u", name, to, g_reg(g, 'p'), value, m);
    }
  } else if (kind < 21) {
    const char *from = g_reg(g, 'w'), *to = g_reg(g, 'w');
    g_op(g, RC_NONE, RC_REG, "%s %s, %s, %%m%u", name, to, from, m);
  } else if (kind == 21) {
    elect(g);
  } else if (kind == 22) {
    g_op(g, RC_NONE, RC_REG, "bar.warp.sync %%m%u", m);
  } else { /* whoever is here, the lane itself is */
    g_op(g, RC_NONE, RC_REG, "activemask.b32 %%t4");
    g_raw(g, "\tmov.u32 %%t5, %%lanemask_eq;\n\tand.b32 %s, %%t4, %%t5;", g_reg(g, 'w'));
  }
}

/* ---- barriers ---- */
static rc_class_t barrier_operands(gen_t *g, char *to, size_t cap) {
  unsigned id = g_below(g, 16);
  bool counted = g->threads % 32 == 0 && g_chance(g, 40);
  if (g_chance(g, 30)) {
    g_raw(g, "\tmov.u32 %%t0, %u;\n\tmov.u32 %%t1, %u;", id, g->threads);
    (void)snprintf(to, cap, counted ? "%%t0, %%t1" : "%%t0");
    return RC_REG;
  }
  char count[16];
  (void)snprintf(count, sizeof count, ", %u", g->threads);
  (void)snprintf(to, cap, "%u%s", id, counted ? count : "");
  return RC_IMM;
}

static void plain_barrier(gen_t *g) {
  static const unsigned kinds[] = {0, 1, 10, 11};
  char operands[32];
  rc_class_t cls = barrier_operands(g, operands, sizeof operands);
  g_op(g, RC_NONE, cls, "%s %s", k_barriers[kinds[g_below(g, 4)]], operands);
  g->since_barrier = 1;
}

static void reduction(gen_t *g) {
  unsigned kind = 2 + g_below(g, 6);
  char operands[32];
  rc_class_t cls = barrier_operands(g, operands, sizeof operands);
  bool popc = strstr(k_barriers[kind], "popc") != NULL;
  const char *p = g_reg(g, 'p'), *negation = g_not(g, 30), *to = g_reg(g, popc ? 'w' : 'p');
  g_op(g, RC_NONE, cls, "%s %s, %s, %s%s", k_barriers[kind], to, operands, negation, p);
  g->since_barrier = 1;
}

/* Odd warps arrive, even ones wait; then all meet, so that the barrier is free again. */
static void producer(gen_t *g) {
  unsigned id = g_below(g, 16), other = (id + 1 + g_below(g, 15)) % 16;
  bool bar = g_chance(g, 50);
  if (g->threads % 32 != 0) {
    plain_barrier(g);
    return;
  }
  g_raw(g, "\tand.b32 %%t0, %%wi, 1;\n\tsetp.ne.u32 %%q2, %%t0, 0;");
  (void)snprintf(g->guard, sizeof g->guard, "@%%q2 ");
  g_op(g, RC_NONE, RC_IMM, "%s.arrive %u, %u", bar ? "bar" : "barrier", id, g->threads);
  g->guard[0] = 0;
  g_raw(g, "\t@!%%q2 %s.sync %u, %u;", bar ? "bar" : "barrier", id, g->threads);
  g_raw(g, "\tbar.sync %u;", other);
}

/* barrier.sync in both arms of a divergent branch: each thread comes to one of them. */
static void in_both_arms(gen_t *g) {
  unsigned a = g->next_label++, b = g->next_label++, id = g_below(g, 16);
  g_scope_t outer = g->sc;
  g_raw(g, "\tand.b32 %%t0, %s, 1;\n\tsetp.ne.u32 %%q2, %%t0, 0;\n\t@%%q2 bra L%u;", g_reg(g, 'w'),
        a);
  g->sc.divergent = true;
  g_op_as(g, "barrier.sync.divergent", RC_NONE, RC_IMM, "barrier.sync %u", id);
  g_raw(g, "\tbra L%u;", b);
  g_label(g, a);
  g_op_as(g, "barrier.sync.divergent", RC_NONE, RC_IMM, "barrier.sync %u", id);
  g_label(g, b);
  g->sc = outer;
}

/* Other threads' bytes may be read between two barriers. */
static void neighbours(gen_t *g) {
  static const char *const loads[] = {"u8", "s16", "b32", "f32", "b64"};
  static const char letters[] = "hhwfx";
  static const unsigned bytes[] = {1, 2, 4, 4, 8};
  plain_barrier(g);
  g_raw(g, "\tadd.u32 %%t0, %%nt, %u;\n\trem.u32 %%t0, %%t0, %%nn;", 1 + g_below(g, 64));
  if (g_chance(g, 60)) {
    g_raw(g, "\tmul.lo.u32 %%t1, %%t0, %u;\n\tmov.u32 %%t2, sh;\n\tadd.u32 %%t1, %%t1, %%t2;",
          (unsigned)G_SHARED);
    for (unsigned n = 1 + g_below(g, 3); n != 0; n--) {
      unsigned k = g_below(g, 5);
      char form[RC_FORM];
      (void)snprintf(form, sizeof form, "ld.shared.%s", loads[k]);
      unsigned at = g_below(g, G_SHARED / bytes[k]) * bytes[k];
      g_op_as(g, form, RC_SHARED, RC_IMM, "%s %s, [%%t1+%u]", form, g_reg(g, letters[k]), at);
    }
  } else { /* in global memory, from this CTA's slots */
    g_raw(g, "\tsub.u32 %%t1, %%n, %%nt;\n\tadd.u32 %%t0, %%t0, %%t1;");
    g_raw(g, "\tmul.wide.u32 %%a, %%t0, %u;\n\tadd.u64 %%a, %%a, %%out;", (unsigned)G_SLOT);
    unsigned at = 8 * g_below(g, G_OWN / 8);
    g_op_as(g, "ld.global.b64", RC_GLOBAL, RC_IMM, "ld.global.b64 %s, [%%a+%u]", g_reg(g, 'x'), at);
  }
  plain_barrier(g);
}

/* The cells of shared memory, when nobody changes them. */
static void read_cells(gen_t *g) {
  if (g->tail) {
    return;
  }
  plain_barrier(g);
  unsigned at = 8 * g_below(g, G_CELL_ROWS * G_CELL_COPIES);
  g_raw(g, "\tld.shared.b64 %s, [%%sc+%u];", g_reg(g, 'x'), at);
  plain_barrier(g);
}

void g_barrier(gen_t *g) {
  unsigned dice = g_below(g, 10);
  dice < 3   ? plain_barrier(g)
  : dice < 5 ? reduction(g)
  : dice < 6 ? producer(g)
  : dice < 7 ? in_both_arms(g)
  : dice < 9 ? neighbours(g)
             : read_cells(g);
}

/* ---- what moves nothing ---- */
void g_fence(gen_t *g) {
  static const char *const fences[] = {"fence.sc.cta", "fence.acq_rel.gpu", "fence.sc.sys",
                                       "fence.acq_rel.cta"};
  static const char *const membars[] = {"membar.cta", "membar.gl", "membar.sys"};
  bool first = g->edition == RG_FIRST_EDITION;
  switch (g_below(g, first ? 5 : 12)) {
  case 0:
    g_op_as(g, "fence", RC_NONE, RC_REG, "%s", fences[g_below(g, 4)]);
    break;
  case 1:
    g_op_as(g, "membar", RC_NONE, RC_REG, "%s", membars[g_below(g, 3)]);
    break;
  case 2:
    g_op_as(g, "prefetch", RC_NONE, RC_REG, "prefetch.global.%s [%%own]",
            g_chance(g, 50) ? "L1" : "L2");
    break;
  case 4:
    g_op_as(g, "nanosleep", RC_NONE, RC_REG, "nanosleep.u32 %u", g_below(g, 60));
    break;
  default:
    first ? g_old_space(g) : g_space(g);
    break;
  }
}
