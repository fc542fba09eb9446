/* machine.c: a record of machine level: the lanes it names execute the instruction at its pc, and
 * registers, predicates, memory and exits are compared. */
#include <stdlib.h>
#include <string.h>

#include "driver/compare/compare.h"

static cmp_place_t at(const wl_compare_t *c, const cmp_warp_t *cw, uint32_t lane) {
  return (cmp_place_t){cw, lane, c->step.pc};
}

/* ---- program counters */

/* Guarded-off instructions that the log leaves out have no effect. */
static bool catch_up(wl_compare_t *c, cmp_warp_t *cw, uint32_t lane) {
  const cmp_record_t *r = &c->record;
  if ((cw->w.wait >> lane & 1u) != 0 && r->pc == cw->w.lane_pc[lane] - 2)
    cw->w.lane_pc[lane] = r->pc; /* tests the mbarrier again */
  while (cw->w.lane_pc[lane] != r->pc && cmp_guarded_off(c, cw, lane)) {
    if (!cmp_step(c, cw, cw->w.lane_pc[lane], 1u << lane)) return false;
    cmp_count(c, CMP_N_GUARDED, 1);
  }
  if (cw->w.lane_pc[lane] == r->pc) return true;
  char expected[24], got[24];
  (void)snprintf(expected, sizeof expected, "%u", cw->w.lane_pc[lane]);
  (void)snprintf(got, sizeof got, "%u", r->pc);
  return cmp_differ(c, (cmp_place_t){cw, lane, cw->w.lane_pc[lane]}, expected, got, "pc");
}

/* ---- registers and predicates */

static bool absent(wl_compare_t *c, uint32_t member, unsigned field) {
  return member == 0 && (c->fields & field) == 0;
}

static bool compare_value(wl_compare_t *c, const cmp_warp_t *cw, uint32_t lane, const char *name,
                          uint32_t node, unsigned bits, uint64_t expected) {
  uint64_t got = 0;
  const bool pred = bits == 1;
  char want[24], have[24] = "nothing";
  switch (cmp_value_of(c, node, lane, bits, &got)) {
  case CMP_UNKNOWN:
    cmp_count(c, pred ? CMP_N_NO_PREDS : CMP_N_NO_REGS, 1);
    return true;
  case CMP_WRONG:
    return cmp_bad(c, "\"%s\": not a value of %u bit%s for each lane", name, bits,
                   bits == 1 ? "" : "s");
  case CMP_GIVEN:
    if (got == expected) {
      cmp_count(c, pred ? CMP_N_PREDS : CMP_N_REGS, 1);
      return true;
    }
    (void)snprintf(have, sizeof have, "0x%0*llx", bits < 8 ? 1 : 8, (unsigned long long)got);
    break;
  case CMP_ABSENT:
    break;
  }
  (void)snprintf(want, sizeof want, "0x%0*llx", bits < 8 ? 1 : 8, (unsigned long long)expected);
  return cmp_differ(c, at(c, cw, lane), want, have, "%s %s", pred ? "predicate" : "register", name);
}

/* One register or predicate that the instruction writes, in all lanes that execute. */
static bool compare_written(wl_compare_t *c, const cmp_warp_t *cw, bool pred, uint32_t number) {
  const uint32_t list = pred ? c->record.preds : c->record.regs;
  char name[8];
  (void)snprintf(name, sizeof name, "%c%u", pred ? 'P' : 'R', number);
  if (absent(c, list, pred ? CMP_F_PREDS : CMP_F_REGS)) {
    cmp_count(c, pred ? CMP_N_NO_PREDS : CMP_N_NO_REGS,
              (uint64_t)__builtin_popcount(c->step.exec & ~c->step.taken));
    return true;
  }
  const uint32_t node = list == 0 ? 0 : cmp_json_member(&c->json, list, name);
  for (uint32_t m = c->step.exec & ~c->step.taken; m != 0; m &= m - 1) {
    const uint32_t lane = func_lowest(m);
    const uint64_t expected =
        pred ? cw->w.preds[number] >> lane & 1u : func_src(&cw->w, number)[lane];
    if (!compare_value(c, cw, lane, name, node, pred ? 1 : 32, expected)) return false;
  }
  return true;
}

