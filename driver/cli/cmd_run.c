/* cmd_run.c: warplock run and lockstep (docs/architecture.md 7): buffers to the device, launch,
 * buffers back, expectations, outputs. */
#include <stdlib.h>
#include <string.h>

#include "driver/cli/run.h"
#include "driver/include/warplock_compare.h"

static void log_line(void *context, const char *text) { (void)fprintf(context, "%s\n", text); }

static void view_piece(void *context, const char *text, size_t bytes) {
  (void)fwrite(text, 1, bytes, context);
}

/* Called within the launch that diverges. */
static void write_replay(void *context, uint64_t cycle, const void *bytes, size_t size) {
  run_state_t *s = context;
  const char *name = cli_value(s->args, "--rpx");
  cli_out_t out;
  if (name != NULL) {
    (void)snprintf(s->replay_name, sizeof s->replay_name, "%s", name);
  } else {
    (void)snprintf(s->replay_name, sizeof s->replay_name, "%.100s.%llu.rpx",
                   wl_function_name(s->function), (unsigned long long)cycle);
  }
  bool ok = cli_out_open(s->replay_name, &out) == CLI_OK;
  if (ok) {
    (void)fwrite(bytes, 1, size, out.file);
    ok = cli_out_commit(&out) == CLI_OK;
  }
  s->replay_name[0] = ok ? s->replay_name[0] : 0;
}

static int lib_fail(run_state_t *s, wl_status_t status) {
  s->status = status;
  const char *text = wl_error(s->device);
  /* Diagnostics of the PTX front end carry their own place and severity. */
  return strstr(text, ": error: ") != NULL ? cli_fail_text((int)status, text)
                                           : cli_fail((int)status, "%s", text);
}

static int open_device(run_state_t *s) {
  cli_catch_interrupt();
  s->device_options.stop = cli_stop;
  s->device_options.stop_context = &s->progress;
  s->device_options.replay = write_replay;
  s->device_options.replay_context = s;
  const char *rpx = cli_value(s->args, "--rpx");
  if (rpx != NULL && strcmp(rpx, "-") == 0) {
    s->device_options.replay = NULL;
  }
  if (s->log.file != NULL) {
    s->device_options.log = log_line;
    s->device_options.log_context = s->log.file;
  }
  if (s->view.file != NULL) {
    s->device_options.pipeview = view_piece;
    s->device_options.pipeview_context = s->view.file;
  }
  wl_status_t status = wl_device_open(&s->device_options, &s->device);
  return status == WL_OK ? CLI_OK : lib_fail(s, status);
}

static int choose_kernel(run_state_t *s) {
  const char *name = cli_value(s->args, "--kernel");
  unsigned count = wl_module_functions(s->module);
  if (name == NULL && count == 1) {
    s->function = wl_module_function_at(s->module, 0);
    return CLI_OK;
  }
  if (name == NULL && count == 0) {
    return cli_fail(CLI_INPUT, "%s has no kernel", s->path);
  }
  if (name == NULL) {
    (void)wl_module_function(s->module, "(none chosen)", &s->function);
    char list[1100];
    const char *colon = strstr(wl_error(s->device), "its kernels: ");
    (void)snprintf(list, sizeof list, "%s", colon != NULL ? colon + 13 : "");
    return cli_fail(CLI_INPUT, "%s has %u kernels, choose one with --kernel: %s", s->path, count,
                    list);
  }
  wl_status_t status = wl_module_function(s->module, name, &s->function);
  return status == WL_OK ? CLI_OK : lib_fail(s, status);
}

static int load(run_state_t *s) {
  wl_status_t status =
      wl_module_load(s->device, s->path, s->input.data, s->input.size, NULL, &s->module);
  if (status != WL_OK) {
    return lib_fail(s, status);
  }
  if (wl_module_log(s->module)[0] != 0) {
    (void)cli_fail_text(0, wl_module_log(s->module));
  }
  int code = choose_kernel(s);
  return code != CLI_OK ? code : run_check_args(s);
}

/* Contents of a buffer before the launch. */
static wl_status_t put(run_state_t *s, const cli_spec_t *spec) {
  return spec->data.data != NULL
             ? wl_write(s->device, spec->address, spec->data.data, spec->data.size)
             : wl_fill(s->device, spec->address, 0, spec->data.size);
}

static int fill_buffers(run_state_t *s) {
  for (int i = 0; i < s->specs; i++) {
    cli_spec_t *spec = &s->spec[i];
    if (!cli_spec_is_buffer(spec)) {
      continue;
    }
    wl_status_t status = wl_alloc(s->device, spec->data.size, &spec->address);
    status = status == WL_OK ? put(s, spec) : status;
    if (status != WL_OK) {
      return lib_fail(s, status);
    }
  }
  return CLI_OK;
}

static int fill_symbol(run_state_t *s, run_symbol_t *y) {
  uint64_t bytes = 0;
  cli_spec_t *spec = &y->spec;
  wl_status_t status = wl_module_symbol(s->module, y->name, &spec->address, &bytes);
  if (status != WL_OK) {
    return lib_fail(s, status);
  }
  size_t given = spec->kind == CLI_SCALAR ? spec->value_bytes : spec->data.size;
  if (given != bytes) {
    return cli_fail(CLI_INPUT, "--symbol %s: %zu bytes given, the variable has %llu", y->name,
                    given, (unsigned long long)bytes);
  }
  if (spec->kind == CLI_SCALAR) {
    status = wl_write(s->device, spec->address, &spec->value, spec->value_bytes);
  } else if (spec->kind != CLI_OUT) { /* out only reads the variable afterwards */
    status = put(s, spec);
  }
  return status == WL_OK ? CLI_OK : lib_fail(s, status);
}

