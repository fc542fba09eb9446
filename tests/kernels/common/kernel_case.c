/*
 * Kernel corpus: argument lists, inputs, comparison of results. Contract in kernel_case.h.
 * Deliberately does no file access: exporting cases to files is kernel_tool.c.
 */
#include "tests/kernels/common/kernel_case.h"

#include "tests/common/digest.h"
#include "tests/common/splitmix.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WL_KERNEL(name) extern const wl_kernel_t wl_kernel_##name;
#include "tests/kernels/common/kernel_list.def"
#undef WL_KERNEL

static const wl_kernel_t *const kernel_table[] = {
#define WL_KERNEL(name) &wl_kernel_##name,
#include "tests/kernels/common/kernel_list.def"
#undef WL_KERNEL
};

const wl_kernel_t *const *wl_kernel_cases(size_t *count) {
  *count = WL_COUNT(kernel_table);
  return kernel_table;
}

const wl_kernel_t *wl_kernel_find(const char *name) {
  for (size_t i = 0; i < WL_COUNT(kernel_table); i++) {
    if (strcmp(kernel_table[i]->name, name) == 0) {
      return kernel_table[i];
    }
  }
  return NULL;
}

const char *wl_kernel_variant_name(uint32_t index) {
  static const char *const names[WL_PTX_COUNT] = {
      "nvcc", "nvcc_g", "nvcc_lineinfo", "nvcc_sm90", "nvcc_sm100", "clang", "hand"};
  return index < WL_PTX_COUNT ? names[index] : "?";
}

bool wl_kernel_listed(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; at != NULL; at = strchr(at, ',')) {
    at += *at == ',';
    if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == 0)) {
      return true;
    }
  }
  return list == NULL || strcmp(list, "all") == 0;
}

uint32_t wl_kernel_threads_per_cta(const wl_kernel_case_t *kcase) {
  return kcase->block[0] * kcase->block[1] * kcase->block[2];
}

bool wl_kernel_prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  memset(launch, 0, sizeof *launch);
  kcase->prepare(kcase, launch);
  return !launch->failed;
}

void wl_kernel_launch_free(wl_kernel_launch_t *launch) {
  for (size_t i = 0; i < launch->arg_count; i++) {
    free(launch->arg[i].data);
    free(launch->arg[i].expected);
  }
  memset(launch, 0, sizeof *launch);
}

/* Appends an argument with zeroed data; NULL and `failed` when it cannot. */
static wl_kernel_arg_t *add_arg(wl_kernel_launch_t *launch, wl_kernel_arg_kind_t kind, size_t size,
                                bool with_expected) {
  if (launch->failed || launch->arg_count == WL_KERNEL_MAX_ARGS) {
    launch->failed = true;
    return NULL;
  }
  wl_kernel_arg_t *arg = &launch->arg[launch->arg_count++];
  arg->kind = kind;
  arg->type = "";
  arg->size = size;
  arg->data = calloc(1, size);
  arg->expected = with_expected ? calloc(1, size) : NULL;
  if (arg->data == NULL || (with_expected && arg->expected == NULL)) {
    launch->failed = true;
    return NULL;
  }
  return arg;
}

void wl_arg_scalar(wl_kernel_launch_t *launch, const char *type, const void *value, size_t size) {
  wl_kernel_arg_t *arg = add_arg(launch, WL_ARG_SCALAR, size, false);
  if (arg != NULL) {
    arg->type = type;
    memcpy(arg->data, value, size);
  }
}

void wl_arg_u32(wl_kernel_launch_t *launch, uint32_t value) {
  wl_arg_scalar(launch, "u32", &value, sizeof value);
}

void wl_arg_s32(wl_kernel_launch_t *launch, int32_t value) {
  wl_arg_scalar(launch, "s32", &value, sizeof value);
}

void wl_arg_u64(wl_kernel_launch_t *launch, uint64_t value) {
  wl_arg_scalar(launch, "u64", &value, sizeof value);
}

void wl_arg_f32(wl_kernel_launch_t *launch, float value) {
  wl_arg_scalar(launch, "f32", &value, sizeof value);
}

