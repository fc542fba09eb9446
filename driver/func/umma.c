/* umma.c: products in tensor memory and their commits (docs/microarchitecture.md 25). A command is
 * carried out at once, those of several lanes in ascending order; the first fault ends the run. */
#include <string.h>

#include "cmodel/sem/dot.h"
#include "driver/func/func.h"

enum { ELEMENTS = 16, UNIT = 32, LANES = 128, NEGATE = 0x8000 };

static uint32_t field(uint64_t word, unsigned high, unsigned low) {
  return (uint32_t)(word >> low & ((UINT64_C(2) << (high - low)) - 1));
}

/* ---- judgement, in the order of 25.2 */
static bool reserved_instruction(uint32_t i) {
  const uint32_t d = field(i, 5, 4), a = field(i, 9, 7), b = field(i, 12, 10), n = field(i, 22, 17),
                 m = field(i, 28, 24);
  return (i & (1u << 2 | 1u << 3 | 1u << 6 | 1u << 23 | 1u << 29)) != 0 || d > 1 || a > 1 ||
         (d == 0 && a == 1) || b != a || n == 0 || n > 32 || (m != 4 && m != 8) ||
         field(i, 31, 30) != 0;
}

typedef struct operand {
  uint32_t start, lbo, sbo, base, swizzle, width; /* width: bytes of a row of the pattern */
  bool mn;                                        /* MN-major */
} operand_t;

static operand_t operand_of(uint64_t d, bool mn) {
  static const uint8_t widths[8] = {16, 128, 128, 0, 64, 0, 32, 0};
  const uint32_t swizzle = field(d, 63, 61);
  return (operand_t){.start = field(d, 13, 0) * 16,
                     .lbo = field(d, 29, 16) * 16,
                     .sbo = field(d, 45, 32) * 16,
                     .base = field(d, 51, 49),
                     .swizzle = swizzle,
                     .width = widths[swizzle],
                     .mn = mn};
}

static bool reserved_descriptor(uint64_t d, const operand_t *o) {
  return field(d, 15, 14) != 0 || field(d, 31, 30) != 0 || field(d, 48, 46) != 1 ||
         (o->base != 0 && o->swizzle == 0) || field(d, 52, 52) != 0 || o->width == 0 ||
         (o->swizzle == 1 && o->mn);
}

/* The end of an operand of so many rows. */
static uint32_t end_of(const operand_t *o, uint32_t rows) {
  const uint32_t last = rows / 8 - 1, per = o->width / 16, q = last / per;
  uint32_t y = o->start;
  if (!o->mn) {
    y += 7 * o->width + last * o->sbo + (o->swizzle == 0 ? o->lbo : 16);
  } else if (o->swizzle == 0) {
    y += last * o->sbo + 112 + o->lbo;
  } else {
    y += (q == 0 ? 16 * last : o->width - 16) + q * o->lbo + 7 * o->width + o->sbo;
  }
  return o->swizzle == 0 ? y + 16 : (y / 128 + 1) * 128;
}

typedef struct product {
  uint32_t m, n, d, i, scale;
  bool reads;
  uint64_t descriptor[2];
  operand_t operand[2]; /* A, B */
  uint32_t mask[4];
} product_t;

static wl_trap_t judge(const func_sm_t *sm, const func_warp_t *w, const product_t *p,
                       uint64_t *address) {
  const uint32_t rows[2] = {p->m, p->n}, lane = p->d >> 16, column = p->d & 0xffff;
  *address = p->i;
  if (reserved_instruction(p->i)) return WL_TRAP_TENSOR_DESCRIPTOR;
  for (unsigned k = 0; k < 2; k++) {
    *address = p->descriptor[k];
    if (reserved_descriptor(p->descriptor[k], &p->operand[k])) return WL_TRAP_TENSOR_DESCRIPTOR;
  }
  for (unsigned k = 0; k < 2; k++) {
    const uint32_t end = end_of(&p->operand[k], rows[k]);
    *address = end - 1;
    if (end > sm->launch.smem_bytes) return WL_TRAP_TENSOR_DESCRIPTOR;
  }
  *address = p->d;
  if (lane != 0 && !(lane == 16 && p->m == 64)) return WL_TRAP_TMEM_LANES;
  if (column + p->n > sm->desc.config->tmem_columns) return WL_TRAP_TMEM_RANGE;
  for (uint32_t u = column / UNIT; u <= (column + p->n - 1) / UNIT; u++) {
    if (!sm->tmem.unit[u].used || sm->tmem.unit[u].cta != w->cta) return WL_TRAP_TMEM_RANGE;
  }
  return WL_TRAP_NONE;
}

