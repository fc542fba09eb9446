/* test_tmem_cp.c: copies from shared into tensor memory, and shifts, from PTX text to the words of tensor memory:
 * every shape, unpacking and layout of the source, chains of commands. PTX 9.7.16.9. The lanes that get a row are
 * those of CuTe's traits of UTCCP, where a row lies is as for operands of products (umma_layout.h).
 *   test_tmem_cp [BACKEND CONFIG [EACH]]   EACH: every so many launches only */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "umma_layout.h"

enum { SHAPES = 6, LAUNCHES = 360, DESCRIPTOR = 24, LANES = 22, RANGE = 23 };

static umma_launch_t launch;
static uint32_t want[UMMA_LANES][UMMA_PITCH];
static uint32_t random_state;
static int bad, ran;
static uint32_t next(void) { return (random_state = random_state * 1664525 + 1013904223) >> 8; }

/* Modes of (row, copies) to lanes, as the traits have them: shape and strides of the first mode, of the second. */
typedef struct trait {
  unsigned rows, words, inner, low, high; /* lane of row r: r mod inner * low + r / inner * high */
  unsigned copies, apart;                 /* and so many copies, so many lanes apart */
} trait_t;
static const trait_t traits[SHAPES] = {
    {128, 8, 128, 1, 0, 1, 0}, /* 128dp256bit */
    {4, 8, 1, 0, 32, 1, 0},    /* 4dp256bit: rows 32 lanes apart, from the address's lane */
    {128, 4, 128, 1, 0, 1, 0}, /* 128dp128bit */
    {64, 4, 64, 1, 0, 2, 64},  /* 2x64dp128bitlw0213 */
    {64, 4, 32, 1, 64, 2, 32}, /* 2x64dp128bitlw0123 */
    {32, 4, 32, 1, 0, 4, 32}   /* 4x32dp128bit */
};

/* Bit b of 16 bytes as they are unpacked: of b6x16_p32 16 elements of 6 bits are packed behind each other, of
 * b4x16_p64 of 4; they are the bits 5:0, and 5:2, of a byte. */
static uint8_t bit_of(const uint8_t *chunk, unsigned b, unsigned unpack) {
  const unsigned byte = b / 8, low = unpack == 2 ? 2 : 0, bits = unpack == 2 ? 4 : 6;
  const unsigned at = unpack == 0 ? b : byte * bits + b % 8 - low;
  if (unpack != 0 && (b % 8 < low || b % 8 > 5)) return 0;
  return chunk[at / 8] >> at % 8 & 1;
}

static void copied(const umma_matrix_t *m, unsigned shape, unsigned unpack, uint32_t d) {
  const trait_t *const t = &traits[shape];
  unsigned number;
  for (unsigned r = 0; r < t->rows; r++)
    for (unsigned w = 0; w < t->words; w++) {
      const uint8_t *const chunk =
          launch.image + umma_place(m, r, w / 4 * 16, &number) - UMMA_IMAGE;
      uint32_t word = 0;
      for (unsigned b = 0; b < 32; b++)
        word |= (uint32_t)bit_of(chunk, w % 4 * 32 + b, unpack) << b;
      for (unsigned k = 0; k < t->copies; k++) {
        const unsigned lane = r % t->inner * t->low + r / t->inner * t->high + k * t->apart;
        want[lane + (d >> 16)][(d & 0xffff) + w] = word;
      }
    }
}

static void shifted(uint32_t d) {
  for (unsigned c = d & 0xffff; c < (d & 0xffff) + 8; c++)
    for (unsigned lane = d >> 16; lane < (d >> 16) + 31; lane++)
      want[lane][c] = want[lane + 1][c];
}

/* Each command and what it does to `want`. */
static void command(umma_command_t *c, unsigned k) {
  const unsigned which = k % (UMMA_SHIFT + 1), shape = which % SHAPES;
  memset(c, 0, sizeof *c);
  c->i = which;
  if (which == UMMA_SHIFT) {
    c->d = next() % 4 * 32 << 16 | next() % (launch.columns - 7);
    shifted(c->d);
    return;
  }
  umma_matrix_t m = {.pattern = &umma_patterns[next() % UMMA_PATTERNS],
                     .wide = next() % 2 != 0,
                     .rows = traits[shape].rows < 8 ? 8 : traits[shape].rows,
                     .steps = 1,
                     .size = 1};
  if (m.pattern->code != 0) m.base = next() % 8;
  umma_lay_out(&m, 0);
  const uint32_t room = UMMA_IMAGE + launch.bytes - m.bytes - 128;
  const uint32_t begin = UMMA_IMAGE + next() % (room - UMMA_IMAGE) / 1024 * 1024;
  umma_lay_out(&m, begin + (m.pattern->code == 0 ? next() % 8 * 16 : 0));
  c->a = umma_step(&m, 0);
  c->d = next() % (launch.columns - traits[shape].words + 1);
  if (shape == 1) c->d |= next() % 32 << 16;
  copied(&m, shape, which / SHAPES, c->d);
}

