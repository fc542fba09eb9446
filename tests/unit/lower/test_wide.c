/* test_wide.c: accesses of 128 and 256 bits and of .mmio, moves of 128 bits, and the addresses at
 * which wide and vector accesses trap. Expected values are written out here. PTX 9.7.9.3, 9.7.9.8,
 * 9.7.9.11, 9.7.13.5.
 *   test_wide [BACKEND CONFIG] */
#include <stdio.h>
#include <string.h>

#include "program.h"

enum { MISALIGNED = 10 }; /* trap.def */

typedef struct value {
  program_t p; /* stores 16 bytes at [%o] */
  uint32_t want[4];
} value_t;

#define V(name, code)                                                                              \
  {name, PROGRAM(".shared .align 16 .b8 sh[64]; .local .align 16 .b8 lo[64];", code), 1, 32}
#define OUT " st.global.v4.b32 [%o], {%r10, %r11, %r12, %r13};"
/* a holds the words 100, 101, .. ; w(k) is word k. */
/* clang-format off */
static const value_t values[] = {
    {V("b128 through registers", "ld.global.b128 %q0, [%a+16]; mov.b128 %q1, %q0; mov.b128 {%rd1, %rd2}, %q1;\n"
       "mov.b128 %q2, {%rd2, %rd1}; st.global.b128 [%o], %q2;"), {106, 107, 104, 105}},
    {V("b128 of four words", "ld.volatile.global.b128 %q0, [%a]; mov.b128 {%r1, _, %r2, %r3}, %q0;\n"
       "mov.b128 %q1, {%r3, %r2, %r1, %r1}; st.relaxed.gpu.global.b128 [%o], %q1;"), {103, 102, 100, 100}},
    {V("b128 of itself", "ld.b128 %q0, [%a]; mov.b128 {%rd1, %rd2}, %q0; mov.b128 %q0, {%rd2, %rd1}; st.b128 [%o], %q0;"),
     {102, 103, 100, 101}},
    {V("b128 in shared, local and constant memory", "ld.const.b128 %q0, [constant+16]; st.shared.b128 [sh+16], %q0;\n"
       "ld.shared.b128 %q1, [sh+16]; st.local.b128 [lo+32], %q1; ld.local.b128 %q2, [lo+32]; st.global.b128 [%o], %q2;"),
     {5, 6, 7, 8}},
    {V("v8.b32", "ld.global.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%a+32];\n"
       "add.u32 %r10, %r1, %r8; add.u32 %r11, %r2, %r7; mov.b32 %r12, %r5; mov.b32 %r13, %r4;" OUT), {223, 223, 112, 111}},
    {V("v8.b32 without some", "mov.b32 %r2, 5; ld.global.v8.b32 {%r10, _, _, %r11, _, %r12, _, %r13}, [%a];" OUT), {100, 103, 105, 107}},
    {V("v4.b64 over its address", "ld.acquire.gpu.global.v4.b64 {%a, %rd1, %rd2, %rd3}, [%a];\n"
       "mov.b64 {%r10, %r11}, %a; mov.b64 {%r12, %r13}, %rd3;" OUT), {100, 101, 106, 107}},
    {V("v8.b32 stored", "setp.eq.u32 %p1, %t, 0; mov.b32 %r1, 7; @%p1 st.global.v8.b32 [%a+64], {%r1, 8, 9, 10, %r1, 12, 13, 14};\n"
       "bar.sync 0; ld.global.b32 %r10, [%a+64]; ld.global.b32 %r11, [%a+76]; ld.global.v2.b32 {%r12, %r13}, [%a+88];" OUT),
     {7, 10, 13, 14}},
    {V("v8.b32 stored without some", "setp.eq.u32 %p1, %t, 0; @%p1 st.global.v8.b32 [%a+64], {_, 8, _, 10, 11, 12, 13, 14};\n"
       "bar.sync 0; ld.global.v4.b32 {%r10, %r11, %r12, %r13}, [%a+64];" OUT), {116, 8, 118, 10}},
    {V("v4.b64 stored without one", "setp.eq.u32 %p1, %t, 0; mov.b64 %rd1, 7; @%p1 st.global.v4.b64 [%a+96], {%rd1, _, _, %rd1};\n"
       "bar.sync 0; ld.global.b32 %r10, [%a+96]; ld.global.b32 %r11, [%a+104]; ld.global.v2.b32 {%r12, %r13}, [%a+120];" OUT),
     {7, 126, 7, 0}},
    {V("mmio", "setp.eq.u32 %p1, %t, 5; setp.lt.u32 %p2, %t, 8; mov.b32 %r10, 1; mov.b32 %r11, 2; ld.mmio.relaxed.sys.global.u32 %r10, [%a+4];\n"
       "@!%p2 ld.mmio.relaxed.sys.u16 %r11, [%a+8]; @%p2 add.u32 %r11, %r11, 100; mov.b16 %h1, 300; @%p1 st.mmio.relaxed.sys.global.u16 [%a+14], %h1;\n"
       "bar.sync 0; ld.mmio.relaxed.sys.global.b64 %rd1, [%a+8]; mov.b64 {%r12, %r13}, %rd1;" OUT), {101, 102, 102, 300u << 16 | 103}},
    {V("mmio of 128 bits", "ld.mmio.relaxed.sys.global.b128 %q0, [%a]; st.mmio.relaxed.sys.b128 [%o], %q0;"), {100, 101, 102, 103}},
    {V("hints", "createpolicy.fractional.L2::evict_last.b64 %rd1, 0.5; createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %rd2, [%a], 16, 32;\n"
       "createpolicy.cvt.L2.b64 %rd3, %rd1; applypriority.global.L2::evict_normal [%a], 128; prefetch.global.L2 [%a]; pmevent 3; pmevent.mask 9;\n"
       "ld.global.L2::cache_hint.v4.b32 {%r10, %r11, %r12, %r13}, [%a], %rd2;" OUT), {100, 101, 102, 103}},
};

