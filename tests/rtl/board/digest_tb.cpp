// Signatures (fpga/rtl/digest.sv in rtl/dpi/journal.sv) against the reference signature.c: random
// records of all kinds, two writers of each at once; then, of short histories, that two records
// swapped, one record moved by a cycle, one dropped and every single bit changed give another
// signature.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "Vdigest_bench.h"
#define _Static_assert static_assert // the generated headers are C
#include "gen/warplock_layout.h"
#include "tests/common/splitmix.h"
#include "tests/rtl/board/signature.h"

namespace {
constexpr unsigned Kinds = SIGNATURE_KINDS;
constexpr unsigned Config = 0; // tiny
constexpr unsigned Lanes = 8;
unsigned failures = 0;
uint64_t state = 20261122;

uint32_t random32() { return static_cast<uint32_t>(wl_splitmix64(&state)); }

struct Record {
  unsigned kind = 0, writer = 0, cycle = 0;
  uint32_t word[17] = {}; // PACKET has most
};

unsigned words_of(unsigned kind) { return wl_journal_info[kind].words[Config]; }

Record random_record(unsigned kind, unsigned writer) {
  Record r;
  r.kind = kind;
  r.writer = writer;
  for (uint32_t &w : r.word)
    w = random32() >> (random32() % 4 * 8);
  if (kind == WL_J_PACKET) {
    r.word[0] = random32() % 4;
    r.word[1] = random32() % 12;
  }
  if (kind == WL_J_RESPONSE) r.word[0] = random32() % 4;
  return r;
}

// The words as the journal has them: what is disabled is 0.
Record canonical(Record r) {
  auto keep_bytes = [&r](unsigned first, unsigned count, uint32_t mask) {
    for (unsigned i = 0; i < 4 * count; i++) {
      if (!(mask >> i & 1)) r.word[first + i / 4] &= ~(UINT32_C(0xff) << i % 4 * 8);
    }
  };
  switch (r.kind) {
  case WL_J_RF:
  case WL_J_XBUF:
  case WL_J_TMEM:
    for (unsigned l = 0; l < Lanes; l++) {
      if (!(r.word[2] >> l & 1)) r.word[3 + l] = 0;
    }
    break;
  case WL_J_SMEM:
    keep_bytes(3, 1, r.word[2]);
    break;
  case WL_J_PACKET: { // a load brings no data; cas has an element in both halves
    const bool cas = r.word[1] == 10;
    const uint32_t both = r.word[7] | (cas ? r.word[7] << 16 | r.word[7] >> 16 : 0);
    keep_bytes(8, 8, r.word[0] == 0 ? 0 : both);
    break;
  }
  case WL_J_RESPONSE:
    keep_bytes(3, 8, r.word[0] == 0 || r.word[0] == 2 ? ~UINT32_C(0) : 0);
    break;
  default:
    break;
  }
  return r;
}

struct Bench {
  VerilatedContext context;
  std::unique_ptr<Vdigest_bench> top{new Vdigest_bench{&context}};

  void cycle(const std::vector<Record> &records) {
    uint64_t valid = 0;
    for (const Record &r : records) {
      const unsigned at = Kinds * r.writer + r.kind;
      valid |= UINT64_C(1) << at;
      for (unsigned i = 0; i < 17; i++)
        top->word_i[17 * at + i] = r.word[i];
    }
    top->valid_i = valid;
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
  }
  uint32_t sig(unsigned kind) const { return top->digest_o[kind]; }
};

void random_cycles(unsigned cycles) {
  Bench bench;
  signature_t ref = {};
  uint64_t records = 0;
  for (unsigned c = 0; c < cycles && failures == 0; c++) {
    std::vector<Record> now;
    for (unsigned k = 0; k < Kinds; k++) {
      for (unsigned w = 0; w < 2; w++) {
        if (random32() % 3 == 0) now.push_back(random_record(k, w));
      }
    }
    for (const Record &r : now) {
      const Record j = canonical(r);
      signature_record(&ref, r.kind, j.word, words_of(r.kind));
    }
    records += now.size();
    bench.cycle(now);
    signature_tick(&ref);
    for (unsigned k = 0; k < Kinds; k++) {
      if (bench.sig(k) == ref.sig[k]) continue;
      std::printf("FAILED cycle %u kind %u: got %08x expected %08x\n", c, k, bench.sig(k),
                  ref.sig[k]);
      failures++;
    }
  }
  std::printf("%u cycles, %llu records\n", cycles, static_cast<unsigned long long>(records));
}

// Signature of a kind after a history of eight cycles.
uint32_t run(unsigned kind, const std::vector<Record> &history) {
  Bench bench;
  for (unsigned c = 0; c < 10; c++) {
    std::vector<Record> now;
    for (const Record &r : history)
      if (r.cycle == c) now.push_back(r);
    bench.cycle(now);
  }
  return bench.sig(kind);
}

void changed(const char *what, unsigned kind, uint32_t before, uint32_t after) {
  if (before != after) return;
  if (failures++ < 20)
    std::printf("FAILED kind %u: %s leaves the signature %08x\n", kind, what, after);
}

void sensitivity(unsigned kind) {
  std::vector<Record> h;
  for (unsigned c : {1u, 3u, 4u}) {
    Record r = random_record(kind, c % 2);
    // Everything enabled, so that every bit counts. Two bits in each byte of data: a byte with one bit
    // could be undone by the bit of the mask that disables it.
    const bool lanes =
        kind == WL_J_RF || kind == WL_J_XBUF || kind == WL_J_SMEM || kind == WL_J_TMEM;
    const unsigned data = lanes ? 3 : kind == WL_J_PACKET ? 8 : 17;
    const unsigned end = kind == WL_J_PACKET ? 16 : words_of(kind);
    for (unsigned i = data; i < end; i++)
      r.word[i] |= 0x81818181;
    if (lanes) r.word[2] = ~UINT32_C(0);
    if (kind == WL_J_PACKET) {
      r.word[0] = 1;
      r.word[1] = 0;
      r.word[7] = ~UINT32_C(0);
    }
    if (kind == WL_J_RESPONSE) r.word[0] = 0;
    r.cycle = c;
    h.push_back(r);
  }
  const uint32_t before = run(kind, h);
  std::vector<Record> v = h;
  std::memcpy(v[0].word, h[2].word, sizeof v[0].word);
  std::memcpy(v[2].word, h[0].word, sizeof v[2].word);
  changed("swapping two records", kind, before, run(kind, v));
  for (unsigned i = 0; i < 3; i++) {
    v = h;
    v[i].cycle = h[i].cycle + (i == 1 ? -1u : 1u);
    changed("moving a record by a cycle", kind, before, run(kind, v));
    v = h;
    v.erase(v.begin() + i);
    changed("dropping a record", kind, before, run(kind, v));
  }
  for (unsigned b = 0; b < 32 * words_of(kind); b++) {
    v = h;
    v[1].word[b / 32] ^= UINT32_C(1) << b % 32;
    changed("changing a bit", kind, before, run(kind, v));
  }
}
} // namespace

int main() {
  random_cycles(20000);
  for (unsigned k = 0; k < Kinds; k++)
    sensitivity(k);
  std::printf(failures == 0 ? "digests: equal to the reference, every change seen\n"
                            : "digests: %u failures\n",
              failures);
  return failures == 0 ? 0 : 1;
}
