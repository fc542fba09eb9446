/* test_oracle: what the corpus and test_forms do not reach of the oracle: exchange with partial
 * masks, barriers with leaving threads, indirect calls, generic addresses, f32 atomics, and that
 * everything wrong or unknown ends in a message that names the instruction and its line. Expected
 * values are worked out by hand. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/test_oracle.h"

enum { WORDS = 64 };

static const wl_or_row_t k_rows[] = {
    {"shfl.bfly in a part of the warp",
     "",
     "and.b32 %r1, %t, 1; setp.ne.u32 %p, %r1, 0; add.u32 %r2, %t, 100;"
     "@%p bra L; shfl.sync.bfly.b32 %r3|%q, %r2, 2, 31, 0x55555555; bra D;"
     "L: shfl.sync.up.b32 %r3|%q, %r2, 2, 0, 0xaaaaaaaa;"
     "D: selp.u32 %r4, 1000, 0, %q; add.u32 %r3, %r3, %r4; st.global.u32 [%o], %r3; ret;",
     32,
     {1102, 101, 1100, 1101, 1106, 1103, 1104, 1105},
     NULL},
    {"shfl.idx with segments of 8",
     "",
     "shfl.sync.idx.b32 %r3|%q, %t, 5, 0x181f, 0xffffffff; st.global.u32 [%o], %r3; ret;",
     32,
     {5, 5, 5, 5, 5, 5, 5, 5},
     NULL},
    {"vote, match and redux without lanes that left",
     "",
     "setp.gt.u32 %p, %t, 5; @%p ret; setp.gt.u32 %q, %t, 3;"
     "vote.sync.ballot.b32 %r1, %q, 0xffffffff; match.any.sync.b32 %r2, 7, 0xffffffff;"
     "redux.sync.add.s32 %r3, %t, 0xffffffff; shl.b32 %r2, %r2, 8; shl.b32 %r3, %r3, 16;"
     "or.b32 %r1, %r1, %r2; or.b32 %r1, %r1, %r3; st.global.u32 [%o], %r1; ret;",
     32,
     {0xf3f30, 0xf3f30, 0xf3f30, 0xf3f30, 0xf3f30, 0xf3f30, 0, 0},
     NULL},
    {"elect takes the lowest lane",
     "",
     "elect.sync %r1|%p, 0xffffffff; selp.u32 %r2, 10, 20, %p; add.u32 %r1, %r1, %r2;"
     "st.global.u32 [%o], %r1; ret;",
     32,
     {10, 20, 20, 20, 20, 20, 20, 20},
     NULL},
    {"activemask after a branch",
     "",
     "setp.lt.u32 %p, %t, 3; @%p bra L; activemask.b32 %r1; bra D;"
     "L: activemask.b32 %r1; D: st.global.u32 [%o], %r1; ret;",
     8,
     {7, 7, 7, 0xf8, 0xf8, 0xf8, 0xf8, 0xf8},
     NULL},
    {"barrier reduction counts those that came",
     "",
     "setp.ge.u32 %p, %t, 40; @%p exit; setp.lt.u32 %q, %t, 5;"
     "bar.red.popc.u32 %r1, 3, %q; bar.red.and.pred %p, 3, %q; selp.u32 %r2, 100, 0, %p;"
     "add.u32 %r1, %r1, %r2; st.global.u32 [%o], %r1; ret;",
     64,
     {5, 5, 5, 5, 5, 5, 5, 5},
     NULL},
    {"arrive and sync of named barriers",
     ".shared .u32 box;",
     "setp.ge.u32 %p, %t, 32; @%p bra L; bar.sync 2, 64; ld.shared.u32 %r1, [box];"
     "st.global.u32 [%o], %r1; ret; L: setp.eq.u32 %q, %t, 40; mov.u32 %r2, 77;"
     "@%q st.shared.u32 [box], %r2; bar.arrive 2, 64; ret;",
     64,
     {77, 77, 77, 77, 77, 77, 77, 77},
     NULL},
    {"indirect call by prototype",
     ".func (.reg .b32 r) twice(.reg .b32 a) { add.u32 r, a, a; ret; }"
     ".func (.reg .b32 r) plus9(.reg .b32 a) { add.u32 r, a, 9; ret; }",
     "mov.u64 %x, twice; mov.u64 %y, plus9; and.b32 %r1, %t, 1; setp.ne.u32 %p, %r1, 0;"
     "selp.b64 %x, %y, %x, %p; F: .callprototype (.reg .b32 _) _ (.reg .b32 _);"
     "call (%r2), %x, (%t), F; st.global.u32 [%o], %r2; ret;",
     4,
     {0, 10, 4, 12},
     NULL},
    {"recursion keeps registers and .local of each call",
     ".func (.param .b32 r) sum(.param .b32 a) { .reg .b32 %v, %w, %u; .reg .pred %z;"
     ".local .b32 keep; ld.param.b32 %v, [a]; mov.u32 %u, %v; st.local.b32 [keep], %v;"
     "mov.u32 %w, 0; setp.ne.u32 %z, %v, 0; @!%z bra E; sub.u32 %v, %v, 1;"
     "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %v; call (y), sum, (x);"
     "ld.param.b32 %w, [y]; } E: ld.local.b32 %v, [keep]; add.u32 %v, %v, %w;"
     "add.u32 %v, %v, %u; shr.u32 %v, %v, 0; sub.u32 %v, %v, %u; st.param.b32 [r], %v; ret; }",
     "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %t; call (y), sum, (x);"
     "ld.param.b32 %r1, [y]; } st.global.u32 [%o], %r1; ret;",
     5,
     {0, 1, 3, 6, 10},
     NULL},
    {"generic addresses of shared and local",
     ".shared .u32 box[4];",
     ".local .u32 mine; mov.u64 %x, box; cvta.shared.u64 %x, %x; mov.u64 %y, mine;"
     "cvta.local.u64 %y, %y; mov.u32 %r1, 5; st.u32 [%x+4], %r1; st.u32 [%y], %r1;"
     "ld.shared.u32 %r1, [box+4]; ld.local.u32 %r2, [mine]; isspacep.shared %p, %x;"
     "isspacep.local %q, %x; selp.u32 %r3, 100, 0, %p; selp.u32 %r4, 1000, 0, %q;"
     "add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; add.u32 %r1, %r1, %r4;"
     "st.global.u32 [%o], %r1; ret;",
     1,
     {110},
     NULL},
    {"constants are not global, kernel parameters are",
     ".const .u32 tab[2]; .global .u32 var;",
     "mov.u64 %x, tab; cvta.const.u64 %x, %x; isspacep.const %p, %x; isspacep.global %q, %x;"
     "selp.u32 %r1, 1, 0, %p; selp.u32 %r2, 2, 0, %q; add.u32 %r1, %r1, %r2;"
     "mov.u64 %x, var; cvta.global.u64 %x, %x; isspacep.const %p, %x; isspacep.global %q, %x;"
     "selp.u32 %r2, 4, 0, %p; selp.u32 %r3, 8, 0, %q; add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3;"
     "cvta.param.u64 %x, out; isspacep.param %p, %x; isspacep.global %q, %x;"
     "selp.u32 %r2, 16, 0, %p; selp.u32 %r3, 32, 0, %q; add.u32 %r1, %r1, %r2;"
     "add.u32 %r1, %r1, %r3; st.global.u32 [%o], %r1; ret;",
     1,
     {1 + 8 + 16 + 32},
     NULL},
    {"f32 atomics flush in global memory only",
     ".shared .f32 box;",
     "mov.f32 %f, 0f00000003; mov.u32 %r1, 5; st.shared.u32 [box], %r1;"
     "st.global.u32 [%o], %r1; atom.shared.add.f32 %g, [box], %f; red.global.add.f32 [%o], %f;"
     "ld.shared.u32 %r2, [box]; st.global.u32 [%o+4], %r2; st.global.f32 [%o+8], %g; ret;",
     1,
     {0, 8, 5},
     NULL},
    {"narrow loads extend, packing",
     "",
     "mov.u32 %r1, 0x8081fe7f; st.global.u32 [%o+4], %r1; ld.global.s8 %r2, [%o+5];"
     "ld.global.u16 %r3, [%o+6]; mov.b32 {%h, %k}, %r1; mov.b32 %r4, {%k, %h};"
     "mov.b64 %x, {%r2, %r3}; st.global.v2.u32 [%o+8], {%r2, %r3}; st.global.u32 [%o], %r4;"
     "st.global.u64 [%o+16], %x; ret;",
     1,
     {0xfe7f8081, 0x8081fe7f, 0xfffffffe, 0x8081, 0xfffffffe, 0x8081},
     NULL},
    {"dp2a",
     "",
     "mov.u32 %r1, 0xffff0003; mov.u32 %r2, 0x05fe0402; dp2a.lo.s32.s32 %r3, %r1, %r2, 100;"
     "dp2a.hi.s32.s32 %r4, %r1, %r2, 100; st.global.u32 [%o], %r3; st.global.u32 [%o+4], %r4;"
     "dp2a.lo.u32.u32 %r3, %r1, %r2, 0; st.global.u32 [%o+8], %r3; ret;",
     1,
     {102, 89, 0x40002},
     NULL},
    {"a lock without progress of others",
     ".global .u32 lock;",
     "L: atom.global.cas.b32 %r1, [lock], 0, 1; setp.ne.u32 %p, %r1, 0; @%p bra L;"
     "ld.volatile.global.u32 %r2, [%z]; add.u32 %r2, %r2, 1; st.volatile.global.u32 [%z], %r2;"
     "membar.gl; atom.global.exch.b32 %r1, [lock], 0; ret;",
     64,
     {64},
     NULL},
    /* errors */
    {"f64",
     "",
     "mov.f64 %d, 0d3ff0000000000000; min.f64 %d, %d, %d; ret;",
     1,
     {0},
     "t.ptx:9: min.f64: not known to the oracle"},
    {"approximation",
     "",
     "ex2.approx.f32 %f, %g; ret;",
     1,
     {0},
     "t.ptx:9: ex2.approx.f32: not known to the oracle"},
    {"double precision",
     "",
     "cvt.rn.f64.u32 %x, %t; ret;",
     1,
     {0},
     "t.ptx:9: cvt.rn.f64.u32: not known to the oracle"},
    {"misaligned",
     "",
     "ld.global.u64 %x, [%o+4]; ret;",
     1,
     {0},
     "t.ptx:9: ld.global.u64: address 0x710000000004 is not a multiple of 8"},
    {"beyond a buffer", "", "ld.global.u32 %r1, [%z+256]; ret;", 1, {0}, "that is not in memory"},
    {"beyond .shared",
     ".shared .u32 box;",
     "mov.u64 %x, box; ld.shared.u32 %r1, [%x+4]; ret;",
     1,
     {0},
     "load of 4 bytes at shared address"},
    {"beyond a named variable",
     ".shared .u32 box;",
     "ld.shared.u32 %r1, [box+4]; ret;",
     1,
     {0},
     "t.ptx:9: ld.shared.u32: not known to the oracle: access beyond box"},
    {"store to .const",
     ".const .u32 c = 4;",
     "mov.u64 %x, c; cvta.const.u64 %x, %x; st.u32 [%x], %t; ret;",
     1,
     {0},
     "store of 4 bytes at generic address"},
    {"barrier that nobody else reaches",
     "",
     "bar.sync 1, 64; ret;",
     32,
     {0},
     "bar.sync: every thread waits"},
    {"lane outside its mask",
     "",
     "bar.warp.sync 2; ret;",
     2,
     {0},
     "bar.warp.sync: the lane is not in its mask 0x2"},
    {"masks that disagree",
     "",
     "setp.eq.u32 %p, %t, 0; @%p bra L; bar.warp.sync 3; ret; L: bar.warp.sync 1; bar.warp.sync 7;"
     "ret;",
     2,
     {0},
     "every thread waits"},
    {"endless loop", "", "L: bra L;", 1, {0}, "bra: does not end: instruction limit"},
    {"a copy beyond its size",
     ".shared .align 16 .b8 s[16];",
     "mov.u32 %r1, 17; cp.async.cg.shared.global [s], [%z], 16, %r1; ret;",
     1,
     {0},
     "17 bytes of the source for 16"},
    {"an arrival that nothing waits for",
     ".shared .align 8 .b64 b;",
     "mbarrier.init.shared.b64 [b], 2; cp.async.mbarrier.arrive.noinc.shared.b64 [b];"
     "mbarrier.arrive.shared.b64 %x, [b], 2; mbarrier.inval.shared.b64 [b];"
     "L: nanosleep.u32 1; bra L;",
     1,
     {0},
     "no mbarrier here"},
    {"trap", "", "trap;", 1, {0}, "t.ptx:9: trap: trap (CTA 0,0,0 thread 0,0,0)"},
    {"index beyond the table",
     "",
     "T: .branchtargets A, B; brx.idx 2, T; A: ret; B: ret;",
     1,
     {0},
     "brx.idx: index 2 of 2 targets"},
    {"call to a number",
     "",
     "mov.u64 %x, 12; F: .callprototype _ (.reg .b32 _); call %x, (%t), F; ret;",
     1,
     {0},
     "which is no function"},
    {"function without a body",
     ".extern .func nothing();",
     "call nothing, (); ret;",
     1,
     {0},
     "function nothing has no body"},
    {"malformed text", "", "add.u32 %r1; ret;", 1, {0}, "t.ptx:9:1: error"},
};

