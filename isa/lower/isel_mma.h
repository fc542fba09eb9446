/* isel_mma.h: what products of matrices share: mma, mma.sp, wmma. Private to isa/lower. */
#ifndef WL_ISA_LOWER_ISEL_MMA_H
#define WL_ISA_LOWER_ISEL_MMA_H
#include "isa/lower/isel_mem.h"

/* The machine's mma of an operation and of the words of its fragments; WL_NUM_FORMS: none. */
wl_form_t wl_mma_form(wl_tensor_op_t op, unsigned a, unsigned b, unsigned d);
wl_mreg_t wl_mma_group(wl_isel_t *s, unsigned words); /* new temporary of 1, 2 or 4 words */
wl_mreg_t wl_mma_read(wl_isel_t *s, const wl_ptx_operand_t *fragment, unsigned k,
                      wl_ptx_type_t type);
void wl_mma_write(wl_isel_t *s, const wl_ptx_operand_t *fragment, unsigned k, wl_mreg_t v);

/* isel_mma_sparse.c: for a sparse product of 8-bit floats by two of halves. B's words become those whose
 * lower pairs are of the first product and whose upper pairs are of the second; returns the metadata of
 * both, selectors 0 and 1. */
wl_mreg_t wl_mma_sparse_bytes(wl_isel_t *s, wl_mreg_t b[4], wl_mreg_t e);

/* no where the lane has none of the bits, else yes. */
wl_mreg_t wl_mma_by_lane(wl_isel_t *s, wl_mreg_t lane, uint32_t bits, uint32_t no, uint32_t yes);
wl_mreg_t wl_mma_permute(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, wl_mreg_t selector);

void wl_mma_quad(wl_isel_t *s); /* isel_mma_quad.c: mma.m8n8k4 of f16 */
void wl_mma_f64(wl_isel_t *s);  /* isel_mma_f64.c: mma and wmma.mma of f64 */

static inline bool wl_mma_has(const wl_isel_t *s, wl_ptx_mod_t m) {
  for (uint32_t i = 0; i < s->in->nmods; i++)
    if (s->in->mods[i] == m) return true;
  return false;
}

/* ---- wmma (expansions.md) */
typedef enum wl_wmma_role { WL_WMMA_X, WL_WMMA_Y, WL_WMMA_D } wl_wmma_role_t;
typedef struct wl_wmma {
  wl_wmma_role_t role;
  bool exchanged;         /* m8n32k16: X is B, Y is A, D is transposed */
  unsigned bits;          /* of an element */
  unsigned parts, across; /* of a fragment; D: parts with the same rows of X */
  unsigned words;         /* of a part */
} wl_wmma_t;
/* The fragment of matrix 'a', 'b' or 'd' (also C) of the instruction's shape. */
wl_wmma_t wl_wmma_fragment(const wl_isel_t *s, char matrix, wl_ptx_type_t type);
bool wl_isel_wmma_mma(wl_isel_t *s); /* isel_wmma_mma.c */

#endif
