// Simulation speed of one SM: a CTA that fills the warp slots runs a loop of integer and f32
// arithmetic with a divergent branch and a load per round. Prints cycles per second; checks only
// that the launch ends without a trap. Argument: rounds.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "gen/wl_insn.h"
#include "gen/wl_sreg.h"
#include "sm_bench.h"

using bench::Insn;

int main(int argc, char **argv) {
  const uint32_t rounds = argc > 1 ? static_cast<uint32_t>(std::atoi(argv[1])) : 100;
  bench::Sm sm;
  bench::Launch l;
  l.block[0] = 32 * sm.warps();
  l.reg_pages = 3;
  const uint32_t base = static_cast<uint32_t>(bench::DataAddr);
  auto setp = [](unsigned pd, unsigned ra, uint32_t v, unsigned cmp) {
    return Insn(WL_FORM_SETP_U32_RI).pd(pd).pq(7).ps(7).ra(ra).imm(v).set(WL_FIELD_CMP_LOW, 4, cmp);
  };
  l.code = {
      Insn(WL_FORM_S2R).rd(0).imm(WL_SREG_TID_X), Insn(WL_FORM_MOV_I).rd(1).imm(0),
      Insn(WL_FORM_MOV_I).rd(2).imm(base),
      Insn(WL_FORM_MOV_I).rd(3).imm(static_cast<uint32_t>(bench::DataAddr >> 32)),
      Insn(WL_FORM_MAD_WIDE_U32_RIR).rd(2).ra(0).rc(2).imm(4),
      Insn(WL_FORM_MOV_I).rd(4).imm(0x3f800000),
      // 6:
      Insn(WL_FORM_LD_GLOBAL_B32).rd(5).ra(2), Insn(WL_FORM_FMA_F32_RRR).rd(6).ra(4).rb(4).rc(4),
      Insn(WL_FORM_MAD_LO_RRR).rd(7).ra(0).rb(1).rc(0),
      Insn(WL_FORM_LOP3_RIR).rd(8).ra(7).rc(255).imm(3).set(WL_FIELD_LUT_LOW, 8, 0xc0),
      setp(0, 8, 1, 2), Insn(WL_FORM_BRA, 0).imm(13), Insn(WL_FORM_ADD_RR).rd(7).ra(7).rb(8),
      // 13:
      Insn(WL_FORM_ADD_F32_RR).rd(6).ra(6).rb(4), Insn(WL_FORM_ADD_RR).rd(5).ra(5).rb(7),
      Insn(WL_FORM_ADD_RI).rd(1).ra(1).imm(1), setp(1, 1, rounds, 1), Insn(WL_FORM_BRA, 1).imm(6),
      Insn(WL_FORM_ST_GLOBAL_B32).ra(2).rb(5).imm(0), Insn(WL_FORM_EXIT)};
  const std::clock_t begin = std::clock(); // processor time: other programs do not count
  const bench::Result r = sm.run(l, 100000000);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::printf("%llu cycles %llu issued, %.1f kcycles/s\n",
              static_cast<unsigned long long>(r.cycles), static_cast<unsigned long long>(r.issued),
              static_cast<double>(r.cycles) / seconds / 1000);
  return r.done && !r.trapped ? 0 : 1;
}
