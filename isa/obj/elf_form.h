/* elf_form.h: layout facts that elf_write.c and elf_read.c share. Private to isa/obj.
 * Sections stand in this fixed order, so that the reader needs no search. Symbol order and string
 * offsets are the writer's choice. Sections behind .shstrtab are optional: the last ones are left
 * out while they are empty. An object without any of them has format 1, as every reader knows it. */
#ifndef WL_ISA_OBJ_ELF_FORM_H
#define WL_ISA_OBJ_ELF_FORM_H
#include <elf.h>

#include "isa/obj/object.h"

#define WL_ELF_MACHINE    0x574c
#define WL_ELF_NOTE_NAME  "Warplock"
#define WL_ELF_NOTE_TYPE  1
#define WL_ELF_FORMAT     2u /* 2: sections behind .shstrtab are possible */
#define WL_ELF_FORMAT_MIN 1u
#define WL_ELF_NOTE_HEAD  48u /* bytes before the first entry: see note_head in elf_write.c */
#define WL_ELF_NOTE_ENTRY 76u
#define WL_ELF_NOTE_PARAM 28u
#define WL_ELF_LINE_BYTES 16u
#define WL_ELF_REFUSAL    16u
#define WL_ELF_MARK       8u
#define WL_ELF_EHDR       64u
#define WL_ELF_SHDR       64u
#define WL_ELF_SYM        24u
#define WL_ELF_RELA       24u

typedef enum wl_elf_section {
  WL_SEC_NULL,
  WL_SEC_TEXT,
  WL_SEC_C1,
  WL_SEC_C2,
  WL_SEC_DATA,
  WL_SEC_RELA_C1,
  WL_SEC_RELA_C2,
  WL_SEC_RELA_DATA,
  WL_SEC_NOTE,
  WL_SEC_LINE,
  WL_SEC_FILES,
  WL_SEC_PTX,
  WL_SEC_SYMTAB,
  WL_SEC_STRTAB,
  WL_SEC_SHSTRTAB,
  WL_SEC_OPTIONAL, /* the first of them */
  WL_SEC_REFUSED = WL_SEC_OPTIONAL,
  WL_SEC_PTXREG,
  WL_SEC_MARK,
  WL_SECTIONS
} wl_elf_section_t;

typedef struct wl_elf_section_form {
  const char *name;
  uint32_t type, flags, entsize, align, link, info;
} wl_elf_section_form_t;

static const wl_elf_section_form_t wl_elf_sections[WL_SECTIONS] = {
    [WL_SEC_NULL] = {"", SHT_NULL, 0, 0, 0, 0, 0},
    [WL_SEC_TEXT] = {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16, 64, 0, 0},
    [WL_SEC_C1] = {".c1", SHT_PROGBITS, SHF_ALLOC, 0, 64, 0, 0},
    [WL_SEC_C2] = {".const", SHT_PROGBITS, SHF_ALLOC, 0, 64, 0, 0},
    [WL_SEC_DATA] = {".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0, 64, 0, 0},
    [WL_SEC_RELA_C1] = {".rela.c1", SHT_RELA, SHF_INFO_LINK, 24, 8, WL_SEC_SYMTAB, WL_SEC_C1},
    [WL_SEC_RELA_C2] = {".rela.const", SHT_RELA, SHF_INFO_LINK, 24, 8, WL_SEC_SYMTAB, WL_SEC_C2},
    [WL_SEC_RELA_DATA] = {".rela.data", SHT_RELA, SHF_INFO_LINK, 24, 8, WL_SEC_SYMTAB, WL_SEC_DATA},
    [WL_SEC_NOTE] = {".note.warplock", SHT_NOTE, 0, 0, 4, 0, 0},
    [WL_SEC_LINE] = {".warplock.line", SHT_PROGBITS, 0, 16, 4, 0, 0},
    [WL_SEC_FILES] = {".warplock.files", SHT_PROGBITS, 0, 4, 4, 0, 0},
    [WL_SEC_PTX] = {".warplock.ptx", SHT_PROGBITS, 0, 0, 1, 0, 0},
    [WL_SEC_SYMTAB] = {".symtab", SHT_SYMTAB, 0, 24, 8, WL_SEC_STRTAB, 1},
    [WL_SEC_STRTAB] = {".strtab", SHT_STRTAB, 0, 0, 1, 0, 0},
    [WL_SEC_SHSTRTAB] = {".shstrtab", SHT_STRTAB, 0, 0, 1, 0, 0},
    /* Entries that cannot be launched: entry, PTX line, strings of clause and text. */
    [WL_SEC_REFUSED] = {".warplock.refused", SHT_PROGBITS, 0, 16, 4, 0, 0},
    [WL_SEC_PTXREG] = {".warplock.ptxreg", SHT_PROGBITS, 0, 0, 4, 0, 0},
    /* Instruction, kind: wl_obj_mark_t. */
    [WL_SEC_MARK] = {".warplock.mark", SHT_PROGBITS, 0, 8, 4, 0, 0},
};

#endif
