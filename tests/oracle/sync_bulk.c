/* sync_bulk.c: programs of bulk copies, their groups, st.bulk, and asynchronous stores and reductions
 * of global memory. A thread has WL_SYNC_PLACE bytes in shared memory at %sm and as many in global
 * memory at %gm, behind the results of all threads, which are compared too. */
#include <string.h>

#include "isa/ptx/types.h"
#include "tests/oracle/sync_text.h"

/* Both places are filled from the words; 8 words a turn. */
static void fill(wl_sync_out_t *t) {
  wl_sync_put(t,
              ".reg .b32 %%sm, %%sp, %%to, %%k, %%i, %%v, %%left, %%right, %%m1, %%m2;\n"
              ".reg .b64 %%gm, %%gp, %%from, %%wide, %%pol;\n.reg .b16 %%mask;\n"
              ".shared .align 16 .b8 data[%u];\n"
              "mov.u32 %%n, %%tid.x;\nmov.u32 %%sm, data;\nmad.lo.u32 %%sm, %%n, %u, %%sm;\n"
              "mov.u32 %%n, %%nctaid.x;\nmad.wide.u32 %%gm, %%n, %u, %%out;\n"
              "mad.wide.u32 %%gm, %%t, %u, %%gm;\n"
              "createpolicy.fractional.L2::evict_first.b64 %%pol, 1.0;\n"
              "mov.u32 %%i, 0;\nmov.u32 %%sp, %%sm;\nmov.u64 %%gp, %%gm;\n"
              "F:\nmul.lo.u32 %%m1, %%i, 0x9e3779b9;\nmul.lo.u32 %%m2, %%i, 0x85ebca6b;\n",
              WL_SYNC_PLACE * WL_SYNC_BLOCK, WL_SYNC_PLACE, 16 * WL_SYNC_BLOCK, WL_SYNC_PLACE);
  for (unsigned i = 0; i < WL_SYNC_WORDS; i++) {
    wl_sync_put(t,
                "xor.b32 %%v, %%w%u, %%m1;\nst.shared.u32 [%%sp+%u], %%v;\n"
                "add.u32 %%v, %%w%u, %%m2;\nst.global.u32 [%%gp+%u], %%v;\n",
                i, 4 * i, (i + 3) % WL_SYNC_WORDS, 4 * i);
  }
  wl_sync_put(t,
              "add.u32 %%sp, %%sp, 32;\nadd.u64 %%gp, %%gp, 32;\nadd.u32 %%i, %%i, 1;\n"
              "setp.lt.u32 %%p, %%i, %u;\n@%%p bra F;\n",
              WL_SYNC_PLACE / 32);
}

/* The shared place goes to the global one, where it is compared. */
static void show_shared(wl_sync_out_t *t) {
  wl_sync_put(t,
              "mov.u32 %%i, 0;\nmov.u32 %%sp, %%sm;\nmov.u64 %%gp, %%gm;\n"
              "S:\nld.shared.u32 %%v, [%%sp];\nst.global.u32 [%%gp], %%v;\n"
              "add.u32 %%sp, %%sp, 4;\nadd.u64 %%gp, %%gp, 4;\nadd.u32 %%i, %%i, 4;\n"
              "setp.lt.u32 %%p, %%i, %u;\n@%%p bra S;\n",
              WL_SYNC_PLACE);
}

/* Parts of %w7: offsets of 0 to 48 bytes, a size of 16 to 128; of a constant size 48 or 16. */
static void choose(wl_sync_out_t *t, const wl_sync_variant_t *v) {
  wl_sync_put(t,
              "and.b32 %%n, %%w7, 3;\nmad.lo.u32 %%to, %%n, 16, %%sm;\n"
              "shr.u32 %%n, %%w7, 2;\nand.b32 %%n, %%n, 3;\nmad.wide.u32 %%from, %%n, 16, %%gm;\n"
              "shr.u32 %%n, %%w7, 4;\nand.b32 %%n, %%n, 7;\nmad.lo.u32 %%k, %%n, 16, 16;\n"
              "setp.ne.u32 %%g, %%w6, 0;\n");
  if (v->constant) {
    wl_sync_put(t, "mov.u32 %%k, %u;\n", v->which != 0 ? 16 : 48);
  }
  if (v->which != 0) { /* the offset in the address */
    wl_sync_put(t, "sub.u32 %%to, %%to, 16;\nsub.u64 %%from, %%from, 16;\n");
  }
}

