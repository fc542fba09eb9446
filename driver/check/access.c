/* access.c: memory of a checked launch: which bytes are written, which words of shared memory are
 * mbarriers (check.h). Addresses are looked at before the access, as a load may overwrite them;
 * what a load brings is known then, too. */
#include "driver/check/check.h"

#include <string.h>

#include "driver/check/async.h"
#include "driver/compare/compare.h"

/* Whether the access will be performed: else it traps, and says so by itself. */
bool check_is_sound(const func_sm_t *sm, const cmp_access_t *a) {
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

/* Where the shadow of byte n of an access is: *bits, and the number of the bit. In local memory words
 * of a lane lie apart. */
static uint64_t place(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w,
                      const cmp_access_t *a, uint32_t lane, uint32_t n, uint8_t **bits) {
  const uint64_t at = a->address + n;
  *bits = a->space == WL_MEM_SPACE_SHARED ? c->shared : c->global;
  switch (a->space) {
  case WL_MEM_SPACE_SHARED:
    return sm->ctas[w->cta].smem_base + at;
  case WL_MEM_SPACE_LOCAL: {
    const uint64_t slots = (uint64_t)sm->desc.config->warps * WL_LANES;
    const uint64_t word = (at >> 2) * slots + w->slot * WL_LANES + lane;
    return sm->local_base - WL_MEM_BASE + word * 4 + (at & 3);
  }
  default:
    return at - WL_MEM_BASE;
  }
}

/* Bytes of the access that are written: bit = byte. */
uint32_t check_written_bytes(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w,
                             const cmp_access_t *a, uint32_t lane) {
  uint32_t mask = 0;
  for (uint32_t n = 0; n < a->bytes; n++) {
    uint8_t *bits;
    const uint64_t at = place(c, sm, w, a, lane, n, &bits);
    mask |= (uint32_t)(bits[at / 8] >> at % 8 & 1) << n;
  }
  return mask;
}

void check_put_bytes(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w,
                     const cmp_access_t *a, uint32_t lane, uint32_t mask) {
  for (uint32_t n = 0; n < a->bytes; n++) {
    uint8_t *bits;
    const uint64_t at = place(c, sm, w, a, lane, n, &bits);
    const uint8_t bit = (uint8_t)(1u << at % 8);
    bits[at / 8] = (uint8_t)((bits[at / 8] & ~bit) | ((mask >> n & 1) != 0 ? bit : 0));
  }
}

/* Bytes of a lane's operand group that are written: bit = byte. RZ: all. */
static uint32_t operand_bytes(const check_warp_t *s, uint32_t r, uint32_t bytes, uint32_t lane) {
  uint32_t mask = 0;
  for (uint32_t n = 0; n < bytes; n++) {
    const bool zero = r >= WL_REG_ZERO || r + n / 4 >= WL_REG_ZERO;
    mask |= (zero ? 1u : s->regs[r + n / 4][n % 4] >> lane & 1) << n;
  }
  return mask;
}

/* A word, or an access below a word, of which nothing is written. (Parts of a word may be padding.) */
static bool has_empty_word(uint32_t mask, uint32_t bytes) {
  const uint32_t once = bytes < 4 ? bytes : 4;
  for (uint32_t n = 0; n < bytes; n += once) {
    if ((mask >> n & ((1u << once) - 1)) == 0) {
      return true;
    }
  }
  return false;
}

/* What the lane will have: sub-words are extended. */
static void note_loaded(wl_check_t *c, uint32_t mask, uint32_t bytes, uint32_t lane) {
  if (bytes < 4) {
    mask = mask == (1u << bytes) - 1 ? 15 : 0;
  }
  for (uint32_t n = 0; n < 16; n++) {
    c->loaded[n / 4][n % 4] |= (mask >> n & 1) << lane;
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
  const bool own = f->kind == WL_MEM_KIND_MBAR || f->kind == WL_MEM_KIND_MBTEST ||
                   f->kind == WL_MEM_KIND_CPARRIVE;
  if (a->space != WL_MEM_SPACE_SHARED) {
    return own;
  }
  uint8_t *live = &c->live[(sm->ctas[w->cta].smem_base + a->address) / 8];
  const bool any = live[0] != 0 || (a->bytes == 16 && live[1] != 0);
  if (own) {
    check_async_mbarrier(c->async, sm, w, &sm->code[pc].dec, lane, (uint32_t)a->address,
                         func_src(w, sm->code[pc].dec.rb)[lane]);
  }
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

/* cp.async: the destination becomes as the source is. */
static void copy(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                 const cmp_access_t *from, uint32_t lane) {
  cmp_access_t to = {.space = WL_MEM_SPACE_SHARED, .bytes = from->bytes};
  uint32_t offset;
  memcpy(&offset, from->value, sizeof offset);
  to.address = offset;
  if (check_is_sound(sm, &to)) {
    check_put_bytes(c, sm, w, &to, lane, check_written_bytes(c, sm, w, from, lane));
    check_async_copy(c, sm, w, pc, from, &to, lane);
  }
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
  const bool reads = f->kind != WL_MEM_KIND_ST && f->kind != WL_MEM_KIND_STMATRIX;
  const bool writes = f->kind != WL_MEM_KIND_LD && f->kind != WL_MEM_KIND_LDMATRIX;
  memset(c->loaded, 0, sizeof c->loaded);
  for (uint32_t m = asks; m != 0; m &= m - 1) {
    const uint32_t lane = func_lowest(m);
    cmp_access_t a;
    cmp_access(w, i, lane, &a);
    if (!check_is_sound(sm, &a)) {
      continue;
    }
    const uint32_t all = (1u << a.bytes) - 1;
    uint32_t mask = all;
    if (mbarrier(c, sm, w, pc, &a, lane)) {
      check_put_bytes(c, sm, w, &a, lane, all);
      note_loaded(c, all, a.bytes, lane);
      continue;
    }
    if (f->kind == WL_MEM_KIND_CPASYNC) {
      copy(c, sm, w, pc, &a, lane);
      continue;
    }
    check_async_access(c, sm, w, pc, &a, lane, reads, writes);
    if (reads && (writes || i->strong != 0)) {
      check_async_learn(c->async, sm, w, lane);
    }
    if (reads) {
      mask = check_written_bytes(c, sm, w, &a, lane);
      note_loaded(c, mask, a.bytes, lane);
    }
    if (!writes) {
      continue;
    }
    if (f->kind != WL_MEM_KIND_STMATRIX) {
      const uint32_t value = operand_bytes(s, i->rb, a.bytes, lane) &
                             (f->c != 0 ? operand_bytes(s, i->rc, a.bytes, lane) : all);
      if (a.space == WL_MEM_SPACE_GLOBAL && has_empty_word(value, a.bytes)) {
        check_report(c, sm, w, CHECK_OUTPUT, pc, 1u << lane,
                     i->rb < WL_REG_ZERO ? s->origin[i->rb] : 0, &a.address);
      }
      mask &= value;
    }
    check_put_bytes(c, sm, w, &a, lane, mask);
  }
}

void check_after_access(wl_check_t *c, const func_warp_t *w, const wl_insn_dec_t *i, uint32_t pc,
                        uint32_t e) {
  check_warp_t *s = &c->warp[w->slot];
  const wl_matrix_facts_t *x = &i->info->matrix;
  if (x->count == 0) {
    for (uint32_t k = 0; k < i->info->d && i->rd != WL_REG_ZERO; k++) {
      check_set_bytes(s, i->rd + k, e, c->loaded[k], pc + 1);
    }
    return;
  }
  /* Registers of a matrix come from rows of many lanes. */
  const uint32_t rows = x->count * x->rows, asks = rows >= WL_LANES ? e : (1u << rows) - 1;
  uint32_t good = asks;
  for (uint32_t n = 0; n < 16; n++) {
    good &= c->loaded[n / 4][n % 4];
  }
  check_set_group(s, i->rd, i->info->d, e, good == asks ? e : 0, pc + 1);
}
