/* random_mir.c: see random_mir.h. */
#include "tests/unit/lower/random_mir.h"

#include "tests/common/splitmix.h"

typedef struct gen {
  wl_mfunc_t *f;
  const random_options_t *o;
  uint64_t state;
  uint32_t v1, v2, v4, p; /* first register of each size */
  uint32_t exits[8];      /* break labels of the loops around */
  uint32_t heads[8];
  uint32_t nesting, marks;
  uint32_t once[64], nonce; /* registers written once, before everything that follows in scope */
} gen_t;

uint32_t random_below(uint64_t *state, uint32_t limit) {
  return (uint32_t)(wl_splitmix64(state) >> 16) % limit;
}

static uint32_t below(gen_t *g, uint32_t n) { return random_below(&g->state, n); }
/* A source word: sometimes a register that is written once. */
static wl_mreg_t s1(gen_t *g);
static wl_mreg_t r1(gen_t *g) {
  uint32_t word;         /* drawn apart: C leaves the order of a call's arguments open */
  switch (below(g, 6)) { /* also words of pairs and quads */
  case 0:
    word = below(g, 2);
    return wl_mreg(g->v2 + below(g, g->o->regs), word);
  case 1:
    word = below(g, 4);
    return wl_mreg(g->v4 + below(g, g->o->regs / 4 + 1), word);
  default:
    return wl_mreg(g->v1 + below(g, g->o->regs), 0);
  }
}
static wl_mreg_t s1(gen_t *g) {
  return g->nonce > 0 && below(g, 3) == 0 ? wl_mreg(g->once[below(g, g->nonce)], 0) : r1(g);
}
static wl_mreg_t r2(gen_t *g) {
  if (below(g, 6) == 0) {
    const uint32_t word = 2 * below(g, 2);
    return wl_mreg(g->v4 + below(g, g->o->regs / 4 + 1), word);
  }
  return wl_mreg(g->v2 + below(g, g->o->regs), 0);
}
static wl_mreg_t r4(gen_t *g) { return wl_mreg(g->v4 + below(g, g->o->regs / 4 + 1), 0); }
static uint32_t pr(gen_t *g) { return g->p + below(g, g->o->regs / 2 + 2); }

static void put(gen_t *g, wl_minsn_t i) { wl_mf_append(g->f, &i); }
static void label(gen_t *g, uint32_t l) { put(g, (wl_minsn_t){.form = WL_MP_LABEL, .imm = l}); }
static uint32_t new_label(gen_t *g) { return g->f->nlabels++; }
static void mark(gen_t *g) {
  put(g, (wl_minsn_t){.form = WL_FORM_MOV_I, .d = wl_mreg(1, 0), .imm = ++g->marks});
}

static void branch(gen_t *g, uint32_t to, bool always) {
  wl_minsn_t i = {.form = WL_FORM_BRA, .target = to};
  if (!always) i.guard = pr(g), i.guard_neg = below(g, 2) != 0;
  put(g, i);
  mark(g);
}

/* To the exit or head of some loop around. */
static void leave(gen_t *g, const uint32_t *labels) {
  const bool always = below(g, 4) == 0;
  branch(g, labels[below(g, g->nesting)], always);
}

static void call(gen_t *g) {
  wl_mcall_t *c = wl_mf_alloc(g->f, sizeof *c);
  for (uint32_t k = 0; k < 3; k++) {
    const wl_mreg_t arg = wl_mreg(wl_mf_fixed(g->f, (int)(WL_ABI_ARG_FIRST + k)), 0);
    put(g, (wl_minsn_t){.form = WL_MP_MOV, .imm = 1, .d = arg, .a = r1(g)});
    c->uses[c->nuses++] = arg;
  }
  const wl_mreg_t res = wl_mreg(wl_mf_fixed(g->f, WL_ABI_ARG_FIRST), 0);
  c->defs[c->ndefs++] = res;
  g->f->has_calls = true;
  put(g, (wl_minsn_t){
             .form = WL_FORM_CALL, .d = wl_mreg(wl_mf_fixed(g->f, WL_ABI_LINK), 0), .call = c});
  put(g, (wl_minsn_t){.form = WL_MP_MOV, .imm = 1, .d = r1(g), .a = res});
}

