/* mem/ccache.c: docs/microarchitecture.md 12: constant loads, one instruction at a time, from a
 * direct-mapped cache; a pass serves all lanes if they want the same, else one address of one beat. */
#include "cmodel/mem/ccache.h"

#include <string.h>

#include "cmodel/gpu/sm.h"

void wl_ccache_reset(wl_sm_t *sm) {
  sm->ccache.state = WL_CC_IDLE;
  sm->ccache.storing = 0;
  memset(sm->ccache.valid, 0, sizeof sm->ccache.valid);
}

/* Size of a bank, 0 where there is none. */
static uint64_t bank_of(const wl_launch_block_t *b, unsigned bank, uint64_t *base) {
  *base = 0;
  switch (bank) {
  case 0: *base = wl_pair(b->c0_base); return WL_LAUNCH_BLOCK_WORDS * 4 + (uint64_t)b->param_bytes;
  case 1: *base = wl_pair(b->c1_base); return b->c1_bytes;
  case 2: *base = wl_pair(b->c2_base); return b->c2_bytes;
  default: return 0;
  }
}

static unsigned access_bytes(const wl_ccache_t *c) {
  return wl_sem_type_bytes((wl_mem_type_t)c->dec.info->type);
}

/* The operand of one lane: its address, and its fault if it is the first with one. */
static void take_lane(const wl_sm_t *sm, wl_ccache_t *c, unsigned lane, uint32_t a) {
  const uint32_t imm = c->dec.imm;
  const uint32_t offset = a + (uint32_t)((int32_t)(imm << 4) >> 4);
  const unsigned bytes = access_bytes(c);
  uint64_t base;
  const uint64_t size = bank_of(&sm->disp.lb.block, imm >> 28, &base);
  c->address[lane] = base + offset;
  uint8_t cause = WL_TRAP_NONE;
  if (c->address[lane] % bytes != 0) cause = WL_TRAP_MISALIGNED;
  else if ((uint64_t)offset + bytes > size) cause = WL_TRAP_CONST_RANGE;
  if (cause == WL_TRAP_NONE || (c->fault && c->fault_lane < lane)) return;
  c->fault = true;
  c->fault_lane = (uint8_t)lane;
  c->fault_cause = cause;
  c->fault_address = c->address[lane];
}

static uint32_t first_beat(const wl_sm_t *sm, uint32_t exec) { return wl_lowest(exec) / sm->cfg.lanes; }

static void present(const wl_sm_t *sm, wl_vwb_wire_t *v) {
  const wl_ccache_t *c = &sm->ccache;
  const unsigned reg = c->dec.rd + c->word;
  const bool last_beat = wl_later_lanes(c->exec, c->beat, sm->cfg.lanes) == 0;
  *v = (wl_vwb_wire_t){.valid = true, .warp = c->warp,
                       .reg = (uint8_t)(c->dec.rd == 255 || reg > 255 ? 255 : reg),
                       .beat = c->beat, .lanes = c->exec & wl_beat_lanes(&sm->cfg, c->beat),
                       .data = c->result[c->word], .pd = 7, .last_beat = last_beat,
                       .last = last_beat && c->word + 1U == c->dec.info->d};
}

void wl_ccache_out(const wl_sm_t *sm, wl_wires_t *w) {
  const wl_ccache_t *c = &sm->ccache;
  const bool faults = c->state == WL_CC_PASS && c->fresh && c->fault;
  w->ldc_available = c->state == WL_CC_IDLE;
  w->trap[WL_SRC_LDC].valid = faults;
  w->finish_ldc = (wl_warp_wire_t){faults, c->warp};
  if (faults)
    w->trap[WL_SRC_LDC] = (wl_trap_info_t){true, c->fault_cause, c->warp, c->fault_lane, c->pc,
                                           c->fault_address};
  w->req_valid[WL_PORT_LDC] = c->state == WL_CC_MISS && c->sent < 2;
  if (w->req_valid[WL_PORT_LDC])
    w->req[WL_PORT_LDC] = (wl_packet_t){.op = WL_PK_LD, .sector = c->line * 2 + c->sent,
                                        .mask = UINT32_MAX, .unit = WL_FROM_LDC, .tag = c->sent};
  for (unsigned k = 0; k < sm->cfg.sub_cores; k++)
    w->sub[k].vwb[WL_VWB_LDC].valid = false;
  if (c->state == WL_CC_WB) present(sm, &w->sub[wl_sub_of(sm, c->warp)].vwb[WL_VWB_LDC]);
}

static void start(wl_ccache_t *c, const wl_issue_wire_t *i) {
  c->state = WL_CC_FILL;
  c->dec = i->insn->dec;
  c->pc = i->insn->pc;
  c->warp = i->warp;
  c->exec = c->pending = i->exec;
  c->fault = false;
  c->refilled = false;
}

/* Equal addresses are equal operands: bank and offset are the instruction's. */
static uint32_t equal_lanes(const wl_ccache_t *c, uint32_t lanes, uint64_t address) {
  uint32_t equal = 0;
  for (uint32_t left = lanes; left != 0; left &= left - 1)
    if (c->address[wl_lowest(left)] == address) equal |= left & -left;
  return equal;
}

