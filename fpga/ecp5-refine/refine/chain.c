// Carry chains of several tiles. A chain takes whole tiles of a row, and what lies in as many tiles
// elsewhere would have to go all the way to where the chain was: hardly any such exchange is worth
// it by itself. Here the cells that a chain drives away look for places of their own at once, and
// all of it together is kept or undone.
#include "refine.h"

#include <math.h>
#include <stdlib.h>

// PLACED: places tried for a chain until it may be at one. SETTLE: moves tried for each group that
// it drove away.
enum { PLACED = 12, SETTLE = 8, DRIVEN = 512, STEPS = DRIVEN * SETTLE + 1 };

struct er_chains {
  int *group, groups;
  int driven[DRIVEN], steps;
  er_move done[STEPS]; // how to undo each move
};

er_chains *er_chains_new(const er_placement *p) {
  er_chains *c = er_refine_memory(1, sizeof *c);
  c->group = er_refine_memory((size_t)p->groups + 1, sizeof *c->group);
  for (int g = 0; g < p->groups; g++) {
    if (p->group[g].columns > 1) c->group[c->groups++] = g;
  }
  return c;
}

void er_chains_free(er_chains *c) {
  free(c->group);
  free(c);
}

// A move, noted if it is made; what it costs is added to `more`.
static void go(er_annealing *s, er_chains *c, er_move to, double *more) {
  er_move from = er_where_is(s->p, to.group, to.fill);
  if (!er_move_group(s->moves, to.group, to.tile, to.place, to.fill)) return;
  c->done[c->steps++] = from;
  *more += s->moves->more;
}

// Into `driven` the groups that the last move took along with the chain; their number.
static int driven(const er_annealing *s, er_chains *c, int chain) {
  const er_placement *p = s->p;
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

static void settle(er_annealing *s, er_chains *c, int groups, double *more) {
  for (int k = 0; k < groups * SETTLE; k++) {
    int x, y, place, g = c->driven[k % groups];
    int tile = er_by_wire(s, g, &x, &y) ? er_free_place(s, g, x, y, false, &place) : -1;
    if (tile >= 0) go(s, c, (er_move){g, tile, place, false}, more);
  }
}

bool er_attempt_chain(er_annealing *s, er_chains *c) {
  double more = 0;
  if (!c->groups) return false;
  int chain = c->group[er_pick(s->moves, c->groups)];
  c->steps = 0;
  s->moves->pardon = INFINITY;
  for (int k = 0; k < PLACED && !c->steps; k++) {
    int tile = er_chain_place(s, chain);
    if (tile >= 0) go(s, c, (er_move){chain, tile, 0, true}, &more);
  }
  s->moves->pardon = 0;
  if (!c->steps) return false;
  settle(s, c, driven(s, c, chain), &more);
  if (more <= 0) return true;
  if (s->moves->heat > 0 && er_chance(s->moves) < exp(-more / s->moves->heat)) return true;
  er_move_back(s->moves, c->done, c->steps);
  return false;
}
