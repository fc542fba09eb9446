// Another coalescer with the ports of rtl/mem/coalescer.sv, written byte by byte from
// docs/microarchitecture.md 10: the step's lanes and addresses are kept, and for every byte of the
// packet the highest served lane that covers it is looked up. Small to read, large in gates.
module coalescer
  import wl_pkg::*;
  import config_pkg::*;
#(
  localparam int unsigned Group = (LsuLanes < 8) ? LsuLanes : 8   // lanes of a group
) (
  input  logic         clk_i,
  input  logic         en_i,
  input  logic         out_i,
  input  logic         local_i,
  input  logic         is_load_i,
  input  logic         is_atom_i,
  input  logic         is_cas_i,
  input  logic [2:0]   size_i,
  input  logic [1:0]   part_i,
  input  logic [2:0]   first_i,     // the group's first lane, among eight
  input  logic [Group-1:0] pending_i,
  input  logic [Group-1:0] lead_i,
  // verilator lint_off UNUSEDSIGNAL // the leader's number: one-hot is enough here
  input  logic [$clog2(Group)-1:0] lead_at_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:2]  lead_ea_i,
  input  logic [31:0]  ea_i   [Group],
  // verilator lint_off UNUSEDSIGNAL // what two lanes share, compared beforehand: compared here
  input  lsu_pkg::same_t same_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [31:0]  data_i [Group][4],
  input  logic [31:0]  more_i [4],  // words 4 to 7 of the leader, for a cas of 128 bits
  output logic [Group-1:0] served_o,
  output logic [31:0]  mask_o,
  output logic [255:0] data_o
);

  // ---- The step: who is served.
  always_comb begin
    logic [Group-1:0] match;
    match = '0;
    for (int i = 0; i < int'(Group); i++) begin
      match[i] = pending_i[i] && ea_i[i][31:5] == lead_ea_i[31:5] &&
                 (!local_i || ea_i[i][4:2] == lead_ea_i[4:2]);
    end
    served_o = match;
    for (int i = 1; i < int'(Group); i++) begin
      // Atomics: of lanes with equal address only the lowest.
      for (int j = 0; j < i; j++) begin
        if (is_atom_i && match[j] && ea_i[i] == ea_i[j]) served_o[i] = 1'b0;
      end
    end
    // cas, and any of 16 bytes: the leader alone.
    if (is_cas_i || (is_atom_i && size_i == 3'd4)) served_o = lead_i;
    if (!en_i) served_o = '0;
  end

  // ---- What the packet is made of, as of the step.
  logic         is_load_q, is_cas_q;
  logic [Group-1:0] served_q;
  logic [5:0]   bytes_q;        // of one lane in this packet
  logic [3:0]   first_q;        // first byte of the operand in this part
  logic [4:0]   at_q   [Group];     // first byte of each lane in the sector
  logic [255:0] data_q [Group];
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      is_load_q <= is_load_i;
      is_cas_q <= is_cas_i;
      served_q <= served_o;
      bytes_q <= 6'd1 << size_i;
      first_q <= '0;
      if (local_i && size_i > 3'd2) begin
        bytes_q <= 6'd4;
        first_q <= {part_i, 2'b00};
      end else if (LsuWords == 2 && size_i == 3'd4) begin
        bytes_q <= 6'd8;
        first_q <= {part_i[0], 3'b000};
      end
      for (int i = 0; i < int'(Group); i++) begin
        at_q[i] <= ea_i[i][4:0];
        if (local_i) at_q[i] <= {3'(i) | first_i, ea_i[i][1:0]};
        else if (LsuWords == 2 && size_i == 3'd4) at_q[i] <= {ea_i[i][4], part_i[0], ea_i[i][2:0]};
        data_q[i] <= {more_i[3], more_i[2], more_i[1], more_i[0],
                      data_i[i][3], data_i[i][2], data_i[i][1], data_i[i][0]};
      end
    end
  end

  // ---- The packet. cas: operands are {new value, compare value}, each of the access size.
  always_comb begin
    logic [5:0] off;
    logic [3:0] from;
    logic [4:0] half;
    off = '0;
    from = '0;
    half = '0;
    mask_o = '0;
    data_o = '0;
    for (int b = 0; b < 32; b++) begin
      for (int i = 0; i < int'(Group); i++) begin
        off = 6'(b) - {1'b0, at_q[i]};   // wraps where the lane starts above b
        if (served_q[i] && off < bytes_q) begin
          mask_o[b] = 1'b1;
          from = first_q + off[3:0];
          if (is_cas_q) begin
            half = {1'b0, 4'(b)};
            data_o[8 * half +: 8] = data_q[i][8 * (32'(from) + 32'(bytes_q)) +: 8];
            data_o[8 * (half | 5'h10) +: 8] = data_q[i][8 * from +: 8];
          end else if (!is_load_q) begin
            data_o[8*b +: 8] = data_q[i][8 * from +: 8];
          end
        end
      end
    end
  end

  logic unused_out;
  assign unused_out = out_i;   // mask and data are always there
endmodule
