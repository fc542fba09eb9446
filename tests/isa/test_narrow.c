/* Conversions to and from formats of 8 bits and less, and stochastic rounding (cmodel/sem/sem_format.c)
 * against tables of the formats' numbers (narrow_table.h): every number, every middle between two and
 * the neighbours of both, each of the upper 16 bits of f32 with random lower ones, all bytes; of some
 * numbers all random bits. Usage: test_isa_narrow [F32 PER UPPER HALF] */
#include <stdlib.h>

#include "tests/isa/lanes.h"
#include "tests/isa/narrow_table.h"

static narrow_table_t table, halves; /* halves: f16 */

static uint32_t form_named(const char *prefix, const char *suffix) {
  char name[32];
  (void)snprintf(name, sizeof name, "%s%s%s", prefix, table.kind->name, suffix);
  for (uint32_t form = 0; form < WL_NUM_FORMS; form++)
    if (wl_form_info[form].name != NULL && strcmp(wl_form_info[form].name, name) == 0) return form;
  printf("no form %s\n", name);
  exit(1);
}

static void run(check_t *t, lanes_t *l, uint32_t form) {
  const uint32_t word[4] = {form, 0, 0, 0};
  l->mask = UINT32_MAX;
  if (lanes_decode(l, word) && lanes_run(l)) return;
  (void)check_equal(t, 0, 1);
  printf("form %u: refused\n", form);
}

static void compare(check_t *t, const lanes_t *l, unsigned i, uint32_t expected) {
  if (!check_equal(t, l->d[0][i], expected) && check_print(t))
    printf("%s a %08x b %08x c %08x: got %08x, expected %08x\n", l->dec.info->name, l->a[0][i],
           l->b[0][i], l->c[0][i], l->d[0][i], expected);
}

/* a and b of the lanes by the forms of the format. */
static void check_lanes(check_t *t, lanes_t *l) {
  const narrow_kind_t *k = table.kind;
  if (k->up < 16) {
    run(t, l, form_named("cvt.", "x2.f32"));
    for (unsigned i = 0; i < 32; i++)
      compare(t, l, i,
              narrow_nearest(&table, check_float(l->a[0][i])) << k->up |
                  narrow_nearest(&table, check_float(l->b[0][i])));
  }
  run(t, l, form_named("cvt.rs.", "x2.f32"));
  for (unsigned i = 0; i < 32; i++)
    compare(t, l, i,
            narrow_stochastic(&table, check_float(l->a[0][i]), l->c[0][i] >> 16) << k->up |
                narrow_stochastic(&table, check_float(l->b[0][i]), l->c[0][i]));
}

/* Operands gather in the lanes. Random bits: any, with the lowest and the highest often. */
typedef struct gather {
  lanes_t l;
  unsigned used;
} gather_t;

static void add(check_t *t, gather_t *g, uint32_t a, uint32_t b) {
  const uint64_t r = check_random(t);
  const uint32_t half[2] = {r >> 32 & 1 ? 0xffff : 0, r >> 33 & 1 ? 0xffff : 0};
  g->l.a[0][g->used] = a;
  g->l.b[0][g->used] = b;
  g->l.c[0][g->used] = r >> 34 & 3 ? (uint32_t)r : half[0] << 16 | half[1];
  if (++g->used < 32) return;
  check_lanes(t, &g->l);
  g->used = 0;
}

/* Numbers, middles and their neighbours of both signs, in both places; beyond the largest too. */
static void check_places(check_t *t) {
  gather_t g = {.used = 0};
  for (uint32_t v = 0; v <= table.kind->largest; v++) {
    const double x = table.number[v], next = table.number[v + 1];
    const uint32_t place[2] = {check_bits((float)x), check_bits((float)((x + next) / 2))};
    for (unsigned n = 0; n < 2 * 3 * 2; n++) {
      const uint32_t near = (place[n & 1] + (n >> 1) % 3 - 1) ^ (n / 6 & 1) << 31;
      add(t, &g, near, check_f32(t));
      add(t, &g, check_f32(t), near);
    }
  }
  for (unsigned k = 0; k < CHECK_ANCHORS; k++)
    add(t, &g, check_anchor_at(k), check_anchor_at(CHECK_ANCHORS - 1 - k));
  while (g.used != 0)
    add(t, &g, check_f32(t), check_f32(t));
}

