/* ldmatrix and stmatrix as programs: which bits of a lane's registers are which of the rows, by a table that
 * others made (places_moves.txt). Rows lie in memory in reverse order. Usage: test_places_moves BACKEND
 * CONFIG places_moves.txt */
#include <stdio.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "tests/common/check.h"
#include "tests/common/splitmix.h"

enum { LANES = 32, FACTORS = 4, ROW = 4, REGISTERS = 4, ELEMENT = 16, ROUNDS = 4 };

typedef struct factors {
  unsigned count, size[FACTORS], stride[FACTORS];
} factors_t;

typedef struct move {
  char name[32];
  bool store;
  unsigned registers;
  factors_t row, lane, bit;
} move_t;

/* Of a lane: four words of memory (one row), its address there, registers. After the program the
 * registers, and the row again. */
typedef struct lane {
  uint32_t row[ROW], reg[REGISTERS], address, unused[3]; /* rows are aligned */
} lane_t;
typedef struct result {
  uint32_t reg[REGISTERS], row[ROW];
} result_t;

static wl_device_t *device;

static unsigned place(const factors_t *f, unsigned index) {
  unsigned at = 0;
  for (unsigned i = 0; i < f->count; i++) {
    at += index % f->size[i] * f->stride[i];
    index /= f->size[i];
  }
  return at;
}

static const char *read_factors(const char *at, const char *word, factors_t *f) {
  unsigned size, stride;
  int n;
  f->count = 0;
  if (at == NULL || strncmp(at, word, strlen(word)) != 0) return NULL;
  at += strlen(word);
  for (; sscanf(at, " %u:%u%n", &size, &stride, &n) == 2; at += n) {
    if (f->count == FACTORS) return NULL;
    f->size[f->count] = size;
    f->stride[f->count++] = stride;
  }
  return at + strspn(at, " ");
}

static bool read_move(const char *line, move_t *m) {
  const size_t length = strcspn(line, " ");
  const char *at = line + length + 1;
  if (length >= sizeof m->name) return false;
  (void)snprintf(m->name, sizeof m->name, "%.*s", (int)length, line);
  m->store = strncmp(line, "st", 2) == 0;
  if (sscanf(line + strlen("ldmatrix.x"), "%u", &m->registers) != 1) return false;
  at = read_factors(at, "row", &m->row);
  at = read_factors(at, "lane", &m->lane);
  return read_factors(at, "bit", &m->bit) != NULL;
}

/* ---- the program */

static void registers(const move_t *m, char *out, size_t cap) {
  size_t n = 0;
  for (unsigned r = 0; r < m->registers; r++)
    n += (size_t)snprintf(out + n, cap - n, "%sr%u", r == 0 ? "{" : ", ", r);
  (void)snprintf(out + n, cap - n, "}");
}

static void kernel(const move_t *m, char *ptx, size_t cap) {
  char list[64], form[64];
  registers(m, list, sizeof list);
  (void)snprintf(form, sizeof form, "%.8s.sync.aligned.m8n8%s.shared.b16", m->name, m->name + 8);
  (void)snprintf(
      ptx, cap,
      ".version 8.7\n.target sm_90\n.address_size 64\n"
      ".visible .entry move(.param .u64 pin, .param .u64 pout) {\n"
      "  .shared .align 16 .b8 rows[512];\n  .reg .b32 k, a, own, w<4>, r<4>;\n  .reg .b64 in, out;\n"
      "  ld.param.u64 in, [pin];\n  ld.param.u64 out, [pout];\n  mov.u32 k, %%tid.x;\n"
      "  mad.wide.u32 in, k, %zu, in;\n  mad.wide.u32 out, k, %zu, out;\n"
      "  mov.u32 own, rows;\n  ld.global.u32 a, [in+32];\n  add.u32 a, a, own;\n"
      "  mad.lo.u32 own, k, 16, own;\n  ld.global.v4.u32 {w0, w1, w2, w3}, [in];\n"
      "  st.shared.v4.u32 [own], {w0, w1, w2, w3};\n  \n"
      "  ld.global.v4.u32 {r0, r1, r2, r3}, [in+16];\n"
      "  bar.sync 0;\n  %s %s, %s;\n  bar.sync 0;\n"
      "  st.global.v4.u32 [out], {r0, r1, r2, r3};\n  ld.shared.v4.u32 {w0, w1, w2, w3}, [own];\n"
      "  st.global.v4.u32 [out+16], {w0, w1, w2, w3};\n  ret;\n}\n",
      sizeof(lane_t), sizeof(result_t), form, m->store ? "[a]" : list, m->store ? list : "[a]");
}

