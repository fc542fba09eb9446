// One replayed "design" of cosim_tb.sv with its handle. Option: what its plusargs begin with.
module cosim_core
  import warplock_cosim_pkg::*;
#(
  parameter string Option = ""
) (
  input  logic clk_i,
  output logic finish_o
);
  chandle        cosim;
  string         log, ptx, dir, hash;
  int            file, status, flip, number, n, kind, words, verdict;
  longint        cycle, at;
  int unsigned   value;
  record_logic_t data;
  bit            more, two_state;
  // The trap register: {valid, cause, warp, lane, pc, address}, from the TRAP record.
  bit [31:0]     trap_flip;
  bit [192:0]    trap, shown;

  // The next record's cycle, or no more.
  function automatic bit next_cycle();
    return $fscanf(file, "%d %d %d", at, kind, words) == 3;
  endfunction

  initial begin
    finish_o = 1'b0;
    flip = -1;
    trap = '0;
    trap_flip = '1;
    number = 0;
    cycle = 0;
    hash = "";
    void'($value$plusargs({Option, "log=%s"}, log));
    void'($value$plusargs({Option, "ptx=%s"}, ptx));
    void'($value$plusargs({Option, "dir=%s"}, dir));
    void'($value$plusargs({Option, "hash=%s"}, hash));
    void'($value$plusargs({Option, "flip=%d"}, flip));
    void'($value$plusargs({Option, "trap=%d"}, trap_flip));
    two_state = $test$plusargs("two_state") != 0;
    if (log == "") finish_o = 1'b1;
    else open_run();
  end

  function automatic void open_run();
    file = $fopen(log, "r");
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
    more = next_cycle();
  endfunction

  function automatic void give_record();
    if (two_state) cosim_record(cosim, kind, words, data);
    else cosim_record_logic(cosim, kind, words, data);
    if (kind == int'(wl_pkg::RecordPacket) && data[31:0] == 32'd1) begin
      if (two_state)
        cosim_store(cosim, {data[32*6 +: 32], data[32*5 +: 32]} * 64'd32, data[32*8 +: 256],
                    data[32*7 +: 32]);
      else
        cosim_store_logic(cosim, {data[32*6 +: 32], data[32*5 +: 32]} * 64'd32, data[32*8 +: 256],
                          data[32*7 +: 32]);
    end
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
    while (more && at == cycle) begin
      data = '0;
      for (int i = 0; i < words; i++) begin
        n = $fscanf(file, "%h", value);
        data[32*i +: 32] = value;
      end
      if (number == flip) data[32*4 + 7] = !data[32*4 + 7];
      number = number + 1;
      give_record();
      if (kind == int'(wl_pkg::RecordTrap)) begin
        trap = {1'b1, data[31:0], data[63:32], data[95:64], data[127:96], data[191:160],
                data[159:128]};
      end
      more = next_cycle();
    end
    if (!more) begin
      shown = trap;
      if (trap_flip != '1) shown[trap_flip[7:0]] = !shown[trap_flip[7:0]];
      give_trap();
    end
    if (two_state) verdict = cosim_step(cosim, more ? 0 : 1, 0);
    else verdict = cosim_step_logic(cosim, !more, 1'b0);
    cycle = cycle + 1;
    if (verdict == CosimDone) verdict = cosim_end(cosim);
    if (verdict != CosimEqual) begin
      $display("%s%s", Option, cosim_text(cosim));
      cosim_destroy(cosim);
      finish_o = 1'b1;
    end
  end
endmodule
