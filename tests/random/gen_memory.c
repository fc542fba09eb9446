/* gen_memory.c: loads, stores and atomics. A thread writes only its own bytes (global slot, shared
 * slot, local array) and cells, which many threads change at once by operations whose order does
 * not matter; results of those are not looked at. What many threads read nobody writes. */
#include <string.h>

#include "tests/random/gen.h"

typedef struct mem_type {
  const char *name, *regs; /* letters of registers that may hold it */
  unsigned bytes;
} mem_type_t;
static const mem_type_t k_types[] = {
    {"b8", "hwx", 1},  {"u8", "hwx", 1},  {"s8", "hwx", 1}, {"b16", "hwx", 2}, {"u16", "hwx", 2},
    {"s16", "hwx", 2}, {"b32", "wxf", 4}, {"u32", "wx", 4}, {"s32", "wx", 4},  {"f32", "f", 4},
    {"b64", "x", 8},   {"u64", "x", 8},   {"s64", "x", 8},  {"f64", "x", 8}};
enum { TYPES = sizeof k_types / sizeof k_types[0] };

/* Places: base register or symbol, bytes, space word. */
typedef struct place {
  const char *base, *symbol, *word;
  unsigned bytes;
  rc_space_t space;
  bool writable, in_function; /* .local arrays and parameters belong to the kernel or function */
  bool zero_based;            /* 32-bit address register */
} place_t;
static const place_t k_places[] = {
    {"%own", NULL, ".global", G_OWN, RC_GLOBAL, true, true, false},
    {"%in", NULL, ".global", G_IN, RC_GLOBAL, false, true, false},
    {NULL, "table", ".global", G_TABLE, RC_GLOBAL, false, true, false},
    {"%sa", NULL, ".shared", G_SHARED, RC_SHARED, true, true, true},
    {NULL, "loc", ".local", G_LOCAL, RC_LOCAL, true, true, false},
    {NULL, "ctab", ".const", G_CONST, RC_CONST, false, true, false},
    {NULL, "par_bytes", ".param", G_PARAM, RC_PARAM, false, false, false},
    {"%own", NULL, "", G_OWN, RC_GENERIC_GLOBAL, true, true, false},
    {"%gs", NULL, "", G_SHARED, RC_GENERIC_SHARED, true, true, false},
    {"%gl", NULL, "", G_LOCAL, RC_GENERIC_LOCAL, true, true, false},
    {"%gc", NULL, "", G_CONST, RC_GENERIC_CONST, false, true, false}};
enum { PLACES = sizeof k_places / sizeof k_places[0] };

/* Words between opcode and type: which spaces take them. 0: loads, 1: stores. */
enum {
  SP_G = 1 << RC_GLOBAL | 1 << RC_GENERIC_GLOBAL,
  SP_S = 1 << RC_SHARED | 1 << RC_GENERIC_SHARED,
  SP_L = 1 << RC_LOCAL | 1 << RC_GENERIC_LOCAL
};
typedef struct word {
  const char *text;
  bool store, before; /* before: ahead of the space word */
  unsigned spaces;
  bool read_only;
} word_t;
static const word_t k_words[] = {{".volatile", false, true, SP_G | SP_S | SP_L, false},
                                 {".volatile", true, true, SP_G | SP_S | SP_L, false},
                                 {".weak", false, true, SP_G | SP_S | SP_L, false},
                                 {".weak", true, true, SP_G | SP_S | SP_L, false},
                                 {".relaxed.cta", false, true, SP_G | SP_S, false},
                                 {".relaxed.gpu", false, true, SP_G, false},
                                 {".relaxed.sys", true, true, SP_G, false},
                                 {".relaxed.cta", true, true, SP_S, false},
                                 {".acquire.cta", false, true, SP_G | SP_S, false},
                                 {".acquire.gpu", false, true, SP_G, false},
                                 {".release.gpu", true, true, SP_G, false},
                                 {".release.cta", true, true, SP_S, false},
                                 {".ca", false, false, SP_G | SP_L, false},
                                 {".cg", false, false, SP_G, false},
                                 {".cs", false, false, SP_G, false},
                                 {".lu", false, false, SP_G | SP_L, false},
                                 {".cv", false, false, SP_G, false},
                                 {".wb", true, false, SP_G | SP_L, false},
                                 {".cg", true, false, SP_G, false},
                                 {".cs", true, false, SP_G, false},
                                 {".wt", true, false, SP_G, false},
                                 {".nc", false, false, 1 << RC_GLOBAL, true},
                                 {".L1::evict_first", false, false, 1 << RC_GLOBAL, false},
                                 {".L2::128B", false, false, 1 << RC_GLOBAL, false}};
