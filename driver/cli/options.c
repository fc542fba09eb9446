/* options.c: command-line options by the table of commands.c; unknown ones are errors.
 * docs/architecture.md 7. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "driver/cli/cli.h"

int cli_fail(int code, const char *format, ...) {
  va_list args;
  (void)fflush(stdout);
  (void)fputs("warplock: error: ", stderr);
  va_start(args, format);
  (void)vfprintf(stderr, format, args);
  va_end(args);
  (void)fputc('\n', stderr);
  return code;
}

int cli_fail_text(int code, const char *text) {
  size_t length = strlen(text);
  (void)fflush(stdout);
  (void)fprintf(stderr, "%s%s", text, length != 0 && text[length - 1] == '\n' ? "" : "\n");
  return code;
}

void cli_print_version(void) {
  printf("warplock %s, machine ISA %016llx\nbackends:", wl_version(),
         (unsigned long long)wl_isa_hash());
  for (unsigned i = 0; wl_backend_name(i) != NULL; i++) {
    printf(" %s%s", wl_backend_name(i),
           wl_backend_available(wl_backend_name(i)) ? "" : " (not built)");
  }
  printf("\nconfigurations:");
  for (unsigned i = 0; wl_config_name(i) != NULL; i++) {
    printf(" %s", wl_config_name(i));
  }
  printf("\n");
}

bool cli_number(const char *text, uint64_t max, uint64_t *out) {
  char *end = NULL;
  if (text[0] < '0' || text[0] > '9') {
    return false;
  }
  errno = 0;
  bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  unsigned long long value = strtoull(text, &end, hex ? 16 : 10);
  if (errno != 0 || *end != 0 || (hex && text[2] == 0) || value > max) {
    return false;
  }
  *out = value;
  return true;
}

/* Takes one option and its value; returns how many words, or minus an exit code. */
static int take(const cli_command_t *command, int left, char **argv, cli_args_t *out) {
  int later = 0;
  const cli_option_t *o = cli_find_option(command, argv[0], &later);
  if (o == NULL) {
    const char *meant = cli_suggest_option(command, argv[0]);
    return -cli_fail(CLI_INPUT, "unknown option %s%s%s%s; see warplock %s --help", argv[0],
                     meant != NULL ? " (did you mean " : "", meant != NULL ? meant : "",
                     meant != NULL ? "?)" : "", command->name);
  }
  if (later != 0) {
    return -cli_fail(CLI_UNSUPPORTED, "option %s is not implemented yet", o->name);
  }
  if (o->value != NULL && left < 2) {
    return -cli_fail(CLI_INPUT, "option %s needs a value: %s %s", o->name, o->name, o->value);
  }
  out->names[out->count] = o->name;
  out->values[out->count] = o->value != NULL ? argv[1] : NULL;
  out->count++;
  return o->value != NULL ? 2 : 1;
}

int cli_parse(const cli_command_t *command, int argc, char **argv, cli_args_t *out, bool *done) {
  *out = (cli_args_t){.command = command};
  *done = false;
  out->names = calloc((size_t)argc + 1, sizeof *out->names);
  out->values = calloc((size_t)argc + 1, sizeof *out->values);
  out->files = calloc((size_t)argc + 1, sizeof *out->files);
  if (out->names == NULL || out->values == NULL || out->files == NULL) {
    return cli_fail(CLI_INTERNAL, "out of memory");
  }
  for (int i = 0; i < argc;) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "--version") == 0) {
      *done = true;
      if (argv[i][2] == 'h') {
        cli_help(stdout, command);
      } else {
        cli_print_version();
      }
      return CLI_OK;
    }
    if (argv[i][0] != '-' || argv[i][1] == 0) {
      out->files[out->file_count++] = argv[i++];
      continue;
    }
    int words = take(command, argc - i, argv + i, out);
    if (words < 0) {
      return -words;
    }
    i += words;
  }
  return CLI_OK;
}

void cli_args_free(cli_args_t *args) {
  free(args->names);
  free(args->values);
  free(args->files);
}

const char *cli_value(const cli_args_t *args, const char *name) {
  const char *value = NULL;
  for (int i = 0; i < args->count; i++) {
    value = strcmp(args->names[i], name) == 0 ? args->values[i] : value;
  }
  return value;
}

bool cli_flag(const cli_args_t *args, const char *name) {
  for (int i = 0; i < args->count; i++) {
    if (strcmp(args->names[i], name) == 0) {
      return true;
    }
  }
  return false;
}

bool cli_ends_in(const char *text, const char *end) {
  size_t n = strlen(text);
  return n >= strlen(end) && strcmp(text + n - strlen(end), end) == 0;
}

const char *cli_view_format(const char *path) {
  return path == NULL                   ? NULL
         : cli_ends_in(path, ".json")   ? "json"
         : cli_ends_in(path, ".kanata") ? "kanata"
                                        : "text";
}

int cli_window(const cli_args_t *args, wl_device_options_t *options) {
  const char *trace = cli_value(args, "--trace"), *window = cli_value(args, "--trace-window");
  const char *snapshots = cli_value(args, "--snapshots");
  char from[32] = "";
  const char *colon = window != NULL ? strchr(window, ':') : NULL;
  options->trace = trace;
  if (trace != NULL && !cli_ends_in(trace, ".fst") && !cli_ends_in(trace, ".vcd")) {
    return cli_fail(CLI_INPUT, "--trace %s: the name must end in .fst or .vcd", trace);
  }
  if (snapshots != NULL && (window == NULL || strcmp(window, "failure") != 0)) {
    return cli_fail(CLI_INPUT, "--snapshots without --trace-window failure");
  }
  if (window == NULL) {
    return CLI_OK;
  }
  if (trace == NULL) {
    return cli_fail(CLI_INPUT, "--trace-window without --trace FILE");
  }
  options->trace_failure = strcmp(window, "failure") == 0;
  if (snapshots != NULL && (!cli_number(snapshots, UINT64_MAX, &options->snapshot_cycles) ||
                            options->snapshot_cycles < 512)) {
    return cli_fail(CLI_INPUT, "--snapshots %s: expected 512 cycles or more", snapshots);
  }
  if (options->trace_failure) {
    return CLI_OK;
  }
  if (colon != NULL && (size_t)(colon - window) < sizeof from) {
    (void)snprintf(from, sizeof from, "%.*s", (int)(colon - window), window);
  }
  if (colon == NULL || !cli_number(from, UINT64_MAX - 1, &options->trace_from) ||
      !cli_number(colon + 1, UINT64_MAX, &options->trace_to) ||
      options->trace_to < options->trace_from || options->trace_to == 0) {
    return cli_fail(CLI_INPUT, "--trace-window %s: expected FROM:TO, cycles, or failure", window);
  }
  return CLI_OK;
}

void cli_print_waves(const char *trace) {
  FILE *file = trace != NULL ? fopen(trace, "rb") : NULL;
  if (file == NULL) {
    return;
  }
  if (fgetc(file) != EOF) {
    printf("waves: %s, gtkwave %.*s.gtkw\n", trace, (int)strlen(trace) - 4, trace);
  }
  (void)fclose(file);
}
