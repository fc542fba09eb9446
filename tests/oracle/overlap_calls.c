/* overlap_calls.c: calls whose results are arguments, in every assignment of four registers;
 * through .reg and .param parameters, .param variables and byte arrays. PTX 7.1, 9.7.12.5. */
#include "tests/oracle/overlap_list.h"

const char wl_overlap_functions[] =
    ".const .align 16 .b32 ct[32] = {0x11223344, 0x8899aabb, 0x7f80ff01, 0xfffefdfc, 5, 6, 7, 8, "
    "0xdeadbeef, 0xcafe1234, 11, 12, 13, 14, 15, 16, 0x80008000, 0x7fff7fff, 19, 20, 0xf0e0d0c0, "
    "22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 0x90909090};\n"
    ".func (.reg .b32 r) weigh(.reg .b32 a, .reg .b32 b, .reg .b32 c, .reg .b32 d)\n{\n"
    "mad.lo.u32 r, a, 3, b;\nmad.lo.u32 r, r, 5, c;\nmad.lo.u32 r, r, 7, d;\nret;\n}\n"
    ".func (.reg .b64 r) mixed(.reg .b32 a, .reg .b64 b, .reg .b32 c, .reg .b64 d)\n{\n"
    ".reg .b64 %y;\nmad.wide.u32 r, a, 3, b;\nmad.wide.u32 %y, c, 9, d;\n"
    "mad.lo.u64 r, r, 5, %y;\nret;\n}\n"
    ".func (.param .b32 r) weigh_p(.param .b32 a, .param .b32 b, .param .b32 c)\n{\n"
    ".reg .b32 %a, %b, %c;\nld.param.b32 %a, [a];\nld.param.b32 %b, [b];\nld.param.b32 %c, [c];\n"
    "mad.lo.u32 %a, %a, 3, %b;\nmad.lo.u32 %a, %a, 5, %c;\nst.param.b32 [r], %a;\nret;\n}\n"
    /* n exchanges of a and b by recursion, once with registers, once with parameters */
    ".func (.reg .b32 r) swap(.reg .b32 a, .reg .b32 b, .reg .b32 n)\n{\n.reg .pred %q;\n"
    "setp.eq.u32 %q, n, 0;\nmad.lo.u32 r, a, 3, b;\n@%q ret;\nsub.u32 n, n, 1;\n"
    "call (r), swap, (b, a, n);\nret;\n}\n"
    ".func (.param .b64 r) swap_p(.param .b64 a, .param .b64 b, .param .b32 n)\n{\n"
    ".reg .pred %q;\n.reg .b64 %a, %b;\n.reg .b32 %n;\nld.param.b64 %a, [a];\n"
    "ld.param.b64 %b, [b];\nld.param.b32 %n, [n];\nsetp.eq.u32 %q, %n, 0;\n@%q bra LAST;\n"
    "sub.u32 %n, %n, 1;\n{\n.param .b64 x, y, z;\n.param .b32 m;\nst.param.b64 [x], %b;\n"
    "st.param.b64 [y], %a;\nst.param.b32 [m], %n;\ncall (z), swap_p, (x, y, m);\n"
    "ld.param.b64 %a, [z];\nst.param.b64 [r], %a;\nret;\n}\nLAST:\nmad.lo.u64 %a, %a, 3, %b;\n"
    "st.param.b64 [r], %a;\nret;\n}\n"
    /* {a, b, c, d} -> {c, d, a, b + e}; every second one as a vector */
    ".func (.param .align 16 .b8 r[16]) turn(.param .align 16 .b8 s[16], .param .b32 e)\n{\n"
    ".reg .b32 %a<5>;\nld.param.v4.b32 {%a0, %a1, %a2, %a3}, [s];\nld.param.b32 %a4, [e];\n"
    "mov.v4.b32 {%a0, %a1, %a2, %a3}, {%a2, %a3, %a0, %a1};\nadd.u32 %a3, %a3, %a4;\n"
    "st.param.v2.b32 [r], {%a0, %a1};\nst.param.v2.b32 [r+8], {%a2, %a3};\nret;\n}\n";

