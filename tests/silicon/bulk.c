#include "tests/silicon/bulk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/silicon/op.h"
#include "tests/silicon/reduce.h"

static const struct {
  const char *name;
  cuda_map_type_t type;
  unsigned bytes;
  const char *kinds;
} types[] = {{"u8", CUDA_MAP_U8, 1, "ll"},     {"u16", CUDA_MAP_U16, 2, "ll"},
             {"u32", CUDA_MAP_U32, 4, "ll"},   {"s32", CUDA_MAP_S32, 4, "ll"},
             {"u64", CUDA_MAP_U64, 8, "ll"},   {"s64", CUDA_MAP_S64, 8, "ll"},
             {"f16", CUDA_MAP_F16, 2, "XX"},   {"bf16", CUDA_MAP_BF16, 2, "YY"},
             {"f32", CUDA_MAP_F32, 4, "FF"},   {"f32.ftz", CUDA_MAP_F32_FTZ, 4, "FF"},
             {"tf32", CUDA_MAP_TF32, 4, "FF"}, {"tf32.ftz", CUDA_MAP_TF32_FTZ, 4, "FF"},
             {"f64", CUDA_MAP_F64, 8, "dd"}};
enum { TYPES = sizeof types / sizeof types[0] };
static const char *const ops[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
enum { OPS = sizeof ops / sizeof ops[0], SHOWN = 24 };

/* ---- Cases. Of each type: fill with zeros, with NaN, a load, the reductions. Then swizzles. */

/* add, and, or and xor of s64 are illegal instructions, as those of other pairs are no PTX. */
static bool possible(unsigned type, unsigned op) {
  bool is_float = types[type].kinds[0] != 'l', half = is_float && types[type].bytes == 2;
  if (types[type].bytes < 4 && !half) {
    return false;
  }
  return op == 0   ? types[type].type != CUDA_MAP_S64
         : op <= 2 ? half || !is_float
         : op <= 4 ? types[type].type == CUDA_MAP_U32
                   : !is_float && types[type].type != CUDA_MAP_S64;
}

/* A matrix of 3 rows of 32 bytes, 256 bytes apart; a box of 5 rows of 64 bytes around it. */
static void make_fill(bulk_t *b, bool nan) {
  b->kind = BULK_FILL;
  b->map = (cuda_map_t){.type = b->map.type,
                        .size = {32 / b->bytes, 3},
                        .stride = 256,
                        .box = {64 / b->bytes, 5},
                        .nan = nan};
  b->x = -(int)(16 / b->bytes);
  b->y = -1;
  b->words = 40;
  (void)snprintf(b->name, sizeof b->name, "fill %s%s", b->type, nan ? " nan" : "");
}

/* A matrix that is the box: rows of so many bytes, at most 256 elements. */
static void make_whole(bulk_t *b, bulk_kind_t kind, unsigned row, unsigned rows) {
  unsigned size = row / b->bytes > 256 ? 256 : row / b->bytes;
  b->kind = kind;
  b->map =
      (cuda_map_t){.type = b->map.type, .size = {size, rows}, .stride = row, .box = {size, rows}};
  b->words = size * b->bytes * rows / 8;
  (void)snprintf(b->name, sizeof b->name, kind == BULK_LOAD ? "load %s" : "reduce %s %s",
                 kind == BULK_LOAD ? b->type : b->op, b->type);
}

static void make_swizzle(bulk_t *b, unsigned code) {
  unsigned row = 16u << code;
  *b = (bulk_t){.kind = BULK_SWIZZLE, .type = "u8", .bytes = 1, .kinds = "ll"};
  b->map = (cuda_map_t){.size = {row, 16}, .stride = row, .box = {row, 16}, .swizzle = code};
  b->words = 2 * row;
  (void)snprintf(b->name, sizeof b->name, "swizzle %u", row);
}

const bulk_t *bulk_at(unsigned index) {
  static bulk_t b;
  for (unsigned type = 0; type < TYPES; type++) {
    b = (bulk_t){.type = types[type].name, .bytes = types[type].bytes, .kinds = types[type].kinds};
    b.map.type = types[type].type;
    for (unsigned what = 0; what < 3 + OPS; what++) {
      bool there = what == 1 ? b.kinds[0] != 'l' : what < 3 || possible(type, what - 3);
      if (!there || index-- != 0) {
        continue;
      }
      b.op = what < 3 ? NULL : ops[what - 3];
      if (what < 2) {
        make_fill(&b, what == 1);
      } else {
        make_whole(&b, what == 2 ? BULK_LOAD : BULK_REDUCE, what == 2 ? 1024 : 512,
                   what == 2 ? 8 : 16);
      }
      return &b;
    }
  }
  if (index < 3) {
    make_swizzle(&b, index + 1);
    return &b;
  }
  return NULL;
}

void bulk_operands(const bulk_t *b, uint64_t memory[BULK_WORDS], uint64_t other[BULK_WORDS]) {
  op_t op = {.name = "bulk"};
  (void)snprintf(op.operands, sizeof op.operands, "%s", b->kinds);
  for (uint32_t i = 0; i < BULK_WORDS; i++) {
    uint64_t operand[OP_OPERANDS];
    op_item(&op, i * 17, operand); /* special values and others */
    memory[i] = b->kind == BULK_SWIZZLE ? i / 2 : operand[0];
    other[i] = operand[1];
  }
}

/* ---- Kernels. */

static const char head[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry bulk(.param .u64 pmemory, .param .align 64 .b8 pmap[128], .param .u64 pin,\n"
    "    .param .u64 pout) {\n"
    "  .shared .align 1024 .b8 box[8192];\n  .shared .align 8 .b64 bar;\n"
    "  .reg .b32 i, sh;\n  .reg .b64 in, out, map, state, x;\n  .reg .pred p;\n"
    "  ld.param.u64 in, [pin];\n  ld.param.u64 out, [pout];\n  mov.b64 map, pmap;\n"
    "  cvta.param.u64 map, map;\n  mov.u32 sh, box;\n  mov.u32 i, 0;\n";

/* The box into shared memory and then to `out`. */
static void load_kernel(const bulk_t *b, char *ptx, size_t cap) {
  unsigned bytes = 8 * b->words;
  (void)snprintf(
      ptx, cap,
      "%s  mbarrier.init.shared.b64 [bar], 1;\n  fence.proxy.async;\n"
      "  mbarrier.arrive.expect_tx.shared.b64 state, [bar], %u;\n"
      "  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[box], [map, {%d, %d}], [bar];\n"
      "again:\n  mbarrier.try_wait.parity.shared.b64 p, [bar], 0;\n  @!p bra again;\n"
      "next:\n  ld.shared.b64 x, [sh];\n  st.global.b64 [out], x;\n  add.u32 sh, sh, 8;\n"
      "  add.u64 out, out, 8;\n  add.u32 i, i, 8;\n  setp.lt.u32 p, i, %u;\n  @p bra next;\n"
      "  ret;\n}\n",
      head, bytes, b->x, b->y, bytes);
}

static void reduce_kernel(const bulk_t *b, char *ptx, size_t cap) {
  (void)snprintf(
      ptx, cap,
      "%snext:\n  ld.global.b64 x, [in];\n  st.shared.b64 [sh], x;\n  add.u32 sh, sh, 8;\n"
      "  add.u64 in, in, 8;\n  add.u32 i, i, 8;\n  setp.lt.u32 p, i, %u;\n  @p bra next;\n"
      "  fence.proxy.async;\n"
      "  cp.reduce.async.bulk.tensor.2d.global.shared::cta.%s.tile.bulk_group [map, {0, 0}], "
      "[box];\n  cp.async.bulk.commit_group;\n  cp.async.bulk.wait_group 0;\n  ret;\n}\n",
      head, 8 * b->words, b->op);
}

void bulk_kernel(const bulk_t *b, char *ptx, size_t cap) {
  if (b->kind == BULK_REDUCE) {
    reduce_kernel(b, ptx, cap);
  } else {
    load_kernel(b, ptx, cap);
  }
}

/* ---- Rules. */

/* To nearest even at 13 bits less; a NaN is 7fffe000. */
static uint32_t rounded_tf32(uint32_t v) {
  return (v & 0x7fffffff) > 0x7f800000 ? 0x7fffe000 : (v + 0xfff + (v >> 13 & 1)) & ~0x1fffu;
}

/* The 32 bits at a place of the box, which begins in row b->y, b->x elements into it. */
static uint32_t loaded(const bulk_t *b, const uint64_t *memory, unsigned word) {
  unsigned in_row = b->map.box[0] * b->bytes / 4;
  int row = (int)(word / in_row) + b->y, at = 4 * (int)(word % in_row) + b->x * (int)b->bytes;
  if (row < 0 || row >= (int)b->map.size[1] || at < 0 || at >= (int)(b->map.size[0] * b->bytes)) {
    return b->map.nan ? 0x7ff77ff7 : 0;
  }
  unsigned byte = (unsigned)row * (unsigned)b->map.stride + (unsigned)at;
  uint32_t v = (uint32_t)(memory[byte / 8] >> 8 * (byte % 8));
  return strncmp(b->type, "tf32", 4) == 0 ? rounded_tf32(v) : v;
}

/* Of the number of 16 bytes the lowest bits are changed by bits of the row of 128 bytes. */
static unsigned swizzled(const bulk_t *b, unsigned chunk) {
  return chunk ^ (chunk / 8 % 8 & ((1u << b->map.swizzle) - 1));
}

void bulk_rule(const bulk_t *b, const uint64_t memory[BULK_WORDS], const uint64_t other[BULK_WORDS],
               uint64_t result[BULK_WORDS]) {
  const char *type = strncmp(b->type, "tf32", 4) == 0 ? b->type + 1 : b->type;
  for (unsigned i = 0; i < b->words; i++) {
    result[i] = b->kind == BULK_REDUCE ? reduce(b->op, type, memory[i], other[i])
                : b->kind == BULK_SWIZZLE
                    ? memory[2 * swizzled(b, i / 2)]
                    : loaded(b, memory, 2 * i) | (uint64_t)loaded(b, memory, 2 * i + 1) << 32;
  }
}

/* ---- The record. */

void bulk_text(const bulk_t *b, const uint64_t result[BULK_WORDS], char text[BULK_TEXT]) {
  size_t used = 0;
  bool swizzle = b->kind == BULK_SWIZZLE;
  unsigned count = swizzle ? b->words / 2 : b->kind == BULK_FILL ? b->words : SHOWN;
  used += (size_t)snprintf(text, BULK_TEXT, "%s hash %08" PRIx32 "\n", b->name,
                           op_hash(result, b->words));
  for (unsigned i = 0; i < count; i++) {
    unsigned line = swizzle ? 16 : 8;
    used += (size_t)snprintf(text + used, BULK_TEXT - used, swizzle ? "%" PRIu64 : "%016" PRIx64,
                             result[swizzle ? 2 * i : i]);
    used += (size_t)snprintf(text + used, BULK_TEXT - used, i % line == line - 1 ? "\n" : " ");
  }
}
