/* tmem_fault_cases.c: traps of tensor memory, with their addresses (docs/microarchitecture.md 24.1, 24.2). */
#include "tests/machine/tmem_cases.h"

#define FAULT(what, code, at, program)                                                             \
  {.name = what,                                                                                   \
   .cause = WL_TRAP_##code,                                                                        \
   .any_lanes = true,                                                                              \
   .address = at,                                                                                  \
   .text = PRO program "exit\n",                                                                   \
   .block = {32, 1, 1},                                                                            \
   .regs = 64,                                                                                     \
   .columns = 64,                                                                                  \
   .shared = 1024}
#define ASK(columns) "mov.i R3, " columns "\n tmem.alloc R3\n"
#define GIVE(address, columns)                                                                     \
  "mov.i R2, " address "\n mov.i R3, " columns "\n tmem.dealloc R2, R3\n"
#define ALLOC_FAULT(what, code, at, before, columns)                                               \
  FAULT(what, code, at, before "mov.i R3, " columns "\n here:\n tmem.alloc R3\n")
#define DEALLOC_FAULT(what, code, at, before, address, columns)                                    \
  FAULT(what, code, at,                                                                            \
        before "mov.i R2, " address "\n mov.i R3, " columns "\n here:\n tmem.dealloc R2, R3\n")
#define LOAD_FAULT(what, code, at, before, address, count)                                         \
  FAULT(what, code, at, before "mov.i R2, " address "\n here:\n tmem.ld R16, R2, " count "\n")
#define STORE_FAULT(what, code, at, before, address, imm, mods)                                    \
  FAULT(what, code, at,                                                                            \
        before "mov.i R2, " address "\n here:\n tmem.st.4 R2, R16:R19, " imm mods "\n")

