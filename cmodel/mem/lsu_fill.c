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
  s->lanes_once =
      (uint8_t)(wl_matrix_is_load(s) ? wl_matrix_write_lanes(env, s) : env->cfg.lsu_lanes);
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

/* `bytes` of a lane: a power of two. */
static uint8_t check(const wl_launch_block_t *b, const wl_lsu_slot_t *s, wl_lsu_phase_t phase,
                     uint64_t ea, unsigned bytes) {
  if ((ea & (bytes - 1)) != 0) return WL_TRAP_MISALIGNED;
  if (s->dec.info->matrix.count != 0 && phase != WL_LSU_SHARED) return WL_TRAP_OUT_OF_BOUNDS;
  switch (phase) {
  case WL_LSU_GLOBAL: {
    const uint64_t limit = wl_pair(b->mem_limit);
    const bool inside = ea >= wl_pair(b->mem_base) && ea <= limit && limit - ea >= bytes;
    return inside ? WL_TRAP_NONE : WL_TRAP_OUT_OF_BOUNDS;
  }
  case WL_LSU_SHARED:
    return ea >> 24 == 0 && ea + bytes <= b->smem_bytes ? WL_TRAP_NONE : WL_TRAP_OUT_OF_BOUNDS;
  default:
    if (s->dec.info->kind == WL_MEM_KIND_ATOM) return WL_TRAP_OUT_OF_BOUNDS;
    return ea + bytes <= b->local_bytes ? WL_TRAP_NONE : WL_TRAP_STACK;
  }
}

static void fill_lane(wl_lsu_slot_t *s, const wl_launch_block_t *b, const wl_flight_t *f,
                      unsigned lane, unsigned bytes) {
  const wl_form_info_t *info = s->dec.info;
  const uint64_t offset = (uint64_t)(int64_t)(int32_t)s->dec.imm;
  uint64_t ea = f->a[0][lane];
  if (info->a == 2)
    ea = (ea | (uint64_t)f->a[1][lane] << 32) + offset;
  else
    ea = (uint32_t)(ea + offset);
  const uint64_t generic = ea;
  const wl_lsu_phase_t phase = class_of(info->space, &ea);
  for (unsigned k = 0; k < info->b; k++)
    s->data[k][lane] = f->b[k][lane];
  for (unsigned k = 0; k < info->c; k++)
    s->swap[k][lane] = f->c[k][lane];
  if (info->matrix.count != 0 && (wl_matrix_address_lanes(info) >> lane & 1) == 0) return;
  s->ea[lane] = ea;
  s->lanes[phase] |= UINT32_C(1) << lane;
  const uint8_t cause = check(b, s, phase, ea, bytes);
  if (cause == WL_TRAP_NONE || (s->fault && s->fault_lane < lane)) return;
  s->fault = true;
  s->fault_lane = (uint8_t)lane;
  s->fault_cause = cause;
  s->fault_address = generic;
}

void wl_lsu_fill(wl_lsu_t *l, const wl_env_t *env, const wl_x1_wire_t *x) {
  wl_lsu_slot_t *s = &l->slot[x->f->lsu_slot];
  if (x->step == 0) {
    const wl_launch_block_t *b = env->launch;
    const unsigned bytes = wl_sem_type_bytes((wl_mem_type_t)s->dec.info->type);
    for (uint32_t left = x->lanes; left != 0; left &= left - 1)
      fill_lane(s, b, x->f, wl_lowest(left), bytes);
  }
  if (!x->last) return;
  l->filled = env->cfg.lsu_delay;
  l->last_filled = x->f->lsu_slot;
  if (!l->filled) s->state = WL_LSU_READY;
}
