// Exchanges of regions, and whether they are kept.
#include "refine.h"

#include <math.h>
#include <stdlib.h>

enum { RAM_WRITE_PLACE = 4 };
enum { LARGE = 24, DRIVES = 64 }; // pins: boxes told without counting anew; timed from their driver
static const float SLIGHT = 1e-4f; // criticality of connections that are not timed

er_moves *er_moves_new(er_placement *p, const er_crowd *crowd) {
  er_moves *m = er_refine_memory(1, sizeof *m);
  int pins = er_pins(p);
  m->p = p;
  m->crowd = crowd;
  m->dice = 88172645463325252u;
  m->pin_time = er_refine_memory((size_t)pins, sizeof *m->pin_time);
  m->net_seen = er_refine_memory((size_t)p->nets, sizeof *m->net_seen);
  m->cell_seen = er_refine_memory((size_t)p->cells, sizeof *m->cell_seen);
  m->changed = er_refine_memory((size_t)pins, sizeof *m->changed);
  m->moved = er_refine_memory((size_t)p->cells, sizeof *m->moved);
  m->from = er_refine_memory((size_t)p->cells, sizeof *m->from);
  m->touched = er_refine_memory((size_t)p->nets, sizeof *m->touched);
  m->before = er_refine_memory((size_t)p->nets, sizeof *m->before);
  return m;
}

void er_moves_free(er_moves *m) {
  free(m->pin_time), free(m->net_seen), free(m->cell_seen), free(m->moved), free(m->from);
  free(m->touched), free(m->before), free(m->changed), free(m);
}

// xorshift64: the same on every machine.
static uint32_t roll(er_moves *m) {
  m->dice ^= m->dice << 13;
  m->dice ^= m->dice >> 7;
  m->dice ^= m->dice << 17;
  return (uint32_t)(m->dice >> 32);
}

int er_pick(er_moves *m, int below) { return (int)(((uint64_t)roll(m) * (uint64_t)below) >> 32); }

double er_chance(er_moves *m) { return roll(m) / 4294967296.0; }

static float timed(const er_placement *p, const er_net *n, int pin) {
  return p->criticality[pin] *
         (float)er_wire_delay(p->spot[p->pin[n->first_pin]], p->spot[p->pin[pin]]);
}

void er_moves_count(er_moves *m) {
  er_placement *p = m->p;
  m->wire = m->time = 0;
  for (int i = 0; i < p->nets; i++) {
    er_net *n = &p->net[i];
    n->box = er_wire_box(p, n, m->crowd);
    m->wire += n->box.cost;
    for (int k = n->first_pin + 1; k < n->first_pin + n->pins; k++) {
      m->pin_time[k] = timed(p, n, k);
      m->time += m->pin_time[k];
    }
  }
}

static bool inside(const er_box *b, er_spot at) {
  return at.x > b->x0 && at.x < b->x1 && at.y > b->y0 && at.y < b->y1;
}

// What the wire of the moved cells' nets costs more.
static double more_wire(er_moves *m) {
  er_placement *p = m->p;
  double more = 0;
  m->touches = 0;
  for (int k = 0; k < m->moves; k++) {
    const er_cell *c = &p->cell[m->moved[k]];
    for (int u = c->first_use; u < c->first_use + c->uses; u++) {
      int i = p->use[u].net;
      er_net *n = &p->net[i];
      if (m->net_seen[i] == m->seen) continue;
      if (m->moves == 1 && n->pins > LARGE && inside(&n->box, m->from[k]) &&
          inside(&n->box, p->spot[m->moved[k]])) {
        continue;
      }
      m->net_seen[i] = m->seen;
      m->touched[m->touches] = i;
      m->before[m->touches++] = n->box;
      more -= n->box.cost;
      n->box = er_wire_box(p, n, m->crowd);
      more += n->box.cost;
    }
  }
  return more;
}

