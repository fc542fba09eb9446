/* lexnum.c: PTX numeric literals [PTX 4.5.1, 4.5.2]: decimal, octal, hexadecimal and binary
 * integers with optional U; decimal floats; exact 0f (f32) and 0d (f64) floats. Integers are 64
 * bits wide, signed unless they do not fit or carry U. Independent of the C locale. */
#include "isa/ptx/lexnum.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum { FLOAT_MAX = 512 };

static void bad(wl_lexer_t *lx, wl_tok_t *t, size_t n, const char *clause, const char *what) {
  int shown = n > 40 ? 40 : (int)n;
  wl_diag_add(lx->diags, WL_DIAG_MALFORMED, t->pos, clause, "%s `%.*s`", what, shown, t->text);
  t->kind = WL_TOK_BAD;
}

static int digit_value(int c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

static void integer(wl_lexer_t *lx, wl_tok_t *t, const char *s, size_t n, unsigned base,
                    size_t all) {
  uint64_t v = 0;
  bool unsigned_suffix = n > 0 && s[n - 1] == 'U';
  if (unsigned_suffix) n--;
  if (n == 0) {
    bad(lx, t, all, "4.5.1", "integer literal without digits");
    return;
  }
  for (size_t i = 0; i < n; i++) {
    unsigned d = (unsigned)digit_value((unsigned char)s[i]);
    if (d >= base) {
      bad(lx, t, all, "4.5.1", "bad digit in integer literal");
      return;
    }
    if (v > (UINT64_MAX - d) / base) {
      bad(lx, t, all, "4.5.1", "integer literal needs more than 64 bits:");
      return;
    }
    v = v * base + d;
  }
  t->kind = WL_TOK_INT;
  t->value = v;
  t->is_unsigned = unsigned_suffix || v > (uint64_t)INT64_MAX;
}

static void exact_float(wl_lexer_t *lx, wl_tok_t *t, size_t n, size_t digits) {
  uint64_t v = 0;
  bool ok = n == digits + 2;
  for (size_t i = 2; ok && i < n; i++) {
    int d = digit_value((unsigned char)t->text[i]);
    ok = d < 16;
    v = v << 4 | (uint64_t)(d & 15);
  }
  if (!ok) {
    bad(lx, t, n, "4.5.2",
        digits == 8 ? "0f needs exactly 8 hexadecimal digits:"
                    : "0d needs exactly 16 hexadecimal digits:");
    return;
  }
  t->kind = digits == 8 ? WL_TOK_F32 : WL_TOK_FLOAT;
  t->value = v;
}

static void decimal_float(wl_lexer_t *lx, wl_tok_t *t, size_t n) {
  char buf[FLOAT_MAX + 8];
  const char *point = localeconv()->decimal_point;
  size_t plen = strlen(point), len = 0;
  if (n > FLOAT_MAX) {
    bad(lx, t, n, "4.5.2", "floating-point literal is too long:");
    return;
  }
  for (size_t i = 0; i < n && len + plen < sizeof buf - 1; i++) {
    if (t->text[i] == '.') {
      memcpy(buf + len, point, plen);
      len += plen;
    } else {
      buf[len++] = t->text[i];
    }
  }
  buf[len] = 0;
  char *end = buf;
  double v = strtod(buf, &end);
  if (end != buf + len) {
    bad(lx, t, n, "4.5.2", "malformed floating-point literal");
    return;
  }
  t->kind = WL_TOK_FLOAT;
  memcpy(&t->value, &v, sizeof v);
}

/* Length of the literal: letters and digits, points, and a sign after the exponent's e. */
static size_t extent(const wl_lexer_t *lx, bool hex, bool *is_float) {
  size_t n = 0;
  *is_float = false;
  for (;; n++) {
    size_t p = lx->at + n;
    int c = p < lx->len ? (unsigned char)lx->text[p] : -1;
    if (!hex && c == '.') {
      *is_float = true;
    } else if (!hex && (c == 'e' || c == 'E')) {
      *is_float = true;
      int next = p + 1 < lx->len ? (unsigned char)lx->text[p + 1] : -1;
      if (next == '+' || next == '-') n++;
    } else if (!wl_lex_is_follow(c)) {
      return n;
    }
  }
}

void wl_lex_number(wl_lexer_t *lx, wl_tok_t *t) {
  const char *s = t->text;
  int second = lx->at + 1 < lx->len ? s[1] : 0;
  int kind = s[0] == '0' && second != 0 && strchr("xXbBfFdD", second) != NULL ? second | 0x20 : 0;
  bool is_float;
  size_t n = extent(lx, kind != 0, &is_float);
  t->len = (uint32_t)n;
  if (kind == 'f') {
    exact_float(lx, t, n, 8);
  } else if (kind == 'd') {
    exact_float(lx, t, n, 16);
  } else if (kind == 'x') {
    integer(lx, t, s + 2, n - 2, 16, n);
  } else if (kind == 'b') {
    integer(lx, t, s + 2, n - 2, 2, n);
  } else if (is_float) {
    decimal_float(lx, t, n);
  } else if (s[0] == '0' && n > 1 && !(n == 2 && second == 'U')) {
    integer(lx, t, s + 1, n - 1, 8, n);
  } else {
    integer(lx, t, s, n, 10, n);
  }
  lx->at += n;
}
