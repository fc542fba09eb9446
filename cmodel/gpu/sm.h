/* The SM of the golden model: the state of all units and the functions that make one cycle
 * (docs/microarchitecture.md 0.1, docs/interfaces.md). A cycle is: every *_out, the arbitrations,
 * then every *_update. An out or arb function may read the state of any unit (all of it is the
 * state visible in the cycle); an update reads and writes its own unit's state and reads the wires,
 * so the order of the updates does not matter. State that never changes in a launch's life of a
 * warp (configuration, launch block, CTA and warp slots of a valid warp) may be read anywhere.
 * The units of a sub-core are functions of its number k; warps are the SM's slots everywhere, so a
 * sub-core uses only its own places in arrays by warp. Its memories that are compared in place have
 * a row per warp of its own (wl_row_of).
 * Not here: the driver's view of the model (cmodel/model.h). */
#ifndef WL_CMODEL_GPU_SM_H
#define WL_CMODEL_GPU_SM_H

#include "cmodel/core/barrier.h"
#include "cmodel/core/fetch.h"
#include "cmodel/core/issue.h"
#include "cmodel/core/memissue.h"
#include "cmodel/core/operands.h"
#include "cmodel/core/paths.h"
#include "cmodel/core/trap.h"
#include "cmodel/core/writeback.h"
#include "cmodel/exec/warp.h"
#include "cmodel/gpu/dispatcher.h"
#include "cmodel/gpu/memory.h"
#include "cmodel/gpu/monitor.h"
#include "cmodel/gpu/obligations.h"
#include "cmodel/gpu/orderpoint.h"
#include "cmodel/gpu/smport.h"
#include "cmodel/mem/ccache.h"
#include "cmodel/mem/lsu.h"
#include "cmodel/mem/smem.h"
#include "cmodel/model.h"
#include "gen/wl_journal.h"

typedef struct wl_sub {
  wl_wmask_t warps;  /* its slots */
  uint8_t last_warp; /* the highest of them */
  wl_fetch_t fetch;
  wl_issue_t issue;
  wl_operands_t operands;
  wl_regfile_t regs;
  wl_writeback_t writeback;
  wl_paths_t paths;
  wl_exchange_t xch;
} wl_sub_t;

typedef struct wl_sm {
  wl_config_t cfg;
  uint64_t cycle; /* c */
  wl_wmask_t all_warps;
  uint8_t sub_bits; /* SubCores is 1 << sub_bits */
  wl_sub_t sub[WL_MOST_SUB_CORES];
  wl_dispatcher_t disp;
  wl_memissue_t memissue;
  wl_barrier_unit_t barrier;
  wl_lsu_t lsu;
  wl_smem_t smem;
  wl_ccache_t ccache;
  wl_smport_t smport;
  wl_orderpoint_t op;
  wl_memory_t memory;
  wl_trap_unit_t trap;
  wl_monitor_t monitor;
  wl_journal_fn_t journal; /* NULL: off */
  void *journal_user;
  wl_model_counters_t count;
  wl_watch_fn_t watch; /* NULL: off */
  void *watch_user;
  wl_obligations_t obligations;
  bool reverse_updates; /* tests: the units update in the opposite order */
  uint8_t density;      /* of the disturbance, section 17; 0 none */
  uint64_t seed, stall_word;
  uint32_t stall;    /* points that stall in this cycle */
  const char *error; /* first violated obligation of the model itself, NULL: none */
} wl_sm_t;

/* Kinds are wl_journal_kind_t, words as in journal.def; call only from updates. Guard longer
 * preparations with sm->journal. REST alone is of the state before them (sm.c). */
static inline void wl_journal(const wl_sm_t *sm, int kind, const uint32_t *words, unsigned n) {
  if (sm->journal != NULL) sm->journal(sm->journal_user, sm->cycle, kind, words, n);
}

/* Keeps the first reason; the driver sees it (wl_model_error). */
static inline void wl_sm_fail(wl_sm_t *sm, const char *reason) {
  if (sm->error == NULL) sm->error = reason;
}

