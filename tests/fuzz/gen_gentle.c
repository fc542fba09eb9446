/* gen_gentle.c: programs that end and come far: structured control (if, loops with counters, brx,
 * calls, exits), .sync instructions with masks that their lanes can meet, barriers that every warp
 * reaches, addresses inside the buffers. What a thread leaves behind does not depend on timing if
 * `comparable` is set: then no clock, no active mask, no result of a common atomic is used.
 * Deliberately no program that waits for another lane by polling: kernels do that. */
#include <string.h>

#include "tests/fuzz/gentle.h"

static bool room(const gentle_t *g) { return g->p->count < FUZZ_MAIN_WORDS - 100; }

static void statement(gentle_t *g) {
  if (fuzz_chance(g->r, 6)) gt_matrix(g);
  if (fuzz_chance(g->r, 8) && wl_form_exists(WL_FORM_MMA_F32_F16_M16N8K16, g->r->row))
    gt_products(g);
  if (g->r->probe && fuzz_chance(g->r, 30)) gt_probe(g);
  const uint32_t k = fuzz_below(g->r, 100);
  g->statements--;
  if (k < 34) {
    for (uint32_t n = 1 + fuzz_below(g->r, 4); n > 0; n--)
      gt_arithmetic(g);
  } else if (k < 50) {
    gt_own_memory(g);
  } else if (k < 56) {
    if (g->loops == 0) gt_common_memory(g);
  } else if (k < 62) {
    gt_constant(g);
  } else if (k < 74) {
    gt_sync(g);
  } else if (k < 79) {
    if (g->everyone && g->function < 0) gt_barrier(g);
    if (g->everyone && g->depth == 0 &&
        fuzz_chance(g->r, 10)) { /* warps that others must not await */
      gt_odd_warp(g);
      gt_emit(g, "@P6 exit");
      g->odd_gone = true;
    }
  } else if (k < 84) {
    gt_small(g);
  } else if (k < 87) {
    gt_call(g);
  } else if (g->depth < 3) {
    if (k < 93)
      gt_branch(g);
    else if (k < 95 && g->loops == 0 && g->function < 0)
      gt_soup(g);
    else if (k < 98 && g->loops < 2)
      gt_loop(g);
    else
      gt_indirect(g);
  }
}

void gt_block(gentle_t *g, int most) {
  for (int n = (int)fuzz_below(g->r, (uint32_t)most + 1); n > 0; n--) {
    if (g->statements > 0 && room(g)) statement(g);
  }
}

static void prologue(gentle_t *g) {
  fuzz_prologue(g->r, g->p);
  gt_emit(g, "st.shared.b128 [R4], R20:R23");
  gt_emit(g, "st.shared.b128 [R4+0x10], R24:R27");
  for (unsigned i = 0; i < FUZZ_LOCAL; i += 16)
    gt_emit(g, "st.local.b128 [R6+0x%x], R28:R31", i);
}

static void epilogue(gentle_t *g) {
  if (fuzz_chance(g->r, 10)) { /* arrivals that the CTA leaves behind */
    gt_emit(g, "bar.arrive.i B0:%u", ((g->p->threads + 31) / 32 + 1) * 32);
  }
  gt_emit(g, "mov.i R%u, 0x0", R_TEMP);
  for (unsigned i = 0; i < 4; i++)
    gt_emit(g, "@P%u add.ri R%u, R%u, 0x%x", i, R_TEMP, R_TEMP, 1u << i);
  for (unsigned i = 0; i < FUZZ_DATA_REGS; i += 4) {
    gt_emit(g, "st.global.b128 [R2:R3+0x%x], R%u:R%u", FUZZ_DUMP + 4 * i, FUZZ_DATA + i,
            FUZZ_DATA + i + 3);
  }
  gt_emit(g, "st.global.b32 [R2:R3+0x%x], R%u", FUZZ_DUMP + 4 * FUZZ_DATA_REGS, R_TEMP);
  gt_emit(g, "exit");
}

