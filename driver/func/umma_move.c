/* umma_move.c: copies from shared into tensor memory, and shifts of its lanes (docs/microarchitecture.md 26.7,
 * 26.8). */
#include <string.h>

#include "driver/func/umma.h"

enum { SHAPES = 6, ONE_LANE = 1 /* .4x256b */, COLUMNS = 8 /* of a shift */ };

static const struct {
  uint8_t rows, chunks;
} k_shapes[SHAPES] = {{128, 2}, {4, 2}, {128, 1}, {64, 1}, {64, 1}, {32, 1}};

static uint32_t columns_of(const umma_move_t *m) {
  return m->shift ? COLUMNS : 4u * k_shapes[m->shape].chunks;
}

/* The end of the source: of a copy of few rows it is below that of an operand. */
static uint32_t end_of(const umma_move_t *m) {
  const umma_operand_t *s = &m->source;
  const uint32_t rows = k_shapes[m->shape].rows, last = rows < 8 ? 0 : rows / 8 - 1;
  uint32_t y = s->start + ((rows < 8 ? rows : 8) - 1) * s->width + last * s->sbo;
  if (k_shapes[m->shape].chunks == 2) y += s->swizzle == 0 ? s->lbo : UMMA_CHUNK;
  return s->swizzle == 0 ? y + UMMA_CHUNK : (y / 128 + 1) * 128;
}

wl_trap_t umma_move_judge(const func_sm_t *sm, const func_warp_t *w, const umma_move_t *m,
                          uint64_t *address) {
  const uint32_t lane = m->t >> 16;
  if (!m->shift) {
    *address = m->unpack << 3 | m->shape;
    if (m->shape >= SHAPES || m->unpack == 3) return WL_TRAP_TENSOR_DESCRIPTOR;
    *address = m->source.descriptor;
    if (umma_reserved(&m->source)) return WL_TRAP_TENSOR_DESCRIPTOR;
    *address = (uint64_t)end_of(m) - 1;
    if (end_of(m) > sm->launch.smem_bytes) return WL_TRAP_TENSOR_DESCRIPTOR;
  }
  *address = m->t;
  const bool allowed = m->shift               ? lane % 32 == 0 && lane < UMMA_LANES
                       : m->shape == ONE_LANE ? lane < 32
                                              : lane == 0;
  if (!allowed) return WL_TRAP_TMEM_LANES;
  return umma_has_columns(sm, w, m->t & 0xffff, columns_of(m)) ? WL_TRAP_NONE : WL_TRAP_TMEM_RANGE;
}

/* ---- copies */
bool umma_move_row(const umma_move_t *m, uint32_t at, uint32_t *row) {
  const uint32_t quarter = at / 32, lane = at % 32;
  switch (m->shape) {
  case ONE_LANE:
    *row = quarter;
    return lane == (m->t >> 16 & 31);
  case 3:
    *row = 32 * (quarter % 2) + lane;
    return true;
  case 4:
    *row = 32 * (quarter / 2) + lane;
    return true;
  case 5:
    *row = lane;
    return true;
  default:
    *row = at;
    return true;
  }
}

uint32_t umma_move_width(const umma_move_t *m) { return k_shapes[m->shape].chunks; }

/* A chunk as it is written. */
static void unpack(uint32_t how, const uint8_t chunk[UMMA_CHUNK], uint8_t out[UMMA_CHUNK]) {
  memcpy(out, chunk, UMMA_CHUNK);
  for (uint32_t n = 0; how != 0 && n < UMMA_CHUNK; n++) {
    out[n] = (uint8_t)(how == 1 ? umma_in_chunk(chunk, 6, n) : umma_in_chunk(chunk, 4, n) << 2);
  }
}

static void copy(func_sm_t *sm, const umma_move_t *m, const uint8_t *smem) {
  for (uint32_t at = 0; at < UMMA_LANES; at++) {
    uint32_t row, number;
    if (!umma_move_row(m, at, &row)) continue;
    for (uint32_t j = 0; j < k_shapes[m->shape].chunks; j++) {
      uint8_t bytes[UMMA_CHUNK];
      unpack(m->unpack, smem + umma_chunk(&m->source, row, j * m->source.elements, &number), bytes);
      for (uint32_t w = 0; w < 4; w++) {
        memcpy(func_tmem_word(sm, at, (m->t & 0xffff) + 4 * j + w), bytes + 4 * w, 4);
      }
    }
  }
}

static void shift(func_sm_t *sm, const umma_move_t *m) {
  const uint32_t first = m->t >> 16;
  for (uint32_t c = m->t & 0xffff; c < (m->t & 0xffff) + COLUMNS; c++) {
    for (uint32_t lane = first; lane < first + 31; lane++) {
      *func_tmem_word(sm, lane, c) = *func_tmem_word(sm, lane + 1, c);
    }
  }
}

void umma_move(func_sm_t *sm, const umma_move_t *m, const uint8_t *smem) {
  if (m->shift) {
    shift(sm, m);
  } else {
    copy(sm, m, smem);
  }
}

void umma_move_chunks(const umma_move_t *m, void (*visit)(void *context, uint32_t offset),
                      void *context) {
  uint32_t number;
  for (uint32_t r = 0; !m->shift && r < k_shapes[m->shape].rows; r++) {
    for (uint32_t j = 0; j < k_shapes[m->shape].chunks; j++) {
      visit(context, umma_chunk(&m->source, r, j * m->source.elements, &number));
    }
  }
}
