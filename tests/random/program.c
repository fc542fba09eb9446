/* program.c: see program.h. */
#include "tests/random/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/oracle/oracle.h"

/* ---- sides ---- */
bool rp_side_parse(const char *text, rp_side_t *out) {
  char *to[] = {out->backend, out->config, out->disturb, out->compare};
  memset(out, 0, sizeof *out);
  (void)snprintf(out->text, sizeof out->text, "%s", text);
  for (unsigned i = 0; i < 4 && *text != 0; i++) {
    size_t n = strcspn(text, ":");
    if (n >= RP_SIDE_TEXT) {
      return false;
    }
    memcpy(to[i], text, n);
    text += n;
    text += *text == ':';
  }
  return *text == 0 && out->backend[0] != 0;
}

bool rp_lacks(const rp_side_t *side, const char *text) {
  return strncmp(side->config, "tiny", 4) == 0 &&
         (strstr(text, ".exch.b128") != NULL || strstr(text, ".cas.b128") != NULL);
}

typedef struct run {
  const rp_launch_t *l;
  wl_device_t *device;
  wl_addr_t address[RP_MAX_ARGS];
  wl_arg_t args[RP_MAX_ARGS];
  uint8_t *bytes[RP_MAX_ARGS];
} run_t;

static wl_status_t place(run_t *r) {
  wl_status_t s = WL_OK;
  for (uint32_t i = 0; i < r->l->nargs && s == WL_OK; i++) {
    const rp_arg_t *a = &r->l->arg[i];
    r->bytes[i] = malloc(a->bytes);
    if (r->bytes[i] == NULL) {
      return WL_ERR_INTERNAL;
    }
    rp_fill(r->l, i, r->bytes[i]);
    r->args[i] = (wl_arg_t){r->bytes[i], a->bytes};
    if (a->buffer) {
      s = wl_alloc(r->device, a->bytes, &r->address[i]);
      s = s == WL_OK ? wl_write(r->device, r->address[i], r->bytes[i], a->bytes) : s;
      r->args[i] = WL_ARG(r->address[i]);
    }
  }
  return s;
}

/* Processor time: a busy computer must not make a hang of a slow run. */
static bool too_long(void *context) { return clock() > *(const clock_t *)context; }

static const char *or_null(const char *text) { return text[0] != 0 ? text : NULL; }

/* "DIVERGENCE at cycle 5 (found by the scrub)  sm0 warp0 rf.r4 .." -> "divergence rf": what,
 * without numbers and places. */
static void classify_divergence(rp_outcome_t *out, const char *at) {
  static const char *const skip[] = {"at", "cycle", "sm", "warp", "the", NULL};
  while (*at != 0 && *at != '\n') {
    size_t n = strcspn(at, " \n.,:("), word = strcspn(at, " \n.,:(0123456789");
    bool known = word == 0;
    for (unsigned i = 0; skip[i] != NULL; i++) {
      known = known || (strlen(skip[i]) == word && strncmp(at, skip[i], word) == 0);
    }
    if (!known) {
      (void)snprintf(out->what, sizeof out->what, "divergence %.*s", (int)word, at);
      return;
    }
    at += *at == '(' ? strcspn(at, ")\n") + 1 : n;
    at += strspn(at, " .,:");
  }
  (void)snprintf(out->what, sizeof out->what, "divergence");
}

static void classify(rp_outcome_t *out, const wl_result_t *result) {
  const char *at = strstr(out->why, "DIVERGENCE ");
  if (out->status == WL_ERR_DIVERGENCE && at != NULL) {
    classify_divergence(out, at + 11);
  } else if (out->status == WL_ERR_TRAP) {
    (void)snprintf(out->what, sizeof out->what, "trap %" PRIu32, result->trap.cause);
  } else {
    (void)snprintf(out->what, sizeof out->what, "%s", wl_status_text(out->status));
  }
}

static void look_for_findings(const wl_device_t *device, rp_outcome_t *out) {
  wl_finding_t f;
  if (wl_launch_finding(device, 0, &f)) {
    (void)snprintf(out->what, sizeof out->what, "finding");
    (void)snprintf(out->why, sizeof out->why, "instruction %" PRIu32 ", thread %" PRIu32 ": %s: %s",
                   f.pc, f.thread[0], f.rule, f.text);
  }
}

void rp_run_side(const rp_side_t *side, const rp_launch_t *l, const char *text, size_t size,
                 const rp_limits_t *limits, uint8_t *image, rp_outcome_t *out) {
  run_t r = {.l = l};
  const bool checked = strcmp(side->compare, "checked") == 0;
  clock_t deadline = clock() + (clock_t)limits->seconds * CLOCKS_PER_SEC;
  wl_device_options_t o = {.backend = side->backend,
                           .config = or_null(side->config),
                           .disturb = or_null(side->disturb),
                           .compare = checked ? NULL : or_null(side->compare),
                           .checked = checked,
                           .mem_bytes = UINT64_C(12) << 20,
                           .seed = limits->seed,
                           .max_cycles = limits->cycles,
                           .stop = limits->seconds != 0 ? too_long : NULL,
                           .stop_context = &deadline};
  wl_module_options_t mo = {.max_regs = l->regs};
  wl_module_t *module = NULL;
  wl_result_t result = {0};
  wl_launch_t launch = {0};
  memset(out, 0, sizeof *out);
  memcpy(launch.grid, l->grid, sizeof launch.grid);
  memcpy(launch.block, l->block, sizeof launch.block);
  wl_device_info_t info;
  wl_status_t s = wl_device_open(&o, &r.device);
  s = s == WL_OK ? wl_device_query(r.device, &info) : s;
  if (s == WL_OK && mo.max_regs > info.max_regs) {
    mo.max_regs = info.max_regs; /* a limit, not a wish */
  }
  s = s == WL_OK ? wl_module_load(r.device, "program.ptx", text, size, &mo, &module) : s;
  s = s == WL_OK ? place(&r) : s;
  if (s == WL_OK) {
    s = wl_launch(wl_module_function_at(module, 0), &launch, r.args, l->nargs, &result);
  }
  out->cycles = result.cycles;
  out->instructions = result.instructions;
  for (uint32_t i = 0, at = 0; s == WL_OK && i < l->nargs; i++) {
    if (l->arg[i].buffer) {
      s = wl_read(r.device, image + at, r.address[i], l->arg[i].bytes);
      at += l->arg[i].bytes;
    }
  }
  out->status = s;
  (void)snprintf(out->why, sizeof out->why, "%s",
                 s == WL_OK         ? ""
                 : r.device != NULL ? wl_error(r.device)
                                    : "out of memory");
  classify(out, &result);
  if (s == WL_OK && checked) {
    look_for_findings(r.device, out);
  }
  wl_device_close(r.device);
  for (uint32_t i = 0; i < l->nargs; i++) {
    free(r.bytes[i]);
  }
}

