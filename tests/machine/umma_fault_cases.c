/* umma_fault_cases.c: traps of products in tensor memory and of commits, with their addresses
 * (docs/microarchitecture.md 25.2). Lane 9 of 32 gives the command. */
#include "tests/machine/umma_cases.h"

enum { LANE = 9 };

#define GIVES "setp.u32.ri P6, PT, R0, 0x9, PT {cmp=eq bop=none}\n"
#define FAULT(what, code, at, bytes, program)                                                      \
  {.name = what,                                                                                   \
   .cause = WL_TRAP_##code,                                                                        \
   .any_lanes = true,                                                                              \
   .lane = LANE,                                                                                   \
   .address = at,                                                                                  \
   .text = "s2r R0, SR0\n" GIVES program "exit\n",                                                 \
   .block = {32, 1, 1},                                                                            \
   .regs = 64,                                                                                     \
   .umma = true,                                                                                   \
   .columns = 64,                                                                                  \
   .shared = bytes}

/* All 64 columns, or 32, are allocated. The right operands: 128 rows in 0x1000 bytes, 16 in 0x200. */
#define ALL    "mov.i R3, 0x40\n tmem.alloc R3\n mov.r R3, RZ\n"
#define HALF   "mov.i R3, 0x20\n tmem.alloc R3\n mov.r R3, RZ\n"
#define A_LOW  0x00800000
#define A_HIGH 0x00004008
#define B_LOW  0x00100100
#define B_HIGH 0x00004008
#define I_128  0x08040010
#define I_64   0x04040010
#define GIVE(al, ah, bl, bh, d, i)                                                                 \
  UMMA_WORDS(al, ah, bl, bh, d, i) "here:\n @P6 umma.f16 R40:R43, R44:R45, 0x0, PT\n"
#define OF_I(what, i)                                                                              \
  FAULT(what, TENSOR_DESCRIPTOR, i, 0x1200, ALL GIVE(A_LOW, A_HIGH, B_LOW, B_HIGH, 0x0, i))
#define OF_A(what, at, al, ah)                                                                     \
  FAULT(what, TENSOR_DESCRIPTOR, at, 0x1200, ALL GIVE(al, ah, B_LOW, B_HIGH, 0x0, I_128))
#define OF_B(what, at, bl, bh)                                                                     \
  FAULT(what, TENSOR_DESCRIPTOR, at, 0x1200, ALL GIVE(A_LOW, A_HIGH, bl, bh, 0x0, I_128))
#define OF_D(what, code, at, before, d, i)                                                         \
  FAULT(what, code, at, 0x1200, before GIVE(A_LOW, A_HIGH, B_LOW, B_HIGH, d, i))
#define OF_SIZE(what, bytes, at, al, ah, bl, bh, i)                                                \
  FAULT(what, TENSOR_DESCRIPTOR, at, bytes, ALL GIVE(al, ah, bl, bh, 0x0, i))
#define OF_COMMIT(what, code, at, m, program)                                                      \
  FAULT(what, code, at, 0x1200,                                                                    \
        "mov.i R46, " m "\n mov.i R47, 0x10000\n mov.i R52, 0x20000\n mov.r R53, R46\n" program)
#define COMMIT_IT  "here:\n @P6 umma.commit R46\n"
#define COMMIT_GEN "here:\n @P6 umma.commit.gen R46:R47\n"

