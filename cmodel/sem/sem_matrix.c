/* Matrices between rows of shared memory and registers of a warp (docs/microarchitecture.md 10.1;
 * PTX 9.7.14.5.15, 16): where the bytes of a register stand. */
#include "cmodel/sem/sem.h"

unsigned wl_sem_matrix_pieces(wl_matrix_t kind) {
  switch (kind) {
  case WL_MATRIX_B16T:
    return 2;
  case WL_MATRIX_B8T:
  case WL_MATRIX_B6T:
  case WL_MATRIX_B4T:
  case WL_MATRIX_B8S:
    return 4;
  default:
    return 1;
  }
}

unsigned wl_sem_matrix_lanes_once(wl_matrix_t kind, unsigned lsu_lanes) {
  return kind == WL_MATRIX_B16 || lsu_lanes == WL_LANES ? lsu_lanes : 1;
}

wl_sem_place_t wl_sem_matrix_place(wl_matrix_t kind, unsigned lane, unsigned reg, unsigned piece) {
  const unsigned g = lane / 4, q = lane % 4;
  const unsigned byte = g + piece / 2 * 8; /* of a piece of one byte */
  switch (kind) {
  case WL_MATRIX_B16T:
    return (wl_sem_place_t){(uint8_t)(8 * reg + 2 * q + piece), (uint8_t)(2 * g)};
  case WL_MATRIX_B8T:
  case WL_MATRIX_B6T:
  case WL_MATRIX_B4T:
    return (wl_sem_place_t){(uint8_t)(reg / 2 * 16 + 4 * q + reg % 2 * 2 + piece % 2),
                            (uint8_t)byte};
  case WL_MATRIX_B8S:
    return (wl_sem_place_t){(uint8_t)(8 * reg + 2 * q + piece % 2), (uint8_t)byte};
  default:
    return (wl_sem_place_t){(uint8_t)(8 * reg + g), (uint8_t)(4 * q)};
  }
}

uint32_t wl_sem_matrix_piece(wl_matrix_t kind, uint32_t word, unsigned piece) {
  const unsigned pieces = wl_sem_matrix_pieces(kind), bits = 32 / pieces;
  return (uint32_t)(word >> piece * bits & ((UINT64_C(1) << bits) - 1));
}

/* Byte j of a row as memory has it, 6- and 4-bit elements each to a byte of their own. */
static uint32_t element(wl_matrix_t kind, const uint32_t row[4], unsigned j) {
  const unsigned bits = kind == WL_MATRIX_B6 || kind == WL_MATRIX_B6T   ? 6
                        : kind == WL_MATRIX_B4 || kind == WL_MATRIX_B4T ? 4
                                                                        : 8;
  const unsigned at = bits * j;
  const uint64_t pair = row[at / 32] | (uint64_t)row[at / 32 + (at / 32 < 3)] << 32;
  const uint32_t value = (uint32_t)(pair >> at % 32) & ((1U << bits) - 1);
  return bits == 4 ? value << 2 : value;
}

void wl_sem_matrix_load(const wl_matrix_facts_t *m, const uint32_t (*row)[WL_LANES],
                        uint32_t (*d)[WL_LANES]) {
  const wl_matrix_t kind = (wl_matrix_t)m->kind;
  const unsigned pieces = wl_sem_matrix_pieces(kind), bytes = 4 / pieces;
  for (unsigned reg = 0; reg < (unsigned)m->count * m->registers; reg++)
    for (unsigned lane = 0; lane < WL_LANES; lane++) {
      uint32_t word = 0;
      for (unsigned k = 0; k < 4; k++) {
        const wl_sem_place_t at = wl_sem_matrix_place(kind, lane, reg, k / bytes);
        const uint32_t words[4] = {row[0][at.lane], row[1][at.lane], row[2][at.lane],
                                   row[3][at.lane]};
        word |= element(kind, words, at.byte + k % bytes) << 8 * k;
      }
      d[reg][lane] = word;
    }
}
