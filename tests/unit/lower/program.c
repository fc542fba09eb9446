/* program.c: see program.h. */
#include "program.h"

#include <stdio.h>
#include <string.h>

int program_run(const wl_device_options_t *options, const program_t *p, void *a, void *b) {
  wl_device_t *device = NULL;
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t at = 0, bt = 0;
  wl_result_t result = {0};
  wl_status_t s = wl_device_open(options, &device);
  s = s == WL_OK ? wl_module_load(device, p->name, p->text, strlen(p->text), NULL, &module) : s;
  s = s == WL_OK ? wl_module_function(module, "k", &function) : s;
  s = s == WL_OK ? wl_alloc(device, A_BYTES, &at) : s;
  s = s == WL_OK ? wl_alloc(device, B_BYTES, &bt) : s;
  s = s == WL_OK ? wl_write(device, at, a, A_BYTES) : s;
  s = s == WL_OK ? wl_write(device, bt, b, B_BYTES) : s;
  const wl_launch_t l = {.grid = {p->grid, 1, 1}, .block = {p->block, 1, 1}};
  const wl_arg_t args[] = {WL_ARG(at), WL_ARG(bt)};
  s = s == WL_OK ? wl_launch(function, &l, args, 2, &result) : s;
  int cause = 0;
  if (s == WL_ERR_TRAP) {
    cause = (int)result.trap.cause;
  } else {
    s = s == WL_OK ? wl_read(device, a, at, A_BYTES) : s;
    s = s == WL_OK ? wl_read(device, b, bt, B_BYTES) : s;
    if (s != WL_OK) {
      printf("%s: %s\n", p->name, device != NULL ? wl_error(device) : "no device");
      cause = -1;
    }
  }
  wl_device_close(device);
  return cause;
}
