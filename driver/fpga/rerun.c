/* rerun.c: a board's launch that can be begun again from its start, and stopped in any core cycle
 * (fpga.h). docs/fpga.md 4, 6, 7. The arrays have no reset: they are poked between two resets, so
 * that START is cycle 0, as in simulation. */
#include <string.h>

#include "driver/fpga/fpga.h"

bool wl_rerun_begin(wl_rerun_t *r) {
  wl_fpga_t *f = r->fpga;
  wl_link_t *l = &f->link;
  r->runs++;
  if (!wl_board_reset(l) || !wl_arrays_poke(&f->seeds, l) || !wl_board_reset(l) ||
      !wl_board_put_image(l, f->before, (uint32_t)f->desc.mem_bytes, &f->moved) ||
      !wl_board_digest(l, &r->start, r->signature) || !wl_board_start(l, r->launch_block))
    return false;
  r->at = r->start + 1;
  r->lost = false;
  return true;
}

bool wl_rerun_to(wl_rerun_t *r, uint64_t cycle) {
  wl_link_t *l = &r->fpga->link;
  wl_board_state_t s;
  if ((r->lost || r->at > cycle) && !wl_rerun_begin(r)) return false;
  /* The board's watchdog may have stopped it before, where this process was kept from asking. */
  while (r->at < cycle) {
    const uint64_t left = cycle - r->at, from = r->at;
    if (!wl_board_run(l, left > UINT32_MAX ? UINT32_MAX : (uint32_t)left, false) ||
        !wl_board_wait(l, &s))
      return false;
    r->at = s.cycle;
    if (s.cycle <= from || s.cycle > cycle)
      return wl_link_fail(l, "the board's core is in cycle %llu, %llu was asked for from %llu: its "
                          "clock gate is broken, or it was reset in between",
                          (unsigned long long)s.cycle, (unsigned long long)cycle,
                          (unsigned long long)from);
  }
  return true;
}

bool wl_rerun_look(wl_rerun_t *r, uint64_t cycle, uint32_t signature[WL_NUM_JOURNAL_KINDS]) {
  uint64_t at;
  r->trips++;
  if (!wl_rerun_to(r, cycle) || !wl_board_digest(&r->fpga->link, &at, signature)) return false;
  return at == cycle || wl_link_fail(&r->fpga->link, "the board's signatures are of cycle %llu, its "
                                     "core is in %llu", (unsigned long long)at,
                                     (unsigned long long)cycle);
}
