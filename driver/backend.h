/* backend.h: what the driver asks of a backend (docs/architecture.md 7). A backend is a table of
 * functions; driver/backends.c lists them. The driver puts the launch block, code, constants and
 * parameters into the memory image and passes the address of the block (launch.def); the backend
 * leaves final memory in the image. */
#ifndef WL_DRIVER_BACKEND_H
#define WL_DRIVER_BACKEND_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/wl_config.h"

#define WL_MEM_BASE (UINT64_C(1) << 32) /* first byte of device memory (microarchitecture A.5) */

/* Levels of the disturbance (docs/microarchitecture.md 17), weakest first. */
typedef struct wl_disturb {
  const char *name;
  unsigned density; /* 0..7 */
} wl_disturb_t;
enum { WL_DISTURBS = 3 };
extern const wl_disturb_t wl_disturbs[WL_DISTURBS];
/* The number of the level with this name (NULL: none), -1: there is no such level. */
int wl_disturb_find(const char *name);

/* Cycles around a first difference that waves and replay files show (docs/replay.md). */
enum { WL_WINDOW_BEFORE = 256, WL_WINDOW_BEHIND = 32 };
static inline uint64_t wl_window_from(uint64_t cycle) {
  return cycle > WL_WINDOW_BEFORE ? cycle - WL_WINDOW_BEFORE : 0;
}

typedef struct wl_backend_desc {
  const wl_config_t *config;
  uint64_t seed;
  unsigned disturb; /* of wl_disturbs */
  bool compare_full;
  unsigned threads;   /* lockstep: 2: the model in a thread of its own */
  bool inside;        /* internal state too, for lockstep (docs/replay.md) */
  uint8_t *mem;       /* the image of [WL_MEM_BASE, WL_MEM_BASE + mem_bytes), valid until close */
  uint64_t mem_bytes; /* multiple of 64 */
  void (*log)(void *context, const char *line); /* may be NULL: then no text is to be made */
  void *log_context;
  /* Pipeline view of the first run, piece by piece (docs/views.md); NULL: none. Asked of model and
   * lockstep only: the others have no view. */
  void (*pipeview)(void *context, const char *text, size_t bytes);
  void *pipeview_context;
  unsigned pipeview_format; /* wl_trace_format_t: 0 text, 1 json, 2 kanata */
  /* Waves of cycles [trace_from, trace_to] of the device, docs/replay.md; NULL: none. */
  const char *trace;
  uint64_t trace_from, trace_to;
  bool trace_failure;          /* instead: around the first difference, from snapshots */
  uint64_t snapshot_cycles;    /* between them, 0: a second of time */
  const char *port;            /* of a board; NULL: environment WL_PORT */
  bool lockstep;               /* a board runs beside the model */
  bool (*stop)(void *context); /* may be NULL; true = end the run as a hang soon */
  void *stop_context;
} wl_backend_desc_t;

typedef enum wl_run_status {
  WL_RUN_OK = 0,
  WL_RUN_TRAP,
  WL_RUN_HANG, /* watchdog, cycle limit or stop; report says which */
  WL_RUN_DIVERGED,
  WL_RUN_UNSUPPORTED,
  WL_RUN_INTERNAL
} wl_run_status_t;

typedef struct wl_run_trap {
  uint32_t cause; /* wl_trap_t */
  uint32_t pc, warp, lane, lanes;
  uint32_t cta[3];
  bool has_address;
  uint64_t address;
} wl_run_trap_t;

typedef struct wl_run_result {
  wl_run_status_t status;
  uint64_t cycles, instructions, thread_instructions;
  wl_run_trap_t trap; /* WL_RUN_TRAP */
  bool has_pc;        /* WL_RUN_DIVERGED: pc is the instruction that the report is about */
  uint32_t pc;
  uint64_t cycle; /* WL_RUN_DIVERGED: of the device; and wl_cosim_report_t's numbers */
  int kind, view, warp, reg;
  uint64_t columns_left; /* of tensor memory, by CTAs that ended and did not give them back */
  char note[2000];       /* of waves and internal state, "" for nothing; not part of the report */
  char report[8192];     /* text for the user: hang, divergence, what was compared; may be empty */
} wl_run_result_t;

typedef struct wl_backend_ops {
  const char *name;
  /* 0 and *state, or a wl_run_status_t with a sentence in err. */
  int (*open)(const wl_backend_desc_t *desc, void **state, char *err, size_t cap);
  void (*run)(void *state, uint64_t launch_block, uint64_t max_cycles /* 0 = no limit */,
              wl_run_result_t *result);
  /* State after the last run, line by line; may be NULL. */
  void (*dump)(void *state, void (*line)(void *context, const char *text), void *context);
  void (*close)(void *state);
  /* NULL for backends that take any configuration and any memory. Else called first, with port and
   * config (NULL: any) only: makes *state, which open gets, and sets config and the most bytes of
   * memory. 0 or as open; close is called also where open fails behind it. */
  int (*probe)(wl_backend_desc_t *desc, void **state, char *err, size_t cap);
} wl_backend_ops_t;

/* The backend, NULL when this build has none of that name. */
const wl_backend_ops_t *wl_backend_find(const char *name);

extern const wl_backend_ops_t wl_backend_func;

/* Defined by the CMake target wl_driver_lockstep where it exists: the backends model, rtl and
 * lockstep by name, NULL for what could not be built. */
const wl_backend_ops_t *wl_lockstep_backend(const char *name);

/* Of the CMake target wl_driver_fpga: a board at a port (docs/fpga.md). */
extern const wl_backend_ops_t wl_backend_fpga;

#endif
