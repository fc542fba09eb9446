/* umma_cases.h: what programs of products in tensor memory (docs/microarchitecture.md 25) share. 128 threads fill
 * shared memory with elements of 16 bits that their address determines, and columns of tensor memory with
 * labels. Then the first one gives the commands and a commit; all wait for it and fold their lane's columns
 * into a word. A command is an X(A low, high, B low, high, d, i, p, e) with words in hexadecimal: it is text
 * of the program and data of the expectation. */
#ifndef WL_TESTS_MACHINE_UMMA_CASES_H
#define WL_TESTS_MACHINE_UMMA_CASES_H
#include <stdbool.h>
#include <stddef.h>

#include "tests/machine/tmem_cases.h"

typedef struct umma_command {
  uint32_t a[2], b[2], d, i, e;
  bool adds;
  uint32_t masked[4];
} umma_command_t;

/* Lane of the thread `t`, all columns, folded: 3 * sum + word. The labels are f16 where `halves`. */
uint32_t umma_folded(const umma_command_t *command, size_t count, bool halves, uint32_t columns,
                     uint32_t t);

/* The address of the chunk with element k of row r, of so many elements a chunk, by the words of a descriptor; which
 * of its elements that is (umma_kind_value.c). */
uint32_t umma_place(const uint32_t word[2], bool mn_major, uint32_t per, uint32_t r, uint32_t k,
                    uint32_t *element);

