/* core/lane_words.c: docs/microarchitecture.md 6.1: forms of the lowest lane only, as the units of the SM see
 * them that carry them out: copy engine, allocator of tensor memory, products there. */
#include "cmodel/gpu/wires.h"

static bool is_of(const wl_flight_t *f, wl_unit_t unit) {
  return f->ctl && !f->arrives && f->insn.dec.unit == unit;
}

const wl_flight_t *wl_lane_resolves(const wl_env_t *env, const wl_wires_t *w, wl_unit_t unit) {
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    const wl_sub_wires_t *sub = &w->sub[k];
    if (sub->resolve && is_of(sub->resolve_f, unit)) return sub->resolve_f;
  }
  return NULL;
}

/* The words come in the steps of the form's list: all are there with the last. */
void wl_lane_words(uint32_t *word, unsigned count, const wl_env_t *env, const wl_wires_t *w,
                   wl_unit_t unit) {
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    const wl_x1_wire_t *x = w->sub[k].x1;
    if (!x->valid || !x->last || !is_of(x->f, unit)) continue;
    const wl_form_info_t *info = x->f->insn.dec.info;
    const unsigned lane = wl_lowest(x->lanes), words = (unsigned)info->a + info->b + info->c;
    for (unsigned n = 0; n < count; n++)
      word[n] = n < words ? x->f->list[n][lane] : 0;
  }
}

wl_trap_info_t wl_lane_fault(const wl_flight_t *f, wl_trap_t cause, uint64_t address) {
  return (wl_trap_info_t){true,       (uint8_t)cause, f->warp, (uint8_t)wl_lowest(f->exec),
                          f->insn.pc, address};
}
