/* history.h: random histories of mbarriers: kernels whose threads meet at a few objects in phases,
 * by every operation and wait of PTX 9.7.13.15, and end with a memory that PTX determines.
 *
 * Threads belong to classes, each with code of its own; the classes of a warp diverge. A history is a
 * row of stages. In a stage the classes that take part in an object go through some of its phases:
 * each thread arrives, by any operations, as often as the object counts for it, and waits. An object
 * may be several mbarriers side by side: the thread's rank in its class says which of them it means,
 * so that lanes with the same code wait for different ones.
 *
 * Why it ends: in the first stage that is not complete every participant has only earlier ones to
 * wait for. Why one result: before its last arrival at a phase a thread has expected all
 * transactions that it will; who completes them waits for the phase; who waits for a phase is needed
 * for the next one. So no phase ends early, none is missed, and what a participant wrote before it
 * arrived can be read after the wait, until the reader arrives at the next phase. */
#ifndef WL_TESTS_MBARRIER_HISTORY_H
#define WL_TESTS_MBARRIER_HISTORY_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/random/program.h"

enum {
  HI_THREADS = 64,
  HI_CLASSES = 5,
  HI_OBJECTS = 4,
  HI_COPIES = 3,
  HI_STAGES = 10,
  HI_EPOCHS = 2,
  HI_PIECES = 12,
  HI_TEXT = 524288
};
/* Bulk copies: bytes in shared memory of a thread, of an mbarrier, of a source of a store; places that
 * loads come from; words that are reduced. */
enum {
  HI_BULK_OBJECTS = 3,
  HI_BULK_OWN = 48,
  HI_BULK_WIDE = 256,
  HI_BULK_SEND = 32,
  HI_BULK_SOURCES = 128,
  HI_BULK_SUMS = 8,
  HI_BULK_LONG = 640 /* of the long source of a class */
};

typedef enum hi_op {
  HI_EXPECT,
  HI_COMPLETE,
  HI_ARRIVE,
  HI_NO_COMPLETE,
  HI_ARRIVE_TX,
  HI_DROP,
  HI_DROP_NO_COMPLETE,
  HI_DROP_TX
} hi_op_t;

typedef struct hi_piece {
  hi_op_t op;
  uint32_t n;  /* arrivals or bytes, for one thread */
  bool all;    /* COMPLETE: by one thread for each mbarrier, what all classes expect: `due` */
  bool second; /* .. the second half of that; not `all`: the second of two */
} hi_piece_t;

/* What the threads of a class do in a stage. */
typedef struct hi_role {
  bool in;
  hi_piece_t piece[HI_PIECES];
  unsigned pieces;
  bool leaves;  /* it has dropped all of its arrivals, and does not wait */
  bool later;   /* its wait comes after the next stage's pieces, of another object */
  bool relaxed; /* arrivals and waits, with fences */
} hi_role_t;

typedef struct hi_stage {
  unsigned object, phases;
  hi_role_t role[HI_CLASSES];
  uint32_t due[HI_COPIES]; /* bytes that one thread completes for all, in each phase */
} hi_stage_t;

typedef struct hi_history {
  uint64_t random;
  bool bulk;    /* the edition: loads complete transactions */
  bool sends;   /* .. and there are stores and reductions */
  unsigned one; /* .. of so many threads (a power of 2) one loads */
  bool duel;    /* lanes of a warp that wait for another warp, each at an object of its own */
  unsigned threads, classes, objects, epochs;
  uint8_t class_of[HI_THREADS], rank[HI_THREADS]; /* class_of = classes: leaves at once */
  unsigned copies[HI_OBJECTS];
  uint32_t count[HI_OBJECTS][HI_CLASSES]; /* arrivals of a thread at the start, 0: takes no part */
  uint32_t expected[HI_OBJECTS][HI_COPIES];
  hi_stage_t stage[HI_EPOCHS][HI_STAGES];
  unsigned stages[HI_EPOCHS];
} hi_history_t;

uint32_t hi_below(hi_history_t *h, uint32_t n);
bool hi_chance(hi_history_t *h, uint32_t percent);
unsigned hi_members(const hi_history_t *h, unsigned class, unsigned object, unsigned copy);

/* history.c: history `index` of a seed; bulk: of the edition with bulk copies. */
void hi_plan(uint64_t seed, uint64_t index, bool bulk, hi_history_t *h);
static inline unsigned hi_one_in(const hi_history_t *h) { return h->one - 1; }
/* history_frame.c: its kernel, with its launch in comments (tests/random/program.h); one buffer, a word
 * for each thread; with bulk copies three more: what is loaded, stored, reduced, and stored or
 * reduced at length. The number of characters. */
size_t hi_text(hi_history_t *h, char *text, size_t cap);

#endif
