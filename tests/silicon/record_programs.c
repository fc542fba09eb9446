/* Random programs (tests/random) from their files. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/read_file.h"
#include "tests/random/program.h"
#include "tests/silicon/cuda.h"
#include "tests/silicon/record.h"

/* What all buffers hold at the end, in the order of the arguments, into `image`. */
static bool run(const rp_launch_t *l, const char *text, const char *entry, uint8_t *image) {
  cuda_grid_t grid = {.shared = 0};
  cuda_arg_t args[RP_MAX_ARGS];
  uint8_t *bytes[RP_MAX_ARGS] = {NULL};
  bool ok = true;
  memcpy(grid.ctas, l->grid, sizeof grid.ctas);
  memcpy(grid.threads, l->block, sizeof grid.threads);
  for (uint32_t i = 0, at = 0; i < l->nargs && ok; i++) {
    const rp_arg_t *a = &l->arg[i];
    bytes[i] = malloc(a->bytes);
    ok = bytes[i] != NULL;
    if (ok) {
      rp_fill(l, i, bytes[i]);
      args[i] = (cuda_arg_t){.buffer = a->buffer,
                             .data = bytes[i],
                             .result = a->buffer ? image + at : NULL,
                             .bytes = a->bytes};
      at += a->buffer ? a->bytes : 0;
    }
  }
  ok = ok && cuda_run(text, entry, &grid, args, l->nargs);
  for (uint32_t i = 0; i < l->nargs; i++) {
    free(bytes[i]);
  }
  return ok;
}

void record_program(job_t *j, const char *path, bool images) {
  char why[256] = "", entry[64] = "", name[256];
  size_t size = 0;
  rp_launch_t launch;
  uint8_t *image = NULL;
  char *text = wl_read_file(path, &size);
  const char *base = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
  (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(base, "."), base);
  if (text == NULL || !rp_parse(text, &launch, why, sizeof why) ||
      !rp_entry(text, entry, sizeof entry)) {
    (void)fprintf(stderr, "record: %s: is no program that says its launch: %s\n", path, why);
    j->failed++;
  } else if ((image = malloc(rp_bytes(&launch) + 1)) == NULL || !run(&launch, text, entry, image)) {
    record_failed(j, path);
  } else {
    (void)fprintf(j->out, "%s %016" PRIx64 "\n", name, rp_digest(&launch, image));
    (void)fflush(j->out);
    if (images) {
      record_bytes(j, name, image, rp_bytes(&launch));
    }
  }
  free(image);
  free(text);
}
