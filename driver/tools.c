/* tools.c: assemble, disassemble and describe without a device. docs/architecture.md 7. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/assemble.h"
#include "driver/include/warplock.h"
#include "gen/wl_insn.h"
#include "isa/obj/dis.h"
#include "isa/obj/elf.h"

struct wl_assembly {
  wl_assemble_output_t out;
  uint8_t *object;
  size_t bytes;
  char why[256]; /* the object could not be written */
};

bool wl_is_object(const void *bytes, size_t size) { return wl_obj_is_elf(bytes, size); }

wl_status_t wl_assemble(const char *name, const char *text, size_t bytes,
                        const wl_assemble_options_t *options, wl_assembly_t **out) {
  wl_assembly_t *a = calloc(1, sizeof *a);
  *out = a;
  if (a == NULL) {
    return WL_ERR_INTERNAL;
  }
  wl_assemble_input_t in = {.name = name, .text = text, .bytes = bytes};
  if (options != NULL) {
    in.max_regs = options->max_regs;
    in.target = options->target;
    in.check_only = options->check_only;
    in.histogram = options->histogram;
    in.strict = options->strict;
    in.kernel = options->kernel;
    in.strict_tmem = options->strict_tmem;
  }
  wl_status_t status = wl_assemble_text(&in, &a->out);
  if (status == WL_OK && !in.check_only &&
      !wl_obj_write(a->out.obj, &a->object, &a->bytes, a->why, sizeof a->why)) {
    return WL_ERR_INTERNAL;
  }
  return status;
}

const char *wl_assembly_log(const wl_assembly_t *a) {
  return a == NULL ? "out of memory" : a->out.log != NULL ? a->out.log : a->why;
}

const void *wl_assembly_object(const wl_assembly_t *a, size_t *bytes) {
  *bytes = a->bytes;
  return a->object;
}

bool wl_assembly_refusal(const wl_assembly_t *a, size_t index, wl_refusal_info_t *out) {
  const wl_obj_t *o = a->out.obj;
  if (o == NULL || index >= o->refusal_count) {
    return false;
  }
  const wl_obj_refusal_t *r = &o->refusals[index];
  *out = (wl_refusal_info_t){o->entries[r->entry].name, r->line, r->clause, r->text};
  return true;
}

const char *wl_assembly_form(const wl_assembly_t *a, size_t index, size_t *count) {
  if (index >= a->out.histogram_count) {
    return NULL;
  }
  *count = a->out.histogram[index].count;
  return a->out.histogram[index].form;
}

void wl_assembly_free(wl_assembly_t *a) {
  if (a != NULL) {
    wl_obj_free(a->out.obj);
    free(a->out.log);
    wl_assemble_free_histogram(&a->out);
    free(a->object);
    free(a);
  }
}

typedef struct sink {
  wl_line_t line;
  void *context;
} sink_t;

