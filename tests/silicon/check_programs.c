/* check_programs: random programs (tests/random) on a backend of Warplock, against the final memory
 * that silicon left (README.md). Usage: check_programs SIDE programs.txt; SIDE as in tests/random.
 * Programs with an instruction of which PTX leaves the result open, or which the device's compiler
 * gets wrong, are counted and not compared. Exit code 1: a difference. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/read_file.h"
#include "tests/random/generate.h"

/* An instruction of the kinds that README.md tells of: abs and neg of f32 (payload of a NaN),
 * 64-bit fields (positions beyond 255), a guarded set to f32 or of 16 bits. */
static bool is_open(const char *line) {
  line += strspn(line, " \t");
  bool guarded = *line == '@';
  line += guarded ? strcspn(line, " \n") + 1 : 0;
  size_t n = strcspn(line, " \n");
  char op[64];
  (void)snprintf(op, sizeof op, "%.*s", (int)n, line);
  return strncmp(op, "abs.f32", 7) == 0 || strncmp(op, "neg.f32", 7) == 0 ||
         strncmp(op, "bfe.u64", 7) == 0 || strncmp(op, "bfe.s64", 7) == 0 ||
         strncmp(op, "bfi.b64", 7) == 0 ||
         (guarded && strncmp(op, "set.", 4) == 0 &&
          (strstr(op, ".f32.") != NULL ||
           (n > 4 && n < sizeof op && strcmp(op + n - 2, "16") == 0)));
}

static bool has_open(const char *text) {
  bool open = false;
  for (const char *line = text; *line != 0 && !open; line += *line != 0) {
    open = is_open(line);
    line += strcspn(line, "\n");
  }
  return open;
}

typedef enum verdict { SAME, OPEN, DIFFERENT } verdict_t;

/* The program is made anew from its seed, so a record that is not of this generator's differs too.
 */
static verdict_t judge(const rp_side_t *side, const rc_table_t *table, uint64_t seed,
                       uint64_t index, uint64_t want) {
  static rp_outcome_t outcome;
  const rp_limits_t limits = {.seed = 1};
  rg_program_t p;
  if (!rg_generate(RG_FIRST_EDITION, seed, index, table, &p)) {
    printf("FAILED  seed %" PRIu64 " program %" PRIu64 ": not made\n", seed, index);
    return DIFFERENT;
  }
  if (has_open(p.text)) {
    rg_free(&p);
    return OPEN;
  }
  uint8_t *image = calloc(rp_bytes(&p.launch) + 1, 1);
  bool ok = image != NULL;
  if (ok) {
    rp_run_side(side, &p.launch, p.text, p.size, &limits, image, &outcome);
    ok = outcome.status == WL_OK;
  }
  bool same = ok && rp_digest(&p.launch, image) == want;
  if (!same) {
    printf("DIFFERS seed %" PRIu64 " program %" PRIu64 ": %s\n", seed, index,
           ok ? "final memory" : outcome.why);
  }
  free(image);
  rg_free(&p);
  return same ? SAME : DIFFERENT;
}

int main(int argc, char **argv) {
  rp_side_t side;
  rc_table_t table = {0};
  size_t size = 0;
  unsigned count[3] = {0};
  char *record = argc == 3 && rp_side_parse(argv[1], &side) ? wl_read_file(argv[2], &size) : NULL;
  if (record == NULL) {
    (void)fprintf(stderr, "usage: check_programs SIDE programs.txt\n");
    return 2;
  }
  rg_universe(&table);
  for (const char *at = record; *at != 0; at += strcspn(at, "\n"), at += *at != 0) {
    uint64_t seed = 0, index = 0, want = 0;
    if (sscanf(at, "random-%" SCNu64 "-%" SCNu64 " %" SCNx64, &seed, &index, &want) == 3) {
      count[judge(&side, &table, seed, index, want)]++;
    }
  }
  printf("%.*s\n%s: %u programs equal, %u differ, %u with results that are open\n",
         (int)strcspn(record, "\n"), record, side.text, count[SAME], count[DIFFERENT], count[OPEN]);
  rc_free(&table);
  free(record);
  return count[DIFFERENT] != 0 || count[SAME] == 0;
}
