/* overlap_moves.c: mov of vectors, packing, unpacking, cvt between wide registers. PTX 9.7.9.3. */
#include <stdbool.h>

#include "tests/oracle/overlap_list.h"

static const char *const k_elements = "xyzw";

/* Element e of the v in base `base`. */
static unsigned digit(unsigned v, unsigned e, unsigned base) {
  while (e-- != 0) {
    v /= base;
  }
  return v % base;
}

/* No digit of v repeats. */
static bool distinct(unsigned v, unsigned n, unsigned base) {
  for (unsigned i = 0; i < n; i++) {
    for (unsigned k = 0; k < i; k++) {
      if (digit(v, i, base) == digit(v, k, base)) {
        return false;
      }
    }
  }
  return true;
}

/* "{%w2, %w0}" of the digits of v. */
static void list(wl_overlap_out_t *o, char letter, unsigned v, unsigned n, unsigned base) {
  for (unsigned i = 0; i < n; i++) {
    wl_overlap_put(o, "%s%%%c%u", i == 0 ? "{" : ", ", letter, digit(v, i, base));
  }
  wl_overlap_put(o, "}");
}

static unsigned power(unsigned base, unsigned n) { return n == 0 ? 1 : base * power(base, n - 1); }

/* Every assignment of n destinations and n sources to `regs` registers. */
static void vectors(wl_overlap_out_t *o, const char *type, char letter, unsigned n, unsigned regs) {
  unsigned all = power(regs, n), source[4];
  for (unsigned to = 0; to < all; to++) {
    for (unsigned from = 0; from < all && distinct(to, n, regs); from++) {
      wl_overlap_start(o);
      wl_overlap_values(o, letter, regs);
      wl_overlap_put(o, "mov.v%u.%s ", n, type);
      list(o, letter, to, n, regs);
      wl_overlap_put(o, ", ");
      list(o, letter, from, n, regs);
      wl_overlap_put(o, ";\n");
      for (unsigned i = 0; i < regs; i++) {
        wl_overlap_dump(o, letter, i, NULL);
        source[i] = i;
      }
      for (unsigned i = 0; i < n; i++) {
        source[digit(to, i, regs)] = digit(from, i, regs);
      }
      o->row(o->context, &(wl_overlap_t){.text = o->text, .letter = letter, .source = source});
    }
  }
}

/* A vector register from its own elements, and elements from the register. */
static void vector_register(wl_overlap_out_t *o, const char *name, unsigned n) {
  for (unsigned v = 0; v < power(n, n); v++) {
    for (unsigned way = 0; way < (distinct(v, n, n) ? 2u : 1u); way++) {
      wl_overlap_start(o);
      for (unsigned i = 0; i < n; i++) {
        wl_overlap_put(o, "mov.b32 %s.%c, %%bw%u;\n", name, k_elements[i], i);
      }
      wl_overlap_put(o, way == 0 ? "mov.v%u.b32 %s, " : "mov.v%u.b32 ", n, name);
      for (unsigned i = 0; i < n; i++) {
        wl_overlap_put(o, "%s%s.%c", i == 0 ? "{" : ", ", name, k_elements[digit(v, i, n)]);
      }
      wl_overlap_put(o, way == 0 ? "};\n" : "}, %s;\n", name);
      for (unsigned i = 0; i < n; i++) {
        wl_overlap_put(o, "mov.b32 %%w%u, %s.%c;\n", i, name, k_elements[i]);
        wl_overlap_dump(o, 'w', i, NULL);
      }
      wl_overlap_done(o);
    }
  }
}

/* mov.bN {pieces}, a and back, every order of the pieces. */
static void pieces(wl_overlap_out_t *o, char whole, unsigned bits, char piece, unsigned n) {
  for (unsigned v = 0; v < power(4, n); v++) {
    wl_overlap_start(o);
    wl_overlap_values(o, whole, 2);
    if (piece != 'c') {
      wl_overlap_values(o, piece, 4);
    } else {
      wl_overlap_put(o, "mov.b32 {%%c3, %%c1, %%c0, %%c2}, %%bw1;\n");
    }
    wl_overlap_put(o, "mov.b%u %%%c1, ", bits, whole);
    list(o, piece, v, n, 4);
    wl_overlap_put(o, ";\n");
    if (distinct(v, n, 4)) {
      wl_overlap_put(o, "mov.b%u ", bits);
      list(o, piece, v, n, 4);
      wl_overlap_put(o, ", %%%c0;\n", whole);
    }
    wl_overlap_dump(o, whole, 0, NULL);
    wl_overlap_dump(o, whole, 1, NULL);
    for (unsigned i = 0; i < 4; i++) {
      wl_overlap_dump(o, piece, i, NULL);
    }
    wl_overlap_done(o);
  }
}

/* cvt in registers that are wider than both types. */
static void conversions(wl_overlap_out_t *o) {
  static const char *const types[] = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
  for (unsigned k = 0; k < 64 * 4; k++) {
    unsigned to = k % 8, from = k / 8 % 8, reg = k / 64 % 2, sat = k / 128;
    /* .sat must have a meaning: some value of the source's type is outside of the destination's */
    unsigned sign = to % 2, other = from % 2;
    bool inside = sign == other ? to / 2 >= from / 2 : sign > other && to / 2 > from / 2;
    if (sat != 0 && inside) {
      continue;
    }
    wl_overlap_start(o);
    wl_overlap_values(o, 'x', 2);
    wl_overlap_put(o, "cvt.%s%s.%s %%x0, %%x%u;\n", sat != 0 ? "sat." : "", types[to], types[from],
                   reg);
    wl_overlap_dump(o, 'x', 0, NULL);
    wl_overlap_dump(o, 'x', 1, NULL);
    wl_overlap_done(o);
  }
}

void wl_overlap_moves(wl_overlap_out_t *o) {
  static const char *const types[4][3] = {
      {"b16", "u16", "s16"}, {"b32", "u32", "s32"}, {"b64", "u64", "s64"}, {"f32", "f32", "f32"}};
  for (unsigned t = 0; t < 4; t++) {
    if (t != 2) { /* a vector has at most 128 bits */
      vectors(o, types[t][0], "hwxf"[t], 4, 4);
    }
    for (unsigned k = 0; k < (t == 3 ? 1u : 3u); k++) {
      vectors(o, types[t][k], "hwxf"[t], 2, 4);
    }
  }
  vector_register(o, "%v", 4);
  vector_register(o, "%u", 2);
  pieces(o, 'x', 64, 'w', 2);
  pieces(o, 'x', 64, 'h', 4);
  pieces(o, 'w', 32, 'h', 2);
  pieces(o, 'w', 32, 'c', 4);
  conversions(o);
}
