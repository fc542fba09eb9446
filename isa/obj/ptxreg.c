/* ptxreg.c: the table of PTX registers of a module: builder, checks, file form. See ptxreg.h. */
#include "isa/obj/ptxreg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/obj/object.h"

enum { NAME_MAX_BYTES = 4352 }; /* WL_LIM_IDENT and a suffix */

uint32_t wl_obj_add_ptxreg_name(wl_obj_t *o, const char *name) {
  wl_obj_ptxregs_t *t = &o->ptxregs;
  char *copy = wl_obj_copy_text(o, name, strlen(name));
  char **names = wl_obj_grow(o, t->name, t->names, &t->name_cap, sizeof *names, WL_OBJ_MAX_COUNT);
  if (names == NULL) {
    free(copy);
    return WL_OBJ_NONE;
  }
  t->name = names;
  t->name[t->names] = copy;
  return t->names++;
}

void wl_obj_add_ptxreg(wl_obj_t *o, const wl_obj_ptxreg_t *row) {
  wl_obj_ptxregs_t *t = &o->ptxregs;
  wl_obj_ptxreg_t *rows =
      wl_obj_grow(o, t->row, t->rows, &t->row_cap, sizeof *rows, WL_OBJ_MAX_COUNT);
  if (rows == NULL) return;
  t->row = rows;
  t->row[t->rows++] = *row;
}

void wl_obj_free_ptxregs(wl_obj_ptxregs_t *t) {
  for (uint32_t i = 0; i < t->names; i++)
    free(t->name[i]);
  free(t->name);
  free(t->row);
}

const wl_obj_ptxreg_t *wl_obj_find_ptxreg(const wl_obj_t *o, uint32_t pc, uint32_t *count) {
  const wl_obj_ptxregs_t *t = &o->ptxregs;
  uint32_t low = 0, high = t->rows; /* the first row that ends behind pc */
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (t->row[middle].to <= pc)
      low = middle + 1;
    else
      high = middle;
  }
  *count = 0;
  if (low == t->rows || t->row[low].from > pc) return NULL;
  while (low + *count < t->rows && t->row[low + *count].from == t->row[low].from)
    (*count)++;
  return &t->row[low];
}

static bool row_is_right(const wl_obj_t *o, uint32_t i) {
  const wl_obj_ptxregs_t *t = &o->ptxregs;
  const wl_obj_ptxreg_t *r = &t->row[i];
  if (r->from >= r->to || r->to > o->code_count || r->name >= t->names) return false;
  if (i != 0 && !(r->from >= t->row[i - 1].to ||
                  (r->from == t->row[i - 1].from && r->to == t->row[i - 1].to)))
    return false;
  if (r->kind == WL_OBJ_PTXREG_PRED) return r->place < 7 && r->words == 0 && r->bits == 1;
  if (r->kind == WL_OBJ_PTXREG_SEVERAL || r->kind == WL_OBJ_PTXREG_FRAME)
    return r->place == 0 && r->words == 0 && r->bits == 0;
  return r->kind == WL_OBJ_PTXREG_REG && (r->words == 1 || r->words == 2 || r->words == 4) &&
         r->place + r->words <= 255 && r->bits != 0 && r->bits <= 32 * r->words;
}

const char *wl_obj_verify_ptxregs(const wl_obj_t *o, char *buf, size_t cap) {
  for (uint32_t i = 0; i < o->ptxregs.rows; i++) {
    if (row_is_right(o, i)) continue;
    (void)snprintf(buf, cap, "PTX register table row %u", i);
    return buf;
  }
  return NULL;
}

void wl_obj_write_ptxregs(const wl_obj_ptxregs_t *t, wl_bytes_t *out, wl_bytes_t *strings) {
  if (t->rows == 0) return;
  wl_bytes_u32(out, WL_OBJ_PTXREG_VERSION);
  wl_bytes_u32(out, t->names);
  wl_bytes_u32(out, t->rows);
  for (uint32_t i = 0; i < t->names; i++) {
    wl_bytes_u32(out, (uint32_t)strings->size);
    wl_bytes_put(strings, t->name[i], strlen(t->name[i]) + 1);
  }
  for (uint32_t i = 0; i < t->rows; i++) {
    const wl_obj_ptxreg_t *r = &t->row[i];
    wl_bytes_u32(out, r->from);
    wl_bytes_u32(out, r->to);
    wl_bytes_u32(out, r->name);
    wl_bytes_u32(out, r->kind | (uint32_t)r->place << 8 | (uint32_t)r->words << 16 |
                          (uint32_t)r->bits << 24);
  }
}

static uint32_t word(const uint8_t *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool read_names(wl_obj_t *o, const uint8_t *data, uint32_t names, const uint8_t *strings,
                       size_t size) {
  for (uint32_t i = 0; i < names; i++) {
    const uint32_t at = word(data + 4 * (size_t)i);
    if (at >= size) return false;
    /* Bounded, so that a damaged file cannot ask for the whole string table once per name. */
    const size_t most = size - at < NAME_MAX_BYTES ? size - at : NAME_MAX_BYTES;
    if (memchr(strings + at, 0, most) == NULL) return false;
    if (wl_obj_add_ptxreg_name(o, (const char *)strings + at) == WL_OBJ_NONE) return false;
  }
  return true;
}

bool wl_obj_read_ptxregs(wl_obj_t *o, const uint8_t *data, size_t size, const uint8_t *strings,
                         size_t strings_size, char *err, size_t cap) {
  if (size == 0) return true;
  const uint32_t version = size >= 4 ? word(data) : 0;
  if (version != WL_OBJ_PTXREG_VERSION) {
    (void)snprintf(err, cap, "PTX register table of version %u, this build reads %u", version,
                   WL_OBJ_PTXREG_VERSION);
    return false;
  }
  const uint64_t names = size >= WL_OBJ_PTXREG_HEAD ? word(data + 4) : 0;
  const uint64_t rows = size >= WL_OBJ_PTXREG_HEAD ? word(data + 8) : 0;
  (void)snprintf(err, cap, "damaged object: PTX register table");
  if (size < WL_OBJ_PTXREG_HEAD ||
      size != WL_OBJ_PTXREG_HEAD + 4 * names + WL_OBJ_PTXREG_ROW * rows ||
      !read_names(o, data + WL_OBJ_PTXREG_HEAD, (uint32_t)names, strings, strings_size))
    return false;
  const uint8_t *p = data + WL_OBJ_PTXREG_HEAD + 4 * names;
  for (uint64_t i = 0; i < rows; i++, p += WL_OBJ_PTXREG_ROW)
    wl_obj_add_ptxreg(
        o, &(wl_obj_ptxreg_t){word(p), word(p + 4), word(p + 8), p[12], p[13], p[14], p[15]});
  return !o->failed;
}
