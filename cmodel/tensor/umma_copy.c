/* tensor/umma_copy.c: docs/microarchitecture.md 26.7, 26.8: copies and shifts write what a buffer of A has to
 * tensor memory, a row in each sub-core at once. */
#include "cmodel/tensor/umma.h"

/* fields of a CP */
enum { AS_IT_IS, OF_SIX_BITS, OF_FOUR_BITS };

/* ---- a word of a row */
/* Byte n of a chunk, of elements of so many bits. */
static uint32_t unpacked(const uint32_t chunk[4], unsigned bits, unsigned n) {
  return wl_umma_in_chunk(chunk, bits, n) << (bits == 4 ? 2 : 0);
}

static uint32_t word_of(const wl_umma_entry_t *e, const uint32_t *row, unsigned w) {
  if (e->op != WL_UMMA_CP || e->unpacking == AS_IT_IS) return row[w];
  const unsigned bits = e->unpacking == OF_SIX_BITS ? 6 : 4;
  uint32_t word = 0;
  for (unsigned i = 0; i < 4; i++)
    word |= unpacked(row + w / 4 * 4, bits, w % 4 * 4 + i) << 8 * i;
  return word;
}

/* ---- a row in tensor memory */
static uint32_t lanes_of(const wl_umma_entry_t *e) {
  if (e->op == WL_UMMA_SHIFT) return wl_lane_block(0, 31);
  return e->shape == WL_UMMA_4X256B ? 1u << e->z : wl_lane_block(0, 32);
}

static unsigned words_of(const wl_umma_entry_t *e) {
  return e->op == WL_UMMA_SHIFT ? WL_UMMA_TMEM_WORDS : 4 * wl_umma_copy_chunks(e);
}

static wl_umma_beat_t row_of(const wl_umma_t *u, const wl_env_t *env, unsigned k) {
  const wl_umma_entry_t *e = &u->entry[u->fin];
  const wl_umma_engine_t *n = &u->engine;
  const bool shift = e->op == WL_UMMA_SHIFT, one = env->cfg.sub_cores == 1;
  const unsigned quarter = shift ? e->quarter : one ? n->pass : k;
  const wl_umma_row_elements_t *rows = u->fetch.a[n->a_get] + (shift || one ? 0 : WL_LANES * k);
  wl_umma_beat_t row = {.quarter = (uint8_t)quarter,
                        .beat = n->place_beat,
                        .column = (uint16_t)(e->column + n->place_word),
                        .mask = lanes_of(e) & wl_beat_lanes(&env->cfg, n->place_beat)};
  for (uint32_t left = row.mask; left != 0; left &= left - 1) {
    const unsigned lane = wl_lowest(left);
    row.data[lane] = word_of(e, rows[lane + shift], n->place_word);
  }
  return row;
}

/* ---- a cycle */
/* A row that is written in this cycle has left its drain by now. */
static bool can_place(const wl_umma_t *u, const wl_env_t *env) {
  const wl_umma_entry_t *e = &u->entry[u->fin];
  const wl_umma_engine_t *n = &u->engine;
  if (!e->used || (e->op != WL_UMMA_CP && e->op != WL_UMMA_SHIFT) || n->all_in) return false;
  if (u->fetch.a_state[n->a_get] != WL_UMMA_FULL) return false;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    if (n->pipe[k].draining) return false;
  return true;
}

void wl_umma_copy_update(wl_umma_t *u, const wl_env_t *env) {
  const wl_umma_entry_t *e = &u->entry[u->fin];
  wl_umma_engine_t *n = &u->engine;
  if (!can_place(u, env)) return;
  if (n->pass == 0 && n->place_word == 0 && n->place_beat == 0) wl_umma_record(env, e, 0);
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    if (e->op == WL_UMMA_SHIFT && env->cfg.sub_cores > 1 && k != e->quarter) continue;
    const wl_umma_beat_t row = row_of(u, env, k);
    wl_umma_drain(&n->pipe[k], &row);
  }
  if (++n->place_beat < env->cfg.beats) return;
  n->place_beat = 0;
  if (++n->place_word < words_of(e)) return;
  n->place_word = 0;
  wl_umma_end_pass(u, env);
}
