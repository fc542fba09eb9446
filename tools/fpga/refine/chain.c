// Long carry chains. A chain takes whole tiles of a row, and what lies in as many tiles elsewhere
// would have to go all the way to where the chain was: hardly any such exchange is worth it by
// itself. Here the cells that a chain drives away look for places of their own at once, and all of
// it together is kept or undone.
#include "refine.h"

#include <math.h>
#include <stdlib.h>

// LONG_CHAIN: tiles; shorter ones find a place by themselves. PLACED: places tried for a chain
// until it may be at one. SETTLE: moves tried for each group that it drove away.
enum { LONG_CHAIN = 2, PLACED = 12, SETTLE = 8, DRIVEN = 512, STEPS = DRIVEN * SETTLE + 1 };

typedef struct {
  int group, tile, place;
  bool fill;
} step;

struct wl_chains {
  int *group, groups;
  int driven[DRIVEN], steps;
  step done[STEPS]; // how to undo each move
};

wl_chains *wl_chains_new(const wl_placement *p) {
  wl_chains *c = wl_refine_memory(1, sizeof *c);
  c->group = wl_refine_memory((size_t)p->groups + 1, sizeof *c->group);
  for (int g = 0; g < p->groups; g++) {
    if (p->group[g].columns >= LONG_CHAIN) c->group[c->groups++] = g;
  }
  return c;
}

void wl_chains_free(wl_chains *c) {
  free(c->group);
  free(c);
}

static step where(const wl_placement *p, int g, bool fill) {
  const wl_group *group = &p->group[g];
  int first = p->member[group->first];
  const wl_cell *cell = &p->cell[first];
  int tile = p->spot[first].y * COLUMNS + p->spot[first].x - cell->column;
  return (step){g, tile, group->columns > 1 ? 0 : cell->place / group->size * group->size, fill};
}

static bool go(wl_annealing *s, wl_chains *c, step to, double *more) {
  step from = where(s->p, to.group, to.fill);
  if (!wl_move_group(s->moves, to.group, to.tile, to.place, to.fill)) return false;
  c->done[c->steps++] = from;
  *more += s->moves->more;
  return true;
}

// Exchanges back in the other order restore what was.
static void undo(wl_annealing *s, wl_chains *c) {
  s->moves->pardon = INFINITY;
  while (c->steps > 0) {
    const step *d = &c->done[--c->steps];
    wl_move_group(s->moves, d->group, d->tile, d->place, d->fill);
  }
  s->moves->pardon = 0;
}

// Into `driven` the groups that the last move took along with the chain; their number.
static int driven(const wl_annealing *s, wl_chains *c, int chain) {
  const wl_placement *p = s->p;
  int count = 0;
  for (int k = 0; k < s->moves->moves && count < DRIVEN; k++) {
    int g = p->cell[s->moves->moved[k]].group;
    bool known = g < 0 || g == chain || p->group[g].columns > 1;
    for (int i = count - 1; i >= 0 && !known; i--)
      known = c->driven[i] == g;
    if (!known) c->driven[count++] = g;
  }
  return count;
}

static void settle(wl_annealing *s, wl_chains *c, int groups, double *more) {
  for (int k = 0; k < groups * SETTLE; k++) {
    int x, y, place, g = c->driven[k % groups];
    int tile = wl_by_wire(s, g, &x, &y) ? wl_free_place(s, g, x, y, false, &place) : -1;
    if (tile >= 0) go(s, c, (step){g, tile, place, false}, more);
  }
}

bool wl_attempt_chain(wl_annealing *s, wl_chains *c) {
  double more = 0;
  if (!c->groups) return false;
  int chain = c->group[wl_pick(s->moves, c->groups)];
  c->steps = 0;
  s->moves->pardon = INFINITY;
  for (int k = 0; k < PLACED && !c->steps; k++) {
    int tile = wl_chain_place(s, chain);
    if (tile >= 0) go(s, c, (step){chain, tile, 0, true}, &more);
  }
  s->moves->pardon = 0;
  if (!c->steps) return false;
  settle(s, c, driven(s, c, chain), &more);
  if (more <= 0) return true;
  if (s->moves->heat > 0 && wl_chance(s->moves) < exp(-more / s->moves->heat)) return true;
  undo(s, c);
  return false;
}
