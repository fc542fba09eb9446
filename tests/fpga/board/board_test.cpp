// The whole board through its UART pins (docs/fpga.md 3, 4): every command with its answer and its
// errors, the rule of sequence numbers, spoilt frames, the link's pause, memory against a copy here,
// poke and peek. Frames are made here, expected answers are worked out here.
// Usage: board_test GROUP [DIVIDE]: link, commands, memory, arrays, run; DIVIDE: CoreDivide (1)
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "fpga/sim/frames.h"
#include "fpga/sim/pins.h"
#include "gen/wl_config.h"
#include "gen/wl_link.h"

namespace {

const wl_config_t *const kConfig = &wl_configs[WL_BOARD_CONFIG];

int failures = 0, checks = 0;
unsigned divide = 1;

void check(bool good, const char *what) {
  checks++;
  if (good) return;
  failures++;
  printf("FAILED: %s\n", what);
}

void check_equal(uint64_t got, uint64_t expected, const char *what) {
  checks++;
  if (got == expected) return;
  failures++;
  printf("FAILED: %s: got 0x%llx, expected 0x%llx\n", what, static_cast<unsigned long long>(got),
         static_cast<unsigned long long>(expected));
}

void put(frame_bytes_t *p, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++)
    p->push_back(static_cast<uint8_t>(value >> 8 * i));
}

uint64_t get(const frame_bytes_t &p, size_t at, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++)
    value |= static_cast<uint64_t>(
                 at + static_cast<size_t>(i) < p.size() ? p[at + static_cast<size_t>(i)] : 0xee)
             << 8 * i;
  return value;
}

class Host {
public:
  Board board{divide};
  uint8_t seq = 0;

  void send_bytes(const frame_bytes_t &bytes) {
    board.to_board.insert(board.to_board.end(), bytes.begin(), bytes.end());
  }
  // Runs until nothing happens for some byte times (a run of the core goes on).
  frame_bytes_t collect() {
    for (int quiet = 0; quiet < 500;) {
      board.clock();
      quiet = board.to_board.empty() && !talking() ? quiet + 1 : 0;
    }
    frame_bytes_t got(board.from_board.begin(), board.from_board.end());
    board.from_board.clear();
    return got;
  }
  // A request and the payload of its answer, whose frame is checked as a whole. type 0: none came.
  frame_bytes_t ask(uint8_t type, const frame_bytes_t &payload, uint8_t *answer_type) {
    return exchange(frame_make(type, seq++, payload), answer_type);
  }
  frame_bytes_t exchange(const frame_bytes_t &frame, uint8_t *answer_type) {
    send_bytes(frame);
    last_sent = frame;
    last_bytes = wait(frame[2]);
    const frame_bytes_t &got = last_bytes;
    *answer_type = 0;
    if (got.size() < 11) return {};
    const frame_bytes_t body(got.begin() + 7, got.end() - 4);
    const uint8_t same = frame[1] == 0x4c ? frame[3] : frame[5]; // behind start bytes
    check(got == frame_make(got[2], same, body), "form, seq and CRC of an answer");
    *answer_type = got[2];
    return body;
  }
  // An answer of success.
  frame_bytes_t good(uint8_t type, const frame_bytes_t &payload, size_t size) {
    uint8_t answer;
    const frame_bytes_t body = ask(type, payload, &answer);
    check_equal(answer, type | 0x80u, wl_link_cmd_name[type]);
    check_equal(body.size(), size, wl_link_cmd_name[type]);
    return body;
  }
  void refused(uint8_t type, const frame_bytes_t &payload, uint8_t error, const char *what) {
    uint8_t answer;
    const frame_bytes_t body = ask(type, payload, &answer);
    check_equal(answer, WL_LINK_ERROR, what);
    check_equal(get(body, 0, 8), get({error, type}, 0, 8), what);
    check_equal(body.size(), 2, what);
  }
  frame_bytes_t hello(uint32_t nonce) {
    frame_bytes_t p;
    put(&p, nonce, 4);
    return good(WL_LINK_CMD_HELLO, p, 40);
  }
  frame_bytes_t last_sent, last_bytes;

private:
  bool talking() {
    const bool same = board.from_board.size() == seen_;
    seen_ = board.from_board.size();
    return !same;
  }
  // Until an answer is complete, or nothing came for long.
  frame_bytes_t wait(uint8_t) {
    size_t want = 0;
    board.from_board.clear();
    for (uint64_t silent = 0; silent < 600000; silent++) {
      board.clock();
      if (!board.to_board.empty() || board.from_board.size() != seen_) silent = 0;
      seen_ = board.from_board.size();
      if (seen_ >= 7 && want == 0) want = 11u + board.from_board[4] + 256u * board.from_board[5];
      if (want != 0 && seen_ == want) break;
    }
    return frame_bytes_t(board.from_board.begin(), board.from_board.end());
  }
  size_t seen_ = 0;
};

