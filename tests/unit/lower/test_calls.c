/* test_calls.c: the calling convention and control flow on the functional backend: arguments beyond
 * the registers, structures by value both ways, recursion, indirect calls through a table in
 * memory, guarded calls, values and the carry flag kept across calls, brx.idx, .local arrays through
 * generic addresses, and variables with addresses in their initialisers. PTX 7.1, 9.7.12, 5.4.
 * Expected: host arithmetic. */
#include <stdio.h>
#include <string.h>

#include "driver/include/warplock.h"

static const char text[] =
    ".version 9.0\n.target sm_90\n.address_size 64\n"
    /* sum of k * argument k: twelve registers and the rest on the stack, 64-bit ones between */
    ".func (.param .b64 r) many(.param .b32 a0, .param .b64 a1, .param .b32 a2, .param .b32 a3,\n"
    " .param .b64 a4, .param .b32 a5, .param .b32 a6, .param .b64 a7, .param .b32 a8, .param .b64 "
    "a9,\n"
    " .param .b16 a10, .param .b32 a11)\n{\n"
    " .reg .b64 %s, %x; .reg .b32 %y; .reg .b16 %h;\n"
    " ld.param.u32 %y, [a0]; cvt.u64.u32 %s, %y;\n"
    " ld.param.u64 %x, [a1]; mad.lo.u64 %s, %x, 2, %s;\n"
    " ld.param.u32 %y, [a2]; mad.wide.u32 %s, %y, 3, %s;\n"
    " ld.param.u32 %y, [a3]; mad.wide.u32 %s, %y, 4, %s;\n"
    " ld.param.u64 %x, [a4]; mad.lo.u64 %s, %x, 5, %s;\n"
    " ld.param.u32 %y, [a5]; mad.wide.u32 %s, %y, 6, %s;\n"
    " ld.param.u32 %y, [a6]; mad.wide.u32 %s, %y, 7, %s;\n"
    " ld.param.u64 %x, [a7]; mad.lo.u64 %s, %x, 8, %s;\n"
    " ld.param.u32 %y, [a8]; mad.wide.u32 %s, %y, 9, %s;\n"
    " ld.param.u64 %x, [a9]; mad.lo.u64 %s, %x, 10, %s;\n"
    " ld.param.u16 %h, [a10]; cvt.u32.u16 %y, %h; mad.wide.u32 %s, %y, 11, %s;\n"
    " ld.param.u32 %y, [a11]; mad.wide.u32 %s, %y, 12, %s;\n"
    " st.param.b64 [r], %s; ret;\n}\n"
    /* {a, b, c} -> {c, a + b, b, a} */
    ".func (.param .align 16 .b8 r[32]) turn(.param .align 16 .b8 p[24])\n{\n"
    " .reg .b64 %a, %b, %c, %d;\n"
    " ld.param.v2.b64 {%a, %b}, [p]; ld.param.b64 %c, [p+16]; add.s64 %d, %a, %b;\n"
    " st.param.b64 [r], %c; st.param.b64 [r+8], %d; st.param.v2.b64 [r+16], {%b, %a}; ret;\n}\n"
    ".func (.reg .b32 %out) fib(.reg .b32 %n)\n{\n"
    " .reg .b32 %x, %y; .reg .pred %p;\n"
    " setp.lt.u32 %p, %n, 2; mov.u32 %out, %n; @%p ret;\n"
    " sub.u32 %x, %n, 1; call (%x), fib, (%x); sub.u32 %y, %n, 2; call (%y), fib, (%y);\n"
    " add.u32 %out, %x, %y; ret;\n}\n"
    ".func (.param .b32 r) twice(.param .b32 a) { .reg .b32 %x; ld.param.u32 %x, [a]; add.u32 %x, "
    "%x, %x;"
    " st.param.b32 [r], %x; ret; }\n"
    ".func (.param .b32 r) square(.param .b32 a) { .reg .b32 %x; ld.param.u32 %x, [a]; mul.lo.u32 "
    "%x, %x, %x;"
    " st.param.b32 [r], %x; ret; }\n"
    /* has a carry flag of its own */
    ".func (.reg .b32 %r) below(.reg .b32 %a) { .reg .b32 %x; sub.cc.u32 %x, %a, 50; subc.u32 %r, 0, "
    "0; ret; }\n"
    ".global .u64 functions[2] = {twice, square};\n"
    ".global .u32 words[4] = {10, 20, 30, 40};\n"
    ".global .u64 pointers[2] = {words, generic(words)+8};\n"
    ".const .u32 table[3] = {7, 8, 9};\n"
    ".const .u64 tables[1] = {generic(table)};\n"
    ".visible .entry k(.param .u64 out)\n{\n"
    " .reg .b32 %t, %x, %y, %k<12>; .reg .b64 %o, %a, %b, %c, %d, %f, %w; .reg .pred %p; .reg .b16 "
    "%h;\n"
    " .local .align 8 .b8 buf[64];\n"
    " mov.u32 %t, %tid.x; ld.param.u64 %o, [out]; mul.wide.u32 %a, %t, 128; add.u64 %o, %o, %a;\n"
    " cvt.u64.u32 %a, %t; add.u64 %b, %a, 0x100000000; cvt.u16.u32 %h, %t;\n"
    /* values that live across the calls */
    " add.u32 %k0, %t, 100; mul.lo.u32 %k1, %t, 3; xor.b32 %k2, %t, 0x55; not.b32 %k3, %t;\n"
    " {\n .param .b32 q0; .param .b64 q1; .param .b32 q2; .param .b32 q3; .param .b64 q4; .param "
    ".b32 q5;\n"
    "  .param .b32 q6; .param .b64 q7; .param .b32 q8; .param .b64 q9; .param .b16 q10; .param "
    ".b32 q11;\n"
    "  .param .b64 res;\n"
    "  st.param.b32 [q0], %t; st.param.b64 [q1], %b; st.param.b32 [q2], 17; st.param.b32 [q3], "
    "%k0;\n"
    "  st.param.b64 [q4], %a; st.param.b32 [q5], %k1; st.param.b32 [q6], %k2; st.param.b64 [q7], "
    "%b;\n"
    "  st.param.b32 [q8], %t; st.param.b64 [q9], 5; st.param.b16 [q10], %h; st.param.b32 [q11], "
    "%t;\n"
    "  call.uni (res), many, (q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11);\n"
    "  ld.param.b64 %c, [res]; st.global.u64 [%o], %c;\n }\n"
    " {\n .param .align 16 .b8 q[24]; .param .align 16 .b8 res[32];\n"
    "  st.param.v2.b64 [q], {%a, %b}; st.param.b64 [q+16], %o;\n"
    "  call (res), turn, (q);\n"
    "  ld.param.b64 %c, [res]; sub.u64 %c, %c, %o; st.global.u64 [%o+8], %c;\n"
    "  ld.param.b64 %c, [res+8]; st.global.u64 [%o+16], %c;\n"
    "  ld.param.v2.b64 {%c, %d}, [res+16]; st.global.u64 [%o+24], %c; st.global.u64 [%o+32], %d;\n "
    "}\n"
    " and.b32 %x, %t, 7; call (%x), fib, (%x); st.global.u32 [%o+40], %x;\n"
    /* indirect, by parity */
    " and.b32 %x, %t, 1; mul.wide.u32 %d, %x, 8; mov.u64 %f, functions; add.u64 %f, %f, %d;\n"
    " ld.global.u64 %f, [%f];\n"
    " proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
    " {\n .param .b32 q; .param .b32 res; st.param.b32 [q], %k0; call (res), %f, (q), proto;\n"
    "  ld.param.b32 %x, [res]; st.global.u32 [%o+44], %x;\n }\n"
    /* guarded */
    " mov.u32 %y, 1; setp.gt.u32 %p, %t, 4; @%p call (%y), fib, (9); st.global.u32 [%o+48], %y;\n"
    /* what lived across */
    " add.u32 %x, %k0, %k1; add.u32 %x, %x, %k2; add.u32 %x, %x, %k3; st.global.u32 [%o+52], %x;\n"
    /* indexed branch */
    " tl: .branchtargets L0, L1, L2; rem.u32 %x, %t, 3; brx.idx %x, tl;\n"
    "L0: mov.u32 %y, 1000; bra L3;\nL1: mov.u32 %y, 2000; bra L3;\nL2: mov.u32 %y, 3000;\nL3:\n"
    " st.global.u32 [%o+56], %y;\n"
    /* local array through local and generic addresses */
    " and.b32 %x, %t, 15; mul.wide.u32 %d, %x, 4; mov.u64 %c, buf; add.u64 %d, %d, %c; "
    "st.local.u32 [%d], %t;\n"
    " cvta.local.u64 %d, %d; ld.u32 %y, [%d]; add.u32 %y, %y, 1; st.global.u32 [%o+60], %y;\n"
    /* addresses in initialisers */
    " mov.u64 %c, pointers; ld.global.u64 %c, [%c]; ld.global.u32 %y, [%c+4]; st.global.u32 "
    "[%o+64], %y;\n"
    " ld.global.u64 %c, [pointers+8]; ld.u32 %y, [%c]; st.global.u32 [%o+68], %y;\n"
    " rem.u32 %x, %t, 3; mul.wide.u32 %d, %x, 4; mov.u64 %c, table; add.u64 %c, %c, %d; "
    "ld.const.u32 %y, [%c];\n"
    " st.global.u32 [%o+72], %y;\n"
    " ld.const.u64 %c, [tables]; add.u64 %c, %c, %d; ld.u32 %y, [%c]; st.global.u32 [%o+76], %y;\n"
    " cvta.const.u64 %c, 0; mov.u64 %w, table; cvta.const.u64 %w, %w; isspacep.const %p, %w; "
    "selp.b32 %y, 1, 0, %p;\n"
    " st.global.u32 [%o+80], %y; isspacep.global %p, %d; cvta.local.u64 %d, %d; isspacep.local %p, "
    "%d;\n"
    " selp.b32 %y, 1, 0, %p; isspacep.shared %p, %d; @%p add.u32 %y, %y, 2; st.global.u32 [%o+84], "
    "%y;\n"
    /* the carry flag across a call */
    " add.cc.u32 %x, %t, 0xffffffd0; call (%y), below, (%t); addc.u32 %y, %y, 0; "
    "st.global.u32 [%o+88], %y;\n"
    " ret;\n}\n";

