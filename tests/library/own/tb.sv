// The least test bench: a handle, one step in which nothing happens.
module tb;
  import warplock_cosim_pkg::*;
  chandle cosim;
  initial begin
    cosim = cosim_create("tiny", config_pkg::LayoutHash, 64'd1, "none", 0);
    $display("create '%s', step %0d", cosim_text(cosim), cosim_step_logic(cosim, 1'b0, 1'b0));
    cosim_destroy(cosim);
    $finish;
  end
endmodule
