/* umma_kernel.c: see umma_kernel.h. Warp 0 allocates, thread 32 gives the commands, all others wait for
 * the commit's mbarrier; each warp fills and shows its own lanes. */
#include "umma_kernel.h"

#include <stdio.h>
#include <string.h>

const unsigned umma_scales[UMMA_SCALES] = {0, 1, 4, 15};

#define MMA  "tcgen05.mma.cta_group::1.kind::$K"
#define DONE "tcgen05.commit.cta_group::1.mbarrier::arrive::one"
#define M4   "{%m0, %m1, %m2, %m3}"
#define ST1  "tcgen05.st.sync.aligned.32x32b.x1.b32"
#define LD1  "tcgen05.ld.sync.aligned.32x32b.x1.b32"

/* $K: the kind; $A, $B: A, its descriptor or its place; $1 to $3: scale-input-d, where the kind has it; $X: copies
 * and shifts, by number i, or products with block scales, in place of products. */
static const char text[] =
    ".version 9.0\n.target sm_100a\n.address_size 64\n.extern .shared .align 1024 .b8 mem[];\n"
    ".visible .entry k(.param .u64 image, .param .u64 commands, .param .u64 tensor, .param .u64 "
    "commit, .param .u32 bytes, .param .u32 count, .param .u32 columns, .param .u32 waits)\n{\n"
    ".reg .pred %p<8>, %e; .reg .b64 %rd<8>, %a, %b, %bar; .reg .b32 %t, %w, %x, %n, %c, %ta, %own, "
    "%at, %v<4>, %m<4>, %d, %i, %s, %k, %f, %aa, %sa, %sb;\n"
    "ld.param.u32 %n, [bytes]; ld.param.u32 %c, [columns]; ld.param.u64 %rd1, [image]; mov.u32 %t, "
    "%tid.x; shr.u32 %w, %t, 5;\n"
    "mov.u32 %x, mem; setp.ne.u32 %p1, %x, 0; @%p1 trap;\n"
    /* the image, in shared memory */
    "shl.b32 %x, %t, 4;\n"
    "COPY: setp.ge.u32 %p1, %x, %n; @%p1 bra COPIED; cvt.u64.u32 %rd2, %x; add.u64 %rd2, %rd2, %rd1; "
    "ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%rd2]; st.shared.v4.b32 [%x+1024], {%v0, %v1, %v2, %v3};\n"
    "add.u32 %x, %x, 2048; bra COPY;\n"
    "COPIED: setp.eq.u32 %p1, %w, 0; @%p1 "
    "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [mem+8], %c;\n"
    "setp.eq.u32 %p2, %t, 0; @%p2 mbarrier.init.shared::cta.b64 [mem], 1;\n"
    "fence.proxy.async; bar.sync 0; ld.shared.b32 %ta, [mem+8];\n"
    /* tensor memory */
    "shl.b32 %own, %w, 21; add.u32 %own, %own, %ta; ld.param.u64 %rd1, [tensor]; mul.wide.u32 %rd2, "
    "%t, 2048; add.u64 %rd1, %rd1, %rd2; mov.b64 %rd3, %rd1; mov.b32 %x, 0; mov.b32 %at, %own;\n"
    "FILL: ld.global.b32 %v0, [%rd3]; " ST1
    " [%at], {%v0}; add.u64 %rd3, %rd3, 4; add.u32 %at, %at, "
    "1; add.u32 %x, %x, 1; setp.lt.u32 %p3, %x, %c; @%p3 bra FILL;\n"
    "tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync; bar.sync 0; "
    "tcgen05.fence::after_thread_sync;\n"
    "setp.ne.u32 %p4, %t, 32; @%p4 bra GIVEN;\n"
    /* the commands */
    "ld.param.u64 %rd4, [commands]; ld.param.u32 %n, [count]; mov.b32 %x, 0;\n"
    "NEXT: setp.ge.u32 %p5, %x, %n; @%p5 bra COMMIT; ld.global.v2.b64 {%a, %b}, [%rd4]; "
    "ld.global.v4.b32 {%d, %i, %k, %s}, [%rd4+16]; ld.global.b32 %f, [%rd4+32]; ld.global.v2.b32 "
    "{%m0, %m1}, [%rd4+40]; ld.global.v2.b32 {%m2, %m3}, [%rd4+48];\n"
    "add.u32 %d, %d, %ta; cvt.u32.u64 %aa, %a; add.u32 %aa, %aa, %ta; setp.ne.u32 %e, %k, 0;\n"
    "$Xsetp.ne.u32 %p6, %f, 0; @%p6 bra MASKED;\n"
    "setp.eq.u32 %p7, %s, 0; @%p7 " MMA " [%d], $A, %b, %i, %e;\n"
    "setp.eq.u32 %p7, %s, 1; @%p7 " MMA ".collector::a::fill [%d], $A, %b, %i, %e$1;\n"
    "setp.eq.u32 %p7, %s, 2; @%p7 " MMA ".collector::a::lastuse [%d], $A, %b, %i, %e$2;\n"
    "sub.u32 %d, %d, 5; sub.u32 %aa, %aa, 7; setp.eq.u32 %p7, %s, 3; not.pred %e, %e; @%p7 " MMA
    " [%d+5], $B, %b, %i, !%e$3;\n"
    "bra DONE;\nMASKED: setp.eq.u32 %p7, %s, 0; @%p7 " MMA " [%d], $A, %b, %i, " M4 ", %e;\n"
    "setp.eq.u32 %p7, %s, 1; @%p7 " MMA ".collector::a::use [%d], $A, %b, %i, " M4 ", %e$1;\n"
    "setp.eq.u32 %p7, %s, 2; @%p7 " MMA ".collector::a::discard [%d], $A, %b, %i, " M4 ", %e$2;\n"
    "setp.eq.u32 %p7, %s, 3; @%p7 " MMA " [%d], $A, %b, %i, " M4 ", %e$3;\n"
    "DONE: add.u64 %rd4, %rd4, 64; add.u32 %x, %x, 1; bra NEXT;\n"
    "COMMIT: ld.param.u64 %bar, [commit]; shr.u64 %rd5, %bar, 32; setp.ne.u64 %p5, %rd5, 0;\n"
    /* by a generic address: with a constant beside it if the commands are odd in number */
    "ld.param.u32 %x, [count]; and.b32 %x, %x, 1; setp.eq.and.u32 %p1, %x, 0, %p5; setp.ne.and.u32 "
    "%p3, %x, 0, %p5; sub.u64 %rd5, %bar, 8; @%p1 " DONE ".b64 [%bar]; @%p3 " DONE
    ".b64 [%rd5+8];\n"
    "cvt.u32.u64 %x, %bar; @!%p5 " DONE ".shared::cluster.b64 [%x];\n"
    "GIVEN: ld.param.u32 %x, [waits]; setp.eq.u32 %p5, %x, 0; @%p5 bra OVER;\n"
    "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p5, [mem], 0; @!%p5 bra WAIT;\n"
    "OVER: tcgen05.fence::after_thread_sync; bar.warp.sync -1;\n"
    /* what tensor memory has */
    "mov.b64 %rd3, %rd1; mov.b32 %x, 0; mov.b32 %at, %own;\n"
    "SHOW: " LD1 " {%v0}, [%at]; tcgen05.wait::ld.sync.aligned; st.global.b32 [%rd3], %v0; "
    "add.u64 %rd3, %rd3, 4; add.u32 %at, %at, 1; add.u32 %x, %x, 1; setp.lt.u32 %p3, %x, %c; @%p3 "
    "bra SHOW;\n"
    "tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync; setp.eq.u32 "
    "%p1, %w, 0; @%p1 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %ta, %c; ret;\n}\n";

