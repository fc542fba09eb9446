/* untimed_run.c: the run of the untimed mode: how far the reference goes, the end of a launch, and
 * the reports. docs/cosim.md */
#include "driver/lockstep/untimed.h"

#include <stdio.h>
#include <string.h>

#include "driver/backend.h"
#include "gen/wl_launch.h"

static const char *const class_names[FLOW_CLASSES] = {
    "lane issues",  "register words",  "predicate bits", "local bytes", "shared words at CTA ends",
    "stored bytes", "atomic operands", "CTA events",     "trap words"};

/* The slot in which a side runs a warp of a CTA now, -1: none. */
static int slot_of(const wl_untimed_side_t *side, wl_flow_key_t key) {
  const uint64_t cta = key.a >> 8 & UINT64_C(0xffffffffffff);
  for (unsigned slot = 0; slot < WL_MOST_CTAS; slot++) {
    if (side->cta[slot] != cta) continue;
    for (unsigned w = 0; w < WL_MOST_WARPS; w++)
      if ((side->cta_warps[slot] >> w & 1) != 0 && side->warp[w].cta == cta &&
          side->warp[w].index == (key.a & 0xff))
        return (int)w;
  }
  return -1;
}

/* The writer of a register as the core under test says, else as the reference does; else the last
 * issue. */
static void put_writer(wl_text_t *t, const wl_cosim_t *c, unsigned slot,
                       const wl_flow_item_t *const item[2], wl_cosim_report_t *report) {
  const wl_issue_note_t *note = &c->untimed->side[1].warp[slot].note;
  const wl_write_t write = {
      slot, (unsigned)report->reg + (report->kind == WL_J_PRED ? WL_THING_PRED : 0), 0};
  for (unsigned s = 2; s-- > 0 && report->reg >= 0;) {
    if (item[s] == NULL || item[s]->writer.exec == 0) continue;
    wl_report_writer(t, c, &write, &item[s]->writer, report);
    return;
  }
  if (!note->valid) return;
  report->has_pc = true;
  report->pc = note->pc;
  wl_report_last_issue(t, c, note, slot);
}

static void put_thread(wl_text_t *t, const wl_cosim_t *c, wl_flow_key_t key,
                       const wl_flow_item_t *const item[2], wl_cosim_report_t *report) {
  const wl_untimed_t *u = c->untimed;
  const int slot = slot_of(&u->side[1], key);
  const uint64_t cta = key.a >> 8 & UINT64_C(0xffffffffffff);
  report->warp = slot;
  wl_text_put(t, "sm0 warp%d ", slot);
  switch (key.a >> 56) {
  case FLOW_ISSUE:
    report->kind = WL_J_ISSUE;
    wl_text_put(t, "issue");
    break;
  case FLOW_RF:
    report->kind = WL_J_RF;
    report->reg = (int)(key.b >> 8);
    wl_text_put(t, "rf.r%llu", (unsigned long long)(key.b >> 8));
    break;
  case FLOW_PRED:
    report->kind = WL_J_PRED;
    report->reg = (int)(key.b >> 8);
    wl_text_put(t, "pred.p%llu", (unsigned long long)(key.b >> 8));
    break;
  default:
    report->kind = WL_J_PACKET;
    wl_text_put(t, "local byte 0x%llx", (unsigned long long)(key.b >> 8));
  }
  wl_text_put(t, " lane %llu (cta %llu,%llu,%llu warp %llu)\n", (unsigned long long)(key.b & 0xff),
              (unsigned long long)(cta % u->nctaid[0]),
              (unsigned long long)(cta / u->nctaid[0] % u->nctaid[1]),
              (unsigned long long)(cta / u->nctaid[0] / u->nctaid[1]),
              (unsigned long long)(key.a & 0xff));
  if (slot >= 0) put_writer(t, c, (unsigned)slot, item, report);
}

static void put_place(wl_text_t *t, const wl_cosim_t *c, wl_flow_key_t key,
                      const wl_flow_item_t *const item[2], wl_cosim_report_t *report) {
  const unsigned long long cta = key.a >> 8 & UINT64_C(0xffffffffffff), b = key.b;
  switch (key.a >> 56) {
  case FLOW_SHARED:
    report->kind = WL_J_SMEM;
    wl_text_put(t, "sm0 smem of cta %llu, word 0x%llx at its end (written bytes, then value)\n",
                cta, b * 4);
    return;
  case FLOW_STORE:
    report->kind = WL_J_PACKET;
    wl_text_put(t, "store to byte 0x%llx\n", b);
    return;
  case FLOW_ATOMIC:
    report->kind = WL_J_PACKET;
    wl_text_put(t, "atomic operation %llu on word 0x%llx with operand %08llx\n",
                (unsigned long long)(key.a >> 52 & 15),
                (unsigned long long)((key.a & UINT64_C(0xffffffffffff)) * 4), b & 0xffffffff);
    return;
  case FLOW_CTA:
    report->kind = WL_J_CTA;
    wl_text_put(t, "cta %llu %s\n", cta, b == 0 ? "placed" : "freed");
    return;
  case FLOW_TRAP:
    report->kind = WL_J_TRAP;
    wl_text_put(t, "trap: %s\n", wl_journal_info[WL_J_TRAP].word_names[b % 6]);
    return;
  default:
    put_thread(t, c, key, item, report);
  }
}

