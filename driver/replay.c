/* replay.c: a divergence as a replay file, and running one again. docs/replay.md
 * What a launch depends on is the memory before it, the launch block, the state that former
 * launches of the device left in the core, and the device's options: all launches are kept, and run
 * again in order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/internal.h"
#include "gen/warplock_layout.h"
#include "isa/obj/elf.h"

void wl_replay_forget(wl_device_t *d) {
  for (size_t i = 0; i < d->kept_count; i++) {
    wl_rpx_free_image(&d->kept[i].image);
  }
  free(d->kept);
  d->kept = NULL;
  d->kept_count = 0;
}

/* Out of memory: a launch is missing, so no later divergence can be told. */
static void give_up(wl_device_t *d) {
  wl_replay_forget(d);
  d->options.replay = NULL;
}

void wl_replay_keep(wl_function_t *f, const wl_launch_t *launch) {
  wl_device_t *d = f->module->device;
  wl_rpx_launch_t *more = realloc(d->kept, (d->kept_count + 1) * sizeof *more);
  if (more == NULL || d->kept_count == WL_RPX_MAX_LAUNCHES) {
    give_up(d);
    return;
  }
  d->kept = more;
  wl_rpx_launch_t *l = &more[d->kept_count++];
  *l = (wl_rpx_launch_t){
      .block = d->c0, .max_cycles = d->options.max_cycles, .shared = launch->shared};
  memcpy(l->grid, launch->grid, sizeof l->grid);
  memcpy(l->block_dim, launch->block, sizeof l->block_dim);
  if (!wl_rpx_take(&l->image, (const uint64_t *)(const void *)d->mem, d->mem_bytes, d->options.seed,
                   wl_mem_pattern, WL_MEM_BASE)) {
    give_up(d);
  }
}

static void write_file(wl_function_t *f, const uint8_t *object, size_t object_bytes) {
  wl_device_t *d = f->module->device;
  const wl_run_result_t *run = &d->run;
  const wl_rpx_t r = {.isa_hash = wl_isa_hash(),
                      .layout_hash = wl_layouts[d->config - wl_configs].hash,
                      .seed = d->options.seed,
                      .mem_bytes = d->mem_bytes,
                      .disturb = (uint32_t)wl_disturb_find(d->options.disturb),
                      .compare_full =
                          d->options.compare != NULL && strcmp(d->options.compare, "full") == 0,
                      .config = d->config->name,
                      .version = wl_version(),
                      .module = f->module->name,
                      .kernel = f->entry->name,
                      .object = object,
                      .object_bytes = object_bytes,
                      .launch = d->kept,
                      .launches = d->kept_count,
                      .cycle = run->cycle,
                      .window_from = wl_window_from(run->cycle),
                      .window_to = run->cycle + WL_WINDOW_BEHIND,
                      .kind = run->kind,
                      .view = run->view,
                      .warp = run->warp,
                      .reg = run->reg,
                      .report = run->report};
  uint8_t *bytes = NULL;
  size_t size = 0;
  if (wl_rpx_write(&r, &bytes, &size)) {
    d->options.replay(d->options.replay_context, run->cycle, bytes, size);
  }
  free(bytes);
}

void wl_replay_tell(wl_function_t *f) {
  wl_device_t *d = f->module->device;
  uint8_t *object = NULL;
  size_t bytes = 0;
  char err[256];
  if (d->options.replay == NULL) {
    return;
  }
  d->kept[d->kept_count - 1].cycles = d->run.cycles;
  if (d->run.status != WL_RUN_DIVERGED ||
      !wl_obj_write(f->module->obj, &object, &bytes, err, sizeof err)) {
    return;
  }
  write_file(f, object, bytes);
  free(object);
}

/* ---- running one */

static wl_status_t fail(wl_replay_t *r, wl_status_t status, const char *text) {
  if (r->error != r->own) {
    free(r->error);
  }
  const size_t n = strlen(text) + 1;
  char *copy = n <= sizeof r->own ? r->own : malloc(n);
  r->error = copy != NULL ? copy : r->own;
  (void)snprintf(r->error, copy == r->own || copy == NULL ? sizeof r->own : n, "%s", text);
  return status;
}

static wl_status_t check_tables(wl_replay_t *r) {
  const wl_rpx_t *x = &r->rpx;
  char text[600];
  const wl_config_t *config = wl_config_find(x->config);
  if (config == NULL) {
    (void)snprintf(text, sizeof text,
                   "recorded on configuration '%.40s', which this library (%s) "
                   "does not have",
                   x->config, wl_version());
    return fail(r, WL_ERR_UNSUPPORTED, text);
  }
  const uint64_t layout = wl_layouts[config - wl_configs].hash;
  if (x->isa_hash != wl_isa_hash()) {
    (void)snprintf(text, sizeof text,
                   "recorded with machine ISA %016llx (version %.40s), this library has %016llx "
                   "(version %s)",
                   (unsigned long long)x->isa_hash, x->version, (unsigned long long)wl_isa_hash(),
                   wl_version());
    return fail(r, WL_ERR_UNSUPPORTED, text);
  }
  if (x->layout_hash != layout) {
    (void)snprintf(text, sizeof text,
                   "recorded with record layout %016llx of %s (version %.40s), this library has "
                   "%016llx (version %s)",
                   (unsigned long long)x->layout_hash, x->config, x->version,
                   (unsigned long long)layout, wl_version());
    return fail(r, WL_ERR_UNSUPPORTED, text);
  }
  return WL_OK;
}

