/* test_matrix: every form of ldmatrix, stmatrix and movmatrix as a machine program, on one backend.
 *   test_matrix BACKEND CONFIG... [--rounds N]
 * Rows lie in any order in shared memory, and lanes whose address does not count have one outside. What
 * must come out is computed by the maps of tests/common/matrix_layout.h. A configuration that lacks a
 * form must refuse it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "gen/wl_config.h"
#include "tests/common/matrix_layout.h"
#include "tests/common/splitmix.h"
#include "tests/unit/driver/program.h"

enum { LANES = 32, ROWS = 128, ROUNDS = 3 };

/* The buffer of a program. */
typedef struct image {
  uint8_t shared[16 * ROWS]; /* before */
  uint32_t address[LANES];
  uint32_t reg[LANES][4];
  uint8_t unused[0x1000 - 16 * ROWS - 4 * LANES - 16 * LANES];
  uint32_t reg_after[LANES][4]; /* from 0x1000 on */
  uint8_t shared_after[16 * ROWS];
} image_t;

static const char before[] =
    "s2r R0, SR0\n ldc.b64 R4:R5, c0[RZ+0x200]\n mov.r R7, RZ\n shf.l.wrap.i R6, RZ, R0, 0x6\n"
    "add64.rr R8:R9, R4:R5, R6:R7\n"
    "ld.global.b128 R16:R19, [R8:R9]\n st.shared.b128 [R6], R16:R19\n"
    "ld.global.b128 R16:R19, [R8:R9+0x10]\n st.shared.b128 [R6+0x10], R16:R19\n"
    "ld.global.b128 R16:R19, [R8:R9+0x20]\n st.shared.b128 [R6+0x20], R16:R19\n"
    "ld.global.b128 R16:R19, [R8:R9+0x30]\n st.shared.b128 [R6+0x30], R16:R19\n"
    "shf.l.wrap.i R14, RZ, R0, 0x4\n mov.r R15, RZ\n add64.rr R10:R11, R4:R5, R14:R15\n"
    "ld.global.b128 R16:R19, [R10:R11+0x880]\n shf.l.wrap.i R14, RZ, R0, 0x2\n"
    "add64.rr R12:R13, R4:R5, R14:R15\n ld.global.b32 R2, [R12:R13+0x800]\n mov.i R3, 0x10000\n";
static const char after[] =
    "st.global.b128 [R10:R11+0x1000], R16:R19\n"
    "ld.shared.b128 R20:R23, [R6]\n st.global.b128 [R8:R9+0x1200], R20:R23\n"
    "ld.shared.b128 R20:R23, [R6+0x10]\n st.global.b128 [R8:R9+0x1210], R20:R23\n"
    "ld.shared.b128 R20:R23, [R6+0x20]\n st.global.b128 [R8:R9+0x1220], R20:R23\n"
    "ld.shared.b128 R20:R23, [R6+0x30]\n st.global.b128 [R8:R9+0x1230], R20:R23\n exit\n";

static void program(const wl_form_info_t *f, char *text, size_t cap) {
  static const char *const group[] = {"", "R16", "R16:R17", "", "R16:R19"};
  const char *address = f->space == WL_MEM_SPACE_GEN ? "[R2:R3]" : "[R2]";
  char line[96];
  if (f->matrix.count == 0)
    (void)snprintf(line, sizeof line, "%s R16, R16", f->name);
  else if (f->kind == WL_MEM_KIND_LDMATRIX)
    (void)snprintf(line, sizeof line, "%s %s, %s", f->name, group[f->d], address);
  else
    (void)snprintf(line, sizeof line, "%s %s, %s", f->name, address, group[f->b]);
  (void)snprintf(text, cap, "%s%s\n%s", before, line, after);
}

static void fill(image_t *m, const wl_form_info_t *f, uint64_t *state) {
  uint8_t row[ROWS];
  for (unsigned i = 0; i < sizeof m->shared; i++)
    m->shared[i] = (uint8_t)wl_splitmix64(state);
  for (unsigned i = 0; i < ROWS; i++)
    row[i] = (uint8_t)i;
  for (unsigned lane = 0; lane < LANES; lane++) {
    const unsigned other = lane + (unsigned)(wl_splitmix64(state) % (ROWS - lane));
    const uint8_t taken = row[other];
    row[other] = row[lane];
    row[lane] = taken;
    const bool counts = lane < (unsigned)f->matrix.count * f->matrix.rows;
    m->address[lane] = counts ? 16u * taken : (uint32_t)wl_splitmix64(state) | 0xff000001u;
    for (unsigned k = 0; k < 4; k++)
      m->reg[lane][k] = (uint32_t)wl_splitmix64(state);
  }
}

