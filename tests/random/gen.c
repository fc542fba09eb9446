/* gen.c: text, random choices and arithmetic of the generator. */
#include "tests/random/gen.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/splitmix.h"

uint32_t g_below(gen_t *g, uint32_t n) { return (uint32_t)(wl_splitmix64(&g->random) >> 33) % n; }

bool g_chance(gen_t *g, uint32_t percent) { return g_below(g, 100) < percent; }

/* ---- text ---- */
static void append(gen_t *g, const char *text) {
  rg_program_t *o = g->out;
  size_t n = strlen(text);
  if (o->size + n + 1 > g->text_cap) {
    size_t cap = 2 * g->text_cap + n + 4096;
    char *bigger = realloc(o->text, cap);
    if (bigger == NULL) {
      g->failed = true;
      return;
    }
    o->text = bigger;
    g->text_cap = cap;
  }
  memcpy(o->text + o->size, text, n + 1);
  o->size += n;
  for (; *text != 0; text++) {
    o->lines += *text == '\n';
  }
}

void g_raw(gen_t *g, const char *fmt, ...) {
  char line[1024];
  va_list args;
  va_start(args, fmt);
  int n = vsnprintf(line, sizeof line - 1, fmt, args);
  va_end(args);
  g->failed = g->failed || n >= (int)sizeof line - 1;
  append(g, line);
  append(g, "\n");
}

static rc_path_t path_of(const gen_t *g) {
  return g->guard[0] != 0                                 ? RC_PREDICATED
         : g->function >= 0                               ? RC_CALL
         : g->loops != 0                                  ? RC_LOOP
         : g->sc.divergent                                ? RC_IF
         : g->since_barrier != 0 && g->since_barrier < 10 ? RC_BARRIER
                                                          : RC_CONVERGED;
}

static void site(gen_t *g, const char *form, rc_space_t space, rc_class_t cls) {
  rg_program_t *o = g->out;
  if (o->nsites == g->sites_cap) {
    size_t cap = 2 * g->sites_cap + 256;
    rg_site_t *bigger = realloc(o->sites, cap * sizeof *bigger);
    if (bigger == NULL) {
      g->failed = true;
      return;
    }
    o->sites = bigger;
    g->sites_cap = cap;
  }
  o->sites[o->nsites++] = (rg_site_t){(uint32_t)o->lines, rc_find(g->table, form, space),
                                      (uint8_t)cls, (uint8_t)path_of(g)};
}

void g_op_as(gen_t *g, const char *form, rc_space_t space, rc_class_t cls, const char *fmt, ...) {
  char line[512], name[RC_FORM];
  va_list args;
  va_start(args, fmt);
  (void)vsnprintf(line, sizeof line, fmt, args);
  va_end(args);
  (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(line, " "), line);
  site(g, form != NULL ? form : name, space, cls);
  g_raw(g, "\t%s%s;", g->guard, line);
}

void g_label(gen_t *g, unsigned label) { g_raw(g, "L%u:", label); }

/* ---- operands ---- */
static const char *const k_reg[][12] = {
    {"%h0", "%h1", "%h2", "%h3", "%h4", "%h5"},
    {"%w0", "%w1", "%w2", "%w3", "%w4", "%w5", "%w6", "%w7", "%w8", "%w9"},
    {"%x0", "%x1", "%x2", "%x3", "%x4", "%x5"},
    {"%f0", "%f1", "%f2", "%f3", "%f4", "%f5"},
    {"%p0", "%p1", "%p2", "%p3", "%p4", "%p5"}};

const char *g_reg(gen_t *g, char letter) {
  switch (letter) {
  case 'h':
    return k_reg[0][g_below(g, G_H)];
  case 'w':
    return k_reg[1][g_below(g, G_W)];
  case 'x':
    return k_reg[2][g_below(g, G_X)];
  case 'f':
  case 'F':
    return k_reg[3][g_below(g, G_F)];
  default:
    return k_reg[4][g_below(g, G_P)];
  }
}

const char *g_constant(gen_t *g, char letter, bool field) {
  static const char *const w[] = {"5",   "31",         "1",   "7",          "32", "33",
                                  "200", "0x80000000", "-1",  "0x7fffffff", "64", "1000",
                                  "-5",  "0x12345678", "255", "0xffff"};
  static const char *const h[] = {"5", "1", "0x7fff", "-1", "-32768", "255", "12"};
  static const char *const x[] = {
      "5",  "-1",          "0x8000000000000000", "0x7fffffff",        "1",
      "-7", "0x100000000", "0xffffffff80000000", "0x123456789abcdef0"};
  static const char *const f[] = {"0f3FC00000", "0f00000001", "0fBF800000", "0f80000000",
                                  "0f7F800000", "0f7FC00000", "0f00800000", "1.0",
                                  "0f3F800001", "0fC2280000", "0f4B000001", "0f33800000"};
  switch (letter) {
  case 'h':
    return h[g_below(g, 7)];
  case 'w':
    return w[g_below(g, field ? 6 : 16)];
  case 'x':
    return x[g_below(g, 9)];
  default:
    return f[g_below(g, 12)];
  }
}