static void run(umma_device_t *d, unsigned k) {
  wl_trap_info_t trap;
  random_state = k;
  launch.bytes = 28 << 10;
  launch.commands = 1 + k % 7;
  launch.waits = 1;
  for (unsigned n = 0; n < launch.bytes; n++)
    launch.image[n] = (uint8_t)next();
  for (unsigned lane = 0; lane < UMMA_LANES; lane++)
    for (unsigned c = 0; c < UMMA_PITCH; c++)
      launch.tensor[lane][c] = next();
  memcpy(want, launch.tensor, sizeof want);
  for (unsigned n = 0; n < launch.commands; n++)
    command(&launch.command[n], k + n * (k / 19 + 1));
  const int cause = umma_run(d, &launch, &trap);
  ran++;
  for (unsigned n = 0; n < UMMA_LANES * launch.columns; n++) {
    const unsigned lane = n / launch.columns, c = n % launch.columns;
    if (cause == 0 && launch.tensor[lane][c] == want[lane][c]) continue;
    printf(
        "FAILED: launch %u, %u commands, the first %u to %x: trap %d; lane %u column %u: %08x, expected %08x\n",
        k, launch.commands, launch.command[0].i, launch.command[0].d, cause, lane, c,
        launch.tensor[lane][c], want[lane][c]);
    bad++;
    return;
  }
}

/* ---- what traps: 26.7, 26.8 */
static void judge(umma_device_t *d, const char *name, unsigned which, uint64_t a, uint32_t at,
                  int cause, uint64_t address) {
  wl_trap_info_t trap = {0};
  launch.bytes = 8 << 10;
  launch.commands = 1;
  launch.command[0] = (umma_command_t){.a = a, .d = at, .i = which};
  const int got = umma_run(d, &launch, &trap);
  ran++;
  if (got == cause && (cause == 0 || (trap.has_address && trap.address == address))) return;
  printf("FAILED: %s of %u: trap %d at %llx; expected %d at %llx\n", name, which, got,
         (unsigned long long)trap.address, cause, (unsigned long long)address);
  bad++;
}

static void traps(umma_device_t *d) {
  static const unsigned sizes[] = {16384, 1024, 16384,
                                   8192,  8192, 4096}; /* of 128 bytes of swizzle */
  static const unsigned ends[] = {2048 + 15 * 128 + 128, 2048 + 64,     15 * 128 + 128,
                                  7 * 128 + 128,         7 * 128 + 128, 3 * 128 + 128};
  const uint64_t bit = 1;
  const uint32_t shared = UMMA_IMAGE + (8 << 10), columns = launch.columns;
  for (unsigned shape = 0; shape < SHAPES; shape++) {
    const unsigned words = traits[shape].words, last = columns - words;
    const uint64_t sound = umma_sdesc(UMMA_IMAGE, 16, 0, 0, 2);
    judge(d, "sound", shape, sound, 0, 0, 0);
    judge(d, "the constant", shape, sound ^ bit << 46, 0, DESCRIPTOR, sound ^ bit << 46);
    judge(d, "bit 15", shape, sound ^ bit << 15, 0, DESCRIPTOR, sound ^ bit << 15);
    judge(d, "swizzle 3", shape, sound ^ bit << 61, 0, DESCRIPTOR, sound ^ bit << 61);
    judge(d, "lane 1", shape, sound, 1 << 16, shape == 1 ? 0 : LANES, 1 << 16);
    judge(d, "lane 31", shape, sound, 31 << 16, shape == 1 ? 0 : LANES, 31 << 16);
    judge(d, "lane 32", shape, sound, 32 << 16, LANES, 32 << 16);
    judge(d, "the last columns", shape, sound, last, 0, 0);
    judge(d, "one column beyond", shape, sound, last + 1, RANGE, last + 1);
    judge(d, "far beyond", shape, sound, 0xfffe, RANGE, 0xfffe);
    /* Groups of eight rows behind each other, 128 bytes of swizzle: the end is the last row's. */
    for (unsigned beyond = 0; beyond < 2 && sizes[shape] <= 8192; beyond++) {
      const uint32_t start = shared - sizes[shape] + 1024 * beyond;
      const uint32_t size = shape == 1 ? 512 : sizes[shape];
      const bool fits = start + size <= shared;
      judge(d, "the end", shape, umma_sdesc(start, 0, 1024, 0, 2), 0, fits ? 0 : DESCRIPTOR,
            start + size - 1);
    }
    /* Without swizzle: 128 bytes of eight rows, halves 2,048 bytes apart. */
    for (unsigned beyond = 0; beyond < 2; beyond++) {
      const uint32_t start = shared - ends[shape] + 16 * beyond;
      judge(d, "the end", shape, umma_sdesc(start, 2048, 128, 0, 0), 0,
            beyond == 0 ? 0 : DESCRIPTOR, start + ends[shape] - 1);
    }
  }
  for (unsigned lane = 0; lane < 200; lane += 8)
    judge(d, "lane of a shift", UMMA_SHIFT, 0, lane << 16, lane % 32 != 0 || lane > 96 ? LANES : 0,
          lane << 16);
  judge(d, "the last columns", UMMA_SHIFT, 0, columns - 8, 0, 0);
  judge(d, "one column beyond", UMMA_SHIFT, 0, columns - 7, RANGE, columns - 7);
}

int main(int argc, char **argv) {
  wl_device_options_t o = {.mem_bytes = 16 << 20, .config = "full", .max_cycles = 50000000};
  if (argc > 2) o.backend = argv[1], o.config = argv[2];
  const unsigned each = argc > 3 ? (unsigned)atoi(argv[3]) : 1;
  umma_device_t d = {0};
  if (!umma_open(&o, &d) || !umma_load(&d, NULL, false)) return 1;
  launch.columns = umma_columns(o.config);
  for (unsigned k = 0; k < LAUNCHES; k += each)
    run(&d, k);
  if (launch.columns > 64) launch.columns /= 2; /* some are not allocated */
  traps(&d);
  wl_device_close(d.device);
  printf("%d launches, %d failed\n", ran, bad);
  return bad != 0;
}
