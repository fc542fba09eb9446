/* What a machine instruction means, as pure functions: no machine state, no timing, no memory.
 * The functional runner and the golden model both call it; rtl/exec is written from docs/isa.md and
 * docs/microarchitecture.md instead. Control, barriers and memory access belong to the callers.
 *
 * Rules that the tables do not state [PTX 6.5.2, 9.7.3]:
 *  - A NaN result of f32 arithmetic, conversion or rounding is 0x7fffffff.
 *  - ftz, input: a subnormal operand is replaced by the zero of its sign, before negation and
 * before the operation (never between the product and the sum of fma).
 *  - ftz, result: if the exact value, rounded to 24 bits with unbounded exponent, is below 2^-126
 * in magnitude, the result is the zero of its sign, in every rounding mode. A value that rounds up
 *    to 2^-126 is kept: mul.rn.ftz 00800001 * 3f7ffffe = 00800000. One that needs no rounding is
 *    not: mul.rn.ftz 00800000 * 3f7fffff = 0 (without ftz it rounds, at 2^-149, to 00800000).
 *  - sat, after rounding and flushing: NaN and everything below +0 (and -0) gives +0, above 1
 * gives 1.
 *  - An exact zero sum of operands that are not both zeros of one sign is +0, in rm -0. A product
 * has the exclusive or of the signs; mul has no addend, so its zero keeps that sign.
 *  - min, max: -0 < +0; one NaN operand gives the other operand, with `nan` or two NaN 0x7fffffff.
 *  - A shfl that names a lane outside the group returns the reading lane's own value (PTX leaves it
 *    open); the predicate says only whether the lane number was in range. */
#ifndef WL_CMODEL_SEM_SEM_H
#define WL_CMODEL_SEM_SEM_H

#include <stdbool.h>
#include <stdint.h>

#include "cmodel/sem/fp.h"
#include "gen/wl_insn.h"
#include "gen/wl_trap.h"

enum { WL_LANES = 32, WL_REG_ZERO = 255, WL_PRED_TRUE = 7 };

/* ---- decode.c */
/* A decoded word. Fields that the form does not use read as "nothing": registers 255, predicates 7
 * not negated, modifiers and imm 0. */
typedef struct wl_insn_dec {
  const wl_form_info_t *info; /* NULL when the form id is not assigned */
  uint32_t imm;
  uint16_t form; /* wl_form_t */
  uint8_t unit, op;
  uint8_t guard, guard_neg;
  uint8_t rd, ra, rb, rc, rx;
  uint8_t count; /* words of the destination */
  uint8_t pd, pq, ps, ps_neg, pt, pt_neg;
  uint8_t rnd, ftz, sat, neg_a, neg_b, neg_c, nan, cmp, bop, lut, xmode;
  uint8_t strong, scope, cache, aligned;
  uint8_t relu, oob, xorsign, bytes, uns;
  uint8_t ua, ub, bx, sel;
  uint8_t half, ta, b16;
} wl_insn_dec_t;

/* WL_TRAP_NONE, WL_TRAP_ILLEGAL_FORM (only form and guard are set then) or WL_TRAP_ILLEGAL_BITS
 * (all fields are set). rows: the configuration that executes (wl_config_t.row), or WL_ANY_ROW.
 * Register alignment and range are the caller's: they need the kernel. */
wl_trap_t wl_decode(const uint32_t word[4], uint32_t rows, wl_insn_dec_t *out);

/* ---- one step of a warp instruction: units ALU, MUL, FPU, SYNC */
/* a, b, c point to 32 lane values each; they do not overlap d. Which register word they are:
 *  ONE   word 0 of each operand (shape R_D, LIST: a = word 0, b = word 1 of operand a)
 *  PAIR  step 0: word 0, step 1: word 1 of each operand, word 0 again where it has only one.
 * Operands that are an immediate are filled by wl_sem_use_imm. s2r: a = value of the register. */
typedef struct wl_sem_in {
  const uint32_t *a, *b, *c;
  uint32_t s, t; /* source predicates per lane, negation applied; PT = all ones */
  uint32_t mask; /* lanes that execute; for SYNC the group: the member lanes that have not exited */
  uint32_t step;
} wl_sem_in_t;

/* d: lanes outside the mask are unspecified; d is not written by forms without a destination.
 * p, q: destination predicates per lane, 0 outside the mask; valid where the shape has them, for
 * PAIR after step 1. carry and equal are set by step 0 of a PAIR and read by step 1: pass the same
 * structure. */
typedef struct wl_sem_out {
  uint32_t *d;
  uint32_t p, q;
  uint32_t carry, equal;
} wl_sem_out_t;

/* False, and nothing done, for units without lane arithmetic (CTL, BAR, LSU, LDC, TENSOR, FP64, PROBE,
 * COPY, TMEM, UMMA). */
bool wl_sem_warp(const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out);

/* Points b, c at the immediate of this step where the shape has one (kinds B, C, L, M), broadcast
 * into buf, which lives as long as in is used. B of a pair: sign-extended to 64 bits if the other
 * operand is a pair. */
