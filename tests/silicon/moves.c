#include "tests/silicon/moves.h"
#include "tests/silicon/emit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Shared memory holds the 256 labels 0, 1, ... as 16-bit words, 32 rows of 8. Lane l has the
 * address of row row_of(l). A register to be stored has labels, too: register r of lane l has
 * 64 r + 2 l and the next. */
static unsigned row_of(unsigned lane) { return (lane * 5 + 3) % 32; }

const moves_t *moves_at(unsigned index) {
  static moves_t m;
  static const unsigned matrices[] = {4, 2, 1, 2, 1};
  if (index >= 21) {
    return NULL;
  }
  m = (moves_t){.kind = index == 20  ? MOVES_TRANSPOSE
                        : index < 10 ? MOVES_LOAD
                                     : MOVES_STORE,
                .matrices = index == 20 ? 1 : matrices[index % 5],
                .trans = index == 20 || index / 5 % 2 != 0,
                .anywhere = index < 20 && index % 5 > 2};
  if (m.kind == MOVES_TRANSPOSE) {
    (void)snprintf(m.name, sizeof m.name, "movmatrix.sync.aligned.m8n8.trans.b16");
  } else {
    (void)snprintf(m.name, sizeof m.name, "%s.sync.aligned.m8n8.x%u%s.shared.b16%s",
                   m.kind == MOVES_LOAD ? "ldmatrix" : "stmatrix", m.matrices,
                   m.trans ? ".trans" : "", m.anywhere ? " other lanes anywhere" : "");
  }
  return &m;
}

static void list(out_t *o, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    EMIT(o, "%sr%u", i != 0 ? ", " : "{", i);
  }
  EMIT(o, "}");
}

/* Each lane fills 16 bytes, with labels or with ff. */
static void emit_fill(out_t *o, bool labels) {
  EMIT(o, "  mad.lo.u32 k, lane, 16, base;\n  mad.lo.u32 v, lane, 0x80008, 0x10000;\n");
  for (unsigned i = 0; i < 4; i++) {
    EMIT(o, "  %s.b32 i, %s;\n  st.shared.b32 [k+%u], i;\n", "mov", labels ? "v" : "-1", 4 * i);
    EMIT(o, "  add.u32 v, v, 0x20002;\n");
  }
}

void moves_kernel(const moves_t *m, char *ptx, size_t cap) {
  out_t out = {ptx, 0, cap}, *o = &out;
  char name[80];
  (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(m->name, " "), m->name);
  EMIT(o, ".version 8.7\n.target sm_90\n.address_size 64\n"
          ".visible .entry moves(.param .u64 pout) {\n  .shared .align 128 .b8 place[512];\n"
          "  .reg .b32 i, k, v, lane, base, r<4>;\n  .reg .b64 out;\n  .reg .pred p;\n"
          "  ld.param.u64 out, [pout];\n  mov.u32 lane, %%tid.x;\n  mov.u32 base, place;\n"
          "  mad.wide.u32 out, lane, 4, out;\n");
  emit_fill(o, m->kind == MOVES_LOAD);
  EMIT(o, "  mad.lo.u32 v, lane, 0x20002, 0x10000;\n");
  for (unsigned r = 0; r < 4; r++) {
    EMIT(o, "  add.u32 r%u, v, 0x%x;\n", r, 0x400040 * r);
  }
  EMIT(o, "  mad.lo.u32 k, lane, 5, 3;\n  and.b32 k, k, 31;\n  mad.lo.u32 k, k, 16, base;\n");
  if (m->anywhere) {
    EMIT(o, "  setp.ge.u32 p, lane, %u;\n  @p mov.u32 k, 0xfffffff0;\n", 8 * m->matrices);
  }
  EMIT(o, "  bar.sync 0;\n  %s ", name);
  if (m->kind == MOVES_TRANSPOSE) {
    EMIT(o, "r0, r0;\n");
  } else if (m->kind == MOVES_LOAD) {
    list(o, m->matrices);
    EMIT(o, ", [k];\n");
  } else {
    EMIT(o, "[k], ");
    list(o, m->matrices);
    EMIT(o, ";\n");
  }
  EMIT(o, "  bar.sync 0;\n");
  for (unsigned r = 0; r < (m->kind == MOVES_STORE ? 4 : m->matrices); r++) {
    if (m->kind == MOVES_STORE) {
      EMIT(o, "  mad.lo.u32 i, lane, 4, base;\n  ld.shared.b32 r%u, [i+%u];\n", r, 128 * r);
    }
    EMIT(o, "  st.global.b32 [out+%u], r%u;\n", 128 * r, r);
  }
  EMIT(o, "  ret;\n}\n");
}

/* ---- Rule: lane 4 g + q has elements 2 q and 2 q + 1 of row g; .trans: of column g. Matrix r is
 * that of lanes 8 r to 8 r + 7. */

static unsigned place(const moves_t *m, unsigned r, unsigned lane, unsigned half) {
  unsigned row = m->trans ? lane % 4 * 2 + half : lane / 4,
           column = m->trans ? lane / 4 : lane % 4 * 2 + half;
  return 8 * row_of(8 * r + row) + column;
}

void moves_rule(const moves_t *m, uint32_t result[MOVES_WORDS]) {
  memset(result, m->kind == MOVES_STORE ? 0xff : 0, MOVES_WORDS * sizeof *result);
  for (unsigned i = 0; i < 64 * m->matrices; i++) {
    unsigned r = i / 64, lane = i / 2 % 32, half = i % 2;
    unsigned at = place(m, r, lane, half), shift = 16 * half;
    if (m->kind == MOVES_STORE) {
      result[at / 2] &= ~(0xffffu << 16 * (at % 2));
      result[at / 2] |= i << 16 * (at % 2);
    } else if (m->kind == MOVES_LOAD) {
      result[32 * r + lane] |= at << shift;
    } else { /* what is element (row, column) comes from (column, row) */
      result[lane] |= (8 * (lane % 4 * 2 + half) + lane / 4) << shift;
    }
  }
}

void moves_text(const moves_t *m, const uint32_t result[MOVES_WORDS], char text[MOVES_TEXT]) {
  unsigned count = m->kind == MOVES_STORE ? 128 : 32 * m->matrices;
  size_t used = (size_t)snprintf(text, MOVES_TEXT, "%s\n", m->name);
  for (unsigned i = 0; i < count; i++) {
    used += (size_t)snprintf(text + used, MOVES_TEXT - used, "%08" PRIx32 "%c", result[i],
                             i % 16 == 15 ? '\n' : ' ');
  }
}
