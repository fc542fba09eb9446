/* oracle_compare: modified programs on the machine and on the oracle. Takes the corpus kernels,
 * changes a few lines of their PTX, and compares the final buffers of a backend with the oracle's.
 * A program counts only if the oracle gives the same memory eight times, with other patterns in
 * what nobody wrote, other addresses and other orders of execution: what remains is most likely
 * defined and free of races, so that a difference is worth a look.
 *   oracle_compare [--programs N] [--seed S] [--backend B] [--config C] [--dir DIR] [--save FILE]
 * --save: programs that differ are written to FILE.0, FILE.1, .. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver/include/warplock.h"
#include "tests/common/read_file.h"
#include "tests/common/splitmix.h"
#include "tests/kernels/common/kernel_case.h"
#include "tests/oracle/oracle.h"

enum { RUNS = 8, MAX_LINES = 20000 };

typedef struct text {
  char *data;
  size_t size;
} text_t;

typedef struct campaign {
  wl_device_options_t device;
  const char *dir, *save;
  uint64_t random;
  unsigned programs, malformed, undefined, refused, equal, different;
} campaign_t;

/* The machine gets 20 seconds for what the oracle ends in 3 million instructions. */
static bool too_long(void *context) { return time(NULL) > *(const time_t *)context + 20; }

static uint64_t next(campaign_t *c) { return wl_splitmix64(&c->random); }

/* ---- changes ---- */
typedef struct lines {
  char *at[MAX_LINES];
  size_t count;
} lines_t;

static void split(char *text, lines_t *l) {
  l->count = 0;
  while (*text != 0 && l->count < MAX_LINES) {
    l->at[l->count++] = text;
    text += strcspn(text, "\n");
    if (*text == '\n') {
      *text++ = 0;
    }
  }
}

/* A line that holds an instruction, as far as one sees it without parsing. */
static size_t pick(campaign_t *c, const lines_t *l) {
  size_t at = 0;
  for (unsigned tries = 0; tries < 50; tries++) {
    at = (size_t)(next(c) % l->count);
    const char *line = l->at[at];
    if (strchr(line, ';') != NULL && strchr(line, '%') != NULL && strstr(line, ".reg") == NULL) {
      break;
    }
  }
  return at;
}

static bool starts_number(const char *line, size_t i) {
  return line[i] >= '0' && line[i] <= '9' && (i == 0 || line[i - 1] < '0' || line[i - 1] > '9');
}

/* Copies the line with the digit string at a random place replaced. */
static size_t renumber(campaign_t *c, const char *line, char *to) {
  static const char *const numbers[] = {"0", "1", "2", "3", "4", "5", "7", "8", "31", "255"};
  size_t n = 0, digits = 0, k = 0;
  for (size_t i = 0; line[i] != 0; i++) {
    digits += starts_number(line, i);
  }
  size_t which = digits != 0 ? (size_t)(next(c) % digits) : 0;
  for (size_t i = 0; line[i] != 0; i++) {
    if (starts_number(line, i) && k++ == which) {
      const char *number = numbers[next(c) % 10];
      memcpy(to + n, number, strlen(number));
      n += strlen(number);
      i += strspn(line + i, "0123456789") - 1;
    } else {
      to[n++] = line[i];
    }
  }
  return n;
}

static void swap_lines(campaign_t *c, lines_t *l, size_t at) {
  size_t other = pick(c, l);
  char *line = l->at[at];
  l->at[at] = l->at[other];
  l->at[other] = line;
}

/* The changed text, NULL when out of memory. */
static char *change(campaign_t *c, text_t *text, size_t *size) {
  lines_t *l = malloc(sizeof *l);
  char *out = malloc(3 * text->size + 4096);
  if (l == NULL || out == NULL) {
    free(l);
    free(out);
    return NULL;
  }
  split(text->data, l);
  size_t changes = 1 + (size_t)(next(c) % 3), lost = SIZE_MAX, twice = SIZE_MAX, n = 0;
  size_t other = SIZE_MAX;
  for (size_t i = 0; i < changes; i++) {
    size_t at = pick(c, l);
    switch (next(c) % 6) {
    case 0:
      lost = at;
      break;
    case 1:
      twice = at;
      break;
    case 2:
      swap_lines(c, l, at);
      break;
    default:
      other = at;
      break;
    }
  }
  for (size_t i = 0; i < l->count; i++) {
    size_t length = strlen(l->at[i]);
    for (unsigned copy = i == lost ? 1 : 0; copy < (i == twice ? 2u : 1u); copy++) {
      if (i == other && 4 * length + n < 3 * text->size) {
        n += renumber(c, l->at[i], out + n);
      } else {
        memcpy(out + n, l->at[i], length);
        n += length;
      }
      out[n++] = '\n';
    }
  }
  out[n] = 0;
  *size = n;
  free(l);
  return out;
}

