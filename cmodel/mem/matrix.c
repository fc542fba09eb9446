/* mem/matrix.c: docs/microarchitecture.md 10.1: matrix loads and stores in the LSU: address lanes, the order
 * of write-back, the requests of a store to shared memory. Which bytes stand where is cmodel/sem. */
#include "cmodel/mem/lsu.h"

static const wl_matrix_facts_t *facts(const wl_lsu_slot_t *s) { return &s->dec.info->matrix; }

uint32_t wl_matrix_address_lanes(const wl_form_info_t *info) {
  const unsigned lanes = (unsigned)info->matrix.count * info->matrix.rows;
  return (uint32_t)((UINT64_C(1) << lanes) - 1);
}

bool wl_matrix_is_load(const wl_lsu_slot_t *s) { return s->dec.info->kind == WL_MEM_KIND_LDMATRIX; }

bool wl_matrix_is_store(const wl_lsu_slot_t *s) {
  return s->dec.info->kind == WL_MEM_KIND_STMATRIX;
}

unsigned wl_matrix_lanes_once(const wl_env_t *env, const wl_lsu_slot_t *s) {
  return wl_sem_matrix_lanes_once((wl_matrix_t)facts(s)->kind, env->cfg.lsu_lanes);
}

void wl_matrix_registers(wl_lsu_slot_t *s) {
  uint32_t d[4][WL_LANES];
  wl_sem_matrix_load(facts(s), (const uint32_t (*)[WL_LANES])s->result, d);
  for (unsigned k = 0; k < s->dec.info->d; k++)
    for (unsigned lane = 0; lane < WL_LANES; lane++)
      s->result[k][lane] = d[k][lane];
}

/* Makes the request of a store that is due: of the lowest lanes left, of a register and piece. */
static void make(wl_lsu_t *l) {
  const wl_lsu_slot_t *s = &l->slot[l->proc];
  const wl_matrix_t kind = (wl_matrix_t)facts(s)->kind;
  const unsigned first = wl_lowest(l->pending[WL_LSU_SHARED]);
  l->store_buffer ^= 1;
  uint32_t *address = l->store_address[l->store_buffer], *data = l->store_data[l->store_buffer];
  for (unsigned lane = first; lane < first + s->lanes_once; lane++) {
    const wl_sem_place_t at = wl_sem_matrix_place(kind, lane, l->store_word, l->store_piece);
    address[lane] = l->smem_address[at.lane] + at.byte;
    data[lane] = wl_sem_matrix_piece(kind, s->data[l->store_word][lane], l->store_piece);
  }
}

void wl_matrix_begin(wl_lsu_t *l) {
  l->pending[WL_LSU_SHARED] = UINT32_MAX;
  l->store_word = l->store_piece = 0;
  make(l);
}

void wl_matrix_next(wl_lsu_t *l) {
  const wl_lsu_slot_t *s = &l->slot[l->proc];
  const unsigned first = wl_lowest(l->pending[WL_LSU_SHARED]);
  if (++l->store_piece == wl_sem_matrix_pieces((wl_matrix_t)facts(s)->kind)) {
    l->store_piece = 0;
    l->store_word++;
  }
  if (l->store_word == s->dec.info->b) {
    l->store_word = 0;
    l->pending[WL_LSU_SHARED] &= ~wl_lane_block(first, s->lanes_once);
  }
  if (l->pending[WL_LSU_SHARED] != 0) make(l);
}

void wl_matrix_out(const wl_lsu_t *l, wl_smem_req_t *r) {
  static const uint8_t type[] = {
      [1] = WL_MEM_TYPE_B32, [2] = WL_MEM_TYPE_B16, [4] = WL_MEM_TYPE_B8}; /* by pieces */
  const wl_lsu_slot_t *s = &l->slot[l->proc];
  r->kind = wl_matrix_is_load(s) ? WL_MEM_KIND_LD : WL_MEM_KIND_ST;
  if (wl_matrix_is_load(s)) return;
  r->lanes = wl_lane_block(wl_lowest(l->pending[WL_LSU_SHARED]), s->lanes_once);
  r->type = type[wl_sem_matrix_pieces((wl_matrix_t)facts(s)->kind)];
  r->address = l->store_address[l->store_buffer];
  r->data[0] = l->store_data[l->store_buffer];
}