static void say(const sink_t *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(const sink_t *sink, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  sink->line(sink->context, text);
}

/* The function or entry that starts at an instruction, NULL if none does. */
static const char *name_at(const wl_obj_t *o, uint32_t pc) {
  for (uint32_t i = 0; i < o->entry_count; i++) {
    if (o->entries[i].pc == pc) {
      return o->entries[i].name;
    }
  }
  for (uint32_t i = 0; i < o->sym_count; i++) {
    if (o->syms[i].kind == WL_OBJ_SYM_FUNC && o->syms[i].value == pc) {
      return o->syms[i].name;
    }
  }
  return NULL;
}

/* A line for each reason why an entry cannot be launched; false: it can. */
static bool say_refusals(const sink_t *sink, const wl_obj_t *o, uint32_t entry, const char *lead) {
  const wl_obj_refusal_t *r = NULL;
  for (uint32_t i = 0; (r = wl_obj_refusal(o, entry, i)) != NULL; i++) {
    say(sink, "%srefused: %s:%u: %s%s%s%s", lead, o->ptx_name != NULL ? o->ptx_name : "ptx",
        r->line, r->text, r->clause[0] != 0 ? " [PTX " : "", r->clause,
        r->clause[0] != 0 ? "]" : "");
  }
  return wl_obj_refusal(o, entry, 0) != NULL;
}

/* Line `number` (1-based) of the embedded PTX. */
static void say_ptx_line(const sink_t *sink, const wl_obj_t *o, uint32_t number) {
  size_t bytes = 0;
  const char *at = wl_obj_ptx_line(o, number, &bytes);
  if (at == NULL) {
    return;
  }
  const int length = bytes > 400 ? 400 : (int)bytes;
  say(sink, "// %s:%u: %.*s", o->ptx_name != NULL ? o->ptx_name : "ptx", number, length, at);
}

static void say_source(const sink_t *sink, const wl_obj_t *o, uint32_t pc) {
  const wl_obj_line_t *l = wl_obj_find_line(o, pc);
  if (l == NULL || l->insn != pc) {
    return;
  }
  if (l->file != WL_OBJ_NONE) {
    say(sink, "// %s:%u", o->files[l->file], l->line);
  }
  if (l->ptx_line != 0 && o->ptx_text != NULL) {
    say_ptx_line(sink, o, l->ptx_line);
  }
}

wl_status_t wl_disassemble(const void *object, size_t bytes, bool source, wl_line_t line,
                           void *context, char *err, size_t cap) {
  wl_obj_t *o = wl_obj_read(object, bytes, err, cap);
  const sink_t sink = {line, context};
  if (o == NULL) {
    return WL_ERR_INPUT;
  }
  for (uint32_t pc = 0; pc < o->code_count; pc++) {
    char text[WL_DIS_MAX];
    const uint32_t *w = o->code[pc].w;
    if (name_at(o, pc) != NULL) {
      say(&sink, "%s:", name_at(o, pc));
    }
    for (uint32_t i = 0; o->refusal_count != 0 && i < o->entry_count; i++) {
      if (o->entries[i].pc == pc) {
        (void)say_refusals(&sink, o, i, "// ");
      }
    }
    if (source) {
      say_source(&sink, o, pc);
    }
    wl_dis_word(w, text, sizeof text);
    uint32_t form = WL_WORD_GET(w, FORM);
    bool jump = wl_form_exists(form, WL_ANY_ROW) && wl_form_info[form].imm == WL_IMM_T;
    const char *to = jump ? name_at(o, WL_WORD_GET(w, IMM)) : NULL;
    say(&sink, "%6u  %s%s%s%s", pc, text, to != NULL ? " (" : "", to != NULL ? to : "",
        to != NULL ? ")" : "");
  }
  wl_obj_free(o);
  return WL_OK;
}

static void describe_entry(const sink_t *sink, const wl_obj_t *o, uint32_t index) {
  const wl_obj_entry_t *e = &o->entries[index];
  say(sink, "kernel %s", e->name);
  for (uint32_t i = 0; i < e->param_count; i++) {
    const wl_obj_param_t *p = &e->params[i];
    say(sink, "  parameter %u: %s %s, %u bytes at %u, alignment %u", i, wl_obj_type_name(p->type),
        p->name, p->bytes, p->offset, p->align);
  }
  if (say_refusals(sink, o, index, "  ")) {
    return;
  }
  say(sink, "  registers %u, predicates %u, barriers %u", e->regs, e->preds, e->barriers);
  if (e->local_bytes == WL_OBJ_LOCAL_BY_DEPTH) {
    say(sink, "  shared %u bytes, local: by call depth", e->smem_static);
  } else {
    say(sink, "  shared %u bytes, local %u bytes per thread", e->smem_static, e->local_bytes);
  }
  if (e->reqntid[0] != 0) {
    say(sink, "  .reqntid %u,%u,%u", e->reqntid[0], e->reqntid[1], e->reqntid[2]);
  }
  if (e->maxntid[0] != 0) {
    say(sink, "  .maxntid %u,%u,%u", e->maxntid[0], e->maxntid[1], e->maxntid[2]);
  }
}

wl_status_t wl_describe(const void *object, size_t bytes, wl_line_t line, void *context, char *err,
                        size_t cap) {
  static const char *const kinds[] = {"function", "global", "const", "shared"};
  wl_obj_t *o = wl_obj_read(object, bytes, err, cap);
  const sink_t sink = {line, context};
  if (o == NULL) {
    return WL_ERR_INPUT;
  }
  say(&sink, "object of %s, ISA hash %016llx", o->ptx_name != NULL ? o->ptx_name : "unknown input",
      (unsigned long long)o->isa_hash);
  say(&sink, "%u instructions, literals %llu bytes, .const %llu bytes, .global %llu bytes",
      o->code_count, (unsigned long long)o->image[WL_OBJ_C1].bytes,
      (unsigned long long)o->image[WL_OBJ_C2].bytes,
      (unsigned long long)o->image[WL_OBJ_GLOBAL].bytes);
  for (uint32_t i = 0; i < o->entry_count; i++) {
    describe_entry(&sink, o, i);
  }
  for (uint32_t i = 0; i < o->sym_count; i++) {
    const wl_obj_sym_t *s = &o->syms[i];
    say(&sink, "%s %s at %llu, size %llu%s", kinds[s->kind], s->name, (unsigned long long)s->value,
        (unsigned long long)s->size, s->visible ? ", visible" : "");
  }
  wl_obj_free(o);
  return WL_OK;
}

static void describe_place(const sink_t *sink, const wl_obj_t *o, const wl_obj_ptxreg_t *r) {
  const wl_obj_line_t *l = wl_obj_find_line(o, r->from);
  const char *name = o->ptxregs.name[r->name];
  char place[40];
  if (r->kind == WL_OBJ_PTXREG_PRED)
    (void)snprintf(place, sizeof place, "%s in P%u", name, r->place);
  else if (r->kind == WL_OBJ_PTXREG_REG && r->words > 1)
    (void)snprintf(place, sizeof place, "%.16s in R%u:R%u", name, r->place,
                   r->place + r->words - 1);
  else if (r->kind == WL_OBJ_PTXREG_REG)
    (void)snprintf(place, sizeof place, "%.16s in R%u (%u bits)", name, r->place, r->bits);
  else
    (void)snprintf(place, sizeof place, "%s",
                   r->kind == WL_OBJ_PTXREG_FRAME ? "no PTX instruction"
                                                  : "several PTX instructions");
  say(sink, "line %u, instructions %u to %u: %s", l != NULL ? l->ptx_line : 0, r->from, r->to - 1,
      place);
}

wl_status_t wl_describe_registers(const void *object, size_t bytes, wl_line_t line, void *context,
                                  char *err, size_t cap) {
  wl_obj_t *o = wl_obj_read(object, bytes, err, cap);
  const sink_t sink = {line, context};
  if (o == NULL) {
    return WL_ERR_INPUT;
  }
  for (uint32_t i = 0; i < o->ptxregs.rows; i++) {
    describe_place(&sink, o, &o->ptxregs.row[i]);
  }
  wl_obj_free(o);
  return WL_OK;
}
