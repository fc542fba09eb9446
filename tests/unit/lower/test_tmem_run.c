/* test_tmem_run.c: loads and stores of tensor memory in every shape and count, from PTX text to the
 * words of memory. PTX 9.7.16.2.3, 9.7.16.8. Every word of a lane and column has a label of its own.
 *   test_tmem_run [BACKEND CONFIG [N]]    every Nth access */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "tmem_shapes.h"

enum { THREADS = 128, MOST_REGS = 128, MOST_COLUMNS = 512, REDUCTIONS = 12, CTAS = 2 };
enum { REGS_AT = 0, REDS_AT = THREADS * MOST_REGS, IMAGE_AT = REDS_AT + THREADS * REDUCTIONS };
enum { OUT_WORDS = IMAGE_AT + THREADS * MOST_COLUMNS, TEXT = 1 << 17 };

typedef struct test {
  const shape_t *shape;
  unsigned count, columns, first, split; /* columns: allocated; first: of the access */
  bool packed, reduced;
} test_t;

static bool is_x2(const test_t *t) { return t->shape->word == word_32bx2; }
static unsigned regs_of(const test_t *t) { return t->shape->regs * t->count; }

/* Lane of the access and its column behind `first`; a packed column is two. */
static void place(const test_t *t, unsigned thread, unsigned r, unsigned *lane, unsigned *column) {
  const unsigned w = t->shape->word(thread, r % t->shape->regs), of = r / t->shape->regs;
  *lane = w / t->shape->row;
  *column = (w % t->shape->row + of * t->shape->row) * (t->packed ? 2 : 1);
  if (is_x2(t) && thread >= 16) *column += t->split;
}

static uint32_t label(unsigned lane, unsigned column) {
  const uint32_t low = lane << 9 | column;
  return low | ~low << 16;
}

static uint32_t stored(unsigned thread, unsigned r) { return (thread << 7 | r) * 0x9e3779b1u; }

