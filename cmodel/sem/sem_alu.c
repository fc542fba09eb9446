/* Integer, logic, shift, bit-field, select and compare operations of the ALU (docs/isa.md, unit
 * ALU; PTX 9.7.1, 9.7.7, 9.7.8, 9.7.9). One small function per operation, called for 32 lanes at
 * once: the loops have no branches, so that the compiler can vectorise them. */
#include "cmodel/sem/sem.h"

#define ARGS const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out

/* void name(ARGS): d[i] = expr over A, B, C of each lane. */
#define LANE_OP(name, expr)                                                                        \
  static void name(ARGS) {                                                                         \
    const uint32_t *restrict a_ = in->a, *restrict b_ = in->b, *restrict c_ = in->c;               \
    uint32_t *restrict d_ = out->d;                                                                \
    (void)insn, (void)a_, (void)b_, (void)c_;                                                      \
    for (int i = 0; i < WL_LANES; i++)                                                             \
      d_[i] = (expr);                                                                              \
  }
#define A      a_[i]
#define B      b_[i]
#define C      c_[i]
#define SA     ((int32_t)a_[i])
#define SB     ((int32_t)b_[i])
#define BIT(i) (in->s >> (i) & 1)

/* 32 lane conditions as a mask. */
#define LANE_MASK(mask, cond)                                                                      \
  for (int i = 0; i < WL_LANES; i++)                                                               \
  mask |= (uint32_t)(cond) << i

static uint32_t clamp_s32(int64_t x) {
  return (uint32_t)(int32_t)(x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x);
}

static int64_t sext(uint32_t x) { return (int32_t)x; }

static uint64_t join(uint32_t high, uint32_t low) { return (uint64_t)high << 32 | low; }

static unsigned min32(uint32_t n) { return n < 32 ? n : 32; }

LANE_OP(op_mova, A)
LANE_OP(op_s2r, A) /* the value comes as a */
LANE_OP(op_movb, B)
LANE_OP(op_add, A + B)
LANE_OP(op_sub, A - B)
LANE_OP(op_rsub, B - A)
LANE_OP(op_addsat, clamp_s32(sext(A) + sext(B)))
LANE_OP(op_subsat, clamp_s32(sext(A) - sext(B)))
LANE_OP(op_abs, SA < 0 ? 0 - A : A)
LANE_OP(op_mins, SA < SB ? A : B)
LANE_OP(op_minu, A < B ? A : B)
LANE_OP(op_maxs, SA > SB ? A : B)
LANE_OP(op_maxu, A > B ? A : B)
LANE_OP(op_selp, BIT(i) ? A : B)
LANE_OP(op_actmask, in->mask)

/* ---- shifts and bytes */
LANE_OP(op_shflc, (uint32_t)(join(B, A) << min32(C) >> 32))
LANE_OP(op_shflw, (uint32_t)(join(B, A) << (C & 31) >> 32))
LANE_OP(op_shfrc, (uint32_t)(join(B, A) >> min32(C)))
LANE_OP(op_shfrw, (uint32_t)(join(B, A) >> (C & 31)))
LANE_OP(op_shrs, (uint32_t)(sext(A) >> min32(B)))

static uint32_t permute(uint32_t a, uint32_t b, uint32_t selector) {
  const uint64_t bytes = join(b, a);
  uint32_t d = 0;
  for (unsigned i = 0; i < 4; i++) {
    const unsigned nibble = selector >> 4 * i & 15;
    uint32_t byte = (uint32_t)(bytes >> 8 * (nibble & 7)) & 0xff;
    if (nibble & 8) byte = byte & 0x80 ? 0xff : 0;
    d |= byte << 8 * i;
  }
  return d;
}
LANE_OP(op_prmt, permute(A, B, C))

/* ---- bit fields */
static uint32_t low_ones(unsigned n) { return n >= 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1; }

static uint32_t extract(uint32_t a, unsigned pos, unsigned len) {
  return pos >= 32 ? 0 : a >> pos & low_ones(len);
}

/* Bits beyond the field, or beyond bit 31 of a, take the sign: the field's top bit inside a. */
static uint32_t extract_signed(uint32_t a, unsigned pos, unsigned len) {
  if (len == 0) return 0;
  const unsigned top = pos + len - 1 < 31 ? pos + len - 1 : 31;
  const uint32_t sign = a >> top & 1 ? UINT32_MAX : 0;
  if (pos >= 32) return sign;
  const uint32_t field = low_ones(top - pos + 1);
  return (a >> pos & field) | (sign & ~field);
}

static uint32_t insert(uint32_t a, uint32_t b, unsigned pos, unsigned len) {
  if (pos >= 32) return b;
  const uint32_t field = low_ones(len) << pos;
  return (b & ~field) | (a << pos & field);
}
LANE_OP(op_bfeu, extract(A, B & 0xff, C & 0xff))
LANE_OP(op_bfes, extract_signed(A, B & 0xff, C & 0xff))
LANE_OP(op_bfi, insert(A, B, C & 0xff, C >> 8 & 0xff))

static uint32_t ones(uint32_t x) {
  x -= x >> 1 & 0x55555555;
  x = (x & 0x33333333) + (x >> 2 & 0x33333333);
  x = (x + (x >> 4)) & 0x0f0f0f0f;
  return x * 0x01010101 >> 24;
}

static uint32_t leading_zeros(uint32_t x) {
  for (unsigned s = 1; s < 32; s *= 2)
    x |= x >> s;
  return 32 - ones(x);
}

