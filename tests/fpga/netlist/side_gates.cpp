// side_gates.cpp: the netlist of the board's core (README.md) as a side of lockstep: the side of
// the RTL, side_rtl.cpp, with the board's ports around it. Registers, predicates, shared and tensor memory
// and exchange buffer are seeded by pokes (docs/fpga.md 6) and read back by peeks where a run
// ends. In between, the arrays that lockstep sees are copies: seeds, and what the netlist's own
// records changed. At the end every word of the gates' memories must be what the copy says; so a
// write beside the journal, a lost one, or a wrong poke or peek is found there. One sub-core only
// (tiny, tiny4).
#include <cstdlib>
#include <map>

#include "driver/splitmix.h"
#include "gen/warplock_layout.h"
#include "gen/wl_link.h"

// The table of side_rtl.cpp under another name: the one that counts stands below.
#define WL_RTL_OPS wl_side_gates_inner
#include "driver/lockstep/side_rtl.cpp"

namespace {

struct Gates {
  wl_view_t size[WL_NUM_VIEWS];
  std::vector<uint32_t> words[WL_NUM_VIEWS];
  std::vector<bool> written[WL_NUM_VIEWS];
  uint64_t seed = 0;
  uint32_t &word(unsigned view, unsigned slice, unsigned row) {
    return words[view][size_t{slice} * size[view].rows + row];
  }
  uint32_t &change(unsigned view, unsigned slice, unsigned row) {
    written[view][size_t{slice} * size[view].rows + row] = true;
    return word(view, slice, row);
  }
};
std::map<const wl_side_t *, Gates> all_gates;

// docs/microarchitecture.md 15.
uint32_t seed_word(uint64_t seed, unsigned kind, uint64_t index) {
  return static_cast<uint32_t>(wl_mix(seed, kind, index));
}

uint32_t seed_of(const wl_side_desc_t *desc, const Gates &g, unsigned view, unsigned s,
                 unsigned r) {
  const unsigned lanes = desc->config->lanes;
  switch (view) {
  case WL_VIEW_RF:
    return seed_word(desc->seed, WL_SEED_RF,
                     (s / lanes * g.size[view].rows + r) * lanes + s % lanes);
  case WL_VIEW_PRED:
    return seed_word(desc->seed, WL_SEED_PRED, r);
  case WL_VIEW_TMEM:
    return seed_word(desc->seed, WL_SEED_TMEM,
                     (s / lanes * desc->config->tmem_columns + r / desc->config->beats) * 32 +
                         r % desc->config->beats * lanes + s % lanes);
  case WL_VIEW_SMEM:
    return seed_word(desc->seed, WL_SEED_SMEM, r * g.size[view].slices + s);
  default:
    return seed_word(desc->seed, WL_SEED_XBUF, r * 32 + s);
  }
}

void tick(Rtl *r) {
  wl_rtl_context = &r->journal; // no journal: records are dropped
  r->top->clk_i = 0;
  r->top->eval();
  r->top->clk_i = 1;
  r->top->eval();
}

// poke_t and peek_t: a poke is valid by array.
uint64_t poke_of(unsigned view, unsigned slice, unsigned row, uint32_t data) {
  return UINT64_C(1) << (56 + view) | uint64_t{slice} << 48 | uint64_t{row} << 32 | data;
}

uint32_t peek_of(unsigned view, unsigned slice, unsigned row) {
  return 1u << 27 | view << 24 | slice << 16 | row;
}

void poke_all(Rtl *r, Gates &g) {
  for (unsigned v = 0; v < WL_NUM_VIEWS; v++)
    for (unsigned s = 0; s < g.size[v].slices; s++)
      for (unsigned row = 0; row < g.size[v].rows; row++) {
        r->top->poke_i = poke_of(v, s, row, g.word(v, s, row));
        tick(r);
      }
  r->top->poke_i = 0;
}

// Every word that a record changed, and of the others one in Others, in turn by seed: a peek takes
// four cycles. The program ends here when a word differs: a side has no other way to refuse at its
// end.
void peek_all(Rtl *r, Gates &g) {
  constexpr unsigned Others = 16;
  unsigned compared = 0, changed = 0, wrong = 0, n = static_cast<unsigned>(g.seed);
  for (unsigned v = 0; v < WL_NUM_VIEWS; v++)
    for (unsigned s = 0; s < g.size[v].slices; s++)
      for (unsigned row = 0; row < g.size[v].rows; row++, n++) {
        const bool was_written = g.written[v][size_t{s} * g.size[v].rows + row];
        if (!was_written && n % Others != 0) continue;
        compared++;
        changed += was_written;
        r->top->peek_i = peek_of(v, s, row);
        for (unsigned i = 0; i < WL_PEEK_TICKS; i++)
          tick(r);
        const uint32_t got = r->top->peek_data_o, expected = g.word(v, s, row);
        if (got == expected || wrong++ >= 8) continue;
        std::fprintf(stderr, "netlist: %s slice %u row %u: got %08x, expected %08x\n",
                     wl_view_info[v]->name, s, row, got, expected);
      }
  std::printf("netlist: %u words peeked at the end, %u of them changed by the run, %u wrong\n",
              compared, changed, wrong);
  if (wrong != 0) std::exit(1);
}

// What the netlist's records say about the arrays.
void apply(Gates &g, const wl_config_t *config, const wl_cosim_record_t *record) {
  const uint32_t *w = record->word;
  switch (record->kind) {
  case WL_J_RF:
    for (unsigned l = 0; l < config->lanes; l++)
      if (w[2] >> l & 1U) g.change(WL_VIEW_RF, w[0] * config->lanes + l, w[1]) = w[3 + l];
    break;
  case WL_J_PRED: {
    uint32_t &p = g.change(WL_VIEW_PRED, 0, w[0] * 8 + w[1]);
    p = (p & ~w[2]) | (w[3] & w[2]);
    break;
  }
  case WL_J_SMEM:
    for (unsigned b = 0; b < 4; b++) {
      const uint32_t mask = UINT32_C(0xff) << 8 * b;
      if ((w[2] >> b & 1U) == 0) continue;
      uint32_t &word = g.change(WL_VIEW_SMEM, w[0], w[1]);
      word = (word & ~mask) | (w[3] & mask);
    }
    break;
  case WL_J_XBUF:
    for (unsigned l = 0; l < config->lanes; l++)
      if (w[2] >> l & 1U) g.change(WL_VIEW_XBUF, w[1] * config->lanes + l, w[0]) = w[3 + l];
    break;
  case WL_J_TMEM:
    for (unsigned l = 0; l < config->lanes; l++)
      if (w[2] >> l & 1U) g.change(WL_VIEW_TMEM, w[0] * config->lanes + l, w[1]) = w[3 + l];
    break;
  default:
    break;
  }
}

wl_side_t *open_gates(const wl_side_desc_t *desc, char *err, size_t cap) {
  if (desc->config->sub_cores != 1) {
    std::snprintf(err, cap, "the netlist is of one sub-core");
    return nullptr;
  }
  wl_side_t *side = open_rtl(desc, err, cap);
  if (side == nullptr) return nullptr;
  Gates &g = all_gates[side];
  for (unsigned v = 0; v < WL_NUM_VIEWS; v++) {
    wl_view_sizes(desc->config, v, &g.size[v]);
    g.words[v].resize(size_t{g.size[v].slices} * g.size[v].rows);
    g.written[v].resize(g.words[v].size());
    for (unsigned s = 0; s < g.size[v].slices; s++)
      for (unsigned r = 0; r < g.size[v].rows; r++)
        g.word(v, s, r) = seed_of(desc, g, v, s, r);
  }
  g.seed = desc->seed;
  Rtl *r = rtl(side);
  r->top->poke_i = 0;
  r->top->peek_i = 0;
  r->reset();
  poke_all(r, g);
  r->reset();
  return side;
}

void close_gates(wl_side_t *side) {
  Gates &g = all_gates[side];
  peek_all(rtl(side), g);
  all_gates.erase(side);
  close_rtl(side);
}

void note(wl_side_t *side, const wl_journal_t *records, unsigned from) {
  if (records == nullptr) return;
  for (unsigned i = from; i < records->records; i++)
    apply(all_gates[side], rtl(side)->config, &records->record[i]);
}

void start_gates(wl_side_t *side, uint64_t launch_block, wl_journal_t *records) {
  const unsigned from = records != nullptr ? records->records : 0;
  start_rtl(side, launch_block, records);
  note(side, records, from);
}

void step_gates(wl_side_t *side, wl_journal_t *records) {
  const unsigned from = records != nullptr ? records->records : 0;
  step_rtl(side, records);
  note(side, records, from);
}

void view_gates(wl_side_t *side, unsigned view, wl_view_t *out) {
  Gates &g = all_gates[side];
  for (unsigned i = 0; i < out->slices; i++)
    out->base[i] = &g.word(view, i, 0);
}

} // namespace

extern "C" {
extern const wl_side_ops_t WL_GATES_TABLE;
const wl_side_ops_t WL_GATES_TABLE = {"rtl",    open_gates, close_gates, start_gates, step_gates,
                                      done_rtl, hung_rtl,   trap_rtl,    view_gates,  counters_rtl,
                                      nullptr,  nullptr,    nullptr,     nullptr,     nullptr,
                                      nullptr,  nullptr,    fault_rtl};
}
