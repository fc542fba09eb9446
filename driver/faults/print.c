/* print.c: what became of the flips, by row of state.def: table and JSON. */
#include <stdlib.h>
#include <string.h>

#include "driver/faults/faults.h"

enum { MAX_ROWS = 80, BINS = 5 };
static const uint64_t bin_limit[BINS] = {4, 64, 1024, 4096, UINT64_MAX};
static const char *const bin_name[BINS] = {"<=4", "<=64", "<=1024", "<=4096", "more"};

typedef struct row {
  const char *name, *how;
  uint64_t flips, same, bin[BINS], at_end, max, count[WL_NUM_OUTCOMES];
} row_t;

static row_t *row_of(row_t *rows, unsigned *n, const char *name, const char *how) {
  for (unsigned i = 0; i < *n; i++)
    if (strcmp(rows[i].name, name) == 0 && strcmp(rows[i].how, how) == 0) return &rows[i];
  if (*n == MAX_ROWS) return &rows[MAX_ROWS - 1];
  rows[*n].name = name;
  rows[*n].how = how;
  return &rows[(*n)++];
}

static void count(row_t *row, const wl_flip_t *f) {
  row->flips++;
  row->count[f->outcome]++;
  if (f->outcome != WL_OUT_REPORTED) return;
  if (f->at_end) {
    row->at_end++;
  } else if (f->distance == 0) {
    row->same++;
  } else {
    unsigned b = 0;
    while (f->distance > bin_limit[b])
      b++;
    row->bin[b]++;
  }
  if (!f->at_end && f->distance > row->max) row->max = f->distance;
}

static unsigned summarise(const wl_flip_t *flips, uint64_t n, row_t *rows, row_t *all) {
  unsigned used = 0;
  for (unsigned how = 0; how < WL_NUM_HOWS; how++)
    for (int i = 0; wl_state_info[i].name != NULL; i++)
      (void)row_of(rows, &used, wl_state_info[i].name, wl_fault_how_name[how]);
  for (uint64_t i = 0; i < n; i++) {
    const wl_fault_entry_t *e = flips[i].reg->entry;
    count(row_of(rows, &used, e->row, wl_fault_how_name[e->how]), &flips[i]);
    count(all, &flips[i]);
  }
  return used;
}

static void line(const row_t *r, FILE *out) {
  fprintf(out, "%-8s %-6s %7llu |%7llu", r->name, r->how, (unsigned long long)r->flips,
          (unsigned long long)r->same);
  for (unsigned b = 0; b < BINS; b++)
    fprintf(out, " %6llu", (unsigned long long)r->bin[b]);
  fprintf(out, " %6llu %6llu |%7llu %7llu %7llu %6llu\n", (unsigned long long)r->at_end,
          (unsigned long long)r->max, (unsigned long long)r->count[WL_OUT_DEAD],
          (unsigned long long)r->count[WL_OUT_LATENT], (unsigned long long)r->count[WL_OUT_MISSED],
          (unsigned long long)r->count[WL_OUT_BROKEN]);
}

void wl_fault_table(const wl_flip_t *flips, uint64_t n, FILE *out) {
  row_t rows[MAX_ROWS] = {{0}}, all = {.name = "all", .how = ""};
  const unsigned used = summarise(flips, n, rows, &all);
  fprintf(out, "%24s | reported after cycles\n%-8s %-6s %7s |%7s", "", "row", "how", "flips",
          "same");
  for (unsigned b = 0; b < BINS; b++)
    fprintf(out, " %6s", bin_name[b]);
  fprintf(out, " %6s %6s |%7s %7s %7s %6s\n", "end", "max", "dead", "latent", "missed", "broken");
  for (unsigned i = 0; i < used; i++)
    if (rows[i].flips != 0) line(&rows[i], out);
  line(&all, out);
}

