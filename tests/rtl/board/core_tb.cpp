// The core with its board ports (docs/fpga.md 5, 6), tiny, in two forms: with the generic cells and
// with those of the ECP5. Every word of the five arrays is poked and peeked; nothing is written while a
// peek stands. Then random machine programs run on both forms and on the core that calls the
// journal: in every cycle all signatures must be those of the reference signature.c over the called
// records, and done and the arrays must be equal. Arguments: programs, first program.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "Vboard_core_gates_tiny.h"
#include "Vboard_core_tiny.h"
#include "Vgpu_top_tiny.h"
#include "svdpi.h"
#include "verilated_syms.h"
#define _Static_assert static_assert // the generated headers are C
#include "gen/warplock_layout.h"
#include "gen/wl_config.h"
#include "gen/wl_journal_imports.h"
#include "gen/wl_launch.h"
#include "tests/common/splitmix.h"
#include "tests/rtl/board/signature.h"
#include "tests/rtl/core/sm_memory.h"
extern "C" {
#include "tests/fuzz/fuzz.h"
}

namespace {
constexpr unsigned Lanes = 8, PeekTicks = 4;
constexpr unsigned Latency = 16;
constexpr uint64_t MemBase = UINT64_C(1) << 32, CodeAddr = MemBase + 0x10000;
constexpr uint64_t LocalAddr = MemBase + 0x40000, C1Addr = MemBase + 0x60000;
constexpr uint64_t DataAddr = MemBase + 0x80000;
constexpr uint32_t MemBytes = 1u << 20;
unsigned failures = 0;
signature_t expected;

void fail(const char *what, uint64_t at, uint64_t got, uint64_t want) {
  if (failures++ < 20) {
    std::printf("FAILED %s at %llu: got %08llx expected %08llx\n", what,
                static_cast<unsigned long long>(at), static_cast<unsigned long long>(got),
                static_cast<unsigned long long>(want));
  }
}

// Arrays by their numbers at the ports (link.def): slices, rows of state.def for tiny.
struct Array {
  const char *name;
  unsigned slices, rows;
};
const Array arrays[5] = {
    {"rf", 32, 512}, {"pred", 1, 64}, {"smem", 4, 2048}, {"xbuf", 32, 8}, {"tmem", 32, 256}};

std::string public_name(const std::string &sm, unsigned array, unsigned slice) {
  const std::string sub = sm + "gen_sub[0].u_sub.", s = std::to_string(slice);
  switch (array) {
  case 0:
    return sub + "u_operands.u_regfile.u_banks.gen_bank[" + std::to_string(slice / Lanes) +
           "].mem_q";
  case 1:
    return sub + "u_issue.u_predfile.u_ram.mem_q";
  case 2:
    return sm + "u_memory.u_smem.gen_bank[" + s + "].u_bank.mem_q";
  case 4:
    return sub + "u_optional.gen_tmem.u_tmem.gen_quarter[" + std::to_string(slice / Lanes) +
           "].u_ram.mem_q";
  default:
    return sub + "u_warp.u_xbuf.u_ram.gen_lane[" + s + "].mem_q";
  }
}

// One core with a memory of its own.
template <typename Model> struct Core : SmMemory<Model> {
  const std::string sm; // name of the SM
  VerilatedContext context;
  std::unique_ptr<Model> top{new Model{&context}};
  uint64_t now = 0;

  explicit Core(const char *name) : sm(name) {
    top->ar_ready_i = top->aw_ready_i = 1;
    top->start_i = 0;
    top->launch_addr_i = MemBase;
  }
  ~Core() {
    enter();
    top.reset();
    Verilated::threadContextp(nullptr);
  }
  // Before all that Verilated code does: it takes its context from the thread, the destructor too.
  void enter() { Verilated::threadContextp(&context); }
  void before() {
    enter();
    SmMemory<Model>::before(*top, now);
  }
  void after() {
    enter();
    SmMemory<Model>::after(*top, now++, Latency);
  }
  void tick() {
    before();
    after();
  }
  void reset() {
    top->rst_ni = 0;
    for (int i = 0; i < 4; i++)
      tick();
    top->rst_ni = 1;
    this->forget();
  }
  void poke(unsigned array, unsigned slice, unsigned row, uint32_t data) {
    top->poke_i = UINT64_C(1) << (56 + array) | static_cast<uint64_t>(slice) << 48 |
                  static_cast<uint64_t>(row) << 32 | data;
    tick();
    top->poke_i = 0;
  }
  uint32_t peek(unsigned array, unsigned slice, unsigned row) {
    top->peek_i = 1u << 27 | array << 24 | slice << 16 | row;
    for (unsigned i = 0; i < PeekTicks; i++)
      tick();
    top->peek_i = 0;
    before();
    return top->peek_data_o;
  }
  // Words of a slice, `stride` apart: an element that is wider than a word is a row of slices.
  const uint32_t *words(unsigned array, unsigned slice, unsigned &stride) {
    const std::string full = public_name(sm, array, slice);
    const size_t dot = full.rfind('.');
    const VerilatedScope *s = context.scopeFind(full.substr(0, dot).c_str());
    const VerilatedVar *v = s != nullptr ? s->varFind(full.c_str() + dot + 1) : nullptr;
    if (v == nullptr) {
      std::printf("FAILED no public array %s\n", full.c_str());
      std::exit(1);
    }
    stride = static_cast<unsigned>((v->entSize() + 3) / 4);
    return static_cast<const uint32_t *>(v->datap()) + slice % stride;
  }
  std::vector<uint32_t> image() {
    std::vector<uint32_t> all;
    for (unsigned a = 0; a < 5; a++) {
      for (unsigned s = 0; s < arrays[a].slices; s++) {
        unsigned stride;
        const uint32_t *w = words(a, s, stride);
        for (unsigned r = 0; r < arrays[a].rows; r++)
          all.push_back(w[r * stride]);
      }
    }
    return all;
  }
};
typedef Core<Vboard_core_tiny> Board;
typedef Core<Vboard_core_gates_tiny> Gates;
typedef Core<Vgpu_top_tiny> Journal;

// Whole arrays through the ports, in the order of image().
template <typename C> void poke_all(C &core, const std::vector<uint32_t> &image) {
  size_t i = 0;
  for (unsigned a = 0; a < 5; a++) {
    for (unsigned s = 0; s < arrays[a].slices; s++) {
      for (unsigned r = 0; r < arrays[a].rows; r++)
        core.poke(a, s, r, image[i++]);
    }
  }
}
template <typename C> void peek_all(const char *what, C &core, const std::vector<uint32_t> &image) {
  size_t i = 0;
  for (unsigned a = 0; a < 5; a++) {
    for (unsigned s = 0; s < arrays[a].slices; s++) {
      for (unsigned r = 0; r < arrays[a].rows; r++, i++) {
        const uint32_t got = core.peek(a, s, r);
        if (got != image[i]) {
          fail((std::string(what) + ": peek of " + arrays[a].name + " slice " + std::to_string(s) +
                " row")
                   .c_str(),
               r, got, image[i]);
        }
      }
    }
  }
}

template <typename C> void no_record(const char *what, C &core) {
  core.before();
  for (unsigned k = 0; k < SIGNATURE_KINDS; k++) {
    if (core.top->digest_o[k] != 0) fail(what, k, core.top->digest_o[k], 0);
  }
}

void same_images(const char *what, const std::vector<uint32_t> &got,
                 const std::vector<uint32_t> &want) {
  for (size_t i = 0; i < want.size(); i++)
    if (got[i] != want[i]) fail(what, i, got[i], want[i]);
}

// Launch of a program as tests/fuzz/fuzz_run.c makes it; the same image for all cores.
std::vector<uint8_t> memory_image(const fuzz_program_t &p, uint64_t seed) {
  std::vector<uint8_t> m(MemBytes);
  fuzz_rng_t r = {seed, 0, false, 0};
  auto put = [&m](uint64_t addr, uint32_t v) { std::memcpy(&m[addr - MemBase], &v, 4); };
  uint32_t lb[WL_LAUNCH_BLOCK_WORDS] = {0};
  auto put64 = [&lb](unsigned at, uint64_t v) {
    lb[at] = static_cast<uint32_t>(v);
    lb[at + 1] = static_cast<uint32_t>(v >> 32);
  };
  for (unsigned i = 0; i < 3; i++) {
    lb[WL_LAUNCH_NCTAID_X + i] = p.grid[i];
    lb[WL_LAUNCH_NTID_X + i] = p.block[i];
  }
  const uint32_t smem = FUZZ_CELLS + p.threads * FUZZ_SMEM_SLOT + p.smem_extra;
  const uint32_t plane = p.block[0] * p.block[1];
  lb[WL_LAUNCH_THREADS] = p.threads;
  lb[WL_LAUNCH_WARPS] = (p.threads + 31) / 32;
  lb[WL_LAUNCH_REG_PAGES] = (p.regs + 7) / 8;
  lb[WL_LAUNCH_SMEM_UNITS] = (smem + 1023) / 1024;
  lb[WL_LAUNCH_SMEM_BYTES] = smem;
  lb[WL_LAUNCH_CODE_WORDS] = p.count;
  put64(WL_LAUNCH_CODE_BASE, CodeAddr);
  put64(WL_LAUNCH_LOCAL_BASE, LocalAddr);
  lb[WL_LAUNCH_LOCAL_BYTES] = FUZZ_LOCAL;
  lb[WL_LAUNCH_PARAM_BYTES] = 8;
  put64(WL_LAUNCH_C1_BASE, C1Addr);
  lb[WL_LAUNCH_C1_BYTES] = FUZZ_C1_BYTES;
  put64(WL_LAUNCH_GRIDID, 1);
  put64(WL_LAUNCH_MEM_BASE, MemBase);
  put64(WL_LAUNCH_MEM_LIMIT, MemBase + MemBytes);
  lb[WL_LAUNCH_RECIP_X] = ((1u << 20) + p.block[0] - 1) / p.block[0];
  lb[WL_LAUNCH_RECIP_XY] = ((1u << 20) + plane - 1) / plane;
  put64(WL_LAUNCH_C0_BASE, MemBase);
  for (unsigned i = 0; i < WL_LAUNCH_BLOCK_WORDS; i++)
    put(MemBase + 4 * i, lb[i]);
  put(MemBase + 512, static_cast<uint32_t>(DataAddr));
  put(MemBase + 516, static_cast<uint32_t>(DataAddr >> 32));
  for (uint32_t i = 0; i < p.count; i++) {
    for (unsigned k = 0; k < 4; k++)
      put(CodeAddr + 16 * i + 4 * k, p.w[i][k]);
  }
  for (uint32_t i = 0; i < FUZZ_C1_BYTES; i += 4)
    put(C1Addr + i, fuzz_value(&r));
  for (uint32_t i = FUZZ_CELLS; i < 24 * 32 * FUZZ_SLOT; i += 4)
    put(DataAddr + i, fuzz_value(&r));
  return m;
}

template <typename C> void same_cycle(const char *what, C &core, Journal &journal, uint64_t cycle) {
  if (core.top->done_o != journal.top->done_o)
    fail(what, cycle, core.top->done_o, journal.top->done_o);
  for (unsigned k = 0; k < SIGNATURE_KINDS; k++) {
    if (core.top->digest_o[k] == expected.sig[k]) continue;
    fail((std::string(what) + ", signature of " + wl_journal_info[k].name + " in cycle").c_str(),
         cycle, core.top->digest_o[k], expected.sig[k]);
  }
}

void cycle(Board &board, Gates &gates, Journal &journal, uint64_t c) {
  board.before();
  gates.before();
  journal.before();
  same_cycle("board", board, journal, c);
  same_cycle("gates", gates, journal, c);
  board.after();
  gates.after();
  journal.after(); // calls the records
  signature_tick(&expected);
}

// What is under way may still make records in the first of the cycles.
void reset_all(Board &board, Gates &gates, Journal &journal) {
  board.top->rst_ni = gates.top->rst_ni = journal.top->rst_ni = 0;
  for (unsigned i = 0; i < 4; i++)
    cycle(board, gates, journal, i);
  board.top->rst_ni = gates.top->rst_ni = journal.top->rst_ni = 1;
  board.forget();
  gates.forget();
  journal.forget();
}

uint64_t run_program(Board &board, Gates &gates, Journal &journal, uint32_t index) {
  static fuzz_program_t p;
  fuzz_make(20261122, index, 256, 64, 1U << WL_CONFIG_TINY, &p);
  board.memory = memory_image(p, index);
  gates.memory = journal.memory = board.memory;
  uint64_t c = 0;
  for (; c < 6000 && failures == 0; c++) {
    board.top->start_i = gates.top->start_i = journal.top->start_i = c == 3;
    cycle(board, gates, journal, c);
    if (c > 3 && journal.top->done_o) break;
  }
  for (unsigned i = 0; i < 4; i++)
    cycle(board, gates, journal, c + i);
  same_images("arrays of the board", board.image(), journal.image());
  if (board.memory != journal.memory) fail("memory of the board", index, 0, 0);
  if (gates.memory != journal.memory) fail("memory of the gates", index, 0, 0);
  return c;
}

// A peek in the middle of a program: nothing changes while it stands.
void hold(Board &board) {
  static fuzz_program_t p;
  uint64_t stood = 0, moved = 0;
  for (uint32_t index = 0; index < 12; index++) {
    fuzz_make(7, index, 256, 64, 1U << WL_CONFIG_TINY, &p);
    board.reset();
    board.memory = memory_image(p, index);
    for (unsigned c = 0; c < 900 + 130 * index; c++) {
      board.top->start_i = c == 0;
      board.tick();
    }
    const std::vector<uint32_t> before = board.image();
    board.top->peek_i = 1u << 27 | (index % 5) << 24 | index % 3;
    for (unsigned c = 0; c < 300; c++)
      board.tick();
    const std::vector<uint32_t> after = board.image();
    same_images("array written under a peek", after, before);
    board.top->peek_i = 0;
    for (unsigned c = 0; c < 300; c++)
      board.tick();
    stood++;
    moved += board.image() != after;
  }
  board.reset();
  std::printf("peek held %llu times; then %llu cores wrote again\n",
              static_cast<unsigned long long>(stood), static_cast<unsigned long long>(moved));
  if (moved == 0) fail("no core wrote after a peek", 0, 0, 1);
}

} // namespace

