/* mem/coalescer.c: docs/microarchitecture.md 10: one packet from the lanes of a group that want the same
 * 32-byte sector, phases G and L. Shared memory lanes are not its business. */
#include <string.h>

#include "cmodel/mem/lsu.h"

/* Global byte address of byte o of a thread's local memory. */
static uint64_t local_address(const wl_env_t *env, unsigned warp, unsigned lane, uint32_t o) {
  const uint64_t threads = (uint64_t)env->cfg.warps * WL_LANES;
  return wl_pair(env->launch->local_base) +
         ((uint64_t)(o >> 2) * threads + warp * WL_LANES + lane) * 4 + (o & 3);
}

typedef struct wl_piece { /* what is sent of a lane */
  uint64_t address;
  unsigned bytes, word; /* word: first operand word */
} wl_piece_t;

typedef struct wl_cut { /* how the slot's accesses are cut in this phase */
  bool local;
  unsigned parts, bytes; /* parts of an access, bytes of a part */
} wl_cut_t;

unsigned wl_lsu_part_bytes(const wl_env_t *env, const wl_lsu_slot_t *s) {
  const unsigned bytes = wl_sem_type_bytes((wl_mem_type_t)s->dec.info->type);
  const unsigned most = 4 * env->cfg.lsu_words;
  return s->dec.info->kind != WL_MEM_KIND_ATOM && bytes > most ? most : bytes;
}

static wl_cut_t cut_of(const wl_env_t *env, const wl_lsu_slot_t *s, wl_lsu_phase_t phase) {
  const unsigned bytes = wl_sem_type_bytes((wl_mem_type_t)s->dec.info->type);
  if (phase == WL_LSU_LOCAL)
    return (wl_cut_t){true, bytes > 4 ? bytes / 4 : 1, bytes < 4 ? bytes : 4};
  const unsigned part = wl_lsu_part_bytes(env, s);
  return (wl_cut_t){false, bytes / part, part};
}

static wl_piece_t piece_of(const wl_env_t *env, const wl_lsu_slot_t *s, const wl_cut_t *cut,
                           unsigned lane, unsigned part) {
  const unsigned at = cut->bytes * part; /* sub-word accesses: one part */
  const uint64_t address =
      cut->local ? local_address(env, s->warp, lane, (uint32_t)s->ea[lane] + at) : s->ea[lane] + at;
  return (wl_piece_t){address, cut->bytes, at / 4};
}

static void put(wl_packet_t *p, unsigned at, uint32_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++, at++) {
    const unsigned shift = at % 4 * 8;
    p->data[at / 4] = (p->data[at / 4] & ~(UINT32_C(0xff) << shift)) | (value >> i % 4 * 8 & 0xff)
                                                                           << shift;
  }
}

static void put_words(wl_packet_t *p, unsigned at, const uint32_t (*words)[WL_LANES],
                      unsigned first, unsigned lane, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i += 4)
    put(p, at + i, words[first + i / 4][lane], bytes - i < 4 ? bytes - i : 4);
}

static void add_lane(const wl_lsu_slot_t *s, wl_packet_t *p, unsigned lane, wl_piece_t piece) {
  const unsigned at = (unsigned)(piece.address % 32);
  const uint32_t mask = (uint32_t)(((UINT64_C(1) << piece.bytes) - 1) << at);
  p->mask |= mask;
  if (p->op == WL_PK_LD) return;
  if (p->atom == WL_ATOM_OP_CAS && p->op != WL_PK_ST) {
    put_words(p, at % 16, s->swap, 0, lane, piece.bytes);
    put_words(p, 16 + at % 16, s->data, 0, lane, piece.bytes);
  } else {
    put_words(p, at, s->data, piece.word, lane, piece.bytes);
  }
}

static uint8_t packet_op(const wl_lsu_slot_t *s) {
  switch (s->dec.info->kind) {
  case WL_MEM_KIND_LD:
  case WL_MEM_KIND_CPASYNC:
    return WL_PK_LD;
  case WL_MEM_KIND_ST:
    return WL_PK_ST;
  default:
    return s->dec.rd == 255 ? WL_PK_RED : WL_PK_ATOM;
  }
}

/* Lanes of `group` that go with the leader; atomics: one lane per element, cas and 16 bytes: the leader. */
static uint32_t serve(const wl_env_t *env, const wl_lsu_slot_t *s, const wl_cut_t *cut,
                      uint32_t group, unsigned part, wl_packet_t *p) {
  const unsigned leader = wl_lowest(group);
  const bool atomic = p->op == WL_PK_ATOM || p->op == WL_PK_RED;
  const bool alone = atomic && (p->atom == WL_ATOM_OP_CAS || cut->bytes == 16);
  uint32_t served = 0;
  p->sector = piece_of(env, s, cut, leader, part).address / 32;
  for (uint32_t left = group; left != 0; left &= left - 1) {
    const unsigned lane = wl_lowest(left);
    const wl_piece_t piece = piece_of(env, s, cut, lane, part);
    if (piece.address / 32 != p->sector) continue;
    if (atomic && (p->mask >> piece.address % 32 & 1) != 0) continue;
    if (alone && lane != leader) continue;
    add_lane(s, p, lane, piece);
    served |= UINT32_C(1) << lane;
  }
  return served;
}

void wl_coalesce(const wl_lsu_t *l, const wl_env_t *env, wl_coalesced_t *out) {
  const wl_lsu_slot_t *s = &l->slot[l->proc];
  const wl_cut_t cut = cut_of(env, s, l->phase);
  const uint32_t pending = l->pending[l->phase];
  const unsigned size = env->cfg.lsu_lanes < 8 ? env->cfg.lsu_lanes : 8; /* G */
  const unsigned first = wl_lowest(pending) & ~(size - 1), eight = first / 8;
  const uint32_t lanes = pending & wl_lane_block(first, size);
  const unsigned part = l->part;
  wl_packet_t *p = &out->packet;
  memset(p, 0, sizeof *p);
  p->op = packet_op(s);
  if (p->op == WL_PK_ATOM || p->op == WL_PK_RED) {
    p->atom = s->dec.info->atom;
    p->atype = s->dec.info->type;
  }
  p->unit = WL_FROM_LSU;
  const uint32_t wanted = l->part_pending != 0 ? l->part_pending : lanes;
  const uint32_t served = serve(env, s, &cut, wanted, part, p);
  const uint32_t answered = served >> eight * 8 & 0xff;
  p->tag = wl_tag_of_lsu((wl_tag_lsu_t){.slot = l->proc,
                                        .group = (uint16_t)eight,
                                        .part = (uint16_t)part,
                                        .lanes = (uint16_t)answered});
  /* All lanes of a part, then the group's next part, then the next group. */
  out->part_pending = wanted & ~served;
  out->part = (uint8_t)(out->part_pending != 0 ? part : (part + 1) % cut.parts);
  out->pending = out->part_pending != 0 || out->part != 0 ? pending : pending & ~lanes;
}
