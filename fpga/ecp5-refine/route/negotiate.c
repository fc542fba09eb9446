// Pass by pass: nets with a wire that others have too are routed again, at prices that rise
// (PathFinder), and nets of paths that are too long (weigh.c), for which others make way. When no
// wire has two users the paths are to become shorter still, bit by bit, as long as they do.
#include "negotiate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WHOLE = 16 }; // sinks of a net that is routed again as a whole, at most
enum { EARLY = 15 }; // passes that tell what paths can come to
// Passes in which critical connections get their way, if more than FEW wires are shared then; in
// any case (both with prices of USUAL_GROWTH; more with slower ones); wires among which nets go
// round, if there are no fewer for ROUND passes; what paths are to come to is eased after each
// EASED passes without progress.
enum { PUSHED = 40, PUSHED_AT_MOST = 120, FEW = 200, ROUND = 8, EASED = 2 };
// A connection is tried again if it takes so many times what it took at best, and so many ps more.
static const float WORSE = 1.02f, SOME_PS = 30;
static const float AGAIN = 20, DEAREST = 1e6f; // price of sharing after that, and the highest

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const er_sink *sort_sinks;
static int by_weight(const void *a, const void *b) {
  const er_sink *x = &sort_sinks[*(const int *)a], *y = &sort_sinks[*(const int *)b];
  return x->weight != y->weight
             ? (x->weight < y->weight) - (x->weight > y->weight)
             : (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static void route_net(er_negotiation *t, er_route_net *n) {
  int some[64], *sinks = n->sinks > 64 ? er_refine_memory((size_t)n->sinks, sizeof *sinks) : some;
  int count = 0;
  for (int k = n->first_sink; k < n->first_sink + n->sinks; k++) {
    if (t->r->sink[k].node < 0) sinks[count++] = k;
  }
  sort_sinks = t->r->sink;
  qsort(sinks, (size_t)count, sizeof *sinks, by_weight);
  n->times++;
  er_search_begin(t->s, n);
  for (int k = 0; k < count; k++) {
    if (er_search_sink(t->s, n, &t->r->sink[sinks[k]]) || t->pass > 1) continue;
    fputs("route: left to nextpnr: no way from ", stderr);
    er_print_wire(stderr, t->s->g, n->source);
    fputs(" to ", stderr);
    er_print_wire(stderr, t->s->g, t->r->sink[sinks[k]].wire);
    fputc('\n', stderr);
  }
  er_search_end(t->s, n);
  if (sinks != some) free(sinks);
}

static void remove_net(er_negotiation *t, er_route_net *n) {
  er_search_remove(t->s, n);
  for (int k = n->first_sink; k < n->first_sink + n->sinks; k++)
    t->r->sink[k].node = -1;
}

// On a path that is too long, and it has been shorter.
static bool is_late(const er_negotiation *t, const er_route_net *n, const er_sink *sink) {
  return sink->weight >= t->late &&
         (sink->node < 0 || n->node[sink->node].delay > WORSE * sink->least + SOME_PS);
}

static bool has_late(const er_negotiation *t, int i) {
  const er_route_net *n = &t->r->net[i];
  if (t->weight[i] < t->late) return false;
  for (int k = n->first_sink; k < n->first_sink + n->sinks; k++) {
    if (is_late(t, n, &t->r->sink[k])) return true;
  }
  return false;
}

// Takes away what leads over a shared wire, what is on a path that is too long, and what leads to
// no sink then.
static void prune(er_negotiation *t, er_route_net *n) {
  enum { KEEP = 1, SHARED = 2 };
  uint8_t *mark = er_refine_memory((size_t)n->nodes, sizeof *mark);
  int *moved = er_refine_memory((size_t)n->nodes, sizeof *moved), kept = 0;
  for (int i = 0; i < n->nodes; i++) {
    if (t->s->users[n->node[i].wire] > 1 ||
        (n->node[i].parent >= 0 && mark[n->node[i].parent] & SHARED))
      mark[i] = SHARED;
  }
  for (int k = n->first_sink; k < n->first_sink + n->sinks; k++) {
    er_sink *sink = &t->r->sink[k];
    if (sink->node >= 0 && (mark[sink->node] & SHARED || is_late(t, n, sink))) sink->node = -1;
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
    er_node node = n->node[i];
    if (node.parent >= 0) node.parent = moved[node.parent];
    n->node[kept++] = node;
  }
  n->nodes = kept;
  for (int k = n->first_sink; k < n->first_sink + n->sinks; k++) {
    if (t->r->sink[k].node >= 0) t->r->sink[k].node = moved[t->r->sink[k].node];
  }
  free(mark), free(moved);
}

static bool shares(const er_negotiation *t, const er_route_net *n) {
  for (int i = 0; i < n->nodes; i++) {
    if (t->s->users[n->node[i].wire] > 1) return true;
  }
  return false;
}

// Wires with more than one user; they become dearer.
static int shared(er_negotiation *t) {
  int count = 0;
  for (uint32_t w = 0; w < t->s->g->wires; w++) {
    if (t->s->users[w] < 2) continue;
    t->s->history[w] += (float)t->o->past * (float)(t->s->users[w] - 1);
    count++;
  }
  return count;
}

// A few wires among which nets go round become dear fast, so that these find others.
static void raise(er_negotiation *t) {
  for (uint32_t w = 0; w < t->s->g->wires; w++) {
    if (t->s->users[w] > 1) t->s->history[w] *= 1.5f;
  }
}

static int64_t wires(const er_routes *r) {
  int64_t sum = 0;
  for (int i = 0; i < r->nets; i++)
    sum += r->net[i].nodes;
  return sum;
}

static void say(const er_negotiation *t, const char *what, int shared) {
  printf("pass %d: %s, %d wires used twice, %.1f ns, other clock %.1f, between %.1f, %lld wires, "
         "%.1f million steps, %lld wide, %.0f s\n",
         t->pass, what, shared, (double)t->timing->worst[0][0] / 1000,
         (double)t->timing->worst[1][1] / 1000,
         (double)fmaxf(t->timing->worst[0][1], t->timing->worst[1][0]) / 1000,
         (long long)wires(t->r), (double)t->s->steps * 1e-6, (long long)t->s->wide,
         seconds() - t->begun);
  fflush(stdout);
}

static bool uses(const er_route_net *n, uint32_t wire) {
  for (int i = 0; i < n->nodes; i++) {
    if (n->node[i].wire == wire) return true;
  }
  return false;
}

// Of a few wires that stay shared: where they are, and whose.
static void tell(const er_negotiation *t) {
  enum { TOLD = 4 };
  const er_graph *g = t->s->g;
  int told = 0;
  for (uint32_t w = 0; w < g->wires && told < TOLD; w++) {
    if (t->s->users[w] < 2) continue;
    er_print_wire(stdout, g, w);
    fputs(" is used by nets from", stdout);
    for (int i = 0; i < t->r->nets; i++) {
      if (!uses(&t->r->net[i], w)) continue;
      putchar(' ');
      er_print_wire(stdout, g, t->r->net[i].source);
    }
    putchar('\n');
    told++;
  }
}

// Routes again what has to be; the number of wires with two users that is left.
static int pass(er_negotiation *t) {
  int nets = 0, first = t->pass++ == 0;
  for (int k = 0; k < t->r->nets; k++) {
    int i = t->order[k];
    er_route_net *n = &t->r->net[i];
    if (n->left || !(first || has_late(t, i) || shares(t, n))) continue;
    if (!first && n->sinks > WHOLE)
      prune(t, n);
    else
      remove_net(t, n);
    route_net(t, n);
    nets++;
    if (seconds() - t->said > 8) {
      t->said = seconds();
      printf("pass %d: %d of %d nets\n", t->pass, k, t->r->nets);
      fflush(stdout);
    }
  }
  t->early = t->pass < EARLY;
  er_weigh(t);
  int left = shared(t);
  char what[32];
  snprintf(what, sizeof what, "%d nets", nets);
  say(t, what, left);
  t->steps += t->s->steps;
  t->s->steps = t->s->wide = 0;
  t->s->sharing = fminf(t->s->sharing * (float)t->o->growth, DEAREST);
  return left;
}

// The best that came.
typedef struct {
  er_route_net *net;
  int *node;   // of each sink
  double cost; // ps
  int pass;
} kept;

static void keep(const er_negotiation *t, kept *best) {
  enum { OTHERS = 10 };
  double cost = t->timing->worst[0][0] + OTHERS * er_over(t);
  if (best->pass && cost >= best->cost) return;
  best->cost = cost, best->pass = t->pass;
  for (int i = 0; i < t->r->nets; i++) {
    const er_route_net *n = &t->r->net[i];
    er_route_net *to = &best->net[i];
    if (n->nodes > to->room) {
      to->room = n->nodes;
      to->node = er_refine_more(to->node, (size_t)to->room, sizeof *to->node);
    }
    to->nodes = n->nodes;
    if (n->nodes) memcpy(to->node, n->node, (size_t)n->nodes * sizeof *n->node);
  }
  for (int k = 0; k < t->r->sinks; k++)
    best->node[k] = t->r->sink[k].node;
}

static void take(er_negotiation *t, kept *best) {
  for (int i = 0; i < t->r->nets; i++) {
    free(t->r->net[i].node);
    t->r->net[i].node = best->net[i].node;
    t->r->net[i].nodes = best->net[i].nodes;
  }
  for (int k = 0; k < t->r->sinks; k++)
    t->r->sink[k].node = best->node[k];
  t->pass = best->pass;
  er_weigh(t);
}

// The pass in which prices have come to what they usually are after so many.
static int as_of(const er_negotiation *t, int passes) {
  double growth = fmin(t->o->growth, USUAL_GROWTH);
  if (growth <= 1) return t->o->passes;
  return (int)fmin(passes * log(USUAL_GROWTH) / log(growth), t->o->passes);
}

// True when no wire had two users after some pass; `best` is the best of such passes. Those after
// the first of them take no more steps than those before.
static bool negotiate(er_negotiation *t, kept *best) {
  int left = 1, least = 0, since = 0;
  int pushed = as_of(t, PUSHED), at_most = as_of(t, PUSHED_AT_MOST);
  int64_t most = 0;
  while (best->pass ? t->pass < best->pass + t->o->more && t->steps < most
                    : t->pass < t->o->passes) {
    if (!best->pass && t->s->yield && (t->pass == at_most || (t->pass == pushed && left > FEW))) {
      t->s->yield = false;
      t->s->sharing = AGAIN;
    }
    if (!t->s->yield) t->late = NOT_LATE;
    left = pass(t);
    since = t->pass > 1 && left >= least ? since + 1 : 0;
    if (!since) least = left;
    if (t->s->yield && !best->pass && t->pass >= EARLY && since && since % EASED == 0)
      er_aim_higher(t);
    if (left <= FEW && (since >= ROUND || t->pass >= pushed)) raise(t);
    if (left) continue;
    if (!best->pass) most = 2 * t->steps;
    keep(t, best);
    if (!t->s->yield) break; // crowded: nothing makes way
    er_aim_lower(t);
  }
  if (best->pass) return true;
  tell(t);
  printf("%d wires are used twice after %d passes\n", left, t->pass);
  return false;
}

bool er_negotiate(er_routes *r, er_placement *p, const er_graph *g, const er_look *look,
                  const er_route_options *options) {
  er_negotiation t = {.r = r, .p = p, .o = options, .s = er_search_new(g, look)};
  kept best = {.net = er_refine_memory((size_t)r->nets, sizeof *best.net),
               .node = er_refine_memory((size_t)r->sinks, sizeof *best.node)};
  t.need[0][1] = t.need[1][0] = (float)options->between * 1000;
  t.need[1][1] = (float)options->other * 1000;
  t.s->sharing = (float)options->sharing;
  t.s->greed = (float)options->greed;
  t.s->yield = true;
  t.begun = t.said = seconds();
  er_weigh_start(&t);
  bool done = negotiate(&t, &best);
  if (done) {
    take(&t, &best);
    say(&t, "kept", 0);
  }
  er_weigh_end(&t);
  er_search_free(t.s), free(best.net), free(best.node);
  return done;
}
