// The tables of distances: the shortest way from each kind of wire to any input of a slice, found
// backwards (Dijkstra) from the inputs of a few slices in the middle of the device; and, within a
// few tiles, to a sink of each kind, from some of these.
#include "route.h"

#include <stdlib.h>
#include <string.h>

enum { SPAN_X = 2 * LOOK_X + 1, SPAN_Y = 2 * LOOK_Y + 1, SPAN_NEAR = 2 * NEAR + 1 };
enum { SAMPLES = 4, SAMPLES_OF_KIND = 3, NEAR_PS = 2000 };

// Arcs by the wire that they lead to.
typedef struct {
  uint32_t *first, *from;
  uint16_t *delay;
} backwards;

static backwards turn(const er_graph *g) {
  uint32_t arcs = g->first_arc[g->wires];
  backwards b = {er_refine_memory((size_t)g->wires + 2, sizeof *b.first),
                 er_refine_memory(arcs, sizeof *b.from), er_refine_memory(arcs, sizeof *b.delay)};
  for (uint32_t a = 0; a < arcs; a++)
    b.first[g->arc[a].to + 2]++;
  for (uint32_t w = 0; w < g->wires; w++)
    b.first[w + 2] += b.first[w + 1];
  for (uint32_t w = 0; w < g->wires; w++) {
    for (uint32_t a = g->first_arc[w]; a < g->first_arc[w + 1]; a++) {
      uint32_t at = b.first[g->arc[a].to + 1]++;
      b.from[at] = w;
      b.delay[at] = (uint16_t)(er_arc_delay(g, &g->arc[a], 1) + ARC_PRICE);
    }
  }
  return b;
}

// Wires by distance, in buckets of STEP ps.
enum { STEP = 16, BUCKETS = 4096 };
typedef struct {
  uint32_t *wire, count, room;
} list;
typedef struct {
  list at[BUCKETS], reached;
  uint16_t *far; // of each wire, FAR: not reached
} wave;

static void append(list *l, uint32_t wire) {
  if (l->count == l->room) {
    l->room = l->room ? 2 * l->room : 64;
    l->wire = er_refine_more(l->wire, l->room, sizeof *l->wire);
  }
  l->wire[l->count++] = wire;
}

static void put(wave *v, uint32_t wire, int way) {
  if (v->far[wire] == FAR) append(&v->reached, wire);
  v->far[wire] = (uint16_t)way;
  append(&v->at[way / STEP], wire);
}

static void spread(wave *v, const backwards *b, int most) {
  for (int d = 0; d < BUCKETS; d++) {
    for (uint32_t i = 0; i < v->at[d].count; i++) {
      uint32_t to = v->at[d].wire[i];
      if (v->far[to] / STEP != d) continue;
      for (uint32_t k = b->first[to]; k < b->first[to + 1]; k++) {
        int way = v->far[to] + b->delay[k];
        if (way < v->far[b->from[k]] && way < most) put(v, b->from[k], way);
      }
    }
    v->at[d].count = 0;
  }
}

static void forget(wave *v) {
  for (uint32_t i = 0; i < v->reached.count; i++)
    v->far[v->reached.wire[i]] = FAR;
  v->reached.count = 0;
}

static void sample(er_look *look, const er_graph *g, const backwards *b, int x, int y, wave *v) {
  static const char *const kinds[] = {"A", "B", "C", "D", "M", "CE", "LSR"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    for (int i = 0; i < 8; i++) {
      char name[24];
      snprintf(name, sizeof name, "%s%d_SLICE", kinds[k], i);
      uint32_t wire = er_graph_find(g, x, y, name);
      if (wire != NONE) put(v, wire, 0);
    }
  }
  spread(v, b, STEP * BUCKETS);
  for (uint32_t i = 0; i < v->reached.count; i++) {
    uint32_t w = v->reached.wire[i];
    int dx = x - g->where[w].x, dy = y - g->where[w].y;
    if (abs(dx) > LOOK_X || abs(dy) > LOOK_Y) continue;
    size_t tile = (size_t)(dy + LOOK_Y) * SPAN_X + (size_t)(dx + LOOK_X);
    uint16_t *least = &look->ps[(size_t)g->where[w].row * SPAN_Y * SPAN_X + tile];
    if (v->far[w] < *least) *least = v->far[w];
    if (v->far[w] < look->ps[tile]) look->ps[tile] = v->far[w]; // row 0: of any wire there
  }
  forget(v);
}

