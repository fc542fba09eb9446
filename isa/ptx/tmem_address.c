/* tmem_address.c: which registers hold addresses of tensor memory, for --strict-tmem. A web of a
 * register holds one if it is used as one somewhere, is loaded from where tcgen05.alloc writes, or is
 * made of one; the order of the instructions does not count. */
#include <stdlib.h>

#include "isa/ptx/ptx.h"
#include "isa/ptx/strict_tmem.h"

enum { MAX_PLACES = 64, MAX_STEPS = 64 };
#define NONE UINT32_MAX
#define MANY (UINT32_MAX - 1)

typedef struct place { /* of a word in memory, as far as the text shows it */
  const wl_ptx_var_t *var;
  uint32_t web; /* NONE: none */
  uint64_t offset;
  bool known;
} place_t;

typedef struct edge { /* an address in one web becomes one in another */
  uint32_t to, next;
} edge_t;

typedef struct spread {
  const wl_ptx_func_t *f;
  const wl_webs_t *w;
  bool *holds;           /* by web */
  uint32_t *definition;  /* by web: its only instruction, NONE, MANY */
  uint32_t *first;       /* by web: its edges */
  uint32_t *queue, tail; /* webs that hold an address, as they were found */
  edge_t *edges;
  size_t nedges, cap_edges;
  place_t places[MAX_PLACES];
  uint32_t nplaces;
  bool no_memory;
} spread_t;

/* ---- what registers are made of */
static void hold(spread_t *s, uint32_t web) {
  if (s->holds[web]) return;
  s->holds[web] = true;
  s->queue[s->tail++] = web;
}

static void add_edge(spread_t *s, uint32_t from, uint32_t to) {
  if (s->nedges == s->cap_edges) {
    const size_t cap = s->cap_edges * 2 + 64;
    edge_t *p = realloc(s->edges, cap * sizeof *p);
    if (p == NULL) {
      s->no_memory = true;
      return;
    }
    s->edges = p;
    s->cap_edges = cap;
  }
  s->edges[s->nedges] = (edge_t){to, s->first[from]};
  s->first[from] = (uint32_t)s->nedges++;
}

typedef enum way { ONE, BOTH } way_t;

/* What source k of instruction i holds goes to its destination, and back if the way is both. */
static void join(spread_t *s, uint32_t i, uint32_t k, way_t way) {
  const wl_ptx_insn_t *insn = &s->f->insns[i];
  const wl_ptx_operand_t *from, *to;
  if (k >= insn->noperands) return;
  for (uint32_t a = 0; (from = wl_ptx_next_reg(&insn->operands[k], &a)) != NULL;)
    for (uint32_t b = 0; (to = wl_ptx_next_reg(&insn->operands[0], &b)) != NULL;) {
      const uint32_t x = wl_webs_of(s->w, from->reg, i, false);
      const uint32_t y = wl_webs_of(s->w, to->reg, i, true);
      add_edge(s, x, y);
      if (way == BOTH) add_edge(s, y, x);
    }
}

/* The source of a move, and what a constant is added to, is an address as the result is one. */
static void add_edges(spread_t *s, uint32_t i) {
  const wl_ptx_insn_t *insn = &s->f->insns[i];
  const wl_ptx_operand_t *o = insn->operands;
  const bool constant = insn->noperands > 2 && o[2].kind == WL_PTX_OPD_INT;
  switch (insn->op) {
  case WL_PTX_OP_MOV:
    join(s, i, 1, o[0].kind == WL_PTX_OPD_REG && o[1].kind == WL_PTX_OPD_REG ? BOTH : ONE);
    break;
  case WL_PTX_OP_ADD:
    join(s, i, 1, constant ? BOTH : ONE);
    join(s, i, 2, ONE);
    break;
  case WL_PTX_OP_SUB:
    join(s, i, 1, constant ? BOTH : ONE);
    break;
  case WL_PTX_OP_OR:
  case WL_PTX_OP_SELP:
    join(s, i, 1, ONE);
    join(s, i, 2, ONE);
    break;
  case WL_PTX_OP_MAD: /* a lane, shifted by a product, and an address */
    join(s, i, 3, ONE);
    break;
  case WL_PTX_OP_BFI: /* a lane that is put into an address */
    join(s, i, 2, ONE);
    break;
  case WL_PTX_OP_SHFL:
    join(s, i, 1, ONE);
    break;
  default:
    break;
  }
}

/* ---- places */
static void define(spread_t *s, const wl_ptx_operand_t *list, uint32_t n, uint32_t at) {
  const wl_ptx_operand_t *o;
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = 0; (o = wl_ptx_next_reg(&list[k], &i)) != NULL;) {
      uint32_t *d = &s->definition[wl_webs_of(s->w, o->reg, at, true)];
      *d = *d == NONE ? at : MANY;
    }
}

static void find_definitions(spread_t *s) {
  for (uint32_t i = 0; i < s->f->ninsns; i++) {
    const wl_ptx_insn_t *insn = &s->f->insns[i];
    define(s, insn->operands, insn->ndests, i);
    if (insn->call != NULL) define(s, insn->call->rets, insn->call->nrets, i);
  }
}

