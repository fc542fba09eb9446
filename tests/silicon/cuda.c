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
  int (*context_reset)(int);
  int (*synchronize)(void);
  int (*load)(void **, const void *, unsigned, int *, void **);
  int (*unload)(void *);
  int (*function)(void **, void *, const char *);
  int (*function_set)(void *, int, int);
  int (*alloc)(uint64_t *, size_t);
  int (*free)(uint64_t);
  int (*to_device)(uint64_t, const void *, size_t);
  int (*to_host)(void *, uint64_t, size_t);
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                void *, void **, void **);
  int (*error_name)(int, const char **);
  int (*map_tiled)(void *, int, uint32_t, uint64_t, const uint64_t *, const uint64_t *,
                   const uint32_t *, const uint32_t *, int, int, int, int);
} cu;
static char error_text[8192], device_text[256];
static const char *print_dir;

const char *cuda_error(void) { return error_text; }
const char *cuda_device_name(void) { return device_text; }

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
               {&cu.context_reset, "cuDevicePrimaryCtxReset_v2"},
               {&cu.synchronize, "cuCtxSynchronize"},
               {&cu.load, "cuModuleLoadDataEx"},
               {&cu.unload, "cuModuleUnload"},
               {&cu.function, "cuModuleGetFunction"},
               {&cu.function_set, "cuFuncSetAttribute"},
               {&cu.alloc, "cuMemAlloc_v2"},
               {&cu.free, "cuMemFree_v2"},
               {&cu.to_device, "cuMemcpyHtoD_v2"},
               {&cu.to_host, "cuMemcpyDtoH_v2"},
               {&cu.launch, "cuLaunchKernel"},
               {&cu.error_name, "cuGetErrorName"},
               {&cu.map_tiled, "cuTensorMapEncodeTiled"}};
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

void cuda_print_to(const char *dir) {
  print_dir = dir;
  (void)snprintf(device_text, sizeof device_text, "no device; machine code of ptxas, interpreted");
}

static bool write_file(unsigned number, const char *ending, const void *bytes, size_t size) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/%04u.%s", print_dir, number, ending);
  FILE *f = fopen(path, "wb");
  bool ok = f != NULL && fwrite(bytes, 1, size, f) == size;
  ok = f != NULL && fclose(f) == 0 && ok;
  if (!ok) {
    (void)snprintf(error_text, sizeof error_text, "cannot write %s", path);
  }
  return ok;
}

/* The text and the first buffer; results of the last one, if somebody has put them there. */
static bool print_run(const char *ptx, const cuda_arg_t *arg, size_t count) {
  static unsigned number;
  char path[4096];
  const cuda_arg_t *last = &arg[count - 1];
  bool ok = write_file(number, "ptx", ptx, strlen(ptx)) &&
            (!arg->buffer || arg->data == NULL || write_file(number, "in", arg->data, arg->bytes));
  (void)snprintf(path, sizeof path, "%s/%04u.out", print_dir, number++);
  FILE *f = last->result != NULL ? fopen(path, "rb") : NULL;
  if (f != NULL) {
    ok = fread(last->result, 1, last->bytes, f) == last->bytes && ok;
    (void)fclose(f);
  }
  return ok;
}

static bool load(const char *ptx, const char *entry, void **module, void **function) {
  static char log[4096];
  int options[2] = {JIT_ERROR_LOG, JIT_ERROR_LOG_SIZE};
  void *values[2] = {log, (void *)(uintptr_t)sizeof log};
  log[0] = '\0';
  if (!done(cu.load(module, ptx, 2, options, values), "cuModuleLoadDataEx")) {
    size_t used = strlen(error_text);
    (void)snprintf(error_text + used, sizeof error_text - used, ": %s", log);
    return false;
  }
  return done(cu.function(function, *module, entry), "cuModuleGetFunction");
}

/* A kernel that fails leaves a context in which nothing works any more: the next one is new. */
static void new_context(void) {
  void *context = NULL;
  if (cu.context_reset(0) == 0 && cu.context_retain(&context, 0) == 0) {
    (void)cu.context_set(context);
  }
}

static bool launch(void *function, const cuda_grid_t *grid, void **values) {
  const uint32_t *g = grid->ctas, *b = grid->threads;
  return (grid->shared <= 48 * 1024 ||
          done(cu.function_set(function, FUNCTION_DYNAMIC_SHARED, (int)grid->shared),
               "cuFuncSetAttribute")) &&
         done(cu.launch(function, g[0], g[1], g[2], b[0], b[1], b[2], grid->shared, NULL, values,
                        NULL),
              "cuLaunchKernel") &&
         done(cu.synchronize(), "cuCtxSynchronize");
}

static bool encode_map(void *to, const cuda_map_t *map, uint64_t address) {
  const uint64_t size[] = {map->size[0], map->size[1]};
  const uint32_t steps[] = {1, 1};
  return done(cu.map_tiled(to, (int)map->type, 2, address, size, &map->stride, map->box, steps, 0,
                           (int)map->swizzle, 0, map->nan),
              "cuTensorMapEncodeTiled");
}

bool cuda_run(const char *ptx, const char *entry, const cuda_grid_t *grid, const cuda_arg_t *arg,
              size_t count) {
  uint64_t address[CUDA_MAX_ARGS] = {0};
  void *values[CUDA_MAX_ARGS] = {NULL}, *module = NULL, *function = NULL;
  if (print_dir != NULL) {
    return print_run(ptx, arg, count);
  }
  bool ok = load(ptx, entry, &module, &function);
  _Alignas(64) unsigned char map[128];
  for (size_t i = 0; i < count && ok; i++) {
    if (arg[i].map != NULL) {
      values[i] = map;
      ok = encode_map(map, arg[i].map, address[0]);
      continue;
    }
    values[i] = (void *)(uintptr_t)arg[i].data;
    if (arg[i].buffer) {
      values[i] = &address[i];
      ok = done(cu.alloc(&address[i], arg[i].bytes), "cuMemAlloc") &&
           (arg[i].data == NULL ||
            done(cu.to_device(address[i], arg[i].data, arg[i].bytes), "cuMemcpyHtoD"));
    }
  }
  ok = ok && launch(function, grid, values);
  for (size_t i = 0; i < count; i++) {
    if (ok && arg[i].result != NULL) {
      ok = done(cu.to_host(arg[i].result, address[i], arg[i].bytes), "cuMemcpyDtoH");
    }
    if (address[i] != 0) {
      (void)cu.free(address[i]);
    }
  }
  if (module != NULL) {
    (void)cu.unload(module);
  }
  if (!ok && module != NULL) {
    new_context();
  }
  return ok;
}
