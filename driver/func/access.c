/* access.c: loads, stores, atomics and constant loads (docs/microarchitecture.md 10-12). All lanes
 * are checked before the first access; lanes perform in ascending order, so that of several stores
 * to a byte the highest lane's stays. The host is little endian, as the device. */
#include <string.h>

#include "driver/func/func.h"

/* Where the lanes' data lie: word k of lane i at at[i] + k * step[i]. Addresses are integers, since
 * those of lanes that do not take part point nowhere. */
typedef struct places {
  uintptr_t at[WL_LANES];
  uint32_t step[WL_LANES];
  uint32_t in_global; /* lanes */
} places_t;

typedef struct fault {
  wl_trap_t cause;
  uint32_t lane;
  uint64_t address;
} fault_t;

static wl_trap_t place_global(const func_sm_t *sm, uint64_t ea, uint32_t bytes, uint32_t lane,
                              places_t *p) {
  if (ea < sm->mem_base || ea > sm->mem_limit || bytes > sm->mem_limit - ea) {
    return WL_TRAP_OUT_OF_BOUNDS;
  }
  p->at[lane] = (uintptr_t)sm->desc.mem + (ea - WL_MEM_BASE);
  p->step[lane] = 4;
  p->in_global |= 1u << lane;
  return WL_TRAP_NONE;
}

static wl_trap_t place_shared(const func_sm_t *sm, const func_warp_t *w, uint32_t offset,
                              uint32_t bytes, uint32_t lane, places_t *p) {
  if (offset >> 24 != 0 || offset + bytes > sm->launch.smem_bytes) {
    return WL_TRAP_OUT_OF_BOUNDS;
  }
  p->at[lane] = (uintptr_t)sm->smem + sm->ctas[w->cta].smem_base + offset;
  p->step[lane] = 4;
  return WL_TRAP_NONE;
}

static wl_trap_t place_local(const func_sm_t *sm, const func_warp_t *w, uint32_t offset,
                             uint32_t bytes, uint32_t lane, places_t *p) {
  if (offset > sm->launch.local_bytes || bytes > sm->launch.local_bytes - offset) {
    return WL_TRAP_STACK;
  }
  uint32_t slots = sm->desc.config->warps * 32;
  uint64_t word = (uint64_t)(offset >> 2) * slots + w->slot * 32 + lane;
  p->at[lane] = (uintptr_t)sm->desc.mem + (sm->local_base - WL_MEM_BASE) + word * 4 + (offset & 3u);
  p->step[lane] = slots * 4;
  return WL_TRAP_NONE;
}

static wl_trap_t place_lane(const func_sm_t *sm, const func_warp_t *w, const wl_form_info_t *f,
                            uint64_t ea, uint32_t bytes, uint32_t lane, places_t *p) {
  if ((ea & (bytes - 1)) != 0) {
    return WL_TRAP_MISALIGNED;
  }
  uint32_t window = (uint32_t)(ea >> 32);
  uint32_t space = f->space;
  if (space == WL_MEM_SPACE_GEN) {
    space = window == FUNC_SHARED_WINDOW  ? WL_MEM_SPACE_SHARED
            : window == FUNC_LOCAL_WINDOW ? WL_MEM_SPACE_LOCAL
                                          : WL_MEM_SPACE_GLOBAL;
  }
  const bool mbar = f->kind == WL_MEM_KIND_MBAR || f->kind == WL_MEM_KIND_MBTEST ||
                    f->kind == WL_MEM_KIND_CPARRIVE;
  if (mbar && space != WL_MEM_SPACE_SHARED) return WL_TRAP_OUT_OF_BOUNDS;
  switch (space) {
  case WL_MEM_SPACE_SHARED:
    return place_shared(sm, w, (uint32_t)ea, bytes, lane, p);
  case WL_MEM_SPACE_LOCAL:
    return f->kind == WL_MEM_KIND_ATOM ? WL_TRAP_OUT_OF_BOUNDS
                                       : place_local(sm, w, (uint32_t)ea, bytes, lane, p);
  default:
    return place_global(sm, ea, bytes, lane, p);
  }
}

