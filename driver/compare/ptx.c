/* ptx.c: a record of PTX level: each lane that it names executes the machine instructions of the
 * line, and PTX registers are compared where the object's table (isa/obj/ptxreg.h) has a place for
 * them, stores and atomics where they are the program's and not the stack's. */
#include <stdlib.h>
#include <string.h>

#include "driver/compare/compare.h"

enum { MOST_ACCESSES = 64, MOST_STEPS = 1 << 20 };

/* What a lane did on the line. */
typedef struct lane_work {
  uint32_t from, to; /* the line's instructions; from = to: none */
  uint64_t taken[4]; /* registers and predicates with the log's value */
  uint32_t taken_preds;
  bool executed; /* an instruction whose guard is true */
  cmp_expect_t expect[MOST_ACCESSES];
  uint32_t expects;
  bool ended;
} lane_work_t;

/* The machine instructions around pc that belong to one PTX line. */
static uint32_t line_at(const wl_compare_t *c, uint32_t pc, uint32_t *from, uint32_t *to) {
  const wl_obj_t *o = c->obj;
  const wl_obj_line_t *l = pc < o->code_count ? wl_obj_find_line(o, pc) : NULL;
  *from = *to = pc;
  if (l == NULL) return 0;
  const wl_obj_line_t *first = l, *last = l + 1;
  while (first > o->lines && first[-1].ptx_line == l->ptx_line)
    first--;
  while (last < o->lines + o->line_count && last->ptx_line == l->ptx_line)
    last++;
  *from = first->insn;
  *to = last < o->lines + o->line_count ? last->insn : o->code_count;
  return l->ptx_line;
}

bool cmp_ptx_open(wl_compare_t *c) {
  const wl_obj_t *o = c->obj;
  if (o->ptxregs.rows == 0)
    return cmp_bad(c, "%s has no table of PTX registers: assemble it again",
                   c->function->module->name);
  for (uint32_t i = 0; i < o->line_count; i++)
    c->last_line = o->lines[i].ptx_line > c->last_line ? o->lines[i].ptx_line : c->last_line;
  c->has_code = calloc((size_t)c->last_line + 1, sizeof *c->has_code);
  if (c->has_code == NULL) c->status = WL_ERR_INTERNAL;
  for (uint32_t i = 0; i < o->line_count && c->has_code != NULL; i++)
    c->has_code[o->lines[i].ptx_line] = true;
  return c->has_code != NULL;
}

static bool line_has_code(const wl_compare_t *c, uint32_t line) {
  return line <= c->last_line && c->has_code[line];
}

static bool of_frame(const wl_compare_t *c, uint32_t pc) {
  uint32_t rows = 0;
  const wl_obj_ptxreg_t *row = wl_obj_find_ptxreg(c->obj, pc, &rows);
  return rows != 0 && row->kind == WL_OBJ_PTXREG_FRAME;
}

/* ---- up to the line */

/* Branches, barriers and fences write nothing. */
static bool writes_nothing(const wl_insn_dec_t *i) {
  switch ((wl_unit_t)i->unit) {
  case WL_UNIT_CTL:
    return i->op == WL_CTL_BRA || i->op == WL_CTL_FENCE || i->op == WL_CTL_SLEEP ||
           i->op == WL_CTL_NOP || i->op == WL_CTL_CWAIT || i->op == WL_CTL_COMMIT ||
           i->op == WL_CTL_CPWAIT;
  case WL_UNIT_BAR:
    return i->op == WL_BAR_SYNC || i->op == WL_BAR_ARRIVE || i->op == WL_BAR_CLUSTER;
  case WL_UNIT_SYNC:
    return i->op == WL_SYNC_WARPSYNC;
  default:
    return false;
  }
}

/* Instructions of other lines that a log may leave out: the frame's, the rest of a line behind a
 * call, those that write nothing, and what the guard takes out. */
static bool may_be_left_out(const wl_compare_t *c, const cmp_warp_t *cw, uint32_t lane,
                            uint32_t from, uint32_t line) {
  const uint32_t pc = cw->w.lane_pc[lane];
  if (line == 0 || pc != from || of_frame(c, pc)) return true;
  return cmp_guarded_off(c, cw, lane) || writes_nothing(&c->sm->code[pc].dec);
}

/* One instruction that the log leaves out. */
static bool pass_over(wl_compare_t *c, cmp_warp_t *cw, uint32_t lane) {
  const uint32_t pc = cw->w.lane_pc[lane];
  const bool off = cmp_guarded_off(c, cw, lane) != 0;
  const bool branch = writes_nothing(&c->sm->code[pc].dec) && !of_frame(c, pc);
  cmp_count(c, off ? CMP_N_GUARDED : branch ? CMP_N_BRANCHES : CMP_N_FRAME, 1);
  return cmp_step(c, cw, pc, 1u << lane);
}

