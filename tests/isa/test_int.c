/* Units ALU and MUL: every form against plain computations bit by bit or in wider integers, with
 * immediates, predicates and both steps of pairs (docs/isa.md; PTX 9.7.1, 9.7.7, 9.7.8, 9.7.9). */
#include <stdlib.h>

#include "tests/isa/lanes.h"

typedef struct {
  uint64_t a, b, c; /* 64-bit operands where the form has pairs */
  uint32_t s, t, mask;
  const wl_insn_dec_t *dec;
} lane_t;

static int bit_of(uint64_t x, int i) { return i >= 0 && i < 64 ? (int)(x >> i & 1) : 0; }

static int64_t signed_32(uint64_t x) {
  const int64_t low = (int64_t)(x & 0xffffffff);
  return low >= 1LL << 31 ? low - (1LL << 32) : low;
}

static uint64_t clamp(int64_t x) {
  if (x > 2147483647) return 0x7fffffff;
  if (x < -2147483648LL) return 0x80000000;
  return (uint64_t)x & 0xffffffff;
}

static uint64_t shift_pair(const lane_t *l, bool left, bool wrap) {
  const unsigned n = wrap ? (unsigned)(l->c % 32) : l->c > 32 ? 32 : (unsigned)l->c;
  uint64_t d = 0;
  for (int i = 0; i < 32; i++) {
    const int from = left ? 32 + i - (int)n : i + (int)n;
    const int bit = from < 32 ? bit_of(l->a, from) : bit_of(l->b, from - 32);
    d |= (uint64_t)bit << i;
  }
  return d;
}

static uint64_t shift_right_signed(const lane_t *l) {
  int64_t x = signed_32(l->a);
  for (uint64_t n = 0; n < l->b && n < 40; n++)
    x = (x - (x & 1)) / 2;
  return (uint64_t)x & 0xffffffff;
}

static uint64_t permute(const lane_t *l) {
  uint64_t d = 0;
  for (int i = 0; i < 4; i++) {
    const int nibble = (int)(l->c >> 4 * i & 15);
    const uint64_t source = nibble % 8 < 4 ? l->a : l->b;
    for (int k = 0; k < 8; k++) {
      const int bit = bit_of(source, 8 * (nibble % 4) + (nibble & 8 ? 7 : k));
      d |= (uint64_t)bit << (8 * i + k);
    }
  }
  return d;
}

/* The loop that PTX 9.7.1.19 gives. */
static uint64_t extract(const lane_t *l, bool is_signed) {
  const int pos = (int)(l->b & 0xff), len = (int)(l->c & 0xff);
  const int top = pos + len - 1 < 31 ? pos + len - 1 : 31;
  const int sign = is_signed && len > 0 ? bit_of(l->a, top) : 0;
  uint64_t d = 0;
  for (int i = 0; i < 32; i++)
    d |= (uint64_t)(i < len && pos + i <= 31 ? bit_of(l->a, pos + i) : sign) << i;
  return d;
}

static uint64_t insert(const lane_t *l) {
  const int pos = (int)(l->c & 0xff), len = (int)(l->c >> 8 & 0xff);
  uint64_t d = l->b;
  for (int i = 0; i < len && pos + i <= 31; i++) {
    d &= ~(UINT64_C(1) << (pos + i));
    d |= (uint64_t)bit_of(l->a, i) << (pos + i);
  }
  return d;
}

static uint64_t top_one(uint64_t x) {
  for (int i = 31; i >= 0; i--)
    if (bit_of(x, i)) return (uint64_t)i;
  return 0xffffffff;
}

static uint64_t top_unlike_sign(uint64_t x) {
  for (int i = 30; i >= 0; i--)
    if (bit_of(x, i) != bit_of(x, 31)) return (uint64_t)i;
  return 0xffffffff;
}

static uint64_t count_ones(uint64_t x) {
  uint64_t n = 0;
  for (int i = 0; i < 32; i++)
    n += (uint64_t)bit_of(x, i);
  return n;
}

static uint64_t reverse(uint64_t x) {
  uint64_t d = 0;
  for (int i = 0; i < 32; i++)
    d |= (uint64_t)bit_of(x, i) << (31 - i);
  return d;
}

static uint64_t table_logic(const lane_t *l) {
  uint64_t d = 0;
  for (int i = 0; i < 32; i++) {
    const int index = bit_of(l->a, i) * 4 + bit_of(l->b, i) * 2 + bit_of(l->c, i);
    d |= (uint64_t)(l->dec->lut >> index & 1) << i;
  }
  return d;
}

