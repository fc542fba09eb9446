/* test_digest.c: signatures of the journal (docs/fpga.md 5): the formula, written down here a
 * second time bit by bit, and what a signature must notice: order between cycles, the cycle, a
 * record more or less; and not the order within a cycle, which the journal does not have. */
#include <stdio.h>
#include <string.h>

#include "driver/fpga/digest.h"

static int failures;

static void expect(const char *what, uint64_t got, uint64_t want) {
  if (got == want) return;
  printf("%s: got %llx, expected %llx\n", what, (unsigned long long)got, (unsigned long long)want);
  failures++;
}
static void differ(const char *what, uint64_t a, uint64_t b) {
  if (a != b) return;
  printf("%s: not noticed (%llx)\n", what, (unsigned long long)a);
  failures++;
}

enum { CYCLES = 40, MOST = 4 };
typedef struct journal {
  unsigned n[CYCLES];
  wl_cosim_record_t record[CYCLES][MOST];
} journal_t;

static void add(journal_t *j, unsigned cycle, unsigned kind, unsigned words, uint32_t value) {
  wl_cosim_record_t *r = &j->record[cycle][j->n[cycle]++];
  r->kind = (uint16_t)kind;
  r->words = (uint16_t)words;
  for (unsigned i = 0; i < words; i++)
    r->word[i] = value * 2654435761u + i * 40503u;
}

static journal_t sample(void) {
  journal_t j;
  memset(&j, 0, sizeof j);
  add(&j, 3, WL_J_RF, 11, 1);
  add(&j, 3, WL_J_RF, 11, 2);
  add(&j, 3, WL_J_ISSUE, 4, 3);
  add(&j, 4, WL_J_RF, 11, 4);
  add(&j, 9, WL_J_PACKET, 17, 5);
  add(&j, 30, WL_J_STATE, 1, 6);
  return j;
}

static wl_digest_t run(const journal_t *j) {
  wl_digest_t d;
  wl_digest_begin(&d);
  for (unsigned c = 0; c < CYCLES; c++)
    wl_digest_tick(&d, j->record[c], j->n[c]);
  return d;
}

/* Section 5 bit by bit: the signature of a kind in the cycle behind all of them. */
static uint32_t by_bits(const journal_t *j, unsigned kind, uint32_t start) {
  uint32_t s = start, in = 0;
  for (unsigned c = 0; c < CYCLES; c++) {
    uint32_t next = 0;
    for (unsigned b = 0; b < 32; b++) {
      const uint32_t up = b == 0 ? 0 : s >> (b - 1) & 1;
      const uint32_t feedback = 0x04c11db7u >> b & s >> 31 & 1;
      next |= (up ^ feedback ^ (in >> b & 1)) << b;
    }
    s = next;
    in = 0;
    for (unsigned i = 0; i < j->n[c]; i++) {
      const wl_cosim_record_t *r = &j->record[c][i];
      if (r->kind != kind) continue;
      in ^= 0x9e3779b9u;
      for (unsigned w = 0; w < r->words; w++)
        for (unsigned b = 0; b < 32; b++)
          in ^= (r->word[w] >> b & 1) << (b + 5 * w + 3) % 32;
    }
  }
  return s;
}

static void test_formula(void) {
  const journal_t j = sample();
  const wl_digest_t d = run(&j);
  for (unsigned k = 0; k < WL_NUM_JOURNAL_KINDS; k++)
    expect(wl_journal_info[k].name, d.signature[k], by_bits(&j, k, 0));
  differ("records of a kind at all", d.signature[WL_J_RF], 0);
}

/* A board's signatures begin with anything. */
static void test_linear(void) {
  const journal_t j = sample();
  const wl_digest_t d = run(&j);
  const uint32_t start = 0xdeadbeef;
  uint32_t slow = start;
  for (unsigned n = 0; n < 3000; n++) {
    if (n % 97 == 0 || n < 5) expect("so many steps", wl_digest_steps(start, n), slow);
    slow = wl_digest_step(slow);
  }
  for (unsigned k = 0; k < WL_NUM_JOURNAL_KINDS; k++)
    expect("from another start", d.signature[k] ^ wl_digest_steps(start, CYCLES),
           by_bits(&j, k, start));
}

static void test_order(void) {
  const journal_t j = sample();
  const uint32_t right = run(&j).signature[WL_J_RF];
  journal_t x = j;
  const wl_cosim_record_t first = x.record[3][0];
  x.record[3][0] = x.record[3][1];
  x.record[3][1] = first;
  expect("order within a cycle", run(&x).signature[WL_J_RF], right);
  x = j; /* two records of neighbouring cycles change places */
  x.record[3][0] = j.record[4][0];
  x.record[4][0] = j.record[3][0];
  differ("records swapped between cycles", run(&x).signature[WL_J_RF], right);
  x = j; /* one moves by a cycle */
  x.n[4] = 0;
  x.record[5][0] = j.record[4][0];
  x.n[5] = 1;
  differ("record one cycle late", run(&x).signature[WL_J_RF], right);
  x = j;
  x.n[4] = 0;
  differ("record missing", run(&x).signature[WL_J_RF], right);
  x = j;
  add(&x, 4, WL_J_RF, 11, 4);
  differ("record doubled", run(&x).signature[WL_J_RF], right);
  x = j;
  x.record[4][0].word[7] ^= 1u << 31;
  differ("one bit of one word", run(&x).signature[WL_J_RF], right);
  x = j; /* two words of a record change places */
  x.record[9][0].word[8] = j.record[9][0].word[9];
  x.record[9][0].word[9] = j.record[9][0].word[8];
  differ("words swapped in a record", run(&x).signature[WL_J_PACKET],
         run(&j).signature[WL_J_PACKET]);
  differ("hash of all", wl_digest_hash(run(&x).signature), wl_digest_hash(run(&j).signature));
}

/* In cycle c a signature covers cycles up to c - 2. */
static void test_delay(void) {
  journal_t j;
  wl_digest_t d;
  memset(&j, 0, sizeof j);
  add(&j, 0, WL_J_STATE, 1, 1);
  wl_digest_begin(&d);
  wl_digest_tick(&d, j.record[0], 1);
  expect("read in the next cycle", d.signature[WL_J_STATE], 0);
  wl_digest_tick(&d, NULL, 0);
  expect("read in the cycle behind it", d.signature[WL_J_STATE], wl_digest_fold(&j.record[0][0]));
}

int main(void) {
  test_formula();
  test_linear();
  test_order();
  test_delay();
  printf("signatures: %d failures\n", failures);
  return failures != 0;
}
