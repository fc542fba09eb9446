/* bench_goals.c: goals of the bench (docs/bench.md) and what was measured of them. */
#include <string.h>

#include "driver/cli/bench_report.h"

/* What the project wants to reach (docs/bench.md). RATIO: of times by the clock, CPU_RATIO: of processor
 * time; BUSY: part of the cycles in which the tensor unit works; OF_SGEMM: cycles per second over those
 * of sgemm; PRODUCTS: engine of products in tensor memory, from its first step to its last. */
typedef struct goal {
  const char *text, *config, *kernel; /* kernel: how its name begins */
  wl_bench_backend_t backend;
  enum { CYCLES, INSTRUCTIONS, RATIO, CPU_RATIO, BUSY, OF_SGEMM, PRODUCTS } what;
  double value;
  wl_bench_umma_t size; /* PRODUCTS */
} goal_t;
static const goal_t goals[] = {
    {"base RTL, cycles/s", "base", "sgemm", WL_BENCH_RTL, CYCLES, 150e3, {0}},
    {"base RTL, warp instructions/s", "base", "sgemm", WL_BENCH_RTL, INSTRUCTIONS, 75e3, {0}},
    {"tiny RTL, cycles/s", "tiny", "sgemm", WL_BENCH_RTL, CYCLES, 500e3, {0}},
    {"base model, cycles/s", "base", "sgemm", WL_BENCH_MODEL, CYCLES, 2e6, {0}},
    {"tiny lockstep, 2 threads / RTL", "tiny", "sgemm", WL_BENCH_THREADS, RATIO, 1.2, {0}},
    {"base lockstep, 2 threads / RTL", "base", "sgemm", WL_BENCH_THREADS, RATIO, 1.2, {0}},
    {"full lockstep, 2 threads / RTL", "full", "sgemm", WL_BENCH_THREADS, RATIO, 1.2, {0}},
    {"base, mma loop, unit busy", "base", "mma loop", WL_BENCH_MODEL, BUSY, 0.9, {0}},
    {"base, mma_tile, unit busy", "base", "mma_tile", WL_BENCH_MODEL, BUSY, 0.75, {0}},
    {"base RTL, mma loop / sgemm", "base", "mma loop", WL_BENCH_RTL, OF_SGEMM, 80.0 / 140, {0}},
    {"base RTL, umma loop / sgemm", "base", "umma loop", WL_BENCH_RTL, OF_SGEMM, 80.0 / 140, {0}},
    {"base lockstep / RTL, umma loop", "base", "umma loop", WL_BENCH_JOURNAL, CPU_RATIO, 1.25, {0}},
    {"base, m128n128 copied, engine busy",
     "base",
     "",
     WL_BENCH_MODEL,
     PRODUCTS,
     0.9,
     {128, 128, 1024, true}},
    {"full, m128n128 kept, engine busy",
     "full",
     "",
     WL_BENCH_MODEL,
     PRODUCTS,
     0.9,
     {128, 128, 1024, false}},
    {"full, m128n256 copied, engine busy",
     "full",
     "",
     WL_BENCH_MODEL,
     PRODUCTS,
     0.9,
     {128, 256, 1024, true}},
};

/* Row of a configuration's kernel, NULL where it was not measured. */
static const wl_bench_figure_t *find_figure(const cli_bench_report_t *r, const goal_t *g,
                                            const char *kernel, wl_bench_backend_t backend) {
  for (unsigned i = 0; i < r->rows; i++) {
    const cli_bench_row_t *row = &r->row[i];
    if (strcmp(row->config, g->config) == 0 && row->backend == backend &&
        strncmp(row->kernel, kernel, strlen(kernel)) == 0 && row->figure.measured) {
      return &row->figure;
    }
  }
  return NULL;
}

/* To be no greater than the goal. */
static bool is_ratio(const goal_t *g) { return g->what == RATIO || g->what == CPU_RATIO; }

/* The figure a goal speaks of; false where it was not measured. A ratio needs the bare RTL. */
static bool goal_value(const cli_bench_report_t *r, const goal_t *g, double *out) {
  if (g->what == PRODUCTS) {
    *out = cli_products_busy(&r->products, g->config, &g->size);
    return *out != 0;
  }
  const wl_bench_figure_t *f = find_figure(r, g, g->kernel, g->backend);
  const bool compares = is_ratio(g) || g->what == OF_SGEMM;
  const wl_bench_figure_t *other =
      compares ? find_figure(r, g, is_ratio(g) ? g->kernel : "sgemm", WL_BENCH_RTL) : f;
  if (f == NULL || other == NULL) {
    return false;
  }
  *out = g->what == CYCLES         ? cli_bench_per_second(f->cycles, f)
         : g->what == INSTRUCTIONS ? cli_bench_per_second(f->instructions, f)
         : g->what == RATIO        ? f->wall_ratio
         : g->what == CPU_RATIO    ? f->ratio
         : g->what == BUSY
             ? f->busy
             : cli_bench_per_second(f->cycles, f) / cli_bench_per_second(other->cycles, other);
  return true;
}

static const char *goal_verdict(const goal_t *g, double value) {
  return (is_ratio(g) ? value <= g->value : value >= g->value) ? "reached" : "missed";
}

void cli_bench_print_goals(const cli_bench_report_t *r) {
  printf("\nagainst the goals of docs/bench.md:\n");
  for (size_t i = 0; i < sizeof goals / sizeof goals[0]; i++) {
    const int digits = goals[i].value < 10 ? 3 : 0;
    double value = 0;
    if (goal_value(r, &goals[i], &value)) {
      printf("  %-32s %12.*f, goal %s %-8.*f %s\n", goals[i].text, digits, value,
             is_ratio(&goals[i]) ? "<=" : ">=", digits, goals[i].value,
             goal_verdict(&goals[i], value));
    } else {
      printf("  %-32s not measured\n", goals[i].text);
    }
  }
}

void cli_bench_json_goals(const cli_bench_report_t *r, FILE *file) {
  const size_t count = sizeof goals / sizeof goals[0];
  for (size_t i = 0; i < count; i++) {
    double value = 0;
    const bool there = goal_value(r, &goals[i], &value);
    (void)fprintf(
        file, "    {\"goal\": \"%s\", \"wanted\": %g, \"value\": %.4g, \"verdict\": \"%s\"}%s\n",
        goals[i].text, goals[i].value, value,
        there ? goal_verdict(&goals[i], value) : "not measured", i + 1 == count ? "" : ",");
  }
}
