/* overlap_matrix.c: ldmatrix, stmatrix and movmatrix whose registers are among each other, the address or
 * the guard; mma.m8n8k4 of f16, whose lowering is long. PTX 9.7.14.5, 9.7.14.5.15-17. */
#include <stdbool.h>
#include <stddef.h>

#include "tests/oracle/overlap_list.h"

/* Guard g - 1 for every lane: all lanes take part. */
static void guard(wl_overlap_out_t *o, unsigned g) {
  if (g != 0) {
    wl_overlap_put(o, "mov.pred %%p%u, %%always;\n@%%p%u ", g - 1, g - 1);
  }
}

/* The n registers of v, two bits each; false: one stands twice. */
static bool registers(unsigned v, unsigned n, unsigned *used) {
  bool apart = true;
  *used = 0;
  for (unsigned i = 0; i < n; i++) {
    apart = apart && (*used >> (v >> (2 * i) & 3) & 1) == 0;
    *used |= 1u << (v >> (2 * i) & 3);
  }
  return apart && v >> (2 * n) == 0;
}

static void list(wl_overlap_out_t *o, unsigned v, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    wl_overlap_put(o, "%s%%w%u", i == 0 ? "{" : ", ", v >> (2 * i) & 3);
  }
  wl_overlap_put(o, "}");
}

/* Each lane has the address of 16 bytes of its own, in one of the four registers. The load writes n
 * registers. */
static void load(wl_overlap_out_t *o, const char *kind, unsigned n) {
  for (unsigned v = 0; v < 256 * 4; v++) {
    unsigned address = v / 256, used;
    if (!registers(v % 256, n, &used)) {
      continue;
    }
    wl_overlap_start(o);
    wl_overlap_addresses(o, 'w', "%sm");
    guard(o, v % 3);
    wl_overlap_put(o, "ldmatrix.sync.aligned.%s ", kind);
    list(o, v, n);
    wl_overlap_put(o, ", [%%w%u];\n", address);
    for (unsigned i = 0; i < 4; i++) {
      wl_overlap_dump(o, 'w', i, (used >> i & 1) != 0 ? NULL : "%sm");
    }
    wl_overlap_done(o);
  }
}

/* Any registers but the one with the address; then what the lane's own row holds. */
static void store(wl_overlap_out_t *o, const char *kind, unsigned n) {
  for (unsigned v = 0; v < 256 * 4; v++) {
    unsigned address = v / 256, used;
    (void)registers(v % 256, n, &used);
    if (v % 256 >> (2 * n) != 0 || (used >> address & 1) != 0) {
      continue;
    }
    wl_overlap_start(o);
    wl_overlap_values(o, 'w', 4);
    wl_overlap_put(o, "add.u32 %%w%u, %%sm, 16;\n", address);
    guard(o, v % 3);
    wl_overlap_put(o, "stmatrix.sync.aligned.%s [%%w%u], ", kind, address);
    list(o, v, n);
    wl_overlap_put(o, ";\nld.shared.v2.b64 {%%x0, %%x1}, [%%sm+16];\n");
    wl_overlap_dump(o, 'x', 0, NULL);
    wl_overlap_dump(o, 'x', 1, NULL);
    wl_overlap_done(o);
  }
}

static void moves(wl_overlap_out_t *o) {
  for (unsigned v = 0; v < 4 * 4 * 4; v++) {
    wl_overlap_start(o);
    wl_overlap_values(o, 'w', 4);
    guard(o, v / 16);
    wl_overlap_put(o, "movmatrix.sync.aligned.m8n8.trans.b16 %%w%u, %%w%u;\n", v % 4, v / 4 % 4);
    for (unsigned i = 0; i < 4; i++) {
      wl_overlap_dump(o, 'w', i, NULL);
    }
    wl_overlap_done(o);
  }
}

/* D of f16 is in an order of the four registers, which are A, B and C, too: any of them. D of f32 has four
 * more. */
static void product(wl_overlap_out_t *o, const char *layout, bool f32, unsigned d, uint32_t any) {
  wl_overlap_start(o);
  wl_overlap_values(o, 'w', 4);
  guard(o, any >> 8 & 1);
  wl_overlap_put(o, "mma.sync.aligned.m8n8k4.%s%s.f16.f16.f16 ", layout, f32 ? ".f32" : ".f16");
  if (f32) {
    wl_overlap_put(o, "{%%w%u, %%f0, %%w%u, %%f1, %%f2, %%w%u, %%f3, %%w%u}", d & 3, d >> 2 & 3,
                   d >> 4 & 3, d >> 6);
  } else {
    list(o, d, 4);
  }
  for (unsigned operand = 0; operand < 3; operand++) {
    wl_overlap_put(o, ", ");
    list(o, any >> (12 + 4 * operand) & 0xff, operand < 2 ? 2 : 4);
  }
  wl_overlap_put(o, ";\n");
  for (unsigned i = 0; i < 4; i++) {
    wl_overlap_dump(o, 'w', i, NULL);
  }
  for (unsigned i = 0; f32 && i < 4; i++) {
    wl_overlap_dump(o, 'f', i, NULL);
  }
  wl_overlap_done(o);
}

static void products(wl_overlap_out_t *o) {
  static const char *const layouts[] = {"row.col", "row.row", "col.row", "col.col"};
  uint32_t any = 1;
  for (unsigned d = 0; d < 256; d++) {
    unsigned used;
    for (unsigned v = 0; registers(d, 4, &used) && v < 32; v++) {
      any = any * 1664525 + 1013904223;
      product(o, layouts[v % 4], v / 4 % 2 == 1, d, any);
    }
  }
}

typedef struct matrix_kind {
  const char *text; /* of the instruction, after .aligned */
  unsigned registers;
} matrix_kind_t;

static const matrix_kind_t loads[] = {
    {"m8n8.x1.shared.b16", 1},
    {"m8n8.x1.trans.shared.b16", 1},
    {"m8n8.x2.shared.b16", 2},
    {"m8n8.x2.trans.shared.b16", 2},
    {"m8n8.x4.shared.b16", 4},
    {"m8n8.x4.trans.shared.b16", 4},
    {"m16n16.x1.trans.shared.b8", 2},
    {"m16n16.x2.trans.shared.b8", 4},
    {"m16n16.x1.trans.shared.b8x16.b6x16_p32", 2},
    {"m16n16.x2.trans.shared.b8x16.b4x16_p64", 4},
    {"m8n16.x1.shared.b8x16.b4x16_p64", 1},
    {"m8n16.x2.shared.b8x16.b6x16_p32", 2},
    {"m8n16.x4.shared.b8x16.b6x16_p32", 4},
};
static const matrix_kind_t stores[] = {
    {"m8n8.x1.shared.b16", 1},       {"m8n8.x1.trans.shared.b16", 1},
    {"m8n8.x2.shared.b16", 2},       {"m8n8.x2.trans.shared.b16", 2},
    {"m8n8.x4.shared.b16", 4},       {"m8n8.x4.trans.shared.b16", 4},
    {"m16n8.x1.trans.shared.b8", 1}, {"m16n8.x2.trans.shared.b8", 2},
    {"m16n8.x4.trans.shared.b8", 4},
};

void wl_overlap_matrix(wl_overlap_out_t *o) {
  for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
    load(o, loads[i].text, loads[i].registers);
  }
  for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
    store(o, stores[i].text, stores[i].registers);
  }
  moves(o);
  products(o);
}
