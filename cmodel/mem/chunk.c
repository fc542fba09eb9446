/* mem/chunk.c: docs/microarchitecture.md 11b: chunk port of shared memory: which unit's chunks use the
 * banks in the next cycle. The banks are mem/smem.c's: it makes the access and keeps what a load finds
 * for the answer. */
#include "cmodel/mem/chunk.h"

#include <string.h>

void wl_chunk_reset(wl_chunk_t *c, const wl_env_t *env) {
  (void)env;
  memset(c, 0, sizeof *c);
}

void wl_chunk_out(const wl_chunk_t *c, const wl_env_t *env, wl_wires_t *w) {
  (void)env;
  w->chunk_access = c->access ? &c->request : NULL;
  w->chunk_rsp = (wl_chunk_rsp_t){.valid = c->answer, .requester = c->requester, .tag = c->tag};
}

/* The first one that presents; before it the one with the largest loss count of those at the limit. */
static int choose(const wl_chunk_t *c, const wl_wires_t *w) {
  int first = -1, old = -1;
  for (int i = 0; i < WL_CHUNK_REQUESTERS; i++) {
    if (!w->chunk_req[i].valid) continue;
    if (first < 0) first = i;
    if (c->loss[i] < WL_AGE_LIMIT) continue;
    if (old < 0 || c->loss[i] > c->loss[old]) old = i;
  }
  return old >= 0 ? old : first;
}

void wl_chunk_arb(const wl_chunk_t *c, const wl_env_t *env, wl_wires_t *w) {
  w->chunk_chosen = choose(c, w);
  const bool kept = w->smem_pass || w->smem_atomic || wl_stalls(env, WL_STALL_AT_CHUNK);
  w->chunk_grant = kept ? -1 : w->chunk_chosen;
}

static void count_losses(wl_chunk_t *c, const wl_wires_t *w) {
  for (int i = 0; i < WL_CHUNK_REQUESTERS; i++) {
    if (!w->chunk_req[i].valid || w->chunk_grant == i)
      c->loss[i] = 0;
    else if (w->chunk_grant >= 0 && c->loss[i] < 15)
      c->loss[i]++;
  }
  if (w->chunk_chosen < 0 || w->chunk_grant >= 0)
    c->lost = 0;
  else if (c->lost < 15)
    c->lost++;
}

/* A launch that ends finds the port empty; `clear` leaves the counts. */
void wl_chunk_update(wl_chunk_t *c, const wl_env_t *env, const wl_wires_t *w) {
  c->answer = c->access && !c->request.store;
  c->tag = c->request.tag;
  c->access = w->chunk_grant >= 0;
  if (c->answer) c->requester = c->request.requester;
  if (c->access) c->request = w->chunk_req[w->chunk_grant];
  if (c->access) c->request.requester = (uint8_t)w->chunk_grant;
  if (!wl_stalls(env, WL_STALL_AT_CHUNK)) count_losses(c, w);
}

uint32_t wl_chunk_busy(const wl_chunk_t *c, const wl_env_t *env) {
  (void)env;
  bool busy = c->access || c->answer || c->lost != 0;
  for (int i = 0; i < WL_CHUNK_REQUESTERS; i++)
    busy = busy || c->loss[i] != 0;
  return (uint32_t)busy << WL_REST_SMEM;
}
