/* symbols_test.c: scopes, parametrised names, labels, tables, calls [PTX 5.4.6, 7, 9.7.12]. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/ptx/check.h"

static const wl_ptx_func_t *kernel(const parsed_t *p) {
  if (p->m != NULL) return p->m->funcs[p->m->nfuncs - 1];
  printf("not parsed:\n%s", p->text);
  exit(1);
}

static void scopes(void) {
  parsed_t p;
  parse_body(&p,
             "mov.b32 %r1, 0;\n{ .reg .f32 %r1; mov.f32 %r1, 1.0; { mov.f32 %r1, 2.0; } }\nmov.b32 "
             "%r1, 3;\n"
             "{ .local .b32 tmp; st.local.b32 [tmp], %r1; }\n");
  CHECK_U64(p.rc, 0);
  const wl_ptx_func_t *f = kernel(&p);
  const wl_ptx_reg_t *outer = f->insns[0].operands[0].reg, *inner = f->insns[1].operands[0].reg;
  CHECK(outer != inner && outer->type == WL_PTX_T_B32 && inner->type == WL_PTX_T_F32);
  CHECK(f->insns[2].operands[0].reg == inner && f->insns[3].operands[0].reg == outer);
  CHECK(f->regs[outer->id] == outer && f->regs[inner->id] == inner);
  CHECK_U64(f->nvars, 1);
  CHECK_U64(f->vars[0]->scope_first, 4);
  CHECK_U64(f->vars[0]->scope_last, 5);
  parsed_free(&p);
}

static void families(void) {
  parsed_t p;
  parse_body(&p, ".reg .b32 %big<16000000>; mov.b32 %big15999999, %big0; mov.b32 %big0, 1;\n"
                 "{ .reg .b64 %big<2>; mov.b64 %big1, 0; mov.b32 %big7, 0; }\n");
  CHECK_U64(p.rc, 0);
  const wl_ptx_func_t *f = kernel(&p);
  uint32_t named = 0;
  for (uint32_t i = 0; i < f->nregs; i++)
    named += strncmp(f->regs[i]->name, "%big", 4) == 0;
  CHECK_U64(named, 4); /* only used members exist: 15999999, 0, inner 1, outer 7 */
  CHECK(f->insns[3].operands[0].reg->type == WL_PTX_T_B32);
  parsed_free(&p);
  parse_body(&p, "mov.b32 %r32, 0;\nmov.b32 %r01, 0;\n");
  CHECK_U64(p.rc, 2);
  CHECK_U64(p.diags.errors, 2);
  parsed_free(&p);
}

static void labels(void) {
  parsed_t p;
  parse_body(&p, "bra END;\n{ W: bra W; bra D; D: }\n{ W: bra D; bra W; D: }\nEND:\n"
                 "T: .branchtargets END, X<2>, END;\nX0: brx.idx %r1, T;\nX1: exit;\nLAST:\n");
  CHECK_U64(p.rc, 0);
  const wl_ptx_func_t *f = kernel(&p);
  CHECK_U64(f->ninsns, 7);
  CHECK_U64(f->insns[0].operands[0].label->index, 5);
  CHECK_U64(f->insns[1].operands[0].label->index, 1);
  CHECK_U64(f->insns[2].operands[0].label->index, 3);
  CHECK_U64(f->insns[3].operands[0].label->index, 5);
  CHECK_U64(f->insns[4].operands[0].label->index, 3);
  const wl_ptx_operand_t *t = &f->insns[5].operands[1];
  CHECK(t->kind == WL_PTX_OPD_TABLE && t->table->count == 4);
  CHECK_STR(t->table->labels[2]->name, "X1");
  CHECK_U64(t->table->labels[2]->index, 6);
  CHECK(f->labels[f->nlabels - 1]->index == f->ninsns);
  parsed_free(&p);
  /* the middle block's Z, though it comes later */
  parse_body(&p, "Z: exit;\n{ { bra Z; } exit;\nZ: }\n");
  CHECK_U64(p.rc, 0);
  CHECK_U64(kernel(&p)->insns[1].operands[0].label->index, 3);
  parsed_free(&p);
  parse_body(&p, "bra INNER;\n{ INNER: }\nbra NOWHERE;\nbra NOWHERE;\n");
  CHECK_U64(p.rc, 2);
  /* an inner label is not visible outside; each name is reported once */
  CHECK_U64(p.diags.errors, 2);
  parsed_free(&p);
}

