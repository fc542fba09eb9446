/* limits.h: limits of the PTX front end, each checked with a diagnostic (never a crash). */
#ifndef WL_ISA_PTX_LIMITS_H
#define WL_ISA_PTX_LIMITS_H
enum {
  WL_LIM_IDENT = 4096,          /* bytes of an identifier; PTX 4.4 asks for at least 1024 */
  WL_LIM_NESTING = 200,         /* nested { } scopes, parentheses, initialiser braces */
  WL_LIM_DIMS = 16,             /* array dimensions */
  WL_LIM_FAMILY = 1 << 24,      /* N of a parametrised name %r<N> */
  WL_LIM_FAMILY_VARS = 1 << 16, /* the same for memory variables, which are laid out at once */
  WL_LIM_REGS = 1 << 20,        /* registers used in one function */
  WL_LIM_INSNS = 1 << 22,       /* instructions of one function */
  WL_LIM_OPERANDS = 16,         /* operands of one instruction */
  WL_LIM_VECTOR = 128,          /* elements of { } */
  WL_LIM_ARGS = 1024,           /* parameters of a function */
  WL_LIM_PARAM_BYTES = 32764,   /* kernel parameter block [PTX 11.2], from PTX 8.1 and sm_70 on */
  WL_LIM_PARAM_BYTES_OLD = 4352,
  WL_LIM_INIT_BYTES = 1 << 28, /* initialised variable */
  WL_LIM_ALIGN = 1 << 23,      /* .align */
  WL_LIM_ERRORS = 200          /* errors listed per file; further ones are counted */
};
#define WL_LIM_VAR_BYTES (1ull << 40) /* any variable */
#define WL_LIM_SOURCE    (1ull << 30) /* bytes of source */
#define WL_LIM_ARENA     (4ull << 30) /* memory of one module */
#endif