_Static_assert(sizeof(umma_command_t) == 64, "the kernel's step");

unsigned umma_columns(const char *config) {
  return strncmp(config, "tiny", 4) == 0 ? 64 : strcmp(config, "base") == 0 ? 256 : 512;
}

bool umma_open(const wl_device_options_t *options, umma_device_t *d) {
  const umma_launch_t *l = NULL;
  wl_status_t s = wl_device_open(options, &d->device);
  s = s == WL_OK ? wl_alloc(d->device, sizeof l->image, &d->image) : s;
  s = s == WL_OK ? wl_alloc(d->device, sizeof l->command, &d->commands) : s;
  s = s == WL_OK ? wl_alloc(d->device, sizeof l->tensor, &d->tensor) : s;
  if (s != WL_OK) printf("FAILED: %s\n", d->device != NULL ? wl_error(d->device) : "no device");
  return s == WL_OK;
}

static void spell_moves(char *out) {
  static const char *const shapes[] = {
      "128x256b",      "4x256b", "128x128b", "64x128b.warpx2::02_13", "64x128b.warpx2::01_23",
      "32x128b.warpx4"};
  static const char *const formats[] = {"", ".b8x16.b6x16_p32", ".b8x16.b4x16_p64"};
  out += sprintf(out, "sub.u32 %%aa, %%d, 5; ");
  for (unsigned k = 0; k < UMMA_SHIFT; k++)
    out +=
        sprintf(out, "setp.eq.u32 %%p7, %%i, %u; @%%p7 tcgen05.cp.cta_group::1.%s%s [%s], %%a;\n",
                k, shapes[k % 6], formats[k / 6], k % 2 == 0 ? "%d" : "%aa+5");
  (void)sprintf(
      out, "setp.eq.u32 %%p7, %%i, %u; @%%p7 tcgen05.shift.cta_group::1.down [%%d]; bra DONE;\n",
      UMMA_SHIFT);
}

