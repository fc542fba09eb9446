/* overlap_wide.c: accesses of 128 and 256 bits, atomics of halves and vectors, and chains of carries, whose
 * registers are each other's. PTX 9.7.2, 9.7.9.4, 9.7.9.8-9.7.9.11, 9.7.13.5, 9.7.13.6. */
#include <stdbool.h>
#include <string.h>

#include "tests/oracle/overlap_list.h"

/* A permutation of four registers, number 0 to 23. */
static void permute(unsigned number, unsigned *to) {
  unsigned left[4] = {0, 1, 2, 3};
  for (unsigned i = 0; i < 4; i++) {
    unsigned pick = number % (4 - i);
    number /= 4 - i;
    to[i] = left[pick];
    memmove(&left[pick], &left[pick + 1], (3 - pick) * sizeof left[0]);
  }
}

static void addresses32(wl_overlap_out_t *o, const char *base) {
  for (unsigned i = 0; i < 4; i++) {
    wl_overlap_put(o, "add.u64 %%x%u, %s, %u;\n", i, base, 32 * i);
  }
}

static void element(wl_overlap_out_t *o, unsigned i, bool sink, unsigned reg) {
  wl_overlap_put(o, "%s", i == 0 ? "" : ", ");
  if (sink) {
    wl_overlap_put(o, "_");
  } else {
    wl_overlap_put(o, "%%x%u", reg);
  }
}

/* ld.v4.b64 whose address is an element; `sink` (below 4) is the element that is not kept. */
static void load256(wl_overlap_out_t *o, const char *space, const char *base, unsigned number,
                    unsigned address, unsigned sink) {
  unsigned reg[4];
  permute(number, reg);
  wl_overlap_start(o);
  addresses32(o, base);
  wl_overlap_put(o, "ld%s.v4.b64 {", space);
  for (unsigned i = 0; i < 4; i++) {
    element(o, i, i == sink, reg[i]);
  }
  wl_overlap_put(o, "}, [%%x%u];\n", address);
  for (unsigned i = 0; i < 4; i++) {
    wl_overlap_dump(o, 'x', i, sink < 4 && reg[sink] == i ? base : NULL);
  }
  wl_overlap_done(o);
}

static void store256(wl_overlap_out_t *o, unsigned v, unsigned sink) {
  unsigned address = v / 256;
  wl_overlap_start(o);
  addresses32(o, "%am");
  wl_overlap_put(o, "st.global.v2.b64 [%%am+%u], {%%bx0, %%bx1};\n", 32 * address);
  wl_overlap_put(o, "st.global.v2.b64 [%%am+%u], {%%bx2, %%bx3};\n", 32 * address + 16);
  wl_overlap_put(o, "st.global.v4.b64 [%%x%u], {", address);
  for (unsigned i = 0; i < 4; i++) {
    element(o, i, i == sink, v >> (2 * i) & 3);
  }
  wl_overlap_put(o, "};\n");
  for (unsigned i = 0; i < 4; i++) {
    wl_overlap_put(o, "ld.global.b64 %%x0, [%%am+%u];\n", 32 * address + 8 * i);
    wl_overlap_dump(o, 'x', 0, i == sink ? NULL : "%am");
  }
  wl_overlap_done(o);
}

static void accesses256(wl_overlap_out_t *o) {
  for (unsigned number = 0; number < 24; number++) {
    for (unsigned address = 0; address < 4; address++) {
      load256(o, ".global", "%gm", number, address, 4 - number % 2 * (1 + address % 4));
      load256(o, address % 2 != 0 ? ".volatile" : ".global.nc", "%gm", number, address, 4);
    }
    wl_overlap_start(o); /* eight words of 32 bits */
    unsigned r[4];
    permute(number, r);
    wl_overlap_put(o, "ld.global.v8.b32 {%%w%u, _, %%w%u, %%w%u, _, _, _, %%w%u}, [%%gm+%u];\n",
                   r[0], r[1], r[2], r[3], number % 4 * 32);
    wl_overlap_put(o, "st.global.v8.b32 [%%am+%u], {%%w0, %%w1, %%bw0, %%w2, %%bw1, %%w0, %%bw3, "
                   "%%w%u};\nld.global.v4.b64 {%%x0, %%x1, %%x2, %%x3}, [%%am+%u];\n",
                   number % 4 * 32, r[0], number % 4 * 32);
    for (unsigned i = 0; i < 8; i++) {
      wl_overlap_dump(o, i < 4 ? 'w' : 'x', i % 4, NULL);
    }
    wl_overlap_done(o);
  }
  for (unsigned v = 0; v < 1024; v += 5) {
    store256(o, v, v % 3 == 0 ? v / 3 % 4 : 4);
  }
}

