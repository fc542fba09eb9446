// The text of a placement (refined.py writes and reads it): numbers between blanks.
//   cells nets groups
//   for each cell: kind x y place flags clock reset enable group domain (refine.h)
//   for each net: pins, then the cells of its pins, the driving one first
//   number of edges; for each: net cell out delay
//   number of launches; for each: net delay domain
//   for each of two kinds of sites: their number; for each: x y; number of cells that may take
//     them; each of these
// What comes back: for each cell that may move: cell x y place (-1: on a site).
#include "refine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 24 }; // of anything that is counted

static void read_cells(er_placement *p, const er_source *s) {
  for (int i = 0; i < p->cells; i++) {
    er_cell *c = &p->cell[i];
    c->kind = er_source_number(s, LUT, FIXED, "no kind of cell");
    p->spot[i].x = (int16_t)er_source_number(s, 0, COLUMNS - 2, "no column");
    p->spot[i].y = (int16_t)er_source_number(s, 0, ROWS - 2, "no row");
    c->place = er_source_number(s, -1, PLACES - 1, "no place");
    c->flags = er_source_number(s, 0, 0xffff, "no flags");
    c->clock = er_source_number(s, -1, MOST, "no clock");
    c->reset = er_source_number(s, -1, MOST, "no reset");
    c->enable = er_source_number(s, -1, MOST, "no enable");
    c->group = er_source_number(s, -1, p->groups - 1, "no group");
    c->domain = er_source_number(s, 0, CLOCKS - 1, "no clock domain");
    if ((c->kind <= RAM_WRITE) != (c->place >= 0))
      er_source_bad(s, "a place for a cell that has none, or none for one that needs it");
    if (c->kind == FIXED && c->group >= 0) er_source_bad(s, "a group for a cell that stays");
    if (c->group >= 0) p->group[c->group].cells++;
  }
}

static void read_nets(er_placement *p, const er_source *s) {
  int room = 1 << 16, count = 0;
  p->pin = er_refine_memory((size_t)room, sizeof *p->pin);
  for (int i = 0; i < p->nets; i++) {
    er_net *n = &p->net[i];
    n->first_pin = count;
    n->pins = er_source_number(s, 2, p->cells, "no number of pins");
    // Wire over half the circumference of the box, by number of pins (Cheng's table, as a line).
    n->weight = n->pins <= 3 ? 1 : n->pins < 50 ? 1 + 0.0372f * (float)(n->pins - 3) : 2.79f;
    while (count + n->pins > room) {
      room *= 2;
      p->pin = er_refine_more(p->pin, (size_t)room, sizeof *p->pin);
    }
    for (int k = 0; k < n->pins; k++) {
      p->pin[count] = er_source_number(s, 0, p->cells - 1, "no cell");
      p->cell[p->pin[count++]].uses++;
    }
  }
  p->criticality = er_refine_memory((size_t)count, sizeof *p->criticality);
  p->use = er_refine_memory((size_t)count, sizeof *p->use);
  for (int i = 0, at = 0; i < p->cells; i++) {
    p->cell[i].first_use = at;
    at += p->cell[i].uses;
    p->cell[i].uses = 0;
  }
  for (int i = 0; i < p->nets; i++) {
    for (int k = p->net[i].first_pin; k < p->net[i].first_pin + p->net[i].pins; k++) {
      er_cell *c = &p->cell[p->pin[k]];
      p->use[c->first_use + c->uses++] = (er_use){i, k};
    }
  }
}

static void read_timing(er_placement *p, const er_source *s) {
  p->edges = er_source_number(s, 0, MOST, "no number of edges");
  p->edge = er_refine_memory((size_t)p->edges, sizeof *p->edge);
  for (int i = 0; i < p->edges; i++) {
    er_edge *e = &p->edge[i];
    e->net = er_source_number(s, 0, p->nets - 1, "no net");
    e->cell = er_source_number(s, 0, p->cells - 1, "no cell");
    e->out = er_source_number(s, -1, p->nets - 1, "no net");
    e->delay = er_source_number(s, -100000, 100000, "no delay");
    e->pin = -1;
    const er_cell *c = &p->cell[e->cell];
    for (int u = c->first_use; u < c->first_use + c->uses; u++) {
      if (p->use[u].net == e->net) e->pin = p->use[u].pin;
    }
    if (e->pin < 0) er_source_bad(s, "an edge to a cell that is not on its net");
  }
  p->launches = er_source_number(s, 0, MOST, "no number of launches");
  p->launch = er_refine_memory((size_t)p->launches, sizeof *p->launch);
  for (int i = 0; i < p->launches; i++) {
    er_launch *l = &p->launch[i];
    l->net = er_source_number(s, 0, p->nets - 1, "no net");
    l->delay = er_source_number(s, 0, 100000, "no delay");
    l->domain = er_source_number(s, 0, CLOCKS - 1, "no clock domain");
  }
}

