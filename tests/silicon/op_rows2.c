#include "tests/silicon/op_rows.h"

/* Own places of the threads of a CTA in shared and global memory lie side by side, so that one
 * thread adds all 512 bytes at once. */
#define BULK(op, type)                                                                             \
  "st.global.u64 [out], xa; st.shared.u64 [sh], xb; fence.proxy.async; bar.sync 0; "               \
  "setp.ne.u32 p, k, 0; @p bra skip; "                                                             \
  "|cp.reduce.async.bulk.global.shared::cta.bulk_group" op type " [out], [sh], 512; "              \
  "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; fence.proxy.async; skip: bar.sync 0; "  \
  "ld.relaxed.gpu.global.u64 xd, [out];"
#define GLOBAL(instruction)                                                                        \
  "st.global.u64 [out], xa; |" instruction " ld.relaxed.gpu.global.u64 xd, [out];"
#define SHARED(instruction) "st.shared.u64 [sh], xa; |" instruction " ld.shared.u64 xd, [sh];"

const row_t op_rows2[] = {
    /* Where the result is near the smallest normal number. */
    {"bm", 'w', OP_EQUAL, false, "mul" R F "{,.sat}.f32(boundary) d, a, b;"},
    {"bmt", 'w', OP_EQUAL, false, "fma" R F "{,.sat}.f32(boundary) d, a, b, c;"},
    {"bs", 'w', OP_EQUAL, false, "{add,sub}" R F ".f32(boundary) d, a, b;"},
    {"bq", 'w', OP_EQUAL, false, "div" R F ".f32(boundary) d, a, b;"},
    {"bq", 'w', OP_OWN, false, "div{.full,.approx}" F ".f32(boundary) d, a, b;"},
    {"bs", 'w', OP_EQUAL, false,
     "st.global.u32 [out], a; |atom.global.add.f32(boundary) d, [out], b; ld.global.u32 d, [out];"},
    {"bs", 'w', OP_EQUAL, false,
     "st.shared.u32 [sh], a; |atom.shared.add.f32(boundary) d, [sh], b; ld.shared.u32 d, [sh];"},
    {"ij", 'w', OP_EQUAL, false, "mul{,.ftz}{,.sat}.f16x2(boundary) d, a, b;"},
    {"ijk", 'w', OP_EQUAL, false, "fma.rn{,.ftz}{,.sat,.relu}.f16x2(boundary) d, a, b, c;"},
    /* f16 and bf16 where the first record has none. */
    {"xxx", 'w', OP_EQUAL, false, "fma.rn.oob{,.relu}.f16x2 d, a, b, c;"},
    {"yyy", 'w', OP_EQUAL, false, "fma.rn.oob{,.relu}.bf16x2 d, a, b, c;"},
    {"ooo", 'w', OP_EQUAL, false, "fma.rn.oob{,.relu}{.f16x2,.bf16x2}(patterns) d, a, b, c;"},
    {"x", 'w', OP_OWN, false, "{ex2,tanh}.approx.f16x2 d, a;"},
    {"y", 'w', OP_OWN, false, "{ex2.approx.ftz,tanh.approx}.bf16x2 d, a;"},
    {"gg", 'w', OP_EQUAL, false, "setp{.eq,.ne,.lt,.geu,.num,.nan}.bf16 p, ha, hb;" PRED},
    {"xx", 'w', OP_EQUAL, false, "set{.eq,.lt,.geu,.nan}" F ".f16x2.f16x2 d, a, b;"},
    {"yy", 'w', OP_EQUAL, false, "set{.eq,.lt,.geu,.nan}.bf16x2.bf16x2 d, a, b;"},
    {"hh", 'w', OP_EQUAL, false, "set{.eq,.lt,.geu,.nan}" F ".u32.f16 d, ha, hb;"},
    {"gg", 'w', OP_EQUAL, false, "set{.eq,.lt,.geu,.nan}.u32.bf16 d, ha, hb;"},
    {"h", 'h', OP_EQUAL, false, "cvt" RI ".f16.f16 hd, ha;"},
    {"g", 'w', OP_EQUAL, false, "cvt" RI "{.u32,.s32}.bf16 d, ha;"},
    {"g", 'h', OP_EQUAL, false, "cvt" RI "{.u16,.s16}.bf16 hd, ha;"},
    {"h", 'h', OP_EQUAL, false, "cvt" RI "{.u16,.s16}.f16 hd, ha;"},
    {"g", 'l', OP_EQUAL, false, "cvt" RI "{.u64,.s64}.bf16 xd, ha;"},
    {"h", 'l', OP_EQUAL, false, "cvt" RI "{.u64,.s64}.f16 xd, ha;"},
    {"w", 'h', OP_EQUAL, false, "cvt" R ".bf16{.u32,.s32} hd, a;"},
    {"l", 'h', OP_EQUAL, false, "cvt" R "{.f16,.bf16}{.u64,.s64} hd, xa;"},
    {"h", 'h', OP_EQUAL, false, "cvt" R "{.f16,.bf16}{.u16,.s16} hd, ha;"},
    {"h", 'h', OP_EQUAL, false, "cvt" R ".bf16.f16 hd, ha;"},
    {"g", 'h', OP_EQUAL, false, "cvt" R ".f16.bf16 hd, ha;"},
    {"d", 'h', OP_LATER, false, "cvt" R ".bf16.f64 hd, xa;"},
    {"h", 'l', OP_LATER, false, "cvt.f64{.f16,.bf16} xd, ha;"},
    {"d", 'w', OP_LATER, false, "cvt" RI "{.u32,.s32}.f64 d, xa;"},
    {"d", 'l', OP_LATER, false, "cvt" RI "{.u64,.s64}.f64 xd, xa;"},
    {"d", 'l', OP_LATER, false, "cvt" RI ".f64.f64 xd, xa;"},
    {"l", 'l', OP_LATER, false, "cvt" R ".f64{.u64,.s64} xd, xa;"},
    {"w", 'l', OP_LATER, false, "cvt.rn.f64{.u32,.s32} xd, a;"},
    {"g", 'h', OP_EQUAL, false, "{abs,neg}.bf16 hd, ha;"},
    {"hh", 'h', OP_EQUAL, false, "{add,sub,mul}" F "{,.sat}.f16 hd, ha, hb;"},
    {"gg", 'h', OP_EQUAL, false, "{add,sub,mul}.bf16 hd, ha, hb;"},
    {"hhh", 'h', OP_EQUAL, false, "fma.rn{,.ftz}{,.sat,.relu}.f16 hd, ha, hb, hc;"},
    {"ggg", 'h', OP_EQUAL, false, "fma.rn{,.relu}.bf16 hd, ha, hb, hc;"},
    {"hh", 'h', OP_EQUAL, false, "{min,max}" F "{,.NaN}{,.xorsign.abs}.f16 hd, ha, hb;"},
    {"gg", 'h', OP_EQUAL, false, "{min,max}{,.NaN}{,.xorsign.abs}.bf16 hd, ha, hb;"},
    /* f64. */
    {"dd", 'w', OP_LATER, false, "setp{.eq,.lt,.geu,.num,.nan}.f64 p, xa, xb;" PRED},
    {"d", 'l', OP_LATER, false, "{abs,neg}.f64 xd, xa;"},
    {"dd", 'l', OP_LATER, false, "copysign.f64 xd, xa, xb;"},
    {"d", 'l', OP_LATER, false, "rsqrt.approx.f64 xd, xa;"},
    {"d", 'w', OP_LATER, false, "testp{.finite,.number,.normal,.subnormal}.f64 p, xa;" PRED},
    /* Integers: packed halves, and 16-bit comparisons with a constant. */
    {"ww", 'w', OP_EQUAL, false, "{add,min,max}{.u16x2,.s16x2} d, a, b;"},
    {"ww", 'w', OP_EQUAL, false, "{min,max}.relu{.s16x2,.s32} d, a, b;"},
    {"h", 'w', OP_EQUAL, false,
     "setp{.eq.s16,.lt.s16,.eq.u16,.lt.u16,.eq.b16} p, -32768, ha;" PRED},
    {"h", 'w', OP_EQUAL, false,
     "setp.lt.s16 p, ha, 77; |setp{.eq,.ne}{.and,.or,.xor}.b16 p, -32768, ha, p;" PRED},
    /* 9.7.13: reductions, of all floats. */
    {"XX", 'l', OP_LATER, false, BULK("{.add.noftz,.min,.max}", ".f16")},
    {"YY", 'l', OP_LATER, false, BULK("{.add.noftz,.min,.max}", ".bf16")},
    {"FF", 'l', OP_PTX, false, BULK(".add", ".f32")},
    {"dd", 'l', OP_LATER, false, BULK(".add", ".f64")},
    {"ll", 'l', OP_EQUAL, false, BULK("{.add,.min,.max}", "{.u32,.s32,.u64}")},
    {"ll", 'l', OP_EQUAL, false, BULK("{.min,.max}", ".s64")},
    {"ll", 'l', OP_EQUAL, false, BULK("{.inc,.dec}", ".u32")},
    {"ll", 'l', OP_EQUAL, false, BULK("{.and,.or,.xor}", "{.b32,.b64}")},
    {"XX", 'l', OP_EQUAL, false,
     "mov.b64 <ha, hb, hc, hd>, xb; " GLOBAL("red.global{.add,.min,.max}.noftz.v4.f16 [out], "
                                             "<ha, hb, hc, hd>;")},
    {"YY", 'l', OP_EQUAL, false,
     "mov.b64 <ha, hb, hc, hd>, xb; " GLOBAL("red.global{.add,.min,.max}.noftz.v4.bf16 [out], "
                                             "<ha, hb, hc, hd>;")},
    {"FF", 'l', OP_EQUAL, false,
     "mov.b64 <a, b>, xb; " GLOBAL("red.global.add.v2.f32 [out], <a, b>;")},
    {"dd", 'l', OP_LATER, false, GLOBAL("red.global.add.f64 [out], xb;")},
    {"dd", 'l', OP_LATER, false, SHARED("atom.shared.add.f64 xc, [sh], xb;")},
    {"xx", 'w', OP_EQUAL, false,
     "st.global.u32 [out], a; |red.global.add.noftz.f16x2 [out], b; ld.relaxed.gpu.global.u32 d, "
     "[out];"},
    {"yy", 'w', OP_EQUAL, false,
     "st.global.u32 [out], a; |red.global.add.noftz.bf16x2 [out], b; ld.relaxed.gpu.global.u32 d, "
     "[out];"},
    {"xx", 'w', OP_EQUAL, false,
     "st.shared.u32 [sh], a; |atom.shared.add.noftz.f16x2 d, [sh], b; ld.shared.u32 d, [sh];"},
    {"yy", 'w', OP_EQUAL, false,
     "st.shared.u32 [sh], a; |atom.shared.add.noftz.bf16x2 d, [sh], b; ld.shared.u32 d, [sh];"},
    {"hh", 'h', OP_EQUAL, false,
     "st.global.u16 [out], ha; |atom.global.add.noftz{.f16,.bf16} hd, [out], hb; ld.global.u16 hd, "
     "[out];"},
};
const size_t op_rows2_count = sizeof op_rows2 / sizeof op_rows2[0];
