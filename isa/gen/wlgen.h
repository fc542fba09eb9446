/* wlgen: reads the tables in isa/def and writes what both twins share (C headers, SystemVerilog
 * packages, the ISA reference). This header holds the checked facts that the emitters print.
 * It does not parse PTX tables (ptx_*.def, space.def): those are X-macros that C reads itself. */
#ifndef WL_ISA_GEN_WLGEN_H
#define WL_ISA_GEN_WLGEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
  MAX_ARGS = 20,
  MAX_FIELDS = 64,
  MAX_SHAPES = 128,
  MAX_MODS = 64,
  MAX_FORMS = 8192, /* 13-bit form id */
  MAX_OPS = 256,    /* 8-bit op */
  MAX_MASKS = 128,
  MAX_FORMATS = 16,
  MAX_SMALL = 256,
  NUM_CONFIGS = 6,
  NUM_TEST_CONFIGS = 2, /* the last ones: no list of configurations shows them */
  LAUNCH_WORDS = 128,
  NAME_LEN = 64
};

/* ---- rows.c: one row MACRO(arg, "text", ...) of a .def file */
typedef struct {
  const char *file;
  int line;
  char *macro;
  int num_args;
  char *arg[MAX_ARGS];
  bool is_text[MAX_ARGS];
} row_t;

typedef struct {
  row_t *row;
  int num;
} rows_t;

