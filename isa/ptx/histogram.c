/* histogram.c: canonical spelling of instruction forms and their histogram over a module. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/ptx/ptx.h"

typedef struct text_buf {
  char *buf;
  size_t cap, len;
} text_buf_t;

static void put(text_buf_t *b, const char *dot, const char *s) {
  int n = snprintf(b->len < b->cap ? b->buf + b->len : NULL, b->len < b->cap ? b->cap - b->len : 0,
                   "%s%s", dot, s);
  if (n > 0) b->len += (size_t)n;
}

size_t wl_ptx_form_text(const wl_ptx_insn_t *insn, char *buf, size_t cap) {
  text_buf_t b = {buf, cap, 0};
  if (cap != 0) buf[0] = 0;
  put(&b, "", wl_ptx_op_name(insn->op));
  for (uint8_t i = 0; i <= insn->nmods; i++) {
    if (i == insn->space_at && insn->space != WL_PTX_SPACE_GENERIC) {
      if (insn->op == WL_PTX_OP_CP && insn->space == WL_PTX_SPACE_GLOBAL) put(&b, ".", "shared");
      put(&b, ".", wl_ptx_space_name(insn->space));
    }
    for (uint8_t t = 0; i == insn->types_at && t < insn->ntypes; t++) {
      put(&b, ".", wl_ptx_type_name(insn->type[t]));
    }
    if (i < insn->nmods) put(&b, ".", wl_ptx_mod_name(insn->mods[i]));
  }
  return b.len;
}

static int by_text(const void *a, const void *b) {
  return strcmp(((const wl_ptx_hist_row_t *)a)->form, ((const wl_ptx_hist_row_t *)b)->form);
}

static int by_count(const void *a, const void *b) {
  const wl_ptx_hist_row_t *x = a, *y = b;
  if (x->count != y->count) return x->count > y->count ? -1 : 1;
  return strcmp(x->form, y->form);
}

static char *form_copy(const wl_ptx_insn_t *insn) {
  char buf[256];
  size_t n = wl_ptx_form_text(insn, buf, sizeof buf);
  if (n >= sizeof buf) n = sizeof buf - 1;
  char *s = malloc(n + 1);
  if (s != NULL) memcpy(s, buf, n + 1);
  return s;
}

/* Sorted rows with one instruction each become one row per form. */
static void merge(wl_ptx_hist_t *h) {
  size_t out = 0;
  for (size_t i = 0; i < h->count; i++) {
    if (out > 0 && strcmp(h->rows[out - 1].form, h->rows[i].form) == 0) {
      h->rows[out - 1].count++;
      free(h->rows[i].form);
    } else {
      h->rows[out++] = h->rows[i];
    }
  }
  h->count = out;
}

int wl_ptx_histogram(const wl_ptx_module_t *m, wl_ptx_hist_t *out) {
  *out = (wl_ptx_hist_t){0};
  size_t total = 0;
  for (uint32_t f = 0; f < m->nfuncs; f++)
    total += m->funcs[f]->ninsns;
  out->rows = calloc(total + 1, sizeof *out->rows);
  if (out->rows == NULL) return -1;
  for (uint32_t f = 0; f < m->nfuncs; f++) {
    for (uint32_t i = 0; i < m->funcs[f]->ninsns; i++) {
      char *s = form_copy(&m->funcs[f]->insns[i]);
      if (s == NULL) {
        wl_ptx_histogram_free(out);
        return -1;
      }
      out->rows[out->count++] = (wl_ptx_hist_row_t){s, 1};
    }
  }
  out->total = total;
  if (out->count > 1) qsort(out->rows, out->count, sizeof *out->rows, by_text);
  merge(out);
  if (out->count > 1) qsort(out->rows, out->count, sizeof *out->rows, by_count);
  return 0;
}

void wl_ptx_histogram_free(wl_ptx_hist_t *h) {
  for (size_t i = 0; i < h->count; i++)
    free(h->rows[i].form);
  free(h->rows);
  *h = (wl_ptx_hist_t){0};
}
