/* overlap_lanes.c: exchange between lanes, and everything that writes predicates, with destinations
 * that are operands or the guard. PTX 9.7.6, 9.7.9.6, 9.7.13. */
#include <stdbool.h>

#include "tests/oracle/overlap_list.h"

static void begin(wl_overlap_out_t *o) {
  wl_overlap_start(o);
  wl_overlap_values(o, 'w', 4);
  wl_overlap_values(o, 'p', 3);
}

static void end(wl_overlap_out_t *o) {
  for (unsigned i = 0; i < 4; i++) {
    wl_overlap_dump(o, 'w', i, NULL);
  }
  for (unsigned i = 0; i < 3; i++) {
    wl_overlap_dump(o, 'p', i, NULL);
  }
  wl_overlap_done(o);
}

/* Guard g - 1 for every lane: all lanes of an exchange take part. */
static void guard_for_all(wl_overlap_out_t *o, unsigned g) {
  if (g != 0) {
    wl_overlap_put(o, "mov.pred %%p%u, %%always;\n", g - 1);
  }
}

static void guard(wl_overlap_out_t *o, unsigned g, bool neg) {
  if (g != 0) {
    wl_overlap_put(o, "@%s%%p%u ", neg ? "!" : "", g - 1);
  }
}

/* shfl d|p, a, b, c, mask: w2 is c and w3 the mask, b a lane number where it is w1. */
static void shuffles(wl_overlap_out_t *o) {
  static const char *const modes[] = {"up", "down", "bfly", "idx"};
  for (unsigned v = 0; v < 4 * 4 * 2 * 2 * 4 * 4; v++) {
    unsigned d = v % 4, a = v / 4 % 4, b = v / 16 % 2, p = v / 32 % 2, g = v / 64 % 4;
    begin(o);
    wl_overlap_put(o, "and.b32 %%w1, %%w1, 31;\nmov.b32 %%w2, %u;\nmov.b32 %%w3, -1;\n",
                   v % 3 == 0     ? 0x1807
                   : v / 256 == 0 ? 0
                                  : 31);
    guard_for_all(o, g);
    guard(o, g, false);
    wl_overlap_put(o, "shfl.sync.%s.b32 %%w%u|%%p%u, %%w%u, %%w%u, %%w2, %%w3;\n", modes[v / 256],
                   d, p, a, b);
    end(o);
  }
}

/* vote p, {!}q, mask and vote.ballot d */
static void votes(wl_overlap_out_t *o) {
  static const char *const modes[] = {"all", "any", "uni"};
  for (unsigned v = 0; v < 3 * 3 * 2 * 3 * 4; v++) {
    unsigned p = v % 3, q = v / 3 % 3, mode = v / 18 % 3, g = v / 54;
    begin(o);
    guard_for_all(o, g);
    guard(o, g, false);
    wl_overlap_put(o, "vote.sync.%s.pred %%p%u, %s%%p%u, -1;\n", modes[mode], p,
                   v / 9 % 2 != 0 ? "!" : "", q);
    end(o);
  }
  for (unsigned v = 0; v < 4 * 3 * 2; v++) {
    begin(o);
    wl_overlap_put(o, "mov.b32 %%w3, -1;\nvote.sync.ballot.b32 %%w%u, %s%%p%u, %%w3;\n", v % 4,
                   v / 12 != 0 ? "!" : "", v / 4 % 3);
    end(o);
  }
}

/* match d{|p}, a, mask of 32 and 64 bits, and elect d|p, mask: w3 is the mask. */
static void matches(wl_overlap_out_t *o) {
  for (unsigned v = 0; v < 4 * 4 * 3 * 4 * 4; v++) {
    unsigned d = v % 4, a = v / 4 % 4, p = v / 16 % 3, g = v / 48 % 4, kind = v / 192;
    begin(o);
    wl_overlap_put(o, "and.b32 %%w0, %%w0, 1;\nand.b32 %%w1, %%w1, 0;\nmov.b32 %%w3, -1;\n");
    wl_overlap_put(o, "mov.b64 %%x0, {%%w%u, %%w%u};\n", a, 3 - a);
    guard_for_all(o, g);
    guard(o, g, false);
    if (kind == 3) {
      wl_overlap_put(o, "elect.sync %%w%u|%%p%u, %%w3;\n", d, p);
    } else if (kind == 2) {
      wl_overlap_put(o, "match.any.sync.b%d %%w%u, %%%c%u, %%w3;\n", p == 0 ? 64 : 32, d,
                     p == 0 ? 'x' : 'w', p == 0 ? 0 : a);
    } else {
      wl_overlap_put(o, "match.all.sync.b%d %%w%u|%%p%u, %%%c%u, %%w3;\n", kind == 0 ? 32 : 64, d,
                     p, kind == 0 ? 'w' : 'x', kind == 0 ? a : 0);
    }
    end(o);
  }
}

/* setp p|q, .., {!}c with three predicates, the guard among them. */
static void comparisons(wl_overlap_out_t *o) {
  static const char *const kinds[] = {"lt.and.u32", "ge.xor.s32", "ltu.or.f32", "gt.and.s64"};
  for (unsigned v = 0; v < 3 * 3 * 3 * 2 * 7 * 4; v++) {
    unsigned p = v % 3, q = v / 3 % 3, c = v / 9 % 3, neg = v / 27 % 2, g = v / 54 % 7;
    unsigned kind = v / 378;
    if (p == q) {
      continue;
    }
    begin(o);
    char l = "wwfx"[kind];
    if (l != 'w') {
      wl_overlap_values(o, l, 2);
    }
    guard(o, g == 0 ? 0 : (g + 1) / 2, g % 2 == 0);
    wl_overlap_put(o, "setp.%s %%p%u|%%p%u, %%%c0, %%%c1, %s%%p%u;\n", kinds[kind], p, q, l, l,
                   neg != 0 ? "!" : "", c);
    end(o);
  }
}

/* Logic of predicates, and selections by them. */
static void logic(wl_overlap_out_t *o) {
  static const char *const ops[] = {"and", "or", "xor", "not", "mov"};
  for (unsigned v = 0; v < 3 * 3 * 3 * 7 * 5; v++) {
    unsigned d = v % 3, a = v / 3 % 3, b = v / 9 % 3, g = v / 27 % 7, op = v / 189;
    begin(o);
    guard(o, g == 0 ? 0 : (g + 1) / 2, g % 2 == 0);
    if (op < 3) {
      wl_overlap_put(o, "%s.pred %%p%u, %%p%u, %%p%u;\n", ops[op], d, a, b);
    } else {
      wl_overlap_put(o, "%s.pred %%p%u, %%p%u;\n", ops[op], d, a);
    }
    end(o);
  }
  for (unsigned v = 0; v < 4 * 4 * 4 * 2; v++) {
    unsigned d = v % 4, a = v / 4 % 4, b = v / 16 % 4;
    begin(o);
    if (v / 64 == 0) {
      wl_overlap_put(o, "selp.b32 %%w%u, %%w%u, %%w%u, %%p0;\n", d, a, b);
    } else {
      wl_overlap_values(o, 'x', 4);
      wl_overlap_put(o,
                     "selp.b64 %%x%u, %%x%u, %%x%u, %%p1;\nmov.b64 {%%w0, %%w1}, %%x%u;\n"
                     "mov.b64 {%%w2, %%w3}, %%x%u;\n",
                     d, a, b, d, a);
    }
    end(o);
  }
}

void wl_overlap_lanes(wl_overlap_out_t *o) {
  shuffles(o);
  votes(o);
  matches(o);
  comparisons(o);
  logic(o);
}
