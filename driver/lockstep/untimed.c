/* untimed.c: comparison by architectural effect, for a core with other latencies than the model's.
 * docs/cosim.md says precisely what is compared. Each side's records become effects in
 * architectural names (CTA, warp of the CTA, lane, register; address), which are matched in the
 * order that each name sees them. The reference runs only as far as the core under test has issued.
 */
#include "driver/lockstep/untimed.h"

#include <stdlib.h>
#include <string.h>

#include "driver/backend.h"
#include "gen/wl_insn.h"
#include "gen/wl_launch.h"

enum { OP_ST = 1, OP_ATOM = 2, OP_RED = 3 };

typedef wl_untimed_warp_t warp_t;
typedef wl_untimed_side_t side_t;

bool wl_untimed_open(wl_cosim_t *c) {
  wl_untimed_t *u = calloc(1, sizeof *u);
  c->untimed = u;
  if (u == NULL || !wl_flows_open(&u->flows)) return false;
  for (unsigned i = 0; i < 2; i++) {
    u->side[i].shared = calloc(c->config->smem_bytes / 4, sizeof(uint32_t));
    u->side[i].shared_by = calloc(c->config->smem_bytes / 4, 1);
    if (u->side[i].shared == NULL || u->side[i].shared_by == NULL) return false;
  }
  return true;
}

void wl_untimed_close(wl_cosim_t *c) {
  if (c->untimed == NULL) return;
  wl_flows_close(&c->untimed->flows);
  for (unsigned i = 0; i < 2; i++) {
    free(c->untimed->side[i].shared);
    free(c->untimed->side[i].shared_by);
  }
  free(c->untimed);
}

void wl_untimed_start(wl_cosim_t *c) {
  wl_untimed_t *u = c->untimed;
  wl_launch_block_t b;
  memcpy(&b, c->mem[0] + (c->launch_block - WL_MEM_BASE), sizeof b);
  u->nctaid[0] = b.nctaid_x;
  u->nctaid[1] = b.nctaid_y;
  u->smem_units = b.smem_units;
  u->local_base = wl_pair(b.local_base);
  u->local_bytes = (uint64_t)b.local_bytes * c->config->warps * 32;
  if (u->flows.used != 0) { /* of a launch that trapped */
    wl_flows_close(&u->flows);
    u->flows.broken = !wl_flows_open(&u->flows);
  }
  for (unsigned i = 0; i < 2; i++) {
    u->side[i].issues = 0;
    u->side[i].trapped = false;
    memset(&u->side[i].writers, 0, sizeof u->side[i].writers);
  }
}

static void effect_of(wl_untimed_t *u, unsigned s, wl_flow_key_t key, uint32_t value,
                      const wl_writer_t *writer) {
  wl_flow_item_t other, own = {.value = value, .cycle = u->side[s].cycle};
  if (writer != NULL) own.writer = *writer;
  u->count[key.a >> 56] += s;
  if (wl_flows_event(&u->flows, s, key, &own, &other) || u->differs) return;
  u->differs = true;
  u->by = s;
  u->key = key;
  u->own = own;
  u->other = other;
}

static void effect(wl_untimed_t *u, unsigned s, wl_flow_key_t key, uint32_t value) {
  effect_of(u, s, key, value, NULL);
}

static const wl_writer_t *writer_of(const wl_cosim_t *c, unsigned s, unsigned kind,
                                    const uint32_t *r) {
  const side_t *side = &c->untimed->side[s];
  wl_write_t write;
  return wl_writers_read(c->config, &side->pages, kind, r, &write)
             ? wl_writers_find(&side->writers, &write)
             : NULL;
}

static wl_flow_key_t thread_key(const warp_t *w, unsigned class, unsigned lane, uint64_t what) {
  return (wl_flow_key_t){(uint64_t)class << 56 | w->cta << 8 | w->index, what << 8 | lane};
}

static void take_issue(wl_untimed_t *u, unsigned s, const uint32_t *r) {
  warp_t *w = &u->side[s].warp[r[0] % WL_MOST_WARPS];
  w->note = (wl_issue_note_t){u->side[s].cycle, r[1], r[3], true};
  u->side[s].issues++;
  for (unsigned lane = 0; lane < 32; lane++) {
    if ((r[2] >> lane & 1) == 0) continue;
    const uint32_t executed = r[3] >> lane & 1, is = (r[1] << 1 | executed) + 1;
    /* Rendezvous that had to wait are issued twice, others once. */
    if (executed != 0 && w->last[lane] == is) continue;
    w->last[lane] = is;
    effect(u, s, thread_key(w, FLOW_ISSUE, lane, 0), is - 1);
  }
}

