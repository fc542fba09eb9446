// Routes a placed design on an ECP5 (docs/fpga.md 8): negotiated congestion, driven by the delay of
// the longest paths. Wires, their connections and delays are those of nextpnr's own chip database;
// what comes out is a netlist's routing as nextpnr writes it, which nextpnr then reads, checks,
// times and turns into a configuration.
//
// A wire is numbered over the whole device: tiles row by row, in each the wires of its type.
#ifndef WL_ROUTE_H
#define WL_ROUTE_H

#include "../refine/refine.h"

enum { NONE = 0xffffffffu };
enum { WL_NAME = 64 }; // bytes of a wire's longest name, with its end

// chip.c: nextpnr's chip database (ecp5/chipdb-*.bin of release 0.11), mapped into memory.
typedef struct {
  int16_t x, y;
} wl_chip_offset;
typedef struct {
  int32_t offset; // from this field
  int32_t count;
} wl_chip_slice;
typedef struct {
  wl_chip_offset source, target; // tiles, from the pip's
  int16_t source_wire, target_wire, delay_class;
  int8_t tile_type, kind;
  int16_t permutation, unused;
} wl_chip_pip;
typedef struct {
  wl_chip_offset tile; // from the wire's
  int32_t index;
} wl_chip_pip_of;
typedef struct {
  int32_t name;
  int16_t type, picture;
  wl_chip_slice uphill, downhill, bels;
} wl_chip_wire;
typedef struct {
  wl_chip_slice bels, wires, pips;
} wl_chip_type;
typedef struct {
  int32_t least, most, least_of_fanout, most_of_fanout; // ps
} wl_chip_delay;
typedef struct {
  const uint8_t *data;
  size_t size;
  int width, height, delays;
  const wl_chip_type *type;
  const int32_t *type_of;     // of each tile
  const wl_chip_slice *names; // of each tile: what a configuration calls its parts
  const wl_chip_delay *delay; // of each class, at the speed grade
} wl_chip;
// Ends with exit code 1 and a message where the file is none. speed: 6, 7, 8.
wl_chip *wl_chip_open(const char *path, int speed);
void wl_chip_close(wl_chip *chip);
const void *wl_chip_at(const wl_chip *chip, const void *field); // what a field's offset points to
const wl_chip_wire *wl_chip_wires(const wl_chip *chip, int tile, int *count);
// What a wire of *tile names; *tile becomes the pip's own.
const wl_chip_pip *wl_chip_pip_at(const wl_chip *chip, const wl_chip_pip_of *of, int *tile);
const char *wl_chip_name(const wl_chip *chip, const wl_chip_wire *wire);
// What a configuration calls the tile's general wires (CIB); NULL: it has none.
const char *wl_chip_cib(const wl_chip *chip, int tile);

// graph.c: all wires and what they lead to.
typedef struct {
  uint32_t to;
  uint16_t delay; // class
  uint16_t pip;   // of the wire's downhill pips
} wl_arc;
typedef struct {
  uint8_t x, y;
  uint16_t row; // of the table of distances; 0: not known there
} wl_where;
enum { PERMUTE_ALL, PERMUTE_CARRY, PERMUTE_NONE }; // inputs of a slice's look-up tables
typedef struct {
  const wl_chip *chip;
  uint32_t wires, *first_of_tile;
  uint32_t *first_arc; // of each wire; one more behind
  wl_arc *arc;
  wl_where *where;
  uint16_t *tile;
  int rows;
} wl_graph;
wl_graph *wl_graph_new(const wl_chip *chip, const uint8_t *permute); // of each slice of each tile
void wl_graph_free(wl_graph *g);
uint32_t wl_graph_find(const wl_graph *g, int x, int y, const char *name); // NONE: no such wire
const wl_chip_wire *wl_graph_wire(const wl_graph *g, uint32_t wire);
const char *wl_graph_name(const wl_graph *g, uint32_t wire); // without the tile
const wl_chip_pip *wl_graph_pip(const wl_graph *g, uint32_t from, const wl_arc *arc, int *tile);
int wl_arc_delay(const wl_graph *g, const wl_arc *arc, int fanout); // ps

