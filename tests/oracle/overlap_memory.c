/* overlap_memory.c: loads, stores and atomics whose address register is an element, a destination
 * or an operand. PTX 9.7.9.8-9.7.9.11, 9.7.13.5. */
#include <stdbool.h>
#include <string.h>

#include "tests/oracle/overlap_list.h"

typedef struct place { /* a way to reach memory: what follows ld or st, registers, first address */
  const char *space;
  char letter;
  const char *base;
} place_t;
static const place_t k_places[] = {{".global", 'x', "%gm"},
                                   {"", 'x', "%gm"},
                                   {".shared", 'x', "%smx"},
                                   {".shared", 'w', "%sm"},
                                   {"", 'x', "%gs"},
                                   {".local", 'x', "%lmx"},
                                   {".local", 'w', "%lm"},
                                   {"", 'x', "%gl"},
                                   {".const", 'x', "%cmx"},
                                   {"", 'x', "%gc"},
                                   {".param", 'x', "%pmx"},
                                   {".param", 'w', "%pm"},
                                   {".global.nc", 'x', "%gm"},
                                   {".volatile.global", 'x', "%gm"},
                                   {".acquire.gpu.global", 'x', "%gm"},
                                   {"u.global", 'x', "%gm"}};

/* ld{.vN} {d..}, [a] for every choice of n of four registers and of the address among them. */
static void load(wl_overlap_out_t *o, const place_t *p, const char *type, unsigned n) {
  for (unsigned v = 0; v < 256 * 4; v++) {
    unsigned address = v / 256, used = 0;
    int ok = n == 4 || v % 256 >> (2 * n) == 0;
    for (unsigned i = 0; i < n; i++) {
      ok = ok && (used >> (v >> (2 * i) & 3) & 1) == 0;
      used |= 1u << (v >> (2 * i) & 3);
    }
    if (!ok) {
      continue;
    }
    wl_overlap_start(o);
    wl_overlap_addresses(o, p->letter, p->base);
    wl_overlap_put(o, "ld%s.", p->space);
    if (n > 1) {
      wl_overlap_put(o, "v%u.", n);
    }
    wl_overlap_put(o, n > 1 ? "%s {" : "%s ", type);
    for (unsigned i = 0; i < n; i++) {
      wl_overlap_put(o, "%s%%%c%u", i == 0 ? "" : ", ", p->letter, v >> (2 * i) & 3);
    }
    wl_overlap_put(o, "%s, [%%%c%u];\n", n == 1 ? "" : "}", p->letter, address);
    for (unsigned i = 0; i < 4; i++) {
      wl_overlap_dump(o, p->letter, i, (used >> i & 1) != 0 ? NULL : p->base);
    }
    wl_overlap_done(o);
  }
}

static void loads(wl_overlap_out_t *o) {
  static const char *const types[] = {"u8", "s8", "u16", "s16", "u32", "s32", "b64"};
  for (unsigned k = 0; k < sizeof k_places / sizeof k_places[0]; k++) {
    for (unsigned t = 0; t < 7; t++) {
      bool wide = t == 6, narrow = k_places[k].letter == 'w';
      for (unsigned n = 1; n <= (wide ? 2u : 4u) && !(wide && narrow); n *= 2) {
        load(o, &k_places[k], types[t], n);
      }
    }
  }
}

