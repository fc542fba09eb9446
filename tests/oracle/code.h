/* code.h: the oracle's internal form of PTX: functions as arrays of resolved instructions over
 * register slots. Built by translate*.c from the syntax tree, executed by thread.c. Nothing here is
 * known to the assembler or to the machine. */
#ifndef WL_TESTS_ORACLE_CODE_H
#define WL_TESTS_ORACLE_CODE_H
#include "isa/ptx/ast.h"
#include "tests/oracle/format.h"
#include "tests/oracle/half.h"

typedef enum wl_or_op {
  OR_NOP,
  OR_MOV,
  OR_PACK,
  OR_UNPACK,
  /* integer */
  OR_ADD,
  OR_SUB,
  OR_MUL,
  OR_SAD,
  OR_DIV,
  OR_REM,
  OR_ABS,
  OR_NEG,
  OR_MIN,
  OR_MAX,
  OR_POPC,
  OR_CLZ,
  OR_BFIND,
  OR_BREV,
  OR_BFE,
  OR_BFI,
  OR_SZEXT,
  OR_BMSK,
  OR_DP4A,
  OR_DP2A,
  OR_AND,
  OR_OR,
  OR_XOR,
  OR_NOT,
  OR_CNOT,
  OR_LOP3,
  OR_SHF,
  OR_SHL,
  OR_SHR,
  OR_PRMT,
  /* compare, select, convert */
  OR_LOP3P,
  OR_SETP,
  OR_SET,
  OR_SELP,
  OR_SLCT,
  OR_CVT_II,
  OR_CVT_IF,
  OR_CVT_FI,
  OR_CVT_FF,
  OR_CVT_FORMAT,
  /* f32 */
  OR_FADD,
  OR_FSUB,
  OR_FMUL,
  OR_FFMA,
  OR_FDIV,
  OR_FRCP,
  OR_FSQRT,
  OR_FABS,
  OR_FNEG,
  OR_FMIN,
  OR_FMAX,
  OR_TESTP,
  OR_COPYSIGN,
  /* f64 */
  OR_DADD,
  OR_DSUB,
  OR_DMUL,
  OR_DFMA,
  /* half precision, carries, packed integers: `sub` says which operation (narrow.c) */
  OR_HALF,
  OR_HSETP,
  OR_HSET,
  OR_MIXED,
  OR_F32X2,
  OR_F32_THREE,
  OR_CARRY,
  OR_PACKED,
  OR_FNS,
  OR_CVT_PACK,
  OR_LAST_ARITH = OR_CVT_PACK,
  /* memory */
  OR_LD,
  OR_ST,
  OR_ATOM,
  OR_CVTA,
  OR_CVTA_TO,
  OR_ISSPACEP,
  /* control */
  OR_BRA,
  OR_BRX,
  OR_CALL,
  OR_RET,
  OR_EXIT,
  OR_TRAP,
  OR_SLEEP,
  /* exchange */
  OR_BAR,
  OR_WARP,
  OR_LDMATRIX, /* bits of an element in memory; n matrices of `shift` rows; wrap: .trans */
  OR_STMATRIX,
  OR_MOVMATRIX,
  OR_WMMA_LOAD, /* fragment.c */
  OR_WMMA_STORE,
  OR_WMMA_MMA,
  OR_MMA, /* registers of A in n, of B in shift, of C in vec */
  OR_ACTIVE,
  /* mbarrier.c */
  OR_MBAR,
  OR_MBWAIT,
  OR_MBPENDING,
  OR_CLUSTER, /* sub: OR_B_ARRIVE, OR_B_SYNC */
  OR_MAPA,
  OR_COPY, /* copy.c */
  OR_BULK, /* bulk.c */
  OR_BULK_RED
} wl_or_op_t;

typedef enum wl_or_space {
  OR_SP_GENERIC,
  OR_SP_GLOBAL,
  OR_SP_CONST,
  OR_SP_SHARED,
  OR_SP_LOCAL,
  OR_SP_PARAM
} wl_or_space_t;

