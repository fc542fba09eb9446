// Simulated annealing, from a placement that has little wire but knows nothing of time: hot enough
// that whole units find another place, exchanges also to places that nets or paths ask for.
#include "refine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double BLUNT = 2, SHARP = 20; // powers of criticality, first and last
static const double COLD = 0.04;           // heat of the last phase
// How far a move goes falls with the heat to this power, so that many are kept at any heat.
static const double SHRINK = 0.7;
// SITES: one attempt in so many is for block RAM or a multiplier; SITE_REACH: at least, to the next
// row of sites. CHAINS: and one in so many for a carry chain of several tiles. PATHS: one attempt
// in so many is for the groups on long paths alone.
enum { PHASES = 960, TOLD = 160, FAR = 64, SEARCHED = 24, BOUNDS = 2048, FEW = 40, WIDE = 40 };
enum { SITES = 200, SITE_REACH = 40, CHAINS = 700, PATHS = 6 };

static int near(er_annealing *s, int at, int reach) {
  return at + er_pick(s->moves, 2 * reach + 1) - reach;
}

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

// Most have few bounds.
static void sort(int *bound, int count) {
  if (count > FEW) {
    qsort(bound, (size_t)count, sizeof *bound, compare);
    return;
  }
  for (int i = 1; i < count; i++) {
    int value = bound[i], k = i;
    for (; k > 0 && bound[k - 1] > value; k--)
      bound[k] = bound[k - 1];
    bound[k] = value;
  }
}

static int middle(er_annealing *s, int *bound, int count) {
  sort(bound, count);
  int low = bound[(count - 1) / 2], high = bound[count / 2];
  return low + er_pick(s->moves, high - low + 1);
}

bool er_by_wire(er_annealing *s, int g, int *x, int *y) {
  const er_placement *p = s->p;
  int xs[BOUNDS], ys[BOUNDS], count = 0;
  for (int k = p->group[g].first; k < p->group[g].first + p->group[g].cells; k++) {
    const er_cell *c = &p->cell[p->member[k]];
    for (int u = c->first_use; u < c->first_use + c->uses && count < BOUNDS; u++) {
      const er_net *n = &p->net[p->use[u].net];
      int x0 = COLUMNS, x1 = -1, y0 = ROWS, y1 = -1;
      if (n->pins > WIDE) continue;
      for (int pin = n->first_pin; pin < n->first_pin + n->pins; pin++) {
        er_spot o = p->spot[p->pin[pin]];
        if (p->cell[p->pin[pin]].group == g) continue;
        x0 = o.x < x0 ? o.x : x0;
        x1 = o.x > x1 ? o.x : x1;
        y0 = o.y < y0 ? o.y : y0;
        y1 = o.y > y1 ? o.y : y1;
      }
      if (x1 < 0) continue;
      xs[count] = x0, ys[count++] = y0;
      xs[count] = x1, ys[count++] = y1;
    }
  }
  if (!count) return false;
  *x = middle(s, xs, count);
  *y = middle(s, ys, count);
  return true;
}

// Where the other end of one of its connections is, of critical ones more often.
static bool by_time(er_annealing *s, int g, int *x, int *y) {
  const er_placement *p = s->p;
  const er_cell *c = &p->cell[p->member[p->group[g].first + er_pick(s->moves, p->group[g].cells)]];
  if (!c->uses) return false;
  const er_use *u = &p->use[c->first_use + er_pick(s->moves, c->uses)];
  const er_net *n = &p->net[u->net];
  bool drives = u->pin == n->first_pin;
  int other = drives ? n->first_pin + 1 + er_pick(s->moves, n->pins - 1) : n->first_pin;
  if (p->criticality[drives ? other : u->pin] < er_chance(s->moves)) return false;
  *x = p->spot[p->pin[other]].x;
  *y = p->spot[p->pin[other]].y;
  return true;
}

