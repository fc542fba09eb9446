/* mem/ccache.c: docs/microarchitecture.md 12: constant loads, one instruction at a time, from a
 * direct-mapped cache; a pass serves all lanes of the warp that have the leader's operand, and
 * writes back beat by beat. */
#include "cmodel/mem/ccache.h"

#include <string.h>

void wl_ccache_reset(wl_ccache_t *c, const wl_env_t *env) {
  (void)env;
  c->state = WL_CC_IDLE;
  memset(c->valid, 0, sizeof c->valid);
}

/* Size of a bank, 0 where there is none. */
static uint64_t bank_of(const wl_launch_block_t *b, unsigned bank, uint64_t *base) {
  *base = 0;
  switch (bank) {
  case 0:
    *base = wl_pair(b->c0_base);
    return WL_LAUNCH_BLOCK_WORDS * 4 + (uint64_t)b->param_bytes;
  case 1:
    *base = wl_pair(b->c1_base);
    return b->c1_bytes;
  case 2:
    *base = wl_pair(b->c2_base);
    return b->c2_bytes;
  default:
    return 0;
  }
}

typedef struct leader {
  unsigned lane;
  uint64_t address;
  uint8_t cause; /* WL_TRAP_NONE: no fault */
} leader_t;

/* PASS: the one path for addresses. */
static leader_t find_leader(const wl_ccache_t *c, const wl_env_t *env) {
  const uint32_t imm = c->dec.imm;
  const unsigned lane = wl_lowest(c->pending);
  const unsigned bytes = wl_sem_type_bytes((wl_mem_type_t)c->dec.info->type);
  const uint32_t offset = c->a[lane] + (uint32_t)((int32_t)(imm << 4) >> 4);
  uint64_t base;
  const uint64_t size = bank_of(env->launch, imm >> 28, &base);
  leader_t l = {lane, base + offset, WL_TRAP_NONE};
  if (l.address % bytes != 0)
    l.cause = WL_TRAP_MISALIGNED;
  else if ((uint64_t)offset + bytes > size)
    l.cause = WL_TRAP_CONST_RANGE;
  return l;
}

/* Equal operands are equal addresses: bank and offset are the instruction's. */
static uint32_t lanes_to_serve(const wl_ccache_t *c, const wl_env_t *env) {
  uint32_t equal = 0;
  for (uint32_t left = c->pending & wl_beat_lanes(&env->cfg, c->beat); left != 0; left &= left - 1)
    if (c->a[wl_lowest(left)] == c->leader_a) equal |= left & -left;
  return equal;
}

static void present(const wl_ccache_t *c, const wl_env_t *env, wl_wires_t *w) {
  const unsigned reg = c->dec.rd + c->word;
  const bool last_beat = c->pending == c->served;
  for (unsigned lane = 0; lane < WL_LANES; lane++)
    w->ldc_data[lane] = c->result[c->word];
  w->sub[wl_sub_of(env, c->warp)].vwb[WL_VWB_LDC] =
      (wl_vwb_wire_t){.valid = true,
                      .warp = c->warp,
                      .reg = (uint8_t)(c->dec.rd == 255 || reg > 255 ? 255 : reg),
                      .beat = c->beat,
                      .lanes = c->served,
                      .data = w->ldc_data,
                      .pd = 7,
                      .last_beat = last_beat,
                      .last = last_beat && c->word + 1U == c->dec.info->d};
}

static unsigned line_index(const wl_ccache_t *c, const wl_env_t *env) {
  return (unsigned)(c->address / 64 % (env->cfg.ccache_bytes / 64));
}

/* A CHECK in this cycle finds no line. */
static bool misses(const wl_ccache_t *c, const wl_env_t *env) {
  if (c->state != WL_CC_CHECK || c->cause != WL_TRAP_NONE || c->word != 0) return false;
  const unsigned index = line_index(c, env);
  return !c->valid[index] || c->tag[index] != c->address / 64;
}

/* CHECK: the leader's fault ends the instruction. */
static void raise_fault(const wl_ccache_t *c, wl_wires_t *w) {
  if (c->cause == WL_TRAP_NONE) return;
  w->trap[WL_SRC_LDC] =
      (wl_trap_info_t){true, c->cause, c->warp, (uint8_t)wl_lowest(c->pending), c->pc, c->address};
  w->finish_ldc = (wl_warp_wire_t){true, c->warp};
}

void wl_ccache_out(const wl_ccache_t *c, const wl_env_t *env, wl_wires_t *w) {
  w->ldc_available = c->state == WL_CC_IDLE;
  w->ldc_miss = misses(c, env);
  w->trap[WL_SRC_LDC].valid = w->finish_ldc.valid = false;
  if (c->state == WL_CC_CHECK) raise_fault(c, w);
  w->req_valid[WL_PORT_LDC] = c->state == WL_CC_MISS && c->sent < 2;
  if (w->req_valid[WL_PORT_LDC])
    w->req[WL_PORT_LDC] = (wl_packet_t){.op = WL_PK_LD,
                                        .sector = c->address / 64 * 2 + c->sent,
                                        .mask = UINT32_MAX,
                                        .unit = WL_FROM_LDC,
                                        .tag = wl_tag_of_ldc((wl_tag_ldc_t){c->sent})};
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    w->sub[k].vwb[WL_VWB_LDC].valid = false;
  if (c->state == WL_CC_WB && c->served != 0) present(c, env, w);
}

