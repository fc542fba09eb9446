/* program.h: one launch of a kernel `k` with two buffers, for tests whose expected values are
 * written beside the PTX text. */
#ifndef WL_TESTS_UNIT_LOWER_PROGRAM_H
#define WL_TESTS_UNIT_LOWER_PROGRAM_H
#include "driver/include/warplock.h"

#define PROGRAM_START(registers, body)                                                             \
  ".version 8.8\n.target sm_100\n.address_size 64\n.const .align 32 .b32 constant[8] = {1, 2, 3, " \
  "4, 5, 6, 7, 8};\n.visible .entry k(.param .u64 a, .param .u64 b)\n{\n" registers                \
  "\n.reg .pred %p<8>; .reg .b16 %h<16>; .reg .b32 %r<40>, %t; .reg .b64 %rd<16>, %a, %b, %o; "    \
  ".reg .f32 %f<16>; .reg .b128 %q<4>;\nld.param.u64 %a, [a]; ld.param.u64 %b, [b];\n"             \
  "mov.u32 %t, %ctaid.x; mov.u32 %r0, %ntid.x; mov.u32 %r1, %tid.x; mad.lo.u32 %t, %t, %r0, "      \
  "%r1;\nmul.wide.u32 %o, %t, 16; add.u64 %o, %o, %b;\n" body
#define PROGRAM(registers, body) PROGRAM_START(registers, body) "\nret;\n}\n"

typedef struct program {
  const char *name, *text;
  uint32_t grid, block;
} program_t;

enum { A_BYTES = 256, B_BYTES = 16 * 192 }; /* a: what threads share; b: 16 bytes of each thread */
/* Runs it on the backend; a and b are what memory holds before and after. -1: it could not run
 * (said on stdout); else the cause of a trap, 0 for none. */
int program_run(const wl_device_options_t *options, const program_t *p, void *a, void *b);

#endif
