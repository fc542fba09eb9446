/* check.h: what the front-end tests share: counting checks, parsing a text with a standard head. */
#ifndef WL_TESTS_UNIT_PTX_CHECK_H
#define WL_TESTS_UNIT_PTX_CHECK_H
#include <stdbool.h>

#include "isa/ptx/ptx.h"

void check_at(const char *file, int line, bool ok, const char *what);
void check_u64(const char *file, int line, const char *what, uint64_t got, uint64_t expected);
void check_text(const char *file, int line, const char *what, const char *got,
                const char *expected);
#define CHECK(cond) check_at(__FILE__, __LINE__, (cond), #cond)
#define CHECK_U64(got, expected)                                                                   \
  check_u64(__FILE__, __LINE__, #got, (uint64_t)(got), (uint64_t)(expected))
#define CHECK_STR(got, expected) check_text(__FILE__, __LINE__, #got, (got), (expected))
int check_result(void); /* prints a summary; 0 or 1 for main */

typedef struct parsed {
  int rc;
  char *text; /* all diagnostics */
  wl_diag_list_t diags;
  wl_ptx_module_t *m;
  char *source;
} parsed_t;

void parse_text(parsed_t *p, const char *text); /* as it stands */
void parse_module(parsed_t *p,
                  const char *declarations);          /* behind .version/.target/.address_size */
void parse_body(parsed_t *p, const char *statements); /* in a kernel with registers declared */
void parsed_free(parsed_t *p);

#endif
