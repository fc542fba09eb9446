/* kernel.c: a kernel of the corpus in lockstep, with the RTL whose registers are public. The
 * comparison is that of warplock_cosim.h, as in driver/lockstep/lockstep.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/backend.h"
#include "driver/faults/faults.h"
#include "driver/lockstep/cosim.h"
#include "tests/kernels/common/kernel_case.h"

/* The library's table of backends asks for this one; here no backend runs, and with none the other
 * models of the RTL are not needed. */
const wl_backend_ops_t *wl_lockstep_backend(const char *name) {
  (void)name;
  return NULL;
}

static bool fail(wl_fault_run_t *run, const char *what, const char *why) {
  snprintf(run->error, sizeof run->error, "%.300s: %.700s", what, why);
  return false;
}

static const wl_kernel_case_t *find_case(const char *text, const wl_kernel_t **kernel) {
  char name[64];
  const char *colon = strchr(text, ':');
  const size_t n = colon != NULL ? (size_t)(colon - text) : strlen(text);
  if (n >= sizeof name) return NULL;
  memcpy(name, text, n);
  name[n] = '\0';
  *kernel = wl_kernel_find(name);
  for (size_t i = 0; *kernel != NULL && i < (*kernel)->case_count; i++)
    if (colon == NULL || strcmp((*kernel)->cases[i].name, colon + 1) == 0)
      return &(*kernel)->cases[i];
  return NULL;
}

static char *read_text(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) return NULL;
  long n = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
  char *text = n > 0 ? malloc((size_t)n) : NULL;
  const bool ok =
      text != NULL && fseek(f, 0, SEEK_SET) == 0 && fread(text, 1, (size_t)n, f) == (size_t)n;
  (void)fclose(f);
  *size = ok ? (size_t)n : 0;
  return ok ? text : NULL;
}

static bool open_sides(wl_fault_run_t *run, const wl_fault_setup_t *setup, uint64_t mem_bytes) {
  const wl_layout_t *layout = wl_cosim_layout("tiny");
  const wl_cosim_options_t options = {.struct_size = sizeof options,
                                      .layout = *layout,
                                      .seed = setup->seed,
                                      .disturb = setup->disturb,
                                      .compare_full = setup->full,
                                      .dut_name = "rtl",
                                      .mem_bytes = mem_bytes};
  if (wl_cosim_create(&options, &run->cosim) != WL_OK)
    return fail(run, "cosim", wl_cosim_error(run->cosim));
  run->config = NULL;
  for (unsigned i = 0; i < WL_NUM_LAYOUTS && run->config == NULL; i++)
    if (strcmp(wl_configs[i].name, layout->config) == 0) run->config = &wl_configs[i];
  wl_side_desc_t side = {.config = run->config, .seed = setup->seed, .journal = true};
  side.wrote = &run->cosim->wrote;
  side.mem = wl_cosim_memory(run->cosim, NULL, &side.mem_bytes);
  side.density = wl_disturbs[wl_disturb_find(setup->disturb)].density; /* the cosim knows it */
  run->side = wl_side_rtl_tiny_faults.open(&side, run->error, sizeof run->error);
  if (run->side == NULL) return false;
  for (unsigned v = 0; v < WL_NUM_VIEWS; v++) {
    wl_view_sizes(run->config, v, &run->view[v]);
    wl_side_rtl_tiny_faults.view(run->side, v, &run->view[v]);
    if (wl_cosim_register(run->cosim, (wl_view_id_t)v, &run->view[v]) != WL_OK)
      return fail(run, "arrays", wl_cosim_error(run->cosim));
  }
  return true;
}

