// What is to be routed (routed.py writes it), as numbers and names between blanks:
//   number of slices with a rule; for each: x y slice rule
//   number of nets; for each: net of the placement (-1: none), number of sinks, x y wire of its
//     source; for each sink: cell of the placement, x y wire
// What comes back: for each net a line, `wire;pip;strength` of each of its wires as nextpnr names
// them, between `;`; an empty one for a net that is left to nextpnr.
#include "route.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t wire(const er_source *s, const er_graph *g) {
  char name[64];
  int x = er_source_number(s, 0, COLUMNS, "no column"), y = er_source_number(s, 0, ROWS, "no row");
  if (fscanf(s->file, "%63s", name) != 1) er_source_bad(s, "a wire is missing");
  return er_graph_find(g, x, y, name);
}

// The last wires before a sink as long as there is one way, and the tile by which it is reached; the
// first of them.
static uint32_t entry(const er_graph *g, er_sink *sink) {
  uint32_t at = sink->wire;
  sink->last[0] = sink->last[1] = sink->last[2] = NONE;
  for (int i = 0; i < 3; i++) {
    uint32_t from = NONE;
    const er_chip_wire *w = er_graph_wire(g, at);
    for (int k = 0; k < w->uphill.count; k++) {
      const er_chip_pip_of *of = (const er_chip_pip_of *)er_chip_at(g->chip, &w->uphill) + k;
      int tile = g->tile[at];
      const er_chip_pip *pip = er_chip_pip_at(g->chip, of, &tile);
      tile += pip->source.y * g->chip->width + pip->source.x;
      // Beside a fixed connection others are cascades of multipliers, which no net takes.
      int number = pip->source_wire;
      if (w->uphill.count == 1 || (pip->kind && !pip->permutation))
        from = g->first_of_tile[tile] + (uint32_t)number;
    }
    if (from == NONE) break;
    at = sink->last[i] = from;
  }
  sink->x = g->where[at].x, sink->y = g->where[at].y;
  return at;
}

// Numbers names as they come.
typedef struct {
  char name[512][24];
} words;

static int kind_of(er_routes *r, words *known, const char *name) {
  for (int i = 0; i < r->kinds; i++) {
    if (!strcmp(known->name[i], name)) return i;
  }
  if (r->kinds == 512) return 0;
  snprintf(known->name[r->kinds], sizeof known->name[0], "%s", name);
  return r->kinds++;
}

static int pin_of(const er_placement *p, int net, int cell) {
  if (net < 0) return -1;
  const er_cell *c = &p->cell[cell];
  for (int u = c->first_use; u < c->first_use + c->uses; u++) {
    if (p->use[u].net == net) return p->use[u].pin;
  }
  return -1;
}

static void widen(er_route_net *n, int x, int y) {
  if (x < n->x0) n->x0 = x;
  if (x > n->x1) n->x1 = x;
  if (y < n->y0) n->y0 = y;
  if (y > n->y1) n->y1 = y;
}

static void read_net(er_routes *r, const er_source *s, const er_placement *p, const er_graph *g,
                     words *known, int i, int *room) {
  er_route_net *n = &r->net[i];
  int timed = er_source_number(s, -1, p->nets - 1, "no net");
  n->sinks = er_source_number(s, 1, 1 << 20, "no number of sinks");
  n->first_sink = r->sinks;
  n->source = wire(s, g);
  n->left = n->source == NONE;
  if (!n->left) {
    n->x0 = n->x1 = g->where[n->source].x;
    n->y0 = n->y1 = g->where[n->source].y;
  }
  while (r->sinks + n->sinks > *room) {
    *room *= 2;
    r->sink = er_refine_more(r->sink, (size_t)*room, sizeof *r->sink);
  }
  for (int k = n->sinks; k > 0; k--) {
    er_sink *sink = &r->sink[r->sinks];
    int cell = er_source_number(s, 0, p->cells - 1, "no cell");
    *sink = (er_sink){.wire = wire(s, g), .pin = pin_of(p, timed, cell), .node = -1};
    if (n->left || sink->wire == NONE) {
      n->sinks--, r->left++;
      continue;
    }
    uint32_t by = entry(g, sink);
    sink->kind = kind_of(r, known, er_graph_name(g, by));
    widen(n, sink->x, sink->y);
    r->sinks++;
  }
}

