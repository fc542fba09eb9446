/* umma_scale.h: what programs of products with block scales share (docs/microarchitecture.md 26.9 to 26.11;
 * umma_kind.h). Each thread fills the eight columns SCALES of its lane with scale words; products take them
 * from there or from where a copy puts others. A list of commands names M, products, T, those with A in
 * tensor memory, C, copies, and X, products without scales. */
#ifndef WL_TESTS_MACHINE_UMMA_SCALE_H
#define WL_TESTS_MACHINE_UMMA_SCALE_H
#include "tests/machine/umma_kind.h"

#define SCALE_ROW(op, al, ah, bl, bh, d, i, sa, sb, p)                                             \
  {UMMA_OF_##op, false, {al, ah, bl, bh, d, i, sa, sb}, 0, UMMA_##p},
#define SCALE_ROW_TA(op, a, bl, bh, d, i, sa, sb, p)                                               \
  {UMMA_OF_##op, true, {a, 0, bl, bh, d, i, sa, sb}, 0, UMMA_##p},

#define SCALE_WORDS(sa, sb)        "add.ri R46, R3, " WORD(sa) "\n add.ri R47, R3, " WORD(sb) "\n"
#define SCALE_GIVE_MXF8F6F4(p, ta) "@P6 umma.mxf8f6f4 R40:R43, R44:R47, " UMMA_P_##p MODS_##ta
#define SCALE_GIVE_MXF8F6F4_B16(p, ta)                                                             \
  "@P6 umma.mxf8f6f4 R40:R43, R44:R47, " UMMA_P_##p MODS_B16_##ta
#define SCALE_GIVE_MXF4(p, ta)     "@P6 umma.mxf4 R40:R43, R44:R47, " UMMA_P_##p MODS_##ta
#define SCALE_GIVE_MXF4_B16(p, ta) "@P6 umma.mxf4 R40:R43, R44:R47, " UMMA_P_##p MODS_B16_##ta
#define MODS_SHARED                ""
#define MODS_TENSOR                " {ta}"
#define MODS_B16_SHARED            " {b16}"
#define MODS_B16_TENSOR            " {ta b16}"
#define SCALE_LINE(op, al, ah, bl, bh, d, i, sa, sb, p)                                            \
  UMMA_WORDS(al, ah, bl, bh, d, i) SCALE_WORDS(sa, sb) SCALE_GIVE_##op(p, SHARED) "\n"
#define SCALE_LINE_TA(op, a, bl, bh, d, i, sa, sb, p)                                              \
  UMMA_WORDS(0x0, 0xffffffff, bl, bh, d, i)                                                        \
  "add.ri R40, R3, " WORD(a) "\n" SCALE_WORDS(sa, sb) SCALE_GIVE_##op(p, TENSOR) "\n"

/* Columns 40 to 47 of the thread's lane: words 8t and so on of shared memory, with other bits. */
#define SCALES 0x28
#define SCALE_BITS_OF(reg, bits, ones)                                                             \
  "lop3.rir " reg ", " reg ", " WORD(bits) ", RZ {lut=0xc0}\n lop3.rir " reg ", " reg              \
                                           ", " WORD(ones) ", RZ {lut=0xfc}\n"
#define FILL_SCALES(bits, ones)                                                                    \
  SHL("R8", "R0", "0x5")                                                                           \
  "ld.shared.b32 R16, [R8]\n ld.shared.b32 R17, [R8+0x4]\n ld.shared.b32 R18, [R8+0x8]\n"          \
  "ld.shared.b32 R19, [R8+0xc]\n ld.shared.b32 R20, [R8+0x10]\n ld.shared.b32 R21, [R8+0x14]\n"    \
  "ld.shared.b32 R22, [R8+0x18]\n ld.shared.b32 R23, [R8+0x1c]\n" SCALE_BITS_OF("R16", bits, ones) \
      SCALE_BITS_OF("R17", bits, ones) SCALE_BITS_OF("R18", bits, ones)                            \
          SCALE_BITS_OF("R19", bits, ones) SCALE_BITS_OF("R20", bits, ones)                        \
              SCALE_BITS_OF("R21", bits, ones) SCALE_BITS_OF("R22", bits, ones)                    \
                  SCALE_BITS_OF("R23", bits, ones) "tmem.st.8 R2, R16:R23, " WORD(SCALES) "\n"

/* Scales: of ue8m0 2^-7 to 1; any. */
#define NEAR_BITS 0x07070707
#define NEAR_ONES 0x78787878
#define WIDE_BITS 0xffffffff
#define WIDE_ONES 0x0
#define SCALE_EXPECT(name, elements, of_scales, at, COMMANDS)                                      \
  static uint32_t name(uint32_t t) {                                                               \
    static const umma_start_t start = {elements##_BITS, elements##_ONES,  F32_FIRST,       at,     \
                                       SCALES,          of_scales##_BITS, of_scales##_ONES};       \
    static const umma_step_t step[] = {COMMANDS(SCALE_ROW, SCALE_ROW_TA, UMMA_ROW_CP, UMMA_ROW)};  \
    return umma_steps_folded(&start, step, sizeof step / sizeof step[0], t);                       \
  }
#define SCALE_CASE(what, expected, elements, of_scales, more, COMMANDS)                            \
  {.name = what,                                                                                   \
   .text = UMMA_STEPS_BEGIN(elements, F32, FILL_SCALES(of_scales##_BITS, of_scales##_ONES) more)   \
       COMMANDS(SCALE_LINE, SCALE_LINE_TA, UMMA_LINE_CP, UMMA_LINE) UMMA_END("0x40"),              \
   .block = {128, 1, 1},                                                                           \
   .regs = 64,                                                                                     \
   .umma = true,                                                                                   \
   .scaled = true,                                                                                 \
   .columns = 64,                                                                                  \
   .shared = 0x5010,                                                                               \
   .want = expected}

#endif
