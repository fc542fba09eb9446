/*
 * wl_kernel_tool: prints and exports the kernel corpus (architecture "Driver": SPEC grammar).
 *   list                          kernel, case, tier, launch
 *   self-check                    every case prepared twice alike, verifies its own expectation,
 *                                 detects a changed byte; each kernel's own self-check
 *   manifest KERNEL               the text of tests/kernels/KERNEL/manifest
 *   export KERNEL CASE DIR        input and expected files in DIR; prints the warplock arguments
 * Deliberately runs nothing on any backend.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kernels/common/kernel_case.h"

static void print_dims(const char *option, const uint32_t dims[3]) {
  printf(" %s %" PRIu32 ",%" PRIu32 ",%" PRIu32, option, dims[0], dims[1], dims[2]);
}

static void print_hex(const unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    printf("%02x", bytes[i]);
  }
}

/* A written buffer that starts as zeros: `out:` in the SPEC grammar, needs no input file. */
static bool is_zeroed(const wl_kernel_arg_t *arg) {
  for (size_t i = 0; i < arg->size; i++) {
    if (arg->data[i] != 0) {
      return false;
    }
  }
  return arg->written;
}

/* Scalars in the SPEC grammar. Floats as b32 bits: a decimal could round. */
static void print_scalar(const wl_kernel_arg_t *arg) {
  uint64_t bits = 0;
  memcpy(&bits, arg->data, arg->size);
  if (arg->type[0] == 's') {
    uint64_t sign = UINT64_C(1) << (arg->size * 8 - 1);
    printf("%s:%" PRId64, arg->type, (int64_t)((bits ^ sign) - sign));
  } else if (arg->type[0] == 'u') {
    printf("%s:%" PRIu64, arg->type, bits);
  } else {
    printf("b%zu:0x%0*" PRIx64, arg->size * 8, (int)(arg->size * 2), bits);
  }
}

static void print_arg(const wl_kernel_case_t *kcase, size_t index, const wl_kernel_arg_t *arg,
                      const char *dir) {
  if (arg->kind == WL_ARG_SCALAR) {
    print_scalar(arg);
  } else if (arg->kind == WL_ARG_STRUCT) {
    printf("bytes:");
    print_hex(arg->data, arg->size);
  } else if (!arg->written) {
    printf("in:%s%s.%zu.in", dir, kcase->name, index);
  } else {
    if (is_zeroed(arg)) {
      printf("out:%zu:%s%s.%zu.out", arg->size, dir, kcase->name, index);
    } else {
      printf("inout:%s%s.%zu.in:%s%s.%zu.out", dir, kcase->name, index, dir, kcase->name, index);
    }
  }
}

static void print_launch(const wl_kernel_case_t *kcase, const wl_kernel_launch_t *launch,
                         const char *dir) {
  printf("--kernel %s", kcase->entry);
  print_dims("--grid", kcase->grid);
  print_dims("--block", kcase->block);
  if (kcase->dynamic_shared != 0) {
    printf(" --shared %" PRIu32, kcase->dynamic_shared);
  }
  for (size_t i = 0; i < launch->arg_count; i++) {
    printf(" --arg ");
    print_arg(kcase, i, &launch->arg[i], dir);
  }
  for (size_t i = 0; i < launch->arg_count; i++) {
    if (launch->arg[i].expected != NULL) {
      printf(" --expect %zu=%s%s.%zu.want", i, dir, kcase->name, i);
    }
  }
  printf("\n");
}

static const wl_kernel_case_t *find_case(const char *kernel, const char *name) {
  const wl_kernel_t *found = wl_kernel_find(kernel);
  for (size_t i = 0; found != NULL && i < found->case_count; i++) {
    if (strcmp(found->cases[i].name, name) == 0) {
      return &found->cases[i];
    }
  }
  return NULL;
}

static const char *tier_name(const wl_kernel_case_t *kcase) {
  return kcase->tier == WL_TIER_SMOKE ? "smoke" : "campaign";
}

