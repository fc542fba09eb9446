/* tensor/umma_place.c: docs/microarchitecture.md 25.3: where the elements of A and B lie in shared memory. */
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

uint32_t wl_umma_chunk(const wl_umma_operand_t *o, unsigned unit, unsigned g, unsigned n) {
  const uint32_t w = width(o), across = w / CHUNK;
  if (!o->mn_major) return swizzled(o, o->start + n * w + unit * o->sbo + g * to_second(o));
  if (o->swizzle == NONE) return o->start + unit * o->sbo + n * CHUNK + g * o->lbo;
  return swizzled(o,
                  o->start + unit % across * CHUNK + unit / across * o->lbo + n * w + g * o->sbo);
}

uint32_t wl_umma_end(const wl_umma_operand_t *o, unsigned rows) {
  const uint32_t w = width(o), across = w / CHUNK, last = rows / WL_UMMA_ROWS - 1;
  uint32_t y = o->start;
  if (!o->mn_major) {
    y += 7 * w + last * o->sbo + to_second(o);
  } else if (o->swizzle == NONE) {
    y += last * o->sbo + 7 * CHUNK + o->lbo;
  } else {
    const uint32_t q = last / across;
    y += (q == 0 ? CHUNK * last : w - CHUNK) + q * o->lbo + 7 * w + o->sbo;
  }
  return o->swizzle == NONE ? y + CHUNK : (y / ATOM + 1) * ATOM;
}
