/* moves.c: instructions of a checked launch whose result is written as a part of their operands is (check.h). */
#include "driver/check/check.h"

static const uint32_t written[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};

static const uint32_t *bytes_of(const check_warp_t *s, uint32_t r, uint32_t words) {
  return words != 0 && r < WL_REG_ZERO ? s->regs[r] : written;
}

uint32_t check_register_bytes(const check_warp_t *s, uint32_t r, uint32_t lane) {
  uint32_t bytes = r < WL_REG_ZERO ? 0 : 15;
  for (uint32_t n = 0; n < 4 && r < WL_REG_ZERO; n++) {
    bytes |= (s->regs[r][n] >> lane & 1) << n;
  }
  return bytes;
}

/* mov and selp: the result is written byte by byte as the operand that is taken. False: another
 * instruction. */
static bool copies(check_warp_t *s, const func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  const bool selects = i->op == WL_ALU_SELP;
  if (i->unit != WL_UNIT_ALU || (!selects && i->op != WL_ALU_MOVA)) {
    return false;
  }
  const uint32_t p = selects ? func_pred(w, i->ps, i->ps_neg) : UINT32_MAX;
  const uint32_t known = selects ? s->preds[i->ps] : UINT32_MAX;
  const uint32_t *a = bytes_of(s, i->ra, i->info->a), *b = bytes_of(s, i->rb, i->info->b);
  const uint32_t from = a == written || (e & p) == 0 ? i->rb : i->ra;
  const uint32_t origin = from < WL_REG_ZERO ? s->origin[from] : 0;
  uint32_t good[4];
  for (unsigned k = 0; k < 4; k++) {
    good[k] = ((a[k] & p) | (b[k] & ~p)) & known;
  }
  check_set_bytes(s, i->rd, e, good, origin);
  return true;
}

/* prmt with an immediate: each byte of the result is written as the byte that is taken. False: another
 * instruction. */
static bool permutes(check_warp_t *s, const wl_insn_dec_t *i, uint32_t e) {
  if (i->unit != WL_UNIT_ALU || i->op != WL_ALU_PRMT || i->info->imm != WL_IMM_C) {
    return false;
  }
  const uint32_t *a = bytes_of(s, i->ra, i->info->a), *b = bytes_of(s, i->rb, i->info->b);
  uint32_t good[4], from = i->rb;
  for (unsigned k = 0; k < 4; k++) {
    const uint32_t byte = i->imm >> 4 * k & 7;
    good[k] = byte < 4 ? a[byte] : b[byte - 4];
    from = (e & ~good[k]) != 0 && byte < 4 ? i->ra : from;
  }
  check_set_bytes(s, i->rd, e, good, from < WL_REG_ZERO ? s->origin[from] : 0);
  return true;
}

/* Whether operand k of a lop3 may have this bit, as far as the instruction tells: RZ, an immediate of
 * equal bits. */
static bool may_be(const wl_insn_dec_t *i, unsigned k, unsigned bit) {
  const uint32_t reg = k == 0 ? i->ra : k == 1 ? i->rb : i->rc;
  if (k == 1 && i->info->imm != WL_IMM_NONE) {
    return i->imm != (bit != 0 ? 0 : UINT32_MAX);
  }
  return bit == 0 || reg != WL_REG_ZERO;
}

uint32_t check_logic(const check_warp_t *s, const wl_insn_dec_t *i, uint32_t e, uint32_t *origin) {
  const bool same = i->info->imm == WL_IMM_NONE && i->ra == i->rb;
  unsigned ones = 0, zeros = 0;
  for (unsigned n = 0; n < 8; n++) {
    const unsigned a = n >> 2, b = n >> 1 & 1, c = n & 1;
    if (may_be(i, 0, a) && may_be(i, 1, b) && may_be(i, 2, c) && (!same || a == b)) {
      ones += i->lut >> n & 1;
      zeros += (i->lut >> n & 1) == 0;
    }
  }
  return ones == 0 || zeros == 0 ? e : check_operands(s, i, e, origin);
}

bool check_moves(check_warp_t *s, const func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  return copies(s, w, i, e) || permutes(s, i, e);
}
