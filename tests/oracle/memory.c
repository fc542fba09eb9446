/* memory.c: loads, stores, atomics and generic addresses [PTX 6.4.1, 9.7.9, 9.7.13.5]. An access
 * outside of what exists, or not aligned to its size, is an error. Little-endian hosts only. */
#include <inttypes.h>
#include <string.h>

#include "tests/oracle/run.h"

/* The windows lie elsewhere with another seed. */
static uint64_t shift(const wl_or_grid_t *g) { return g->launch->seed % 16 << 36; }

/* Generic address to a space and an address in it. */
static wl_or_space_t resolve(const wl_or_grid_t *g, uint64_t *address) {
  static const struct {
    uint64_t base;
    wl_or_space_t space;
  } windows[] = {{OR_SHARED_WINDOW, OR_SP_SHARED},
                 {OR_LOCAL_WINDOW, OR_SP_LOCAL},
                 {OR_PARAM_WINDOW, OR_SP_PARAM}};
  for (unsigned i = 0; i < 3; i++) {
    if (*address - windows[i].base - shift(g) < OR_WINDOW_SIZE) {
      *address -= windows[i].base + shift(g);
      return windows[i].space;
    }
  }
  return OR_SP_GLOBAL;
}

static uint8_t *inside(uint8_t *base, uint64_t start, uint64_t size, uint64_t at, uint32_t bytes) {
  bool ok = at >= start && at - start <= size && bytes <= size - (at - start);
  return ok ? base + (at - start) : NULL;
}

uint8_t *wl_or_pointer(const wl_or_ctx_t *x, wl_or_space_t space, uint64_t address, uint32_t bytes,
                       bool write, bool *global) {
  static const char *const names[] = {"generic", "global", "const", "shared", "local", "param"};
  uint64_t at = address;
  uint8_t *p = NULL;
  wl_or_thread_t *t = x->thread;
  wl_or_space_t found = space == OR_SP_GENERIC ? resolve(x->grid, &at) : space;
  *global = found == OR_SP_GLOBAL;
  if (at % bytes != 0) {
    (void)wl_or_fail(x, "address 0x%" PRIx64 " is not a multiple of %u", address, bytes);
    return NULL;
  }
  if (found == OR_SP_SHARED) {
    p = inside(x->cta->shared, x->grid->program->shared_start, x->cta->shared_bytes, at, bytes);
  } else if (found == OR_SP_LOCAL) {
    uint64_t end = (uint64_t)t->local_base + t->func->frame_bytes;
    p = inside(t->local, t->local_start, end - t->local_start, at, bytes);
  } else if (found == OR_SP_PARAM) {
    p = write ? NULL : inside(x->grid->params, 0, x->grid->param_bytes, at, bytes);
  } else {
    wl_or_block_t *b = wl_or_find(x->grid->program->module, at, bytes);
    bool legal = b != NULL && !(write && b->is_const) && (found != OR_SP_CONST || b->is_const);
    p = legal ? b->data + (at - b->address) : NULL;
  }
  if (p == NULL) {
    (void)wl_or_fail(x, "%s of %u bytes at %s address 0x%" PRIx64 " that is not in memory",
                     write ? "store" : "load", bytes, names[space], address);
  }
  return p;
}

static uint64_t load(const uint8_t *p, unsigned bytes) {
  uint64_t v = 0;
  memcpy(&v, p, bytes);
  return v;
}

static uint64_t extended(const wl_or_insn_t *n, uint64_t v) {
  uint64_t sign = UINT64_C(1) << (n->bits - 1);
  return n->sgn ? (v ^ sign) - sign : v;
}

static bool load_store(const wl_or_ctx_t *x, uint8_t *p) {
  const wl_or_insn_t *n = x->insn;
  unsigned bytes = n->bits / 8u;
  uint64_t v[OR_RESULTS];
  for (unsigned i = 0; i < n->vec; i++) {
    v[i] = n->op == OR_LD ? extended(n, load(p + i * bytes, bytes)) : wl_or_source(x, &n->s[1 + i]);
  }
  for (unsigned i = 0; i < n->vec; i++) {
    if (n->op == OR_LD) {
      wl_or_put(x->thread, n->d[i], v[i]);
    } else if (!n->s[1 + i].skip) {
      memcpy(p + i * bytes, &v[i], bytes);
    }
  }
  return true;
}

/* ---- atomics ---- */
static bool less(const wl_or_insn_t *n, uint64_t a, uint64_t b) {
  return n->sgn ? (int64_t)extended(n, a) < (int64_t)extended(n, b) : a < b;
}

/* Of f16 and bf16: subnormals are kept, to nearest even. */
static uint64_t combined_halves(const wl_or_insn_t *n, uint64_t old, uint64_t b) {
  uint64_t r = 0;
  for (unsigned i = 0; i < n->n * 16u; i += 16) {
    uint32_t x = (uint32_t)(old >> i & 0xffff), y = (uint32_t)(b >> i & 0xffff);
    uint32_t now = n->sub == OR_A_ADD ? wl_or_half_add(x, y, n->half)
                                      : wl_or_half_minmax(x, y, n->sub == OR_A_MAX, n->half);
    r |= (uint64_t)now << i;
  }
  return r;
}

