/* mem/lsu_fill.c: docs/microarchitecture.md 10: how a slot of the LSU is filled: taken at issue, then
 * addresses, classes and faults of the lanes as their operands arrive. */
#include <string.h>

#include "cmodel/mem/lsu.h"

void wl_lsu_allocate(wl_lsu_t *l, const wl_env_t *env, const wl_issue_wire_t *i) {
  wl_lsu_slot_t *s = &l->slot[l->alloc];
  s->valid = true;
  s->state = WL_LSU_FILL;
  s->dec = i->insn->dec;
  s->pc = i->insn->pc;
  s->warp = i->warp;
  s->exec = i->exec;
  memset(s->lanes, 0, sizeof s->lanes);
  s->fault = false;
  s->outstanding = 0;
  s->due = false;
  s->stored = false;
  l->copy[l->alloc] =
      (wl_copy_t){.used = s->dec.info->kind == WL_MEM_KIND_CPASYNC, .warp = i->warp};
  s->lanes_once =
      (uint8_t)(s->dec.info->matrix.count != 0 ? wl_matrix_lanes_once(env, s) : env->cfg.lsu_lanes);
  s->beat = (uint8_t)(wl_lowest(i->exec) / s->lanes_once);
  s->word = 0;
  l->alloc = (uint8_t)((l->alloc + 1U) % env->cfg.lsu_depth);
}

static wl_lsu_phase_t class_of(unsigned space, uint64_t *ea) {
  if (space == WL_MEM_SPACE_SHARED) return WL_LSU_SHARED;
  if (space == WL_MEM_SPACE_LOCAL) return WL_LSU_LOCAL;
  if (space == WL_MEM_SPACE_GLOBAL) return WL_LSU_GLOBAL;
  const uint32_t window = (uint32_t)(*ea >> 32);
  if (window != 0x10000 && window != 0x20000) return WL_LSU_GLOBAL;
  *ea &= UINT32_MAX;
  return window == 0x10000 ? WL_LSU_SHARED : WL_LSU_LOCAL;
}

/* Addresses that lanes of a class may access: low, and `span` bytes more; none if not `any`. */
typedef struct wl_range {
  bool any;
  uint64_t low, span;
} wl_range_t;

/* Matrices and mbarriers are in shared memory. */
static bool is_shared_only(const wl_form_info_t *info) {
  return info->matrix.count != 0 || info->kind == WL_MEM_KIND_MBAR ||
         info->kind == WL_MEM_KIND_MBTEST || info->kind == WL_MEM_KIND_CPARRIVE;
}

/* `bytes` of a lane. */
static wl_range_t range_of(const wl_launch_block_t *b, const wl_form_info_t *info,
                           wl_lsu_phase_t phase, unsigned bytes) {
  uint64_t low = 0, size = b->local_bytes;
  if (is_shared_only(info) && phase != WL_LSU_SHARED) {
    size = 0;
  } else if (phase == WL_LSU_GLOBAL) {
    const uint64_t limit = wl_pair(b->mem_limit);
    low = wl_pair(b->mem_base);
    size = limit >= low ? limit - low : 0;
  } else if (phase == WL_LSU_SHARED) {
    size = b->smem_bytes < 1U << 24 ? b->smem_bytes : 1U << 24;
  } else if (info->kind == WL_MEM_KIND_ATOM) {
    size = 0;
  }
  return (wl_range_t){size >= bytes, low, size - bytes};
}

static bool is_bad(const wl_range_t *r, uint64_t ea, unsigned bytes) {
  return (ea & (bytes - 1)) != 0 || !r->any || ea - r->low > r->span; /* bytes: a power of two */
}

/* The fault of the lowest lane stays. */
static void take_fault(wl_lsu_slot_t *s, wl_lsu_phase_t phase, unsigned lane, uint64_t generic,
                       unsigned bytes) {
  if (s->fault && s->fault_lane < lane) return;
  const bool stack = phase == WL_LSU_LOCAL && s->dec.info->kind != WL_MEM_KIND_ATOM &&
                     !is_shared_only(s->dec.info);
  s->fault = true;
  s->fault_lane = (uint8_t)lane;
  s->fault_cause = (s->ea[lane] & (bytes - 1)) != 0 ? WL_TRAP_MISALIGNED
                   : stack                          ? WL_TRAP_STACK
                                                    : WL_TRAP_OUT_OF_BOUNDS;
  s->fault_address = generic;
}

static uint64_t address_of(const wl_flight_t *f, bool wide, uint64_t offset, unsigned lane) {
  const uint64_t low = f->a[0][lane];
  return wide ? (low | (uint64_t)f->a[1][lane] << 32) + offset : (uint32_t)(low + offset);
}

