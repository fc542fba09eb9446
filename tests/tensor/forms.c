#include "tests/tensor/forms.h"

#include <stdio.h>
#include <string.h>

static int op_of(const tensor_t *t) {
  switch (t->a) {
  case TENSOR_F16:
    return t->d == TENSOR_F16 ? WL_TENSOR_F16H : WL_TENSOR_F16;
  case TENSOR_BF16:
    return WL_TENSOR_BF16;
  case TENSOR_TF32:
    return WL_TENSOR_TF32;
  case TENSOR_S8:
  case TENSOR_U8:
    return WL_TENSOR_INT8;
  case TENSOR_S4:
  case TENSOR_U4:
    return WL_TENSOR_INT4;
  case TENSOR_B1:
    return WL_TENSOR_BIT;
  default:
    return -1;
  }
}

static bool is_unsigned(tensor_type_t type) { return type == TENSOR_U8 || type == TENSOR_U4; }

bool tensor_insn(const tensor_t *t, wl_insn_dec_t *insn) {
  const int op = op_of(t);
  if (op < 0 || t->wmma || t->warpgroup || t->quads > 1) {
    return false;
  }
  for (unsigned form = 0; form < WL_NUM_FORMS; form++) {
    const wl_form_info_t *f = &wl_form_info[form];
    if (f->unit != WL_UNIT_TENSOR || f->op != op || f->a * t->steps != tensor_a_regs(t) ||
        f->b * t->steps != tensor_b_regs(t) || f->d != tensor_d_regs(t) ||
        (f->x != 0) != t->sparse) {
      continue;
    }
    uint32_t word[4] = {0};
    WL_WORD_SET(word, FORM, form);
    WL_WORD_SET(word, GUARD, WL_PRED_TRUE);
    if ((f->mods & WL_MOD_SAT) != 0) {
      WL_WORD_SET(word, UA, is_unsigned(t->a));
      WL_WORD_SET(word, UB, is_unsigned(t->b));
      WL_WORD_SET(word, SAT, strstr(t->name, ".satfinite") != NULL);
    }
    if (t->sparse) {
      WL_WORD_SET(word, SEL, t->selector);
    }
    if ((f->mods & WL_MOD_BX) != 0) {
      WL_WORD_SET(word, BX, strstr(t->name, ".xor") != NULL);
    }
    return wl_decode(word, WL_ANY_ROW, insn) == WL_TRAP_NONE;
  }
  return false;
}

/* D of a step is C of the next. */
void tensor_solve(const tensor_t *t, const tensor_item_t *item, uint64_t *d) {
  static uint32_t packed[32 * 64];
  uint32_t word[16][WL_LANES], out[4][WL_LANES], result[32 * 4];
  const unsigned per_lane = tensor_words(t);
  const unsigned all_a = tensor_a_regs(t), all_b = tensor_b_regs(t), c = tensor_c_regs(t);
  const unsigned a = all_a / t->steps, b = all_b / t->steps;
  wl_insn_dec_t insn;
  if (!tensor_insn(t, &insn)) {
    return;
  }
  tensor_pack(t, item, packed);
  for (unsigned step = 0; step < t->steps; step++) {
    for (unsigned lane = 0; lane < WL_LANES; lane++) {
      const uint32_t *from = packed + lane * per_lane;
      for (unsigned i = 0; i < a; i++) {
        word[i][lane] = from[step * a + i];
      }
      for (unsigned i = 0; i < b; i++) {
        word[a + i][lane] = from[all_a + step * b + i];
      }
      for (unsigned i = 0; i < c; i++) {
        word[a + b + i][lane] = step == 0 ? from[all_a + all_b + i] : out[i][lane];
      }
      if (t->sparse) {
        word[a + b + c][lane] = from[all_a + all_b + c];
      }
    }
    wl_sem_tensor(&insn, (const uint32_t (*)[WL_LANES])word, out);
  }
  for (unsigned lane = 0; lane < WL_LANES; lane++) {
    for (unsigned i = 0; i < insn.info->d; i++) {
      result[lane * insn.info->d + i] = out[i][lane];
    }
  }
  tensor_unpack(t, result, d);
}
