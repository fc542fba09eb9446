/* warplock_cosim.h: compare a core of yours (the device under test, DUT) with the golden model.
 * docs/cosim.md says how to attach one; the records are those of docs/lockstep.md. Warplock's own
 * lockstep of model and RTL is a client of these functions and compares nothing beside them.
 *
 * Order of calls:
 *   wl_cosim_create; wl_cosim_device, and on it wl_alloc, wl_write, wl_module_load of warplock.h;
 *   wl_cosim_launch: the launch block is written, the DUT's image is made a copy of the
 * reference's; one wl_cosim_step per clock of the DUT; wl_cosim_end; again wl_cosim_launch, or
 * destroy. Nothing that the reference knows is given to the DUT: it gets its own memory image, the
 * address of the launch block, and answers of the memory port made from its own requests.
 *
 * One cosim may be used by one thread at a time, several cosims by several threads. Nothing prints
 * or exits. Structures that callers fill begin with their size, so that later versions can grow. */
#ifndef WARPLOCK_COSIM_H
#define WARPLOCK_COSIM_H
#include "warplock.h"
#include "warplock_layout.h"
#ifdef __cplusplus
extern "C" {
#endif
/* What the shared library shows; everything else of it is hidden. */
#pragma GCC visibility push(default)

typedef struct wl_cosim wl_cosim_t;

typedef enum wl_cosim_mode {
  WL_COSIM_CYCLE = 0, /* every record in its cycle: a core with the contract's timing */
  WL_COSIM_UNTIMED    /* architectural effects in program order: a core with any timing */
} wl_cosim_mode_t;

typedef struct wl_cosim_options {
  size_t struct_size; /* sizeof(wl_cosim_options_t) */
  wl_layout_t
      layout;    /* the row of wl_layouts that the DUT was written for; names the configuration */
  uint64_t seed; /* of memories at time 0, and of the disturbance */
  const char *disturb; /* "none" (default), "light", "heavy": of reference and memory port */
  wl_cosim_mode_t mode;
  unsigned
      threads; /* 0, 1; 2: cycle mode: the reference may work beside the DUT (wl_cosim_begin) */
  bool compare_full;    /* cycle mode: registered arrays in every cycle instead of the scrub */
  const char *dut_name; /* in reports; default "dut" */
  uint64_t mem_bytes;   /* device memory; default 64 MiB */
  /* Reference memory of the caller, [4 GiB, 4 GiB + mem_bytes), multiple of 64 bytes, valid until
   * destroy: then there is no device, and launches are given with wl_cosim_start. Usually NULL. */
  uint8_t *mem;
  /* Called with the reference's records of every one of its cycles, for logs; may be NULL. */
  void (*record)(void *context, uint64_t cycle, const wl_cosim_record_t *records, unsigned n);
  void *record_context;
} wl_cosim_options_t;

/* WL_ERR_INPUT when header and library do not agree (the text names both), or a value is wrong.
 * *out is NULL only when out of memory; else wl_cosim_error tells, and it is to be destroyed. */
wl_status_t wl_cosim_create(const wl_cosim_options_t *options, wl_cosim_t **out);
void wl_cosim_destroy(wl_cosim_t *c);
const char *wl_cosim_error(const wl_cosim_t *c); /* of the last failed call but wl_cosim_step */
/* The layout of this library for a configuration, NULL if there is no such configuration. */
const wl_layout_t *wl_cosim_layout(const char *config);

/* ---- launches */
/* Memory and modules of the reference (warplock.h); NULL with memory of the caller. wl_launch on it
 * is refused: launches of a cosim are stepped. After wl_cosim_end, wl_read gives the results. */
wl_device_t *wl_cosim_device(wl_cosim_t *c);
/* Checks and writes a launch like wl_launch, then wl_cosim_start. */
wl_status_t wl_cosim_launch(wl_cosim_t *c, wl_function_t *function, const wl_launch_t *launch,
                            const wl_arg_t *args, unsigned arg_count);
/* The launch block is in memory: the next step is the cycle in which start_i is 1. Copies the
 * reference's memory to the DUT's. Refused while a launch is under way. */
wl_status_t wl_cosim_start(wl_cosim_t *c, uint64_t launch_block);
/* What the DUT is to be started with (launch_addr_i); 0 before the first launch. */
uint64_t wl_cosim_launch_block(const wl_cosim_t *c);
/* The DUT's own image of device memory: the DUT, or wl_cosim_port_*, reads and writes it. */
uint8_t *wl_cosim_memory(wl_cosim_t *c, uint64_t *base, uint64_t *bytes);

/* ---- comparison */
typedef enum wl_cosim_verdict {
  WL_COSIM_EQUAL = 0, /* so far */
  WL_COSIM_DONE,      /* equal, and the launch has ended in this cycle: call wl_cosim_end */
  WL_COSIM_DIVERGED,  /* report->text explains; further steps are refused until the next create */
  WL_COSIM_ERROR /* a record that the layout does not have, a call out of order: report->text */
} wl_cosim_verdict_t;

enum { WL_COSIM_TEXT = 8192 };
typedef struct wl_cosim_report {
  uint64_t cycle; /* of the DUT */
  int kind;       /* wl_journal_kind_t of the record, -1: none */
  int view;       /* wl_view_id_t of the array, -1: none */
  int warp, reg;  /* warp slot and register that it is about, -1: none */
  bool has_pc;
  uint32_t pc; /* of the instruction that it is about: docs/lockstep.md, "The report" */
  char text[WL_COSIM_TEXT];
} wl_cosim_report_t;

/* One clock of the DUT: all records of events that act in it, in any order. Cycle 0 is the first
 * after reset; in cycle mode every clock from then on is one step, also between launches. `report`
 * is filled when the result is WL_COSIM_DIVERGED or WL_COSIM_ERROR. */
wl_cosim_verdict_t wl_cosim_step(wl_cosim_t *c, const wl_cosim_record_t *records, unsigned n,
                                 wl_cosim_report_t *report);
/* Optional, before the DUT is evaluated for the coming step: with two threads the reference works on
 * its cycle meanwhile. From here to wl_cosim_step only wl_cosim_port_*, wl_cosim_memory,
 * wl_cosim_signals and wl_cosim_trap may be called, and the process must not fork. */
void wl_cosim_begin(wl_cosim_t *c);
/* Before a step: outputs done_o and hang_o of the DUT as they are after this clock's edge. Once
 * called, call it before every step. Cycle mode compares them in each step, untimed mode ends the
 * launch by done. Without it, cycle mode ends with the reference and untimed never by itself. */
void wl_cosim_signals(wl_cosim_t *c, bool done, bool hang);
/* Before a step: output trap_o of the DUT after this clock's edge (cause: trap.def; lane 0..31; pc in
 * instructions). Compared in this step, in cycle mode; enough where the launch ends. */
void wl_cosim_trap(wl_cosim_t *c, bool valid, uint32_t cause, uint32_t warp, uint32_t lane,
                   uint32_t pc, uint64_t address);
/* After the DUT's launch: registered arrays and all of device memory (untimed: first lets the
 * reference finish, then what is left over, then memory). WL_COSIM_DONE or WL_COSIM_DIVERGED. */
wl_cosim_verdict_t wl_cosim_end(wl_cosim_t *c, wl_cosim_report_t *report);
/* "equal: ...": what was compared, how often, by class. */
void wl_cosim_summary(const wl_cosim_t *c, char *out, size_t cap);
/* A record in words: "RF bank 1 row 12 mask ff data ...". */
void wl_cosim_record_text(const wl_cosim_record_t *record, char *out, size_t cap);

/* The reference, which a test bench may show but must not feed to the DUT. */
typedef struct wl_cosim_state_info {
  bool done, hung;
  bool trapped;
  uint32_t cause, warp, lane, pc;
  uint64_t address;
  uint64_t cycles, instructions, thread_instructions, packets; /* since create */
  const char *fault; /* a broken rule of the model itself, NULL: none */
} wl_cosim_state_t;
void wl_cosim_state(const wl_cosim_t *c, wl_cosim_state_t *out);
/* What a warp slot issued last in this launch, to say where a core hangs; false: nothing yet. */
bool wl_cosim_last_issue(const wl_cosim_t *c, unsigned warp, uint32_t *pc, uint64_t *cycle);

/* ---- arrays of the DUT, optional, cycle mode: compared in place (32 bytes per cycle, or whole in
 * every cycle with compare_full) and at the end. wl_view_info[view] has slices and rows. */
typedef struct wl_cosim_view {
  unsigned slices, rows;
  size_t stride; /* words from a row to the next */
  const uint32_t *base[WL_VIEW_MAX_SLICES];
} wl_cosim_view_t;
wl_status_t wl_cosim_register(wl_cosim_t *c, wl_view_id_t view, const wl_cosim_view_t *array);
/* The same of the reference, for dumps. */
const wl_cosim_view_t *wl_cosim_reference_view(const wl_cosim_t *c, wl_view_id_t view);

/* ---- memory port of the DUT (docs/microarchitecture.md 13, 17), optional: serves the AXI4-subset
 * channels from the DUT's image with the contract's latency. Each cycle: _begin gives what drives
 * the DUT's inputs; then the DUT is evaluated; _end takes its requests of the same cycle. */
typedef struct wl_cosim_port_in {
  bool ar_ready, aw_ready, r_valid, b_valid;
  uint32_t r_id, b_id;
  uint32_t r_data[8];
  uint32_t stall; /* stall_i: bits by stall.def */
} wl_cosim_port_in_t;
typedef struct wl_cosim_port_out {
  bool ar_valid, aw_valid;
  uint32_t ar_id, aw_id;
  uint64_t ar_addr, aw_addr;
  uint32_t w_data[8], w_strb;
} wl_cosim_port_out_t;
void wl_cosim_port_begin(wl_cosim_t *c, wl_cosim_port_in_t *in);
void wl_cosim_port_end(wl_cosim_t *c, const wl_cosim_port_out_t *out);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
