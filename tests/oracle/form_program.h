/* form_program.h: the PTX text that executes one form of form_list.h on operands from memory. */
#ifndef WL_TESTS_ORACLE_FORM_PROGRAM_H
#define WL_TESTS_ORACLE_FORM_PROGRAM_H
#include <stddef.h>

#include "tests/oracle/alias.h"
#include "tests/oracle/form_list.h"

enum { WL_FORM_SOURCES = 4, WL_FORM_CAP = 16384 };

typedef struct wl_form_variant { /* constants: bit i of mask = source i; `value` chooses which */
  unsigned mask, value;
  wl_alias_t alias;
} wl_form_variant_t;

/* Kernel t(in, out): thread i reads WL_FORM_SOURCES words of 64 bits and writes two, the result first. */
size_t wl_form_program(char *text, const wl_form_row_t *row, wl_form_variant_t v);

#endif