static const char *size(const wl_sync_variant_t *v) {
  return !v->constant ? "%k" : v->which != 0 ? "16" : "48";
}

static const char *offset(const wl_sync_variant_t *v) { return v->which != 0 ? "+16" : ""; }

static const char *policy(const wl_sync_form_t *f) {
  return strstr(f->text, "cache_hint") != NULL ? ", %pol" : "";
}

/* So many bytes from %sp on are 0. */
static void clear(wl_sync_out_t *t, const char *label, const char *count) {
  wl_sync_put(t,
              "mov.u32 %%i, 0;\n%s:\nsetp.ge.u32 %%p, %%i, %s;\n@%%p bra %s_;\n"
              "st.shared.u8 [%%sp], 0;\nadd.u32 %%sp, %%sp, 1;\nadd.u32 %%i, %%i, 1;\nbra %s;\n"
              "%s_:\n",
              label, count, label, label, label);
}

/* ---- loads. Half of the threads expect the bytes behind the copy. */
static void load(wl_sync_out_t *t, const wl_sync_form_t *f, const wl_sync_variant_t *v) {
  const bool oob = strstr(f->text, ".ignore_oob") != NULL;
  const bool cluster = strstr(f->text, ".shared::cluster") != NULL;
  choose(t, v);
  wl_sync_put(t, "mov.u32 %%left, 0;\nmov.u32 %%right, 0;\n");
  if (oob && v->constant) {
    wl_sync_put(t, "mov.u32 %%left, %u;\nmov.u32 %%right, %u;\n", v->which != 0 ? 0 : 5,
                v->which != 0 ? 0 : 15);
  } else if (oob) {
    wl_sync_put(t, "shr.u32 %%n, %%w7, 8;\nand.b32 %%left, %%n, 7;\nshr.u32 %%n, %%w7, 11;\n"
                   "and.b32 %%right, %%n, 7;\n");
  }
  wl_sync_put(t,
              "mbarrier.init.shared.b64 [%%a+8], 1;\nfence.proxy.async;\n"
              "mov.u32 %%v, %%to;\nmov.u32 %%b, %%a;\n%s"
              "and.b32 %%n, %%w7, 0x8000;\nsetp.eq.u32 %%p, %%n, 0;\nand.pred %%p, %%p, %%g;\n"
              "@%%p mbarrier.expect_tx.shared.b64 [%%a+8], %%k;\n"
              "@%%g %s [%%v%s], [%%from%s], %s",
              cluster ? "mapa.shared::cluster.u32 %v, %v, 0;\nmapa.shared::cluster.u32 %b, %b, 0;\n"
                      : "",
              f->text, offset(v), offset(v), size(v));
  if (oob) {
    wl_sync_put(t, v->constant ? ", %u, %u" : ", %%left, %%right", v->which != 0 ? 0 : 5,
                v->which != 0 ? 0 : 15);
  }
  wl_sync_put(t,
              ", [%%b+8]%s;\nsetp.ne.u32 %%p, %%n, 0;\nand.pred %%p, %%p, %%g;\n"
              "@%%p mbarrier.expect_tx.shared.b64 [%%a+8], %%k;\n"
              "mbarrier.arrive.shared.b64 %%s, [%%a+8];\n"
              "W:\nmbarrier.try_wait.shared.b64 %%p, [%%a+8], %%s;\n@!%%p bra W;\n",
              policy(f));
  wl_sync_put(t, "mbarrier.pending_count.b64 %%r1, %%s;\nadd.u32 %%sp, %%to, %u;\n",
              v->which != 0 ? 16 : 0);
  if (oob) { /* what is ignored may be anything */
    wl_sync_put(t, "mov.u32 %%to, %%sp;\n");
    clear(t, "CL", "%left");
    wl_sync_put(t, "add.u32 %%sp, %%to, %%k;\nsub.u32 %%sp, %%sp, %%right;\n");
    clear(t, "CR", "%right");
  }
  show_shared(t);
}

/* ---- stores and reductions */
static void store(wl_sync_out_t *t, const wl_sync_form_t *f, const wl_sync_variant_t *v) {
  choose(t, v);
  wl_sync_put(t,
              "cvt.u16.u32 %%mask, %%w5;\nfence.proxy.async;\n@%%g %s [%%from%s], [%%to%s], %s%s",
              f->text, offset(v), offset(v), size(v), policy(f));
  if (strstr(f->text, ".cp_mask") != NULL) {
    wl_sync_put(t, !v->constant ? ", %%mask" : v->which != 0 ? ", 0xffff" : ", 0x8421");
  }
  wl_sync_put(t, ";\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n");
}

