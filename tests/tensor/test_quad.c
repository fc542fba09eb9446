/* mma.m8n8k4 of f16 as an .aligned instruction [PTX 9.7.14.5]: it is lowered to shuffles and
 * arithmetic, and must still wait for all lanes, trap where they do not come, and do nothing where
 * its guard is false. What it computes is tensor/programs' business.
 * Usage: test_quad BACKEND CONFIG */
#include <stdio.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "gen/wl_trap.h"

enum { LANES = 32, BEFORE = 7 };

typedef struct quad_case {
  const char *name, *text; /* text: up to the mma, its guard */
  unsigned threads, cause, lane;
  unsigned sum; /* in D, beside the lane's number in C; 0: D is as before */
} quad_case_t;

/* A and B are ones. C is the lane's number, and one less for lanes that came late. */
static const quad_case_t cases[] = {
    {"all lanes", "", 32, 0, 0, 4},
    {"a guard that is true in all lanes", "setp.lt.u32 %p, %lane, 32;\n@%p ", 32, 0, 0, 4},
    {"a guard that is false everywhere, and lanes that never were",
     "setp.gt.u32 %p, %lane, 31;\n@%p ", 20, 0, 0, 0},
    {"lanes that come later",
     "and.b32 %t, %lane, 5;\nsetp.ne.u32 %p, %t, 0;\n@!%p bra MEET;\nshl.b32 %t, %lane, 4;\n"
     "WAIT:\nsub.u32 %t, %t, 1;\nsetp.ne.u32 %p, %t, 0;\n@%p bra WAIT;\n"
     "add.f32 %c, %c, 0fBF800000;\nMEET:\n",
     32, 0, 0, 4},
    {"a guard that differs between lanes", "setp.lt.u32 %p, %lane, 5;\n@%p ", 32,
     WL_TRAP_ALIGNED_GUARD, 5, 0},
    {"lanes that never were", "", 20, WL_TRAP_ALIGNED_EXIT, 20, 0},
    {"lanes that have exited", "setp.gt.u32 %p, %lane, 8;\n@%p exit;\n", 32, WL_TRAP_ALIGNED_EXIT,
     9, 0}};

/* The lane whose MEET is after the loop has one less. */
static float want(const quad_case_t *c, unsigned lane) {
  const bool late = strstr(c->text, "WAIT") != NULL && (lane & 5) != 0;
  return c->sum == 0 ? (float)BEFORE : (float)(c->sum + lane) - (late ? 1 : 0);
}

static void write_text(const quad_case_t *c, char *ptx, size_t cap) {
  (void)snprintf(
      ptx, cap,
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry quad(.param .u64 out) {\n"
      ".reg .b32 %%lane, %%t, %%one;\n.reg .f32 %%c, %%d<8>;\n.reg .b64 %%o;\n.reg .pred %%p;\n"
      "ld.param.u64 %%o, [out];\nmov.u32 %%lane, %%laneid;\nmad.wide.u32 %%o, %%lane, 4, %%o;\n"
      "mov.b32 %%one, 0x3c003c00;\ncvt.rn.f32.u32 %%c, %%lane;\nmov.f32 %%d6, 0f40E00000;\n%s"
      "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32 {%%d0, %%d1, %%d2, %%d3, %%d4, %%d5, %%d6, "
      "%%d7}, {%%one, %%one}, {%%one, %%one}, {%%c, %%c, %%c, %%c, %%c, %%c, %%c, %%c};\n"
      "st.global.f32 [%%o], %%d6;\nret;\n}\n",
      c->text);
}

static wl_status_t launch(wl_device_t *device, const quad_case_t *c, float *out,
                          wl_result_t *result) {
  static char ptx[4096];
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t buffer = 0;
  write_text(c, ptx, sizeof ptx);
  wl_status_t status = wl_module_load(device, c->name, ptx, strlen(ptx), NULL, &module);
  if (status != WL_OK) {
    return status;
  }
  const wl_launch_t shape = {.grid = {1, 1, 1}, .block = {c->threads, 1, 1}};
  status = wl_module_function(module, "quad", &function);
  status = status == WL_OK ? wl_alloc(device, LANES * sizeof *out, &buffer) : status;
  const wl_arg_t args[] = {WL_ARG(buffer)};
  status = status == WL_OK ? wl_launch(function, &shape, args, 1, result) : status;
  status = status == WL_OK ? wl_read(device, out, buffer, LANES * sizeof *out) : status;
  wl_module_unload(module);
  return status;
}

/* A device of its own: a trap ends a device's work. */
static bool one(const wl_device_options_t *options, const quad_case_t *c) {
  wl_device_t *device = NULL;
  wl_result_t result = {0};
  float out[LANES];
  bool good = false;
  if (wl_device_open(options, &device) == WL_OK) {
    const wl_status_t status = launch(device, c, out, &result);
    good = c->cause == 0 ? status == WL_OK
                         : status == WL_ERR_TRAP && result.trap.cause == c->cause &&
                               result.trap.lane == c->lane;
    for (unsigned i = 0; good && c->cause == 0 && i < c->threads; i++) {
      good = out[i] == want(c, i);
    }
  }
  if (!good) {
    printf("FAILED  %s: trap %u in lane %u; %s\n", c->name, result.trap.cause, result.trap.lane,
           wl_error(device));
  }
  wl_device_close(device);
  return good;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    (void)fprintf(stderr, "usage: test_quad BACKEND CONFIG\n");
    return 2;
  }
  const wl_device_options_t options = {.backend = argv[1],
                                       .config = argv[2],
                                       .mem_bytes = UINT64_C(4) << 20,
                                       .inside = strcmp(argv[1], "lockstep") == 0};
  unsigned failures = 0;
  const unsigned count = sizeof cases / sizeof cases[0];
  for (unsigned i = 0; i < count; i++) {
    failures += !one(&options, &cases[i]);
  }
  printf("%u cases, %u failures\n", count, failures);
  return failures != 0;
}
