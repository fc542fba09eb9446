/* instructions_test.c: the opcode table against PTX Table 2, and the structured fields of parsed
 * instructions. Table 2 is repeated here by hand, so that a keyword missing in ptx_op.def shows. */
#include <stdio.h>
#include <string.h>

#include "isa/ptx/forms.h"
#include "tests/unit/ptx/check.h"

static const char k_table2[] =
    "abs cvta membar setp vabsdiff activemask discard min shf vabsdiff2 add div mma shfl vabsdiff4 "
    "addc "
    "dp2a mov shl vadd alloca dp4a movmatrix shr vadd2 and elect mul sin vadd4 applypriority ex2 "
    "mul24 "
    "slct vavrg2 atom exit multimem sqrt vavrg4 bar fence nanosleep st vmad barrier fma neg "
    "stackrestore "
    "vmax bfe fns not stacksave vmax2 bfi getctarank or stmatrix vmax4 bfind griddepcontrol "
    "pmevent sub "
    "vmin bmsk isspacep popc subc vmin2 bra istypep prefetch suld vmin4 brev ld prefetchu suq vote "
    "brkpt "
    "ldmatrix prmt sured vset brx ldu rcp sust vset2 call lg2 red szext vset4 clz lop3 redux tanh "
    "vshl "
    "cnot mad rem tcgen05 vshr copysign mad24 ret tensormap vsub cos madc rsqrt testp vsub2 "
    "clusterlaunchcontrol mapa sad tex vsub4 cp match selp tld4 wgmma createpolicy max set trap "
    "wmma cvt "
    "mbarrier setmaxnreg txq xor";

static void table2(void) {
  wl_arena_t a = {0};
  char message[200];
  wl_forms_t *f = wl_forms_compile(&a, message, sizeof message);
  CHECK(f != NULL);
  unsigned n = 0;
  for (const char *s = k_table2; f != NULL && *s != 0; n++) {
    size_t len = strcspn(s, " ");
    wl_ptx_op_t op = wl_forms_find_op(f, s, len);
    check_at(__FILE__, __LINE__, op != WL_PTX_OP_NONE, s);
    CHECK(strncmp(wl_ptx_op_clause(op), "9.7.", 4) == 0);
    s += len + (s[len] == ' ');
  }
  CHECK_U64(n, WL_PTX_OP_COUNT - 1); /* none missing, none invented */
  CHECK(f != NULL && wl_forms_find_op(f, "addx", 4) == WL_PTX_OP_NONE);
  wl_arena_free(&a);
}

/* An opcode of which nothing is implemented is refused with its clause, whatever its modifiers and
 * operands are. tests/accept has one line of each form of it. */
static void rejected_opcodes(void) {
  for (int op = 1; op < WL_PTX_OP_COUNT; op++) {
    wl_arena_t a = {0};
    char message[200], text[200];
    wl_forms_t *f = wl_forms_compile(&a, message, sizeof message);
    CHECK(f != NULL && f->first[op] < f->first[op + 1]);
    const wl_form_t *last = f != NULL ? &f->forms[f->first[op + 1] - 1] : NULL;
    bool none = last != NULL && last->open && last->nslots == 0 && last->target <= 90;
    wl_arena_free(&a);
    if (!none) continue;
    parsed_t p;
    snprintf(text, sizeof text, "%s.x::y.b32 {%%r1}, [g, {%%r2}];\n",
             wl_ptx_op_name((wl_ptx_op_t)op));
    parse_body(&p, text);
    CHECK_U64(p.rc, 6);
    CHECK_U64(p.diags.errors, 1);
    CHECK_STR(p.diags.items[0].clause, wl_ptx_op_clause((wl_ptx_op_t)op));
    parsed_free(&p);
  }
}

static parsed_t parsed;

static const wl_ptx_insn_t *insn(const char *text) {
  static const wl_ptx_insn_t nothing;
  parsed_free(&parsed);
  parse_body(&parsed, text);
  check_text(__FILE__, __LINE__, text, parsed.text, "");
  if (parsed.m == NULL) return &nothing;
  const wl_ptx_func_t *f = parsed.m->funcs[0];
  return f->ninsns != 0 ? &f->insns[f->ninsns - 1] : &nothing;
}

