/* history_bulk.c: bulk copies of a history. Loads complete transactions: a thread's own into its place for
 * the object and the parity of the phase (32 bytes, and 16 of the second piece), those for all into a
 * place of the mbarrier. As with cells (history_text.c), a place is read after the wait and written
 * again two phases later. A store or a reduction is an event of its own, a group each. %tog says
 * which of two sources in shared memory and of two places in global memory it uses; before that,
 * all groups but the last one are over (for a reduction: have read). Those of %tog are short; the
 * first thread of a class has a long source too, which it writes as soon as it may. All threads reduce the same words,
 * each by one operation whose order does not matter.
 * Registers: %land, %send the thread's places in shared memory, %in, %slot, %sums in global memory;
 * %b1 to %b5, %y, %z are free. */
#include <inttypes.h>
#include <stdio.h>

#include "tests/mbarrier/history_text.h"

enum { OWN = HI_BULK_OWN, WIDE = HI_BULK_WIDE, OBJECTS = HI_BULK_OBJECTS };

static const struct {
  const char *op;
} k_reductions[HI_BULK_SUMS] = {{"add.u32"}, {"xor.b32"}, {"min.s32"}, {"max.u32"},
                                {"add.u64"}, {"or.b64"},  {"and.b32"}, {"max.s64"}};

void hi_bulk_frame(hi_out_t *t) {
  hi_put(t,
         "\t.shared .align 16 .b8 landing[%u];\n\t.shared .align 16 .b8 wide[%u];\n"
         "\t.shared .align 16 .b8 sends[%u];\n\t.shared .align 16 .b8 long[%u];\n"
         "\t.reg .pred %%some, %%lead;\n"
         "\t.reg .b32 %%land, %%send, %%tog, %%b<6>;\n"
         "\t.reg .b64 %%in, %%slot, %%sums, %%longs, %%y, %%z, %%policy;\n\t.reg .b16 %%mask;\n",
         OBJECTS * 2 * HI_THREADS * OWN, OBJECTS * 2 * HI_COPIES * WIDE,
         2 * HI_THREADS * HI_BULK_SEND, HI_CLASSES * HI_BULK_LONG);
}

void hi_bulk_start(hi_out_t *t, unsigned one) {
  hi_put(t,
         "\tmov.u32 %%land, landing;\n\tmad.lo.u32 %%land, %%me, %u, %%land;\n"
         "\tmov.u32 %%send, sends;\n\tmad.lo.u32 %%send, %%me, %u, %%send;\n\tmov.u32 %%tog, 0;\n"
         "\tld.param.u64 %%in, [in];\n\tld.param.u64 %%slot, [slots];\n"
         "\tmad.wide.u32 %%slot, %%me, %u, %%slot;\n\tld.param.u64 %%sums, [sums];\n"
         "\tld.param.u64 %%longs, [longs];\n\tsetp.eq.u32 %%lead, %%rank, 0;\n"
         "\tcreatepolicy.fractional.L2::evict_last.b64 %%policy, 0.5;\n"
         "\tand.b32 %%b1, %%rank, %u;\n\tsetp.eq.u32 %%some, %%b1, %u;\n",
         OWN, HI_BULK_SEND, 2 * HI_BULK_SEND, hi_one_in(t->h), 0);
  for (unsigned i = 0; i < 2 * OBJECTS; i++) {
    hi_put(t, "\tst.bulk.weak.shared::cta [%%land+%u], %u, 0;\n", i * HI_THREADS * OWN, OWN);
  }
  hi_put(t, "\tst.bulk.shared::cta [%%send], %u, 0;\n", HI_BULK_SEND);
  hi_put(t,
         "\tsetp.ne.u32 %%q, %%me, %u;\n\tmov.u32 %%b1, wide;\n"
         "\t@!%%q st.bulk.shared::cta [%%b1], %u, 0;\n"
         "\t@!%%q st.bulk.shared::cta [long], %u, 0;\n\tfence.proxy.async;\n",
         one, OBJECTS * 2 * HI_COPIES * WIDE, HI_CLASSES * HI_BULK_LONG);
}

