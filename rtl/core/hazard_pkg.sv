// What issue finds hazards from (docs/microarchitecture.md 5): needs of the instructions that may
// issue, and what those in the fixed pipe still have to write.
package hazard_pkg;
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;

  // More of what issue must know, where optional units or long operands exist: the units, a counted
  // destination, whether the warp's range notes have to go first, operand x, and the register or count
  // in the immediate.
  typedef struct packed {
    logic       fp64;        // highest: a configuration without the unit has no bit for it
    logic       probe;
    logic       tensor;
    logic       columns;     // for the allocator of tensor memory (24.1)
    logic       tload;       // load from tensor memory (24.2)
    logic       umma;        // products in tensor memory (25)
    logic       notes;       // waits for the warp's range notes
    logic       counted;     // and not register 255
    logic       x;
    logic [7:0] imm;
  } need_more_t;
  localparam int unsigned HasLong = (HasCounted != 0 || HasX != 0) ? 1 : 0;
  localparam int unsigned HasMore =
      (Probe != 0 || Tensor != 0 || Fp64 != 0 || HasLong != 0) ? 1 : 0;
  localparam int unsigned MoreBits =
      (HasMore != 0) ? $bits(need_more_t) - (Fp64 != 0 ? 0 : 1) : 1;

  // Issue must know this of the oldest instruction of every warp before it chooses one.
  typedef struct packed {
    logic       trap;
    logic [7:0] rd, ra, rb, rc;
    logic [2:0] nd, na, nb, nc;  // codes of the operands' words, 0 = not used
    logic [6:0] preds;           // P0..P6 read or written
    logic [2:0] guard;
    logic       guard_neg;
    logic       lsu, ldc, sync, copy;
    logic       returns;         // may issue again, released
    logic       waits;           // for the warp's memory operations unless released
    logic       tbuf;            // takes the target buffer unless released
    logic [MoreBits-1:0] more;   // more_of
  } need_t;

  // verilator lint_off UNUSEDSIGNAL // a part
  function automatic need_more_t more_of(input need_t need);
    return (HasMore != 0) ? need_more_t'(need.more) : '0;
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  // Instructions that a unit of 64-bit floating point holds at most: in its sets, one a stage in
  // its pipe, one whose words wait.
  localparam int unsigned Fp64Held = Fp64Sets + Fp64Latency + 1;

  // An instruction in a stage from slots to W + 1 still has to write this: registers lo .. hi,
  // predicates. Only with HazardScan, where this stands for busy bits of the fixed pipe.
  localparam int unsigned PipeStages = LatFixed + 4;
  typedef struct packed {
    logic       has_reg;
    logic [6:0] preds;
    warp_t      warp;
    logic [7:0] lo;
    logic [7:0] hi;
  } inpipe_t;

  // The registers of an instruction's operands d, a, b, c, x as intervals, cut at the last one, and
  // its predicates (HazardScan = 1).
  localparam int unsigned RegBits = $clog2(MaxRegs);
  localparam int unsigned Regs = 1 << RegBits;
  typedef logic [RegBits-1:0] reg_t;
  localparam int unsigned OperandGroups = (HasX != 0) ? 5 : 4;
  typedef struct packed {
    logic [OperandGroups-1:0] used;
    reg_t [OperandGroups-1:0] first;
    reg_t [OperandGroups-1:0] last;
    logic [6:0] preds;
  } scan_need_t;
endpackage
