/* test_sync: every supported form of mbarriers, of the barrier of a cluster, of fences, of addresses
 * and memory of a cluster, of bulk copies (sync_list.h) on a backend of libwarplock and on the oracle, with the same
 * operands; results must be equal.
 *   test_sync [--backend B] [--config C] [--ctas N] [--form TEXT] [--least N] [--text 1] [--every N]
 * 64 operand sets for each CTA; --every N: each N-th program. A form that the table calls supported and the machine refuses fails. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/pair.h"
#include "tests/oracle/sync_program.h"

typedef struct test {
  wl_device_options_t device;
  const char *only;
  uint32_t ctas;
  bool text;
  uint32_t *in;
  uint64_t *machine, *oracle;
  uint64_t state;
  unsigned least, every, met, forms, compared, failed;
} test_t;

static void report(test_t *t, const wl_sync_form_t *f, unsigned variant, const char *what) {
  printf("%s, variant %u: %.900s\n", f->text, variant, what);
  t->failed++;
}

static void compare(test_t *t, const wl_sync_form_t *f, unsigned variant, size_t bytes) {
  const size_t sets = (size_t)t->ctas * WL_SYNC_BLOCK;
  for (uint32_t i = 0; i < sets; i++) {
    const uint64_t *m = &t->machine[2 * i], *o = &t->oracle[2 * i];
    const uint32_t *w = &t->in[WL_SYNC_WORDS * i];
    if (m[0] != o[0] || m[1] != o[1]) {
      char what[512];
      (void)snprintf(what, sizeof what,
                     "thread %" PRIu32 " of %x %x %x %x %x %x %x %x: machine %016" PRIx64
                     " %016" PRIx64 ", oracle %016" PRIx64 " %016" PRIx64,
                     i, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], m[0], m[1], o[0], o[1]);
      report(t, f, variant, what);
      return;
    }
  }
  const uint8_t *m = (const uint8_t *)&t->machine[2 * sets],
                *o = (const uint8_t *)&t->oracle[2 * sets];
  for (size_t i = 0; i < bytes - sets * 16; i++) {
    if (m[i] != o[i]) {
      const uint32_t *w = &t->in[WL_SYNC_WORDS * (i / WL_SYNC_PLACE)];
      char what[256];
      (void)snprintf(what, sizeof what,
                     "byte %zu of thread %zu of %x %x %x %x %x %x %x %x: machine %02x, oracle %02x",
                     i % WL_SYNC_PLACE, i / WL_SYNC_PLACE, w[0], w[1], w[2], w[3], w[4], w[5], w[6],
                     w[7], m[i], o[i]);
      report(t, f, variant, what);
      return;
    }
  }
}

/* Copies may come at any time: no seed of the oracle may give another result. */
static void other_times(test_t *t, const wl_sync_form_t *f, unsigned variant, wl_pair_t *pair) {
  char why[2048] = "";
  for (pair->seed = 1; pair->seed < 4; pair->seed++) {
    if (!wl_pair_oracle(pair, t->machine, why, sizeof why) ||
        memcmp(t->machine, t->oracle, pair->out_bytes) != 0) {
      report(t, f, variant,
             why[0] != '\0' ? why : "another seed of the oracle gives another result");
      return;
    }
  }
}

static void one(test_t *t, const wl_sync_form_t *f, unsigned variant, const wl_sync_variant_t *v) {
  static char text[WL_SYNC_CAP];
  const uint32_t sets = t->ctas * WL_SYNC_BLOCK;
  const bool bulk = wl_sync_kind(f) == WL_SYNC_BULK;
  char why[2048] = "";
  for (uint32_t i = 0; i < sets; i++) {
    wl_sync_operands(f, v, &t->state, &t->in[WL_SYNC_WORDS * i]);
    if (f->form->op == WL_PTX_OP_MAPA) {
      t->in[WL_SYNC_WORDS * i + 7] = 0; /* the rank */
    }
  }
  wl_pair_t pair = {.device = t->device,
                    .text = text,
                    .size = wl_sync_program(f, v, text),
                    .ctas = t->ctas,
                    .block = WL_SYNC_BLOCK,
                    .in = t->in,
                    .in_bytes = sets * WL_SYNC_WORDS * sizeof *t->in,
                    .out_bytes = sets * (bulk ? 16 + WL_SYNC_PLACE : 16)};
  if (t->text) {
    printf("%s\n", text);
  }
  t->compared++;
  const wl_status_t s = wl_pair_machine(&pair, t->machine, why, sizeof why);
  if (s != WL_OK) {
    report(t, f, variant, why);
  } else if (!wl_pair_oracle(&pair, t->oracle, why, sizeof why)) {
    report(t, f, variant, why);
  } else {
    compare(t, f, variant, pair.out_bytes);
    if (bulk) {
      other_times(t, f, variant, &pair);
    }
  }
}

/* f64 and generic addresses of 32 bits: of another test, or of none. */
static bool left_out(const wl_sync_form_t *f) {
  const bool atomic = f->form->op == WL_PTX_OP_ATOM || f->form->op == WL_PTX_OP_RED;
  return (atomic && f->type == WL_PTX_T_F64) ||
         (f->form->op == WL_PTX_OP_CVTA && f->type == WL_PTX_T_U32);
}

static void form(void *context, const wl_sync_form_t *f) {
  test_t *t = context;
  wl_sync_variant_t v;
  if (left_out(f) || (t->only != NULL && strstr(f->text, t->only) == NULL)) {
    return;
  }
  t->forms++;
  for (unsigned i = 0; wl_sync_variant(f, i, &v); i++) {
    if (t->met++ % t->every == 0) one(t, f, i, &v);
  }
}

int main(int argc, char **argv) {
  test_t t = {.ctas = 4, .every = 1, .state = 20261129, .device = {.mem_bytes = 16 << 20}};
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *value = argv[i + 1];
    switch (argv[i][2]) {
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
    case 't':
      t.text = true;
      break;
    default:
      t.least = (unsigned)strtoul(value, NULL, 0);
      break;
    }
  }
  const size_t sets = (size_t)t.ctas * WL_SYNC_BLOCK;
  t.in = calloc(sets * WL_SYNC_WORDS, sizeof *t.in);
  t.machine = calloc(sets, 16 + WL_SYNC_PLACE);
  t.oracle = calloc(sets, 16 + WL_SYNC_PLACE);
  const bool ok = t.every != 0 && t.in != NULL && t.machine != NULL && t.oracle != NULL &&
                  wl_sync_list(form, &t);
  printf("%u forms, %u programs with %zu operand sets each, %u failed\n", t.forms, t.compared, sets,
         t.failed);
  free(t.in);
  free(t.machine);
  free(t.oracle);
  return !ok || t.failed != 0 || t.compared == 0 || t.compared < t.least;
}
