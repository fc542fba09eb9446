/* Golden model with its memory units on hand-made programs (docs/microarchitecture.md 10 to 13):
 * the values that loads, stores, atomics, constants and shared memory leave behind. */
#include "tests/unit/model/program.h"

enum { SCALE = 0x3779b1 * 512 + 1 }; /* so that every byte of a stored word is different */

/* out[tid] = SCALE * tid + c0 word; addresses from a 64-bit pair. */
static int store_global(wl_config_id_t config) {
  wl_bench_t b;
  bench_open(&b, config, 128, 2);
  bench_emit(&b, WL_FORM_S2R, X(.rd = 4, .imm = 0)); /* tid */
  bench_emit(&b, WL_FORM_S2R, X(.rd = 5, .imm = 6)); /* ctaid */
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 6, .imm = 128));
  bench_emit(&b, WL_FORM_MAD_LO_RRR, X(.rd = 7, .ra = 5, .rb = 6, .rc = 4));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 8, .imm = DATA));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 9, .imm = 0));
  bench_emit(&b, WL_FORM_MAD_WIDE_U32_RIR, X(.rd = 10, .ra = 7, .rc = 8, .imm = 4));
  bench_emit(&b, WL_FORM_LDC_B32, X(.rd = 12, .ra = 255, .imm = 4 * WL_LAUNCH_THREADS));
  bench_emit(&b, WL_FORM_MAD_LO_RIR, X(.rd = 13, .ra = 7, .rc = 12, .imm = SCALE));
  bench_emit(&b, WL_FORM_ST_GLOBAL_B32, X(.ra = 10, .rb = 13, .imm = 16));
  bench_emit(&b, WL_FORM_LD_GLOBAL_B32, X(.rd = 14, .ra = 10, .imm = 16));
  bench_emit(&b, WL_FORM_ADD_RI, X(.rd = 14, .ra = 14, .imm = 1));
  bench_emit(&b, WL_FORM_ST_GLOBAL_B32, X(.ra = 10, .rb = 14, .imm = 0x2000));
  bench_emit(&b, WL_FORM_ATOM_GLOBAL_ADD_U32, X(.rd = 255, .ra = 8, .rb = 7, .imm = 0x4000));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, 0);
  for (uint32_t i = 0; i < 256; i++) {
    bench_expect(&b, "stored", bench_load(&b, DATA + 16 + 4 * i), (uint32_t)(SCALE * i + 128));
    bench_expect(&b, "loaded", bench_load(&b, DATA + 0x2000 + 4 * i), (uint32_t)(SCALE * i + 129));
  }
  bench_expect(&b, "sum", bench_load(&b, DATA + 0x4000), 255 * 128);
  bench_close(&b);
  return b.failures;
}

/* Reverse through shared memory across a barrier; an atomic count in shared memory. */
static int reverse_shared(wl_config_id_t config) {
  wl_bench_t b;
  bench_open(&b, config, 128, 3);
  bench_emit(&b, WL_FORM_S2R, X(.rd = 4, .imm = 0));
  bench_emit(&b, WL_FORM_SHF_L_CLAMP_I, X(.rd = 5, .ra = 255, .rb = 4, .imm = 2));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 6, .imm = 0));
  bench_emit(&b, WL_FORM_ST_SHARED_B32, X(.ra = 255, .rb = 6, .imm = 512));
  bench_emit(&b, WL_FORM_ST_SHARED_B32, X(.ra = 5, .rb = 4, .imm = 0));
  bench_emit(&b, WL_FORM_BAR_SYNC_I, X(0));
  bench_emit(&b, WL_FORM_RSUB_RI, X(.rd = 7, .ra = 5, .imm = 127 * 4));
  bench_emit(&b, WL_FORM_LD_SHARED_B32, X(.rd = 8, .ra = 7, .imm = 0));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 9, .imm = 1));
  bench_emit(&b, WL_FORM_ATOM_SHARED_ADD_U32, X(.rd = 10, .ra = 255, .rb = 9, .imm = 512));
  bench_emit(&b, WL_FORM_BAR_SYNC_I, X(0));
  bench_emit(&b, WL_FORM_LD_SHARED_B32, X(.rd = 11, .ra = 255, .imm = 512));
  bench_emit(&b, WL_FORM_ADD_RR, X(.rd = 12, .ra = 8, .rb = 11));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 14, .imm = DATA));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 15, .imm = 0));
  bench_emit(&b, WL_FORM_MAD_WIDE_U32_RIR, X(.rd = 16, .ra = 4, .rc = 14, .imm = 4));
  bench_emit(&b, WL_FORM_ST_GLOBAL_B32, X(.ra = 16, .rb = 12, .imm = 0));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, 0);
  for (uint32_t i = 0; i < 128; i++)
    bench_expect(&b, "reversed", bench_load(&b, DATA + 4 * i), 127 - i + 128);
  bench_close(&b);
  return b.failures;
}

static int fault(void) {
  wl_bench_t b;
  bench_open(&b, WL_CONFIG_TINY, 32, 1);
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 4, .imm = 0x20));
  bench_emit(&b, WL_FORM_MOV_I, X(.rd = 5, .imm = 0));
  bench_emit(&b, WL_FORM_LD_GLOBAL_B32, X(.rd = 6, .ra = 4, .imm = 4));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  bench_run(&b);
  bench_expect(&b, "cause", (uint64_t)wl_model_trap(b.model).cause, WL_TRAP_OUT_OF_BOUNDS);
  bench_expect(&b, "pc", wl_model_trap(b.model).pc, 2);
  bench_expect(&b, "address", wl_model_trap(b.model).address, 0x24);
  bench_close(&b);
  return b.failures;
}

int main(void) {
  int failures = fault();
  const wl_config_id_t configs[] = {WL_CONFIG_TINY, WL_CONFIG_TINY4, WL_CONFIG_BASE};
  for (unsigned i = 0; i < 3; i++) {
    const int before = failures;
    failures += store_global(configs[i]) + reverse_shared(configs[i]);
    if (failures != before) printf("in configuration %s\n", wl_configs[configs[i]].name);
  }
  return failures != 0;
}