/* What selection makes: temporaries, then a copy, all under one guard. */
static void expansion(gen_t *g) {
  const uint32_t t = wl_mf_vreg(g->f, 2, true), guard = below(g, 2) == 0 ? pr(g) : 0;
  const bool neg = guard != 0 && below(g, 2) != 0;
  const wl_mreg_t d = r2(g), a = below(g, 3) == 0 ? d : r2(g), b = below(g, 3) == 0 ? d : r2(g);
  put(g, (wl_minsn_t){.form = WL_FORM_ADD64_RR,
                      .guard = guard,
                      .guard_neg = neg,
                      .d = wl_mreg(t, 0),
                      .a = a,
                      .b = b});
  put(g, (wl_minsn_t){.form = WL_FORM_ADD_RR,
                      .guard = guard,
                      .guard_neg = neg,
                      .d = wl_mreg(t, 1),
                      .a = wl_mreg(t, 0),
                      .b = below(g, 2) == 0 ? wl_mreg_at(b, 1) : s1(g)});
  if (below(g, 6) == 0) put(g, (wl_minsn_t){.form = WL_FORM_MOV_I, .d = d, .imm = 7});
  const uint32_t other = guard == 0 && below(g, 4) == 0 ? pr(g) : guard;
  put(g, (wl_minsn_t){.form = WL_MP_MOV,
                      .imm = 2,
                      .guard = other,
                      .guard_neg = neg,
                      .d = d,
                      .a = wl_mreg(t, 0)});
}

/* A test of an mbarrier that waits, and the predicate of its result, a register of its own. */
static void try_wait(gen_t *g) {
  const uint32_t guard = below(g, 3) == 0 ? pr(g) : 0;
  const bool neg = guard != 0 && below(g, 2) != 0;
  const wl_mreg_t d = wl_mreg(wl_mf_vreg(g->f, 1, true), 0), b = s1(g), limit = s1(g);
  const bool generic = below(g, 2) == 0;
  wl_minsn_t i = {.form = WL_MP_TRY_WAIT, .guard = guard, .guard_neg = neg, .d = d, .b = b};
  i.target = generic ? WL_FORM_MBAR_GEN_TEST : WL_FORM_MBAR_SHARED_TEST;
  i.a = generic ? r2(g) : s1(g);
  i.c = below(g, 3) == 0 ? WL_RZ : limit;
  put(g, i);
  put(g, (wl_minsn_t){
             .form = WL_FORM_SETP_U32_RI, .guard = guard, .guard_neg = neg, .pd = pr(g), .a = d});
}

