/* isel_carry.c: extended precision. PTX 9.7.2.
 * The machine's ADDC gives a + b + s and the carry out of bit 31. PTX's flag CC.CF is a predicate of
 * the function, made at its first use; the register allocator gives it a register as any other.
 *   add.cc, sub.cc   s = 0; a + ~b + 1, so that the flag is 1 for no borrow
 *   addc, subc       s = the flag
 *   mad.cc, madc     the product's word first, then one addition, of which the carry is
 *   64 bits          two ADDC with a carry of their own between the words
 * A flag that may be read before it was written is 0: the prologue says so (wl_isel_carry_start). */
#include "isa/lower/isel.h"

#define OPND(k) (&s->in->operands[k])

/* The flag as the machine takes it in and gives it out. */
typedef struct carry {
  uint32_t in, out; /* predicates: 0 = true; 0 = discard */
  bool in_neg;
} carry_t;

/* d = a + b + s, with sub a + ~b + s, of one word. */
static void add_word(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, wl_src_t b, bool sub, carry_t c) {
  wl_put(s, &(wl_minsn_t){.form = b.imm ? WL_FORM_ADDC_RI : WL_FORM_ADDC_RR,
                          .d = d,
                          .a = a,
                          .b = b.imm ? WL_RZ : b.r,
                          .imm = b.imm ? b.k : 0,
                          .pd = c.out,
                          .ps = c.in,
                          .ps_neg = c.in_neg,
                          .mods = WL_MODS(NEG_B, sub)});
}

static uint32_t flag(wl_isel_t *s) {
  if (s->carry == 0) s->carry = wl_mf_vreg(s->f, 0, false);
  return s->carry;
}

/* sub starts from a true carry, add from a false one. A flag that no instruction since the last label
 * wrote for all threads may be undefined. */
static carry_t start(wl_isel_t *s, bool with_flag, bool sub) {
  carry_t c = {.in_neg = !with_flag && !sub};
  if (with_flag) {
    c.in = flag(s);
    if (!s->carry_known) s->carry_undefined = true;
  }
  if (wl_isel_has(s, WL_PTX_F(CC))) {
    c.out = flag(s);
    if (s->guard == 0) s->carry_known = true;
  }
  return c;
}

static void add(wl_isel_t *s, bool sub, bool with_flag) {
  const wl_ptx_type_t t = s->in->type[0];
  const carry_t c = start(s, with_flag, sub);
  wl_src_t a = wl_is_src(s, OPND(1), t), b = wl_is_src(s, OPND(2), t);
  if (a.imm && !sub) wl_swap_src(&a, &b);
  add_word(s, wl_is_dst(s, OPND(0)), wl_is_reg(s, a), b, sub, c);
}

static wl_src_t word(wl_mreg_t r, uint32_t w) { return (wl_src_t){.r = wl_mreg_at(r, w)}; }

static void add_pair(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, bool sub, carry_t c) {
  const wl_mreg_t d = wl_is_dst(s, OPND(0));
  const uint32_t middle = wl_tp(s);
  const carry_t low = {.in = c.in, .in_neg = c.in_neg, .out = middle};
  add_word(s, d, a, word(b, 0), sub, low);
  add_word(s, wl_mreg_at(d, 1), wl_mreg_at(a, 1), word(b, 1), sub,
           (carry_t){.in = middle, .out = c.out});
}

static void add64(wl_isel_t *s, bool sub, bool with_flag) {
  const wl_ptx_type_t t = s->in->type[0];
  const carry_t c = start(s, with_flag, sub);
  const wl_mreg_t a = wl_is_r64(s, OPND(1), t), b = wl_is_r64(s, OPND(2), t);
  add_pair(s, a, b, sub, c);
}

