// Tensor memory (docs/microarchitecture.md 24): sizes, and types of the wires between its allocator
// (columns.sv), its parts (tmem.sv) and other units.
package tmem_pkg;
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;

  // Units of 32 columns, as they are allocated.
  localparam int unsigned Units = TmemColumns / 32;
  localparam int unsigned UnitBits = (Units > 1) ? $clog2(Units) : 1;
  localparam int unsigned MostBits = $clog2(Units + 1);
  typedef logic [Units-1:0]    units_t;   // a bit for each
  typedef logic [UnitBits-1:0] unit_t;
  typedef logic [MostBits-1:0] most_t;    // a number of units

  // Quarters of the lanes in one sub-core; rows of a quarter.
  localparam int unsigned Quarters = 4 / SubCores;
  localparam int unsigned QuarterBits = (Quarters > 1) ? $clog2(Quarters) : 1;
  localparam int unsigned TmemRows = TmemColumns * Beats;
  localparam int unsigned TmemRowBits = $clog2(TmemRows);
  localparam int unsigned ColumnBits = $clog2(TmemColumns);
  typedef logic [QuarterBits-1:0] quarter_t;  // in its sub-core
  typedef logic [TmemRowBits-1:0] tmem_row_t;
  typedef logic [ColumnBits-1:0]  column_t;

  // From the allocator: units that are allocated, and to which CTA slot.
  typedef struct packed {
    units_t                        used;
    logic [Units-1:0][CtaBits-1:0] cta;
  } columns_t;

  // From the dispatcher: a CTA slot is freed in this cycle (3).
  typedef struct packed {
    logic               valid;
    logic [CtaBits-1:0] cta;
  } cta_freed_t;

  // An instruction of the allocator in T.
  typedef struct packed {
    logic               valid;
    tmem_op_e           op;
    warp_slot_t         warp;
    logic [CtaBits-1:0] cta;
    logic [4:0]         lane;
    pc_t                pc;
    logic [31:0]        address;  // DEALLOC
    logic [31:0]        number;   // of columns
  } columns_command_t;

  // Word of a store: cycle after its X1, and in the cycle of its write.
  typedef struct packed {
    logic                valid;
    logic [BeatBits-1:0] beat;
    logic [3:0]          k;       // word of the instruction
    logic [Lanes-1:0]    mask;
  } tmem_word_t;
  typedef struct packed {
    logic             valid;
    quarter_t         quarter;
    tmem_row_t        row;
    logic [Lanes-1:0] mask;
  } tmem_write_t;

  // A load or a store whose address came in X1 in the cycle before, and what is found of it.
  typedef struct packed {
    logic        valid;
    logic        load;
    logic        half;
    logic [6:0]  last;     // columns, less one
    warp_t       warp;
    pc_t         pc;
    logic [31:0] a;
    logic [31:0] imm;      // of a load zero
  } tmem_access_t;
  typedef struct packed {
    logic     valid;
    logic     load;
    logic     ok;          // no fault
    quarter_t quarter;
    column_t  column;
    logic     half;
    logic     high;        // half: lanes 16 to 31
  } tmem_place_t;

  // Forms of the allocator; of loads and stores.
  // verilator lint_off UNUSEDSIGNAL // unit and operation tell them
  function automatic logic is_columns(input form_info_t info);
    return info.unit == UnitTmem && (info.op == 8'(TmemAlloc) || info.op == 8'(TmemDealloc) ||
                                     info.op == 8'(TmemRelinquish));
  endfunction
  function automatic logic is_load(input form_info_t info);
    return info.unit == UnitTmem && info.op == 8'(TmemLd);
  endfunction
  function automatic logic is_store(input form_info_t info);
    return info.unit == UnitTmem && info.op == 8'(TmemSt);
  endfunction
  // verilator lint_on UNUSEDSIGNAL
endpackage
