/* cmd_explain.c: `warplock explain-mma`. docs/architecture.md 7. */
#include <string.h>

#include "driver/cli/cli.h"
#include "driver/explain.h"

enum { MOST_PRODUCTS = 64, MOST_TEXT = 64 };

/* Values with commas between them; 0 or an exit code. */
static int read_list(int profile, const char *option, const char *text, uint32_t *out,
                     unsigned *count) {
  for (*count = 0; *text != '\0';) {
    char one[MOST_TEXT];
    const size_t length = strcspn(text, ",");
    if (*count == MOST_PRODUCTS)
      return cli_fail(CLI_INPUT, "%s: more than %d values", option, MOST_PRODUCTS);
    (void)snprintf(one, sizeof one, "%.*s", (int)length, text);
    if (length >= sizeof one || wl_explain_value(profile, 0, one, &out[*count]) != 0)
      return cli_fail(CLI_INPUT, "%s: '%s' is no number, and no pattern 0x.. of the format", option,
                      one);
    (*count)++;
    text += length;
    text += *text == ',';
  }
  return CLI_OK;
}

int cli_explain_run(const cli_args_t *args) {
  uint32_t a[MOST_PRODUCTS], b[MOST_PRODUCTS], c = 0;
  unsigned na = 0, nb = 0;
  const char *type = cli_value(args, "--profile"), *ta = cli_value(args, "--a"),
             *tb = cli_value(args, "--b"), *tc = cli_value(args, "--c");
  if (ta == NULL || tb == NULL) return cli_fail(CLI_INPUT, "explain-mma needs --a and --b");
  const int profile = wl_explain_profile(type != NULL ? type : "f16_f32");
  if (profile < 0) return cli_fail(CLI_INPUT, "--profile: there is no '%s'", type);
  int code = read_list(profile, "--a", ta, a, &na);
  if (code == CLI_OK) code = read_list(profile, "--b", tb, b, &nb);
  if (code != CLI_OK) return code;
  if (na != nb || na == 0)
    return cli_fail(CLI_INPUT, "--a has %u values, --b %u: a product is of one of each", na, nb);
  if (tc != NULL && wl_explain_value(profile, 1, tc, &c) != 0)
    return cli_fail(CLI_INPUT, "--c: '%s' is no number, and no pattern 0x.. of the format", tc);
  (void)wl_explain_mma(stdout, profile, na, a, b, c);
  return CLI_OK;
}