static void arithmetic(void) {
  const wl_ptx_insn_t *i = insn("mad.wide.s32 %rd1, %r2, -4, %rd3;");
  CHECK(i->op == WL_PTX_OP_MAD && i->mode[0] == WL_PTX_M_WIDE && i->type[0] == WL_PTX_T_S32);
  CHECK_U64(i->noperands, 4);
  CHECK(i->operands[2].kind == WL_PTX_OPD_INT && i->operands[2].imm == (uint64_t)-4);
  i = insn("fma.rz.ftz.sat.f32 %f1, %f2, 0f3f800000, 1.5;");
  CHECK(i->round == WL_PTX_M_RZ && i->flags == (WL_PTX_F(FTZ) | WL_PTX_F(SAT)));
  CHECK(i->operands[2].imm_f32 && i->operands[2].imm == 0x3f800000);
  CHECK(!i->operands[3].imm_f32 && i->operands[3].imm == 0x3ff8000000000000);
  i = insn("@!%p2 setp.ltu.and.ftz.f32 %p1|_, %f1, V.w, !%p3;");
  CHECK(i->guard_neg && strcmp(i->guard->name, "%p2") == 0);
  CHECK(i->cmp == WL_PTX_M_LTU && i->boolop == WL_PTX_M_AND && i->nmodes == 0);
  CHECK(i->operands[0].pair->kind == WL_PTX_OPD_SINK && i->operands[2].comp == 3 &&
        i->operands[3].neg);
  i = insn("setp.hi.u32 %p1, %r1, WARP_SZ;");
  CHECK(i->cmp == WL_PTX_M_HI && i->operands[2].imm == 32);
  i = insn("mul.hi.u32 %r1, %r2, %r3;");
  CHECK(i->mode[0] == WL_PTX_M_HI && i->cmp == WL_PTX_M_NONE);
  i = insn("shf.l.wrap.b32 %r1, %r2, %r3, 5;");
  CHECK(i->nmodes == 2 && i->mode[0] == WL_PTX_M_L && i->mode[1] == WL_PTX_M_WRAP);
  i = insn("cvt.rzi.sat.u8.f32 %r1, %f1;");
  CHECK(i->round == WL_PTX_M_RZI && i->type[0] == WL_PTX_T_U8 && i->type[1] == WL_PTX_T_F32 &&
        i->ntypes == 2);
  i = insn("lop3.or.b32 _|%p1, %r1, %r2, %r3, 0x80, %p2;");
  CHECK(i->boolop == WL_PTX_M_OR && i->operands[0].kind == WL_PTX_OPD_SINK &&
        i->operands[0].pair != NULL);
  i = insn("min.NaN.xorsign.abs.f32 %f1, %f2, %f3;");
  CHECK(i->flags == (WL_PTX_F(NAN) | WL_PTX_F(XORSIGN) | WL_PTX_F(ABS)));
}

static void memory(void) {
  const wl_ptx_insn_t *i =
      insn("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1+-16];");
  CHECK(i->space == WL_PTX_SPACE_GLOBAL && i->vec == 4 && i->flags == WL_PTX_F(NC));
  CHECK(i->evict_l1 == WL_PTX_M_L1_NO_ALLOCATE && i->prefetch_size == WL_PTX_M_L2_128B);
  CHECK(i->operands[1].kind == WL_PTX_OPD_ADDR && (int64_t)i->operands[1].imm == -16);
  CHECK_U64(i->operands[0].nelems, 4);
  i = insn("ld.acquire.gpu.u32 %r1, [%rd1];");
  CHECK(i->space == WL_PTX_SPACE_GENERIC && i->sem == WL_PTX_M_ACQUIRE && i->scope == WL_PTX_M_GPU);
  parsed_free(&parsed);
  parse_body(&parsed, "ld.u32.volatile.shared %r1, [sh+4];");
  CHECK_U64(parsed.rc, 0); /* order of modifiers is free */
  i = insn("ld.global.u32 %r1, g[3];");
  CHECK(i->operands[1].kind == WL_PTX_OPD_ADDR && i->operands[1].imm == 12 &&
        i->operands[1].var != NULL);
  i = insn("ld.shared.u32 %r1, sh[%r2+-8];");
  CHECK(i->operands[1].var != NULL && i->operands[1].reg != NULL &&
        (int64_t)i->operands[1].imm == -8);
  i = insn("ld.global.b32 %r1, [4096];");
  CHECK(i->operands[1].var == NULL && i->operands[1].reg == NULL && i->operands[1].imm == 4096);
  i = insn("ld.param.u64 %rd1, [pa];");
  CHECK(i->space == WL_PTX_SPACE_PARAM_ENTRY);
  i = insn("{ .param .b32 q; st.param.b32 [q], 1; ld.param.b32 %r1, [q]; }");
  CHECK(i->space == WL_PTX_SPACE_PARAM_FUNC && i[-1].space == WL_PTX_SPACE_PARAM_FUNC);
  i = insn("ld.u32 %r1, [sh];"); /* the variable proves the space */
  CHECK(i->space == WL_PTX_SPACE_SHARED);
  i = insn("st.global.cs.v2.b32 [g], {1, %r2};");
  CHECK(i->cache == WL_PTX_M_CS && i->vec == 2 && i->operands[1].elems[0].kind == WL_PTX_OPD_INT);
  i = insn("ld.global.L2::cache_hint.u32 %r1, [g], %rd4;");
  CHECK(i->noperands == 3 && i->flags == WL_PTX_F(CACHE_HINT));
  i = insn("atom.acq_rel.sys.shared.cas.b32 _, [sh], %r1, %r2;");
  CHECK(i->sem == WL_PTX_M_ACQ_REL && i->scope == WL_PTX_M_SYS && i->mode[0] == WL_PTX_M_CAS);
  i = insn("membar.gl;");
  CHECK(i->scope == WL_PTX_M_GPU);
  i = insn("fence.sc.cta;");
  CHECK(i->sem == WL_PTX_M_SC && i->scope == WL_PTX_M_CTA);
  i = insn("cvta.to.shared.u64 %rd1, %rd2;");
  CHECK(i->mode[0] == WL_PTX_M_TO && i->space == WL_PTX_SPACE_SHARED);
  i = insn("cvta.global.u64 %rd1, g+8;");
  CHECK(i->operands[1].kind == WL_PTX_OPD_VAR && i->operands[1].imm == 8 && i->nmodes == 0);
}

