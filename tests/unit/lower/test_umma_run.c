/* test_umma_run.c: products in tensor memory, from PTX text to the words of tensor memory: every layout of A
 * and B, A in tensor memory, types, M, N, chains of steps of K, mask, enable-input-d, scale-input-d, negation.
 * PTX 9.7.16.3, 9.7.16.5, 9.7.16.10. Operands are small integers, whose sums are exact, or any numbers, summed
 * by the rule of umma_rule.h.
 *   test_umma_run [BACKEND CONFIG [EACH [PART]]]   PART: f16, kinds, or tensor (A in tensor memory) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "umma_data.h"
#include "umma_rule.h"

enum { MOST_N = 256, A_COLUMNS = 8 };

typedef struct test {
  const umma_kind_t *kind;
  const umma_type_t *a_type, *b_type;
  umma_matrix_t a, b;
  unsigned m, n, z, first; /* z: first lane of D; first: its first column */
  unsigned d;              /* type of D: 0 f16, 1 f32, 2 s32 */
  bool enable, masked, negate_a, negate_b, saturate;
  bool any;                /* any numbers, not small integers */
  bool tensor_a, over;     /* over: A lies where D does */
  unsigned a_first, scale; /* a_first: first column of A in tensor memory */
} test_t;

static uint32_t a_of[UMMA_LANES][UMMA_MOST_K], b_of[MOST_N][UMMA_MOST_K];
static int a_small[UMMA_LANES][UMMA_MOST_K], b_small[MOST_N][UMMA_MOST_K];
static uint32_t want[UMMA_LANES][UMMA_PITCH];
static umma_launch_t launch;

static unsigned count_of(const test_t *t) { return UMMA_STEP / t->kind->size * t->a.steps; }

static void fill(const test_t *t, const umma_type_t *type, unsigned rows,
                 uint32_t (*bits)[UMMA_MOST_K], int (*values)[UMMA_MOST_K]) {
  for (unsigned r = 0; r < rows; r++)
    for (unsigned k = 0; k < count_of(t); k++) {
      values[r][k] = type->is_signed ? umma_small() : umma_small() + 4;
      bits[r][k] = t->any ? umma_draw(type) : umma_encode(type, values[r][k]);
    }
}

/* ---- places */
static unsigned lane_of(const test_t *t, unsigned row) {
  return t->m == UMMA_LANES ? row : 32 * (row / 16) + row % 16 + t->z;
}

/* A in tensor memory, which holds random bits. */
static void put_tensor(const test_t *t) {
  for (unsigned r = 0; r < t->m; r++)
    umma_put_row(&launch.tensor[lane_of(t, r)][t->a_first], t->a_type, t->kind->size, false,
                 count_of(t), a_of[r]);
}

static bool is_masked(const test_t *t, unsigned lane) {
  return t->masked && (launch.command[0].mask[lane / 32] >> lane % 32 & 1) != 0;
}

/* ---- a launch */
static void commands(const test_t *t) {
  for (unsigned s = 0; s < t->a.steps; s++) {
    umma_command_t *c = &launch.command[s];
    const uint32_t a_place = t->z << 16 | (t->a_first + A_COLUMNS * s);
    memset(c, 0, sizeof *c);
    c->a = t->tensor_a ? a_place : umma_step(&t->a, s);
    c->b = umma_step(&t->b, s);
    c->d = t->z << 16 | t->first;
    c->i = umma_idesc(t->d, t->a_type->code, t->b_type->code, t->a.mn && !t->tensor_a, t->b.mn,
                      t->m, t->n) |
           (uint32_t)t->negate_a << 13 | (uint32_t)t->negate_b << 14 | (uint32_t)t->saturate << 3;
    c->enable = s != 0 || t->enable;
    c->scale = s == 0 ? t->scale : 0;
    c->masked = t->masked;
  }
  for (unsigned q = 0; q < 4; q++) {
    const uint32_t word = umma_next();
    for (unsigned s = 0; s < t->a.steps; s++)
      launch.command[s].mask[q] = word;
  }
}

/* An element by the rule, step by step. */
static uint32_t ruled(const test_t *t, unsigned row, unsigned column, uint32_t d) {
  const unsigned count = UMMA_STEP / t->kind->size;
  const umma_type_t *const type = t->d == 1 ? &umma_f32 : &umma_half;
  uint32_t x[UMMA_STEP], y[UMMA_STEP];
  for (unsigned s = 0; s < t->a.steps; s++) {
    for (unsigned k = 0; k < count; k++) {
      x[k] = a_of[row][s * count + k] ^ (uint32_t)t->negate_a << (t->a_type->bits - 1);
      y[k] = b_of[column][s * count + k] ^ (uint32_t)t->negate_b << (t->b_type->bits - 1);
    }
    const uint32_t c = s != 0 || t->enable ? d : 0;
    d = t->d == 2 ? umma_rule_integer(t->a_type, t->b_type, count, x, y, c, t->saturate)
                  : umma_rule_float(t->a_type, t->b_type, count, x, y, type,
                                    type == &umma_half ? c & 0xffff : c,
                                    s == 0 ? umma_scales[t->scale] : 0);
  }
  return d;
}

