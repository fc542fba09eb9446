/* program.h: machine programs for tests, written as text (isa/obj/dis.h) with labels: a line
 * `name:` defines one, `#name` uses it. Deliberately no PTX: what runs is what is written. */
#ifndef WL_TESTS_UNIT_DRIVER_PROGRAM_H
#define WL_TESTS_UNIT_DRIVER_PROGRAM_H
#include "isa/obj/object.h"

/* Adds an entry with the program's instructions; prints and returns NULL when a line is wrong. */
wl_obj_entry_t *program_entry(wl_obj_t *o, const char *name, const char *text);
/* Index of the instruction behind a label, counted from the program's first; UINT32_MAX: none. */
uint32_t program_label(const char *text, const char *name);
/* Serialises and frees the object; prints and returns false on failure. */
bool program_object(wl_obj_t *o, uint8_t **bytes, size_t *size);

#endif
