/* explain.h: how the tensor unit sums one element of D (docs/microarchitecture.md 19.2), told step by
 * step: terms, shifts, what is kept and dropped, and which dropped bit changed the result. */
#ifndef WL_DRIVER_EXPLAIN_H
#define WL_DRIVER_EXPLAIN_H
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Number of a profile ("f16_f32"; isa/def/numerics.def), -1: there is none. */
int wl_explain_profile(const char *name);
/* A number as it stands in a register, "0x3c00", or a decimal one, rounded to nearest even: of A and B, or
 * of C and D. -1: the text is neither. */
int wl_explain_value(int profile, int of_result, const char *text, uint32_t *out);
/* Writes what becomes of `count` products and c to a file, and returns the element. */
uint32_t wl_explain_mma(FILE *out, int profile, unsigned count, const uint32_t *a,
                        const uint32_t *b, uint32_t c);

#ifdef __cplusplus
}
#endif
#endif