/* One step back: the register, or the variable, and the number that *p's register is made of. */
static bool step_back(const spread_t *s, uint32_t at, place_t *p) {
  const wl_ptx_insn_t *insn = &s->f->insns[at];
  const wl_ptx_operand_t *a = insn->noperands > 1 ? &insn->operands[1] : NULL;
  const wl_ptx_operand_t *b = insn->noperands > 2 ? &insn->operands[2] : NULL;
  if (insn->guard != NULL || a == NULL) return false;
  const bool moves =
      insn->op == WL_PTX_OP_MOV || insn->op == WL_PTX_OP_CVTA || insn->op == WL_PTX_OP_CVT;
  const bool adds = insn->op == WL_PTX_OP_ADD || insn->op == WL_PTX_OP_SUB;
  if (moves && a->kind == WL_PTX_OPD_VAR && a->reg == NULL) {
    p->offset += a->imm;
    p->var = a->var;
    p->web = NONE;
    return true;
  }
  if (a->kind != WL_PTX_OPD_REG || (!moves && !(adds && b != NULL && b->kind == WL_PTX_OPD_INT)))
    return false;
  if (adds) p->offset += insn->op == WL_PTX_OP_ADD ? b->imm : -b->imm;
  p->web = wl_webs_of(s->w, a->reg, at, false);
  return true;
}

/* The place in [ ] of instruction i, its register followed back to a variable where the text allows
 * that. */
static place_t place_of(const spread_t *s, const wl_ptx_operand_t *o, uint32_t i) {
  place_t p = {.var = o->var, .web = NONE, .offset = o->imm};
  if (o->reg != NULL) p.web = wl_webs_of(s->w, o->reg, i, false);
  p.known = (o->kind == WL_PTX_OPD_ADDR || o->kind == WL_PTX_OPD_VAR) &&
            (o->var == NULL || o->reg == NULL);
  for (unsigned n = 0; p.known && p.web != NONE && n < MAX_STEPS; n++) {
    const uint32_t at = s->definition[p.web];
    if (at == NONE || at == MANY || !step_back(s, at, &p)) break;
  }
  return p;
}

/* Does [offset, offset + bytes) of place p hold a word that tcgen05.alloc wrote? */
static bool is_written(const spread_t *s, const place_t *p, uint64_t offset, uint64_t bytes) {
  for (uint32_t i = 0; p->known && i < s->nplaces; i++) {
    const place_t *a = &s->places[i];
    if (a->var != p->var || a->web != p->web) continue;
    const uint64_t ahead = a->offset - (p->offset + offset); /* modulo 2^64 */
    if (ahead < bytes || -ahead < 4) return true;
  }
  return false;
}

static void add_place(spread_t *s, uint32_t i) {
  const wl_ptx_insn_t *insn = &s->f->insns[i];
  if (insn->op != WL_PTX_OP_TCGEN05 || insn->mode[0] != WL_PTX_M_ALLOC) return;
  const place_t p = place_of(s, &insn->operands[0], i);
  if (p.known && !is_written(s, &p, 0, 1) && s->nplaces < MAX_PLACES) s->places[s->nplaces++] = p;
}

/* ---- registers that hold an address to begin with */
static void hold_loaded(spread_t *s, uint32_t at) {
  const wl_ptx_insn_t *insn = &s->f->insns[at];
  const wl_ptx_operand_t *e;
  if (insn->op != WL_PTX_OP_LD || insn->noperands < 2) return;
  if (insn->space != WL_PTX_SPACE_SHARED && insn->space != WL_PTX_SPACE_SHARED_CLUSTER &&
      insn->space != WL_PTX_SPACE_GENERIC)
    return;
  const wl_ptx_operand_t *d = &insn->operands[0];
  const place_t p = place_of(s, &insn->operands[1], at);
  const uint64_t bytes = wl_ptx_type_bits(insn->type[0]) / 8;
  const bool listed = d->kind == WL_PTX_OPD_VEC;
  for (uint32_t i = 0; (e = wl_ptx_next_reg(d, &i)) != NULL;)
    if (listed ? is_written(s, &p, (i - 1) * bytes, bytes)
               : is_written(s, &p, 0, bytes * insn->vec))
      hold(s, wl_webs_of(s->w, e->reg, at, true));
}

static void hold_used(spread_t *s, uint32_t at) {
  const wl_ptx_insn_t *insn = &s->f->insns[at];
  if (!wl_tmem_is_use(insn)) return;
  for (uint32_t i = 0; i < insn->noperands; i++) {
    const wl_ptx_operand_t *o = &insn->operands[i];
    const bool freed = insn->mode[0] == WL_PTX_M_DEALLOC && i == 0 && o->kind == WL_PTX_OPD_REG;
    if (o->reg != NULL && (freed || o->kind == WL_PTX_OPD_ADDR))
      hold(s, wl_webs_of(s->w, o->reg, at, false));
  }
}

static void spread(spread_t *s) {
  find_definitions(s);
  for (uint32_t i = 0; i < s->f->ninsns; i++) {
    add_place(s, i);
    add_edges(s, i);
  }
  for (uint32_t i = 0; i < s->f->ninsns; i++) {
    hold_loaded(s, i);
    hold_used(s, i);
  }
  for (uint32_t head = 0; head < s->tail; head++)
    for (uint32_t e = s->first[s->queue[head]]; e != NONE; e = s->edges[e].next)
      hold(s, s->edges[e].to);
}

bool *wl_tmem_find_addresses(const wl_webs_t *w) {
  const size_t n = (size_t)w->count + 1;
  spread_t *s = calloc(1, sizeof *s);
  bool *holds = calloc(n, sizeof *holds);
  uint32_t *words = malloc(3 * n * sizeof *words);
  bool ok = s != NULL && holds != NULL && words != NULL;
  if (ok) {
    *s = (spread_t){.f = w->func, .w = w, .holds = holds, .queue = words};
    s->definition = words + n;
    s->first = words + 2 * n;
    for (size_t i = 0; i < n; i++)
      s->definition[i] = s->first[i] = NONE;
    spread(s);
    ok = !s->no_memory;
    free(s->edges);
  }
  free(words);
  free(s);
  if (ok) return holds;
  free(holds);
  return NULL;
}
