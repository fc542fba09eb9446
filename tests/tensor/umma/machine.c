/* machine.c: see machine.h. Thread 32 gives the products, all wait for the commit's mbarrier. */
#include "machine.h"

#include <stdio.h>
#include <string.h>

enum { LANES = 128, COLUMN = 4 * LANES };
_Static_assert(sizeof(machine_head_t) == MACHINE_HEAD, "the kernel's places");

#define EIGHT "{%v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7}"

/* $: the products. */
static const char text[] =
    ".version 9.0\n.target sm_100a\n.address_size 64\n.extern .shared .align 1024 .b8 mem[];\n"
    ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 block, .param .u32 image, "
    ".param .u32 columns, .param .u32 n, .param .u32 alloc)\n{\n"
    ".reg .pred %p, %first, %e; .reg .b64 %in, %at, %from, %a, %b; .reg .b32 %t, %w, %x, %y, %c, %n, "
    "%ta, %own, %d, %i, %sa, %sb, %v<8>;\n"
    "ld.param.u64 %in, [in]; ld.param.u32 %x, [block]; mov.u32 %y, %ctaid.x; mul.wide.u32 %at, %x, "
    "%y; add.u64 %in, %in, %at; mov.u32 %t, %tid.x; shr.u32 %w, %t, 5; setp.eq.u32 %first, %w, 0;\n"
    "ld.param.u32 %n, [image]; shl.b32 %x, %t, 4; cvt.u64.u32 %from, %x; add.u64 %from, %from, %in; "
    "mov.u32 %y, mem; add.u32 %y, %y, %x;\n"
    "COPY: setp.ge.u32 %p, %x, %n; @%p bra COPIED; ld.global.v4.b32 {%v0, %v1, %v2, %v3}, "
    "[%from+128]; st.shared.v4.b32 [%y+1024], {%v0, %v1, %v2, %v3}; add.u64 %from, %from, 2048; "
    "add.u32 %x, %x, 2048; add.u32 %y, %y, 2048; bra COPY;\n"
    "COPIED: ld.param.u32 %c, [alloc]; @%first "
    "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [mem+8], %c;\n"
    "setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared::cta.b64 [mem], 1;\n"
    "fence.proxy.async; bar.sync 0; ld.shared.b32 %ta, [mem+8]; shl.b32 %own, %w, 21; add.u32 %own, "
    "%own, %ta;\n"
    "shl.b32 %x, %t, 2; add.u32 %x, %x, %n; cvt.u64.u32 %from, %x; add.u64 %from, %from, %in; "
    "ld.param.u32 %n, [columns]; mov.b32 %y, %own; mov.b32 %x, 0;\n"
    "FILL: ld.global.b32 %v0, [%from+128]; ld.global.b32 %v1, [%from+640]; ld.global.b32 %v2, "
    "[%from+1152]; ld.global.b32 %v3, [%from+1664]; ld.global.b32 %v4, [%from+2176]; ld.global.b32 "
    "%v5, [%from+2688]; ld.global.b32 %v6, [%from+3200]; ld.global.b32 %v7, [%from+3712]; "
    "tcgen05.st.sync.aligned.32x32b.x8.b32 [%y], " EIGHT
    "; add.u64 %from, %from, 4096; add.u32 %y, %y, 8; add.u32 %x, %x, 8; setp.lt.u32 %p, %x, %n; "
    "@%p bra FILL;\n"
    "tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync; bar.sync 0; "
    "tcgen05.fence::after_thread_sync; setp.ne.u32 %p, %t, 32; @%p bra WAIT; setp.eq.u32 %e, %w, 1; ld.global.b32 %d, [%in+112]; "
    "add.u32 %d, %d, %ta;\n"
    "$tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [mem];\n"
    "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p, [mem], 0; @!%p bra WAIT;\n"
    "tcgen05.fence::after_thread_sync; bar.warp.sync -1;\n"
    "ld.param.u64 %at, [out]; ld.param.u32 %n, [n]; mov.u32 %y, %ctaid.x; mul.lo.u32 %y, %y, %n; "
    "mul.wide.u32 %from, %y, 512; add.u64 %at, %at, %from; mul.wide.u32 %from, %t, 4; add.u64 %at, "
    "%at, %from; mov.b32 %y, %own; mov.b32 %x, 0;\n"
    "SHOW: tcgen05.ld.sync.aligned.32x32b.x8.b32 " EIGHT
    ", [%y]; tcgen05.wait::ld.sync.aligned; st.global.b32 [%at], %v0; st.global.b32 [%at+512], %v1; "
    "st.global.b32 [%at+1024], %v2; st.global.b32 [%at+1536], %v3; st.global.b32 [%at+2048], %v4; "
    "st.global.b32 [%at+2560], %v5; st.global.b32 [%at+3072], %v6; st.global.b32 [%at+3584], %v7; "
    "add.u64 %at, %at, 4096; add.u32 %y, %y, 8; add.u32 %x, %x, 8; setp.lt.u32 %p, %x, %n; @%p bra "
    "SHOW;\n"
    "tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync; "
    "@%first tcgen05.dealloc.cta_group::1.sync.aligned.b32 %ta, %c; ret;\n}\n";