static void print_variants(uint32_t variants, const char *separator) {
  const char *before = "";
  for (uint32_t bit = 0; bit < WL_PTX_COUNT; bit++) {
    if ((variants >> bit & 1u) != 0) {
      printf("%s%s", before, wl_kernel_variant_name(bit));
      before = separator;
    }
  }
}

static int list(void) {
  size_t count = 0;
  const wl_kernel_t *const *kernels = wl_kernel_cases(&count);
  for (size_t k = 0; k < count; k++) {
    for (size_t i = 0; i < kernels[k]->case_count; i++) {
      const wl_kernel_case_t *kcase = &kernels[k]->cases[i];
      printf("%-12s %-20s %-8s", kernels[k]->name, kcase->name, tier_name(kcase));
      print_dims("grid", kcase->grid);
      print_dims("block", kcase->block);
      printf("\n");
    }
  }
  return 0;
}

static int manifest(const wl_kernel_t *kernel) {
  uint32_t threads = 0;
  uint32_t dynamic = 0;
  for (size_t i = 0; i < kernel->case_count; i++) {
    uint32_t cta = wl_kernel_threads_per_cta(&kernel->cases[i]);
    threads = cta > threads ? cta : threads;
    dynamic = kernel->cases[i].dynamic_shared > dynamic ? kernel->cases[i].dynamic_shared : dynamic;
  }
  printf("# Made by `wl_kernel_tool manifest %s` from host.c; the self-check test compares.\n",
         kernel->name);
  printf("kernel: %s\nptx: ", kernel->name);
  print_variants(kernel->variants, " ");
  printf("\nrequires: registers=%" PRIu32 " threads=%" PRIu32 " shared=%" PRIu32,
         kernel->requires_registers, threads, kernel->requires_shared + dynamic);
  if (kernel->requires_resident_ctas != 0) {
    printf(" resident_ctas=%" PRIu32, kernel->requires_resident_ctas);
  }
  if (kernel->requires_option != NULL) {
    printf("\noption: %s", kernel->requires_option);
  }
  printf("\nresult: %s\n", kernel->result == WL_RESULT_EXACT ? "exact" : "checker");
  for (size_t i = 0; i < kernel->case_count; i++) {
    const wl_kernel_case_t *kcase = &kernel->cases[i];
    wl_kernel_launch_t launch;
    bool ok = wl_kernel_prepare(kcase, &launch);
    printf("case: %s tier=%s", kcase->name, tier_name(kcase));
    if (kcase->variants != 0) {
      printf(" ptx=");
      print_variants(kcase->variants, ",");
    }
    printf("\n  ");
    if (ok) {
      print_launch(kcase, &launch, "");
    }
    wl_kernel_launch_free(&launch);
    if (!ok) {
      return 1;
    }
  }
  return 0;
}

static bool write_file(const char *dir, const wl_kernel_case_t *kcase, size_t index,
                       const char *suffix, const unsigned char *data, size_t size) {
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/%s.%zu.%s", dir, kcase->name, index, suffix);
  if (length < 0 || (size_t)length >= sizeof path) {
    fprintf(stderr, "path too long\n");
    return false;
  }
  FILE *file = fopen(path, "wb");
  bool ok = file != NULL && fwrite(data, 1, size, file) == size;
  ok = file != NULL && fclose(file) == 0 && ok;
  if (!ok) {
    fprintf(stderr, "%s: cannot write\n", path);
  }
  return ok;
}

static int export_case(const wl_kernel_case_t *kcase, const char *dir) {
  wl_kernel_launch_t launch;
  bool ok = wl_kernel_prepare(kcase, &launch);
  for (size_t i = 0; ok && i < launch.arg_count; i++) {
    const wl_kernel_arg_t *arg = &launch.arg[i];
    if (arg->kind == WL_ARG_BUFFER && !is_zeroed(arg)) {
      ok = write_file(dir, kcase, i, "in", arg->data, arg->size);
    }
    if (ok && arg->expected != NULL) {
      ok = write_file(dir, kcase, i, "want", arg->expected, arg->size);
    }
  }
  if (ok) {
    char prefix[4096];
    (void)snprintf(prefix, sizeof prefix, "%s/", dir);
    print_launch(kcase, &launch, prefix);
  }
  wl_kernel_launch_free(&launch);
  return ok ? 0 : 1;
}