static int run(const wl_or_row_t *row, uint64_t seed, uint32_t out[WORDS], char *error,
               size_t cap) {
  static const char head[] = ".version 9.2\n.target sm_100\n.address_size 64\n%s\n"
                             ".visible .entry t(.param .u64 out)\n{\n"
                             ".reg .b32 %%t, %%r<5>; .reg .pred %%p, %%q; .reg .b64 %%x, %%y, %%o, "
                             "%%z; .reg .b16 %%h, %%k; .reg .f32 %%f, %%g; .reg .f64 %%d;\n"
                             "ld.param.u64 %%z, [out]; mov.u32 %%t, %%tid.x; "
                             "mad.wide.u32 %%o, %%t, 4, %%z;\n%s\n}\n";
  char text[4096];
  int size = snprintf(text, sizeof text, head, row->before, row->body);
  uint64_t instructions = 0;
  wl_or_module_t *m = wl_or_load("t.ptx", text, (size_t)size, error, cap);
  if (m == NULL) {
    return 0;
  }
  uint64_t at = wl_or_alloc(m, WORDS * sizeof *out);
  wl_or_arg_t arg = {&at, sizeof at};
  wl_or_launch_t l = {.entry = "t",
                      .grid = {1, 1, 1},
                      .block = {row->threads, 1, 1},
                      .args = &arg,
                      .nargs = 1,
                      .seed = seed,
                      .max_instructions = 100000};
  int ok =
      wl_or_launch(m, &l, &instructions, error, cap) && wl_or_read(m, at, out, WORDS * sizeof *out);
  wl_or_close(m);
  return ok;
}

