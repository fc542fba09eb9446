/* directives_test.c: what the tree holds after each directive [PTX 5, 7, 11]. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/ptx/check.h"

static void module_head(void) {
  parsed_t p;
  parse_text(&p, ".version 8.5\n.target sm_90a, texmode_unified, debug\n.address_size 64\n");
  CHECK_U64(p.rc, 0);
  CHECK_U64(p.m->version_major * 10 + p.m->version_minor, 85);
  CHECK_U64(p.m->sm, 90);
  CHECK(p.m->sm_suffix == 'a' && p.m->debug && p.m->address_size == 64);
  parsed_free(&p);
  parse_text(&p, ".version 9.5 .target compute_80");
  CHECK_U64(p.rc, 0);
  CHECK_U64(p.diags.warnings, 1);
  CHECK_U64(p.m->address_size, 64); /* as ptxas takes it; a note says so */
  CHECK(strstr(p.text, "note: no .address_size: addresses are taken to have 64 bits") != NULL);
  parsed_free(&p);
  parse_text(&p, "");
  CHECK_U64(p.rc, 2);
  parsed_free(&p);
}

static const wl_ptx_var_t *var(const parsed_t *p, uint32_t i) { return p->m->vars[i]; }

static void variables(void) {
  parsed_t p;
  parse_module(&p,
               ".visible .global .align 16 .b8 a[3][5];\n.const .v4 .f32 v[2];\n"
               ".extern .shared .align 32 .b8 dyn[];\n.weak .global .u16 x, y[7];\n"
               ".common .global .b64 z;\n.global .attribute(.managed, .unified(19,95)) .s32 m;\n"
               ".shared .v2 .u16 uv;\n.global .b32 fam<3>;\n");
  CHECK_U64(p.rc, 0);
  CHECK_U64(p.m->nvars, 11);
  const wl_ptx_var_t *v = var(&p, 0);
  CHECK(v->linkage == WL_PTX_LINK_VISIBLE && v->space == WL_PTX_SPACE_GLOBAL && v->is_array);
  CHECK_U64(v->size, 15);
  CHECK_U64(v->align, 16);
  CHECK_U64(v->ndims, 2);
  CHECK_U64(v->dims[1], 5);
  v = var(&p, 1);
  CHECK(v->space == WL_PTX_SPACE_CONST && v->vec == 4);
  CHECK_U64(v->size, 32);
  CHECK_U64(v->align, 16); /* vectors align to their whole size [PTX 5.4.5] */
  v = var(&p, 2);
  CHECK(v->unsized && v->linkage == WL_PTX_LINK_EXTERN && v->size == 0 && v->align == 32);
  CHECK(var(&p, 3)->linkage == WL_PTX_LINK_WEAK && var(&p, 4)->size == 14 &&
        var(&p, 4)->align == 2);
  CHECK(var(&p, 5)->linkage == WL_PTX_LINK_COMMON);
  v = var(&p, 6);
  CHECK(v->managed && v->unified && v->uuid[0] == 19 && v->uuid[1] == 95);
  CHECK(var(&p, 7)->align == 4 && var(&p, 7)->size == 4);
  CHECK_STR(var(&p, 10)->name, "fam2");
  parsed_free(&p);
}

static void bytes(const wl_ptx_var_t *v, const char *hex) {
  char got[200] = "";
  for (uint64_t i = 0; v->init != NULL && i < v->size && i < 99; i++) {
    snprintf(got + 2 * i, 3, "%02x", v->init[i]);
  }
  CHECK_STR(got, hex);
}

static void initialisers(void) {
  parsed_t p;
  parse_module(
      &p, ".global .s32 x[3][2] = { {1,2}, {3} };\n.global .s16 off[][2] = { {-1, 0}, {0, -1} };\n"
          ".const .f32 f[] = { -1.0, 0f40490fdb };\n.global .f64 d = 1.0;\n"
          ".global .v2 .b8 v[2] = {{1,2},{3,4}};\n.global .u8 five[] = { 0xFF(1000 + 546), "
          "0xFF00(131187) };\n"
          ".global .b64 big = 0xfabc123400000000;\n.global .u32 none;\n");
  CHECK_U64(p.rc, 0);
  bytes(var(&p, 0), "010000000200000003000000000000000000000000000000");
  bytes(var(&p, 1), "ffff00000000ffff");
  CHECK_U64(var(&p, 1)->dims[0], 2);
  bytes(var(&p, 2), "000080bfdb0f4940");
  bytes(var(&p, 3), "000000000000f03f");
  bytes(var(&p, 4), "01020304");
  bytes(var(&p, 5), "0a00"); /* 1546 = 0x060a; 131187 = 0x20073 */
  bytes(var(&p, 6), "000000003412bcfa");
  CHECK(var(&p, 7)->init == NULL);
  parsed_free(&p);
}

static void addresses(void) {
  parsed_t p;
  parse_module(&p, ".extern .func f ();\n.global .u32 foo[4];\n"
                   ".global .u64 ptr[] = { foo, generic(foo)+8, f, foo+-4 };\n"
                   ".global .u8 b[] = { 0xff(foo), 0xff00(foo+4), 0xff000000(generic(foo)+4) };\n");
  CHECK_U64(p.rc, 0);
  const wl_ptx_var_t *v = var(&p, 1), *foo = var(&p, 0);
  CHECK_U64(v->nrelocs, 4);
  CHECK(v->relocs[0].var == foo && !v->relocs[0].generic && v->relocs[0].size == 8);
  CHECK(v->relocs[1].generic && v->relocs[1].addend == 8 && v->relocs[1].offset == 8);
  CHECK(v->relocs[2].func == p.m->funcs[0] && v->relocs[2].var == NULL);
  CHECK(v->relocs[3].addend == -4);
  v = var(&p, 2);
  CHECK_U64(v->nrelocs, 3);
  CHECK(v->relocs[0].size == 1 && v->relocs[0].shift == 0);
  CHECK(v->relocs[1].shift == 8 && v->relocs[1].addend == 4 && v->relocs[1].offset == 1);
  CHECK(v->relocs[2].shift == 24 && v->relocs[2].generic);
  parsed_free(&p);
}

