/* test_umma_scaled.c: products in tensor memory with block scales, from PTX text to the words of tensor memory: each pair
 * of types, each place, id and type of scales, scales that quarters have for themselves or that tcgen05.cp brings, every
 * layout, A in tensor memory, N, chains of steps of K. Operands are small integers and scales powers of two or near
 * them, whose sums are exact, or any numbers, summed by umma_rule.h.
 *   test_umma_scaled [BACKEND CONFIG [EACH]]   EACH: every so many launches only */
#include <stdio.h>
#include <stdlib.h>

#include "umma_scaled.h"

enum { VARIANTS = 5 };
static const umma_variant_t variants[VARIANTS] = {
    {"mxf8f6f4", {"", ".scale_vec::1X"}, false, false, false},
    {"mxf8f6f4", {".block32", ".scale_vec::1X"}, false, false, false},
    {"mxf4", {".block32", ".scale_vec::2X"}, true, false, false},
    {"mxf4nvf4", {".block32", ".scale_vec::2X"}, true, false, false},
    {"mxf4nvf4", {".block16", ".scale_vec::4X"}, true, true, true}};

static const unsigned launches[VARIANTS] = {100, 25, 24, 24, 60};

static int run(umma_device_t *d, umma_scaled_t *t, unsigned k) {
  umma_launch_t *const l = &umma_scaled_launch;
  wl_trap_info_t trap;
  const int off = umma_scaled_prepare(t, k % 2, k % 6 == 3 + k / 6 % 3);
  l->waits = 1;
  const int cause = umma_run(d, l, &trap);
  unsigned lane = 0, c = 0;
  bool same = cause == 0 && off == 0;
  for (; same && lane < UMMA_LANES; lane += same)
    for (c = 0; c < l->columns && same; c += same)
      same = l->tensor[lane][c] == umma_want[lane][c];
  if (same) return 0;
  printf(
      "FAILED: %s%s launch %u: n%u types %u %u, %u steps; A: swizzle %u%s%s, B: swizzle %u%s; ids %u %u, D %u, scales "
      "%u %u%s%s%s%s: trap %d at %llx; %d rules; lane %u column %u: %08x, expected %08x\n",
      t->v->kind, t->v->said[k % 2], k, t->n, t->a_type->code, t->b_type->code, t->a.steps,
      t->a.pattern->code, t->a.mn ? " MN" : "", t->tensor_a ? " tensor" : "", t->b.pattern->code,
      t->b.mn ? " MN" : "", t->a_id, t->b_id, t->first, t->a_scales, t->b_scales,
      t->copied ? " copied" : "", t->enable ? " enabled" : "", t->any ? " any" : "",
      t->ue4m3 ? " ue4m3" : "", cause, cause > 0 ? (unsigned long long)trap.address : 0, off, lane,
      c, l->tensor[lane][c], umma_want[lane][c]);
  return 1;
}

/* ---- which launches */
static umma_matrix_t matrix(const umma_variant_t *v, unsigned which, unsigned rows,
                            unsigned steps) {
  const unsigned layout = which % (v->halves ? UMMA_PATTERNS : 2 * UMMA_PATTERNS - 1);
  const bool mn = layout >= UMMA_PATTERNS; /* of every pattern but the last */
  const unsigned p = mn ? layout - UMMA_PATTERNS : layout;
  return (umma_matrix_t){.pattern = &umma_patterns[p],
                         .mn = mn,
                         .wide = which % 2 != 0,
                         .rows = rows,
                         .steps = steps,
                         .size = 1,
                         .base = p != 0 && which % 3 == 0 ? which / 3 % 8 : 0};
}

/* Regions of columns one behind the other, gaps between them. */
static unsigned take(unsigned *column, unsigned columns, unsigned gap) {
  const unsigned at = *column + gap;
  *column = at + columns;
  return at;
}

static umma_scaled_t test_of(const umma_variant_t *v, unsigned k, bool tensor_a, unsigned columns) {
  static const unsigned ns[] = {8, 16, 24, 32, 40, 56, 64, 88, 128, 136, 160, 248, 256};
  enum { NS = sizeof ns / sizeof ns[0] };
  const umma_kind_t *const f = &umma_kinds[UMMA_F8F6F4];
  const unsigned steps = 1 + k / 2 % (v->halves ? 2 : 4);
  umma_scaled_t t = {.v = v,
                     .a_type = &f->type[v->halves ? 4 : k % 5],
                     .b_type = &f->type[v->halves ? 4 : k / 5 % 5],
                     .n = ns[k % NS],
                     .sets = v->by16 ? steps : 1,
                     .tensor_a = tensor_a,
                     .copied = k % 3 == 1,
                     .enable = k % 4 != 1,
                     .any = k / 3 % 2 == 1,
                     .ue4m3 = v->ue4m3 && k / 2 % 3 != 0};
  t.a_id = k / 3, t.b_id = k / 7;
  t.negate_a = k % 11 == 3 || k % 11 == 4;
  t.negate_b = k % 11 == 4 || k % 11 == 5;
  t.a = matrix(v, k / 2, UMMA_ROWS, steps);
  t.b = matrix(v, k / 4, 0, steps);
  const unsigned used = UMMA_QUARTERS * t.sets * 3 + (tensor_a ? 8 * steps : 0) + 3;
  if (t.n + used > columns) t.n -= 128;
  if (t.b.mn && t.n % 16 != 0) t.n += 8;
  t.tiles = (t.n + 127) / 128;
  t.b.rows = t.n;
  unsigned column = 0;
  const unsigned gap = k % 2;
  if (k % 3 == 0) t.first = take(&column, t.n, gap);
  t.a_scales = take(&column, UMMA_QUARTERS * t.sets, gap);
  if (tensor_a) t.a_first = take(&column, 8 * steps, 0);
  if (k % 3 == 1) t.first = take(&column, t.n, gap);
  t.b_scales = take(&column, UMMA_QUARTERS * t.tiles * t.sets, gap);
  if (k % 3 == 2) t.first = columns - t.n;
  return t;
}

int main(int argc, char **argv) {
  wl_device_options_t o = {.mem_bytes = 16 << 20, .config = "full", .max_cycles = 50000000};
  if (argc > 2) o.backend = argv[1], o.config = argv[2];
  const unsigned each = argc > 3 ? (unsigned)atoi(argv[3]) : 1, columns = umma_columns(o.config);
  umma_device_t d = {0};
  int bad = 0, ran = 0;
  if (!umma_open(&o, &d)) return 1;
  umma_scaled_launch.columns = columns;
  for (unsigned n = 0; n < 2 * VARIANTS; n++) {
    const umma_variant_t *const v = &variants[n / 2];
    if (!umma_load_scaled(&d, v->kind, v->said, n % 2 != 0)) return 1;
    for (unsigned k = n % each; k < launches[n / 2]; k += each) {
      umma_random = k + 1000 * n;
      umma_scaled_t t = test_of(v, k, n % 2 != 0, columns);
      bad += run(&d, &t, k);
      ran++;
    }
  }
  wl_device_close(d.device);
  printf("%d launches, %d failed\n", ran, bad);
  return bad != 0 || ran == 0;
}
