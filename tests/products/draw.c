/* draw.c: a product at random: its kind, shape, types, and where D, A, B and scales are. */
#include "tests/products/gen.h"

static unsigned class_of_a(const pr_product_t *p) {
  return p->scaled > 1
             ? PR_HALVES
             : PR_A_CLASS + 8 * p->kind + (unsigned)(p->a_type - umma_kinds[p->kind].type);
}

static unsigned class_of_d(const pr_product_t *p) {
  return p->d_type == 0 ? PR_D_F16 : p->d_type == 1 ? PR_D_F32 : PR_D_S32;
}

/* Cycles on tiny, or on base (docs/microarchitecture.md 25.9, 26.5, 26.12). */
static unsigned price(const pr_gen_t *g, const pr_product_t *p) {
  const unsigned small = p->scaled == 0 && umma_kinds[p->kind].size > 1 ? 1 : 2;
  if (g->wide) {
    return p->command.n * 8 * small + 60;
  }
  return p->command.n * 256 * (p->kind == UMMA_F8F6F4 ? 4 : small) + 100;
}

static bool payable(const pr_gen_t *g, const pr_product_t *p) {
  return g->cost + price(g, p) <= g->most_cost;
}

/* ---- kind, shape, types */
static void shape(pr_gen_t *g, pr_product_t *p) {
  pr_command_t *c = &p->command;
  const unsigned most = g->wide ? 16 : 3;
  c->m = p->scaled != 0 || pr_chance(g, 50) ? 128 : 64;
  c->z = c->m == 64 && pr_chance(g, 50) ? 16 : 0;
  c->n = 8 * (1 + (pr_chance(g, 50) ? pr_below(g, most) : pr_below(g, 2)));
  if (!g->wide && p->kind == UMMA_F8F6F4) {
    c->n = 8;
  }
  if (p->kind == UMMA_I8 && c->n > 32) {
    c->n = c->n / 16 * 16;
  }
}

static bool draw(pr_gen_t *g, pr_product_t *p) {
  static const uint8_t kinds[] = {UMMA_F16, UMMA_F16,    UMMA_F16, UMMA_TF32,
                                  UMMA_I8,  UMMA_F8F6F4, UMMA_TF32};
  *p = (pr_product_t){.kind = kinds[pr_below(g, sizeof kinds)]};
  if (!g->wide && g->most_cost >= PR_DEAR && pr_chance(g, 50)) {
    p->kind = UMMA_F8F6F4;
  }
  p->scaled = g->wide && pr_chance(g, 35) ? 1 + pr_below(g, 3) : 0;
  p->kind = p->scaled != 0 ? UMMA_F8F6F4 : p->kind;
  p->command.type = PR_MMA;
  shape(g, p);
  const umma_kind_t *k = &umma_kinds[p->kind];
  p->a_type = &k->type[p->scaled > 1 ? 4 : pr_below(g, k->types)];
  p->b_type = k->size == 1 && p->scaled < 2 ? &k->type[pr_below(g, k->types)] : p->a_type;
  p->d_type =
      p->kind == UMMA_I8                                                                       ? 2
      : p->scaled != 0 || p->kind == UMMA_TF32 || p->a_type->exponent == 8 || pr_chance(g, 60) ? 1
                                                                                               : 0;
  p->ue4m3 = p->scaled == 3 && pr_chance(g, 60);
  static const char *const scaled[] = {"", "mxf8f6f4", "mxf4", "mxf4nvf4"};
  p->command.kind = p->scaled != 0 ? scaled[p->scaled] : k->name;
  const int d = pr_columns(g, p->command.n, class_of_d(p), 1);
  p->command.d = d >= 0 ? (unsigned)d : 0;
  return d >= 0;
}

/* What differs from product to product of a chain. */
static void vary(pr_gen_t *g, pr_product_t *p) {
  static const unsigned lowers[] = {1, 4, 15, 9};
  p->masked = p->scaled == 0 && pr_chance(g, 20);
  for (unsigned q = 0; q < 4; q++) {
    p->mask[q] = pr_chance(g, 80) ? pr_below(g, 0xffffffff) : 0xffffffff;
  }
  p->negate_a = p->kind != UMMA_I8 && pr_chance(g, 15);
  p->negate_b = p->kind != UMMA_I8 && pr_chance(g, 15);
  p->saturate = p->kind == UMMA_I8 && pr_chance(g, 50);
  p->lower = p->scaled == 0 && umma_kinds[p->kind].size > 1 && pr_chance(g, 25)
                 ? lowers[pr_below(g, 4)]
                 : 0;
  p->a_id = p->scaled == 1 ? pr_below(g, 4) : p->scaled == 2 ? 2 * pr_below(g, 2) : 0;
  p->b_id = p->scaled == 1 ? pr_below(g, 4) : p->scaled == 2 ? 2 * pr_below(g, 2) : 0;
}

/* ---- columns beside D */
typedef struct taken {
  unsigned first[4], n[4], count;
} taken_t;

static bool take(pr_gen_t *g, taken_t *t, unsigned n, unsigned class, unsigned *at) {
  for (unsigned tries = 0; tries < 12; tries++) {
    const int c = pr_columns(g, n, class, 1);
    bool good = c >= 0;
    for (unsigned k = 0; k < t->count && good; k++) {
      good = (unsigned)c + n <= t->first[k] || t->first[k] + t->n[k] <= (unsigned)c;
    }
    if (good) {
      *at = (unsigned)c;
      t->first[t->count] = (unsigned)c;
      t->n[t->count++] = n;
      return true;
    }
  }
  return false;
}

