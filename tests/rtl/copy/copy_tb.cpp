// Bench of the copy engine, rtl/async (docs/microarchitecture.md 23): random loads, stores and reductions
// of all forms, sizes and alignments, with faults, random grants, responses out of order, groups and
// their questions. A reference (reference.h) says in every cycle what the engine presents. Apart from
// that the effects are compared: what memory has when a signal is taken, when a command ends, and
// at the end of each episode (memories.h).
#include <memory>

#include "memories.h"
#include "verilated.h"
#include COPY_HEADER

using namespace bench;
using namespace copies;

namespace {
constexpr unsigned kQuads = z.banks / 4;

struct Response {
  unsigned op, tag;
  uint32_t data[8];
};

struct Bench {
  VerilatedContext ctx;
  std::unique_ptr<COPY_MODEL> top;
  Reference ref{z};
  Memory is, should; // should: after all accepted commands
  uint64_t cycle = 0, checks = 0, commands = 0, faults = 0, misuses = 0, waits = 0, both = 0;
  unsigned cta[z.warps] = {};
  // Chances in 16.
  unsigned grant = 8, chunk_grant = 8, respond = 8, start = 8, close = 1;
  unsigned biggest = 512;

  bool on_way = false; // `next` is on its way: steps of X1 that have come, then T
  unsigned steps = 0;
  Command next{};
  Chunks granted{}, read{}, answer{}; // chunk port: of the last cycle; loads read then, before then
  unsigned granted_tag = 0, read_tag = 0, answer_tag = 0;
  std::vector<Response> responses;
  unsigned delivery = 0; // cycles to go
  bool asked = false, bulk = false, reads = false;
  unsigned ask_warp = 0, most = 0;

