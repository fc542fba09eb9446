/* run_histories: random histories of mbarriers (history.h) on the oracle and on sides of libwarplock;
 * final memory must be equal byte by byte.
 *   run_histories --seed S --count N [--first I] [--side SIDE].. [--disturb-seeds N] [--cycles N]
 *                 [--variants N] [--save DIR] [--print I] [--digest D] [--bulk 1]
 * SIDE: backend[:config[:disturb[:compare]]]. --disturb-seeds: each history N times on each side, with
 * N seeds of the disturbance. --cycles: more are a failure (default 60000; 0: none). --variants: of
 * the oracle, in which the result must be the same (default 4). --print: the text of one history.
 * --bulk: the edition with bulk copies.
 * --digest: no runs; the digest of the texts must be D: the same from every compiler. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/common/digest.h"
#include "tests/mbarrier/history.h"
#include "tests/random/series.h"

enum { IMAGE = 16384 };

typedef struct run {
  rp_series_t series;
  uint64_t variants, bulk;
  hi_history_t history;
  rp_launch_t launch;
  char text[HI_TEXT];
  size_t size;
  uint8_t oracle[IMAGE], other[IMAGE];
  char why[RP_WHY];
} run_t;

static void failed(run_t *r, uint64_t index, const char *side, uint64_t seed, const char *what,
                   const char *why) {
  rp_series_failed(&r->series, index, r->text, r->size, side, seed, what, why);
}

/* The text of a history. */
static void make(run_t *r, uint64_t index) {
  hi_plan(r->series.seed, index, r->bulk != 0, &r->history);
  r->size = hi_text(&r->history, r->text, sizeof r->text);
}

static bool expect(run_t *r, uint64_t index) {
  for (unsigned v = 0; v < r->variants; v++) {
    uint64_t count = 0;
    uint8_t *image = v == 0 ? r->oracle : r->other;
    memset(image, 0, IMAGE);
    if (!rp_run_oracle(&r->launch, r->text, r->size, v, 50000000, NULL, 0, image, &count, r->why,
                       sizeof r->why)) {
      failed(r, index, "oracle", v, "error", r->why);
      return false;
    }
    if (v != 0 && memcmp(r->oracle, r->other, IMAGE) != 0) {
      failed(r, index, "oracle", v, "not one result", "");
      return false;
    }
  }
  return true;
}

static void one(run_t *r, uint64_t index) {
  make(r, index);
  if (!rp_parse(r->text, &r->launch, r->why, sizeof r->why)) {
    failed(r, index, "generator", 0, "launch", r->why);
    return;
  }
  if (!expect(r, index)) {
    return;
  }
  for (unsigned s = 0; s < r->series.sides; s++) {
    for (uint64_t seed = 0; seed < r->series.seeds; seed++) {
      rp_outcome_t out;
      const rp_limits_t limits = {
          .seconds = 120, .cycles = r->series.cycles, .seed = 1000 * index + seed + 1};
      rp_series_run(&r->series, &r->series.side[s], &r->launch, r->text, r->size, &limits, r->other,
                    IMAGE, &out);
      rp_judge(&r->launch, r->oracle, r->other, &out);
      if (out.status != WL_OK || strcmp(out.what, "differ") == 0) {
        failed(r, index, r->series.side[s].text, limits.seed, out.what, out.why);
        break;
      }
    }
  }
}

static bool same_texts(run_t *r) {
  const rp_series_t *s = &r->series;
  uint64_t digest = WL_DIGEST_START;
  for (uint64_t i = s->first; i < s->first + s->count; i++) {
    make(r, i);
    for (size_t k = 0; k < r->size; k++) {
      digest = wl_digest(digest, (uint8_t)r->text[k]);
    }
  }
  printf("digest 0x%016" PRIx64 " of %" PRIu64 " texts\n", digest, s->count);
  return digest == s->digest;
}

int main(int argc, char **argv) {
  static run_t r = {.series = {.noun = "history",
                               .stem = "history",
                               .mark = "",
                               .seed = 1,
                               .count = 20,
                               .seeds = 1,
                               .cycles = 60000},
                    .variants = 4};
  rp_series_t *s = &r.series;
  const rp_option_t own[] = {{"--variants", &r.variants}, {"--bulk", &r.bulk}, {NULL, NULL}};
  if (!rp_series_parse(s, argc, argv, own)) {
    (void)fprintf(stderr, "run_histories: wrong arguments (see the head of run_histories.c)\n");
    return 2;
  }
  if (s->has_print) {
    make(&r, s->print);
    return fwrite(r.text, 1, r.size, stdout) != r.size;
  }
  if (s->has_digest) {
    return !same_texts(&r);
  }
  for (uint64_t i = s->first; i < s->first + s->count; i++) {
    one(&r, i);
  }
  return rp_series_end(s, "histories");
}
