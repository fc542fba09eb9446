/* test_umma_run.c: products in tensor memory, from PTX text to the words of tensor memory: every layout of
 * A and B, M, N, chains of steps of K, mask, enable-input-d, scale-input-d, negation, results of f16.
 * PTX 9.7.16.3, 9.7.16.5, 9.7.16.10. Operands are small integers, so sums are exact; where an element lies
 * is written as CuTe's layouts of PTX 9.7.16.3 have it: a place in a pattern, then a swizzle of the bits of
 * its address.
 *   test_umma_run [BACKEND CONFIG [EACH]]     EACH: every so many launches only */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "umma_kernel.h"

enum { STEP = 16, ROW = 2 * STEP, MOST_N = 256, MOST_K = 64, T = 8 /* elements of 16 bytes */ };

/* Swizzle<bits, low, shift> of byte addresses. */
typedef struct pattern {
  unsigned code, bits, low, shift, width; /* code: in descriptors; width: chunks of a row */
} pattern_t;
static const pattern_t patterns[] = {
    {0, 0, 0, 0, 1}, {6, 1, 4, 3, 2}, {4, 2, 4, 3, 4}, {2, 3, 4, 3, 8}, {1, 2, 5, 2, 8}};
enum { PATTERNS = sizeof patterns / sizeof patterns[0] };

typedef struct matrix { /* A, or B by columns: rows of `steps` * 16 elements */
  const pattern_t *pattern;
  bool mn, wide; /* wide: the strides' other order */
  unsigned rows, steps, base;
  uint32_t begin, lbo, sbo, bytes, atom;
} matrix_t;

/* Strides in bytes. Without swizzle chunks of eight rows stand beside each other along the one or the
 * other axis. K-major atoms have 8 rows and `width` chunks of K, MN-major ones `width` chunks of rows and
 * 8 of K. */
static void lay_out(matrix_t *m, uint32_t begin) {
  const unsigned chunks = m->rows / T, kc = 2 * m->steps, w = m->pattern->width;
  const uint32_t chunk = 128, gap = m->wide ? 48 : 0;
  m->begin = begin + 128 * m->base;
  m->atom = 128 * w;
  if (w == 1 && !m->mn) {
    m->sbo = m->wide ? kc * chunk + gap : chunk;
    m->lbo = m->wide ? chunk : chunks * chunk;
    m->bytes = m->wide ? chunks * m->sbo : kc * m->lbo;
  } else if (w == 1) {
    m->sbo = m->wide ? kc * chunk + gap : chunk;
    m->lbo = m->wide ? chunk : chunks * chunk;
    m->bytes = m->wide ? chunks * m->sbo : kc * m->lbo;
  } else if (!m->mn) {
    m->sbo = m->atom;
    m->lbo = 16; /* not looked at */
    m->bytes = (kc + w - 1) / w * chunks * m->atom;
  } else {
    const unsigned groups = (chunks + w - 1) / w;
    m->lbo = m->wide ? kc * m->atom : m->atom;
    m->sbo = m->wide ? m->atom : groups * m->atom;
    m->bytes = groups * kc * m->atom;
  }
  m->bytes += 128 * m->base;
}

static uint32_t swizzle(const pattern_t *p, uint32_t address) {
  const uint32_t mask = ((1u << p->bits) - 1) << p->low;
  return p->bits == 0 ? address : address ^ (address >> p->shift & mask);
}

/* Address in shared memory of an element. */
static uint32_t place(const matrix_t *m, unsigned row, unsigned k) {
  const unsigned w = m->pattern->width;
  uint32_t at;
  if (!m->mn) { /* ((8,m),(T,2k)) */
    const unsigned chunk = k / T, atom = chunk / w;
    at = row % 8 * 16 * w + row / 8 * m->sbo + k % T * 2;
    at += w == 1 ? chunk * m->lbo : chunk % w * 16 + atom * (m->rows / 8) * m->atom;
  } else { /* ((T,w,m),(8,k)) */
    const unsigned u = row / T;
    at = row % T * 2 + k % 8 * 16 * w;
    at += w == 1 ? u * m->sbo + k / 8 * m->lbo : u % w * 16 + u / w * m->lbo + k / 8 * m->sbo;
  }
  return m->begin + swizzle(m->pattern, at);
}

/* The descriptor of a step of K. */
static uint64_t descriptor(const matrix_t *m, unsigned step) {
  const unsigned w = m->pattern->width, chunk = 2 * step;
  uint32_t start = m->begin;
  if (w == 1)
    start += chunk * m->lbo;
  else if (m->mn)
    start += chunk * m->sbo;
  else
    start += chunk % w * 16 + chunk / w * (m->rows / 8) * m->atom;
  return umma_sdesc(start, m->lbo, m->sbo, m->base, m->pattern->code);
}