void wl_sem_use_imm(const wl_insn_dec_t *insn, wl_sem_in_t *in, uint32_t buf[2][WL_LANES]);

void wl_sem_alu(const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out);
void wl_sem_mul(const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out);
void wl_sem_fpu(const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out);
void wl_sem_packed(const wl_insn_dec_t *insn, const wl_sem_in_t *in,
                   wl_sem_out_t *out);                                                 /* of ALU */
void wl_sem_half(const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out); /* of FPU */
void wl_sem_exchange(const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out);

/* Predicate results of a comparison: rel[0..3] = lanes that are less, equal, greater, unordered.
 * t = lanes whose relation is in insn->cmp; p = t bop s, q = !t bop s (bop 3: p = t, q = !t). */
void wl_sem_compare(const wl_insn_dec_t *insn, const wl_sem_in_t *in, const uint32_t rel[4],
                    wl_sem_out_t *out);

/* ---- probe (sem_probe.c): word k of the result in all lanes. word: the operands' words in the order
 * of the step list, 32 lane values each. Not CHUNK, whose memory is the caller's. */
void wl_sem_probe(const wl_insn_dec_t *insn, const uint32_t (*word)[WL_LANES], unsigned k,
                  uint32_t d[WL_LANES]);

/* ---- tensor unit (sem_tensor.c): all words of the result in all lanes; d may not overlap word. */
void wl_sem_tensor(const wl_insn_dec_t *insn, const uint32_t (*word)[WL_LANES],
                   uint32_t (*d)[WL_LANES]);

/* ---- products in tensor memory (sem_umma.c) */
/* What an element of D is a sum of (25.7, 26.4). Formats are wl_format_t. */
typedef struct wl_products {
  const struct wl_profile *profile; /* NULL: integers of 8 bits */
  uint8_t of_a, of_b;               /* formats, not of integers */
  uint8_t terms;                    /* elements of a row of A: at most 32 */
  uint8_t lower;                    /* the addend counts * 2^-lower */
  bool a_signed, b_signed, clamped; /* of integers */
} wl_products_t;
/* Of `rows` rows of A and a column of B, an element in each word as in a register of its format; c: the
 * addends, which become the results. A result of 16 bits has zero above it. */
void wl_sem_products(const wl_products_t *n, unsigned rows, const uint32_t (*a)[32],
                     const uint32_t b[32], uint32_t *c);

/* Scaled ones (26.11; sem_scaled.c). Profile mxf8f6f4_f32: elements as above. Profile mxf4_f32: a word has
 * eight elements, element 8w in bits 3:0 of word w. sa, sb: the scales of each row of A and of the column,
 * a byte each: byte 0, or of mxf4_f32 byte j for the elements 16j to 16j + 15. */
typedef struct wl_scaled_products {
  wl_products_t of;
  bool e4m3; /* scales are ue4m3, not ue8m0 */
} wl_scaled_products_t;
void wl_sem_scaled_products(const wl_scaled_products_t *n, unsigned rows, const uint32_t (*a)[32],
                            const uint32_t b[32], const uint32_t *sa, uint32_t sb, uint32_t *c);

/* ---- 64-bit floating point (sem_f64.c): both words of the result in the lanes of mask; d may not overlap
 * word. Integers only: the host's arithmetic has no part in it. */
void wl_sem_fp64(const wl_insn_dec_t *insn, const uint32_t (*word)[WL_LANES], uint32_t mask,
                 uint32_t (*d)[WL_LANES]);
/* One value. A NaN result is the first NaN of b, c, a (add, mul: of b, a) made quiet, or fff8000000000000. */
uint64_t wl_f64_add(uint64_t a, uint64_t b, unsigned rnd);
uint64_t wl_f64_mul(uint64_t a, uint64_t b, unsigned rnd);
uint64_t wl_f64_fma(uint64_t a, uint64_t b, uint64_t c, unsigned rnd);

/* ---- f32 on one value (sem_f32.c; fp.h) */
uint32_t wl_f32_add(uint32_t a, uint32_t b, wl_fp_mode_t mode);
uint32_t wl_f32_mul(uint32_t a, uint32_t b, wl_fp_mode_t mode);
uint32_t wl_f32_fma(uint32_t a, uint32_t b, uint32_t c, wl_fp_mode_t mode);
uint32_t wl_f32_min(uint32_t a, uint32_t b, bool ftz, bool nan);
uint32_t wl_f32_max(uint32_t a, uint32_t b, bool ftz, bool nan);
/* 0 less, 1 equal, 2 greater, 3 unordered: the bit number in the comparison mask. */
unsigned wl_f32_relation(uint32_t a, uint32_t b, bool ftz);
uint32_t wl_f32_from_u64(uint64_t a, unsigned rnd);
uint32_t wl_f32_from_s64(int64_t a, unsigned rnd);
/* Rounded to an integer, clamped to the bits of the type; NaN: 32 bits 0, 64 bits 1 << 63. */
uint64_t wl_f32_to_int(uint32_t a, wl_fp_mode_t mode, unsigned bits, bool is_signed);
uint32_t wl_f32_round(uint32_t a, wl_fp_mode_t mode); /* to an integral value */

