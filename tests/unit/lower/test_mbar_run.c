/* test_mbar_run.c: mbarriers, the cluster of one CTA, copies, from PTX text to results. Expected values are
 * written out here. PTX 9.7.9.23, 9.7.9.24, 9.7.13.3, 9.7.13.15.
 *   test_mbar_run [BACKEND CONFIG] */
#include <stdio.h>
#include <string.h>

#include "program.h"

enum { USER = 5, MISALIGNED = 10, MBARRIER = 16 }; /* trap.def */

typedef struct value {
  program_t p; /* stores 16 bytes at [%o] */
  uint32_t want[4];
} value_t;

#define HEAD               ".shared .align 8 .b64 mb[4]; .shared .align 16 .b32 sh[8];"
#define V(name, code)      {name, PROGRAM(HEAD, code), 1, 1}
#define CTA(name, n, code) {name, PROGRAM(HEAD, code), 1, n}
#define OUT                " st.global.v4.b32 [%o], {%r10, %r11, %r12, %r13};"
#define PENDING(r, d)      "mbarrier.pending_count.b64 " r ", " d ";\n"
#define OVER(r, parity)                                                                            \
  "mbarrier.test_wait.parity.shared.b64 %p6, [mb], " parity "; selp.b32 " r ", 1, 0, %p6;\n"
#define TEST(r, d) "mbarrier.test_wait.shared.b64 %p6, [mb], " d "; selp.b32 " r ", 1, 0, %p6;\n"
#define TRY(r, d)  "mbarrier.try_wait.shared.b64 %p6, [mb], " d "; selp.b32 " r ", 1, 0, %p6;\n"

