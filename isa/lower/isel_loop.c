/* isel_loop.c: branches inside an expansion, and the loop of .mmio accesses. A loop's registers are
 * temporaries that are written before it, so that liveness over its back edge is as usual; a
 * destination of the PTX instruction is written behind it (isel.h). PTX 8.2.2, 9.7.9.8, 9.7.9.11. */
#include "gen/wl_sreg.h"
#include "isa/lower/isel_mem.h"

uint32_t wl_is_label(wl_isel_t *s) { return s->f->nlabels++; }

void wl_is_place(wl_isel_t *s, uint32_t label) {
  wl_mf_append(s->f, &(wl_minsn_t){.form = WL_MP_LABEL, .imm = label});
}

void wl_is_branch(wl_isel_t *s, uint32_t label, uint32_t p, bool neg) {
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_BRA, .guard = p, .guard_neg = neg, .target = label});
}

uint32_t wl_is_skip(wl_isel_t *s) {
  const uint32_t end = wl_is_label(s);
  if (s->guard != 0) wl_is_branch(s, end, s->guard, !s->guard_neg);
  s->guard = 0;
  return end;
}

/* All lanes go round together and count the turns; a lane whose turn it is not passes by. So no
 * two lanes' accesses are one packet (docs/microarchitecture.md 10). */
void wl_mmio_begin(wl_isel_t *s, wl_mmio_t *m, wl_mreg_t d, uint32_t words) {
  m->on = s->in->sem == WL_PTX_M_MMIO;
  if (!m->on) return;
  m->loop = wl_is_label(s);
  m->next = wl_is_label(s);
  m->turn = wl_t1(s);
  const wl_mreg_t lane = wl_t1(s);
  const uint32_t other = wl_tp(s);
  wl_copy(s, d, WL_RZ, words);
  wl_ri(s, WL_FORM_S2R, lane, WL_RZ, WL_SREG_LANEID);
  wl_copy(s, m->turn, WL_RZ, 1);
  wl_is_place(s, m->loop);
  wl_cmp(s, WL_FORM_SETP_U32_RR, other, m->turn, lane, WL_NE);
  wl_is_branch(s, m->next, other, false);
}

void wl_mmio_end(wl_isel_t *s, const wl_mmio_t *m) {
  if (!m->on) return;
  const uint32_t more = wl_tp(s);
  wl_is_place(s, m->next);
  wl_ri(s, WL_FORM_ADD_RI, m->turn, m->turn, 1);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, more, m->turn, 32, WL_LT);
  wl_is_branch(s, m->loop, more, false);
}
