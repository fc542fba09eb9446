/* untimed.h: the untimed mode of a cosim. docs/cosim.md. First: sequences of effects of two sides
 * that are matched in order, whichever side is ahead. Then: what is known of each side. */
#ifndef WL_LOCKSTEP_UNTIMED_H
#define WL_LOCKSTEP_UNTIMED_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/lockstep/cosim.h"

/* What a sequence is about; a and b are made and read by untimed.c only. */
typedef struct wl_flow_key {
  uint64_t a, b;
} wl_flow_key_t;

typedef struct wl_flow_item {
  uint64_t cycle; /* of its side */
  uint32_t value, next;
  wl_writer_t writer; /* the instruction that did it; exec 0: not known */
} wl_flow_item_t;

typedef struct wl_flow {
  wl_flow_key_t key;
  uint32_t head, tail; /* items of the side that is ahead; head 0: the place is empty */
  uint32_t side;
} wl_flow_t;

/* Holds only the sequences in which one side is ahead. */
typedef struct wl_flows {
  wl_flow_t *flow; /* open addressing */
  wl_flow_item_t *item;
  size_t places, used; /* places: power of two */
  uint32_t items, free_item;
  uint64_t matched;
  bool broken; /* out of memory */
} wl_flows_t;

bool wl_flows_open(wl_flows_t *f);
void wl_flows_close(wl_flows_t *f);
/* An effect of a side: true if it waits for the other side or equals the other's. False: they
 * differ, and *other is the other side's. */
bool wl_flows_event(wl_flows_t *f, unsigned side, wl_flow_key_t key, const wl_flow_item_t *own,
                    wl_flow_item_t *other);
/* The oldest effect without counterpart, NULL: none. */
const wl_flow_t *wl_flows_left(const wl_flows_t *f);

/* Upper byte of a key. In a key of a thread: a = class, CTA (48 bits), warp of the CTA (8 bits), b
 * = what << 8 | lane. */
enum {
  FLOW_ISSUE,
  FLOW_RF,
  FLOW_PRED,
  FLOW_LOCAL,
  FLOW_SHARED,
  FLOW_STORE,
  FLOW_ATOMIC,
  FLOW_CTA,
  FLOW_TRAP,
  FLOW_CLASSES
};

typedef struct wl_untimed_warp {
  uint8_t index; /* in its CTA */
  uint64_t cta;
  uint32_t last[32]; /* last issue of each lane: pc << 1 | executed, + 1 */
  wl_issue_note_t note;
} wl_untimed_warp_t;

typedef struct wl_untimed_side {
  uint64_t cycle, issues;
  bool trapped;
  wl_untimed_warp_t warp[WL_MOST_WARPS];
  uint64_t cta[WL_MOST_CTAS], cta_warps[WL_MOST_CTAS];
  wl_pages_t pages;
  wl_writers_t writers; /* by the records before this cycle */
  uint32_t *shared;     /* words as written since the CTA was placed */
  uint8_t *shared_by;   /* bytes of each word that were written */
} wl_untimed_side_t;

struct wl_untimed {
  wl_flows_t flows;
  wl_untimed_side_t side[2];
  uint32_t nctaid[2], smem_units;
  uint64_t local_base, local_bytes;
  uint64_t count[FLOW_CLASSES]; /* effects of the core under test */
  bool differs;                 /* the first difference: */
  unsigned by;                  /* the side that came second */
  wl_flow_key_t key;
  wl_flow_item_t own, other;
};

/* The records of a cycle of a side become effects. */
void wl_untimed_take(wl_cosim_t *c, unsigned side, const wl_cosim_record_t *records, unsigned n);
void wl_untimed_reference(wl_cosim_t *c); /* one cycle of the reference */

#endif