static wl_status_t send(wl_device_t *device, const wl_kernel_launch_t *launch, wl_addr_t *address,
                        wl_arg_t *args) {
  wl_status_t status = WL_OK;
  for (size_t i = 0; i < launch->arg_count && status == WL_OK; i++) {
    const wl_kernel_arg_t *arg = &launch->arg[i];
    args[i] = (wl_arg_t){arg->data, arg->size};
    if (arg->kind != WL_ARG_BUFFER) continue;
    status = wl_alloc(device, arg->size, &address[i]);
    if (status == WL_OK) status = wl_write(device, address[i], arg->data, arg->size);
    args[i] = (wl_arg_t){&address[i], sizeof address[i]};
  }
  return status;
}

static bool load(wl_fault_run_t *run, const char *path, const wl_kernel_case_t *kcase,
                 const wl_kernel_launch_t *prepared) {
  wl_device_t *device = wl_cosim_device(run->cosim);
  wl_addr_t address[WL_KERNEL_MAX_ARGS] = {0};
  wl_arg_t args[WL_KERNEL_MAX_ARGS];
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  size_t size = 0;
  char *text = read_text(path, &size);
  if (text == NULL) return fail(run, path, "cannot read");
  wl_status_t status = wl_module_load(device, path, text, size, NULL, &module);
  free(text);
  if (status == WL_OK) status = wl_module_function(module, kcase->entry, &function);
  if (status == WL_OK) status = send(device, prepared, address, args);
  if (status != WL_OK) return fail(run, path, wl_error(device));
  wl_launch_t launch = {.shared = kcase->dynamic_shared};
  memcpy(launch.grid, kcase->grid, sizeof launch.grid);
  memcpy(launch.block, kcase->block, sizeof launch.block);
  status = wl_cosim_launch(run->cosim, function, &launch, args, (unsigned)prepared->arg_count);
  return status == WL_OK || fail(run, path, wl_cosim_error(run->cosim));
}

bool wl_fault_open(wl_fault_run_t *run, const wl_fault_setup_t *setup) {
  const wl_kernel_t *kernel = NULL;
  const wl_kernel_case_t *kcase = find_case(setup->kernel, &kernel);
  wl_kernel_launch_t launch;
  char path[1024];
  memset(run, 0, sizeof *run);
  if (kcase == NULL) return fail(run, setup->kernel, "no such kernel of the corpus");
  snprintf(path, sizeof path, "%s/%s/%s.%s.ptx", setup->dir, kernel->name, kernel->name,
           setup->variant);
  uint64_t bytes = UINT64_C(4) << 20;
  bool ok = wl_kernel_prepare(kcase, &launch) || fail(run, setup->kernel, "out of memory");
  for (size_t i = 0; ok && i < launch.arg_count; i++)
    bytes += (launch.arg[i].size + 4095) / 4096 * 4096;
  ok = ok && open_sides(run, setup, bytes) && load(run, path, kcase, &launch);
  wl_kernel_launch_free(&launch);
  return ok;
}

void wl_fault_close(wl_fault_run_t *run) {
  if (run->side != NULL) wl_side_rtl_tiny_faults.close(run->side);
  wl_cosim_destroy(run->cosim);
}

wl_cosim_verdict_t wl_fault_step(wl_fault_run_t *run) {
  const wl_side_ops_t *ops = &wl_side_rtl_tiny_faults;
  wl_journal_clear(&run->journal);
  if (!run->started)
    ops->start(run->side, wl_cosim_launch_block(run->cosim), &run->journal);
  else
    ops->step(run->side, &run->journal);
  run->started = true;
  run->cycle++;
  if (run->journal.overflow) {
    wl_report_clear(run->cosim, &run->report);
    snprintf(run->report.text, sizeof run->report.text, "more records than a cycle can have\n");
    return WL_COSIM_DIVERGED;
  }
  wl_cosim_take_signals(run->cosim, ops, run->side);
  return wl_cosim_step(run->cosim, run->journal.record, run->journal.records, &run->report);
}

bool wl_fault_again(wl_fault_run_t *run) {
  run->started = false;
  return wl_cosim_start(run->cosim, wl_cosim_launch_block(run->cosim)) == WL_OK;
}