static uint32_t fib(uint32_t n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static int check(uint32_t t, const char *what, uint64_t got, uint64_t want) {
  if (got == want) return 0;
  printf("FAILED %s, thread %u: got %#llx, expected %#llx\n", what, t, (unsigned long long)got,
         (unsigned long long)want);
  return 1;
}

static int check_thread(const uint8_t *o, uint32_t t) {
  uint64_t q[11];
  uint32_t w[23];
  memcpy(q, o, sizeof q);
  memcpy(w, o, sizeof w);
  const uint64_t b = t + UINT64_C(0x100000000);
  const uint32_t k0 = t + 100, k1 = t * 3, k2 = t ^ 0x55, k3 = ~t;
  int bad = check(t, "many arguments", q[0],
                  t + 2 * b + 51 + 4ull * k0 + 5ull * t + 6ull * k1 + 7ull * k2 + 8 * b + 9ull * t +
                      50 + 11ull * t + 12ull * t);
  bad += check(t, "structure word 0", q[1], 0) + check(t, "structure word 1", q[2], t + b);
  bad += check(t, "structure word 2", q[3], b) + check(t, "structure word 3", q[4], t);
  bad += check(t, "recursion", w[10], fib(t & 7));
  bad += check(t, "indirect call", w[11], (t & 1) != 0 ? k0 * k0 : 2 * k0);
  bad += check(t, "guarded call", w[12], t > 4 ? fib(9) : 1);
  bad += check(t, "kept across calls", w[13], k0 + k1 + k2 + k3);
  bad += check(t, "brx.idx", w[14], 1000 * (t % 3 + 1));
  bad += check(t, "local array", w[15], t + 1);
  bad += check(t, "address of a global", w[16], 20) + check(t, "generic address + 8", w[17], 30);
  bad +=
      check(t, "constant bank", w[18], 7 + t % 3) + check(t, "generic constant", w[19], 7 + t % 3);
  bad += check(t, "carry across a call", w[22], (t < 50 ? UINT32_MAX : 0) + (t >= 48 ? 1u : 0u));
  bad += check(t, "isspacep.const", w[20], 1) + check(t, "isspacep.local", w[21], 1);
  return bad;
}

static int run(unsigned max_regs) {
  enum { THREADS = 96 };
  static uint8_t out[THREADS * 128];
  wl_device_t *dev = NULL;
  wl_module_t *m = NULL;
  wl_function_t *f = NULL;
  wl_addr_t at = 0;
  const wl_device_options_t opt = {.backend = "func"};
  const wl_module_options_t mopt = {.max_regs = max_regs};
  int bad = 0;
  bool ok = wl_device_open(&opt, &dev) == WL_OK &&
            wl_module_load(dev, "calls.ptx", text, strlen(text), &mopt, &m) == WL_OK &&
            wl_module_function(m, "k", &f) == WL_OK && wl_alloc(dev, sizeof out, &at) == WL_OK;
  const wl_arg_t args[1] = {WL_ARG(at)};
  const wl_launch_t launch = {.grid = {1, 1, 1}, .block = {THREADS, 1, 1}};
  ok = ok && wl_launch(f, &launch, args, 1, NULL) == WL_OK &&
       wl_read(dev, out, at, sizeof out) == WL_OK;
  if (!ok) printf("FAILED %u registers: %s\n", max_regs, wl_error(dev));
  for (uint32_t t = 0; ok && t < THREADS && bad < 10; t++)
    bad += check_thread(out + 128 * t, t);
  wl_module_unload(m);
  wl_device_close(dev);
  return bad + !ok;
}

int main(void) {
  const int bad = run(0) + run(32) + run(24);
  printf("calls: %d failed\n", bad);
  return bad != 0;
}
