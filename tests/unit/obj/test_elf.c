/* Objects: what is written is read back equal; a file cut at any byte or with any byte changed is
 * refused with a sentence or read as a module that verifies, and never does harm (run it with the
 * address sanitizer, preset `sanitize`). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/wl_config.h"
#include "isa/obj/elf.h"
#include "tests/common/check.h"

static wl_obj_t *make(void) {
  wl_obj_t *o = wl_obj_new();
  const uint8_t bytes[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  for (uint32_t i = 0; i < 5; i++) {
    const uint32_t w[4] = {i, i + 1, i + 2, i + 3};
    wl_obj_add_insn(o, w);
  }
  wl_obj_add_data(o, WL_OBJ_C1, bytes, 4, 4);
  uint32_t table = wl_obj_add_data(o, WL_OBJ_C2, NULL, 24, 16);
  uint32_t data = wl_obj_add_data(o, WL_OBJ_GLOBAL, bytes, 12, 4);
  uint32_t place = wl_obj_add_data(o, WL_OBJ_GLOBAL, NULL, 8, 256);
  uint64_t zeros = wl_obj_add_zero(o, 100000, 128);
  CHECK(data == 0 && place == 256 && zeros == 384, "%u %u %llu", data, place,
        (unsigned long long)zeros);
  uint32_t func = wl_obj_add_sym(o, "helper", WL_OBJ_SYM_FUNC, false, 3, 2);
  uint32_t var = wl_obj_add_sym(o, "counter", WL_OBJ_SYM_GLOBAL, true, zeros, 100000);
  uint32_t coef = wl_obj_add_sym(o, "coef", WL_OBJ_SYM_CONST, true, table, 24);
  wl_obj_add_sym(o, "tile", WL_OBJ_SYM_SHARED, false, 16, 1024);
  wl_obj_add_reloc(o, WL_OBJ_C2, 8, WL_OBJ_RELOC_FUNC, func, 0);
  wl_obj_add_reloc(o, WL_OBJ_GLOBAL, place, WL_OBJ_RELOC_GLOBAL, var, -4);
  wl_obj_add_reloc(o, WL_OBJ_C2, 16, WL_OBJ_RELOC_CONST, coef, 8);
  wl_obj_entry_t *e = wl_obj_add_entry(o, "kernel", 1);
  e->regs = 17;
  e->preds = 3;
  e->barriers = 2;
  e->smem_static = 1040;
  e->smem_align = 32;
  e->local_bytes = WL_OBJ_LOCAL_BY_DEPTH;
  e->reqntid[0] = 128;
  e->maxntid[0] = 128;
  e->minctapersm = 2;
  e->maxnreg = 64;
  e->units = WL_OBJ_UNIT_FP64;
  wl_obj_add_param(o, e, "n", WL_OBJ_S16, 2, 2, WL_OBJ_NONE, 0);
  wl_obj_add_param(o, e, "p", WL_OBJ_U64, 8, 8, 1, 16);
  wl_obj_add_param(o, e, "s", WL_OBJ_BYTES, 20, 4, WL_OBJ_NONE, 0);
  CHECK(e->params[1].offset == 8 && e->param_bytes == 36, "%u %u", e->params[1].offset,
        e->param_bytes);
  wl_obj_add_entry(o, "other", 0);
  uint32_t file = wl_obj_add_file(o, "a.cu");
  wl_obj_add_file(o, "b.cuh");
  CHECK(wl_obj_add_file(o, "a.cu") == file, "file listed twice");
  wl_obj_add_line(o, 0, 10, WL_OBJ_NONE, 0);
  wl_obj_add_line(o, 1, 11, file, 3);
  wl_obj_add_line(o, 2, 11, file, 3);
  wl_obj_add_line(o, 4, 12, file, 4);
  wl_obj_set_ptx(o, "k.ptx", ".version 8.0\n", 13);
  return o;
}

static bool same_text(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static void compare_entry(const wl_obj_entry_t *a, const wl_obj_entry_t *b) {
  CHECK(same_text(a->name, b->name) && a->pc == b->pc && a->regs == b->regs, "%s", a->name);
  CHECK(a->preds == b->preds && a->barriers == b->barriers, "%s", a->name);
  CHECK(a->smem_static == b->smem_static && a->smem_align == b->smem_align, "%s", a->name);
  CHECK(a->local_bytes == b->local_bytes && a->param_bytes == b->param_bytes, "%s", a->name);
  CHECK(memcmp(a->reqntid, b->reqntid, 12) == 0 && memcmp(a->maxntid, b->maxntid, 12) == 0, "%s",
        a->name);
  CHECK(a->minctapersm == b->minctapersm && a->maxnreg == b->maxnreg && a->units == b->units, "%s",
        a->name);
  CHECK(a->param_count == b->param_count, "%s: %u parameters", a->name, b->param_count);
  for (uint32_t i = 0; i < a->param_count && i < b->param_count; i++) {
    const wl_obj_param_t *p = &a->params[i];
    const wl_obj_param_t *q = &b->params[i];
    CHECK(same_text(p->name, q->name) && p->type == q->type && p->offset == q->offset &&
              p->bytes == q->bytes && p->align == q->align && p->ptr_space == q->ptr_space &&
              p->ptr_align == q->ptr_align,
          "%s.%s", a->name, p->name);
  }
}

static void compare(const wl_obj_t *a, const wl_obj_t *b) {
  CHECK(a->code_count == b->code_count && memcmp(a->code, b->code, 16 * a->code_count) == 0,
        "code");
  for (int i = 0; i < WL_OBJ_IMAGES; i++) {
    const wl_obj_image_t *p = &a->image[i];
    const wl_obj_image_t *q = &b->image[i];
    CHECK(p->bytes == q->bytes && p->align == q->align && p->data_bytes == q->data_bytes &&
              memcmp(p->data, q->data, p->data_bytes) == 0,
          "image %d", i);
  }
  CHECK(a->sym_count == b->sym_count && a->reloc_count == b->reloc_count &&
            a->entry_count == b->entry_count && a->line_count == b->line_count &&
            a->file_count == b->file_count,
        "counts");
  for (uint32_t i = 0; i < a->sym_count && i < b->sym_count; i++) {
    CHECK(same_text(a->syms[i].name, b->syms[i].name) && a->syms[i].kind == b->syms[i].kind &&
              a->syms[i].visible == b->syms[i].visible && a->syms[i].value == b->syms[i].value &&
              a->syms[i].size == b->syms[i].size,
          "symbol %s", a->syms[i].name);
  }
  for (uint32_t i = 0; i < a->entry_count && i < b->entry_count; i++) {
    compare_entry(&a->entries[i], &b->entries[i]);
  }
  CHECK(memcmp(a->lines, b->lines, a->line_count * sizeof a->lines[0]) == 0, "lines");
  CHECK(same_text(a->files[1], b->files[1]) && same_text(a->ptx_name, b->ptx_name) &&
            same_text(a->ptx_text, b->ptx_text),
        "texts");
  /* The reader returns relocations by section: one of C2, C2 again, then GLOBAL. */
  CHECK(b->relocs[0].kind == WL_OBJ_RELOC_FUNC && b->relocs[1].kind == WL_OBJ_RELOC_CONST &&
            b->relocs[1].addend == 8 && b->relocs[2].addend == -4 && b->relocs[2].symbol == 1,
        "relocations");
}

