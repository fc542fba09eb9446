/* ptxreg.h: where the registers that a PTX line writes live after the line's last machine
 * instruction; for comparing with cores that execute PTX (docs/compare.md). A table of a module, in
 * the file form section .warplock.ptxreg, which may be missing. */
#ifndef WL_ISA_OBJ_PTXREG_H
#define WL_ISA_OBJ_PTXREG_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/obj/bytes.h"

#define WL_OBJ_PTXREG_VERSION 1u
#define WL_OBJ_PTXREG_HEAD    12u /* version, names, rows */
#define WL_OBJ_PTXREG_ROW     16u

typedef enum wl_obj_ptxreg_kind {
  WL_OBJ_PTXREG_REG,     /* place = first of `words` registers, `bits` of them hold the value */
  WL_OBJ_PTXREG_PRED,    /* place = predicate */
  WL_OBJ_PTXREG_SEVERAL, /* no register: the line has more than one PTX instruction */
  WL_OBJ_PTXREG_FRAME,   /* no register: stack and implicit return, no PTX instruction */
  WL_OBJ_PTXREG_KINDS
} wl_obj_ptxreg_kind_t;

typedef struct wl_obj_ptxreg {
  uint32_t from, to; /* the line's machine instructions [from, to) */
  uint32_t name;     /* index of names */
  uint8_t kind, place, words, bits;
} wl_obj_ptxreg_t;

typedef struct wl_obj_ptxregs {
  wl_obj_ptxreg_t *row; /* `from` ascends; rows of a line have equal from and to */
  char **name;          /* [0] is "" */
  uint32_t rows, row_cap, names, name_cap;
} wl_obj_ptxregs_t;

struct wl_obj;
/* Index of a copy of the name, UINT32_MAX: out of memory (the module is failed then). */
uint32_t wl_obj_add_ptxreg_name(struct wl_obj *o, const char *name);
void wl_obj_add_ptxreg(struct wl_obj *o, const wl_obj_ptxreg_t *row);
void wl_obj_free_ptxregs(wl_obj_ptxregs_t *t);
/* The first row of the line that instruction pc belongs to and their number, NULL: none. */
const wl_obj_ptxreg_t *wl_obj_find_ptxreg(const struct wl_obj *o, uint32_t pc, uint32_t *count);
const char *wl_obj_verify_ptxregs(const struct wl_obj *o, char *buf, size_t cap);
/* The section's bytes; names go to the string table. */
void wl_obj_write_ptxregs(const wl_obj_ptxregs_t *t, wl_bytes_t *out, wl_bytes_t *strings);
/* False with a sentence in err. `strings` was not checked yet. */
bool wl_obj_read_ptxregs(struct wl_obj *o, const uint8_t *data, size_t size, const uint8_t *strings,
                         size_t strings_size, char *err, size_t cap);

#endif
