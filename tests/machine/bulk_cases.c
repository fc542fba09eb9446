/* bulk_cases.c: bulk loads and stores, of one lane and of many, and groups of them (bulk_cases.h). */
#include "tests/machine/bulk_cases.h"

/* ---- loads: of k bytes from byte g of the output to s; the window from `window` on */
#define LOADS(g, s, k, window)                                                                     \
  PRO BASE IS_FIRST FILL SYNC MBARRIER(k)                                                          \
  SYNC OPERANDS(g, s, k, "0xff8") "@P6 " LOAD WAIT SHOW_SHARED(window)

static uint32_t loaded(uint32_t at, uint32_t g, uint32_t s, uint32_t k) {
  return at >= s && at < s + k ? 0x10000 + (g - 0x400 + at - s) / 4 : 0x90000 + at / 4;
}

static uint32_t load_16(uint32_t i) { return loaded(4 * i, 0x410, 0x20, 0x10); }

static uint32_t load_32(uint32_t i) { return loaded(4 * i, 0x420, 0x10, 0x20); }

static uint32_t load_32_across(uint32_t i) { return loaded(4 * i, 0x430, 0x20, 0x20); }

static uint32_t load_48(uint32_t i) { return loaded(4 * i, 0x420, 0x30, 0x30); }

static uint32_t load_512(uint32_t i) { return loaded(4 * i, 0x410, 0x10, 0x200); }

static uint32_t load_2048_head(uint32_t i) { return loaded(4 * i, 0x7e0, 0x1f0, 0x800); }

static uint32_t load_2048_tail(uint32_t i) { return loaded(0x800 + 4 * i, 0x7e0, 0x1f0, 0x800); }

/* ---- many lanes: thread t loads 16 (t mod 4 + 1) bytes from 0x400 + 16 t to 64 t; or 16 to 16 t */
static uint32_t load_lanes(uint32_t i) {
  const uint32_t lane = i / 16, word = i % 16;
  return word < 4 * (lane % 4 + 1) ? 0x10000 + 4 * lane + word : 0x90000 + i;
}

static uint32_t load_warps(uint32_t i) { return 0x10000 + (i ^ 4u); }

/* ---- stores: of k bytes from s to byte g of the output, of each 16 those in a mask */
#define STORES(g, s, k, mask, first, second)                                                       \
  PRO BASE IS_FIRST FILL SYNC OPERANDS(g, s, k, mask) "@P6 " STORE ALL_OVER SHOW_GLOBAL(first,     \
                                                                                        second)

static uint32_t stored(uint32_t at, uint32_t g, uint32_t s, uint32_t k, uint32_t mask) {
  const uint32_t old = 0x10000 + (at - 0x400) / 4, new = 0x90000 + (s + at - g) / 4;
  uint32_t bits = 0;
  if (at < g || at >= g + k) return old;
  for (uint32_t i = 0; i < 4; i++)
    if ((mask >> (at + i) % 16 & 1) != 0) bits |= 0xffu << 8 * i;
  return (old & ~bits) | (new &bits);
}

static uint32_t store_16(uint32_t i) { return stored(0x400 + 4 * i, 0x410, 0x20, 0x10, 0xffff); }

static uint32_t store_64(uint32_t i) { return stored(0x400 + 4 * i, 0x420, 0x10, 0x40, 0xffff); }

static uint32_t store_across(uint32_t i) {
  return stored(0x400 + 4 * i, 0x430, 0xfd0, 0x30, 0xffff);
}

static uint32_t store_head(uint32_t i) {
  return stored(0x400 + 4 * i, 0x430, 0x100, 0xb00, 0xffff);
}

static uint32_t store_tail(uint32_t i) {
  return stored(0xc00 + 4 * i, 0x430, 0x100, 0xb00, 0xffff);
}

static uint32_t store_masked(uint32_t i) { return stored(0x400 + 4 * i, 0x430, 0, 0x50, 0xa5c3); }

static uint32_t store_nothing(uint32_t i) { return 0x10000 + i; }

static uint32_t store_one_byte(uint32_t i) { return stored(0x400 + 4 * i, 0x420, 0, 0x40, 0x0400); }

