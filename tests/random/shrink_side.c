/* shrink_side.c: the built-in predicate: the same class of outcome on a side (shrink.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/random/shrink.h"

static bool buffers(rs_side_t *s, const rp_launch_t *l) {
  size_t n = rp_bytes(l);
  if (n > s->bytes || s->image == NULL) {
    free(s->image);
    free(s->expected);
    s->image = calloc(n + 1, 1);
    s->expected = calloc(n + 1, 1);
    s->bytes = n;
  }
  return s->image != NULL && s->expected != NULL;
}

static bool needs_oracle(const char *what) {
  return strncmp(what, "divergence", 10) != 0 && strncmp(what, "not supported", 13) != 0;
}

static bool on_oracle(rs_side_t *s, const rp_launch_t *l, const char *text, size_t size,
                      unsigned variant, uint8_t *image) {
  s->instructions = 0;
  return rp_run_oracle(l, text, size, variant, s->max_instructions, NULL, 0, image,
                       &s->instructions, s->why, sizeof s->why);
}

/* Outcome on the side, `expected` being there. */
static void on_side(rs_side_t *s, const rp_launch_t *l, const char *text, size_t size) {
  rp_limits_t limits = {.cycles = s->max_cycles, .seconds = 60, .seed = 1};
  memset(s->image, 0, rp_bytes(l));
  rp_run_side(&s->side, l, text, size, &limits, s->image, &s->out);
  if (needs_oracle(s->out.what)) {
    rp_judge(l, s->expected, s->image, &s->out);
  }
}

bool rs_side_start(rs_side_t *s, const char *side, const rp_launch_t *l, const char *text,
                   size_t size) {
  memset(s, 0, sizeof *s);
  if (!rp_side_parse(side, &s->side) || !buffers(s, l)) {
    (void)snprintf(s->why, sizeof s->why, "no side '%s'", side);
    return false;
  }
  s->max_instructions = UINT64_C(400000000);
  bool defined = on_oracle(s, l, text, size, 0, s->expected);
  s->max_instructions = 2 * s->instructions + 20000;
  on_side(s, l, text, size);
  if (needs_oracle(s->out.what) && !defined) {
    return false;
  }
  if (strcmp(s->out.what, wl_status_text(WL_OK)) == 0) {
    (void)snprintf(s->why, sizeof s->why, "it does not fail on %s", side);
    return false;
  }
  (void)snprintf(s->what, sizeof s->what, "%s", s->out.what);
  s->max_cycles = 4 * s->out.cycles + 200000;
  return true;
}

bool rs_side_fails(void *context, const rp_launch_t *l, const char *text, size_t size) {
  rs_side_t *s = context;
  bool oracle = needs_oracle(s->what);
  if (!buffers(s, l) || (oracle && !on_oracle(s, l, text, size, 0, s->expected))) {
    return false;
  }
  on_side(s, l, text, size);
  if (strcmp(s->out.what, s->what) != 0) {
    return false;
  }
  for (unsigned v = 1; oracle && v < RP_VARIANTS; v++) {
    if (!on_oracle(s, l, text, size, v, s->image) ||
        memcmp(s->image, s->expected, rp_bytes(l)) != 0) {
      return false;
    }
  }
  return true;
}

void rs_side_end(rs_side_t *s) {
  free(s->image);
  free(s->expected);
  s->image = s->expected = NULL;
}
