/* mem/lsu_deferred.c: docs/microarchitecture.md 22: cp.async: slots of the LSU whose results go to shared
 * memory instead of registers, arrivals behind them, and the groups of a warp. */
#include <string.h>

#include "cmodel/mem/lsu.h"

bool wl_lsu_is_held(const wl_lsu_t *l, const wl_env_t *env, unsigned slot) {
  const wl_lsu_slot_t *s = &l->slot[slot];
  if (s->dec.info->kind != WL_MEM_KIND_CPARRIVE) return false;
  const unsigned depth = env->cfg.lsu_depth, place = (slot + depth - l->alloc) % depth;
  for (unsigned n = 0; n < place; n++) { /* from the oldest on */
    const wl_copy_t *c = &l->copy[(l->alloc + n) % depth];
    if (c->used && c->warp == s->warp) return true;
  }
  return false;
}

static uint32_t lanes_of(const wl_lsu_slot_t *s) {
  return s->exec & wl_lane_block(s->beat * s->lanes_once, s->lanes_once);
}

void wl_lsu_begin_offers(wl_lsu_slot_t *s, const wl_env_t *env) {
  const uint32_t base = env->slots->warp_cta[s->warp] * env->launch->smem_units * 1024;
  const bool copy = s->dec.info->kind == WL_MEM_KIND_CPASYNC;
  s->offer = 0;
  for (unsigned lane = 0; lane < WL_LANES; lane++)
    s->offer_address[0][lane] = base + (copy ? s->data[0][lane] : (uint32_t)s->ea[lane]);
}

void wl_lsu_offer(const wl_lsu_slot_t *s, const wl_env_t *env, wl_smem_req_t *r) {
  static const uint32_t ones[WL_LANES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                          1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  (void)env;
  const bool copy = s->dec.info->kind == WL_MEM_KIND_CPASYNC;
  r->valid = r->offered = true;
  r->kind = copy ? WL_MEM_KIND_ST : WL_MEM_KIND_MBAR;
  r->type = copy ? WL_MEM_TYPE_B32 : WL_MEM_TYPE_B64;
  r->atom = WL_ATOM_OP_NONE;
  r->mbar = copy ? WL_MBAR_NONE : WL_MBAR_ARRIVE;
  r->beat = s->beat;
  r->lanes = lanes_of(s);
  r->address = s->offer_address[s->offer];
  for (unsigned k = 0; k < 4; k++)
    r->data[k] = copy ? s->result[s->word] : ones;
}

static unsigned words_of(const wl_lsu_slot_t *s) {
  if (s->dec.info->kind == WL_MEM_KIND_CPARRIVE) return 1;
  return wl_sem_type_bytes((wl_mem_type_t)s->dec.info->type) / 4;
}

/* Shared memory still reads the addresses of the request that it takes: the next one's are beside. */
bool wl_lsu_offer_taken(wl_lsu_slot_t *s) {
  uint32_t *next = s->offer_address[1 - s->offer];
  memcpy(next, s->offer_address[s->offer], sizeof s->offer_address[0]);
  for (uint32_t left = lanes_of(s); left != 0; left &= left - 1)
    next[wl_lowest(left)] += 4;
  s->offer = (uint8_t)(1 - s->offer);
  if (++s->word < words_of(s)) return false;
  const uint32_t left = wl_later_lanes(s->exec, s->beat, s->lanes_once);
  s->word = 0;
  if (left != 0) s->beat = (uint8_t)(wl_lowest(left) / s->lanes_once);
  return left == 0;
}

void wl_lsu_commit(wl_lsu_t *l, const wl_env_t *env, unsigned warp) {
  for (unsigned i = 0; i < env->cfg.lsu_depth; i++) {
    wl_copy_t *c = &l->copy[i];
    if (c->used && c->warp == warp && c->age < 63) c->age++;
  }
}
