/* asm.c: text of one machine instruction to its word (dis.h; docs/isa.md). For tests and programs
 * written by hand: no labels, no directives but .word; PTX is assembled by isa/lower. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/obj/dis.h"
#include "isa/obj/form_text.h"

typedef struct parse {
  const char *at;
  char *err;
  size_t cap;
} parse_t;

static bool bad(const parse_t *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool bad(const parse_t *p, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)vsnprintf(p->err, p->cap, format, args);
  va_end(args);
  return false;
}

/* White space and (comments). */
static void blank(parse_t *p) {
  for (;;) {
    while (isspace((unsigned char)*p->at)) {
      p->at++;
    }
    if (*p->at != '(') {
      return;
    }
    const char *end = strchr(p->at, ')');
    p->at = end == NULL ? p->at + strlen(p->at) : end + 1;
  }
}

static bool accept(parse_t *p, const char *text) {
  blank(p);
  size_t n = strlen(text);
  if (strncmp(p->at, text, n) != 0) {
    return false;
  }
  p->at += n;
  return true;
}

static bool expect(parse_t *p, const char *text) {
  return accept(p, text) || bad(p, "expected '%s' at '%.20s'", text, p->at);
}

static bool number(parse_t *p, uint64_t max, uint32_t *out) {
  blank(p);
  if (!isdigit((unsigned char)*p->at)) {
    return bad(p, "expected a number at '%.20s'", p->at);
  }
  char *end = NULL;
  unsigned long long value = strtoull(p->at, &end, 0);
  if (value > max) {
    return bad(p, "number at '%.20s' is above %llu", p->at, (unsigned long long)max);
  }
  p->at = end;
  *out = (uint32_t)value;
  return true;
}

static bool word(parse_t *p, char *out, size_t cap) {
  blank(p);
  size_t n = 0;
  while (isalnum((unsigned char)p->at[n]) || p->at[n] == '.' || p->at[n] == '_') {
    n++;
  }
  if (n == 0 || n >= cap) {
    return bad(p, "expected a name at '%.20s'", p->at);
  }
  memcpy(out, p->at, n);
  out[n] = 0;
  p->at += n;
  return true;
}

static bool reg(parse_t *p, uint32_t words, uint32_t *out) {
  if (accept(p, "RZ")) {
    *out = 255;
    return true;
  }
  uint32_t last = 0;
  if (!expect(p, "R") || !number(p, 254, out)) {
    return false;
  }
  if (words <= 1) {
    return true;
  }
  if (!expect(p, ":R") || !number(p, 254 + 15, &last)) {
    return false;
  }
  return last == *out + words - 1 || bad(p, "R%u:R%u: the operand has %u words", *out, last, words);
}

static bool pred(parse_t *p, uint32_t *out, uint32_t *negated) {
  *negated = accept(p, "!") ? 1 : 0;
  if (accept(p, "PT")) {
    *out = 7;
    return true;
  }
  return expect(p, "P") && number(p, 6, out);
}

/* Optional +N or -N, then the closing bracket. */
static bool offset(parse_t *p, uint64_t max, uint32_t *out) {
  *out = 0;
  bool minus = accept(p, "-");
  if ((minus || accept(p, "+")) && !number(p, minus ? max + 1 : max, out)) {
    return false;
  }
  *out = minus ? 0u - *out : *out;
  return expect(p, "]");
}

static bool memory(parse_t *p, const wl_form_info_t *f, bool constant, uint32_t w[4]) {
  uint32_t bank = 0;
  uint32_t a = 0;
  uint32_t imm = 0;
  if (constant && (!expect(p, "c") || !number(p, 15, &bank))) {
    return false;
  }
  if (!expect(p, "[") || !reg(p, f->a, &a) || !offset(p, constant ? 0x7ffffff : 0x7fffffff, &imm)) {
    return false;
  }
  WL_WORD_SET(w, RA, a);
  WL_WORD_SET(w, IMM, constant ? bank << 28 | (imm & 0xfffffffu) : imm);
  return true;
}

static bool pair(parse_t *p, uint64_t max_low, uint64_t max_high, uint32_t unit, uint32_t w[4]) {
  uint32_t low = 0;
  uint32_t high = 0;
  if (!number(p, max_low, &low) || !expect(p, ":") || !number(p, max_high, &high)) {
    return false;
  }
  WL_WORD_SET(w, IMM, low | (high / unit) << 8);
  return high % unit == 0 || bad(p, "%u is no multiple of %u", high, unit);
}

static bool immediate(parse_t *p, const char *prefix, uint64_t max, uint32_t w[4]) {
  uint32_t value = 0;
  if (!expect(p, prefix) || !number(p, max, &value)) {
    return false;
  }
  WL_WORD_SET(w, IMM, value);
  return true;
}