uint64_t wl_or_combined(const wl_or_insn_t *n, uint64_t old, uint64_t b, uint64_t c, bool global) {
  switch (n->sub) {
  case OR_A_AND:
    return old & b;
  case OR_A_OR:
    return old | b;
  case OR_A_XOR:
    return old ^ b;
  case OR_A_EXCH:
    return b;
  case OR_A_CAS:
    return old == b ? c : old;
  case OR_A_ADD:
    return old + b;
  case OR_A_INC:
    return old >= b ? 0 : old + 1;
  case OR_A_DEC:
    return old == 0 || old > b ? b : old - 1;
  case OR_A_MIN:
    return less(n, b, old) ? b : old;
  case OR_A_MAX:
    return less(n, old, b) ? b : old;
  default: /* subnormals are flushed in global memory only */
    return wl_or_f32_add((uint32_t)old, (uint32_t)b, (wl_or_fmode_t){WL_OR_RN, global, false});
  }
}

static bool atomic128(const wl_or_ctx_t *x, uint8_t *p) {
  const wl_or_insn_t *n = x->insn;
  const unsigned at = n->sub == OR_A_CAS ? 3 : 1; /* of the value to write */
  const uint64_t old[2] = {load(p, 8), load(p + 8, 8)};
  const uint64_t now[2] = {wl_or_source(x, &n->s[at]), wl_or_source(x, &n->s[at + 1])};
  if (n->sub != OR_A_CAS ||
      (old[0] == wl_or_source(x, &n->s[1]) && old[1] == wl_or_source(x, &n->s[2]))) {
    memcpy(p, now, 16);
  }
  wl_or_put(x->thread, n->d[0], old[0]);
  wl_or_put(x->thread, n->d[1], old[1]);
  return true;
}

static bool atomic(const wl_or_ctx_t *x, uint8_t *p, bool global) {
  const wl_or_insn_t *n = x->insn;
  if (n->bits == 128) {
    return atomic128(x, p);
  }
  unsigned bytes = n->bits / 8u;
  uint64_t old[OR_RESULTS], c = n->sub == OR_A_CAS ? wl_or_source(x, &n->s[2]) : 0;
  for (unsigned i = 0; i < n->vec; i++) {
    uint64_t b = wl_or_source(x, &n->s[1 + i]);
    old[i] = load(p + i * bytes, bytes);
    uint64_t now =
        n->n != 0 ? combined_halves(n, old[i], b) : wl_or_combined(n, old[i], b, c, global);
    memcpy(p + i * bytes, &now, bytes);
  }
  for (unsigned i = 0; i < n->vec; i++) {
    wl_or_put(x->thread, n->d[i], old[i]);
  }
  return true;
}

/* ---- addresses ---- */
static uint64_t window(const wl_or_grid_t *g, uint8_t space) {
  return space == OR_SP_SHARED  ? OR_SHARED_WINDOW + shift(g)
         : space == OR_SP_LOCAL ? OR_LOCAL_WINDOW + shift(g)
         : space == OR_SP_PARAM ? OR_PARAM_WINDOW + shift(g)
                                : 0;
}

static uint64_t address_space(const wl_or_ctx_t *x, uint64_t address) {
  const wl_or_insn_t *n = x->insn;
  if (n->op == OR_CVTA) {
    return address + window(x->grid, n->space);
  }
  if (n->op == OR_CVTA_TO) {
    return address - window(x->grid, n->space);
  }
  uint64_t at = address;
  wl_or_space_t found = resolve(x->grid, &at);
  const wl_or_block_t *b = wl_or_find(x->grid->program->module, address, 1);
  if (found == OR_SP_GLOBAL && b != NULL && b->is_const) {
    found = OR_SP_CONST; /* a window of its own; that of kernel parameters lies in .global's */
  }
  return found == n->space || (n->space == OR_SP_GLOBAL && found == OR_SP_PARAM);
}

bool wl_or_memory(const wl_or_ctx_t *x) {
  const wl_or_insn_t *n = x->insn;
  uint64_t address = wl_or_source(x, &n->s[0]);
  if (n->op >= OR_CVTA) {
    wl_or_put(x->thread, n->d[0], address_space(x, address));
    return true;
  }
  if (n->scale != 0) {
    uint64_t element = wl_or_source(x, &n->index) + (uint64_t)n->offset;
    address += element * n->scale & UINT32_MAX;
  } else {
    address += (uint64_t)n->offset;
  }
  bool global = false;
  uint8_t *p = wl_or_pointer(x, (wl_or_space_t)n->space, address, n->bits / 8u * n->vec,
                             n->op != OR_LD, &global);
  if (p == NULL) {
    return false;
  }
  return n->op == OR_ATOM ? atomic(x, p, global) : load_store(x, p);
}
