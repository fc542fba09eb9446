/* object.h: an assembled module in memory, and the builder that lowering fills it with.
 * docs/architecture.md 2. The file form is elf.h. Deliberately no relocation of instructions:
 * targets are instruction indices inside the module, constant operands are offsets, both known to
 * the assembler; only 64-bit data places that hold an address (or a function's index) depend on
 * where the driver puts the module. */
#ifndef WL_ISA_OBJ_OBJECT_H
#define WL_ISA_OBJ_OBJECT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/obj/ptxreg.h"

#define WL_OBJ_NONE           UINT32_MAX /* "no index" */
#define WL_OBJ_LOCAL_BY_DEPTH UINT32_MAX /* local frame: recursion, the launch chooses a size */
#define WL_OBJ_LOCAL_DEFAULT  4096u      /* what a launch uses then unless told otherwise */

/* One instruction, bits 31:0 first. */
typedef struct wl_obj_insn {
  uint32_t w[4];
} wl_obj_insn_t;

/* The images. GLOBAL may be longer than its data: the rest is zero (not stored in the file). */
typedef enum wl_obj_image_id {
  WL_OBJ_C1,
  WL_OBJ_C2,
  WL_OBJ_GLOBAL,
  WL_OBJ_IMAGES
} wl_obj_image_id_t;
typedef struct wl_obj_image {
  uint8_t *data;
  size_t data_bytes; /* stored bytes */
  uint64_t bytes;    /* >= data_bytes; the tail is zero. C1, C2: equal to data_bytes */
  uint32_t align;    /* power of two, at least 64 */
} wl_obj_image_t;

typedef enum wl_obj_sym_kind {
  WL_OBJ_SYM_FUNC,   /* value = first instruction, size = instructions */
  WL_OBJ_SYM_GLOBAL, /* value = offset in the image GLOBAL */
  WL_OBJ_SYM_CONST,  /* value = offset in the image C2 */
  WL_OBJ_SYM_SHARED  /* value = offset in the CTA's shared memory; size 0 = dynamic */
} wl_obj_sym_kind_t;
typedef struct wl_obj_sym {
  char *name;
  wl_obj_sym_kind_t kind;
  bool visible; /* .visible: found by name from the host */
  uint64_t value, size;
} wl_obj_sym_t;

/* A 64-bit little-endian place in an image that receives a value when the module is loaded. */
typedef enum wl_obj_reloc_kind {
  WL_OBJ_RELOC_GLOBAL, /* global (= generic) address of symbol + addend */
  WL_OBJ_RELOC_CONST,  /* generic address of a C2 symbol + addend */
  WL_OBJ_RELOC_FUNC    /* instruction index of a function (addend is added, in instructions) */
} wl_obj_reloc_kind_t;
typedef struct wl_obj_reloc {
  wl_obj_image_id_t image;
  uint64_t offset; /* of the place, multiple of 8 */
  wl_obj_reloc_kind_t kind;
  uint32_t symbol; /* index */
  int64_t addend;
} wl_obj_reloc_t;

typedef enum wl_obj_type { /* types of parameters; BYTES = .align N .b8 name[size] */
                           WL_OBJ_U8,
                           WL_OBJ_U16,
                           WL_OBJ_U32,
                           WL_OBJ_U64,
                           WL_OBJ_S8,
                           WL_OBJ_S16,
                           WL_OBJ_S32,
                           WL_OBJ_S64,
                           WL_OBJ_B8,
                           WL_OBJ_B16,
                           WL_OBJ_B32,
                           WL_OBJ_B64,
                           WL_OBJ_F16,
                           WL_OBJ_F32,
                           WL_OBJ_F64,
                           WL_OBJ_BYTES,
                           WL_OBJ_TYPES
} wl_obj_type_t;
const char *wl_obj_type_name(wl_obj_type_t type); /* "u32"; BYTES: "bytes" */
uint32_t wl_obj_type_bytes(wl_obj_type_t type);   /* BYTES: 0 */
bool wl_obj_type_find(const char *name, wl_obj_type_t *out);

