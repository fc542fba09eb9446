/* Unit FPU at warp level: which operand is negated, immediates, execution mask, predicates, both
 * words of 64-bit results. The values come from the host in round to nearest; the other directions,
 * flushing and saturation are the matter of test_f32 and test_f32_cvt. */
#include <math.h>
#include <stdlib.h>

#include "tests/isa/lanes.h"

static float value(uint32_t a, bool neg) { return neg ? -check_float(a) : check_float(a); }

static uint64_t to_integer(float x, double low, double high, uint64_t nan, uint64_t all) {
  if (isnan(x)) return nan;
  const double r = rint((double)x); /* nearest even is the host's default */
  if (r <= low) return low == 0 ? 0 : (uint64_t)(int64_t)low & all;
  if (r >= high)
    return (high < 9e18 ? (uint64_t)high : high < 1e19 ? UINT64_MAX >> 1 : UINT64_MAX) & all;
  return (r < 0 ? (uint64_t)(int64_t)r : (uint64_t)r) & all;
}

static uint32_t canonical(float r) { return isnan(r) ? 0x7fffffff : check_bits(r); }

static uint64_t expected_value(const lanes_t *l, int i) {
  const wl_insn_dec_t *dec = &l->dec;
  const uint32_t a = l->a[0][i];
  const uint32_t b = dec->info->imm == WL_IMM_B ? l->imm : l->b[0][i];
  const uint32_t c = dec->info->imm == WL_IMM_C ? l->imm : l->c[0][i];
  const uint64_t wide = (uint64_t)l->a[1][i] << 32 | a;
  const volatile float x = value(a, dec->neg_a), y = value(b, dec->neg_b), z = value(c, dec->neg_c);
  switch (dec->op) {
  case WL_FPU_FADD:
    return canonical(x + y);
  case WL_FPU_FMUL:
    return canonical(x * y);
  case WL_FPU_FFMA:
    return canonical(fmaf(x, y, z));
  case WL_FPU_FMIN:
  case WL_FPU_FMAX:
    if ((isnan(x) && isnan(y)) || (dec->nan && (isnan(x) || isnan(y)))) return 0x7fffffff;
    if (isnan(x) || isnan(y)) return isnan(x) ? b : a;
    if (x == y) return dec->op == WL_FPU_FMIN ? a | b : a & b;
    return (x < y) == (dec->op == WL_FPU_FMIN) ? a : b;
  case WL_FPU_I2FU:
    return check_bits((float)a);
  case WL_FPU_I2FS:
    return check_bits((float)(int32_t)a);
  case WL_FPU_I2FU64:
    return check_bits((float)wide);
  case WL_FPU_I2FS64:
    return check_bits((float)(int64_t)wide);
  case WL_FPU_F2IU:
    return to_integer(x, 0, 4294967295.0, 0, UINT32_MAX);
  case WL_FPU_F2IS:
    return to_integer(x, -2147483648.0, 2147483647.0, 0, UINT32_MAX);
  case WL_FPU_F2IU64:
    return to_integer(x, 0, 18446744073709551616.0, UINT64_C(1) << 63, UINT64_MAX);
  case WL_FPU_F2IS64:
    return to_integer(x, -9223372036854775808.0, 9223372036854775808.0, UINT64_C(1) << 63,
                      UINT64_MAX);
  default:
    return canonical(rintf(x));
  }
}

static bool expected_predicate(const lanes_t *l, int i, bool complement) {
  const float x = check_float(l->a[0][i]);
  const float y = check_float(l->dec.info->imm == WL_IMM_B ? l->imm : l->b[0][i]);
  const int relation = x < y ? 1 : x == y ? 2 : x > y ? 4 : 8;
  const bool t = ((l->dec.cmp & relation) != 0) != complement;
  const bool s = l->s >> i & 1;
  switch (l->dec.bop) {
  case 0:
    return t && s;
  case 1:
    return t || s;
  case 2:
    return t != s;
  default:
    return t;
  }
}

static void compare_lane(check_t *t, const lanes_t *l, int i) {
  const wl_form_info_t *info = l->dec.info;
  const bool on = l->mask >> i & 1;
  if (info->d > 0 && on) {
    uint64_t got = l->d[0][i];
    if (info->d == 2) got |= (uint64_t)l->d[1][i] << 32;
    const uint64_t expected = expected_value(l, i);
    if (!check_equal(t, got, expected) && check_print(t))
      printf("%s a %08x %08x b %08x c %08x imm %08x: got %llx, expected %llx\n", info->name,
             (unsigned)l->a[0][i], (unsigned)l->a[1][i], (unsigned)l->b[0][i], (unsigned)l->c[0][i],
             (unsigned)l->imm, (unsigned long long)got, (unsigned long long)expected);
  }
  for (unsigned q = 0; q < 2 && info->d == 0; q++) {
    const bool got = (q ? l->q : l->p) >> i & 1;
    const bool expected = on && expected_predicate(l, i, q);
    if (!check_equal(t, got, expected) && check_print(t))
      printf("%s a %08x b %08x cmp %d bop %d %c: got %d, expected %d\n", info->name,
             (unsigned)l->a[0][i], (unsigned)l->b[0][i], l->dec.cmp, l->dec.bop, q ? 'q' : 'p', got,
             expected);
  }
}

static void check_form(check_t *t, uint32_t form) {
  const wl_form_info_t *info = &wl_form_info[form];
  uint32_t word[4] = {form, 0, 0, 0};
  if (info->imm != WL_IMM_NONE) word[2] = check_f32(t);
  const uint32_t r = (uint32_t)check_random(t);
  if (info->mods & WL_MOD_NEG_A) WL_WORD_SET(word, NEG_A, r);
  if (info->mods & WL_MOD_NEG_B) WL_WORD_SET(word, NEG_B, r >> 1);
  if (info->mods & WL_MOD_NEG_C) WL_WORD_SET(word, NEG_C, r >> 2);
  if (info->mods & WL_MOD_NAN) WL_WORD_SET(word, NAN, r >> 3);
  if (info->mods & WL_MOD_CMP) WL_WORD_SET(word, CMP, r >> 4);
  if (info->mods & WL_MOD_BOP) WL_WORD_SET(word, BOP, r >> 8);
  lanes_t l = {0};
  const bool integers = info->op >= WL_FPU_I2FU && info->op <= WL_FPU_I2FS64;
  lanes_random(&l, t, integers ? check_word : check_f32);
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
