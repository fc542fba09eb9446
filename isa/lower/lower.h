/* lower.h: PTX tree in, assembled module out. docs/architecture.md 2 and 3.
 * Every error of the module is reported in one run; legal PTX that the machine does not have yet is
 * rejected with its clause (class 6). Not here: parsing (isa/ptx), the file form (isa/obj). */
#ifndef WL_ISA_LOWER_LOWER_H
#define WL_ISA_LOWER_LOWER_H
#include "isa/obj/object.h"
#include "isa/ptx/ast.h"
#include "isa/ptx/diag.h"

typedef struct wl_lower_options {
  uint32_t
      max_regs; /* registers per thread, 24..255 (less is tried); 0 = 255. A smaller .maxnreg wins */
} wl_lower_options_t;

/* With diags->by_owner a function that is refused, by the parser or here, gets a trap as its body,
 * and the kernels that can reach it are marked in the object with the reasons.
 * Returns 0 and *out (free with wl_obj_free), else the exit code of the diagnostics and *out =
 * NULL. options may be NULL. Thread-safe: no global state. */
int wl_lower_module(const wl_ptx_module_t *m, const wl_lower_options_t *options,
                    wl_diag_list_t *diags, wl_obj_t **out);

#endif
