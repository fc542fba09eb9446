/* umma_scaled.c: see umma_scaled.h. PTX 9.7.16.10.7; docs/microarchitecture.md 26.9 to 26.11. */
#include "umma_scaled.h"

#include <string.h>

#include "umma_rule.h"

enum { MOST_N = 256, TILE = 512 /* bytes of 128 scale words */ };

static uint32_t a_of[UMMA_ROWS][UMMA_MOST_K], b_of[MOST_N][UMMA_MOST_K];
static int a_small[UMMA_ROWS][UMMA_MOST_K], b_small[MOST_N][UMMA_MOST_K];
static uint8_t a_scale[UMMA_SETS][UMMA_ROWS][4],
    b_scale[UMMA_SETS][UMMA_QUARTERS][MOST_N][4]; /* bytes of scale words */
uint32_t umma_want[UMMA_LANES][UMMA_PITCH];
umma_launch_t umma_scaled_launch;

static unsigned per_step(const umma_scaled_t *t) { return t->v->halves ? 64 : 32; }
static unsigned count_of(const umma_scaled_t *t) { return per_step(t) * t->a.steps; }

/* ---- data */
static uint8_t draw_scale(const umma_scaled_t *t, bool wide) {
  const uint32_t word = umma_next() >> 8;
  if (wide) return (uint8_t)word;
  if (t->any) return (uint8_t)(t->ue4m3 ? word % 0x7f | (word & 0x80) : 107 + word % 41);
  return (uint8_t)(t->ue4m3 ? 48 + word % 24
                            : 124 + word % 7); /* an exponent of -1 to 1, or -3 to 3 */
}

static void draw_word(const umma_scaled_t *t, bool wide, uint8_t word[4]) {
  for (unsigned j = 0; j < 4; j++)
    word[j] = draw_scale(t, wide);
}

static void fill_scales(const umma_scaled_t *t, bool wide) {
  for (unsigned s = 0; s < t->sets; s++) {
    for (unsigned r = 0; r < UMMA_ROWS; r++)
      draw_word(t, wide, a_scale[s][r]);
    for (unsigned q = 0; q < UMMA_QUARTERS; q++)
      for (unsigned r = 0; r < MOST_N; r++)
        draw_word(t, wide, b_scale[s][q][r]);
    for (unsigned q = 1; q < UMMA_QUARTERS && t->copied; q++)
      memcpy(b_scale[s][q], b_scale[s][0], sizeof b_scale[s][0]);
  }
}

static void fill(const umma_scaled_t *t, const umma_type_t *type, unsigned rows,
                 uint32_t (*bits)[UMMA_MOST_K], int (*values)[UMMA_MOST_K]) {
  for (unsigned r = 0; r < rows; r++)
    for (unsigned k = 0; k < count_of(t); k++) {
      values[r][k] = umma_small();
      bits[r][k] = t->any ? umma_draw(type) : umma_encode(type, values[r][k]);
      if (t->any && (r * 7 + k / 16) % 9 == 0) bits[r][k] = 0; /* a group of zeros */
    }
}

/* ---- scales in shared memory, as libraries want them: 128 scale words, word m at 16 * (m mod 32) + 4 * (m / 32); or in
 * tensor memory, each quarter's own */
static uint32_t tile_at(const umma_scaled_t *t, unsigned set, unsigned tile) {
  const uint32_t behind = t->b.begin - 128 * t->b.base + t->b.bytes;
  return (behind + 15) / 16 * 16 + TILE * (set * (1 + t->tiles) + tile);
}

static void put_tile(uint32_t at, uint8_t (*words)[4], unsigned rows) {
  for (unsigned m = 0; m < rows; m++)
    memcpy(umma_scaled_launch.image + at - UMMA_IMAGE + 16 * (m % 32) + 4 * (m / 32), words[m], 4);
}

static void show(uint32_t (*tensor)[UMMA_PITCH], unsigned lane, unsigned column,
                 const uint8_t *word) {
  tensor[lane][column] =
      word[0] | (uint32_t)word[1] << 8 | (uint32_t)word[2] << 16 | (uint32_t)word[3] << 24;
}