static uint32_t reverse(uint32_t x) {
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
  return x >> 16 | x << 16;
}
LANE_OP(op_popc, ones(A))
LANE_OP(op_clz, leading_zeros(A))
LANE_OP(op_brev, reverse(A))
LANE_OP(op_bfindu, 31 - leading_zeros(A)) /* none: 31 - 32 wraps to all ones */
LANE_OP(op_bfinds, 31 - leading_zeros(SA < 0 ? ~A : A))

static void op_lop3(ARGS) {
  const uint32_t *restrict a = in->a, *restrict b = in->b, *restrict c = in->c;
  uint32_t *restrict d = out->d;
  uint32_t term[8]; /* all ones where the table has a one */
  for (int k = 0; k < 8; k++)
    term[k] = insn->lut >> k & 1 ? UINT32_MAX : 0;
  for (int i = 0; i < WL_LANES; i++) {
    const uint32_t c0 = (term[0] & ~c[i]) | (term[1] & c[i]);
    const uint32_t c1 = (term[2] & ~c[i]) | (term[3] & c[i]);
    const uint32_t c2 = (term[4] & ~c[i]) | (term[5] & c[i]);
    const uint32_t c3 = (term[6] & ~c[i]) | (term[7] & c[i]);
    const uint32_t low = (c0 & ~b[i]) | (c1 & b[i]);
    const uint32_t high = (c2 & ~b[i]) | (c3 & b[i]);
    d[i] = (low & ~a[i]) | (high & a[i]);
  }
}

/* ---- 64 bit in two steps */
static void op_add64(ARGS) {
  (void)insn;
  const uint32_t carry_in = in->step == 0 ? 0 : out->carry;
  uint32_t carry = 0;
  for (int i = 0; i < WL_LANES; i++) {
    const uint64_t sum = (uint64_t)in->a[i] + in->b[i] + (carry_in >> i & 1);
    out->d[i] = (uint32_t)sum;
    carry |= (uint32_t)(sum >> 32) << i;
  }
  out->carry = carry;
}

static void op_sub64(ARGS) {
  (void)insn;
  const uint32_t borrow_in = in->step == 0 ? 0 : out->carry;
  uint32_t borrow = 0;
  for (int i = 0; i < WL_LANES; i++) {
    const uint64_t difference = (uint64_t)in->a[i] - in->b[i] - (borrow_in >> i & 1);
    out->d[i] = (uint32_t)difference;
    borrow |= (uint32_t)(difference >> 63) << i;
  }
  out->carry = borrow;
}

/* ---- comparisons */
static void compare_words(const wl_sem_in_t *in, bool is_signed, uint32_t *less, uint32_t *equal) {
  const uint32_t flip = is_signed ? UINT32_C(1) << 31 : 0;
  uint32_t lt = 0;
  uint32_t eq = 0;
  LANE_MASK(lt, (in->a[i] ^ flip) < (in->b[i] ^ flip));
  LANE_MASK(eq, in->a[i] == in->b[i]);
  *less = lt;
  *equal = eq;
}

static void compare32(ARGS, bool is_signed) {
  uint32_t rel[4] = {0};
  compare_words(in, is_signed, &rel[0], &rel[1]);
  rel[2] = ~(rel[0] | rel[1]);
  wl_sem_compare(insn, in, rel, out);
}

/* The high words decide; where they are equal, the unsigned low words of step 0 do. */
static void compare64(ARGS, bool is_signed) {
  if (in->step == 0) {
    compare_words(in, false, &out->carry, &out->equal);
    return;
  }
  uint32_t rel[4] = {0};
  compare_words(in, is_signed, &rel[0], &rel[1]);
  rel[0] |= rel[1] & out->carry;
  rel[1] &= out->equal;
  rel[2] = ~(rel[0] | rel[1]);
  wl_sem_compare(insn, in, rel, out);
}

static void op_setps(ARGS) { compare32(insn, in, out, true); }
static void op_setpu(ARGS) { compare32(insn, in, out, false); }
static void op_setps64(ARGS) { compare64(insn, in, out, true); }
static void op_setpu64(ARGS) { compare64(insn, in, out, false); }

/* p = s bop t; bop 3: p = t. The comparison's combination with t as the always-true relation. */
static void op_plop(ARGS) {
  static const uint8_t always = 1;
  wl_insn_dec_t with = *insn;
  with.cmp = always;
  const uint32_t rel[4] = {in->t, 0, 0, 0};
  wl_sem_compare(&with, in, rel, out);
}

/* p is the carry; s comes in at bit 0. */
static void op_addc(ARGS) {
  const uint32_t flip = insn->neg_b ? UINT32_MAX : 0;
  uint32_t carry = 0;
  for (int i = 0; i < WL_LANES; i++) {
    const uint64_t sum = (uint64_t)in->a[i] + (in->b[i] ^ flip) + BIT(i);
    out->d[i] = (uint32_t)sum;
    carry |= (uint32_t)(sum >> 32) << i;
  }
  out->p = carry & in->mask;
}

static void op_vadd(ARGS) { wl_sem_packed(insn, in, out); }
static void op_vmin(ARGS) { wl_sem_packed(insn, in, out); }
static void op_vmax(ARGS) { wl_sem_packed(insn, in, out); }

/* Every operation of the unit has a function here: one without does not compile. */
#define ENTRY(NAME, name) [WL_ALU_##NAME] = op_##name,
static void (*const alu_table[WL_NUM_ALU_OP])(ARGS) = {WL_ALU_OPS(ENTRY)};

void wl_sem_alu(const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out) {
  alu_table[insn->op](insn, in, out);
}
