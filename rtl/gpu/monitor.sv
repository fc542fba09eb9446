// Performance monitors (docs/microarchitecture.md 14): eight counters of events, %pm. Events are
// counted into registered amounts first, so that a late wire ends at a few gates, and added a cycle
// later. Instanced with PmCounters = 1 only. Nothing but s2r and the record at the end of a launch
// reads them; programs cannot set or stop them.
module monitor
  import config_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                start_i,       // a launch starts
  // By sub-core.
  input  logic [SubCores-1:0] issue_i,       // an instruction issues
  input  logic [SubCores-1:0] occupied_i,    // some warp slot is valid
  input  logic [SubCores-1:0] fetch_miss_i,  // fetch sets its miss unit
  input  logic                smem_take_i,   // shared memory takes a request
  input  logic                smem_pass_i,   // and starts a pass
  input  logic                ldc_miss_i,    // a CHECK of the constant loads misses
  input  logic                grant_i,       // the SM port grants a packet
  input  logic                wait_i,        // the order point holds a packet and does not admit it
  // verilator lint_off UNUSEDSIGNAL // read by the record only
  input  logic                finish_i,      // the dispatcher's state becomes DONE
  // verilator lint_on UNUSEDSIGNAL
  output logic [63:0]         pm_next_o [8]  // the counters as visible in the next cycle
);
  localparam int unsigned AddBits = $clog2(SubCores + 1);
  typedef logic [AddBits-1:0] amount_t;

  function automatic amount_t number(input logic [SubCores-1:0] subs);
    amount_t n;
    n = '0;
    for (int unsigned k = 0; k < SubCores; k++) n += amount_t'(subs[k]);
    return n;
  endfunction

  logic [63:0] pm_q [8];
  amount_t     pm_add_q [8];
  amount_t     amount [8];
  always_comb begin
    amount[0] = number(issue_i);
    amount[1] = number(occupied_i & ~issue_i);
    amount[2] = amount_t'(smem_take_i);
    amount[3] = amount_t'(smem_pass_i);
    amount[4] = number(fetch_miss_i);
    amount[5] = amount_t'(ldc_miss_i);
    amount[6] = amount_t'(grant_i);
    amount[7] = amount_t'(wait_i);
    for (int unsigned i = 0; i < 8; i++) begin
      pm_next_o[i] = start_i ? '0 : pm_q[i] + 64'(pm_add_q[i]);
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 8; i++) begin
      pm_q[i] <= rst_ni ? pm_next_o[i] : '0;
      pm_add_q[i] <= (rst_ni && !start_i) ? amount[i] : '0;
    end
  end

  if (Beats != 1) begin : gen_beats
    $error("s2r of a monitor has one X1: PmCounters = 1 needs Beats = 1");
  end
endmodule
