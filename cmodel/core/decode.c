/* Decode of an instruction word (docs/microarchitecture.md 2) and what can be known of it before
 * issue: hazard sets (5), read slots of a beat (6.1), highest register. Word fields and legality
 * are wl_decode's (cmodel/sem). */
#include <string.h>

#include "cmodel/core/insn.h"

static void add_register(wl_insn_t *insn, uint64_t set[WL_REG_WORDS], unsigned reg) {
  if (reg == WL_REG_ZERO) return;
  set[reg >> 6] |= UINT64_C(1) << (reg & 63);
  if ((int)reg > insn->max_reg) insn->max_reg = (int16_t)reg;
}

static void add_group(wl_insn_t *insn, uint64_t set[WL_REG_WORDS], unsigned base, unsigned words) {
  for (unsigned k = 0; k < words; k++)
    add_register(insn, set, wl_reg_word(base, k));
}

/* Words of a step of a list. */
enum { STEP_WORDS = 3 };
static unsigned list_words(const wl_insn_t *insn, const wl_config_t *cfg) {
  if (insn->dec.unit == WL_UNIT_TMEM) return 1;
  return insn->dec.unit == WL_UNIT_TENSOR ? cfg->tensor_words : STEP_WORDS;
}

static unsigned step_count(const wl_insn_t *insn, const wl_config_t *cfg) {
  const wl_form_info_t *info = insn->dec.info;
  const unsigned words = list_words(insn, cfg);
  const unsigned reads = (unsigned)info->a + info->b + info->c + info->x;
  if (info->steps != WL_STEPS_LIST || words == STEP_WORDS) return info->steps_of;
  return reads > words ? (reads + words - 1) / words : 1;
}

/* Registers read by one step; the number of entries, 255 included. */
static unsigned step_registers(const wl_insn_t *insn, const wl_config_t *cfg, unsigned step,
                               unsigned regs[STEP_WORDS]) {
  const wl_form_info_t *info = insn->dec.info;
  const unsigned base[4] = {insn->dec.ra, insn->dec.rb, insn->dec.rc, insn->dec.rx};
  const unsigned words[4] = {info->a, info->b, info->c, info->x};
  unsigned n = 0, seen = 0;
  for (unsigned i = 0; i < 4; i++) {
    if (info->steps != WL_STEPS_LIST) {
      if (words[i] != 0)
        regs[n++] = wl_reg_word(base[i], info->steps == WL_STEPS_PAIR && words[i] == 2 ? step : 0);
      continue;
    }
    for (unsigned k = 0; k < words[i]; k++, seen++)
      if (seen / list_words(insn, cfg) == step) regs[n++] = wl_reg_word(base[i], k);
  }
  return n;
}

/* C of a step: the bank of a register differs between warps by a rotation only. */
static uint8_t step_cost(const wl_insn_t *insn, const wl_config_t *cfg, unsigned step) {
  unsigned regs[STEP_WORDS], in_bank[4] = {0}, most = 1;
  const unsigned n = step_registers(insn, cfg, step, regs);
  for (unsigned i = 0; i < n; i++) {
    bool repeated = regs[i] == WL_REG_ZERO;
    for (unsigned j = 0; j < i; j++)
      repeated |= regs[j] == regs[i];
    if (repeated) continue;
    const unsigned count = ++in_bank[regs[i] & 3];
    if (count > most) most = count;
  }
  return (uint8_t)most;
}

static uint8_t pred_bit(unsigned pred) { return (uint8_t)(pred == WL_PRED_TRUE ? 0 : 1u << pred); }

/* Nothing that it needs can be busy. */
static bool is_plain(const wl_form_info_t *info) {
  const wl_unit_facts_t *of = &info->of;
  return of->route != WL_ROUTE_VARIABLE && !of->returns && !of->target_buffer && !of->waits &&
         info->unit != WL_UNIT_COPY && info->unit != WL_UNIT_UMMA &&
         !(info->unit == WL_UNIT_TMEM && of->route == WL_ROUTE_CONTROL);
}

void wl_insn_decode(const uint32_t word[4], const wl_config_t *cfg, wl_insn_t *out) {
  memset(out, 0, sizeof *out);
  memcpy(out->word, word, sizeof out->word);
  out->trap = (uint8_t)wl_decode(word, cfg->row, &out->dec);
  out->max_reg = -1;
  out->steps = 1;
  out->cost[0] = 1;
  out->need_p = pred_bit(out->dec.guard);
  const wl_form_info_t *info = out->dec.info;
  out->plain = info == NULL || is_plain(info);
  if (info == NULL) return;
  out->two_preds = out->dec.pd != WL_PRED_TRUE && out->dec.pq != WL_PRED_TRUE;
  add_group(out, out->dest, out->dec.rd, out->dec.count);
  memcpy(out->need, out->dest, sizeof out->need);
  add_group(out, out->need, out->dec.ra, info->a);
  add_group(out, out->need, out->dec.rb, info->b);
  add_group(out, out->need, out->dec.rc, info->c);
  add_group(out, out->need, out->dec.rx, info->x);
  out->dest_p = pred_bit(out->dec.pd) | pred_bit(out->dec.pq);
  out->need_p |= out->dest_p | pred_bit(out->dec.ps) | pred_bit(out->dec.pt);
  out->gathered = info->of.aligned != WL_ALIGNED_NO;
  out->noted = info->counted && out->dec.rd != WL_REG_ZERO;
  out->steps = (uint8_t)step_count(out, cfg);
  for (unsigned s = 0; s < out->steps; s++)
    out->cost[s] = step_cost(out, cfg, s);
  out->unit_only = !out->plain && !info->of.target_buffer && !info->of.waits && !out->noted &&
                   info->unit != WL_UNIT_TMEM && out->trap == WL_TRAP_NONE;
}
