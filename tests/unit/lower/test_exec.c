/* test_exec.c: random functions executed for one thread before any pass (virtual registers, labels)
 * and after layout, copy propagation and allocation (physical registers, spill slots): both must
 * visit the same markers, store the same values and call with the same arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lower/random_mir.h"

enum { STEPS = 3000, TRACE = 4096 };

typedef struct machine {
  wl_mfunc_t *f;
  bool after;
  uint32_t *reg; /* before: 4 per virtual register; after: 256 registers, 8 predicates, slots */
  uint32_t trace[TRACE];
  unsigned n;
} machine_t;

static uint32_t *place(machine_t *m, uint32_t vreg, uint32_t word) {
  const wl_vreg_t *v = &m->f->vregs[vreg];
  if (!m->after) return &m->reg[vreg * 4 + word];
  return &m->reg[(v->words == 0 ? 256u : 0u) + (uint32_t)v->phys + word];
}

static uint32_t get(machine_t *m, wl_mreg_t r, uint32_t word) {
  return r == WL_RZ ? 0 : *place(m, wl_mreg_vreg(r), wl_mreg_word(r) + word);
}

static void put(machine_t *m, wl_mreg_t r, uint32_t word, uint32_t x) {
  if (r != WL_RZ) *place(m, wl_mreg_vreg(r), wl_mreg_word(r) + word) = x;
}

static bool pget(machine_t *m, uint32_t p, bool neg) {
  return (p == 0 || (*place(m, p, 0) & 1) != 0) != neg;
}
static void pput(machine_t *m, uint32_t p, bool x) {
  if (p != 0) *place(m, p, 0) = x;
}
static uint64_t get64(machine_t *m, wl_mreg_t r) {
  return get(m, r, 0) | (uint64_t)get(m, r, 1) << 32;
}
static void put64(machine_t *m, wl_mreg_t r, uint64_t x) {
  put(m, r, 0, (uint32_t)x), put(m, r, 1, (uint32_t)(x >> 32));
}
static uint32_t mix(uint64_t x) { return (uint32_t)((x * UINT64_C(0x9e3779b97f4a7c15)) >> 29); }
static void note(machine_t *m, uint32_t x) {
  if (m->n < TRACE) m->trace[m->n++] = x;
}

static void compare(machine_t *m, const wl_minsn_t *i, bool sign, uint32_t b) {
  const uint32_t a = get(m, i->a, 0), mask = i->mods >> (WL_FIELD_CMP_LOW - WL_MODS_LOW) & 15;
  const bool less = sign ? (int32_t)a < (int32_t)b : a < b;
  const bool t = (less && (mask & 1) != 0) || (a == b && (mask & 2) != 0) ||
                 (!less && a != b && (mask & 4) != 0);
  const bool s = pget(m, i->ps, i->ps_neg);
  const bool plain = (i->mods >> (WL_FIELD_BOP_LOW - WL_MODS_LOW) & 3) == 3;
  const bool p = plain ? t : t && s, q = plain ? !t : !t && s;
  pput(m, i->pd, p);
  pput(m, i->pq, q);
}

static void spill_code(machine_t *m, const wl_minsn_t *i) {
  const bool load = wl_form_info[i->form].kind == WL_MEM_KIND_LD;
  const uint32_t words = load ? wl_form_info[i->form].d : wl_form_info[i->form].b;
  for (uint32_t w = 0; w < words; w++) {
    uint32_t *slot = &m->reg[264 + i->imm / 4 + w];
    if (load)
      put(m, i->d, w, *slot);
    else
      *slot = get(m, i->b, w);
  }
}

static void call(machine_t *m, const wl_minsn_t *i) {
  uint32_t sum = 1;
  for (uint32_t k = 0; k < i->call->nuses; k++)
    sum = mix(sum + get(m, i->call->uses[k], 0));
  note(m, sum);
  for (uint32_t r = 0; m->after && r < 264; r++)
    if (r < WL_ABI_SAVED_FIRST || r > WL_ABI_SAVED_LAST) m->reg[r] = 0xdead0000u + r;
  for (uint32_t k = 0; k < i->call->ndefs; k++)
    put(m, i->call->defs[k], 0, sum ^ 0x55);
}

