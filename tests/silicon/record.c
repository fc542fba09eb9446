/* record: runs operations (op.h, tensor.h), the kernel corpus and random programs on an NVIDIA GPU
 * and writes what came out (README.md). Run in the root of the source tree; DATE stands in the
 * files.
 *   record DATE DIR [PART..]
 *       DIR/PART.txt for each part (`parts` below), default all; of matrix operations DIR/PART.bin,
 *       too: all results of items 0, 3 and 6 of each eight
 *   record DATE DIR programs FILE..
 *       DIR/programs.txt; FILE: what wl_random_ptx --print gives, named random-SEED-INDEX.ptx
 *   record DATE DIR images FILE..
 *       the same, and of each program DIR/NAME.bin: all bytes of its buffers
 *   record DATE DIR raw OP..
 *       DIR/OP.bin: all results of these operations, 64 bits each
 *   record DATE DIR from PART NUMBER
 *       goes on with a case of a part; the program calls itself so after a kernel that failed
 *   record ptx DIR ..
 *       runs nothing; DIR/NUMBER.ptx: each PTX text that would be run; DIR/NUMBER.in: what its first
 *       buffer holds; results are those of DIR/NUMBER.out, if there is such a file, else zeros
 * Exit code 1: something could not be recorded, told on stderr. */
#include "tests/silicon/record.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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
  j->out = fopen(path, j->first == 0 ? "w" : "a");
  if (j->out == NULL) {
    (void)fprintf(stderr, "record: cannot write %s\n", path);
    return false;
  }
  if (j->first != 0) {
    return true;
  }
  (void)fprintf(stderr, "record: %s\n", part);
  (void)fprintf(j->out, "# %s; recorded %s (tests/silicon/README.md)\n", cuda_device_name(),
                j->date);
  return true;
}

void record_go_on(job_t *j, const char *part, unsigned next) {
  char first[16], *args[] = {"record", (char *)(uintptr_t)j->date, (char *)(uintptr_t)j->dir,
                             "from",   (char *)(uintptr_t)part,    first,
                             NULL};
  (void)snprintf(first, sizeof first, "%u", next);
  (void)fclose(j->out);
  (void)execv("/proc/self/exe", args);
  perror("record: /proc/self/exe");
  exit(1);
}

/* One part in a process of its own. */
static bool part_alone(const job_t *j, const char *part) {
  char *args[] = {"record", (char *)(uintptr_t)j->date, (char *)(uintptr_t)j->dir,
                  (char *)(uintptr_t)part, NULL};
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    (void)execv("/proc/self/exe", args);
    _exit(1);
  }
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* DATE "ptx": no device, the PTX texts to DIR. */
static bool open_device(job_t *j) {
  static char today[16];
  if (strcmp(j->date, "ptx") == 0) {
    time_t now = time(NULL);
    (void)strftime(today, sizeof today, "%Y-%m-%d", gmtime(&now));
    j->date = today;
    cuda_print_to(j->dir);
    return true;
  }
  return cuda_open();
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

typedef void run_t(job_t *j);
static const struct {
  const char *name;
  run_t *run; /* NULL: matrix operations */
} parts[] = {{"scalar", record_scalar},
             {"scalar2", record_scalar2},
             {"scalar3", record_scalar3},
             {"samples", record_samples},
             {"curves", record_curves},
             {"halves", record_halves},
             {"dense", record_dense},
             {"bulk", record_bulk},
             {"tensor", NULL},
             {"sparse", NULL},
             {"narrow", NULL},
             {"double", NULL},
             {"warpgroup", NULL},
             {"layout", NULL},
             {"chain", NULL},
             {"quad", NULL},
             {"wmma", NULL},
             {"moves", record_moves},
             {"copies", record_copies},
             {"sweep", record_sweep},
             {"sweep2", record_sweep2},
             {"kernels", record_kernels},
             {"async", record_async}};
enum { PARTS = sizeof parts / sizeof parts[0] };

static bool one_part(job_t *j, const char *name, run_t *run) {
  if (!begin(j, name)) {
    return false;
  }
  if (run != NULL) {
    run(j);
  } else {
    record_tensor(j, name);
  }
  j->failed += fclose(j->out) != 0;
  return true;
}

/* Named, or all. */
static bool is_wanted(int argc, char **argv, const char *part) {
  bool wanted = argc == 3;
  for (int k = 3; k < argc; k++) {
    wanted = wanted || strcmp(argv[k], part) == 0;
  }
  return wanted;
}

static int each_alone(const job_t *j, int argc, char **argv) {
  unsigned failed = 0;
  for (size_t i = 0; i < PARTS; i++) {
    failed += is_wanted(argc, argv, parts[i].name) && !part_alone(j, parts[i].name);
  }
  return failed != 0;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    (void)fprintf(stderr, "usage: record DATE DIR [PART..]\n"
                          "       record DATE DIR programs|images FILE..\n"
                          "       record DATE DIR raw OP..\n");
    return 2;
  }
  static job_t j;
  j.date = argv[1];
  j.dir = argv[2];
  const bool texts = strcmp(j.date, "ptx") == 0;
  const bool from = argc == 6 && strcmp(argv[3], "from") == 0;
  const bool other = argc > 3 && (strcmp(argv[3], "programs") == 0 ||
                                  strcmp(argv[3], "images") == 0 || strcmp(argv[3], "raw") == 0);
  if (!texts && !from && !other && argc != 4) {
    return each_alone(&j, argc, argv);
  }
  if (!open_device(&j)) {
    (void)fprintf(stderr, "record: %s\n", cuda_error());
    return 1;
  }
  if (other && strcmp(argv[3], "raw") != 0) {
    return programs(&j, argc - 4, argv + 4, strcmp(argv[3], "images") == 0);
  }
  if (other) {
    for (int k = 4; k < argc; k++) {
      record_raw(&j, argv[k]);
    }
    return j.failed != 0;
  }
  if (from) {
    j.first = (unsigned)strtoul(argv[5], NULL, 10);
  }
  for (size_t i = 0; i < PARTS; i++) {
    if (is_wanted(argc, argv, parts[i].name) && !one_part(&j, parts[i].name, parts[i].run)) {
      return 1;
    }
  }
  (void)fprintf(stderr, "record: %s: %u not recorded or not as expected\n", cuda_device_name(),
                j.failed);
  return j.failed != 0;
}
