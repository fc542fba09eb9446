/* test_cosim.c: warplock_cosim.h with a second model as the core under test: both modes on an equal
 * core, on one of other timing, and on cores with one bug each. docs/cosim.md.
 * Expected values: the kernel's results on the host; what a report must name, from the bug itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cosim/dut.h"

static int failures;

static void check(const char *name, bool ok, const char *what, const outcome_t *o) {
  if (ok) return;
  failures++;
  printf("%s: %s; verdict %d, summary %s%.700s\n", name, what, (int)o->verdict, o->summary,
         o->report.text);
}

static void want_equal(const char *ptx, const char *name, const setup_t *s, outcome_t *o) {
  uint32_t out[DUT_THREADS], sum;
  dut_expected(out, &sum);
  if (!dut_run(ptx, s, o)) {
    failures++;
    return;
  }
  check(name, o->verdict == WL_COSIM_DONE, "not equal", o);
  check(name, memcmp(out, o->out, sizeof out) == 0 && sum == o->sum, "wrong results", o);
  check(name, strncmp(o->summary, "equal", 5) == 0, "no summary", o);
}

static void want_different(const char *ptx, const char *name, const setup_t *s, outcome_t *o) {
  if (!dut_run(ptx, s, o)) {
    failures++;
    return;
  }
  check(name, o->verdict == WL_COSIM_DIVERGED, "no divergence", o);
}

static void test_equal(const char *ptx) {
  outcome_t *o = calloc(1, sizeof *o);
  want_equal(ptx, "cycle", &(setup_t){.arrays = true, .seed = 7, .launches = 2}, o);
  check("cycle", strstr(o->summary, " RF ") != NULL && strstr(o->summary, "scrubbed") != NULL,
        "summary without counts", o);
  want_equal(ptx, "cycle, heavy", &(setup_t){.density = 4, .disturb = "heavy", .seed = 8}, o);
  want_equal(ptx, "cycle, full", &(setup_t){.arrays = true, .compare_full = true, .seed = 9}, o);
  want_equal(ptx, "untimed, same timing", &(setup_t){.mode = WL_COSIM_UNTIMED, .launches = 2}, o);
  printf("%s", o->summary);
  free(o);
}

/* Another timing: untimed equal, cycle mode not. */
static void test_timing(const char *ptx) {
  static const struct {
    const char *name;
    unsigned density, latency;
  } cases[] = {{"light", 1, 0}, {"heavy", 4, 0}, {"latency 3", 0, 3}, {"latency 90, heavy", 4, 90}};
  outcome_t *o = calloc(1, sizeof *o);
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    setup_t s = {.mode = WL_COSIM_UNTIMED,
                 .density = cases[i].density,
                 .latency = cases[i].latency,
                 .seed = 100 + i,
                 .launches = 2};
    want_equal(ptx, cases[i].name, &s, o);
    printf("%s: %s", cases[i].name, o->summary);
    s.mode = WL_COSIM_CYCLE;
    want_different(ptx, cases[i].name, &s, o);
  }
  free(o);
}

static bool names(const outcome_t *o, const char *what) {
  return strstr(o->report.text, what) != NULL;
}

