#include "tests/silicon/op_rows.h"

/* 128 bits of memory, in pairs of threads: the even one adds its own and its neighbour's word. */
#define PAIR(instruction)                                                                          \
  "st.global.u64 [out], xa; mov.b64 <a, b>, xb; shfl.sync.down.b32 c, a, 1, 31, -1; "              \
  "shfl.sync.down.b32 d, b, 1, 31, -1; and.b32 i, k, 1; setp.eq.u32 p, i, 0; bar.sync 0; "         \
  "@p bra work; bra done; work: |" instruction                                                     \
  " done: bar.sync 0; ld.relaxed.gpu.global.u64 xd, [out];"
#define GLOBAL(instruction)                                                                        \
  "st.global.u64 [out], xa; |" instruction " ld.relaxed.gpu.global.u64 xd, [out];"
#define HALVES(instruction) "mov.b64 <ha, hb, hc, hd>, xb; " GLOBAL(instruction)
#define WORDS(instruction)  "mov.b64 <a, b>, xb; " GLOBAL(instruction)

const row_t op_rows3[] = {
    /* 9.7.9.21: conversions where the first records have none. (both): one operand for both, so
       that a sweep can go through all of its values. */
    {"f", 'h', OP_EQUAL, true, "cvt{.rn,.rz}{,.relu}.satfinite{.f16,.bf16}.f32 hd, a;"},
    {"f", 'h', OP_EQUAL, true, "cvt{.rn,.rz}.relu.f16.f32 hd, a;"},
    {"f", 'h', OP_EQUAL, true, "cvt{.rm,.rp,.rn.ftz,.rz.ftz}.bf16.f32 hd, a;"},
    {"f", 'w', OP_EQUAL, true, "cvt.rna.satfinite.tf32.f32 d, a;"},
    {"f", 'w', OP_EQUAL, true, "cvt.rz.relu.tf32.f32 d, a;"},
    {"ff", 'w', OP_EQUAL, false, "cvt{.rn,.rz}{,.relu}.satfinite{.f16x2,.bf16x2}.f32 d, a, b;"},
    {"f", 'h', OP_EQUAL, true, "cvt.rn.satfinite{,.relu}{.e4m3x2,.e5m2x2}.f32(both) hd, a, a;"},
    {"f", 'w', OP_EQUAL, true, "cvt{.rn,.rz}{,.relu}{.f16x2,.bf16x2}.f32(both) d, a, a;"},
    {"ww", 'w', OP_EQUAL, false, "cvt.pack.sat{.u16,.s16}.s32 d, a, b;"},
    {"www", 'w', OP_EQUAL, false, "cvt.pack.sat{.u2,.s2,.u4,.s4,.u8,.s8}.s32.b32 d, a, b, c;"},
    {"h", 'w', OP_EQUAL, false, "cvt" RI "{,.sat}{.u8,.s8}.f16 d, ha;"},
    {"h", 'w', OP_EQUAL, false, "cvt{.sat,.ftz.sat}.f32.f16 d, ha;"},
    {"h", 'h', OP_EQUAL, false, "cvt{.sat,.rni.sat,.rzi.sat}.f16.f16 hd, ha;"},
    {"h", 'h', OP_EQUAL, false, "cvt.rn.sat.f16{.u16,.s16} hd, ha;"},
    {"w", 'h', OP_EQUAL, true, "cvt{.rn,.rz}.sat.f16{.u32,.s32} hd, a;"},
    {"w", 'h', OP_EQUAL, false, "cvt" R ".f16{.u8,.s8} hd, a;"},
    {"g", 'w', OP_EQUAL, false, "cvt.ftz.f32.bf16 d, ha;"},
    {"d", 'h', OP_LATER, false, "cvt{.rn,.rz}.sat.f16.f64 hd, xa;"},
    {"d", 'w', OP_LATER, false, "cvt{.rn,.rz}{,.ftz}.sat.f32.f64 d, xa;"},
    {"d", 'w', OP_LATER, false, "cvt" RI "{.u8,.s8}.f64 d, xa;"},
    {"d", 'h', OP_LATER, false, "cvt" RI "{.u16,.s16}.f64 hd, xa;"},
    {"bu", 'w', OP_LATER, false, "cvt" R F ".f32.f64(boundary) d, xa;"},
    {"f", 'l', OP_LATER, false, "cvt{.sat,.ftz.sat}.f64.f32 xd, a;"},
    {"d", 'l', OP_LATER, false, "cvt{.sat,.rni.sat,.rzi.sat}.f64.f64 xd, xa;"},
    /* 9.7.2: the carry flag: sum and what is carried on; all comes from one 64-bit result. */
    {"www", 'l', OP_EQUAL, false,
     "add.cc.u32 d, a, b; |addc.cc.u32 i, a, c; addc.u32 j, 0, 0; shl.b32 j, j, 16; "
     "add.u32 i, i, j; "
     "mov.b64 xd, <d, i>;"},
    {"www", 'l', OP_EQUAL, false,
     "sub.cc.u32 d, a, b; |subc.cc.u32 i, a, c; subc.u32 j, 0, 0; shl.b32 j, j, 16; "
     "add.u32 i, i, j; "
     "mov.b64 xd, <d, i>;"},
    {"www", 'l', OP_EQUAL, false,
     "sub.cc.u32 d, a, b; |addc.u32(sub.cc) i, c, 0; mov.b64 xd, <d, i>;"},
    {"www", 'l', OP_EQUAL, false,
     "add.cc.u32 d, a, b; |subc.u32(add.cc) i, c, 0; mov.b64 xd, <d, i>;"},
    {"www", 'l', OP_EQUAL, false,
     "|mad{.lo,.hi}.cc{.u32,.s32} d, a, b, c; addc.u32 i, 0, 0; mov.b64 xd, <d, i>;"},
    {"www", 'l', OP_EQUAL, false,
     "add.cc.u32 i, a, b; |madc{.lo,.hi}.cc{.u32,.s32} d, a, b, c; addc.u32 i, 0, 0; "
     "mov.b64 xd, <d, i>;"},
    {"www", 'l', OP_EQUAL, false,
     "add.cc.u32 i, a, b; |madc{.lo,.hi}{.u32,.s32} d, a, b, c; mov.b64 xd, <d, i>;"},
    {"lll", 'l', OP_EQUAL, false,
     "add.cc.u64 xd, xa, xb; |addc.cc.u64 m, xa, xc; addc.u64 s, 0, 0; "
     "xor.b64 xd, xd, m; add.u64 xd, xd, s;"},
    {"lll", 'l', OP_EQUAL, false,
     "sub.cc.u64 xd, xa, xb; |subc.cc.u64 m, xa, xc; subc.u64 s, 0, 0; xor.b64 xd, xd, m; "
     "add.u64 xd, xd, s;"},
    {"lll", 'l', OP_EQUAL, false,
     "|mad{.lo,.hi}.cc.u64 xd, xa, xb, xc; addc.u64 m, 0, 0; xor.b64 xd, xd, m;"},
    {"xx", 'w', OP_EQUAL, false,
     "|setp{.eq,.lt,.geu,.nan}" F
     ".f16x2 p|q, a, b; selp.u32 d, 1, 0, p; selp.u32 i, 2, 0, q; or.b32 d, d, i;"},
    {"yy", 'w', OP_EQUAL, false,
     "|setp{.eq,.lt,.geu,.nan}.bf16x2 p|q, a, b; selp.u32 d, 1, 0, p; selp.u32 i, 2, 0, q; or.b32 d, d, i;"},
    /* 9.7.13: vectors of reductions. */
    {"XX", 'l', OP_EQUAL, false, WORDS("red.global{.add,.min,.max}.noftz.v2.f16x2 [out], <a, b>;")},
    {"YY", 'l', OP_EQUAL, false,
     WORDS("red.global{.add,.min,.max}.noftz.v2.bf16x2 [out], <a, b>;")},
    {"XX", 'l', OP_EQUAL, false,
     WORDS("atom.global{.add,.min,.max}.noftz.v2.f16x2 <i, j>, [out], <a, b>;")},
    {"YY", 'l', OP_EQUAL, false,
     WORDS("atom.global{.add,.min,.max}.noftz.v2.bf16x2 <i, j>, [out], <a, b>;")},
    {"XX", 'l', OP_EQUAL, false,
     HALVES("atom.global{.add,.min,.max}.noftz.v4.f16 <ha, hb, hc, hd>, [out], <ha, hb, hc, hd>;")},
    {"YY", 'l', OP_EQUAL, false,
     HALVES(
         "atom.global{.add,.min,.max}.noftz.v4.bf16 <ha, hb, hc, hd>, [out], <ha, hb, hc, hd>;")},
    {"FF", 'l', OP_EQUAL, false, WORDS("atom.global.add.v2.f32 <i, j>, [out], <a, b>;")},
    {"FF", 'l', OP_EQUAL, false, PAIR("red.global.add.v4.f32 [out], <a, b, c, d>;")},
    {"XX", 'l', OP_EQUAL, false,
     PAIR("red.global{.add,.min,.max}.noftz.v4.f16x2 [out], <a, b, c, d>;")},
    {"YY", 'l', OP_EQUAL, false,
     PAIR("red.global{.add,.min,.max}.noftz.v4.bf16x2 [out], <a, b, c, d>;")},
    {"hhh", 'h', OP_EQUAL, false,
     "st.global.u16 [out], ha; |atom.global.cas.b16 hd, [out], hb, hc; "
     "ld.global.u16 hd, [out];"},
};
const size_t op_rows3_count = sizeof op_rows3 / sizeof op_rows3[0];
