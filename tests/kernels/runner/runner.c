/* runner: runs the kernel corpus on a backend and compares results (docs/microarchitecture.md 1,
 * "Configurations"; contract of the cases in kernel_case.h). A client of libwarplock only.
 *   runner [--backend B] [--config C] [--tier smoke|campaign|all] [--kernel K,..] [--case N]
 *          [--ptx VARIANT,..|all] [--seed N] [--disturb D] [--compare M] [--max-cycles N] [--threads N] [--dir DIR]
 *          [--verbose] [--max-failures N] [--result exact|checker] [--seeds N] [--digest FILE]
 *          [--write-digest FILE] [--json FILE] [--runs FILE] [--junit FILE] [--port DEV] [--lockstep]
 * --seeds N runs each case with the seeds 1..N. --write-digest writes one line per case and variant
 * of `exact` kernels with a hash of all buffers; --digest compares with such a file, so that
 * configurations and backends can be compared with each other. --json: sums, and one line per run; --runs: the lines as
 * words.
 * --junit: the runs as JUnit XML, each a test case of the class BACKEND.CONFIG.KERNEL.
 * A case whose CTA is too large for the configuration, or whose kernel needs an option that it lacks, must be
 * refused by the launch; one that needs more resident CTAs than fit is skipped and counted. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver/include/warplock.h"
#include "tests/common/read_file.h"
#include "tests/kernels/common/kernel_case.h"
#include "tests/kernels/runner/options.h"

typedef wl_runner_options_t options_t;
typedef wl_runner_text_t text_t;

typedef struct totals {
  unsigned runs, passed, refused, failed, skipped;
  uint64_t instructions, thread_instructions, cycles;
} totals_t;

typedef enum outcome { PASSED, REFUSED, FAILED, SKIPPED } outcome_t;

/* CTAs of the launch that fit on the machine at once. */
static uint32_t resident(const wl_device_info_t *info, const wl_function_info_t *f,
                         const wl_kernel_case_t *kcase) {
  uint32_t warps = (wl_kernel_threads_per_cta(kcase) + 31) / 32;
  uint32_t pages = (f->regs + 7) / 8;
  uint32_t warps_fit = info->reg_pages / info->sub_cores / pages * info->sub_cores;
  uint32_t shared = (f->shared_static + kcase->dynamic_shared + 1023) / 1024 * 1024;
  uint32_t fit = info->ctas;
  fit = info->warps / warps < fit ? info->warps / warps : fit;
  fit = warps_fit / warps < fit ? warps_fit / warps : fit;
  return shared != 0 && info->smem_bytes / shared < fit ? info->smem_bytes / shared : fit;
}

/* Buffers to the device; what each parameter is passed. */
static wl_status_t send(wl_device_t *device, const wl_kernel_launch_t *launch, wl_addr_t *address,
                        wl_arg_t *args) {
  wl_status_t status = WL_OK;
  for (size_t i = 0; i < launch->arg_count && status == WL_OK; i++) {
    const wl_kernel_arg_t *arg = &launch->arg[i];
    args[i] = (wl_arg_t){arg->data, arg->size};
    if (arg->kind == WL_ARG_BUFFER) {
      status = wl_alloc(device, arg->size, &address[i]);
      status = status == WL_OK ? wl_write(device, address[i], arg->data, arg->size) : status;
      args[i] = (wl_arg_t){&address[i], sizeof address[i]};
    }
  }
  return status;
}

static bool compare(wl_device_t *device, const wl_kernel_case_t *kcase,
                    const wl_kernel_launch_t *launch, const wl_addr_t *address, uint64_t *digest,
                    char *message, size_t cap) {
  unsigned char *result[WL_KERNEL_MAX_ARGS] = {NULL};
  bool ok = true;
  for (size_t i = 0; i < launch->arg_count && ok; i++) {
    if (launch->arg[i].kind == WL_ARG_BUFFER) {
      result[i] = malloc(launch->arg[i].size);
      ok =
          result[i] != NULL && wl_read(device, result[i], address[i], launch->arg[i].size) == WL_OK;
    }
  }
  if (!ok) {
    (void)snprintf(message, cap, "cannot read results");
  }
  ok = ok && wl_kernel_verify(kcase, launch, (const unsigned char *const *)result, message, cap);
  *digest = wl_kernel_digest(launch, (const unsigned char *const *)result);
  for (size_t i = 0; i < launch->arg_count; i++) {
    free(result[i]);
  }
  return ok;
}