static void refused(const uint8_t *bytes, size_t size, const char *want) {
  char err[300] = "";
  wl_obj_t *o = wl_obj_read(bytes, size, err, sizeof err);
  CHECK(o == NULL && strstr(err, want) != NULL, "got '%s', expected '%s'", err, want);
  wl_obj_free(o);
}

static void mark(wl_obj_t *o) {
  wl_obj_add_refusal(o, 0, 7, "9.7.3", "'div.rn.f64' is not implemented");
  wl_obj_add_refusal(o, 0, 9, NULL, "more");
  wl_obj_add_refusal(o, 1, 0, "5.3", "opaque");
  wl_obj_add_mark(o, 1, WL_OBJ_MARK_AFTER);
  wl_obj_add_mark(o, 1, WL_OBJ_MARK_ALLOC);
  wl_obj_add_mark(o, 5, WL_OBJ_MARK_STORED); /* behind the last instruction */
}

static void compare_marks(const wl_obj_t *a, const wl_obj_t *b) {
  CHECK(a->mark_count == 3 && b->mark_count == 3 &&
            memcmp(a->marks, b->marks, 3 * sizeof a->marks[0]) == 0,
        "marks");
}

/* Marks that a module may not have. */
static void wrong_marks(wl_obj_t *o) {
  static const wl_obj_mark_t wrong[] = {{6, 0}, {5, WL_OBJ_MARKS}, {0, 0}};
  for (unsigned k = 0; k < 3; k++) {
    char err[300] = "", want[64];
    uint8_t *bytes = NULL;
    size_t size;
    const wl_obj_mark_t before = o->marks[2];
    o->marks[2] = wrong[k];
    (void)snprintf(want, sizeof want, "mark 2: instruction %u, kind %u", wrong[k].insn,
                   wrong[k].kind);
    CHECK(!wl_obj_write(o, &bytes, &size, err, sizeof err) && strcmp(err, want) == 0, "%s", err);
    o->marks[2] = before;
  }
}

static void compare_refusals(const wl_obj_t *a, const wl_obj_t *b) {
  CHECK(a->refusal_count == b->refusal_count, "%u and %u refusals", a->refusal_count,
        b->refusal_count);
  for (uint32_t i = 0; i < a->refusal_count && i < b->refusal_count; i++) {
    const wl_obj_refusal_t *p = &a->refusals[i];
    const wl_obj_refusal_t *q = &b->refusals[i];
    CHECK(p->entry == q->entry && p->line == q->line && same_text(p->clause, q->clause) &&
              same_text(p->text, q->text),
          "refusal %u", i);
  }
}

