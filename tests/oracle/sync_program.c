/* sync_program.c: see sync_program.h. A thread has 32 bytes of shared memory at %a (as a generic
 * address %ga, as one of the cluster %ra); its mbarrier lies 8 bytes behind. Words: %w0 to %w7. */
#include "tests/oracle/sync_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/ptx/ptx.h"
#include "isa/ptx/types.h"

void wl_sync_put(wl_sync_out_t *t, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  const int n = vsnprintf(t->to + t->used, WL_SYNC_CAP - t->used, fmt, args);
  va_end(args);
  t->used += n > 0 ? (size_t)n : 0;
}

bool wl_sync_says(const wl_sync_form_t *f, const char *modifier) {
  const char *at = strstr(f->text, modifier);
  const char end = at != NULL ? at[strlen(modifier)] : '?';
  return end == '\0' || end == '.';
}

wl_sync_kind_t wl_sync_kind(const wl_sync_form_t *f) {
  return wl_sync_is_bulk(f->form)                                        ? WL_SYNC_BULK
         : f->form->op != WL_PTX_OP_MBARRIER                             ? WL_SYNC_OTHER
         : wl_sync_says(f, ".test_wait") || wl_sync_says(f, ".try_wait") ? WL_SYNC_WAIT
         : wl_sync_says(f, ".pending_count")                             ? WL_SYNC_PENDING
                                                                         : WL_SYNC_OPERATION;
}

/* The last operand, if it is a number. */
static const wl_opspec_t *number_of(const wl_sync_form_t *f) {
  const wl_form_t *form = f->form;
  const bool is = form->nops != 0 && form->ops[form->nops - 1].kind == 's' &&
                  form->ops[form->nops - 1].type == WL_PTX_T_U32;
  return is ? &form->ops[form->nops - 1] : NULL;
}

static bool fits(const wl_sync_form_t *f, const wl_sync_variant_t *v) {
  const wl_opspec_t *n = number_of(f);
  const bool destination = f->form->nops != 0 && f->form->ops[0].sink;
  const bool written = n != NULL && (!n->optional || v->optional);
  const wl_sync_kind_t kind = wl_sync_kind(f);
  const bool parity = kind == WL_SYNC_WAIT && wl_sync_says(f, ".parity");
  if ((v->optional && (n == NULL || !n->optional)) || (v->constant && !written && !parity)) {
    return false;
  }
  if (v->sink && !destination) {
    return false;
  }
  if (destination && strstr(f->text, ".shared::cluster") != NULL && !v->sink) {
    return false; /* no state from another CTA */
  }
  return v->which == 0 || (v->constant && (kind != WL_SYNC_OTHER || f->form->op == WL_PTX_OP_MAPA));
}

bool wl_sync_variant(const wl_sync_form_t *f, unsigned index, wl_sync_variant_t *out) {
  if (wl_sync_kind(f) == WL_SYNC_BULK) {
    *out = (wl_sync_variant_t){.constant = (index & 1) != 0, .which = index >> 1};
    return index < 4;
  }
  for (unsigned i = 0; i < 16; i++) {
    *out = (wl_sync_variant_t){(i & 1) != 0, (i & 2) != 0, (i & 4) != 0, i >> 3};
    if (fits(f, out) && index-- == 0) {
      return true;
    }
  }
  return false;
}

uint32_t wl_sync_fixed(const wl_sync_form_t *f, const wl_sync_variant_t *v) {
  static const uint32_t bytes[] = {16, 1048575}, arrivals[] = {1, 2}, counts[] = {3, 1048575};
  const wl_opspec_t *n = number_of(f);
  if (n != NULL && (!n->optional || v->optional) && !v->constant) {
    return 0;
  }
  return wl_sync_says(f, ".init")                                           ? counts[v->which]
         : wl_sync_says(f, ".expect_tx") || wl_sync_says(f, ".complete_tx") ? bytes[v->which]
                                                                            : arrivals[v->which];
}

