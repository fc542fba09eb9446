/* State of tensor/tensor.c (docs/microarchitecture.md 19). */
#ifndef WL_CMODEL_TENSOR_TENSOR_H
#define WL_CMODEL_TENSOR_TENSOR_H

#include "cmodel/tensor/dot.h"

enum { WL_TENSOR_OUT = 2 };

typedef struct wl_tensor {
  wl_tensor_store_t store;
  wl_dot_t dot;
  wl_dot_word_t out[WL_TENSOR_OUT]; /* [0] is the oldest */
  uint8_t out_count;
} wl_tensor_t;

void wl_tensor_reset(wl_tensor_t *t, const wl_env_t *env, unsigned k);
void wl_tensor_out(const wl_tensor_t *t, const wl_env_t *env, wl_wires_t *w, unsigned k);
void wl_tensor_update(wl_tensor_t *t, const wl_env_t *env, const wl_wires_t *w, unsigned k);
uint32_t wl_tensor_busy(const wl_tensor_t *t, const wl_env_t *env); /* bit of REST */

#endif