/* The same of small integers, as integers. */
static uint32_t summed(const test_t *t, unsigned row, unsigned column, int before) {
  int sum = 0;
  for (unsigned k = 0; k < count_of(t); k++)
    sum += a_small[row][k] * b_small[column][k];
  if (t->negate_a != t->negate_b) sum = -sum;
  if (t->enable) sum += before;
  return t->d == 2 ? (uint32_t)sum : umma_encode(t->d == 1 ? &umma_f32 : &umma_half, sum);
}

static uint32_t before_of(const test_t *t, int before, uint32_t word) {
  const int scaled = before * (1 << umma_scales[t->scale]);
  if (t->any && t->d == 2)
    return umma_next() % 2 != 0 ? 0x7fffff00 + umma_next() % 256 : umma_next();
  if (t->any) return t->d == 1 ? umma_draw(&umma_f32) : (word & 0xffff0000) | umma_draw(&umma_half);
  return t->d == 2   ? (uint32_t)before
         : t->d == 1 ? umma_encode(&umma_f32, scaled)
                     : (word & 0xffff0000) | umma_encode(&umma_half, scaled);
}

static int prepare(test_t *t) {
  static int before[UMMA_LANES][MOST_N];
  int bad = 0;
  umma_lay_out(&t->a, UMMA_IMAGE);
  umma_lay_out(&t->b, UMMA_IMAGE + (t->tensor_a ? 0 : (t->a.bytes + 1023) / 1024 * 1024));
  launch.bytes = (t->b.begin - 128 * t->b.base + t->b.bytes - UMMA_IMAGE + 127) / 128 * 128;
  for (unsigned k = 0; k < UMMA_BYTES; k++)
    launch.image[k] = (uint8_t)(umma_next() >> 24);
  fill(t, t->a_type, t->m, a_of, a_small);
  fill(t, t->b_type, t->n, b_of, b_small);
  if (!t->tensor_a) umma_put(&launch, &t->a, t->a_type, false, count_of(t), a_of);
  umma_put(&launch, &t->b, t->b_type, false, count_of(t), b_of);
  commands(t);
  for (unsigned lane = 0; lane < UMMA_LANES; lane++)
    for (unsigned c = 0; c < UMMA_PITCH; c++)
      launch.tensor[lane][c] = umma_next();
  for (unsigned row = 0; row < t->m; row++)
    for (unsigned c = 0; c < t->n; c++) {
      uint32_t *word = &launch.tensor[lane_of(t, row)][t->first + c];
      before[row][c] = umma_small();
      *word = before_of(t, before[row][c], *word);
    }
  if (t->tensor_a) put_tensor(t);
  memcpy(want, launch.tensor, sizeof want);
  for (unsigned row = 0; row < t->m; row++)
    for (unsigned c = 0; c < t->n; c++) {
      uint32_t *word = &want[lane_of(t, row)][t->first + c];
      const uint32_t d = ruled(t, row, c, *word);
      bad += !t->any && !t->over && d != summed(t, row, c, before[row][c]);
      if (!is_masked(t, lane_of(t, row))) *word = d;
    }
  return bad;
}

static int run(umma_device_t *d, test_t *t) {
  wl_trap_info_t trap;
  const int off = prepare(t);
  launch.commands = t->a.steps;
  launch.waits = 1;
  const int cause = umma_run(d, &launch, &trap);
  unsigned lane = 0, c = 0;
  bool same = cause == 0 && off == 0;
  for (; same && lane < UMMA_LANES; lane += same)
    for (c = 0; c < launch.columns && same; c += same)
      same = launch.tensor[lane][c] == want[lane][c];
  if (same) return 0;
  printf(
      "FAILED: %s m%un%u lane %u D %u, types %u %u; A: swizzle %u%s base %u%s, B: swizzle %u%s base %u; %u "
      "steps%s%s%s scale %u: trap %d; %d rules; lane %u column %u: %08x, expected %08x\n",
      t->kind->name, t->m, t->n, t->z, t->d, t->a_type->code, t->b_type->code, t->a.pattern->code,
      t->a.mn ? " MN" : "", t->a.base, t->tensor_a ? " tensor" : "", t->b.pattern->code,
      t->b.mn ? " MN" : "", t->b.base, t->a.steps, t->masked ? " masked" : "",
      t->enable ? " enabled" : "", t->any ? " any" : "", umma_scales[t->scale], cause, off, lane, c,
      launch.tensor[lane][c], want[lane][c]);
  return 1;
}

/* ---- which launches */
/* K-major of every pattern; MN-major of the last alone, or of all others. */
static unsigned layouts(unsigned kind) { return kind == UMMA_TF32 ? 6 : 9; }

