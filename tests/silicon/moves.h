/* moves: ldmatrix, stmatrix and movmatrix (9.7.14.5.15 ff.) with labelled elements, as recorded on
 * silicon: where every element goes. Each is a kernel of one warp. */
#ifndef WL_TESTS_SILICON_MOVES_H
#define WL_TESTS_SILICON_MOVES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOVES_WORDS = 128, MOVES_TEXT = 2048, MOVES_PTX = 16384 };

typedef enum moves_kind { MOVES_LOAD, MOVES_STORE, MOVES_TRANSPOSE } moves_kind_t;

typedef struct moves {
  moves_kind_t kind;
  char name[80]; /* the instruction; with "other lanes anywhere" its line in the record */
  unsigned matrices;
  bool trans, anywhere; /* lanes whose address does not count have one outside shared memory */
} moves_t;

const moves_t *moves_at(unsigned index); /* NULL behind the last; the last one is gone */
/* A kernel `moves` (.param .u64 out): register r of lane l goes to word 32 r + l of out, or (store)
 * 512 bytes of shared memory, which held ff before, go there. */
void moves_kernel(const moves_t *m, char *ptx, size_t cap);
void moves_rule(const moves_t *m, uint32_t result[MOVES_WORDS]);
void moves_text(const moves_t *m, const uint32_t result[MOVES_WORDS], char text[MOVES_TEXT]);
#endif
