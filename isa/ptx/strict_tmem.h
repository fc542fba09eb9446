/* strict_tmem.h: what the files of --strict-tmem share (docs/checked.md). */
#ifndef WL_ISA_PTX_STRICT_TMEM_H
#define WL_ISA_PTX_STRICT_TMEM_H
#include "isa/ptx/ast.h"
#include "isa/ptx/diag.h"
#include "isa/ptx/webs.h"

/* No clause of PTX stands behind these rules. */
#define WL_TMEM_CONTRACT "rule of the memory-space contract"

/* tcgen05.ld, .st, .mma, .cp, .shift and .dealloc: they name an address of tensor memory. */
bool wl_tmem_is_use(const wl_ptx_insn_t *insn);
/* tmem_address.c: by web, whether it holds an address of tensor memory. To be freed; NULL: out of
 * memory. */
bool *wl_tmem_find_addresses(const wl_webs_t *w);
/* tmem_escape.c: reports addresses that leave the registers of f. False: out of memory. */
bool wl_tmem_check_addresses(const wl_ptx_func_t *f, wl_diag_list_t *d);

#endif
