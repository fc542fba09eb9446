/* gen_words.c: random numbers, random instruction words, programs of random words. What is legal
 * comes from the must-be-zero masks of isa/def; what is sensible (registers with addresses, small
 * offsets, near targets) is decided here. Deliberately no knowledge of what a word does. */
#include <stdio.h>
#include <string.h>

#include "gen/wl_insn.h"
#include "isa/obj/dis.h"
#include "tests/common/splitmix.h"
#include "tests/fuzz/fuzz.h"

uint64_t fuzz_next(fuzz_rng_t *r) { return wl_splitmix64(&r->state); }

uint32_t fuzz_below(fuzz_rng_t *r, uint32_t n) {
  return (uint32_t)((fuzz_next(r) >> 32) * n >> 32);
}

bool fuzz_chance(fuzz_rng_t *r, uint32_t percent) { return fuzz_below(r, 100) < percent; }

uint32_t fuzz_value(fuzz_rng_t *r) {
  static const uint32_t special[] = {
      0, 1, 2, 0x1f, 0x20, 0x21, 0xff, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe,
      0x00000001, 0x007fffff, 0x00800000, 0x00800001, 0x3f800000, 0xbf800000, 0x3f800001,
      0x3f7fffff, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
      0xffffffff, 0x807fffff, 0x80800000, 0x4b000000, 0x4b800000, 0x4f000000, 0xcf000000,
      0x4f800000, 0x5f000000, 0xdf000000, 0x5f800000, 0x3f000000, 0xbf000000, 0x3fc00000,
      0x40200000, 0x34000000, 0x00400000, 0x1f800000, 0x5e800000, 0x4effffff, 0x5effffff,
      0x7fffff80,
      /* pairs of f16 and bf16 */
      0x3c003c00, 0xbc008001, 0x7bff0400, 0x7c00fc00, 0x7ff7fff7, 0x03ff8400, 0x3f80bf80,
      0x7f7f0080, 0x7f80ff80, 0x007f8001};
  const uint64_t x = fuzz_next(r);
  const uint32_t pick = (uint32_t)(x >> 40);
  switch ((x >> 32) & 7) {
  case 0:
  case 1:
    return special[pick % (sizeof special / sizeof special[0])];
  case 2:
    return pick % 64;
  case 3: /* a float of moderate exponent, few mantissa bits: exact and halfway results */
    return ((uint32_t)x & 0x807fe000u) | (118 + pick % 20) << 23;
  case 4: /* near the subnormals or near overflow */
    return ((uint32_t)x & 0x807fffffu) | ((pick & 32) != 0 ? 250 + pick % 5 : pick % 4) << 23;
  case 5: /* two f16 of moderate exponent, or two bf16 */
    return pick & 1 ? ((uint32_t)x & 0x87ff87ff) | 0x38003800
                    : ((uint32_t)x & 0x81ff81ff) | 0x3e003e00;
  default:
    return (uint32_t)x;
  }
}

bool fuzz_put(fuzz_program_t *p, const uint32_t w[4]) {
  if (p->count >= FUZZ_MAX_WORDS) return false;
  memcpy(p->w[p->count++], w, sizeof p->w[0]);
  return true;
}

static uint32_t any_register(fuzz_rng_t *r, uint32_t words) {
  if (fuzz_chance(r, 6)) return 255;
  if (fuzz_chance(r, 1)) return fuzz_below(r, 256);
  if (r->regs == 255 && fuzz_chance(r, 15)) return 247 + fuzz_below(r, 8); /* groups over the end */
  uint32_t reg = fuzz_chance(r, 80) && r->regs == 0
                     ? FUZZ_DATA + fuzz_below(r, FUZZ_DATA_REGS - 4)
                     : fuzz_below(r, (r->regs != 0 ? r->regs : FUZZ_REGS) - 4);
  return words > 1 && !fuzz_chance(r, 10) ? reg / words * words : reg;
}

