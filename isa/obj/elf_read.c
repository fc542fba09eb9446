/* elf_read.c: ELF64 bytes to a module, trusting nothing (elf.h; docs/architecture.md 2).
 * Each section becomes a span that was checked against the file once; strings are checked for their
 * final zero; what the module then says of itself is checked by wl_obj_verify. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/obj/elf.h"
#include "isa/obj/elf_form.h"
#include "isa/obj/isa_id.h"

typedef struct span {
  const uint8_t *data;
  size_t size;
} span_t;

typedef struct reader {
  wl_obj_t *o;
  span_t file;
  span_t sec[WL_SECTIONS]; /* optional ones that the file has not are empty */
  int sections;
  char *err;
  size_t cap;
} reader_t;

static bool bad(const reader_t *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool bad(const reader_t *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)vsnprintf(r->err, r->cap, format, args);
  va_end(args);
  return false;
}

static uint64_t get(const uint8_t *p, unsigned bytes) {
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; i++) {
    value |= (uint64_t)p[i] << (8 * i);
  }
  return value;
}

static uint32_t get32(const uint8_t *p) { return (uint32_t)get(p, 4); }

bool wl_obj_is_elf(const uint8_t *bytes, size_t size) {
  return size >= 4 && memcmp(bytes, "\177ELF", 4) == 0;
}

static bool read_header(reader_t *r) {
  const uint8_t *h = r->file.data;
  if (r->file.size < WL_ELF_EHDR || !wl_obj_is_elf(h, r->file.size)) {
    return bad(r, "no ELF file");
  }
  if (h[EI_CLASS] != ELFCLASS64 || h[EI_DATA] != ELFDATA2LSB || h[EI_VERSION] != EV_CURRENT) {
    return bad(r, "no little-endian ELF64 file");
  }
  if (get(h + 18, 2) != WL_ELF_MACHINE) {
    return bad(r, "an ELF file for machine 0x%x, not a warplock object (0x%x)",
               (unsigned)get(h + 18, 2), WL_ELF_MACHINE);
  }
  r->sections = (int)get(h + 60, 2);
  if (get(h + 16, 2) != ET_REL || get(h + 58, 2) != WL_ELF_SHDR || r->sections < WL_SEC_OPTIONAL ||
      get(h + 62, 2) != WL_SEC_SHSTRTAB) {
    return bad(r, "damaged object: header");
  }
  if (r->sections > WL_SECTIONS) {
    return bad(r, "object of a later format: it has %d sections, this build knows %d", r->sections,
               (int)WL_SECTIONS);
  }
  return true;
}

/* The span of section i, if its header is as the writer makes it. */
static bool read_section(reader_t *r, const uint8_t *header, int i) {
  const wl_elf_section_form_t *form = &wl_elf_sections[i];
  uint64_t offset = get(header + 24, 8);
  uint64_t size = get(header + 32, 8);
  if (get32(header + 4) != form->type || get(header + 56, 8) != form->entsize ||
      get32(header + 40) != form->link || get32(header + 44) != form->info) {
    return bad(r, "damaged object: header of section %d", i);
  }
  if (offset > r->file.size || size > r->file.size - offset) {
    return bad(r, "damaged object: section %s lies outside the file", form->name);
  }
  if (form->entsize != 0 && size % form->entsize != 0) {
    return bad(r, "damaged object: size of section %s", form->name);
  }
  r->sec[i] = (span_t){r->file.data + offset, (size_t)size};
  return true;
}

static bool read_sections(reader_t *r) {
  uint64_t table = get(r->file.data + 40, 8);
  if (table > r->file.size || r->file.size - table < (uint64_t)r->sections * WL_ELF_SHDR) {
    return bad(r, "damaged object: section table lies outside the file");
  }
  const uint8_t *headers = r->file.data + table;
  for (int i = 0; i < r->sections; i++) {
    if (!read_section(r, headers + (size_t)i * WL_ELF_SHDR, i)) {
      return false;
    }
  }
  const span_t names = r->sec[WL_SEC_SHSTRTAB];
  for (int i = 0; i < r->sections; i++) {
    uint32_t at = get32(headers + (size_t)i * WL_ELF_SHDR);
    size_t length = strlen(wl_elf_sections[i].name) + 1;
    if (at > names.size || names.size - at < length ||
        memcmp(names.data + at, wl_elf_sections[i].name, length) != 0) {
      return bad(r, "damaged object: name of section %d", i);
    }
  }
  return true;
}