static void execute(machine_t *m, const wl_minsn_t *i) {
  switch (i->form) {
  case WL_FORM_MOV_I:
    put(m, i->d, 0, i->imm);
    break;
  case WL_FORM_ADD_RR:
    put(m, i->d, 0, get(m, i->a, 0) + get(m, i->b, 0));
    break;
  case WL_FORM_ADDC_RR: {
    const uint64_t sum = (uint64_t)get(m, i->a, 0) + get(m, i->b, 0) + pget(m, i->ps, i->ps_neg);
    pput(m, i->pd, sum >> 32 != 0);
    put(m, i->d, 0, (uint32_t)sum);
    break;
  }
  case WL_FORM_MAD_LO_RRR:
    put(m, i->d, 0, get(m, i->a, 0) * get(m, i->b, 0) + get(m, i->c, 0));
    break;
  case WL_FORM_ADD64_RR:
    put64(m, i->d, get64(m, i->a) + get64(m, i->b));
    break;
  case WL_FORM_MAD_WIDE_U32_RRR:
    put64(m, i->d, (uint64_t)get(m, i->a, 0) * get(m, i->b, 0) + get64(m, i->c));
    break;
  case WL_FORM_LD_GLOBAL_B128: {
    const uint64_t a = get64(m, i->a);
    for (uint32_t w = 0; w < 4; w++)
      put(m, i->d, w, mix(a + w));
    break;
  }
  case WL_FORM_ST_GLOBAL_B128:
    note(m, i->imm + mix(get64(m, i->a)));
    for (uint32_t w = 0; w < 4; w++)
      note(m, get(m, i->b, w));
    break;
  case WL_FORM_ATOM_GLOBAL_CAS_B64: {
    const uint32_t x = mix(get64(m, i->a) + mix(get64(m, i->b)) + 3 * get64(m, i->c));
    note(m, x);
    put64(m, i->d, x * UINT64_C(0x100000001));
    break;
  }
  case WL_FORM_SETP_S32_RR:
    compare(m, i, true, get(m, i->b, 0));
    break;
  case WL_FORM_SETP_U32_RI:
    compare(m, i, false, i->imm);
    break;
  case WL_FORM_SELP_RR:
    put(m, i->d, 0, pget(m, i->ps, i->ps_neg) ? get(m, i->a, 0) : get(m, i->b, 0));
    break;
  case WL_FORM_SELP_RI:
    put(m, i->d, 0, pget(m, i->ps, i->ps_neg) ? get(m, i->a, 0) : i->imm);
    break;
  case WL_FORM_PLOP:
    pput(m, i->pd, pget(m, i->ps, i->ps_neg) && pget(m, i->pt, i->pt_neg));
    break;
  case WL_FORM_CALL:
    call(m, i);
    break;
  case WL_MP_TRY_WAIT: { /* goes round twice */
    const bool wide = wl_form_info[i->target].a == 2;
    for (uint32_t turn = 0; turn < 2; turn++) {
      const uint64_t a = wide ? get64(m, i->a) : get(m, i->a, 0);
      const uint32_t b = get(m, i->b, 0);
      put(m, i->d, 0, mix(a + b + turn));
      note(m, mix(a + 3 * (uint64_t)b) + get(m, i->c, 0));
    }
    break;
  }
  case WL_MP_MOV: {
    uint32_t v[4];
    for (uint32_t w = 0; w < i->imm; w++)
      v[w] = get(m, i->a, w);
    for (uint32_t w = 0; w < i->imm; w++)
      put(m, i->d, w, v[w]);
    break;
  }
  default:
    if (i->spill != 0) spill_code(m, i);
  }
}

static uint32_t where(const machine_t *m, uint32_t target) {
  if (m->after) return m->f->blocks[target].first;
  for (uint32_t i = 0; i < m->f->ninsns; i++)
    if (m->f->insns[i].form == WL_MP_LABEL && m->f->insns[i].imm == target) return i;
  return 0;
}

/* Runs until the end or `traced` trace entries; labels are found anew each time, nothing is cached.
 */
static void run(machine_t *m, unsigned traced) {
  uint32_t pc = 0;
  for (unsigned steps = 0; steps < STEPS * 40 && m->n < traced && pc < m->f->ninsns; steps++) {
    const wl_minsn_t *i = &m->f->insns[pc++];
    if (!pget(m, i->guard, i->guard_neg)) continue;
    if (i->form == WL_FORM_BRA) {
      pc = where(m, i->target);
    } else if (i->form == WL_FORM_BRX) {
      const wl_mtable_t *t = &m->f->tables[i->target];
      pc = where(m, t->targets[mix(get(m, i->a, 0)) % t->count]);
    } else if (i->form == WL_FORM_EXIT || i->form == WL_FORM_RET) {
      return;
    } else {
      execute(m, i);
    }
  }
}