/* Thread t of warp 0 stores 16 (t mod 4 + 1) bytes from 64 t to 0x410 + 64 t. */
static uint32_t store_lanes(uint32_t i) {
  const uint32_t n = i - 4, lane = n / 16, word = n % 16;
  return i >= 4 && word < 4 * (lane % 4 + 1) ? 0x90000 + n : 0x10000 + i;
}

/* ---- groups */
static uint32_t before_change(uint32_t i) {
  return stored(0x400 + 4 * i, 0x410, 0x20, 0x340, 0xffff);
}

static uint32_t both_groups(uint32_t i) {
  return i < 16 ? 0x90000 + i : i < 32 ? 0x90100 + (i - 16) : 0x10000 + i;
}

static uint32_t by_paths(uint32_t i) { return i < 16 ? 0x90000 + i : 0x10000 + i; }

/* CTA n stores 64 bytes of n + 1 to 0x400 + 64 n, and ends. */
static uint32_t of_ctas(uint32_t i) { return i < 256 ? 0 : (i - 256) / 16 + 1; }

/* Thread 8 n of 128 loads 64 bytes from 0x800 + 64 n to 0x800 + 64 n, and stores 32 from 32 n to 0x400 +
 * 32 n. */
static uint32_t both_ways(uint32_t i) { return i < 128 ? 0x90000 + i : 0x10100 + i - 128; }

/* CTA n fills 64 bytes from 0x800 + 64 n on, loads them, and stores what it has loaded 1,024 bytes below. */
static uint32_t of_loads(uint32_t i) { return i < 256 ? 0 : 0x7000 + i - 256; }

/* To shared memory, changed there, and back to global memory from 0x400 on. */
static uint32_t round_trip(uint32_t i) { return i < 128 ? 0x10100 + i + 5 : 0x10000 + i; }

