/* test_mbar.c: code of mbarriers and of the barrier of the cluster, in the assembled words. The wait
 * of a try_wait stands directly behind its test, whatever is spilled, and what both read again
 * survives the test's result. Barriers of a cluster have numbers that no other barrier has. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/wl_insn.h"
#include "isa/lower/lower.h"
#include "isa/ptx/ptx.h"

#define HEAD ".version 8.6\n.target sm_90\n.address_size 64\n.shared .align 8 .b64 at[4];\n"
#define ENTRY(name, body)                                                                          \
  ".visible .entry " name "(.param .u64 p)\n{ .reg .pred %p<40>; .reg .b32 %r<80>; .reg .b64 "     \
  "%d<40>;\n" body "\nret; }\n"

static int failures;
static void fail(const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  printf("FAILED: ");
  (void)vprintf(format, ap);
  printf("\n");
  va_end(ap);
  failures++;
}

static wl_obj_t *lower(const char *text, uint32_t max_regs, int code, const char *clause) {
  wl_diag_list_t d;
  wl_ptx_module_t *m = NULL;
  wl_obj_t *o = NULL;
  wl_diag_init(&d);
  wl_diag_set_source(&d, "t.ptx", text, strlen(text));
  int rc = wl_ptx_parse("t.ptx", text, strlen(text), &d, &m);
  if (rc == 0) rc = wl_lower_module(m, &(wl_lower_options_t){.max_regs = max_regs}, &d, &o);
  bool told = clause == NULL;
  for (size_t i = 0; i < d.count; i++)
    told = told || (d.items[i].clause != NULL && strcmp(d.items[i].clause, clause) == 0);
  if (rc != code || !told) {
    char *all = wl_diag_format_all(&d);
    fail("exit code %d, expected %d [PTX %s]\n%s%s", rc, code, clause != NULL ? clause : "-",
         all != NULL ? all : "", text);
    free(all);
  }
  wl_ptx_module_free(m);
  wl_diag_free(&d);
  return o;
}

static uint32_t field(const wl_obj_t *o, uint32_t i, uint32_t low, uint32_t width) {
  const uint32_t *w = o->code[i].w;
  const uint64_t both = w[low / 32] | (uint64_t)(low % 32 + width > 32 ? w[low / 32 + 1] : 0) << 32;
  return (uint32_t)(both >> low % 32) & ((1u << width) - 1);
}
#define FIELD(o, i, name) field(o, i, WL_FIELD_##name##_LOW, WL_FIELD_##name##_WIDTH)

static uint32_t count(const wl_obj_t *o, wl_form_t form) {
  uint32_t n = 0;
  for (uint32_t i = 0; o != NULL && i < o->code_count; i++)
    n += FIELD(o, i, FORM) == form;
  return n;
}

/* ---- the test and its wait ---- */
static bool overlaps(uint32_t reg, uint32_t words, uint32_t d) {
  return reg != 255 && d >= reg && d < reg + words;
}

static void check_pair(const wl_obj_t *o, uint32_t i) {
  const wl_form_t form = (wl_form_t)FIELD(o, i - 1, FORM);
  const uint32_t d = FIELD(o, i - 1, RD), words = wl_form_info[form].a;
  if (form != WL_FORM_MBAR_SHARED_TEST && form != WL_FORM_MBAR_GEN_TEST) {
    fail("instruction %u is a wait behind form %u", i, form);
    return;
  }
  if (FIELD(o, i, RA) != d) fail("wait %u looks at R%u, not at R%u", i, FIELD(o, i, RA), d);
  if (FIELD(o, i, GUARD) != FIELD(o, i - 1, GUARD) ||
      FIELD(o, i, GUARD_NEG) != FIELD(o, i - 1, GUARD_NEG))
    fail("wait %u has another guard", i);
  if (overlaps(FIELD(o, i - 1, RA), words, d) || overlaps(FIELD(o, i - 1, RB), 1, d) ||
      overlaps(FIELD(o, i, RB), 1, d))
    fail("R%u of the test before %u is what it reads again", d, i);
}

