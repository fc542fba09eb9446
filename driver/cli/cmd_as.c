/* cmd_as.c: warplock as, dis, info and the commands that are still to come.
 * docs/architecture.md 7. */
#include <stdlib.h>
#include <string.h>

#include "driver/cli/cli.h"

static const char as_help[] =
    "Usage: warplock as IN.ptx... [OPTION...]    (- is standard input)\n"
    "  -o FILE          object to write; default: IN.wlo beside each input\n"
    "  --check          diagnostics only, no object\n"
    "  --max-regs N     registers per thread, 24 to 255 (default 255)\n"
    "  --target sm_XX   refuse inputs with a .target above it\n"
    "  --histogram      print the instruction forms of the inputs, most frequent first\n"
    "  --json FILE      write result and histogram as JSON (- is standard output)\n";

static const cli_option_t as_options[] = {{"-o", true, false},
                                          {"--check", false, false},
                                          {"--max-regs", true, false},
                                          {"--target", true, false},
                                          {"--histogram", false, false},
                                          {"--json", true, false},
                                          {"-D", true, true},
                                          {"-I", true, true},
                                          {"-W", true, true},
                                          {"--explain-spaces", false, true},
                                          {NULL, false, false}};

typedef struct as_state {
  wl_assemble_options_t options;
  cli_out_t json;
  bool print_histogram;
  int files;
} as_state_t;

/* "dir/k.ptx" -> "dir/k.wlo". */
static char *object_name(const char *input) {
  const char *slash = strrchr(input, '/');
  const char *dot = strrchr(input, '.');
  size_t stem =
      dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - input) : strlen(input);
  char *name = malloc(stem + 5);
  if (name != NULL) {
    memcpy(name, input, stem);
    strcpy(name + stem, ".wlo");
  }
  return name;
}

static void json_file(as_state_t *s, const char *input, int code, const wl_assembly_t *a) {
  FILE *f = s->json.file;
  size_t bytes = 0;
  size_t count = 0;
  const char *form = NULL;
  (void)fprintf(f, "%s  {\"file\": ", s->files++ == 0 ? "" : ",\n");
  cli_json_text(f, input);
  (void)wl_assembly_object(a, &bytes);
  (void)fprintf(f, ", \"exit\": %d, \"object_bytes\": %zu, \"log\": ", code, bytes);
  cli_json_text(f, wl_assembly_log(a));
  (void)fprintf(f, ", \"histogram\": [");
  for (size_t i = 0; (form = wl_assembly_form(a, i, &count)) != NULL; i++) {
    (void)fprintf(f, "%s[", i == 0 ? "" : ", ");
    cli_json_text(f, form);
    (void)fprintf(f, ", %zu]", count);
  }
  (void)fprintf(f, "]}");
}

static int write_object(const char *path, const wl_assembly_t *a) {
  cli_out_t out;
  size_t bytes = 0;
  const void *object = wl_assembly_object(a, &bytes);
  int code = cli_out_open(path, &out);
  if (code != CLI_OK) {
    return code;
  }
  (void)fwrite(object, 1, bytes, out.file);
  return cli_out_commit(&out);
}

static int assemble_one(as_state_t *s, const char *input, const char *output) {
  cli_bytes_t text;
  wl_assembly_t *a = NULL;
  int code = cli_read(input, &text);
  if (code != CLI_OK) {
    return code;
  }
  const char *name = strcmp(input, "-") == 0 ? "<stdin>" : input;
  code = (int)wl_assemble(name, (const char *)text.data, text.size, &s->options, &a);
  if (wl_assembly_log(a)[0] != 0) {
    (void)cli_fail_text(0, wl_assembly_log(a));
  }
  size_t count = 0;
  const char *form = NULL;
  for (size_t i = 0;
       a != NULL && s->print_histogram && (form = wl_assembly_form(a, i, &count)) != NULL; i++) {
    printf("%7zu %s\n", count, form);
  }
  if (code == CLI_OK && !s->options.check_only) {
    char *made = output == NULL ? object_name(input) : NULL;
    code = write_object(output != NULL ? output : made != NULL ? made : "", a);
    free(made);
  }
  if (s->json.file != NULL && a != NULL) {
    json_file(s, name, code, a);
  }
  wl_assembly_free(a);
  free(text.data);
  return code;
}

static bool is_target(const char *text) {
  uint64_t number = 0;
  return strncmp(text, "sm_", 3) == 0 && cli_number(text + 3, 999, &number);
}

static int as_run(const cli_args_t *args) {
  as_state_t s = {0};
  const char *output = cli_value(args, "-o");
  const char *max_regs = cli_value(args, "--max-regs");
  uint64_t regs = 0;
  s.options.target = cli_value(args, "--target");
  s.options.check_only = cli_flag(args, "--check");
  s.print_histogram = cli_flag(args, "--histogram");
  s.options.histogram = s.print_histogram || cli_value(args, "--json") != NULL;
  if (args->file_count == 0) {
    return cli_fail(CLI_INPUT, "no input file; see warplock as --help");
  }
  if (output != NULL && args->file_count > 1) {
    return cli_fail(CLI_INPUT, "-o with %d input files", args->file_count);
  }
  if (max_regs != NULL && (!cli_number(max_regs, 255, &regs) || regs < 24)) {
    return cli_fail(CLI_INPUT, "--max-regs %s: 24 to 255 are possible", max_regs);
  }
  if (s.options.target != NULL && !is_target(s.options.target)) {
    return cli_fail(CLI_INPUT, "--target %s: expected sm_XX", s.options.target);
  }
  s.options.max_regs = (unsigned)regs;
  int code = CLI_OK;
  if (cli_value(args, "--json") != NULL) {
    code = cli_out_open(cli_value(args, "--json"), &s.json);
    if (code != CLI_OK) {
      return code;
    }
    (void)fprintf(s.json.file, "[\n");
  }
  for (int i = 0; i < args->file_count; i++) {
    const char *input = args->files[i];
    const char *to = output == NULL && strcmp(input, "-") == 0 ? "a.wlo" : output;
    int one = assemble_one(&s, input, to);
    code = code == CLI_OK ? one : code;
  }
  if (s.json.file != NULL) {
    (void)fprintf(s.json.file, "\n]\n");
    int one = cli_out_commit(&s.json);
    code = code == CLI_OK ? one : code;
  }
  return code;
}

