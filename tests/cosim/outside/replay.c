/* replay.c: the least that a core under test needs to be compared by warplock_cosim.h. The "core" is a
 * log of records (warplock run --backend model --log), replayed one cycle per step, with its own
 * stores to its own image of device memory. Installed headers only.
 *
 * replay SAXPY.ptx LOG cycle|untimed SEED [KIND NUMBER WORD BIT]
 * The last four flip one bit of the NUMBER-th record of a kind. Prints "equal: ..." or the report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <warplock_cosim.h>

enum { N = 100, MAX_LINE = 2048, MAX_RECORDS = 64 };

typedef struct core {
  FILE *log;
  char line[MAX_LINE]; /* the next one, "" behind the last */
  wl_cosim_record_t record[MAX_RECORDS];
  unsigned records;
  int flip_kind, flip_number, flip_word, flip_bit; /* kind -1: no bug */
} core_t;

static void next_line(core_t *core) {
  if (fgets(core->line, sizeof core->line, core->log) == NULL) core->line[0] = '\0';
}

static int kind_of(const char *name) {
  for (int k = 0; k < WL_NUM_JOURNAL_KINDS; k++)
    if (strcmp(wl_journal_info[k].name, name) == 0) return k;
  fprintf(stderr, "replay: no record '%s'\n", name);
  exit(2);
}

/* "12 ISSUE warp 0 pc 0 path f exec f": names are told from values by the layout. */
static void read_record(core_t *core) {
  wl_cosim_record_t *r = &core->record[core->records++];
  char *word = strtok(core->line, " \n");
  word = strtok(NULL, " \n");
  r->kind = (uint16_t)kind_of(word);
  const wl_journal_info_t *info = &wl_journal_info[r->kind];
  r->words = 0;
  for (unsigned i = 0; (word = strtok(NULL, " \n")) != NULL; i++) {
    if (r->words < info->names && i == 2U * r->words) continue; /* a name */
    r->word[r->words++] = (uint32_t)strtoul(word, NULL, 16);
  }
  if (r->kind == core->flip_kind && core->flip_number-- == 0)
    r->word[core->flip_word] ^= UINT32_C(1) << core->flip_bit;
}

/* The core's own stores. */
static void store(const wl_cosim_record_t *r, uint8_t *mem, uint64_t base, uint64_t bytes) {
  const uint64_t at = ((uint64_t)r->word[6] << 32 | r->word[5]) * 32 - base;
  if (r->kind != WL_J_PACKET || r->word[0] != 1 || at + 32 > bytes) return;
  for (unsigned i = 0; i < 32; i++)
    if ((r->word[7] >> i & 1) != 0) mem[at + i] = (uint8_t)(r->word[8 + i / 4] >> 8 * (i % 4));
}

static void core_cycle(core_t *core, unsigned long long cycle, wl_cosim_t *c) {
  uint64_t base, bytes;
  uint8_t *mem = wl_cosim_memory(c, &base, &bytes);
  core->records = 0;
  while (core->line[0] != '\0' && strtoull(core->line, NULL, 10) == cycle) {
    read_record(core);
    store(&core->record[core->records - 1], mem, base, bytes);
    next_line(core);
  }
}

static void need(wl_status_t status, const char *text) {
  if (status == WL_OK) return;
  fprintf(stderr, "replay: %s\n", text);
  exit(2);
}

static void prepare(wl_cosim_t *c, const char *ptx) {
  static char text[1 << 16];
  static float x[N], y[N];
  FILE *file = fopen(ptx, "rb");
  const size_t size = file != NULL ? fread(text, 1, sizeof text, file) : 0;
  wl_device_t *d = wl_cosim_device(c);
  wl_module_t *m;
  wl_function_t *f;
  wl_addr_t ax, ay;
  const float a = 2.0f;
  const uint32_t n = N;
  for (int i = 0; i < N; i++) {
    x[i] = 0.5f * (float)i;
    y[i] = (float)i;
  }
  if (file != NULL) fclose(file);
  need(wl_module_load(d, ptx, text, size, NULL, &m), wl_error(d));
  need(wl_module_function(m, "saxpy", &f), wl_error(d));
  need(wl_alloc(d, sizeof x, &ax), wl_error(d));
  need(wl_write(d, ax, x, sizeof x), wl_error(d));
  need(wl_alloc(d, sizeof y, &ay), wl_error(d));
  need(wl_write(d, ay, y, sizeof y), wl_error(d));
  const wl_arg_t args[] = {WL_ARG(a), WL_ARG(ax), WL_ARG(ay), WL_ARG(n)};
  const wl_launch_t launch = {.grid = {4, 1, 1}, .block = {32, 1, 1}};
  need(wl_cosim_launch(c, f, &launch, args, 4), wl_cosim_error(c));
}

int main(int argc, char **argv) {
  static wl_cosim_report_t report;
  static char summary[2048];
  if (argc != 5 && argc != 9) return 2;
  core_t core = {.log = fopen(argv[2], "r"), .flip_kind = -1};
  if (core.log == NULL) return 2;
  if (argc == 9) {
    core.flip_kind = kind_of(argv[5]);
    core.flip_number = atoi(argv[6]);
    core.flip_word = atoi(argv[7]);
    core.flip_bit = atoi(argv[8]);
  }
  const wl_cosim_options_t options = {
      .struct_size = sizeof options,
      .layout = wl_layouts[0], /* tiny: what this core is built for */
      .seed = strtoull(argv[4], NULL, 0),
      .mode = strcmp(argv[3], "untimed") == 0 ? WL_COSIM_UNTIMED : WL_COSIM_CYCLE,
      .dut_name = "replay"};
  wl_cosim_t *c;
  const wl_status_t status = wl_cosim_create(&options, &c);
  need(status, c != NULL ? wl_cosim_error(c) : "out of memory");
  prepare(c, argv[1]);
  next_line(&core);
  wl_cosim_verdict_t verdict = WL_COSIM_EQUAL;
  for (unsigned long long cycle = 0; core.line[0] != '\0' && verdict == WL_COSIM_EQUAL; cycle++) {
    core_cycle(&core, cycle, c);
    wl_cosim_signals(c, core.line[0] == '\0', false);
    verdict = wl_cosim_step(c, core.record, core.records, &report);
  }
  if (verdict == WL_COSIM_EQUAL)
    fprintf(stderr, "replay: the log has ended, the reference has not\n");
  if (verdict == WL_COSIM_DONE) verdict = wl_cosim_end(c, &report);
  if (verdict == WL_COSIM_DONE) wl_cosim_summary(c, summary, sizeof summary);
  printf("%s", verdict == WL_COSIM_DONE ? summary : report.text);
  wl_cosim_destroy(c);
  fclose(core.log);
  return verdict == WL_COSIM_DONE ? 0 : 3;
}
