/* cmd_faults.c: `warplock faults` is the program warplock-faults beside this one, which has a model
 * of the RTL of its own and is built on request. docs/faults.md */
#include <string.h>
#include <unistd.h>

#include "driver/cli/cli.h"

int cli_faults_run(char **argv) {
  static const char name[] = "warplock-faults";
  char path[4096];
  for (char **word = argv + 1; *word != NULL; word++) {
    if (strcmp(*word, "--help") == 0) { /* also where the other program is not built */
      cli_help(stdout, &cli_faults);
      return CLI_OK;
    }
  }
  const ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof name);
  if (n <= 0) {
    return cli_fail(CLI_INTERNAL, "cannot find the folder of this program");
  }
  path[n] = 0;
  char *slash = strrchr(path, '/');
  strcpy(slash != NULL ? slash + 1 : path, name);
  if (access(path, X_OK) != 0) {
    return cli_fail(CLI_UNSUPPORTED,
                    "this build has no %s: cmake --build BUILD --target warplock_faults", name);
  }
  execv(path, argv);
  return cli_fail(CLI_INTERNAL, "cannot start %s", path);
}