static uint32_t access_bytes(const wl_form_info_t *f) {
  static const uint8_t bytes[WL_NUM_MEM_TYPE] = {1, 1, 2, 2, 1, 2, 4, 8, 16, 4, 4, 8, 8, 4};
  return bytes[f->type];
}

/* A base register that holds an address of the form's space. */
static uint32_t address_register(fuzz_rng_t *r, const wl_form_info_t *f) {
  static const uint8_t gen[] = {2, 4, 6, 10};
  if (fuzz_chance(r, 4)) return any_register(r, f->a);
  if (f->matrix.count != 0 && fuzz_chance(r, 70)) return 4; /* a row of each lane's own */
  switch (f->space) {
  case WL_MEM_SPACE_GLOBAL:
    return fuzz_chance(r, 70) ? 2 : 10;
  case WL_MEM_SPACE_GEN:
    return gen[fuzz_below(r, f->kind == WL_MEM_KIND_ATOM ? 2 : 4)];
  case WL_MEM_SPACE_SHARED:
    return fuzz_chance(r, 70) ? 4 : 255;
  case WL_MEM_SPACE_LOCAL:
    return 6;
  default:
    return 255;
  }
}

static uint32_t address_offset(fuzz_rng_t *r, const wl_form_info_t *f) {
  const uint32_t bytes = access_bytes(f);
  if (fuzz_chance(r, 3)) return (uint32_t)fuzz_next(r);
  if (fuzz_chance(r, 3)) return fuzz_below(r, 64);
  if (f->space == WL_MEM_SPACE_LOCAL) return fuzz_below(r, 80 / bytes) * bytes;
  uint32_t range = f->space == WL_MEM_SPACE_GLOBAL ? 128 : FUZZ_SMEM_SLOT;
  return fuzz_below(r, range / bytes) * bytes;
}

static uint32_t immediate(fuzz_rng_t *r, const wl_form_info_t *f, uint32_t pc, uint32_t count) {
  const bool memory = f->unit == WL_UNIT_LSU;
  uint32_t low, high;
  switch (f->imm) {
  case WL_IMM_T:
    if (fuzz_chance(r, 10)) return fuzz_below(r, count + 2);
    if (fuzz_chance(r, 2)) return UINT32_C(0xfffffff) - fuzz_below(r, 3);
    return pc + 1 + fuzz_below(r, 5);
  case WL_IMM_O:
    if (!memory) { /* constant load: bank, offset */
      const uint32_t bank = fuzz_chance(r, 12) ? fuzz_below(r, 16) : fuzz_below(r, 2);
      const uint32_t offset = fuzz_below(r, 512 / access_bytes(f)) * access_bytes(f);
      return bank << 28 | (fuzz_chance(r, 2) ? fuzz_below(r, 1u << 28) : offset);
    }
    return address_offset(r, f);
  case WL_IMM_S:
    return fuzz_chance(r, 80) ? fuzz_below(r, 34) : fuzz_below(r, 256);
  case WL_IMM_M:
    return fuzz_chance(r, 80) ? UINT32_MAX : (uint32_t)fuzz_next(r);
  case WL_IMM_G:
    low = fuzz_below(r, 16);
    high = fuzz_chance(r, 70) ? 0 : fuzz_below(r, 64);
    return low | high << 8;
  case WL_IMM_L:
    low = fuzz_below(r, 40);
    high = fuzz_below(r, 40);
    return low | high << 8;
  default:
    return fuzz_value(r);
  }
}

/* Programs for configurations without the probe have no word of it. */
uint32_t fuzz_form(fuzz_rng_t *r) {
  const uint32_t id = fuzz_below(r, WL_NUM_FORMS - WL_NUM_PROBE_OP);
  return id < WL_FORM_PROBE_MIX ? id : id + WL_NUM_PROBE_OP;
}

static bool is_matrix(uint32_t id) {
  return id == WL_FORM_MOVMATRIX || wl_form_info[id].matrix.count != 0;
}

