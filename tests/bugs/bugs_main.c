/* The programs that look for a deliberate bug, linked into one (README.md of this folder): the first
 * argument says which, the others are its own. */
#include <stdio.h>
#include <string.h>

int wl_bugs_kernels(int argc, char **argv);
int wl_bugs_machine(int argc, char **argv);
int wl_bugs_fuzz(int argc, char **argv);
int wl_bugs_random(int argc, char **argv);
int wl_bugs_tensor(int argc, char **argv);

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
  } programs[] = {{"kernels", wl_bugs_kernels},
                  {"machine", wl_bugs_machine},
                  {"fuzz", wl_bugs_fuzz},
                  {"random", wl_bugs_random},
                  {"tensor", wl_bugs_tensor}};
  for (size_t i = 0; argc > 1 && i < sizeof programs / sizeof programs[0]; i++)
    if (strcmp(argv[1], programs[i].name) == 0) return programs[i].run(argc - 1, argv + 1);
  fprintf(stderr, "usage: %s kernels|machine|fuzz|random|tensor ...\n", argv[0]);
  return 2;
}
