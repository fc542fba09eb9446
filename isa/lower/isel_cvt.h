/* isel_cvt.h: conversions as parts of expansions: of cvt (isel_cvt*.c, isel_format.c), of f32 with
 * operands of 16 bits, of the special functions. Private to isa/lower. */
#ifndef WL_ISA_LOWER_ISEL_CVT_H
#define WL_ISA_LOWER_ISEL_CVT_H
#include "isa/lower/isel.h"

/* ---- isel_cvt.c */
/* Writes a 32-bit value v, already extended by type t, to the destination. */
void wl_cvt_finish(wl_isel_t *s, wl_mreg_t v, wl_ptx_type_t t);
/* Clamps a value of signedness `sign` to least .. most. */
wl_mreg_t wl_cvt_clamp32(wl_isel_t *s, wl_mreg_t v, bool sign, int64_t least, int64_t most);
wl_mreg_t wl_cvt_clamp64(wl_isel_t *s, wl_mreg_t v, bool sign, int64_t least, uint64_t most);
/* A form of one operand and a rounding (code of word.def's field rnd). */
wl_mreg_t wl_cvt_by(wl_isel_t *s, wl_form_t form, wl_mreg_t a, uint32_t words, uint32_t rnd,
                    bool ftz);
/* The number a of f32 as an integer of type d, to the destination. */
void wl_cvt_f32_to_int(wl_isel_t *s, wl_mreg_t a, wl_ptx_type_t d);

/* ---- isel_format.c */
#define WL_MINUS_ZERO 0x80000000u
wl_mreg_t wl_cvt_imm(wl_isel_t *s, wl_form_t form, wl_mreg_t a, uint32_t imm, uint32_t mods);
/* Number k of the sources, f16 or bf16, as f32. */
wl_mreg_t wl_cvt_widened(wl_isel_t *s, uint32_t k);
/* v, with .relu the larger of it and +0; a NaN stays. */
wl_mreg_t wl_cvt_relu(wl_isel_t *s, wl_mreg_t v);
/* v, with .satfinite not beyond the number `largest` of f32; then as wl_cvt_relu. */
wl_mreg_t wl_cvt_limited(wl_isel_t *s, wl_mreg_t v, uint32_t largest);

/* ---- isel_cvt_narrow.c */
/* The low or high half of a register as f32, which is exact. */
wl_mreg_t wl_cvt_half(wl_isel_t *s, wl_mreg_t two, bool bf16, bool high);
/* What becomes the high or low number of a pair, as f32: of two operands of f32, or one of two halves. */
wl_mreg_t wl_cvt_source(wl_isel_t *s, bool high);
/* A pair of 8, 6 or 4 bits as f16x2; false = the source is none. */
bool wl_cvt_halves(wl_isel_t *s, wl_mreg_t *d);

/* ---- conversions by kind of type; false = not of this kind */
bool wl_isel_cvt_half(
    wl_isel_t *s); /* isel_cvt_half.c: f16, bf16 from and to integers, each other */
bool wl_isel_cvt_narrow(wl_isel_t *s); /* isel_cvt_narrow.c: 8, 6 and 4 bits, .rs */
bool wl_isel_cvt_scale(wl_isel_t *s);  /* isel_cvt_scale.c: ue8m0, s2f6, to bf16x2 with a scale */

#endif
