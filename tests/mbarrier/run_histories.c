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
#include <stdlib.h>
#include <string.h>

#include "tests/common/digest.h"
#include "tests/mbarrier/history.h"

enum { MAX_SIDES = 8, IMAGE = 16384 };

typedef struct options {
  uint64_t seed, count, first, seeds, cycles, variants, print, digest;
  bool has_print, has_digest, bulk;
  const char *save;
  rp_side_t side[MAX_SIDES];
  unsigned sides;
} options_t;

typedef struct run {
  const options_t *o;
  hi_history_t history;
  rp_launch_t launch;
  char text[HI_TEXT];
  size_t size;
  uint8_t oracle[IMAGE], other[IMAGE];
  char why[RP_WHY];
  uint64_t failed, launches, most, sum;
} run_t;

static void failed(run_t *r, uint64_t index, const char *side, uint64_t seed, const char *what,
                   const char *why) {
  char file[1024];
  (void)snprintf(file, sizeof file, "%s/history-%" PRIu64 "-%" PRIu64 ".ptx",
                 r->o->save != NULL ? r->o->save : ".", r->o->seed, index);
  (void)rp_write_file(file, r->text, r->size);
  printf("FAILED history %" PRIu64 " of seed %" PRIu64 " on %s, disturbance %" PRIu64
         ": %s\n%.2000s\n  text: %s\n",
         index, r->o->seed, side, seed, what, why, file);
  (void)fflush(stdout);
  r->failed++;
}

static bool expect(run_t *r, uint64_t index) {
  for (unsigned v = 0; v < r->o->variants; v++) {
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
  hi_plan(r->o->seed, index, r->o->bulk, &r->history);
  r->size = hi_text(&r->history, r->text, sizeof r->text);
  if (!rp_parse(r->text, &r->launch, r->why, sizeof r->why)) {
    failed(r, index, "generator", 0, "launch", r->why);
    return;
  }
  if (!expect(r, index)) {
    return;
  }
  for (unsigned s = 0; s < r->o->sides; s++) {
    for (uint64_t seed = 0; seed < r->o->seeds; seed++) {
      rp_outcome_t out;
      const rp_limits_t limits = {
          .seconds = 120, .cycles = r->o->cycles, .seed = 1000 * index + seed + 1};
      memset(r->other, 0, IMAGE);
      rp_run_side(&r->o->side[s], &r->launch, r->text, r->size, &limits, r->other, &out);
      rp_judge(&r->launch, r->oracle, r->other, &out);
      r->launches++;
      r->sum += out.cycles;
      r->most = out.cycles > r->most ? out.cycles : r->most;
      if (out.status != WL_OK || strcmp(out.what, "differ") == 0) {
        failed(r, index, r->o->side[s].text, limits.seed, out.what, out.why);
        break;
      }
    }
  }
}

static bool parse(int argc, char **argv, options_t *o) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *name = argv[i], *value = argv[i + 1];
    const uint64_t n = strtoull(value, NULL, 0);
    if (strcmp(name, "--seed") == 0) {
      o->seed = n;
    } else if (strcmp(name, "--count") == 0) {
      o->count = n;
    } else if (strcmp(name, "--first") == 0) {
      o->first = n;
    } else if (strcmp(name, "--disturb-seeds") == 0) {
      o->seeds = n;
    } else if (strcmp(name, "--cycles") == 0) {
      o->cycles = n;
    } else if (strcmp(name, "--variants") == 0) {
      o->variants = n;
    } else if (strcmp(name, "--print") == 0) {
      o->print = n;
      o->has_print = true;
    } else if (strcmp(name, "--digest") == 0) {
      o->digest = n;
      o->has_digest = true;
    } else if (strcmp(name, "--bulk") == 0) {
      o->bulk = n != 0;
    } else if (strcmp(name, "--save") == 0) {
      o->save = value;
    } else if (strcmp(name, "--side") != 0 || o->sides == MAX_SIDES ||
               !rp_side_parse(value, &o->side[o->sides++])) {
      return false;
    }
  }
  return argc % 2 == 1;
}

static bool same_texts(run_t *r) {
  uint64_t digest = WL_DIGEST_START;
  for (uint64_t i = r->o->first; i < r->o->first + r->o->count; i++) {
    hi_plan(r->o->seed, i, r->o->bulk, &r->history);
    r->size = hi_text(&r->history, r->text, sizeof r->text);
    for (size_t k = 0; k < r->size; k++) {
      digest = wl_digest(digest, (uint8_t)r->text[k]);
    }
  }
  printf("digest 0x%016" PRIx64 " of %" PRIu64 " texts\n", digest, r->o->count);
  return digest == r->o->digest;
}

int main(int argc, char **argv) {
  static run_t r;
  options_t o = {.seed = 1, .count = 20, .seeds = 1, .cycles = 60000, .variants = 4};
  if (!parse(argc, argv, &o)) {
    (void)fprintf(stderr, "run_histories: wrong arguments (see the head of run_histories.c)\n");
    return 2;
  }
  r.o = &o;
  if (o.has_print) {
    hi_plan(o.seed, o.print, o.bulk, &r.history);
    r.size = hi_text(&r.history, r.text, sizeof r.text);
    return fwrite(r.text, 1, r.size, stdout) != r.size;
  }
  if (o.has_digest) {
    return !same_texts(&r);
  }
  for (uint64_t i = o.first; i < o.first + o.count; i++) {
    one(&r, i);
  }
  printf("%" PRIu64 " histories, %" PRIu64 " launches, %" PRIu64 " cycles, at most %" PRIu64
         " in one, %" PRIu64 " failed\n",
         o.count, r.launches, r.sum, r.most, r.failed);
  return r.failed != 0 || o.count == 0;
}