enum { UMMA_PT = 1, UMMA_NO = 0 };
#define UMMA_DATA(al, ah, bl, bh, d, i, p, e) {{al, ah}, {bl, bh}, d, i, e, UMMA_##p, {0}},
#define MASK0                                 0x0000ffff
#define MASK1                                 0xff00ff00
#define MASK2                                 0x12345678
#define MASK3                                 0xffffffff
#define UMMA_MASKED_DATA(al, ah, bl, bh, d, i, p, e)                                               \
  {{al, ah}, {bl, bh}, d, i, e, UMMA_##p, {MASK0, MASK1, MASK2, MASK3}},

#define UMMA_P_PT  "PT"
#define UMMA_P_NO  "!PT"
#define TEXT_OF(x) #x
#define WORD(x)    TEXT_OF(x)
#define UMMA_WORDS(al, ah, bl, bh, d, i)                                                           \
  "mov.i R40, " WORD(al) "\n mov.i R41, " WORD(ah) "\n mov.i R42, " WORD(                          \
      bl) "\n mov.i R43, " WORD(bh) "\n add.ri R44, R3, " WORD(d) "\n mov.i R45, " WORD(i) "\n"
#define UMMA_TEXT(al, ah, bl, bh, d, i, p, e)                                                      \
  UMMA_WORDS(al, ah, bl, bh, d, i)                                                                 \
  "@P6 umma.f16 R40:R43, R44:R45, " WORD(e) ", " UMMA_P_##p "\n"
#define UMMA_MASKED_TEXT(al, ah, bl, bh, d, i, p, e)                                                         \
  UMMA_WORDS(al, ah, bl, bh, d, i)                                                                           \
  "mov.i R48, " WORD(MASK0) "\n mov.i R49, " WORD(MASK1) "\n mov.i R50, " WORD(MASK2) "\n mov.i R51, " WORD( \
      MASK3) "\n @P6 umma.f16.mask R40:R43, R44:R45, R48:R51, " WORD(e) ", " UMMA_P_##p "\n"

#define IS_FIRST "setp.u32.ri P6, PT, R0, 0x0, PT {cmp=eq bop=none}\n"
/* Word R10 of shared memory: two elements of magnitude 1 to 1.75, by its number. */
#define ELEMENTS(bits, ones)                                                                       \
  "mov.r R10, R0\n fill:\n mad.lo.rir R8, R10, 0x9e3779b1, RZ\n shf.l.wrap.i R9, R8, R8, 0xb\n"    \
  "lop3.rrr R8, R8, R9, RZ {lut=0x3c}\n lop3.rir R8, R8, " bits                                    \
  ", RZ {lut=0xc0}\n lop3.rir R8, R8, " ones ", RZ {lut=0xfc}\n" SHL(                              \
      "R9", "R10",                                                                                 \
      "0x2") "st.shared.b32 [R9], R8\n add.ri R10, R10, 0x80\n"                                    \
             "setp.u32.ri P1, PT, R10, 0x1400, PT {cmp=lt bop=none}\n @P1 bra #fill\n"
#define F16_ELEMENTS  ELEMENTS("0x83008300", "0x3c003c00")
#define BF16_ELEMENTS ELEMENTS("0x80608060", "0x3f803f80")
#define NO_ELEMENTS   ELEMENTS("0x0", "0x0")

/* R16 to R31: the labels of 16 columns. */
#define F32_LABELS SHL("R8", "R0", "0x10") "add.ri R8, R8, 0x3f800000\n"
#define F32_STEPS                                                                                  \
  SET(16, "0x0")                                                                                   \
  SET(17, "0x2000")                                                                                \
  SET(18, "0x4000")                                                                                \
  SET(19, "0x6000")                                                                                \
  SET(20, "0x8000")                                                                                \
  SET(21, "0xa000")                                                                                \
  SET(22, "0xc000")                                                                                \
  SET(23, "0xe000")                                                                                \
  SET(24, "0x10000")                                                                               \
  SET(25, "0x12000")                                                                               \
  SET(26, "0x14000")                                                                               \
  SET(27, "0x16000")                                                                               \
  SET(28, "0x18000")                                                                               \
  SET(29, "0x1a000") SET(30, "0x1c000") SET(31, "0x1e000") "add.ri R8, R8, 0x20000\n"
#define UMMA_F16_LABEL(t, c) (0x12343c00 + ((t) % 8 << 6) + ((c) % 8 << 6))
#define F16_LABELS           AND("R8", "R0", "0x7") SHL("R8", "R8", "0x6") "add.ri R8, R8, 0x12343c00\n"
#define F16_STEPS                                                                                  \
  SET(16, "0x0")                                                                                   \
  SET(17, "0x40")                                                                                  \
  SET(18, "0x80")                                                                                  \
  SET(19, "0xc0")                                                                                  \
  SET(20, "0x100")                                                                                 \
  SET(21, "0x140")                                                                                 \
  SET(22, "0x180")                                                                                 \
  SET(23, "0x1c0")                                                                                 \
  SET(24, "0x0")                                                                                   \
  SET(25, "0x40")                                                                                  \
  SET(26, "0x80")                                                                                  \
  SET(27, "0xc0") SET(28, "0x100") SET(29, "0x140") SET(30, "0x180") SET(31, "0x1c0")
/* R13: the end of the columns. */
#define LABEL_D(columns, LABELS, STEPS)                                                            \
  LABELS "mov.r R12, R2\n add.ri R13, R2, " columns "\n label:\n" STEPS                            \
         "tmem.st.16 R12, R16:R31, 0x0\n add.ri R12, R12, 0x10\n"                                  \
         "setp.u32.rr P1, PT, R12, R13, PT {cmp=lt bop=none}\n @P1 bra #label\n"
#define INIT_MBARRIER "mov.i R9, 0x1\n @P6 mbar.shared.init RZ, [RZ+0x5000], R9\n"
#define COMMIT        "mov.i R46, 0x5000\n @P6 umma.commit R46\n"
#define WAIT                                                                                       \
  "again:\n mbar.shared.test R16, [RZ+0x5000], RZ\n wait R16, RZ\n"                                \
  "setp.s32.ri P1, PT, R16, 0x0, PT {cmp=lt bop=none}\n @!P1 bra #again\n"
#define FOLD(n) "mad.lo.rir R1, R1, 0x3, R" #n "\n"
#define FOLD_D                                                                                     \
  "mov.r R1, RZ\n mov.r R12, R2\n show:\n tmem.ld R16, R12, 0xf\n" FOLD(16) FOLD(17) FOLD(18)      \
      FOLD(19) FOLD(20) FOLD(21) FOLD(22) FOLD(23) FOLD(24) FOLD(25) FOLD(26) FOLD(27) FOLD(28)    \
          FOLD(29) FOLD(30) FOLD(31) "add.ri R12, R12, 0x10\n"                                     \
                                     "setp.u32.rr P1, PT, R12, R13, PT {cmp=lt bop=none}\n"        \
                                     "@P1 bra #show\n"

#define UMMA_BEGIN(columns, FILL_SHARED, LABELS, STEPS)                                            \
  PRO IS_FIRST ALLOC(columns)                                                                      \
  SYNC FILL_SHARED LABEL_D(columns, LABELS, STEPS)                                                 \
  INIT_MBARRIER SYNC
#define UMMA_END(columns) COMMIT WAIT FOLD_D FREE(columns) EPI

#define UMMA_CASE(what, program, expected, all)                                                    \
  {.name = what,                                                                                   \
   .text = program,                                                                                \
   .block = {128, 1, 1},                                                                           \
   .regs = 64,                                                                                     \
   .umma = true,                                                                                   \
   .columns = all,                                                                                 \
   .shared = 0x5010,                                                                               \
   .want = expected}

#endif
