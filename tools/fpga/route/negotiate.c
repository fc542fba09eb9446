// Pass by pass: nets with a wire that others have too are routed again, at prices that rise
// (PathFinder); the weight of a connection's delay follows the longest paths of the pass before.
#include "route.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WHOLE = 16 }; // sinks of a net that is routed again as a whole, at most
static const float HEAVIEST = 0.98f, DEAREST = 1e6f;

typedef struct {
  wl_routes *r;
  wl_placement *p;
  wl_timing *timing;
  wl_search *s;
  const wl_route_options *o;
  float need[CLOCKS][CLOCKS];
  int *order;
  int pass;
} state;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Delays from the source, each pip's with the number of wires that its own leads to.
static void count_delays(const wl_graph *g, wl_route_net *n) {
  for (int i = 0; i < n->nodes; i++)
    n->node[i].fanout = 0;
  for (int i = 1; i < n->nodes; i++)
    n->node[n->node[i].parent].fanout++;
  for (int i = 1; i < n->nodes; i++) {
    const wl_node *from = &n->node[n->node[i].parent];
    n->node[i].delay = from->delay + (float)wl_arc_delay(g, &g->arc[n->node[i].arc], from->fanout);
  }
}

static void take_weights(state *t, double power) {
  wl_timing_weigh(t->timing, t->p, power, t->need);
  for (int k = 0; k < t->r->sinks; k++) {
    wl_sink *sink = &t->r->sink[k];
    sink->weight = sink->pin < 0 ? 0 : t->p->criticality[sink->pin] * HEAVIEST;
  }
}

static void weigh(state *t, double power) {
  memset(t->p->pin_delay, 0,
         (size_t)(t->p->net[t->p->nets - 1].first_pin + t->p->net[t->p->nets - 1].pins) *
             sizeof *t->p->pin_delay);
  for (int i = 0; i < t->r->nets; i++) {
    wl_route_net *n = &t->r->net[i];
    count_delays(t->s->g, n);
    for (int k = n->first_sink; k < n->first_sink + n->sinks; k++) {
      const wl_sink *sink = &t->r->sink[k];
      if (sink->pin < 0 || sink->node < 0) continue;
      float *delay = &t->p->pin_delay[sink->pin];
      if (n->node[sink->node].delay > *delay) *delay = n->node[sink->node].delay;
    }
  }
  take_weights(t, power);
}

