/* oracle_runner: the kernel corpus on the oracle (oracle.h), compared with the host's expectation
 * and with the digests that tests/kernels/runner writes on the machine's backends.
 *   oracle_runner [--tier smoke|campaign|all] [--kernel K,..] [--case N] [--ptx VARIANT,..|all]
 *                 [--result exact|checker] [--dir DIR] [--digest FILE] [--write-digest FILE]
 *                 [--quantum N] [--reverse] [--limit N] [--verbose] [--least-rate N]
 * With --digest an `exact` case that the file does not list is a failure, so that a digest file of
 * another selection cannot pass. --least-rate: millions of instructions per second over all
 * launches, below which the run fails. --limit: instructions of a launch that count as endless. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/common/read_file.h"
#include "tests/kernels/common/kernel_case.h"
#include "tests/oracle/oracle.h"

typedef struct options {
  const char *tier, *kernel, *kcase, *ptx, *result, *dir, *digest, *write_digest;
  const char *quantum, *rate, *limit;
  bool reverse, verbose;
  char *digests;
  FILE *out;
} options_t;

typedef struct totals {
  unsigned runs, passed, failed;
  uint64_t instructions;
  double seconds; /* in launches only */
} totals_t;

static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

typedef struct job {
  const options_t *options;
  const wl_kernel_t *kernel;
  const wl_kernel_case_t *kcase;
  const char *variant;
  wl_kernel_launch_t launch;
  wl_or_module_t *module;
  uint64_t address[WL_KERNEL_MAX_ARGS];
  wl_or_arg_t args[WL_KERNEL_MAX_ARGS];
  uint64_t instructions;
  double seconds;
  char message[4096];
} job_t;

static bool say(job_t *j, const char *message) {
  (void)snprintf(j->message, sizeof j->message, "%s", message);
  return false;
}

static bool send(job_t *j) {
  for (size_t i = 0; i < j->launch.arg_count; i++) {
    const wl_kernel_arg_t *arg = &j->launch.arg[i];
    j->args[i] = (wl_or_arg_t){arg->data, arg->size};
    if (arg->kind == WL_ARG_BUFFER) {
      j->address[i] = wl_or_alloc(j->module, arg->size);
      if (!wl_or_write(j->module, j->address[i], arg->data, arg->size)) {
        return say(j, "cannot allocate a buffer");
      }
      j->args[i] = (wl_or_arg_t){&j->address[i], sizeof j->address[i]};
    }
  }
  return true;
}

static bool check_digest(job_t *j, uint64_t digest) {
  char line[256];
  const options_t *o = j->options;
  int head = snprintf(line, sizeof line, "%s %s %s ", j->kernel->name, j->kcase->name, j->variant);
  if (j->kernel->result != WL_RESULT_EXACT || head < 0) {
    return true;
  }
  if (o->digests != NULL && strstr(o->digests, line) == NULL) {
    return say(j, "the digest file does not have this case");
  }
  (void)snprintf(line + head, sizeof line - (size_t)head, "%016" PRIx64 "\n", digest);
  if (o->digests != NULL && strstr(o->digests, line) == NULL) {
    (void)snprintf(j->message, sizeof j->message, "final memory %016" PRIx64 " is not that of %s",
                   digest, o->digest);
    return false;
  }
  return o->out == NULL || fputs(line, o->out) >= 0 || say(j, "cannot write the digest");
}

static bool compare(job_t *j) {
  unsigned char *result[WL_KERNEL_MAX_ARGS] = {NULL};
  bool ok = true;
  for (size_t i = 0; i < j->launch.arg_count && ok; i++) {
    size_t size = j->launch.arg[i].size;
    if (j->launch.arg[i].kind == WL_ARG_BUFFER) {
      result[i] = malloc(size);
      ok = result[i] != NULL && wl_or_read(j->module, j->address[i], result[i], size);
    }
  }
  ok = ok ? wl_kernel_verify(j->kcase, &j->launch, (const unsigned char *const *)result, j->message,
                             sizeof j->message) &&
                check_digest(j, wl_kernel_digest(&j->launch, (const unsigned char *const *)result))
          : say(j, "cannot read results");
  for (size_t i = 0; i < j->launch.arg_count; i++) {
    free(result[i]);
  }
  return ok;
}

static bool run_case(job_t *j, const char *path) {
  size_t size = 0;
  const options_t *o = j->options;
  char *text = wl_read_file(path, &size);
  if (text == NULL) {
    return say(j, "cannot read the file");
  }
  j->module = wl_or_load(path, text, size, j->message, sizeof j->message);
  free(text);
  if (j->module == NULL || !wl_kernel_prepare(j->kcase, &j->launch) || !send(j)) {
    return j->message[0] != 0 ? false : say(j, "cannot prepare the case");
  }
  wl_or_launch_t l = {.entry = j->kcase->entry,
                      .dynamic_shared = j->kcase->dynamic_shared,
                      .args = j->args,
                      .nargs = j->launch.arg_count,
                      .quantum = (uint32_t)strtoul(o->quantum, NULL, 0),
                      .reverse = o->reverse,
                      .max_instructions = strtoull(o->limit, NULL, 0)};
  memcpy(l.grid, j->kcase->grid, sizeof l.grid);
  memcpy(l.block, j->kcase->block, sizeof l.block);
  double start = now();
  bool ok = wl_or_launch(j->module, &l, &j->instructions, j->message, sizeof j->message);
  j->seconds = now() - start;
  return ok && compare(j);
}

