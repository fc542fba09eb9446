/* main.c: `warplock faults`: options, the choice of flips, and what is printed. docs/faults.md */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "driver/cli/cli.h"
#include "driver/faults/faults.h"
#include "driver/splitmix.h"

enum { EXIT_GOOD = 0, EXIT_MISSED = 1, EXIT_INPUT = 2, EXIT_UNSUPPORTED = 6, MAX_KERNELS = 16 };

typedef struct options {
  wl_fault_setup_t setup;
  const char *kernels, *mode, *only, *json, *glob, *config, *registers, *rows, *dir;
  uint64_t count, first, seed, run_seed, jobs;
  bool list, list_all, verbose, not_arrays, flip_flops;
} options_t;

static int fail(int code, const char *what, const char *why) {
  (void)fflush(stdout);
  (void)fprintf(stderr, "warplock faults: error: %s%s%s\n", what, why[0] != '\0' ? ": " : "", why);
  return code;
}

/* The values of the given options, by the table of commands.c. */
static int read_options(const cli_args_t *args, options_t *o) {
  const struct {
    const char *name, **text;
    uint64_t *number;
    bool *flag;
  } known[] = {{"--kernel", &o->kernels, NULL, NULL},
               {"--mode", &o->mode, NULL, NULL},
               {"--only", &o->only, NULL, NULL},
               {"--json", &o->json, NULL, NULL},
               {"--registers", &o->glob, NULL, NULL},
               {"--config", &o->config, NULL, NULL},
               {"--population", &o->registers, NULL, NULL},
               {"--rows", &o->rows, NULL, NULL},
               {"--kernel-dir", &o->dir, NULL, NULL},
               {"--ptx", &o->setup.variant, NULL, NULL},
               {"--disturb", &o->setup.disturb, NULL, NULL},
               {"--count", NULL, &o->count, NULL},
               {"--first", NULL, &o->first, NULL},
               {"--seed", NULL, &o->seed, NULL},
               {"--run-seed", NULL, &o->run_seed, NULL},
               {"--jobs", NULL, &o->jobs, NULL},
               {"--list", NULL, NULL, &o->list},
               {"--list-all", NULL, NULL, &o->list_all},
               {"--verbose", NULL, NULL, &o->verbose},
               {"--not-arrays", NULL, NULL, &o->not_arrays},
               {"--flip-flops", NULL, NULL, &o->flip_flops}};
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
    const char *text = cli_value(args, known[k].name);
    if (known[k].flag != NULL) *known[k].flag = cli_flag(args, known[k].name);
    if (known[k].text != NULL && text != NULL) *known[k].text = text;
    if (known[k].number != NULL && text != NULL && !cli_number(text, UINT64_MAX, known[k].number))
      return fail(EXIT_INPUT, known[k].name, "not a number");
  }
  return args->file_count == 0 ? EXIT_GOOD : fail(EXIT_INPUT, "no file is taken", args->files[0]);
}

static int parse(const cli_args_t *args, options_t *o) {
  *o = (options_t){.kernels = "reduction,warp_ops,barriers",
                   .mode = "journal",
                   .config = "tiny",
                   .registers = WL_FAULTS_REGISTERS,
                   .rows = WL_FAULTS_ROWS,
                   .dir = WL_FAULTS_KERNELS,
                   .seed = 1,
                   .run_seed = 1,
                   .jobs = 2};
  o->setup.variant = "nvcc";
  const int code = read_options(args, o);
  if (code != EXIT_GOOD) return code;
  if (strcmp(o->mode, "full") != 0 && strcmp(o->mode, "journal") != 0)
    return fail(EXIT_INPUT, "--mode journal or full", o->mode);
  if (strcmp(o->config, "tiny") != 0)
    return fail(EXIT_UNSUPPORTED, "only configuration tiny has a model for faults", o->config);
  if (o->jobs == 0 || o->jobs > 256) return fail(EXIT_INPUT, "--jobs 1 to 256", "");
  o->setup.full = strcmp(o->mode, "full") == 0;
  o->setup.dir = o->dir;
  o->setup.seed = o->run_seed;
  return EXIT_GOOD;
}

/* splitmix64 of seed, flip and what is drawn: a flip does not depend on how many there are. */
static uint64_t draw(uint64_t seed, uint64_t number, unsigned what) {
  uint64_t z = seed * UINT64_C(0xD1342543DE82EF95) + number * 4 + what;
  return wl_splitmix((z + WL_SPLITMIX_STEP) * UINT64_C(0xBF58476D1CE4E5B9));
}

/* One of the patterns of --registers, which commas separate. */
static bool named(const options_t *o, const char *name) {
  char pattern[160];
  for (const char *at = o->glob; at != NULL; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
    snprintf(pattern, sizeof pattern, "%.*s", (int)strcspn(at, ","), at);
    if (wl_fault_match(pattern, name)) return true;
  }
  return o->glob == NULL;
}

