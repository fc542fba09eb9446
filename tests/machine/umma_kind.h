/* umma_kind.h: what programs of kinds of products, A in tensor memory, copies and shifts share
 * (docs/microarchitecture.md 26; umma_cases.h). A list of commands is text of the program and data of the
 * expectation: a macro of X and Y and so on that names their words, in hexadecimal. */
#ifndef WL_TESTS_MACHINE_UMMA_KIND_H
#define WL_TESTS_MACHINE_UMMA_KIND_H
#include "tests/machine/umma_cases.h"

typedef enum umma_op {
  UMMA_OF_F16,
  UMMA_OF_TF32,
  UMMA_OF_F8F6F4,
  UMMA_OF_I8,
  UMMA_CP,
  UMMA_SHIFT,
  UMMA_MASKED = 8, /* lanes by MASK0 to MASK3 */
  UMMA_OF_TF32_MASK = UMMA_MASKED | UMMA_OF_TF32,
  UMMA_OF_F8F6F4_MASK = UMMA_MASKED | UMMA_OF_F8F6F4,
  UMMA_OF_I8_MASK = UMMA_MASKED | UMMA_OF_I8,
  UMMA_SCALED = 16, /* umma_scale.h */
  UMMA_OF_MXF8F6F4 = UMMA_SCALED,
  UMMA_OF_MXF8F6F4_B16 = UMMA_OF_MXF8F6F4, /* its b16 is not looked at */
  UMMA_OF_MXF4,
  UMMA_OF_MXF4_B16
} umma_op_t;

/* w: A, B, d, i, scales of A and of B; of a copy its source and t, e is imm; of a shift t. */
typedef struct umma_step {
  uint32_t op; /* umma_op_t */
  bool ta;
  uint32_t w[8], e;
  bool adds;
} umma_step_t;

/* Words of shared memory: bits of a hash of their number, and ones. Words of tensor memory: labels of umma_cases.h
 * from `first` on, but the eight from column `a` on are words of shared memory, 8t and so on, and those from
 * `scales` on are such words, too, with bits and ones of their own. */
typedef struct umma_start {
  uint32_t bits, ones, first;
  uint32_t a; /* 999: none */
  uint32_t scales, scale_bits, scale_ones;
} umma_start_t;

/* Lane of the thread `t`, 64 columns, folded: 3 * sum + word. */
uint32_t umma_steps_folded(const umma_start_t *start, const umma_step_t *step, size_t count,
                           uint32_t t);

/* What the values of scaled products are made of (umma_kind_value.c; umma_scale_value.c): bits of shared memory;
 * a word of tensor memory behind the first `count` commands. */
uint32_t umma_shared_bits(const umma_start_t *s, uint32_t bit, uint32_t count);
uint32_t umma_word_after(const umma_start_t *s, const umma_step_t *step, size_t count, uint32_t t,
                         uint32_t column);
uint32_t umma_after_scaled(const umma_start_t *s, const umma_step_t *step, size_t before,
                           uint32_t t, uint32_t column);

