#include "reference.h"

#include <algorithm>

namespace tensor_memory {
void Allocator::clear() {
  unit.assign(z.units(), Unit{false, false, 0});
  may.assign(z.ctas, true);
  most.assign(z.ctas, z.units());
  queue.clear();
  look = false;
}

bool Allocator::queued(unsigned warp) const {
  return std::find(queue.begin(), queue.end(), warp) != queue.end();
}

uint32_t Allocator::units_of(unsigned cta) const {
  uint32_t mask = 0;
  for (unsigned u = 0; u < z.units(); u++)
    if (unit[u].used && unit[u].cta == cta) mask |= 1u << u;
  return mask;
}

bool Allocator::rest() const {
  bool r = queue.empty();
  for (const Unit &u : unit)
    r = r && !u.used;
  for (unsigned s = 0; s < z.ctas; s++)
    r = r && may[s] && most[s] == z.units();
  return r;
}

Outcome Allocator::judge(const Command &c) const {
  Outcome o{};
  if (!c.valid || c.op == RELINQUISH) return o;
  const uint32_t n = c.number;
  const unsigned m = n / 32;
  const bool legal = n == 32 || n == 64 || n == 128 || n == 256 || n == 512;
  if (!legal || n > z.columns) {
    o.fault = {true, BAD_COLUMNS, n};
    return o;
  }
  if (c.op == ALLOC) {
    if (!may[c.cta]) {
      o.fault = {true, BAD_PERMIT, n};
    } else if (m > most[c.cta]) {
      o.fault = {true, BAD_GROWS, n};
    } else if (queue.empty() || queue.front() == c.warp) {
      for (unsigned u = 0; u + m <= z.units() && !o.got; u++) {
        o.got = std::none_of(unit.begin() + u, unit.begin() + u + m,
                             [](const Unit &x) { return x.used; });
        o.at = u;
      }
    }
    o.waits = !o.got && !o.fault.bad;
  } else {
    const unsigned u = c.address / 32;
    bool good = c.address % 32 == 0 && c.address < 0x10000 && u + m <= z.units();
    for (unsigned i = u; good && i < u + m; i++)
      good = unit[i].used && unit[i].cta == c.cta && unit[i].first == (i == u);
    if (good && u + m < z.units())
      good = !(unit[u + m].used && unit[u + m].cta == c.cta && !unit[u + m].first);
    if (!good) o.fault = {true, BAD_DEALLOC, c.address};
    o.at = u;
  }
  if (o.got || (c.op == DEALLOC && !o.fault.bad))
    for (unsigned i = o.at; i < o.at + m; i++)
      o.units |= 1u << i;
  return o;
}

void Allocator::next(const Command &c, const Outcome &o, int cta) {
  look = false;
  if (cta >= 0) {
    for (Unit &u : unit)
      if (u.used && u.cta == static_cast<unsigned>(cta)) u = {false, false, 0};
    may[static_cast<unsigned>(cta)] = true;
    most[static_cast<unsigned>(cta)] = z.units();
    look = true;
  }
  if (!c.valid || o.fault.bad) return;
  if (c.op == RELINQUISH) may[c.cta] = false;
  if (c.op == DEALLOC) look = true;
  for (unsigned u = 0; u < z.units(); u++)
    if (o.units >> u & 1) unit[u] = {o.got, o.got && u == o.at, c.cta};
  if (o.got) {
    most[c.cta] = c.number / 32;
    base[c.warp] = static_cast<int>(o.at);
    if (queued(c.warp)) {
      queue.pop_front();
      look = true;
    }
  }
  if (o.waits && !queued(c.warp)) queue.push_back(c.warp);
}

void Part::clear() {
  access = {};
  write = {};
  came = {};
  loads.clear();
  out.clear();
  word = beat = 0;
  staged = false;
}

Fault Part::judge(const Allocator &of, unsigned cta, unsigned index) const {
  const Access &x = access;
  if (!x.valid) return {};
  const unsigned q = index % 4, lane = x.a >> 16;
  const uint64_t first = uint64_t{x.a & 0xffff} + x.imm;
  if ((lane != 32 * q && !(x.half && lane == 32 * q + 16)) || (z.subs == 4 && q != sub))
    return {true, BAD_LANES, x.a + x.imm};
  for (uint64_t i = first; i < first + x.words; i++)
    if (i >= z.columns || !(of.units_of(cta) >> (i / 32) & 1))
      return {true, BAD_RANGE, x.a + x.imm};
  return {};
}

bool Part::has(unsigned warp) const {
  bool h = staged && stage.warp == warp;
  for (const Load &l : loads)
    h = h || l.warp == warp;
  for (const Result &r : out)
    h = h || r.warp == warp;
  return h;
}

void Part::next(const Fault &f, unsigned index, bool taken, const Access &x, const Word &now,
                const Load *issued) {
  // Loads.
  const bool moves = out.size() < 2;
  if (taken) out.pop_front();
  if (moves) {
    if (staged) out.push_back(stage);
    staged = !loads.empty() && loads.front().judged;
    if (staged) {
      const Load &l = loads.front();
      const unsigned rd = l.rd + word;
      stage = {l.warp, rd, beat, l.rd != 255 && rd < 255, word + 1 == l.words, {}};
      for (unsigned i = 0; i < z.lanes; i++)
        stage.data[i] = l.zero ? 0 : at(l.quarter, l.column + word, beat * z.lanes + i);
      if (++beat == z.beats()) {
        beat = 0;
        word++;
      }
      if (word == l.words) {
        word = 0;
        loads.pop_front();
      }
    }
  }
  // Stores: what is written in this cycle, then what came in the last one.
  for (unsigned i = 0; write.valid && i < z.lanes; i++)
    if (write.mask >> i & 1)
      at(write.quarter, write.row / z.beats(), write.row % z.beats() * z.lanes + i) = write.data[i];
  write = {};
  if (came.valid && place.ok) {
    write = {true, place.quarter, (place.column + came.k) * z.beats() + came.beat, 0, came.data};
    for (unsigned i = 0; i < z.lanes; i++) {
      const bool high = came.beat * z.lanes + i >= 16;
      if (came.mask >> i & 1 && (!place.half || high == place.high)) write.mask |= 1u << i;
    }
    write.valid = write.mask != 0;
  }
  // The judgement.
  const unsigned column = (access.a & 0xffff) + access.imm;
  if (access.valid && access.load) {
    for (Load &l : loads) {
      if (l.judged) continue;
      l.judged = true;
      l.zero = f.bad;
      l.quarter = index % 4;
      l.column = column;
      break;
    }
  } else if (access.valid) {
    place = {!f.bad, access.half, (access.a >> 20 & 1) != 0, index % 4, column};
  }
  access = x;
  came = now;
  if (issued) loads.push_back(*issued);
}
} // namespace tensor_memory
