/* main.c: the program `warplock`: chooses the command. docs/architecture.md 7. */
#include <string.h>

#include "driver/cli/cli.h"

static const cli_command_t *const commands[] = {&cli_as,       &cli_dis,  &cli_info, &cli_run,
                                                &cli_lockstep, &cli_replay, &cli_stub, &cli_bench,
                                                &cli_fpga, &cli_compare};

static const char help[] =
    "Usage: warplock COMMAND [OPTION...]\n"
    "  as        assemble PTX into an object\n"
    "  dis       list an object's instructions\n"
    "  info      describe this build, a configuration or an object\n"
    "  run       run a kernel of a PTX file or object\n"
    "  lockstep  run a kernel on the model and the RTL (or a board), comparing every cycle\n"
    "  compare   compare the log of a foreign core with the reference\n"
    "  replay    run a divergence again from the file that lockstep wrote\n"
    "  stub      (not implemented yet) launch functions in C for a PTX file\n"
    "  bench     measure the speed of the backends\n"
    "  fpga      say what board is at a port, and test it\n"
    "  faults    flip bits of the RTL in lockstep and tell what became of them\n"
    "warplock COMMAND --help tells more; warplock --version names the build.\n"
    "Exit codes: 0 success, 1 an --expect check or a replay failed, 2 wrong usage or input,\n"
    "3 divergence, 4 trap in the program, 5 hang or --max-cycles, 6 not supported here, 70 internal error.\n";

int main(int argc, char **argv) {
  if (argc < 2) {
    (void)fputs(help, stderr);
    return CLI_INPUT;
  }
  if (strcmp(argv[1], "--help") == 0) {
    printf("%s", help);
    return CLI_OK;
  }
  if (strcmp(argv[1], "--version") == 0) {
    cli_print_version();
    return CLI_OK;
  }
  if (strcmp(argv[1], "faults") == 0) {
    return cli_faults(argv + 1);
  }
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    if (strcmp(commands[i]->name, argv[1]) == 0) {
      cli_args_t args;
      bool done = false;
      int code = cli_parse(commands[i], argc - 2, argv + 2, &args, &done);
      if (code == CLI_OK && !done) {
        code = commands[i]->run(&args);
      }
      cli_args_free(&args);
      if (fflush(stdout) != 0 && code == CLI_OK) {
        code = cli_fail(CLI_INTERNAL, "cannot write standard output");
      }
      return code;
    }
  }
  return cli_fail(CLI_INPUT, "unknown command %s; see warplock --help", argv[1]);
}