bool cmp_ptx_finish(wl_compare_t *c, cmp_warp_t *cw) {
  for (uint32_t lane = 0; lane < WL_LANES; lane++) {
    for (uint32_t n = 0; n < MOST_STEPS && (cw->w.live >> lane & 1u) != 0; n++) {
      uint32_t from, to;
      const uint32_t pc = cw->w.lane_pc[lane], line = line_at(c, pc, &from, &to);
      if (pc >= c->sm->code_words || !may_be_left_out(c, cw, lane, from, line)) return true;
      if (!pass_over(c, cw, lane)) return false;
    }
  }
  return true;
}

static bool advance(wl_compare_t *c, cmp_warp_t *cw, uint32_t lane) {
  const uint32_t wanted = c->record.line;
  for (uint32_t n = 0; n < MOST_STEPS; n++) {
    uint32_t from, to;
    const uint32_t pc = cw->w.lane_pc[lane], line = line_at(c, pc, &from, &to);
    if (pc >= c->sm->code_words || line == wanted) return true;
    if (!may_be_left_out(c, cw, lane, from, line)) {
      char expected[24], got[24];
      (void)snprintf(expected, sizeof expected, "%u", line);
      (void)snprintf(got, sizeof got, "%u", wanted);
      return cmp_differ(c, (cmp_place_t){cw, lane, pc}, expected, got, "PTX line");
    }
    if (!pass_over(c, cw, lane)) return false;
    if ((cw->w.live >> lane & 1u) == 0)
      return cmp_differ(c, (cmp_place_t){cw, lane, pc}, "the end of the thread", "a record",
                        "exit");
  }
  return cmp_differ(c, (cmp_place_t){cw, lane, cw->w.lane_pc[lane]}, "", "",
                    "the reference does not come to line %u", wanted);
}

/* ---- the line */

static void note_step(wl_compare_t *c, uint32_t lane, lane_work_t *w) {
  const wl_insn_dec_t *i = c->step.dec;
  const cmp_access_t *a = &c->step.access[lane];
  if ((c->step.exec >> lane & 1u) == 0) return;
  const bool taken = (c->step.taken >> lane & 1u) != 0;
  w->executed = true;
  for (uint32_t r = i->rd; taken && r < i->rd + cmp_words(i) && r < WL_REG_ZERO; r++)
    w->taken[r / 64] |= UINT64_C(1) << r % 64;
  if (taken && (i->info->preds & WL_PRED_D) != 0) w->taken_preds |= 1u << i->pd;
  if (!a->there || a->kind == WL_MEM_KIND_LD) return;
  if (a->space == WL_MEM_SPACE_LOCAL)
    cmp_count(c, CMP_N_LOCAL, 1);
  else if (w->expects < MOST_ACCESSES)
    w->expect[w->expects++] = (cmp_expect_t){.access = *a, .lane = lane, .pc = c->step.pc};
}

/* From where the lane is to where it leaves the line or comes to its start again. */
static bool run_line(wl_compare_t *c, cmp_warp_t *cw, uint32_t lane, lane_work_t *w) {
  const uint32_t depth = cw->w.lane_depth[lane];
  (void)line_at(c, cw->w.lane_pc[lane], &w->from, &w->to);
  for (uint32_t n = 0; n < MOST_STEPS; n++) {
    if (!cmp_step(c, cw, cw->w.lane_pc[lane], 1u << lane)) return false;
    note_step(c, lane, w);
    const uint32_t pc = cw->w.lane_pc[lane];
    w->ended = (cw->w.live >> lane & 1u) == 0;
    if (w->ended || pc <= w->from || pc >= w->to || cw->w.lane_depth[lane] != depth) return true;
  }
  return cmp_differ(c, (cmp_place_t){cw, lane, w->from}, "", "", "the line does not end");
}

/* ---- registers */

static uint64_t place_value(const cmp_warp_t *cw, const wl_obj_ptxreg_t *r, uint32_t lane) {
  if (r->kind == WL_OBJ_PTXREG_PRED) return cw->w.preds[r->place] >> lane & 1u;
  uint64_t v = cw->w.regs[r->place][lane];
  if (r->words > 1) v |= (uint64_t)cw->w.regs[r->place + 1][lane] << 32;
  return r->bits < 64 ? v & ((UINT64_C(1) << r->bits) - 1) : v;
}

