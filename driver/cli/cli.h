/* cli.h: what the files of the program `warplock` share. docs/architecture.md 7.
 * The program is a client of libwarplock: it includes warplock.h and nothing private. */
#ifndef WL_DRIVER_CLI_CLI_H
#define WL_DRIVER_CLI_CLI_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "driver/cli/commands.h"
#include "driver/include/warplock.h"

enum { CLI_OK = 0, CLI_EXPECT = 1, CLI_INPUT = 2, CLI_UNSUPPORTED = 6, CLI_INTERNAL = 70 };

/* Prints "warplock: error: ..." and returns the exit code, for `return cli_fail(...)`. */
int cli_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a text that already has places, adding a final newline if it lacks one. */
int cli_fail_text(int code, const char *text);

/* ---- options.c: commands.h has the table */
typedef struct cli_args {
  const cli_command_t *command;
  const char **names, **values; /* given options in order; value NULL for flags */
  int count;
  const char **files;
  int file_count;
} cli_args_t;
/* 0 or an exit code; --help and --version are done here (*done). */
int cli_parse(const cli_command_t *command, int argc, char **argv, cli_args_t *out, bool *done);
void cli_args_free(cli_args_t *args);
const char *cli_value(const cli_args_t *args, const char *name); /* the last; NULL: not given */
bool cli_flag(const cli_args_t *args, const char *name);
void cli_print_version(void);
/* Decimal or 0x; the whole text; at most max. */
bool cli_number(const char *text, uint64_t max, uint64_t *out);

/* --trace, --trace-window FROM:TO or "failure", --snapshots. 0 or an exit code. */
int cli_window(const cli_args_t *args, wl_device_options_t *options);
void cli_print_waves(const char *trace); /* NULL, or no waves were written: nothing */
bool cli_ends_in(const char *text, const char *end);
/* The format of a pipeline view goes by the file's name. */
const char *cli_view_format(const char *path);

/* ---- files.c */
typedef struct cli_bytes {
  uint8_t *data;
  size_t size;
} cli_bytes_t;
/* Reads a file, "-" = standard input. An empty file is an error. 0 or an exit code. */
int cli_read(const char *path, cli_bytes_t *out);
/* An output goes to a temporary beside its place, renamed by commit; "-" = standard output. */
typedef struct cli_out {
  FILE *file;
  char *path, *temporary; /* temporary NULL: standard output */
} cli_out_t;
int cli_out_open(const char *path, cli_out_t *out);
int cli_out_commit(cli_out_t *out); /* 0 or an exit code; closed either way */
void cli_out_discard(cli_out_t *out);
void cli_json_text(FILE *file, const char *text); /* quoted and escaped */

/* ---- paths.c: which files a run names */
enum { CLI_WHAT = 400 };
typedef struct cli_path {
  char what[CLI_WHAT]; /* as given, for messages */
  bool output, there;
  char *real;
  uint64_t device, number; /* of what is there */
} cli_path_t;
typedef struct cli_paths {
  cli_path_t *path;
  size_t count;
} cli_paths_t;
/* NULL and "-" name no file. 0 or an exit code. */
int cli_paths_add(cli_paths_t *p, bool output, const char *what, const char *path);
int cli_paths_option(cli_paths_t *p, bool output, const char *option, const char *path);
int cli_paths_waves(cli_paths_t *p, const char *trace); /* with the save file beside it */
/* An error if two outputs are one file, or an output is an input. */
int cli_paths_check(const cli_paths_t *p);
bool cli_paths_same(const cli_paths_t *p); /* there are two, and they are one file */
void cli_paths_free(cli_paths_t *p);
/* Can it be written? For what is opened later. Nothing is left behind. */
int cli_probe(const char *path);

/* ---- spec.c: arguments of a kernel */
typedef enum cli_spec_kind {
  CLI_SCALAR,
  CLI_BYTES,
  CLI_IN,
  CLI_OUT,
  CLI_INOUT,
  CLI_ZERO
} cli_spec_kind_t;
typedef struct cli_spec {
  const char *text; /* as given */
  cli_spec_kind_t kind;
  char type[8];   /* CLI_SCALAR */
  uint64_t value; /* bits of a scalar */
  unsigned value_bytes;
  cli_bytes_t data; /* bytes of a structure or of a buffer, NULL data: zeros of that size */
  char *in_path;    /* NULL: nothing is read */
  char *out_path;   /* NULL: nothing is written */
  cli_out_t out;
  wl_addr_t address;
} cli_spec_t;
/* 0 or an exit code with a message that starts with `what`. Reads input files. */
int cli_spec_parse(const char *what, const char *text, cli_spec_t *out);
bool cli_spec_is_buffer(const cli_spec_t *spec);
void cli_spec_free(cli_spec_t *spec);

/* ---- cmd_explain.c */
int cli_explain_run(const cli_args_t *args);

/* ---- cmd_faults.c */
/* Becomes the program warplock-faults; returns only with an exit code of failure. */
int cli_faults_run(char **argv);

/* ---- expect.c */
typedef struct cli_expect {
  const char *text;
  uint64_t argument;
  char *path;
  cli_bytes_t want;
  uint32_t ulp;    /* tolerance of f32 words; use_ulp */
  double absolute; /* use_abs */
  bool use_ulp, use_abs;
} cli_expect_t;
int cli_expect_parse(const char *text, cli_expect_t *out);
/* True when equal; else a sentence. */
bool cli_expect_check(const cli_expect_t *expect, const uint8_t *got, char *buf, size_t cap);

/* ---- interrupt.c: Ctrl-C asks a launch to stop, so that it ends with a summary. */
void cli_catch_interrupt(void);
bool cli_interrupted(void);
bool cli_stop(void *progress); /* for wl_device_options_t.stop; progress: cli_progress_t */
typedef struct cli_progress {
  bool wanted, shown; /* wanted: standard error is a terminal */
  long started, last;
} cli_progress_t;
void cli_progress_begin(cli_progress_t *p);
void cli_progress_end(cli_progress_t *p);

/* ---- commands: each returns an exit code. */
int cli_as_run(const cli_args_t *args);
int cli_dis_run(const cli_args_t *args);
int cli_info_run(const cli_args_t *args);
int cli_run_run(const cli_args_t *args); /* run and lockstep */
int cli_compare_run(const cli_args_t *args);
int cli_replay_run(const cli_args_t *args);
int cli_bench_run(const cli_args_t *args);
int cli_fpga_run(const cli_args_t *args);

#endif
