/* bulk.c: bulk copies between global and shared memory (docs/microarchitecture.md 23). A command is
 * carried out at once, those of several lanes in ascending order; the first fault ends the run. */
#include <string.h>

#include "driver/func/func.h"

enum { UNIT = 16 }; /* bytes: addresses and sizes are multiples of it */

func_command_t func_command(const func_warp_t *w, const wl_insn_dec_t *i, uint32_t lane) {
  uint32_t a[4];
  for (uint32_t k = 0; k < 4; k++) {
    a[k] = func_word(w, i->ra, k, lane);
  }
  return (func_command_t){.kind = (wl_mem_kind_t)i->info->kind,
                          .global = (uint64_t)a[1] << 32 | a[0],
                          .shared = a[2],
                          .bytes = a[3],
                          .b = func_src(w, i->rb)[lane]};
}

/* In the order of 23.1. */
static wl_trap_t fault(const func_sm_t *sm, const func_command_t *c, uint64_t *address) {
  const bool load = c->kind == WL_MEM_KIND_BLOAD;
  const uint64_t smem = sm->launch.smem_bytes;
  const struct {
    bool holds;
    wl_trap_t cause;
    uint64_t address;
  } causes[] = {
      {c->global % UNIT != 0, WL_TRAP_MISALIGNED, c->global},
      {c->shared % UNIT != 0, WL_TRAP_MISALIGNED, c->shared},
      {load && c->b % 8 != 0, WL_TRAP_MISALIGNED, c->b},
      {c->bytes == 0 || c->bytes % UNIT != 0, WL_TRAP_COPY_SIZE, c->bytes},
      {c->global < sm->mem_base || c->global > sm->mem_limit ||
           c->bytes > sm->mem_limit - c->global,
       WL_TRAP_OUT_OF_BOUNDS, c->global},
      {(uint64_t)c->shared + c->bytes > smem, WL_TRAP_OUT_OF_BOUNDS, c->shared},
      {load && (uint64_t)c->b + 8 > smem, WL_TRAP_OUT_OF_BOUNDS, c->b},
  };
  for (size_t n = 0; n < sizeof causes / sizeof causes[0]; n++) {
    if (causes[n].holds) {
      *address = causes[n].address;
      return causes[n].cause;
    }
  }
  return WL_TRAP_NONE;
}

static void store(uint8_t *global, const uint8_t *shared, uint32_t bytes, uint32_t mask) {
  for (uint32_t n = 0; n < bytes; n++) {
    if ((mask >> n % UNIT & 1) != 0) {
      global[n] = shared[n];
    }
  }
}

static void reduce(const wl_form_info_t *f, uint8_t *global, const uint8_t *shared,
                   uint32_t bytes) {
  const wl_mem_type_t type = (wl_mem_type_t)f->type;
  const uint32_t size = wl_sem_type_bytes(type);
  for (uint32_t n = 0; n < bytes; n += size) {
    uint64_t old = 0, value = 0;
    memcpy(&old, global + n, size);
    memcpy(&value, shared + n, size);
    value = wl_sem_atom((wl_atom_op_t)f->atom, type, true, old, value, 0);
    memcpy(global + n, &value, size);
  }
}

void func_bulk(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  uint8_t *const smem = sm->smem + sm->ctas[w->cta].smem_base;
  for (uint32_t m = e; m != 0 && sm->trap.cause == WL_TRAP_NONE; m &= m - 1) {
    const uint32_t lane = func_lowest(m);
    const func_command_t c = func_command(w, i, lane);
    uint64_t address = 0;
    const wl_trap_t cause = fault(sm, &c, &address);
    if (cause != WL_TRAP_NONE) {
      func_trap_address(sm, w, cause, lane, m, address);
      return;
    }
    uint8_t *const global = sm->desc.mem + (c.global - WL_MEM_BASE);
    if (c.kind == WL_MEM_KIND_BLOAD) {
      memcpy(smem + c.shared, global, c.bytes);
      func_signal(sm, w, WL_MBAR_COMPLETE, lane, m, (uintptr_t)(smem + c.b), c.bytes);
    } else if (c.kind == WL_MEM_KIND_BSTORE) {
      store(global, smem + c.shared, c.bytes, c.b);
    } else {
      reduce(i->info, global, smem + c.shared, c.bytes);
    }
  }
}
