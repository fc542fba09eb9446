/* Decode of an instruction word: one table row and one masked compare (docs/microarchitecture.md
 * 2). It does not check registers against the kernel, nor the guard. */
#include "cmodel/sem/sem.h"

#include <string.h>

static uint8_t byte_field(const uint32_t word[4], unsigned low, unsigned width) {
  return (uint8_t)wl_word_get(word, low, width);
}
#define GET(NAME) byte_field(word, WL_FIELD_##NAME##_LOW, WL_FIELD_##NAME##_WIDTH)

static void decode_operands(const uint32_t word[4], wl_insn_dec_t *out) {
  const wl_form_info_t *info = out->info;
  out->rd = info->d || info->counted ? GET(RD) : WL_REG_ZERO;
  out->ra = info->a ? GET(RA) : WL_REG_ZERO;
  out->rb = info->b ? GET(RB) : WL_REG_ZERO;
  out->rc = info->c ? GET(RC) : WL_REG_ZERO;
  out->pd = info->preds & WL_PRED_D ? GET(PD) : WL_PRED_TRUE;
  out->pq = info->preds & WL_PRED_Q ? GET(PQ) : WL_PRED_TRUE;
  out->ps = info->preds & WL_PRED_S ? GET(PS) : WL_PRED_TRUE;
  out->ps_neg = info->preds & WL_PRED_S ? GET(PS_NEG) : 0;
  out->pt = info->preds & WL_PRED_T ? GET(PT) : WL_PRED_TRUE;
  out->pt_neg = info->preds & WL_PRED_T ? GET(PT_NEG) : 0;
  out->imm = info->imm != WL_IMM_NONE ? WL_WORD_GET(word, IMM) : 0;
  out->rx = info->x ? (uint8_t)out->imm : WL_REG_ZERO;
  out->count = info->counted ? (uint8_t)((out->imm & 0x7f) + 1) : info->d;
}

static void decode_mods(const uint32_t word[4], wl_insn_dec_t *out) {
  const uint32_t mods = out->info->mods;
#define MOD(field, NAME) out->field = mods & WL_MOD_##NAME ? GET(NAME) : 0
  MOD(rnd, RND);
  MOD(ftz, FTZ);
  MOD(sat, SAT);
  MOD(neg_a, NEG_A);
  MOD(neg_b, NEG_B);
  MOD(neg_c, NEG_C);
  MOD(nan, NAN);
  MOD(relu, RELU);
  MOD(oob, OOB);
  MOD(xorsign, XORSIGN);
  MOD(bytes, BYTES);
  MOD(uns, UNS);
  MOD(cmp, CMP);
  MOD(bop, BOP);
  MOD(lut, LUT);
  MOD(xmode, XMODE);
  MOD(strong, STRONG);
  MOD(scope, SCOPE);
  MOD(cache, CACHE);
  MOD(aligned, ALIGNED);
  MOD(ua, UA);
  MOD(ub, UB);
  MOD(bx, BX);
  MOD(sel, SEL);
  MOD(half, HALF);
  MOD(ta, TA);
  MOD(b16, B16);
#undef MOD
}

wl_trap_t wl_decode(const uint32_t word[4], uint32_t rows, wl_insn_dec_t *out) {
  memset(out, 0, sizeof *out);
  out->form = (uint16_t)WL_WORD_GET(word, FORM);
  out->guard = GET(GUARD);
  out->guard_neg = GET(GUARD_NEG);
  if (!wl_form_exists(out->form, rows)) return WL_TRAP_ILLEGAL_FORM;
  const wl_form_info_t *info = &wl_form_info[out->form];
  out->info = info;
  out->unit = info->unit;
  out->op = info->op;
  decode_operands(word, out);
  decode_mods(word, out);
  uint32_t bad = 0;
  for (int i = 0; i < 4; i++)
    bad |= word[i] & info->mbz[i];
  return bad != 0 ? WL_TRAP_ILLEGAL_BITS : WL_TRAP_NONE;
}