wl_status_t wl_replay_open(const void *bytes, size_t size, wl_replay_t **out) {
  char err[512] = "";
  wl_replay_t *r = *out = calloc(1, sizeof *r);
  if (r == NULL) {
    return WL_ERR_INTERNAL;
  }
  r->error = r->own;
  r->bytes = malloc(size != 0 ? size : 1);
  if (r->bytes == NULL) {
    return fail(r, WL_ERR_INTERNAL, "out of memory");
  }
  if (size != 0) {
    memcpy(r->bytes, bytes, size);
  }
  if (!wl_rpx_read(r->bytes, size, &r->rpx, err, sizeof err)) {
    wl_rpx_free(&r->rpx);
    return fail(r, WL_ERR_INPUT, err);
  }
  return check_tables(r);
}

void wl_replay_close(wl_replay_t *r) {
  if (r == NULL) {
    return;
  }
  wl_device_close(r->device);
  wl_rpx_free(&r->rpx);
  (void)fail(r, WL_OK, "");
  free(r->bytes);
  free(r);
}

const char *wl_replay_error(const wl_replay_t *r) { return r != NULL ? r->error : "out of memory"; }

void wl_replay_query(const wl_replay_t *r, wl_replay_info_t *out) {
  const wl_rpx_t *x = &r->rpx;
  *out = (wl_replay_info_t){.version = x->version,
                            .config = x->config,
                            .disturb = wl_disturbs[x->disturb].name,
                            .compare = x->compare_full ? "full" : "journal",
                            .module = x->module,
                            .kernel = x->kernel,
                            .isa_hash = x->isa_hash,
                            .layout_hash = x->layout_hash,
                            .object_hash = x->object_hash,
                            .object_bytes = x->object_bytes,
                            .seed = x->seed,
                            .mem_bytes = x->mem_bytes,
                            .launches = (unsigned)x->launches,
                            .cycle = x->cycle,
                            .window_from = x->window_from,
                            .window_to = x->window_to,
                            .report = x->report};
  if (x->launches != 0) {
    memcpy(out->grid, x->launch[x->launches - 1].grid, sizeof out->grid);
    memcpy(out->block, x->launch[x->launches - 1].block_dim, sizeof out->block);
  }
}

static wl_status_t open_device(wl_replay_t *r, const wl_device_options_t *given) {
  const wl_rpx_t *x = &r->rpx;
  wl_device_options_t o = given != NULL ? *given : (wl_device_options_t){0};
  o.backend = "lockstep";
  o.config = x->config;
  o.mem_bytes = x->mem_bytes;
  o.seed = x->seed;
  o.disturb = wl_disturbs[x->disturb].name;
  o.compare = x->compare_full ? "full" : "journal";
  o.max_cycles = 0;
  o.replay = NULL;
  o.trace_failure = false;
  wl_device_close(r->device);
  return wl_device_open(&o, &r->device);
}

/* The module gives the report its names; its places in memory are overwritten by the image. */
static wl_status_t find_kernel(wl_replay_t *r, wl_function_t **f) {
  const wl_rpx_t *x = &r->rpx;
  wl_module_t *module = NULL;
  const wl_status_t status =
      wl_module_load(r->device, x->module, x->object, (size_t)x->object_bytes, NULL, &module);
  return status != WL_OK ? status : wl_module_function(module, x->kernel, f);
}

/* ---- the launch block of a file, which wl_launch did not write: what it says of sizes and places
 * must be what a launch could say, so that neither side of lockstep is led outside its arrays. */

static bool sound_shape(const wl_config_t *c, const wl_launch_block_t *b) {
  const uint64_t threads = (uint64_t)b->ntid_x * b->ntid_y * b->ntid_z;
  return b->nctaid_x != 0 && b->nctaid_x <= 0x7fffffff && b->nctaid_y != 0 &&
         b->nctaid_y <= 65535 && b->nctaid_z != 0 && b->nctaid_z <= 65535 && b->ntid_x != 0 &&
         b->ntid_x <= 1024 && b->ntid_y <= 1024 && b->ntid_z <= 64 && threads != 0 &&
         threads <= c->max_threads && b->threads == threads && b->warps == (threads + 31) / 32 &&
         b->recip_x == ((1u << 20) + b->ntid_x - 1) / b->ntid_x &&
         b->recip_xy == ((1u << 20) + b->ntid_x * b->ntid_y - 1) / (b->ntid_x * b->ntid_y);
}

