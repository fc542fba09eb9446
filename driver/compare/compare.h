/* compare.h: what the files of a comparison with a log share. docs/compare.md.
 * The log drives: for each record the lanes that it names execute one instruction of the reference
 * (replay.c), and what they wrote is compared (machine.c, ptx.c). What a thread cannot know by
 * itself - loaded values, results of exchanges - comes from a run of the functional backend that
 * went before (inputs.c), or, with followed loads, from the log. So the order of the log counts by
 * thread only, and memory is needed for the warps that are under way, not for the whole log. */
#ifndef WL_DRIVER_COMPARE_COMPARE_H
#define WL_DRIVER_COMPARE_COMPARE_H
#include <stdarg.h>
#include <stdio.h>

#include "driver/compare/json.h"
#include "driver/func/func.h"
#include "driver/include/warplock_compare.h"
#include "driver/internal.h"

/* ---- what lanes do to memory (access.c) */
#define CMP_SHARED_WINDOW UINT64_C(0x00010000) /* upper address words (space.def) */
#define CMP_LOCAL_WINDOW  UINT64_C(0x00020000)
typedef struct cmp_access {
  bool there;
  wl_mem_kind_t kind;
  wl_mem_space_t space; /* GLOBAL, SHARED or LOCAL */
  uint32_t bytes;
  uint64_t address; /* in that space */
  uint64_t generic;
  uint8_t value[16], other[16]; /* stored; operand and second operand of an atomic */
} cmp_access_t;
void cmp_access(const func_warp_t *w, const wl_insn_dec_t *i, uint32_t lane, cmp_access_t *out);
/* "global", or what another name of the same place is; the address is converted. */
const char *cmp_space_name(wl_mem_space_t space);

/* Instructions whose result depends on other threads or on time. */
typedef enum cmp_source { CMP_OWN, CMP_LOAD, CMP_ATOMIC, CMP_EXCHANGE, CMP_TIME } cmp_source_t;
cmp_source_t cmp_source(const wl_insn_dec_t *i);
/* Words of the result; of a counted destination as many as the instruction says. */
static inline uint32_t cmp_words(const wl_insn_dec_t *i) {
  return i->info->counted != 0 ? i->count : i->info->d;
}

/* ---- values of the run before (inputs.c): by thread, in its order */
typedef struct cmp_stream {
  uint32_t *word;
  uint32_t count, cap, at;
} cmp_stream_t;
typedef struct cmp_inputs {
  cmp_stream_t *thread;
  uint64_t threads;
  bool failed; /* out of memory */
} cmp_inputs_t;

/* ---- counts */
typedef enum cmp_count {
#define COUNT(id, compared, name, text) CMP_N_##id,
#include "driver/compare/counts.def"
#undef COUNT
  CMP_COUNTS
} cmp_count_t;

/* ---- a record of the log (record.c) */
enum {
  CMP_F_REGS = 1,
  CMP_F_PREDS = 2,
  CMP_F_STORES = 4,
  CMP_F_ATOMICS = 8,
  CMP_F_LOADS = 16,
  CMP_F_EXIT = 32
};
typedef struct cmp_record {
  uint64_t cta;        /* linear */
  uint32_t warp, mask; /* lanes that it is about */
  bool thread;         /* of one thread: values are not lists */
  bool has_pc, has_exec;
  uint32_t pc, exec, line;
  uint32_t regs, preds, stores, atomics, loads, exit; /* nodes, 0: not there */
} cmp_record_t;

typedef struct cmp_meeting cmp_meeting_t; /* exchange.c */
typedef struct cmp_warp {
  func_warp_t w;
  uint64_t cta;
  uint8_t *local;             /* of followed loads */
  cmp_meeting_t *meetings;    /* exchanges of followed loads that lack lanes */
  uint32_t last_pc[WL_LANES]; /* level ptx: where the last line began */
} cmp_warp_t;

/* What a step of the reference did. Behind a wait for an mbarrier that was not over (w.wait) a lane stands
 * behind the wait or at the test before it, as the next record says. */
typedef struct cmp_step {
  uint32_t pc, lanes, exec;
  uint32_t taken; /* lanes whose result is the log's */
  const wl_insn_dec_t *dec;
  wl_trap_t trap;
  cmp_access_t access[WL_LANES];
} cmp_step_t;

