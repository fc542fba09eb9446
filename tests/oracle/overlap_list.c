/* overlap_list.c: what the cases of test_overlap have in common. See overlap_list.h. */
#include "tests/oracle/overlap_list.h"

#include <stdarg.h>
#include <stdio.h>

const char wl_overlap_head[] =
    ".reg .pred %p<4>, %bp<4>, %always;\n.reg .b8 %c<4>;\n.reg .b16 %h<4>, %bh<4>;\n"
    ".reg .b32 %w<4>, %bw<4>, %t, %dw, %sm, %lm, %pm, %i, %sa;\n.reg .f32 %f<4>, %bf<4>;\n"
    ".reg .b64 %x<4>, %bx<4>, %in, %out, %dx, %gm, %am, %smx, %lmx, %cmx, %pmx, %gs, %gl, %gc, "
    "%gp;\n"
    ".reg .v4 .b32 %v;\n.reg .v2 .b32 %u;\n"
    ".shared .align 16 .b8 sh[8192];\n.local .align 16 .b8 lo[128];\n"
    "mov.u32 %t, %tid.x;\nld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n"
    "mad.wide.u32 %out, %t, 8, %out;\nmad.wide.u32 %gm, %t, 128, %in;\nadd.u64 %am, %gm, 4096;\n"
    "mov.u32 %sm, sh;\nmad.lo.u32 %sm, %t, 128, %sm;\nadd.u32 %sa, %sm, 4096;\n"
    "cvt.u64.u32 %smx, %sm;\nmov.u64 %lmx, lo;\ncvt.u32.u64 %lm, %lmx;\nmov.u64 %cmx, ct;\n"
    "mov.u64 %pmx, block;\ncvt.u32.u64 %pm, %pmx;\n"
    "cvta.shared.u64 %gs, %smx;\ncvta.local.u64 %gl, %lmx;\ncvta.const.u64 %gc, %cmx;\n"
    "cvta.param.u64 %gp, %pmx;\n"
    "mov.u32 %i, 0;\nFILL:\ncvt.u64.u32 %dx, %i;\nadd.u64 %dx, %gm, %dx;\nld.global.b32 %dw, "
    "[%dx];\n"
    "add.u32 %w0, %sm, %i;\nst.shared.b32 [%w0], %dw;\nadd.u32 %w0, %lm, %i;\n"
    "st.local.b32 [%w0], %dw;\nadd.u32 %i, %i, 4;\nsetp.lt.u32 %p0, %i, 128;\n@%p0 bra FILL;\n"
    "ld.global.v4.b32 {%bw0, %bw1, %bw2, %bw3}, [%gm];\n"
    "ld.global.v4.b16 {%bh0, %bh1, %bh2, %bh3}, [%gm+16];\n"
    "ld.global.v4.f32 {%bf0, %bf1, %bf2, %bf3}, [%gm+32];\n"
    "ld.global.v2.b64 {%bx0, %bx1}, [%gm+64];\nld.global.v2.b64 {%bx2, %bx3}, [%gm+80];\n"
    "setp.gt.s32 %bp0, %bw0, 0;\nsetp.gt.s32 %bp1, %bw1, 0;\nsetp.gt.s32 %bp2, %bw2, 0;\n"
    "setp.gt.s32 %bp3, %bw3, 0;\nsetp.eq.u32 %always, %t, %t;\n";

void wl_overlap_start(wl_overlap_out_t *o) {
  o->n = o->slot = 0;
  o->text[0] = 0;
}

void wl_overlap_put(wl_overlap_out_t *o, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  o->n += (size_t)vsnprintf(o->text + o->n, sizeof o->text - o->n, fmt, args);
  va_end(args);
}

void wl_overlap_values(wl_overlap_out_t *o, char letter, unsigned n) {
  const char *type = letter == 'h'   ? "b16"
                     : letter == 'w' ? "b32"
                     : letter == 'x' ? "b64"
                     : letter == 'f' ? "f32"
                                     : "pred";
  for (unsigned i = 0; i < n; i++) {
    wl_overlap_put(o, "mov.%s %%%c%u, %%b%c%u;\n", type, letter, i, letter, i);
  }
}

void wl_overlap_addresses(wl_overlap_out_t *o, char letter, const char *base) {
  for (unsigned i = 0; i < 4; i++) {
    wl_overlap_put(o, "add.u%d %%%c%u, %s, %u;\n", letter == 'x' ? 64 : 32, letter, i, base,
                   16 * i);
  }
}

void wl_overlap_dump(wl_overlap_out_t *o, char letter, unsigned reg, const char *base) {
  if (base != NULL && letter == 'w') {
    wl_overlap_put(o, "sub.u32 %%dw, %%w%u, %s;\ncvt.u64.u32 %%dx, %%dw;\n", reg, base);
  } else if (base != NULL) {
    wl_overlap_put(o, "sub.u64 %%dx, %%x%u, %s;\n", reg, base);
  } else if (letter == 'p') {
    wl_overlap_put(o, "selp.b64 %%dx, 1, 0, %%p%u;\n", reg);
  } else if (letter == 'f') {
    wl_overlap_put(o, "mov.b32 %%dw, %%f%u;\ncvt.u64.u32 %%dx, %%dw;\n", reg);
  } else {
    int bits = letter == 'c' ? 8 : letter == 'h' ? 16 : letter == 'w' ? 32 : 64;
    wl_overlap_put(o, "cvt.u64.u%d %%dx, %%%c%u;\n", bits, letter, reg);
  }
  wl_overlap_put(o, "st.global.b64 [#%u], %%dx;\n", o->slot++);
}

void wl_overlap_done(wl_overlap_out_t *o) { o->row(o->context, &(wl_overlap_t){.text = o->text}); }

void wl_overlap_list(wl_overlap_row_t row, void *context) {
  wl_overlap_out_t o = {.row = row, .context = context};
  wl_overlap_moves(&o);
  wl_overlap_memory(&o);
  wl_overlap_lanes(&o);
  wl_overlap_matrix(&o);
  wl_overlap_calls(&o);
  wl_overlap_wide(&o);
  wl_overlap_atom128(&o);
}
