/* elf_write.c: module to ELF64 bytes (elf.h; docs/architecture.md 2). The output depends on the
 * module only: no time, no host, so equal modules give equal files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/obj/bytes.h"
#include "isa/obj/elf.h"
#include "isa/obj/elf_form.h"

static uint32_t put_string(wl_bytes_t *strings, const char *text) {
  size_t at = strings->size;
  wl_bytes_put(strings, text, strlen(text) + 1);
  return (uint32_t)at;
}

static void write_text(const wl_obj_t *o, wl_bytes_t *b) {
  for (uint32_t i = 0; i < o->code_count; i++) {
    for (int k = 0; k < 4; k++) {
      wl_bytes_u32(b, o->code[i].w[k]);
    }
  }
}

static void write_rela(const wl_obj_t *o, wl_bytes_t *b, wl_obj_image_id_t image) {
  for (uint32_t i = 0; i < o->reloc_count; i++) {
    const wl_obj_reloc_t *r = &o->relocs[i];
    if (r->image == image) {
      wl_bytes_u64(b, r->offset);
      wl_bytes_u64(b, ((uint64_t)r->symbol + 1) << 32 | ((uint32_t)r->kind + 1));
      wl_bytes_u64(b, (uint64_t)r->addend);
    }
  }
}

static void write_entry(const wl_obj_entry_t *e, wl_bytes_t *b, wl_bytes_t *strings) {
  const uint32_t words[] = {put_string(strings, e->name),
                            e->pc,
                            e->regs,
                            e->preds,
                            e->barriers,
                            e->smem_static,
                            e->smem_align,
                            e->local_bytes,
                            e->param_bytes,
                            e->reqntid[0],
                            e->reqntid[1],
                            e->reqntid[2],
                            e->maxntid[0],
                            e->maxntid[1],
                            e->maxntid[2],
                            e->minctapersm,
                            e->maxnreg,
                            e->units,
                            e->param_count};
  _Static_assert(sizeof words == WL_ELF_NOTE_ENTRY, "note entry");
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    wl_bytes_u32(b, words[i]);
  }
  for (uint32_t i = 0; i < e->param_count; i++) {
    const wl_obj_param_t *p = &e->params[i];
    wl_bytes_u32(b, put_string(strings, p->name));
    wl_bytes_u32(b, (uint32_t)p->type);
    wl_bytes_u32(b, p->offset);
    wl_bytes_u32(b, p->bytes);
    wl_bytes_u32(b, p->align);
    wl_bytes_u32(b, p->ptr_space);
    wl_bytes_u32(b, p->ptr_align);
  }
}

static void write_refusals(const wl_obj_t *o, wl_bytes_t *b, wl_bytes_t *strings) {
  for (uint32_t i = 0; i < o->refusal_count; i++) {
    wl_bytes_u32(b, o->refusals[i].entry);
    wl_bytes_u32(b, o->refusals[i].line);
    wl_bytes_u32(b, put_string(strings, o->refusals[i].clause));
    wl_bytes_u32(b, put_string(strings, o->refusals[i].text));
  }
}

static void write_marks(const wl_obj_t *o, wl_bytes_t *b) {
  for (uint32_t i = 0; i < o->mark_count; i++) {
    wl_bytes_u32(b, o->marks[i].insn);
    wl_bytes_u32(b, o->marks[i].kind);
  }
}

static void write_note(const wl_obj_t *o, wl_bytes_t *b, wl_bytes_t *strings, bool optional) {
  wl_bytes_t desc = {0};
  wl_bytes_u32(&desc, optional ? WL_ELF_FORMAT
                               : WL_ELF_FORMAT_MIN); /* note_head: WL_ELF_NOTE_HEAD bytes */
  wl_bytes_u32(&desc, o->entry_count);
  wl_bytes_u64(&desc, o->isa_hash);
  wl_bytes_u64(&desc, o->image[WL_OBJ_GLOBAL].bytes);
  for (int i = 0; i < WL_OBJ_IMAGES; i++) {
    wl_bytes_u32(&desc, o->image[i].align);
  }
  wl_bytes_u32(&desc, o->ptx_name == NULL ? WL_OBJ_NONE : put_string(strings, o->ptx_name));
  wl_bytes_u32(&desc, o->ptx_text == NULL ? 0 : 1);
  wl_bytes_u32(&desc, 0);
  for (uint32_t i = 0; i < o->entry_count; i++) {
    write_entry(&o->entries[i], &desc, strings);
  }
  wl_bytes_u32(b, sizeof WL_ELF_NOTE_NAME);
  wl_bytes_u32(b, (uint32_t)desc.size);
  wl_bytes_u32(b, WL_ELF_NOTE_TYPE);
  wl_bytes_put(b, WL_ELF_NOTE_NAME "\0\0\0", (sizeof WL_ELF_NOTE_NAME + 3) & ~(size_t)3);
  wl_bytes_put(b, desc.data, desc.size);
  b->failed = b->failed || desc.failed;
  free(desc.data);
}

