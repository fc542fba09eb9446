/* form_text.c: see form_text.h. docs/isa.md. */
#include "isa/obj/form_text.h"

static void add(wl_text_operand_t *out, int *n, wl_text_operand_t operand) {
  out[(*n)++] = operand;
}

int wl_text_operands(const wl_form_info_t *f, wl_text_operand_t out[WL_TEXT_MAX_OPERANDS]) {
  int n = 0;
  if (f->d != 0 || f->counted) add(out, &n, WL_TEXT_RD);
  if ((f->preds & WL_PRED_D) != 0) add(out, &n, WL_TEXT_PD);
  if ((f->preds & WL_PRED_Q) != 0) add(out, &n, WL_TEXT_PQ);
  if (f->imm == WL_IMM_O) {
    add(out, &n, f->unit == WL_UNIT_LDC ? WL_TEXT_CMEM : WL_TEXT_MEM);
  } else if (f->a != 0) {
    add(out, &n, WL_TEXT_RA);
  }
  if (f->b != 0) add(out, &n, WL_TEXT_RB);
  if (f->imm == WL_IMM_B) add(out, &n, WL_TEXT_VALUE);
  if (f->c != 0) add(out, &n, WL_TEXT_RC);
  switch (f->imm) {
  case WL_IMM_C:
  case WL_IMM_M:
  case WL_IMM_V:
  case WL_IMM_N:
  case WL_IMM_X:
    add(out, &n, WL_TEXT_VALUE);
    break;
  case WL_IMM_T:
    add(out, &n, WL_TEXT_TARGET);
    break;
  case WL_IMM_S:
    add(out, &n, WL_TEXT_SREG);
    break;
  case WL_IMM_L:
    add(out, &n, WL_TEXT_POSLEN);
    break;
  case WL_IMM_G:
    add(out, &n, WL_TEXT_BARRIER);
    break;
  default:
    break;
  }
  if ((f->preds & WL_PRED_S) != 0) add(out, &n, WL_TEXT_PS);
  if ((f->preds & WL_PRED_T) != 0) add(out, &n, WL_TEXT_PT);
  return n;
}

static const char *const rnd_names[] = {"rn", "rz", "rm", "rp"};
static const char *const bop_names[] = {"and", "or", "xor", "none"};
static const char *const xmode_names[] = {"up", "down", "bfly", "idx"};
static const char *const scope_names[] = {"cta", "cluster", "gpu", "sys"};
static const char *const cmp_names[] = {"never", "lt",  "eq",  "le",    "gt",  "ne",
                                        "ge",    "num", "nan", "ltu",   "equ", "leu",
                                        "gtu",   "neu", "geu", "always"};

#define MOD(text, NAME, values)                                                                    \
  {text, WL_MOD_##NAME, WL_FIELD_##NAME##_LOW, WL_FIELD_##NAME##_WIDTH, values}
const wl_text_mod_t wl_text_mods[] = {
    MOD("cmp", CMP, cmp_names),  MOD("bop", BOP, bop_names),
    MOD("rnd", RND, rnd_names),  MOD("ftz", FTZ, NULL),
    MOD("sat", SAT, NULL),       MOD("neg_a", NEG_A, NULL),
    MOD("neg_b", NEG_B, NULL),   MOD("neg_c", NEG_C, NULL),
    MOD("nan", NAN, NULL),       MOD("relu", RELU, NULL),
    MOD("oob", OOB, NULL),       MOD("xorsign", XORSIGN, NULL),
    MOD("bytes", BYTES, NULL),   MOD("uns", UNS, NULL),
    MOD("lut", LUT, NULL),       MOD("xmode", XMODE, xmode_names),
    MOD("strong", STRONG, NULL), MOD("scope", SCOPE, scope_names),
    MOD("cache", CACHE, NULL),   MOD("aligned", ALIGNED, NULL),
    MOD("ua", UA, NULL),         MOD("ub", UB, NULL),
    MOD("bx", BX, NULL),         MOD("sel", SEL, NULL),
    MOD("half", HALF, NULL),     MOD("ta", TA, NULL),
    MOD("b16", B16, NULL),
};
#undef MOD
const size_t wl_text_mod_count = sizeof wl_text_mods / sizeof wl_text_mods[0];
