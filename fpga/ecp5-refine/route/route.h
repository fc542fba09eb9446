// Routes a placed design on an ECP5: negotiated congestion, driven by the delay of
// the longest paths. Wires, their connections and delays are those of nextpnr's own chip database;
// what comes out is a netlist's routing as nextpnr writes it, which nextpnr then reads, checks,
// times and turns into a configuration.
//
// A wire is numbered over the whole device: tiles row by row, in each the wires of its type.
#ifndef ER_ROUTE_H
#define ER_ROUTE_H

#include "../refine/refine.h"

enum { NONE = 0xffffffffu };
enum { ER_NAME = 64 }; // bytes of a wire's longest name, with its end

// chip.c: nextpnr's chip database (ecp5/chipdb-*.bin of release 0.11), mapped into memory.
typedef struct {
  int16_t x, y;
} er_chip_offset;
typedef struct {
  int32_t offset; // from this field
  int32_t count;
} er_chip_slice;
typedef struct {
  er_chip_offset source, target; // tiles, from the pip's
  int16_t source_wire, target_wire, delay_class;
  int8_t tile_type, kind;
  int16_t permutation, unused;
} er_chip_pip;
typedef struct {
  er_chip_offset tile; // from the wire's
  int32_t index;
} er_chip_pip_of;
typedef struct {
  int32_t name;
  int16_t type, picture;
  er_chip_slice uphill, downhill, bels;
} er_chip_wire;
typedef struct {
  er_chip_slice bels, wires, pips;
} er_chip_type;
typedef struct {
  int32_t least, most, least_of_fanout, most_of_fanout; // ps
} er_chip_delay;
typedef struct {
  const uint8_t *data;
  size_t size;
  int width, height, delays;
  const er_chip_type *type;
  const int32_t *type_of;     // of each tile
  const er_chip_slice *names; // of each tile: what a configuration calls its parts
  const er_chip_delay *delay; // of each class, at the speed grade
} er_chip;
// Ends with exit code 1 and a message where the file is none. speed: 6, 7, 8.
er_chip *er_chip_open(const char *path, int speed);
void er_chip_close(er_chip *chip);
const void *er_chip_at(const er_chip *chip, const void *field); // what a field's offset points to
const er_chip_wire *er_chip_wires(const er_chip *chip, int tile, int *count);
// What a wire of *tile names; *tile becomes the pip's own.
const er_chip_pip *er_chip_pip_at(const er_chip *chip, const er_chip_pip_of *of, int *tile);
const char *er_chip_name(const er_chip *chip, const er_chip_wire *wire);
// What a configuration calls the tile's general wires (CIB); NULL: it has none.
const char *er_chip_cib(const er_chip *chip, int tile);

// graph.c: all wires and what they lead to.
typedef struct {
  uint32_t to;
  uint16_t delay; // class
  uint16_t pip;   // of the wire's downhill pips
} er_arc;
typedef struct {
  uint8_t x, y;
  uint16_t row; // of the table of distances; 0: not known there
} er_where;
enum { PERMUTE_ALL, PERMUTE_CARRY, PERMUTE_NONE }; // inputs of a slice's look-up tables
typedef struct {
  const er_chip *chip;
  uint32_t wires, *first_of_tile;
  uint32_t *first_arc; // of each wire; one more behind
  er_arc *arc;
  er_where *where;
  uint16_t *tile;
  int rows;
} er_graph;
er_graph *er_graph_new(const er_chip *chip, const uint8_t *permute); // of each slice of each tile
void er_graph_free(er_graph *g);
uint32_t er_graph_find(const er_graph *g, int x, int y, const char *name); // NONE: no such wire
const er_chip_wire *er_graph_wire(const er_graph *g, uint32_t wire);
const char *er_graph_name(const er_graph *g, uint32_t wire); // without the tile
const er_chip_pip *er_graph_pip(const er_graph *g, uint32_t from, const er_arc *arc, int *tile);
int er_arc_delay(const er_graph *g, const er_arc *arc, int fanout); // ps

