/* The wires of one cycle (docs/interfaces.md): those of a sub-core, of an SM, of the device. State that
 * other units read becomes wires first (wl_sm_show). Every *_out sets its fields from state and such wires,
 * every *_arb (arbitrations, the choice of issue and of fetch) from these outputs. Pointers point into
 * state that no update changes before the others are done with it; those that show state by warp are read
 * before the updates only. No field survives a cycle but pointers that are set once, and there is no common
 * clearing: the owner sets its `valid` fields in every cycle. */
#ifndef WL_CMODEL_GPU_WIRES_H
#define WL_CMODEL_GPU_WIRES_H

#include "cmodel/core/insn.h"
#include "cmodel/core/path_plan.h"
#include "cmodel/gpu/env.h"
#include "gen/wl_index.h"
#include "gen/wl_packet.h"

typedef struct wl_trap_info {
  bool valid;
  uint8_t cause, warp, lane;
  uint32_t pc;
  uint64_t address; /* 0 where the cause has none */
} wl_trap_info_t;

#define WL_GEN_MASK UINT32_C(0x7fffffff) /* gen counts modulo 2^31 (21.2) */

enum { WL_PK_LD, WL_PK_ST, WL_PK_ATOM, WL_PK_RED };

/* Issue in this cycle (arbitration result). A trap at issue is trap[WL_SRC_ISSUE], valid = 0 then.
 */
typedef struct wl_issue_wire {
  bool valid;
  bool empty;      /* E = 0: only cur.pc := pc + 1 and rule 5; the other flags below are 0 then */
  bool ctl;        /* ctl[w] := 1; resolves at T */
  bool arrives;    /* the arrival of a gathered form; ctl too */
  bool released;   /* released &= ~M, cur.pc := pc + 1 */
  bool walk;       /* rule 5: run := 0, request WALK (the flush is flush[WL_FLUSH_ISSUE]) */
  bool chk;        /* the walk is with chk */
  bool polled;     /* polled[w] := 1 */
  bool fast;       /* fast SYNC */
  bool takes_tbuf; /* takes the target buffer */
  uint8_t warp;
  uint16_t n;
  uint8_t beats; /* active, bit = beat */
  uint8_t route; /* wl_route_t */
  const wl_insn_t *insn;
  uint32_t path, exec, s, t;
  uint32_t member, live;              /* SYNC: m; live of the warp */
  uint32_t bar_popc, bar_and, bar_or; /* bar_result of the warp; and, or: all ones or zero */
} wl_issue_wire_t;

/* X1 of one step of one part of a beat (6.1: P parts); f holds the operand words of all
 * lanes (f->a, f->b, f->c by lane). */
typedef struct wl_x1_wire {
  const wl_flight_t *f;
  uint32_t lanes; /* E within the part */
  uint8_t step, beat;
  bool valid;
  bool last_step; /* of the part */
  bool last_part; /* of the beat */
  bool last;      /* last step of the instruction: this is A */
} wl_x1_wire_t;

/* One beat word offered to 6.3. */
typedef struct wl_vwb_wire {
  bool valid;
  uint8_t warp, reg, beat; /* reg 255: none or discarded */
  uint32_t lanes;          /* warp lanes, within the beat; LSU: within the LSU beat */
  const uint32_t *data;    /* [32] by lane */
  bool has_pred;           /* exchange only */
  uint8_t pd;              /* 7: discarded */
  uint32_t pvalue;         /* by lane */
  bool last_beat;          /* last word of this register (and of the predicate) */
  bool last;               /* last word of the instruction: its grant finishes it */
} wl_vwb_wire_t;

enum { WL_FINISH_XCH, WL_FINISH_PROBE, WL_FINISHES }; /* warpsync; chunks */
enum { WL_FLUSH_ISSUE, WL_FLUSH_RESOLVE, WL_FLUSH_ENGINE, WL_FLUSHES };
typedef struct wl_flush_wire {
  bool valid;
  uint8_t warp;
  uint32_t pc; /* fpc; where a walk follows (fpc is set when it ends): pc of the instruction + 1 */
} wl_flush_wire_t;

typedef struct wl_warp_wire { /* something happened to one warp */
  bool valid;
  uint8_t warp;
} wl_warp_wire_t;

/* Deferred forms of the LSU (22). */
static inline bool wl_is_deferred(const wl_form_info_t *info) {
  return info->unit == WL_UNIT_LSU &&
         (info->kind == WL_MEM_KIND_CPASYNC || info->kind == WL_MEM_KIND_CPARRIVE);
}

