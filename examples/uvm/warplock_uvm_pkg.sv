// A scoreboard for UVM around warplock_cosim_pkg (docs/cosim.md, From SystemVerilog). A monitor of the
// design sends one warplock_clock per clock, with what acted in it; the scoreboard gives it to the golden
// model and reports the first difference as an error. Its arguments come as `logic`, so X is a
// difference. The design's memory is the test bench's own: image() writes what it is to hold.
`include "uvm_macros.svh"

package warplock_uvm_pkg;
  import uvm_pkg::*;
  import warplock_cosim_pkg::*;

  typedef struct {
    int            kind;   // wl_pkg::Record*
    int            words;
    record_logic_t data;   // word 0 in the lowest bits
  } warplock_record_t;

  typedef struct {
    logic [63:0]  address;  // a multiple of 32
    logic [255:0] data;
    logic [31:0]  strobe;
  } warplock_store_t;

  // One clock of the design.
  class warplock_clock extends uvm_sequence_item;
    warplock_record_t records[$];
    warplock_store_t  stores[$];
    logic             done, hang;  // outputs after the clock's edge
    logic             trap_valid;
    logic [31:0]      trap_cause, trap_warp, trap_lane, trap_pc;
    logic [63:0]      trap_address;

    `uvm_object_utils(warplock_clock)

    function new(string name = "warplock_clock");
      super.new(name);
      done = 1'b0;
      hang = 1'b0;
      trap_valid = 1'b0;
    endfunction
  endclass

  class warplock_scoreboard extends uvm_scoreboard;
    uvm_analysis_imp #(warplock_clock, warplock_scoreboard) clocks;
    int unsigned launches;  // that ended, equal
    protected chandle cosim;
    protected bit     running, failed;

    `uvm_component_utils(warplock_scoreboard)

    function new(string name, uvm_component parent);
      super.new(name, parent);
    endfunction

    function void build_phase(uvm_phase phase);
      super.build_phase(phase);
      clocks = new("clocks", this);
    endfunction

    // Before the first launch. layout_hash: LayoutHash of the design's configuration package.
    function bit open(string configuration, longint unsigned layout_hash, longint unsigned seed = 1,
                      string disturb = "none", bit untimed = 1'b0);
      cosim = cosim_create(configuration, layout_hash, seed, disturb, int'(untimed));
      return cosim_text(cosim) == "" || complain("create");
    endfunction

    // A kernel, its arguments in order, then launch(): each gives 0 and an error of UVM when it fails.
    function bit load(string path, string kernel);
      return cosim_load(cosim, path, kernel) == 0 || complain("load");
    endfunction

    function bit value_arg(longint unsigned value, int bytes);
      return cosim_arg(cosim, value, bytes) == 0 || complain("argument");
    endfunction

    function bit buffer_arg(longint unsigned bytes, string path = "");
      return cosim_buffer(cosim, bytes, path) == 0 || complain("buffer");
    endfunction

    function bit launch(int grid_x, int block_x, int grid_y = 1, int grid_z = 1, int block_y = 1,
                        int block_z = 1, int shared = 0);
      running = cosim_launch(cosim, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared) == 0;
      return running || complain("launch");
    endfunction

    // What the design is to be started with, and its memory for $readmemh.
    function longint unsigned launch_block();
      return cosim_launch_block(cosim);
    endfunction

    function bit image(string path);
      return cosim_image(cosim, path) == 0 || complain("image");
    endfunction

    // From the monitor.
    function void write(warplock_clock t);
      int verdict;
      if (failed) return;  // the first difference is the one to look at
      foreach (t.records[i])
        cosim_record_logic(cosim, t.records[i].kind, t.records[i].words, t.records[i].data);
      foreach (t.stores[i])
        cosim_store_logic(cosim, t.stores[i].address, t.stores[i].data, t.stores[i].strobe);
      cosim_trap_logic(cosim, t.trap_valid, t.trap_cause, t.trap_warp, t.trap_lane, t.trap_pc,
                       t.trap_address);
      verdict = cosim_step_logic(cosim, t.done, t.hang);
      if (verdict == CosimDone) begin
        running = 1'b0;
        verdict = cosim_end(cosim);
        if (verdict == CosimDone) begin
          launches++;
          `uvm_info("WARPLOCK", cosim_text(cosim), UVM_LOW)
          verdict = CosimEqual;
        end
      end
      if (verdict != CosimEqual) void'(complain("compare"));
    endfunction

    function void check_phase(uvm_phase phase);
      super.check_phase(phase);
      if (running && !failed) `uvm_error("WARPLOCK", "the test ended before the launch did")
    endfunction

    function void final_phase(uvm_phase phase);
      super.final_phase(phase);
      cosim_destroy(cosim);
      cosim = null;
    endfunction

    // Always 0, so that a call that failed can be returned as it.
    protected function bit complain(string what);
      failed = 1'b1;
      `uvm_error("WARPLOCK", {what, ": ", cosim_text(cosim)})
      return 1'b0;
    endfunction
  endclass
endpackage