/* One wrong record each. Cycle mode: in its cycle, with its kind. */
static void test_bugs(const char *ptx) {
  static const struct {
    const char *name;
    change_t change;
    bool untimed; /* also an architectural effect */
  } bugs[] = {
      {"register data", {WL_J_RF, 300, 0, 0x400, false, true, false}, true},
      {"register mask", {WL_J_RF, 200, 2, 0x1, false, false, false}, true},
      {"register write lost", {WL_J_RF, 150, 0, 0, true, false, false}, true},
      {"predicate", {WL_J_PRED, 9, 0, 0, false, true, false}, true},
      {"exec mask", {WL_J_ISSUE, 250, 3, 0x10, false, false, false}, true},
      {"pc", {WL_J_ISSUE, 251, 1, 0x1, false, false, false}, true},
      {"issue lost", {WL_J_ISSUE, 252, 0, 0, true, false, false}, true},
      {"shared data", {WL_J_SMEM, 70, 3, 0x1000, false, false, false}, true},
      {"packet data", {WL_J_PACKET, 120, 9, 0x2, false, false, false}, false},
      {"barrier", {WL_J_BARRIER, 2, 2, 0x1, false, false, false}, false},
      {"fetch word", {WL_J_FETCH, 40, 3, 0x1, false, false, false}, false},
      {"path table", {WL_J_ROW, 5, 2, 0x100, false, false, false}, false},
      {"cycle counter", {WL_J_REST, 0, 1, 0x1, false, false, false}, false},
      {"unit not at rest", {WL_J_REST, 0, 2, 0x44, false, false, false}, false},
      {"place of a choice", {WL_J_REST, 0, 3, 0x20000, false, false, false}, false},
  };
  outcome_t *o = calloc(1, sizeof *o);
  for (unsigned i = 0; i < sizeof bugs / sizeof bugs[0]; i++) {
    setup_t s = {.change = &bugs[i].change, .seed = 5};
    char warp[32];
    want_different(ptx, bugs[i].name, &s, o);
    check(bugs[i].name, o->report.cycle == o->changed_at, "not in its cycle", o);
    check(bugs[i].name, o->report.kind == (int)bugs[i].change.kind, "not its kind", o);
    check(bugs[i].name, names(o, wl_journal_info[bugs[i].change.kind].name), "kind not in the text",
          o);
    if (bugs[i].change.kind == WL_J_PRED || bugs[i].change.kind == WL_J_ISSUE) {
      snprintf(warp, sizeof warp, "warp%u", (unsigned)o->changed.word[0]);
      check(bugs[i].name, names(o, warp), "warp not in the text", o);
    }
    if (bugs[i].change.kind == WL_J_REST && bugs[i].change.word == 2) {
      check(bugs[i].name, names(o, "not at rest: issue, LSU\n"), "units not in the text", o);
      check(bugs[i].name, names(o, "all units at rest\n"), "the other side's not in the text", o);
    }
    s.mode = WL_COSIM_UNTIMED;
    s.density = 4; /* and the core has another timing */
    if (bugs[i].untimed) {
      want_different(ptx, bugs[i].name, &s, o);
      check(bugs[i].name, names(o, "(untimed)"), "no untimed report", o);
    }
  }
  free(o);
}

/* A rendezvous that had to wait is issued twice: no effect, but another timing. */
static void test_twice(const char *ptx) {
  const change_t again = {WL_J_ISSUE, 250, 0, 0, false, false, true};
  outcome_t *o = calloc(1, sizeof *o);
  setup_t s = {.mode = WL_COSIM_UNTIMED, .change = &again, .seed = 5};
  want_equal(ptx, "issued twice", &s, o);
  s.mode = WL_COSIM_CYCLE;
  want_different(ptx, "issued twice", &s, o);
  check("issued twice", o->report.cycle == o->changed_at, "not in its cycle", o);
  free(o);
}

/* Names of the untimed report: a wrong bit of one lane of one register. */
static void test_untimed_names(const char *ptx) {
  const change_t data = {WL_J_RF, 300, 0, 0x20, false, true, false};
  outcome_t *o = calloc(1, sizeof *o);
  char writer[80];
  want_different(ptx, "names", &(setup_t){.mode = WL_COSIM_UNTIMED, .change = &data, .seed = 5}, o);
  check("names", o->report.kind == WL_J_RF && o->report.reg >= 0 && o->report.warp >= 0, "no names",
        o);
  check("names", o->report.cycle == o->changed_at, "not its cycle", o);
  check("names", names(o, "xor    00000020"), "not the bit", o);
  snprintf(writer, sizeof writer, "insn   writer of r%d of warp %d: pc %u ", o->report.reg,
           o->report.warp, o->report.pc);
  check("names", o->report.has_pc && names(o, writer), "no writer", o);
  free(o);
}