enum { WORDS = sizeof k_words / sizeof k_words[0] };

/* Atomic operations; row of a cell = index here. order: any order gives the same memory. */
typedef struct atom {
  const char *text; /* operation and type */
  char letter;
  unsigned bytes;
  bool zero; /* the cell starts as zero */
} atom_t;
static const atom_t k_atoms[G_CELL_ROWS] = {
    {"and.b32", 'w', 4, false},  {"or.b32", 'w', 4, false},  {"xor.b32", 'w', 4, false},
    {"and.b64", 'x', 8, false},  {"or.b64", 'x', 8, false},  {"xor.b64", 'x', 8, false},
    {"add.u32", 'w', 4, false},  {"add.s32", 'w', 4, false}, {"add.u64", 'x', 8, false},
    {"add.f32", 'f', 4, true},   {"inc.u32", 'w', 4, true},  {"dec.u32", 'w', 4, true},
    {"min.u32", 'w', 4, false},  {"min.s32", 'w', 4, false}, {"min.u64", 'x', 8, false},
    {"min.s64", 'x', 8, false},  {"max.u32", 'w', 4, false}, {"max.s32", 'w', 4, false},
    {"max.u64", 'x', 8, false},  {"max.s64", 'x', 8, false}, {"exch.b32", 'w', 4, false},
    {"exch.b64", 'x', 8, false}, {"cas.b32", 'w', 4, true},  {"cas.b64", 'x', 8, true}};

bool g_cell_row_zero(unsigned row) { return k_atoms[row].zero; }

static const struct {
  const char *word;
  rc_space_t space;
} k_atom_spaces[] = {{".global", RC_GLOBAL},
                     {".shared", RC_SHARED},
                     {"", RC_GENERIC_GLOBAL},
                     {"", RC_GENERIC_SHARED}};

/* Not in the .version that the programs name. */
static bool is_newer(const word_t *w, const place_t *p) {
  return p->space == RC_LOCAL && strcmp(w->text, ".volatile") == 0;
}

void g_memory_rows(rc_table_t *t) {
  char form[RC_FORM];
  unsigned symbols = 1u << RC_REG | 1u << RC_IMM;
  for (unsigned i = 0; i < PLACES; i++) {
    const place_t *p = &k_places[i];
    for (unsigned k = 0; k < TYPES; k++) {
      for (unsigned store = 0; store < (p->writable ? 2u : 1u); store++) {
        unsigned classes =
            symbols | 1u << RC_VECTOR | (store && k_types[k].name[0] != 'f' ? 1u << RC_SPECIAL : 0);
        (void)snprintf(form, sizeof form, "%s%s.%s", store ? "st" : "ld", p->word, k_types[k].name);
        rc_add(t, form, p->space, p->space == RC_PARAM ? classes & ~(1u << RC_REG) : classes,
               p->space == RC_PARAM ? RC_ALL_PATHS & ~(1u << RC_CALL) : RC_ALL_PATHS);
      }
    }
    for (unsigned k = 0; k < WORDS; k++) {
      if ((k_words[k].spaces >> p->space & 1) != 0 && (!k_words[k].store || p->writable) &&
          !is_newer(&k_words[k], p)) {
        (void)snprintf(form, sizeof form, "%s%s", k_words[k].store ? "st" : "ld", k_words[k].text);
        rc_add(t, form, p->space, symbols | 1u << RC_VECTOR, RC_ALL_PATHS);
      }
    }
  }
  rc_add(t, "ldu", RC_GLOBAL, symbols | 1u << RC_VECTOR, RC_ALL_PATHS);
  for (unsigned i = 0; i < G_CELL_ROWS; i++) {
    for (unsigned s = 0; s < 4; s++) {
      (void)snprintf(form, sizeof form, "atom.%s", k_atoms[i].text);
      rc_add(t, form, k_atom_spaces[s].space, 1u << RC_REG | 1u << RC_IMM, RC_ALL_PATHS);
      if (i < 20) { /* no red.exch, red.cas */
        (void)snprintf(form, sizeof form, "red.%s", k_atoms[i].text);
        rc_add(t, form, k_atom_spaces[s].space, 1u << RC_REG | 1u << RC_IMM, RC_ALL_PATHS);
      }
    }
  }
  static const char *const others[] = {"fence", "membar", "prefetch", "nanosleep"};
  for (unsigned i = 0; i < 4; i++) {
    rc_add(t, others[i], RC_NONE, 1u << RC_REG, RC_ALL_PATHS);
  }
  for (unsigned i = 0; i < PLACES; i++) {
    if (k_places[i].space != RC_PARAM) {
      rc_add(t, "ld.into", k_places[i].space, 1u << RC_REG | 1u << RC_VECTOR, RC_ALL_PATHS);
    }
  }
}

