// From a net's wires to one more of its sinks: the cheapest way (A*). A wire costs its delay, for
// the critical part of a connection as it is, for the rest by how many share it and have shared it.
#include "route.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

er_search *er_search_new(const er_graph *g, const er_look *look) {
  er_search *s = er_refine_memory(1, sizeof *s);
  s->g = g, s->look = look;
  s->history = er_refine_memory(g->wires, sizeof *s->history);
  s->users = er_refine_memory(g->wires, sizeof *s->users);
  s->step = er_refine_memory(g->wires, sizeof *s->step);
  s->first = er_refine_memory(TILES, sizeof *s->first);
  memset(s->first, 0xff, TILES * sizeof *s->first);
  s->heap_room = 1 << 12;
  s->heap = er_refine_memory((size_t)s->heap_room, sizeof *s->heap);
  for (uint32_t w = 0; w < g->wires; w++)
    s->history[w] = 1;
  return s;
}

void er_search_free(er_search *s) {
  free(s->history), free(s->users), free(s->step), free(s->first), free(s->heap), free(s);
}

static void push(er_search *s, float cost, uint32_t wire) {
  if (s->heap_size == s->heap_room) {
    s->heap_room *= 2;
    s->heap = er_refine_more(s->heap, (size_t)s->heap_room, sizeof *s->heap);
  }
  int at = s->heap_size++;
  for (; at > 0 && s->heap[(at - 1) / 4].cost > cost; at = (at - 1) / 4)
    s->heap[at] = s->heap[(at - 1) / 4];
  s->heap[at] = (er_ahead){cost, wire};
}

static er_ahead pop(er_search *s) {
  er_ahead top = s->heap[0], last = s->heap[--s->heap_size];
  int at = 0;
  for (;;) {
    int child = 4 * at + 1, least = child;
    if (child >= s->heap_size) break;
    for (int k = child + 1; k < child + 4 && k < s->heap_size; k++) {
      if (s->heap[k].cost < s->heap[least].cost) least = k;
    }
    if (s->heap[least].cost >= last.cost) break;
    s->heap[at] = s->heap[least];
    at = least;
  }
  s->heap[at] = last;
  return top;
}

// What a step's `seen` and `arc` are for the wires of the net itself; `from` is the node then.
enum { OF_NET = 0xffffffffu };

static void lay(er_search *s, er_route_net *net, int i) {
  er_node *n = &net->node[i];
  er_where at = s->g->where[n->wire];
  int *first = &s->first[at.y * COLUMNS + at.x];
  s->step[n->wire] = (er_step){OF_NET, (uint32_t)i, OF_NET, 0, n->delay};
  n->beside = *first;
  *first = i;
}

void er_search_begin(er_search *s, er_route_net *net) {
  if (!net->nodes) {
    if (!net->room) net->node = er_refine_memory(16, sizeof *net->node), net->room = 16;
    net->node[net->nodes++] = (er_node){net->source, -1, 0, 0, 0, -1};
    s->users[net->source]++;
  }
  for (int i = 0; i < net->nodes; i++)
    lay(s, net, i);
}

void er_search_end(er_search *s, er_route_net *net) {
  for (int i = 0; i < net->nodes; i++) {
    er_where at = s->g->where[net->node[i].wire];
    s->step[net->node[i].wire].seen = 0;
    s->first[at.y * COLUMNS + at.x] = -1;
  }
}

// The table knows the ways to slices only, not the last wires before other cells.
static int ahead_of(const er_search *s, uint32_t wire, const er_sink *sink) {
  bool last =
      wire == sink->wire || wire == sink->last[0] || wire == sink->last[1] || wire == sink->last[2];
  return last ? 0 : er_look_ahead(s->look, s->g->where[wire], sink);
}

static void start_at(er_search *s, const er_route_net *net, const er_sink *sink, int i) {
  const er_node *n = &net->node[i];
  int ahead = ahead_of(s, n->wire, sink);
  if (ahead == FAR) ahead = 0; // it leads to no slice's inputs but, as a carry does, to this sink
  float cost = sink->weight * n->delay;
  s->step[n->wire].cost = cost;
  push(s, cost + s->greed * (float)ahead, n->wire);
}

// Of a net with so many wires those in the tiles around the sink, out to the first that has any and
// as far again, are where the way may begin, but for a sink with a weight.
enum { MANY = 300 };
static const float HEAVY = 0.5f;