static bool sound_resources(const wl_config_t *c, const wl_launch_block_t *b) {
  return b->warps <= c->warps && b->reg_pages != 0 && b->reg_pages <= 32 &&
         b->warps * b->reg_pages <= c->reg_pages && b->smem_bytes <= c->smem_bytes &&
         b->smem_units == (b->smem_bytes + 1023) / 1024 && b->dynamic_smem <= b->smem_bytes &&
         b->param_bytes <= WL_OBJ_MAX_PARAM && b->c1_bytes <= WL_OBJ_MAX_C1 &&
         b->c2_bytes <= WL_OBJ_MAX_C2 && b->entry_pc < b->code_words && b->local_bytes % 4 == 0;
}

static bool in_memory(const wl_device_t *d, const uint32_t address[2], uint64_t bytes,
                      uint64_t align) {
  const uint64_t at = wl_pair(address);
  return at % align == 0 && wl_mem_at(d, at, bytes) != NULL;
}

bool wl_replay_sound(const wl_device_t *d, uint64_t block) {
  wl_launch_block_t b;
  memcpy(&b, d->mem + (block - WL_MEM_BASE), sizeof b);
  const uint64_t base = wl_pair(b.mem_base);
  const uint64_t limit = wl_pair(b.mem_limit);
  return base == WL_MEM_BASE && limit == WL_MEM_BASE + d->mem_bytes && sound_shape(d->config, &b) &&
         sound_resources(d->config, &b) &&
         in_memory(d, b.code_base, (uint64_t)b.code_words * 16, 64) &&
         in_memory(d, b.local_base, (uint64_t)b.local_bytes * d->config->warps * 32, 32) &&
         in_memory(d, b.c1_base, b.c1_bytes, 64) && in_memory(d, b.c2_base, b.c2_bytes, 64) &&
         in_memory(d, b.c0_base, sizeof b + b.param_bytes, 64);
}

wl_status_t wl_replay_launches(wl_replay_t *r, wl_function_t *f, size_t from, size_t to) {
  wl_device_t *d = r->device;
  wl_status_t status = WL_OK;
  for (size_t i = from; i < to; i++) {
    const wl_rpx_launch_t *l = &r->rpx.launch[i];
    const bool last = i + 1 == r->rpx.launches;
    wl_mem_pattern(d->options.seed, WL_MEM_BASE, (uint64_t *)(void *)d->mem, d->mem_bytes / 8);
    wl_rpx_put(&l->image, d->mem);
    if (!wl_replay_sound(d, l->block)) {
      return wl_fail(d, WL_ERR_INPUT,
                     "damaged replay file: launch %zu has a launch block that no "
                     "launch makes",
                     i);
    }
    status = wl_launch_run(f, l->block, l->max_cycles, NULL);
    if (!last && ((status != WL_OK && status != WL_ERR_TRAP) || d->run.cycles != l->cycles)) {
      break;
    }
  }
  return status;
}

/* The first difference must be the recorded one, to the last word of its report. */
static wl_status_t verdict(wl_replay_t *r, wl_status_t status) {
  const char *got = wl_error(r->device), *note = r->device->run.note;
  char text[sizeof r->device->run.report + sizeof r->device->run.note + 1024];
  if (status == WL_ERR_DIVERGENCE && strcmp(r->device->run.report, r->rpx.report) == 0) {
    (void)snprintf(text, sizeof text, "%s%s", got, note);
    return fail(r, WL_ERR_DIVERGENCE, text);
  }
  if (status != WL_OK && status != WL_ERR_TRAP && status != WL_ERR_DIVERGENCE) {
    return fail(r, status, got);
  }
  const int first = (int)strcspn(r->rpx.report, "\n");
  (void)snprintf(text, sizeof text, "recorded: %.*s\nthis run: %s%s", first, r->rpx.report,
                 status == WL_ERR_DIVERGENCE ? got : wl_launch_report(r->device), note);
  return fail(r, WL_OK, text);
}

wl_status_t wl_replay_device(wl_replay_t *r, const wl_device_options_t *options,
                             wl_function_t **f) {
  wl_status_t status = check_tables(r);
  if (status != WL_OK) {
    return status;
  }
  status = open_device(r, options);
  status = status == WL_OK ? find_kernel(r, f) : status;
  return status == WL_OK ? status : fail(r, status, wl_error(r->device));
}

wl_status_t wl_replay_run(wl_replay_t *r, const wl_device_options_t *options) {
  wl_function_t *f = NULL;
  wl_device_options_t o = options != NULL ? *options : (wl_device_options_t){0};
  o.inside = true;
  const wl_status_t status = wl_replay_device(r, &o, &f);
  return status == WL_OK ? verdict(r, wl_replay_launches(r, f, 0, r->rpx.launches)) : status;
}
