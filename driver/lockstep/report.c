/* report.c: a divergence in architectural names. docs/lockstep.md
 * Names come from the first side's own records (which warp owns a register page, what it issued
 * last); the comparison itself never uses them. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "driver/lockstep/lockstep.h"
#include "isa/obj/dis.h"

typedef struct text {
  char *out;
  size_t cap, at;
} text_t;

__attribute__((format(printf, 2, 3))) static void put(text_t *t, const char *format, ...) {
  if (t->at >= t->cap) return;
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(t->out + t->at, t->cap - t->at, format, args);
  va_end(args);
  if (n > 0) t->at += (size_t)n;
  if (t->at >= t->cap) t->at = t->cap;
}

static void put_instruction(text_t *t, wl_lockstep_t *l, unsigned warp) {
  if (warp >= 64 || !l->issue[warp].valid) return;
  l->report_has_pc = true;
  l->report_pc = l->issue[warp].pc;
  const wl_issue_note_t *n = &l->issue[warp];
  const uint64_t at = l->code_base - WL_MEM_BASE + 16 * (uint64_t)n->pc;
  char text[160] = "?";
  if (at + 16 <= l->mem_bytes) {
    uint32_t word[4];
    memcpy(word, l->mem[0] + at, sizeof word);
    wl_dis_word(word, text, sizeof text);
  }
  put(t, "insn   last issue of warp %u: pc %u  %s  (cycle %llu, lanes %08x)\n", warp, n->pc, text,
      (unsigned long long)n->cycle, n->exec);
}

/* The register behind a bank row: bank = (r + warp) & 3, row = (page * 2 + r[2]) * Beats + beat. */
static bool name_register(const wl_lockstep_t *l, unsigned bank, unsigned row, unsigned *warp,
                          unsigned *reg) {
  const unsigned half = row / l->config->beats, page = half / 2;
  const unsigned owner = l->page_owner[page & 511];
  if (owner == 0) return false;
  *warp = owner >> 8;
  *reg = ((owner & 0xff) - 1) * 8 + (half & 1) * 4 + ((bank - *warp) & 3);
  return true;
}

static unsigned put_thing(text_t *t, const wl_lockstep_t *l, unsigned kind, const uint32_t *w) {
  unsigned warp = 64, reg = 0;
  switch (kind) {
  case WL_J_RF:
    if (name_register(l, w[0], w[1], &warp, &reg))
      put(t, "sm0 warp%u rf.r%u beat %u (bank %u row %u)", warp, reg, w[1] % l->config->beats,
          w[0], w[1]);
    else
      put(t, "sm0 rf bank %u row %u (no owner)", w[0], w[1]);
    return warp;
  case WL_J_PRED:
    put(t, "sm0 warp%u pred.p%u lanes %08x", w[0], w[1], w[2]);
    return w[0];
  case WL_J_SMEM:
    put(t, "sm0 smem word 0x%x (bank %u row %u)", (w[1] * l->config->smem_banks + w[0]) * 4, w[0],
        w[1]);
    return 64;
  case WL_J_XBUF:
  case WL_J_FETCH:
  case WL_J_ISSUE:
  case WL_J_RESOLVE:
  case WL_J_ROW:
  case WL_J_WALKED:
  case WL_J_PAGE:
    put(t, "sm0 warp%u %s", w[0], wl_journal_info[kind].name);
    return w[0];
  default:
    put(t, "sm0 %s", wl_journal_info[kind].name);
    return 64;
  }
}

static void put_history(text_t *t, const wl_lockstep_t *l) {
  char line[200];
  for (unsigned side = 0; side < 2; side++) {
    put(t, "last %d records of %s\n", WL_HISTORY, l->ops[side]->name);
    for (unsigned i = 0; i < WL_HISTORY; i++) {
      const wl_history_t *h = &l->history[side];
      const wl_history_record_t *r = &h->record[(h->next + i) % WL_HISTORY];
      if (!r->valid) continue;
      wl_journal_words_text(r->kind, r->words, r->n, line, sizeof line);
      put(t, "  %llu %s\n", (unsigned long long)r->cycle, line);
    }
  }
}