uint32_t fuzz_matrix_form(fuzz_rng_t *r) {
  uint32_t id;
  do {
    id = WL_FORM_LDMATRIX_SHARED_B16_X1 +
         fuzz_below(r, WL_FORM_MOVMATRIX + 1 - WL_FORM_LDMATRIX_SHARED_B16_X1);
  } while (!is_matrix(id) || !wl_form_exists(id, r->row));
  return fuzz_chance(r, 20) ? WL_FORM_MOVMATRIX : id;
}

/* Most of the forms of matrices are drawn again, as there are many of them. */
static uint32_t any_form(fuzz_rng_t *r) {
  if (r->probe && fuzz_chance(r, 25)) return WL_FORM_PROBE_MIX + fuzz_below(r, WL_NUM_PROBE_OP);
  const uint32_t rows = fuzz_chance(r, 1) ? WL_ANY_ROW : r->row;
  uint32_t id;
  do {
    id = fuzz_form(r);
  } while (!wl_form_exists(id, rows) || (is_matrix(id) && fuzz_chance(r, 75)));
  return id;
}

/* Groups of the probe reach beyond the last data register too. */
static uint32_t wide_register(fuzz_rng_t *r, uint32_t words) {
  const uint32_t limit = r->regs != 0 ? r->regs : FUZZ_REGS;
  if (fuzz_chance(r, 5) || limit <= words) return any_register(r, words);
  const uint32_t reg = fuzz_below(r, limit - words + 1);
  return words > 1 && fuzz_chance(r, 60) ? reg / 4 * 4 : reg;
}

/* CHUNK reads offsets from R52 and R53, mostly. */
static void probe_operands(fuzz_rng_t *r, const wl_form_info_t *f, uint32_t w[4]) {
  uint32_t count = fuzz_chance(r, 70) ? 1 + fuzz_below(r, 12) : 1 + fuzz_below(r, 128);
  const bool chunk = f->op == WL_PROBE_CHUNK;
  WL_WORD_SET(w, RA, chunk && !fuzz_chance(r, 5) ? FUZZ_REGS - 4 : wide_register(r, f->a));
  WL_WORD_SET(w, RB, wide_register(r, f->b));
  WL_WORD_SET(w, RC, wide_register(r, f->c));
  if (f->imm == WL_IMM_X) WL_WORD_SET(w, IMM, wide_register(r, f->x));
  if (f->imm == WL_IMM_N) WL_WORD_SET(w, IMM, count - 1);
  const uint32_t limit = r->regs != 0 ? r->regs : FUZZ_REGS;
  if (!f->counted) count = f->d;
  if (count > limit && !fuzz_chance(r, 10)) count = limit;
  /* Most leave the registers with addresses alone. */
  const bool low = !fuzz_chance(r, 80) || limit < FUZZ_DATA + count;
  if (f->imm == WL_IMM_N && !low) WL_WORD_SET(w, IMM, count - 1);
  WL_WORD_SET(w, RD,
              low ? wide_register(r, count)
                  : FUZZ_DATA + fuzz_below(r, limit - FUZZ_DATA - count + 1));
}

void fuzz_legal_word(fuzz_rng_t *r, int form, uint32_t pc, uint32_t count, uint32_t w[4]) {
  const uint32_t id = form >= 0 ? (uint32_t)form : any_form(r);
  const wl_form_info_t *f = &wl_form_info[id];
  for (int i = 0; i < 4; i++)
    w[i] = (uint32_t)fuzz_next(r);
  WL_WORD_SET(w, FORM, id);
  WL_WORD_SET(w, GUARD, fuzz_chance(r, 75) ? 7 : fuzz_below(r, 8));
  if (WL_WORD_GET(w, GUARD) == 7 && fuzz_chance(r, 95)) WL_WORD_SET(w, GUARD_NEG, 0);
  WL_WORD_SET(w, RD, any_register(r, f->d));
  const bool memory = f->unit == WL_UNIT_LSU || f->unit == WL_UNIT_LDC;
  WL_WORD_SET(w, RA, memory ? address_register(r, f) : any_register(r, f->a));
  WL_WORD_SET(w, RB, any_register(r, f->b));
  WL_WORD_SET(w, RC, any_register(r, f->c));
  if (f->imm != WL_IMM_NONE) WL_WORD_SET(w, IMM, immediate(r, f, pc, count));
  if (f->imm == WL_IMM_X) WL_WORD_SET(w, IMM, any_register(r, f->x));
  if (f->unit == WL_UNIT_PROBE) probe_operands(r, f, w);
  if (is_matrix(id) && fuzz_chance(r, 80)) {
    WL_WORD_SET(w, GUARD, 7);
    WL_WORD_SET(w, GUARD_NEG, 0);
  }
  for (int i = 0; i < 4; i++)
    w[i] &= ~f->mbz[i];
}

