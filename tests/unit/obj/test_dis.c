/* Round trip of the disassembler: for every form, random legal fields and random illegal words,
 * assembling the text gives the word again. Some texts are checked literally, so that both sides
 * cannot agree on a wrong spelling. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gen/wl_insn.h"
#include "isa/obj/dis.h"
#include "tests/common/splitmix.h"

static int failures;

static void round_trip(const uint32_t w[4]) {
  char text[WL_DIS_MAX];
  char err[200] = "";
  uint32_t back[4];
  size_t n = wl_dis_word(w, text, sizeof text);
  if (n >= sizeof text || n != strlen(text)) {
    printf("text of %zu characters does not fit: %s\n", n, text);
    failures++;
  } else if (!wl_asm_line(text, back, err, sizeof err)) {
    printf("not assembled: %s: %s\n", text, err);
    failures++;
  } else if (memcmp(w, back, sizeof back) != 0) {
    printf("%s: got %08" PRIx32 " %08" PRIx32 " %08" PRIx32 " %08" PRIx32 ", expected %08" PRIx32
           " %08" PRIx32 " %08" PRIx32 " %08" PRIx32 "\n",
           text, back[0], back[1], back[2], back[3], w[0], w[1], w[2], w[3]);
    failures++;
  }
}

/* Register groups must name registers that exist as a text: R254 of a pair reaches RZ. */
static void align_group(uint32_t w[4], unsigned low, unsigned words) {
  uint32_t r = wl_word_get(w, low, 8);
  if (words > 1 && r != 255) {
    wl_word_set(w, low, 8, r & ~(words - 1u));
  }
}

static void every_form(void) {
  uint64_t rng = 1;
  for (uint32_t form = 0; form < WL_NUM_FORMS; form++) {
    const wl_form_info_t *f = &wl_form_info[form];
    for (int i = 0; i < 200 && wl_form_exists(form, WL_ANY_ROW); i++) {
      uint32_t w[4];
      for (int k = 0; k < 4; k++) {
        w[k] = (uint32_t)wl_splitmix64(&rng);
        w[k] &= i == 0 ? 0 : ~f->mbz[k];
      }
      WL_WORD_SET(w, FORM, form);
      align_group(w, WL_FIELD_RD_LOW, f->d);
      align_group(w, WL_FIELD_RA_LOW, f->a);
      align_group(w, WL_FIELD_RB_LOW, f->b);
      align_group(w, WL_FIELD_RC_LOW, f->c);
      if (wl_dis_illegal(w) != NULL) {
        printf("form %" PRIu32 " %s: a word without forbidden bits is illegal\n", form, f->name);
        failures++;
      }
      round_trip(w);
    }
  }
  for (int i = 0; i < 20000; i++) {
    uint32_t w[4];
    for (int k = 0; k < 4; k++)
      w[k] = (uint32_t)wl_splitmix64(&rng);
    w[3] |= UINT32_C(1) << 31; /* no field has bit 127 */
    round_trip(w);
  }
}

static void literal(const char *text) {
  uint32_t w[4];
  char err[200] = "";
  char back[WL_DIS_MAX];
  if (!wl_asm_line(text, w, err, sizeof err)) {
    printf("%s: %s\n", text, err);
    failures++;
    return;
  }
  wl_dis_word(w, back, sizeof back);
  if (strcmp(text, back) != 0) {
    printf("got '%s', expected '%s'\n", back, text);
    failures++;
  }
}

static void refused(const char *text, const char *want) {
  uint32_t w[4];
  char err[200] = "";
  bool ok = wl_asm_line(text, w, err, sizeof err);
  if (ok || strstr(err, want) == NULL) {
    printf("%s: got '%s', expected a refusal with '%s'\n", text, ok ? "accepted" : err, want);
    failures++;
  }
}

/* The place of each field, from word.def by hand. */
static void fixed_words(void) {
  uint32_t w[4];
  char err[200];
  if (!wl_asm_line("@!P2 add.rr R4, R5, RZ", w, err, sizeof err) ||
      w[0] != (WL_FORM_ADD_RR | 2u << 13 | 1u << 16 | 4u << 17 | (5u & 127u) << 25) ||
      w[1] != 255u << 1 || w[2] != 0 || w[3] != 0) {
    printf("@!P2 add.rr R4, R5, RZ: %08" PRIx32 " %08" PRIx32 "\n", w[0], w[1]);
    failures++;
  }
}

int main(void) {
  every_form();
  fixed_words();
  literal("@!P0 add.rr R4, R5, R6");
  literal("@P6 mov.i RZ, 0xdeadbeef");
  literal("add64.ri R4:R5, R6:R7, 0xffffffff");
  literal("setp.s32.ri P0, PT, R3, 0x10, !P1 {cmp=ge bop=or}");
  literal("fma.f32.rrr R1, R2, R3, R4 {rnd=rp ftz sat neg_a neg_c}");
  literal("lop3.rir R1, R2, 0x5, R3 {lut=0xc0}");
  literal("bra #17");
  literal("exit");
  literal("ldc.b64 R2:R3, c1[RZ+0x200]");
  literal("ldc.u8 R2, c15[R9-0x8000000]");
  literal("ld.global.b128 R4:R7, [R2:R3-0x10] {strong scope=gpu}");
  literal("st.shared.b32 [R2], R9");
  literal("atom.global.cas.b64 R4:R5, [R2:R3], R6:R7, R8:R9 {scope=sys cache=0x3}");
  literal("bar.sync.i B3:64 {aligned}");
  literal("bfe.u32.i R1, R2, 3:5");
  literal("s2r R7, SR12(%laneid)");
  literal("shfl.i R1, P0, R2, R3, 0xffffffff {xmode=bfly}");
  refused("add.rr R4, R5", "expected ','");
  refused("add.rq R4, R5, R6", "no instruction form add.rq");
  refused("add.rr R4, R5, R255", "is above 254");
  refused("add.rr R4, R5, R6 {ftz}", "add.rr has no modifier ftz");
  refused("add64.rr R4:R6, R6:R7, R8:R9", "the operand has 2 words");
  refused("exit exit", "text after the instruction");
  printf("%d forms, %d failures\n", (int)WL_NUM_FORMS, failures);
  return failures == 0 ? 0 : 1;
}
