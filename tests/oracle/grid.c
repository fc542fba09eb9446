/* grid.c: gives turns to the threads of the resident CTAs. A turn ends after a number of
 * instructions, so that threads that poll let others go on [PTX 3]; as many CTAs are resident as
 * RESIDENT threads allow, so that kernels that wait for the whole grid end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/ptx/ptx.h"
#include "tests/oracle/run.h"

enum { RESIDENT = 16384, QUANTUM = 200 };

static void free_cta(wl_or_cta_t *cta) {
  for (uint32_t i = 0; cta->threads != NULL && i < cta->nthreads; i++) {
    wl_or_free_thread(&cta->threads[i]);
  }
  free(cta->threads);
  free(cta->shared);
  *cta = (wl_or_cta_t){.nthreads = 0};
}

static uint32_t shared_bytes(const wl_or_grid_t *g) {
  const wl_or_program_t *p = g->program;
  uint32_t end =
      g->launch->dynamic_shared != 0 ? p->dynamic_at + g->launch->dynamic_shared : p->shared_end;
  return end - p->shared_start;
}

static bool start_cta(wl_or_grid_t *g, wl_or_cta_t *cta, uint64_t number) {
  const wl_or_launch_t *l = g->launch;
  cta->id[0] = (uint32_t)(number % l->grid[0]);
  cta->id[1] = (uint32_t)(number / l->grid[0] % l->grid[1]);
  cta->id[2] = (uint32_t)(number / l->grid[0] / l->grid[1]);
  cta->nthreads = cta->alive = l->block[0] * l->block[1] * l->block[2];
  cta->threads = calloc(cta->nthreads, sizeof *cta->threads);
  cta->shared_bytes = shared_bytes(g);
  cta->shared = malloc(cta->shared_bytes + 1);
  bool ok = cta->threads != NULL && cta->shared != NULL;
  if (ok) {
    for (uint32_t i = 0; i < cta->shared_bytes; i++) {
      uint64_t mix = g->launch->per_thread ? (i + 1) * UINT64_C(0xd6e8feb86659fd93) : 0;
      cta->shared[i] = (uint8_t)((g->pattern ^ mix) >> 16);
    }
  }
  for (uint32_t i = 0; ok && i < cta->nthreads; i++) {
    wl_or_thread_t *t = &cta->threads[i];
    t->number = i;
    t->tid[0] = i % l->block[0];
    t->tid[1] = i / l->block[0] % l->block[1];
    t->tid[2] = i / l->block[0] / l->block[1];
    ok = wl_or_start_thread(g, t);
  }
  if (!ok) {
    (void)snprintf(g->program->error, g->program->cap, "out of memory");
  }
  return ok;
}

static uint32_t random_bits(wl_or_grid_t *g) { /* xorshift64 */
  g->random ^= g->random << 13;
  g->random ^= g->random >> 7;
  g->random ^= g->random << 17;
  return (uint32_t)(g->random >> 20);
}

static uint32_t turn_length(wl_or_grid_t *g) {
  uint32_t quantum = g->launch->quantum != 0 ? g->launch->quantum : QUANTUM;
  return g->random == 0 ? quantum : 1 + random_bits(g) % quantum;
}

/* With a seed some warps are much slower than others: they miss most turns. */
static bool misses_turn(wl_or_grid_t *g, const wl_or_cta_t *cta, uint32_t warp) {
  if (g->random == 0) {
    return false;
  }
  uint64_t hash = (cta->id[0] + 7 * cta->id[1] + 49 * cta->id[2] + 343 * (uint64_t)warp + 1) *
                  (g->launch->seed * UINT64_C(0x9e3779b97f4a7c15));
  return (random_bits(g) & ((1u << (hash >> 40) % 6) - 1)) != 0;
}

/* One turn for every thread of the CTA. */
static bool run_cta(wl_or_grid_t *g, wl_or_cta_t *cta, bool *progress) {
  uint32_t warp = UINT32_MAX;
  bool misses = false;
  for (uint32_t k = 0; k < cta->nthreads; k++) {
    uint32_t i = g->launch->reverse ? cta->nthreads - 1 - k : k;
    wl_or_thread_t *t = &cta->threads[i];
    misses = i / OR_LANES != warp ? misses_turn(g, cta, i / OR_LANES) : misses;
    warp = i / OR_LANES;
    if (t->state == OR_READY) {
      *progress = true;
      if (!misses && !wl_or_run_thread(g, cta, t, turn_length(g))) {
        return false;
      }
    }
  }
  wl_or_settle_active(cta, progress);
  return wl_or_settle_copies(g, cta) && wl_or_settle_bulks(g, cta, cta->alive == 0) &&
         wl_or_settle_waits(g, cta, progress);
}

