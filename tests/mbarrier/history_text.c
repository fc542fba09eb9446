/* history_text.c: what the threads of a class do. Registers: %aO the address of the thread's mbarrier of
 * object O, %phO the parity of its phase under way, %sO a state of that phase, %acc what the thread
 * has seen. Cells of shared memory: object, parity, thread. */
#include "tests/mbarrier/history_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void hi_put(hi_out_t *t, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  const int n = vsnprintf(t->to + t->used, t->cap - t->used, fmt, args);
  va_end(args);
  t->used += n > 0 && (size_t)n < t->cap - t->used ? (size_t)n : 0;
}

const char *hi_one_of(hi_out_t *t, const char *const *list, unsigned n) {
  return list[hi_below(t->h, n)];
}

/* ---- operations */
/* An address of object o, and the space that it is one of. remote: as of another CTA. */
static const char *space(hi_out_t *t, unsigned o, bool remote, char address[48]) {
  static const char *const own[] = {".shared", ".shared::cta"};
  if (remote) {
    hi_put(t, "\tmapa.shared::cluster.u32 %%n2, %%a%u, 0;\n", o);
    (void)snprintf(address, 48, "[%%n2]");
    return ".shared::cluster";
  }
  if (hi_chance(t->h, 20)) {
    hi_put(t, "\tcvt.u64.u32 %%x, %%a%u;\n\tcvta.shared.u64 %%x, %%x;\n", o);
    (void)snprintf(address, 48, "[%%x]");
    return "";
  }
  if (t->h->copies[o] == 1 && hi_chance(t->h, 40)) {
    (void)snprintf(address, 48, "[objects+%u]", 8 * HI_COPIES * o);
  } else {
    (void)snprintf(address, 48, hi_chance(t->h, 50) ? "[%%a%u]" : "[%%a%u+0]", o);
  }
  return hi_one_of(t, own, 2);
}

/* A number in a register or as it stands. */
static const char *number(hi_out_t *t, uint32_t n, char to[16]) {
  if (hi_chance(t->h, 50) || n == 0) { /* as a constant 0 is refused */
    hi_put(t, "\tmov.u32 %%n, %" PRIu32 ";\n", n);
    return "%n";
  }
  (void)snprintf(to, 16, "%" PRIu32, n);
  return to;
}

static void arrival(hi_out_t *t, unsigned o, const hi_role_t *r, const hi_piece_t *p) {
  static const char *const release[] = {"", ".release.cta", ".release.cluster"};
  static const char *const relaxed[] = {".relaxed.cta", ".relaxed.cluster"};
  const bool drop = p->op == HI_DROP || p->op == HI_DROP_NO_COMPLETE || p->op == HI_DROP_TX;
  const bool tx = p->op == HI_ARRIVE_TX || p->op == HI_DROP_TX;
  const bool part = p->op == HI_NO_COMPLETE || p->op == HI_DROP_NO_COMPLETE;
  const bool remote = !part && hi_chance(t->h, 20), sink = remote || hi_chance(t->h, 25);
  const char *order = part         ? (hi_chance(t->h, 50) ? "" : ".release.cta")
                      : r->relaxed ? hi_one_of(t, relaxed, 2)
                                   : hi_one_of(t, release, 3);
  char state[8], address[48], digits[16];
  const char *where = space(t, o, remote, address);
  const bool counted = tx || part || p->n != 1 || hi_chance(t->h, 50);
  const char *n = counted ? number(t, p->n, digits) : NULL;
  (void)snprintf(state, sizeof state, sink ? "_" : "%%s%u", o);
  hi_put(t, "\tmbarrier.arrive%s%s%s%s%s.b64 %s, %s%s%s;\n", drop ? "_drop" : "",
         tx     ? ".expect_tx"
         : part ? ".noComplete"
                : "",
         order, where, "", state, address, counted ? ", " : "", counted ? n : "");
  t->has_state[o] = t->has_state[o] || !sink;
}