static void check_upper_halves(check_t *t, unsigned count) {
  gather_t g = {.used = 0};
  for (unsigned n = 0; n < count; n++)
    for (uint32_t upper = 0; upper < 0x10000; upper++)
      add(t, &g, upper << 16 | (uint32_t)(check_random(t) & 0xffff), check_f32(t));
}

/* Over all random bits the number of roundings away from zero is floor(f * 2^n). */
static void check_all_random(check_t *t) {
  const narrow_kind_t *k = table.kind;
  const uint32_t form = form_named("cvt.rs.", "x2.f32");
  lanes_t l = {.mask = 0};
  for (unsigned i = 0; i < 32; i++) {
    const uint32_t v = (uint32_t)(check_random(t) % k->largest);
    const double way = ldexp((double)(check_random(t) & 0xffffff), -24);
    l.a[0][i] =
        check_bits((float)(table.number[v] + (table.number[v + 1] - table.number[v]) * way));
    l.b[0][i] = l.a[0][i] ^ UINT32_C(1) << 31;
  }
  uint32_t ups[2][32] = {{0}};
  const uint32_t mask = (1u << (k->exponent + k->fraction)) - 1;
  for (uint32_t r = 0; r < 1u << k->random; r++) {
    for (unsigned i = 0; i < 32; i++)
      l.c[0][i] = r << 16 | (r ^ 0x5a);
    run(t, &l, form);
    for (unsigned i = 0; i < 32; i++) {
      const uint32_t below = narrow_below(&table, (double)check_float(l.a[0][i]));
      ups[0][i] += (l.d[0][i] >> k->up & mask) != below;
      ups[1][i] += (l.d[0][i] & mask) != below;
    }
  }
  for (unsigned i = 0; i < 32; i++) {
    const double size = (double)check_float(l.a[0][i]);
    const uint32_t part = narrow_part(&table, size, narrow_below(&table, size));
    for (unsigned n = 0; n < 2; n++)
      if (!check_equal(t, ups[n][i], part) && check_print(t))
        printf("%s %08x: rounded up %u times, not %u\n", k->name, l.a[0][i], ups[n][i], part);
  }
}

/* ---- to f16: all words of 16 bits; what stands above does not count. */
static uint32_t widened(uint32_t number) {
  const narrow_kind_t *k = table.kind;
  const uint32_t sign = number >> (k->exponent + k->fraction) & 1;
  const uint32_t magnitude = number & (narrow_sign(k, true) - 1);
  const bool nan = k->nan != k->largest && magnitude > k->largest &&
                   !(k->exponent == 5 && magnitude == k->largest + 1);
  if (nan) return 0x7fff;
  return sign << 15 |
         (magnitude > k->largest ? 0x7c00 : narrow_below(&halves, table.number[magnitude]));
}

static void check_wide(check_t *t) {
  const narrow_kind_t *k = table.kind;
  const uint32_t form = form_named("cvt.f16x2.", "x2");
  for (uint32_t n = 0; n < 0x10000; n += 32) {
    lanes_t l = {.mask = 0};
    for (uint32_t i = 0; i < 32; i++)
      l.a[0][i] = (uint32_t)check_random(t) << 16 | (n + i);
    run(t, &l, form);
    for (uint32_t i = 0; i < 32; i++)
      compare(t, &l, i, widened(l.a[0][i] >> k->up) << 16 | widened(l.a[0][i]));
  }
}

int main(int argc, char **argv) {
  const unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 8;
  check_t t = {.state = 44};
  narrow_make(&halves, &narrow_kind[NARROW_SMALL]);
  for (unsigned n = 0; n < NARROW_KINDS; n++) {
    narrow_make(&table, &narrow_kind[n]);
    check_places(&t);
    check_upper_halves(&t, count);
    check_all_random(&t);
    if (n < NARROW_SMALL) check_wide(&t);
  }
  return check_done(&t, "narrow");
}
