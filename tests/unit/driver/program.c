/* program.c: see program.h. */
#include "tests/unit/driver/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/obj/dis.h"
#include "isa/obj/elf.h"

#define MAX_LABELS 64

typedef struct label {
  char name[32];
  uint32_t pc;
} label_t;

typedef struct labels {
  label_t label[MAX_LABELS];
  int count;
} labels_t;

/* Copies the next line without leading blanks; returns what follows it, NULL at the end. */
static const char *next_line(const char *text, char line[256]) {
  while (*text == ' ' || *text == '\n') {
    text++;
  }
  if (*text == 0) {
    return NULL;
  }
  size_t n = strcspn(text, "\n");
  (void)snprintf(line, 256, "%.*s", (int)n, text);
  return text + n;
}

static bool is_label(const char *line) {
  size_t n = strlen(line);
  return n > 1 && line[n - 1] == ':' && strchr(line, ' ') == NULL;
}

static void find_labels(const char *text, uint32_t pc, labels_t *labels) {
  char line[256];
  labels->count = 0;
  while ((text = next_line(text, line)) != NULL) {
    if (is_label(line)) {
      label_t *l = &labels->label[labels->count++];
      (void)snprintf(l->name, sizeof l->name, "%.*s", (int)(strlen(line) - 1), line);
      l->pc = pc;
    } else {
      pc++;
    }
  }
}

uint32_t program_label(const char *text, const char *name) {
  labels_t labels;
  find_labels(text, 0, &labels);
  for (int i = 0; i < labels.count; i++) {
    if (strcmp(labels.label[i].name, name) == 0) {
      return labels.label[i].pc;
    }
  }
  return UINT32_MAX;
}

/* Replaces `#name` by `#pc`. */
static void resolve(char line[256], const labels_t *labels) {
  char *at = strchr(line, '#');
  for (int i = 0; at != NULL && i < labels->count; i++) {
    if (strcmp(at + 1, labels->label[i].name) == 0) {
      (void)snprintf(at, 32, "#%u", labels->label[i].pc);
      return;
    }
  }
}

wl_obj_entry_t *program_entry(wl_obj_t *o, const char *name, const char *text) {
  labels_t labels;
  uint32_t first = o->code_count;
  char line[256];
  char err[200];
  find_labels(text, first, &labels);
  while ((text = next_line(text, line)) != NULL) {
    uint32_t w[4];
    if (is_label(line)) {
      continue;
    }
    resolve(line, &labels);
    if (!wl_asm_line(line, w, err, sizeof err)) {
      printf("%s: '%s': %s\n", name, line, err);
      return NULL;
    }
    wl_obj_add_insn(o, w);
  }
  wl_obj_entry_t *e = wl_obj_add_entry(o, name, first);
  if (e != NULL) {
    e->regs = 32;
  }
  return e;
}

bool program_object(wl_obj_t *o, uint8_t **bytes, size_t *size) {
  char err[300];
  bool ok = wl_obj_write(o, bytes, size, err, sizeof err);
  if (!ok) {
    printf("object: %s\n", err);
  }
  wl_obj_free(o);
  return ok;
}