typedef struct wl_obj_param {
  char *name;
  wl_obj_type_t type;
  uint32_t offset; /* byte in the parameter area, which follows the launch block in c0 */
  uint32_t bytes, align;
  uint32_t ptr_space; /* .ptr: code of space.def (0 generic); WL_OBJ_NONE = no .ptr */
  uint32_t ptr_align;
} wl_obj_param_t;

typedef struct wl_obj_entry {
  char *name;
  uint32_t pc;          /* first instruction */
  uint32_t regs;        /* registers per thread: highest used + 1, 1..255 */
  uint32_t preds;       /* predicates, 0..7 */
  uint32_t barriers;    /* barriers of the CTA that may be used, 0..16 */
  uint32_t smem_static; /* bytes of static shared memory */
  uint32_t smem_align;  /* alignment of the dynamic part behind it, power of two */
  uint32_t local_bytes; /* frame per thread, multiple of 4, or WL_OBJ_LOCAL_BY_DEPTH */
  uint32_t param_bytes; /* size of the parameter area */
  uint32_t reqntid[3];  /* zeros: none */
  uint32_t maxntid[3];  /* zeros: none; the limit is on the product */
  uint32_t minctapersm; /* 0: none */
  uint32_t maxnreg;     /* 0: none */
  uint32_t units;       /* WL_OBJ_UNIT_* of gen/wl_config.h that it needs */
  wl_obj_param_t *params;
  uint32_t param_count, param_cap;
} wl_obj_entry_t;

/* Why an entry cannot be launched: legal PTX that the assembler does not implement and that the
 * entry can reach. Rows ascend by entry; an entry with a row is refused. */
typedef struct wl_obj_refusal {
  uint32_t entry;
  uint32_t line; /* of the PTX text; 0 = none */
  char *clause;  /* "9.7.3", may be empty */
  char *text;
} wl_obj_refusal_t;

/* Line table: a row holds from its instruction up to the next row's. Rows ascend. */
typedef struct wl_obj_line {
  uint32_t insn;
  uint32_t ptx_line; /* 1-based; 0 = made by the assembler */
  uint32_t file;     /* index of files, WL_OBJ_NONE = no .loc */
  uint32_t line;     /* line of .loc */
} wl_obj_line_t;

/* Instructions of PTX that need none of the machine but matter for a checked run (docs/checked.md): what
 * stands before instruction `insn`. Rows ascend. */
typedef enum wl_obj_mark_kind {
  WL_OBJ_MARK_ALLOC,  /* tcgen05.alloc: a module with tensor memory has rows */
  WL_OBJ_MARK_STORED, /* tcgen05.wait::st */
  WL_OBJ_MARK_BEFORE, /* tcgen05.fence::before_thread_sync */
  WL_OBJ_MARK_AFTER,  /* tcgen05.fence::after_thread_sync */
  WL_OBJ_MARKS
} wl_obj_mark_kind_t;

typedef struct wl_obj_mark {
  uint32_t insn, kind;
} wl_obj_mark_t;

typedef struct wl_obj {
  wl_obj_insn_t *code;
  uint32_t code_count, code_cap;
  wl_obj_image_t image[WL_OBJ_IMAGES];
  wl_obj_sym_t *syms;
  uint32_t sym_count, sym_cap;
  wl_obj_reloc_t *relocs;
  uint32_t reloc_count, reloc_cap;
  wl_obj_entry_t *entries;
  uint32_t entry_count, entry_cap;
  wl_obj_line_t *lines;
  uint32_t line_count, line_cap;
  char **files;
  uint32_t file_count, file_cap;
  wl_obj_refusal_t *refusals;
  uint32_t refusal_count, refusal_cap;
  wl_obj_mark_t *marks;
  uint32_t mark_count, mark_cap;
  wl_obj_ptxregs_t ptxregs; /* may be empty */
  char *ptx_name;           /* name of the PTX input, NULL = unknown */
  char *ptx_text;           /* embedded text, NULL = none; ptx_bytes without a final 0 */
  size_t ptx_bytes;
  uint64_t isa_hash;
  bool failed; /* out of memory or over a limit: sticky, checked once at the end */
} wl_obj_t;

/* Limits that writer, reader and builder keep; above them `failed`. */
#define WL_OBJ_MAX_CODE   (1u << 24)
#define WL_OBJ_MAX_C1     65536u
#define WL_OBJ_MAX_C2     65536u
#define WL_OBJ_MAX_GLOBAL (UINT64_C(1) << 40)
#define WL_OBJ_MAX_PARAM  32764u
#define WL_OBJ_MAX_COUNT  (1u << 22) /* symbols, relocations, entries, lines, files */

