/* cosim_dpi.c: warplock_cosim.h for simulators with DPI-C: the functions of
 * rtl/dpi/warplock_cosim_pkg.sv. docs/cosim.md. Results only: what comes back to SystemVerilog are
 * verdicts and texts; the test bench has a memory of its own, made from the image file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/cosim_dpi.h"

enum { MAX_FILE = 64 << 20 };
_Static_assert(WL_RECORD_MAX_WORDS == 35, "RecordMaxWords of rtl/dpi/warplock_cosim_pkg.sv");

static int failed(wl_sv_t *s, const char *text) {
  snprintf(s->text, sizeof s->text, "%s", text);
  return WL_ERR_INPUT;
}

static int result(wl_sv_t *s, wl_status_t status) {
  if (status != WL_OK) failed(s, wl_error(wl_cosim_device(s->cosim)));
  return (int)status;
}

/* Also for a cosim that was refused: wl_sv_text tells why, and every later call fails. */
void *wl_sv_create(const char *config, uint64_t hash, uint64_t seed, const char *disturb,
                   int untimed) {
  wl_sv_t *s = calloc(1, sizeof *s);
  if (s == NULL) return NULL;
  const wl_cosim_options_t options = {.struct_size = sizeof options,
                                      .layout = {config, hash, sizeof(wl_cosim_record_t)},
                                      .seed = seed,
                                      .disturb = disturb,
                                      .mode = untimed != 0 ? WL_COSIM_UNTIMED : WL_COSIM_CYCLE};
  if (wl_cosim_create(&options, &s->cosim) == WL_OK) return s;
  failed(s, s->cosim != NULL ? wl_cosim_error(s->cosim) : "out of memory");
  wl_cosim_destroy(s->cosim);
  s->cosim = NULL;
  return s;
}

void wl_sv_destroy(void *handle) {
  wl_sv_t *s = handle;
  if (s != NULL) wl_cosim_destroy(s->cosim);
  free(s);
}

const char *wl_sv_text(void *handle) {
  return handle != NULL ? ((wl_sv_t *)handle)->text : "out of memory";
}

/* Malloced; NULL: cannot be read, or too large. */
static void *read_file(const char *path, size_t *size) {
  FILE *in = fopen(path, "rb");
  void *bytes = in != NULL ? malloc(MAX_FILE) : NULL;
  *size = bytes != NULL ? fread(bytes, 1, MAX_FILE, in) : 0;
  if (in != NULL) fclose(in);
  return bytes;
}

int wl_sv_load(void *handle, const char *path, const char *kernel) {
  wl_sv_t *s = handle;
  if (s->cosim == NULL) return WL_ERR_INPUT;
  size_t size;
  void *bytes = read_file(path, &size);
  if (bytes == NULL) return failed(s, "the program cannot be read");
  wl_module_t *m;
  wl_status_t status = wl_module_load(wl_cosim_device(s->cosim), path, bytes, size, NULL, &m);
  if (status == WL_OK) status = wl_module_function(m, kernel, &s->function);
  free(bytes);
  return result(s, status);
}

int wl_sv_arg(void *handle, uint64_t value, int bytes) {
  wl_sv_t *s = handle;
  if (s->args == WL_SV_ARGS || bytes < 1 || bytes > 8)
    return failed(s, "argument: 1 to 8 bytes, at most 64");
  s->value[s->args] = value; /* little-endian host, as everywhere in the driver */
  s->arg[s->args] = (wl_arg_t){&s->value[s->args], (size_t)bytes};
  s->args++;
  return WL_OK;
}

int wl_sv_buffer(void *handle, uint64_t bytes, const char *path) {
  wl_sv_t *s = handle;
  wl_addr_t at;
  if (s->cosim == NULL) return WL_ERR_INPUT;
  wl_device_t *d = wl_cosim_device(s->cosim);
  wl_status_t status = wl_alloc(d, bytes, &at);
  if (status == WL_OK) status = wl_fill(d, at, 0, bytes);
  if (status == WL_OK && path[0] != '\0') {
    size_t size;
    void *data = read_file(path, &size);
    if (data == NULL) return failed(s, "the buffer's file cannot be read");
    status = wl_write(d, at, data, size < bytes ? size : bytes);
    free(data);
  }
  return status == WL_OK ? wl_sv_arg(handle, at, 8) : result(s, status);
}

