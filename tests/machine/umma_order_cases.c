/* umma_order_cases.c: several products, of lanes and one behind the other; commits and who waits for them;
 * products beside the other units (umma_cases.h). */
#include "tests/machine/umma_cases.h"

#define EXPECT(name, COMMANDS, halves, columns)                                                    \
  static uint32_t name(uint32_t t) {                                                               \
    static const umma_command_t n[] = {COMMANDS(UMMA_DATA)};                                       \
    return umma_folded(n, sizeof n / sizeof n[0], halves, columns, t);                             \
  }

/* ---- three K, the first without an addend: each needs the one before */
#define THREE_K(X)                                                                                 \
  X(0x00000080, 0x80004020, 0x00000300, 0x80004020, 0x0, 0x08080010, NO, 0x0)                      \
  X(0x00000082, 0x80004020, 0x00000302, 0x80004020, 0x0, 0x08080010, PT, 0x0)                      \
  X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08080010, PT, 0x1)
/* ---- other sizes, places and rows, six of them: more than the queue holds */
#define MIXED(X)                                                                                   \
  X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08040010, PT, 0x0)                      \
  X(0x00000040, 0xc0004010, 0x00000220, 0xc0004010, 0x10, 0x04020010, NO, 0x0)                     \
  X(0x00000000, 0x40004040, 0x00000200, 0x40004040, 0x100010, 0x04040010, PT, 0x0)                 \
  X(0x00080000, 0x00004010, 0x00400200, 0x00004008, 0x8, 0x08098010, PT, 0x1)                      \
  X(0x00000082, 0x80004020, 0x00000300, 0x80004020, 0x38, 0x08020010, NO, 0x0)                     \
  X(0x00000084, 0x80004020, 0x00000304, 0x80004020, 0x38, 0x08022010, PT, 0x0)
EXPECT(three_k, THREE_K, false, 64)
EXPECT(mixed, MIXED, false, 64)

/* ---- a command of each of four lanes: its columns are 8 times its number */
#define OF_LANE(at)                                                                                \
  {{0x01000010, 0x00004008}, {0x00080200, 0x00004010}, at, 0x08020010, 0, UMMA_PT, {0}},
static uint32_t of_lanes(uint32_t t) {
  static const umma_command_t n[] = {OF_LANE(0) OF_LANE(8) OF_LANE(16) OF_LANE(24)};
  return umma_folded(n, 4, false, 64, t);
}
#define FOUR_LANES                                                                                 \
  UMMA_WORDS(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08020010)                      \
  SHL("R9", "R0", "0x3")                                                                           \
  "add.rr R44, R44, R9\n setp.u32.ri P5, PT, R0, 0x4, PT {cmp=lt bop=none}\n"                      \
  "@P5 umma.f16 R40:R43, R44:R45, 0x0, PT\n"

/* ---- by which predicate D is read: true in no lane but the first */
#define ONE_ADDS(X) X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08020010, PT, 0x0)
EXPECT(one_adds, ONE_ADDS, false, 64)
#define BY_PREDICATE                                                                               \
  UMMA_WORDS(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08020010)                      \
  "@P6 umma.f16 R40:R43, R44:R45, 0xfffffff0, P6\n"
/* And false in no lane but the first. */
#define BUT_ONE_ADD(X) X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08020010, NO, 0x0)
EXPECT(but_one_add, BUT_ONE_ADD, false, 64)
#define BY_NO_PREDICATE                                                                            \
  UMMA_WORDS(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08020010)                      \
  "@P6 umma.f16 R40:R43, R44:R45, 0x0, !P6\n"

/* ---- commits: an mbarrier of three arrivals, by an offset, by a generic address, and by a thread */
#define ONE(X) X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08020010, NO, 0x0)
EXPECT(one, ONE, false, 64)
#define THREE_ARRIVALS                                                                             \
  "mov.i R9, 0x3\n @P6 mbar.shared.init RZ, [RZ+0x5000], R9\n" SYNC ONE(                           \
      UMMA_TEXT) "mov.i R46, 0x5000\n mov.i R47, 0x10000\n @P6 umma.commit R46\n"                  \
                 "@P6 umma.commit.gen R46:R47\n mov.i R9, 0x1\n"                                   \
                 "@P6 mbar.shared.arrive RZ, [RZ+0x5000], R9\n" WAIT FOLD_D FREE("0x40") EPI

