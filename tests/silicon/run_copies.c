/* run_copies: runs the programs of copies.c on Warplock, on the oracle or by the rule (copies.h), and
 * compares with what silicon gave (README.md).
 * Usage: run_copies rule|oracle|BACKEND copies.txt CONFIG.. Exit code 1: a difference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "tests/common/read_file.h"
#include "tests/oracle/oracle.h"
#include "tests/silicon/copies.h"

enum { USER = 5, MISALIGNED = 10 }; /* trap.def */
enum { SEEDS = 8, BYTES = COPIES_THREADS * COPIES_BYTES, SOURCE = 64 };

typedef enum outcome { RAN, FAILED, WRONG } outcome_t;

typedef struct run {
  const char *backend, *config;
  char ptx[32768], why[4096];
  uint8_t result[BYTES], source[SOURCE];
} run_t;

static outcome_t say(run_t *r, const char *why) {
  (void)snprintf(r->why, sizeof r->why, "%s", why);
  return WRONG;
}

/* ---- on the oracle, with several times for the copies. Its errors have no causes. */
static outcome_t run_seed(run_t *r, const copies_t *c, uint64_t seed) {
  char message[2048] = "";
  uint64_t count = 0;
  wl_or_module_t *m = wl_or_load("copies", r->ptx, strlen(r->ptx), message, sizeof message);
  (void)say(r, message);
  if (m == NULL) {
    return WRONG;
  }
  const uint64_t out = wl_or_alloc(m, BYTES), source = wl_or_alloc(m, SOURCE);
  const wl_or_arg_t args[] = {{&out, sizeof out}, {&source, sizeof source}};
  const wl_or_launch_t launch = {.entry = "copies",
                                 .grid = {1, 1, 1},
                                 .block = {c->threads, 1, 1},
                                 .args = args,
                                 .nargs = 2,
                                 .seed = seed};
  const bool ready =
      wl_or_write(m, source, r->source, SOURCE) && wl_or_write(m, out, r->result, BYTES);
  const bool ok = ready && wl_or_launch(m, &launch, &count, message, sizeof message) &&
                  wl_or_read(m, out, r->result, BYTES);
  wl_or_close(m);
  (void)say(r, message);
  return ok ? RAN : ready ? FAILED : WRONG;
}

static outcome_t run_oracle(run_t *r, const copies_t *c) {
  static uint8_t first[BYTES];
  const outcome_t o = run_seed(r, c, 0);
  (void)memcpy(first, r->result, BYTES);
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    if (run_seed(r, c, seed) != o || memcmp(first, r->result, BYTES) != 0) {
      return say(r, "another seed gives another result");
    }
  }
  return o;
}

/* ---- on Warplock */
static wl_status_t launch(wl_device_t *device, const run_t *r, const copies_t *c, wl_addr_t out,
                          wl_result_t *result) {
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t source = 0;
  const wl_launch_t shape = {.grid = {1, 1, 1}, .block = {c->threads, 1, 1}};
  const wl_module_options_t options = {.target = "sm_90"};
  wl_status_t status = wl_module_load(device, "copies", r->ptx, strlen(r->ptx), &options, &module);
  status = status == WL_OK ? wl_module_function(module, "copies", &function) : status;
  status = status == WL_OK ? wl_alloc(device, SOURCE, &source) : status;
  status = status == WL_OK ? wl_write(device, source, r->source, SOURCE) : status;
  status = status == WL_OK ? wl_write(device, out, r->result, BYTES) : status;
  const wl_arg_t args[] = {WL_ARG(out), WL_ARG(source)};
  return status == WL_OK ? wl_launch(function, &shape, args, 2, result) : status;
}

static outcome_t run_device(run_t *r, const copies_t *c) {
  const wl_device_options_t options = {.backend = r->backend,
                                       .config = r->config,
                                       .mem_bytes = UINT64_C(4) << 20,
                                       .max_cycles = 1000000};
  wl_device_t *device = NULL;
  wl_addr_t out = 0;
  wl_result_t result = {.trapped = false};
  wl_status_t status = wl_device_open(&options, &device);
  status = status == WL_OK ? wl_alloc(device, BYTES, &out) : status;
  status = status == WL_OK ? launch(device, r, c, out, &result) : status;
  status = status == WL_OK ? wl_read(device, r->result, out, BYTES) : status;
  if (status != WL_OK) {
    (void)say(r, wl_error(device));
  }
  wl_device_close(device);
  const bool known = result.trap.cause == USER || result.trap.cause == MISALIGNED;
  return status == WL_OK ? RAN : status == WL_ERR_TRAP && known ? FAILED : WRONG;
}

/* By the rule, which is silicon's. */
static outcome_t run_rule(run_t *r, const copies_t *c) {
  copies_rule(c, r->result);
  return c->written < 0 || copies_differs(c) != NULL ? FAILED : RAN;
}

static bool differs(const run_t *r, const copies_t *c, const char *what) {
  printf("DIFFERS on %s %s: %s: %s\n", r->backend, r->config, c->name, what);
  return false;
}

/* The text of the program stands in the record, or it differs for a known reason. */
static bool check(run_t *r, const copies_t *c, const char *record) {
  char text[COPIES_TEXT];
  for (unsigned i = 0; i < SOURCE; i++) {
    r->source[i] = (uint8_t)(i + 1);
  }
  (void)memset(r->result, 0, BYTES);
  const outcome_t o = strcmp(r->backend, "rule") == 0     ? run_rule(r, c)
                      : strcmp(r->backend, "oracle") == 0 ? run_oracle(r, c)
                                                          : run_device(r, c);
  if (o == WRONG) {
    return differs(r, c, r->why);
  }
  copies_text(c, o == RAN ? r->result : NULL, "error ", text);
  text[o == RAN ? strlen(text) : strlen(text) - 1] = '\0'; /* silicon says more of an error */
  const char *at = strstr(record, text);
  const bool equal = at != NULL && at != record && at[-1] == '\n';
  if (copies_differs(c) != NULL) {
    return (!equal && o == FAILED) || differs(r, c, "no difference, though one is known");
  }
  return equal || differs(r, c, o == FAILED ? r->why : text);
}

int main(int argc, char **argv) {
  static run_t r;
  size_t size = 0;
  unsigned count = 0, failed = 0, others = 0;
  char *record = argc > 3 ? wl_read_file(argv[2], &size) : NULL;
  const copies_t *c;
  if (record == NULL) {
    (void)fprintf(stderr, "usage: run_copies rule|oracle|BACKEND copies.txt CONFIG..\n");
    return 2;
  }
  r.backend = argv[1];
  for (int k = 3; k < argc; k++) {
    r.config = argv[k];
    for (unsigned n = 0; (c = copies_at(n)) != NULL; n++) {
      copies_kernel(c, r.ptx, sizeof r.ptx);
      failed += !check(&r, c, record);
      others += copies_differs(c) != NULL;
      count++;
    }
  }
  printf("%s: %u programs, %u differ from silicon; %u undefined in PTX\n", r.backend, count, failed,
         others);
  free(record);
  return failed != 0;
}
