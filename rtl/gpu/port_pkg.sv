// Operations of the packets of the SM port (docs/microarchitecture.md 13). Their requesters are
// port_unit_e of wl_pkg.
package port_pkg;
  typedef enum logic [2:0] {
    OpLd   = 3'd0,
    OpSt   = 3'd1,
    OpAtom = 3'd2,  // returns old data
    OpRed  = 3'd3   // no data back
  } packet_op_e;

  localparam int unsigned LowBits = 27;  // sector bits that differ in a block of 4 GiB
endpackage
