/* run_args.c: the command line of warplock run and lockstep (docs/architecture.md 7). Everything
 * that can be wrong before the kernel is known is found here, before anything runs. */
#include <stdlib.h>
#include <string.h>

#include "driver/cli/run.h"

/* X[,Y[,Z]]; extents are checked by the launch, which knows the limits. */
static int parse_dims(const char *option, const char *text, uint32_t out[3]) {
  char copy[64];
  char *save = NULL;
  int n = 0;
  if (text == NULL) {
    return cli_fail(CLI_INPUT, "%s X[,Y,Z] is needed", option);
  }
  (void)snprintf(copy, sizeof copy, "%s", text);
  out[0] = out[1] = out[2] = 1;
  bool ok = strlen(text) < sizeof copy && text[0] != ',' && text[0] != 0 &&
            text[strlen(text) - 1] != ',' && strstr(text, ",,") == NULL;
  for (char *word = strtok_r(copy, ",", &save); ok && word != NULL;
       word = strtok_r(NULL, ",", &save)) {
    uint64_t value = 0;
    ok = n < 3 && cli_number(word, UINT32_MAX, &value);
    if (ok) {
      out[n++] = (uint32_t)value;
    }
  }
  return ok && n > 0 ? CLI_OK
                     : cli_fail(CLI_INPUT, "%s %s: expected X, X,Y or X,Y,Z", option, text);
}

/* One CTA is the only cluster there is. */
static int check_cluster(const cli_args_t *args) {
  const char *text = cli_value(args, "--cluster");
  uint32_t n[3];
  if (text == NULL) {
    return CLI_OK;
  }
  int code = parse_dims("--cluster", text, n);
  if (code != CLI_OK) {
    return code;
  }
  if (n[0] == 0 || n[1] == 0 || n[2] == 0) {
    return cli_fail(CLI_INPUT, "--cluster %s: an extent of 0", text);
  }
  if (n[0] != 1 || n[1] != 1 || n[2] != 1) {
    return cli_fail(CLI_UNSUPPORTED,
                    "--cluster %s: a cluster of more than one CTA is not implemented [PTX 2.2.2]",
                    text);
  }
  return CLI_OK;
}

static int parse_number(const cli_args_t *args, const char *option, uint64_t max, uint64_t *out) {
  const char *text = cli_value(args, option);
  if (text != NULL && !cli_number(text, max, out)) {
    return cli_fail(CLI_INPUT, "%s %s: not a number from 0 to %llu", option, text,
                    (unsigned long long)max);
  }
  return CLI_OK;
}

static int parse_numbers(run_state_t *s) {
  uint64_t shared = 0;
  uint64_t stack = 0;
  wl_device_options_t *o = &s->device_options;
  int code = parse_number(s->args, "--shared", UINT32_MAX, &shared);
  code = code != CLI_OK ? code : parse_number(s->args, "--stack", 1u << 24, &stack);
  code = code != CLI_OK ? code : parse_number(s->args, "--seed", UINT64_MAX, &o->seed);
  code = code != CLI_OK ? code : parse_number(s->args, "--mem", UINT64_MAX, &o->mem_bytes);
  code = code != CLI_OK ? code : parse_number(s->args, "--max-cycles", UINT64_MAX, &o->max_cycles);
  s->launch.shared = (uint32_t)shared;
  s->launch.local_bytes = (uint32_t)stack;
  return code;
}

static int add_symbol(run_state_t *s, const char *text) {
  const char *equals = strchr(text, '=');
  if (equals == NULL || equals == text) {
    return cli_fail(CLI_INPUT, "--symbol %s: expected NAME=SPEC", text);
  }
  if (s->symbols == 64) {
    return cli_fail(CLI_INPUT, "more than 64 --symbol");
  }
  run_symbol_t *y = &s->symbol[s->symbols];
  y->name = malloc((size_t)(equals - text) + 1);
  if (y->name == NULL) {
    return cli_fail(CLI_INTERNAL, "out of memory");
  }
  memcpy(y->name, text, (size_t)(equals - text));
  y->name[equals - text] = 0;
  s->symbols++;
  int code = cli_spec_parse("--symbol", equals + 1, &y->spec);
  if (code == CLI_OK && y->spec.kind == CLI_INOUT) {
    return cli_fail(CLI_INPUT, "--symbol %s: inout is only for --arg", text);
  }
  return code;
}