const machine_case_t machine_tmem_fault_cases[] = {
    ALLOC_FAULT("allocation of no power of two", TMEM_COLUMNS, 0x30, "", "0x30"),
    ALLOC_FAULT("allocation of 16 columns", TMEM_COLUMNS, 0x10, "", "0x10"),
    ALLOC_FAULT("allocation of 1,024 columns", TMEM_COLUMNS, 0x400, "", "0x400"),
    ALLOC_FAULT("allocation of 2^31 columns", TMEM_COLUMNS, 0x80000000, "", "0x80000000"),
    {.name = "allocation of more columns than there are",
     .cause = WL_TRAP_TMEM_COLUMNS,
     .any_lanes = true,
     .address = 0x80,
     .text = "mov.i R3, 0x80\n here:\n tmem.alloc R3\n exit\n",
     .block = {32, 1, 1},
     .columns = 64,
     .most_columns = 64},
    ALLOC_FAULT("allocation without the permit", TMEM_PERMIT, 0x20, "tmem.relinquish\n", "0x20"),
    ALLOC_FAULT("number of columns before the permit", TMEM_COLUMNS, 0x21, "tmem.relinquish\n",
                "0x21"),
    ALLOC_FAULT("the permit before a growing number", TMEM_PERMIT, 0x40,
                ASK("0x20") "tmem.relinquish\n", "0x40"),
    ALLOC_FAULT("a growing number of columns", TMEM_GROWS, 0x40, ASK("0x20"), "0x40"),
    ALLOC_FAULT("a growing number of columns, of freed ones", TMEM_GROWS, 0x40,
                ASK("0x20") GIVE("0x0", "0x20"), "0x40"),
    DEALLOC_FAULT("freeing of 48 columns", TMEM_COLUMNS, 0x30, ASK("0x40"), "0x0", "0x30"),
    DEALLOC_FAULT("freeing of what is not allocated", TMEM_DEALLOC, 0x20, ASK("0x20"), "0x20",
                  "0x20"),
    DEALLOC_FAULT("freeing twice", TMEM_DEALLOC, 0x20, ASK("0x20") ASK("0x20") GIVE("0x20", "0x20"),
                  "0x20", "0x20"),
    DEALLOC_FAULT("freeing of more than was allocated", TMEM_DEALLOC, 0x20,
                  ASK("0x40") GIVE("0x0", "0x40") ASK("0x20") ASK("0x20"), "0x20", "0x40"),
    DEALLOC_FAULT("freeing by an address of another lane", TMEM_DEALLOC, 0x100000,
                  ASK("0x20") ASK("0x20"), "0x100000", "0x20"),
    DEALLOC_FAULT("freeing of two allocations as one", TMEM_DEALLOC, 0,
                  ASK("0x40") GIVE("0x0", "0x40") ASK("0x20") ASK("0x20"), "0x0", "0x40"),
    DEALLOC_FAULT("freeing of a first half", TMEM_DEALLOC, 0, ASK("0x40"), "0x0", "0x20"),
    DEALLOC_FAULT("freeing between units", TMEM_DEALLOC, 0x8, ASK("0x20"), "0x8", "0x20"),
    DEALLOC_FAULT("freeing of a second half", TMEM_DEALLOC, 0x20, ASK("0x40"), "0x20", "0x20"),
    DEALLOC_FAULT("freeing behind the last column", TMEM_DEALLOC, 0xffe0, ASK("0x20"), "0xffe0",
                  "0x20"),
    LOAD_FAULT("load of another quarter", TMEM_LANES, 0x200000, ASK("0x20"), "0x200000", "0x0"),
    LOAD_FAULT("load of the upper half of the lanes", TMEM_LANES, 0x100000, ASK("0x20"), "0x100000",
               "0x0"),
    LOAD_FAULT("load of a lane above 127", TMEM_LANES, 0x800001, ASK("0x20"), "0x800001", "0x0"),
    LOAD_FAULT("load of a column that is not allocated", TMEM_RANGE, 0x20, ASK("0x20"), "0x20",
               "0x0"),
    LOAD_FAULT("load of one column more than allocated", TMEM_RANGE, 0x1, ASK("0x20"), "0x1",
               "0x1f"),
    LOAD_FAULT("load of a column that does not exist", TMEM_RANGE, 0x1000, ASK("0x40"), "0x1000",
               "0x0"),
    LOAD_FAULT("load of columns beyond 16 bits", TMEM_RANGE, 0xffff, ASK("0x40"), "0xffff", "0x7"),
    LOAD_FAULT("lanes before columns", TMEM_LANES, 0x20ffff, ASK("0x40"), "0x20ffff", "0x7"),
    LOAD_FAULT("load of what was freed", TMEM_RANGE, 0x5, ASK("0x20") GIVE("0x0", "0x20"), "0x5",
               "0x0"),
    STORE_FAULT("store to another quarter", TMEM_LANES, 0x600003, ASK("0x20"), "0x600000", "0x3",
                ""),
    STORE_FAULT("store to the upper half without the modifier", TMEM_LANES, 0x100000, ASK("0x20"),
                "0x100000", "0x0", ""),
    STORE_FAULT("store to half of another quarter", TMEM_LANES, 0x300000, ASK("0x20"), "0x300000",
                "0x0", " {half}"),
    STORE_FAULT("store to a quarter of the lanes", TMEM_LANES, 0x80000, ASK("0x20"), "0x80000",
                "0x0", " {half}"),
    STORE_FAULT("store of one column more than allocated", TMEM_RANGE, 0x1d, ASK("0x20"), "0x0",
                "0x1d", ""),
    STORE_FAULT("store to columns below zero", TMEM_RANGE, 0xffffffff, ASK("0x20"), "0x0",
                "0xffffffff", ""),
    STORE_FAULT("store by an offset of 2^16", TMEM_RANGE, 0x10004, ASK("0x20"), "0x0", "0x10004",
                ""),
    STORE_FAULT("offsets have no sign", TMEM_RANGE, 0x5, ASK("0x20"), "0x9", "0xfffffffc", ""),
    STORE_FAULT("store without an allocation", TMEM_RANGE, 0x4, "", "0x0", "0x4", ""),
    {.name = NULL}};