/* all: with what nobody reads, as a copy brings it. */
static void put_scales(const umma_scaled_t *t, uint32_t (*tensor)[UMMA_PITCH], bool all) {
  const unsigned rows = all ? UMMA_ROWS * t->tiles : t->n, across = UMMA_ROWS / 32 * t->tiles;
  for (unsigned s = 0; s < t->sets; s++)
    for (unsigned lane = 0; lane < UMMA_LANES; lane++) {
      for (unsigned q = 0; q < UMMA_QUARTERS; q++)
        if (all || lane / 32 == q)
          show(tensor, lane, t->a_scales + UMMA_QUARTERS * s + q, a_scale[s][32 * q + lane % 32]);
      for (unsigned r = lane % 32; r < rows; r += 32)
        show(tensor, lane, t->b_scales + across * s + r / 32, b_scale[s][lane / 32][r]);
    }
}

/* ---- a launch */
static umma_command_t copy_of(uint32_t at, uint32_t to) {
  return (umma_command_t){.a = umma_sdesc(at, 0, 128, 0, 0), .d = to, .masked = 1};
}

static unsigned id_of(const umma_scaled_t *t, unsigned first, unsigned step) {
  return t->v->by16 ? 0 : t->v->halves ? 2 * ((first + step) % 2) : (first + step) % 4;
}

static void commands(const umma_scaled_t *t, unsigned said) {
  umma_command_t *c = umma_scaled_launch.command;
  for (unsigned s = 0; s < t->sets && t->copied; s++) {
    *c++ = copy_of(tile_at(t, s, 0), t->a_scales + UMMA_QUARTERS * s);
    for (unsigned b = 0; b < t->tiles; b++)
      *c++ = copy_of(tile_at(t, s, 1 + b), t->b_scales + UMMA_QUARTERS * (t->tiles * s + b));
  }
  for (unsigned s = 0; s < t->a.steps; s++) {
    const unsigned set = t->sets == 1 ? 0 : s;
    const uint32_t id_a = id_of(t, t->a_id, s), id_b = id_of(t, t->b_id, s);
    *c++ = (umma_command_t){
        .a = t->tensor_a ? t->a_first + 8 * s : umma_step(&t->a, s),
        .b = umma_step(&t->b, s),
        .d = t->first,
        .i = umma_idesc_scaled(t->ue4m3, t->v->halves ? 1 : t->a_type->code,
                               t->v->halves ? 1 : t->b_type->code, t->a.mn && !t->tensor_a, t->b.mn,
                               t->n, id_a, id_b) |
             (uint32_t)t->negate_a << 13 | (uint32_t)t->negate_b << 14,
        .enable = s != 0 || t->enable,
        .scale = said,
        /* bits 31:30 are not looked at: the id may stand there */
        .a_scales = id_a << 30 | (t->a_scales + UMMA_QUARTERS * set),
        .b_scales = id_b << 30 | (t->b_scales + UMMA_QUARTERS * t->tiles * set)};
  }
  umma_scaled_launch.commands = (uint32_t)(c - umma_scaled_launch.command);
}

/* ---- what is expected */
/* The scale of element k of a step. */
static uint8_t scale_at(const umma_scaled_t *t, const uint8_t *word, unsigned id, unsigned k) {
  return word[t->v->by16 ? k / 16 : t->v->halves ? id + k / 32 : id];
}

static uint32_t ruled(const umma_scaled_t *t, unsigned row, unsigned column, uint32_t d) {
  const unsigned count = per_step(t);
  uint32_t x[64], y[64];
  uint8_t sx[4], sy[4];
  for (unsigned s = 0; s < t->a.steps; s++) {
    const unsigned set = t->sets == 1 ? 0 : s;
    for (unsigned k = 0; k < count; k++) {
      x[k] = a_of[row][s * count + k] ^ (uint32_t)t->negate_a << (t->a_type->bits - 1);
      y[k] = b_of[column][s * count + k] ^ (uint32_t)t->negate_b << (t->b_type->bits - 1);
    }
    for (unsigned g = 0; g < count / 16; g++) {
      sx[g] = scale_at(t, a_scale[set][row], id_of(t, t->a_id, s), 16 * g);
      sy[g] = scale_at(t, b_scale[set][row / 32][column], id_of(t, t->b_id, s), 16 * g);
    }
    const uint32_t c = s != 0 || t->enable ? d : 0;
    d = t->v->halves ? umma_rule_groups(x, y, sx, sy, t->ue4m3, c)
                     : umma_rule_scaled(t->a_type, t->b_type, x, y, sx[0], sy[0], c);
  }
  return d;
}

