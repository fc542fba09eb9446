/* Packed integers: two parts of 16 bits or four of 8 bits of a word, signed or unsigned
 * (docs/microarchitecture.md 6.4, Packed integers). */
#include "cmodel/sem/sem.h"

typedef struct part_type {
  unsigned bits;
  int32_t least, most;
} part_type_t;

static part_type_t type_of(const wl_insn_dec_t *insn) {
  const unsigned bits = insn->bytes ? 8 : 16;
  const int32_t half = INT32_C(1) << (bits - 1);
  if (insn->uns) return (part_type_t){bits, 0, 2 * half - 1};
  return (part_type_t){bits, -half, half - 1};
}

/* The part of a word from bit low on as a number. */
static int32_t value_at(part_type_t type, uint32_t word, unsigned low) {
  const uint32_t raw = word >> low & ((UINT32_C(1) << type.bits) - 1);
  const int32_t value = (int32_t)raw;
  return value > type.most ? value - (INT32_C(1) << type.bits) : value;
}

static int32_t clamp(part_type_t type, int32_t x) {
  return x < type.least ? type.least : x > type.most ? type.most : x;
}

static int32_t combine(const wl_insn_dec_t *insn, part_type_t type, int32_t x, int32_t y) {
  if (insn->op == WL_ALU_VADD) {
    const int32_t sum = insn->neg_b ? x - y : x + y;
    return insn->sat ? clamp(type, sum) : sum;
  }
  const int32_t chosen = (x < y) == (insn->op == WL_ALU_VMIN) ? x : y;
  return insn->relu && chosen < 0 ? 0 : chosen;
}

void wl_sem_packed(const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out) {
  const part_type_t type = type_of(insn);
  const uint32_t all = (UINT32_C(1) << type.bits) - 1;
  for (unsigned i = 0; i < WL_LANES; i++) {
    uint32_t word = 0;
    for (unsigned low = 0; low < 32; low += type.bits) {
      const int32_t x = value_at(type, in->a[i], low), y = value_at(type, in->b[i], low);
      word |= ((uint32_t)combine(insn, type, x, y) & all) << low;
    }
    out->d[i] = word;
  }
}
