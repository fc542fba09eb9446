/* insn_fuzz: random programs on lockstep; gentle ones that do not depend on timing are also compared
 * with the functional runner.
 *   insn_fuzz BACKEND CONFIG SEED COUNT SECONDS [FIRST [CYCLES [STATE]]] [--json FILE]
 * Program i is made from SEED and i alone; a device serves GROUP programs one after another, so what
 * fails only behind others is repeated with FIRST = the group's first program. A failure is shrunk by
 * putting nop in the place of instructions. Ends with the shares of forms and traps.
 * STATE: a file that a campaign goes on from, with its counts; then it fails unless, once COUNT is
 * reached or time is over, every form was executed 200 times and every trap raised 100 times.
 * --json: all counts, which add up over ranges of FIRST that GROUP divides. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gen/wl_config.h"
#include "tests/fuzz/fuzz_run.h"

enum { GROUP = 16, MAX_FAILURES = 4, MAX_CYCLES = 80000, LEAST_FORM = 200, LEAST_TRAP = 100 };

typedef struct campaign {
  fuzz_session_t machine, func;
  fuzz_counts_t counts;
  fuzz_outcome_t got, want;
  fuzz_program_t program;
  uint64_t seed;
  uint32_t max_threads, max_regs;
  uint32_t row; /* of the configuration */
  unsigned failures;
} campaign_t;

static void count_words(campaign_t *c) {
  for (uint32_t i = 0; i < c->program.count && i < FUZZ_MAIN_WORDS; i++) { /* padding follows */
    const uint32_t *w = c->program.w[i], form = WL_WORD_GET(w, FORM);
    const bool exists = wl_form_exists(form, WL_ANY_ROW);
    bool legal = exists;
    for (int k = 0; legal && k < 4; k++)
      legal = (w[k] & wl_form_info[form].mbz[k]) == 0;
    c->counts.words++;
    if (!legal) c->counts.illegal++;
    if (exists) (legal ? c->counts.legal : c->counts.changed)[form]++;
  }
}

static bool bad(wl_status_t s) { return s == WL_ERR_DIVERGENCE || s == WL_ERR_INTERNAL; }

/* On a device of its own. */
static bool fails_alone(campaign_t *c, const fuzz_program_t *p, uint64_t data) {
  fuzz_session_t s = c->machine;
  s.device = NULL;
  s.counts = NULL;
  const bool ran = fuzz_execute(&s, p, data, &c->got);
  fuzz_close(&s);
  return ran && bad(c->got.status);
}

/* For a minute at most: what is not tried stays in the program. */
static void shrink(campaign_t *c, fuzz_program_t *p, uint64_t data) {
  const time_t start = time(NULL);
  static const uint32_t nop[4] = {UINT32_C(7) << WL_FIELD_GUARD_LOW, 0, 0, 0};
  fuzz_program_t t = *p;
  t.grid[0] = t.grid[1] = t.grid[2] = 1;
  if (fails_alone(c, &t, data)) *p = t;
  for (uint32_t n = 32; n < p->threads; n += 32) {
    t = *p;
    t.threads = t.block[0] = n;
    t.block[1] = t.block[2] = 1;
    if (fails_alone(c, &t, data)) *p = t;
  }
  for (uint32_t step = 128; step > 0; step /= 2) {
    for (uint32_t at = 0; at < p->count && difftime(time(NULL), start) < 60; at += step) {
      t = *p;
      for (uint32_t i = at; i < at + step && i < p->count; i++)
        memcpy(t.w[i], nop, sizeof nop);
      if (memcmp(&t, p, sizeof t) != 0 && fails_alone(c, &t, data)) *p = t;
    }
  }
  while (p->count > 1 && difftime(time(NULL), start) < 60) {
    t = *p;
    t.count--;
    if (!fails_alone(c, &t, data)) break;
    *p = t;
  }
  (void)fails_alone(c, p, data);
}

static void report(campaign_t *c, uint64_t index, uint64_t data) {
  fuzz_program_t p = c->program;
  c->failures++;
  printf("\nFAILED: seed %llu program %llu (group from %llu), disturb %s: %s\n",
         (unsigned long long)c->seed, (unsigned long long)index,
         (unsigned long long)(index / GROUP * GROUP), c->machine.disturb, c->got.error);
  if (fails_alone(c, &p, data)) {
    shrink(c, &p, data);
    printf("alone, shrunk: %s\n", c->got.error);
  } else {
    printf("only behind the other programs of its group\n");
  }
  fuzz_print(&p);
  fflush(stdout);
}

