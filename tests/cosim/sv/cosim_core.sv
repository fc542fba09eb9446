// One replayed "design" of cosim_tb.sv with its handle. Option: what its plusargs begin with.
module cosim_core
  import warplock_cosim_pkg::*;
  import log_pkg::*;
#(
  parameter string Option = ""
) (
  input  logic clk_i,
  output logic finish_o
);
  chandle        cosim;
  string         path, ptx, dir, hash;
  int            status, flip, number, verdict;
  longint        cycle;
  log_reader     log;
  bit            two_state;
  // The trap register: {valid, cause, warp, lane, pc, address}, from the TRAP record.
  bit [31:0]     trap_flip;
  bit [192:0]    trap, shown;

  initial begin
    finish_o = 1'b0;
    flip = -1;
    trap = '0;
    trap_flip = '1;
    number = 0;
    cycle = 0;
    hash = "";
    void'($value$plusargs({Option, "log=%s"}, path));
    void'($value$plusargs({Option, "ptx=%s"}, ptx));
    void'($value$plusargs({Option, "dir=%s"}, dir));
    void'($value$plusargs({Option, "hash=%s"}, hash));
    void'($value$plusargs({Option, "flip=%d"}, flip));
    void'($value$plusargs({Option, "trap=%d"}, trap_flip));
    two_state = $test$plusargs("two_state") != 0;
    if (path == "") finish_o = 1'b1;
    else open_run();
  end

  function automatic void open_run();
    log = new(path);
    cosim = cosim_create("tiny", hash == "" ? config_pkg::LayoutHash : 64'd1, 64'd3, "none", 0);
    status = cosim_load(cosim, ptx, "saxpy");
    if (status == 0) begin
      status = cosim_arg(cosim, 64'h4000_0000, 4);  // 2.0
      status = status | cosim_buffer(cosim, 64'd400, {dir, "/x.bin"});
      status = status | cosim_buffer(cosim, 64'd400, {dir, "/y.bin"});
      status = status | cosim_arg(cosim, 64'd100, 4);
      status = status | cosim_launch(cosim, 4, 1, 1, 32, 1, 1, 0);
      if (status == 0 && $test$plusargs("image") != 0) status = cosim_image(cosim, {dir, "/image.hex"});
    end
    if (status != 0) begin
      $display("%srefused: %s", Option, cosim_text(cosim));
      finish_o = 1'b1;
    end
  endfunction

  function automatic void give_record();
    if (two_state) cosim_record(cosim, log.kind, log.words, log.data);
    else cosim_record_logic(cosim, log.kind, log.words, log.data);
    if (!log.is_store()) return;
    if (two_state)
      cosim_store(cosim, log.store_address(), log.data[32*8 +: 256], log.data[32*7 +: 32]);
    else
      cosim_store_logic(cosim, log.store_address(), log.data[32*8 +: 256], log.data[32*7 +: 32]);
  endfunction

  function automatic void give_trap();
    if (two_state)
      cosim_trap(cosim, int'(shown[192]), shown[191:160], shown[159:128], shown[127:96],
                 shown[95:64], shown[63:0]);
    else
      cosim_trap_logic(cosim, shown[192], shown[191:160], shown[159:128], shown[127:96],
                       shown[95:64], shown[63:0]);
  endfunction

  always @(posedge clk_i) if (!finish_o) begin
    while (log.more && log.cycle == cycle) begin
      log.take();
      if (number == flip) log.data[32*4 + 7] = !log.data[32*4 + 7];
      number = number + 1;
      give_record();
      if (log.kind == int'(wl_pkg::RecordTrap)) begin
        trap = {1'b1, log.data[31:0], log.data[63:32], log.data[95:64], log.data[127:96],
                log.data[191:160], log.data[159:128]};
      end
      end
    if (!log.more) begin
      shown = trap;
      if (trap_flip != '1) shown[trap_flip[7:0]] = !shown[trap_flip[7:0]];
      give_trap();
    end
    if (two_state) verdict = cosim_step(cosim, log.more ? 0 : 1, 0);
    else verdict = cosim_step_logic(cosim, !log.more, 1'b0);
    cycle = cycle + 1;
    if (verdict == CosimDone) verdict = cosim_end(cosim);
    if (verdict != CosimEqual) begin
      $display("%s%s", Option, cosim_text(cosim));
      cosim_destroy(cosim);
      finish_o = 1'b1;
    end
  end
endmodule