  Bench() {
    ctx.randReset(2);
    top = std::make_unique<COPY_MODEL>(&ctx);
  }
  void expect(const char *what, uint64_t got, uint64_t expected) {
    check_eq(what, got, expected, cycle);
    checks++;
  }
  void low() {
    top->clk_i = 0;
    top->eval();
  }
  void high() {
    top->clk_i = 1;
    top->eval();
    cycle++;
  }
  void banks();
  void packet(const Packet &p);
  void x1();
  bool respond_now(Response &r);
  uint64_t groups();
  void check_packet(const Packet &p);
  void check_chunks(const Chunks &q);
  void check_signal();
  void check_traps(bool in_t, const Fault &f, bool misuse);
  void step();
  void episode(unsigned cycles);
  void run();
};

// The banks in the cycle after a grant.
void Bench::banks() {
  answer = read;
  answer_tag = read_tag;
  read = Chunks{};
  for (unsigned h = 0; granted.valid && h < 2; h++) {
    if (!granted.half[h]) continue;
    if (granted.store)
      std::memcpy(&is.s.at(granted.at[h]), granted.data[h], 16);
    else
      std::memcpy(granted.data[h], &is.s.at(granted.at[h]), 16);
  }
  if (granted.valid && !granted.store) read = granted;
  read_tag = granted_tag;
  granted = Chunks{};
}

void Bench::packet(const Packet &p) {
  Response r{p.op, p.tag, {}};
  uint8_t *at = is.global(p.sector * 32), data[32];
  if (p.op == LD) std::memcpy(r.data, at, 32);
  std::memcpy(data, p.data, 32);
  for (unsigned i = 0; p.op == ST && i < 32; i++)
    if (p.mask >> i & 1) at[i] = data[i];
  for (unsigned i = 0; p.op == RED && i < 32; i += bytes_of(static_cast<int>(p.type)))
    if (p.mask >> i & 1) reduce(at + i, data + i, p.atom, p.type);
  responses.push_back(r);
}

// ---- Inputs.
void Bench::x1() {
  const Command &c = next;
  const bool mine = on_way && steps < 2 && rnd(3);
  top->noise_i = static_cast<uint32_t>(rnd());
  top->x1_valid_i = mine || rnd(4) == 0;
  top->x1_copy_i = mine;
  top->x1_last_i = mine ? steps == 1 : rnd(2);
  top->kind_i = static_cast<uint8_t>(c.kind);
  top->warp_i = static_cast<uint8_t>(mine ? c.warp : rnd(z.warps));
  top->lane_i = static_cast<uint8_t>(c.lane);
  top->pc_i = c.pc;
  top->mtype_i = static_cast<uint8_t>(c.type);
  top->atom_i = static_cast<uint8_t>(c.atom);
  top->word_i[0] = steps ? c.k : static_cast<uint32_t>(c.g);
  top->word_i[1] = steps ? (c.kind == BRED ? 0 : c.m) : static_cast<uint32_t>(c.g >> 32);
  top->word_i[2] = steps ? 0 : c.s;
  steps += mine;
}

// A response of this unit, or of another one; in any order.
bool Bench::respond_now(Response &r) {
  const bool mine = !responses.empty() && rnd(16) < respond;
  if (mine) {
    const unsigned i = rnd(static_cast<uint32_t>(responses.size()));
    r = responses[i];
    responses.erase(responses.begin() + i);
  }
  top->rsp_i = mine || rnd(2);
  top->rsp_unit_i = static_cast<uint8_t>(mine ? 4 : rnd(4));
  top->rsp_op_i = static_cast<uint8_t>(mine ? r.op : rnd(4));
  top->rsp_tag_i = static_cast<uint16_t>(mine ? r.tag : rnd(64));
  for (unsigned i = 0; i < 8; i++)
    top->rsp_data_i[i] = mine ? r.data[i] : static_cast<uint32_t>(rnd());
  return mine;
}

// Groups that are closed, a question. A warp that asks, or whose command is on its way, closes none.
uint64_t Bench::groups() {
  uint64_t closed = 0;
  for (unsigned w = 0; w < z.warps; w++)
    if (rnd(16) < close) closed |= uint64_t{1} << w;
  if (on_way) closed &= ~(uint64_t{1} << next.warp);
  if (asked) closed &= ~(uint64_t{1} << ask_warp);
  if (asked) {
    const bool left = bulk && ref.left(ask_warp, most, reads);
    expect("groups are left", top->left_o, left);
    waits += left;
  }
  asked = rnd(3) == 0;
  ask_warp = !ref.rest() && rnd(4)
                 ? ref.in_use()[rnd(static_cast<uint32_t>(ref.in_use().size()))].warp
                 : rnd(z.warps);
  most = rnd(3) ? rnd(4) : rnd(64);
  bulk = rnd(8) != 0;
  reads = rnd(2);
  if (asked) closed &= ~(uint64_t{1} << ask_warp);
  top->ask_i = asked;
  top->ask_bulk_i = bulk;
  top->ask_warp_i = static_cast<uint8_t>(ask_warp);
  top->most_i = static_cast<uint8_t>(most);
  top->reads_i = reads;
  top->commit_i = closed;
  return closed;
}

// ---- Outputs.
void Bench::check_packet(const Packet &p) {
  expect("packet is presented", top->req_o, p.valid);
  if (!p.valid || !top->req_o) return;
  expect("operation", top->op_o, p.op);
  expect("atomic operation", top->atom_o, p.atom);
  expect("type", top->atype_o, p.type);
  expect("sector", top->sector_o, p.sector);
  expect("mask", top->mask_o, p.mask);
  expect("SM, unit", top->from_o, 4);
  expect("tag", top->tag_o, p.tag);
  // Bytes outside the mask are of no concern.
  for (unsigned i = 0; p.op != LD && i < 32; i++)
    if (p.mask >> i & 1)
      expect("packet's data", top->data_o[i / 4] >> (i % 4 * 8) & 0xff,
             p.data[i / 4] >> (i % 4 * 8) & 0xff);
}

void Bench::check_chunks(const Chunks &q) {
  expect("chunk request is presented", top->chunk_o, q.valid);
  if (!q.valid || !top->chunk_o) return;
  expect("store", top->chunk_store_o, q.store);
  unsigned quads = 0;
  for (unsigned h = 0; h < 2; h++) {
    if (!q.half[h]) continue;
    const unsigned quad = q.at[h] / 16 % kQuads;
    quads |= 1u << quad;
    expect("row of a bank", top->quad_row_o[quad], q.at[h] / (4 * z.banks));
    if (!q.store) continue;
    expect("bytes", top->quad_bytes_o[quad], 0xffff);
    for (unsigned i = 0; i < 4; i++)
      expect("chunk's data", top->quad_data_o[quad][i], q.data[h][i]);
  }
  expect("quads", top->quad_valid_o, quads);
}

void Bench::check_signal() {
  expect("signal is offered", top->signal_o, ref.signals());
  if (!ref.signals() || !top->signal_o) return;
  const Command &c = ref.in_use().front();
  expect("mbarrier", top->signal_at_o, c.cta_base + c.m);
  expect("bytes of the signal", top->signal_bytes_o, c.k);
}

void Bench::check_traps(bool in_t, const Fault &f, bool misuse) {
  const bool bad = in_t && f.bad;
  expect("instruction is refused", top->refused_o, bad);
  if (bad) expect("its warp", top->refused_warp_o, next.warp);
  expect("trap", top->trap_o, bad || misuse);
  both += bad && misuse;
  if (!(bad || misuse) || !top->trap_o) return;
  // The lowest cause counts.
  const bool first = bad && (!misuse || f.cause < MBARRIER);
  const Command &c = first ? next : ref.in_use().front();
  expect("trap: cause", top->cause_o, first ? f.cause : unsigned{MBARRIER});
  expect("trap: warp", top->trap_warp_o, c.warp);
  expect("trap: lane", top->trap_lane_o, c.lane);
  expect("trap: pc", top->trap_pc_o, c.pc);
  expect("trap: address", top->trap_addr_o, first ? f.address : c.cta_base + c.m);
}

void Bench::step() {
  const bool in_t = on_way && steps == 2;
  const Fault fault = judge(next, kLimits);
  banks();
  x1();
  Response r{};
  const bool responds = respond_now(r);
  top->answer_i = answer.valid || rnd(2);
  top->answer_from_i = static_cast<uint8_t>(answer.valid ? 0 : 1 + rnd(7));
  top->answer_tag_i = static_cast<uint8_t>(answer.valid ? answer_tag : rnd(256));
  for (unsigned q = 0; q < kQuads; q++)
    for (unsigned i = 0; i < 4; i++)
      top->answer_data_i[q][i] = static_cast<uint32_t>(rnd());
  for (unsigned h = 0; answer.valid && h < 2; h++)
    for (unsigned i = 0; answer.half[h] && i < 4; i++)
      top->answer_data_i[answer.at[h] / 16 % kQuads][i] = answer.data[h][i];
  if (delivery > 1 && in_t && rnd(2)) delivery = 1; // two traps may rise
  const bool delivered = delivery && --delivery == 0;
  top->delivered_i = delivered;
  top->misuse_i = rnd(4) == 0 || (in_t && fault.bad);
  const bool misuse = delivered && top->misuse_i;
  top->req_grant_i = top->chunk_grant_i = top->signal_taken_i = 0;
  top->ask_i = 0;
  low();
  const uint64_t closed = groups();
  low();

  const Packet p = ref.packet();
  const Chunks q = ref.chunks();
  const bool frees = ref.frees(delivered);
  expect("entry is open", top->put_free_o, ref.put_free());
  expect("rest", top->rest_o, ref.rest());
  expect("T", top->resolve_o, in_t);
  check_packet(p);
  check_chunks(q);
  check_signal();
  check_traps(in_t, fault, misuse);
  expect("entry is freed", top->freed_o, frees);
  const int reader = answer.valid ? ref.read_by(answer.row) : -1;
  uint64_t wakes = reader >= 0 ? uint64_t{1} << reader : 0;
  if (frees) {
    const Command &c = ref.in_use().front();
    if (top->freed_o) expect("warp of the entry", top->freed_warp_o, c.warp);
    if (c.kind != BLOAD) wakes |= uint64_t{1} << c.warp;
    expect("data at the end", same(is, should, c), true);
  }
  expect("warps are woken", top->wake_o, wakes);
  uint64_t busy = 0;
  for (const Command &c : ref.in_use())
    busy |= uint64_t{1} << c.warp;
  expect("warps have entries", top->busy_o, busy);
  if (failures) return;

  const bool grants = p.valid && responses.size() < 64 && rnd(16) < grant;
  const bool moves = q.valid && rnd(16) < chunk_grant;
  const bool taken = top->signal_o && rnd(16) < grant;
  top->req_grant_i = grants;
  top->chunk_grant_i = moves;
  top->signal_taken_i = taken;
  low();
  if (moves) {
    granted = q;
    granted_tag = top->chunk_tag_o;
  }
  if (taken) {
    expect("data before the signal", same(is, should, ref.in_use().front()), true);
    delivery = 3 + rnd(20);
  }
  high();

  if (grants) ref.packet_granted(p.op != LD);
  if (moves) ref.chunks_granted(q.store);
  if (grants) packet(p);
  if (responds && r.op == LD) ref.sector(r.tag, r.data);
  if (responds && r.op != LD) ref.ack(r.tag);
  if (answer.valid) ref.answer(answer.row, answer.half, answer.data);
  if (taken) ref.signal_taken();
  if (frees) ref.free();
  ref.commit(closed);
  misuses += misuse;
  if (in_t) {
    on_way = false;
    faults += fault.bad;
    if (!fault.bad) {
      ref.accept(next);
      effects(should, next);
      commands++;
    }
  } else if (!on_way && ref.put_free() && rnd(16) < start) {
    next = random_command(cta, biggest);
    steps = 0;
    on_way = true;
    if (!judge(next, kLimits).bad)
      for (const Command &c : ref.in_use())
        if (meet(next, c)) on_way = false;
  }
}

void Bench::episode(unsigned cycles) {
  for (unsigned w = 0; w < z.warps; w++) {
    cta[w] = rnd(z.ctas);
    top->warp_cta_i[w] = static_cast<uint8_t>(cta[w]);
  }
  for (uint8_t &b : is.g)
    b = static_cast<uint8_t>(rnd());
  for (uint8_t &b : is.s)
    b = static_cast<uint8_t>(rnd());
  should = is;
  static const unsigned chances[] = {1, 4, 8, 16}, sizes[] = {64, 512, 4096};
  grant = chances[rnd(4)];
  chunk_grant = chances[rnd(4)];
  respond = chances[rnd(4)];
  start = chances[rnd(4)];
  close = rnd(4);
  biggest = sizes[rnd(3)];
  for (unsigned i = 0; i < cycles && !failures; i++)
    step();
  start = 0;
  for (unsigned i = 0; i < 100000 && !failures && (on_way || !ref.rest()); i++)
    step();
  for (unsigned i = 0; i < 4 && !failures; i++)
    step(); // the last answer is over
  expect("all commands end", ref.rest(), true);
  expect("global memory", is.g == should.g, true);
  expect("shared memory", is.s == should.s, true);
}

void Bench::run() {
  top->mem_base_i = kLimits.base;
  top->mem_limit_i = kLimits.limit;
  top->smem_units_i = kUnits;
  top->smem_bytes_i = kLimits.smem_bytes;
  for (unsigned e = 0; e < 150 && !failures; e++) {
    // `clear` at rest does what a reset does.
    top->rst_ni = e != 0;
    top->clear_i = e != 0;
    if (e == 0 || rnd(2)) {
      low();
      high();
      ref.clear();
    }
    top->rst_ni = 1;
    top->clear_i = 0;
    episode(2000);
  }
  expect("faults were there", faults > 100, true);
  expect("misuse was there", misuses > 100, true);
  expect("traps of one cycle were there", both > 4, true);
  expect("questions had to wait", waits > 100, true);
}
} // namespace

int main() {
  Bench b;
  b.run();
  std::printf("%" PRIu64 " commands, %" PRIu64 " faults, %" PRIu64 " misuses, %" PRIu64 " waits\n",
              b.commands, b.faults, b.misuses, b.waits);
  return finish("copy", b.checks);
}