const machine_case_t machine_umma_fault_cases[] = {
    /* ---- instruction descriptor */
    OF_I("a product with sparse A", 0x08040014),
    OF_I("a product that saturates", 0x08040018),
    OF_I("a product with bit 6", 0x08040050),
    OF_I("a product with bit 23", 0x08840010),
    OF_I("a product with bit 29", 0x28040010),
    OF_I("a product with D of type 2", 0x08040020),
    OF_I("a product with D of type 3", 0x08040030),
    OF_I("a product of bf16 in f16", 0x08040480),
    OF_I("a product of type 2", 0x08040910),
    OF_I("a product of type 7", 0x08041f90),
    OF_I("a product of f16 and bf16", 0x08040410),
    OF_I("a product of bf16 and f16", 0x08040090),
    OF_I("a product of no columns", 0x08000010),
    OF_I("a product of 264 columns", 0x08420010),
    OF_I("a product of no rows", 0x00040010),
    OF_I("a product of 96 rows", 0x06040010),
    OF_I("a product of 256 rows", 0x10040010),
    OF_I("a product with a shift", 0x48040010),
    OF_I("a product with a shift of 2", 0x88040010),
    /* ---- descriptors of operands */
    OF_A("A: bit 14", 0x0000400800804000, 0x00804000, 0x00004008),
    OF_A("A: bit 15", 0x0000400800808000, 0x00808000, 0x00004008),
    OF_A("A: bit 30", 0x0000400840800000, 0x40800000, 0x00004008),
    OF_A("A: bit 31", 0x0000400880800000, 0x80800000, 0x00004008),
    OF_A("A: constant 0", 0x0000000800800000, 0x00800000, 0x00000008),
    OF_A("A: constant 5", 0x0001400800800000, 0x00800000, 0x00014008),
    OF_A("A: LBO is an address", 0x0010400800800000, 0x00800000, 0x00104008),
    OF_A("A: swizzle 3", 0x6000400800800000, 0x00800000, 0x60004008),
    OF_A("A: swizzle 5", 0xa000400800800000, 0x00800000, 0xa0004008),
    OF_A("A: swizzle 7", 0xe000400800800000, 0x00800000, 0xe0004008),
    OF_B("B: bit 15", 0x0000400800108100, 0x00108100, 0x00004008),
    OF_B("B: constant 2", 0x0000800800100100, 0x00100100, 0x00008008),
    OF_B("B: swizzle 3", 0x6000400800100100, 0x00100100, 0x60004008),
    OF_SIZE("A: MN-major in atoms of 32 bytes", 0x1200, 0x2000400800800000, 0x00800000, 0x20004008,
            B_LOW, B_HIGH, 0x08048010),
    OF_SIZE("B: MN-major in atoms of 32 bytes", 0x1200, 0x2000400800100100, A_LOW, A_HIGH,
            0x00100100, 0x20004008, 0x08050010),
    /* ---- what comes first */
    OF_SIZE("the instruction descriptor before A", 0x1200, 0x08040014, 0x00804000, A_HIGH, B_LOW,
            B_HIGH, 0x08040014),
    OF_SIZE("A before B", 0x1200, 0x0000400800804000, 0x00804000, A_HIGH, 0x00108100, B_HIGH,
            I_128),
    OF_SIZE("B before the end of A", 0xfff, 0x0000400800108100, A_LOW, A_HIGH, 0x00108100, B_HIGH,
            I_128),
    OF_SIZE("the end of A before that of B", 0x800, 0xfff, A_LOW, A_HIGH, B_LOW, B_HIGH, I_128),
    FAULT("the end of B before the lanes", TENSOR_DESCRIPTOR, 0x11ff, 0x11f0,
          ALL GIVE(A_LOW, A_HIGH, B_LOW, B_HIGH, 0x10000, I_128)),
    OF_D("the lanes before the columns", TMEM_LANES, 0x10ffff, ALL, 0x10ffff, I_128),
    /* ---- ends */
    OF_SIZE("A ends behind shared memory", 0x1200, 0x120f, 0x00800021, A_HIGH, 0x00100000, B_HIGH,
            I_128),
    OF_SIZE("B ends behind shared memory", 0x11f0, 0x11ff, A_LOW, A_HIGH, B_LOW, B_HIGH, I_128),
    OF_SIZE("the end of a row that is swizzled", 0x1070, 0x107f, 0x00000002, 0xc0004010, 0x00100000,
            B_HIGH, I_128),
    OF_SIZE("the end of 32-byte atoms", 0x3ff0, 0x3fff, 0x00000000, 0x20004040, 0x00100000, B_HIGH,
            I_128),
    OF_SIZE("the end of an MN-major operand", 0x1070, 0x107f, 0x00080008, 0x00004010, 0x00100000,
            B_HIGH, 0x08048010),
    OF_SIZE("the end of an MN-major operand of one pattern", 0x13f0, 0x13ff, A_LOW, A_HIGH,
            0x008000c0, 0x40004040, 0x08050010),
    OF_SIZE("the end of an MN-major operand of one chunk", 0x13f0, 0x13ff, A_LOW, A_HIGH,
            0x00400102, 0x80004020, 0x08030010),
    OF_SIZE("the end of an MN-major operand of several patterns", 0xff0, 0xfff, 0x00200000,
            0xc0004010, 0x00100000, B_HIGH, 0x08048010),
    /* ---- D */
    OF_D("D of 128 rows in lane 16", TMEM_LANES, 0x100000, ALL, 0x100000, I_128),
    OF_D("D of 64 rows in lane 1", TMEM_LANES, 0x10000, ALL, 0x10000, I_64),
    OF_D("D of 64 rows in lane 32", TMEM_LANES, 0x200000, ALL, 0x200000, I_64),
    OF_D("D of 64 rows in lane 48", TMEM_LANES, 0x300000, ALL, 0x300000, I_64),
    OF_D("D behind the last column", TMEM_RANGE, 0xfff1, ALL, 0xfff1, I_128),
    OF_D("D one column too far", TMEM_RANGE, 0x11, HALF, 0x11, I_128),
    OF_D("D in columns that are not allocated", TMEM_RANGE, 0x20, HALF, 0x20, I_64),
    OF_D("D in columns that were freed", TMEM_RANGE, 0x1,
         HALF "mov.i R9, 0x20\n tmem.dealloc R3, R9\n", 0x1, I_128),
    /* ---- commits */
    OF_COMMIT("a commit at no multiple of 8", MISALIGNED, 0xffc, "0xffc", COMMIT_IT),
    OF_COMMIT("a commit behind shared memory", OUT_OF_BOUNDS, 0x1200, "0x1200", COMMIT_IT),
    OF_COMMIT("a commit at the end of 32 bits", OUT_OF_BOUNDS, 0xfffffff8, "0xfffffff8", COMMIT_IT),
    OF_COMMIT("a commit, generic, at no multiple of 8", MISALIGNED, 0x0001000000000004, "0x4",
              COMMIT_GEN),
    OF_COMMIT("a commit, generic, behind shared memory", OUT_OF_BOUNDS, 0x0001000000001200,
              "0x1200", COMMIT_GEN),
    OF_COMMIT("a commit, generic, elsewhere", OUT_OF_BOUNDS, 0x0002000000000008, "0x8",
              "mov.r R47, R52\n" COMMIT_GEN),
    OF_COMMIT("alignment before the window", MISALIGNED, 0x0002000000000009, "0x9",
              "mov.r R47, R52\n" COMMIT_GEN),
    OF_COMMIT("a commit at no mbarrier", MBARRIER, 0x100, "0x100",
              "st.shared.b32 [RZ+0x100], RZ\n st.shared.b32 [RZ+0x104], RZ\n fence\n" COMMIT_IT),
    {.name = NULL}};
