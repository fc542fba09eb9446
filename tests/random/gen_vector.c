/* gen_vector.c: moves of vectors whose sources and destinations overlap, address spaces, and a
 * function that takes and gives a byte array accessed as vectors. */
#include <string.h>

#include "tests/random/gen.h"

enum { G_ARRAY = 32 }; /* bytes of the function's argument and of its result */

typedef struct element {
  const char *name;
  char letter;
  unsigned bytes;
} element_t;
static const element_t k_elements[] = {
    {"b16", 'h', 2}, {"u16", 'h', 2}, {"s16", 'h', 2}, {"b32", 'w', 4}, {"u32", 'w', 4},
    {"s32", 'w', 4}, {"f32", 'f', 4}, {"b64", 'x', 8}, {"u64", 'x', 8}, {"s64", 'x', 8}};
enum { ELEMENTS = sizeof k_elements / sizeof k_elements[0] };

/* Words of isspacep and cvta, and what they mean. */
static const struct {
  const char *word;
  rc_space_t space;
} k_words[] = {{"const", RC_CONST},       {"global", RC_GLOBAL},      {"local", RC_LOCAL},
               {"shared", RC_SHARED},     {"shared::cta", RC_SHARED}, {"param", RC_PARAM},
               {"param::entry", RC_PARAM}};
enum { WORDS = sizeof k_words / sizeof k_words[0] };

/* An object of each space: generic address, variable, bytes that hold the same values everywhere.
 */
static const struct {
  rc_space_t space, generic;
  const char *address, *variable;
  unsigned bytes;
} k_objects[] = {{RC_GLOBAL, RC_GENERIC_GLOBAL, "%own", "table", G_OWN},
                 {RC_SHARED, RC_GENERIC_SHARED, "%gs", "sh", G_SHARED},
                 {RC_LOCAL, RC_GENERIC_LOCAL, "%gl", "loc", G_LOCAL},
                 {RC_CONST, RC_GENERIC_CONST, "%gc", "ctab", G_CONST},
                 {RC_PARAM, RC_PARAM, "%gp", "par_bytes", G_PARAM}};
enum { OBJECTS = sizeof k_objects / sizeof k_objects[0] };

void g_vector_rows(rc_table_t *t) {
  char form[RC_FORM];
  unsigned vector = 1u << RC_VECTOR, outside = RC_ALL_PATHS & ~(1u << RC_CALL);
  for (unsigned i = 0; i < ELEMENTS; i++) {
    for (unsigned n = 2; n * k_elements[i].bytes <= 16 && n <= 4; n += 2) {
      (void)snprintf(form, sizeof form, "mov.v%u.%s", n, k_elements[i].name);
      rc_add(t, form, RC_NONE, vector, RC_ALL_PATHS);
    }
  }
  for (unsigned o = 0; o < OBJECTS; o++) {
    unsigned paths = k_objects[o].space == RC_PARAM ? outside : RC_ALL_PATHS;
    for (unsigned w = 0; w < WORDS; w++) {
      (void)snprintf(form, sizeof form, "isspacep.%s", k_words[w].word);
      rc_add(t, form, k_objects[o].generic, 1u << RC_REG, paths);
      if (k_words[w].space == k_objects[o].space) {
        (void)snprintf(form, sizeof form, "cvta.%s", k_words[w].word);
        rc_add(t, form, k_objects[o].space, 1u << RC_REG | 1u << RC_IMM, paths);
        (void)snprintf(form, sizeof form, "cvta.to.%s", k_words[w].word);
        rc_add(t, form, k_objects[o].space, 1u << RC_REG, paths);
      }
    }
  }
  rc_add(t, "call.vector", RC_NONE, 1u << RC_REG, RC_ALL_PATHS);
  rc_add(t, "st.param.func", RC_PARAM, vector, RC_ALL_PATHS & ~(1u << RC_PREDICATED));
  rc_add(t, "ld.param.func", RC_PARAM, vector, RC_ALL_PATHS & ~(1u << RC_PREDICATED));
}

/* ---- vectors ---- */
/* "{%w3, %w1}" out of n + 1 neighbours of the pool; `again`: a register may come twice. */
static void list(gen_t *g, char letter, unsigned first, unsigned n, bool again, char *to,
                 size_t cap) {
  unsigned size = letter == 'w' ? G_W : G_X, at[5], used = 0; /* %h, %x and %f: as many */
  for (unsigned i = 0; i <= n; i++) {
    at[i] = i;
  }
  for (unsigned i = n; i != 0; i--) {
    unsigned k = g_below(g, i + 1), swap = at[i];
    at[i] = at[k];
    at[k] = swap;
  }
  for (unsigned i = 0; i < n; i++) {
    unsigned r = again ? at[g_below(g, n + 1)] : at[i];
    used += (unsigned)snprintf(to + used, cap - used, "%s%%%c%u", i == 0 ? "{" : ", ", letter,
                               (first + r) % size);
  }
  (void)snprintf(to + used, cap - used, "}");
}

