// The longest paths alone. Only cells that they go through are moved, and delays are counted anew
// often: what a move makes longer is dear in the next round. The best placement that comes is kept.
#include "refine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOLD = 250, TRIES = 30 }; // tries: for each group in a round
// Power of criticality; from which a connection is one of a long path; what of a round's
// criticality the next one still counts, so that what was just made short does not become long
// again; part of the cost that is time.
static const double SHARP = 30, LONG = 0.1, MEMORY = 0.9, SHARE = 0.2;

static bool on_long_path(const wl_placement *p, const wl_use *use) {
  const wl_net *n = &p->net[use->net];
  if (use->pin != n->first_pin) return p->criticality[use->pin] > (float)LONG;
  for (int pin = n->first_pin + 1; pin < n->first_pin + n->pins; pin++) {
    if (p->criticality[pin] > (float)LONG) return true;
  }
  return false;
}

static bool is_critical(const wl_placement *p, const wl_group *g) {
  for (int k = g->first; k < g->first + g->cells; k++) {
    const wl_cell *c = &p->cell[p->member[k]];
    for (int u = c->first_use; u < c->first_use + c->uses; u++) {
      if (on_long_path(p, &p->use[u])) return true;
    }
  }
  return false;
}

static void choose(wl_annealing *s) {
  s->chosen = 0;
  for (int g = 0; g < s->p->groups; g++) {
    if (is_critical(s->p, &s->p->group[g])) s->choice[s->chosen++] = g;
  }
}

typedef struct {
  wl_spot *spot;
  int *place;
  float longest;
} kept;

static void keep(kept *k, const wl_placement *p, float longest) {
  memcpy(k->spot, p->spot, (size_t)p->cells * sizeof *k->spot);
  for (int i = 0; i < p->cells; i++)
    k->place[i] = p->cell[i].place;
  k->longest = longest;
}

static int *holder(wl_placement *p, int cell) {
  const wl_cell *c = &p->cell[cell];
  int tile = p->spot[cell].y * COLUMNS + p->spot[cell].x;
  return c->kind == RAM_WRITE ? &p->ram_write[tile] : &p->at[tile][c->place][c->kind];
}

static void put_back(wl_placement *p, const kept *k) {
  for (int i = 0; i < p->cells; i++) {
    if (p->cell[i].kind != FIXED) *holder(p, i) = -1;
  }
  for (int i = 0; i < p->cells; i++) {
    p->spot[i] = k->spot[i];
    p->cell[i].place = k->place[i];
    if (p->cell[i].kind != FIXED) *holder(p, i) = i;
  }
}

static void remember(wl_placement *p, float *before, int pins) {
  for (int k = 0; k < pins; k++) {
    float least = (float)MEMORY * before[k];
    if (p->criticality[k] < least) p->criticality[k] = least;
    before[k] = p->criticality[k];
  }
}

void wl_polish(wl_annealing *s, wl_crowd *crowd, wl_timing *timing,
               const float need[CLOCKS][CLOCKS], int rounds) {
  wl_placement *p = s->p;
  int pins = p->net[p->nets - 1].first_pin + p->net[p->nets - 1].pins;
  float *before = wl_refine_memory((size_t)pins, sizeof *before);
  kept best = {wl_refine_memory((size_t)p->cells, sizeof *best.spot),
               wl_refine_memory((size_t)p->cells, sizeof *best.place), 0};
  s->choice = wl_refine_memory((size_t)p->groups, sizeof *s->choice);
  s->moves->heat = 0;
  for (int round = 0; round <= rounds; round++) {
    wl_timing_weigh(timing, p, SHARP, need);
    if (!round || timing->worst[0][0] < best.longest) keep(&best, p, timing->worst[0][0]);
    remember(p, before, pins);
    choose(s);
    if (!s->chosen) break;
    if (round && round % TOLD == 0) {
      printf("round %d of %d: %d groups, longest path %.1f ns, least %.1f\n", round, rounds,
             s->chosen, (double)timing->worst[0][0] / 1e3, (double)best.longest / 1e3);
      fflush(stdout);
    }
    wl_wire_crowd(p, crowd);
    wl_moves_count(s->moves);
    s->moves->time_price = SHARE / (1 - SHARE) * s->moves->wire / s->moves->time;
    s->reach = round % 3 ? 2 : 12; // short ways, now and then farther
    for (int k = 0; k < TRIES * s->chosen; k++)
      wl_attempt(s);
  }
  s->chosen = 0;
  put_back(p, &best);
  wl_moves_count(s->moves);
  free(best.spot), free(best.place), free(s->choice), free(before);
}