/* Of 128 bits, mostly by thread 0 alone: what all threads see then. */
static const value_t atomics[] = {
    {V("exch.b128", "setp.eq.u32 %p1, %t, 0; mov.b64 %rd1, 7; mov.b128 %q0, {%rd1, 8}; mov.b128 %q1, %q0;\n"
       "@%p1 atom.global.exch.b128 %q1, [%a+16], %q0; @%p1 st.shared.b128 [sh], %q1; bar.sync 0;\n"
       "ld.shared.v4.b32 {%r10, %r11, %r12, %r13}, [sh]; ld.global.b32 %r1, [%a+24]; mad.lo.u32 %r13, %r1, 100, %r13;" OUT),
     {104, 105, 106, 907}},
    {V("exch.b128 of a negative constant", "setp.eq.u32 %p1, %t, 0; @%p1 atom.acq_rel.gpu.exch.b128 _, [%a+32], -7;\n"
       "bar.sync 0; ld.global.v4.b32 {%r10, %r11, %r12, %r13}, [%a+32];" OUT), {~6u, ~0u, 0, 0}},
    {V("cas.b128 that fails in its last word", "setp.eq.u32 %p1, %t, 0; ld.global.b128 %q1, [%a+48];\n"
       "mov.b128 {%rd1, %rd2}, %q1; add.u64 %rd2, %rd2, 0x8000000000000000; mov.b128 %q1, {%rd1, %rd2};\n"
       "@%p1 atom.global.cas.b128 %q1, [%a+48], %q1, %q1; bar.sync 0; ld.global.v4.b32 {%r10, %r11, %r12, %r13}, [%a+48];" OUT),
     {112, 113, 114, 115}},
    {V("cas.b128 that finds its value", "setp.eq.u32 %p1, %t, 0; ld.global.b128 %q1, [%a+64]; mov.b64 %rd1, 5; mov.b128 %q2, {%rd1, %rd1};\n"
       "bar.sync 0; @%p1 atom.global.cas.b128 %q1, [%a+64], %q1, %q2; bar.sync 0; ld.global.v2.b32 {%r10, %r11}, [%a+64];\n"
       "mov.b128 {%rd1, %rd2}, %q1; mov.b64 {%r12, %r13}, %rd2;" OUT), {5, 0, 118, 119}},
    {V("cas.b128 in shared memory", "setp.eq.u32 %p1, %t, 0; @%p1 st.shared.v4.b32 [sh+16], {1, 2, 3, 4}; bar.sync 0;\n"
       "mov.b64 %rd1, 0x200000001; mov.b64 %rd2, 0x400000003; mov.b128 %q0, {%rd1, %rd2}; mov.b128 %q1, {%rd2, %rd1};\n"
       "@%p1 atom.shared.cas.b128 %q2, [sh+16], %q0, %q1; @%p1 atom.cas.b128 %q2, [sh+16], %q0, %q0; bar.sync 0;\n"
       "atom.shared::cluster.exch.b128 %q3, [sh+16], %q1; st.global.b128 [%o], %q3;"), {3, 4, 1, 2}},
    {V("constants of 128 bits", "mov.b128 %q0, 0x8000000000000001; st.shared.b128 [sh], -2; ld.shared.b128 %q1, [sh];\n"
       "mov.b128 {%rd1, %rd2}, %q0; mov.b128 {%rd3, %rd4}, %q1; add.u64 %rd2, %rd2, %rd3; mov.b64 {%r10, %r11}, %rd1;\n"
       "mov.b64 {%r12, %r13}, %rd2; cvt.u32.u64 %r1, %rd4; add.u32 %r13, %r13, %r1;" OUT), {1, 0x80000000, ~1u, ~0u}},
};

