/* Random programs (tests/random) from their files. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/digest.h"
#include "tests/common/read_file.h"
#include "tests/random/program.h"
#include "tests/silicon/cuda.h"
#include "tests/silicon/record.h"

/* The kernel's name: there is one in a program. */
static bool entry(const char *text, char *to, size_t cap) {
  const char *at = strstr(text, ".entry ");
  if (at == NULL) {
    return false;
  }
  at += strlen(".entry ");
  (void)snprintf(to, cap, "%.*s", (int)strcspn(at, " \t\n("), at);
  return true;
}

/* Runs it; `digest` of the bytes of all buffers, in the order of the arguments, which `image` gets,
 * too. */
static bool run(const rp_launch_t *l, const char *text, const char *name, uint64_t *digest,
                FILE *image) {
  uint64_t address[RP_MAX_ARGS] = {0};
  uint8_t *bytes[RP_MAX_ARGS] = {NULL};
  void *args[RP_MAX_ARGS] = {NULL};
  cuda_function_t f = {NULL, NULL};
  bool ok = cuda_load(text, name, &f);
  for (uint32_t i = 0; i < l->nargs && ok; i++) {
    bytes[i] = malloc(l->arg[i].bytes);
    ok = bytes[i] != NULL;
    if (ok) {
      rp_fill(l, i, bytes[i]);
      args[i] = bytes[i];
    }
    if (ok && l->arg[i].buffer) {
      args[i] = &address[i];
      ok = cuda_alloc(l->arg[i].bytes, &address[i]) &&
           cuda_write(address[i], bytes[i], l->arg[i].bytes);
    }
  }
  ok = ok && cuda_launch(&f, l->grid, l->block, 0, args);
  *digest = WL_DIGEST_START;
  for (uint32_t i = 0; i < l->nargs; i++) {
    if (address[i] != 0) {
      ok = ok && cuda_read(bytes[i], address[i], l->arg[i].bytes);
      for (uint32_t k = 0; k < l->arg[i].bytes && ok; k++) {
        *digest = wl_digest(*digest, bytes[i][k]);
      }
      ok = ok && (image == NULL || fwrite(bytes[i], l->arg[i].bytes, 1, image) == 1);
      cuda_free(address[i]);
    }
    free(bytes[i]);
  }
  cuda_unload(&f);
  return ok;
}

void record_program(job_t *j, const char *path, bool images) {
  char why[256] = "", name[64] = "";
  size_t size = 0;
  uint64_t digest = 0;
  rp_launch_t launch;
  char *text = wl_read_file(path, &size), to[4096];
  const char *base = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
  (void)snprintf(to, sizeof to, "%s/%.*s.bin", j->dir, (int)strcspn(base, "."), base);
  FILE *image = images ? fopen(to, "wb") : NULL;
  if (text == NULL || !rp_parse(text, &launch, why, sizeof why) ||
      !entry(text, name, sizeof name)) {
    (void)fprintf(stderr, "record: %s: is no program that says its launch: %s\n", path, why);
    j->failed++;
  } else if (!run(&launch, text, name, &digest, image)) {
    record_failed(j, path);
  } else {
    (void)fprintf(j->out, "%.*s %016" PRIx64 "\n", (int)strcspn(base, "."), base, digest);
    (void)fflush(j->out);
  }
  if (image != NULL) {
    (void)fclose(image);
  }
  free(text);
}