static bool place_taken(const lane_work_t *w, const wl_obj_ptxreg_t *r) {
  if (r->kind == WL_OBJ_PTXREG_PRED) return (w->taken_preds >> r->place & 1u) != 0;
  return (w->taken[r->place / 64] >> r->place % 64 & 1u) != 0;
}

static bool compare_place(wl_compare_t *c, const cmp_warp_t *cw, uint32_t lane,
                          const lane_work_t *w, const wl_obj_ptxreg_t *r, uint32_t node) {
  const char *name = c->obj->ptxregs.name[r->name];
  const bool written = w->executed, pred = r->kind == WL_OBJ_PTXREG_PRED;
  uint64_t got = 0;
  char want[24], have[24] = "nothing";
  const cmp_given_t given = cmp_value_of(c, node, lane, r->bits > 64 ? 64 : r->bits, &got);
  if (given == CMP_WRONG)
    return cmp_bad(c, "\"%.40s\": not a value of %u bits for each lane", name, r->bits);
  if (given == CMP_UNKNOWN || (!written && given == CMP_ABSENT)) {
    cmp_count(c, pred ? CMP_N_NO_PREDS : CMP_N_NO_REGS, given == CMP_UNKNOWN ? 1 : 0);
    return true;
  }
  const uint64_t expected = place_value(cw, r, lane);
  if (written && given == CMP_GIVEN && got == expected) {
    cmp_count(c, pred ? CMP_N_PREDS : CMP_N_REGS, 1);
    return true;
  }
  (void)snprintf(want, sizeof want, "0x%llx", (unsigned long long)expected);
  if (given == CMP_GIVEN) (void)snprintf(have, sizeof have, "0x%llx", (unsigned long long)got);
  return cmp_differ(c, (cmp_place_t){cw, lane, w->from},
                    written ? want : "nothing: the guard is false", have, "PTX register %s", name);
}

/* Registers that the record names and the table does not. */
static void count_others(wl_compare_t *c, const wl_obj_ptxreg_t *row, uint32_t rows) {
  const uint32_t list = c->record.regs;
  for (uint32_t k = list == 0 ? 0 : cmp_json_at(&c->json, list)->first; k != 0;
       k = cmp_json_at(&c->json, k)->next) {
    uint32_t i = 0;
    while (i < rows && strcmp(c->obj->ptxregs.name[row[i].name], cmp_json_key(&c->json, k)) != 0)
      i++;
    if (i == rows) cmp_count(c, CMP_N_NO_PLACE, 1);
  }
}

static bool compare_lane(wl_compare_t *c, const cmp_warp_t *cw, uint32_t lane, lane_work_t *w) {
  uint32_t rows = 0;
  const wl_obj_ptxreg_t *row = wl_obj_find_ptxreg(c->obj, w->from, &rows);
  const bool several = rows != 0 && row->kind == WL_OBJ_PTXREG_SEVERAL;
  const bool given = c->record.regs != 0 || (c->fields & CMP_F_REGS) != 0;
  if (several) {
    cmp_count(c, CMP_N_SHARED_LINE, 1);
    return true;
  }
  count_others(c, row, rows);
  for (uint32_t i = 0; i < rows; i++) {
    const char *name = c->obj->ptxregs.name[row[i].name];
    const uint32_t node = c->record.regs == 0 ? 0 : cmp_json_member(&c->json, c->record.regs, name);
    if (place_taken(w, &row[i])) continue;
    if (!given) {
      cmp_count(c, CMP_N_NO_REGS, 1);
    } else if (!compare_place(c, cw, lane, w, &row[i], node)) {
      return false;
    }
  }
  return true;
}

/* ---- a record */

static bool compare_exit(wl_compare_t *c, const cmp_warp_t *cw, uint32_t lane,
                         const lane_work_t *w) {
  uint64_t got = w->ended;
  const cmp_given_t given = cmp_value_of(c, c->record.exit, lane, 1, &got);
  if (given == CMP_WRONG) return cmp_bad(c, "\"exit\" is not true, false or a mask of lanes");
  if (given == CMP_ABSENT && (c->fields & CMP_F_EXIT) != 0) got = 0;
  cmp_count(c, CMP_N_EXITS, w->ended ? 1 : 0);
  return (got != 0) == w->ended || cmp_differ(c, (cmp_place_t){cw, lane, w->from},
                                              w->ended ? "the thread ends" : "the thread goes on",
                                              w->ended ? "it goes on" : "it ends", "exit");
}

