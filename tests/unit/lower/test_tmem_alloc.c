/* test_tmem_alloc.c: allocation of tensor memory, from PTX text: addresses, who waits, and what traps.
 * PTX 9.7.16.7.1, 9.7.16.8.1; docs/microarchitecture.md 24.
 *   test_tmem_alloc [BACKEND CONFIG]     of a configuration with 64 columns */
#include <stdio.h>
#include <string.h>

#include "program.h"

enum { COLUMNS = 18, PERMIT, GROWS, DEALLOC, LANES, RANGE }; /* trap.def */

#define HEAD                                                                                           \
  ".version 9.0\n.target sm_103a\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b)\n" \
  "{\n.shared .align 4 .b32 sm[8]; .reg .pred %p<8>; .reg .b32 %r<16>, %t, %w; .reg .b64 %rd<8>, %a, " \
  "%o; ld.param.u64 %a, [a]; ld.param.u64 %o, [b]; mov.u32 %t, %tid.x; mov.u32 %r0, %ctaid.x;\n"       \
  "shr.u32 %w, %t, 5; mov.u32 %r1, %ntid.x; mad.lo.u32 %t, %r0, %r1, %t; mul.wide.u32 %rd1, %t, 16; "  \
  "add.u64 %o, %o, %rd1; mov.b32 %r10, 0; mov.b32 %r11, 0; mov.b32 %r12, 0; mov.b32 %r13, 0;\n"
#define TAIL               "\nst.global.v4.b32 [%o], {%r10, %r11, %r12, %r13}; ret; }\n"
#define P(grid, blk, code) HEAD code TAIL, grid, blk
#define G                  ".cta_group::1.sync.aligned"
#define ALLOC              "tcgen05.alloc" G ".shared::cta.b32 "
#define DEALLOC_           "tcgen05.dealloc" G ".b32 "
#define GIVE_UP            "tcgen05.relinquish_alloc_permit" G "; "
#define ST1                "tcgen05.st.sync.aligned.32x32b.x1.b32 "
#define LD1                "tcgen05.ld.sync.aligned.32x32b.x1.b32 "
#define WAIT               "tcgen05.wait::st.sync.aligned; tcgen05.wait::ld.sync.aligned;\n"

static const struct {
  program_t p;
  uint32_t want[4]; /* of every thread */
} values[] = {
    {{"addresses",
      P(1, 32,
        ALLOC "[sm], 32; " ALLOC
              "[sm+4], 32; ld.shared.b32 %r10, [sm]; ld.shared.b32 %r11, [sm+4]; " DEALLOC_
              "%r10, 32; mov.b32 %r2, 32; mov.b32 %r3, sm;\n" ALLOC
              "[%r3+8], %r2; ld.shared.b32 %r12, [sm+8]; " DEALLOC_ "%r11, %r2; " DEALLOC_
              "%r12, 32;")},
     {0, 32, 0, 0}},
    {{"generic address, guards",
      P(1, 64,
        "mov.u32 %r2, sm; cvt.u64.u32 %rd2, %r2; cvta.shared.u64 %rd2, %rd2; mov.b32 %r3, 7; st.shared.v2.b32 [sm], {%r3, %r3}; bar.sync 0; setp.eq.u32 %p1, %w, 1; @%p1 tcgen05.alloc" G
        ".b32 [%rd2+4], 64;\n@!%p1 bra NO; ld.shared.b32 %r4, [sm+4]; @%p1 " DEALLOC_
        "%r4, 64; NO: bar.sync 0; ld.shared.v2.b32 {%r10, %r11}, [sm];")},
     {7, 0, 0, 0}},
    {{"a warp waits",
      P(1, 96,
        "setp.eq.u32 %p1, %w, 0; setp.eq.u32 %p2, %w, 1; @%p1 " ALLOC
        "[sm], 64; bar.sync 0; @%p2 " ALLOC
        "[sm+4], 32; mov.b32 %r2, 1; @%p2 st.shared.b32 [sm+12], %r2; setp.eq.u32 %p3, %w, 2; @%p3 st.shared.b32 [sm+8], %r2;\n@%p1 nanosleep.u32 2000; @%p1 ld.shared.b32 %r3, [sm]; @%p1 " DEALLOC_
        "%r3, 64; bar.sync 0; @%p2 ld.shared.b32 %r3, [sm+4]; @%p2 " DEALLOC_
        "%r3, 32; ld.shared.v4.b32 {%r10, %r11, %r12, %r13}, [sm];")},
     {0, 0, 1, 1}},
    {{"CTAs wait for each other",
      P(6, 32,
        ALLOC "[sm], 64; ld.shared.b32 %r2, [sm]; mov.u32 %r3, %ctaid.x; " ST1
              "[%r2+63], {%r3}; " WAIT "nanosleep.u32 500; " LD1 "{%r4}, [%r2+63]; " WAIT
              "sub.u32 %r10, %r4, %r3; " DEALLOC_ "%r2, 64; " GIVE_UP)},
     {0, 0, 0, 0}},
    {{"what a CTA leaves is free",
      P(3, 32, ALLOC "[sm], 64; " GIVE_UP "ld.shared.b32 %r10, [sm];")},
     {0, 0, 0, 0}},
    {{"four warps, own lanes",
      P(1, 128,
        "setp.eq.u32 %p1, %w, 3; @%p1 " ALLOC
        "[sm], 32; bar.sync 0; ld.shared.b32 %r2, [sm]; shl.b32 %r3, %w, 21; add.u32 %r3, %r3, %r2; " ST1
        "[%r3+31], {%t}; " WAIT LD1 "{%r4}, [%r3+31]; " WAIT
        "sub.u32 %r10, %r4, %t; bar.sync 0; @%p1 " DEALLOC_ "%r2, 32;")},
     {0, 0, 0, 0}},
};

