/* access.c: memory of a checked launch: which bytes are written, which words of shared memory are
 * mbarriers (check.h). Addresses are looked at before the access, as a load may overwrite them;
 * what a load brings is known then, too. */
#include "driver/check/check.h"

#include <string.h>

#include "driver/compare/compare.h"

/* The bits of n bytes from `at` on, n and at as an aligned access has them. */
static bool all_written(const uint8_t *bits, uint64_t at, uint32_t n) {
  if (n >= 8) {
    return bits[at / 8] == 0xff && (n == 8 || bits[at / 8 + 1] == 0xff);
  }
  const uint32_t mask = ((1u << n) - 1) << at % 8;
  return (bits[at / 8] & mask) == mask;
}

static void set_written(uint8_t *bits, uint64_t at, uint32_t n, bool written) {
  if (n >= 8) {
    memset(bits + at / 8, written ? 0xff : 0, n / 8);
    return;
  }
  const uint8_t mask = (uint8_t)(((1u << n) - 1) << at % 8);
  bits[at / 8] = (uint8_t)(written ? bits[at / 8] | mask : bits[at / 8] & ~mask);
}

/* Whether the access will be performed: else it traps, and says so by itself. */
static bool is_sound(const func_sm_t *sm, const cmp_access_t *a) {
  if (a->address % a->bytes != 0) {
    return false;
  }
  switch (a->space) {
  case WL_MEM_SPACE_SHARED:
    return a->address <= sm->launch.smem_bytes && a->bytes <= sm->launch.smem_bytes - a->address;
  case WL_MEM_SPACE_LOCAL:
    return a->address <= sm->launch.local_bytes && a->bytes <= sm->launch.local_bytes - a->address;
  default:
    return a->address >= sm->mem_base && a->address <= sm->mem_limit &&
           a->bytes <= sm->mem_limit - a->address;
  }
}

typedef struct piece { /* consecutive bytes of an access, all of a word in local memory */
  uint8_t *bits;
  uint64_t at, step; /* step: to the next word in local memory */
  uint32_t bytes, count;
} piece_t;

static piece_t place(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w,
                     const cmp_access_t *a, uint32_t lane) {
  switch (a->space) {
  case WL_MEM_SPACE_SHARED:
    return (piece_t){c->shared, sm->ctas[w->cta].smem_base + a->address, 0, a->bytes, 1};
  case WL_MEM_SPACE_LOCAL: {
    const uint64_t slots = (uint64_t)sm->desc.config->warps * WL_LANES;
    const uint64_t word = (a->address >> 2) * slots + w->slot * WL_LANES + lane;
    const uint32_t once = a->bytes < 4 ? a->bytes : 4;
    return (piece_t){c->global, sm->local_base - WL_MEM_BASE + word * 4 + (a->address & 3),
                     slots * 4, once, a->bytes / once};
  }
  default:
    return (piece_t){c->global, a->address - WL_MEM_BASE, 0, a->bytes, 1};
  }
}

static bool is_written(const piece_t *p) {
  bool all = true;
  for (uint32_t k = 0; k < p->count; k++) {
    all = all && all_written(p->bits, p->at + k * p->step, p->bytes);
  }
  return all;
}

static void write(const piece_t *p, bool written) {
  for (uint32_t k = 0; k < p->count; k++) {
    set_written(p->bits, p->at + k * p->step, p->bytes, written);
  }
}

static bool is_zero(const cmp_access_t *a) {
  for (uint32_t k = 0; k < a->bytes; k++) {
    if (a->value[k] != 0) {
      return false;
    }
  }
  return true;
}

/* Rules of mbarriers; true: the access is one of their operations. */
static bool mbarrier(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                     const cmp_access_t *a, uint32_t lane) {
  const wl_form_info_t *f = sm->code[pc].dec.info;
  const bool own = f->kind == WL_MEM_KIND_MBAR || f->kind == WL_MEM_KIND_MBTEST;
  if (a->space != WL_MEM_SPACE_SHARED) {
    return own;
  }
  uint8_t *live = &c->live[(sm->ctas[w->cta].smem_base + a->address) / 8];
  const bool any = live[0] != 0 || (a->bytes == 16 && live[1] != 0);
  if (f->kind == WL_MEM_KIND_MBAR && f->mbar == WL_MBAR_INIT) {
    if (any) {
      check_report(c, sm, w, CHECK_MBAR_INIT, pc, 1u << lane, UINT32_MAX, &a->address);
    }
    *live = 1;
  } else if (own && !any) {
    check_report(c, sm, w, CHECK_MBAR_NONE, pc, 1u << lane, UINT32_MAX, &a->address);
  } else if (!own && any && f->kind == WL_MEM_KIND_ST && a->bytes == 8 && is_zero(a)) {
    *live = 0; /* mbarrier.inval */
  } else if (!own && any) {
    check_report(c, sm, w, CHECK_MBAR_ACCESS, pc, 1u << lane, UINT32_MAX, &a->address);
  }
  return own;
}

void check_before_access(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                         uint32_t e) {
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  const wl_form_info_t *f = i->info;
  const check_warp_t *s = &c->warp[w->slot];
  const uint32_t rows = f->matrix.count * f->matrix.rows; /* lanes with an address, 0: all */
  const uint32_t asks = rows == 0 || rows == WL_LANES ? e : e & ((1u << rows) - 1);
  uint32_t origin = 0;
  const uint32_t known = check_group(s, i->ra, f->a, asks, &origin);
  if (known != asks) {
    check_report(c, sm, w, CHECK_ADDRESS, pc, asks & ~known, origin, NULL);
  }
  origin = 0;
  uint32_t value = check_group(s, i->rb, f->b, e, &origin);
  value &= check_group(s, i->rc, f->c, e, &origin);
  const bool stores = f->kind == WL_MEM_KIND_ST || f->kind == WL_MEM_KIND_STMATRIX;
  c->loaded = e & ~asks;
  for (uint32_t m = asks; m != 0; m &= m - 1) {
    const uint32_t lane = func_lowest(m), bit = m & -m;
    cmp_access_t a;
    cmp_access(w, i, lane, &a);
    if (!is_sound(sm, &a)) {
      continue;
    }
    const piece_t p = place(c, sm, w, &a, lane);
    if (mbarrier(c, sm, w, pc, &a, lane)) {
      write(&p, true);
      c->loaded |= bit;
      continue;
    }
    if (!stores) {
      c->loaded |= is_written(&p) ? bit : 0;
    }
    if (f->kind == WL_MEM_KIND_LD || f->kind == WL_MEM_KIND_LDMATRIX) {
      continue;
    }
    if (a.space == WL_MEM_SPACE_GLOBAL && (value & bit) == 0) {
      check_report(c, sm, w, CHECK_OUTPUT, pc, bit, origin, &a.address);
    }
    write(&p, (value & bit) != 0 && (stores || (c->loaded & bit) != 0));
  }
}

void check_after_access(wl_check_t *c, const func_warp_t *w, const wl_insn_dec_t *i, uint32_t pc,
                        uint32_t e) {
  const bool matrix = i->info->matrix.count != 0;
  check_set_group(&c->warp[w->slot], i->rd, i->info->d, e,
                  matrix && c->loaded != e ? 0 : c->loaded & e, pc + 1);
}
