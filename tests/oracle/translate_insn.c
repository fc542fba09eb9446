/* translate_insn.c: arithmetic, comparison, conversion and control [PTX 9.7.1-9.7.9, 9.7.12] from
 * syntax tree to code.h. What it does not list, and translate_narrow.c neither, is refused: of f64 all but
 * sums and products, approximations. */
#include "isa/ptx/ptx.h"
#include "tests/oracle/module.h"

bool wl_or_tr_has(const wl_or_tr_t *t, wl_ptx_mod_t mod) {
  for (uint32_t i = 0; i < t->ast->nmods; i++) {
    if (t->ast->mods[i] == mod) {
      return true;
    }
  }
  return false;
}

static bool flag(const wl_or_tr_t *t, uint64_t bit) { return (t->ast->flags & bit) != 0; }

/* d = op(s0 .. ); sources from `from` on have the type `rest`, all else the first type. */
static bool mixed(wl_or_tr_t *t, wl_or_op_t op, unsigned nsrc, unsigned from, wl_ptx_type_t rest) {
  const wl_ptx_operand_t *o = t->ast->operands;
  t->out->op = (uint8_t)op;
  if (t->ast->noperands != nsrc + 1) {
    return wl_or_tr_fail(t, "%u operands", t->ast->noperands);
  }
  bool ok = wl_or_tr_dst(t, &o[0], &t->out->d[0]);
  for (unsigned i = 0; i < nsrc && ok; i++) {
    ok = wl_or_tr_src(t, &o[i + 1], i < from ? t->ast->type[0] : rest, &t->out->s[i]);
  }
  return ok;
}

static bool plain(wl_or_tr_t *t, wl_or_op_t op, unsigned nsrc) {
  return mixed(t, op, nsrc, nsrc, WL_PTX_T_NONE);
}

/* Sources from `from` on are u32, whatever the type. */
static bool with_u32(wl_or_tr_t *t, wl_or_op_t op, unsigned nsrc, unsigned from) {
  return mixed(t, op, nsrc, from, WL_PTX_T_U32);
}

/* Integer operation, or its f32 counterpart where there is one (OR_NOP: none). */
static bool integer_or_f32(wl_or_tr_t *t, wl_or_op_t integer, wl_or_op_t f32, unsigned nsrc) {
  wl_ptx_type_t type = t->ast->type[0];
  if (wl_ptx_type_is_int(type) && integer != OR_NOP) {
    return plain(t, integer, nsrc);
  }
  if (type == WL_PTX_T_F32 && f32 != OR_NOP) {
    return plain(t, f32, nsrc);
  }
  return wl_or_tr_fail(t, "type .%s", wl_ptx_type_name(type));
}

/* The same, or the f64 counterpart. */
static bool with_f64(wl_or_tr_t *t, wl_or_op_t integer, wl_or_op_t f32, wl_or_op_t f64,
                     unsigned nsrc) {
  return t->ast->type[0] == WL_PTX_T_F64 ? plain(t, f64, nsrc)
                                         : integer_or_f32(t, integer, f32, nsrc);
}

static bool multiply(wl_or_tr_t *t, bool addend, bool narrow24) {
  wl_or_insn_t *n = t->out;
  if (t->ast->type[0] == WL_PTX_T_F64) {
    return plain(t, addend ? OR_DFMA : OR_DMUL, addend ? 3 : 2);
  }
  if (t->ast->type[0] == WL_PTX_T_F32) {
    return plain(t, addend ? OR_FFMA : OR_FMUL, addend ? 3 : 2);
  }
  bool hi = wl_or_tr_has(t, WL_PTX_M_HI), wide = wl_or_tr_has(t, WL_PTX_M_WIDE);
  n->shift = !hi ? 0 : narrow24 ? 16 : n->bits;
  n->addend = addend;
  bool ok = integer_or_f32(t, OR_MUL, OR_NOP, addend ? 3 : 2);
  if (ok && narrow24) {
    n->s[0].mask = n->s[1].mask = wl_or_mask(24);
    n->bits = 24;
  }
  if (ok && wide && addend) {
    ok = wl_or_tr_src(t, &t->ast->operands[3], n->bits == 16 ? WL_PTX_T_U32 : WL_PTX_T_U64,
                      &n->s[2]);
  }
  return ok;
}

