/* isel.h: instruction selection: one PTX instruction to machine instructions on virtual registers.
 * Conventions of every expansion:
 * - Registers of 8 and 16 bits live in 32-bit registers whose upper bits are unspecified; an
 *   operand is extended (wl_is_ext) where upper bits can reach the result.
 * - Expansions of more than one instruction compute in temporaries and copy to the destination
 *   last; the allocator makes the copy disappear. So a register that is no temporary is never read
 *   back after it was written, and parallel.c can let every operand be read before any write.
 * - The guard of the PTX instruction is put on every instruction of the expansion.
 * Private to isa/lower. */
#ifndef WL_ISA_LOWER_ISEL_H
#define WL_ISA_LOWER_ISEL_H
#include "isa/lower/mir.h"
#include "isa/lower/module.h"

typedef struct wl_isel {
  wl_mfunc_t *f;
  wl_lower_t *l;
  const wl_ptx_func_t *fn;
  const wl_ptx_insn_t *in; /* being selected */
  uint32_t *regs;          /* PTX register id -> first virtual register */
  wl_param_t *params;      /* formal parameters: variables by var id */
  wl_param_t *rets;
  wl_param_t *locals; /* function-local variables by var id */
  uint32_t guard;
  bool guard_neg;
  uint32_t link;        /* function: holds the return index */
  uint32_t carry;       /* CC.CF: a predicate of the function, 0 = not used yet */
  bool carry_known;     /* it was written for all threads since the last label */
  bool carry_undefined; /* it may be read before it is written */
} wl_isel_t;

typedef struct wl_src {
  bool imm;
  uint32_t k;
  wl_mreg_t r;
} wl_src_t; /* constant or register */

static inline void wl_swap_src(wl_src_t *a, wl_src_t *b) {
  const wl_src_t t = *a;
  *a = *b;
  *b = t;
}

/* ---- isel_util.c: emission */
wl_mreg_t wl_t1(wl_isel_t *s); /* new temporaries of 1, 2, 4 words */
wl_mreg_t wl_t2(wl_isel_t *s);
wl_mreg_t wl_t4(wl_isel_t *s);
uint32_t wl_tp(wl_isel_t *s);                             /* new predicate */
wl_minsn_t *wl_put(wl_isel_t *s, const wl_minsn_t *insn); /* adds guard and place */
void wl_rr(wl_isel_t *s, wl_form_t form, wl_mreg_t d, wl_mreg_t a, wl_mreg_t b);
void wl_ri(wl_isel_t *s, wl_form_t form, wl_mreg_t d, wl_mreg_t a, uint32_t imm);
void wl_rrr(wl_isel_t *s, wl_form_t form, wl_mreg_t d, wl_mreg_t a, wl_mreg_t b, wl_mreg_t c);
void wl_rir(wl_isel_t *s, wl_form_t form, wl_mreg_t d, wl_mreg_t a, uint32_t imm, wl_mreg_t c);
void wl_rri(wl_isel_t *s, wl_form_t form, wl_mreg_t d, wl_mreg_t a, wl_mreg_t b, uint32_t imm);
void wl_movi(wl_isel_t *s, wl_mreg_t d, uint32_t imm);
void wl_copy(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, uint32_t words);
void wl_lop(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, wl_mreg_t b, wl_mreg_t c, uint32_t lut);
void wl_lopi(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, uint32_t imm, wl_mreg_t c, uint32_t lut);
void wl_sel(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, wl_mreg_t b, uint32_t p, bool neg);
void wl_seli(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, uint32_t imm, uint32_t p, bool neg);
void wl_cmp(wl_isel_t *s, wl_form_t form, uint32_t p, wl_mreg_t a, wl_mreg_t b, uint32_t mask);
void wl_cmpi(wl_isel_t *s, wl_form_t form, uint32_t p, wl_mreg_t a, uint32_t imm, uint32_t mask);
void wl_plop(wl_isel_t *s, uint32_t p, uint32_t ps, bool ns, uint32_t pt, bool nt, uint32_t bop);
void wl_not_yet(wl_isel_t *s, const char *clause, const char *what);
#define WL_MODS(FIELD, value) ((uint32_t)(value) << (WL_FIELD_##FIELD##_LOW - WL_MODS_LOW))
/* Tables of lop3: a = F0, b = CC, c = AA. */
enum { WL_LUT_A = 0xf0, WL_LUT_B = 0xcc, WL_LUT_C = 0xaa };
enum { WL_LT = 1, WL_EQ = 2, WL_LE = 3, WL_GT = 4, WL_NE = 5, WL_GE = 6, WL_NUM = 7, WL_UN = 8 };
enum { WL_BOP_AND, WL_BOP_OR, WL_BOP_XOR, WL_BOP_NONE };