/* ---- mbarriers */
static const char *address(const wl_sync_form_t *f) {
  return strstr(f->text, ".shared::cluster") != NULL ? "[%ra+8]"
         : strstr(f->text, ".shared") != NULL        ? "[%a+8]"
                                                     : "[%ga+8]";
}

static void see_parities(wl_sync_out_t *t) {
  for (unsigned parity = 0; parity < 2; parity++) {
    wl_sync_put(
        t, "mbarrier.test_wait.parity.shared.b64 %%p, [%%a+8], %u;\nselp.u32 %%n, 1, 0, %%p;\n",
        parity);
    wl_sync_put(t, "shl.b32 %%bits, %%bits, 1;\nor.b32 %%bits, %%bits, %%n;\n");
  }
}

static void transactions(wl_sync_out_t *t, const char *word) {
  wl_sync_put(t, "setp.gt.s32 %%p, %s, 0;\n@%%p mbarrier.expect_tx.shared.b64 [%%a+8], %s;\n", word,
              word);
  wl_sync_put(t, "setp.lt.s32 %%p, %s, 0;\nneg.s32 %%n, %s;\n", word, word);
  wl_sync_put(t, "@%%p mbarrier.complete_tx.shared.b64 [%%a+8], %%n;\n");
}

static void prepare(wl_sync_out_t *t, const char *label) {
  wl_sync_put(t, "mbarrier.init.shared.b64 [%%a+8], %%w0;\nmov.u32 %%n, %%w7;\n%s:\n", label);
  wl_sync_put(t,
              "setp.ne.u32 %%p, %%n, 0;\n@%%p mbarrier.arrive.shared.b64 _, [%%a+8], %%w0;\n"
              "@%%p sub.u32 %%n, %%n, 1;\n@%%p bra %s;\n",
              label);
}

static void operation(wl_sync_out_t *t, const wl_sync_form_t *f, const wl_sync_variant_t *v) {
  const bool destination = f->form->ops[0].sink;
  const wl_opspec_t *n = number_of(f);
  const bool written = n != NULL && (!n->optional || v->optional);
  char number[24];
  prepare(t, "P");
  transactions(t, "%w2");
  wl_sync_put(t, "setp.ne.u32 %%p, %%w1, 0;\n@%%p mbarrier.arrive.shared.b64 _, [%%a+8], %%w1;\n");
  (void)snprintf(number, sizeof number, ", %s", "%w3");
  if (v->constant) {
    (void)snprintf(number, sizeof number, ", %" PRIu32, wl_sync_fixed(f, v));
  }
  wl_sync_put(t, "setp.ne.u32 %%g, %%w6, 0;\n@%%g %s %s%s%s;\n", f->text,
              destination ? (v->sink ? "_, " : "%s, ") : "", address(f), written ? number : "");
  if (wl_sync_says(f, ".inval")) {
    wl_sync_put(t, "@%%g mbarrier.init.shared.b64 [%%a+8], %%w0;\n");
  }
  see_parities(t);
  if (destination && !v->sink) {
    wl_sync_put(t, "@%%g mbarrier.pending_count.b64 %%r1, %%s;\n");
  }
  transactions(t, "%w4");
  see_parities(t);
  wl_sync_put(t,
              "setp.ne.u32 %%p, %%w5, 0;\n@%%p mbarrier.arrive.shared.b64 %%s, [%%a+8], %%w5;\n");
  wl_sync_put(t, "@%%p mbarrier.pending_count.b64 %%r2, %%s;\n");
  see_parities(t); /* a phase has ended: what the next one expects */
  wl_sync_put(t,
              "mbarrier.arrive.shared.b64 %%s, [%%a+8];\nmbarrier.pending_count.b64 %%r3, %%s;\n");
}

