/* bulk_fault_cases.c: faults of bulk copies (docs/microarchitecture.md 23.1, 23.3). */
#include "tests/machine/bulk_cases.h"

/* ---- faults: of lane 9 of 32, which alone has other operands; the others' commands are right */
#define FAULT_OF(what, code, change, insn)                                                         \
  {.name = what,                                                                                   \
   .cause = WL_TRAP_##code,                                                                        \
   .lane = 9,                                                                                      \
   .any_lanes = true,                                                                              \
   .text = PRO BASE OPERANDS("0x400", "0x20", "0x20",                                              \
                             "0x8") "mov.i R3, 0x20\n mbar.shared.init RZ, [RZ+0x8], R3\n fence\n" \
                                    "setp.u32.ri P0, PT, R0, 0x9, PT {cmp=eq bop=none}\n" change   \
                                    "here:\n" insn "exit\n",                                       \
   .block = {32, 1, 1},                                                                            \
   .bulk = true,                                                                                   \
   .shared = 256}
#define LOAD_FAULT(what, code, change)  FAULT_OF(what ", load", code, change, LOAD)
#define STORE_FAULT(what, code, change) FAULT_OF(what ", store", code, change, STORE)
#define REDUCE_FAULT(what, code, change)                                                           \
  FAULT_OF(what ", add", code, change, "bulk.add.u32 R24:R27\n")
#define FAULT(what, code, change)                                                                  \
  LOAD_FAULT(what, code, change), STORE_FAULT(what, code, change), REDUCE_FAULT(what, code, change)
#define SET(reg, value) "@P0 mov.i " reg ", " value "\n"
#define ADD(reg, value) "@P0 add.ri " reg ", " reg ", " value "\n"

#define MISUSE(what, low, high, lanes_to, in_lane)                                                 \
  {.name = what,                                                                                   \
   .cause = WL_TRAP_MBARRIER,                                                                      \
   .lane = in_lane,                                                                                \
   .any_lanes = true,                                                                              \
   .text = PRO BASE OPERANDS("0x400", "0x20", "0x20",                                              \
                             "0x8") "mov.i R10, " low "\n mov.i R11, " high                        \
                                    "\n st.shared.b64 [RZ+0x8], R10:R11\n fence\n"                 \
                                    "setp.u32.ri P0, PT, R0, " lanes_to ", PT {cmp=ge bop=none}\n" \
                                    "here:\n @P0 " LOAD "exit\n",                                  \
   .block = {32, 1, 1},                                                                            \
   .bulk = true,                                                                                   \
   .shared = 256}

const machine_case_t machine_bulk_fault_cases[] = {
    FAULT("global address between halves", MISALIGNED, ADD("R24", "0x8")),
    FAULT("shared address between halves", MISALIGNED, ADD("R26", "0x4")),
    LOAD_FAULT("mbarrier at an upper word", MISALIGNED, SET("R28", "0xc")),
    FAULT("no bytes", COPY_SIZE, SET("R27", "0x0")),
    FAULT("not a multiple of 16 bytes", COPY_SIZE, SET("R27", "0x18")),
    FAULT("bytes of the highest bit and 8", COPY_SIZE, SET("R27", "0x80000008")),
    FAULT("global address below memory", OUT_OF_BOUNDS, SET("R25", "0x0") SET("R24", "0x10")),
    FAULT("global address above memory", OUT_OF_BOUNDS, ADD("R25", "0x10")),
    FAULT("a sum of 65 bits", OUT_OF_BOUNDS, SET("R25", "0xffffffff") SET("R24", "0xfffffff0")),
    FAULT("bytes behind memory", OUT_OF_BOUNDS, SET("R27", "0xfffffff0") SET("R26", "0x0")),
    FAULT("bytes behind the CTA's", OUT_OF_BOUNDS, SET("R26", "0xf0")),
    FAULT("shared address behind the CTA's", OUT_OF_BOUNDS, SET("R26", "0x100") SET("R27", "0x10")),
    FAULT("a sum of 33 bits", OUT_OF_BOUNDS, SET("R26", "0xfffffff0")),
    LOAD_FAULT("mbarrier behind the CTA's bytes", OUT_OF_BOUNDS, SET("R28", "0x100")),
    LOAD_FAULT("mbarrier at a sum of 33 bits", OUT_OF_BOUNDS, SET("R28", "0xfffffff8")),
    FAULT("address before size", MISALIGNED, ADD("R24", "0x8") SET("R27", "0x0")),
    LOAD_FAULT("mbarrier's address before size", MISALIGNED, SET("R28", "0x4") SET("R27", "0x0")),
    FAULT("size before bounds", COPY_SIZE, SET("R27", "0x8") SET("R26", "0x1000")),
    MISUSE("bulk load of more bytes than a transaction count has left, all lanes", "0x00100001",
           "0x20000002", "0x0", 0),
    MISUSE("bulk load of more bytes than a transaction count has left, lane 31", "0x00100001",
           "0x20000002", "0x1f", 31),
    {.name = NULL}};
