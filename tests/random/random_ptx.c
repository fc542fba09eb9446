/* random_ptx: random PTX programs on the oracle and on sides of libwarplock; final memory must be
 * equal byte by byte. What differs is written to a file with its launch, and the command that runs
 * it again is printed.
 *   wl_random_ptx --seed S --count N [--first I] [--side SIDE].. [--save DIR] [--print I]
 *                 [--table] [--empty N] [--json FILE] [--least-bins N] [--defined N] [--seconds N]
 *                 [--state FILE] [--edition N]
 *   wl_random_ptx --file F.ptx.. [--side SIDE]..
 * SIDE: backend[:config[:disturb[:compare]]]. --defined N: every N-th program runs on the oracle in
 * all variants, which must agree (1: all). --seconds: stop in time. --state: goes on behind the
 * last program of that seed and keeps the coverage. --edition: of the generator, generate.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/common/read_file.h"
#include "tests/random/generate.h"

enum { MAX_SIDES = 16, MAX_FILES = 64 };

typedef struct options {
  uint64_t seed, first, count, print, defined, least_bins, edition;
  unsigned empty, seconds, nsides, nfiles;
  bool has_print, table;
  const char *file[MAX_FILES], *save, *json, *state;
  rp_side_t side[MAX_SIDES];
} options_t;

typedef struct run {
  const options_t *o;
  rc_table_t cover;
  uint64_t failed, left_out, instructions, warp_instructions[MAX_SIDES], cycles[MAX_SIDES];
  uint8_t *oracle, *other;
  char why[RP_WHY];
} run_t;

static int usage(const char *what) {
  fprintf(stderr, "wl_random_ptx: %s (see the head of random_ptx.c)\n", what);
  return 2;
}

static void report(run_t *r, const char *path, const rg_program_t *p, uint64_t index,
                   const char *side, const char *what, const char *why) {
  char file[4096];
  const options_t *o = r->o;
  (void)snprintf(file, sizeof file, "%s/random-%" PRIu64 "-%" PRIu64 ".ptx",
                 o->save != NULL ? o->save : ".", o->seed, index);
  if (path == NULL && !rp_write_file(file, p->text, p->size)) {
    printf("cannot write %s\n", file);
  }
  printf("FAILED seed %" PRIu64 " program %" PRIu64
         " on %s: %s\n%s\n  again: wl_random_ptx --file %s%s%s\n",
         o->seed, index, side, what, why, path != NULL ? path : file,
         strcmp(side, "oracle") != 0 ? " --side " : "", strcmp(side, "oracle") != 0 ? side : "");
  (void)fflush(stdout);
  r->failed++;
}

static bool images(run_t *r, size_t n) {
  free(r->oracle);
  free(r->other);
  r->oracle = calloc(n + 1, 1);
  r->other = calloc(n + 1, 1);
  return r->oracle != NULL && r->other != NULL;
}

static void count_sites(run_t *r, const rg_program_t *p, const uint32_t *hits) {
  for (size_t i = 0; i < p->nsites; i++) {
    const rg_site_t *s = &p->sites[i];
    rc_row_t *row = s->row != UINT32_MAX ? &r->cover.row[s->row] : NULL;
    if (hits[s->line] == 0) {
      continue;
    }
    if (row == NULL || (row->classes >> s->cls & 1) == 0 || (row->paths >> s->path & 1) == 0) {
      r->cover.unknown++;
    } else {
      row->hits[s->cls][s->path]++;
    }
  }
}

/* False: the program has no single result, or the oracle refused it. */
static bool expect(run_t *r, const char *path, const rg_program_t *p, uint64_t index) {
  unsigned variants = r->o->defined != 0 && index % r->o->defined == 0 ? RP_VARIANTS : 1;
  uint32_t *hits = calloc(p->lines + 1, sizeof *hits);
  bool ok = hits != NULL;
  for (unsigned v = 0; v < variants && ok; v++) {
    uint64_t instructions = 0;
    ok = rp_run_oracle(&p->launch, p->text, p->size, v, 200000000, v == 0 ? hits : NULL,
                       p->lines + 1, v == 0 ? r->oracle : r->other, &instructions, r->why,
                       sizeof r->why);
    r->instructions += instructions;
    if (!ok) {
      report(r, path, p, index, "oracle", "error", r->why);
    } else if (v != 0) {
      rp_outcome_t out = {.status = WL_OK};
      rp_judge(&p->launch, r->oracle, r->other, &out);
      if (out.what[0] != 0) {
        (void)snprintf(r->why, sizeof r->why, "variant %u: %.200s", v, out.why);
        report(r, path, p, index, "oracle", "not one result", r->why);
        ok = false;
      }
    }
  }
  if (ok) {
    count_sites(r, p, hits);
  }
  free(hits);
  return ok;
}