static int add_arg(run_state_t *s, const char *text) {
  char what[32];
  if (s->specs == RUN_MAX_ARGS) {
    return cli_fail(CLI_INPUT, "more than %d --arg", RUN_MAX_ARGS);
  }
  (void)snprintf(what, sizeof what, "--arg %d:", s->specs);
  return cli_spec_parse(what, text, &s->spec[s->specs++]);
}

static int add_expect(run_state_t *s, const char *text) {
  if (s->expects == 64) {
    return cli_fail(CLI_INPUT, "more than 64 --expect");
  }
  return cli_expect_parse(text, &s->expect[s->expects++]);
}

static int parse_lists(run_state_t *s) {
  int code = CLI_OK;
  for (int i = 0; i < s->args->count && code == CLI_OK; i++) {
    const char *name = s->args->names[i];
    const char *value = s->args->values[i];
    code = strcmp(name, "--arg") == 0      ? add_arg(s, value)
           : strcmp(name, "--symbol") == 0 ? add_symbol(s, value)
           : strcmp(name, "--expect") == 0 ? add_expect(s, value)
                                           : CLI_OK;
  }
  return code;
}

/* Every --expect names a buffer and its file has the buffer's size. */
static int check_expects(run_state_t *s) {
  for (int i = 0; i < s->expects; i++) {
    const cli_expect_t *e = &s->expect[i];
    if (e->argument >= (uint64_t)s->specs) {
      return cli_fail(CLI_INPUT, "--expect %s: there are %d arguments, counted from 0", e->text,
                      s->specs);
    }
    const cli_spec_t *spec = &s->spec[e->argument];
    if (!cli_spec_is_buffer(spec)) {
      return cli_fail(CLI_INPUT, "--expect %s: argument %d (%s) is no buffer", e->text,
                      (int)e->argument, spec->text);
    }
    if (e->want.size != spec->data.size) {
      return cli_fail(CLI_INPUT, "--expect %s: the file has %zu bytes, the buffer %zu", e->text,
                      e->want.size, spec->data.size);
    }
    if ((e->use_ulp || e->use_abs) && e->want.size % 4 != 0) {
      return cli_fail(CLI_INPUT, "--expect %s: a tolerance needs f32 words, the size is %zu",
                      e->text, e->want.size);
    }
  }
  return CLI_OK;
}

/* `lockstep` pairs the model with the RTL or with a board. */
static int choose_backend(run_state_t *s) {
  wl_device_options_t *o = &s->device_options;
  o->lockstep = cli_flag(s->args, "--lockstep");
  if (strcmp(s->args->command->name, "lockstep") == 0) {
    o->lockstep = o->backend != NULL && strcmp(o->backend, "fpga") == 0;
    if (o->backend != NULL && !o->lockstep && strcmp(o->backend, "rtl") != 0) {
      return cli_fail(CLI_INPUT, "lockstep --backend %s: rtl or fpga", o->backend);
    }
    o->backend = o->lockstep ? "fpga" : "lockstep";
  }
  if (o->port != NULL && (o->backend == NULL || strcmp(o->backend, "fpga") != 0)) {
    return cli_fail(CLI_INPUT, "--port %s without --backend fpga", o->port);
  }
  return CLI_OK;
}

