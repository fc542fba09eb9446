/* test_bulk.c: code of bulk copies, st.bulk, st.async and red.async: the forms in their order; the four
 * words of a command. PTX 9.7.9.12, 9.7.9.13, 9.7.9.25.4, 9.7.9.27.2, 9.7.13.7. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/wl_insn.h"
#include "isa/lower/lower.h"
#include "isa/ptx/ptx.h"

#define LOAD   "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes"
#define STORE  "cp.async.bulk.global.shared::cta.bulk_group"
#define REDUCE "cp.reduce.async.bulk.global.shared::cta.bulk_group"

static const struct {
  const char *ptx, *code; /* names of forms, without the last exit */
} rows[] = {
    {LOAD " [%r1], [%d1], 16, [%r2];", "mov.i bulk.load"},
    {"@%p1 " LOAD " [%r1], [%d1], 16, [%r2];", "mov.i bulk.load"},
    {LOAD ".L2::cache_hint [%r1], [%d1], 16, [%r2], %d2;", "mov.i bulk.load"},
    {LOAD ".ignore_oob [%r1], [%d1], 16, 1, 2, [%r2];", "mov.i bulk.load"},
    {LOAD " [%r1], [%d1], 0, [%r2];", ""},
    {LOAD " [%r1], [%d1], %r3, [%r2];", "setp.u32.ri bulk.load"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1], 16, [%r2];",
     "mov.i bulk.load"},
    {LOAD " [%r1+16], [%d1+-16], 16, [%r2+8];", "add.ri add64.ri add.ri mov.i bulk.load"},
    {LOAD " [at], [%d1], 16, [at+16];", "mov.i mov.r mov.i bulk.load"},
    {STORE " [%d1], [%r1], 64;", "mov.i mov.i bulk.store"},
    {STORE ".cp_mask [%d1], [%r1], 64, %h1;", "mov.i bulk.store"},
    {STORE ".L2::cache_hint.cp_mask [%d1], [%r1], 64, %d2, 1;", "mov.i mov.i bulk.store"},
    {REDUCE ".add.u32 [%d1], [%r1], 64;", "mov.i bulk.add.u32"},
    {REDUCE ".add.s32 [%d1], [%r1], 64;", "mov.i bulk.add.u32"},
    {REDUCE ".add.u64 [%d1], [%r1], 64;", "mov.i bulk.add.u64"},
    {REDUCE ".add.f32 [%d1], [%r1], 64;", "mov.i bulk.add.f32"},
    {REDUCE ".min.u32 [%d1], [%r1], 64;", "mov.i bulk.min.u32"},
    {REDUCE ".max.s64 [%d1], [%r1], 64;", "mov.i bulk.max.s64"},
    {REDUCE ".inc.u32 [%d1], [%r1], 64;", "mov.i bulk.inc.u32"},
    {REDUCE ".dec.u32 [%d1], [%r1], 64;", "mov.i bulk.dec.u32"},
    {REDUCE ".and.b32 [%d1], [%r1], 64;", "mov.i bulk.and.b32"},
    {REDUCE ".xor.b64 [%d1], [%r1], 64;", "mov.i bulk.xor.b64"},
    {"cp.async.bulk.prefetch.L2.global [%d1], 64;", ""},
    {"cp.async.bulk.prefetch.L2.global.L2::cache_hint [%d1+16], %r1, %d2;", ""},
    {"cp.async.bulk.commit_group;", "bulkcommit"},
    {"cp.async.bulk.wait_group 3;", "bulkwait"},
    {"cp.async.bulk.wait_group.read 3;", "bulkwait"},
    {"fence.proxy.async;", "fence"},
    {"fence.proxy.async.shared::cta;", "fence"},
    {"fence.proxy.async.global;", "fence"},
    {"st.bulk.shared::cta [%r1], 0, 0;", ""},
    {"st.bulk.shared::cta [%r1+8], 64, 0;", "mov.i st.shared.b64 add.ri add.ri setp.u32.ri bra"},
    {"st.bulk [%d1], %d2, 0;",
     "lop3.rir setp.u32.ri trap mov.r mov.r mov.r setp.u32.ri bra st.gen.b64 "
     "add64.ri add.ri setp.u32.ri bra"},
    {"st.async.release.gpu.global.b32 [%d1], %r1;", "fence st.global.b32"},
    {"st.async.release.sys.b64 [%d1], %d2;", "fence st.gen.b64"},
    {"st.async.mmio.release.sys.global.b64 [%d1], %d2;",
     "fence s2r mov.r setp.u32.rr bra st.global.b64 add.ri setp.u32.ri bra"},
    {"red.async.release.gpu.global.add.s64 [%d1], %d2;", "fence atom.global.add.u64"},
    {"red.async.mmio.release.sys.add.u32 [%d1], %r1;",
     "fence s2r mov.r setp.u32.rr bra atom.gen.add.u32 add.ri setp.u32.ri bra"},
};

enum { NO_B = -1 };
static int failures;