static void start(wl_ccache_t *c, const wl_issue_wire_t *i) {
  c->state = WL_CC_FILL;
  c->dec = i->insn->dec;
  c->pc = i->insn->pc;
  c->warp = i->warp;
  c->pending = i->exec;
  c->refilled = false;
}

static void fill(wl_ccache_t *c, const wl_x1_wire_t *x) {
  for (uint32_t left = x->lanes; left != 0; left &= left - 1)
    c->a[wl_lowest(left)] = x->f->a[0][wl_lowest(left)];
  if (x->last) c->state = WL_CC_PASS;
}

static void pass(wl_ccache_t *c, const wl_env_t *env) {
  const leader_t l = find_leader(c, env);
  c->cause = l.cause;
  c->leader_a = c->a[l.lane];
  c->address = l.address;
  c->beat = (uint8_t)(l.lane / env->cfg.lanes);
  c->word = 0;
  c->state = WL_CC_CHECK;
}

static void take_word(wl_ccache_t *c, const uint32_t line[16]) {
  const unsigned at = (unsigned)(c->address % 64);
  uint32_t value = line[at / 4 + c->word] >> at % 4 * 8;
  if (c->dec.info->d == 1) value = wl_sem_load_word((wl_mem_type_t)c->dec.info->type, value);
  c->result[c->word++] = value;
}

static void check(wl_ccache_t *c, const wl_env_t *env, const wl_wires_t *w) {
  const unsigned index = line_index(c, env), words = c->dec.info->d;
  if (c->cause != WL_TRAP_NONE) {
    c->state = WL_CC_IDLE;
    return;
  }
  if (w->ldc_miss) {
    c->valid[index] = false;
    c->state = WL_CC_MISS;
    c->sent = c->got = 0;
    c->refilled = true;
    env->reports->count.ldc_misses++;
    return;
  }
  do
    take_word(c, c->data[index]);
  while (env->cfg.beats == 1 && c->word < words);
  if (c->word < words) return;
  if (!c->refilled) env->reports->count.ldc_hits++;
  c->refilled = false;
  c->word = 0;
  c->served = lanes_to_serve(c, env);
  c->state = WL_CC_WB;
}

static void miss(wl_ccache_t *c, const wl_env_t *env, const wl_wires_t *w) {
  const unsigned index = line_index(c, env);
  if (w->port_grant == WL_PORT_LDC) c->sent++;
  if (!w->rsp_valid || w->gpu->rsp.unit != WL_FROM_LDC) return;
  memcpy(c->data[index] + wl_tag_ldc(w->gpu->rsp.tag).half * 8, w->gpu->rsp.data,
         sizeof w->gpu->rsp.data);
  if (++c->got < 2) return;
  c->valid[index] = true;
  c->tag[index] = c->address / 64;
  c->state = WL_CC_PASS;
}

static void end_beat(wl_ccache_t *c, const wl_env_t *env) {
  c->pending &= ~c->served;
  c->word = 0;
  if (wl_later_lanes(c->pending, c->beat, env->cfg.lanes) != 0) {
    c->beat++;
    c->served = lanes_to_serve(c, env);
  } else {
    c->state = c->pending != 0 ? WL_CC_PASS : WL_CC_IDLE;
  }
}

/* A beat after the leader's may have no lane to serve: it takes a cycle all the same. */
static void write_back(wl_ccache_t *c, const wl_env_t *env, bool granted) {
  if (granted) c->word++;
  if (c->served == 0 || c->word == c->dec.info->d) end_beat(c, env);
}

/* The instruction of the sub-core to which the unit was open. */
static void take_issue(wl_ccache_t *c, const wl_env_t *env, const wl_wires_t *w) {
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    const wl_issue_wire_t *is = &w->sub[k].issue;
    if (is->valid && !is->empty && is->insn->dec.unit == WL_UNIT_LDC) start(c, is);
  }
}

void wl_ccache_update(wl_ccache_t *c, const wl_env_t *env, const wl_wires_t *w) {
  const wl_sub_wires_t *own = &w->sub[wl_sub_of(env, c->warp)];
  switch (c->state) {
  case WL_CC_IDLE:
    take_issue(c, env, w);
    break;
  case WL_CC_FILL:
    if (own->x1->valid && own->x1->f->insn.dec.unit == WL_UNIT_LDC) fill(c, own->x1);
    break;
  case WL_CC_PASS:
    pass(c, env);
    break;
  case WL_CC_CHECK:
    check(c, env, w);
    break;
  case WL_CC_MISS:
    miss(c, env, w);
    break;
  case WL_CC_WB:
    write_back(c, env, own->vwb_grant == WL_VWB_LDC);
    break;
  }
  if (w->gpu->invalidate) memset(c->valid, 0, sizeof c->valid);
}

uint32_t wl_ccache_busy(const wl_ccache_t *c, const wl_env_t *env) {
  (void)env;
  return (uint32_t)(c->state != WL_CC_IDLE) << WL_REST_LDC;
}
