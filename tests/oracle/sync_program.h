/* sync_program.h: the PTX text that executes one form of sync_list.h, and operands for it. */
#ifndef WL_TESTS_ORACLE_SYNC_PROGRAM_H
#define WL_TESTS_ORACLE_SYNC_PROGRAM_H
#include <stdint.h>

#include "tests/oracle/sync_list.h"

enum { WL_SYNC_PLACE = 192 }; /* bytes of memory of a thread that bulk copies are compared in */
enum { WL_SYNC_CAP = 16384, WL_SYNC_VARIANTS = 12, WL_SYNC_WORDS = 8, WL_SYNC_BLOCK = 64 };

/* How its operands are written. */
typedef struct wl_sync_variant {
  bool constant;  /* a number as it stands */
  bool optional;  /* the operand that may be left out is there */
  bool sink;      /* no destination */
  unsigned which; /* of the constants */
} wl_sync_variant_t;

/* Variant `index` of a form; false: it has no more. */
bool wl_sync_variant(const wl_sync_form_t *f, unsigned index, wl_sync_variant_t *out);

/* Kernel t(in, out), blocks of WL_SYNC_BLOCK threads: a thread reads WL_SYNC_WORDS words of 32 bits
 * and writes two of 64; of WL_SYNC_BULK then WL_SYNC_PLACE bytes of each follow. */
size_t wl_sync_program(const wl_sync_form_t *f, const wl_sync_variant_t *v, char *text);

/* The words of one thread. Of mbarriers: E, arrivals before, transactions before (signed), operand,
 * transactions and arrivals that end the phase then, the guard, phases before. */
void wl_sync_operands(const wl_sync_form_t *f, const wl_sync_variant_t *v, uint64_t *state,
                      uint32_t words[WL_SYNC_WORDS]);

/* What a form does with an mbarrier. */
typedef enum wl_sync_kind {
  WL_SYNC_OTHER,
  WL_SYNC_OPERATION,
  WL_SYNC_WAIT,
  WL_SYNC_PENDING,
  WL_SYNC_BULK
} wl_sync_kind_t;
wl_sync_kind_t wl_sync_kind(const wl_sync_form_t *f);
bool wl_sync_says(const wl_sync_form_t *f, const char *modifier); /* ".expect_tx": the whole word */
/* The constant of a variant, and of one whose operand is left out the number that it stands for; 0:
 * the operand is in a register. */
uint32_t wl_sync_fixed(const wl_sync_form_t *f, const wl_sync_variant_t *v);

#endif