/* ---- between formats, one value (sem_format.c). Formats as the rows CVTINSN of insn.def have them. */
uint32_t wl_f32_narrow(wl_format_t format, uint32_t a, unsigned rnd);
uint32_t wl_f32_to_tf32_away(uint32_t a);              /* ties away from zero; a NaN is cut */
uint32_t wl_f32_widen(wl_format_t format, uint32_t a); /* bits 31:16 of a do not count */
/* Of formats of 8 bits and less, two numbers in bytes or, of 4 bits, in a byte; a in the upper place. */
uint32_t wl_f16x2_from_bytes(wl_format_t format, uint32_t a);
uint32_t wl_narrow_pair(wl_format_t format, uint32_t a, uint32_t b);
/* Also f16 and bf16. random: 16 bits for a, then for b. */
uint32_t wl_stochastic_pair(wl_format_t format, uint32_t a, uint32_t b, uint32_t random);

/* ---- special functions of one f32 (sem_special.c). Subnormal results of ex2 are +0, subnormal operands of
 * lg2 zeros. */
uint32_t wl_f32_ex2(uint32_t a);
uint32_t wl_f32_lg2(uint32_t a);
uint32_t wl_f32_tanh(uint32_t a);

/* ---- f32 rn, no ftz, no sat, of all lanes by the host's arithmetic (sem_f32_host.c). flip is
 * exclusive-ored to the operand. Only where wl_f32_host_exact() is true: the processor rounds to
 * nearest even and keeps subnormals now. */
bool wl_f32_host_exact(void);
void wl_f32_host_add(const uint32_t a[WL_LANES], uint32_t flip_a, const uint32_t b[WL_LANES],
                     uint32_t flip_b, uint32_t *restrict d);
void wl_f32_host_mul(const uint32_t a[WL_LANES], uint32_t flip_a, const uint32_t b[WL_LANES],
                     uint32_t *restrict d);
void wl_f32_host_fma(const uint32_t a[WL_LANES], uint32_t flip_a, const uint32_t b[WL_LANES],
                     const uint32_t c[WL_LANES], uint32_t flip_c, uint32_t *restrict d);

/* ---- matrices in shared memory (sem_matrix.c) */
/* A register of a lane is cut into pieces of equal length, from its low bits on: bytes that stand
 * together in a row. */
unsigned wl_sem_matrix_pieces(wl_matrix_t kind);
/* Lanes of a store that are done at once by an LSU of so many lanes. A narrow one does the lanes of
 * kinds other than B16 one by one: their rows are those of other lanes. */
unsigned wl_sem_matrix_lanes_once(wl_matrix_t kind, unsigned lsu_lanes);
uint32_t wl_sem_matrix_piece(wl_matrix_t kind, uint32_t word, unsigned piece);
/* Where a piece stands: lane that has the row's address, byte of the row. */
typedef struct wl_sem_place {
  uint8_t lane, byte;
} wl_sem_place_t;
wl_sem_place_t wl_sem_matrix_place(wl_matrix_t kind, unsigned lane, unsigned reg, unsigned piece);
/* Registers of all lanes; row: word k of the row whose address a lane has. */
void wl_sem_matrix_load(const wl_matrix_facts_t *m, const uint32_t (*row)[WL_LANES],
                        uint32_t (*d)[WL_LANES]);

/* ---- memory values (sem_atom.c) */
unsigned wl_sem_type_bytes(wl_mem_type_t type);
/* The register word of a loaded value of at most 32 bits: raw's low bytes, extended by the type. */
uint32_t wl_sem_load_word(wl_mem_type_t type, uint32_t raw);
/* The new value of the location; the result of the instruction is old. 32-bit types in bits 31:0.
 * f32 add rounds to nearest even; ftz: true where the location is global, false in shared memory
 * [PTX 9.7.13.6]. */
uint64_t wl_sem_atom(wl_atom_op_t op, wl_mem_type_t type, bool ftz, uint64_t old, uint64_t b,
                     uint64_t c);
/* The same of words, low word first, up to 128 bits (those: EXCH and CAS); c: of CAS only. */
enum { WL_SEM_ATOM_WORDS = 4 };
void wl_sem_atom_words(wl_atom_op_t op, wl_mem_type_t type, bool ftz, const uint32_t *old,
                       const uint32_t *b, const uint32_t *c, uint32_t *value);

/* ---- mbarriers (sem_mbar.c; docs/microarchitecture.md 21). The instruction's result is old. */
typedef struct wl_sem_mbar {
  uint64_t object; /* the new one; with misuse the old one */
  bool misuse, complete;
} wl_sem_mbar_t;
wl_sem_mbar_t wl_sem_mbar(wl_mbar_op_t op, uint64_t old, uint32_t b);
/* Whether the phase of this parity is over: result of MBTEST. high: the object's upper word. */
uint32_t wl_sem_mbtest(uint32_t high, uint32_t parity, uint32_t gen);

#endif
