/* vars.c: places of variables and their images. PTX 5.1, 5.4, 11.6.
 * .shared of the module and of .func from offset 0; behind them the .shared of each entry, which
 * may overlap those of other entries; extern (unsized) behind all of that at a multiple of 16;
 * .const in bank c2; .global in the data image, initialised ones first. Pointers in initialisers
 * become relocations, or plain numbers where the address is known here. */
#include <string.h>

#include "isa/lower/module.h"

enum { DYNAMIC_ALIGN = 16, MAX_SHARED = 1 << 24 };

static bool has_image(const wl_ptx_var_t *v) {
  return v->space == WL_PTX_SPACE_GLOBAL || v->space == WL_PTX_SPACE_CONST;
}

const wl_place_t *wl_lower_place(const wl_lower_t *l, const wl_ptx_func_t *fn,
                                 const wl_ptx_var_t *var) {
  return var->role == WL_PTX_VAR_MODULE ? &l->vars[var->id] : &l->func_vars[fn->id][var->id];
}

/* Calls fn for every variable of the module and of its functions, but for refused ones. */
typedef void (*var_fn_t)(wl_lower_t *l, const wl_ptx_func_t *f, const wl_ptx_var_t *v,
                         wl_place_t *p);

static void for_all(wl_lower_t *l, var_fn_t fn) {
  for (uint32_t i = 0; i < l->m->nvars; i++) {
    l->diags->owner = l->m->vars[i]->owner;
    if (!wl_diag_is_refused(l->diags, l->diags->owner)) fn(l, NULL, l->m->vars[i], &l->vars[i]);
  }
  for (uint32_t f = 0; f < l->m->nfuncs; f++) {
    l->diags->owner = l->m->funcs[f]->owner;
    for (uint32_t i = 0; i < l->m->funcs[f]->nvars; i++)
      if (!wl_diag_is_refused(l->diags, l->diags->owner))
        fn(l, l->m->funcs[f], l->m->funcs[f]->vars[i], &l->func_vars[f][i]);
  }
  l->diags->owner = 0;
}

static bool is_dynamic(const wl_ptx_var_t *v) {
  return v->space == WL_PTX_SPACE_SHARED && (v->unsized || v->linkage == WL_PTX_LINK_EXTERN);
}

/* Puts v at the next aligned offset from *end. */
static void put_shared(wl_lower_t *l, const wl_ptx_var_t *v, wl_place_t *p, uint32_t *end) {
  if (v->align > l->shared_align) l->shared_align = v->align;
  p->offset = (*end + v->align - 1) / v->align * v->align;
  if (v->size > MAX_SHARED || p->offset + v->size > MAX_SHARED) {
    wl_diag_add(l->diags, WL_DIAG_UNSUPPORTED, v->pos, "5.1.7",
                "'%s': shared memory exceeds %d bytes", v->name, MAX_SHARED);
    return;
  }
  *end = (uint32_t)(p->offset + v->size);
  wl_obj_add_sym(l->obj, v->name, WL_OBJ_SYM_SHARED, false, p->offset, v->size);
}

static void place_common(wl_lower_t *l, const wl_ptx_func_t *f, const wl_ptx_var_t *v,
                         wl_place_t *p) {
  if (v->space != WL_PTX_SPACE_SHARED || is_dynamic(v) || (f != NULL && f->is_entry)) return;
  put_shared(l, v, p, &l->shared_common);
}

static void place_own(wl_lower_t *l, const wl_ptx_func_t *f, const wl_ptx_var_t *v, wl_place_t *p) {
  if (v->space != WL_PTX_SPACE_SHARED || is_dynamic(v) || f == NULL || !f->is_entry) return;
  if (l->shared_end[f->id] == 0) l->shared_end[f->id] = l->shared_common;
  put_shared(l, v, p, &l->shared_end[f->id]);
}

static void place_dynamic(wl_lower_t *l, const wl_ptx_func_t *f, const wl_ptx_var_t *v,
                          wl_place_t *p) {
  (void)f;
  if (!is_dynamic(v)) return;
  p->offset = l->shared_base;
  wl_obj_add_sym(l->obj, v->name, WL_OBJ_SYM_SHARED, false, p->offset, 0);
}

static void widest_dynamic(wl_lower_t *l, const wl_ptx_func_t *f, const wl_ptx_var_t *v,
                           wl_place_t *p) {
  (void)f, (void)p;
  if (is_dynamic(v) && v->align > l->shared_align) l->shared_align = v->align;
}

/* One base for dynamic shared memory in every entry, since a .func may name it too. */
static void find_base(wl_lower_t *l) {
  const uint32_t align = l->shared_align > DYNAMIC_ALIGN ? l->shared_align : DYNAMIC_ALIGN;
  uint32_t end = l->shared_common;
  for (uint32_t i = 0; i < l->m->nfuncs; i++)
    if (l->shared_end[i] > end) end = l->shared_end[i];
  l->shared_align = align;
  l->shared_base = (end + align - 1) / align * align;
}