static void fill(const wl_sm_t *sm, wl_ccache_t *c, const wl_x1_wire_t *x) {
  for (uint32_t left = x->lanes; left != 0; left &= left - 1)
    take_lane(sm, c, wl_lowest(left), x->f->a[0][wl_lowest(left)]);
  if (!x->last) return;
  c->state = WL_CC_PASS;
  c->fresh = true;
  c->uniform = equal_lanes(c, c->exec, c->address[wl_lowest(c->exec)]) == c->exec;
}

static void pass(const wl_sm_t *sm, wl_ccache_t *c) {
  c->leader = (uint8_t)wl_lowest(c->pending);
  const uint32_t beat = c->pending & wl_beat_lanes(&sm->cfg, c->leader / sm->cfg.lanes);
  c->served = c->uniform ? c->pending : equal_lanes(c, beat, c->address[c->leader]);
  c->line = c->address[c->leader] / 64;
  c->state = WL_CC_CHECK;
}

static void end_check(const wl_sm_t *sm, wl_ccache_t *c) {
  c->state = c->pending != 0 ? WL_CC_PASS : WL_CC_WB;
  c->beat = (uint8_t)first_beat(sm, c->exec);
  c->word = 0;
}

static unsigned line_index(const wl_sm_t *sm) {
  return (unsigned)(sm->ccache.line % (sm->cfg.ccache_bytes / 64));
}

/* A CHECK in this cycle finds no line. */
bool wl_ccache_misses(const wl_sm_t *sm) {
  const wl_ccache_t *c = &sm->ccache;
  const unsigned index = line_index(sm);
  return c->state == WL_CC_CHECK && c->storing == 0 &&
         (!c->valid[index] || c->tag[index] != c->line);
}

static void check(wl_sm_t *sm, wl_ccache_t *c) {
  if (c->storing != 0) {
    if (--c->storing == 0) end_check(sm, c);
    return;
  }
  const unsigned index = line_index(sm);
  if (wl_ccache_misses(sm)) {
    c->valid[index] = false;
    c->state = WL_CC_MISS;
    c->sent = c->got = 0;
    c->refilled = true;
    sm->count.ldc_misses++;
    return;
  }
  if (!c->refilled) sm->count.ldc_hits++;
  c->refilled = false;
  const unsigned at = (unsigned)(c->address[c->leader] % 64), words = c->dec.info->d;
  for (unsigned k = 0; k < words; k++) {
    uint32_t value = c->data[index][at / 4 + k] >> at % 4 * 8;
    if (words == 1) value = wl_sem_load_word((wl_mem_type_t)c->dec.info->type, value);
    for (uint32_t left = c->served; left != 0; left &= left - 1)
      c->result[k][wl_lowest(left)] = value;
  }
  c->pending &= ~c->served;
  if (sm->cfg.beats > 1) c->storing = (uint8_t)(words - 1); /* nobody sees the words before WB */
  if (c->storing == 0) end_check(sm, c);
}

static void miss(const wl_sm_t *sm, wl_ccache_t *c, const wl_wires_t *w) {
  const unsigned index = line_index(sm);
  if (w->port_grant == WL_PORT_LDC) c->sent++;
  if (!w->rsp_valid || w->rsp.unit != WL_FROM_LDC) return;
  memcpy(c->data[index] + w->rsp.tag * 8, w->rsp.data, sizeof w->rsp.data);
  if (++c->got < 2) return;
  c->valid[index] = true;
  c->tag[index] = c->line;
  c->state = WL_CC_PASS;
}

static void granted(const wl_sm_t *sm, wl_ccache_t *c) {
  if (++c->word < c->dec.info->d) return;
  const uint32_t left = wl_later_lanes(c->exec, c->beat, sm->cfg.lanes);
  c->word = 0;
  if (left == 0) c->state = WL_CC_IDLE;
  else c->beat = (uint8_t)first_beat(sm, left);
}

/* The instruction of the sub-core to which the unit was open. */
static void take_issue(const wl_sm_t *sm, wl_ccache_t *c, const wl_wires_t *w) {
  for (unsigned k = 0; k < sm->cfg.sub_cores; k++) {
    const wl_issue_wire_t *is = &w->sub[k].issue;
    if (is->valid && !is->empty && is->route == WL_ROUTE_LDC) start(c, is);
  }
}

void wl_ccache_update(wl_sm_t *sm, const wl_wires_t *w) {
  wl_ccache_t *c = &sm->ccache;
  const wl_sub_wires_t *own = &w->sub[wl_sub_of(sm, c->warp)];
  switch (c->state) {
  case WL_CC_IDLE: take_issue(sm, c, w); break;
  case WL_CC_FILL:
    if (own->x1.valid && own->x1.f->route == WL_ROUTE_LDC) fill(sm, c, &own->x1);
    break;
  case WL_CC_PASS:
    if (c->fresh && c->fault) c->state = WL_CC_IDLE;
    else pass(sm, c);
    c->fresh = false;
    break;
  case WL_CC_CHECK: check(sm, c); break;
  case WL_CC_MISS: miss(sm, c, w); break;
  case WL_CC_WB:
    if (own->vwb_grant == WL_VWB_LDC) granted(sm, c);
    break;
  }
  if (w->invalidate) memset(c->valid, 0, sizeof c->valid);
}

bool wl_ccache_at_rest(const wl_sm_t *sm) { return sm->ccache.state == WL_CC_IDLE; }