static bool is_free(const er_placement *p, const er_group *g, int tile, int place, bool fill) {
  for (int l = place; l < place + g->size; l++) {
    const int *at = p->at[tile][l];
    if ((g->layers & LUT_LAYER) && at[LUT] >= 0 && !(fill && (p->cell[at[LUT]].flags & LUT_EMPTY)))
      return false;
    if ((g->layers & FF_LAYER) && at[FF] >= 0) return false;
  }
  return true;
}

int er_free_place(er_annealing *s, int g, int x, int y, bool fill, int *place) {
  const er_placement *p = s->p;
  const er_group *group = &p->group[g];
  for (int k = 0; k < SEARCHED && group->size <= 2; k++) {
    int column = near(s, x, 1 + k / 4), row = near(s, y, 1 + k / 4), tile = row * COLUMNS + column;
    if (column < 0 || row < 0 || column >= COLUMNS || row >= ROWS || !p->slices[tile]) continue;
    *place = er_pick(s->moves, PLACES / group->size) * group->size;
    if (is_free(p, group, tile, *place, fill)) return tile;
  }
  return -1;
}

static bool fits(const er_placement *p, const er_group *g, int x, int y) {
  if (x < 0 || y < 0 || x + g->columns > COLUMNS || y >= ROWS) return false;
  for (int z = 0; z < g->columns; z++) {
    if (!p->slices[y * COLUMNS + x + z]) return false;
  }
  return true;
}

int er_chain_place(er_annealing *s, int g) {
  const er_group *group = &s->p->group[g];
  er_spot at = s->p->spot[s->p->member[group->first]];
  int reach = (int)s->reach, how = er_pick(s->moves, 4), x, y;
  if (how == 0 ? er_by_wire(s, g, &x, &y) : how == 1 && by_time(s, g, &x, &y)) {
    x = near(s, x - group->columns / 2, 2 + reach / 4);
    y = near(s, y, 2 + reach / 4);
  } else {
    x = near(s, at.x, 1 + reach);
    y = near(s, at.y, 1 + reach);
  }
  return fits(s->p, group, x, y) ? y * COLUMNS + x : -1;
}

bool er_attempt(er_annealing *s) {
  const er_placement *p = s->p;
  int g = s->chosen ? s->choice[er_pick(s->moves, s->chosen)] : er_pick(s->moves, p->groups);
  int how = er_pick(s->moves, 8), reach = (int)s->reach, x, y, place;
  const er_group *group = &p->group[g];
  er_spot at = p->spot[p->member[group->first]];
  bool fill =
      how == 3 || how == 4; // only a path that is worth it may take a place that is kept empty
  if (how < 5) {
    if (!(fill ? by_time(s, g, &x, &y) : er_by_wire(s, g, &x, &y))) return false;
    x = near(s, x, 1 + reach / 4);
    y = near(s, y, 1 + reach / 4);
    int tile = er_free_place(s, g, x, y, fill, &place);
    if (tile >= 0) return er_move_group(s->moves, g, tile, place, fill);
  } else {
    x = near(s, at.x, reach);
    y = near(s, at.y, reach);
  }
  if (!fits(p, group, x, y)) return false;
  place = er_pick(s->moves, PLACES / group->size) * group->size;
  return er_move_group(s->moves, g, y * COLUMNS + x, place, false);
}

bool er_attempt_site(er_annealing *s) {
  const er_placement *p = s->p;
  int cells = p->kind[0].cells + p->kind[1].cells;
  if (!cells) return false;
  int k = er_pick(s->moves, cells);
  const er_sites *kind = &p->kind[k >= p->kind[0].cells];
  int a = kind->cell[k < p->kind[0].cells ? k : k - p->kind[0].cells], b = -1;
  for (int n = 0; n < SEARCHED; n++) {
    er_spot to = kind->site[er_pick(s->moves, kind->sites)];
    int way = abs(to.x - p->spot[a].x) + abs(to.y - p->spot[a].y);
    if (!way || way > SITE_REACH + 3 * s->reach) continue;
    for (int i = 0; i < kind->cells; i++) {
      er_spot at = p->spot[kind->cell[i]];
      if (at.x == to.x && at.y == to.y) b = kind->cell[i];
    }
    return er_move_site(s->moves, a, b, to);
  }
  return false;
}