/* ---- oracle ---- */
static bool oracle_args(const rp_launch_t *l, wl_or_module_t *m, wl_or_arg_t *args,
                        uint64_t *address, uint8_t **bytes) {
  bool ok = true;
  for (uint32_t i = 0; i < l->nargs && ok; i++) {
    const rp_arg_t *a = &l->arg[i];
    bytes[i] = malloc(a->bytes);
    if (bytes[i] == NULL) {
      return false;
    }
    rp_fill(l, i, bytes[i]);
    args[i] = (wl_or_arg_t){bytes[i], a->bytes};
    if (a->buffer) {
      address[i] = wl_or_alloc(m, a->bytes);
      ok = wl_or_write(m, address[i], bytes[i], a->bytes);
      args[i] = (wl_or_arg_t){&address[i], sizeof address[i]};
    }
  }
  return ok;
}

bool rp_run_oracle(const rp_launch_t *l, const char *text, size_t size, unsigned variant,
                   uint64_t max_instructions, uint32_t *hits, size_t lines, uint8_t *image,
                   uint64_t *instructions, char *why, size_t cap) {
  static const uint64_t patterns[RP_VARIANTS] = {UINT64_C(0x9e3779b97f4a7c15),
                                                 0,
                                                 UINT64_MAX,
                                                 UINT64_C(0x0000000100000001),
                                                 UINT64_C(0x3f8000003f800000),
                                                 UINT64_C(0x8000000080000000),
                                                 UINT64_C(0x0123456789abcdef),
                                                 UINT64_C(0xfedcba9876543210),
                                                 2,
                                                 UINT64_C(0x61c8864680b583ea)};
  static const uint32_t quanta[RP_VARIANTS] = {0, 1, 1, 3, 40, 7, 0, 10, 1, 100};
  wl_or_arg_t args[RP_MAX_ARGS];
  uint64_t address[RP_MAX_ARGS];
  uint8_t *bytes[RP_MAX_ARGS] = {NULL};
  char entry[256] = "";
  variant %= RP_VARIANTS;
  uint64_t skip = variant * UINT64_C(0x0123456789ab00);
  wl_or_module_t *m = wl_or_load_at(skip, "program.ptx", text, size, why, cap);
  bool ok = m != NULL && rp_entry(text, entry, sizeof entry);
  if (ok) {
    ok = oracle_args(l, m, args, address, bytes);
  }
  wl_or_launch_t ol = {.entry = entry,
                       .args = args,
                       .nargs = l->nargs,
                       .quantum = quanta[variant],
                       .reverse = (variant & 1) != 0,
                       .max_instructions = max_instructions,
                       .has_pattern = true,
                       .pattern = patterns[variant],
                       .per_thread = variant > 1,
                       .seed = variant > 1 ? variant : 0,
                       .line_hits = hits,
                       .lines = lines};
  memcpy(ol.grid, l->grid, sizeof ol.grid);
  memcpy(ol.block, l->block, sizeof ol.block);
  ok = ok && wl_or_launch(m, &ol, instructions, why, cap);
  for (uint32_t i = 0, at = 0; i < l->nargs; i++) {
    if (ok && l->arg[i].buffer) {
      ok = wl_or_read(m, address[i], image + at, l->arg[i].bytes);
      at += l->arg[i].bytes;
    }
    free(bytes[i]);
  }
  wl_or_close(m);
  return ok;
}

/* ---- the rest ---- */
void rp_judge(const rp_launch_t *l, const uint8_t *oracle, const uint8_t *side, rp_outcome_t *out) {
  size_t n = rp_bytes(l), at = 0, start = 0;
  if (out->status != WL_OK || memcmp(oracle, side, n) == 0) {
    return;
  }
  while (oracle[at] == side[at]) {
    at++;
  }
  uint32_t arg = 0;
  while (!l->arg[arg].buffer || at - start >= l->arg[arg].bytes) {
    start += l->arg[arg].buffer ? l->arg[arg].bytes : 0;
    arg++;
  }
  (void)snprintf(out->what, sizeof out->what, "differ");
  (void)snprintf(out->why, sizeof out->why, "argument %" PRIu32 ", byte %zu: 0x%02x, oracle 0x%02x",
                 arg, at - start, side[at], oracle[at]);
}

bool rp_write_file(const char *path, const char *text, size_t size) {
  FILE *f = fopen(path, "wb");
  bool ok = f != NULL && fwrite(text, 1, size, f) == size;
  return f != NULL && fclose(f) == 0 && ok;
}
