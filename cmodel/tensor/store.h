/* State of tensor/store.c: operand sets (docs/microarchitecture.md 19.1). */
#ifndef WL_CMODEL_TENSOR_STORE_H
#define WL_CMODEL_TENSOR_STORE_H

#include "cmodel/gpu/wires.h"

enum { WL_TENSOR_OPERANDS = 10, WL_TENSOR_RESULTS = 4 }; /* most words of a, b, c; of d */

typedef struct wl_tensor_set {
  wl_insn_dec_t dec;
  uint8_t warp;
  uint32_t pc;
  uint32_t word[WL_TENSOR_OPERANDS][WL_LANES];
} wl_tensor_set_t;

/* Sets in the order of issue: a ring. `used` of them from `oldest` on are not free, the first `full` of
 * these are full. */
typedef struct wl_tensor_store {
  wl_tensor_set_t set[WL_MOST_TENSOR_SETS];
  uint8_t oldest, used, full;
} wl_tensor_store_t;

/* What the instruction that issues, and words in X1, do to the sets. */
void wl_tensor_store_take(wl_tensor_store_t *s, const wl_env_t *env, const wl_sub_wires_t *w);
/* The oldest set becomes free. */
void wl_tensor_store_free(wl_tensor_store_t *s, const wl_env_t *env);

#endif