/* ---- loads */
/* %z: where it comes from. */
static void source(hi_out_t *t) {
  hi_put(t, "\tand.b32 %%b1, %%acc, %u;\n\tmad.wide.u32 %%z, %%b1, 16, %%in;\n",
         HI_BULK_SOURCES - 1);
  if (hi_chance(t->h, 20)) {
    hi_put(t, "\tcp.async.bulk.prefetch.L2.global [%%z], 32;\n");
  }
}

/* To [%b2+to], `size` bytes. */
static void load(hi_out_t *t, unsigned o, const char *guard, unsigned to, const char *size) {
  char object[32];
  const bool cluster = hi_chance(t->h, 30), hint = hi_chance(t->h, 20);
  const bool oob = !cluster && hi_chance(t->h, 15);
  (void)snprintf(object, sizeof object, "%%a%u", o);
  if (cluster) {
    hi_put(
        t,
        "\tmapa.shared::cluster.u32 %%b4, %%b2, 0;\n\tmapa.shared::cluster.u32 %%b5, %%a%u, 0;\n",
        o);
    (void)snprintf(object, sizeof object, "%%b5");
  } else if (t->h->copies[o] == 1 && hi_chance(t->h, 40)) {
    (void)snprintf(object, sizeof object, "objects+%u", 8 * HI_COPIES * o);
  }
  hi_put(t,
         "\t%scp.async.bulk.shared::%s.global.mbarrier::complete_tx::bytes%s%s [%s+%u], [%%z], "
         "%s%s, [%s]%s;\n",
         guard, cluster ? "cluster" : "cta", hint ? ".L2::cache_hint" : "",
         oob ? ".ignore_oob" : "", cluster ? "%b4" : "%b2", to, size, oob ? ", 0, 0" : "", object,
         hint ? ", %policy" : "");
}

/* A thread's own: some threads of the class load so many bytes, the others complete them. What is
 * left of n. */
uint32_t hi_bulk_own(hi_out_t *t, unsigned o, uint32_t n, bool second) {
  const uint32_t most = second ? 16 : 32, bytes = (n < most ? n : most) & ~15u;
  const bool all = hi_chance(t->h, 30);
  char size[16] = "%b3";
  if (bytes == 0) {
    return n;
  }
  source(t);
  hi_put(t, "\tmad.lo.u32 %%b2, %%ph%u, %u, %%land;\n", o, HI_THREADS * OWN);
  if (hi_chance(t->h, 50)) {
    hi_put(t, "\tmov.u32 %%b3, %" PRIu32 ";\n", bytes);
  } else {
    (void)snprintf(size, sizeof size, "%" PRIu32, bytes);
  }
  if (t->h->sends) { /* the place may be the source of a store */
    hi_put(t, "\tcp.async.bulk.wait_group.read 0;\n");
  }
  load(t, o, all ? "" : "@%some ", o * 2 * HI_THREADS * OWN + (second ? 32 : 0), size);
  if (!all) {
    hi_put(t, "\t@!%%some mbarrier.complete_tx.shared::cta.b64 [%%a%u], %" PRIu32 ";\n", o, bytes);
  }
  return n - bytes;
}

/* For all: %n bytes where %first, in %n what is left. */
void hi_bulk_all(hi_out_t *t, unsigned o, bool second) {
  source(t);
  hi_put(t,
         "\tand.b32 %%b3, %%n, -16;\n\tmin.u32 %%b3, %%b3, %u;\n\tsub.u32 %%n, %%n, %%b3;\n"
         "\trem.u32 %%b1, %%rank, %u;\n\tmov.u32 %%b2, wide;\n"
         "\tmad.lo.u32 %%b2, %%b1, %u, %%b2;\n\tmad.lo.u32 %%b2, %%ph%u, %u, %%b2;\n",
         WIDE / 2, t->h->copies[o], WIDE, o, HI_COPIES * WIDE);
  load(t, o, "@%first ", o * 2 * HI_COPIES * WIDE + (second ? WIDE / 2 : 0), "%b3");
}

