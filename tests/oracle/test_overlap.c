/* test_overlap: instructions with several destinations, or with destinations that are sources,
 * under every assignment of a few registers: vector moves, packing, loads and stores whose address
 * is an element, atomics, exchange between lanes, predicates, calls. A PTX instruction reads all of
 * its operands before it writes any result.
 *   test_overlap [--backend B] [--config C] [--stride N] [--least N] [--maxnreg N] [--only TEXT]
 * A backend of libwarplock against the oracle, every N-th case. --maxnreg: few registers, so that
 * operands are spilled. Vector moves are also compared with the permutation that the host makes. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/splitmix.h"
#include "tests/oracle/overlap_list.h"
#include "tests/oracle/pair.h"

enum { LANES = 32, BATCH = 96, CAP = 1 << 18, CASE = 2048, PARAM_BYTES = 64 };
enum { IN_WORDS = 2048, OUT_WORDS = BATCH * WL_OVERLAP_SLOTS * LANES };

typedef struct tried { /* a case of the program being made */
  char text[CASE], letter;
  unsigned slots; /* results that it has */
  unsigned source[4];
} tried_t;

typedef struct test {
  wl_device_options_t device;
  const char *only;
  unsigned stride, least, maxnreg, seen, compared, failed;
  char *text;
  size_t n;
  unsigned count;
  tried_t *cases;
  uint64_t *machine, *oracle;
  uint32_t in[IN_WORDS];
  uint8_t block[PARAM_BYTES];
} test_t;

__attribute__((format(printf, 2, 3))) static void add(test_t *t, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  t->n += (size_t)vsnprintf(t->text + t->n, CAP - t->n, fmt, args);
  va_end(args);
}

static void begin(test_t *t) {
  t->n = t->count = 0;
  add(t, ".version 9.0\n.target sm_100a\n.address_size 64\n%s", wl_overlap_functions);
  add(t, ".visible .entry t(.param .u64 in, .param .u64 out, .param .align 16 .b8 block[%d])",
      PARAM_BYTES);
  if (t->maxnreg != 0) {
    add(t, " .maxnreg %u", t->maxnreg);
  }
  add(t, "\n{\n%s", wl_overlap_head);
}

/* A register's first value in a lane, as the kernel loads it. */
static uint64_t first_value(const test_t *t, unsigned lane, char letter, unsigned i) {
  const uint32_t *w = &t->in[lane * 32];
  switch (letter) {
  case 'h':
    return w[4 + i / 2] >> (16 * (i % 2)) & 0xffff;
  case 'w':
    return w[i];
  case 'f':
    return w[8 + i];
  default:
    return w[16 + 2 * i] | (uint64_t)w[17 + 2 * i] << 32;
  }
}

static bool differs(test_t *t, unsigned k) {
  const tried_t *c = &t->cases[k];
  for (unsigned slot = 0; slot < c->slots; slot++) {
    for (unsigned lane = 0; lane < LANES; lane++) {
      size_t at = (k * WL_OVERLAP_SLOTS + slot) * (size_t)LANES + lane;
      uint64_t want = t->oracle[at];
      if (c->letter != 0 && slot < 4) {
        want = first_value(t, lane, c->letter, c->source[slot]);
      }
      if (t->machine[at] != want || t->oracle[at] != want) {
        printf("result %u of lane %u: machine %" PRIx64 ", oracle %" PRIx64 ", expected %" PRIx64
               ":\n%s",
               slot, lane, t->machine[at], t->oracle[at], want, c->text);
        return true;
      }
    }
  }
  return false;
}

