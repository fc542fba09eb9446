/* Programs with mma.sync, mma.sp and wmma against silicon's records: the recorder's kernels (tests/silicon), a
 * warp for each item. Usage: test_programs BACKEND CONFIG MODES[/STEP] FILE..: the first MODES kinds of
 * operands, each STEP-th instruction.
 * sparse.txt: also mma.sp of 8-bit floats with f16 results, which no record has, against the rule. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "gen/wl_config.h"
#include "tests/silicon/dot.h"
#include "tests/silicon/tensor_record.h"

static wl_device_t *device;
static char why[4096]; /* a launch failed */
static unsigned failures, instructions, step = 1, met;
static bool has_f64;

static wl_status_t launch(const tensor_t *t, const char *ptx, const uint32_t *in, size_t in_bytes,
                          uint32_t *out, size_t out_bytes) {
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t from = 0, to = 0;
  wl_status_t status = wl_module_load(device, t->label, ptx, strlen(ptx), NULL, &module);
  if (status != WL_OK) {
    (void)snprintf(why, sizeof why, "%s", wl_error(device));
    return status;
  }
  const wl_launch_t shape = {.grid = {TENSOR_ITEMS, 1, 1}, .block = {32, 1, 1}};
  status = wl_module_function(module, "tensor", &function);
  status = status == WL_OK ? wl_alloc(device, in_bytes, &from) : status;
  status = status == WL_OK ? wl_alloc(device, out_bytes, &to) : status;
  status = status == WL_OK ? wl_write(device, from, in, in_bytes) : status;
  const wl_arg_t args[] = {WL_ARG(from), WL_ARG(to)};
  status = status == WL_OK ? wl_launch(function, &shape, args, 2, NULL) : status;
  status = status == WL_OK ? wl_read(device, out, to, out_bytes) : status;
  (void)snprintf(why, sizeof why, "%s", wl_error(device)); /* wl_free has an error of its own */
  (void)wl_free(device, from);
  (void)wl_free(device, to);
  wl_module_unload(module);
  return status;
}

static void run(const tensor_t *t, unsigned mode, uint64_t *d) {
  static char ptx[16384];
  static tensor_item_t item;
  const size_t words = (size_t)32 * tensor_words(t), results = (size_t)32 * tensor_result_words(t);
  uint32_t *in = calloc(TENSOR_ITEMS * words, sizeof *in);
  uint32_t *out = calloc(TENSOR_ITEMS * results, sizeof *out);
  tensor_kernel(t, ptx, sizeof ptx);
  if (t->sparse && t->d == TENSOR_F16 &&
      tensor_format(t->a)->bits == 8) { /* no other target has it */
    const char target[] = ".target sm_120a";
    char *const at = strstr(ptx, ".target sm_90\n"), *const end = at + strlen(".target sm_90");
    memmove(at + strlen(target), end, strlen(end) + 1);
    memcpy(at, target, strlen(target));
  }
  for (unsigned i = 0; in != NULL && i < TENSOR_ITEMS; i++) {
    tensor_fill(t, mode, i, &item);
    tensor_pack(t, &item, in + i * words);
  }
  const wl_status_t status = in != NULL && out != NULL
                                 ? launch(t, ptx, in, TENSOR_ITEMS * words * sizeof *in, out,
                                          TENSOR_ITEMS * results * sizeof *out)
                                 : WL_ERR_INTERNAL;
  if (status != WL_OK) {
    printf("FAILED  %s: %s\n", t->label, why);
    failures++;
  }
  for (unsigned i = 0; out != NULL && i < TENSOR_ITEMS; i++) {
    tensor_unpack(t, out + i * results, d + (size_t)i * t->m * t->n);
  }
  instructions += TENSOR_ITEMS * t->steps;
  free(in);
  free(out);
}

/* mma and wmma, of f64 where the configuration has its unit. */
static bool knows(const tensor_t *t) {
  return (t->wmma || strncmp(t->name, "mma.", strlen("mma.")) == 0) &&
         (t->a != TENSOR_F64 || has_f64) && met++ % step == 0;
}

/* Of 8-bit floats with f16 results the rule is that of mma.sync (docs/numerics.md: chosen). */
static void sparse_halves(unsigned modes) {
  static const tensor_type_t types[] = {TENSOR_E4M3, TENSOR_E5M2};
  static uint64_t d[TENSOR_ITEMS * 16 * 8];
  static tensor_item_t item;
  unsigned differ = 0;
  for (unsigned i = 0; i < 4 * modes; i++) {
    tensor_t t = {.m = 16, .n = 8, .k = 64, .steps = 1, .quads = 1, .sparse = true};
    t.ordered = true;
    t.a = types[i % 2];
    t.b = types[i / 2 % 2];
    t.c = t.d = TENSOR_F16;
    (void)snprintf(t.name, sizeof t.name,
                   "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f16%s%s.f16",
                   tensor_type_name(t.a), tensor_type_name(t.b));
    (void)snprintf(t.label, sizeof t.label, "%s", t.name);
    run(&t, i / 4, d);
    for (unsigned e = 0; e < TENSOR_ITEMS * 16 * 8; e++) {
      if (e % 128 == 0) {
        tensor_fill(&t, i / 4, e / 128, &item);
      }
      differ += d[e] != dot_element(&t, &item, e / 8 % 16, e % 8);
    }
  }
  failures += differ != 0;
  printf("sparse 8-bit floats to f16: %u elements differ from the rule\n", differ);
}

int main(int argc, char **argv) {
  if (argc < 5) {
    (void)fprintf(stderr, "usage: test_programs BACKEND CONFIG MODES[/STEP] FILE..\n");
    return 2;
  }
  const wl_device_options_t options = {.backend = argv[1],
                                       .config = argv[2],
                                       .mem_bytes = UINT64_C(4) << 20,
                                       .inside = strcmp(argv[1], "lockstep") == 0};
  if (wl_device_open(&options, &device) != WL_OK) {
    printf("FAILED  %s\n", wl_error(device));
    return 1;
  }
  for (unsigned i = 0; i < WL_NUM_CONFIGS; i++) {
    has_f64 = has_f64 || (strcmp(wl_configs[i].name, argv[2]) == 0 && wl_configs[i].fp64 != 0);
  }
  char *end;
  const tensor_subject_t subject = {
      .knows = knows, .solve_mode = run, .modes = (unsigned)strtoul(argv[3], &end, 10)};
  if (*end == '/') {
    step = (unsigned)strtoul(end + 1, NULL, 10);
  }
  for (int i = 4; i < argc; i++) {
    failures += tensor_record(argv[i], &subject);
    if (strstr(argv[i], "sparse.txt") != NULL) {
      sparse_halves(subject.modes);
    }
  }
  printf("%u matrix instructions\n", instructions);
  wl_device_close(device);
  return failures != 0;
}
