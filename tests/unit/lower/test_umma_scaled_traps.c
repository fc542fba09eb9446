/* test_umma_scaled_traps.c: what traps of products with block scales, and at which address: docs/microarchitecture.md
 * 26.9. Each case breaks one thing of a product that is right, or two of which the first one counts.
 *   test_umma_scaled_traps [BACKEND CONFIG [EACH]]   EACH: every so many launches only */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "umma_kernel.h"

enum { LANES = 22, RANGE = 23, DESCRIPTOR = 24 };
enum { BYTES = 16384, A_AT = UMMA_IMAGE, B_AT = UMMA_IMAGE + BYTES, SHARED = B_AT + BYTES };
enum { N = 16, ALLOCATED = 64, SCALES_A = 32, SCALES_B = 48, IN_TENSOR = 40 };
#define BIT(n) (UINT64_C(1) << (n))

/* Which values i may have: a bit each. */
typedef struct kind {
  const char *name, *said[2];
  uint8_t types, ids, scales;
  bool halves;
} kind_t;
static const kind_t kinds[] = {{"mxf8f6f4", {"", ".block32"}, 0x3b, 0xf, 2, false},
                               {"mxf4", {"", ".block32"}, 2, 5, 2, true},
                               {"mxf4nvf4", {".block32", ".scale_vec::2X"}, 2, 5, 2, true},
                               {"mxf4nvf4", {".block16", ".scale_vec::4X"}, 2, 1, 3, true}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static umma_launch_t launch;
static const kind_t *kind;
static bool in_tensor;
static int bad, ran;
static unsigned cases, each = 1;

static uint32_t idesc(unsigned a, unsigned b, unsigned n) {
  return umma_idesc_scaled(false, a, b, false, false, n, 0, 0);
}

/* m128n16, K-major, 128 bytes of swizzle; scales behind D. */
static umma_command_t *sound(void) {
  const unsigned type = kind->halves ? 1 : 0;
  memset(&launch, 0, sizeof launch);
  launch.command[0] =
      (umma_command_t){.a = in_tensor ? IN_TENSOR : umma_sdesc(A_AT, 16, 1024, 0, 2),
                       .b = umma_sdesc(B_AT, 16, 1024, 0, 2),
                       .i = idesc(type, type, N),
                       .enable = 1,
                       .a_scales = SCALES_A,
                       .b_scales = SCALES_B};
  launch.commands = 1;
  launch.columns = ALLOCATED;
  launch.bytes = 2 * BYTES;
  launch.waits = 1;
  return &launch.command[0];
}

static void expect(umma_device_t *d, const char *name, int cause, uint64_t address) {
  wl_trap_info_t trap = {0};
  if (cases++ % each != 0) return;
  const int got = umma_run(d, &launch, &trap);
  const bool at = cause == 0 || (trap.has_address && trap.address == address);
  ran++;
  if (got == cause && at && (cause == 0 || trap.lane == 0)) return;
  printf("FAILED: %s of %s%s%s: trap %d at %llx, lane %u; expected %d at %llx, lane 0\n", name,
         kind->name, kind->said[0], in_tensor ? ", A in tensor memory" : "", got,
         (unsigned long long)trap.address, trap.lane, cause, (unsigned long long)address);
  bad++;
}

/* ---- i */
static void judged(umma_device_t *d, const char *name, uint32_t i, bool right) {
  sound()->i = i;
  expect(d, name, right ? 0 : DESCRIPTOR, i);
}

static void instructions(umma_device_t *d) {
  static const uint8_t zero[] = {0, 1, 2, 3, 6, 24, 25, 26, 28, 31};
  const unsigned type = kind->halves ? 1 : 0;
  const uint32_t right = idesc(type, type, N);
  for (unsigned t = 0; t < 8; t++) {
    judged(d, "type of A", idesc(t, type, N), (kind->types >> t & 1) != 0);
    judged(d, "type of B", idesc(type, t, N), (kind->types >> t & 1) != 0);
  }
  for (uint32_t id = 0; id < 4; id++) {
    judged(d, "id of A", right | id << 29, (kind->ids >> id & 1) != 0);
    judged(d, "id of B", right | id << 4, (kind->ids >> id & 1) != 0);
  }
  for (unsigned k = 0; k < sizeof zero; k++)
    judged(d, "a bit", right ^ 1u << zero[k], false);
  judged(d, "M 0", right ^ 1u << 27, false);
  judged(d, "type of scales", right ^ 1u << 23, (kind->scales & 1) != 0);
  judged(d, "negated", right | 3u << 13, true);
  judged(d, "A MN-major", right | 1u << 15, !kind->halves && !in_tensor);
  judged(d, "B MN-major", right | 1u << 16, !kind->halves);
  judged(d, "B MN-major, N 24", idesc(type, type, 24) | 1u << 16, false);
  judged(d, "N 24", idesc(type, type, 24), true);
  judged(d, "N 0", idesc(type, type, 0), false);
  judged(d, "N 264", idesc(type, type, 264), false);
}

/* ---- descriptors and their ends */
static void descriptors(umma_device_t *d) {
  static const uint8_t bits[] = {14, 15, 30, 31, 46, 47, 48, 52, 61};
  for (unsigned which = in_tensor; which < 2; which++) {
    for (unsigned k = 0; k < sizeof bits; k++) {
      umma_command_t *const c = sound();
      uint64_t *const of = which == 0 ? &c->a : &c->b;
      *of ^= BIT(bits[k]);
      c->d = 1 << 16; /* wrong, too, but judged later */
      expect(d, "descriptor", DESCRIPTOR, *of);
    }
    /* 128 rows, or 16, each 128 bytes; the groups of A 1,024 bytes apart */
    const uint32_t size = (which == 0 ? 128 : N) * 128;
    for (unsigned beyond = 0; beyond < 2; beyond++) {
      umma_command_t *const c = sound();
      const uint32_t start = SHARED - size + 1024 * beyond;
      *(which == 0 ? &c->a : &c->b) = umma_sdesc(start, 16, 1024, 0, 2);
      expect(d, "the end", beyond != 0 ? DESCRIPTOR : 0, start + size - 1);
    }
  }
  if (in_tensor) return;
  umma_command_t *const c = sound();
  c->a ^= BIT(14);
  c->b ^= BIT(15);
  expect(d, "A before B", DESCRIPTOR, c->a);
}

/* ---- tensor memory */
static void places(umma_device_t *d, unsigned columns) {
  static const struct {
    const char *name;
    uint32_t d, sa, sb;
    unsigned n; /* 0: N */
    int cause;
    char address; /* 'd', 'a', 'b' */
  } rows[] = {{"sound", 0, 32, 48, 0, 0, 'd'},
              {"D in lane 16", 16u << 16, 32, 48, 0, LANES, 'd'},
              {"scales of A in lane 1", 0, 1u << 16 | 32, 48, 0, LANES, 'a'},
              {"scales of A in lane 8192", 0, 1u << 29 | 32, 48, 0, LANES, 'a'},
              {"scales of B in lane 1", 0, 32, 1u << 16 | 48, 0, LANES, 'b'},
              {"scales of B in lane 8192", 0, 32, 1u << 29 | 48, 0, LANES, 'b'},
              {"bits 31:30", 0, 3u << 30 | 32, 3u << 30 | 48, 0, 0, 'd'},
              {"D in lane 1 first", 1u << 16, 1u << 16, 1u << 16, 0, LANES, 'd'},
              {"A's scales in lane 1 first", 0, 1u << 16, 1u << 16, 0, LANES, 'a'},
              {"lanes before columns", 64, 64, 1u << 16, 0, LANES, 'b'},
              {"D not allocated", 64, 64, 64, 0, RANGE, 'd'},
              {"D at the end", 48, 0, 4, 0, 0, 'd'},
              {"D beyond", 49, 0, 4, 0, RANGE, 'd'},
              {"A's scales at the end", 0, 60, 48, 0, 0, 'a'},
              {"A's scales beyond", 0, 61, 48, 0, RANGE, 'a'},
              {"A's scales beyond first", 0, 61, 64, 0, RANGE, 'a'},
              {"B's scales at the end", 0, 32, 63, 0, 0, 'b'},
              {"B's scales beyond", 0, 32, 64, 0, RANGE, 'b'},
              {"B's scales, 32 columns", 0, 32, 63, 32, 0, 'b'},
              {"B's scales, 40 columns, at the end", 0, 40, 62, 40, 0, 'b'},
              {"B's scales, 40 columns, beyond", 0, 40, 63, 40, RANGE, 'b'},
              {"A's scales beyond all", 0, 0xfffd, 48, 0, RANGE, 'a'},
              {"B's scales beyond all", 0, 32, 0xffff, 0, RANGE, 'b'}};
  for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    umma_command_t *const c = sound();
    const unsigned type = kind->halves ? 1 : 0;
    c->d = rows[k].d;
    c->a_scales = rows[k].sa;
    c->b_scales = rows[k].sb;
    if (rows[k].n != 0) c->i = idesc(type, type, rows[k].n);
    expect(d, rows[k].name, rows[k].cause,
           rows[k].address == 'd'   ? c->d
           : rows[k].address == 'a' ? c->a_scales
                                    : c->b_scales);
  }
  umma_command_t *c = sound();
  launch.columns = columns;
  c->a_scales = columns - 3;
  expect(d, "A's scales beyond the memory", RANGE, c->a_scales);
  c = sound();
  launch.columns = columns;
  c->b_scales = columns;
  expect(d, "B's scales beyond the memory", RANGE, c->b_scales);
}