/* ---- a commit without a product */
static uint32_t labels(uint32_t t) { return umma_folded(NULL, 0, false, 64, t); }

/* ---- the commit of another thread, in another warp */
#define LAST_COMMITS                                                                               \
  ONE(UMMA_TEXT)                                                                                   \
  SYNC "setp.u32.ri P5, PT, R0, 0x7f, PT {cmp=eq bop=none}\n"                                      \
       "mov.i R46, 0x5000\n @P5 umma.commit R46\n" WAIT FOLD_D FREE("0x40") EPI

/* ---- all warps multiply, load and store meanwhile: mma.sync of ones adds 16 each time */
#define BUSY(X)                                                                                    \
  X(0x00000080, 0x80004020, 0x00000300, 0x80004020, 0x0, 0x08080010, NO, 0x0)                      \
  X(0x00000082, 0x80004020, 0x00000302, 0x80004020, 0x0, 0x08080010, PT, 0x0)
static uint32_t beside(uint32_t t) {
  static const umma_command_t n[] = {BUSY(UMMA_DATA)};
  /* 16 * 12 = 192 as f32; each time the words of columns 40 and 41, and of shared memory, are added */
  const uint32_t word = 0x3f800000 + ((8 * t + 40) << 13);
  return umma_folded(n, 2, false, 64, t) + 0x43400000 + 12 * (word + word + 0x2000) + 12 * 3 * t;
}
#define BESIDE                                                                                     \
  "mov.i R32, 0x3c003c00\n mov.r R33, R32\n mov.r R34, R32\n mov.r R35, R32\n"                     \
  "mov.r R36, RZ\n mov.r R37, RZ\n mov.r R38, RZ\n mov.r R39, RZ\n"                                \
  "mov.r R54, RZ\n mov.r R55, RZ\n mov.r R7, R0\n" SHL(                                            \
      "R10", "R0",                                                                                 \
      "0x2") "add.ri R10, R10, 0x4c00\n mad.lo.rir R11, R0, 0x3, RZ\n add.ri R12, R2, 0x28\n"      \
             "work:\n mma.f32.f16.m16n8k16 R36:R39, R32:R35, R32:R33, R36:R39\n"                   \
             "tmem.ld R56, R12, 0x1\n st.shared.b32 [R10], R11\n"                                  \
             "add.rr R54, R54, R56\n add.rr R54, R54, R57\n mov.r R60, R56\n"                      \
             "tmem.st.1 R12, R60, 0x0\n ld.shared.b32 R9, [R10]\n add.rr R54, R54, R9\n"           \
             "add.ri R55, R55, 0x1\n setp.u32.ri P1, PT, R55, 0xc, PT {cmp=lt bop=none}\n"         \
             "@P1 bra #work\n add.rr R54, R54, R39\n"

/* ---- all warps load long rows beside products that read D, each from its own quarter */
#define BOTH_ADD(X)                                                                                \
  X(0x00000080, 0x80004020, 0x00000300, 0x80004020, 0x0, 0x08080010, PT, 0x0)                      \
  X(0x00000082, 0x80004020, 0x00000302, 0x80004020, 0x0, 0x08080010, PT, 0x0)
enum { LONG_LOADS = 48, FIRST_LOADED = 40 };
static uint32_t beside_loads(uint32_t t) {
  static const umma_command_t n[] = {BOTH_ADD(UMMA_DATA)};
  uint32_t sum = 0;
  for (uint32_t c = FIRST_LOADED; c < FIRST_LOADED + 16; c++)
    sum += 0x3f800000 + ((8 * t + c) << 13);
  return umma_folded(n, 2, false, 64, t) + LONG_LOADS * sum;
}
#define ADD(n) "add.rr R54, R54, R" #n "\n"
#define BESIDE_LOADS                                                                               \
  "mov.r R54, RZ\n mov.r R55, RZ\n add.ri R12, R2, 0x28\n load:\n tmem.ld R16, R12, 0xf\n" ADD(16) \
      ADD(17) ADD(18) ADD(19) ADD(20) ADD(21) ADD(22) ADD(23) ADD(24) ADD(25) ADD(26) ADD(27)      \
          ADD(28) ADD(29) ADD(30)                                                                  \
              ADD(31) "add.ri R55, R55, 0x1\n"                                                     \
                      "setp.u32.ri P1, PT, R55, 0x30, PT {cmp=lt bop=none}\n @P1 bra #load\n"