// Gathers the pins whose connection is another one: of nets that moved cells drive all, of others
// theirs.
static void gather_changed(er_moves *m) {
  const er_placement *p = m->p;
  m->changes = 0;
  for (int k = 0; k < m->moves; k++) {
    const er_cell *c = &p->cell[m->moved[k]];
    for (int u = c->first_use; u < c->first_use + c->uses; u++) {
      er_use use = p->use[u];
      const er_net *n = &p->net[use.net];
      bool by_driver = n->pins <= DRIVES;
      if (use.pin != n->first_pin) {
        if (!by_driver || m->cell_seen[p->pin[n->first_pin]] != m->seen)
          m->changed[m->changes++] = use;
      } else if (by_driver) {
        while (++use.pin < n->first_pin + n->pins)
          m->changed[m->changes++] = use;
      }
    }
  }
}

static double more_pins(const er_moves *m) {
  const er_placement *p = m->p;
  double more = 0;
  for (int k = 0; k < m->moves; k++) {
    er_spot to = p->spot[m->moved[k]], from = m->from[k];
    more += p->cell[m->moved[k]].uses *
            (double)(m->crowd->dense[to.y][to.x] - m->crowd->dense[from.y][from.x]);
  }
  return more;
}

static double more_time(er_moves *m) {
  const er_placement *p = m->p;
  double more = 0;
  gather_changed(m);
  for (int k = 0; k < m->changes; k++) {
    er_use use = m->changed[k];
    if (p->criticality[use.pin] <= SLIGHT) continue;
    more += timed(p, &p->net[use.net], use.pin) - m->pin_time[use.pin];
  }
  return more;
}

// Whether what has been moved stays. If not, the caller puts it back.
static bool kept(er_moves *m) {
  er_placement *p = m->p;
  m->seen++;
  for (int k = 0; k < m->moves; k++)
    m->cell_seen[m->moved[k]] = m->seen;
  double more = more_wire(m) + more_pins(m) + m->time_price * more_time(m);
  m->more = more;
  if (more > m->pardon && (m->heat <= 0 || er_chance(m) >= exp(-more / m->heat))) {
    for (int i = 0; i < m->touches; i++)
      p->net[m->touched[i]].box = m->before[i];
    return false;
  }
  for (int k = 0; k < m->changes; k++) {
    er_use use = m->changed[k];
    m->pin_time[use.pin] = timed(p, &p->net[use.net], use.pin);
  }
  return true;
}

static void note(er_moves *m, int cell) {
  if (cell < 0) return;
  m->from[m->moves] = m->p->spot[cell];
  m->moved[m->moves++] = cell;
}

typedef struct {
  int a, b, place_a, place_b, columns, size, layers;
  bool fill; // places kept empty move like others
} exchange;

static bool stays(const er_placement *p, const exchange *e, int cell) {
  return !e->fill && cell >= 0 && (p->cell[cell].flags & LUT_EMPTY) && p->cell[cell].kind == LUT;
}

// Whether a cell may leave with the region that begins at `tile`; `more`: layers that its group
// needs.
static bool leaves(const er_placement *p, const exchange *e, int tile, int cell, int *more) {
  if (cell < 0 || stays(p, e, cell)) return true;
  const er_cell *c = &p->cell[cell];
  if (c->group < 0) return e->fill && c->kind == LUT && (c->flags & LUT_EMPTY);
  const er_group *g = &p->group[c->group];
  if (g->cells == 1) return true;
  int left = p->spot[cell].x - c->column, column = tile % COLUMNS;
  *more |= g->layers & ~e->layers;
  return g->size <= e->size && left >= column && left + g->columns <= column + e->columns;
}

static bool whole(const er_placement *p, const exchange *e, int tile, int place, int *more) {
  for (int z = tile; z < tile + e->columns; z++) {
    for (int l = place; l < place + e->size; l++) {
      for (int layer = LUT; layer <= FF; layer++) {
        if ((e->layers >> layer & 1) && !leaves(p, e, tile, p->at[z][l][layer], more)) return false;
      }
    }
    // The write port of distributed RAM goes with the whole tile.
    if ((e->layers & LUT_LAYER) && e->size == PLACES && !leaves(p, e, tile, p->ram_write[z], more))
      return false;
  }
  return true;
}

// Into `at`, which stands for place `place` of the tile.
static void put(er_placement *p, int *at, int cell, int tile, int place) {
  *at = cell;
  if (cell < 0) return;
  p->spot[cell] = (er_spot){(int16_t)(tile % COLUMNS), (int16_t)(tile / COLUMNS)};
  p->cell[cell].place = place;
}

