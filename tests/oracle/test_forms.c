/* test_forms: every supported arithmetic form of ptx_op.def on a backend of libwarplock and on the oracle,
 * with the same operands: boundary values, small numbers, near neighbours, random bits. Results
 * must be equal bit for bit. This is what shows a mistake in cmodel/sem that func and model share.
 *   test_forms [--backend B] [--config C] [--ctas N] [--form TEXT] [--least N]
 *              [--values N | --alias] [--every N]
 * 64 operand sets per CTA. A form that the table calls supported and the machine refuses fails, but
 * for f64 other than sums and products, and for all f64 where the configuration lacks the unit. Fewer than
 * --least compared ones fail. --values N: instead of registers only, every subset of the sources that may be
 * constants is one, N times with other values: the assembler selects other instructions for them. --alias: every pattern in which a destination is a source or the guard.
 * --every N: of all these programs each N-th. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/wl_config.h"
#include "tests/oracle/alias.h"
#include "tests/oracle/form_list.h"
#include "tests/oracle/form_operands.h"
#include "tests/oracle/form_program.h"
#include "tests/oracle/pair.h"

enum { SOURCES = WL_FORM_SOURCES, BLOCK = 64 };

typedef struct test {
  wl_device_options_t device;
  const char *only;
  uint32_t ctas, sets;
  uint64_t *in, *machine, *oracle; /* 4, 2, 2 words per set */
  bool alias;
  const wl_form_row_t *row; /* whose patterns are being tried */
  unsigned least, values, every, met, forms, compared, rejected, failed;
  uint64_t results;
} test_t;

static bool make_operands(test_t *t) {
  uint64_t state = 20261121, before = 0;
  t->sets = t->ctas * BLOCK;
  t->device.mem_bytes = (UINT64_C(4) << 20) + t->sets * UINT64_C(64);
  t->in = calloc((size_t)t->sets * SOURCES, sizeof *t->in);
  t->machine = calloc((size_t)t->sets * 2, sizeof *t->machine);
  t->oracle = calloc((size_t)t->sets * 2, sizeof *t->oracle);
  for (size_t i = 0; t->in != NULL && i < (size_t)t->sets * SOURCES; i++) {
    before = t->in[i] = wl_form_operand(&state, before);
  }
  for (uint32_t set = 0; t->in != NULL && set < 256 && 2 * set < t->sets; set++) {
    wl_form_pair(&t->in[(size_t)2 * set * SOURCES], set * 37 % 256);
  }
  for (uint32_t k = 0; t->in != NULL && k < 512; k++) { /* in the odd sets, then in every one */
    uint32_t set = k < 256 ? 2 * k + 1 : 256 + k;
    if (set < t->sets) {
      wl_form_half_pair(&t->in[(size_t)set * SOURCES], k < 256 ? k * 37 % 256 : k);
    }
  }
  return t->in != NULL && t->machine != NULL && t->oracle != NULL;
}

/* ---- both sides ---- */
static bool is_nan(uint64_t v) { return (v & 0x7fffffff) > 0x7f800000; }

static unsigned count_differences(test_t *t, const char *form, char kind) {
  unsigned different = 0;
  for (uint32_t i = 0; i < t->sets; i++) {
    const uint64_t *m = &t->machine[2 * i], *o = &t->oracle[2 * i], *in = &t->in[4 * i];
    bool both_nan = kind == 'F' && is_nan(m[0]) && is_nan(o[0]);
    if ((m[0] != o[0] || m[1] != o[1]) && !both_nan && different++ < 3) {
      printf("%s: of %016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %016" PRIx64 ": machine %" PRIx64
             " %" PRIx64 ", oracle %" PRIx64 " %" PRIx64 "\n",
             form, in[0], in[1], in[2], in[3], m[0], m[1], o[0], o[1]);
    }
  }
  return different;
}

/* Sums and products of f64, and the configuration has their unit. */
static bool has_f64(const test_t *t, const char *form) {
  bool sums = strncmp(form, "add", 3) == 0 || strncmp(form, "sub", 3) == 0 ||
              strncmp(form, "mul", 3) == 0 || strncmp(form, "mad", 3) == 0 ||
              strncmp(form, "fma", 3) == 0;
  const char *config = t->device.config == NULL ? "base" : t->device.config;
  bool unit = false;
  for (size_t i = 0; i < WL_NUM_CONFIGS; i++) {
    unit = unit || (strcmp(wl_configs[i].name, config) == 0 && wl_configs[i].fp64 != 0);
  }
  return sums && unit;
}

