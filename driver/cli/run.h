/* run.h: what cmd_run.c and run_report.c share. */
#ifndef WL_DRIVER_CLI_RUN_H
#define WL_DRIVER_CLI_RUN_H
#include "driver/cli/cli.h"

#define RUN_MAX_ARGS 512

typedef struct run_symbol {
  char *name;
  cli_spec_t spec;
} run_symbol_t;

typedef struct run_state {
  const cli_args_t *args;
  const char *path; /* as given; "<stdin>" for - */
  cli_bytes_t input;
  wl_device_options_t device_options;
  wl_launch_t launch;
  cli_spec_t spec[RUN_MAX_ARGS];
  int specs;
  run_symbol_t symbol[64];
  int symbols;
  cli_expect_t expect[64];
  char verdict[64][300]; /* "" = met, where checked */
  int expects, checked, failed;
  unsigned findings; /* of --checked */
  cli_out_t json, log, dump, view, effects;
  wl_device_t *device;
  wl_module_t *module;
  wl_function_t *function;
  wl_result_t result;
  wl_status_t status;
  cli_progress_t progress;
  char replay_name[4096]; /* of the file that was written, "": none */
} run_state_t;

/* run_args.c: the command line into the state; files are read, outputs opened. */
int run_parse(run_state_t *s, const cli_args_t *args);
int run_check_args(run_state_t *s); /* against the kernel's parameters */
void run_free(run_state_t *s);
/* cmd_run.c: device, module, kernel and buffers; then the arguments of the launch. */
int run_prepare(run_state_t *s);
void run_arguments(const run_state_t *s, wl_arg_t *args);
/* run_files.c: no file is named twice, every output can be written. Opens those that the run fills. */
int run_open_outputs(run_state_t *s);
/* run_report.c */
void run_json(const run_state_t *s, int code);
void run_summary(const run_state_t *s);
/* What --checked found in the launch, to stderr; CLI_EXPECT if it found something. */
int run_findings(run_state_t *s);

#endif
