/* cosim.h: the state behind warplock_cosim.h, shared by its files. docs/cosim.md, docs/lockstep.md
 */
#ifndef WL_LOCKSTEP_COSIM_H
#define WL_LOCKSTEP_COSIM_H
#include "driver/backend.h"
#include "driver/include/warplock_cosim.h"
#include "driver/lockstep/ahead.h"
#include "driver/lockstep/memport.h"
#include "driver/lockstep/side.h"
#include "driver/lockstep/writers.h"
#include "driver/trace/pages.h"

/* Kept: more than are shown, so that those of the oldest cycle shown are all there. */
enum { WL_HISTORY = 128, WL_HISTORY_SHOWN = 16 };
enum { WL_SCRUB_WORDS = 16 /* 64 bytes per cycle */ };

/* The last records of a side, kept as words: text is made only for a report. */
typedef struct wl_history_record {
  uint64_t cycle;
  bool valid;
  wl_cosim_record_t record;
} wl_history_record_t;
typedef struct wl_history {
  wl_history_record_t record[WL_HISTORY];
  unsigned next;
} wl_history_t;

/* What the last issues were, to name an instruction in a report. */
typedef struct wl_issue_note {
  uint64_t cycle;
  uint32_t pc, exec;
  bool valid;
} wl_issue_note_t;

typedef struct wl_untimed wl_untimed_t;

struct wl_cosim {
  const wl_config_t *config;
  unsigned config_id;
  wl_cosim_mode_t mode;
  bool compare_full;
  char dut_name[32];
  const char *name[2]; /* of reference and DUT, in reports */
  wl_device_t *device; /* NULL: memory of the caller */
  uint8_t *mem[2];     /* of reference and DUT */
  uint64_t mem_bytes;
  wl_side_t *model;
  wl_memport_t port;
  void (*record)(void *context, uint64_t cycle, const wl_cosim_record_t *records, unsigned n);
  void *record_context;

  uint64_t cycle; /* of the DUT: steps since create */
  uint64_t launch_block;
  bool start, running, diverged; /* start: pulse in the next step */
  bool signals, done, hang;      /* of the DUT, if it gives them */
  bool has_trap;                 /* `trap` was given for this step */
  wl_side_trap_t trap;           /* trap register of the DUT */
  uint64_t wrote;                /* sector that the DUT's port has written in this cycle, 0: none */
  wl_journal_t journal;          /* the reference's, of this cycle */
  const wl_cosim_record_t *dut;  /* the DUT's, of this cycle */
  unsigned dut_records;
  wl_view_t view[2][WL_NUM_VIEWS];
  bool registered[WL_NUM_VIEWS], any_registered;
  unsigned scrub_view, scrub_slice, scrub_row;
  uint64_t records[WL_NUM_JOURNAL_KINDS], full_compares, scrub_rounds, scrubbed_words;
  uint64_t code_base;
  wl_issue_note_t issue[WL_MOST_WARPS];
  wl_pages_t pages;
  wl_writers_t writers; /* by the reference's records before those of `journal` */
  wl_history_t history[2];
  wl_untimed_t *untimed;
  wl_ahead_t *ahead; /* NULL: the reference works in the caller's thread */
  char error[512];
};

/* compare.c: arrays. False when they differ; then the report is filled. */
bool wl_cosim_compare_arrays(wl_cosim_t *c, const char *how, wl_cosim_report_t *report);
bool wl_cosim_scrub(wl_cosim_t *c, wl_cosim_report_t *report);
/* The sector that was written in this cycle: a write performs when the memory accepts it. */
bool wl_cosim_compare_written(wl_cosim_t *c, wl_cosim_report_t *report);
bool wl_cosim_compare_memory(wl_cosim_t *c, wl_cosim_report_t *report);

/* cosim.c: what wl_cosim_signals and wl_cosim_trap were given last. */
bool wl_cosim_compare_outputs(wl_cosim_t *c, wl_cosim_report_t *report);