static bool on_long_path(const er_placement *p, const er_use *use) {
  const er_net *n = &p->net[use->net];
  if (use->pin != n->first_pin) return p->criticality[use->pin] > LONG;
  for (int pin = n->first_pin + 1; pin < n->first_pin + n->pins; pin++) {
    if (p->criticality[pin] > LONG) return true;
  }
  return false;
}

static bool is_critical(const er_placement *p, const er_group *g) {
  for (int k = g->first; k < g->first + g->cells; k++) {
    const er_cell *c = &p->cell[p->member[k]];
    for (int u = c->first_use; u < c->first_use + c->uses; u++) {
      if (on_long_path(p, &p->use[u])) return true;
    }
  }
  return false;
}

void er_choose(er_annealing *s) {
  s->chosen = 0;
  for (int g = 0; g < s->p->groups; g++) {
    if (is_critical(s->p, &s->p->group[g])) s->choice[s->chosen++] = g;
  }
}

static void tell(const char *when, const er_placement *p, const er_crowd *crowd,
                 const er_timing *t) {
  printf(
      "%s: %lld tiles of wire, most in one tile %.0f; longest path %.1f ns, of other clocks %.1f\n",
      when, (long long)er_wire_tiles(p), crowd->peak, t->worst[0][0] / 1e3, t->worst[1][1] / 1e3);
  fflush(stdout);
}

void er_anneal(er_placement *p, const er_options *options) {
  er_crowd *crowd = er_refine_memory(1, sizeof *crowd);
  er_timing *timing = er_timing_new(p);
  er_chains *chains = er_chains_new(p);
  er_annealing s = {p, er_moves_new(p, crowd), FAR,
                    er_refine_memory((size_t)p->groups, sizeof *s.choice), 0};
  float between = (float)options->between * 1000;
  float need[CLOCKS][CLOCKS] = {{0, between}, {between, (float)options->other * 1000}};
  int tries = (int)(options->effort * p->groups / PHASES);
  timing->aim = (float)options->aim * 1000;
  crowd->from = (float)options->crowded;
  crowd->trees = options->trees > 0;
  crowd->pin_price = (float)options->pin_price;
  er_moves_count(s.moves); // the boxes, which tell what is crowded
  s.moves->heat = options->heat;
  s.moves->time_price = options->time;
  for (int phase = 0; phase <= PHASES; phase++) {
    int kept = 0, chosen;
    // What has to be short is told more sharply from phase to phase.
    er_timing_weigh(timing, p, BLUNT + (SHARP - BLUNT) * phase / PHASES, need);
    er_wire_crowd(p, crowd);
    if (!phase) tell("before", p, crowd, timing);
    crowd->price = (float)options->crowded_price;
    er_moves_count(s.moves);
    if (phase == PHASES) s.moves->heat = 0;
    er_choose(&s);
    chosen = s.chosen;
    for (int k = 0; k < tries; k++) {
      s.chosen = k % PATHS ? 0 : chosen;
      kept += er_attempt(&s);
      if (k % SITES == 0) er_attempt_site(&s);
      if (k % CHAINS == 0) er_attempt_chain(&s, chains);
    }
    if (phase && phase % TOLD == 0 && phase < PHASES) {
      printf("phase %d of %d: %d of %d moves kept, longest path %.1f ns\n", phase, PHASES, kept,
             tries, timing->worst[0][0] / 1e3);
      fflush(stdout);
    }
    if (options->heat > COLD) s.moves->heat *= pow(COLD / options->heat, 1.0 / PHASES);
    s.reach = 2 + (FAR - 2) * (options->heat > 0 ? pow(s.moves->heat / options->heat, SHRINK) : 0);
  }
  if (options->polish > 0) er_polish(&s, crowd, timing, need, (int)options->polish);
  er_timing_weigh(timing, p, 1, need);
  er_wire_crowd(p, crowd);
  tell("after", p, crowd, timing);
  er_chains_free(chains);
  free(s.choice);
  er_moves_free(s.moves);
  er_timing_free(timing);
  free(crowd);
}
