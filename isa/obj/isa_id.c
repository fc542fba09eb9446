/* isa_id.c: the hash that the generator makes of the ISA tables (docs/architecture.md 2). */
#include "isa/obj/isa_id.h"

#include "gen/wl_insn.h"

uint64_t wl_obj_isa_hash(void) { return (uint64_t)WL_ISA_HASH_HI << 32 | WL_ISA_HASH_LO; }
