/* cmd_bench.c: warplock bench: measures, prints the table, writes JSON. docs/bench.md */
#include <stdlib.h>
#include <string.h>

#include "driver/bench/bench.h"
#include "driver/cli/cli.h"

enum { MAX_ROWS = 3 * WL_NUM_BENCH_CASES * WL_NUM_BENCH_BACKENDS };

typedef struct row {
  const char *config, *kernel;
  wl_bench_backend_t backend;
  wl_bench_figure_t figure;
} row_t;

typedef struct report {
  row_t row[MAX_ROWS];
  unsigned rows;
  unsigned rounds, full_rounds;
  char machine[200];
  long processors;
} report_t;

/* What the project wants to reach (docs/bench.md). RATIO: of times by the clock; BUSY: part of the
 * cycles in which the tensor unit works; OF_SGEMM: cycles per second over those of sgemm. */
typedef struct goal {
  const char *text, *config, *kernel; /* kernel: how its name begins */
  wl_bench_backend_t backend;
  enum { CYCLES, INSTRUCTIONS, RATIO, BUSY, OF_SGEMM } what;
  double value;
} goal_t;
static const goal_t goals[] = {
    {"base RTL, cycles/s", "base", "sgemm", WL_BENCH_RTL, CYCLES, 150e3},
    {"base RTL, warp instructions/s", "base", "sgemm", WL_BENCH_RTL, INSTRUCTIONS, 75e3},
    {"tiny RTL, cycles/s", "tiny", "sgemm", WL_BENCH_RTL, CYCLES, 500e3},
    {"base model, cycles/s", "base", "sgemm", WL_BENCH_MODEL, CYCLES, 2e6},
    {"tiny lockstep, 2 threads / RTL", "tiny", "sgemm", WL_BENCH_THREADS, RATIO, 1.2},
    {"base lockstep, 2 threads / RTL", "base", "sgemm", WL_BENCH_THREADS, RATIO, 1.2},
    {"full lockstep, 2 threads / RTL", "full", "sgemm", WL_BENCH_THREADS, RATIO, 1.2},
    {"base, mma loop, unit busy", "base", "mma loop", WL_BENCH_MODEL, BUSY, 0.9},
    {"base, mma_tile, unit busy", "base", "mma_tile", WL_BENCH_MODEL, BUSY, 0.75},
    {"base RTL, mma loop / sgemm", "base", "mma loop", WL_BENCH_RTL, OF_SGEMM, 80.0 / 140},
};

static double per_second(uint64_t count, const wl_bench_figure_t *f) {
  return f->cpu > 0 ? (double)count / f->cpu : 0;
}

static double ipc(const wl_bench_figure_t *f) {
  return f->cycles != 0 ? (double)f->instructions / (double)f->cycles : 0;
}

static void find_machine(report_t *r) {
  char line[256];
  FILE *file = fopen("/proc/cpuinfo", "r");
  (void)snprintf(r->machine, sizeof r->machine, "unknown processor");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    char *colon = strchr(line, ':');
    line[strcspn(line, "\n")] = 0;
    if (colon != NULL && strncmp(line, "model name", 10) == 0) {
      (void)snprintf(r->machine, sizeof r->machine, "%s", colon + 2);
    }
    r->processors += strncmp(line, "processor", 9) == 0;
  }
  if (file != NULL) {
    (void)fclose(file);
  }
}

static void print_heading(const report_t *r) {
  printf("machine   %s, %ld processors\ncompiler  %s, %s\nVerilator %s\n", r->machine,
         r->processors, wl_bench_compiler, wl_bench_flags, wl_bench_verilator);
  printf("median of %u rounds (lockstep full %u), processor time; x: time over that of the first "
         "backend, clock: by the clock; mma %%: cycles in which the tensor units work\n",
         r->rounds, r->full_rounds);
  printf("%-5s %-22s %-21s %8s %9s %5s %9s %9s %9s %7s %7s %5s\n", "", "", "", "CPU ms", "cycles",
         "IPC", "kcycles/s", "kwinsn/s", "Mtinsn/s", "x", "clock", "mma %");
}

static void print_row(const row_t *row) {
  const wl_bench_figure_t *f = &row->figure;
  printf("%-5s %-22s %-21s ", row->config, row->kernel, wl_bench_backend_name[row->backend]);
  if (!f->measured) {
    printf("not measured: %s\n", f->absent);
    return;
  }
  printf("%8.1f %9llu %5.2f %9.1f %9.1f %9.2f %7.3f %7.3f", f->cpu * 1e3,
         (unsigned long long)f->cycles, ipc(f), per_second(f->cycles, f) / 1e3,
         per_second(f->instructions, f) / 1e3, per_second(f->thread_instructions, f) / 1e6,
         f->ratio, f->wall_ratio);
  if (f->busy != 0) {
    printf(" %5.1f", f->busy * 100);
  }
  printf("\n");
  (void)fflush(stdout);
}

