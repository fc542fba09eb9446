// Both sides of the generated ISA are the same: every form id in wl_pkg against wl_form_info, and
// word fields of random words in SystemVerilog against wl_word_get.
#include <cstdint>
#include <cstdio>

#include "Vform_table_tiny.h"

extern "C" {
#include "gen/wl_insn.h"
}

static long checks = 0;
static long failures = 0;

static void equal(const char *what, uint32_t form, uint32_t got, uint32_t expected) {
  checks++;
  if (got == expected) return;
  if (failures++ < 20)
    std::printf("form %u %s: SystemVerilog %08x, C %08x\n", static_cast<unsigned>(form), what,
                static_cast<unsigned>(got), static_cast<unsigned>(expected));
}

static uint32_t bytes(unsigned a, unsigned b, unsigned c, unsigned d) {
  return a << 24 | b << 16 | c << 8 | d;
}

static void check_form(Vform_table_tiny &top, uint32_t form) {
  for (int i = 0; i < 4; i++)
    top.word_i[i] = i == 0 ? form : 0;
  top.eval();
  const bool exists = wl_form_exists(form, WL_ANY_ROW);
  equal("legal", form, top.legal_o, exists);
  if (!exists) return;
  const wl_form_info_t &f = wl_form_info[form];
  equal("unit, op", form, top.unit_op_o, bytes(f.unit, f.op, f.kind, f.space));
  equal("type", form, top.type_o,
        bytes(f.type, f.matrix.kind != 0 ? f.matrix.kind : f.atom + f.mbar, f.imm, f.steps));
  equal("words", form, top.words_o, bytes(f.counted ? 255 : f.d, f.a, f.b, f.c));
  equal("words of x", form, top.x_words_o, f.x);
  equal("queue, list, aligned, format, slow, preds", form, top.preds_o,
        f.preds | (f.of.lanes == WL_LANES_AT_ONCE_SLOW ? 16U : 0U) |
            static_cast<unsigned>(f.format) << 8 | static_cast<unsigned>(f.of.aligned) << 16 |
            static_cast<unsigned>(f.of.list) << 24 | static_cast<unsigned>(f.of.queue) << 25);
  for (int i = 0; i < 4; i++)
    equal("mbz", form, top.mbz_o[i], f.mbz[i]);
}

static void check_word(Vform_table_tiny &top, const uint32_t w[4]) {
  for (int i = 0; i < 4; i++)
    top.word_i[i] = w[i];
  top.eval();
  const uint32_t form = WL_WORD_GET(w, FORM);
  equal("registers", form, top.regs_o,
        bytes(WL_WORD_GET(w, RD), WL_WORD_GET(w, RA), WL_WORD_GET(w, RB), WL_WORD_GET(w, RC)));
  equal("imm", form, top.imm_o, WL_WORD_GET(w, IMM));
  // The predicate and modifier fields follow each other without a gap.
  equal("predicates", form, top.preds_used_o,
        (w[1] >> 17) << 4 | WL_WORD_GET(w, GUARD_NEG) << 3 | WL_WORD_GET(w, GUARD));
  equal("modifiers", form, top.mods_o, w[3]);
}

int main() {
  Vform_table_tiny top;
  for (uint32_t form = 0; form < 8192; form++)
    check_form(top, form);
  uint64_t state = 8;
  for (int n = 0; n < 20000; n++) {
    uint32_t w[4];
    for (uint32_t &part : w) {
      state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      part = static_cast<uint32_t>(state >> 32);
    }
    check_word(top, w);
  }
  std::printf("form table: %ld checks, %ld failures\n", checks, failures);
  return failures != 0;
}
