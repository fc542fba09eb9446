/* px.c: token window, errors and recovery of the parser (px.h). One error per statement: after an
 * error the parser skips to the `;`, or to a line that visibly starts a new statement. */
#include "isa/ptx/px.h"

#include <stdarg.h>
#include <string.h>

void *wl_px_alloc(wl_px_t *p, size_t size) {
  void *v = wl_arena_alloc(p->a, size);
  if (v == NULL) longjmp(p->out_of_memory, 1);
  return v;
}

void *wl_px_grow(wl_px_t *p, void *array, size_t count, size_t *cap, size_t elem) {
  void *v = wl_arena_grow(p->a, array, count, cap, elem);
  if (v == NULL) longjmp(p->out_of_memory, 1);
  return v;
}

const char *wl_px_text(wl_px_t *p, const wl_tok_t *t) {
  char *s = wl_px_alloc(p, (size_t)t->len + 1);
  if (t->len != 0) memcpy(s, t->text, t->len);
  return s;
}

void wl_px_next(wl_px_t *p) {
  p->last_line = p->tok.pos.line;
  if (p->have_ahead) {
    p->tok = p->ahead;
    p->have_ahead = false;
  } else {
    wl_lex_next(&p->lx, &p->tok);
  }
}

const wl_tok_t *wl_px_peek(wl_px_t *p) {
  if (!p->have_ahead) {
    wl_lex_next(&p->lx, &p->ahead);
    p->have_ahead = true;
  }
  return &p->ahead;
}

bool wl_px_is(const wl_px_t *p, int punct) {
  return p->tok.kind == WL_TOK_PUNCT && p->tok.op == punct;
}

static bool tok_is(const wl_tok_t *t, wl_tok_kind_t kind, const char *text) {
  return t->kind == kind && strlen(text) == t->len && memcmp(t->text, text, t->len) == 0;
}

bool wl_px_is_dot(const wl_px_t *p, const char *text) { return tok_is(&p->tok, WL_TOK_DOT, text); }
bool wl_px_is_ident(const wl_px_t *p, const char *text) {
  return tok_is(&p->tok, WL_TOK_IDENT, text);
}

bool wl_px_accept(wl_px_t *p, int punct) {
  if (!wl_px_is(p, punct)) return false;
  wl_px_next(p);
  return true;
}

bool wl_px_accept_dot(wl_px_t *p, const char *text) {
  if (!wl_px_is_dot(p, text)) return false;
  wl_px_next(p);
  return true;
}

const char *wl_px_tok_text(const wl_tok_t *t, char *buf, size_t cap) {
  int n = t->len > 60 ? 60 : (int)t->len;
  if (t->kind == WL_TOK_EOF) {
    snprintf(buf, cap, "end of file");
  } else if (t->kind == WL_TOK_STRING) {
    snprintf(buf, cap, "\"%.*s\"", n, t->text);
  } else {
    snprintf(buf, cap, "`%s%.*s`", t->kind == WL_TOK_DOT ? "." : "", n, t->text);
  }
  return buf;
}

bool wl_px_expect(wl_px_t *p, int punct, const char *clause, const char *where) {
  if (wl_px_accept(p, punct)) return true;
  char buf[96];
  if (p->tok.kind == WL_TOK_BAD) return false;
  return wl_px_error(p, p->tok.pos, clause, "expected `%c` %s, got %s", punct, where,
                     wl_px_tok_text(&p->tok, buf, sizeof buf));
}

bool wl_px_semicolon(wl_px_t *p, const char *clause) {
  if (wl_px_accept(p, ';')) return true;
  char buf[96];
  bool fresh = p->tok.line_start;
  if (p->tok.kind != WL_TOK_BAD) {
    wl_px_error(p, p->tok.pos, clause, "expected `;` before %s",
                wl_px_tok_text(&p->tok, buf, sizeof buf));
  }
  if (!fresh) wl_px_skip_statement(p);
  return false;
}

/* Does the token, first on its line, begin a statement? Then a missing `;` was the error. */
static bool looks_like_start(wl_px_t *p) {
  if (!p->tok.line_start) return false;
  if (p->tok.kind == WL_TOK_DOT || wl_px_is(p, '@')) return true;
  if (p->tok.kind != WL_TOK_IDENT) return false;
  if (wl_forms_find_op(p->forms, p->tok.text, p->tok.len) != WL_PTX_OP_NONE) return true;
  const wl_tok_t *n = wl_px_peek(p);
  return n->kind == WL_TOK_PUNCT && n->op == ':';
}

void wl_px_skip_statement(wl_px_t *p) {
  uint32_t depth = p->open_braces; /* an error inside { } of an initialiser ends behind them */
  p->open_braces = 0;
  while (p->tok.kind != WL_TOK_EOF) {
    if (depth == 0 && wl_px_accept(p, ';')) return;
    if (looks_like_start(p)) return;
    if (wl_px_is(p, '{')) {
      depth++;
    } else if (wl_px_is(p, '}')) {
      if (depth == 0) return;
      depth--;
    }
    wl_px_next(p);
  }
}

void wl_px_split_percent(wl_px_t *p) {
  p->lx.at = (size_t)(p->tok.text - p->lx.text) + 1;
  p->have_ahead = false;
  p->tok.kind = WL_TOK_PUNCT;
  p->tok.op = '%';
  p->tok.len = 1;
}

static void report(wl_px_t *p, wl_diag_class_t cls, wl_ptx_pos_t pos, const char *clause,
                   const char *fmt, va_list ap) {
  char buf[900];
  if (vsnprintf(buf, sizeof buf, fmt, ap) < 0) buf[0] = 0;
  wl_diag_add(p->d, cls, pos, clause, "%s", buf);
}

bool wl_px_error(wl_px_t *p, wl_ptx_pos_t pos, const char *clause, const char *fmt, ...) {
  va_list ap;
  if (p->touched != 0) return false;
  va_start(ap, fmt);
  report(p, WL_DIAG_MALFORMED, pos, clause, fmt, ap);
  va_end(ap);
  return false;
}

bool wl_px_unsupported(wl_px_t *p, wl_ptx_pos_t pos, const char *clause, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  report(p, WL_DIAG_UNSUPPORTED, pos, clause, fmt, ap);
  va_end(ap);
  return false;
}

void wl_px_warn(wl_px_t *p, wl_ptx_pos_t pos, const char *clause, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  report(p, WL_DIAG_WARNING, pos, clause, fmt, ap);
  va_end(ap);
}

void wl_px_note(wl_px_t *p, wl_ptx_pos_t pos, const char *clause, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  report(p, WL_DIAG_NOTE, pos, clause, fmt, ap);
  va_end(ap);
}
