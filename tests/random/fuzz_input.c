/* fuzz_input: damaged PTX and objects. Whatever is read must end in a clear error or in a run,
 * within 2 seconds of processor time and 1 GiB, without a crash; best under the sanitizers.
 *   wl_fuzz_input [--seed S] [--random N] [--stride N] [--side BACKEND:CONFIG] [--json FILE]
 *                 FILE.ptx..
 * For each file, as text and as the object made of it: cut at every offset; every token left out,
 * doubled, swapped with the next one, replaced by another; every byte, 16-, 32- and 64-bit field
 * outside of the instructions set to 0, 1, the greatest value, one more, one less; then N times
 * some bits flipped, instructions too. --stride N: only every N-th of the systematic ones,
 * from number seed modulo N on: seeds 0 to N - 1 make all. --json: the counts.
 * Candidates run in child processes: a crash or a hang costs one and is reported with its number.
 */
#define _DEFAULT_SOURCE
#include <ctype.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/common/read_file.h"
#include "tests/common/splitmix.h"
#include "tests/random/program.h"

enum { CPU_SECONDS = 2, MOST_MIB = 1024, SHARED = 4096 };
#if defined(__SANITIZE_ADDRESS__)
enum { SLOWER = 10, SANITIZED = 1 };
#else
enum { SLOWER = 1, SANITIZED = 0 };
#endif

typedef enum kind { K_CUT, K_DROP, K_DOUBLE, K_SWAP, K_REPLACE, K_FIELD, K_FLIP, KINDS } kind_t;
static const char *const k_kind[KINDS] = {
    "cut",   "token left out", "token doubled", "tokens swapped", "token replaced",
    "field", "bits flipped"};

typedef struct shared { /* between parent and child */
  uint64_t at;          /* candidate being run */
  uint64_t outcome[80]; /* by status */
  uint64_t unclear;     /* errors without text, or internal ones */
  char message[1024];
} shared_t;

typedef struct fuzz {
  uint64_t seed, random, stride;
  rp_side_t side;
  const char *file;
  const uint8_t *bytes;            /* of the original */
  size_t size, code_from, code_to; /* instructions of an object */
  bool object;
  size_t *token, ntokens; /* starts; the end of one is the start of the next */
  uint8_t *work;
  shared_t *shared;
  uint64_t candidates, crashes, bad;
  uint64_t kinds[KINDS];
} fuzz_t;

/* ---- candidates ---- */
static uint64_t systematic(const fuzz_t *f, kind_t k) {
  switch (k) {
  case K_CUT:
    return f->size;
  case K_FIELD:
    return f->object ? f->size * 4 * 5 : 0;
  case K_FLIP:
    return f->random;
  default:
    return f->object || f->ntokens < 3 ? 0 : f->ntokens - 2;
  }
}

static size_t tokens(fuzz_t *f, kind_t k, uint64_t i, uint64_t *state) {
  size_t a = f->token[i], b = f->token[i + 1], c = f->token[i + 2], n = 0;
  uint64_t other = wl_splitmix64(state) % (f->ntokens - 1);
  size_t from[3] = {a, b, a}, to[3] = {b, c, b}, parts = k == K_DROP ? 0 : 2;
  if (k == K_DOUBLE) {
    from[1] = a, to[1] = b;
  } else if (k == K_SWAP) {
    from[0] = b, to[0] = c, from[1] = a, to[1] = b;
  } else if (k == K_REPLACE) {
    from[0] = f->token[other], to[0] = f->token[other + 1];
    parts = 1;
  }
  memcpy(f->work, f->bytes, a);
  n = a;
  for (size_t p = 0; p < parts; p++) {
    memcpy(f->work + n, f->bytes + from[p], to[p] - from[p]);
    n += to[p] - from[p];
  }
  size_t rest = k == K_SWAP ? c : b;
  memcpy(f->work + n, f->bytes + rest, f->size - rest);
  return n + f->size - rest;
}