static void run(test_t *t) {
  char why[1024] = "";
  add(t, "ret;\n}\n");
  wl_pair_t pair = {.device = t->device,
                    .text = t->text,
                    .size = t->n,
                    .ctas = 1,
                    .block = LANES,
                    .in = t->in,
                    .in_bytes = sizeof t->in,
                    .out_bytes = OUT_WORDS * 8,
                    .third = t->block,
                    .third_bytes = sizeof t->block};
  memset(t->machine, 0, OUT_WORDS * 8);
  memset(t->oracle, 0, OUT_WORDS * 8);
  bool ok = t->n < CAP - 1 && wl_pair_machine(&pair, t->machine, why, sizeof why) == WL_OK &&
            wl_pair_oracle(&pair, t->oracle, why, sizeof why);
  if (!ok) {
    printf("%s\n", why);
    t->failed++;
    return;
  }
  for (unsigned k = 0; k < t->count; k++) {
    t->failed += differs(t, k) ? 1 : 0;
  }
  t->compared += t->count;
}

/* `#k` in the text: the address of result k. */
static void add_case(test_t *t, const char *text) {
  for (const char *at = text; *at != 0; at++) {
    if (*at == '#') {
      unsigned slot = (unsigned)(*++at - '0');
      t->cases[t->count].slots = slot + 1;
      add(t, "%%out+%u", (t->count * WL_OVERLAP_SLOTS + slot) * LANES * 8);
    } else {
      add(t, "%c", *at);
    }
  }
}

/* Matrices of bytes, products of f64 and atomics of 128 bits are options that tiny and tiny4 lack. */
static bool lacks(const test_t *t, const char *text) {
  const char *config = t->device.config;
  const bool bytes = strstr(text, "matrix.sync") != NULL && strstr(text, ".shared.b8") != NULL;
  return config != NULL && strncmp(config, "tiny", 4) == 0 &&
         (bytes || strstr(text, ".f64.f64") != NULL || strstr(text, ".exch.b128") != NULL ||
          strstr(text, ".cas.b128") != NULL);
}

static void row(void *context, const wl_overlap_t *c) {
  test_t *t = context;
  if (t->failed >= 10 || t->seen++ % t->stride != 0 || lacks(t, c->text) ||
      (t->only != NULL && strstr(c->text, t->only) == NULL)) {
    return;
  }
  tried_t *keep = &t->cases[t->count];
  (void)snprintf(keep->text, sizeof keep->text, "%s", c->text);
  keep->letter = c->letter;
  if (c->letter != 0) {
    memcpy(keep->source, c->source, sizeof keep->source);
  }
  add_case(t, c->text);
  if (++t->count == BATCH) {
    run(t);
    begin(t);
  }
}

static bool make(test_t *t) {
  uint64_t state = 20261127;
  for (size_t i = 0; i < IN_WORDS; i++) {
    t->in[i] = (uint32_t)wl_splitmix64(&state);
  }
  for (size_t i = 0; i < PARAM_BYTES; i++) {
    t->block[i] = (uint8_t)wl_splitmix64(&state);
  }
  t->text = malloc(CAP);
  t->cases = calloc(BATCH, sizeof *t->cases);
  t->machine = malloc(OUT_WORDS * 8);
  t->oracle = malloc(OUT_WORDS * 8);
  return t->text != NULL && t->cases != NULL && t->machine != NULL && t->oracle != NULL;
}

int main(int argc, char **argv) {
  static test_t t = {.stride = 1, .device.mem_bytes = 16 << 20};
  for (int i = 1; i + 1 < argc; i += 2) {
    unsigned number = (unsigned)strtoul(argv[i + 1], NULL, 0);
    switch (argv[i][2]) {
    case 'b':
      t.device.backend = argv[i + 1];
      break;
    case 'c':
      t.device.config = argv[i + 1];
      break;
    case 's':
      t.stride = number != 0 ? number : 1;
      break;
    case 'm':
      t.maxnreg = number;
      break;
    case 'o':
      t.only = argv[i + 1];
      break;
    default:
      t.least = number;
      break;
    }
  }
  if (!make(&t)) {
    printf("out of memory\n");
    return 1;
  }
  begin(&t);
  wl_overlap_list(row, &t);
  if (t.count != 0) {
    run(&t);
  }
  printf("%u cases, %u compared, %u failed\n", t.seen, t.compared, t.failed);
  free(t.text);
  free(t.cases);
  free(t.machine);
  free(t.oracle);
  return t.failed != 0 || t.compared == 0 || t.compared < t.least;
}