/* clang-format off */
static const value_t values[] = {
    {V("two arrivals end a phase", "mbarrier.init.shared.b64 [mb], 2; mbarrier.arrive.shared.b64 %rd1, [mb]; mbarrier.arrive.shared.b64 %rd2, [mb];\n"
       PENDING("%r10", "%rd1") PENDING("%r11", "%rd2") OVER("%r12", "0") OVER("%r13", "1") OUT), {2, 1, 1, 0}},
    {V("by its state", "mbarrier.init.shared.b64 [mb], 2; mbarrier.arrive.shared.b64 %rd1, [mb];\n" TEST("%r10", "%rd1")
       "mbarrier.arrive.shared.b64 %rd2, [mb];\n" TEST("%r11", "%rd1") TRY("%r12", "%rd2")
       "mbarrier.arrive.shared.b64 %rd3, [mb];\n" TEST("%r13", "%rd3") OUT), {0, 1, 1, 0}},
    {V("counts", "mbarrier.init.shared.b64 [mb], 9; mbarrier.arrive.shared.b64 %rd1, [mb], 4; mov.b32 %r1, 2;\n"
       "mbarrier.arrive.release.cta.shared.b64 %rd2, [mb], %r1; mbarrier.arrive.noComplete.shared.b64 %rd3, [mb], 2; mbarrier.arrive.shared.b64 %rd4, [mb];\n"
       PENDING("%r10", "%rd2") PENDING("%r11", "%rd3") PENDING("%r12", "%rd4") OVER("%r13", "0") OUT), {5, 3, 1, 1}},
    {V("an arrival fewer", "mbarrier.init.shared.b64 [mb], 3; mbarrier.arrive_drop.shared.b64 _, [mb]; mbarrier.arrive.shared.b64 _, [mb], 2;\n"
       OVER("%r10", "0") "mbarrier.arrive.shared.b64 %rd1, [mb]; mbarrier.arrive_drop.noComplete.shared.b64 %rd2, [mb], 1; mbarrier.arrive.shared.b64 %rd3, [mb];\n"
       PENDING("%r11", "%rd1") PENDING("%r12", "%rd2") PENDING("%r13", "%rd3") OUT), {1, 2, 1, 1}},
    {V("transactions", "mbarrier.init.shared.b64 [mb], 1; mbarrier.expect_tx.shared.b64 [mb], 4; mov.b32 %r1, 12;\n"
       "mbarrier.arrive.expect_tx.shared.b64 _, [mb], %r1;\n" OVER("%r10", "0") "mbarrier.complete_tx.shared::cluster.b64 [mb], 15;\n" OVER("%r11", "0")
       "mbarrier.complete_tx.relaxed.cluster.shared.b64 [mb], 1;\n" OVER("%r12", "0") OVER("%r13", "1") OUT), {0, 0, 1, 0}},
    {V("drop and transactions", "mbarrier.init.shared.b64 [mb], 2; mbarrier.arrive_drop.expect_tx.shared.b64 %rd1, [mb], 8; mbarrier.complete_tx.shared.b64 [mb], 8;\n"
       "mbarrier.arrive.shared.b64 %rd2, [mb]; mbarrier.arrive.shared.b64 %rd3, [mb];\n"
       PENDING("%r10", "%rd1") PENDING("%r11", "%rd2") PENDING("%r12", "%rd3") OVER("%r13", "1") OUT), {2, 1, 1, 1}},
    {V("generic addresses", "cvta.shared.u64 %rd9, mb; mbarrier.init.b64 [%rd9+8], 1; mbarrier.arrive.b64 %rd1, [%rd9+8]; mov.b32 %r1, mb;\n"
       "mbarrier.test_wait.parity.shared.b64 %p1, [%r1+8], 0; selp.b32 %r10, 1, 0, %p1; mbarrier.try_wait.b64 %p1, [%rd9+8], %rd1, 100; selp.b32 %r11, 1, 0, %p1;\n"
       "mbarrier.test_wait.b64 %p1, [%rd9+8], 0; selp.b32 %r12, 1, 0, %p1; mbarrier.inval.b64 [%rd9+8]; ld.shared.b64 %rd2, [mb+8]; cvt.u32.u64 %r13, %rd2;" OUT), {1, 1, 1, 0}},
    {V("guards", "mbarrier.init.shared.b64 [mb], 1; setp.ne.u32 %p1, %t, %t; mov.b64 %rd1, 77; @%p1 mbarrier.arrive.shared.b64 %rd1, [mb];\n"
       OVER("%r10", "0") "cvt.u32.u64 %r11, %rd1; setp.eq.u32 %p2, %t, %t; @%p1 mbarrier.try_wait.parity.shared.b64 %p2, [mb], 0; selp.b32 %r12, 1, 0, %p2;\n"
       "@!%p1 mbarrier.arrive.shared.b64 %rd1, [mb]; @!%p1 mbarrier.try_wait.parity.shared.b64 %p1, [mb], 0; selp.b32 %r13, 1, 0, %p1;" OUT), {0, 77, 1, 1}},
    {V("out of time", "mbarrier.init.shared.b64 [mb], 1; mov.b32 %r1, 50; mbarrier.try_wait.parity.shared.b64 %p1, [mb], 0, %r1; selp.b32 %r10, 1, 0, %p1;\n"
       "mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p2, [mb], 1, 20; selp.b32 %r11, 1, 0, %p2; mov.b32 %r12, 3; mov.b32 %r13, 4;" OUT), {0, 1, 3, 4}},
    {V("state over its address", "cvta.shared.u64 %rd9, mb; mbarrier.init.b64 [%rd9], 5; mbarrier.arrive.b64 %rd9, [%rd9];\n" PENDING("%r10", "%rd9")
       "mbarrier.pending_count.b64 %r11, 0x1fffff00000007; mov.b32 %r12, 0; mov.b32 %r13, 0;" OUT), {5, 7, 0, 0}},
    {V("the cluster of one", "mov.b32 %r1, %t; mapa.shared::cluster.u32 %r2, sh+8, %r1; st.shared::cluster.b32 [%r2], 42; ld.shared.b32 %r10, [sh+8];\n"
       "cvta.shared::cluster.u64 %rd1, sh; mapa.u64 %rd2, %rd1, 0; isspacep.shared::cluster %p1, %rd2; selp.b32 %r11, 1, 0, %p1; getctarank.u64 %r12, %rd2;\n"
       "cvta.to.shared::cluster.u64 %rd3, %rd2; atom.shared::cluster.add.u32 %r3, [%rd3+8], 5; red.shared::cluster.add.u32 [sh+8], 1; ld.shared::cluster.b32 %r13, [%r2];" OUT),
     {42, 1, 0, 48}},
    {V("traps not made", "setp.ne.u32 %p1, %t, %t; mov.b32 %r1, 3; mov.b64 %rd1, 9; @%p1 mapa.u64 %rd1, %rd1, %r1; @%p1 mapa.u64 %rd1, %rd1, 1;\n"
       "mov.b64 {%r10, %r11}, %rd1; getctarank.shared::cluster.u32 %r12, sh; isspacep.shared::cluster %p1, %rd1; selp.b32 %r13, 1, 0, %p1;" OUT), {9, 0, 0, 0}},
    {CTA("all wait for a slow one", 96, "setp.ne.u32 %p1, %t, 40; @!%p1 mbarrier.init.shared.b64 [mb], 2; bar.sync 0; @%p1 bra WAIT;\n"
       "nanosleep.u32 2000; st.shared.b32 [sh], 123; mbarrier.arrive.shared.b64 _, [mb], 2;\n"
       "WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [mb], 0; @!%p2 bra WAIT;\n"
       "ld.shared.b32 %r10, [sh]; mov.b32 %r11, 1; mov.b32 %r12, 2; mov.b32 %r13, 3;" OUT), {123, 1, 2, 3}},
    {CTA("warps in turns", 64, "setp.ne.u32 %p1, %t, 0; @!%p1 mbarrier.init.shared.b64 [mb], 64; @!%p1 st.shared.b32 [sh], 0; bar.sync 0; mov.b32 %r10, 0;\n"
       "ROUND: atom.shared.add.u32 %r1, [sh], 1; mbarrier.arrive.shared.b64 %rd1, [mb];\n"
       "WAIT: mbarrier.try_wait.shared.b64 %p2, [mb], %rd1; @!%p2 bra WAIT;\n"
       "ld.shared.b32 %r11, [sh]; mbarrier.arrive.shared.b64 %rd1, [mb];\n"
       "MORE: mbarrier.test_wait.shared.b64 %p2, [mb], %rd1; @!%p2 bra MORE;\n"
       "add.u32 %r10, %r10, 1; setp.lt.u32 %p3, %r10, 3; @%p3 bra ROUND; mov.b32 %r12, 0; mov.b32 %r13, 0;" OUT), {3, 192, 0, 0}},
    {CTA("some lanes wait", 64, "and.b32 %r1, %t, 1; setp.ne.u32 %p1, %r1, 0; setp.eq.u32 %p3, %t, 34; @%p3 mbarrier.init.shared.b64 [mb], 1; bar.sync 0; setp.eq.u32 %p2, %t, %t;\n"
       "@!%p3 bra WAIT; nanosleep.u32 2000; st.shared.b32 [sh], 55; mbarrier.arrive.shared.b64 _, [mb];\n"
       "WAIT: @%p1 mbarrier.try_wait.parity.shared.b64 %p2, [mb], 0, 300; @!%p2 bra WAIT; @%p1 ld.shared.b32 %r10, [sh];\n"
       "bar.sync 0; @!%p1 ld.shared.b32 %r10, [sh]; selp.b32 %r11, 1, 0, %p2; mov.b32 %r12, 0; mov.b32 %r13, 0;" OUT), {55, 1, 0, 0}},
    {CTA("barrier of the cluster", 96, "setp.ne.u32 %p1, %t, 70; @%p1 bra MEET; nanosleep.u32 1000; st.shared.b32 [sh], 9; MEET: barrier.cluster.arrive.release;\n"
       "mov.b32 %r11, 8; barrier.cluster.wait.acquire; ld.shared.b32 %r10, [sh]; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; @!%p1 st.shared.b32 [sh], 7;\n"
       "bar.sync 0; barrier.cluster.arrive.relaxed; barrier.cluster.wait; ld.shared.b32 %r12, [sh]; mov.b32 %r13, 6;" OUT), {9, 8, 7, 6}},
    {CTA("a barrier's number in a register", 64, "setp.ne.u32 %p1, %t, 40; mov.b32 %r9, 0; @%p1 bra MEET; nanosleep.u32 1000; st.shared.b32 [sh], 21; MEET: barrier.cluster.arrive;\n"
       "barrier.sync %r9, 64; barrier.cluster.wait; ld.shared.b32 %r10, [sh]; mov.b32 %r11, 1; mov.b32 %r12, 2; mov.b32 %r13, 3;" OUT), {21, 1, 2, 3}},
    {V("copies", "setp.eq.u32 %p1, %t, %t; setp.ne.u32 %p2, %t, %t; mov.b32 %r1, sh; cp.async.ca.shared.global [%r1+4], [%a], 4; cp.async.ca.shared.global [sh+8], [%a+4], 4;\n"
       "@%p1 cp.async.ca.shared.global [sh+12], [%a+8], 4, %p2; @%p1 cp.async.ca.shared.global [sh+16], [%a+12], 4, %p1; @%p2 cp.async.ca.shared.global [sh+4], [%a+16], 4, %p1;\n"
       "cp.async.wait_all; ld.shared.b32 %r10, [sh+4]; ld.shared.b32 %r11, [sh+8]; ld.shared.b32 %r12, [sh+12]; ld.shared.b32 %r13, [sh+16];" OUT), {100, 101, 102, 0}},
    {V("fences and the next grid", "fence.mbarrier_init.release.cluster; fence.proxy.async; fence.proxy.alias; fence.proxy.async.shared::cta; griddepcontrol.wait; griddepcontrol.launch_dependents;\n"
       "fence.proxy.tensormap::generic.release.gpu; fence.proxy.tensormap::generic.acquire.gpu [%a], 128; fence.acquire.sync_restrict::shared::cluster.cluster;\n"
       "ld.global.v4.b32 {%r10, %r11, %r12, %r13}, [%a];" OUT), {100, 101, 102, 103}},
};