static umma_matrix_t matrix(unsigned kind, unsigned layout, unsigned rows, unsigned steps,
                            unsigned which) {
  const bool mn = layout >= UMMA_PATTERNS;
  const unsigned p = !mn ? layout : kind == UMMA_TF32 ? UMMA_PATTERNS - 1 : layout - UMMA_PATTERNS;
  return (umma_matrix_t){.pattern = &umma_patterns[p],
                         .mn = mn,
                         .wide = which % 2 != 0,
                         .rows = rows,
                         .steps = steps,
                         .size = umma_kinds[kind].size,
                         .base = p != 0 && which % 3 == 0 ? which / 3 % 8 : 0};
}

static test_t test_of(unsigned kind, unsigned k, bool tensor_a, unsigned columns) {
  static const unsigned ns[] = {8, 16, 24, 32, 40, 48, 56, 64, 96, 128, 136, 248, 256};
  enum { NS = sizeof ns / sizeof ns[0] };
  const umma_kind_t *const of = &umma_kinds[kind];
  const unsigned shape = k % 3, count = layouts(kind), steps = 1 + (k / 7) % 4;
  test_t t = {.kind = of, .m = shape == 2 ? 128 : 64, .z = shape == 1 ? 16 : 0, .n = ns[k % NS]};
  const unsigned used = tensor_a ? A_COLUMNS * steps : 0;
  t.a = matrix(kind, k / 3 % count, t.m, steps, k);
  t.b = matrix(kind, (tensor_a ? k / 3 : k / 3 / count) % count, 0, steps, k / 2);
  if (t.n > columns - used) t.n = ns[k % 4];
  if (t.n % 16 != 0 && of->size == 1 && (t.b.mn || (kind == UMMA_I8 && t.n > 32))) t.n += 8;
  if (t.n > columns - used) t.n = 16;
  t.b.rows = t.n;
  t.tensor_a = tensor_a;
  t.over = tensor_a && steps == 1 && k % 2 == 0;
  const unsigned room = columns - t.n - (t.over ? 0 : used);
  t.first = room / 8 * (k % 9);
  t.first = (t.over ? 0 : used) + (room == 0 ? 0 : t.first % (room + 1));
  t.a_first = t.over ? t.first : 0;
  if (!t.over && k % 4 == 1) { /* A behind D */
    t.first -= used;
    t.a_first = t.first + t.n;
  }
  t.a_type = &of->type[k / 2 % 3 % of->types];
  t.b_type = t.a_type;
  if (of->size == 1) t.a_type = &of->type[k % of->types], t.b_type = &of->type[k / 5 % of->types];
  t.d = kind == UMMA_I8 ? 2 : kind == UMMA_TF32 || t.a_type->exponent == 8 || k % 5 < 3 ? 1 : 0;
  t.any = kind != UMMA_F16 && k / 9 % 3 == 1;
  t.enable = k % 4 != 1;
  t.masked = k % 6 == 4;
  t.negate_a = kind != UMMA_I8 && (k % 11 == 3 || k % 11 == 4);
  t.negate_b = kind != UMMA_I8 && (k % 11 == 4 || k % 11 == 5);
  t.saturate = kind == UMMA_I8 && k % 2 == 0;
  if (of->size > 1) t.scale = t.d == 1 ? k / 4 % UMMA_SCALES : k / 4 % 3;
  return t;
}

static bool fits(test_t *t, uint32_t room) {
  for (unsigned k = 0; k < 2; k++) {
    umma_lay_out(&t->a, 0);
    umma_lay_out(&t->b, 0);
    if ((t->tensor_a ? 0 : t->a.bytes) + t->b.bytes + 2048 <= room) return true;
    t->a.steps = t->b.steps = 1;
  }
  return false;
}

int main(int argc, char **argv) {
  wl_device_options_t o = {.mem_bytes = 16 << 20, .config = "full", .max_cycles = 50000000};
  if (argc > 2) o.backend = argv[1], o.config = argv[2];
  const unsigned each = argc > 3 ? (unsigned)atoi(argv[3]) : 1, columns = umma_columns(o.config);
  const char *const part = argc > 4 ? argv[4] : "f16";
  const bool tensor = strcmp(part, "tensor") == 0, kinds = strcmp(part, "kinds") == 0;
  const uint32_t room = columns == 64 ? 30 << 10 : UMMA_BYTES;
  umma_device_t d = {0};
  int bad = 0, ran = 0;
  if (!umma_open(&o, &d)) return 1;
  launch.columns = columns;
  for (unsigned kind = kinds ? UMMA_TF32 : UMMA_F16; kind < (tensor || kinds ? UMMA_KINDS : 1);
       kind++) {
    const unsigned count = layouts(kind), many = tensor ? 3 * count * 5 : 3 * count * count;
    if (!umma_load(&d, umma_kinds[kind].name, tensor)) return 1;
    for (unsigned k = 0; k < many; k++) {
      if ((k + kind) % each != 0) continue;
      umma_random = k + 1000 * kind;
      test_t t = test_of(kind, k, tensor, columns);
      if (!fits(&t, room)) continue;
      bad += run(&d, &t);
      ran++;
    }
  }
  wl_device_close(d.device);
  printf("%d launches, %d failed\n", ran, bad);
  return bad != 0 || ran == 0;
}
