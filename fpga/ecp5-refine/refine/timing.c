// Static timing: the longest path through each connection, from each clock to each clock.
#include "refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float NEVER = -1e9f;

// Fitted to what the router makes of critical connections, speed grade 6: 0.45 ns in a tile, then
// 0.6 ns and 0.1 ns a tile, farther than 10 tiles 0.06 ns.
int er_wire_delay(er_spot from, er_spot to) {
  int tiles = abs(from.x - to.x) + abs(from.y - to.y);
  return !tiles ? 450 : tiles <= 10 ? 600 + 100 * tiles : 1600 + 60 * (tiles - 10);
}

// A carry takes as long from tile to tile as within one.
static bool is_carry(const er_cell *from, const er_cell *to) {
  return from->group == to->group && from->group >= 0 && (from->flags & to->flags & LUT_CARRY) &&
         from->kind == LUT && to->kind == LUT;
}

static float delay(const er_placement *p, const er_edge *e) {
  if (p->pin_delay) return (float)e->delay + p->pin_delay[e->pin];
  int from = p->pin[p->net[e->net].first_pin];
  er_spot end = is_carry(&p->cell[from], &p->cell[e->cell]) ? p->spot[from] : p->spot[e->cell];
  return (float)(e->delay + er_wire_delay(p->spot[from], end));
}

er_timing *er_timing_new(const er_placement *p) {
  er_timing *t = er_refine_memory(1, sizeof *t);
  int *left = er_refine_memory((size_t)p->nets, sizeof *left), known = 0;
  t->order = er_refine_memory((size_t)p->nets, sizeof *t->order);
  t->first_edge = er_refine_memory((size_t)p->nets + 2, sizeof *t->first_edge);
  t->edges = er_refine_memory((size_t)p->edges, sizeof *t->edges);
  t->arrival = er_refine_memory((size_t)p->nets, sizeof *t->arrival);
  t->tail = er_refine_memory((size_t)p->nets, sizeof *t->tail);
  for (int i = 0; i < p->edges; i++) {
    t->first_edge[p->edge[i].net + 2]++;
    if (p->edge[i].out >= 0) left[p->edge[i].out]++;
  }
  for (int n = 0; n < p->nets; n++)
    t->first_edge[n + 2] += t->first_edge[n + 1];
  for (int i = 0; i < p->edges; i++)
    t->edges[t->first_edge[p->edge[i].net + 1]++] = i;
  for (int n = 0; n < p->nets; n++) {
    if (!left[n]) t->order[known++] = n;
  }
  for (int k = 0; k < known; k++) {
    int n = t->order[k];
    for (int j = t->first_edge[n]; j < t->first_edge[n + 1]; j++) {
      int out = p->edge[t->edges[j]].out;
      if (out >= 0 && --left[out] == 0) t->order[known++] = out;
    }
  }
  // Nets of a loop of gates, of which the designs here have none, come last, in any order.
  for (int n = 0; n < p->nets; n++) {
    if (left[n] > 0) t->order[known++] = n;
  }
  free(left);
  return t;
}

static void larger(float *a, float b) {
  if (b > *a) *a = b;
}

static void arrive(er_timing *t, const er_placement *p) {
  for (int n = 0; n < p->nets; n++) {
    for (int d = 0; d < CLOCKS; d++)
      t->arrival[n][d] = NEVER;
  }
  for (int i = 0; i < p->launches; i++) {
    larger(&t->arrival[p->launch[i].net][p->launch[i].domain], (float)p->launch[i].delay);
  }
  for (int k = 0; k < p->nets; k++) {
    int n = t->order[k];
    for (int j = t->first_edge[n]; j < t->first_edge[n + 1]; j++) {
      const er_edge *e = &p->edge[t->edges[j]];
      if (e->out < 0) continue;
      float more = delay(p, e);
      for (int d = 0; d < CLOCKS; d++)
        larger(&t->arrival[e->out][d], t->arrival[n][d] + more);
    }
  }
}

static void leave(er_timing *t, const er_placement *p) {
  memset(t->worst, 0, sizeof t->worst);
  for (int k = p->nets - 1; k >= 0; k--) {
    int n = t->order[k];
    for (int d = 0; d < CLOCKS; d++)
      t->tail[n][d] = NEVER;
    for (int j = t->first_edge[n]; j < t->first_edge[n + 1]; j++) {
      const er_edge *e = &p->edge[t->edges[j]];
      float more = delay(p, e);
      if (e->out >= 0) {
        for (int d = 0; d < CLOCKS; d++)
          larger(&t->tail[n][d], t->tail[e->out][d] + more);
        continue;
      }
      int end = p->cell[e->cell].domain;
      larger(&t->tail[n][end], more);
      for (int d = 0; d < CLOCKS; d++)
        larger(&t->worst[d][end], t->arrival[n][d] + more);
    }
  }
}

// Criticality of a connection: the longest path over it, as a part of the longest of all between
// the same clocks, or of what these allow where that is given; to a power.
void er_timing_weigh(er_timing *t, er_placement *p, double power,
                     const float need[CLOCKS][CLOCKS]) {
  float limit[CLOCKS][CLOCKS];
  arrive(t, p);
  leave(t, p);
  memcpy(limit, need, sizeof limit);
  // Where the first clock has no bound its longest path counts full, if it is longer than `aim`.
  if (limit[0][0] <= 0) limit[0][0] = t->worst[0][0] > t->aim ? t->worst[0][0] : t->aim;
  for (int n = 0; n < p->nets; n++) {
    for (int k = 0; k < p->net[n].pins; k++)
      p->criticality[p->net[n].first_pin + k] = 0;
    for (int j = t->first_edge[n]; j < t->first_edge[n + 1]; j++) {
      const er_edge *e = &p->edge[t->edges[j]];
      float more = delay(p, e), most = 0;
      for (int a = 0; a < CLOCKS; a++) {
        for (int b = 0; b < CLOCKS; b++) {
          float tail = e->out >= 0 ? t->tail[e->out][b] : p->cell[e->cell].domain == b ? 0 : NEVER;
          larger(&most, (t->arrival[n][a] + more + tail) / limit[a][b]);
        }
      }
      larger(&p->criticality[e->pin], (float)pow(most < 1 ? most : 1, power));
    }
  }
}

void er_timing_free(er_timing *t) {
  free(t->order), free(t->first_edge), free(t->edges), free(t->arrival), free(t->tail), free(t);
}