// look.c: how far it is at least from a wire to a sink, by the kind of wire and the tiles between.
// Found by going backwards from inputs of some slices, and from some sinks of each kind.
enum { LOOK_X = 62, LOOK_Y = 46, NEAR = 6 };
enum { FAR = 0xffff };   // no way
enum { ARC_PRICE = 15 }; // ps that each pip costs beside its delay, so that fewer are taken
typedef struct {
  int rows;
  uint16_t *ps;   // [row][dy + LOOK_Y][dx + LOOK_X]: to any input of a slice
  uint16_t *near; // [kind][row][dy + NEAR][dx + NEAR]: to a sink of the kind
} er_look;

// nets.c: what is to be routed, and where it goes.
typedef struct {
  uint32_t wire;
  int parent;   // node, -1: the source
  uint32_t arc; // that leads to it
  float delay;  // ps from the source
  int fanout;
  int beside; // next node of the net in this tile (search.c)
} er_node;
typedef struct {
  uint32_t wire;
  int pin;          // of the placement, -1: in no path
  int node;         // of its net, -1: not reached
  int x, y;         // tile by which it is reached
  int kind;         // sinks reached by a wire of one name
  uint32_t last[3]; // wires before it that have one way in, the nearest first; NONE
  float weight;     // criticality
  float least;      // ps in which it was reached at best; 0: never
} er_sink;
typedef struct {
  uint32_t source;
  int first_sink, sinks, nodes, room;
  int x0, x1, y0, y1;
  er_node *node;
  bool left; // to nextpnr as a whole
  int times; // it was routed
} er_route_net;
typedef struct {
  int nets, sinks, left, kinds; // left: connections that nextpnr is to route
  er_route_net *net;
  er_sink *sink;
} er_routes;
er_routes *er_routes_read(const char *path, const er_placement *p, const er_chip *chip,
                          er_graph **graph);
void er_routes_write(const er_routes *r, const er_graph *g, const char *path);
void er_print_wire(FILE *f, const er_graph *g, uint32_t wire); // as nextpnr names it
void er_routes_free(er_routes *r);

er_look *er_look_new(const er_graph *g, const er_routes *r);
void er_look_free(er_look *look);
int er_look_ahead(const er_look *look, er_where from, const er_sink *sink); // ps, or FAR

// search.c: the way from a net's wires to one more of its sinks.
typedef struct {
  uint32_t seen, from, arc;
  float cost, delay;
} er_step;
typedef struct {
  float cost;
  uint32_t wire;
} er_ahead;
typedef struct {
  const er_graph *g;
  const er_look *look;
  float *history; // what a wire's past sharing makes it cost, from 1
  uint16_t *users;
  er_step *step;
  uint32_t seen;
  int *first; // node of the net in each tile, -1: none
  er_ahead *heap;
  int heap_size, heap_room;
  float sharing;       // what one more user of a wire costs, as a part of its delay
  bool yield;          // critical connections pay less for it (search.c)
  float greed;         // of the distance left
  int64_t steps, wide; // taken; searches beyond the net's surroundings
} er_search;
er_search *er_search_new(const er_graph *g, const er_look *look);
void er_search_free(er_search *s);
// Around the search of a net's sinks.
void er_search_begin(er_search *s, er_route_net *net);
void er_search_end(er_search *s, er_route_net *net);
bool er_search_sink(er_search *s, er_route_net *net, er_sink *sink); // False: there is no way.
void er_search_remove(er_search *s, er_route_net *net);              // all of the net's wires

// negotiate.c
static const double USUAL_GROWTH = 1.3; // of the price of sharing, from pass to pass
typedef struct {
  double aim, other, between, sharing, growth, past, greed, power;
  int passes, more, speed;
} er_route_options;
// True when no wire is left with two users.
bool er_negotiate(er_routes *r, er_placement *p, const er_graph *g, const er_look *look,
                  const er_route_options *options);

#endif
