/* device.c: devices of libwarplock, their options and error texts. docs/architecture.md 7.
 * An error text belongs to its device, so that threads with a device each do not meet. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/internal.h"
#include "gen/wl_insn.h"

#define DEFAULT_MEM (UINT64_C(64) << 20)
/* Device memory stays within one block of 4 GiB (docs/microarchitecture.md 13). */
#define MAX_MEM       ((UINT64_C(1) << 32) - WL_MEM_BASE % (UINT64_C(1) << 32))
#define MIN_BOARD_MEM 8192u
#define BOARD_PARAM   512u /* room for parameters, to begin with: a board has little memory */

const char *wl_version(void) { return WL_VERSION; }

uint64_t wl_isa_hash(void) { return (uint64_t)WL_ISA_HASH_HI << 32 | WL_ISA_HASH_LO; }

const char *wl_status_text(wl_status_t status) {
  switch (status) {
  case WL_OK:
    return "success";
  case WL_ERR_INPUT:
    return "wrong input";
  case WL_ERR_DIVERGENCE:
    return "divergence";
  case WL_ERR_TRAP:
    return "trap";
  case WL_ERR_HANG:
    return "hang";
  case WL_ERR_UNSUPPORTED:
    return "not supported";
  case WL_ERR_INTERNAL:
    return "internal error";
  }
  return "unknown status";
}

static void clear_error(wl_device_t *d) {
  if (d->error != d->error_buf) {
    free(d->error);
  }
  d->error_buf[0] = 0;
  d->error = d->error_buf;
}

wl_status_t wl_pass(wl_device_t *d) {
  clear_error(d);
  return WL_OK;
}

wl_status_t wl_fail_text(wl_device_t *d, wl_status_t status, const char *text) {
  size_t length = strlen(text);
  char *copy = length < sizeof d->error_buf ? NULL : malloc(length + 1);
  clear_error(d);
  if (copy != NULL) {
    memcpy(copy, text, length + 1);
    d->error = copy;
  } else {
    (void)snprintf(d->error_buf, sizeof d->error_buf, "%s", text);
  }
  return status;
}

wl_status_t wl_fail(wl_device_t *d, wl_status_t status, const char *format, ...) {
  char text[2048];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return wl_fail_text(d, status, text);
}

const char *wl_error(const wl_device_t *d) { return d == NULL ? "out of memory" : d->error; }

const wl_config_t *wl_config_find(const char *name) {
  for (int i = 0; i < WL_NUM_CONFIGS; i++) {
    if (strcmp(wl_configs[i].name, name) == 0) {
      return &wl_configs[i];
    }
  }
  return NULL;
}

const char *wl_config_name(unsigned index) {
  return index < WL_NUM_SHOWN_CONFIGS ? wl_configs[index].name : NULL;
}

static void fill_info(wl_device_info_t *out, const wl_config_t *c) {
  *out = (wl_device_info_t){.config = c->name,
                            .sub_cores = c->sub_cores,
                            .warps = c->warps,
                            .ctas = c->ctas,
                            .max_threads = c->max_threads,
                            .max_regs = c->max_regs,
                            .reg_pages = c->reg_pages,
                            .smem_bytes = c->smem_bytes,
                            .mem_base = WL_MEM_BASE,
                            .mem_bytes = DEFAULT_MEM};
}

bool wl_config_query(const char *config, wl_device_info_t *out) {
  const wl_config_t *c = wl_config_find(config);
  if (c != NULL) {
    fill_info(out, c);
  }
  return c != NULL;
}

wl_status_t wl_device_query(const wl_device_t *d, wl_device_info_t *out) {
  fill_info(out, d->config != NULL ? d->config : &wl_configs[0]);
  out->backend = d->ops != NULL ? d->ops->name : "";
  out->mem_bytes = d->mem_bytes;
  for (size_t i = 0; i < d->block_count; i++) {
    out->mem_used += d->blocks[i].bytes;
  }
  return WL_OK;
}

/* Index of a name in a list of words separated by blanks, -1 if it is not there. */
static int pick(const char *word, const char *const *words, int count) {
  for (int i = 0; i < count; i++) {
    if (strcmp(word, words[i]) == 0) {
      return i;
    }
  }
  return -1;
}

/* c0_bytes: to begin with, of the launch block. */
static wl_status_t make_memory(wl_device_t *d, uint64_t c0_bytes) {
  d->mem = malloc((size_t)d->mem_bytes);
  if (d->mem == NULL) {
    return wl_fail(d, WL_ERR_INTERNAL, "no host memory for %llu bytes of device memory",
                   (unsigned long long)d->mem_bytes);
  }
  wl_mem_pattern(d->options.seed, WL_MEM_BASE, (uint64_t *)(void *)d->mem, d->mem_bytes / 8);
  d->c0_bytes = c0_bytes;
  d->c0 = wl_block_add(d, c0_bytes, "launch block", true);
  return d->c0 != 0 ? WL_OK : wl_fail(d, WL_ERR_INPUT, "device memory is too small");
}