static void with_registers(wl_overlap_out_t *o) {
  for (unsigned v = 0; v < 1024; v++) {
    unsigned d = v % 4, a = v / 4 % 4, b = v / 16 % 4, c = v / 64 % 4, e = v / 256;
    wl_overlap_start(o);
    wl_overlap_values(o, 'w', 4);
    wl_overlap_values(o, 'p', 1);
    wl_overlap_put(o, "%scall (%%w%u), weigh, (%%w%u, %%w%u, %%w%u, %%w%u);\n",
                   v % 5 == 0 ? "@%p0 " : "", d, a, b, c, e);
    for (unsigned i = 0; i < 4; i++) {
      wl_overlap_dump(o, 'w', i, NULL);
    }
    wl_overlap_done(o);
  }
  for (unsigned v = 0; v < 128; v++) {
    wl_overlap_start(o);
    wl_overlap_values(o, 'w', 2);
    wl_overlap_values(o, 'x', 4);
    wl_overlap_put(o, "call (%%x%u), mixed, (%%w%u, %%x%u, %%w%u, %%x%u);\n", v % 4, v / 64,
                   v / 4 % 4, v / 64 ^ 1, v / 16 % 4);
    for (unsigned i = 0; i < 4; i++) {
      wl_overlap_dump(o, 'x', i, NULL);
    }
    wl_overlap_done(o);
  }
}

/* call (p_d), f, (p_a, p_b, p_c) on three .param variables. */
static void with_variables(wl_overlap_out_t *o) {
  for (unsigned v = 0; v < 81; v++) {
    wl_overlap_start(o);
    wl_overlap_put(o, "{\n.param .b32 q0, q1, q2;\n");
    for (unsigned i = 0; i < 3; i++) {
      wl_overlap_put(o, "st.param.b32 [q%u], %%bw%u;\n", i, i);
    }
    wl_overlap_put(o, "call (q%u), weigh_p, (q%u, q%u, q%u);\n", v % 3, v / 3 % 3, v / 9 % 3,
                   v / 27);
    wl_overlap_put(o, "ld.param.b32 %%w0, [q%u];\n}\n", v % 3);
    wl_overlap_dump(o, 'w', 0, NULL);
    wl_overlap_done(o);
  }
}

static void recursion(wl_overlap_out_t *o) {
  for (unsigned v = 0; v < 64; v++) {
    unsigned d = v % 3, a = v / 4 % 2, n = v / 8;
    wl_overlap_start(o);
    wl_overlap_values(o, 'w', 3);
    wl_overlap_values(o, 'x', 2);
    wl_overlap_put(o, "mov.b32 %%w2, %u;\ncall (%%w%u), swap, (%%w%u, %%w%u, %%w2);\n", n, d, a,
                   a ^ 1);
    wl_overlap_put(o,
                   "{\n.param .b64 qa, qb, qr;\n.param .b32 qn;\nst.param.b64 [qa], %%x%u;\n"
                   "st.param.b64 [qb], %%x%u;\nst.param.b32 [qn], %u;\n"
                   "call (qr), swap_p, (qa, qb, qn);\nld.param.b64 %%x%u, [qr];\n}\n",
                   a, a ^ 1, n, v % 2);
    for (unsigned i = 0; i < 3; i++) {
      wl_overlap_dump(o, 'w', i, NULL);
    }
    wl_overlap_dump(o, 'x', 0, NULL);
    wl_overlap_dump(o, 'x', 1, NULL);
    wl_overlap_done(o);
  }
}

/* A byte array as argument and result of one call, loaded into the registers it came from. */
static void with_arrays(wl_overlap_out_t *o) {
  for (unsigned v = 0; v < 256 * 2; v++) {
    const char *result = v / 256 == 0 ? "qs" : "qr";
    wl_overlap_start(o);
    wl_overlap_values(o, 'w', 4);
    wl_overlap_put(
        o,
        "{\n.param .align 16 .b8 qs[16], qr[16];\n.param .b32 qe;\n"
        "st.param.v4.b32 [qs], {%%w%u, %%w%u, %%w%u, %%w%u};\nst.param.b32 [qe], %%w0;\n",
        v & 3, v >> 2 & 3, v >> 4 & 3, v >> 6 & 3);
    wl_overlap_put(o, "call (%s), turn, (qs, qe);\nld.param.v2.b32 {%%w%u, %%w%u}, [%s+8];\n}\n",
                   result, v & 3, (v & 3) ^ 1, result);
    for (unsigned i = 0; i < 4; i++) {
      wl_overlap_dump(o, 'w', i, NULL);
    }
    wl_overlap_done(o);
  }
}

void wl_overlap_calls(wl_overlap_out_t *o) {
  with_registers(o);
  with_variables(o);
  recursion(o);
  with_arrays(o);
}
