// See pins.h.
#include "fpga/sim/pins.h"

#include <Vboard.h>
#include <verilated.h>

Board::Board(unsigned core_divide)
    : context_(new VerilatedContext), top_(new Vboard(context_.get())) {
  top_->clk_i = 0;
  top_->rst_ni = 0;
  top_->rx_i = 1;
  top_->core_divide_i = static_cast<uint8_t>(core_divide);
  for (int i = 0; i < 8; i++)
    clock();
  top_->rst_ni = 1;
  for (unsigned i = 0; i < 64 + 16 * core_divide; i++)
    clock(); // the core's own reset
  clocks = 0;
}

Board::~Board() { top_->final(); }

void Board::drive() {
  if (tx_left_ == 0 && !to_board.empty()) {
    tx_bits_ = static_cast<unsigned>(to_board.front()) << 1 | 0x200u; // start, data, stop
    to_board.pop_front();
    tx_left_ = 10;
    tx_clock_ = 0;
    bytes++;
  }
  top_->rx_i = tx_left_ == 0 ? 1 : tx_bits_ & 1u;
  if (tx_left_ != 0 && ++tx_clock_ == kBitClocks) {
    tx_clock_ = 0;
    tx_bits_ >>= 1;
    tx_left_--;
  }
}

void Board::sample() {
  const unsigned level = top_->tx_o;
  if (!rx_busy_) {
    if (level != 0) return;
    rx_busy_ = true;
    rx_clock_ = 0;
    rx_at_ = 0;
    rx_bits_ = 0;
  }
  if (rx_clock_ == kBitClocks / 2) {
    if (rx_at_ == 9) {
      rx_busy_ = false;
      if (level != 0) from_board.push_back(static_cast<uint8_t>(rx_bits_ >> 1));
      bytes += level;
      return;
    }
    rx_bits_ |= level << rx_at_++;
  }
  if (++rx_clock_ == kBitClocks) rx_clock_ = 0;
}

void Board::clock() {
  drive();
  top_->clk_i = 1;
  top_->eval();
  sample();
  top_->clk_i = 0;
  top_->eval();
  clocks++;
}

bool Board::quiet() const {
  return to_board.empty() && tx_left_ == 0 && !rx_busy_ && top_->active_o == 0;
}

uint8_t Board::led() const { return top_->led_o; }
