/* arrays.c: copies of registers, predicates, shared memory, exchange buffer and tensor memory (fpga.h): slices and
 * rows of isa/def/state.def, as POKE and PEEK number them. docs/fpga.md 6. */
#include <stdlib.h>
#include <string.h>

#include "driver/fpga/fpga.h"

_Static_assert((int)WL_VIEW_RF == (int)WL_LINK_ARRAY_RF &&
                   (int)WL_VIEW_PRED == (int)WL_LINK_ARRAY_PRED &&
                   (int)WL_VIEW_SMEM == (int)WL_LINK_ARRAY_SMEM &&
                   (int)WL_VIEW_XBUF == (int)WL_LINK_ARRAY_XBUF &&
                   (int)WL_VIEW_TMEM == (int)WL_LINK_ARRAY_TMEM &&
                   (int)WL_NUM_VIEWS == (int)WL_LINK_ARRAY_LIMIT,
               "arrays are numbered alike on both sides of the link");

bool wl_arrays_open(wl_arrays_t *a, const wl_config_t *config) {
  bool ok = true;
  memset(a, 0, sizeof *a);
  for (unsigned v = 0; v < WL_NUM_VIEWS; v++) {
    wl_view_sizes(config, v, &a->size[v]);
    a->words[v] = calloc((size_t)a->size[v].slices * a->size[v].rows, sizeof *a->words[v]);
    ok = ok && a->words[v] != NULL;
  }
  return ok;
}

void wl_arrays_close(wl_arrays_t *a) {
  for (unsigned v = 0; v < WL_NUM_VIEWS; v++)
    free(a->words[v]);
  memset(a, 0, sizeof *a);
}

bool wl_arrays_peek(wl_arrays_t *a, wl_link_t *link) {
  for (unsigned v = 0; v < WL_NUM_VIEWS; v++)
    for (unsigned s = 0; s < a->size[v].slices; s++)
      if (!wl_board_peek(link, (wl_link_array_t)v, s, 0, wl_arrays_word(a, v, s, 0),
                         a->size[v].rows))
        return false;
  return true;
}

bool wl_arrays_poke(const wl_arrays_t *a, wl_link_t *link) {
  for (unsigned v = 0; v < WL_NUM_VIEWS; v++)
    for (unsigned s = 0; s < a->size[v].slices; s++)
      if (!wl_board_poke(link, (wl_link_array_t)v, s, 0, wl_arrays_word(a, v, s, 0),
                         a->size[v].rows))
        return false;
  return true;
}

void wl_arrays_copy(wl_arrays_t *a, const wl_cosim_t *cosim) {
  for (unsigned v = 0; v < WL_NUM_VIEWS; v++) {
    const wl_cosim_view_t *from = wl_cosim_reference_view(cosim, (wl_view_id_t)v);
    for (unsigned s = 0; s < from->slices; s++)
      for (unsigned r = 0; r < from->rows; r++)
        *wl_arrays_word(a, v, s, r) = from->base[s][r * from->stride];
  }
}

void wl_arrays_next(const wl_arrays_t *a, wl_array_place_t *at) {
  if (++at->row < a->size[at->view].rows) return;
  at->row = 0;
  if (++at->slice < a->size[at->view].slices) return;
  at->slice = 0;
  at->view++;
}

bool wl_arrays_differ(const wl_arrays_t *a, const wl_arrays_t *b, wl_array_place_t *at) {
  for (; at->view < WL_NUM_VIEWS; wl_arrays_next(a, at))
    if (a->size[at->view].slices != 0 && *wl_arrays_word(a, at->view, at->slice, at->row) !=
                                             *wl_arrays_word(b, at->view, at->slice, at->row))
      return true;
  return false;
}