typedef struct job {
  const options_t *options;
  const wl_kernel_t *kernel;
  const wl_kernel_case_t *kcase;
  wl_kernel_launch_t launch;
  wl_device_t *device;
  wl_result_t result;
  uint64_t seed, digest;
  char message[2048];
} job_t;

static outcome_t fail(job_t *j, const char *what) {
  (void)snprintf(j->message, sizeof j->message, "%s: %s", what, wl_error(j->device));
  return FAILED;
}

/* The launch was refused for the option that the kernel needs, and for no other reason. */
static bool lacks_option(const job_t *j, wl_status_t status) {
  char want[256];
  if (status != WL_ERR_UNSUPPORTED || j->kernel->requires_option == NULL) {
    return false;
  }
  (void)snprintf(want, sizeof want, "%s does not fit: %s: needed 1, available 0 in configuration",
                 j->kcase->entry, j->kernel->requires_option);
  return strncmp(wl_error(j->device), want, strlen(want)) == 0;
}

/* The finding stands in the file of known ones. */
static bool is_known(const job_t *j, const wl_finding_t *f, const wl_place_t *place) {
  char line[256];
  const char *file = place->ptx_file != NULL ? place->ptx_file : "", *slash = strrchr(file, '/');
  (void)snprintf(line, sizeof line, "\n%s:%u %s ", slash != NULL ? slash + 1 : file,
                 place->ptx_line, f->rule);
  return j->options->known_findings.data != NULL &&
         strstr(j->options->known_findings.data, line) != NULL;
}

/* Of a checked device. */
static bool has_findings(job_t *j, const wl_function_t *function) {
  wl_finding_t f;
  wl_place_t place;
  char instruction[160];
  for (unsigned i = 0; wl_launch_finding(j->device, i, &f); i++) {
    (void)wl_function_place(function, f.pc, &place);
    if (is_known(j, &f, &place)) {
      continue;
    }
    (void)wl_function_instruction(function, f.pc, instruction, sizeof instruction);
    (void)snprintf(j->message, sizeof j->message,
                   "line %u: %s, %llu times, first CTA %u,%u,%u thread %u,%u,%u: %s",
                   place.ptx_line, f.rule, (unsigned long long)f.count, f.cta[0], f.cta[1],
                   f.cta[2], f.thread[0], f.thread[1], f.thread[2], instruction);
    return true;
  }
  return false;
}

static outcome_t launch_and_compare(job_t *j, wl_function_t *function, bool too_large) {
  const wl_kernel_case_t *kcase = j->kcase;
  wl_addr_t address[WL_KERNEL_MAX_ARGS] = {0};
  wl_arg_t args[WL_KERNEL_MAX_ARGS];
  if (send(j->device, &j->launch, address, args) != WL_OK) {
    return fail(j, "buffers");
  }
  wl_launch_t launch = {.shared = kcase->dynamic_shared};
  memcpy(launch.grid, kcase->grid, sizeof launch.grid);
  memcpy(launch.block, kcase->block, sizeof launch.block);
  wl_status_t status =
      wl_launch(function, &launch, args, (unsigned)j->launch.arg_count, &j->result);
  if (too_large) {
    return status == WL_ERR_UNSUPPORTED ? REFUSED : fail(j, "a launch that does not fit was taken");
  }
  if (lacks_option(j, status)) {
    return REFUSED;
  }
  if (status != WL_OK) {
    return fail(j, "launch");
  }
  if (has_findings(j, function)) {
    return FAILED;
  }
  return compare(j->device, kcase, &j->launch, address, &j->digest, j->message, sizeof j->message)
             ? PASSED
             : FAILED;
}

