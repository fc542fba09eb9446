/* test_machine: the machine programs of machine_cases.h on one backend.
 *   test_machine [BACKEND [CONFIG...] [--tables NAME,...] [--stop] [--every N]]
 * --tables: only these tables. --stop: the first program that fails is the last one. --every: the first program
 * of the tables and each Nth after it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "gen/wl_config.h"
#include "tests/machine/machine_cases.h"
#include "tests/unit/driver/program.h"

/* Bytes of device memory, and of a block below program, constants and output (not below the launch
 * block): another for each case, so that the addresses differ in their higher bits too. */
enum { OUT_WORDS = 1024, MEM_BYTES = 1 << 23, STEP_BYTES = 0xb0000, STEPS = 11 };

typedef struct run {
  const machine_case_t *c;
  wl_device_t *device;
  wl_result_t result;
  wl_status_t status;
  char error[600];
  uint32_t low; /* bytes of that block */
  uint32_t out[OUT_WORDS];
} run_t;

/* The object of a case; parameter `out` is a pointer. */
static bool make_object(const machine_case_t *c, uint8_t **bytes, size_t *size) {
  wl_obj_t *o = wl_obj_new();
  wl_obj_entry_t *e = program_entry(o, "main", c->text);
  if (e == NULL) {
    wl_obj_free(o);
    return false;
  }
  e->regs = c->regs != 0 ? c->regs : 32;
  e->smem_static = c->shared;
  e->local_bytes = c->local;
  e->units = c->probe          ? WL_OBJ_UNIT_PROBE
             : c->f64          ? WL_OBJ_UNIT_FP64
             : c->bulk         ? WL_OBJ_UNIT_COPY
             : c->atom128      ? WL_OBJ_UNIT_ATOM128
             : c->columns != 0 ? WL_OBJ_UNIT_TMEM
                               : 0;
  if (c->umma) e->units |= WL_OBJ_UNIT_UMMA | WL_OBJ_UNIT_TENSOR;
  if (c->scaled) e->units |= WL_OBJ_UNIT_TENSOR_SCALED;
  e->barriers = 16;
  wl_obj_add_param(o, e, "out", WL_OBJ_U64, 8, 8, WL_OBJ_NONE, 0);
  return program_object(o, bytes, size);
}

static bool execute(run_t *r, const char *backend, const char *config) {
  uint8_t *object = NULL;
  size_t size = 0;
  wl_module_t *module = NULL;
  wl_addr_t low = 0, out = 0;
  wl_device_options_t options = {
      .backend = backend, .config = config, .mem_bytes = MEM_BYTES, .max_cycles = 5000000};
  if (!make_object(r->c, &object, &size)) {
    return false;
  }
  wl_launch_t launch = {0};
  for (int i = 0; i < 3; i++) {
    launch.grid[i] = r->c->grid[i] != 0 ? r->c->grid[i] : 1;
    launch.block[i] = r->c->block[i] != 0 ? r->c->block[i] : 1;
  }
  bool ok = wl_device_open(&options, &r->device) == WL_OK &&
            (r->low == 0 || wl_alloc(r->device, r->low, &low) == WL_OK) &&
            wl_module_load(r->device, r->c->name, object, size, NULL, &module) == WL_OK &&
            wl_alloc(r->device, sizeof r->out, &out) == WL_OK &&
            wl_fill(r->device, out, 0, sizeof r->out) == WL_OK;
  free(object);
  if (!ok) {
    printf("%s: %s\n", r->c->name, wl_error(r->device));
    return false;
  }
  wl_arg_t args[] = {WL_ARG(out)};
  r->status = wl_launch(wl_module_function_at(module, 0), &launch, args, 1, &r->result);
  (void)snprintf(r->error, sizeof r->error, "%s", wl_error(r->device));
  return wl_read(r->device, r->out, out, sizeof r->out) == WL_OK;
}

/* The trap register of the machine has the first lane, not the mask, and no place for traps of the
 * barrier unit (docs/microarchitecture.md 14); func knows both. */