static bool operand(parse_t *p, const wl_form_info_t *f, wl_text_operand_t kind, uint32_t w[4]) {
  uint32_t v = 0;
  uint32_t negated = 0;
  bool ok = true;
  switch (kind) {
  case WL_TEXT_RD:
    ok = reg(p, f->d, &v);
    WL_WORD_SET(w, RD, v);
    break;
  case WL_TEXT_RA:
    ok = reg(p, f->a, &v);
    WL_WORD_SET(w, RA, v);
    break;
  case WL_TEXT_RB:
    ok = reg(p, f->b, &v);
    WL_WORD_SET(w, RB, v);
    break;
  case WL_TEXT_RC:
    ok = reg(p, f->c, &v);
    WL_WORD_SET(w, RC, v);
    break;
  case WL_TEXT_PD:
    ok = pred(p, &v, &negated) && negated == 0;
    WL_WORD_SET(w, PD, v);
    break;
  case WL_TEXT_PQ:
    ok = pred(p, &v, &negated) && negated == 0;
    WL_WORD_SET(w, PQ, v);
    break;
  case WL_TEXT_PS:
    ok = pred(p, &v, &negated);
    WL_WORD_SET(w, PS, v);
    WL_WORD_SET(w, PS_NEG, negated);
    break;
  case WL_TEXT_PT:
    ok = pred(p, &v, &negated);
    WL_WORD_SET(w, PT, v);
    WL_WORD_SET(w, PT_NEG, negated);
    break;
  case WL_TEXT_VALUE:
    return immediate(p, "", UINT32_MAX, w);
  case WL_TEXT_TARGET:
    return immediate(p, "#", 0xfffffff, w);
  case WL_TEXT_SREG:
    return immediate(p, "SR", 255, w);
  case WL_TEXT_POSLEN:
    return pair(p, 255, 255, 1, w);
  case WL_TEXT_BARRIER:
    return expect(p, "B") && pair(p, 15, 63 * 32, 32, w);
  case WL_TEXT_MEM:
    return memory(p, f, false, w);
  case WL_TEXT_CMEM:
    return memory(p, f, true, w);
  }
  return ok || negated == 0 ? ok : bad(p, "a destination predicate cannot be negated");
}

static bool mod_value(parse_t *p, const wl_text_mod_t *m, uint32_t *value) {
  if (m->width == 1) {
    *value = 1;
    return true;
  }
  if (!expect(p, "=")) {
    return false;
  }
  if (m->values == NULL) {
    return number(p, (UINT64_C(1) << m->width) - 1, value);
  }
  char name[16];
  if (!word(p, name, sizeof name)) {
    return false;
  }
  for (uint32_t i = 0; i < 1u << m->width; i++) {
    if (strcmp(m->values[i], name) == 0) {
      *value = i;
      return true;
    }
  }
  return bad(p, "%s has no value %s", m->name, name);
}

static bool modifier(parse_t *p, const wl_form_info_t *f, uint32_t w[4]) {
  char name[16];
  uint32_t value = 0;
  if (!word(p, name, sizeof name)) {
    return false;
  }
  for (size_t i = 0; i < wl_text_mod_count; i++) {
    const wl_text_mod_t *m = &wl_text_mods[i];
    if (strcmp(m->name, name) == 0 && (f->mods & m->mod) != 0) {
      if (!mod_value(p, m, &value)) {
        return false;
      }
      wl_word_set(w, m->low, m->width, value);
      return true;
    }
  }
  return bad(p, "%s has no modifier %s", f->name, name);
}

static bool body(parse_t *p, uint32_t w[4]) {
  char name[WL_DIS_MAX];
  if (!word(p, name, sizeof name)) {
    return false;
  }
  uint32_t form = 0;
  while (form < WL_NUM_FORMS && strcmp(wl_form_info[form].name, name) != 0) {
    form++;
  }
  if (form == WL_NUM_FORMS) {
    return bad(p, "no instruction form %s", name);
  }
  const wl_form_info_t *f = &wl_form_info[form];
  WL_WORD_SET(w, FORM, form);
  wl_text_operand_t kinds[WL_TEXT_MAX_OPERANDS];
  int n = wl_text_operands(f, kinds);
  for (int i = 0; i < n; i++) {
    if ((i != 0 && !expect(p, ",")) || !operand(p, f, kinds[i], w)) {
      return false;
    }
  }
  if (accept(p, "{")) {
    while (!accept(p, "}")) {
      if (!modifier(p, f, w)) {
        return false;
      }
    }
  }
  return true;
}

bool wl_asm_line(const char *line, uint32_t w[4], char *err, size_t cap) {
  parse_t p = {line, err, cap};
  memset(w, 0, 4 * sizeof w[0]);
  bool ok = true;
  if (accept(&p, ".word")) {
    for (int i = 0; ok && i < 4; i++) {
      ok = number(&p, UINT32_MAX, &w[i]);
    }
  } else {
    uint32_t guard = 7;
    uint32_t negated = 0;
    ok = !accept(&p, "@") || pred(&p, &guard, &negated);
    WL_WORD_SET(w, GUARD, guard);
    WL_WORD_SET(w, GUARD_NEG, negated);
    ok = ok && body(&p, w);
  }
  blank(&p);
  return ok && (*p.at == 0 || bad(&p, "text after the instruction: '%.20s'", p.at));
}
