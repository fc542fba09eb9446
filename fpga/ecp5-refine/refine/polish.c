// The longest paths alone. Only cells that they go through are moved, and delays are counted anew
// often: what a move makes longer is dear in the next round. The best placement that comes is kept.
#include "refine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Tries, for each group in a round; one in DRAGS of them is for several groups.
// SITES: one in so many is besides for block RAM or a multiplier.
enum { TOLD = 100, TRIES = 30, DRAGS = 6, DRAGGED = 4, SITES = 500 };
// Power of criticality; what of a round's criticality the next one still counts, so that what was
// just made short does not become long again; part of the cost that is time.
static const double SHARP = 30, MEMORY = 0.9, SHARE = 0.2;

// The most critical connection of a group that leads to it, or away from it: its other end's cell,
// or -1.
static int neighbour(const er_placement *p, int g, bool to) {
  float most = LONG;
  int found = -1;
  for (int k = p->group[g].first; k < p->group[g].first + p->group[g].cells; k++) {
    const er_cell *c = &p->cell[p->member[k]];
    for (int u = c->first_use; u < c->first_use + c->uses; u++) {
      const er_net *n = &p->net[p->use[u].net];
      bool drives = p->use[u].pin == n->first_pin;
      if (drives == to) continue;
      int first = drives ? n->first_pin + 1 : p->use[u].pin;
      int last = drives ? n->first_pin + n->pins - 1 : first;
      for (int pin = first; pin <= last; pin++) {
        int other = p->pin[drives ? pin : n->first_pin];
        if (p->criticality[pin] <= most || p->cell[other].group == g) continue;
        most = p->criticality[pin], found = other;
      }
    }
  }
  return found;
}

// Cells of one path that follow each other lie together away from the rest of it, and none of them
// gains by going alone: moves up to DRAGGED of them, one after the other, to where the connection
// comes from that leads to the first of them (or goes to, from the last), and back if all together
// have not gained.
static void drag(er_annealing *s) {
  const er_placement *p = s->p;
  er_move done[DRAGGED];
  int g = s->choice[er_pick(s->moves, s->chosen)], steps = 0, place;
  bool along = er_pick(s->moves, 2);
  int end = neighbour(p, g, along);
  if (end < 0) return;
  er_spot at = p->spot[end];
  double more = 0;
  while (steps < DRAGGED && p->group[g].columns == 1) {
    done[steps] = er_where_is(p, g, true);
    int tile = er_free_place(s, g, at.x, at.y, true, &place);
    if (tile < 0) break;
    s->moves->pardon = INFINITY;
    bool moved = er_move_group(s->moves, g, tile, place, true);
    s->moves->pardon = 0;
    if (!moved) break;
    steps++;
    more += s->moves->more;
    if (more < 0) return;
    int next = neighbour(p, g, !along);
    if (next < 0 || p->cell[next].group < 0) break;
    g = p->cell[next].group;
  }
  er_move_back(s->moves, done, steps);
}

typedef struct {
  er_spot *spot;
  int *place;
  float longest;
} kept;

static void keep(kept *k, const er_placement *p, float longest) {
  memcpy(k->spot, p->spot, (size_t)p->cells * sizeof *k->spot);
  for (int i = 0; i < p->cells; i++)
    k->place[i] = p->cell[i].place;
  k->longest = longest;
}

static int *holder(er_placement *p, int cell) {
  const er_cell *c = &p->cell[cell];
  int tile = p->spot[cell].y * COLUMNS + p->spot[cell].x;
  return c->kind == RAM_WRITE ? &p->ram_write[tile] : &p->at[tile][c->place][c->kind];
}

static void put_back(er_placement *p, const kept *k) {
  for (int i = 0; i < p->cells; i++) {
    if (p->cell[i].kind != FIXED) *holder(p, i) = -1;
  }
  for (int i = 0; i < p->cells; i++) {
    p->spot[i] = k->spot[i];
    p->cell[i].place = k->place[i];
    if (p->cell[i].kind != FIXED) *holder(p, i) = i;
  }
}

static void remember(er_placement *p, float *before, int pins) {
  for (int k = 0; k < pins; k++) {
    float least = (float)MEMORY * before[k];
    if (p->criticality[k] < least) p->criticality[k] = least;
    before[k] = p->criticality[k];
  }
}

void er_polish(er_annealing *s, er_crowd *crowd, er_timing *timing,
               const float need[CLOCKS][CLOCKS], int rounds) {
  er_placement *p = s->p;
  int pins = er_pins(p);
  float *before = er_refine_memory((size_t)pins, sizeof *before);
  kept best = {er_refine_memory((size_t)p->cells, sizeof *best.spot),
               er_refine_memory((size_t)p->cells, sizeof *best.place), 0};
  s->moves->heat = 0;
  for (int round = 0; round <= rounds; round++) {
    er_timing_weigh(timing, p, SHARP, need);
    if (!round || timing->worst[0][0] < best.longest) keep(&best, p, timing->worst[0][0]);
    remember(p, before, pins);
    er_choose(s);
    if (!s->chosen || best.longest <= timing->aim) break;
    if (round && round % TOLD == 0) {
      printf("round %d of %d: %d groups, longest path %.1f ns, least %.1f\n", round, rounds,
             s->chosen, (double)timing->worst[0][0] / 1e3, (double)best.longest / 1e3);
      fflush(stdout);
    }
    er_wire_crowd(p, crowd);
    er_moves_count(s->moves);
    s->moves->time_price = SHARE / (1 - SHARE) * s->moves->wire / s->moves->time;
    s->reach = round % 3 ? 2 : 12; // short ways, now and then farther
    for (int k = 0; k < TRIES * s->chosen; k++) {
      if (k % SITES == 0) er_attempt_site(s);
      if (k % DRAGS)
        er_attempt(s);
      else
        drag(s);
    }
  }
  s->chosen = 0;
  put_back(p, &best);
  er_moves_count(s->moves);
  free(best.spot), free(best.place), free(before);
}