/* A zero-terminated string of .strtab. */
static const char *string_at(const reader_t *r, uint32_t at) {
  const span_t s = r->sec[WL_SEC_STRTAB];
  if (at >= s.size || memchr(s.data + at, 0, s.size - at) == NULL) {
    (void)bad(r, "damaged object: string outside the string table");
    return NULL;
  }
  return (const char *)s.data + at;
}

static bool read_code(const reader_t *r) {
  const span_t s = r->sec[WL_SEC_TEXT];
  for (size_t at = 0; at < s.size; at += 16) {
    uint32_t w[4];
    for (unsigned k = 0; k < 4; k++) {
      w[k] = get32(s.data + at + 4 * k);
    }
    if (wl_obj_add_insn(r->o, w) == WL_OBJ_NONE) {
      return bad(r, "out of memory or too much code");
    }
  }
  return true;
}

static bool read_images(const reader_t *r) {
  for (int i = 0; i < WL_OBJ_IMAGES; i++) {
    const span_t s = r->sec[WL_SEC_C1 + i];
    if (wl_obj_add_data(r->o, (wl_obj_image_id_t)i, s.data, s.size, 1) == WL_OBJ_NONE) {
      return bad(r, "section %s is too large", wl_elf_sections[WL_SEC_C1 + i].name);
    }
  }
  return true;
}

static bool read_syms(const reader_t *r) {
  const span_t s = r->sec[WL_SEC_SYMTAB];
  for (size_t at = WL_ELF_SYM; at < s.size; at += WL_ELF_SYM) {
    const uint8_t *p = s.data + at;
    const char *name = string_at(r, get32(p));
    uint64_t value = get(p + 8, 8);
    uint64_t size = get(p + 16, 8);
    wl_obj_sym_kind_t kind = WL_OBJ_SYM_GLOBAL;
    switch (get(p + 6, 2)) {
    case WL_SEC_TEXT:
      kind = WL_OBJ_SYM_FUNC;
      break;
    case WL_SEC_DATA:
      kind = WL_OBJ_SYM_GLOBAL;
      break;
    case WL_SEC_C2:
      kind = WL_OBJ_SYM_CONST;
      break;
    case SHN_ABS:
      kind = WL_OBJ_SYM_SHARED;
      break;
    default:
      return bad(r, "damaged object: section of a symbol");
    }
    if (name == NULL) {
      return false;
    }
    if (kind == WL_OBJ_SYM_FUNC && (value % 16 != 0 || size % 16 != 0)) {
      return bad(r, "damaged object: function %s", name);
    }
    uint32_t unit = kind == WL_OBJ_SYM_FUNC ? 16 : 1;
    if (wl_obj_add_sym(r->o, name, kind, p[5] == STV_DEFAULT, value / unit, size / unit) ==
        WL_OBJ_NONE) {
      return bad(r, "out of memory or too many symbols");
    }
  }
  return true;
}

static bool read_relocs(const reader_t *r) {
  for (int i = 0; i < WL_OBJ_IMAGES; i++) {
    const span_t s = r->sec[WL_SEC_RELA_C1 + i];
    for (size_t at = 0; at < s.size; at += WL_ELF_RELA) {
      const uint8_t *p = s.data + at;
      uint32_t kind = get32(p + 8);
      if (kind == 0 || kind > 1u + WL_OBJ_RELOC_FUNC || get32(p + 12) == 0) {
        return bad(r, "damaged object: kind of a relocation");
      }
      if (wl_obj_add_reloc(r->o, (wl_obj_image_id_t)i, get(p, 8), (wl_obj_reloc_kind_t)(kind - 1),
                           get32(p + 12) - 1, (int64_t)get(p + 16, 8)) == WL_OBJ_NONE) {
        return bad(r, "out of memory or too many relocations");
      }
    }
  }
  return true;
}

