/* series.c: see series.h. */
#include "tests/random/series.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse_number(const rp_option_t *options, const char *name, uint64_t n) {
  for (; options->name != NULL; options++) {
    if (strcmp(name, options->name) == 0) {
      *options->to = n;
      return true;
    }
  }
  return false;
}

bool rp_series_parse(rp_series_t *s, int argc, char **argv, const rp_option_t *own) {
  const rp_option_t numbers[] = {{"--seed", &s->seed},     {"--count", &s->count},
                                 {"--first", &s->first},   {"--cycles", &s->cycles},
                                 {"--print", &s->print},   {"--disturb-seeds", &s->seeds},
                                 {"--digest", &s->digest}, {NULL, NULL}};
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *name = argv[i], *value = argv[i + 1];
    const uint64_t n = strtoull(value, NULL, 0);
    s->has_print = s->has_print || strcmp(name, "--print") == 0;
    s->has_digest = s->has_digest || strcmp(name, "--digest") == 0;
    if (strcmp(name, "--save") == 0) {
      s->save = value;
    } else if (!parse_number(numbers, name, n) && !parse_number(own, name, n) &&
               (strcmp(name, "--side") != 0 || s->sides == RP_MOST_SIDES ||
                !rp_side_parse(value, &s->side[s->sides++]))) {
      return false;
    }
  }
  return argc % 2 == 1;
}

void rp_series_failed(rp_series_t *s, uint64_t index, const char *text, size_t size,
                      const char *side, uint64_t seed, const char *what, const char *why) {
  char file[1024];
  (void)snprintf(file, sizeof file, "%s/%s-%" PRIu64 "-%" PRIu64 "%s.ptx",
                 s->save != NULL ? s->save : ".", s->stem, s->seed, index, s->mark);
  (void)rp_write_file(file, text, size);
  printf("FAILED %s %" PRIu64 " of seed %" PRIu64 " on %s, disturbance %" PRIu64
         ": %s\n%.2000s\n  text: %s\n",
         s->noun, index, s->seed, side, seed, what, why, file);
  (void)fflush(stdout);
  s->failed++;
}

void rp_series_run(rp_series_t *s, const rp_side_t *side, const rp_launch_t *l, const char *text,
                   size_t size, const rp_limits_t *limits, uint8_t *image, size_t bytes,
                   rp_outcome_t *out) {
  memset(image, 0, bytes);
  rp_run_side(side, l, text, size, limits, image, out);
  s->launches++;
  s->sum += out->cycles;
  s->most = out->cycles > s->most ? out->cycles : s->most;
}

int rp_series_end(const rp_series_t *s, const char *many) {
  printf("%" PRIu64 " %s, %" PRIu64 " launches, %" PRIu64 " cycles, at most %" PRIu64
         " in one, %" PRIu64 " failed\n",
         s->count, many, s->launches, s->sum, s->most, s->failed);
  return s->failed != 0 || s->count == 0;
}
