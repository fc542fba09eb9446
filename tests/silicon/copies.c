#include "tests/silicon/copies.h"

#include <stdio.h>
#include <string.h>

#define ALL " cp.async.wait_all;"
#define CA  "cp.async.ca.shared.global "
#define CG  "cp.async.cg.shared.global "

/* t: number of the thread; to: its 32 bytes of shared memory; p: t is odd; source. More than the
 * copy's size counts without its multiples, but for none: so the machine code has it (README.md). */
static const copies_t table[] = {
    {"ca 4, size t", CA "[to], [source], 4, t;" ALL, 5, COPIES_THREAD, 4},
    {"ca 8, size t", CA "[to], [source], 8, t;" ALL, 9, COPIES_THREAD, 8},
    {"ca 16, size t", CA "[to], [source], 16, t;" ALL, 17, COPIES_THREAD, 16},
    {"cg 16, size t", CG "[to], [source], 16, t;" ALL, 17, COPIES_THREAD, 16},
    {"ca 4, ignore if t is odd", CA "[to], [source], 4, p;" ALL, 2, COPIES_EVEN, 4},
    {"ca 8, ignore if t is odd", CA "[to], [source], 8, p;" ALL, 2, COPIES_EVEN, 8},
    {"ca 16, ignore if t is odd", CA "[to], [source], 16, p;" ALL, 2, COPIES_EVEN, 16},
    {"cg 16, ignore if t is odd", CG "[to], [source], 16, p;" ALL, 2, COPIES_EVEN, 16},
    {"ca 4, size 5", "mov.u32 t, 5; " CA "[to], [source], 4, t;" ALL, 1, -1, -1},
    {"ca 4, size 16", "mov.u32 t, 16; " CA "[to], [source], 4, t;" ALL, 1, 4, 4},
    {"ca 8, size 9", "mov.u32 t, 9; " CA "[to], [source], 8, t;" ALL, 1, -1, -1},
    {"ca 16, size 17", "mov.u32 t, 17; " CA "[to], [source], 16, t;" ALL, 1, -1, -1},
    {"cg 16, size 17", "mov.u32 t, 17; " CG "[to], [source], 16, t;" ALL, 1, -1, -1},
    {"ca 16, size 32", "mov.u32 t, 32; " CA "[to], [source], 16, t;" ALL, 1, 16, 16},
    {"ca 16, size ffffffff", "mov.u32 t, -1; " CA "[to], [source], 16, t;" ALL, 1, -1, -1},
    {"ca 16, size 80000003", "mov.u32 t, 0x80000003; " CA "[to], [source], 16, t;" ALL, 1, -1, -1},
    {"ca 16, size 0, source 0", "mov.u64 source, 0; " CA "[to], [source], 16, t;" ALL, 1, 0, 16},
    {"ca 4, size 0, source 0", "mov.u64 source, 0; " CA "[to], [source], 4, t;" ALL, 1, 0, 4},
    {"ca 16, ignore, source 0",
     "mov.u64 source, 0; setp.eq.u32 p, t, 0; " CA "[to], [source], 16, p;" ALL, 1, 0, 16},
    {"ca 8, size 0, source misaligned",
     "add.u64 source, source, 1; " CA "[to], [source], 8, t;" ALL, 1, 0, 8},
    {"ca 8, size 4, source a multiple of 4",
     "mov.u32 t, 4; add.u64 source, source, 4; " CA "[to], [source], 8, t;" ALL, 1, COPIES_NEXT, 8},
    {"ca 8, source a multiple of 4", "add.u64 source, source, 4; " CA "[to], [source], 8;" ALL, 1,
     -1, -1},
    {"ca 8, destination a multiple of 4", "add.u32 to, to, 4; " CA "[to], [source], 8;" ALL, 1, -1,
     -1},
    {"ca 4, source odd", "add.u64 source, source, 1; " CA "[to], [source], 4;" ALL, 1, -1, -1},
    {"wait_group 0, nothing", "cp.async.wait_group 0;", 1, 0, 0},
    {"wait_group 7, nothing", "cp.async.wait_group 7;", 1, 0, 0},
    {"wait_all, nothing", "cp.async.wait_all;", 1, 0, 0},
    {"empty groups, wait_group 0",
     "cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 0;", 1, 0, 0},
    {"a group, wait_group 0", CA "[to], [source], 8; cp.async.commit_group; cp.async.wait_group 0;",
     1, 8, 8},
    {"a group, an empty one, wait_group 1",
     CA "[to], [source], 8; cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 1;",
     1, 8, 8},
    {"100 groups, wait_group 99",
     CA "[to], [source], 8; mov.u32 t, 0; more: cp.async.commit_group; add.u32 t, t, 1; "
        "setp.lt.u32 p, t, 100; @p bra more; cp.async.wait_group 99;",
     1, 8, 8},
    {"two in a group to one place, wait_all",
     CA "[to], [source], 4; cp.async.wait_all; " CA "[to], [source], 8, 2;" ALL, 1, 2, 8},
    {"bulk wait_group 0, nothing", "cp.async.bulk.wait_group 0;", 1, 0, 0},
    {"bulk commit, bulk wait_group.read 0",
     "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;", 1, 0, 0},
};

