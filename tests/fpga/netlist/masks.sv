// Records as the netlist makes them, on their way to rtl/dpi/journal.sv: in gates a unit may put
// anything where nobody looks; in a record that is 0 (docs/microarchitecture.md 13, 15). Data of
// a load; bytes outside the mask, of a cas outside the element in both halves of the sector; data
// of an answer that has none.
// verilator lint_off DECLFILENAME // two modules
module gates_packet (
  input logic         clk_i,
  input logic         valid_i,
  input logic [31:0]  op_i,
  input logic [31:0]  atom_i,
  input logic [31:0]  atype_i,
  input logic [31:0]  unit_i,
  input logic [31:0]  tag_i,
  input logic [31:0]  sector_lo_i,
  input logic [31:0]  sector_hi_i,
  input logic [31:0]  mask_i,
  input logic [255:0] data_i
);
  logic [31:0]  bytes;
  logic [255:0] data;
  always_comb begin
    bytes = mask_i;
    if (atom_i == 32'(wl_pkg::AtomCas)) bytes = mask_i | {mask_i[15:0], mask_i[31:16]};
    if (op_i == 32'(port_pkg::OpLd)) bytes = '0;
    for (int unsigned i = 0; i < 32; i++) data[8*i+:8] = data_i[8*i+:8] & {8{bytes[i]}};
  end
  journal_packet u_packet (
    .clk_i, .valid_i, .op_i, .atom_i, .atype_i, .unit_i, .tag_i, .sector_lo_i, .sector_hi_i,
    .mask_i, .data_i(data)
  );
endmodule

module gates_response (
  input logic         clk_i,
  input logic         valid_i,
  input logic [31:0]  op_i,
  input logic [31:0]  unit_i,
  input logic [31:0]  tag_i,
  input logic [255:0] data_i
);
  logic has_data;
  assign has_data = op_i == 32'(port_pkg::OpLd) || op_i == 32'(port_pkg::OpAtom);
  journal_response u_response (
    .clk_i, .valid_i, .op_i, .unit_i, .tag_i, .data_i(data_i & {256{has_data}})
  );
endmodule
// verilator lint_on DECLFILENAME