/* Values for every register, so that nothing depends on what was there. */
static void start(wl_mfunc_t *f, uint64_t seed, uint32_t pools) {
  const wl_minsn_t *body = f->insns;
  const size_t n = f->ninsns;
  f->insns = NULL;
  f->ninsns = f->cap_insns = 0;
  wl_mf_append(f, &body[0]);
  for (uint32_t v = 2; v < f->nvregs; v++) {
    /* What the generator writes once is written before it is read. */
    if (f->vregs[v].fixed != WL_NOREG || f->vregs[v].temp || v > pools) continue;
    for (uint32_t w = 0; w < f->vregs[v].words; w++)
      wl_mf_append(f, &(wl_minsn_t){.form = WL_FORM_MOV_I,
                                    .d = wl_mreg(v, w),
                                    .imm = mix(seed + v * 4 + w) & 0xff});
    if (f->vregs[v].words == 0)
      wl_mf_append(f, &(wl_minsn_t){.form = WL_FORM_SETP_U32_RI,
                                    .a = WL_RZ,
                                    .imm = mix(seed + v) & 1,
                                    .pd = v,
                                    .mods = 2u << (WL_FIELD_CMP_LOW - WL_MODS_LOW) |
                                            3u << (WL_FIELD_BOP_LOW - WL_MODS_LOW)});
  }
  for (size_t i = 1; i < n; i++)
    wl_mf_append(f, &body[i]);
}

static int one(uint64_t seed, uint64_t *entries) {
  static const uint32_t limits[] = {24, 32, 64, 255};
  static machine_t before, after;
  wl_arena_t arena = {0};
  jmp_buf oom;
  wl_mfunc_t f;
  if (setjmp(oom) != 0) return 1;
  wl_mf_init(&f, &arena, &oom);
  const unsigned regs = 5 + (unsigned)(seed % 13);
  random_function(&f, &(random_options_t){.seed = seed,
                                          .regs = regs,
                                          .calls = seed % 3 == 0,
                                          .statements = 8 + (unsigned)(seed % 20),
                                          .is_function = seed % 5 == 0,
                                          .irreducible = seed % 7 == 0});
  f.max_regs = limits[seed % 4];
  start(&f, seed, 1 + 2 * regs + regs / 4 + 1 + regs / 2 + 2);
  for (size_t i = 0; i < f.ninsns; i++) /* the markers become stores: they must survive */
    if (f.insns[i].form == WL_FORM_MOV_I && f.insns[i].d == wl_mreg(1, 0))
      f.insns[i] = (wl_minsn_t){.form = WL_FORM_ST_GLOBAL_B128, .imm = f.insns[i].imm};
  memset(&before, 0, sizeof before);
  memset(&after, 0, sizeof after);
  before.f = after.f = &f;
  before.reg = calloc(f.nvregs * 4 + 64, sizeof(uint32_t));
  run(&before, STEPS);
  wl_cfg_build(&f);
  wl_cfg_analyse(&f);
  wl_layout(&f);
  wl_cfg_analyse(&f);
  wl_opt_copies(&f);
  int bad = !wl_regalloc(&f);
  after.after = true;
  after.reg = malloc((300 + f.spill_bytes) * sizeof(uint32_t));
  for (uint32_t i = 0; i < 300 + f.spill_bytes; i++)
    after.reg[i] = 0xbad00000u + i;
  if (bad == 0) run(&after, before.n);
  if (bad == 0 && (after.n != before.n || memcmp(before.trace, after.trace, before.n * 4) != 0))
    bad = 1;
  unsigned at = 0;
  while (at < before.n && before.trace[at] == after.trace[at])
    at++;
  if (bad != 0)
    printf("FAILED seed %llu: traces of %u and %u entries differ at %u\n", (unsigned long long)seed,
           before.n, after.n, at);
  *entries += before.n;
  free(before.reg);
  free(after.reg);
  wl_arena_free(&arena);
  return bad;
}

/* s = f(n); if n > 0 use d; d = s; in a loop: d must be last round's s, not a copy of the new one.
 */