/* Packets to memory (%pm6) between two fences with an access in between: 32 of .mmio, one otherwise,
 * and instruction fetches. */
#define PACKETS(access)                                                                            \
  PROGRAM("", "membar.sys; mov.u32 %r20, %pm6; " access                                           \
              " membar.sys; mov.u32 %r21, %pm6; sub.u32 %r10, %r21, %r20; st.global.b32 [%o], %r10;")
static const struct {
  program_t p;
  uint32_t least, most;
} packets[] = {
    {{"packets of ld", PACKETS("ld.relaxed.sys.global.u32 %r1, [%a];"), 1, 32}, 1, 31},
    {{"packets of ld.mmio", PACKETS("ld.mmio.relaxed.sys.global.u32 %r1, [%a];"), 1, 32}, 32, 63},
    {{"packets of st.mmio", PACKETS("st.mmio.relaxed.sys.global.u32 [%a], 5;"), 1, 32}, 32, 63},
};

typedef struct trap {
  const char *code;
  unsigned aligned; /* the least power of two that is allowed */
} trap_t;
static const trap_t traps[] = {
    {"ld.global.b128 %q0, [%rd1];", 16},
    {"ld.global.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%rd1];", 32},
    {"ld.v4.b64 {%rd2, %rd3, _, _}, [%rd1];", 32},
    {"st.global.v4.b64 [%rd1], {%rd2, %rd3, %rd2, %rd3};", 32},
    {"st.global.v4.b64 [%rd1], {%rd2, _, _, %rd3};", 32},
    {"st.global.v8.b32 [%rd1], {_, _, _, _, %r1, _, _, _};", 32},
    {"red.global.v2.f32.add [%rd1], {%f1, %f1};", 8},
    {"atom.v4.f32.add {%f1, %f2, %f3, %f4}, [%rd1], {%f1, %f1, %f1, %f1};", 16},
    {"red.global.add.noftz.f16 [%rd1], %h1;", 2},
    {"atom.global.cas.b16 %h1, [%rd1], %h2, %h3;", 2},
    {"red.global.add.noftz.bf16x2 [%rd1], %r1;", 4},
    {"red.global.v2.f16.add.noftz [%rd1], {%h1, %h1};", 4},
    {"red.global.v4.bf16.min.noftz [%rd1], {%h1, %h1, %h1, %h1};", 8},
    {"atom.global.v8.f16.max.noftz _, [%rd1], {%h1, %h1, %h1, %h1, %h1, %h1, %h1, %h1};", 16},
    {"red.global.v2.f16x2.add.noftz [%rd1], {%r1, %r1};", 8},
    {"red.global.v4.f16x2.add.noftz [%rd1], {%r1, %r1, %r1, %r1};", 16},
    {"cvt.u32.u64 %r9, %rd1; and.b32 %r9, %r9, 63; atom.shared.add.noftz.f16 %h1, [%r9], %h2;", 2},
};
static const trap_t atomic_traps[] = {
    {"atom.global.exch.b128 %q0, [%rd1], 1;", 16},
    {"atom.cas.b128 _, [%rd1], 1, %q0;", 16},
    {"cvt.u32.u64 %r9, %rd1; and.b32 %r9, %r9, 63; atom.shared.cas.b128 %q0, [%r9], 1, 2;", 16},
};
/* clang-format on */

