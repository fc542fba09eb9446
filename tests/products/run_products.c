/* run_products: random products in tensor memory (product.h) on sides of libwarplock; what each program
 * leaves must be what the generator says, word by word.
 *   run_products --seed S --count N [--first I] [--wide 1] [--side SIDE].. [--cycles N]
 *                [--disturb-seeds N] [--save DIR] [--print I] [--digest D]
 * SIDE: backend[:config[:disturb[:compare]]]; of func compare may be "checked": a finding is a failure.
 * --wide: programs for 256 columns and block scales, not for tiny. --disturb-seeds: each program N times on
 * each side, with N seeds. --cycles: more are a failure (default 300000). --print: the text of one program.
 * --digest: no runs; the digest of texts and expected words must be D: the same from every compiler. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/common/digest.h"
#include "tests/products/product.h"
#include "tests/random/series.h"

enum { IMAGE = 4 * PR_CTAS * PR_EVENTS * PR_LANES };

typedef struct run {
  rp_series_t series;
  uint64_t wide;
  pr_program_t program;
  rp_launch_t launch;
  uint8_t image[IMAGE];
  char why[RP_WHY];
} run_t;

static void failed(run_t *r, uint64_t index, const char *side, uint64_t seed, const char *what,
                   const char *why) {
  rp_series_failed(&r->series, index, r->program.text, r->program.size, side, seed, what, why);
}

/* Little-endian, whatever the host. */
static uint32_t word_of(const run_t *r, unsigned cta, unsigned event, unsigned lane) {
  const uint8_t *b = &r->image[4 * ((cta * PR_EVENTS + event) * PR_LANES + lane)];
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* The first event, in the order of the text, with a word that is not the expected one. */
static bool compare(run_t *r) {
  for (unsigned k = 0; k < PR_EVENTS * PR_CTAS * PR_LANES; k++) {
    const unsigned lane = k % PR_LANES, cta = k / PR_LANES % PR_CTAS,
                   event = k / PR_LANES / PR_CTAS;
    const uint32_t got = word_of(r, cta, event, lane), want = r->program.want[cta][event][lane];
    if (got != want) {
      char name[32];
      (void)snprintf(name, sizeof name, "// event %u:", event);
      const char *at = strstr(r->program.text, name);
      (void)snprintf(r->why, sizeof r->why,
                     "event %u, CTA %u, lane %u: 0x%08" PRIx32 ", expected 0x%08" PRIx32 "\n  %.*s",
                     event, cta, lane, got, want, at != NULL ? (int)strcspn(at, "\n") : 0,
                     at != NULL ? at : "");
      return false;
    }
  }
  return true;
}

static void run_side(run_t *r, const rp_side_t *side, uint64_t index, uint64_t seed) {
  static rp_outcome_t out;
  const rp_limits_t limits = {.seconds = 300, .cycles = r->series.cycles, .seed = seed};
  rp_series_run(&r->series, side, &r->launch, r->program.text, r->program.size, &limits, r->image,
                IMAGE, &out);
  if (out.status != WL_OK || strcmp(out.what, "finding") == 0) {
    failed(r, index, side->text, seed, out.what, out.why);
  } else if (!compare(r)) {
    failed(r, index, side->text, seed, "differs", r->why);
  }
}

static void one(run_t *r, uint64_t index) {
  pr_make(r->series.seed, index, r->wide != 0, &r->program);
  if (!rp_parse(r->program.text, &r->launch, r->why, sizeof r->why)) {
    failed(r, index, "generator", 0, "launch", r->why);
    return;
  }
  for (unsigned s = 0; s < r->series.sides; s++) {
    const uint64_t before = r->series.failed;
    for (uint64_t seed = 0; seed < r->series.seeds && r->series.failed == before; seed++) {
      run_side(r, &r->series.side[s], index, 1000 * index + seed + 1);
    }
  }
}

static bool same_programs(run_t *r) {
  const rp_series_t *s = &r->series;
  uint64_t digest = WL_DIGEST_START;
  for (uint64_t i = s->first; i < s->first + s->count; i++) {
    pr_make(s->seed, i, r->wide != 0, &r->program);
    for (size_t k = 0; k < r->program.size; k++) {
      digest = wl_digest(digest, (uint8_t)r->program.text[k]);
    }
    for (unsigned k = 0; k < PR_CTAS * PR_EVENTS * PR_LANES; k++) {
      digest = wl_digest(digest, (&r->program.want[0][0][0])[k]);
    }
  }
  printf("digest 0x%016" PRIx64 " of %" PRIu64 " programs\n", digest, s->count);
  return digest == s->digest;
}

int main(int argc, char **argv) {
  static run_t r = {.series = {.noun = "program",
                               .stem = "products",
                               .mark = "",
                               .seed = 1,
                               .count = 20,
                               .seeds = 1,
                               .cycles = 300000}};
  rp_series_t *s = &r.series;
  const rp_option_t own[] = {{"--wide", &r.wide}, {NULL, NULL}};
  if (!rp_series_parse(s, argc, argv, own)) {
    (void)fprintf(stderr, "run_products: wrong arguments (see the head of run_products.c)\n");
    return 2;
  }
  s->mark = r.wide != 0 ? "-wide" : "";
  if (s->has_print) {
    pr_make(s->seed, s->print, r.wide != 0, &r.program);
    return fwrite(r.program.text, 1, r.program.size, stdout) != r.program.size;
  }
  if (s->has_digest) {
    return !same_programs(&r);
  }
  for (uint64_t i = s->first; i < s->first + s->count; i++) {
    one(&r, i);
  }
  return rp_series_end(s, "programs");
}