static int carried(void) {
  static machine_t m;
  wl_arena_t arena = {0};
  jmp_buf oom;
  wl_mfunc_t f;
  if (setjmp(oom) != 0) return 1;
  wl_mf_init(&f, &arena, &oom);
  const uint32_t n = wl_mf_vreg(&f, 1, false), s = wl_mf_vreg(&f, 1, false),
                 d = wl_mf_vreg(&f, 1, false);
  const uint32_t p = wl_mf_vreg(&f, 0, false), q = wl_mf_vreg(&f, 0, false),
                 v = wl_mf_vreg(&f, 4, false);
  const uint32_t gt =
      4u << (WL_FIELD_CMP_LOW - WL_MODS_LOW) | 3u << (WL_FIELD_BOP_LOW - WL_MODS_LOW);
  const uint32_t lt =
      1u << (WL_FIELD_CMP_LOW - WL_MODS_LOW) | 3u << (WL_FIELD_BOP_LOW - WL_MODS_LOW);
  f.is_entry = true;
  f.nlabels = 1;
  const wl_minsn_t code[] = {
      {.form = WL_MP_PROLOGUE},
      {.form = WL_FORM_MOV_I, .d = wl_mreg(n, 0), .imm = 0},
      {.form = WL_MP_LABEL, .imm = 0},
      {.form = WL_FORM_MAD_LO_RRR,
       .d = wl_mreg(s, 0),
       .a = wl_mreg(n, 0),
       .b = wl_mreg(n, 0),
       .c = wl_mreg(n, 0)},
      {.form = WL_FORM_SETP_U32_RI, .pd = p, .a = wl_mreg(n, 0), .imm = 0, .mods = gt},
      {.form = WL_MP_MOV, .imm = 1, .d = wl_mreg(v, 0), .a = wl_mreg(d, 0), .guard = p},
      {.form = WL_FORM_ST_GLOBAL_B128, .b = wl_mreg(v, 0), .guard = p},
      {.form = WL_MP_MOV, .imm = 1, .d = wl_mreg(d, 0), .a = wl_mreg(s, 0)},
      {.form = WL_FORM_SETP_U32_RI, .pq = q, .pd = p, .a = wl_mreg(n, 0), .imm = 0, .mods = gt},
      {.form = WL_FORM_SETP_U32_RI, .pd = q, .a = wl_mreg(n, 0), .imm = 9, .mods = lt},
      {.form = WL_FORM_SELP_RI, .d = wl_mreg(v, 1), .a = WL_RZ, .imm = 1, .ps = p},
      {.form = WL_FORM_MOV_I, .d = wl_mreg(v, 2), .imm = 1},
      {.form = WL_FORM_ADD_RR, .d = wl_mreg(n, 0), .a = wl_mreg(n, 0), .b = wl_mreg(v, 2)},
      {.form = WL_FORM_BRA, .guard = q, .target = 0},
      {.form = WL_FORM_EXIT}};
  for (size_t i = 0; i < sizeof code / sizeof code[0]; i++)
    wl_mf_append(&f, &code[i]);
  wl_cfg_build(&f);
  wl_cfg_analyse(&f);
  wl_layout(&f);
  wl_cfg_analyse(&f);
  wl_opt_copies(&f);
  int bad = !wl_regalloc(&f);
  m = (machine_t){.f = &f, .after = true, .reg = calloc(300, sizeof(uint32_t))};
  run(&m, 45);
  for (unsigned k = 0; k < 9 && bad == 0; k++) /* entries: address, then four words */
    if (m.n != 45 || m.trace[5 * k + 1] != k * k + k) {
      printf("FAILED carried copy: round %u gives %u, expected %u\n", k, m.trace[5 * k + 1],
             k * k + k);
      bad = 1;
    }
  free(m.reg);
  wl_arena_free(&arena);
  return bad;
}

int main(int argc, char **argv) {
  const uint64_t from = argc > 1 ? strtoull(argv[1], NULL, 0) : 1, to = argc > 1 ? from : 800;
  uint64_t entries = 0;
  int bad = carried();
  for (uint64_t seed = from; seed <= to && bad < 5; seed++)
    bad += one(seed, &entries);
  printf("%llu functions, %llu trace entries, %d failed\n", (unsigned long long)(to - from + 1),
         (unsigned long long)entries, bad);
  return bad != 0;
}