/* try_wait of all kinds while so many registers live that some are spilled. */
static void pressure(uint32_t limit, unsigned live, unsigned *spilled) {
  static const char *const waits[] = {"mbarrier.try_wait.parity.shared.b64 %p1, [%r60], %r1, %r2;",
                                      "@%p3 mbarrier.try_wait.parity.b64 %p1, [%d1], %r3;",
                                      "mbarrier.try_wait.shared.b64 %p1, [%r60+8], %d2, 100;",
                                      "@!%p3 mbarrier.try_wait.shared.b64 %p3, [at], %d1, %r4;"};
  enum { WAITS = sizeof waits / sizeof waits[0] };
  char text[16384];
  size_t at = (size_t)snprintf(text, sizeof text, "%s",
                               HEAD ".visible .entry k(.param .u64 p)\n"
                                    "{ .reg .pred %p<8>; .reg .b32 %r<80>; "
                                    ".reg .b64 %d<8>;\n"
                                    "ld.param.u64 %d0, [p]; mov.u32 %r60, %tid.x;\n"
                                    "setp.lt.u32 %p3, %r60, 5;\n"
                                    "ld.global.u64 %d1, [%d0+512]; ld.global.u64 "
                                    "%d2, [%d0+520];\n");
#define ADD(...) at += (size_t)snprintf(text + at, sizeof text - at, __VA_ARGS__)
  for (unsigned k = 0; k < live; k++)
    ADD("ld.global.u32 %%r%u, [%%d0+%u];\n", k, 4 * k);
  for (unsigned k = 0; k < WAITS; k++)
    ADD("L%u: %s\n@!%%p1 bra L%u; st.global.u32 [%%d0], %%r%u;\n", k, waits[k], k, k);
  for (unsigned k = 0; k < live; k++)
    ADD("st.global.u32 [%%d0+%u], %%r%u;\n", 4 * k, k);
  ADD("st.global.u64 [%%d0], %%d1; st.global.u64 [%%d0], %%d2; st.global.u32 [%%d0], %%r60;\nret; }\n");
#undef ADD
  wl_obj_t *o = lower(text, limit, 0, NULL);
  if (o == NULL) return;
  for (uint32_t i = 1; i < o->code_count; i++)
    if (FIELD(o, i, FORM) == WL_FORM_WAIT) check_pair(o, i);
  if (count(o, WL_FORM_WAIT) != WAITS) fail("%u waits of %u", count(o, WL_FORM_WAIT), WAITS);
  if (o->entries[0].regs > limit) fail("%u registers of %u", o->entries[0].regs, limit);
  *spilled += count(o, WL_FORM_LD_LOCAL_B32) + count(o, WL_FORM_LD_LOCAL_B64) != 0;
  wl_obj_free(o);
}