#define ONE   ALLOC "[sm], 32; ld.shared.b32 %r2, [sm];\n"
#define TWO   ALLOC "[sm], 64; ld.shared.b32 %r2, [sm];\n"
#define WARP1 "setp.eq.u32 %p1, %w, 1; @!%p1 " ONE "bar.sync 0; ld.shared.b32 %r2, [sm];\n"
static const struct {
  program_t p;
  int cause;
} traps[] = {
    {{"48 columns", P(1, 32, "mov.b32 %r2, 48; " ALLOC "[sm], %r2;")}, COLUMNS},
    {{"more than there are", P(1, 32, ALLOC "[sm], 128;")}, COLUMNS},
    {{"no columns", P(1, 32, "mov.b32 %r2, 0; " ALLOC "[sm], %r2;")}, COLUMNS},
    {{"no permit", P(1, 32, GIVE_UP ALLOC "[sm], 32;")}, PERMIT},
    {{"grows", P(1, 32, ONE DEALLOC_ "%r2, 32; " ALLOC "[sm], 64;")}, GROWS},
    {{"dealloc of 96", P(1, 32, ONE DEALLOC_ "%r2, 96;")}, COLUMNS},
    {{"dealloc, a column", P(1, 32, ONE "add.u32 %r2, %r2, 1; " DEALLOC_ "%r2, 32;")}, DEALLOC},
    {{"dealloc, a lane", P(1, 32, ONE "add.u32 %r2, %r2, 0x10000; " DEALLOC_ "%r2, 32;")}, DEALLOC},
    {{"dealloc, half", P(1, 32, TWO DEALLOC_ "%r2, 32;")}, DEALLOC},
    {{"dealloc, other half", P(1, 32, TWO DEALLOC_ "32, 32;")}, DEALLOC},
    {{"dealloc, two at once", P(1, 32, ONE ONE DEALLOC_ "0, 64;")}, DEALLOC},
    {{"dealloc, twice", P(1, 32, ONE DEALLOC_ "%r2, 32; " DEALLOC_ "%r2, 32;")}, DEALLOC},
    {{"dealloc, beyond", P(1, 32, DEALLOC_ "64, 32;")}, DEALLOC},
    {{"load, lanes of another", P(1, 64, WARP1 LD1 "{%r3}, [%r2];")}, LANES},
    {{"store, lanes of another", P(1, 64, WARP1 ST1 "[%r2], {%r3};")}, LANES},
    {{"load, half of .32x32b", P(1, 32, ONE "add.u32 %r2, %r2, 0x100000; " LD1 "{%r3}, [%r2];")},
     LANES},
    {{"load, lane 8",
      P(1, 32,
        ONE "add.u32 %r2, %r2, 0x80000; tcgen05.ld.sync.aligned.16x64b.x1.b32 {%r3}, [%r2];")},
     LANES},
    {{"store, lane 32",
      P(1, 32,
        ONE "add.u32 %r2, %r2, 0x200000; tcgen05.st.sync.aligned.16x64b.x1.b32 [%r2], {%r3};")},
     LANES},
    {{"load, not allocated", P(1, 32, "mov.b32 %r2, 0; " LD1 "{%r3}, [%r2];")}, RANGE},
    {{"store, behind", P(1, 32, ONE ST1 "[%r2+32], {%r3};")}, RANGE},
    {{"store, across", P(1, 32, ONE "tcgen05.st.sync.aligned.32x32b.x2.b32 [%r2+31], {%r3, %r4};")},
     RANGE},
    {{"load, second access",
      P(1, 32, ONE "tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {%r3}, [%r2], 32;")},
     RANGE},
    {{"load, beyond all",
      P(1, 32, TWO "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r3, %r4}, [%r2+63];")},
     RANGE},
    {{"load, freed", P(1, 32, ONE DEALLOC_ "%r2, 32; " LD1 "{%r3}, [%r2];")}, RANGE},
};

int main(int argc, char **argv) {
  wl_device_options_t o = {.mem_bytes = 16 << 20, .config = "tiny", .max_cycles = 2000000};
  if (argc > 2) o.backend = argv[1], o.config = argv[2];
  uint8_t a[A_BYTES] = {0}, b[B_BYTES];
  int bad = 0;
  for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
    const program_t *p = &values[k].p;
    memset(b, 0xee, sizeof b);
    int wrong = program_run(&o, p, a, b);
    for (uint32_t t = 0; t < p->grid * p->block && wrong == 0; t++)
      wrong = memcmp(b + (size_t)16 * t, values[k].want, 16) != 0 ? (int)t + 1000 : 0;
    if (wrong != 0) printf("FAILED: %s: trap, or 1000 + thread: %d\n", p->name, wrong), bad++;
  }
  for (size_t k = 0; k < sizeof traps / sizeof traps[0]; k++) {
    const int cause = program_run(&o, &traps[k].p, a, b);
    if (cause == traps[k].cause) continue;
    printf("FAILED: %s: trap %d, expected %d\n", traps[k].p.name, cause, traps[k].cause);
    bad++;
  }
  printf("%d failures\n", bad);
  return bad != 0;
}