const cli_command_t cli_as = {"as", as_help, as_options, as_run};

/* ---- dis, info */

static void print_line(void *context, const char *text) {
  (void)context;
  (void)puts(text);
}

/* Reads an object, or assembles PTX text so that both can be listed. */
static int read_object(const char *path, cli_bytes_t *out, wl_assembly_t **assembly) {
  int code = cli_read(path, out);
  *assembly = NULL;
  if (code != CLI_OK || wl_is_object(out->data, out->size)) {
    return code;
  }
  code = (int)wl_assemble(path, (const char *)out->data, out->size, NULL, assembly);
  if (wl_assembly_log(*assembly)[0] != 0) {
    (void)cli_fail_text(0, wl_assembly_log(*assembly));
  }
  return code;
}

typedef enum listing { LIST_CODE, LIST_SOURCE, LIST_SUMMARY, LIST_REGISTERS } listing_t;

static wl_status_t list_as(listing_t what, const void *object, size_t size, char *err, size_t cap) {
  switch (what) {
  case LIST_SUMMARY:
    return wl_describe(object, size, print_line, NULL, err, cap);
  case LIST_REGISTERS:
    return wl_describe_registers(object, size, print_line, NULL, err, cap);
  default:
    return wl_disassemble(object, size, what == LIST_SOURCE, print_line, NULL, err, cap);
  }
}

static int list_object(const char *path, listing_t what) {
  cli_bytes_t bytes;
  wl_assembly_t *assembly = NULL;
  char err[512] = "";
  int code = read_object(path, &bytes, &assembly);
  if (code == CLI_OK) {
    const void *object = bytes.data;
    size_t size = bytes.size;
    if (assembly != NULL) {
      object = wl_assembly_object(assembly, &size);
    }
    code = (int)list_as(what, object, size, err, sizeof err);
    if (code != CLI_OK) {
      code = cli_fail(code, "%s: %s", path, err);
    }
  }
  wl_assembly_free(assembly);
  free(bytes.data);
  return code;
}

static const char dis_help[] = "Usage: warplock dis FILE.(wlo|ptx) [--source]\n"
                               "  --source   PTX lines and .loc places between the instructions\n";
static const cli_option_t dis_options[] = {{"--source", false, false}, {NULL, false, false}};

static int dis_run(const cli_args_t *args) {
  if (args->file_count != 1) {
    return cli_fail(CLI_INPUT, "one input file is needed; see warplock dis --help");
  }
  return list_object(args->files[0], cli_flag(args, "--source") ? LIST_SOURCE : LIST_CODE);
}

const cli_command_t cli_dis = {"dis", dis_help, dis_options, dis_run};

static const char info_help[] = "Usage: warplock info [--config C] [FILE.(wlo|ptx)]\n"
                                "  --config C   figures of one configuration (default: of all)\n"
                                "  --registers  of a file: where PTX registers live behind the lines "
                                "that write them\n";
static const cli_option_t info_options[] = {{"--config", true, false},
                                            {"--registers", false, false},
                                            {NULL, false, false}};

static void print_config(const char *name) {
  wl_device_info_t i;
  if (wl_config_query(name, &i)) {
    printf("configuration %s: %u warps, %u CTAs, %u threads per CTA, %u registers per thread,\n"
           "  %u register pages of 8, %u bytes of shared memory, %u sub-core%s\n",
           name, i.warps, i.ctas, i.max_threads, i.max_regs, i.reg_pages, i.smem_bytes, i.sub_cores,
           i.sub_cores != 1 ? "s" : "");
  }
}

static int info_run(const cli_args_t *args) {
  const char *config = cli_value(args, "--config");
  wl_device_info_t info;
  if (args->file_count > 1) {
    return cli_fail(CLI_INPUT, "more than one file; see warplock info --help");
  }
  if (config != NULL && !wl_config_query(config, &info)) {
    return cli_fail(CLI_INPUT, "unknown configuration '%s' (tiny, tiny4, base, full)", config);
  }
  if (args->file_count == 0 && cli_flag(args, "--registers")) {
    return cli_fail(CLI_INPUT, "--registers needs a file; see warplock info --help");
  }
  if (args->file_count == 1) {
    int code = list_object(args->files[0],
                           cli_flag(args, "--registers") ? LIST_REGISTERS : LIST_SUMMARY);
    if (code != CLI_OK || config == NULL) {
      return code;
    }
  } else {
    cli_print_version();
  }
  for (unsigned i = 0; wl_config_name(i) != NULL; i++) {
    if (config == NULL || strcmp(config, wl_config_name(i)) == 0) {
      print_config(wl_config_name(i));
    }
  }
  return CLI_OK;
}

const cli_command_t cli_info = {"info", info_help, info_options, info_run};

/* ---- later */

static const cli_option_t no_options[] = {{NULL, false, false}};

static int later_run(const cli_args_t *args) {
  return cli_fail(CLI_UNSUPPORTED, "warplock %s is not implemented yet", args->command->name);
}

const cli_command_t cli_stub = {"stub", "Usage: warplock stub FILE   (not implemented yet)\n",
                                no_options, later_run};
