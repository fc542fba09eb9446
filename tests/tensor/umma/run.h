/* run: tiles of D on a machine (bits.h). */
#ifndef WL_TESTS_TENSOR_UMMA_RUN_H
#define WL_TESTS_TENSOR_UMMA_RUN_H
#include "machine.h"

/* The words of D after a chain of products, columns one behind the other, of each item. */
typedef uint32_t bits_tile_t[BITS_N][BITS_M];

/* Items `first` and following, a CTA for each; the first `columns` columns of D. */
bool bits_run(bits_machine_t *m, const bits_form_t *f, unsigned kind, unsigned first,
              unsigned count, unsigned columns, bits_tile_t *out);
#endif
