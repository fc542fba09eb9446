/* overlap_atom.c: atomics of 128 bits whose registers are each other's, with constants, without result, under a
 * guard. Memory has what cas looks for, or that with one half changed. PTX 9.7.13.5. */
#include <stdbool.h>

#include "tests/oracle/overlap_list.h"

typedef struct place { /* what follows atom, and an address of 32 bytes */
  const char *space, *base;
} place_t;
static const place_t k_places[] = {
    {".global", "%am"}, {"", "%am"}, {".shared", "%sa"}, {"", "%gs"}, {".shared::cluster", "%sa"}};

/* In high bits, where a constant's sign would be, too. */
static const char *const k_constants[] = {"0", "-7", "0x8000000000000001", "0xfedcba9876543210"};

/* The word in memory: register `found`, in which (half 1, 2) one half is another's; half 3: a constant. */
static void first(wl_overlap_out_t *o, const place_t *p, unsigned at, unsigned found, unsigned half,
                  const char *constant) {
  wl_overlap_put(o, "st%s.v2.b64 [%s+%u], ", p->space, p->base, at);
  if (half == 3) {
    wl_overlap_put(o, "{%s, 0};\n", constant);
  } else {
    wl_overlap_put(o, "{%%bx%u, %%bx%u};\n", (found + (half == 1 ? 1 : 0)) & 3,
                   (found + (half == 2 ? 2 : 1)) & 3);
  }
}

static void operand(wl_overlap_out_t *o, unsigned reg, const char *constant) {
  if (constant != NULL) {
    wl_overlap_put(o, ", %s", constant);
  } else {
    wl_overlap_put(o, ", %%q%u", reg);
  }
}

static void atomic(wl_overlap_out_t *o, const place_t *p, bool cas, unsigned v) {
  static const char *const guards[] = {"", "", "", "@%bp1 ", "@!%bp2 ", ""};
  static const char *const orders[] = {"", ".relaxed.gpu", ".acquire.cta", ".acq_rel.sys",
                                       ".release.gpu"};
  const unsigned d = v & 3, b = v >> 2 & 3, c = v >> 4 & 3, found = v >> 6 & 3,
                 at = v % 3 == 0 ? 16 : 0;
  const char *constant = k_constants[v / 5 % 4], *none = NULL;
  const unsigned half = v % 7 < 4 ? v % 7 : 0, which = v % 11; /* 3: b is a constant, 4: c */
  const bool constant_b = cas ? half == 3 || which == 3 : which < 4, constant_c = which == 4;
  wl_overlap_start(o);
  wl_overlap_put(o, "{\n.reg .b128 %%q<4>;\n");
  for (unsigned i = 0; i < 4; i++) {
    wl_overlap_put(o, "mov.b128 %%q%u, {%%bx%u, %%bx%u};\n", i, i, (i + 1) & 3);
  }
  first(o, p, at, found, half, constant);
  wl_overlap_put(o, "%satom%s%s.%s.b128 ", guards[v / 3 % 6], orders[v % 5], p->space,
                 cas ? "cas" : "exch");
  if (which == 7) {
    wl_overlap_put(o, "_");
  } else {
    wl_overlap_put(o, "%%q%u", d);
  }
  wl_overlap_put(o, ", [%s+%u]", p->base, at);
  operand(o, b, constant_b ? constant : none);
  if (cas) {
    operand(o, c, constant_c ? constant : none);
  }
  wl_overlap_put(o, ";\n");
  for (unsigned i = 0; i < 5; i++) { /* the last: what is in memory */
    if (i < 4) {
      wl_overlap_put(o, "mov.b128 {%%x0, %%x1}, %%q%u;\n", i);
    } else {
      wl_overlap_put(o, "ld%s.v2.b64 {%%x0, %%x1}, [%s+%u];\n}\n", p->space, p->base, at);
    }
    wl_overlap_dump(o, 'x', 0, NULL);
    wl_overlap_dump(o, 'x', 1, NULL);
  }
  wl_overlap_done(o);
}

void wl_overlap_atom128(wl_overlap_out_t *o) {
  for (unsigned p = 0; p < sizeof k_places / sizeof k_places[0]; p++) {
    for (unsigned v = 0; v < 256; v++) {
      atomic(o, &k_places[p], false, v);
      atomic(o, &k_places[p], true, v);
    }
  }
}
