/* writers.h: which instruction writes a register, from the records of one side (docs/lockstep.md,
 * "The report"). A warp has at most one instruction in flight with a given destination
 * (docs/microarchitecture.md 5), so the writer is the last one issued that has it; it is in flight
 * until each of its lanes is written. Only reports read this. */
#ifndef WL_LOCKSTEP_WRITERS_H
#define WL_LOCKSTEP_WRITERS_H
#include <stdint.h>

#include "driver/include/warplock_cosim.h"
#include "driver/trace/pages.h"

/* What can be written of a warp: registers 0 to 254, then these. */
enum { WL_THING_XBUF = 255, WL_THING_PRED = 256, WL_THINGS = WL_THING_PRED + 7 };

typedef struct wl_writer {
  uint64_t cycle;          /* of its issue */
  uint32_t pc, exec, left; /* left: lanes of exec that are not written yet */
} wl_writer_t;

/* An LSU slot's instruction: slots are given in turn to the LSU instructions that issue with any lane
 * (docs/microarchitecture.md 10). */
typedef struct wl_lsu_note {
  unsigned warp;
  wl_writer_t by; /* exec 0: none */
} wl_lsu_note_t;
enum { WL_LSU_SLOTS = 16 };

typedef struct wl_writers {
  wl_writer_t of[WL_MOST_WARPS][WL_THINGS];
  wl_lsu_note_t lsu[WL_LSU_SLOTS];
  unsigned next_slot;
  bool lost; /* the next slot is not known: a trap has cleared the unit */
} wl_writers_t;
void wl_writers_start(wl_writers_t *w, bool trapped); /* a launch; trapped: the one before was */
/* The instruction that a packet or response of the LSU is of, NULL: not one, or not known. */
const wl_lsu_note_t *wl_writers_port(const wl_writers_t *w, unsigned kind, const uint32_t *words);

/* What a record writes: false if it writes nothing of a warp. */
typedef struct wl_write {
  unsigned warp, thing;
  uint32_t lanes;
} wl_write_t;
bool wl_writers_read(const wl_config_t *config, const wl_pages_t *pages, unsigned kind,
                     const uint32_t *words, wl_write_t *out);
/* The instruction in flight that writes this, NULL: none. */
const wl_writer_t *wl_writers_find(const wl_writers_t *w, const wl_write_t *write);
/* The records of a cycle, in this order: its writes are of earlier issues. */
void wl_writers_wrote(wl_writers_t *w, const wl_write_t *write);
void wl_writers_issue(wl_writers_t *w, const wl_config_t *config, const uint32_t insn[4],
                      const uint32_t *issue, uint64_t cycle);
void wl_writers_note(wl_writers_t *w, const wl_config_t *config, const wl_pages_t *pages,
                     const uint8_t *code, uint64_t code_bytes, const wl_cosim_record_t *records,
                     unsigned n, uint64_t cycle);
/* "r2", "p1", "exchange buffer" */
const char *wl_thing_name(unsigned thing, char *out, size_t cap);

#endif
