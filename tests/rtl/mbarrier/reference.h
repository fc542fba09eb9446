// An mbarrier and the operations on it in plain integers, from the tables of
// docs/microarchitecture.md 21.1 and 21.2.
#pragma once
#include <cstdint>

namespace mbarrier {

enum Op { INIT = 1, ARRIVE, DROP, EXPECT, COMPLETE, ARRIVETX, DROPTX, INC, kOps };
constexpr int64_t kMost = (1 << 20) - 1; // of P, E and of X without its sign

struct Object {
  int64_t p, e, x, phase;
};

// Bits 19:0, 31:20 and 61:53, 32, 52:33 as summands.
inline uint64_t encode(const Object &o) {
  const uint64_t x = static_cast<uint64_t>(o.x < 0 ? o.x + (1 << 21) : o.x);
  const uint64_t low = static_cast<uint64_t>(o.p) + x % 4096 * (1 << 20);
  const uint64_t high = static_cast<uint64_t>(o.phase + 2 * o.e) + x / 4096 * (1 << 21);
  return low + (high << 32);
}
inline Object decode(uint64_t w) {
  const uint64_t low = w % (UINT64_C(1) << 32), high = w >> 32;
  Object o;
  o.p = static_cast<int64_t>(low % (1 << 20));
  o.phase = static_cast<int64_t>(high % 2);
  o.e = static_cast<int64_t>(high / 2 % (1 << 20));
  o.x = static_cast<int64_t>(low / (1 << 20) + high / (1 << 21) % 512 * 4096);
  if (o.x >= 1 << 20) o.x -= 1 << 21;
  return o;
}

struct Outcome {
  Object now;
  bool misuse, complete;
};

inline Outcome operate(int op, const Object &was, uint32_t b) {
  const int64_t n = b;
  Object o = was;
  bool misuse = false;
  switch (op) {
  case INIT:
    misuse = n == 0 || n > kMost;
    o = {n, n, 0, 0};
    break;
  case ARRIVE:
    misuse = n > o.p;
    o.p -= n;
    break;
  case DROP:
    misuse = n > o.p || n > o.e;
    o.p -= n;
    o.e -= n;
    break;
  case INC:
    misuse = o.p + n > kMost;
    o.p += n;
    break;
  case COMPLETE:
    misuse = n > kMost || o.x - n < -kMost;
    o.x -= n;
    break;
  case EXPECT:
  case ARRIVETX:
  case DROPTX:
    misuse = n > kMost || o.x + n > kMost;
    o.x += n;
    if (op == EXPECT) break;
    misuse = misuse || o.p == 0;
    o.p--;
    if (op == ARRIVETX) break;
    misuse = misuse || o.e == 0;
    o.e--;
    break;
  default:
    break;
  }
  if (misuse) return {was, true, false};
  const bool complete = op != INIT && o.p == 0 && o.x == 0;
  if (complete) {
    o.phase = 1 - o.phase;
    o.p = o.e;
  }
  return {o, false, complete};
}

} // namespace mbarrier