/* Disturbance, section 17. */
static inline bool wl_stalls(const wl_sm_t *sm, unsigned point) {
  return (sm->stall >> point & 1) != 0;
}

static inline unsigned wl_lowest(uint64_t mask) { return (unsigned)__builtin_ctzll(mask); }
static inline bool wl_wbit(wl_wmask_t mask, unsigned w) { return (mask >> w & 1) != 0; }
/* The sub-core of a warp, and the warp's number in it. */
static inline unsigned wl_sub_of(const wl_sm_t *sm, unsigned warp) {
  return warp & (sm->cfg.sub_cores - 1);
}
static inline unsigned wl_row_of(const wl_sm_t *sm, unsigned warp) { return warp >> sm->sub_bits; }
static inline const wl_paths_t *wl_paths_of(const wl_sm_t *sm, unsigned warp) {
  return &sm->sub[wl_sub_of(sm, warp)].paths;
}
/* The oldest instruction in a warp's buffer. */
static inline const wl_insn_t *wl_head(const wl_sub_t *s, unsigned warp) {
  const wl_ib_t *ib = &s->fetch.ib[warp];
  return &ib->entry[ib->head];
}
/* First member (warp, row) of the nonempty set after `last` in circular ascending order. */
static inline unsigned wl_next_after(wl_wmask_t set, unsigned last) {
  const wl_wmask_t after = last >= 63 ? 0 : set & ~((UINT64_C(2) << last) - 1);
  return wl_lowest(after != 0 ? after : set);
}
/* `size` lanes from lane `first` on. */
static inline uint32_t wl_lane_block(unsigned first, unsigned size) {
  return (size == WL_LANES ? ~UINT32_C(0) : (UINT32_C(1) << size) - 1) << first;
}
/* Lanes of one beat. */
static inline uint32_t wl_beat_lanes(const wl_config_t *cfg, unsigned beat) {
  return wl_lane_block(beat * cfg->lanes, cfg->lanes);
}

/* S of 6.1: the lanes that are done at once. */
static inline unsigned wl_part_lanes(const wl_config_t *cfg, const wl_insn_t *insn) {
  const wl_form_info_t *info = insn->dec.info;
  if (info->slow) return cfg->slow_lanes;
  if (info->unit == WL_UNIT_LSU) return cfg->lsu_lanes;
  const bool fp = info->unit == WL_UNIT_FPU &&
                  (info->op == WL_FPU_FADD || info->op == WL_FPU_FMUL || info->op == WL_FPU_FFMA);
  return fp ? cfg->fp_lanes : cfg->lanes;
}
/* P of 6.1: the parts in which each beat of the instruction is done. */
static inline unsigned wl_parts(const wl_config_t *cfg, const wl_insn_t *insn) {
  const unsigned size = wl_part_lanes(cfg, insn);
  return size == cfg->lanes ? 1 : cfg->lanes / size;
}
/* Lanes of `exec` behind the beat of `lanes` lanes with this number. */
static inline uint32_t wl_later_lanes(uint32_t exec, unsigned beat, unsigned lanes) {
  const unsigned next = (beat + 1) * lanes;
  return next >= WL_LANES ? 0 : exec >> next << next;
}

/* sm.c: contents of seeded memories and words of the disturbance, section 15. */
uint64_t wl_sm_mix(uint64_t seed, uint64_t kind, uint64_t index);

/* One cycle and reset; sm.c. Each unit's *_reset makes its control state that of reset; memories
 * and pointers set by wl_sm_init (icache, regs.words, smem.words, memory image) stay. */
void wl_sm_reset(wl_sm_t *sm);
void wl_sm_cycle(wl_sm_t *sm, wl_wires_t *w);
void wl_sm_watch(wl_sm_t *sm, const wl_wires_t *w); /* watch.c */

