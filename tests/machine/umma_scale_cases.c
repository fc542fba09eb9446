/* umma_scale_cases.c: products with block scales (docs/microarchitecture.md 26.9 to 26.11; umma_scale.h). */
#include "tests/machine/umma_scale.h"

#define E4_E5(M, T, C, X)                                                                          \
  M(MXF8F6F4, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x088a0400, 0x28, 0x2c, PT)
#define E5_E4(M, T, C, X)                                                                          \
  M(MXF8F6F4, 0x00000082, 0x80004020, 0x00000300, 0x80004020, 0x0, 0x288600a0, 0x40000028,         \
    0xc000002c, NO)
#define E23_E32(M, T, C, X)                                                                        \
  M(MXF8F6F4, 0x00000002, 0x20004040, 0x00000104, 0x20004040, 0x9, 0x68821190, 0x28, 0x2c, PT)
#define E21_E4(M, T, C, X)                                                                         \
  M(MXF8F6F4, 0x00000006, 0x40004040, 0x00000402, 0x40004040, 0x0, 0x488662b0, 0x28, 0x2c, PT)
#define E32_E21(M, T, C, X)                                                                        \
  M(MXF8F6F4, 0x00000040, 0xc0004010, 0x00000220, 0xc0004010, 0x10, 0x08841630, 0x28, 0x2c, PT)
#define E5_E5(M, T, C, X)                                                                          \
  M(MXF8F6F4, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x288a0490, 0x28, 0x2c, PT)
#define MN_PLAIN(M, T, C, X)                                                                       \
  M(MXF8F6F4, 0x00400000, 0x00004008, 0x00080200, 0x00004020, 0x0, 0x08898c20, 0x28, 0x2c, PT)
#define MN_128(M, T, C, X)                                                                         \
  M(MXF8F6F4, 0x01000000, 0x40004040, 0x01000200, 0x40004040, 0x8, 0x0885b080, 0x28, 0x2c, PT)
#define B16_SET(M, T, C, X)                                                                        \
  M(MXF8F6F4_B16, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x48860010, 0x28, 0x2c, PT)
#define TA_E4(M, T, C, X) T(MXF8F6F4, 0x30, 0x00000300, 0x80004020, 0x0, 0x68860400, 0x28, 0x2c, PT)
#define TA_E32(M, T, C, X)                                                                         \
  T(MXF8F6F4, 0x30, 0x00800200, 0x80004020, 0x8, 0x28850e10, 0x28, 0x2c, PT)
#define TA_E21(M, T, C, X)                                                                         \
  T(MXF8F6F4, 0x30, 0x00000220, 0xc0004010, 0x0, 0x088a3690, 0x28, 0x2c, NO)
#define FOUR(M, T, C, X)                                                                           \
  M(MXF4, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x088a04a0, 0x28, 0x2c, PT)
#define FOUR_ANY(M, T, C, X)                                                                       \
  M(MXF4, 0x00000006, 0x40004040, 0x00000402, 0x40004040, 0x0, 0x48862480, 0x28, 0x2c, PT)
#define FOUR_B16(M, T, C, X)                                                                       \
  M(MXF4_B16, 0x00000002, 0x20004040, 0x00000104, 0x20004040, 0x10, 0x08820480, 0x28, 0x2c, PT)
#define NV(M, T, C, X)                                                                             \
  M(MXF4_B16, 0x00000082, 0x80004020, 0x00000300, 0x80004020, 0x0, 0x080a0480, 0x28, 0x2c, PT)
#define NV_NEG(M, T, C, X)                                                                         \
  M(MXF4_B16, 0x00000040, 0xc0004010, 0x00000220, 0xc0004010, 0x8, 0x08064480, 0x28, 0x2c, NO)
