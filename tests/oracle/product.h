/* product.h: what mma.sync and wmma share. */
#ifndef WL_TESTS_ORACLE_PRODUCT_H
#define WL_TESTS_ORACLE_PRODUCT_H
#include "tests/oracle/run.h"
#include "tests/silicon/dot.h"

tensor_type_t wl_or_tensor_type(wl_ptx_type_t type);
/* Name and shape of a product; its types are the caller's. */
tensor_t wl_or_tensor(const wl_ptx_insn_t *in);
/* fragment.c: wmma of all lanes, the first of which is this one; false: an error was set. */
bool wl_or_fragment(wl_or_grid_t *g, wl_or_cta_t *cta, wl_or_thread_t *lane);
#endif
