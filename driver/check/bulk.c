/* bulk.c: bulk copies of a checked launch (check.h): they read and write memory as loads and stores of
 * 16 bytes do. What a command moves is looked at before it is carried out. */
#include "driver/check/check.h"

#include <string.h>

#include "driver/check/async.h"
#include "driver/compare/compare.h"

enum { UNIT = 16, ALL = 0xffff };

typedef struct bulk {
  wl_check_t *check;
  const func_sm_t *sm;
  const func_warp_t *warp;
  uint32_t pc, lane;
  func_command_t command;
} bulk_t;

static cmp_access_t chunk_at(wl_mem_space_t space, uint64_t address) {
  return (cmp_access_t){.space = space, .bytes = UNIT, .address = address};
}

/* An mbarrier that is in use where the copy reads or writes. */
static void check_objects(const bulk_t *u, uint32_t from) {
  const uint8_t *live = &u->check->live[(u->sm->ctas[u->warp->cta].smem_base + from) / 8];
  const uint64_t at = from;
  if (live[0] != 0 || live[1] != 0) {
    check_report(u->check, u->sm, u->warp, CHECK_MBAR_ACCESS, u->pc, 1u << u->lane, UINT32_MAX,
                 &at);
  }
}

static void check_chunk(const bulk_t *u, uint32_t n) {
  const cmp_access_t global = chunk_at(WL_MEM_SPACE_GLOBAL, u->command.global + n);
  const cmp_access_t shared = chunk_at(WL_MEM_SPACE_SHARED, (uint64_t)u->command.shared + n);
  if (!check_is_sound(u->sm, &global) || !check_is_sound(u->sm, &shared)) {
    return;
  }
  const uint32_t there = check_written_bytes(u->check, u->sm, u->warp, &global, u->lane);
  const uint32_t here = check_written_bytes(u->check, u->sm, u->warp, &shared, u->lane);
  check_objects(u, u->command.shared + n);
  check_async_bulk(u->check, u->sm, u->warp, u->pc, u->lane, global.address, u->command.shared + n,
                   u->command.b, u->command.kind == WL_MEM_KIND_BSTORE ? u->command.b : ALL);
  if (u->command.kind == WL_MEM_KIND_BLOAD) {
    check_put_bytes(u->check, u->sm, u->warp, &shared, u->lane, there);
    return;
  }
  const bool adds = u->command.kind == WL_MEM_KIND_BRED;
  const uint32_t moved = adds ? ALL : u->command.b & ALL;
  for (uint32_t k = 0; k < UNIT; k += 4) {
    if ((moved >> k & 15) != 0 && ((here & moved) >> k & 15) == 0) {
      check_report(u->check, u->sm, u->warp, CHECK_OUTPUT, u->pc, 1u << u->lane, 0,
                   &global.address);
      break;
    }
  }
  const uint32_t value = adds ? here & there : here;
  check_put_bytes(u->check, u->sm, u->warp, &global, u->lane, (there & ~moved) | (value & moved));
}

void check_signal(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                  uint32_t lane, uint32_t offset, uint32_t operand) {
  const uint64_t at = offset;
  check_async_mbarrier(c->async, sm, w, &sm->code[pc].dec, lane, offset, operand);
  if (c->live[(sm->ctas[w->cta].smem_base + offset) / 8] == 0) {
    check_report(c, sm, w, CHECK_MBAR_NONE, pc, 1u << lane, UINT32_MAX, &at);
  }
}

static void check_lane(const bulk_t *u) {
  if (u->command.kind == WL_MEM_KIND_BLOAD &&
      (u->command.b % 8 != 0 || (uint64_t)u->command.b + 8 > u->sm->launch.smem_bytes)) {
    return; /* it traps */
  }
  for (uint32_t n = 0;
       n < u->command.bytes && u->command.bytes - n >= UNIT && n < u->sm->launch.smem_bytes;
       n += UNIT) {
    check_chunk(u, n);
  }
  if (u->command.kind == WL_MEM_KIND_BLOAD) {
    check_signal(u->check, u->sm, u->warp, u->pc, u->lane, u->command.b, u->command.bytes);
  }
}

void check_command_words(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                         uint32_t e) {
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  const check_warp_t *s = &c->warp[w->slot];
  uint32_t origin = 0;
  uint32_t known = check_group(s, i->ra, i->info->a, e, &origin);
  known &= check_group(s, i->rb, i->info->b, e, &origin);
  known &= check_group(s, i->rc, i->info->c, e, &origin);
  if (known != e) {
    check_report(c, sm, w, CHECK_ADDRESS, pc, e & ~known, origin, NULL);
  }
}

void check_before_bulk(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                       uint32_t e) {
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  check_command_words(c, sm, w, pc, e);
  for (uint32_t m = e; m != 0; m &= m - 1) {
    const uint32_t lane = func_lowest(m);
    const bulk_t u = {c, sm, w, pc, lane, func_command(w, i, lane)};
    check_lane(&u);
  }
}
