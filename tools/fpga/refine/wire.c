// What wire costs.
#include "refine.h"

#include <string.h>

// Tiles to each side over which demand counts as one, twice, and pins, once.
enum { NEAR = 4, BESIDE = 2 };
// Pins around a tile, as a part of the mean of all, from which on a place there costs.
static const float DENSE = 1.15f;

static float mean(const float sum[ROWS + 1][COLUMNS + 1], int x0, int x1, int y0, int y1) {
  return (sum[y1 + 1][x1 + 1] - sum[y0][x1 + 1] - sum[y1 + 1][x0] + sum[y0][x0]) /
         (float)((x1 - x0 + 1) * (y1 - y0 + 1));
}

// Over the tiles up to `reach` to each side.
static float mean_around(const float sum[ROWS + 1][COLUMNS + 1], int x, int y, int reach) {
  return mean(sum, x < reach ? 0 : x - reach, x + reach < COLUMNS ? x + reach : COLUMNS - 1,
              y < reach ? 0 : y - reach, y + reach < ROWS ? y + reach : ROWS - 1);
}

static void sum_up(float sum[ROWS + 1][COLUMNS + 1], const float of[ROWS][COLUMNS]) {
  memset(sum, 0, sizeof(float[ROWS + 1][COLUMNS + 1]));
  for (int y = 0; y < ROWS; y++) {
    float line = 0;
    for (int x = 0; x < COLUMNS; x++) {
      line += of[y][x];
      sum[y + 1][x + 1] = sum[y][x + 1] + line;
    }
  }
}

wl_box wl_wire_box(const wl_placement *p, const wl_net *net, const wl_crowd *crowd) {
  wl_spot c = p->spot[p->pin[net->first_pin]];
  wl_box b = {c.x, c.x, c.y, c.y, 0};
  for (int k = net->first_pin + 1; k < net->first_pin + net->pins; k++) {
    c = p->spot[p->pin[k]];
    if (c.x < b.x0) b.x0 = c.x;
    if (c.x > b.x1) b.x1 = c.x;
    if (c.y < b.y0) b.y0 = c.y;
    if (c.y > b.y1) b.y1 = c.y;
  }
  b.cost = net->weight * (float)(b.x1 - b.x0 + b.y1 - b.y0) *
           (1 + crowd->price * mean(crowd->sum, b.x0, b.x1, b.y0, b.y1));
  return b;
}

// Around each tile, where the slices hold more pins than elsewhere: what is there at each place
// costs for each of its pins. Wire that is short costs little wherever it is, so that demand alone
// does not keep cells from a place to whose inputs no wire is left.
static void count_pins(const wl_placement *p, wl_crowd *crowd) {
  static float pins[ROWS][COLUMNS], tiles[ROWS][COLUMNS];
  static float sum[ROWS + 1][COLUMNS + 1], sum_tiles[ROWS + 1][COLUMNS + 1];
  float all = 0, slices = 0;
  memset(pins, 0, sizeof pins);
  for (int i = 0; i < p->cells; i++) {
    if (p->cell[i].kind == FIXED) continue;
    pins[p->spot[i].y][p->spot[i].x] += (float)p->cell[i].uses;
    all += (float)p->cell[i].uses;
  }
  for (int t = 0; t < TILES; t++) {
    tiles[t / COLUMNS][t % COLUMNS] = p->slices[t];
    slices += p->slices[t];
  }
  sum_up(sum, pins);
  sum_up(sum_tiles, tiles);
  for (int y = 0; y < ROWS; y++) {
    for (int x = 0; x < COLUMNS; x++) {
      float of = mean_around(sum_tiles, x, y, BESIDE), part = 0;
      if (of > 0 && all > 0) part = mean_around(sum, x, y, BESIDE) / of * slices / all;
      crowd->dense[y][x] = part > DENSE ? crowd->pin_price * (part - DENSE) : 0;
    }
  }
}

// Demand: half the circumference of each net's box, laid evenly over it (with what the router uses
// twice its correlation is 0.9), smoothed.
void wl_wire_crowd(const wl_placement *p, wl_crowd *crowd) {
  static float demand[ROWS][COLUMNS], smooth[ROWS][COLUMNS];
  memset(demand, 0, sizeof demand);
  for (int i = 0; i < p->nets; i++) {
    const wl_box *b = &p->net[i].box;
    float each =
        (float)(b->x1 - b->x0 + b->y1 - b->y0) / (float)((b->x1 - b->x0 + 1) * (b->y1 - b->y0 + 1));
    demand[b->y0][b->x0] += each;
    demand[b->y0][b->x1 + 1] -= each;
    demand[b->y1 + 1][b->x0] -= each;
    demand[b->y1 + 1][b->x1 + 1] += each;
  }
  sum_up(crowd->sum, demand); // of the corners: the demand itself
  for (int y = 0; y < ROWS; y++)
    memcpy(demand[y], crowd->sum[y + 1] + 1, sizeof demand[y]);
  for (int pass = 0; pass < 2; pass++) {
    sum_up(crowd->sum, demand);
    for (int y = 0; y < ROWS; y++) {
      for (int x = 0; x < COLUMNS; x++)
        smooth[y][x] = mean_around(crowd->sum, x, y, NEAR);
    }
    memcpy(demand, smooth, sizeof demand);
  }
  crowd->peak = 0;
  for (int y = 0; y < ROWS; y++) {
    for (int x = 0; x < COLUMNS; x++) {
      if (demand[y][x] > crowd->peak) crowd->peak = demand[y][x];
      smooth[y][x] = demand[y][x] > crowd->from ? (demand[y][x] - crowd->from) / crowd->from : 0;
    }
  }
  sum_up(crowd->sum, smooth);
  count_pins(p, crowd);
}

int64_t wl_wire_tiles(const wl_placement *p) {
  int64_t tiles = 0;
  for (int i = 0; i < p->nets; i++) {
    const wl_box *b = &p->net[i].box;
    tiles += b->x1 - b->x0 + b->y1 - b->y0;
  }
  return tiles;
}
