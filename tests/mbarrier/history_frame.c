/* history_frame.c: the kernel around the stages: tables, init, where all threads meet, inval. */
#include <inttypes.h>

#include "tests/mbarrier/history_text.h"

static void meet(hi_out_t *t) {
  static const char *const all[] = {
      "barrier.sync 0;", "barrier.cta.sync 3;", "barrier.cluster.arrive;\n\tbarrier.cluster.wait;",
      "barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;"};
  hi_put(t, "\t%s\n", hi_one_of(t, all, 4));
}

/* Of every mbarrier in use: init with its count, or inval. */
static void by_one(hi_out_t *t, bool init, unsigned tid) {
  const hi_history_t *h = t->h;
  hi_put(t, "\tsetp.ne.u32 %%q, %%me, %u;\n\t@%%q bra I%u;\n", tid, t->label);
  for (unsigned o = 0; o < h->objects; o++) {
    for (unsigned copy = 0; copy < h->copies[o]; copy++) {
      const unsigned at = 8 * (HI_COPIES * o + copy);
      if (h->expected[o][copy] == 0) {
        continue;
      }
      if (init) {
        hi_put(t, "\tmbarrier.init.shared::cta.b64 [objects+%u], %" PRIu32 ";\n", at,
               h->expected[o][copy]);
      } else {
        hi_put(t, "\tmbarrier.inval.shared::cta.b64 [objects+%u];\n", at);
      }
    }
  }
  if (init && hi_chance(t->h, 50)) {
    hi_put(t, "\tfence.mbarrier_init.release.cluster;\n");
  }
  hi_put(t, "I%u:\n", t->label++);
}

static unsigned someone(const hi_history_t *h) { /* who does not leave at once */
  for (unsigned t = 0; t < h->threads; t++) {
    if (h->class_of[t] < h->classes) {
      return t;
    }
  }
  return 0;
}

static void epoch_text(hi_out_t *t, unsigned e) {
  const unsigned end = t->label++;
  by_one(t, true, someone(t->h));
  for (unsigned o = 0; o < t->h->objects; o++) {
    hi_put(t, "\trem.u32 %%n, %%rank, %u;\n\tshl.b32 %%n, %%n, 3;\n\tmov.u32 %%a%u, objects;\n",
           t->h->copies[o], o);
    hi_put(t, "\tadd.u32 %%a%u, %%a%u, %%n;\n\tadd.u32 %%a%u, %%a%u, %u;\n", o, o, o, o,
           8 * HI_COPIES * o);
    hi_put(t, "\tmov.u32 %%ph%u, 0;\n", o);
  }
  meet(t);
  for (unsigned c = 1; c < t->h->classes; c++) {
    hi_put(t, "\tsetp.eq.u32 %%q, %%class, %u;\n\t@%%q bra C%u_%u;\n", c, e, c);
  }
  for (unsigned c = 0; c < t->h->classes; c++) {
    hi_put(t, "C%u_%u:\n", e, c);
    hi_class_text(t, e, c);
    hi_put(t, "\tbra E%u;\n", end);
  }
  hi_put(t, "E%u:\n", end);
  meet(t);
  if (hi_chance(t->h, 50) || e + 1 < t->h->epochs) {
    by_one(t, false, someone(t->h));
  }
}

/* A thread of the class at the same copy of the object, or the thread itself. */
static unsigned partner_of(const hi_history_t *h, unsigned o, unsigned class, unsigned thread) {
  const unsigned copies = h->copies[o], members = hi_members(h, class, o, h->rank[thread] % copies);
  const unsigned wanted = members != 0 ? h->rank[thread] / copies % members : 0;
  unsigned seen = 0;
  for (unsigned t = 0; t < h->threads && members != 0; t++) {
    const bool fits = h->class_of[t] == class && h->rank[t] % copies == h->rank[thread] % copies;
    if (fits && seen++ == wanted) {
      return t;
    }
  }
  return thread;
}

