/* translate_narrow.c: half precision, pairs of f32, carries, packed integers and conversions of formats from
 * syntax tree to code.h (narrow.c, format.c) [PTX 9.7.2, 9.7.4, 9.7.5, 9.7.7, 9.7.9.21, 9.7.9.22]. */
#include "isa/ptx/ptx.h"
#include "tests/oracle/module.h"

static bool flag(const wl_or_tr_t *t, uint64_t bit) { return (t->ast->flags & bit) != 0; }

static bool is_half(wl_ptx_type_t type) {
  return type == WL_PTX_T_F16 || type == WL_PTX_T_BF16;
}

static bool is_halves(wl_ptx_type_t type) {
  return type == WL_PTX_T_F16X2 || type == WL_PTX_T_BF16X2;
}

static bool is_bf16(wl_ptx_type_t type) {
  return type == WL_PTX_T_BF16 || type == WL_PTX_T_BF16X2;
}

static void half_mode(wl_or_tr_t *t, wl_ptx_type_t type) {
  wl_or_insn_t *n = t->out;
  n->n = is_halves(type) ? 2 : 1;
  n->half = (wl_or_half_t){.bf16 = is_bf16(type),
                           .ftz = n->fm.ftz,
                           .sat = n->fm.sat,
                           .relu = flag(t, WL_PTX_F(RELU)),
                           .oob = flag(t, WL_PTX_F(OOB)),
                           .nan = n->nan,
                           .xorsign = n->xorsign};
}

/* Operands: the destination and `nsrc` sources, all of one type. */
static bool of_one_type(wl_or_tr_t *t, wl_or_op_t op, unsigned nsrc) {
  const wl_ptx_operand_t *o = t->ast->operands;
  t->out->op = (uint8_t)op;
  if (t->ast->noperands != nsrc + 1) {
    return wl_or_tr_fail(t, "%u operands", t->ast->noperands);
  }
  bool ok = wl_or_tr_dst(t, &o[0], &t->out->d[0]);
  for (unsigned i = 0; i < nsrc && ok; i++) {
    ok = wl_or_tr_src(t, &o[i + 1], t->ast->type[0], &t->out->s[i]);
  }
  return ok;
}

/* Which operation, and how many sources it has. */
static bool operation(wl_or_tr_t *t, unsigned *nsrc) {
  static const struct {
    wl_ptx_op_t op;
    enum wl_or_sub sub;
    unsigned nsrc;
  } ops[] = {{WL_PTX_OP_ADD, OR_N_ADD, 2},  {WL_PTX_OP_ADDC, OR_N_ADD, 2},
             {WL_PTX_OP_SUB, OR_N_SUB, 2},  {WL_PTX_OP_SUBC, OR_N_SUB, 2},
             {WL_PTX_OP_MUL, OR_N_MUL, 2},  {WL_PTX_OP_FMA, OR_N_FMA, 3},
             {WL_PTX_OP_MAD, OR_N_FMA, 3},  {WL_PTX_OP_MADC, OR_N_FMA, 3},
             {WL_PTX_OP_ABS, OR_N_ABS, 1},  {WL_PTX_OP_NEG, OR_N_NEG, 1},
             {WL_PTX_OP_MIN, OR_N_MIN, 2},  {WL_PTX_OP_MAX, OR_N_MAX, 2}};
  for (unsigned i = 0; i < sizeof ops / sizeof ops[0]; i++) {
    if (ops[i].op == t->ast->op) {
      t->out->sub = (uint8_t)ops[i].sub;
      *nsrc = ops[i].nsrc;
      return true;
    }
  }
  return false;
}

/* d, a, c of f32.f16: a (of fma a and b) is a half. */
static bool mixed(wl_or_tr_t *t, unsigned nsrc) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  wl_ptx_type_t half = t->ast->type[1];
  half_mode(t, half);
  n->op = OR_MIXED;
  n->half.ftz = n->half.sat = false;
  bool ok = t->ast->noperands == nsrc + 1 && wl_or_tr_dst(t, &o[0], &n->d[0]);
  for (unsigned i = 0; i < nsrc && ok; i++) {
    ok = wl_or_tr_src(t, &o[i + 1], i + 1 < nsrc ? half : WL_PTX_T_F32, &n->s[i]);
  }
  return ok;
}

