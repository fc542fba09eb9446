/* tmem_cases.c: loads and stores of tensor memory: counts, quarters, halves, offsets, order (tmem_cases.h).
 * What a thread finds is computed from the labels that the program stores: 1,024 times its number, plus
 * the column. */
#include "tests/machine/tmem_cases.h"

/* ---- counts: R1 = 3 R1 + first + last of a load of so many columns */
#define L(count, last)                                                                             \
  "tmem.ld R64, R2, " count "\n add.rr R9, R64, " last "\n mad.lo.rir R1, R1, 0x3, R9\n"
#define LOADS_64                                                                                   \
  L("0x0", "R64")                                                                                  \
  L("0x1", "R65")                                                                                  \
  L("0x2", "R66")                                                                                  \
  L("0x3", "R67")                                                                                  \
  L("0x4", "R68")                                                                                  \
  L("0x5", "R69")                                                                                  \
  L("0x6", "R70")                                                                                  \
  L("0x7", "R71")                                                                                  \
  L("0x8", "R72")                                                                                  \
  L("0x9", "R73")                                                                                  \
  L("0xa", "R74")                                                                                  \
  L("0xb", "R75")                                                                                  \
  L("0xc", "R76")                                                                                  \
  L("0xd", "R77")                                                                                  \
  L("0xe", "R78")                                                                                  \
  L("0xf", "R79")                                                                                  \
  L("0x10", "R80")                                                                                 \
  L("0x11", "R81")                                                                                 \
  L("0x12", "R82")                                                                                 \
  L("0x13", "R83")                                                                                 \
  L("0x14", "R84")                                                                                 \
  L("0x15", "R85")                                                                                 \
  L("0x16", "R86")                                                                                 \
  L("0x17", "R87")                                                                                 \
  L("0x18", "R88")                                                                                 \
  L("0x19", "R89")                                                                                 \
  L("0x1a", "R90")                                                                                 \
  L("0x1b", "R91")                                                                                 \
  L("0x1c", "R92")                                                                                 \
  L("0x1d", "R93")                                                                                 \
  L("0x1e", "R94")                                                                                 \
  L("0x1f", "R95")                                                                                 \
  L("0x20", "R96")                                                                                 \
  L("0x21", "R97")                                                                                 \
  L("0x22", "R98")                                                                                 \
  L("0x23", "R99")                                                                                 \
  L("0x24", "R100")                                                                                \
  L("0x25", "R101")                                                                                \
  L("0x26", "R102")                                                                                \
  L("0x27", "R103")                                                                                \
  L("0x28", "R104")                                                                                \
  L("0x29", "R105")                                                                                \
  L("0x2a", "R106")                                                                                \
  L("0x2b", "R107")                                                                                \
  L("0x2c", "R108")                                                                                \
  L("0x2d", "R109")                                                                                \
  L("0x2e", "R110")                                                                                \
  L("0x2f", "R111")                                                                                \
  L("0x30", "R112")                                                                                \
  L("0x31", "R113")                                                                                \
  L("0x32", "R114")                                                                                \
  L("0x33", "R115")                                                                                \
  L("0x34", "R116")                                                                                \
  L("0x35", "R117")                                                                                \
  L("0x36", "R118")                                                                                \
  L("0x37", "R119")                                                                                \
  L("0x38", "R120")                                                                                \
  L("0x39", "R121")                                                                                \
  L("0x3a", "R122")                                                                                \
  L("0x3b", "R123") L("0x3c", "R124") L("0x3d", "R125") L("0x3e", "R126") L("0x3f", "R127")
