// What docs/microarchitecture.md 25 says of a command, written from the section for umma_tb.cpp: the
// judgement, where the elements of an operand lie, and the elements of D.
#pragma once
#include <cstdint>
#include <vector>

namespace umma {
struct Operand {
  uint64_t word; // descriptor
  bool across, neg;
  unsigned rows;
  uint32_t start() const { return (word & 0x3fff) * 16; }
  uint32_t lbo() const { return (word >> 16 & 0x3fff) * 16; }
  uint32_t sbo() const { return (word >> 32 & 0x3fff) * 16; }
  unsigned offset() const { return word >> 49 & 7; }
  unsigned swizzle() const { return static_cast<unsigned>(word >> 61 & 7); }
  uint32_t width() const;
  bool reserved() const;
  uint32_t place(unsigned row, unsigned k) const; // byte of element k of a row, in the CTA's memory
  uint32_t end() const;
};

struct Command {
  bool commit, generic, read;
  unsigned scale, warp, lane, pc, cta;
  uint32_t a[4], b[2], off[4];
  uint32_t instruction() const { return b[1]; }
  unsigned m() const { return 16 * (b[1] >> 24 & 31); }
  unsigned n() const { return 8 * (b[1] >> 17 & 63); }
  bool half() const { return (b[1] >> 4 & 3) == 0; }
  bool bf16() const { return (b[1] >> 7 & 7) == 1; }
  unsigned column() const { return b[0] & 0xffff; }
  Operand operand(bool second) const;
  int row(unsigned quarter, unsigned lane) const; // of A, -1: idle
};

struct Fault {
  bool bad;
  unsigned cause;
  uint64_t address;
};
// owns[u]: unit u of columns is the CTA's.
Fault judge(const Command &c, uint32_t smem_bytes, const std::vector<bool> &owns, unsigned columns);

// One element of D: 16 products and the addend, by 19.2 with the profiles of 25.7.
uint32_t element(const uint16_t *a, const uint16_t *b, uint32_t addend, unsigned scale, bool bf16,
                 bool half);
} // namespace umma