/* Takes `bytes` from the front of a span; NULL when it is shorter. */
static const uint8_t *take(span_t *s, size_t bytes) {
  if (s->size < bytes) {
    return NULL;
  }
  const uint8_t *p = s->data;
  s->data += bytes;
  s->size -= bytes;
  return p;
}

static bool read_param(const reader_t *r, span_t *desc, wl_obj_entry_t *e) {
  const uint8_t *p = take(desc, WL_ELF_NOTE_PARAM);
  if (p == NULL) {
    return bad(r, "damaged object: the note is too short");
  }
  const char *name = string_at(r, get32(p));
  if (name == NULL) {
    return false;
  }
  uint32_t bytes = e->param_bytes;
  if (wl_obj_add_param(r->o, e, name, (wl_obj_type_t)get32(p + 4), get32(p + 12), 1, get32(p + 20),
                       get32(p + 24)) == WL_OBJ_NONE) {
    return bad(r, "damaged object: parameter %s", name);
  }
  e->param_bytes = bytes;
  e->params[e->param_count - 1].offset = get32(p + 8);
  e->params[e->param_count - 1].align = get32(p + 16);
  return true;
}

static bool read_entry(const reader_t *r, span_t *desc) {
  const uint8_t *p = take(desc, WL_ELF_NOTE_ENTRY);
  if (p == NULL) {
    return bad(r, "damaged object: the note is too short");
  }
  const char *name = string_at(r, get32(p));
  wl_obj_entry_t *e = name == NULL ? NULL : wl_obj_add_entry(r->o, name, get32(p + 4));
  if (e == NULL) {
    return name == NULL ? false : bad(r, "out of memory or too many entries");
  }
  e->regs = get32(p + 8);
  e->preds = get32(p + 12);
  e->barriers = get32(p + 16);
  e->smem_static = get32(p + 20);
  e->smem_align = get32(p + 24);
  e->local_bytes = get32(p + 28);
  for (unsigned i = 0; i < 3; i++) {
    e->reqntid[i] = get32(p + 36 + 4 * i);
    e->maxntid[i] = get32(p + 48 + 4 * i);
  }
  e->minctapersm = get32(p + 60);
  e->maxnreg = get32(p + 64);
  e->units = get32(p + 68);
  uint32_t param_bytes = get32(p + 32);
  for (uint32_t i = get32(p + 72); i != 0; i--) {
    e->param_bytes = 0; /* kept out of the way of the builder's own layout */
    if (!read_param(r, desc, e)) {
      return false;
    }
  }
  e->param_bytes = param_bytes;
  return true;
}

static bool read_note_head(const reader_t *r, span_t *desc) {
  span_t s = r->sec[WL_SEC_NOTE];
  const size_t name_bytes = (sizeof WL_ELF_NOTE_NAME + 3) & ~(size_t)3;
  const uint8_t *p = take(&s, 12 + name_bytes);
  if (p == NULL || get32(p) != sizeof WL_ELF_NOTE_NAME || get32(p + 8) != WL_ELF_NOTE_TYPE ||
      memcmp(p + 12, WL_ELF_NOTE_NAME, sizeof WL_ELF_NOTE_NAME) != 0 || get32(p + 4) != s.size ||
      s.size < WL_ELF_NOTE_HEAD) {
    return bad(r, "damaged object: note");
  }
  if (get32(s.data) < WL_ELF_FORMAT_MIN || get32(s.data) > WL_ELF_FORMAT) {
    return bad(r, "object format %u, this build reads %u to %u", get32(s.data), WL_ELF_FORMAT_MIN,
               WL_ELF_FORMAT);
  }
  if (get(s.data + 8, 8) != wl_obj_isa_hash()) {
    return bad(r, "object of another ISA hash: object %016llx, this build %016llx",
               (unsigned long long)get(s.data + 8, 8), (unsigned long long)wl_obj_isa_hash());
  }
  *desc = s;
  return true;
}