static void moves(void) {
  const wl_ptx_insn_t *i = insn("mov.b64 {%r1, _}, %rd1;");
  CHECK(i->operands[0].kind == WL_PTX_OPD_VEC && i->operands[0].elems[1].kind == WL_PTX_OPD_SINK);
  i = insn("mov.v4.u32 {%r1,%r2,%r3,%r4}, %ctaid;");
  CHECK(i->vec == 4 && i->operands[1].kind == WL_PTX_OPD_SREG &&
        i->operands[1].sreg == WL_PTX_SR_CTAID);
  i = insn("mov.u32 %r1, %tid.y;");
  CHECK(i->operands[1].sreg == WL_PTX_SR_TID && i->operands[1].comp == 1);
  i = insn("mov.b32 %r1, %envreg31;");
  CHECK(i->operands[1].sreg == WL_PTX_SR_ENVREG && i->operands[1].index == 31);
  i = insn("mov.u64 %rd1, %pm7_64;");
  CHECK(i->operands[1].sreg == WL_PTX_SR_PM_64 && i->operands[1].index == 7);
  i = insn("mov.u64 %rd1, g+12;");
  CHECK(i->operands[1].kind == WL_PTX_OPD_VAR && i->operands[1].imm == 12);
}

static void synchronisation(void) {
  const wl_ptx_insn_t *i = insn("bar.red.popc.u32 %r1, 3, 64, !%p1;");
  CHECK(i->mode[0] == WL_PTX_M_RED && i->mode[1] == WL_PTX_M_POPC && i->noperands == 4 &&
        i->operands[3].neg);
  i = insn("barrier.cta.sync.aligned %r1;");
  CHECK_U64(i->nmodes, 0);
  CHECK((i->flags & WL_PTX_F(ALIGNED)) != 0 && (i->flags & WL_PTX_F(SYNC)) != 0 &&
        i->scope == WL_PTX_M_NONE);
  i = insn("bar.warp.sync -1;");
  CHECK(i->mode[0] == WL_PTX_M_WARP);
  i = insn("shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;");
  CHECK(i->mode[0] == WL_PTX_M_BFLY && i->operands[0].pair->reg->type == WL_PTX_T_PRED);
  i = insn("vote.sync.uni.pred %p1, !%p2, -1;");
  CHECK(i->mode[0] == WL_PTX_M_UNI_MODE);
  i = insn("elect.sync _|%p1, -1;");
  CHECK(i->noperands == 2);
}

static void destinations(void) {
  CHECK_U64(insn("mad.lo.s32 %r1, %r2, %r3, 4;")->ndests, 1);
  CHECK_U64(insn("setp.lt.u32 %p1|%p2, %r1, %r2;")->ndests, 1);
  CHECK_U64(insn("ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1];")->ndests, 1);
  CHECK_U64(insn("mov.b64 {%r1, _}, %rd1;")->ndests, 1);
  CHECK_U64(insn("atom.shared.cas.b32 _, [sh], %r1, %r2;")->ndests, 1);
  CHECK_U64(insn("st.global.b32 [g], %r1;")->ndests, 0);
  CHECK_U64(insn("bar.sync 0;")->ndests, 0);
}

static void spelling(void) {
  static const char *const same[] = {"ld.global.nc.L1::no_allocate.v4.f32 V, [g];",
                                     "atom.relaxed.gpu.global.add.u32 %r1, [g], 1;",
                                     "prmt.b32.f4e %r1, %r2, %r3, %r4;",
                                     "setp.lt.and.f32 %p1, %f1, %f2, %p2;",
                                     "cvt.rn.f32.s32 %f1, %r1;",
                                     "bar.red.and.pred %p1, 0, %p2;",
                                     "mov.v4.f32 V, {%f1,%f2,%f3,%f4};",
                                     "shf.r.clamp.b32 %r1, %r2, %r3, 1;"};
  for (size_t k = 0; k < sizeof same / sizeof same[0]; k++) {
    char want[100], got[100];
    size_t n = strcspn(same[k], " ");
    memcpy(want, same[k], n);
    want[n] = 0;
    CHECK_U64(wl_ptx_form_text(insn(same[k]), got, sizeof got), n);
    CHECK_STR(got, want);
  }
  char small[5];
  CHECK_U64(wl_ptx_form_text(insn("bra.uni L; L:"), small, sizeof small), 7);
  CHECK_STR(small, "bra.");
}

int main(void) {
  table2();
  rejected_opcodes();
  parse_body(&parsed, "");
  arithmetic();
  memory();
  moves();
  synchronisation();
  destinations();
  spelling();
  parsed_free(&parsed);
  return check_result();
}
