/* test_umma_traps.c: what traps of products in tensor memory and of their commits, and at which address:
 * docs/microarchitecture.md 25.2. Each case breaks one thing of a product that is right.
 *   test_umma_traps [BACKEND CONFIG] */
#include <stdio.h>
#include <string.h>

#include "umma_kernel.h"

enum { MISALIGNED = 10, BOUNDS = 11, MBARRIER = 16, LANES = 22, RANGE = 23, DESCRIPTOR = 24 };
enum { A_AT = UMMA_IMAGE, B_AT = UMMA_IMAGE + 8192, BYTES = 12288, SHARED = UMMA_IMAGE + BYTES };
#define BIT(n) (UINT64_C(1) << (n))

static umma_launch_t launch;
static int bad, ran;

/* m64n8k16, f16, K-major, 128 bytes of swizzle. */
static void sound(void) {
  memset(&launch, 0, sizeof launch);
  launch.command[0] = (umma_command_t){.a = umma_sdesc(A_AT, 16, 1024, 0, 2),
                                       .b = umma_sdesc(B_AT, 16, 1024, 0, 2),
                                       .i = umma_idesc(1, 0, 0, false, false, 64, 8),
                                       .enable = 1};
  launch.commands = 1;
  launch.columns = 32;
  launch.bytes = BYTES;
  launch.waits = 1;
}

static void expect(umma_device_t *d, const char *name, int cause, uint64_t address) {
  wl_trap_info_t trap = {0};
  const int got = umma_run(d, &launch, &trap);
  const bool at = cause == 0 || (trap.has_address && trap.address == address);
  ran++;
  if (got == cause && at && (cause == 0 || trap.lane == 0)) return;
  printf("FAILED: %s: trap %d at %llx, lane %u; expected %d at %llx, lane 0\n", name, got,
         (unsigned long long)trap.address, trap.lane, cause, (unsigned long long)address);
  bad++;
}

static void instruction(umma_device_t *d, const char *name, uint32_t flip) {
  sound();
  launch.command[0].i ^= flip;
  expect(d, name, DESCRIPTOR, launch.command[0].i);
}

static void instructions(umma_device_t *d) {
  static const unsigned reserved[] = {2, 3, 6, 23, 29, 30, 31};
  for (unsigned k = 0; k < sizeof reserved / sizeof reserved[0]; k++)
    instruction(d, "a reserved bit", 1u << reserved[k]);
  instruction(d, "D: 2", 3u << 4);
  instruction(d, "A alone bf16", 1u << 7);
  instruction(d, "B alone bf16", 1u << 10);
  instruction(d, "A and B: 2", 2u << 7 | 2u << 10);
  instruction(d, "f16 of bf16", 1u << 4 | 1u << 7 | 1u << 10);
  instruction(d, "N: 0", 1u << 17);
  instruction(d, "N: 264", (1u ^ 33u) << 17);
  instruction(d, "M: 0", 4u << 24);
  instruction(d, "M: 32", (4u ^ 2u) << 24);
  instruction(d, "M: 256", (4u ^ 16u) << 24);
  sound();
  launch.command[0].i |= 3; /* not looked at */
  expect(d, "selector of sparse A", 0, 0);
}

static void descriptors(umma_device_t *d) {
  static const struct {
    const char *name;
    uint64_t flip;
    int cause;
  } rows[] = {{"bit 14", BIT(14), DESCRIPTOR},
              {"bit 15", BIT(15), DESCRIPTOR},
              {"bit 30", BIT(30), DESCRIPTOR},
              {"bit 31", BIT(31), DESCRIPTOR},
              {"constant 0", BIT(46), DESCRIPTOR},
              {"constant 3", BIT(47), DESCRIPTOR},
              {"constant 5", BIT(48), DESCRIPTOR},
              {"LBO is an address", BIT(52), DESCRIPTOR},
              {"bits that PTX misprints", UINT64_C(0xff) << 53, 0},
              {"swizzle 3", BIT(61), DESCRIPTOR},
              {"swizzle 5", BIT(61) * 7, DESCRIPTOR},
              {"swizzle 7", BIT(61) * 5, DESCRIPTOR},
              {"swizzle 1", BIT(61) * 3, 0},
              {"base offset", BIT(49), 0},
              {"base offset without swizzle", BIT(49) | BIT(62), 0}};
  for (unsigned k = 0; k < 2 * sizeof rows / sizeof rows[0]; k++) {
    sound();
    uint64_t *word = k % 2 == 0 ? &launch.command[0].a : &launch.command[0].b;
    *word ^= rows[k / 2].flip;
    expect(d, rows[k / 2].name, rows[k / 2].cause, *word);
  }
  sound();
  launch.command[0].i |= 1u << 15;
  launch.command[0].a ^= BIT(61) * 3;
  expect(d, "MN-major of 32-byte atoms", DESCRIPTOR, launch.command[0].a);
}

