// Improves a placement of nextpnr on an ECP5 (docs/fpga.md 8): moves cells so that wire and the
// delay of the longest paths become less and no part of the device is crowded. Simulated annealing;
// what is legal in a tile of slices are the rules of nextpnr's own placer, which route and pack
// rely on. Block RAM and multipliers go from site to site.
//
// A region is a run of neighbouring tiles of one row, an aligned range of the eight places (look-up
// table with flip-flop) of each, and one or both layers of these. A move exchanges two regions of
// one form.
#ifndef WL_REFINE_H
#define WL_REFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { COLUMNS = 128, ROWS = 97, TILES = COLUMNS * ROWS, PLACES = 8, CLOCKS = 2, SITE_KINDS = 2 };

// Kinds of cells; LUT and FF are also the layers of a tile.
enum { LUT, FF, RAM_WRITE, FIXED };
enum { LUT_LAYER = 1 << LUT, FF_LAYER = 1 << FF };

// Flags of a look-up table: root of a multiplexer of two or of four and more, of four whose first
// half is one of two; carry chain; distributed RAM, its clock and write enable inverted; place
// taken by the write port of distributed RAM; kept empty.
enum {
  LUT_MUX2 = 1 << 0,
  LUT_MUX4 = 1 << 1,
  LUT_MUX4_OF_MUX2 = 1 << 2,
  LUT_CARRY = 1 << 3,
  LUT_RAM = 1 << 4,
  LUT_RAM_WRITE = 1 << 5,
  LUT_RAM_CLOCK_INVERTED = 1 << 6,
  LUT_RAM_WRITE_INVERTED = 1 << 7,
  LUT_EMPTY = 1 << 8,
};
// Flags of a flip-flop: data from the slice's M input; what has to be alike in a slice; in a tile.
enum {
  FF_FROM_M = 1 << 0,
  FF_ENABLE_CONSTANT = 1 << 1,
  FF_ENABLE_INVERTED = 1 << 2,
  FF_GLOBAL_RESET = 1 << 3,
  FF_CLOCK_INVERTED = 1 << 4,
  FF_RESET_INVERTED = 1 << 5,
  FF_RESET_ASYNCHRONOUS = 1 << 6,
  FF_ALIKE_IN_SLICE = FF_ENABLE_CONSTANT | FF_ENABLE_INVERTED | FF_GLOBAL_RESET,
  FF_ALIKE_IN_TILE = FF_CLOCK_INVERTED | FF_RESET_INVERTED | FF_RESET_ASYNCHRONOUS,
};

// Where a cell is. Apart from all else of the cell: what the moves read most has to stay in the
// cache.
typedef struct {
  int16_t x, y;
} wl_spot;

typedef struct {
  int kind, place, flags;
  int clock, reset, enable; // nets of a flip-flop, compared only; -1: none
  int group;                // cells that keep their distances; -1: stays where it is
  int domain;               // clock by which it takes its inputs
  int column;               // behind the first of its group
  int first_use, uses;
} wl_cell;

typedef struct {
  int net, pin; // pin: into wl_placement.pin
} wl_use;

typedef struct {
  int x0, x1, y0, y1;
  float cost;
} wl_box;

typedef struct {
  int first_pin, pins; // the first pin drives
  float weight;        // wire of a net with many pins is more than its box tells
  wl_box box;
} wl_net;

// One connection of a path: over `net` to `cell`, through it in `delay` ps onto `out`, or its end
// (-1).
typedef struct {
  int net, cell, out, delay, pin;
} wl_edge;

// A net on which paths begin, `delay` ps behind the edge of a clock.
typedef struct {
  int net, delay, domain;
} wl_launch;

typedef struct {
  int first, cells;          // into wl_placement.member
  int columns, size, layers; // tiles; aligned range of places; layers that it takes
} wl_group;

// Sites for one kind of cell outside the slices, and the cells that may go from one to another.
typedef struct {
  int sites, cells;
  wl_spot *site;
  int *cell;
} wl_sites;

typedef struct {
  int cells, nets, groups, edges, launches;
  wl_cell *cell;
  wl_spot *spot; // of each cell
  wl_net *net;
  wl_group *group;
  wl_edge *edge;
  wl_launch *launch;
  wl_use *use;
  int *pin, *member;
  float *criticality;       // of the connection to each pin, 0 to 1, to a power
  float *pin_delay;         // ps to each pin, of a routed design; NULL: by distance
  int at[TILES][PLACES][2]; // cell in each place and layer, or -1
  int ram_write[TILES];     // cell, or -1
  bool slices[TILES];
  wl_sites kind[SITE_KINDS];
} wl_placement;
static inline int wl_pins(const wl_placement *p) { // of all nets
  return p->net[p->nets - 1].first_pin + p->net[p->nets - 1].pins;
}

// input.c. What wl_refine and wl_route share of their command lines, files and memory.
extern const char *const wl_program; // in front of messages; each main.c has its own
typedef struct {
  const char *name;
  double *value, low, high;
} wl_option;
// What a word, name=number, says of an option; false if it is none, or not a number of its range.
bool wl_option_take(const wl_option *known, size_t options, const char *word);
typedef struct {
  FILE *file;
  const char *path;
} wl_source;
// Both end with exit code 1 and a message where the file cannot be read or holds something else.
wl_source wl_source_open(const char *path);
int wl_source_number(const wl_source *s, int low, int high, const char *what);
__attribute__((noreturn)) void wl_source_bad(const wl_source *s, const char *what);
void *wl_refine_memory(size_t count, size_t size); // zeroed; exit code 4 when there is none
void *wl_refine_more(void *old, size_t count, size_t size); // likewise, what was there is kept

