/* trap_cases.c: every cause of trap.def, with the place where it must be found
 * (docs/microarchitecture.md 2, 5, 7.2, 8-10, 12). */
#include <stdbool.h>
#include <stddef.h>

#include "tests/machine/machine_cases.h"

#define TRAP(what, code, first, mask)                                                              \
  .name = what, .cause = WL_TRAP_##code, .lane = first, .lanes = mask
#define LIMIT /* R8:R9 = first byte behind device memory, R10:R11 = its first byte */              \
  "ldc.b64 R8:R9, c0[RZ+0x80]\n ldc.b64 R10:R11, c0[RZ+0x78]\n"
/* One of 32 lanes goes to an address of shared memory behind the CTA's 64 bytes: bounds are checked in
 * each lane of the LSU, and otherwise above the size of the memory than below. */
#define SHARED(at, first)                                                                          \
  {TRAP("shared access of lane " #first " at " at, OUT_OF_BOUNDS, first, 0xffffffff),              \
   .text = PRO "mov.r R2, RZ\n setp.u32.ri P0, PT, R0, " #first ", PT {cmp=eq bop=none}\n"         \
               "@P0 mov.i R2, " at "\n here:\n ld.shared.b32 R1, [R2]\n exit\n",                   \
   .block = {32, 1, 1}, .shared = 64}

const machine_case_t machine_trap_cases[] = {
    {TRAP("form id not assigned", ILLEGAL_FORM, 0, 0xffffffff),
     .text = PRO "here:\n .word 0x0000ffff 0 0 0\n exit\n", .block = {32, 1, 1}},
    {TRAP("an illegal form traps under a false guard", ILLEGAL_FORM, 0, 1),
     .text = PRO "here:\n .word 0x0001ffff 0 0 0\n exit\n"},
    {TRAP("bits that must be zero", ILLEGAL_BITS, 0, 0x3),
     .text = PRO "here:\n .word 0x0000e000 0 0 0x80000000\n exit\n", .block = {2, 1, 1}},
    {TRAP("unused register field", ILLEGAL_BITS, 0, 1),
     .text = PRO "here:\n .word 0x0002e000 0 0 0\n exit\n"},
    {TRAP("register beyond the pages", REGISTER_RANGE, 0, 0xff),
     .text = PRO "mov.i R31, 0x1\n here:\n mov.i R32, 0x1\n exit\n", .block = {8, 1, 1}},
    {TRAP("register range under a false guard", REGISTER_RANGE, 0, 1),
     .text = PRO "here:\n @!PT add.rr R1, R40, R2\n exit\n"},
    {TRAP("the last register of a group counts", REGISTER_RANGE, 0, 1),
     .text = PRO "here:\n ld.global.b128 R30:R33, [R4:R5]\n exit\n"},
    {TRAP("branch behind the code", PC_RANGE, 0, 1), .text = PRO "bra #here\n exit\n here:\n"},
    {TRAP("falling off the end", PC_RANGE, 0, 0xffffffff), .text = PRO "mov.r R1, R0\n here:\n",
     .block = {32, 1, 1}},
    {TRAP("user trap of some lanes", USER, 4, 0x10),
     .text = PRO "setp.u32.ri P0, PT, R0, 0x4, PT {cmp=eq bop=none}\n here:\n @P0 trap\n exit\n",
     .block = {32, 1, 1}},
    {TRAP("return without call", CALL_DEPTH, 1, 0xfffffffe),
     .text = PRO "setp.u32.ri P0, PT, R0, 0x0, PT {cmp=ne bop=none}\n here:\n @P0 ret RZ\n exit\n",
     .block = {32, 1, 1}},
    {TRAP("call without end", CALL_DEPTH, 0, 1), .text = PRO "here:\n call R8, #here\n exit\n"},
    {TRAP("lane outside its member mask, immediate", SYNC_MASK, 16, 0xffffffff),
     .text = PRO "here:\n warpsync.i 0xffff\n exit\n", .block = {32, 1, 1}, .any_lanes = true},
    {TRAP("lane outside its member mask, register", SYNC_MASK, 3, 0xffffffff),
     .text = PRO "mov.i R2, 0xfffffff7\n here:\n vote.all.r RZ, P0, R2, PT\n exit\n",
     .block = {32, 1, 1}, .any_lanes = true},
    {TRAP("half in .sync, half at a barrier", SYNC_DEADLOCK, 0, 0xffffffff),
     .text = PRO "setp.u32.ri P0, PT, R0, 0x8, PT {cmp=lt bop=none}\n @P0 bra #then\n"
                 "warpsync.i 0xffffffff\n exit\n then:\n here:\n bar.sync.i B0:0\n exit\n",
     .block = {32, 1, 1}, .any_lanes = true},
    {TRAP("lanes at two barriers", BARRIER_MISUSE, 0, 0),
     .text = PRO "setp.u32.ri P0, PT, R0, 0x8, PT {cmp=lt bop=none}\n @P0 bra #then\n"
                 "bar.sync.i B1:0\n exit\n then:\n bar.sync.i B2:0\n exit\n",
     .block = {32, 1, 1}, .any_lanes = true, .words = UINT32_MAX},
    {TRAP("barrier number 16", BARRIER_MISUSE, 0, 0xffffffff),
     .text = PRO "mov.i R2, 0x10\n here:\n bar.sync.r R2, RZ\n exit\n", .block = {32, 1, 1},
     .any_lanes = true},
    {TRAP("thread count that is no multiple of 32", BARRIER_MISUSE, 0, 0xffffffff),
     .text = PRO "mov.i R2, 0x21\n here:\n bar.sync.r RZ, R2\n exit\n", .block = {32, 1, 1},
     .any_lanes = true},
    {TRAP("a warp arrives twice in a phase", BARRIER_MISUSE, 0, 0xffffffff),
     .text = PRO "bar.arrive.i B1:96\n here:\n bar.arrive.i B1:96\n exit\n", .block = {32, 1, 1},
     .any_lanes = true, .words = UINT32_MAX},
    {TRAP("misaligned load", MISALIGNED, 2, 0x3c),
     .text =
         PRO "mov.r R9, RZ\n mov.i R8, 0x2\n setp.u32.ri P0, PT, R0, 0x2, PT {cmp=ge bop=none}\n"
             "add64.rr R4:R5, R4:R5, R8:R9\n here:\n @P0 ld.global.b32 R1, [R4:R5]\n exit\n",
     .block = {6, 1, 1}},
    {TRAP("misaligned 16-byte store", MISALIGNED, 1, 0xf),
     .text = PRO "here:\n st.global.b128 [R4:R5], R4:R7\n exit\n", .block = {4, 1, 1}},
    {TRAP("misaligned before out of bounds", MISALIGNED, 0, 1),
     .text = PRO LIMIT "here:\n ld.global.b32 R1, [R8:R9+0x1]\n exit\n"},
    {TRAP("the lowest faulting lane decides", OUT_OF_BOUNDS, 1, 0x7),
     .text = PRO LIMIT "mov.r R2, R4\n mov.r R3, R5\n"
                       "setp.u32.ri P0, PT, R0, 0x1, PT {cmp=eq bop=none}\n"
                       "@P0 mov.r R2, R8\n @P0 mov.r R3, R9\n"
                       "setp.u32.ri P0, PT, R0, 0x2, PT {cmp=eq bop=none}\n"
                       "@P0 add.ri R2, R2, 0x1\n here:\n ld.global.b32 R1, [R2:R3]\n exit\n",
     .block = {3, 1, 1}},
    {TRAP("load behind the last byte", OUT_OF_BOUNDS, 0, 1),
     .text = PRO LIMIT "ld.global.b128 R12:R15, [R8:R9-0x10]\n ld.global.u8 R1, [R8:R9-0x1]\n"
                       "here:\n ld.global.u8 R1, [R8:R9]\n exit\n"},
    {TRAP("load before the first byte", OUT_OF_BOUNDS, 0, 1),
     .text = PRO LIMIT "ld.global.b64 R12:R13, [R10:R11]\n"
                       "here:\n ld.global.b32 R1, [R10:R11-0x4]\n exit\n"},
    {TRAP("load of the highest address", OUT_OF_BOUNDS, 0, 1),
     .text = PRO "mov.i R8, 0xfffffffc\n mov.i R9, 0xffffffff\n"
                 "here:\n ld.global.b32 R1, [R8:R9]\n exit\n"},
    {TRAP("generic address zero", OUT_OF_BOUNDS, 0, 1),
     .text = PRO "here:\n ld.gen.b32 R1, [RZ]\n exit\n"},
    {TRAP("shared access behind the CTA's bytes", OUT_OF_BOUNDS, 0, 1),
     .text = PRO "ld.shared.b32 R1, [RZ+0x3c]\n here:\n ld.shared.b32 R1, [RZ+0x40]\n exit\n",
     .shared = 64},
    {TRAP("shared access of another CTA's window", OUT_OF_BOUNDS, 0, 1),
     .text = PRO "here:\n ld.shared.b32 R1, [RZ+0x1000000]\n exit\n", .shared = 64},
    SHARED("0x8000", 0x0),
    SHARED("0x8004", 0x1),
    SHARED("0x800c", 0x2),
    SHARED("0x803c", 0x3),
    SHARED("0x4000", 0x5),
    SHARED("0x2000", 0xa),
    SHARED("0x1000", 0xf),
    SHARED("0x10000", 0x13),
    SHARED("0x80000000", 0x1e),
    {TRAP("atomic on local memory", OUT_OF_BOUNDS, 0, 1),
     .text = PRO "mov.r R8, RZ\n mov.i R9, 0x20000\n here:\n atom.gen.add.u32 R1, [R8:R9], R0\n"
                 "exit\n",
     .local = 16},
    {TRAP("local access behind the frame", STACK, 0, 1),
     .text = PRO "ld.local.b32 R1, [RZ+0xc]\n here:\n st.local.b32 [RZ+0x10], R1\n exit\n",
     .local = 16},
    {TRAP("local access without a frame", STACK, 0, 1),
     .text = PRO "here:\n ld.local.u8 R1, [RZ]\n exit\n"},
    {TRAP("constant bank 0 behind the parameters", CONST_RANGE, 0, 1),
     .text = PRO "ldc.b32 R1, c0[RZ+0x204]\n here:\n ldc.b32 R1, c0[RZ+0x208]\n exit\n"},
    {TRAP("constant access before the bank", CONST_RANGE, 0, 1),
     .text = PRO "here:\n ldc.b32 R1, c0[RZ-0x4]\n exit\n"},
    {TRAP("empty constant bank", CONST_RANGE, 0, 1),
     .text = PRO "here:\n ldc.u8 R1, c2[RZ]\n exit\n"},
    {TRAP("constant bank that does not exist", CONST_RANGE, 0, 1),
     .text = PRO "here:\n ldc.b32 R1, c3[RZ]\n exit\n"},
    {TRAP("misaligned constant load", MISALIGNED, 0, 1),
     .text = PRO "here:\n ldc.b32 R1, c0[RZ+0x202]\n exit\n"},
    {.name = NULL}};