/* The usual case, every lane inside one space, checked for all lanes at once; loops that the
 * compiler vectorises. False: some lane needs the closer look of place_lane. */
static bool place_together(const func_sm_t *sm, const func_warp_t *w, const wl_insn_dec_t *i,
                           uint32_t e, uint32_t bytes, places_t *p) {
  const uint32_t *low = func_src(w, i->ra);
  const uint32_t *high = func_src(w, i->info->a == 2 ? i->ra + 1u : WL_REG_ZERO);
  uint64_t bad[WL_LANES];
  uint32_t all = 0;
  if (i->info->space == WL_MEM_SPACE_SHARED) {
    if (sm->launch.smem_bytes < bytes) {
      return false;
    }
    uint32_t last = sm->launch.smem_bytes - bytes;
    uintptr_t base = (uintptr_t)sm->smem + sm->ctas[w->cta].smem_base;
    for (uint32_t k = 0; k < WL_LANES; k++) {
      uint32_t offset = low[k] + i->imm;
      p->at[k] = base + offset;
      bad[k] = (offset & (bytes - 1)) | (uint32_t)(offset > last);
    }
  } else if (i->info->space == WL_MEM_SPACE_LOCAL || i->info->kind == WL_MEM_KIND_MBAR ||
             i->info->kind == WL_MEM_KIND_MBTEST || i->info->kind == WL_MEM_KIND_CPARRIVE) {
    return false;
  } else { /* a generic address in a window is outside global memory: the closer look */
    uint64_t imm = (uint64_t)(int64_t)(int32_t)i->imm;
    uint64_t last = sm->mem_limit - sm->mem_base - bytes;
    uintptr_t base = (uintptr_t)sm->desc.mem + (sm->mem_base - WL_MEM_BASE);
    for (uint32_t k = 0; k < WL_LANES; k++) {
      uint64_t offset = ((uint64_t)high[k] << 32 | low[k]) + imm - sm->mem_base;
      p->at[k] = base + offset;
      bad[k] = (offset & (bytes - 1)) | (uint64_t)(offset > last);
    }
  }
  for (uint32_t k = 0; k < WL_LANES; k++) {
    all |= (uint32_t)(bad[k] != 0) << k;
    p->step[k] = 4;
  }
  p->in_global = i->info->space == WL_MEM_SPACE_SHARED ? 0 : UINT32_MAX;
  return (all & e) == 0;
}

static bool place_all(const func_sm_t *sm, const func_warp_t *w, const wl_insn_dec_t *i, uint32_t e,
                      uint32_t bytes, places_t *p, fault_t *fault) {
  const wl_form_info_t *f = i->info;
  const uint32_t *low = func_src(w, i->ra);
  const uint32_t *high = func_src(w, f->a == 2 ? i->ra + 1u : WL_REG_ZERO);
  uint64_t offset = (uint64_t)(int64_t)(int32_t)i->imm;
  if (place_together(sm, w, i, e, bytes, p)) {
    return true;
  }
  p->in_global = 0;
  for (uint32_t m = e; m != 0; m &= m - 1) {
    uint32_t lane = func_lowest(m);
    uint64_t ea = ((uint64_t)high[lane] << 32 | low[lane]) + offset;
    ea = f->a == 2 ? ea : (uint32_t)ea;
    wl_trap_t cause = place_lane(sm, w, f, ea, bytes, lane, p);
    if (cause != WL_TRAP_NONE) {
      *fault = (fault_t){cause, lane, ea};
      return false;
    }
  }
  return true;
}

static void load_narrow(func_warp_t *w, const wl_insn_dec_t *i, uint32_t e, uint32_t bytes,
                        const places_t *p) {
  uint32_t d[WL_LANES];
  for (uint32_t m = e; m != 0; m &= m - 1) {
    uint32_t lane = func_lowest(m);
    uint32_t raw = 0;
    memcpy(&raw, (const void *)p->at[lane], bytes);
    d[lane] = wl_sem_load_word((wl_mem_type_t)i->info->type, raw);
  }
  func_write(w, i->rd, d, e);
}