const char *g_not(gen_t *g, uint32_t percent) { return g_chance(g, percent) ? "!" : ""; }

/* ---- arithmetic: the forms of forms_frozen.c ---- */
typedef struct form {
  char name[RC_FORM], operands[20];
} form_t;
typedef struct forms {
  form_t *form;
  uint32_t count, cap;
} forms_t;

/* Range of an integer type as bits: 8-bit signed is -7 .. 7. */
static int low_bits(const char *type) { return type[0] == 's' ? atoi(type + 1) - 1 : 0; }
static int high_bits(const char *type) { return atoi(type + 1) - (type[0] == 's' ? 1 : 0); }

/* cvt.sat between integers is legal only where it can clamp [PTX 9.7.9.21]. */
static bool has_meaning(const char *form) {
  char to[8], from[8];
  if (strncmp(form, "dp2a", 4) == 0) {
    return false; /* came to the machine later: seeds that are written down keep their programs */
  }
  if (sscanf(form, "cvt.sat.%7[us0-9].%7[us0-9]", to, from) != 2) {
    return true;
  }
  return low_bits(from) > low_bits(to) || high_bits(from) > high_bits(to);
}

static void form_row(void *context, const char *form, const char *operands) {
  forms_t *f = context;
  if (!has_meaning(form)) {
    return;
  }
  if (f->count == f->cap) {
    uint32_t cap = 2 * f->cap + 1024;
    form_t *bigger = realloc(f->form, cap * sizeof *bigger);
    if (bigger == NULL) {
      return;
    }
    f->form = bigger;
    f->cap = cap;
  }
  form_t *to = &f->form[f->count++];
  (void)snprintf(to->name, sizeof to->name, "%s", form);
  (void)snprintf(to->operands, sizeof to->operands, "%s", operands);
}

static unsigned arith_classes(const char *operands) {
  const char *sources = strchr(operands, ' ');
  bool constant = sources != NULL && strpbrk(sources, "hwxf") != NULL;
  return constant ? 1u << RC_REG | 1u << RC_IMM | 1u << RC_SPECIAL : 1u << RC_REG;
}

void g_arith_rows(rc_table_t *t) {
  forms_t f = {NULL, 0, 0};
  g_frozen_forms(form_row, &f);
  t->failed = t->failed || f.count == 0;
  for (uint32_t i = 0; i < f.count; i++) {
    rc_add(t, f.form[i].name, RC_NONE, arith_classes(f.form[i].operands), RC_ALL_PATHS);
  }
  free(f.form);
}

/* The n-th form again: the list is a walk, and the program keeps no table between programs. */
typedef struct pick {
  uint32_t at, wanted;
  form_t form;
} pick_t;

static void pick_row(void *context, const char *form, const char *operands) {
  pick_t *p = context;
  if (has_meaning(form) && p->at++ == p->wanted) { /* at: rows so far */
    (void)snprintf(p->form.name, sizeof p->form.name, "%s", form);
    (void)snprintf(p->form.operands, sizeof p->form.operands, "%s", operands);
  }
}

static void arith_operand(gen_t *g, char *to, size_t cap, const char *token, bool dst, bool field,
                          rc_class_t *cls) {
  bool neg = token[0] == '!';
  char letter = token[neg ? 1 : 0];
  unsigned dice = g_below(g, 100);
  if (strchr("hwxfFpqW", letter) == NULL) {
    (void)snprintf(to, cap, "%s", token);
  } else if (letter == 'q' || letter == 'W') {
    const char *p = g_reg(g, 'p'), *q = g_reg(g, 'p');
    if (letter == 'W') {
      (void)snprintf(to, cap, "%s|%s", g_reg(g, 'w'), p);
    } else {
      (void)snprintf(to, cap, p != q && dice < 60 ? "%s|%s" : "%s", p, q);
    }
  } else if (!dst && letter != 'p' && dice < 18) {
    *cls = *cls == RC_SPECIAL ? RC_SPECIAL : RC_IMM;
    (void)snprintf(to, cap, "%s", g_constant(g, letter, field));
  } else if (!dst && letter != 'p' && dice < 32) {
    *cls = RC_SPECIAL;
    (void)snprintf(to, cap, "%s", letter == 'f' ? "0f00000000" : "0");
  } else {
    (void)snprintf(to, cap, "%s%s", neg ? "!" : "", g_reg(g, letter));
  }
}