static bool prmt(wl_or_tr_t *t) {
  static const wl_ptx_mod_t mods[] = {WL_PTX_M_F4E, WL_PTX_M_B4E, WL_PTX_M_RC8,
                                      WL_PTX_M_ECL, WL_PTX_M_ECR, WL_PTX_M_RC16};
  t->out->sub = OR_P_DEFAULT;
  for (unsigned i = 0; i < 6; i++) {
    if (wl_or_tr_has(t, mods[i])) {
      t->out->sub = (uint8_t)(OR_P_F4E + i);
    }
  }
  return plain(t, OR_PRMT, 3);
}

static bool dot(wl_or_tr_t *t, wl_or_op_t op) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  n->op = (uint8_t)op;
  n->ssgn = wl_ptx_type_is_signed(t->ast->type[1]);
  n->high = wl_or_tr_has(t, WL_PTX_M_HI);
  return wl_or_tr_dst(t, &o[0], &n->d[0]) && wl_or_tr_src(t, &o[1], WL_PTX_T_U32, &n->s[0]) &&
         wl_or_tr_src(t, &o[2], WL_PTX_T_U32, &n->s[1]) &&
         wl_or_tr_src(t, &o[3], WL_PTX_T_U32, &n->s[2]);
}

/* lop3.b32 d, a, b, c, i and lop3.and|or.b32 d|p, a, b, c, i, q: p = (d != 0) with q */
static bool lop3(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  bool both = o[0].pair != NULL;
  if (t->ast->noperands != (both ? 6 : 5)) {
    return wl_or_tr_fail(t, "%u operands", t->ast->noperands);
  }
  t->out->op = OR_LOP3;
  bool ok = wl_or_tr_dst(t, &o[0], &t->out->d[0]);
  for (unsigned i = 0; i < 4 && ok; i++) {
    ok = wl_or_tr_src(t, &o[i + 1], WL_PTX_T_B32, &t->out->s[i]);
  }
  if (ok && both) {
    t->out->op = OR_LOP3P;
    t->out->sub = wl_or_tr_has(t, WL_PTX_M_AND) ? OR_BOOL_AND : OR_BOOL_OR;
    ok = wl_or_tr_dst(t, o[0].pair, &t->out->p) &&
         wl_or_tr_src(t, &o[5], WL_PTX_T_PRED, &t->out->s[4]);
  }
  return ok;
}

/* ---- compare ---- */
enum {
  LT = 1 << WL_OR_LESS,
  EQ = 1 << WL_OR_EQUAL,
  GT = 1 << WL_OR_GREATER,
  UN = 1 << WL_OR_UNORDERED
};

static bool comparison(wl_or_tr_t *t, uint8_t *accepted) {
  switch (t->ast->cmp) {
  case WL_PTX_M_EQ:
    *accepted = EQ;
    return true;
  case WL_PTX_M_NE:
    *accepted = LT | GT;
    return true;
  case WL_PTX_M_LT:
  case WL_PTX_M_LO:
    *accepted = LT;
    return true;
  case WL_PTX_M_LE:
  case WL_PTX_M_LS:
    *accepted = LT | EQ;
    return true;
  case WL_PTX_M_GT:
  case WL_PTX_M_HI:
    *accepted = GT;
    return true;
  case WL_PTX_M_GE:
  case WL_PTX_M_HS:
    *accepted = GT | EQ;
    return true;
  case WL_PTX_M_EQU:
    *accepted = EQ | UN;
    return true;
  case WL_PTX_M_NEU:
    *accepted = LT | GT | UN;
    return true;
  case WL_PTX_M_LTU:
    *accepted = LT | UN;
    return true;
  case WL_PTX_M_LEU:
    *accepted = LT | EQ | UN;
    return true;
  case WL_PTX_M_GTU:
    *accepted = GT | UN;
    return true;
  case WL_PTX_M_GEU:
    *accepted = GT | EQ | UN;
    return true;
  case WL_PTX_M_NUM:
    *accepted = LT | EQ | GT;
    return true;
  case WL_PTX_M_NANCMP:
    *accepted = UN;
    return true;
  default:
    return wl_or_tr_fail(t, "comparison");
  }
}