/* ---- numbers */
static uint32_t random_state;
static uint32_t next(void) { return random_state = random_state * 1664525 + 1013904223; }
static int small(void) { return (int)(next() >> 20) % 9 - 4; }

/* An integer in a format with so many bits of exponent and fraction; exact. */
static uint32_t encode(int v, unsigned exponent_bits, unsigned fraction_bits) {
  const uint32_t magnitude = (uint32_t)abs(v), bias = (1u << (exponent_bits - 1)) - 1;
  if (v == 0) return 0;
  const unsigned e = 31 - (unsigned)__builtin_clz(magnitude);
  const uint32_t fraction = (uint32_t)((uint64_t)magnitude << 32 >> e << (fraction_bits) >> 32);
  return (uint32_t)(v < 0) << (exponent_bits + fraction_bits) | (e + bias) << fraction_bits |
         (fraction & ((1u << fraction_bits) - 1));
}
static uint32_t element(unsigned type, int v) {
  return type == 0 ? encode(v, 5, 10) : encode(v, 8, 7);
}
static uint32_t result(bool f32, int v) { return f32 ? encode(v, 8, 23) : encode(v, 5, 10); }

/* ---- a test */
typedef struct test {
  matrix_t a, b;
  unsigned m, n, z, type, first; /* z: first lane of D; first: its first column */
  bool f32, enable, masked, negate_a, negate_b;
  unsigned scale;
} test_t;

static int a_of[UMMA_LANES][MOST_K], b_of[MOST_N][MOST_K];
static uint32_t want[UMMA_LANES][UMMA_PITCH];
static umma_launch_t launch;

static void put(const matrix_t *m, unsigned type, int (*values)[MOST_K]) {
  for (unsigned r = 0; r < m->rows; r++)
    for (unsigned k = 0; k < STEP * m->steps; k++) {
      const uint16_t bits = (uint16_t)element(type, values[r][k] = small());
      memcpy(launch.image + place(m, r, k) - UMMA_IMAGE, &bits, sizeof bits);
    }
}

static unsigned lane_of(const test_t *t, unsigned row) {
  return t->m == UMMA_LANES ? row : 32 * (row / 16) + row % 16 + t->z;
}

static bool is_masked(const test_t *t, unsigned lane) {
  return t->masked && (launch.command[0].mask[lane / 32] >> lane % 32 & 1) != 0;
}

static void prepare(test_t *t) {
  const unsigned steps = t->a.steps, shift = umma_scales[t->scale];
  const uint32_t begin = UMMA_IMAGE;
  lay_out(&t->a, begin);
  lay_out(&t->b, begin + (t->a.bytes + 1023) / 1024 * 1024);
  launch.bytes = (t->b.begin - 128 * t->b.base + t->b.bytes - UMMA_IMAGE + 127) / 128 * 128;
  for (unsigned k = 0; k < UMMA_BYTES; k++)
    launch.image[k] = (uint8_t)(next() >> 24);
  put(&t->a, t->type, a_of);
  put(&t->b, t->type, b_of);
  for (unsigned s = 0; s < steps; s++) {
    umma_command_t *c = &launch.command[s];
    *c = (umma_command_t){
        .a = descriptor(&t->a, s), .b = descriptor(&t->b, s), .d = t->z << 16 | t->first};
    c->i = umma_idesc(t->f32, t->type, t->a.mn, t->b.mn, t->m, t->n) | (uint32_t)t->negate_a << 13 |
           (uint32_t)t->negate_b << 14;
    c->enable = s != 0 || t->enable;
    c->scale = s == 0 ? t->scale : 0;
    c->masked = t->masked;
  }
  for (unsigned q = 0; q < 4; q++) {
    const uint32_t word = next();
    for (unsigned s = 0; s < steps; s++)
      launch.command[s].mask[q] = word;
  }
  for (unsigned lane = 0; lane < UMMA_LANES; lane++)
    for (unsigned c = 0; c < UMMA_PITCH; c++)
      launch.tensor[lane][c] = next();
  memcpy(want, launch.tensor, sizeof want);
  for (unsigned row = 0; row < t->m; row++)
    for (unsigned c = 0; c < t->n; c++) {
      const unsigned lane = lane_of(t, row);
      const int before = small();
      const uint32_t stored = result(t->f32, before * (1 << shift));
      uint32_t *word = &launch.tensor[lane][t->first + c];
      *word = t->f32 ? stored : (*word & 0xffff0000) | stored;
      want[lane][t->first + c] = *word;
      int sum = 0;
      for (unsigned k = 0; k < STEP * steps; k++)
        sum += a_of[row][k] * b_of[c][k];
      if (t->negate_a != t->negate_b) sum = -sum;
      if (t->enable) sum += before;
      if (!is_masked(t, lane)) want[lane][t->first + c] = result(t->f32, sum);
    }
}