/* ---- mma.sync of all warps all the time, 16 more each time; a product in each fourth round, which finds the queue
 * empty: sets are taken while its operands are on the way */
#define AGAIN(X) X(0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x8, 0x04020010, NO, 0x0)
static uint32_t among_sets(uint32_t t) {
  static const umma_command_t n[] = {AGAIN(UMMA_DATA)};
  return umma_folded(n, 1, false, 64, t) + 0x44400000; /* 768 as f32 */
}
#define AMONG_SETS                                                                                                        \
  "mov.i R32, 0x3c003c00\n mov.r R33, R32\n mov.r R34, R32\n mov.r R35, R32\n"                                            \
  "mov.r R36, RZ\n mov.r R37, RZ\n mov.r R38, RZ\n mov.r R39, RZ\n mov.r R54, RZ\n" UMMA_WORDS(                           \
      0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x8,                                                                \
      0x04020010) "work:\n" AND("R9", "R54",                                                                              \
                                "0x3") "setp.u32.ri P5, PT, R9, 0x0, P6 {cmp=eq bop=and}\n"                               \
                                       "@P5 umma.f16 R40:R43, R44:R45, 0x0, !PT\n"                                        \
                                       "mma.f32.f16.m16n8k16 R36:R39, R32:R35, R32:R33, R36:R39\n add.ri R54, R54, 0x1\n" \
                                       "setp.u32.ri P1, PT, R54, 0x30, PT {cmp=lt bop=none}\n @P1 bra #work\n"

#define ORDER_CASE(what, middle, expected)                                                         \
  UMMA_CASE(what, UMMA_BEGIN("0x40", F16_ELEMENTS, F32_LABELS, F32_STEPS) middle, expected, 64)

const machine_case_t machine_umma_order_cases[] = {
    ORDER_CASE("three products, one behind the other", THREE_K(UMMA_TEXT) UMMA_END("0x40"),
               three_k),
    ORDER_CASE("six products of several shapes", MIXED(UMMA_TEXT) UMMA_END("0x40"), mixed),
    ORDER_CASE("products of four lanes", FOUR_LANES UMMA_END("0x40"), of_lanes),
    ORDER_CASE("a product that adds by its lane's predicate", BY_PREDICATE UMMA_END("0x40"),
               one_adds),
    ORDER_CASE("a product that does not add by its lane's predicate",
               BY_NO_PREDICATE UMMA_END("0x40"), but_one_add),
    ORDER_CASE("two commits and a thread arrive", THREE_ARRIVALS, one),
    ORDER_CASE("a commit without a product", UMMA_END("0x40"), labels),
    ORDER_CASE("the commit of another thread", LAST_COMMITS, one),
    ORDER_CASE("products beside mma.sync, loads and stores",
               BUSY(UMMA_TEXT) COMMIT BESIDE WAIT FOLD_D "add.rr R1, R1, R54\n" FREE("0x40") EPI,
               beside),
    ORDER_CASE("products that add beside long loads",
               BOTH_ADD(UMMA_TEXT) COMMIT BESIDE_LOADS WAIT FOLD_D
               "add.rr R1, R1, R54\n" FREE("0x40") EPI,
               beside_loads),
    ORDER_CASE("products among sets of mma.sync",
               AMONG_SETS COMMIT WAIT FOLD_D "add.rr R1, R1, R39\n" FREE("0x40") EPI, among_sets),
    {.name = "six products of each of five CTAs",
     .text =
         UMMA_BEGIN("0x40", F16_ELEMENTS, F32_LABELS, F32_STEPS) MIXED(UMMA_TEXT) UMMA_END("0x40"),
     .grid = {5, 1, 1},
     .block = {128, 1, 1},
     .regs = 64,
     .umma = true,
     .columns = 64,
     .shared = 0x5010,
     .want = mixed,
     .words = 128},
    {.name = NULL}};
