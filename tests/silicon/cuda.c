#include "tests/silicon/cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Of cuda.h, which is not needed: results are 0 for success, handles are pointers. */
enum { ATTRIBUTE_MAJOR = 75, ATTRIBUTE_MINOR = 76, JIT_ERROR_LOG = 5, JIT_ERROR_LOG_SIZE = 6 };
enum { FUNCTION_DYNAMIC_SHARED = 8 };

static struct {
  int (*init)(unsigned);
  int (*driver_version)(int *);
  int (*device_get)(int *, int);
  int (*device_name)(char *, int, int);
  int (*device_attribute)(int *, int, int);
  int (*context_retain)(void **, int);
  int (*context_set)(void *);
  int (*synchronize)(void);
  int (*load)(void **, const void *, unsigned, int *, void **);
  int (*unload)(void *);
  int (*function)(void **, void *, const char *);
  int (*function_set)(void *, int, int);
  int (*alloc)(uint64_t *, size_t);
  int (*free)(uint64_t);
  int (*to_device)(uint64_t, const void *, size_t);
  int (*to_host)(void *, uint64_t, size_t);
  int (*set8)(uint64_t, unsigned char, size_t);
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                void *, void **, void **);
  int (*error_name)(int, const char **);
} cu;
static char error_text[8192], device_text[256];

const char *cuda_error(void) {
  return error_text;
}
const char *cuda_device_name(void) {
  return device_text;
}

static bool done(int result, const char *what) {
  const char *name = NULL;
  if (result == 0) {
    return true;
  }
  if (cu.error_name != NULL) {
    (void)cu.error_name(result, &name);
  }
  (void)snprintf(error_text, sizeof error_text, "%s: error %d%s%s", what, result,
                 name != NULL ? " " : "", name != NULL ? name : "");
  return false;
}

static bool find_calls(void) {
  const struct {
    void *to;
    const char *name;
  } calls[] = {{&cu.init, "cuInit"},
               {&cu.driver_version, "cuDriverGetVersion"},
               {&cu.device_get, "cuDeviceGet"},
               {&cu.device_name, "cuDeviceGetName"},
               {&cu.device_attribute, "cuDeviceGetAttribute"},
               {&cu.context_retain, "cuDevicePrimaryCtxRetain"},
               {&cu.context_set, "cuCtxSetCurrent"},
               {&cu.synchronize, "cuCtxSynchronize"},
               {&cu.load, "cuModuleLoadDataEx"},
               {&cu.unload, "cuModuleUnload"},
               {&cu.function, "cuModuleGetFunction"},
               {&cu.function_set, "cuFuncSetAttribute"},
               {&cu.alloc, "cuMemAlloc_v2"},
               {&cu.free, "cuMemFree_v2"},
               {&cu.to_device, "cuMemcpyHtoD_v2"},
               {&cu.to_host, "cuMemcpyDtoH_v2"},
               {&cu.set8, "cuMemsetD8_v2"},
               {&cu.launch, "cuLaunchKernel"},
               {&cu.error_name, "cuGetErrorName"}};
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == NULL) {
    (void)snprintf(error_text, sizeof error_text, "no CUDA driver: %s", dlerror());
    return false;
  }
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    void *symbol = dlsym(library, calls[i].name);
    if (symbol == NULL) {
      (void)snprintf(error_text, sizeof error_text, "the CUDA driver has no %s", calls[i].name);
      return false;
    }
    memcpy(calls[i].to, &symbol, sizeof symbol);
  }
  return true;
}

bool cuda_open(void) {
  int device = 0, version = 0, major = 0, minor = 0;
  char driver[64] = "unknown";
  char name[128] = "";
  void *context = NULL;
  if (!find_calls() || !done(cu.init(0), "cuInit") ||
      !done(cu.driver_version(&version), "cuDriverGetVersion") ||
      !done(cu.device_get(&device, 0), "cuDeviceGet") ||
      !done(cu.device_name(name, (int)sizeof name, device), "cuDeviceGetName") ||
      !done(cu.device_attribute(&major, ATTRIBUTE_MAJOR, device), "cuDeviceGetAttribute") ||
      !done(cu.device_attribute(&minor, ATTRIBUTE_MINOR, device), "cuDeviceGetAttribute") ||
      !done(cu.context_retain(&context, device), "cuDevicePrimaryCtxRetain") ||
      !done(cu.context_set(context), "cuCtxSetCurrent")) {
    return false;
  }
  FILE *f = fopen("/sys/module/nvidia/version", "r");
  if (f != NULL) {
    if (fscanf(f, "%63s", driver) != 1) {
      (void)snprintf(driver, sizeof driver, "unknown");
    }
    (void)fclose(f);
  }
  (void)snprintf(device_text, sizeof device_text, "%s, sm_%d%d, driver %s (API %d.%d)", name, major,
                 minor, driver, version / 1000, version % 1000 / 10);
  return true;
}

bool cuda_load(const char *ptx, const char *entry, cuda_function_t *out) {
  static char log[4096];
  int options[2] = {JIT_ERROR_LOG, JIT_ERROR_LOG_SIZE};
  void *values[2] = {log, (void *)(uintptr_t)sizeof log};
  log[0] = '\0';
  *out = (cuda_function_t){NULL, NULL};
  if (!done(cu.load(&out->module, ptx, 2, options, values), "cuModuleLoadDataEx")) {
    size_t used = strlen(error_text);
    (void)snprintf(error_text + used, sizeof error_text - used, ": %s", log);
    return false;
  }
  return done(cu.function(&out->entry, out->module, entry), "cuModuleGetFunction");
}

void cuda_unload(cuda_function_t *function) {
  if (function->module != NULL) {
    (void)cu.unload(function->module);
  }
  *function = (cuda_function_t){NULL, NULL};
}

bool cuda_alloc(size_t bytes, uint64_t *out) {
  return done(cu.alloc(out, bytes), "cuMemAlloc");
}
void cuda_free(uint64_t address) {
  (void)cu.free(address);
}
bool cuda_write(uint64_t to, const void *from, size_t bytes) {
  return done(cu.to_device(to, from, bytes), "cuMemcpyHtoD");
}
bool cuda_read(void *to, uint64_t from, size_t bytes) {
  return done(cu.to_host(to, from, bytes), "cuMemcpyDtoH");
}
bool cuda_zero(uint64_t to, size_t bytes) {
  return done(cu.set8(to, 0, bytes), "cuMemsetD8");
}

bool cuda_launch(const cuda_function_t *function, const uint32_t grid[3], const uint32_t block[3],
                 uint32_t shared, void **args) {
  if (shared > 48 * 1024 &&
      !done(cu.function_set(function->entry, FUNCTION_DYNAMIC_SHARED, (int)shared),
            "cuFuncSetAttribute")) {
    return false;
  }
  return done(cu.launch(function->entry, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                        shared, NULL, args, NULL),
              "cuLaunchKernel") &&
         done(cu.synchronize(), "cuCtxSynchronize");
}
