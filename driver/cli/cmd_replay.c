/* cmd_replay.c: warplock replay: a recorded divergence again. docs/replay.md */
#include <stdlib.h>
#include <string.h>

#include "driver/cli/cli.h"

typedef struct state {
  const cli_args_t *args;
  cli_bytes_t file;
  cli_out_t log, view;
  cli_progress_t progress;
  wl_replay_t *replay;
  wl_replay_info_t info;
} state_t;

static void put_line(void *context, const char *text) { (void)fprintf(context, "%s\n", text); }

static void put_piece(void *context, const char *text, size_t bytes) {
  (void)fwrite(text, 1, bytes, context);
}

static void print_info(const wl_replay_info_t *i) {
  printf("kernel       %s of %s, grid %u,%u,%u, block %u,%u,%u, launch %u of its device\n",
         i->kernel, i->module, i->grid[0], i->grid[1], i->grid[2], i->block[0], i->block[1],
         i->block[2], i->launches);
  printf("run          configuration %s, seed %llu, disturbance %s, comparison %s, %llu bytes of "
         "memory\n",
         i->config, (unsigned long long)i->seed, i->disturb, i->compare,
         (unsigned long long)i->mem_bytes);
  printf("made with    version %s, machine ISA %016llx, record layout %016llx\n", i->version,
         (unsigned long long)i->isa_hash, (unsigned long long)i->layout_hash);
  printf("object       %llu bytes, hash %016llx\n", (unsigned long long)i->object_bytes,
         (unsigned long long)i->object_hash);
  printf("divergence   cycle %llu, window %llu:%llu\n%s", (unsigned long long)i->cycle,
         (unsigned long long)i->window_from, (unsigned long long)i->window_to, i->report);
}

static int check_names(const cli_args_t *args) {
  static const char *const outputs[] = {"--log", "--pipeview", "--shrink"};
  cli_paths_t p = {0};
  int code = cli_paths_add(&p, false, args->files[0], args->files[0]);
  for (size_t i = 0; i < sizeof outputs / sizeof outputs[0] && code == CLI_OK; i++) {
    code = cli_paths_option(&p, true, outputs[i], cli_value(args, outputs[i]));
  }
  code = code != CLI_OK ? code : cli_paths_waves(&p, cli_value(args, "--trace"));
  code = code != CLI_OK ? code : cli_paths_check(&p);
  cli_paths_free(&p);
  return code != CLI_OK ? code : cli_probe(cli_value(args, "--trace"));
}

static int open_outputs(state_t *s) {
  const char *log = cli_value(s->args, "--log"), *view = cli_value(s->args, "--pipeview");
  int code = log != NULL ? cli_out_open(log, &s->log) : CLI_OK;
  return code == CLI_OK && view != NULL ? cli_out_open(view, &s->view) : code;
}

static int run(state_t *s) {
  wl_device_options_t o = {.stop = cli_stop,
                           .stop_context = &s->progress,
                           .trace_from = s->info.window_from,
                           .trace_to = s->info.window_to};
  const char *trace = cli_value(s->args, "--trace");
  int code = cli_window(s->args, &o);
  if (code != CLI_OK) {
    return code;
  }
  if (s->log.file != NULL) {
    o.log = put_line;
    o.log_context = s->log.file;
  }
  if (s->view.file != NULL) {
    o.pipeview = put_piece;
    o.pipeview_context = s->view.file;
    o.pipeview_format = cli_view_format(cli_value(s->args, "--pipeview"));
  }
  cli_catch_interrupt();
  cli_progress_begin(&s->progress);
  const wl_status_t status = wl_replay_run(s->replay, &o);
  cli_progress_end(&s->progress);
  code = cli_out_commit(&s->log);
  const int viewed = cli_out_commit(&s->view);
  code = code == CLI_OK ? viewed : code;
  cli_print_waves(trace);
  if (status == WL_ERR_DIVERGENCE) {
    (void)cli_fail((int)status, "%s", wl_replay_error(s->replay));
    printf("the recorded divergence, in cycle %llu\n", (unsigned long long)s->info.cycle);
    return (int)status;
  }
  if (status == WL_OK) {
    return cli_fail(CLI_EXPECT, "%s does not come to the recorded divergence\n%s",
                    s->args->files[0], wl_replay_error(s->replay));
  }
  return code != CLI_OK
             ? code
             : cli_fail((int)status, "%s: %s", s->args->files[0], wl_replay_error(s->replay));
}

