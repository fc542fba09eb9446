// See frames.h.
#include "fpga/sim/frames.h"

#include <cstdlib>
#include <cstring>

static uint32_t crc32_of(const uint8_t *data, size_t size) {
  uint32_t crc = 0xffffffffu;
  for (size_t i = 0; i < size; i++) {
    crc ^= data[i];
    for (int k = 0; k < 8; k++)
      crc = crc >> 1 ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

static uint8_t crc8_of(const uint8_t *data, size_t size) {
  unsigned crc = 0;
  for (size_t i = 0; i < size; i++) {
    crc ^= data[i];
    for (int k = 0; k < 8; k++)
      crc = (crc << 1 ^ ((crc & 0x80u) != 0 ? 0x07u : 0u)) & 0xffu;
  }
  return static_cast<uint8_t>(crc);
}

frame_bytes_t frame_make(uint8_t type, uint8_t seq, const frame_bytes_t &payload) {
  frame_bytes_t summed = {type, seq, static_cast<uint8_t>(payload.size()),
                          static_cast<uint8_t>(payload.size() >> 8)};
  const uint8_t check = crc8_of(summed.data(), 4);
  summed.insert(summed.end(), payload.begin(), payload.end());
  const uint32_t crc = crc32_of(summed.data(), summed.size());
  frame_bytes_t frame = {0x57, 0x4c, type, seq, summed[2], summed[3], check};
  frame.insert(frame.end(), payload.begin(), payload.end());
  for (int i = 0; i < 4; i++)
    frame.push_back(static_cast<uint8_t>(crc >> 8 * i));
  return frame;
}

bool impair_parse(const char *text, impair_t *impair) {
  static const char *const names[] = {"drop", "corrupt", "duplicate", "reorder"};
  unsigned *const values[] = {&impair->drop, &impair->corrupt, &impair->duplicate,
                              &impair->reorder};
  std::string rest = text;
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    const std::string item = rest.substr(0, comma);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    const size_t equals = item.find('=');
    if (equals == std::string::npos) return false;
    char *end = nullptr;
    const uint64_t value = strtoull(item.c_str() + equals + 1, &end, 0);
    if (*end != '\0' || end == item.c_str() + equals + 1) return false;
    const std::string name = item.substr(0, equals);
    bool known = name == "seed";
    if (known) impair->seed = value;
    for (size_t i = 0; i < 4; i++) {
      if (name != names[i]) continue;
      if (value > 100) return false;
      *values[i] = static_cast<unsigned>(value);
      known = true;
    }
    if (!known) return false;
  }
  return true;
}

Impaired::Impaired(const impair_t &impair, unsigned direction)
    : impair_(impair), state_(impair.seed * 2 + direction + 1) {}

// SplitMix64, 0 to 99.
unsigned Impaired::draw() {
  state_ += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = state_;
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return static_cast<unsigned>((z ^ z >> 31) % 100);
}

void Impaired::send(const frame_bytes_t &frame) {
  out_.insert(out_.end(), frame.begin(), frame.end());
}

void Impaired::pass(frame_bytes_t frame) {
  frames++;
  const unsigned fate = draw();
  unsigned at = impair_.drop;
  if (fate < at) {
    changed++;
    return;
  }
  if (fate < (at += impair_.corrupt)) {
    frame[draw() * frame.size() / 100] ^= static_cast<uint8_t>(1u << draw() % 8);
    changed++;
  } else if (fate < (at += impair_.duplicate)) {
    send(frame);
    changed++;
  } else if (fate < (at += impair_.reorder) && held_.empty()) {
    held_ = frame; // behind the next one
    changed++;
    return;
  }
  send(frame);
  send(held_);
  held_.clear();
}

void Impaired::put(uint8_t byte) {
  in_.push_back(byte);
  // Not the start of a frame: passes as it is.
  while (!in_.empty() && (in_[0] != 0x57 || (in_.size() > 1 && in_[1] != 0x4c))) {
    out_.push_back(in_[0]);
    in_.erase(in_.begin());
  }
  if (in_.size() < 7) return;
  const size_t size = 11u + in_[4] + 256u * in_[5];
  if (size > 11 + 1040) {
    flush();
  } else if (in_.size() == size) {
    frame_bytes_t frame;
    frame.swap(in_);
    pass(frame);
  }
}

void Impaired::flush() {
  send(in_);
  in_.clear();
}

bool Impaired::get(uint8_t *byte) {
  if (out_.empty()) return false;
  *byte = out_.front();
  out_.pop_front();
  return true;
}