/* ---- text */
typedef struct text {
  char s[TEXT];
  size_t n;
} text_t;
static void put(text_t *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(text_t *x, const char *format, ...) {
  va_list args;
  va_start(args, format);
  x->n += (size_t)vsnprintf(x->s + x->n, TEXT - x->n, format, args);
  va_end(args);
  if (x->n >= TEXT) exit(2);
}

static void put_list(text_t *x, const char *name, unsigned n) {
  for (unsigned r = 0; r < n; r++)
    put(x, "%s%s%u%s", r == 0 ? "{" : ",", name, r, r + 1 == n ? "}" : "");
}

static void put_results(text_t *x, const char *name, unsigned n, unsigned stride, unsigned at) {
  put(x, "mad.lo.u32 %%x, %%t, %u, %u; mul.wide.u32 %%rd2, %%x, 4; add.u64 %%rd2, %%rd2, %%rd1;\n",
      stride, at);
  for (unsigned r = 0; r < n; r++)
    put(x, "st.global.b32 [%%rd2+%u], %s%u;\n", 4 * r, name, r);
}

static const char *const reductions[REDUCTIONS] = {
    "min.f32",     "max.f32",     "min.abs.f32",     "max.abs.f32",
    "min.NaN.f32", "max.NaN.f32", "min.abs.NaN.f32", "max.abs.NaN.f32",
    "min.u32",     "max.u32",     "min.s32",         "max.s32"};

/* Two CTAs, the halves of the lanes. Each warp fills its lanes from [data], loads, stores what was
 * loaded, stores other values and shows all of its words. */
static void write_text(text_t *x, const test_t *t) {
  const unsigned n = regs_of(t);
  char split[16] = "";
  if (is_x2(t)) (void)snprintf(split, sizeof split, ", %u", t->split);
  x->n = 0;
  put(x,
      ".version 9.0\n.target sm_103a\n.address_size 64\n.visible .entry k(.param .u64 out, .param "
      ".u64 data)\n{\n.shared .align 4 .b32 base;\n.reg .pred %%p<4>; .reg .b64 %%rd<4>; .reg .b32 "
      "%%t, %%x, %%c, %%w, %%h, %%ta, %%own, %%at, %%v<128>, %%d<12>;\n");
  put(x,
      "ld.param.u64 %%rd1, [out]; mov.u32 %%t, %%tid.x; mov.u32 %%h, %%ctaid.x;\n"
      "mul.wide.u32 %%rd2, %%h, %u; add.u64 %%rd1, %%rd1, %%rd2;\n"
      "shr.u32 %%w, %%t, 5; setp.eq.u32 %%p1, %%w, 2;\n",
      OUT_WORDS * 4);
  put(x, "@%%p1 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [base], %u;\n", t->columns);
  put(x, "bar.sync 0; ld.shared.b32 %%ta, [base]; shl.b32 %%own, %%w, 21; add.u32 %%own, %%own, "
         "%%ta;\n");
  put(x,
      "ld.param.u64 %%rd3, [data]; mul.wide.u32 %%rd2, %%t, %u; add.u64 %%rd3, %%rd3, %%rd2; "
      "mov.b32 %%c, 0; mov.b32 %%at, %%own;\n"
      "FILL: ld.global.b32 %%v0, [%%rd3]; tcgen05.st.sync.aligned.32x32b.x1.b32 [%%at], {%%v0};\n"
      "add.u64 %%rd3, %%rd3, 4; add.u32 %%at, %%at, 1; add.u32 %%c, %%c, 1; setp.lt.u32 %%p2, %%c, "
      "%u; @%%p2 bra FILL;\n",
      4 * MOST_COLUMNS, t->columns);
  put(x, "tcgen05.wait::st.sync.aligned;\n");
  if (t->shape->lanes == 16) put(x, "shl.b32 %%h, %%h, 20; add.u32 %%at, %%own, %%h;\n");
  if (t->shape->lanes == 32) put(x, "mov.b32 %%at, %%own;\n");
  for (unsigned k = 0; k < (t->reduced ? REDUCTIONS : 1); k++) {
    if (t->reduced)
      put(x, "tcgen05.ld.red.sync.aligned.%s.x%u.%s ", t->shape->name, t->count, reductions[k]);
    else
      put(x, "tcgen05.ld.sync.aligned.%s.x%u%s.b32 ", t->shape->name, t->count,
          t->packed ? ".pack::16b" : "");
    put_list(x, "%v", n);
    if (t->reduced) put(x, ", %%d%u", k);
    put(x, ", [%%at+%u]%s;\n", t->first, split);
  }
  put(x, "tcgen05.wait::ld.sync.aligned;\n");
  put_results(x, "%v", n, MOST_REGS, REGS_AT);
  if (t->reduced) put_results(x, "%d", REDUCTIONS, REDUCTIONS, REDS_AT);
  put(x, "shl.b32 %%x, %%t, 7;\n");
  for (unsigned r = 0; r < n; r++)
    put(x, "or.b32 %%v%u, %%x, %u; mul.lo.u32 %%v%u, %%v%u, 0x9e3779b1;\n", r, r, r, r);
  put(x, "tcgen05.st.sync.aligned.%s.x%u%s.b32 [%%at+%u]%s, ", t->shape->name, t->count,
      t->packed ? ".unpack::16b" : "", t->first, split);
  put_list(x, "%v", n);
  put(x,
      ";\ntcgen05.wait::st.sync.aligned;\nmad.lo.u32 %%x, %%t, %u, %u; mul.wide.u32 %%rd2, %%x, 4; "
      "add.u64 %%rd2, %%rd2, %%rd1; mov.b32 %%c, 0; mov.b32 %%at, %%own;\n"
      "SHOW: tcgen05.ld.sync.aligned.32x32b.x1.b32 {%%v0}, [%%at]; tcgen05.wait::ld.sync.aligned; "
      "st.global.b32 [%%rd2], %%v0;\n"
      "add.u64 %%rd2, %%rd2, 4; add.u32 %%at, %%at, 1; add.u32 %%c, %%c, 1; setp.lt.u32 %%p2, %%c, "
      "%u; @%%p2 bra SHOW;\n",
      MOST_COLUMNS, IMAGE_AT, t->columns);
  put(x,
      "tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;\n"
      "setp.eq.u32 %%p1, %%w, 1; @%%p1 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %%ta, %u;\n"
      "@%%p1 tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; ret; }\n",
      t->columns);
}

/* ---- what comes out */
static uint32_t data[THREADS][MOST_COLUMNS], out[CTAS][OUT_WORDS], image[THREADS][MOST_COLUMNS];

static int failed(const test_t *t, const char *what, unsigned cta, unsigned thread, unsigned k,
                  uint32_t got, uint32_t want) {
  printf("FAILED: %s.x%u%s%s: half %u, %s %u of thread or lane %u: %08x, expected %08x\n",
         t->shape->name, t->count, t->packed ? ", packed" : "", t->reduced ? ", reduced" : "", cta,
         what, k, thread, got, want);
  return 1;
}

static float as_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static bool is_nan(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

/* Whether a goes before b. */
static bool below(const char *type, uint32_t a, uint32_t b) {
  if (type[0] == 'u') return a < b;
  if (type[0] == 's') return (int32_t)a < (int32_t)b;
  if (as_float(a) == as_float(b)) return a >> 31 > b >> 31; /* -0 */
  return as_float(a) < as_float(b);
}

static uint32_t reduced(const char *how, const uint32_t *v, unsigned n) {
  const bool max = how[1] == 'a', abs = strstr(how, "abs") != NULL,
             keep = strstr(how, "NaN") != NULL;
  const char *type = strrchr(how, '.') + 1;
  uint32_t best = 0x7fffffff;
  bool any = false;
  for (unsigned k = 0; k < n; k++) {
    const uint32_t x = abs ? v[k] & 0x7fffffff : v[k];
    if (type[0] == 'f' && is_nan(x)) {
      if (keep) return 0x7fffffff;
      continue;
    }
    if (!any || below(type, max ? best : x, max ? x : best)) best = x;
    any = true;
  }
  return best;
}

static int check_cta(const test_t *t, unsigned cta) {
  const unsigned n = regs_of(t);
  memcpy(image, data, sizeof image);
  for (unsigned thread = 0; thread < THREADS; thread++) {
    const unsigned first_lane = thread / 32 * 32 + (t->shape->lanes == 16 ? 16 * cta : 0);
    uint32_t regs[MOST_REGS];
    for (unsigned r = 0; r < n; r++) {
      unsigned lane, column;
      place(t, thread % 32, r, &lane, &column);
      const uint32_t *row = &data[first_lane + lane][t->first + column];
      regs[r] = t->packed ? (row[0] & 0xffff) | row[1] << 16 : row[0];
      const uint32_t got = out[cta][REGS_AT + thread * MOST_REGS + r];
      if (got != regs[r]) return failed(t, "register", cta, thread, r, got, regs[r]);
      uint32_t *to = &image[first_lane + lane][t->first + column];
      const uint32_t value = stored(thread, r);
      to[0] = t->packed ? value & 0xffff : value;
      if (t->packed) to[1] = value >> 16;
    }
    for (unsigned k = 0; k < REDUCTIONS && t->reduced; k++) {
      const uint32_t want = reduced(reductions[k], regs, n);
      const uint32_t got = out[cta][REDS_AT + thread * REDUCTIONS + k];
      if (got != want) return failed(t, reductions[k], cta, thread, k, got, want);
    }
  }
  for (unsigned lane = 0; lane < THREADS; lane++)
    for (unsigned c = 0; c < t->columns; c++) {
      const uint32_t got = out[cta][IMAGE_AT + lane * MOST_COLUMNS + c];
      if (got != image[lane][c]) return failed(t, "column", cta, lane, c, got, image[lane][c]);
    }
  return 0;
}

static void fill_data(const test_t *t) {
  uint32_t x = 12345;
  for (unsigned lane = 0; lane < THREADS; lane++)
    for (unsigned c = 0; c < MOST_COLUMNS; c++) {
      x = x * 1664525 + 1013904223;
      data[lane][c] = !t->reduced   ? label(lane, c)
                      : x >> 28 < 3 ? 0x7fc00000 | x
                      : x >> 28 < 6 ? x & 0x80000000
                                    : x;
      if (t->reduced && lane % 5 == 0) data[lane][c] = 0xffc00001; /* numbers nowhere */
    }
}

static text_t text;
static int run(wl_device_t *d, const test_t *t, wl_addr_t at, wl_addr_t from) {
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_result_t result = {0};
  const wl_launch_t l = {.grid = {t->shape->lanes == 16 ? CTAS : 1, 1, 1},
                         .block = {THREADS, 1, 1}};
  const wl_arg_t args[] = {WL_ARG(at), WL_ARG(from)};
  write_text(&text, t);
  fill_data(t);
  memset(out, 0, sizeof out);
  wl_status_t s = wl_module_load(d, t->shape->name, text.s, text.n, NULL, &module);
  s = s == WL_OK ? wl_module_function(module, "k", &function) : s;
  s = s == WL_OK ? wl_write(d, at, out, sizeof out) : s;
  s = s == WL_OK ? wl_write(d, from, data, sizeof data) : s;
  s = s == WL_OK ? wl_launch(function, &l, args, 2, &result) : s;
  s = s == WL_OK ? wl_read(d, out, at, sizeof out) : s;
  if (s != WL_OK) {
    printf("FAILED: %s.x%u: %s\n", t->shape->name, t->count, wl_error(d));
    return 1;
  }
  wl_module_unload(module);
  int bad = 0;
  for (unsigned cta = 0; cta < l.grid[0]; cta++)
    bad += check_cta(t, cta);
  return bad;
}

/* Columns that the access has; of .16x32bx2 the second access stands behind the first, with a gap where
 * there is room for one. */
static bool fit(test_t *t, unsigned room) {
  const unsigned own = t->count * t->shape->row * (t->packed ? 2 : 1);
  const unsigned needed = is_x2(t) ? 2 * own : own;
  if (needed > room) return false;
  t->columns = 32;
  while (t->columns < needed)
    t->columns *= 2;
  t->split = t->columns - own - (t->columns > needed ? 1 : 0);
  t->first = t->columns > needed ? 1 : 0;
  return true;
}

int main(int argc, char **argv) {
  wl_device_options_t o = {.mem_bytes = 16 << 20, .config = "full", .max_cycles = 50000000};
  if (argc > 2) o.backend = argv[1], o.config = argv[2];
  const unsigned room = strncmp(o.config, "tiny", 4) == 0 ? 64
                        : strcmp(o.config, "base") == 0   ? 256
                                                          : 512;
  wl_device_t *d = NULL;
  wl_addr_t at = 0, from = 0;
  const unsigned each = argc > 3 ? (unsigned)atoi(argv[3]) : 1;
  unsigned met = 0;
  int bad = 0, ran = 0;
  if (each == 0 || wl_device_open(&o, &d) != WL_OK || wl_alloc(d, sizeof out, &at) != WL_OK ||
      wl_alloc(d, sizeof data, &from) != WL_OK) {
    printf("FAILED: no device\n");
    return 1;
  }
  for (unsigned k = 0; k < SHAPES; k++)
    for (unsigned n = 1; n * shapes[k].regs <= MOST_REGS; n *= 2)
      for (unsigned kind = 0; kind < 3; kind++) {
        test_t t = {&shapes[k], n, .packed = kind == 1, .reduced = kind == 2};
        const bool may = kind != 2 || (n > 1 && (k == 0 || is_x2(&t)));
        if (!may || !fit(&t, room) || met++ % each != 0) continue;
        bad += run(d, &t, at, from);
        ran++;
      }
  wl_device_close(d);
  printf("%d accesses, %d failed\n", ran, bad);
  return bad != 0 || ran == 0;
}