/* What PTX leaves undefined, and silicon executes: Warplock ends the launch. */
static const struct {
  const char *name, *reason;
} others[] = {
    {"ca 4, size 16", "a size of the source above the copy's (9.7.9.25.3.1)"},
    {"ca 16, size 32", "a size of the source above the copy's (9.7.9.25.3.1)"},
    {"ca 8, size 4, source a multiple of 4", "the source is not a multiple of the size (6.4.1)"},
};

const char *copies_differs(const copies_t *c) {
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    if (strcmp(others[i].name, c->name) == 0) {
      return others[i].reason;
    }
  }
  return NULL;
}

const copies_t *copies_at(unsigned index) {
  return index < sizeof table / sizeof table[0] ? &table[index] : NULL;
}

void copies_kernel(const copies_t *c, char *ptx, size_t cap) {
  size_t used = (size_t)snprintf(
      ptx, cap,
      ".version 8.7\n.target sm_90\n.address_size 64\n"
      ".visible .entry copies(.param .u64 pout, .param .u64 psource) {\n"
      "  .shared .align 128 .b8 place[%d];\n  .reg .pred p;\n  .reg .b32 t, to, at, v;\n"
      "  .reg .b64 out, source;\n  ld.param.u64 out, [pout];\n  ld.param.u64 source, [psource];\n"
      "  mov.u32 t, %%tid.x;\n  mov.u32 at, place;\n  mad.lo.u32 at, t, %d, at;\n"
      "  mov.u32 to, at;\n  mad.wide.u32 out, t, %d, out;\n",
      COPIES_THREADS * COPIES_BYTES, COPIES_BYTES, COPIES_BYTES);
  for (unsigned i = 0; i < COPIES_BYTES / 4; i++) {
    used +=
        (size_t)snprintf(ptx + used, cap - used, "  st.shared.u32 [at+%u], 0xeeeeeeee;\n", 4 * i);
  }
  used += (size_t)snprintf(ptx + used, cap - used,
                           "  and.b32 v, t, 1;\n  setp.ne.u32 p, v, 0;\n  bar.sync 0;\n  %s\n"
                           "  bar.sync 0;\n",
                           c->text);
  for (unsigned i = 0; i < COPIES_BYTES / 4; i++) {
    used += (size_t)snprintf(ptx + used, cap - used,
                             "  ld.shared.u32 v, [at+%u];\n  st.global.u32 [out+%u], v;\n", 4 * i,
                             4 * i);
  }
  (void)snprintf(ptx + used, cap - used, "  ret;\n}\n");
}

void copies_rule(const copies_t *c, uint8_t result[COPIES_THREADS * COPIES_BYTES]) {
  for (unsigned i = 0; i < COPIES_THREADS * COPIES_BYTES; i++) {
    int at = (int)(i % COPIES_BYTES), t = (int)(i / COPIES_BYTES);
    int from = c->copied == COPIES_NEXT ? 8 : 0;
    int copied = c->copied == COPIES_THREAD ? t
                 : c->copied == COPIES_NEXT ? 8
                 : c->copied == COPIES_EVEN ? (t % 2 == 0 ? c->written : 0)
                                            : c->copied;
    result[i] = (uint8_t)(at < copied ? from + at + 1 : at < c->written ? 0 : 0xee);
  }
}

void copies_text(const copies_t *c, const uint8_t *result, const char *error,
                 char text[COPIES_TEXT]) {
  size_t used = (size_t)snprintf(text, COPIES_TEXT, "%s:%s%s\n", c->name, result == NULL ? " " : "",
                                 result == NULL ? error : "");
  for (unsigned i = 0; i < c->threads * COPIES_BYTES && result != NULL; i++) {
    if (i % COPIES_BYTES < COPIES_SHOWN) {
      used += (size_t)snprintf(text + used, COPIES_TEXT - used, "%02x%s", result[i],
                               i % COPIES_BYTES == COPIES_SHOWN - 1 ? "\n"
                               : i % 4 == 3                         ? " "
                                                                    : "");
    }
  }
}