/* The number of a scale that is near 1, exactly. */
static double number_of(const umma_scaled_t *t, uint8_t scale) {
  const int exponent = t->ue4m3 ? scale / 8 - 7 : scale - 127;
  const double power = exponent < 0 ? 1.0 / (1 << -exponent) : 1 << exponent;
  return t->ue4m3 ? power * (8 + scale % 8) / 8 : power;
}

/* The same of small numbers, as a sum that is exact. */
static uint32_t summed(const umma_scaled_t *t, unsigned row, unsigned column, int before) {
  const unsigned count = per_step(t);
  double sum = 0;
  for (unsigned k = 0; k < count_of(t); k++) {
    const unsigned s = k / count, set = t->sets == 1 ? 0 : s;
    const uint8_t x = scale_at(t, a_scale[set][row], id_of(t, t->a_id, s), k % count);
    const uint8_t y = scale_at(t, b_scale[set][row / 32][column], id_of(t, t->b_id, s), k % count);
    sum += a_small[row][k] * b_small[column][k] * number_of(t, x) * number_of(t, y);
  }
  if (t->negate_a != t->negate_b) sum = -sum;
  if (t->enable) sum += before;
  const float f = sum == 0 ? 0 : (float)sum;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return f == sum ? bits : 0xffffffff;
}

int umma_scaled_prepare(umma_scaled_t *t, unsigned said, bool wide) {
  static int before[UMMA_ROWS][MOST_N];
  int bad = 0;
  umma_lay_out(&t->a, UMMA_IMAGE);
  umma_lay_out(&t->b, UMMA_IMAGE + (t->tensor_a ? 0 : (t->a.bytes + 1023) / 1024 * 1024));
  umma_scaled_launch.bytes = (tile_at(t, t->sets, 0) - UMMA_IMAGE + 127) / 128 * 128;
  for (unsigned k = 0; k < UMMA_BYTES; k++)
    umma_scaled_launch.image[k] = (uint8_t)(umma_next() >> 24);
  fill(t, t->a_type, UMMA_ROWS, a_of, a_small);
  fill(t, t->b_type, t->n, b_of, b_small);
  fill_scales(t, wide);
  if (!t->tensor_a)
    umma_put(&umma_scaled_launch, &t->a, t->a_type, t->v->halves, count_of(t), a_of);
  umma_put(&umma_scaled_launch, &t->b, t->b_type, t->v->halves, count_of(t), b_of);
  for (unsigned s = 0; s < t->sets && t->copied; s++) {
    put_tile(tile_at(t, s, 0), a_scale[s], UMMA_ROWS);
    for (unsigned b = 0; b < t->tiles; b++)
      put_tile(tile_at(t, s, 1 + b), b_scale[s][0] + UMMA_ROWS * b, UMMA_ROWS);
  }
  commands(t, said);
  for (unsigned lane = 0; lane < UMMA_LANES; lane++)
    for (unsigned c = 0; c < UMMA_PITCH; c++)
      umma_scaled_launch.tensor[lane][c] = umma_next();
  for (unsigned row = 0; row < UMMA_ROWS; row++) {
    for (unsigned c = 0; c < t->n; c++) {
      before[row][c] = umma_small();
      umma_scaled_launch.tensor[row][t->first + c] =
          t->any ? umma_draw(&umma_f32) : umma_encode(&umma_f32, before[row][c]);
    }
    if (t->tensor_a)
      umma_put_row(&umma_scaled_launch.tensor[row][t->a_first], t->a_type, 1, t->v->halves,
                   count_of(t), a_of[row]);
  }
  if (!t->copied) put_scales(t, umma_scaled_launch.tensor, false);
  memcpy(umma_want, umma_scaled_launch.tensor, sizeof umma_want);
  if (t->copied) put_scales(t, umma_want, true);
  for (unsigned row = 0; row < UMMA_ROWS; row++)
    for (unsigned c = 0; c < t->n; c++) {
      uint32_t *word = &umma_want[row][t->first + c];
      *word = ruled(t, row, c, *word);
      bad += !t->any && *word != summed(t, row, c, before[row][c]);
    }
  return bad;
}