static void fill(uint8_t *a, uint8_t *b) {
  for (uint32_t k = 0; k < A_BYTES / 4; k++) {
    const uint32_t word = 100 + k;
    memcpy(a + (size_t)4 * k, &word, 4);
  }
  memset(b, 0xee, B_BYTES);
}

static int check_value(const wl_device_options_t *options, const value_t *v) {
  static uint8_t a[A_BYTES], b[B_BYTES];
  fill(a, b);
  const int cause = program_run(options, &v->p, a, b);
  int bad = cause != 0;
  if (cause > 0) printf("%s: trap %d\n", v->p.name, cause);
  for (unsigned t = 0; t < v->p.block && cause == 0; t++) {
    uint32_t got[4];
    memcpy(got, b + (size_t)16 * t, 16);
    if (memcmp(got, v->want, 16) == 0) continue;
    if (bad++ < 4)
      printf("%s: thread %u: got %u %u %u %u, expected %u %u %u %u\n", v->p.name, t, got[0], got[1],
             got[2], got[3], v->want[0], v->want[1], v->want[2], v->want[3]);
  }
  return bad;
}

static int check_packets(const wl_device_options_t *options) {
  static uint8_t a[A_BYTES], b[B_BYTES];
  int bad = 0;
  for (size_t i = 0; i < sizeof packets / sizeof packets[0]; i++) {
    uint32_t got = 0;
    fill(a, b);
    const int cause = program_run(options, &packets[i].p, a, b);
    memcpy(&got, b, 4);
    if (cause == 0 && got >= packets[i].least && got <= packets[i].most) continue;
    printf("%s: cause %d, %u packets\n", packets[i].p.name, cause, got);
    bad++;
  }
  return bad;
}

static const char start[] = PROGRAM_START(
    ".shared .align 16 .b8 sh[64];",
    "mov.b32 %r1, 0; mov.b16 %h1, 0; mov.b16 %h2, 0; mov.b16 %h3, 0; mov.f32 %f1, 0f00000000;\n");

/* At every offset that is one power of two: legal from `aligned` on, else a trap. */
static int check_trap(const wl_device_options_t *options, const trap_t *t) {
  static uint8_t a[A_BYTES], b[B_BYTES];
  char text[4096];
  int bad = 0;
  for (unsigned offset = 1; offset <= 64; offset *= 2) {
    const size_t head = strlen(start);
    memcpy(text, start, head);
    (void)snprintf(text + head, sizeof text - head, "add.u64 %%rd1, %%a, %u;\n%s\nret;\n}\n",
                   offset, t->code);
    fill(a, b);
    const int cause = program_run(options, &(program_t){t->code, text, 1, 1}, a, b);
    if (cause == (offset >= t->aligned ? 0 : MISALIGNED)) continue;
    printf("%s: offset %u: cause %d\n", t->code, offset, cause);
    bad++;
  }
  return bad;
}

int main(int argc, char **argv) {
  wl_device_options_t o = {.mem_bytes = 16 << 20};
  if (argc > 2) {
    o.backend = argv[1];
    o.config = argv[2];
  }
  int bad = 0;
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
    bad += check_value(&o, &values[i]);
  for (size_t i = 0; i < sizeof traps / sizeof traps[0]; i++)
    bad += check_trap(&o, &traps[i]);
  const bool wide = o.config == NULL || strncmp(o.config, "tiny", 4) != 0; /* tiny lacks them */
  for (size_t i = 0; i < sizeof atomics / sizeof atomics[0] && wide; i++)
    bad += check_value(&o, &atomics[i]);
  for (size_t i = 0; i < sizeof atomic_traps / sizeof atomic_traps[0] && wide; i++)
    bad += check_trap(&o, &atomic_traps[i]);
  if (argc > 2 && strcmp(argv[1], "model") == 0 && strcmp(argv[2], "base") == 0)
    bad += check_packets(&o); /* it has %pm6 */
  printf("%d wrong\n", bad);
  return bad != 0;
}