static void transaction(hi_out_t *t, unsigned o, const hi_piece_t *p, unsigned due) {
  const bool bulk = t->h->bulk && p->op == HI_COMPLETE && hi_chance(t->h, 90);
  const uint32_t left = bulk && !p->all ? hi_bulk_own(t, o, p->n, p->second) : p->n;
  if (left == 0 && p->n != 0) {
    return;
  }
  static const char *const order[] = {"", ".relaxed.cta", ".relaxed.cluster"};
  const char *guard = p->all ? "@%first " : "", *how = hi_one_of(t, order, 3);
  char address[48], digits[16];
  const bool remote = hi_chance(t->h, 20);
  const char *n = "%n", *where = space(t, o, remote, address);
  if (p->all) { /* one half, and what is left */
    hi_put(t, "\trem.u32 %%n, %%rank, %u;\n\tld.const.u32 %%n, due[%%n+%u];\n", t->h->copies[o],
           due);
    hi_put(t, "\tshr.u32 %%n3, %%n, 1;\n");
    hi_put(t, p->second ? "\tsub.u32 %%n, %%n, %%n3;\n" : "\tmov.u32 %%n, %%n3;\n");
    hi_put(t, "\tsetp.lt.u32 %%first, %%rank, %u;\n", t->h->copies[o]);
    if (bulk) {
      hi_bulk_all(t, o, p->second);
    }
  } else {
    n = number(t, left, digits);
  }
  hi_put(t, "\t%smbarrier.%s%s%s.b64 %s, %s;\n", guard,
         p->op == HI_EXPECT ? "expect_tx" : "complete_tx", how, where, address, n);
}

/* What others read after the phase; then the operations. */
static void pieces(hi_out_t *t, const hi_stage_t *s, const hi_role_t *r, unsigned due) {
  const unsigned o = s->object;
  t->has_state[o] = false;
  hi_put(t, "\tmad.lo.u32 %%n, %%ph%u, %u, %%mine;\n", o, 4 * HI_THREADS);
  hi_put(t, "\tst.shared.u32 [%%n+%u], %%acc;\n", 8 * HI_THREADS * o);
  if (r->relaxed) {
    hi_put(t, "\tfence.acq_rel.cta;\n");
  }
  for (unsigned i = 0; i < r->pieces; i++) {
    const hi_piece_t *p = &r->piece[i];
    if (p->op == HI_EXPECT || p->op == HI_COMPLETE) {
      transaction(t, o, p, due);
    } else {
      arrival(t, o, r, p);
    }
  }
}

/* ---- waits */
/* test_wait or try_wait of the phase under way (next: of the one after it, in which nothing is over). */
static void test(hi_out_t *t, unsigned o, const hi_role_t *r, bool try, bool next,
                 const char *limit) {
  static const char *const acquire[] = {"", ".acquire.cta", ".acquire.cluster"};
  static const char *const relaxed[] = {".relaxed.cta", ".relaxed.cluster"};
  char address[48], by[16];
  const bool state = !next && t->has_state[o] && hi_chance(t->h, 50);
  const char *order = r->relaxed ? hi_one_of(t, relaxed, 2) : hi_one_of(t, acquire, 3);
  const char *where = space(t, o, false, address);
  if (next) {
    hi_put(t, "\txor.b32 %%n, %%ph%u, 1;\n", o);
  }
  (void)snprintf(by, sizeof by, state ? "%%s%u" : next ? "%%n" : "%%ph%u", o);
  hi_put(t, "\tmbarrier.%s%s%s%s.b64 %%p, %s, %s%s%s;\n", try ? "try_wait" : "test_wait",
         state ? "" : ".parity", order, where, address, by, limit[0] != 0 ? ", " : "", limit);
}