static void write_lines(const wl_obj_t *o, wl_bytes_t *lines, wl_bytes_t *files,
                        wl_bytes_t *strings) {
  for (uint32_t i = 0; i < o->line_count; i++) {
    wl_bytes_u32(lines, o->lines[i].insn);
    wl_bytes_u32(lines, o->lines[i].ptx_line);
    wl_bytes_u32(lines, o->lines[i].file);
    wl_bytes_u32(lines, o->lines[i].line);
  }
  for (uint32_t i = 0; i < o->file_count; i++) {
    wl_bytes_u32(files, put_string(strings, o->files[i]));
  }
}

static void write_syms(const wl_obj_t *o, wl_bytes_t *b, wl_bytes_t *strings) {
  static const uint8_t null_sym[WL_ELF_SYM];
  wl_bytes_put(b, null_sym, sizeof null_sym);
  for (uint32_t i = 0; i < o->sym_count; i++) {
    const wl_obj_sym_t *s = &o->syms[i];
    bool func = s->kind == WL_OBJ_SYM_FUNC;
    uint32_t unit = func ? 16 : 1; /* in the file functions count bytes, as readelf expects */
    static const uint16_t section[] = {[WL_OBJ_SYM_FUNC] = WL_SEC_TEXT,
                                       [WL_OBJ_SYM_GLOBAL] = WL_SEC_DATA,
                                       [WL_OBJ_SYM_CONST] = WL_SEC_C2,
                                       [WL_OBJ_SYM_SHARED] = SHN_ABS};
    wl_bytes_u32(b, put_string(strings, s->name));
    wl_bytes_uint(b, ELF64_ST_INFO(STB_GLOBAL, func ? STT_FUNC : STT_OBJECT), 1);
    wl_bytes_uint(b, s->visible ? STV_DEFAULT : STV_HIDDEN, 1);
    wl_bytes_uint(b, section[s->kind], 2);
    wl_bytes_u64(b, s->value * unit);
    wl_bytes_u64(b, s->size * unit);
  }
}

static void write_header(wl_bytes_t *b, uint64_t table, int sections) {
  static const uint8_t ident[EI_NIDENT] = {
      0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT, ELFOSABI_STANDALONE, 1};
  wl_bytes_put(b, ident, sizeof ident);
  wl_bytes_uint(b, ET_REL, 2);
  wl_bytes_uint(b, WL_ELF_MACHINE, 2);
  wl_bytes_u32(b, EV_CURRENT);
  wl_bytes_u64(b, 0);
  wl_bytes_u64(b, 0);
  wl_bytes_u64(b, table);
  wl_bytes_u32(b, 0);
  wl_bytes_uint(b, WL_ELF_EHDR, 2);
  wl_bytes_uint(b, 0, 2);
  wl_bytes_uint(b, 0, 2);
  wl_bytes_uint(b, WL_ELF_SHDR, 2);
  wl_bytes_uint(b, (uint64_t)sections, 2);
  wl_bytes_uint(b, WL_SEC_SHSTRTAB, 2);
}

