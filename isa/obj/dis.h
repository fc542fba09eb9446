/* dis.h: machine instructions as text and back. docs/isa.md.
 * Text: `@!P0 add.f32.rr R4, R5, R6 {rnd=rz ftz}`; the modifiers in braces are those not zero. An
 * illegal word is `.word w0 w1 w2 w3` (hex, bits 31:0 first) with the reason in parentheses.
 * wl_asm_line accepts exactly what wl_dis_word prints (white space is free, parentheses comments);
 * it serves tests and hand-written programs, PTX does not go through it. */
#ifndef WL_ISA_OBJ_DIS_H
#define WL_ISA_OBJ_DIS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WL_DIS_MAX 160 /* longest text with its final zero */

/* Writes at most cap bytes with a final zero; returns the length needed without it. */
size_t wl_dis_word(const uint32_t w[4], char *buf, size_t cap);

/* Assembles one line. False with a sentence in err. */
bool wl_asm_line(const char *line, uint32_t w[4], char *err, size_t cap);

/* Why a word is illegal, NULL when it is legal. */
const char *wl_dis_illegal(const uint32_t w[4]);

#endif