/* ---- one instruction: what it becomes ---- */
typedef struct shape {
  const char *ptx;
  wl_form_t form; /* that it has once */
} shape_t;
static const shape_t shapes[] = {
    {"mbarrier.init.shared.b64 [at], %r1;", WL_FORM_MBAR_SHARED_INIT},
    {"mbarrier.init.b64 [%d1], 5;", WL_FORM_MBAR_GEN_INIT},
    {"mbarrier.init.b64 [at], 5;", WL_FORM_MBAR_SHARED_INIT}, /* a name proves the space */
    {"mbarrier.inval.shared.b64 [%r1];", WL_FORM_ST_SHARED_B64},
    {"mbarrier.inval.b64 [%d1];", WL_FORM_ST_GEN_B64},
    {"mbarrier.expect_tx.relaxed.cta.shared.b64 [%r1], 16;", WL_FORM_MBAR_SHARED_EXPECT},
    {"mbarrier.complete_tx.shared::cluster.b64 [%r1], %r2;", WL_FORM_MBAR_SHARED_COMPLETE},
    {"mbarrier.complete_tx.b64 [%d1], %r2;", WL_FORM_MBAR_GEN_COMPLETE},
    {"mbarrier.arrive.shared.b64 %d1, [%r1];", WL_FORM_MBAR_SHARED_ARRIVE},
    {"mbarrier.arrive.noComplete.b64 %d1, [%d2], 3;", WL_FORM_MBAR_GEN_ARRIVE},
    {"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1], 3;",
     WL_FORM_MBAR_SHARED_ARRIVE},
    {"mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 3;", WL_FORM_MBAR_SHARED_ARRIVETX},
    {"mbarrier.arrive_drop.shared.b64 %d1, [%r1], 3;", WL_FORM_MBAR_SHARED_DROP},
    {"mbarrier.arrive_drop.expect_tx.b64 %d1, [%d1], 3;", WL_FORM_MBAR_GEN_DROPTX},
    {"mbarrier.test_wait.shared.b64 %p1, [%r1], %d1;", WL_FORM_MBAR_SHARED_TEST},
    {"mbarrier.test_wait.parity.b64 %p1, [%d1], 1;", WL_FORM_MBAR_GEN_TEST},
    {"mbarrier.pending_count.b64 %r1, %d1; st.shared.u32 [at], %r1;", WL_FORM_BFE_U32_I},
    {"mapa.u64 %d1, %d2, %r1;", WL_FORM_TRAP},
    {"mapa.shared::cluster.u32 %r1, at, 1;", WL_FORM_TRAP},
    {"st.shared::cluster.u32 [%r1], %r2;", WL_FORM_ST_SHARED_B32},
    {"ld.shared::cluster.u32 %r1, [%r1];", WL_FORM_LD_SHARED_B32},
    {"barrier.cluster.arrive;", WL_FORM_BAR_CLUSTER},
    {"barrier.cluster.wait.acquire.aligned;", WL_FORM_CWAIT},
    {"fence.proxy.async;", WL_FORM_FENCE},
    {"fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;", WL_FORM_FENCE},
    {"fence.proxy.tensormap::generic.acquire.gpu [%d1], 128;", WL_FORM_FENCE},
    {"fence.mbarrier_init.release.cluster;", WL_FORM_FENCE},
    {"fence.release.sync_restrict::shared::cta.cluster;", WL_FORM_FENCE},
};
static const char *const nothing[] = {"fence.proxy.alias;", "membar.proxy.alias;",
                                      "griddepcontrol.wait;", "griddepcontrol.launch_dependents;",
                                      "mapa.shared::cluster.u32 %r1, at, 0;"};

static wl_obj_t *one(const char *ptx) {
  char text[1024];
  (void)snprintf(text, sizeof text, "%s%s%s",
                 HEAD ".visible .entry k(.param .u64 p)\n{ .reg .pred "
                      "%p<4>; .reg .b32 %r<8>; .reg .b64 %d<4>;\n",
                 ptx, "\nret; }\n");
  return lower(text, 0, 0, NULL);
}

static void check_shapes(void) {
  for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
    wl_obj_t *o = one(shapes[k].ptx);
    if (count(o, shapes[k].form) != 1)
      fail("%u of form %u: %s", count(o, shapes[k].form), shapes[k].form, shapes[k].ptx);
    wl_obj_free(o);
  }
  for (size_t k = 0; k < sizeof nothing / sizeof nothing[0]; k++) {
    wl_obj_t *o = one(nothing[k]);
    if (o != NULL && count(o, WL_FORM_EXIT) != o->code_count)
      fail("%u instructions: %s", o->code_count, nothing[k]);
    wl_obj_free(o);
  }
}