#define TA_FOUR(M, T, C, X) T(MXF4, 0x30, 0x00000104, 0x20004040, 0x0, 0x488604a0, 0x28, 0x2c, PT)
#define TA_NV(M, T, C, X)   T(MXF4_B16, 0x30, 0x00080200, 0x00004010, 0x0, 0x080a6480, 0x28, 0x2c, PT)
#define COPIES(M, T, C, X)                                                                         \
  C(0x00000010, 0x00004008, 0x28, 0x5)                                                             \
  C(0x00000300, 0x00004010, 0x2c, 0x5)                                                             \
  M(MXF8F6F4, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08860410, 0x28, 0x2c, PT)     \
  C(0x00000082, 0x80004020, 0x28, 0x5)                                                             \
  M(MXF8F6F4, 0x00000082, 0x80004020, 0x00000300, 0x80004020, 0x0, 0x288600b0, 0x28, 0x2c, PT)     \
  C(0x00000006, 0x40004040, 0x2c, 0x5)
#define NV_COPIES(M, T, C, X)                                                                      \
  C(0x00000010, 0x00004008, 0x20, 0x5)                                                             \
  C(0x00000300, 0x00004010, 0x24, 0x5)                                                             \
  M(MXF4_B16, 0x01000010, 0x00004008, 0x00080200, 0x00004010, 0x0, 0x08060480, 0x20, 0x24, NO)     \
  C(0x00000082, 0x80004020, 0x20, 0x0)                                                             \
  M(MXF4_B16, 0x00000040, 0xc0004010, 0x00000220, 0xc0004010, 0x0, 0x08060480, 0x24, 0x20, PT)
#define CHAIN(M, T, C, X)                                                                          \
  M(MXF8F6F4, 0x00000040, 0xc0004010, 0x00000220, 0xc0004010, 0x0, 0x68821190, 0x28, 0x2c, PT)     \
  X(F8F6F4, 0x00000040, 0xc0004010, 0x00000220, 0xc0004010, 0x8, 0x08023190, 0x0, PT)              \
  M(MXF4, 0x00000006, 0x40004040, 0x00000402, 0x40004040, 0x10, 0x48840480, 0x0, 0x8, PT)          \
  T(MXF4_B16, 0x0, 0x00080200, 0x00004010, 0x20, 0x08020480, 0x14, 0x10, PT)                       \
  M(MXF8F6F4, 0x00000002, 0x20004040, 0x00000104, 0x20004040, 0x0, 0x288a1620, 0x28, 0x2c, PT)     \
  T(MXF8F6F4, 0x2, 0x00000300, 0x80004020, 0x38, 0x48821620, 0x28, 0x2c, PT)
SCALE_EXPECT(e4_e5, BYTE, NEAR, NO_A, E4_E5)
SCALE_EXPECT(e5_e4, BYTE, NEAR, NO_A, E5_E4)
SCALE_EXPECT(e23_e32, ANY, NEAR, NO_A, E23_E32)
SCALE_EXPECT(e21_e4, ANY, NEAR, NO_A, E21_E4)
SCALE_EXPECT(e32_e21, ANY, NEAR, NO_A, E32_E21)
SCALE_EXPECT(e5_e5, ANY, WIDE, NO_A, E5_E5)
SCALE_EXPECT(mn_plain, BYTE, NEAR, NO_A, MN_PLAIN)
SCALE_EXPECT(mn_128, BYTE, NEAR, NO_A, MN_128)
SCALE_EXPECT(b16_set, BYTE, NEAR, NO_A, B16_SET)
SCALE_EXPECT(ta_e4, BYTE, NEAR, 48, TA_E4)
SCALE_EXPECT(ta_e32, ANY, NEAR, 48, TA_E32)
SCALE_EXPECT(ta_e21, ANY, NEAR, 48, TA_E21)
SCALE_EXPECT(four, ANY, NEAR, NO_A, FOUR)
SCALE_EXPECT(four_any, ANY, WIDE, NO_A, FOUR_ANY)
SCALE_EXPECT(four_b16, ANY, NEAR, NO_A, FOUR_B16)
SCALE_EXPECT(nv, ANY, WIDE, NO_A, NV)
SCALE_EXPECT(nv_neg, ANY, WIDE, NO_A, NV_NEG)
SCALE_EXPECT(ta_four, ANY, NEAR, 48, TA_FOUR)
SCALE_EXPECT(ta_nv, ANY, WIDE, 48, TA_NV)
SCALE_EXPECT(copies, BYTE, NEAR, NO_A, COPIES)
SCALE_EXPECT(nv_copies, ANY, WIDE, NO_A, NV_COPIES)
SCALE_EXPECT(chain, ANY, NEAR, NO_A, CHAIN)