static void take_register(const wl_cosim_t *c, unsigned s, const uint32_t *r) {
  wl_untimed_t *u = c->untimed;
  const unsigned beat = r[1] % c->config->beats;
  unsigned slot = 0, reg = 256; /* of nobody's page */
  (void)wl_pages_register(&u->side[s].pages, c->config, r[0], r[1], &slot, &reg);
  const warp_t *w = &u->side[s].warp[slot % WL_MOST_WARPS];
  const wl_writer_t *writer = writer_of(c, s, WL_J_RF, r);
  for (unsigned k = 0; k < c->config->lanes; k++)
    if ((r[2] >> k & 1) != 0)
      effect_of(u, s, thread_key(w, FLOW_RF, beat * c->config->lanes + k, reg), r[3 + k], writer);
}

static void take_predicate(const wl_cosim_t *c, unsigned s, const uint32_t *r) {
  wl_untimed_t *u = c->untimed;
  const warp_t *w = &u->side[s].warp[r[0] % WL_MOST_WARPS];
  const wl_writer_t *writer = writer_of(c, s, WL_J_PRED, r);
  for (unsigned lane = 0; lane < 32; lane++)
    if ((r[2] >> lane & 1) != 0)
      effect_of(u, s, thread_key(w, FLOW_PRED, lane, r[1]), r[3] >> lane & 1, writer);
}

static void take_shared(const wl_cosim_t *c, unsigned s, const uint32_t *r) {
  side_t *side = &c->untimed->side[s];
  const uint32_t word = r[1] * c->config->smem_banks + r[0];
  if (word >= c->config->smem_bytes / 4) return;
  for (unsigned i = 0; i < 4; i++)
    if ((r[2] >> i & 1) != 0)
      side->shared[word] =
          (side->shared[word] & ~(UINT32_C(0xff) << 8 * i)) | (r[3] & UINT32_C(0xff) << 8 * i);
  side->shared_by[word] |= (uint8_t)(r[2] & 15);
}

/* What the CTA left in its shared memory: of each word the bytes that were written, and their
 * values. */
static void end_shared(const wl_cosim_t *c, unsigned s, unsigned slot) {
  wl_untimed_t *u = c->untimed;
  const uint32_t first = slot * u->smem_units * 256, words = u->smem_units * 256;
  for (uint32_t i = first; i < first + words && i < c->config->smem_bytes / 4; i++) {
    const uint8_t by = u->side[s].shared_by[i];
    u->side[s].shared_by[i] = 0;
    if (by == 0) continue;
    uint32_t value = u->side[s].shared[i];
    for (unsigned k = 0; k < 4; k++)
      if ((by >> k & 1) == 0) value &= ~(UINT32_C(0xff) << 8 * k);
    const wl_flow_key_t key = {(uint64_t)FLOW_SHARED << 56 | u->side[s].cta[slot] << 8, i - first};
    effect(u, s, key, by);
    effect(u, s, key, value);
  }
}

static void take_cta(const wl_cosim_t *c, unsigned s, const uint32_t *r) {
  wl_untimed_t *u = c->untimed;
  side_t *side = &u->side[s];
  const unsigned slot = r[1] % WL_MOST_CTAS;
  if (r[0] == 0) {
    side->cta[slot] = r[2] + (uint64_t)u->nctaid[0] * (r[3] + (uint64_t)u->nctaid[1] * r[4]);
    side->cta[slot] &= UINT64_C(0xffffffffffff);
    side->cta_warps[slot] = (uint64_t)r[6] << 32 | r[5];
    uint8_t index = 0;
    for (unsigned w = 0; w < WL_MOST_WARPS; w++)
      if ((side->cta_warps[slot] >> w & 1) != 0)
        side->warp[w] = (warp_t){.index = index++, .cta = side->cta[slot]};
  } else {
    end_shared(c, s, slot);
  }
  effect(u, s, (wl_flow_key_t){(uint64_t)FLOW_CTA << 56 | side->cta[slot] << 8, r[0]},
         (uint32_t)__builtin_popcountll(side->cta_warps[slot]));
}