/* ---- numbers of barriers ---- */
#define SYNC   "barrier.cluster.arrive; barrier.cluster.wait;\n"
#define HELPER ".func helper() { " SYNC " ret; }\n"
typedef struct numbers {
  const char *ptx;
  int code;        /* exit code; 6: refused with clause 9.7.13.3 */
  uint32_t number; /* of every bar.cluster */
} numbers_t;
static const numbers_t modules[] = {
    {HEAD ENTRY("a", SYNC), 0, 0},
    {HEAD ENTRY("a", "bar.sync 0; barrier.red.popc.u32 %r1, 2, %p1;\n" SYNC "bar.arrive 1, 64;"), 0,
     3},
    {HEAD HELPER ENTRY("a", "bar.sync 0; call helper;")
         ENTRY("b", "bar.sync 1; call helper;\n" SYNC),
     0, 2},
    {HEAD HELPER ".func other() { bar.sync 0; ret; }\n" ENTRY("a", "call other; call helper;"), 0,
     1},
    {HEAD ENTRY("a", SYNC) ENTRY("b", "bar.sync 0; bar.sync %r1;"), 0, 0},
    {HEAD ENTRY("a", "bar.sync %r1;\n" SYNC), 6, 0},
    {HEAD ENTRY("a", "mov.b32 %r1, 0; bar.sync %r1; mov.u32 %r2, 1; bar.arrive %r2, 64;\n" SYNC), 0,
     2},
    {HEAD ENTRY("a", "mov.b32 %r1, 0; bar.sync %r1; mov.u32 %r1, 1; bar.sync %r1;\n" SYNC), 6, 0},
    {HEAD ENTRY("a", "@%p1 mov.b32 %r1, 0; bar.sync %r1;\n" SYNC), 6, 0},
    {HEAD ENTRY("a", "mov.b32 %r1, 0; ld.shared.v2.b32 {%r2, %r1}, [at]; bar.sync %r1;\n" SYNC), 6,
     0},
    {HEAD ENTRY("a", "mov.b32 %r1, 0; barrier.red.popc.u32 %r1, 3, %p1; bar.sync %r1;\n" SYNC), 6,
     0},
    {HEAD ".func f(.reg .b32 %r1) { mov.b32 %r1, 0; bar.sync %r1; " SYNC
          " ret; }\n" ENTRY("a", "call f, (%r2);"),
     6, 0},
    {HEAD HELPER ENTRY("a", "barrier.arrive %r1, 64; call helper;"), 6, 0},
    {HEAD ENTRY("a", "bar.sync 0;bar.sync 1;bar.sync 2;bar.sync 3;bar.sync 4;bar.sync 5;bar.sync 6;"
                     "bar.sync 7;bar.sync 8;bar.sync 9;bar.sync 10;bar.sync 11;bar.sync 12;"
                     "bar.sync 13;bar.sync 14;bar.sync 15;\n" SYNC),
     6, 0},
};

static void check_numbers(void) {
  for (size_t k = 0; k < sizeof modules / sizeof modules[0]; k++) {
    const numbers_t *m = &modules[k];
    wl_obj_t *o = lower(m->ptx, 0, m->code, m->code == 0 ? NULL : "9.7.13.3");
    for (uint32_t i = 0; o != NULL && i < o->code_count; i++)
      if (FIELD(o, i, FORM) == WL_FORM_BAR_CLUSTER && (FIELD(o, i, IMM) & 15) != m->number)
        fail("barrier of the cluster has number %u, expected %u:\n%s", FIELD(o, i, IMM), m->number,
             m->ptx);
    if (m->code == 0 && count(o, WL_FORM_BAR_CLUSTER) == 0) fail("no bar.cluster:\n%s", m->ptx);
    wl_obj_free(o);
  }
}

static void check_directives(void) {
  static const char body[] = " { ret; }\n";
  static const struct {
    const char *directive;
    int code;
  } rows[] = {{".reqnctapercluster 1", 0},      {".reqnctapercluster 1, 1, 1", 0},
              {".explicitcluster", 0},          {".maxclusterrank 8", 0},
              {".reqnctapercluster 2", 6},      {".reqnctapercluster 1, 1, 2", 6},
              {".reqnctapercluster 1, 2, 1", 6}};
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    char text[512];
    (void)snprintf(text, sizeof text, "%s.visible .entry k() %s%s", HEAD, rows[k].directive, body);
    wl_obj_free(lower(text, 0, rows[k].code, rows[k].code == 0 ? NULL : "11.7.1"));
  }
}

int main(void) {
  unsigned spilled = 0, runs = 0;
  for (uint32_t limit = 24; limit <= 64; limit += 4)
    for (unsigned live = 6; live < 56; live++, runs++)
      pressure(limit, live, &spilled);
  check_shapes();
  check_numbers();
  check_directives();
  printf("%u programs under pressure, %u with spill code, %d failures\n", runs, spilled, failures);
  if (spilled < runs / 4) fail("too few spill, the test has lost its point");
  return failures != 0;
}