/* mov, ld and st of 128 bits. */
static void accesses128(wl_overlap_out_t *o) {
  for (unsigned v = 0; v < 256; v++) {
    unsigned a = v & 3, b = v >> 2 & 3, c = v >> 4 & 3, d = v >> 6 & 3;
    if (c == d) {
      continue;
    }
    wl_overlap_start(o);
    wl_overlap_values(o, 'x', 4);
    wl_overlap_put(o, "{\n.reg .b128 %%q<3>;\nmov.b128 %%q0, {%%x%u, %%x%u};\n", a, b);
    wl_overlap_put(o, "st.global.b128 [%%am+%u], %%q0;\nmov.b128 %%q1, %%q0;\n", 16 * a);
    wl_overlap_put(o, "mov.b128 {%%x%u, %%x%u}, %%q1;\n}\n", c, d);
    for (unsigned i = 0; i < 4; i++) {
      wl_overlap_dump(o, 'x', i, NULL);
    }
    wl_overlap_put(o, "ld.global.v2.b64 {%%x0, %%x1}, [%%am+%u];\n", 16 * a);
    wl_overlap_dump(o, 'x', 0, NULL);
    wl_overlap_dump(o, 'x', 1, NULL);
    wl_overlap_done(o);
    wl_overlap_start(o);
    wl_overlap_addresses(o, 'x', b % 2 != 0 ? "%smx" : "%gm");
    wl_overlap_put(o, "{\n.reg .b128 %%q<2>;\nld%s.b128 %%q0, [%%x%u];\n",
                   b % 2 != 0 ? ".shared" : ".global", a);
    wl_overlap_put(o, "mov.b128 {%%x%u, %%x%u}, %%q0;\n}\n", c, d);
    wl_overlap_dump(o, 'x', c, NULL);
    wl_overlap_dump(o, 'x', d, NULL);
    wl_overlap_done(o);
  }
}

/* ---- atomics of halves: memory holds first values of the lane ---- */
typedef struct half_atomic {
  const char *what;
  char letter; /* of data */
  unsigned n;  /* elements */
} half_atomic_t;

static void fill(wl_overlap_out_t *o, const char *space, const char *base) {
  wl_overlap_put(o, "st%s.v2.b64 [%s], {%%bx0, %%bx1};\n", space, base);
  wl_overlap_put(o, "st%s.v2.b64 [%s+16], {%%bx2, %%bx3};\n", space, base);
}

static void list(wl_overlap_out_t *o, char letter, unsigned n, unsigned regs) {
  wl_overlap_put(o, "%s", n > 1 ? "{" : "");
  for (unsigned i = 0; i < n; i++) {
    wl_overlap_put(o, "%s%%%c%u", i == 0 ? "" : ", ", letter, regs >> (2 * i) & 3);
  }
  wl_overlap_put(o, "%s", n > 1 ? "}" : "");
}

/* atom d, [a], b and red [a], b: registers of d differ from each other, those of b need not. */
static void half_atomic(wl_overlap_out_t *o, const half_atomic_t *h, const char *space,
                        const char *base, unsigned number, unsigned sources, bool result) {
  unsigned r[4], bytes = h->n * (h->letter == 'h' ? 2 : 4), at = bytes > 8 ? 0 : number % 2;
  permute(number, r);
  wl_overlap_start(o);
  wl_overlap_values(o, h->letter, 4);
  fill(o, space, base);
  wl_overlap_put(o, "%s%s.%s ", result ? "atom" : "red", space, h->what);
  if (result) {
    list(o, h->letter, h->n, r[0] | r[1] << 2 | r[2] << 4 | r[3] << 6);
    wl_overlap_put(o, ", ");
  }
  wl_overlap_put(o, "[%s+%u], ", base, bytes * at);
  list(o, h->letter, h->n, sources);
  wl_overlap_put(o, ";\n");
  for (unsigned i = 0; i < 4; i++) {
    wl_overlap_dump(o, h->letter, i, NULL);
  }
  for (unsigned i = 0; i < 4; i++) {
    wl_overlap_put(o, "ld%s.b64 %%x0, [%s+%u];\n", space, base, 8 * i);
    wl_overlap_dump(o, 'x', 0, NULL);
  }
  wl_overlap_done(o);
}