#define UMMA_ROW(op, al, ah, bl, bh, d, i, e, p)                                                   \
  {UMMA_OF_##op, false, {al, ah, bl, bh, d, i}, e, UMMA_##p},
#define UMMA_ROW_TA(op, a, bl, bh, d, i, e, p)                                                     \
  {UMMA_OF_##op, true, {a, 0, bl, bh, d, i}, e, UMMA_##p},
#define UMMA_ROW_CP(sl, sh, t, imm) {UMMA_CP, false, {sl, sh, t}, imm, false},
#define UMMA_ROW_SHIFT(t)           {UMMA_SHIFT, false, {t}, 0, false},

#define UMMA_GIVE_F16(e, p)    "@P6 umma.f16 R40:R43, R44:R45, " WORD(e) ", " UMMA_P_##p
#define UMMA_GIVE_TF32(e, p)   "@P6 umma.tf32 R40:R43, R44:R45, " WORD(e) ", " UMMA_P_##p
#define UMMA_GIVE_F8F6F4(e, p) "@P6 umma.f8f6f4 R40:R43, R44:R45, " UMMA_P_##p
#define UMMA_GIVE_I8(e, p)     "@P6 umma.i8 R40:R43, R44:R45, " UMMA_P_##p
#define UMMA_MASK_WORDS                                                                            \
  "mov.i R48, " WORD(MASK0) "\n mov.i R49, " WORD(MASK1) "\n mov.i R50, " WORD(                    \
      MASK2) "\n mov.i R51, " WORD(MASK3) "\n"
#define UMMA_GIVE_TF32_MASK(e, p)                                                                  \
  UMMA_MASK_WORDS "@P6 umma.tf32.mask R40:R43, R44:R45, R48:R51, " WORD(e) ", " UMMA_P_##p
#define UMMA_GIVE_F8F6F4_MASK(e, p)                                                                \
  UMMA_MASK_WORDS "@P6 umma.f8f6f4.mask R40:R43, R44:R45, R48:R51, " UMMA_P_##p
#define UMMA_GIVE_I8_MASK(e, p)                                                                    \
  UMMA_MASK_WORDS "@P6 umma.i8.mask R40:R43, R44:R45, R48:R51, " UMMA_P_##p
#define UMMA_LINE(op, al, ah, bl, bh, d, i, e, p)                                                  \
  UMMA_WORDS(al, ah, bl, bh, d, i) UMMA_GIVE_##op(e, p) "\n"
/* a[1] is not looked at. */
#define UMMA_LINE_TA(op, a, bl, bh, d, i, e, p)                                                    \
  UMMA_WORDS(0x0, 0xffffffff, bl, bh, d, i)                                                        \
  "add.ri R40, R3, " WORD(a) "\n" UMMA_GIVE_##op(e, p) " {ta}\n"
#define UMMA_LINE_CP(sl, sh, t, imm)                                                               \
  "mov.i R40, " WORD(sl) "\n mov.i R41, " WORD(sh) "\n add.ri R44, R3, " WORD(                     \
      t) "\n @P6 umma.cp R40:R41, R44, " WORD(imm) "\n"
#define UMMA_LINE_SHIFT(t) "add.ri R44, R3, " WORD(t) "\n @P6 umma.shift R44\n"

/* Any words; bytes of two exponents, numbers of both types of 8 bits; numbers of 1 to 1.75. */
#define ANY_BITS      0xffffffff
#define ANY_ONES      0x0
#define BYTE_BITS     0x8f8f8f8f
#define BYTE_ONES     0x30303030
#define TF32_BITS     0x80601fff /* bits 12:0 do not count */
#define TF32_ONES     0x3f800000
#define HALF_BITS     0x83008300
#define HALF_ONES     0x3c003c00
#define F32_FIRST     0x3f800000
#define S32_FIRST     0x7fc00000 /* near both ends of s32 */
#define F16_FIRST     0x12343c00
#define NO_A          999
#define UMMA_FILL(of) ELEMENTS(WORD(of##_BITS), WORD(of##_ONES))
#define S32_LABELS    SHL("R8", "R0", "0x10") "add.ri R8, R8, 0x7fc00000\n"
#define S32_STEPS     F32_STEPS
/* Of the thread's lane columns R3 + at and following. */
#define UMMA_FILL_A(at)                                                                            \
  SHL("R8", "R0", "0x5")                                                                           \
  "ld.shared.b32 R16, [R8]\n ld.shared.b32 R17, [R8+0x4]\n ld.shared.b32 R18, [R8+0x8]\n"          \
  "ld.shared.b32 R19, [R8+0xc]\n ld.shared.b32 R20, [R8+0x10]\n ld.shared.b32 R21, [R8+0x14]\n"    \
  "ld.shared.b32 R22, [R8+0x18]\n ld.shared.b32 R23, [R8+0x1c]\n tmem.st.8 R2, R16:R23, " WORD(    \
      at) "\n"

#define UMMA_STEPS_BEGIN(elements, labels, more)                                                   \
  UMMA_BEGIN("0x40", UMMA_FILL(elements), labels##_LABELS, labels##_STEPS) more SYNC

/* name: a function of the expectation. */
#define UMMA_EXPECT(name, elements, labels, at, COMMANDS)                                          \
  static uint32_t name(uint32_t t) {                                                               \
    static const umma_start_t start = {                                                            \
        elements##_BITS, elements##_ONES, labels##_FIRST, at, NO_A, 0, 0};                         \
    static const umma_step_t step[] = {                                                            \
        COMMANDS(UMMA_ROW, UMMA_ROW_TA, UMMA_ROW_CP, UMMA_ROW_SHIFT)};                             \
    return umma_steps_folded(&start, step, sizeof step / sizeof step[0], t);                       \
  }
#define UMMA_STEPS_CASE(what, name, elements, labels, more, COMMANDS)                              \
  UMMA_CASE(what,                                                                                  \
            UMMA_STEPS_BEGIN(elements, labels, more)                                               \
                COMMANDS(UMMA_LINE, UMMA_LINE_TA, UMMA_LINE_CP, UMMA_LINE_SHIFT) UMMA_END("0x40"), \
            name, 64)

#endif
