/* object.c: the in-memory module and its builder (object.h; docs/architecture.md 2).
 * Deliberately knows nothing of files: elf_write.c and elf_read.c; checks are in verify.c. */
#include "isa/obj/object.h"

#include <stdlib.h>
#include <string.h>

#include "isa/obj/isa_id.h"

static const struct {
  const char *name;
  uint8_t bytes;
} type_table[WL_OBJ_TYPES] = {
    [WL_OBJ_U8] = {"u8", 1},       [WL_OBJ_U16] = {"u16", 2}, [WL_OBJ_U32] = {"u32", 4},
    [WL_OBJ_U64] = {"u64", 8},     [WL_OBJ_S8] = {"s8", 1},   [WL_OBJ_S16] = {"s16", 2},
    [WL_OBJ_S32] = {"s32", 4},     [WL_OBJ_S64] = {"s64", 8}, [WL_OBJ_B8] = {"b8", 1},
    [WL_OBJ_B16] = {"b16", 2},     [WL_OBJ_B32] = {"b32", 4}, [WL_OBJ_B64] = {"b64", 8},
    [WL_OBJ_F16] = {"f16", 2},     [WL_OBJ_F32] = {"f32", 4}, [WL_OBJ_F64] = {"f64", 8},
    [WL_OBJ_BYTES] = {"bytes", 0},
};

const char *wl_obj_type_name(wl_obj_type_t type) {
  return (unsigned)type < WL_OBJ_TYPES ? type_table[type].name : "?";
}

uint32_t wl_obj_type_bytes(wl_obj_type_t type) {
  return (unsigned)type < WL_OBJ_TYPES ? type_table[type].bytes : 0;
}

bool wl_obj_type_find(const char *name, wl_obj_type_t *out) {
  for (unsigned i = 0; i < WL_OBJ_TYPES; i++) {
    if (strcmp(type_table[i].name, name) == 0) {
      *out = (wl_obj_type_t)i;
      return true;
    }
  }
  return false;
}

wl_obj_t *wl_obj_new(void) {
  wl_obj_t *o = calloc(1, sizeof *o);
  if (o != NULL) {
    o->isa_hash = wl_obj_isa_hash();
    for (int i = 0; i < WL_OBJ_IMAGES; i++) {
      o->image[i].align = 64;
    }
  }
  return o;
}

void wl_obj_free(wl_obj_t *o) {
  if (o == NULL) {
    return;
  }
  for (uint32_t i = 0; i < o->sym_count; i++) {
    free(o->syms[i].name);
  }
  for (uint32_t i = 0; i < o->entry_count; i++) {
    for (uint32_t p = 0; p < o->entries[i].param_count; p++) {
      free(o->entries[i].params[p].name);
    }
    free(o->entries[i].params);
    free(o->entries[i].name);
  }
  for (uint32_t i = 0; i < o->file_count; i++) {
    free(o->files[i]);
  }
  for (uint32_t i = 0; i < o->refusal_count; i++) {
    free(o->refusals[i].clause);
    free(o->refusals[i].text);
  }
  for (int i = 0; i < WL_OBJ_IMAGES; i++) {
    free(o->image[i].data);
  }
  free(o->refusals);
  free(o->code);
  free(o->syms);
  free(o->relocs);
  free(o->entries);
  free(o->lines);
  free(o->marks);
  free(o->files);
  wl_obj_free_ptxregs(&o->ptxregs);
  free(o->ptx_name);
  free(o->ptx_text);
  free(o);
}

void *wl_obj_grow(wl_obj_t *o, void *array, uint32_t count, uint32_t *cap, size_t elem,
                  uint32_t limit) {
  if (o->failed || count >= limit) {
    o->failed = true;
    return NULL;
  }
  if (count == *cap) {
    uint32_t wanted = *cap == 0 ? 8 : *cap * 2;
    void *bigger = realloc(array, wanted * elem);
    if (bigger == NULL) {
      o->failed = true;
      return NULL;
    }
    array = bigger;
    *cap = wanted;
  }
  memset((char *)array + count * elem, 0, elem);
  return array;
}

char *wl_obj_copy_text(wl_obj_t *o, const char *text, size_t bytes) {
  char *copy = malloc(bytes + 1);
  if (copy == NULL) {
    o->failed = true;
    return NULL;
  }
  if (bytes != 0) {
    memcpy(copy, text, bytes);
  }
  copy[bytes] = 0;
  return copy;
}

