/* State of mem/smem.c (docs/microarchitecture.md 11). */
#ifndef WL_CMODEL_MEM_SMEM_H
#define WL_CMODEL_MEM_SMEM_H

#include "cmodel/gpu/wires.h"

/* A delivery is due D + 2 cycles after its pass: the ring, a power of two, is longer. */
enum { WL_SMEM_RING = 16, WL_SMEM_RESULTS = 4 };
_Static_assert(WL_SMEM_SERIAL_STEP + 2 < WL_SMEM_RING, "deliveries of serial atomics");

typedef struct wl_smem_write { /* bank writes of an atomic pass, due in W */
  uint32_t word, value;
} wl_smem_write_t;

typedef struct wl_smem_delivery {
  bool valid, last;                          /* last: of the request */
  uint8_t slot, beat, buffer, words, signal; /* words: bit = word of the buffer */
  uint32_t lanes;
} wl_smem_delivery_t;

typedef struct wl_smem_misuse { /* of mbarriers, by a request: its first lane */
  bool any;
  uint8_t lane;
  uint32_t address;
} wl_smem_misuse_t;

typedef struct wl_smem {
  uint32_t *words; /* by word address; bank = address mod SmemBanks; allocated by the SM */
  /* the request being served */
  bool busy;
  uint8_t slot, kind, type, atom, mbar, beat, signal;
  uint32_t lanes;          /* all of the request */
  uint8_t bytes, count;    /* of a lane's access: bytes, words */
  uint8_t step, part;      /* words of it that a pass handles; lanes of a part */
  bool atomic, serial;     /* ATOM, MBAR; one that one lane does at a time */
  uint8_t duration;        /* D of section 11 */
  uint8_t word;            /* first word of the part under way */
  uint32_t pending, later; /* lanes of the part under way; of the parts after it */
  uint8_t wait;            /* cycles until the next pass (or the end) after this one */
  uint8_t buffer;          /* results are gathered here */
  uint32_t address[WL_LANES];
  uint32_t data[4][WL_LANES], swap[4][WL_LANES];
  /* the pass of the cycle before: its access happens now */
  uint32_t served;
  uint8_t served_word; /* its first word */
  /* atomic results on their way to the banks */
  uint64_t write_cycle;
  unsigned writes;
  wl_smem_write_t write[2 * WL_LANES];
  bool completes; /* the write completes a phase of an mbarrier */
  uint32_t gen;   /* phases completed, 31 bits */
  /* deliveries, index = cycle modulo */
  wl_smem_delivery_t deliver[WL_SMEM_RING];
  uint32_t result[WL_SMEM_RESULTS][4][WL_LANES];
  wl_smem_misuse_t misuse[WL_SMEM_RESULTS]; /* by buffer */
  /* What a chunk load found (11b), by cycle of the access modulo 2, by bank. */
  uint32_t chunk_data[2][WL_MOST_SMEM_BANKS];
} wl_smem_t;

void wl_smem_reset(wl_smem_t *m, const wl_env_t *env); /* not the words */
void wl_smem_out(const wl_smem_t *m, const wl_env_t *env, wl_wires_t *w);
void wl_smem_update(wl_smem_t *m, const wl_env_t *env, const wl_wires_t *w);
/* mbarrier.c: the pass of an operation, which acts in `due`; of a test; an operation acts that completes a
 * phase. */
void wl_mbarrier_operate(wl_smem_t *m, uint64_t due);
void wl_mbarrier_test(wl_smem_t *m);
void wl_mbarrier_complete(wl_smem_t *m, const wl_env_t *env);
uint32_t wl_smem_busy(const wl_smem_t *m, const wl_env_t *env); /* bit of REST */

#endif
