/* module.c: a parsed module and its device memory: allocations with gaps between them, so that an
 * access outside of all is an error; .global and .const variables with their initialisers
 * [PTX 5.4.4]. Bytes without initialiser are zero in variables; buffers are written by the user. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/ptx/ptx.h"
#include "tests/oracle/module.h"

enum { GAP = 4096 };

static wl_or_block_t *add_block(wl_or_module_t *m, size_t size) {
  if (m->nblocks == m->cap) {
    size_t cap = m->cap == 0 ? 16 : 2 * m->cap;
    wl_or_block_t *more = realloc(m->blocks, cap * sizeof *more);
    if (more == NULL) {
      return NULL;
    }
    m->blocks = more;
    m->cap = cap;
  }
  uint8_t *data = calloc(size, 1);
  if (data == NULL) {
    return NULL;
  }
  wl_or_block_t *b = &m->blocks[m->nblocks++];
  *b = (wl_or_block_t){.address = m->next, .size = size, .data = data};
  m->next += (size + 2 * GAP - 1) / GAP * GAP;
  return b;
}

uint64_t wl_or_alloc(wl_or_module_t *m, size_t size) {
  const wl_or_block_t *b = size != 0 ? add_block(m, size) : NULL;
  return b != NULL ? b->address : 0;
}

void wl_or_skip(wl_or_module_t *m, uint64_t bytes) { m->next += bytes; }

wl_or_block_t *wl_or_find(wl_or_module_t *m, uint64_t address, size_t size) {
  for (size_t i = 0; i <= m->nblocks; i++) {
    size_t at = i == 0 ? m->last : i - 1;
    if (at < m->nblocks) {
      wl_or_block_t *b = &m->blocks[at];
      uint64_t offset = address - b->address;
      if (offset < b->size && size <= b->size - offset) {
        m->last = at;
        return b;
      }
    }
  }
  return NULL;
}

bool wl_or_write(wl_or_module_t *m, uint64_t address, const void *data, size_t size) {
  wl_or_block_t *b = wl_or_find(m, address, size);
  if (b != NULL) {
    memcpy(b->data + (address - b->address), data, size);
  }
  return b != NULL;
}

bool wl_or_read(wl_or_module_t *m, uint64_t address, void *data, size_t size) {
  const wl_or_block_t *b = wl_or_find(m, address, size);
  if (b != NULL) {
    memcpy(data, b->data + (address - b->address), size);
  }
  return b != NULL;
}

/* ---- variables ---- */
static bool place(wl_or_module_t *m, const wl_ptx_var_t *v) {
  if ((v->space != WL_PTX_SPACE_GLOBAL && v->space != WL_PTX_SPACE_CONST) || v->size == 0) {
    return true;
  }
  wl_or_block_t *b = add_block(m, v->size);
  if (b == NULL) {
    return false;
  }
  b->is_const = v->space == WL_PTX_SPACE_CONST;
  if (v->init != NULL) {
    memcpy(b->data, v->init, v->size);
  }
  m->vars[m->nvars++] = (wl_or_placed_t){v, b->address};
  return true;
}

static bool place_all(wl_or_module_t *m) {
  const wl_ptx_module_t *ptx = m->ptx;
  size_t most = ptx->nvars;
  for (uint32_t i = 0; i < ptx->nfuncs; i++) {
    most += ptx->funcs[i]->nvars;
  }
  m->vars = calloc(most + 1, sizeof *m->vars);
  bool ok = m->vars != NULL;
  for (uint32_t i = 0; ok && i < ptx->nvars; i++) {
    ok = place(m, ptx->vars[i]);
  }
  for (uint32_t i = 0; ok && i < ptx->nfuncs; i++) {
    for (uint32_t k = 0; ok && k < ptx->funcs[i]->nvars; k++) {
      ok = place(m, ptx->funcs[i]->vars[k]);
    }
  }
  return ok;
}

static bool relocate(wl_or_module_t *m, const wl_or_placed_t *at, const wl_ptx_reloc_t *r) {
  uint64_t value = 0;
  bool found = r->func != NULL;
  if (found) {
    value = OR_CODE_BASE + (uint64_t)r->func->id * OR_CODE_STEP;
  }
  for (size_t i = 0; !found && i < m->nvars; i++) {
    found = m->vars[i].var == r->var;
    value = found ? m->vars[i].at : 0;
  }
  value = (value + (uint64_t)r->addend) >> r->shift;
  return found && r->size <= 8 && wl_or_write(m, at->at + r->offset, &value, r->size);
}

static bool relocate_all(wl_or_module_t *m) {
  for (size_t i = 0; i < m->nvars; i++) {
    for (uint32_t k = 0; k < m->vars[i].var->nrelocs; k++) {
      if (!relocate(m, &m->vars[i], &m->vars[i].var->relocs[k])) {
        return false;
      }
    }
  }
  return true;
}

/* ---- module ---- */
static bool parse(wl_or_module_t *m, size_t size, char *error, size_t cap) {
  wl_diag_list_t diags;
  wl_diag_init(&diags);
  wl_diag_set_source(&diags, m->name, m->text, size);
  bool ok = wl_ptx_parse(m->name, m->text, size, &diags, &m->ptx) == 0;
  if (!ok) {
    char *all = wl_diag_format_all(&diags);
    (void)snprintf(error, cap, "%s", all != NULL ? all : "out of memory");
    free(all);
  }
  wl_diag_free(&diags);
  return ok;
}

wl_or_module_t *wl_or_load(const char *name, const char *text, size_t size, char *error,
                           size_t cap) {
  return wl_or_load_at(0, name, text, size, error, cap);
}

wl_or_module_t *wl_or_load_at(uint64_t skip, const char *name, const char *text, size_t size,
                              char *error, size_t cap) {
  wl_or_module_t *m = calloc(1, sizeof *m);
  size_t length = strlen(name);
  if (m == NULL) {
    (void)snprintf(error, cap, "out of memory");
    return NULL;
  }
  m->next = OR_GLOBAL_BASE + skip;
  m->name = calloc(length + 1, 1);
  m->text = calloc(size + 1, 1);
  bool ok = m->name != NULL && m->text != NULL;
  if (ok) {
    memcpy(m->name, name, length);
    memcpy(m->text, text, size);
    (void)snprintf(error, cap, "%s: a variable's initialiser or size", name);
    ok = parse(m, size, error, cap) && place_all(m) && relocate_all(m);
  }
  if (!ok) {
    wl_or_close(m);
    return NULL;
  }
  error[0] = 0;
  return m;
}

void wl_or_close(wl_or_module_t *m) {
  if (m == NULL) {
    return;
  }
  if (m->ptx != NULL) {
    wl_ptx_module_free(m->ptx);
  }
  for (size_t i = 0; i < m->nblocks; i++) {
    free(m->blocks[i].data);
  }
  free(m->blocks);
  free(m->vars);
  free(m->name);
  free(m->text);
  free(m);
}