struct wl_compare {
  wl_function_t *function;
  const wl_obj_t *obj;
  func_sm_t *sm; /* code and launch of the reference; its CTA 0 is the one that is stepped */
  wl_compare_options_t options;
  cmp_inputs_t inputs;
  uint64_t ctas;
  cmp_warp_t **warp; /* by CTA and index; NULL: not begun, or ended */
  bool *ended;
  uint8_t **shared; /* by CTA, with followed loads */
  cmp_json_t json;
  uint64_t line, end_line; /* of the log */
  cmp_meeting_t *meeting;  /* of the lane that is stepped */
  bool *has_code;          /* by PTX line up to last_line: machine instructions come from it */
  uint32_t last_line;
  unsigned level;      /* 0: no header yet, 1 machine, 2 PTX */
  unsigned fields;     /* declared: what is not there did not happen */
  cmp_record_t record; /* the present one */
  cmp_step_t step;
  uint64_t count[CMP_COUNTS];
  wl_status_t status; /* not WL_OK: over */
  char *text, *report_json;
  /* the first difference */
  struct {
    uint64_t line, cta;
    uint32_t warp, lane, pc;
    bool has_thread, has_pc;
    char what[200], expected[80], got[80];
  } difference;
};

/* ---- compare.c. Each returns false, for `return cmp_differ(...)`. */
bool cmp_bad(wl_compare_t *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
typedef struct cmp_place {
  const cmp_warp_t *warp; /* NULL: the record's numbers */
  uint32_t lane, pc;      /* pc WL_OBJ_NONE: none */
} cmp_place_t;
bool cmp_differ(wl_compare_t *c, cmp_place_t at, const char *expected, const char *got,
                const char *format, ...) __attribute__((format(printf, 5, 6)));
static inline void cmp_count(wl_compare_t *c, cmp_count_t what, uint64_t n) { c->count[what] += n; }

/* ---- access.c, inputs.c */
bool cmp_inputs_run(wl_compare_t *c); /* false: the status and the text are set */
void cmp_inputs_free(cmp_inputs_t *in);

/* ---- record.c: the present line into c->record; false after cmp_bad or cmp_differ */
bool cmp_record_read(wl_compare_t *c, uint32_t object);
bool cmp_header_read(wl_compare_t *c, uint32_t object);
/* The value of a lane of the record in a member of regs or preds. */
typedef enum cmp_given { CMP_ABSENT, CMP_UNKNOWN, CMP_GIVEN, CMP_WRONG } cmp_given_t;
cmp_given_t cmp_value_of(wl_compare_t *c, uint32_t node, uint32_t lane, unsigned bits,
                         uint64_t *out);
/* The value that the log has for a machine register or predicate, written by the step at pc. */
bool cmp_logged_reg(wl_compare_t *c, uint32_t pc, uint32_t reg, uint32_t lane, uint32_t *out);
bool cmp_logged_pred(wl_compare_t *c, uint32_t pc, uint32_t pred, uint32_t lane, bool *out);

/* ---- replay.c */
cmp_warp_t *cmp_warp_get(wl_compare_t *c, uint64_t cta, uint32_t warp); /* NULL: after a failure */
/* Lanes, all at pc, execute it: c->step. False: it trapped, or a needed value is not in the log. */
bool cmp_step(wl_compare_t *c, cmp_warp_t *cw, uint32_t pc, uint32_t lanes);
uint32_t cmp_guarded_off(const wl_compare_t *c, const cmp_warp_t *cw, uint32_t lane);
void cmp_warp_ended(wl_compare_t *c, cmp_warp_t *cw); /* frees it where no lane is live */

/* ---- exchange.c: a lane brings its operands, then has its result from the log */
void cmp_meet_latch(wl_compare_t *c, cmp_warp_t *cw, uint32_t lane);
void cmp_meet_result(wl_compare_t *c, cmp_warp_t *cw, uint32_t lane);
bool cmp_meet_check(wl_compare_t *c, cmp_warp_t *cw); /* those that are complete */
void cmp_meet_free(cmp_warp_t *cw);

/* ---- memory.c: stores, atomics and loads of the record against accesses of the lanes */
typedef struct cmp_expect {
  cmp_access_t access;
  uint32_t lane, pc, covered; /* bytes that the log has named */
} cmp_expect_t;
bool cmp_memory(wl_compare_t *c, const cmp_warp_t *cw, cmp_expect_t *expected, uint32_t count);

/* ---- machine.c, ptx.c: the present record */
bool cmp_machine(wl_compare_t *c);
bool cmp_ptx(wl_compare_t *c);
bool cmp_ptx_open(wl_compare_t *c);                   /* behind the header; false: out of memory */
bool cmp_ptx_finish(wl_compare_t *c, cmp_warp_t *cw); /* implicit returns behind the last record */
/* The log's value for a machine register or predicate that the instruction at pc writes. */
bool cmp_ptx_logged(wl_compare_t *c, uint32_t pc, bool pred, uint32_t number, uint32_t lane,
                    uint64_t *out);
/* The log's value for the predicate of the line at pc. */
bool cmp_ptx_logged_test(wl_compare_t *c, uint32_t pc, uint32_t lane, bool *out);

/* ---- effects.c: a formatted piece of a file, of at most 1023 bytes. */
void cmp_put(wl_text_t text, void *context, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* ---- report.c */
void cmp_report(wl_compare_t *c);

#endif
