/* form_text.h: order of operands and spelling of modifiers, shared by dis.c and asm.c.
 * Private to isa/obj. Facts come from the generated form table; only spelling is decided here. */
#ifndef WL_ISA_OBJ_FORM_TEXT_H
#define WL_ISA_OBJ_FORM_TEXT_H
#include <stddef.h>
#include <stdint.h>

#include "gen/wl_insn.h"

typedef enum wl_text_operand {
  WL_TEXT_RD,
  WL_TEXT_PD,
  WL_TEXT_PQ,
  WL_TEXT_RA,
  WL_TEXT_MEM,
  WL_TEXT_CMEM,
  WL_TEXT_RB,
  WL_TEXT_RC,
  WL_TEXT_VALUE,
  WL_TEXT_TARGET,
  WL_TEXT_SREG,
  WL_TEXT_POSLEN,
  WL_TEXT_BARRIER,
  WL_TEXT_PS,
  WL_TEXT_PT
} wl_text_operand_t;
#define WL_TEXT_MAX_OPERANDS 10

/* Operands of a form in text order; returns their number. */
int wl_text_operands(const wl_form_info_t *f, wl_text_operand_t out[WL_TEXT_MAX_OPERANDS]);

typedef struct wl_text_mod {
  const char *name;
  uint32_t mod; /* WL_MOD_* */
  uint8_t low, width;
  const char *const *values; /* spelling of the codes, NULL = a number; width 1: a flag */
} wl_text_mod_t;
extern const wl_text_mod_t wl_text_mods[];
extern const size_t wl_text_mod_count;

#endif
