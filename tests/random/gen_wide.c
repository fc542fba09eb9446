/* gen_wide.c: atomics of halves and vectors, accesses of 128 and 256 bits, all on the thread's own bytes, from
 * edition 6 on. The list never changes: the seeds of an edition count its rows. */
#include <stdio.h>
#include <string.h>

#include "tests/random/gen.h"

typedef struct atom {
  const char *text;
  char letter;
  unsigned n, bytes; /* elements; of one */
} atom_t;

static const atom_t k_atoms[] = {
    {"add.noftz.f16", 'h', 1, 2},     {"add.noftz.bf16", 'h', 1, 2},
    {"add.noftz.f16x2", 'w', 1, 4},   {"add.noftz.bf16x2", 'w', 1, 4},
    {"cas.b16", 'h', 1, 2},           {"add.v2.f32", 'f', 2, 4},
    {"add.v4.f32", 'f', 4, 4},        {"add.noftz.v2.f16", 'h', 2, 2},
    {"min.noftz.v4.f16", 'h', 4, 2},  {"max.noftz.v2.bf16", 'h', 2, 2},
    {"add.noftz.v4.bf16", 'h', 4, 2}, {"min.noftz.v2.f16x2", 'w', 2, 4},
    {"add.noftz.v4.f16x2", 'w', 4, 4}, {"max.noftz.v4.bf16x2", 'w', 4, 4}};
enum { ATOMS = sizeof k_atoms / sizeof k_atoms[0] };

void g_wide_rows(rc_table_t *t) {
  static const char *const accesses[] = {"ld.b128", "st.b128", "ld.v8.b32", "st.v8.b32",
                                         "ld.v4.b64", "st.v4.b64"};
  char name[RC_FORM];
  for (unsigned i = 0; i < ATOMS; i++) {
    const atom_t *a = &k_atoms[i];
    for (unsigned red = 0; red < (a->text[0] == 'c' ? 1u : 2u); red++) {
      unsigned cls = 1u << (a->n > 1 ? RC_VECTOR : RC_REG);
      (void)snprintf(name, sizeof name, "%s.%s", red != 0 ? "red" : "atom", a->text);
      rc_add(t, name, RC_GLOBAL, cls, RC_ALL_PATHS);
      if (a->n == 1) {
        rc_add(t, name, RC_SHARED, cls, RC_ALL_PATHS);
      }
    }
  }
  for (unsigned i = 0; i < 6; i++) {
    rc_add(t, accesses[i], RC_GLOBAL, 1u << RC_VECTOR, RC_ALL_PATHS);
  }
}

/* {..} of n registers that follow each other, so that none stands twice; now and then one is `_`. */
static void list(gen_t *g, char letter, unsigned n, bool sink, char *to, size_t cap) {
  unsigned size = letter == 'h' ? G_H : letter == 'w' ? G_W : letter == 'x' ? G_X : G_F;
  unsigned first = g_below(g, size), none = sink && g_chance(g, 25) ? g_below(g, n) : n;
  size_t used = (size_t)snprintf(to, cap, "%s", n > 1 ? "{" : "");
  for (unsigned i = 0; i < n; i++) {
    used += (size_t)snprintf(to + used, cap - used, "%s", i != 0 ? ", " : "");
    if (i == none) {
      used += (size_t)snprintf(to + used, cap - used, "_");
    } else {
      used += (size_t)snprintf(to + used, cap - used, "%%%c%u", letter, (first + i) % size);
    }
  }
  (void)snprintf(to + used, cap - used, "%s", n > 1 ? "}" : "");
}

static void atomic(gen_t *g) {
  const atom_t *a = &k_atoms[g_below(g, ATOMS)];
  bool cas = a->text[0] == 'c', red = !cas && g_chance(g, 50);
  bool shared = a->n == 1 && g_chance(g, 40);
  unsigned size = a->n * a->bytes, own = shared ? (unsigned)G_SHARED : (unsigned)G_OWN;
  unsigned at = g_below(g, own / size) * size;
  char value[48], result[48] = "", form[RC_FORM];
  list(g, a->letter, a->n, false, value, sizeof value);
  if (cas) {
    const char *b = g_reg(g, 'h'), *c = g_reg(g, 'h');
    (void)snprintf(value, sizeof value, "%s, %s", b, c);
  }
  if (!red) {
    list(g, a->letter, a->n, false, result, sizeof result);
    (void)strcat(result, ", ");
  }
  (void)snprintf(form, sizeof form, "%s.%s", red ? "red" : "atom", a->text);
  g_op_as(g, form, shared ? RC_SHARED : RC_GLOBAL, a->n > 1 ? RC_VECTOR : RC_REG,
          "%s%s.%s %s[%s+%u], %s", red ? "red" : "atom", shared ? ".shared" : ".global", a->text,
          result, shared ? "%sa" : "%own", at, value);
}

static void access128(gen_t *g, bool store) {
  char regs[48];
  unsigned at = 16 * g_below(g, G_OWN / 16);
  list(g, 'x', 2, false, regs, sizeof regs);
  if (store) {
    g_raw(g, "\tmov.b128 %%y0, %s;", regs);
    g_op_as(g, "st.b128", RC_GLOBAL, RC_VECTOR, "st.global.b128 [%%own+%u], %%y0", at);
  } else {
    g_op_as(g, "ld.b128", RC_GLOBAL, RC_VECTOR, "ld.global.b128 %%y1, [%%own+%u]", at);
    g_raw(g, "\t%smov.b128 %s, %%y1;", g->guard, regs);
  }
}

static void access256(gen_t *g, bool store) {
  char regs[64], name[RC_FORM];
  bool words = g_chance(g, 50);
  unsigned at = 32 * g_below(g, G_OWN / 32);
  const char *type = words ? "v8.b32" : "v4.b64";
  list(g, words ? 'w' : 'x', words ? 8 : 4, true, regs, sizeof regs);
  (void)snprintf(name, sizeof name, "%s.%s", store ? "st" : "ld", type);
  if (store) {
    g_op_as(g, name, RC_GLOBAL, RC_VECTOR, "st.global.%s [%%own+%u], %s", type, at, regs);
  } else {
    g_op_as(g, name, RC_GLOBAL, RC_VECTOR, "ld.global.%s %s, [%%own+%u]", type, regs, at);
  }
}

void g_wide(gen_t *g) {
  unsigned dice = g_below(g, 100);
  bool store = g_chance(g, 50);
  if (dice < 60) {
    atomic(g);
  } else if (dice < 80) {
    access128(g, store);
  } else {
    access256(g, store);
  }
}