const machine_case_t machine_bulk_cases[] = {
    CASE("bulk load of the upper half of a sector", LOADS("0x410", "0x20", "0x10", "0x0"), load_16),
    CASE("bulk load of a sector", LOADS("0x420", "0x10", "0x20", "0x0"), load_32),
    CASE("bulk load across two sectors", LOADS("0x430", "0x20", "0x20", "0x0"), load_32_across),
    CASE("bulk load of a sector and a half", LOADS("0x420", "0x30", "0x30", "0x0"), load_48),
    CASE("bulk load of 512 bytes, from half a sector", LOADS("0x410", "0x10", "0x200", "0x0"),
         load_512),
    CASE("bulk load of 2,048 bytes, the first of them", LOADS("0x7e0", "0x1f0", "0x800", "0x0"),
         load_2048_head),
    CASE("bulk load of 2,048 bytes, the last of them", LOADS("0x7e0", "0x1f0", "0x800", "0x800"),
         load_2048_tail),
    CASE("bulk loads of 32 lanes, 16 to 64 bytes",
         PRO BASE IS_FIRST IS_WARP_0 FILL SYNC MBARRIER("0x500") SYNC SHL(
             "R22", "R0",
             "0x4") "mov.r R23, RZ\n add64.rr R24:R25, R20:R21, R22:R23\n"
                    "add64.ri R24:R25, R24:R25, 0x400\n" SHL("R26", "R0", "0x6")
                        AND("R27", "R0", "0x3")
                            SHL("R27", "R27",
                                "0x4") "add.ri R27, R27, 0x10\n mov.i R28, 0xff8\n @P0 " LOAD WAIT
                                SHOW_SHARED("0x0"),
         load_lanes),
    CASE("bulk loads of 128 threads, 16 bytes",
         PRO BASE IS_FIRST FILL SYNC MBARRIER("0x800") SYNC SHL(
             "R22", "R0",
             "0x4") "mov.r R23, RZ\n add64.rr R24:R25, R20:R21, R22:R23\n"
                    "add64.ri R24:R25, R24:R25, 0x400\n lop3.rir R26, R22, 0x10, RZ {lut=0x3c}\n"
                    "mov.i R27, 0x10\n mov.i R28, 0xff8\n" LOAD WAIT SHOW_SHARED("0x0"),
         load_warps),
    CASE("bulk store of 16 bytes", STORES("0x410", "0x20", "0x10", "0xffff", "0x400", "0x600"),
         store_16),
    CASE("bulk store of two sectors", STORES("0x420", "0x10", "0x40", "0xffff", "0x400", "0x600"),
         store_64),
    CASE("bulk store across sectors, up to the CTA's last byte",
         STORES("0x430", "0xfd0", "0x30", "0xffff", "0x400", "0x600"), store_across),
    CASE("bulk store of 2,816 bytes, the first of them",
         STORES("0x430", "0x100", "0xb00", "0xffff", "0x400", "0x600"), store_head),
    CASE("bulk store of 2,816 bytes, the last of them",
         STORES("0x430", "0x100", "0xb00", "0xffff", "0xc00", "0xe00"), store_tail),
    CASE("bulk store of some bytes of each 16",
         STORES("0x430", "0x0", "0x50", "0xffffa5c3", "0x400", "0x600"), store_masked),
    CASE("bulk store of one byte of each 16",
         STORES("0x420", "0x0", "0x40", "0x10400", "0x400", "0x600"), store_one_byte),
    CASE("bulk store of no bytes", STORES("0x420", "0x0", "0x40", "0xffff0000", "0x400", "0x600"),
         store_nothing),
    CASE("bulk stores of 32 lanes, 16 to 64 bytes",
         PRO BASE IS_WARP_0 FILL SYNC SHL(
             "R26", "R0",
             "0x6") "mov.r R23, RZ\n mov.r R22, R26\n"
                    "add64.rr R24:R25, R20:R21, R22:R23\n add64.ri R24:R25, R24:R25, 0x410\n" AND(
                        "R27", "R0", "0x3")
                        SHL("R27", "R27", "0x4") "add.ri R27, R27, 0x10\n"
                                                 "mov.i R28, 0xffff\n @P0 " STORE ALL_OVER
                                                     SHOW_GLOBAL("0x400", "0x600"),
         store_lanes),
    CASE("a source that changes once it is read",
         PRO BASE IS_FIRST IS_WARP_0 FILL SYNC OPERANDS(
             "0x410", "0x20", "0x340",
             "0xffff") "@P6 " STORE ALL_READ
                       "bar.sync.i B0:0\n" FILL_SHARED(
                           "mov.r R8, R10\n") "bulkwait 0x0\n" SHOW_GLOBAL("0x400", "0x600"),
         before_change),
    CASE("two groups, the first waited for alone, then a change of its source",
         PRO BASE IS_FIRST FILL SYNC
             OPERANDS("0x400", "0x0", "0x40", "0xffff") "@P6 " STORE "bulkcommit\n" OPERANDS(
                 "0x440", "0x400", "0x40",
                 "0xffff") "@P6 " STORE "bulkcommit\n bulkwait 0x1\n"
                           "@P6 st.shared.b32 [RZ], RZ\n bulkwait 0x0\n" SHOW_GLOBAL("0x400",
                                                                                     "0x600"),
         both_groups),
    CASE("empty groups, and more of them than are counted",
         PRO BASE IS_FIRST FILL SYNC "bulkwait 0x0\n bulkcommit\n" OPERANDS(
             "0x400", "0x0", "0x40",
             "0xffff") "@P6 " STORE "mov.r R10, RZ\n"
                       "more:\n bulkcommit\n add.ri R10, R10, 0x1\n"
                       "setp.u32.ri P0, PT, R10, 0x46, PT {cmp=lt bop=none}\n @P0 bra #more\n"
                       "bulkwait 0x3e\n" SHOW_GLOBAL("0x400", "0x600"),
         by_paths),
    CASE("a wait of some lanes, of two paths",
         PRO BASE IS_FIRST FILL SYNC OPERANDS("0x400", "0x0", "0x40", "0xffff")
             AND("R8", "R0",
                 "0x1") "setp.u32.ri P0, PT, R8, 0x0, PT {cmp=eq bop=none}\n @!P0 bra #odd\n"
                        "@P6 " STORE "bulkcommit\n bulkwait 0x43\n @P0 bulkwait 0x0\n bra #on\n"
                        "odd:\n bulkcommit\n @!P0 bulkwait 0x40\n bulkwait 0x0\n"
                        "on:\n" SHOW_GLOBAL("0x400", "0x600"),
         by_paths),
    CASE("a load, a change, a store",
         PRO BASE IS_FIRST FILL SYNC MBARRIER("0x200")
             SYNC OPERANDS("0x800", "0x40", "0x200", "0xff8") "@P6 " LOAD WAIT SHL(
                 "R9", "R0", "0x2") "ld.shared.b32 R1, [R9+0x40]\n add.ri R1, R1, 0x5\n"
                                    "st.shared.b32 [R9+0x40], R1\n" SYNC OPERANDS(
                                        "0x400", "0x40", "0x200", "0xffff") "@P6 " STORE ALL_OVER
                                        SHOW_GLOBAL("0x400", "0x600"),
         round_trip),
    {.name = "CTAs that end with stores under way",
     .text = PRO BASE "s2r R1, SR6\n add.ri R1, R1, 0x1\n" SHL(
         "R9", "R0", "0x2") "st.shared.b32 [R9], R1\n fence\n warpsync.i 0xffff\n" IS_FIRST
                            "s2r R1, SR6\n" OPERANDS("0x400", "0x0", "0x40", "0xffff") SHL(
                                "R22", "R1",
                                "0x6") "add64.rr R24:R25, R24:R25, R22:R23\n @P6 " STORE "exit\n",
     .grid = {12, 1, 1},
     .block = {16, 1, 1},
     .bulk = true,
     .shared = 4096,
     .want = of_ctas,
     .words = 448},
    CASE(
        "loads and stores of four warps beside each other and beside their own accesses",
        PRO BASE IS_FIRST FILL SYNC MBARRIER("0x400")
            SYNC AND("R8", "R0", "0x7") "setp.u32.ri P0, PT, R8, 0x0, PT {cmp=eq bop=none}\n" SHL(
                "R22", "R0",
                "0x3") "mov.r R23, RZ\n add64.rr R24:R25, R20:R21, R22:R23\n"
                       "add64.ri R24:R25, R24:R25, 0x800\n add.ri R26, R22, 0x800\n mov.i R27, 0x40\n"
                       "mov.i R28, 0xff8\n @P0 " LOAD SHL(
                           "R22", "R0",
                           "0x2") "add64.rr R24:R25, R20:R21, R22:R23\n add64.ri R24:R25, R24:R25, 0x400\n"
                                  "mov.r R26, R22\n mov.i R27, 0x20\n mov.i R28, 0xffff\n @P0 " STORE
                                  "mov.r R10, RZ\n mov.i R3, 0x1\n"
                                  "more:\n atom.shared.add.u32 RZ, [RZ+0xff0], R3\n ld.shared.b32 R2, [R9]\n"
                                  "ld.global.b32 R2, [R4:R5+0xe00]\n add.ri R10, R10, 0x1\n"
                                  "setp.u32.ri P2, PT, R10, 0x8, PT {cmp=lt bop=none}\n @P2 bra #more\n" WAIT
                                      ALL_OVER SYNC SHL(
                                          "R9", "R0",
                                          "0x2") "ld.global.b32 R1, [R4:R5+0x400]\n st.global.b32 [R4:R5], R1\n"
                                                 "ld.shared.b32 R1, [R9+0x800]\n st.global.b32 [R4:R5+0x200], R1\n exit\n",
        both_ways),
    {.name = "loads of CTAs",
     .text = PRO BASE IS_FIRST
     "s2r R1, SR6\n" SHL("R22", "R1", "0x6") "mov.r R23, RZ\n add64.rr R24:R25, R20:R21, R22:R23\n add64.ri R24:R25, R24:R25, 0x800\n" SHL(
         "R8", "R1",
         "0x4") "add.ri R8, R8, 0x7000\n lop3.rrr R8, R8, R0, RZ {lut=0xfc}\n"
                "mov.r R9, RZ\n add64.rr R10:R11, R24:R25, R6:R7\n st.global.b32 [R10:R11], R8\n fence\n"
                "warpsync.i 0xffff\n mov.i R26, 0x20\n mov.i R27, 0x40\n mov.i R28, 0xff8\n" MBARRIER(
                    "0x40") "@P6 " LOAD "warpsync.i 0xffff\n" WAIT "ld.shared.b32 R1, [R6+0x20]\n"
                            "add64.ri R10:R11, R10:R11, 0xfffffc00\n st.global.b32 [R10:R11], R1\n exit\n",
     .grid = {12, 1, 1},
     .block = {16, 1, 1},
     .bulk = true,
     .shared = 4096,
     .want = of_loads,
     .words = 448},
    {.name = NULL}};
