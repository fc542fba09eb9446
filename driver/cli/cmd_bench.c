/* cmd_bench.c: warplock bench: measures, prints the table, writes JSON. docs/bench.md */
#include <stdlib.h>
#include <string.h>

#include "driver/cli/bench_report.h"
#include "driver/cli/cli.h"

double cli_bench_per_second(uint64_t count, const wl_bench_figure_t *f) {
  return f->cpu > 0 ? (double)count / f->cpu : 0;
}

static double ipc(const wl_bench_figure_t *f) {
  return f->cycles != 0 ? (double)f->instructions / (double)f->cycles : 0;
}

static void find_machine(cli_bench_report_t *r) {
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

static void print_heading(const cli_bench_report_t *r) {
  printf("machine   %s, %ld processors\ncompiler  %s, %s\nVerilator %s\n", r->machine,
         r->processors, wl_bench_compiler, wl_bench_flags, wl_bench_verilator);
  printf("median of %u rounds (lockstep full %u), processor time; x: time over that of the first "
         "backend, clock: by the clock; mma %%: cycles in which the tensor units work\n",
         r->rounds, r->full_rounds);
  printf("%-5s %-22s %-21s %8s %9s %5s %9s %9s %9s %7s %7s %5s\n", "", "", "", "CPU ms", "cycles",
         "IPC", "kcycles/s", "kwinsn/s", "Mtinsn/s", "x", "clock", "mma %");
}

static void print_row(const cli_bench_row_t *row) {
  const wl_bench_figure_t *f = &row->figure;
  printf("%-5s %-22s %-21s ", row->config, row->kernel, wl_bench_backend_name[row->backend]);
  if (!f->measured) {
    printf("not measured: %s\n", f->absent);
    return;
  }
  printf("%8.1f %9llu %5.2f %9.1f %9.1f %9.2f %7.3f %7.3f", f->cpu * 1e3,
         (unsigned long long)f->cycles, ipc(f), cli_bench_per_second(f->cycles, f) / 1e3,
         cli_bench_per_second(f->instructions, f) / 1e3,
         cli_bench_per_second(f->thread_instructions, f) / 1e6, f->ratio, f->wall_ratio);
  if (f->busy != 0) {
    printf(" %5.1f", f->busy * 100);
  }
  printf("\n");
  (void)fflush(stdout);
}

static void json_row(FILE *file, const cli_bench_row_t *row, bool last) {
  const wl_bench_figure_t *f = &row->figure;
  (void)fprintf(file, "    {\"config\": \"%s\", \"kernel\": \"%s\", \"backend\": \"%s\", ",
                row->config, row->kernel, wl_bench_backend_name[row->backend]);
  if (!f->measured) {
    (void)fprintf(file, "\"absent\": ");
    cli_json_text(file, f->absent);
  } else {
    (void)fprintf(
        file,
        "\"cpu_s\": %.6f, \"wall_s\": %.6f, \"cycles\": %llu, \"instructions\": %llu, "
        "\"thread_instructions\": %llu, \"ipc\": %.4f, \"cycles_per_s\": %.0f, "
        "\"instructions_per_s\": %.0f, \"thread_instructions_per_s\": %.0f, "
        "\"time_ratio\": %.4f, \"wall_ratio\": %.4f, \"tensor_busy\": %.4f",
        f->cpu, f->wall, (unsigned long long)f->cycles, (unsigned long long)f->instructions,
        (unsigned long long)f->thread_instructions, ipc(f), cli_bench_per_second(f->cycles, f),
        cli_bench_per_second(f->instructions, f), cli_bench_per_second(f->thread_instructions, f),
        f->ratio, f->wall_ratio, f->busy);
  }
  (void)fprintf(file, "}%s\n", last ? "" : ",");
}

static void write_json(const cli_bench_report_t *r, FILE *file) {
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
  (void)fprintf(file, "  ],\n  \"products\": [\n");
  cli_products_json(&r->products, file);
  (void)fprintf(file, "  ],\n  \"goals\": [\n");
  cli_bench_json_goals(r, file);
  (void)fprintf(file, "  ]\n}\n");
}

static int measure_case(cli_bench_report_t *r, const char *config, const char *ptx_dir,
                        unsigned index) {
  wl_bench_case_t c;
  wl_bench_figure_t figures[WL_NUM_BENCH_BACKENDS];
  const wl_bench_options_t options = {config, ptx_dir, r->rounds, r->full_rounds};
  char err[700] = "out of memory";
  const bool made = wl_bench_case_make(index, config, &c);
  const bool fits = made && c.fits;
  const bool good = made && (!fits || wl_bench_measure(&options, &c, figures, err, sizeof err));
  if (good && fits) {
    for (unsigned i = 0; i < WL_NUM_BENCH_BACKENDS && r->rows < CLI_BENCH_MOST_ROWS; i++) {
      r->row[r->rows] = (cli_bench_row_t){config, c.name, (wl_bench_backend_t)i, figures[i]};
      print_row(&r->row[r->rows++]);
    }
  }
  wl_bench_case_free(&c);
  return good ? CLI_OK : cli_fail(CLI_EXPECT, "bench: %s", err);
}

static int measure_config(cli_bench_report_t *r, const char *config, const char *ptx_dir) {
  for (unsigned k = 0; k < WL_NUM_BENCH_CASES; k++) {
    const int code = measure_case(r, config, ptx_dir, k);
    if (code != CLI_OK) {
      return code;
    }
  }
  return CLI_OK;
}

/* Behind the table of speed: the model alone. */
static int measure_products(cli_bench_report_t *r, const char *config, const char *ptx_dir) {
  const wl_bench_options_t options = {config, ptx_dir, 1, 0};
  char err[700];
  return cli_products_measure(&r->products, &options, err, sizeof err)
             ? CLI_OK
             : cli_fail(CLI_EXPECT, "bench: %s", err);
}

static bool is_wanted(const char *config, const char *only) {
  const bool usual = strcmp(config, "tiny4") != 0; /* for synthesis, not for speed */
  return only != NULL ? strcmp(only, config) == 0 : usual;
}

static int measure(cli_bench_report_t *r, const cli_args_t *args, const char *ptx_dir) {
  const char *only = cli_value(args, "--config");
  unsigned measured = 0;
  find_machine(r);
  if (!cli_flag(args, "--products")) {
    print_heading(r);
  }
  for (unsigned part = cli_flag(args, "--products") ? 1 : 0; part < 2; part++) {
    for (unsigned i = 0; wl_config_name(i) != NULL; i++) {
      const char *config = wl_config_name(i);
      if (!is_wanted(config, only)) {
        continue;
      }
      const int code = (part == 0 ? measure_config : measure_products)(r, config, ptx_dir);
      if (code != CLI_OK) {
        return code;
      }
      measured++;
    }
  }
  if (measured == 0) {
    return cli_fail(CLI_INPUT, "unknown configuration '%s'", only);
  }
  cli_bench_print_goals(r);
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
  cli_bench_report_t *r = calloc(1, sizeof *r);
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