/* Cycle mode: a register write of the core under test is named with its instruction, also where it comes
 * to another register; one write too many, of what no instruction in flight writes, is not. */
static void test_writers(const char *ptx) {
  const change_t data = {WL_J_RF, 300, 3, 0x20, false, false, false};
  const change_t other = {WL_J_PRED, 9, 0, 0x2, false, false, false};
  outcome_t *o = calloc(1, sizeof *o);
  char line[80];
  want_different(ptx, "writer", &(setup_t){.change = &data, .seed = 5}, o);
  snprintf(line, sizeof line, "insn   writer of r%d of warp %d: pc %u ", o->report.reg,
           o->report.warp, o->report.pc);
  check("writer", o->report.has_pc && names(o, line), "no writer", o);
  /* The same write to another register: the row of r ^ 4 and of another page. */
  const uint32_t pc = o->report.pc;
  for (unsigned bit = 2; bit < 4; bit++) {
    const change_t row = {WL_J_RF, 300, 1, 1u << bit, false, false, false};
    want_different(ptx, "other register", &(setup_t){.change = &row, .seed = 5}, o);
    check("other register", o->report.has_pc && o->report.pc == pc && names(o, "insn   writer of"),
          "another instruction", o);
  }
  want_different(ptx, "no writer", &(setup_t){.change = &other, .keep = true, .seed = 5}, o);
  check("no writer", names(o, "no instruction in flight writes"), "a writer", o);
  free(o);
}

/* A register changes without a record: scrub and full compare find it, with its name. */
static void test_arrays(const char *ptx) {
  outcome_t *o = calloc(1, sizeof *o);
  setup_t s = {.arrays = true, .flip_array_at = 300, .seed = 6};
  want_different(ptx, "scrub", &s, o);
  check("scrub", o->report.view == WL_VIEW_RF && o->report.cycle - 300 < 3200,
        "not within the bound", o);
  s.compare_full = true;
  want_different(ptx, "full compare", &s, o);
  check("full compare", o->report.view == WL_VIEW_RF && o->report.cycle == 300, "not in its cycle",
        o);
  free(o);
}

/* With the reference in a thread of its own: the same verdicts, reports and counts. */
static void test_threads(const char *ptx) {
  static const change_t data = {WL_J_RF, 300, 0, 0x400, false, true, false};
  static const setup_t cases[] = {
      {.arrays = true, .seed = 7, .launches = 3},
      {.density = 4, .disturb = "heavy", .seed = 8},
      {.arrays = true, .compare_full = true, .seed = 9},
      {.change = &data, .seed = 5},
      {.arrays = true, .flip_array_at = 300, .seed = 6},
      {.mode = WL_COSIM_UNTIMED, .launches = 2},
  };
  outcome_t *one = calloc(1, sizeof *one), *two = calloc(1, sizeof *two);
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    setup_t s = cases[i];
    bool ran = dut_run(ptx, &s, one);
    s.threads = 2;
    ran = ran && dut_run(ptx, &s, two);
    failures += ran ? 0 : 1;
    check("threads", one->verdict == two->verdict && one->cycles == two->cycles, "another end",
          two);
    check("threads", strcmp(one->report.text, two->report.text) == 0, "another report", two);
    check("threads", strcmp(one->summary, two->summary) == 0, "another summary", two);
    check("threads", memcmp(one->out, two->out, sizeof one->out) == 0, "other results", two);
  }
  free(one);
  free(two);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    printf("usage: test_cosim KERNEL.ptx\n");
    return 1;
  }
  test_equal(argv[1]);
  test_timing(argv[1]);
  test_bugs(argv[1]);
  test_twice(argv[1]);
  test_untimed_names(argv[1]);
  test_writers(argv[1]);
  test_arrays(argv[1]);
  test_threads(argv[1]);
  printf("cosim: %d failures\n", failures);
  return failures != 0;
}