/* Gathers what a right backend would leave in the buffers. */
static void expected_results(const wl_kernel_launch_t *launch, const unsigned char **result) {
  for (size_t i = 0; i < launch->arg_count; i++) {
    const wl_kernel_arg_t *arg = &launch->arg[i];
    result[i] = arg->expected != NULL ? arg->expected : arg->data;
  }
}

static const char *check_pair(const wl_kernel_case_t *kcase, wl_kernel_launch_t *one,
                              wl_kernel_launch_t *two) {
  const unsigned char *result[WL_KERNEL_MAX_ARGS] = {NULL};
  char message[256];
  bool any_expected = kcase->check != NULL;
  if (one->arg_count != two->arg_count) {
    return "argument count changes";
  }
  for (size_t i = 0; i < one->arg_count; i++) {
    const wl_kernel_arg_t *arg = &one->arg[i];
    if (memcmp(arg->data, two->arg[i].data, arg->size) != 0 ||
        (arg->expected != NULL && memcmp(arg->expected, two->arg[i].expected, arg->size) != 0)) {
      return "prepare is not deterministic";
    }
    any_expected = any_expected || arg->expected != NULL;
  }
  if (!any_expected) {
    return "nothing is checked";
  }
  expected_results(two, result);
  if (kcase->check == NULL && !wl_kernel_verify(kcase, one, result, message, sizeof message)) {
    return "own expectation fails";
  }
  for (size_t i = 0; i < two->arg_count; i++) {
    if (two->arg[i].expected != NULL) {
      two->arg[i].expected[two->arg[i].size - 1] ^= 0x10;
      if (wl_kernel_verify(kcase, one, result, message, sizeof message)) {
        return "a changed last byte passes";
      }
      two->arg[i].expected[two->arg[i].size - 1] ^= 0x10;
    }
  }
  return NULL;
}

static int self_check(void) {
  size_t count = 0;
  size_t cases = 0;
  int failures = 0;
  const wl_kernel_t *const *kernels = wl_kernel_cases(&count);
  for (size_t k = 0; k < count; k++) {
    const char *wrong = kernels[k]->self_check != NULL ? kernels[k]->self_check() : NULL;
    if (wrong != NULL) {
      fprintf(stderr, "%s: self-check: %s\n", kernels[k]->name, wrong);
      failures++;
    }
    for (size_t i = 0; i < kernels[k]->case_count; i++, cases++) {
      const wl_kernel_case_t *kcase = &kernels[k]->cases[i];
      wl_kernel_launch_t one;
      wl_kernel_launch_t two;
      bool ok = wl_kernel_prepare(kcase, &one);
      ok = wl_kernel_prepare(kcase, &two) && ok;
      wrong = ok ? check_pair(kcase, &one, &two) : "out of memory";
      wl_kernel_launch_free(&one);
      wl_kernel_launch_free(&two);
      if (wrong != NULL) {
        fprintf(stderr, "%s/%s: %s\n", kernels[k]->name, kcase->name, wrong);
        failures++;
      }
    }
  }
  printf("%zu kernels, %zu cases, %d failures\n", count, cases, failures);
  return failures == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "list") == 0) {
    return list();
  }
  if (argc == 2 && strcmp(argv[1], "self-check") == 0) {
    return self_check();
  }
  if (argc == 3 && strcmp(argv[1], "manifest") == 0 && wl_kernel_find(argv[2]) != NULL) {
    return manifest(wl_kernel_find(argv[2]));
  }
  if (argc == 5 && strcmp(argv[1], "export") == 0 && find_case(argv[2], argv[3]) != NULL) {
    return export_case(find_case(argv[2], argv[3]), argv[4]);
  }
  fprintf(stderr, "usage: %s list | self-check | manifest KERNEL | export KERNEL CASE DIR\n",
          argv[0]);
  return 2;
}