static bool check_trap(const run_t *r, bool func) {
  const wl_trap_info_t *t = &r->result.trap;
  uint32_t pc = program_label(r->c->text, "here");
  if (r->status != WL_ERR_TRAP) {
    printf("%s: got status %d (%s), expected a trap\n", r->c->name, (int)r->status, r->error);
    return false;
  }
  bool place = func || r->c->words != UINT32_MAX;
  bool ok = t->cause == (uint32_t)r->c->cause && (!place || pc == UINT32_MAX || t->pc == pc);
  if (r->c->words != UINT32_MAX) {
    ok = ok && t->lane == r->c->lane && (!func || r->c->any_lanes || t->lanes == r->c->lanes);
  }
  if (r->c->address != 0 && (!t->has_address || t->address != r->c->address)) {
    printf("%s: got address 0x%llx, expected 0x%llx\n", r->c->name,
           t->has_address ? (unsigned long long)t->address : 0, (unsigned long long)r->c->address);
    return false;
  }
  if (!ok) {
    printf("%s: got trap %u pc %u lane %u lanes %08x, expected %u pc %u lane %u lanes %08x (%s)\n",
           r->c->name, t->cause, t->pc, t->lane, t->lanes, (unsigned)r->c->cause, pc, r->c->lane,
           r->c->lanes, r->error);
  }
  return ok;
}

static bool check_words(const run_t *r) {
  if (r->status != WL_OK) {
    printf("%s: got status %d: %s\n", r->c->name, (int)r->status, r->error);
    return false;
  }
  uint32_t words = r->c->words;
  if (words == 0) {
    words = 1;
    for (int i = 0; i < 3; i++) {
      words *= r->c->grid[i] != 0 ? r->c->grid[i] : 1;
      words *= r->c->block[i] != 0 ? r->c->block[i] : 1;
    }
  }
  for (uint32_t i = 0; i < words; i++) {
    if (r->out[i] != r->c->want(i)) {
      printf("%s: word %u: got 0x%08x, expected 0x%08x\n", r->c->name, i, r->out[i], r->c->want(i));
      return false;
    }
  }
  return true;
}

static bool check_hang(const run_t *r) {
  if (r->status == WL_ERR_HANG) return true;
  printf("%s: got status %d (%s), expected a hang\n", r->c->name, (int)r->status, r->error);
  return false;
}

static bool judge(const run_t *r, bool func) {
  if (r->c->hang) return check_hang(r);
  return r->c->cause != WL_TRAP_NONE ? check_trap(r, func) : check_words(r);
}

/* The configuration has as much tensor memory as the case is made for. */
static bool has_columns(const machine_case_t *c, const char *config) {
  if (c->columns == 0) return true;
  for (unsigned i = 0; i < WL_NUM_CONFIGS; i++) {
    const wl_config_t *k = &wl_configs[i];
    if (strcmp(k->name, config) != 0) continue;
    return k->tmem != 0 && k->tmem_columns >= c->columns &&
           (c->most_columns == 0 || k->tmem_columns <= c->most_columns);
  }
  return false;
}

/* 0 passed, 1 failed, 2 refused by the configuration. */
static int one(const machine_case_t *c, uint32_t number, const char *backend, const char *config) {
  if (!has_columns(c, config)) return 2;
  run_t *r = calloc(1, sizeof *r);
  if (r == NULL) {
    return 1;
  }
  r->c = c;
  r->low = number % STEPS * STEP_BYTES;
  int outcome = 1;
  if (execute(r, backend, config)) {
    bool refused = r->status == WL_ERR_UNSUPPORTED;
    outcome = refused ? 2 : judge(r, strcmp(backend, "func") == 0) ? 0 : 1;
  }
  wl_device_close(r->device);
  free(r);
  return outcome;
}

