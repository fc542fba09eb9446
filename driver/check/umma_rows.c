/* umma_rows.c: which operands of products are written (umma_rows.h). */
#include "driver/check/umma_rows.h"

uint32_t check_chunk_bytes(const tmem_touch_t *u, uint32_t offset) {
  const cmp_access_t a = {.space = WL_MEM_SPACE_SHARED, .bytes = UMMA_CHUNK, .address = offset};
  return check_written_bytes(u->check, u->sm, u->warp, &a, u->lane);
}

/* Elements `first` to `first` + n - 1 of a chunk, of so many bits: bit = byte. */
static uint32_t bytes_of(uint32_t first, uint32_t n, uint32_t bits) {
  const uint32_t low = first * bits / 8, high = ((first + n) * bits + 7) / 8;
  return ((1u << high) - 1) & ~((1u << low) - 1);
}

bool check_row_written(const tmem_touch_t *u, const umma_product_t *p, unsigned which,
                       uint32_t row) {
  const umma_operand_t *o = &p->operand[which];
  const uint32_t bits = umma_bits(p, which);
  bool good = true;
  for (uint32_t k = 0; k < 2 * o->elements && good; k += o->mn ? 1 : o->elements) {
    uint32_t number;
    const uint32_t at = umma_chunk(o, row, k, &number);
    const uint32_t need = o->mn ? bytes_of(number, 1, bits) : bytes_of(0, o->elements, bits);
    good = (~check_chunk_bytes(u, at) & need) == 0;
  }
  return good;
}

uint32_t check_scale_bytes(const umma_product_t *p, unsigned which) {
  const uint32_t id = which == 0 ? umma_field(p->i, 30, 29) : umma_field(p->i, 5, 4);
  return p->op == WL_UMMA_MXF8F6F4 ? 1u << id : p->by16 ? TMEM_ALL : 3u << id;
}