static bool carry(wl_or_tr_t *t, unsigned nsrc) {
  wl_or_insn_t *n = t->out;
  n->carry_out = flag(t, WL_PTX_F(CC));
  n->carry_in = t->ast->op == WL_PTX_OP_ADDC || t->ast->op == WL_PTX_OP_SUBC ||
                t->ast->op == WL_PTX_OP_MADC;
  n->shift = wl_or_tr_has(t, WL_PTX_M_HI) ? n->bits : 0;
  return of_one_type(t, OR_CARRY, nsrc);
}

/* Bits of a part of a packed integer type, 0 for others. */
static unsigned packed_bits(wl_ptx_type_t type) {
  switch (type) {
  case WL_PTX_T_U16X2:
  case WL_PTX_T_S16X2:
    return 16;
  case WL_PTX_T_U8X4:
  case WL_PTX_T_S8X4:
    return 8;
  default:
    return 0;
  }
}

bool wl_or_tr_narrow(wl_or_tr_t *t, bool *taken) {
  wl_or_insn_t *n = t->out;
  unsigned nsrc = 0;
  wl_ptx_type_t type = t->ast->type[0];
  *taken = true;
  n->relu = flag(t, WL_PTX_F(RELU));
  n->abs = flag(t, WL_PTX_F(ABS));
  if (t->ast->op == WL_PTX_OP_FNS) {
    return of_one_type(t, OR_FNS, 3);
  }
  if (operation(t, &nsrc)) {
    bool f32 = type == WL_PTX_T_F32;
    if (is_half(type) || is_halves(type)) {
      half_mode(t, type);
      return of_one_type(t, OR_HALF, nsrc);
    }
    if (f32 && t->ast->ntypes == 2) {
      return mixed(t, nsrc);
    }
    if (type == WL_PTX_T_F32X2) {
      return of_one_type(t, OR_F32X2, nsrc);
    }
    if (f32 && (n->sub == OR_N_MIN || n->sub == OR_N_MAX) && t->ast->noperands == 4) {
      return of_one_type(t, OR_F32_THREE, 3);
    }
    if (flag(t, WL_PTX_F(CC)) || t->ast->op == WL_PTX_OP_ADDC || t->ast->op == WL_PTX_OP_SUBC ||
        t->ast->op == WL_PTX_OP_MADC) {
      return carry(t, nsrc);
    }
    n->sbits = (uint8_t)packed_bits(type);
    if (n->sbits != 0) {
      n->ssgn = type == WL_PTX_T_S16X2 || type == WL_PTX_T_S8X4;
      return of_one_type(t, OR_PACKED, nsrc);
    }
  }
  *taken = false;
  return true;
}

/* ---- comparison: the type of the operands, and what true is ---- */
bool wl_or_tr_comparison_type(wl_or_tr_t *t, wl_ptx_type_t type, bool set) {
  wl_or_insn_t *n = t->out;
  wl_ptx_type_t to = t->ast->type[0];
  n->flt = type == WL_PTX_T_F32;
  n->flt64 = type == WL_PTX_T_F64;
  n->yes = UINT32_MAX;
  if (is_half(to) || is_halves(to)) {
    n->yes = is_bf16(to) ? 0x3f80 : 0x3c00;
  } else if (to == WL_PTX_T_F32) {
    n->yes = UINT32_C(0x3f800000);
  } else if (is_halves(type)) {
    n->yes = 0xffff;
  }
  if (is_half(type) || is_halves(type)) {
    n->op = set ? OR_HSET : OR_HSETP;
    half_mode(t, type);
    return true;
  }
  return n->flt || n->flt64 || wl_ptx_type_is_int(type) || wl_ptx_type_is_bits(type) ||
         wl_or_tr_fail(t, "type .%s", wl_ptx_type_name(type));
}