void fuzz_gentle_program(fuzz_rng_t *r, uint32_t max_threads, fuzz_program_t *p) {
  memset(p, 0, sizeof *p);
  fuzz_choose_shape(r, max_threads, p);
  p->gentle = true;
  p->comparable = fuzz_chance(r, 50) && !r->probe;
  gentle_t g = {.r = r,
                .p = p,
                .known = true,
                .mask = UINT32_MAX,
                .everyone = true,
                .function = -1,
                .statements = 5 + (int)fuzz_below(r, 30)};
  prologue(&g);
  if (fuzz_chance(r, 20)) {
    gt_numbers(&g);
    g.statements = 2;
  }
  if (fuzz_chance(r, 20)) gt_soup(&g);
  while (g.statements > 0 && room(&g))
    statement(&g);
  epilogue(&g);
  g.known = g.everyone = false;
  g.mask_reg = 0;
  if (fuzz_chance(r, 15)) { /* main and functions in the same lines of the instruction cache */
    static const uint32_t trap[4] = {WL_FORM_TRAP | UINT32_C(7) << WL_FIELD_GUARD_LOW, 0, 0, 0};
    const uint32_t to = (gt_here(&g) & ~63u) + (fuzz_chance(r, 50) ? 512 : 1024);
    while (gt_here(&g) < to && fuzz_put(p, trap))
      continue;
  }
  uint32_t start[FUNCTIONS];
  for (int f = 0; f < FUNCTIONS; f++) {
    g.function = f;
    g.statements = 4;
    start[f] = gt_here(&g);
    gt_block(&g, 3);
    gt_emit(&g, "ret R%u", (unsigned)(R_LINK + f));
  }
  for (int i = 0; i < g.calls; i++)
    WL_WORD_SET(p->w[g.call_at[i]], IMM, start[g.call_to[i]]);
}

void fuzz_spiced_program(fuzz_rng_t *r, uint32_t max_threads, fuzz_program_t *p) {
  static const uint16_t hot[] = {
      WL_FORM_TRAP,         WL_FORM_RET,         WL_FORM_BAR_SYNC_R,    WL_FORM_BAR_ARRIVE_I,
      WL_FORM_BAR_POPC_R,   WL_FORM_BAR_AND_I,   WL_FORM_BAR_OR_R,      WL_FORM_LDC_B32,
      WL_FORM_LDC_B64,      WL_FORM_BRX,         WL_FORM_CALLX,         WL_FORM_CALL,
      WL_FORM_NANOSLEEP_R,  WL_FORM_EXIT,        WL_FORM_WARPSYNC_R,    WL_FORM_SHFL_R,
      WL_FORM_MATCH_ANY_R,  WL_FORM_ELECT_R,     WL_FORM_WARPSYNC_I,    WL_FORM_BRA,
      WL_FORM_LD_LOCAL_B32, WL_FORM_ST_GEN_B128, WL_FORM_LD_SHARED_B64, WL_FORM_BAR_SYNC_I};
  fuzz_gentle_program(r, max_threads, p);
  p->gentle = p->comparable = false;
  p->spiced = true;
  const uint32_t first = 60; /* behind the prologue */
  for (uint32_t n = 1 + fuzz_below(r, 6); n > 0; n--) {
    const uint32_t at =
        first + fuzz_below(r, (p->count < FUZZ_MAIN_WORDS ? p->count : FUZZ_MAIN_WORDS) - first);
    const bool any = fuzz_chance(r, 40);
    const int form = any ? -1 : hot[fuzz_below(r, sizeof hot / sizeof hot[0])];
    if (fuzz_chance(r, 15)) {
      WL_WORD_SET(p->w[at], IMM, fuzz_value(r) & ~wl_form_info[WL_WORD_GET(p->w[at], FORM)].mbz[2]);
    } else {
      fuzz_legal_word(r, form, at, p->count, p->w[at]);
    }
  }
}