static int check(const wl_or_row_t *row, uint64_t seed) {
  uint32_t out[WORDS] = {0};
  char error[2048] = "";
  int ok = run(row, seed, out, error, sizeof error);
  if (row->error != NULL) {
    if (ok || strstr(error, row->error) == NULL) {
      printf("%s: got \"%s\", expected \"%s\"\n", row->name, error, row->error);
      return 1;
    }
    return 0;
  }
  if (!ok || memcmp(out, row->want, sizeof row->want) != 0) {
    printf("%s: %s\n", row->name, error);
    for (unsigned i = 0; i < 8; i++) {
      printf("  word %u: got %08" PRIx32 ", expected %08" PRIx32 "\n", i, out[i], row->want[i]);
    }
    return 1;
  }
  return 0;
}

/* What reads a copy without a wait sees it with one seed and not with another; after its wait, always. */
static int check_copies(void) {
  enum { SEEDS = 32 };
  static const wl_or_row_t row = {
      "copies",
      ".global .u32 g[2] = {5, 6}; .shared .u32 s[2];",
      "st.shared.u32 [s], 0; st.shared.u32 [s+4], 0;"
      "cp.async.ca.shared.global [s], [g], 4; cp.async.commit_group;"
      "cp.async.ca.shared.global [s+4], [g+4], 4; cp.async.commit_group;"
      "ld.shared.u32 %r1, [s]; cp.async.wait_group 1; ld.shared.u32 %r2, [s];"
      "ld.shared.u32 %r3, [s+4]; cp.async.wait_all; ld.shared.u32 %r4, [s+4];"
      "st.global.v4.u32 [%z], {%r1, %r2, %r3, %r4}; ret;",
      1,
      {0},
      NULL};
  uint32_t early[2] = {0};
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    uint32_t out[WORDS] = {0};
    char error[2048] = "";
    if (!run(&row, seed, out, error, sizeof error) || out[1] != 5 || out[3] != 6) {
      printf("copies, seed %" PRIu64 ": %s: %u %u\n", seed, error, out[1], out[3]);
      return 1;
    }
    early[0] += out[0] == 5;
    early[1] += out[2] == 6;
  }
  if (early[0] == 0 || early[0] == SEEDS || early[1] == 0 || early[1] == SEEDS) {
    printf("copies: seen before their wait %u and %u times\n", early[0], early[1]);
    return 1;
  }
  return 0;
}

