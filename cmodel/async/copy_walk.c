/* async/copy_walk.c: docs/microarchitecture.md 23.2, 23.3: the sectors of the copy engine's commands: the walk
 * asks for them, rows keep them in order, and the oldest row drains. Loads come by the SM port and leave by
 * the chunk port of shared memory (11b); stores and reductions go the other way. */
#include <string.h>

#include "cmodel/async/copy.h"

enum { SECTOR = 32, HALF = 16, BOTH = 3 };

static bool loads(const wl_copy_engine_t *c, unsigned entry) {
  return wl_copy_loads(&c->entry[entry]);
}

static uint8_t next_row(const wl_env_t *env, uint8_t row) {
  return (uint8_t)((row + 1u) % env->cfg.copy_rows);
}

/* Of present halves, those of the next request at the chunk port: all, or one with few banks. */
static uint8_t halves_at_once(const wl_env_t *env, uint8_t present, bool second) {
  if (env->cfg.smem_banks >= 8 || present != BOTH) return present;
  return second ? 2 : 1;
}

static bool is_last_request(uint8_t present, uint8_t asked) {
  return present != BOTH || asked != 1;
}

/* ---- the walk */
static bool asks(const wl_copy_engine_t *c) {
  return c->group[c->walk].used && !c->entry[c->walk].walked &&
         c->row[c->head].state == WL_COPY_FREE;
}

/* The row of the sector that is asked for. */
static wl_copy_row_t asked_row(const wl_copy_engine_t *c) {
  const wl_command_t *e = &c->entry[c->walk];
  const uint64_t end = e->global + e->bytes;
  wl_copy_row_t r = {.state = WL_COPY_ASKED,
                     .entry = c->walk,
                     .sector = e->global / SECTOR + c->at,
                     .last = e->global / SECTOR + c->at == (end - 1) / SECTOR};
  for (unsigned half = 0; half < 2; half++) {
    const uint64_t global = r.sector * SECTOR + half * HALF;
    if (global < e->global || global >= end) continue;
    r.halves |= (uint8_t)(1u << half);
    r.chunk[half] = e->shared + (uint32_t)(global - e->global);
  }
  return r;
}

static bool drains(const wl_copy_engine_t *c) { return c->row[c->tail].state == WL_COPY_READY; }

/* ---- requests */
static unsigned quad_of(const wl_env_t *env, uint32_t chunk) {
  return chunk / HALF % (env->cfg.smem_banks / 4);
}

static void ask_chunks(const wl_copy_row_t *r, const wl_env_t *env, unsigned row, uint8_t halves,
                       bool store, wl_chunk_req_t *req) {
  req->valid = true;
  req->store = store;
  req->tag = (uint8_t)(row << 2 | halves);
  req->quads = 0;
  for (unsigned half = 0; half < 2; half++) {
    if ((halves >> half & 1) == 0) continue;
    const unsigned quad = quad_of(env, r->chunk[half]);
    req->quads |= (uint16_t)(1u << quad);
    req->row[quad] = r->chunk[half] / 4 / env->cfg.smem_banks;
    req->bytes[quad] = 0xffff;
    memcpy(req->data[quad], &r->data[4 * half], HALF);
  }
}

static void ask_sector(const wl_copy_row_t *r, unsigned row, wl_packet_t *p) {
  memset(p, 0, sizeof *p);
  p->op = WL_PK_LD;
  p->sector = r->sector;
  p->mask = ~UINT32_C(0);
  p->unit = WL_FROM_COPY;
  p->tag = wl_tag_of_copy((wl_tag_copy_t){.place = (uint16_t)row});
}

static void send_sector(const wl_command_t *e, const wl_copy_row_t *r, wl_packet_t *p) {
  const bool store = e->kind == WL_MEM_KIND_BSTORE;
  const uint32_t bytes = store ? e->m & 0xffff : 0xffff;
  memset(p, 0, sizeof *p);
  p->op = store ? WL_PK_ST : WL_PK_RED;
  if (!store) {
    p->atom = e->atom;
    p->atype = e->type;
  }
  p->sector = r->sector;
  p->mask = ((r->halves & 1) != 0 ? bytes : 0) | ((r->halves & 2) != 0 ? bytes << HALF : 0);
  p->unit = WL_FROM_COPY;
  p->tag = wl_tag_of_copy((wl_tag_copy_t){.place = r->entry});
  memcpy(p->data, r->data, sizeof r->data);
}