/* ---- isel_opd.c: PTX operands */
wl_src_t wl_is_src(wl_isel_t *s, const wl_ptx_operand_t *o, wl_ptx_type_t type); /* <= 32 bits */
wl_src_t wl_is_ext(wl_isel_t *s, const wl_ptx_operand_t *o, wl_ptx_type_t type); /* extended */
wl_mreg_t wl_is_reg(wl_isel_t *s, wl_src_t v);                                   /* in a register */
wl_mreg_t wl_is_r32(wl_isel_t *s, const wl_ptx_operand_t *o, wl_ptx_type_t type);
wl_mreg_t wl_is_x32(wl_isel_t *s, const wl_ptx_operand_t *o, wl_ptx_type_t type); /* extended */
wl_mreg_t wl_is_r64(wl_isel_t *s, const wl_ptx_operand_t *o, wl_ptx_type_t type); /* .b128, too */
bool wl_is_const64(wl_isel_t *s, const wl_ptx_operand_t *o, wl_ptx_type_t type, uint64_t *value);
wl_mreg_t wl_is_dst(wl_isel_t *s, const wl_ptx_operand_t *o);
uint32_t wl_is_pdst(wl_isel_t *s, const wl_ptx_operand_t *o);            /* 0 = discard or absent */
uint32_t wl_is_psrc(wl_isel_t *s, const wl_ptx_operand_t *o, bool *neg); /* 0 with neg = false */
void wl_is_extend(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, unsigned bits, bool sign);
/* Address of a variable in its own space; the high word of 64-bit results is written. */
void wl_is_address(wl_isel_t *s, wl_mreg_t d, bool wide, const wl_ptx_var_t *var, uint64_t offset);

static inline unsigned wl_bits(wl_ptx_type_t t) {
  static const uint8_t bits[] = {
#define WL_PTX_TYPE(id, text, kind, n, reg) n,
#include "isa/def/ptx_type.def"
#undef WL_PTX_TYPE
  };
  return bits[t];
}
static inline bool wl_signed(wl_ptx_type_t t) {
  return t == WL_PTX_T_S8 || t == WL_PTX_T_S16 || t == WL_PTX_T_S32 || t == WL_PTX_T_S64;
}
static inline bool wl_float(wl_ptx_type_t t) {
  return t == WL_PTX_T_F16 || t == WL_PTX_T_F16X2 || t == WL_PTX_T_F32 || t == WL_PTX_T_F64;
}

/* ---- selection by group; false = not of this group */
bool wl_isel_int(wl_isel_t *s);                    /* isel_int.c: 9.7.1 up to 32 bits */
bool wl_isel_carry(wl_isel_t *s);                  /* isel_carry.c: 9.7.2, add.sat.u32 */
void wl_isel_carry_start(wl_isel_t *s, size_t at); /* end of a function: its flag's first value */
bool wl_isel_packed(wl_isel_t *s);          /* isel_packed.c: packed integers, .relu of s32 */
bool wl_isel_pack(wl_isel_t *s);            /* isel_packed.c: cvt.pack */
bool wl_isel_fns(wl_isel_t *s);             /* isel_fns.c: fns */
bool wl_isel_bits(wl_isel_t *s);            /* isel_bits.c: 9.7.8, bit fields, permute */
bool wl_isel_int64(wl_isel_t *s);           /* isel_int64.c: 9.7.1 and 9.7.8, 64 bits */
bool wl_isel_bits64(wl_isel_t *s);          /* isel_bits64.c */
bool wl_isel_cmp(wl_isel_t *s);             /* isel_cmp.c: 9.7.6 and predicate logic */
bool wl_isel_fp(wl_isel_t *s);              /* isel_fp.c: 9.7.3, f32; 9.7.5 */
bool wl_isel_half(wl_isel_t *s);            /* isel_half.c: 9.7.4 */
bool wl_isel_half_cmp(wl_isel_t *s);        /* isel_half_cmp.c: 9.7.7 */
bool wl_isel_special(wl_isel_t *s);         /* isel_special.c: ex2, lg2, tanh */
bool wl_isel_f64(wl_isel_t *s);             /* isel_f64.c: 9.7.3, f64 */
bool wl_isel_cvt(wl_isel_t *s);             /* isel_cvt.c: cvt, cvta, isspacep */
bool wl_isel_format(wl_isel_t *s);          /* isel_format.c: cvt between f32 and f16, bf16, tf32 */
bool wl_isel_mov(wl_isel_t *s);             /* isel_mov.c: mov */
bool wl_isel_mem(wl_isel_t *s);             /* isel_mem.c: ld st atom red, hints */
bool wl_isel_mbar(wl_isel_t *s);            /* isel_mbar.c: mbarrier, mapa, getctarank */
bool wl_isel_cluster_barrier(wl_isel_t *s); /* isel_mbar.c: barrier.cluster */
void wl_isel_copies_arrive(wl_isel_t *s);   /* isel_mbar.c: cp.async.mbarrier.arrive */
bool wl_isel_copy(wl_isel_t *s);            /* isel_copy.c: cp.async */
bool wl_isel_bulk(wl_isel_t *s);            /* isel_bulk.c: cp.async.bulk, cp.reduce.async.bulk */
void wl_isel_zero(wl_isel_t *s);            /* isel_bulk.c: st.bulk */
bool wl_isel_tmem(wl_isel_t *s);            /* isel_tmem.c: tcgen05 */
bool wl_isel_matrix(wl_isel_t *s);          /* isel_matrix.c: ldmatrix stmatrix movmatrix */
bool wl_isel_mma(wl_isel_t *s);             /* isel_mma.c: mma.sync */
bool wl_isel_wmma(wl_isel_t *s);            /* isel_wmma.c: wmma */
bool wl_isel_ctl(wl_isel_t *s);             /* isel_ctl.c: control flow, barriers, fences */
bool wl_isel_warp(wl_isel_t *s);            /* isel_warp.c: .sync exchange */
bool wl_isel_call(wl_isel_t *s);            /* isel_call.c: call, and parameters below */
void wl_isel_receive(wl_isel_t *s); /* start of a function: parameters from their registers */
void wl_isel_return(wl_isel_t *s);  /* results to their registers, ret */
wl_param_t *wl_isel_param(wl_isel_t *s, const wl_ptx_var_t *var);