static void one(const options_t *o, const wl_kernel_t *kernel, const wl_kernel_case_t *kcase,
                const char *variant, totals_t *totals) {
  char path[4096];
  job_t *j = calloc(1, sizeof *j);
  (void)snprintf(path, sizeof path, "%s/%s/%s.%s.ptx", o->dir, kernel->name, kernel->name, variant);
  totals->runs++;
  if (j == NULL) {
    totals->failed++;
    return;
  }
  j->options = o;
  j->kernel = kernel;
  j->kcase = kcase;
  j->variant = variant;
  bool ok = run_case(j, path);
  totals->passed += ok;
  totals->failed += !ok;
  totals->instructions += j->instructions;
  totals->seconds += j->seconds;
  if (o->verbose || !ok) {
    printf("%-6s %s %s %s (%" PRIu64 " instructions, %.4f s)%s%s\n", ok ? "passed" : "FAILED",
           kernel->name, kcase->name, variant, j->instructions, j->seconds, ok ? "" : ": ",
           ok ? "" : j->message);
  }
  wl_or_close(j->module);
  wl_kernel_launch_free(&j->launch);
  free(j);
  (void)fflush(stdout);
}

static void run_kernel(const options_t *o, const wl_kernel_t *kernel, totals_t *totals) {
  const char *result = kernel->result == WL_RESULT_EXACT ? "exact" : "checker";
  if (!wl_kernel_listed(o->kernel, kernel->name) || !wl_kernel_listed(o->result, result)) {
    return;
  }
  if (kernel->approximate || kernel->no_oracle) {
    printf("left out: %s, of %s\n", kernel->name,
           kernel->approximate ? "approximations" : "instructions that the oracle lacks");
    return;
  }
  for (size_t i = 0; i < kernel->case_count; i++) {
    const wl_kernel_case_t *kcase = &kernel->cases[i];
    uint32_t variants = kcase->variants != 0 ? kcase->variants : kernel->variants;
    const char *tier = kcase->tier == WL_TIER_SMOKE ? "smoke" : "campaign";
    if (!wl_kernel_listed(o->tier, tier) ||
        (o->kcase != NULL && strcmp(o->kcase, kcase->name) != 0)) {
      continue;
    }
    for (uint32_t bit = 0; bit < WL_PTX_COUNT; bit++) {
      const char *variant = wl_kernel_variant_name(bit);
      if ((variants >> bit & 1u) != 0 && wl_kernel_listed(o->ptx, variant)) {
        one(o, kernel, kcase, variant, totals);
      }
    }
  }
}

static bool parse(int argc, char **argv, options_t *o) {
  *o = (options_t){
      .tier = "smoke", .dir = "tests/kernels", .quantum = "0", .rate = "0", .limit = "0"};
  const struct {
    const char *name, **to;
  } texts[] = {{"--tier", &o->tier},       {"--kernel", &o->kernel},
               {"--case", &o->kcase},      {"--ptx", &o->ptx},
               {"--result", &o->result},   {"--dir", &o->dir},
               {"--digest", &o->digest},   {"--write-digest", &o->write_digest},
               {"--quantum", &o->quantum}, {"--least-rate", &o->rate},
               {"--limit", &o->limit}};
  for (int i = 1; i < argc; i++) {
    bool known = false;
    if (strcmp(argv[i], "--reverse") == 0 || strcmp(argv[i], "--verbose") == 0) {
      *(argv[i][2] == 'r' ? &o->reverse : &o->verbose) = true;
      continue;
    }
    for (size_t k = 0; k < WL_COUNT(texts) && i + 1 < argc && !known; k++) {
      known = strcmp(argv[i], texts[k].name) == 0;
      if (known) {
        *texts[k].to = argv[++i];
      }
    }
    if (!known) {
      fprintf(stderr, "oracle_runner: unknown option %s\n", argv[i]);
      return false;
    }
  }
  return true;
}

static bool open_digests(options_t *o) {
  size_t size = 0;
  o->digests = o->digest != NULL ? wl_read_file(o->digest, &size) : NULL;
  o->out = o->write_digest != NULL ? fopen(o->write_digest, "wb") : NULL;
  if ((o->digest != NULL && o->digests == NULL) || (o->write_digest != NULL && o->out == NULL)) {
    fprintf(stderr, "oracle_runner: cannot open %s\n",
            o->digests == NULL && o->digest != NULL ? o->digest : o->write_digest);
    return false;
  }
  return true;
}

int main(int argc, char **argv) {
  options_t options;
  totals_t totals = {0};
  size_t count = 0;
  if (!parse(argc, argv, &options) || !open_digests(&options)) {
    return 2;
  }
  const wl_kernel_t *const *kernels = wl_kernel_cases(&count);
  for (size_t k = 0; k < count; k++) {
    run_kernel(&options, kernels[k], &totals);
  }
  double rate = totals.seconds > 0 ? (double)totals.instructions / totals.seconds / 1e6 : 0;
  bool slow = rate < strtod(options.rate, NULL);
  printf("%u runs: %u passed, %u failed; %" PRIu64 " thread instructions in %.3f s: %.1f M/s%s\n",
         totals.runs, totals.passed, totals.failed, totals.instructions, totals.seconds, rate,
         slow ? ", too slow" : "");
  bool closed = options.out == NULL || fclose(options.out) == 0;
  free(options.digests);
  return totals.failed != 0 || totals.runs == 0 || slow || !closed ? 1 : 0;
}
