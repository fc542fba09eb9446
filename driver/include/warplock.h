/* warplock.h: libwarplock, the host interface of the Warplock core. docs/architecture.md 7.
 *
 * A device is one GPU, simulated or a board: a backend (func, model, rtl, lockstep, fpga) and a
 * configuration (tiny, base, full). Modules are made from PTX text or from an object, functions are launched with typed
 * arguments, memory is allocated and copied. Nothing here prints, exits or has global state;
 * several devices may be used at once, each by one thread at a time.
 *
 * Every call returns a status; wl_error() of the device has the text of the last failure. */
#ifndef WARPLOCK_H
#define WARPLOCK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
/* What the shared library shows; everything else of it is hidden. */
#pragma GCC visibility push(default)

/* The values are the exit codes of the program `warplock`. */
typedef enum wl_status {
  WL_OK = 0,
  WL_ERR_INPUT = 2,       /* usage, or malformed input */
  WL_ERR_DIVERGENCE = 3,  /* the two sides of lockstep differ */
  WL_ERR_TRAP = 4,        /* the program trapped */
  WL_ERR_HANG = 5,        /* no progress, or the limit of cycles was reached */
  WL_ERR_UNSUPPORTED = 6, /* valid, but not for this build or configuration */
  WL_ERR_INTERNAL = 70    /* out of memory, or a bug */
} wl_status_t;
const char *wl_status_text(wl_status_t status);

typedef uint64_t wl_addr_t; /* address of device memory; 0 = none */
typedef struct wl_device wl_device_t;
typedef struct wl_module wl_module_t;
typedef struct wl_function wl_function_t;

/* Version of library, ISA hash. */
const char *wl_version(void);
uint64_t wl_isa_hash(void);
/* Bytes of a structure of these headers, "wl_device_options_t", in this library; 0: there is none. For
 * programs in other languages, which have the structures a second time. */
size_t wl_sizeof(const char *structure);

/* ---- devices. Zero members mean the default. */
typedef struct wl_device_options {
  const char *backend; /* "func" (default), "model", "rtl", "lockstep", "fpga" */
  const char *config;  /* "base" (default), "tiny", "full"; of a board: its own */
  uint64_t mem_bytes;  /* device memory, 1 MiB to 4 GiB; default 64 MiB; of a board: what it has */
  uint64_t seed;       /* of memory and registers without initialiser, and of disturbance */
  const char *disturb; /* "none" (default), "light", "heavy" */
  const char *compare; /* "journal" (default), "full", "inside" (docs/replay.md) */
  unsigned threads; /* lockstep: 2: the model beside the RTL, in a thread of its own; 0, 1: not */
  bool inside;      /* internal state is compared too, whatever `compare` says */
  uint64_t max_cycles; /* per launch; default none */
  /* One line of text per issued instruction or event, if the backend has a log; may be NULL. */
  void (*log)(void *context, const char *line);
  void *log_context;
  /* Asked now and then during a launch; true stops it with WL_ERR_HANG. May be NULL. */
  bool (*stop)(void *context);
  void *stop_context;
  /* What every warp did in every cycle of the device's first launch (docs/views.md), in pieces of a
   * file; backends model and lockstep. May be NULL. */
  void (*pipeview)(void *context, const char *text, size_t bytes);
  void *pipeview_context;
  const char *pipeview_format; /* "text" (default), "json", "kanata" */
  /* Waves of the device's cycles [trace_from, trace_to] into a file FILE.fst or FILE.vcd, with a
   * GTKWave save file beside it (docs/replay.md). trace_to 0: no end. NULL: none. */
  const char *trace;
  uint64_t trace_from, trace_to;
  /* Instead of a window: the cycles around the first difference, backend lockstep. Snapshots of the
   * process (fork) are kept for it, so the program must have one thread. */
  bool trace_failure;
  uint64_t snapshot_cycles; /* between snapshots; 0: a second of time */
  /* A launch of backend lockstep that diverges is told as a replay file (docs/replay.md): the
   * device's cycle and the whole file. May be NULL. */
  void (*replay)(void *context, uint64_t cycle, const void *bytes, size_t size);
  void *replay_context;
  const char *port; /* backend fpga: the serial port of the board; default: environment WL_PORT */
  bool lockstep;    /* backend fpga: beside the model, compared with it (docs/fpga.md 7) */
  bool checked;     /* backend func: launches are checked (wl_launch_finding, docs/checked.md) */
} wl_device_options_t;

/* *out is NULL only when out of memory; else wl_error(*out) tells why it failed, and it is to be
 * closed also then. */