/* Other arithmetic of f64, and saturations between integers that cannot clamp anything. */
static bool may_be_refused(const test_t *t, const char *form, wl_status_t s) {
  bool idle = strncmp(form, "cvt.sat.", 8) == 0 && strchr(form, 'f') == NULL;
  return s == WL_ERR_UNSUPPORTED ? strstr(form, ".f64") != NULL && !has_f64(t, form) : idle;
}

static void one(test_t *t, const wl_form_row_t *row, wl_form_variant_t v) {
  const char *form = row->form;
  char text[WL_FORM_CAP], why[1024];
  if (t->met++ % t->every != 0) return;
  size_t size = wl_form_program(text, row, v);
  wl_pair_t pair = {.device = t->device,
                    .text = text,
                    .size = size,
                    .ctas = t->ctas,
                    .block = BLOCK,
                    .in = t->in,
                    .in_bytes = t->sets * (size_t)32,
                    .out_bytes = t->sets * (size_t)16};
  t->forms++;
  wl_status_t s = wl_pair_machine(&pair, t->machine, why, sizeof why);
  if (s == WL_ERR_UNSUPPORTED || s == WL_ERR_INPUT) {
    t->rejected++;
    if (!may_be_refused(t, form, s) && v.mask == 0) { /* of constants some have no meaning */
      printf("%s: not on the machine: %.*s\n", form, (int)strcspn(why, "\n"), why);
      t->failed++;
    }
    return;
  }
  if (s != WL_OK || !wl_pair_oracle(&pair, t->oracle, why, sizeof why)) {
    printf("%s: %s: %s\n", form, s != WL_OK ? "machine" : "oracle", why);
    t->failed++;
    return;
  }
  t->compared++;
  t->results += t->sets;
  if (count_differences(t, form, row->operands[0]) != 0) {
    t->failed++;
    const char *at = strstr(text, form);
    printf("  in: %.*s\n", (int)strcspn(at, ";"), at);
  }
}

static void pattern(void *context, const wl_alias_t *a) {
  test_t *t = context;
  one(t, t->row, (wl_form_variant_t){.alias = *a});
}

static void row(void *context, const wl_form_row_t *form) {
  test_t *t = context;
  unsigned may = 0, index = 0; /* sources that may be constants */
  if (t->only != NULL && strstr(form->form, t->only) == NULL) {
    return;
  }
  bool often = form->of_many && (t->alias || t->values != 0); /* its neighbours say the same */
  if (often) {
    return;
  }
  if (t->alias) {
    t->row = form;
    wl_alias_list(form->operands, pattern, t);
    return;
  }
  if (t->values == 0) {
    one(t, form, (wl_form_variant_t){0});
    return;
  }
  for (const char *at = strchr(form->operands, ' '); at != NULL; at = strchr(at + 1, ' ')) {
    may |= strchr("hwxfd", at[1]) != NULL ? 1u << index : 0;
    index++;
  }
  for (unsigned mask = may; mask != 0; mask = (mask - 1) & may) {
    for (unsigned value = 0; value < t->values; value++) {
      one(t, form, (wl_form_variant_t){.mask = mask, .value = value + mask * 3});
    }
  }
}

int main(int argc, char **argv) {
  test_t t = {.ctas = 16, .every = 1};
  for (int i = 1; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    switch (argv[i][2]) {
    case 'a':
      t.alias = true;
      i--;
      break;
    case 'b':
      t.device.backend = value;
      break;
    case 'c':
      argv[i][3] == 't' ? (void)(t.ctas = (uint32_t)strtoul(value, NULL, 0))
                        : (void)(t.device.config = value);
      break;
    case 'e':
      t.every = (unsigned)strtoul(value, NULL, 0);
      break;
    case 'f':
      t.only = value;
      break;
    case 'v':
      t.values = (unsigned)strtoul(value, NULL, 0);
      break;
    default:
      t.least = (unsigned)strtoul(value, NULL, 0);
      break;
    }
  }
  if (t.every == 0 || !make_operands(&t)) {
    printf("--every 0, or out of memory\n");
    return 1;
  }
  if (!wl_form_list(row, &t)) {
    return 1;
  }
  printf("%u forms: %u compared with %u operand sets each (%" PRIu64
         " results), %u not on the machine, %u failed\n",
         t.forms, t.compared, t.sets, t.results, t.rejected, t.failed);
  free(t.in);
  free(t.machine);
  free(t.oracle);
  return t.failed != 0 || t.compared == 0 || t.compared < t.least;
}