/* The end of each kind of operand, just inside and 128 bytes beyond. */
static void ends(umma_device_t *d) {
  static const struct {
    const char *name;
    unsigned swizzle;
    bool mn;
    uint32_t lbo, sbo, size; /* bytes from the start to the end of A, 64 rows */
  } rows[] = {
      {"K-major", 0, false, 1024, 128, 1024 + 7 * 128 + 112 + 16},
      {"K-major, stride of K", 0, false, 2048, 128, 2048 + 7 * 128 + 112 + 16},
      {"K-major 32", 6, false, 0, 256, 8 * 256},
      {"K-major 64", 4, false, 0, 512, 8 * 512},
      {"K-major 128", 2, false, 0, 1024, 8 * 1024},
      {"K-major, rows apart", 2, false, 0, 1152, 7 * 1152 + 1024},
      {"K-major 32-byte atoms", 1, false, 0, 1024, 8 * 1024},
      {"MN-major", 0, true, 1024, 128, 1024 + 7 * 128 + 128},
      {"MN-major 32", 6, true, 512, 256, 3 * 512 + 256 + 256},
      {"MN-major 64", 4, true, 1024, 512, 1024 + 512 + 512},
      {"MN-major 128", 2, true, 4096, 1024, 1024 + 1024},
  };
  for (unsigned k = 0; k < 2 * sizeof rows / sizeof rows[0]; k++) {
    const unsigned r = k / 2;
    const uint32_t size = (rows[r].size + 127) / 128 * 128, beyond = k % 2 * 128;
    sound();
    launch.command[0].i |= (uint32_t)rows[r].mn << 15;
    launch.command[0].a =
        umma_sdesc(SHARED - size + beyond, rows[r].lbo, rows[r].sbo,
                   rows[r].swizzle != 0 ? (SHARED - size + beyond) / 128 % 8 : 0, rows[r].swizzle);
    expect(d, rows[r].name, beyond != 0 ? DESCRIPTOR : 0,
           SHARED - size + beyond + rows[r].size - 1);
  }
  sound(); /* B of 16 rows, MN-major: one atom beside the other */
  launch.command[0].i = umma_idesc(1, 0, 0, false, true, 64, 16);
  launch.command[0].b = umma_sdesc(SHARED - 2048, 0, 1024, 0, 2);
  expect(d, "B MN-major 128", 0, 0);
  launch.command[0].b = umma_sdesc(SHARED - 1024, 0, 1024, 0, 2);
  expect(d, "B MN-major 128, beyond", DESCRIPTOR, SHARED + 1023);
}

static void places(umma_device_t *d, unsigned columns) {
  static const struct {
    const char *name;
    uint32_t d;
    unsigned m, n;
    int cause;
  } rows[] = {{"lane 16", 16u << 16, 64, 8, 0},       {"lane 16 of 128", 16u << 16, 128, 8, LANES},
              {"lane 8", 8u << 16, 64, 8, LANES},     {"lane 32", 32u << 16, 64, 8, LANES},
              {"lane 128", 128u << 16, 64, 8, LANES}, {"the last columns", 24, 64, 8, 0},
              {"one beyond", 25, 64, 8, RANGE},       {"not allocated", 32, 64, 8, RANGE},
              {"beyond all", 0xfff8, 64, 8, RANGE}};
  for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    sound();
    launch.command[0].d = rows[k].d;
    launch.command[0].i = umma_idesc(1, 0, 0, false, false, rows[k].m, rows[k].n);
    launch.command[0].a = umma_sdesc(A_AT, 128, 256, 0, 0);
    expect(d, rows[k].name, rows[k].cause, rows[k].d);
  }
  sound(); /* the first that holds */
  launch.command[0].d = 8u << 16 | columns;
  launch.command[0].b |= BIT(14);
  expect(d, "B before D", DESCRIPTOR, launch.command[0].b);
  launch.command[0].b ^= BIT(14);
  expect(d, "lanes before columns", LANES, launch.command[0].d);
}

