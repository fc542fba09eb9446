/* cmd_compare.c: warplock compare: a foreign core's log against the reference (docs/compare.md),
 * and what such a core needs to start with. The launch is given as for warplock run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver/cli/run.h"
#include "driver/include/warplock_compare.h"

static FILE *open_log(const char *path) {
  return strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
}

/* Line by line, so that a log may be longer than memory. A last line without newline counts. */
static wl_status_t feed(wl_compare_t *c, FILE *log) {
  char *line = NULL;
  size_t cap = 0;
  ssize_t n = 0;
  wl_status_t status = WL_OK;
  while (status == WL_OK && (n = getline(&line, &cap, log)) > 0) {
    const size_t bytes = line[n - 1] == '\n' ? (size_t)n - 1 : (size_t)n;
    status = wl_compare_line(c, line, bytes);
  }
  free(line);
  return status == WL_OK && !ferror(log) ? wl_compare_end(c) : status;
}

static int tell(run_state_t *s, wl_compare_t *c, wl_status_t status) {
  const bool report = status == WL_OK || status == WL_ERR_DIVERGENCE;
  int code = (int)status;
  s->status = status;
  if (report)
    (void)fputs(wl_compare_text(c), stdout);
  else
    code = cli_fail((int)status, "%s", wl_compare_text(c));
  if (s->json.file != NULL) {
    (void)fputs(wl_compare_json(c), s->json.file);
    const int wrote = cli_out_commit(&s->json);
    code = code == CLI_OK ? wrote : code;
  }
  return code;
}

static int compare_log(run_state_t *s, const char *path) {
  wl_arg_t args[RUN_MAX_ARGS];
  wl_compare_t *c = NULL;
  const wl_compare_options_t options = {.follow_loads = cli_flag(s->args, "--follow-loads"),
                                        .log_name = strcmp(path, "-") == 0 ? "<stdin>" : path};
  FILE *log = open_log(path);
  if (log == NULL) return cli_fail(CLI_INPUT, "cannot read %s: %s", path, strerror(errno));
  run_arguments(s, args);
  wl_status_t status =
      wl_compare_open(s->function, &s->launch, args, (unsigned)s->specs, &options, &c);
  if (status == WL_OK) status = feed(c, log);
  const int why = errno; /* of a read that failed */
  const bool broken = ferror(log) != 0;
  if (log != stdin) (void)fclose(log);
  const int code =
      broken ? cli_fail(CLI_INPUT, "cannot read %s: %s", path, strerror(why)) : tell(s, c, status);
  wl_compare_close(c);
  return code;
}

static void write_piece(void *context, const char *text, size_t bytes) {
  (void)fwrite(text, 1, bytes, context);
}

static int write_start(run_state_t *s, const char *path) {
  wl_arg_t args[RUN_MAX_ARGS];
  cli_out_t out;
  int code = cli_out_open(path, &out);
  if (code != CLI_OK) return code;
  run_arguments(s, args);
  const wl_status_t status =
      wl_compare_start(s->function, &s->launch, args, (unsigned)s->specs, write_piece, out.file);
  if (status == WL_OK) return cli_out_commit(&out);
  cli_out_discard(&out);
  return cli_fail((int)status, "%s", wl_error(s->device));
}

/* The log is an input too, and what a core starts with an output. */
static int check_names(const cli_args_t *args) {
  static const char *const outputs[] = {"--json", "--start"};
  cli_paths_t p = {0};
  int code = CLI_OK;
  for (int i = 0; i < args->file_count && code == CLI_OK; i++)
    code = cli_paths_add(&p, false, args->files[i], args->files[i]);
  for (size_t i = 0; i < sizeof outputs / sizeof outputs[0] && code == CLI_OK; i++)
    code = cli_paths_option(&p, true, outputs[i], cli_value(args, outputs[i]));
  code = code != CLI_OK ? code : cli_paths_check(&p);
  cli_paths_free(&p);
  return code;
}

static int with_state(run_state_t *s, const cli_args_t *args, const char *start) {
  cli_args_t rest = *args; /* as warplock run has them: one file */
  const int logs = start == NULL ? 1 : 0;
  if (args->file_count != logs + 1)
    return cli_fail(CLI_INPUT, "%s needed; see warplock compare --help",
                    start == NULL ? "a log and a PTX file or object are" : "one input file is");
  if (logs == 1 && strcmp(args->files[0], "-") == 0 && strcmp(args->files[1], "-") == 0)
    return cli_fail(CLI_INPUT, "log and input file are both standard input");
  rest.files += logs;
  rest.file_count -= logs;
  int code = check_names(args);
  code = code != CLI_OK ? code : run_parse(s, &rest);
  code = code != CLI_OK ? code : run_prepare(s);
  if (code != CLI_OK) return code;
  return start != NULL ? write_start(s, start) : compare_log(s, args->files[0]);
}

int cli_compare_run(const cli_args_t *args) {
  run_state_t *s = calloc(1, sizeof *s);
  if (s == NULL) return cli_fail(CLI_INTERNAL, "out of memory");
  const int code = with_state(s, args, cli_value(args, "--start"));
  run_free(s);
  free(s);
  return code;
}
