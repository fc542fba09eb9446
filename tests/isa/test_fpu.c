/* Unit FPU at warp level, every form against tests/common/fpu_reference.h: modifiers, immediates,
 * execution mask, predicates, both words of 64-bit results. */
#include <stdlib.h>

#include "tests/common/fpu_reference.h"
#include "tests/common/half_operands.h"
#include "tests/common/narrow_operands.h"
#include "tests/common/special_reference.h"
#include "tests/isa/lanes.h"

static wl_fpu_lane_t lane_of(const lanes_t *l, int i) {
  const wl_insn_dec_t *dec = &l->dec;
  return (wl_fpu_lane_t){.a = l->a[0][i],
                         .b = dec->info->imm == WL_IMM_B ? l->imm : l->b[0][i],
                         .c = dec->info->imm == WL_IMM_C ? l->imm : l->c[0][i],
                         .high = l->a[1][i],
                         .s = l->s >> i & 1,
                         .rnd = dec->rnd,
                         .cmp = dec->cmp,
                         .bop = dec->bop,
                         .format = dec->info->format,
                         .ftz = dec->ftz,
                         .sat = dec->sat,
                         .neg_a = dec->neg_a,
                         .neg_b = dec->neg_b,
                         .neg_c = dec->neg_c,
                         .nan = dec->nan,
                         .relu = dec->relu,
                         .oob = dec->oob,
                         .xorsign = dec->xorsign};
}

static void compare_lane(check_t *t, const lanes_t *l, int i) {
  const wl_form_info_t *info = l->dec.info;
  const wl_fpu_lane_t x = lane_of(l, i);
  const bool on = l->mask >> i & 1;
  if (info->d > 0 && on) {
    uint64_t got = l->d[0][i];
    if (info->d == 2) got |= (uint64_t)l->d[1][i] << 32;
    const uint64_t expected = wl_ref_fpu(info->op, &x);
    if (!check_equal(t, got, expected) && check_print(t))
      printf("%s a %08x %08x b %08x c %08x imm %08x: got %llx, expected %llx\n", info->name,
             (unsigned)l->a[0][i], (unsigned)l->a[1][i], (unsigned)l->b[0][i], (unsigned)l->c[0][i],
             (unsigned)l->imm, (unsigned long long)got, (unsigned long long)expected);
  }
  for (unsigned q = 0; q < 2 && info->d == 0; q++) {
    const bool got = (q ? l->q : l->p) >> i & 1;
    const bool expected = on && wl_ref_fpu_predicate(&x, q);
    if (!check_equal(t, got, expected) && check_print(t))
      printf("%s a %08x b %08x cmp %d bop %d %c: got %d, expected %d\n", info->name,
             (unsigned)l->a[0][i], (unsigned)l->b[0][i], l->dec.cmp, l->dec.bop, q ? 'q' : 'p', got,
             expected);
  }
}

/* Operands of halves, of special functions, or of conversions to small formats with their random bits. */
static void special_operands(check_t *t, lanes_t *l, const wl_form_info_t *info, uint32_t *imm) {
  const unsigned fraction = info->format == WL_FORMAT_F16 ? 10 : 7;
  const bool halves = info->op >= WL_FPU_HFMA && info->op <= WL_FPU_HSET;
  const bool narrow = info->op >= WL_FPU_FNARROW8 && info->op <= WL_FPU_FSTOCH8;
  const bool function = info->op >= WL_FPU_FEX2 && info->op <= WL_FPU_FTANH;
  for (int i = 0; i < 32; i++) {
    if (function) l->a[0][i] = wl_special_operand(&t->state, info->op);
    if (halves) wl_half_words(&t->state, fraction, &l->a[0][i], &l->b[0][i], &l->c[0][i]);
    if (!narrow) continue;
    l->a[0][i] = wl_narrow_operand(&t->state, wl_ref_format(info->format));
    l->b[0][i] = wl_narrow_operand(&t->state, wl_ref_format(info->format));
    l->c[0][i] = wl_narrow_random(&t->state);
  }
  if (halves) *imm = info->imm == WL_IMM_C ? l->c[0][0] : l->b[0][0];
}

static void check_form(check_t *t, uint32_t form) {
  const wl_form_info_t *info = &wl_form_info[form];
  uint32_t word[4] = {form, 0, 0, 0};
  lanes_t l = {0};
  const bool integers = info->op >= WL_FPU_I2FU && info->op <= WL_FPU_I2FS64;
  lanes_random(&l, t, integers ? check_word : check_f32);
  uint32_t imm = check_f32(t);
  special_operands(t, &l, info, &imm);
  if (info->imm != WL_IMM_NONE) word[2] = imm;
  const uint32_t r = (uint32_t)check_random(t);
  if (info->mods & WL_MOD_RND) WL_WORD_SET(word, RND, r >> 16);
  if (info->mods & WL_MOD_FTZ) WL_WORD_SET(word, FTZ, r >> 18);
  if (info->mods & WL_MOD_SAT) WL_WORD_SET(word, SAT, r >> 19);
  if (info->mods & WL_MOD_NEG_A) WL_WORD_SET(word, NEG_A, r);
  if (info->mods & WL_MOD_NEG_B) WL_WORD_SET(word, NEG_B, r >> 1);
  if (info->mods & WL_MOD_NEG_C) WL_WORD_SET(word, NEG_C, r >> 2);
  if (info->mods & WL_MOD_NAN) WL_WORD_SET(word, NAN, r >> 3);
  if (info->mods & WL_MOD_CMP) WL_WORD_SET(word, CMP, r >> 4);
  if (info->mods & WL_MOD_BOP) WL_WORD_SET(word, BOP, r >> 8);
  if (info->mods & WL_MOD_RELU) WL_WORD_SET(word, RELU, r >> 10);
  if (info->mods & WL_MOD_OOB) WL_WORD_SET(word, OOB, r >> 11);
  if (info->mods & WL_MOD_XORSIGN) WL_WORD_SET(word, XORSIGN, r >> 12);
  if (!lanes_decode(&l, word) || !lanes_run(&l)) {
    check_equal(t, 0, 1);
    printf("%s: refused\n", info->name);
    return;
  }
  for (int i = 0; i < 32; i++)
    compare_lane(t, &l, i);
}

int main(int argc, char **argv) {
  const long count = argc > 1 ? atol(argv[1]) : 2000;
  check_t t = {.state = 5};
  for (uint32_t form = 0; form < WL_NUM_FORMS; form++)
    for (long n = 0; n < count && wl_form_info[form].unit == WL_UNIT_FPU; n++)
      check_form(&t, form);
  return check_done(&t, "fpu");
}
