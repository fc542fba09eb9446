/* test_limits.c: the kernel corpus under small register limits on the functional backend: results
 * must be those of the host whatever is spilled. Smoke cases, nvcc, clang and hand-written PTX.
 *   test_limits [all]    without it each kernel under one of the limits, by turns */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "tests/common/read_file.h"
#include "tests/kernels/common/kernel_case.h"

typedef struct totals {
  unsigned runs, failed, spilling;
} totals_t;

/* Sets the launch's buffers up, runs it and checks the results; NULL when right. */
static const char *launch(wl_device_t *dev, wl_function_t *f, const wl_kernel_case_t *kc,
                          const wl_kernel_launch_t *l, char *why, size_t cap) {
  wl_addr_t at[WL_KERNEL_MAX_ARGS] = {0};
  wl_arg_t args[WL_KERNEL_MAX_ARGS];
  unsigned char *result[WL_KERNEL_MAX_ARGS] = {0};
  bool ok = true;
  for (size_t i = 0; i < l->arg_count; i++) {
    const wl_kernel_arg_t *a = &l->arg[i];
    args[i] = (wl_arg_t){a->data, a->size};
    if (a->kind != WL_ARG_BUFFER) continue;
    result[i] = malloc(a->size);
    ok = ok && wl_alloc(dev, a->size, &at[i]) == WL_OK &&
         wl_write(dev, at[i], a->data, a->size) == WL_OK;
    args[i] = (wl_arg_t){&at[i], sizeof at[i]};
  }
  const wl_launch_t run = {.grid = {kc->grid[0], kc->grid[1], kc->grid[2]},
                           .block = {kc->block[0], kc->block[1], kc->block[2]},
                           .shared = kc->dynamic_shared};
  ok = ok && wl_launch(f, &run, args, (unsigned)l->arg_count, NULL) == WL_OK;
  for (size_t i = 0; i < l->arg_count; i++)
    if (at[i] != 0) ok = ok && wl_read(dev, result[i], at[i], l->arg[i].size) == WL_OK;
  if (!ok)
    (void)snprintf(why, cap, "%s", wl_error(dev));
  else
    ok = wl_kernel_verify(kc, l, (const unsigned char *const *)result, why, cap);
  for (size_t i = 0; i < l->arg_count; i++)
    free(result[i]);
  return ok ? NULL : why;
}

static void run_case(const wl_kernel_t *k, const wl_kernel_case_t *kc, const char *text,
                     size_t size, const char *path, unsigned limit, totals_t *t) {
  const wl_device_options_t opt = {.backend = "func"};
  const wl_module_options_t mopt = {.max_regs = limit};
  wl_device_t *dev = NULL;
  wl_module_t *m = NULL;
  wl_function_t *f = NULL;
  wl_function_info_t info = {0};
  wl_kernel_launch_t l = {0};
  char why[400] = "";
  const char *bad = NULL;
  t->runs++;
  if (wl_device_open(&opt, &dev) != WL_OK ||
      wl_module_load(dev, path, text, size, &mopt, &m) != WL_OK ||
      wl_module_function(m, kc->entry, &f) != WL_OK || wl_function_query(f, &info) != WL_OK) {
    bad = wl_error(dev);
  } else if (info.regs > limit) {
    bad = "more registers than allowed";
  } else if (wl_kernel_prepare(kc, &l)) {
    t->spilling += info.local_bytes != 0;
    bad = launch(dev, f, kc, &l, why, sizeof why);
  }
  wl_kernel_launch_free(&l);
  if (bad != NULL) {
    t->failed++;
    printf("FAILED %s %s, %s, %u registers: %s\n", k->name, kc->name, path, limit, bad);
  }
  wl_module_unload(m);
  wl_device_close(dev);
}

static void run_kernel(const wl_kernel_t *k, unsigned limit, totals_t *t) {
  for (uint32_t v = 0; v < WL_PTX_COUNT; v++) {
    const uint32_t bit = 1u << v;
    if ((k->variants & bit & (WL_PTX_NVCC | WL_PTX_CLANG | WL_PTX_HAND)) == 0) continue;
    char path[200];
    size_t size;
    (void)snprintf(path, sizeof path, "tests/kernels/%s/%s.%s.ptx", k->name, k->name,
                   wl_kernel_variant_name(v));
    char *text = wl_read_file(path, &size);
    for (size_t c = 0; c < k->case_count && text != NULL; c++) {
      const wl_kernel_case_t *kc = &k->cases[c];
      if (kc->tier == WL_TIER_SMOKE && (kc->variants == 0 || (kc->variants & bit) != 0))
        run_case(k, kc, text, size, path, limit, t);
    }
    free(text);
  }
}

int main(int argc, char **argv) {
  static const unsigned limits[] = {16, 24, 32};
  size_t n;
  const wl_kernel_t *const *kernels = wl_kernel_cases(&n);
  totals_t t = {0};
  const bool all = argc > 1 && strcmp(argv[1], "all") == 0;
  const size_t count = sizeof limits / sizeof limits[0];
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < n; k++)
      if (all || k % count == i) run_kernel(kernels[k], limits[i], &t);
  printf("%u runs, %u with local memory, %u failed\n", t.runs, t.spilling, t.failed);
  return t.failed != 0 || t.spilling == 0;
}