static void load(func_warp_t *w, const wl_insn_dec_t *i, uint32_t e, uint32_t bytes,
                 const places_t *p) {
  uint32_t d[4][WL_LANES];
  if (bytes < 4) {
    load_narrow(w, i, e, bytes, p);
    return;
  }
  for (uint32_t k = 0; k < bytes / 4; k++) {
    if (e == UINT32_MAX) {
      for (uint32_t lane = 0; lane < WL_LANES; lane++) {
        memcpy(&d[k][lane], (const void *)(p->at[lane] + (size_t)k * p->step[lane]), 4);
      }
      continue;
    }
    for (uint32_t m = e; m != 0; m &= m - 1) {
      uint32_t lane = func_lowest(m);
      memcpy(&d[k][lane], (const void *)(p->at[lane] + (size_t)k * p->step[lane]), 4);
    }
  }
  for (uint32_t k = 0; k < bytes / 4; k++) {
    func_write(w, i->rd + k, d[k], e);
  }
}

static void store(const func_warp_t *w, const wl_insn_dec_t *i, uint32_t e, uint32_t bytes,
                  const places_t *p) {
  uint32_t words = bytes <= 4 ? 1 : bytes / 4;
  const uint32_t *value[4];
  for (uint32_t k = 0; k < words; k++) {
    value[k] = func_src(w, i->rb == WL_REG_ZERO ? WL_REG_ZERO : i->rb + k);
  }
  for (uint32_t m = e; m != 0; m &= m - 1) {
    uint32_t lane = func_lowest(m);
    if (bytes < 4) {
      memcpy((void *)p->at[lane], &value[0][lane], bytes);
      continue;
    }
    for (uint32_t k = 0; k < words; k++) {
      memcpy((void *)(p->at[lane] + (size_t)k * p->step[lane]), &value[k][lane], 4);
    }
  }
}

static void atomic(func_warp_t *w, const wl_insn_dec_t *i, uint32_t e, uint32_t bytes,
                   const places_t *p) {
  const wl_form_info_t *f = i->info;
  uint32_t d[WL_SEM_ATOM_WORDS][WL_LANES];
  for (uint32_t m = e; m != 0; m &= m - 1) {
    uint32_t lane = func_lowest(m);
    uint32_t b[WL_SEM_ATOM_WORDS] = {0}, c[WL_SEM_ATOM_WORDS] = {0};
    uint32_t old[WL_SEM_ATOM_WORDS] = {0}, value[WL_SEM_ATOM_WORDS];
    memcpy(old, (const void *)p->at[lane], bytes);
    for (uint32_t k = 0; k < bytes / 4; k++) {
      b[k] = func_word(w, i->rb, k, lane);
      c[k] = func_word(w, i->rc, k, lane);
      d[k][lane] = old[k];
    }
    wl_sem_atom_words((wl_atom_op_t)f->atom, (wl_mem_type_t)f->type,
                      (p->in_global >> lane & 1u) != 0, old, b, c, value);
    memcpy((void *)p->at[lane], value, bytes);
  }
  for (uint32_t k = 0; k < f->d && i->rd != WL_REG_ZERO; k++) {
    func_write(w, i->rd + k, d[k], e);
  }
}

/* cp.async: the lowest lane whose destination is wrong, WL_LANES: none. */
static uint32_t bad_destination(const func_sm_t *sm, const func_warp_t *w, const wl_insn_dec_t *i,
                                uint32_t e, uint32_t bytes) {
  const uint32_t *to = func_src(w, i->rb);
  for (uint32_t m = e; m != 0; m &= m - 1) {
    const uint32_t at = to[func_lowest(m)];
    if ((at & (bytes - 1)) != 0 || at >> 24 != 0 || at + bytes > sm->launch.smem_bytes) {
      return func_lowest(m);
    }
  }
  return WL_LANES;
}

