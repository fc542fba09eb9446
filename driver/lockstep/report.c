/* report.c: a divergence in architectural names. docs/lockstep.md
 * Names come from the reference's own records (which warp owns a register page, what it issued
 * last); the comparison itself never uses them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/backend.h"
#include "driver/lockstep/cosim.h"
#include "gen/wl_index.h"
#include "gen/wl_journal.h"
#include "gen/wl_packet.h"

enum { NO_WARP = WL_MOST_WARPS };

void wl_text_put(wl_text_t *t, const char *format, ...) {
  if (t->at >= t->cap) return;
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(t->out + t->at, t->cap - t->at, format, args);
  va_end(args);
  if (n > 0) t->at += (size_t)n;
  if (t->at >= t->cap) t->at = t->cap;
}

void wl_log_records(void *to, uint64_t cycle, const wl_cosim_record_t *records, unsigned n) {
  const wl_log_t *log = to;
  char line[1200], text[1100];
  for (unsigned i = 0; i < n; i++) {
    wl_cosim_record_text(&records[i], text, sizeof text);
    snprintf(line, sizeof line, "%llu %s", (unsigned long long)cycle, text);
    log->line(log->context, line);
  }
}

void wl_report_result(const wl_cosim_report_t *report, wl_run_result_t *result) {
  result->status = WL_RUN_DIVERGED;
  result->has_pc = report->has_pc;
  result->pc = report->pc;
  result->cycle = report->cycle;
  result->kind = report->kind;
  result->view = report->view;
  result->warp = report->warp;
  result->reg = report->reg;
  snprintf(result->report, sizeof result->report, "%s", report->text);
}

void wl_report_clear(const wl_cosim_t *c, wl_cosim_report_t *report) {
  *report = (wl_cosim_report_t){.cycle = c->cycle, .kind = -1, .view = -1, .warp = -1, .reg = -1};
}

void wl_history_add(wl_history_t *h, uint64_t cycle, const wl_cosim_record_t *records, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    wl_history_record_t *to = &h->record[h->next];
    to->cycle = cycle;
    to->valid = true;
    to->record.kind = records[i].kind;
    to->record.words = records[i].words;
    memcpy(to->record.word, records[i].word, records[i].words * sizeof *records[i].word);
    h->next = (h->next + 1) % WL_HISTORY;
  }
}

/* Who uses the port: packet.def, tags of the LSU by docs/microarchitecture.md 10. */
static void put_port(wl_text_t *t, unsigned kind, uint32_t sm, uint32_t unit, uint32_t word) {
  const char *name = unit < WL_UNITS ? wl_from_name[unit] : "unit?";
  const wl_tag_lsu_t tag = wl_tag_lsu(word);
  wl_text_put(t, "sm%u %s %s", sm, name, wl_journal_info[kind].name);
  if (unit == WL_FROM_LSU)
    wl_text_put(t, " slot %u lanes %08x", tag.slot, (unsigned)tag.lanes << 8 * tag.group);
}

unsigned wl_report_thing(wl_text_t *t, const wl_cosim_t *c, unsigned kind, const uint32_t *w,
                         wl_cosim_report_t *report) {
  unsigned warp = NO_WARP, reg = 0;
  switch (kind) {
  case WL_J_RF:
    if (!wl_pages_register(&c->pages, c->config, w[0], w[1], &warp, &reg)) {
      wl_text_put(t, "sm0 rf bank %u row %u (no owner)", w[0], w[1]);
      return warp;
    }
    report->reg = (int)reg;
    wl_text_put(t, "sm0 warp%u rf.r%u beat %u (bank %u row %u)", warp, reg, w[1] % c->config->beats,
                w[0], w[1]);
    return warp;
  case WL_J_PRED:
    report->reg = (int)w[1];
    wl_text_put(t, "sm0 warp%u pred.p%u lanes %08x", w[0], w[1], w[2]);
    return w[0];
  case WL_J_SMEM:
    wl_text_put(t, "sm0 smem word 0x%x (bank %u row %u)", (w[1] * c->config->smem_banks + w[0]) * 4,
                w[0], w[1]);
    return NO_WARP;
  case WL_J_WAKE:
    wl_text_put(t, "sm0 mbarrier 0x%x %s", w[0], wl_journal_info[kind].name);
    return NO_WARP;
  case WL_J_TMEM:
    wl_text_put(t, "sm0 tmem quarter %u column %u beat %u", w[0], w[1] / c->config->beats,
                w[1] % c->config->beats);
    return NO_WARP;
  case WL_J_COLUMNS: /* 3: of a CTA */
    wl_text_put(t, "sm0 %s%u %s", w[0] != 3 ? "warp" : "cta", w[1], wl_journal_info[kind].name);
    return w[0] != 3 ? w[1] : NO_WARP;
  case WL_J_XBUF:
  case WL_J_FETCH:
  case WL_J_ISSUE:
  case WL_J_RESOLVE:
  case WL_J_ROW:
  case WL_J_WALKED:
  case WL_J_PAGE:
    wl_text_put(t, "sm0 warp%u %s", w[0], wl_journal_info[kind].name);
    return w[0];
  case WL_J_PACKET:
    put_port(t, kind, w[WL_W_PACKET_SM], w[WL_W_PACKET_UNIT], w[WL_W_PACKET_TAG]);
    return NO_WARP;
  case WL_J_RESPONSE:
    put_port(t, kind, w[WL_W_RESPONSE_SM], w[WL_W_RESPONSE_UNIT], w[WL_W_RESPONSE_TAG]);
    return NO_WARP;
  default:
    wl_text_put(t, "sm0 %s", wl_journal_info[kind].name);
    return NO_WARP;
  }
}