wl_status_t wl_device_open(const wl_device_options_t *options, wl_device_t **out);
void wl_device_close(wl_device_t *device);
const char *wl_error(const wl_device_t *device); /* "" after success */

typedef struct wl_device_info {
  const char *backend, *config;
  uint32_t warps, ctas, max_threads, max_regs, reg_pages, smem_bytes;
  uint64_t mem_base, mem_bytes, mem_used;
  uint32_t sub_cores; /* warp slots and register pages are an equal part in each */
} wl_device_info_t;
wl_status_t wl_device_query(const wl_device_t *device, wl_device_info_t *out);
/* Same figures for a configuration without a device; false if there is no such configuration. */
bool wl_config_query(const char *config, wl_device_info_t *out);
const char *wl_config_name(unsigned index);  /* NULL behind the last */
const char *wl_backend_name(unsigned index); /* NULL behind the last */
bool wl_backend_available(const char *name); /* built into this library */

/* ---- memory. New memory holds a pattern made of seed and address. Lengths of 0 are errors. */
wl_status_t wl_alloc(wl_device_t *device, uint64_t bytes, wl_addr_t *out);
wl_status_t wl_free(wl_device_t *device, wl_addr_t address);
wl_status_t wl_write(wl_device_t *device, wl_addr_t to, const void *from, uint64_t bytes);
wl_status_t wl_read(wl_device_t *device, void *to, wl_addr_t from, uint64_t bytes);
wl_status_t wl_fill(wl_device_t *device, wl_addr_t to, uint8_t value, uint64_t bytes);

/* ---- modules */
typedef struct wl_module_options {
  unsigned max_regs;  /* limit for register allocation of PTX; default: the configuration's */
  const char *target; /* refuse PTX above this target, e.g. "sm_90"; NULL: no limit */
} wl_module_options_t;
/* Only what a function can reach counts for it: a module of which one function at least can be
 * launched is loaded, and wl_module_function of another one fails with WL_ERR_UNSUPPORTED.
 * Text or object, told apart by their first bytes. `name` stands in messages; warnings of a
 * successful load are in wl_module_log. */
wl_status_t wl_module_load(wl_device_t *device, const char *name, const void *bytes, size_t size,
                           const wl_module_options_t *options, wl_module_t **out);
void wl_module_unload(wl_module_t *module);
const char *wl_module_log(const wl_module_t *module);
/* A .visible .global or .const variable. */
wl_status_t wl_module_symbol(wl_module_t *module, const char *name, wl_addr_t *address,
                             uint64_t *bytes);

/* ---- functions (.entry) */
unsigned wl_module_functions(const wl_module_t *module);
wl_status_t wl_module_function(wl_module_t *module, const char *name, wl_function_t **out);
wl_function_t *wl_module_function_at(wl_module_t *module, unsigned index); /* NULL: no more */
const char *wl_function_name(const wl_function_t *function);
const char *wl_function_prototype(const wl_function_t *function); /* "k(u64 a, s32 n)" */
unsigned wl_function_params(const wl_function_t *function);
typedef struct wl_param_info {
  const char *name, *type; /* "u32" ...; "bytes": structure by value */
  uint32_t bytes, align, offset;
} wl_param_info_t;
bool wl_function_param(const wl_function_t *function, unsigned index, wl_param_info_t *out);
/* Reason number `index` why the function cannot be launched: legal PTX that it can reach and that
 * is not implemented; false behind the last. */
typedef struct wl_refusal_info {
  const char *kernel;
  uint32_t line;             /* of the PTX text, 0 = none */
  const char *clause, *text; /* clause: "" = none */
} wl_refusal_info_t;
bool wl_function_refusal(const wl_function_t *function, unsigned index, wl_refusal_info_t *out);
typedef struct wl_function_info {
  uint32_t regs, preds, barriers, shared_static, local_bytes, param_bytes;
  uint32_t reqntid[3], maxntid[3], minctapersm, maxnreg;
} wl_function_info_t;
wl_status_t wl_function_query(const wl_function_t *function, wl_function_info_t *out);

/* ---- launch. It has run when the call returns. */
typedef struct wl_arg {
  const void *data;
  size_t bytes; /* must be the parameter's size */
} wl_arg_t;
#define WL_ARG(variable) ((wl_arg_t){&(variable), sizeof(variable)})

typedef struct wl_launch_shape {
  uint32_t grid[3], block[3];
  uint32_t shared;      /* dynamic shared bytes */
  uint32_t local_bytes; /* stack per thread of a recursive kernel; 0 = default 4096 */
} wl_launch_t;

