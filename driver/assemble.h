/* assemble.h: PTX text to a module: front end and lowering in one call. docs/architecture.md 3. */
#ifndef WL_DRIVER_ASSEMBLE_H
#define WL_DRIVER_ASSEMBLE_H
#include "driver/include/warplock.h"
#include "isa/obj/object.h"

typedef struct wl_assemble_input {
  const char *name, *text;
  size_t bytes;
  unsigned max_regs;
  const char *target; /* highest accepted .target, NULL = any */
  bool histogram, check_only;
  bool strict;        /* every kernel must be usable */
  const char *kernel; /* this one must be, NULL = any one */
  bool strict_tmem;   /* further rules for tensor memory are errors */
  bool brief;         /* kernels that are refused are named; why stands in the object */
} wl_assemble_input_t;

typedef struct wl_assemble_output {
  wl_obj_t *obj; /* NULL after an error, but not when only kernels are refused */
  char *log;     /* diagnostics; NULL: none */
  struct wl_hist_line {
    char *form;
    size_t count;
  } *histogram;
  size_t histogram_count;
} wl_assemble_output_t;

wl_status_t wl_assemble_text(const wl_assemble_input_t *in, wl_assemble_output_t *out);
void wl_assemble_free_histogram(wl_assemble_output_t *out);

#endif