/* Copies of scales, and products with scales at %sa and %sb, in two ways. */
static void spell_scaled(const char *kind, const char *const said[2], bool tensor_a, char *out) {
  out += sprintf(
      out, "setp.ne.u32 %%p6, %%f, 0; @%%p6 tcgen05.cp.cta_group::1.32x128b.warpx4 [%%d], %%a;\n"
           "@%%p6 bra DONE; ld.global.v2.b32 {%%sa, %%sb}, [%%rd4+56]; add.u32 %%sa, %%sa, %%ta; "
           "add.u32 %%sb, %%sb, %%ta;\n");
  for (unsigned k = 0; k < 2; k++) /* the second with constants beside the addresses */
    out += sprintf(out,
                   "setp.eq.u32 %%p7, %%s, %u;\n@%%p7 tcgen05.mma.cta_group::1.kind::%s.block_scale"
                   "%s%s [%%d%s], %s, %%b, %%i, [%%sa%s], [%%sb%s], %s%%e;\n%s",
                   k, kind, said[k], k == 0 ? "" : ".collector::a::lastuse", k == 0 ? "" : "+5",
                   !tensor_a ? "%a"
                   : k == 0  ? "[%aa]"
                             : "[%aa+7]",
                   k == 0 ? "" : "+3", k == 0 ? "" : "+-2", k == 0 ? "" : "!",
                   k != 0 ? "bra DONE;\n"
                          : "sub.u32 %d, %d, 5; sub.u32 %aa, %aa, 7; sub.u32 %sa, %sa, 3; "
                            "add.u32 %sb, %sb, 2; not.pred %e, %e;\n");
}

/* kind NULL: what `instead` has in place of products. */
static void spell(const char *kind, const char *instead, bool tensor_a, char *out) {
  static const char *const scales[] = {", 1", ", 4", ", 15"};
  const bool scaled = kind == NULL || strcmp(kind, "f16") == 0 || strcmp(kind, "tf32") == 0;
  for (const char *s = text; *s != 0; s++) {
    if (*s != '$') {
      *out++ = *s;
      continue;
    }
    s++;
    const char *by = *s == 'K'   ? (kind == NULL ? "f16" : kind)
                     : *s == 'X' ? instead
                     : *s == 'A' ? (tensor_a ? "[%aa]" : "%a")
                     : *s == 'B' ? (tensor_a ? "[%aa+7]" : "%a")
                     : scaled    ? scales[*s - '1']
                                 : "";
    out += strlen(strcpy(out, by));
  }
  *out = 0;
}

static bool load(umma_device_t *d, const char *spelt) {
  wl_status_t s = wl_module_load(d->device, "umma", spelt, strlen(spelt), NULL, &d->module);
  s = s == WL_OK ? wl_module_function(d->module, "k", &d->function) : s;
  if (s != WL_OK) printf("FAILED: %s\n", wl_error(d->device));
  return s == WL_OK;
}

bool umma_load(umma_device_t *d, const char *kind, bool tensor_a) {
  static char spelt[4 * sizeof text], moves[4096];
  if (kind == NULL) spell_moves(moves);
  spell(kind, kind == NULL ? moves : "", tensor_a, spelt);
  return load(d, spelt);
}

bool umma_load_scaled(umma_device_t *d, const char *kind, const char *const said[2],
                      bool tensor_a) {
  static char spelt[4 * sizeof text], scaled[2048];
  spell_scaled(kind, said, tensor_a, scaled);
  spell(NULL, scaled, tensor_a, spelt);
  return load(d, spelt);
}

int umma_run(umma_device_t *d, umma_launch_t *l, wl_trap_info_t *trap) {
  wl_result_t result = {0};
  const wl_launch_t launch = {.grid = {1, 1, 1},
                              .block = {UMMA_LANES, 1, 1},
                              .shared = l->shared != 0 ? l->shared : UMMA_IMAGE + l->bytes};
  const wl_arg_t args[] = {WL_ARG(d->image),   WL_ARG(d->commands), WL_ARG(d->tensor),
                           WL_ARG(l->commit),  WL_ARG(l->bytes),    WL_ARG(l->commands),
                           WL_ARG(l->columns), WL_ARG(l->waits)};
  wl_status_t s = wl_write(d->device, d->image, l->image, sizeof l->image);
  s = s == WL_OK ? wl_write(d->device, d->commands, l->command, sizeof l->command) : s;
  s = s == WL_OK ? wl_write(d->device, d->tensor, l->tensor, sizeof l->tensor) : s;
  s = s == WL_OK ? wl_launch(d->function, &launch, args, 8, &result) : s;
  if (s == WL_ERR_TRAP) {
    *trap = result.trap;
    return (int)result.trap.cause;
  }
  s = s == WL_OK ? wl_read(d->device, l->tensor, d->tensor, sizeof l->tensor) : s;
  if (s == WL_OK) return 0;
  printf("FAILED: %s\n", wl_error(d->device));
  return -1;
}
