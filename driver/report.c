/* report.c: texts about a launch that trapped or does not fit. docs/architecture.md 6 and 8. */
#include <stdio.h>
#include <string.h>

#include "driver/internal.h"
#include "gen/wl_trap.h"
#include "isa/obj/dis.h"

void wl_place_text(const wl_module_t *m, uint32_t pc, char *buf, size_t cap) {
  buf[0] = 0;
  const wl_obj_line_t *l = pc < m->obj->code_count ? wl_obj_find_line(m->obj, pc) : NULL;
  if (l == NULL) {
    return;
  }
  size_t used = 0;
  if (l->ptx_line != 0) {
    used = (size_t)snprintf(buf, cap, "%s:%u",
                            m->obj->ptx_name != NULL ? m->obj->ptx_name : m->name, l->ptx_line);
  }
  if (l->file != WL_OBJ_NONE && used < cap) {
    (void)snprintf(buf + used, cap - used, "%s%s:%u", used != 0 ? ", " : "", m->obj->files[l->file],
                   l->line);
  }
}

/* The .global variable of a module's image at an offset, NULL if there is none. */
static const wl_obj_sym_t *variable_at(const wl_module_t *m, uint64_t offset) {
  for (uint32_t i = 0; i < m->obj->sym_count; i++) {
    const wl_obj_sym_t *s = &m->obj->syms[i];
    if (s->kind == WL_OBJ_SYM_GLOBAL && offset >= s->value && offset - s->value < s->size) {
      return s;
    }
  }
  return NULL;
}

static void nearest_text(const wl_function_t *f, uint64_t address, char *buf, size_t cap) {
  const wl_module_t *m = f->module;
  const wl_block_t *b = wl_block_nearest(m->device, address);
  if (b == NULL) {
    (void)snprintf(buf, cap, "no allocation");
    return;
  }
  const wl_obj_sym_t *s = b->address == m->global ? variable_at(m, address - m->global) : NULL;
  char where[64];
  if (address < b->address) {
    (void)snprintf(where, sizeof where, "%llu bytes before",
                   (unsigned long long)(b->address - address));
  } else if (address - b->address < b->bytes) {
    (void)snprintf(where, sizeof where, "%llu bytes into",
                   (unsigned long long)(address - b->address));
  } else {
    (void)snprintf(where, sizeof where, "%llu bytes behind",
                   (unsigned long long)(address - b->address - b->bytes));
  }
  (void)snprintf(buf, cap, "%s %s%s%s%s of %llu bytes at 0x%llx", where,
                 b->label[0] != 0 ? b->label : "the allocation", s != NULL ? " (variable " : "",
                 s != NULL ? s->name : "", s != NULL ? ")" : "", (unsigned long long)b->bytes,
                 (unsigned long long)b->address);
}

static void address_text(const wl_function_t *f, const wl_run_trap_t *t, char *buf, size_t cap) {
  char nearest[300];
  uint32_t window = (uint32_t)(t->address >> 32);
  buf[0] = 0;
  if (!t->has_address) {
    return;
  }
  if (t->cause == WL_TRAP_COPY_SIZE) {
    (void)snprintf(buf, cap, ", bytes 0x%llx", (unsigned long long)t->address);
    return;
  }
  if (t->cause == WL_TRAP_CONST_RANGE || t->cause == WL_TRAP_STACK || t->address < WL_MEM_BASE ||
      window == 0x00010000u || window == 0x00020000u) {
    (void)snprintf(buf, cap, ", address 0x%llx", (unsigned long long)t->address);
    return;
  }
  nearest_text(f, t->address, nearest, sizeof nearest);
  (void)snprintf(buf, cap, ", address 0x%llx, nearest allocation: %s",
                 (unsigned long long)t->address, nearest);
}

wl_status_t wl_report_trap(wl_function_t *f, const wl_run_trap_t *t) {
  const wl_module_t *m = f->module;
  char place[400];
  char address[400];
  char insn[WL_DIS_MAX] = "";
  wl_place_text(m, t->pc, place, sizeof place);
  address_text(f, t, address, sizeof address);
  if (t->pc < m->obj->code_count) {
    wl_dis_word(m->obj->code[t->pc].w, insn, sizeof insn);
  }
  const char *message = t->cause < WL_NUM_TRAPS && wl_trap_message[t->cause] != NULL
                            ? wl_trap_message[t->cause]
                            : "unknown trap";
  return wl_fail(m->device, WL_ERR_TRAP,
                 "trap in %s: %s: instruction %u%s%s%s%s%s, CTA %u,%u,%u, warp %u, lanes 0x%08x, "
                 "first lane %u%s",
                 f->entry->name, message, t->pc, insn[0] != 0 ? " `" : "", insn,
                 insn[0] != 0 ? "`" : "", place[0] != 0 ? " at " : "", place, t->cta[0], t->cta[1],
                 t->cta[2], t->warp, t->lanes, t->lane, address);
}

