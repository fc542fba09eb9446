/* record: runs operations (op.h, tensor.h), the kernel corpus and random programs on an NVIDIA GPU
 * and writes what came out (README.md). Run in the root of the source tree; DATE stands in the
 * files.
 *   record DATE DIR [scalar] [samples] [curves] [tensor] [sweep] [kernels]
 *       DIR/NAME.txt for each part, default all; tensor.bin: all results of `tensor`
 *   record DATE DIR programs FILE..
 *       DIR/programs.txt; FILE: what wl_random_ptx --print gives, named random-SEED-INDEX.ptx
 *   record DATE DIR images FILE..
 *       the same, and of each program DIR/NAME.bin: all bytes of its buffers
 *   record DATE DIR raw OP..
 *       DIR/OP.bin: all results of these operations, 64 bits each
 * Exit code 1: something could not be recorded, told on stderr. */
#include "tests/silicon/record.h"

#include <stdbool.h>
#include <string.h>

#include "tests/silicon/cuda.h"

void record_failed(job_t *j, const char *what) {
  (void)fprintf(stderr, "record: %s: %s\n", what, cuda_error());
  j->failed++;
}

void record_bytes(job_t *j, const char *name, const void *bytes, size_t size) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/%s.bin", j->dir, name);
  FILE *f = fopen(path, "wb");
  bool ok = f != NULL && fwrite(bytes, size, 1, f) == 1;
  ok = f != NULL && fclose(f) == 0 && ok;
  if (!ok) {
    (void)fprintf(stderr, "record: cannot write %s\n", path);
    j->failed++;
  }
}

static bool begin(job_t *j, const char *part) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/%s.txt", j->dir, part);
  j->out = fopen(path, "w");
  if (j->out == NULL) {
    (void)fprintf(stderr, "record: cannot write %s\n", path);
    return false;
  }
  (void)fprintf(stderr, "record: %s\n", part);
  (void)fprintf(j->out, "# %s; recorded %s (tests/silicon/README.md)\n", cuda_device_name(),
                j->date);
  return true;
}

static int programs(job_t *j, int count, char **files, bool images) {
  if (!begin(j, "programs")) {
    return 1;
  }
  for (int i = 0; i < count; i++) {
    record_program(j, files[i], images);
  }
  j->failed += fclose(j->out) != 0;
  return j->failed != 0;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(job_t *);
  } parts[] = {{"scalar", record_scalar}, {"samples", record_samples}, {"curves", record_curves},
               {"tensor", record_tensor}, {"sweep", record_sweep},     {"kernels", record_kernels}};
  if (argc < 3) {
    (void)fprintf(stderr,
                  "usage: record DATE DIR [scalar] [samples] [curves] [tensor] [sweep] [kernels]\n"
                  "       record DATE DIR programs|images FILE..\n"
                  "       record DATE DIR raw OP..\n");
    return 2;
  }
  static job_t j;
  j.date = argv[1];
  j.dir = argv[2];
  if (!cuda_open()) {
    (void)fprintf(stderr, "record: %s\n", cuda_error());
    return 1;
  }
  if (argc > 3 && (strcmp(argv[3], "programs") == 0 || strcmp(argv[3], "images") == 0)) {
    return programs(&j, argc - 4, argv + 4, strcmp(argv[3], "images") == 0);
  }
  if (argc > 3 && strcmp(argv[3], "raw") == 0) {
    for (int k = 4; k < argc; k++) {
      record_raw(&j, argv[k]);
    }
    return j.failed != 0;
  }
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    bool wanted = argc == 3;
    for (int k = 3; k < argc; k++) {
      wanted = wanted || strcmp(argv[k], parts[i].name) == 0;
    }
    if (!wanted) {
      continue;
    }
    if (!begin(&j, parts[i].name)) {
      return 1;
    }
    parts[i].run(&j);
    j.failed += fclose(j.out) != 0;
  }
  (void)fprintf(stderr, "record: %s: %u not recorded or not as expected\n", cuda_device_name(),
                j.failed);
  return j.failed != 0;
}