static size_t field(fuzz_t *f, uint64_t i) {
  size_t at = (size_t)(i / 20), width = (size_t)1 << i / 5 % 4;
  uint64_t value = 0, mask = width == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * width) - 1;
  if (at % width != 0 || at + width > f->size || (at >= f->code_from && at < f->code_to)) {
    return 0;
  }
  memcpy(f->work, f->bytes, f->size);
  memcpy(&value, f->work + at, width);
  uint64_t values[5] = {0, 1, mask, value + 1, value - 1};
  value = values[i % 5] & mask;
  memcpy(f->work + at, &value, width);
  return f->size;
}

/* Bytes of candidate i of a kind in f->work; 0: there is none. */
static size_t make(fuzz_t *f, kind_t k, uint64_t i) {
  uint64_t state = f->seed * 1000003 + i * 7919 + (uint64_t)k;
  (void)wl_splitmix64(&state);
  if (k == K_CUT) {
    memcpy(f->work, f->bytes, i);
    return i;
  }
  if (k == K_FIELD) {
    return field(f, i);
  }
  if (k != K_FLIP) {
    return tokens(f, k, i, &state);
  }
  memcpy(f->work, f->bytes, f->size);
  for (uint64_t n = 1 + wl_splitmix64(&state) % 4; n != 0; n--) {
    uint64_t bit = wl_splitmix64(&state) % (8 * f->size);
    f->work[bit / 8] ^= (uint8_t)(1u << bit % 8);
  }
  return f->size;
}

/* ---- one candidate, in the child ---- */
static bool stop(void *context) { return ++*(unsigned *)context > 3; }

static void launch(wl_device_t *device, wl_module_t *module) {
  wl_function_t *fn = wl_module_function_at(module, 0);
  wl_arg_t args[64];
  static uint8_t zero[8192];
  wl_addr_t buffer = 0;
  unsigned n = fn != NULL ? wl_function_params(fn) : 65;
  if (n > 64 || wl_alloc(device, 65536, &buffer) != WL_OK) {
    return;
  }
  for (unsigned i = 0; i < n; i++) {
    wl_param_info_t p;
    if (!wl_function_param(fn, i, &p) || p.bytes > sizeof zero) {
      return;
    }
    args[i] = p.bytes == 8 ? WL_ARG(buffer) : (wl_arg_t){zero, p.bytes};
  }
  wl_launch_t l = {.grid = {1, 1, 1}, .block = {40, 1, 1}};
  (void)wl_launch(fn, &l, args, n, NULL);
}

static void run(fuzz_t *f, const uint8_t *bytes, size_t size) {
  unsigned asked = 0;
  wl_device_t *device = NULL;
  wl_module_t *module = NULL;
  wl_device_options_t o = {.backend = f->side.backend,
                           .mem_bytes = 1 << 20,
                           .max_cycles = 100000,
                           .config = f->side.config[0] != 0 ? f->side.config : NULL,
                           .stop = stop,
                           .stop_context = &asked,
                           .seed = 1};
  struct itimerval limit = {{0, 0}, {CPU_SECONDS * SLOWER, 0}};
  (void)setitimer(ITIMER_PROF, &limit, NULL);
  wl_status_t s = wl_device_open(&o, &device);
  s = s == WL_OK ? wl_module_load(device, "fuzz", bytes, size, NULL, &module) : s;
  f->shared->outcome[(unsigned)s < 80 ? s : 79]++;
  if (s == WL_OK) {
    launch(device, module);
  } else if (wl_error(device)[0] == 0 || s == WL_ERR_INTERNAL) {
    f->shared->unclear++;
    (void)snprintf(f->shared->message, sizeof f->shared->message, "%.1000s", wl_error(device));
  }
  wl_device_close(device);
}

static void child(fuzz_t *f, kind_t k, uint64_t from, uint64_t to) {
  for (uint64_t i = from; i < to; i += k == K_FLIP ? 1 : f->stride) {
    f->shared->at = i;
    size_t n = make(f, k, i);
    uint8_t *exact = malloc(n + 1); /* so that a sanitizer sees reads behind the end */
    if (exact != NULL && (n != 0 || k == K_CUT)) {
      memcpy(exact, f->work, n);
      run(f, exact, n);
    }
    free(exact);
    if (f->shared->unclear != 0) {
      _exit(3);
    }
  }
  _exit(0);
}

