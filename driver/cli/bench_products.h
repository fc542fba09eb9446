/* bench_products.h: the part of `warplock bench` about cycles of products in tensor memory. docs/bench.md */
#ifndef WL_DRIVER_CLI_BENCH_PRODUCTS_H
#define WL_DRIVER_CLI_BENCH_PRODUCTS_H
#include <stdio.h>

#include "driver/bench/bench.h"

enum { CLI_MOST_PRODUCTS = 96 };

typedef struct cli_products_row {
  const char *config;
  wl_bench_umma_t size;
  wl_bench_seen_t seen;
} cli_products_row_t;

typedef struct cli_products {
  cli_products_row_t row[CLI_MOST_PRODUCTS];
  unsigned rows;
} cli_products_t;

/* Counts all sizes of a configuration and prints them; false with a sentence in err. */
bool cli_products_measure(cli_products_t *p, const wl_bench_options_t *options, char *err,
                          size_t cap);
/* Part of the cycles from the first step to the last in which a step is done; 0: not measured. */
double cli_products_busy(const cli_products_t *p, const char *config, const wl_bench_umma_t *size);
/* A list of objects. */
void cli_products_json(const cli_products_t *p, FILE *file);

#endif
