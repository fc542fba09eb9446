/* shapes.c: every M, N, major-ness and swizzle of every kind, from PTX text to what a load from tensor memory gives. Each
 * element is an integer from -4 to 4 (u8: 0 to 8) that its place draws; scales are powers of two. Sums are exact.
 * Usage: shapes BACKEND CONFIG once|pairs [EACH]   once: each layout of A and each of B with each M and N once; pairs: each
 *                                                  pair of them; of EACH N one */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

enum { LANES = 128, MOST_N = 256, CTAS = 81 * 2, IMAGE = 56 << 10, SHAPES = 6 };

/* f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4: one of bits_form() or bits_integer_form(), which is the text's. */
typedef struct shape {
  const bits_form_t *f;
  unsigned kind, m, n, a_layout, b_layout;
  umma_matrix_t a, b;
} shape_t;

static bits_machine_t machine;
static bits_form_t form;
static uint32_t a_bits[LANES][UMMA_MOST_K], b_bits[MOST_N][UMMA_MOST_K];
static int a_small[LANES][UMMA_MOST_K], b_small[MOST_N][UMMA_MOST_K];
static int a_scale[LANES][BITS_SCALES], b_scale[MOST_N][BITS_SCALES]; /* exponents */
static int want[CTAS][MOST_N][LANES]; /* of a lane; in units of 2^-8 with scales */

static unsigned layouts(unsigned kind) { return kind == 1 ? 6 : kind == 5 ? 5 : 9; }

static umma_matrix_t matrix(unsigned kind, unsigned layout, unsigned rows, uint32_t begin) {
  const bool mn = layout >= UMMA_PATTERNS;
  const unsigned p = !mn ? layout : kind == 1 ? UMMA_PATTERNS - 1 : layout - UMMA_PATTERNS;
  umma_matrix_t m = {.pattern = &umma_patterns[p],
                     .mn = mn,
                     .wide = rows / 8 % 2 != 0,
                     .rows = rows,
                     .steps = BITS_STEPS,
                     .size = form.size};
  umma_lay_out(&m, begin);
  return m;
}

/* Legal of N with a layout of B. */
static bool legal(unsigned kind, unsigned n, unsigned b_layout) {
  const bool odd = n % 16 != 0;
  if (odd && form.size == 1 && b_layout >= UMMA_PATTERNS) return false;
  return !(odd && kind == 3 && n > 32);
}

/* ---- data */

static void draw(const umma_type_t *type, unsigned rows, uint32_t (*bits)[UMMA_MOST_K],
                 int (*values)[UMMA_MOST_K]) {
  for (unsigned r = 0; r < rows; r++)
    for (unsigned k = 0; k < BITS_STEPS * form.per_step; k++) {
      values[r][k] = umma_small() + (type->is_signed ? 0 : 4);
      bits[r][k] = umma_encode(type, values[r][k]);
    }
}

static void draw_scales(unsigned rows, int (*exponents)[BITS_SCALES]) {
  for (unsigned r = 0; r < rows; r++)
    for (unsigned s = 0; s < BITS_STEPS * form.groups; s++)
      exponents[r][s] = umma_small() / 2;
}

static unsigned scale_columns(unsigned n) { return 4 + (n + 31) / 32; }
static unsigned columns_of(unsigned n) { return (n + form.groups * scale_columns(n) + 7) / 8 * 8; }

static void put_scales(unsigned n, uint32_t (*columns)[LANES]) {
  for (unsigned set = 0; set < form.groups; set++, columns += scale_columns(n))
    for (unsigned lane = 0; lane < LANES; lane++)
      for (unsigned j = 0; j < 4; j++) {
        for (unsigned q = 0; q < 4; q++)
          columns[q][lane] |= (uint32_t)(127 + a_scale[32 * q + lane % 32][4 * set + j]) << 8 * j;
        for (unsigned c = lane % 32; c < n; c += 32)
          columns[4 + c / 32][lane] |= (uint32_t)(127 + b_scale[c][4 * set + j]) << 8 * j;
      }
}

static unsigned lane_of(const shape_t *t, unsigned row) {
  return t->m == LANES ? row : 32 * (row / 16) + row % 16;
}

/* The product of a row and a column, in units of 1, or with scales of 2^-8. */
static int product(unsigned row, unsigned column) {
  int sum = 0;
  if (form.groups == 0) {
    for (unsigned k = 0; k < BITS_STEPS * form.per_step; k++)
      sum += a_small[row][k] * b_small[column][k];
    return sum;
  }
  const unsigned length = form.per_step / form.groups;
  for (unsigned s = 0; s < BITS_STEPS * form.groups; s++) {
    int part = 0;
    for (unsigned k = s * length; k < (s + 1) * length; k++)
      part += a_small[row][k] * b_small[column][k];
    sum += part * (1 << (8 + a_scale[row][s] + b_scale[column][s]));
  }
  return sum;
}

static uint32_t encode(int v) {
  if (form.groups == 0 || v == 0) return umma_encode(form.d, v);
  return umma_encode(form.d, v) - (8u << 23);
}