/* The second record of a line with several instructions: its code has been executed. */
static bool second_of_line(wl_compare_t *c, cmp_warp_t *cw, uint32_t lane) {
  uint32_t from, to, rows = 0;
  const uint32_t last = cw->last_pc[lane];
  if (last == WL_OBJ_NONE || line_at(c, last, &from, &to) != c->record.line) return false;
  const wl_obj_ptxreg_t *row = wl_obj_find_ptxreg(c->obj, last, &rows);
  if (rows == 0 || row->kind != WL_OBJ_PTXREG_SEVERAL ||
      line_at(c, cw->w.lane_pc[lane], &from, &to) == c->record.line)
    return false;
  cmp_count(c, CMP_N_SHARED_LINE, 1);
  return true;
}

static bool one_lane(wl_compare_t *c, cmp_warp_t *cw, uint32_t lane, lane_work_t *w) {
  *w = (lane_work_t){0};
  if (second_of_line(c, cw, lane)) return true;
  if (!advance(c, cw, lane) || !run_line(c, cw, lane, w)) return false;
  cw->last_pc[lane] = w->from;
  cmp_count(c, CMP_N_THREADS, 1);
  cmp_count(c, CMP_N_LINES, 1);
  return compare_lane(c, cw, lane, w) && compare_exit(c, cw, lane, w);
}

static bool all_lanes(wl_compare_t *c, cmp_warp_t *cw) {
  cmp_expect_t *all = calloc((size_t)WL_LANES * MOST_ACCESSES, sizeof *all);
  lane_work_t *w = calloc(1, sizeof *w);
  uint32_t n = 0;
  bool ok = all != NULL && w != NULL;
  if (!ok) c->status = WL_ERR_INTERNAL;
  for (uint32_t m = c->record.mask; m != 0 && ok; m &= m - 1) {
    ok = one_lane(c, cw, func_lowest(m), w);
    memcpy(all + n, w->expect, w->expects * sizeof *all);
    n += w->expects;
  }
  ok = ok && cmp_memory(c, cw, all, n);
  free(all);
  free(w);
  return ok;
}

bool cmp_ptx(wl_compare_t *c) {
  const cmp_record_t *r = &c->record;
  cmp_warp_t *cw = cmp_warp_get(c, r->cta, r->warp);
  if (cw == NULL && c->status == WL_ERR_INTERNAL) return false;
  const uint32_t dead = cw == NULL ? r->mask : r->mask & ~cw->w.live;
  if (dead != 0)
    return cmp_differ(c, (cmp_place_t){NULL, func_lowest(dead), WL_OBJ_NONE},
                      "nothing: the thread has ended", "a record", "the record");
  if (!line_has_code(c, r->line)) {
    cmp_count(c, CMP_N_NO_CODE, 1);
    return true;
  }
  if (!all_lanes(c, cw)) return false;
  cmp_warp_ended(c, cw);
  return true;
}

/* The log's value for a machine register that the instruction at pc writes. */
bool cmp_ptx_logged(wl_compare_t *c, uint32_t pc, bool pred, uint32_t number, uint32_t lane,
                    uint64_t *out) {
  uint32_t rows = 0;
  const wl_obj_ptxreg_t *row = wl_obj_find_ptxreg(c->obj, pc, &rows);
  for (uint32_t i = 0; i < rows && c->record.regs != 0; i++) {
    const bool is_pred = row[i].kind == WL_OBJ_PTXREG_PRED;
    if (pred != is_pred || number < row[i].place ||
        number >= row[i].place + (is_pred ? 1u : row[i].words))
      continue;
    const char *name = c->obj->ptxregs.name[row[i].name];
    uint64_t v = 0;
    if (cmp_value_of(c, cmp_json_member(&c->json, c->record.regs, name), lane,
                     row[i].bits > 64 ? 64 : row[i].bits, &v) != CMP_GIVEN)
      return false;
    *out = v >> 32 * (number - row[i].place) & UINT32_MAX;
    return true;
  }
  return false;
}

bool cmp_ptx_logged_test(wl_compare_t *c, uint32_t pc, uint32_t lane, bool *out) {
  uint32_t rows = 0;
  const wl_obj_ptxreg_t *row = wl_obj_find_ptxreg(c->obj, pc, &rows);
  uint64_t v = 0;
  for (uint32_t i = 0; i < rows && c->record.regs != 0; i++) {
    if (row[i].kind != WL_OBJ_PTXREG_PRED) continue;
    const char *name = c->obj->ptxregs.name[row[i].name];
    const uint32_t node = cmp_json_member(&c->json, c->record.regs, name);
    *out = cmp_value_of(c, node, lane, 1, &v) == CMP_GIVEN && v != 0;
    return cmp_value_of(c, node, lane, 1, &v) == CMP_GIVEN;
  }
  return false;
}
