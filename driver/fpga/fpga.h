/* fpga.h: the backend `fpga`, a board at a port, alone or in lockstep with the golden model; what
 * its files share. docs/fpga.md 7. */
#ifndef WL_FPGA_FPGA_H
#define WL_FPGA_FPGA_H
#include "driver/backend.h"
#include "driver/fpga/board.h"
#include "driver/fpga/digest.h"
#include "driver/lockstep/cosim.h"

/* arrays.c: a copy of the four arrays, by view, slice, row. */
typedef struct wl_arrays {
  uint32_t *words[WL_NUM_VIEWS];
  wl_view_t size[WL_NUM_VIEWS];
} wl_arrays_t;
bool wl_arrays_open(wl_arrays_t *a, const wl_config_t *config);
void wl_arrays_close(wl_arrays_t *a);
bool wl_arrays_peek(wl_arrays_t *a, wl_link_t *link);
/* Copies the reference's. */
void wl_arrays_copy(wl_arrays_t *a, const wl_cosim_t *cosim);
bool wl_arrays_poke(const wl_arrays_t *a, wl_link_t *link);
static inline uint32_t *wl_arrays_word(const wl_arrays_t *a, unsigned view, unsigned slice,
                                       unsigned row) {
  return &a->words[view][(size_t)slice * a->size[view].rows + row];
}
/* The next word at or behind *at that differs; false: none. */
typedef struct wl_array_place {
  unsigned view, slice, row;
} wl_array_place_t;
bool wl_arrays_differ(const wl_arrays_t *a, const wl_arrays_t *b, wl_array_place_t *at);
void wl_arrays_next(const wl_arrays_t *a, wl_array_place_t *at);

typedef struct wl_fpga {
  wl_backend_desc_t desc;
  wl_link_t link;
  uint64_t moved;    /* bytes of memory sent and read */
  uint8_t *before;   /* image of memory as the launch found it; lockstep */
  wl_arrays_t seeds; /* contents of the arrays at time 0; lockstep */
  bool lockstep;
  uint64_t max_cycles;
} wl_fpga_t;

/* The model of a launch beside the board: steps, and the signatures that they make. */
typedef struct wl_twin {
  wl_cosim_t *cosim;
  wl_digest_t digest;
  wl_log_t log;
  uint64_t cycle; /* the one that comes next; ticks since reset */
  char error[512];
} wl_twin_t;
/* Memory is the launch's image and gets its results. Stepped to the board's cycle; then the next
 * step is START's. False with twin->error. Close either way. */
bool wl_twin_open(wl_twin_t *t, const wl_backend_desc_t *desc, uint8_t *mem, bool log,
                  uint64_t launch_block, uint64_t cycle);
void wl_twin_close(wl_twin_t *t);
void wl_twin_step(wl_twin_t *t);
bool wl_twin_ended(const wl_twin_t *t); /* done, or the watchdog */

/* The board at a known core cycle of a launch that can be begun again. */
typedef struct wl_rerun {
  wl_fpga_t *fpga;
  uint64_t launch_block;
  uint64_t start;                       /* cycle of START */
  uint32_t first[WL_NUM_JOURNAL_KINDS]; /* signatures read there, in this run */
  uint64_t at;                          /* cycle that the core stands in */
  bool lost;                            /* its state was read out */
  unsigned trips, runs;                 /* looks at the board in a search; launches begun */
} wl_rerun_t;
/* Reset, arrays and memory as the launch found them, START. */
bool wl_rerun_begin(wl_rerun_t *r);
/* Lets the core tick to a cycle, from the launch's start if that lies behind it. */
bool wl_rerun_to(wl_rerun_t *r, uint64_t cycle);
/* The signatures as they were if they had been 0 in the cycle of START. */
bool wl_rerun_read(wl_rerun_t *r, uint32_t signature[WL_NUM_JOURNAL_KINDS]);
/* Goes there and reads them. */
bool wl_rerun_look(wl_rerun_t *r, uint64_t cycle, uint32_t signature[WL_NUM_JOURNAL_KINDS]);

/* lock.c: a launch in lockstep; link errors are in fpga->link.error and make the result. */
bool wl_fpga_open_lockstep(wl_fpga_t *f, char *err, size_t cap);
void wl_fpga_close_lockstep(wl_fpga_t *f);
void wl_fpga_lockstep(wl_fpga_t *f, uint64_t launch_block, wl_run_result_t *result);
/* What a link error or a wish to stop makes of a run. */
void wl_fpga_link_failed(wl_fpga_t *f, wl_run_result_t *result);
void wl_fpga_take_trap(const wl_board_state_t *s, wl_run_result_t *result);

/* find.c: the signatures are equal in cycle `low` and differ in `high`: to a report. */
void wl_fpga_find(wl_rerun_t *r, uint64_t low, uint64_t high, wl_run_result_t *result);
/* A word of an array was `seen` to differ in cycle `cycle`, all signatures to it are equal. */
void wl_fpga_find_word(wl_rerun_t *r, uint64_t cycle, const wl_array_place_t *place, uint32_t seen,
                       wl_run_result_t *result);
/* A model of the launch on memory of its own, stepped to a cycle. */
typedef struct wl_past {
  wl_twin_t twin;
  uint8_t *mem;
} wl_past_t;
bool wl_past_open(wl_past_t *p, const wl_rerun_t *r);
void wl_past_close(wl_past_t *p);

/* tell.c: reports. What is known of the cycle whose signatures differ. */
typedef struct wl_found {
  uint64_t cycle;                       /* of the records */
  uint32_t delta[WL_NUM_JOURNAL_KINDS]; /* board's and model's folds of that cycle */
  const wl_arrays_t *board, *model;     /* behind the cycle; NULL: not read */
  bool arrays_known;
} wl_found_t;
void wl_tell_records(const wl_rerun_t *r, const wl_cosim_t *c, const wl_found_t *found,
                     wl_run_result_t *result);
void wl_tell_word(const wl_rerun_t *r, const wl_cosim_t *c, const wl_array_place_t *place,
                  const uint32_t value[2], uint64_t from, uint64_t cycle, const char *shown,
                  wl_run_result_t *result);

#endif