/* Lanes of a form that names its space. */
static void fill_lanes(wl_lsu_slot_t *s, const wl_launch_block_t *b, const wl_flight_t *f,
                       uint32_t lanes, unsigned bytes) {
  const wl_form_info_t *info = s->dec.info;
  const uint64_t offset = (uint64_t)(int64_t)(int32_t)s->dec.imm;
  const bool wide = info->a == 2;
  uint64_t none = 0;
  const wl_lsu_phase_t phase = class_of(info->space, &none);
  const wl_range_t range = range_of(b, info, phase, bytes);
  const uint64_t low = range.low, span = range.span;
  uint32_t bad = 0;
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const unsigned lane = wl_lowest(left);
    const uint64_t ea = address_of(f, wide, offset, lane);
    s->ea[lane] = ea;
    if ((ea & (bytes - 1)) != 0 || ea - low > span) bad |= left & -left;
  }
  if (!range.any) bad = lanes;
  s->lanes[phase] |= lanes;
  if (bad != 0) take_fault(s, phase, wl_lowest(bad), s->ea[wl_lowest(bad)], bytes);
}

static void fill_generic(wl_lsu_slot_t *s, const wl_launch_block_t *b, const wl_flight_t *f,
                         uint32_t lanes, unsigned bytes) {
  const wl_form_info_t *info = s->dec.info;
  const uint64_t offset = (uint64_t)(int64_t)(int32_t)s->dec.imm;
  wl_range_t range[WL_LSU_PHASES];
  for (unsigned i = 0; i < WL_LSU_PHASES; i++)
    range[i] = range_of(b, info, (wl_lsu_phase_t)i, bytes);
  for (; lanes != 0; lanes &= lanes - 1) {
    const unsigned lane = wl_lowest(lanes);
    const uint64_t generic = address_of(f, info->a == 2, offset, lane);
    uint64_t ea = generic;
    const wl_lsu_phase_t phase = class_of(info->space, &ea);
    s->ea[lane] = ea;
    s->lanes[phase] |= UINT32_C(1) << lane;
    if (is_bad(&range[phase], ea, bytes)) take_fault(s, phase, lane, generic, bytes);
  }
}

/* Destinations of copies (22.1), behind the faults of the sources. */
static void check_destinations(wl_lsu_slot_t *s, const wl_launch_block_t *b, uint32_t lanes,
                               unsigned bytes) {
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const unsigned lane = wl_lowest(left);
    const uint32_t to = s->data[0][lane];
    const bool misaligned = (to & (bytes - 1)) != 0;
    if (!misaligned && to >> 24 == 0 && to + bytes <= b->smem_bytes) continue;
    if (s->fault && s->fault_lane <= lane) return;
    s->fault = true;
    s->fault_lane = (uint8_t)lane;
    s->fault_cause = misaligned ? WL_TRAP_MISALIGNED : WL_TRAP_OUT_OF_BOUNDS;
    s->fault_address = to;
    return;
  }
}

/* Operand words of all lanes are known in the first step (6.1). */
static void fill_data(wl_lsu_slot_t *s, const wl_flight_t *f) {
  for (unsigned k = 0; k < s->dec.info->b; k++)
    memcpy(s->data[k], f->b[k], sizeof s->data[k]);
  for (unsigned k = 0; k < s->dec.info->c; k++)
    memcpy(s->swap[k], f->c[k], sizeof s->swap[k]);
}

void wl_lsu_fill(wl_lsu_t *l, const wl_env_t *env, const wl_x1_wire_t *x) {
  wl_lsu_slot_t *s = &l->slot[x->f->lsu_slot];
  if (x->step == 0) {
    const unsigned bytes = wl_sem_type_bytes((wl_mem_type_t)s->dec.info->type);
    if ((s->lanes[WL_LSU_GLOBAL] | s->lanes[WL_LSU_SHARED] | s->lanes[WL_LSU_LOCAL]) == 0)
      fill_data(s, x->f);
    const uint32_t lanes =
        s->dec.info->matrix.count != 0 ? x->lanes & wl_matrix_address_lanes(s->dec.info) : x->lanes;
    if (s->dec.info->space == WL_MEM_SPACE_GEN)
      fill_generic(s, env->launch, x->f, lanes, bytes);
    else
      fill_lanes(s, env->launch, x->f, lanes, bytes);
    if (s->dec.info->kind == WL_MEM_KIND_CPASYNC) check_destinations(s, env->launch, lanes, bytes);
  }
  if (!x->last) return;
  l->filled = env->cfg.lsu_delay;
  l->last_filled = x->f->lsu_slot;
  if (!l->filled) s->state = WL_LSU_READY;
}
