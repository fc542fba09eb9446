/* machine: a kernel whose CTAs give a chain of four products in tensor memory each. A CTA has a block of memory: head,
 * image of shared memory, columns of tensor memory (128 words each). */
#ifndef WL_TESTS_TENSOR_UMMA_MACHINE_H
#define WL_TESTS_TENSOR_UMMA_MACHINE_H
#include "bits.h"
#include "driver/include/warplock.h"

typedef struct machine_head {
  uint64_t descriptor[BITS_STEPS][2]; /* of A, of B */
  uint32_t i[BITS_STEPS];             /* instruction descriptors */
  uint32_t scales[BITS_STEPS][2];     /* columns, of A, of B */
  uint32_t d, unused[3];              /* d: address of D, behind the CTA's first column */
} machine_head_t;
enum { MACHINE_HEAD = 128 };
/* The head of a form's products of a and b. Scales lie behind the columns of D, in sets of so many columns: the words
 * of A, then those of B. A set has the scales of as many steps as a word has bytes for. */
machine_head_t machine_head(const bits_form_t *f, const umma_matrix_t *a, const umma_matrix_t *b,
                            unsigned set_columns);

typedef struct bits_machine {
  wl_device_t *device;
  wl_module_t *module;
  wl_function_t *function;
  uint64_t cycles; /* of all launches */
} bits_machine_t;

bool bits_load(bits_machine_t *m, const bits_form_t *f);
/* `count` blocks with so many columns and bytes of an image, a CTA each; out: the first n columns of each. */
wl_status_t machine_launch(bits_machine_t *m, unsigned count, unsigned n, unsigned columns,
                           unsigned image, const uint8_t *in, size_t block, uint32_t *out);
/* Says what failed, if something did. */
bool machine_failed(const bits_machine_t *m, const char *what, wl_status_t s);
#endif