static bool compare_func(campaign_t *c, uint64_t index, uint64_t data) {
  if (!fuzz_execute(&c->func, &c->program, data, &c->want)) return false;
  if (c->want.status != WL_OK) {
    if (c->want.status == WL_ERR_HANG) return true;
    printf("\nFAILED: seed %llu program %llu: func says: %s\n", (unsigned long long)c->seed,
           (unsigned long long)index, c->want.error);
    fuzz_print(&c->program);
    return false;
  }
  c->counts.compared++;
  for (uint32_t i = 0; i < FUZZ_OUT_BYTES; i += 4) {
    if (memcmp(c->got.out + i, c->want.out + i, 4) == 0) continue;
    uint32_t got, want;
    memcpy(&got, c->got.out + i, 4);
    memcpy(&want, c->want.out + i, 4);
    const uint32_t slot = (i - FUZZ_CELLS) / FUZZ_SLOT, at = (i - FUZZ_CELLS) % FUZZ_SLOT;
    printf("\nFAILED: seed %llu program %llu: byte %u (thread %u offset 0x%x, R%d): %s 0x%08x, "
           "func 0x%08x\n",
           (unsigned long long)c->seed, (unsigned long long)index, i, slot, at,
           at >= FUZZ_DUMP ? (int)(FUZZ_DATA + (at - FUZZ_DUMP) / 4) : -1, c->machine.backend, got,
           want);
    fuzz_print(&c->program);
    return false;
  }
  return true;
}

static void count_outcome(campaign_t *c) {
  fuzz_counts_t *n = &c->counts;
  const fuzz_program_t *p = &c->program;
  n->programs++;
  n->gentle += p->gentle;
  n->comparable += p->comparable;
  n->instructions += c->got.result.instructions;
  n->cycles += c->got.result.cycles;
  n->ok += c->got.status == WL_OK;
  n->hangs += c->got.status == WL_ERR_HANG;
  n->gentle_hangs += c->got.status == WL_ERR_HANG && p->gentle;
  if (c->got.status == WL_ERR_TRAP) {
    n->gentle_traps += p->gentle;
    if (c->got.result.trap.cause < WL_NUM_TRAPS) n->traps[c->got.result.trap.cause]++;
  }
}

/* False: the machinery failed. */
static bool one(campaign_t *c, uint64_t index) {
  static const char *const disturb[] = {"none", "none", "light", "heavy"};
  const uint64_t data = fuzz_mix(c->seed ^ 0x5eed, index);
  if (index % GROUP == 0) {
    const uint64_t g = fuzz_mix(c->seed ^ 0x9c0de, index);
    fuzz_close(&c->machine);
    c->machine.disturb = disturb[g & 3];
    c->machine.seed = g >> 2;
  }
  fuzz_make(c->seed, index, c->max_threads, c->max_regs, c->row, &c->program);
  count_words(c);
  if (!fuzz_execute(&c->machine, &c->program, data, &c->got)) return false;
  count_outcome(c);
  if (bad(c->got.status)) {
    report(c, index, data);
    fuzz_close(&c->machine);
  } else if (c->got.status == WL_ERR_HANG) {
    if (c->program.gentle) printf("program %llu: no end\n", (unsigned long long)index);
    fuzz_close(&c->machine);
  } else if (c->got.status == WL_OK && c->program.comparable && c->func.backend != NULL) {
    if (!compare_func(c, index, data)) {
      c->failures++;
      fuzz_close(&c->func);
    }
  }
  return true;
}

/* ---- state of a campaign: what it belongs to, the next program, the counts as they lie in memory */
typedef struct state {
  char backend[16], config[16];
  uint64_t seed, next, isa;
  fuzz_counts_t counts;
} state_t;

static state_t state_of(const campaign_t *c, uint64_t next) {
  state_t s;
  memset(&s, 0, sizeof s);
  (void)snprintf(s.backend, sizeof s.backend, "%s", c->machine.backend);
  (void)snprintf(s.config, sizeof s.config, "%s", c->machine.config);
  s.seed = c->seed;
  s.next = next;
  s.isa = wl_isa_hash();
  s.counts = c->counts;
  return s;
}