// look.c: how far it is at least from a wire to a sink, by the kind of wire and the tiles between.
// Found by going backwards from inputs of some slices, and from some sinks of each kind.
enum { LOOK_X = 62, LOOK_Y = 46, NEAR = 6 };
enum { FAR = 0xffff };   // no way
enum { ARC_PRICE = 15 }; // ps that each pip costs beside its delay, so that fewer are taken
typedef struct {
  int rows;
  uint16_t *ps;   // [row][dy + LOOK_Y][dx + LOOK_X]: to any input of a slice
  uint16_t *near; // [kind][row][dy + NEAR][dx + NEAR]: to a sink of the kind
} wl_look;

// nets.c: what is to be routed, and where it goes.
typedef struct {
  uint32_t wire;
  int parent;   // node, -1: the source
  uint32_t arc; // that leads to it
  float delay;  // ps from the source
  int fanout;
  int beside; // next node of the net in this tile (search.c)
} wl_node;
typedef struct {
  uint32_t wire;
  int pin;          // of the placement, -1: in no path
  int node;         // of its net, -1: not reached
  int x, y;         // tile by which it is reached
  int kind;         // sinks reached by a wire of one name
  uint32_t last[3]; // wires before it that have one way in, the nearest first; NONE
  float weight;     // criticality
  float least;      // ps in which it was reached at best; 0: never
} wl_sink;
typedef struct {
  uint32_t source;
  int first_sink, sinks, nodes, room;
  int x0, x1, y0, y1;
  wl_node *node;
  bool left; // to nextpnr as a whole
  int times; // it was routed
} wl_route_net;
typedef struct {
  int nets, sinks, left, kinds; // left: connections that nextpnr is to route
  wl_route_net *net;
  wl_sink *sink;
} wl_routes;
wl_routes *wl_routes_read(const char *path, const wl_placement *p, const wl_chip *chip,
                          wl_graph **graph);
void wl_routes_write(const wl_routes *r, const wl_graph *g, const char *path);
void wl_print_wire(FILE *f, const wl_graph *g, uint32_t wire); // as nextpnr names it
void wl_routes_free(wl_routes *r);

wl_look *wl_look_new(const wl_graph *g, const wl_routes *r);
void wl_look_free(wl_look *look);
int wl_look_ahead(const wl_look *look, wl_where from, const wl_sink *sink); // ps, or FAR

// search.c: the way from a net's wires to one more of its sinks.
typedef struct {
  uint32_t seen, from, arc;
  float cost, delay;
} wl_step;
typedef struct {
  float cost;
  uint32_t wire;
} wl_ahead;
typedef struct {
  const wl_graph *g;
  const wl_look *look;
  float *history; // what a wire's past sharing makes it cost, from 1
  uint16_t *users;
  wl_step *step;
  uint32_t seen;
  int *first; // node of the net in each tile, -1: none
  wl_ahead *heap;
  int heap_size, heap_room;
  float sharing;       // what one more user of a wire costs, as a part of its delay
  bool yield;          // critical connections pay less for it (search.c)
  float greed;         // of the distance left
  int64_t steps, wide; // taken; searches beyond the net's surroundings
} wl_search;
wl_search *wl_search_new(const wl_graph *g, const wl_look *look);
void wl_search_free(wl_search *s);
// Around the search of a net's sinks.
void wl_search_begin(wl_search *s, wl_route_net *net);
void wl_search_end(wl_search *s, wl_route_net *net);
bool wl_search_sink(wl_search *s, wl_route_net *net, wl_sink *sink); // False: there is no way.
void wl_search_remove(wl_search *s, wl_route_net *net);              // all of the net's wires

// negotiate.c
static const double USUAL_GROWTH = 1.3; // of the price of sharing, from pass to pass
typedef struct {
  double aim, other, between, sharing, growth, past, greed, power;
  int passes, more, speed;
} wl_route_options;
// True when no wire is left with two users.
bool wl_negotiate(wl_routes *r, wl_placement *p, const wl_graph *g, const wl_look *look,
                  const wl_route_options *options);

#endif
