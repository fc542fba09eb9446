/* flow.h: which instructions of a function's text reach which, by its labels and branches. */
#ifndef WL_ISA_PTX_FLOW_H
#define WL_ISA_PTX_FLOW_H
#include "isa/ptx/ast.h"

typedef struct wl_flow {
  const wl_ptx_func_t *func;
  uint8_t *marks;           /* a byte per instruction; the caller's bits */
  uint32_t *stack, waiting; /* room for every instruction */
} wl_flow_t;

/* False: out of memory. Either way wl_flow_free is due. */
bool wl_flow_init(wl_flow_t *f, const wl_ptx_func_t *func);
void wl_flow_free(wl_flow_t *f);
/* Marks instruction i and whatever may follow it, if it has no such mark yet. */
void wl_flow_start(wl_flow_t *f, uint32_t i, uint8_t mark);
/* The same for all that may follow instruction i. */
void wl_flow_follow(wl_flow_t *f, uint32_t i, uint8_t mark);
/* Follows what was started to its end; nothing is followed past a mark of `stop`. */
void wl_flow_reach(wl_flow_t *f, uint8_t mark, uint8_t stop);

#endif