int run_parse(run_state_t *s, const cli_args_t *args) {
  s->args = args;
  if (args->file_count != 1) {
    return cli_fail(CLI_INPUT, "one input file is needed, %d given; see warplock %s --help",
                    args->file_count, args->command->name);
  }
  s->path = strcmp(args->files[0], "-") == 0 ? "<stdin>" : args->files[0];
  s->device_options.backend = cli_value(args, "--backend");
  s->device_options.config = cli_value(args, "--config");
  s->device_options.disturb = cli_value(args, "--disturb");
  s->device_options.compare = cli_value(args, "--compare");
  const char *threads = cli_value(args, "--threads");
  uint64_t count = 1;
  if (threads != NULL && (!cli_number(threads, 2, &count) || count == 0)) {
    return cli_fail(CLI_INPUT, "--threads %s: expected 1 or 2", threads);
  }
  s->device_options.threads = (unsigned)count;
  s->device_options.checked = cli_flag(args, "--checked");
  s->device_options.pipeview_format = cli_view_format(cli_value(args, "--pipeview"));
  s->device_options.port = cli_value(args, "--port");
  int code = choose_backend(s);
  code = code != CLI_OK ? code : cli_window(args, &s->device_options);
  code = code != CLI_OK ? code : parse_dims("--grid", cli_value(args, "--grid"), s->launch.grid);
  code = code != CLI_OK ? code : parse_dims("--block", cli_value(args, "--block"), s->launch.block);
  code = code != CLI_OK ? code : check_cluster(args);
  code = code != CLI_OK ? code : parse_numbers(s);
  code = code != CLI_OK ? code : parse_lists(s);
  code = code != CLI_OK ? code : check_expects(s);
  code = code != CLI_OK ? code : cli_read(args->files[0], &s->input);
  return code != CLI_OK ? code : run_open_outputs(s);
}

/* Why a SPEC does not suit a parameter, NULL when it does. */
static const char *mismatch(const cli_spec_t *spec, const wl_param_info_t *p, char *buf,
                            size_t cap) {
  char letter = p->type[0];
  bool structure = strcmp(p->type, "bytes") == 0;
  if (cli_spec_is_buffer(spec)) {
    (void)snprintf(buf, cap, "an address is passed, which needs 8 bytes");
    return p->bytes == 8 && letter != 'f' && !structure ? NULL : buf;
  }
  if (spec->kind == CLI_BYTES) {
    (void)snprintf(buf, cap, "%zu bytes", spec->data.size);
    return spec->data.size == p->bytes && structure ? NULL : buf;
  }
  (void)snprintf(buf, cap, "%u bytes of type %s", spec->value_bytes, spec->type);
  if (spec->value_bytes != p->bytes || structure) {
    return buf;
  }
  bool bits = letter == 'b' || spec->type[0] == 'b';
  return bits || (letter == 'f') == (spec->type[0] == 'f') ? NULL : buf;
}

int run_check_args(run_state_t *s) {
  const char *prototype = wl_function_prototype(s->function);
  unsigned params = wl_function_params(s->function);
  if ((unsigned)s->specs != params) {
    return cli_fail(CLI_INPUT, "%s takes %u argument%s, %d --arg given", prototype, params,
                    params == 1 ? "" : "s", s->specs);
  }
  for (unsigned i = 0; i < params; i++) {
    wl_param_info_t p;
    char buf[80];
    char type[40];
    (void)wl_function_param(s->function, i, &p);
    const char *why = mismatch(&s->spec[i], &p, buf, sizeof buf);
    if (why != NULL) {
      bool structure = strcmp(p.type, "bytes") == 0;
      (void)snprintf(type, sizeof type, structure ? "a structure of %u bytes" : "%u bytes of type ",
                     p.bytes);
      return cli_fail(CLI_INPUT, "--arg %u: %s: %s; parameter %s of %s is %s%s", i, s->spec[i].text,
                      why, p.name, prototype, type, structure ? "" : p.type);
    }
  }
  return CLI_OK;
}

void run_free(run_state_t *s) {
  for (int i = 0; i < s->specs; i++) {
    cli_spec_free(&s->spec[i]);
  }
  for (int i = 0; i < s->symbols; i++) {
    free(s->symbol[i].name);
    cli_spec_free(&s->symbol[i].spec);
  }
  for (int i = 0; i < s->expects; i++) {
    free(s->expect[i].path);
    free(s->expect[i].want.data);
  }
  cli_out_discard(&s->json);
  cli_out_discard(&s->log);
  cli_out_discard(&s->dump);
  cli_out_discard(&s->view);
  cli_out_discard(&s->effects);
  free(s->input.data);
  wl_device_close(s->device);
}