#define LOADS_128                                                                                  \
  L("0x40", "R128")                                                                                \
  L("0x41", "R129")                                                                                \
  L("0x42", "R130")                                                                                \
  L("0x43", "R131")                                                                                \
  L("0x44", "R132")                                                                                \
  L("0x45", "R133")                                                                                \
  L("0x46", "R134")                                                                                \
  L("0x47", "R135")                                                                                \
  L("0x48", "R136")                                                                                \
  L("0x49", "R137")                                                                                \
  L("0x4a", "R138")                                                                                \
  L("0x4b", "R139")                                                                                \
  L("0x4c", "R140")                                                                                \
  L("0x4d", "R141")                                                                                \
  L("0x4e", "R142")                                                                                \
  L("0x4f", "R143")                                                                                \
  L("0x50", "R144")                                                                                \
  L("0x51", "R145")                                                                                \
  L("0x52", "R146")                                                                                \
  L("0x53", "R147")                                                                                \
  L("0x54", "R148")                                                                                \
  L("0x55", "R149")                                                                                \
  L("0x56", "R150")                                                                                \
  L("0x57", "R151")                                                                                \
  L("0x58", "R152")                                                                                \
  L("0x59", "R153")                                                                                \
  L("0x5a", "R154")                                                                                \
  L("0x5b", "R155")                                                                                \
  L("0x5c", "R156")                                                                                \
  L("0x5d", "R157")                                                                                \
  L("0x5e", "R158")                                                                                \
  L("0x5f", "R159")                                                                                \
  L("0x60", "R160")                                                                                \
  L("0x61", "R161")                                                                                \
  L("0x62", "R162")                                                                                \
  L("0x63", "R163")                                                                                \
  L("0x64", "R164")                                                                                \
  L("0x65", "R165")                                                                                \
  L("0x66", "R166")                                                                                \
  L("0x67", "R167")                                                                                \
  L("0x68", "R168")                                                                                \
  L("0x69", "R169")                                                                                \
  L("0x6a", "R170")                                                                                \
  L("0x6b", "R171")                                                                                \
  L("0x6c", "R172")                                                                                \
  L("0x6d", "R173")                                                                                \
  L("0x6e", "R174")                                                                                \
  L("0x6f", "R175")                                                                                \
  L("0x70", "R176")                                                                                \
  L("0x71", "R177")                                                                                \
  L("0x72", "R178")                                                                                \
  L("0x73", "R179")                                                                                \
  L("0x74", "R180")                                                                                \
  L("0x75", "R181")                                                                                \
  L("0x76", "R182")                                                                                \
  L("0x77", "R183")                                                                                \
  L("0x78", "R184")                                                                                \
  L("0x79", "R185")                                                                                \
  L("0x7a", "R186")                                                                                \
  L("0x7b", "R187") L("0x7c", "R188") L("0x7d", "R189") L("0x7e", "R190") L("0x7f", "R191")

static uint32_t counted(uint32_t t, uint32_t first, uint32_t last) {
  uint32_t sum = 0;
  for (uint32_t n = first; n <= last; n++)
    sum = 3 * sum + 2 * 1024 * t + n - 1;
  return sum;
}

static uint32_t to_64(uint32_t t) { return counted(t, 1, 64); }

static uint32_t to_128(uint32_t t) { return counted(t, 65, 128); }

/* ---- stores of 1, 2, 4 and 8 words, at 0, 1, 3, 7; the words are 0 to 14 */
static uint32_t by_sizes(uint32_t t) { return 15 * 1024 * t + 105; }

#define SUM15                                                                                      \
  "mov.r R1, RZ\n" ADD(40) ADD(41) ADD(42) ADD(43) ADD(44) ADD(45) ADD(46) ADD(47) ADD(48) ADD(49) \
      ADD(50) ADD(51) ADD(52) ADD(53) ADD(54)
#define ADD(n) "add.rr R1, R1, R" #n "\n"

/* ---- quarters */
/* Warp w + 4 stores, warp w loads: two warps of a quarter. */
static uint32_t of_other(uint32_t t) { return 1024 * (t ^ 128) + 5; }

static uint32_t own(uint32_t t) { return 3 * 1024 * t + 5 + 9 + 60; }

/* ---- half of the lanes: the others keep label 0x70 */
static uint32_t lower(uint32_t t) { return 1024 * t + (t % 32 < 16 ? 3 : 0x70); }

static uint32_t upper(uint32_t t) { return 1024 * t + (t % 32 >= 16 ? 3 : 0x70); }

static uint32_t seven(uint32_t t) { return 7 + 0 * t; }

static uint32_t ends(uint32_t t) { return 2 * 1024 * t + 1; }

/* Loaded before the stores that follow WAITLD, all 64 columns of them. */
static uint32_t before(uint32_t t) { return 64 * 1024 * t + 63 * 32; }

static uint32_t met(uint32_t t) { return 1024 * t + 5 + (t % 32 < 9 ? 100 : 200); }

#define SUM64                                                                                      \
  SUM8(64, 65, 66, 67, 68, 69, 70, 71)                                                             \
  SUM8(72, 73, 74, 75, 76, 77, 78, 79)                                                             \
  SUM8(80, 81, 82, 83, 84, 85, 86, 87)                                                             \
  SUM8(88, 89, 90, 91, 92, 93, 94, 95)                                                             \
  SUM8(96, 97, 98, 99, 100, 101, 102, 103)                                                         \
  SUM8(104, 105, 106, 107, 108, 109, 110, 111)                                                     \
  SUM8(112, 113, 114, 115, 116, 117, 118, 119)                                                     \
  SUM8(120, 121, 122, 123, 124, 125, 126, 127)
#define SUM8(a, b, c, d, e, f, g, h) ADD(a) ADD(b) ADD(c) ADD(d) ADD(e) ADD(f) ADD(g) ADD(h)
#define HALF(lane)                                                                                 \
  PRO ALLOC("0x20") LABEL "add.ri R16, R8, 0x70\n tmem.st.1 R2, R16, 0x3\n add.ri R16, R8, 0x3\n"  \
                          "add.ri R10, R2, " lane "\n tmem.st.1 R10, R16, 0x3 {half}\n"            \
                          "add.ri R10, R2, 0x3\n tmem.ld R1, R10, 0x0\n" FREE("0x20") EPI