static void read_sites(er_placement *p, const er_source *s) {
  for (int k = 0; k < SITE_KINDS; k++) {
    er_sites *kind = &p->kind[k];
    kind->sites = er_source_number(s, 0, TILES, "no number of sites");
    kind->site = er_refine_memory((size_t)kind->sites + 1, sizeof *kind->site);
    for (int i = 0; i < kind->sites; i++) {
      kind->site[i].x = (int16_t)er_source_number(s, 0, COLUMNS - 2, "no column");
      kind->site[i].y = (int16_t)er_source_number(s, 0, ROWS - 2, "no row");
    }
    kind->cells = er_source_number(s, 0, kind->sites, "no number of cells on sites");
    kind->cell = er_refine_memory((size_t)kind->cells + 1, sizeof *kind->cell);
    for (int i = 0; i < kind->cells; i++) {
      kind->cell[i] = er_source_number(s, 0, p->cells - 1, "no cell");
      er_spot at = p->spot[kind->cell[i]];
      bool found = false;
      for (int n = 0; n < kind->sites; n++)
        found |= kind->site[n].x == at.x && kind->site[n].y == at.y;
      for (int n = 0; n < i; n++) {
        er_spot other = p->spot[kind->cell[n]];
        if (other.x == at.x && other.y == at.y) er_source_bad(s, "two cells on one site");
      }
      if (!found || p->cell[kind->cell[i]].kind != FIXED)
        er_source_bad(s, "a cell on no site of its kind");
    }
  }
}

static void place_cells(er_placement *p, const er_source *s) {
  memset(p->at, -1, sizeof p->at);
  memset(p->ram_write, -1, sizeof p->ram_write);
  for (int i = 0; i < p->cells; i++) {
    const er_cell *c = &p->cell[i];
    int tile = p->spot[i].y * COLUMNS + p->spot[i].x;
    if (c->kind == FIXED) continue;
    int *at = c->kind == RAM_WRITE ? &p->ram_write[tile] : &p->at[tile][c->place][c->kind];
    if (*at >= 0) er_source_bad(s, "two cells in one place");
    *at = i;
    p->slices[tile] = true;
  }
}

static void form_groups(er_placement *p, const er_source *s) {
  int count = 0;
  for (int g = 0; g < p->groups; g++) {
    if (!p->group[g].cells) er_source_bad(s, "a group without cells");
    p->group[g].first = count;
    count += p->group[g].cells;
    p->group[g].cells = 0;
  }
  p->member = er_refine_memory((size_t)count, sizeof *p->member);
  for (int i = 0; i < p->cells; i++) {
    if (p->cell[i].group < 0) continue;
    er_group *g = &p->group[p->cell[i].group];
    p->member[g->first + g->cells++] = i;
  }
  for (int i = 0; i < p->groups; i++) {
    er_group *g = &p->group[i];
    int low = PLACES, high = 0, left = COLUMNS, right = 0;
    for (int k = g->first; k < g->first + g->cells; k++) {
      const er_cell *c = &p->cell[p->member[k]];
      er_spot at = p->spot[p->member[k]];
      low = c->place < low ? c->place : low;
      high = c->place > high ? c->place : high;
      left = at.x < left ? at.x : left;
      right = at.x > right ? at.x : right;
      if (at.y != p->spot[p->member[g->first]].y) er_source_bad(s, "a group in two rows");
      g->layers |= c->kind == FF ? FF_LAYER : LUT_LAYER;
    }
    g->columns = right - left + 1;
    g->size = 1;
    while (low / g->size != high / g->size)
      g->size *= 2;
    if (g->columns > 1) g->size = PLACES;
    for (int k = g->first; k < g->first + g->cells; k++) {
      p->cell[p->member[k]].column = p->spot[p->member[k]].x - left;
    }
  }
}

er_placement *er_placement_read(const char *path) {
  er_source s = er_source_open(path);
  er_placement *p = er_refine_memory(1, sizeof *p);
  p->cells = er_source_number(&s, 1, MOST, "no number of cells");
  p->nets = er_source_number(&s, 1, MOST, "no number of nets");
  p->groups = er_source_number(&s, 1, p->cells, "no number of groups");
  p->cell = er_refine_memory((size_t)p->cells, sizeof *p->cell);
  p->spot = er_refine_memory((size_t)p->cells, sizeof *p->spot);
  p->net = er_refine_memory((size_t)p->nets, sizeof *p->net);
  p->group = er_refine_memory((size_t)p->groups, sizeof *p->group);
  read_cells(p, &s);
  read_nets(p, &s);
  read_timing(p, &s);
  read_sites(p, &s);
  place_cells(p, &s);
  form_groups(p, &s);
  fclose(s.file);
  return p;
}

void er_placement_write(const er_placement *p, const char *path) {
  FILE *file = fopen(path, "w");
  bool good = file != NULL;
  for (int i = 0; i < p->cells && good; i++) {
    const er_cell *c = &p->cell[i];
    if (c->kind != FIXED)
      good = fprintf(file, "%d %d %d %d\n", i, p->spot[i].x, p->spot[i].y, c->place) > 0;
  }
  for (int k = 0; k < SITE_KINDS; k++) {
    for (int i = 0; i < p->kind[k].cells && good; i++) {
      int cell = p->kind[k].cell[i];
      good = fprintf(file, "%d %d %d -1\n", cell, p->spot[cell].x, p->spot[cell].y) > 0;
    }
  }
  if (file && fclose(file)) good = false;
  if (!good) {
    fprintf(stderr, "refine: error: %s: cannot be written\n", path);
    exit(1);
  }
}

void er_placement_free(er_placement *p) {
  free(p->cell), free(p->spot), free(p->net), free(p->group), free(p->edge), free(p->launch),
      free(p->use);
  for (int k = 0; k < SITE_KINDS; k++)
    free(p->kind[k].site), free(p->kind[k].cell);
  free(p->pin), free(p->member), free(p->criticality), free(p);
}