static bool read_note(const reader_t *r) {
  span_t desc;
  if (!read_note_head(r, &desc)) {
    return false;
  }
  const uint8_t *p = take(&desc, WL_ELF_NOTE_HEAD);
  wl_obj_image_t *global = &r->o->image[WL_OBJ_GLOBAL];
  global->bytes = get(p + 16, 8);
  for (unsigned i = 0; i < WL_OBJ_IMAGES; i++) {
    r->o->image[i].align = get32(p + 24 + 4 * i);
  }
  const char *name = NULL;
  if (get32(p + 36) != WL_OBJ_NONE && (name = string_at(r, get32(p + 36))) == NULL) {
    return false;
  }
  const span_t ptx = r->sec[WL_SEC_PTX];
  if (!wl_obj_set_ptx(r->o, name, get32(p + 40) != 0 ? (const char *)ptx.data : NULL, ptx.size)) {
    return bad(r, "out of memory");
  }
  for (uint32_t i = get32(p + 4); i != 0; i--) {
    if (!read_entry(r, &desc)) {
      return false;
    }
  }
  return desc.size == 0 || bad(r, "damaged object: the note is too long");
}

static bool read_lines(const reader_t *r) {
  const span_t files = r->sec[WL_SEC_FILES];
  for (size_t at = 0; at < files.size; at += 4) {
    const char *name = string_at(r, get32(files.data + at));
    if (name == NULL) {
      return false;
    }
    if (wl_obj_add_file(r->o, name) != at / 4) {
      return bad(r, "damaged object: a source file is listed twice");
    }
  }
  const span_t lines = r->sec[WL_SEC_LINE];
  for (size_t at = 0; at < lines.size; at += WL_ELF_LINE_BYTES) {
    const uint8_t *p = lines.data + at;
    wl_obj_add_line(r->o, get32(p), get32(p + 4), get32(p + 8), get32(p + 12));
  }
  return true;
}

static bool read_refusals(const reader_t *r) {
  const span_t rows = r->sec[WL_SEC_REFUSED];
  for (size_t at = 0; at < rows.size; at += WL_ELF_REFUSAL) {
    const uint8_t *p = rows.data + at;
    const char *clause = string_at(r, get32(p + 8));
    const char *text = clause != NULL ? string_at(r, get32(p + 12)) : NULL;
    if (text == NULL) {
      return false;
    }
    wl_obj_add_refusal(r->o, get32(p), get32(p + 4), clause, text);
  }
  return true;
}

static bool read_marks(const reader_t *r) {
  const span_t rows = r->sec[WL_SEC_MARK];
  for (size_t at = 0; at < rows.size; at += WL_ELF_MARK) {
    wl_obj_add_mark(r->o, get32(rows.data + at), get32(rows.data + at + 4));
  }
  return true;
}

wl_obj_t *wl_obj_read(const uint8_t *bytes, size_t size, char *err, size_t cap) {
  reader_t r = {.file = {bytes, size}, .err = err, .cap = cap};
  if (!read_header(&r) || !read_sections(&r)) {
    return NULL;
  }
  r.o = wl_obj_new();
  if (r.o == NULL) {
    (void)bad(&r, "out of memory");
    return NULL;
  }
  span_t ignored;
  bool ok = read_note_head(&r, &ignored) && read_code(&r) && read_images(&r) && read_note(&r) &&
            read_syms(&r) && read_relocs(&r) && read_lines(&r) && read_refusals(&r) &&
            read_marks(&r) &&
            wl_obj_read_ptxregs(r.o, r.sec[WL_SEC_PTXREG].data, r.sec[WL_SEC_PTXREG].size,
                                r.sec[WL_SEC_STRTAB].data, r.sec[WL_SEC_STRTAB].size, err, cap);
  char why[256];
  if (ok && wl_obj_verify(r.o, why, sizeof why) != NULL) {
    ok = bad(&r, "damaged object: %s", why);
  }
  if (!ok) {
    wl_obj_free(r.o);
    return NULL;
  }
  return r.o;
}
