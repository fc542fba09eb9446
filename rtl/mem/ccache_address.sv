// Constant loads: bank of an instruction, and address and faults of a pass (docs/microarchitecture.md
// 12). The bank is fixed by the instruction: FILL adds what does not depend on the lanes.
module ccache_address
  import wl_pkg::*;
  import config_pkg::*;
(
  input  logic        clk_i,
  // verilator lint_off UNUSEDSIGNAL // the small rows' banks are below 128 KB
  input  logic [31:0] lb_i [LaunchBlockWords],
  // verilator lint_on UNUSEDSIGNAL
  input  mem_type_e   type_i,
  input  logic [31:0] imm_i,         // bank and offset
  input  logic        fill_i,
  input  logic        pass_i,
  input  logic [31:0] lead_a_i,      // a of the leader, in PASS
  output logic [31:0] pass_addr_o,   // address, in PASS
  // From the next cycle on.
  output logic [31:0] addr_o,
  output logic        next_o,        // the upper word is the device memory's and 1
  output logic        bank_ok_o,
  output logic        misaligned_o,
  output logic        fault_o
);
  localparam int unsigned SizeBits = (Beats > 1) ? 18 : 32;
  // Of the bank.
  logic [31:0] sum_q;        // its base + offset of the instruction
  logic        sum_carry_q;
  logic        bank_ok_q;
  logic        none_q;       // no offset is legal
  logic [31:0] limit_q;      // offset of the instruction - highest legal offset - 1
  logic        carry_q;      // of this sum
  logic [3:0]  align_q;      // of an offset at which the address is a multiple of 16
  // Of the pass.
  logic [31:0] addr_q;
  logic        next_q, mis_q, fault_q;

  // FILL. An offset is beyond its highest legal one if offset + ~highest has a carry. The sum
  // a + imm + ~highest is made of a and limit = imm + ~highest. Its carries are as many as those of
  // a + imm and of the sum of that and ~highest.
  // Timing: so PASS needs no comparison after the offset.
  logic [3:0]          low;      // access bytes - 1
  logic [31:0]         imm;
  logic                bank_ok_d, some_legal, none_d;
  logic [31:0]         base, beyond;
  logic [32:0]         sum_d;
  logic [SizeBits-1:0] size;
  logic [32:0]         limit_d;
  assign imm = {{4{imm_i[27]}}, imm_i[27:0]};
  always_comb begin
    unique case (type_i)
      MemTypeU8, MemTypeS8:   low = 4'd0;
      MemTypeU16, MemTypeS16: low = 4'd1;
      MemTypeB64:             low = 4'd7;
      MemTypeB128:            low = 4'd15;
      default:                low = 4'd3;
    endcase
  end
  always_comb begin
    bank_ok_d = imm_i[31:28] < 4'd3;
    {base, size, sum_d, none_d, some_legal, limit_d} = 'x;
    beyond = '1;
    if (fill_i) begin
      base = '0;   // shown by the trap of a bank that is not there
      unique case (imm_i[31:28])
        4'd0: begin
          base = lb_i[LaunchC0Base];
          size = SizeBits'(512) + lb_i[LaunchParamBytes][SizeBits-1:0];
        end
        4'd1: begin
          base = lb_i[LaunchC1Base];
          size = lb_i[LaunchC1Bytes][SizeBits-1:0];
        end
        4'd2: begin
          base = lb_i[LaunchC2Base];
          size = lb_i[LaunchC2Bytes][SizeBits-1:0];
        end
        default: ;
      endcase
      // ~highest = -highest - 1 = low - size, negative if some offset is legal
      {some_legal, beyond[SizeBits-1:0]} = (SizeBits+1)'(low) - {1'b0, size};
      none_d = !some_legal || !bank_ok_d;
      limit_d = {1'b0, imm} + {1'b0, beyond};
      sum_d = {1'b0, base} + {1'b0, imm};
    end
  end

  // PASS. The address is one sum, too, of a and base + imm.
  logic [32:0] off, over, addr_d;
  logic        mis, fault;
  always_comb begin
    {off, over, addr_d, mis, fault} = 'x;
    if (pass_i) begin
      off = {1'b0, lead_a_i} + {1'b0, imm};
      over = {1'b0, lead_a_i} + {1'b0, limit_q};
      addr_d = {1'b0, lead_a_i} + {1'b0, sum_q};
      // Timing: the address's low bits are compared without its sum, which lies elsewhere.
      mis = ((off[3:0] ^ align_q) & low) != '0;
      fault = mis || none_q || (over[32] ^ off[32] ^ carry_q);
    end
  end
  always_ff @(posedge clk_i) begin
    if (fill_i) begin
      {sum_carry_q, sum_q} <= sum_d;
      align_q <= 4'd0 - base[3:0];
      bank_ok_q <= bank_ok_d;
      none_q <= none_d;
      {carry_q, limit_q} <= limit_d;
    end
    if (pass_i) begin
      addr_q <= addr_d[31:0];
      // An offset has 32 bits: its own carry is none of the address.
      next_q <= addr_d[32] ^ sum_carry_q ^ off[32];
      mis_q <= mis;
      fault_q <= fault;
    end
  end

  assign pass_addr_o = addr_d[31:0];
  assign addr_o = addr_q;
  assign next_o = next_q;
  assign bank_ok_o = bank_ok_q;
  assign misaligned_o = mis_q;
  assign fault_o = fault_q;
  logic unused;
  assign unused = ^{off[31:4], over[31:0]};
endmodule
