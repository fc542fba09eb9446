/* access.c: the memory accesses of a lane, from its registers; and which results a thread cannot
 * know by itself. Checks are replay.c's. */
#include <string.h>

#include "driver/compare/compare.h"
#include "gen/wl_sreg.h"

static void operand(const func_warp_t *w, uint32_t r, uint32_t bytes, uint32_t lane, uint8_t *to) {
  for (uint32_t k = 0; k < bytes; k++)
    to[k] = (uint8_t)(func_word(w, r, k / 4, lane) >> 8 * (k % 4));
}

void cmp_access(const func_warp_t *w, const wl_insn_dec_t *i, uint32_t lane, cmp_access_t *out) {
  const wl_form_info_t *f = i->info;
  uint64_t ea = func_word(w, i->ra, 0, lane);
  ea |= f->a == 2 ? (uint64_t)func_word(w, i->ra, 1, lane) << 32 : 0;
  ea += (uint64_t)(int64_t)(int32_t)i->imm;
  ea = f->a == 2 ? ea : (uint32_t)ea;
  *out = (cmp_access_t){.there = true,
                        .kind = (wl_mem_kind_t)f->kind,
                        .space = (wl_mem_space_t)f->space,
                        .bytes = wl_sem_type_bytes((wl_mem_type_t)f->type),
                        .address = ea,
                        .generic = ea};
  if (out->space == WL_MEM_SPACE_GEN) {
    const uint64_t window = ea >> 32;
    out->space = window == CMP_SHARED_WINDOW  ? WL_MEM_SPACE_SHARED
                 : window == CMP_LOCAL_WINDOW ? WL_MEM_SPACE_LOCAL
                                              : WL_MEM_SPACE_GLOBAL;
    out->address = out->space == WL_MEM_SPACE_GLOBAL ? ea : (uint32_t)ea;
  } else if (out->space == WL_MEM_SPACE_SHARED) {
    out->generic = CMP_SHARED_WINDOW << 32 | ea;
  } else if (out->space == WL_MEM_SPACE_LOCAL) {
    out->generic = CMP_LOCAL_WINDOW << 32 | ea;
  }
  const bool mbar = out->kind == WL_MEM_KIND_MBAR; /* an atomic with an operand of one word */
  if (mbar) out->kind = WL_MEM_KIND_ATOM;
  const bool word = mbar || out->kind == WL_MEM_KIND_CPASYNC; /* there: the destination */
  if (out->kind != WL_MEM_KIND_LD) operand(w, i->rb, word ? 4 : out->bytes, lane, out->value);
  if (out->kind == WL_MEM_KIND_ATOM && f->c != 0) operand(w, i->rc, out->bytes, lane, out->other);
}

const char *cmp_space_name(wl_mem_space_t space) {
  return space == WL_MEM_SPACE_SHARED  ? "shared"
         : space == WL_MEM_SPACE_LOCAL ? "local"
         : space == WL_MEM_SPACE_GEN   ? "generic"
                                       : "global";
}

static bool of_time(uint32_t sreg) {
  return sreg == WL_SREG_WARPID || sreg == WL_SREG_NWARPID || sreg == WL_SREG_SMID ||
         sreg == WL_SREG_NSMID || sreg == WL_SREG_GRIDID_LO || sreg == WL_SREG_GRIDID_HI ||
         (sreg >= WL_SREG_CLOCK_LO && sreg <= WL_SREG_GLOBALTIMER_HI) || sreg >= WL_SREG_PM0_LO;
}

cmp_source_t cmp_source(const wl_insn_dec_t *i) {
  switch ((wl_unit_t)i->unit) {
  case WL_UNIT_LSU:
    return i->info->kind == WL_MEM_KIND_LD         ? CMP_LOAD
           : i->info->kind == WL_MEM_KIND_LDMATRIX ? CMP_EXCHANGE
           : i->info->kind == WL_MEM_KIND_ATOM     ? CMP_ATOMIC
           : i->info->kind == WL_MEM_KIND_MBAR     ? CMP_ATOMIC
           : i->info->kind == WL_MEM_KIND_MBTEST   ? CMP_TIME
                                                   : CMP_OWN;
  case WL_UNIT_SYNC:
  case WL_UNIT_BAR:
  case WL_UNIT_TENSOR:
    return CMP_EXCHANGE;
  case WL_UNIT_TMEM:
    return i->op == WL_TMEM_LD ? CMP_EXCHANGE : CMP_OWN;
  case WL_UNIT_ALU:
    if (i->op == WL_ALU_ACTMASK) return CMP_TIME;
    return i->op == WL_ALU_S2R && of_time(i->imm & 255u) ? CMP_TIME : CMP_OWN;
  default:
    return CMP_OWN;
  }
}