static bool is_of(const pr_gen_t *g, unsigned first, unsigned n, unsigned class) {
  bool is = pr_all_known(g, first, n, false, 0);
  for (unsigned c = first; c < first + n; c++) {
    is = is && g->holds[c] == class;
  }
  return is;
}

static void fill_by_stores(pr_gen_t *g, unsigned first, unsigned n, unsigned class) {
  for (unsigned v = 0; v < g->warps; v++) {
    pr_fill(g, v, first, n, class);
  }
}

/* A by tcgen05.cp of the same thread: rows of 32 bytes, or two halves; packed elements become bytes. */
static bool fill_by_copy(pr_gen_t *g, const pr_product_t *p, unsigned issuer) {
  const unsigned kind = p->scaled > 1 ? UMMA_KINDS : p->kind;
  const int region = pr_operand(g, kind, p->a_type, PR_ROWS, true);
  const unsigned unpack = p->scaled > 1          ? 0
                          : p->a_type->bits == 6 ? 1
                          : p->a_type->bits == 4 ? 2
                                                 : 0;
  if (region < 0) {
    return false;
  }
  const umma_matrix_t *m = &g->region[region].m;
  pr_copy_to(g, issuer, 0, unpack, (unsigned)region, m, pr_below(g, m->steps), p->a_at);
  return true;
}

static bool place_a(pr_gen_t *g, pr_product_t *p, taken_t *t, unsigned issuer) {
  const unsigned class = class_of_a(p), kind = p->scaled > 1 ? UMMA_KINDS : p->kind;
  p->tensor_a = pr_chance(g, 40) && take(g, t, 8, class, &p->a_at);
  if (!p->tensor_a) {
    const int a = pr_operand(g, kind, p->a_type, p->command.m, false);
    if (a < 0) {
      return false;
    }
    p->a_region = (unsigned)a;
    p->a_step = pr_below(g, g->region[a].m.steps);
    return true;
  }
  const bool same = is_of(g, p->a_at, 8, class);
  if ((!same || pr_chance(g, 40)) && (pr_chance(g, 40) || !fill_by_copy(g, p, issuer))) {
    fill_by_stores(g, p->a_at, 8, class);
  }
  for (unsigned c = p->a_at; c < p->a_at + 8; c++) {
    g->holds[c] = (uint8_t)class;
  }
  return true;
}

static bool place_b(pr_gen_t *g, pr_product_t *p) {
  const unsigned kind = p->scaled > 1 ? UMMA_KINDS : p->kind, n = p->command.n;
  const bool k_major = umma_kinds[p->kind].size == 1 && n % 16 != 0;
  const int b = pr_operand(g, kind, p->b_type, n, k_major);
  if (b < 0) {
    return false;
  }
  g->locked = b;
  p->b_region = (unsigned)b;
  p->b_step = pr_below(g, g->region[b].m.steps);
  return true;
}

static bool place_scales(pr_gen_t *g, pr_product_t *p, taken_t *t) {
  const unsigned class = p->ue4m3 ? PR_UE4M3 : PR_UE8M0;
  const unsigned n = p->command.n > 64 ? 4 : (p->command.n + 31) / 32; /* as stores have them */
  if (!take(g, t, 4, class, &p->sa) || !take(g, t, n, class, &p->sb)) {
    return false;
  }
  if (!is_of(g, p->sa, 4, class)) {
    fill_by_stores(g, p->sa, 4, class);
  }
  if (!is_of(g, p->sb, n, class)) {
    fill_by_stores(g, p->sb, n, class);
  }
  return true;
}

/* ---- all of it */
static bool choose(pr_gen_t *g, pr_product_t *p, unsigned *issuer) {
  taken_t t = {.count = 1};
  if (g->has_last && pr_chance(g, 60)) {
    *p = g->last;
    *issuer = pr_chance(g, 85) ? g->last_issuer : *issuer;
  } else if (!draw(g, p)) {
    return false;
  }
  t.first[0] = p->command.d;
  t.n[0] = p->command.n;
  vary(g, p);
  if (!payable(g, p) || g->warp[*issuer].cmds + 2 > PR_COMMANDS || !place_b(g, p) ||
      !place_a(g, p, &t, *issuer) || (p->scaled != 0 && !place_scales(g, p, &t))) {
    return false;
  }
  const bool same = g->holds[p->command.d] == class_of_d(p);
  p->enable = pr_all_known(g, p->command.d, p->command.n, p->command.m == 64, p->command.z) &&
              pr_chance(g, same ? 85 : 25);
  return true;
}

bool pr_product(pr_gen_t *g) {
  pr_product_t p;
  unsigned issuer = pr_below(g, g->warps);
  const bool chosen = choose(g, &p, &issuer);
  g->locked = -1;
  if (!chosen) {
    return false;
  }
  pr_give(g, &p, issuer);
  for (unsigned n = 0; n < p.command.n; n++) {
    g->holds[p.command.d + n] = (uint8_t)class_of_d(&p);
  }
  g->cost += price(g, &p);
  g->last = p;
  g->last_issuer = issuer;
  g->has_last = true;
  return true;
}
