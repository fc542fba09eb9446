/* sync_place.c: programs of addresses in a cluster, and of loads, stores and atomics there. */
#include <string.h>

#include "isa/ptx/types.h"
#include "tests/oracle/sync_text.h"

/* ---- addresses */
void wl_sync_place(wl_sync_out_t *t, const wl_sync_form_t *f, const wl_sync_variant_t *v) {
  const bool wide = f->type == WL_PTX_T_U64, shared = strstr(f->text, ".shared") != NULL;
  const char *d = wide ? "%y" : "%n", *a = wide ? "%x" : "%a";
  wl_sync_put(t, "st.shared.u32 [%%a], %%w0;\n");
  wl_sync_put(t, shared && f->form->op != WL_PTX_OP_CVTA ? "cvt.u64.u32 %%x, %%a;\n"
                                                         : "mov.u64 %%x, %%ga;\n");
  switch (f->form->op) {
  case WL_PTX_OP_MAPA:
    a = v->which != 0 && shared ? "place+16" : a;
    wl_sync_put(t, "%s %s, %s, %s;\n", f->text, d, a, v->constant ? "0" : "%w7");
    break;
  case WL_PTX_OP_GETCTARANK:
    wl_sync_put(t, "mov.u32 %%r1, 77;\n%s %%r1, %s;\n", f->text, a);
    return;
  case WL_PTX_OP_ISSPACEP:
    wl_sync_put(
        t, "%s %%p, %%ga;\nselp.u32 %%r1, 1, 0, %%p;\n%s %%p, %%out;\nselp.u32 %%r2, 1, 0, %%p;\n",
        f->text, f->text);
    return;
  default:
    if (!wl_sync_says(f, ".to")) {
      wl_sync_put(t, "cvt.u64.u32 %%x, %%a;\n");
    }
    wl_sync_put(t, "%s %%y, %%x;\nld%s.u32 %%r1, [%%y];\n", f->text,
                wl_sync_says(f, ".to") ? ".shared" : "");
    return;
  }
  /* The address itself, which a load can use. */
  if (wide) {
    wl_sync_put(t, "sub.u64 %%x, %%y, %%x;\ncvt.u32.u64 %%r1, %%x;\n");
  } else {
    wl_sync_put(t, "sub.u32 %%r1, %%n, %%a;\n");
  }
  if (v->which != 0 && shared) {
    wl_sync_put(t, "mov.u32 %%n, place;\nsub.u32 %%n, %%a, %%n;\nadd.u32 %%r1, %%r1, %%n;\n");
  } else if (shared || wide) {
    wl_sync_put(t, "ld%s.u32 %%r2, [%s];\n", shared ? ".shared::cluster" : "", d);
  }
}

/* ---- memory */
static void operands(wl_sync_out_t *t, char letter, unsigned n, const char *list, char close) {
  wl_sync_put(t, "%s", n > 1 ? "{" : "");
  for (unsigned i = 0; i < n; i++) {
    wl_sync_put(t, "%s%%%c%c%u", i != 0 ? ", " : "", list[0], letter, i);
  }
  wl_sync_put(t, "%s%c", n > 1 ? "}" : "", close);
}

void wl_sync_access(wl_sync_out_t *t, const wl_sync_form_t *f) {
  const unsigned bits = wl_ptx_type_bits(f->type), n = f->vec;
  const char letter = bits == 8 ? 'b' : bits == 16 ? 'h' : bits == 32 ? 'w' : 'x';
  const bool f32 = f->type == WL_PTX_T_F32, f64 = f->type == WL_PTX_T_F64;
  const char source = f32 ? 'f' : f64 ? 'd' : letter;
  const wl_ptx_op_t op = f->form->op;
  const bool load = op == WL_PTX_OP_LD || op == WL_PTX_OP_ATOM;
  wl_sync_put(t, "st.shared.v4.b32 [%%a], {%%w0, %%w1, %%w2, %%w3};\n%s ", f->text);
  if (load) {
    operands(t, source, n, "r", ',');
  }
  wl_sync_put(t, " [%%ra]%s", op == WL_PTX_OP_LD ? ";\n" : ", ");
  if (op != WL_PTX_OP_LD) {
    operands(t, source, n, "s", wl_sync_says(f, ".cas") ? ',' : ';');
  }
  if (wl_sync_says(f, ".cas")) {
    wl_sync_put(t, " %%s%c1;", source);
  }
  wl_sync_put(t, "\n");
  for (unsigned i = 0; i < n && load; i++) {
    static const char *const to[] = {"cvt.u64.u8", "cvt.u64.u16", "cvt.u64.u32", "mov.b64"};
    if (f32) {
      wl_sync_put(t, "mov.b32 %%rw%u, %%rf%u;\n", i, i);
    } else if (f64) {
      wl_sync_put(t, "mov.b64 %%rx%u, %%rd%u;\n", i, i);
    }
    wl_sync_put(t, "%s %%x, %%r%c%u;\nmad.lo.u64 %%y, %%y, 31, %%x;\n",
                to[bits == 8    ? 0
                   : bits == 16 ? 1
                   : bits == 32 ? 2
                                : 3],
                letter, i);
  }
  wl_sync_put(t, "ld.shared.v2.b64 {%%x, %%z}, [%%a];\nmad.lo.u64 %%z, %%z, 77, %%x;\n");
}
