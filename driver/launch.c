/* launch.c: launches of libwarplock: checks, the launch block (isa/def/launch.def), parameters,
 * local memory, the run, and what came of it. docs/architecture.md 7, docs/microarchitecture.md 3.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/internal.h"
#include "gen/wl_trap.h"

static wl_status_t check_dims(wl_function_t *f, const wl_launch_t *l) {
  static const uint32_t grid_max[3] = {0x7fffffff, 65535, 65535};
  static const uint32_t block_max[3] = {1024, 1024, 64};
  wl_device_t *d = f->module->device;
  for (int i = 0; i < 3; i++) {
    if (l->grid[i] < 1 || l->grid[i] > grid_max[i]) {
      return wl_fail(d, WL_ERR_INPUT, "grid %u,%u,%u: %c must be 1 to %u", l->grid[0], l->grid[1],
                     l->grid[2], "xyz"[i], grid_max[i]);
    }
    if (l->block[i] < 1 || l->block[i] > block_max[i]) {
      return wl_fail(d, WL_ERR_INPUT, "block %u,%u,%u: %c must be 1 to %u", l->block[0],
                     l->block[1], l->block[2], "xyz"[i], block_max[i]);
    }
  }
  uint32_t threads = l->block[0] * l->block[1] * l->block[2];
  if (threads > 1024) {
    return wl_fail(d, WL_ERR_INPUT, "block %u,%u,%u: %u threads, at most 1024 are possible",
                   l->block[0], l->block[1], l->block[2], threads);
  }
  const wl_obj_entry_t *e = f->entry;
  const uint32_t *req = e->reqntid;
  const uint32_t *max = e->maxntid;
  if (req[0] != 0) {
    uint32_t want[3] = {req[0], req[1] != 0 ? req[1] : 1, req[2] != 0 ? req[2] : 1};
    if (memcmp(want, l->block, sizeof want) != 0) {
      return wl_fail(d, WL_ERR_INPUT, "block %u,%u,%u: %s requires %u,%u,%u (.reqntid)",
                     l->block[0], l->block[1], l->block[2], e->name, want[0], want[1], want[2]);
    }
  }
  uint64_t most = (uint64_t)max[0] * (max[1] != 0 ? max[1] : 1) * (max[2] != 0 ? max[2] : 1);
  if (max[0] != 0 && threads > most) {
    return wl_fail(d, WL_ERR_INPUT, "block %u,%u,%u: %u threads, %s allows %llu (.maxntid)",
                   l->block[0], l->block[1], l->block[2], threads, e->name,
                   (unsigned long long)most);
  }
  return WL_OK;
}

static wl_status_t check_args(wl_function_t *f, const wl_arg_t *args, unsigned count) {
  wl_device_t *d = f->module->device;
  if (count != f->entry->param_count) {
    return wl_fail(d, WL_ERR_INPUT, "%s takes %u argument%s, %u given", f->prototype,
                   f->entry->param_count, f->entry->param_count == 1 ? "" : "s", count);
  }
  for (unsigned i = 0; i < count; i++) {
    const wl_obj_param_t *p = &f->entry->params[i];
    if (args[i].bytes != p->bytes || args[i].data == NULL) {
      return wl_fail(d, WL_ERR_INPUT, "argument %u of %s: %zu bytes given, parameter %s has %u", i,
                     f->prototype, args[i].bytes, p->name, p->bytes);
    }
  }
  return WL_OK;
}

static void put64(uint32_t to[2], uint64_t value) {
  to[0] = (uint32_t)value;
  to[1] = (uint32_t)(value >> 32);
}

/* Everything that does not depend on addresses. */
static void fill_shape(const wl_obj_entry_t *e, const wl_launch_t *l, wl_launch_block_t *b) {
  uint32_t xy = l->block[0] * l->block[1];
  b->nctaid_x = l->grid[0];
  b->nctaid_y = l->grid[1];
  b->nctaid_z = l->grid[2];
  b->ntid_x = l->block[0];
  b->ntid_y = l->block[1];
  b->ntid_z = l->block[2];
  b->threads = xy * l->block[2];
  b->warps = (b->threads + 31) / 32;
  b->reg_pages = (e->regs + 7) / 8;
  b->dynamic_smem = l->shared;
  b->smem_bytes = e->smem_static;
  if (l->shared != 0) {
    b->smem_bytes =
        (e->smem_static + e->smem_align - 1) / e->smem_align * e->smem_align + l->shared;
  }
  b->smem_bytes = (b->smem_bytes + 3) / 4 * 4; /* atomics of 16 bits work on whole words */
  b->smem_units = (b->smem_bytes + 1023) / 1024;
  b->recip_x = ((1u << 20) + l->block[0] - 1) / l->block[0];
  b->recip_xy = ((1u << 20) + xy - 1) / xy;
  b->by_index = (e->units & WL_OBJ_UNIT_TMEM) != 0;
  b->param_bytes = e->param_bytes;
  b->local_bytes = e->local_bytes;
  if (e->local_bytes == WL_OBJ_LOCAL_BY_DEPTH) {
    b->local_bytes = l->local_bytes != 0 ? (l->local_bytes + 3) / 4 * 4 : WL_OBJ_LOCAL_DEFAULT;
  }
}

