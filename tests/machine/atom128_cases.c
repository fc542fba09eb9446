/* atom128_cases.c: atomics of 128 bits (docs/microarchitecture.md 10, 11, 13): exch and cas of global, shared and
 * generic addresses. Thread t shows the four words that it found at word 4 t of the output; elements of global
 * memory are the words from 256 on, elements of shared memory are copied there, or behind them. Lanes of one
 * instruction that are about the same element have their turns in ascending order. */
#include <stdbool.h>
#include <stddef.h>

#include "tests/machine/machine_cases.h"

/* ---- values: word k of V(n) is n * MULk + ADDk */
#define MUL0       0x9e3779b1
#define MUL1       0x85ebca6b
#define MUL2       0xc2b2ae35
#define MUL3       0x27d4eb2f
#define ADD0       0x165667b1
#define ADD1       0x80000001
#define ADD2       0x7fffffff
#define ADD3       0x3c6ef372
#define LITERAL(x) #x
#define TEXT(x)    LITERAL(x)
#define ONE(r, n, k)                                                                               \
  "mad.lo.rir " r ", " n ", " TEXT(MUL##k) ", RZ\n add.ri " r ", " r ", " TEXT(ADD##k) "\n"
#define V(r0, r1, r2, r3, n) ONE(r0, n, 0) ONE(r1, n, 1) ONE(r2, n, 2) ONE(r3, n, 3)
#define V_B(n)               V("R8", "R9", "R10", "R11", n)
#define V_C(n)               V("R12", "R13", "R14", "R15", n)

/* ---- programs. R4:R5: output of the thread; R6: 16 t; R20:R21: output; R3: element; R22:R23: address. 64
 * elements of a memory have V of their number in the beginning. */
#define START                                                                                      \
  "s2r R0, SR0\n ldc.b64 R20:R21, c0[RZ+0x200]\n mov.r R7, RZ\n shf.l.wrap.i R6, RZ, R0, 0x4\n"    \
  "add64.rr R4:R5, R20:R21, R6:R7\n mov.r R16, RZ\n mov.r R17, RZ\n mov.r R18, RZ\n"               \
  "mov.r R19, RZ\n add.ri R2, R0, 0x20\n"
#define INIT_GLOBAL                                                                                \
  V_B("R0")                                                                                        \
  "st.global.b128 [R4:R5+0x400], R8:R11\n" V_B("R2") "st.global.b128 [R4:R5+0x600], R8:R11\n"
#define INIT_SHARED                                                                                \
  V_B("R0") "st.shared.b128 [R6], R8:R11\n" V_B("R2") "st.shared.b128 [R6+0x200], R8:R11\n"
#define SHOW_SHARED(low, high)                                                                     \
  "ld.shared.b128 R8:R11, [R6]\n st.global.b128 [R4:R5+" low "], R8:R11\n"                         \
  "ld.shared.b128 R8:R11, [R6+0x200]\n st.global.b128 [R4:R5+" high "], R8:R11\n"
#define SYNC      "fence\n warpsync.i 0xffffffff\n"
#define RESULT    "st.global.b128 [R4:R5], R16:R19\n"
#define SHIFTED   "shf.l.wrap.i R22, RZ, R3, 0x4\n"
#define AT_GLOBAL SHIFTED "mov.r R23, RZ\n add64.rr R22:R23, R20:R21, R22:R23\n"
/* Odd threads in shared memory, even ones in global memory, to which 0x400 is added. */
#define AT_GENERIC                                                                                 \
  AT_GLOBAL                                                                                        \
  "add.ri R22, R22, 0x400\n lop3.rir R24, R0, 0x1, RZ {lut=0xc0}\n"                                \
  "setp.u32.ri P1, PT, R24, 0x1, PT {cmp=eq bop=none}\n @P1 shf.l.wrap.i R22, RZ, R3, 0x4\n"       \
  "@P1 mov.i R23, 0x10000\n"

/* Elements. */
#define E_OWN     "mov.r R3, R0\n"
#define E_THREE   "mov.i R3, 0x3\n"
#define E_SECTORS "shf.l.wrap.i R3, RZ, R0, 0x1\n"
#define E_FEW     "mad.lo.rir R3, R0, 0x5, RZ\n lop3.rir R3, R3, 0x7, RZ {lut=0xc0}\n"
#define E_BANKS   "shf.l.wrap.i R3, RZ, R0, 0x3\n lop3.rir R3, R3, 0x3f, RZ {lut=0xc0}\n"

/* Operands: exch puts V(t + 4). cas puts V(t + 4) in the place of what the thread before put there (CHAIN), or of
 * what the element has in the beginning, of which threads 4 n + 1 and 4 n + 3 have one bit wrong. */
#define B_EXCH  "add.ri R2, R0, 0x4\n" V_B("R2")
#define B_CHAIN "add.ri R2, R0, 0x3\n" V_B("R2")
#define B_FIRST                                                                                    \
  V_B("R3")                                                                                        \
  "lop3.rir R24, R0, 0x3, RZ {lut=0xc0}\n setp.u32.ri P2, PT, R24, 0x1, PT {cmp=eq bop=none}\n"    \
  "setp.u32.ri P3, PT, R24, 0x3, PT {cmp=eq bop=none}\n"                                           \
  "@P2 lop3.rir R8, R8, 0x1, RZ {lut=0x3c}\n @P3 lop3.rir R11, R11, 0x80000000, RZ {lut=0x3c}\n"
#define C_CAS "add.ri R2, R0, 0x4\n" V_C("R2")
/* All but threads 5 and 0x12. */
#define GUARD                                                                                      \
  "setp.u32.ri P4, PT, R0, 0x5, PT {cmp=ne bop=none}\n"                                            \
  "setp.u32.ri P4, PT, R0, 0x12, P4 {cmp=ne bop=and}\n"

#define GLOBAL(element, operands, rest)                                                            \
  START INIT_GLOBAL SYNC element AT_GLOBAL operands "atom.global." rest "\n" RESULT "exit\n"
#define SHARED(element, operands, rest)                                                            \
  START INIT_SHARED SYNC element SHIFTED operands                                                  \
      "atom.shared." rest "\n" RESULT SYNC SHOW_SHARED("0x400", "0x600") "exit\n"
#define GENERIC(element, operands, rest)                                                           \
  START INIT_GLOBAL INIT_SHARED SYNC element AT_GENERIC operands GUARD                             \
      "@P4 atom.gen." rest "\n" RESULT SYNC SHOW_SHARED("0x800", "0xa00") "exit\n"
#define G_EXCH     "exch.b128 R16:R19, [R22:R23+0x400], R8:R11"
#define G_EXCH_RED "exch.b128 RZ, [R22:R23+0x400], R8:R11"
#define G_CAS      "cas.b128 R16:R19, [R22:R23+0x400], R8:R11, R12:R15"
#define G_CAS_RED  "cas.b128 RZ, [R22:R23+0x400], R8:R11, R12:R15"
#define S_EXCH     "exch.b128 R16:R19, [R22], R8:R11"
#define S_EXCH_RED "exch.b128 RZ, [R22], R8:R11"
#define S_CAS      "cas.b128 R16:R19, [R22], R8:R11, R12:R15"
#define S_CAS_RED  "cas.b128 RZ, [R22], R8:R11, R12:R15"
#define N_EXCH     "exch.b128 R16:R19, [R22:R23], R8:R11"
#define N_EXCH_RED "exch.b128 RZ, [R22:R23], R8:R11"
#define N_CAS      "cas.b128 R16:R19, [R22:R23], R8:R11, R12:R15"
#define N_CAS_RED  "cas.b128 RZ, [R22:R23], R8:R11, R12:R15"

/* ---- what they leave */
enum { THREADS = 32, ELEMENTS = 64, FIRST = 256 /* word of element 0 */ };
typedef struct value {
  uint32_t word[4];
} value_t;

typedef struct plan {
  uint32_t (*element)(uint32_t t);
  enum { EXCH, CHAIN, CAS } does;
  bool red;
  uint32_t shared, takes_part; /* by thread */
} plan_t;

static value_t v(uint32_t n) {
  return (value_t){{n * MUL0 + ADD0, n * MUL1 + ADD1, n * MUL2 + ADD2, n * MUL3 + ADD3}};
}

static bool same(const value_t *x, const value_t *y) {
  for (int k = 0; k < 4; k++)
    if (x->word[k] != y->word[k]) return false;
  return true;
}

/* The value with which cas compares. */
static value_t compared(const plan_t *p, uint32_t t) {
  value_t x = v(p->does == CHAIN ? t + 3 : p->element(t));
  if (p->does == CAS && t % 4 == 1) x.word[0] ^= 1;
  if (p->does == CAS && t % 4 == 3) x.word[3] ^= 0x80000000U;
  return x;
}

static uint32_t word_of(const plan_t *p, uint32_t i) {
  value_t memory[2][ELEMENTS], old[THREADS] = {{{0}}};
  for (uint32_t e = 0; e < ELEMENTS; e++)
    memory[0][e] = memory[1][e] = v(e);
  for (uint32_t t = 0; t < THREADS; t++) {
    value_t *at = &memory[p->shared >> t & 1][p->element(t)];
    const value_t with = compared(p, t);
    if ((p->takes_part >> t & 1) == 0) continue;
    if (!p->red) old[t] = *at;
    if (p->does == EXCH || same(at, &with)) *at = v(t + 4);
  }
  const bool both = p->shared != 0 && p->shared != UINT32_MAX;
  const uint32_t second = both && i >= FIRST + 4 * ELEMENTS ? FIRST + 4 * ELEMENTS : FIRST;
  const uint32_t in_shared = p->shared == UINT32_MAX || second != FIRST;
  if (i < 4 * THREADS) return old[i / 4].word[i % 4];
  if (i < FIRST || i - second >= 4 * ELEMENTS) return 0;
  return memory[in_shared][(i - second) / 4].word[i % 4];
}

static uint32_t own(uint32_t t) { return t; }
static uint32_t three(uint32_t t) { return t / THREADS + 3; }
static uint32_t sectors(uint32_t t) { return 2 * t; }
static uint32_t few(uint32_t t) { return 5 * t % 8; }
static uint32_t banks(uint32_t t) { return 8 * t % 64; }

#define WANT(name, element, does, red, shared, part)                                               \
  static uint32_t name(uint32_t i) {                                                               \
    static const plan_t p = {element, does, red, shared, part};                                    \
    return word_of(&p, i);                                                                         \
  }
#define ODD     0xaaaaaaaa
#define GUARDED (UINT32_MAX & ~(1U << 5 | 1U << 0x12))
WANT(exch_own, own, EXCH, false, 0, UINT32_MAX)
WANT(exch_three, three, EXCH, false, 0, UINT32_MAX)
WANT(exch_sectors, sectors, EXCH, false, 0, UINT32_MAX)
WANT(exch_few, few, EXCH, false, 0, UINT32_MAX)
WANT(exch_few_red, few, EXCH, true, 0, UINT32_MAX)
WANT(cas_own, own, CAS, false, 0, UINT32_MAX)
WANT(cas_chain, three, CHAIN, false, 0, UINT32_MAX)
WANT(cas_sectors, sectors, CAS, false, 0, UINT32_MAX)
WANT(cas_few, few, CAS, false, 0, UINT32_MAX)
WANT(cas_few_red, few, CAS, true, 0, UINT32_MAX)
WANT(shared_exch_own, own, EXCH, false, UINT32_MAX, UINT32_MAX)
WANT(shared_exch_three, three, EXCH, false, UINT32_MAX, UINT32_MAX)
WANT(shared_exch_banks, banks, EXCH, false, UINT32_MAX, UINT32_MAX)
WANT(shared_exch_red, banks, EXCH, true, UINT32_MAX, UINT32_MAX)
WANT(shared_cas_own, own, CAS, false, UINT32_MAX, UINT32_MAX)
WANT(shared_cas_chain, three, CHAIN, false, UINT32_MAX, UINT32_MAX)
WANT(shared_cas_banks, banks, CAS, false, UINT32_MAX, UINT32_MAX)
WANT(shared_cas_red, banks, CAS, true, UINT32_MAX, UINT32_MAX)
WANT(generic_exch, few, EXCH, false, ODD, GUARDED)
WANT(generic_exch_red, own, EXCH, true, ODD, GUARDED)
WANT(generic_cas, few, CAS, false, ODD, GUARDED)
WANT(generic_cas_red, sectors, CAS, true, ODD, GUARDED)

/* Every thread adds once, whoever is in between: 12 threads of two CTAs. */
static uint32_t counted(uint32_t i) {
  static const uint32_t each[4] = {0x1, 0xffffffff, 0x40000001, 0x80000000};
  return i < 4 ? 12 * each[i] : 0;
}

#define CASE(what, program, expected)                                                              \
  {.name = "128-bit atomic: " what,                                                                \
   .text = program,                                                                                \
   .block = {THREADS, 1, 1},                                                                       \
   .shared = 1024,                                                                                 \
   .atom128 = true,                                                                                \
   .want = expected,                                                                               \
   .words = 1024}
#define TRAP(what, code, at, program)                                                              \
  {.name = "128-bit atomic: " what,                                                                \
   .text = program,                                                                                \
   .cause = WL_TRAP_##code,                                                                        \
   .lanes = 1,                                                                                     \
   .shared = 72,                                                                                   \
   .local = 32,                                                                                    \
   .address = at,                                                                                  \
   .atom128 = true}
#define LIMIT                   START "ldc.b64 R24:R25, c0[RZ+0x80]\n ldc.b64 R26:R27, c0[RZ+0x78]\n"
#define EXCH_AT(space, address) "atom." space ".exch.b128 R16:R19, [" address "], R8:R11\n"
#define CAS_AT(space, address)  "atom." space ".cas.b128 R16:R19, [" address "], R8:R11, R12:R15\n"
#define WINDOW(high, low)       "mov.i R22, " low "\n mov.i R23, " high "\n"

const machine_case_t machine_atom128_cases[] = {
    CASE("exch, neighbouring elements", GLOBAL(E_OWN, B_EXCH, G_EXCH), exch_own),
    CASE("exch, one element", GLOBAL(E_THREE, B_EXCH, G_EXCH), exch_three),
    CASE("exch, sectors apart", GLOBAL(E_SECTORS, B_EXCH, G_EXCH), exch_sectors),
    CASE("exch, few elements", GLOBAL(E_FEW, B_EXCH, G_EXCH), exch_few),
    CASE("exch without a result", GLOBAL(E_FEW, B_EXCH, G_EXCH_RED), exch_few_red),
    CASE("cas, neighbouring elements", GLOBAL(E_OWN, B_FIRST C_CAS, G_CAS), cas_own),
    CASE("cas, a chain on one element", GLOBAL(E_THREE, B_CHAIN C_CAS, G_CAS), cas_chain),
    CASE("cas, sectors apart", GLOBAL(E_SECTORS, B_FIRST C_CAS, G_CAS), cas_sectors),
    CASE("cas, few elements", GLOBAL(E_FEW, B_FIRST C_CAS, G_CAS), cas_few),
    CASE("cas without a result", GLOBAL(E_FEW, B_FIRST C_CAS, G_CAS_RED), cas_few_red),
    CASE("shared exch, neighbours", SHARED(E_OWN, B_EXCH, S_EXCH), shared_exch_own),
    CASE("shared exch, one element", SHARED(E_THREE, B_EXCH, S_EXCH), shared_exch_three),
    CASE("shared exch, four banks", SHARED(E_BANKS, B_EXCH, S_EXCH), shared_exch_banks),
    CASE("shared exch without a result", SHARED(E_BANKS, B_EXCH, S_EXCH_RED), shared_exch_red),
    CASE("shared cas, neighbours", SHARED(E_OWN, B_FIRST C_CAS, S_CAS), shared_cas_own),
    CASE("shared cas, a chain", SHARED(E_THREE, B_CHAIN C_CAS, S_CAS), shared_cas_chain),
    CASE("shared cas, four banks", SHARED(E_BANKS, B_FIRST C_CAS, S_CAS), shared_cas_banks),
    CASE("shared cas without a result", SHARED(E_BANKS, B_FIRST C_CAS, S_CAS_RED), shared_cas_red),
    CASE("generic exch of both classes", GENERIC(E_FEW, B_EXCH, N_EXCH), generic_exch),
    CASE("generic exch without a result", GENERIC(E_OWN, B_EXCH, N_EXCH_RED), generic_exch_red),
    CASE("generic cas of both classes", GENERIC(E_FEW, B_FIRST C_CAS, N_CAS), generic_cas),
    CASE("generic cas without a result", GENERIC(E_SECTORS, B_FIRST C_CAS, N_CAS_RED),
         generic_cas_red),
    {.name = "128-bit atomic: threads that count",
     .text =
         START "mov.r R8, RZ\n mov.r R9, RZ\n mov.r R10, RZ\n mov.r R11, RZ\n try:\n"
               "add.ri R12, R8, 0x1\n add.ri R13, R9, 0xffffffff\n"
               "add.ri R14, R10, 0x40000001\n add.ri R15, R11, 0x80000000\n"
               "atom.global.cas.b128 R16:R19, [R20:R21], R8:R11, R12:R15\n"
               "lop3.rrr R24, R16, R8, RZ {lut=0x3c}\n lop3.rrr R24, R17, R9, R24 {lut=0xbe}\n"
               "lop3.rrr R24, R18, R10, R24 {lut=0xbe}\n lop3.rrr R24, R19, R11, R24 {lut=0xbe}\n"
               "setp.u32.ri P0, PT, R24, 0x0, PT {cmp=ne bop=none}\n mov.r R8, R16\n"
               "mov.r R9, R17\n mov.r R10, R18\n mov.r R11, R19\n @P0 bra #try\n exit\n",
     .grid = {2, 1, 1},
     .block = {6, 1, 1},
     .atom128 = true,
     .want = counted,
     .words = 1024},
    TRAP("global address of 8 mod 16", MISALIGNED, 0,
         START EXCH_AT("global", "R4:R5") "here:\n" EXCH_AT("global", "R4:R5+0x8") "exit\n"),
    TRAP("shared address of 4 mod 16", MISALIGNED, 0,
         START CAS_AT("shared", "RZ+0x30") "here:\n" CAS_AT("shared", "RZ+0x34") "exit\n"),
    TRAP("misaligned before out of bounds", MISALIGNED, 0,
         LIMIT "here:\n" CAS_AT("global", "R24:R25-0x8") "exit\n"),
    TRAP("behind the last byte", OUT_OF_BOUNDS, 0,
         LIMIT EXCH_AT("global", "R24:R25-0x10") "here:\n" EXCH_AT("gen", "R24:R25") "exit\n"),
    TRAP("before the first byte", OUT_OF_BOUNDS, 0,
         LIMIT "here:\n" CAS_AT("global", "R26:R27-0x10") "exit\n"),
    TRAP("half behind the CTA's shared memory", OUT_OF_BOUNDS, 0x40,
         START "ld.shared.b64 R8:R9, [RZ+0x40]\n here:\n" EXCH_AT("shared", "RZ+0x40") "exit\n"),
    TRAP("generic, behind the CTA's shared memory", OUT_OF_BOUNDS, UINT64_C(0x1000000000040),
         START WINDOW("0x10000", "0x10")
             CAS_AT("gen", "R22:R23+0x20") "here:\n" CAS_AT("gen", "R22:R23+0x30") "exit\n"),
    TRAP("local memory", OUT_OF_BOUNDS, UINT64_C(0x2000000000010),
         START WINDOW("0x20000", "0x0") "here:\n" EXCH_AT("gen", "R22:R23+0x10") "exit\n"),
    {.name = NULL}};
