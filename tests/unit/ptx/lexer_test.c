/* lexer_test.c: tokens of PTX 4.1-4.5.3. Expected values are written by hand from the clauses. */
#include <stdio.h>
#include <string.h>

#include "isa/ptx/lexer.h"
#include "tests/unit/ptx/check.h"

static wl_diag_list_t diags;

static wl_tok_t one(const char *text) {
  wl_lexer_t lx;
  wl_tok_t t;
  wl_diag_free(&diags);
  wl_diag_set_source(&diags, "t", text, strlen(text));
  wl_lex_init(&lx, text, strlen(text), &diags);
  wl_lex_next(&lx, &t);
  return t;
}

static void integers(void) {
  static const struct {
    const char *text;
    uint64_t value;
    bool is_unsigned;
  } good[] = {{"0", 0, false},
              {"42", 42, false},
              {"42U", 42, true},
              {"0U", 0, true},
              {"0x1234", 0x1234, false},
              {"0X1234U", 0x1234, true},
              {"0123", 83, false},
              {"017U", 15, true},
              {"0b101", 5, false},
              {"0B11U", 3, true},
              {"9223372036854775807", INT64_MAX, false},
              {"9223372036854775808", (uint64_t)INT64_MAX + 1, true},
              {"18446744073709551615", UINT64_MAX, true},
              {"0xfabc123400000000", 0xfabc123400000000, true},
              {"01777777777777777777777", UINT64_MAX, true}};
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    wl_tok_t t = one(good[i].text);
    CHECK(t.kind == WL_TOK_INT);
    CHECK_U64(t.value, good[i].value);
    CHECK(t.is_unsigned == good[i].is_unsigned);
    CHECK_U64(t.len, strlen(good[i].text));
  }
  static const char *const bad[] = {"08",  "0x", "0b2", "12a", "18446744073709551616",
                                    "0xg", "5u", "0bU"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    wl_tok_t t = one(bad[i]);
    CHECK(t.kind == WL_TOK_BAD);
    CHECK_U64(diags.errors, 1);
  }
}

static void floats(void) {
  static const struct {
    const char *text;
    uint64_t bits;
  } doubles[] = {{"1.0", 0x3ff0000000000000},
                 {".5", 0x3fe0000000000000},
                 {"2.", 0x4000000000000000},
                 {"1e3", 0x408f400000000000},
                 {"1.5E-1", 0x3fc3333333333333},
                 {"25e+2", 0x40a3880000000000},
                 {"0d3FF0000000000000", 0x3ff0000000000000},
                 {"0Dfff8000000000001", 0xfff8000000000001}};
  for (size_t i = 0; i < sizeof doubles / sizeof doubles[0]; i++) {
    wl_tok_t t = one(doubles[i].text);
    CHECK(t.kind == WL_TOK_FLOAT);
    CHECK_U64(t.value, doubles[i].bits);
  }
  wl_tok_t t = one("0F3f800000");
  CHECK(t.kind == WL_TOK_F32);
  CHECK_U64(t.value, 0x3f800000);
  t = one("0fff800001;");
  CHECK(t.kind == WL_TOK_F32);
  CHECK_U64(t.value, 0xff800001);
  static const char *const bad[] = {"0f3f80000", "0f3f8000000", "0d3ff",     "1e",
                                    "1.2.3",     "1e+",         "0fgggggggg"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    CHECK(one(bad[i]).kind == WL_TOK_BAD);
    CHECK_U64(diags.errors, 1);
  }
}

static void names(void) {
  static const char *const idents[] = {"a", "_x", "$x", "%r1", "$L__BB0_2", "%a$b", "_", "x$1_y"};
  for (size_t i = 0; i < sizeof idents / sizeof idents[0]; i++) {
    wl_tok_t t = one(idents[i]);
    CHECK(t.kind == WL_TOK_IDENT);
    CHECK_U64(t.len, strlen(idents[i]));
  }
  CHECK(one("%").kind == WL_TOK_PUNCT);
  CHECK(one("$").kind == WL_TOK_BAD);
  wl_tok_t t = one(".shared::cta.b32");
  CHECK(t.kind == WL_TOK_DOT);
  CHECK_U64(t.len, strlen("shared::cta"));
  t = one(".L2::cache_hint");
  CHECK_U64(t.len, strlen("L2::cache_hint"));
  t = one("\"a \\\" b\"");
  CHECK(t.kind == WL_TOK_STRING);
  CHECK_U64(t.len, 6);
  CHECK(one("\"open\n\"").kind == WL_TOK_BAD);
  CHECK(one(". x").kind == WL_TOK_BAD);
}

static void long_names(void) {
  char text[5000];
  memset(text, 'a', sizeof text);
  text[1024] = 0;
  CHECK(one(text).kind == WL_TOK_IDENT);
  text[1024] = 'a';
  text[4096] = 0;
  CHECK(one(text).kind == WL_TOK_IDENT);
  text[4096] = 'a';
  text[4097] = 0;
  CHECK(one(text).kind == WL_TOK_BAD);
  CHECK_U64(wl_diag_exit_code(&diags), 6);
}

static void white_space(void) {
  wl_tok_t t = one("/* a\n b */ // c\n# 5 \"f.cu\"\n@@DWARF x y\n  q");
  CHECK(t.kind == WL_TOK_IDENT);
  CHECK_U64(t.pos.line, 5);
  CHECK_U64(t.pos.col, 3);
  CHECK(t.line_start);
  CHECK_U64(diags.errors, 0);
  CHECK(one("/* open").kind == WL_TOK_EOF);
  CHECK_U64(diags.errors, 1);
  CHECK(one("#define X 1\n").kind == WL_TOK_EOF);
  CHECK_U64(wl_diag_exit_code(&diags), 6);
  CHECK(one("\xc3\xa9").kind == WL_TOK_BAD);
  CHECK(one("").kind == WL_TOK_EOF);
}

static void sequences(void) {
  static const char text[] = "tex.1d.v4 %tid.x<<=1.5";
  static const struct {
    wl_tok_kind_t kind;
    const char *text;
  } want[] = {{WL_TOK_IDENT, "tex"},  {WL_TOK_DOT, "1d"},    {WL_TOK_DOT, "v4"},
              {WL_TOK_IDENT, "%tid"}, {WL_TOK_DOT, "x"},     {WL_TOK_PUNCT, "<<"},
              {WL_TOK_PUNCT, "="},    {WL_TOK_FLOAT, "1.5"}, {WL_TOK_EOF, ""}};
  wl_lexer_t lx;
  wl_lex_init(&lx, text, strlen(text), &diags);
  for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
    wl_tok_t t;
    wl_lex_next(&lx, &t);
    CHECK(t.kind == want[i].kind);
    CHECK(t.len == strlen(want[i].text) && memcmp(t.text, want[i].text, t.len) == 0);
  }
}

int main(void) {
  wl_diag_init(&diags);
  integers();
  floats();
  names();
  long_names();
  white_space();
  sequences();
  wl_diag_free(&diags);
  return check_result();
}
