// What the journal's modules (journal.sv, docs/microarchitecture.md 15) call beside their imports: the
// functions that isa/def/journal.def names in its CLEAR rows, and, in simulation, the contents of
// memories at time 0. No import computes a result; wl_j_seed only hands over the run seed.
`ifdef WL_JOURNAL
package journal_pkg;
  import config_pkg::Lanes;

  // Lanes as one vector, lane 0 in the lowest bits.
  function automatic logic [32*Lanes-1:0] lane_vector(input logic [31:0] lanes [Lanes]);
    for (int unsigned l = 0; l < Lanes; l++) lane_vector[32*l+:32] = lanes[l];
  endfunction

  // Words of disabled lanes are 0. Lanes are one vector, lane 0 in the lowest bits.
  function automatic logic [32*Lanes-1:0] enabled_lanes(input logic [31:0] mask,
                                                        input logic [32*Lanes-1:0] data);
    logic [32*Lanes-1:0] v;
    for (int unsigned l = 0; l < Lanes; l++) v[32*l+:32] = mask[l] ? data[32*l+:32] : '0;
    return v;
  endfunction

  // Bytes that are not written are 0.
  function automatic logic [31:0] enabled_bytes(input logic [31:0] bytes, input logic [31:0] data);
    logic [31:0] v;
    for (int unsigned i = 0; i < 4; i++) v[8*i+:8] = bytes[i] ? data[8*i+:8] : '0;
    return v;
  endfunction

  // A unit may put anything where nobody looks: data of a load, bytes outside the mask (cas:
  // outside the element in both halves, rtl/mem/coalescer.sv), data of an answer without data
  // (rtl/gpu/orderpoint.sv). In a record they are 0.
  function automatic logic [255:0] packet_data(input logic [31:0] op, input logic [31:0] atom,
                                               input logic [31:0] mask, input logic [255:0] data);
    logic [31:0]  bytes;
    logic [255:0] v;
    bytes = mask;
    if (atom == 32'(wl_pkg::AtomCas)) bytes |= {mask[15:0], mask[31:16]};
    if (op == 32'(port_pkg::OpLd)) bytes = '0;
    for (int unsigned i = 0; i < 32; i++) v[8*i+:8] = bytes[i] ? data[8*i+:8] : '0;
    return v;
  endfunction

  function automatic logic [255:0] response_data(input logic [31:0] op, input logic [255:0] data);
    return (op == 32'(port_pkg::OpLd) || op == 32'(port_pkg::OpAtom)) ? data : '0;
  endfunction

`ifndef WL_BOARD
  import "DPI-C" function longint unsigned wl_j_seed();

  // Contents of a seeded memory at time 0: splitmix64 finaliser of section 15, low 32 bits.
  function automatic logic [31:0] seed_word(input logic [63:0] seed, input int unsigned kind,
                                            input int unsigned index);
    logic [63:0] z;
    z = seed + 64'h9E37_79B9_7F4A_7C15 * ((64'(kind) << 56) + 64'(index) + 64'd1);
    z = (z ^ (z >> 30)) * 64'hBF58_476D_1CE4_E5B9;
    z = (z ^ (z >> 27)) * 64'h94D0_49BB_1331_11EB;
    z = z ^ (z >> 31);
    return z[31:0];
  endfunction
`endif
endpackage
`endif