/* ---- conversions ---- */
static bool with_format(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  wl_ptx_mod_t round = t->ast->round;
  n->op = OR_CVT_FORMAT;
  n->format = (wl_or_convert_t){.to = t->ast->type[0],
                                .from = t->ast->type[1],
                                .round = n->fm.round,
                                .flush = n->fm.ftz,
                                .sat = n->fm.sat,
                                .satfinite = flag(t, WL_PTX_F(SATFINITE)),
                                .relu = flag(t, WL_PTX_F(RELU)),
                                .integral = round == WL_PTX_M_RNI || round == WL_PTX_M_RZI ||
                                            round == WL_PTX_M_RMI || round == WL_PTX_M_RPI,
                                .stochastic = wl_or_tr_has(t, WL_PTX_M_RS),
                                .scaled = wl_or_tr_has(t, WL_PTX_M_SCALED)};
  unsigned count = wl_or_convert_operands(&n->format);
  bool list = o[1].kind == WL_PTX_OPD_VEC, more = n->format.stochastic || n->format.scaled;
  if (!wl_or_tr_dst(t, &o[0], &n->d[0]) ||
      t->ast->noperands != 1 + (list ? 1 : count) + (more ? 1 : 0)) {
    return wl_or_tr_fail(t, "operands of a conversion");
  }
  if (list && !wl_or_tr_src_vec(t, &o[1], n->format.from, count, n->s)) {
    return false;
  }
  for (unsigned i = 0; i < count && !list; i++) {
    if (!wl_or_tr_src(t, &o[1 + i], n->format.from, &n->s[i])) {
      return false;
    }
  }
  wl_ptx_type_t last = n->format.scaled ? WL_PTX_T_B16 : WL_PTX_T_B32;
  return !more || wl_or_tr_src(t, &o[t->ast->noperands - 1], last, &n->s[count]);
}

static bool pack(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  wl_ptx_type_t to = t->ast->type[0];
  n->op = OR_CVT_PACK;
  n->sbits = (uint8_t)wl_ptx_type_bits(to);
  n->ssgn = to == WL_PTX_T_S2 || to == WL_PTX_T_S4 || wl_ptx_type_is_signed(to);
  n->n = t->ast->noperands == 4 ? 3 : 2;
  return wl_or_tr_dst(t, &o[0], &n->d[0]) && wl_or_tr_src(t, &o[1], WL_PTX_T_S32, &n->s[0]) &&
         wl_or_tr_src(t, &o[2], WL_PTX_T_S32, &n->s[1]) &&
         (n->n == 2 || wl_or_tr_src(t, &o[3], WL_PTX_T_B32, &n->s[2]));
}

bool wl_or_tr_cvt(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  wl_ptx_type_t to = t->ast->type[0], from = t->ast->type[1];
  if (wl_or_tr_has(t, WL_PTX_M_PACK)) {
    return pack(t);
  }
  if (t->ast->ntypes == 2 && wl_or_convert_known(to, from)) {
    return with_format(t);
  }
  if (t->ast->ntypes != 2 || t->ast->noperands != 2) {
    return wl_or_tr_fail(t, "packed conversion");
  }
  bool f_to = to == WL_PTX_T_F32, f_from = from == WL_PTX_T_F32;
  if ((!f_to && !wl_ptx_type_is_int(to)) || (!f_from && !wl_ptx_type_is_int(from))) {
    return wl_or_tr_fail(t, "types .%s.%s", wl_ptx_type_name(to), wl_ptx_type_name(from));
  }
  n->op = f_to ? (f_from ? OR_CVT_FF : OR_CVT_FI) : (f_from ? OR_CVT_IF : OR_CVT_II);
  n->sbits = (uint8_t)wl_ptx_type_bits(from);
  n->ssgn = wl_ptx_type_is_signed(from);
  n->flt = t->ast->round != WL_PTX_M_NONE; /* f32 to f32: to an integral value */
  return wl_or_tr_dst(t, &o[0], &n->d[0]) && wl_or_tr_src(t, &o[1], from, &n->s[0]);
}