const machine_case_t machine_umma_scale_cases[] = {
    SCALE_CASE("scales: e4m3 by e5m2, 40 columns", e4_e5, BYTE, NEAR, "", E4_E5),
    SCALE_CASE("scales: e5m2 by e4m3, ids 1 and 2, high bits of addresses", e5_e4, BYTE, NEAR, "",
               E5_E4),
    SCALE_CASE("scales: e2m3 by e3m2, ids 3 and 1, 8 columns", e23_e32, ANY, NEAR, "", E23_E32),
    SCALE_CASE("scales: e2m1 by e4m3, ids 2 and 3, both negated", e21_e4, ANY, NEAR, "", E21_E4),
    SCALE_CASE("scales: e3m2 by e2m1", e32_e21, ANY, NEAR, "", E32_E21),
    SCALE_CASE("scales: e5m2 by e5m2, any bits, any scales", e5_e5, ANY, WIDE, "", E5_E5),
    SCALE_CASE("scales: e4m3 by e2m3, MN-major", mn_plain, BYTE, NEAR, "", MN_PLAIN),
    SCALE_CASE("scales: e5m2 by e3m2, MN-major, 128 bytes, A negated", mn_128, BYTE, NEAR, "",
               MN_128),
    SCALE_CASE("scales: e4m3 by e4m3, b16", b16_set, BYTE, NEAR, "", B16_SET),
    SCALE_CASE("scales: A in tensor memory: e4m3 by e5m2", ta_e4, BYTE, NEAR, UMMA_FILL_A(0x30),
               TA_E4),
    SCALE_CASE("scales: A in tensor memory: e3m2 by e2m3, B MN-major", ta_e32, ANY, NEAR,
               UMMA_FILL_A(0x30), TA_E32),
    SCALE_CASE("scales: A in tensor memory: e2m1, negated", ta_e21, ANY, NEAR, UMMA_FILL_A(0x30),
               TA_E21),
    SCALE_CASE("scales: mxf4, ids 0 and 2", four, ANY, NEAR, "", FOUR),
    SCALE_CASE("scales: mxf4, ids 2 and 0, A negated, any scales", four_any, ANY, WIDE, "",
               FOUR_ANY),
    SCALE_CASE("scales: mxf4, ue8m0 for 16", four_b16, ANY, NEAR, "", FOUR_B16),
    SCALE_CASE("scales: mxf4, ue4m3 for 16", nv, ANY, WIDE, "", NV),
    SCALE_CASE("scales: mxf4, ue4m3 for 16, B negated", nv_neg, ANY, WIDE, "", NV_NEG),
    SCALE_CASE("scales: A in tensor memory: mxf4, ids 2", ta_four, ANY, NEAR, UMMA_FILL_A(0x30),
               TA_FOUR),
    SCALE_CASE("scales: A in tensor memory: mxf4, ue4m3 for 16, both negated", ta_nv, ANY, WIDE,
               UMMA_FILL_A(0x30), TA_NV),
    SCALE_CASE("scales: scales by copies before and behind", copies, BYTE, NEAR, "", COPIES),
    SCALE_CASE("scales: mxf4 with scales by copies, and a copy over its scales", nv_copies, ANY,
               WIDE, "", NV_COPIES),
    SCALE_CASE("scales: scales and A that products wrote", chain, ANY, NEAR, "", CHAIN),
    {.name = NULL}};
