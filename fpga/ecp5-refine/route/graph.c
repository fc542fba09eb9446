// The device as a graph: wires are its nodes, pips its arcs. Left out are the networks of the
// clocks, which nextpnr routes itself, and permutations of inputs that a slice must not have.
#include "route.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// As nextpnr packs them: 0x4000, then the look-up table, its input inside, the one outside.
static bool permuted_wrongly(int flags, const uint8_t *permute, int tile) {
  if (!(flags & 0x4000)) return false;
  int inside = flags >> 2 & 3, outside = flags & 3;
  switch (permute[tile * 4 + (flags >> 4 & 7) / 2]) {
  case PERMUTE_ALL:
    return false;
  case PERMUTE_CARRY:
    return inside / 2 != outside / 2;
  default:
    return true;
  }
}

// Enables of clock gates and of the PLL are none of the clocks' wires.
static bool of_clocks(const char *name) {
  if (strstr(name, "JCE_") || !strncmp(name, "JEN", 3)) return false;
  return !strncmp(name, "G_", 2) || strstr(name, "HPBX") || strstr(name, "CLK") ||
         strstr(name, "DCC");
}

typedef struct {
  const char *name;
  int tiles, row;
} word;

static int by_name(const void *a, const void *b) {
  return strcmp(((const word *)a)->name, ((const word *)b)->name);
}

// Names that are found in most tiles get a row of the table of distances.
enum { OFTEN = 6000 };

static void number_rows(er_graph *g) {
  const er_chip *chip = g->chip;
  int tiles = chip->width * chip->height, types = 0, room = 0;
  for (int t = 0; t < tiles; t++) {
    if (chip->type_of[t] >= types) types = chip->type_of[t] + 1;
  }
  int *uses = er_refine_memory((size_t)types, sizeof *uses);
  for (int t = 0; t < tiles; t++)
    uses[chip->type_of[t]]++;
  for (int k = 0; k < types; k++)
    room += chip->type[k].wires.count;
  word *all = er_refine_memory((size_t)room, sizeof *all);
  int count = 0;
  for (int k = 0; k < types; k++) {
    if (!chip->type[k].wires.count) continue;
    const er_chip_wire *wire = er_chip_at(chip, &chip->type[k].wires);
    for (int i = 0; i < chip->type[k].wires.count; i++)
      all[count++] = (word){er_chip_name(chip, &wire[i]), uses[k], 0};
  }
  qsort(all, (size_t)count, sizeof *all, by_name);
  int words = 0;
  for (int i = 0; i < count; i++) {
    if (words && !strcmp(all[words - 1].name, all[i].name))
      all[words - 1].tiles += all[i].tiles;
    else
      all[words++] = all[i];
  }
  g->rows = 1;
  for (int i = 0; i < words; i++)
    all[i].row = all[i].tiles >= OFTEN ? g->rows++ : 0;
  int16_t **row = er_refine_memory((size_t)types, sizeof *row);
  for (int t = 0; t < tiles; t++) {
    int n, k = chip->type_of[t];
    const er_chip_wire *wire = er_chip_wires(chip, t, &n);
    if (!row[k]) {
      row[k] = er_refine_memory((size_t)n, sizeof *row[k]);
      for (int i = 0; i < n; i++) {
        word key = {er_chip_name(chip, &wire[i]), 0, 0};
        const word *found = bsearch(&key, all, (size_t)words, sizeof *all, by_name);
        row[k][i] = (int16_t)(found ? found->row : 0);
      }
    }
    for (int i = 0; i < n; i++)
      g->where[g->first_of_tile[t] + (uint32_t)i] =
          (er_where){(uint8_t)(t % chip->width), (uint8_t)(t / chip->width), (uint16_t)row[k][i]};
  }
  for (int k = 0; k < types; k++)
    free(row[k]);
  free(row), free(all), free(uses);
}

enum { MOST_WIRES = 1 << 25 }; // the LFE5U-85F has 3.6 million

