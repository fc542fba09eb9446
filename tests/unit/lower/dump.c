/* dump.c: development program: PTX in, machine listing out.
 *   dump FILE.ptx [max_regs] */
#include <stdio.h>
#include <stdlib.h>

#include "isa/lower/lower.h"
#include "isa/obj/dis.h"
#include "isa/ptx/ptx.h"
#include "tests/common/read_file.h"

static void list(const wl_obj_t *o) {
  for (uint32_t i = 0; i < o->entry_count; i++) {
    const wl_obj_entry_t *e = &o->entries[i];
    printf("// entry %s: pc %u, regs %u, preds %u, barriers %u, shared %u, local %d, params %u\n",
           e->name, e->pc, e->regs, e->preds, e->barriers, e->smem_static, (int)e->local_bytes,
           e->param_bytes);
  }
  printf("// c1 %zu bytes, c2 %zu bytes, global %llu bytes\n", o->image[0].data_bytes,
         o->image[1].data_bytes, (unsigned long long)o->image[2].bytes);
  for (uint32_t i = 0; i < o->code_count; i++) {
    char text[160];
    for (uint32_t s = 0; s < o->sym_count; s++)
      if (o->syms[s].kind == WL_OBJ_SYM_FUNC && o->syms[s].value == i)
        printf("%s:\n", o->syms[s].name);
    wl_dis_word(o->code[i].w, text, sizeof text);
    const wl_obj_line_t *l = wl_obj_find_line(o, i);
    printf("%5u  %-60s // ptx %u\n", i, text, l != NULL ? l->ptx_line : 0);
  }
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  size_t len;
  char *text = wl_read_file(argv[1], &len);
  if (text == NULL) return 2;
  wl_diag_list_t d;
  wl_ptx_module_t *m = NULL;
  wl_obj_t *o = NULL;
  const wl_lower_options_t opt = {.max_regs = argc > 2 ? (uint32_t)atoi(argv[2]) : 0};
  wl_diag_init(&d);
  wl_diag_set_source(&d, argv[1], text, len);
  int rc = wl_ptx_parse(argv[1], text, len, &d, &m);
  if (rc == 0) rc = wl_lower_module(m, &opt, &d, &o);
  char *messages = wl_diag_format_all(&d);
  if (messages != NULL) fputs(messages, stderr);
  if (o != NULL) list(o);
  free(messages);
  wl_obj_free(o);
  wl_ptx_module_free(m);
  wl_diag_free(&d);
  free(text);
  return rc;
}