/* What drains comes first at a port. */
void wl_copy_walk_out(const wl_copy_engine_t *c, const wl_env_t *env, wl_wires_t *w) {
  wl_packet_t *packet = &w->req[WL_PORT_COPY];
  wl_chunk_req_t *chunks = &w->chunk_req[WL_CHUNK_COPY];
  const wl_copy_row_t *tail = &c->row[c->tail];
  if (asks(c)) {
    const wl_copy_row_t r = asked_row(c);
    if (loads(c, c->walk)) {
      ask_sector(&r, c->head, packet);
      w->req_valid[WL_PORT_COPY] = true;
    } else {
      ask_chunks(&r, env, c->head, halves_at_once(env, r.halves, c->second), false, chunks);
    }
  }
  if (!drains(c)) return;
  if (loads(c, tail->entry)) {
    ask_chunks(tail, env, c->tail, halves_at_once(env, tail->halves, c->drain_second), true,
               chunks);
  } else {
    send_sector(&c->entry[tail->entry], tail, packet);
    w->req_valid[WL_PORT_COPY] = true;
  }
}

/* ---- grants */
/* A request of the sector asked for, of these halves (LOAD: the sector). */
static void asked(wl_copy_engine_t *c, const wl_env_t *env, uint8_t halves) {
  wl_copy_row_t r = asked_row(c);
  const bool more = !is_last_request(r.halves, halves);
  if (more) r.state = WL_COPY_FREE; /* not yet: the second half is not asked for */
  if (c->second)
    memcpy(r.data, c->row[c->head].data, sizeof r.data); /* the first half may be there */
  c->row[c->head] = r;
  c->second = more;
  if (more) return;
  c->head = next_row(env, c->head);
  c->at++;
  if (!r.last) return;
  c->entry[c->walk].walked = true;
  c->walk = (uint8_t)((c->walk + 1u) % env->cfg.copy_queue);
  c->at = 0;
}

/* The oldest row has drained but for `more`. */
static void drained(wl_copy_engine_t *c, const wl_env_t *env, bool more) {
  wl_copy_row_t *r = &c->row[c->tail];
  c->drain_second = more;
  if (more) return;
  r->state = WL_COPY_FREE;
  c->tail = next_row(env, c->tail);
  if (r->last) c->entry[r->entry].drained = true;
}

static void take_grants(wl_copy_engine_t *c, const wl_env_t *env, const wl_wires_t *w) {
  const wl_copy_row_t *tail = &c->row[c->tail];
  const bool to_chunks = drains(c) && loads(c, tail->entry);
  const bool to_port = drains(c) && !loads(c, tail->entry);
  const bool packet = w->port_grant == WL_PORT_COPY, chunks = w->chunk_grant == WL_CHUNK_COPY;
  const uint8_t halves = w->chunk_req[WL_CHUNK_COPY].tag & BOTH;
  if (packet && !to_port) asked(c, env, BOTH);
  if (chunks && !to_chunks) asked(c, env, halves);
  if (packet && to_port) {
    c->entry[tail->entry].acks++;
    drained(c, env, false);
  }
  if (chunks && to_chunks) drained(c, env, !is_last_request(tail->halves, halves));
}

/* ---- answers */
static bool answers_chunks(const wl_wires_t *w) {
  return w->chunk_rsp.valid && w->chunk_rsp.requester == WL_CHUNK_COPY;
}

static bool completes_row(const wl_copy_engine_t *c, const wl_wires_t *w) {
  return is_last_request(c->row[w->chunk_rsp.tag >> 2].halves, w->chunk_rsp.tag & BOTH);
}

int wl_copy_read(const wl_copy_engine_t *c, const wl_wires_t *w) {
  if (!answers_chunks(w) || !completes_row(c, w)) return -1;
  const wl_copy_row_t *r = &c->row[w->chunk_rsp.tag >> 2];
  return r->last ? r->entry : -1;
}

static void answer_chunks(wl_copy_engine_t *c, const wl_env_t *env, const wl_wires_t *w) {
  const uint8_t halves = w->chunk_rsp.tag & BOTH;
  wl_copy_row_t *r = &c->row[w->chunk_rsp.tag >> 2];
  for (unsigned half = 0; half < 2; half++)
    if ((halves >> half & 1) != 0)
      memcpy(&r->data[4 * half], w->chunk_data + 4 * quad_of(env, r->chunk[half]), HALF);
  if (!completes_row(c, w)) return;
  r->state = WL_COPY_READY;
  if (r->last) c->group[r->entry].read = true;
}

static void answer_port(wl_copy_engine_t *c, const wl_response_t *rsp) {
  const unsigned place = wl_tag_copy(rsp->tag).place;
  if (rsp->op != WL_PK_LD) {
    c->entry[place].acks--;
    return;
  }
  c->row[place].state = WL_COPY_READY;
  memcpy(c->row[place].data, rsp->data, sizeof c->row[place].data);
}

void wl_copy_walk_update(wl_copy_engine_t *c, const wl_env_t *env, const wl_wires_t *w) {
  take_grants(c, env, w); /* before the answers: of one row both may come in a cycle, by halves */
  if (answers_chunks(w)) answer_chunks(c, env, w);
  if (w->rsp_valid && w->gpu->rsp.unit == WL_FROM_COPY) answer_port(c, &w->gpu->rsp);
}
