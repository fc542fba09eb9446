/* Golden model: a unit without the rest of the machine. This program is linked with the three files of the
 * LSU (docs/microarchitecture.md 10) and cmodel/sem, and with nothing else of the model: the test plays
 * issue, operands, SM port, order point and write-back by the wires. Values, sectors and bytes are worked
 * out here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/mem/lsu.h"

enum { WARP = 3, BASE = 0x1000, SIZE = 0x400, CYCLES = 400, REG = 20 };

typedef struct wl_lone {
  wl_env_t env;
  wl_launch_block_t launch;
  wl_slots_t slots;
  wl_reports_t reports;
  wl_gpu_wires_t device;
  wl_wires_t w;
  wl_lsu_t lsu;
  wl_x1_wire_t x1[WL_MOST_SUB_CORES];
  wl_insn_t insn;
  wl_flight_t flight;
  uint8_t memory[SIZE];
  uint32_t got[4][WL_LANES]; /* words of a load, as they are written back */
  unsigned packets, freed, writes, last;
  wl_trap_info_t trap;
  wl_response_t answer; /* of the packet granted in the cycle before */
  bool answers;
} wl_lone_t;

static int failures;

static void expect(const char *what, uint64_t got, uint64_t expected) {
  if (got == expected) return;
  printf("%s: got 0x%llx, expected 0x%llx\n", what, (unsigned long long)got,
         (unsigned long long)expected);
  failures++;
}

static wl_lone_t *lone_open(wl_config_id_t config, wl_form_t form) {
  wl_lone_t *u = calloc(1, sizeof *u);
  uint32_t word[4] = {0};
  u->env.cfg = wl_configs[config];
  u->env.launch = &u->launch;
  u->env.slots = &u->slots;
  u->env.reports = &u->reports;
  u->w.gpu = &u->device;
  for (unsigned k = 0; k < WL_MOST_SUB_CORES; k++)
    u->w.sub[k].x1 = &u->x1[k];
  u->launch.mem_base[0] = BASE;
  u->launch.mem_limit[0] = BASE + SIZE;
  WL_WORD_SET(word, FORM, form);
  WL_WORD_SET(word, RD, REG);
  WL_WORD_SET(word, RA, 6);
  WL_WORD_SET(word, RB, 8);
  wl_decode(word, WL_ANY_ROW, &u->insn.dec);
  u->insn.pc = 77;
  u->flight.insn = u->insn;
  u->flight.warp = WARP;
  u->flight.route = WL_ROUTE_VARIABLE;
  u->flight.exec = UINT32_MAX;
  for (unsigned i = 0; i < SIZE; i++)
    u->memory[i] = (uint8_t)(i * 7 + 1);
  wl_lsu_reset(&u->lsu, &u->env);
  return u;
}

/* What the order point does with a packet, in one cycle. */
static void serve(wl_lone_t *u, const wl_packet_t *p) {
  const uint64_t at = p->sector * 32 - BASE;
  u->packets++;
  expect("inside the memory", at < SIZE, 1);
  expect("operation", p->op, u->insn.dec.info->kind == WL_MEM_KIND_LD ? WL_PK_LD : WL_PK_ST);
  expect("unit", p->unit, WL_FROM_LSU);
  const uint8_t *data = (const uint8_t *)p->data;
  for (unsigned i = 0; i < 32 && p->op == WL_PK_ST; i++)
    if (p->mask >> i & 1) u->memory[at + i] = data[i];
  u->answers = p->op == WL_PK_LD;
  u->answer.op = p->op;
  u->answer.unit = p->unit;
  u->answer.tag = p->tag;
  memcpy(u->answer.data, u->memory + at, 32);
}

static void write_back(wl_lone_t *u, const wl_vwb_wire_t *v) {
  expect("warp", v->warp, WARP);
  u->writes++;
  u->last += v->last;
  for (unsigned i = 0; i < WL_LANES; i++)
    if (v->lanes >> i & 1) u->got[v->reg - REG][i] = v->data[i];
}

/* One cycle; the port and write-back grant whatever is there. */
static void cycle(wl_lone_t *u) {
  wl_sub_wires_t *sub = &u->w.sub[wl_sub_of(&u->env, WARP)];
  wl_lsu_out(&u->lsu, &u->env, &u->w);
  const bool packet = u->w.req_valid[WL_PORT_LSU];
  u->w.port_grant = packet ? WL_PORT_LSU : -1;
  sub->vwb_grant = sub->vwb[WL_VWB_LSU].valid ? WL_VWB_LSU : -1;
  u->w.rsp_valid = u->answers;
  u->device.rsp = u->answer;
  u->answers = false;
  if (packet) serve(u, &u->w.req[WL_PORT_LSU]);
  if (sub->vwb_grant == WL_VWB_LSU) write_back(u, &sub->vwb[WL_VWB_LSU]);
  u->freed += (unsigned)__builtin_popcount(u->w.lsu_free);
  if (u->w.trap[WL_SRC_LSU].valid) u->trap = u->w.trap[WL_SRC_LSU];
  wl_lsu_update(&u->lsu, &u->env, &u->w);
  u->env.cycle++;
  sub->issue.valid = u->x1[wl_sub_of(&u->env, WARP)].valid = false;
}