static wl_status_t open_backend(wl_device_t *d, const char *backend) {
  static const char *const compares[] = {"journal", "full", "inside"};
  const wl_device_options_t *o = &d->options;
  int disturb = wl_disturb_find(o->disturb);
  int compare = o->compare == NULL ? 0 : pick(o->compare, compares, 3);
  if (disturb < 0) {
    return wl_fail(d, WL_ERR_INPUT, "unknown disturbance '%s' (none, light, heavy)", o->disturb);
  }
  if (compare < 0) {
    return wl_fail(d, WL_ERR_INPUT, "unknown comparison '%s' (journal, full, inside)", o->compare);
  }
  static const char *const views[] = {"text", "json", "kanata"};
  int view = o->pipeview_format == NULL ? 0 : pick(o->pipeview_format, views, 3);
  if (view < 0) {
    return wl_fail(d, WL_ERR_INPUT, "unknown pipeline view '%s' (text, json, kanata)",
                   o->pipeview_format);
  }
  if (o->pipeview != NULL && strcmp(backend, "model") != 0 && strcmp(backend, "lockstep") != 0) {
    return wl_fail(d, WL_ERR_INPUT,
                   "backend %s has no pipeline view (--pipeview): model and lockstep have one",
                   backend);
  }
  if (o->trace != NULL && strcmp(backend, "func") == 0) {
    return wl_fail(d, WL_ERR_INPUT,
                   "backend func has no waves (--trace): model, rtl and lockstep have them");
  }
  if (o->trace_failure && (o->trace == NULL || strcmp(backend, "lockstep") != 0)) {
    return wl_fail(d, WL_ERR_INPUT,
                   "waves around a difference need --trace FILE and the backend lockstep");
  }
  if (o->lockstep && strcmp(backend, "fpga") != 0) {
    return wl_fail(d, WL_ERR_INPUT,
                   "backend %s cannot be put beside the model: fpga can, and "
                   "lockstep is model and RTL",
                   backend);
  }
  if (o->checked && strcmp(backend, "func") != 0) {
    return wl_fail(d, WL_ERR_INPUT, "backend %s does not check (--checked): func does", backend);
  }
  if (o->threads > 2 || (o->threads == 2 && strcmp(backend, "lockstep") != 0)) {
    return wl_fail(d, WL_ERR_INPUT, "threads %u: 1, or 2 with the backend lockstep", o->threads);
  }
  if (o->threads == 2 && o->trace_failure) {
    return wl_fail(d, WL_ERR_INPUT,
                   "waves around a difference are made from forked snapshots: "
                   "with one thread only");
  }
  wl_backend_desc_t desc = {.config = d->config,
                            .seed = o->seed,
                            .disturb = (unsigned)disturb,
                            .compare_full = compare == 1,
                            .threads = o->threads,
                            .inside = compare == 2 || o->inside,
                            .mem = d->mem,
                            .mem_bytes = d->mem_bytes,
                            .log = o->log,
                            .log_context = o->log_context,
                            .pipeview = o->pipeview,
                            .pipeview_context = o->pipeview_context,
                            .pipeview_format = (unsigned)view,
                            .trace = o->trace,
                            .trace_failure = o->trace_failure,
                            .snapshot_cycles = o->snapshot_cycles,
                            .trace_from = o->trace_from,
                            .trace_to = o->trace_to != 0 ? o->trace_to : UINT64_MAX,
                            .port = o->port,
                            .lockstep = o->lockstep,
                            .stop = o->stop,
                            .stop_context = o->stop_context};
  const wl_backend_ops_t *ops = wl_backend_find(backend);
  char err[512] = "";
  int rc = ops->open(&desc, &d->backend, err, sizeof err);
  if (rc != WL_RUN_OK) {
    return wl_fail(d, rc == WL_RUN_UNSUPPORTED ? WL_ERR_UNSUPPORTED : WL_ERR_INTERNAL,
                   "backend %s: %s", backend, err);
  }
  d->ops = ops;
  if (o->checked && (d->check = wl_check_open(d)) == NULL) {
    return wl_fail(d, WL_ERR_INTERNAL, "out of memory");
  }
  return wl_pass(d);
}

/* Whole cache lines; a size that cannot be rounded up is out of range as it is. */
static uint64_t memory_size(uint64_t bytes) {
  return bytes > UINT64_MAX - 63 ? bytes : (bytes + 63) / 64 * 64;
}

static wl_status_t find_config(wl_device_t *d, const char *name) {
  d->config = wl_config_find(name);
  return d->config != NULL ? WL_OK
                           : wl_fail(d, WL_ERR_INPUT,
                                     "unknown configuration '%s' (tiny, tiny4, base, full)", name);
}