/* set and setp: s[0], s[1] compared, s[2] the predicate that is combined. */
static bool compare(wl_or_tr_t *t, bool set) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  wl_ptx_type_t type = t->ast->type[set ? 1 : 0];
  n->op = set ? OR_SET : OR_SETP;
  n->bits = (uint8_t)wl_ptx_type_bits(type);
  n->sgn = wl_ptx_type_is_signed(type);
  n->sub = OR_BOOL_NONE;
  if (t->ast->boolop != WL_PTX_M_NONE) {
    n->sub = t->ast->boolop == WL_PTX_M_AND  ? OR_BOOL_AND
             : t->ast->boolop == WL_PTX_M_OR ? OR_BOOL_OR
                                             : OR_BOOL_XOR;
  }
  bool combined = n->sub != OR_BOOL_NONE;
  if ((t->ast->noperands == 4) != combined) {
    return wl_or_tr_fail(t, "predicate operand without its operation");
  }
  return wl_or_tr_comparison_type(t, type, set) && comparison(t, &n->cmp) &&
         wl_or_tr_dst(t, &o[0], &n->d[0]) &&
         (o[0].pair == NULL || wl_or_tr_dst(t, o[0].pair, &n->p)) &&
         wl_or_tr_src(t, &o[1], type, &n->s[0]) && wl_or_tr_src(t, &o[2], type, &n->s[1]) &&
         (!combined || wl_or_tr_src(t, &o[3], WL_PTX_T_PRED, &n->s[2]));
}

/* selp and slct: the third source has a type of its own. */
static bool select_by(wl_or_tr_t *t, wl_or_op_t op, wl_ptx_type_t by) {
  t->out->flt = by == WL_PTX_T_F32;
  return mixed(t, op, 3, 2, by);
}

static bool testp(wl_or_tr_t *t) {
  static const wl_ptx_mod_t mods[] = {WL_PTX_M_FINITE,     WL_PTX_M_INFINITE, WL_PTX_M_NUMBER,
                                      WL_PTX_M_NOTANUMBER, WL_PTX_M_NORMAL,   WL_PTX_M_SUBNORMAL};
  for (unsigned i = 0; i < 6; i++) {
    if (wl_or_tr_has(t, mods[i])) {
      t->out->sub = (uint8_t)(OR_T_FINITE + i);
      return integer_or_f32(t, OR_NOP, OR_TESTP, 1);
    }
  }
  return wl_or_tr_fail(t, "property");
}

/* ---- move and convert ---- */
/* Of 128 bits: two words of 64 are moved as such, four of 32 packed or unpacked in pairs. */
static bool mov128(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  bool unpack = o[0].kind == WL_PTX_OPD_VEC, pack = o[1].kind == WL_PTX_OPD_VEC;
  n->n = unpack ? (uint8_t)o[0].nelems : pack ? (uint8_t)o[1].nelems : 2;
  if (n->n != 2 && n->n != 4) {
    return wl_or_tr_fail(t, "%u elements", n->n);
  }
  n->op = n->n == 2 ? OR_MOV : unpack ? OR_UNPACK : OR_PACK;
  n->sbits = 32;
  wl_ptx_type_t each = n->n == 2 ? WL_PTX_T_B64 : WL_PTX_T_B32;
  return (unpack ? wl_or_tr_dst_vec(t, &o[0], n->n, n->d) : wl_or_tr_dst128(t, &o[0], n->d)) &&
         (pack ? wl_or_tr_src_vec(t, &o[1], each, n->n, n->s) : wl_or_tr_src128(t, &o[1], n->s));
}

static bool mov(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  wl_ptx_type_t type = t->ast->type[0];
  unsigned bits = wl_ptx_type_bits(type);
  if (bits == 128) {
    return mov128(t);
  }
  bool unpack = o[0].kind == WL_PTX_OPD_VEC, pack = o[1].kind == WL_PTX_OPD_VEC;
  if (t->ast->vec > 1) {
    n->op = OR_MOV;
    n->n = t->ast->vec;
    return wl_or_tr_dst_vec(t, &o[0], n->n, n->d) && wl_or_tr_src_vec(t, &o[1], type, n->n, n->s);
  }
  if (!pack && !unpack) {
    n->n = 1;
    return plain(t, OR_MOV, 1);
  }
  const wl_ptx_operand_t *list = unpack ? &o[0] : &o[1];
  n->op = unpack ? OR_UNPACK : OR_PACK;
  n->n = (uint8_t)list->nelems;
  if ((n->n != 2 && n->n != 4) || bits > 64) {
    return wl_or_tr_fail(t, "%u elements", list->nelems);
  }
  unsigned each = bits / n->n;
  n->sbits = (uint8_t)each;
  wl_ptx_type_t elem = each == 8 ? WL_PTX_T_B8 : each == 16 ? WL_PTX_T_B16 : WL_PTX_T_B32;
  return unpack ? wl_or_tr_dst_vec(t, &o[0], n->n, n->d) && wl_or_tr_src(t, &o[1], type, &n->s[0])
                : wl_or_tr_dst(t, &o[0], &n->d[0]) && wl_or_tr_src_vec(t, &o[1], elem, n->n, n->s);
}

