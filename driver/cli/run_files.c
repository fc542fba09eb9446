/* run_files.c: the files that warplock run and lockstep name: that each can be written, and that
 * none is written twice or read too, is found before anything runs. docs/architecture.md 7. */
#include <string.h>

#include "driver/cli/run.h"

static const char *const outputs[] = {"--json", "--log", "--dump-state", "--pipeview", "--effects"};
enum { OUTPUTS = sizeof outputs / sizeof outputs[0] };

/* What an argument or variable reads and writes. One that reads and writes the same file says so
 * itself (inout:F:F): that is no mistake. */
static int add_spec(cli_paths_t *p, const char *option, const cli_spec_t *spec) {
  cli_paths_t own = {0};
  char what[CLI_WHAT];
  (void)snprintf(what, sizeof what, "%s %s", option, spec->text);
  bool same = false;
  if (spec->in_path != NULL && spec->out_path != NULL) {
    int code = cli_paths_add(&own, true, what, spec->in_path);
    code = code != CLI_OK ? code : cli_paths_add(&own, true, what, spec->out_path);
    same = code == CLI_OK && cli_paths_same(&own);
    cli_paths_free(&own);
  }
  const int code = same ? CLI_OK : cli_paths_add(p, false, what, spec->in_path);
  return code != CLI_OK ? code : cli_paths_add(p, true, what, spec->out_path);
}

static int add_specs(run_state_t *s, cli_paths_t *p) {
  char option[48];
  int code = CLI_OK;
  for (int i = 0; i < s->specs && code == CLI_OK; i++) {
    (void)snprintf(option, sizeof option, "--arg %d:", i);
    code = add_spec(p, option, &s->spec[i]);
  }
  for (int i = 0; i < s->symbols && code == CLI_OK; i++) {
    (void)snprintf(option, sizeof option, "--symbol %.30s:", s->symbol[i].name);
    code = add_spec(p, option, &s->symbol[i].spec);
  }
  for (int i = 0; i < s->expects && code == CLI_OK; i++) {
    char what[CLI_WHAT];
    (void)snprintf(what, sizeof what, "--expect %s", s->expect[i].text);
    code = cli_paths_add(p, false, what, s->expect[i].path);
  }
  return code;
}

static int check_names(run_state_t *s) {
  cli_paths_t p = {0};
  int code = cli_paths_add(&p, false, s->path, s->args->files[0]);
  code = code != CLI_OK ? code : add_specs(s, &p);
  for (int i = 0; i < OUTPUTS && code == CLI_OK; i++) {
    code = cli_paths_option(&p, true, outputs[i], cli_value(s->args, outputs[i]));
  }
  code = code != CLI_OK ? code : cli_paths_option(&p, true, "--rpx", cli_value(s->args, "--rpx"));
  code = code != CLI_OK ? code : cli_paths_waves(&p, cli_value(s->args, "--trace"));
  code = code != CLI_OK ? code : cli_paths_check(&p);
  cli_paths_free(&p);
  return code;
}

int run_open_outputs(run_state_t *s) {
  cli_out_t *const out[OUTPUTS] = {&s->json, &s->log, &s->dump, &s->view, &s->effects};
  int code = check_names(s);
  code = code != CLI_OK ? code : cli_probe(cli_value(s->args, "--rpx"));
  code = code != CLI_OK ? code : cli_probe(cli_value(s->args, "--trace"));
  for (int i = 0; i < OUTPUTS && code == CLI_OK; i++) {
    const char *path = cli_value(s->args, outputs[i]);
    code = path == NULL ? CLI_OK : cli_out_open(path, out[i]);
  }
  for (int i = 0; i < s->specs + s->symbols && code == CLI_OK; i++) {
    cli_spec_t *spec = i < s->specs ? &s->spec[i] : &s->symbol[i - s->specs].spec;
    code = spec->out_path == NULL ? CLI_OK : cli_out_open(spec->out_path, &spec->out);
  }
  return code;
}