uint32_t wl_obj_add_insn(wl_obj_t *o, const uint32_t w[4]) {
  wl_obj_insn_t *code =
      wl_obj_grow(o, o->code, o->code_count, &o->code_cap, sizeof *code, WL_OBJ_MAX_CODE);
  if (code == NULL) {
    return WL_OBJ_NONE;
  }
  o->code = code;
  memcpy(code[o->code_count].w, w, sizeof code->w);
  return o->code_count++;
}

static bool is_pow2(uint32_t v) { return v != 0 && (v & (v - 1)) == 0; }

static uint64_t image_limit(wl_obj_image_id_t id) {
  return id == WL_OBJ_C1 ? WL_OBJ_MAX_C1 : id == WL_OBJ_C2 ? WL_OBJ_MAX_C2 : WL_OBJ_MAX_GLOBAL;
}

uint32_t wl_obj_add_data(wl_obj_t *o, wl_obj_image_id_t id, const void *bytes, size_t size,
                         uint32_t align) {
  wl_obj_image_t *image = &o->image[id];
  uint64_t at = (image->bytes + align - 1) & ~(uint64_t)(align - 1);
  if (o->failed || !is_pow2(align) || align > 65536 || size > UINT32_MAX ||
      at + size > image_limit(id) || at + size > UINT32_MAX) {
    o->failed = true;
    return WL_OBJ_NONE;
  }
  uint8_t *data = realloc(image->data, (size_t)(at + size) + 1);
  if (data == NULL) {
    o->failed = true;
    return WL_OBJ_NONE;
  }
  memset(data + image->data_bytes, 0, (size_t)(at + size) - image->data_bytes);
  if (bytes != NULL && size != 0) {
    memcpy(data + at, bytes, size);
  }
  image->data = data;
  image->data_bytes = (size_t)(at + size);
  image->bytes = at + size;
  image->align = align > image->align ? align : image->align;
  return (uint32_t)at;
}

uint64_t wl_obj_add_zero(wl_obj_t *o, uint64_t size, uint32_t align) {
  wl_obj_image_t *image = &o->image[WL_OBJ_GLOBAL];
  uint64_t at = (image->bytes + align - 1) & ~(uint64_t)(align - 1);
  if (o->failed || !is_pow2(align) || align > 65536 || size > WL_OBJ_MAX_GLOBAL ||
      at + size > WL_OBJ_MAX_GLOBAL) {
    o->failed = true;
    return UINT64_MAX;
  }
  image->bytes = at + size;
  image->align = align > image->align ? align : image->align;
  return at;
}

uint32_t wl_obj_add_sym(wl_obj_t *o, const char *name, wl_obj_sym_kind_t kind, bool visible,
                        uint64_t value, uint64_t size) {
  char *copy = wl_obj_copy_text(o, name, strlen(name));
  wl_obj_sym_t *syms =
      wl_obj_grow(o, o->syms, o->sym_count, &o->sym_cap, sizeof *syms, WL_OBJ_MAX_COUNT);
  if (syms == NULL) {
    free(copy);
    return WL_OBJ_NONE;
  }
  o->syms = syms;
  syms[o->sym_count] = (wl_obj_sym_t){copy, kind, visible, value, size};
  return o->sym_count++;
}

uint32_t wl_obj_find_sym(const wl_obj_t *o, const char *name, wl_obj_sym_kind_t kind) {
  for (uint32_t i = 0; i < o->sym_count; i++) {
    if (o->syms[i].kind == kind && strcmp(o->syms[i].name, name) == 0) {
      return i;
    }
  }
  return WL_OBJ_NONE;
}

uint32_t wl_obj_add_reloc(wl_obj_t *o, wl_obj_image_id_t image, uint64_t offset,
                          wl_obj_reloc_kind_t kind, uint32_t symbol, int64_t addend) {
  wl_obj_reloc_t *relocs =
      wl_obj_grow(o, o->relocs, o->reloc_count, &o->reloc_cap, sizeof *relocs, WL_OBJ_MAX_COUNT);
  if (relocs == NULL) {
    return WL_OBJ_NONE;
  }
  o->relocs = relocs;
  relocs[o->reloc_count] = (wl_obj_reloc_t){image, offset, kind, symbol, addend};
  return o->reloc_count++;
}

wl_obj_entry_t *wl_obj_add_entry(wl_obj_t *o, const char *name, uint32_t pc) {
  char *copy = wl_obj_copy_text(o, name, strlen(name));
  wl_obj_entry_t *entries =
      wl_obj_grow(o, o->entries, o->entry_count, &o->entry_cap, sizeof *entries, WL_OBJ_MAX_COUNT);
  if (entries == NULL) {
    free(copy);
    return NULL;
  }
  o->entries = entries;
  wl_obj_entry_t *e = &entries[o->entry_count++];
  e->name = copy;
  e->pc = pc;
  e->regs = 1;
  e->smem_align = 16;
  return e;
}

