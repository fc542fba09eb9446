/* options.c: options.h. */
#include "tests/kernels/runner/options.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: wl_kernel_runner [OPTION...]\n"
    "Runs the kernel corpus on a backend and compares results with the host's.\n"
    "  --backend B, --config C, --seed N, --disturb D, --compare M, --max-cycles N, --threads N,\n"
    "  --port DEV, --lockstep      the device, as of `warplock run`\n"
    "  --tier smoke|campaign|all   default: smoke\n"
    "  --kernel K,..  --case N  --ptx VARIANT,..|all  --result exact|checker   which of them\n"
    "  --seeds N                   each case with the seeds 1 to N\n"
    "  --dir DIR                   where the PTX lies; default: tests/kernels\n"
    "  --max-failures N            ends after so many\n"
    "  --verbose                   a line for each run\n"
    "  --write-digest FILE, --digest FILE   final memory of exact kernels, to be compared with\n"
    "  --json FILE                 sums, and one line per run\n"
    "  --runs FILE                 one line of words per run: kernel, case, PTX, configuration, seed,\n"
    "                              disturbance, outcome, cycles, instructions, kind of result, hash of\n"
    "                              final memory, and what the backend notes\n"
    "  --junit FILE                JUnit XML: each run a test case of the class BACKEND.CONFIG.KERNEL;\n"
    "                              a launch that is refused as it must be has passed\n"
    "  --checked                   backend func: a launch with a finding (docs/checked.md) fails\n"
    "  --known FILE                findings that do not count, lines of PTX file:line and rule\n"
    "Exit code 0: all passed or were skipped; 1: one failed, or none ran; 2: usage.\n";

bool wl_runner_parse(int argc, char **argv, wl_runner_options_t *o) {
  *o = (wl_runner_options_t){.tier = "smoke", .ptx = "all", .dir = "tests/kernels"};
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i];
    if (strcmp(name, "--verbose") == 0) {
      o->verbose = true;
      continue;
    }
    if (strcmp(name, "--help") == 0) {
      fputs(usage, stdout);
      exit(0);
    }
    if (strcmp(name, "--checked") == 0) {
      o->device.checked = true;
      continue;
    }
    if (strcmp(name, "--lockstep") == 0) {
      o->device.lockstep = true;
      continue;
    }
    const char *value = i + 1 < argc ? argv[++i] : NULL;
    const struct {
      const char *name, **to;
    } texts[] = {{"--backend", &o->device.backend},
                 {"--config", &o->device.config},
                 {"--disturb", &o->device.disturb},
                 {"--compare", &o->device.compare},
                 {"--port", &o->device.port},
                 {"--tier", &o->tier},
                 {"--kernel", &o->kernel},
                 {"--case", &o->kcase},
                 {"--ptx", &o->ptx},
                 {"--result", &o->result},
                 {"--digest", &o->digest},
                 {"--write-digest", &o->write_digest},
                 {"--json", &o->json},
                 {"--runs", &o->runs},
                 {"--junit", &o->junit},
                 {"--known", &o->known},
                 {"--dir", &o->dir}};
    bool known = false;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
      if (value != NULL && strcmp(name, texts[k].name) == 0) {
        *texts[k].to = value;
        known = true;
      }
    }
    if (!known && value != NULL && strcmp(name, "--seed") == 0) {
      o->device.seed = strtoull(value, NULL, 0);
    } else if (!known && value != NULL && strcmp(name, "--seeds") == 0) {
      o->seeds = (unsigned)strtoul(value, NULL, 0);
    } else if (!known && value != NULL && strcmp(name, "--threads") == 0) {
      o->device.threads = (unsigned)strtoul(value, NULL, 0);
    } else if (!known && value != NULL && strcmp(name, "--max-cycles") == 0) {
      o->device.max_cycles = strtoull(value, NULL, 0);
    } else if (!known && value != NULL && strcmp(name, "--max-failures") == 0) {
      o->max_failures = (unsigned)strtoul(value, NULL, 0);
    } else if (!known) {
      fprintf(stderr, "runner: unknown option %s\n", name);
      return false;
    }
  }
  return true;
}
