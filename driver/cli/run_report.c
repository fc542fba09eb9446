/* run_report.c: what warplock run says at the end, as text and as JSON. docs/architecture.md 7. */
#include <string.h>

#include "driver/cli/run.h"

static void dims(FILE *f, const char *name, const uint32_t d[3]) {
  (void)fprintf(f, "  \"%s\": [%u, %u, %u],\n", name, d[0], d[1], d[2]);
}

static void text(FILE *f, const char *name, const char *value) {
  (void)fprintf(f, "  \"%s\": ", name);
  cli_json_text(f, value != NULL ? value : "");
  (void)fprintf(f, ",\n");
}

static void expectations(const run_state_t *s, FILE *f) {
  (void)fprintf(f, "  \"expect\": [");
  for (int i = 0; i < s->expects; i++) {
    const char *met = i >= s->checked ? "null" : s->verdict[i][0] == 0 ? "true" : "false";
    (void)fprintf(f, "%s{\"argument\": %d, \"met\": %s, \"text\": ", i == 0 ? "" : ", ",
                  (int)s->expect[i].argument, met);
    cli_json_text(f, s->verdict[i]);
    (void)fprintf(f, "}");
  }
  (void)fprintf(f, "],\n");
}

static void finding_json(const run_state_t *s, FILE *f, const wl_finding_t *x) {
  wl_place_t place;
  (void)wl_function_place(s->function, x->pc, &place);
  (void)fprintf(f, "{\"rule\": ");
  cli_json_text(f, x->rule);
  (void)fprintf(f, ", \"ptx_line\": %u, \"pc\": %u, \"cta\": [%u, %u, %u], ", place.ptx_line, x->pc,
                x->cta[0], x->cta[1], x->cta[2]);
  (void)fprintf(f, "\"thread\": [%u, %u, %u], \"count\": %llu}", x->thread[0], x->thread[1],
                x->thread[2], (unsigned long long)x->count);
}

static void findings_json(const run_state_t *s, FILE *f) {
  wl_finding_t x;
  (void)fprintf(f, "  \"findings\": [");
  for (unsigned i = 0; s->device != NULL && wl_launch_finding(s->device, i, &x); i++) {
    (void)fprintf(f, "%s", i == 0 ? "" : ", ");
    finding_json(s, f, &x);
  }
  (void)fprintf(f, "],\n");
}

/* FILE:LINE of an instruction, or its number. */
static void put_place(const run_state_t *s, uint32_t pc) {
  wl_place_t place;
  if (wl_function_place(s->function, pc, &place) && place.ptx_file != NULL) {
    (void)fprintf(stderr, "%s:%u", place.ptx_file, place.ptx_line);
  } else {
    (void)fprintf(stderr, "instruction %u", pc);
  }
}

int run_findings(run_state_t *s) {
  wl_finding_t x;
  while (wl_launch_finding(s->device, s->findings, &x)) {
    s->findings++;
    (void)fprintf(stderr, "checked: ");
    put_place(s, x.pc);
    (void)fprintf(stderr, ": %s: %s; CTA %u,%u,%u thread %u,%u,%u", x.rule, x.text, x.cta[0],
                  x.cta[1], x.cta[2], x.thread[0], x.thread[1], x.thread[2]);
    if (x.has_address) {
      (void)fprintf(stderr, ", address 0x%llx", (unsigned long long)x.address);
    }
    if (x.has_origin) {
      (void)fprintf(stderr, ", loaded at ");
      put_place(s, x.origin);
    }
    if (x.count > 1) {
      (void)fprintf(stderr, " (and %llu times more)", (unsigned long long)x.count - 1);
    }
    (void)fprintf(stderr, "\n");
  }
  return s->findings != 0 ? CLI_EXPECT : CLI_OK;
}

void run_json(const run_state_t *s, int code) {
  FILE *f = s->json.file;
  wl_device_info_t info = {0};
  if (s->device != NULL) {
    (void)wl_device_query(s->device, &info);
  }
  (void)fprintf(f, "{\n");
  text(f, "file", s->path);
  text(f, "kernel", s->function != NULL ? wl_function_name(s->function) : "");
  text(f, "backend", info.backend);
  text(f, "config", info.config);
  dims(f, "grid", s->launch.grid);
  dims(f, "block", s->launch.block);
  text(f, "version", wl_version());
  (void)fprintf(f, "  \"seed\": %llu,\n", (unsigned long long)s->device_options.seed);
  (void)fprintf(f, "  \"cycles\": %llu,\n  \"warp_instructions\": %llu,\n",
                (unsigned long long)s->result.cycles, (unsigned long long)s->result.instructions);
  (void)fprintf(f, "  \"thread_instructions\": %llu,\n",
                (unsigned long long)s->result.thread_instructions);
  if (s->result.trapped) {
    const wl_trap_info_t *t = &s->result.trap;
    (void)fprintf(f,
                  "  \"trap\": {\"cause\": %u, \"pc\": %u, \"warp\": %u, \"lane\": %u, "
                  "\"lanes\": %u, \"cta\": [%u, %u, %u], \"address\": %llu},\n",
                  t->cause, t->pc, t->warp, t->lane, t->lanes, t->cta[0], t->cta[1], t->cta[2],
                  (unsigned long long)(t->has_address ? t->address : 0));
  }
  expectations(s, f);
  findings_json(s, f);
  text(f, "report", s->device != NULL ? wl_launch_report(s->device) : "");
  text(f, "status", wl_status_text(s->status));
  text(f, "error", s->status != WL_OK && s->device != NULL ? wl_error(s->device) : "");
  (void)fprintf(f, "  \"exit\": %d\n}\n", code);
}

void run_summary(const run_state_t *s) {
  wl_device_info_t info;
  const wl_launch_t *l = &s->launch;
  (void)wl_device_query(s->device, &info);
  printf("%s on %s, configuration %s: grid %u,%u,%u, block %u,%u,%u: ",
         wl_function_name(s->function), info.backend, info.config, l->grid[0], l->grid[1],
         l->grid[2], l->block[0], l->block[1], l->block[2]);
  if (s->result.cycles != 0) {
    printf("%llu cycles, ", (unsigned long long)s->result.cycles);
  }
  if (strcmp(info.backend, "fpga") == 0 && s->result.instructions == 0) {
    printf("instructions are not counted\n");
  } else {
    printf("%llu warp instructions, %llu thread instructions\n",
           (unsigned long long)s->result.instructions,
           (unsigned long long)s->result.thread_instructions);
  }
  if (s->status == WL_OK && wl_launch_report(s->device)[0] != 0) {
    (void)puts(wl_launch_report(s->device));
  }
  (void)fputs(wl_launch_note(s->device), stdout);
  cli_print_waves(s->device_options.trace);
  if (s->device_options.checked) {
    printf("checked: %u finding%s\n", s->findings, s->findings == 1 ? "" : "s");
  }
  if (s->checked < s->expects) {
    printf("%d of %d expectations not checked: the launch did not end well\n",
           s->expects - s->checked, s->expects);
  } else if (s->expects != 0) {
    printf("%d of %d expectations met\n", s->expects - s->failed, s->expects);
  }
}
