/* module.c: modules and functions of libwarplock: PTX text or object in, code and data placed in
 * device memory. docs/architecture.md 7. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/assemble.h"
#include "driver/internal.h"
#include "isa/obj/elf.h"

static char *copy_text(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  if (copy != NULL) {
    strcpy(copy, text);
  }
  return copy;
}

/* "k(u64 a, s32 n)"; a structure is "bytes[20] s". */
static char *make_prototype(const wl_obj_entry_t *e) {
  size_t cap = strlen(e->name) + 3;
  for (uint32_t i = 0; i < e->param_count; i++) {
    cap += strlen(e->params[i].name) + 32;
  }
  char *text = malloc(cap);
  if (text == NULL) {
    return NULL;
  }
  size_t at = (size_t)snprintf(text, cap, "%s(", e->name);
  for (uint32_t i = 0; i < e->param_count; i++) {
    const wl_obj_param_t *p = &e->params[i];
    const char *comma = i == 0 ? "" : ", ";
    if (p->type == WL_OBJ_BYTES) {
      at += (size_t)snprintf(text + at, cap - at, "%sbytes[%u] %s", comma, p->bytes, p->name);
    } else {
      at += (size_t)snprintf(text + at, cap - at, "%s%s %s", comma, wl_obj_type_name(p->type),
                             p->name);
    }
  }
  (void)snprintf(text + at, cap - at, ")");
  return text;
}

static wl_addr_t place(wl_module_t *m, uint64_t bytes, const char *what, bool internal) {
  char label[96];
  (void)snprintf(label, sizeof label, "%s of %.60s", what, m->name);
  return wl_block_add(m->device, bytes == 0 ? 64 : bytes, label, internal);
}

/* Writes the values of the relocations into the placed images. */
static void relocate(wl_module_t *m) {
  const wl_addr_t base[WL_OBJ_IMAGES] = {
      [WL_OBJ_C1] = m->c1, [WL_OBJ_C2] = m->c2, [WL_OBJ_GLOBAL] = m->global};
  for (uint32_t i = 0; i < m->obj->reloc_count; i++) {
    const wl_obj_reloc_t *r = &m->obj->relocs[i];
    uint64_t value = m->obj->syms[r->symbol].value + (uint64_t)r->addend;
    value += r->kind == WL_OBJ_RELOC_GLOBAL ? m->global : 0;
    value += r->kind == WL_OBJ_RELOC_CONST ? m->c2 : 0;
    uint8_t *to = wl_mem_at(m->device, base[r->image] + r->offset, 8);
    for (int b = 0; b < 8; b++) {
      to[b] = (uint8_t)(value >> (8 * b));
    }
  }
}

static void put_image(wl_module_t *m, wl_addr_t at, const wl_obj_image_t *image) {
  uint8_t *to = wl_mem_at(m->device, at, image->bytes);
  memset(to, 0, (size_t)image->bytes);
  if (image->data_bytes != 0) {
    memcpy(to, image->data, image->data_bytes);
  }
}

static wl_status_t load_image(wl_module_t *m) {
  wl_obj_t *o = m->obj;
  for (int i = 0; i < WL_OBJ_IMAGES; i++) {
    if (o->image[i].align > WL_ALLOC_ALIGN) {
      return wl_fail(m->device, WL_ERR_UNSUPPORTED, "%s: alignment %u is above %u", m->name,
                     o->image[i].align, WL_ALLOC_ALIGN);
    }
  }
  m->code = place(m, (uint64_t)o->code_count * 16, "code", true);
  m->c1 = place(m, o->image[WL_OBJ_C1].bytes, "constants of the assembler", true);
  m->c2 = place(m, o->image[WL_OBJ_C2].bytes, ".const", o->image[WL_OBJ_C2].bytes == 0);
  m->global =
      place(m, o->image[WL_OBJ_GLOBAL].bytes, ".global", o->image[WL_OBJ_GLOBAL].bytes == 0);
  if (m->code == 0 || m->c1 == 0 || m->c2 == 0 || m->global == 0) {
    return wl_fail(m->device, WL_ERR_UNSUPPORTED,
                   "%s does not fit into %llu bytes of device memory", m->name,
                   (unsigned long long)m->device->mem_bytes);
  }
  uint8_t *code = wl_mem_at(m->device, m->code, (uint64_t)o->code_count * 16);
  for (uint32_t i = 0; i < o->code_count * 4; i++) {
    for (int b = 0; b < 4; b++) {
      code[4 * i + (uint32_t)b] = (uint8_t)(o->code[i / 4].w[i % 4] >> (8 * b));
    }
  }
  put_image(m, m->c1, &o->image[WL_OBJ_C1]);
  put_image(m, m->c2, &o->image[WL_OBJ_C2]);
  put_image(m, m->global, &o->image[WL_OBJ_GLOBAL]);
  relocate(m);
  return WL_OK;
}