static bool rounding(wl_or_tr_t *t) {
  wl_or_round_t *r = &t->out->fm.round;
  switch (t->ast->round) {
  case WL_PTX_M_NONE:
  case WL_PTX_M_RN:
  case WL_PTX_M_RNI:
    *r = WL_OR_RN;
    return true;
  case WL_PTX_M_RZ:
  case WL_PTX_M_RZI:
    *r = WL_OR_RZ;
    return true;
  case WL_PTX_M_RM:
  case WL_PTX_M_RMI:
    *r = WL_OR_RM;
    return true;
  case WL_PTX_M_RP:
  case WL_PTX_M_RPI:
    *r = WL_OR_RP;
    return true;
  case WL_PTX_M_RNA:
    *r = WL_OR_RNA;
    return true;
  case WL_PTX_M_RS: /* by random bits */
    *r = WL_OR_RN;
    return true;
  default:
    return wl_or_tr_fail(t, "rounding");
  }
}

/* ---- control ---- */
static bool branch_table(wl_or_tr_t *t) {
  const wl_ptx_table_t *table = t->ast->operands[1].table;
  uint32_t *targets = wl_arena_alloc(&t->p->arena, (table->count + 1) * sizeof *targets);
  if (targets == NULL || table->labels == NULL) {
    return wl_or_tr_fail(t, "table");
  }
  for (uint32_t i = 0; i < table->count; i++) {
    targets[i] = table->labels[i]->index;
  }
  t->out->op = OR_BRX;
  t->out->targets = targets;
  t->out->ntargets = table->count;
  return wl_or_tr_src(t, &t->ast->operands[0], WL_PTX_T_U32, &t->out->s[0]);
}

static bool control(wl_or_tr_t *t) {
  wl_or_insn_t *n = t->out;
  switch (t->ast->op) {
  case WL_PTX_OP_BRA:
    n->op = OR_BRA;
    n->target = t->ast->operands[0].label->index;
    return true;
  case WL_PTX_OP_BRX:
    return branch_table(t);
  case WL_PTX_OP_CALL:
    return wl_or_tr_call(t);
  case WL_PTX_OP_RET:
    n->op = OR_RET;
    return true;
  case WL_PTX_OP_EXIT:
    n->op = OR_EXIT;
    return true;
  case WL_PTX_OP_TRAP:
    n->op = OR_TRAP;
    return true;
  case WL_PTX_OP_NANOSLEEP:
    n->op = OR_SLEEP;
    return true;
  default:
    return wl_or_tr_memory(t);
  }
}

/* ---- the rest of the list ---- */
static bool integer_only(wl_or_tr_t *t) {
  switch (t->ast->op) {
  case WL_PTX_OP_MUL24:
    return multiply(t, false, true);
  case WL_PTX_OP_MAD24:
    return multiply(t, true, true);
  case WL_PTX_OP_SAD:
    return plain(t, OR_SAD, 3);
  case WL_PTX_OP_REM:
    return plain(t, OR_REM, 2);
  case WL_PTX_OP_POPC:
    return plain(t, OR_POPC, 1);
  case WL_PTX_OP_CLZ:
    return plain(t, OR_CLZ, 1);
  case WL_PTX_OP_BFIND:
    return plain(t, OR_BFIND, 1);
  case WL_PTX_OP_BREV:
    return plain(t, OR_BREV, 1);
  case WL_PTX_OP_BFE:
    return with_u32(t, OR_BFE, 3, 1);
  case WL_PTX_OP_BFI:
    return with_u32(t, OR_BFI, 4, 2);
  case WL_PTX_OP_SZEXT:
    return with_u32(t, OR_SZEXT, 2, 1);
  case WL_PTX_OP_BMSK:
    return with_u32(t, OR_BMSK, 2, 0);
  case WL_PTX_OP_DP4A:
    return dot(t, OR_DP4A);
  case WL_PTX_OP_DP2A:
    return dot(t, OR_DP2A);
  case WL_PTX_OP_AND:
    return plain(t, OR_AND, 2);
  case WL_PTX_OP_OR:
    return plain(t, OR_OR, 2);
  case WL_PTX_OP_XOR:
    return plain(t, OR_XOR, 2);
  case WL_PTX_OP_NOT:
    return plain(t, OR_NOT, 1);
  case WL_PTX_OP_CNOT:
    return plain(t, OR_CNOT, 1);
  case WL_PTX_OP_LOP3:
    return lop3(t);
  case WL_PTX_OP_SHF:
    return with_u32(t, OR_SHF, 3, 2);
  case WL_PTX_OP_SHL:
    return with_u32(t, OR_SHL, 2, 1);
  case WL_PTX_OP_SHR:
    return with_u32(t, OR_SHR, 2, 1);
  case WL_PTX_OP_PRMT:
    return prmt(t);
  default:
    return control(t);
  }
}