static void plain(gen_t *g) {
  wl_minsn_t i = {0};
  switch (below(g, 15)) {
  case 0:
    i = (wl_minsn_t){.form = WL_FORM_ADD_RR, .d = r1(g), .a = s1(g), .b = s1(g)};
    break;
  case 1:
    i = (wl_minsn_t){.form = WL_FORM_MAD_LO_RRR, .d = r1(g), .a = s1(g), .b = s1(g), .c = s1(g)};
    break;
  case 2:
    i = (wl_minsn_t){.form = WL_FORM_ADD64_RR, .d = r2(g), .a = r2(g), .b = r2(g)};
    break;
  case 3:
    i = (wl_minsn_t){
        .form = WL_FORM_MAD_WIDE_U32_RRR, .d = r2(g), .a = s1(g), .b = s1(g), .c = r2(g)};
    break;
  case 4:
    i = (wl_minsn_t){.form = WL_FORM_LD_GLOBAL_B128, .d = r4(g), .a = r2(g)};
    break;
  case 5:
    i = (wl_minsn_t){.form = WL_FORM_ST_GLOBAL_B128, .a = r2(g), .b = r4(g)};
    break;
  case 6:
    i = (wl_minsn_t){
        .form = WL_FORM_SETP_S32_RR, .pd = pr(g), .pq = 0, .a = s1(g), .b = s1(g), .ps = pr(g)};
    break;
  case 7:
    i = (wl_minsn_t){.form = WL_FORM_SELP_RR, .d = r1(g), .a = s1(g), .b = s1(g), .ps = pr(g)};
    break;
  case 8:
    i = (wl_minsn_t){.form = WL_MP_MOV, .imm = 1, .d = r1(g), .a = s1(g)};
    break;
  case 9:
    i = (wl_minsn_t){.form = WL_MP_MOV, .imm = 2, .d = r2(g), .a = r2(g)};
    break;
  case 10:
    i = (wl_minsn_t){.form = WL_FORM_PLOP, .pd = pr(g), .ps = pr(g), .pt = pr(g)};
    break;
  case 11:
    i = (wl_minsn_t){.form = WL_FORM_MOV_I, .d = r1(g), .imm = below(g, 1000)};
    break;
  case 12:
    i = (wl_minsn_t){
        .form = WL_FORM_ATOM_GLOBAL_CAS_B64, .d = r2(g), .a = r2(g), .b = r2(g), .c = r2(g)};
    break;
  case 13: /* a register and a predicate, the source predicate often the same */
    i = (wl_minsn_t){.form = WL_FORM_ADDC_RR, .d = r1(g), .a = s1(g), .b = s1(g), .pd = pr(g)};
    i.ps = below(g, 2) == 0 ? i.pd : pr(g);
    break;
  default:
    i = (wl_minsn_t){.form = WL_FORM_SETP_U32_RI, .pd = pr(g), .a = s1(g), .imm = 5};
    i.pq = i.pd == g->p ? g->p + 1 : g->p;
  }
  if (below(g, 4) == 0) i.guard = pr(g), i.guard_neg = below(g, 2) != 0;
  put(g, i);
  if (below(g, 3) == 0) expansion(g);
  if (below(g, 6) == 0) try_wait(g);
  if (!g->o->irreducible && g->nonce < 64 &&
      below(g, 3) == 0) { /* copies of what is written once */
    const wl_mreg_t from = s1(g);
    const uint32_t v = wl_mf_vreg(g->f, 1, false);
    put(g, (wl_minsn_t){.form = WL_MP_MOV, .imm = 1, .d = wl_mreg(v, 0), .a = from});
    if (below(g, 2) == 0)
      g->f->insns[g->f->ninsns - 1] =
          (wl_minsn_t){.form = WL_FORM_ADD_RR, .d = wl_mreg(v, 0), .a = from, .b = s1(g)};
    g->once[g->nonce++] = v;
  }
  if (g->o->calls && below(g, 20) == 0) call(g);
}

static void list(gen_t *g, unsigned n, unsigned depth);

static void loop(gen_t *g, unsigned depth) {
  const uint32_t head = new_label(g), exit = new_label(g);
  if (g->nesting == 8) return;
  g->heads[g->nesting] = head;
  g->exits[g->nesting++] = exit;
  label(g, head);
  mark(g);
  list(g, 1 + below(g, 4), depth + 1);
  branch(g, head, below(g, 8) == 0);
  g->nesting--;
  label(g, exit);
  mark(g);
}

static void choice(gen_t *g, unsigned depth) {
  const uint32_t other = new_label(g), end = new_label(g);
  branch(g, other, false);
  list(g, 1 + below(g, 3), depth + 1);
  if (below(g, 2) != 0) branch(g, end, true);
  label(g, other);
  mark(g);
  list(g, below(g, 3), depth + 1);
  label(g, end);
  mark(g);
}

