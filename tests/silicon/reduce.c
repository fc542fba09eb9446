#include "tests/silicon/reduce.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tests/silicon/halves.h"

static uint32_t flushed(uint32_t bits) { return (bits & 0x7f800000) != 0 ? bits : bits & 1u << 31; }

static uint32_t add_f32(uint32_t a, uint32_t b, bool flush) {
  float x, y, z;
  a = flush ? flushed(a) : a;
  b = flush ? flushed(b) : b;
  memcpy(&x, &a, sizeof x);
  memcpy(&y, &b, sizeof y);
  z = x + y;
  memcpy(&a, &z, sizeof a);
  return isnan(z) ? 0x7fffffff : flush ? flushed(a) : a;
}

/* A NaN stays as it is, signalling ones too; the added value's comes first. */
static uint64_t add_f64(uint64_t memory, uint64_t value) {
  double x, y, z;
  memcpy(&x, &memory, sizeof x);
  memcpy(&y, &value, sizeof y);
  if (isnan(x) || isnan(y)) {
    return isnan(y) ? value : memory;
  }
  z = x + y;
  memcpy(&memory, &z, sizeof memory);
  return isnan(z) ? UINT64_C(0xfff8000000000000) : memory;
}

/* -0 is less than +0; a NaN gives way. */
static uint32_t least_half(uint32_t a, uint32_t b, unsigned fraction, bool max) {
  double x = half_value(a, fraction), y = half_value(b, fraction);
  if (isnan(x) || isnan(y)) {
    return !isnan(x) ? a : !isnan(y) ? b : 0x7fff;
  }
  bool a_less = x < y || (x == y && a >> 15 != 0);
  return a_less != max ? a : b;
}

static uint64_t integer(const char *op, bool is_signed, unsigned bits, uint64_t a, uint64_t b) {
  bool less = is_signed ? (int64_t)(a << (64 - bits)) < (int64_t)(b << (64 - bits)) : a < b;
  return strcmp(op, "add") == 0   ? a + b
         : strcmp(op, "min") == 0 ? (less ? a : b)
         : strcmp(op, "max") == 0 ? (less ? b : a)
         : strcmp(op, "inc") == 0 ? (a >= b ? 0 : a + 1)
         : strcmp(op, "dec") == 0 ? (a == 0 || a > b ? b : a - 1)
         : strcmp(op, "and") == 0 ? (a & b)
         : strcmp(op, "or") == 0  ? (a | b)
                                  : a ^ b;
}

static uint64_t element(const char *op, const char *type, unsigned bits, uint64_t a, uint64_t b) {
  bool half = strcmp(type, "f16") == 0, brain = strcmp(type, "bf16") == 0;
  if (half || brain) {
    unsigned fraction = half ? 10 : 7;
    return strcmp(op, "add") == 0
               ? half_add((uint32_t)a, (uint32_t)b, fraction)
               : least_half((uint32_t)a, (uint32_t)b, fraction, strcmp(op, "max") == 0);
  }
  if (strncmp(type, "f32", 3) == 0) {
    return add_f32((uint32_t)a, (uint32_t)b, strcmp(type, "f32.ftz") == 0);
  }
  return strcmp(type, "f64") == 0 ? add_f64(a, b) : integer(op, type[0] == 's', bits, a, b);
}

uint64_t reduce(const char *op, const char *type, uint64_t memory, uint64_t value) {
  unsigned bits = strstr(type, "64") != NULL ? 64 : strstr(type, "16") != NULL ? 16 : 32;
  uint64_t mask = UINT64_MAX >> (64 - bits), result = 0;
  for (unsigned at = 0; at < 64; at += bits) {
    result |= (element(op, type, bits, memory >> at & mask, value >> at & mask) & mask) << at;
  }
  return result;
}
