/* verify.c: every index, size and count of a module (object.h; docs/architecture.md 2: the loader
 * trusts nothing). Deliberately does not decode instructions: illegal ones trap when they issue. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/obj/object.h"

#define MAX_BARRIERS 16u
#define MAX_SMEM     (1u << 24)
#define MAX_LOCAL    (1u << 24)

typedef struct check {
  const wl_obj_t *o;
  char *buf;
  size_t cap;
} check_t;

static const char *wrong(const check_t *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static const char *wrong(const check_t *c, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)vsnprintf(c->buf, c->cap, format, args);
  va_end(args);
  return c->buf;
}

static bool is_pow2(uint32_t v) { return v != 0 && (v & (v - 1)) == 0; }

static const char *check_images(const check_t *c) {
  static const char *const names[WL_OBJ_IMAGES] = {"c1", "c2", "global"};
  static const uint64_t limits[WL_OBJ_IMAGES] = {WL_OBJ_MAX_C1, WL_OBJ_MAX_C2, WL_OBJ_MAX_GLOBAL};
  for (int i = 0; i < WL_OBJ_IMAGES; i++) {
    const wl_obj_image_t *m = &c->o->image[i];
    if (!is_pow2(m->align) || m->align < 64 || m->align > 65536) {
      return wrong(c, "image %s: alignment %u", names[i], m->align);
    }
    if (m->bytes > limits[i] || m->data_bytes > m->bytes ||
        (i != WL_OBJ_GLOBAL && m->data_bytes != m->bytes)) {
      return wrong(c, "image %s: %llu bytes", names[i], (unsigned long long)m->bytes);
    }
  }
  return NULL;
}

static const char *check_syms(const check_t *c) {
  const wl_obj_t *o = c->o;
  for (uint32_t i = 0; i < o->sym_count; i++) {
    const wl_obj_sym_t *s = &o->syms[i];
    if (s->name == NULL || s->name[0] == 0) {
      return wrong(c, "symbol %u has no name", i);
    }
    uint64_t limit = 0;
    switch (s->kind) {
    case WL_OBJ_SYM_FUNC:
      limit = o->code_count;
      break;
    case WL_OBJ_SYM_GLOBAL:
      limit = o->image[WL_OBJ_GLOBAL].bytes;
      break;
    case WL_OBJ_SYM_CONST:
      limit = o->image[WL_OBJ_C2].bytes;
      break;
    case WL_OBJ_SYM_SHARED:
      limit = MAX_SMEM;
      break;
    default:
      return wrong(c, "symbol %s: unknown kind %d", s->name, (int)s->kind);
    }
    if (s->value > limit || s->size > limit - s->value) {
      return wrong(c, "symbol %s lies outside its section", s->name);
    }
    if (s->kind == WL_OBJ_SYM_FUNC && s->value == limit) {
      return wrong(c, "function %s starts behind the code", s->name);
    }
  }
  return NULL;
}

static const char *check_relocs(const check_t *c) {
  static const wl_obj_sym_kind_t kinds[] = {[WL_OBJ_RELOC_GLOBAL] = WL_OBJ_SYM_GLOBAL,
                                            [WL_OBJ_RELOC_CONST] = WL_OBJ_SYM_CONST,
                                            [WL_OBJ_RELOC_FUNC] = WL_OBJ_SYM_FUNC};
  const wl_obj_t *o = c->o;
  for (uint32_t i = 0; i < o->reloc_count; i++) {
    const wl_obj_reloc_t *r = &o->relocs[i];
    if ((unsigned)r->image >= WL_OBJ_IMAGES || r->offset % 8 != 0 ||
        r->offset > o->image[r->image].data_bytes ||
        o->image[r->image].data_bytes - r->offset < 8) {
      return wrong(c, "relocation %u: place outside its section or not aligned", i);
    }
    if ((unsigned)r->kind >= sizeof kinds / sizeof kinds[0]) {
      return wrong(c, "relocation %u: unknown kind %d", i, (int)r->kind);
    }
    if (r->symbol >= o->sym_count || o->syms[r->symbol].kind != kinds[r->kind]) {
      return wrong(c, "relocation %u: wrong symbol %u", i, r->symbol);
    }
  }
  return NULL;
}

static const char *check_params(const check_t *c, const wl_obj_entry_t *e) {
  uint32_t end = 0;
  for (uint32_t i = 0; i < e->param_count; i++) {
    const wl_obj_param_t *p = &e->params[i];
    if (p->name == NULL) {
      return wrong(c, "entry %s: parameter %u has no name", e->name, i);
    }
    uint32_t natural = (unsigned)p->type < WL_OBJ_TYPES ? wl_obj_type_bytes(p->type) : UINT32_MAX;
    if (natural == UINT32_MAX || (natural != 0 && natural != p->bytes)) {
      return wrong(c, "entry %s: parameter %s: %u bytes of type %d", e->name, p->name, p->bytes,
                   (int)p->type);
    }
    if (!is_pow2(p->align) || p->offset % p->align != 0 || p->offset < end ||
        p->offset > e->param_bytes || p->bytes > e->param_bytes - p->offset) {
      return wrong(c, "entry %s: parameter %s lies wrongly in the parameter area", e->name,
                   p->name);
    }
    if (p->ptr_space != WL_OBJ_NONE && p->ptr_space > 15) {
      return wrong(c, "entry %s: parameter %s: address space %u", e->name, p->name, p->ptr_space);
    }
    end = p->offset + p->bytes;
  }
  return NULL;
}

static const char *check_entry(const check_t *c, const wl_obj_entry_t *e, uint32_t index) {
  const wl_obj_t *o = c->o;
  if (e->name == NULL || e->name[0] == 0) {
    return wrong(c, "entry %u has no name", index);
  }
  for (uint32_t i = 0; i < index; i++) {
    if (strcmp(o->entries[i].name, e->name) == 0) {
      return wrong(c, "entry %s exists twice", e->name);
    }
  }
  if (e->pc >= o->code_count) {
    return wrong(c, "entry %s starts at instruction %u of %u", e->name, e->pc, o->code_count);
  }
  if (e->regs < 1 || e->regs > 255 || e->preds > 7 || e->barriers > MAX_BARRIERS) {
    return wrong(c, "entry %s: %u registers, %u predicates, %u barriers", e->name, e->regs,
                 e->preds, e->barriers);
  }
  if (e->smem_static > MAX_SMEM || !is_pow2(e->smem_align) || e->smem_align > 65536) {
    return wrong(c, "entry %s: %u bytes of shared memory, alignment %u", e->name, e->smem_static,
                 e->smem_align);
  }
  if (e->local_bytes != WL_OBJ_LOCAL_BY_DEPTH &&
      (e->local_bytes % 4 != 0 || e->local_bytes > MAX_LOCAL)) {
    return wrong(c, "entry %s: local frame of %u bytes", e->name, e->local_bytes);
  }
  if (e->param_bytes > WL_OBJ_MAX_PARAM) {
    return wrong(c, "entry %s: %u parameter bytes", e->name, e->param_bytes);
  }
  return check_params(c, e);
}

static const char *check_lines(const check_t *c) {
  const wl_obj_t *o = c->o;
  for (uint32_t i = 0; i < o->line_count; i++) {
    const wl_obj_line_t *l = &o->lines[i];
    if (l->insn >= o->code_count || (i != 0 && l->insn <= o->lines[i - 1].insn)) {
      return wrong(c, "line table row %u: instruction %u", i, l->insn);
    }
    if (l->file != WL_OBJ_NONE && l->file >= o->file_count) {
      return wrong(c, "line table row %u: file %u of %u", i, l->file, o->file_count);
    }
  }
  return NULL;
}

const char *wl_obj_verify(const wl_obj_t *o, char *buf, size_t cap) {
  const check_t c = {o, buf, cap};
  if (o->failed) {
    return wrong(&c, "out of memory or over a limit while the module was built");
  }
  if (o->code_count > WL_OBJ_MAX_CODE || o->sym_count > WL_OBJ_MAX_COUNT ||
      o->entry_count > WL_OBJ_MAX_COUNT || o->line_count > WL_OBJ_MAX_COUNT) {
    return wrong(&c, "a table is too long");
  }
  const char *bad = check_images(&c);
  bad = bad != NULL ? bad : check_syms(&c);
  bad = bad != NULL ? bad : check_relocs(&c);
  for (uint32_t i = 0; bad == NULL && i < o->entry_count; i++) {
    bad = check_entry(&c, &o->entries[i], i);
  }
  bad = bad != NULL ? bad : check_lines(&c);
  bad = bad != NULL ? bad : wl_obj_verify_refusals(o, buf, cap);
  bad = bad != NULL ? bad : wl_obj_verify_marks(o, buf, cap);
  return bad != NULL ? bad : wl_obj_verify_ptxregs(o, buf, cap);
}
