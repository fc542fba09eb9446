/* Models of mma.sync that others wrote, against programs on the machine (README.md).
 * Usage: main operands DIR               operands of every form to DIR/FORM.in
 *        main table DIR                  the table of what a model gave (DIR/FORM.out, DIR/version)
 *        main check TABLE BACKEND CONFIG [STRIDE [FORMS]]    of FORMS forms one
 * Exit code 1: a difference without a name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "tests/common/read_file.h"
#include "tests/tensor/outside/table.h"

static tensor_item_t item;
static uint64_t d[TABLE_ITEMS * OUTSIDE_SIZE];

/* ---- files for a model: 32-bit words, low byte first as this machine has them */

static void put(FILE *f, const uint64_t *from, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    uint32_t word = (uint32_t)from[i];
    (void)fwrite(&word, sizeof word, 1, f);
  }
}

static unsigned write_operands(const char *folder) {
  char path[512];
  const tensor_t *t;
  for (size_t i = 0; (t = outside_form(i)) != NULL; i++) {
    (void)snprintf(path, sizeof path, "%s/%s.in", folder, t->label);
    FILE *f = fopen(path, "wb");
    if (f == NULL) {
      perror(path);
      return 1;
    }
    for (unsigned n = 0; n < TABLE_ITEMS; n++) {
      outside_fill(t, n / OUTSIDE_ITEMS, n % OUTSIDE_ITEMS, &item);
      put(f, item.a, t->m * t->k);
      put(f, item.b, t->k * t->n);
      put(f, item.c, OUTSIDE_SIZE);
    }
    if (fclose(f) != 0) {
      perror(path);
      return 1;
    }
  }
  return 0;
}

static unsigned write_table(const char *folder) {
  char path[512];
  size_t size = 0;
  unsigned unknown = 0, forms = 0;
  const tensor_t *t;
  (void)snprintf(path, sizeof path, "%s/version", folder);
  char *version = wl_read_file(path, &size);
  printf("# %s", version != NULL ? version : "(no version)\n");
  free(version);
  for (size_t i = 0; (t = outside_form(i)) != NULL; i++) {
    (void)snprintf(path, sizeof path, "%s/%s.out", folder, t->label);
    char *data = wl_read_file(path, &size);
    if (data == NULL) { /* a form that the model does not know */
      continue;
    }
    for (size_t n = 0; n < TABLE_ITEMS * OUTSIDE_SIZE && size == sizeof d / 2; n++) {
      uint32_t word;
      memcpy(&word, data + 4 * n, sizeof word);
      d[n] = word;
    }
    unknown += size == sizeof d / 2 ? table_write(t, d) : 1;
    forms++;
    free(data);
  }
  return unknown + (forms == 0);
}

/* ---- programs: a warp for each item */

static wl_device_t *device;

static wl_status_t launch(const tensor_t *t, unsigned count, const uint32_t *in, uint32_t *out) {
  static char ptx[16384];
  const size_t in_bytes = (size_t)count * 128 * tensor_words(t),
               out_bytes = (size_t)count * 128 * tensor_result_words(t);
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t from = 0, to = 0;
  tensor_kernel(t, ptx, sizeof ptx);
  wl_status_t status = wl_module_load(device, t->label, ptx, strlen(ptx), NULL, &module);
  if (status != WL_OK) {
    return status;
  }
  const wl_launch_t shape = {.grid = {count, 1, 1}, .block = {32, 1, 1}};
  status = wl_module_function(module, "tensor", &function);
  status = status == WL_OK ? wl_alloc(device, in_bytes, &from) : status;
  status = status == WL_OK ? wl_alloc(device, out_bytes, &to) : status;
  status = status == WL_OK ? wl_write(device, from, in, in_bytes) : status;
  const wl_arg_t args[] = {WL_ARG(from), WL_ARG(to)};
  status = status == WL_OK ? wl_launch(function, &shape, args, 2, NULL) : status;
  status = status == WL_OK ? wl_read(device, out, to, out_bytes) : status;
  (void)wl_free(device, from);
  (void)wl_free(device, to);
  wl_module_unload(module);
  return status;
}

/* The selected items; what is not selected stays as it was. */
static wl_status_t run(const tensor_t *t, const selection_t *s, unsigned *count) {
  static unsigned which[TABLE_ITEMS];
  const size_t words = (size_t)32 * tensor_words(t), results = (size_t)32 * tensor_result_words(t);
  uint32_t *in = calloc(TABLE_ITEMS * words, sizeof *in);
  uint32_t *out = calloc(TABLE_ITEMS * results, sizeof *out);
  *count = 0;
  for (unsigned n = 0; in != NULL && n < TABLE_ITEMS; n++) {
    if (table_selected(s, n / OUTSIDE_ITEMS, n % OUTSIDE_ITEMS)) {
      outside_fill(t, n / OUTSIDE_ITEMS, n % OUTSIDE_ITEMS, &item);
      tensor_pack(t, &item, in + *count * words);
      which[(*count)++] = n;
    }
  }
  wl_status_t status = in != NULL && out != NULL ? launch(t, *count, in, out) : WL_ERR_INTERNAL;
  for (unsigned i = 0; status == WL_OK && i < *count; i++) {
    tensor_unpack(t, out + i * results, d + (size_t)which[i] * OUTSIDE_SIZE);
  }
  free(in);
  free(out);
  return status;
}

static unsigned check(const char *table, const selection_t *s, size_t every) {
  unsigned failed = 0, named = 0, forms = 0, elements = 0;
  const tensor_t *t;
  for (size_t i = 0; (t = outside_form(i)) != NULL; i += every) {
    unsigned count = 0, differ = 1;
    if (run(t, s, &count) == WL_OK) {
      differ = table_check(t, table, s, d, &named);
    } else {
      printf("FAILED  %s: %s\n", t->label, wl_error(device));
    }
    failed += differ != 0;
    elements += count * OUTSIDE_SIZE;
    forms++;
  }
  printf("%u forms, %u elements, %u differ by name, %u forms differ without\n", forms, elements,
         named, failed);
  return failed;
}

static unsigned check_file(char **argv, int argc) {
  const selection_t s = {argc > 5 ? (unsigned)strtoul(argv[5], NULL, 10) : 1};
  const size_t every = argc > 6 ? strtoul(argv[6], NULL, 10) : 1;
  const wl_device_options_t options = {.backend = argv[3],
                                       .config = argv[4],
                                       .mem_bytes = UINT64_C(4) << 20,
                                       .inside = strcmp(argv[3], "lockstep") == 0};
  size_t size = 0;
  char *table = wl_read_file(argv[2], &size);
  if (table == NULL || s.stride == 0 || s.stride > OUTSIDE_BLOCKS || every == 0) {
    printf("FAILED  %s: no such table, or a stride not from 1 to %d\n", argv[2], OUTSIDE_BLOCKS);
    return 1;
  }
  if (wl_device_open(&options, &device) != WL_OK) {
    printf("FAILED  %s\n", wl_error(device));
    return 1;
  }
  unsigned failed = check(table, &s, every);
  wl_device_close(device);
  free(table);
  return failed;
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "operands") == 0) {
    return write_operands(argv[2]) != 0;
  }
  if (argc == 3 && strcmp(argv[1], "table") == 0) {
    return write_table(argv[2]) != 0;
  }
  if (argc >= 5 && argc <= 7 && strcmp(argv[1], "check") == 0) {
    return check_file(argv, argc) != 0;
  }
  (void)fprintf(
      stderr,
      "usage: main operands DIR | table DIR | check TABLE BACKEND CONFIG [STRIDE [FORMS]]\n");
  return 2;
}
