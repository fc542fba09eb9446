/* options.h: the command line of the kernel runner (runner.c says what the options mean). */
#ifndef WL_TESTS_RUNNER_OPTIONS_H
#define WL_TESTS_RUNNER_OPTIONS_H
#include <stdbool.h>
#include <stdio.h>

#include "driver/include/warplock.h"
#include "tests/kernels/runner/junit.h"

typedef struct text {
  char *data;
  size_t size;
} wl_runner_text_t;

typedef struct options {
  wl_device_options_t device;
  const char *tier, *kernel, *kcase, *ptx, *dir, *result, *digest, *write_digest, *json, *junit,
      *runs;
  bool verbose;
  unsigned max_failures, seeds;
  FILE *digest_out; /* being written */
  FILE *json_out;   /* likewise: the list of runs */
  FILE *runs_out;   /* likewise, as lines */
  wl_junit_t *junit_out;
  wl_runner_text_t digests; /* to compare with; data NULL: none */
  const char *known;
  wl_runner_text_t known_findings; /* of --checked; data NULL: none */
} wl_runner_options_t;

/* false: a word is no option, which is said; the program ends with exit code 2. */
bool wl_runner_parse(int argc, char **argv, wl_runner_options_t *o);

#endif