/* Units of a sub-core. */
void wl_fetch_reset(wl_sm_t *sm, unsigned k);
void wl_issue_reset(wl_sm_t *sm, unsigned k);
void wl_operands_reset(wl_sm_t *sm, unsigned k);
void wl_writeback_reset(wl_sm_t *sm, unsigned k);
void wl_exchange_reset(wl_sm_t *sm, unsigned k);
void wl_paths_reset(wl_sm_t *sm, unsigned k);
/* Units of the SM. */
void wl_dispatcher_reset(wl_sm_t *sm);
void wl_memissue_reset(wl_sm_t *sm);
void wl_memory_reset(wl_sm_t *sm);
void wl_trap_reset(wl_sm_t *sm);
void wl_barrier_reset(wl_sm_t *sm);
void wl_lsu_reset(wl_sm_t *sm);
void wl_smem_reset(wl_sm_t *sm); /* not the words */
void wl_ccache_reset(wl_sm_t *sm);
void wl_smport_reset(wl_sm_t *sm);
void wl_orderpoint_reset(wl_sm_t *sm);
void wl_monitor_reset(wl_sm_t *sm);

/* Outputs: the SM's front units, those of each sub-core, the others, in this order: a function may
 * use wires set by those above it. */
void wl_dispatcher_out(const wl_sm_t *sm, wl_wires_t *w);
void wl_smem_out(const wl_sm_t *sm, wl_wires_t *w);
void wl_lsu_out(const wl_sm_t *sm, wl_wires_t *w);
void wl_ccache_out(const wl_sm_t *sm, wl_wires_t *w);
void wl_memissue_out(const wl_sm_t *sm, wl_wires_t *w);             /* lsu_ready, ldc_ready */
void wl_operands_out(const wl_sm_t *sm, wl_wires_t *w, unsigned k); /* x1, resolve, fixed */
void wl_fetch_out(const wl_sm_t *sm, wl_wires_t *w, unsigned k);
void wl_exchange_out(const wl_sm_t *sm, wl_wires_t *w, unsigned k);
/* flush[RESOLVE], flush[ENGINE], trap, ... */
void wl_paths_out(const wl_sm_t *sm, wl_wires_t *w, unsigned k);
void wl_barrier_out(const wl_sm_t *sm, wl_wires_t *w);
void wl_memory_out(const wl_sm_t *sm, wl_wires_t *w);
void wl_orderpoint_out(const wl_sm_t *sm, wl_wires_t *w);
void wl_smport_out(const wl_sm_t *sm, wl_wires_t *w);

/* Arbitrations. */
void wl_smport_arb(const wl_sm_t *sm, wl_wires_t *w);
void wl_writeback_arb(const wl_sm_t *sm, wl_wires_t *w, unsigned k);
void wl_fetch_arb(const wl_sm_t *sm, wl_wires_t *w, unsigned k); /* F1's choice */
void wl_issue_arb(const wl_sm_t *sm, wl_wires_t *w, unsigned k); /* issue, trap, flush[ISSUE] */
void wl_dispatcher_arb(const wl_sm_t *sm, wl_wires_t *w);        /* end, clear, warp_idle */
void wl_monitor_arb(const wl_sm_t *sm, wl_wires_t *w);           /* pm_add */
/* Events that the monitors count (14). */
bool wl_fetch_sets_miss(const wl_sm_t *sm, const wl_wires_t *w, unsigned k);
bool wl_smem_starts_pass(const wl_sm_t *sm);
bool wl_ccache_misses(const wl_sm_t *sm);
/* Its unit is free, or it carries a trap. */
bool wl_issue_is_ready(const wl_sm_t *sm, const wl_wires_t *w, unsigned warp);
bool wl_paths_sleeping(const wl_sm_t *sm); /* some warp waits for a sleeper (14) */