/* A board is asked what it is before memory is made. */
static wl_status_t open_board(wl_device_t *d, const wl_backend_ops_t *ops) {
  const wl_device_options_t *o = &d->options;
  wl_status_t status = o->config != NULL ? find_config(d, o->config) : WL_OK;
  wl_backend_desc_t desc = {.config = d->config, .port = o->port};
  char err[512] = "";
  if (status != WL_OK) {
    return status;
  }
  if (ops->probe(&desc, &d->backend, err, sizeof err) != WL_RUN_OK) {
    return wl_fail(d, WL_ERR_UNSUPPORTED, "backend %s: %s", ops->name, err);
  }
  d->ops = ops;
  d->config = desc.config;
  d->mem_bytes = o->mem_bytes == 0 ? desc.mem_bytes : memory_size(o->mem_bytes);
  if (d->mem_bytes > desc.mem_bytes || d->mem_bytes < MIN_BOARD_MEM) {
    return wl_fail(
        d, WL_ERR_UNSUPPORTED,
        "device memory of %llu bytes: the board has %llu, at least %u are needed (--mem)",
        (unsigned long long)d->mem_bytes, (unsigned long long)desc.mem_bytes, MIN_BOARD_MEM);
  }
  return make_memory(d, sizeof(wl_launch_block_t) + BOARD_PARAM);
}

/* Everything but the backend. */
static wl_status_t open_memory(wl_device_t *d) {
  const char *config = d->options.config == NULL ? "base" : d->options.config;
  d->mem_bytes = d->options.mem_bytes == 0 ? DEFAULT_MEM : memory_size(d->options.mem_bytes);
  wl_status_t status = find_config(d, config);
  if (status != WL_OK) {
    return status;
  }
  if (d->mem_bytes < 1024 * 1024 || d->mem_bytes > MAX_MEM) {
    return wl_fail(d, WL_ERR_INPUT, "device memory of %llu bytes: 1 MiB to 4 GiB are possible",
                   (unsigned long long)d->mem_bytes);
  }
  return make_memory(d, sizeof(wl_launch_block_t) + WL_OBJ_MAX_PARAM);
}

static wl_status_t open_device(wl_device_t *d) {
  const char *backend = d->options.backend == NULL ? "func" : d->options.backend;
  bool known = false;
  for (unsigned i = 0; wl_backend_name(i) != NULL; i++) {
    known = known || strcmp(wl_backend_name(i), backend) == 0;
  }
  if (!known) {
    return wl_fail(d, WL_ERR_INPUT, "unknown backend '%s' (func, model, rtl, lockstep, fpga)",
                   backend);
  }
  if (wl_backend_find(backend) == NULL) {
    return wl_fail(d, WL_ERR_UNSUPPORTED, "this build has no backend %s", backend);
  }
  const wl_backend_ops_t *ops = wl_backend_find(backend);
  wl_status_t status = ops->probe != NULL ? open_board(d, ops) : open_memory(d);
  status = status != WL_OK ? status : open_backend(d, backend);
  if (status != WL_OK && d->ops != NULL) { /* a board's session */
    d->ops->close(d->backend);
    d->ops = NULL;
  }
  return status;
}

static wl_device_t *new_device(const wl_device_options_t *options) {
  wl_device_t *d = calloc(1, sizeof *d);
  if (d == NULL) {
    return NULL;
  }
  d->error = d->error_buf;
  if (options != NULL) {
    d->options = *options;
  }
  return d;
}

wl_status_t wl_device_open(const wl_device_options_t *options, wl_device_t **out) {
  *out = new_device(options);
  return *out == NULL ? WL_ERR_INTERNAL : open_device(*out);
}

wl_status_t wl_device_open_on(const wl_device_options_t *options, const wl_backend_ops_t *ops,
                              void *backend, wl_device_t **out) {
  *out = new_device(options);
  if (*out == NULL) {
    return WL_ERR_INTERNAL;
  }
  wl_status_t status = open_memory(*out);
  (*out)->ops = status == WL_OK ? ops : NULL;
  (*out)->backend = backend;
  return status;
}

void wl_device_close(wl_device_t *d) {
  if (d == NULL) {
    return;
  }
  while (d->modules != NULL) {
    wl_module_unload(d->modules);
  }
  if (d->ops != NULL) {
    d->ops->close(d->backend);
  }
  wl_check_close(d->check);
  clear_error(d);
  wl_replay_forget(d);
  free(d->blocks);
  free(d->mem);
  free(d);
}

wl_status_t wl_synchronize(wl_device_t *d) { return wl_pass(d); }

wl_status_t wl_dump_state(wl_device_t *d, void (*line)(void *context, const char *text),
                          void *context) {
  if (d->ops == NULL || d->ops->dump == NULL) {
    return wl_fail(d, WL_ERR_UNSUPPORTED, "this backend has no state to show");
  }
  d->ops->dump(d->backend, line, context);
  return wl_pass(d);
}