/* ---- the parent ---- */
static void complain(fuzz_t *f, kind_t k, uint64_t i, int status, long mib) {
  char path[300];
  size_t n = make(f, k, i);
  const char *name = strrchr(f->file, '/');
  (void)snprintf(path, sizeof path, "fuzz-%s-%s-%d-%" PRIu64, name != NULL ? name + 1 : f->file,
                 f->object ? "object" : "text", (int)k, i);
  (void)rp_write_file(path, (const char *)f->work, n);
  printf("FAILED %s as %s, %s %" PRIu64 " (saved as %s): ", f->file, f->object ? "object" : "text",
         k_kind[k], i, path);
  if (WIFSIGNALED(status)) {
    printf("signal %d%s\n", WTERMSIG(status), WTERMSIG(status) == SIGPROF ? " (too long)" : "");
  } else if (mib > MOST_MIB) {
    printf("%ld MiB\n", mib);
  } else {
    printf("exit %d: %s\n", WEXITSTATUS(status), f->shared->message);
  }
  (void)fflush(stdout);
  f->bad++;
}

static void all_of(fuzz_t *f, kind_t k) {
  uint64_t from = k == K_FLIP ? 0 : f->seed % f->stride, end = systematic(f, k);
  uint64_t step = k == K_FLIP ? 1 : f->stride;
  f->kinds[k] += from < end ? (end - from + step - 1) / step : 0;
  while (from < end && f->bad < 20) {
    uint64_t to = end - from > 2000 * step ? from + 2000 * step : end;
    int status = 0;
    struct rusage used;
    f->shared->at = from;
    f->shared->unclear = 0;
    (void)fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
      child(f, k, from, to);
    }
    if (pid < 0 || wait4(pid, &status, 0, &used) != pid) {
      printf("FAILED: no child process\n");
      f->bad++;
      return;
    }
    long mib = used.ru_maxrss / 1024;
    bool died = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    if (died || (!SANITIZED && mib > MOST_MIB)) {
      complain(f, k, f->shared->at, status, mib);
    }
    from = died ? f->shared->at + step : to;
  }
}

static void find_tokens(fuzz_t *f) {
  size_t at = 0;
  f->ntokens = 0;
  while (at < f->size) {
    f->token[f->ntokens++] = at;
    bool word = isalnum(f->bytes[at]) || strchr("_$%.", f->bytes[at]) != NULL;
    if (isspace(f->bytes[at])) {
      while (at < f->size && isspace(f->bytes[at]))
        at++;
    } else if (word) {
      do
        at++;
      while (at < f->size && (isalnum(f->bytes[at]) || strchr("_$", f->bytes[at]) != NULL));
    } else {
      at++;
    }
  }
  f->token[f->ntokens] = f->size;
}

/* The longest section of an ELF64 file that holds instructions: SHF_EXECINSTR. */
static void find_code(fuzz_t *f) {
  uint64_t table = 0, flags = 0, offset = 0, size = 0;
  uint16_t each = 0, count = 0;
  f->code_from = f->code_to = 0;
  memcpy(&table, f->bytes + 40, 8);
  memcpy(&each, f->bytes + 58, 2);
  memcpy(&count, f->bytes + 60, 2);
  for (uint16_t i = 0; i < count; i++) {
    const uint8_t *h = f->bytes + table + (size_t)i * each;
    memcpy(&flags, h + 8, 8);
    memcpy(&offset, h + 24, 8);
    memcpy(&size, h + 32, 8);
    if ((flags & 4) != 0 && size > f->code_to - f->code_from) {
      f->code_from = (size_t)offset;
      f->code_to = (size_t)(offset + size);
    }
  }
}

static bool bytes_of(fuzz_t *f, const uint8_t *bytes, size_t size, bool object) {
  f->bytes = bytes;
  f->size = size;
  f->object = object;
  f->work = malloc(2 * size + 64);
  f->token = malloc((size + 2) * sizeof *f->token);
  bool ok = f->work != NULL && f->token != NULL;
  if (ok) {
    object ? find_code(f) : find_tokens(f);
    for (unsigned k = 0; k < KINDS; k++) {
      all_of(f, (kind_t)k);
    }
  }
  free(f->work);
  free(f->token);
  return ok;
}

