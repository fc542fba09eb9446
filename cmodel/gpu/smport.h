/* State of gpu/smport.c (docs/microarchitecture.md 13). */
#ifndef WL_CMODEL_GPU_SMPORT_H
#define WL_CMODEL_GPU_SMPORT_H

#include "cmodel/gpu/wires.h"

typedef struct wl_smport {
  uint8_t lost[WL_PORTS];
  uint32_t unacked; /* granted ST and RED packets without an answer */
} wl_smport_t;

void wl_smport_reset(wl_smport_t *p, const wl_env_t *env);
void wl_smport_out(const wl_smport_t *p, const wl_env_t *env, wl_wires_t *w);
void wl_smport_arb(const wl_smport_t *p, const wl_env_t *env, wl_wires_t *w);
void wl_smport_update(wl_smport_t *p, const wl_env_t *env, const wl_wires_t *w);
uint32_t wl_smport_busy(const wl_smport_t *p, const wl_env_t *env); /* bits of REST */

#endif
