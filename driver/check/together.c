/* together.c: results of what lanes of a checked launch do together (check.h): they depend on all lanes, but a
 * shuffle of a whole warp brings each lane what its source has. */
#include "driver/check/check.h"

/* False: another instruction, or where the values come from can no longer be told. */
static bool shuffles(check_warp_t *s, const func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  uint32_t bytes[WL_LANES], d[WL_LANES], buf[2][WL_LANES], origin = 0;
  const bool lost = i->rd == i->rb || i->rd == i->rc; /* the result stands there already */
  if (i->unit != WL_UNIT_SYNC || i->op != WL_SYNC_SHFL || e != UINT32_MAX || lost ||
      (check_group(s, i->rb, i->info->b, e, &origin) &
       check_group(s, i->rc, i->info->c, e, &origin)) != e) {
    return false;
  }
  for (uint32_t lane = 0; lane < WL_LANES; lane++) {
    bytes[lane] = check_register_bytes(s, i->ra, lane);
  }
  wl_sem_in_t in = {.a = bytes, .b = func_src(w, i->rb), .c = func_src(w, i->rc), .mask = e};
  wl_sem_out_t out = {.d = d};
  wl_sem_use_imm(i, &in, buf);
  (void)wl_sem_warp(i, &in, &out);
  uint32_t good[4] = {0};
  for (uint32_t n = 0; n < 4 * WL_LANES; n++) {
    good[n % 4] |= (d[n / 4] >> n % 4 & 1) << n / 4;
  }
  check_results(s, i, e, e, 0);
  check_set_bytes(s, i->rd, e, good, i->ra < WL_REG_ZERO ? s->origin[i->ra] : 0);
  return true;
}

void check_together(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                    uint32_t e) {
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  check_warp_t *s = &c->warp[w->slot];
  uint32_t origin = 0;
  const uint32_t good = check_operands(s, i, e, &origin);
  if (i->unit == WL_UNIT_BAR && good != e) {
    check_report(c, sm, w, CHECK_OPERAND, pc, e & ~good, origin, NULL);
  }
  if (good == e || !shuffles(s, w, i, e)) {
    check_results(s, i, e, good == e || i->unit == WL_UNIT_BAR ? e : 0, origin);
  }
}