static bool run(const move_t *m, const lane_t *in, result_t *out) {
  static char ptx[4096];
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t from = 0, to = 0;
  kernel(m, ptx, sizeof ptx);
  if (wl_module_load(device, m->name, ptx, strlen(ptx), NULL, &module) != WL_OK) return false;
  const wl_launch_t shape = {.grid = {1, 1, 1}, .block = {LANES, 1, 1}};
  bool well = wl_module_function(module, "move", &function) == WL_OK &&
              wl_alloc(device, LANES * sizeof *in, &from) == WL_OK &&
              wl_alloc(device, LANES * sizeof *out, &to) == WL_OK &&
              wl_write(device, from, in, LANES * sizeof *in) == WL_OK;
  const wl_arg_t args[] = {WL_ARG(from), WL_ARG(to)};
  well = well && wl_launch(function, &shape, args, 2, NULL) == WL_OK &&
         wl_read(device, out, to, LANES * sizeof *out) == WL_OK;
  (void)wl_free(device, from);
  (void)wl_free(device, to);
  wl_module_unload(module);
  return well;
}

/* ---- what it must give */

static uint32_t half(const uint32_t *words, unsigned index) {
  return words[index / 2] >> index % 2 * 16 & 0xffff;
}

static void put_half(uint32_t *words, unsigned index, uint32_t value) {
  words[index / 2] = (words[index / 2] & 0xffff0000u >> index % 2 * 16) | value << index % 2 * 16;
}

/* Row r of the table lies in slot 31 - r. */
static unsigned slot(unsigned row) { return LANES - 1 - row; }

static void expect(const move_t *m, const lane_t *in, result_t *want) {
  for (unsigned lane = 0; lane < LANES; lane++) {
    memcpy(want[lane].reg, in[lane].reg, sizeof want[lane].reg);
    memcpy(want[lane].row, in[lane].row, sizeof want[lane].row);
  }
  for (unsigned lane = 0; lane < LANES; lane++)
    for (unsigned bit = 0; bit < m->registers * 32; bit += ELEMENT) {
      const unsigned at = place(&m->lane, lane) + place(&m->bit, bit);
      uint32_t *row = want[slot(at / 128)].row, *reg = want[lane].reg;
      if (m->store)
        put_half(row, at % 128 / ELEMENT, half(reg, bit / ELEMENT));
      else
        put_half(reg, bit / ELEMENT, half(row, at % 128 / ELEMENT));
    }
}

static void check(const move_t *m, uint64_t *state) {
  lane_t in[LANES] = {0};
  result_t out[LANES] = {0}, want[LANES];
  for (unsigned lane = 0; lane < LANES; lane++) {
    for (unsigned i = 0; i < ROW; i++) {
      in[lane].row[i] = (uint32_t)wl_splitmix64(state);
      in[lane].reg[i] = (uint32_t)wl_splitmix64(state);
    }
    in[lane].address = 16 * slot(place(&m->row, lane) / 128);
  }
  expect(m, in, want);
  CHECK(run(m, in, out), "%s: %s", m->name, wl_error(device));
  for (unsigned lane = 0; lane < LANES; lane++)
    CHECK(memcmp(&out[lane], &want[lane], sizeof out[lane]) == 0, "%s lane %u", m->name, lane);
}

int main(int argc, char **argv) {
  char line[160];
  uint64_t state = 41;
  unsigned moves = 0;
  FILE *table = argc == 4 ? fopen(argv[3], "r") : NULL;
  if (table == NULL) return 2;
  const wl_device_options_t options = {.backend = argv[1],
                                       .config = argv[2],
                                       .mem_bytes = UINT64_C(1) << 20,
                                       .inside = strcmp(argv[1], "lockstep") == 0};
  if (wl_device_open(&options, &device) != WL_OK) {
    printf("FAILED  %s\n", wl_error(device));
    return 1;
  }
  while (fgets(line, sizeof line, table) != NULL) {
    move_t m = {0};
    if (line[0] == '#') continue;
    CHECK(read_move(line, &m), "%s", line);
    for (unsigned round = 0; round < ROUNDS && m.registers != 0; round++)
      check(&m, &state);
    moves++;
  }
  (void)fclose(table);
  CHECK(moves == 12, "%u lines", moves);
  wl_device_close(device);
  printf("%u instructions, %d failures\n", moves, failures);
  return failures != 0;
}