int wl_sv_launch(void *handle, int grid_x, int grid_y, int grid_z, int block_x, int block_y,
                 int block_z, int shared) {
  wl_sv_t *s = handle;
  if (s->cosim == NULL || s->function == NULL) return failed(s, "no program");
  const wl_launch_t launch = {.grid = {(uint32_t)grid_x, (uint32_t)grid_y, (uint32_t)grid_z},
                              .block = {(uint32_t)block_x, (uint32_t)block_y, (uint32_t)block_z},
                              .shared = (uint32_t)shared};
  const wl_status_t status = wl_cosim_launch(s->cosim, s->function, &launch, s->arg, s->args);
  s->args = 0;
  if (status != WL_OK) failed(s, wl_cosim_error(s->cosim));
  return (int)status;
}

uint64_t wl_sv_launch_block(void *handle) {
  const wl_sv_t *s = handle;
  return s->cosim != NULL ? wl_cosim_launch_block(s->cosim) : 0;
}

/* The DUT's memory at the launch for $readmemh: sectors of 32 bytes. */
int wl_sv_image(void *handle, const char *path) {
  wl_sv_t *s = handle;
  uint64_t bytes;
  if (s->cosim == NULL) return WL_ERR_INPUT;
  const uint8_t *mem = wl_cosim_memory(s->cosim, NULL, &bytes);
  FILE *out = fopen(path, "w");
  if (out == NULL) return failed(s, "the image cannot be written");
  for (uint64_t i = 0; i < bytes; i += WL_SV_SECTOR) {
    fprintf(out, "@%llx ", (unsigned long long)(i / WL_SV_SECTOR));
    for (unsigned k = WL_SV_SECTOR; k-- > 0;)
      fprintf(out, "%02x", mem[i + k]);
    fputc('\n', out);
  }
  return fclose(out) == 0 ? WL_OK : failed(s, "the image cannot be written");
}

/* What the DUT wrote into its memory: 32 bytes at a multiple of 32, for the comparison at the end.
 */
void wl_sv_store(void *handle, uint64_t address, const uint32_t *data, uint32_t strobe) {
  wl_sv_t *s = handle;
  uint64_t base, bytes;
  if (s->cosim == NULL) return;
  uint8_t *mem = wl_cosim_memory(s->cosim, &base, &bytes);
  if (address < base || address - base > bytes - WL_SV_SECTOR) return;
  for (unsigned i = 0; i < WL_SV_SECTOR; i++)
    if ((strobe >> i & 1) != 0) mem[address - base + i] = (uint8_t)(data[i / 4] >> 8 * (i % 4));
}

void wl_sv_record(void *handle, int kind, int words, const uint32_t *data) {
  wl_sv_t *s = handle;
  if (s->records >= WL_SV_RECORDS) {
    s->records = WL_SV_RECORDS + 1; /* the step refuses this number */
    return;
  }
  wl_cosim_record_t *r = &s->record[s->records++];
  r->kind = (uint16_t)kind;
  r->words = (uint16_t)words;
  memcpy(r->word, data, sizeof r->word);
}

void wl_sv_trap(void *handle, int valid, uint32_t cause, uint32_t warp, uint32_t lane, uint32_t pc,
                uint64_t address) {
  const wl_sv_t *s = handle;
  if (s->cosim != NULL) wl_cosim_trap(s->cosim, valid != 0, cause, warp, lane, pc, address);
}

/* The design gave X or Z: a difference, whatever the reference has; for good, as others are. */
static int unknown(wl_sv_t *s) {
  snprintf(s->text, sizeof s->text, "DIVERGENCE at cycle %llu: the design gives X or Z\n%s",
           (unsigned long long)s->steps, s->unknown);
  return WL_COSIM_DIVERGED;
}

int wl_sv_step(void *handle, int done, int hang) {
  wl_sv_t *s = handle;
  if (s->cosim == NULL) return WL_COSIM_ERROR;
  if (s->unknown[0] != '\0') return unknown(s);
  s->steps++;
  wl_cosim_signals(s->cosim, done != 0, hang != 0);
  const wl_cosim_verdict_t verdict = wl_cosim_step(s->cosim, s->record, s->records, &s->report);
  s->records = 0;
  if (verdict == WL_COSIM_DIVERGED || verdict == WL_COSIM_ERROR) failed(s, s->report.text);
  return (int)verdict;
}

int wl_sv_end(void *handle) {
  wl_sv_t *s = handle;
  if (s->cosim == NULL) return WL_COSIM_ERROR;
  if (s->unknown[0] != '\0') return unknown(s);
  const wl_cosim_verdict_t verdict = wl_cosim_end(s->cosim, &s->report);
  if (verdict == WL_COSIM_DONE)
    wl_cosim_summary(s->cosim, s->text, sizeof s->text);
  else
    failed(s, s->report.text);
  return (int)verdict;
}
