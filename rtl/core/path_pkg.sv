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
endpackage