/* ---- addresses ---- */
/* "symbol[%t0]": the index counts elements of the variable. */
static rc_class_t element(gen_t *g, const place_t *p, unsigned bytes, char *to, size_t cap) {
  unsigned size = p->space == RC_LOCAL ? 1 : 4; /* .b8 loc[]; .b32 table[], ctab[] */
  unsigned align = bytes < size ? size : bytes;
  g_raw(g, "\tand.b32 %%t0, %s, %u;\n\tshr.u32 %%t0, %%t0, %u;", g_reg(g, 'w'),
        (p->bytes - 1) & ~(align - 1), size / 2);
  (void)snprintf(to, cap, "%s[%%t0]", p->symbol);
  return RC_REG;
}

/* Makes "[..]" for an aligned access; may emit the computation of an index into %a. */
static rc_class_t address(gen_t *g, const place_t *p, unsigned bytes, char *to, size_t cap) {
  unsigned offset = g_below(g, p->bytes / bytes) * bytes;
  const char *base = p->base != NULL ? p->base : p->symbol;
  if (p->space == RC_PARAM || g_chance(g, 40)) {
    (void)snprintf(to, cap, "[%s+%u]", base, offset);
    return RC_IMM;
  }
  if (g->edition > RG_FIRST_EDITION && p->base == NULL && g_chance(g, 25)) {
    return element(g, p, bytes, to, cap);
  }
  const char *a = p->zero_based ? "%t1" : "%a";
  g_raw(g, "\tand.b32 %%t0, %s, %u;", g_reg(g, 'w'), (p->bytes - 1) & ~(bytes - 1));
  if (p->zero_based) {
    g_raw(g, "\tadd.u32 %%t1, %%t0, %s;", base);
  } else {
    g_raw(g, "\tcvt.u64.u32 %%a, %%t0;");
    if (p->base == NULL) {
      g_raw(g, "\tmov.u64 %%b, %s;", p->symbol);
    }
    g_raw(g, "\tadd.u64 %%a, %%a, %s;", p->base != NULL ? p->base : "%b");
  }
  (void)snprintf(to, cap, "[%s]", a);
  return RC_REG;
}

/* "%w3" or "{%w1, %w4}": all different. */
static void register_list(gen_t *g, char letter, unsigned n, char *to, size_t cap) {
  static const unsigned sizes[] = {G_H, G_W, G_X, G_F};
  unsigned size = sizes[strchr("hwxf", letter) - "hwxf"], first = g_below(g, size);
  unsigned step = size == 10 ? 1 + 2 * g_below(g, 2) : 1; /* 1, 3 and 10 share no factor */
  int at = snprintf(to, cap, n > 1 ? "{" : "%s", "");
  for (unsigned i = 0; i < n; i++) {
    at += snprintf(to + at, cap - (size_t)at, "%s%%%c%u", i != 0 ? ", " : "", letter,
                   (first + i * step) % size);
  }
  (void)snprintf(to + at, cap - (size_t)at, n > 1 ? "}" : "%s", "");
}

static unsigned vector_of(gen_t *g, unsigned bytes) {
  unsigned n = g_chance(g, 70) ? 1 : g_chance(g, 50) ? 2 : 4;
  return n * bytes > 16 ? 16 / bytes : n;
}

static const word_t *word_for(gen_t *g, const place_t *p, bool store) {
  for (unsigned tries = 0; tries < 6; tries++) {
    const word_t *w = &k_words[g_below(g, WORDS)];
    if (w->store == store && (w->spaces >> p->space & 1) != 0 && (!w->read_only || !p->writable) &&
        (g->edition == RG_FIRST_EDITION || !is_newer(w, p))) {
      return w;
    }
  }
  return NULL;
}

