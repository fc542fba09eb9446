/* sync_list.h: the forms that test_sync compares, made from isa/def/ptx_op.def: mbarriers, the
 * barrier of a cluster, fences, addresses and memory of a cluster, bulk copies. */
#ifndef WL_TESTS_ORACLE_SYNC_LIST_H
#define WL_TESTS_ORACLE_SYNC_LIST_H
#include "isa/ptx/forms.h"

enum { WL_SYNC_TEXT = 128 };

typedef struct wl_sync_form {
  const wl_form_t *form;
  char text[WL_SYNC_TEXT]; /* opcode with modifiers */
  wl_ptx_type_t type;      /* the first; NONE */
  unsigned vec;            /* elements */
} wl_sync_form_t;

bool wl_sync_is_bulk(const wl_form_t *form); /* bulk copies, asynchronous stores */

typedef void (*wl_sync_each_t)(void *context, const wl_sync_form_t *form);

/* Every supported form, each combination of its modifiers; of loads, stores, atomics and reductions
 * those with .shared::cluster, where each modifier that is no hint is once beside the first others.
 * false: the table is malformed. */
bool wl_sync_list(wl_sync_each_t each, void *context);

#endif
