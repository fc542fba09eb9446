/* gpu/orderpoint.c: docs/microarchitecture.md 13: accepts packets in order, keeps the sectors in flight
 * apart, talks to memory, answers. Sets of rows are bitmaps, served in turns. */
#include "cmodel/gpu/orderpoint.h"

#include <string.h>

#include "cmodel/gpu/atomic.h"

void wl_orderpoint_reset(wl_orderpoint_t *op, const wl_env_t *env) {
  memset(op, 0, sizeof *op);
  const uint8_t last = (uint8_t)(env->cfg.op_table - 1);
  op->last_read = op->last_write = op->last_answer = op->atomic_row = last;
}

static uint64_t all_rows(const wl_env_t *env) {
  return env->cfg.op_table == 64 ? ~UINT64_C(0) : (UINT64_C(1) << env->cfg.op_table) - 1;
}

/* The row that takes the waiting packet in this cycle, -1: none. */
static int admitted(const wl_orderpoint_t *op, const wl_env_t *env) {
  const uint64_t free = all_rows(env) & ~op->valid;
  if (free == 0 || wl_stalls(env, WL_STALL_AT_ADMIT)) return -1;
  for (uint64_t left = op->valid; left != 0; left &= left - 1)
    if (op->row[wl_lowest(left)].packet.sector == op->in.sector) return -1;
  return (int)wl_lowest(free);
}

static void respond(const wl_op_row_t *row, wl_response_t *rsp) {
  rsp->op = row->packet.op;
  rsp->sm = row->packet.sm;
  rsp->unit = row->packet.unit;
  rsp->tag = row->packet.tag;
  if (row->packet.op == WL_PK_LD || row->packet.op == WL_PK_ATOM)
    memcpy(rsp->data, row->old, sizeof rsp->data);
  else
    memset(rsp->data, 0, sizeof rsp->data);
}

void wl_orderpoint_out(const wl_orderpoint_t *op, const wl_env_t *env, wl_gpu_wires_t *w) {
  w->op_row = op->in_valid ? admitted(op, env) : -1;
  w->op_ready = !op->in_valid || w->op_row >= 0;
  w->ar_valid = op->rreq != 0;
  if (w->ar_valid) {
    w->ar_id = (uint8_t)wl_next_after(op->rreq, op->last_read);
    w->ar_sector = op->row[w->ar_id].packet.sector;
  }
  w->aw_valid = op->wreq != 0;
  if (w->aw_valid) {
    w->aw_id = (uint8_t)wl_next_after(op->wreq, op->last_write);
    w->aw_sector = op->row[w->aw_id].packet.sector;
    w->aw_strb = op->row[w->aw_id].write_mask;
    w->aw_data = op->row[w->aw_id].write;
  }
  w->rsp_valid = op->resp != 0 && !w->rsp_held && !wl_stalls(env, WL_STALL_AT_RESPONSE);
  if (w->rsp_valid) {
    w->rsp_row = (uint8_t)wl_next_after(op->resp, op->last_answer);
    respond(&op->row[w->rsp_row], &w->rsp);
  }
}

static void move(uint64_t *from, uint64_t *to, unsigned row) {
  *from &= ~(UINT64_C(1) << row);
  *to |= UINT64_C(1) << row;
}

static void admit(wl_orderpoint_t *op, unsigned i) {
  wl_op_row_t *row = &op->row[i];
  row->packet = op->in;
  op->valid |= UINT64_C(1) << i;
  if (op->in.op != WL_PK_ST) {
    op->rreq |= UINT64_C(1) << i;
    return;
  }
  memcpy(row->write, op->in.data, sizeof row->write);
  row->write_mask = op->in.mask;
  op->wreq |= UINT64_C(1) << i;
}

/* `ready`: rows in ATOM state that are visible in the cycle. */
static void step_atomic(wl_orderpoint_t *op, uint64_t ready) {
  if (!op->atomic_busy) {
    if (ready == 0) return;
    op->atomic_busy = true;
    op->atomic_row = (uint8_t)wl_next_after(ready, op->atomic_row);
    op->atomic_left = wl_atomic_elements(&op->row[op->atomic_row].packet) * WL_ATOM_STEP;
  }
  if (--op->atomic_left != 0) return;
  wl_atomic_apply(&op->row[op->atomic_row]);
  move(&op->atom, &op->wreq, op->atomic_row);
  op->atomic_busy = false;
}

static void take_read(wl_orderpoint_t *op, const wl_gpu_wires_t *w) {
  wl_op_row_t *row = &op->row[w->r_id];
  memcpy(row->old, w->r_data, sizeof row->old);
  move(&op->rwait, row->packet.op == WL_PK_LD ? &op->resp : &op->atom, w->r_id);
}

void wl_orderpoint_update(wl_orderpoint_t *op, const wl_env_t *env, const wl_gpu_wires_t *w) {
  const int row = w->op_row;
  const uint64_t ready = op->atom;
  if (op->in_valid && row < 0) {
    if ((all_rows(env) & ~op->valid) == 0)
      env->reports->count.op_full++;
    else if (!wl_stalls(env, WL_STALL_AT_ADMIT))
      env->reports->count.op_same_sector++;
  }
  if (w->rsp_valid) {
    const uint64_t freed = UINT64_C(1) << w->rsp_row;
    op->resp &= ~freed;
    op->valid &= ~freed;
    op->last_answer = w->rsp_row;
  }
  step_atomic(op, ready);
  if (w->ar_valid && w->ar_ready) {
    move(&op->rreq, &op->rwait, w->ar_id);
    op->last_read = w->ar_id;
  }
  if (w->aw_valid && w->aw_ready) {
    move(&op->wreq, &op->wwait, w->aw_id);
    op->last_write = w->aw_id;
  }
  if (w->r_valid) take_read(op, w);
  if (w->b_valid) move(&op->wwait, &op->resp, w->b_id);
  if (row >= 0) admit(op, (unsigned)row);
  if (row >= 0) op->in_valid = false;
  if (w->packet != NULL) {
    op->in = *w->packet;
    op->in_valid = true;
  }
}

uint32_t wl_orderpoint_busy(const wl_orderpoint_t *op, const wl_env_t *env) {
  (void)env;
  const uint64_t rows =
      op->valid | op->rreq | op->rwait | op->atom | op->wreq | op->wwait | op->resp;
  return (uint32_t)(rows != 0 || op->in_valid || op->atomic_busy) << WL_REST_PORT;
}

uint32_t wl_orderpoint_places(const wl_orderpoint_t *op, const wl_env_t *env) {
  const uint8_t last[4] = {op->last_read, op->last_write, op->atomic_row, op->last_answer};
  uint32_t word = 0;
  for (unsigned i = 0; i < 4; i++)
    word |= (env->cfg.op_table - 1 - last[i]) << (8 * i);
  return word;
}