static void access(gen_t *g, const place_t *p, bool store) {
  char at[64], regs[80], name[RC_FORM], mods[64], vec[8] = "";
  const mem_type_t *t = &k_types[g_below(g, TYPES)];
  char letter = t->regs[g_below(g, (uint32_t)strlen(t->regs))];
  unsigned n = vector_of(g, t->bytes);
  const word_t *w = g_chance(g, 25) ? word_for(g, p, store) : NULL;
  bool ldu = w == NULL && !store && !p->writable && p->space == RC_GLOBAL && g_chance(g, 8);
  rc_class_t cls = address(g, p, t->bytes * n, at, sizeof at);
  register_list(g, letter, n, regs, sizeof regs);
  if (store && n == 1 && w == NULL && g_chance(g, 25) && letter != 'f' &&
      strcmp(t->name, "f64") != 0) {
    (void)snprintf(regs, sizeof regs, "0");
    cls = RC_SPECIAL;
  }
  if (n > 1) {
    (void)snprintf(vec, sizeof vec, ".v%u", n);
    cls = RC_VECTOR;
  }
  (void)snprintf(mods, sizeof mods, "%s%s%s%s", w != NULL && w->before ? w->text : "", p->word,
                 w != NULL && !w->before ? w->text : "", vec);
  const char *op = store ? "st" : ldu ? "ldu" : "ld";
  if (ldu) {
    (void)snprintf(name, sizeof name, "ldu");
  } else if (w != NULL) {
    (void)snprintf(name, sizeof name, "%s%s", op, w->text);
  } else {
    (void)snprintf(name, sizeof name, "%s%s.%s", op, p->word, t->name);
  }
  if (store) {
    g_op_as(g, name, p->space, cls, "st%s.%s %s, %s", mods, t->name, at, regs);
  } else {
    g_op_as(g, name, p->space, cls, "%s%s.%s %s, %s", op, mods, t->name, regs, at);
  }
}

/* A load of integers in whose list the address register stands; it becomes data only then. */
static void load_into_address(gen_t *g, const place_t *p) {
  char at[64], regs[80] = "";
  const mem_type_t *t;
  do {
    t = &k_types[g_below(g, TYPES)];
  } while (t->name[0] == 'f' || (p->zero_based && t->bytes == 8));
  char letter = p->zero_based ? 'w' : 'x';
  unsigned n = vector_of(g, t->bytes), size = letter == 'w' ? G_W : G_X, used = 0;
  unsigned first = g_below(g, size), place = g_below(g, n);
  while (address(g, p, t->bytes * n, at, sizeof at) != RC_REG)
    ;
  const char *base = p->zero_based ? "%t1" : "%a";
  for (unsigned i = 0; i < n; i++) {
    char own[8];
    (void)snprintf(own, sizeof own, "%%%c%u", letter, (first + i) % size);
    used += (unsigned)snprintf(regs + used, sizeof regs - used, "%s%s", i != 0 ? ", " : "",
                               i == place ? base : own);
  }
  if (n > 1) {
    g_op_as(g, "ld.into", p->space, RC_VECTOR, "ld%s.v%u.%s {%s}, %s", p->word, n, t->name, regs,
            at);
  } else {
    g_op_as(g, "ld.into", p->space, RC_REG, "ld%s.%s %s, %s", p->word, t->name, regs, at);
  }
  g_raw(g, "\t%smov.b%d %%%c%u, %s;", g->guard, letter == 'w' ? 32 : 64, letter,
        (first + place) % size, base);
}

void g_memory(gen_t *g) {
  const place_t *p;
  if (g->edition >= RG_HALF_EDITION && g_chance(g, 18)) {
    g_wide(g);
    return;
  }
  do {
    p = &k_places[g_below(g, PLACES)];
  } while (g->function >= 0 && !p->in_function);
  if (g->edition > RG_FIRST_EDITION && p->space != RC_PARAM && g_chance(g, 8)) {
    load_into_address(g, p);
    return;
  }
  access(g, p, p->writable && g_chance(g, 50));
}

/* ---- atomics ---- */
static const char *scope_words(gen_t *g, bool red) {
  static const char *const atom[] = {
      "", "", "", ".relaxed.gpu", ".acq_rel.cta", ".acquire.sys", ".release.gpu", ".gpu"};
  static const char *const reds[] = {
      "", "", "", ".relaxed.gpu", ".release.cta", ".relaxed.sys", ".release.gpu", ".cta"};
  unsigned i = g_below(g, 8);
  return red ? reds[i] : atom[i];
}

