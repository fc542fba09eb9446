/* The two shapes in which an instruction travels through the core: decoded in an instruction buffer
 * (wl_insn_t, docs/microarchitecture.md 2, 4, 6.1) and past issue (wl_flight_t, sections 5, 6).
 * Decoding is core/decode.c. */
#ifndef WL_CMODEL_CORE_INSN_H
#define WL_CMODEL_CORE_INSN_H

#include "cmodel/sem/sem.h"
#include "gen/wl_config.h"

enum { WL_MOST_READS = 3 * WL_MOST_STEPS }; /* words of a step list, gaps at its end included */
enum { WL_REG_WORDS = 4 }; /* 64-bit words of a bit set over the register numbers 0..255 */

typedef struct wl_insn {
  wl_insn_dec_t dec;
  uint32_t pc;
  uint32_t word[4];
  uint64_t need[WL_REG_WORDS]; /* registers of d, a, b, c, x: hazards */
  uint64_t dest[WL_REG_WORDS]; /* registers of d */
  uint8_t need_p, dest_p;      /* predicates (bit = number, never bit 7): guard and all; pd, pq */
  uint8_t trap;                /* wl_trap_t carried to issue */
  bool plain : 1;              /* its unit can always take it */
  bool unit_only : 1;          /* ready iff its unit is */
  bool two_preds : 1;          /* pd and pq: one more slot, pq written in W + 1 */
  bool gathered : 1;           /* a gathered form (5) */
  bool noted : 1;              /* its destination takes a range note (5) */
  int16_t max_reg;             /* highest operand register below 255, -1: none */
  uint8_t steps;               /* of the step list */
  uint8_t cost[WL_MOST_STEPS]; /* read slots of each step in one beat or part of it */
} wl_insn_t;

/* An instruction with a nonempty exec mask, from issue to its last write. All operand words of all
 * lanes are read in the first slot: no write to a source can come between the slots (section 5). */
typedef struct wl_flight {
  wl_insn_t insn;
  uint64_t cycle; /* t, the issue */
  wl_route_t route;
  uint16_t n; /* read slots */
  uint8_t warp;
  uint8_t parts;      /* P of 6.1: parts in which each beat is done */
  uint8_t part_lanes; /* S of 6.1: lanes of a part */
  uint8_t lsu_slot;   /* LSU forms: slot allocated at issue */
  bool ctl;      /* resolves in T = t + n + 3 (7.2): control, unreleased BAR, slow SYNC, arrival */
  bool arrives;  /* the arrival of a gathered form (5) */
  bool released; /* a released BAR or SYNC (7.4) */
  bool fast;     /* a fast SYNC (9) */
  bool fixed;    /* goes through the fixed pipe: its route, or a link */
  bool by_lane;  /* only the parts of single lanes (6.1): a LANE form, one of the first lane */
  uint8_t beats; /* active beats, bit = beat */
  uint32_t path, exec; /* M, E */
  uint32_t by;         /* by_lane: those lanes */
  uint32_t s, t;       /* source predicates per lane, negation applied */
  uint32_t member;     /* SYNC: member mask m where known at issue (.i imm; released: xmask) */
  uint32_t bar_popc, bar_and, bar_or; /* bar_result of the warp at issue (released BAR) */
  uint32_t column_base;               /* %tmem_base of the warp at issue */
  /* Operand words by lane; list: of a unit that takes the words of the step list, in place of a, b, c. */
  const uint32_t (*list)[WL_LANES];
  uint32_t a[2][WL_LANES], b[4][WL_LANES], c[4][WL_LANES];
  uint32_t d[2][WL_LANES]; /* fixed pipe: result words by lane */
  uint32_t p, q;           /* fixed pipe: predicate results by lane */
} wl_flight_t;

/* core/decode.c: fills everything but pc; trap is the decode trap. */
void wl_insn_decode(const uint32_t word[4], const wl_config_t *cfg, wl_insn_t *out);

/* Register number of word k of an operand with base r (255: none). */
static inline unsigned wl_reg_word(unsigned r, unsigned k) {
  return r + k >= WL_REG_ZERO ? WL_REG_ZERO : r + k;
}

/* S of 6.1: the lanes that are done at once. */
static inline unsigned wl_part_lanes(const wl_config_t *cfg, const wl_insn_t *insn) {
  switch ((wl_lanes_t)insn->dec.info->of.lanes) {
  case WL_LANES_AT_ONCE_SLOW:
    return cfg->slow_lanes;
  case WL_LANES_AT_ONCE_FP:
    return cfg->fp_lanes;
  case WL_LANES_AT_ONCE_LSU:
    return cfg->lsu_lanes;
  case WL_LANES_AT_ONCE_ONE:
  case WL_LANES_AT_ONCE_FIRST:
    return 1;
  case WL_LANES_AT_ONCE_ALL:
    break;
  }
  return cfg->lanes;
}
/* P of 6.1: the parts in which each beat of the instruction is done. */
static inline unsigned wl_parts(const wl_config_t *cfg, const wl_insn_t *insn) {
  const unsigned size = wl_part_lanes(cfg, insn);
  return size == cfg->lanes ? 1 : cfg->lanes / size;
}

#endif
