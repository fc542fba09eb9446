/* The kernel corpus (tests/kernels). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/read_file.h"
#include "tests/kernels/common/kernel_case.h"
#include "tests/silicon/cuda.h"
#include "tests/silicon/record.h"

static bool run_case(const wl_kernel_case_t *kcase, const char *text,
                     const wl_kernel_launch_t *launch, char *message, size_t cap,
                     uint64_t *digest) {
  cuda_grid_t grid = {.shared = kcase->dynamic_shared};
  cuda_arg_t args[WL_KERNEL_MAX_ARGS];
  unsigned char *result[WL_KERNEL_MAX_ARGS] = {NULL};
  bool ok = true;
  memcpy(grid.ctas, kcase->grid, sizeof grid.ctas);
  memcpy(grid.threads, kcase->block, sizeof grid.threads);
  for (size_t i = 0; i < launch->arg_count && ok; i++) {
    const wl_kernel_arg_t *arg = &launch->arg[i];
    bool buffer = arg->kind == WL_ARG_BUFFER;
    result[i] = buffer ? malloc(arg->size) : NULL;
    ok = !buffer || result[i] != NULL;
    args[i] =
        (cuda_arg_t){.buffer = buffer, .data = arg->data, .result = result[i], .bytes = arg->size};
  }
  ok = ok && cuda_run(text, kcase->entry, &grid, args, launch->arg_count);
  if (!ok) {
    (void)snprintf(message, cap, "%s", cuda_error());
  }
  ok = ok && wl_kernel_verify(kcase, launch, (const unsigned char *const *)result, message, cap);
  *digest = ok ? wl_kernel_digest(launch, (const unsigned char *const *)result) : 0;
  for (size_t i = 0; i < launch->arg_count; i++) {
    free(result[i]);
  }
  return ok;
}

static void one_kernel(job_t *j, const wl_kernel_t *kernel, const wl_kernel_case_t *kcase,
                       const char *variant) {
  char path[4096], message[2048] = "";
  wl_kernel_launch_t launch;
  uint64_t digest = 0;
  size_t size = 0;
  (void)snprintf(path, sizeof path, "tests/kernels/%s/%s.%s.ptx", kernel->name, kernel->name,
                 variant);
  char *text = wl_read_file(path, &size);
  bool ok = text != NULL && wl_kernel_prepare(kcase, &launch);
  if (!ok) {
    (void)fprintf(stderr, "record: %s: cannot be read\n", path);
    j->failed++;
    free(text);
    return;
  }
  ok = run_case(kcase, text, &launch, message, sizeof message, &digest);
  if (!ok) {
    (void)fprintf(j->out, "# differs: %s %s %s: %s\n", kernel->name, kcase->name, variant, message);
    (void)fprintf(stderr, "record: %s %s %s: %s\n", kernel->name, kcase->name, variant, message);
    j->failed++;
  } else if (kernel->result == WL_RESULT_EXACT) {
    (void)fprintf(j->out, "%s %s %s %016" PRIx64 "\n", kernel->name, kcase->name, variant, digest);
  } else {
    (void)fprintf(j->out, "# as expected: %s %s %s\n", kernel->name, kcase->name, variant);
  }
  (void)fflush(j->out);
  wl_kernel_launch_free(&launch);
  free(text);
}

void record_kernels(job_t *j) {
  size_t count = 0;
  const wl_kernel_t *const *kernel = wl_kernel_cases(&count);
  for (size_t k = 0; k < count; k++) {
    for (size_t i = 0; i < kernel[k]->case_count; i++) {
      const wl_kernel_case_t *kcase = &kernel[k]->cases[i];
      uint32_t variants = kcase->variants != 0 ? kcase->variants : kernel[k]->variants;
      for (uint32_t bit = 0; bit < WL_PTX_COUNT; bit++) {
        if ((variants >> bit & 1u) != 0 && (1u << bit) != WL_PTX_NVCC_SM100) {
          one_kernel(j, kernel[k], kcase, wl_kernel_variant_name(bit));
        }
      }
    }
  }
}