/* ---- elements */
/* Where the chunk at x lies. */
static uint32_t swizzled(const operand_t *o, uint32_t x) {
  const uint32_t h = (x / 128 - o->base) & 7;
  switch (o->swizzle) {
  case 6:
    return x ^ (h & 1) << 4;
  case 4:
    return x ^ (h & 3) << 4;
  case 2:
    return x ^ h << 4;
  case 1:
    return x ^ (h & 3) << 5;
  default:
    return x;
  }
}

/* Offset in the CTA's shared memory of element k of a row. */
static uint32_t place(const operand_t *o, uint32_t row, uint32_t k) {
  const uint32_t u = row / 8, per = o->width / 16;
  uint32_t x = o->start;
  if (!o->mn) {
    x += row % 8 * o->width + u * o->sbo + k / 8 * (o->swizzle == 0 ? o->lbo : 16);
    return swizzled(o, x) + 2 * (k % 8);
  }
  if (o->swizzle == 0) {
    x += u * o->sbo + k % 8 * 16 + k / 8 * o->lbo;
  } else {
    x += u % per * 16 + u / per * o->lbo + k % 8 * o->width + k / 8 * o->sbo;
  }
  return swizzled(o, x) + 2 * (row % 8);
}

static void fetch(const operand_t *o, const uint8_t *smem, uint32_t first, uint32_t rows,
                  bool negated, uint32_t (*out)[WL_DOT_TERMS]) {
  for (uint32_t r = 0; r < rows; r++) {
    for (uint32_t k = 0; k < ELEMENTS; k++) {
      uint16_t v;
      memcpy(&v, smem + place(o, first + r, k), sizeof v);
      out[r][k] = negated ? v ^ NEGATE : v;
    }
  }
}

static uint32_t lane_of(const product_t *p, uint32_t row) {
  return p->m == LANES ? row : row / 16 * 32 + row % 16 + (p->d >> 16);
}

/* Sixteen rows and eight columns of D. */
static void block(func_sm_t *sm, const product_t *p, const wl_profile_t *profile, uint32_t row,
                  uint32_t column, const uint32_t (*a)[WL_DOT_TERMS],
                  const uint32_t (*b)[WL_DOT_TERMS]) {
  const bool half = profile->result == WL_FORMAT_F16;
  uint32_t c[WL_DOT_ROWS][WL_DOT_COLUMNS];
  for (uint32_t r = 0; r < WL_DOT_ROWS; r++) {
    const uint32_t lane = lane_of(p, row + r);
    for (uint32_t n = 0; n < WL_DOT_COLUMNS; n++) {
      const uint32_t word = *func_tmem_word(sm, lane, (p->d & 0xffff) + column + n);
      c[r][n] = !p->reads ? 0 : half ? word & 0xffff : word;
    }
  }
  wl_dot_matrix_lowered(profile, WL_DOT_ROWS, ELEMENTS, a, b, c, p->scale);
  for (uint32_t r = 0; r < WL_DOT_ROWS; r++) {
    const uint32_t lane = lane_of(p, row + r);
    for (uint32_t n = 0; n < WL_DOT_COLUMNS && (p->mask[lane / 32] >> lane % 32 & 1) == 0; n++) {
      *func_tmem_word(sm, lane, (p->d & 0xffff) + column + n) = c[r][n];
    }
  }
}

static void multiply(func_sm_t *sm, const product_t *p, const uint8_t *smem) {
  const wl_tensor_op_t op = field(p->i, 9, 7) == 1   ? WL_TENSOR_BF16
                            : field(p->i, 5, 4) == 0 ? WL_TENSOR_F16H
                                                     : WL_TENSOR_F16;
  const wl_profile_t *profile = wl_tensor_profile(op);
  uint32_t b[256][WL_DOT_TERMS];
  fetch(&p->operand[1], smem, 0, p->n, field(p->i, 14, 14) != 0, b);
  for (uint32_t row = 0; row < p->m; row += WL_DOT_ROWS) {
    uint32_t a[WL_DOT_ROWS][WL_DOT_TERMS];
    fetch(&p->operand[0], smem, row, WL_DOT_ROWS, field(p->i, 13, 13) != 0, a);
    for (uint32_t column = 0; column < p->n; column += WL_DOT_COLUMNS) {
      block(sm, p, profile, row, column, a, b + column);
    }
  }
}