/* st.shared.vN [a], {..}: every element may be the address; what came to memory, less the base. */
static void store(wl_overlap_out_t *o, unsigned bits, unsigned n) {
  for (unsigned v = 0; v < 256 * 4; v++) {
    if (n < 4 && v % 256 >> (2 * n) != 0) {
      continue;
    }
    wl_overlap_start(o);
    wl_overlap_addresses(o, 'w', "%sa");
    wl_overlap_put(o, "st.shared.v%u.b%u [%%w%u], {", n, bits, v / 256);
    for (unsigned i = 0; i < n; i++) {
      wl_overlap_put(o, "%s%%w%u", i == 0 ? "" : ", ", v >> (2 * i) & 3);
    }
    wl_overlap_put(o, "};\n");
    for (unsigned i = 0; i < n; i++) {
      wl_overlap_put(o,
                     "ld.shared.u%u %%w0, [%%sa+%u];\nsub.u32 %%w0, %%w0, %%sa;\n"
                     "and.b32 %%w0, %%w0, 0x%x;\n",
                     bits, v / 256 * 16 + i * bits / 8, bits == 32 ? ~0u : (1u << bits) - 1);
      wl_overlap_dump(o, 'w', 0, NULL);
    }
    wl_overlap_done(o);
  }
}

static void stores(wl_overlap_out_t *o) {
  store(o, 32, 4);
  store(o, 32, 2);
  store(o, 16, 4);
  store(o, 8, 4);
  for (unsigned v = 0; v < 64; v++) { /* pairs of 64 bits */
    wl_overlap_start(o);
    wl_overlap_addresses(o, 'x', "%am");
    wl_overlap_put(o, "st.global.v2.b64 [%%x%u], {%%x%u, %%x%u};\n", v / 16, v / 4 % 4, v % 4);
    wl_overlap_put(o, "ld.global.v2.b64 {%%x0, %%x1}, [%%am+%u];\n", v / 16 * 16);
    wl_overlap_dump(o, 'x', 0, "%am");
    wl_overlap_dump(o, 'x', 1, "%am");
    wl_overlap_done(o);
  }
}

/* atom d, [a], b, c: c only for cas, which finds b in memory. Results are less the base where they
 * are addresses. */
static void atomic(wl_overlap_out_t *o, const char *op, const place_t *p, unsigned v) {
  unsigned d = v & 3, a = v >> 2 & 3, b = v >> 4 & 3, c = v >> 6 & 3;
  bool cas = strstr(op, "cas") != NULL, wide = p->letter == 'x';
  int bits = wide ? 64 : 32;
  char l = p->letter;
  wl_overlap_start(o);
  wl_overlap_values(o, l, 4);
  wl_overlap_put(o, "add.u%d %%%c%u, %s, %u;\n", bits, l, a, p->base, 16 * a);
  wl_overlap_put(o, "st%s.b%d [%%%c%u], ", p->space, bits, l, a);
  wl_overlap_put(o, cas ? "%%%c%u;\n" : "0;\n", l, b);
  wl_overlap_put(o, "atom%s.%s%d %%%c%u, [%%%c%u], %%%c%u", p->space, op, bits, l, d, l, a, l, b);
  wl_overlap_put(o, cas ? ", %%%c%u;\n" : ";\n", l, c);
  for (unsigned i = 0; i < 4; i++) {
    bool address = i == d ? cas && b == a : i == a;
    wl_overlap_dump(o, l, i, address ? p->base : NULL);
  }
  wl_overlap_put(o, "ld%s.b%d %%%c0, [%s+%u];\n", p->space, bits, l, p->base, 16 * a);
  wl_overlap_dump(o, l, 0, (cas ? c : b) == a ? p->base : NULL);
  wl_overlap_done(o);
}

static void atomics(wl_overlap_out_t *o) {
  static const place_t places[] = {
      {".shared", 'w', "%sa"}, {".global", 'x', "%am"}, {"", 'x', "%am"}};
  static const char *const ops[] = {"add.u", "exch.b", "cas.b"};
  for (unsigned p = 0; p < 3; p++) {
    for (unsigned k = 0; k < 3; k++) {
      for (unsigned v = 0; v < (k == 2 ? 256u : 64u); v++) {
        atomic(o, ops[k], &places[p], v);
      }
    }
  }
}

void wl_overlap_memory(wl_overlap_out_t *o) {
  loads(o);
  stores(o);
  atomics(o);
}