/* A CPASYNC slot of the LSU in use, by its number (22.2). */
typedef struct wl_copy {
  bool used;
  uint8_t warp, age;
} wl_copy_t;

/* An entry of the copy engine, as groups see it (23.4). */
typedef struct wl_bulk {
  bool used, counts; /* counts: STORE or RED */
  bool read;         /* nothing of it is still to be read from shared memory */
  uint8_t warp, age;
} wl_bulk_t;

/* A unit of columns of tensor memory, as its allocator has it (24.1). */
typedef struct wl_column_unit {
  bool used, first; /* first: of an allocation */
  uint8_t cta;      /* slot */
} wl_column_unit_t;
enum { WL_UNIT_COLUMNS = 32, WL_MOST_COLUMN_UNITS = WL_MOST_TMEM_COLUMNS / WL_UNIT_COLUMNS };

/* A beat of a row of tensor memory that a product writes (25.6). */
typedef struct wl_umma_row {
  bool valid;
  uint8_t quarter, beat;
  uint16_t column;
  uint32_t lanes;       /* of the quarter; none: nothing is written */
  const uint32_t *data; /* [32] by lane */
} wl_umma_row_t;

/* Whose request to shared memory: the LSU's, the copy engine's (23.3), a commit's (25.8). */
typedef enum wl_signal { WL_SIGNAL_NONE, WL_SIGNAL_COPY, WL_SIGNAL_UMMA } wl_signal_t;

/* LSU to shared memory (section 11): the request of one LSU beat. */
typedef struct wl_smem_req {
  bool valid;                           /* a request is offered; taken iff smem_ready */
  uint8_t slot, kind, type, atom, beat; /* wl_mem_kind_t, wl_mem_type_t, wl_atom_op_t */
  uint8_t mbar;                         /* wl_mbar_op_t */
  bool offered;                         /* by write-back, not by the processor (22) */
  uint8_t signal;                       /* wl_signal_t */
  uint32_t lanes;                       /* warp lanes, within the LSU beat */
  const uint32_t *address;              /* [32] by lane: CTA base + offset, bytes */
  const uint32_t *data[4];              /* [32] by lane: words of b */
  const uint32_t (*swap)[WL_LANES];     /* by word and lane: words of c, of cas only */
} wl_smem_req_t;

typedef struct wl_smem_rsp { /* results of a request or of one word of it */
  bool valid;
  bool last;                 /* of the request: outstanding - 1 */
  uint8_t signal;            /* wl_signal_t, of the request */
  uint8_t slot, beat, words; /* words: bit = result word delivered, stores none */
  uint32_t lanes;
  const uint32_t (*data)[WL_LANES]; /* [word][lane], extended */
  bool misuse;                      /* of an mbarrier, by misuse_lane; object's byte address */
  uint8_t misuse_lane;
  uint32_t misuse_address;
} wl_smem_rsp_t;

enum { WL_MOST_QUADS = WL_MOST_SMEM_BANKS / 4 };
_Static_assert(WL_MOST_QUADS <= 16, "bits of quads");
typedef struct wl_chunk_req { /* a unit's request at the chunk port of shared memory (11b) */
  bool valid, store;
  uint8_t tag, requester;        /* requester: set by the port */
  uint16_t quads;                /* bit: quad of banks */
  uint32_t row[WL_MOST_QUADS];   /* by quad */
  uint16_t bytes[WL_MOST_QUADS]; /* bit: byte of the chunk; stores only */
  uint32_t data[WL_MOST_QUADS][4];
} wl_chunk_req_t;

typedef struct wl_chunk_rsp { /* the data of a load: wl_wires_t.chunk_data */
  bool valid;
  uint8_t requester, tag;
} wl_chunk_rsp_t;

typedef struct wl_ib { /* the instruction buffer of a warp */
  wl_insn_t entry[WL_MOST_IB_DEPTH];
  uint8_t head, count;
} wl_ib_t;

typedef struct wl_bar_result { /* of the barrier that a warp was last released from */
  uint32_t popc;
  bool and_all, or_any;
} wl_bar_result_t;

/* The wires of one sub-core. Warp numbers and masks are the SM's slots; the masks hold the
 * sub-core's own warps only. */