static uint64_t load_state(campaign_t *c, const char *path, uint64_t first) {
  state_t now = state_of(c, 0), old;
  FILE *f = fopen(path, "rb");
  const bool ok = f != NULL && fread(&old, 1, sizeof old, f) == sizeof old &&
                  memcmp(old.backend, now.backend, sizeof now.backend) == 0 &&
                  memcmp(old.config, now.config, sizeof now.config) == 0 && old.seed == now.seed &&
                  old.isa == now.isa;
  if (f != NULL) (void)fclose(f);
  if (!ok) return first;
  c->counts = old.counts;
  return old.next;
}

static void save_state(const campaign_t *c, const char *path, uint64_t next) {
  const state_t s = state_of(c, next);
  char temporary[4096];
  (void)snprintf(temporary, sizeof temporary, "%s.new", path);
  FILE *f = fopen(temporary, "wb");
  const bool ok = f != NULL && fwrite(&s, 1, sizeof s, f) == sizeof s;
  if (f != NULL && fclose(f) == 0 && ok) (void)rename(temporary, path);
}

/* Of the trap causes, those that an instruction can raise. */
static bool enough(const fuzz_counts_t *n) {
  bool ok = true;
  for (int i = 0; i < WL_NUM_FORMS; i++) {
    if (!wl_form_exists((uint32_t)i, WL_ANY_ROW) || n->executed[i] >= LEAST_FORM) continue;
    printf("too few: %s executed %llu times\n", wl_form_info[i].name,
           (unsigned long long)n->executed[i]);
    ok = false;
  }
  for (int i = 1; i < WL_NUM_TRAPS; i++) {
    if (n->traps[i] >= LEAST_TRAP) continue;
    printf("too few: %s raised %llu times\n", wl_trap_name[i], (unsigned long long)n->traps[i]);
    ok = false;
  }
  return ok;
}

static void print_counts(const fuzz_counts_t *n) {
  printf(
      "%llu programs (%llu gentle: %llu trapped, %llu hung; %llu compared with func), %llu ended, "
      "%llu hung; %llu warp instructions, %llu cycles; %llu words, %llu illegal\n",
      (unsigned long long)n->programs, (unsigned long long)n->gentle,
      (unsigned long long)n->gentle_traps, (unsigned long long)n->gentle_hangs,
      (unsigned long long)n->compared, (unsigned long long)n->ok, (unsigned long long)n->hangs,
      (unsigned long long)n->instructions, (unsigned long long)n->cycles,
      (unsigned long long)n->words, (unsigned long long)n->illegal);
  printf("traps:");
  for (int i = 1; i < WL_NUM_TRAPS; i++) {
    printf(" %s %llu", wl_trap_name[i], (unsigned long long)n->traps[i]);
  }
  unsigned reached = 0, forms = 0;
  uint64_t least = UINT64_MAX;
  printf("\nform executed legal/illegal words:");
  for (int i = 0; i < WL_NUM_FORMS; i++) {
    if (!wl_form_exists((uint32_t)i, WL_ANY_ROW)) continue;
    forms++;
    reached += n->executed[i] >= 200;
    least = n->executed[i] < least ? n->executed[i] : least;
    printf("%s%s %llu %llu/%llu", i % 5 == 0 ? "\n  " : ", ", wl_form_info[i].name,
           (unsigned long long)n->executed[i], (unsigned long long)n->legal[i],
           (unsigned long long)n->changed[i]);
  }
  printf("\n%u of %u forms executed at least 200 times (least %llu)\n", reached, forms,
         (unsigned long long)least);
}

static void json_list(FILE *f, const char *name, const uint64_t *count, int from, int to,
                      const char *(*name_of)(int)) {
  const char *before = "";
  (void)fprintf(f, ",\n \"%s\": {", name);
  for (int i = from; i < to; i++) {
    if (name_of(i)[0] == '\0') continue; /* a form id that is a hole */
    (void)fprintf(f, "%s\"%s\": %llu", before, name_of(i), (unsigned long long)count[i]);
    before = ", ";
  }
  (void)fprintf(f, "}");
}

static const char *form_name(int i) { return wl_form_info[i].name; }
static const char *trap_name(int i) { return wl_trap_name[i]; }