/* Where a program trapped. */
typedef struct wl_trap_info {
  uint32_t cause; /* trap.def */
  const char *message;
  uint32_t pc, warp, lane, lanes; /* instruction index, warp slot, lowest lane, mask of lanes */
  uint32_t cta[3];
  bool has_address;
  uint64_t address;
} wl_trap_info_t;

typedef struct wl_result {
  uint64_t cycles;       /* 0 where a backend has no clock */
  uint64_t instructions; /* warp instructions */
  uint64_t thread_instructions;
  bool trapped;
  wl_trap_info_t trap;
} wl_result_t;

wl_status_t wl_launch(wl_function_t *function, const wl_launch_t *launch, const wl_arg_t *args,
                      unsigned arg_count, wl_result_t *result /* may be NULL */);
/* What the backend says of the last launch, "" for nothing: lockstep says what it compared. */
const char *wl_launch_report(const wl_device_t *device);
/* A divergence of the last launch as data; its text is wl_error. false: the last launch that ran did
 * not diverge. The names are constants. */
typedef struct wl_divergence {
  uint64_t cycle; /* of the device */
  const char
      *record; /* kind of record that differs, "RF", "ISSUE" ... (docs/lockstep.md); NULL: none */
  const char *array; /* array that differs, "rf" ...; NULL: none */
  int warp, reg;     /* warp slot and register that it is about, -1: none */
  bool has_pc;
  uint32_t pc; /* instruction that the report is about */
} wl_divergence_t;
bool wl_launch_divergence(const wl_device_t *device, wl_divergence_t *out);
/* Where an instruction of the function's module stands: in the PTX, and in the file that the PTX names
 * with .loc. NULL and 0: not known; false: neither is. The names live as long as the module. */
typedef struct wl_place {
  const char *ptx_file, *file;
  uint32_t ptx_line, line; /* from 1 */
} wl_place_t;
bool wl_function_place(const wl_function_t *function, uint32_t pc, wl_place_t *out);
/* The instruction as text (docs/isa.md), cut at cap; false: there is none at pc. */
bool wl_function_instruction(const wl_function_t *function, uint32_t pc, char *out, size_t cap);
/* What a checked device found in its last launch: one finding for each rule and instruction, in the
 * order of their first thread; 256 at most. The program's results are not changed. */
typedef struct wl_finding {
  const char *rule, *text;    /* constants: name of the rule (docs/checked.md), a sentence */
  uint32_t pc;                /* instruction, as in wl_function_place */
  uint32_t cta[3], thread[3]; /* the first thread */
  uint64_t count;             /* times that a thread broke the rule here */
  bool has_origin;            /* origin: the load that brought a value that nothing wrote */
  uint32_t origin;
  bool has_address;
  uint64_t address; /* of memory; of shared memory: from the CTA's first byte on */
} wl_finding_t;
bool wl_launch_finding(const wl_device_t *device, unsigned index, wl_finding_t *out);
/* What is to be said of the last launch's waves, "" for nothing. */
const char *wl_launch_note(const wl_device_t *device);
/* Launches are complete when wl_launch returns; for programs written after other interfaces. */
wl_status_t wl_synchronize(wl_device_t *device);

/* ---- replay of a divergence from its file (docs/replay.md) */
typedef struct wl_replay wl_replay_t;
typedef struct wl_replay_info {
  const char *version, *config, *disturb, *compare, *module, *kernel; /* of the recorded run */
  uint64_t isa_hash, layout_hash, object_hash, object_bytes, seed, mem_bytes;
  unsigned launches; /* of the device; the last one diverged */
  uint32_t grid[3], block[3];
  uint64_t cycle, window_from, window_to;
  const char *report;
} wl_replay_info_t;
/* WL_ERR_INPUT: damaged, WL_ERR_UNSUPPORTED: recorded with other tables; wl_replay_error has the
 * text. The bytes are copied. *out is NULL only when out of memory; else it is to be closed. */
wl_status_t wl_replay_open(const void *bytes, size_t size, wl_replay_t **out);
/* Runs it. Of the options, log, stop, pipeview and trace count. WL_ERR_DIVERGENCE: the recorded
 * divergence again; WL_OK: the run ended otherwise. wl_replay_error has the text of either. */
wl_status_t wl_replay_run(wl_replay_t *replay, const wl_device_options_t *options);
void wl_replay_query(const wl_replay_t *replay, wl_replay_info_t *out);
const char *wl_replay_error(const wl_replay_t *replay);
void wl_replay_close(wl_replay_t *replay);