void wl_arg_struct(wl_kernel_launch_t *launch, const void *bytes, size_t size) {
  wl_kernel_arg_t *arg = add_arg(launch, WL_ARG_STRUCT, size, false);
  if (arg != NULL) {
    memcpy(arg->data, bytes, size);
  }
}

void *wl_arg_in(wl_kernel_launch_t *launch, size_t size) {
  wl_kernel_arg_t *arg = add_arg(launch, WL_ARG_BUFFER, size, false);
  return arg != NULL ? arg->data : NULL;
}

void *wl_arg_out(wl_kernel_launch_t *launch, size_t size) {
  wl_kernel_arg_t *arg = add_arg(launch, WL_ARG_BUFFER, size, true);
  if (arg == NULL) {
    return NULL;
  }
  arg->written = true;
  return arg->expected;
}

void *wl_arg_inout(wl_kernel_launch_t *launch, size_t size, void **expected) {
  wl_kernel_arg_t *arg = add_arg(launch, WL_ARG_BUFFER, size, true);
  if (arg == NULL) {
    *expected = NULL;
    return NULL;
  }
  arg->written = true;
  *expected = arg->expected;
  return arg->data;
}

bool wl_arg_scratch(wl_kernel_launch_t *launch, size_t size) {
  wl_kernel_arg_t *arg = add_arg(launch, WL_ARG_BUFFER, size, false);
  if (arg != NULL) {
    arg->written = true;
  }
  return arg != NULL;
}

/* Compares in 32-bit words where the buffer has them: a word is what a reader can interpret. */
static bool compare_buffer(size_t index, const unsigned char *got, const unsigned char *want,
                           size_t size, char *message, size_t message_size) {
  size_t bad = 0;
  size_t first = size;
  size_t unit = size % 4 == 0 ? 4 : 1;
  for (size_t at = 0; at < size; at += unit) {
    if (memcmp(got + at, want + at, unit) != 0) {
      first = first == size ? at : first;
      bad++;
    }
  }
  if (bad == 0) {
    return true;
  }
  uint32_t got_word = 0;
  uint32_t want_word = 0;
  memcpy(&got_word, got + first, unit);
  memcpy(&want_word, want + first, unit);
  (void)snprintf(message, message_size,
                 "argument %zu: %zu of %zu %zu-byte units differ, first at byte %zu: got 0x%08x, "
                 "expected 0x%08x",
                 index, bad, size / unit, unit, first, (unsigned)got_word, (unsigned)want_word);
  return false;
}

bool wl_kernel_verify(const wl_kernel_case_t *kcase, const wl_kernel_launch_t *launch,
                      const unsigned char *const *result, char *message, size_t message_size) {
  for (size_t i = 0; i < launch->arg_count; i++) {
    const wl_kernel_arg_t *arg = &launch->arg[i];
    const unsigned char *want = arg->written ? arg->expected : arg->data;
    if (arg->kind == WL_ARG_BUFFER && want != NULL &&
        !compare_buffer(i, result[i], want, arg->size, message, message_size)) {
      return false;
    }
  }
  const char *wrong = kcase->check != NULL ? kcase->check(kcase, launch, result) : NULL;
  if (wrong != NULL) {
    (void)snprintf(message, message_size, "%s", wrong);
    return false;
  }
  return true;
}

uint64_t wl_kernel_digest(const wl_kernel_launch_t *launch, const unsigned char *const *result) {
  uint64_t hash = WL_DIGEST_START;
  for (size_t i = 0; i < launch->arg_count; i++) {
    for (size_t k = 0; result[i] != NULL && k < launch->arg[i].size; k++) {
      hash = wl_digest(hash, result[i][k]);
    }
  }
  return hash;
}

uint64_t wl_rng_u64(wl_rng_t *rng) { return wl_splitmix64(&rng->state); }

uint32_t wl_rng_u32(wl_rng_t *rng) { return (uint32_t)(wl_rng_u64(rng) >> 32); }

uint32_t wl_rng_below(wl_rng_t *rng, uint32_t limit) {
  return (uint32_t)(((uint64_t)wl_rng_u32(rng) * limit) >> 32);
}

float wl_rng_float(wl_rng_t *rng, float low, float high) {
  float unit = (float)(wl_rng_u32(rng) >> 8) * 0x1p-24f;
  return low + (high - low) * unit;
}