typedef struct wl_sub_wires {
  /* State that other units read (wl_sm_show). Pointers are to arrays by warp, read before the updates. */
  wl_wmask_t run, ctl, alive, stop_valid; /* paths; alive: live != 0 */
  const uint32_t *cur_mask, *live, *exist, *released, *waiting, *xmask, *stop_pc;
  wl_wmask_t ib_valid; /* fetch: warps whose buffer is not empty */
  const wl_ib_t *ib;
  bool missing;              /* the miss unit is at work */
  const uint32_t (*pred)[8]; /* operands: predicates, by wl_row_of(warp) */
  uint32_t is_left;          /* issue */
  wl_wmask_t inflight_any;   /* warps with instructions past issue */
  uint8_t vwb_lost;          /* write-back */
  /* paths */
  bool tbuf_free;
  wl_warp_wire_t turn_end;  /* resolve: wserved[w] is set */
  wl_wmask_t path_busy;     /* live != 0, or an engine request or service */
  bool sleeping;            /* some warp waits for a sleeper (14) */
  wl_path_plan_t path_plan; /* everything else that paths decided in this cycle */
  /* operands */
  /* Steps by where they are in this cycle; of these pointers none is NULL. */
  const wl_x1_wire_t *x1;
  bool resolve; /* T of resolve_f */
  const wl_flight_t *resolve_f;
  const wl_x1_wire_t *fixed;      /* W of a step on the fixed pipe */
  const wl_x1_wire_t *fixed_next; /* the step that has its W in the next cycle */
  const wl_x1_wire_t *fixed_late; /* the step whose pq is written in this cycle (W + 1) */
  bool fixed_pred;                /* the fixed pipe writes a predicate */
  bool fixed_write;               /* it writes a register, of bank fixed_bank */
  uint8_t fixed_bank;
  bool x1_pm; /* x1 reads a performance monitor, whose word is pm_word */
  uint32_t pm_word;
  /* units */
  bool ready[WL_NUM_UNIT]; /* by unit; of LSU, LDC, COPY, UMMA: open to the sub-core (memissue) */
  bool columns_open;       /* the allocator of tensor memory is open to the sub-core (memissue) */
  bool tmem_shown;         /* tensor memory is at work, and its wires may say so; else they stay */
  bool tmem_free;          /* tensor memory: an entry for a load is free */
  bool tmem_fault;         /* the load or store that is judged has a fault */
  /* Its stores: a beat is written in this cycle, of this quarter. */
  bool tmem_stores;
  uint8_t tmem_store_quarter;
  /* Tensor unit (19.1): cur is valid; it is not, or in its last slice; the next set is full; the pipe moves;
   * cur may become the next set. The last two are also those of products in tensor memory (25.5). */
  bool dot_current, dot_free, dot_next, dot_moves, dot_takes;
  /* Products in tensor memory: a beat of D that is written in this cycle; one that is read, of this quarter:
   * of D its words from the first lane on that is not idle, of A and of a shift all. */
  wl_umma_row_t umma_row;
  bool umma_reads;
  uint8_t umma_read_quarter;
  uint32_t umma_read[WL_LANES];
  wl_warp_wire_t finish[WL_FINISHES]; /* instructions that finish without a last write */
  wl_vwb_wire_t vwb[WL_VWB_SOURCES];
  /* Result queue (6.5): what its producers present; the one that is taken, -1: none. */
  wl_vwb_wire_t result[WL_RESULT_PRODUCERS];
  int result_taken;
  bool
      result_works; /* a producer or the queue may have words; without: nothing of it is made anew */
  wl_trap_info_t trap[WL_SUB_TRAP_SOURCES];
  /* arbitration */
  bool fetch_select; /* F1 selects fetch_warp */
  uint8_t fetch_warp;
  bool fetch_miss;     /* a token in F2 misses and gets the miss unit; only with PmCounters = 1 */
  bool pin_lost;       /* the pinned warp is not valid or does not run */
  wl_wmask_t issuable; /* section 5 */
  wl_wmask_t circular; /* the ready warps of a choice by SchedGreedy's circular rule, else 0 */
  /* issue's verdicts on the heads, see issue.h */
  wl_wmask_t head_known, head_free, head_plain, head_lsu;
  wl_wmask_t taken, scan_free; /* HazardScan = 1: bit of the warp taken to be judged in the next
                                * cycle; of the one judged in this, if it is free */
  wl_wmask_t chosen;           /* IssueAhead = 1: bit of the warp chosen in this cycle */
  bool pick_ends;              /* IssueAhead = 1: the pick issues or traps, or a trap is pending */
  uint32_t vwb_asks;           /* sources that present, bit per number */
  int vwb_grant;               /* source granted, -1: none */
  bool vwb_blocked;            /* a candidate was not granted because of its bank or predicate */
  wl_issue_wire_t issue;
  wl_flush_wire_t flush[WL_FLUSHES];
} wl_sub_wires_t;

