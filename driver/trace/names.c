/* names.c: what values of signals are called, for translate files of wave viewers. The values are
 * those of the tables (isa/def); pc values are called by the launch's instructions. */
#include <string.h>

#include "driver/trace/internal.h"
#include "driver/trace/waves.h"
#include "gen/wl_insn.h"
#include "isa/obj/dis.h"

#define NAME(prefix, name) [prefix##name] = #name
static const char *const atom_names[WL_NUM_ATOM_OP] = {
    NAME(WL_ATOM_OP_, NONE), NAME(WL_ATOM_OP_, ADD), NAME(WL_ATOM_OP_, MIN),
    NAME(WL_ATOM_OP_, MAX),  NAME(WL_ATOM_OP_, INC), NAME(WL_ATOM_OP_, DEC),
    NAME(WL_ATOM_OP_, AND),  NAME(WL_ATOM_OP_, OR),  NAME(WL_ATOM_OP_, XOR),
    NAME(WL_ATOM_OP_, EXCH), NAME(WL_ATOM_OP_, CAS)};
static const char *const type_names[WL_NUM_MEM_TYPE] = {
    NAME(WL_MEM_TYPE_, U8),  NAME(WL_MEM_TYPE_, S8),  NAME(WL_MEM_TYPE_, U16),
    NAME(WL_MEM_TYPE_, S16), NAME(WL_MEM_TYPE_, B8),  NAME(WL_MEM_TYPE_, B16),
    NAME(WL_MEM_TYPE_, B32), NAME(WL_MEM_TYPE_, B64), NAME(WL_MEM_TYPE_, B128),
    NAME(WL_MEM_TYPE_, U32), NAME(WL_MEM_TYPE_, S32), NAME(WL_MEM_TYPE_, U64),
    NAME(WL_MEM_TYPE_, S64), NAME(WL_MEM_TYPE_, F32)};
/* packet.def op; journal.def RESOLVE request, CTA event. */
static const char *const op_names[] = {"LD", "ST", "ATOM", "RED"};
static const char *const request_names[] = {"none", "SPLIT", "WALK"};
static const char *const event_names[] = {"placed", "freed"};

typedef struct list {
  const char *const *text;
  uint32_t count;
} list_t;

static list_t list_of(wl_wave_names_t names) {
  switch (names) {
  case WL_NAMES_CAUSE:
    return (list_t){wl_trap_name, WL_NUM_TRAPS};
  case WL_NAMES_OP:
    return (list_t){op_names, 4};
  case WL_NAMES_ATOM:
    return (list_t){atom_names, WL_NUM_ATOM_OP};
  case WL_NAMES_TYPE:
    return (list_t){type_names, WL_NUM_MEM_TYPE};
  case WL_NAMES_REQUEST:
    return (list_t){request_names, 3};
  case WL_NAMES_EVENT:
    return (list_t){event_names, 2};
  case WL_NAMES_WHY:
    return (list_t){wl_why_names, WL_WHYS};
  case WL_NAMES_STEP:
    return (list_t){wl_step_names, WL_STEPS};
  default:
    return (list_t){NULL, 0};
  }
}

void wl_waves_each_name(wl_wave_names_t names, const uint32_t (*code)[4], uint32_t code_words,
                        void (*each)(void *context, uint32_t value, const char *text),
                        void *context) {
  const list_t list = list_of(names);
  for (uint32_t i = 0; i < list.count; i++)
    if (list.text[i] != NULL) each(context, i, list.text[i]);
  for (uint32_t pc = 0; names == WL_NAMES_PC && pc < code_words; pc++) {
    char insn[WL_DIS_MAX], text[WL_DIS_MAX + 16];
    wl_dis_word(code[pc], insn, sizeof insn);
    snprintf(text, sizeof text, "%u %s", (unsigned)pc, insn);
    each(context, pc, text);
  }
}

const char *wl_waves_names_file(wl_wave_names_t names) {
  static const char *const files[WL_NAMES_KINDS] = {
      NULL,       "pc.txt",      "cause.txt", "op.txt",  "atom.txt",
      "type.txt", "request.txt", "event.txt", "why.txt", "step.txt"};
  return files[names];
}
