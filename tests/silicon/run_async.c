/* run_async: runs the programs of async.c on Warplock, on the oracle or by the rule (async_rule.h),
 * and compares with what silicon gave (README.md).
 * Usage: run_async rule|oracle|BACKEND async.txt CONFIG.. [--every N]
 * Exit code 1: a difference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "tests/common/read_file.h"
#include "tests/oracle/oracle.h"
#include "tests/silicon/async_rule.h"

enum { MISALIGNED = 10, OUT_OF_BOUNDS = 11, MBARRIER = 16, COPY_SIZE = 17 }; /* trap.def */

typedef enum outcome { RAN, FAILED, WRONG } outcome_t;

typedef struct run {
  const char *backend, *config;
  char ptx[32768], why[4096];
  uint32_t result[ASYNC_WORDS];
  async_end_t end; /* of a program that failed */
} run_t;

static outcome_t say(run_t *r, const char *why) {
  (void)snprintf(r->why, sizeof r->why, "%s", why);
  return WRONG;
}

/* ---- on the oracle: its errors have no causes; any will do. Bulk copies are over at once (seed 1). */
static outcome_t run_oracle(run_t *r, const async_program_t *p, async_end_t end) {
  char message[2048] = "";
  uint64_t count = 0;
  wl_or_module_t *m = wl_or_load("async", r->ptx, strlen(r->ptx), message, sizeof message);
  (void)say(r, message);
  if (m == NULL) {
    return WRONG;
  }
  const uint64_t out = wl_or_alloc(m, sizeof r->result), source = wl_or_alloc(m, ASYNC_SOURCE);
  const wl_or_arg_t args[] = {{&out, sizeof out}, {&source, sizeof source}};
  const wl_or_launch_t launch = {.entry = "async",
                                 .grid = {1, 1, 1},
                                 .block = {1, 1, 1},
                                 .args = args,
                                 .nargs = 2,
                                 .seed = async_bulk(p) ? 1 : 0};
  const bool ok = wl_or_launch(m, &launch, &count, message, sizeof message) &&
                  wl_or_read(m, out, r->result, sizeof r->result);
  wl_or_close(m);
  r->end = end;
  (void)say(r, message);
  return ok ? RAN : end != ASYNC_ENDS && end != ASYNC_UNKNOWN ? FAILED : WRONG;
}

/* ---- on Warplock */
static wl_status_t launch(wl_device_t *device, const run_t *r, wl_addr_t out, wl_result_t *result) {
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t source = 0;
  const wl_launch_t shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
  const wl_module_options_t options = {.target = "sm_90"};
  wl_status_t status = wl_module_load(device, "async", r->ptx, strlen(r->ptx), &options, &module);
  status = status == WL_OK ? wl_module_function(module, "async", &function) : status;
  status = status == WL_OK ? wl_alloc(device, ASYNC_SOURCE, &source) : status;
  const wl_arg_t args[] = {WL_ARG(out), WL_ARG(source)};
  return status == WL_OK ? wl_launch(function, &shape, args, 2, result) : status;
}

static outcome_t run_device(run_t *r) {
  const wl_device_options_t options = {.backend = r->backend,
                                       .config = r->config,
                                       .mem_bytes = UINT64_C(4) << 20,
                                       .max_cycles = 1000000};
  wl_device_t *device = NULL;
  wl_addr_t out = 0;
  wl_result_t result = {.trapped = false};
  wl_status_t status = wl_device_open(&options, &device);
  status = status == WL_OK ? wl_alloc(device, sizeof r->result, &out) : status;
  status = status == WL_OK ? launch(device, r, out, &result) : status;
  status = status == WL_OK ? wl_read(device, r->result, out, sizeof r->result) : status;
  if (status != WL_OK) {
    (void)say(r, wl_error(device));
  }
  wl_device_close(device);
  const uint32_t cause = result.trap.cause;
  r->end = cause == MBARRIER        ? ASYNC_MISUSE
           : cause == MISALIGNED    ? ASYNC_MISALIGNED
           : cause == OUT_OF_BOUNDS ? ASYNC_NO_MEMORY
           : cause == COPY_SIZE     ? ASYNC_SIZE
                                    : ASYNC_UNKNOWN;
  return status == WL_OK ? RAN : status == WL_ERR_TRAP && r->end != ASYNC_UNKNOWN ? FAILED : WRONG;
}

/* By the rule, which says itself how each program ends. */
static outcome_t run_rule(run_t *r, const async_program_t *p) {
  r->end = async_rule(p, r->result);
  return r->end == ASYNC_ENDS ? RAN : r->end == ASYNC_UNKNOWN ? WRONG : FAILED;
}

static bool differs(const run_t *r, const char *text, const char *what) {
  printf("DIFFERS on %s %s: %s%.*s\n", r->backend, r->config, what, (int)strcspn(text, "\n"), text);
  return false;
}

/* The line of the program stands in the record, or it differs for a known reason. A program that ends
 * the launch has no results: `init=0` has no line of its own. */
static bool check(run_t *r, const async_program_t *p, const char *record) {
  char text[ASYNC_TEXT];
  uint32_t scratch[ASYNC_WORDS];
  const async_end_t end = async_rule(p, scratch);
  const outcome_t o = strcmp(r->backend, "rule") == 0     ? run_rule(r, p)
                      : strcmp(r->backend, "oracle") == 0 ? run_oracle(r, p, end)
                                                          : run_device(r);
  if (o == WRONG) {
    async_text(p, NULL, r->why, text);
    return differs(r, text, "");
  }
  const char *error = o == FAILED ? async_error(r->end) : NULL; /* NULL: silicon has none such */
  async_text(p, o == RAN ? r->result : NULL, error != NULL ? error + 2 : "none", text);
  text[strcspn(text, "\n")] = '\0';
  const char *at = strstr(record, text);
  const bool whole =
      at != NULL && at != record && at[-1] == '\n' && (o == FAILED || at[strlen(text)] == '\n');
  const bool none = o == FAILED && strcmp(p->step[0].name, "init") == 0 && p->step[0].number == 0;
  if (async_differs(p) == NULL) {
    return whole || none || differs(r, text, "");
  }
  return (!whole && o == FAILED && r->end == end) ||
         differs(r, text, "no difference, though one is known: ");
}

int main(int argc, char **argv) {
  static run_t r;
  size_t size = 0;
  unsigned count = 0, failed = 0, others = 0;
  char *record = argc > 3 ? wl_read_file(argv[2], &size) : NULL;
  async_program_t p;
  if (record == NULL) {
    (void)fprintf(stderr, "usage: run_async rule|oracle|BACKEND async.txt CONFIG.. [--every N]\n");
    return 2;
  }
  unsigned every = 1, met = 0;
  if (argc > 5 && strcmp(argv[argc - 2], "--every") == 0) {
    every = (unsigned)strtoul(argv[argc - 1], NULL, 10);
    argc -= 2;
  }
  if (every == 0) return 2;
  r.backend = argv[1];
  for (int c = 3; c < argc; c++) {
    r.config = argv[c];
    for (unsigned n = 0; async_at(n, &p); n++) {
      if (met++ % every != 0) continue;
      async_kernel(&p, r.ptx, sizeof r.ptx);
      failed += !check(&r, &p, record);
      others += async_differs(&p) != NULL;
      count++;
    }
  }
  printf("%s: %u programs, %u differ from silicon; %u undefined in PTX\n", r.backend, count, failed,
         others);
  free(record);
  return failed != 0;
}
