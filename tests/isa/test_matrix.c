/* Registers of matrices and their pieces against the maps of tests/common/matrix_layout.h. */
#include <string.h>

#include "cmodel/sem/sem.h"
#include "tests/common/matrix_layout.h"
#include "tests/isa/check.h"

static void load(check_t *c, const wl_form_info_t *f) {
  const wl_matrix_t kind = (wl_matrix_t)f->matrix.kind;
  uint32_t row[4][WL_LANES], d[4][WL_LANES];
  for (unsigned k = 0; k < 4; k++)
    for (unsigned lane = 0; lane < WL_LANES; lane++)
      row[k][lane] = (uint32_t)check_random(c);
  wl_sem_matrix_load(&f->matrix, (const uint32_t (*)[WL_LANES])row, d);
  for (unsigned i = 0; i < f->d * WL_LANES * 4u; i++) {
    const unsigned r = i / 128, lane = i / 4 % 32, k = i % 4;
    const matrix_place_t at = matrix_place(kind, lane, r, k);
    uint8_t bytes[16];
    for (unsigned b = 0; b < 16; b++)
      bytes[b] = (uint8_t)(row[b / 4][at.lane] >> b % 4 * 8);
    if (!check_equal(c, d[r][lane] >> 8 * k & 0xff, matrix_element(kind, bytes, at.byte)) &&
        check_print(c))
      printf("%s: register %u lane %u byte %u\n", f->name, r, lane, k);
  }
}

/* Each byte of a register is in one piece, and where that stands is where the map has it. */
static void store(check_t *c, const wl_form_info_t *f) {
  const wl_matrix_t kind = (wl_matrix_t)f->matrix.kind;
  const unsigned bytes = 4 / wl_sem_matrix_pieces(kind);
  for (unsigned i = 0; i < f->b * WL_LANES * 4u; i++) {
    const unsigned r = i / 128, lane = i / 4 % 32, k = i % 4;
    const matrix_place_t want = matrix_place(kind, lane, r, k);
    const wl_sem_place_t at = wl_sem_matrix_place(kind, lane, r, k / bytes);
    const uint32_t word = (uint32_t)check_random(c);
    const uint32_t piece = wl_sem_matrix_piece(kind, word, k / bytes);
    bool ok = check_equal(c, at.lane, want.lane);
    ok &= check_equal(c, at.byte + k % bytes, want.byte);
    ok &= check_equal(c, piece >> 8 * (k % bytes) & 0xff, word >> 8 * k & 0xff);
    ok &= check_equal(c, bytes == 4 ? 0 : piece >> 8 * bytes, 0);
    if (!ok && check_print(c)) printf("%s: register %u lane %u byte %u\n", f->name, r, lane, k);
  }
}

/* Half h of lane 4 row + column / 2 is element (row, column). */
static void transpose(check_t *c) {
  uint32_t a[WL_LANES], d[WL_LANES];
  wl_insn_dec_t dec = {
      .info = &wl_form_info[WL_FORM_MOVMATRIX], .unit = WL_UNIT_SYNC, .op = WL_SYNC_MOVM};
  const wl_sem_in_t in = {.a = a, .mask = UINT32_MAX};
  wl_sem_out_t out = {.d = d};
  for (unsigned lane = 0; lane < WL_LANES; lane++)
    a[lane] = (uint32_t)check_random(c);
  wl_sem_warp(&dec, &in, &out);
  for (unsigned row = 0; row < 8; row++)
    for (unsigned column = 0; column < 8; column++) {
      const uint32_t to = d[4 * row + column / 2] >> column % 2 * 16;
      const uint32_t from = a[4 * column + row / 2] >> row % 2 * 16;
      if (!check_equal(c, to & 0xffff, from & 0xffff) && check_print(c))
        printf("movmatrix: row %u column %u\n", row, column);
    }
}

int main(void) {
  check_t c = {.state = 40};
  for (unsigned form = 0; form < WL_NUM_FORMS; form++) {
    const wl_form_info_t *f = &wl_form_info[form];
    if (f->matrix.count == 0) continue;
    for (unsigned n = 0; n < 20; n++) {
      if (f->kind == WL_MEM_KIND_LDMATRIX)
        load(&c, f);
      else
        store(&c, f);
    }
  }
  for (unsigned n = 0; n < 20; n++)
    transpose(&c);
  return check_done(&c, "matrices");
}
