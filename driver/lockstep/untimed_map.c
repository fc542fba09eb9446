/* untimed_map.c: see untimed.h. A hash table by key with linear probing; a sequence that both sides
 * have reached equally leaves the table, so that it stays as small as the sides are apart. */
#include "driver/lockstep/untimed.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_PLACES = 4096, FIRST_ITEMS = 8192 };

bool wl_flows_open(wl_flows_t *f) {
  *f = (wl_flows_t){.places = FIRST_PLACES, .items = FIRST_ITEMS};
  f->flow = calloc(f->places, sizeof *f->flow);
  f->item = calloc(f->items, sizeof *f->item);
  if (f->flow == NULL || f->item == NULL) return false;
  for (uint32_t i = 1; i + 1 < f->items; i++)
    f->item[i].next = i + 1; /* 0 is nobody */
  f->free_item = 1;
  return true;
}

void wl_flows_close(wl_flows_t *f) {
  free(f->flow);
  free(f->item);
}

static size_t home(const wl_flows_t *f, wl_flow_key_t key) {
  uint64_t z = key.a * UINT64_C(0x9E3779B97F4A7C15) ^ key.b * UINT64_C(0xC2B2AE3D27D4EB4F);
  z = (z ^ (z >> 31)) * UINT64_C(0x94D049BB133111EB);
  return (size_t)(z >> 20) & (f->places - 1);
}

static size_t find(const wl_flows_t *f, wl_flow_key_t key) {
  size_t at = home(f, key);
  while (f->flow[at].head != 0 && (f->flow[at].key.a != key.a || f->flow[at].key.b != key.b))
    at = (at + 1) & (f->places - 1);
  return at;
}

/* Closes the gap: what follows moves up unless that is before its home. */
static void remove_flow(wl_flows_t *f, size_t gap) {
  const size_t mask = f->places - 1;
  for (size_t at = (gap + 1) & mask; f->flow[at].head != 0; at = (at + 1) & mask) {
    const size_t from_home = (at - home(f, f->flow[at].key)) & mask;
    if (from_home < ((at - gap) & mask)) continue;
    f->flow[gap] = f->flow[at];
    gap = at;
  }
  f->flow[gap].head = 0;
  f->used--;
}

static bool grow_places(wl_flows_t *f) {
  wl_flow_t *old = f->flow;
  const size_t n = f->places;
  wl_flow_t *more = calloc(2 * n, sizeof *more);
  if (more == NULL) return false;
  f->flow = more;
  f->places = 2 * n;
  for (size_t i = 0; i < n; i++)
    if (old[i].head != 0) f->flow[find(f, old[i].key)] = old[i];
  free(old);
  return true;
}

static uint32_t take_item(wl_flows_t *f) {
  if (f->free_item == 0) {
    const uint32_t n = f->items;
    wl_flow_item_t *more =
        n < UINT32_MAX / 2 ? realloc(f->item, 2 * (size_t)n * sizeof *more) : NULL;
    if (more == NULL) return 0;
    f->item = more;
    f->items = 2 * n;
    for (uint32_t i = n; i < 2 * n; i++)
      more[i].next = i + 1 < 2 * n ? i + 1 : 0;
    f->free_item = n;
  }
  const uint32_t i = f->free_item;
  f->free_item = f->item[i].next;
  return i;
}

static bool push(wl_flows_t *f, size_t at, unsigned side, wl_flow_key_t key,
                 const wl_flow_item_t *own) {
  const uint32_t i = take_item(f);
  if (i == 0 || (f->used * 2 > f->places && !grow_places(f))) {
    f->broken = true;
    return true;
  }
  at = find(f, key); /* the table may have grown */
  f->item[i] = *own;
  f->item[i].next = 0;
  wl_flow_t *flow = &f->flow[at];
  if (flow->head == 0) {
    *flow = (wl_flow_t){key, i, i, side};
    f->used++;
  } else {
    f->item[flow->tail].next = i;
    flow->tail = i;
  }
  return true;
}

bool wl_flows_event(wl_flows_t *f, unsigned side, wl_flow_key_t key, const wl_flow_item_t *own,
                    wl_flow_item_t *other) {
  const size_t at = find(f, key);
  wl_flow_t *flow = &f->flow[at];
  if (flow->head == 0 || flow->side == side) return push(f, at, side, key, own);
  const uint32_t i = flow->head;
  *other = f->item[i];
  flow->head = f->item[i].next;
  f->item[i].next = f->free_item;
  f->free_item = i;
  if (flow->head == 0) remove_flow(f, at);
  f->matched++;
  return other->value == own->value;
}

const wl_flow_t *wl_flows_left(const wl_flows_t *f) {
  const wl_flow_t *first = NULL;
  for (size_t i = 0; i < f->places; i++) {
    const wl_flow_t *flow = &f->flow[i];
    if (flow->head != 0 &&
        (first == NULL || f->item[flow->head].cycle < f->item[first->head].cycle))
      first = flow;
  }
  return first;
}
