/* dis.c: machine instruction to text (dis.h; docs/isa.md). Deliberately knows no symbols: the
 * program `warplock dis` adds names of functions and source lines around it. */
#include "isa/obj/dis.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gen/wl_sreg.h"
#include "isa/obj/form_text.h"

typedef struct text {
  char *buf;
  size_t cap, used;
} text_t;

static void say(text_t *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(text_t *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  size_t room = t->used < t->cap ? t->cap - t->used : 0;
  int n = vsnprintf(room != 0 ? t->buf + t->used : NULL, room, format, args);
  va_end(args);
  t->used += n > 0 ? (size_t)n : 0;
}

const char *wl_dis_illegal(const uint32_t w[4]) {
  uint32_t form = WL_WORD_GET(w, FORM);
  if (!wl_form_exists(form, WL_ANY_ROW)) {
    return "form id not assigned";
  }
  const uint32_t *mbz = wl_form_info[form].mbz;
  for (int i = 0; i < 4; i++) {
    if ((w[i] & mbz[i]) != 0) {
      return "bits that must be zero are set";
    }
  }
  return NULL;
}

static void say_reg(text_t *t, uint32_t r, uint32_t words) {
  if (r == 255) {
    say(t, "RZ");
  } else if (words <= 1) {
    say(t, "R%u", r);
  } else {
    say(t, "R%u:R%u", r, r + words - 1);
  }
}

static void say_pred(text_t *t, uint32_t p, uint32_t negated) {
  if (p == 7) {
    say(t, "%sPT", negated != 0 ? "!" : "");
  } else {
    say(t, "%sP%u", negated != 0 ? "!" : "", p);
  }
}

static void say_offset(text_t *t, int32_t offset) {
  if (offset != 0) {
    say(t, "%c0x%x", offset < 0 ? '-' : '+', offset < 0 ? 0u - (uint32_t)offset : (uint32_t)offset);
  }
}

static void say_operand(text_t *t, const wl_form_info_t *f, const uint32_t w[4],
                        wl_text_operand_t operand) {
  uint32_t imm = WL_WORD_GET(w, IMM);
  switch (operand) {
  case WL_TEXT_RD:
    say_reg(t, WL_WORD_GET(w, RD), f->d);
    break;
  case WL_TEXT_RA:
    say_reg(t, WL_WORD_GET(w, RA), f->a);
    break;
  case WL_TEXT_RB:
    say_reg(t, WL_WORD_GET(w, RB), f->b);
    break;
  case WL_TEXT_RC:
    say_reg(t, WL_WORD_GET(w, RC), f->c);
    break;
  case WL_TEXT_PD:
    say_pred(t, WL_WORD_GET(w, PD), 0);
    break;
  case WL_TEXT_PQ:
    say_pred(t, WL_WORD_GET(w, PQ), 0);
    break;
  case WL_TEXT_PS:
    say_pred(t, WL_WORD_GET(w, PS), WL_WORD_GET(w, PS_NEG));
    break;
  case WL_TEXT_PT:
    say_pred(t, WL_WORD_GET(w, PT), WL_WORD_GET(w, PT_NEG));
    break;
  case WL_TEXT_VALUE:
    say(t, "0x%x", imm);
    break;
  case WL_TEXT_TARGET:
    say(t, "#%u", imm);
    break;
  case WL_TEXT_POSLEN:
    say(t, "%u:%u", imm & 255u, imm >> 8 & 255u);
    break;
  case WL_TEXT_BARRIER:
    say(t, "B%u:%u", imm & 15u, (imm >> 8 & 63u) * 32);
    break;
  case WL_TEXT_SREG:
    say(t, "SR%u", imm & 255u);
    if (wl_sreg_ptx_name[imm & 255u] != NULL) say(t, "(%s)", wl_sreg_ptx_name[imm & 255u]);
    break;
  case WL_TEXT_MEM:
    say(t, "[");
    say_reg(t, WL_WORD_GET(w, RA), f->a);
    say_offset(t, (int32_t)imm);
    say(t, "]");
    break;
  case WL_TEXT_CMEM:
    say(t, "c%u[", imm >> 28);
    say_reg(t, WL_WORD_GET(w, RA), f->a);
    say_offset(t, (int32_t)(imm << 4) >> 4);
    say(t, "]");
    break;
  }
}

static void say_mods(text_t *t, const wl_form_info_t *f, const uint32_t w[4]) {
  const char *before = " {";
  for (size_t i = 0; i < wl_text_mod_count; i++) {
    const wl_text_mod_t *m = &wl_text_mods[i];
    uint32_t value = wl_word_get(w, m->low, m->width);
    if ((f->mods & m->mod) == 0 || value == 0) {
      continue;
    }
    if (m->values != NULL) {
      say(t, "%s%s=%s", before, m->name, m->values[value]);
    } else if (m->width == 1) {
      say(t, "%s%s", before, m->name);
    } else {
      say(t, "%s%s=0x%x", before, m->name, value);
    }
    before = " ";
  }
  if (before[1] == 0) {
    say(t, "}");
  }
}

size_t wl_dis_word(const uint32_t w[4], char *buf, size_t cap) {
  text_t t = {buf, cap, 0};
  if (cap != 0) {
    buf[0] = 0;
  }
  const char *illegal = wl_dis_illegal(w);
  if (illegal != NULL) {
    say(&t, ".word 0x%08x 0x%08x 0x%08x 0x%08x (illegal: %s)", w[0], w[1], w[2], w[3], illegal);
    return t.used;
  }
  const wl_form_info_t *f = &wl_form_info[WL_WORD_GET(w, FORM)];
  if (WL_WORD_GET(w, GUARD) != 7 || WL_WORD_GET(w, GUARD_NEG) != 0) {
    say(&t, "@");
    say_pred(&t, WL_WORD_GET(w, GUARD), WL_WORD_GET(w, GUARD_NEG));
    say(&t, " ");
  }
  say(&t, "%s", f->name);
  wl_text_operand_t operands[WL_TEXT_MAX_OPERANDS];
  int n = wl_text_operands(f, operands);
  for (int i = 0; i < n; i++) {
    say(&t, i == 0 ? " " : ", ");
    say_operand(&t, f, w, operands[i]);
  }
  say_mods(&t, f, w);
  return t.used;
}