static void wait(wl_sync_out_t *t, const wl_sync_form_t *f, const wl_sync_variant_t *v) {
  const bool parity = wl_sync_says(f, ".parity");
  char asked[16], limit[16] = "";
  prepare(t, "P");
  wl_sync_put(t, "sub.u32 %%n, %%w0, 1;\nmbarrier.arrive.shared.b64 %%s, [%%a+8], %%n;\n"
                 "setp.ne.u32 %%p, %%w1, 0;\n@%%p mbarrier.arrive.shared.b64 _, [%%a+8];\n");
  (void)snprintf(asked, sizeof asked, "%s", parity ? "%w3" : "%s");
  if (v->constant && parity) {
    (void)snprintf(asked, sizeof asked, "%u", v->which);
  }
  if (v->optional) {
    (void)snprintf(limit, sizeof limit, v->constant ? ", %u" : ", %%w5", 100 + 200 * v->which);
  }
  wl_sync_put(t,
              "setp.ne.u32 %%g, %%w6, 0;\nsetp.ne.u32 %%p, %%w0, %%w0;\n@%%g %s %%p, %s, %s%s;\n",
              f->text, address(f), asked, limit);
  wl_sync_put(t, "selp.u32 %%bits, 1, 2, %%p;\n");
  see_parities(t);
}

static void pending(wl_sync_out_t *t, const wl_sync_form_t *f) {
  wl_sync_put(t,
              "mbarrier.init.shared.b64 [%%a+8], %%w0;\n"
              "mbarrier.arrive.noComplete.shared.b64 %%s, [%%a+8], %%w3;\n%s %%r1, %%s;\n"
              "mbarrier.arrive.noComplete.shared.b64 %%s, [%%a+8], 1;\n%s %%r2, %%s;\n",
              f->text, f->text);
}

/* ---- barriers, fences: what the neighbour wrote can be read. */
static void order(wl_sync_out_t *t, const wl_sync_form_t *f) {
  const bool arrive = wl_sync_says(f, ".arrive"), cluster = f->form->op == WL_PTX_OP_BARRIER;
  for (unsigned turn = 0; turn < 2; turn++) {
    wl_sync_put(t, "st.shared.u32 [%%a], %%w%u;\n", turn);
    if (cluster) {
      wl_sync_put(t, "%s;\n%s;\n", arrive ? f->text : "barrier.cluster.arrive.release",
                  arrive ? "barrier.cluster.wait.acquire" : f->text);
    } else {
      wl_sync_put(t, "%s%s;\nbar.sync 0;\n", f->text, f->form->nops == 2 ? " [%out], 128" : "");
    }
    wl_sync_put(t, "ld.shared.u32 %%n, [%%b];\nmad.lo.u32 %%bits, %%bits, 31, %%n;\nbar.sync 0;\n");
  }
}

/* ---- the program */
static void head(wl_sync_out_t *t, const wl_sync_form_t *f) {
  const unsigned version = f->form->version > 90 ? f->form->version : 90;
  wl_sync_put(t, ".version %u.%u\n.target sm_%u\n.address_size 64\n", version / 10, version % 10,
              f->form->target > 90 ? f->form->target : 90);
  wl_sync_put(
      t,
      ".visible .entry t(.param .u64 in, .param .u64 out)\n{\n.shared .align 16 .b8 place[%u];\n",
      32 * WL_SYNC_BLOCK);
  wl_sync_put(
      t, ".reg .pred %%p, %%g;\n.reg .b8 %%rb<4>, %%sb<4>;\n.reg .b16 %%rh<8>, %%sh<8>;\n"
         ".reg .b32 %%w<8>, %%a, %%b, %%ra, %%n, %%t, %%bits, %%r1, %%r2, %%r3, %%rw<4>, %%sw<4>;\n"
         ".reg .f32 %%rf<4>, %%sf<4>;\n.reg .f64 %%rd<2>, %%sd<2>;\n"
         ".reg .b64 %%in, %%out, %%ga, %%s, %%x, %%y, %%z, %%rx<2>, %%sx<2>;\n");
  wl_sync_put(t, "mov.u32 %%t, %%ctaid.x;\nmov.u32 %%n, %%tid.x;\nmad.lo.u32 %%t, %%t, %u, %%n;\n",
              WL_SYNC_BLOCK);
  wl_sync_put(
      t,
      "mov.u32 %%a, place;\nadd.u32 %%b, %%n, 1;\nrem.u32 %%b, %%b, %u;\n"
      "mad.lo.u32 %%b, %%b, 32, %%a;\nmad.lo.u32 %%a, %%n, 32, %%a;\ncvt.u64.u32 %%ga, %%a;\n"
      "cvta.shared.u64 %%ga, %%ga;\nmapa.shared::cluster.u32 %%ra, %%a, 0;\n",
      WL_SYNC_BLOCK);
  wl_sync_put(t,
              "ld.param.u64 %%in, [in];\nld.param.u64 %%out, [out];\n"
              "mad.wide.u32 %%in, %%t, %u, %%in;\n",
              4 * WL_SYNC_WORDS);
  for (unsigned i = 0; i < WL_SYNC_WORDS; i += 4) {
    wl_sync_put(t, "ld.global.v4.b32 {%%w%u, %%w%u, %%w%u, %%w%u}, [%%in+%u];\n", i, i + 1, i + 2,
                i + 3, 4 * i);
  }
  wl_sync_put(t, "mov.u32 %%bits, 0;\nmov.u32 %%r1, 0;\nmov.u32 %%r2, 0;\nmov.u32 %%r3, 0;\n"
                 "mov.u64 %%y, 0;\nmov.u64 %%z, 0;\nmov.u64 %%s, 0;\n");
}

