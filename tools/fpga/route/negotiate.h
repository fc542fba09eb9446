// A negotiation: what negotiate.c goes on with, and what weigh.c tells it of the paths.
#ifndef WL_NEGOTIATE_H
#define WL_NEGOTIATE_H

#include "route.h"

enum { NOT_LATE = 2 }; // more than any weight

typedef struct {
  wl_routes *r;
  wl_placement *p;
  wl_timing *timing; // of the last wl_weigh()
  wl_search *s;
  const wl_route_options *o;
  float need[CLOCKS][CLOCKS]; // ps that paths may take; of the first clock 0 until that is known
  int *order;                 // of the nets in a pass
  float *weight;              // of each net's most critical connection; slight ones are 0
  float late;                 // weight from which a connection is on a path that is too long
  int pass;
  int64_t steps; // of all passes
  bool early;    // the first clock's aim is still what the passes come to
  double begun, said;
} wl_negotiation;

// weigh.c. Weights of connections: their criticality against what paths may take, so that one path
// that is far too long does not make all others look short.
void wl_weigh_start(wl_negotiation *t);  // by distance, and the order of the first pass
void wl_weigh(wl_negotiation *t);        // as routed, and the order of the next pass
double wl_over(const wl_negotiation *t); // ps that paths of other clocks are too long
void wl_aim_lower(wl_negotiation *t);    // of the first clock, where its paths are short enough
void wl_aim_higher(wl_negotiation *t);   // of the first clock
void wl_weigh_end(wl_negotiation *t);

#endif