// Beyond the table, and beyond what the samples see of a smaller device, long wires go on: ps a tile.
enum { ON = 60 };

static int within(int d, int most) { return d > most ? most : d < -most ? -most : d; }

// Farther than from the middle to the edge.
static void fill_beyond(uint16_t *of, const er_chip *chip) {
  int x = chip->width / 2 - 8, y = chip->height / 2 - 9;
  for (int dy = -LOOK_Y; dy <= LOOK_Y; dy++) {
    for (int dx = -LOOK_X; dx <= LOOK_X; dx++) {
      uint16_t *at = &of[(dy + LOOK_Y) * SPAN_X + dx + LOOK_X];
      int nx = within(dx, x), ny = within(dy, y);
      int last = of[(ny + LOOK_Y) * SPAN_X + nx + LOOK_X];
      if (*at == FAR && last != FAR) *at = (uint16_t)(last + ON * (abs(dx - nx) + abs(dy - ny)));
    }
  }
}

// No wire of the kind lay there: as beside it, or as the nearest of any kind.
static void fill(er_look *look, const er_chip *chip) {
  size_t tiles = (size_t)SPAN_Y * SPAN_X, cells = (size_t)look->rows * tiles;
  uint16_t *old = er_refine_memory(cells, sizeof *old);
  for (int round = 0; round < 3; round++) {
    memcpy(old, look->ps, cells * sizeof *old);
    for (int row = 0; row < look->rows; row++) {
      for (int y = 0; y < SPAN_Y; y++) {
        for (int x = 0; x < SPAN_X; x++) {
          size_t at = (size_t)row * tiles + (size_t)y * SPAN_X + (size_t)x;
          for (int k = 0; k < 9 && old[at] == FAR; k++) {
            int nx = x + k % 3 - 1, ny = y + k / 3 - 1;
            if (nx < 0 || ny < 0 || nx >= SPAN_X || ny >= SPAN_Y) continue;
            uint16_t beside = old[(size_t)row * tiles + (size_t)ny * SPAN_X + (size_t)nx];
            if (beside < look->ps[at]) look->ps[at] = beside;
          }
        }
      }
    }
  }
  free(old);
  fill_beyond(look->ps, chip);
  for (int row = 1; row < look->rows; row++) {
    uint16_t *of = look->ps + (size_t)row * tiles;
    bool leads = false;
    for (size_t i = 0; i < tiles; i++)
      leads |= of[i] != FAR;
    for (size_t i = 0; i < tiles && leads; i++) {
      if (of[i] == FAR) of[i] = look->ps[i];
    }
  }
}

// Distances within a few tiles to one sink of a kind.
static void sample_near(er_look *look, const er_graph *g, const backwards *b, const er_sink *sink,
                        wave *v) {
  uint16_t *near = look->near + (size_t)sink->kind * (size_t)look->rows * SPAN_NEAR * SPAN_NEAR;
  uint32_t from = sink->wire;
  for (int i = 0; i < 3 && sink->last[i] != NONE; i++)
    from = sink->last[i];
  put(v, from, 0);
  spread(v, b, NEAR_PS);
  for (int y = sink->y - NEAR; y <= sink->y + NEAR; y++) {
    for (int x = sink->x - NEAR; x <= sink->x + NEAR; x++) {
      if (x < 0 || y < 0 || x >= g->chip->width || y >= g->chip->height) continue;
      int tile = y * g->chip->width + x;
      size_t at = (size_t)(sink->y - y + NEAR) * SPAN_NEAR + (size_t)(sink->x - x + NEAR);
      for (uint32_t w = g->first_of_tile[tile]; w < g->first_of_tile[tile + 1]; w++) {
        uint16_t *least = &near[(size_t)g->where[w].row * SPAN_NEAR * SPAN_NEAR + at];
        uint16_t way = v->far[w] == FAR ? NEAR_PS : v->far[w];
        if (way < *least) *least = way;
      }
    }
  }
  forget(v);
}

