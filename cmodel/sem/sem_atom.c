/* Memory values: sizes, extension of loaded values, atomic operations (PTX 9.7.9.8, 9.7.13.6).
 * Who performs an atomic, and in which order, is the memory system's matter. */
#include <string.h>

#include "cmodel/sem/sem.h"

unsigned wl_sem_type_bytes(wl_mem_type_t type) {
  switch (type) {
  case WL_MEM_TYPE_U8:
  case WL_MEM_TYPE_S8:
  case WL_MEM_TYPE_B8:
    return 1;
  case WL_MEM_TYPE_U16:
  case WL_MEM_TYPE_S16:
  case WL_MEM_TYPE_B16:
    return 2;
  case WL_MEM_TYPE_B32:
  case WL_MEM_TYPE_U32:
  case WL_MEM_TYPE_S32:
  case WL_MEM_TYPE_F32:
    return 4;
  case WL_MEM_TYPE_B64:
  case WL_MEM_TYPE_U64:
  case WL_MEM_TYPE_S64:
    return 8;
  case WL_MEM_TYPE_B128:
    return 16;
  case WL_NUM_MEM_TYPE:
    break;
  }
  return 0;
}

uint32_t wl_sem_load_word(wl_mem_type_t type, uint32_t raw) {
  switch (type) {
  case WL_MEM_TYPE_U8:
  case WL_MEM_TYPE_B8:
    return raw & 0xff;
  case WL_MEM_TYPE_S8:
    return (uint32_t)(int32_t)(int8_t)raw;
  case WL_MEM_TYPE_U16:
  case WL_MEM_TYPE_B16:
    return raw & 0xffff;
  case WL_MEM_TYPE_S16:
    return (uint32_t)(int32_t)(int16_t)raw;
  default:
    return raw;
  }
}

static bool less(wl_mem_type_t type, uint64_t a, uint64_t b) {
  switch (type) {
  case WL_MEM_TYPE_S32:
    return (int32_t)a < (int32_t)b;
  case WL_MEM_TYPE_S64:
    return (int64_t)a < (int64_t)b;
  default:
    return a < b;
  }
}

uint64_t wl_sem_atom(wl_atom_op_t op, wl_mem_type_t type, bool ftz, uint64_t old, uint64_t b,
                     uint64_t c) {
  const uint64_t all = wl_sem_type_bytes(type) == 8 ? UINT64_MAX : UINT32_MAX;
  old &= all;
  b &= all;
  switch (op) {
  case WL_ATOM_OP_ADD:
    if (type == WL_MEM_TYPE_F32)
      return wl_f32_add((uint32_t)old, (uint32_t)b, (wl_fp_mode_t){.ftz = ftz});
    return (old + b) & all;
  case WL_ATOM_OP_MIN:
    return less(type, b, old) ? b : old;
  case WL_ATOM_OP_MAX:
    return less(type, old, b) ? b : old;
  case WL_ATOM_OP_INC:
    return old >= b ? 0 : old + 1;
  case WL_ATOM_OP_DEC:
    return old == 0 || old > b ? b : old - 1;
  case WL_ATOM_OP_AND:
    return old & b;
  case WL_ATOM_OP_OR:
    return old | b;
  case WL_ATOM_OP_XOR:
    return old ^ b;
  case WL_ATOM_OP_EXCH:
    return b;
  case WL_ATOM_OP_CAS:
    return old == b ? c & all : old;
  case WL_ATOM_OP_NONE:
  case WL_NUM_ATOM_OP:
    break;
  }
  return old;
}

static void atom_b128(wl_atom_op_t op, const uint32_t *old, const uint32_t *b, const uint32_t *c,
                      uint32_t *value) {
  const size_t bytes = WL_SEM_ATOM_WORDS * sizeof *value;
  const uint32_t *from = old;
  if (op == WL_ATOM_OP_EXCH)
    from = b;
  else if (op == WL_ATOM_OP_CAS && memcmp(old, b, bytes) == 0)
    from = c;
  memcpy(value, from, bytes);
}

static uint64_t joined(const uint32_t *word, bool wide) {
  return wide ? word[0] | (uint64_t)word[1] << 32 : word[0];
}

void wl_sem_atom_words(wl_atom_op_t op, wl_mem_type_t type, bool ftz, const uint32_t *old,
                       const uint32_t *b, const uint32_t *c, uint32_t *value) {
  const unsigned bytes = wl_sem_type_bytes(type);
  if (bytes == 16) {
    atom_b128(op, old, b, c, value);
    return;
  }
  const bool wide = bytes == 8;
  const uint64_t result =
      wl_sem_atom(op, type, ftz, joined(old, wide), joined(b, wide), joined(c, wide));
  value[0] = (uint32_t)result;
  if (wide) value[1] = (uint32_t)(result >> 32);
}