static bool eligible(const options_t *o, const wl_fault_register_t *r) {
  return (!o->not_arrays || r->entry->how != WL_HOW_PLACE) && (!o->flip_flops || !r->memory) &&
         named(o, r->name);
}

/* Uniform over the bits of the eligible registers: by rejection, so that numbers keep their flips.
 */
static bool choose(const options_t *o, const wl_population_t *p, uint64_t cycles, wl_flip_t *f) {
  f->cycle = draw(o->seed, f->number, 1) % cycles;
  uint64_t z = draw(o->seed, f->number, 0);
  for (unsigned i = 0; i < 10000000; i++) {
    f->reg = wl_population_at(p, z % p->bits, &f->bit);
    if (eligible(o, f->reg)) return true;
    z = draw(z, f->number, 2);
  }
  return false;
}

static bool choose_only(const options_t *o, const wl_population_t *p, wl_flip_t *f) {
  char name[160];
  unsigned long long bit, cycle;
  if (sscanf(o->only, "%159[^:]:%llu@%llu", name, &bit, &cycle) != 3) return false;
  f->reg = wl_population_find(p, name);
  f->bit = bit;
  f->cycle = cycle;
  return f->reg != NULL && wl_fault_bit_exists(f->reg, bit);
}

static int by_cycle(const void *a, const void *b) {
  const wl_flip_t *x = a, *y = b;
  return x->cycle != y->cycle ? (x->cycle < y->cycle ? -1 : 1) : x->number < y->number ? -1 : 1;
}

typedef struct campaign {
  const options_t *o;
  wl_population_t p;
  wl_flip_t *flips; /* shared memory */
  const char **kernel_of;
  char names[1024]; /* of the kernels, one after the other */
  uint64_t n, cycles;
} campaign_t;

static void tell(const campaign_t *c, const wl_flip_t *f, const char *kernel) {
  const bool bad = f->outcome == WL_OUT_MISSED || f->outcome == WL_OUT_BROKEN;
  if (!c->o->verbose && !bad) return;
  const char *by = f->outcome != WL_OUT_REPORTED ? ""
                   : f->by_state >= 0            ? wl_state_info[f->by_state].name
                                                 : "done";
  printf("%-8s %s:%llu@%llu (%s) +%llu %s%s%s\n", wl_outcome_name[f->outcome], f->reg->name,
         (unsigned long long)f->bit, (unsigned long long)f->cycle, f->reg->entry->row,
         (unsigned long long)f->distance, by,
         f->at_end ? f->second ? " at the second end" : " at the end" : "", f->where);
  if (bad)
    printf("  again: warplock faults --kernel %s --ptx %s --mode %s --run-seed %llu%s%s --only "
           "'%s:%llu@%llu'\n",
           kernel, c->o->setup.variant, c->o->mode, (unsigned long long)c->o->run_seed,
           c->o->setup.disturb != NULL ? " --disturb " : "",
           c->o->setup.disturb != NULL ? c->o->setup.disturb : "", f->reg->name,
           (unsigned long long)f->bit, (unsigned long long)f->cycle);
}

/* The launch has ended in the clean run: what rows.txt calls undefined then is so. */
static bool has_ended(const wl_population_t *p, const wl_fault_trace_t *t) {
  static const char *const zero[] = {"cta_valid_q", "warp_valid_q"};
  unsigned found = 0;
  for (unsigned i = 0; i < p->regs; i++)
    for (unsigned k = 0; k < 2; k++)
      if (wl_fault_match(zero[k], p->reg[i].name)) {
        found++;
        if (wl_clean_byte_at_end(t, &p->reg[i]) != 0) return false;
      }
  return found >= 2;
}

