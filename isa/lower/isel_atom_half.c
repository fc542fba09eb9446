/* isel_atom_half.c: atom and red of f16, f16x2, bf16, bf16x2, and cas.b16. PTX 9.7.13.5, 9.7.13.6.
 *   old = ld.b32(a)
 *   loop: new = f(old); got = cas.b32(a, old, new); if (got != old) { old = got; goto loop; }
 * Of lanes that want the same word one wins in each round, so the loop ends for all. A vector is
 * atomic by element (PTX): one loop for each of its words. A number of 16 bits lies in an aligned
 * word, of which the other half is kept, bit by bit; an odd address stays odd, and traps. */
#include "isa/lower/isel_mem.h"

#define OPND(k) (&s->in->operands[k])

enum { MERGE = 0xe4 /* c ? a : b */ };

typedef struct word { /* what becomes of a word of memory */
  wl_mem_space_t space;
  wl_maddr_t at;
  bool bf16, part; /* part: only the bits of the mask */
  wl_atom_op_t op;
  wl_mreg_t b, c;  /* operands; of 16 bits: in both halves */
  wl_mreg_t mask;  /* of the half that is meant */
  wl_mreg_t upper; /* all ones: it is the upper one */
} word_t;

static void half_op(wl_isel_t *s, const word_t *w, wl_mreg_t d, wl_mreg_t old) {
  if (w->op == WL_ATOM_OP_ADD)
    wl_rir(s, w->bf16 ? WL_FORM_FMA2_BF16_RIR : WL_FORM_FMA2_F16_RIR, d, old,
           wl_isel_half_one(w->bf16 ? WL_PTX_T_BF16 : WL_PTX_T_F16), w->b);
  else if (w->op == WL_ATOM_OP_MIN)
    wl_rr(s, w->bf16 ? WL_FORM_MIN2_BF16_RR : WL_FORM_MIN2_F16_RR, d, old, w->b);
  else
    wl_rr(s, w->bf16 ? WL_FORM_MAX2_BF16_RR : WL_FORM_MAX2_F16_RR, d, old, w->b);
}

/* The word that is to follow on old. Where a comparison fails it is old itself. */
static wl_mreg_t next_word(wl_isel_t *s, const word_t *w, wl_mreg_t old) {
  const wl_mreg_t x = wl_t1(s), merged = wl_t1(s);
  if (w->op == WL_ATOM_OP_CAS) {
    const wl_mreg_t differs = wl_t1(s);
    const uint32_t no = wl_tp(s);
    wl_lop(s, differs, old, w->b, w->mask, (WL_LUT_A ^ WL_LUT_B) & WL_LUT_C);
    wl_cmpi(s, WL_FORM_SETP_U32_RI, no, differs, 0, WL_NE);
    wl_lop(s, x, w->c, old, w->mask, MERGE);
    wl_sel(s, merged, old, x, no, false);
    return merged;
  }
  half_op(s, w, x, old);
  if (!w->part) return x;
  wl_lop(s, merged, x, old, w->mask, MERGE);
  return merged;
}

/* Replaces the word; the result is what it was. */
static wl_mreg_t replace(wl_isel_t *s, const word_t *w) {
  const wl_form_t load = wl_mem_form(WL_MEM_KIND_LD, w->space, WL_MEM_TYPE_B32, WL_ATOM_OP_NONE);
  const wl_form_t cas = wl_mem_form(WL_MEM_KIND_ATOM, w->space, WL_MEM_TYPE_B32, WL_ATOM_OP_CAS);
  const wl_mreg_t old = wl_t1(s), got = wl_t1(s);
  const uint32_t loop = wl_is_label(s), again = wl_tp(s), mods = wl_mem_atom_mods(s);
  wl_minsn_t i = {.form = (uint16_t)load, .a = w->at.base, .imm = w->at.offset, .mods = mods};
  i.d = old;
  wl_put(s, &i);
  wl_is_place(s, loop);
  i.form = (uint16_t)cas;
  i.b = old;
  i.c = next_word(s, w, old);
  i.d = got;
  wl_put(s, &i);
  wl_cmp(s, WL_FORM_SETP_U32_RR, again, got, old, WL_NE);
  wl_copy(s, old, got, 1);
  wl_is_branch(s, loop, again, false);
  return old;
}

/* Both halves are the low one of x. */
static wl_mreg_t twice(wl_isel_t *s, wl_mreg_t x) {
  if (x == WL_RZ) return x;
  const wl_mreg_t t = wl_t1(s);
  wl_rri(s, WL_FORM_PRMT_RRI, t, x, WL_RZ, 0x1010);
  return t;
}

