/* Choice of the unit, immediates and comparison results: what all lane operations share. */
#include "cmodel/sem/sem.h"

bool wl_sem_warp(const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out) {
  switch (insn->unit) {
  case WL_UNIT_ALU:
    wl_sem_alu(insn, in, out);
    return true;
  case WL_UNIT_MUL:
    wl_sem_mul(insn, in, out);
    return true;
  case WL_UNIT_FPU:
    wl_sem_fpu(insn, in, out);
    return true;
  case WL_UNIT_SYNC:
    wl_sem_exchange(insn, in, out);
    return true;
  default:
    return false;
  }
}

static const uint32_t *broadcast(uint32_t value, uint32_t *buf) {
  for (int i = 0; i < WL_LANES; i++)
    buf[i] = value;
  return buf;
}

void wl_sem_use_imm(const wl_insn_dec_t *insn, wl_sem_in_t *in, uint32_t buf[2][WL_LANES]) {
  const wl_form_info_t *info = insn->info;
  const uint32_t imm = insn->imm;
  switch (info->imm) {
  case WL_IMM_B: {
    const bool high_word = info->steps == WL_STEPS_PAIR && info->a == 2 && in->step == 1;
    in->b = broadcast(!high_word ? imm : imm >> 31 ? UINT32_MAX : 0, buf[0]);
    break;
  }
  case WL_IMM_C:
  case WL_IMM_M:
    in->c = broadcast(imm, buf[0]);
    break;
  case WL_IMM_L:
    /* Extract takes position and length as two operands, insert as one. */
    if (info->b == 0) {
      in->b = broadcast(imm & 0xff, buf[0]);
      in->c = broadcast(imm >> 8 & 0xff, buf[1]);
    } else {
      in->c = broadcast(imm, buf[0]);
    }
    break;
  default:
    break;
  }
}

static uint32_t combine(unsigned bop, uint32_t x, uint32_t s) {
  switch (bop) {
  case 0:
    return x & s;
  case 1:
    return x | s;
  case 2:
    return x ^ s;
  default:
    return x;
  }
}

void wl_sem_compare(const wl_insn_dec_t *insn, const wl_sem_in_t *in, const uint32_t rel[4],
                    wl_sem_out_t *out) {
  uint32_t t = 0;
  for (int i = 0; i < 4; i++)
    if (insn->cmp >> i & 1) t |= rel[i];
  out->p = combine(insn->bop, t, in->s) & in->mask;
  out->q = combine(insn->bop, ~t, in->s) & in->mask;
}