typedef struct wl_offer { /* the next CTA of the grid */
  bool valid;
  uint32_t x, y, z;
} wl_offer_t;

/* The wires of the device: between its units, and to and from the SMs. */
typedef struct wl_gpu_wires {
  /* From the SMs. */
  bool trap_pending;                       /* in some SM */
  bool sms_empty, sms_quiet, sms_answered; /* all of them are */
  bool offer_taken;                        /* an SM takes the CTA */
  const wl_packet_t *packet;               /* granted at an SM's port, NULL: none */
  bool load_granted;                       /* it is the grid's */
  bool rsp_held;                           /* an SM holds the response channel */
  /* grid */
  bool running;    /* state RUN */
  bool invalidate; /* start cycle */
  bool end;        /* the launch ends */
  bool clear;      /* trap end */
  wl_offer_t offer;
  bool load_valid; /* asks for a sector of the launch block, through the port of SM 0 */
  wl_packet_t load;
  /* order point and memory */
  int op_row; /* row that takes the waiting packet in this cycle, -1: none */
  bool op_ready;
  bool rsp_valid;
  uint8_t rsp_row; /* row of the order point that answers */
  wl_response_t rsp;
  bool ar_valid, aw_valid, ar_ready, aw_ready;
  uint8_t ar_id, aw_id;
  uint64_t ar_sector, aw_sector;
  uint32_t aw_strb;
  const uint32_t *aw_data; /* [8] */
  bool r_valid, b_valid;
  uint8_t r_id, b_id;
  const uint32_t *r_data; /* [8] */
} wl_gpu_wires_t;

