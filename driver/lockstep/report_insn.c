/* report_insn.c: the instruction that a difference is about. docs/lockstep.md, "The report" */
#include <string.h>

#include "driver/backend.h"
#include "driver/lockstep/cosim.h"
#include "isa/obj/dis.h"

void wl_report_instruction(wl_text_t *t, const wl_cosim_t *c, uint32_t pc) {
  const uint64_t at = c->code_base - WL_MEM_BASE + 16 * (uint64_t)pc;
  char text[160] = "?";
  if (at + 16 <= c->mem_bytes) {
    uint32_t word[4];
    memcpy(word, c->mem[0] + at, sizeof word);
    wl_dis_word(word, text, sizeof text);
  }
  wl_text_put(t, "pc %u  %s", pc, text);
}

void wl_report_last_issue(wl_text_t *t, const wl_cosim_t *c, const wl_issue_note_t *n,
                          unsigned warp) {
  wl_text_put(t, "insn   last issue of warp %u: ", warp);
  wl_report_instruction(t, c, n->pc);
  wl_text_put(t, "  (cycle %llu, lanes %08x)\n", (unsigned long long)n->cycle, n->exec);
}

void wl_report_writer(wl_text_t *t, const wl_cosim_t *c, const wl_write_t *write,
                      const wl_writer_t *writer, wl_cosim_report_t *report) {
  char name[24];
  wl_text_put(t, "insn   writer of %s of warp %u: ", wl_thing_name(write->thing, name, sizeof name),
              write->warp);
  wl_report_instruction(t, c, writer->pc);
  wl_text_put(t, "  (issued in cycle %llu, lanes %08x)\n", (unsigned long long)writer->cycle,
              writer->exec);
  report->warp = (int)write->warp;
  report->has_pc = true;
  report->pc = writer->pc;
}

void wl_report_warp(wl_text_t *t, const wl_cosim_t *c, unsigned warp, wl_cosim_report_t *report) {
  if (warp >= WL_MOST_WARPS) return;
  report->warp = (int)warp;
  if (!c->issue[warp].valid) return;
  report->has_pc = true;
  report->pc = c->issue[warp].pc;
  wl_report_last_issue(t, c, &c->issue[warp], warp);
}

/* The instruction that was fetched or issued, as the record says. */
static void put_own(wl_text_t *t, const wl_cosim_t *c, const char *what, const uint32_t *words,
                    wl_cosim_report_t *report) {
  wl_text_put(t, "insn   %s by warp %u: ", what, words[0]);
  wl_report_instruction(t, c, words[1]);
  wl_text_put(t, "\n");
  report->warp = (int)words[0];
  report->has_pc = true;
  report->pc = words[1];
}

/* The instruction in an LSU slot. */
static void put_port(wl_text_t *t, const wl_cosim_t *c, const wl_lsu_note_t *note,
                     wl_cosim_report_t *report) {
  wl_text_put(t, "insn   in this slot, of warp %u: ", note->warp);
  wl_report_instruction(t, c, note->by.pc);
  wl_text_put(t, "  (issued in cycle %llu, lanes %08x)\n", (unsigned long long)note->by.cycle,
              note->by.exec);
  report->warp = (int)note->warp;
  report->has_pc = true;
  report->pc = note->by.pc;
}

static bool has_record(const wl_cosim_record_t *list, unsigned n, const wl_cosim_record_t *r) {
  for (unsigned i = 0; i < n; i++)
    if (list[i].kind == r->kind && list[i].words == r->words &&
        memcmp(list[i].word, r->word, r->words * sizeof *r->word) == 0)
      return true;
  return false;
}

/* A write of this cycle that only one side makes, by an instruction in flight: where a side writes
 * another register than it should, the other side writes the right one. */
static bool put_other(wl_text_t *t, const wl_cosim_t *c, unsigned kind, wl_cosim_report_t *report) {
  const wl_cosim_record_t *list[2] = {c->journal.record, c->dut};
  const unsigned n[2] = {c->journal.records, c->dut_records};
  wl_write_t write;
  for (unsigned side = 0; side < 2 && c->dut != NULL; side++)
    for (unsigned i = 0; i < n[side]; i++) {
      const wl_cosim_record_t *r = &list[side][i];
      if (r->kind != kind || has_record(list[1 - side], n[1 - side], r) ||
          !wl_writers_read(c->config, &c->pages, kind, r->word, &write))
        continue;
      const wl_writer_t *writer = wl_writers_find(&c->writers, &write);
      if (writer == NULL) continue;
      wl_report_writer(t, c, &write, writer, report);
      wl_text_put(t, "       which only %s makes in this cycle\n", c->name[side]);
      return true;
    }
  return false;
}

void wl_report_about(wl_text_t *t, const wl_cosim_t *c, unsigned kind, const uint32_t *words,
                     unsigned warp, wl_cosim_report_t *report) {
  char name[24];
  wl_write_t write;
  if (kind == WL_J_ISSUE || kind == WL_J_FETCH) {
    put_own(t, c, kind == WL_J_ISSUE ? "issued" : "fetched", words, report);
    return;
  }
  const wl_lsu_note_t *port = wl_writers_port(&c->writers, kind, words);
  if (port != NULL) {
    put_port(t, c, port, report);
    return;
  }
  if (!wl_writers_read(c->config, &c->pages, kind, words, &write)) {
    wl_report_warp(t, c, warp, report);
    return;
  }
  const wl_writer_t *writer = wl_writers_find(&c->writers, &write);
  if (writer != NULL) {
    wl_report_writer(t, c, &write, writer, report);
    return;
  }
  if (put_other(t, c, kind, report)) return;
  wl_report_warp(t, c, warp, report);
  wl_text_put(t, "       no instruction in flight writes lanes %08x of %s of warp %u\n",
              write.lanes, wl_thing_name(write.thing, name, sizeof name), write.warp);
}