// placement.c. Both say on standard error what is wrong and end with exit code 1.
wl_placement *wl_placement_read(const char *path);
void wl_placement_write(const wl_placement *p, const char *path);
void wl_placement_free(wl_placement *p);

// tile.c
bool wl_tile_legal(const wl_placement *p, int tile);
int wl_tiles_illegal(const wl_placement *p);

// timing.c. Delays in ps; the wire between two places as routed designs have it in the mean.
typedef struct {
  int *order, *first_edge, *edges; // nets before those that depend on them; edges of each net
  float (*arrival)[CLOCKS], (*tail)[CLOCKS];
  float worst[CLOCKS][CLOCKS]; // longest path from clock to clock, of the last wl_timing_weigh()
  float aim; // ps up to which paths of the first clock, where it has no bound, are short enough
} wl_timing;
int wl_wire_delay(wl_spot from, wl_spot to);
wl_timing *wl_timing_new(const wl_placement *p);
void wl_timing_weigh(wl_timing *t, wl_placement *p, double power, const float need[CLOCKS][CLOCKS]);
void wl_timing_free(wl_timing *t);

// wire.c. What wire costs: half the circumference of a net's box, more where many boxes lie; and
// what pins cost where many are.
typedef struct {
  float from, price; // tiles of wire in a tile that are crowded; what twice as many cost
  bool trees;        // nets are laid as trees, not evenly over their boxes
  float sum[ROWS + 1][COLUMNS + 1]; // of crowdedness over all tiles above and before
  float peak;                       // tiles of wire in a tile, most
  float pin_price; // tiles of wire that a pin costs where there are twice as many as in the mean
  float dense[ROWS][COLUMNS]; // what it costs in each tile
} wl_crowd;
wl_box wl_wire_box(const wl_placement *p, const wl_net *net, const wl_crowd *crowd);
void wl_wire_crowd(const wl_placement *p, wl_crowd *crowd);
int64_t wl_wire_tiles(const wl_placement *p);

// move.c
typedef struct {
  wl_placement *p;
  const wl_crowd *crowd;
  double time_price; // tiles of wire for a ps of a connection with criticality 1
  double heat;
  double pardon, more; // what a move may cost and be kept whatever the heat; what the last one did
  double wire, time;   // of the whole when last counted: tiles with their prices, weighted ps
  float *pin_time;     // of each pin its part of time
  int *net_seen, *cell_seen, seen;
  wl_spot *from; // of each of the moved
  int *moved, *touched, moves, touches, changes;
  wl_box *before;
  wl_use *changed;
  uint64_t dice;
} wl_moves;
wl_moves *wl_moves_new(wl_placement *p, const wl_crowd *crowd);
void wl_moves_count(wl_moves *m);
void wl_moves_free(wl_moves *m);
int wl_pick(wl_moves *m, int below);
double wl_chance(wl_moves *m);
// Exchanges the region of group g with one of the same form at place `place` of tile `tile`; true
// if kept. Places kept empty stay so unless `fill`: then the group may take one and leaves its own
// empty.
bool wl_move_group(wl_moves *m, int g, int tile, int place, bool fill);
// What wl_move_group() is told: where a group is, or goes.
typedef struct {
  int group, tile, place;
  bool fill;
} wl_move;
wl_move wl_where_is(const wl_placement *p, int g, bool fill);
// Makes moves, the last one first, whatever they cost: each is where a group was before it went.
// Other moves in between have to be among them; then that restores what was.
void wl_move_back(wl_moves *m, const wl_move *done, int steps);
// Exchanges what is on two sites: cell `a`, and `b` or nothing (-1) at `to`; true if kept.
bool wl_move_site(wl_moves *m, int a, int b, wl_spot to);

// anneal.c
typedef struct {
  // main.c tells what they mean
  double effort, time, heat, crowded, crowded_price, pin_price, polish, aim, other, between, trees;
} wl_options;
typedef struct {
  wl_placement *p;
  wl_moves *moves;
  double reach;        // tiles that a move may go
  int *choice, chosen; // groups that are moved; 0: all
} wl_annealing;
static const float LONG = 0.1f;   // criticality from which on a connection is one of a long path
bool wl_attempt(wl_annealing *s); // a move; true if kept
void wl_choose(wl_annealing *s);  // the groups on long paths
// Where the group's nets have least wire: the median of the boxes of their other pins; false if it
// has none.
bool wl_by_wire(wl_annealing *s, int g, int *x, int *y);
// A tile for the first of a chain, or -1.
int wl_chain_place(wl_annealing *s, int g);
bool wl_attempt_site(wl_annealing *s); // the same, of block RAM or a multiplier, if any may move
// A free place for a group of one or two places close to (x, y); its tile, or -1.
int wl_free_place(wl_annealing *s, int g, int x, int y, bool fill, int *place);
// chain.c: a move of a carry chain of several tiles and of the cells where it goes.
typedef struct wl_chains wl_chains;
wl_chains *wl_chains_new(const wl_placement *p);
void wl_chains_free(wl_chains *c);
bool wl_attempt_chain(wl_annealing *s, wl_chains *c);
// polish.c: after annealing, cells of the longest paths alone; the best placement that comes.
void wl_polish(wl_annealing *s, wl_crowd *crowd, wl_timing *timing,
               const float need[CLOCKS][CLOCKS], int rounds);
void wl_anneal(wl_placement *p, const wl_options *options);

#endif