uint32_t wl_obj_add_param(wl_obj_t *o, wl_obj_entry_t *e, const char *name, wl_obj_type_t type,
                          uint32_t bytes, uint32_t align, uint32_t ptr_space, uint32_t ptr_align) {
  if (e == NULL || !is_pow2(align) || align > 65536 || bytes > WL_OBJ_MAX_PARAM) {
    o->failed = true;
    return WL_OBJ_NONE;
  }
  char *copy = wl_obj_copy_text(o, name, strlen(name));
  wl_obj_param_t *params =
      wl_obj_grow(o, e->params, e->param_count, &e->param_cap, sizeof *params, WL_OBJ_MAX_COUNT);
  if (params == NULL) {
    free(copy);
    return WL_OBJ_NONE;
  }
  e->params = params;
  uint32_t offset = (e->param_bytes + align - 1) & ~(align - 1);
  params[e->param_count++] =
      (wl_obj_param_t){copy, type, offset, bytes, align, ptr_space, ptr_align};
  e->param_bytes = offset + bytes;
  o->failed = o->failed || e->param_bytes > WL_OBJ_MAX_PARAM;
  return offset;
}

const wl_obj_entry_t *wl_obj_find_entry(const wl_obj_t *o, const char *name) {
  for (uint32_t i = 0; i < o->entry_count; i++) {
    if (strcmp(o->entries[i].name, name) == 0) {
      return &o->entries[i];
    }
  }
  return NULL;
}

uint32_t wl_obj_add_file(wl_obj_t *o, const char *name) {
  for (uint32_t i = 0; i < o->file_count; i++) {
    if (strcmp(o->files[i], name) == 0) {
      return i;
    }
  }
  char *copy = wl_obj_copy_text(o, name, strlen(name));
  char **files =
      wl_obj_grow(o, o->files, o->file_count, &o->file_cap, sizeof *files, WL_OBJ_MAX_COUNT);
  if (files == NULL) {
    free(copy);
    return WL_OBJ_NONE;
  }
  o->files = files;
  files[o->file_count] = copy;
  return o->file_count++;
}

void wl_obj_add_line(wl_obj_t *o, uint32_t insn, uint32_t ptx_line, uint32_t file, uint32_t line) {
  if (o->line_count != 0) {
    wl_obj_line_t *last = &o->lines[o->line_count - 1];
    if (last->ptx_line == ptx_line && last->file == file && last->line == line) {
      return;
    }
    if (last->insn == insn) { /* nothing was emitted for the line before */
      *last = (wl_obj_line_t){insn, ptx_line, file, line};
      return;
    }
  }
  wl_obj_line_t *lines =
      wl_obj_grow(o, o->lines, o->line_count, &o->line_cap, sizeof *lines, WL_OBJ_MAX_COUNT);
  if (lines != NULL) {
    o->lines = lines;
    lines[o->line_count++] = (wl_obj_line_t){insn, ptx_line, file, line};
  }
}

const wl_obj_line_t *wl_obj_find_line(const wl_obj_t *o, uint32_t insn) {
  uint32_t low = 0;
  uint32_t high = o->line_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (o->lines[middle].insn <= insn) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low == 0 ? NULL : &o->lines[low - 1];
}

const char *wl_obj_ptx_line(const wl_obj_t *o, uint32_t number, size_t *bytes) {
  const char *at = o->ptx_text;
  const char *end = at == NULL ? NULL : at + o->ptx_bytes;
  for (uint32_t n = 1; at != NULL && n < number; n++) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    at = newline == NULL ? NULL : newline + 1;
  }
  if (at == NULL || number == 0) {
    return NULL;
  }
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  *bytes = (size_t)((newline != NULL ? newline : end) - at);
  return at;
}

bool wl_obj_set_ptx(wl_obj_t *o, const char *name, const char *text, size_t bytes) {
  free(o->ptx_name);
  free(o->ptx_text);
  o->ptx_name = name == NULL ? NULL : wl_obj_copy_text(o, name, strlen(name));
  o->ptx_text = text == NULL ? NULL : wl_obj_copy_text(o, text, bytes);
  o->ptx_bytes = o->ptx_text == NULL ? 0 : bytes;
  return !o->failed;
}
