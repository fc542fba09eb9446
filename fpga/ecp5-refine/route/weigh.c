// What connections and nets weigh, and what paths are to come to: not the longest path itself,
// since one that is led far around would make all others look short.
#include "negotiate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// HEAVIEST: weight of a connection on a path that is too long. SLIGHT: weights that do not matter
// for the order of nets. SHORTER, LONGER: of one aim to the next. ROOM: what the first aim leaves over the
// shortest longest path that the early passes, which may share wires, come to. NEARLY: from what
// part of an aim on it is missed.
static const float HEAVIEST = 0.98f, SLIGHT = 0.3f, SHORTER = 0.99f, LONGER = 1.01f, ROOM = 1.02f,
                   NEARLY = 1.005f;

// Delays from the source, each pip's with the number of wires that its own leads to.
static void count_delays(const er_graph *g, er_route_net *n) {
  for (int i = 0; i < n->nodes; i++)
    n->node[i].fanout = 0;
  for (int i = 1; i < n->nodes; i++)
    n->node[n->node[i].parent].fanout++;
  for (int i = 1; i < n->nodes; i++) {
    const er_node *from = &n->node[n->node[i].parent];
    n->node[i].delay = from->delay + (float)er_arc_delay(g, &g->arc[n->node[i].arc], from->fanout);
  }
}

static void take_weights(er_negotiation *t) {
  er_timing_weigh(t->timing, t->p, t->o->power, t->need);
  float worst = fmaxf(t->timing->worst[0][0] * ROOM, (float)t->o->aim * 1000);
  if (t->early && t->pass > 1 && (t->need[0][0] <= 0 || worst < t->need[0][0])) {
    t->need[0][0] = worst;
    er_timing_weigh(t->timing, t->p, t->o->power, t->need);
  }
  for (int k = 0; k < t->r->sinks; k++) {
    er_sink *sink = &t->r->sink[k];
    sink->weight = sink->pin < 0 ? 0 : t->p->criticality[sink->pin] * HEAVIEST;
  }
}

static bool is_long(const er_negotiation *t) {
  for (int a = 0; a < CLOCKS; a++) {
    for (int b = 0; b < CLOCKS; b++) {
      if (t->need[a][b] > 0 && t->timing->worst[a][b] > NEARLY * t->need[a][b]) return true;
    }
  }
  return false;
}

static const er_negotiation *sorting;
static int compare(const void *a, const void *b) {
  int i = *(const int *)a, j = *(const int *)b;
  float x = sorting->weight[i], y = sorting->weight[j];
  const er_route_net *n = sorting->r->net;
  return x != y ? (x > y) - (x < y) : n[i].sinks != n[j].sinks ? n[j].sinks - n[i].sinks : i - j;
}

// Nets of no long path first, those with many sinks before others: of two that share a wire the
// first leaves it.
static void rank(er_negotiation *t) {
  for (int k = 0; k < t->r->nets; k++) {
    const er_route_net *n = &t->r->net[k];
    float most = 0;
    for (int i = n->first_sink; i < n->first_sink + n->sinks; i++)
      most = fmaxf(most, t->r->sink[i].weight);
    t->weight[k] = t->pass && most >= SLIGHT ? most : 0;
  }
  t->late = is_long(t) ? 0.999f * HEAVIEST : NOT_LATE;
  sorting = t;
  qsort(t->order, (size_t)t->r->nets, sizeof *t->order, compare);
}

void er_weigh_start(er_negotiation *t) {
  t->timing = er_timing_new(t->p);
  t->order = er_refine_memory((size_t)t->r->nets, sizeof *t->order);
  t->weight = er_refine_memory((size_t)t->r->nets, sizeof *t->weight);
  for (int i = 0; i < t->r->nets; i++)
    t->order[i] = i;
  take_weights(t);
  t->p->pin_delay = er_refine_memory((size_t)er_pins(t->p), sizeof *t->p->pin_delay);
  rank(t);
}

void er_weigh(er_negotiation *t) {
  memset(t->p->pin_delay, 0, (size_t)er_pins(t->p) * sizeof *t->p->pin_delay);
  for (int i = 0; i < t->r->nets; i++) {
    er_route_net *n = &t->r->net[i];
    count_delays(t->s->g, n);
    for (int k = n->first_sink; k < n->first_sink + n->sinks; k++) {
      er_sink *sink = &t->r->sink[k];
      if (sink->node < 0) continue;
      float delay = n->node[sink->node].delay;
      if (sink->least <= 0 || delay < sink->least) sink->least = delay;
      if (sink->pin >= 0 && delay > t->p->pin_delay[sink->pin]) t->p->pin_delay[sink->pin] = delay;
    }
  }
  take_weights(t);
  rank(t);
}

double er_over(const er_negotiation *t) {
  double most = 0;
  for (int a = 0; a < CLOCKS; a++) {
    for (int b = 0; b < CLOCKS; b++) {
      if (a | b) most = fmax(most, t->timing->worst[a][b] - t->need[a][b]);
    }
  }
  return most;
}

void er_aim_lower(er_negotiation *t) {
  t->early = false;
  if (is_long(t)) return;
  float worst = t->timing->worst[0][0];
  if (t->need[0][0] <= 0 || worst < t->need[0][0]) t->need[0][0] = worst;
  t->need[0][0] *= SHORTER;
  take_weights(t);
  rank(t);
}

void er_aim_higher(er_negotiation *t) {
  t->need[0][0] *= LONGER;
  take_weights(t);
  rank(t);
}

void er_weigh_end(er_negotiation *t) {
  er_timing_free(t->timing), free(t->order), free(t->weight);
  free(t->p->pin_delay), t->p->pin_delay = NULL;
}