/* A list of registers that are all different. */
static void any_list(gen_t *g, char letter, unsigned n, char *to, size_t cap) {
  unsigned first = g_below(g, letter == 'w' ? G_W : G_X);
  list(g, letter, first, n, false, to, cap);
}

void g_vector_move(gen_t *g) {
  const element_t *e = &k_elements[g_below(g, ELEMENTS)];
  unsigned n = e->bytes == 8 || g_chance(g, 50) ? 2 : 4,
           first = g_below(g, e->letter == 'w' ? G_W : G_X);
  char to[80], from[80];
  list(g, e->letter, first, n, false, to, sizeof to);
  list(g, e->letter, first, n, true, from, sizeof from);
  g_op(g, RC_NONE, RC_VECTOR, "mov.v%u.%s %s, %s", n, e->name, to, from);
}

/* Four pieces of 16 and of 8 bits. */
void g_move_quarters(gen_t *g) {
  char pieces[80];
  if (g_chance(g, 50)) {
    bool pack = g_chance(g, 50);
    unsigned first = g_below(g, G_H);
    list(g, 'h', first, 4, pack, pieces, sizeof pieces);
    const char *x = g_reg(g, 'x');
    if (pack) {
      g_op(g, RC_NONE, RC_VECTOR, "mov.b64 %s, %s", x, pieces);
    } else {
      g_op(g, RC_NONE, RC_VECTOR, "mov.b64 %s, %s", pieces, x);
    }
    return;
  }
  const char *from = g_reg(g, 'w'), *to = g_reg(g, 'w');
  g_op(g, RC_NONE, RC_VECTOR, "mov.b32 {%%k0, %%k1, %%k2, %%k3}, %s", from);
  unsigned turn = g_below(g, 4);
  g_op(g, RC_NONE, RC_VECTOR, "mov.b32 %s, {%%k%u, %%k%u, %%k%u, %%k0}", to, turn, (turn + 3) % 4,
       (turn + 2) % 4);
}

/* ---- spaces ---- */
static unsigned object(gen_t *g) {
  return g_below(g, g->function < 0 ? OBJECTS : OBJECTS - 1); /* functions do not see %gp */
}

static void ask_space(gen_t *g) {
  char form[RC_FORM];
  unsigned w = g_below(g, WORDS), o = object(g);
  const char *p = g_reg(g, 'p');
  g_raw(g, "\tadd.u64 %%a, %s, %u;", k_objects[o].address, g_below(g, k_objects[o].bytes));
  (void)snprintf(form, sizeof form, "isspacep.%s", k_words[w].word);
  g_op_as(g, form, k_objects[o].generic, RC_REG, "%s %s, %%a", form, p);
}

/* %b: a generic address of the object's bytes. True: those of all threads, not to be read. */
static bool to_generic(gen_t *g, unsigned o, const char *word) {
  char form[RC_FORM];
  bool variable = g_chance(g, 50), all = k_objects[o].space == RC_SHARED && variable;
  (void)snprintf(form, sizeof form, "cvta.%s", word);
  if (variable) {
    g_op_as(g, form, k_objects[o].space, RC_IMM, "%s.u64 %%b, %s", form, k_objects[o].variable);
  } else if (k_objects[o].space == RC_SHARED) {
    g_raw(g, "\tcvt.u64.u32 %%a, %%sa;");
    g_op_as(g, form, RC_SHARED, RC_REG, "%s.u64 %%b, %%a", form);
  } else {
    g_raw(g, "\tmov.u64 %%a, %s;", k_objects[o].variable);
    g_op_as(g, form, k_objects[o].space, RC_REG, "%s.u64 %%b, %%a", form);
  }
  return all;
}

static void convert_address(gen_t *g) {
  unsigned o = object(g), w;
  char form[RC_FORM];
  do {
    w = g_below(g, WORDS);
  } while (k_words[w].space != k_objects[o].space);
  unsigned bytes = k_objects[o].bytes < G_TABLE ? k_objects[o].bytes : G_TABLE;
  unsigned offset = g_below(g, bytes / 4) * 4;
  if (g_chance(g, 50)) {
    (void)snprintf(form, sizeof form, "cvta.to.%s", k_words[w].word);
    const char *to = g_reg(g, 'w'), *space = k_words[w].word;
    g_op_as(g, form, k_objects[o].space, RC_REG, "%s.u64 %%b, %s", form, k_objects[o].address);
    g_raw(g, "\t%sld.%s.b32 %s, [%%b+%u];", g->guard,
          k_objects[o].space == RC_SHARED ? "shared" : space, to, offset);
  } else if (to_generic(g, o, k_words[w].word)) {
    g_raw(g, "\t%ssub.u64 %s, %s, %%b;", g->guard, g_reg(g, 'x'), k_objects[o].address);
  } else {
    g_raw(g, "\t%sld.b32 %s, [%%b+%u];", g->guard, g_reg(g, 'w'), offset);
  }
}

