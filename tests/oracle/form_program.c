/* form_program.c: see form_program.h. */
#include "tests/oracle/form_program.h"

#include <stdio.h>
#include <string.h>

static const char *constant(char letter, unsigned which) {
  static const char *const w[] = {"0",   "5",          "31", "1",          "32", "33",
                                  "200", "0x80000000", "-1", "0x7fffffff", "64", "1000"};
  static const char *const h[] = {"0", "5", "1", "0x7fff", "-1", "-32768"};
  static const char *const x[] = {"0",          "5", "-1",          "0x8000000000000000",
                                  "0x7fffffff", "1", "0x100000000", "0xffffffff80000000"};
  static const char *const f[] = {"0f3FC00000", "0f00000001", "0fBF800000", "0f80000000",
                                  "0f7F800000", "0f7FC00000", "0f00800000", "1.0"};
  static const char *const d[] = {
      "0d3FF8000000000000", "0d0000000000000001", "0dBFF0000000000000", "0d8000000000000000",
      "0d7FF0000000000000", "0d7FF0000000000001", "0d3CA0000000000001", "1.1"};
  switch (letter) {
  case 'h':
    return h[which % 6];
  case 'w':
    return w[which % 12];
  case 'x':
    return x[which % 8];
  case 'd':
    return d[which % 8];
  default:
    return f[which % 8];
  }
}

/* Destination k: a register of its own, or that of a source. */
static void destination(char *to, size_t cap, char letter, int k, const wl_alias_t *a) {
  char own = letter == 'p' && k == 1 ? 'q' : letter;
  if (!a->used || a->dst[k] == WL_ALIAS_OWN) {
    (void)snprintf(to, cap, "%%%cd", own);
  } else {
    (void)snprintf(to, cap, "%%%c%d", letter, a->dst[k] % WL_FORM_SOURCES);
  }
}

/* Positions and lengths of bit fields must be small constants, the base of fns a position. */
static const char *constant_of(const char *form, char letter, unsigned index, unsigned value) {
  unsigned which = value * 5 + index * index;
  if (strncmp(form, "fns", 3) == 0 && index == 2) {
    return (which & 1) != 0 ? "31" : "5";
  }
  return constant(letter, strncmp(form, "bf", 2) == 0 ? which % 7 : which);
}

static int source_of(const wl_form_variant_t *v, unsigned index) {
  return (v->alias.used ? v->alias.source[index - 1] : (int)index - 1) % WL_FORM_SOURCES;
}

static void operand_text(char *to, size_t cap, const char *form, const char *token, unsigned index,
                         wl_form_variant_t v) {
  bool neg = token[0] == '!';
  bool fixed = token[0] == '=';
  char letter = token[neg || fixed ? 1 : 0];
  if (index == 0) {
    destination(to, cap, wl_alias_letter(letter, 0), 0, &v.alias);
    if (wl_alias_letter(letter, 1) != 0) {
      size_t n = strlen(to);
      to[n] = '|';
      destination(to + n + 1, cap - n - 1, 'p', 1, &v.alias);
    }
  } else if (!fixed && (v.mask >> (index - 1) & 1) != 0 && strchr("hwxfd", letter) != NULL) {
    (void)snprintf(to, cap, "%s", constant_of(form, letter, index, v.value));
  } else if (strchr("hwxfdpb", letter) != NULL) {
    (void)snprintf(to, cap, "%s%%%c%d", neg ? "!" : "", letter, source_of(&v, index));
  } else {
    (void)snprintf(to, cap, "%s", letter == 'v' ? "{%f0, %f1, %f2, %f3}" : token);
  }
}

/* The guard, which the instruction writes; and behind it the results in registers of their own. */
static size_t guard_text(char *to, size_t cap, char token, const wl_alias_t *a) {
  char p[8];
  if (!a->used || a->guard == WL_ALIAS_NO_GUARD) {
    return 0;
  }
  destination(p, sizeof p, wl_alias_letter(token, a->guard - WL_ALIAS_FIRST),
              a->guard - WL_ALIAS_FIRST, a);
  return (size_t)snprintf(to, cap, "@%s ", p);
}

static size_t results_text(char *to, size_t cap, char token, const wl_alias_t *a) {
  size_t n = 0;
  char from[8], own[8];
  for (int k = 0; a->used && k < 2 && wl_alias_letter(token, k) != 0; k++) {
    char letter = wl_alias_letter(token, k);
    const char *type = letter == 'p'   ? "pred"
                       : letter == 'h' ? "b16"
                       : letter == 'x' ? "b64"
                       : letter == 'f' ? "f32"
                       : letter == 'd' ? "f64"
                                       : "b32";
    destination(from, sizeof from, letter, k, a);
    destination(own, sizeof own, letter, k, &(wl_alias_t){0});
    n += (size_t)snprintf(to + n, cap - n, "mov.%s %s, %s;\n", type, own, from);
  }
  return n;
}

/* ---- what stands around the form ---- */
/* The carry flag is not visible: it is set before, from a bit of the last operand, and shown behind. */
static bool is_carry(const char *form) {
  return strstr(form, ".cc") != NULL || strncmp(form, "addc", 4) == 0 ||
         strncmp(form, "subc", 4) == 0 || strncmp(form, "madc", 4) == 0;
}

static size_t before_text(char *to, size_t cap, const char *form, wl_form_variant_t v) {
  if (is_carry(form)) {
    return (size_t)snprintf(to, cap, "add.cc.u32 %%t0, %%w4, %%w4;\n");
  }
  if (strncmp(form, "fns", 3) == 0) { /* PTX leaves open what another base gives */
    int base = source_of(&v, 2);
    return (size_t)snprintf(to, cap, "and.b32 %%w%d, %%w%d, 31;\n", base, base);
  }
  return 0;
}