/* Sources of a store or atomic, of the words. */
void wl_sync_sources(wl_sync_out_t *t) {
  for (unsigned i = 0; i < 4; i++) {
    wl_sync_put(t, "mov.b32 %%sw%u, %%w%u;\nmov.b32 %%sf%u, %%w%u;\ncvt.u8.u32 %%sb%u, %%w%u;\n", i,
                4 + i, i, 4 + i, i, 4 + i);
    wl_sync_put(t, "cvt.u16.u32 %%sh%u, %%w%u;\ncvt.u16.u32 %%sh%u, %%w%u;\n", i, 4 + i, i + 4, i);
  }
  wl_sync_put(t, "mov.b64 %%sx0, {%%w4, %%w5};\nmov.b64 %%sx1, {%%w6, %%w7};\n"
                 "mov.b64 %%sd0, %%sx0;\nmov.b64 %%sd1, %%sx1;\n");
}

size_t wl_sync_program(const wl_sync_form_t *f, const wl_sync_variant_t *v, char *to) {
  wl_sync_out_t t = {to, 0};
  const wl_ptx_op_t op = f->form->op;
  head(&t, f);
  switch (wl_sync_kind(f)) {
  case WL_SYNC_OPERATION:
    operation(&t, f, v);
    break;
  case WL_SYNC_WAIT:
    wait(&t, f, v);
    break;
  case WL_SYNC_PENDING:
    pending(&t, f);
    break;
  case WL_SYNC_BULK:
    wl_sync_bulk(&t, f, v);
    break;
  default:
    if (op == WL_PTX_OP_LD || op == WL_PTX_OP_ST || op == WL_PTX_OP_ATOM || op == WL_PTX_OP_RED) {
      wl_sync_sources(&t);
      wl_sync_access(&t, f);
      wl_sync_put(
          &t,
          "mad.wide.u32 %%out, %%t, 16, %%out;\nst.global.v2.b64 [%%out], {%%y, %%z};\nret;\n}\n");
      return t.used;
    }
    op == WL_PTX_OP_MAPA || op == WL_PTX_OP_GETCTARANK || op == WL_PTX_OP_ISSPACEP ||
            op == WL_PTX_OP_CVTA
        ? wl_sync_place(&t, f, v)
        : order(&t, f);
    break;
  }
  wl_sync_put(&t, "mad.wide.u32 %%out, %%t, 16, %%out;\n"
                  "st.global.v4.b32 [%%out], {%%bits, %%r1, %%r2, %%r3};\nret;\n}\n");
  return t.used;
}
