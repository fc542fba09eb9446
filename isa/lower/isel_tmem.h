/* isel_tmem.h: what the accesses of tensor memory and its products share. Private to isa/lower. */
#ifndef WL_ISA_LOWER_ISEL_TMEM_H
#define WL_ISA_LOWER_ISEL_TMEM_H
#include "isa/lower/isel_mem.h"

#define OPND(k) (&s->in->operands[k])
enum {
  GROUP = 4,       /* columns of an access of the machine */
  CLAMP = 31 << 8, /* of an exchange, beside the lane */
  LOW_HALVES = 0x5410,
  LOW = 0x4410,
  HIGH = 0x4432 /* bytes that a permutation takes */
};

typedef enum shape { WHOLE, B64, B128, B256, X2 } shape_t;

typedef struct access {
  shape_t shape;
  unsigned regs;        /* of the PTX vector */
  bool packed;          /* a column of the shape is two of tensor memory */
  wl_mreg_t at, second; /* addresses; second: of the other access of .16x32bx2 */
  wl_mreg_t lane;       /* %laneid, of the shapes with 16 lanes */
} access_t;

wl_mreg_t wl_tmem_address(wl_isel_t *s, const wl_ptx_operand_t *o); /* register and constant */
/* `vector` and `place`: the operands with the registers and the address. */
access_t wl_tmem_access(wl_isel_t *s, unsigned vector, unsigned place);
uint32_t wl_tmem_half(const access_t *a); /* modifiers of the machine's access */

/* ---- small steps, each into a temporary */
wl_mreg_t wl_tmem_and(wl_isel_t *s, wl_mreg_t a, uint32_t k);
wl_mreg_t wl_tmem_plus(wl_isel_t *s, wl_mreg_t a, uint32_t k);
wl_mreg_t wl_tmem_add(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b);
wl_mreg_t wl_tmem_right(wl_isel_t *s, wl_mreg_t a, uint32_t by);
wl_mreg_t wl_tmem_left(wl_isel_t *s, wl_mreg_t a, uint32_t by);
uint32_t wl_tmem_is_set(wl_isel_t *s, wl_mreg_t a, uint32_t bit);
/* a where p holds, else b */
wl_mreg_t wl_tmem_choose(wl_isel_t *s, uint32_t p, wl_mreg_t a, wl_mreg_t b);
wl_mreg_t wl_tmem_permute(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, uint32_t bytes);
/* v of the lane that `from` names; it has the clamp, too. */
wl_mreg_t wl_tmem_exchange(wl_isel_t *s, wl_mreg_t v, wl_mreg_t from);
wl_mreg_t wl_tmem_group(wl_isel_t *s, unsigned words);

void wl_tmem_load(wl_isel_t *s);    /* isel_tmem_ld.c */
void wl_tmem_store(wl_isel_t *s);   /* isel_tmem_st.c */
void wl_umma_product(wl_isel_t *s); /* isel_umma.c */
void wl_umma_copy(wl_isel_t *s);
void wl_umma_shift(wl_isel_t *s);
void wl_umma_commit(wl_isel_t *s);

#endif
