/* lockstep.h: runs one or two sides cycle by cycle. docs/lockstep.md */
#ifndef WL_LOCKSTEP_LOCKSTEP_H
#define WL_LOCKSTEP_LOCKSTEP_H
#include "driver/backend.h"
#include "driver/lockstep/side.h"

enum { WL_HISTORY = 16, WL_SCRUB_WORDS = 8 /* 32 bytes per cycle */ };

/* The last records of a side, kept as words: text is made only for a report. */
typedef struct wl_history_record {
  uint64_t cycle;
  uint8_t kind, n;
  bool valid;
  uint32_t words[WL_RECORD_MAX_WORDS];
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

typedef struct wl_lockstep {
  const wl_config_t *config;
  const wl_side_ops_t *ops[2]; /* ops[1] NULL: one side alone */
  wl_side_t *side[2];
  uint8_t *mem[2];
  uint8_t *own_mem; /* second image, NULL for one side */
  uint64_t mem_bytes, seed;
  bool compare_full;
  void (*log)(void *context, const char *line);
  void *log_context;
  bool (*stop)(void *context);
  void *stop_context;

  uint64_t cycle; /* of the device, never cleared */
  wl_journal_t journal[2];
  wl_view_t view[2][WL_NUM_VIEWS];
  unsigned scrub_view, scrub_slice, scrub_row;
  uint64_t records[32], full_compares, scrub_rounds, scrubbed_words;
  uint64_t code_base;
  wl_issue_note_t issue[64];
  uint16_t page_owner[512]; /* warp << 8 | map entry + 1 */
  wl_history_t history[2];
  bool diverged, report_has_pc;
  uint32_t report_pc; /* instruction that the report names */
} wl_lockstep_t;

wl_lockstep_t *wl_lockstep_open(const wl_backend_desc_t *desc, const wl_side_ops_t *first,
                                const wl_side_ops_t *second, char *err, size_t cap);
void wl_lockstep_run(wl_lockstep_t *lockstep, uint64_t launch_block, uint64_t max_cycles,
                     wl_run_result_t *result);
void wl_lockstep_dump(wl_lockstep_t *lockstep, void (*line)(void *, const char *), void *context);
void wl_lockstep_close(wl_lockstep_t *lockstep);

/* report.c: text of a divergence. */
void wl_report_records(wl_lockstep_t *lockstep, const wl_journal_difference_t *difference,
                       char *out, size_t cap);
typedef struct wl_view_difference {
  unsigned view, slice, row;
  uint32_t value[2];
} wl_view_difference_t;
void wl_report_view(wl_lockstep_t *lockstep, const wl_view_difference_t *difference,
                    const char *how, char *out, size_t cap);
void wl_report_summary(const wl_lockstep_t *lockstep, char *out, size_t cap);
#endif