/* ---- commands of a lane */
static product_t product_of(const func_warp_t *w, const wl_insn_dec_t *i, uint32_t lane) {
  product_t p = {.d = func_word(w, i->rb, 0, lane),
                 .i = func_word(w, i->rb, 1, lane),
                 .scale = i->imm & 15,
                 .reads = (func_pred(w, i->ps, i->ps_neg) >> lane & 1) != 0};
  p.m = 16 * field(p.i, 28, 24);
  p.n = 8 * field(p.i, 22, 17);
  for (uint32_t k = 0; k < 2; k++) {
    p.descriptor[k] =
        (uint64_t)func_word(w, i->ra, 2 * k + 1, lane) << 32 | func_word(w, i->ra, 2 * k, lane);
    p.operand[k] = operand_of(p.descriptor[k], field(p.i, 15 + k, 15 + k) != 0);
  }
  for (uint32_t k = 0; k < i->info->c; k++) {
    p.mask[k] = func_word(w, i->rc, k, lane);
  }
  return p;
}

void func_umma_chunks(const func_sm_t *sm, const func_warp_t *w, const wl_insn_dec_t *i,
                      uint32_t lane, void (*visit)(void *context, uint32_t offset), void *context) {
  const product_t p = product_of(w, i, lane);
  const uint32_t rows[2] = {p.m, p.n};
  uint64_t address;
  if (judge(sm, w, &p, &address) != WL_TRAP_NONE) return;
  for (unsigned n = 0; n < 2; n++) {
    const operand_t *o = &p.operand[n];
    for (uint32_t r = 0; r < rows[n]; r += o->mn ? 8 : 1) {
      for (uint32_t k = 0; k < ELEMENTS; k += o->mn ? 1 : 8) {
        visit(context, place(o, r, k));
      }
    }
  }
}

bool func_umma_commit(const func_warp_t *w, const wl_insn_dec_t *i, uint32_t lane,
                      uint64_t *address) {
  const bool generic = i->info->a == 2;
  const uint32_t window = generic ? func_word(w, i->ra, 1, lane) : FUNC_SHARED_WINDOW;
  *address = func_word(w, i->ra, 0, lane) | (generic ? (uint64_t)window << 32 : 0);
  return window == FUNC_SHARED_WINDOW;
}

static void commit(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t lane,
                   uint32_t lanes, uint8_t *smem) {
  uint64_t address = 0;
  const bool shared = func_umma_commit(w, i, lane, &address);
  const uint32_t m = (uint32_t)address;
  if (m % 8 != 0) {
    func_trap_address(sm, w, WL_TRAP_MISALIGNED, lane, lanes, address);
  } else if (!shared || (uint64_t)m + 8 > sm->launch.smem_bytes) {
    func_trap_address(sm, w, WL_TRAP_OUT_OF_BOUNDS, lane, lanes, address);
  } else {
    func_signal(sm, w, WL_MBAR_ARRIVE, lane, lanes, (uintptr_t)(smem + m), 1);
  }
}

void func_umma(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  uint8_t *const smem = sm->smem + sm->ctas[w->cta].smem_base;
  for (uint32_t m = e; m != 0 && sm->trap.cause == WL_TRAP_NONE; m &= m - 1) {
    const uint32_t lane = func_lowest(m);
    if (i->op == WL_UMMA_COMMIT) {
      commit(sm, w, i, lane, m, smem);
      continue;
    }
    const product_t p = product_of(w, i, lane);
    uint64_t address = 0;
    const wl_trap_t cause = judge(sm, w, &p, &address);
    if (cause != WL_TRAP_NONE) {
      func_trap_address(sm, w, cause, lane, m, address);
    } else {
      multiply(sm, &p, smem);
    }
  }
}
