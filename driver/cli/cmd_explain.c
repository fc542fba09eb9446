/* cmd_explain.c: `warplock explain-mma`. docs/architecture.md 7. */
#include <string.h>

#include "driver/cli/cli.h"
#include "driver/explain/explain.h"

enum { MOST_TEXT = 64, MOST_WHY = 200, MOST_LOWER = 15 };

/* One value of a type. 0 or an exit code. */
static int read_value(int type, const char *option, const char *text, uint32_t *out) {
  char why[MOST_WHY];
  if (wl_explain_value(type, text, out, why, sizeof why)) return CLI_OK;
  return cli_fail(CLI_INPUT, "%s: %s", option, why);
}

static unsigned values_in(const char *text) {
  unsigned count = text == NULL || *text == '\0' ? 0 : 1;
  for (; text != NULL && *text != '\0'; text++)
    count += *text == ',' && text[1] != '\0';
  return count;
}

/* Values with commas between them. */
static int read_list(int type, const char *option, const char *text, uint32_t *out) {
  for (int code; *text != '\0'; text += *text == ',') {
    char one[MOST_TEXT];
    const size_t length = strcspn(text, ",");
    (void)snprintf(one, sizeof one, "%.*s", (int)length, text);
    if (length >= sizeof one) return cli_fail(CLI_INPUT, "%s: '%s..' is no number", option, one);
    if ((code = read_value(type, option, one, out++)) != CLI_OK) return code;
    text += length;
  }
  return CLI_OK;
}

/* ---- what is summed */
static const char *const of_kinds[] = {"--atype",   "--btype",    "--dtype",
                                       "--stype",   "--scale-a",  "--scale-b",
                                       "--scale-d", "--saturate", NULL};

static int read_profile(const cli_args_t *args, wl_explain_t *form) {
  const char *name = cli_value(args, "--profile");
  for (int i = 0; of_kinds[i] != NULL; i++)
    if (cli_flag(args, of_kinds[i])) return cli_fail(CLI_INPUT, "%s needs --kind", of_kinds[i]);
  if (!wl_explain_profile(name != NULL ? name : "f16_f32", form))
    return cli_fail(CLI_INPUT, "--profile: there is no '%s'", name);
  return CLI_OK;
}

/* --scale-d and --saturate. */
static int read_addend(const cli_args_t *args, wl_explain_t *form) {
  const char *lower = cli_value(args, "--scale-d");
  uint64_t n = 0;
  form->clamped = cli_flag(args, "--saturate");
  if (form->clamped && !wl_explain_clamps(form))
    return cli_fail(CLI_INPUT, "--saturate: kind %s has no integers", form->kind);
  if (lower != NULL && !wl_explain_lowers(form))
    return cli_fail(CLI_INPUT, "--scale-d: kind %s has no scale-input-d", form->kind);
  if (lower != NULL && !cli_number(lower, MOST_LOWER, &n))
    return cli_fail(CLI_INPUT, "--scale-d: '%s' is no number from 0 to %d", lower, MOST_LOWER);
  form->lower = (unsigned)n;
  return CLI_OK;
}

static int read_kind(const cli_args_t *args, wl_explain_t *form) {
  const wl_explain_names_t names = {cli_value(args, "--kind"), cli_value(args, "--atype"),
                                    cli_value(args, "--btype"), cli_value(args, "--dtype"),
                                    cli_value(args, "--stype")};
  const unsigned sa = values_in(cli_value(args, "--scale-a")),
                 sb = values_in(cli_value(args, "--scale-b"));
  char why[MOST_WHY];
  if (cli_value(args, "--profile") != NULL)
    return cli_fail(CLI_INPUT, "--profile is of mma.sync, --kind of tcgen05.mma: only one of them");
  if (sa != sb)
    return cli_fail(CLI_INPUT, "--scale-a has %u values, --scale-b %u: they need as many", sa, sb);
  if (!wl_explain_kind(&names, sa, form, why, sizeof why)) return cli_fail(CLI_INPUT, "%s", why);
  return read_addend(args, form);
}

/* ---- its operands */
static int read_scales(const cli_args_t *args, const wl_explain_t *form,
                       wl_explain_operands_t *in) {
  const char *sa = cli_value(args, "--scale-a"), *sb = cli_value(args, "--scale-b");
  if (form->scales == 0) return CLI_OK;
  const int code = read_list(form->of_scale, "--scale-a", sa, in->scale_a);
  return code != CLI_OK ? code : read_list(form->of_scale, "--scale-b", sb, in->scale_b);
}

static int read_operands(const cli_args_t *args, const wl_explain_t *form,
                         wl_explain_operands_t *in) {
  const char *a = cli_value(args, "--a"), *b = cli_value(args, "--b"), *c = cli_value(args, "--c");
  const unsigned na = values_in(a), nb = values_in(b);
  if (na != nb || na == 0)
    return cli_fail(CLI_INPUT, "--a has %u values, --b %u: a product is of one of each", na, nb);
  if (na > form->most)
    return cli_fail(CLI_INPUT, "--a: more than %u values%s%s", form->most,
                    form->kind != NULL ? ", the products of kind " : "",
                    form->kind != NULL ? form->kind : "");
  in->count = na;
  int code = read_list(form->of_a, "--a", a, in->a);
  code = code != CLI_OK ? code : read_list(form->of_b, "--b", b, in->b);
  code = code != CLI_OK ? code : read_scales(args, form, in);
  return code != CLI_OK || c == NULL ? code : read_value(form->of_d, "--c", c, &in->c);
}

int cli_explain_run(const cli_args_t *args) {
  wl_explain_t form;
  wl_explain_operands_t in = {0};
  if (cli_value(args, "--a") == NULL || cli_value(args, "--b") == NULL)
    return cli_fail(CLI_INPUT, "explain-mma needs --a and --b");
  int code = cli_value(args, "--kind") != NULL ? read_kind(args, &form) : read_profile(args, &form);
  code = code != CLI_OK ? code : read_operands(args, &form, &in);
  if (code == CLI_OK) (void)wl_explain_mma(stdout, &form, &in);
  return code;
}
