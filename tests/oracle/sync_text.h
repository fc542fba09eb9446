/* sync_text.h: what the files that write programs of sync_program.h share. */
#ifndef WL_TESTS_ORACLE_SYNC_TEXT_H
#define WL_TESTS_ORACLE_SYNC_TEXT_H
#include "tests/oracle/sync_program.h"

typedef struct wl_sync_out {
  char *to;
  size_t used;
} wl_sync_out_t;

__attribute__((format(printf, 2, 3))) void wl_sync_put(wl_sync_out_t *t, const char *fmt, ...);
/* Address forms: mapa, getctarank, isspacep, cvta; accesses: ld, st, atom, red. */
void wl_sync_place(wl_sync_out_t *t, const wl_sync_form_t *f, const wl_sync_variant_t *v);
void wl_sync_access(wl_sync_out_t *t, const wl_sync_form_t *f);
void wl_sync_sources(wl_sync_out_t *t); /* of a store or atomic: %s*, from the words */
void wl_sync_bulk(wl_sync_out_t *t, const wl_sync_form_t *f, const wl_sync_variant_t *v);

#endif
