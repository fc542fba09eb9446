// Copy engine: the first fault of a command (docs/microarchitecture.md 23.1).
module copy_judge
  import wl_pkg::*;
  import sm_pkg::*;
  import copy_pkg::*;
(
  // verilator lint_off UNUSEDSIGNAL // its words
  input  command_t    command_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [63:0] mem_base_i,
  input  logic [63:0] mem_limit_i,
  input  logic [31:0] smem_bytes_i,
  output logic        bad_o,
  output trap_t       trap_o
);
  // In the order of the table.
  logic [6:0] fault;
  logic       load;
  assign load = is_load(command_i.kind);
  assign bad_o = fault != '0;
  always_comb begin
    fault = '0;
    if (command_i.valid) begin
      fault[0] = command_i.g[3:0] != '0;
      fault[1] = command_i.s[3:0] != '0;
      fault[2] = load && command_i.m[2:0] != '0;
      fault[3] = command_i.k == '0 || command_i.k[3:0] != '0;
      fault[4] = command_i.g < mem_base_i || 65'(command_i.g) + 65'(command_i.k) > 65'(mem_limit_i);
      fault[5] = 33'(command_i.s) + 33'(command_i.k) > 33'(smem_bytes_i);
      fault[6] = load && 33'(command_i.m) + 33'd8 > 33'(smem_bytes_i);
    end
  end
  always_comb begin
    trap_o = 'x;
    trap_o.valid = bad_o;
    if (bad_o) begin
      trap_o.warp = command_i.warp;
      trap_o.lane = command_i.lane;
      trap_o.pc = command_i.pc;
      trap_o.cause = (fault[2:0] != '0) ? TrapMisaligned
                     : fault[3] ? TrapCopySize : TrapOutOfBounds;
      if (fault[0]) trap_o.addr = command_i.g;
      else if (fault[1]) trap_o.addr = 64'(command_i.s);
      else if (fault[2]) trap_o.addr = 64'(command_i.m);
      else if (fault[3]) trap_o.addr = 64'(command_i.k);
      else if (fault[4]) trap_o.addr = command_i.g;
      else if (fault[5]) trap_o.addr = 64'(command_i.s);
      else trap_o.addr = 64'(command_i.m);
    end
  end
endmodule
