/* mark.c: rows of the object's marks (object.h): instructions of PTX of which the machine needs none. */
#include <stdio.h>

#include "isa/obj/object.h"

void wl_obj_add_mark(wl_obj_t *o, uint32_t insn, uint32_t kind) {
  wl_obj_mark_t *rows =
      wl_obj_grow(o, o->marks, o->mark_count, &o->mark_cap, sizeof *rows, WL_OBJ_MAX_COUNT);
  if (rows != NULL) {
    o->marks = rows;
    rows[o->mark_count++] = (wl_obj_mark_t){insn, kind};
  }
}

const char *wl_obj_verify_marks(const wl_obj_t *o, char *buf, size_t cap) {
  for (uint32_t i = 0; i < o->mark_count; i++) {
    const wl_obj_mark_t *m = &o->marks[i];
    if (m->insn > o->code_count || m->kind >= WL_OBJ_MARKS ||
        (i != 0 && m->insn < o->marks[i - 1].insn)) {
      (void)snprintf(buf, cap, "mark %u: instruction %u, kind %u", i, m->insn, m->kind);
      return buf;
    }
  }
  return NULL;
}
