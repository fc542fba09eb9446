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
  w->chunk_access = c->access ? &c->request[env->cycle % 2] : NULL;
  w->chunk_rsp = (wl_chunk_rsp_t){.valid = c->answer, .requester = c->requester, .tag = c->tag};
}

static uint32_t presenting(const wl_wires_t *w) {
  uint32_t set = 0;
  for (unsigned i = 0; i < WL_CHUNK_REQUESTERS; i++)
    set |= (uint32_t)w->chunk_req[i].valid << i;
  return set;
}

void wl_chunk_arb(const wl_chunk_t *c, const wl_env_t *env, wl_wires_t *w) {
  w->chunk_chosen = wl_age_pick(c->loss, presenting(w));
  const bool kept = w->smem_pass || w->smem_atomic || wl_stalls(env, WL_STALL_AT_CHUNK);
  w->chunk_grant = kept ? -1 : w->chunk_chosen;
}

static void count_losses(wl_chunk_t *c, const wl_wires_t *w) {
  wl_age_count(c->loss, WL_CHUNK_REQUESTERS, presenting(w), w->chunk_grant);
  if (w->chunk_chosen < 0 || w->chunk_grant >= 0)
    c->lost = 0;
  else if (c->lost < WL_MOST_LOSSES)
    c->lost++;
}

/* A launch that ends finds the port empty; `clear` leaves the counts. */
void wl_chunk_update(wl_chunk_t *c, const wl_env_t *env, const wl_wires_t *w) {
  if (!w->chunk_works) return;
  const wl_chunk_req_t *now = &c->request[env->cycle % 2];
  wl_chunk_req_t *next = &c->request[(env->cycle + 1) % 2];
  c->answer = c->access && !now->store;
  c->tag = now->tag;
  c->access = w->chunk_grant >= 0;
  if (c->answer) c->requester = now->requester;
  if (c->access) *next = w->chunk_req[w->chunk_grant];
  if (c->access) next->requester = (uint8_t)w->chunk_grant;
  if (!wl_stalls(env, WL_STALL_AT_CHUNK)) count_losses(c, w);
}

uint32_t wl_chunk_busy(const wl_chunk_t *c, const wl_env_t *env) {
  (void)env;
  const bool busy =
      c->access || c->answer || c->lost != 0 || !wl_age_at_rest(c->loss, WL_CHUNK_REQUESTERS);
  return (uint32_t)busy << WL_REST_SMEM;
}
