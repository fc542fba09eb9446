/* pair.c: see pair.h. */
#include "tests/oracle/pair.h"

#include <stdio.h>

wl_status_t wl_pair_machine(const wl_pair_t *p, void *result, char *why, size_t cap) {
  wl_device_t *device = NULL;
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t in = 0, out = 0;
  wl_status_t s = wl_device_open(&p->device, &device);
  s = s == WL_OK ? wl_module_load(device, "pair.ptx", p->text, p->size, NULL, &module) : s;
  s = s == WL_OK ? wl_module_function(module, "t", &function) : s;
  s = s == WL_OK ? wl_alloc(device, p->in_bytes, &in) : s;
  s = s == WL_OK ? wl_alloc(device, p->out_bytes, &out) : s;
  s = s == WL_OK ? wl_write(device, in, p->in, p->in_bytes) : s;
  wl_launch_t l = {.grid = {p->ctas, 1, 1}, .block = {p->block, 1, 1}};
  wl_arg_t args[] = {WL_ARG(in), WL_ARG(out), {p->third, p->third_bytes}};
  s = s == WL_OK ? wl_launch(function, &l, args, p->third != NULL ? 3 : 2, NULL) : s;
  s = s == WL_OK ? wl_read(device, result, out, p->out_bytes) : s;
  (void)snprintf(why, cap, "%s", device != NULL && s != WL_OK ? wl_error(device) : "");
  wl_device_close(device);
  return s;
}

bool wl_pair_oracle(const wl_pair_t *p, void *result, char *why, size_t cap) {
  uint64_t instructions = 0;
  wl_or_module_t *m = wl_or_load("pair.ptx", p->text, p->size, why, cap);
  if (m == NULL) {
    return false;
  }
  uint64_t in = wl_or_alloc(m, p->in_bytes), out = wl_or_alloc(m, p->out_bytes);
  wl_or_arg_t args[] = {{&in, sizeof in}, {&out, sizeof out}, {p->third, p->third_bytes}};
  wl_or_launch_t l = {.entry = "t",
                      .grid = {p->ctas, 1, 1},
                      .block = {p->block, 1, 1},
                      .args = args,
                      .nargs = p->third != NULL ? 3 : 2,
                      .seed = p->seed};
  bool ok = wl_or_write(m, in, p->in, p->in_bytes) &&
            wl_or_launch(m, &l, &instructions, why, cap) &&
            wl_or_read(m, out, result, p->out_bytes);
  wl_or_close(m);
  return ok;
}