static void fill_near(er_look *look, const er_graph *g, const er_routes *r, const backwards *b,
                      wave *v) {
  size_t cells = (size_t)r->kinds * (size_t)look->rows * SPAN_NEAR * SPAN_NEAR;
  look->near = er_refine_memory(cells, sizeof *look->near);
  memset(look->near, 0xff, cells * sizeof *look->near);
  int *of_kind = er_refine_memory((size_t)r->kinds, sizeof *of_kind);
  int *seen = er_refine_memory((size_t)r->kinds, sizeof *seen);
  for (int k = 0; k < r->sinks; k++)
    of_kind[r->sink[k].kind]++;
  // Spread over the sinks of the kind.
  for (int k = 0; k < r->sinks; k++) {
    const er_sink *sink = &r->sink[k];
    int step = of_kind[sink->kind] / SAMPLES_OF_KIND;
    if (seen[sink->kind]++ % (step ? step : 1)) continue;
    sample_near(look, g, b, sink, v);
  }
  free(of_kind), free(seen);
}

er_look *er_look_new(const er_graph *g, const er_routes *r) {
  er_look *look = er_refine_memory(1, sizeof *look);
  look->rows = g->rows;
  size_t cells = (size_t)look->rows * SPAN_Y * SPAN_X;
  look->ps = er_refine_memory(cells, sizeof *look->ps);
  memset(look->ps, 0xff, cells * sizeof *look->ps);
  backwards b = turn(g);
  wave *v = er_refine_memory(1, sizeof *v);
  v->far = er_refine_memory(g->wires, sizeof *v->far);
  memset(v->far, 0xff, g->wires * sizeof *v->far);
  for (int i = 0, x = g->chip->width / 2 - 6, y = g->chip->height / 2 - 8; i < SAMPLES; y++) {
    if (y >= g->chip->height) y = 0, x++;
    if (x >= g->chip->width) { // of another family, or damaged
      fprintf(stderr, "route: error: the chip database has no slices to the right of its middle\n");
      exit(1);
    }
    if (er_graph_find(g, x, y, "A0_SLICE") == NONE) continue;
    sample(look, g, &b, x, y, v);
    i++, x += 3, y += 2;
  }
  fill(look, g->chip);
  fill_near(look, g, r, &b, v);
  for (int d = 0; d < BUCKETS; d++)
    free(v->at[d].wire);
  free(v->far), free(v->reached.wire), free(v), free(b.first), free(b.from), free(b.delay);
  return look;
}

void er_look_free(er_look *look) { free(look->ps), free(look->near), free(look); }

int er_look_ahead(const er_look *look, er_where from, const er_sink *sink) {
  int far_x = sink->x - from.x, far_y = sink->y - from.y;
  int dx = within(far_x, LOOK_X), dy = within(far_y, LOOK_Y);
  int more = ON * (abs(far_x - dx) + abs(far_y - dy));
  int ps = look->ps[(from.row * SPAN_Y + dy + LOOK_Y) * SPAN_X + dx + LOOK_X];
  if (ps == FAR) return FAR;
  if (abs(dx) <= NEAR && abs(dy) <= NEAR) {
    size_t row = (size_t)sink->kind * (size_t)look->rows + from.row;
    int near =
        look->near[(row * SPAN_NEAR + (size_t)(dy + NEAR)) * SPAN_NEAR + (size_t)(dx + NEAR)];
    if (near != FAR && near > ps) return near;
  }
  return ps + more;
}