static void swap(er_placement *p, const exchange *e) {
  for (int z = 0; z < e->columns; z++) {
    int a = e->a + z, b = e->b + z;
    for (int l = 0; l < e->size; l++) {
      for (int layer = LUT; layer <= FF; layer++) {
        int *at_a = &p->at[a][e->place_a + l][layer], *at_b = &p->at[b][e->place_b + l][layer];
        int i = *at_a, j = *at_b;
        if (!(e->layers >> layer & 1) || stays(p, e, i) || stays(p, e, j)) continue;
        put(p, at_b, i, b, e->place_b + l);
        put(p, at_a, j, a, e->place_a + l);
      }
    }
    if ((e->layers & LUT_LAYER) && e->size == PLACES) {
      int i = p->ram_write[a], j = p->ram_write[b];
      put(p, &p->ram_write[b], i, b, RAM_WRITE_PLACE);
      put(p, &p->ram_write[a], j, a, RAM_WRITE_PLACE);
    }
  }
}

// Notes what moves; false where a place kept empty meets a cell.
static bool gather(er_moves *m, const exchange *e) {
  const er_placement *p = m->p;
  m->moves = 0;
  for (int z = 0; z < e->columns; z++) {
    for (int l = 0; l < e->size; l++) {
      for (int layer = LUT; layer <= FF; layer++) {
        if (!(e->layers >> layer & 1)) continue;
        int i = p->at[e->a + z][e->place_a + l][layer], j = p->at[e->b + z][e->place_b + l][layer];
        bool first = stays(p, e, i), second = stays(p, e, j);
        if ((first && j >= 0 && !second) || (second && i >= 0 && !first)) return false;
        if (first || second) continue;
        note(m, i);
        note(m, j);
      }
    }
    if ((e->layers & LUT_LAYER) && e->size == PLACES) {
      note(m, p->ram_write[e->a + z]);
      note(m, p->ram_write[e->b + z]);
    }
  }
  return m->moves > 0;
}

er_move er_where_is(const er_placement *p, int g, bool fill) {
  const er_group *group = &p->group[g];
  int first = p->member[group->first];
  const er_cell *c = &p->cell[first];
  return (er_move){g, p->spot[first].y * COLUMNS + p->spot[first].x - c->column,
                   group->columns > 1 ? 0 : c->place / group->size * group->size, fill};
}

bool er_move_group(er_moves *m, int g, int tile, int place, bool fill) {
  er_placement *p = m->p;
  const er_group *group = &p->group[g];
  er_move from = er_where_is(p, g, fill);
  exchange e = {from.tile,      tile,        from.place,    place,
                group->columns, group->size, group->layers, fill};
  int more = 0;
  if (tile == e.a || (e.columns > 1 && abs(tile - e.a) < e.columns)) return false;
  if (!whole(p, &e, e.a, e.place_a, &more) || !whole(p, &e, e.b, e.place_b, &more)) return false;
  if (more) {
    e.layers = LUT_LAYER | FF_LAYER;
    if (!whole(p, &e, e.a, e.place_a, &more) || !whole(p, &e, e.b, e.place_b, &more)) return false;
  }
  if (!gather(m, &e)) return false;
  swap(p, &e);
  bool legal = true;
  for (int z = 0; z < e.columns && legal; z++) {
    legal = er_tile_legal(p, e.a + z) && er_tile_legal(p, e.b + z);
  }
  if (legal && kept(m)) return true;
  swap(p, &e);
  return false;
}

void er_move_back(er_moves *m, const er_move *done, int steps) {
  m->pardon = INFINITY;
  while (steps-- > 0) {
    const er_move *to = &done[steps];
    er_move_group(m, to->group, to->tile, to->place, to->fill);
  }
  m->pardon = 0;
}

bool er_move_site(er_moves *m, int a, int b, er_spot to) {
  er_placement *p = m->p;
  er_spot from = p->spot[a];
  m->moves = 0;
  note(m, a);
  note(m, b);
  p->spot[a] = to;
  if (b >= 0) p->spot[b] = from;
  if (kept(m)) return true;
  p->spot[a] = from;
  if (b >= 0) p->spot[b] = to;
  return false;
}