static outcome_t run_loaded(job_t *j, const char *path, const text_t *text) {
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_device_info_t info;
  wl_function_info_t finfo;
  if (wl_module_load(j->device, path, text->data, text->size, NULL, &module) != WL_OK) {
    return fail(j, "load");
  }
  if (wl_module_function(module, j->kcase->entry, &function) != WL_OK) {
    return fail(j, "function");
  }
  (void)wl_device_query(j->device, &info);
  (void)wl_function_query(function, &finfo);
  uint32_t threads = wl_kernel_threads_per_cta(j->kcase);
  uint32_t fit = threads <= info.max_threads ? resident(&info, &finfo, j->kcase) : 0;
  uint32_t ctas = j->kcase->grid[0] * j->kcase->grid[1] * j->kcase->grid[2];
  if (fit != 0 && j->kernel->requires_resident_ctas != 0 && ctas > fit) {
    (void)snprintf(j->message, sizeof j->message, "needs %u resident CTAs, %u fit", ctas, fit);
    return SKIPPED;
  }
  return launch_and_compare(j, function, fit == 0);
}

static outcome_t run_case(job_t *j, const char *path, const text_t *text) {
  wl_device_options_t options = j->options->device;
  uint64_t need = UINT64_C(24) << 20;
  options.seed = j->seed;
  if (!wl_kernel_prepare(j->kcase, &j->launch)) {
    (void)snprintf(j->message, sizeof j->message, "prepare failed");
    return FAILED;
  }
  for (size_t i = 0; i < j->launch.arg_count; i++) {
    need += j->launch.arg[i].size + 4096;
  }
  /* A board has what it has. */
  options.mem_bytes = options.backend != NULL && strcmp(options.backend, "fpga") == 0 ? 0 : need;
  if (wl_device_open(&options, &j->device) != WL_OK) {
    return fail(j, "device");
  }
  return run_loaded(j, path, text);
}

static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Writes the digest of an `exact` case, or finds it in what another run wrote. */
static bool check_digest(job_t *j, const char *variant) {
  char line[256];
  const options_t *o = j->options;
  if (j->kernel->result != WL_RESULT_EXACT) {
    return true;
  }
  (void)snprintf(line, sizeof line, "%s %s %s %016" PRIx64 "\n", j->kernel->name, j->kcase->name,
                 variant, j->digest);
  if (o->digest_out != NULL) {
    return fputs(line, o->digest_out) >= 0;
  }
  if (o->digests.data != NULL && strstr(o->digests.data, line) == NULL) {
    (void)snprintf(j->message, sizeof j->message, "final memory %016" PRIx64 " is not that of %s",
                   j->digest, o->digest);
    return false;
  }
  return true;
}

static const char *result_name(const wl_kernel_t *kernel) {
  return kernel->result == WL_RESULT_EXACT ? "exact" : "checker";
}

static void tell_junit(const job_t *j, const char *variant, outcome_t outcome, double seconds) {
  const wl_device_options_t *d = &j->options->device;
  char class_name[256], name[256];
  if (j->options->junit_out == NULL) {
    return;
  }
  (void)snprintf(class_name, sizeof class_name, "%s.%s.%s",
                 d->backend != NULL ? d->backend : "func", d->config != NULL ? d->config : "base",
                 j->kernel->name);
  (void)snprintf(name, sizeof name, "%s %s seed %" PRIu64, j->kcase->name, variant, j->seed);
  wl_junit_case(j->options->junit_out, class_name, name, seconds,
                outcome == FAILED    ? WL_JUNIT_FAILED
                : outcome == SKIPPED ? WL_JUNIT_SKIPPED
                                     : WL_JUNIT_PASSED,
                j->message);
}

static void tell_run(const job_t *j, const char *variant, const char *outcome) {
  const wl_device_options_t *d = &j->options->device;
  if (j->options->runs_out == NULL) {
    return;
  }
  (void)fprintf(j->options->runs_out,
                "%s %s %s %s %" PRIu64 " %s %s %" PRIu64 " %" PRIu64 " %s %016" PRIx64 " %s\n",
                j->kernel->name, j->kcase->name, variant, d->config != NULL ? d->config : "base",
                j->seed, d->disturb != NULL ? d->disturb : "none", outcome, j->result.cycles,
                j->result.instructions, result_name(j->kernel), j->digest,
                j->device != NULL ? wl_launch_note(j->device) : "");
}