/* Local memory of every thread slot of the SM, kept between launches and grown when needed. */
static wl_status_t place_local(wl_function_t *f, wl_launch_block_t *b) {
  wl_device_t *d = f->module->device;
  uint64_t need = (uint64_t)b->local_bytes * d->config->warps * 32;
  if (need > d->local_bytes) {
    if (d->local != 0) {
      wl_block_remove(d, d->local);
    }
    d->local_bytes = 0;
    d->local = wl_block_add(d, need, "local memory", true);
    if (d->local == 0) {
      return wl_fail(d, WL_ERR_UNSUPPORTED,
                     "%s does not fit: local memory: needed %llu bytes (%u per thread), device "
                     "memory has %llu",
                     f->entry->name, (unsigned long long)need, b->local_bytes,
                     (unsigned long long)d->mem_bytes);
    }
    d->local_bytes = need;
  }
  put64(b->local_base, d->local != 0 ? d->local : d->c0);
  return WL_OK;
}

/* The area of block and parameters, grown when needed. */
static wl_status_t place_c0(wl_function_t *f) {
  wl_device_t *d = f->module->device;
  const uint64_t need = sizeof(wl_launch_block_t) + f->entry->param_bytes;
  if (need <= d->c0_bytes) {
    return WL_OK;
  }
  const wl_addr_t to = wl_block_add(d, need, "launch block", true);
  if (to == 0) {
    return wl_fail(d, WL_ERR_UNSUPPORTED,
                   "%s does not fit: launch block: needed %llu bytes, device memory has %llu",
                   f->entry->name, (unsigned long long)need, (unsigned long long)d->mem_bytes);
  }
  wl_block_remove(d, d->c0);
  d->c0 = to;
  d->c0_bytes = need;
  return WL_OK;
}

static void fill_places(wl_function_t *f, wl_launch_block_t *b) {
  const wl_module_t *m = f->module;
  wl_device_t *d = m->device;
  b->entry_pc = f->entry->pc;
  b->code_words = m->obj->code_count;
  put64(b->code_base, m->code);
  put64(b->c1_base, m->c1);
  b->c1_bytes = (uint32_t)m->obj->image[WL_OBJ_C1].bytes;
  put64(b->c2_base, m->c2);
  b->c2_bytes = (uint32_t)m->obj->image[WL_OBJ_C2].bytes;
  put64(b->gridid, d->launches);
  put64(b->mem_base, WL_MEM_BASE);
  put64(b->mem_limit, WL_MEM_BASE + d->mem_bytes);
  put64(b->c0_base, d->c0);
}