static bool stuck(wl_or_grid_t *g, const char *what) {
  for (size_t c = 0; c < g->nctas; c++) {
    for (uint32_t i = 0; i < g->ctas[c].nthreads; i++) {
      wl_or_thread_t *t = &g->ctas[c].threads[i];
      if (t->state != OR_DONE) {
        bool waits = t->state != OR_READY;
        wl_or_ctx_t x = {g, &g->ctas[c], t, waits ? t->wait : &t->func->code[t->pc]};
        return wl_or_fail(&x, "%s", what);
      }
    }
  }
  return false;
}

static bool run_grid(wl_or_grid_t *g, uint64_t total) {
  uint64_t next = 0, done = 0;
  bool ok = true;
  while (ok && done < total) {
    bool progress = false;
    for (size_t k = 0; ok && k < g->nctas; k++) {
      wl_or_cta_t *cta = &g->ctas[g->launch->reverse ? g->nctas - 1 - k : k];
      if (cta->nthreads == 0 && next < total) {
        ok = start_cta(g, cta, next++);
      }
      ok = ok && run_cta(g, cta, &progress);
      if (ok && cta->nthreads != 0 && cta->alive == 0) {
        free_cta(cta);
        done++;
      }
    }
    if (ok && !progress) {
      ok = stuck(g, "every thread waits");
    }
    if (ok && g->instructions > g->limit) {
      ok = stuck(g, "does not end: instruction limit");
    }
  }
  for (size_t k = 0; k < g->nctas; k++) {
    free_cta(&g->ctas[k]);
  }
  return ok;
}

static bool refuse(wl_or_program_t *p, const char *what) {
  (void)snprintf(p->error, p->cap, "%s: %s", p->module->name, what);
  return false;
}

static bool check_shape(wl_or_program_t *p, const wl_or_launch_t *l) {
  const wl_ptx_func_t *f = p->entry->ast;
  uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
  if (threads == 0 || threads > 1024 || (uint64_t)l->grid[0] * l->grid[1] * l->grid[2] == 0) {
    return refuse(p, "grid or block");
  }
  uint64_t most = (uint64_t)f->maxntid[0] * f->maxntid[1] * f->maxntid[2];
  if ((f->perf & WL_PTX_PERF_REQNCTAPERCLUSTER) != 0 &&
      (f->reqnctapercluster[0] > 1 || f->reqnctapercluster[1] > 1 || f->reqnctapercluster[2] > 1)) {
    return refuse(p, "clusters of more than one CTA are not known to the oracle");
  }
  if ((f->perf & WL_PTX_PERF_MAXNTID) != 0 && threads > most) {
    return refuse(p, "more threads than .maxntid allows");
  }
  for (int i = 0; i < 3; i++) {
    if ((f->perf & WL_PTX_PERF_REQNTID) != 0 && f->reqntid[i] != l->block[i]) {
      return refuse(p, ".reqntid says another block");
    }
  }
  return true;
}

static bool pass_arguments(wl_or_grid_t *g) {
  wl_or_program_t *p = g->program;
  const wl_ptx_func_t *f = p->entry->ast;
  g->param_bytes = f->param_bytes;
  g->params = calloc(f->param_bytes + 1u, 1);
  if (g->params == NULL || f->proto.nparams != g->launch->nargs) {
    return refuse(p, "number of arguments");
  }
  for (uint32_t i = 0; i < f->proto.nparams; i++) {
    const wl_ptx_var_t *v = f->proto.params[i].var;
    const wl_or_arg_t *a = &g->launch->args[i];
    if (v == NULL || v->size != a->size) {
      return refuse(p, "size of an argument");
    }
    memcpy(g->params + v->offset, a->data, a->size);
  }
  return true;
}

static bool launch(wl_or_grid_t *g) {
  const wl_or_launch_t *l = g->launch;
  if (!check_shape(g->program, l) || !pass_arguments(g)) {
    return false;
  }
  uint64_t total = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
  uint64_t fit = RESIDENT / (l->block[0] * l->block[1] * l->block[2]);
  g->nctas = (size_t)(total < fit ? total : fit);
  g->limit = l->max_instructions != 0 ? l->max_instructions : UINT64_C(10000000000);
  g->ctas = calloc(g->nctas, sizeof *g->ctas);
  return g->ctas != NULL ? run_grid(g, total) : refuse(g->program, "out of memory");
}

bool wl_or_launch(wl_or_module_t *m, const wl_or_launch_t *l, uint64_t *instructions, char *error,
                  size_t cap) {
  wl_or_program_t program = {.module = m, .error = error, .cap = cap};
  /* 0 for one of the seeds: an address that is 0 is to differ from those that are not. */
  program.shared_start = l->seed % 16 == 5 ? 0 : OR_SHARED_START + (uint32_t)(l->seed % 16) * 256;
  wl_or_grid_t g = {.program = &program, .launch = l};
  g.pattern = l->has_pattern ? l->pattern : UINT64_C(0xa5c3a5c3a55ec3a5);
  g.random = l->seed;
  bool ok = wl_or_translate(&program, l->entry) && launch(&g);
  *instructions = g.instructions;
  free(g.params);
  free(g.ctas);
  wl_or_program_free(&program);
  return ok;
}
