// Improves a placement of nextpnr on an ECP5: moves cells so that wire and the
// delay of the longest paths become less and no part of the device is crowded. Simulated annealing;
// what is legal in a tile of slices are the rules of nextpnr's own placer, which route and pack
// rely on. Block RAM and multipliers go from site to site.
//
// A region is a run of neighbouring tiles of one row, an aligned range of the eight places (look-up
// table with flip-flop) of each, and one or both layers of these. A move exchanges two regions of
// one form.
#ifndef ER_REFINE_H
#define ER_REFINE_H

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
} er_spot;

typedef struct {
  int kind, place, flags;
  int clock, reset, enable; // nets of a flip-flop, compared only; -1: none
  int group;                // cells that keep their distances; -1: stays where it is
  int domain;               // clock by which it takes its inputs
  int column;               // behind the first of its group
  int first_use, uses;
} er_cell;

typedef struct {
  int net, pin; // pin: into er_placement.pin
} er_use;

typedef struct {
  int x0, x1, y0, y1;
  float cost;
} er_box;

typedef struct {
  int first_pin, pins; // the first pin drives
  float weight;        // wire of a net with many pins is more than its box tells
  er_box box;
} er_net;

// One connection of a path: over `net` to `cell`, through it in `delay` ps onto `out`, or its end
// (-1).
typedef struct {
  int net, cell, out, delay, pin;
} er_edge;

// A net on which paths begin, `delay` ps behind the edge of a clock.
typedef struct {
  int net, delay, domain;
} er_launch;

typedef struct {
  int first, cells;          // into er_placement.member
  int columns, size, layers; // tiles; aligned range of places; layers that it takes
} er_group;

// Sites for one kind of cell outside the slices, and the cells that may go from one to another.
typedef struct {
  int sites, cells;
  er_spot *site;
  int *cell;
} er_sites;

typedef struct {
  int cells, nets, groups, edges, launches;
  er_cell *cell;
  er_spot *spot; // of each cell
  er_net *net;
  er_group *group;
  er_edge *edge;
  er_launch *launch;
  er_use *use;
  int *pin, *member;
  float *criticality;       // of the connection to each pin, 0 to 1, to a power
  float *pin_delay;         // ps to each pin, of a routed design; NULL: by distance
  int at[TILES][PLACES][2]; // cell in each place and layer, or -1
  int ram_write[TILES];     // cell, or -1
  bool slices[TILES];
  er_sites kind[SITE_KINDS];
} er_placement;
static inline int er_pins(const er_placement *p) { // of all nets
  return p->net[p->nets - 1].first_pin + p->net[p->nets - 1].pins;
}

// input.c. What er_refine and er_route share of their command lines, files and memory.
extern const char *const er_program; // in front of messages; each main.c has its own
typedef struct {
  const char *name;
  double *value, low, high;
} er_option;
// What a word, name=number, says of an option; false if it is none, or not a number of its range.
bool er_option_take(const er_option *known, size_t options, const char *word);
typedef struct {
  FILE *file;
  const char *path;
} er_source;
// Both end with exit code 1 and a message where the file cannot be read or holds something else.
er_source er_source_open(const char *path);
int er_source_number(const er_source *s, int low, int high, const char *what);
__attribute__((noreturn)) void er_source_bad(const er_source *s, const char *what);
void *er_refine_memory(size_t count, size_t size); // zeroed; exit code 4 when there is none
void *er_refine_more(void *old, size_t count, size_t size); // likewise, what was there is kept

// placement.c. Both say on standard error what is wrong and end with exit code 1.
er_placement *er_placement_read(const char *path);
void er_placement_write(const er_placement *p, const char *path);
void er_placement_free(er_placement *p);

// tile.c
bool er_tile_legal(const er_placement *p, int tile);
int er_tiles_illegal(const er_placement *p);

// timing.c. Delays in ps; the wire between two places as routed designs have it in the mean.
typedef struct {
  int *order, *first_edge, *edges; // nets before those that depend on them; edges of each net
  float (*arrival)[CLOCKS], (*tail)[CLOCKS];
  float worst[CLOCKS][CLOCKS]; // longest path from clock to clock, of the last er_timing_weigh()
  float aim; // ps up to which paths of the first clock, where it has no bound, are short enough
} er_timing;
int er_wire_delay(er_spot from, er_spot to);
er_timing *er_timing_new(const er_placement *p);
void er_timing_weigh(er_timing *t, er_placement *p, double power, const float need[CLOCKS][CLOCKS]);
void er_timing_free(er_timing *t);

