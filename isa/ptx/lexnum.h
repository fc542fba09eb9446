/* lexnum.h: numeric literals, split from lexer.c. */
#ifndef WL_ISA_PTX_LEXNUM_H
#define WL_ISA_PTX_LEXNUM_H
#include "isa/ptx/lexer.h"

void wl_lex_number(wl_lexer_t *lx, wl_tok_t *tok); /* lexer stands on a digit or `.digit` */
bool wl_lex_is_follow(int c);                      /* [a-zA-Z0-9_$] */

#endif
