/* tensor/umma_fetch.c: docs/microarchitecture.md 25.4: operands of the commands, in order, by the chunk port
 * (11b) to two buffers for rows of A and two for blocks of B. */
#include <string.h>

#include "cmodel/tensor/umma.h"

enum { CHUNK = 16, ALL_CHUNKS = 0xff, ANSWER = 2 /* cycles behind the grant */ };

/* ---- where the fetch is */
typedef struct place {
  const wl_umma_entry_t *e;
  const wl_umma_operand_t *operand;
  bool of_b, first, last; /* unit of its buffer */
  uint8_t buffer, state;
  uint8_t unit; /* of the operand */
  uint8_t row;  /* of the buffer */
} place_t;

static unsigned a_units(const wl_env_t *env, const wl_umma_entry_t *e) {
  return wl_umma_pass_rows(env, e) / WL_UMMA_ROWS;
}

static place_t place_of(const wl_umma_t *u, const wl_env_t *env) {
  const wl_umma_fetch_t *f = &u->fetch;
  const wl_umma_entry_t *e = &u->entry[u->walk];
  const unsigned units = a_units(env, e);
  if (f->unit >= units)
    return (place_t){.e = e,
                     .operand = &e->b,
                     .of_b = true,
                     .first = true,
                     .last = true,
                     .buffer = f->b_put,
                     .state = f->b_state[f->b_put],
                     .unit = (uint8_t)(f->unit - units)};
  return (place_t){.e = e,
                   .operand = &e->a,
                   .first = f->unit == 0,
                   .last = f->unit + 1u == units,
                   .buffer = f->a_put,
                   .state = f->a_state[f->a_put],
                   .unit = (uint8_t)(f->pass * units + f->unit),
                   .row = (uint8_t)(f->unit * WL_UMMA_ROWS)};
}

static bool fetches(const wl_umma_t *u) {
  const wl_umma_entry_t *e = &u->entry[u->walk];
  return e->used && !e->fetched && e->op == WL_UMMA_F16;
}

/* ---- requests */
static uint32_t address_of(const place_t *p, unsigned g, unsigned n) {
  return p->e->base + wl_umma_chunk(p->operand, p->unit, g, n);
}

void wl_umma_fetch_out(const wl_umma_t *u, const wl_env_t *env, wl_wires_t *w) {
  wl_chunk_req_t *r = &w->chunk_req[WL_CHUNK_UMMA];
  r->valid = false;
  if (!fetches(u)) return;
  const place_t p = place_of(u, env);
  if (p.state == WL_UMMA_FULL) return;
  const unsigned quads = env->cfg.smem_banks / 4;
  r->valid = true;
  r->store = false;
  r->tag = 0;
  r->quads = 0;
  w->umma_served = 0;
  for (unsigned n = 0; n < WL_UMMA_CHUNKS; n++) {
    if ((u->fetch.left >> n & 1) == 0) continue;
    const uint32_t chunk = address_of(&p, u->fetch.half, n) / CHUNK;
    const unsigned quad = chunk % quads, row = chunk / quads;
    if ((r->quads >> quad & 1) == 0) r->row[quad] = row;
    r->quads |= (uint16_t)(1u << quad);
    if (r->row[quad] == row) w->umma_served |= (uint8_t)(1u << n);
  }
}

/* ---- grants */
static void note_answer(wl_umma_fetch_t *f, const wl_env_t *env, const place_t *p, uint8_t served,
                        bool last) {
  wl_umma_asked_t *a = &f->asked[(env->cycle + ANSWER) % 4];
  *a = (wl_umma_asked_t){.of_b = p->of_b,
                         .last = last,
                         .mn_major = p->operand->mn_major,
                         .negated = p->operand->negated,
                         .buffer = p->buffer,
                         .row = p->row,
                         .g = f->half,
                         .served = served};
  for (unsigned n = 0; n < WL_UMMA_CHUNKS; n++)
    a->quad[n] = (uint8_t)(address_of(p, f->half, n) / CHUNK % (env->cfg.smem_banks / 4));
}

/* Behind a half that is asked for. */
static void next_half(wl_umma_t *u, const wl_env_t *env, const place_t *p) {
  wl_umma_fetch_t *f = &u->fetch;
  wl_umma_entry_t *e = &u->entry[u->walk];
  f->half = !f->half;
  if (f->half != 0) return;
  f->unit++;
  if (!p->last) return;
  if (p->of_b)
    f->b_put = !f->b_put;
  else
    f->a_put = !f->a_put;
  if (f->unit < a_units(env, e) + e->n / WL_UMMA_ROWS) return;
  f->unit = 0;
  if (++f->pass < wl_umma_passes(env)) return;
  f->pass = 0;
  e->fetched = true;
  u->walk = wl_umma_after(env, u->walk);
}

static void granted(wl_umma_t *u, const wl_env_t *env, uint8_t served) {
  wl_umma_fetch_t *f = &u->fetch;
  const place_t p = place_of(u, env);
  (p.of_b ? f->b_state : f->a_state)[p.buffer] = WL_UMMA_FILLS;
  f->left &= (uint8_t)~served;
  note_answer(f, env, &p, served, f->left == 0 && f->half != 0 && p.last);
  if (f->left != 0) return;
  f->left = ALL_CHUNKS;
  next_half(u, env, &p);
}

/* ---- answers */
static uint32_t element(const wl_umma_asked_t *a, const uint32_t chunk[4], unsigned i) {
  const uint32_t bits = chunk[i / 2] >> 16 * (i % 2) & 0xffff;
  return a->negated ? bits ^ 0x8000 : bits;
}

/* K-major: elements of a row; MN-major: of a k. */
static void answered(wl_umma_fetch_t *f, const wl_env_t *env, const wl_wires_t *w) {
  const wl_umma_asked_t *a = &f->asked[env->cycle % 4];
  uint32_t (*to)[WL_DOT_TERMS] = a->of_b ? f->b[a->buffer] : f->a[a->buffer];
  for (unsigned n = 0; n < WL_UMMA_CHUNKS; n++) {
    if ((a->served >> n & 1) == 0) continue;
    for (unsigned i = 0; i < 8; i++) {
      const uint32_t value = element(a, w->chunk_data + (size_t)4 * a->quad[n], i);
      if (a->mn_major)
        to[a->row + i][8 * a->g + n] = value;
      else
        to[a->row + n][8 * a->g + i] = value;
    }
  }
  if (a->last) (a->of_b ? f->b_state : f->a_state)[a->buffer] = WL_UMMA_FULL;
}

void wl_umma_fetch_update(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w) {
  wl_umma_entry_t *e = &u->entry[u->walk];
  if (w->chunk_rsp.valid && w->chunk_rsp.requester == WL_CHUNK_UMMA) answered(&u->fetch, env, w);
  if (w->chunk_grant == WL_CHUNK_UMMA) {
    granted(u, env, w->umma_served);
  } else if (e->used && !e->fetched && e->op == WL_UMMA_COMMIT) {
    e->fetched = true;
    u->walk = wl_umma_after(env, u->walk);
  }
}
