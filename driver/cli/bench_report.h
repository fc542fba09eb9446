/* bench_report.h: what `warplock bench` has measured, and the goals. docs/bench.md */
#ifndef WL_DRIVER_CLI_BENCH_REPORT_H
#define WL_DRIVER_CLI_BENCH_REPORT_H
#include "driver/bench/bench.h"
#include "driver/cli/bench_products.h"

enum { CLI_BENCH_MOST_ROWS = 3 * WL_NUM_BENCH_CASES * WL_NUM_BENCH_BACKENDS };

typedef struct cli_bench_row {
  const char *config, *kernel;
  wl_bench_backend_t backend;
  wl_bench_figure_t figure;
} cli_bench_row_t;

typedef struct cli_bench_report {
  cli_bench_row_t row[CLI_BENCH_MOST_ROWS];
  unsigned rows;
  cli_products_t products;
  unsigned rounds, full_rounds;
  char machine[200];
  long processors;
} cli_bench_report_t;

double cli_bench_per_second(uint64_t count, const wl_bench_figure_t *f);
/* bench_goals.c: what was reached; a list of objects. */
void cli_bench_print_goals(const cli_bench_report_t *r);
void cli_bench_json_goals(const cli_bench_report_t *r, FILE *file);

#endif
