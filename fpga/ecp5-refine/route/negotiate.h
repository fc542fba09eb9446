// A negotiation: what negotiate.c goes on with, and what weigh.c tells it of the paths.
#ifndef ER_NEGOTIATE_H
#define ER_NEGOTIATE_H

#include "route.h"

enum { NOT_LATE = 2 }; // more than any weight

typedef struct {
  er_routes *r;
  er_placement *p;
  er_timing *timing; // of the last er_weigh()
  er_search *s;
  const er_route_options *o;
  float need[CLOCKS][CLOCKS]; // ps that paths may take; of the first clock 0 until that is known
  int *order;                 // of the nets in a pass
  float *weight;              // of each net's most critical connection; slight ones are 0
  float late;                 // weight from which a connection is on a path that is too long
  int pass;
  int64_t steps; // of all passes
  bool early;    // the first clock's aim is still what the passes come to
  double begun, said;
} er_negotiation;

// weigh.c. Weights of connections: their criticality against what paths may take, so that one path
// that is far too long does not make all others look short.
void er_weigh_start(er_negotiation *t);  // by distance, and the order of the first pass
void er_weigh(er_negotiation *t);        // as routed, and the order of the next pass
double er_over(const er_negotiation *t); // ps that paths of other clocks are too long
void er_aim_lower(er_negotiation *t);    // of the first clock, where its paths are short enough
void er_aim_higher(er_negotiation *t);   // of the first clock
void er_weigh_end(er_negotiation *t);

#endif
