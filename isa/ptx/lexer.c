/* lexer.c: see lexer.h. Numbers are in lexnum.c. Deliberately does not run the C preprocessor:
 * line markers are skipped, any other # line is an error. */
#include "isa/ptx/lexer.h"

#include <string.h>

#include "isa/ptx/lexnum.h"
#include "isa/ptx/limits.h"

void wl_lex_init(wl_lexer_t *lx, const char *text, size_t len, wl_diag_list_t *diags) {
  *lx = (wl_lexer_t){.text = text, .len = len, .line = 1, .fresh_line = true, .diags = diags};
}

static int at(const wl_lexer_t *lx, size_t off) {
  return lx->at + off < lx->len ? (unsigned char)lx->text[lx->at + off] : -1;
}

static wl_ptx_pos_t here(const wl_lexer_t *lx) {
  return (wl_ptx_pos_t){lx->line, (uint32_t)(lx->at - lx->line_at) + 1};
}

bool wl_lex_is_follow(int c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

static bool is_alpha(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(int c) { return c >= '0' && c <= '9'; }

static void new_line(wl_lexer_t *lx) { /* at the character after '\n' */
  lx->line++;
  lx->line_at = lx->at;
  lx->fresh_line = true;
}

static void skip_line(wl_lexer_t *lx) {
  const char *nl = memchr(lx->text + lx->at, '\n', lx->len - lx->at);
  lx->at = nl != NULL ? (size_t)(nl - lx->text) : lx->len;
}

static void skip_block_comment(wl_lexer_t *lx) {
  wl_ptx_pos_t start = here(lx);
  lx->at += 2;
  while (lx->at < lx->len) {
    if (at(lx, 0) == '*' && at(lx, 1) == '/') {
      lx->at += 2;
      return;
    }
    bool nl = lx->text[lx->at] == '\n';
    bool fresh = lx->fresh_line;
    lx->at++;
    if (nl) {
      new_line(lx);
      lx->fresh_line = fresh || lx->fresh_line;
    }
  }
  wl_diag_add(lx->diags, WL_DIAG_MALFORMED, start, "4.2", "comment is not closed");
}

/* A # line: `# 12 "file"` and `#line` come from a preprocessor that already ran. */
static void skip_hash_line(wl_lexer_t *lx) {
  wl_ptx_pos_t pos = here(lx);
  size_t i = 1;
  while (at(lx, i) == ' ' || at(lx, i) == '\t')
    i++;
  const char *word = lx->text + lx->at + i;
  size_t left = lx->len - lx->at - (i < lx->len - lx->at ? i : lx->len - lx->at);
  bool marker = is_digit(at(lx, i)) || at(lx, i) == '\n' || at(lx, i) < 0 ||
                (left >= 4 && memcmp(word, "line", 4) == 0) ||
                (left >= 4 && memcmp(word, "file", 4) == 0);
  if (!marker) {
    wl_diag_add(lx->diags, WL_DIAG_UNSUPPORTED, pos, "4.1",
                "preprocessor directives are not implemented here; run the C preprocessor first");
  }
  skip_line(lx);
}

static void skip_space(wl_lexer_t *lx) {
  for (;;) {
    int c = at(lx, 0);
    if (c == '\n') {
      lx->at++;
      new_line(lx);
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      lx->at++;
    } else if (c == '/' && at(lx, 1) == '/') {
      skip_line(lx);
    } else if (c == '/' && at(lx, 1) == '*') {
      skip_block_comment(lx);
    } else if (c == '#' && lx->fresh_line) {
      skip_hash_line(lx);
    } else if (c == '@' && at(lx, 1) == '@') {
      skip_line(lx); /* @@DWARF of PTX 1.x */
    } else {
      return;
    }
  }
}

static void finish(wl_lexer_t *lx, wl_tok_t *t, wl_tok_kind_t kind, size_t n) {
  t->kind = kind;
  t->len = (uint32_t)n;
  lx->at += n;
}

static void lex_ident(wl_lexer_t *lx, wl_tok_t *t) {
  size_t n = 1;
  while (wl_lex_is_follow(at(lx, n)))
    n++;
  if (n > WL_LIM_IDENT) {
    wl_diag_add(lx->diags, WL_DIAG_UNSUPPORTED, t->pos, "4.4",
                "identifier of %zu characters; this implementation takes up to %d", n,
                WL_LIM_IDENT);
    finish(lx, t, WL_TOK_BAD, n);
    return;
  }
  finish(lx, t, WL_TOK_IDENT, n);
}

/* .name{::name}*; digits may lead as in .1d, .128x256b */
static void lex_dot(wl_lexer_t *lx, wl_tok_t *t) {
  size_t n = 1;
  while (wl_lex_is_follow(at(lx, n)))
    n++;
  while (at(lx, n) == ':' && at(lx, n + 1) == ':' && wl_lex_is_follow(at(lx, n + 2))) {
    n += 2;
    while (wl_lex_is_follow(at(lx, n)))
      n++;
  }
  if (n == 1 || n > WL_LIM_IDENT) {
    wl_diag_add(lx->diags, WL_DIAG_MALFORMED, t->pos, "4.3.1", "`.` without a directive name");
    finish(lx, t, WL_TOK_BAD, n);
    return;
  }
  lx->at += 1;
  t->text++;
  finish(lx, t, WL_TOK_DOT, n - 1);
}

static void lex_string(wl_lexer_t *lx, wl_tok_t *t) {
  size_t n = 1;
  for (;; n++) {
    int c = at(lx, n);
    if (c < 0 || c == '\n') {
      wl_diag_add(lx->diags, WL_DIAG_MALFORMED, t->pos, "4.2", "string is not closed on its line");
      finish(lx, t, WL_TOK_BAD, n);
      return;
    }
    if (c == '"') break;
    if (c == '\\' && at(lx, n + 1) >= 0 && at(lx, n + 1) != '\n') n++;
  }
  t->text++;
  lx->at++;
  finish(lx, t, WL_TOK_STRING, n - 1);
  lx->at++;
}

static void lex_punct(wl_lexer_t *lx, wl_tok_t *t) {
  static const struct {
    char text[3];
    int op;
  } two[] = {{"<<", WL_P_SHL}, {">>", WL_P_SHR}, {"<=", WL_P_LE},     {">=", WL_P_GE},
             {"==", WL_P_EQ},  {"!=", WL_P_NE},  {"&&", WL_P_ANDAND}, {"||", WL_P_OROR}};
  int c = at(lx, 0);
  for (size_t i = 0; i < sizeof two / sizeof two[0]; i++) {
    if (c == two[i].text[0] && at(lx, 1) == two[i].text[1]) {
      t->op = two[i].op;
      finish(lx, t, WL_TOK_PUNCT, 2);
      return;
    }
  }
  if (c != 0 && c < 128 && strchr("{}()[]<>,;:@=!+-*/%~&|^?", c) != NULL) {
    t->op = c;
    finish(lx, t, WL_TOK_PUNCT, 1);
    return;
  }
  if (c >= 0x20 && c < 0x7f) {
    wl_diag_add(lx->diags, WL_DIAG_MALFORMED, t->pos, "4.1", "unexpected character `%c`", c);
  } else {
    wl_diag_add(lx->diags, WL_DIAG_MALFORMED, t->pos, "4.1",
                "byte 0x%02x; PTX source is ASCII text", (unsigned)c);
  }
  size_t n = 1; /* one message per run of such bytes */
  while (at(lx, n) >= 0x80 || (at(lx, n) >= 0 && at(lx, n) < 9))
    n++;
  finish(lx, t, WL_TOK_BAD, n);
}

void wl_lex_next(wl_lexer_t *lx, wl_tok_t *tok) {
  bool touching = lx->at > 0 && wl_lex_is_follow((unsigned char)lx->text[lx->at - 1]);
  skip_space(lx);
  *tok = (wl_tok_t){.pos = here(lx), .text = lx->text + lx->at, .line_start = lx->fresh_line};
  int c = at(lx, 0);
  if (c < 0) {
    finish(lx, tok, WL_TOK_EOF, 0);
    return;
  }
  bool glued = touching && !lx->fresh_line && lx->at > 0 &&
               wl_lex_is_follow((unsigned char)lx->text[lx->at - 1]);
  lx->fresh_line = false;
  if (is_digit(c) || (c == '.' && is_digit(at(lx, 1)) && !glued)) {
    wl_lex_number(lx, tok);
  } else if (c == '.') {
    lex_dot(lx, tok);
  } else if (is_alpha(c) || c == '_' || ((c == '$' || c == '%') && wl_lex_is_follow(at(lx, 1)))) {
    lex_ident(lx, tok);
  } else if (c == '"') {
    lex_string(lx, tok);
  } else {
    lex_punct(lx, tok);
  }
}