// wire.c. What wire costs: half the circumference of a net's box, more where many boxes lie; and
// what pins cost where many are.
typedef struct {
  float from, price; // tiles of wire in a tile that are crowded; what twice as many cost
  bool trees;        // nets are laid as trees, not evenly over their boxes
  float sum[ROWS + 1][COLUMNS + 1]; // of crowdedness over all tiles above and before
  float peak;                       // tiles of wire in a tile, most
  float pin_price; // tiles of wire that a pin costs where there are twice as many as in the mean
  float dense[ROWS][COLUMNS]; // what it costs in each tile
} er_crowd;
er_box er_wire_box(const er_placement *p, const er_net *net, const er_crowd *crowd);
void er_wire_crowd(const er_placement *p, er_crowd *crowd);
int64_t er_wire_tiles(const er_placement *p);

// move.c
typedef struct {
  er_placement *p;
  const er_crowd *crowd;
  double time_price; // tiles of wire for a ps of a connection with criticality 1
  double heat;
  double pardon, more; // what a move may cost and be kept whatever the heat; what the last one did
  double wire, time;   // of the whole when last counted: tiles with their prices, weighted ps
  float *pin_time;     // of each pin its part of time
  int *net_seen, *cell_seen, seen;
  er_spot *from; // of each of the moved
  int *moved, *touched, moves, touches, changes;
  er_box *before;
  er_use *changed;
  uint64_t dice;
} er_moves;
er_moves *er_moves_new(er_placement *p, const er_crowd *crowd);
void er_moves_count(er_moves *m);
void er_moves_free(er_moves *m);
int er_pick(er_moves *m, int below);
double er_chance(er_moves *m);
// Exchanges the region of group g with one of the same form at place `place` of tile `tile`; true
// if kept. Places kept empty stay so unless `fill`: then the group may take one and leaves its own
// empty.
bool er_move_group(er_moves *m, int g, int tile, int place, bool fill);
// What er_move_group() is told: where a group is, or goes.
typedef struct {
  int group, tile, place;
  bool fill;
} er_move;
er_move er_where_is(const er_placement *p, int g, bool fill);
// Makes moves, the last one first, whatever they cost: each is where a group was before it went.
// Other moves in between have to be among them; then that restores what was.
void er_move_back(er_moves *m, const er_move *done, int steps);
// Exchanges what is on two sites: cell `a`, and `b` or nothing (-1) at `to`; true if kept.
bool er_move_site(er_moves *m, int a, int b, er_spot to);

// anneal.c
typedef struct {
  // main.c tells what they mean
  double effort, time, heat, crowded, crowded_price, pin_price, polish, aim, other, between, trees;
} er_options;
typedef struct {
  er_placement *p;
  er_moves *moves;
  double reach;        // tiles that a move may go
  int *choice, chosen; // groups that are moved; 0: all
} er_annealing;
static const float LONG = 0.1f;   // criticality from which on a connection is one of a long path
bool er_attempt(er_annealing *s); // a move; true if kept
void er_choose(er_annealing *s);  // the groups on long paths
// Where the group's nets have least wire: the median of the boxes of their other pins; false if it
// has none.
bool er_by_wire(er_annealing *s, int g, int *x, int *y);
// A tile for the first of a chain, or -1.
int er_chain_place(er_annealing *s, int g);
bool er_attempt_site(er_annealing *s); // the same, of block RAM or a multiplier, if any may move
// A free place for a group of one or two places close to (x, y); its tile, or -1.
int er_free_place(er_annealing *s, int g, int x, int y, bool fill, int *place);
// chain.c: a move of a carry chain of several tiles and of the cells where it goes.
typedef struct er_chains er_chains;
er_chains *er_chains_new(const er_placement *p);
void er_chains_free(er_chains *c);
bool er_attempt_chain(er_annealing *s, er_chains *c);
// polish.c: after annealing, cells of the longest paths alone; the best placement that comes.
void er_polish(er_annealing *s, er_crowd *crowd, er_timing *timing,
               const float need[CLOCKS][CLOCKS], int rounds);
void er_anneal(er_placement *p, const er_options *options);

#endif