/* Room for one more element, zeroed; NULL and `failed` when there is none. For isa/obj. */
void *wl_obj_grow(wl_obj_t *o, void *array, uint32_t count, uint32_t *cap, size_t elem,
                  uint32_t limit);
char *wl_obj_copy_text(wl_obj_t *o, const char *text, size_t bytes);

/* ---- builder. Names are copied. Failure sets o->failed and returns WL_OBJ_NONE / NULL. */
wl_obj_t *wl_obj_new(void); /* isa_hash = this build's */
void wl_obj_free(wl_obj_t *o);
uint32_t wl_obj_add_insn(wl_obj_t *o, const uint32_t w[4]); /* returns its index */
/* Appends bytes (NULL = zeros) at the next multiple of align; returns the offset. */
uint32_t wl_obj_add_data(wl_obj_t *o, wl_obj_image_id_t image, const void *bytes, size_t size,
                         uint32_t align);
/* As above at the end of GLOBAL without stored bytes; 64-bit offset, UINT64_MAX on failure.
 * Stored data added later makes the zeros stored, so reserve zero variables last. */
uint64_t wl_obj_add_zero(wl_obj_t *o, uint64_t size, uint32_t align);
uint32_t wl_obj_add_sym(wl_obj_t *o, const char *name, wl_obj_sym_kind_t kind, bool visible,
                        uint64_t value, uint64_t size);
uint32_t wl_obj_find_sym(const wl_obj_t *o, const char *name, wl_obj_sym_kind_t kind);
uint32_t wl_obj_add_reloc(wl_obj_t *o, wl_obj_image_id_t image, uint64_t offset,
                          wl_obj_reloc_kind_t kind, uint32_t symbol, int64_t addend);
/* The entry is zeroed but for name and pc; valid until the next wl_obj_add_entry. */
wl_obj_entry_t *wl_obj_add_entry(wl_obj_t *o, const char *name, uint32_t pc);
/* Computes the offset from bytes and align, and updates e->param_bytes. Returns the offset. */
uint32_t wl_obj_add_param(wl_obj_t *o, wl_obj_entry_t *e, const char *name, wl_obj_type_t type,
                          uint32_t bytes, uint32_t align, uint32_t ptr_space, uint32_t ptr_align);
const wl_obj_entry_t *wl_obj_find_entry(const wl_obj_t *o, const char *name);
uint32_t wl_obj_add_file(wl_obj_t *o, const char *name); /* same name: same index */
/* A row equal to the one before but for insn is dropped. */
void wl_obj_add_line(wl_obj_t *o, uint32_t insn, uint32_t ptx_line, uint32_t file, uint32_t line);
const wl_obj_line_t *wl_obj_find_line(const wl_obj_t *o, uint32_t insn); /* NULL: none */
/* Line `number` (1-based) of the embedded text and its length, NULL: there is none. */
const char *wl_obj_ptx_line(const wl_obj_t *o, uint32_t number, size_t *bytes);
void wl_obj_add_refusal(wl_obj_t *o, uint32_t entry, uint32_t line, const char *clause,
                        const char *text); /* refused.c; clause may be NULL */
/* Row `index` of an entry's refusals; NULL: no more. */
const wl_obj_refusal_t *wl_obj_refusal(const wl_obj_t *o, uint32_t entry, uint32_t index);
void wl_obj_add_mark(wl_obj_t *o, uint32_t insn, uint32_t kind);
bool wl_obj_set_ptx(wl_obj_t *o, const char *name, const char *text, size_t bytes);

/* Checks every index, size and count of a complete module. NULL when right, else a sentence in
 * buf. Writer, reader and loader all call it, so a builder's mistake shows where it was made. */
const char *wl_obj_verify_refusals(const wl_obj_t *o, char *buf, size_t cap); /* a part of it */
const char *wl_obj_verify_marks(const wl_obj_t *o, char *buf, size_t cap);
const char *wl_obj_verify(const wl_obj_t *o, char *buf, size_t cap);

#endif