static const struct { program_t p; int cause; } traps[] = {
    {V("mapa to another rank", "mov.b32 %r1, 1; mapa.u64 %rd1, %a, %r1;"), USER},
    {V("mapa to another constant rank", "mapa.shared::cluster.u32 %r1, sh, 2;"), USER},
    {CTA("mapa of one lane", 32, "setp.eq.u32 %p1, %t, 7; @%p1 mapa.shared::cluster.u32 %r1, sh, %t;"), USER},
    {V("init with 0", "mbarrier.init.shared.b64 [mb], 0;"), MBARRIER},
    {V("more than is pending", "mbarrier.init.shared.b64 [mb], 1; mbarrier.arrive.shared.b64 _, [mb], 2;"), MBARRIER},
    {V("misaligned", "mbarrier.init.shared.b64 [mb+4], 1;"), MISALIGNED},
    {V("test misaligned", "mov.b32 %r1, 12; mbarrier.try_wait.parity.shared.b64 %p1, [%r1], 0; selp.b32 %r10, 1, 0, %p1; st.global.b32 [%o], %r10;"), MISALIGNED},
};
/* clang-format on */

static void fill(uint32_t a[A_BYTES / 4], uint8_t b[B_BYTES]) {
  for (uint32_t k = 0; k < A_BYTES / 4; k++)
    a[k] = 100 + k;
  memset(b, 0xee, B_BYTES);
}