/* Every copy lies in its own allocation of the exact size, so that a sanitizer sees overreads. */
static void fuzz(const uint8_t *bytes, size_t size) {
  size_t accepted = 0;
  for (size_t cut = 0; cut < size; cut++) {
    uint8_t *copy = malloc(cut == 0 ? 1 : cut);
    memcpy(copy, bytes, cut);
    char err[300] = "";
    wl_obj_t *o = wl_obj_read(copy, cut, err, sizeof err);
    CHECK(o == NULL && err[0] != 0, "a file cut to %zu bytes of %zu is accepted", cut, size);
    wl_obj_free(o);
    free(copy);
  }
  uint8_t *copy = malloc(size);
  for (size_t at = 0; at < size; at++) {
    for (int flip = 0; flip < 10; flip++) {
      memcpy(copy, bytes, size);
      copy[at] = (uint8_t)(flip < 8 ? copy[at] ^ 1u << flip : flip == 8 ? 0xff : 0);
      char err[300] = "";
      wl_obj_t *o = wl_obj_read(copy, size, err, sizeof err);
      if (o != NULL) {
        accepted++;
        CHECK(wl_obj_verify(o, err, sizeof err) == NULL, "byte %zu: %s", at, err);
      } else {
        CHECK(err[0] != 0, "byte %zu: refused without a reason", at);
      }
      wl_obj_free(o);
    }
  }
  free(copy);
  printf("%zu bytes, %zu of %zu changed files still say something legal\n", size, accepted,
         size * 10);
}

/* Entries that cannot be launched: in a section of its own, behind those of format 1. */
static void marked(const uint8_t *plain, size_t plain_size) {
  char err[300] = "";
  uint8_t *bytes = NULL;
  size_t size = 0;
  wl_obj_t *o = make();
  mark(o);
  CHECK(wl_obj_write(o, &bytes, &size, err, sizeof err) && size > plain_size, "%s", err);
  CHECK(plain[60] < bytes[60], "%u and %u sections", plain[60], bytes[60]);
  wl_obj_t *back = wl_obj_read(bytes, size, err, sizeof err);
  CHECK(back != NULL, "%s", err);
  if (back != NULL) {
    compare(o, back);
    compare_refusals(o, back);
    compare_marks(o, back);
    CHECK(wl_obj_refusal(back, 0, 1)->line == 9 && wl_obj_refusal(back, 0, 2) == NULL &&
              wl_obj_refusal(back, 1, 0)->line == 0 && wl_obj_refusal(back, 1, 1) == NULL &&
              wl_obj_refusal(back, 2, 0) == NULL && wl_obj_refusal(back, UINT32_MAX, 0) == NULL,
          "rows by entry");
  }
  fuzz(bytes, size);
  bytes[60] = 200;
  refused(bytes, size, "object of a later format: it has 200 sections, this build knows");
  bytes[60] = 14;
  refused(bytes, size, "damaged object: header");
  free(bytes);
  wrong_marks(o);
  o->refusals[1].entry = 2;
  CHECK(!wl_obj_write(o, &bytes, &size, err, sizeof err) &&
            strcmp(err, "refusal 1: entry 2 of 2") == 0,
        "%s", err);
  o->refusals[1].entry = 1;
  o->refusals[2].entry = 0;
  CHECK(!wl_obj_write(o, &bytes, &size, err, sizeof err) &&
            strcmp(err, "refusal 2: entry 0 of 2") == 0,
        "%s", err);
  wl_obj_free(o);
  wl_obj_free(back);
}

int main(void) {
  char err[300] = "";
  uint8_t *bytes = NULL;
  size_t size = 0;
  wl_obj_t *o = make();
  CHECK(wl_obj_write(o, &bytes, &size, err, sizeof err), "%s", err);
  wl_obj_t *back = wl_obj_read(bytes, size, err, sizeof err);
  CHECK(back != NULL, "%s", err);
  if (back != NULL) {
    compare(o, back);
  }
  CHECK(wl_obj_find_line(o, 3)->ptx_line == 11 && wl_obj_find_line(o, 4)->line == 4, "find_line");
  refused((const uint8_t *)"", 0, "no ELF file");
  refused((const uint8_t *)".version 8.0\n.target sm_80\n"
                           ".address_size 64\n                                      ",
          64, "no ELF file");
  fuzz(bytes, size);
  marked(bytes, size);
  o->isa_hash ^= UINT64_C(0x100000001);
  free(bytes);
  CHECK(wl_obj_write(o, &bytes, &size, err, sizeof err), "%s", err);
  char want[200];
  (void)snprintf(
      want, sizeof want, "object of another ISA hash: object %016llx, this build %016llx",
      (unsigned long long)o->isa_hash, (unsigned long long)(o->isa_hash ^ UINT64_C(0x100000001)));
  refused(bytes, size, want);
  o->entries[0].pc = 5;
  uint8_t *none = NULL;
  CHECK(!wl_obj_write(o, &none, &size, err, sizeof err) &&
            strcmp(err, "entry kernel starts at instruction 5 of 5") == 0,
        "%s", err);
  free(bytes);
  wl_obj_free(o);
  wl_obj_free(back);
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
