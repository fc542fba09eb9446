/* gpu/smport.c: docs/microarchitecture.md 13: the SM's port to the order point: one packet per cycle,
 * fixed priority with age. */
#include "cmodel/gpu/smport.h"

#include <string.h>

void wl_smport_reset(wl_smport_t *p, const wl_env_t *env) {
  (void)env;
  memset(p, 0, sizeof *p);
}

void wl_smport_out(const wl_smport_t *p, const wl_env_t *env, wl_wires_t *w) {
  (void)env;
  w->unacked_zero = p->unacked == 0;
}

/* A sub-core that the configuration lacks never asks. */
static uint32_t asks(const wl_wires_t *w) {
  uint32_t set = 0;
  for (int i = 0; i < WL_PORTS; i++)
    set |= (uint32_t)w->req_valid[i] << i;
  return set;
}

void wl_smport_arb(const wl_smport_t *p, const wl_env_t *env, wl_wires_t *w) {
  w->port_grant = -1;
  w->port_asks = asks(w);
  if (!w->op_ready || wl_stalls(env, WL_STALL_AT_SMPORT)) return;
  w->port_grant = wl_age_pick(p->lost, w->port_asks);
  if (w->port_grant >= 0) w->req[w->port_grant].sm = (uint8_t)env->sm;
}

/* Bytes that a store does not write are 0 in the record. */
static void journal_packet(const wl_env_t *env, const wl_packet_t *p) {
  uint32_t words[17] = {
      p->op,  p->atom, p->atype, p->unit, p->tag, (uint32_t)p->sector, (uint32_t)(p->sector >> 32),
      p->mask};
  uint8_t data[sizeof p->data];
  memcpy(data, p->data, sizeof data);
  for (unsigned i = 0; p->op == WL_PK_ST && i < sizeof data; i++)
    if ((p->mask >> i & 1) == 0) data[i] = 0;
  memcpy(words + WL_W_PACKET_DATA0, data, sizeof data);
  words[WL_W_PACKET_SM] = p->sm;
  wl_journal(env, WL_J_PACKET, words, 17);
}

static void journal_response(const wl_env_t *env, const wl_response_t *r) {
  uint32_t words[12] = {r->op, r->unit, r->tag};
  memcpy(words + WL_W_RESPONSE_DATA0, r->data, sizeof r->data);
  words[WL_W_RESPONSE_SM] = r->sm;
  wl_journal(env, WL_J_RESPONSE, words, 12);
}

static bool is_acked(unsigned op) { return op == WL_PK_ST || op == WL_PK_RED; }

void wl_smport_update(wl_smport_t *p, const wl_env_t *env, const wl_wires_t *w) {
  wl_age_count(p->lost, WL_PORTS, w->port_asks, w->port_grant);
  if (w->port_grant >= 0) {
    const wl_packet_t *packet = &w->req[w->port_grant];
    if (is_acked(packet->op)) p->unacked++;
    journal_packet(env, packet);
  }
  if (w->rsp_valid) {
    if (is_acked(w->gpu->rsp.op)) p->unacked--;
    journal_response(env, &w->gpu->rsp);
  }
}

uint32_t wl_smport_busy(const wl_smport_t *p, const wl_env_t *env) {
  (void)env;
  return (uint32_t)(p->unacked != 0) << WL_REST_PORT;
}