frame_bytes_t words(std::initializer_list<uint64_t> list) {
  frame_bytes_t p;
  for (uint64_t w : list)
    put(&p, w, 4);
  return p;
}

frame_bytes_t bytes_of(uint64_t value, int n) {
  frame_bytes_t p;
  put(&p, value, n);
  return p;
}

frame_bytes_t join(frame_bytes_t a, const frame_bytes_t &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

uint32_t noise(uint32_t i) {
  uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  return static_cast<uint32_t>(z >> 16);
}

// ---- link

void nothing(Host *h, const frame_bytes_t &frame, const char *what) {
  h->board.from_board.clear();
  h->send_bytes(frame);
  check_equal(h->collect().size(), 0, what);
}

void test_link() {
  Host h;
  uint8_t type;
  nothing(&h, frame_make(WL_LINK_CMD_STATUS, 0, {}), "before HELLO nothing is answered");
  h.seq = 250;
  const frame_bytes_t hello = h.hello(0x1234);
  const frame_bytes_t hello_frame = h.last_sent, hello_bytes = h.last_bytes;
  check_equal(get(hello, 0, 4), 0x31424c57, "magic");
  check_equal(get(hello, 4, 2), WL_LINK_PROTOCOL, "protocol");
  check_equal(get(hello, 6, 2), WL_BOARD_CONFIG, "config");
  check_equal(get(hello, 8, 4), kConfig->board_mem_bytes, "mem_bytes");
  check_equal(get(hello, 12, 4), 12000 / divide, "clock_khz");
  check_equal(get(hello, 32, 8), 0, "bitstream_hash");
  // The same HELLO again: the stored answer. With another seq: dropped.
  h.exchange(hello_frame, &type);
  check(h.last_bytes == hello_bytes, "stored response of HELLO");
  nothing(&h, frame_make(WL_LINK_CMD_HELLO, 3, bytes_of(0x1234, 4)), "HELLO of the session");
  // Echo, also across the wrap of seq; each repeated frame gives the stored answer.
  for (unsigned n : {0u, 1u, 3u, 64u, 1039u, 1040u, 5u, 6u}) {
    frame_bytes_t payload;
    for (unsigned i = 0; i < n; i++)
      payload.push_back(static_cast<uint8_t>(noise(i + n)));
    const frame_bytes_t body = h.good(WL_LINK_CMD_ECHO, payload, n);
    check(body == payload, "echo");
    const frame_bytes_t sent = h.last_sent, first = h.last_bytes;
    h.exchange(sent, &type);
    check(h.last_bytes == first, "stored response of ECHO");
  }
  // Other sequence numbers.
  nothing(&h, frame_make(WL_LINK_CMD_ECHO, static_cast<uint8_t>(h.seq + 1), {1}), "seq ahead");
  nothing(&h, frame_make(WL_LINK_CMD_ECHO, static_cast<uint8_t>(h.seq - 2), {1}), "seq behind");
  // A repeat is not executed again: FILL, WRITE over it, FILL repeated, READ.
  h.good(WL_LINK_CMD_FILL, words({64, 4, 0x11111111}), 0);
  const frame_bytes_t fill = h.last_sent;
  h.good(WL_LINK_CMD_WRITE, words({64, 0x22222222}), 0);
  nothing(&h, fill, "an older request");
  h.good(WL_LINK_CMD_LED, {0x5a, 1}, 0);
  const frame_bytes_t led = h.last_sent;
  check_equal(h.board.led(), 0x5a, "LEDs");
  h.exchange(led, &type);
  check_equal(type, WL_LINK_CMD_LED | 0x80u, "stored response of LED");
  check_equal(get(h.good(WL_LINK_CMD_READ, join(words({64}), bytes_of(4, 2)), 4), 0, 4), 0x22222222,
              "the older FILL did nothing");
  // Spoilt frames: each byte changed, each length cut, garbage before; then a good one.
  const frame_bytes_t good = frame_make(WL_LINK_CMD_ECHO, h.seq, {7, 8, 9});
  for (size_t i = 0; i < good.size(); i++) {
    frame_bytes_t bad = good;
    bad[i] ^= static_cast<uint8_t>(1u << i % 8);
    nothing(&h, bad, "spoilt frame");
    nothing(&h, frame_bytes_t(1100, 0), "the end of a length that was too large");
  }
  for (size_t n = 1; n < good.size(); n++) {
    nothing(&h, frame_bytes_t(good.begin(), good.begin() + static_cast<long>(n)),
            "a part of a frame");
    // After the pause the rest is not a frame.
    for (unsigned i = 0; i < (WL_LINK_GAP_BITS + 64) * Board::kBitClocks; i++)
      h.board.clock();
    nothing(&h, frame_bytes_t(good.begin() + static_cast<long>(n), good.end()), "the rest of it");
  }
  frame_bytes_t garbage;
  for (unsigned i = 0; i < 3000; i++)
    garbage.push_back(static_cast<uint8_t>(noise(i)));
  garbage.push_back(0x57);
  nothing(&h, garbage, "garbage");
  for (unsigned i = 0; i < (WL_LINK_GAP_BITS + 64) * Board::kBitClocks; i++)
    h.board.clock();
  h.exchange(join({0x57, 0x57}, good), &type);
  check_equal(h.last_bytes.size(), 14, "a frame after garbage and start bytes");
  check(h.last_bytes == frame_make(WL_LINK_CMD_ECHO | 0x80u, h.seq, {7, 8, 9}), "its answer");
  h.seq++;
  // A length above the limit with right check and CRC.
  nothing(&h, frame_make(WL_LINK_CMD_ECHO, h.seq, frame_bytes_t(1041, 5)), "too long");
  // A pause shorter than the limit is none.
  const frame_bytes_t late = frame_make(WL_LINK_CMD_ECHO, h.seq++, {1});
  h.send_bytes(frame_bytes_t(late.begin(), late.begin() + 6));
  while (!h.board.to_board.empty())
    h.board.clock();
  for (unsigned i = 0; i < (WL_LINK_GAP_BITS - 64) * Board::kBitClocks; i++)
    h.board.clock();
  h.send_bytes(frame_bytes_t(late.begin() + 6, late.end()));
  check_equal(h.collect().size(), 12, "a frame with a short pause");
  // A new session from any seq.
  h.seq = 77;
  h.hello(0x9999);
  h.good(WL_LINK_CMD_STATUS, {}, 32);
}

// ---- commands and their errors

void test_commands() {
  Host h;
  h.hello(1);
  for (unsigned t : {0u, 17u, 64u, 126u, 127u})
    h.refused(static_cast<uint8_t>(t), {}, WL_LINK_ERR_UNKNOWN, "unknown command");
  // Every wrong length up to 16 bytes.
  static const struct {
    uint8_t type;
    unsigned good; // bytes; 100: 4 + 4 n, 101: 8 + 4 n, 102: any
  } lengths[] = {{WL_LINK_CMD_STATUS, 0}, {WL_LINK_CMD_RESET, 0},  {WL_LINK_CMD_WRITE, 100},
                 {WL_LINK_CMD_READ, 6},   {WL_LINK_CMD_FILL, 12},  {WL_LINK_CMD_SUM, 6},
                 {WL_LINK_CMD_START, 8},  {WL_LINK_CMD_RUN, 5},    {WL_LINK_CMD_STOP, 0},
                 {WL_LINK_CMD_DIGEST, 0}, {WL_LINK_CMD_POKE, 101}, {WL_LINK_CMD_PEEK, 10},
                 {WL_LINK_CMD_FREEZE, 5}, {WL_LINK_CMD_LED, 2},    {WL_LINK_CMD_HELLO, 4}};
  for (const auto &l : lengths) {
    for (unsigned n = 0; n <= 16; n++) {
      if (n == l.good || (l.good == 100 && n >= 4 && n % 4 == 0) ||
          (l.good == 101 && n >= 8 && n % 4 == 0))
        continue;
      h.refused(l.type, frame_bytes_t(n, 0), WL_LINK_ERR_LENGTH, wl_link_cmd_name[l.type]);
    }
  }
  h.refused(WL_LINK_CMD_WRITE, frame_bytes_t(4 + 1024 + 4, 0), WL_LINK_ERR_LENGTH, "long WRITE");
  h.refused(WL_LINK_CMD_POKE, frame_bytes_t(8 + 1024 + 4, 0), WL_LINK_ERR_LENGTH, "long POKE");
  // Places.
  const uint32_t end = kConfig->board_mem_bytes;
  const uint8_t out = WL_LINK_ERR_OUT_OF_RANGE;
  h.refused(WL_LINK_CMD_WRITE, words({2, 0}), out, "WRITE at 2");
  h.refused(WL_LINK_CMD_WRITE, words({end, 0}), out, "WRITE at the end");
  h.refused(WL_LINK_CMD_WRITE, words({end - 4, 0, 0}), out, "WRITE over the end");
  h.refused(WL_LINK_CMD_WRITE, words({0xfffffffc, 0, 0}), out, "WRITE wrapping");
  h.refused(WL_LINK_CMD_READ, join(words({0}), bytes_of(1028, 2)), out, "READ of 1,028");
  h.refused(WL_LINK_CMD_READ, join(words({0}), bytes_of(2, 2)), out, "READ of 2");
  h.refused(WL_LINK_CMD_READ, join(words({1}), bytes_of(4, 2)), out, "READ at 1");
  h.refused(WL_LINK_CMD_READ, join(words({end - 1020}), bytes_of(1024, 2)), out,
            "READ over the end");
  h.refused(WL_LINK_CMD_FILL, words({4, end, 0}), out, "FILL over the end");
  h.refused(WL_LINK_CMD_FILL, words({0, 0xfffffffc, 0}), out, "FILL of 4 GiB");
  h.refused(WL_LINK_CMD_FILL, words({4, 0xfffffffc, 0}), out, "FILL wrapping");
  h.refused(WL_LINK_CMD_FILL, words({0, 6, 0}), out, "FILL of 6");
  h.refused(WL_LINK_CMD_SUM, join(words({512}), bytes_of(1, 2)), out, "SUM at 512");
  h.refused(WL_LINK_CMD_SUM, join(words({0}), bytes_of(129, 2)), out, "SUM of 129");
  h.refused(WL_LINK_CMD_SUM, join(words({1024}), bytes_of(128, 2)), out, "SUM over the end");
  h.refused(WL_LINK_CMD_FREEZE, {1, 0, 0, 0, 8}, out, "density 8");
  // The first error wins by its number.
  h.refused(WL_LINK_CMD_WRITE, {3, 0, 0}, WL_LINK_ERR_LENGTH, "length before range");
  // STATUS of a core at rest; LEDs; PEEK loses the state until RESET.
  const frame_bytes_t s = h.good(WL_LINK_CMD_STATUS, {}, 32);
  check_equal(get(s, 0, 4), 0, "flags and trap");
  check_equal(get(s, 16, 8), 0, "cycle after power-on");
  check_equal(h.board.led() & 0xf8, 0x80, "LED of the session");
  h.good(WL_LINK_CMD_RESET, {}, 0);
  check_equal(get(h.good(WL_LINK_CMD_STOP, {}, 8), 0, 8), 0, "cycle after RESET");
  h.good(WL_LINK_CMD_PEEK, join({0, 0, 0, 0, 0, 0, 0, 0}, bytes_of(1, 2)), 4);
  check_equal(get(h.good(WL_LINK_CMD_STATUS, {}, 32), 0, 1), 16, "lost");
  check_equal(get(h.good(WL_LINK_CMD_STOP, {}, 8), 0, 8), WL_PEEK_TICKS, "ticks of PEEK");
  h.refused(WL_LINK_CMD_START, frame_bytes_t(8, 0), WL_LINK_ERR_LOST, "START after PEEK");
  h.good(WL_LINK_CMD_RESET, {}, 0);
  check_equal(get(h.good(WL_LINK_CMD_STATUS, {}, 32), 0, 1), 0, "lost after RESET");
  check_equal(h.good(WL_LINK_CMD_DIGEST, {}, 8 + 4 * 23).size(), 100, "digest");
}

// ---- memory

void test_memory() {
  Host h;
  h.hello(2);
  const uint32_t count = kConfig->board_mem_bytes / 4, blocks = count / 256;
  std::vector<uint32_t> copy(count, 0x01234567);
  h.good(WL_LINK_CMD_FILL, words({0, kConfig->board_mem_bytes, 0x01234567}), 0);
  // Writes of many sizes and places.
  for (uint32_t i = 0; i < 24; i++) {
    const uint32_t n = i < 8 ? i : 1 + noise(i) % 256;
    const uint32_t at = i == 9 ? count - n : noise(100 + i) % (count - n);
    frame_bytes_t p = words({at * 4});
    for (uint32_t k = 0; k < n; k++)
      put(&p, copy[at + k] = noise(1000 * i + k), 4);
    h.good(WL_LINK_CMD_WRITE, p, 0);
  }
  h.good(WL_LINK_CMD_FILL, words({0x1234, 0x40, 0xdeadbeef}), 0);
  for (uint32_t i = 0; i < 16; i++)
    copy[0x1234 / 4 + i] = 0xdeadbeef;
  bool same = true;
  for (uint32_t at = 0; at < count; at += 4096) { // a sample read, all of it by SUM
    const frame_bytes_t p =
        h.good(WL_LINK_CMD_READ, join(words({at * 4}), bytes_of(1024, 2)), 1024);
    for (uint32_t i = 0; i < 256; i++)
      same &= get(p, 4 * i, 4) == copy[at + i];
  }
  check(same, "what was written is read");
  const frame_bytes_t odd = h.good(WL_LINK_CMD_READ, join(words({0x1230}), bytes_of(12, 2)), 12);
  for (uint32_t i = 0; i < 3; i++)
    check_equal(get(odd, 4 * i, 4), copy[0x1230 / 4 + i], "READ of 12");
  h.good(WL_LINK_CMD_READ, join(words({0}), bytes_of(0, 2)), 0);
  const uint64_t before = h.board.clocks;
  const frame_bytes_t sums =
      h.good(WL_LINK_CMD_SUM, join(words({0}), bytes_of(blocks, 2)), blocks * 4);
  printf("SUM of all: %llu clocks\n", static_cast<unsigned long long>(h.board.clocks - before));
  check(h.board.clocks - before < 40000 * 20, "SUM of all within 20 ms of a 40 MHz clock");
  for (uint32_t b = 0; b < blocks; b++) {
    uint32_t crc = 0xffffffffu;
    for (uint32_t i = 0; i < 1024; i++) {
      crc ^= copy[256 * b + i / 4] >> 8 * (i % 4) & 255;
      for (int k = 0; k < 8; k++)
        crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    check_equal(get(sums, 4 * b, 4), ~crc, "SUM");
  }
}

// ---- arrays of the core

void test_arrays() {
  Host h;
  h.hello(3);
  const wl_config_t *c = kConfig;
  const struct {
    uint8_t array;
    uint32_t slices, rows;
  } arrays[] = {
      {WL_LINK_ARRAY_RF, 4 * c->sub_cores * c->lanes, c->reg_pages / c->sub_cores * 2 * c->beats},
      {WL_LINK_ARRAY_PRED, c->sub_cores, c->warps / c->sub_cores * 8},
      {WL_LINK_ARRAY_SMEM, c->smem_banks, c->smem_bytes / 4 / c->smem_banks},
      {WL_LINK_ARRAY_XBUF, 32 * c->sub_cores, c->warps / c->sub_cores},
      {WL_LINK_ARRAY_TMEM, 4 * c->lanes, c->tmem_columns * c->beats}};
  auto place = [](uint8_t array, uint32_t slice, uint32_t row) {
    frame_bytes_t p = {array, 0};
    put(&p, slice, 2);
    put(&p, row, 4);
    return p;
  };
  // The first and last slice of each array, whole or 256 rows; written as a whole before reading.
  for (int pass = 0; pass < 2; pass++) {
    for (const auto &a : arrays) {
      for (uint32_t slice : {0u, a.slices - 1}) {
        const uint32_t n = a.rows < 256 ? a.rows : 256, row = a.rows - n;
        if (pass == 0) {
          frame_bytes_t p = place(a.array, slice, row);
          for (uint32_t i = 0; i < n; i++)
            put(&p, noise(a.array * 100000 + slice * 1000 + i), 4);
          h.good(WL_LINK_CMD_POKE, p, 0);
        } else {
          const frame_bytes_t got =
              h.good(WL_LINK_CMD_PEEK, join(place(a.array, slice, row), bytes_of(n, 2)), 4 * n);
          for (uint32_t i = 0; i < n; i++)
            check_equal(get(got, 4 * i, 4), noise(a.array * 100000 + slice * 1000 + i),
                        wl_link_array_name[a.array]);
        }
      }
      const uint8_t out = WL_LINK_ERR_OUT_OF_RANGE;
      h.refused(WL_LINK_CMD_PEEK, join(place(a.array, a.slices, 0), bytes_of(1, 2)), out, "slice");
      h.refused(WL_LINK_CMD_PEEK, join(place(a.array, 0, a.rows), bytes_of(1, 2)), out, "row");
      h.refused(WL_LINK_CMD_PEEK, join(place(a.array, 0, 0x10000), bytes_of(1, 2)), out,
                "high row");
      h.refused(WL_LINK_CMD_POKE, join(place(a.array, 0, a.rows - 1), words({1, 2})), out, "rows");
    }
    if (pass == 0) h.good(WL_LINK_CMD_RESET, {}, 0); // leaves the arrays as they are
  }
  h.refused(WL_LINK_CMD_PEEK, join(place(5, 0, 0), bytes_of(1, 2)), WL_LINK_ERR_OUT_OF_RANGE,
            "array");
  h.refused(WL_LINK_CMD_PEEK, join(place(2, 0, 0), bytes_of(257, 2)), WL_LINK_ERR_OUT_OF_RANGE,
            "257");
}

// ---- running: cycles are counted, whatever freezes

void test_run() {
  Host h;
  h.hello(4);
  auto cycle = [&] { return get(h.good(WL_LINK_CMD_STOP, {}, 8), 0, 8); };
  auto settle = [&](uint64_t clocks) {
    for (uint64_t i = 0; i < clocks; i++)
      h.board.clock();
  };
  h.good(WL_LINK_CMD_RUN, join(words({1000}), {0}), 0);
  settle(1500 * divide);
  check_equal(cycle(), 1000, "RUN of 1,000");
  const uint64_t from = h.board.clocks;
  h.good(WL_LINK_CMD_RUN, join(words({20000}), {0}), 0);
  while (!h.board.quiet() && h.board.clocks - from < 1000000)
    h.board.clock();
  const uint64_t took = h.board.clocks - from, most = 2000; // of request and answer
  check(took >= 20000 * divide && took < 20000 * divide + most, "clocks of a core cycle");
  for (unsigned density = 0; density < 8; density++) {
    h.good(WL_LINK_CMD_FREEZE, join(words({density * 77}), {static_cast<uint8_t>(density)}), 0);
    h.good(WL_LINK_CMD_RESET, {}, 0);
    const uint64_t freezes = get(h.good(WL_LINK_CMD_STATUS, {}, 32), 28, 4);
    h.good(WL_LINK_CMD_RUN, join(words({997}), {0}), 0);
    settle(12000 * divide);
    const frame_bytes_t s = h.good(WL_LINK_CMD_STATUS, {}, 32);
    check_equal(get(s, 16, 8), 997, "RUN of 997, frozen at random");
    check_equal(get(s, 0, 1), 0, "flags after it");
    const double share = static_cast<double>(get(s, 28, 4) - freezes);
    // Cycles that a tick waits for by itself are counted too.
    const double expected = 997.0 * density * (1.0 / (8 - density) + (divide - 1) / 8.0);
    check(share >= 0.7 * expected && share < 1.4 * expected + 1, "freezes by density");
  }
  h.good(WL_LINK_CMD_FREEZE, {0, 0, 0, 0, 0}, 0);
  // A launch of an empty block: LOAD, then RUN with nothing; refusals while it runs, and STOP.
  h.good(WL_LINK_CMD_RESET, {}, 0);
  h.good(WL_LINK_CMD_START, words({0, 1}), 0);
  check_equal(cycle(), 1, "START is one cycle");
  h.refused(WL_LINK_CMD_POKE, join({0, 0, 0, 0, 0, 0, 0, 0}, words({1})), WL_LINK_ERR_BUSY, "POKE");
  h.good(WL_LINK_CMD_RUN, join(words({0xffffffff}), {0}), 0);
  for (uint8_t t : {WL_LINK_CMD_RESET, WL_LINK_CMD_DIGEST})
    h.refused(t, {}, WL_LINK_ERR_RUNNING, "while running");
  h.refused(WL_LINK_CMD_READ, join(words({0}), bytes_of(4, 2)), WL_LINK_ERR_RUNNING, "READ");
  h.refused(WL_LINK_CMD_POKE, join({0, 0, 0, 0, 0, 0, 0, 0}, words({1})), WL_LINK_ERR_RUNNING,
            "POKE");
  const frame_bytes_t a = h.good(WL_LINK_CMD_STATUS, {}, 32);
  const frame_bytes_t b = h.good(WL_LINK_CMD_STATUS, {}, 32);
  check(get(b, 16, 8) > get(a, 16, 8), "it runs");
  check_equal(get(a, 0, 1) & 1, 1, "flag running");
  check_equal(get(a, 16, 8) + get(a, 24, 4), 1 + UINT64_C(0xffffffff), "cycles and run_left");
  const auto start = std::chrono::steady_clock::now();
  settle(200000);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  printf("speed: %.0f clocks/s with the core running\n", 200000 / time.count());
  const uint64_t stopped = cycle();
  settle(1000);
  check_equal(cycle(), stopped, "STOP");
  check(h.board.led() >> 6 == 2, "LEDs: a session, not running");
}

} // namespace

int main(int argc, char **argv) {
  const std::string group = argc > 1 ? argv[1] : "";
  if (argc > 2) divide = static_cast<unsigned>(atoi(argv[2]));
  if (divide < 1 || divide > 15) return 2;
  if (group == "link")
    test_link();
  else if (group == "commands")
    test_commands();
  else if (group == "memory")
    test_memory();
  else if (group == "arrays")
    test_arrays();
  else if (group == "run")
    test_run();
  else
    return 2;
  printf("%s: %d checks, %d failures\n", group.c_str(), checks, failures);
  return failures != 0;
}