/* On cells: the value must not depend on the thread for exch and cas, nor on order for f32. */
static void cell_value(gen_t *g, unsigned row, char *to, size_t cap, rc_class_t *cls) {
  const atom_t *a = &k_atoms[row];
  *cls = RC_IMM;
  if (strncmp(a->text, "exch", 4) == 0) {
    (void)snprintf(to, cap, "%u", g->exch);
  } else if (strncmp(a->text, "cas", 3) == 0) {
    (void)snprintf(to, cap, "0, %u", g->cas);
  } else if (a->letter == 'f') {
    g_raw(g, "\tand.b32 %%t2, %s, 63;\n\tcvt.rn.f32.u32 %%ft, %%t2;", g_reg(g, 'w'));
    (void)snprintf(to, cap, "%%ft"); /* sums of small integers are exact */
    *cls = RC_REG;
  } else if (row == 10 || row == 11) {
    (void)snprintf(to, cap, "%u", g->limit);
  } else if (g_chance(g, 20)) {
    (void)snprintf(to, cap, "%s", g_constant(g, a->letter, false));
  } else {
    (void)snprintf(to, cap, "%s", g_reg(g, a->letter));
    *cls = RC_REG;
  }
}

static void own_value(gen_t *g, unsigned row, char *to, size_t cap, rc_class_t *cls) {
  const atom_t *a = &k_atoms[row];
  *cls = g_chance(g, 20) ? RC_IMM : RC_REG;
  const char *v = *cls == RC_IMM ? g_constant(g, a->letter, false) : g_reg(g, a->letter);
  if (strncmp(a->text, "cas", 3) == 0) {
    (void)snprintf(to, cap, "%s, %s", g_reg(g, a->letter), v);
  } else {
    (void)snprintf(to, cap, "%s", v);
  }
}

void g_atomic(gen_t *g) {
  if (g->atom128 && g_chance(g, 50)) {
    g_atom128(g);
    return;
  }
  unsigned row = g_below(g, G_CELL_ROWS), s = g_below(g, 4);
  const atom_t *a = &k_atoms[row];
  bool own = g_chance(g, 35), red = row < 20 && g_chance(g, 50);
  bool shared = k_atom_spaces[s].space == RC_SHARED || k_atom_spaces[s].space == RC_GENERIC_SHARED;
  bool direct = k_atom_spaces[s].space == RC_SHARED;
  char value[64], at[64], form[RC_FORM], result[16] = "";
  rc_class_t cls;
  if (shared && g->tail) {
    own = true;
  }
  const char *base = own ? (direct   ? "%sa"
                            : shared ? "%gs"
                                     : "%own")
                         : (direct    ? "%sc"
                            : shared  ? "%gsc"
                            : a->zero ? "%zcell"
                                      : "%cell");
  if (own) {
    own_value(g, row, value, sizeof value, &cls);
    unsigned bytes = shared ? (unsigned)G_SHARED : (unsigned)G_OWN;
    (void)snprintf(at, sizeof at, "[%s+%u]", base, g_below(g, bytes / a->bytes) * a->bytes);
  } else {
    cell_value(g, row, value, sizeof value, &cls);
    g_raw(g, "\tand.b32 %%t0, %s, 3;\n\tmul.lo.u32 %%t0, %%t0, %u;", g_reg(g, 'w'),
          8 * G_CELL_ROWS);
    g_raw(g,
          direct ? "\tadd.u32 %%t1, %%t0, %s;"
                 : "\tcvt.u64.u32 %%a, %%t0;\n\tadd.u64 %%a, %%a, %s;",
          base);
    (void)snprintf(at, sizeof at, "[%s+%u]", direct ? "%t1" : "%a", 8 * row);
  }
  if (!red) {
    const char *sink = a->letter == 'w' ? "%t7" : a->letter == 'x' ? "%u7" : "%ft";
    (void)snprintf(result, sizeof result, "%s, ",
                   own               ? g_reg(g, a->letter)
                   : g_chance(g, 30) ? "_"
                                     : sink);
  }
  (void)snprintf(form, sizeof form, "%s.%s", red ? "red" : "atom", a->text);
  g_op_as(g, form, k_atom_spaces[s].space, cls, "%s%s%s.%s %s%s, %s", red ? "red" : "atom",
          scope_words(g, red), k_atom_spaces[s].word, a->text, result, at, value);
}