static void one(run_t *r, const char *path, const rg_program_t *p, uint64_t index) {
  rp_outcome_t out;
  rp_limits_t limits = {.seconds = 120, .seed = index + 1};
  if (!images(r, rp_bytes(&p->launch)) || !expect(r, path, p, index)) {
    return;
  }
  for (unsigned s = 0; s < r->o->nsides; s++) {
    if (rp_lacks(&r->o->side[s], p->text)) {
      r->left_out++;
      continue;
    }
    memset(r->other, 0, rp_bytes(&p->launch));
    rp_run_side(&r->o->side[s], &p->launch, p->text, p->size, &limits, r->other, &out);
    rp_judge(&p->launch, r->oracle, r->other, &out);
    r->cycles[s] += out.cycles;
    r->warp_instructions[s] += out.instructions;
    if (strcmp(out.what, wl_status_text(WL_OK)) != 0) {
      report(r, path, p, index, r->o->side[s].text, out.what, out.why);
    }
  }
}

static bool run_file(run_t *r, const char *file) {
  rg_program_t p = {0};
  uint64_t before = r->failed;
  p.text = wl_read_file(file, &p.size);
  if (p.text == NULL || !rp_parse(p.text, &p.launch, r->why, sizeof r->why)) {
    printf("%s: %s\n", file, p.text == NULL ? "cannot be read" : r->why);
    free(p.text);
    return false;
  }
  for (const char *at = p.text; *at != 0; at++) {
    p.lines += *at == '\n';
  }
  p.lines++;
  one(r, file, &p, 0);
  rg_free(&p);
  printf("%s: %s\n", file, r->failed == before ? "equal" : "failed");
  return r->failed == before;
}

/* ---- state of a campaign: "SEED NEXT", then the coverage ---- */
static uint64_t load_state(run_t *r, uint64_t first) {
  uint64_t seed = 0, next = 0;
  FILE *f = r->o->state != NULL ? fopen(r->o->state, "r") : NULL;
  if (f != NULL && fscanf(f, "%" SCNu64 " %" SCNu64, &seed, &next) == 2 && seed == r->o->seed) {
    rc_load(&r->cover, f);
    first = next;
  }
  if (f != NULL) {
    (void)fclose(f);
  }
  return first;
}

static void save_state(run_t *r, uint64_t next) {
  char temporary[4096];
  if (r->o->state == NULL) {
    return;
  }
  (void)snprintf(temporary, sizeof temporary, "%s.new", r->o->state);
  FILE *f = fopen(temporary, "w");
  if (f == NULL) {
    return;
  }
  (void)fprintf(f, "%" PRIu64 " %" PRIu64 "\n", r->o->seed, next);
  bool ok = rc_save(&r->cover, f);
  if (fclose(f) == 0 && ok) {
    (void)rename(temporary, r->o->state);
  }
}

static bool run_seed(run_t *r) {
  const options_t *o = r->o;
  time_t start = time(NULL);
  uint64_t end = o->first + o->count, index = load_state(r, o->first);
  for (; index < end && (o->seconds == 0 || time(NULL) < start + (time_t)o->seconds); index++) {
    rg_program_t p;
    if (!rg_generate((unsigned)o->edition, o->seed, index, &r->cover, &p)) {
      printf("generator: program %" PRIu64 " of seed %" PRIu64 " failed\n", index, o->seed);
      return false;
    }
    one(r, NULL, &p, index);
    rg_free(&p);
    r->cover.programs++;
    if (index % 50 == 49 && r->failed == 0) {
      save_state(r, index + 1);
    }
  }
  if (r->failed == 0) {
    save_state(r, index);
  }
  return true;
}