er_graph *er_graph_new(const er_chip *chip, const uint8_t *permute) {
  er_graph *g = er_refine_memory(1, sizeof *g);
  int tiles = chip->width * chip->height, n;
  g->chip = chip;
  g->first_of_tile = er_refine_memory((size_t)tiles + 1, sizeof *g->first_of_tile);
  for (int t = 0; t < tiles; t++) {
    er_chip_wires(chip, t, &n);
    g->first_of_tile[t + 1] = g->first_of_tile[t] + (uint32_t)n;
    if (g->first_of_tile[t + 1] > MOST_WIRES) {
      fprintf(stderr, "route: error: the chip database has more wires than any ECP5\n");
      exit(1);
    }
  }
  g->wires = g->first_of_tile[tiles];
  g->where = er_refine_memory(g->wires, sizeof *g->where);
  g->tile = er_refine_memory(g->wires, sizeof *g->tile);
  g->first_arc = er_refine_memory((size_t)g->wires + 1, sizeof *g->first_arc);
  size_t room = 0, count = 0;
  for (int t = 0; t < tiles; t++) {
    const er_chip_wire *wire = er_chip_wires(chip, t, &n);
    for (int i = 0; i < n; i++)
      room += (size_t)wire[i].downhill.count;
  }
  g->arc = er_refine_memory(room, sizeof *g->arc);
  for (int t = 0; t < tiles; t++) {
    const er_chip_wire *wire = er_chip_wires(chip, t, &n);
    for (int i = 0; i < n; i++) {
      uint32_t id = g->first_of_tile[t] + (uint32_t)i;
      g->tile[id] = (uint16_t)t;
      g->first_arc[id] = (uint32_t)count;
      if (!wire[i].downhill.count || of_clocks(er_chip_name(chip, &wire[i]))) continue;
      const er_chip_pip_of *pip = er_chip_at(chip, &wire[i].downhill);
      for (int k = 0; k < wire[i].downhill.count; k++) {
        int at = t, m;
        const er_chip_pip *p = er_chip_pip_at(chip, &pip[k], &at);
        int to = at + p->target.y * chip->width + p->target.x, number = p->target_wire;
        const er_chip_wire *target = er_chip_wires(chip, to, &m) + p->target_wire;
        if (of_clocks(er_chip_name(chip, target)) || permuted_wrongly(p->permutation, permute, at))
          continue;
        g->arc[count++] = (er_arc){g->first_of_tile[to] + (uint32_t)number,
                                   (uint16_t)p->delay_class, (uint16_t)k};
      }
    }
  }
  g->first_arc[g->wires] = (uint32_t)count;
  number_rows(g);
  return g;
}

void er_graph_free(er_graph *g) {
  free(g->first_of_tile), free(g->first_arc), free(g->arc), free(g->where), free(g->tile), free(g);
}

uint32_t er_graph_find(const er_graph *g, int x, int y, const char *name) {
  if (x < 0 || y < 0 || x >= g->chip->width || y >= g->chip->height) return NONE;
  int tile = y * g->chip->width + x, n;
  const er_chip_wire *wire = er_chip_wires(g->chip, tile, &n);
  for (int i = 0; i < n; i++) {
    if (!strcmp(er_chip_name(g->chip, &wire[i]), name)) return g->first_of_tile[tile] + (uint32_t)i;
  }
  return NONE;
}

const er_chip_wire *er_graph_wire(const er_graph *g, uint32_t wire) {
  int n;
  return er_chip_wires(g->chip, g->tile[wire], &n) + (wire - g->first_of_tile[g->tile[wire]]);
}

const char *er_graph_name(const er_graph *g, uint32_t wire) {
  return er_chip_name(g->chip, er_graph_wire(g, wire));
}

const er_chip_pip *er_graph_pip(const er_graph *g, uint32_t from, const er_arc *arc, int *tile) {
  const er_chip_pip_of *pip =
      (const er_chip_pip_of *)er_chip_at(g->chip, &er_graph_wire(g, from)->downhill) + arc->pip;
  *tile = g->tile[from];
  return er_chip_pip_at(g->chip, pip, tile);
}

int er_arc_delay(const er_graph *g, const er_arc *arc, int fanout) {
  const er_chip_delay *d = &g->chip->delay[arc->delay];
  return d->most + fanout * d->most_of_fanout;
}