/* Two groups of a store each. What a wait lets through: the sources are written again, and of one
 * that is no wait for reads the first words of the destinations are seen. */
static void groups(wl_sync_out_t *t, const wl_sync_form_t *f, const wl_sync_variant_t *v) {
  static const char copy[] =
      "cp.async.bulk.global.shared::cta.bulk_group [%%gm+%u], [%%sm+%u], 64;\n";
  const bool commits = strstr(f->text, ".commit_group") != NULL, first = !commits && v->which != 0;
  const char *commit = commits ? f->text : "cp.async.bulk.commit_group";
  wl_sync_put(t, "fence.proxy.async;\n");
  for (unsigned i = 0; i < 2; i++) {
    wl_sync_put(t, copy, 96 * i, 96 * i);
    wl_sync_put(t, "%s;\n", commit);
  }
  wl_sync_put(t, "%s %u;\n", commits ? "cp.async.bulk.wait_group" : f->text, first ? 1 : 0);
  for (unsigned i = 0; i < (first ? 1 : 2); i++) {
    if (!wl_sync_says(f, ".read")) {
      wl_sync_put(t, "ld.global.u32 %%r%u, [%%gm+%u];\n", i + 1, 96 * i + 60);
    }
    wl_sync_put(t, "st.shared.u32 [%%sm+%u], 0x11111111;\nst.shared.u32 [%%sm+%u], 0x22222222;\n",
                96 * i, 96 * i + 60);
  }
  wl_sync_put(t, "cp.async.bulk.wait_group 0;\n");
}

/* ---- st.bulk: 0 to 120 bytes, or 24 or 64 as a constant. */
static void zeros(wl_sync_out_t *t, const wl_sync_form_t *f, const wl_sync_variant_t *v) {
  const bool generic = strstr(f->text, ".shared") == NULL;
  wl_sync_put(t, "and.b32 %%n, %%w7, 7;\nmad.lo.u32 %%to, %%n, 8, %%sm;\n"
                 "shr.u32 %%n, %%w7, 3;\nand.b32 %%n, %%n, 15;\nshl.b32 %%k, %%n, 3;\n"
                 "cvt.u64.u32 %%wide, %%k;\nsetp.ne.u32 %%g, %%w6, 0;\n"
                 "cvt.u64.u32 %%gp, %%to;\ncvta.shared.u64 %%gp, %%gp;\n");
  wl_sync_put(t, "@%%g %s [%s], %s, 0;\n", f->text, generic ? "%gp" : "%to",
              v->constant ? (v->which != 0 ? "24" : "64") : (v->which != 0 ? "%wide" : "%k"));
  show_shared(t);
}

/* ---- st.async, red.async */
static void single(wl_sync_out_t *t, const wl_sync_form_t *f, const wl_sync_variant_t *v) {
  const unsigned bits = wl_ptx_type_bits(f->type);
  const char letter = f->type == WL_PTX_T_F32   ? 'f'
                      : f->type == WL_PTX_T_F64 ? 'd'
                      : bits == 8               ? 'b'
                      : bits == 16              ? 'h'
                      : bits == 32              ? 'w'
                                                : 'x';
  choose(t, v);
  wl_sync_sources(t);
  wl_sync_put(t, "@%%g %s [%%from%s], %%s%c0;\n", f->text, offset(v), letter);
}

void wl_sync_bulk(wl_sync_out_t *t, const wl_sync_form_t *f, const wl_sync_variant_t *v) {
  const bool groups_only =
      strstr(f->text, "wait_group") != NULL || strstr(f->text, "commit") != NULL;
  fill(t);
  if (f->form->op != WL_PTX_OP_CP) {
    wl_sync_says(f, ".bulk") ? zeros(t, f, v) : single(t, f, v);
  } else if (groups_only) {
    groups(t, f, v);
  } else if (wl_sync_says(f, ".prefetch")) {
    choose(t, v);
    wl_sync_put(t, "@%%g %s [%%from%s], %s%s;\n", f->text, offset(v), size(v), policy(f));
  } else {
    wl_sync_says(f, ".bulk_group") ? store(t, f, v) : load(t, f, v);
  }
}
