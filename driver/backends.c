/* backends.c: the table of backends. docs/architecture.md 7. The model, the RTL and the lockstep of
 * both come from driver/lockstep, a board from driver/fpga, where those are built; the library works
 * without them. And the levels of the disturbance, which backends share. */
#include <string.h>

#include "driver/backend.h"
#include "driver/include/warplock.h"

static const char *const names[] = {"func", "model", "rtl", "lockstep", "fpga"};

const char *wl_backend_name(unsigned index) {
  return index < sizeof names / sizeof names[0] ? names[index] : NULL;
}

const wl_backend_ops_t *wl_backend_find(const char *name) {
  if (strcmp(name, wl_backend_func.name) == 0) {
    return &wl_backend_func;
  }
#ifdef WL_HAVE_FPGA
  if (strcmp(name, wl_backend_fpga.name) == 0) {
    return &wl_backend_fpga;
  }
#endif
#ifdef WL_HAVE_LOCKSTEP
  return wl_lockstep_backend(name);
#else
  return NULL;
#endif
}

bool wl_backend_available(const char *name) { return wl_backend_find(name) != NULL; }

const wl_disturb_t wl_disturbs[WL_DISTURBS] = {{"none", 0}, {"light", 1}, {"heavy", 4}};

int wl_disturb_find(const char *name) {
  for (int i = 0; i < WL_DISTURBS; i++) {
    if (strcmp(name == NULL ? "none" : name, wl_disturbs[i].name) == 0) {
      return i;
    }
  }
  return -1;
}
