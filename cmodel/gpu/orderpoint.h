/* State of gpu/orderpoint.c and gpu/atomic.c (docs/microarchitecture.md 13). */
#ifndef WL_CMODEL_GPU_ORDERPOINT_H
#define WL_CMODEL_GPU_ORDERPOINT_H

#include "cmodel/gpu/wires.h"

typedef enum wl_op_state {
  WL_OP_FREE,
  WL_OP_RREQ,
  WL_OP_RWAIT,
  WL_OP_ATOM,
  WL_OP_WREQ,
  WL_OP_WWAIT,
  WL_OP_RESP
} wl_op_state_t;

typedef struct wl_op_row {
  wl_packet_t packet;
  uint32_t old[8];   /* data read */
  uint32_t write[8]; /* data to be written under write_mask */
  uint32_t write_mask;
} wl_op_row_t;

typedef struct wl_orderpoint {
  bool in_valid;
  wl_packet_t in;
  /* Rows by state, bit = row. */
  uint64_t valid, rreq, rwait, atom, wreq, wwait, resp;
  wl_op_row_t row[WL_MOST_OP_TABLE];
  uint8_t last_read, last_write, last_answer; /* rows last served by the channels */
  bool atomic_busy;
  uint8_t atomic_row;   /* taken, and kept as the last one */
  uint32_t atomic_left; /* cycles until the row is WREQ, this one included */
} wl_orderpoint_t;

void wl_orderpoint_reset(wl_orderpoint_t *op, const wl_env_t *env);
void wl_orderpoint_out(const wl_orderpoint_t *op, const wl_env_t *env, wl_gpu_wires_t *w);
void wl_orderpoint_update(wl_orderpoint_t *op, const wl_env_t *env, const wl_gpu_wires_t *w);
uint32_t wl_orderpoint_busy(const wl_orderpoint_t *op, const wl_env_t *env); /* bit of REST */
/* Word `places` of REST. */
uint32_t wl_orderpoint_places(const wl_orderpoint_t *op, const wl_env_t *env);

#endif
