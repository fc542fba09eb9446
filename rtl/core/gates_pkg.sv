// What the modules do otherwise in gates than in simulation, with the same results. Needs no other
// package.
package gates_pkg;
  // In simulation a unit computes nothing where nobody looks at the result: `if (used || Always)`.
  // In gates such a disable costs a LUT per bit and gains nothing.
`ifdef SYNTHESIS
  localparam bit Always = 1'b1;
`else
  localparam bit Always = 1'b0;
`endif
endpackage
