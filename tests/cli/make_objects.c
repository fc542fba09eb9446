/* make_objects DIR: objects for the tests of the command line, made from machine instructions, so
 * that these tests do not depend on the PTX front end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/wl_config.h"
#include "isa/obj/elf.h"
#include "tests/unit/driver/program.h"

static const char vecadd[] = "s2r R0, SR0\n s2r R1, SR6\n s2r R2, SR3\n"
                             "mad.lo.rrr R0, R1, R2, R0\n"
                             "ldc.b32 R3, c0[RZ+0x218]\n"
                             "setp.s32.rr P0, PT, R0, R3, PT {cmp=ge bop=and}\n"
                             "@P0 exit\n"
                             "mov.i R10, 0x0\n mov.i R11, 0x0\n"
                             "mad.wide.s32.rir R12:R13, R0, 0x4, R10:R11\n"
                             "ldc.b64 R4:R5, c0[RZ+0x200]\n"
                             "ldc.b64 R6:R7, c0[RZ+0x208]\n"
                             "ldc.b64 R8:R9, c0[RZ+0x210]\n"
                             "add64.rr R4:R5, R4:R5, R12:R13\n"
                             "add64.rr R6:R7, R6:R7, R12:R13\n"
                             "add64.rr R8:R9, R8:R9, R12:R13\n"
                             "ld.global.b32 R14, [R4:R5]\n"
                             "ld.global.b32 R15, [R6:R7]\n"
                             "add.rr R14, R14, R15\n"
                             "st.global.b32 [R8:R9], R14\n"
                             "exit\n";

/* Copies 32 bytes of parameters behind the pointer to where it points, one word per thread. */
static const char copy_params[] = "s2r R0, SR0\n"
                                  "shf.l.wrap.i R1, RZ, R0, 0x2\n"
                                  "ldc.b32 R2, c0[R1+0x208]\n"
                                  "ldc.b64 R4:R5, c0[RZ+0x200]\n"
                                  "mov.r R7, RZ\n mov.r R6, R1\n"
                                  "add64.rr R4:R5, R4:R5, R6:R7\n"
                                  "st.global.b32 [R4:R5], R2\n"
                                  "exit\n";

static void fail(const char *what) {
  fprintf(stderr, "make_objects: %s\n", what);
  exit(1);
}

static void save(const char *dir, const char *name, wl_obj_t *o) {
  uint8_t *bytes = NULL;
  size_t size = 0;
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/%s", dir, name);
  if (!program_object(o, &bytes, &size)) {
    fail(name);
  }
  FILE *f = fopen(path, "wb");
  if (f == NULL || fwrite(bytes, 1, size, f) != size || fclose(f) != 0) {
    fail(path);
  }
  free(bytes);
}

static wl_obj_entry_t *entry(wl_obj_t *o, const char *name, const char *text) {
  wl_obj_entry_t *e = program_entry(o, name, text);
  if (e == NULL) {
    fail(name);
  }
  return e;
}

static void param(wl_obj_t *o, wl_obj_entry_t *e, const char *name, wl_obj_type_t type) {
  uint32_t bytes = wl_obj_type_bytes(type);
  wl_obj_add_param(o, e, name, type, bytes, bytes, WL_OBJ_NONE, 0);
}

static wl_obj_t *make_vecadd(void) {
  wl_obj_t *o = wl_obj_new();
  wl_obj_entry_t *e = entry(o, "vecadd", vecadd);
  param(o, e, "a", WL_OBJ_U64);
  param(o, e, "b", WL_OBJ_U64);
  param(o, e, "c", WL_OBJ_U64);
  param(o, e, "n", WL_OBJ_S32);
  for (uint32_t i = 0; i < o->code_count; i++) {
    wl_obj_add_line(o, i, 10 + i, i < 4 ? wl_obj_add_file(o, "vecadd.cu") : WL_OBJ_NONE,
                    i < 4 ? 3 : 0);
  }
  wl_obj_set_ptx(o, "vecadd.ptx", "// no text\n", 11);
  return o;
}

static wl_obj_t *make_params(void) {
  wl_obj_t *o = wl_obj_new();
  wl_obj_entry_t *e = entry(o, "params", copy_params);
  param(o, e, "out", WL_OBJ_U64);
  param(o, e, "b", WL_OBJ_U8);
  param(o, e, "h", WL_OBJ_S16);
  param(o, e, "f", WL_OBJ_F32);
  param(o, e, "d", WL_OBJ_F64);
  wl_obj_add_param(o, e, "s", WL_OBJ_BYTES, 16, 4, WL_OBJ_NONE, 0);
  wl_obj_add_sym(o, "table", WL_OBJ_SYM_GLOBAL, true,
                 wl_obj_add_data(o, WL_OBJ_GLOBAL, "abcd", 4, 4), 4);
  return o;
}

static wl_obj_t *make_faults(void) {
  wl_obj_t *o = wl_obj_new();
  static const char *const one_pointer[] = {"outside", "misaligned"};
  static const char *const bodies[] = {
      "ldc.b64 R4:R5, c0[RZ+0x200]\n s2r R0, SR12\n setp.u32.ri P0, PT, R0, 0x5, PT {cmp=ge}\n"
      "@P0 st.global.b32 [R4:R5+0x7f000000], R0\n exit\n",
      "ldc.b64 R4:R5, c0[RZ+0x200]\n ld.global.b32 R0, [R4:R5+0x2]\n exit\n"};
  for (int i = 0; i < 2; i++) {
    wl_obj_entry_t *e = entry(o, one_pointer[i], bodies[i]);
    param(o, e, "p", WL_OBJ_U64);
  }
  entry(o, "usertrap", "trap\n exit\n");
  entry(o, "spin", "again:\n bra #again\n");
  entry(o, "lost",
        "s2r R0, SR13\n setp.u32.ri P0, PT, R0, 0x0, PT {cmp=eq bop=and}\n @P0 exit\n"
        "bar.sync.i B1:96\n exit\n");
  entry(o, "many_registers", "exit\n")->regs = 200;
  entry(o, "much_shared", "exit\n")->smem_static = 50000;
  entry(o, "needs_fp64", "exit\n")->units = WL_OBJ_UNIT_FP64;
  entry(o, "needs_tensor", "exit\n")->units = WL_OBJ_UNIT_TENSOR | WL_OBJ_UNIT_WGMMA;
  entry(o, "needs_later", "exit\n")->units = UINT32_C(1) << 31;
  wl_obj_entry_t *e = entry(o, "required", "exit\n");
  e->reqntid[0] = 64;
  e = entry(o, "limited", "exit\n");
  e->maxntid[0] = 128;
  return o;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fail("DIR is needed");
  }
  save(argv[1], "vecadd.wlo", make_vecadd());
  save(argv[1], "params.wlo", make_params());
  save(argv[1], "faults.wlo", make_faults());
  wl_obj_t *o = make_vecadd();
  o->isa_hash = UINT64_C(0x0123456789abcdef);
  save(argv[1], "foreign.wlo", o);
  save(argv[1], "empty.wlo", wl_obj_new());
  return 0;
}
