/* tensor/umma_place.c: docs/microarchitecture.md 25.3, 26.2: where the elements of A and B lie in
 * shared memory. */
#include "cmodel/tensor/umma.h"

enum { CHUNK = 16, ATOM = 128 };

/* Fields of a descriptor. */
enum { NONE = 0, BYTES_128_BY_32 = 1, BYTES_128 = 2, BYTES_64 = 4, BYTES_32 = 6 };

/* W. */
static uint32_t width(const wl_umma_operand_t *o) {
  switch (o->swizzle) {
  case BYTES_32:
    return 32;
  case BYTES_64:
    return 64;
  case BYTES_128:
  case BYTES_128_BY_32:
    return 128;
  default:
    return CHUNK;
  }
}

/* s(x). */
static uint32_t swizzled(const wl_umma_operand_t *o, uint32_t x) {
  const uint32_t h = (x / ATOM - o->base_offset) % 8;
  switch (o->swizzle) {
  case BYTES_32:
    return x ^ (h & 1) << 4;
  case BYTES_64:
    return x ^ (h & 3) << 4;
  case BYTES_128:
    return x ^ h << 4;
  case BYTES_128_BY_32:
    return x ^ (h & 3) << 5;
  default:
    return x;
  }
}

/* From a chunk of a row to the row's other one, K-major. */
static uint32_t to_second(const wl_umma_operand_t *o) {
  return o->swizzle == NONE ? o->lbo : CHUNK;
}

/* MN-major: so many k are one behind the other, W bytes from one to the next. */
static unsigned deep(const wl_umma_operand_t *o) { return o->swizzle == BYTES_128_BY_32 ? 4 : 8; }

/* T. */
static unsigned per_chunk(const wl_umma_operand_t *o) { return CHUNK / o->size; }

uint32_t wl_umma_row_chunk(const wl_umma_operand_t *o, unsigned row, unsigned j) {
  const unsigned n = row % WL_UMMA_ROWS, unit = row / WL_UMMA_ROWS;
  return swizzled(o, o->start + n * width(o) + unit * o->sbo + j * to_second(o));
}

/* MN-major: rows Tv .. Tv + T - 1 of element k. */
static uint32_t element_chunk(const wl_umma_operand_t *o, unsigned v, unsigned k) {
  const uint32_t w = width(o), across = w / CHUNK;
  if (o->swizzle == NONE) return o->start + v * o->sbo + k % 8 * CHUNK + k / 8 * o->lbo;
  return swizzled(o, o->start + v % across * CHUNK + v / across * o->lbo + k % deep(o) * w +
                         k / deep(o) * o->sbo);
}

unsigned wl_umma_halves(const wl_umma_operand_t *o) { return o->mn_major && o->size == 1 ? 4 : 2; }

uint32_t wl_umma_chunk(const wl_umma_operand_t *o, unsigned unit, unsigned g, unsigned n) {
  if (!o->mn_major) return wl_umma_row_chunk(o, unit * WL_UMMA_ROWS + n, g);
  switch (o->size) {
  case 1:
    return element_chunk(o, unit / 2, 8 * g + n);
  case 2:
    return element_chunk(o, unit, 8 * g + n);
  default:
    return element_chunk(o, 2 * unit + n / 4, 4 * g + n % 4);
  }
}

/* ---- ends */
/* Behind the chunk whose x is y. */
static uint32_t end_of(const wl_umma_operand_t *o, uint32_t y) {
  return o->swizzle == NONE ? y + CHUNK : (y / ATOM + 1) * ATOM;
}

uint32_t wl_umma_rows_end(const wl_umma_operand_t *o, unsigned rows, unsigned chunks) {
  const uint32_t units = rows < WL_UMMA_ROWS ? 1 : rows / WL_UMMA_ROWS;
  const uint32_t last = (rows < WL_UMMA_ROWS ? rows : WL_UMMA_ROWS) - 1;
  return end_of(o, o->start + last * width(o) + (units - 1) * o->sbo +
                       (chunks == 2 ? to_second(o) : 0));
}

uint32_t wl_umma_end(const wl_umma_operand_t *o, unsigned rows) {
  if (!o->mn_major) return wl_umma_rows_end(o, rows, 2);
  const uint32_t w = width(o), across = w / CHUNK;
  const uint32_t last = rows / per_chunk(o) - 1, blocks = 2 * per_chunk(o) / deep(o) - 1;
  uint32_t y = o->start;
  if (o->swizzle == NONE) {
    y += last * o->sbo + 7 * CHUNK + blocks * o->lbo;
  } else {
    const uint32_t q = last / across;
    y += (q == 0 ? CHUNK * last : w - CHUNK) + q * o->lbo + (deep(o) - 1) * w + blocks * o->sbo;
  }
  return end_of(o, y);
}