static void one(const options_t *o, const wl_kernel_t *kernel, const wl_kernel_case_t *kcase,
                const char *variant, uint64_t seed, totals_t *totals) {
  static const char *const names[] = {"passed", "refused", "FAILED", "skipped"};
  char path[4096];
  text_t text;
  (void)snprintf(path, sizeof path, "%s/%s/%s.%s.ptx", o->dir, kernel->name, kernel->name, variant);
  job_t *j = calloc(1, sizeof *j);
  text.data = wl_read_file(path, &text.size);
  if (j == NULL) {
    printf("out of memory\n");
    totals->failed++;
    free(text.data);
    return;
  }
  *j = (job_t){.options = o, .kernel = kernel, .kcase = kcase, .seed = seed};
  double start = now();
  outcome_t outcome = FAILED;
  if (text.data == NULL) {
    (void)snprintf(j->message, sizeof j->message, "%.2000s: cannot read", path);
  } else {
    outcome = run_case(j, path, &text);
  }
  outcome = outcome == PASSED && !check_digest(j, variant) ? FAILED : outcome;
  double seconds = now() - start;
  totals->runs++;
  totals->passed += outcome == PASSED;
  totals->refused += outcome == REFUSED;
  totals->failed += outcome == FAILED;
  totals->skipped += outcome == SKIPPED;
  totals->instructions += j->result.instructions;
  totals->thread_instructions += j->result.thread_instructions;
  totals->cycles += j->result.cycles;
  if (o->json_out != NULL) {
    (void)fprintf(o->json_out,
                  "%s\n  {\"kernel\": \"%s\", \"case\": \"%s\", \"ptx\": \"%s\", \"seed\": %" PRIu64
                  ", \"outcome\": \"%s\", \"cycles\": %" PRIu64 ", \"instructions\": %" PRIu64 "}",
                  totals->runs > 1 ? "," : "", kernel->name, kcase->name, variant, seed,
                  names[outcome], j->result.cycles, j->result.instructions);
  }
  tell_run(j, variant, names[outcome]);
  tell_junit(j, variant, outcome, seconds);
  if (o->verbose || outcome == FAILED) {
    printf("%-8s %s %s %s seed %" PRIu64 " (%.3f s, %" PRIu64 " cycles, %" PRIu64
           " warp instructions)%s%s\n",
           names[outcome], kernel->name, kcase->name, variant, seed, seconds, j->result.cycles,
           j->result.instructions, j->message[0] != 0 ? ": " : "", j->message);
  }
  wl_device_close(j->device);
  wl_kernel_launch_free(&j->launch);
  free(text.data);
  free(j);
  (void)fflush(stdout);
}

static void run_seeds(const options_t *o, const wl_kernel_t *kernel, const wl_kernel_case_t *kcase,
                      const char *variant, totals_t *totals) {
  if (o->seeds == 0) {
    one(o, kernel, kcase, variant, o->device.seed, totals);
  }
  for (uint64_t seed = 1; seed <= o->seeds; seed++) {
    one(o, kernel, kcase, variant, seed, totals);
  }
}

static bool wanted_tier(const options_t *o, const wl_kernel_case_t *kcase) {
  const char *tier = kcase->tier == WL_TIER_SMOKE ? "smoke" : "campaign";
  return strcmp(o->tier, "all") == 0 || strcmp(o->tier, tier) == 0;
}

static void run_kernel(const options_t *o, const wl_kernel_t *kernel, totals_t *totals) {
  for (size_t i = 0; i < kernel->case_count; i++) {
    const wl_kernel_case_t *kcase = &kernel->cases[i];
    uint32_t variants = kcase->variants != 0 ? kcase->variants : kernel->variants;
    if (!wanted_tier(o, kcase) || (o->kcase != NULL && strcmp(o->kcase, kcase->name) != 0)) {
      continue;
    }
    for (uint32_t bit = 0; bit < WL_PTX_COUNT; bit++) {
      const char *variant = wl_kernel_variant_name(bit);
      if ((variants >> bit & 1u) != 0 && wl_kernel_listed(o->ptx, variant) &&
          (o->max_failures == 0 || totals->failed < o->max_failures)) {
        run_seeds(o, kernel, kcase, variant, totals);
      }
    }
  }
}

