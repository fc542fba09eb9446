/* cmd_as.c: warplock as, dis and info. docs/architecture.md 7. */
#include <stdlib.h>
#include <string.h>

#include "driver/cli/cli.h"

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

static void json_refusals(FILE *f, const wl_assembly_t *a) {
  wl_refusal_info_t r;
  (void)fprintf(f, ", \"refused\": [");
  for (size_t i = 0; wl_assembly_refusal(a, i, &r); i++) {
    (void)fprintf(f, "%s{\"kernel\": ", i == 0 ? "" : ", ");
    cli_json_text(f, r.kernel);
    (void)fprintf(f, ", \"line\": %u, \"clause\": ", r.line);
    cli_json_text(f, r.clause);
    (void)fprintf(f, ", \"text\": ");
    cli_json_text(f, r.text);
    (void)fprintf(f, "}");
  }
  (void)fprintf(f, "]");
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
  json_refusals(f, a);
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

/* The object of an input: -o, a.wlo for standard input, else beside it. Malloced, NULL: no memory. */
static char *output_of(const char *input, const char *given) {
  if (given == NULL && strcmp(input, "-") != 0) {
    return object_name(input);
  }
  const char *name = given != NULL ? given : "a.wlo";
  char *out = malloc(strlen(name) + 1);
  return out != NULL ? strcpy(out, name) : NULL;
}

static int check_names(const cli_args_t *args, bool writes) {
  cli_paths_t p = {0};
  int code = cli_paths_option(&p, true, "--json", cli_value(args, "--json"));
  for (int i = 0; i < args->file_count && code == CLI_OK; i++) {
    char what[CLI_WHAT];
    char *name = writes ? output_of(args->files[i], cli_value(args, "-o")) : NULL;
    code = cli_paths_add(&p, false, args->files[i], args->files[i]);
    (void)snprintf(what, sizeof what, "%s (the object of %s)", name != NULL ? name : "",
                   args->files[i]);
    code = code != CLI_OK ? code : cli_paths_add(&p, true, what, name);
    free(name);
  }
  code = code != CLI_OK ? code : cli_paths_check(&p);
  cli_paths_free(&p);
  return code;
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
    char *made = output_of(input, output);
    code = write_object(made != NULL ? made : "", a);
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

static int as_options_read(as_state_t *s, const cli_args_t *args) {
  const char *max_regs = cli_value(args, "--max-regs");
  uint64_t regs = 0;
  s->options.target = cli_value(args, "--target");
  s->options.check_only = cli_flag(args, "--check");
  s->options.strict = cli_flag(args, "--strict");
  s->options.strict_tmem = cli_flag(args, "--strict-tmem");
  s->options.kernel = cli_value(args, "--kernel");
  s->print_histogram = cli_flag(args, "--histogram");
  s->options.histogram = s->print_histogram || cli_value(args, "--json") != NULL;
  if (args->file_count == 0) {
    return cli_fail(CLI_INPUT, "no input file; see warplock as --help");
  }
  if (cli_value(args, "-o") != NULL && args->file_count > 1) {
    return cli_fail(CLI_INPUT, "-o with %d input files", args->file_count);
  }
  if (max_regs != NULL && (!cli_number(max_regs, 255, &regs) || regs < 24)) {
    return cli_fail(CLI_INPUT, "--max-regs %s: 24 to 255 are possible", max_regs);
  }
  if (s->options.target != NULL && !is_target(s->options.target)) {
    return cli_fail(CLI_INPUT, "--target %s: expected sm_XX", s->options.target);
  }
  s->options.max_regs = (unsigned)regs;
  return CLI_OK;
}

int cli_as_run(const cli_args_t *args) {
  as_state_t s = {0};
  const char *output = cli_value(args, "-o");
  int code = as_options_read(&s, args);
  if (code != CLI_OK) {
    return code;
  }
  code = check_names(args, !s.options.check_only);
  if (code != CLI_OK) {
    return code;
  }
  if (cli_value(args, "--json") != NULL) {
    code = cli_out_open(cli_value(args, "--json"), &s.json);
    if (code != CLI_OK) {
      return code;
    }
    (void)fprintf(s.json.file, "[\n");
  }
  for (int i = 0; i < args->file_count; i++) {
    int one = assemble_one(&s, args->files[i], output);
    code = code == CLI_OK ? one : code;
  }
  if (s.json.file != NULL) {
    (void)fprintf(s.json.file, "\n]\n");
    int one = cli_out_commit(&s.json);
    code = code == CLI_OK ? one : code;
  }
  return code;
}

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

int cli_dis_run(const cli_args_t *args) {
  if (args->file_count != 1) {
    return cli_fail(CLI_INPUT, "one input file is needed; see warplock dis --help");
  }
  return list_object(args->files[0], cli_flag(args, "--source") ? LIST_SOURCE : LIST_CODE);
}

static void print_config(const char *name) {
  wl_device_info_t i;
  if (wl_config_query(name, &i)) {
    printf("configuration %s: %u warps, %u CTAs, %u threads per CTA, %u registers per thread,\n"
           "  %u register pages of 8, %u bytes of shared memory, %u sub-core%s\n",
           name, i.warps, i.ctas, i.max_threads, i.max_regs, i.reg_pages, i.smem_bytes, i.sub_cores,
           i.sub_cores != 1 ? "s" : "");
  }
}

int cli_info_run(const cli_args_t *args) {
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
    int code =
        list_object(args->files[0], cli_flag(args, "--registers") ? LIST_REGISTERS : LIST_SUMMARY);
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