/* After the wait, before the parity is the next one: what the thread %n4 has loaded, and what was
 * loaded for all. */
void hi_bulk_seen(hi_out_t *t, unsigned o) {
  const unsigned at = 4 * hi_below(t->h, OWN / 4), word = 4 * hi_below(t->h, WIDE / 4);
  if (hi_chance(t->h, 80)) {
    hi_put(t,
           "\tmov.u32 %%b1, landing;\n\tmad.lo.u32 %%b1, %%n4, %u, %%b1;\n"
           "\tmad.lo.u32 %%b1, %%ph%u, %u, %%b1;\n\tld.shared.u32 %%b1, [%%b1+%u];\n"
           "\tmad.lo.u32 %%acc, %%acc, 3, %%b1;\n",
           OWN, o, HI_THREADS * OWN, o * 2 * HI_THREADS * OWN + at);
  }
  if (hi_chance(t->h, 50)) {
    hi_put(t,
           "\trem.u32 %%b1, %%rank, %u;\n\tmov.u32 %%b2, wide;\n"
           "\tmad.lo.u32 %%b2, %%b1, %u, %%b2;\n\tmad.lo.u32 %%b2, %%ph%u, %u, %%b2;\n"
           "\tld.shared.u32 %%b1, [%%b2+%u];\n\tmad.lo.u32 %%acc, %%acc, 3, %%b1;\n",
           t->h->copies[o], WIDE, o, HI_COPIES * WIDE, o * 2 * HI_COPIES * WIDE + word);
  }
}

/* ---- stores and reductions */
/* A source in shared memory, [%b1]; and the next one's turn. */
static void send(hi_out_t *t) {
  hi_put(t,
         "\tmad.lo.u32 %%b1, %%tog, %u, %%send;\n\tmul.lo.u32 %%b2, %%acc, 0x9e3779b1;\n"
         "\tnot.b32 %%b3, %%acc;\n\tst.shared.v4.u32 [%%b1], {%%acc, %%me, %%b2, %%b3};\n"
         "\txor.b32 %%b3, %%b2, %%me;\n\tst.shared.v4.u32 [%%b1+16], {%%b3, %%b2, %%acc, %%rank};\n"
         "\tfence.proxy.async;\n",
         HI_THREADS * HI_BULK_SEND);
}

static void commit(hi_out_t *t) {
  hi_put(t, "\tcp.async.bulk.commit_group;\n");
  if (hi_chance(t->h, 15)) { /* a group of nothing */
    hi_put(t, "\tcp.async.bulk.commit_group;\n");
  }
  hi_put(t, "\txor.b32 %%tog, %%tog, 1;\n");
}

static void reduction(hi_out_t *t) {
  const unsigned which = hi_below(t->h, HI_BULK_SUMS), half = 16 * hi_below(t->h, 2);
  hi_put(t, "\tcp.async.bulk.wait_group%s 1;\n", hi_chance(t->h, 80) ? ".read" : "");
  send(t);
  hi_put(t, "\tcp.reduce.async.bulk.global.shared::cta.bulk_group.%s [%%sums+%u], [%%b1+%u], %u;\n",
         k_reductions[which].op, which * HI_BULK_SEND + half, half, half != 0 ? 16 : 32);
  commit(t);
}