static size_t load_text(char *to, size_t cap) {
  size_t n = 0;
  for (unsigned i = 0; i < WL_FORM_SOURCES; i++) {
    n += (size_t)snprintf(to + n, cap - n,
                          "ld.global.b64 %%x%u, [%%in+%u];\ncvt.u32.u64 %%w%u, %%x%u;\n"
                          "cvt.u16.u64 %%h%u, %%x%u;\nmov.b32 %%f%u, %%w%u;\n"
                          "mov.b64 %%d%u, %%x%u;\ncvt.u8.u64 %%b%u, %%x%u;\n"
                          "and.b32 %%wd, %%w%u, 1;\nsetp.ne.u32 %%p%u, %%wd, 0;\n",
                          i, 8 * i, i, i, i, i, i, i, i, i, i, i, i, i);
  }
  return n + (size_t)snprintf(to + n, cap - n,
                              "shr.u64 %%e, %%x3, 32;\ncvt.u32.u64 %%w4, %%e;\nmov.u64 %%e, 0;\n"
                              "mov.pred %%pd, %%p3;\nnot.pred %%qd, %%p3;\n");
}

/* The form itself; random bits behind a list of operands have a register of their own. */
static size_t form_text(char *to, size_t cap, const wl_form_row_t *row, wl_form_variant_t v) {
  size_t n = (size_t)snprintf(to, cap, "%s", row->form);
  char copy[64], *rest = copy, operand[80];
  (void)snprintf(copy, sizeof copy, "%s", row->operands);
  for (unsigned index = 0; *rest != 0; index++) {
    char *token = rest;
    rest += strcspn(rest, " ");
    rest += *rest != 0 ? (*rest = 0, 1) : 0;
    operand_text(operand, sizeof operand, row->form, token, index, v);
    bool random = strstr(row->form, ".rs.") != NULL && *rest == 0;
    n += (size_t)snprintf(to + n, cap - n, "%s %s", index == 0 ? "" : ",",
                          random ? "%w4" : operand);
  }
  return n + (size_t)snprintf(to + n, cap - n, ";\n");
}

static size_t widen_text(char *to, size_t cap, char letter, const char *form) {
  static const struct {
    char letter;
    const char *code;
  } widen[] = {{'h', "cvt.u64.u16 %xd, %hd;\n"},
               {'b', "cvt.u64.u8 %xd, %bd;\n"},
               {'w', "cvt.u64.u32 %xd, %wd;\n"},
               {'f', "mov.b32 %wd, %fd;\ncvt.u64.u32 %xd, %wd;\n"},
               {'p', "selp.b64 %xd, 1, 0, %pd;\n"},
               {'q', "selp.b64 %xd, 1, 0, %pd;\nselp.b64 %e, 1, 0, %qd;\n"},
               {'W', "cvt.u64.u32 %xd, %wd;\nselp.b64 %e, 1, 0, %qd;\n"},
               {'x', ""},
               {'d', "mov.b64 %xd, %dd;\n"}};
  size_t n = 0;
  for (size_t i = 0; i < sizeof widen / sizeof widen[0]; i++) {
    if (widen[i].letter == letter) {
      n += (size_t)snprintf(to + n, cap - n, "%s", widen[i].code);
    }
  }
  return n + (is_carry(form) ? (size_t)snprintf(to + n, cap - n, "addc.u64 %%e, %%o, 0;\n") : 0);
}

size_t wl_form_program(char *text, const wl_form_row_t *row, wl_form_variant_t v) {
  static const char head[] =
      ".address_size 64\n.visible .entry t(.param .u64 in, .param .u64 out)\n{\n"
      ".reg .pred %p<4>, %pd, %qd;\n.reg .b8 %b<4>, %bd;\n.reg .b16 %h<4>, %hd;\n"
      ".reg .b32 %w<5>, %wd, %t<3>;\n.reg .b64 %x<4>, %xd, %e, %in, %out, %o;\n"
      ".reg .f32 %f<4>, %fd;\n.reg .f64 %d<4>, %dd;\n"
      "mov.u32 %t0, %ctaid.x;\nmov.u32 %t1, %ntid.x;\nmov.u32 %t2, %tid.x;\n"
      "mad.lo.u32 %t0, %t0, %t1, %t2;\nld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n"
      "mul.wide.u32 %o, %t0, 32;\nadd.s64 %in, %in, %o;\n"
      "mul.wide.u32 %o, %t0, 16;\nadd.s64 %out, %out, %o;\nmov.u64 %xd, 0;\nmov.u64 %o, 0;\n";
  char letter = row->operands[0] == 'F' ? 'f' : row->operands[0];
  size_t n = (size_t)snprintf(text, WL_FORM_CAP, "%s%s", row->head, head);
  n += load_text(text + n, WL_FORM_CAP - n);
  n += before_text(text + n, WL_FORM_CAP - n, row->form, v);
  n += guard_text(text + n, WL_FORM_CAP - n, row->operands[0], &v.alias);
  n += form_text(text + n, WL_FORM_CAP - n, row, v);
  n += results_text(text + n, WL_FORM_CAP - n, row->operands[0], &v.alias);
  n += widen_text(text + n, WL_FORM_CAP - n, letter, row->form);
  return n + (size_t)snprintf(text + n, WL_FORM_CAP - n,
                              "st.global.b64 [%%out], %%xd;\nst.global.b64 [%%out+8], %%e;\n"
                              "ret;\n}\n");
}