/* Reads DIR/NAME; a missing file is an error unless it is optional (then there are no rows). */
void rows_read(rows_t *rows, const char *dir, const char *name, bool optional);
/* Prints "file:line: message" and ends the program with status 1. */
_Noreturn void fail(const row_t *row, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void *xalloc(size_t bytes);

/* ---- text.c: names and numbers */
typedef struct {
  char s[NAME_LEN];
} name_t;
name_t name_upper(const char *s);       /* add.rr -> ADD_RR */
name_t name_camel(const char *s);       /* TID_X -> TidX, add.rr -> AddRr */
name_t name_snake(const char *s);       /* SmemBytes -> smem_bytes */
name_t name_snake_upper(const char *s); /* SmemBytes -> SMEM_BYTES */
bool is_identifier(const char *s);
uint64_t number(const row_t *row, int arg, uint64_t max);
int bits_for(int count); /* bits that hold 0..count-1, at least 1 */

/* ---- facts.c: the checked tables */
/* Bits 127:96 of the word belong to the classes' fields. */
enum { MODS_LOW = 96, CLASS_COMMON = 0, MAX_CLASSES = 32 };

typedef struct {
  const char *name, *meaning;
  int low, width;
  uint32_t classes; /* bit: index of a class */
} field_t;

typedef struct {
  const char *name;
  int d, a, b, c, x; /* d of a counted destination: 0 */
  bool counted;
  int imm, steps, preds; /* indices into imm_names, steps_names; D=1 Q=2 S=4 T=8 */
} shape_t;

typedef struct {
  const char *name, *fields;
  int class_id;
  uint32_t mask; /* bit i: mod_fields[i] */
} mods_t;

typedef struct {
  const char *name, *clause, *meaning;
  name_t id; /* upper case */
  int unit, op, kind, space, type, shape, mods, mask_id;
  int atom, matrix, mbar; /* index into atom_names, matrix_names, mbar_names; 0: none */
  int format;             /* num_formats: none */
} form_t;

typedef struct {
  const char *name, *ptx, *meaning;
  int bits, sign, exponent, fraction; /* bits of the whole and of its parts */
  int low, bias;
  int infinity, has_nan, subnormals; /* index into subnormal_names */
  uint64_t largest, nan;
} format_t;

/* Profiles of the tensor unit (numerics.def), and which operation has which. */
enum { MAX_PROFILES = 32 };
typedef struct {
  const char *name, *from;
  int format, result; /* index of a format */
  int block, kept, lowest;
  bool nearest; /* false: results are cut */
} profile_t;
typedef struct {
  int unit, op, profile;
} dot_t;

/* Special functions (special.def): the segments of each stand together, from `first` on. */
enum { MAX_SPECIALS = 16, MAX_SEGMENTS = 256 };
typedef struct {
  const char *name;
  int first;
} special_t;
typedef struct {
  int32_t c[3];
} segment_t;

typedef struct {
  const char *name, *text, *meaning;
  int code;  /* trap code, special register id, first word */
  int count; /* words of a launch row */
} small_t;

typedef struct {
  const char *name, *meaning;
  uint64_t value[NUM_CONFIGS]; /* CONST: the same value in all */
  const char *clause;          /* OPTION: of PTX, or empty; else NULL */
} config_t;

typedef struct {
  const char *name, *meaning;
  int bits;
  int nested; /* struct index or -1 */
} member_t;

typedef struct {
  const char *name;
  member_t member[64];
  int num_members, bits;
} struct_t;

enum { PLACE_NONE, PLACE_SCRUB, PLACE_END };
enum { INIT_ZERO, INIT_SEEDED, INIT_VALID };

typedef struct {
  const char *name, *index, *rtl, *trace, *meaning;
  int record; /* journal kind, -1: none */
  int place, init, seed, bits;
  uint64_t slices[NUM_CONFIGS], rows[NUM_CONFIGS];
} state_t;

typedef struct {
  const char *name, *section, *rtl, *module, *index, *meaning;
  int when; /* row that says which elements count, -1: all, -2: none */
  uint64_t slices[NUM_CONFIGS], elements[NUM_CONFIGS], bits[NUM_CONFIGS], first[NUM_CONFIGS];
} debug_t;

/* Host link of the board; an error's meaning is its message. */
enum { MAX_LINK = 64 };
typedef struct {
  small_t constant[MAX_LINK], command[MAX_LINK], error[MAX_LINK], array[MAX_LINK];
  int num_constants, num_commands, num_errors, num_arrays;
} link_t;

/* Fields of the tags of packets (packet.def). */
enum { MAX_TAGS = 64 };
typedef struct {
  const char *port, *name, *meaning;
  const row_t *row;
  int bits;
} tag_t;

/* Indices that both twins count by (index.def). */
enum {
  INDEX_TRAP_SOURCE,
  INDEX_PORT,
  INDEX_VWB,
  INDEX_RESULT,
  INDEX_CHUNK,
  INDEX_REST,
  NUM_INDICES
};
enum { MAX_INDEX = 32 };
typedef struct {
  const char *name, *meaning;
  bool per_sub;     /* one for each sub-core */
  uint32_t options; /* bit: option; a configuration without any of them lacks it; 0: none does */
} index_row_t;
typedef struct {
  index_row_t row[MAX_INDEX];
  int num;
} index_t;

enum { TRAP_BITS = 5 }; /* of a cause in the RTL */
enum { MAX_KINDS = 32, MAX_WORDS = 64, MAX_SLICES = 512 };

/* Words of a record that are one port of the RTL's module. */
typedef struct {
  const char *name;
  int words; /* 0: one for every lane */
} port_t;

typedef struct {
  const char *name, *text, *event; /* text: the words as the table has them */
  const char *word[MAX_WORDS];
  int names, keys;
  bool lanes; /* the last word is repeated for every lane */
  port_t port[MAX_WORDS];
  int num_ports;
  const char *clear; /* function whose value the last of these ports is; NULL: none */
  int clear_port[8], num_clear_ports;
  int free; /* word of VARIES */
} journal_t;

typedef struct {
  uint32_t w[4];
} word_t;

typedef struct {
  const char *ops[MAX_OPS];
  int num;
} ops_t;

/* Columns of UNIT rows that operations may change, and codes of their values (unit.def). */
enum {
  UNIT_ROUTE,
  UNIT_RELEASED,
  UNIT_SLOTS,
  UNIT_RELEASED_SLOTS,
  UNIT_TBUF,
  UNIT_WAITS,
  UNIT_POLLS,
  UNIT_LANES,
  UNIT_LINK,
  UNIT_ALIGNED,
  UNIT_LIST,
  UNIT_QUEUE,
  UNIT_COLUMNS
};
enum { ROUTE_NONE, ROUTE_FIXED, ROUTE_CONTROL, ROUTE_VARIABLE, ROUTE_NEVER };
enum { SLOTS_ALL, SLOTS_ONE, SLOTS_IMM };
enum { TBUF_NO, TBUF_YES, TBUF_REG };
/* Indices into kind_names. */
enum {
  KIND_LD,
  KIND_ST,
  KIND_ATOM,
  KIND_LDMATRIX,
  KIND_STMATRIX,
  KIND_MBAR,
  KIND_MBTEST,
  KIND_CPASYNC,
  KIND_CPARRIVE,
  KIND_BLOAD,
  KIND_BSTORE,
  KIND_BRED
};
enum { STEPS_ONE, STEPS_PAIR, STEPS_LIST };
enum { STEP_WORDS = 3 }; /* of a step of a list, but those of unit TENSOR */
enum { LANES_ALL, LANES_SLOW, LANES_FP, LANES_LSU, LANES_ONE, LANES_FIRST };
enum { ALIGNED_NO, ALIGNED_LIVE, ALIGNED_ALL };
enum { MAX_UNITS = 16, MAX_UNIT_OPS = 256 };

typedef struct {
  const char *name, *latency, *option, *meaning;
  const row_t *row;
  int value[UNIT_COLUMNS];
  bool mem; /* its operations are kind_names */
} unit_t;

/* A kind of matrices (row MATRIX of unit.def). */
enum { MAX_MATRICES = 16 };
typedef struct {
  const char *name, *option, *meaning;
  const row_t *row;
  unsigned kinds; /* bit: index into kind_names */
  int rows, registers;
  int needs; /* option that a configuration must have, -1: none */
} matrix_t;

typedef struct {
  const char *op;
  const row_t *row;
  int unit, column, value;
} unit_op_t;

/* Forms with a modifier field or of a shape need an option (row NEEDS of unit.def). */
enum { MAX_FIELD_NEEDS = 8 };
typedef struct {
  int bit;   /* of a mods mask; -1: a shape */
  int shape; /* -1: a field */
  const row_t *row;
  int option;
} field_need_t;

typedef struct {
  small_t classes[MAX_CLASSES]; /* the first: common */
  int num_classes;
  field_t field[MAX_FIELDS];
  int num_fields;
  int mod_field[32]; /* field index of each bit of a mods mask */
  int num_mod_fields;
  shape_t shape[MAX_SHAPES];
  int num_shapes;
  mods_t mods[MAX_MODS];
  int num_mods;
  unit_t unit[MAX_UNITS];
  int num_units;
  unit_op_t unit_op[MAX_UNIT_OPS];
  int num_unit_ops;
  field_need_t field_need[MAX_FIELD_NEEDS];
  int num_field_needs;
  matrix_t matrix[MAX_MATRICES]; /* from 1 on */
  int num_matrices;
  const config_t *option[32]; /* columns of config.def that are optional units, by bit */
  int num_options;
  ops_t op[MAX_UNITS];
  form_t form[MAX_FORMS];    /* by id; a hole has no name */
  int num_forms;             /* last id + 1 */
  int unit_needs[MAX_UNITS]; /* option that a configuration must have, -1: none */
  word_t mask[MAX_MASKS];    /* distinct must-be-zero masks */
  int num_masks;
  format_t format[MAX_FORMATS];
  int num_formats;
  profile_t profile[MAX_PROFILES];
  int num_profiles;
  special_t special[MAX_SPECIALS];
  segment_t segment[MAX_SEGMENTS];
  int num_specials, num_segments;
  dot_t dot[MAX_PROFILES];
  int num_dots;
  small_t trap[MAX_SMALL], sreg[MAX_SMALL], launch[LAUNCH_WORDS];
  int num_traps, num_sregs, num_launch;
  config_t config[MAX_SMALL], constant[MAX_SMALL];
  int num_configs, num_constants, num_stalls;
  config_t need[16]; /* what the forms of a configuration use at most (facts_needs.c) */
  int num_needs;
  struct_t structure[64];
  int num_structs;
  journal_t journal[MAX_KINDS];
  int num_journal;
  state_t state[MAX_SMALL];
  int num_states;
  debug_t debug[MAX_SMALL];
  int num_debugs;
  uint64_t debug_words[NUM_CONFIGS];
  link_t link;
  index_t index[NUM_INDICES];
  tag_t tag[MAX_TAGS];
  int num_tags;
  uint64_t layout_hash[NUM_CONFIGS]; /* rows of journal, packet and state, and their sizes */
  uint64_t hash;                     /* FNV-1a of the canonical rows of the machine ISA */
} facts_t;

extern const char *unit_names[], *matrix_names[];
extern const char *const route_names[], *const poll_names[], *const lanes_names[];
extern const char *const aligned_names[];
extern const char *const kind_names[],
    *const space_names[],
        *const type_names[], *const atom_names[], *const mbar_names[],
                                                      *const imm_names[], *const steps_names[],
                                                                              *const config_names[];
extern const char *const subnormal_names[];
int list_count(const char *const *list);
/* Index of a column's text in the list; the row fails where it is not there. */
int choose(const row_t *row, int arg, const char *const *list, const char *what);

void facts_read(facts_t *f, const char *dir);
void facts_format(facts_t *f, const char *dir);        /* format */
void facts_isa(facts_t *f, const char *dir);           /* word, shape, mods, insn */
void expand_fp(const facts_t *f, rows_t *rows);        /* FPINSN and CVTINSN rows of insn.def */
int signed_number(const row_t *row, int arg, int max); /* of at most max in magnitude */
void facts_numerics(facts_t *f, const char *dir);
void facts_special(facts_t *f, const char *dir);
void read_word(facts_t *f, const row_t *row);
void check_fields(const facts_t *f, const row_t *row);
void read_shape(facts_t *f, const row_t *row);
void read_mods(facts_t *f, const row_t *row);
int mask_id(facts_t *f, const row_t *row, const shape_t *s, const mods_t *m);
bool is_form(const facts_t *f, int id);          /* false: a hole */
unsigned form_configs(const facts_t *f, int id); /* bit: configuration that has the form */
void facts_machine(facts_t *f, const char *dir); /* trap, sreg, launch, config, packet */
void facts_layout(facts_t *f, const char *dir);  /* journal, state, layout hash */
void facts_debug(facts_t *f, const char *dir);   /* debug */
void facts_link(facts_t *f, const char *dir);    /* link */
void facts_unit(facts_t *f, const rows_t *rows); /* unit */
void facts_unit_check(facts_t *f);
void read_matrix(facts_t *f, const row_t *row);
void check_form_matrix(const facts_t *f, const row_t *row, const form_t *form);
int form_matrices(const facts_t *f, const form_t *form); /* 0: no form of matrices */
/* Bit: option (f->option) that a configuration must have to have the form. */
uint32_t form_options(const facts_t *f, const form_t *form);
void facts_needs(facts_t *f);
int find_option(const facts_t *f, const char *name); /* -1: none */
/* Register words that a form reads; its steps if it reads so many words in one
 * (docs/microarchitecture.md 6.1). */
int shape_reads(const shape_t *s);
int shape_steps(const shape_t *s, int words);
/* A column's value of an operation; the operations of a unit. */
int unit_fact(const facts_t *f, int unit, int op, int column);
const char *op_name(const facts_t *f, int unit, int op);
int num_ops(const facts_t *f, int unit);
void read_tag(facts_t *f, const row_t *row);
void facts_tags_check(const facts_t *f);
void facts_index(facts_t *f, const char *dir); /* index */
void facts_hash(facts_t *f, const rows_t *rows);
uint64_t rows_hash(uint64_t hash, const rows_t *rows); /* hash 0: a new one */
/* Index of a configuration's parameter, -1: none. */
int find_config(const facts_t *f, const char *name);
/* Width of a member of a struct of packet.def, 0: none. */
int member_bits(const facts_t *f, const char *structure, const char *name);
/* Rows of an index before `row` that exist once (sub false) or for each sub-core (sub true). */
int index_before(const index_t *x, int row, bool sub);
/* Whether a configuration has the row; the numbers of an index up to the last row that it has. */
bool index_exists(const facts_t *f, const index_row_t *row, int config);
int index_count(const facts_t *f, const index_t *x, int config);
/* The same of the rows that exist once, or for each sub-core, counted apart. */
int index_count_of(const facts_t *f, const index_t *x, int config, bool sub);
/* Value of an expression over numbers, CONST and (config >= 0) CONFIG names. */
uint64_t expression(const facts_t *f, const row_t *row, int arg, int config);
void want_args(const row_t *row, const char *macro, int count);

/* ---- emit_*.c */
void emit_insn(const facts_t *f, const char *dir);
void emit_format(const facts_t *f, const char *dir);
/* Parts of wl_pkg.sv. */
const char *sv_member(const char *name); /* not a keyword */
void sv_range(FILE *out, int bits);
void sv_word(const facts_t *f, FILE *out);
void sv_formats(const facts_t *f, FILE *out);
void doc_formats(const facts_t *f, FILE *out);
void emit_numerics(const facts_t *f, const char *dir);
void sv_numerics(const facts_t *f, FILE *out);
void doc_numerics(const facts_t *f, FILE *out);
void emit_special(const facts_t *f, const char *dir);
void sv_special(const facts_t *f, FILE *out);
/* Index of a format, the row fails where it is not there. */
int format_index(const facts_t *f, const row_t *row, int arg);
void emit_machine(const facts_t *f, const char *dir);
void emit_packet(const facts_t *f, const char *dir);
void emit_layout(const facts_t *f, const char *dir);
void emit_journal(const facts_t *f, const char *dir);
void emit_debug(const facts_t *f, const char *dir);
void emit_link(const facts_t *f, const char *dir);
void c_op_lists(const facts_t *f, FILE *out);
void c_unit_types(FILE *out);
void c_form_unit(const facts_t *f, FILE *out, const form_t *form);
void c_options(const facts_t *f, FILE *header, FILE *code);
void sv_unit(const facts_t *f, FILE *out);
void doc_unit(const facts_t *f, FILE *out);
void c_form_matrix(const facts_t *f, FILE *out, const form_t *form);
void sv_matrix(const facts_t *f, FILE *out);
void doc_matrix(const facts_t *f, FILE *out);
void c_tags(const facts_t *f, FILE *out);
void sv_tags(const facts_t *f, FILE *out);
void doc_tags(const facts_t *f, FILE *out);
void emit_index(const facts_t *f, const char *dir);
void sv_index(const facts_t *f, FILE *out); /* numbers of every configuration */
/* Those that depend on the configuration. */
void sv_index_config(const facts_t *f, FILE *out, int config);
void doc_index(const facts_t *f, FILE *out);
void emit_sv(const facts_t *f, const char *dir);
void emit_sv_configs(const facts_t *f, const char *dir);
void emit_docs(const facts_t *f, const char *path);
void emit_lockstep_docs(const facts_t *f, const char *path); /* between the markers of the file */
void emit_cell(FILE *out, const char *s); /* a vertical bar would end a column of a table */
FILE *emit_open(const char *dir, const char *name, const char *comment);
void emit_close(FILE *out);

#endif