static void wait_loop(hi_out_t *t, unsigned o, const hi_role_t *r) {
  static const char *const limits[] = {"", "", "300", "20", "%limit"};
  const bool try = hi_chance(t->h, t->h->duel ? 90 : 70);
  const unsigned label = t->label++;
  const char *limit = try ? hi_one_of(t, limits, t->h->duel ? 2 : 5) : "";
  hi_put(t, "W%u:\n", label);
  test(t, o, r, try, false, limit);
  if (hi_chance(t->h, 30)) { /* as CUTLASS has it */
    hi_put(t, "\t@%%p bra D%u;\n\tbra W%u;\nD%u:\n", label, label, label);
    return;
  }
  if (hi_chance(t->h, 30)) {
    hi_put(t, "\t@!%%p nanosleep.u32 %u;\n", 10 + hi_below(t->h, 90));
  }
  hi_put(t, "\t@!%%p bra W%u;\n", label);
}

/* What must be so until the thread arrives again. */
static void facts(hi_out_t *t, unsigned o, const hi_role_t *r) {
  if (hi_chance(t->h, 30)) {
    test(t, o, r, hi_chance(t->h, 50), false, "");
    hi_put(t, "\tselp.u32 %%n, 3, 5, %%p;\n\tadd.u32 %%acc, %%acc, %%n;\n");
  }
  if (hi_chance(t->h, 20)) {
    const bool try = hi_chance(t->h, 50);
    test(t, o, r, try, true, try ? "90" : "");
    hi_put(t, "\tselp.u32 %%n, 7, 11, %%p;\n\tadd.u32 %%acc, %%acc, %%n;\n");
  }
}

static void wait(hi_out_t *t, const hi_stage_t *s, unsigned class) {
  const unsigned o = s->object;
  const hi_role_t *r = &s->role[class];
  unsigned partner = hi_below(t->h, t->h->classes);
  wait_loop(t, o, r);
  if (r->relaxed) {
    hi_put(t, "\tfence.acq_rel.cta;\n");
  }
  facts(t, o, r);
  partner = s->role[partner].in ? partner : class;
  hi_put(t, "\tld.const.u8 %%n, partner[%%me+%u];\n", (o * HI_CLASSES + partner) * HI_THREADS);
  if (t->h->bulk) {
    hi_put(t, "\tmov.u32 %%n4, %%n;\n");
  }
  hi_put(t, "\tshl.b32 %%n, %%n, 2;\n\tadd.u32 %%n, %%n, %%cells;\n");
  hi_put(t, "\tmad.lo.u32 %%n, %%ph%u, %u, %%n;\n\tld.shared.u32 %%n, [%%n+%u];\n", o,
         4 * HI_THREADS, 8 * HI_THREADS * o);
  hi_put(t, "\tmad.lo.u32 %%acc, %%acc, 5, %%n;\n");
  if (t->h->bulk) {
    hi_bulk_seen(t, o);
  }
  hi_put(t, "\txor.b32 %%ph%u, %%ph%u, 1;\n", o, o);
  if (t->h->bulk) {
    hi_bulk_event(t, o, class);
  }
}

/* ---- a class */
void hi_class_text(hi_out_t *t, unsigned e, unsigned class) {
  const hi_stage_t *open = NULL; /* whose wait is still to come */
  for (unsigned i = 0; i < t->h->stages[e]; i++) {
    const hi_stage_t *s = &t->h->stage[e][i];
    const hi_role_t *r = &s->role[class];
    const unsigned label = t->label++;
    if (!r->in) {
      continue;
    }
    if (open != NULL && (open->object == s->object || s->phases > 1)) {
      wait(t, open, class);
      open = NULL;
    }
    if (s->phases > 1) {
      hi_put(t, "\tmov.u32 %%turn, %u;\nL%u:\n", s->phases, label);
    }
    pieces(t, s, r, (e * HI_STAGES + i) * HI_COPIES);
    if (open != NULL) {
      wait(t, open, class);
      open = NULL;
    }
    if (r->later && !r->leaves && s->phases == 1) {
      open = s;
    } else if (!r->leaves) {
      wait(t, s, class);
    }
    if (s->phases > 1) {
      hi_put(t, "\tsub.u32 %%turn, %%turn, 1;\n\tsetp.ne.u32 %%q, %%turn, 0;\n\t@%%q bra L%u;\n",
             label);
    }
  }
  if (open != NULL) {
    wait(t, open, class);
  }
}