static void arith_form(gen_t *g, const form_t *f) {
  char line[256], operand[48], copy[24], first[48] = "", *rest = copy;
  rc_class_t cls = RC_REG;
  (void)snprintf(copy, sizeof copy, "%s", f->operands);
  int n = snprintf(line, sizeof line, "%s", f->name);
  for (unsigned index = 0; *rest != 0; index++) {
    char *token = rest;
    rest += strcspn(rest, " ");
    if (*rest != 0) {
      *rest++ = 0;
    }
    arith_operand(g, operand, sizeof operand, token, index == 0, strncmp(f->name, "bf", 2) == 0,
                  &cls);
    n += snprintf(line + n, sizeof line - (size_t)n, "%s %s", index != 0 ? "," : "", operand);
    if (index == 0) {
      (void)snprintf(first, sizeof first, "%s", operand);
    }
  }
  g_op(g, RC_NONE, cls, "%s", line);
  if (f->operands[0] == 'F') { /* PTX leaves the NaN open: any becomes the one that add makes */
    g_raw(g, "\tadd.rn.f32 %s, %s, 0f80000000;", first, first);
  }
}

/* Some forms stand twice in the list: more rows of the list than bins. */
uint32_t g_arith_count(void) {
  pick_t p = {0, UINT32_MAX, {"", ""}};
  g_frozen_forms(pick_row, &p);
  return p.at;
}

void g_arith(gen_t *g) {
  if (g->edition >= RG_HALF_EDITION && g_chance(g, 40)) {
    g_half(g);
    return;
  }
  if (g->edition >= RG_FORMAT_EDITION && g_chance(g, 15)) {
    g_format(g);
    return;
  }
  pick_t p = {0, g_below(g, g->forms), {"", ""}};
  g_frozen_forms(pick_row, &p);
  arith_form(g, &p.form);
}

/* ---- moves: registers, constants, special registers, parts ---- */
static const char *const k_sregs[] = {
    "%tid.x",       "%tid.y",       "%tid.z",       "%ntid.x",     "%ntid.y", "%ntid.z",
    "%ctaid.x",     "%ctaid.y",     "%nctaid.x",    "%nctaid.z",   "%laneid", "%lanemask_eq",
    "%lanemask_lt", "%lanemask_le", "%lanemask_gt", "%lanemask_ge"};

/* Two registers to one and back. */
static void move_parts(gen_t *g, unsigned kind) {
  if (kind == 0) {
    const char *high = g_reg(g, 'w'), *low = g_reg(g, 'w'), *to = g_reg(g, 'x');
    g_op(g, RC_NONE, RC_VECTOR, "mov.b64 %s, {%s, %s}", to, low, high);
  } else if (kind == 1) {
    unsigned a = g_below(g, G_W), b = (a + 1 + g_below(g, G_W - 1)) % G_W;
    g_op(g, RC_NONE, RC_VECTOR, "mov.b64 {%%w%u, %%w%u}, %s", a, b, g_reg(g, 'x'));
  } else {
    unsigned a = g_below(g, G_H), b = (a + 1 + g_below(g, G_H - 1)) % G_H;
    if (g_chance(g, 50)) {
      g_op(g, RC_NONE, RC_VECTOR, "mov.b32 {%%h%u, %%h%u}, %s", a, b, g_reg(g, 'w'));
    } else {
      g_op(g, RC_NONE, RC_VECTOR, "mov.b32 %s, {%%h%u, %%h%u}", g_reg(g, 'w'), a, b);
    }
  }
}

void g_move(gen_t *g) {
  static const char types[] = "hwxf";
  static const char *const names[] = {"b16", "b32", "b64", "f32"};
  unsigned t = g_below(g, 4), kind = g_below(g, g->edition > RG_FIRST_EDITION ? 14 : 8);
  const char *from, *to;
  switch (kind) {
  case 0:
  case 1:
    from = k_sregs[g_below(g, 16)];
    to = g_reg(g, 'w');
    g_op(g, RC_NONE, RC_SPECIAL, "mov.u32 %s, %s", to, from);
    break;
  case 2:
    from = g_constant(g, types[t], false);
    to = g_reg(g, types[t]);
    g_op(g, RC_NONE, RC_IMM, "mov.%s %s, %s", names[t], to, from);
    break;
  case 3:
    from = g_reg(g, 'p');
    to = g_reg(g, 'p');
    g_op(g, RC_NONE, RC_REG, "mov.pred %s, %s", to, from);
    break;
  case 4:
  case 5:
  case 6:
    move_parts(g, kind - 4);
    break;
  case 13:
    g_move_quarters(g);
    break;
  case 9:
  case 10:
  case 11:
  case 12:
    g_vector_move(g);
    break;
  default:
    from = g_reg(g, types[t]);
    to = g_reg(g, types[t]);
    g_op(g, RC_NONE, RC_REG, "mov.%s %s, %s", names[t], to, from);
    break;
  }
}