/* Issue, then the operands part by part, then until nothing is left to do. */
static void run(wl_lone_t *u) {
  wl_sub_wires_t *sub = &u->w.sub[wl_sub_of(&u->env, WARP)];
  wl_x1_wire_t *x1 = &u->x1[wl_sub_of(&u->env, WARP)];
  const unsigned size = u->env.cfg.lsu_lanes;
  wl_lsu_out(&u->lsu, &u->env, &u->w);
  expect("open", u->w.lsu_available, 1);
  u->flight.lsu_slot = u->w.lsu_slot;
  sub->issue = (wl_issue_wire_t){.valid = true,
                                 .route = WL_ROUTE_VARIABLE,
                                 .insn = &u->insn,
                                 .warp = WARP,
                                 .exec = UINT32_MAX};
  cycle(u);
  expect("busy", wl_lsu_busy(&u->lsu, &u->env), 1U << WL_REST_LSU);
  for (unsigned first = 0; first < WL_LANES; first += size) {
    *x1 = (wl_x1_wire_t){.f = &u->flight,
                         .lanes = wl_lane_block(first, size),
                         .valid = true,
                         .last_step = true,
                         .last_part = true,
                         .last = first + size == WL_LANES};
    cycle(u);
  }
  for (unsigned i = 0; i < CYCLES; i++)
    cycle(u);
  expect("at rest", wl_lsu_busy(&u->lsu, &u->env), 0);
}

/* Lane i at BASE + 128 + stride * i. */
static void addresses(wl_lone_t *u, unsigned stride) {
  for (unsigned i = 0; i < WL_LANES; i++)
    u->flight.a[0][i] = BASE + 128 + stride * i;
}

/* Words in a row: each group of lanes that lies in one sector is one packet. */
static void stores(wl_config_id_t config) {
  wl_lone_t *u = lone_open(config, WL_FORM_ST_GLOBAL_B32);
  const unsigned group = u->env.cfg.lsu_lanes < 8 ? u->env.cfg.lsu_lanes : 8;
  addresses(u, 4);
  for (unsigned i = 0; i < WL_LANES; i++)
    u->flight.b[0][i] = 0x01020304u * i;
  run(u);
  expect("packets of the stores", u->packets, WL_LANES / group);
  expect("slots freed", u->freed, 1);
  expect("no result", u->writes, 0);
  for (unsigned i = 0; i < SIZE; i++) {
    const unsigned lane = (i - 128) / 4;
    const bool written = i >= 128 && i < 128 + 4 * WL_LANES;
    const uint32_t byte = written ? 0x01020304u * lane >> i % 4 * 8 & 255 : (uint8_t)(i * 7 + 1);
    expect("byte of the memory", u->memory[i], byte);
  }
  free(u);
}

/* Pairs of words, each lane in its own half sector. */
static void loads(wl_config_id_t config) {
  wl_lone_t *u = lone_open(config, WL_FORM_LD_GLOBAL_B64);
  addresses(u, 16);
  run(u);
  for (unsigned i = 0; i < WL_LANES; i++)
    for (unsigned k = 0; k < 2; k++) {
      uint32_t word;
      memcpy(&word, u->memory + 128 + 16 * i + 4 * k, 4);
      expect("word of the load", u->got[k][i], word);
    }
  expect("words written back", u->writes, 2 * WL_LANES / u->env.cfg.lsu_lanes);
  expect("one is the last", u->last, 1);
  free(u);
}

/* Lane 31 is the first one beyond the memory; then lane 5, lower, is misaligned as well. */
static void faults(wl_config_id_t config) {
  for (unsigned second = 0; second < 2; second++) {
    wl_lone_t *u = lone_open(config, WL_FORM_LD_GLOBAL_B32);
    addresses(u, 4);
    u->flight.a[0][31] = BASE + SIZE;
    if (second) u->flight.a[0][5]++;
    run(u);
    expect("a trap", u->trap.valid, 1);
    expect("cause", u->trap.cause, second ? WL_TRAP_MISALIGNED : WL_TRAP_OUT_OF_BOUNDS);
    expect("lane", u->trap.lane, second ? 5 : 31);
    expect("address", u->trap.address, second ? BASE + 128 + 21 : BASE + SIZE);
    expect("pc", u->trap.pc, 77);
    expect("no packet", u->packets, 0);
    expect("slot freed", u->freed, 1);
    free(u);
  }
}

int main(void) {
  for (unsigned i = 0; i < WL_NUM_CONFIGS; i++) {
    const int before = failures;
    stores((wl_config_id_t)i);
    loads((wl_config_id_t)i);
    faults((wl_config_id_t)i);
    if (failures != before) printf("in configuration %s\n", wl_configs[i].name);
  }
  return failures != 0;
}
