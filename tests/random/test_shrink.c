/* test_shrink: the minimiser on a core with a planted bug. Random programs run until one fails on
 * the side; that one is made small, must still fail in the same way, and must be small enough.
 *   test_shrink SIDE SEED MOST_INSTRUCTIONS MOST_THREADS [CLASS]
 * CLASS: what the outcome's class must begin with, e.g. "divergence". */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/random/generate.h"
#include "tests/random/shrink.h"

enum { PROGRAMS = 200 };

/* The first program that fails. */
static bool find(uint64_t seed, const char *side, rs_side_t *s, rg_program_t *p) {
  rc_table_t table = {0};
  bool found = false;
  rg_universe(&table);
  for (uint64_t i = 0; i < PROGRAMS && !found; i++) {
    if (!rg_generate(RG_EDITION, seed, i, &table, p)) {
      break;
    }
    found = rs_side_start(s, side, &p->launch, p->text, p->size);
    if (found) {
      printf("program %" PRIu64 " of seed %" PRIu64 " on %s: %s\n%.300s\n", i, seed, side, s->what,
             s->out.why);
    } else {
      rs_side_end(s);
      rg_free(p);
    }
  }
  rc_free(&table);
  return found;
}

static bool check(const char *what, bool ok) {
  if (!ok) {
    printf("FAILED: %s\n", what);
  }
  return ok;
}

int main(int argc, char **argv) {
  rs_side_t side = {0};
  rg_program_t p = {0};
  rs_result_t r = {0};
  if (argc < 5 || !find(strtoull(argv[2], NULL, 0), argv[1], &side, &p)) {
    printf("FAILED: no program fails\n");
    return 1;
  }
  rs_options_t o = {.fails = rs_side_fails, .context = &side, .seconds = 240};
  bool ok = check("shrinks", rs_shrink(&o, &p.launch, p.text, &r));
  if (ok) {
    rs_size_t before = rs_measure(&p.launch, p.text), after = rs_measure(&r.launch, r.text);
    rs_print("before", before);
    rs_print("after", after);
    printf("%" PRIu64 " candidates, %" PRIu64 " taken\n%s", r.tries, r.taken, r.text);
    ok = check("the result fails in the same way",
               rs_side_fails(&side, &r.launch, r.text, r.size)) &&
         ok;
    ok = check("few instructions", after.instructions <= strtoull(argv[3], NULL, 0)) && ok;
    ok = check("few threads", after.ctas * after.threads <= strtoull(argv[4], NULL, 0)) && ok;
    ok = check("its class", argc < 6 || strncmp(side.what, argv[5], strlen(argv[5])) == 0) && ok;
    ok = check("nothing more to take", r.complete) && ok;
  }
  free(r.text);
  rs_side_end(&side);
  rg_free(&p);
  return ok ? 0 : 1;
}
