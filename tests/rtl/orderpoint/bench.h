// Helpers of the memory-side benches: random numbers, fields of wide ports, host-side references of
// atomic operations and of sub-word extension. The references are written from PTX 9.7.13.6 and
// docs/microarchitecture.md 10 to 13 and use the host's own arithmetic.
#pragma once
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/common/splitmix.h"

namespace bench {

inline uint64_t rng_state = 0x1234567;
inline uint64_t rnd() { return wl_splitmix64(&rng_state); }
inline uint32_t rnd(uint32_t n) { return static_cast<uint32_t>(rnd() % n); }

inline int failures = 0;
inline void check(bool ok, const char *what, uint64_t got, uint64_t expected, uint64_t where) {
  if (ok) return;
  if (++failures <= 20) {
    std::printf("FAIL %s at %" PRIu64 ": got 0x%" PRIx64 ", expected 0x%" PRIx64 "\n", what, where,
                got, expected);
  }
}
inline void check_eq(const char *what, uint64_t got, uint64_t expected, uint64_t where) {
  check(got == expected, what, got, expected, where);
}

// A field of a packed struct port, as 32-bit words, lowest first.
template <class Wide> void put(Wide &w, unsigned lo, unsigned width, uint64_t value) {
  for (unsigned i = 0; i < width; i++) {
    const unsigned at = lo + i;
    const uint32_t bit = 1u << (at % 32);
    if (i < 64 && ((value >> i) & 1)) {
      w[at / 32] |= bit;
    } else {
      w[at / 32] &= ~bit;
    }
  }
}
template <class Wide> uint64_t get(const Wide &w, unsigned lo, unsigned width) {
  uint64_t v = 0;
  for (unsigned i = 0; i < width && i < 64; i++) {
    v |= static_cast<uint64_t>((w[(lo + i) / 32] >> ((lo + i) % 32)) & 1) << i;
  }
  return v;
}

enum Type { U8, S8, U16, S16, B8, B16, B32, B64, B128, U32, S32, U64, S64, F32 };
enum Atom { NONE, ADD, MIN, MAX, INC, DEC, AND, OR, XOR, EXCH, CAS };

inline unsigned bytes_of(int t) {
  switch (t) {
  case U8:
  case S8:
  case B8:
    return 1;
  case U16:
  case S16:
  case B16:
    return 2;
  case B64:
  case U64:
  case S64:
    return 8;
  case B128:
    return 16;
  default:
    return 4;
  }
}

inline uint32_t f32_flush(uint32_t x) { return (x & 0x7f800000u) ? x : x & 0x80000000u; }
inline uint32_t f32_add(uint32_t a, uint32_t b, bool flush) {
  if (flush) {
    a = f32_flush(a);
    b = f32_flush(b);
  }
  float x, y;
  std::memcpy(&x, &a, 4);
  std::memcpy(&y, &b, 4);
  volatile float s = x + y;
  float t = s;
  uint32_t r;
  std::memcpy(&r, &t, 4);
  if ((r & 0x7fffffffu) > 0x7f800000u) return 0x7fffffffu;
  return flush ? f32_flush(r) : r; // tiny sums are exact, so flushing after rounding is flushing
}

inline uint64_t atomic(int op, int type, uint64_t old, uint64_t val, uint64_t cmp, bool flush) {
  if (bytes_of(type) == 8) {
    switch (op) {
    case ADD:
      return old + val;
    case MIN:
      return type == S64 ? (static_cast<int64_t>(old) < static_cast<int64_t>(val) ? old : val)
                         : (old < val ? old : val);
    case MAX:
      return type == S64 ? (static_cast<int64_t>(old) > static_cast<int64_t>(val) ? old : val)
                         : (old > val ? old : val);
    case AND:
      return old & val;
    case OR:
      return old | val;
    case XOR:
      return old ^ val;
    case EXCH:
      return val;
    default:
      return old == cmp ? val : old;
    }
  }
  const uint32_t o = static_cast<uint32_t>(old), v = static_cast<uint32_t>(val);
  const int32_t so = static_cast<int32_t>(o), sv = static_cast<int32_t>(v);
  switch (op) {
  case ADD:
    return type == F32 ? f32_add(o, v, flush) : static_cast<uint32_t>(o + v);
  case MIN:
    return type == S32 ? static_cast<uint32_t>(so < sv ? so : sv) : (o < v ? o : v);
  case MAX:
    return type == S32 ? static_cast<uint32_t>(so > sv ? so : sv) : (o > v ? o : v);
  case INC:
    return o >= v ? 0 : o + 1;
  case DEC:
    return (o == 0 || o > v) ? v : o - 1;
  case AND:
    return o & v;
  case OR:
    return o | v;
  case XOR:
    return o ^ v;
  case EXCH:
    return v;
  default:
    return o == static_cast<uint32_t>(cmp) ? v : o;
  }
}

struct AtomForm {
  int op, type;
};
inline const AtomForm kAtoms[] = {{ADD, U32},  {MIN, U32}, {MIN, S32}, {MAX, U32}, {MAX, S32},
                                  {INC, U32},  {DEC, U32}, {AND, B32}, {OR, B32},  {XOR, B32},
                                  {EXCH, B32}, {ADD, F32}, {ADD, U64}, {MIN, U64}, {MIN, S64},
                                  {MAX, U64},  {MAX, S64}, {AND, B64}, {OR, B64},  {XOR, B64},
                                  {EXCH, B64}, {CAS, B32}, {CAS, B64}};
constexpr unsigned kAtomForms = sizeof kAtoms / sizeof kAtoms[0];

// Value of a loaded sub-word.
inline uint32_t extend(int type, uint32_t v) {
  switch (type) {
  case U8:
    return v & 0xff;
  case S8:
    return static_cast<uint32_t>(static_cast<int32_t>(static_cast<int8_t>(v & 0xff)));
  case U16:
    return v & 0xffff;
  case S16:
    return static_cast<uint32_t>(static_cast<int32_t>(static_cast<int16_t>(v & 0xffff)));
  default:
    return v;
  }
}

inline int finish(const char *name, uint64_t count) {
  if (failures) {
    std::printf("%s: %d failures in %" PRIu64 " checks\n", name, failures, count);
    return 1;
  }
  std::printf("%s: %" PRIu64 " checks passed\n", name, count);
  return 0;
}
} // namespace bench
