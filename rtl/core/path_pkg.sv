// Codes of the path table and of the path engine (docs/microarchitecture.md 7.1, 7.3).
package path_pkg;
  // State of a table row, as the journal writes it.
  typedef enum logic [2:0] {
    RowReady = 3'd0,
    RowSync  = 3'd1,
    RowBar   = 3'd2,
    RowBarc  = 3'd3,  // contributed, waits for the CTA barrier
    RowSleep = 3'd4
  } row_state_e;

  // Change of the call depth of the lanes of E.
  typedef enum logic [1:0] {
    DepthSame = 2'd0,
    DepthUp   = 2'd1,
    DepthDown = 2'd2
  } depth_e;

  // Number of the lowest bit: by groups of four, without a carry chain. 0 for 0.
  function automatic logic [4:0] low_index(input logic [31:0] v);
    logic [7:0] g, oh;
    logic [3:0] n;
    logic [4:0] i;
    for (int unsigned k = 0; k < 8; k++) g[k] = v[4*k+:4] != '0;
    oh[0] = g[0];
    for (int unsigned k = 1; k < 8; k++) oh[k] = g[k] && (g & ((8'd1 << k) - 8'd1)) == '0;
    n = '0;
    for (int unsigned k = 0; k < 8; k++) n |= v[4*k+:4] & {4{oh[k]}};
    i[4] = |oh[7:4];
    i[3] = oh[2] | oh[3] | oh[6] | oh[7];
    i[2] = oh[1] | oh[3] | oh[5] | oh[7];
    i[1] = !n[0] && !n[1] && (n[2] || n[3]);
    i[0] = !n[0] && (n[1] || (!n[2] && n[3]));
    return i;
  endfunction
endpackage