/* One field of the word, or one bit, becomes another. */
static void change_field(fuzz_rng_t *r, uint32_t w[4]) {
  const wl_word_field_t *f = &wl_word_field[fuzz_below(r, WL_NUM_FIELDS)];
  if (fuzz_chance(r, 20)) {
    const uint32_t bit = fuzz_below(r, 128);
    w[bit / 32] ^= UINT32_C(1) << bit % 32;
  } else {
    wl_word_set(w, f->low, f->width, (uint32_t)fuzz_next(r));
  }
}

static void random_word(fuzz_rng_t *r, uint32_t pc, uint32_t count, uint32_t w[4]) {
  switch (fuzz_below(r, FUZZ_KINDS)) {
  case FUZZ_UNIFORM:
    for (int i = 0; i < 4; i++)
      w[i] = (uint32_t)fuzz_next(r);
    break;
  case FUZZ_CHANGED:
    fuzz_legal_word(r, -1, pc, count, w);
    change_field(r, w);
    break;
  default:
    fuzz_legal_word(r, -1, pc, count, w);
    break;
  }
}

static void put_text(fuzz_program_t *p, const char *line) {
  uint32_t w[4];
  char err[200];
  if (!wl_asm_line(line, w, err, sizeof err)) {
    printf("generator: '%s': %s\n", line, err);
    return;
  }
  fuzz_put(p, w);
}

void fuzz_prologue(fuzz_rng_t *r, fuzz_program_t *p) {
  char line[WL_DIS_MAX];
  static const char *const text[] = {"s2r R0, SR2",
                                     "s2r R8, SR4",
                                     "s2r R9, SR1",
                                     "mad.lo.rrr R0, R0, R8, R9",
                                     "s2r R8, SR3",
                                     "s2r R9, SR0",
                                     "mad.lo.rrr R0, R0, R8, R9", /* thread of the CTA */
                                     "s2r R13, SR4",
                                     "mad.lo.rrr R13, R13, R8, RZ",
                                     "s2r R8, SR5",
                                     "mad.lo.rrr R13, R13, R8, RZ", /* threads of a CTA */
                                     "s2r R8, SR6",
                                     "s2r R9, SR7",
                                     "add.rr R8, R8, R9",
                                     "s2r R9, SR8",
                                     "add.rr R8, R8, R9",
                                     "s2r R1, SR12",
                                     "shf.l.wrap.i R4, RZ, R0, 0x5",
                                     "add.ri R4, R4, 0x100",
                                     "mov.i R5, 0x10000",
                                     "mov.i R6, 0x0",
                                     "mov.i R7, 0x20000",
                                     "ldc.b64 R10:R11, c0[RZ+0x200]",
                                     "mad.lo.rrr R0, R8, R13, R0",
                                     "mad.wide.u32.rir R2:R3, R0, 0x100, R10:R11",
                                     "add64.ri R2:R3, R2:R3, 0x100"};
  for (unsigned i = 0; i < sizeof text / sizeof text[0]; i++)
    put_text(p, text[i]);
  /* The host fills the slots with edge cases before the launch. */
  for (unsigned i = 0; i < FUZZ_DATA_REGS; i += 4) {
    const unsigned d = FUZZ_DATA + i;
    (void)snprintf(line, sizeof line, "ld.global.b128 R%u:R%u, [R2:R3+0x%x]", d, d + 3,
                   FUZZ_DUMP + 4 * i);
    put_text(p, line);
  }
  for (unsigned i = 0; i < 7; i++) { /* predicates differ by lane */
    (void)snprintf(line, sizeof line, "setp.u32.rr P%u, PT, R%u, R%u, PT {cmp=ge bop=none}", i,
                   FUZZ_DATA + i, FUZZ_DATA + 7 + i);
    put_text(p, line);
    if (fuzz_chance(r, 50))
      p->w[p->count - 1][3] ^= 2u << (WL_FIELD_CMP_LOW - WL_MODS_LOW); /* eq, ge */
  }
  for (unsigned i = 44; i < FUZZ_REGS; i++) {
    (void)snprintf(line, sizeof line, "mov.i R%u, 0x0", i);
    put_text(p, line);
  }
  if (!r->probe) return;
  /* Offsets of CHUNK: of the common cells, or of the thread's own bytes; the next one, 16 bytes on. */
  put_text(p, fuzz_chance(r, 50) ? "mov.r R52, R4" : "lop3.rir R52, R4, 0xc0, RZ {lut=0xc0}");
  put_text(p, fuzz_chance(r, 50) ? "add.ri R53, R52, 0x10" : "mov.r R53, R52");
}