static void put_value(wl_text_t *t, const wl_cosim_t *c, unsigned side, wl_flow_key_t key,
                      const wl_flow_item_t *item) {
  if (item == NULL)
    wl_text_put(t, "%-6s (nothing)\n", c->name[side]);
  else if (key.a >> 56 == FLOW_ISSUE)
    wl_text_put(t, "%-6s pc %u %s  (its cycle %llu)\n", c->name[side], item->value >> 1,
                (item->value & 1) != 0 ? "executed" : "guarded off",
                (unsigned long long)item->cycle);
  else
    wl_text_put(t, "%-6s %08x  (its cycle %llu)\n", c->name[side], item->value,
                (unsigned long long)item->cycle);
}

/* item[side] NULL: that side has nothing more here. */
static wl_cosim_verdict_t report_difference(const wl_cosim_t *c, wl_flow_key_t key,
                                            const wl_flow_item_t *const item[2],
                                            wl_cosim_report_t *report) {
  wl_report_clear(c, report);
  wl_text_t text = {report->text, sizeof report->text, 0}, *t = &text;
  if (item[1] != NULL) report->cycle = item[1]->cycle;
  wl_text_put(t, "DIVERGENCE at cycle %llu (untimed)  ", (unsigned long long)report->cycle);
  put_place(t, c, key, item, report);
  for (unsigned s = 0; s < 2; s++)
    put_value(t, c, s, key, item[s]);
  if (item[0] != NULL && item[1] != NULL)
    wl_text_put(t, "xor    %08x\n", item[0]->value ^ item[1]->value);
  wl_report_history(t, c);
  return WL_COSIM_DIVERGED;
}

static wl_cosim_verdict_t judge(wl_cosim_t *c, wl_cosim_report_t *report) {
  const wl_untimed_t *u = c->untimed;
  if (u->differs) {
    const wl_flow_item_t *item[2] = {&u->other, &u->other};
    item[u->by] = &u->own;
    return report_difference(c, u->key, item, report);
  }
  if (!u->flows.broken) return WL_COSIM_EQUAL;
  snprintf(report->text, sizeof report->text, "out of memory: the sides are too far apart\n");
  return WL_COSIM_ERROR;
}

wl_cosim_verdict_t wl_untimed_step(wl_cosim_t *c, wl_cosim_report_t *report) {
  const wl_untimed_t *u = c->untimed;
  wl_untimed_take(c, 1, c->dut, c->dut_records);
  while (c->running && !u->differs && u->side[0].issues < u->side[1].issues &&
         (c->start || !wl_side_model.done(c->model)) && !wl_side_model.hung(c->model))
    wl_untimed_reference(c);
  const wl_cosim_verdict_t verdict = judge(c, report);
  if (verdict != WL_COSIM_EQUAL || !c->running || !c->signals || !c->done) return verdict;
  /* done_o stays from the launch before until the DUT has seen its start: nothing has issued yet.
   */
  return u->side[1].issues != 0 || u->side[1].trapped ? WL_COSIM_DONE : WL_COSIM_EQUAL;
}

/* Device memory but for local memory, which lies by warp slot. */
static bool same_memory(wl_cosim_t *c, wl_cosim_report_t *report) {
  const wl_untimed_t *u = c->untimed;
  if (u->local_bytes != 0) {
    const uint64_t at = u->local_base - WL_MEM_BASE;
    if (at <= c->mem_bytes && u->local_bytes <= c->mem_bytes - at)
      memcpy(c->mem[1] + at, c->mem[0] + at, u->local_bytes);
  }
  return wl_cosim_compare_memory(c, report);
}

wl_cosim_verdict_t wl_untimed_end(wl_cosim_t *c, wl_cosim_report_t *report) {
  const wl_untimed_t *u = c->untimed;
  while (c->running && !u->differs && (c->start || !wl_side_model.done(c->model)) &&
         !wl_side_model.hung(c->model))
    wl_untimed_reference(c);
  const wl_cosim_verdict_t verdict = judge(c, report);
  if (verdict != WL_COSIM_EQUAL) return verdict;
  c->running = false;
  const wl_flow_t *left = wl_flows_left(&u->flows);
  if (left != NULL && !(u->side[0].trapped && u->side[1].trapped)) {
    const wl_flow_item_t *item[2] = {NULL, NULL};
    item[left->side] = &u->flows.item[left->head];
    return report_difference(c, left->key, item, report);
  }
  if (wl_side_model.hung(c->model)) {
    wl_report_flag(c, true, "reports a hang", report);
    return WL_COSIM_DIVERGED;
  }
  if (u->side[0].trapped || same_memory(c, report)) return WL_COSIM_DONE;
  return WL_COSIM_DIVERGED;
}

void wl_untimed_summary(const wl_cosim_t *c, char *out, size_t cap) {
  const wl_untimed_t *u = c->untimed;
  wl_text_t t = {out, cap, 0};
  wl_text_put(&t, "equal by effect: %s %llu cycles, %s %llu;", c->name[0],
              (unsigned long long)u->side[0].cycle, c->name[1],
              (unsigned long long)u->side[1].cycle);
  for (unsigned i = 0; i < FLOW_CLASSES; i++)
    if (u->count[i] != 0)
      wl_text_put(&t, " %s %llu", class_names[i], (unsigned long long)u->count[i]);
  wl_text_put(&t, "\n");
}
