/* matrix.c: ldmatrix, stmatrix, movmatrix [PTX 9.7.14.5.15-17]: all lanes of a warp come to one of them.
 * Which elements a lane has is read off PTX's figures of the fragments. */
#include <string.h>

#include "tests/oracle/product.h"

typedef struct warp {
  wl_or_grid_t *grid;
  wl_or_cta_t *cta;
  wl_or_thread_t *lane; /* the first of OR_LANES */
  const wl_or_insn_t *insn;
} warp_t;

/* An element of a fragment: register and place in it; matrix, row and column of the fragment. */
typedef struct element {
  unsigned lane, reg, at, bits, matrix, row, column;
} element_t;

static element_t element_of(const wl_or_insn_t *n, unsigned lane, unsigned reg, unsigned at) {
  const unsigned g = lane / 4, q = lane % 4;
  element_t e = {.lane = lane, .reg = reg, .at = at, .bits = n->bits == 16 ? 16 : 8};
  e.matrix = reg;
  e.row = g;
  e.column = n->bits == 16 ? 2 * q + at : 4 * q + at; /* figures 104, 106 */
  if (n->bits == 16 || !n->wrap) {
    return e;
  }
  e.row = g + at / 2 * 8; /* figures 105, 108 */
  e.column = 2 * q + at % 2;
  if (n->op == OR_LDMATRIX) {
    e.matrix = reg / 2;
    e.column = 4 * q + reg % 2 * 2 + at % 2;
  }
  return e;
}

static unsigned elements(const wl_or_insn_t *n) { return n->bits == 16 ? 2 : 4; }

/* Row of memory and place in it; .trans: the fragment is that of the transposed matrix. */
static void in_memory(const wl_or_insn_t *n, const element_t *e, unsigned *row, unsigned *place) {
  *row = n->wrap ? e->column : e->row;
  *place = n->wrap ? e->row : e->column;
}

static bool rows_of(const warp_t *w, uint8_t *rows[OR_LANES]) {
  const wl_or_insn_t *n = w->insn;
  for (unsigned i = 0; i < (unsigned)n->n * n->shift; i++) {
    const wl_or_ctx_t x = {w->grid, w->cta, &w->lane[i], n};
    const uint64_t address = w->lane[i].value[0] + (uint64_t)n->offset;
    bool global = false;
    rows[i] =
        wl_or_pointer(&x, (wl_or_space_t)n->space, address, 16, n->op == OR_STMATRIX, &global);
    if (rows[i] == NULL) {
      return false;
    }
    if (rows[i] < w->cta->shared || rows[i] >= w->cta->shared + w->cta->shared_bytes) {
      return wl_or_fail(&x, "a row of a matrix that is not in shared memory");
    }
  }
  return true;
}

/* Element `place` of a row: 16 bits, 8 bits, or 6 or 4 packed ones, which come to a byte each. */
static uint32_t read_element(const wl_or_insn_t *n, const uint8_t *row, unsigned place) {
  uint32_t v = 0;
  for (unsigned b = 0; b < n->bits; b++) {
    const unsigned at = n->bits * place + b;
    v |= (uint32_t)(row[at / 8] >> at % 8 & 1) << b;
  }
  return n->bits == 4 ? v << 2 : v;
}

static void load(const warp_t *w, uint8_t *const rows[OR_LANES]) {
  const wl_or_insn_t *n = w->insn;
  for (unsigned i = 0; i < OR_LANES * n->vec; i++) {
    uint64_t word = 0;
    for (unsigned at = 0; at < elements(n); at++) {
      const element_t e = element_of(n, i % OR_LANES, i / OR_LANES, at);
      unsigned row, place;
      in_memory(n, &e, &row, &place);
      word |= (uint64_t)read_element(n, rows[e.matrix * n->shift + row], place) << at * e.bits;
    }
    wl_or_put(&w->lane[i % OR_LANES], n->d[i / OR_LANES], word);
  }
}

static void store(const warp_t *w, uint8_t *const rows[OR_LANES]) {
  const wl_or_insn_t *n = w->insn;
  for (unsigned i = 0; i < OR_LANES * n->vec * elements(n); i++) {
    const unsigned at = i % elements(n), reg = i / elements(n) % n->vec;
    const element_t e = element_of(n, i / elements(n) / n->vec, reg, at);
    const uint64_t v = w->lane[e.lane].value[1 + reg] >> at * e.bits;
    unsigned row, place;
    in_memory(n, &e, &row, &place);
    memcpy(rows[e.matrix * n->shift + row] + place * (e.bits / 8), &v, e.bits / 8);
  }
}

static void transpose(const warp_t *w) {
  for (unsigned lane = 0; lane < OR_LANES; lane++) {
    uint64_t word = 0;
    for (unsigned at = 0; at < 2; at++) {
      const unsigned row = lane % 4 * 2 + at, column = lane / 4;
      word |= (w->lane[4 * row + column / 2].value[1] >> column % 2 * 16 & 0xffff) << at * 16;
    }
    wl_or_put(&w->lane[lane], w->insn->d[0], word);
  }
}

bool wl_or_matrix(wl_or_grid_t *g, wl_or_cta_t *cta, uint32_t warp) {
  wl_or_thread_t *first = &cta->threads[warp * OR_LANES];
  const warp_t w = {g, cta, first, first->wait};
  uint8_t *rows[OR_LANES];
  if (w.insn->op == OR_MMA) {
    wl_or_product(first);
  } else if (w.insn->op >= OR_WMMA_LOAD) {
    if (!wl_or_fragment(g, cta, first)) {
      return false;
    }
  } else if (w.insn->op == OR_MOVMATRIX) {
    transpose(&w);
  } else if (!rows_of(&w, rows)) {
    return false;
  } else if (w.insn->op == OR_LDMATRIX) {
    load(&w, rows);
  } else {
    store(&w, rows);
  }
  for (unsigned lane = 0; lane < OR_LANES; lane++) {
    first[lane].state = OR_READY;
  }
  return true;
}
