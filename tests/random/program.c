/* program.c: see program.h. */
#include "tests/random/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/common/splitmix.h"
#include "tests/oracle/oracle.h"

/* ---- the comments ---- */
static bool parse_arg(const char *line, rp_launch_t *l) {
  char fill[16] = "";
  rp_arg_t *a = &l->arg[l->nargs];
  if (l->nargs == RP_MAX_ARGS) {
    return false;
  }
  a->buffer = sscanf(line, " buffer %" SCNu32 " %15s", &a->bytes, fill) == 2;
  a->random = !a->buffer || strcmp(fill, "random") == 0;
  if (!a->buffer && sscanf(line, " value %" SCNu32, &a->bytes) != 1) {
    return false;
  }
  l->nargs++;
  return a->bytes != 0 && a->bytes <= 1u << 22 &&
         (!a->buffer || a->random || strcmp(fill, "zero") == 0);
}

bool rp_parse(const char *text, rp_launch_t *out, char *why, size_t cap) {
  bool launch = false;
  memset(out, 0, sizeof *out);
  for (const char *line = text; *line != 0; line += strcspn(line, "\n"), line += *line != 0) {
    uint32_t *g = out->grid, *b = out->block;
    if (strncmp(line, "// wl-launch ", 13) == 0) {
      launch =
          sscanf(line + 13,
                 "grid %" SCNu32 " %" SCNu32 " %" SCNu32 " block %" SCNu32 " %" SCNu32 " %" SCNu32
                 " data %" SCNx64 " keep %" SCNx64 " regs %" SCNu32,
                 &g[0], &g[1], &g[2], &b[0], &b[1], &b[2], &out->data, &out->keep, &out->regs) == 9;
    } else if (strncmp(line, "// wl-arg ", 10) == 0 && !parse_arg(line + 9, out)) {
      (void)snprintf(why, cap, "wrong line '%.*s'", (int)strcspn(line, "\n"), line);
      return false;
    }
  }
  if (!launch) {
    (void)snprintf(why, cap,
                   "no line '// wl-launch grid X Y Z block X Y Z data SEED keep MASK regs N'");
  }
  return launch;
}

int rp_format(const rp_launch_t *l, char *to, size_t cap) {
  int n =
      snprintf(to, cap,
               "// wl-launch grid %" PRIu32 " %" PRIu32 " %" PRIu32 " block %" PRIu32 " %" PRIu32
               " %" PRIu32 " data 0x%" PRIx64 " keep 0x%" PRIx64 " regs %" PRIu32 "\n",
               l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], l->data,
               l->keep, l->regs);
  for (uint32_t i = 0; i < l->nargs; i++) {
    const rp_arg_t *a = &l->arg[i];
    n += snprintf(to + n, cap - (size_t)n, "// wl-arg %s %" PRIu32 "%s\n",
                  a->buffer ? "buffer" : "value", a->bytes,
                  !a->buffer  ? ""
                  : a->random ? " random"
                              : " zero");
  }
  return n;
}

size_t rp_bytes(const rp_launch_t *l) {
  size_t n = 0;
  for (uint32_t i = 0; i < l->nargs; i++) {
    n += l->arg[i].buffer ? l->arg[i].bytes : 0;
  }
  return n;
}

/* ---- contents ---- */
static uint32_t data_word(uint64_t *state) {
  static const uint32_t edges[] = {0,          1,          2,          0x7f,       0x80,
                                   0xffff,     0x8000,     0x7fffffff, 0x80000000, 0xffffffff,
                                   0x3f800000, 0xbf800000, 0x00800000, 0x007fffff, 0x7f800000,
                                   0x7fc00000, 0x4b000000, 0x34000000, 0x3f000000, 0x80000001};
  uint64_t r = wl_splitmix64(state);
  switch (r & 7) {
  case 0:
    return edges[(r >> 8) % (sizeof edges / sizeof edges[0])];
  case 1:
    return (uint32_t)(r >> 8) % 70;
  case 2:
  case 3:
    return (uint32_t)(r >> 32 & 0x807fffff) | (uint32_t)(110 + (r >> 8) % 40) << 23;
  case 4:
    return UINT32_C(0) - (uint32_t)((r >> 8) % 40);
  default:
    return (uint32_t)(r >> 32);
  }
}

/* Bytes by hand: the image must not depend on the host's order. */
static void fill(const rp_launch_t *l, uint32_t index, uint8_t *to) {
  const rp_arg_t *a = &l->arg[index];
  uint64_t state = l->data + index * UINT64_C(0x1234567), part = a->bytes / 64 + 1;
  memset(to, 0, a->bytes);
  for (uint32_t i = 0; a->random && i < a->bytes; i += 4) {
    uint32_t w = data_word(&state);
    for (uint32_t b = 0; b < 4 && i + b < a->bytes; b++) {
      to[i + b] = l->keep >> ((i + b) / part) & 1 ? (uint8_t)(w >> (8 * b)) : 0;
    }
  }
}

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
    fill(r->l, i, r->bytes[i]);
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
static bool too_long(void *context) {
  return clock() > *(const clock_t *)context;
}

static const char *or_null(const char *text) {
  return text[0] != 0 ? text : NULL;
}

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

void rp_run_side(const rp_side_t *side, const rp_launch_t *l, const char *text, size_t size,
                 const rp_limits_t *limits, uint8_t *image, rp_outcome_t *out) {
  run_t r = {.l = l};
  clock_t deadline = clock() + (clock_t)limits->seconds * CLOCKS_PER_SEC;
  wl_device_options_t o = {.backend = side->backend,
                           .config = or_null(side->config),
                           .disturb = or_null(side->disturb),
                           .compare = or_null(side->compare),
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
    fill(l, i, bytes[i]);
    args[i] = (wl_or_arg_t){bytes[i], a->bytes};
    if (a->buffer) {
      address[i] = wl_or_alloc(m, a->bytes);
      ok = wl_or_write(m, address[i], bytes[i], a->bytes);
      args[i] = (wl_or_arg_t){&address[i], sizeof address[i]};
    }
  }
  return ok;
}

/* The name behind ".entry": one per program. */
static bool entry_name(const char *text, char *to, size_t cap) {
  const char *at = strstr(text, ".entry ");
  if (at == NULL) {
    return false;
  }
  at += 7;
  at += strspn(at, " \t\n");
  (void)snprintf(to, cap, "%.*s", (int)strcspn(at, " \t\n("), at);
  return true;
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
  bool ok = m != NULL && entry_name(text, entry, sizeof entry);
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
