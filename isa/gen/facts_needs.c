/* What the forms of a configuration use at most: both twins leave out what none of them uses. */
#include "isa/gen/wlgen.h"

#include <string.h>

enum {
  NEED_OPERAND_WORDS,
  NEED_STEPS,
  NEED_COUNTED,
  NEED_X,
  NEED_GATHERED,
  NEED_LANE,
  NEED_RESULT,
  NEED_CHUNK,
  NUM_NEEDS
};

static const config_t needs[NUM_NEEDS] = {
    [NEED_OPERAND_WORDS] = {"MostOperandWords",
                            "words of the longest operand but a counted one",
                            {0},
                            NULL},
    [NEED_STEPS] = {"MostSteps", "steps of the longest step list", {0}, NULL},
    [NEED_COUNTED] = {"HasCounted", "1: there are counted destinations", {0}, NULL},
    [NEED_X] = {"HasX", "1: there is a fifth operand group", {0}, NULL},
    [NEED_GATHERED] = {"HasGathered", "1: there are gathered forms", {0}, NULL},
    [NEED_LANE] = {"HasLane", "1: there are LANE forms", {0}, NULL},
    [NEED_RESULT] = {"HasResult", "1: the result queue has producers", {0}, NULL},
    [NEED_CHUNK] = {"HasChunk", "1: the chunk port has requesters", {0}, NULL}};

int shape_reads(const shape_t *s) { return s->a + s->b + s->c + s->x; }

int shape_steps(const shape_t *s, int words) {
  if (s->steps != STEPS_LIST) return s->steps == STEPS_PAIR ? 2 : 1;
  return shape_reads(s) > words ? (shape_reads(s) + words - 1) / words : 1;
}

/* Words of a step: of the unit TENSOR a column of the configurations, of TMEM one. */
static int step_words(const facts_t *f, const form_t *form, int config) {
  if (strcmp(unit_names[form->unit], "TMEM") == 0) return 1;
  const int words = find_config(f, "TensorWords");
  if (words < 0 || strcmp(unit_names[form->unit], "TENSOR") != 0) return STEP_WORDS;
  return (int)f->config[words].value[config];
}

static void at_least(config_t *need, int config, int value) {
  if (need->value[config] < (uint64_t)value) need->value[config] = (uint64_t)value;
}

static void need_form(facts_t *f, const form_t *form, int config) {
  const shape_t *s = &f->shape[form->shape];
  const int words[] = {s->d, s->a, s->b, s->c, s->x};
  for (int i = 0; i < 5; i++)
    at_least(&f->need[NEED_OPERAND_WORDS], config, words[i]);
  at_least(&f->need[NEED_STEPS], config, shape_steps(s, step_words(f, form, config)));
  at_least(&f->need[NEED_COUNTED], config, s->counted);
  at_least(&f->need[NEED_X], config, s->x > 0);
  at_least(&f->need[NEED_GATHERED], config,
           unit_fact(f, form->unit, form->op, UNIT_ALIGNED) != ALIGNED_NO);
  const int lanes = unit_fact(f, form->unit, form->op, UNIT_LANES);
  at_least(&f->need[NEED_LANE], config, lanes == LANES_ONE || lanes == LANES_FIRST);
}

void facts_needs(facts_t *f) {
  for (f->num_needs = 0; f->num_needs < NUM_NEEDS; f->num_needs++)
    f->need[f->num_needs] = needs[f->num_needs];
  for (int c = 0; c < NUM_CONFIGS; c++) {
    for (int i = 0; i < f->num_forms; i++)
      if (form_configs(f, i) >> c & 1) need_form(f, &f->form[i], c);
    f->need[NEED_RESULT].value[c] = index_count(f, &f->index[INDEX_RESULT], c) > 0;
    f->need[NEED_CHUNK].value[c] = index_count(f, &f->index[INDEX_CHUNK], c) > 0;
  }
}