/* Records of one cycle are a set (docs/microarchitecture.md 15), and two builds of the same RTL may
 * make them in different orders: by cycle, kind and words. */
static int by_time(const void *a, const void *b) {
  const wl_history_record_t *x = *(const wl_history_record_t *const *)a;
  const wl_history_record_t *y = *(const wl_history_record_t *const *)b;
  if (x->cycle != y->cycle) return x->cycle < y->cycle ? -1 : 1;
  if (x->record.kind != y->record.kind) return x->record.kind < y->record.kind ? -1 : 1;
  for (unsigned i = 0; i < x->record.words && i < y->record.words; i++)
    if (x->record.word[i] != y->record.word[i])
      return x->record.word[i] < y->record.word[i] ? -1 : 1;
  return 0;
}

void wl_report_history(wl_text_t *t, const wl_cosim_t *c) {
  char line[200];
  for (unsigned side = 0; side < 2; side++) {
    const wl_history_record_t *sorted[WL_HISTORY];
    unsigned n = 0;
    for (unsigned i = 0; i < WL_HISTORY; i++)
      if (c->history[side].record[i].valid) sorted[n++] = &c->history[side].record[i];
    if (n == 0) continue; /* a core whose records are not at hand */
    qsort(sorted, n, sizeof *sorted, by_time);
    wl_text_put(t, "last %d records of %s\n", WL_HISTORY_SHOWN, c->name[side]);
    for (unsigned i = n > WL_HISTORY_SHOWN ? n - WL_HISTORY_SHOWN : 0; i < n; i++) {
      wl_journal_text(&sorted[i]->record, line, sizeof line);
      wl_text_put(t, "  %llu %s\n", (unsigned long long)sorted[i]->cycle, line);
    }
  }
}

void wl_report_words(wl_text_t *t, const wl_cosim_t *c, const wl_journal_difference_t *d) {
  const wl_cosim_record_t *a = d->record[0], *b = d->record[1];
  const wl_journal_info_t *info = &wl_journal_info[d->kind];
  for (unsigned i = 0; i < a->words && i < b->words; i++) {
    const uint32_t x = a->word[i], y = b->word[i];
    if (x == y) continue;
    const unsigned name = i < info->names ? i : info->names - 1;
    wl_text_put(t, "word   %s[%u]: %s %08x  %s %08x  xor %08x\n", info->word_names[name], i - name,
                c->name[0], x, c->name[1], y, x ^ y);
  }
}

/* Units that a REST record says are not at rest, by the bits of docs/microarchitecture.md 15. */
static void put_rest(wl_text_t *t, const wl_config_t *cfg, const char *side,
                     const wl_cosim_record_t *record) {
  const char *before = "not at rest: ";
  wl_text_put(t, "%-6s ", side);
  for (unsigned i = 0; i < wl_rest_units(cfg); i++) {
    if ((record->word[2] >> i & 1) != 0) continue;
    wl_text_put(t, "%s%s", before, wl_rest_name[i]);
    before = ", ";
  }
  wl_text_put(t, "%s\n", before[0] == 'n' ? "all units at rest" : "");
}

void wl_report_records(const wl_cosim_t *c, const wl_journal_difference_t *d,
                       wl_cosim_report_t *report) {
  wl_report_clear(c, report);
  wl_text_t text = {report->text, sizeof report->text, 0}, *t = &text;
  char line[700];
  wl_text_put(t, "DIVERGENCE at cycle %llu  ", (unsigned long long)c->cycle);
  report->kind = (int)d->kind;
  const uint32_t *words = d->record[d->record[0] != NULL ? 0 : 1]->word;
  const unsigned warp = wl_report_thing(t, c, d->kind, words, report);
  wl_text_put(t, "\nevent  %s\n", wl_journal_info[d->kind].event);
  wl_report_about(t, c, d->kind, words, warp, report);
  for (unsigned side = 0; side < 2; side++) {
    wl_journal_text(d->record[side], line, sizeof line);
    wl_text_put(t, "%-6s %s\n", c->name[side], line);
    if (d->kind == WL_J_REST && d->record[side] != NULL)
      put_rest(t, c->config, c->name[side], d->record[side]);
  }
  if (d->record[0] != NULL && d->record[1] != NULL) wl_report_words(t, c, d);
  wl_text_put(t, "scrub  %llu words compared before, %llu whole rounds\n",
              (unsigned long long)c->scrubbed_words, (unsigned long long)c->scrub_rounds);
  wl_report_history(t, c);
}