static wl_status_t make_functions(wl_module_t *m) {
  m->functions = calloc(m->obj->entry_count + 1u, sizeof m->functions[0]);
  bool ok = m->functions != NULL;
  for (uint32_t i = 0; ok && i < m->obj->entry_count; i++) {
    m->functions[i] = (wl_function_t){m, &m->obj->entries[i], make_prototype(&m->obj->entries[i])};
    ok = m->functions[i].prototype != NULL;
  }
  return ok ? WL_OK : wl_fail(m->device, WL_ERR_INTERNAL, "out of memory");
}

static wl_status_t read_module(wl_module_t *m, const uint8_t *bytes, size_t size,
                               const wl_module_options_t *options) {
  char err[512];
  if (wl_obj_is_elf(bytes, size)) {
    m->obj = wl_obj_read(bytes, size, err, sizeof err);
    return m->obj != NULL ? WL_OK : wl_fail(m->device, WL_ERR_INPUT, "%s: %s", m->name, err);
  }
  wl_assemble_input_t in = {.name = m->name,
                            .text = (const char *)bytes,
                            .bytes = size,
                            .max_regs = options != NULL && options->max_regs != 0
                                            ? options->max_regs
                                            : m->device->config->max_regs,
                            .target = options != NULL ? options->target : NULL,
                            .brief = true};
  wl_assemble_output_t out;
  wl_status_t status = wl_assemble_text(&in, &out);
  m->obj = out.obj;
  m->log = out.log;
  wl_assemble_free_histogram(&out);
  return status == WL_OK ? WL_OK : wl_fail_text(m->device, status, m->log != NULL ? m->log : "");
}

wl_status_t wl_module_load(wl_device_t *d, const char *name, const void *bytes, size_t size,
                           const wl_module_options_t *options, wl_module_t **out) {
  *out = NULL;
  if (d->ops == NULL) {
    return wl_fail(d, WL_ERR_INPUT, "the device is not open");
  }
  wl_module_t *m = calloc(1, sizeof *m);
  if (m == NULL || (m->name = copy_text(name)) == NULL) {
    free(m);
    return wl_fail(d, WL_ERR_INTERNAL, "out of memory");
  }
  m->device = d;
  m->next = d->modules;
  d->modules = m;
  wl_status_t status = read_module(m, bytes, size, options);
  status = status == WL_OK ? load_image(m) : status;
  status = status == WL_OK ? make_functions(m) : status;
  if (status != WL_OK) {
    wl_module_unload(m);
    return status;
  }
  *out = m;
  return wl_pass(d);
}

void wl_module_unload(wl_module_t *m) {
  if (m == NULL) {
    return;
  }
  wl_module_t **link = &m->device->modules;
  while (*link != m) {
    link = &(*link)->next;
  }
  *link = m->next;
  wl_block_remove(m->device, m->code);
  wl_block_remove(m->device, m->c1);
  wl_block_remove(m->device, m->c2);
  wl_block_remove(m->device, m->global);
  for (uint32_t i = 0; m->functions != NULL && i < m->obj->entry_count; i++) {
    free(m->functions[i].prototype);
  }
  free(m->functions);
  wl_obj_free(m->obj);
  free(m->name);
  free(m->log);
  free(m);
}

const char *wl_module_log(const wl_module_t *m) { return m->log != NULL ? m->log : ""; }

