/* Units ALU and MUL: every form against tests/common/int_reference.h, with
 * immediates, predicates and both steps of pairs (docs/isa.md; PTX 9.7.1, 9.7.7, 9.7.8, 9.7.9). */
#include <stdlib.h>

#include "tests/common/int_reference.h"
#include "tests/isa/lanes.h"

static wl_int_lane_t lane_of(const lanes_t *l, int i) {
  const wl_form_info_t *info = l->dec.info;
  wl_int_lane_t x = {.a = l->a[0][i],
                     .b = l->b[0][i],
                     .c = l->c[0][i],
                     .s = l->s >> i & 1,
                     .t = l->t >> i & 1,
                     .special =
                         info->op == WL_ALU_S2R ? l->a[0][i] : l->mask, /* which comes as a */
                     .lut = l->dec.lut,
                     .cmp = l->dec.cmp,
                     .bop = l->dec.bop,
                     .neg_b = l->dec.neg_b,
                     .sat = l->dec.sat,
                     .relu = l->dec.relu,
                     .bytes = l->dec.bytes,
                     .uns = l->dec.uns};
  if (info->a == 2) x.a |= (uint64_t)l->a[1][i] << 32;
  if (info->b == 2) x.b |= (uint64_t)l->b[1][i] << 32;
  if (info->c == 2) x.c |= (uint64_t)l->c[1][i] << 32;
  if (info->imm == WL_IMM_B) x.b = info->a == 2 ? (uint64_t)(int64_t)(int32_t)l->imm : l->imm;
  if (info->imm == WL_IMM_C) x.c = l->imm;
  if (info->imm == WL_IMM_L && info->b == 0) x.b = l->imm % 256, x.c = l->imm / 256;
  if (info->imm == WL_IMM_L && info->b != 0) x.c = l->imm;
  return x;
}

static void compare_lane(check_t *t, const lanes_t *l, int i) {
  const wl_form_info_t *info = l->dec.info;
  const wl_int_lane_t x = lane_of(l, i);
  const bool on = l->mask >> i & 1;
  if (info->d > 0 && on) {
    uint64_t expected =
        info->unit == WL_UNIT_ALU ? wl_ref_alu(info->op, &x) : wl_ref_mul(info->op, &x);
    uint64_t got = l->d[0][i];
    if (info->d == 2)
      got |= (uint64_t)l->d[1][i] << 32;
    else
      expected &= 0xffffffff;
    if (!check_equal(t, got, expected) && check_print(t))
      printf("%s a %llx b %llx c %llx: got %llx, expected %llx\n", info->name,
             (unsigned long long)x.a, (unsigned long long)x.b, (unsigned long long)x.c,
             (unsigned long long)got, (unsigned long long)expected);
  }
  for (unsigned q = 0; q < 2; q++) {
    if (!(info->preds & (q ? WL_PRED_Q : WL_PRED_D))) continue;
    const bool got = (q ? l->q : l->p) >> i & 1;
    const bool expected = on && wl_ref_predicate(info->op, &x, q);
    if (!check_equal(t, got, expected) && check_print(t))
      printf("%s a %llx b %llx s %d cmp %d bop %d %c: got %d, expected %d\n", info->name,
             (unsigned long long)x.a, (unsigned long long)x.b, (int)x.s, l->dec.cmp, l->dec.bop,
             q ? 'q' : 'p', got, expected);
  }
}

/* Parts at the limits of their types, or any. */
static uint32_t packed_word(check_t *t) {
  static const uint8_t limit[] = {0, 1, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff};
  const uint64_t r = check_random(t);
  if (r >> 62 == 0) return check_word(t);
  uint32_t word = 0;
  for (int i = 0; i < 4; i++)
    word = word << 8 | (r >> (56 + i) & 1 ? limit[r >> 3 * i & 7] : r >> (12 + 8 * i) & 0xff);
  return word;
}

static void check_form(check_t *t, uint32_t form) {
  const wl_form_info_t *info = &wl_form_info[form];
  uint32_t word[4] = {form, 0, 0, 0};
  if (info->imm != WL_IMM_NONE) word[2] = check_word(t);
  if (info->imm == WL_IMM_L) word[2] &= check_random(t) & 1 ? 0x3f3f : 0xffff;
  if (info->imm == WL_IMM_S) word[2] &= 0xff;
  if (info->mods & WL_MOD_LUT) WL_WORD_SET(word, LUT, check_word(t));
  if (info->mods & WL_MOD_CMP) WL_WORD_SET(word, CMP, check_word(t));
  if (info->mods & WL_MOD_BOP) WL_WORD_SET(word, BOP, (uint32_t)check_random(t));
  const uint32_t r = (uint32_t)check_random(t);
  if (info->mods & WL_MOD_NEG_B) WL_WORD_SET(word, NEG_B, r);
  if (info->mods & WL_MOD_SAT) WL_WORD_SET(word, SAT, r >> 1);
  if (info->mods & WL_MOD_RELU) WL_WORD_SET(word, RELU, r >> 2);
  if (info->mods & WL_MOD_BYTES) WL_WORD_SET(word, BYTES, r >> 3);
  if (info->mods & WL_MOD_UNS) WL_WORD_SET(word, UNS, r >> 4);
  const bool packed = info->op == WL_ALU_VADD || info->op == WL_ALU_VMIN || info->op == WL_ALU_VMAX;
  lanes_t l = {0};
  lanes_random(&l, t, info->unit == WL_UNIT_ALU && packed ? packed_word : check_word);
  if (info->op == WL_ALU_BFEU || info->op == WL_ALU_BFES || info->op == WL_ALU_BFI)
    for (int i = 0; i < 32; i++)
      l.b[0][i] &= 0x3f, l.c[0][i] &= i & 1 ? 0x3f3f : 0xffff;
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
  check_t t = {.state = 4};
  for (uint32_t form = 0; form < WL_NUM_FORMS; form++) {
    const unsigned unit = wl_form_info[form].unit;
    if (unit != WL_UNIT_ALU && unit != WL_UNIT_MUL) continue;
    for (long n = 0; n < count; n++)
      check_form(&t, form);
  }
  return check_done(&t, "integer");
}
