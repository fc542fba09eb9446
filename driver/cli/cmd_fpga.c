/* cmd_fpga.c: warplock fpga: what board is at a port, its self-test, random freezes.
 * docs/fpga.md 7. Kernels run on a board with `warplock run --backend fpga`. */
#include <string.h>

#include "driver/cli/cli.h"

static void print_line(void *context, const char *text) {
  (void)context;
  printf("%s\n", text);
  (void)fflush(stdout);
}

static bool interrupted(void *context) {
  (void)context;
  return cli_interrupted();
}

static wl_status_t freeze(const char *text, const wl_board_options_t *options, char *err,
                          size_t cap) {
  const char *colon = strchr(text, ':');
  char seed[24] = "";
  uint64_t number = 0, density = 0;
  if (colon != NULL && (size_t)(colon - text) < sizeof seed) {
    (void)snprintf(seed, sizeof seed, "%.*s", (int)(colon - text), text);
  }
  if (colon == NULL || !cli_number(seed, UINT32_MAX, &number) ||
      !cli_number(colon + 1, 7, &density)) {
    (void)snprintf(err, cap, "--freeze %s: expected SEED:DENSITY, density 0 to 7", text);
    return WL_ERR_INPUT;
  }
  wl_status_t status = wl_board_set_freeze(options, (uint32_t)number, (unsigned)density, err, cap);
  if (status == WL_OK) {
    printf("freezes: seed %llu, density %llu of 8\n", (unsigned long long)number,
           (unsigned long long)density);
  }
  return status;
}

int cli_fpga_run(const cli_args_t *args) {
  char err[600] = "";
  const char *frozen = cli_value(args, "--freeze");
  const wl_board_options_t options = {
      .port = cli_value(args, "--port"), .stop = interrupted, .line = print_line};
  const bool selftest = cli_flag(args, "--selftest"), status = cli_flag(args, "--status");
  if (args->file_count != 0 || (int)selftest + (int)status + (int)(frozen != NULL) != 1) {
    return cli_fail(CLI_INPUT, "one of --selftest, --status, --freeze; see warplock fpga --help");
  }
  cli_catch_interrupt();
  wl_status_t code = selftest ? wl_board_selftest(&options, err, sizeof err)
                     : status ? wl_board_describe(&options, err, sizeof err)
                              : freeze(frozen, &options, err, sizeof err);
  if (code != WL_OK) {
    return cli_fail((int)code, "%s", err);
  }
  if (selftest) {
    printf("self-test passed\n");
  }
  return CLI_OK;
}
