/* compare.c: comparison of the arrays in place and of device memory. docs/lockstep.md
 * The scrub finds what bypassed the journalled write ports within a bound, the full compare in the
 * same cycle. */
#include <stdio.h>
#include <string.h>

#include "driver/backend.h"
#include "driver/lockstep/cosim.h"

static bool same_word(const wl_cosim_t *c, unsigned view, unsigned slice, unsigned row,
                      wl_view_difference_t *d) {
  const wl_view_t *a = &c->view[0][view], *b = &c->view[1][view];
  const uint32_t x = a->base[slice][row * a->stride], y = b->base[slice][row * b->stride];
  if (x == y) return true;
  *d = (wl_view_difference_t){view, slice, row, {x, y}};
  return false;
}

/* A column of one slice. The loop has no exit, so that it can be vectorised. */
static bool same_column(const uint32_t *a, size_t a_stride, const uint32_t *b, size_t b_stride,
                        unsigned rows) {
  uint32_t different = 0;
  for (size_t r = 0; r < rows; r++)
    different |= a[r * a_stride] ^ b[r * b_stride];
  return different == 0;
}

bool wl_cosim_compare_arrays(wl_cosim_t *c, const char *how, wl_cosim_report_t *report) {
  wl_view_difference_t d;
  if (!c->any_registered) return true;
  c->full_compares++;
  for (unsigned v = 0; v < WL_NUM_VIEWS; v++) {
    const wl_view_t *a = &c->view[0][v], *b = &c->view[1][v];
    for (unsigned s = 0; c->registered[v] && s < a->slices; s++) {
      if (same_column(a->base[s], a->stride, b->base[s], b->stride, a->rows)) continue;
      for (unsigned r = 0; r < a->rows; r++) {
        if (same_word(c, v, s, r, &d)) continue;
        wl_report_view(c, &d, how, report);
        return false;
      }
    }
  }
  return true;
}

/* To the next word of the registered arrays, round robin. */
static void advance(wl_cosim_t *c) {
  const wl_view_t *v = &c->view[0][c->scrub_view];
  if (++c->scrub_row < v->rows) return;
  c->scrub_row = 0;
  if (++c->scrub_slice < v->slices) return;
  c->scrub_slice = 0;
  do {
    if (++c->scrub_view < WL_NUM_VIEWS) continue;
    c->scrub_view = 0;
    c->scrub_rounds++;
  } while (!c->registered[c->scrub_view]);
}

bool wl_cosim_scrub(wl_cosim_t *c, wl_cosim_report_t *report) {
  wl_view_difference_t d;
  if (!c->any_registered) return true;
  if (!c->registered[c->scrub_view]) {
    c->scrub_row = c->view[0][c->scrub_view].rows - 1;
    c->scrub_slice = c->view[0][c->scrub_view].slices - 1;
    advance(c);
  }
  for (unsigned i = 0; i < WL_SCRUB_WORDS; i++) {
    if (!same_word(c, c->scrub_view, c->scrub_slice, c->scrub_row, &d)) {
      wl_report_view(c, &d, "scrub", report);
      return false;
    }
    advance(c);
  }
  c->scrubbed_words += WL_SCRUB_WORDS;
  return true;
}

/* The bytes from i on are not all the same. */
static void report_memory(const wl_cosim_t *c, uint64_t i, const char *when,
                          wl_cosim_report_t *report) {
  while (c->mem[0][i] == c->mem[1][i])
    i++;
  wl_report_clear(c, report);
  snprintf(report->text, sizeof report->text,
           "DIVERGENCE at %s: device memory at 0x%llx: %s %02x, %s %02x\n", when,
           (unsigned long long)(WL_MEM_BASE + i), c->name[0], c->mem[0][i], c->name[1],
           c->mem[1][i]);
}

bool wl_cosim_compare_written(wl_cosim_t *c, wl_cosim_report_t *report) {
  const uint64_t i = c->wrote - WL_MEM_BASE;
  char when[40];
  if (c->wrote == 0) return true;
  c->wrote = 0;
  if (memcmp(c->mem[0] + i, c->mem[1] + i, 32) == 0) return true;
  snprintf(when, sizeof when, "cycle %llu", (unsigned long long)c->cycle);
  report_memory(c, i, when, report);
  return false;
}

bool wl_cosim_compare_memory(wl_cosim_t *c, wl_cosim_report_t *report) {
  for (uint64_t i = 0; i < c->mem_bytes; i += 4096) {
    const uint64_t n = c->mem_bytes - i < 4096 ? c->mem_bytes - i : 4096;
    if (memcmp(c->mem[0] + i, c->mem[1] + i, n) == 0) continue;
    report_memory(c, i, "the end", report);
    return false;
  }
  return true;
}