static void indexed(gen_t *g, unsigned depth) {
  wl_mfunc_t *f = g->f;
  const uint32_t end = new_label(g);
  f->tables = wl_mf_grow(f, f->tables, f->ntables, &f->cap_tables, sizeof *f->tables);
  wl_mtable_t *t = &f->tables[f->ntables];
  *t = (wl_mtable_t){.count = 2 + below(g, 3)};
  t->targets = wl_mf_alloc(f, t->count * sizeof(uint32_t));
  for (uint32_t k = 0; k < t->count; k++)
    t->targets[k] = new_label(g);
  const wl_mtable_t table = *t;
  put(g, (wl_minsn_t){.form = WL_FORM_BRX, .a = r1(g), .target = (uint32_t)f->ntables++});
  for (uint32_t k = 0; k < table.count; k++) {
    label(g, table.targets[k]);
    mark(g);
    list(g, 1 + below(g, 2), depth + 1);
    if (below(g, 3) != 0) branch(g, end, true);
  }
  label(g, end);
  mark(g);
}

static void list(gen_t *g, unsigned n, unsigned depth) {
  const uint32_t scope = g->nonce;
  for (unsigned k = 0; k < n; k++) {
    const uint32_t what = below(g, 12);
    if (what < 5 || depth > 5)
      plain(g);
    else if (what == 5 || what == 6)
      loop(g, depth);
    else if (what == 7 || what == 8)
      choice(g, depth);
    else if (what == 9)
      indexed(g, depth);
    else if ((what == 10 || what == 11) && g->nesting > 0)
      leave(g, what == 10 ? g->exits : g->heads);
    else if (g->o->irreducible && g->f->nlabels > 2 && below(g, 3) == 0)
      branch(g, below(g, 2), false);
    else
      plain(g);
  }
  g->nonce = scope;
}

void random_function(wl_mfunc_t *f, const random_options_t *o) {
  gen_t g = {.f = f, .o = o, .state = o->seed};
  wl_mf_vreg(f, 1, false); /* register 1: markers */
  f->is_entry = !o->is_function;
  g.v1 = (uint32_t)f->nvregs;
  for (unsigned k = 0; k < o->regs; k++)
    wl_mf_vreg(f, 1, false);
  g.v2 = (uint32_t)f->nvregs;
  for (unsigned k = 0; k < o->regs; k++)
    wl_mf_vreg(f, 2, false);
  g.v4 = (uint32_t)f->nvregs;
  for (unsigned k = 0; k < o->regs / 4 + 1; k++)
    wl_mf_vreg(f, 4, false);
  g.p = (uint32_t)f->nvregs;
  for (unsigned k = 0; k < o->regs / 2 + 2; k++)
    wl_mf_vreg(f, 0, false);
  const uint32_t link = wl_mf_vreg(f, 1, false);
  put(&g, (wl_minsn_t){.form = WL_MP_PROLOGUE});
  if (o->is_function)
    put(&g, (wl_minsn_t){.form = WL_MP_MOV,
                         .imm = 1,
                         .d = wl_mreg(link, 0),
                         .a = wl_mreg(wl_mf_fixed(f, WL_ABI_LINK), 0)});
  const uint32_t anywhere[2] = {new_label(&g), new_label(&g)};
  mark(&g);
  list(&g, o->statements / 2, 0);
  label(&g, anywhere[0]);
  mark(&g);
  list(&g, o->statements / 2, 0);
  label(&g, anywhere[1]);
  mark(&g);
  if (o->is_function) {
    const wl_mreg_t r = wl_mreg(wl_mf_fixed(f, WL_ABI_LINK), 0);
    put(&g, (wl_minsn_t){.form = WL_MP_MOV, .imm = 1, .d = r, .a = wl_mreg(link, 0)});
    put(&g, (wl_minsn_t){.form = WL_FORM_RET, .a = r});
  } else {
    put(&g, (wl_minsn_t){.form = WL_FORM_EXIT});
  }
}