static bool known_flags(wl_or_tr_t *t) {
  uint64_t known = WL_PTX_F(FTZ) | WL_PTX_F(SAT) | WL_PTX_F(NAN) | WL_PTX_F(ABS) |
                   WL_PTX_F(XORSIGN) | WL_PTX_F(SHIFTAMT) | WL_PTX_F(SYNC) | WL_PTX_F(ALIGNED) |
                   WL_PTX_F(NC) | WL_PTX_F(CACHE_HINT) | WL_PTX_F(RELU) | WL_PTX_F(OOB) |
                   WL_PTX_F(CC) | WL_PTX_F(NOFTZ) | WL_PTX_F(NOINC);
  if (t->ast->op == WL_PTX_OP_CVT) {
    known |= WL_PTX_F(SATFINITE);
  } else if (t->ast->op == WL_PTX_OP_MMA || t->ast->op == WL_PTX_OP_WMMA) {
    known |= WL_PTX_F(SATFINITE);
  }
  return (t->ast->flags & ~known) == 0 || wl_or_tr_is_bulk(t) || wl_or_tr_fail(t, "modifier");
}

bool wl_or_tr_insn(wl_or_tr_t *t) {
  wl_or_insn_t *n = t->out;
  wl_ptx_type_t type = t->ast->ntypes != 0 ? t->ast->type[0] : WL_PTX_T_NONE;
  n->bits = (uint8_t)wl_ptx_type_bits(type);
  n->sgn = wl_ptx_type_is_signed(type);
  n->flags = t->ast->flags;
  n->fm.ftz = flag(t, WL_PTX_F(FTZ));
  n->fm.sat = flag(t, WL_PTX_F(SAT));
  n->nan = flag(t, WL_PTX_F(NAN));
  n->xorsign = flag(t, WL_PTX_F(XORSIGN));
  n->shiftamt = flag(t, WL_PTX_F(SHIFTAMT));
  n->left = wl_or_tr_has(t, WL_PTX_M_L);
  n->wrap = wl_or_tr_has(t, WL_PTX_M_WRAP);
  if (!known_flags(t) || !rounding(t)) {
    return false;
  }
  bool taken, ok = wl_or_tr_narrow(t, &taken);
  if (taken) {
    return ok;
  }
  switch (t->ast->op) {
  case WL_PTX_OP_ADD:
    return with_f64(t, OR_ADD, OR_FADD, OR_DADD, 2);
  case WL_PTX_OP_SUB:
    return with_f64(t, OR_SUB, OR_FSUB, OR_DSUB, 2);
  case WL_PTX_OP_MUL:
    return multiply(t, false, false);
  case WL_PTX_OP_MAD:
    return multiply(t, true, false);
  case WL_PTX_OP_FMA:
    return with_f64(t, OR_NOP, OR_FFMA, OR_DFMA, 3);
  case WL_PTX_OP_DIV:
    return integer_or_f32(t, OR_DIV, OR_FDIV, 2);
  case WL_PTX_OP_RCP:
    return integer_or_f32(t, OR_NOP, OR_FRCP, 1);
  case WL_PTX_OP_SQRT:
    return integer_or_f32(t, OR_NOP, OR_FSQRT, 1);
  case WL_PTX_OP_ABS:
    return integer_or_f32(t, OR_ABS, OR_FABS, 1);
  case WL_PTX_OP_NEG:
    return integer_or_f32(t, OR_NEG, OR_FNEG, 1);
  case WL_PTX_OP_MIN:
    return integer_or_f32(t, OR_MIN, OR_FMIN, 2);
  case WL_PTX_OP_MAX:
    return integer_or_f32(t, OR_MAX, OR_FMAX, 2);
  case WL_PTX_OP_COPYSIGN:
    return integer_or_f32(t, OR_NOP, OR_COPYSIGN, 2);
  case WL_PTX_OP_TESTP:
    return testp(t);
  case WL_PTX_OP_SETP:
    return compare(t, false);
  case WL_PTX_OP_SET:
    return compare(t, true);
  case WL_PTX_OP_SELP:
    return select_by(t, OR_SELP, WL_PTX_T_PRED);
  case WL_PTX_OP_SLCT:
    return select_by(t, OR_SLCT, t->ast->type[1]);
  case WL_PTX_OP_MOV:
    return mov(t);
  case WL_PTX_OP_CVT:
    return wl_or_tr_cvt(t);
  default:
    return integer_only(t);
  }
}