/* A smaller launch with a first difference of the same record, array and word, as a replay file.
 * line: what is left of the code, an instruction each. Limits 0: none. */
typedef struct wl_shrink_options {
  uint64_t tries;
  unsigned seconds;
  bool (*stop)(void *context); /* as of wl_device_options_t */
  void *stop_context;
  void (*line)(void *context, const char *text);
  void *line_context;
} wl_shrink_options_t;
typedef struct wl_shrink_size {
  uint64_t instructions, ctas, threads, cycles, launches; /* without nop; threads of a CTA */
} wl_shrink_size_t;
typedef struct wl_shrink_result {
  void *bytes; /* the file; to be freed */
  size_t size;
  wl_shrink_size_t before, after;
  uint64_t tries, taken;
  bool complete; /* nothing that is tried makes it smaller; not stopped by a limit */
} wl_shrink_result_t;
/* WL_OK without bytes: the run does not come to the recorded divergence (wl_replay_error). */
wl_status_t wl_replay_shrink(wl_replay_t *replay, const wl_shrink_options_t *options,
                             wl_shrink_result_t *out);

/* State after the last launch as text, line by line, as far as the backend has it. */
wl_status_t wl_dump_state(wl_device_t *device, void (*line)(void *context, const char *text),
                          void *context);

/* ---- a board (docs/fpga.md). Port NULL: environment WL_PORT. Lines come without a final newline. */
typedef struct wl_board_options {
  const char *port;
  bool (*stop)(void *context); /* as of wl_device_options_t */
  void *stop_context;
  void (*line)(void *context, const char *text);
  void *line_context;
} wl_board_options_t;
/* WL_ERR_UNSUPPORTED with one sentence in err: no board, or it failed the test. */
wl_status_t wl_board_describe(const wl_board_options_t *options, char *err, size_t cap);
wl_status_t wl_board_selftest(const wl_board_options_t *options, char *err, size_t cap);
/* From now on each cycle of the board's core is put off while an LFSR's low 3 bits are below density
 * (0: never, at most 7). */
wl_status_t wl_board_set_freeze(const wl_board_options_t *options, uint32_t seed, unsigned density,
                                char *err, size_t cap);

/* ---- tools without a device. Lines come without a final newline; err gets a sentence. */
typedef void (*wl_line_t)(void *context, const char *text);
typedef struct wl_assemble_options {
  unsigned max_regs;  /* 24..255; 0 = 255 */
  const char *target; /* refuse PTX above this target, e.g. "sm_90"; NULL: no limit */
  bool check_only;    /* diagnostics, no object */
  bool histogram;
  /* Kernels that reach something not implemented are marked in the object. WL_ERR_UNSUPPORTED: */
  bool strict;        /* ... if there is one; else if there is no other */
  const char *kernel; /* ... if it is this one; NULL: any */
  bool strict_tmem;   /* WL_ERR_INPUT where a rule for tensor memory is broken (docs/checked.md) */
} wl_assemble_options_t;
typedef struct wl_assembly wl_assembly_t;
/* *out is NULL only when out of memory; wl_assembly_log has all diagnostics also on success. */
wl_status_t wl_assemble(const char *name, const char *text, size_t bytes,
                        const wl_assemble_options_t *options, wl_assembly_t **out);
const char *wl_assembly_log(const wl_assembly_t *assembly);
const void *wl_assembly_object(const wl_assembly_t *assembly, size_t *bytes); /* NULL: none */
/* Why kernels of the object are marked, by kernel; false behind the last. */
bool wl_assembly_refusal(const wl_assembly_t *assembly, size_t index, wl_refusal_info_t *out);
/* Row of the histogram of PTX forms, most frequent first; NULL behind the last. */
const char *wl_assembly_form(const wl_assembly_t *assembly, size_t index, size_t *count);
void wl_assembly_free(wl_assembly_t *assembly);

/* Instructions as text, with functions, targets and, if asked for, PTX lines between them. */
wl_status_t wl_disassemble(const void *object, size_t bytes, bool source, wl_line_t line,
                           void *context, char *err, size_t cap);
/* Kernels, parameters, resources and symbols of an object. */
wl_status_t wl_describe(const void *object, size_t bytes, wl_line_t line, void *context, char *err,
                        size_t cap);
/* Where PTX registers live behind the lines that write them (docs/compare.md). */
wl_status_t wl_describe_registers(const void *object, size_t bytes, wl_line_t line, void *context,
                                  char *err, size_t cap);
bool wl_is_object(const void *bytes, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
