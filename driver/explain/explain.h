/* explain.h: how one element of D is summed (docs/microarchitecture.md 19.2, 25.7, 26.4, 26.11), told step by
 * step: terms, shifts, what is kept and dropped, and which dropped bit changed the result. */
#ifndef WL_DRIVER_EXPLAIN_EXPLAIN_H
#define WL_DRIVER_EXPLAIN_EXPLAIN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WL_EXPLAIN_MOST = 64, WL_EXPLAIN_MOST_SCALES = 4 };

/* What is summed. A type is a wl_format_t, or an integer type of its own. */
typedef struct wl_explain {
  const char *profile_name; /* of isa/def/numerics.def; NULL: integers of 8 bits */
  const char *kind;         /* of tcgen05.mma; NULL: mma.sync */
  int profile;              /* wl_profile_id_t */
  int of_a, of_b, of_d, of_scale;
  unsigned most;   /* products */
  unsigned scales; /* of a row of A, and of a column of B; 0: none */
  unsigned lower;  /* D before counts * 2^-lower */
  bool clamped;    /* of integers */
} wl_explain_t;

/* Of mma.sync, by the name of a profile ("f16_f32"). false: there is none. */
bool wl_explain_profile(const char *name, wl_explain_t *out);

/* Of tcgen05.mma. Names: NULL is the kind's own. scales: how many of them are given for A. false: `why` says
 * what is wrong. */
typedef struct wl_explain_names {
  const char *kind, *atype, *btype, *dtype, *stype;
} wl_explain_names_t;
bool wl_explain_kind(const wl_explain_names_t *names, unsigned scales, wl_explain_t *out, char *why,
                     size_t size);
/* Whether the addend can be scaled (scale-input-d), whether the sum can be clamped. */
bool wl_explain_lowers(const wl_explain_t *form);
bool wl_explain_clamps(const wl_explain_t *form);

/* A number as it stands in a register, "0x3c00", or a decimal one or a power of two, "2^-3", rounded to
 * nearest even. false: `why` says what is wrong. */
bool wl_explain_value(int type, const char *text, uint32_t *out, char *why, size_t size);

typedef struct wl_explain_operands {
  unsigned count; /* of products */
  uint32_t a[WL_EXPLAIN_MOST], b[WL_EXPLAIN_MOST], c;
  uint32_t scale_a[WL_EXPLAIN_MOST_SCALES], scale_b[WL_EXPLAIN_MOST_SCALES];
} wl_explain_operands_t;
/* Writes what becomes of them to a file, and returns the element. */
uint32_t wl_explain_mma(FILE *out, const wl_explain_t *form, const wl_explain_operands_t *in);

#ifdef __cplusplus
}
#endif
#endif