/* ---- parallel.c: instructions from index `from` on read their operands before they write */
void wl_isel_parallel(wl_isel_t *s, size_t from);

/* ---- expansions (expand_*.c), results in temporaries */
wl_mreg_t wl_x_recip(wl_isel_t *s, wl_mreg_t x); /* f32 estimate of 1/x, normal x > 0 */
void wl_x_divrem32(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, bool sign, wl_mreg_t *q, wl_mreg_t *r);
void wl_x_divrem64(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, bool sign, wl_mreg_t *q, wl_mreg_t *r);
wl_mreg_t wl_x_mul64(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, wl_mreg_t c); /* low(a * b) + c */
wl_mreg_t wl_x_mulhi64(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, bool sign);
wl_mreg_t wl_x_fdiv(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, uint32_t rnd, bool ftz);
wl_mreg_t wl_x_fsqrt(wl_isel_t *s, wl_mreg_t a, uint32_t rnd, bool ftz);
void wl_x_neg64(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a);

/* ---- isel.c */
bool wl_isel_function(wl_lower_t *l, wl_mfunc_t *f, const wl_ptx_func_t *fn);

/* isel_cmp.c: codes of word.def's fields cmp and bop. */
uint32_t wl_isel_cmp_mask(wl_ptx_mod_t cmp);
uint32_t wl_isel_bool(wl_ptx_mod_t op);
/* isel_half.c: types with halves; 1.0 in both halves. */
bool wl_isel_is_half(wl_ptx_type_t t);
bool wl_isel_is_bf16(wl_ptx_type_t t);
uint32_t wl_isel_half_one(wl_ptx_type_t t);

/* Code of word.def's field rnd. */
static inline uint32_t wl_isel_rounding(wl_ptx_mod_t m) {
  switch (m) {
  case WL_PTX_M_RZ:
  case WL_PTX_M_RZI:
    return 1;
  case WL_PTX_M_RM:
  case WL_PTX_M_RMI:
    return 2;
  case WL_PTX_M_RP:
  case WL_PTX_M_RPI:
    return 3;
  default:
    return 0;
  }
}

/* The PTX instruction being selected has this modifier flag. */
static inline bool wl_isel_has(const wl_isel_t *s, uint64_t flag) {
  return (s->in->flags & flag) != 0;
}

/* The PTX instruction being selected has this modifier at any place. */
bool wl_isel_has_mod(const wl_isel_t *s, wl_ptx_mod_t m);
wl_mreg_t wl_lane_id(wl_isel_t *s); /* %laneid, in a new register */
/* The word a of another lane, in a new register; control: b[4:0], mask and clamp; mode: XMODE of shfl. */
enum { WL_SHUFFLE_BFLY = 2, WL_SHUFFLE_IDX = 3 };
wl_mreg_t wl_shuffle(wl_isel_t *s, wl_mreg_t a, wl_mreg_t control, uint32_t mode);

#endif