static void put_words(text_t *t, const wl_lockstep_t *l, const wl_journal_difference_t *d) {
  const wl_record_t a = l->journal[0].record[d->record[0]];
  const wl_record_t b = l->journal[1].record[d->record[1]];
  const wl_journal_info_t *info = &wl_journal_info[d->kind];
  for (unsigned i = 0; i < a.n && i < b.n; i++) {
    const uint32_t x = l->journal[0].words[a.offset + i], y = l->journal[1].words[b.offset + i];
    if (x == y) continue;
    const unsigned name = i < info->names ? i : info->names - 1;
    put(t, "word   %s[%u]: %s %08x  %s %08x  xor %08x\n", info->word_names[name], i - name,
        l->ops[0]->name, x, l->ops[1]->name, y, x ^ y);
  }
}

void wl_report_records(wl_lockstep_t *l, const wl_journal_difference_t *d, char *out,
                       size_t cap) {
  text_t t = {out, cap, 0};
  char line[700];
  const unsigned has = d->record[0] >= 0 ? 0 : 1;
  put(&t, "DIVERGENCE at cycle %llu  ", (unsigned long long)l->cycle);
  const unsigned warp =
      put_thing(&t, l, d->kind, l->journal[has].words + l->journal[has].record[d->record[has]].offset);
  put(&t, "\nevent  %s\n", wl_journal_info[d->kind].event);
  put_instruction(&t, l, warp);
  for (unsigned side = 0; side < 2; side++) {
    wl_journal_text(&l->journal[side], d->record[side], line, sizeof line);
    put(&t, "%-6s %s\n", l->ops[side]->name, line);
  }
  if (d->record[0] >= 0 && d->record[1] >= 0) put_words(&t, l, d);
  put(&t, "scrub  %llu words compared before, %llu whole rounds\n",
      (unsigned long long)l->scrubbed_words, (unsigned long long)l->scrub_rounds);
  put_history(&t, l);
}

void wl_report_view(wl_lockstep_t *l, const wl_view_difference_t *d, const char *how,
                    char *out, size_t cap) {
  text_t t = {out, cap, 0};
  unsigned warp = 64, reg = 0;
  put(&t, "DIVERGENCE at cycle %llu (found by the %s)  ", (unsigned long long)l->cycle, how);
  if (d->view == WL_VIEW_RF &&
      name_register(l, d->slice / l->config->lanes, d->row, &warp, &reg))
    put(&t, "sm0 warp%u rf.r%u lane %u\n", warp, reg,
        d->row % l->config->beats * l->config->lanes + d->slice % l->config->lanes);
  else
    put(&t, "sm0 %s slice %u row %u\n", l->view[0][d->view].name, d->slice, d->row);
  put_instruction(&t, l, warp);
  put(&t, "%-6s %08x\n%-6s %08x\nxor    %08x\n", l->ops[0]->name, d->value[0], l->ops[1]->name,
      d->value[1], d->value[0] ^ d->value[1]);
  put(&t, "The records of all cycles were equal: something changed outside the journalled ports.\n");
  put_history(&t, l);
}

void wl_report_summary(const wl_lockstep_t *l, char *out, size_t cap) {
  text_t t = {out, cap, 0};
  put(&t, "equal: every record of every cycle, %llu scrubbed words (%llu rounds), %llu full compares;",
      (unsigned long long)l->scrubbed_words, (unsigned long long)l->scrub_rounds,
      (unsigned long long)l->full_compares);
  for (unsigned k = 0; k < WL_NUM_JOURNAL_KINDS; k++)
    if (l->records[k] != 0)
      put(&t, " %s %llu", wl_journal_info[k].name, (unsigned long long)l->records[k]);
  put(&t, "\n");
}