extern "C" {
#define WL_J_IMPORT(name, kind, words, lanes)                                                      \
  void wl_j_##name(const svBitVecVal *word) {                                                      \
    signature_record(&expected, WL_J_##kind, word, (words) + (lanes) * Lanes);                     \
  }
WL_J_IMPORTS(WL_J_IMPORT)
unsigned long long wl_j_seed() { return 20261122; }
}

int main(int argc, char **argv) {
  const uint32_t programs = argc > 1 ? static_cast<uint32_t>(std::atoi(argv[1])) : 40;
  const uint32_t first = argc > 2 ? static_cast<uint32_t>(std::atoi(argv[2])) : 0;
  Board board("TOP.core_bench.u_gpu.u_sm.");
  Gates gates("TOP.core_bench.u_gpu.u_sm.");
  Journal journal("TOP.gpu_top.u_sm.");
  board.reset();
  gates.reset();
  journal.reset();

  // Arrays through the ports.
  uint64_t state = 20261122;
  std::vector<uint32_t> image(journal.image().size());
  for (uint32_t &w : image)
    w = static_cast<uint32_t>(wl_splitmix64(&state));
  poke_all(board, image);
  poke_all(gates, image);
  no_record("signature after pokes", board);
  no_record("signature after pokes of the gates", gates);
  same_images("array after pokes", board.image(), image);
  peek_all("board", board, image);
  peek_all("gates", gates, image);
  same_images("array after peeks", board.image(), image);
  std::printf("%zu words poked and peeked\n", image.size());
  {
    Board other("TOP.core_bench.u_gpu.u_sm.");
    other.reset();
    hold(other);
  }

  // Programs, from the arrays that section 15 seeds.
  image = journal.image();
  board.reset();
  gates.reset();
  poke_all(board, image);
  poke_all(gates, image);
  no_record("signature before the programs", board);
  no_record("signature of the gates before the programs", gates);
  std::memset(&expected, 0, sizeof expected);
  for (uint32_t i = first; i < first + programs && failures == 0; i++) {
    reset_all(board, gates, journal);
    const uint64_t c = run_program(board, gates, journal, i);
    if (failures != 0)
      std::printf("program %u, %llu cycles\n", i, static_cast<unsigned long long>(c));
  }
  std::printf(failures == 0 ? "board ports: %u programs equal\n" : "board ports: %u failures\n",
              failures == 0 ? programs : failures);
  return failures == 0 ? 0 : 1;
}