static void json_row(const row_t *r, FILE *f, bool last) {
  fprintf(
      f,
      "    {\"row\": \"%s\", \"how\": \"%s\", \"flips\": %llu, \"same_cycle\": %llu, \"later\": {",
      r->name, r->how, (unsigned long long)r->flips, (unsigned long long)r->same);
  for (unsigned b = 0; b < BINS; b++)
    fprintf(f, "%s\"%s\": %llu", b != 0 ? ", " : "", bin_name[b], (unsigned long long)r->bin[b]);
  fprintf(f, "}, \"end\": %llu, \"max\": %llu", (unsigned long long)r->at_end,
          (unsigned long long)r->max);
  for (unsigned o = WL_OUT_DEAD; o < WL_NUM_OUTCOMES; o++)
    fprintf(f, ", \"%s\": %llu", wl_outcome_name[o], (unsigned long long)r->count[o]);
  fprintf(f, "}%s\n", last ? "" : ",");
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* How often each register and memory was hit: with its number in the population, what is covered. */
static void json_registers(const wl_flip_t *flips, uint64_t n, unsigned all, FILE *f) {
  const char **names = calloc(n + 1, sizeof *names);
  fprintf(f, "  \"population_registers\": %u,\n  \"registers\": {", all);
  for (uint64_t i = 0; names != NULL && i < n; i++)
    names[i] = flips[i].reg->name;
  if (names != NULL) qsort(names, n, sizeof *names, by_name);
  for (uint64_t i = 0, next; names != NULL && i < n; i = next) {
    for (next = i + 1; next < n && strcmp(names[next], names[i]) == 0; next++)
      continue;
    fprintf(f, "%s\"%s\": %llu", i != 0 ? ", " : "", names[i], (unsigned long long)(next - i));
  }
  fprintf(f, "},\n");
  free(names);
}

bool wl_fault_json(const wl_flip_t *flips, const char *const *kernel_of, uint64_t n,
                   const wl_fault_sum_t *sum, const wl_population_t *p, const char *path) {
  row_t rows[MAX_ROWS] = {{0}}, all = {.name = "all", .how = ""};
  FILE *f = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
  if (f == NULL) return false;
  const unsigned used = summarise(flips, n, rows, &all);
  fprintf(f,
          "{\n  \"config\": \"tiny\",\n  \"kernels\": \"%s\",\n  \"mode\": \"%s\",\n"
          "  \"seed\": %llu,\n  \"first\": %llu,\n  \"flips\": %llu,\n"
          "  \"population_bits\": %llu,\n  \"cycles\": %llu,\n  \"seconds\": %.1f,\n"
          "  \"rows\": [\n",
          sum->kernels, sum->mode, (unsigned long long)sum->seed, (unsigned long long)sum->first,
          (unsigned long long)n, (unsigned long long)p->bits, (unsigned long long)sum->cycles,
          sum->seconds);
  for (unsigned i = 0; i < used; i++)
    if (rows[i].flips != 0) json_row(&rows[i], f, false);
  json_row(&all, f, true);
  fprintf(f, "  ],\n");
  json_registers(flips, n, p->regs, f);
  fprintf(f, "  \"missed\": [\n");
  bool first = true;
  for (uint64_t i = 0; i < n; i++) {
    const wl_flip_t *x = &flips[i];
    if (x->outcome != WL_OUT_MISSED && x->outcome != WL_OUT_BROKEN) continue;
    fprintf(f,
            "%s    {\"number\": %llu, \"kernel\": \"%s\", \"register\": \"%s\", \"bit\": %llu, "
            "\"cycle\": %llu, \"outcome\": \"%s\", \"left\": \"%s\"}",
            first ? "" : ",\n", (unsigned long long)x->number, kernel_of[i], x->reg->name,
            (unsigned long long)x->bit, (unsigned long long)x->cycle, wl_outcome_name[x->outcome],
            x->where);
    first = false;
  }
  fprintf(f, "%s  ]\n}\n", first ? "" : "\n");
  return f == stdout ? fflush(f) == 0 : fclose(f) == 0;
}
