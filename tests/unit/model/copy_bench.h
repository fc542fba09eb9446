/* Programs that give the copy engine commands (docs/microarchitecture.md 23), and what is seen of its entries
 * in each cycle. The commands stand in a loop of two rounds. In the first one no lane executes them: the
 * second one misses no instruction. */
#ifndef WL_TESTS_UNIT_MODEL_COPY_BENCH_H
#define WL_TESTS_UNIT_MODEL_COPY_BENCH_H

#include "tests/unit/model/journal.h"

enum { COPY_N = 2, COPY_MOST = 40, COPY_OBJECT = 0x3f8, COPY_ALL = 32, COPY_WORD = 0x900 };

typedef struct wl_copy_bench {
  wl_bench_t b;
  const wl_config_t *cfg;
  bool pair; /* a sector of shared memory is one request */
  uint32_t loop, lane;
  uint64_t accepted[COPY_MOST], read[COPY_MOST], aged[COPY_MOST], freed[COPY_MOST]; /* first cycle
      in which it is visible of the n-th command; 0: never */
  unsigned oldest[COPY_MOST]; /* greatest age of the n-th command */
  unsigned commands;
} wl_copy_bench_t;

extern wl_run_journal_t copy_journal;

/* Word w of shared memory is COPY_WORD + w; the mbarrier's words; word w from DATA on is 0x5000 + w. `lane`:
 * the one that executes what has P1 as its guard, or COPY_ALL. With two CTAs the first one only exits. */
void copy_open(wl_copy_bench_t *c, wl_config_id_t config, bool reverse, uint32_t ctas,
               uint32_t lane, uint32_t object_low, uint32_t object_high);
/* Operands of command `slot`, in R24 + 8 slot on; g increases by 32 from lane to lane. */
void copy_operands(wl_copy_bench_t *c, unsigned slot, uint64_t g, uint32_t s, uint32_t k,
                   uint32_t m);
void copy_body(wl_copy_bench_t *c);                                       /* the loop begins here */
uint32_t copy_command(wl_copy_bench_t *c, wl_form_t form, unsigned slot); /* its pc */
uint32_t copy_control(wl_copy_bench_t *c, wl_form_t form, uint32_t imm);  /* likewise */
void copy_run(wl_copy_bench_t *c);
int copy_close(wl_copy_bench_t *c, const char *what); /* failures */
/* The cycle in which an instruction issues for the n-th time with lanes that execute; 0: it does not. */
uint64_t copy_issue(uint32_t pc, unsigned n);
/* The n-th packet, response of the engine; zeros: there are fewer. */
wl_event_t copy_packet(unsigned n);
wl_event_t copy_response(unsigned n);

#endif
