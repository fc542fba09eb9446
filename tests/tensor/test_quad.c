/* mma.m8n8k4 of f16 and of f64 as .aligned instructions [PTX 9.7.14.5]: they are lowered to shuffles and
 * arithmetic, and must still wait for all lanes, trap where they do not come, and do nothing where
 * their guard is false. What they compute is tensor/programs' business. f64 on a configuration without
 * its unit: refused.
 * Usage: test_quad BACKEND CONFIG */
#include <stdio.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "gen/wl_config.h"
#include "gen/wl_trap.h"

enum { LANES = 32, BEFORE = 7 };

typedef struct quad_case {
  const char *name, *text; /* text: up to the mma, its guard */
  unsigned threads, cause, lane;
  unsigned sum; /* in D, beside the lane's number in C; 0: D is as before */
  bool late;    /* lanes with a bit of 5 come later */
} quad_case_t;

/* A and B are ones. C is the lane's number, and one less for lanes that come late. */
static const quad_case_t cases[] = {
    {"all lanes", "", 32, 0, 0, 4, false},
    {"a guard that is true in all lanes", "setp.lt.u32 %p, %lane, 32;\n@%p ", 32, 0, 0, 4, false},
    {"a guard that is false everywhere, and lanes that never were",
     "setp.gt.u32 %p, %lane, 31;\n@%p ", 20, 0, 0, 0, false},
    {"lanes that come later", "", 32, 0, 0, 4, true},
    {"a guard that differs between lanes", "setp.lt.u32 %p, %lane, 5;\n@%p ", 32,
     WL_TRAP_ALIGNED_GUARD, 5, 0, false},
    {"lanes that never were", "", 20, WL_TRAP_ALIGNED_EXIT, 20, 0, false},
    {"lanes that have exited", "setp.gt.u32 %p, %lane, 8;\n@%p exit;\n", 32, WL_TRAP_ALIGNED_EXIT,
     9, 0, false}};

static double want(const quad_case_t *c, unsigned lane) {
  const bool late = c->late && (lane & 5) != 0;
  return c->sum == 0 ? BEFORE : c->sum + lane - (late ? 1.0 : 0.0);
}

static const char *const products[] = {
    "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32 {%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7}, "
    "{%one, %one}, {%one, %one}, {%c, %c, %c, %c, %c, %c, %c, %c};\n"
    "st.global.f32 [%o], %d6;\nret;\n}\n",
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%y0, %y1}, {%z}, {%z}, {%c, %c};\n"
    "st.global.f64 [%o], %y1;\nret;\n}\n"};

/* C is of the product's type: the lane's number, of f64 as the last bits of 2^52 + the number. */
static const char *const addend[] = {
    "cvt.rn.f32.u32 %c, %lane;\nmov.f32 %minus, 0fBF800000;\n",
    "mov.u32 %t, 0x43300000;\nmov.b64 %c, {%lane, %t};\nadd.f64 %c, %c, 0dC330000000000000;\n"
    "mov.f64 %minus, 0dBFF0000000000000;\n"};
static const char late[] =
    "and.b32 %t, %lane, 5;\nsetp.ne.u32 %p, %t, 0;\n@!%p bra MEET;\nshl.b32 %t, %lane, 4;\n"
    "WAIT:\nsub.u32 %t, %t, 1;\nsetp.ne.u32 %p, %t, 0;\n@%p bra WAIT;\n";

static void write_text(const quad_case_t *c, bool f64, char *ptx, size_t cap) {
  const char *type = f64 ? "f64" : "f32";
  int n = snprintf(
      ptx, cap,
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry quad(.param .u64 out) {\n"
      ".reg .b32 %%lane, %%t, %%one;\n.reg .f32 %%d<8>;\n.reg .f64 %%y<2>, %%z;\n"
      ".reg .%s %%c, %%minus;\n.reg .b64 %%o;\n.reg .pred %%p;\nld.param.u64 %%o, [out];\n"
      "mov.u32 %%lane, %%laneid;\nmad.wide.u32 %%o, %%lane, %u, %%o;\n"
      "mov.b32 %%one, 0x3c003c00;\nmov.f64 %%z, 0d3FF0000000000000;\n"
      "mov.f32 %%d6, 0f40E00000;\nmov.f64 %%y1, 0d401C000000000000;\n%s",
      type, f64 ? 8 : 4, addend[f64]);
  if (c->late) {
    n += snprintf(ptx + n, cap - (size_t)n, "%sadd.%s %%c, %%c, %%minus;\nMEET:\n", late, type);
  }
  (void)snprintf(ptx + n, cap - (size_t)n, "%s%s", c->text, products[f64]);
}

static wl_status_t launch(wl_device_t *device, const quad_case_t *c, bool f64, void *out,
                          wl_result_t *result) {
  static char ptx[4096];
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t buffer = 0;
  const size_t bytes = LANES * (f64 ? sizeof(double) : sizeof(float));
  write_text(c, f64, ptx, sizeof ptx);
  wl_status_t status = wl_module_load(device, c->name, ptx, strlen(ptx), NULL, &module);
  if (status != WL_OK) {
    return status;
  }
  const wl_launch_t shape = {.grid = {1, 1, 1}, .block = {c->threads, 1, 1}};
  status = wl_module_function(module, "quad", &function);
  status = status == WL_OK ? wl_alloc(device, bytes, &buffer) : status;
  const wl_arg_t args[] = {WL_ARG(buffer)};
  status = status == WL_OK ? wl_launch(function, &shape, args, 1, result) : status;
  status = status == WL_OK ? wl_read(device, out, buffer, bytes) : status;
  wl_module_unload(module);
  return status;
}

/* A device of its own: a trap ends a device's work. */
static bool one(const wl_device_options_t *options, const quad_case_t *c, bool f64, bool refused) {
  wl_device_t *device = NULL;
  wl_result_t result = {0};
  union {
    float f32[LANES];
    double f64[LANES];
  } out;
  bool good = false;
  if (wl_device_open(options, &device) == WL_OK) {
    const wl_status_t status = launch(device, c, f64, &out, &result);
    good = refused         ? status == WL_ERR_UNSUPPORTED
           : c->cause == 0 ? status == WL_OK
                           : status == WL_ERR_TRAP && result.trap.cause == c->cause &&
                                 result.trap.lane == c->lane;
    for (unsigned i = 0; good && !refused && c->cause == 0 && i < c->threads; i++) {
      good = (f64 ? out.f64[i] : (double)out.f32[i]) == want(c, i);
    }
  }
  if (!good) {
    printf("FAILED  %s, f%u: trap %u in lane %u; %s\n", c->name, f64 ? 64 : 16, result.trap.cause,
           result.trap.lane, wl_error(device));
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
  bool has_f64 = false;
  for (unsigned i = 0; i < WL_NUM_CONFIGS; i++) {
    has_f64 = has_f64 || (strcmp(wl_configs[i].name, argv[2]) == 0 && wl_configs[i].fp64 != 0);
  }
  unsigned failures = 0;
  const unsigned count = sizeof cases / sizeof cases[0];
  for (unsigned i = 0; i < count; i++) {
    failures += !one(&options, &cases[i], false, false);
    failures += !one(&options, &cases[i], true, !has_f64);
  }
  printf("%u cases of f16, %u of f64%s, %u failures\n", count, count, has_f64 ? "" : ", refused",
         failures);
  return failures != 0;
}
