// Table of the order point as section 13 of docs/microarchitecture.md tells it, cycle by cycle: which
// row is admitted, which one each channel chooses, which one is answered. Written from the text; no
// data (orderpoint_tb.cpp performs the packets by itself).
#pragma once
#include <cstdint>

struct Packet {
  int op, atom, atype;
  uint64_t sector;
  uint32_t mask;
  unsigned unit, tag, sm;
  uint32_t data[8];
};

class Reference {
public:
  enum Choice { READ, WRITE, UNIT, RESPONSE, kChoices };
  static constexpr int kRows = 8;      // config.def OpTable of tiny
  static constexpr unsigned kStep = 5; // config.def AtomStep

  // Choices so far that were not the lowest row in the state: what a choice of the lowest row would
  // have got wrong.
  uint64_t turned[kChoices] = {};

  // The state of this cycle: an atomic taken e * AtomStep cycles ago is with the write channel now.
  void begin(uint64_t cycle) {
    if (unit_row_ >= 0 && cycle >= unit_until_) {
      rows_[unit_row_].state = kWreq;
      unit_row_ = -1;
    }
  }
  // Row chosen, -1 if none is in the state.
  int chosen(Choice c) const {
    for (int k = 1; k <= kRows; k++) {
      const int r = (last_[c] + k) % kRows;
      if (rows_[r].state == kStateOf[c]) return r;
    }
    return -1;
  }
  const Packet &packet(int row) const { return rows_[row].packet; }
  bool admits(bool stalled) const { return in_ && !stalled && free_row() >= 0 && !same(); }
  bool ready(bool stalled) const { return !in_ || admits(stalled); }

  struct Inputs {
    const Packet *packet; // offered
    bool stall_admit, stall_response, ar_ready, aw_ready;
    int read_id, write_id;    // rows answered, -1 none
    unsigned elements[kRows]; // of the packet of each row, if it is an atomic
  };
  // What happens in this cycle; all of it follows from the state before it.
  void end(const Inputs &i, uint64_t cycle, int op_ld, int op_st) {
    const int read = i.ar_ready ? chosen(READ) : -1, write = i.aw_ready ? chosen(WRITE) : -1;
    const int unit = unit_row_ < 0 ? chosen(UNIT) : -1;
    const int response = i.stall_response ? -1 : chosen(RESPONSE);
    const bool admit = admits(i.stall_admit), room = ready(i.stall_admit);
    const int into = free_row();
    serve(READ, read);
    serve(WRITE, write);
    serve(UNIT, unit);
    serve(RESPONSE, response);
    if (read >= 0) rows_[read].state = kRwait;
    if (write >= 0) rows_[write].state = kWwait;
    if (unit >= 0) {
      rows_[unit].state = kUnit;
      unit_row_ = unit;
      unit_until_ = cycle + i.elements[unit] * kStep;
    }
    if (response >= 0) rows_[response].state = kFree;
    if (i.read_id >= 0)
      rows_[i.read_id].state = rows_[i.read_id].packet.op == op_ld ? kResp : kAtom;
    if (i.write_id >= 0) rows_[i.write_id].state = kResp;
    if (admit) rows_[into] = {in_packet_.op == op_st ? kWreq : kRreq, in_packet_};
    if (room) {
      in_ = i.packet != nullptr;
      if (in_) in_packet_ = *i.packet;
    }
  }

private:
  enum State { kFree, kRreq, kRwait, kAtom, kUnit, kWreq, kWwait, kResp };
  static constexpr State kStateOf[kChoices] = {kRreq, kWreq, kAtom, kResp};
  struct Row {
    State state;
    Packet packet;
  };

  int free_row() const {
    for (int r = 0; r < kRows; r++)
      if (rows_[r].state == kFree) return r;
    return -1;
  }
  bool same() const {
    for (const Row &r : rows_)
      if (r.state != kFree && r.packet.sector == in_packet_.sector) return true;
    return false;
  }
  void serve(Choice c, int row) {
    if (row < 0) return;
    for (int r = 0; r < row; r++)
      if (rows_[r].state == kStateOf[c]) {
        turned[c]++;
        break;
      }
    last_[c] = row;
  }

  Row rows_[kRows] = {};
  int last_[kChoices] = {kRows - 1, kRows - 1, kRows - 1, kRows - 1};
  bool in_ = false;
  Packet in_packet_ = {};
  int unit_row_ = -1;
  uint64_t unit_until_ = 0;
};