static void tables(hi_out_t *t) {
  const hi_history_t *h = t->h;
  hi_put(t, ".const .align 4 .b32 due[%u] = {", HI_EPOCHS * HI_STAGES * HI_COPIES);
  for (unsigned i = 0; i < HI_EPOCHS * HI_STAGES * HI_COPIES; i++) {
    const hi_stage_t *s = &h->stage[i / HI_COPIES / HI_STAGES][i / HI_COPIES % HI_STAGES];
    hi_put(t, "%s%" PRIu32, i != 0 ? ", " : "", s->due[i % HI_COPIES]);
  }
  hi_put(t, "};\n.const .b8 class[%u] = {", 2 * HI_THREADS);
  for (unsigned i = 0; i < 2 * HI_THREADS; i++) {
    hi_put(t, "%s%u", i != 0 ? ", " : "",
           i < HI_THREADS ? h->class_of[i] : h->rank[i - HI_THREADS]);
  }
  hi_put(t, "};\n.const .b8 partner[%u] = {", HI_OBJECTS * HI_CLASSES * HI_THREADS);
  for (unsigned i = 0; i < HI_OBJECTS * HI_CLASSES * HI_THREADS; i++) {
    const unsigned thread = i % HI_THREADS, row = i / HI_THREADS, o = row / HI_CLASSES;
    const bool used = o < h->objects && thread < h->threads;
    hi_put(t, "%s%u", i != 0 ? ", " : "", used ? partner_of(h, o, row % HI_CLASSES, thread) : 0);
  }
  hi_put(t, "};\n");
}

size_t hi_text(hi_history_t *h, char *text, size_t cap) {
  hi_out_t t = {.h = h, .to = text, .cap = cap};
  const unsigned arguments = h->bulk ? 5 : 1;
  const rp_launch_t launch = {.grid = {1, 1, 1},
                              .block = {h->threads, 1, 1},
                              .data = 1,
                              .regs = 64,
                              .nargs = arguments,
                              .keep = h->bulk ? UINT64_MAX : 0,
                              .arg = {{.buffer = true, .bytes = 4 * HI_THREADS},
                                      {true, true, 16 * HI_BULK_SOURCES + HI_BULK_WIDE},
                                      {true, false, 2 * HI_BULK_SEND * HI_THREADS},
                                      {true, true, HI_BULK_SEND * HI_BULK_SUMS},
                                      {true, true, HI_BULK_LONG * (HI_CLASSES + 1)}}};
  t.used = (size_t)rp_format(&launch, text, cap);
  hi_put(&t, ".version %s\n.address_size 64\n",
         h->bulk ? "9.2\n.target sm_100" : "8.7\n.target sm_90");
  tables(&t);
  hi_put(&t,
         ".visible .entry history(.param .u64 out%s)\n{\n\t.shared .align 8 .b64 objects[%u];\n"
         "\t.shared .align 4 .b32 data[%u];\n\t.reg .pred %%p, %%q, %%first;\n"
         "\t.reg .b32 %%me, %%class, %%rank, %%acc, %%n, %%n2, %%n3, %%turn, %%limit, %%mine, "
         "%%cells%s, %%a<%u>, %%ph<%u>;\n\t.reg .b64 %%x, %%out, %%s<%u>;\n",
         h->bulk ? ", .param .u64 in, .param .u64 slots, .param .u64 sums, .param .u64 longs" : "",
         HI_OBJECTS * HI_COPIES, HI_OBJECTS * 2 * HI_THREADS, h->bulk ? ", %n4" : "", HI_OBJECTS,
         HI_OBJECTS, HI_OBJECTS);
  if (h->bulk) {
    hi_bulk_frame(&t);
  }
  hi_put(&t,
         "\tmov.u32 %%me, %%tid.x;\n\tld.const.u8 %%class, class[%%me];\n"
         "\tld.const.u8 %%rank, class[%%me+%u];\n"
         "\tsetp.eq.u32 %%q, %%class, %u;\n\t@%%q exit;\n\tmov.u32 %%cells, data;\n"
         "\tshl.b32 %%mine, %%me, 2;\n\tadd.u32 %%mine, %%mine, %%cells;\n"
         "\tmad.lo.u32 %%acc, %%me, 77777, 1;\n\tmov.u32 %%limit, %u;\n",
         HI_THREADS, h->classes, 30 + 20 * hi_below(h, 20));
  if (h->bulk) {
    hi_bulk_start(&t, someone(h));
  }
  for (unsigned e = 0; e < h->epochs; e++) {
    epoch_text(&t, e);
  }
  hi_put(&t, "\tld.param.u64 %%out, [out];\n\tmad.wide.u32 %%out, %%me, 4, %%out;\n"
             "\tst.global.u32 [%%out], %%acc;\n\tret;\n}\n");
  return t.used;
}