static void commits(umma_device_t *d) {
  static const struct {
    const char *name;
    uint64_t at;
    int cause;
    uint64_t address;
  } rows[] = {{"generic", 0x1000000000000, 0, 0},
              {"misaligned", 4, MISALIGNED, 4},
              {"generic misaligned", 0x1000000000004, MISALIGNED, 0x1000000000004},
              {"the last bytes", SHARED - 8, 0, 0},
              {"behind", SHARED, BOUNDS, SHARED},
              {"generic behind", 0x1000000000000 + SHARED, BOUNDS, 0x1000000000000 + SHARED},
              {"global", 0x100000000, BOUNDS, 0x100000000}};
  for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    sound();
    launch.commit = rows[k].at;
    launch.waits = (uint32_t)rows[k].at == 0;
    if (rows[k].at == SHARED - 8) launch.image[BYTES - 8] = 1; /* one arrival to come */
    expect(d, rows[k].name, rows[k].cause, rows[k].address);
  }
  sound(); /* where there is no mbarrier */
  launch.commit = SHARED - 16;
  launch.waits = 0;
  expect(d, "no mbarrier", MBARRIER, SHARED - 16);
}

/* ---- the other kinds */
static const struct {
  const char *name;
  unsigned d, a, b;         /* types of a sound product */
  uint16_t results, inputs; /* types that D, and A and B may have */
} kinds[] = {
    {"tf32", 1, 2, 2, 1u << 1, 1u << 2}, {"f8f6f4", 1, 3, 4, 3, 0x3b}, {"i8", 2, 0, 1, 1u << 2, 3}};

static uint32_t types(unsigned d, unsigned a, unsigned b, unsigned n) {
  return umma_idesc(d, a, b, false, false, 64, n);
}

static void judged(umma_device_t *d, const char *name, uint32_t i, bool reserved) {
  sound();
  launch.command[0].i = i;
  expect(d, name, reserved ? DESCRIPTOR : 0, i);
}

static void kind_types(umma_device_t *d, unsigned k) {
  const unsigned rd = kinds[k].d, ra = kinds[k].a, rb = kinds[k].b;
  static const unsigned zero[] = {2, 6, 23, 29, 30, 31, 3, 13, 14};
  for (unsigned t = 0; t < 8; t++) {
    if (t < 4) judged(d, "D", types(t, ra, rb, 8), (kinds[k].results >> t & 1) == 0);
    judged(d, "A", types(rd, t, rb, 8), (kinds[k].inputs >> t & 1) == 0);
    judged(d, "B", types(rd, ra, t, 8), (kinds[k].inputs >> t & 1) == 0);
  }
  for (unsigned z = 0; z < sizeof zero / sizeof zero[0]; z++) {
    const unsigned bit = zero[z];
    const bool open = bit == 3 ? k == 2 : bit == 13 || bit == 14 ? k != 2 : false;
    judged(d, "a bit", types(rd, ra, rb, 8) | 1u << bit, !open);
  }
  for (unsigned n = 1; n <= 8;
       n++) { /* up to 64 columns; B has no stride, so all its rows lie in one place */
    sound();
    launch.columns = 64;
    launch.command[0].b = umma_sdesc(B_AT, 0, 0, 0, 2);
    launch.command[0].i = types(rd, ra, rb, 8 * n);
    expect(d, "N", k == 2 && n > 4 && n % 2 != 0 ? DESCRIPTOR : 0, launch.command[0].i);
    if (k == 0) continue;
    launch.command[0].i |= 1u << 16;
    expect(d, "N, B MN-major", n % 2 != 0 ? DESCRIPTOR : 0, launch.command[0].i);
  }
}