/* A block of the kernel, and what D has then. */
static void prepare(shape_t *t, uint8_t *block, int (*sums)[LANES]) {
  static umma_launch_t scratch;
  t->a = matrix(t->kind, t->a_layout, t->m, UMMA_IMAGE);
  t->b = matrix(t->kind, t->b_layout, t->n, UMMA_IMAGE + (t->a.bytes + 1023) / 1024 * 1024);
  draw(form.a, t->m, a_bits, a_small);
  draw(form.b, t->n, b_bits, b_small);
  draw_scales(t->m, a_scale);
  draw_scales(t->n, b_scale);
  const machine_head_t head = machine_head(&form, &t->a, &t->b, scale_columns(t->n));
  memcpy(block, &head, sizeof head);
  umma_put(&scratch, &t->a, form.a, form.halves, BITS_STEPS * form.per_step, a_bits);
  umma_put(&scratch, &t->b, form.b, form.halves, BITS_STEPS * form.per_step, b_bits);
  memcpy(block + MACHINE_HEAD, scratch.image, IMAGE);
  uint32_t (*const columns)[LANES] = (uint32_t (*)[LANES])(void *)(block + MACHINE_HEAD + IMAGE);
  for (unsigned c = 0; c < t->n; c++) /* D before: integers, too */
    for (unsigned lane = 0; lane < LANES; lane++) {
      sums[c][lane] = umma_small() * (form.groups != 0 ? 256 : 1);
      columns[c][lane] = encode(sums[c][lane]);
    }
  put_scales(t->n, columns + t->n);
  for (unsigned row = 0; row < t->m; row++)
    for (unsigned c = 0; c < t->n; c++)
      sums[c][lane_of(t, row)] += product(row, c);
}

static bool same(const shape_t *t, int (*sums)[LANES], const uint32_t *got) {
  for (unsigned c = 0; c < t->n; c++)
    for (unsigned lane = 0; lane < LANES; lane++) {
      const uint32_t expected = encode(sums[c][lane]);
      if (got[c * LANES + lane] == expected) continue;
      printf("FAILED  %s m%u n%u A: layout %u, B: %u: lane %u column %u: %08x, expected %08x\n",
             form.label, t->m, t->n, t->a_layout, t->b_layout, lane, c, got[c * LANES + lane],
             expected);
      return false;
    }
  return true;
}

/* ---- which */

/* The types of an element change with N. */
static void choose(unsigned kind, unsigned n) {
  const unsigned pair = n / 8 * 7 % 25;
  form = kind == 0   ? *bits_form(n / 8 % 3)
         : kind == 1 ? *bits_form(3)
         : kind == 2 ? *bits_form(4 + pair + (n / 8 % 2 != 0 ? 25 : 0))
         : kind == 3 ? *bits_integer_form(n / 8 * 3 % 4)
         : kind == 4 ? *bits_form(54 + pair)
                     : *bits_form(79 + n / 8 % 3);
}

static unsigned gather(unsigned kind, unsigned n, bool pairs, shape_t *out) {
  const unsigned many = layouts(kind);
  unsigned count = 0;
  for (unsigned m = kind < 4 ? 64 : 128; m <= 128; m += 64)
    for (unsigned a = 0; a < many; a++)
      for (unsigned step = 0; step < (pairs ? many : 1); step++) {
        unsigned b = (a + n / 8 + m / 64 + step) % many;
        if (!legal(kind, n, b) && legal(kind, n, 0) && !pairs) b = a % UMMA_PATTERNS;
        if (legal(kind, n, b))
          out[count++] =
              (shape_t){.f = &form, .kind = kind, .m = m, .n = n, .a_layout = a, .b_layout = b};
      }
  return count;
}

static unsigned run(unsigned kind, unsigned n, bool pairs, unsigned *ran) {
  static shape_t shapes[CTAS];
  choose(kind, n);
  const unsigned count = gather(kind, n, pairs, shapes), columns = columns_of(n);
  const size_t block = MACHINE_HEAD + IMAGE + (size_t)columns * 4 * LANES;
  unsigned failed = 0;
  if (count == 0) return 0;
  uint8_t *const in = calloc(count, block);
  uint32_t *const out = calloc((size_t)count * n, sizeof(uint32_t) * LANES);
  umma_random = n + 1000 * kind;
  for (unsigned k = 0; in != NULL && k < count; k++)
    prepare(&shapes[k], in + k * block, want[k]);
  if (in == NULL || out == NULL || !bits_load(&machine, &form) ||
      machine_failed(&machine, form.label,
                     machine_launch(&machine, count, n, columns, IMAGE, in, block, out)))
    failed = count;
  for (unsigned k = 0; failed != count && k < count; k++)
    failed += !same(&shapes[k], want[k], out + (size_t)k * n * LANES);
  free(in);
  free(out);
  *ran += count;
  return failed;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  const wl_device_options_t options = {.backend = argv[1],
                                       .config = argv[2],
                                       .mem_bytes = UINT64_C(64) << 20,
                                       .inside = strcmp(argv[1], "lockstep") == 0};
  const bool pairs = strcmp(argv[3], "pairs") == 0;
  const unsigned each = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 1;
  const unsigned most = strcmp(argv[2], "base") == 0 ? 256 : 512; /* columns */
  unsigned failed = 0, ran = 0;
  if (wl_device_open(&options, &machine.device) != WL_OK) {
    printf("FAILED  %s\n", wl_error(machine.device));
    return 1;
  }
  for (unsigned kind = 0; kind < SHAPES; kind++)
    for (unsigned n = 8 + 8 * (kind % each); n <= MOST_N; n += 8 * each) {
      choose(kind, n);
      if (columns_of(n) <= most) failed += run(kind, n, pairs, &ran);
    }
  wl_device_close(machine.device);
  printf("%u products of four steps, %u failed; %llu cycles\n", ran, failed,
         (unsigned long long)machine.cycles);
  return failed != 0 || ran == 0;
}