static void entries(void) {
  parsed_t p;
  parse_module(
      &p, ".visible .entry k (.param .u8 a, .param .align 8 .b8 s[12],\n"
          "  .param .u64 .ptr.global.align 16 q, .param .u64 .ptr .align 8 r, .param .u16 last)\n"
          ".maxntid 16, 8\n.minnctapersm 2 .maxnreg 64 .pragma \"x\";\n{ ret; }\n"
          ".entry r () .reqntid 32 .reqnctapercluster 2,2,1 .blocksareclusters { exit; }\n");
  CHECK_U64(p.rc, 0);
  const wl_ptx_func_t *k = p.m->funcs[0];
  CHECK(k->is_entry && k->defined && k->linkage == WL_PTX_LINK_VISIBLE && k->proto.nparams == 5);
  static const uint64_t offsets[] = {0, 8, 24, 32, 40};
  for (uint32_t i = 0; i < 5; i++) {
    CHECK_U64(k->proto.params[i].var->offset, offsets[i]);
    CHECK_U64(k->proto.params[i].var->id, i);
  }
  CHECK_U64(k->param_bytes, 42);
  const wl_ptx_var_t *q = k->proto.params[2].var;
  CHECK(q->is_ptr && q->ptr_space == WL_PTX_SPACE_GLOBAL && q->ptr_align == 16 && q->align == 8);
  CHECK(k->proto.params[3].var->ptr_space == WL_PTX_SPACE_GENERIC);
  CHECK(k->maxntid[0] == 16 && k->maxntid[1] == 8 && k->maxntid[2] == 1);
  CHECK_U64(k->perf, WL_PTX_PERF_MAXNTID | WL_PTX_PERF_MINNCTAPERSM | WL_PTX_PERF_MAXNREG);
  CHECK(k->minnctapersm == 2 && k->maxnreg == 64 && k->npragmas == 1);
  const wl_ptx_func_t *r = p.m->funcs[1];
  CHECK(r->reqntid[0] == 32 && r->reqnctapercluster[1] == 2);
  CHECK((r->perf & WL_PTX_PERF_BLOCKSARECLUSTERS) != 0);
  parsed_free(&p);
}

static void functions(void) {
  parsed_t p;
  parse_module(
      &p,
      ".extern .func (.param .b32 r) ext (.param .b64 a, .param .align 8 .b8 b[16]);\n"
      ".func (.reg .u32 %res) inc (.reg .u32 %ptr, .reg .u32 %inc);\n"
      ".func (.reg .u32 %x) inc (.reg .u32 %y, .reg .u32 %z) { add.u32 %x, %y, %z; ret; }\n"
      ".visible .func foo () .noreturn { trap; }\n.func al ();\n.func old () { ret; }\n.alias al, "
      "old;\n");
  CHECK_U64(p.rc, 0);
  CHECK_U64(p.m->nfuncs, 5);
  const wl_ptx_func_t *e = p.m->funcs[0], *i = p.m->funcs[1];
  CHECK(!e->defined && e->linkage == WL_PTX_LINK_EXTERN && e->proto.nrets == 1 &&
        e->proto.nparams == 2);
  CHECK(e->proto.rets[0].var->role == WL_PTX_VAR_FUNC_RET && e->proto.params[1].var->size == 16);
  CHECK(i->defined && i->nregs == 3 && i->ninsns == 2);
  CHECK_STR(i->proto.params[1].reg->name, "%z");
  CHECK(i->regs[i->proto.params[1].reg->id] == i->proto.params[1].reg);
  CHECK(p.m->funcs[2]->proto.noreturn);
  CHECK(p.m->funcs[3]->alias_of == p.m->funcs[4]);
  parsed_free(&p);
}

static void debug_info(void) {
  parsed_t p;
  parse_module(
      &p,
      ".file 1 \"a.cu\", 123, 45\n.section .debug_str\n{\n$L__info: .b8 1,2\n.b64 $L__info+3\n}\n"
      ".entry k () {\n.loc 1 5 3\nexit;\n.loc 1 7 9, function_name $L__info+5, inlined_at 1 5 3\n"
      "membar.cta;\nret;\n}\n.pragma \"nounroll\", \"nounroll\";\n");
  CHECK_U64(p.rc, 0);
  CHECK_U64(p.m->nfiles, 1);
  CHECK_STR(p.m->files[0].name, "a.cu");
  CHECK_U64(p.m->npragmas, 2);
  const wl_ptx_func_t *k = p.m->funcs[0];
  CHECK_U64(k->ninsns, 3);
  CHECK(k->insns[0].loc->line == 5 && k->insns[1].loc->line == 7 &&
        k->insns[2].loc == k->insns[1].loc);
  CHECK_U64(k->insns[1].loc->col, 9);
  parsed_free(&p);
}

int main(void) {
  module_head();
  variables();
  initialisers();
  addresses();
  entries();
  functions();
  debug_info();
  return check_result();
}