static void expect(image_t *m, const wl_form_info_t *f) {
  const wl_matrix_t kind = (wl_matrix_t)f->matrix.kind;
  memcpy(m->reg_after, m->reg, sizeof m->reg);
  memcpy(m->shared_after, m->shared, sizeof m->shared);
  const unsigned words = f->matrix.count == 0 ? 1 : f->d + f->b;
  for (unsigned i = 0; i < words * LANES * 4u; i++) {
    const unsigned r = i / 128, lane = i / 4 % 32, k = i % 4;
    const matrix_place_t at = matrix_place(kind, lane, r, k);
    if (f->matrix.count == 0) { /* element (row, column) of what was (column, row) */
      const unsigned from = lane % 4 * 2 + k / 2;
      const uint32_t half = m->reg[4 * from + lane / 8][0] >> lane / 4 % 2 * 16;
      ((uint8_t *)&m->reg_after[lane][0])[k] = (uint8_t)(half >> k % 2 * 8);
    } else if (f->kind == WL_MEM_KIND_LDMATRIX) {
      ((uint8_t *)&m->reg_after[lane][r])[k] =
          matrix_element(kind, m->shared + m->address[at.lane], at.byte);
    } else {
      m->shared_after[m->address[at.lane] + at.byte] = (uint8_t)(m->reg[lane][r] >> 8 * k);
    }
  }
}

static wl_status_t run(wl_device_t *device, const wl_form_info_t *f, image_t *m) {
  char text[4096];
  uint8_t *object = NULL;
  size_t size = 0;
  wl_module_t *module = NULL;
  wl_addr_t at = 0;
  const wl_launch_t launch = {.grid = {1, 1, 1}, .block = {LANES, 1, 1}};
  program(f, text, sizeof text);
  wl_obj_t *o = wl_obj_new();
  wl_obj_entry_t *e = program_entry(o, "main", text);
  if (e == NULL) return WL_ERR_INTERNAL;
  e->regs = 24;
  e->smem_static = sizeof m->shared;
  e->units = f->options;
  wl_obj_add_param(o, e, "image", WL_OBJ_U64, 8, 8, WL_OBJ_NONE, 0);
  if (!program_object(o, &object, &size)) return WL_ERR_INTERNAL;
  wl_status_t status = wl_module_load(device, f->name, object, size, NULL, &module);
  free(object);
  status = status == WL_OK ? wl_alloc(device, sizeof *m, &at) : status;
  status = status == WL_OK ? wl_write(device, at, m, sizeof *m) : status;
  const wl_arg_t args[] = {WL_ARG(at)};
  if (status == WL_OK) status = wl_launch(wl_module_function_at(module, 0), &launch, args, 1, NULL);
  return status == WL_OK ? wl_read(device, m, at, sizeof *m) : status;
}

static bool passes(const char *backend, const wl_config_t *config, const wl_form_info_t *f,
                   uint64_t seed) {
  static image_t got, want;
  wl_device_t *device = NULL;
  const wl_device_options_t options = {
      .backend = backend, .config = config->name, .mem_bytes = 1 << 20, .max_cycles = 100000};
  const bool lacks = (f->rows >> (config - wl_configs) & 1) == 0;
  memset(&want, 0, sizeof want);
  fill(&want, f, &seed);
  got = want;
  expect(&want, f);
  wl_status_t status = wl_device_open(&options, &device);
  status = status == WL_OK ? run(device, f, &got) : status;
  const bool ok = lacks ? status == WL_ERR_UNSUPPORTED
                        : status == WL_OK && memcmp(&got, &want, sizeof got) == 0;
  if (!ok)
    printf("%s on %s %s: %s\n", f->name, backend, config->name,
           status != WL_OK ? wl_error(device)
           : lacks         ? "not refused"
                           : "other words");
  wl_device_close(device);
  return ok;
}

int main(int argc, char **argv) {
  int count = 0, failed = 0;
  uint64_t rounds = ROUNDS;
  if (argc > 3 && strcmp(argv[argc - 2], "--rounds") == 0) {
    rounds = strtoull(argv[argc - 1], NULL, 10);
    argc -= 2;
  }
  for (int a = 2; a < argc; a++)
    for (const wl_config_t *config = wl_configs; config < wl_configs + WL_NUM_CONFIGS; config++) {
      if (strcmp(config->name, argv[a]) != 0) continue;
      for (int form = 0; form < WL_NUM_FORMS; form++) {
        const wl_form_info_t *f = &wl_form_info[form];
        if (f->matrix.count == 0 && form != WL_FORM_MOVMATRIX) continue;
        for (uint64_t n = 0; n < rounds; n++, count++)
          failed += !passes(argv[1], config, f, n << 32 | (uint64_t)form);
      }
    }
  printf("%s: %d programs, %d failed\n", argc > 1 ? argv[1] : "", count, failed);
  return failed != 0 || count == 0;
}