unsigned wl_report_place(wl_text_t *t, const wl_cosim_t *c, unsigned view, unsigned slice,
                         unsigned row, wl_cosim_report_t *report) {
  unsigned warp = NO_WARP, reg = 0;
  if (view == WL_VIEW_RF &&
      wl_pages_register(&c->pages, c->config, slice / c->config->lanes, row, &warp, &reg)) {
    report->reg = (int)reg;
    wl_text_put(t, "sm0 warp%u rf.r%u lane %u", warp, reg,
                row % c->config->beats * c->config->lanes + slice % c->config->lanes);
  } else {
    wl_text_put(t, "sm0 %s slice %u row %u", wl_view_info[view]->name, slice, row);
  }
  return warp;
}

void wl_report_view(const wl_cosim_t *c, const wl_view_difference_t *d, const char *how,
                    wl_cosim_report_t *report) {
  wl_report_clear(c, report);
  wl_text_t text = {report->text, sizeof report->text, 0}, *t = &text;
  report->view = (int)d->view;
  wl_text_put(t, "DIVERGENCE at cycle %llu (found by the %s)  ", (unsigned long long)c->cycle, how);
  const unsigned warp = wl_report_place(t, c, d->view, d->slice, d->row, report);
  wl_text_put(t, "\n");
  wl_report_warp(t, c, warp, report);
  wl_text_put(t, "%-6s %08x\n%-6s %08x\nxor    %08x\n", c->name[0], d->value[0], c->name[1],
              d->value[1], d->value[0] ^ d->value[1]);
  wl_text_put(t, "The records of all cycles were equal: something changed outside the journalled "
                 "ports.\n");
  wl_report_history(t, c);
}

/* A signal of both sides that has no record. `reference`: the one that has it. */
void wl_report_flag(const wl_cosim_t *c, bool reference, const char *says,
                    wl_cosim_report_t *report) {
  wl_report_clear(c, report);
  snprintf(report->text, sizeof report->text, "DIVERGENCE at cycle %llu: %s %s, %s does not\n",
           (unsigned long long)c->cycle, c->name[reference ? 0 : 1], says,
           c->name[reference ? 1 : 0]);
}

void wl_report_trap_register(const wl_cosim_t *c, const wl_side_trap_t trap[2],
                             wl_cosim_report_t *report) {
  wl_report_clear(c, report);
  wl_text_t t = {report->text, sizeof report->text, 0};
  wl_text_put(&t, "DIVERGENCE at cycle %llu: trap register\n", (unsigned long long)c->cycle);
  for (unsigned i = 0; i < 2; i++)
    wl_text_put(&t, "%-6s valid %d cause %u warp %u lane %u pc %u address %llx\n", c->name[i],
                trap[i].valid, trap[i].cause, trap[i].warp, trap[i].lane, trap[i].pc,
                (unsigned long long)trap[i].address);
  wl_report_history(&t, c);
}

void wl_report_counts(wl_text_t *t, const wl_cosim_t *c) {
  for (unsigned k = 0; k < WL_NUM_JOURNAL_KINDS; k++)
    if (c->records[k] != 0)
      wl_text_put(t, " %s %llu", wl_journal_info[k].name, (unsigned long long)c->records[k]);
  wl_text_put(t, "\n");
}

void wl_cosim_summary(const wl_cosim_t *c, char *out, size_t cap) {
  if (c->mode == WL_COSIM_UNTIMED) {
    wl_untimed_summary(c, out, cap);
    return;
  }
  wl_text_t text = {out, cap, 0}, *t = &text;
  wl_text_put(t,
              "equal: every record of every cycle, %llu scrubbed words (%llu rounds), %llu full "
              "compares;",
              (unsigned long long)c->scrubbed_words, (unsigned long long)c->scrub_rounds,
              (unsigned long long)c->full_compares);
  wl_report_counts(t, c);
}

void wl_view_rtl_name(const wl_config_t *config, unsigned view, unsigned slice, char *out,
                      size_t cap) {
  wl_text_t text = {out, cap, 0};
  wl_view_t sizes;
  wl_view_sizes(config, view, &sizes);
  const unsigned per_sub = sizes.slices / config->sub_cores;
  const struct {
    const char *word;
    unsigned value;
  } words[] = {{"{lane}", slice % config->lanes},
               {"{bank}", slice % per_sub / config->lanes},
               {"{slice}", slice},
               {"{sub}", slice / per_sub},
               {"{item}", slice % per_sub},
               {"{warpsub}", slice % config->sub_cores}};
  const unsigned n = sizeof words / sizeof words[0];
  for (const char *at = wl_view_info[view]->rtl; *at != '\0';) {
    unsigned i = 0;
    while (i < n && strncmp(at, words[i].word, strlen(words[i].word)) != 0)
      i++;
    if (i == n) {
      wl_text_put(&text, "%c", *at++);
    } else {
      wl_text_put(&text, "%u", words[i].value);
      at += strlen(words[i].word);
    }
  }
}
