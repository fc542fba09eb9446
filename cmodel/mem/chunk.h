/* State of mem/chunk.c (docs/microarchitecture.md 11b). */
#ifndef WL_CMODEL_MEM_CHUNK_H
#define WL_CMODEL_MEM_CHUNK_H

#include "cmodel/gpu/wires.h"

typedef struct wl_chunk {
  uint8_t lost; /* cycles in a row that the lane port kept the chosen one waiting */
  uint8_t loss[WL_CHUNK_REQUESTERS];
  bool access;               /* the request granted in the cycle before has the banks */
  wl_chunk_req_t request[2]; /* that one, by its cycle modulo 2 */
  uint8_t requester;         /* of the access, and of the answer after it */
  bool answer;               /* the data of a load are presented */
  uint8_t tag;               /* of the answer */
} wl_chunk_t;

void wl_chunk_reset(wl_chunk_t *c, const wl_env_t *env);
void wl_chunk_out(const wl_chunk_t *c, const wl_env_t *env, wl_wires_t *w);
void wl_chunk_arb(const wl_chunk_t *c, const wl_env_t *env, wl_wires_t *w);
void wl_chunk_update(wl_chunk_t *c, const wl_env_t *env, const wl_wires_t *w);
uint32_t wl_chunk_busy(const wl_chunk_t *c, const wl_env_t *env); /* bit of REST */

#endif
