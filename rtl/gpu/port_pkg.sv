// Codes of the SM port (docs/microarchitecture.md 13): operations and requesters of the packets.
package port_pkg;
  typedef enum logic [2:0] {
    OpLd   = 3'd0,
    OpSt   = 3'd1,
    OpAtom = 3'd2,  // returns old data
    OpRed  = 3'd3   // no data back
  } packet_op_e;

  typedef enum logic [1:0] {
    PortDisp   = 2'd0,
    PortIcache = 2'd1,
    PortLdc    = 2'd2,
    PortLsu    = 2'd3
  } port_unit_e;

  localparam int unsigned LowBits = 27;  // sector bits that differ in a block of 4 GiB
endpackage