static int run(umma_device_t *d, test_t *t) {
  wl_trap_info_t trap;
  prepare(t);
  launch.commands = t->a.steps;
  launch.waits = 1;
  const int cause = umma_run(d, &launch, &trap);
  unsigned lane = 0, c = 0;
  bool same = cause == 0;
  for (; same && lane < UMMA_LANES; lane += same)
    for (c = 0; c < launch.columns && same; c += same)
      same = launch.tensor[lane][c] == want[lane][c];
  if (same) return 0;
  printf(
      "FAILED: m%un%u lane %u %s type %u; A: swizzle %u%s base %u, B: swizzle %u%s base %u; %u steps%s%s "
      "scale %u: trap %d; lane %u column %u: %08x, expected %08x\n",
      t->m, t->n, t->z, t->f32 ? "f32" : "f16", t->type, t->a.pattern->code, t->a.mn ? " MN" : "",
      t->a.base, t->b.pattern->code, t->b.mn ? " MN" : "", t->b.base, t->a.steps,
      t->masked ? " masked" : "", t->enable ? " enabled" : "", umma_scales[t->scale], cause, lane,
      c, launch.tensor[lane][c], want[lane][c]);
  return 1;
}

static matrix_t matrix(unsigned kind, unsigned rows, unsigned steps, unsigned which) {
  const bool mn = kind >= PATTERNS;
  const pattern_t *p = &patterns[kind % PATTERNS];
  return (matrix_t){.pattern = p,
                    .mn = mn,
                    .wide = which % 2 != 0,
                    .rows = rows,
                    .steps = steps,
                    .base = p->width > 1 && which % 3 == 0 ? which / 3 % 8 : 0};
}

int main(int argc, char **argv) {
  static const unsigned ns[] = {8, 16, 24, 32, 40, 48, 56, 64, 96, 128, 136, 248, 256};
  enum { NS = sizeof ns / sizeof ns[0], KINDS = 2 * PATTERNS - 1 /* no MN-major of the last */ };
  wl_device_options_t o = {.mem_bytes = 16 << 20, .config = "full", .max_cycles = 50000000};
  if (argc > 2) o.backend = argv[1], o.config = argv[2];
  const unsigned each = argc > 3 ? (unsigned)atoi(argv[3]) : 1, columns = umma_columns(o.config);
  const uint32_t room = columns == 64 ? 30 << 10 : UMMA_BYTES;
  umma_device_t d = {0};
  int bad = 0, ran = 0;
  if (!umma_open(&o, &d)) return 1;
  launch.columns = columns;
  for (unsigned k = 0; k < KINDS * KINDS * 3; k++) {
    const unsigned shape = k % 3, steps = 1 + (k / 7) % 4;
    random_state = k;
    test_t t = {.m = shape == 2 ? 128 : 64, .z = shape == 1 ? 16 : 0, .n = ns[k % NS]};
    if (t.n > columns) t.n = ns[k % 8];
    if (k % each != 0) continue;
    t.first = t.n == columns ? 0 : (columns - t.n) / 8 * (k % 9);
    t.type = k / 2 % 3 == 1;
    t.f32 = t.type == 1 || k % 5 < 3;
    t.enable = k % 4 != 1;
    t.masked = k % 6 == 4;
    t.negate_a = k % 11 == 3 || k % 11 == 4;
    t.negate_b = k % 11 == 4 || k % 11 == 5;
    t.scale = t.f32 ? k / 4 % UMMA_SCALES : k / 4 % 3;
    t.a = matrix(k / 3 % KINDS, t.m, steps, k);
    t.b = matrix(k / 3 / KINDS, t.n, steps, k / 2);
    lay_out(&t.a, 0);
    lay_out(&t.b, 0);
    if (t.a.bytes + t.b.bytes + 2048 > room) {
      t.a.steps = t.b.steps = 1;
      lay_out(&t.a, 0);
      lay_out(&t.b, 0);
      if (t.a.bytes + t.b.bytes + 2048 > room) continue;
    }
    bad += run(&d, &t);
    ran++;
  }
  wl_device_close(d.device);
  printf("%d launches, %d failed\n", ran, bad);
  return bad != 0 || ran == 0;
}