static bool results(run_t *r) {
  const options_t *o = r->o;
  rc_sum_t sum = rc_sum(&r->cover);
  if (o->table) {
    rc_print(&r->cover, stdout, o->empty);
  }
  FILE *json = o->json != NULL ? fopen(o->json, "w") : NULL;
  if (json != NULL) {
    rc_json(&r->cover, json);
    (void)fclose(json);
  }
  for (unsigned s = 0; s < o->nsides; s++) {
    printf("%s: %" PRIu64 " warp instructions, %" PRIu64 " cycles\n", o->side[s].text,
           r->warp_instructions[s], r->cycles[s]);
  }
  printf("%" PRIu64 " programs, %" PRIu64 " instructions of the oracle, %" PRIu64 " of %" PRIu64
         " bins hit, %" PRIu64 " failed\n",
         r->cover.programs, r->instructions, sum.hit, sum.bins, r->failed);
  if (r->left_out != 0) {
    printf("%" PRIu64 " runs left out: atomics of 128 bits\n", r->left_out);
  }
  if (r->cover.unknown != 0) {
    printf("FAILED: %" PRIu64 " executed places without a bin: the table lacks them\n",
           r->cover.unknown);
  }
  return r->failed == 0 && sum.hit >= o->least_bins && r->cover.unknown == 0;
}

static bool parse(int argc, char **argv, options_t *o) {
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i];
    if (strcmp(name, "--table") == 0) {
      o->table = true;
      continue;
    }
    const char *value = i + 1 < argc ? argv[++i] : NULL;
    if (value == NULL) {
      return false;
    }
    uint64_t number = strtoull(value, NULL, 0);
    if (strcmp(name, "--seed") == 0)
      o->seed = number;
    else if (strcmp(name, "--count") == 0)
      o->count = number;
    else if (strcmp(name, "--first") == 0)
      o->first = number;
    else if (strcmp(name, "--defined") == 0)
      o->defined = number;
    else if (strcmp(name, "--edition") == 0 && number >= RG_FIRST_EDITION && number <= RG_EDITION)
      o->edition = number;
    else if (strcmp(name, "--least-bins") == 0)
      o->least_bins = number;
    else if (strcmp(name, "--empty") == 0)
      o->empty = (unsigned)number;
    else if (strcmp(name, "--seconds") == 0)
      o->seconds = (unsigned)number;
    else if (strcmp(name, "--print") == 0)
      o->print = number, o->has_print = true;
    else if (strcmp(name, "--file") == 0 && o->nfiles < MAX_FILES)
      o->file[o->nfiles++] = value;
    else if (strcmp(name, "--save") == 0)
      o->save = value;
    else if (strcmp(name, "--json") == 0)
      o->json = value;
    else if (strcmp(name, "--state") == 0)
      o->state = value;
    else if (strcmp(name, "--side") != 0 || o->nsides == MAX_SIDES ||
             !rp_side_parse(value, &o->side[o->nsides++]))
      return false;
  }
  return true;
}

int main(int argc, char **argv) {
  options_t o = {.seed = 1, .count = 100, .defined = 8, .edition = RG_EDITION, .empty = 100};
  run_t r = {.o = &o};
  bool ok = false;
  if (!parse(argc, argv, &o)) {
    return usage("wrong arguments");
  }
  rg_universe(&r.cover);
  if (r.cover.failed) {
    printf("no table of bins\n");
  } else if (o.has_print) {
    rg_program_t p;
    ok = rg_generate((unsigned)o.edition, o.seed, o.print, &r.cover, &p);
    ok = ok && fputs(p.text, stdout) >= 0;
    rg_free(&p);
  } else if (o.nfiles != 0) {
    ok = true;
    for (unsigned i = 0; i < o.nfiles; i++) {
      ok = run_file(&r, o.file[i]) && ok;
    }
  } else {
    ok = run_seed(&r) && results(&r);
  }
  rc_free(&r.cover);
  free(r.oracle);
  free(r.other);
  return ok ? 0 : 1;
}
