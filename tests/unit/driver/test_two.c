/* test_two.c: several devices with an RTL in one process, closed in either order, each used between
 * the others' opening and closing. Freed memory is filled with a pattern (MALLOC_PERTURB_, set by
 * the build): who uses what another device has freed hangs or crashes, instead of being lucky. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "tests/unit/driver/program.h"

static const char store[] = "s2r R0, SR0\n"
                            "ldc.b64 R2:R3, c0[RZ+0x200]\n"
                            "mov.i R4, 0x0\n"
                            "mov.i R5, 0x0\n"
                            "mad.wide.s32.rir R6:R7, R0, 0x4, R4:R5\n"
                            "add64.rr R2:R3, R2:R3, R6:R7\n"
                            "add.ri R1, R0, 0x64\n"
                            "st.global.b32 [R2:R3], R1\n"
                            "exit\n";
enum { DEVICES = 3, THREADS = 32 };

static wl_device_t *open_one(void) {
  const wl_device_options_t options = {
      .backend = "lockstep", .config = "tiny", .seed = 5, .mem_bytes = 1 << 20};
  wl_device_t *d = NULL;
  if (wl_device_open(&options, &d) == WL_OK) return d;
  printf("open: %s\n", wl_error(d));
  wl_device_close(d);
  return NULL;
}

/* Thread i stores i + 100. */
static int use(wl_device_t *d, const uint8_t *object, size_t size) {
  wl_module_t *module = NULL;
  wl_function_t *f = NULL;
  wl_addr_t out = 0;
  uint32_t got[THREADS] = {0};
  const wl_launch_t launch = {.grid = {1, 1, 1}, .block = {THREADS, 1, 1}};
  bool ok = wl_module_load(d, "store", object, size, NULL, &module) == WL_OK &&
            wl_module_function(module, "store", &f) == WL_OK &&
            wl_alloc(d, sizeof got, &out) == WL_OK;
  const wl_arg_t args[] = {WL_ARG(out)};
  ok = ok && wl_launch(f, &launch, args, 1, NULL) == WL_OK &&
       wl_read(d, got, out, sizeof got) == WL_OK;
  if (!ok) {
    printf("use: %s\n", wl_error(d));
    return 1;
  }
  int bad = 0;
  for (uint32_t i = 0; i < THREADS; i++) {
    if (got[i] == i + 100) continue;
    printf("thread %u: got %u, expected %u\n", i, got[i], i + 100);
    bad = 1;
  }
  return bad;
}

/* Closes the devices in the order given; those still open run before and behind each closing. */
static int order(const unsigned close[DEVICES], const uint8_t *object, size_t size) {
  wl_device_t *d[DEVICES];
  int bad = 0;
  for (unsigned i = 0; i < DEVICES; i++) {
    d[i] = open_one();
    if (d[i] == NULL) exit(1);
  }
  for (unsigned n = 0; n < DEVICES; n++) {
    bad |= use(d[close[n]], object, size);
    wl_device_close(d[close[n]]);
    d[close[n]] = NULL;
    for (unsigned i = 0; i < DEVICES; i++) {
      if (d[i] != NULL) bad |= use(d[i], object, size);
    }
  }
  return bad;
}

int main(void) {
  static const unsigned orders[][DEVICES] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
  uint8_t *object = NULL;
  size_t size = 0;
  wl_obj_t *o = wl_obj_new();
  wl_obj_entry_t *e = program_entry(o, "store", store);
  if (e == NULL) return 1;
  wl_obj_add_param(o, e, "out", WL_OBJ_U64, 8, 8, WL_OBJ_NONE, 0);
  if (!program_object(o, &object, &size)) return 1;
  int bad = 0;
  for (unsigned i = 0; i < sizeof orders / sizeof orders[0]; i++) {
    bad |= order(orders[i], object, size);
  }
  free(object);
  printf("%s\n", bad ? "FAILED" : "three devices, three orders of closing: all ran");
  return bad;
}
