/* elf.h: the file form of a module: ELF64, little endian, machine 0x574c. docs/architecture.md 2.
 * The reader trusts nothing: offsets, sizes, counts and strings are checked, then wl_obj_verify. */
#ifndef WL_ISA_OBJ_ELF_H
#define WL_ISA_OBJ_ELF_H
#include "isa/obj/object.h"

/* Verifies and serialises. *bytes is the caller's (free). False with a sentence in err. */
bool wl_obj_write(const wl_obj_t *o, uint8_t **bytes, size_t *size, char *err, size_t cap);

/* NULL with a sentence in err: no object, a damaged one, or one of another ISA hash. */
wl_obj_t *wl_obj_read(const uint8_t *bytes, size_t size, char *err, size_t cap);

/* The bytes start like an ELF file, so they are meant to be an object and not PTX text. */
bool wl_obj_is_elf(const uint8_t *bytes, size_t size);

#endif
