// The memory behind a Verilated gpu_top in a bench (docs/microarchitecture.md 13): every request is
// accepted and answered after a fixed latency; outside the image reads give 0. One clock cycle in two
// halves, up to the edge and the edge, so that outputs can be looked at between.
#ifndef WL_TESTS_RTL_CORE_SM_MEMORY_H
#define WL_TESTS_RTL_CORE_SM_MEMORY_H

#include <cstdint>
#include <cstring>
#include <deque>
#include <vector>

template <typename Model> struct SmMemory {
  static constexpr uint64_t Base = UINT64_C(1) << 32;
  static constexpr uint32_t Bytes = 1u << 20;
  std::vector<uint8_t> memory = std::vector<uint8_t>(Bytes);

  void before(Model &top, uint64_t now) {
    top.clk_i = 0;
    top.r_valid_i = !reads_.empty() && reads_.front().due == now;
    if (top.r_valid_i) {
      top.r_id_i = static_cast<uint8_t>(reads_.front().id);
      for (unsigned i = 0; i < 8; i++)
        top.r_data_i[i] = reads_.front().data[i];
      reads_.pop_front();
    }
    top.b_valid_i = !writes_.empty() && writes_.front().due == now;
    if (top.b_valid_i) {
      top.b_id_i = static_cast<uint8_t>(writes_.front().id);
      writes_.pop_front();
    }
    top.eval();
  }
  void after(Model &top, uint64_t now, unsigned latency) {
    if (top.ar_valid_o) {
      Answer a{now + latency, top.ar_id_o, {}};
      if (const uint8_t *p = sector(top.ar_addr_o)) std::memcpy(a.data, p, 32);
      reads_.push_back(a);
    }
    if (top.aw_valid_o) {
      if (uint8_t *p = sector(top.aw_addr_o)) {
        for (unsigned i = 0; i < 32; i++) {
          if (top.w_strb_o >> i & 1) p[i] = static_cast<uint8_t>(top.w_data_o[i / 4] >> i % 4 * 8);
        }
      }
      writes_.push_back(Answer{now + latency, top.aw_id_o, {}});
    }
    top.clk_i = 1;
    top.eval();
  }
  // Answers that are on their way do not come.
  void forget() {
    reads_.clear();
    writes_.clear();
  }

private:
  struct Answer {
    uint64_t due;
    unsigned id;
    uint32_t data[8];
  };
  uint8_t *sector(uint64_t addr) {
    return addr < Base || addr + 32 > Base + Bytes ? nullptr : &memory[addr - Base];
  }
  std::deque<Answer> reads_, writes_;
};

#endif