/* ---- both sides: the bytes of all buffers in a row ---- */
typedef struct program {
  const wl_kernel_case_t *kcase;
  const wl_kernel_launch_t *launch;
  const char *text;
  size_t size, bytes;
  char why[4096];
} program_t;

static bool on_oracle(program_t *p, unsigned run, unsigned char *out) {
  uint64_t address[WL_KERNEL_MAX_ARGS], instructions = 0;
  wl_or_arg_t args[WL_KERNEL_MAX_ARGS];
  wl_or_module_t *m = wl_or_load("program.ptx", p->text, p->size, p->why, sizeof p->why);
  static const uint64_t patterns[RUNS] = {UINT64_C(0x9e3779b97f4a7c15),
                                          0,
                                          UINT64_MAX,
                                          UINT64_C(0x0000000100000001),
                                          UINT64_C(0x3f8000003f800000),
                                          UINT64_C(0x8000000080000000),
                                          UINT64_C(0x61c8864680b583ea),
                                          2};
  static const uint32_t quanta[RUNS] = {0, 1, 1, 3, 10, 40, 1000, 4};
  bool ok = m != NULL;
  if (ok) {
    wl_or_skip(m, run * UINT64_C(0x0123456789abcd00));
  }
  for (size_t i = 0; ok && i < p->launch->arg_count; i++) {
    const wl_kernel_arg_t *a = &p->launch->arg[i];
    args[i] = (wl_or_arg_t){a->data, a->size};
    if (a->kind == WL_ARG_BUFFER) {
      address[i] = wl_or_alloc(m, a->size);
      ok = wl_or_write(m, address[i], a->data, a->size);
      args[i] = (wl_or_arg_t){&address[i], sizeof address[i]};
    }
  }
  wl_or_launch_t l = {.entry = p->kcase->entry,
                      .dynamic_shared = p->kcase->dynamic_shared,
                      .args = args,
                      .nargs = p->launch->arg_count,
                      .max_instructions = 3000000,
                      .quantum = quanta[run],
                      .reverse = (run & 1) == 0,
                      .seed = run,
                      .has_pattern = true,
                      .per_thread = run > 4,
                      .pattern = patterns[run]};
  memcpy(l.grid, p->kcase->grid, sizeof l.grid);
  memcpy(l.block, p->kcase->block, sizeof l.block);
  ok = ok && wl_or_launch(m, &l, &instructions, p->why, sizeof p->why);
  for (size_t i = 0; ok && i < p->launch->arg_count; i++) {
    if (p->launch->arg[i].kind == WL_ARG_BUFFER) {
      ok = wl_or_read(m, address[i], out, p->launch->arg[i].size);
      out += p->launch->arg[i].size;
    }
  }
  wl_or_close(m);
  return ok;
}

static wl_status_t on_machine(const campaign_t *c, program_t *p, unsigned char *out) {
  wl_device_t *device = NULL;
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t address[WL_KERNEL_MAX_ARGS];
  wl_arg_t args[WL_KERNEL_MAX_ARGS];
  wl_device_options_t options = c->device;
  time_t start = time(NULL);
  options.stop = too_long;
  options.stop_context = &start;
  wl_status_t s = wl_device_open(&options, &device);
  s = s == WL_OK ? wl_module_load(device, "program.ptx", p->text, p->size, NULL, &module) : s;
  s = s == WL_OK ? wl_module_function(module, p->kcase->entry, &function) : s;
  for (size_t i = 0; s == WL_OK && i < p->launch->arg_count; i++) {
    const wl_kernel_arg_t *a = &p->launch->arg[i];
    args[i] = (wl_arg_t){a->data, a->size};
    if (a->kind == WL_ARG_BUFFER) {
      s = wl_alloc(device, a->size, &address[i]);
      s = s == WL_OK ? wl_write(device, address[i], a->data, a->size) : s;
      args[i] = WL_ARG(address[i]);
    }
  }
  wl_launch_t l = {.shared = p->kcase->dynamic_shared};
  memcpy(l.grid, p->kcase->grid, sizeof l.grid);
  memcpy(l.block, p->kcase->block, sizeof l.block);
  s = s == WL_OK ? wl_launch(function, &l, args, (unsigned)p->launch->arg_count, NULL) : s;
  for (size_t i = 0; s == WL_OK && i < p->launch->arg_count; i++) {
    if (p->launch->arg[i].kind == WL_ARG_BUFFER) {
      s = wl_read(device, out, address[i], p->launch->arg[i].size);
      out += p->launch->arg[i].size;
    }
  }
  (void)snprintf(p->why, sizeof p->why, "%s", device != NULL && s != WL_OK ? wl_error(device) : "");
  wl_device_close(device);
  return s;
}

