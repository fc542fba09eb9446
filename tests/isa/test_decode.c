/* Decode: the bits that must be zero, stated here a second time as bit ranges per form, and every
 * field at its place (docs/microarchitecture.md 2; isa/def/word.def, shape.def). */
#include "cmodel/sem/sem.h"
#include "tests/isa/check.h"

/* Ranges "high:low" of the bits that a word of the form may set. 16:0 is form and guard. */
static const struct {
  wl_form_t form;
  const char *allowed;
} expectation[] = {
    {WL_FORM_NOP, "16:0"},
    {WL_FORM_EXIT, "16:0"},
    {WL_FORM_ADD_RR, "40:0"},
    {WL_FORM_ADD_RI, "32:0 95:64"},
    {WL_FORM_MOV_I, "24:0 95:64"},
    {WL_FORM_S2R, "24:0 71:64"},
    {WL_FORM_BRA, "16:0 91:64"},
    {WL_FORM_CALL, "24:0 91:64"},
    {WL_FORM_RET, "16:0 32:25"},
    {WL_FORM_LOP3_RRR, "48:0 103:96"},
    {WL_FORM_SHF_L_CLAMP_I, "40:0 95:64"},
    {WL_FORM_BFE_U32_I, "32:0 79:64"},
    {WL_FORM_SELP_RR, "40:0 58:55"},
    {WL_FORM_SETP_S32_RI, "16:0 32:25 58:49 95:64 105:100"},
    {WL_FORM_SETP_F32_RR, "16:0 40:25 58:49 105:99"},
    {WL_FORM_PLOP, "16:0 51:49 62:55 105:104"},
    {WL_FORM_ADD_F32_RR, "40:0 97:96 102:99"},
    {WL_FORM_MUL_F32_RI, "32:0 95:64 97:96 101:99"},
    {WL_FORM_FMA_F32_RRR, "48:0 97:96 101:99 103:103"},
    {WL_FORM_MIN_F32_RR, "40:0 99:99 104:104"},
    {WL_FORM_CVT_F32_U32, "32:0 97:96"},
    {WL_FORM_FENCE, "16:0 122:121"},
    {WL_FORM_BAR_SYNC_I, "16:0 67:64 77:72 96:96"},
    {WL_FORM_BAR_POPC_I, "24:0 58:55 67:64 77:72 96:96"},
    {WL_FORM_BAR_AND_R, "16:0 40:25 51:49 58:55 96:96"},
    {WL_FORM_SHFL_I, "40:0 51:49 95:64 98:97"},
    {WL_FORM_VOTE_ALL_R, "24:0 48:41 51:49 58:55"},
    {WL_FORM_LDC_B32, "32:0 95:64"},
    {WL_FORM_LD_GLOBAL_B32, "32:0 95:64 96:96 125:121"},
    {WL_FORM_ST_GLOBAL_B128, "16:0 40:25 96:64 125:121"},
    {WL_FORM_ATOM_SHARED_CAS_B64, "48:0 96:64 125:121"},
};

static bool in_ranges(const char *ranges, int bit) {
  int high, low, used;
  for (; sscanf(ranges, "%d:%d%n", &high, &low, &used) == 2; ranges += used)
    if (bit >= low && bit <= high) return true;
  return false;
}

static void check_bits_of(check_t *t, wl_form_t form, const char *allowed) {
  wl_insn_dec_t dec;
  for (int bit = 13; bit < 128; bit++) {
    uint32_t word[4] = {(uint32_t)form, 0, 0, 0};
    word[bit / 32] |= UINT32_C(1) << (bit % 32);
    const wl_trap_t expected = in_ranges(allowed, bit) ? WL_TRAP_NONE : WL_TRAP_ILLEGAL_BITS;
    const wl_trap_t got = wl_decode(word, WL_ANY_ROW, &dec);
    if (!check_equal(t, got, expected) && check_print(t))
      printf("%s bit %d: got trap %d, expected %d\n", wl_form_info[form].name, bit, (int)got,
             (int)expected);
  }
}