static uint64_t alu(const lane_t *l) {
  const uint64_t a = l->a, b = l->b;
  const int64_t sa = signed_32(a), sb = signed_32(b);
  switch (l->dec->op) {
  case WL_ALU_MOVA:
  case WL_ALU_S2R:
    return a;
  case WL_ALU_MOVB:
    return b;
  case WL_ALU_ADD:
  case WL_ALU_ADD64:
    return a + b;
  case WL_ALU_SUB:
  case WL_ALU_SUB64:
    return a - b;
  case WL_ALU_RSUB:
    return b - a;
  case WL_ALU_ADDSAT:
    return clamp(sa + sb);
  case WL_ALU_SUBSAT:
    return clamp(sa - sb);
  case WL_ALU_ABS:
    return (uint64_t)(sa < 0 ? -sa : sa);
  case WL_ALU_MINS:
    return sa < sb ? a : b;
  case WL_ALU_MINU:
    return a < b ? a : b;
  case WL_ALU_MAXS:
    return sa < sb ? b : a;
  case WL_ALU_MAXU:
    return a < b ? b : a;
  case WL_ALU_LOP3:
    return table_logic(l);
  case WL_ALU_SHFLC:
    return shift_pair(l, true, false);
  case WL_ALU_SHFLW:
    return shift_pair(l, true, true);
  case WL_ALU_SHFRC:
    return shift_pair(l, false, false);
  case WL_ALU_SHFRW:
    return shift_pair(l, false, true);
  case WL_ALU_SHRS:
    return shift_right_signed(l);
  case WL_ALU_PRMT:
    return permute(l);
  case WL_ALU_BFEU:
    return extract(l, false);
  case WL_ALU_BFES:
    return extract(l, true);
  case WL_ALU_BFI:
    return insert(l);
  case WL_ALU_POPC:
    return count_ones(a);
  case WL_ALU_CLZ:
    return 31 - top_one(a);
  case WL_ALU_BREV:
    return reverse(a);
  case WL_ALU_BFINDU:
    return top_one(a);
  case WL_ALU_BFINDS:
    return top_unlike_sign(a);
  case WL_ALU_SELP:
    return l->s ? a : b;
  case WL_ALU_ACTMASK:
    return l->mask;
  default:
    return 0;
  }
}

static uint64_t multiply(const lane_t *l) {
  const __int128 u = (__int128)(l->a & 0xffffffff) * (__int128)(l->b & 0xffffffff);
  const __int128 s = (__int128)signed_32(l->a) * signed_32(l->b);
  switch (l->dec->op) {
  case WL_MUL_MADLO:
    return (uint64_t)u + l->c;
  case WL_MUL_MADHIU:
    return (uint64_t)(u / (1LL << 32)) + l->c;
  case WL_MUL_MADHIS:
    return (uint64_t)(s >> 32) + l->c;
  case WL_MUL_MADWU:
    return (uint64_t)u + l->c;
  default:
    return (uint64_t)s + l->c;
  }
}

/* The comparison or logic result of a lane; q is the complement's. */
static bool predicate(const lane_t *l, bool complement) {
  bool t = l->t;
  bool s = l->s;
  const unsigned op = l->dec->op;
  if (op != WL_ALU_PLOP) {
    const bool wide = op == WL_ALU_SETPS64 || op == WL_ALU_SETPU64;
    const bool is_signed = op == WL_ALU_SETPS || op == WL_ALU_SETPS64;
    const __int128 a = !is_signed ? (__int128)l->a
                       : wide     ? (__int128)(int64_t)l->a
                                  : signed_32(l->a);
    const __int128 b = !is_signed ? (__int128)l->b
                       : wide     ? (__int128)(int64_t)l->b
                                  : signed_32(l->b);
    t = (l->dec->cmp & 1 && a < b) || (l->dec->cmp & 2 && a == b) || (l->dec->cmp & 4 && a > b);
  }
  if (complement) t = !t;
  switch (l->dec->bop) {
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

static lane_t lane_of(const lanes_t *l, int i) {
  const wl_form_info_t *info = l->dec.info;
  lane_t x = {.a = l->a[0][i],
              .b = l->b[0][i],
              .c = l->c[0][i],
              .s = l->s >> i & 1,
              .t = l->t >> i & 1,
              .mask = l->mask,
              .dec = &l->dec};
  if (info->a == 2) x.a |= (uint64_t)l->a[1][i] << 32;
  if (info->b == 2) x.b |= (uint64_t)l->b[1][i] << 32;
  if (info->c == 2) x.c |= (uint64_t)l->c[1][i] << 32;
  if (info->imm == WL_IMM_B) x.b = info->a == 2 ? (uint64_t)signed_32(l->imm) : l->imm;
  if (info->imm == WL_IMM_C) x.c = l->imm;
  if (info->imm == WL_IMM_L && info->b == 0) x.b = l->imm % 256, x.c = l->imm / 256;
  if (info->imm == WL_IMM_L && info->b != 0) x.c = l->imm;
  return x;
}

static void compare_lane(check_t *t, const lanes_t *l, int i) {
  const wl_form_info_t *info = l->dec.info;
  const lane_t x = lane_of(l, i);
  const bool on = l->mask >> i & 1;
  if (info->d > 0 && on) {
    uint64_t expected = info->unit == WL_UNIT_ALU ? alu(&x) : multiply(&x);
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
    const bool expected = on && predicate(&x, q);
    if (!check_equal(t, got, expected) && check_print(t))
      printf("%s a %llx b %llx s %d cmp %d bop %d %c: got %d, expected %d\n", info->name,
             (unsigned long long)x.a, (unsigned long long)x.b, (int)x.s, l->dec.cmp, l->dec.bop,
             q ? 'q' : 'p', got, expected);
  }
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
  lanes_t l = {0};
  lanes_random(&l, t, check_word);
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