void fuzz_choose_shape(fuzz_rng_t *r, uint32_t max_threads, fuzz_program_t *p) {
  static const uint8_t likely[] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8};
  uint32_t warps = likely[fuzz_below(r, sizeof likely)];
  if (warps > max_threads / 32) warps = max_threads / 32;
  const uint32_t ctas =
      fuzz_chance(r, 60) ? 1 : 1 + fuzz_below(r, fuzz_chance(r, 70) ? 3 : 24 / warps);
  p->grid[0] = p->grid[1] = p->grid[2] = 1;
  p->grid[fuzz_below(r, 3)] = ctas;
  p->threads = warps * 32 - (fuzz_chance(r, 30) ? fuzz_below(r, 32) : 0);
  p->block[0] = p->threads;
  p->block[1] = p->block[2] = 1;
  for (uint32_t k = 2; k < 8 && fuzz_chance(r, 60);
       k++) { /* the same threads in three dimensions */
    const uint32_t to = 1 + (k & 1);
    if (p->block[0] % k == 0 && p->block[to] * k <= 64) {
      p->block[0] /= k;
      p->block[to] *= k;
    }
  }
  p->regs = FUZZ_REGS;
  if (fuzz_chance(r, 20)) p->smem_extra = fuzz_below(r, 12 * 1024) & ~UINT32_C(3);
}

void fuzz_words_program(fuzz_rng_t *r, uint32_t max_threads, fuzz_program_t *p) {
  memset(p, 0, sizeof *p);
  fuzz_choose_shape(r, max_threads, p);
  if (r->regs != 0 && fuzz_chance(r, 50)) p->regs = r->regs;
  if (p->regs == FUZZ_REGS) r->regs = 0;
  if (fuzz_chance(r, 60)) {
    fuzz_prologue(r, p);
  } else if (fuzz_chance(r, 50)) {
    p->regs = r->regs = 8 + fuzz_below(r, 56);
  }
  const uint32_t first = p->count, n = 1 + fuzz_below(r, 64);
  uint32_t w[4];
  /* Half of the programs are of legal words only, or nobody would come far. */
  const bool legal = fuzz_chance(r, 60);
  for (uint32_t i = 0; i < n; i++) {
    if (legal && !fuzz_chance(r, 2)) {
      fuzz_legal_word(r, -1, first + i, first + n, w);
    } else {
      random_word(r, first + i, first + n, w);
    }
    fuzz_put(p, w);
  }
}
