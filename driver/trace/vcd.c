/* vcd.c: the signals of waves.h as a VCD file: value change dump, IEEE 1800-2017 clause 21.7. One
 * cycle is one nanosecond; a signal is written when it changes, all in the first cycle. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "driver/trace/waves.h"

struct wl_vcd {
  const wl_waves_t *waves;
  FILE *file;
  uint32_t *old;
  bool any;
};

/* Identifiers are numbers of base 94 in printable letters. */
static const char *code(unsigned i, char out[8]) {
  unsigned n = 0;
  do {
    out[n++] = (char)('!' + i % 94);
    i /= 94;
  } while (i != 0);
  out[n] = '\0';
  return out;
}

/* From one scope to another: leaves what they do not share, enters the rest. */
static void change_scope(FILE *file, const char *from, const char *to) {
  size_t common = 0;
  for (size_t i = 0;; i++) {
    const bool end_a = from[i] == '\0' || from[i] == '.', end_b = to[i] == '\0' || to[i] == '.';
    if (end_a && end_b && i > 0) common = i;
    if (from[i] == '\0' || from[i] != to[i]) break;
  }
  for (const char *at = from + common; *at != '\0'; at++)
    if (*at == '.' || at == from) fprintf(file, "$upscope $end\n");
  for (const char *at = to + common; *at != '\0';) {
    at += *at == '.';
    const int n = (int)strcspn(at, ".");
    fprintf(file, "$scope module %.*s $end\n", n, at);
    at += n;
  }
}

wl_vcd_t *wl_vcd_open(const wl_waves_t *w, FILE *file) {
  wl_vcd_t *v = calloc(1, sizeof *v);
  char id[8];
  if (v == NULL) return NULL;
  *v = (wl_vcd_t){.waves = w, .file = file, .old = calloc(w->signals, sizeof *v->old)};
  if (v->old == NULL) {
    free(v);
    return NULL;
  }
  fprintf(file, "$version warplock $end\n$timescale 1ns $end\n");
  const char *scope = "";
  for (unsigned i = 0; i < w->signals; i++) {
    const wl_wave_signal_t *s = &w->signal[i];
    if (strcmp(scope, s->scope) != 0) change_scope(file, scope, s->scope);
    scope = s->scope;
    fprintf(file, "$var wire %u %s %s", s->bits, code(i, id), s->name);
    if (s->bits > 1) fprintf(file, " [%u:0]", s->bits - 1);
    fprintf(file, " $end\n");
  }
  change_scope(file, scope, "");
  fprintf(file, "$enddefinitions $end\n");
  return v;
}

static void put(const wl_vcd_t *v, unsigned i) {
  const wl_wave_signal_t *s = &v->waves->signal[i];
  char id[8], bits[33];
  unsigned n = 0;
  code(i, id);
  if (s->bits == 1) {
    fprintf(v->file, "%" PRIu32 "%s\n", s->value & 1, id);
    return;
  }
  for (int b = 31; b >= 0; b--)
    if (n != 0 || b == 0 || (s->value >> b & 1) != 0)
      bits[n++] = (s->value >> b & 1) != 0 ? '1' : '0';
  fprintf(v->file, "b%.*s %s\n", (int)n, bits, id);
}

void wl_vcd_cycle(wl_vcd_t *v, uint64_t cycle) {
  bool time = !v->any;
  if (time) fprintf(v->file, "#%" PRIu64 "\n", cycle);
  for (unsigned i = 0; i < v->waves->signals; i++) {
    const uint32_t value = v->waves->signal[i].value;
    if (v->any && value == v->old[i]) continue;
    if (!time) fprintf(v->file, "#%" PRIu64 "\n", cycle);
    time = true;
    put(v, i);
    v->old[i] = value;
  }
  v->any = true;
}

void wl_vcd_close(wl_vcd_t *v, uint64_t end) {
  if (v == NULL) return;
  fprintf(v->file, "#%" PRIu64 "\n", end);
  free(v->old);
  free(v);
}