const machine_case_t machine_tmem_cases[] = {
    CASE("loads of 1 to 64 columns", 32, 128,
         PRO ALLOC("0x40") LABEL FILL64 "mov.r R1, RZ\n" LOADS_64 FREE("0x40") EPI, to_64),
    {.name = "loads of 65 to 128 columns",
     .text = PRO ALLOC("0x80") LABEL FILL128 "mov.r R1, RZ\n" LOADS_128 FREE("0x80") EPI,
     .block = {32, 1, 1},
     .regs = 192,
     .columns = 128,
     .shared = 1024,
     .want = to_128},
    CASE("stores of 1, 2, 4 and 8 words", 32, 64,
         PRO ALLOC("0x20") LABEL SET16
         "tmem.st.1 R2, R16, 0x0\n mov.r R32, R17\n mov.r R33, R18\n"
         "tmem.st.2 R2, R32:R33, 0x1\n mov.r R32, R19\n mov.r R33, R20\n"
         "mov.r R34, R21\n mov.r R35, R22\n tmem.st.4 R2, R32:R35, 0x3\n"
         "mov.r R32, R23\n mov.r R33, R24\n mov.r R34, R25\n mov.r R35, R26\n"
         "mov.r R36, R27\n mov.r R37, R28\n mov.r R38, R29\n mov.r R39, R30\n"
         "tmem.st.8 R2, R32:R39, 0x7\n tmem.ld R40, R2, 0xe\n" SUM15 FREE("0x20") EPI,
         by_sizes),
    CASE("four warps, four quarters", 128, 64,
         PRO ALLOC("0x40") LABEL FILL64 SYNC
         "tmem.ld R32, R2, 0x0\n add.ri R10, R2, 0x5\n tmem.ld R33, R10, 0x4\n"
         "add.ri R10, R2, 0x3c\n tmem.ld R40, R10, 0x3\n"
         "add.rr R1, R33, R37\n add.rr R1, R1, R40\n" FREE("0x40") EPI,
         own),
    CASE("eight warps: two of a quarter", 256, 32,
         PRO ALLOC("0x40") LABEL
         "setp.u32.ri P1, PT, R0, 0x80, PT {cmp=lt bop=none}\n add.ri R16, R8, 0x5\n"
         "@P1 tmem.st.1 R2, R16, 0x5\n @!P1 tmem.st.1 R2, R16, 0x9\n" SYNC
         "add.ri R10, R2, 0x9\n @P1 tmem.ld R1, R10, 0x0\n"
         "add.ri R10, R2, 0x5\n @!P1 tmem.ld R1, R10, 0x0\n" FREE("0x40") EPI,
         of_other),
    CASE("a store to lanes 0 to 15", 128, 32, HALF("0x0"), lower),
    CASE("a store to lanes 16 to 31", 128, 32, HALF("0x100000"), upper),
    CASE("a load without a destination", 32, 32,
         PRO ALLOC("0x40") LABEL
         "mov.i R1, 0x7\n tmem.ld RZ, R2, 0x3f\n tmem.ld RZ, R2, 0x0\n tmem.ld RZ, R2, 0x7\n"
         "tmem.waitld\n" FREE("0x40") EPI,
         seven),
    CASE("a load to the last registers", 32, 255,
         PRO ALLOC("0x40") LABEL FILL64
         "tmem.ld R253, R2, 0x3\n add.rr R1, R253, R254\n" FREE("0x40") EPI,
         ends),
    CASE("stores behind WAITLD do not reach an older load", 32, 128,
         PRO ALLOC("0x40") LABEL FILL64 SET16
         "tmem.ld R64, R2, 0x3f\n tmem.waitld\n tmem.st.16 R2, R16:R31, 0x0\n"
         "tmem.st.16 R2, R16:R31, 0x10\n tmem.st.16 R2, R16:R31, 0x20\n"
         "tmem.st.16 R2, R16:R31, 0x30\n mov.r R1, RZ\n" SUM64 FREE("0x40") EPI,
         before),
    CASE("two paths meet at an allocation, at a store, at a load", 64, 32,
         PRO "mov.i R11, 0x64\n" AND(
             "R10", "R0", "0x1f") "setp.u32.ri P2, PT, R10, 0x9, PT {cmp=lt bop=none}\n"
                                  "@P2 bra #meet\n mov.i R11, 0xc8\n meet:\n" ALLOC("0x20") LABEL
         "@P2 bra #store\n add.ri R11, R11, 0x0\n store:\n add.ri R16, R8, 0x5\n"
         "tmem.st.1 R2, R16, 0x7\n add.ri R10, R2, 0x7\n @P2 bra #load\n add.ri R11, R11, 0x0\n"
         "load:\n tmem.ld R1, R10, 0x0\n add.rr R1, R1, R11\n" FREE("0x20") EPI,
         met),
    {.name = NULL}};
