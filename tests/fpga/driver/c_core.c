/* c_core.c: the core of the test board: the golden model, ticked, with signatures of its journal
 * (docs/fpga.md 1, 5, 6) and the faults it is told to have. */
#include <string.h>

#include "driver/backend.h"
#include "tests/fpga/driver/c_board.h"

static const uint32_t polynomial = 0x04c11db7;

static bool open_side(core_t *c) {
  char err[256];
  const wl_side_desc_t desc = {
      .config = c->config, .mem = c->mem, .mem_bytes = c->config->board_mem_bytes, .journal = true};
  c->side = wl_side_model.open(&desc, err, sizeof err);
  return c->side != NULL;
}

bool core_open(core_t *c, const char *config) {
  for (int i = 0; i < WL_NUM_CONFIGS; i++)
    if (strcmp(wl_configs[i].name, config) == 0) c->config = &wl_configs[i];
  for (unsigned k = 0; k < KINDS; k++) /* signatures have no reset: anything */
    c->signature[k] = 0x1234567u * (k + 3);
  return c->config != NULL && c->config->board_mem_bytes <= MOST_MEMORY && open_side(c);
}

void core_close(core_t *c) { wl_side_model.close(c->side); }

uint32_t *core_word(core_t *c, unsigned array, uint32_t slice, uint32_t row) {
  wl_view_t v;
  uint32_t *word;
  if (array >= WL_NUM_VIEWS) return NULL;
  wl_view_sizes(c->config, array, &v);
  if (slice >= v.slices || row >= v.rows) return NULL;
  wl_side_model.view(c->side, array, &v);
  const uint32_t *at = v.base[slice] + (size_t)row * v.stride;
  memcpy(&word, &at, sizeof word); /* a poke writes what lockstep only reads */
  return word;
}

/* Over all words of all arrays: take them out of a model, or put them into another one. */
static void move_arrays(core_t *c, uint32_t *words, bool out) {
  size_t n = 0;
  for (unsigned a = 0; a < WL_NUM_VIEWS; a++) {
    wl_view_t v;
    wl_view_sizes(c->config, a, &v);
    for (uint32_t s = 0; s < v.slices; s++)
      for (uint32_t r = 0; r < v.rows; r++, n++) {
        uint32_t *at = core_word(c, a, s, r);
        if (out)
          words[n] = *at;
        else
          *at = words[n];
      }
  }
}

/* The arrays have no reset. */
void core_reset(core_t *c) {
  static uint32_t words[1 << 20];
  move_arrays(c, words, true);
  core_close(c);
  (void)open_side(c);
  move_arrays(c, words, false);
  wl_journal_clear(&c->journal);
  for (unsigned i = 0; i < 4; i++)
    for (unsigned k = 0; k < KINDS; k++) {
      const uint32_t s = c->signature[k];
      c->signature[k] = (s << 1) ^ (s >> 31 ? polynomial : 0) ^ c->in[k];
      c->in[k] = 0;
    }
  c->cycle = 0;
  c->started = c->lost = c->stopping = false;
  c->run_left = 0;
}

static bool faulty(const core_t *c, unsigned what) {
  return c->fault.what == what && c->started && c->cycle == c->fault.cycle &&
         (!c->fault.once || c->launches == 1);
}

/* The word of the register file that an RF record's word came to. */
static void write_wrong(core_t *c, const wl_cosim_record_t *r) {
  uint32_t *word = core_word(c, 0, r->word[0] * c->config->lanes + c->fault.slice - 3, r->word[1]);
  if (word != NULL) *word ^= c->fault.mask;
}

static void take_records(core_t *c) {
  uint32_t in[KINDS] = {0};
  bool first = true;
  for (unsigned i = 0; i < c->journal.records; i++) {
    const wl_cosim_record_t *r = &c->journal.record[i];
    const bool hit = r->kind == c->fault.array && first;
    first = first && !hit;
    if (hit && faulty(c, FLIP_RECORD) && c->fault.write) write_wrong(c, r);
    if (hit && faulty(c, DROP_RECORD)) continue;
    uint32_t fold = 0x9e3779b9;
    for (unsigned w = 0; w < r->words; w++) {
      const unsigned turn = (5 * w + 3) % 32;
      const uint32_t x =
          r->word[w] ^ (hit && w == c->fault.slice && faulty(c, FLIP_RECORD) ? c->fault.mask : 0);
      fold ^= turn == 0 ? x : (x << turn) | (x >> (32 - turn));
    }
    in[r->kind] ^= fold;
  }
  for (unsigned k = 0; k < KINDS; k++) {
    const uint32_t s = c->signature[k];
    c->signature[k] = (s << 1) ^ (s >> 31 ? polynomial : 0) ^ c->in[k];
    c->in[k] = in[k];
  }
}

void core_tick(core_t *c, const uint64_t *start) {
  wl_journal_clear(&c->journal);
  if (start != NULL) {
    c->started = true;
    c->launches++;
  }
  if (faulty(c, FLIP_WORD))
    *core_word(c, c->fault.array, c->fault.slice, c->fault.row) ^= c->fault.mask;
  if (faulty(c, FLIP_MEMORY)) c->mem[c->fault.row] ^= (uint8_t)c->fault.mask;
  if (start != NULL)
    wl_side_model.start(c->side, *start, &c->journal);
  else
    wl_side_model.step(c->side, &c->journal);
  take_records(c);
  c->cycle++;
}

/* In the random freezes of the contract; they change nothing but time. */
static bool frozen(core_t *c) {
  if (c->density == 0) return false;
  c->lfsr = (c->lfsr >> 1) ^ ((c->lfsr & 1) ? 0x80200003u : 0);
  if ((c->lfsr & 7) >= c->density) return false;
  c->freezes++;
  return true;
}

void core_run(core_t *c, unsigned ticks) {
  while (c->run_left > 0 && ticks-- > 0) {
    if (frozen(c)) continue;
    core_tick(c, NULL);
    c->run_left--;
    if (c->stopping) c->run_left = 0; /* CE was 1 already when the end was seen */
    c->stopping = c->stop_when_done && (wl_side_model.done(c->side) || wl_side_model.hung(c->side));
  }
  if (c->run_left == 0) c->stopping = false;
}

bool core_idle(const core_t *c) { return !c->started || wl_side_model.done(c->side); }
