// The Verilated board with bytes at its UART pins.
#ifndef WL_FPGA_SIM_PINS_H
#define WL_FPGA_SIM_PINS_H

#include <cstdint>
#include <deque>
#include <memory>

class Vboard;
class VerilatedContext;

class Board {
public:
  static constexpr unsigned kBitClocks = 4; // as CMakeLists.txt builds it
  explicit Board(unsigned core_divide = 1); // bridge cycles of a core cycle
  ~Board();
  void clock(); // one cycle
  std::deque<uint8_t> to_board, from_board;
  bool quiet() const; // nothing on the wires, nothing under way
  uint8_t led() const;
  uint64_t clocks = 0, bytes = 0;

private:
  void drive();
  void sample();
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vboard> top_;
  unsigned tx_bits_ = 0, tx_left_ = 0, tx_clock_ = 0; // to the board
  unsigned rx_bits_ = 0, rx_at_ = 0, rx_clock_ = 0;   // from the board
  bool rx_busy_ = false;
};

#endif