void wl_fetch_update(wl_sm_t *sm, const wl_wires_t *w, unsigned k);
void wl_issue_update(wl_sm_t *sm, const wl_wires_t *w, unsigned k);
void wl_operands_update(wl_sm_t *sm, const wl_wires_t *w, unsigned k); /* and register file */
void wl_writeback_update(wl_sm_t *sm, const wl_wires_t *w, unsigned k);
void wl_paths_update(wl_sm_t *sm, const wl_wires_t *w, unsigned k);
void wl_exchange_update(wl_sm_t *sm, const wl_wires_t *w, unsigned k);
void wl_dispatcher_update(wl_sm_t *sm, const wl_wires_t *w);
void wl_memissue_update(wl_sm_t *sm, const wl_wires_t *w);
void wl_memissue_rest(wl_sm_t *sm); /* a cycle in which nothing else changes */
void wl_barrier_update(wl_sm_t *sm, const wl_wires_t *w);
void wl_lsu_update(wl_sm_t *sm, const wl_wires_t *w);
void wl_smem_update(wl_sm_t *sm, const wl_wires_t *w);
void wl_ccache_update(wl_sm_t *sm, const wl_wires_t *w);
void wl_smport_update(wl_sm_t *sm, const wl_wires_t *w);
void wl_orderpoint_update(wl_sm_t *sm, const wl_wires_t *w);
void wl_memory_update(wl_sm_t *sm, const wl_wires_t *w);
void wl_trap_update(wl_sm_t *sm, const wl_wires_t *w);
void wl_monitor_update(wl_sm_t *sm, const wl_wires_t *w);
void wl_monitor_rest(wl_sm_t *sm);
void wl_watchdog(wl_sm_t *sm, const wl_wires_t *w);

/* Whether a unit is at rest, for the record REST (15): of the state visible in the cycle. */
enum { WL_REST_UNITS = 10 };
uint32_t wl_sm_rest(const wl_sm_t *sm); /* word `rest` */
bool wl_dispatcher_slots_at_rest(const wl_sm_t *sm);
bool wl_dispatcher_pages_at_rest(const wl_sm_t *sm);
bool wl_issue_at_rest(const wl_sm_t *sm, unsigned k);
bool wl_paths_at_rest(const wl_sm_t *sm, unsigned k);
bool wl_barrier_at_rest(const wl_sm_t *sm);
bool wl_exchange_at_rest(const wl_sm_t *sm, unsigned k);
bool wl_lsu_at_rest(const wl_sm_t *sm);
bool wl_memissue_at_rest(const wl_sm_t *sm);
bool wl_ccache_at_rest(const wl_sm_t *sm);
bool wl_smem_at_rest(const wl_sm_t *sm);
bool wl_smport_at_rest(const wl_sm_t *sm);
bool wl_orderpoint_at_rest(const wl_sm_t *sm);
uint32_t wl_orderpoint_places(const wl_sm_t *sm); /* word `places` */

/* core/hazards.c: verdicts on the heads and the issuable warps; both called by core/issue.c. */
void wl_hazards_arb(const wl_sm_t *sm, wl_sub_wires_t *w, unsigned k);
void wl_hazards_update(wl_sm_t *sm, const wl_wires_t *w, unsigned k);

/* core/regfile.c */
void wl_reg_read(const wl_regfile_t *rf, unsigned warp, unsigned reg, uint32_t out[WL_LANES]);
void wl_reg_write(wl_sm_t *sm, unsigned warp, unsigned reg, unsigned beat, uint32_t lanes,
                  const uint32_t data[WL_LANES]);
void wl_pred_write(wl_sm_t *sm, unsigned warp, unsigned pred, uint32_t lanes, uint32_t value);
/* Register number of word k of an operand with base r (255: none). */
static inline unsigned wl_reg_word(unsigned r, unsigned k) {
  return r + k >= WL_REG_ZERO ? WL_REG_ZERO : r + k;
}

/* core/sreg.c: special registers (6.2). */
void wl_sreg_read(const wl_sm_t *sm, const wl_flight_t *f, uint32_t out[WL_LANES]);
/* gpu/monitor.c: a word of %pm as visible in this cycle (X1 of the instruction, 14). */
bool wl_monitor_read(const wl_sm_t *sm, unsigned id, uint32_t *value);

/* core/decode.c: fills everything but pc; trap is the decode trap. */
void wl_insn_decode(const uint32_t word[4], uint32_t row, wl_insn_t *out);

#endif
