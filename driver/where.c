/* where.c: a divergence as data, and where an instruction stands in its source. For programs that read
 * reports, not their text. docs/lockstep.md. */
#include <stdio.h>
#include <string.h>

#include "driver/internal.h"
#include "isa/obj/dis.h"
#include "warplock_layout.h"

bool wl_launch_divergence(const wl_device_t *d, wl_divergence_t *out) {
  const wl_run_result_t *r = &d->run;
  memset(out, 0, sizeof *out);
  out->warp = out->reg = -1;
  if (r->status != WL_RUN_DIVERGED) {
    return false;
  }
  out->cycle = r->cycle;
  out->record =
      r->kind >= 0 && r->kind < WL_NUM_JOURNAL_KINDS ? wl_journal_info[r->kind].name : NULL;
  out->array = r->view >= 0 && r->view < WL_NUM_VIEWS ? wl_view_info[r->view]->name : NULL;
  out->warp = r->warp;
  out->reg = r->reg;
  out->has_pc = r->has_pc;
  out->pc = r->has_pc ? r->pc : 0;
  return true;
}

bool wl_function_place(const wl_function_t *f, uint32_t pc, wl_place_t *out) {
  const wl_module_t *m = f->module;
  memset(out, 0, sizeof *out);
  const wl_obj_line_t *l = pc < m->obj->code_count ? wl_obj_find_line(m->obj, pc) : NULL;
  if (l == NULL) {
    return false;
  }
  if (l->ptx_line != 0) {
    out->ptx_file = m->obj->ptx_name != NULL ? m->obj->ptx_name : m->name;
    out->ptx_line = l->ptx_line;
  }
  if (l->file != WL_OBJ_NONE) {
    out->file = m->obj->files[l->file];
    out->line = l->line;
  }
  return out->ptx_file != NULL || out->file != NULL;
}

bool wl_function_instruction(const wl_function_t *f, uint32_t pc, char *out, size_t cap) {
  const wl_module_t *m = f->module;
  if (cap > 0) {
    out[0] = 0;
  }
  if (pc >= m->obj->code_count) {
    return false;
  }
  (void)wl_dis_word(m->obj->code[pc].w, out, cap);
  return true;
}