static int check_value(const wl_device_options_t *options, const value_t *v) {
  uint32_t a[A_BYTES / 4];
  uint8_t b[B_BYTES];
  fill(a, b);
  const int cause = program_run(options, &v->p, a, b);
  if (cause != 0) {
    printf("FAILED: %s: trap %d\n", v->p.name, cause);
    return 1;
  }
  for (uint32_t t = 0; t < v->p.block; t++) {
    uint32_t got[4];
    memcpy(got, b + (size_t)16 * t, sizeof got);
    if (memcmp(got, v->want, sizeof got) == 0) continue;
    printf("FAILED: %s: thread %u has {%u, %u, %u, %u}, expected {%u, %u, %u, %u}\n", v->p.name, t,
           got[0], got[1], got[2], got[3], v->want[0], v->want[1], v->want[2], v->want[3]);
    return 1;
  }
  return 0;
}

#define COUNT(x) (sizeof(x) / sizeof((x)[0]))
int main(int argc, char **argv) {
  wl_device_options_t o = {.mem_bytes = 16 << 20, .max_cycles = 2000000}; /* a wait may go wrong */
  int bad = 0;
  if (argc > 2) o.backend = argv[1], o.config = argv[2];
  for (size_t k = 0; k < COUNT(values); k++)
    bad += check_value(&o, &values[k]);
  for (size_t k = 0; k < COUNT(traps); k++) {
    uint32_t a[A_BYTES / 4];
    uint8_t b[B_BYTES];
    fill(a, b);
    const int cause = program_run(&o, &traps[k].p, a, b);
    if (cause != traps[k].cause)
      bad +=
          printf("FAILED: %s: trap %d, expected %d\n", traps[k].p.name, cause, traps[k].cause) > 0;
  }
  printf("%zu programs, %d failed\n", COUNT(values) + COUNT(traps), bad);
  return bad != 0;
}