/* The aligned word around a number of 16 bits, and which half of it the number is. */
static void find_half(wl_isel_t *s, word_t *w) {
  const bool wide = w->space != WL_MEM_SPACE_SHARED;
  wl_mreg_t sum = w->at.base;
  if (w->at.offset != 0 || sum == WL_RZ)
    wl_ri(s, wide ? WL_FORM_ADD64_RI : WL_FORM_ADD_RI, sum = wide ? wl_t2(s) : wl_t1(s), w->at.base,
          w->at.offset);
  const wl_mreg_t aligned = wide ? wl_t2(s) : wl_t1(s);
  wl_lopi(s, aligned, sum, ~2u, WL_RZ, WL_LUT_A & WL_LUT_B);
  if (wide) wl_copy(s, wl_mreg_at(aligned, 1), wl_mreg_at(sum, 1), 1);
  w->at = (wl_maddr_t){aligned, 0, WL_FIX_NONE};
  w->upper = wl_t1(s);
  w->mask = wl_t1(s);
  wl_ri(s, WL_FORM_BFE_S32_I, w->upper, sum, 1 << 8 | 1);
  wl_lopi(s, w->mask, w->upper, 0xffff, WL_RZ, WL_LUT_A ^ WL_LUT_B);
  w->part = true;
}

static void one_half(wl_isel_t *s, word_t *w, unsigned m, wl_mreg_t d) {
  const wl_ptx_type_t t = s->in->type[0];
  find_half(s, w);
  w->b = twice(s, wl_is_r32(s, OPND(m + 1), t));
  if (w->op == WL_ATOM_OP_CAS) w->c = twice(s, wl_is_r32(s, OPND(m + 2), t));
  const wl_mreg_t old = replace(s, w), shift = wl_t1(s), x = wl_t1(s);
  if (d == WL_RZ) return;
  wl_lopi(s, shift, w->upper, 16, WL_RZ, WL_LUT_A & WL_LUT_B);
  wl_rrr(s, WL_FORM_SHF_R_CLAMP_R, x, old, WL_RZ, shift);
  wl_copy(s, d, x, 1);
}

/* Word k of a vector of halves (packed: of pairs), or of a scalar pair. */
static void one_word(wl_isel_t *s, word_t *w, bool red, unsigned m, uint32_t k, bool packed) {
  const wl_ptx_type_t t = s->in->type[0];
  wl_ptx_operand_t tmp;
  if (packed) {
    w->b = wl_is_r32(s, wl_mem_element(OPND(m + 1), k, &tmp), t);
    const wl_mreg_t old = replace(s, w);
    if (!red) wl_copy(s, wl_is_dst(s, wl_mem_element(OPND(0), k, &tmp)), old, 1);
    return;
  }
  const wl_mreg_t low = wl_is_r32(s, wl_mem_element(OPND(m + 1), 2 * k, &tmp), t);
  const wl_mreg_t high = wl_is_r32(s, wl_mem_element(OPND(m + 1), 2 * k + 1, &tmp), t);
  w->b = wl_t1(s);
  wl_rri(s, WL_FORM_PRMT_RRI, w->b, low, high, 0x5410);
  const wl_mreg_t old = replace(s, w);
  if (red) return;
  wl_copy(s, wl_is_dst(s, wl_mem_element(OPND(0), 2 * k, &tmp)), old, 1);
  const wl_mreg_t d = wl_is_dst(s, wl_mem_element(OPND(0), 2 * k + 1, &tmp)), x = wl_t1(s);
  if (d == WL_RZ) return;
  wl_ri(s, WL_FORM_BFE_U32_I, x, old, 16 << 8 | 16);
  wl_copy(s, d, x, 1);
}

void wl_isel_atom_loop(wl_isel_t *s, bool red) {
  const wl_ptx_type_t t = s->in->type[0];
  const unsigned m = red ? 0 : 1, n = s->in->vec == 0 ? 1 : s->in->vec;
  const bool packed = wl_bits(t) == 32;
  const uint32_t bytes = n * wl_bits(t) / 8, guard = s->guard, end = wl_is_skip(s);
  word_t w = {.space = wl_mem_access(s, OPND(m)), .op = wl_mem_atom_op(s)};
  w.bf16 = t == WL_PTX_T_BF16 || t == WL_PTX_T_BF16X2;
  w.at = wl_mem_address(s, w.space, OPND(m));
  if (bytes == 2) {
    one_half(s, &w, m, red ? WL_RZ : wl_is_dst(s, OPND(0)));
  } else {
    w.at = wl_mem_whole(s, w.at, 2, bytes);
    for (uint32_t k = 0; k < bytes / 4; k++, w.at.offset += 4)
      one_word(s, &w, red, m, k, packed);
  }
  wl_is_place(s, end);
  s->guard = guard; /* of a fence that follows */
}