/* The word of the product that the instruction adds to. */
static wl_mreg_t product(wl_isel_t *s, bool sign, wl_mreg_t a, wl_mreg_t b) {
  const wl_mreg_t p = wl_t1(s);
  const wl_form_t form = s->in->mode[0] == WL_PTX_M_LO ? WL_FORM_MAD_LO_RRR
                         : sign                        ? WL_FORM_MAD_HI_S32_RRR
                                                       : WL_FORM_MAD_HI_U32_RRR;
  wl_rrr(s, form, p, a, b, WL_RZ);
  return p;
}

static void multiply_add(wl_isel_t *s, bool with_flag) {
  const wl_ptx_type_t t = s->in->type[0];
  const carry_t c = start(s, with_flag, false);
  const wl_mreg_t a = wl_is_r32(s, OPND(1), t), b = wl_is_r32(s, OPND(2), t);
  const wl_src_t addend = wl_is_src(s, OPND(3), t);
  add_word(s, wl_is_dst(s, OPND(0)), product(s, wl_signed(t), a, b), addend, false, c);
}

static void multiply_add64(wl_isel_t *s, bool with_flag) {
  const wl_ptx_type_t t = s->in->type[0];
  const carry_t c = start(s, with_flag, false);
  const wl_mreg_t a = wl_is_r64(s, OPND(1), t), b = wl_is_r64(s, OPND(2), t);
  const wl_mreg_t addend = wl_is_r64(s, OPND(3), t);
  const wl_mreg_t p = s->in->mode[0] == WL_PTX_M_LO ? wl_x_mul64(s, a, b, WL_RZ)
                                                    : wl_x_mulhi64(s, a, b, wl_signed(t));
  add_pair(s, p, addend, false, c);
}

/* add.sat.u32: a sum with a carry becomes all ones. */
static void add_saturated(wl_isel_t *s) {
  const wl_mreg_t sum = wl_t1(s);
  const uint32_t over = wl_tp(s);
  wl_src_t a = wl_is_src(s, OPND(1), WL_PTX_T_U32), b = wl_is_src(s, OPND(2), WL_PTX_T_U32);
  if (a.imm) wl_swap_src(&a, &b);
  add_word(s, sum, wl_is_reg(s, a), b, false, (carry_t){.in_neg = true, .out = over});
  wl_seli(s, wl_is_dst(s, OPND(0)), sum, ~0u, over, true);
}

bool wl_isel_carry(wl_isel_t *s) {
  const wl_ptx_op_t op = s->in->op;
  const bool with_flag = op == WL_PTX_OP_ADDC || op == WL_PTX_OP_SUBC || op == WL_PTX_OP_MADC;
  const bool wide = wl_bits(s->in->type[0]) == 64;
  if (op == WL_PTX_OP_ADD && s->in->type[0] == WL_PTX_T_U32 && wl_isel_has(s, WL_PTX_F(SAT))) {
    add_saturated(s);
    return true;
  }
  if (!with_flag && !wl_isel_has(s, WL_PTX_F(CC))) return false;
  if (op == WL_PTX_OP_MAD || op == WL_PTX_OP_MADC) {
    if (wide)
      multiply_add64(s, with_flag);
    else
      multiply_add(s, with_flag);
    return true;
  }
  const bool sub = op == WL_PTX_OP_SUB || op == WL_PTX_OP_SUBC;
  if (wide)
    add64(s, sub, with_flag);
  else
    add(s, sub, with_flag);
  return true;
}

/* Called behind the last instruction: the flag is false from instruction `at` on. */
void wl_isel_carry_start(wl_isel_t *s, size_t at) {
  wl_mfunc_t *f = s->f;
  if (!s->carry_undefined) return;
  const wl_ptx_pos_t pos = s->fn->pos;
  wl_mf_append(f, &(wl_minsn_t){.form = WL_FORM_PLOP,
                                .pd = s->carry,
                                .pt_neg = true,
                                .mods = WL_MODS(BOP, WL_BOP_NONE),
                                .pos = pos});
  const wl_minsn_t init = f->insns[f->ninsns - 1];
  for (size_t k = f->ninsns - 1; k > at; k--)
    f->insns[k] = f->insns[k - 1];
  f->insns[at] = init;
}