static void start(er_search *s, const er_route_net *net, const er_sink *sink) {
  if (net->nodes <= MANY || sink->weight > HEAVY) {
    for (int i = 0; i < net->nodes; i++)
      start_at(s, net, sink, i);
    return;
  }
  int last = COLUMNS;
  for (int r = 0; r <= last; r++) {
    for (int y = sink->y - r; y <= sink->y + r; y++) {
      bool whole = y == sink->y - r || y == sink->y + r;
      for (int x = sink->x - r; x <= sink->x + r; x += whole || !r ? 1 : 2 * r) {
        if (x < 0 || y < 0 || x >= COLUMNS || y >= ROWS) continue;
        for (int i = s->first[y * COLUMNS + x]; i >= 0; i = net->node[i].beside) {
          start_at(s, net, sink, i);
          if (last == COLUMNS && s->heap_size) last = 2 * r + 3;
        }
      }
    }
  }
}

static void add_way(er_search *s, er_route_net *net, er_sink *sink) {
  int length = 0;
  for (uint32_t w = sink->wire; s->step[w].arc != OF_NET; w = s->step[w].from)
    length++;
  if (net->nodes + length > net->room) {
    net->room = net->nodes + length + net->room / 2;
    net->node = er_refine_more(net->node, (size_t)net->room, sizeof *net->node);
  }
  uint32_t w = sink->wire;
  int at = net->nodes + length - 1;
  for (; s->step[w].arc != OF_NET; w = s->step[w].from, at--) {
    net->node[at] = (er_node){w, at - 1, s->step[w].arc, s->step[w].delay, 0, -1};
    s->users[w]++;
  }
  int root = (int)s->step[w].from;
  if (length) {
    net->node[net->nodes].parent = root;
    sink->node = net->nodes + length - 1;
  } else {
    sink->node = root;
  }
  int i = net->nodes;
  net->nodes += length;
  for (; i < net->nodes; i++)
    lay(s, net, i);
}

// What a connection pays for a shared wire while critical ones are to get theirs: a critical one no
// more than YIELD times the delay, so that others make way for it, one of no path GIVE times more,
// so that it does not go so far around that it becomes critical. The root makes of a weight about
// the part of the longest path again, of which it is the fourth power (`power` in main.c).
static const float YIELD = 6, GIVE = 100;

static bool search(er_search *s, er_route_net *net, er_sink *sink, int margin) {
  const er_graph *g = s->g;
  int x0 = net->x0 - margin, x1 = net->x1 + margin, y0 = net->y0 - margin, y1 = net->y1 + margin;
  if (++s->seen == OF_NET) s->seen = 1;
  s->heap_size = 0;
  start(s, net, sink);
  float rest = 1 - sink->weight, sharing = s->sharing;
  if (s->yield) sharing = fminf(sharing, YIELD + GIVE * (1 - sqrtf(sqrtf(sink->weight))));
  while (s->heap_size) {
    er_ahead top = pop(s);
    uint32_t at = top.wire;
    if (at == sink->wire) {
      add_way(s, net, sink);
      return true;
    }
    er_step here = s->step[at];
    if (here.cost < 0) continue; // expanded before
    s->step[at].cost = -1 - here.cost;
    s->steps++;
    for (uint32_t a = g->first_arc[at]; a < g->first_arc[at + 1]; a++) {
      uint32_t to = g->arc[a].to;
      er_where where = g->where[to];
      if (to != sink->wire) {
        if (g->first_arc[to] == g->first_arc[to + 1]) continue;
        if (where.x < x0 || where.x > x1 || where.y < y0 || where.y > y1) continue;
      }
      er_step *next = &s->step[to];
      bool seen = next->seen == s->seen;
      if (next->seen == OF_NET || (seen && next->cost < 0)) continue;
      float delay = (float)er_arc_delay(g, &g->arc[a], 1);
      float price = (delay + ARC_PRICE) * s->history[to] * (1 + sharing * (float)s->users[to]);
      float cost = here.cost + sink->weight * delay + rest * price;
      if (seen && next->cost <= cost) continue;
      int ahead = ahead_of(s, to, sink);
      if (ahead == FAR) continue;
      *next = (er_step){s->seen, at, a, cost, here.delay + delay};
      push(s, cost + s->greed * (float)ahead, to);
    }
  }
  return false;
}

// Tiles around a net in which its ways are looked for; more after so many times that it was routed.
enum { MARGIN = 4, PATIENT = 8 };

bool er_search_sink(er_search *s, er_route_net *net, er_sink *sink) {
  // A net that has not found wires of its own may go farther around each time.
  int first = MARGIN + 2 * (net->times > PATIENT ? net->times - PATIENT : 0);
  const int margins[] = {first < COLUMNS ? first : COLUMNS, 12, 40, COLUMNS};
  for (size_t i = 0; i < sizeof margins / sizeof *margins; i++) {
    if (i && margins[i] <= margins[0]) continue;
    if (search(s, net, sink, margins[i])) return true;
    s->wide++;
  }
  return false;
}

void er_search_remove(er_search *s, er_route_net *net) {
  for (int i = 0; i < net->nodes; i++)
    s->users[net->node[i].wire]--;
  net->nodes = 0;
}
