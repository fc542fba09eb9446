/* run_moves: runs the programs of moves.c on Warplock and compares with what silicon gave
 * (README.md). Usage: run_moves BACKEND moves.txt CONFIG.. Exit code 1: a difference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "tests/common/read_file.h"
#include "tests/silicon/moves.h"

static wl_status_t run(wl_device_t *device, const moves_t *m, uint32_t result[MOVES_WORDS]) {
  static char ptx[MOVES_PTX];
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t out = 0;
  const size_t bytes = MOVES_WORDS * sizeof *result;
  const wl_launch_t launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
  moves_kernel(m, ptx, sizeof ptx);
  wl_status_t status = wl_module_load(device, m->name, ptx, strlen(ptx), NULL, &module);
  status = status == WL_OK ? wl_module_function(module, "moves", &function) : status;
  status = status == WL_OK ? wl_alloc(device, bytes, &out) : status;
  status = status == WL_OK ? wl_fill(device, out, 0, bytes) : status;
  const wl_arg_t args[] = {WL_ARG(out)};
  status = status == WL_OK ? wl_launch(function, &launch, args, 1, NULL) : status;
  return status == WL_OK ? wl_read(device, result, out, bytes) : status;
}

/* false: the device's words are others. */
static bool equal(const char *backend, const char *config, const moves_t *m, const char *record) {
  const wl_device_options_t options = {
      .backend = backend, .config = config, .mem_bytes = UINT64_C(4) << 20};
  uint32_t result[MOVES_WORDS];
  char text[MOVES_TEXT];
  wl_device_t *device = NULL;
  wl_status_t status = wl_device_open(&options, &device);
  status = status == WL_OK ? run(device, m, result) : status;
  if (status != WL_OK) {
    printf("FAILED  %s on %s %s: %s\n", m->name, backend, config, wl_error(device));
  } else {
    moves_text(m, result, text);
    if (strstr(record, text) == NULL) {
      printf("DIFFERS %s on %s %s\n", m->name, backend, config);
      status = WL_ERR_INTERNAL;
    }
  }
  wl_device_close(device);
  return status == WL_OK;
}

int main(int argc, char **argv) {
  size_t size = 0;
  unsigned count = 0, failed = 0;
  char *record = argc > 3 ? wl_read_file(argv[2], &size) : NULL;
  const moves_t *m;
  if (record == NULL) {
    (void)fprintf(stderr, "usage: run_moves BACKEND moves.txt CONFIG..\n");
    return 2;
  }
  for (int c = 3; c < argc; c++) {
    for (unsigned n = 0; (m = moves_at(n)) != NULL; n++) {
      failed += !equal(argv[1], argv[c], m, record);
      count++;
    }
  }
  printf("%s: %u programs, %u differ from silicon\n", argv[1], count, failed);
  free(record);
  return failed != 0;
}