er_routes *er_routes_read(const char *path, const er_placement *p, const er_chip *chip,
                          er_graph **graph) {
  er_routes *r = er_refine_memory(1, sizeof *r);
  er_source s = er_source_open(path);
  int room = 1 << 16, tiles = chip->width * chip->height;
  uint8_t *permute = er_refine_memory((size_t)tiles * 4, sizeof *permute);
  for (int n = er_source_number(&s, 0, tiles * 4, "no number of slices"); n > 0; n--) {
    int x = er_source_number(&s, 0, chip->width - 1, "no column");
    int y = er_source_number(&s, 0, chip->height - 1, "no row");
    int slice = er_source_number(&s, 0, 3, "no slice");
    permute[(y * chip->width + x) * 4 + slice] =
        (uint8_t)er_source_number(&s, PERMUTE_ALL, PERMUTE_NONE, "no rule");
  }
  *graph = er_graph_new(chip, permute);
  free(permute);
  words *known = er_refine_memory(1, sizeof *known);
  r->nets = er_source_number(&s, 0, 1 << 24, "no number of nets");
  r->net = er_refine_memory((size_t)r->nets, sizeof *r->net);
  r->sink = er_refine_memory((size_t)room, sizeof *r->sink);
  for (int i = 0; i < r->nets; i++)
    read_net(r, &s, p, *graph, known, i, &room);
  free(known);
  fclose(s.file);
  return r;
}

void er_print_wire(FILE *f, const er_graph *g, uint32_t wire) {
  fprintf(f, "X%d/Y%d/%s", g->where[wire].x, g->where[wire].y, er_graph_name(g, wire));
}

static void print_pip(FILE *f, const er_graph *g, uint32_t from, uint32_t arc) {
  int tile, n;
  const er_chip_pip *pip = er_graph_pip(g, from, &g->arc[arc], &tile);
  int width = g->chip->width;
  const er_chip_wire *a =
      er_chip_wires(g->chip, tile + pip->source.y * width + pip->source.x, &n) + pip->source_wire;
  const er_chip_wire *b =
      er_chip_wires(g->chip, tile + pip->target.y * width + pip->target.x, &n) + pip->target_wire;
  fprintf(f, "X%d/Y%d/%d_%d_%s->%d_%d_%s", tile % width, tile / width, pip->source.x, pip->source.y,
          er_chip_name(g->chip, a), pip->target.x, pip->target.y, er_chip_name(g->chip, b));
}

void er_routes_write(const er_routes *r, const er_graph *g, const char *path) {
  FILE *f = fopen(path, "w");
  if (!f) {
    fprintf(stderr, "route: error: %s cannot be written\n", path);
    exit(1);
  }
  for (int i = 0; i < r->nets; i++) {
    const er_route_net *n = &r->net[i];
    for (int k = 0; k < n->nodes; k++) {
      const er_node *node = &n->node[k];
      if (k) fputc(';', f);
      er_print_wire(f, g, node->wire);
      fputc(';', f);
      if (node->parent >= 0) print_pip(f, g, n->node[node->parent].wire, node->arc);
      fputs(";1", f);
    }
    fputc('\n', f);
  }
  if (ferror(f) | fclose(f)) {
    fprintf(stderr, "route: error: %s cannot be written\n", path);
    exit(1);
  }
}

void er_routes_free(er_routes *r) {
  for (int i = 0; i < r->nets; i++)
    free(r->net[i].node);
  free(r->net), free(r->sink), free(r);
}
