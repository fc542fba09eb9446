/* writers_backend.c: a backend `lockstep` in place of the driver's (the linker takes this one): the
 * reference alone, of which every write of a register, predicate or exchange buffer must have its
 * instruction (driver/lockstep/writers.h): one that issued before, whose lanes it is, and that by
 * the model's own decoder has this destination. With it the kernel runner looks at the whole
 * corpus. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/backend.h"
#include "driver/lockstep/cosim.h"
#include "gen/wl_index.h"
#include "gen/wl_journal.h"
#include "gen/wl_packet.h"
#include "isa/obj/dis.h"

enum { LIMIT = 20000000 };

static void close_one(void *state) { wl_cosim_destroy(state); }

static int open_one(const wl_backend_desc_t *desc, void **state, char *err, size_t cap) {
  const wl_cosim_options_t options = {.struct_size = sizeof options,
                                      .layout = *wl_cosim_layout(desc->config->name),
                                      .seed = desc->seed,
                                      .disturb = wl_disturbs[desc->disturb].name,
                                      .mem = desc->mem,
                                      .mem_bytes = desc->mem_bytes};
  wl_cosim_t *c = NULL;
  const bool good = wl_cosim_create(&options, &c) == WL_OK;
  if (!good) snprintf(err, cap, "%s", wl_cosim_error(c));
  *state = c;
  return good ? WL_RUN_OK : WL_RUN_INTERNAL;
}

/* "add.rr R4, R5, R6", "ldc.b64 R8:R9, ...", "setp.u32.ri P0, PT, R0, ..." */
static bool has_destination(const wl_cosim_t *c, const wl_writer_t *writer, unsigned thing) {
  uint32_t word[4];
  char text[WL_DIS_MAX], name[16];
  memcpy(word, c->mem[0] + (c->code_base - WL_MEM_BASE) + 16 * (uint64_t)writer->pc, sizeof word);
  wl_dis_word(word, text, sizeof text);
  const char *operands = text[0] == '@' ? strchr(text, ' ') + 1 : text;
  operands = strchr(operands, ' ') != NULL ? strchr(operands, ' ') + 1 : "";
  if (thing == WL_THING_XBUF) return true;
  if (thing > WL_THING_XBUF) {
    snprintf(name, sizeof name, "P%u", thing - WL_THING_PRED);
    return strstr(operands, name) != NULL;
  }
  unsigned low = 0, high = 0;
  const char *reg = strchr(operands, 'R');
  const int n = reg != NULL ? sscanf(reg, "R%u:R%u", &low, &high) : 0;
  return n > 0 && thing >= low && thing <= (n == 2 ? high : low);
}

/* A packet of the LSU is of an instruction that issued before, with these lanes, and that reads or
 * writes memory as the packet does (packet.def: LD 0, ST 1, ATOM 2, RED 3). */
static bool right_packet(const wl_cosim_t *c, const wl_cosim_record_t *r) {
  static const char *const words[] = {"ld.", "st.", "atom.", "atom."};
  const uint32_t *w = r->word, lanes = (uint32_t)wl_tag_lsu(w[WL_W_PACKET_TAG]).lanes
                                       << 8 * wl_tag_lsu(w[WL_W_PACKET_TAG]).group;
  const wl_lsu_note_t *note = wl_writers_port(&c->writers, r->kind, w);
  uint32_t word[4];
  char text[WL_DIS_MAX];
  if (w[WL_W_PACKET_UNIT] != WL_FROM_LSU) return note == NULL;
  if (note == NULL || note->by.cycle >= c->cycle - 1 || (lanes & ~note->by.exec) != 0) return false;
  memcpy(word, c->mem[0] + (c->code_base - WL_MEM_BASE) + 16 * (uint64_t)note->by.pc, sizeof word);
  wl_dis_word(word, text, sizeof text);
  return w[0] < 4 && (strstr(text, words[w[0]]) != NULL ||
                      (w[0] == 0 && strstr(text, "cpasync.") != NULL)); /* it reads, too */
}

/* The records of the cycle before: c->writers are those that were before it. */
static bool all_written(const wl_cosim_t *c, char *out, size_t cap) {
  for (unsigned i = 0; i < c->journal.records; i++) {
    const wl_cosim_record_t *r = &c->journal.record[i];
    wl_write_t write;
    char name[24];
    if (r->kind == WL_J_PACKET && !right_packet(c, r)) {
      snprintf(out, cap, "cycle %llu: a packet of another instruction",
               (unsigned long long)c->cycle - 1);
      return false;
    }
    const bool known = wl_writers_read(c->config, &c->pages, r->kind, r->word, &write);
    if (!known && r->kind != WL_J_RF && r->kind != WL_J_PRED && r->kind != WL_J_XBUF) continue;
    const wl_writer_t *writer = known ? wl_writers_find(&c->writers, &write) : NULL;
    if (writer != NULL && writer->cycle < c->cycle - 1 && has_destination(c, writer, write.thing))
      continue;
    snprintf(out, cap, "cycle %llu: warp %u, %s: %s", (unsigned long long)c->cycle - 1, write.warp,
             wl_thing_name(write.thing, name, sizeof name),
             writer == NULL ? "no writer" : "not its writer");
    return false;
  }
  return true;
}

static void run(void *state, uint64_t block, uint64_t max_cycles, wl_run_result_t *result) {
  wl_cosim_t *c = state;
  (void)max_cycles;
  result->status = WL_RUN_DIVERGED;
  snprintf(result->report, sizeof result->report, "no end within the limit");
  c->running = false; /* the launch before: nothing ends it here */
  if (wl_cosim_start(c, block) != WL_OK) return;
  for (uint64_t i = 0; i < LIMIT; i++) {
    wl_cosim_advance(c);
    if (!all_written(c, result->report, sizeof result->report)) return;
    if (i != 0 && wl_side_model.done(c->model)) break;
  }
  wl_cosim_state_t s;
  wl_cosim_state(c, &s);
  if (!s.done) return;
  result->status = s.trapped ? WL_RUN_TRAP : WL_RUN_OK;
  result->cycles = s.cycles;
  result->instructions = s.instructions;
}

static const wl_backend_ops_t ops = {"lockstep", open_one, run, NULL, close_one, NULL};

const wl_backend_ops_t *wl_lockstep_backend(const char *name) {
  return strcmp(name, ops.name) == 0 ? &ops : NULL;
}
const wl_side_ops_t *wl_side_rtl(const wl_config_t *config, bool waves) {
  (void)waves;
  (void)config;
  return NULL;
}