void g_old_space(gen_t *g) {
  static const char *const forms[] = {"isspacep.const", "isspacep.global", "isspacep.local",
                                      "isspacep.shared"};
  unsigned o = g_below(g, 4);
  const char *to = g_reg(g, 'p'), *form = forms[g_below(g, 4)];
  g_op_as(g, form, k_objects[o].generic, RC_REG, "%s %s, %s", form, to, k_objects[o].address);
}

void g_space(gen_t *g) {
  if (g_chance(g, 60)) {
    ask_space(g);
  } else {
    convert_address(g);
  }
}

/* ---- a function with arrays ---- */
/* One access of a .param array as a vector. */
static void access_array(gen_t *g, bool store, const char *array) {
  const element_t *e = &k_elements[g_below(g, ELEMENTS)];
  unsigned n = e->bytes < 8 && g_chance(g, 50) ? 4 : 2;
  unsigned offset = g_below(g, G_ARRAY / (n * e->bytes)) * n * e->bytes;
  char regs[80];
  any_list(g, e->letter, n, regs, sizeof regs);
  if (store) {
    g_op_as(g, "st.param.func", RC_PARAM, RC_VECTOR, "st.param.v%u.%s [%s+%u], %s", n, e->name,
            array, offset, regs);
  } else {
    g_op_as(g, "ld.param.func", RC_PARAM, RC_VECTOR, "ld.param.v%u.%s %s, [%s+%u]", n, e->name,
            regs, array, offset);
  }
}

/* vec(s, n): pieces of s in another order. */
void g_vector_function(gen_t *g) {
  int outer = g->function;
  g->function = 0;
  g_raw(g, ".func (.param .align 16 .b8 r[%u]) vec(.param .align 16 .b8 s[%u], .param .b32 n)\n{",
        (unsigned)G_ARRAY, (unsigned)G_ARRAY);
  g_raw(g,
        "\t.reg .b8 %%k<4>;\n\t.reg .b16 %%h<%u>;\n\t.reg .b32 %%w<%u>;\n\t.reg .f32 %%f<%u>;\n"
        "\t.reg .b64 %%x<%u>;",
        (unsigned)G_H, (unsigned)G_W, (unsigned)G_F, (unsigned)G_X);
  for (unsigned i = 0; i < G_W; i++) {
    g_raw(g, "\tld.param.b32 %%w%u, [%s];", i, i == 9 ? "n" : i == 8 ? "s+4" : "s");
  }
  for (unsigned i = 0; i < G_X; i++) {
    g_raw(g,
          "\tld.param.b64 %%x%u, [s+%u];\n\tld.param.b16 %%h%u, [s+%u];\n"
          "\tld.param.f32 %%f%u, [s+%u];",
          i, i % 4 * 8, i, 2 * i, i, 4 * i);
  }
  g_raw(
      g,
      "\tst.param.v4.b32 [r], {%%w9, %%w0, %%w8, %%w3};\n\tst.param.v2.b64 [r+16], {%%x3, %%x1};");
  for (unsigned n = 2 + g_below(g, 8); n != 0; n--) {
    unsigned dice = g_below(g, 4);
    if (dice == 0) {
      access_array(g, false, "s");
    } else if (dice == 1) {
      access_array(g, true, "r");
    } else {
      g_vector_move(g);
    }
  }
  access_array(g, true, "r");
  g_raw(g, "\tret;\n}");
  g->function = outer;
  g->vector = true;
}

void g_vector_call(gen_t *g, const char *guard) {
  const char *w = g_reg(g, 'w'), *x = g_reg(g, 'x'), *n = g_reg(g, 'w');
  bool same = guard[0] != 0 || g_chance(g, 30); /* lanes that do not call keep the argument */
  g_raw(g, "\t{\n\t.param .align 16 .b8 vs[%u], vr[%u];\n\t.param .b32 vn;", (unsigned)G_ARRAY,
        (unsigned)G_ARRAY);
  g_raw(g, "\tst.param.v4.b32 [vs], {%s, %s, %%w1, %%w2};\n\tst.param.v2.b64 [vs+16], {%s, %%x1};",
        w, n, x);
  access_array(g, true, "vs");
  g_raw(g, "\tst.param.b32 [vn], %s;", n);
  (void)snprintf(g->guard, sizeof g->guard, "%s", guard);
  g_op_as(g, "call.vector", RC_NONE, RC_REG, "call (%s), vec, (vs, vn)", same ? "vs" : "vr");
  g->guard[0] = 0;
  access_array(g, false, same ? "vs" : "vr");
  access_array(g, false, same ? "vs" : "vr");
  g_raw(g, "\t}");
}
