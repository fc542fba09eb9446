/* writers.c: the instruction that writes a register, for reports. docs/lockstep.md, "The report" */
#include "driver/lockstep/writers.h"

#include <stdio.h>
#include <string.h>

#include "driver/lockstep/journal.h"
#include "gen/wl_index.h"
#include "gen/wl_insn.h"
#include "gen/wl_packet.h"

bool wl_writers_read(const wl_config_t *config, const wl_pages_t *pages, unsigned kind,
                     const uint32_t *words, wl_write_t *out) {
  unsigned beat = 0;
  switch (kind) {
  case WL_J_RF:
    beat = words[1] % config->beats;
    out->lanes = words[2] << beat * config->lanes;
    return wl_pages_register(pages, config, words[0], words[1], &out->warp, &out->thing);
  case WL_J_PRED:
    *out = (wl_write_t){words[0], WL_THING_PRED + words[1], words[2]};
    return words[0] < config->warps && words[1] < 7;
  case WL_J_XBUF:
    *out =
        (wl_write_t){words[0], WL_THING_XBUF, words[2] << words[1] % config->beats * config->lanes};
    return words[0] < config->warps;
  default:
    return false;
  }
}

const wl_writer_t *wl_writers_find(const wl_writers_t *w, const wl_write_t *write) {
  if (write->warp >= WL_MOST_WARPS || write->thing >= WL_THINGS) return NULL;
  const wl_writer_t *x = &w->of[write->warp][write->thing];
  return write->lanes != 0 && (write->lanes & ~x->left) == 0 ? x : NULL;
}

void wl_writers_wrote(wl_writers_t *w, const wl_write_t *write) {
  if (write->warp < WL_MOST_WARPS && write->thing < WL_THINGS)
    w->of[write->warp][write->thing].left &= ~write->lanes;
}

void wl_writers_start(wl_writers_t *w, bool trapped) {
  const unsigned next = w->next_slot;
  const bool lost = w->lost || trapped;
  memset(w, 0, sizeof *w);
  w->next_slot = next;
  w->lost = lost;
}

const wl_lsu_note_t *wl_writers_port(const wl_writers_t *w, unsigned kind, const uint32_t *words) {
  const bool packet = kind == WL_J_PACKET;
  if (w->lost || (!packet && kind != WL_J_RESPONSE)) return NULL;
  const uint32_t unit = words[packet ? WL_W_PACKET_UNIT : WL_W_RESPONSE_UNIT];
  const uint32_t tag = words[packet ? WL_W_PACKET_TAG : WL_W_RESPONSE_TAG];
  const wl_lsu_note_t *note = &w->lsu[wl_tag_lsu(tag).slot & (WL_LSU_SLOTS - 1)];
  return unit == WL_FROM_LSU && note->by.exec != 0 ? note : NULL;
}

void wl_writers_issue(wl_writers_t *w, const wl_config_t *config, const uint32_t insn[4],
                      const uint32_t *issue, uint64_t cycle) {
  const unsigned form = WL_WORD_GET(insn, FORM), rd = WL_WORD_GET(insn, RD);
  const wl_writer_t writer = {cycle, issue[1], issue[3], issue[3]};
  if (!wl_form_exists(form, WL_ANY_ROW) || issue[3] == 0 || issue[0] >= WL_MOST_WARPS) return;
  const wl_form_info_t *info = &wl_form_info[form];
  /* An arrival (7.2): all lanes together have another record. */
  if (info->of.aligned == WL_ALIGNED_ALL && issue[3] != UINT32_MAX) return;
  wl_writer_t *of = w->of[issue[0]];
  const unsigned words = info->counted != 0 ? (WL_WORD_GET(insn, IMM) & 127) + 1 : info->d;
  for (unsigned k = 0; k < words && rd + k < WL_THING_XBUF; k++)
    of[rd + k] = writer;
  if (info->unit == WL_UNIT_SYNC) of[WL_THING_XBUF] = writer;
  if (info->unit == WL_UNIT_LSU) {
    w->lsu[w->next_slot] = (wl_lsu_note_t){issue[0], writer};
    w->next_slot = (w->next_slot + 1) % config->lsu_depth % WL_LSU_SLOTS;
  }
  const unsigned pred[2] = {(info->preds & WL_PRED_D) != 0 ? WL_WORD_GET(insn, PD) : 7,
                            (info->preds & WL_PRED_Q) != 0 ? WL_WORD_GET(insn, PQ) : 7};
  for (unsigned i = 0; i < 2; i++)
    if (pred[i] < 7) of[WL_THING_PRED + pred[i]] = writer;
}

void wl_writers_note(wl_writers_t *w, const wl_config_t *config, const wl_pages_t *pages,
                     const uint8_t *code, uint64_t code_bytes, const wl_cosim_record_t *records,
                     unsigned n, uint64_t cycle) {
  wl_write_t write;
  uint32_t insn[4];
  for (unsigned i = 0; i < n; i++)
    if (wl_writers_read(config, pages, records[i].kind, records[i].word, &write))
      wl_writers_wrote(w, &write);
  for (unsigned i = 0; i < n; i++) {
    const uint64_t at = 16 * (uint64_t)records[i].word[1];
    if (records[i].kind != WL_J_ISSUE || at + 16 > code_bytes) continue;
    memcpy(insn, code + at, sizeof insn);
    wl_writers_issue(w, config, insn, records[i].word, cycle);
  }
}

const char *wl_thing_name(unsigned thing, char *out, size_t cap) {
  if (thing == WL_THING_XBUF)
    snprintf(out, cap, "the exchange buffer");
  else
    snprintf(out, cap, "%c%u", thing < WL_THING_XBUF ? 'r' : 'p',
             thing < WL_THING_XBUF ? thing : thing - WL_THING_PRED);
  return out;
}