/* ---- one program ---- */
static void report(campaign_t *c, const program_t *p, const char *file, const char *what) {
  printf("DIFFERENT %s case %s: %s\n", file, p->kcase->name, what);
  (void)fflush(stdout);
  char path[4096];
  (void)snprintf(path, sizeof path, "%s.%u", c->save != NULL ? c->save : "", c->different);
  FILE *f = c->save != NULL ? fopen(path, "wb") : NULL;
  if (f != NULL) {
    (void)fwrite(p->text, 1, p->size, f);
    (void)fclose(f);
  }
  c->different++;
}

static void judge(campaign_t *c, program_t *p, const char *file, unsigned char *first,
                  unsigned char *other) {
  for (unsigned run = 0; run < RUNS; run++) {
    if (!on_oracle(p, run, run == 0 ? first : other) ||
        (run != 0 && memcmp(first, other, p->bytes) != 0)) {
      bool parse = strstr(p->why, ": error: ") != NULL;
      *(parse ? &c->malformed : &c->undefined) += 1;
      return;
    }
  }
  wl_status_t s = on_machine(c, p, other);
  if (s == WL_ERR_UNSUPPORTED) {
    c->refused++;
  } else if (s != WL_OK) {
    report(c, p, file, p->why);
  } else if (memcmp(first, other, p->bytes) != 0) {
    size_t at = 0;
    while (first[at] == other[at]) {
      at++;
    }
    (void)snprintf(p->why, sizeof p->why, "byte %zu of the buffers: machine %02x, oracle %02x", at,
                   other[at], first[at]);
    report(c, p, file, p->why);
  } else {
    c->equal++;
  }
}

static void one(campaign_t *c, const wl_kernel_t *kernel) {
  char path[4096];
  text_t text = {NULL, 0};
  wl_kernel_launch_t launch;
  const wl_kernel_case_t *kcase = &kernel->cases[next(c) % kernel->case_count];
  uint32_t variants = kcase->variants != 0 ? kcase->variants : kernel->variants, bit;
  do {
    bit = (uint32_t)(next(c) % WL_PTX_COUNT);
  } while ((variants >> bit & 1) == 0);
  (void)snprintf(path, sizeof path, "%s/%s/%s.%s.ptx", c->dir, kernel->name, kernel->name,
                 wl_kernel_variant_name(bit));
  program_t *p = calloc(1, sizeof *p);
  bool ok = p != NULL && kcase->tier == WL_TIER_SMOKE;
  if (ok) {
    text.data = wl_read_file(path, &text.size);
  }
  ok = text.size != 0;
  ok = wl_kernel_prepare(kcase, &launch) && ok;
  char *changed = ok ? change(c, &text, &p->size) : NULL;
  if (changed != NULL) {
    p->kcase = kcase;
    p->launch = &launch;
    p->text = changed;
    for (size_t i = 0; i < launch.arg_count; i++) {
      p->bytes += launch.arg[i].kind == WL_ARG_BUFFER ? launch.arg[i].size : 0;
    }
    unsigned char *first = calloc(p->bytes + 1, 1), *other = calloc(p->bytes + 1, 1);
    c->programs++;
    if (first != NULL && other != NULL) {
      judge(c, p, path, first, other);
    }
    free(first);
    free(other);
  }
  free(changed);
  free(text.data);
  free(p);
  wl_kernel_launch_free(&launch);
}

int main(int argc, char **argv) {
  campaign_t c = {
      .device = {.mem_bytes = UINT64_C(24) << 20}, .dir = "tests/kernels", .random = 20261121};
  unsigned programs = 300;
  size_t count = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *value = argv[i + 1];
    switch (argv[i][3]) {
    case 'r':
      programs = (unsigned)strtoul(value, NULL, 0);
      break;
    case 'e':
      c.random = strtoull(value, NULL, 0);
      break;
    case 'a':
      *(argv[i][2] == 'b' ? &c.device.backend : &c.save) = value;
      break;
    case 'o':
      c.device.config = value;
      break;
    default:
      c.dir = value;
      break;
    }
  }
  const wl_kernel_t *const *kernels = wl_kernel_cases(&count);
  while (c.programs < programs) {
    const wl_kernel_t *kernel = kernels[next(&c) % count];
    if (!kernel->approximate && !kernel->no_oracle) one(&c, kernel);
  }
  printf("%u programs: %u malformed, %u without one result, %u not on the machine, %u equal, "
         "%u different\n",
         c.programs, c.malformed, c.undefined, c.refused, c.equal, c.different);
  return c.different != 0 || c.equal == 0;
}