static void print_size(const char *what, wl_shrink_size_t z) {
  printf("%s: %llu instructions, %llu CTAs of %llu threads, %llu launches, %llu cycles\n", what,
         (unsigned long long)z.instructions, (unsigned long long)z.ctas,
         (unsigned long long)z.threads, (unsigned long long)z.launches,
         (unsigned long long)z.cycles);
}

static void print_shrunk(const char *path, const wl_shrink_result_t *result) {
  print_size("before", result->before);
  print_size("after", result->after);
  printf("%llu candidates, %llu taken%s; %s\n", (unsigned long long)result->tries,
         (unsigned long long)result->taken, result->complete ? "" : "; stopped by the limit", path);
}

/* Nothing is written unless the file comes to its divergence. */
static int shrink(state_t *s) {
  const char *path = cli_value(s->args, "--shrink"), *limit = cli_value(s->args, "--seconds");
  uint64_t seconds = 60;
  wl_shrink_result_t result;
  cli_out_t out = {0};
  static const char *const others[] = {"--log", "--pipeview", "--trace", "--trace-window"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    if (cli_value(s->args, others[i]) != NULL) {
      return cli_fail(CLI_INPUT, "%s with --shrink: replay the smaller file with it", others[i]);
    }
  }
  if (limit != NULL && !cli_number(limit, 1000000, &seconds)) {
    return cli_fail(CLI_INPUT, "--seconds %s: not a number from 0 to 1000000", limit);
  }
  int code = cli_out_open(path, &out);
  if (code != CLI_OK) {
    return code;
  }
  const wl_shrink_options_t o = {.seconds = (unsigned)seconds,
                                 .stop = cli_stop,
                                 .stop_context = &s->progress,
                                 .line = put_line,
                                 .line_context = stdout};
  cli_catch_interrupt();
  cli_progress_begin(&s->progress);
  const wl_status_t status = wl_replay_shrink(s->replay, &o, &result);
  cli_progress_end(&s->progress);
  if (status == WL_OK && result.bytes != NULL) {
    (void)fwrite(result.bytes, 1, result.size, out.file);
    code = cli_out_commit(&out);
    print_shrunk(path, &result);
  } else {
    cli_out_discard(&out);
    code = cli_fail(status == WL_OK ? CLI_EXPECT : (int)status, "%s: nothing to make smaller\n%s",
                    s->args->files[0], wl_replay_error(s->replay));
  }
  free(result.bytes);
  return code;
}

static int execute(state_t *s) {
  if (s->args->file_count != 1) {
    return cli_fail(CLI_INPUT, "one replay file is needed; see warplock replay --help");
  }
  int code = check_names(s->args);
  code = code != CLI_OK ? code : cli_read(s->args->files[0], &s->file);
  if (code != CLI_OK) {
    return code;
  }
  const wl_status_t status = wl_replay_open(s->file.data, s->file.size, &s->replay);
  if (status != WL_OK && !(status == WL_ERR_UNSUPPORTED && cli_flag(s->args, "--info"))) {
    return cli_fail((int)status, "%s: %s", s->args->files[0], wl_replay_error(s->replay));
  }
  wl_replay_query(s->replay, &s->info);
  if (cli_flag(s->args, "--info")) {
    print_info(&s->info);
    return CLI_OK;
  }
  if (cli_value(s->args, "--shrink") != NULL) {
    return shrink(s);
  }
  if (cli_value(s->args, "--seconds") != NULL) {
    return cli_fail(CLI_INPUT, "--seconds without --shrink");
  }
  code = open_outputs(s);
  return code == CLI_OK ? run(s) : code;
}

int cli_replay_run(const cli_args_t *args) {
  state_t s = {.args = args};
  const int code = execute(&s);
  cli_out_discard(&s.log);
  cli_out_discard(&s.view);
  wl_replay_close(s.replay);
  free(s.file.data);
  return code;
}