/* The block and the parameters as bytes of c0; padding between parameters is zero. */
static void write_c0(wl_function_t *f, const wl_launch_block_t *b, const wl_arg_t *args) {
  wl_device_t *d = f->module->device;
  uint8_t *c0 = wl_mem_at(d, d->c0, sizeof *b + f->entry->param_bytes);
  uint32_t words[WL_LAUNCH_BLOCK_WORDS];
  memcpy(words, b, sizeof words);
  for (size_t i = 0; i < sizeof words; i++) {
    c0[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
  }
  memset(c0 + sizeof words, 0, f->entry->param_bytes);
  for (uint32_t i = 0; i < f->entry->param_count; i++) {
    const wl_obj_param_t *p = &f->entry->params[i];
    if (p->bytes != 0) {
      memcpy(c0 + sizeof words + p->offset, args[i].data, p->bytes);
    }
  }
}

static void copy_result(const wl_run_result_t *run, wl_result_t *result) {
  memset(result, 0, sizeof *result);
  result->cycles = run->cycles;
  result->instructions = run->instructions;
  result->thread_instructions = run->thread_instructions;
  result->trapped = run->status == WL_RUN_TRAP;
  if (result->trapped) {
    const wl_run_trap_t *t = &run->trap;
    result->trap =
        (wl_trap_info_t){.cause = t->cause,
                         .message = t->cause < WL_NUM_TRAPS ? wl_trap_message[t->cause] : NULL,
                         .pc = t->pc,
                         .warp = t->warp,
                         .lane = t->lane,
                         .lanes = t->lanes,
                         .has_address = t->has_address,
                         .address = t->address};
    memcpy(result->trap.cta, t->cta, sizeof t->cta);
  }
}

static wl_status_t judge(wl_function_t *f, const wl_run_result_t *run) {
  static const wl_status_t status[] = {
      [WL_RUN_OK] = WL_OK,
      [WL_RUN_TRAP] = WL_ERR_TRAP,
      [WL_RUN_HANG] = WL_ERR_HANG,
      [WL_RUN_DIVERGED] = WL_ERR_DIVERGENCE,
      [WL_RUN_UNSUPPORTED] = WL_ERR_UNSUPPORTED,
      [WL_RUN_INTERNAL] = WL_ERR_INTERNAL,
  };
  wl_device_t *d = f->module->device;
  if (run->status == WL_RUN_OK) {
    return wl_pass(d);
  }
  if (run->status == WL_RUN_TRAP) {
    return wl_report_trap(f, &run->trap);
  }
  if (run->status == WL_RUN_DIVERGED && run->has_pc) {
    char place[512], text[sizeof run->report + sizeof place + 64];
    const int first = (int)strcspn(run->report, "\n"); /* the place goes behind the first line */
    wl_place_text(f->module, run->pc, place, sizeof place);
    (void)snprintf(text, sizeof text, "%.*s\nsource %s%s", first, run->report,
                   place[0] != 0 ? place : "not known: the module has no line table",
                   run->report + first);
    return wl_fail_text(d, WL_ERR_DIVERGENCE, text);
  }
  return wl_fail_text(d, status[run->status], run->report[0] != 0 ? run->report : "no report");
}

wl_status_t wl_launch_prepare(wl_function_t *f, const wl_launch_t *launch, const wl_arg_t *args,
                              unsigned arg_count) {
  wl_launch_block_t block;
  memset(&block, 0, sizeof block);
  wl_status_t status = wl_check_refused(f);
  status = status == WL_OK ? check_dims(f, launch) : status;
  status = status == WL_OK ? check_args(f, args, arg_count) : status;
  if (status == WL_OK) {
    fill_shape(f->entry, launch, &block);
    status = wl_check_fit(f, launch, &block);
  }
  status = status == WL_OK ? place_c0(f) : status;
  status = status == WL_OK ? place_local(f, &block) : status;
  if (status == WL_OK) {
    fill_places(f, &block);
    write_c0(f, &block, args);
    f->module->device->launches++;
  }
  return status;
}

/* Behind what the note says already. */
static void note_columns(wl_run_result_t *run) {
  const size_t at = strlen(run->note);
  if (run->columns_left == 0) return;
  (void)snprintf(run->note + at, sizeof run->note - at,
                 "warning: CTAs ended and left %llu columns of tensor memory allocated\n",
                 (unsigned long long)run->columns_left);
}

wl_status_t wl_launch_run(wl_function_t *f, uint64_t block, uint64_t max_cycles,
                          wl_result_t *result) {
  wl_device_t *d = f->module->device;
  wl_run_result_t *run = &d->run;
  memset(run, 0, sizeof *run);
  if (d->check != NULL) {
    wl_check_begin(d->check, f);
  }
  d->ops->run(d->backend, block, max_cycles, run);
  note_columns(run);
  if (result != NULL) {
    copy_result(run, result);
  }
  return judge(f, run);
}

wl_status_t wl_launch(wl_function_t *f, const wl_launch_t *launch, const wl_arg_t *args,
                      unsigned arg_count, wl_result_t *result) {
  wl_device_t *d = f->module->device;
  if (result != NULL) {
    memset(result, 0, sizeof *result);
  }
  wl_status_t status = wl_launch_prepare(f, launch, args, arg_count);
  if (status != WL_OK) {
    return status;
  }
  const bool keep = d->options.replay != NULL && strcmp(d->ops->name, "lockstep") == 0;
  if (keep) {
    wl_replay_keep(f, launch);
  }
  status = wl_launch_run(f, d->c0, d->options.max_cycles, result);
  if (keep) {
    wl_replay_tell(f);
  }
  return status;
}

const char *wl_launch_report(const wl_device_t *d) { return d->run.report; }

const char *wl_launch_note(const wl_device_t *d) { return d->run.note; }