/* Row of a configuration's kernel, NULL where it was not measured. */
static const wl_bench_figure_t *find_figure(const report_t *r, const goal_t *g, const char *kernel,
                                            wl_bench_backend_t backend) {
  for (unsigned i = 0; i < r->rows; i++) {
    const row_t *row = &r->row[i];
    if (strcmp(row->config, g->config) == 0 && row->backend == backend &&
        strncmp(row->kernel, kernel, strlen(kernel)) == 0 && row->figure.measured) {
      return &row->figure;
    }
  }
  return NULL;
}

/* The figure a goal speaks of; false where it was not measured. A ratio needs the bare RTL. */
static bool goal_value(const report_t *r, const goal_t *g, double *out) {
  const wl_bench_figure_t *f = find_figure(r, g, g->kernel, g->backend);
  const bool compares = g->what == RATIO || g->what == OF_SGEMM;
  const wl_bench_figure_t *other =
      compares ? find_figure(r, g, g->what == RATIO ? g->kernel : "sgemm", WL_BENCH_RTL) : f;
  if (f == NULL || other == NULL) {
    return false;
  }
  *out = g->what == CYCLES         ? per_second(f->cycles, f)
         : g->what == INSTRUCTIONS ? per_second(f->instructions, f)
         : g->what == RATIO        ? f->wall_ratio
         : g->what == BUSY         ? f->busy
                                   : per_second(f->cycles, f) / per_second(other->cycles, other);
  return true;
}

static const char *goal_verdict(const goal_t *g, double value) {
  return (g->what == RATIO ? value <= g->value : value >= g->value) ? "reached" : "missed";
}

static void print_goals(const report_t *r) {
  printf("\nagainst the goals of docs/bench.md:\n");
  for (size_t i = 0; i < sizeof goals / sizeof goals[0]; i++) {
    const int digits = goals[i].value < 10 ? 3 : 0;
    double value = 0;
    if (goal_value(r, &goals[i], &value)) {
      printf("  %-32s %12.*f, goal %s %-8.*f %s\n", goals[i].text, digits, value,
             goals[i].what == RATIO ? "<=" : ">=", digits, goals[i].value,
             goal_verdict(&goals[i], value));
    } else {
      printf("  %-32s not measured\n", goals[i].text);
    }
  }
}

static void json_row(FILE *file, const row_t *row, bool last) {
  const wl_bench_figure_t *f = &row->figure;
  (void)fprintf(file, "    {\"config\": \"%s\", \"kernel\": \"%s\", \"backend\": \"%s\", ",
                row->config, row->kernel, wl_bench_backend_name[row->backend]);
  if (!f->measured) {
    (void)fprintf(file, "\"absent\": ");
    cli_json_text(file, f->absent);
  } else {
    (void)fprintf(file,
                  "\"cpu_s\": %.6f, \"wall_s\": %.6f, \"cycles\": %llu, \"instructions\": %llu, "
                  "\"thread_instructions\": %llu, \"ipc\": %.4f, \"cycles_per_s\": %.0f, "
                  "\"instructions_per_s\": %.0f, \"thread_instructions_per_s\": %.0f, "
                  "\"time_ratio\": %.4f, \"wall_ratio\": %.4f, \"tensor_busy\": %.4f",
                  f->cpu, f->wall, (unsigned long long)f->cycles,
                  (unsigned long long)f->instructions, (unsigned long long)f->thread_instructions,
                  ipc(f), per_second(f->cycles, f), per_second(f->instructions, f),
                  per_second(f->thread_instructions, f), f->ratio, f->wall_ratio, f->busy);
  }
  (void)fprintf(file, "}%s\n", last ? "" : ",");
}

