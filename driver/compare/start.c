/* start.c: what a foreign core needs to run a launch as the reference does, as JSON
 * (docs/compare.md): shape, code as words and as text, where the constant banks lie, the contents
 * of all memory that the launch can meet, variables and parameters. */
#include <stdarg.h>
#include <string.h>

#include "driver/compare/compare.h"
#include "isa/obj/dis.h"

typedef struct out {
  wl_text_t text;
  void *context;
  const wl_function_t *f;
  wl_launch_block_t l;
} out_t;

static void put(const out_t *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(const out_t *o, const char *format, ...) {
  va_list args;
  va_start(args, format);
  cmp_put(o->text, o->context, format, args);
  va_end(args);
}

static void put_name(const out_t *o, const char *name) {
  put(o, "\"");
  for (const char *at = name; *at != 0; at++)
    put(o, *at == '"' || *at == '\\' ? "\\%c" : (unsigned char)*at < 0x20 ? "?" : "%c", *at);
  put(o, "\"");
}

static void put_shape(const out_t *o) {
  const wl_launch_block_t *l = &o->l;
  put(o, "{\n\"warplock\": \"start\", \"version\": 1, \"isa\": \"0x%016llx\",\n\"kernel\": ",
      (unsigned long long)wl_isa_hash());
  put_name(o, o->f->entry->name);
  put(o, ",\n\"grid\": [%u, %u, %u], \"block\": [%u, %u, %u],\n", l->nctaid_x, l->nctaid_y,
      l->nctaid_z, l->ntid_x, l->ntid_y, l->ntid_z);
  put(o,
      "\"entry_pc\": %u, \"registers\": %u, \"shared_bytes\": %u, \"dynamic_shared\": %u, "
      "\"local_bytes\": %u,\n",
      l->entry_pc, o->f->entry->regs, l->smem_bytes, l->dynamic_smem, l->local_bytes);
  put(o, "\"memory_base\": %llu, \"memory_limit\": %llu,\n",
      (unsigned long long)wl_pair(l->mem_base), (unsigned long long)wl_pair(l->mem_limit));
  put(o, "\"shared_window\": %llu, \"local_window\": %llu,\n",
      (unsigned long long)CMP_SHARED_WINDOW << 32, (unsigned long long)CMP_LOCAL_WINDOW << 32);
  const struct {
    uint64_t at;
    uint32_t bytes;
  } banks[] = {{wl_pair(l->c0_base), WL_LAUNCH_BLOCK_WORDS * 4 + l->param_bytes},
               {wl_pair(l->c1_base), l->c1_bytes},
               {wl_pair(l->c2_base), l->c2_bytes}};
  put(o, "\"constants\": [");
  for (int i = 0; i < 3; i++)
    put(o, "%s{\"address\": %llu, \"bytes\": %u}", i == 0 ? "" : ", ",
        (unsigned long long)banks[i].at, banks[i].bytes);
  put(o, "],\n");
}

static void put_hex(const out_t *o, const uint8_t *data, uint64_t bytes) {
  static const char digits[] = "0123456789abcdef";
  char text[512];
  put(o, "\"");
  for (uint64_t i = 0; i < bytes;) {
    size_t n = 0;
    for (; n < sizeof text && i < bytes; i++) {
      text[n++] = digits[data[i] >> 4];
      text[n++] = digits[data[i] & 15];
    }
    o->text(o->context, text, n);
  }
  put(o, "\"");
}

static void put_params(const out_t *o) {
  const wl_obj_entry_t *e = o->f->entry;
  const uint64_t at = wl_pair(o->l.c0_base) + WL_LAUNCH_BLOCK_WORDS * 4;
  put(o, "\"parameters\": [");
  for (uint32_t i = 0; i < e->param_count; i++) {
    const wl_obj_param_t *p = &e->params[i];
    put(o, "%s\n{\"name\": ", i == 0 ? "" : ",");
    put_name(o, p->name);
    put(o,
        ", \"type\": \"%s\", \"offset\": %u, \"bytes\": %u, \"data\": ", wl_obj_type_name(p->type),
        p->offset, p->bytes);
    put_hex(o, wl_mem_at(o->f->module->device, at + p->offset, p->bytes), p->bytes);
    put(o, "}");
  }
  put(o, "],\n");
}

static void put_symbols(const out_t *o) {
  const wl_module_t *m = o->f->module;
  const char *comma = "";
  put(o, "\"variables\": [");
  for (uint32_t i = 0; i < m->obj->sym_count; i++) {
    const wl_obj_sym_t *s = &m->obj->syms[i];
    if (s->kind == WL_OBJ_SYM_FUNC) continue;
    put(o, "%s\n{\"name\": ", comma);
    put_name(o, s->name);
    const bool global = s->kind == WL_OBJ_SYM_GLOBAL, constant = s->kind == WL_OBJ_SYM_CONST;
    put(o, ", \"space\": \"%s\", \"address\": %llu, \"generic\": %llu, \"bytes\": %llu}",
        global     ? "global"
        : constant ? "const"
                   : "shared",
        (unsigned long long)(s->value + (global ? m->global : 0)),
        (unsigned long long)(s->value + (global     ? m->global
                                         : constant ? m->c2
                                                    : (unsigned long long)CMP_SHARED_WINDOW << 32)),
        (unsigned long long)s->size);
    comma = ",";
  }
  put(o, "],\n");
}

static void put_code(const out_t *o) {
  const wl_obj_t *obj = o->f->module->obj;
  put(o, "\"code\": [");
  for (uint32_t pc = 0; pc < obj->code_count; pc++) {
    char text[WL_DIS_MAX];
    const uint32_t *w = obj->code[pc].w;
    const wl_obj_line_t *line = wl_obj_find_line(obj, pc);
    wl_dis_word(w, text, sizeof text);
    put(o, "%s\n{\"words\": [%u, %u, %u, %u], \"text\": \"%s\", \"line\": %u}", pc == 0 ? "" : ",",
        w[0], w[1], w[2], w[3], text, line != NULL ? line->ptx_line : 0);
  }
  put(o, "],\n");
}

/* Local memory is the thread's own and starts as zeros, so it is left out. */
static void put_memory(const out_t *o) {
  const wl_device_t *d = o->f->module->device;
  const char *comma = "";
  put(o, "\"memory\": [");
  for (size_t i = 0; i < d->block_count; i++) {
    const wl_block_t *b = &d->blocks[i];
    if (b->address == d->local) continue;
    const uint64_t bytes =
        b->address == d->c0 ? WL_LAUNCH_BLOCK_WORDS * 4 + o->l.param_bytes : b->bytes;
    put(o, "%s\n{\"address\": %llu, \"data\": ", comma, (unsigned long long)b->address);
    put_hex(o, wl_mem_at(d, b->address, bytes), bytes);
    put(o, "}");
    comma = ",";
  }
  put(o, "]\n}\n");
}

wl_status_t wl_compare_start(wl_function_t *f, const wl_launch_t *launch, const wl_arg_t *args,
                             unsigned arg_count, wl_text_t text, void *context) {
  wl_device_t *d = f->module->device;
  out_t o = {.text = text, .context = context, .f = f};
  const wl_status_t status = wl_launch_prepare(f, launch, args, arg_count);
  if (status != WL_OK) return status;
  memcpy(&o.l, wl_mem_at(d, d->c0, sizeof o.l), sizeof o.l);
  put_shape(&o);
  put_params(&o);
  put_symbols(&o);
  put_code(&o);
  put_memory(&o);
  return wl_pass(d);
}
