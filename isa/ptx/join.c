/* join.c: several declarations of one module-scope variable [PTX 11.6]. */
#include "isa/ptx/px.h"

/* What a module-scope variable of this name was declared as before, or NULL. */
wl_ptx_var_t *wl_px_declared_before(wl_px_t *p, const wl_tok_t *name) {
  if (p->fn.func != NULL) return NULL;
  wl_sym_t *s = wl_px_lookup(p, name->text, name->len);
  p->touched = 0; /* no use of it: a second declaration of a refused name is an error */
  return s != NULL && s->kind == WL_SYM_VAR ? s->obj : NULL;
}

/* One .extern and one other declaration, in either order, are one variable [PTX 11.6]. The first
 * object stays, because operands refer to it; it takes over what the definition says. */
bool wl_px_join(wl_px_t *p, wl_ptx_var_t *old, const wl_ptx_var_t *v) {
  bool was = old->linkage == WL_PTX_LINK_EXTERN, is = v->linkage == WL_PTX_LINK_EXTERN;
  if (!was && !is) {
    return wl_px_error(p, v->pos, "5.4.1",
                       "`%.60s` is declared twice in this scope; first at %u:%u", v->name,
                       old->pos.line, old->pos.col);
  }
  bool same = old->space == v->space && old->type == v->type && old->vec == v->vec &&
              (old->size == v->size || (was && old->unsized) || (is && v->unsized));
  if (!same) {
    return wl_px_error(p, v->pos, "11.6.1", "`%.60s` does not match its declaration at %u:%u",
                       v->name, old->pos.line, old->pos.col);
  }
  if (was && v->linkage == WL_PTX_LINK_LOCAL) {
    return wl_px_error(p, v->pos, "11.6.1",
                       "an .extern variable is defined by a .visible, .weak or "
                       ".common one");
  }
  if (v->align > old->align) old->align = v->align;
  if (is) return true;
  uint32_t align = old->align, id = old->id, owner = old->owner;
  *old = *v;
  old->owner = wl_diag_is_refused(p->d, p->d->owner) ? p->d->owner : owner;
  old->align = align;
  old->id = id;
  return true;
}