static void store(hi_out_t *t, unsigned o, bool landed) {
  const bool masked = hi_chance(t->h, 30), seen = hi_chance(t->h, 30);
  const unsigned half = landed ? 16 * hi_below(t->h, 2) : 0;
  hi_put(t, "\tcp.async.bulk.wait_group 1;\n\tmad.wide.u32 %%y, %%tog, %u, %%slot;\n",
         HI_BULK_SEND);
  if (landed) {
    hi_put(t, "\txor.b32 %%b1, %%ph%u, 1;\n\tmad.lo.u32 %%b1, %%b1, %u, %%land;\n", o,
           HI_THREADS * OWN);
    hi_put(t, "\tadd.u32 %%b1, %%b1, %u;\n", o * 2 * HI_THREADS * OWN + half);
  } else {
    send(t);
  }
  hi_put(t, "\tmov.u16 %%mask, 0x%x;\n", 1 + hi_below(t->h, 0xffff));
  hi_put(t, "\tcp.async.bulk.global.shared::cta.bulk_group%s [%%y], [%%b1], %u%s;\n",
         masked ? ".cp_mask" : "", hi_chance(t->h, 50) ? 16 : 32, masked ? ", %mask" : "");
  commit(t);
  if (seen) {
    hi_put(t,
           "\tcp.async.bulk.wait_group 0;\n\tld.global.u32 %%b1, [%%y+%u];\n"
           "\tmad.lo.u32 %%acc, %%acc, 7, %%b1;\n",
           4 * hi_below(t->h, 8));
  }
}

/* The first thread of the class: its long source goes to its own place, or is added to one of all.
 * The words at the end are written or read as soon as a wait lets them. */
static void at_length(hi_out_t *t, unsigned class) {
  const bool add = hi_chance(t->h, 30), seen = !add && hi_chance(t->h, 50);
  const bool behind = !seen && hi_chance(t->h, 50);
  const unsigned at = class * HI_BULK_LONG, last = HI_BULK_LONG - 4, label = t->label++;
  hi_put(t, "\t@!%%lead bra B%u;\n\tcp.async.bulk.wait_group 0;\n", label);
  hi_put(t, "\tst.shared.u32 [long+%u], %%acc;\n\tst.shared.u32 [long+%u], %%acc;\n", at + last,
         at + 4 * hi_below(t->h, last / 4));
  hi_put(t, "\tfence.proxy.async;\n\tmov.u32 %%b2, long;\n");
  hi_put(t, "\tcp.%sasync.bulk.global.shared::cta.bulk_group%s [%%longs+%u], [%%b2+%u], %u;\n",
         add ? "reduce." : "", add ? ".add.u32" : "", add ? HI_CLASSES * HI_BULK_LONG : at, at,
         HI_BULK_LONG);
  hi_put(t, "\tcp.async.bulk.commit_group;\n");
  if (behind) { /* a group more, which may be under way */
    hi_put(t,
           "\tst.shared.u32 [%%send], %%me;\n\tfence.proxy.async;\n"
           "\tcp.reduce.async.bulk.global.shared::cta.bulk_group.max.u32 [%%sums+%u], [%%send], "
           "16;\n\tcp.async.bulk.commit_group;\n",
           3 * HI_BULK_SEND);
  }
  hi_put(t, "\tcp.async.bulk.wait_group%s %u;\n", seen ? "" : ".read", behind ? 1 : 0);
  if (seen) {
    hi_put(t, "\tld.global.u32 %%b1, [%%longs+%u];\n\tadd.u32 %%acc, %%acc, %%b1;\n", at + last);
  }
  hi_put(t, "\tst.shared.u32 [long+%u], %%rank;\n", at + last);
  if (behind) {
    hi_put(t, "\tcp.async.bulk.wait_group.read 0;\n");
  }
  hi_put(t, "B%u:\n", label);
}

/* o: an object whose phase has just ended. */
void hi_bulk_event(hi_out_t *t, unsigned o, unsigned class) {
  const uint32_t what = hi_below(t->h, 100);
  if (!t->h->sends || what < 25) {
    return;
  }
  if (what >= 90) {
    at_length(t, class);
  } else if (what < 55) {
    reduction(t);
  } else {
    store(t, o, what >= 75);
  }
}
