/* test_tmem.c: code of tcgen05's allocation, loads, stores, waits, fences, products and commits: the forms
 * in their order, the words of the accesses. PTX 9.7.16.7.1, 9.7.16.8, 9.7.16.10.9.1, 9.7.16.11.1, 9.7.16.12.1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/wl_config.h"
#include "gen/wl_insn.h"
#include "isa/lower/lower.h"
#include "isa/ptx/ptx.h"

#define T      "tcgen05."
#define L      T "ld.sync.aligned."
#define S      T "st.sync.aligned."
#define MMA    T "mma.cta_group::1.kind::f16.collector::a::fill "
#define COMMIT T "commit.cta_group::1.mbarrier::arrive::one"
#define R4     "{%r1, %r2, %r3, %r4}"
#define R2     "{%r1, %r2}"
#define USE    " st.shared.b32 [at], "

static const struct {
  const char *ptx, *code; /* names of forms, without copies of registers and the last exit */
} rows[] = {
    {T "alloc.cta_group::1.sync.aligned.shared::cta.b32 [at+8], 64;",
     "mov.i s2r setp.u32.ri tmem.alloc s2r st.shared.b32"},
    {T "alloc.cta_group::1.sync.aligned.b32 [%d1], %r1;",
     "s2r setp.u32.ri tmem.alloc s2r st.gen.b32"},
    {T "alloc.cta_group::1.sync.aligned.b32 [at], %r1;",
     "s2r setp.u32.ri tmem.alloc s2r st.shared.b32"},
    {T "dealloc.cta_group::1.sync.aligned.b32 %r1, %r2;", "tmem.dealloc"},
    {T "dealloc.cta_group::1.sync.aligned.b32 %r1, 32;", "mov.i tmem.dealloc"},
    {T "relinquish_alloc_permit.cta_group::1.sync.aligned;", "tmem.relinquish"},
    {T "wait::ld.sync.aligned;", "tmem.waitld"},
    {T "wait::st.sync.aligned;", ""},
    {T "fence::before_thread_sync;", ""},
    {T "fence::after_thread_sync;", ""},
    {L "32x32b.x1.b32 {%r1}, [%r9];", "tmem.ld"},
    {L "32x32b.x2.b32 " R2 ", [%r9];", "tmem.ld"},
    {L "32x32b.x4.b32 " R4 ", [%r9];", "tmem.ld"},
    {L "32x32b.x4.b32 " R4 ", [%r9+4];", "add.ri tmem.ld"},
    {L "32x32b.x8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%r9];", "tmem.ld add.ri tmem.ld"},
    {L "32x32b.x1.pack::16b.b32 {%r1}, [%r9];" USE "%r1;", "tmem.ld prmt.rri st.shared.b32"},
    {S "32x32b.x1.b32 [%r9], {%r1};", "tmem.st.1"},
    {S "32x32b.x2.b32 [%r9], " R2 ";", "tmem.st.2"},
    {S "32x32b.x4.b32 [%r9], " R4 ";", "tmem.st.4"},
    {S "32x32b.x4.b32 [%r9], {%r1, 5, 0f3f800000, %r2};", "mov.i mov.i tmem.st.4"},
    {S "32x32b.x8.b32 [%r9], {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8};", "tmem.st.4 tmem.st.4"},
    {S "32x32b.x1.unpack::16b.b32 [%r9], {%r1};", "prmt.rri prmt.rri tmem.st.2"},
    {L "16x64b.x1.b32 {%r1}, [%r9];" USE "%r1;",
     "s2r shf.r.clamp.i lop3.rir shf.l.clamp.i shf.r.clamp.i lop3.rir add.ri add.rr add.rr lop3.rir "
     "setp.u32.ri tmem.ld shfl.i shfl.i selp.rr st.shared.b32"},
    {S "16x64b.x1.b32 [%r9], {%r1};",
     "s2r lop3.rir shf.l.clamp.i lop3.rir shf.r.clamp.i add.rr add.ri add.ri shfl.i shfl.i tmem.st.2"},
    {S "16x32bx2.x1.b32 [%r9], 8, {%r1};",
     "add.ri s2r lop3.rir add.ri add.ri shfl.i shfl.i tmem.st.1 tmem.st.1"},
    {T "ld.red.sync.aligned.32x32b.x2.max.s32 " R2 ", %r3, [%r9];" USE "%r3;",
     "tmem.ld max.s32.rr st.shared.b32"},
    {T "ld.red.sync.aligned.32x32b.x2.min.abs.NaN.f32 " R2 ", %r3, [%r9];" USE "%r3;",
     "tmem.ld lop3.rir lop3.rir min.f32.rr st.shared.b32"},
    {MMA "[%r1], %d1, %d2, %r2, %p1;", "umma.f16"},
    {MMA "[%r1+4], %d1, %d2, %r2, !%p1, 3;", "add.ri umma.f16"},
    {MMA "[%r1], %d1, 7, 5, 1;", "mov.i mov.i umma.f16"},
    {MMA "[%r1], %d1, %d2, %r2, " R4 ", %p1, 15;", "umma.f16.mask"},
    {MMA "[%r1], %d1, %d2, %r2, {%r1, 5, 0, 0}, 0;", "mov.i umma.f16.mask"},
    {COMMIT ".shared::cluster.b64 [%r1];", "umma.commit"},
    {COMMIT ".shared::cluster.b64 [%r1+8];", "add.ri umma.commit"},
    {COMMIT ".shared::cluster.b64 [%d1];", "umma.commit"},
    {COMMIT ".b64 [%d1];", "umma.commit.gen"},
    {COMMIT ".b64 [%d1+8];", "add64.ri umma.commit.gen"},
    {COMMIT ".b64 [at+8];", "mov.i umma.commit"},
};

