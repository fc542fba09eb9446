// warplock_cosim.h for test benches in SystemVerilog, for any simulator with DPI-C: link libwarplock_dpi
// (golden model and comparison only) or libwarplock. docs/cosim.md says what the calls do and in which
// order. What comes back are handles, verdicts and texts: nothing of the reference reaches the design.
// Several handles may be used at once. Not part of the core (rtl/files.txt).
package warplock_cosim_pkg;
  // Verdicts of cosim_step and cosim_end.
  localparam int CosimEqual = 0;
  localparam int CosimDone = 1;
  localparam int CosimDiverged = 2;
  localparam int CosimError = 3;
  localparam int unsigned RecordMaxWords = 35;  // WL_RECORD_MAX_WORDS: the longest record of any Lanes
  typedef bit [32*RecordMaxWords-1:0] record_words_t;  // word 0 in the lowest bits
  typedef logic [32*RecordMaxWords-1:0] record_logic_t;

  // hash: LayoutHash of the configuration's package that the design was made with. Never null unless
  // out of memory; when it was refused, cosim_text says why and every call fails.
  import "DPI-C" wl_sv_create = function chandle cosim_create(input string configuration,
    input longint unsigned hash, input longint unsigned seed, input string disturb,
    input int untimed);
  import "DPI-C" wl_sv_destroy = function void cosim_destroy(input chandle c);

  // 0: success, else cosim_text. Arguments in the order of the kernel's parameters, then the launch.
  import "DPI-C" wl_sv_load = function int cosim_load(input chandle c, input string path,
    input string kernel);
  import "DPI-C" wl_sv_arg = function int cosim_arg(input chandle c, input longint unsigned value,
    input int bytes);
  import "DPI-C" wl_sv_buffer = function int cosim_buffer(input chandle c,
    input longint unsigned bytes, input string path);  // "": zeros; its address is the argument
  import "DPI-C" wl_sv_launch = function int cosim_launch(input chandle c, input int grid_x,
    input int grid_y, input int grid_z, input int block_x, input int block_y, input int block_z,
    input int shared);
  import "DPI-C" wl_sv_launch_block = function longint unsigned cosim_launch_block(input chandle c);
  // Device memory at the launch as a file for $readmemh, one sector of 32 bytes per word.
  import "DPI-C" wl_sv_image = function int cosim_image(input chandle c, input string path);

  // Every clock: the records of its events, then the step. Stores of the design to its memory, for
  // the comparison at the end. X and Z of the design's signals are differences: cosim_step then gives
  // CosimDiverged, and cosim_text names record, word and bits. Of a store only the bytes that are
  // written count, of a trap register that is not valid only `valid`.
  import "DPI-C" wl_sv_record_logic = function void cosim_record_logic(input chandle c,
    input int kind, input int words, input record_logic_t data);
  import "DPI-C" wl_sv_store_logic = function void cosim_store_logic(input chandle c,
    input logic [63:0] address, input logic [255:0] data, input logic [31:0] strobe);
  // Before the step, at least where the launch ends: what the design's trap register holds.
  import "DPI-C" wl_sv_trap_logic = function void cosim_trap_logic(input chandle c,
    input logic valid, input logic [31:0] cause, input logic [31:0] warp, input logic [31:0] lane,
    input logic [31:0] pc, input logic [63:0] address);
  import "DPI-C" wl_sv_step_logic = function int cosim_step_logic(input chandle c,
    input logic done, input logic hang);
  import "DPI-C" wl_sv_end = function int cosim_end(input chandle c);
  import "DPI-C" wl_sv_text = function string cosim_text(input chandle c);

  // The same for values of two states: a simulator of four states turns X and Z into 0 on the way, so
  // they are for models that have none.
  import "DPI-C" wl_sv_record = function void cosim_record(input chandle c, input int kind,
    input int words, input record_words_t data);
  import "DPI-C" wl_sv_store = function void cosim_store(input chandle c,
    input longint unsigned address, input bit [255:0] data, input int unsigned strobe);
  import "DPI-C" wl_sv_trap = function void cosim_trap(input chandle c, input int valid,
    input int unsigned cause, input int unsigned warp, input int unsigned lane,
    input int unsigned pc, input longint unsigned address);
  import "DPI-C" wl_sv_step = function int cosim_step(input chandle c, input int done,
    input int hang);
endpackage
