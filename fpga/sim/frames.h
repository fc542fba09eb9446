// Frames of the host link (docs/fpga.md 3) as bytes in a stream: cut out, and spoilt at random.
// For the simulated board and its tests; the driver has its own code.
#ifndef WL_FPGA_SIM_FRAMES_H
#define WL_FPGA_SIM_FRAMES_H

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

typedef std::vector<uint8_t> frame_bytes_t;

// A whole frame.
frame_bytes_t frame_make(uint8_t type, uint8_t seq, const frame_bytes_t &payload);

// How many of a hundred frames meet each fate.
typedef struct {
  unsigned drop, corrupt, duplicate, reorder;
  uint64_t seed;
} impair_t;

// "drop=1,corrupt=1,duplicate=1,reorder=1,seed=7"; false when it is not of this form.
bool impair_parse(const char *text, impair_t *impair);

// One direction of a link. Bytes go in as they come; whole frames come out, changed.
class Impaired {
public:
  Impaired(const impair_t &impair, unsigned direction);
  void put(uint8_t byte);
  void flush(); // no byte for a while: what is no whole frame passes as it is
  bool get(uint8_t *byte);
  uint64_t frames = 0, changed = 0;

private:
  unsigned draw();
  void pass(frame_bytes_t frame);
  void send(const frame_bytes_t &frame);
  impair_t impair_;
  uint64_t state_;
  frame_bytes_t in_, held_;
  std::deque<uint8_t> out_;
};

#endif
