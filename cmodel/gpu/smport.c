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

/* The requester after i. A sub-core that the configuration lacks is no requester. */
static int next_port(const wl_env_t *env, int i) {
  return i == (int)(WL_PORT_ICACHE + env->cfg.sub_cores) - 1 ? WL_PORT_LDC : i + 1;
}

/* Largest loss count if one has reached AgeLimit, else the lowest number. */
void wl_smport_arb(const wl_smport_t *p, const wl_env_t *env, wl_wires_t *w) {
  const uint8_t *lost = p->lost;
  int best = -1;
  w->port_grant = -1;
  if (!w->op_ready || wl_stalls(env, WL_STALL_AT_SMPORT)) return;
  for (int i = 0; i < WL_PORTS; i = next_port(env, i)) {
    if (!w->req_valid[i]) continue;
    if (best < 0 || (lost[i] >= WL_AGE_LIMIT && lost[i] > lost[best])) best = i;
  }
  w->port_grant = best;
  if (best >= 0) w->req[best].sm = (uint8_t)env->sm;
}

static void journal_packet(const wl_env_t *env, const wl_packet_t *p) {
  uint32_t words[17] = {
      p->op,  p->atom, p->atype, p->unit, p->tag, (uint32_t)p->sector, (uint32_t)(p->sector >> 32),
      p->mask};
  memcpy(words + WL_W_PACKET_DATA0, p->data, sizeof p->data);
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
  for (int i = 0; i < WL_PORTS; i = next_port(env, i)) {
    if (!w->req_valid[i] || w->port_grant == i)
      p->lost[i] = 0;
    else if (w->port_grant >= 0 && p->lost[i] < 15)
      p->lost[i]++;
  }
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
