/* tensor/umma_fetch.c: docs/microarchitecture.md 25.4, 26.3, 26.7: operands of the commands, in order, by the chunk
 * port (11b) to two buffers for rows of A and two for blocks of B. Sources of copies come to those of A. */
#include <string.h>

#include "cmodel/tensor/umma.h"

enum { CHUNK = 16, ALL_CHUNKS = 0xff, ANSWER = 2 /* cycles behind the grant */ };

/* ---- where the fetch is */
typedef struct place {
  const wl_umma_entry_t *e;
  const wl_umma_operand_t *operand;
  bool of_b, last; /* last: unit of its buffer */
  uint8_t buffer, state;
  uint8_t unit; /* of the operand; of the lanes of a copy's quarter */
  uint8_t row;  /* of the buffer */
  uint8_t halves;
  uint8_t quarter; /* copy */
} place_t;

static unsigned quarters(const wl_env_t *env) { return env->cfg.sub_cores == 1 ? 1 : 4; }

/* Units of eight lanes of a quarter that a copy has something for. */
static unsigned copy_units(const wl_umma_entry_t *e) { return e->shape == WL_UMMA_4X256B ? 1 : 4; }

/* Units of a pass that go to a buffer of A. */
static unsigned a_units(const wl_env_t *env, const wl_umma_entry_t *e) {
  if (e->op == WL_UMMA_CP) return quarters(env) * copy_units(e);
  return wl_umma_pass_rows(env, e) / WL_UMMA_ROWS;
}

static place_t place_in_copy(const wl_umma_fetch_t *f, place_t p) {
  const wl_umma_entry_t *e = p.e;
  const bool one_lane = e->shape == WL_UMMA_4X256B;
  const unsigned of_pass = f->unit / copy_units(e); /* quarter */
  p.unit = (uint8_t)(one_lane ? e->z / WL_UMMA_ROWS : f->unit % copy_units(e));
  p.row = (uint8_t)(WL_LANES * of_pass + p.unit * WL_UMMA_ROWS);
  p.quarter = (uint8_t)(f->pass + of_pass);
  p.halves = (uint8_t)wl_umma_copy_chunks(e);
  return p;
}

static place_t place_of(const wl_umma_t *u, const wl_env_t *env) {
  const wl_umma_fetch_t *f = &u->fetch;
  const wl_umma_entry_t *e = &u->entry[u->walk];
  const unsigned units = a_units(env, e);
  place_t p = {.e = e, .of_b = f->unit >= units};
  if (p.of_b) {
    p.operand = &e->b;
    p.last = true;
    p.buffer = f->b_put;
    p.state = f->b_state[p.buffer];
    p.unit = (uint8_t)(f->unit - units);
  } else {
    p.operand = &e->a;
    p.last = f->unit + 1u == units;
    p.buffer = f->a_put;
    p.state = f->a_state[p.buffer];
    p.unit = (uint8_t)(f->pass * units + f->unit);
    p.row = (uint8_t)(f->unit * WL_UMMA_ROWS);
  }
  if (e->op == WL_UMMA_CP) return place_in_copy(f, p);
  p.halves = (uint8_t)wl_umma_halves(p.operand);
  return p;
}

bool wl_umma_at_read(const wl_umma_t *u) {
  const wl_umma_entry_t *e = &u->entry[u->walk];
  return e->used && !e->fetched && e->reads_a && u->fetch.unit == 0;
}

static bool asks(const wl_umma_t *u) {
  const wl_umma_entry_t *e = &u->entry[u->walk];
  return e->used && !e->fetched && e->op != WL_UMMA_COMMIT && !wl_umma_at_read(u);
}

/* ---- requests */
/* The row of its source that a lane of a quarter gets (26.7). Of 4x256b the lanes of a unit have one row,
 * so that one chunk serves them all, and which of them is written does not matter here. */
static unsigned source_row(const wl_umma_entry_t *e, unsigned quarter, unsigned lane) {
  switch (e->shape) {
  case WL_UMMA_4X256B:
    return quarter;
  case WL_UMMA_64X128B_02_13:
    return WL_LANES * (quarter % 2) + lane;
  case WL_UMMA_64X128B_01_23:
    return WL_LANES * (quarter / 2) + lane;
  case WL_UMMA_32X128B:
    return lane;
  default:
    return WL_LANES * quarter + lane;
  }
}

static uint32_t address_of(const place_t *p, unsigned g, unsigned n) {
  if (p->e->op != WL_UMMA_CP) return p->e->base + wl_umma_chunk(p->operand, p->unit, g, n);
  const unsigned lane = WL_UMMA_ROWS * (unsigned)p->unit + n;
  return p->e->base + wl_umma_row_chunk(p->operand, source_row(p->e, p->quarter, lane), g);
}

