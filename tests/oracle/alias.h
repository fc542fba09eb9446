/* alias.h: every way in which destinations, sources and the guard of a form can be one register. */
#ifndef WL_TESTS_ORACLE_ALIAS_H
#define WL_TESTS_ORACLE_ALIAS_H
#include <stdbool.h>

enum { WL_ALIAS_SOURCES = 5, WL_ALIAS_OWN = -1 };
enum { WL_ALIAS_NO_GUARD, WL_ALIAS_FIRST, WL_ALIAS_SECOND }; /* guard: destination predicate */

typedef struct wl_alias {
  bool used;
  int source[WL_ALIAS_SOURCES]; /* source i stands in the register of this source */
  int dst[2];                   /* register of that source, or WL_ALIAS_OWN */
  int guard;
} wl_alias_t;

/* Calls `row` for every pattern of `operands` (form_list.h) in which a destination is a source or
 * the guard. */
typedef void (*wl_alias_row_t)(void *context, const wl_alias_t *a);
void wl_alias_list(const char *operands, wl_alias_row_t row, void *context);

/* Letter of the register of destination k of a form (h w x f d p), 0 if there is none. */
char wl_alias_letter(char token, int k);

#endif