/* Words 0, 2 and 4 differ among the seeds; 1 and 3 never do. */
static int check_bulks(void) {
  enum { SEEDS = 32 };
  static const uint32_t seen[3][2] = {{5, 0}, {6, 0}, {7, 8}};
  uint32_t first[3] = {0};
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    uint32_t out[WORDS] = {0};
    char error[2048] = "";
    int ok = run(&wl_or_bulk_early, seed, out, error, sizeof error) && out[1] == 5 && out[3] == 6;
    for (unsigned i = 0; i < 3; i++) {
      ok = ok && (out[2 * i] == seen[i][0] || out[2 * i] == seen[i][1]);
      first[i] += out[2 * i] == seen[i][0];
    }
    if (!ok) {
      printf("bulk copies, seed %" PRIu64 ": %s: %u %u %u %u %u\n", seed, error, out[0], out[1],
             out[2], out[3], out[4]);
      return 1;
    }
  }
  for (unsigned i = 0; i < 3; i++) {
    if (first[i] == 0 || first[i] == SEEDS) {
      printf("bulk copies: of %d seeds %u are early, word %u\n", SEEDS, first[i], 2 * i);
      return 1;
    }
  }
  return 0;
}

int main(void) {
  int failed = check_copies() + check_bulks();
  size_t count = sizeof k_rows / sizeof k_rows[0];
  for (size_t i = 0; i < count; i++) {
    failed += check(&k_rows[i], 0);
  }
  for (size_t i = 0; i < wl_or_wait_count; i++) {
    failed += check(&wl_or_wait_rows[i], 0);
  }
  for (size_t i = 0; i < wl_or_bulk_count; i++) {
    for (uint64_t seed = 0; seed < (wl_or_bulk_rows[i].error != NULL ? 1 : 12); seed++) {
      failed += check(&wl_or_bulk_rows[i], seed);
    }
  }
  printf("%zu programs, %d failed\n", count + wl_or_wait_count + wl_or_bulk_count, failed);
  return failed != 0;
}