static void kind_places(umma_device_t *d, unsigned k) {
  static const unsigned swizzles[] = {0, 6, 4, 2, 1};
  for (unsigned n = 0; n < 5; n++) {
    sound();
    launch.command[0].i = types(kinds[k].d, kinds[k].a, kinds[k].b, 8) | 1u << 15;
    launch.command[0].a = umma_sdesc(A_AT, 128, 128, 0, swizzles[n]);
    expect(d, "MN-major A", (swizzles[n] == 1) == (k == 0) ? 0 : DESCRIPTOR, launch.command[0].a);
  }
  /* The end of A, 64 rows, MN-major, by bytes and by words: rows beside each other, then k. */
  const uint32_t size = k == 0 ? 512 + 384 + 1024 + 128 : 3 * 1024 + 1024;
  for (unsigned beyond = 0; beyond < 2; beyond++) {
    const uint32_t start = SHARED - size + 128 * beyond;
    sound();
    launch.command[0].i = types(kinds[k].d, kinds[k].a, kinds[k].b, 8) | 1u << 15;
    launch.command[0].a = k == 0 ? umma_sdesc(start, 512, 1024, start / 128 % 8, 1)
                                 : umma_sdesc(start, 0, 1024, start / 128 % 8, 2);
    expect(d, "the end of A", beyond != 0 ? DESCRIPTOR : 0, start + size - 1);
  }
}

/* ---- A in tensor memory: m64n8 */
static void in_tensor(umma_device_t *d, unsigned columns) {
  static const struct {
    const char *name;
    uint64_t a;
    uint32_t d, flip;
    int cause;
    bool a_address;
  } rows[] = {{"sound", 8, 0, 0, 0, false},
              {"the last columns", 24, 0, 0, 0, false},
              {"the upper word", 0xdeadbeef00000008, 0, 0, 0, false},
              {"lane 16", 16u << 16 | 8, 16u << 16, 0, 0, false},
              {"MN-major", 8, 0, 1u << 15, DESCRIPTOR, false},
              {"another lane", 16u << 16 | 8, 0, 0, LANES, true},
              {"D in a wrong lane, too", 8, 8u << 16, 0, LANES, false},
              {"one column beyond", 25, 0, 0, RANGE, true},
              {"not allocated", 32, 0, 0, RANGE, true},
              {"beyond all", 0xfffc, 0, 0, RANGE, true},
              {"D not allocated, too", 32, 32, 0, RANGE, false}};
  for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    umma_command_t *const c = &launch.command[0];
    sound();
    c->a = rows[k].a;
    c->d = rows[k].d;
    c->i ^= rows[k].flip;
    expect(d, rows[k].name, rows[k].cause,
           rows[k].flip != 0   ? c->i
           : rows[k].a_address ? (uint32_t)rows[k].a
                               : rows[k].d);
  }
  sound();
  launch.command[0].a = columns - 4;
  launch.columns = columns;
  expect(d, "beyond the memory", RANGE, columns - 4);
  sound();
  launch.command[0].b ^= BIT(14);
  launch.command[0].d = 8u << 16;
  expect(d, "B before D", DESCRIPTOR, launch.command[0].b);
}

int main(int argc, char **argv) {
  wl_device_options_t o = {.mem_bytes = 16 << 20, .config = "tiny", .max_cycles = 50000000};
  if (argc > 2) o.backend = argv[1], o.config = argv[2];
  umma_device_t d = {0};
  if (!umma_open(&o, &d) || !umma_load(&d, "f16", false)) return 1;
  sound();
  expect(&d, "sound", 0, 0);
  instructions(&d);
  descriptors(&d);
  ends(&d);
  places(&d, umma_columns(o.config));
  commits(&d);
  for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    if (!umma_load(&d, kinds[k].name, false)) return 1;
    kind_types(&d, k);
    kind_places(&d, k);
  }
  if (!umma_load(&d, "f16", true)) return 1;
  in_tensor(&d, umma_columns(o.config));
  wl_device_close(d.device);
  printf("%d launches, %d failed\n", ran, bad);
  return bad != 0;
}