static int failures;

static wl_obj_t *lower(const char *body) {
  char text[2048];
  wl_diag_list_t d;
  wl_ptx_module_t *m = NULL;
  wl_obj_t *o = NULL;
  (void)snprintf(
      text, sizeof text,
      ".version 9.2\n.target sm_103a\n.address_size 64\n.shared .align 16 .b64 at[4];\n"
      ".visible .entry k(.param .u64 p)\n{ .reg .pred %%p<4>; .reg .b32 %%r<12>; .reg .b64 "
      "%%d<4>;\n%s\nret; }\n",
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

static void check_forms(const char *ptx, const char *want) {
  char got[1024] = "";
  size_t at = 0;
  wl_obj_t *o = lower(ptx);
  if (o == NULL) return;
  for (uint32_t i = 0; i + 1 < o->code_count && at < sizeof got; i++)
    if (FIELD(o, i, FORM) != WL_FORM_MOV_R)
      at += (size_t)snprintf(got + at, sizeof got - at, "%s%s", at != 0 ? " " : "",
                             wl_form_info[FIELD(o, i, FORM)].name);
  if (strcmp(got, want) != 0) {
    printf("FAILED: %s\n  code     %s\n  expected %s\n", ptx, got, want);
    failures++;
  }
  if ((o->entries[0].units & WL_OBJ_UNIT_TMEM) == 0 && strstr(want, "tmem") != NULL) {
    printf("FAILED: %s: the entry does not say that it needs the unit\n", ptx);
    failures++;
  }
  if ((o->entries[0].units & WL_OBJ_UNIT_UMMA) == 0 && strstr(want, "umma") != NULL) {
    printf("FAILED: %s: the entry does not say that it needs the unit\n", ptx);
    failures++;
  }
  wl_obj_free(o);
}

/* Instruction number `index` of the form. */
static void check_word(const char *ptx, wl_form_t form, unsigned index, uint32_t imm,
                       uint32_t half) {
  wl_obj_t *o = lower(ptx);
  unsigned found = 0;
  for (uint32_t i = 0; o != NULL && i < o->code_count; i++) {
    if (FIELD(o, i, FORM) != (uint32_t)form || found++ != index) continue;
    if (FIELD(o, i, IMM) == imm && FIELD(o, i, HALF) == half) continue;
    printf("FAILED: %s: constant 0x%x, half %u\n", ptx, FIELD(o, i, IMM), FIELD(o, i, HALF));
    failures++;
  }
  if (o != NULL && found <= index) printf("FAILED: %s: %u found\n", ptx, found), failures++;
  wl_obj_free(o);
}

/* Lane 0 alone stores the address. */
static void check_lane(const char *ptx) {
  wl_obj_t *o = lower(ptx);
  uint32_t compared = 0, guard = 7;
  for (uint32_t i = 0; o != NULL && i < o->code_count; i++) {
    if (FIELD(o, i, FORM) == WL_FORM_SETP_U32_RI) compared = FIELD(o, i, CMP);
    if (FIELD(o, i, FORM) == WL_FORM_ST_SHARED_B32) guard = FIELD(o, i, GUARD);
  }
  if (compared != 2 || guard == 7) {
    printf("FAILED: %s: comparison %u, guard %u\n", ptx, compared, guard);
    failures++;
  }
  wl_obj_free(o);
}

/* Scale and predicate of a product: number of a register, 7 the true one. */
static void check_product(const char *ptx, uint32_t imm, bool constant, uint32_t neg) {
  wl_obj_t *o = lower(ptx);
  unsigned found = 0;
  for (uint32_t i = 0; o != NULL && i < o->code_count; i++) {
    const uint32_t form = FIELD(o, i, FORM);
    if (form != WL_FORM_UMMA_F16 && form != WL_FORM_UMMA_F16_MASK) continue;
    found++;
    if (FIELD(o, i, IMM) == imm && (FIELD(o, i, PS) == 7) == constant && FIELD(o, i, PS_NEG) == neg)
      continue;
    printf("FAILED: %s: constant %u, predicate %u, %u\n", ptx, FIELD(o, i, IMM), FIELD(o, i, PS),
           FIELD(o, i, PS_NEG));
    failures++;
  }
  if (found != 1) printf("FAILED: %s: %u found\n", ptx, found), failures++;
  wl_obj_free(o);
}

int main(void) {
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
    check_forms(rows[k].ptx, rows[k].code);
  check_lane(T "alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], 32;");
  check_word(L "32x32b.x4.b32 " R4 ", [%r9];", WL_FORM_TMEM_LD, 0, 3, 0);
  check_word(L "16x128b.x1.b32 " R2 ", [%r9];", WL_FORM_TMEM_LD, 0, 3, 1);
  check_word(L "16x32bx2.x1.b32 {%r1}, [%r9], 8;", WL_FORM_TMEM_LD, 1, 0, 1);
  check_word(S "32x32b.x8.b32 [%r9], {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8};", WL_FORM_TMEM_ST_4,
             1, 4, 0);
  check_word(S "16x128b.x1.b32 [%r9], " R2 ";", WL_FORM_TMEM_ST_4, 0, 0, 1);
  check_word(S "16x256b.x1.b32 [%r9], " R4 ";", WL_FORM_TMEM_ST_4, 1, 4, 1);
  check_word(S "16x256b.x1.unpack::16b.b32 [%r9], " R4 ";", WL_FORM_TMEM_ST_4, 3, 12, 1);
  check_product(MMA "[%r1], %d1, %d2, %r2, %p1;", 0, false, 0);
  check_product(MMA "[%r1], %d1, %d2, %r2, !%p1, 15;", 15, false, 1);
  check_product(MMA "[%r1], %d1, %d2, %r2, 1, 2;", 2, true, 0);
  check_product(MMA "[%r1], %d1, %d2, %r2, 0;", 0, true, 1);
  check_product(MMA "[%r1], %d1, %d2, %r2, " R4 ", 0, 7;", 7, true, 1);
  printf("%d failures\n", failures);
  return failures != 0;
}
