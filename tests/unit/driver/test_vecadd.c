/* A vecadd written in machine instructions, through the whole public interface: object, module,
 * memory, launch, results; several configurations and sizes. */
#include <stdio.h>
#include <stdlib.h>

#include "driver/include/warplock.h"
#include "tests/unit/driver/program.h"

static const char vecadd[] = "s2r R0, SR0\n"
                             "s2r R1, SR6\n"
                             "s2r R2, SR3\n"
                             "mad.lo.rrr R0, R1, R2, R0\n"
                             "ldc.b32 R3, c0[RZ+0x218]\n"
                             "setp.s32.rr P0, PT, R0, R3, PT {cmp=ge bop=and}\n"
                             "@P0 exit\n"
                             "ldc.b64 R4:R5, c0[RZ+0x200]\n"
                             "ldc.b64 R6:R7, c0[RZ+0x208]\n"
                             "ldc.b64 R8:R9, c0[RZ+0x210]\n"
                             "mov.i R10, 0x0\n"
                             "mov.i R11, 0x0\n"
                             "mad.wide.s32.rir R12:R13, R0, 0x4, R10:R11\n"
                             "add64.rr R4:R5, R4:R5, R12:R13\n"
                             "add64.rr R6:R7, R6:R7, R12:R13\n"
                             "add64.rr R8:R9, R8:R9, R12:R13\n"
                             "ld.global.b32 R14, [R4:R5]\n"
                             "ld.global.b32 R15, [R6:R7]\n"
                             "add.rr R14, R14, R15\n"
                             "st.global.b32 [R8:R9], R14\n"
                             "exit\n";

static int run(const char *config, uint32_t n, uint32_t block) {
  uint8_t *object = NULL;
  size_t size = 0;
  wl_obj_t *o = wl_obj_new();
  wl_obj_entry_t *e = program_entry(o, "vecadd", vecadd);
  if (e == NULL) {
    return 1;
  }
  wl_obj_add_param(o, e, "a", WL_OBJ_U64, 8, 8, WL_OBJ_NONE, 0);
  wl_obj_add_param(o, e, "b", WL_OBJ_U64, 8, 8, WL_OBJ_NONE, 0);
  wl_obj_add_param(o, e, "c", WL_OBJ_U64, 8, 8, WL_OBJ_NONE, 0);
  wl_obj_add_param(o, e, "n", WL_OBJ_S32, 4, 4, WL_OBJ_NONE, 0);
  if (!program_object(o, &object, &size)) {
    return 1;
  }
  wl_device_options_t options = {.config = config, .seed = 7};
  wl_device_t *device = NULL;
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t a = 0;
  wl_addr_t b = 0;
  wl_addr_t c = 0;
  uint32_t *host = calloc(n, 4);
  int bad = wl_device_open(&options, &device) != WL_OK ||
            wl_module_load(device, "vecadd.wlo", object, size, NULL, &module) != WL_OK ||
            wl_module_function(module, "vecadd", &function) != WL_OK ||
            wl_alloc(device, 4 * (uint64_t)n, &a) != WL_OK ||
            wl_alloc(device, 4 * (uint64_t)n, &b) != WL_OK ||
            wl_alloc(device, 4 * (uint64_t)n, &c) != WL_OK;
  for (uint32_t i = 0; i < n; i++)
    host[i] = i * 2654435761u;
  bad = bad || wl_write(device, a, host, 4 * (uint64_t)n) != WL_OK;
  for (uint32_t i = 0; i < n; i++)
    host[i] = ~i;
  bad = bad || wl_write(device, b, host, 4 * (uint64_t)n) != WL_OK;
  wl_launch_t launch = {.grid = {(n + block - 1) / block, 1, 1}, .block = {block, 1, 1}};
  int32_t count = (int32_t)n;
  wl_arg_t args[] = {WL_ARG(a), WL_ARG(b), WL_ARG(c), WL_ARG(count)};
  wl_result_t result;
  bad = bad || wl_launch(function, &launch, args, 4, &result) != WL_OK ||
        wl_read(device, host, c, 4 * (uint64_t)n) != WL_OK;
  if (bad) {
    printf("%s n %u: %s\n", config, n, wl_error(device));
  }
  for (uint32_t i = 0; !bad && i < n; i++) {
    uint32_t want = i * 2654435761u + ~i;
    if (host[i] != want) {
      printf("%s n %u: element %u: got 0x%08x, expected 0x%08x\n", config, n, i, host[i], want);
      bad = 1;
    }
  }
  free(host);
  free(object);
  wl_device_close(device);
  return bad;
}

int main(void) {
  int bad = run("tiny", 1, 1) + run("tiny", 1003, 128) + run("base", 100003, 256) +
            run("base", 5000, 1024) + run("full", 77, 37);
  printf("%d failures\n", bad);
  return bad == 0 ? 0 : 1;
}