static bool write_json(const campaign_t *c, const char *path) {
  const fuzz_counts_t *n = &c->counts;
  FILE *f = fopen(path, "w");
  if (f == NULL) return false;
  (void)fprintf(f,
                "{\"backend\": \"%s\", \"config\": \"%s\", \"seed\": %llu, \"programs\": %llu, "
                "\"gentle\": %llu,\n \"compared_with_func\": %llu, \"hangs\": %llu, "
                "\"instructions\": %llu, \"cycles\": %llu, \"words\": %llu,\n \"illegal\": %llu, "
                "\"failures\": %u, \"least_form\": %d, \"least_trap\": %d",
                c->machine.backend, c->machine.config, (unsigned long long)c->seed,
                (unsigned long long)n->programs, (unsigned long long)n->gentle,
                (unsigned long long)n->compared, (unsigned long long)n->hangs,
                (unsigned long long)n->instructions, (unsigned long long)n->cycles,
                (unsigned long long)n->words, (unsigned long long)n->illegal, c->failures,
                LEAST_FORM, LEAST_TRAP);
  json_list(f, "forms", n->executed, 0, WL_NUM_FORMS, form_name);
  json_list(f, "legal_words", n->legal, 0, WL_NUM_FORMS, form_name);
  json_list(f, "illegal_words", n->changed, 0, WL_NUM_FORMS, form_name);
  json_list(f, "traps", n->traps, 1, WL_NUM_TRAPS, trap_name);
  (void)fprintf(f, "}\n");
  return fclose(f) == 0;
}

int main(int argc, char **argv) {
  const char *json = NULL;
  if (argc > 7 && strcmp(argv[argc - 2], "--json") == 0) {
    json = argv[argc - 1];
    argc -= 2;
  }
  if (argc < 6) {
    printf("usage: insn_fuzz BACKEND CONFIG SEED COUNT SECONDS [FIRST [CYCLES [STATE]]] "
           "[--json FILE]\n");
    return 2;
  }
  campaign_t *c = calloc(1, sizeof *c);
  wl_device_info_t info;
  if (c == NULL || !wl_config_query(argv[2], &info)) return 2;
  c->seed = strtoull(argv[3], NULL, 0);
  const uint64_t count = strtoull(argv[4], NULL, 0);
  const double seconds = atof(argv[5]);
  const uint64_t first = argc > 6 ? strtoull(argv[6], NULL, 0) / GROUP * GROUP : 0;
  const char *state = argc > 8 ? argv[8] : NULL;
  c->max_threads = info.max_threads < 256 ? info.max_threads : 256;
  c->max_regs = info.max_regs;
  for (int i = 0; i < WL_NUM_CONFIGS; i++)
    c->row |= strcmp(wl_configs[i].name, argv[2]) == 0 ? wl_configs[i].row : 0;
  c->machine = (fuzz_session_t){.backend = argv[1],
                                .config = argv[2],
                                .disturb = "none",
                                .max_cycles = argc > 7 ? strtoull(argv[7], NULL, 0) : MAX_CYCLES,
                                .counts = &c->counts};
  c->func = (fuzz_session_t){.backend = strcmp(argv[1], "func") == 0 ? NULL : "func",
                             .config = argv[2],
                             .disturb = "none",
                             .max_cycles = 1000000};
  const time_t start = time(NULL);
  bool ok = true;
  uint64_t i = state != NULL ? load_state(c, state, first) : first;
  while (ok && i < first + count && c->failures < MAX_FAILURES &&
         difftime(time(NULL), start) < seconds) {
    ok = one(c, i++);
    if (state != NULL && ok && c->failures == 0 && i % GROUP == 0) save_state(c, state, i);
  }
  fuzz_close(&c->machine);
  fuzz_close(&c->func);
  print_counts(&c->counts);
  printf("%s %s seed %llu: %u failure%s\n", argv[1], argv[2], (unsigned long long)c->seed,
         c->failures, c->failures == 1 ? "" : "s");
  ok = ok && (state == NULL || enough(&c->counts));
  if (json != NULL && !write_json(c, json)) {
    printf("cannot write %s\n", json);
    ok = false;
  }
  const int rc = ok && c->failures == 0 ? 0 : 1;
  free(c);
  return rc;
}