wl_status_t wl_module_symbol(wl_module_t *m, const char *name, wl_addr_t *address,
                             uint64_t *bytes) {
  static const wl_obj_sym_kind_t kinds[] = {WL_OBJ_SYM_GLOBAL, WL_OBJ_SYM_CONST};
  for (int k = 0; k < 2; k++) {
    uint32_t i = wl_obj_find_sym(m->obj, name, kinds[k]);
    if (i != WL_OBJ_NONE) {
      const wl_obj_sym_t *s = &m->obj->syms[i];
      *address = (k == 0 ? m->global : m->c2) + s->value;
      *bytes = s->size;
      return wl_pass(m->device);
    }
  }
  return wl_fail(m->device, WL_ERR_INPUT, "%s has no variable %s", m->name, name);
}

unsigned wl_module_functions(const wl_module_t *m) { return m->obj->entry_count; }

wl_function_t *wl_module_function_at(wl_module_t *m, unsigned index) {
  return index < m->obj->entry_count ? &m->functions[index] : NULL;
}

bool wl_function_refusal(const wl_function_t *f, unsigned index, wl_refusal_info_t *out) {
  const wl_obj_t *o = f->module->obj;
  const wl_obj_refusal_t *r = wl_obj_refusal(o, (uint32_t)(f->entry - o->entries), index);
  if (r != NULL) {
    *out = (wl_refusal_info_t){f->entry->name, r->line, r->clause, r->text};
  }
  return r != NULL;
}

wl_status_t wl_check_refused(wl_function_t *f) {
  const wl_module_t *m = f->module;
  const char *ptx = m->obj->ptx_name != NULL ? m->obj->ptx_name : m->name;
  wl_refusal_info_t r;
  char text[2000];
  if (!wl_function_refusal(f, 0, &r)) {
    return WL_OK;
  }
  size_t used =
      (size_t)snprintf(text, sizeof text, "%.200s: error: kernel %.200s cannot be launched",
                       m->name, f->entry->name);
  for (unsigned i = 0; used < sizeof text && wl_function_refusal(f, i, &r); i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, "\n%.200s:%u: error: %s%s%s%s", ptx,
                             r.line, r.text, r.clause[0] != 0 ? " [PTX " : "", r.clause,
                             r.clause[0] != 0 ? "]" : "");
  }
  return wl_fail(m->device, WL_ERR_UNSUPPORTED, "%s", text);
}

wl_status_t wl_module_function(wl_module_t *m, const char *name, wl_function_t **out) {
  *out = NULL;
  for (uint32_t i = 0; i < m->obj->entry_count; i++) {
    if (strcmp(m->obj->entries[i].name, name) == 0) {
      wl_status_t status = wl_check_refused(&m->functions[i]);
      *out = status == WL_OK ? &m->functions[i] : NULL;
      return status == WL_OK ? wl_pass(m->device) : status;
    }
  }
  char list[1024] = "";
  size_t used = 0;
  for (uint32_t i = 0; i < m->obj->entry_count && used < sizeof list; i++) {
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : ", ",
                             m->obj->entries[i].name);
  }
  return wl_fail(m->device, WL_ERR_INPUT, "%s has no kernel %s; its kernels: %s", m->name, name,
                 m->obj->entry_count == 0 ? "none" : list);
}

const char *wl_function_name(const wl_function_t *f) { return f->entry->name; }
const char *wl_function_prototype(const wl_function_t *f) { return f->prototype; }
unsigned wl_function_params(const wl_function_t *f) { return f->entry->param_count; }

bool wl_function_param(const wl_function_t *f, unsigned index, wl_param_info_t *out) {
  if (index >= f->entry->param_count) {
    return false;
  }
  const wl_obj_param_t *p = &f->entry->params[index];
  *out = (wl_param_info_t){p->name, wl_obj_type_name(p->type), p->bytes, p->align, p->offset};
  return true;
}

wl_status_t wl_function_query(const wl_function_t *f, wl_function_info_t *out) {
  const wl_obj_entry_t *e = f->entry;
  *out = (wl_function_info_t){.regs = e->regs,
                              .preds = e->preds,
                              .barriers = e->barriers,
                              .shared_static = e->smem_static,
                              .local_bytes = e->local_bytes,
                              .param_bytes = e->param_bytes,
                              .minctapersm = e->minctapersm,
                              .maxnreg = e->maxnreg};
  memcpy(out->reqntid, e->reqntid, sizeof out->reqntid);
  memcpy(out->maxntid, e->maxntid, sizeof out->maxntid);
  return WL_OK;
}