static int kernel(campaign_t *c, const char *name, wl_flip_t *flips, uint64_t n) {
  wl_fault_run_t *run = calloc(1, sizeof *run);
  wl_fault_setup_t setup = c->o->setup;
  wl_fault_trace_t *trace = NULL;
  setup.kernel = name;
  int code = EXIT_GOOD;
  if (run == NULL) return fail(70, "out of memory", "");
  if (!wl_fault_open(run, &setup))
    code = fail(EXIT_INPUT, name, run->error);
  else if (!wl_population_bind(&c->p, run->side))
    code = fail(EXIT_INPUT, c->p.error, "");
  else if ((trace = wl_clean_new(&c->p)) == NULL)
    code = fail(70, "out of memory", "");
  else if (!wl_campaign_trace(run, trace))
    code = fail(EXIT_INPUT, name, "no clean run");
  else if (!has_ended(&c->p, trace))
    code = fail(70, name, "the clean run left a CTA");
  for (uint64_t i = 0; code == EXIT_GOOD && i < n; i++)
    if (!(c->o->only != NULL ? choose_only(c->o, &c->p, &flips[i])
                             : choose(c->o, &c->p, wl_clean_cycles(trace), &flips[i])) ||
        flips[i].cycle >= wl_clean_cycles(trace))
      code =
          fail(EXIT_INPUT, c->o->only != NULL ? c->o->only : "--registers", "no such bit or cycle");
  if (code == EXIT_GOOD) {
    c->cycles += wl_clean_cycles(trace);
    printf("%s: %llu cycles, %llu flips\n", name, (unsigned long long)wl_clean_cycles(trace),
           (unsigned long long)n);
    qsort(flips, n, sizeof *flips, by_cycle);
    if (!wl_campaign_run(run, trace, flips, (unsigned)n, (unsigned)c->o->jobs))
      code = fail(70, name, "the campaign broke off");
    for (uint64_t i = 0; i < n; i++)
      tell(c, &flips[i], name);
  }
  wl_clean_delete(trace);
  wl_fault_close(run);
  free(run);
  return code;
}

static int all_kernels(campaign_t *c) {
  char *save = NULL;
  const char *list[MAX_KERNELS];
  unsigned kernels = 0;
  snprintf(c->names, sizeof c->names, "%s", c->o->kernels);
  for (char *t = strtok_r(c->names, ",", &save); t != NULL && kernels < MAX_KERNELS;
       t = strtok_r(NULL, ",", &save))
    list[kernels++] = t;
  if (kernels == 0) return fail(EXIT_INPUT, "--kernel", "none");
  int code = EXIT_GOOD;
  uint64_t at = 0;
  for (unsigned k = 0; k < kernels && code == EXIT_GOOD; k++) {
    const uint64_t from = at;
    for (uint64_t i = 0; i < c->n; i++) /* flip i belongs to kernel i modulo their number */
      if ((c->o->first + i) % kernels == k || (c->o->only != NULL && k == 0))
        c->flips[at++].number = c->o->first + i;
    if (at == from) continue;
    code = kernel(c, list[k], &c->flips[from], at - from);
    for (uint64_t i = from; i < at; i++)
      c->kernel_of[i] = list[k];
  }
  return code;
}

static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int verdict(const campaign_t *c, double seconds) {
  const options_t *o = c->o;
  const wl_fault_sum_t sum = {o->kernels, o->mode, o->seed, o->first, c->cycles, c->n, seconds};
  uint64_t bad = 0;
  for (uint64_t i = 0; i < c->n; i++)
    bad += c->flips[i].outcome >= WL_OUT_MISSED && c->flips[i].reg->entry->how != WL_HOW_NONE;
  wl_fault_table(c->flips, c->n, stdout);
  printf("%llu flips of %llu bits, mode %s, seed %llu from %llu, %.1f s: %llu missed in compared "
         "rows\n",
         (unsigned long long)c->n, (unsigned long long)c->p.bits, o->mode,
         (unsigned long long)o->seed, (unsigned long long)o->first, seconds,
         (unsigned long long)bad);
  if (o->json != NULL && !wl_fault_json(c->flips, c->kernel_of, c->n, &sum, &c->p, o->json))
    return fail(70, "cannot write", o->json);
  return bad != 0 ? EXIT_MISSED : EXIT_GOOD;
}

static int campaign(const cli_args_t *args) {
  options_t o;
  campaign_t c = {.o = &o};
  int code = parse(args, &o);
  if (code != EXIT_GOOD) return code;
  if (!wl_population_read(&c.p, o.registers, o.rows)) return fail(EXIT_INPUT, c.p.error, "");
  if (o.list || o.list_all) {
    const bool small = wl_population_print(&c.p, o.list_all, stdout);
    return small ? EXIT_GOOD : fail(EXIT_MISSED, "more than 5 % of the bits are not compared", "");
  }
  c.n = o.only != NULL ? 1 : o.count;
  if (c.n == 0 || c.n > 100000000) return fail(EXIT_INPUT, "--count N or --only is needed", "");
  c.flips =
      mmap(NULL, c.n * sizeof *c.flips, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  c.kernel_of = calloc(c.n, sizeof *c.kernel_of);
  if (c.flips == MAP_FAILED || c.kernel_of == NULL) return fail(70, "out of memory", "");
  const double start = now();
  code = all_kernels(&c);
  if (code == EXIT_GOOD) code = verdict(&c, now() - start);
  wl_population_free(&c.p);
  free(c.kernel_of);
  return code;
}

int main(int argc, char **argv) {
  cli_args_t args;
  bool done = false;
  int code = cli_parse(&cli_faults, argc - 1, argv + 1, &args, &done);
  if (code == EXIT_GOOD && !done) code = campaign(&args);
  cli_args_free(&args);
  return code;
}
