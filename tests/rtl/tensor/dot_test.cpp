// Bench of rtl/tensor/dot against silicon: the elements of the matrix instructions that a record of
// tests/silicon has and the unit can do (of mma.sync and of wgmma), slice by slice, with pauses
// between elements and cycles in which the pipe does not move. The expected bits are the record's,
// the expected cycle is DotLatency's. Usage: FILE:MODES.. (so many kinds of operands of a record)
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>

#include WL_MODEL_HEADER
#include "verilated.h"
extern "C" {
#include "tests/common/splitmix.h"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" // C has functions with the names of structs
#include "tests/silicon/tensor_record.h"
#pragma GCC diagnostic pop
}

namespace {

WL_MODEL *top;
uint64_t rng_state = 19, moves, slices;
unsigned failures;

uint32_t rnd() { return static_cast<uint32_t>(wl_splitmix64(&rng_state)); }

// A result that is due: where it goes, and the number of moves after which it is there.
struct Due {
  uint64_t *d;
  uint64_t moves;
};
std::deque<Due> due;

// A cycle; whether the pipe moved.
bool cycle(bool may_stop) {
  top->move_i = !may_stop || rnd() % 8 != 0;
  top->eval();
  const bool moved = top->move_i;
  if (moved) {
    const bool expected = !due.empty() && due.front().moves == moves;
    if (expected != (top->valid_o != 0) && failures++ < 20) {
      std::printf("FAIL a result is %s\n", expected ? "late" : "not expected");
    }
    if (expected) {
      *due.front().d = top->d_o;
      due.pop_front();
    }
    moves++;
  }
  top->clk_i = 1;
  top->eval();
  top->clk_i = 0;
  top->eval();
  return moved;
}

// Words of a slice that nobody looks at hold anything.
void noise() {
  for (unsigned w = 0; w < WL_SLICE_WORDS; w++) {
    top->a_i[w] = rnd();
    top->b_i[w] = rnd();
  }
  top->c_i = rnd();
}

void pause() {
  top->valid_i = 0;
  noise();
  cycle(true);
}

unsigned bits_of(const tensor_t *t) { return tensor_format(t->a)->bits; }
bool is_float(const tensor_t *t) { return bits_of(t) >= 16; }

int kind_of(tensor_type_t type) {
  switch (type) {
  case TENSOR_F16:
    return 0;
  case TENSOR_BF16:
    return 1;
  case TENSOR_TF32:
    return 2;
  case TENSOR_S8:
  case TENSOR_U8:
    return 3;
  case TENSOR_S4:
  case TENSOR_U4:
    return 4;
  case TENSOR_B1:
    return 5;
  default:
    return -1;
  }
}

// One element of an instruction: a and b as words of `bytes` bytes. The result of the last slice.
void element(const tensor_t *t, unsigned bytes, const uint32_t *a, const uint32_t *b, uint64_t c,
             uint64_t *d) {
  const unsigned slice = is_float(t) ? 2 * WL_DOT_TERMS : WL_DOT_TERMS;
  const unsigned count = bytes > slice ? bytes / slice : 1;
  top->kind_i = static_cast<uint8_t>(kind_of(t->a));
  top->half_i = t->d == TENSOR_F16;
  top->unsigned_a_i = t->a == TENSOR_U8 || t->a == TENSOR_U4;
  top->unsigned_b_i = t->b == TENSOR_U8 || t->b == TENSOR_U4;
  top->sat_i = std::strstr(t->name, ".satfinite") != nullptr;
  top->differ_i = std::strstr(t->name, ".xor") != nullptr;
  for (unsigned s = 0; s < count; s++) {
    noise();
    const bool halves = !is_float(t) && WL_DOT_TERMS == 8; // low, then high bytes of 16 bits
    const unsigned words = halves ? 4 : slice / 4;
    top->part_i = s % 2;
    for (unsigned w = 0; w < words; w++) {
      const unsigned at = (halves ? s / 2 * 4 : s * slice / 4) + w; // beyond K a slice has zeros
      top->a_i[w] = at < bytes / 4 ? a[at] : 0;
      top->b_i[w] = at < bytes / 4 ? b[at] : 0;
    }
    top->valid_i = 1;
    top->first_i = s == 0;
    top->last_i = s == count - 1;
    top->c_i = static_cast<uint32_t>(c);
    while (!cycle(true)) {
    }
    slices++;
  }
  due.push_back({d, moves - 1 + WL_DOT_LATENCY - 1});
  if (rnd() % 16 == 0) {
    pause();
  }
}

void drain() {
  while (!due.empty()) {
    pause();
  }
}

// All elements of an item; D of a step is C of the next.
void solve(const tensor_t *t, const tensor_item_t *item, uint64_t *d) {
  const unsigned count = t->k / t->steps, bits = bits_of(t), bytes = count * bits / 8;
  const uint64_t sign = UINT64_C(1) << (bits - 1);
  for (unsigned step = 0; step < t->steps; step++) {
    for (unsigned e = 0; e < t->m * t->n; e++) {
      uint32_t a[8] = {}, b[8] = {};
      for (unsigned k = 0; k < count; k++) {
        const unsigned at = step * count + k, word = k * bits / 32, shift = k * bits % 32;
        const uint64_t x = item->a[e / t->n * t->k + at], y = item->b[at * t->n + e % t->n];
        a[word] |= static_cast<uint32_t>((x ^ (t->minus_a ? sign : 0)) << shift);
        b[word] |= static_cast<uint32_t>((y ^ (t->minus_b ? sign : 0)) << shift);
      }
      element(t, bytes, a, b, step != 0 ? d[e] : t->without_c ? 0 : item->c[e], &d[e]);
    }
    drain();
  }
}

bool knows(const tensor_t *t) {
  const unsigned bytes = t->k / t->steps * bits_of(t) / 8;
  return kind_of(t->a) >= 0 && t->c == t->d && !t->sparse && !t->wmma && t->quads == 1 &&
         (bytes == 16 || bytes == 32);
}

} // namespace

int main(int argc, char **argv) {
  VerilatedContext context;
  top = new WL_MODEL(&context);
  top->clk_i = 0;
  top->rst_ni = 0;
  cycle(false);
  top->rst_ni = 1;
  if (top->terms_o != WL_DOT_TERMS || top->latency_o != WL_DOT_LATENCY) {
    std::printf("FAIL the bench has other parameters than the configuration\n");
    return 1;
  }
  for (int i = 1; i < argc; i++) {
    const std::string argument = argv[i];
    const size_t colon = argument.rfind(':');
    const tensor_subject_t subject = {
        knows, solve, nullptr,
        static_cast<unsigned>(std::strtoul(argument.c_str() + colon + 1, nullptr, 10))};
    failures += tensor_record(argument.substr(0, colon).c_str(), &subject);
  }
  std::printf("%llu slices\n", static_cast<unsigned long long>(slices));
  top->final();
  delete top;
  return failures != 0 || slices == 0;
}
