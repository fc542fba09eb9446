/* expect.c: --expect N=FILE[:ulp=K|abs=X]: compares buffer N with a file (docs/architecture.md 7).
 * Without a tolerance bytes are compared; with one, f32 words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "driver/cli/cli.h"

static bool tolerance(const char *text, cli_expect_t *out) {
  char *end = NULL;
  uint64_t ulp = 0;
  if (strncmp(text, "ulp=", 4) == 0 && cli_number(text + 4, UINT32_MAX, &ulp)) {
    out->use_ulp = true;
    out->ulp = (uint32_t)ulp;
    return true;
  }
  if (strncmp(text, "abs=", 4) == 0) {
    out->absolute = strtod(text + 4, &end);
    out->use_abs = text[4] != 0 && *end == 0 && out->absolute >= 0;
    return out->use_abs;
  }
  return false;
}

int cli_expect_parse(const char *text, cli_expect_t *out) {
  *out = (cli_expect_t){.text = text};
  const char *equals = strchr(text, '=');
  char number[24];
  if (equals == NULL || (size_t)(equals - text) >= sizeof number) {
    return cli_fail(CLI_INPUT, "--expect %s: expected N=FILE[:ulp=K|:abs=X]", text);
  }
  (void)snprintf(number, sizeof number, "%.*s", (int)(equals - text), text);
  if (!cli_number(number, 4096, &out->argument)) {
    return cli_fail(CLI_INPUT, "--expect %s: expected N=FILE[:ulp=K|:abs=X]", text);
  }
  char *path = malloc(strlen(equals) + 1);
  if (path == NULL) {
    return cli_fail(CLI_INTERNAL, "out of memory");
  }
  strcpy(path, equals + 1);
  char *colon = strrchr(path, ':');
  if (colon != NULL && (strncmp(colon + 1, "ulp=", 4) == 0 || strncmp(colon + 1, "abs=", 4) == 0)) {
    if (!tolerance(colon + 1, out)) {
      free(path);
      return cli_fail(CLI_INPUT, "--expect %s: wrong tolerance", text);
    }
    *colon = 0;
  }
  out->path = path;
  return cli_read(path, &out->want);
}

/* Numbers the floats in order, so that neighbours differ by one; -0 and +0 are equal. */
static int64_t order(uint32_t bits) {
  int64_t magnitude = bits & 0x7fffffffu;
  return bits >> 31 != 0 ? -magnitude : magnitude;
}

static bool is_nan(uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }

static bool close_enough(const cli_expect_t *e, uint32_t got, uint32_t want) {
  if (is_nan(got) || is_nan(want)) {
    return is_nan(got) && is_nan(want);
  }
  if (e->use_ulp) {
    int64_t difference = order(got) - order(want);
    return (difference < 0 ? -difference : difference) <= (int64_t)e->ulp;
  }
  float g = 0;
  float w = 0;
  memcpy(&g, &got, sizeof g);
  memcpy(&w, &want, sizeof w);
  return got == want || fabs((double)g - (double)w) <= e->absolute;
}

bool cli_expect_check(const cli_expect_t *e, const uint8_t *got, char *buf, size_t cap) {
  const cli_bytes_t *want = &e->want;
  size_t unit = want->size % 4 == 0 ? 4 : 1;
  size_t bad = 0;
  size_t first = 0;
  for (size_t at = 0; at < want->size; at += unit) {
    uint32_t g = 0;
    uint32_t w = 0;
    memcpy(&g, got + at, unit);
    memcpy(&w, want->data + at, unit);
    bool same = g == w || ((e->use_ulp || e->use_abs) && unit == 4 && close_enough(e, g, w));
    first = !same && bad == 0 ? at : first;
    bad += same ? 0 : 1;
  }
  if (bad == 0) {
    return true;
  }
  uint32_t g = 0;
  uint32_t w = 0;
  float gf = 0;
  float wf = 0;
  memcpy(&g, got + first, unit);
  memcpy(&w, want->data + first, unit);
  memcpy(&gf, &g, sizeof gf);
  memcpy(&wf, &w, sizeof wf);
  int used =
      snprintf(buf, cap,
               "--expect %s: %zu of %zu %zu-byte units differ, first at byte %zu: got "
               "0x%0*x, expected 0x%0*x",
               e->text, bad, want->size / unit, unit, first, (int)unit * 2, g, (int)unit * 2, w);
  if (unit == 4 && used > 0 && (size_t)used < cap) {
    (void)snprintf(buf + used, cap - (size_t)used, " (as f32: %.9g, %.9g)", (double)gf, (double)wf);
  }
  return false;
}