void run_arguments(const run_state_t *s, wl_arg_t *args) {
  for (int i = 0; i < s->specs; i++) {
    const cli_spec_t *spec = &s->spec[i];
    args[i] = cli_spec_is_buffer(spec)  ? (wl_arg_t){&spec->address, sizeof spec->address}
              : spec->kind == CLI_BYTES ? (wl_arg_t){spec->data.data, spec->data.size}
                                        : (wl_arg_t){&spec->value, spec->value_bytes};
  }
}

static int launch(run_state_t *s) {
  wl_arg_t args[RUN_MAX_ARGS];
  run_arguments(s, args);
  cli_progress_begin(&s->progress);
  s->status = wl_launch(s->function, &s->launch, args, (unsigned)s->specs, &s->result);
  cli_progress_end(&s->progress);
  const int code = s->status == WL_OK ? CLI_OK : lib_fail(s, s->status);
  if (s->replay_name[0] != 0) {
    (void)fprintf(stderr, "replay warplock replay %s\n", s->replay_name);
  }
  return code;
}

/* Reads a buffer back; malloced, NULL after a message. */
static uint8_t *fetch(run_state_t *s, const cli_spec_t *spec) {
  uint8_t *bytes = malloc(spec->data.size);
  if (bytes == NULL || wl_read(s->device, bytes, spec->address, spec->data.size) != WL_OK) {
    (void)cli_fail(CLI_INTERNAL, "cannot read back %s", spec->text);
    free(bytes);
    return NULL;
  }
  return bytes;
}

static int check_expectations(run_state_t *s) {
  for (int i = 0; i < s->expects; i++) {
    uint8_t *got = fetch(s, &s->spec[s->expect[i].argument]);
    if (got == NULL) {
      return CLI_INTERNAL;
    }
    s->checked++;
    if (!cli_expect_check(&s->expect[i], got, s->verdict[i], sizeof s->verdict[i])) {
      s->failed++;
      (void)cli_fail(CLI_EXPECT, "%s", s->verdict[i]);
    }
    free(got);
  }
  return s->failed != 0 ? CLI_EXPECT : CLI_OK;
}

static int write_output(run_state_t *s, cli_spec_t *spec) {
  if (spec->out.file == NULL) {
    return CLI_OK;
  }
  uint8_t *bytes = fetch(s, spec);
  if (bytes == NULL) {
    return CLI_INTERNAL;
  }
  (void)fwrite(bytes, 1, spec->data.size, spec->out.file);
  free(bytes);
  return cli_out_commit(&spec->out);
}

static int write_outputs(run_state_t *s) {
  int code = CLI_OK;
  for (int i = 0; i < s->specs; i++) {
    int one = write_output(s, &s->spec[i]);
    code = code == CLI_OK ? one : code;
  }
  for (int i = 0; i < s->symbols; i++) {
    int one = write_output(s, &s->symbol[i].spec);
    code = code == CLI_OK ? one : code;
  }
  return code;
}

int run_prepare(run_state_t *s) {
  int code = open_device(s);
  code = code != CLI_OK ? code : load(s);
  code = code != CLI_OK ? code : fill_buffers(s);
  for (int i = 0; i < s->symbols && code == CLI_OK; i++) {
    code = fill_symbol(s, &s->symbol[i]);
  }
  return code;
}

static int execute(run_state_t *s) {
  int code = run_prepare(s);
  if (code == CLI_OK && s->effects.file != NULL &&
      wl_effects(s->device, view_piece, s->effects.file) != WL_OK) {
    code = lib_fail(s, WL_ERR_INPUT);
  }
  if (code != CLI_OK) {
    return code;
  }
  code = launch(s);
  const int found = run_findings(s);
  if (s->effects.file != NULL) {
    (void)wl_effects(s->device, NULL, NULL);
    int wrote = cli_out_commit(&s->effects);
    code = code == CLI_OK ? wrote : code;
  }
  int viewed = cli_out_commit(&s->view); /* also of a launch that failed: that is when it is read */
  if (code == CLI_OK) {
    code = check_expectations(s);
    int wrote = write_outputs(s);
    code = code == CLI_OK ? wrote : code;
  }
  code = code == CLI_OK ? found : code;
  code = code == CLI_OK ? viewed : code;
  if (s->dump.file != NULL) {
    if (wl_dump_state(s->device, log_line, s->dump.file) != WL_OK) {
      (void)cli_fail(0, "%s", wl_error(s->device));
    }
    int wrote = cli_out_commit(&s->dump);
    code = code == CLI_OK ? wrote : code;
  }
  run_summary(s);
  return code;
}

int cli_run_run(const cli_args_t *args) {
  run_state_t *s = calloc(1, sizeof *s);
  if (s == NULL) {
    return cli_fail(CLI_INTERNAL, "out of memory");
  }
  int code = run_parse(s, args);
  if (code == CLI_OK) {
    code = execute(s);
    if (s->json.file != NULL) {
      run_json(s, code);
      int wrote = cli_out_commit(&s->json);
      code = code == CLI_OK ? wrote : code;
    }
    int wrote = cli_out_commit(&s->log);
    code = code == CLI_OK ? wrote : code;
  }
  run_free(s);
  free(s);
  return code;
}