static void calls(void) {
  parsed_t p;
  parse_module(
      &p, ".extern .func (.param .b32 r) f (.param .b64 a, .reg .f32 b);\n.extern .func g ();\n"
          ".entry k () { .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %x; .reg .pred %p;\n"
          "g;\n}\n");
  CHECK_U64(p.rc, 2); /* `g` is no instruction */
  parsed_free(&p);
  parse_module(
      &p,
      ".extern .func (.param .b32 r) f (.param .b64 a, .reg .f32 b);\n.extern .func g ();\n"
      ".entry k () { .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %x; .reg .pred %p;\n"
      "call g;\ncall.uni (%r1), f, (%rd1, 1.0);\n"
      "{ .param .b32 o; .param .b64 i; call (o), f, (i, %x); }\n"
      "P: .callprototype (.param .b32 _) _ (.param .b64 _, .reg .f32 _);\n"
      "@%p call (%r1), %rd1, (5, %x), P;\nTG: .calltargets f;\ncall (%r1), %rd1, (%rd2, %x), TG;\n"
      "Q: .callprototype _ () .noreturn;\ncall %rd1, (), Q;\n}\n");
  CHECK_STR(p.text, "");
  CHECK_U64(p.rc, 0);
  const wl_ptx_func_t *k = kernel(&p);
  CHECK_U64(k->ninsns, 6);
  CHECK(k->insns[0].call->func == p.m->funcs[1] && k->insns[0].call->nargs == 0);
  const wl_ptx_call_t *c = k->insns[1].call;
  CHECK(c->func == p.m->funcs[0] && c->nrets == 1 && c->nargs == 2 &&
        k->insns[1].mode[0] == WL_PTX_M_UNI_MODE);
  CHECK(c->args[1].kind == WL_PTX_OPD_FLOAT && c->proto == &p.m->funcs[0]->proto);
  c = k->insns[2].call;
  CHECK(c->rets[0].kind == WL_PTX_OPD_VAR && c->rets[0].var->role == WL_PTX_VAR_LOCAL_PARAM);
  c = k->insns[3].call;
  CHECK(c->func == NULL && c->target != NULL && c->proto->nparams == 2 &&
        k->insns[3].guard != NULL);
  c = k->insns[4].call;
  CHECK(c->table != NULL && c->table->funcs[0] == p.m->funcs[0] &&
        c->proto == &p.m->funcs[0]->proto);
  CHECK(k->insns[5].call->proto->noreturn);
  parsed_free(&p);
}

static void limits(void) {
  static char text[40000];
  size_t n = 0;
  for (int i = 0; i < 250; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "{");
  for (int i = 0; i < 250; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "}");
  parsed_t p;
  parse_body(&p, text);
  CHECK_U64(p.rc, 6);
  CHECK_U64(p.diags.errors, 1);
  parsed_free(&p);
  parse_body(&p, ".reg .b32 %q<16777217>;");
  CHECK_U64(p.rc, 2);
  parsed_free(&p);
  n = 0;
  for (int i = 0; i < 400; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "mov.b32 %%r1, bad%d;\n", i);
  parse_body(&p, text);
  CHECK_U64(p.diags.errors, 400);
  CHECK_U64(p.diags.count, 200);
  CHECK(strstr(p.text, "... and 200 more diagnostics") != NULL);
  parsed_free(&p);
}

int main(void) {
  scopes();
  families();
  labels();
  calls();
  limits();
  return check_result();
}
