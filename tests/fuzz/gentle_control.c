/* gentle_control.c: gentle programs: branches, loops, indirect branches, calls, exits. */
#include <stdio.h>

#include "tests/fuzz/gentle.h"

void gt_branch(gentle_t *g) {
  const gentle_t saved = *g;
  const uint32_t reg = (uint32_t)(R_MASK + 1 + 2 * (g->depth & 1));
  uint32_t arm[2] = {0, 0}, arm_reg[2] = {0, 0}, at;
  const char *guard = "@!P5";
  char text[8];
  if (fuzz_chance(g->r, 55)) { /* by lane: both masks are known */
    const uint32_t k = fuzz_below(g->r, 33), bit = fuzz_below(g->r, 5);
    uint32_t lanes;
    if (fuzz_chance(g->r, 50)) {
      gt_emit(g, "setp.u32.ri P5, PT, R1, 0x%x, PT {cmp=lt bop=none}", k);
      lanes = k >= 32 ? UINT32_MAX : (UINT32_C(1) << k) - 1;
    } else {
      static const uint32_t set[] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000};
      gt_emit(g, "lop3.rir R%u, R1, 0x%x, RZ {lut=0xc0}", R_TEMP, 1u << bit);
      gt_emit(g, "setp.u32.ri P5, PT, R%u, 0x0, PT {cmp=ne bop=none}", R_TEMP);
      lanes = set[bit];
    }
    arm[0] = g->mask & lanes;
    arm[1] = g->mask & ~lanes;
  } else {
    const uint32_t q = fuzz_below(g->r, 4);
    if (g->known && g->depth < 2) {
      gt_emit(g, "vote.ballot.i R%u, PT, 0x%x, P%u", reg, g->mask, q);
      gt_emit(g, "lop3.rir R%u, R%u, 0x%x, RZ {lut=0x3c}", reg + 1, reg, g->mask);
      arm_reg[0] = reg;
      arm_reg[1] = reg + 1;
    }
    g->known = false;
    (void)snprintf(text, sizeof text, "@!P%u", q);
    guard = text;
  }
  g->everyone = false;
  g->depth++;
  at = gt_emit(g, "%s bra #0", guard);
  g->mask = arm[0];
  g->mask_reg = arm_reg[0];
  gt_block(g, 4);
  if (fuzz_chance(g->r, 60)) {
    const uint32_t over = gt_emit(g, "bra #0");
    gt_patch(g, at);
    g->mask = arm[1];
    g->mask_reg = arm_reg[1];
    gt_block(g, 4);
    at = over;
  }
  gt_patch(g, at);
  g->depth--;
  g->known = saved.known;
  g->mask = saved.mask;
  g->mask_reg = saved.mask_reg;
  g->everyone = saved.everyone;
}

void gt_loop(gentle_t *g) {
  const gentle_t saved = *g;
  const uint32_t counter = (uint32_t)(R_COUNTER + g->loops);
  if (fuzz_chance(g->r, 50)) {
    gt_emit(g, "mov.i R%u, 0x%x", counter, 1 + fuzz_below(g->r, 4));
  } else { /* lanes leave one after another */
    gt_emit(g, "lop3.rir R%u, R%u, 0x3, RZ {lut=0xc0}", counter,
            fuzz_chance(g->r, 50) ? 1 : gt_data(g, 1));
    gt_emit(g, "add.ri R%u, R%u, 0x1", counter, counter);
    g->known = g->everyone = false;
    g->mask_reg = 0;
  }
  g->loops++;
  g->depth++;
  const uint32_t top = gt_here(g);
  gt_block(g, 4);
  gt_emit(g, "add.ri R%u, R%u, 0xffffffff", counter, counter);
  gt_emit(g, "setp.s32.ri P4, PT, R%u, 0x0, PT {cmp=gt bop=none}", counter);
  gt_emit(g, "@P4 bra #%u", top);
  g->loops--;
  g->depth--;
  g->known = saved.known;
  g->everyone = saved.everyone;
  g->mask_reg = saved.mask_reg;
}

void gt_indirect(gentle_t *g) {
  const gentle_t saved = *g;
  g->known = g->everyone = false;
  g->mask_reg = 0;
  g->depth++;
  const uint32_t a = gt_emit(g, "mov.i R%u, 0x0", R_TARGET);
  const uint32_t b = gt_emit(g, "@P%u mov.i R%u, 0x0", fuzz_below(g->r, 4), R_TARGET);
  gt_emit(g, "brx R%u", R_TARGET);
  gt_patch(g, a);
  gt_block(g, 3);
  const uint32_t over = gt_emit(g, "bra #0");
  gt_patch(g, b);
  gt_block(g, 3);
  gt_patch(g, over);
  g->depth--;
  g->known = saved.known;
  g->everyone = saved.everyone;
  g->mask_reg = saved.mask_reg;
}

