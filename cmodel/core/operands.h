/* State of core/operands.c and core/regfile.c (docs/microarchitecture.md 6.1, 6.2). */
#ifndef WL_CMODEL_CORE_OPERANDS_H
#define WL_CMODEL_CORE_OPERANDS_H

#include "cmodel/gpu/wires.h"

/* Records live from issue to the last predicate write, at most LatFixed + 3 cycles after the last
 * slot; at most one instruction issues per cycle, and only when the slots before it are used up. */
enum { WL_FLIGHTS = 16, WL_SLOT_RING = 16 };
/* The words of a step list are read until the last slot's X1, two cycles after that slot; an instruction
 * that issues in between writes the next place. */
enum { WL_LISTS = 4 };

/* Architectural registers: words[((bank * rows) + row) * Lanes + physical lane], with the four banks
 * of the sub-core (the SM's: first_bank ..). */
typedef struct wl_regfile {
  uint32_t *words;
  uint32_t rows; /* per bank */
  uint32_t lanes, beats, first_bank;
  uint32_t pred[WL_MOST_WARPS][8]; /* by wl_row_of(warp); bit = lane; [7] is never written */
  uint16_t page_map[WL_MOST_WARPS][32];
} wl_regfile_t;

typedef struct wl_operands {
  wl_flight_t flight[WL_FLIGHTS];
  uint8_t next_flight;
  bool reading;                    /* an instruction has slots left */
  bool first;                      /* its operands have not been read yet */
  uint8_t cur;                     /* its record */
  uint8_t beat, part, step, slot;  /* the slot of this cycle; step after the last: extra slot */
  wl_x1_wire_t ring[WL_SLOT_RING]; /* the last slots of steps; index: cycle of X1, modulo */
  uint8_t next_list;
  uint32_t list[WL_LISTS][3 * WL_MOST_STEPS][WL_LANES]; /* wl_flight_t.list points here */
  wl_regfile_t regs;
} wl_operands_t;

void wl_operands_reset(wl_operands_t *op, const wl_env_t *env, unsigned k);
void wl_operands_out(const wl_operands_t *op, const wl_env_t *env, wl_wires_t *w, unsigned k);
void wl_operands_update(wl_operands_t *op, const wl_env_t *env, const wl_wires_t *w, unsigned k);

/* core/regfile.c */
void wl_reg_read(const wl_regfile_t *rf, unsigned warp, unsigned reg, uint32_t out[WL_LANES]);
void wl_reg_write(wl_regfile_t *rf, const wl_env_t *env, unsigned warp, unsigned reg, unsigned beat,
                  uint32_t lanes, const uint32_t data[WL_LANES]);
void wl_pred_write(wl_regfile_t *rf, const wl_env_t *env, unsigned warp, unsigned pred,
                   uint32_t lanes, uint32_t value);

/* core/sreg.c: special registers (6.2). */
void wl_sreg_read(const wl_env_t *env, const wl_flight_t *f, uint32_t out[WL_LANES]);
/* A word of the monitors as visible in this cycle (X1 of the instruction, 14); others: false. */
bool wl_sreg_monitor(const uint64_t *pm, unsigned id, uint32_t *value);

#endif
