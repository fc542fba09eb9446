// What docs/microarchitecture.md 25 and 26 say of a command, written from the sections for umma_tb.cpp:
// the judgement, where the elements of an operand lie, and the elements of D.
#pragma once
#include <cstdint>
#include <vector>

namespace umma {
enum Op { F16, COMMIT, TF32, F8F6F4, I8, CP, SHIFT, MXF8F6F4, MXF4 }; // as of the forms
// Bits that an element takes in a chunk.
inline unsigned bits_of(unsigned op) {
  return op == F16 ? 16 : op == TF32 ? 32 : op == MXF4 ? 4 : 8;
}
inline bool scaled(unsigned op) { return op == MXF8F6F4 || op == MXF4; }
inline bool product(unsigned op) { return op != COMMIT && op != CP && op != SHIFT; }

struct Operand {
  uint64_t word; // descriptor
  bool across, neg;
  unsigned rows, bits, type;
  uint32_t start() const { return (word & 0x3fff) * 16; }
  uint32_t lbo() const { return (word >> 16 & 0x3fff) * 16; }
  uint32_t sbo() const { return (word >> 32 & 0x3fff) * 16; }
  unsigned offset() const { return word >> 49 & 7; }
  unsigned swizzle() const { return static_cast<unsigned>(word >> 61 & 7); }
  unsigned per_chunk() const { return 128 / bits; } // J
  uint32_t width() const;
  bool reserved() const;
  uint32_t chunk(unsigned row, unsigned k) const; // byte of the chunk of element k of a row
  unsigned number(unsigned row, unsigned k) const { return (across ? row : k) % per_chunk(); }
  uint32_t end() const;
  uint32_t above(uint32_t y) const; // the end, from the highest chunk
};

struct Command {
  unsigned op;
  bool generic, read, ta, b16;
  unsigned scale, warp, lane, pc, cta, imm;
  uint32_t a[4], b[4], off[4];
  uint32_t instruction() const { return b[1]; }
  unsigned m() const { return 16 * (b[1] >> 24 & 31); }
  unsigned n() const { return 8 * (b[1] >> 17 & 63); }
  unsigned k() const { return 256 / bits_of(op); }
  bool half() const { return !scaled(op) && (b[1] >> 4 & 3) == 0; }
  unsigned type(bool second) const { return b[1] >> (second ? 10 : 7) & 7; }
  unsigned column() const { return b[0] & 0xffff; }
  Operand operand(bool second) const;
  int row(unsigned quarter, unsigned lane) const; // of A, -1: idle
  // CP: rows and chunks of the source; the row that a lane gets, -1: none. Address in tensor memory.
  unsigned shape() const { return imm & 7; }
  unsigned unpacking() const { return imm >> 3 & 3; }
  unsigned rows() const;
  unsigned chunks() const { return shape() < 2 ? 2 : 1; }
  int source(unsigned quarter, unsigned lane) const;
  uint32_t address() const { return op == SHIFT ? a[0] : b[0]; }
  // Scales of A or of B: the first column and how many; the byte of element k; their type.
  unsigned scale_column(bool second) const { return b[second ? 3 : 2] & 0xffff; }
  unsigned scale_columns(bool second) const { return second ? (n() + 31) / 32 : 4; }
  unsigned scale_byte(bool second, unsigned k) const {
    const unsigned id = b[1] >> (second ? 4 : 29) & 3;
    return op == MXF8F6F4 ? id : b16 ? k / 16 : id + k / 32;
  }
  bool e4m3_scales() const { return !(b[1] >> 23 & 1); }
};

struct Fault {
  bool bad;
  unsigned cause;
  uint64_t address;
};
// owns[u]: unit u of columns is the CTA's.
Fault judge(const Command &c, uint32_t smem_bytes, const std::vector<bool> &owns, unsigned columns);

// Element n of a chunk; of eight words of a row of A in tensor memory.
uint32_t of_chunk(const uint8_t *chunk, unsigned n, unsigned op, unsigned type);
uint32_t of_words(const uint32_t *words, unsigned k, unsigned op, unsigned type);
// An element with its sign inverted.
uint32_t negated(uint32_t x, unsigned op, unsigned type);
// Scale words of a row of A and of one of B.
struct Scales {
  uint32_t a, b;
};
// One element of D: K products and the addend, by 19.2 with the profiles of 25.7, 26.4 and 26.11.
uint32_t element(const Command &c, const uint32_t *a, const uint32_t *b, uint32_t addend,
                 const Scales &scales);
} // namespace umma