/* report.c */
typedef struct wl_log {
  void (*line)(void *context, const char *line);
  void *context;
} wl_log_t;
/* A line for each record, to a wl_log_t: wl_cosim_options_t.record. */
void wl_log_records(void *log, uint64_t cycle, const wl_cosim_record_t *records, unsigned n);
/* A difference as the result of a run. */
void wl_report_result(const wl_cosim_report_t *report, wl_run_result_t *result);
typedef struct wl_text {
  char *out;
  size_t cap, at;
} wl_text_t;
void wl_text_put(wl_text_t *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void wl_report_clear(const wl_cosim_t *c, wl_cosim_report_t *report);
void wl_report_records(const wl_cosim_t *c, const wl_journal_difference_t *difference,
                       wl_cosim_report_t *report);
typedef struct wl_view_difference {
  unsigned view, slice, row;
  uint32_t value[2];
} wl_view_difference_t;
void wl_report_view(const wl_cosim_t *c, const wl_view_difference_t *difference, const char *how,
                    wl_cosim_report_t *report);
/* wl_cosim_signals and, where the launch ends, wl_cosim_trap, of a side. */
void wl_cosim_take_signals(wl_cosim_t *c, const wl_side_ops_t *ops, const wl_side_t *side);
/* Trap registers that differ: the reference's, the DUT's. */
void wl_report_trap_register(const wl_cosim_t *c, const wl_side_trap_t trap[2],
                             wl_cosim_report_t *report);
void wl_report_flag(const wl_cosim_t *c, bool reference, const char *says,
                    wl_cosim_report_t *report);
/* The instruction word at a pc of the launch's code, disassembled. */
void wl_report_instruction(wl_text_t *t, const wl_cosim_t *c, uint32_t pc);
void wl_report_last_issue(wl_text_t *t, const wl_cosim_t *c, const wl_issue_note_t *note,
                          unsigned warp);
/* A side's records of a cycle, for its writers. */
void wl_cosim_note_writers(const wl_cosim_t *c, wl_writers_t *writers, const wl_pages_t *pages,
                           const wl_cosim_record_t *records, unsigned n, uint64_t cycle);
void wl_report_history(wl_text_t *t, const wl_cosim_t *c);
/* How many records of each kind there were. */
void wl_report_counts(wl_text_t *t, const wl_cosim_t *c);
/* The thing that a record of this kind is about; returns its warp, WL_MOST_WARPS: none. */
unsigned wl_report_thing(wl_text_t *t, const wl_cosim_t *c, unsigned kind, const uint32_t *words,
                         wl_cosim_report_t *report);
/* The instruction that a record is about, also into the report: the writer of what it writes, else
 * the warp's last issue. */
void wl_report_about(wl_text_t *t, const wl_cosim_t *c, unsigned kind, const uint32_t *words,
                     unsigned warp, wl_cosim_report_t *report);
void wl_report_writer(wl_text_t *t, const wl_cosim_t *c, const wl_write_t *write,
                      const wl_writer_t *writer, wl_cosim_report_t *report);
/* The warp's last issue, also into the report. */
void wl_report_warp(wl_text_t *t, const wl_cosim_t *c, unsigned warp, wl_cosim_report_t *report);
/* The words that differ between a record of each side. */
void wl_report_words(wl_text_t *t, const wl_cosim_t *c, const wl_journal_difference_t *difference);
/* A word of an array by its architectural name; returns its warp, WL_MOST_WARPS: none. */
unsigned wl_report_place(wl_text_t *t, const wl_cosim_t *c, unsigned view, unsigned slice,
                         unsigned row, wl_cosim_report_t *report);
void wl_history_add(wl_history_t *history, uint64_t cycle, const wl_cosim_record_t *records,
                    unsigned n);

/* untimed.c */
bool wl_untimed_open(wl_cosim_t *c);
void wl_untimed_close(wl_cosim_t *c);
void wl_untimed_start(wl_cosim_t *c);
wl_cosim_verdict_t wl_untimed_step(wl_cosim_t *c, wl_cosim_report_t *report);
wl_cosim_verdict_t wl_untimed_end(wl_cosim_t *c, wl_cosim_report_t *report);
void wl_untimed_summary(const wl_cosim_t *c, char *out, size_t cap);

/* The reference, for views of it. */
wl_side_t *wl_cosim_reference(wl_cosim_t *c);
/* cosim.c: one cycle of the reference; its records are in c->journal. */
void wl_cosim_step_reference(wl_cosim_t *c);
/* One cycle of the reference alone, noted for reports: for a core whose records are not at hand
 * (docs/fpga.md 7). Its records are in c->journal. */
void wl_cosim_advance(wl_cosim_t *c);

/* driver/cosim_device.c: device of a cosim, and its launches. */
wl_status_t wl_cosim_open_device(wl_cosim_t *c, uint64_t seed, uint64_t mem_bytes);

#endif
