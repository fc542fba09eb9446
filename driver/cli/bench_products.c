/* bench_products.c: see bench_products.h. Cycles are the model's: they are the same at every time. */
#include "driver/cli/bench_products.h"

#include <string.h>

static double part(uint64_t of, uint64_t all) { return all != 0 ? (double)of / (double)all : 0; }

static const char *operands(const wl_bench_umma_t *size) {
  return size->copied ? "copied" : "kept";
}

static void print_heading(void) {
  printf(
      "\nproducts in tensor memory (umma_loop, kind f16), the second half of K: cycles; of these those "
      "without a step, by cause (docs/views.md)\n%-5s %-15s %-8s %7s %6s %6s %9s %7s %7s %7s %8s %9s\n",
      "", "", "operands", "cycles", "busy %", "idle %", "mults/cyc", "shared", "turn, D", "no cmd",
      "requests", "port wait");
}

/* idle: of the steps; mults: multiplications a cycle. */
static void print_row(const cli_products_row_t *row) {
  const wl_bench_umma_t *z = &row->size;
  const wl_bench_seen_t *s = &row->seen;
  char size[32];
  (void)snprintf(size, sizeof size, "m%un%uk%u", z->m, z->n, z->k);
  printf("%-5s %-15s %-8s %7llu %6.1f %6.1f %9.1f %7llu %7llu %7llu %8llu %9llu\n", row->config,
         size, operands(z), (unsigned long long)s->span, 100 * part(s->steps, s->span),
         100 * part(s->idle, s->steps), part((uint64_t)z->m * z->n * z->k / 2, s->span),
         (unsigned long long)s->shared, (unsigned long long)(s->turn + s->end),
         (unsigned long long)s->no_command, (unsigned long long)s->requests,
         (unsigned long long)s->port_waits);
  (void)fflush(stdout);
}

/* A launch with K and one with half of it: what is between them has neither beginning nor end. */
static bool count(const wl_bench_options_t *options, const wl_bench_umma_t *size,
                  wl_bench_seen_t *seen, char *err, size_t cap) {
  enum { WORDS = sizeof *seen / sizeof(uint64_t) };
  uint64_t words[2][WORDS];
  wl_bench_umma_t part = *size;
  bool good = true;
  for (unsigned i = 0; i < 2 && good; i++, part.k = size->k / 2) {
    wl_bench_case_t c;
    (void)snprintf(err, cap, "out of memory");
    good = wl_bench_umma_case(&part, options->config, &c) &&
           wl_bench_count(options, &c, seen, err, cap);
    wl_bench_case_free(&c);
    memcpy(words[i], seen, sizeof words[i]);
  }
  for (unsigned i = 0; i < WORDS && good; i++) {
    words[0][i] -= words[0][i] > words[1][i] ? words[1][i] : words[0][i];
  }
  memcpy(seen, words[0], sizeof *seen);
  return good;
}

bool cli_products_measure(cli_products_t *p, const wl_bench_options_t *options, char *err,
                          size_t cap) {
  wl_bench_umma_t size;
  bool good = true;
  for (unsigned i = 0; good && wl_bench_umma_size(i, options->config, &size); i++) {
    cli_products_row_t row = {options->config, size, {0}};
    good = count(options, &size, &row.seen, err, cap);
    if (!good || p->rows == CLI_MOST_PRODUCTS) {
      continue;
    }
    if (i == 0) {
      print_heading();
    }
    print_row(&row);
    p->row[p->rows++] = row;
  }
  return good;
}

double cli_products_busy(const cli_products_t *p, const char *config, const wl_bench_umma_t *size) {
  for (unsigned i = 0; i < p->rows; i++) {
    const cli_products_row_t *row = &p->row[i];
    if (strcmp(row->config, config) == 0 && row->size.m == size->m && row->size.n == size->n &&
        row->size.copied == size->copied) {
      return part(row->seen.steps, row->seen.span);
    }
  }
  return 0;
}

void cli_products_json(const cli_products_t *p, FILE *file) {
  for (unsigned i = 0; i < p->rows; i++) {
    const cli_products_row_t *row = &p->row[i];
    const wl_bench_umma_t *z = &row->size;
    const wl_bench_seen_t *s = &row->seen;
    (void)fprintf(file,
                  "    {\"config\": \"%s\", \"m\": %u, \"n\": %u, \"k\": %u, \"operands\": \"%s\", "
                  "\"cycles\": %llu, \"steps\": %llu, \"idle_steps\": %llu, \"shared\": %llu, "
                  "\"turn\": %llu, \"pipes\": %llu, \"end\": %llu, \"commits\": %llu, "
                  "\"no_command\": %llu, \"requests\": %llu, \"port_waits\": %llu}%s\n",
                  row->config, z->m, z->n, z->k, operands(z), (unsigned long long)s->span,
                  (unsigned long long)s->steps, (unsigned long long)s->idle,
                  (unsigned long long)s->shared, (unsigned long long)s->turn,
                  (unsigned long long)s->pipes, (unsigned long long)s->end,
                  (unsigned long long)s->commits, (unsigned long long)s->no_command,
                  (unsigned long long)s->requests, (unsigned long long)s->port_waits,
                  i + 1 == p->rows ? "" : ",");
  }
}