void wl_umma_fetch_out(const wl_umma_t *u, const wl_env_t *env, wl_wires_t *w) {
  wl_chunk_req_t *r = &w->chunk_req[WL_CHUNK_UMMA];
  r->valid = false;
  if (!asks(u)) return;
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
static void note_answer(const wl_umma_t *u, wl_umma_fetch_t *f, const wl_env_t *env,
                        const place_t *p, uint8_t served, bool last) {
  wl_umma_asked_t *a = &f->asked[(env->cycle + ANSWER) % 4];
  *a = (wl_umma_asked_t){.of_b = p->of_b,
                         .last = last,
                         .entry = u->walk,
                         .buffer = p->buffer,
                         .row = p->row,
                         .g = f->half,
                         .part = p->unit % 2,
                         .served = served};
  for (unsigned n = 0; n < WL_UMMA_CHUNKS; n++)
    a->quad[n] = (uint8_t)(address_of(p, f->half, n) / CHUNK % (env->cfg.smem_banks / 4));
}

/* Behind the last unit of a buffer; unit is the next one. */
static void next_buffer(wl_umma_t *u, const wl_env_t *env, bool of_b) {
  wl_umma_fetch_t *f = &u->fetch;
  wl_umma_entry_t *e = &u->entry[u->walk];
  if (of_b)
    f->b_put = !f->b_put;
  else
    f->a_put = !f->a_put;
  if (wl_umma_is_product(e) && f->unit < a_units(env, e) + e->n / WL_UMMA_ROWS) return;
  f->unit = 0;
  if (e->op != WL_UMMA_SHIFT && ++f->pass < wl_umma_passes(env)) return;
  f->pass = 0;
  e->fetched = true;
  u->walk = wl_umma_after(env, u->walk);
}

void wl_umma_fetch_go_on(wl_umma_t *u, const wl_env_t *env) {
  const wl_umma_entry_t *e = &u->entry[u->walk];
  u->fetch.unit = wl_umma_is_product(e) ? (uint8_t)a_units(env, e) : 0;
  next_buffer(u, env, false);
}

static void granted(wl_umma_t *u, const wl_env_t *env, uint8_t served) {
  wl_umma_fetch_t *f = &u->fetch;
  const place_t p = place_of(u, env);
  const uint8_t left = f->left & (uint8_t)~served;
  const bool unit_ends = left == 0 && f->half + 1u == p.halves;
  (p.of_b ? f->b_state : f->a_state)[p.buffer] = WL_UMMA_FILLS;
  note_answer(u, f, env, &p, served, unit_ends && p.last);
  f->left = left != 0 ? left : ALL_CHUNKS;
  if (left != 0) return;
  f->half = unit_ends ? 0 : f->half + 1;
  if (!unit_ends) return;
  f->unit++;
  if (p.last) next_buffer(u, env, p.of_b);
}

/* ---- answers */
static void answered(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w) {
  wl_umma_fetch_t *f = &u->fetch;
  const wl_umma_asked_t *a = &f->asked[env->cycle % 4];
  const wl_umma_entry_t *e = &u->entry[a->entry];
  wl_umma_row_elements_t *to = (a->of_b ? f->b[a->buffer] : f->a[a->buffer]) + a->row;
  for (unsigned n = 0; n < WL_UMMA_CHUNKS; n++) {
    if ((a->served >> n & 1) == 0) continue;
    const uint32_t *chunk = w->chunk_data + (size_t)4 * a->quad[n];
    if (e->op == WL_UMMA_CP)
      memcpy(&to[n][4 * a->g], chunk, CHUNK);
    else
      wl_umma_store_chunk(a->of_b ? &e->b : &e->a, chunk, a->part, a->g, n, to);
  }
  if (a->last) (a->of_b ? f->b_state : f->a_state)[a->buffer] = WL_UMMA_FULL;
}

void wl_umma_fetch_update(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w) {
  wl_umma_entry_t *e = &u->entry[u->walk];
  if (w->chunk_rsp.valid && w->chunk_rsp.requester == WL_CHUNK_UMMA) answered(u, env, w);
  if (w->chunk_grant == WL_CHUNK_UMMA) {
    granted(u, env, w->umma_served);
  } else if (e->used && !e->fetched && e->op == WL_UMMA_COMMIT) {
    e->fetched = true;
    u->walk = wl_umma_after(env, u->walk);
  }
}