/* Lanes wait where others may never come: ends, or is a deadlock that both twins must see alike. */
static void meet_anywhere(gentle_t *g) {
  const uint32_t k = fuzz_below(g->r, 10);
  uint32_t w[4], form;
  if (k < 2) {
    gt_bar_word(g, fuzz_chance(g->r, 50) ? WL_FORM_BAR_SYNC_I : WL_FORM_BAR_POPC_I, 13, 0, false,
                w);
  } else {
    do {
      form = gt_random_form(g, WL_UNIT_SYNC);
    } while ((wl_form_info[form].imm == WL_IMM_M) != (k < 5));
    if (k < 5)
      g->mask = UINT32_MAX;
    else
      gt_emit(g, "activemask R%u", R_MASK);
    g->mask_reg = 0;
    gt_sync_word(g, form, w);
    if (fuzz_chance(g->r, 30)) {
      WL_WORD_SET(w, GUARD, fuzz_below(g->r, 4));
      WL_WORD_SET(w, GUARD_NEG, fuzz_below(g->r, 2));
    }
  }
  fuzz_put(g->p, w);
}

/* Blocks that jump to each other without structure until the lane's counter has run out. */
void gt_soup(gentle_t *g) {
  const uint32_t n = 2 + fuzz_below(g->r, 6);
  const gentle_t saved = *g;
  const bool wild = !g->p->comparable && fuzz_chance(g->r, 60);
  uint32_t start[8] = {0}, ends[8] = {0}, at[24], to[24], jumps = 0;
  /* Now and then long enough for turns that end by their number of branches. */
  const uint32_t most = fuzz_chance(g->r, 5) ? 0x7ffu : 0xfu;
  gt_emit(g, "lop3.rir R%u, R%u, 0x%x, RZ {lut=0xc0}", R_COUNTER + 2, gt_data(g, 1), most);
  for (uint32_t i = 0; i < n; i++) {
    start[i] = gt_here(g);
    for (uint32_t k = fuzz_below(g->r, 4); k > 0; k--) {
      if (wild && fuzz_chance(g->r, 15))
        meet_anywhere(g);
      else if (fuzz_chance(g->r, 70))
        gt_arithmetic(g);
      else if (fuzz_chance(g->r, 50))
        gt_own_memory(g);
      else if (fuzz_chance(g->r, 30))
        gt_constant(g);
      else if (fuzz_chance(g->r, 60))
        gt_small(g);
      else
        gt_call(g);
    }
    gt_emit(g, "add.ri R%u, R%u, 0xffffffff", R_COUNTER + 2, R_COUNTER + 2);
    gt_emit(g, "setp.s32.ri P4, PT, R%u, 0x0, PT {cmp=lt bop=none}", R_COUNTER + 2);
    ends[i] = gt_emit(g, "@P4 bra #0");
    for (uint32_t k = fuzz_below(g->r, 3); k > 0; k--) {
      const uint32_t q = fuzz_below(g->r, 4);
      to[jumps] = fuzz_below(g->r, n);
      if (fuzz_chance(g->r, 60)) {
        at[jumps++] = gt_emit(g, "@%sP%u bra #0", fuzz_chance(g->r, 50) ? "!" : "", q);
      } else if (fuzz_chance(g->r, 50)) { /* deeper, for ever */
        at[jumps++] = gt_emit(g, "@P%u call R%u, #0", q, R_LINK);
      } else {
        at[jumps++] = gt_emit(g, "mov.i R%u, 0x0", R_TARGET);
        to[jumps] = fuzz_below(g->r, n);
        at[jumps++] = gt_emit(g, "@P%u mov.i R%u, 0x0", q, R_TARGET);
        gt_emit(g, "brx R%u", R_TARGET);
        break;
      }
    }
  }
  gt_emit(g, "bra #%u", start[fuzz_below(g->r, n)]);
  for (uint32_t i = 0; i < n; i++)
    gt_patch(g, ends[i]);
  for (uint32_t i = 0; i < jumps; i++)
    WL_WORD_SET(g->p->w[at[i]], IMM, start[to[i]]);
  g->mask = saved.mask;
  g->mask_reg = saved.mask_reg;
}

void gt_call(gentle_t *g) {
  const uint32_t to = g->function < 0 ? fuzz_below(g->r, FUNCTIONS) : FUNCTIONS - 1;
  if (g->function == FUNCTIONS - 1 || g->calls >= 60) return;
  uint32_t at;
  if (fuzz_chance(g->r, 50)) {
    at = gt_emit(g, "%scall R%u, #0", fuzz_chance(g->r, 40) ? "@P2 " : "", R_LINK + to);
  } else {
    at = gt_emit(g, "mov.i R%u, 0x0", R_TARGET);
    gt_emit(g, "%scallx R%u, R%u", fuzz_chance(g->r, 40) ? "@!P3 " : "", R_LINK + to, R_TARGET);
  }
  g->call_at[g->calls] = at;
  g->call_to[g->calls++] = (uint8_t)to;
}

void gt_small(gentle_t *g) {
  switch (fuzz_below(g->r, 5)) {
  case 0:
    gt_emit(g, "fence {scope=gpu}");
    break;
  case 1:
    gt_emit(g, "lop3.rir R%u, R%u, 0x3f, RZ {lut=0xc0}", R_TEMP,
            fuzz_chance(g->r, 50) ? 1 : gt_data(g, 1));
    gt_emit(g, "%snanosleep.r R%u", fuzz_chance(g->r, 50) ? "@P0 " : "", R_TEMP);
    break;
  case 2:
    gt_emit(g, "nop");
    break;
  case 3:
    if (!fuzz_chance(g->r, 25)) break;
    gt_emit(g, "@P%u exit", fuzz_below(g->r, 4));
    g->some_gone = true;
    break;
  default:
    gt_emit(g, "nanosleep.r %s", fuzz_chance(g->r, 50) ? "RZ" : "R1");
    break;
  }
}