static const wl_sink *sort_sinks;
static int by_weight(const void *a, const void *b) {
  const wl_sink *x = &sort_sinks[*(const int *)a], *y = &sort_sinks[*(const int *)b];
  return x->weight != y->weight ? (x->weight < y->weight) - (x->weight > y->weight)
                                : (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static void route_net(state *t, wl_route_net *n) {
  int some[64], *sinks = n->sinks > 64 ? wl_refine_memory((size_t)n->sinks, sizeof *sinks) : some;
  int count = 0;
  for (int k = n->first_sink; k < n->first_sink + n->sinks; k++) {
    if (t->r->sink[k].node < 0) sinks[count++] = k;
  }
  sort_sinks = t->r->sink;
  qsort(sinks, (size_t)count, sizeof *sinks, by_weight);
  wl_search_begin(t->s, n);
  for (int k = 0; k < count; k++) {
    if (wl_search_sink(t->s, n, &t->r->sink[sinks[k]]) || t->pass > 1) continue;
    fputs("route: left to nextpnr: no way from ", stderr);
    wl_print_wire(stderr, t->s->g, n->source);
    fputs(" to ", stderr);
    wl_print_wire(stderr, t->s->g, t->r->sink[sinks[k]].wire);
    fputc('\n', stderr);
  }
  wl_search_end(t->s, n);
  if (sinks != some) free(sinks);
}

static void remove_net(state *t, wl_route_net *n) {
  wl_search_remove(t->s, n);
  for (int k = n->first_sink; k < n->first_sink + n->sinks; k++)
    t->r->sink[k].node = -1;
}

// Takes away what leads over a shared wire, and what leads to no sink then.
static void prune(state *t, wl_route_net *n) {
  enum { KEEP = 1, SHARED = 2 };
  uint8_t *mark = wl_refine_memory((size_t)n->nodes, sizeof *mark);
  int *moved = wl_refine_memory((size_t)n->nodes, sizeof *moved), kept = 0;
  for (int i = 0; i < n->nodes; i++) {
    if (t->s->users[n->node[i].wire] > 1 ||
        (n->node[i].parent >= 0 && mark[n->node[i].parent] & SHARED))
      mark[i] = SHARED;
  }
  for (int k = n->first_sink; k < n->first_sink + n->sinks; k++) {
    wl_sink *sink = &t->r->sink[k];
    if (sink->node >= 0 && mark[sink->node] & SHARED) sink->node = -1;
    for (int at = sink->node; at >= 0 && !(mark[at] & KEEP); at = n->node[at].parent)
      mark[at] |= KEEP;
  }
  mark[0] |= KEEP;
  for (int i = 0; i < n->nodes; i++) {
    if (!(mark[i] & KEEP)) {
      t->s->users[n->node[i].wire]--;
      continue;
    }
    moved[i] = kept;
    wl_node node = n->node[i];
    if (node.parent >= 0) node.parent = moved[node.parent];
    n->node[kept++] = node;
  }
  n->nodes = kept;
  for (int k = n->first_sink; k < n->first_sink + n->sinks; k++) {
    if (t->r->sink[k].node >= 0) t->r->sink[k].node = moved[t->r->sink[k].node];
  }
  free(mark), free(moved);
}

static bool shares(const state *t, const wl_route_net *n) {
  for (int i = 0; i < n->nodes; i++) {
    if (t->s->users[n->node[i].wire] > 1) return true;
  }
  return false;
}

// Wires with more than one user; they become dearer.
static int shared(state *t) {
  int count = 0;
  for (uint32_t w = 0; w < t->s->g->wires; w++) {
    if (t->s->users[w] < 2) continue;
    t->s->history[w] += (float)t->o->past * (float)(t->s->users[w] - 1);
    count++;
  }
  return count;
}

static int64_t wires(const wl_routes *r) {
  int64_t sum = 0;
  for (int i = 0; i < r->nets; i++)
    sum += r->net[i].nodes;
  return sum;
}

static const wl_route_net *sort_nets;
static int by_sinks(const void *a, const void *b) {
  const wl_route_net *x = &sort_nets[*(const int *)a], *y = &sort_nets[*(const int *)b];
  return x->sinks != y->sinks ? y->sinks - x->sinks : *(const int *)a - *(const int *)b;
}

static void say(state *t, const char *what, int pass, int nets, int shared, double begun) {
  printf("%s %d: %d nets, %d wires used twice, %.1f ns, other clock %.1f, between %.1f, %lld wires, "
         "%.1f million steps, %lld wide, %.0f s\n",
         what, pass, nets, shared, (double)t->timing->worst[0][0] / 1000,
         (double)t->timing->worst[1][1] / 1000,
         (double)fmaxf(t->timing->worst[0][1], t->timing->worst[1][0]) / 1000,
         (long long)wires(t->r), (double)t->s->steps * 1e-6, (long long)t->s->wide,
         seconds() - begun);
  t->s->steps = t->s->wide = 0;
  fflush(stdout);
}

static bool uses(const wl_route_net *n, uint32_t wire) {
  for (int i = 0; i < n->nodes; i++) {
    if (n->node[i].wire == wire) return true;
  }
  return false;
}

// Of a few wires that stay shared: where they are, and whose.
static void tell(const state *t) {
  enum { FEW = 4 };
  const wl_graph *g = t->s->g;
  int told = 0;
  for (uint32_t w = 0; w < g->wires && told < FEW; w++) {
    if (t->s->users[w] < 2) continue;
    wl_print_wire(stdout, g, w);
    fputs(" is used by nets from", stdout);
    for (int i = 0; i < t->r->nets; i++) {
      if (!uses(&t->r->net[i], w)) continue;
      putchar(' ');
      wl_print_wire(stdout, g, t->r->net[i].source);
    }
    putchar('\n');
    told++;
  }
}

bool wl_negotiate(wl_routes *r, wl_placement *p, const wl_graph *g, const wl_look *look,
                  const wl_route_options *options) {
  state t = {.r = r, .p = p, .o = options, .s = wl_search_new(g, look)};
  float other = (float)options->other * 1000, between = (float)options->between * 1000;
  t.need[0][1] = t.need[1][0] = between, t.need[1][1] = other;
  double begun = seconds(), said = begun;
  const wl_net *last = &p->net[p->nets - 1];
  t.timing = wl_timing_new(p);
  take_weights(&t, options->power); // by distance
  p->pin_delay = wl_refine_memory((size_t)(last->first_pin + last->pins), sizeof *p->pin_delay);
  t.order = wl_refine_memory((size_t)r->nets, sizeof *t.order);
  for (int i = 0; i < r->nets; i++)
    t.order[i] = i;
  sort_nets = r->net;
  qsort(t.order, (size_t)r->nets, sizeof *t.order, by_sinks);
  t.s->sharing = (float)options->sharing;
  t.s->greed = (float)options->greed;
  int left = 1;
  for (int pass = 1; pass <= options->passes && left; pass++) {
    int nets = 0;
    t.pass = pass;
    for (int k = 0; k < r->nets; k++) {
      wl_route_net *n = &r->net[t.order[k]];
      if (n->left || (pass > 1 && !shares(&t, n))) continue;
      if (pass > 1 && n->sinks > WHOLE)
        prune(&t, n);
      else
        remove_net(&t, n);
      route_net(&t, n);
      nets++;
      if (seconds() - said > 8) {
        said = seconds();
        printf("pass %d: %d of %d nets\n", pass, k, r->nets);
        fflush(stdout);
      }
    }
    weigh(&t, options->power);
    left = shared(&t);
    say(&t, "pass", pass, nets, left, begun);
    t.s->sharing = fminf(t.s->sharing * (float)options->growth, DEAREST);
  }
  if (left) {
    tell(&t);
    printf("%d wires are used twice after %d passes\n", left, options->passes);
  }
  bool done = !left;
  wl_search_free(t.s), wl_timing_free(t.timing), free(t.order);
  free(p->pin_delay), p->pin_delay = NULL;
  return done;
}
