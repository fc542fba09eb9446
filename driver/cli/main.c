/* main.c: the program `warplock`: chooses the command. docs/architecture.md 7. */
#include <string.h>

#include "driver/cli/cli.h"

static const struct {
  const cli_command_t *command;
  int (*run)(const cli_args_t *args);
} commands[] = {{&cli_as, cli_as_run},           {&cli_dis, cli_dis_run},
                {&cli_info, cli_info_run},       {&cli_run, cli_run_run},
                {&cli_lockstep, cli_run_run},    {&cli_replay, cli_replay_run},
                {&cli_bench, cli_bench_run},     {&cli_fpga, cli_fpga_run},
                {&cli_compare, cli_compare_run}, {&cli_explain, cli_explain_run}};

static int run_command(size_t i, int argc, char **argv) {
  cli_args_t args;
  bool done = false;
  int code = cli_parse(commands[i].command, argc, argv, &args, &done);
  if (code == CLI_OK && !done) {
    code = commands[i].run(&args);
  }
  cli_args_free(&args);
  if (fflush(stdout) != 0 && code == CLI_OK) {
    code = cli_fail(CLI_INTERNAL, "cannot write standard output");
  }
  return code;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    cli_help_all(stderr);
    return CLI_INPUT;
  }
  if (strcmp(argv[1], "--help") == 0) {
    cli_help_all(stdout);
    return CLI_OK;
  }
  if (strcmp(argv[1], "--version") == 0) {
    cli_print_version();
    return CLI_OK;
  }
  if (strcmp(argv[1], "faults") == 0) {
    return cli_faults_run(argv + 1);
  }
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    if (strcmp(commands[i].command->name, argv[1]) == 0) {
      return run_command(i, argc - 2, argv + 2);
    }
  }
  const char *meant = cli_suggest_command(argv[1]);
  return cli_fail(CLI_INPUT, "unknown command %s%s%s%s; see warplock --help", argv[1],
                  meant != NULL ? " (did you mean " : "", meant != NULL ? meant : "",
                  meant != NULL ? "?)" : "");
}