static void write_json(const report_t *r, FILE *file) {
  (void)fprintf(file, "{\n  \"version\": \"%s\",\n  \"machine\": ", wl_version());
  cli_json_text(file, r->machine);
  (void)fprintf(file, ",\n  \"processors\": %ld,\n  \"compiler\": ", r->processors);
  cli_json_text(file, wl_bench_compiler);
  (void)fprintf(file, ",\n  \"flags\": ");
  cli_json_text(file, wl_bench_flags);
  (void)fprintf(file, ",\n  \"verilator\": ");
  cli_json_text(file, wl_bench_verilator);
  (void)fprintf(file, ",\n  \"rounds\": %u,\n  \"rounds_full\": %u,\n  \"figures\": [\n", r->rounds,
                r->full_rounds);
  for (unsigned i = 0; i < r->rows; i++) {
    json_row(file, &r->row[i], i + 1 == r->rows);
  }
  (void)fprintf(file, "  ],\n  \"goals\": [\n");
  const size_t count = sizeof goals / sizeof goals[0];
  for (size_t i = 0; i < count; i++) {
    double value = 0;
    const bool there = goal_value(r, &goals[i], &value);
    (void)fprintf(
        file, "    {\"goal\": \"%s\", \"wanted\": %g, \"value\": %.4g, \"verdict\": \"%s\"}%s\n",
        goals[i].text, goals[i].value, value,
        there ? goal_verdict(&goals[i], value) : "not measured", i + 1 == count ? "" : ",");
  }
  (void)fprintf(file, "  ]\n}\n");
}

static int measure_case(report_t *r, const char *config, const char *ptx_dir, unsigned index) {
  wl_bench_case_t c;
  wl_bench_figure_t figures[WL_NUM_BENCH_BACKENDS];
  const wl_bench_options_t options = {config, ptx_dir, r->rounds, r->full_rounds};
  char err[700] = "out of memory";
  const bool made = wl_bench_case_make(index, config, &c);
  const bool fits = made && c.fits;
  const bool good = made && (!fits || wl_bench_measure(&options, &c, figures, err, sizeof err));
  if (good && fits) {
    for (unsigned i = 0; i < WL_NUM_BENCH_BACKENDS && r->rows < MAX_ROWS; i++) {
      r->row[r->rows] = (row_t){config, c.name, (wl_bench_backend_t)i, figures[i]};
      print_row(&r->row[r->rows++]);
    }
  }
  wl_bench_case_free(&c);
  return good ? CLI_OK : cli_fail(CLI_EXPECT, "bench: %s", err);
}

static int measure(report_t *r, const cli_args_t *args, const char *ptx_dir) {
  const char *only = cli_value(args, "--config");
  unsigned measured = 0;
  find_machine(r);
  print_heading(r);
  for (unsigned i = 0; wl_config_name(i) != NULL; i++) {
    const char *config = wl_config_name(i);
    const bool usual = strcmp(config, "tiny4") != 0; /* for synthesis, not for speed */
    if (only != NULL ? strcmp(only, config) != 0 : !usual) {
      continue;
    }
    for (unsigned k = 0; k < WL_NUM_BENCH_CASES; k++) {
      const int code = measure_case(r, config, ptx_dir, k);
      if (code != CLI_OK) {
        return code;
      }
    }
    measured++;
  }
  if (measured == 0) {
    return cli_fail(CLI_INPUT, "unknown configuration '%s'", only);
  }
  print_goals(r);
  return CLI_OK;
}

int cli_bench_run(const cli_args_t *args) {
  uint64_t rounds = cli_flag(args, "--quick") ? 1 : 5;
  const char *given = cli_value(args, "--rounds");
  if (given != NULL && (!cli_number(given, WL_BENCH_MAX_ROUNDS, &rounds) || rounds == 0)) {
    return cli_fail(CLI_INPUT, "--rounds %s: 1 to %d", given, WL_BENCH_MAX_ROUNDS);
  }
  const char *ptx_dir = cli_value(args, "--ptx-dir");
  if (args->file_count != 0) {
    return cli_fail(CLI_INPUT, "bench takes no file: %s", args->files[0]);
  }
  cli_out_t json = {0};
  const char *path = cli_value(args, "--json");
  int code = path != NULL ? cli_out_open(path, &json) : CLI_OK;
  report_t *r = calloc(1, sizeof *r);
  if (code == CLI_OK && r == NULL) {
    code = cli_fail(CLI_INTERNAL, "out of memory");
  }
  if (code == CLI_OK) {
    r->rounds = (unsigned)rounds;
    r->full_rounds = cli_flag(args, "--quick") ? 0 : rounds < 2 ? 1 : 2;
    code = measure(r, args, ptx_dir != NULL ? ptx_dir : "tests/kernels");
  }
  if (code == CLI_OK && path != NULL) {
    write_json(r, json.file);
    code = cli_out_commit(&json);
  } else if (path != NULL) {
    cli_out_discard(&json);
  }
  free(r);
  return code;
}
