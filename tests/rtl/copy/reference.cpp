#include "reference.h"

namespace copies {
Fault judge(const Command &c, const Limits &l) {
  const bool load = c.kind == BLOAD;
  using wide = unsigned __int128;
  if (c.g % 16) return {true, MISALIGNED, c.g};
  if (c.s % 16) return {true, MISALIGNED, c.s};
  if (load && c.m % 8) return {true, MISALIGNED, c.m};
  if (c.k == 0 || c.k % 16) return {true, COPY_SIZE, c.k};
  if (c.g < l.base || wide{c.g} + c.k > wide{l.limit}) return {true, OUT_OF_BOUNDS, c.g};
  if (uint64_t{c.s} + c.k > l.smem_bytes) return {true, OUT_OF_BOUNDS, c.s};
  if (load && uint64_t{c.m} + 8 > l.smem_bytes) return {true, OUT_OF_BOUNDS, c.m};
  return {false, 0, 0};
}

void Reference::clear() {
  used.clear();
  rows.clear();
  accepted = walked = rows_taken = 0;
  at = 0;
  second = drain_second = false;
}

// ---- Walk.
bool Reference::asks() const {
  unsigned taken = 0;
  for (const Row &r : rows)
    taken += r.taken;
  return walked < accepted && taken < z.rows;
}

Row Reference::next_row() const {
  const Command &c = command(walked);
  Row r{};
  r.command = walked;
  r.number = rows_taken;
  r.sector = c.first() + at;
  r.last = r.sector == c.end();
  for (unsigned h = 0; h < 2; h++) {
    const uint64_t where = r.sector * 32 + 16 * h;
    r.present[h] = where >= c.g && where < c.g + c.k;
    r.at[h] = static_cast<uint32_t>(c.cta_base + c.s + (where - c.g));
  }
  r.to_come = c.kind == BLOAD || pair() || !(r.present[0] && r.present[1]) ? 1 : 2;
  return r;
}

bool Reference::choose(const Row &row, bool later, bool *half) const {
  half[0] = row.present[0];
  half[1] = row.present[1];
  if (pair() || !(row.present[0] && row.present[1])) return true;
  half[later ? 0 : 1] = false;
  return later;
}

void Reference::take() {
  Row &r = rows.back();
  r.taken = true;
  rows_taken++;
  at++;
  if (r.last) {
    walked++;
    at = 0;
  }
}

// ---- Drain.
bool Reference::drains(unsigned load) const {
  return !rows.empty() && rows.front().ready &&
         (command(rows.front().command).kind == BLOAD) == load;
}

void Reference::drain() {
  if (rows.front().last) command(rows.front().command).drained = true;
  rows.pop_front();
}

// ---- Ports: the row comes first.
Packet Reference::packet() const {
  Packet p{};
  if (drains(false)) {
    const Row &r = rows.front();
    const Command &c = command(r.command);
    p.valid = true;
    p.op = c.kind == BRED ? RED : ST;
    if (c.kind == BRED) {
      p.atom = c.atom;
      p.type = c.type;
    }
    p.sector = r.sector;
    p.tag = c.number % z.entries;
    for (unsigned i = 0; i < 32; i++)
      if (r.present[i / 16] && (c.kind == BRED || (c.m >> (i % 16) & 1))) p.mask |= 1u << i;
    for (unsigned i = 0; i < 8; i++)
      p.data[i] = r.present[i / 4] ? r.data[i] : 0;
  } else if (asks() && command(walked).kind == BLOAD) {
    p.valid = true;
    p.op = LD;
    p.sector = next_row().sector;
    p.tag = rows_taken % z.rows;
    p.mask = ~0u;
  }
  return p;
}

Chunks Reference::chunks() const {
  Chunks q{};
  if (drains(true)) {
    const Row &r = rows.front();
    q.valid = q.store = true;
    choose(r, drain_second, q.half);
    for (unsigned i = 0; i < 8; i++)
      q.data[i / 4][i % 4] = r.data[i];
    q.at[0] = r.at[0];
    q.at[1] = r.at[1];
  } else if (asks() && command(walked).kind != BLOAD) {
    const Row r = next_row();
    q.valid = true;
    choose(r, second, q.half);
    q.at[0] = r.at[0];
    q.at[1] = r.at[1];
    q.row = rows_taken;
  }
  return q;
}

void Reference::packet_granted(bool of_row) {
  if (of_row) {
    command(rows.front().command).acks++;
    drain();
    return;
  }
  rows.push_back(next_row());
  take();
}

void Reference::chunks_granted(bool of_row) {
  bool half[2];
  if (of_row) {
    const bool final = choose(rows.front(), drain_second, half);
    drain_second = !final;
    if (final) drain();
    return;
  }
  if (!second) rows.push_back(next_row());
  const bool final = choose(rows.back(), second, half);
  second = !final;
  if (final) take();
}

// ---- Data and ends.
void Reference::sector(unsigned place, const uint32_t *data) {
  for (Row &r : rows)
    if (r.number % z.rows == place) {
      for (unsigned i = 0; i < 8; i++)
        r.data[i] = data[i];
      r.ready = true;
    }
}

int Reference::read_by(unsigned row) const {
  for (const Row &r : rows)
    if (r.number == row && r.to_come == 1 && r.last)
      return static_cast<int>(command(r.command).warp);
  return -1;
}

void Reference::answer(unsigned row, const bool *half, const uint32_t (*data)[4]) {
  for (Row &r : rows) {
    if (r.number != row) continue;
    for (unsigned i = 0; i < 8; i++)
      if (half[i / 4]) r.data[i] = data[i / 4][i % 4];
    if (--r.to_come) continue;
    r.ready = true;
    if (r.last) command(r.command).read = true;
  }
}

void Reference::ack(unsigned entry) {
  for (Command &c : used)
    if (c.number % z.entries == entry) c.acks--;
}

bool Reference::signals() const {
  return !used.empty() && used.front().kind == BLOAD && used.front().drained &&
         !used.front().signalled;
}

bool Reference::frees(bool delivered) const {
  if (used.empty()) return false;
  const Command &c = used.front();
  return c.kind == BLOAD ? delivered : c.drained && c.acks == 0;
}

// ---- Groups.
bool Reference::left(unsigned warp, unsigned most, bool reads) const {
  for (const Command &c : used)
    if (c.kind != BLOAD && c.warp == warp && c.age > most && !(reads && c.read)) return true;
  return false;
}

void Reference::commit(uint64_t warps) {
  for (Command &c : used)
    if (c.kind != BLOAD && (warps >> c.warp & 1) && c.age < 63) c.age++;
}

void Reference::accept(Command c) {
  c.number = accepted++;
  used.push_back(c);
}
} // namespace copies