/* ---- tables */
#define TABLE(name) {#name, machine_##name##_cases}
static const struct {
  const char *name;
  const machine_case_t *cases;
} tables[] = {TABLE(flow),       TABLE(meet),
              TABLE(memory),     TABLE(atom128),
              TABLE(trap),       TABLE(probe),
              TABLE(matrix),     TABLE(f64),
              TABLE(arith),      TABLE(mbar),
              TABLE(wait),       TABLE(copy),
              TABLE(bulk),       TABLE(bulk_red),
              TABLE(bulk_fault), TABLE(tmem),
              TABLE(tmem_queue), TABLE(tmem_fault),
              TABLE(umma),       TABLE(umma_order),
              TABLE(umma_fault), TABLE(umma_kind),
              TABLE(umma_tmem),  TABLE(umma_kind_fault),
              TABLE(umma_scale), TABLE(umma_scale_fault)};
enum { TABLES = sizeof tables / sizeof tables[0] };

/* Whether the comma-separated list has the name. */
static bool lists(const char *list, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = list; at != NULL; at = strchr(at, ',')) {
    if (*at == ',') at++;
    if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) return true;
  }
  return false;
}

static bool is_table(const char *name, size_t length) {
  for (size_t t = 0; t < TABLES; t++)
    if (strlen(tables[t].name) == length && strncmp(tables[t].name, name, length) == 0) return true;
  return false;
}

/* ---- arguments */
typedef struct choice {
  const char *tables; /* NULL: all */
  bool stop;
  uint32_t every; /* each such program of the tables, and all of the probe's */
} choice_t;

/* Takes options off the end; how many arguments are left, -1: wrong ones. */
static int take_options(int argc, char **argv, choice_t *c) {
  for (;;) {
    if (argc > 3 && strcmp(argv[argc - 2], "--every") == 0) {
      c->every = (uint32_t)strtoul(argv[argc - 1], NULL, 10);
      if (c->every == 0) return -1;
      argc -= 2;
    } else if (argc > 3 && strcmp(argv[argc - 2], "--tables") == 0) {
      c->tables = argv[argc - 1];
      argc -= 2;
    } else if (argc > 2 && strcmp(argv[argc - 1], "--stop") == 0) {
      c->stop = true;
      argc--;
    } else {
      break;
    }
  }
  for (const char *at = c->tables; at != NULL; at = strchr(at, ',')) {
    if (*at == ',') at++;
    if (!is_table(at, strcspn(at, ","))) return -1;
  }
  return argc;
}

static void run_config(const choice_t *choice, const char *backend, const char *config,
                       int counts[3]) {
  const int before = counts[1];
  uint32_t number = 0;
  for (size_t t = 0; t < TABLES; t++) {
    const bool chosen = choice->tables == NULL || lists(choice->tables, tables[t].name);
    for (const machine_case_t *c = tables[t].cases; c->name != NULL; c++, number++) {
      if (!chosen || (choice->stop && counts[1] != before)) continue;
      if (number % choice->every == 0 || tables[t].cases == machine_probe_cases)
        counts[one(c, number, backend, config)]++;
    }
  }
  if (counts[1] != before) {
    printf("  (on %s, configuration %s)\n", backend, config);
  }
}

int main(int argc, char **argv) {
  static const char *const all[] = {"tiny", "tiny4", "base", "full"};
  choice_t choice = {.every = 1};
  argc = take_options(argc, argv, &choice);
  if (argc < 0) {
    fprintf(stderr,
            "usage: test_machine [BACKEND [CONFIG...] [--tables NAME,...] [--stop] [--every N]]\n");
    return 2;
  }
  const char *backend = argc > 1 ? argv[1] : "func";
  int configs = argc > 2 ? argc - 2 : 4;
  int counts[3] = {0, 0, 0};
  for (int k = 0; k < configs; k++)
    run_config(&choice, backend, argc > 2 ? argv[2 + k] : all[k], counts);
  printf("%s: %d passed, %d refused by the configuration, %d failed\n", backend, counts[0],
         counts[2], counts[1]);
  return counts[1] == 0 ? 0 : 1;
}