/* The smallest configuration that has at least `needed` of a resource; NULL if none has. */
static const char *smallest(size_t member, uint32_t needed) {
  for (int i = 0; i < WL_NUM_SHOWN_CONFIGS; i++) {
    uint32_t value = 0;
    memcpy(&value, (const char *)&wl_configs[i] + member, sizeof value);
    if (value >= needed && strcmp(wl_configs[i].name, "tiny4") != 0) {
      return wl_configs[i].name;
    }
  }
  return NULL;
}

static wl_status_t refuse(wl_function_t *f, const char *what, uint32_t needed, uint32_t available,
                          const char *other, const char *clause) {
  wl_device_t *d = f->module->device;
  return wl_fail(d, WL_ERR_UNSUPPORTED,
                 "%s does not fit: %s: needed %u, available %u in configuration %s; %s%s%s",
                 f->entry->name, what, needed, available, d->config->name,
                 other != NULL ? "smallest configuration that has it: " : "no configuration has it",
                 other != NULL ? other : "", clause);
}

static wl_status_t fits(wl_function_t *f, const char *what, uint32_t needed, size_t member,
                        const char *clause) {
  uint32_t available = 0;
  memcpy(&available, (const char *)f->module->device->config + member, sizeof available);
  if (needed <= available) return WL_OK;
  char place[40] = "";
  if (clause[0] != '\0') snprintf(place, sizeof place, " [PTX %s]", clause);
  return refuse(f, what, needed, available, smallest(member, needed), place);
}

/* Register pages that a CTA alone on the SM needs in the sub-core with most of its warps. */
static uint32_t pages_needed(const wl_config_t *c, const wl_launch_block_t *b) {
  return (b->warps + c->sub_cores - 1) / c->sub_cores * b->reg_pages;
}

static wl_status_t pages_fit(wl_function_t *f, const wl_launch_block_t *b) {
  const wl_config_t *own = f->module->device->config;
  const uint32_t needed = pages_needed(own, b), available = own->reg_pages / own->sub_cores;
  const char *other = NULL;
  for (int i = 0; i < WL_NUM_SHOWN_CONFIGS && other == NULL; i++) {
    const wl_config_t *c = &wl_configs[i];
    if (pages_needed(c, b) <= c->reg_pages / c->sub_cores && strcmp(c->name, "tiny4") != 0) {
      other = c->name;
    }
  }
  return needed <= available ? WL_OK
                             : refuse(f,
                                      own->sub_cores == 1 ? "register pages per CTA"
                                                          : "register pages in a sub-core",
                                      needed, available, other, "");
}

/* Optional units (OPTION rows of config.def): every one that the kernel needs. */
static wl_status_t units_fit(wl_function_t *f) {
  wl_status_t status = WL_OK;
  const wl_device_t *d = f->module->device;
  if ((f->entry->units & WL_OBJ_UNIT_PROBE) != 0 && d->config->probe &&
      strcmp(d->ops->name, "func") == 0)
    return wl_fail(f->module->device, WL_ERR_UNSUPPORTED,
                   "%s needs the probe unit, which the interpreter (backend func) does not have",
                   f->entry->name);
  for (int i = 0; i < 32 && status == WL_OK; i++) {
    if ((f->entry->units >> i & 1u) == 0) continue;
    status = i < WL_NUM_OPTIONS
                 ? fits(f, wl_options[i].meaning, 1, wl_options[i].member, wl_options[i].clause)
                 : refuse(f, "a unit that is not known", 1, 0, NULL, "");
  }
  return status;
}

#define FITS(f, what, needed, member) fits(f, what, needed, offsetof(wl_config_t, member), "")

wl_status_t wl_check_fit(wl_function_t *f, const wl_launch_t *launch, wl_launch_block_t *b) {
  const wl_obj_entry_t *e = f->entry;
  wl_status_t status = FITS(f, "threads per CTA", b->threads, max_threads);
  status = status != WL_OK ? status : FITS(f, "warps per CTA", b->warps, warps);
  status = status != WL_OK ? status : FITS(f, "registers per thread", e->regs, max_regs);
  status = status != WL_OK ? status : pages_fit(f, b);
  if (status == WL_OK && launch->shared > UINT32_MAX / 4) {
    return wl_fail(f->module->device, WL_ERR_INPUT, "%u bytes of dynamic shared memory",
                   launch->shared);
  }
  status =
      status != WL_OK ? status : FITS(f, "shared memory bytes per CTA", b->smem_bytes, smem_bytes);
  return status != WL_OK ? status : units_fit(f);
}
