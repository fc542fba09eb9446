/* debug.c: .loc, .file, .section [PTX 11.5] and .pragma [PTX 11.4, 12]. DWARF data is parsed only
 * as far as needed to skip it; .loc is kept on the instructions. */
#include <string.h>

#include "isa/ptx/px.h"

static bool uint_arg(wl_px_t *p, const char *what, uint32_t *out) {
  uint64_t v;
  if (p->tok.kind != WL_TOK_INT) {
    char buf[96];
    return wl_px_error(p, p->tok.pos, "11.5", "expected %s, got %s", what,
                       wl_px_tok_text(&p->tok, buf, sizeof buf));
  }
  if (!wl_px_const_range(p, "11.5", what, 0, UINT32_MAX, &v)) return false;
  *out = (uint32_t)v;
  return true;
}

static bool label_plus(wl_px_t *p) {
  if (p->tok.kind != WL_TOK_IDENT && p->tok.kind != WL_TOK_DOT) {
    return wl_px_error(p, p->tok.pos, "11.5.3", "expected a label behind function_name");
  }
  wl_px_next(p);
  uint64_t off;
  return !wl_px_accept(p, '+') || wl_px_const_range(p, "11.5.3", "offset", 0, UINT32_MAX, &off);
}

static bool loc(wl_px_t *p) {
  if (p->fn.func == NULL)
    return wl_px_error(p, p->tok.pos, "11.5.3", ".loc stands in functions only");
  wl_ptx_debug_loc_t *l = wl_px_alloc(p, sizeof *l);
  uint32_t skip;
  if (!uint_arg(p, "a file index", &l->file) || !uint_arg(p, "a line", &l->line) ||
      !uint_arg(p, "a column", &l->col)) {
    return false;
  }
  while (wl_px_accept(p, ',')) {
    bool ok;
    if (wl_px_is_ident(p, "function_name")) {
      wl_px_next(p);
      ok = label_plus(p);
    } else if (wl_px_is_ident(p, "inlined_at")) {
      wl_px_next(p);
      ok = uint_arg(p, "a file index", &skip) && uint_arg(p, "a line", &skip) &&
           uint_arg(p, "a column", &skip);
    } else {
      ok = wl_px_error(p, p->tok.pos, "11.5.3", "expected function_name or inlined_at");
    }
    if (!ok) return false;
  }
  p->loc = l;
  return true;
}

static bool file(wl_px_t *p) {
  wl_ptx_file_t f = {0, NULL};
  uint32_t skip;
  wl_ptx_pos_t pos = p->tok.pos;
  if (!uint_arg(p, "a file index", &f.index)) return false;
  for (uint32_t i = 0; i < p->m->nfiles; i++) {
    if (p->m->files[i].index == f.index)
      return wl_px_error(p, pos, "11.5.2", "file index %u is in use already", f.index);
  }
  if (p->tok.kind != WL_TOK_STRING)
    return wl_px_error(p, p->tok.pos, "11.5.2", ".file needs a quoted name");
  f.name = wl_px_text(p, &p->tok);
  wl_px_next(p);
  while (wl_px_accept(p, ',')) {
    if (!uint_arg(p, "a number", &skip)) return false;
  }
  wl_ptx_module_t *m = p->m;
  m->files = wl_px_grow(p, m->files, m->nfiles, &p->cap_files, sizeof *m->files);
  m->files[m->nfiles++] = f;
  return true;
}

static bool section(wl_px_t *p) {
  wl_ptx_pos_t pos = p->tok.pos;
  if (p->tok.kind != WL_TOK_DOT && p->tok.kind != WL_TOK_IDENT) {
    return wl_px_error(p, pos, "11.5.1", ".section needs a name");
  }
  wl_px_next(p);
  if (!wl_px_expect(p, '{', "11.5.1", "to begin the section")) return false;
  while (!wl_px_is(p, '}')) {
    if (p->tok.kind == WL_TOK_EOF || wl_px_is(p, '{')) {
      return wl_px_error(p, pos, "11.5.1", "section is not closed");
    }
    wl_px_next(p);
  }
  wl_px_next(p);
  return true;
}

bool wl_px_debug_directive(wl_px_t *p, bool *matched) {
  *matched = true;
  if (wl_px_accept_dot(p, "loc")) return loc(p);
  if (wl_px_accept_dot(p, "file")) return file(p);
  if (wl_px_accept_dot(p, "section")) return section(p);
  *matched = false;
  return true;
}

bool wl_px_pragma(wl_px_t *p, uint32_t index, wl_ptx_pragma_t **list, uint32_t *n, size_t *cap) {
  do {
    if (p->tok.kind != WL_TOK_STRING) {
      if (p->tok.kind == WL_TOK_BAD) return false;
      return wl_px_error(p, p->tok.pos, "11.4", ".pragma needs quoted strings");
    }
    if (p->fn.func != NULL && !wl_px_check_word(p, &p->tok, "12")) return false;
    *list = wl_px_grow(p, *list, *n, cap, sizeof **list);
    (*list)[(*n)++] = (wl_ptx_pragma_t){wl_px_text(p, &p->tok), p->tok.pos, index};
    wl_px_next(p);
  } while (wl_px_accept(p, ','));
  return wl_px_semicolon(p, "11.4");
}