static wl_obj_t *lower(const char *body) {
  char text[2048];
  wl_diag_list_t d;
  wl_ptx_module_t *m = NULL;
  wl_obj_t *o = NULL;
  (void)snprintf(text, sizeof text,
                 ".version 9.2\n.target sm_100\n.address_size 64\n.shared .align 16 .b64 at[4];\n"
                 ".visible .entry k(.param .u64 p)\n{ .reg .pred %%p<4>; .reg .b16 %%h<4>; .reg "
                 ".b32 %%r<8>; .reg .b64 %%d<4>;\n%s\nret; }\n",
                 body);
  wl_diag_init(&d);
  wl_diag_set_source(&d, "t.ptx", text, strlen(text));
  int rc = wl_ptx_parse("t.ptx", text, strlen(text), &d, &m);
  if (rc == 0) rc = wl_lower_module(m, NULL, &d, &o);
  if (rc != 0) {
    char *all = wl_diag_format_all(&d);
    printf("FAILED: exit code %d\n%s%s\n", rc, all != NULL ? all : "", body);
    free(all);
    failures++;
  }
  wl_ptx_module_free(m);
  wl_diag_free(&d);
  return o;
}

static uint32_t field(const wl_obj_t *o, uint32_t i, uint32_t low, uint32_t width) {
  const uint32_t *w = o->code[i].w;
  const uint64_t both = w[low / 32] | (uint64_t)(low % 32 + width > 32 ? w[low / 32 + 1] : 0) << 32;
  return (uint32_t)(both >> low % 32) & (uint32_t)((1ull << width) - 1);
}
#define FIELD(o, i, name) field(o, i, WL_FIELD_##name##_LOW, WL_FIELD_##name##_WIDTH)

/* Copies of registers depend on the allocation: where the operands of a command are, none is left. */
static void check_forms(const char *ptx, const char *want) {
  char got[1024] = "";
  size_t at = 0;
  wl_obj_t *o = lower(ptx);
  if (o == NULL) return;
  for (uint32_t i = 0; i + 1 < o->code_count && at < sizeof got; i++)
    at += (size_t)snprintf(got + at, sizeof got - at, "%s%s", at != 0 ? " " : "",
                           wl_form_info[FIELD(o, i, FORM)].name);
  if (strcmp(got, want) != 0) {
    printf("FAILED: %s\n  code     %s\n  expected %s\n", ptx, got, want);
    failures++;
  }
  wl_obj_free(o);
}

/* The constant that is in register r before instruction i; all ones: none. */
static uint32_t constant(const wl_obj_t *o, uint32_t i, uint32_t r) {
  while (i-- > 0)
    if (FIELD(o, i, RD) == r) return FIELD(o, i, FORM) == WL_FORM_MOV_I ? FIELD(o, i, IMM) : ~0u;
  return ~0u;
}

static void check_command(const char *ptx, wl_form_t form, uint32_t shared, uint32_t bytes,
                          int64_t b) {
  wl_obj_t *o = lower(ptx);
  uint32_t found = 0;
  for (uint32_t i = 0; o != NULL && i < o->code_count; i++) {
    if (FIELD(o, i, FORM) != form) continue;
    const uint32_t ra = FIELD(o, i, RA), rb = FIELD(o, i, RB);
    found++;
    if (ra % 4 == 0 && constant(o, i, ra + 2) == shared && constant(o, i, ra + 3) == bytes &&
        (b == NO_B || constant(o, i, rb) == b))
      continue;
    printf("FAILED: %s: R%u, shared memory 0x%x, %u bytes, b 0x%x\n", ptx, ra,
           constant(o, i, ra + 2), constant(o, i, ra + 3), constant(o, i, rb));
    failures++;
  }
  if (o != NULL && found != 1) printf("FAILED: %s: %u commands\n", ptx, found), failures++;
  wl_obj_free(o);
}

static void check_wait(const char *ptx, uint32_t imm) {
  wl_obj_t *o = lower(ptx);
  if (o == NULL) return;
  if (FIELD(o, 0, FORM) != WL_FORM_BULKWAIT || FIELD(o, 0, IMM) != imm) {
    printf("FAILED: %s: form %u, constant 0x%x, expected 0x%x\n", ptx, FIELD(o, 0, FORM),
           FIELD(o, 0, IMM), imm);
    failures++;
  }
  wl_obj_free(o);
}

int main(void) {
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
    check_forms(rows[k].ptx, rows[k].code);
  check_command(LOAD " [at+16], [%d1], 128, [at+8];", WL_FORM_BULK_LOAD, 16, 128, 8);
  check_command(STORE " [%d1], [at+16], 1048560;", WL_FORM_BULK_STORE, 16, 1048560, 0xffff);
  check_command(STORE ".cp_mask [%d1], [32], 16, 0x8001;", WL_FORM_BULK_STORE, 32, 16, 0x8001);
  check_command(REDUCE ".or.b64 [%d1], [at+16], 48;", WL_FORM_BULK_OR_B64, 16, 48, NO_B);
  check_wait("cp.async.bulk.wait_group 0;", 0);
  check_wait("cp.async.bulk.wait_group 63;", 63);
  check_wait("cp.async.bulk.wait_group 64;", 63);
  check_wait("cp.async.bulk.wait_group 0xffffffff;", 63);
  check_wait("cp.async.bulk.wait_group.read 2;", 64 + 2);
  check_wait("cp.async.bulk.wait_group.read 1000;", 64 + 63);
  printf("%zu rows, %d failures\n", sizeof rows / sizeof rows[0], failures);
  return failures != 0;
}