/* `sub` of an instruction, by op */
enum wl_or_sub {
  OR_A_AND,
  OR_A_OR,
  OR_A_XOR,
  OR_A_EXCH,
  OR_A_CAS,
  OR_A_ADD,
  OR_A_INC,
  OR_A_DEC,
  OR_A_MIN,
  OR_A_MAX,
  OR_A_FADD, /* ATOM; of halves: n of them in an element */
  OR_W_SYNC,
  OR_W_UP,
  OR_W_DOWN,
  OR_W_BFLY,
  OR_W_IDX,
  OR_W_ALL,
  OR_W_ANY,
  OR_W_UNI,
  OR_W_BALLOT,
  OR_W_MATCH_ANY,
  OR_W_MATCH_ALL,
  OR_W_ELECT,
  OR_W_ADD,
  OR_W_MIN,
  OR_W_MAX,
  OR_W_AND,
  OR_W_OR,
  OR_W_XOR, /* WARP */
  OR_B_SYNC,
  OR_B_ARRIVE,
  OR_B_POPC,
  OR_B_AND,
  OR_B_OR, /* BAR */
  OR_M_INIT,
  OR_M_INVAL,
  OR_M_ARRIVE,
  OR_M_DROP,
  OR_M_EXPECT,
  OR_M_COMPLETE,
  OR_M_ARRIVE_TX,
  OR_M_DROP_TX, /* MBAR */
  OR_M_TEST,
  OR_M_TEST_PARITY,
  OR_M_TRY,
  OR_M_TRY_PARITY, /* MBWAIT */
  OR_C_COPY,
  OR_C_COMMIT,
  OR_C_WAIT,
  OR_C_WAIT_ALL,
  OR_C_ARRIVE,
  OR_C_ARRIVE_NOINC, /* COPY */
  OR_K_LOAD,
  OR_K_STORE,
  OR_K_SINGLE, /* st.async */
  OR_K_FILL,   /* st.bulk */
  OR_K_COMMIT,
  OR_K_WAIT,
  OR_K_WAIT_READ, /* BULK */
  OR_T_FINITE,
  OR_T_INFINITE,
  OR_T_NUMBER,
  OR_T_NAN,
  OR_T_NORMAL,
  OR_T_SUBNORMAL, /* TESTP */
  OR_P_DEFAULT,
  OR_P_F4E,
  OR_P_B4E,
  OR_P_RC8,
  OR_P_ECL,
  OR_P_ECR,
  OR_P_RC16, /* PRMT */
  OR_BOOL_NONE,
  OR_BOOL_AND,
  OR_BOOL_OR,
  OR_BOOL_XOR, /* SETP, SET: the combination */
  OR_N_ADD,
  OR_N_SUB,
  OR_N_MUL,
  OR_N_FMA,
  OR_N_ABS,
  OR_N_NEG,
  OR_N_MIN,
  OR_N_MAX /* HALF, MIXED, F32X2, F32_THREE, CARRY, PACKED */
};

/* BULK, BULK_RED: where its operands stand: addresses in two parts; BYTES also the value of a single
 * store or reduction */
enum {
  OR_BULK_TO = 1,
  OR_BULK_FROM = 3,
  OR_BULK_BYTES = 5,
  OR_BULK_LEFT = 6,
  OR_BULK_RIGHT = 7,
  OR_BULK_MASK = 8
};
enum { OR_SOURCES = 24, OR_RESULTS = 8 }; /* most operands: of wmma.mma */

typedef enum wl_or_src_kind { OR_S_IMM, OR_S_REG, OR_S_FRAME, OR_S_SREG } wl_or_src_kind_t;

typedef struct wl_or_src {
  uint8_t kind;
  bool invert;   /* !p */
  bool skip;     /* `_`: this element is not stored */
  uint8_t comp;  /* SREG */
  uint32_t slot; /* REG: slot; SREG: wl_ptx_sreg_t */
  uint64_t imm;  /* IMM: value; FRAME: offset in the frame */
  uint64_t mask; /* of the bits that the instruction reads */
} wl_or_src_t;

typedef struct wl_or_dst {
  uint32_t slot; /* slot 0 is written by sinks and never read */
  uint64_t mask; /* width of the register */
} wl_or_dst_t;

struct wl_or_func;

/* One side of a parameter: a register, or bytes of the frame. As an actual it may be any value. */
typedef struct wl_or_param {
  bool in_frame;
  wl_or_src_t value; /* actual argument that is not in the frame */
  wl_or_dst_t reg;   /* formal, or actual return value, that is a register */
  uint32_t offset, size;
} wl_or_param_t;

typedef struct wl_or_call {
  const struct wl_or_func *target; /* NULL: indirect, address in s[0] */
  uint32_t nargs, nrets;
  wl_or_param_t *args, *rets;
} wl_or_call_t;

typedef struct wl_or_insn {
  uint8_t op, sub;
  uint8_t bits, sbits; /* of the type; of the second type (cvt, set, slct) */
  bool sgn, ssgn;      /* signedness of them */
  bool flt;            /* the compared type is f32 */
  bool flt64;          /* .. is f64 */
  uint8_t space;
  uint8_t vec, n; /* elements; sources or destinations in use */
  uint8_t cmp;    /* accepted orders, bit = wl_or_order_t */
  uint8_t shift;  /* MUL: result = product >> shift */
  bool addend, left, wrap, shiftamt, high;
  uint64_t flags; /* as the syntax tree has them: WL_PTX_F() */
  bool nan, xorsign, global_ftz;
  wl_or_fmode_t fm;
  wl_or_convert_t format; /* CVT_FORMAT */
  wl_or_half_t half;
  uint32_t yes;             /* SET, HSET: what true is, in each part */
  bool carry_in, carry_out; /* .cc and its users */
  bool relu, abs;
  bool guarded, guard_neg;
  uint32_t guard;
  uint32_t target; /* BRA */
  int64_t offset;  /* of an address; with `scale`, added to the index */
  uint8_t scale;   /* not 0: bytes of an element, its number is in `index` */
  uint32_t ntargets;
  const uint32_t *targets; /* BRX */
  const wl_or_call_t *call;
  wl_or_dst_t d[OR_RESULTS], p; /* p: second destination */
  wl_or_src_t s[OR_SOURCES], index;
  const wl_ptx_insn_t *ast; /* for messages */
} wl_or_insn_t;

typedef struct wl_or_func {
  const wl_ptx_func_t *ast;
  uint32_t nslots, frame_bytes, count;
  wl_or_insn_t *code;
  uint32_t *reg_slot;   /* by wl_ptx_reg_t.id */
  uint32_t *var_offset; /* frame offset by wl_ptx_var_t.id of body variables */
  wl_or_param_t *params, *rets;
  bool wanted;
} wl_or_func_t;

#endif