/* Local memory lies by warp slot: in the key it is the thread's. */
static void take_store(const wl_cosim_t *c, unsigned s, uint64_t address, uint32_t byte) {
  wl_untimed_t *u = c->untimed;
  if (address - u->local_base >= u->local_bytes) {
    effect(u, s, (wl_flow_key_t){(uint64_t)FLOW_STORE << 56, address}, byte);
    return;
  }
  const uint64_t word = (address - u->local_base) / 4, threads = c->config->warps * 32;
  const warp_t *w = &u->side[s].warp[word % threads / 32];
  effect(u, s, thread_key(w, FLOW_LOCAL, word % 32, word / threads * 4 + address % 4), byte);
}

/* Operands of an atomic: no order between operations, so the operand is part of the name. */
static void take_atomic(wl_untimed_t *u, unsigned s, const uint32_t *r, uint64_t sector) {
  const uint64_t what =
      (uint64_t)FLOW_ATOMIC << 56 | (uint64_t)(r[1] & 15) << 52 | (uint64_t)(r[2] & 15) << 48;
  for (unsigned i = 0; i < 8; i++) {
    const uint32_t mask = r[7] >> 4 * i & 15;
    const bool cas = r[1] == WL_ATOM_OP_CAS; /* compare values lie outside the mask */
    if (mask == 0 && !(cas && r[8 + i] != 0)) continue;
    effect(u, s,
           (wl_flow_key_t){what | ((sector * 8 + i) & UINT64_C(0xffffffffffff)),
                           (uint64_t)mask << 32 | r[8 + i]},
           0);
  }
}

static void take_packet(const wl_cosim_t *c, unsigned s, const uint32_t *r) {
  const uint64_t sector = (uint64_t)r[6] << 32 | r[5];
  if (r[0] == OP_ST) {
    for (unsigned i = 0; i < 32; i++)
      if ((r[7] >> i & 1) != 0)
        take_store(c, s, sector * 32 + i, r[8 + i / 4] >> 8 * (i % 4) & 0xff);
  } else if (r[0] == OP_ATOM || r[0] == OP_RED) {
    take_atomic(c->untimed, s, r, sector);
  }
}

static void take_trap(wl_untimed_t *u, unsigned s, const uint32_t *r) {
  u->side[s].trapped = true;
  for (unsigned i = 0; i < 6; i++)
    if (i != 1) effect(u, s, (wl_flow_key_t){(uint64_t)FLOW_TRAP << 56, i}, r[i]);
}

static void take_record(const wl_cosim_t *c, unsigned s, const wl_cosim_record_t *record) {
  wl_untimed_t *u = c->untimed;
  const uint32_t *r = record->word;
  switch (record->kind) {
  case WL_J_ISSUE:
    take_issue(u, s, r);
    break;
  case WL_J_RF:
    take_register(c, s, r);
    break;
  case WL_J_PRED:
    take_predicate(c, s, r);
    break;
  case WL_J_SMEM:
    take_shared(c, s, r);
    break;
  case WL_J_PACKET:
    take_packet(c, s, r);
    break;
  case WL_J_TRAP:
    take_trap(u, s, r);
    break;
  case WL_J_PAGE:
    wl_pages_note(&u->side[s].pages, c->config, r);
    break;
  default:
    break;
  }
}

/* CTAs last: they are freed behind everything that they did in the same cycle. */
void wl_untimed_take(wl_cosim_t *c, unsigned s, const wl_cosim_record_t *records, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    take_record(c, s, &records[i]);
  for (unsigned i = 0; i < n; i++)
    if (records[i].kind == WL_J_CTA) take_cta(c, s, records[i].word);
  side_t *side = &c->untimed->side[s];
  wl_cosim_note_writers(c, &side->writers, &side->pages, records, n, side->cycle);
  wl_history_add(&c->history[s], side->cycle, records, n);
  side->cycle++;
}

void wl_untimed_reference(wl_cosim_t *c) {
  const uint64_t cycle = c->untimed->side[0].cycle;
  wl_cosim_step_reference(c);
  if (c->record != NULL) c->record(c->record_context, cycle, c->journal.record, c->journal.records);
  wl_untimed_take(c, 0, c->journal.record, c->journal.records);
}
