/* overlap_list.h: the cases of test_overlap. */
#ifndef WL_TESTS_ORACLE_OVERLAP_LIST_H
#define WL_TESTS_ORACLE_OVERLAP_LIST_H
#include <stddef.h>
#include <stdint.h>

/* PTX before the kernel, and its beginning: registers %h %w %x %f %p to be used by cases, their
 * first values %bh %bw %bx %bf %bp, addresses of 128 bytes of the lane in every space. */
extern const char wl_overlap_functions[], wl_overlap_head[];

enum { WL_OVERLAP_SLOTS = 10 };
/* One case: PTX lines in which `#k` stands for the address of result k, 8 bytes for every lane.
 * source: not NULL for a vector move: result k is first value source[k] of the class `letter`. */
typedef struct wl_overlap {
  const char *text;
  char letter;
  const unsigned *source;
} wl_overlap_t;
typedef void (*wl_overlap_row_t)(void *context, const wl_overlap_t *c);

/* Calls `row` for every case. */
void wl_overlap_list(wl_overlap_row_t row, void *context);

/* For the parts of the list. */
typedef struct wl_overlap_out {
  wl_overlap_row_t row;
  void *context;
  char text[4096];
  size_t n;
  unsigned slot;
} wl_overlap_out_t;
void wl_overlap_start(wl_overlap_out_t *o);
__attribute__((format(printf, 2, 3))) void wl_overlap_put(wl_overlap_out_t *o, const char *fmt,
                                                          ...);
/* Registers 0 .. n-1 of a class get their first values; or addresses base, base + 16, .. */
void wl_overlap_values(wl_overlap_out_t *o, char letter, unsigned n);
void wl_overlap_addresses(wl_overlap_out_t *o, char letter, const char *base);
/* The next result is this register, less `base` when that is not NULL. */
void wl_overlap_dump(wl_overlap_out_t *o, char letter, unsigned reg, const char *base);
void wl_overlap_done(wl_overlap_out_t *o);
void wl_overlap_moves(wl_overlap_out_t *o);  /* overlap_moves.c */
void wl_overlap_memory(wl_overlap_out_t *o); /* overlap_memory.c */
void wl_overlap_lanes(wl_overlap_out_t *o);  /* overlap_lanes.c: exchange, predicates */
void wl_overlap_matrix(wl_overlap_out_t *o); /* overlap_matrix.c */
void wl_overlap_calls(wl_overlap_out_t *o);  /* overlap_calls.c */
void wl_overlap_wide(wl_overlap_out_t *o);   /* overlap_wide.c: 128 and 256 bits, halves, carries */
void wl_overlap_atom128(wl_overlap_out_t *o); /* overlap_atom.c */

#endif
