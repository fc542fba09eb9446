/* State of async/copy.c, async/copy_walk.c (docs/microarchitecture.md 23). */
#ifndef WL_CMODEL_ASYNC_COPY_H
#define WL_CMODEL_ASYNC_COPY_H

#include "cmodel/gpu/wires.h"

enum { WL_COPY_WORDS = 5 }; /* operands of a command: global address, offset, bytes; b */

typedef struct wl_command {
  uint8_t kind, type, atom; /* wl_mem_kind_t BLOAD, BSTORE or BRED, wl_mem_type_t, wl_atom_op_t */
  uint8_t warp, lane;
  uint32_t pc;
  uint64_t global;
  uint32_t shared, bytes; /* shared: the CTA's base included */
  uint32_t m;             /* LOAD: byte address of the mbarrier; STORE: byte mask */
  bool walked;            /* asked for all of its sectors */
  bool drained, signalled;
  uint32_t acks; /* packets granted and not answered */
} wl_command_t;

static inline bool wl_copy_loads(const wl_command_t *e) { return e->kind == WL_MEM_KIND_BLOAD; }

typedef enum wl_copy_state { WL_COPY_FREE, WL_COPY_ASKED, WL_COPY_READY } wl_copy_state_t;

typedef struct wl_copy_row { /* a sector on its way */
  uint8_t state, entry;
  bool last;         /* sector of its command */
  uint8_t halves;    /* present ones; bit: half */
  uint64_t sector;   /* of global memory */
  uint32_t chunk[2]; /* shared address of each half */
  uint32_t data[8];
} wl_copy_row_t;

typedef struct wl_copy_engine {
  bool awake;                          /* an entry is used, or a COPY is past issue */
  bool way;                            /* copy_way */
  uint32_t word[WL_COPY_WORDS];        /* operands of that COPY, from its last X1 on */
  wl_bulk_t group[WL_MOST_COPY_QUEUE]; /* of the entries below: used, and what waits look at */
  wl_command_t entry[WL_MOST_COPY_QUEUE];
  uint8_t put, walk, fin;
  wl_copy_row_t row[WL_MOST_COPY_ROWS];
  uint8_t head, tail;
  uint32_t at;               /* sector of the command that walks */
  bool second, drain_second; /* SmemBanks = 4: the next request is the second half's */
} wl_copy_engine_t;

void wl_copy_reset(wl_copy_engine_t *c, const wl_env_t *env);
bool wl_copy_available(const wl_copy_engine_t *c);
void wl_copy_out(const wl_copy_engine_t *c, const wl_env_t *env, wl_wires_t *w);
void wl_copy_update(wl_copy_engine_t *c, const wl_env_t *env, const wl_wires_t *w);
uint32_t wl_copy_busy(const wl_copy_engine_t *c, const wl_env_t *env); /* bit of REST */

/* copy_walk.c: what the command that walks and the row that drains ask of the SM port and of the chunk port;
 * the entry whose last row is read in this cycle, -1: none; a cycle of all rows. */
void wl_copy_walk_out(const wl_copy_engine_t *c, const wl_env_t *env, wl_wires_t *w);
int wl_copy_read(const wl_copy_engine_t *c, const wl_wires_t *w);
void wl_copy_walk_update(wl_copy_engine_t *c, const wl_env_t *env, const wl_wires_t *w);

#endif