static bool open_digests(options_t *o) {
  if (o->known != NULL) {
    o->known_findings.data = wl_read_file(o->known, &o->known_findings.size);
    if (o->known_findings.data == NULL) {
      (void)fprintf(stderr, "runner: cannot read %s\n", o->known);
      return false;
    }
  }
  if (o->digest != NULL) {
    o->digests.data = wl_read_file(o->digest, &o->digests.size);
  }
  if (o->digest != NULL && o->digests.size == 0) {
    fprintf(stderr, "runner: cannot read %s\n", o->digest);
    return false;
  }
  o->digest_out = o->write_digest != NULL ? fopen(o->write_digest, "wb") : NULL;
  if (o->write_digest != NULL && o->digest_out == NULL) {
    fprintf(stderr, "runner: cannot write %s\n", o->write_digest);
    return false;
  }
  o->json_out = o->json != NULL ? fopen(o->json, "w") : NULL;
  if (o->json != NULL && o->json_out == NULL) {
    fprintf(stderr, "runner: cannot write %s\n", o->json);
    return false;
  }
  o->runs_out = o->runs != NULL ? fopen(o->runs, "w") : NULL;
  if (o->runs != NULL && o->runs_out == NULL) {
    fprintf(stderr, "runner: cannot write %s\n", o->runs);
    return false;
  }
  o->junit_out = o->junit != NULL ? wl_junit_open(o->junit, "kernels") : NULL;
  if (o->junit != NULL && o->junit_out == NULL) {
    fprintf(stderr, "runner: cannot write %s\n", o->junit);
    return false;
  }
  return o->json == NULL || fputs("{\"runs\": [", o->json_out) >= 0;
}

static bool wanted_kernel(const options_t *o, const wl_kernel_t *kernel) {
  return wl_kernel_listed(o->kernel, kernel->name) &&
         (o->result == NULL || strcmp(o->result, result_name(kernel)) == 0);
}

int main(int argc, char **argv) {
  options_t options;
  totals_t totals = {0};
  size_t count = 0;
  if (!wl_runner_parse(argc, argv, &options) || !open_digests(&options)) {
    return 2;
  }
  const wl_kernel_t *const *kernels = wl_kernel_cases(&count);
  double start = now();
  for (size_t k = 0; k < count; k++) {
    if (wanted_kernel(&options, kernels[k])) {
      run_kernel(&options, kernels[k], &totals);
    }
  }
  printf("%u runs: %u passed, %u refused as they must be, %u skipped, %u failed; %.1f s, %" PRIu64
         " warp instructions, %" PRIu64 " thread instructions\n",
         totals.runs, totals.passed, totals.refused, totals.skipped, totals.failed, now() - start,
         totals.instructions, totals.thread_instructions);
  if (options.digest_out != NULL && fclose(options.digest_out) != 0) {
    totals.failed++;
  }
  if (options.runs_out != NULL && fclose(options.runs_out) != 0) {
    totals.failed++;
  }
  if (options.junit_out != NULL && !wl_junit_close(options.junit_out)) {
    fprintf(stderr, "runner: cannot write %s\n", options.junit);
    totals.failed++;
  }
  if (options.json_out != NULL) {
    (void)fprintf(options.json_out,
                  "\n ],\n \"backend\": \"%s\", \"config\": \"%s\", \"passed\": %u, "
                  "\"refused\": %u, \"skipped\": %u, \"failed\": %u,\n \"cycles\": %" PRIu64
                  ", \"instructions\": %" PRIu64 ", \"thread_instructions\": %" PRIu64 "}\n",
                  options.device.backend != NULL ? options.device.backend : "",
                  options.device.config != NULL ? options.device.config : "", totals.passed,
                  totals.refused, totals.skipped, totals.failed, totals.cycles, totals.instructions,
                  totals.thread_instructions);
    totals.failed += fclose(options.json_out) != 0;
  }
  free(options.digests.data);
  free(options.known_findings.data);
  return totals.failed != 0 || totals.runs == 0 ? 1 : 0;
}
