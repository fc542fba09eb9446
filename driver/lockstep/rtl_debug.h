// rtl_debug.h: registers of a Verilated model by name, and the rows of debug.def read from them
// (docs/replay.md, "Inside"). The same for every configuration's model.
#ifndef WL_LOCKSTEP_RTL_DEBUG_H
#define WL_LOCKSTEP_RTL_DEBUG_H
#include <string>
#include <vector>

#include "gen/wl_config.h"
#include "gen/wl_debug.h"
#include "verilated.h"
#include "verilated_syms.h"

// What is public in the RTL, by its whole name; nullptr: there is nothing of that name.
inline const VerilatedVar *wl_rtl_public(const VerilatedContext &context, const std::string &full) {
  const size_t dot = full.rfind('.');
  const VerilatedScope *s = context.scopeFind(full.substr(0, dot).c_str());
  return s != nullptr ? s->varFind(full.c_str() + dot + 1) : nullptr;
}

class WlRtlDebug {
public:
  // Words and rows as wl_side_ops_t's debug has them.
  void read(const VerilatedContext &context, const wl_config_t &config, uint64_t *words,
            bool *has) {
    const size_t id = static_cast<size_t>(&config - wl_configs);
    if (!searched_) find(context, id);
    for (unsigned row = 0; row < WL_NUM_DEBUGS; row++)
      has[row] = false;
    for (const Slice &s : slices_) {
      has[s.row] = true;
      for (unsigned i = 0; i < wl_debug_info[s.row].elements[id]; i++)
        words[s.first + i] = element(s.var, i);
    }
  }

private:
  struct Slice {
    unsigned row, first;
    const VerilatedVar *var;
  };
  std::vector<Slice> slices_;
  bool searched_ = false;

  // A unit of somebody else's (docs/cosim.md, "One unit") need not have the register; one of
  // another shape is not read.
  void find(const VerilatedContext &context, size_t id) {
    searched_ = true;
    for (unsigned row = 0; row < WL_NUM_DEBUGS; row++) {
      const wl_debug_info_t &info = wl_debug_info[row];
      for (unsigned slice = 0; slice < info.slices[id]; slice++) {
        std::string name = std::string("TOP.gpu_top.") + info.rtl;
        const size_t at = name.find("{sub}");
        if (at != std::string::npos) name.replace(at, 5, std::to_string(slice));
        const VerilatedVar *v = wl_rtl_public(context, name);
        if (v == nullptr || v->entSize() > 8 || v->entBits() > info.bits[id] ||
            v->totalSize() / v->entSize() != info.elements[id])
          continue;
        slices_.push_back({row, info.first[id] + slice * info.elements[id], v});
      }
    }
  }

  static uint64_t element(const VerilatedVar *v, size_t i) {
    const void *data = v->datap();
    switch (v->entSize()) {
    case 1:
      return static_cast<const uint8_t *>(data)[i];
    case 2:
      return static_cast<const uint16_t *>(data)[i];
    case 4:
      return static_cast<const uint32_t *>(data)[i];
    default:
      return static_cast<const uint64_t *>(data)[i];
    }
  }
};

#endif
