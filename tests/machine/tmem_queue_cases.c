/* tmem_queue_cases.c: who gets columns of tensor memory, and when (docs/microarchitecture.md 24.1). */
#include "tests/machine/tmem_cases.h"

#define ASK(columns, at) "mov.i R9, " columns "\n tmem.alloc R9\n s2r " at ", SR49\n"
#define GIVE(at)         "tmem.dealloc " at ", R9\n"

/* Bases of 32 columns in two units: 0, 32; 0 again; both given back, the second one first. */
static uint32_t orders(uint32_t t) { return 0x20 + 0x20000 + 0x100000 + 0 * t; }

/* ---- grids: thread t of CTA n */
#define CTAS(what, n, program, expected)                                                           \
  {.name = what,                                                                                   \
   .text = program,                                                                                \
   .grid = {n, 1, 1},                                                                              \
   .block = {32, 1, 1},                                                                            \
   .columns = 64,                                                                                  \
   .shared = 1024,                                                                                 \
   .words = 32 * n,                                                                                \
   .want = expected}
/* The thread's number in the grid is in R0. */
#define PRO_GRID                                                                                   \
  "s2r R0, SR0\n s2r R12, SR6\n" SHL(                                                              \
      "R7", "R12", "0x5") "add.rr R0, R0, R7\n"                                                    \
                          "ldc.b64 R4:R5, c0[RZ+0x200]\n mov.r R7, RZ\n" SHL(                      \
                              "R6", "R0", "0x2") "add64.rr R4:R5, R4:R5, R6:R7\n"

static uint32_t thread(uint32_t t) { return 3 * t + 1; }

static uint32_t one(uint32_t t) { return 1 + 0 * t; }

/* Columns for all, stored to, loaded. */
#define USE(columns)                                                                               \
  "mov.i R9, " columns "\n tmem.alloc R9\n s2r R2, SR49\n mad.lo.rir R16, R0, 0x3, RZ\n"           \
  "add.ri R16, R16, 0x1\n tmem.st.1 R2, R16, 0x1f\n add.ri R10, R2, 0x1f\n tmem.ld R1, R10, 0x0\n"

/* CTA 0 has `half` columns. CTA 1 asks for all of them, then CTA 2 for 32, which are free: it gets them behind
 * CTA 1. Word 256 counts who is so far, word 257 who has got something; the first threads tell that. */
static uint32_t in_order(uint32_t t) { return t < 32 ? 7 : t == 64 ? 1 : 0; }

#define TEXT(number) #number
#define SMALL_BEHIND_LARGE(half, all)                                                                        \
  {.name = "32 columns behind " TEXT(all),                                                                   \
   .text = PRO_GRID                                                                                          \
   "ldc.b64 R20:R21, c0[RZ+0x200]\n mov.i R22, 0x1\n"                                                        \
   "setp.u32.ri P1, PT, R12, 0x0, PT {cmp=eq bop=none}\n"                                                    \
   "setp.u32.ri P2, PT, R12, 0x1, PT {cmp=eq bop=none}\n" AND(                                               \
       "R13", "R0",                                                                                          \
       "0x1f") "setp.u32.ri P3, PT, R13, 0x0, PT {cmp=eq bop=none}\n mov.r R1, RZ\n"                         \
               "@P1 bra #holder\n mov.i R14, 0x1\n mov.i R9, " TEXT(                                         \
                   all) "\n @P2 bra #poll\n"                                                                 \
                        "mov.i R14, 0x2\n mov.i R9, 0x20\n"                                                  \
                        "poll:\n ld.global.b32 R15, [R20:R21+0x400] {strong}\n"                              \
                        "setp.u32.rr P4, PT, R15, R14, PT {cmp=lt bop=none}\n @P4 bra #poll\n"               \
                        "mov.i R16, 0x7d0\n @!P2 nanosleep.r R16\n"                                          \
                        "@P3 atom.global.add.u32 RZ, [R20:R21+0x400], R22\n tmem.alloc R9\n s2r R10, SR49\n" \
                        "@P3 atom.global.add.u32 R1, [R20:R21+0x404], R22\n bra #end\n"                      \
                        "holder:\n mov.i R9, " TEXT(                                                         \
                            half) "\n tmem.alloc R9\n s2r R10, SR49\n"                                       \
                                  "@P3 atom.global.add.u32 RZ, [R20:R21+0x400], R22\n mov.i R16, 0x2710\n"   \
                                  "nanosleep.r R16\n mov.i R1, 0x7\n"                                        \
                                  "end:\n tmem.dealloc R10, R9\n" EPI,                                       \
   .grid = {3, 1, 1},                                                                                        \
   .block = {32, 1, 1},                                                                                      \
   .columns = all,                                                                                           \
   .most_columns = all,                                                                                      \
   .want = in_order}

const machine_case_t machine_tmem_queue_cases[] = {
    CASE("allocations of one warp in several orders", 32, 32,
         PRO ASK("0x20", "R10") ASK("0x20", "R11") GIVE("R10")
             ASK("0x20", "R12") "add.rr R1, R11, R10\n" SHL(
                 "R13", "R12", "0x4") "add.rr R1, R1, R13\n" GIVE("R11") ASK("0x20", "R11")
                 SHL("R13", "R11", "0xc") "add.rr R1, R1, R13\n" GIVE("R12") GIVE("R11") ASK(
                     "0x20", "R10") "add.ri R1, R1, 0x100000\n" GIVE("R10") "tmem.relinquish\n" EPI,
         orders),
    CTAS("CTAs wait for all 64 columns", 12, PRO_GRID USE("0x40") "tmem.dealloc R2, R9\n" EPI,
         thread),
    CTAS("CTAs of 32 columns each", 16, PRO_GRID USE("0x20") "tmem.dealloc R2, R9\n" EPI, thread),
    CTAS("CTAs that leave their columns", 12, PRO_GRID USE("0x40") EPI, thread),
    CTAS("a CTA has the permit of its slot again", 12,
         PRO_GRID USE("0x20") "tmem.dealloc R2, R9\n tmem.relinquish\n mov.i R1, 0x1\n" EPI, one),
    SMALL_BEHIND_LARGE(0x20, 0x40),
    SMALL_BEHIND_LARGE(0x80, 0x100),
    SMALL_BEHIND_LARGE(0x100, 0x200),
    {.name = NULL}};