/* Its lane after D's, before those of scales; its columns likewise. */
static void a_in_tensor(umma_device_t *d) {
  static const struct {
    const char *name;
    uint32_t a, d, sa;
    int cause;
    char address;
  } rows[] = {{"A in lane 32", 32u << 16 | 40, 0, 1u << 16, LANES, 't'},
              {"A in lane 16, D, too", 16u << 16 | 40, 16u << 16, 32, LANES, 'd'},
              {"scales in lane 1", 57, 0, 1u << 16, LANES, 'a'},
              {"the last columns", 56, 0, 32, 0, 't'},
              {"one beyond", 57, 0, 64, RANGE, 't'},
              {"D beyond, too", 57, 64, 64, RANGE, 'd'}};
  for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    umma_command_t *const c = sound();
    c->a = rows[k].a;
    c->d = rows[k].d;
    c->a_scales = rows[k].sa;
    expect(d, rows[k].name, rows[k].cause,
           rows[k].address == 'd'   ? c->d
           : rows[k].address == 'a' ? c->a_scales
                                    : c->a);
  }
}

int main(int argc, char **argv) {
  wl_device_options_t o = {.mem_bytes = 16 << 20, .config = "base", .max_cycles = 50000000};
  if (argc > 2) o.backend = argv[1], o.config = argv[2];
  if (argc > 3) each = (unsigned)atoi(argv[3]);
  umma_device_t d = {0};
  if (!umma_open(&o, &d)) return 1;
  for (unsigned k = 0; k < 2 * KINDS; k++) {
    kind = &kinds[k / 2];
    in_tensor = k % 2 != 0;
    if (!umma_load_scaled(&d, kind->name, kind->said, in_tensor)) return 1;
    sound();
    expect(&d, "sound", 0, 0);
    instructions(&d);
    descriptors(&d);
    places(&d, umma_columns(o.config));
    if (in_tensor) a_in_tensor(&d);
  }
  wl_device_close(d.device);
  printf("%d launches, %d failed\n", ran, bad);
  return bad != 0 || ran == 0;
}