static void half_atomics(wl_overlap_out_t *o) {
  static const half_atomic_t h[] = {
      {"add.noftz.f16", 'h', 1},       {"add.noftz.bf16", 'h', 1},
      {"add.noftz.f16x2", 'w', 1},     {"add.noftz.bf16x2", 'w', 1},
      {"add.noftz.v2.f16", 'h', 2},    {"min.noftz.v2.bf16", 'h', 2},
      {"max.noftz.v4.f16", 'h', 4},    {"add.noftz.v4.bf16", 'h', 4},
      {"min.noftz.v2.f16x2", 'w', 2},  {"max.noftz.v2.bf16x2", 'w', 2},
      {"add.noftz.v4.f16x2", 'w', 4},  {"min.noftz.v4.bf16x2", 'w', 4},
      {"max.noftz.v4.f16x2", 'w', 4},  {"add.v2.f32", 'f', 2},
      {"add.v4.f32", 'f', 4}};
  for (unsigned k = 0; k < sizeof h / sizeof h[0]; k++) {
    for (unsigned v = 0; v < 48; v++) {
      unsigned sources = v * 37 % 256;
      bool shared = h[k].n == 1 && v % 3 == 0;
      half_atomic(o, &h[k], shared ? ".shared" : ".global", shared ? "%sa" : "%am", v % 24, sources,
                  v < 24 || v % 2 == 0);
    }
  }
  for (unsigned v = 0; v < 256; v++) { /* cas of 16 bits finds b in memory, or something else */
    unsigned d = v & 3, b = v >> 2 & 3, c = v >> 4 & 3, found = v >> 6 & 3;
    bool shared = (v & 5) == 5;
    const char *space = shared ? ".shared" : ".global", *base = shared ? "%sa" : "%am";
    wl_overlap_start(o);
    wl_overlap_values(o, 'h', 4);
    fill(o, space, base);
    wl_overlap_put(o, "st%s.b16 [%s+%u], %%h%u;\n", space, base, 2 * found, found);
    wl_overlap_put(o, "atom%s.cas.b16 %%h%u, [%s+%u], %%h%u, %%h%u;\n", space, d, base, 2 * found, b,
                   c);
    for (unsigned i = 0; i < 4; i++) {
      wl_overlap_dump(o, 'h', i, NULL);
    }
    wl_overlap_put(o, "ld%s.b64 %%x0, [%s];\n", space, base);
    wl_overlap_dump(o, 'x', 0, NULL);
    wl_overlap_done(o);
  }
}

/* ---- chains of carries: three operations, some under a guard or jumped over, then the flag ---- */
static void chain(wl_overlap_out_t *o, unsigned v, bool wide) {
  static const char *const ops[] = {"add.cc", "addc.cc",   "sub.cc",     "subc.cc",
                                    "addc",   "mad.lo.cc", "madc.hi.cc", "mad.hi.cc"};
  char l = wide ? 'x' : 'w';
  int bits = wide ? 64 : 32;
  unsigned hash = v * 2654435761u;
  wl_overlap_start(o);
  wl_overlap_values(o, l, 4);
  wl_overlap_put(o, "{\nadd.cc.u%d %%%c3, %%b%c3, %%b%c3;\n", bits, l, l, l);
  for (unsigned i = 0; i < 3; i++) {
    const char *op = ops[v >> (3 * i) & 7];
    unsigned d = hash >> 30, a = hash >> 28 & 3, b = hash >> 26 & 3, c = hash >> 24 & 3;
    unsigned guard = hash >> 20 & 15;
    hash = hash * 1664525u + 1013904223u;
    if (guard == 14) {
      wl_overlap_put(o, "@%%bp%u bra L%u;\n", a, i);
    } else if (guard < 8) {
      wl_overlap_put(o, "@%s%%bp%u ", guard < 4 ? "!" : "", guard & 3);
    }
    wl_overlap_put(o, "%s.%c%d %%%c%u, %%%c%u, %%%c%u", op, (hash >> 16 & 1) != 0 ? 's' : 'u', bits, l,
                   d, l, a, l, b);
    if (op[0] == 'm') {
      wl_overlap_put(o, ", %%%c%u", l, c);
    }
    wl_overlap_put(o, ";\nL%u:\n", i);
  }
  wl_overlap_put(o, "}\n");
  wl_overlap_put(o, "addc.u32 %%w0, 0, 0;\n");
  wl_overlap_dump(o, 'w', 0, NULL);
  for (unsigned i = wide ? 0 : 1; i < 4; i++) {
    wl_overlap_dump(o, l, i, NULL);
  }
  wl_overlap_done(o);
}

void wl_overlap_wide(wl_overlap_out_t *o) {
  accesses256(o);
  accesses128(o);
  half_atomics(o);
  for (unsigned v = 0; v < 512; v++) {
    chain(o, v, false);
    chain(o, v, true);
  }
}