static void place_stored(wl_lower_t *l, const wl_ptx_func_t *f, const wl_ptx_var_t *v,
                         wl_place_t *p) {
  if (f == NULL && v->space == WL_PTX_SPACE_LOCAL)
    wl_diag_add(l->diags, WL_DIAG_UNSUPPORTED, v->pos, "5.1.5",
                "'%s': .local variables outside functions are not implemented", v->name);
  if (!has_image(v)) return;
  if (v->linkage == WL_PTX_LINK_EXTERN) {
    wl_diag_add(l->diags, WL_DIAG_UNSUPPORTED, v->pos, "11.6.1", "'%s' is defined in no module",
                v->name);
    return;
  }
  const bool global = v->space == WL_PTX_SPACE_GLOBAL;
  if (global && v->init == NULL && v->nrelocs == 0) return; /* zeros come last */
  const uint64_t used = global ? 0 : l->obj->image[WL_OBJ_C2].bytes;
  if (!global && (used + v->align - 1) / v->align * v->align + v->size > WL_OBJ_MAX_C2) {
    wl_diag_add(l->diags, WL_DIAG_UNSUPPORTED, v->pos, "5.1.3", "'%s' exceeds the constant bank",
                v->name);
    return;
  }
  p->offset = wl_obj_add_data(l->obj, global ? WL_OBJ_GLOBAL : WL_OBJ_C2, v->init, (size_t)v->size,
                              v->align);
  p->sym = wl_obj_add_sym(l->obj, v->name, global ? WL_OBJ_SYM_GLOBAL : WL_OBJ_SYM_CONST,
                          v->linkage == WL_PTX_LINK_VISIBLE, p->offset, v->size);
}

static void place_zero(wl_lower_t *l, const wl_ptx_func_t *f, const wl_ptx_var_t *v,
                       wl_place_t *p) {
  (void)f;
  if (v->space != WL_PTX_SPACE_GLOBAL || v->linkage == WL_PTX_LINK_EXTERN || v->init != NULL ||
      v->nrelocs != 0)
    return;
  p->offset = wl_obj_add_zero(l->obj, v->size, v->align);
  p->sym = wl_obj_add_sym(l->obj, v->name, WL_OBJ_SYM_GLOBAL, v->linkage == WL_PTX_LINK_VISIBLE,
                          p->offset, v->size);
}

/* A field that is known here: addresses in .const. */
static void write_field(wl_lower_t *l, const wl_ptx_var_t *v, const wl_place_t *p,
                        const wl_ptx_reloc_t *r, uint64_t value) {
  wl_obj_image_t *im = &l->obj->image[v->space == WL_PTX_SPACE_GLOBAL ? WL_OBJ_GLOBAL : WL_OBJ_C2];
  value >>= r->shift;
  for (uint32_t i = 0; i < r->size && p->offset + r->offset + i < im->data_bytes; i++)
    im->data[p->offset + r->offset + i] = (uint8_t)(value >> (8 * i));
}

static void relocate(wl_lower_t *l, const wl_ptx_func_t *f, const wl_ptx_var_t *v, wl_place_t *p) {
  if (!has_image(v) || v->linkage == WL_PTX_LINK_EXTERN) return;
  for (uint32_t i = 0; i < v->nrelocs; i++) {
    const wl_ptx_reloc_t *r = &v->relocs[i];
    if (r->var != NULL && wl_diag_is_refused(l->diags, r->var->owner)) continue;
    const wl_place_t *to = r->var != NULL ? wl_lower_place(l, f, r->var) : NULL;
    if (r->var != NULL && r->var->space == WL_PTX_SPACE_CONST && !r->generic) {
      write_field(l, v, p, r, to->offset + (uint64_t)r->addend);
      continue;
    }
    const uint32_t sym = r->var != NULL ? to->sym : l->func_sym[wl_lower_alias(r->func)->id];
    if (r->func != NULL && sym == WL_OBJ_NONE) {
      wl_diag_add(l->diags, WL_DIAG_UNSUPPORTED, r->pos, "11.6.1",
                  "function '%s' has no body in this module", r->func->name);
      continue;
    }
    if (r->size != 8 || r->shift != 0 || (p->offset + r->offset) % 8 != 0 || sym == WL_OBJ_NONE ||
        (r->var != NULL && !has_image(r->var))) {
      wl_diag_add(l->diags, WL_DIAG_UNSUPPORTED, r->pos, "5.4.4",
                  "this address cannot be an initial value: only whole 8-byte addresses can");
      continue;
    }
    wl_obj_add_reloc(l->obj, v->space == WL_PTX_SPACE_GLOBAL ? WL_OBJ_GLOBAL : WL_OBJ_C2,
                     p->offset + r->offset,
                     r->func != NULL                       ? WL_OBJ_RELOC_FUNC
                     : r->var->space == WL_PTX_SPACE_CONST ? WL_OBJ_RELOC_CONST
                                                           : WL_OBJ_RELOC_GLOBAL,
                     sym, r->addend);
  }
}

/* What is refused keeps this. */
static void no_places(wl_lower_t *l) {
  for (uint32_t i = 0; i < l->m->nvars; i++)
    l->vars[i].sym = WL_OBJ_NONE;
  for (uint32_t f = 0; f < l->m->nfuncs; f++)
    for (uint32_t i = 0; i < l->m->funcs[f]->nvars; i++)
      l->func_vars[f][i].sym = WL_OBJ_NONE;
}

void wl_lower_vars(wl_lower_t *l) {
  no_places(l);
  l->shared_align = 1;
  for_all(l, place_common);
  for_all(l, place_own);
  for_all(l, widest_dynamic);
  find_base(l);
  for_all(l, place_dynamic);
  for_all(l, place_stored);
  for_all(l, place_zero);
  for_all(l, relocate);
}