/* The wires of one SM. */
typedef struct wl_wires {
  wl_sub_wires_t sub[WL_MOST_SUB_CORES];
  /* State that other units read (wl_sm_show). */
  bool trap_pending;
  wl_wmask_t bar_wake, bar_requesting, cluster_wait, wait_wake;
  uint32_t smem_gen;                 /* phases of mbarriers completed */
  const wl_copy_t *copies;           /* by slot of the LSU */
  const wl_bulk_t *bulks;            /* by entry of the copy engine */
  bool copy_available;               /* copy engine: a free entry, no COPY on its way (5) */
  const wl_column_unit_t *columns;   /* tensor memory: by unit */
  const uint16_t *column_base;       /* by warp: %tmem_base */
  bool columns_available;            /* allocator: no instruction on its way (5) */
  const uint32_t *tmem_words;        /* contents: [quarter][column][lane] */
  bool umma_available;               /* products in it: a free entry, no UMMA on its way (5) */
  const wl_bar_result_t *bar_result; /* by warp */
  const uint64_t *pm;                /* monitors */
  /* From the device. */
  const wl_gpu_wires_t *gpu; /* what all SMs see */
  bool offered;              /* the CTA gpu->offer is offered to this SM */
  bool op_ready;             /* the order point takes a packet of this SM */
  bool rsp_valid;            /* gpu->rsp is to this SM */
  /* dispatcher */
  bool empty;     /* no CTA is here or on its way */
  bool quiet;     /* no sequence is under way, no instruction past issue */
  bool answered;  /* the SM waits for no response */
  bool cta_start; /* the warps of start_warps become valid (visible next cycle) */
  uint8_t start_slot;
  wl_wmask_t start_warps;
  uint32_t start_live[WL_MOST_WARPS]; /* only of start_warps */
  bool page_we;
  uint8_t page_warp, page_entry;
  uint16_t page_value;
  /* barrier */
  wl_wmask_t bar_busy;   /* bar_req or bar_exit */
  uint16_t bar_complete; /* bit of the barrier of the event's CTA that its event completes */
  /* units */
  bool lsu_available;          /* slot[alloc] is free */
  bool ldc_available;          /* constant loads: idle */
  uint32_t turns_end;          /* core/memissue.c: the turn passes; bit: wl_open_t */
  uint8_t lsu_slot;            /* alloc */
  wl_warp_wire_t finish_ldc;   /* fault (with the last grant otherwise) */
  uint32_t ldc_data[WL_LANES]; /* the word that constant loads present, by lane */
  uint32_t lsu_done;           /* slots that are SENT, everything answered and granted */
  uint32_t lsu_free;           /* slots freed in this cycle without a grant: stores, RED, faults */
  uint8_t lsu_free_warp[WL_MOST_LSU_DEPTH];
  uint32_t lsu_deferred;             /* of these: slots of deferred forms */
  wl_wmask_t lsu_copied;             /* warps of which a CPASYNC slot is freed */
  wl_smem_req_t smem_req;            /* lsu_out */
  uint32_t smem_signal[2][WL_LANES]; /* of a signal's request: address, operand; lane 0 */
  bool smem_ready;                   /* smem_out */
  bool smem_pass;                    /* a pass starts */
  bool smem_atomic;                  /* an atomic is between its start and its write */
  bool smem_completes;               /* an operation on an mbarrier acts and completes a phase */
  /* Copy engine (23). */
  bool copy_shown;          /* it works, and its wires may say so; they are not made anew without */
  bool copy_fault;          /* the COPY that resolves has a fault: it finishes */
  wl_warp_wire_t copy_free; /* an entry is freed: its instruction finishes */
  wl_wmask_t copy_wake;     /* warps for whose waits something is over */
  /* Allocator of tensor memory (24.1). */
  bool columns_shown;     /* its wires may say so; they are not made anew without */
  bool columns_fault;     /* what resolves has a fault: it goes on */
  bool columns_wait;      /* the ALLOC that resolves gets nothing yet: its path waits */
  uint8_t column_first;   /* unit: what it gets, or gives back, begins here */
  wl_wmask_t column_wake; /* the oldest warp in the queue, if it is to look again */
  /* Products in tensor memory (25). */
  bool umma_shown;          /* it works, and its wires may say so; they are not made anew without */
  bool umma_fault;          /* the UMMA that resolves has a fault: it finishes */
  wl_warp_wire_t umma_free; /* an entry ends: its instruction finishes */
  bool umma_steps;          /* a step is done */
  bool umma_reads_d, umma_reads_a,
      umma_reads_scales; /* tensor memory is read: D; A or a shift; scales */
  bool umma_ends_block;  /* the last one of a block */
  uint8_t umma_served;   /* bit: chunk of the half that its request at the chunk port asks for */
  /* Chunk port (11b). */
  bool chunk_works; /* a unit that uses it may ask; without: nothing of it is under way */
  bool chunk_first; /* the lane port starts no pass */
  wl_chunk_req_t chunk_req[WL_CHUNK_REQUESTERS];
  int chunk_chosen, chunk_grant;      /* requester, -1: none */
  const wl_chunk_req_t *chunk_access; /* has the banks in this cycle; NULL: none */
  wl_chunk_rsp_t chunk_rsp;
  const uint32_t *chunk_data; /* of the answer, by bank */
  bool ldc_miss;              /* a CHECK of constant loads finds no line */
  wl_smem_rsp_t smem_rsp;     /* smem_out */
  wl_trap_info_t trap[WL_TRAP_SOURCES];
  /* port, order point, memory */
  bool req_valid[WL_PORTS];
  wl_packet_t req[WL_PORTS];
  bool unacked_zero;
  /* arbitration */
  wl_wmask_t warp_idle; /* section 3 */
  int cta_freed;        /* CTA slot that is freed, -1: none */
  bool takes;           /* dispatcher: takes the CTA that is offered, in these slots */
  uint8_t take_slot;
  wl_wmask_t take_warps;
  uint32_t port_asks; /* requesters that present, bit per number */
  int port_grant;     /* the one granted, -1: none */
  uint64_t pm_add[8]; /* monitor: the amounts of the cycle; only with PmCounters = 1 */
} wl_wires_t;

/* core/lane_words.c: forms of the lowest lane only (6.1), of a unit of the SM. One sub-core at a time has such a
 * form past issue. resolves: the one in T, NULL: none. words: those of the last step in X1, if there is one;
 * beyond them 0. */
const wl_flight_t *wl_lane_resolves(const wl_env_t *env, const wl_wires_t *w, wl_unit_t unit);
void wl_lane_words(uint32_t *word, unsigned count, const wl_env_t *env, const wl_wires_t *w,
                   wl_unit_t unit);
/* A fault of such a form, told in T. */
wl_trap_info_t wl_lane_fault(const wl_flight_t *f, wl_trap_t cause, uint64_t address);

/* mem/smem_ways.c: requests for one mbarrier (23.3, 25.8), which precede the one shown before. signal: who asks;
 * op: with the operand, at a byte of shared memory. misuse: what its delivery told, a trap of the source; a
 * fault of this cycle may be the lower one (14). */
void wl_smem_signal(wl_wires_t *w, wl_signal_t signal, wl_mbar_op_t op, uint32_t at,
                    uint32_t operand);
void wl_smem_misuse(wl_wires_t *w, unsigned source, uint8_t warp, uint8_t lane, uint32_t pc);

#endif