static void write_section_header(wl_bytes_t *b, int i, uint32_t name, uint64_t offset,
                                 uint64_t size) {
  const wl_elf_section_form_t *form = &wl_elf_sections[i];
  wl_bytes_u32(b, name);
  wl_bytes_u32(b, form->type);
  wl_bytes_u64(b, form->flags);
  wl_bytes_u64(b, 0);
  wl_bytes_u64(b, i == WL_SEC_NULL ? 0 : offset);
  wl_bytes_u64(b, size);
  wl_bytes_u32(b, form->link);
  wl_bytes_u32(b, form->info);
  wl_bytes_u64(b, form->align);
  wl_bytes_u64(b, form->entsize);
}

static void pad_to(wl_bytes_t *b, uint64_t align) {
  while (!b->failed && align != 0 && b->size % align != 0) {
    wl_bytes_uint(b, 0, 1);
  }
}

/* Joins the sections behind the header, the section headers last. */
static void assemble(wl_bytes_t *out, const wl_bytes_t *sec, int sections) {
  uint64_t at[WL_SECTIONS];
  uint32_t name = 0;
  uint64_t table = WL_ELF_EHDR;
  for (int i = 0; i < sections; i++) {
    uint64_t align = wl_elf_sections[i].align == 0 ? 1 : wl_elf_sections[i].align;
    table = (table + align - 1) / align * align;
    at[i] = table;
    table += sec[i].size;
  }
  table = (table + 7) / 8 * 8;
  write_header(out, table, sections);
  for (int i = 0; i < sections; i++) {
    pad_to(out, wl_elf_sections[i].align);
    wl_bytes_put(out, sec[i].data, sec[i].size);
  }
  pad_to(out, 8);
  for (int i = 0; i < sections; i++) {
    write_section_header(out, i, name, at[i], sec[i].size);
    name += (uint32_t)strlen(wl_elf_sections[i].name) + 1;
  }
}

/* Optional sections are left out from the end while they are empty. */
static int sections_needed(const wl_bytes_t *sec) {
  int sections = WL_SECTIONS;
  while (sections > WL_SEC_OPTIONAL && sec[sections - 1].size == 0) {
    sections--;
  }
  return sections;
}

bool wl_obj_write(const wl_obj_t *o, uint8_t **bytes, size_t *size, char *err, size_t cap) {
  *bytes = NULL;
  *size = 0;
  if (wl_obj_verify(o, err, cap) != NULL) {
    return false;
  }
  wl_bytes_t sec[WL_SECTIONS] = {0};
  wl_bytes_t *strings = &sec[WL_SEC_STRTAB];
  put_string(strings, "");
  write_text(o, &sec[WL_SEC_TEXT]);
  for (int i = 0; i < WL_OBJ_IMAGES; i++) {
    wl_bytes_put(&sec[WL_SEC_C1 + i], o->image[i].data, o->image[i].data_bytes);
    write_rela(o, &sec[WL_SEC_RELA_C1 + i], (wl_obj_image_id_t)i);
  }
  write_refusals(o, &sec[WL_SEC_REFUSED], strings);
  wl_obj_write_ptxregs(&o->ptxregs, &sec[WL_SEC_PTXREG], strings);
  write_marks(o, &sec[WL_SEC_MARK]);
  const int sections = sections_needed(sec);
  write_note(o, &sec[WL_SEC_NOTE], strings, sections > WL_SEC_OPTIONAL);
  write_lines(o, &sec[WL_SEC_LINE], &sec[WL_SEC_FILES], strings);
  wl_bytes_put(&sec[WL_SEC_PTX], o->ptx_text, o->ptx_bytes);
  write_syms(o, &sec[WL_SEC_SYMTAB], strings);
  for (int i = 0; i < sections; i++) {
    put_string(&sec[WL_SEC_SHSTRTAB], wl_elf_sections[i].name);
  }
  wl_bytes_t out = {0};
  assemble(&out, sec, sections);
  for (int i = 0; i < WL_SECTIONS; i++) {
    out.failed = out.failed || sec[i].failed || sec[i].size > UINT32_MAX;
    free(sec[i].data);
  }
  if (out.failed) {
    free(out.data);
    (void)snprintf(err, cap, "out of memory");
    return false;
  }
  *bytes = out.data;
  *size = out.size;
  return true;
}