static bool written(const wl_insn_dec_t *i, bool pred, uint32_t number) {
  if (!pred) return number >= i->rd && number < i->rd + cmp_words(i);
  return ((i->info->preds & WL_PRED_D) != 0 && number == i->pd) ||
         ((i->info->preds & WL_PRED_Q) != 0 && number == i->pq);
}

/* A lane that the guard takes out may stand in the record, without a value. */
static bool no_value(wl_compare_t *c, const cmp_warp_t *cw, uint32_t node, bool pred,
                     uint32_t lanes) {
  for (uint32_t m = lanes; m != 0; m &= m - 1) {
    uint64_t value = 0;
    const bool list = c->record.thread || cmp_json_at(&c->json, node)->type == CMP_JSON_ARRAY;
    if (list && cmp_value_of(c, node, func_lowest(m), pred ? 1 : 32, &value) == CMP_GIVEN)
      return cmp_differ(c, at(c, cw, func_lowest(m)), "nothing: the guard is false", "a value",
                        "%s %.8s", pred ? "predicate" : "register", cmp_json_key(&c->json, node));
  }
  return true;
}

/* R0 to R254, P0 to P6. */
static bool number_of(const char *name, bool pred, uint32_t *out) {
  char *end = NULL;
  const bool digits = name[0] == (pred ? 'P' : 'R') && name[1] >= '0' && name[1] <= '9';
  const unsigned long n = digits ? strtoul(name + 1, &end, 10) : 0;
  *out = (uint32_t)n;
  return digits && *end == 0 && n <= (pred ? 6 : 254);
}

static bool known_names(wl_compare_t *c, bool pred) {
  const uint32_t list = pred ? c->record.preds : c->record.regs;
  uint32_t number = 0;
  for (uint32_t k = list == 0 ? 0 : cmp_json_at(&c->json, list)->first; k != 0;
       k = cmp_json_at(&c->json, k)->next)
    if (!number_of(cmp_json_key(&c->json, k), pred, &number))
      return cmp_bad(c, "\"%.40s\" is no %s of the machine", cmp_json_key(&c->json, k),
                     pred ? "predicate" : "register");
  return true;
}

static bool nothing_else(wl_compare_t *c, const cmp_warp_t *cw, bool pred) {
  const uint32_t list = pred ? c->record.preds : c->record.regs;
  for (uint32_t k = list == 0 ? 0 : cmp_json_at(&c->json, list)->first; k != 0;
       k = cmp_json_at(&c->json, k)->next) {
    const char *name = cmp_json_key(&c->json, k);
    uint32_t number = 0;
    (void)number_of(name, pred, &number);
    if (!written(c->step.dec, pred, number))
      return cmp_differ(c, at(c, cw, func_lowest(c->step.lanes)), "nothing", "a write",
                        "%s %s, which the instruction does not write",
                        pred ? "predicate" : "register", name);
    if (!no_value(c, cw, k, pred, c->step.lanes & ~c->step.exec)) return false;
  }
  return true;
}

static bool compare_registers(wl_compare_t *c, const cmp_warp_t *cw) {
  const wl_insn_dec_t *i = c->step.dec;
  for (uint32_t k = 0; k < cmp_words(i) && i->rd != WL_REG_ZERO && c->step.exec != 0; k++)
    if (!compare_written(c, cw, false, i->rd + k)) return false;
  if ((i->info->preds & WL_PRED_D) != 0 && i->pd != WL_PRED_TRUE && c->step.exec != 0 &&
      !compare_written(c, cw, true, i->pd))
    return false;
  if ((i->info->preds & WL_PRED_Q) != 0 && i->pq != WL_PRED_TRUE && c->step.exec != 0 &&
      !compare_written(c, cw, true, i->pq))
    return false;
  return nothing_else(c, cw, false) && nothing_else(c, cw, true);
}

/* ---- guards and exits */

