/* record: runs the operations of op.c and tensor.c and the kernel corpus on an NVIDIA GPU and
 * writes what came out (README.md). Usage: record DATE DIR [scalar] [samples] [curves] [sweep]
 * [tensor] [kernels] DATE stands in the files; DIR gets NAME.txt of each part asked for (default:
 * all), and tensor.bin with all results of `tensor`. Or record DATE DIR raw OP...: DIR/OP.bin gets
 * the results of these operations, 64 bits each. Run in the root of the source tree. Exit code 1:
 * something could not be recorded, told on stderr. */
#include "tests/silicon/record.h"

#include <stdbool.h>
#include <string.h>

#include "tests/silicon/cuda.h"

void record_failed(job_t *j, const char *what) {
  (void)fprintf(stderr, "record: %s: %s\n", what, cuda_error());
  j->failed++;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(job_t *);
  } parts[] = {{"scalar", record_scalar}, {"samples", record_samples}, {"curves", record_curves},
               {"tensor", record_tensor}, {"sweep", record_sweep},     {"kernels", record_kernels}};
  if (argc < 3) {
    (void)fprintf(
        stderr, "usage: record DATE DIR [scalar] [samples] [curves] [sweep] [tensor] [kernels]\n");
    return 2;
  }
  static job_t j;
  j.date = argv[1];
  j.dir = argv[2];
  if (!cuda_open()) {
    (void)fprintf(stderr, "record: %s\n", cuda_error());
    return 1;
  }
  if (argc > 3 && strcmp(argv[3], "raw") == 0) {
    for (int k = 4; k < argc; k++) {
      record_raw(&j, argv[k]);
    }
    return j.failed != 0;
  }
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    char path[4096];
    bool wanted = argc == 3;
    for (int k = 3; k < argc; k++) {
      wanted = wanted || strcmp(argv[k], parts[i].name) == 0;
    }
    if (!wanted) {
      continue;
    }
    (void)snprintf(path, sizeof path, "%s/%s.txt", j.dir, parts[i].name);
    j.out = fopen(path, "w");
    if (j.out == NULL) {
      (void)fprintf(stderr, "record: cannot write %s\n", path);
      return 1;
    }
    (void)fprintf(stderr, "record: %s\n", parts[i].name);
    (void)fprintf(j.out, "# %s; recorded %s (tests/silicon/README.md)\n", cuda_device_name(),
                  j.date);
    parts[i].run(&j);
    j.failed += fclose(j.out) != 0;
  }
  (void)fprintf(stderr, "record: %s: %u not recorded or not as expected\n", cuda_device_name(),
                j.failed);
  return j.failed != 0;
}