static void spell_products(const bits_form_t *f, char *out) {
  for (unsigned s = 0; s < BITS_STEPS; s++) {
    out += sprintf(out, "ld.global.v2.b64 {%%a, %%b}, [%%in+%u]; ld.global.b32 %%i, [%%in+%u];\n",
                   16 * s, 64 + 4 * s);
    if (f->groups != 0)
      out += sprintf(out,
                     "ld.global.v2.b32 {%%sa, %%sb}, [%%in+%u]; add.u32 %%sa, %%sa, %%ta; add.u32 "
                     "%%sb, %%sb, %%ta;\n",
                     80 + 8 * s);
    out += sprintf(out, "tcgen05.mma.cta_group::1.kind::%s%s%s [%%d], %%a, %%b, %%i, %s%%e;\n",
                   f->kind, f->groups != 0 ? ".block_scale" : "", f->groups != 0 ? f->said : "",
                   f->groups != 0 ? "[%sa], [%sb], " : "");
  }
}

static uint32_t idesc_of(const bits_form_t *f, const umma_matrix_t *a, const umma_matrix_t *b,
                         unsigned step) {
  if (f->groups == 0) {
    const unsigned d = f->integers ? 2 : f->d->bits == 32;
    return umma_idesc(d, f->a->code, f->b->code, a->mn, b->mn, a->rows, b->rows) |
           (uint32_t)f->clamped << 3;
  }
  const unsigned id = f->groups * step % 4;
  return umma_idesc_scaled(f->ue4m3, f->halves ? 1 : f->a->code, f->halves ? 1 : f->b->code, a->mn,
                           b->mn, b->rows, id, id);
}

machine_head_t machine_head(const bits_form_t *f, const umma_matrix_t *a, const umma_matrix_t *b,
                            unsigned set_columns) {
  machine_head_t head = {0};
  for (unsigned s = 0; s < BITS_STEPS; s++) {
    head.descriptor[s][0] = umma_step(a, s);
    head.descriptor[s][1] = umma_step(b, s);
    head.i[s] = idesc_of(f, a, b, s);
    head.scales[s][0] = b->rows + f->groups * s / 4 * set_columns;
    head.scales[s][1] = head.scales[s][0] + BITS_M / 32;
  }
  return head;
}

bool machine_failed(const bits_machine_t *m, const char *what, wl_status_t s) {
  if (s != WL_OK) printf("FAILED  %s: %s\n", what, wl_error(m->device));
  return s != WL_OK;
}

bool bits_load(bits_machine_t *m, const bits_form_t *f) {
  static char products[2048], spelt[sizeof text + sizeof products];
  const char *const at = strchr(text, '$');
  spell_products(f, products);
  (void)snprintf(spelt, sizeof spelt, "%.*s%s%s", (int)(at - text), text, products, at + 1);
  if (m->module != NULL) wl_module_unload(m->module);
  m->module = NULL;
  wl_status_t s = wl_module_load(m->device, f->label, spelt, strlen(spelt), NULL, &m->module);
  s = s == WL_OK ? wl_module_function(m->module, "k", &m->function) : s;
  return !machine_failed(m, f->label, s);
}

wl_status_t machine_launch(bits_machine_t *m, unsigned count, unsigned n, unsigned columns,
                           unsigned image, const uint8_t *in, size_t block, uint32_t *out) {
  const size_t results = (size_t)n * COLUMN;
  wl_addr_t from = 0, to = 0;
  wl_result_t result = {0};
  unsigned alloc = 32, words = (unsigned)block;
  while (alloc < columns)
    alloc *= 2;
  wl_status_t s = wl_alloc(m->device, count * block, &from);
  s = s == WL_OK ? wl_alloc(m->device, count * results, &to) : s;
  s = s == WL_OK ? wl_write(m->device, from, in, count * block) : s;
  const wl_launch_t shape = {
      .grid = {count, 1, 1}, .block = {LANES, 1, 1}, .shared = UMMA_IMAGE + image};
  const wl_arg_t args[] = {WL_ARG(from),    WL_ARG(to), WL_ARG(words), WL_ARG(image),
                           WL_ARG(columns), WL_ARG(n),  WL_ARG(alloc)};
  s = s == WL_OK ? wl_launch(m->function, &shape, args, 7, &result) : s;
  s = s == WL_OK ? wl_read(m->device, out, to, count * results) : s;
  m->cycles += result.cycles;
  (void)wl_free(m->device, from);
  (void)wl_free(m->device, to);
  return s;
}
