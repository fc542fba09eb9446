// What wire costs.
#include "refine.h"

#include <stdlib.h>
#include <string.h>

// Tiles to each side over which demand counts as one, twice, that of trees too, and pins, once;
// pins of a net that is laid as a tree, at most.
enum { NEAR = 4, NEAR_TREES = 3, BESIDE = 2, TREE = 256 };
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

er_box er_wire_box(const er_placement *p, const er_net *net, const er_crowd *crowd) {
  er_spot c = p->spot[p->pin[net->first_pin]];
  er_box b = {c.x, c.x, c.y, c.y, 0};
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
static void count_pins(const er_placement *p, er_crowd *crowd) {
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

// Half the circumference of a box, laid evenly over it: its corners' part of the sums.
static void lay(float demand[ROWS][COLUMNS], int x0, int x1, int y0, int y1, float weight) {
  float each = weight * (float)(x1 - x0 + y1 - y0) / (float)((x1 - x0 + 1) * (y1 - y0 + 1));
  demand[y0][x0] += each;
  demand[y0][x1 + 1] -= each;
  demand[y1 + 1][x0] -= each;
  demand[y1 + 1][x1 + 1] += each;
}

static void lay_between(float demand[ROWS][COLUMNS], er_spot a, er_spot b) {
  bool right = a.x < b.x, down = a.y < b.y;
  lay(demand, right ? a.x : b.x, right ? b.x : a.x, down ? a.y : b.y, down ? b.y : a.y, 1);
}

// The shortest tree over a net's pins (Prim), each edge laid over its box.
static void lay_tree(float demand[ROWS][COLUMNS], const er_placement *p, const er_net *n) {
  er_spot left[TREE], from[TREE], at = p->spot[p->pin[n->first_pin]];
  int way[TREE], count = n->pins - 1;
  for (int k = 0; k < count; k++) {
    left[k] = p->spot[p->pin[n->first_pin + 1 + k]];
    way[k] = COLUMNS + ROWS;
  }
  while (count) {
    int next = 0;
    for (int k = 0; k < count; k++) {
      int further = abs(left[k].x - at.x) + abs(left[k].y - at.y);
      if (further < way[k]) way[k] = further, from[k] = at;
      if (way[k] < way[next]) next = k;
    }
    at = left[next];
    if (way[next]) lay_between(demand, at, from[next]);
    count--;
    left[next] = left[count], from[next] = from[count], way[next] = way[count];
  }
}

// With trees nets count as a router lays them: of up to BOX pins that is the net's box, and of very
// many about that. A placement of 62,000 LUT4, means over 4 x 4 tiles: the correlation with what
// the router uses twice is 0.69; 0.52 with every net's box alone, where nets of many pins lie
// evenly.
static void lay_net(float demand[ROWS][COLUMNS], const er_placement *p, const er_net *n,
                    bool trees) {
  enum { BOX = 3 };
  const er_box *b = &n->box;
  if (trees && n->pins > BOX && n->pins <= TREE)
    lay_tree(demand, p, n);
  else
    lay(demand, b->x0, b->x1, b->y0, b->y1, trees ? n->weight : 1);
}

// Demand: the wire of all nets, smoothed.
void er_wire_crowd(const er_placement *p, er_crowd *crowd) {
  static float demand[ROWS][COLUMNS], smooth[ROWS][COLUMNS];
  memset(demand, 0, sizeof demand);
  for (int i = 0; i < p->nets; i++)
    lay_net(demand, p, &p->net[i], crowd->trees);
  sum_up(crowd->sum, demand); // of the corners: the demand itself
  for (int y = 0; y < ROWS; y++)
    memcpy(demand[y], crowd->sum[y + 1] + 1, sizeof demand[y]);
  for (int pass = 0; pass < 2; pass++) {
    sum_up(crowd->sum, demand);
    for (int y = 0; y < ROWS; y++) {
      for (int x = 0; x < COLUMNS; x++)
        smooth[y][x] = mean_around(crowd->sum, x, y, crowd->trees ? NEAR_TREES : NEAR);
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

int64_t er_wire_tiles(const er_placement *p) {
  int64_t tiles = 0;
  for (int i = 0; i < p->nets; i++) {
    const er_box *b = &p->net[i].box;
    tiles += b->x1 - b->x0 + b->y1 - b->y0;
  }
  return tiles;
}
