/* lexer.h: PTX text to tokens [PTX 4.1, 4.2, 4.4, 4.5.1-4.5.3]. Comments, preprocessor line markers
 * and legacy @@DWARF lines are white space. Tokens are made on demand; one can be looked at ahead. */
#ifndef WL_ISA_PTX_LEXER_H
#define WL_ISA_PTX_LEXER_H
#include <stdbool.h>
#include <stdint.h>

#include "isa/ptx/diag.h"

typedef enum wl_tok_kind {
  WL_TOK_EOF,
  WL_TOK_IDENT,  /* name, %name, _ ; text */
  WL_TOK_DOT,    /* .name or .a::b ; text without the dot */
  WL_TOK_INT,    /* value, is_unsigned */
  WL_TOK_FLOAT,  /* value: bits of a double */
  WL_TOK_F32,    /* value: bits of an f32 (0f notation) */
  WL_TOK_STRING, /* text without quotes, escapes as written */
  WL_TOK_PUNCT,  /* op: character, or one of the codes below */
  WL_TOK_BAD     /* already reported */
} wl_tok_kind_t;

enum wl_punct { /* two-character operators */
                WL_P_SHL = 256,
                WL_P_SHR,
                WL_P_LE,
                WL_P_GE,
                WL_P_EQ,
                WL_P_NE,
                WL_P_ANDAND,
                WL_P_OROR
};

typedef struct wl_tok {
  wl_tok_kind_t kind;
  wl_ptx_pos_t pos;
  const char *text; /* into the source */
  uint32_t len;
  int op;
  bool is_unsigned;
  bool line_start; /* first token of its line */
  uint64_t value;
} wl_tok_t;

typedef struct wl_lexer {
  const char *text;
  size_t len, at;
  size_t line_at; /* offset of the current line */
  uint32_t line;
  bool fresh_line; /* no token on this line yet */
  wl_diag_list_t *diags;
} wl_lexer_t;

void wl_lex_init(wl_lexer_t *lx, const char *text, size_t len, wl_diag_list_t *diags);
void wl_lex_next(wl_lexer_t *lx, wl_tok_t *tok);

#endif
