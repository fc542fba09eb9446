/* State of mem/lsu.c, mem/coalescer.c and mem/matrix.c (docs/microarchitecture.md 10). */
#ifndef WL_CMODEL_MEM_LSU_H
#define WL_CMODEL_MEM_LSU_H

#include "cmodel/gpu/wires.h"

typedef enum wl_lsu_state {
  WL_LSU_FILL,
  WL_LSU_READY,
  WL_LSU_PROC,
  WL_LSU_SENT,
  WL_LSU_WB
} wl_lsu_state_t;

typedef enum wl_lsu_phase {
  WL_LSU_GLOBAL,
  WL_LSU_LOCAL,
  WL_LSU_SHARED,
  WL_LSU_PHASES
} wl_lsu_phase_t;

typedef struct wl_lsu_slot {
  bool valid;
  wl_lsu_state_t state;
  wl_insn_dec_t dec;
  uint32_t pc;
  uint8_t warp;
  uint32_t exec;
  uint32_t lanes[WL_LSU_PHASES]; /* class masks G, L, S */
  bool fault;
  uint8_t fault_lane, fault_cause;
  uint64_t fault_address;
  uint32_t outstanding;
  bool due;           /* LsuDelay: SENT and complete since the cycle before: freed, or in WB next */
  uint8_t beat, word; /* write-back position: LSU beat (or lane, matrix.c) and word */
  uint8_t lanes_once; /* lanes of a word of write-back; of a request of a matrix store */
  bool stored;        /* deferred: its last request to shared memory was taken */
  uint8_t offer;      /* deferred: which buffer below has the addresses of its next request */
  uint32_t offer_address[2][WL_LANES];
  uint64_t ea[WL_LANES];
  uint32_t data[4][WL_LANES], swap[4][WL_LANES]; /* words of b, of c */
  uint32_t result[4][WL_LANES];
} wl_lsu_slot_t;

typedef struct wl_lsu {
  wl_lsu_slot_t slot[WL_MOST_LSU_DEPTH];
  uint8_t alloc, proc;
  bool filled; /* LsuDelay: slot `last_filled` becomes READY in this cycle */
  uint8_t last_filled;
  uint32_t sent, writing; /* slots in SENT, in WB; bit = slot */
  uint32_t asked;         /* slots with outstanding above 0 */
  /* the processor */
  bool busy;
  wl_lsu_phase_t phase;
  uint32_t pending[WL_LSU_PHASES];
  uint8_t part;          /* of the group's accesses; phase L: the word */
  uint32_t part_pending; /* lanes of the group still to be served in this part; 0: all of them */
  uint32_t smem_address[WL_LANES]; /* of a matrix: those of the address lanes */
  /* a matrix store: the request that is due, in one of two buffers: shared memory still reads the
   * one that it takes in this cycle */
  uint8_t store_word, store_piece, store_buffer;
  uint32_t store_address[2][WL_LANES], store_data[2][WL_LANES];
  /* deferred forms (22), in mem/lsu_deferred.c */
  wl_copy_t copy[WL_MOST_LSU_DEPTH]; /* CPASYNC slots in use */
  bool smem_turn;                    /* 1: write-back comes first at shared memory */
  /* output register */
  bool out_valid;
  wl_packet_t out;
} wl_lsu_t;

/* coalescer.c: one step of phase G or L: the packet, and the pending state after it. */
typedef struct wl_coalesced {
  wl_packet_t packet;
  uint32_t pending, part_pending;
  uint8_t part;
} wl_coalesced_t;

void wl_coalesce(const wl_lsu_t *l, const wl_env_t *env, wl_coalesced_t *out);
/* Bytes of a part of phase G: the whole access, or LsuWords words of a longer load or store. */
unsigned wl_lsu_part_bytes(const wl_env_t *env, const wl_lsu_slot_t *slot);
bool wl_lsu_is_red(const wl_lsu_slot_t *slot);
/* lsu_fill.c: the slot of an instruction that issues; operands of its lanes. */
void wl_lsu_allocate(wl_lsu_t *l, const wl_env_t *env, const wl_issue_wire_t *i);
void wl_lsu_fill(wl_lsu_t *l, const wl_env_t *env, const wl_x1_wire_t *x);

/* matrix.c: address lanes of a matrix form; what a slot holds. */
uint32_t wl_matrix_address_lanes(const wl_form_info_t *info);
bool wl_matrix_is_load(const wl_lsu_slot_t *slot);
bool wl_matrix_is_store(const wl_lsu_slot_t *slot);
/* Lanes of a word of write-back, of a request of a store. */
unsigned wl_matrix_lanes_once(const wl_env_t *env, const wl_lsu_slot_t *slot);
/* Load: rows that were received become registers. */
void wl_matrix_registers(wl_lsu_slot_t *slot);
/* Store: the first request, the next after one was taken. */
void wl_matrix_begin(wl_lsu_t *l);
void wl_matrix_next(wl_lsu_t *l);
/* The request of a matrix form, where it is not that of a load or store of 16 bytes. */
void wl_matrix_out(const wl_lsu_t *l, wl_smem_req_t *r);

/* lsu_deferred.c: the slot is of a deferred form; such a slot in WB is held; enters WB. The request that
 * a slot in WB offers; it was taken, true: it was the last one. COMMIT of a warp. */
bool wl_lsu_is_held(const wl_lsu_t *l, const wl_env_t *env, unsigned slot);
void wl_lsu_begin_offers(wl_lsu_slot_t *slot, const wl_env_t *env);
void wl_lsu_offer(const wl_lsu_slot_t *slot, const wl_env_t *env, wl_smem_req_t *r);
bool wl_lsu_offer_taken(wl_lsu_slot_t *slot);
void wl_lsu_commit(wl_lsu_t *l, const wl_env_t *env, unsigned warp);

void wl_lsu_reset(wl_lsu_t *l, const wl_env_t *env);
void wl_lsu_out(const wl_lsu_t *l, const wl_env_t *env, wl_wires_t *w);
void wl_lsu_update(wl_lsu_t *l, const wl_env_t *env, const wl_wires_t *w);
uint32_t wl_lsu_busy(const wl_lsu_t *l, const wl_env_t *env); /* bit of REST */

#endif