static void want(check_t *t, const char *what, uint64_t got, uint64_t expected) {
  if (!check_equal(t, got, expected))
    printf("%s: got %llx, expected %llx\n", what, (unsigned long long)got,
           (unsigned long long)expected);
}

/* fma.rm.ftz.sat R1, -R128, R3, -R200 guarded by !P5, laid out by hand from word.def. */
static void check_fields(check_t *t) {
  const uint64_t low = (uint64_t)WL_FORM_FMA_F32_RRR | UINT64_C(5) << 13 | UINT64_C(1) << 16 |
                       UINT64_C(1) << 17 | UINT64_C(128) << 25 | UINT64_C(3) << 33 |
                       UINT64_C(200) << 41;
  const uint32_t word[4] = {(uint32_t)low, (uint32_t)(low >> 32), 0,
                            2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 7};
  wl_insn_dec_t dec;
  want(t, "fma trap", wl_decode(word, WL_ANY_ROW, &dec), WL_TRAP_NONE);
  want(t, "fma form", dec.form, WL_FORM_FMA_F32_RRR);
  want(t, "fma unit", dec.unit, WL_UNIT_FPU);
  want(t, "fma op", dec.op, WL_FPU_FFMA);
  want(t, "fma guard", dec.guard, 5);
  want(t, "fma guard_neg", dec.guard_neg, 1);
  want(t, "fma rd", dec.rd, 1);
  want(t, "fma ra", dec.ra, 128);
  want(t, "fma rb", dec.rb, 3);
  want(t, "fma rc", dec.rc, 200);
  want(t, "fma rnd", dec.rnd, 2);
  const unsigned flags = (unsigned)(dec.ftz << 4 | dec.sat << 3 | dec.neg_a << 2 | dec.neg_b << 1);
  want(t, "fma flags", flags | dec.neg_c, 0x1d);
  want(t, "fma pd", dec.pd, WL_PRED_TRUE);
  want(t, "fma imm", dec.imm, 0);
}

/* setp.u32 with every field of its shape, then the fields that it does not have. */
static void check_predicates(check_t *t) {
  const uint32_t word[4] = {WL_FORM_SETP_U32_RI, 2u << 17 | 3u << 20 | 4u << 23 | 1u << 26,
                            0xdeadbeef, 9u << 4 | 2u << 8};
  wl_insn_dec_t dec;
  want(t, "setp trap", wl_decode(word, WL_ANY_ROW, &dec), WL_TRAP_NONE);
  want(t, "setp pd", dec.pd, 2);
  want(t, "setp pq", dec.pq, 3);
  want(t, "setp ps", dec.ps, 4);
  want(t, "setp ps_neg", dec.ps_neg, 1);
  want(t, "setp pt", dec.pt, WL_PRED_TRUE);
  want(t, "setp cmp", dec.cmp, 9);
  want(t, "setp bop", dec.bop, 2);
  want(t, "setp imm", dec.imm, 0xdeadbeef);
  want(t, "setp rd", dec.rd, WL_REG_ZERO);
  want(t, "setp ra", dec.ra, 0);
}

int main(void) {
  check_t t = {.state = 3};
  for (size_t i = 0; i < sizeof expectation / sizeof *expectation; i++)
    check_bits_of(&t, expectation[i].form, expectation[i].allowed);
  check_fields(&t);
  check_predicates(&t);
  for (uint32_t form = 0; form < 8192; form++) {
    const uint32_t word[4] = {form, 0, 0, 0};
    wl_insn_dec_t dec;
    want(&t, "form id", wl_decode(word, WL_ANY_ROW, &dec),
         wl_form_exists(form, WL_ANY_ROW) ? WL_TRAP_NONE : WL_TRAP_ILLEGAL_FORM);
  }
  return check_done(&t, "decode");
}