static bool compare_guard(wl_compare_t *c, const cmp_warp_t *cw) {
  const uint32_t wrong = c->record.has_exec ? (c->record.exec ^ c->step.exec) & c->step.lanes : 0;
  if (wrong != 0) {
    const bool runs = (c->step.exec >> func_lowest(wrong) & 1u) != 0;
    return cmp_differ(c, at(c, cw, func_lowest(wrong)), runs ? "executes" : "guarded off",
                      runs ? "guarded off" : "executes", "guard");
  }
  if (c->record.has_exec) cmp_count(c, CMP_N_GUARDS, (uint64_t)__builtin_popcount(c->step.lanes));
  return true;
}

static bool compare_exit(wl_compare_t *c, const cmp_warp_t *cw) {
  const bool is_exit = c->step.dec->unit == WL_UNIT_CTL && c->step.dec->op == WL_CTL_EXIT;
  const uint32_t exits = is_exit ? c->step.exec : 0;
  for (uint32_t m = c->step.lanes; m != 0; m &= m - 1) {
    const uint32_t lane = func_lowest(m);
    const bool expected = (exits >> lane & 1u) != 0;
    uint64_t got = expected;
    const cmp_given_t given = cmp_value_of(c, c->record.exit, lane, 1, &got);
    if (given == CMP_WRONG) return cmp_bad(c, "\"exit\" is not true, false or a mask of lanes");
    if (given == CMP_ABSENT && (c->fields & CMP_F_EXIT) != 0) got = 0;
    if ((got != 0) != expected)
      return cmp_differ(c, at(c, cw, lane), expected ? "the thread ends" : "the thread goes on",
                        expected ? "it goes on" : "it ends", "exit");
    cmp_count(c, CMP_N_EXITS, expected ? 1 : 0);
  }
  return true;
}

/* ---- a record */

static bool compare_memory(wl_compare_t *c, const cmp_warp_t *cw) {
  cmp_expect_t expected[WL_LANES];
  uint32_t n = 0;
  for (uint32_t lane = 0; lane < WL_LANES; lane++)
    if (c->step.access[lane].there)
      expected[n++] =
          (cmp_expect_t){.access = c->step.access[lane], .lane = lane, .pc = c->step.pc};
  return cmp_memory(c, cw, expected, n);
}

static bool compare_group(wl_compare_t *c, cmp_warp_t *cw, uint32_t pc, uint32_t lanes) {
  if (!cmp_step(c, cw, pc, lanes)) return false;
  cmp_count(c, CMP_N_THREADS, (uint64_t)__builtin_popcount(lanes));
  return compare_guard(c, cw) && compare_registers(c, cw) && compare_memory(c, cw) &&
         compare_exit(c, cw);
}

bool cmp_machine(wl_compare_t *c) {
  const cmp_record_t *r = &c->record;
  cmp_warp_t *cw = cmp_warp_get(c, r->cta, r->warp);
  if (cw == NULL && c->status == WL_ERR_INTERNAL) return false;
  if (!known_names(c, false) || !known_names(c, true)) return false;
  const uint32_t dead = cw == NULL ? r->mask : r->mask & ~cw->w.live;
  if (dead != 0)
    return cmp_differ(c, (cmp_place_t){NULL, func_lowest(dead), r->has_pc ? r->pc : WL_OBJ_NONE},
                      "nothing: the thread has ended", "an instruction", "the record");
  for (uint32_t m = r->mask; m != 0 && r->has_pc; m &= m - 1)
    if (!catch_up(c, cw, func_lowest(m))) return false;
  if (!r->has_pc && (r->mask & cw->w.wait) != 0)
    return cmp_bad(c, "\"pc\" is needed behind a wait for an mbarrier");
  cmp_count(c, r->has_pc ? CMP_N_PCS : CMP_N_NO_PC, (uint64_t)__builtin_popcount(r->mask));
  for (uint32_t left = r->mask; left != 0;) {
    const uint32_t pc = cw->w.lane_pc[func_lowest(left)];
    uint32_t group = 0;
    for (uint32_t m = left; m != 0; m &= m - 1)
      group |= cw->w.lane_pc[func_lowest(m)] == pc ? m & (0u - m) : 0;
    if (!compare_group(c, cw, pc, group)) return false;
    left &= ~group;
  }
  cmp_warp_ended(c, cw);
  return true;
}
