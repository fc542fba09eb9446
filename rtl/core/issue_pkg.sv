// Types inside the issue unit (docs/microarchitecture.md 5).
package issue_pkg;
  // A gathered form at issue (5 rule 1): its path arrives, or it traps.
  typedef struct packed {
    logic arrives;
    logic guard_trap;        // the guard is true for some lanes of the path only
    logic exit_trap;         // a lane of the warp is not live
  } gather_t;

  // The chosen instruction, judged: its lanes E, and how it issues.
  typedef struct packed {
    logic [31:0] exec;       // E (= M for released ones and arrivals of gathered forms)
    logic        released;   // released BAR or SYNC (7.4)
    logic        empty;      // E is empty: only the PC advances
    logic        fast;       // SYNC with a constant mask whose lanes are all here (9)
    logic        range_trap; // it names a register that the launch does not have
    logic        mask_trap;  // SYNC whose mask lacks a lane of E
    logic        tbuf;       // takes the target buffer unless released
    gather_t     gather;
  } judged_t;
endpackage
