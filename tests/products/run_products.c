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
#include <stdlib.h>
#include <string.h>

#include "tests/common/digest.h"
#include "tests/products/product.h"
#include "tests/random/program.h"

enum { MAX_SIDES = 8, IMAGE = 4 * PR_CTAS * PR_EVENTS * PR_LANES };

typedef struct options {
  uint64_t seed, count, first, wide, cycles, seeds, print, digest;
  bool has_print, has_digest;
  const char *save;
  rp_side_t side[MAX_SIDES];
  unsigned sides;
} options_t;

typedef struct run {
  const options_t *o;
  pr_program_t program;
  rp_launch_t launch;
  uint8_t image[IMAGE];
  char why[RP_WHY];
  uint64_t failed, launches, most, sum;
} run_t;

static void failed(run_t *r, uint64_t index, const char *side, uint64_t seed, const char *what,
                   const char *why) {
  char file[1024];
  (void)snprintf(file, sizeof file, "%s/products-%" PRIu64 "-%" PRIu64 "%s.ptx",
                 r->o->save != NULL ? r->o->save : ".", r->o->seed, index,
                 r->o->wide != 0 ? "-wide" : "");
  (void)rp_write_file(file, r->program.text, r->program.size);
  printf("FAILED program %" PRIu64 " of seed %" PRIu64 " on %s, disturbance %" PRIu64
         ": %s\n%.2000s\n  text: %s\n",
         index, r->o->seed, side, seed, what, why, file);
  (void)fflush(stdout);
  r->failed++;
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
  const rp_limits_t limits = {.seconds = 300, .cycles = r->o->cycles, .seed = seed};
  memset(r->image, 0, IMAGE);
  rp_run_side(side, &r->launch, r->program.text, r->program.size, &limits, r->image, &out);
  r->launches++;
  r->sum += out.cycles;
  r->most = out.cycles > r->most ? out.cycles : r->most;
  if (out.status != WL_OK || strcmp(out.what, "finding") == 0) {
    failed(r, index, side->text, seed, out.what, out.why);
  } else if (!compare(r)) {
    failed(r, index, side->text, seed, "differs", r->why);
  }
}

static void one(run_t *r, uint64_t index) {
  pr_make(r->o->seed, index, r->o->wide != 0, &r->program);
  if (!rp_parse(r->program.text, &r->launch, r->why, sizeof r->why)) {
    failed(r, index, "generator", 0, "launch", r->why);
    return;
  }
  for (unsigned s = 0; s < r->o->sides; s++) {
    const uint64_t before = r->failed;
    for (uint64_t seed = 0; seed < r->o->seeds && r->failed == before; seed++) {
      run_side(r, &r->o->side[s], index, 1000 * index + seed + 1);
    }
  }
}

static bool parse_number(options_t *o, const char *name, uint64_t n) {
  const struct {
    const char *name;
    uint64_t *to;
  } numbers[] = {{"--seed", &o->seed},   {"--count", &o->count},   {"--first", &o->first},
                 {"--wide", &o->wide},   {"--cycles", &o->cycles}, {"--disturb-seeds", &o->seeds},
                 {"--print", &o->print}, {"--digest", &o->digest}};
  for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
    if (strcmp(name, numbers[k].name) == 0) {
      *numbers[k].to = n;
      o->has_print = o->has_print || numbers[k].to == &o->print;
      o->has_digest = o->has_digest || numbers[k].to == &o->digest;
      return true;
    }
  }
  return false;
}

static bool parse(int argc, char **argv, options_t *o) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *name = argv[i], *value = argv[i + 1];
    if (strcmp(name, "--save") == 0) {
      o->save = value;
    } else if (!parse_number(o, name, strtoull(value, NULL, 0)) &&
               (strcmp(name, "--side") != 0 || o->sides == MAX_SIDES ||
                !rp_side_parse(value, &o->side[o->sides++]))) {
      return false;
    }
  }
  return argc % 2 == 1;
}

static bool same_programs(run_t *r) {
  uint64_t digest = WL_DIGEST_START;
  for (uint64_t i = r->o->first; i < r->o->first + r->o->count; i++) {
    pr_make(r->o->seed, i, r->o->wide != 0, &r->program);
    for (size_t k = 0; k < r->program.size; k++) {
      digest = wl_digest(digest, (uint8_t)r->program.text[k]);
    }
    for (unsigned k = 0; k < PR_CTAS * PR_EVENTS * PR_LANES; k++) {
      digest = wl_digest(digest, (&r->program.want[0][0][0])[k]);
    }
  }
  printf("digest 0x%016" PRIx64 " of %" PRIu64 " programs\n", digest, r->o->count);
  return digest == r->o->digest;
}

int main(int argc, char **argv) {
  static run_t r;
  options_t o = {.seed = 1, .count = 20, .seeds = 1, .cycles = 300000};
  if (!parse(argc, argv, &o)) {
    (void)fprintf(stderr, "run_products: wrong arguments (see the head of run_products.c)\n");
    return 2;
  }
  r.o = &o;
  if (o.has_print) {
    pr_make(o.seed, o.print, o.wide != 0, &r.program);
    return fwrite(r.program.text, 1, r.program.size, stdout) != r.program.size;
  }
  if (o.has_digest) {
    return !same_programs(&r);
  }
  for (uint64_t i = o.first; i < o.first + o.count; i++) {
    one(&r, i);
  }
  printf("%" PRIu64 " programs, %" PRIu64 " launches, %" PRIu64 " cycles, at most %" PRIu64
         " in one, %" PRIu64 " failed\n",
         o.count, r.launches, r.sum, r.most, r.failed);
  return r.failed != 0 || o.count == 0;
}