static bool file(fuzz_t *f, const char *path) {
  size_t size = 0, object_size = 0;
  wl_assemble_options_t o = {0};
  wl_assembly_t *a = NULL;
  char *text = wl_read_file(path, &size);
  f->file = path;
  if (text == NULL || wl_assemble(path, text, size, &o, &a) != WL_OK) {
    printf("%s: cannot be %s\n", path, text == NULL ? "read" : "assembled");
    free(text);
    wl_assembly_free(a);
    return false;
  }
  const uint8_t *object = wl_assembly_object(a, &object_size);
  bool ok =
      bytes_of(f, (const uint8_t *)text, size, false) && bytes_of(f, object, object_size, true);
  wl_assembly_free(a);
  free(text);
  return ok;
}

static void summary(const fuzz_t *f) {
  uint64_t all = 0;
  for (unsigned k = 0; k < KINDS; k++) {
    printf("%s %" PRIu64 "%s", k_kind[k], f->kinds[k], k + 1 < KINDS ? ", " : "\n");
  }
  for (unsigned s = 0; s < 80; s++) {
    all += f->shared->outcome[s];
    if (f->shared->outcome[s] != 0) {
      printf("%s: %" PRIu64 "\n", s < 79 ? wl_status_text((wl_status_t)s) : "?",
             f->shared->outcome[s]);
    }
  }
  printf("%" PRIu64 " candidates run, %" PRIu64 " failed\n", all, f->bad);
}

static bool write_json(const fuzz_t *f, const char *path) {
  FILE *to = fopen(path, "w");
  const char *comma = "";
  if (to == NULL) {
    return false;
  }
  (void)fprintf(to,
                "{\"seed\": %" PRIu64 ", \"stride\": %" PRIu64 ", \"failed\": %" PRIu64
                ",\n \"kinds\": {",
                f->seed, f->stride, f->bad);
  for (unsigned k = 0; k < KINDS; k++) {
    (void)fprintf(to, "%s\"%s\": %" PRIu64, k != 0 ? ", " : "", k_kind[k], f->kinds[k]);
  }
  (void)fprintf(to, "},\n \"outcomes\": {");
  for (unsigned s = 0; s < 80; s++) {
    if (f->shared->outcome[s] != 0) {
      (void)fprintf(to, "%s\"%s\": %" PRIu64, comma, s < 79 ? wl_status_text((wl_status_t)s) : "?",
                    f->shared->outcome[s]);
      comma = ", ";
    }
  }
  (void)fprintf(to, "}}\n");
  return fclose(to) == 0;
}

int main(int argc, char **argv) {
  const char *json = NULL;
  fuzz_t f = {.seed = 1, .random = 200, .stride = 1};
  bool ok = rp_side_parse("func:base", &f.side);
  f.shared = mmap(NULL, SHARED, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (f.shared == MAP_FAILED) {
    printf("no shared memory\n");
    return 1;
  }
  for (int i = 1; i < argc && ok; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (argv[i][0] != '-') {
      ok = file(&f, argv[i]);
      continue;
    }
    if (strcmp(argv[i], "--seed") == 0)
      f.seed = strtoull(value, NULL, 0);
    else if (strcmp(argv[i], "--random") == 0)
      f.random = strtoull(value, NULL, 0);
    else if (strcmp(argv[i], "--stride") == 0)
      f.stride = strtoull(value, NULL, 0);
    else if (strcmp(argv[i], "--json") == 0)
      json = value;
    else
      ok = strcmp(argv[i], "--side") == 0 && rp_side_parse(value, &f.side);
    ok = ok && f.stride != 0;
    i++;
  }
  summary(&f);
  if (json != NULL && !write_json(&f, json)) {
    printf("cannot write %s\n", json);
    ok = false;
  }
  return ok && f.bad == 0 && f.kinds[K_CUT] != 0 ? 0 : 1;
}