static void copy(const func_sm_t *sm, const func_warp_t *w, const wl_insn_dec_t *i, uint32_t e,
                 uint32_t bytes, const places_t *from) {
  const uint32_t *to = func_src(w, i->rb);
  uint8_t *shared = sm->smem + sm->ctas[w->cta].smem_base;
  for (uint32_t m = e; m != 0; m &= m - 1) {
    const uint32_t lane = func_lowest(m);
    memcpy(shared + to[lane], (const void *)from->at[lane], bytes);
  }
}

/* The fault of the lowest lane, of the source before the destination; true: there is one. */
static bool misplaced(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e,
                      uint32_t bytes, places_t *places) {
  fault_t fault = {.lane = WL_LANES};
  const bool copies = i->info->kind == WL_MEM_KIND_CPASYNC;
  const uint32_t bad = copies ? bad_destination(sm, w, i, e, bytes) : WL_LANES;
  const bool placed = place_all(sm, w, i, e, bytes, places, &fault);
  if (bad < WL_LANES && (placed || bad < fault.lane)) {
    const uint32_t to = func_src(w, i->rb)[bad];
    func_trap_address(sm, w, (to & (bytes - 1)) != 0 ? WL_TRAP_MISALIGNED : WL_TRAP_OUT_OF_BOUNDS,
                      bad, e, to);
    return true;
  }
  if (!placed) {
    func_trap_address(sm, w, fault.cause, fault.lane, e, fault.address);
  }
  return !placed;
}

void func_access(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  places_t places;
  uint32_t bytes = wl_sem_type_bytes((wl_mem_type_t)i->info->type);
  if (i->info->matrix.count != 0) {
    func_matrix(sm, w, i);
    return;
  }
  if (misplaced(sm, w, i, e, bytes, &places)) {
    return;
  }
  switch ((wl_mem_kind_t)i->info->kind) {
  case WL_MEM_KIND_LD:
    w->polled = w->polled || i->strong != 0;
    load(w, i, e, bytes, &places);
    break;
  case WL_MEM_KIND_ST:
    store(w, i, e, bytes, &places);
    break;
  case WL_MEM_KIND_ATOM:
    w->polled = w->polled || i->rd != WL_REG_ZERO;
    atomic(w, i, e, bytes, &places);
    break;
  case WL_MEM_KIND_MBAR:
    func_mbar(sm, w, i, e, places.at);
    break;
  case WL_MEM_KIND_MBTEST:
    w->polled = true;
    func_mbtest(sm, w, i, e, places.at);
    break;
  case WL_MEM_KIND_CPASYNC: /* a copy may be over at once */
    copy(sm, w, i, e, bytes, &places);
    break;
  case WL_MEM_KIND_CPARRIVE:
    func_mbar(sm, w, i, e, places.at);
    break;
  case WL_MEM_KIND_LDMATRIX: /* func_matrix */
  case WL_MEM_KIND_STMATRIX:
  case WL_MEM_KIND_BLOAD: /* func_bulk */
  case WL_MEM_KIND_BSTORE:
  case WL_MEM_KIND_BRED:
  case WL_NUM_MEM_KIND:
    break;
  }
}

void func_ldc(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  places_t places;
  uint32_t bytes = wl_sem_type_bytes((wl_mem_type_t)i->info->type);
  uint32_t bank = i->imm >> 28;
  uint32_t size = bank < 3 ? sm->csize[bank] : 0;
  uint32_t constant = (uint32_t)((int32_t)(i->imm << 4) >> 4);
  const uint32_t *a = func_src(w, i->ra);
  for (uint32_t m = e; m != 0; m &= m - 1) {
    uint32_t lane = func_lowest(m);
    uint32_t offset = a[lane] + constant;
    bool misaligned = (offset & (bytes - 1)) != 0;
    if (misaligned || offset > size || bytes > size - offset) {
      func_trap_address(sm, w, misaligned ? WL_TRAP_MISALIGNED : WL_TRAP_CONST_RANGE, lane, e,
                        offset);
      return;
    }
    places.at[lane] = (uintptr_t)sm->desc.mem + (sm->cbase[bank] - WL_MEM_BASE) + offset;
    places.step[lane] = 4;
  }
  load(w, i, e, bytes, &places);
}
